package viz

import (
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/viz/look"
)

// noise is the largest relative difference of two numbers that counts as a rounding error.
const noise = 1e-12

// order returns the exponent of x in scientific notation, such as 3 for 5000. x must not be 0.
func order(x float64) int { return int(math.Floor(math.Log10(math.Abs(x)))) }

// written returns a function that rounds a value v of the column to the number that a page
// contains. A number with at most 15 significant digits stays exact unless a model computed it.
// Other numbers keep at least six digits. They keep more if the range of the column is small
// compared with its numbers. They also keep more if different numbers would otherwise become equal,
// unless a model computed the numbers, or there are so many (more than manySamples) that the page
// would become large.
func (c column) written() func(v float64) float64 {
	long := !c.computed && slices.ContainsFunc(c.number, func(v float64) bool { return !math.IsNaN(v) && !look.Decimal(v) })
	if !long && !c.computed {
		return func(v float64) float64 { return v }
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range c.number {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	digits := look.ComputedDigits
	if most := max(math.Abs(lo), math.Abs(hi)); hi > lo && !math.IsInf(hi-lo, 0) {
		digits += max(order(most)-order(hi-lo), 0)
	}
	if long && len(c.number) <= manySamples {
		digits = max(digits, c.separate())
	}
	return func(v float64) float64 {
		if digits >= 17 || !c.computed && look.Decimal(v) {
			return v
		}
		return look.Significant(v, digits)
	}
}

// separate returns the number of significant digits that keeps different numbers of the column
// different. Numbers that differ only by rounding errors count as equal.
func (c column) separate() int {
	sorted := slices.DeleteFunc(slices.Clone(c.number), math.IsNaN)
	slices.Sort(sorted)
	digits := 1
	for k := 1; k < len(sorted); k++ {
		a, b := sorted[k-1], sorted[k]
		if most := max(math.Abs(a), math.Abs(b)); b-a > noise*most && !math.IsInf(b-a, 0) {
			digits = max(digits, order(most)-order(b-a)+1)
		}
	}
	return digits
}

// brief formats v with at least the given number of significant digits. It uses more digits if
// span, the length of the range in which v is shown, is short compared with v. A span of 0 is
// ignored. Numbers below 1e-4 are written with an exponent, and so are numbers of at least 1e7
// whose integer part has more digits than are written.
func brief(v, span float64, least int) string {
	if v == 0 {
		return "0"
	}
	digits := least
	if span > 0 {
		digits = min(max(least, 3+order(v)-order(span)), 17)
	}
	if most := order(v); most < -4 || most > 6 {
		return fmt.Sprintf("%.*g", digits, v)
	} else if most >= digits {
		digits = most + 1
	}
	return fmt.Sprintf("%.*g", digits, v)
}
