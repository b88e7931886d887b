package outofsample

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/kernels"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// KernelMap is the map x ↦ k(x − Mean, P)·C − Offset for a kernel k and r pivots P, from D features
// to d dimensions.
type KernelMap struct {
	Kernel       kernels.Kernel
	Mean         []float64  // of length D
	Pivots       *mat.Dense // P, r×D, centred
	Coefficients *mat.Dense // C, r×d
	Offset       []float64  // of length d
}

// Kind returns the name of the rule in model files.
func (m *KernelMap) Kind() string { return "kernel" }

// First returns the rule for the first d dimensions of the embedding.
func (m *KernelMap) First(d int) Map {
	out := *m
	r, _ := m.Coefficients.Dims()
	out.Coefficients, out.Offset = m.Coefficients.Slice(0, r, 0, d).(*mat.Dense), m.Offset[:d]
	return &out
}

// Features returns the number of features of a point.
func (m *KernelMap) Features() int { return len(m.Mean) }

// Apply embeds the rows of x. x must have Features columns.
func (m *KernelMap) Apply(x *mat.Dense) (*mat.Dense, error) {
	n, features := x.Dims()
	_, d := m.Coefficients.Dims()
	const block = 1024
	y := mat.NewDense(n, d, nil)
	for lo := 0; lo < n; lo += block {
		hi := min(lo+block, n)
		c := mat.NewDense(hi-lo, features, nil)
		for i := lo; i < hi; i++ {
			floats.SubTo(c.RawRowView(i-lo), x.RawRowView(i), m.Mean)
		}
		part := y.Slice(lo, hi, 0, d).(*mat.Dense)
		part.Mul(m.Kernel.Matrix(c, m.Pivots), m.Coefficients)
		for i := lo; i < hi; i++ {
			floats.Sub(y.RawRowView(i), m.Offset)
		}
	}
	return y, nil
}

// Arrays returns the arrays of the rule for a model file.
func (m *KernelMap) Arrays() map[string]*mat.Dense {
	return map[string]*mat.Dense{
		"mean": mat.NewDense(1, len(m.Mean), m.Mean), "pivots": m.Pivots,
		"coefficients": m.Coefficients, "offset": mat.NewDense(1, len(m.Offset), m.Offset),
		"kernel": m.Kernel.Array(),
	}
}

// DecodeKernelMap returns the map stored in the arrays of a model file.
func DecodeKernelMap(a map[string]*mat.Dense) (Map, error) {
	for _, name := range []string{"mean", "pivots", "coefficients", "offset", "kernel", "embedding"} {
		if a[name] == nil {
			return nil, fmt.Errorf("%s is missing", name)
		}
	}
	r, features := a["pivots"].Dims()
	_, d := a["embedding"].Dims()
	for name, want := range map[string][2]int{"mean": {1, features}, "coefficients": {r, d}, "offset": {1, d}, "kernel": {1, 3}} {
		if rows, cols := a[name].Dims(); rows != want[0] || cols != want[1] {
			return nil, fmt.Errorf("%s is %d×%d, not %d×%d", name, rows, cols, want[0], want[1])
		}
	}
	k, err := kernels.Decode(a["kernel"])
	if err != nil {
		return nil, err
	}
	return &KernelMap{
		Kernel: k,
		Mean:   a["mean"].RawRowView(0), Pivots: a["pivots"],
		Coefficients: a["coefficients"], Offset: a["offset"].RawRowView(0),
	}, nil
}

// KernelMean embeds a new point as a weighted mean of the embeddings of the k samples nearest to it
// by kernel distance. The weights are the kernel values divided by their sum, where negative
// values count as 0. With a regularisation reg > 0, they are instead the weights that reconstruct
// the point from these samples in the feature space of the kernel.
type KernelMean struct {
	KernelSamples
	y   *mat.Dense
	reg float64
}

// Kind returns the name of the rule in model files.
func (m *KernelMean) Kind() string { return "kernel mean" }

// Features returns the number of features of a point.
func (m *KernelMean) Features() int { return len(m.Middle) }

// Apply embeds the rows of q. q must have Features columns.
func (m *KernelMean) Apply(q *mat.Dense) (*mat.Dense, error) {
	rows, features := q.Dims()
	n, d := m.y.Dims()
	// The samples come first, then the new points.
	all := KernelSamples{Kernel: m.Kernel, X: mat.NewDense(n+rows, features, nil)}
	all.X.Slice(0, n, 0, features).(*mat.Dense).Copy(m.X)
	for i := range rows {
		row := all.X.RawRowView(n + i)
		for c, v := range q.RawRowView(i) {
			row[c] = v - m.Middle[c]
		}
	}
	near, err := m.near(all.X.Slice(n, n+rows, 0, features).(*mat.Dense))
	if err != nil {
		return nil, err
	}
	w := near.Directed()
	w.Cols = n
	if m.reg > 0 {
		links := &sparse.CSR{Rows: n + rows, Cols: n + rows, RowPtr: make([]int, n, n+rows+1), ColInd: w.ColInd, Val: w.Val}
		links.RowPtr = append(links.RowPtr, w.RowPtr...)
		weights, err := align.ReconstructKernel(context.Background(), &all, links, m.reg)
		if err != nil {
			return nil, err
		}
		w.Val = weights.Val
	} else {
		for i := range rows {
			cols, vals := w.Row(i)
			total := 0.0
			for a, j := range cols {
				vals[a] = max(all.At(n+i, int(j)), 0)
				total += vals[a]
			}
			for a := range vals {
				vals[a] /= total
			}
			if total == 0 { // no kernel value is positive: use the nearest sample alone
				index, _ := near.Of(i)
				for a, j := range cols {
					vals[a] = 0
					if j == index[0] {
						vals[a] = 1
					}
				}
			}
		}
	}
	out := mat.NewDense(rows, d, nil)
	w.MulTo(out, m.y)
	return out, nil
}

