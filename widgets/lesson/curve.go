package lesson

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// lengths contains the answers that the exercise "length" allows.
var lengths = []float64{0.1, 0.3, 1, 3, 10}

// widths contains the widths of the intervals in which the hidden curves of "length" are measured.
// The curves use these widths in turn. The same widths occur with different lengths, so the places
// alone do not reveal the length.
var widths = []float64{5.5, 18}

// checkLength tests whether an answer finds the length scale of most hidden curves.
func checkLength(t *trial, f func(x, y []float64) float64) {
	// share tests the answer on count curves. length(k) is the length scale of curve k. If the
	// answer finds fewer than least length scales, share returns a sentence, and otherwise "".
	share := func(count, least int, first uint64, length func(k int) float64) string {
		right, missed := 0, ""
		for k := range count {
			x, y := measured(first+uint64(k), length(k), widths[k%len(widths)])
			got, wrong := ask(t, func() float64 { return f(x, y) }, arg("x", x), arg("y", y))
			if wrong != "" {
				return wrong
			}
			if !slices.Contains(lengths, got) {
				return fmt.Sprintf("It returns %.6g, which is none of 0.1, 0.3, 1, 3 and 10.", got)
			}
			if got == length(k) {
				right++
			} else if missed == "" {
				missed = fmt.Sprintf(" The first one missed: curve %d, x from %.3g to %.3g, has the length %.3g, but the function returns %.3g.", k+1, x[0], x[len(x)-1], length(k), got)
			}
		}
		if right < least {
			return fmt.Sprintf("It finds the length of %s; at least %d are required.%s", nouns.Count(right, "curve"), least, missed)
		}
		return ""
	}
	t.test("at least 16 of 20 hidden curves of 25 points", func() string {
		return share(20, 16, 100, func(int) float64 { return 1 })
	})
	t.test("at least 8 of 10 hidden curves drawn on other scales", func() string {
		return share(10, 8, 200, func(k int) float64 { return []float64{0.3, 3}[k%2] })
	})
}

// measured returns 25 measurements of a hidden curve, sorted by x. The places x lie in an interval
// of the given width.
func measured(seed uint64, length, width float64) (x, y []float64) {
	curve, r := recipes.Curve(seed), rand.New(rand.NewPCG(seed, 17))
	for range 25 {
		x = append(x, width*r.Float64())
	}
	slices.Sort(x)
	for _, v := range x {
		y = append(y, curve(v/length)+Noise*r.NormFloat64())
	}
	return x, y
}
