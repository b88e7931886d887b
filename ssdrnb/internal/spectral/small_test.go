package spectral_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// pathValue returns eigenvalue k of the Laplacian of a path of m samples with edges of weight 1.
func pathValue(k, m int) float64 { return 2 - 2*math.Cos(math.Pi*float64(k)/float64(m)) }

// TestFewDimensionsBesideNull: isolated samples and a path of m samples, whose Laplacian leaves
// m − 1 dimensions beside its null space, fewer and more than a basis has columns.
func TestFewDimensionsBesideNull(t *testing.T) {
	const n = 300
	for _, m := range []int{2, 3, 4, 5, 9, 13, 64, 76, 88, 100} {
		w, err := weighted(n, pathEdges(m))
		if err != nil {
			t.Fatal(err)
		}
		laplacian, err := sparse.Add(1, sparse.Diagonal(w.RowSums()), -1, w)
		if err != nil {
			t.Fatal(err)
		}
		a, err := spectral.Sparse(laplacian)
		if err != nil {
			t.Fatal(err)
		}
		count, of := graph.Components(w)
		null, err := spectral.Components(count, of, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, method := range methods {
			for _, d := range []int{1, 2, 3, m - 1} {
				if d > m-1 {
					continue
				}
				what := fmt.Sprintf("%s, path of %d, d = %d", name, m, d)
				p, err := spectral.BottomOf(ctx, a, d, spectral.Options{Null: null, Method: method})
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				var product, gram mat.Dense
				product.CloneFrom(p.Vectors)
				laplacian.MulTo(&product, p.Vectors)
				gram.Mul(p.Vectors.T(), &product)
				values := make([]float64, d)
				for k := range values {
					values[k] = pathValue(k+1, m)
					if !(math.Abs(p.Values[k]-values[k]) <= 1e-9) {
						t.Errorf("%s: eigenvalue %d is %g, want %g", what, k, p.Values[k], values[k])
					}
				}
				if !mat.EqualApprox(&gram, mat.NewDiagDense(d, values), 1e-9) {
					t.Errorf("%s: the vectors are not the eigenvectors", what)
				}
				gap := math.Inf(1)
				if d < m-1 {
					gap = pathValue(d+1, m) - pathValue(d, m)
				}
				if p.Gap != gap && !(math.Abs(p.Gap-gap) <= 1e-2*gap) {
					t.Errorf("%s: gap %g, want %g", what, p.Gap, gap)
				}
			}
		}
	}
}

// TestManyPairs asks for so many pairs that the basis of an iteration would fill the space.
func TestManyPairs(t *testing.T) {
	for _, c := range [][2]int{{264, 65}, {300, 60}, {300, 74}, {360, 70}} {
		n, d := c[0], c[1]
		w, err := weighted(n, pathEdges(n))
		if err != nil {
			t.Fatal(err)
		}
		for name, method := range methods {
			p, err := spectral.LaplacianBottom(ctx, w, d, spectral.Plain, spectral.Options{Method: method})
			if err != nil {
				t.Errorf("%s, %d of %d: %v", name, d, n, err)
				continue
			}
			if gap := pathValue(d+1, n) - pathValue(d, n); !(math.Abs(p.Values[d-1]-pathValue(d, n)) <= 1e-9) || !(math.Abs(p.Gap-gap) <= 1e-2*gap) {
				t.Errorf("%s, %d of %d: the last eigenvalue is %g, want %g; gap %g, want %g", name, d, n, p.Values[d-1], pathValue(d, n), p.Gap, gap)
			}
		}
	}
}

// TestMultiplesOfIdentity: every vector is an eigenvector, also of the zero matrix.
func TestMultiplesOfIdentity(t *testing.T) {
	for _, n := range []int{10, 300} {
		for _, v := range []float64{0, 1, -2} {
			a, err := spectral.Sparse(sparse.Diagonal(slices.Repeat([]float64{v}, n)))
			if err != nil {
				t.Fatal(err)
			}
			for name, method := range methods {
				p, err := spectral.BottomOf(ctx, a, 2, spectral.Options{Method: method})
				if err != nil {
					t.Errorf("%s, n = %d, %g·I: %v", name, n, v, err)
				} else if math.Abs(p.Values[0]-v) > 1e-12 || math.Abs(p.Values[1]-v) > 1e-12 || math.Abs(mat.Norm(p.Vectors, 2)-math.Sqrt2) > 1e-12 {
					t.Errorf("%s, n = %d, %g·I: eigenvalues %v, vectors of norm %g", name, n, v, p.Values, mat.Norm(p.Vectors, 2))
				}
			}
		}
	}
}

// TestScaledOperators: if an operator is multiplied by a number, however small or large, its
// eigenvalues are too, and its eigenvectors stay.
func TestScaledOperators(t *testing.T) {
	for _, n := range []int{50, 300} {
		one, err := weighted(n, pathEdges(n))
		if err != nil {
			t.Fatal(err)
		}
		for name, method := range methods {
			want, err := spectral.LaplacianBottom(ctx, one, 3, spectral.Plain, spectral.Options{Method: method})
			if err != nil {
				t.Fatal(err)
			}
			for _, scale := range []float64{1e-300, 1e-200, 1e-160, 1e-100, 1e-20, 1e-14, 1e-8, 1e-3, 1e10, 1e100, 1e160, 1e300} {
				what := fmt.Sprintf("%s, n = %d, weights %g", name, n, scale)
				p, err := spectral.LaplacianBottom(ctx, one.Scale(scale), 3, spectral.Plain, spectral.Options{Method: method})
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				for k, v := range p.Values {
					if !(math.Abs(v/scale-want.Values[k]) <= 1e-12) || !(p.Residuals[k] <= 1e-9*scale) {
						t.Errorf("%s: eigenvalue %d is %g, want %g; residual %g", what, k, v, scale*want.Values[k], p.Residuals[k])
					}
				}
				if !(math.Abs(p.Gap/scale-want.Gap) <= 1e-2*want.Gap) {
					t.Errorf("%s: gap %g, want %g", what, p.Gap, scale*want.Gap)
				}
				if !mat.EqualApprox(p.Vectors, want.Vectors, 1e-5) {
					t.Errorf("%s: the eigenvectors differ", what)
				}
				// The largest eigenvalues of an operator without entries.
				top, err := spectral.TopOf(ctx, spectral.Func(n, func(dst, x *mat.Dense) {
					for i := range n {
						for j := range x.RawRowView(i) {
							dst.Set(i, j, scale*float64(i+1)*x.At(i, j))
						}
					}
				}), 2, spectral.Options{})
				if err != nil {
					t.Errorf("%s: %v", what, err)
				} else if math.Abs(top.Values[1]/scale-float64(n-1)) > 1e-8 || !(math.Abs(top.Gap/scale-1) <= 1e-2) {
					t.Errorf("%s: the second largest eigenvalue is %g, want %g; gap %g", what, top.Values[1], scale*float64(n-1), top.Gap)
				}
			}
		}
	}
}
