package pairing_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/mattest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// linked returns the Laplacian of pairs with weight 1.
func linked(t *testing.T, n int, pairs []data.Pair) *sparse.CSR {
	t.Helper()
	w, err := pairing.Graph(n, pairs, func(int, int) float64 { return 1 })
	if err != nil {
		t.Fatal(err)
	}
	return graph.Laplacian(w)
}

// The basis of the compressed form is orthonormal, and its columns sum to 0.
func TestCentredForm(t *testing.T) {
	for _, n := range []int{2, 3, 10} {
		q := pairing.Uncompressed(dense.Identity(n-1, n-1))
		mattest.Near(t, "QᵀQ", mattest.Product(q.T(), q), dense.Identity(n-1, n-1), 1e-14)
		ones := mat.NewDense(1, n, nil)
		for k := range n {
			ones.Set(0, k, 1)
		}
		mattest.Near(t, "1ᵀQ", mattest.Product(ones, q), mat.NewDense(1, n-1, nil), 1e-14)
		g := mattest.Gaussian(n+2, n)
		m := dense.SymmetricProduct(g, g)
		mattest.Near(t, "QᵀmQ", pairing.CentredForm(m), mattest.Product(q.T(), mattest.Product(m, q)), 1e-12)
	}
}

// The scatter of pairs equals the quadratic form of their Laplacian.
func TestScatter(t *testing.T) {
	z := mattest.Gaussian(8, 3)
	pairs := []data.Pair{{I: 0, J: 5}, {I: 2, J: 1}, {I: 6, J: 7}, {I: 0, J: 1}}
	want := dense.Quadratic(linked(t, 8, pairs), z)
	mattest.Near(t, "scatter", pairing.Scatter(z, pairs), want, 1e-12)
	must, cannot := pairing.SquaredDifferences(data.New(z, nil).WithPairs(data.Pairs{Must: pairs}), z)
	for r, v := range must {
		if math.Abs(v-want.At(r, r)) > 1e-12 || cannot[r] != 0 {
			t.Errorf("differences %v and %v in feature %d, want %v and 0", v, cannot[r], r, want.At(r, r))
		}
	}
}

// Means and sums over the pairs that labels imply equal those over the listed pairs. They are
// exactly 0 over equal values.
func TestImpliedPairs(t *testing.T) {
	z := mattest.Gaussian(9, 5)
	labels := []int{0, 0, 2, data.Unlabelled, 2, 2, 0, data.Unlabelled, 5}
	for i, l := range labels {
		z.Set(i, 3, 0.1*float64(l+1)) // constant in each class
		if l >= 0 {
			z.Set(i, 4, 0.7)
		}
	}
	d := data.New(z, labels)
	p, err := data.DrawPairs(labels, 6, 15, 1)
	if err != nil {
		t.Fatal(err)
	}
	musts, cannots := pairing.SquaredDifferences(d, z)
	wantMusts, wantCannots := pairing.SquaredDifferences(d.WithPairs(p), z)
	if !floats.EqualApprox(musts, wantMusts, 1e-12) || !floats.EqualApprox(cannots, wantCannots, 1e-12) || musts[3] != 0 || musts[4] != 0 || cannots[4] != 0 {
		t.Errorf("sums %v and %v, want %v and %v", musts, cannots, wantMusts, wantCannots)
	}
	must, cannot := pairing.Means(d, z)
	wantMust, wantCannot := pairing.Means(d.WithPairs(p), z)
	mattest.Near(t, "must-links", must, wantMust, 1e-12)
	mattest.Near(t, "cannot-links", cannot, wantCannot, 1e-12)
	if none, _ := pairing.Means(data.New(z, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}), z); none != nil {
		t.Errorf("classes of one sample have the must-links %v", none)
	}
}

func TestLabelledPairs(t *testing.T) {
	g, err := pairing.Graph(5, []data.Pair{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}, {I: 3, J: 4}, {I: 0, J: 4}}, func(int, int) float64 { return 1 })
	if err != nil {
		t.Fatal(err)
	}
	p, err := pairing.LabelledPairs(g, []int{7, 7, 3, data.Unlabelled, 3})
	if err != nil || !slices.Equal(p.Must, []data.Pair{{I: 0, J: 1}}) || !slices.Equal(p.Cannot, []data.Pair{{I: 0, J: 4}, {I: 1, J: 2}}) {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := pairing.LabelledPairs(g, []int{0, 1}); err == nil {
		t.Error("two labels for five samples are no error")
	}
}

// A share of the pairs is drawn, with halves rounded up, in their order, depending on the seed.
func TestSamplePairs(t *testing.T) {
	var p data.Pairs
	for i := range 9 {
		p.Must = append(p.Must, data.Pair{I: i, J: i + 1})
	}
	p.Cannot = p.Must[:4]
	for share, want := range map[float64][2]int{0: {0, 0}, 0.5: {5, 2}, 0.3: {3, 1}, 1: {9, 4}} {
		a, err := pairing.SamplePairs(p, share, 1)
		if err != nil || len(a.Must) != want[0] || len(a.Cannot) != want[1] {
			t.Errorf("share %v: %d and %d pairs, %v", share, len(a.Must), len(a.Cannot), err)
		}
		if !slices.IsSortedFunc(a.Must, func(a, b data.Pair) int { return a.I - b.I }) || !slices.Equal(a.Must, a.Distinct().Must) {
			t.Errorf("share %v: %v", share, a.Must)
		}
		if b, _ := pairing.SamplePairs(p, share, 1); !slices.Equal(a.Must, b.Must) {
			t.Errorf("share %v: the same seed draws others", share)
		}
	}
	few := p
	few.Must = nil
	a, _ := pairing.SamplePairs(p, 0.5, 3)
	if b, _ := pairing.SamplePairs(few, 0.5, 3); !slices.Equal(a.Cannot, b.Cannot) {
		t.Error("cannot-links depend on the must-links")
	}
	for _, bad := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := pairing.SamplePairs(p, bad, 1); err == nil {
			t.Errorf("a share of %v is no error", bad)
		}
	}
}

