package ssdrnb

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// bottomOf returns the d smallest eigenpairs, ascending, of a positive semidefinite operator
// of the samples x, except the trivial one: the first basis vector of null, on which the
// operator vanishes. norm bounds its eigenvalues.
func bottomOf(j *job, m spectral.Operator, norm float64, null spectral.Null, x *mat.Dense, d int) (*spectral.Pairs, error) {
	options := spectral.Options{Tolerance: 1e-12, Null: null, Along: x}
	pairs, err := spectral.BottomNontrivial(j.ctx, m, d, options)
	if errors.Is(err, spectral.ErrNotConverged) {
		// The inverse of a matrix with another null vector has nothing but that vector
		// to rounding; filters see past it.
		options.Method, options.Tolerance = spectral.Chebyshev, 1e-10
		pairs, err = spectral.BottomNontrivial(j.ctx, m, d, options)
	}
	if err != nil {
		return nil, err
	}
	judge(j, pairs, norm)
	return pairs, nil
}

// judge records the eigengap, and warns of an embedding that is not unique. Computed
// null values may be negative by rounding.
func judge(j *job, pairs *spectral.Pairs, norm float64) {
	for k, v := range pairs.Values {
		pairs.Values[k] = max(v, 0)
	}
	j.gap(pairs.Gap)
	if pairs.Gap <= 1e-13*norm {
		j.warn("the eigenvalues %d and %d of the embedding are equal up to rounding: other embeddings are as good", len(pairs.Values), len(pairs.Values)+1)
	}
}
