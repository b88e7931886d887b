package spectral_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// reconstructing returns I − W for points on a line, each written as a mean of its neighbours with
// weights that reproduce its position. Constants and positions are null vectors, and the next
// eigenvalues of (I−W)ᵀ(I−W) are of order 1/n⁴.
func reconstructing(rng *rand.Rand, n int) *sparse.CSR {
	var list []sparse.Triplet
	for i := range n {
		put := func(j int, w float64) { list = append(list, sparse.Triplet{Row: i, Col: j, Value: -w}) }
		list = append(list, sparse.Triplet{Row: i, Col: i, Value: 1})
		near := 0.1 + 0.3*rng.Float64()
		switch {
		case i < 2: // 2·next − the one after
			put(i+1, 2)
			put(i+2, -1)
		case i >= n-2:
			put(i-1, 2)
			put(i-2, -1)
		default:
			put(i-2, 0.5-near)
			put(i-1, near)
			put(i+1, near)
			put(i+2, 0.5-near)
		}
	}
	m, err := sparse.FromTriplets(n, n, list)
	if err != nil {
		panic(err)
	}
	return m
}

// sine returns the sine of the largest angle between two column spaces with
// orthonormal columns.
func sine(a, b *mat.Dense) float64 {
	var c, part mat.Dense
	c.Mul(a.T(), b)
	part.Mul(a, &c)
	part.Sub(b, &part)
	return mat.Norm(&part, 2)
}

func TestAlignmentMatrix(t *testing.T) {
	const n, d = 300, 3
	m := reconstructing(rand.New(rand.NewPCG(9, 1)), n)
	full := m.Dense()
	var g mat.Dense
	g.Mul(full.T(), full)
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, g.At(i, j))
		}
	}
	want, err := spectral.Bottom(a, d+1)
	if err != nil {
		t.Fatal(err)
	}
	p, err := spectral.BottomOf(ctx, spectral.Gram(m), d, spectral.Options{Null: spectral.Constant(n)})
	if err != nil {
		t.Fatal(err)
	}
	norm := mat.Norm(a, 2)
	t.Logf("smallest eigenvalues %.3g of a norm of %.3g", p.Values, norm)
	for k, v := range p.Values {
		if math.Abs(v-want.Values[k+1]) > 1e-14*norm {
			t.Errorf("eigenvalue %d is %g, dense %g", k, v, want.Values[k+1])
		}
	}
	// The constant vector and these are the d+1 smallest.
	all := mat.NewDense(n, d+1, nil)
	for i := range n {
		all.Set(i, 0, 1/math.Sqrt(n))
		for j := range d {
			all.Set(i, j+1, p.Vectors.At(i, j))
		}
	}
	if s := sine(want.Vectors, all); s > 1e-6 {
		t.Errorf("the subspaces differ by an angle of %g", s)
	}
	if ratio := p.Values[d-1] / norm; ratio > 3e-8 {
		t.Errorf("not much of a test: the largest is %g of the norm", ratio)
	}
	if p.Work.Method != "shift-invert" {
		t.Errorf("the eigenpairs were computed with %s instead of shift-invert", p.Work.Method)
	}
	// Without a hint of the constant vector, it comes first.
	blind, err := spectral.BottomOf(ctx, spectral.Gram(m), d+1, spectral.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := sine(want.Vectors, blind.Vectors); s > 1e-6 {
		t.Errorf("without the null vector, the subspaces differ by an angle of %g", s)
	}
}

func BenchmarkSolvers(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 7))
	strip := func(n int) *sparse.CSR {
		var edges []edge
		for i := range n {
			for _, s := range []int{1, 2, 150, 151, 152} {
				if i+s < n {
					edges = append(edges, edge{i, i + s, 0.5 + rng.Float64()})
				}
			}
		}
		w, err := weighted(n, edges)
		if err != nil {
			b.Fatal(err)
		}
		return w
	}
	for _, c := range []struct {
		name string
		w    *sparse.CSR
	}{{"strip 10000", strip(10000)}, {"strip 70000", strip(70000)}, {"expander 10000", graphOf(rng, 10000, 1, 70000, true)}} {
		b.Run("Laplacian "+c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := spectral.LaplacianBottom(ctx, c.w, 10, spectral.Normalized, spectral.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	m := reconstructing(rng, 10000)
	b.Run("alignment 10000", func(b *testing.B) {
		for b.Loop() {
			if _, err := spectral.BottomOf(ctx, spectral.Gram(m), 2, spectral.Options{Null: spectral.Constant(m.Rows)}); err != nil {
				b.Fatal(err)
			}
		}
	})
	numerator, denominator, groups := tied(5000, 50, 1e-3)
	b.Run("trace ratio 5000", func(b *testing.B) {
		for b.Loop() {
			if _, err := spectral.TraceRatioOf(ctx, spectral.Func(5000, numerator.MulTo), spectral.Func(5000, denominator.MulTo), groups, 2, spectral.OperatorTraceRatioOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	dense := mat.NewSymDense(1024, nil)
	for i := range 1024 {
		for j := i; j < 1024; j++ {
			dense.SetSym(i, j, rng.NormFloat64())
		}
	}
	b.Run("dense top 10 of 1024", func(b *testing.B) {
		for b.Loop() {
			if _, err := spectral.Top(dense, 10); err != nil {
				b.Fatal(err)
			}
		}
	})
}
