package ssdrnb

import (
	"cmp"
	"errors"
	"slices"

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
		// A second null vector dominates the inverse of the matrix, but not a polynomial filter.
		options.Method, options.Tolerance = spectral.Chebyshev, 1e-10
		pairs, err = spectral.BottomNontrivial(j.ctx, m, d, options)
	}
	if err != nil {
		return nil, err
	}
	judge(j, pairs, norm)
	return pairs, nil
}

// judge records the eigengap, and warns if the embedding is not unique. Computed null
// values may be negative by rounding.
func judge(j *job, pairs *spectral.Pairs, norm float64) {
	for k, v := range pairs.Values {
		pairs.Values[k] = max(v, 0)
	}
	j.gap(pairs.Gap)
	if pairs.Gap <= 1e-13*norm {
		j.warn("eigenvalues %d and %d of the embedding are equal up to rounding: the embedding is not unique", len(pairs.Values), len(pairs.Values)+1)
	}
	if pairs.Null > 1 {
		return // countComponents has warned
	}
	_, d := pairs.Vectors.Dims()
	for k := range d {
		if part := apart(mat.Col(nil, k, pairs.Vectors)); part != nil {
			remedy := "fit the parts separately"
			if j.spec.method.has(affinityOption.Name) { // other weights between the parts nearly vanish
				remedy = "raise Neighbors and set Affinity(Binary), or " + remedy
			}
			j.warn("the neighbourhood graph is nearly disconnected: coordinate %d mainly separates %s from all others; %s", k+1, listed(part), remedy)
			return
		}
	}
}

// A coordinate shows only two parts if the spread within them is below apartness times the gap
// between them.
const apartness = 1e-2

// apart returns the smaller of two parts of the values, nil if they are not separated.
func apart(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(values[a], values[b]), a-b) })
	at, gap := 0, 0.0
	for a := 1; a < len(order); a++ {
		if g := values[order[a]] - values[order[a-1]]; g > gap {
			at, gap = a, g
		}
	}
	last := len(order) - 1
	if at == 0 || max(values[order[at-1]]-values[order[0]], values[order[last]]-values[order[at]]) > apartness*gap {
		return nil
	}
	part := order[:at]
	if len(part) > len(order)/2 {
		part = order[at:]
	}
	return slices.Sorted(slices.Values(part))
}
