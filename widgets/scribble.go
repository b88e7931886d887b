package widgets

import (
	"image"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// ScribbleBuilder collects the options of [Scribble]. Its methods return changed
// copies.
type ScribbleBuilder struct {
	drawing[ScribbleBuilder]
}

// Scribble returns the builder of an image that the reader segments by drawing on it. Pixels under
// a stroke get the class of the stroke. The method is fitted to all pixels, and every pixel is
// shown in the colour of its predicted class (nearest labelled pixel in the embedding). The data
// contain one sample per pixel of the image base, row by row from the top, as from
// [datasets.Scene]. Pixels with a label in the data are drawn like strokes. Strokes are stored like
// the labels of a [ConstraintEditor], and [Constraints] reads them. The method must be able to
// embed new samples.
func Scribble(e ssdrnb.Estimator, pixels *ssdrnb.Data, base image.Image) ScribbleBuilder {
	with := func(d drawing[ScribbleBuilder]) ScribbleBuilder { return ScribbleBuilder{d} }
	return with(drawing[ScribbleBuilder]{task: interact.Task{Kind: interact.KindScribble, Spec: ssdrnb.SpecOf(e), Data: pixels, Base: base, Name: "scribbles"}, with: with})
}

// Show shows the image, see the package comment, and returns the stored strokes as labels of the
// pixels. With Live it returns when the widget ends.
func (b ScribbleBuilder) Show() ConstraintSet { return b.show() }
