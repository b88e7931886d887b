package viz

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Stays colours each sample by the share of its 15 nearest neighbours in the first embedding that
// are also among its 15 nearest in the second. Pass it to [Figure.Color] of a figure that [Compare]
// returns for two embeddings of the same samples. Samples with a small share have moved.
const Stays Fact = "stays"

// mostCompared is the largest number of samples for which [Compare] compares neighbours by
// default.
const mostCompared = 20_000

// moved contains, for each sample, the share of neighbours that two embeddings have in common.
type moved struct {
	stays []float64
	k     int
}

// movedOf computes, for each sample, the share of nearest neighbours that a and b have in common.
func movedOf(a, b Embedded) (*moved, error) {
	n, _ := a.Embedding().Dims()
	if m, _ := b.Embedding().Dims(); m != n {
		return nil, fmt.Errorf("viz: Compare: %q and %q have %d and %s; compare embeddings of the same samples", cut(a.Method()), cut(b.Method()), n, nouns.Count(m, "sample"))
	}
	if n < 3 {
		return nil, fmt.Errorf("viz: Compare: %s, too few to compare neighbours; give at least 3", thereAre(n, "sample"))
	}
	m := &moved{k: min(judged, (n-1)/2)}
	var err error
	m.stays, err = metrics.Reliability(context.Background(), a.Embedding(), b.Embedding(), m.k)
	return m, err
}

// note returns the line below the figure about the shared neighbours. The first sentence of the
// line begins with the argument both, which names the two embeddings.
func (m *moved) note(a, b Embedded, both string) string {
	sum, few := 0.0, 0
	for _, v := range m.stays {
		sum += v
		if v < 0.5 {
			few++
		}
	}
	n := float64(len(m.stays))
	text := fmt.Sprintf("%s have on average %.0f %% of the %s of a sample in common (by chance %.1f %%). %.0f %% of the samples have fewer than half in common.",
		both, 100*sum/n, nouns.Count(m.k, "nearest neighbour"), 100*float64(m.k)/(n-1), 100*float64(few)/n)
	if p, err := metrics.Procrustes(plane(a), plane(b)); err == nil {
		text += fmt.Sprintf(" Procrustes residual %.2f: the share of the variance by which the two maps differ after rotation and scaling.", p)
	}
	return text
}

func plane(m Embedded) *mat.Dense {
	y := m.Embedding()
	n, d := y.Dims()
	out := mat.NewDense(n, 2, nil)
	out.Slice(0, n, 0, min(d, 2)).(*mat.Dense).Copy(y)
	return out
}

// compared returns the lines about the neighbours that the first embedding and each other embedding
// of the same samples have in common. It also returns the style s, in which the computed shares
// replace the colour Stays.
func (e *embeddings) compared(s style) (_ style, notes []string, _ error) {
	if s.color == Stays {
		if len(e.models) != 2 {
			return s, nil, fmt.Errorf("viz: Color(Stays): the figure has %s; give Compare two embeddings of the same samples", nouns.Count(len(e.models), "embedding"))
		}
		m, err := movedOf(e.models[0], e.models[1])
		if err != nil {
			return s, nil, err
		}
		s.color = column{name: string(Stays), computed: true, number: m.stays}
		if differ(e.models[0].Data(), e.models[1].Data()) {
			notes = append(notes, "The features of the two data sets differ: samples are matched by their order.")
		}
	}
	names := captionNames(e.models, s)
	for k, other := range e.models {
		if k == 0 || !sameSamples(e.models[0], other) || differ(e.models[0].Data(), other.Data()) {
			continue
		}
		both := names[0] + " and " + names[k]
		if len(e.models) == 2 && e.models[0].Method() == other.Method() {
			both = "The two maps"
		}
		if m, err := movedOf(e.models[0], other); err == nil {
			notes = append(notes, m.note(e.models[0], other, both))
		}
	}
	return s, notes, nil
}

// differ reports whether the features show that two data sets contain different samples, or the
// same samples in another order. It returns false if the features cannot be compared, because they
// are principal components or because the two data sets have different numbers of features.
func differ(a, b *data.Data) bool {
	for _, d := range []*data.Data{a, b} {
		if _, _, affine := d.Scaling().Affine(); d.X == nil || !affine && !d.Scaling().IsZero() {
			return false
		}
	}
	return a.X.RawMatrix().Cols == b.X.RawMatrix().Cols && fingerprint(a) != fingerprint(b)
}

// sameSamples reports whether two embeddings contain the same samples. It returns false if there
// are more than mostCompared. Two data sets contain the same samples if they share the feature
// matrix, or if they have the same name and the same true classes; see also differ.
func sameSamples(a, b Embedded) bool {
	x, y := a.Data(), b.Data()
	n, _ := a.Embedding().Dims()
	m, _ := b.Embedding().Dims()
	return n == m && n <= mostCompared && (x == y || x.X != nil && x.X == y.X || x.Name == y.Name && x.Truth != nil && slices.Equal(x.Truth, y.Truth))
}
