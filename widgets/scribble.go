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

// Scribble returns the builder of a picture that the reader segments by drawing on it:
// pixels under a stroke get its class, the method is fitted to all pixels, and every
// pixel is shown in the class that the model predicts (nearest labelled pixel in the
// embedding). pixels has one sample per pixel of base, row by row from the top, as from
// [datasets.Scene]; its labels are drawn as scribbles. Strokes are stored like the
// labels of the editor: [Constraints] reads them back. The method must be able to embed
// new points.
func Scribble(e ssdrnb.Estimator, pixels *ssdrnb.Data, base image.Image) ScribbleBuilder {
	with := func(d drawing[ScribbleBuilder]) ScribbleBuilder { return ScribbleBuilder{d} }
	return with(drawing[ScribbleBuilder]{task: interact.Task{Kind: interact.KindScribble, Spec: specOf(e), Data: pixels, Base: base, Name: "scribbles"}, with: with})
}

// Show shows the picture, see the package comment, and returns the strokes as labels of
// the pixels, as they are stored; with Live it returns at the end.
func (b ScribbleBuilder) Show() ConstraintSet { return b.show() }
