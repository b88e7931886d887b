package viz

import (
	"math"
	"strings"
	"testing"
)

// Tick labels do not overlap, and there are at least two if two fit.
func TestTicksHaveRoom(t *testing.T) {
	style := newAxis("").TickText
	for _, axis := range [][2]float64{{-0.05, 0.07}, {-0.01, 0.09}, {-300, 700}, {0, 15}, {-100, 100}, {-1e-6, 4e-6}} {
		lo, hi := axis[0], axis[1]
		all := len(valueTicks{}.Ticks(lo, hi))
		for _, length := range []float64{60, 90, 140, 1000} {
			ticks := valueTicks{length: length}.Ticks(lo, hi)
			if len(ticks) != all {
				t.Errorf("[%g, %g]: %d ticks in %v, %d without a limit", lo, hi, len(ticks), length, all)
			}
			end, labels := -1e9, 0
			for _, tick := range ticks {
				if tick.Label == "" {
					continue
				}
				labels++
				at, half := (tick.Value-lo)/(hi-lo)*length, style.Width(tick.Label)/2
				if at-half < end {
					t.Errorf("[%g, %g] in %v: the label %s overlaps the previous one", lo, hi, length, tick.Label)
				}
				end = at + half
			}
			if length >= 90 && labels < 2 {
				t.Errorf("[%g, %g] in %v: %d labels", lo, hi, length, labels)
			}
			if length == 1000 && labels != all {
				t.Errorf("[%g, %g]: %d of %d labels though all of them fit", lo, hi, labels, all)
			}
		}
	}
}

// The number of ticks is limited: the numbers may be much larger than their range, or the largest
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

// A logarithmic axis contains its range, and ends where the page accepts it. Its ticks are finite.
func TestLogarithmicEnds(t *testing.T) {
	values := []float64{1e-307, 1e-300, 1e-9, 1, 3, 1e150, 1e300}
	for k, lo := range values {
		for _, hi := range values[k:] {
			a, b := widened(lo, hi)
			if !(a >= 1e-307 && a <= lo && b >= hi && b > a && b <= 1e301) {
				t.Errorf("[%g, %g] is widened to [%g, %g]", lo, hi, a, b)
			}
			ticks := factorTicks{length: 300}.Ticks(a, b)
			for _, tick := range ticks {
				if !(tick.Value >= a*(1-1e-6) && tick.Value <= b*(1+1e-6)) {
					t.Errorf("[%g, %g] has a tick at %g", a, b, tick.Value)
				}
			}
			if len(ticks) < 2 {
				t.Errorf("[%g, %g] has %d ticks", a, b, len(ticks))
			}
		}
	}
	if byFactors([]float64{5e-324, 1e-10, 1e300}) {
		t.Error("an axis from a subnormal number is logarithmic")
	}
}

// A narrower figure has fewer panels per row, all of them inside the figure.
func TestPlace(t *testing.T) {
	l := layout{Count: 5, Most: 4, Least: 200, High: 340, Head: titleHeight, Above: captionHeight, Below: 48, Left: 58, Gap: 62, Right: 12, Legend: 118, Ratio: []float64{1, 1, 1, 1, 1}}
	for width, columns := range map[float64]int{250: 1, 500: 1, 700: 2, 1000: 3, 1400: 3, 2000: 3} { // at most as uneven as 3 + 2
		boxes, height := l.place(width, 0)
		lefts := map[float64]bool{}
		for k, b := range boxes {
			lefts[b.x] = true
			if b.w < 20 || b.h < 20 || width >= 500 && b.x+b.w > width-l.Legend || b.y+b.h > height {
				t.Errorf("%g pixels wide, panel %d of %d is at %+v of a height of %g", width, k, len(boxes), b, height)
			}
		}
		if len(lefts) != columns {
			t.Errorf("%g pixels wide: %d columns, want %d", width, len(lefts), columns)
		}
	}
	l.Kept, l.Ratio = true, []float64{0.5, 1, 2, 4, 1}
	boxes, height := l.place(1000, 700)
	for k, b := range boxes {
		if math.Abs(b.h/b.w-l.Ratio[k]) > 1e-9 || height > 700 {
			t.Errorf("panel %d, height over width %g, is at %+v of a height of %g", k, l.Ratio[k], b, height)
		}
	}
}

// Labels of a grid do not overlap.
func TestSpacedLabels(t *testing.T) {
	labels := []string{"0.01", "0.032", "0.1", "0.32", "1"}
	size := func(label string) float64 { return 7 * float64(len(label)) }
	for apart, want := range map[float64]string{40: "0.01,0.032,0.1,0.32,1", 20: "0.01,,0.1,,1", 9: "0.01,,,,1", 0.1: "0.01,,,,"} {
		if got := strings.Join(spaced(labels, apart, size), ","); got != want {
			t.Errorf("%v pixels apart: %s, want %s", apart, got, want)
		}
	}
}
