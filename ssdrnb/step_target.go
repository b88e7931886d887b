package ssdrnb

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/guide"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Neighbour embeddings propagate a numeric target to all samples. It becomes an additional feature,
// scaled according to the cross-validated accuracy of the propagation.

// TargetStrength(p): For exploration only: a strength above the cross-validated value turns
// noise into a gradient.
var targetStrengthOption = floatOption{Name: "target strength", Setter: "TargetStrength", Default: float64(Auto), Min: 0, Max: 1,
	Auto: "from 0, if propagation predicts left-out values of the target no better than shuffled values, to 1, if it predicts them exactly",
	Doc:  "strength of a numeric target in the layout; 0 turns it off"}

// copied is the cross-validated share of explained variance q² above which a target is probably a
// copy of a feature.
const copied = 0.999

// pointsOf holds the points among which a layout searches for neighbours.
type pointsOf struct {
	x      *mat.Dense
	search graph.SearchOptions
	target *outofsample.Target // nil without a target feature
}

// plainPoints returns the samples of the data, without a target feature.
func plainPoints(j *job) pointsOf { return pointsOf{x: j.x(), search: searchOf(j)} }

// samples returns the training points to which the rules for new points measure distances.
func (p pointsOf) samples(j *job) outofsample.Samples {
	if p.target == nil {
		return known(j)
	}
	return outofsample.Samples{X: p.x, N: j.data.Len()}
}

// mapping returns the rule for new samples. It adds the target feature to them, then applies the
// rule in the argument next.
func (p pointsOf) mapping(next outofsample.Map) outofsample.Map {
	if p.target == nil {
		return next
	}
	return &outofsample.Chain{First: p.target, Second: next}
}

// widened propagates the target of the data, if there is one, along the given graph. It returns two
// results. The first is the samples with the propagated target as an additional feature, or the
// samples alone if the target has no effect. The second is the propagated target, or nil. The
// argument nb has the neighbours of the samples.
func widened(j *job, along *sparse.CSR, nb *graph.Neighbors) (pointsOf, *carried, error) {
	plain := plainPoints(j)
	target, ok, err := knownTarget(j)
	if err != nil || !ok {
		return plain, nil, err
	}
	if err := j.begin("target"); err != nil {
		return plain, nil, err
	}
	if plain.x == nil {
		j.warn("the target %q guides only embeddings of dense features, but the data have none: the embedding does not use the target; reduce sparse rows with Data.PCA", j.data.Target().Name)
		return plain, nil, nil
	}
	if !outofsample.HasChords(plain.search.Metric) {
		j.warn("the target %q cannot guide an embedding with the %s metric and is ignored: set Metric to %q, %q or %q", j.data.Target().Name, plain.search.Metric, Euclidean, Cosine, Correlation)
		return plain, nil, nil
	}
	x, err := shared(j.work, chordStep{plain.search.Metric})
	if err != nil {
		return plain, nil, err
	}
	c, err := shared(j.work, carryStep{x, along})
	if err != nil {
		return plain, nil, err
	}
	guidance := guidanceOption.of(j)
	if guidance == 0 {
		j.unused(targetStrengthOption.Name, "the guidance is 0")
	}
	strength := guidance * tellTarget(j, c, len(target.Rows), guidance)
	out := &carried{values: c.Value(), variances: c.Variance, reached: c.Reached}
	if strength == 0 {
		return plain, out, nil
	}
	w, err := shared(j.work, fuzzyWeights{nb, embed.PlainFuzzy})
	if err != nil {
		return plain, nil, err
	}
	f, err := shared(j.work, featureStep{x, plain.search.Metric, w, c, strength})
	if err != nil || f.Factor == 0 {
		return plain, out, err
	}
	search := plain.search
	search.Metric = graph.Euclidean
	return pointsOf{x: f.Samples, search: search, target: f}, out, nil
}

// knownTarget returns the known values of the target and their rows; ok is false if there are none.
func knownTarget(j *job) (known guide.Target, ok bool, err error) {
	t := j.data.Target()
	if t == nil {
		return known, false, nil
	}
	known = targetOf(t)
	if len(known.Rows) == 0 {
		j.warn("no value of the target %q is known: the embedding does not use it; give values with Data.WithTarget", t.Name)
		return known, false, nil
	}
	return known, true, checkTarget(j, known)
}

// targetOf returns the known values of a target with their rows.
func targetOf(t *data.Target) guide.Target {
	out := guide.Target{Rows: t.Known()}
	for _, i := range out.Rows {
		out.Values = append(out.Values, t.Values[i])
	}
	return out
}

// knownRows marks the samples with a known value.
func knownRows(t *data.Target) []bool {
	known := make([]bool, len(t.Values))
	for _, i := range t.Known() {
		known[i] = true
	}
	return known
}

// checkTarget returns an error if squares of target values overflow or underflow.
func checkTarget(j *job, t guide.Target) error {
	largest, spread := 0.0, 0.0
	for _, v := range t.Values {
		largest, spread = max(largest, math.Abs(v)), max(spread, math.Abs(v-t.Values[0]))
	}
	name := j.data.Target().Name
	switch {
	case largest > mostMeasurable:
		return j.fault("target", nil, fmt.Errorf("%w: the squares of values of %q up to %.3g overflow", ErrData, name, largest), "give the values in a larger unit with Data.WithTarget")
	case spread > 0 && spread < leastMeasurable:
		return j.fault("target", nil, fmt.Errorf("%w: the values of %q differ by at most %.3g, whose square underflows", ErrData, name, spread), "give the values in a smaller unit with Data.WithTarget")
	}
	return nil
}

