package widgets

import (
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// GraphPlayBuilder collects the options of [GraphPlay]. Its methods return changed copies.
type GraphPlayBuilder struct {
	source Source
	title  string
	spec   stage.GraphPlaySpec
}

// GraphMode is a view of a [GraphPlay].
type GraphMode string

// The modes of [GraphPlayBuilder.Mode].
const (
	// Links shows the graph, with links between groups in red.
	Links GraphMode = stage.ModeLinks
	// Carry propagates labels along the links, step by step, see graph.Diffuse.
	Carry GraphMode = stage.ModeCarry
	// Path shows the shortest path along links between two samples.
	Path GraphMode = stage.ModePath
	// Swing shows the first coordinate of Laplacian eigenmaps. It is displayed as the slowest
	// oscillation of a system in which the links are springs.
	Swing GraphMode = stage.ModeSwing
)

// GraphPlay returns the builder of a neighbourhood graph that the reader changes. The source has up
// to 1,000 samples with two or three features. Two samples are linked if either is among the k
// nearest of the other.
//
//	widgets.GraphPlay(widgets.Recipe("moons", 1)).Neighbors(1, 30, 1).Mode(widgets.Links).Show()
func GraphPlay(source Source) GraphPlayBuilder {
	return GraphPlayBuilder{source: source, title: "Neighbours", spec: stage.GraphPlaySpec{
		Source: source.source, From: 1, To: 20, Start: 8, Modes: []string{stage.ModeLinks}}}
}

// Title sets the title; the default is "Neighbours".
func (g GraphPlayBuilder) Title(title string) GraphPlayBuilder {
	g.title = title
	return g
}

// Neighbors sets the ends and the initial value of the slider for k, at most 100. If the two ends
// are equal, there is no slider. The default is 1, 20, 8.
func (g GraphPlayBuilder) Neighbors(from, to, start int) GraphPlayBuilder {
	g.spec.From, g.spec.To, g.spec.Start = from, to, start
	return g
}

// Mode sets the view. Several modes become a menu. The default is Links.
func (g GraphPlayBuilder) Mode(modes ...GraphMode) GraphPlayBuilder {
	g.spec.Modes = nil
	for _, m := range modes {
		g.spec.Modes = append(g.spec.Modes, string(m))
	}
	return g
}

// Edit lets the reader cut and add links. cuts and links are the maximum numbers of cut and added
// links; −1 means any number. In total, at most 500 edits are possible. The edits remain when k
// changes.
func (g GraphPlayBuilder) Edit(cuts, links int) GraphPlayBuilder {
	g.spec.Cuts, g.spec.Links = cuts, links
	return g
}

// Ruler adds a switch to the mode Carry. The switch selects whether samples are coloured by the
// propagated labels or by the label of the nearest labelled sample.
func (g GraphPlayBuilder) Ruler() GraphPlayBuilder {
	g.spec.Ruler = true
	return g
}

// HideColors hides the groups: links between groups are not red, and the modes Links and Path
// colour the connected components instead.
func (g GraphPlayBuilder) HideColors() GraphPlayBuilder {
	g.spec.Hidden = true
	return g
}

// Known sets the labelled samples, by row index. The default is the middle sample of each class, in
// row order.
func (g GraphPlayBuilder) Known(samples ...int) GraphPlayBuilder {
	g.spec.Known = slices.Clone(samples)
	return g
}

// Labels draws perClass labelled samples from each class, by Data.KeepLabels(perClass).Seed(seed).
func (g GraphPlayBuilder) Labels(perClass int, seed uint64) GraphPlayBuilder {
	g.spec.Labels, g.spec.Draw = perClass, seed
	return g
}

// Ends sets the initial ends of the path in the mode Path, by row index. The default is the first
// and the last sample. Clicks select other ends.
func (g GraphPlayBuilder) Ends(from, to int) GraphPlayBuilder {
	g.spec.Ends = [2]int{from, to}
	return g
}

// Step sets the initial number of propagation steps in the mode Carry, up to 1,000.
func (g GraphPlayBuilder) Step(step int) GraphPlayBuilder {
	g.spec.Step = step
	return g
}

// Curve adds a plot of the share of correct labels after 1,000 steps of propagation, against k. The
// plot contains the values of k that the reader has visited. A button adds the mean over 20 data
// sets, drawn from the recipe with the seeds 1 to 20. Curve needs the mode Carry and a [Recipe].
func (g GraphPlayBuilder) Curve() GraphPlayBuilder {
	g.spec.Curve = true
	return g
}

// Named gives a name to a value of k. In the text of a beat, the name becomes a link that sets this
// value.
func (g GraphPlayBuilder) Named(name string, k int) GraphPlayBuilder {
	g.spec.Named = append(g.spec.Named[:len(g.spec.Named):len(g.spec.Named)], stage.NamedValue{Name: name, Value: float64(k)})
	return g
}

// Show shows the graph without a lesson.
func (g GraphPlayBuilder) Show() { showStage(g) }

func (g GraphPlayBuilder) stage() (stage.Spec, *ssdrnb.Data) {
	spec := g.spec
	return stage.Spec{Title: g.title, GraphPlay: &spec}, g.source.data
}
