package spectral_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

func ExampleLaplacianBottom() {
	// A path of 1000 samples: τ_k = 2 − 2cos(kπ/n).
	w, _ := weighted(1000, pathEdges(1000))
	p, err := spectral.LaplacianBottom(context.Background(), w, 2, spectral.Plain, spectral.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4e %.4e, %d component\n", p.Values[0], p.Values[1], p.Null)
	// Output: 9.8696e-06 3.9478e-05, 1 component
}

// edge is an undirected edge.
type edge struct {
	i, j   int
	weight float64
}

func pathEdges(n int) []edge {
	list := make([]edge, n-1)
	for i := range list {
		list[i] = edge{i, i + 1, 1}
	}
	return list
}

// weighted returns the symmetric affinity with these edges.
func weighted(n int, edges []edge) (*sparse.CSR, error) {
	var list []sparse.Triplet
	for _, e := range edges {
		list = append(list, sparse.Triplet{Row: e.i, Col: e.j, Value: e.weight}, sparse.Triplet{Row: e.j, Col: e.i, Value: e.weight})
	}
	return sparse.FromTriplets(n, n, list)
}

// methods are the solvers tried on every closed form.
var methods = map[string]spectral.Method{"auto": spectral.Auto, "Chebyshev": spectral.Chebyshev, "shift-invert": spectral.ShiftInvert}

// closedForms are graphs with known spectra.
func closedForms() []struct {
	name   string
	w      *sparse.CSR
	values func(form spectral.LaplacianForm) []float64 // ascending, without 0; nil if unknown
} {
	must := func(w *sparse.CSR, err error) *sparse.CSR {
		if err != nil {
			panic(err)
		}
		return w
	}
	const n = 600
	cycle := append(pathEdges(n), edge{0, n - 1, 1})
	var star, grid []edge
	for i := 1; i < n; i++ {
		star = append(star, edge{0, i, 1})
	}
	const side = 24 // a square grid: every eigenvalue k ≠ l is double
	for i := range side {
		for j := range side {
			if i+1 < side {
				grid = append(grid, edge{i*side + j, (i+1)*side + j, 1})
			}
			if j+1 < side {
				grid = append(grid, edge{i*side + j, i*side + j + 1, 1})
			}
		}
	}
	rises := func(count int, f func(k int) float64) []float64 {
		v := make([]float64, count)
		for k := range v {
			v[k] = f(k)
		}
		slices.Sort(v)
		return v[1:]
	}
	path := func(k, n int) float64 { return 2 - 2*math.Cos(math.Pi*float64(k)/float64(n)) }
	return []struct {
		name   string
		w      *sparse.CSR
		values func(form spectral.LaplacianForm) []float64
	}{
		{"path", must(weighted(n, pathEdges(n))), func(form spectral.LaplacianForm) []float64 {
			if form != spectral.Plain {
				return rises(n, func(k int) float64 { return 1 - math.Cos(math.Pi*float64(k)/float64(n-1)) })
			}
			return rises(n, func(k int) float64 { return path(k, n) })
		}},
		{"cycle", must(weighted(n, cycle)), func(form spectral.LaplacianForm) []float64 {
			f := 2.0
			if form != spectral.Plain {
				f = 1
			}
			return rises(n, func(k int) float64 { return f * (1 - math.Cos(2*math.Pi*float64(k)/float64(n))) })
		}},
		{"star", must(weighted(n, star)), func(form spectral.LaplacianForm) []float64 {
			return rises(n, func(k int) float64 { // 0, 1 (n−2 times), n or 2
				switch {
				case k == 0:
					return 0
				case k == n-1 && form == spectral.Plain:
					return n
				case k == n-1:
					return 2
				}
				return 1
			})
		}},
		{"grid", must(weighted(side*side, grid)), func(form spectral.LaplacianForm) []float64 {
			if form != spectral.Plain {
				return nil
			}
			return rises(side*side, func(k int) float64 { return path(k/side, side) + path(k%side, side) })
		}},
	}
}

func TestClosedForms(t *testing.T) {
	for _, c := range closedForms() {
		for name, method := range methods {
			for _, form := range []spectral.LaplacianForm{spectral.Plain, spectral.Normalized, spectral.RandomWalk} {
				want := c.values(form)
				if want == nil {
					continue
				}
				for _, d := range []int{1, 6, 13} {
					p, err := spectral.LaplacianBottom(ctx, c.w, d, form, spectral.Options{Method: method})
					if err != nil {
						t.Errorf("%s, %s, form %d, d = %d: %v", c.name, name, form, d, err)
						continue
					}
					for k, v := range p.Values {
						if math.Abs(v-want[k]) > 1e-9 {
							t.Errorf("%s, %s, form %d, d = %d: eigenvalue %d is %.12g, want %.12g", c.name, name, form, d, k, v, want[k])
						}
					}
					if gap := want[d] - want[d-1]; math.Abs(p.Gap-gap) > 1e-3*gap+1e-6 {
						t.Errorf("%s, %s, form %d, d = %d: gap %g, want %g", c.name, name, form, d, p.Gap, gap)
					}
					checkLaplacian(t, c.name+" "+name, c.w, form, p)
				}
			}
		}
	}
}

// checkLaplacian checks residuals, orthogonality and signs from the definition.
func checkLaplacian(t *testing.T, name string, w *sparse.CSR, form spectral.LaplacianForm, p *spectral.Pairs) {
	t.Helper()
	n, d := p.Vectors.Dims()
	degrees := w.RowSums()
	largest := slices.Max(degrees)
	u := mat.DenseCopyOf(p.Vectors)
	right := slices.Repeat([]float64{1}, n)
	scale := 2 * largest
	for i, v := range degrees {
		if v == 0 {
			v = 1
		}
		switch form {
		case spectral.Normalized: // u = D^(−½)·v
			for j := range d {
				u.Set(i, j, u.At(i, j)/math.Sqrt(v))
			}
			right[i] = v
		case spectral.RandomWalk:
			right[i] = v
		}
	}
	wu := mat.NewDense(n, d, nil)
	w.MulTo(wu, u)
	for j := range d {
		residual, size := 0.0, 0.0
		for i := range n {
			r := degrees[i]*u.At(i, j) - wu.At(i, j) - p.Values[j]*right[i]*u.At(i, j)
			residual = math.Hypot(residual, r)
			size = math.Hypot(size, u.At(i, j))
		}
		if residual > 1e-9*scale*size {
			t.Errorf("%s: residual %d is %g, the scale %g", name, j, residual, scale*size)
		}
		for k := range d {
			g := 0.0
			for i := range n {
				g += u.At(i, j) * right[i] * u.At(i, k)
			}
			if k == j {
				g--
			}
			if math.Abs(g) > 1e-9 {
				t.Errorf("%s: vectors %d and %d are off orthonormal by %g", name, j, k, g)
			}
		}
		best := 0.0
		for i := range n {
			if v := p.Vectors.At(i, j); math.Abs(v) > math.Abs(best)*(1+1e-9) {
				best = v
			}
		}
		if best < 0 {
			t.Errorf("%s: the sign of vector %d is not fixed", name, j)
		}
	}
}

func TestDisconnectedGraphs(t *testing.T) {
	// A path, a cycle, a lone edge and isolated samples.
	var edges []edge
	edges = append(edges, pathEdges(300)...)
	for i := range 250 {
		edges = append(edges, edge{300 + i, 300 + (i+1)%250, 1})
	}
	edges = append(edges, edge{550, 551, 1})
	w, err := weighted(555, edges)
	if err != nil {
		t.Fatal(err)
	}
	for name, method := range methods {
		for _, form := range []spectral.LaplacianForm{spectral.Plain, spectral.Normalized, spectral.RandomWalk} {
			for _, d := range []int{2, 5, 9} { // below, at and above the rest of the null space
				p, err := spectral.LaplacianBottom(ctx, w, d, form, spectral.Options{Method: method})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if p.Null != 6 {
					t.Errorf("%d components, want 6", p.Null)
				}
				for k, v := range p.Values {
					if (v > 1e-9) != (k >= 5) {
						t.Errorf("%s: eigenvalue %d is %g", name, k, v)
					}
				}
				if (p.Gap == 0) != (d < 5) {
					t.Errorf("%s, d = %d: gap %g", name, d, p.Gap)
				}
				checkLaplacian(t, name, w, form, p)
			}
		}
	}
	// No edge at all.
	p, err := spectral.LaplacianBottom(ctx, &sparse.CSR{Rows: 400, Cols: 400, RowPtr: make([]int, 401)}, 3, spectral.Normalized, spectral.Options{})
	if err != nil || p.Null != 400 || p.Values[2] != 0 {
		t.Errorf("no edges: %v", err)
	}
}

func TestWeightsOverTwelveOrders(t *testing.T) {
	const n = 900
	rng := rand.New(rand.NewPCG(5, 1))
	edges := pathEdges(n)
	for range 3 * n {
		i := rng.IntN(n)
		if j := i + 1 + rng.IntN(12); j < n {
			edges = append(edges, edge{i, j, 1})
		}
	}
	for k := range edges {
		edges[k].weight = math.Pow(10, -12*rng.Float64())
	}
	w, err := weighted(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	full := mat.NewSymDense(n, nil)
	degrees := w.RowSums()
	for i := range n {
		for j := i; j < n; j++ {
			v := -w.At(i, j) / math.Sqrt(degrees[i]*degrees[j])
			if i == j {
				v++
			}
			full.SetSym(i, j, v)
		}
	}
	want, err := spectral.Bottom(full, 9)
	if err != nil {
		t.Fatal(err)
	}
	p, err := spectral.LaplacianBottom(ctx, w, 8, spectral.Normalized, spectral.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range p.Values {
		if math.Abs(v-want.Values[k+1]) > 1e-12 {
			t.Errorf("eigenvalue %d is %g, dense %g", k, v, want.Values[k+1])
		}
	}
	checkLaplacian(t, "twelve orders", w, spectral.Normalized, p)
}

// graphOf returns the 0/1 affinity of random edges within, or between, groups of consecutive
// samples.
func graphOf(rng *rand.Rand, n, groups, edges int, within bool) *sparse.CSR {
	var list []sparse.Triplet
	size := (n + groups - 1) / groups
	for len(list) < 2*edges {
		i, j := rng.IntN(n), rng.IntN(n)
		if within {
			j = i/size*size + rng.IntN(size)
		}
		if i == j || j >= n || (i/size == j/size) != within {
			continue
		}
		list = append(list, sparse.Triplet{Row: i, Col: j, Value: 1}, sparse.Triplet{Row: j, Col: i, Value: 1})
	}
	m, err := sparse.FromTriplets(n, n, list)
	if err != nil {
		panic(err)
	}
	return m
}

// randomSparse returns a symmetric sparse matrix.
func randomSparse(rng *rand.Rand, n, perRow int) *sparse.CSR {
	var list []sparse.Triplet
	for i := range n {
		list = append(list, sparse.Triplet{Row: i, Col: i, Value: 4 * rng.NormFloat64()})
		for range perRow {
			j, v := rng.IntN(n), rng.NormFloat64()
			list = append(list, sparse.Triplet{Row: i, Col: j, Value: v}, sparse.Triplet{Row: j, Col: i, Value: v})
		}
	}
	m, err := sparse.FromTriplets(n, n, list)
	if err != nil {
		panic(err)
	}
	return m
}

func TestOperatorsAgainstDense(t *testing.T) {
	const n, d = 420, 7
	rng := rand.New(rand.NewPCG(6, 1))
	m := randomSparse(rng, n, 4) // indefinite
	u := mat.NewDense(n, 3, nil)
	for i := range n {
		for j := range 3 {
			u.Set(i, j, rng.NormFloat64())
		}
	}
	s := mat.NewSymDense(3, []float64{2, 1, 0, 1, -3, 0, 0, 0, 1})
	low := spectral.Func(n, func(dst, x *mat.Dense) { dst.Product(u, s, u.T(), x) })
	sp, err := spectral.Sparse(m)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]spectral.Operator{"sparse": sp, "Gram": spectral.Gram(m), "low rank": low} {
		full := mat.NewDense(n, n, nil)
		one := mat.NewDense(n, n, nil)
		for i := range n {
			one.Set(i, i, 1)
		}
		o.Apply(full, one)
		a := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				a.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
			}
		}
		norm := mat.Norm(a, 2)
		for _, side := range []struct {
			name  string
			sharp func(context.Context, spectral.Operator, int, spectral.Options) (*spectral.Pairs, error)
			dense func(*mat.SymDense, int) (*spectral.Pairs, error)
		}{{"bottom", spectral.BottomOf, spectral.Bottom}, {"top", spectral.TopOf, spectral.Top}} {
			want, err := side.dense(a, d)
			if err != nil {
				t.Fatal(err)
			}
			got, err := side.sharp(ctx, o, d, spectral.Options{})
			if err != nil {
				t.Errorf("%s of %s: %v", side.name, name, err)
				continue
			}
			for k, v := range got.Values {
				if math.Abs(v-want.Values[k]) > 1e-9*norm {
					t.Errorf("%s of %s: eigenvalue %d is %.12g, dense %.12g", side.name, name, k, v, want.Values[k])
				}
				if got.Residuals[k] > 1e-9*norm {
					t.Errorf("%s of %s: residual %g", side.name, name, got.Residuals[k])
				}
			}
			if want.Gap > 1e-3*norm && math.Abs(got.Gap-want.Gap) > 0.05*want.Gap {
				t.Errorf("%s of %s: gap %g, dense %g", side.name, name, got.Gap, want.Gap)
			}
		}
	}
}