// near returns the k samples nearest to each row of q by kernel distance. The squared kernel
// distance between a row x and a sample y is k(x, x) + k(y, y) − 2k(x, y). The rows of q are
// centred like the samples. With the RBF and linear kernels, the nearest samples are the same as by
// Euclidean distance, which is used instead. With the polynomial kernel, Dist holds squared
// distances without the term k(x, x), shifted to begin at 0. This term is the same for all y, and
// for an outlier x it would be so large that the digits of the other terms would be lost.
func (m *KernelMean) near(q *mat.Dense) (*graph.Neighbors, error) {
	ctx := context.Background()
	if m.Kernel.Name != kernels.Polynomial {
		return graph.Query(ctx, m.X, q, m.K, graph.Euclidean)
	}
	n, features := m.X.Dims()
	own := make([]float64, n)
	for j := range own {
		own[j] = m.At(j, j)
	}
	rows, _ := q.Dims()
	out := &graph.Neighbors{K: m.K, Index: make([]int32, 0, rows*m.K), Dist: make([]float64, 0, rows*m.K), Method: graph.Brute, Recall: 1}
	const block = 256
	for lo := 0; lo < rows; lo += block {
		hi := min(lo+block, rows)
		distances := m.Kernel.Matrix(q.Slice(lo, hi, 0, features).(*mat.Dense), m.X)
		for i := lo; i < hi; i++ {
			row := distances.RawRowView(i - lo)
			for j, v := range row {
				row[j] = own[j] - 2*v
			}
			floats.AddConst(-floats.Min(row), row)
			if v := floats.Sum(row); math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, advice.Errorf("prepare new points like the training data, and check them for outliers", "%w for the new point in row %d", kernels.ErrOverflow, i)
			}
		}
		near, err := graph.QueryOf(ctx, distances, m.K)
		if err != nil {
			return nil, err
		}
		out.Index, out.Dist = append(out.Index, near.Index...), append(out.Dist, near.Dist...)
	}
	return out, nil
}

// Arrays returns the arrays of the rule for a model file.
func (m *KernelMean) Arrays() map[string]*mat.Dense {
	return map[string]*mat.Dense{"samples": m.X, "mean": mat.NewDense(1, len(m.Middle), m.Middle),
		"rule": mat.NewDense(1, 2, []float64{float64(m.K), m.reg}), "kernel": m.Kernel.Array()}
}

// KernelSamples is the kernel matrix of centred samples as a [mat.Symmetric] whose entries are
// computed on demand.
type KernelSamples struct {
	Kernel kernels.Kernel
	Middle []float64  // mean of the samples before centring, of length D
	X      *mat.Dense // n×D, centred
	K      int        // number of nearest samples used to embed a new point
}

// SymmetricDim returns the number of samples.
func (s *KernelSamples) SymmetricDim() int { n, _ := s.X.Dims(); return n }

// Dims returns the number of samples twice: the matrix has one row and one column per sample.
func (s *KernelSamples) Dims() (int, int) { n, _ := s.X.Dims(); return n, n }

// At returns the kernel k(x_i, x_j) of samples i and j.
func (s *KernelSamples) At(i, j int) float64 {
	return s.Kernel.Pair(s.X.RawRowView(i), s.X.RawRowView(j))
}

// T returns the matrix, which is its own transpose.
func (s *KernelSamples) T() mat.Matrix { return s }

// Mapping returns the rule that embeds new points, given the embedding y (n×d) of the samples; see
// [KernelMean].
func (s *KernelSamples) Mapping(y *mat.Dense, reg float64) Map {
	return &KernelMean{KernelSamples: *s, y: y, reg: reg}
}

// DecodeKernelMean returns the rule stored in the arrays of a model file.
func DecodeKernelMean(a map[string]*mat.Dense) (Map, error) {
	x, y, rule, err := sampleArrays(a, 2)
	if err != nil {
		return nil, err
	}
	_, features := x.Dims()
	if a["mean"] == nil || len(a["mean"].RawMatrix().Data) != features {
		return nil, errors.New("the mean does not have one number per feature of the samples")
	}
	k, err := kernels.Decode(a["kernel"])
	if err != nil {
		return nil, err
	}
	m := &KernelMean{KernelSamples: KernelSamples{Kernel: k, Middle: a["mean"].RawMatrix().Data, X: x, K: int(rule[0])}, y: y, reg: rule[1]}
	if !(m.reg >= 0) {
		return nil, fmt.Errorf("the regularization is %g, but must be at least 0", m.reg)
	}
	return m, nil
}
