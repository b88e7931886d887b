package ssdrnb

import "testing"

// An axis has the values from, from+step, … up to the end despite rounding errors, and none beyond
// it. An axis of more than a million steps has no values.
func TestProgression(t *testing.T) {
	same := func(x float64) float64 { return x }
	for _, c := range []struct {
		from, to, step float64
		want           int
	}{
		{0, 1, 0.1, 11}, {0.1, 0.3, 0.1, 3}, {0, 0.3, 0.1, 4}, {0.2, 0.8, 0.2, 4}, {-3, 3, 0.5, 13}, {0, 0.95, 0.1, 10}, {2, 2, 1, 1}, {0, 1e6, 1, 1e6 + 1},
		{1e22, 1e22, 1, 1}, {-1e22, -1e22, 1e-9, 1}, // from + step = from
		{0, 1e6 + 1, 1, 0}, {0, 1, 1e-300, 0}, {-1e308, 1e308, 1, 0}, {1, 0, 1, 0}, {0, 1, 0, 0}, {0, 1, -1, 0},
	} {
		values := spaced(c.from, c.to, c.step, same)
		if len(values) != c.want || len(values) > 0 && (values[0] != c.from || values[len(values)-1].(float64) > c.to) {
			t.Errorf("%v to %v by %v: %d values, want %d, none beyond the end", c.from, c.to, c.step, len(values), c.want)
		}
	}
}
