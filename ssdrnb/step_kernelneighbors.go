package ssdrnb

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/kernels"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// polynomialRank is the maximum rank of the factor of a polynomial kernel. Neighbours are searched
// among the rows of this factor.
const polynomialRank = 1000

// kernelNearest returns the kernel of the samples and their neighbours by the kernel distance K_ii
// + K_jj − 2K_ij. It also returns points whose Euclidean distances give the same neighbours: the
// samples for the RBF and linear kernels, the rows of a factor of the kernel matrix for the
// polynomial kernel.
func kernelNearest(j *job) (k *outofsample.KernelSamples, points *mat.Dense, nb *graph.Neighbors, err error) {
	if err := j.begin("neighbours"); err != nil {
		return nil, nil, nil, err
	}
	kernel, err := kernelOf(j)
	if err != nil {
		return nil, nil, nil, err
	}
	middle, x := dense.Center(j.x())
	k = &outofsample.KernelSamples{Kernel: kernel, Middle: middle, X: x, K: neighborsOption.of(j)}
	points = j.x()
	if kernel.Name == kernels.Polynomial {
		f, err := kernels.Factorise(j.ctx, kernel, x, polynomialRank)
		if err != nil {
			return nil, nil, nil, kernelFault(j.work, err)
		}
		if len(f.Pivots) == polynomialRank && f.Rest > kernels.PivotTolerance {
			j.warn("the neighbours were found with an approximation of the kernel at rank %d, which misses a share of %.2g of its trace", polynomialRank, f.Rest)
		}
		points = f.F
	}
	nb, err = neighborsOf(j, points, k.K)
	return k, points, nb, err
}

// kernelWeights returns the graph of pairs, each weighted by its kernel value, which must not be
// negative. It warns of pairs that lie so far apart that the RBF kernel nearly vanishes. The
// argument kind names the kind of pairs in the warning.
func kernelWeights(j *job, s *outofsample.KernelSamples, kind string, pairs []data.Pair) (*sparse.CSR, error) {
	faint := 0
	for _, p := range pairs {
		v := s.At(p.I, p.J)
		if !(v >= 0) {
			return nil, j.fault("kernel", s.Kernel.Name, fmt.Errorf("%w: the kernel is %g for the pair (%d, %d), but a weight must not be negative", ErrOption, v, p.I, p.J), "set Kernel(RBF)")
		}
		if s.Kernel.Name == kernels.RBF && !noticeable(v) {
			faint++
		}
	}
	if faint > 0 {
		j.warn("the kernel nearly vanishes for %d of %d %s pairs, so that their weights have no effect; raise Scale", faint, len(pairs), kind)
	}
	return pairing.Graph(j.data.Len(), pairs, s.At)
}

// cannotKernelWeights is kernelWeights for the cannot-links. It returns an error if all weights
// nearly vanish and the numerator has no other term.
func cannotKernelWeights(j *job, s *outofsample.KernelSamples, pairs []data.Pair) (*sparse.CSR, error) {
	g, err := kernelWeights(j, s, "cannot-link", pairs)
	if err == nil && s.Kernel.Name == kernels.RBF && globalOption.of(j) == 0 && !slices.ContainsFunc(g.Val, noticeable) {
		return nil, j.fault("scale", s.Kernel.Scale, fmt.Errorf("%w: the kernel nearly vanishes for all cannot-link pairs, so the numerator is 0", ErrOption), "raise Scale, or set Global above 0")
	}
	return g, err
}

// noticeable reports whether a value of the RBF kernel is more than a rounding error relative to
// its largest value, 1.
func noticeable(v float64) bool { return v > 0x1p-52 }
