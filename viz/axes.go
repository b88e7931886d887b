package viz

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// inside is the margin between the outermost points of a curve and the frame, as a share of the
// length of the axis. The ends of such an axis are not round numbers and have no labels.
const inside = 0.03

// smallestEnd and largestEnd bound the ends of logarithmic axes. smallestEnd lies just above the
// subnormal numbers, for which math.Log is wrong on some processors. largestEnd is the largest
// number that package viz/schema allows.
const (
	smallestEnd = 1e-307
	largestEnd  = 10 * maxNumber
)

// widened extends the range [lo, hi] of a logarithmic axis on both sides. The margin in decades is
// the constant inside times the length of the range.
func widened(lo, hi float64) (float64, float64) {
	a, b := padded(math.Log10(lo), math.Log10(hi), inside)
	return max(math.Pow(10, a), smallestEnd), min(math.Pow(10, b), largestEnd)
}

// offset returns the number to subtract from the labels of an axis from lo to hi. It is 0 if the
// labels have at most three leading digits in common.
func offset(lo, hi float64) float64 {
	unit := math.Pow(10, math.Ceil(math.Log10(hi-lo)))
	if unit == 0 || !(max(math.Abs(lo), math.Abs(hi)) >= 1000*unit) {
		return 0
	}
	return math.Round(lo/unit) * unit
}

// relative appends the offset of an axis, see the function offset, to the name of the axis. If the
// offset is 0, it returns the name unchanged.
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

// extent widens [lo, hi] to multiples of a readable step. A range within [0, 1] stays there. If lo
// equals hi, extent adds a margin on both sides instead.
func extent(lo, hi float64) (float64, float64) {
	if nearlyEqual(lo, hi) {
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

// nearlyEqual reports whether lo and hi differ at most by rounding errors, so that an axis cannot
// separate them.
func nearlyEqual(lo, hi float64) bool {
	return !(hi-lo > 4e-15*max(math.Abs(lo), math.Abs(hi))) || hi-lo < 1e-290
}

// padded widens [lo, hi] on both sides by a share of its length. If lo equals hi, the result is a
// range centred on this value.
func padded(lo, hi, share float64) (float64, float64) {
	margin := share * (hi - lo)
	if nearlyEqual(lo, hi) {
		margin = max(1, 1e-6*math.Abs(lo))
	}
	return lo - margin, hi + margin
}

// niceStep returns a step size for an axis whose range has the length span. The step is 1, 2 or 5
// times a power of ten, and the range contains more than two and at most six steps. If span is not
// positive, niceStep returns 0.01.
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

// round rounds v to a multiple of a power of ten. This power is between 1/100,000 and 1/10,000 of
// scale, the length of an axis, and thus smaller than a pixel.
func round(v, scale float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10(scale))-4)
	r := math.Round(v/step) * step
	// The second rounding yields the float64 with the shortest decimal form: 0.3 instead of
	// 0.30000000000000004.
	digits := math.Pow(10, math.Max(0, -math.Floor(math.Log10(step))))
	r = math.Round(r*digits)/digits + 0 // adding 0 turns −0 into 0
	if math.IsNaN(r) || math.IsInf(r, 0) {
		return v // the scale is zero, or the computation overflowed
	}
	return r
}

// valueTicks places labelled ticks at round numbers, so that the static picture has the same grid
// as the chart. If labels would overlap, only every k-th tick has a label, with the smallest
// possible k. If fewer than two would remain, the first and the last tick are labelled instead.
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

// thin removes labels, so that the remaining labels do not overlap.
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

// factorTicks places ticks on a logarithmic axis. [factors] selects the ticks with labels.
type factorTicks struct {
	length  float64 // length of the axis in points
	upright bool    // the axis is vertical
}

func (t factorTicks) Ticks(lo, hi float64) []plot.Tick {
	style := newAxis("").TickText
	labelled := factors(lo, hi, t.length, func(label string) float64 {
		if t.upright {
			return pixels(factorHeight)
		}
		return style.Width(label) + pixels(factorGap)
	})
	var out []plot.Tick
	for _, v := range labelled {
		out = append(out, plot.Tick{Value: v, Label: factorLabel(v)})
	}
	// If the axis spans many decades, ticks at 2, 3, …, 9 times the powers of ten would be too
	// close to each other.
	steps := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	if decades := math.Log10(hi) - math.Log10(lo); t.length < 25*decades {
		steps = steps[:1]
	}
	for e := math.Floor(math.Log10(lo)); e <= math.Log10(hi); e++ {
		for _, m := range steps {
			v := m * math.Pow(10, e)
			near := func(o float64) bool { return math.Abs(o-v) < 1e-9*v }
			if within := v >= lo*(1-1e-9) && v <= hi*(1+1e-9); within && !slices.ContainsFunc(labelled, near) {
				out = append(out, plot.Tick{Value: v})
			}
		}
	}
	slices.SortFunc(out, func(a, b plot.Tick) int { return cmp.Compare(a.Value, b.Value) })
	return out
}