func TestNearlyMultiple(t *testing.T) {
	// Twelve eigenvalues within 1e-9, and one alone below.
	const n = 800
	values := make([]float64, n)
	for i := range values {
		switch {
		case i == 400:
			values[i] = 0.5
		case i%67 == 3:
			values[i] = 1 + 1e-10*float64(i%11)
		default:
			values[i] = 2 + float64(i)/100
		}
	}
	diagonal, err := spectral.Sparse(sparse.Diagonal(values))
	if err != nil {
		t.Fatal(err)
	}
	for name, method := range methods {
		p, err := spectral.BottomOf(ctx, diagonal, 13, spectral.Options{Method: method})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sorted := slices.Sorted(slices.Values(values))
		for k, v := range p.Values {
			if math.Abs(v-sorted[k]) > 1e-9 {
				t.Errorf("%s: eigenvalue %d is %.12g, want %.12g", name, k, v, sorted[k])
			}
		}
	}
}

func TestIterationsEnd(t *testing.T) {
	w, err := weighted(3000, pathEdges(3000))
	if err != nil {
		t.Fatal(err)
	}
	_, err = spectral.LaplacianBottom(ctx, w, 5, spectral.Plain, spectral.Options{Method: spectral.Chebyshev, MaxProducts: 300})
	if !errors.Is(err, spectral.ErrNotConverged) {
		t.Errorf("300 products for a gap of 1e-6: got %v", err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	for name, method := range methods {
		if _, err := spectral.LaplacianBottom(stopped, w, 5, spectral.Plain, spectral.Options{Method: method}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: got %v", name, err)
		}
	}
	for _, d := range []int{0, 3000} {
		if _, err := spectral.LaplacianBottom(ctx, w, d, spectral.Plain, spectral.Options{}); !errors.Is(err, spectral.ErrOption) {
			t.Errorf("d = %d: got %v", d, err)
		}
	}
	negative := w.Scale(-1)
	if _, err := spectral.LaplacianBottom(ctx, negative, 2, spectral.Plain, spectral.Options{}); !errors.Is(err, spectral.ErrOption) {
		t.Errorf("negative weights: got %v", err)
	}
	poisoned := w.Clone()
	poisoned.Val[7] = math.NaN()
	if _, err := spectral.Sparse(poisoned); !errors.Is(err, spectral.ErrNotFinite) {
		t.Errorf("NaN: got %v", err)
	}
	// An operator that returns NaN must not give NaN silently.
	sick := spectral.Func(600, func(dst, x *mat.Dense) { dst.Scale(math.NaN(), x) })
	if _, err := spectral.BottomOf(ctx, sick, 2, spectral.Options{}); err == nil {
		t.Error("an operator of NaN: no error")
	}
}

// TestSameBitsOnAnyNumberOfProcessors runs each solver with one and with two processors.
func TestSameBitsOnAnyNumberOfProcessors(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	w := graphOf(rng, 3000, 1, 9000, true)
	var edges []edge
	for i := range 6000 {
		for _, j := range []int{i + 1, i + 77} {
			if j < 6000 {
				edges = append(edges, edge{i, j, 1 + rng.Float64()})
			}
		}
	}
	strip, err := weighted(6000, edges)
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for name, w := range map[string]*sparse.CSR{"expander": w, "strip": strip} {
		var first *spectral.Pairs
		for _, procs := range []int{1, 2, 3} {
			runtime.GOMAXPROCS(procs)
			p, err := spectral.LaplacianBottom(ctx, w, 4, spectral.Normalized, spectral.Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if first == nil {
				first = p
				continue
			}
			if !slices.Equal(p.Values, first.Values) || !slices.Equal(p.Vectors.RawMatrix().Data, first.Vectors.RawMatrix().Data) {
				t.Errorf("%s: %d processors give other bits than one", name, procs)
			}
		}
	}
}
