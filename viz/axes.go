package viz

import (
	"fmt"
	"math"
	"strings"

	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// inside is the margin between the outermost points of a curve and the frame, as a share of the
// axis length. Axes with this margin have no labels at their ends.
const inside = 0.03

// widened extends the range [lo, hi] of a logarithmic axis on both sides. The margin is inside
// times the length of the range in powers of ten. The result stays within the range of float64.
func widened(lo, hi float64) (float64, float64) {
	a, b := padded(math.Log10(lo), math.Log10(hi), inside)
	return math.Pow(10, max(a, -307)), math.Pow(10, min(b, 308))
}

// offset returns the number to subtract from the labels of an axis from lo to hi. It is 0 unless
// the labels would share more than three leading digits.
func offset(lo, hi float64) float64 {
	unit := math.Pow(10, math.Ceil(math.Log10(hi-lo)))
	if unit == 0 || !(max(math.Abs(lo), math.Abs(hi)) >= 1000*unit) {
		return 0
	}
	return math.Round(lo/unit) * unit
}

// relative returns the name of an axis whose labels are reduced by the number from, see offset. It
// appends the offset to name unless the offset is 0.
func relative(name string, from float64) string {
	if from == 0 {
		return name
	}
	return strings.TrimSpace(fmt.Sprintf("%s (offset %.15g)", name, from))
}

// numbers sets the name, the range from lo to hi, and the ticks of a numeric axis in a static plot.
func numbers(a *plot.Axis, name string, lo, hi float64, ticks valueTicks) {
	a.Name, a.Min, a.Max, a.Ticks = relative(name, offset(lo, hi)), lo, hi, ticks
}

// extent widens [lo, hi] to multiples of a readable step. A range within [0, 1] stays there. A
// range without length gets a margin on both sides instead.
func extent(lo, hi float64) (float64, float64) {
	if same(lo, hi) {
		pad := max(math.Abs(lo)*0.05, 1e-3)
		return lo - pad, hi + pad
	}
	step := niceStep(hi - lo)
	a, b := math.Floor(lo/step)*step, math.Ceil(hi/step)*step
	if lo >= 0 && hi <= 1 {
		a, b = max(a, 0), min(b, 1)
	}
	return a, b
}

// same reports whether lo and hi differ at most by rounding errors, so that an axis cannot separate
// them.
func same(lo, hi float64) bool {
	return !(hi-lo > 4e-15*max(math.Abs(lo), math.Abs(hi))) || hi-lo < 1e-290
}

// padded widens [lo, hi] on both sides by a share of its length. If lo equals hi, the result is a
// range centred on this value.
func padded(lo, hi, share float64) (float64, float64) {
	margin := share * (hi - lo)
	if same(lo, hi) {
		margin = max(1, 1e-6*math.Abs(lo))
	}
	return lo - margin, hi + margin
}

// niceStep returns 1, 2 or 5 times a power of ten that divides a range of length span into more
// than two and at most six steps. It returns 0.01 if span is not positive.
func niceStep(span float64) float64 {
	if !(span > 0) {
		return 0.01
	}
	p := math.Pow(10, math.Floor(math.Log10(span/3)))
	for _, f := range []float64{1, 2, 5} {
		if span/(f*p) <= 6+1e-9 {
			return f * p
		}
	}
	return 10 * p
}

// round rounds v to a multiple of a power of ten between 1/100,000 and 1/10,000 of scale, which is
// finer than the resolution of a screen.
func round(v, scale float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10(scale))-4)
	r := math.Round(v/step) * step
	// The second rounding yields the float64 with the shortest decimal form: 0.3 instead of
	// 0.30000000000000004.
	digits := math.Pow(10, math.Max(0, -math.Floor(math.Log10(step))))
	r = math.Round(r*digits)/digits + 0 // adding 0 turns −0 into 0
	if math.IsNaN(r) || math.IsInf(r, 0) {
		return v // the scale is zero, or its steps overflow
	}
	return r
}

// valueTicks places labelled ticks at round numbers, so that the static picture has the same grid
// as the chart. If labels would overlap, only every second tick has a label, or every third, and so
// on. If fewer than two labels would remain, the first and the last tick are labelled instead.
type valueTicks struct {
	whole  bool    // only integers
	length float64 // length of a horizontal axis in points; 0 if labels cannot overlap
}

func (t valueTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return nil
	}
	step, from := niceStep(hi-lo), offset(lo, hi)
	if t.whole {
		step = max(math.Ceil(step), 1)
	}
	// Each tick is computed from its index. Adding a small step repeatedly to a large number would
	// have no effect.
	first := math.Ceil((lo-from)/step - 1e-9)
	count := int((hi-from)/step+1e-9-first) + 1
	var out []plot.Tick
	for k := range min(max(count, 0), 50) {
		at := (first + float64(k)) * step
		out = append(out, plot.Tick{Value: min(max(from+at, lo), hi), Label: fmt.Sprintf("%.6g", round(at, step))})
	}
	if t.length > 0 {
		t.thin(out, first, step, lo, hi)
	}
	return out
}

// thin removes labels of ticks that would overlap.
func (t valueTicks) thin(out []plot.Tick, first, step, lo, hi float64) {
	style := newAxis("").TickText
	widest := 0.0
	for _, tick := range out {
		widest = max(widest, style.Width(tick.Label)+style.Size/2)
	}
	apart := t.length * step / (hi - lo)
	every := math.Ceil(widest / apart)
	named := func(i int) bool { return math.Mod(first+float64(i), every) == 0 }
	last, count := len(out)-1, 0
	for i := range out {
		if named(i) {
			count++
		}
	}
	if count < 2 && float64(last)*apart >= widest {
		named = func(i int) bool { return i == 0 || i == last }
	}
	for i := range out {
		if !named(i) {
			out[i].Label = ""
		}
	}
}

// factorTicks labels the powers of ten of a logarithmic axis.
type factorTicks struct{}

func (factorTicks) Ticks(lo, hi float64) []plot.Tick {
	var out []plot.Tick
	first, last := math.Floor(math.Log10(lo)), math.Ceil(math.Log10(hi))
	every := max(int(last-first+5)/6, 1) // at most seven labels, because more would overlap
	for e := first; e <= last; e++ {
		for m := 1.0; m < 10; m++ {
			t := plot.Tick{Value: m * math.Pow(10, e)}
			if m == 1 && int(e-first)%every == 0 {
				t.Label = fmt.Sprintf("%g", t.Value)
			}
			if t.Value >= lo*(1-1e-9) && t.Value <= hi*(1+1e-9) {
				out = append(out, t)
			}
		}
	}
	return out
}

// ticks places the labels at the integers from 0.
func ticks(labels []string) plot.Ticks {
	out := make(plot.Ticks, len(labels))
	for k, l := range labels {
		out[k] = plot.Tick{Value: float64(k), Label: l}
	}
	return out
}
