package regions_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/regions"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// graphOf returns a graph of n samples in groups of `part` consecutive samples. It links each
// sample to a few samples of its group.
func graphOf(t *testing.T, n, part, links int) *sparse.CSR {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var entries []sparse.Triplet
	for i := range n {
		first := i / part * part
		size := min(part, n-first)
		for k := range links {
			j := first + rng.IntN(size)
			if k == 0 {
				j = first + (i-first+1)%size
			}
			if j != i {
				v := 0.5 + rng.Float64()
				entries = append(entries, sparse.Triplet{Row: i, Col: j, Value: v}, sparse.Triplet{Row: j, Col: i, Value: v})
			}
		}
	}
	w, err := sparse.FromTriplets(n, n, entries)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestRegions(t *testing.T) {
	const n, part = 12_000, 600
	w := graphOf(t, n, part, 3)
	r, err := regions.Grow(w)
	if err != nil || r == nil {
		t.Fatalf("no regions: %v", err)
	}
	if r.Count() < n/100 || r.Count() > n/10 {
		t.Errorf("%d regions of %d samples", r.Count(), n)
	}
	m, err := r.Condense(w)
	if err != nil {
		t.Fatal(err)
	}
	seen := make([]int, n)
	for c := range r.Count() {
		for _, i := range r.Members(c) {
			seen[i]++
			if r.Of(int(i)) != c || int(i)/part != int(r.Members(c)[0])/part {
				t.Fatalf("sample %d is in region %d, and listed in %d, which starts with %d", i, r.Of(int(i)), c, r.Members(c)[0])
			}
		}
	}
	order := r.Order(m)
	for _, i := range order {
		seen[i]++
	}
	for i, times := range seen {
		if times != 2 {
			t.Fatalf("sample %d is in %d regions and places, want 1 of each", i, times)
		}
	}
	ordered := r.Ordered(order)
	for k, i := range order {
		if ordered.Of(k) != r.Of(i) {
			t.Fatalf("the region of sample %d changes with its place", i)
		}
	}
	// For x constant in each region, the quadratic forms of m and w are equal.
	x, y := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	cx, cy := mat.NewDense(r.Count(), 1, nil), mat.NewDense(r.Count(), 1, nil)
	for c := range r.Count() {
		cx.Set(c, 0, math.Sin(float64(c)))
		for _, i := range r.Members(c) {
			x.Set(int(i), 0, cx.At(c, 0))
		}
	}
	w.MulTo(y, x)
	m.MulTo(cy, cx)
	fine, coarse := mat.Dot(x.ColView(0), y.ColView(0)), mat.Dot(cx.ColView(0), cy.ColView(0))
	if math.Abs(fine-coarse) > 1e-9*math.Abs(fine) {
		t.Errorf("xᵀWx is %v, and %v of the regions", fine, coarse)
	}
}

// TestLevel exactly solves a system that is constant in each region, with components of one sample
// and of less than a region.
func TestLevel(t *testing.T) {
	const n = 10_500
	w := graphOf(t, n, 7, 2)
	r, err := regions.Grow(w)
	if err != nil || r == nil {
		t.Fatalf("no regions: %v", err)
	}
	m, err := r.Condense(w)
	if err != nil {
		t.Fatal(err)
	}
	degrees := w.RowSums()
	if m, err = sparse.Add(2, r.Diagonal(degrees), -1, m); err != nil { // positive definite
		t.Fatal(err)
	}
	level, err := r.Level(t.Context(), m, degrees)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 2*n)
	for i := range x {
		x[i] = math.Cos(float64(i))
	}
	sum, value := level.Solve(x, 2)
	back := mat.NewDense(r.Count(), 2, nil)
	m.MulTo(back, value)
	back.Sub(back, sum)
	if off := mat.Norm(back, 2); off > 1e-6*mat.Norm(sum, 2) {
		t.Errorf("residual %.2g of %.2g", off, mat.Norm(sum, 2))
	}
	// A Laplacian whose components are the regions condenses to zero.
	if m, err = r.Condense(w); err != nil {
		t.Fatal(err)
	}
	if m, err = sparse.Add(1, r.Diagonal(degrees), -1, m); err != nil {
		t.Fatal(err)
	}
	if _, err = r.Level(t.Context(), m, degrees); err != nil {
		t.Error(err)
	}
}

func TestFewSamplesHaveNoRegions(t *testing.T) {
	if r, err := regions.Grow(graphOf(t, 900, 30, 3)); r != nil || err != nil {
		t.Errorf("%v, %v", r, err)
	}
}

// TestFewerRegions expects fewer regions if all of them are linked with each other.
func TestFewerRegions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const n = 120_000
	many := graphOf(t, n, 200, 3)
	dense := graphOf(t, n, n, 12)
	a, err := regions.Grow(many)
	if err != nil || a == nil {
		t.Fatal(err)
	}
	b, err := regions.Grow(dense)
	if err != nil || b == nil {
		t.Fatal(err)
	}
	if b.Count() >= a.Count() {
		t.Errorf("%d regions where all are linked, %d where few are", b.Count(), a.Count())
	}
}
