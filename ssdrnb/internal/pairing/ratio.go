package pairing

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/regions"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Problem is the trace-ratio problem of S2LAE and related methods: maximise
//
//	tr(YᵀAY)/tr(YᵀBY)   over n×d matrices Y with YᵀY = I and Yᵀ1 = 0,
//	A = ℓ(I − 11ᵀ/n) + (1 − ℓ)·L_C,   B = (L_M or RᵀR) + τL_U + μI
//
// L_C, L_M and L_U are the Laplacians of the cannot-links, of the must-links, and of the edges with
// an unlabelled end. RᵀR replaces L_M if Residual is set. ℓ is Ell, μ is Mu, and Must contains τ.
type Problem struct {
	Ell, Mu float64
	Cannot  *sparse.CSR // L_C
	// Must is L_M + τL_U if Residual is nil. Otherwise Residual is R = I − Δ for reconstruction
	// weights Δ, and Must is τL_U.
	Must, Residual *sparse.CSR
	residualT      *sparse.CSR // transpose of Residual, computed on demand
	Groups         int         // number of components of the graph of must-links and edges of L_U
	Of             []int       // component of each sample, 0 to Groups−1

	regions   *regions.Regions // regions of the graph of Must; nil for none
	condensed *sparse.CSR      // Must condensed to the regions
}

// Parts returns tr(YᵀAY) and tr(YᵀBY) for centred coordinates Y (n×d).
func (p *Problem) Parts(y *mat.Dense) (numerator, denominator float64) {
	n, d := y.Dims()
	ay, by := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
	p.MultiplyA(ay, y)
	p.MultiplyB(by, y)
	for i := range n {
		a, b := ay.RawRowView(i), by.RawRowView(i)
		for k, v := range y.RawRowView(i) {
			numerator += v * a[k]
			denominator += v * b[k]
		}
	}
	return numerator, denominator
}

// MultiplyA sets dst = A·x. It subtracts column means instead of forming 11ᵀ/n.
func (p *Problem) MultiplyA(dst, x *mat.Dense) {
	mean := columnMeans(x)
	par.Blocks(p.Must.Rows, rowBlock, func(lo, hi int) {
		p.Cannot.MulRowsTo(dst, x, lo, hi)
		for i := lo; i < hi; i++ {
			row := dst.RawRowView(i)
			for k, v := range x.RawRowView(i) {
				row[k] = p.Ell*(v-mean[k]) + (1-p.Ell)*row[k]
			}
		}
	})
}

// MultiplyB sets dst = B·x.
func (p *Problem) MultiplyB(dst, x *mat.Dense) {
	n, d := x.Dims()
	var square *mat.Dense
	if p.Residual != nil {
		r := mat.NewDense(n, d, nil)
		square = mat.NewDense(n, d, nil)
		p.Residual.MulTo(r, x)
		p.Transposed().MulTo(square, r)
	}
	par.Blocks(n, rowBlock, func(lo, hi int) {
		p.Must.MulRowsTo(dst, x, lo, hi)
		for i := lo; i < hi; i++ {
			row := dst.RawRowView(i)
			if square != nil {
				floats.Add(row, square.RawRowView(i))
			}
			for k, v := range x.RawRowView(i) {
				row[k] += p.Mu * v
			}
		}
	})
}

// rowBlock is the number of rows that a worker processes at a time.
const rowBlock = 1024

// columnMeans returns the mean of each column of x. It adds the sums of blocks of rows in order, so
// that the result does not depend on the number of workers.
func columnMeans(x *mat.Dense) []float64 {
	n, d := x.Dims()
	parts := make([]float64, (n+rowBlock-1)/rowBlock*d)
	par.Blocks(n, rowBlock, func(lo, hi int) {
		sum := parts[lo/rowBlock*d:][:d]
		for i := lo; i < hi; i++ {
			floats.Add(sum, x.RawRowView(i))
		}
	})
	mean := make([]float64, d)
	for ; len(parts) > 0; parts = parts[d:] {
		floats.Add(mean, parts[:d])
	}
	floats.Scale(1/float64(n), mean)
	return mean
}

// Transposed returns Rᵀ. It is computed only once.
func (p *Problem) Transposed() *sparse.CSR {
	if p.residualT == nil {
		p.residualT = p.Residual.T()
	}
	return p.residualT
}

// Dense returns A and B as dense n×n matrices. The returned A lacks the term −ℓ11ᵀ/n, which
// vanishes on centred vectors.
func (p *Problem) Dense() (a, b *mat.SymDense, err error) {
	n := p.Must.Rows
	a, b = mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	add := func(dst *mat.SymDense, f float64, m *sparse.CSR) {
		for i := range n {
			cols, vals := m.Row(i)
			for k, c := range cols {
				if int(c) >= i {
					dst.SetSym(i, int(c), dst.At(i, int(c))+f*vals[k])
				}
			}
		}
	}
	add(a, 1-p.Ell, p.Cannot)
	add(b, 1, p.Must)
	if p.Residual != nil {
		square, err := sparse.Mul(p.Transposed(), p.Residual)
		if err != nil {
			return nil, nil, err
		}
		add(b, 1, square)
	}
	for i := range n {
		a.SetSym(i, i, a.At(i, i)+p.Ell)
		b.SetSym(i, i, b.At(i, i)+p.Mu)
	}
	return a, b, nil
}

