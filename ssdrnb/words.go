package ssdrnb

import (
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/contrast"
)

// Word is a typical word of a cluster.
type Word struct {
	Text string
	// Weight is the c-TF-IDF weight: the share of the word among all words of the cluster, times
	// log(1 + A/f). f is the number of occurrences of the word, and A the mean number of words per
	// cluster.
	Weight float64
	// ShareIn is the share of samples that contain the word, among the samples of the cluster that
	// have a text. ShareOut is this share among the samples outside the cluster.
	ShareIn, ShareOut float64
}

// Words returns the typical words of each cluster in a text attribute, such as titles or comments.
// They are sorted by c-TF-IDF weight, the highest first. Samples outside all clusters (noise) are
// treated as another cluster. Words have at least two letters and are in lower case. Words that are
// no more frequent in the cluster than elsewhere, such as "the", are left out. This works for any
// language that separates words by spaces or punctuation.
//
// Source: Grootendorst, "BERTopic: Neural topic modeling with a class-based TF-IDF procedure",
// 2022.
//
// The error wraps [ErrOption] if found is not a grouping of the samples of d, or if d does not have
// the attribute. It wraps [ErrData] if d is nil or invalid.
func Words(d *data.Data, attribute string, found *Grouping) ([][]Word, error) {
	if err := checkGroups("Words", d, found); err != nil {
		return nil, err
	}
	k := slices.IndexFunc(d.Attributes, func(a data.Attribute) bool { return a.Name == attribute })
	if k < 0 {
		return nil, &Error{Method: "Words", Param: "attribute", Value: attribute, Err: fmt.Errorf("%w: the data have no attribute of this name", ErrOption), Remedy: "add it with Data.WithAttribute"}
	}
	out := make([][]Word, found.Count())
	for c, words := range contrast.Words(d.Attributes[k].Values, contrast.GroupsOf(found.cluster, found.Count())) {
		for _, w := range words {
			out[c] = append(out[c], Word(w))
		}
	}
	return out, nil
}
