package ssdrnb

import (
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/guide"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// S2NE returns the builder of semi-supervised neighbour embedding. The method computes a UMAP
// layout guided by labels, pairs, known coordinates ([data.Data.WithAnchors]) and a numeric target
// ([data.Data.WithTarget]), alone or together. It then unfolds the layout: t-SNE spreads the
// samples within dense islands. [Model.Values] is empty. [Model.Graph] has the guided weights, and
// [Model.Opinions] the class probabilities, which do not depend on the layout. The report counts
// the must-links whose ends are among each other's nearest 5 % of the samples, and the cannot-links
// whose ends are not.
//
// Source: developed for this library by combining McInnes, Healy, Melville 2018 (the layout); van
// der Maaten, Hinton 2008 (the unfolding); Calder, Cook, Thorpe, Slepčev, "Poisson learning", ICML
// 2020 (labels); Lu, Peng, "Exhaustive and efficient constraint propagation", IJCV 103, 2013
// (pairs).
//
// Objective: first that of [UMAP], then that of [TSNE], with guided weights and affinities. Labels:
// Poisson learning on the graph of [Opinions] gives each sample class probabilities; for m labels,
// its walks have n/m steps on average. The weight of an edge between samples i and j is multiplied
// by a^e. The agreement a is the squared cosine of the angle between the class probabilities at
// both ends, but at least 0.1. The exponent is e = g·(t_i·t_j)^κ with the guidance g and the
// caution κ, where t_i is the share of the edge weights of sample i that guidance 1 without caution
// would keep. Pairs: for an edge and a pair, consider walks from the two ends of the edge, of
// carry/(1 − carry) steps on average. The probability that the two walks reach the two samples of
// the pair is summed over all pairs, counted negatively for cannot-links. The sum is clipped to
// [−1, 1] and multiplied by g, which gives the value f of the edge. A weight w becomes 1 − (1 −
// f)(1 − w) if f ≥ 0 and (1 + f)·w otherwise. The affinity p_ij of t-SNE changes by the same
// formula with w = p_ij/min(m_i, m_j), where m_i is the largest affinity of sample i. Samples with
// known coordinates are fixed there, or attracted to these coordinates if g < 1.
//
// A target is propagated to all samples ([Model.Carried]) by walks on the graph of [Opinions], by
// ridge regression, or by both. The method chooses the one of the three that predicts left-out
// values best in five-fold cross-validation, but prefers walks if their share of explained variance
// is at most 0.02 lower. The propagated value becomes an additional feature. Along a typical edge,
// the difference in this feature is √(g·p) times the distance in all other features together. The
// strength p is (q² − τ)/(1 − τ), clipped to [0, 1], where q² is the cross-validated share of
// explained variance, and τ = 1/√m for m known values. Shuffled targets occasionally reach a q² of
// τ. At p = 0 the target has no effect. For the cosine and correlation metrics, samples are first
// scaled to length 1.
//
// Solution: UMAP's gradient descent on the guided weights from the initial positions. Then t-SNE
// without early exaggeration continues from that layout and spreads the samples within islands.
// With known coordinates, the layout is rotated and warped to match them, and 100 more iterations
// follow. Unfold(0) gives compact islands far apart, like UMAP. In that case a first layout is
// computed without guidance. Labels and pairs are then propagated along the mean of two graphs, the
// neighbour graph of the samples and that of the first layout. The second, guided layout starts
// from the first.
//
// The option density acts in the last stage, as in [UMAP] and [TSNE]. It uses the unguided
// affinities, or for Unfold(0) the edges of the unguided graph.
//
// New points: as in [TSNE], with unguided affinities, or for Unfold(0) as in [UMAP]. With known
// coordinates, positions are in the units of these coordinates.
//
// Cost: a search for the neighbours of t-SNE, one UMAP layout and 300 iterations of t-SNE; one
// sparse linear system for each class and two for each pair. A target adds another search, a system
// with 18 right-hand sides, and 6 regressions of O(mD·min(m, D)) each. The same seed gives the same
// embedding on any number of processors.
//
// Defaults: guidance 1, carry 0.8, caution 0, unfold 300, exaggeration 1 (above 2,000 samples 1 +
// ¾·log₁₀(n/2000), above 20,000 samples 1.4 times that), perplexity 30 (above 20,000 samples 15; at
// most a third of the other samples), one degree of freedom, the rest as UMAP. Unfold is 0 above
// 500,000 samples, and above 2,000 samples in three or more dimensions. With guidance 0, or
// without labels, pairs, coordinates and target, the result is unfolded UMAP, and with Unfold(0)
// UMAP itself.
//
// Fails: guidance does not tolerate label noise. Wrong labels, or pairs that contradict labels (the
// report warns), misplace whole neighbourhoods. Classes look better separated than they are: rate
// the embedding on hidden labels. Pairs act on neighbourhoods: a must-link between distant regions
// of the map may remain unsatisfied. Must-links that connect distant regions and involve a third of
// all samples lower trustworthiness by 0.01. A component of the graph without a label is not
// guided. Known values of a target look better ordered than hidden ones, and with few known values
// p depends on chance.
func S2NE() *S2NEBuilder { return newS2NE(Spec{method: s2ne}) }

// Guidance(g): With guidance 1, known coordinates are exact.
var guidanceOption = floatOption{Name: "guidance", Setter: "Guidance", Default: 1.0, Min: 0, Max: 1,
	Doc: "effect g of labels, pairs, known coordinates and a target, from none (0) to full (1)"}

// Carry(share): This value is the share of the information at a sample that comes from its
// neighbours.
var carryOption = floatOption{Name: "carry", Setter: "Carry", Default: 0.8, Min: tiny, Max: 0.999,
	Doc: "how far pairs propagate along the graph: α of constraint propagation"}

// Caution(power): On images of faces, larger values from 1 to 4 keep more neighbours, but predict
// fewer hidden labels.
var cautionOption = floatOption{Name: "caution", Setter: "Caution", Default: 0.0, Min: 0, Max: 4,
	Doc: "protection of samples from guidance, according to the share of their edges that guidance would cut: at 1, doubtful samples, which would lose most of their edges, stay among their neighbours in the data; at 4, so do samples that would lose a quarter"}

// Unfold(iterations): At 0 the layout is guided UMAP, with small islands far apart. Unfolded
// islands fill the canvas and show neighbours within islands.
var unfoldOption = intOption{Name: "unfold", Setter: "Unfold", Default: Auto, Min: 0, Max: many, Log: true,
	Auto: "300; 0 above 500,000 samples, where affinities take too much memory, and above 2,000 in three or more dimensions, where all pairs are compared",
	Doc:  "iterations of t-SNE that unfold the layout"}

// Exaggeration(factor)
var unfoldedOption = exaggerationOption.automatic("1 for at most 2,000 samples; for more samples, 0.75 is added for each factor of ten, and above 20,000 samples the sum is multiplied by 1.4").
	withDoc("factor of the affinities while the layout is unfolded; above 1, islands are tighter and further apart")

// Perplexity(neighbors): A perplexity above a third of the number of other samples is lowered to
// this third, and the report warns.
var unfoldedPerplexity = perplexityOption.automatic("30; 15 above 20,000 samples").
	withDoc("effective number of neighbours while the layout is unfolded; at most a third of the other samples")

// manyUnfolded is the number of samples above which the layout is unfolded with half the perplexity
// and a larger exaggeration.
const manyUnfolded = 20_000

// perplexityFor returns the automatic perplexity for n samples. On the 70,000 samples of MNIST,
// perplexity 15 with a larger exaggeration predicts as many hidden labels and keeps as many
// neighbours as perplexity 30, in less time. At equal exaggeration, perplexity 15 keeps 21 % of the
// neighbours, and perplexity 30 keeps 16 %, but perplexity 15 predicts 0.3 to 3 % fewer hidden
// labels.
func perplexityFor(n int) float64 {
	if n > manyUnfolded {
		return 15
	}
	return 30
}

// exaggerationFor returns the automatic exaggeration for n samples. With many samples, islands
// would fill the gaps between them; a larger factor keeps the gaps open. With 5 labels per class on
// 11,000 samples of USPS, factors from 1.5 to 3 predicted more hidden labels than 1. On 70,000
// samples of MNIST, factor 2 predicted a share of 0.97 of the hidden labels, and factor 1 a share
// of 0.88.
func exaggerationFor(n int) float64 {
	factor := 1 + 0.75*math.Log10(max(1, float64(n)/2000))
	if n > manyUnfolded {
		factor *= 1.4
	}
	return embed.Rounded(factor, 1.0/64)
}

// unfolding is the default number of iterations for up to mostUnfolded samples, or
// mostUnfoldedInSpace samples in three or more dimensions. Unfolding 1,000,000 samples with 128
// features, drawn from a mixture, took up to 13 GiB of memory.
const unfolding, mostUnfolded, mostUnfoldedInSpace = 300, 500_000, 2000

var s2ne = register(Method{
	Name: "S2NE", Func: "S2NE", Title: "semi-supervised neighbour embedding", Paper: "McInnes et al. 2018; Calder et al. 2020; Lu, Peng 2013; van der Maaten, Hinton 2008",
	Supervision: SemiSupervised, Shape: Nonlinear, Uses: AllIfAny, takes: neighborhoods, Descends: true, Random: true,
	Params: list(layoutOptions, guidanceOption, carryOption, cautionOption, unfoldOption,
		unfoldedOption,
		unfoldedPerplexity,
		degreesOption, targetStrengthOption),
	fit: fitS2NE,
})

func fitS2NE(j *job) (*solution, error) {
	know, err := knowledgeOf(j)
	if err != nil {
		return nil, err
	}
	steps := unfoldOption.of(j)
	if unfoldOption.auto(j) {
		if n := j.data.Len(); n <= mostUnfoldedInSpace || n <= mostUnfolded && dimsOption.of(j) <= 2 {
			steps = unfolding
		} else {
			steps = 0
		}
	}
	if steps == 0 {
		return fitFolded(j, know)
	}
	if err := j.begin("neighbours"); err != nil {
		return nil, err
	}
	points := plainPoints(j)
	perplexity, wide, nb, err := bothNeighbors(j, points)
	if err != nil {
		return nil, err
	}
	along, err := carriers(j, wide)
	if err != nil {
		return nil, err
	}
	points, carried, err := widened(j, along, nb)
	if err != nil {
		return nil, err
	}
	if points.target != nil {
		if perplexity, wide, nb, err = bothNeighbors(j, points); err != nil {
			return nil, err
		}
	}
	w, err := fuzzyGraph(j, nb)
	if err != nil {
		return nil, err
	}
	p, err := shared(j.work, affinityWeights{wide, perplexity})
	if err != nil {
		return nil, err
	}
	if err := tellChance(j, know, along); err != nil {
		return nil, err
	}
	y0, err := initialPositions(j, w)
	if err != nil {
		return nil, err
	}
	o, err := layoutSettings(j)
	if err != nil {
		return nil, err
	}
	density, err := densityOf(j, p, wide)
	if err != nil {
		return nil, err
	}
	if err := j.begin("layout"); err != nil {
		return nil, err
	}
	u := guide.Unfolding{Along: along, P: p, Epochs: steps, Exaggeration: exaggerationFor(j.data.Len()), DegreesOfFreedom: degreesOption.of(j), Density: density}
	if !unfoldedOption.auto(j) {
		u.Exaggeration = unfoldedOption.of(j)
	}
	j.fact("perplexity", perplexity)
	j.fact("exaggeration", u.Exaggeration)
	e, err := guide.Unfold(j.ctx, w, embed.Spread(y0, 10, o.Seed, j.data.Start != nil), know, guideSettings(j, know, o), u)
	if e == nil || e.Y == nil {
		return nil, err
	}
	tellGuidance(j, know, e, []string{"layout", "unfolding", "meeting known coordinates"})
	j.fact("divergence", e.Divergence)
	tellDensity(j, density, e.Density)
	place := &outofsample.PlacedTSNE{Samples: points.samples(j), Y: e.Y, K: wide.K, Perplexity: perplexity, DegreesOfFreedom: u.DegreesOfFreedom, Scale: e.Scale}
	return &solution{y: e.Y, graph: e.W, ties: cutOf(e.Ties), mapping: points.mapping(place), carried: carried}, err
}

// fitFolded fits without unfolding: it computes a UMAP layout and, if there is guidance, a second
// UMAP layout with guided weights.
func fitFolded(j *job, know guide.Knowledge) (*solution, error) {
	for _, name := range []string{unfoldedOption.Name, unfoldedPerplexity.Name, degreesOption.Name} {
		j.unused(name, "the layout is not unfolded")
	}
	nb, err := nearestNeighbors(j)
	if err != nil {
		return nil, err
	}
	along, err := carriers(j, nb)
	if err != nil {
		return nil, err
	}
	p, carried, err := widened(j, along, nb)
	if err != nil {
		return nil, err
	}
	if p.target != nil {
		if nb, err = neighborsAmong(j, p, nb.K); err != nil {
			return nil, err
		}
	}
	w, err := fuzzyGraph(j, nb)
	if err != nil {
		return nil, err
	}
	y0, err := initialPositions(j, w)
	if err != nil {
		return nil, err
	}
	o, err := layoutSettings(j)
	if err != nil {
		return nil, err
	}
	if o.Density, err = densityOf(j, w, nb); err != nil {
		return nil, err
	}
	if err := j.begin("layout"); err != nil {
		return nil, err
	}
	if err := tellChance(j, know, along); err != nil {
		return nil, err
	}
	e, err := guide.Embed(j.ctx, nb, w, embed.Spread(y0, 10, o.Seed, j.data.Start != nil), know, guideSettings(j, know, o))
	if e == nil || e.Y == nil {
		return nil, err
	}
	tellGuidance(j, know, e, []string{"layout", "guided layout"})
	tellDensity(j, o.Density, e.Density)
	return &solution{y: e.Y, graph: e.W, ties: cutOf(e.Ties), mapping: p.mapping(placement(j, p, nb, e.Y, e.Scale, o)), carried: carried}, err
}

// guideSettings returns the settings of a layout guided by `know`. It does not read options for
// knowledge that is missing.
func guideSettings(j *job, know guide.Knowledge, o embed.Options) guide.Options {
	s := guide.Options{Layout: o}
	labels, pairs := know.Classes > 0, know.Pairs.Len() > 0
	if labels || pairs || know.Pins.Len() > 0 {
		s.Guidance = guidanceOption.of(j)
	}
	if labels && s.Guidance > 0 {
		s.Caution = cautionOption.of(j)
	}
	if pairs && s.Guidance > 0 {
		s.Carry = carryOption.of(j)
	}
	return s
}

// bothNeighbors returns the perplexity, lowered to the maximum for the number of samples. It also
// returns two lists of neighbours for each sample: `wide` for the affinities of t-SNE, and `nb` for
// the edges of UMAP. A single search finds the longer lists, and the shorter lists are their first
// entries.
func bothNeighbors(j *job, p pointsOf) (perplexity float64, wide, nb *graph.Neighbors, err error) {
	others := j.availableNeighbors()
	if perplexity = unfoldedPerplexity.of(j); unfoldedPerplexity.auto(j) {
		perplexity = perplexityFor(j.data.Len())
	}
	perplexity = supported(j, perplexity, slices.Contains(j.spec.Changed(), unfoldedPerplexity.Name))
	few, many := neighborsOption.of(j), max(min(opinionNeighbors, others), min(others, int(3*perplexity)))
	all, err := neighborsAmong(j, p, min(others, max(few, many)))
	if err != nil {
		return 0, nil, nil, err
	}
	if wide, err = head(j, all, many); err != nil {
		return 0, nil, nil, err
	}
	nb, err = head(j, all, few)
	return perplexity, wide, nb, err
}

// head returns the k nearest of the neighbours nb.
func head(j *job, nb *graph.Neighbors, k int) (*graph.Neighbors, error) {
	if nb.K <= k {
		return nb, nil
	}
	return shared(j.work, headStep{nb, k})
}

// cutOf returns, for each sample, the share of its edge weights that guidance removes. `left` holds
// the shares that guidance keeps. If left is nil, the result is nil.
func cutOf(left []float64) []float64 {
	if left == nil {
		return nil
	}
	out := make([]float64, len(left))
	for i, t := range left {
		out[i] = 1 - t
	}
	return out
}

// knowledgeOf returns the labels, pairs and known coordinates of the data, with classes numbered
// from 0.
func knowledgeOf(j *job) (guide.Knowledge, error) {
	d := j.data
	classes := d.Classes()
	k := guide.Knowledge{Pairs: d.Pairs, Pins: d.Anchors, Classes: len(classes)}
	if d.Anchors.Len() > 0 {
		if err := checkAnchors(j, d.Anchors); err != nil {
			return k, err
		}
	}
	switch len(classes) {
	case 0:
		return k, nil
	case 1:
		j.warn("all labels are of class %s: one class gives no information about the others", d.ClassName(classes[0]))
	}
	k.Labels, _ = classesFromZero(d)
	return k, nil
}

// classesFromZero returns the labels with classes numbered from 0, and the number of classes.
func classesFromZero(d *data.Data) (labels []int, count int) {
	classes := d.Classes()
	labels = slices.Repeat([]int{data.Unlabelled}, d.Len())
	for i, l := range d.Labels {
		if l >= 0 {
			labels[i], _ = slices.BinarySearch(classes, l)
		}
	}
	return labels, len(classes)
}

// tellChance compares how well labels predict each other with how well shuffled labels do, and
// warns if the difference is not significant. If fewer than two classes have at least two labels,
// the fact "labels left out in turn" is 0.
func tellChance(j *job, know guide.Knowledge, along *sparse.CSR) error {
	if know.Classes < 2 || guidanceOption.of(j) == 0 {
		return nil
	}
	c, err := shared(j.work, chanceStep{along})
	if err != nil {
		return err
	}
	j.fact("labels left out in turn", float64(c.Labels))
	if c.Labels == 0 {
		return nil
	}
	j.fact("share of left-out labels predicted", c.Agreement)
	j.fact("share of shuffled labels predicted", c.Level)
	j.fact("p of the labels", c.P)
	if c.P > 0.05 {
		j.warn("the labels do not predict each other significantly better than shuffled ones (%.0f %% of %d labels, by chance %.0f %%, p = %.2g): the effect of guidance may be noise; check the labels with Suspicions, or set Guidance(0)",
			100*c.Agreement, c.Labels, 100*c.Level, c.P)
	}
	return nil
}

type chanceStep struct{ graph *sparse.CSR }

func (s chanceStep) run(w *work) (*walks.Chance, error) {
	labels, classes := classesFromZero(w.data)
	c, err := walks.Compare(w.ctx, s.graph, labels, classes, 1)
	if c == nil {
		c = new(walks.Chance)
	}
	return c, err
}

// tellGuidance records the histories of the layouts and the numbers of satisfied constraints, and
// warns if labels or pairs could not be used or propagated.
func tellGuidance(j *job, know guide.Knowledge, e *guide.Embedding, stages []string) {
	j.fact("iterations", float64(e.Epochs))
	for k, h := range e.Histories {
		j.history(stages[k], h)
	}
	if e.Parted {
		j.warn("the cannot-links would cut all edges of the graph, so guidance was not applied; give fewer cannot-links")
	}
	if know.Pairs.Len() > 0 {
		j.fact("must-links", float64(len(know.Pairs.Must)))
		j.fact("must-links kept", float64(e.Kept.Must))
		j.fact("cannot-links", float64(len(know.Pairs.Cannot)))
		j.fact("cannot-links kept", float64(e.Kept.Cannot))
	}
	if o := e.Opinion; o != nil {
		if o.Unreached > 0 {
			j.warn("%s without a label, which guidance does not reach; label a sample of each component, for example those that Suggest proposes", nouns.Number(o.Unreached, "sample lies in a component of the graph", "samples lie in components of the graph"))
		}
		if !o.Converged {
			j.warn("label propagation did not converge, probably because the graph is nearly disconnected: guidance may be inaccurate")
		}
	}
}
