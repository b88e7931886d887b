package widgets

import (
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// EaselBuilder collects the options of [Easel]. Its methods return changed copies.
type EaselBuilder struct {
	source Source
	title  string
	spec   stage.EaselSpec
}

// Easel returns the builder of a canvas on which the reader paints two groups of dots. Up to six
// methods are fitted to the dots several times, each time with another random draw of a few labels
// per group. The initial dots are the samples of start, which has two features and two classes.
//
//	widgets.Easel(widgets.Recipe("blobs", 1)).Method("PCA", ssdrnb.PCA().Dims(1)).Method("LDA", ssdrnb.LDA().Dims(1)).Show()
//
// To store and export a painting, and to read it in later cells, use [Paint].
func Easel(start Source) EaselBuilder {
	return EaselBuilder{source: start, title: "Your painting", spec: stage.EaselSpec{Source: start.source, Labels: 5, Draws: 10}}
}

// Title sets the title; the default is "Your painting".
func (e EaselBuilder) Title(title string) EaselBuilder {
	e.title = title
	return e
}

// Method adds a method. name is the title of its panel, which shows the dots in the colours of the
// classes that the method predicts. An easel contains up to six methods and rules.
func (e EaselBuilder) Method(name string, m ssdrnb.Estimator) EaselBuilder {
	method := stage.MethodOf(m.Spec())
	e.spec.Bench = append(slices.Clone(e.spec.Bench), stage.BenchMethod{Name: name, Method: &method})
	return e
}

// Rule adds a panel in which a rule, [Ruler] or [Rumour], predicts the classes. name is shown above
// the panel.
func (e EaselBuilder) Rule(name string, r Rule) EaselBuilder {
	e.spec.Bench = append(slices.Clone(e.spec.Bench), stage.BenchMethod{Name: name, Rule: string(r)})
	return e
}

// Labels sets the number of labelled dots per group, 1 to 39, and the number of draws, 1 to 20. The
// default is 5 labels in ten draws. The draws can start once each group has at least 40 dots and
// the larger group has at most three times as many dots as the smaller one.
func (e EaselBuilder) Labels(perGroup, draws int) EaselBuilder {
	e.spec.Labels, e.spec.Draws = perGroup, draws
	return e
}

// Lift adds a slider for the number of features of the dots, from 2 to 50. The first two features
// are the coordinates on the canvas, and the others are 0. With more than two features, noise with
// the given standard deviation is then added to all features. The standard deviation is from 0 to
// 1, in units of half the canvas width.
func (e EaselBuilder) Lift(noise float64, features ...float64) EaselBuilder {
	e.spec.Noise, e.spec.Features = noise, features
	return e
}

// Show shows the canvas without a lesson.
func (e EaselBuilder) Show() { showStage(e) }

func (e EaselBuilder) stage() (stage.Spec, *ssdrnb.Data) {
	return stage.Spec{Title: e.title, Easel: &e.spec}, e.source.data
}