// Grouping returns the components, listed in p.Of, in the form that [spectral.TraceRatioOf] takes.
// Let the columns of Z be the normalised indicators of the components. Then ZᵀBZ = μI, and
// ZᵀAZ = ℓI + (1 − ℓ)·ZᵀL_CZ, apart from the term −ℓ11ᵀ/n, which vanishes on centred vectors.
func (p *Problem) Grouping() (*spectral.Groups, error) {
	n := p.Must.Rows
	norm := make([]float64, p.Groups)
	for _, c := range p.Of {
		norm[c]++
	}
	for c, size := range norm {
		norm[c] = 1 / math.Sqrt(size)
	}
	var entries []sparse.Triplet
	for i := range n {
		cols, vals := p.Cannot.Row(i)
		for k, c := range cols {
			a, b := p.Of[i], p.Of[c]
			entries = append(entries, sparse.Triplet{Row: a, Col: b, Value: vals[k] * norm[a] * norm[b]})
		}
	}
	coarse, err := sparse.FromTriplets(p.Groups, p.Groups, entries)
	if err != nil {
		return nil, err
	}
	g := &spectral.Groups{Count: p.Groups, Of: p.Of, Value: p.Mu, DiagA: p.Cannot.Diag(), DiagB: p.Must.Diag(), Regions: p.regions, Condensed: p.condensed}
	g.Coarse = spectral.Func(p.Groups, func(dst, y *mat.Dense) {
		coarse.MulTo(dst, y)
		rows, _ := y.Dims()
		for i := range rows {
			row := dst.RawRowView(i)
			for k, v := range y.RawRowView(i) {
				row[k] = p.Ell*v + (1-p.Ell)*row[k]
			}
		}
	})
	if p.Residual != nil {
		for k, c := range p.Residual.ColInd {
			g.DiagB[c] += p.Residual.Val[k] * p.Residual.Val[k]
		}
	}
	for i, v := range g.DiagA {
		g.DiagA[i] = p.Ell + (1-p.Ell)*v
		g.DiagB[i] += p.Mu
	}
	return g, nil
}

// mirror returns a unit vector v of length n. The reflection I − 2vvᵀ maps the first unit vector to
// a constant vector, and constant vectors to multiples of the first unit vector.
func mirror(n int) []float64 {
	root := 1 / math.Sqrt(float64(n))
	v, norm := make([]float64, n), 0.0
	for i := range v {
		v[i] = root
	}
	// Adding 1 avoids the cancellation that subtracting 1 could cause. The reflection then maps the
	// first unit vector to the constant vector with entries −1/√n.
	v[0] += 1
	for _, x := range v {
		norm += x * x
	}
	for i := range v {
		v[i] /= math.Sqrt(norm)
	}
	return v
}

// CentredForm returns the (n−1)×(n−1) matrix QᵀmQ. The columns of Q are columns 2 to n of the
// reflection I − 2vvᵀ of [mirror]. They are an orthonormal basis of the vectors that sum to 0. Q is
// not formed: the result is a rank-two update of m.
func CentredForm(m *mat.SymDense) *mat.SymDense {
	n := m.SymmetricDim()
	v := mat.NewVecDense(n, mirror(n))
	var mv mat.VecDense
	mv.MulVec(m, v)
	q := mat.Dot(v, &mv)
	out := mat.NewSymDense(n-1, nil)
	for i := 1; i < n; i++ {
		for k := i; k < n; k++ {
			vi, vk := v.AtVec(i), v.AtVec(k)
			out.SetSym(i-1, k-1, m.At(i, k)-2*(vi*mv.AtVec(k)+vk*mv.AtVec(i))+4*q*vi*vk)
		}
	}
	return out
}

// Uncompressed returns Q·w for the matrix Q of [CentredForm].
func Uncompressed(w *mat.Dense) *mat.Dense {
	rows, d := w.Dims()
	v := mirror(rows + 1)
	y := mat.NewDense(rows+1, d, nil)
	y.Slice(1, rows+1, 0, d).(*mat.Dense).Copy(w)
	for k := range d {
		dot := 0.0
		for i, vi := range v {
			dot += vi * y.At(i, k)
		}
		for i, vi := range v {
			y.Set(i, k, y.At(i, k)-2*dot*vi)
		}
	}
	return y
}

// MustLinked returns those edges of the directed graph `near` that are must-links, with weight 1.
// Each pair in `must` has the smaller index first. `lost` is the number of must-links without an
// edge in either direction.
func MustLinked(near *sparse.CSR, must []data.Pair) (links *sparse.CSR, lost int, err error) {
	n := near.Rows
	of := make(map[data.Pair]bool, len(must))
	for _, p := range must {
		of[p] = false
	}
	var entries []sparse.Triplet
	for i := range n {
		index, _ := near.Row(i)
		for _, c := range index {
			p := data.Pair{I: min(i, int(c)), J: max(i, int(c))}
			if _, yes := of[p]; yes {
				of[p] = true
				entries = append(entries, sparse.Triplet{Row: i, Col: int(c), Value: 1})
			}
		}
	}
	for _, found := range of {
		if !found {
			lost++
		}
	}
	links, err = sparse.FromTriplets(n, n, entries)
	return links, lost, err
}

// PartialResidual returns I − Δ for the reconstruction weights Δ (n×n), but with empty rows where Δ
// has empty rows. Samples without weights are not reconstructed, so they must not contribute to the
// residual ‖Y − ΔY‖²; I − Δ would add |y_i|² for each.
func PartialResidual(delta *sparse.CSR) (*sparse.CSR, error) {
	own := make([]float64, delta.Rows)
	for i := range own {
		if delta.RowPtr[i+1] > delta.RowPtr[i] {
			own[i] = 1
		}
	}
	var entries []sparse.Triplet
	for i, v := range own {
		if v > 0 {
			entries = append(entries, sparse.Triplet{Row: i, Col: i, Value: 1})
		}
	}
	diagonal, err := sparse.FromTriplets(delta.Rows, delta.Cols, entries)
	if err != nil {
		return nil, err
	}
	return sparse.Add(1, diagonal, -1, delta)
}