// logarithmic makes an axis of a chart logarithmic, with the given length in pixels. It sets the
// labelled values, because ECharts labels only every tenth power of ten if the axis spans many
// decades. The page's script recomputes these values for the width of the page.
func logarithmic(a *chart.Axis, length float64, upright bool) {
	style := newAxis("").TickText
	values := factors(a.Min, a.Max, length, func(label string) float64 {
		if upright {
			return factorHeight
		}
		return wide(style, label) + factorGap
	})
	a.Type, a.MinInterval, a.SplitNumber = "log", 0, 0
	a.AxisTick = &chart.AxisTick{Show: true, Length: 4, CustomValues: values}
	a.AxisLabel = &chart.AxisLabel{CustomValues: values, HideOverlap: true}
}

// Sizes on logarithmic axes in pixels: factorHeight is the height of a label on a vertical axis,
// and factorGap is the gap between two labels on a horizontal axis.
const (
	factorHeight = 20
	factorGap    = 8
)

// factors returns the values that have a label on a logarithmic axis from lo to hi, ascending. If
// the axis spans few decades, these are 1, 2 and 5 times the powers of ten. If it spans more, they
// are every k-th power of ten. If the axis contains at most one power of ten, they can also be
// evenly spaced numbers. size returns the extent of a label along the axis, in the same unit as the
// argument length. The function factors in the page's script implements the same rules, which
// TestSharedRules checks.
func factors(lo, hi, length float64, size func(label string) float64) []float64 {
	a, b := math.Log10(lo), math.Log10(hi)
	first, last := math.Ceil(a-1e-9), math.Floor(b+1e-9)
	var one []float64 // a single value, returned if no two labels fit
	fits := func(list []float64) bool {
		if len(list) == 1 && one == nil {
			one = list
		}
		for i := range max(len(list)-1, 0) {
			// The ratio of two values may overflow, so subtract their logarithms.
			apart := length * (math.Log10(list[i+1]) - math.Log10(list[i])) / (b - a)
			if apart < (size(factorLabel(list[i]))+size(factorLabel(list[i+1])))/2-1e-6 {
				return false
			}
		}
		return len(list) > 1
	}
	times := func(every float64, steps ...float64) (list []float64) {
		for e := math.Ceil((first-1)/every) * every; e <= last; e += every {
			for _, m := range steps {
				if v := powered(m, e); v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
					list = append(list, v)
				}
			}
		}
		return list
	}
	if last-first < 2 {
		for _, steps := range [][]float64{{1, 2, 5}, {1, 3}} {
			if list := times(1, steps...); fits(list) {
				return list
			}
		}
	}
	for _, every := range []float64{1, 2, 3, 5, 10, 20, 50, 100, 200, 500} {
		if list := times(every, 1); fits(list) {
			return list
		}
	}
	if last > first {
		if list := []float64{powered(1, first), powered(1, last)}; fits(list) {
			return list
		}
	} else {
		step := niceStep(hi - lo)
		for _, m := range []float64{1, 2, 5} {
			var list []float64
			for k := math.Ceil(lo/(m*step) - 1e-9); k <= hi/(m*step)+1e-9 && len(list) < 10; k++ {
				list = append(list, round(k*m*step, step))
			}
			if fits(list) {
				return list
			}
			if one == nil && list != nil {
				one = list[len(list)/2:][:1]
			}
		}
	}
	return one
}

// powered returns m times ten to the power of e, correctly rounded.
func powered(m, e float64) float64 {
	v, _ := strconv.ParseFloat(fmt.Sprintf("%ge%d", m, int(e)), 64)
	return v
}

// factorLabel formats a number on a logarithmic axis. Numbers below 1e-4, and numbers of at least
// 1e5, are written with an exponent.
func factorLabel(v float64) string {
	if v >= 1e-4 && v < 1e5 {
		return fmt.Sprintf("%.6g", v)
	}
	mantissa, exponent, _ := strings.Cut(fmt.Sprintf("%.5e", v), "e")
	power, _ := strconv.Atoi(exponent)
	return fmt.Sprintf("%se%d", strings.TrimRight(strings.TrimRight(mantissa, "0"), "."), power)
}

// spaced returns the labels of evenly spaced grid lines. If the labels would overlap, spaced keeps
// only every k-th label, with the smallest possible k, and replaces the others by "". The argument
// apart is the distance between two lines, and size returns the extent of a label, both in pixels.
func spaced(labels []string, apart float64, size func(label string) float64) []string {
	widest := 0.0
	for _, l := range labels {
		widest = max(widest, size(l))
	}
	out, every := slices.Clone(labels), max(int(math.Ceil(widest/apart)), 1)
	for k := range out {
		if k%every != 0 {
			out[k] = ""
		}
	}
	return out
}

// ticks places labels[k] at the value k.
func ticks(labels []string) plot.Ticks {
	out := make(plot.Ticks, len(labels))
	for k, l := range labels {
		out[k] = plot.Tick{Value: float64(k), Label: l}
	}
	return out
}
