package data

import "strings"

// CompareNames orders names alphabetically but compares runs of digits as numbers: "category 2"
// comes before "category 10". The result is negative, zero or positive, as for [strings.Compare],
// and zero only for equal names. It does not allocate.
func CompareNames(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		m, n := digits(x), digits(y)
		if m == 0 || n == 0 {
			if x[0] != y[0] {
				return strings.Compare(x, y)
			}
			x, y = x[1:], y[1:]
			continue
		}
		v, w := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
		if len(v) != len(w) {
			return len(v) - len(w)
		}
		if c := strings.Compare(v, w); c != 0 {
			return c
		}
		x, y = x[m:], y[n:]
	}
	if len(x) != len(y) { // one name continues where the other ends
		return len(x) - len(y)
	}
	return strings.Compare(a, b) // they differ only in leading zeros of numbers
}

// digits returns the number of digits at the start of s.
func digits(s string) (n int) {
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}
