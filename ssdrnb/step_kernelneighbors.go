package ssdrnb

import (
	"fmt"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/kernels"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// polynomialRank bounds the factor in which the neighbours by a polynomial kernel are
// looked for.
const polynomialRank = 1000

// kernelNearest returns the kernel of the samples and their neighbours by the kernel
// distance K_ii + K_jj − 2K_ij. For the RBF and linear kernels they are the Euclidean
// ones; for the polynomial they are those of a factor of the kernel matrix.
func kernelNearest(j *job) (*outofsample.KernelSamples, *graph.Neighbors, error) {
	if err := j.begin("neighbours"); err != nil {
		return nil, nil, err
	}
	k, err := kernelOf(j)
	if err != nil {
		return nil, nil, err
	}
	middle, x := dense.Center(j.x())
	s := &outofsample.KernelSamples{Kernel: k, Middle: middle, X: x, K: neighborsOption.of(j)}
	points := j.x()
	if k.Name == Polynomial {
		f, err := kernels.Factorise(j.ctx, k, x, polynomialRank)
		if err != nil {
			return nil, nil, kernelFault(j.work, err)
		}
		points = f.F
	}
	nb, err := neighborsOf(j, points, s.K)
	return s, nb, err
}

// kernelWeights returns the graph of pairs with the kernel of each, which must not be
// negative.
func kernelWeights(j *job, s *outofsample.KernelSamples, pairs []data.Pair) (*sparse.CSR, error) {
	for _, p := range pairs {
		if v := s.At(p.I, p.J); !(v >= 0) {
			return nil, j.fault("kernel", s.Kernel.Name, fmt.Errorf("%w: it is %g for the pair (%d, %d), which makes no weight", ErrOption, v, p.I, p.J), "take the RBF kernel")
		}
	}
	return pairing.Graph(j.data.Len(), pairs, s.At)
}
