package ssdrnb

import (
	"fmt"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Local coordinates in the tangent space of a neighbourhood, for LTSA and HLLE.

// checkTangent returns an error if neighbourhoods of k samples have fewer tangent directions than
// the embedding has dimensions.
func checkTangent(j *job, k int) error {
	d, features := dimsOption.of(j), j.data.NumFeatures()
	switch {
	case d > features && !j.data.Related():
		return j.fault("dims", d, fmt.Errorf("%w: data with %s have at most %s", ErrOption, nouns.Count(features, "feature"), nouns.Count(features, "tangent direction")), fmt.Sprintf("ask for at most %d", features))
	case d >= k:
		var remedies []string
		if j.neighborsRaisable() {
			remedies = append(remedies, "raise Neighbors")
		}
		if d > 1 && k > 1 {
			remedies = append(remedies, "ask for fewer dimensions")
		}
		if remedies == nil {
			remedies = append(remedies, "give more samples")
		}
		return j.faultAmong([]string{"neighbors", "dims"}, "dims", fmt.Errorf("%w: a neighbourhood of %s has at most %s, not %d", ErrOption, nouns.Count(k, "sample"), nouns.Count(k-1, "direction"), d), strings.Join(remedies, ", or "))
	}
	return nil
}
