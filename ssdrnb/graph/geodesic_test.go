package graph_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// Equal samples have equal distances to every other sample, to the last bit, so that ties among
// them are broken by index and not by rounding.
func TestGeodesicsOfEqualSamplesAreEqual(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 21))
	const n, d = 90, 4
	for round := range 5 {
		x := mat.NewDense(n, d, nil)
		for i := range n {
			from := rng.IntN(n)
			for k := range d {
				x.Set(i, k, rng.NormFloat64())
			}
			if i > 20 && from < i && i%2 == round%2 {
				x.SetRow(i, x.RawRowView(from))
			}
		}
		nb, err := graph.Search(ctx, x, 6, graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			t.Fatal(err)
		}
		g, err := nb.Lengths(graph.Or)
		if err != nil {
			t.Fatal(err)
		}
		if g, _, err = graph.Connect(ctx, x, g); err != nil {
			t.Fatal(err)
		}
		got, unreachable, err := graph.Geodesics(ctx, g)
		if err != nil || unreachable != 0 {
			t.Fatal(unreachable, err)
		}
		raw := got.RawSymmetric()
		twins := 0
		for a := range n {
			for b := range a {
				if raw.Data[a*n+b] != raw.Data[b*n+a] {
					t.Fatalf("d(%d, %d) = %v but d(%d, %d) = %v", a, b, raw.Data[a*n+b], b, a, raw.Data[b*n+a])
				}
				if got.At(a, b) > 0 || !slices.Equal(x.RawRowView(a), x.RawRowView(b)) {
					continue
				}
				twins++
				for k := range n {
					if got.At(a, k) != got.At(b, k) {
						t.Fatalf("samples %d and %d are equal but at %v and %v from %d", a, b, got.At(a, k), got.At(b, k), k)
					}
				}
			}
		}
		if twins == 0 {
			t.Fatal("no equal samples were drawn")
		}
		for a, row := range floyd(g) {
			for b, want := range row {
				if math.Abs(got.At(a, b)-want) > 1e-12*want {
					t.Fatalf("%d–%d: %v, want %v", a, b, got.At(a, b), want)
				}
			}
		}
	}
}

// Pairs without a path are counted individually even if samples are equal.
func TestGeodesicsCountUnreachablePairsOfEqualSamples(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{0, 0, 5, 0, 5, 5})
	nb, err := graph.Search(ctx, x, 2, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	g, err := nb.Lengths(graph.Or)
	if err != nil {
		t.Fatal(err)
	}
	if _, unreachable, err := graph.Geodesics(ctx, g); err != nil || unreachable != 9 {
		t.Errorf("%d unreachable pairs, want 9; %v", unreachable, err)
	}
}
