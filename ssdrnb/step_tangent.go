package ssdrnb

import (
	"fmt"

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
		return j.faultAmong([]string{"neighbors", "dims"}, "dims", fmt.Errorf("%w: a neighbourhood of %s has at most %s, not %d", ErrOption, nouns.Count(k, "sample"), nouns.Count(k-1, "direction"), d), "raise Neighbors, or ask for fewer dimensions")
	}
	return nil
}
