package widgets

import (
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// LandscapeBuilder collects the options of [Landscape]. Its methods return changed copies.
type LandscapeBuilder struct {
	source Source
	title  string
	spec   stage.LandscapeSpec
	wrong
}

// Landscape returns the builder of a stage in which the reader explores a criterion: the variance
// between groups, relative to the variance within groups, along chosen directions. Angle, Planes,
// Cards or Root sets the view.
//
//	widgets.Landscape(widgets.Recipe("gaussians", 1)).Angle(30).Show()
func Landscape(source Source) LandscapeBuilder {
	return LandscapeBuilder{source: source, title: "Landscape", spec: stage.LandscapeSpec{Source: source.source}}
}

// Title sets the title; the default is "Landscape".
func (l LandscapeBuilder) Title(title string) LandscapeBuilder {
	l.title = title
	return l
}

// Angle shows samples with two features and an arrow, initially at start degrees, that the reader
// turns. It shows the variances between and within the groups along the arrow, and their ratio at
// the visited angles.
func (l LandscapeBuilder) Angle(start float64) LandscapeBuilder {
	l.spec.Angle = &stage.AngleSpec{Start: start}
	return l
}

// Both plots two curves against the angle: the ratio of sums (trace ratio) and the sum of ratios
// (ratio trace). They are equal for a single direction. Call Both after Angle.
func (l LandscapeBuilder) Both() LandscapeBuilder {
	if l.spec.Angle == nil {
		l.refuse("Both: the landscape has no angle yet; call Angle first")
		return l
	}
	angle := *l.spec.Angle
	angle.Both = true
	l.spec.Angle = &angle
	return l
}

// Planes shows maps of all planes in the space of three features. Each point of a map stands for
// the normal of a plane. The first map shows the ratio of sums (trace ratio). A button adds the
// second map, which shows the sum of ratios (ratio trace). A click shows the projection of the
// samples onto a plane.
func (l LandscapeBuilder) Planes() LandscapeBuilder {
	l.spec.Planes = &stage.PlanesSpec{}
	return l
}

// Dial adds a menu of up to 30 values of a parameter of the recipe. Two values become a switch.
// Call Dial once, after Planes.
func (l LandscapeBuilder) Dial(parameter string, values ...float64) LandscapeBuilder {
	switch {
	case l.spec.Planes == nil:
		l.refuse("Dial: the landscape has no planes yet; call Planes first")
		return l
	case l.spec.Planes.Dial != "":
		l.refuse("Dial: a landscape has only one dial; call Dial once")
		return l
	}
	l.spec.Planes = &stage.PlanesSpec{Dial: parameter, Values: slices.Clone(values)}
	return l
}

// Cards shows two to eight players with the points that they won and lost. The reader selects two
// players. Two meters compare their points won with their points lost: as a ratio of sums, and as a
// sum of ratios. The source is ignored.
func (l LandscapeBuilder) Cards(won, lost []float64) LandscapeBuilder {
	l.spec.Cards = &stage.CardsSpec{Won: slices.Clone(won), Lost: slices.Clone(lost)}
	return l
}

// Root shows how a trace-ratio method such as TRLDA finds the best ratio by Newton's method, as the
// zero of a function. Each iterate is the zero of the tangent at the previous iterate. The function
// is drawn if it can be computed from the labelled samples, as for TRLDA().PCA(1).
func (l LandscapeBuilder) Root(e ssdrnb.Estimator) LandscapeBuilder {
	l.spec.Root = &stage.RootSpec{Method: stage.MethodOf(ssdrnb.SpecOf(e))}
	return l
}

// Named gives a name to an angle in degrees or to a value of the dial. In the text of a beat, the
// name becomes a link that sets this value.
func (l LandscapeBuilder) Named(name string, value float64) LandscapeBuilder {
	l.spec.Named = append(l.spec.Named[:len(l.spec.Named):len(l.spec.Named)], stage.NamedValue{Name: name, Value: value})
	return l
}

// Show shows the landscape without a lesson.
func (l LandscapeBuilder) Show() { showStage(l) }

func (l LandscapeBuilder) stage() (stage.Spec, *ssdrnb.Data) {
	spec := l.spec
	if l.err != nil {
		return stage.Spec{Title: l.title, Landscape: &spec}, data.Failed(l.title, l.err)
	}
	if spec.Cards != nil {
		return stage.Spec{Title: l.title, Landscape: &spec}, nil
	}
	return stage.Spec{Title: l.title, Landscape: &spec}, l.source.data
}
