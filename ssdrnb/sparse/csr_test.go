package sparse_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

func ExampleFromTriplets() {
	m, err := sparse.FromTriplets(2, 3, []sparse.Triplet{{Row: 0, Col: 2, Value: 1}, {Row: 1, Col: 0, Value: 4}, {Row: 0, Col: 2, Value: 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.NNZ(), m.At(0, 2), m.At(1, 0), m.At(1, 1))
	// Output:
	// 2 3 4 0
}

// random returns a matrix with about the given share of entries, and its dense form.
func random(rng *rand.Rand, rows, cols int, share float64) (*sparse.CSR, *mat.Dense) {
	var entries []sparse.Triplet
	d := mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j := range cols {
			if rng.Float64() < share {
				v := rng.NormFloat64()
				d.Set(i, j, v)
				entries = append(entries, sparse.Triplet{Row: i, Col: j, Value: v})
			}
		}
	}
	rng.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	m, err := sparse.FromTriplets(rows, cols, entries)
	if err != nil {
		panic(err)
	}
	return m, d
}

func equal(t *testing.T, what string, got *sparse.CSR, want mat.Matrix) {
	t.Helper()
	if err := got.Check(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !mat.EqualApprox(got.Dense(), want, 1e-13) {
		t.Errorf("%s differs from the dense result", what)
	}
}

// Every operation agrees with the one on dense matrices.
func TestOperationsAreThoseOfDenseMatrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for round := range 20 {
		n, m, k := 1+rng.IntN(40), 1+rng.IntN(40), 1+rng.IntN(40)
		share := []float64{0, 0.05, 0.5, 1}[round%4]
		a, ad := random(rng, n, m, share)
		b, bd := random(rng, n, m, 0.2)
		c, cd := random(rng, m, k, 0.3)
		equal(t, "FromTriplets", a, ad)
		equal(t, "T", a.T(), ad.T())

		sum, err := sparse.Add(2, a, -3, b)
		if err != nil {
			t.Fatal(err)
		}
		var want, p, q mat.Dense
		p.Scale(2, ad)
		q.Scale(-3, bd)
		want.Add(&p, &q)
		equal(t, "Add", sum, &want)

		product, err := sparse.Mul(a, c)
		if err != nil {
			t.Fatal(err)
		}
		var pd mat.Dense
		pd.Mul(ad, cd)
		equal(t, "Mul", product, &pd)

		for _, p := range []int{1, 3, 5, 8, 10, 17} {
			x := mat.NewDense(m, p, nil)
			for i := range m {
				for j := range p {
					x.Set(i, j, rng.NormFloat64())
				}
			}
			got := mat.NewDense(n, p, nil)
			a.MulTo(got, x)
			var wx mat.Dense
			wx.Mul(ad, x)
			if !mat.EqualApprox(got, &wx, 1e-12) {
				t.Errorf("MulTo of %d columns differs from the dense result", p)
			}
		}

		rows, cols := rng.Perm(n)[:(n+1)/2], rng.Perm(m)[:(m+1)/2]
		part, err := a.Select(rows, cols)
		if err != nil {
			t.Fatal(err)
		}
		pick := mat.NewDense(len(rows), len(cols), nil)
		for i, r := range rows {
			for j, c := range cols {
				pick.Set(i, j, ad.At(r, c))
			}
		}
		equal(t, "Select", part, pick)
	}
}

func TestSymmetrizeAndScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	a, ad := random(rng, 25, 25, 0.2)
	for name, rule := range map[string]struct {
		kind sparse.Symmetrizer
		of   func(x, y float64) float64
	}{
		"Average": {sparse.Average, func(x, y float64) float64 { return (x + y) / 2 }},
		"Either":  {sparse.Either, func(x, y float64) float64 { return x + y - x*y }},
		"Both":    {sparse.Both, func(x, y float64) float64 { return x * y }},
	} {
		s, err := a.Symmetrize(rule.kind)
		if err != nil {
			t.Fatal(err)
		}
		want := mat.NewDense(25, 25, nil)
		want.Apply(func(i, j int, x float64) float64 { return rule.of(x, ad.At(j, i)) }, ad)
		equal(t, "Symmetrize("+name+")", s, want)
		if !s.IsSymmetric(0) || a.IsSymmetric(0) {
			t.Error("IsSymmetric is wrong")
		}
	}
}

func TestBadShapes(t *testing.T) {
	a := sparse.Identity(3)
	if _, err := sparse.Add(1, a, 1, sparse.Identity(4)); err == nil {
		t.Error("a sum of orders 3 and 4 was accepted")
	}
	if _, err := sparse.Mul(a, sparse.Identity(4)); err == nil {
		t.Error("a product of orders 3 and 4 was accepted")
	}
	if _, err := a.Select([]int{3}, []int{0}); err == nil {
		t.Error("row 3 of 3 was selected")
	}
	if _, err := sparse.FromTriplets(2, 2, []sparse.Triplet{{Row: 2, Col: 0, Value: 1}}); err == nil {
		t.Error("an entry outside of the matrix was accepted")
	}
	bad := sparse.Identity(3)
	bad.ColInd[1] = 7
	if bad.Check() == nil {
		t.Error("a column outside of the matrix passed the check")
	}
}

// TestIsSymmetric compares with the transpose on small random patterns. Many of these are symmetric
// except for one entry or for stored zeros.
func TestIsSymmetric(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	counts := map[bool]int{}
	for range 2000 {
		n := 1 + rng.IntN(6)
		d := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range i + 1 {
				if rng.IntN(2) == 0 {
					v := rng.NormFloat64()
					d.Set(i, j, v)
					d.Set(j, i, v)
				}
			}
		}
		if rng.IntN(2) == 0 {
			d.Set(rng.IntN(n), rng.IntN(n), rng.NormFloat64())
		}
		m := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1)}
		for i := range n {
			for j := range n {
				if d.At(i, j) != 0 || rng.IntN(3) == 0 {
					m.ColInd, m.Val = append(m.ColInd, int32(j)), append(m.Val, d.At(i, j))
				}
			}
			m.RowPtr[i+1] = len(m.Val)
		}
		want := mat.Equal(d, d.T())
		counts[want]++
		if got := m.IsSymmetric(0); got != want {
			t.Fatalf("IsSymmetric is %v of\n%v\nstored in columns %v", got, mat.Formatted(d), m.ColInd)
		}
	}
	if counts[true] < 100 || counts[false] < 100 {
		t.Errorf("the patterns are one-sided: %v", counts)
	}
	bad := &sparse.CSR{Rows: 1, Cols: 1, RowPtr: []int{0, 1}, ColInd: []int32{0}, Val: []float64{math.NaN()}}
	if bad.IsSymmetric(1) {
		t.Error("a matrix of NaN counts as symmetric")
	}
}
