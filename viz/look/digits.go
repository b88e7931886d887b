package look

import (
	"math"
	"strconv"
)

// Numbers of significant digits on pages. A decimal number of up to ExactDigits digits survives the
// conversion to float64 and back, and is shown exactly. A number with more digits is probably the
// result of a computation, and is rounded to ComputedDigits digits or more.
const (
	ExactDigits    = 15
	ComputedDigits = 6 // minimum for longer numbers
)

// Significant rounds v to a number of significant digits.
func Significant(v float64, digits int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// Decimal reports whether v has at most ExactDigits significant digits.
func Decimal(v float64) bool {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return true
	}
	return Significant(v, ExactDigits) == v
}

// Exact formats v exactly if it has at most ExactDigits significant digits, and with ComputedDigits
// digits otherwise.
func Exact(v float64) string {
	digits := ComputedDigits
	if Decimal(v) {
		digits = ExactDigits
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}
