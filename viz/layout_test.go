package viz

import (
	"testing"

	"gonum.org/v1/plot/vg"
)

// Labels on an axis do not run into each other, and where two have room there are two.
func TestTicksHaveRoom(t *testing.T) {
	style := newPlot("", "", "").X.Tick.Label
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
					t.Errorf("[%g, %g] in %v: the label %s overlaps the one before", lo, hi, room, tick.Label)
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
