package widgets

import (
	"context"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// BenchBuilder collects the options of [Bench]. Its methods return changed copies.
type BenchBuilder struct {
	source   Source
	title    string
	spec     stage.BenchSpec
	finished bool
	wrong
}

// Bench returns the builder of a comparison of methods side by side on up to 1,000 samples. The
// reader changes data, labels and options with dials (sliders, menus or switches), and sees meters
// (measured values) beside the embeddings. A bench needs at least one method, see
// [BenchBuilder.Method] and [BenchBuilder.Rule].
//
//	widgets.Bench(widgets.Recipe("pancakes", 1)).Method("PCA", ssdrnb.PCA()).Method("LDA", ssdrnb.LDA()).
//		Labels(5).Dial("height", 1, 2, 3, 4, 5).Meters("same-group neighbours").Show()
func Bench(source Source) BenchBuilder {
	return BenchBuilder{source: source, title: "Methods side by side", spec: stage.BenchSpec{Source: source.source}}
}

// Title sets the title; the default is "Methods side by side".
func (b BenchBuilder) Title(title string) BenchBuilder {
	b.title = title
	return b
}

// Method adds a method. name is shown above its embedding. A bench contains up to six methods and
// rules.
func (b BenchBuilder) Method(name string, e ssdrnb.Estimator) BenchBuilder {
	m := stage.MethodOf(e.Spec())
	b.spec.Bench = append(slices.Clone(b.spec.Bench), stage.BenchMethod{Name: name, Method: &m})
	return b
}

// Rule is a simple classifier that a bench can show beside methods, see [BenchBuilder.Rule]. Its
// panel shows the first two features instead of an embedding.
type Rule string

// The rules of [BenchBuilder.Rule].
const (
	// Ruler assigns to each sample the class of the nearest labelled sample in the data.
	Ruler Rule = stage.RuleRuler
	// Rumour propagates the labels along links from each sample to its eight nearest samples, see
	// graph.Diffuse.
	Rumour Rule = stage.RuleRumour
	// AsTheyAre shows the first two features and assigns no classes.
	AsTheyAre Rule = stage.RuleData
)

// Rule adds a panel for the rule r. name is shown above the panel.
func (b BenchBuilder) Rule(name string, r Rule) BenchBuilder {
	b.spec.Bench = append(slices.Clone(b.spec.Bench), stage.BenchMethod{Name: name, Rule: string(r)})
	return b
}

// Or adds another recipe for artificial data, and the dial "data" that selects among the recipes.
// name is the name of the added recipe, and first is the name of the recipe passed to [Bench]. The
// source other must be a [Recipe].
func (b BenchBuilder) Or(first, name string, other Source) BenchBuilder {
	if other.source.Recipe == nil {
		b.refuse("Or: the source %q is not a recipe; pass widgets.Recipe", name)
		return b
	}
	b.spec.Name = first
	b.spec.Others = append(slices.Clone(b.spec.Others), stage.NamedRecipe{Name: name, Recipe: *other.source.Recipe})
	return b
}

// Dial adds a slider over the given values. name is a parameter of the recipe, an option of the
// methods, or one of the names below. The slider starts at the first value.
//
//   - "labels": number of labels per class.
//   - "draw": seed of the random draw of the labels.
//   - "wrong names": number of labels with a wrong class.
//   - "tosses told": percentage of labelled samples; the classes are random.
//   - "coin classes": number of random classes, with half of each class labelled.
//   - "standardise": 1 standardises the features, 0 does not.
//   - "lost links": 1 draws a line from each sample to those of its 5 nearest neighbours that are
//     far away in the embedding, and colours samples by their share of kept neighbours; 0 does not.
//   - "data", "method": index, from 0, of the recipe or of the shown method.
func (b BenchBuilder) Dial(name string, values ...float64) BenchBuilder {
	b.spec.Dials = append(slices.Clone(b.spec.Dials), stage.BenchDial{Name: name, Values: values})
	return b
}

// Words sets names for the values of the dial added last. The dial becomes a switch if it has two
// values, and a menu otherwise.
func (b BenchBuilder) Words(words ...string) BenchBuilder {
	return b.last("Words", func(d *stage.BenchDial) { d.Words = words })
}

// Start sets the initial value of the dial added last.
func (b BenchBuilder) Start(value float64) BenchBuilder {
	if n := len(b.spec.Dials); n > 0 && !slices.Contains(b.spec.Dials[n-1].Values, value) {
		b.refuse("Start: the dial %q does not have the value %v; give one of the values passed to Dial", b.spec.Dials[n-1].Name, value)
		return b
	}
	return b.last("Start", func(d *stage.BenchDial) { d.Start = slices.Index(d.Values, value) })
}

// last applies change to the dial added last. method is the calling method, for the error message.
func (b BenchBuilder) last(method string, change func(d *stage.BenchDial)) BenchBuilder {
	n := len(b.spec.Dials)
	if n == 0 {
		b.refuse("%s: the bench has no dial yet; call Dial first", method)
		return b
	}
	b.spec.Dials = slices.Clone(b.spec.Dials)
	change(&b.spec.Dials[n-1])
	return b
}

// Named gives a name to a value of a dial. In the text of a beat, the name becomes a link that sets
// this value.
func (b BenchBuilder) Named(name, dial string, value float64) BenchBuilder {
	b.spec.Named = append(slices.Clone(b.spec.Named), stage.NamedSetting{Name: name, Values: map[string]float64{dial: value}})
	return b
}

// Meters selects the numbers beside the embeddings by name:
//
//   - "spread kept": variance of the embedding divided by the variance of the data.
//   - "same-group neighbours": share of samples whose nearest sample in the embedding has the same
//     class.
//   - "hidden right": share of unlabelled samples that get their true class, either from the
//     nearest labelled sample in the embedding or from the rule.
//   - "new right": the same share for the new samples of Fresh.
//   - "apart": absolute difference in "hidden right" between the first two methods.
//   - "kept neighbours": mean share of the 15 nearest neighbours that are also among the 15 nearest
//     in the embedding.
//   - "torn": number of samples torn from a neighbour: at least one of their 5 nearest neighbours
//     in the data is farther away in the embedding than a quarter of the embedding's width.
//   - "islands": number of groups of at least five samples in the embedding. Two samples are joined
//     if they are nearer than 3 times the median distance to the nearest sample.
//   - "separation": silhouette of the classes in the embedding, from -1 to 1.
//   - "agreement of the runs": adjusted Rand index between the five k-means groups of the first run
//     and those of another run, averaged over the other runs.
//   - "size ratio": width of the second class divided by the width of the first. The width is the
//     root mean square distance from the class mean in the embedding.
//   - "gap ratio": distance between the means of the second and the third class divided by the
//     distance between the means of the first and the second.
//   - "pieces": number of connected components of the graph that the method learned.
func (b BenchBuilder) Meters(names ...string) BenchBuilder {
	b.spec.Meters = append(slices.Clone(b.spec.Meters), names...)
	return b
}

// Labels sets the number of labelled samples per class; 0 means all and −1 means none. The default
// is all. A dial "labels" overrides this number.
func (b BenchBuilder) Labels(perClass int) BenchBuilder {
	b.spec.Labels = perClass
	return b
}

// Runs shows up to nine runs of the first method with different random starts. Each press of the
// button "again" adds a run.
func (b BenchBuilder) Runs() BenchBuilder {
	b.spec.Runs = true
	return b
}

// Islands colours each sample by its island in the first embedding instead of by its class. The
// meter "islands" of [BenchBuilder.Meters] defines the islands.
func (b BenchBuilder) Islands() BenchBuilder {
	b.spec.Islands = true
	return b
}

// Answers shows the first two features instead of the embedding. Each sample has the colour of its
// answer: the class of the nearest labelled sample in the embedding, or the class assigned by a
// rule.
func (b BenchBuilder) Answers() BenchBuilder {
	b.spec.Answers = true
	return b
}

// Fresh adds n new samples of the recipe, at most 100. They are drawn as crosses at the positions
// computed by each method, and show whether an embedding generalises to new samples. The meter "new
// right" is the share of new samples whose class equals the class of the nearest labelled sample in
// the embedding.
func (b BenchBuilder) Fresh(n int) BenchBuilder {
	b.spec.Fresh = n
	return b
}

// Weights replaces the embedding of each linear method with the largest absolute weights of the
// features in its first direction, at most 13 of them.
func (b BenchBuilder) Weights() BenchBuilder {
	b.spec.Weights = true
	return b
}

// Draws adds a button that chooses the labelled samples at random, n times in a row. The maximum of
// n is 20. The meter "verdict" then compares "hidden right" of the second method with that of the
// first. It shows "helps" or "hurts" if the absolute mean difference exceeds twice its standard
// error, and "cannot tell" otherwise. With fewer than three draws it shows no verdict.
func (b BenchBuilder) Draws(n int) BenchBuilder {
	b.spec.Draws = n
	return b.Meters(stage.MeterVerdict)
}

// Curve plots the meter "hidden right" against the values of a dial. It averages the meter over the
// given number of draws of the labels (at most 20). Points are added as the reader visits values or
// presses the button "whole curve".
func (b BenchBuilder) Curve(dial string, draws int) BenchBuilder {
	b.spec.Curve, b.spec.CurveDraws = dial, draws
	return b
}

// Movable adds labels that the reader can drag in the plane of the first two features. places
// contains their initial positions. Each label applies to the sample nearest to its position.
// Movable requires [BenchBuilder.Answers], and excludes [BenchBuilder.Weights] and
// [BenchBuilder.Runs].
func (b BenchBuilder) Movable(places ...[2]float64) BenchBuilder {
	b.spec.Marks = places
	return b
}

// Arranged gives a name to other positions of the labels of Movable. In the text of a beat, the
// name becomes a link that moves the labels there.
func (b BenchBuilder) Arranged(name string, places ...[2]float64) BenchBuilder {
	b.spec.Arranged = append(slices.Clone(b.spec.Arranged), stage.Arranged{Name: name, Marks: places})
	return b
}

// Show shows the bench without a lesson.
func (b BenchBuilder) Show() { showStage(b) }

// Finished fits the methods in the cell at every position of the dials, and sends up to 60
// embeddings to the page. Use it for methods that are slow in a page. If there are more embeddings,
// or if the bench needs the models for Weights or for the meter "pieces", Show prints an error.
func (b BenchBuilder) Finished() BenchBuilder {
	b.finished = true
	return b
}

// stage returns the spec and its data. After an invalid call, or if the fits of Finished fail, the
// data contain the error.
func (b BenchBuilder) stage() (stage.Spec, *ssdrnb.Data) {
	d, err := b.source.data, b.err
	if b.finished && err == nil {
		err = b.spec.Finish(context.Background(), d)
	}
	if err != nil {
		d = data.Failed(b.title, err)
	}
	return stage.Spec{Title: b.title, Bench: &b.spec}, d
}
