package spectral

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
)

// Spectrum is the full eigendecomposition of a symmetric matrix A. It solves problems with A +
// shift·I for any number of shifts without another decomposition, for example along a path of ridge
// values.
type Spectrum struct {
	// Values holds the n eigenvalues in ascending order; Vectors (n×n) holds orthonormal
	// eigenvectors as columns. Treat both as read-only.
	Values  []float64
	Vectors *mat.Dense
}

// Decompose returns the spectrum of the matrix a. It takes O(n³) operations.
func Decompose(a *mat.SymDense) (*Spectrum, error) {
	values, vectors, err := decompose(a)
	if err != nil {
		return nil, err
	}
	return &Spectrum{values, vectors}, nil
}

// Clip returns the spectrum of the nearest positive semidefinite matrix: negative eigenvalues
// become 0.
func (s *Spectrum) Clip() *Spectrum {
	values := make([]float64, len(s.Values))
	for k, v := range s.Values {
		values[k] = max(v, 0)
	}
	return &Spectrum{values, s.Vectors}
}

// Apply returns f(a)·b, where a is the decomposed matrix, b is n×p, and f acts on the eigenvalues.
// It takes O(n²p) operations.
func (s *Spectrum) Apply(f func(value float64) float64, b *mat.Dense) *mat.Dense {
	var t, out mat.Dense
	t.Mul(s.Vectors.T(), b)
	for k, v := range s.Values {
		scale := f(v)
		row := t.RawRowView(k)
		for i := range row {
			row[i] *= scale
		}
	}
	out.Mul(s.Vectors, &t)
	return &out
}

// Congruence returns zᵀ·f(a)·z for an n×p matrix z and f ≥ 0, given turned = Vectorsᵀ·z. It takes
// O(np²) operations.
func (s *Spectrum) Congruence(f func(value float64) float64, turned *mat.Dense) *mat.SymDense {
	t := mat.DenseCopyOf(turned)
	for k, v := range s.Values {
		scale := math.Sqrt(f(v))
		row := t.RawRowView(k)
		for i := range row {
			row[i] *= scale
		}
	}
	_, p := t.Dims()
	out := mat.NewSymDense(p, nil)
	out.SymOuterK(1, t.T())
	return out
}

// QuotientTop returns the d largest τ of rootᵀ·root·w = τ·(a + shift·I)·w in descending order, for
// a c×n matrix root and d ≤ min(c, n), with wᵀ(a + shift·I)w = 1. Unlike [GeneralizedTop], it needs
// no further decomposition of order n: it takes O(n²c + nc²) operations. Directions in which a +
// shift·I is below 1e-12 times its largest eigenvalue are left out. If fewer than d directions
// remain, the result has fewer columns; if none remains, the error wraps [ErrSingular]. Gap
// considers only the eigenvalues that may be positive, at most c: it is +Inf if all of them are
// returned.
func (s *Spectrum) QuotientTop(root *mat.Dense, shift float64, d int) (*Pairs, error) {
	c, n := root.Dims()
	if n != len(s.Values) || d < 1 || d > min(c, n) {
		return nil, fmt.Errorf("%w: root is %d×%d, the spectrum has order %d, and d = %d, but the number of columns of root must equal this order, and d must lie between 1 and %d", ErrOption, c, n, len(s.Values), d, min(c, n))
	}
	from := s.null(shift) // eigenvalues ascend, so the last ones stay
	if from == n {
		return nil, fmt.Errorf("%w: the largest eigenvalue of the denominator is %g", ErrSingular, s.Values[n-1]+shift)
	}
	basis := mat.DenseCopyOf(s.Vectors.Slice(0, n, from, n))
	scales := make([]float64, n-from)
	for k := range scales {
		scales[k] = 1 / math.Sqrt(s.Values[from+k]+shift)
	}
	scaleColumns := func(m *mat.Dense) {
		rows, _ := m.Dims()
		for i := range rows {
			row := m.RawRowView(i)
			for k := range row {
				row[k] *= scales[k]
			}
		}
	}
	// With g = root·Q·(Λ + shift)^(−½) = u·diag(σ)·vᵀ the quotients are σ².
	var g mat.Dense
	g.Mul(root, basis)
	scaleColumns(&g)
	_, sigma, v, err := blas.SVDThin(&g)
	if err != nil {
		return nil, err
	}
	d = min(d, len(sigma))
	p := &Pairs{Values: make([]float64, d), Vectors: new(mat.Dense), Gap: math.Inf(1)}
	for k := range p.Values {
		p.Values[k] = sigma[k] * sigma[k]
	}
	if d < len(sigma) {
		p.Gap = p.Values[d-1] - sigma[d]*sigma[d]
	}
	scaleColumns(basis)
	p.Vectors.Mul(basis, v.Slice(0, n-from, 0, d))
	FixSigns(p.Vectors)
	return p, nil
}

// null returns the number of eigenvalues of a + shift·I that are at most 1e-12 times the largest,
// or not positive.
func (s *Spectrum) null(shift float64) int {
	n := len(s.Values)
	floor := rankTolerance * (s.Values[n-1] + shift)
	null := 0
	for null < n && !(s.Values[null]+shift > max(floor, 0)) {
		null++
	}
	return null
}

// Rank returns the number of eigenvalues above 1e-12 times the largest.
func (s *Spectrum) Rank() int { return len(s.Values) - s.null(0) }

// Missed returns the share of tr(rootᵀ·root), in [0, 1], that lies in the directions that
// [Spectrum.QuotientTop] leaves out.
func (s *Spectrum) Missed(root *mat.Dense, shift float64) float64 {
	null, all := s.null(shift), mat.Norm(root, 2)
	if null == 0 || all == 0 {
		return 0
	}
	var part mat.Dense
	part.Mul(root, s.Vectors.Slice(0, len(s.Values), 0, null))
	share := mat.Norm(&part, 2) / all
	return share * share
}
