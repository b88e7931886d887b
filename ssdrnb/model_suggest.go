package ssdrnb

import (
	"fmt"
	"slices"
)

// Suggest returns the rows of the n unlabelled samples to label next, the most
// informative first; fewer where fewer are unlabelled, and at most 500. n < 1 is an
// error, and methods without suggestions give [ErrNoSuggestion].
//
// The semi-Riemannian methods choose, one after the other, the sample whose label
// reaches the doubtful ones best: it lowers Σ_v (1 + z_v)·d_v² most, d_v being the
// distance of sample v to the nearest that is labelled or chosen, and z_v the number
// of labelled metric tensors in which v is below the threshold, neither clearly near
// nor clearly far. These zeros are the paper's hint (its Section 6). To label the
// samples of most zeros themselves, as it suggests, does worse than chance: they are
// outliers, whose labels help nobody else.
func (m *Model) Suggest(n int) ([]int, error) {
	if m.suggestions == nil {
		return nil, &Error{Method: m.Method(), Param: "Suggest", Err: ErrNoSuggestion, Remedy: "fit S3RMM or KS3RMM to data with unlabelled samples"}
	}
	if n < 1 {
		return nil, &Error{Method: m.Method(), Param: "Suggest", Value: n, Err: fmt.Errorf("%w: nothing is asked for", ErrOption), Remedy: "ask for at least one sample"}
	}
	return slices.Clone(m.suggestions[:min(n, len(m.suggestions))]), nil
}
