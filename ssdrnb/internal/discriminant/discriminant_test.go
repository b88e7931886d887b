package discriminant_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/mattest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

var (
	labels  = []int{0, 0, 2, data.Unlabelled, 2, 2, 0, data.Unlabelled, 5}
	classes = []int{0, 2, 5}
)

// path is the graph of n samples in a row, with weight 1 between neighbours.
func path(t *testing.T, n int) *sparse.CSR {
	t.Helper()
	var entries []sparse.Triplet
	for i := 1; i < n; i++ {
		entries = append(entries, sparse.Triplet{Row: i, Col: i - 1, Value: 1}, sparse.Triplet{Row: i - 1, Col: i, Value: 1})
	}
	w, err := sparse.FromTriplets(n, n, entries)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// about adds Σ (z_i − c)(z_i − c)ᵀ over the rows.
func about(out *mat.SymDense, z *mat.Dense, rows []int, c *mat.VecDense) {
	for _, i := range rows {
		var d mat.VecDense
		d.SubVec(z.RowView(i), c)
		out.SymRankOne(out, 1, &d)
	}
}

func meanOf(z *mat.Dense, rows []int) *mat.VecDense {
	_, r := z.Dims()
	mean := mat.NewVecDense(r, nil)
	for _, i := range rows {
		mean.AddScaledVec(mean, 1/float64(len(rows)), z.RowView(i))
	}
	return mean
}

// members returns the rows of the given classes.
func members(of ...int) (rows []int) {
	for i, l := range labels {
		if slices.Contains(of, l) {
			rows = append(rows, i)
		}
	}
	return rows
}

// S_w and S_b agree with their definitions, S_t is their sum, and neither unlabelled rows nor the
// origin have an effect.
func TestScatter(t *testing.T) {
	z := mattest.Gaussian(9, 3)
	s := discriminant.NewScatter(z, labels, classes)
	within, total := mat.NewSymDense(3, nil), mat.NewSymDense(3, nil)
	for _, c := range classes {
		about(within, z, members(c), meanOf(z, members(c)))
	}
	all := members(classes...)
	about(total, z, all, meanOf(z, all))
	mattest.Near(t, "S_w", s.Within, within, 1e-12)
	mattest.Near(t, "S_t", s.Total(), total, 1e-12)
	mattest.Near(t, "S_b of the centres", mattest.Product(s.Centers.T(), s.Centers), s.Between, 1e-12)
	if l := discriminant.LevelsOf(z, labels, classes); math.Abs(l.Within-mat.Trace(within)) > 1e-12 || math.Abs(l.Between+l.Within-mat.Trace(total)) > 1e-12 {
		t.Errorf("levels %+v, want %v within and %v in all", l, mat.Trace(within), mat.Trace(total))
	}
	moved := mat.DenseCopyOf(z)
	dense.AddRow(moved, []float64{100, -50, 3})
	for i, l := range labels {
		if l == data.Unlabelled {
			moved.SetRow(i, []float64{1e6, 1e6, -1e6})
		}
	}
	m := discriminant.NewScatter(moved, labels, classes)
	mattest.Near(t, "S_w of samples that moved", m.Within, s.Within, 1e-9)
	mattest.Near(t, "S_b of samples that moved", m.Between, s.Between, 1e-9)
	if s.Collapsed() {
		t.Error("classes of several samples are points")
	}
	points := mat.NewDense(9, 1, []float64{1, 1, 4, 7, 4, 4, 1, 8, 6})
	if p := discriminant.NewScatter(points, labels, classes); !p.Collapsed() {
		t.Errorf("classes of equal samples are no points: S_w = %v", p.Within)
	}
}

// SameClass agrees with the product zᵀWz for an explicit matrix W.
func TestSameClass(t *testing.T) {
	z := mattest.Gaussian(9, 2)
	w := mat.NewDense(9, 9, nil)
	for i, a := range labels {
		for j, b := range labels {
			if i != j && a == b && a != data.Unlabelled {
				w.Set(i, j, 1)
			}
		}
	}
	links, degrees := discriminant.SameClass(z, labels, classes)
	mattest.Near(t, "zᵀWz", links, mattest.Product(z.T(), mattest.Product(w, z)), 1e-12)
	for i, d := range degrees {
		if want := mat.Sum(w.RowView(i)); d != want {
			t.Errorf("degree %v of sample %d, want %v", d, i, want)
		}
	}
}

// Each edge is in exactly one of the graphs, depending on the labels of its ends.
func TestMarginGraphs(t *testing.T) {
	between, open, err := discriminant.MarginGraphs(path(t, 9), labels)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		b, o := 0.0, 0.0
		switch l, r := labels[i], labels[i+1]; {
		case l == data.Unlabelled || r == data.Unlabelled:
			o = 1
		case l != r:
			b = 1
		}
		if between.At(i, i+1) != b || between.At(i+1, i) != b || open.At(i, i+1) != o || open.At(i+1, i) != o {
			t.Errorf("the edge of samples %d and %d is wrong", i, i+1)
		}
	}
}

