package ssdrnb

import (
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/guide"
)

// S2NE returns the builder of semi-supervised neighbour embedding: the layout of UMAP,
// guided by labels, pairs, known coordinates ([data.Data.WithAnchors]) and a numeric target
// ([data.Data.WithTarget]), alone or together. There are no values; [Model.Graph] has the guided weights, and [Model.Opinions]
// the probabilities of the classes, which do not depend on the layout. The report counts
// the must-links whose ends are among each other's nearest 5 % of the samples, and the
// cannot-links whose ends are not.
//
// Source: this library, of parts: McInnes, Healy, Melville 2018 (the layout); Calder, Cook,
// Thorpe, Slepčev, "Poisson learning", ICML 2020 (labels); Lu, Peng, "Exhaustive and
// efficient constraint propagation", IJCV 103, 2013 (pairs).
//
// Objective: as [UMAP], with weights that know. Labels, carried along the graph by Poisson
// learning with walks of n/m steps on average for m labels, give each sample probabilities
// of the classes, and an edge is multiplied by max(cos², 0.1)^g of those at its ends.
// Pairs give an edge f in [−g, g], g times the probability that walks from its ends, of
// carry/(1 − carry) steps on average, come to those of a pair, negative for cannot-links:
// w becomes 1 − (1 − f)(1 − w) where f ≥ 0 and (1 + f)·w elsewhere. Samples of known
// coordinates are held there, or pulled where g < 1. g is the option guidance.
//
// A target is carried to all samples ([Model.Carried]) by walks on the graph of the nearest
// neighbours, by ridge regression, or by both: whichever foretells known values best that are
// left out, in five folds. The value is then one more feature, √(g·p) times as wide as the
// others together along an edge. p = (q² − τ)/(1 − τ) within 0 … 1, with q² the share of the
// variance foretold and τ = 1/√m for m known values, which is what shuffled values reach: at
// p = 0 the picture is that without the target. Distances by the cosine and the correlation
// are then those of samples brought to length 1.
//
// Solution: a first layout that knows nothing; labels and pairs are carried along the mean
// of the graphs of the samples and of that layout; a second layout by the guided weights,
// from the first drawn together, or turned and bent to meet the known coordinates.
//
// New points: as UMAP, in the units of the known coordinates.
//
// Cost: with a target, a second search for neighbours, a linear system in the graph with 18
// right-hand sides and 6 regressions, O(mD·min(m, D)) each. Two layouts of UMAP, and between them a linear system in the graph for the classes
// and two for each pair. The same seed gives the same embedding on any number of
// processors.
//
// Defaults: guidance 1, carry 0.8, the rest as UMAP. Without knowledge, or with guidance 0,
// it is UMAP.
//
// Fails: guidance believes what it is told. Labels that are wrong, or pairs that
// contradict them (warned of), draw whole neighbourhoods after them, and classes look
// better separated than they are: rate the embedding by hidden labels. Pairs act on
// neighbourhoods: a must-link across the picture may not be kept, and must-links of a third
// of all samples, which draw together what is far apart in the data, cost a hundredth of
// trustworthiness. A component of the graph without a label has no opinion. Known values of
// a target look better sorted than hidden ones, and few known values make p a matter of luck.
func S2NE() *S2NEBuilder { return newS2NE(Spec{method: s2ne}) }

// Guidance(g): Known coordinates are exact at 1.
var guidanceOption = floatOption{Name: "guidance", Setter: "Guidance", Default: 1.0, Min: 0, Max: 1,
	Doc: "effect g of labels, pairs and known coordinates: 0 has none and is UMAP, 1 the full effect"}

// Carry(share): A sample takes this share of its knowledge from its neighbours.
var carryOption = floatOption{Name: "carry", Setter: "Carry", Default: 0.8, Min: tiny, Max: 0.999,
	Doc: "how far pairs carry along the graph, α of constraint propagation"}

var s2ne = register(Method{
	Name: "S2NE", Func: "S2NE", Title: "semi-supervised neighbour embedding", Paper: "McInnes et al. 2018; Calder et al. 2020; Lu, Peng 2013",
	Supervision: SemiSupervised, Shape: Nonlinear, Uses: AllIfAny, Descends: true, Random: true,
	Params: list(layoutOptions, guidanceOption, carryOption, targetStrengthOption),
	fit:    fitS2NE,
})

func fitS2NE(j *job) (*solution, error) {
	know, err := knowledgeOf(j)
	if err != nil {
		return nil, err
	}
	nb, err := nearestNeighbors(j)
	if err != nil {
		return nil, err
	}
	along, err := opinionGraphOf(j, nb)
	if err != nil {
		return nil, err
	}
	p, carried, err := widened(j, along, nb)
	if err != nil {
		return nil, err
	}
	if p.target != nil {
		if nb, err = shared(j.work, neighborsStep{p.x, nb.K, p.search, j.spec.fresh}); err != nil {
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
	if err := j.begin("layout"); err != nil {
		return nil, err
	}
	e, err := guide.Embed(j.ctx, nb, w, embed.Spread(y0, 10, o.Seed, j.data.Start != nil), know, guide.Options{Layout: o, Guidance: guidanceOption.of(j), Carry: carryOption.of(j)})
	if e == nil || e.Y == nil {
		return nil, err
	}
	tellGuidance(j, know, e)
	return &solution{y: e.Y, graph: e.W, mapping: p.mapping(placement(j, p, nb, e.Y, e.Scale, o)), carried: carried}, err
}

// knowledgeOf returns what the data know of some samples, with classes numbered from 0.
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
		j.warn("all labels are of class %s: one class alone says nothing of the others", d.ClassName(classes[0]))
	}
	k.Labels, _ = classesFromZero(d)
	return k, nil
}

// classesFromZero returns the labels with the classes numbered from 0, and their number.
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

// tellGuidance reports what became of the knowledge.
func tellGuidance(j *job, know guide.Knowledge, e *guide.Embedding) {
	j.fact("iterations", float64(e.Epochs))
	for k, h := range e.Histories {
		j.history([]string{"layout", "guided layout"}[k], h)
	}
	if know.Pairs.Len() > 0 {
		j.fact("must-links", float64(len(know.Pairs.Must)))
		j.fact("must-links kept", float64(e.Kept.Must))
		j.fact("cannot-links", float64(len(know.Pairs.Cannot)))
		j.fact("cannot-links kept", float64(e.Kept.Cannot))
	}
	if o := e.Opinion; o != nil {
		if o.Unreached > 0 {
			j.warn("%d samples lie in components of the graph without a label: labels say nothing of them; raise Neighbors, or label some", o.Unreached)
		}
		if !o.Converged {
			j.warn("labels were carried along the graph to fewer digits than asked for, as parts of it hang together by next to nothing")
		}
	}
}
