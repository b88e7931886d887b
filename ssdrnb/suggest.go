package ssdrnb

import (
	"cmp"
	"fmt"
	"slices"
)

// Suggest returns the rows of the n unlabelled samples whose labels would tell most,
// the most informative first; fewer where fewer are unlabelled. Ties go to the lower
// row. n < 1 is an error, and methods that have no opinion give [ErrNoSuggestion].
//
// For the semi-Riemannian methods these are the samples whose component is below the
// threshold in the most metric tensors of labelled samples: neither clearly near to
// them nor clearly far (the outlook of the paper's Section 6).
func (m *Model) Suggest(n int) ([]int, error) {
	if m.doubts == nil {
		return nil, &Error{Method: m.Method(), Param: "Suggest", Err: ErrNoSuggestion, Remedy: "fit S3RMM or KS3RMM"}
	}
	if n < 1 {
		return nil, &Error{Method: m.Method(), Param: "Suggest", Value: n, Err: fmt.Errorf("%w: nothing is asked for", ErrOption), Remedy: "ask for at least one sample"}
	}
	var rows []int
	for i, v := range m.doubts {
		if v >= 0 {
			rows = append(rows, i)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(m.doubts[b], m.doubts[a]) })
	return rows[:min(n, len(rows))], nil
}
