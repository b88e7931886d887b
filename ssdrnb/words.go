package ssdrnb

import (
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/contrast"
)

// Word is a word that is typical of a cluster.
type Word struct {
	Text string
	// Weight is c-TF-IDF: the share of the word among those of the cluster times log(1 + A/f),
	// where f is the number of its uses, and A the mean number of words of a cluster.
	Weight float64
	// ShareIn and ShareOut are the shares of the samples with a text, in the cluster and outside,
	// that have the word.
	ShareIn, ShareOut float64
}

// Words returns the typical words of each cluster in an attribute of text, such as titles or
// comments: the highest weight by c-TF-IDF first, where noise is one more cluster. Words are of
// two letters at least, in lower case. Those that a cluster has no more often than others, such as
// "the", are left out, in any language that separates its words.
//
// Source: Grootendorst, "BERTopic: Neural topic modeling with a class-based TF-IDF procedure",
// 2022.
//
// found must be of the samples of d, and d must have the attribute; otherwise the error wraps
// [ErrOption].
func Words(d *data.Data, attribute string, found *Grouping) ([][]Word, error) {
	if err := checkGroups("Words", d, found); err != nil {
		return nil, err
	}
	k := slices.IndexFunc(d.Attributes, func(a data.Attribute) bool { return a.Name == attribute })
	if k < 0 {
		return nil, &Error{Method: "Words", Param: "attribute", Value: attribute, Err: fmt.Errorf("%w: the data have no such attribute", ErrOption), Remedy: "add it with Data.WithAttribute"}
	}
	out := make([][]Word, found.Count())
	for c, words := range contrast.Words(d.Attributes[k].Values, contrast.GroupsOf(found.of, found.Count())) {
		for _, w := range words {
			out[c] = append(out[c], Word(w))
		}
	}
	return out, nil
}
