package walks

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// TestBeyond adds a sample to the graph with such light edges that walks hardly ever take them: its
// share equals that of a sample beyond the graph.
func TestBeyond(t *testing.T) {
	const n, light = 40, 1e-7
	rng := rand.New(rand.NewPCG(3, 1))
	var entries, added, beyond []sparse.Triplet
	for i := range n {
		for _, j := range []int{(i + 1) % n, (i + 5) % n} {
			v := rng.Float64()
			entries = append(entries, sparse.Triplet{Row: i, Col: j, Value: v}, sparse.Triplet{Row: j, Col: i, Value: v})
		}
	}
	for _, j := range []int{6, 7, 12, 19} { // near the labels of one class
		v := rng.Float64()
		beyond = append(beyond, sparse.Triplet{Row: 0, Col: j, Value: v})
		added = append(added, sparse.Triplet{Row: n, Col: j, Value: light * v}, sparse.Triplet{Row: j, Col: n, Value: light * v})
	}
	labels := slices.Repeat([]int{-1}, n+1)
	labels[0], labels[7], labels[19], labels[33] = 0, 1, 1, 2
	opinions := func(size int, entries []sparse.Triplet) *Opinion {
		w, err := sparse.FromTriplets(size, size, entries)
		if err != nil {
			t.Fatal(err)
		}
		o, err := Opinions(t.Context(), w, labels[:size], 3, Options{Tolerance: 1e-12})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	o := opinions(n, entries)
	edges, err := sparse.FromTriplets(2, n, beyond) // the second has no edges
	if err != nil {
		t.Fatal(err)
	}
	got := o.Beyond(edges)
	whole := opinions(n+1, append(entries, added...))
	// The number of samples enters the carry: the values are close but not equal.
	want := make([]float64, 3)
	z := make([]float64, 3)
	for k, v := range whole.Share.RawRowView(n) {
		z[k] = v - whole.Prior[k]
	}
	softmax(want, z, o.Sharpness)
	if slices.Max(want) < 0.45 {
		t.Fatalf("probabilities %v have no information", want)
	}
	for k, v := range want {
		if math.Abs(got.At(0, k)-v) > 0.005 {
			t.Errorf("probabilities %v, want %v", got.RawRowView(0), want)
		}
		if math.Abs(got.At(1, k)-1.0/3) > 1e-15 {
			t.Errorf("without edges %v", got.RawRowView(1))
		}
	}
}
