package sparse

import (
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Clone returns a deep copy.
func (m *CSR) Clone() *CSR {
	return &CSR{Rows: m.Rows, Cols: m.Cols, RowPtr: slices.Clone(m.RowPtr), ColInd: slices.Clone(m.ColInd), Val: slices.Clone(m.Val)}
}

// Identity returns the n×n identity matrix, or the empty matrix for n ≤ 0.
func Identity(n int) *CSR {
	return Diagonal(slices.Repeat([]float64{1}, max(n, 0)))
}

// Diag returns the entries (i, i) for 0 ≤ i < min(Rows, Cols).
func (m *CSR) Diag() []float64 {
	d := make([]float64, min(m.Rows, m.Cols))
	for i := range d {
		d[i] = m.At(i, i)
	}
	return d
}

// Scale returns f·m.
func (m *CSR) Scale(f float64) *CSR {
	s := m.Clone()
	for k := range s.Val {
		s.Val[k] *= f
	}
	return s
}

// Add returns alpha·a + beta·b for matrices of the same size. An entry is stored where
// either matrix stores one, even if the sum is 0.
func Add(alpha float64, a *CSR, beta float64, b *CSR) (*CSR, error) {
	return merge(a, b, func(x, y float64, _, _ bool) (float64, bool) { return alpha*x + beta*y, true })
}

// merge combines two matrices entry by entry. f takes both values (0 if not stored) and whether
// each is stored. It returns the result and whether to store it. merge calls f twice for each
// entry, the first time to count, so that memory is allocated only once.
func merge(a, b *CSR, f func(x, y float64, inA, inB bool) (float64, bool)) (*CSR, error) {
	if a.Rows != b.Rows || a.Cols != b.Cols {
		return nil, fmt.Errorf("%w: cannot add %d×%d and %d×%d", ErrShape, a.Rows, a.Cols, b.Rows, b.Cols)
	}
	m := &CSR{Rows: a.Rows, Cols: a.Cols, RowPtr: make([]int, a.Rows+1)}
	rows := func(entry func(i int, col int32, v float64)) {
		par.Blocks(a.Rows, rowBlock, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				mergeRow(a, b, i, f, func(col int32, v float64) { entry(i, col, v) })
			}
		})
	}
	rows(func(i int, _ int32, _ float64) { m.RowPtr[i+1]++ })
	at := make([]int, a.Rows) // where the next entry of each row is stored
	for i := range a.Rows {
		at[i] = m.RowPtr[i]
		m.RowPtr[i+1] += m.RowPtr[i]
	}
	count := m.RowPtr[a.Rows]
	m.ColInd, m.Val = make([]int32, count), make([]float64, count)
	rows(func(i int, col int32, v float64) {
		m.ColInd[at[i]], m.Val[at[i]] = col, v
		at[i]++
	})
	return m, nil
}

// mergeRow calls the function entry for each entry in row i of the result of merge.
func mergeRow(a, b *CSR, i int, f func(x, y float64, inA, inB bool) (float64, bool), entry func(col int32, v float64)) {
	ac, av := a.Row(i)
	bc, bv := b.Row(i)
	for p, q := 0, 0; p < len(ac) || q < len(bc); {
		inA := p < len(ac) && (q == len(bc) || ac[p] <= bc[q])
		inB := q < len(bc) && (p == len(ac) || bc[q] <= ac[p])
		var x, y float64
		var col int32
		if inA {
			col, x = ac[p], av[p]
			p++
		}
		if inB {
			col, y = bc[q], bv[q]
			q++
		}
		if v, keep := f(x, y, inA, inB); keep {
			entry(col, v)
		}
	}
}

// Symmetrizer is a rule for making a square matrix symmetric; see [CSR.Symmetrize].
type Symmetrizer int

// The rules for entries a = m[i][j] and b = m[j][i], which are 0 if not stored.
const (
	Sum     Symmetrizer = iota // a + b
	Average                    // (a + b)/2
	Max                        // the larger
	Min                        // the smaller
	Either                     // a + b − ab: the probability of one or both events
	Both                       // ab: the probability of both events
)

// Symmetrize combines m and its transpose by the rule. Entries that become 0 are not stored. The
// result is exactly symmetric.
func (m *CSR) Symmetrize(rule Symmetrizer) (*CSR, error) {
	if m.Rows != m.Cols {
		return nil, fmt.Errorf("%w: a symmetric matrix must be square, but this one is %d×%d", ErrShape, m.Rows, m.Cols)
	}
	if rule < Sum || rule > Both {
		return nil, fmt.Errorf("%w: there is no rule %d; use Sum, Average, Max, Min, Either or Both", ErrOption, rule)
	}
	return merge(m, m.T(), func(x, y float64, _, _ bool) (float64, bool) {
		var v float64
		switch rule {
		case Sum:
			v = x + y
		case Average:
			v = (x + y) / 2
		case Max:
			v = max(x, y)
		case Min:
			v = min(x, y)
		case Either:
			v = x + y - x*y
		case Both:
			v = x * y
		}
		return v, v != 0
	})
}