// tellTarget records the cross-validated accuracy of the propagated target. It returns the strength
// of the target in the layout, in [0, 1]. This is the option "target strength", or a strength
// derived from the accuracy if the option is [Auto], if there is no guidance, or if all known
// values are equal.
func tellTarget(j *job, c *guide.CarriedTarget, known int, guidance float64) float64 {
	name, q2 := j.data.Target().Name, c.Q2[c.Chosen]
	j.fact("target known", float64(known))
	for k, v := range c.Q2 {
		j.fact("target q2 "+guide.Carrying(k).String(), v)
	}
	j.fact("target q2", q2)
	strength := c.Strength
	forced := guidance > 0 && !targetStrengthOption.auto(j)
	if forced && slices.Min(c.Value()) == slices.Max(c.Value()) {
		j.unused(targetStrengthOption.Name, fmt.Sprintf("all known values of the target %q are equal", name))
	} else if forced {
		strength = targetStrengthOption.of(j)
	}
	j.fact("target strength", strength)
	switch {
	case forced && strength > c.Strength:
		j.warn("the strength of the target %q is forced to %.2g, although cross-validation gives %.2g: gradients in the embedding may be noise", name, strength, c.Strength)
	case forced:
	case math.IsNaN(q2) && known < guide.LeastKnown:
		j.warn("%s of the target %q %s known, too few to leave some out: the embedding does not use %s; give at least %d", nouns.Count(known, "value"), name, nouns.Form(known, "is", "are"), nouns.Form(known, "it", "them"), guide.LeastKnown)
	case math.IsNaN(q2):
		j.warn("the known values of the target %q are all equal: the embedding does not use them", name)
	case strength == 0:
		j.warn("left-out values of the target %q cannot be predicted from the other known values (q2 %.2f): the embedding does not use the target; give more values, or other features", name, q2)
	case q2 > copied:
		j.warn("left-out values of the target %q are predicted almost exactly (q2 %.4f): it may be a copy of a feature; leave that feature out", name, q2)
	}
	if lost := missing(c.Reached); lost > 0 {
		j.warn("%s without a known value of the target %q, which cannot be propagated there; raise Neighbors, or measure a sample of each component, for example those that Suggest proposes", nouns.Number(lost, "sample lies in a component of the graph", "samples lie in components of the graph"), name)
	}
	if !c.Converged {
		j.warn("the propagation of the target %q did not converge, probably because the graph is nearly disconnected: predicted values may be inaccurate", name)
	}
	if strength*guidance > 0 && j.data.NumLabelled() > 0 {
		j.warn("labels and the target %q both shape the embedding; call Data.HideLabels to leave only the target", name)
	}
	return strength
}

// missing returns the number of entries that are false.
func missing(list []bool) int {
	n := 0
	for _, v := range list {
		if !v {
			n++
		}
	}
	return n
}

// chordStep transforms the samples so that their Euclidean distances have the same order as the
// original distances under the metric.
type chordStep struct{ metric graph.Metric }

func (s chordStep) run(w *work) (*mat.Dense, error) { return outofsample.Chords(w.x(), s.metric) }

// carryStep propagates the target of the data along a graph.
type carryStep struct {
	x     *mat.Dense
	graph *sparse.CSR
}

func (s carryStep) run(w *work) (*guide.CarriedTarget, error) {
	return guide.CarryTarget(w.ctx, s.graph, s.x, targetOf(w.data.Target()), 0)
}

// featureStep adds the propagated target to the samples x as a feature. Along a typical edge of the
// graph, the feature differs by √strength times the distance in the other features.
type featureStep struct {
	x        *mat.Dense
	metric   graph.Metric // metric of the features
	graph    *sparse.CSR
	carried  *guide.CarriedTarget
	strength float64
}

func (s featureStep) run(*work) (*outofsample.Target, error) {
	c, value := s.carried, s.carried.Value()
	f, err := guide.NewFeature(s.graph, s.x, value, s.strength)
	if err != nil || f.Factor == 0 {
		return &outofsample.Target{}, err
	}
	_, d := s.x.Dims()
	t := &outofsample.Target{Samples: guide.Widened(s.x, f.Of(value)), Metric: s.metric, K: min(targetNeighbors, len(value)), Weights: make([]float64, d),
		Rest: slices.Clone(value), Mean: f.Mean, Factor: f.Factor}
	if c.Chosen != guide.Walks {
		copy(t.Weights, c.Line.Weights)
		t.Bias = c.Line.Bias
		for k, v := range c.Line.Mean {
			t.Bias -= float64(v * t.Weights[k])
		}
		for i, v := range c.By[guide.ByLine] {
			t.Rest[i] -= v
		}
	}
	return t, nil
}

// targetNeighbors is the number of nearest samples from which the target of a new point is
// predicted.
const targetNeighbors = 6
