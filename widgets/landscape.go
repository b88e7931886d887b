package widgets

import (
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// LandscapeBuilder collects the options of [Landscape]. Its methods return changed copies.
type LandscapeBuilder struct {
	source Source
	title  string
	spec   stage.LandscapeSpec
}

// Landscape returns the builder of a criterion that the reader explores: the separation of the
// groups along some directions relative to their width. Angle, Planes, Cards or Root sets the
// view.
//
//	widgets.Landscape(widgets.Recipe("gaussians", 1)).Angle(30).Show()
func Landscape(source Source) LandscapeBuilder {
	return LandscapeBuilder{source, "Landscape", stage.LandscapeSpec{Source: source.source}}
}

// Title sets the title; the default is "Landscape".
func (l LandscapeBuilder) Title(title string) LandscapeBuilder {
	l.title = title
	return l
}

// Angle shows samples of two features and an arrow, which begins at an angle in degrees: the
// variance between and within the groups along it, and their ratio over the angles visited.
func (l LandscapeBuilder) Angle(start float64) LandscapeBuilder {
	l.spec.Angle = &stage.AngleSpec{Start: start}
	return l
}

// Both draws the ratio of sums and the sum of ratios over the angle, which are equal for one
// arrow. It follows Angle.
func (l LandscapeBuilder) Both() LandscapeBuilder {
	if l.spec.Angle != nil {
		angle := *l.spec.Angle
		angle.Both = true
		l.spec.Angle = &angle
	}
	return l
}

// Planes shows two maps of the planes through samples of three features: each place is a plane
// by its normal, and its height is the ratio of sums or the sum of ratios. A click shows the
// shadow of the samples on the plane.
func (l LandscapeBuilder) Planes() LandscapeBuilder {
	l.spec.Planes = &stage.PlanesSpec{}
	return l
}

// Dial adds a dial over a parameter of the recipe. It follows Planes.
func (l LandscapeBuilder) Dial(parameter string, values ...float64) LandscapeBuilder {
	if l.spec.Planes != nil {
		l.spec.Planes = &stage.PlanesSpec{Dial: parameter, Values: slices.Clone(values)}
	}
	return l
}

// Cards shows two to eight players by the points that they won and lost, of which the reader
// chooses two. The source is not used.
func (l LandscapeBuilder) Cards(won, lost []float64) LandscapeBuilder {
	l.spec.Cards = &stage.CardsSpec{Won: slices.Clone(won), Lost: slices.Clone(lost)}
	return l
}

// Root shows how a method of trace ratios, such as TRLDA, finds the best ratio: guess by guess,
// each where the tangent of the last one meets zero. The curve is drawn if it can be computed
// from the labelled samples, as for TRLDA().PCA(1).
func (l LandscapeBuilder) Root(e ssdrnb.Estimator) LandscapeBuilder {
	l.spec.Root = &stage.RootSpec{Method: stage.MethodOf(specOf(e))}
	return l
}

// Named gives an angle in degrees, or a value of the dial, a name, which becomes a link in the
// text of a beat.
func (l LandscapeBuilder) Named(name string, value float64) LandscapeBuilder {
	l.spec.Named = append(l.spec.Named[:len(l.spec.Named):len(l.spec.Named)], stage.NamedValue{Name: name, Value: value})
	return l
}

// Show shows the landscape.
func (l LandscapeBuilder) Show() { showStage(l) }

func (l LandscapeBuilder) stage() (stage.Spec, *ssdrnb.Data) {
	spec := l.spec
	if spec.Cards != nil {
		return stage.Spec{Title: l.title, Landscape: &spec}, nil
	}
	return stage.Spec{Title: l.title, Landscape: &spec}, l.source.data
}
