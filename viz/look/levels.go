package look

import (
	"math"
	"strconv"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// levels is the number of colours of a numeric target.
const levels = 8

// OfTarget returns a legend for the numeric target of d. It divides the range of the values into
// eight steps of equal length, in the colours of Viridis. Unknown values are grey. Values hidden by
// Data.KeepTarget have colours, too. ok is false if the data have labels or no target, or if all
// values of the target are equal or differ by less than 1e-322.
func OfTarget(d *data.Data) (l Legend, ok bool) {
	t := d.Target()
	if t == nil || d.NumLabelled() > 0 {
		return l, false
	}
	values := append([]float64(nil), t.Values...)
	for i, v := range d.HiddenTarget() {
		if math.IsNaN(values[i]) {
			values[i] = v
		}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	step := hi/levels - lo/levels
	if !(step/2 > 0) {
		return l, false
	}
	digits, format := max(0, 1-int(math.Floor(math.Log10(step)))), byte('f')
	if largest := max(math.Abs(lo), math.Abs(hi)); digits > 5 || largest >= 1e7 {
		digits, format = 3, 'g'
	}
	number := func(v float64) string { return strconv.FormatFloat(v, format, digits, 64) }
	// k·step can overflow, as hi − lo can, but half of it cannot.
	end := func(k int) float64 { return 2 * (lo/2 + float64(k)*(step/2)) }
	for k := range levels {
		l.Names = append(l.Names, number(end(k))+" to "+number(end(k+1)))
		l.Colors = append(l.Colors, CSS(Between(Viridis, (float64(k)+0.5)/levels)))
		l.Symbols = append(l.Symbols, Symbols[0])
	}
	l.Names[0] = Name(t.Name) + " " + l.Names[0]
	l.Names, l.Colors, l.Symbols = append(l.Names, "not known"), append(l.Colors, "#9a9a9a"), append(l.Symbols, Symbols[0])
	for _, v := range values {
		k := levels
		if !math.IsNaN(v) {
			k = min(int((v/2-lo/2)/(step/2)), levels-1)
		}
		l.Of = append(l.Of, k)
	}
	return l, true
}
