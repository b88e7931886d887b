package ssdrnb

import (
	"context"
	"errors"
	"fmt"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/kernels"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// kernelSamples is the kernel matrix of centred samples as a [mat.Symmetric] whose
// entries are computed when asked for.
type kernelSamples struct {
	kernel kernels.Kernel
	middle []float64  // mean of the samples
	x      *mat.Dense // centred
	k      int        // neighbours of a sample
}

// SymmetricDim returns the number of samples.
func (s *kernelSamples) SymmetricDim() int { n, _ := s.x.Dims(); return n }

// Dims returns it twice.
func (s *kernelSamples) Dims() (int, int) { n, _ := s.x.Dims(); return n, n }

// At returns K_ij.
func (s *kernelSamples) At(i, j int) float64 {
	return s.kernel.Pair(s.x.RawRowView(i), s.x.RawRowView(j))
}

// T returns the matrix, which is its own transpose.
func (s *kernelSamples) T() mat.Matrix { return s }

// polynomialRank bounds the factor in which the neighbours by a polynomial kernel are
// looked for.
const polynomialRank = 1000

// kernelNearest returns the kernel of the samples and their neighbours by the kernel
// distance K_ii + K_jj − 2K_ij. For the RBF and linear kernels they are the Euclidean
// ones; for the polynomial they are those of a factor of the kernel matrix.
func kernelNearest(j *job) (*kernelSamples, *graph.Neighbors, error) {
	if err := j.begin("neighbours"); err != nil {
		return nil, nil, err
	}
	k, err := kernelOf(j)
	if err != nil {
		return nil, nil, err
	}
	middle, x := dense.Center(j.x())
	s := &kernelSamples{kernel: k, middle: middle, x: x, k: neighborsOption.of(j)}
	points := j.x()
	if k.Name == Polynomial {
		f, err := kernels.Factorise(j.ctx, k, x, polynomialRank)
		if err != nil {
			return nil, nil, kernelFault(j.work, err)
		}
		points = f.F
	}
	nb, err := graph.KNN(j.ctx, points, s.k)
	return s, nb, err
}

// kernelWeights returns the graph of pairs with the kernel of each, which must not be
// negative.
func kernelWeights(j *job, s *kernelSamples, pairs []data.Pair) (*sparse.CSR, error) {
	for _, p := range pairs {
		if v := s.At(p.I, p.J); !(v >= 0) {
			return nil, j.fault("kernel", s.kernel.Name, fmt.Errorf("%w: it is %g for the pair (%d, %d), which makes no weight", ErrOption, v, p.I, p.J), "take the RBF kernel")
		}
	}
	return pairing.Graph(j.data.Len(), pairs, s.At)
}

// mapping returns the rule by which new points are embedded; see kernelMean.
func (s *kernelSamples) mapping(y *mat.Dense, reg float64) mapping {
	return &kernelMean{kernelSamples: *s, y: y, reg: reg}
}

// kernelMean embeds a new point as a mean of the embeddings of its k nearest samples
// (Euclidean): weighted by the kernel or, with a regularization reg > 0, by the
// weights that reconstruct its image from theirs in the feature space.
type kernelMean struct {
	kernelSamples
	y   *mat.Dense
	reg float64
}

func (m *kernelMean) kind() string { return "kernel mean" }

func (m *kernelMean) features() int { return len(m.middle) }

func (m *kernelMean) apply(q *mat.Dense) (*mat.Dense, error) {
	rows, features := q.Dims()
	n, d := m.y.Dims()
	// Samples and new points under one another.
	all := kernelSamples{kernel: m.kernel, x: mat.NewDense(n+rows, features, nil)}
	all.x.Slice(0, n, 0, features).(*mat.Dense).Copy(m.x)
	for i := range rows {
		row := all.x.RawRowView(n + i)
		for c, v := range q.RawRowView(i) {
			row[c] = v - m.middle[c]
		}
	}
	near, err := graph.Query(context.Background(), m.x, all.x.Slice(n, n+rows, 0, features).(*mat.Dense), m.k)
	if err != nil {
		return nil, err
	}
	w := near.Directed()
	w.Cols = n
	if m.reg > 0 {
		links := &sparse.CSR{Rows: n + rows, Cols: n + rows, RowPtr: make([]int, n, n+rows+1), ColInd: w.ColInd, Val: w.Val}
		links.RowPtr = append(links.RowPtr, w.RowPtr...)
		weights, err := graph.ReconstructKernel(context.Background(), &all, links, m.reg)
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
			if total == 0 { // too far from every sample for the kernel to tell
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

func (m *kernelMean) arrays() map[string]*mat.Dense {
	return map[string]*mat.Dense{"samples": m.x, "mean": mat.NewDense(1, len(m.middle), m.middle),
		"rule": mat.NewDense(1, 2, []float64{float64(m.k), m.reg}), "kernel": m.kernel.Array()}
}

func decodeKernelMean(a map[string]*mat.Dense) (mapping, error) {
	x, y, rule, err := sampleArrays(a, 2)
	if err != nil {
		return nil, err
	}
	n, features := x.Dims()
	if a["mean"] == nil || len(a["mean"].RawMatrix().Data) != features {
		return nil, errors.New("the mean does not fit the samples")
	}
	k, err := kernels.Decode(a["kernel"])
	if err != nil {
		return nil, err
	}
	m := &kernelMean{kernelSamples: kernelSamples{kernel: k, middle: a["mean"].RawMatrix().Data, x: x, k: int(rule[0])}, y: y, reg: rule[1]}
	if m.k < 1 || m.k > n || !(m.reg >= 0) {
		return nil, fmt.Errorf("the rule %v for %d samples", rule, n)
	}
	return m, nil
}
