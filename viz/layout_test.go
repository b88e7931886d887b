package viz

import (
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
)

// Labels on an axis do not run into each other, and there are two where two fit.
func TestTicksHaveRoom(t *testing.T) {
	style := newPlot("", "").X.Tick.Label
	for _, axis := range [][2]float64{{-0.05, 0.07}, {-0.01, 0.09}, {-300, 700}, {0, 15}, {-100, 100}, {-1e-6, 4e-6}} {
		lo, hi := axis[0], axis[1]
		all := len(valueTicks{}.Ticks(lo, hi))
		for _, room := range []vg.Length{60, 90, 140, 1000} {
			ticks := valueTicks{room: room}.Ticks(lo, hi)
			if len(ticks) != all {
				t.Errorf("[%g, %g]: %d ticks in %v, %d without a limit", lo, hi, len(ticks), room, all)
			}
			end, labels := vg.Length(-1e9), 0
			for _, tick := range ticks {
				if tick.Label == "" {
					continue
				}
				labels++
				at, half := vg.Length((tick.Value-lo)/(hi-lo))*room, style.Width(tick.Label)/2
				if at-half < end {
					t.Errorf("[%g, %g] in %v: the label %s overlaps the previous one", lo, hi, room, tick.Label)
				}
				end = at + half
			}
			if room >= 90 && labels < 2 {
				t.Errorf("[%g, %g] in %v: %d labels", lo, hi, room, labels)
			}
			if room == 1000 && labels != all {
				t.Errorf("[%g, %g]: %d of %d labels though there is room", lo, hi, labels, all)
			}
		}
	}
}

// Ticks are counted: the numbers may be much larger than their range, or the largest of
// float64.
func TestTicksAreCounted(t *testing.T) {
	for _, axis := range [][2]float64{{1.7e18, 1.7e18}, {1.7e18, 1.7e18 + 256}, {1.7e18, 1.7e18 + 25600}, {-1e300, 1e300}, {-1e308, 1e308}, {1e308, math.MaxFloat64}, {1, 1 + 4e-16},
		{-1e-300, 1e-300}, {0, 5e-324}, {math.Inf(1), math.Inf(-1)}, {math.NaN(), 1}, {0, math.Inf(1)}, {5, 3}, {1e9, 1e9 + 1}, {99990, 100000}, {-2000.5, -2000}} {
		lo, hi := axis[0], axis[1]
		ticks := valueTicks{}.Ticks(lo, hi)
		if len(ticks) > 50 {
			t.Errorf("[%g, %g]: %d ticks", lo, hi, len(ticks))
		}
		labels := map[string]bool{}
		for _, tick := range ticks {
			labels[tick.Label] = true
			if math.IsNaN(tick.Value) || tick.Value < lo || tick.Value > hi {
				t.Errorf("[%g, %g]: a tick at %g", lo, hi, tick.Value)
			}
		}
		if len(labels) != len(ticks) {
			t.Errorf("[%g, %g]: %d labels for %d ticks: %v", lo, hi, len(labels), len(ticks), ticks)
		}
		if hi-lo > 1e-14*max(math.Abs(lo), math.Abs(hi)) && hi-lo > 1e-290 && hi-lo < 1e301 && len(ticks) < 3 {
			t.Errorf("[%g, %g]: %d ticks", lo, hi, len(ticks))
		}
	}
}
