package viz

import (
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// gradeLooks are the grades in the order of the legend with the ranks of their colours.
var gradeLooks = []struct {
	grade ssdrnb.Grade
	look  int
}{{ssdrnb.BetterThanNoise, 0}, {ssdrnb.UnclearNoise, 7}, {ssdrnb.NoBetterThanNoise, 1}}

// AgainstNull draws the first two dimensions of an embedding in three colours: samples that keep
// more of their neighbours than those of noise, unclear ones, and samples that keep no more. t is
// the comparison of the same method and data, see [ssdrnb.AgainstNull]. Lines below the figure
// have its verdict on the picture, and tell of the islands.
func AgainstNull(m Embedded, t *ssdrnb.NullTable) Figure {
	fail := func(err error) Figure { return failed("embedding", err) }
	if err := drawable(m); err != nil {
		return fail(err)
	}
	if t == nil {
		return fail(fmt.Errorf("viz: AgainstNull: the comparison is nil; give that of ssdrnb.AgainstNull"))
	}
	n, _ := m.Embedding().Dims()
	if len(t.Grades) != n {
		return fail(fmt.Errorf("viz: AgainstNull: the comparison has %d samples and the embedding %d; compare the data that the model was fitted to", len(t.Grades), n))
	}
	c := column{name: "against noise", of: slices.Repeat([]int{-1}, n), coded: true}
	for k, g := range gradeLooks {
		c.keys = append(c.keys, category{name: string(g.grade), look: g.look})
		for i, v := range t.Grades {
			if v == g.grade {
				c.of[i] = k
			}
		}
	}
	l := &linked{model: m, notes: nullNotes(t)}
	return l.figure(title(m)+" against noise", style{color: c})
}

// nullNotes returns the lines about a comparison with noise.
func nullNotes(t *ssdrnb.NullTable) []string {
	of := func(c ssdrnb.NullComparison, what, null string) string {
		lo, hi := c.Value, c.Value
		if len(c.Null) > 0 {
			lo, hi = slices.Min(c.Null), slices.Max(c.Null)
		}
		return fmt.Sprintf("The picture is %s: %.0f %% of %s, %.0f to %.0f %% with %s.", graded(c.Grade), 100*c.Value, what, 100*lo, 100*hi, null)
	}
	out := []string{of(t.Kept, fmt.Sprintf("the %d nearest neighbours are kept", t.K), "permuted features")}
	if t.Labels != nil {
		out = append(out, of(*t.Labels, "labelled samples have a nearest labelled one of their class", "shuffled labels"))
	}
	return append(out, t.Sentence()+".")
}

// graded writes a grade as part of a sentence.
func graded(g ssdrnb.Grade) string {
	if g == ssdrnb.UnclearNoise {
		return "not clearly better than noise"
	}
	return string(g)
}