// Class codes are orthogonal to the constant vector, and equal within a class.
func TestCoded(t *testing.T) {
	x, y := discriminant.Coded(mattest.Gaussian(9, 2), labels, classes)
	ones := mat.NewDense(1, 7, []float64{1, 1, 1, 1, 1, 1, 1})
	mattest.Near(t, "sums of samples", mattest.Product(ones, x), mat.NewDense(1, 2, nil), 1e-14)
	mattest.Near(t, "sums of codes", mattest.Product(ones, y), mat.NewDense(1, 2, nil), 1e-14)
	var known []int
	for _, l := range labels {
		if l != data.Unlabelled {
			known = append(known, l)
		}
	}
	for a := range known {
		for b := range known {
			if same := mat.Equal(y.RowView(a), y.RowView(b)); same != (known[a] == known[b]) {
				t.Errorf("codes of classes %d and %d are equal: %v", known[a], known[b], same)
			}
		}
	}
}

// The resolvent solves (A + tI)x = b, by the spectrum and by factors.
func TestResolvent(t *testing.T) {
	for _, n := range []int{40, discriminant.SpectralSamples + 1} {
		l, z := graph.Laplacian(path(t, n)), mattest.Gaussian(n, 2)
		r, err := discriminant.NewResolvent(l, z)
		if err != nil {
			t.Fatal(err)
		}
		for _, shift := range []float64{1e-3, 1, 1e3} {
			x, err := r.Solve(t.Context(), shift, z)
			if err != nil {
				t.Fatal(err)
			}
			back := mat.NewDense(n, 2, nil)
			l.MulTo(back, x)
			var scaled mat.Dense
			scaled.Scale(shift, x)
			back.Add(back, &scaled)
			mattest.Near(t, "(A + tI)x", back, z, 1e-9)
			filtered, err := r.Filtered(t.Context(), shift)
			if err != nil {
				t.Fatal(err)
			}
			lx := mat.NewDense(n, 2, nil)
			l.MulTo(lx, x)
			mattest.Near(t, "zᵀA(A + tI)⁻¹z", filtered, mattest.Product(z.T(), lx), 1e-9*max(1, mat.Norm(filtered, 2)))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := r.Solve(ctx, 2, z); n > discriminant.SpectralSamples && err == nil {
			t.Error("a cancelled solution has no error")
		}
	}
}

// For samples on a line, the tree joins adjacent samples, and the similarity along a path is that
// of its longest gap.
func TestRobustTree(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 1, 3, 3.5})
	tree, err := discriminant.RobustTree(t.Context(), x, make([]float64, 4), 2)
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range [][]float64{{1, 0.5, 2, 2}, {0.5, 1, 2, 2}, {2, 2, 1, 0.25}, {2, 2, 0.25, 1}} {
		for i, s := range discriminant.PathSimilarities(tree, source) {
			gap := map[float64]float64{1: 0, 0.5: 1, 2: 4, 0.25: 0.25}[want[i]] // squared
			if math.Abs(s-math.Exp(-gap/2)) > 1e-15 {
				t.Errorf("similarity %v of samples %d and %d, want %v", s, source, i, math.Exp(-gap/2))
			}
		}
	}
	// The expanded scatter agrees with its definition.
	some, two := []int{0, data.Unlabelled, 1, data.Unlabelled}, []int{0, 1}
	want := mat.NewSymDense(1, nil)
	for _, class := range []struct{ row int }{{0}, {2}} {
		s := discriminant.PathSimilarities(tree, class.row)
		for _, u := range []int{1, 3} {
			d := x.At(u, 0) - x.At(class.row, 0)
			want.SetSym(0, 0, want.At(0, 0)+s[u]*d*d)
		}
	}
	mattest.Near(t, "scatter of the unlabelled", discriminant.UnlabelledScatter(x, some, two, tree), want, 1e-12)
	nb, err := graph.Search(t.Context(), x, 2, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	logs := discriminant.Robustness(nb, 2)
	best := 0.0
	for i := range logs {
		if logs[i] > 0 {
			t.Errorf("robustness %v", logs[i])
		}
		if logs[i] == 0 {
			best++
		}
	}
	if best == 0 {
		t.Errorf("no sample is the most robust: %v", logs)
	}
}

// Directions in which both forms vanish are left out; if there are none, nothing is left out.
func TestInCommonRange(t *testing.T) {
	a, b := mat.NewSymDense(3, []float64{2, 0, 0, 0, 0, 0, 0, 0, 0}), mat.NewSymDense(3, []float64{1, 0, 0, 0, 3, 0, 0, 0, 0})
	basis, ra, rb, err := discriminant.InCommonRange(a, b)
	if err != nil || basis == nil {
		t.Fatal(basis, err)
	}
	mattest.Near(t, "A", mattest.Product(basis, mattest.Product(ra, basis.T())), a, 1e-12)
	mattest.Near(t, "B", mattest.Product(basis, mattest.Product(rb, basis.T())), b, 1e-12)
	if _, r := basis.Dims(); r != 2 {
		t.Errorf("%d directions, want 2", r)
	}
	if basis, _, _, err := discriminant.InCommonRange(a, dense.AddRidge(b, 1)); basis != nil || err != nil {
		t.Errorf("a positive definite form has %v, %v", basis, err)
	}
}
