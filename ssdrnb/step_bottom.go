package ssdrnb

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// bottomOf returns the d smallest eigenpairs, ascending, of the positive semidefinite operator m.
// The argument null is the null space of m. Its first basis vector, the trivial eigenvector, is
// excluded. Its other basis vectors come first in the result, ordered by the variation of the
// samples x along them. The argument norm is an upper bound on the eigenvalues.
func bottomOf(j *job, m spectral.Operator, norm float64, null spectral.Null, x *mat.Dense, d int) (*spectral.Pairs, error) {
	options := spectral.Options{Tolerance: 1e-12, Null: null, Along: x}
	pairs, err := spectral.BottomNontrivial(j.ctx, m, d, options)
	if errors.Is(err, spectral.ErrNotConverged) {
		// The automatic method may use the inverse of the matrix. A second null vector then has a
		// huge eigenvalue and dominates the inverse. A polynomial filter avoids this.
		options.Method, options.Tolerance = spectral.Chebyshev, 1e-10
		pairs, err = spectral.BottomNontrivial(j.ctx, m, d, options)
	}
	if err != nil {
		return nil, err
	}
	judge(j, pairs, norm)
	return pairs, nil
}

// judge records the eigengap. It sets negative eigenvalues, which are rounding errors, to 0. It
// warns if the embedding is not unique, or if a coordinate only separates parts of the samples. The
// argument norm is an upper bound on the eigenvalues.
func judge(j *job, pairs *spectral.Pairs, norm float64) {
	for k, v := range pairs.Values {
		pairs.Values[k] = max(v, 0)
	}
	j.gap(pairs.Gap)
	if pairs.Gap <= 1e-13*norm {
		j.warn("eigenvalues %d and %d of the embedding are equal up to rounding: the embedding is not unique", len(pairs.Values), len(pairs.Values)+1)
	}
	if pairs.Null > 1 {
		return // countComponents has already warned
	}
	_, d := pairs.Vectors.Dims()
	for k := range d {
		if parts := separatedParts(mat.Col(nil, k, pairs.Vectors)); parts != nil {
			remedy := "fit the parts separately"
			if j.spec.method.has(affinityOption.Name) { // non-binary weights between the parts nearly vanish
				switch binary, more := affinityOption.of(j) == Binary, j.neighborsRaisable(); {
				case more && !binary:
					remedy = "raise Neighbors and set Affinity(Binary), or fit the parts separately"
				case more:
					remedy = "raise Neighbors, or fit the parts separately"
				case !binary:
					remedy = "set Affinity(Binary), or fit the parts separately"
				}
			}
			names := make([]string, len(parts))
			for a, part := range parts {
				names[a] = listed(part)
			}
			j.report.add(warning{kind: nearParts, text: fmt.Sprintf("the neighbourhood graph is nearly disconnected: coordinate %d mainly separates %s from all others; %s", k+1, strings.Join(names, ", and "), remedy)})
			return
		}
	}
}

// A coordinate only separates parts of the samples if its spread within each part is at most
// apartness times the smallest gap between parts. At most mostParts parts are considered.
const (
	apartness = 1e-2
	mostParts = 8
)

// separatedParts divides the indices of the samples into parts that are far apart along a
// coordinate. The argument values holds this coordinate. It returns all parts except the largest,
// or nil if the values cannot be divided. There may be more than two parts, because a single
// coordinate can separate several.
func separatedParts(values []float64) [][]int {
	ascending := order.By(len(values), func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	cuts := make([]int, 0, len(ascending)) // positions of gaps, the largest gap first
	for a := 1; a < len(ascending); a++ {
		cuts = append(cuts, a)
	}
	gap := func(a int) float64 { return values[ascending[a]] - values[ascending[a-1]] }
	slices.SortStableFunc(cuts, func(a, b int) int { return cmp.Compare(gap(b), gap(a)) })
	for count := 1; count < min(mostParts, len(ascending)/5) || count == 1 && len(cuts) > 0; count++ {
		ends := append(slices.Sorted(slices.Values(cuts[:count])), len(ascending))
		begin, spread, parts := 0, 0.0, [][]int(nil)
		for _, end := range ends {
			spread = max(spread, values[ascending[end-1]]-values[ascending[begin]])
			parts = append(parts, slices.Sorted(slices.Values(ascending[begin:end])))
			begin = end
		}
		if least := gap(cuts[count-1]); !(least > 0) {
			return nil
		} else if spread <= apartness*least {
			slices.SortStableFunc(parts, func(a, b []int) int { return len(b) - len(a) })
			return parts[1:]
		}
	}
	return nil
}
