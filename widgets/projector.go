package widgets

import (
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// ProjectorBuilder collects the options of [Projector]. Its methods return changed copies.
type ProjectorBuilder struct {
	title   string
	data    *ssdrnb.Data
	several bool // the clouds come from several data sets, which is an error
	spec    stage.ProjectorSpec
}

// Projector returns the builder of a point cloud in three features that the reader rotates. The
// cloud is shown beside its shadow, the projection along the line of sight. If there are two or
// three clouds, only their shadows are shown. All clouds from [Samples] must have the same data.
//
//	widgets.Projector(widgets.Recipe("pancakes", 1)).Turned(40, 25).Widest().Meters("spread kept").Show()
func Projector(clouds ...Source) ProjectorBuilder {
	p := ProjectorBuilder{title: "A cloud and its shadow"}
	for _, c := range clouds {
		p.spec.Sources = append(p.spec.Sources, c.source)
		if c.data != nil {
			p.several = p.several || p.data != nil && p.data != c.data
			p.data = c.data
		}
	}
	return p
}

// Title sets the title; the default is "A cloud and its shadow".
func (p ProjectorBuilder) Title(title string) ProjectorBuilder {
	p.title = title
	return p
}

// Titles sets the titles of several clouds.
func (p ProjectorBuilder) Titles(titles ...string) ProjectorBuilder {
	p.spec.Titles = titles
	return p
}

// Turned sets the initial rotation in degrees, about the vertical and then about the horizontal
// axis. At 0 and 0 the shadow shows the first two features.
func (p ProjectorBuilder) Turned(vertical, horizontal float64) ProjectorBuilder {
	p.spec.Turned = [2]float64{vertical, horizontal}
	return p
}

// Named gives a name to a rotation. In the text of a beat, the name becomes a link that rotates the
// cloud.
func (p ProjectorBuilder) Named(name string, vertical, horizontal float64) ProjectorBuilder {
	p.spec.Named = append(slices.Clone(p.spec.Named), stage.NamedTurn{Name: name, Turned: [2]float64{vertical, horizontal}})
	return p
}

// HideColors hides the groups until the reader shows their colours.
func (p ProjectorBuilder) HideColors() ProjectorBuilder {
	p.spec.Hidden = true
	return p
}

// Widest adds the buttons "widest", which turns to the plane of PCA, and "mine", which turns to
// the widest shadow that the reader has found.
func (p ProjectorBuilder) Widest() ProjectorBuilder {
	p.spec.Widest = true
	return p
}

// Meters selects the numbers below the cloud by name: "spread kept", "same-group neighbours" and
// "kept neighbours", see [BenchBuilder.Meters], and "my widest", the spread kept by the widest
// shadow that the reader has found.
func (p ProjectorBuilder) Meters(names ...string) ProjectorBuilder {
	p.spec.Meters = names
	return p
}

// Show shows the projector without a lesson.
func (p ProjectorBuilder) Show() { showStage(p) }

// stage returns the spec and its data. If the clouds come from several data sets, the Err method of
// the data returns an error.
func (p ProjectorBuilder) stage() (stage.Spec, *ssdrnb.Data) {
	d := p.data
	if p.several {
		d = data.Failed(p.title, fmt.Errorf("widgets: the clouds of a projector come from two data sets, but a stage can have only one; show each in its own Projector"))
	}
	return stage.Spec{Title: p.title, Projector: &p.spec}, d
}
