package viz

import (
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// gradeLooks lists the grades of a comparison with noise in the order of the legend. Their colours
// are blue, grey and orange.
var gradeLooks = []category{
	{name: string(ssdrnb.BetterThanNoise), look: 0},
	{name: string(ssdrnb.UnclearNoise), look: 2, grey: true},
	{name: string(ssdrnb.NoBetterThanNoise), look: 1},
}

// AgainstNull draws the first two dimensions of an embedding in three colours. The colours
// distinguish samples that keep more of their nearest neighbours in the embedding than noise does,
// samples that keep no more, and unclear cases. t must be the comparison of the same method and
// data with noise, see [ssdrnb.AgainstNull]. Lines below the figure report the verdict on the
// embedding as a whole and the number of islands, see [ssdrnb.NullTable]. Other figures of
// embeddings show the same colours and lines if t is passed to [Figure.Color].
func AgainstNull(m Embedded, t *ssdrnb.NullTable) Figure {
	if err := drawable(m); err != nil {
		return failed("embedding", err)
	}
	l := &linked{model: m}
	return l.figure(title(m)+" against noise", style{color: t})
}

// gradesOf returns the grades of samples as categories.
func gradesOf(method string, p *panel, t *ssdrnb.NullTable) (column, error) {
	c := column{name: "against noise", coded: true}
	switch {
	case t == nil:
		return c, fmt.Errorf("viz: %s: the comparison with noise is nil; give the result of ssdrnb.AgainstNull", method)
	case len(t.Grades) != p.n:
		return c, fmt.Errorf("viz: %s: the comparison with noise has %s, but the embedding has %d; compare the data that the model was fitted to", method, nouns.Count(len(t.Grades), "sample"), p.n)
	}
	c.index = slices.Repeat([]int{-1}, p.n)
	c.keys = slices.Clone(gradeLooks)
	for k, g := range gradeLooks {
		for i, v := range t.Grades {
			if string(v) == g.name {
				c.index[i] = k
			}
		}
	}
	return c, nil
}

// verdict returns the lines below a figure coloured by a comparison with noise.
func (s style) verdict() []string {
	if t, ok := s.color.(*ssdrnb.NullTable); ok && t != nil {
		return nullNotes(t)
	}
	return nil
}

// enoughRuns is the recommended number of runs. If there are fewer runs, the line about an unclear
// verdict suggests more.
const enoughRuns = 10

// nullNotes returns the lines about a comparison with noise.
func nullNotes(t *ssdrnb.NullTable) []string {
	of := func(subject string, c ssdrnb.NullComparison, what, null string) string {
		lo, hi := c.Value, c.Value
		if len(c.Null) > 0 {
			lo, hi = slices.Min(c.Null), slices.Max(c.Null)
		}
		by := fmt.Sprintf("%.0f", 100*lo)
		if to := fmt.Sprintf("%.0f", 100*hi); to != by {
			by += " to " + to
		}
		text := fmt.Sprintf("%s is %s: %.0f %% of %s, %s %% with %s.", subject, graded(c.Grade), 100*c.Value, what, by, null)
		if runs := len(c.Null); c.Grade == ssdrnb.UnclearNoise && runs < enoughRuns {
			text += fmt.Sprintf(" Only %d runs with noise were made; %d runs would also detect weaker structure.", runs, enoughRuns)
		}
		return text
	}
	out := []string{of("The embedding", t.Kept, "the "+nouns.Number(t.K, "nearest neighbour is kept", "nearest neighbours are kept"), "permuted features")}
	if t.Labels != nil {
		out = append(out, of("The agreement of labels", *t.Labels, "labelled samples have the same class as the nearest other labelled sample", "shuffled labels"))
	}
	return append(out, t.Sentence()+".")
}

// graded formats a grade as part of a sentence.
func graded(g ssdrnb.Grade) string {
	if g == ssdrnb.UnclearNoise {
		return "not clearly better than noise"
	}
	return string(g)
}
