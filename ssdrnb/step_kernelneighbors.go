package ssdrnb

import (
	"fmt"

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
		points = f.F
	}
	nb, err = neighborsOf(j, points, k.K)
	return k, points, nb, err
}

// kernelWeights returns the graph of pairs, each weighted by its kernel value, which must not be
// negative.
func kernelWeights(j *job, s *outofsample.KernelSamples, pairs []data.Pair) (*sparse.CSR, error) {
	for _, p := range pairs {
		if v := s.At(p.I, p.J); !(v >= 0) {
			return nil, j.fault("kernel", s.Kernel.Name, fmt.Errorf("%w: the kernel is %g for the pair (%d, %d), but a weight must not be negative", ErrOption, v, p.I, p.J), "set Kernel(RBF)")
		}
	}
	return pairing.Graph(j.data.Len(), pairs, s.At)
}
