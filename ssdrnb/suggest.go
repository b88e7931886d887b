package ssdrnb

import (
	"container/heap"
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// maxSuggestions is the number of samples that a fit ranks for labelling.
const maxSuggestions = 500

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

// suggest ranks unlabelled samples as [Model.Suggest] says; nil if there are none.
// The gain of a sample can only fall as others are chosen, so an old gain bounds the
// new one, and only samples at the top of the queue are looked at again.
func (t *metricLearner) suggest(doubts []float64) []int {
	reach := slices.Repeat([]float64{math.Inf(1)}, len(t.isLabelled)) // d_v²
	extend := func(i int) {
		for v, d := range t.row(i) {
			reach[v] = min(reach[v], d*d)
		}
	}
	for _, i := range t.labelled {
		extend(i)
	}
	gain := func(u int) float64 {
		sum := 0.0
		for v, d := range t.row(u) {
			if less := reach[v] - d*d; less > 0 {
				sum += (1 + max(doubts[v], 0)) * less
			}
		}
		return sum
	}
	queue := make(candidates, len(t.unlabelled))
	par.Blocks(len(queue), 32, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			queue[k] = candidate{t.unlabelled[k], gain(t.unlabelled[k]), 0}
		}
	})
	heap.Init(&queue)
	var chosen []int
	for len(queue) > 0 && len(chosen) < maxSuggestions {
		if top := &queue[0]; top.round < len(chosen) {
			top.gain, top.round = gain(top.sample), len(chosen)
			heap.Fix(&queue, 0)
			continue
		}
		u := heap.Pop(&queue).(candidate).sample
		chosen = append(chosen, u)
		extend(u)
	}
	return chosen
}

// candidate is a sample with its gain as of the given number of choices.
type candidate struct {
	sample int
	gain   float64
	round  int
}

// candidates is a queue by gain; the lower row first among equals.
type candidates []candidate

func (c candidates) Len() int      { return len(c) }
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c candidates) Less(i, j int) bool {
	if c[i].gain != c[j].gain {
		return c[i].gain > c[j].gain
	}
	return c[i].sample < c[j].sample
}
func (c *candidates) Push(x any) { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	old := *c
	last := old[len(old)-1]
	*c = old[:len(old)-1]
	return last
}
