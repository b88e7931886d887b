package community

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
)

// The fuzzy graph of 20,000 samples in ten overlapping islands.
func BenchmarkLeiden(b *testing.B) {
	const n, d = 20_000, 10
	rng := rand.New(rand.NewPCG(5, 1))
	x, centres := mat.NewDense(n, d, nil), mat.NewDense(10, d, nil)
	for k := range centres.RawMatrix().Data {
		centres.RawMatrix().Data[k] = 1.5 * rng.NormFloat64()
	}
	for i := range n {
		for k, c := range centres.RawRowView(i % 10) {
			x.Set(i, k, c+rng.NormFloat64())
		}
	}
	nb, err := graph.Search(b.Context(), x, 14, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		b.Fatal(err)
	}
	f, err := embed.Fuzzy(nb, embed.PlainFuzzy)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		found, err := Leiden(b.Context(), f.W, 1)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(found.Modularity, "modularity")
	}
}
