package walks

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
)

func TestGoldenGuidedWarning(t *testing.T) {
	type reference struct {
		Input struct {
			Weights   [][3]float64
			N         int
			Labels    []int
			Sharpness float64
			Shuffles  [][]int
		}
		Output struct {
			Kernel       [][]float64
			Said         []int
			Agreement, P float64
			Shuffled     []float64
		}
		Tolerance tolerance
	}
	golden.EachOfKind(t, "guided_warning", func(t *testing.T, g *reference) {
		in, want := g.Input, g.Output
		classes := slices.Max(in.Labels) + 1
		var rows, y []int
		for i, l := range in.Labels {
			if l >= 0 {
				rows, y = append(rows, i), append(y, l)
			}
		}
		kernel, err := Between(t.Context(), Sharpened(golden.Symmetric(t, in.N, in.Weights), in.Sharpness), rows, carryOf(in.Labels), 1e-15)
		if err != nil {
			t.Fatal(err)
		}
		g.Tolerance.nearRows(t, "kernel", kernel, want.Kernel)
		if said := Said(kernel, y, classes); !slices.Equal(said, want.Said) {
			t.Errorf("said %v, want %v", said, want.Said)
		}
		share := func(y []int) float64 { return float64(agreeing(Said(kernel, y, classes), y)) / float64(len(y)) }
		agreement, atLeast := share(y), 1.0
		for k, deck := range in.Shuffles {
			got := share(deck)
			if got >= agreement {
				atLeast++
			}
			if !g.Tolerance.near(got, want.Shuffled[k]) {
				t.Errorf("shuffle %d agrees in %v, want %v", k, got, want.Shuffled[k])
			}
		}
		if p := atLeast / float64(1+len(in.Shuffles)); !g.Tolerance.near(agreement, want.Agreement) || !g.Tolerance.near(p, want.P) {
			t.Errorf("agreement %v, p %v, want %v, %v", agreement, p, want.Agreement, want.P)
		}
	})
}

// Labels of two cliques predict each other; alternating labels do not, and one label per class has
// nothing to predict.
func TestCompare(t *testing.T) {
	var entries [][3]float64
	for i := range 40 {
		for j := range i {
			v := 1.0
			if i/20 != j/20 {
				v = 1e-3
			}
			entries = append(entries, [3]float64{float64(i), float64(j), v})
		}
	}
	w := golden.Symmetric(t, 40, entries)
	labels := func(class func(i int) int) []int {
		out := slices.Repeat([]int{-1}, 40)
		for _, i := range []int{0, 1, 2, 3, 4, 20, 21, 22, 23, 24} {
			out[i] = class(i)
		}
		return out
	}
	c, err := Compare(t.Context(), w, labels(func(i int) int { return i / 20 }), 2, 1)
	if err != nil || c.Labels != 10 || c.Agreement != 1 || c.P > 0.05 || c.Level > 0.8 {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err = Compare(t.Context(), w, labels(func(i int) int { return i % 2 }), 2, 1); err != nil || c.P < 0.05 {
		t.Errorf("alternating labels: %+v, %v", c, err)
	}
	single := slices.Repeat([]int{-1}, 40)
	single[3], single[30] = 0, 1
	if c, err = Compare(t.Context(), w, single, 2, 1); err != nil || c != nil {
		t.Errorf("one label per class: %+v, %v", c, err)
	}
	single[4] = 0 // one class can be checked: no shuffle changes it
	if c, err = Compare(t.Context(), w, single, 2, 1); err != nil || c != nil {
		t.Errorf("one class with two labels: %+v, %v", c, err)
	}
}

// Of many labels, an equal number per class is compared, or all labels of a class that has fewer. A
// class with a single label is left out.
func TestCompared(t *testing.T) {
	labels := make([]int, 1000)
	for i := range labels {
		labels[i] = 0
		switch {
		case i < 10:
			labels[i] = 1
		case i < 100:
			labels[i] = 2
		case i == 100:
			labels[i] = 3
		}
	}
	rows := compared(labels, 4, 50, rand.New(rand.NewPCG(1, 1)))
	var count [4]int
	for _, i := range rows {
		count[labels[i]]++
	}
	if len(rows) != 50 || !slices.IsSorted(rows) || count != [4]int{20, 10, 20, 0} {
		t.Errorf("%d rows, by class %v", len(rows), count)
	}
	if rows := compared(slices.Repeat([]int{0, 1}, 500), 2, 3, rand.New(rand.NewPCG(1, 1))); len(rows) != 3 {
		t.Errorf("%d rows", len(rows))
	}
}
