package widgets

import (
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// MapBuilder collects the options of [Map]. Its methods return changed copies.
type MapBuilder struct {
	title      string
	model      *ssdrnb.Model
	fresh      *ssdrnb.Data
	classifier *ssdrnb.Model
	name       string // name of the classifier
	meters     []string
}

// Map returns the builder of a map of the two-dimensional latent space of m, a fitted Gaussian
// process latent variable model of up to 200 pictures. The reader points at a place, and the stage
// shows the picture that the model predicts there, and the nearest sample. Dark places have a small
// predictive deviation, and bright places a large one. The page fits no model.
//
//	digits := datasets.Digits().Only(3, 5, 8).Seed(1).Take(40)
//	model := ssdrnb.GPLVM().Schedule(ssdrnb.Joint).Rounds(1).Steps(100).MustFit(digits.HideLabels())
//	widgets.Map(model).Meters("deviation here", "deviation far away").Show()
//
// Source: Lawrence, "Probabilistic non-linear principal component analysis with Gaussian process
// latent variable models", JMLR 6, 2005.
func Map(m *ssdrnb.Model) MapBuilder { return MapBuilder{title: "A map of pictures", model: m} }

// Title sets the title; the default is "A map of pictures".
func (m MapBuilder) Title(title string) MapBuilder {
	m.title = title
	return m
}

// New adds pictures that the model was not fitted to. The reader selects one of them. The model
// embeds this picture and reconstructs it from its position. New pictures of a class that the model
// was not fitted to are called strangers.
func (m MapBuilder) New(pictures *ssdrnb.Data) MapBuilder {
	m.fresh = pictures
	return m
}

// Classifier sets the model that predicts the classes of the pictures of [MapBuilder.New], see
// [ssdrnb.Model.Predict]. The meter "the classifier says" shows the predicted class.
func (m MapBuilder) Classifier(name string, classifier *ssdrnb.Model) MapBuilder {
	m.name, m.classifier = name, classifier
	return m
}

// Meters selects the numbers below the map by name. A deviation is the predictive standard
// deviation divided by that of the prior: less than 1 near the known pictures, and 1 far away.
//
//   - "deviation here", "deviation at the samples", "deviation half-way between classes",
//     "deviation far away": the deviation at the given places.
//   - "error of redrawing": root mean square difference between the new picture and its
//     reconstruction.
//   - "strangers told apart": each stranger is compared with each new picture of a known class. The
//     meter is the share of these pairs in which the stranger has the larger error of redrawing.
//   - "the classifier says": class predicted by the model of [MapBuilder.Classifier].
func (m MapBuilder) Meters(names ...string) MapBuilder {
	m.meters = slices.Clone(names)
	return m
}

// Show shows the map without a lesson.
func (m MapBuilder) Show() { showStage(m) }

// stage returns the spec and its data. If a map cannot show the model, the Err method of the data
// returns the reason.
func (m MapBuilder) stage() (stage.Spec, *ssdrnb.Data) {
	spec, d, err := stage.MapOf(m.model, m.fresh)
	if err == nil && m.classifier != nil && m.fresh != nil {
		spec.Classifier = m.name
		spec.Answers, err = m.classifier.Predict(m.fresh.X)
	}
	if err != nil {
		d = data.Failed(m.title, err)
	}
	spec.Meters = m.meters
	return stage.Spec{Title: m.title, Map: &spec}, d
}
