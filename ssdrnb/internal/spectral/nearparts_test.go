package spectral_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// In a nearly disconnected graph the vectors of its parts dominate all others in the inverse of the
// matrix. All are still found, as accurately as by a decomposition of the dense matrix.
func TestNearlyInParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	const n = 500
	for _, bridge := range []float64{1e-4, 1e-9, 1e-13, 1e-20, 1e-200} {
		for _, small := range [][]int{{2}, {6}, {4, 7, 30}} { // sizes of the small parts
			t.Run(fmt.Sprintf("%g %v", bridge, small), func(t *testing.T) {
				var edges []edge
				part := func(lo, hi int) {
					for i := lo; i < hi; i++ {
						for s := 1; s <= 5; s++ {
							if i+s < hi {
								edges = append(edges, edge{i, i + s, 0.2 + rng.Float64()})
							}
						}
					}
				}
				at := 0
				for _, size := range small {
					part(at, at+size)
					edges = append(edges, edge{at, n - 1 - at, bridge}, edge{at + size - 1, n / 2, bridge})
					at += size
				}
				part(at, n)
				w, err := weighted(n, edges)
				if err != nil {
					t.Fatal(err)
				}
				d := len(small) + 2
				for _, form := range []spectral.LaplacianForm{spectral.Plain, spectral.Normalized} {
					p, err := spectral.LaplacianBottom(ctx, w, d, form, spectral.Options{Tolerance: 1e-12, Method: spectral.ShiftInvert})
					if err != nil {
						t.Fatal(err)
					}
					l, degrees := mat.NewSymDense(n, nil), w.RowSums()
					for i := range n {
						cols, vals := w.Row(i)
						l.SetSym(i, i, degrees[i])
						for k, j := range cols {
							l.SetSym(i, int(j), -vals[k])
						}
						for j := range n {
							if form == spectral.Normalized && j <= i {
								l.SetSym(i, j, l.At(i, j)/math.Sqrt(degrees[i]*degrees[j]))
							}
						}
					}
					want, err := spectral.Bottom(l, d+1)
					if err != nil {
						t.Fatal(err)
					}
					norm := mat.Norm(l, 2)
					for k, v := range p.Values {
						if math.Abs(v-want.Values[k+1]) > 1e-11*norm {
							t.Errorf("form %d: eigenvalue %d is %g, dense %g", form, k, v, want.Values[k+1])
						}
					}
					var g mat.Dense
					g.Mul(p.Vectors.T(), p.Vectors)
					for a := range d {
						for b := range d {
							want := 0.0
							if a == b {
								want = 1
							}
							if math.Abs(g.At(a, b)-want) > 1e-10 {
								t.Errorf("form %d: inner product of vectors %d and %d is %g", form, a, b, g.At(a, b))
							}
						}
					}
				}
			})
		}
	}
}