// The products with A and B agree with their explicit forms on centred columns, with and without a
// residual.
func TestProblem(t *testing.T) {
	const n = 10
	must, cannot := []data.Pair{{I: 0, J: 1}, {I: 1, J: 2}, {I: 4, J: 5}}, []data.Pair{{I: 0, J: 9}, {I: 3, J: 7}}
	delta, err := sparse.FromTriplets(n, n, []sparse.Triplet{{Row: 1, Col: 0, Value: 0.5}, {Row: 1, Col: 2, Value: 0.5}, {Row: 6, Col: 8, Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	residual, err := pairing.PartialResidual(delta)
	if err != nil {
		t.Fatal(err)
	}
	_, y := dense.Center(mattest.Gaussian(n, 2))
	r := mat.NewDense(n, 2, nil)
	residual.MulTo(r, y)
	for i := range n {
		for k := range 2 {
			want := map[int]float64{1: y.At(1, k) - (y.At(0, k)+y.At(2, k))/2, 6: y.At(6, k) - y.At(8, k)}[i]
			if math.Abs(r.At(i, k)-want) > 1e-14 {
				t.Errorf("residual %v of sample %d, want %v", r.At(i, k), i, want)
			}
		}
	}
	count, of := graph.ComponentsAbove(linked(t, n, must), math.Inf(-1))
	for _, res := range []*sparse.CSR{nil, residual} {
		p := &pairing.Problem{Ell: 0.3, Mu: 0.01, Cannot: linked(t, n, cannot), Must: linked(t, n, must), Residual: res, Groups: count, Of: of}
		a, b, err := p.Dense()
		if err != nil {
			t.Fatal(err)
		}
		got := mat.NewDense(n, 2, nil)
		p.MultiplyA(got, y)
		mattest.Near(t, "A·y", got, mattest.Product(a, y), 1e-13)
		p.MultiplyB(got, y)
		mattest.Near(t, "B·y", got, mattest.Product(b, y), 1e-13)
		numerator, denominator := p.Parts(y)
		if wa, wb := mat.Trace(mattest.Product(y.T(), mattest.Product(a, y))), mat.Trace(mattest.Product(y.T(), mattest.Product(b, y))); math.Abs(numerator-wa) > 1e-12 || math.Abs(denominator-wb) > 1e-12 {
			t.Errorf("parts %v and %v, want %v and %v", numerator, denominator, wa, wb)
		}
		if res != nil {
			continue
		}
		// On the indicators of components B is μ, and A is the coarse form.
		groups, err := p.Grouping()
		if err != nil {
			t.Fatal(err)
		}
		indicators, sizes := mat.NewDense(n, count, nil), make([]float64, count)
		for _, c := range of {
			sizes[c]++
		}
		for i, c := range of {
			indicators.Set(i, c, 1/math.Sqrt(sizes[c]))
		}
		mattest.Near(t, "ZᵀBZ", mattest.Product(indicators.T(), mattest.Product(b, indicators)), dense.AddRidge(mat.NewSymDense(count, nil), 0.01), 1e-14)
		coarse := mat.NewDense(count, count, nil)
		groups.Coarse.Apply(coarse, dense.Identity(count, count))
		mattest.Near(t, "ZᵀAZ", coarse, mattest.Product(indicators.T(), mattest.Product(a, indicators)), 1e-14)
		for i := range n {
			if math.Abs(groups.DiagA[i]-a.At(i, i)) > 1e-14 || math.Abs(groups.DiagB[i]-b.At(i, i)) > 1e-14 {
				t.Errorf("diagonals %v and %v of sample %d, want %v and %v", groups.DiagA[i], groups.DiagB[i], i, a.At(i, i), b.At(i, i))
			}
		}
	}
}

// Pairs that are edges are kept with weight 1; the others are counted.
func TestMustLinked(t *testing.T) {
	g, err := sparse.FromTriplets(4, 4, []sparse.Triplet{{Row: 1, Col: 0, Value: 3}, {Row: 2, Col: 3, Value: 5}})
	if err != nil {
		t.Fatal(err)
	}
	links, lost, err := pairing.MustLinked(g, []data.Pair{{I: 0, J: 1}, {I: 0, J: 3}})
	if err != nil || lost != 1 || links.NNZ() != 1 || links.At(1, 0) != 1 {
		t.Errorf("%v, %d lost, %v", links, lost, err)
	}
}

// The weights of the graph of pairs are their distances.
func TestLengths(t *testing.T) {
	w, err := pairing.Lengths(mat.NewDense(3, 1, []float64{0, 1, 3}), []data.Pair{{I: 0, J: 1}, {I: 1, J: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if w.At(1, 0) != 1 || w.At(1, 2) != 2 || w.At(0, 2) != 0 {
		t.Error(w)
	}
}
