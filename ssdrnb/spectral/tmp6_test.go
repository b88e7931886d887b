package spectral_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb/spectral"
)

func TestTmpStrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for _, n := range []int{10000, 70000} {
		var edges []edge
		for i := range n {
			for _, s := range []int{1, 2, 150, 151, 152} {
				if i+s < n {
					edges = append(edges, edge{i, i + s, 0.5 + rng.Float64()})
				}
			}
		}
		w, _ := weighted(n, edges)
		t0, c := time.Now(), cpu()
		p, err := spectral.LaplacianBottom(ctx, w, 10, spectral.Normalized, spectral.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(time.Since(t0), cpu()-c, p.Values, p.Residuals[9], p.Work)
	}
}
