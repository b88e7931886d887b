package widgets

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// BandBuilder collects the options of [Band]. Its methods return changed copies.
type BandBuilder struct {
	title string
	spec  stage.BandSpec
}

// Band returns the builder of a stage in which a Gaussian process predicts a hidden curve over x
// from 0 to 10. The reader clicks to measure the curve, and drags or removes measured points. The
// stage shows the predicted mean and a band of ±2 standard deviations around it. The hidden curve
// is recipes.Curve(seed), with a length scale and a variance of about 1.
//
//	widgets.Band(1).At(0.5, 1, 1.5, 8, 8.5, 9).Meters("half-width in the gap").Show()
func Band(seed uint64) BandBuilder {
	return BandBuilder{title: "A best guess and its band", spec: stage.BandSpec{Seed: seed, Length: 1, Noise: 0.1}}
}

// Title sets the title; the default is "A best guess and its band".
func (b BandBuilder) Title(title string) BandBuilder {
	b.title = title
	return b
}

// At sets the values of x at which the curve is measured initially.
func (b BandBuilder) At(x ...float64) BandBuilder {
	b.spec.At = x
	return b
}

// Noise sets the standard deviation of a measurement. The model uses the same value. The default is
// 0.1.
func (b BandBuilder) Noise(deviation float64) BandBuilder {
	b.spec.Noise = deviation
	return b
}

// Lengths adds a slider for the length scale of the model. Its initial value is start, which is one
// of the given lengths.
func (b BandBuilder) Lengths(start float64, lengths ...float64) BandBuilder {
	b.spec.Length, b.spec.Lengths = start, lengths
	return b
}

// Repeats adds a slider for the number of repeated measurements at the given x.
func (b BandBuilder) Repeats(at float64, numbers ...int) BandBuilder {
	b.spec.RepeatAt, b.spec.Repeats = at, numbers
	return b
}

// Jump adds a jump of the given height to the hidden curve, at the given x.
func (b BandBuilder) Jump(at, height float64) BandBuilder {
	b.spec.Jump, b.spec.JumpHeight = at, height
	return b
}

// Open shows the hidden curve from the start. Without Open, a switch shows it; in a
// [BandBuilder.Game] it appears when the page makes its measurements.
func (b BandBuilder) Open() BandBuilder {
	b.spec.Open = true
	return b
}

// Game limits the reader to the given number of measurements. When they are used up, the reader can
// press a button: the page then makes the same number of its own measurements for comparison. It
// always measures where its band is widest.
func (b BandBuilder) Game(questions int) BandBuilder {
	b.spec.Questions = questions
	return b
}

// Meters selects the numbers below the band by name. A half-width is twice a predicted standard
// deviation.
//
//   - "half-width among the points", "half-width in the gap", "half-width far away": half-width of
//     the curve at x = 1.75, 5 and 13.
//   - "half-width of the curve there", "half-width of the next measurement": half-widths at the
//     place of Repeats.
//   - "inside the band in the gap", "inside near the jump": share of the hidden curve that is
//     inside the band, from x = 3.5 to 6.5 or within one unit of the jump.
//   - "your error", "error of the page": root mean square distance from the hidden curve to the
//     mean predicted from the reader's or from the page's measurements.
func (b BandBuilder) Meters(names ...string) BandBuilder {
	b.spec.Meters = names
	return b
}

// Show shows the band without a lesson.
func (b BandBuilder) Show() { showStage(b) }

func (b BandBuilder) stage() (stage.Spec, *ssdrnb.Data) {
	return stage.Spec{Title: b.title, Band: &b.spec}, nil
}
