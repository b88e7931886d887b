package viz

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/chart"
)

// box is a rectangle in a figure, in pixels. x and y are the position of its upper left corner,
// measured from the upper left corner of the figure.
type box struct{ x, y, w, h float64 }

// tiling divides the given number of panels as evenly as possible into rows. It returns the number
// of panels in a row, which does not exceed the argument most, and the number of rows.
func tiling(count, most int) (across, down int) {
	down = (count + most - 1) / most
	return (count + down - 1) / down, down
}

// layout is [chart.Layout] with the rules that place the panels. The function place in the page's
// script implements the same rules, see TestSharedRules.
type layout chart.Layout

// Heights in pixels of the title of the figure and of the captions above a row of panels.
const (
	titleHeight   = 34
	captionHeight = 24
)

// captioned returns the space in pixels above a row of panels with the given captions.
func captioned(captions ...string) float64 {
	if strings.Join(captions, "") == "" {
		return 4
	}
	return captionHeight
}

// place returns the boxes of the panels in a figure of the given width in pixels, and the height of
// the figure. If height is 0, place chooses it; otherwise the panels fill it.
func (l layout) place(width, height float64) ([]box, float64) {
	inner := width - l.Left - l.Right - l.Legend + l.Gap
	across := max(min(int(inner/(l.Least+l.Gap)), l.Most, l.Count), 1)
	across, down := tiling(l.Count, across)
	w := max(inner/float64(across)-l.Gap, 20)
	h := min(w*slices.Max(l.Ratio), l.High)
	if height > 0 {
		h = (height-l.Head-l.Foot)/float64(down) - l.Above - l.Below
	}
	h = max(h, 20)
	row := l.Above + h + l.Below
	out := make([]box, l.Count)
	for k := range out {
		b := box{l.Left + float64(k%across)*(w+l.Gap), l.Head + float64(k/across)*row + l.Above, w, h}
		if l.Kept {
			b.w = min(w, h/l.Ratio[k])
			b.h = b.w * l.Ratio[k]
			b.x += (w - b.w) / 2
		}
		out[k] = b
	}
	return out, l.Head + float64(down)*row + l.Foot
}

// height returns the height in pixels of a figure with the given width in pixels.
func (l layout) height(width int) int {
	_, height := l.place(float64(width), 0)
	return int(math.Ceil(height))
}

// maxNumber bounds the absolute values of numbers in a figure. Differences and sums of larger
// numbers can overflow.
const maxNumber = 1e300

// moderate returns an error if one of the values is not finite or is too large to draw. The error
// message names the values with the text in what.
func moderate(what string, values ...float64) error {
	for _, v := range values {
		if !(math.Abs(v) <= maxNumber) {
			return fmt.Errorf("viz: %s has the number %v; give finite numbers up to %g, and rescale larger ones", what, v, maxNumber)
		}
	}
	return nil
}

// located is an error whose text begins with the place where it occurred.
type located struct {
	text string
	error
}

func (e *located) Error() string { return e.text }
func (e *located) Unwrap() error { return e.error }

// errorAt wraps err in an error whose text begins with "viz: " and the place where err occurred. If
// err begins with "viz: ", this prefix is not repeated.
func errorAt(place string, err error) error {
	return &located{"viz: " + place + strings.TrimPrefix(err.Error(), "viz: "), err}
}

const maxPanels = bounds.Panels

// crowded returns an error if the number of panels exceeds the argument most.
func crowded(panels, most int) error {
	if panels > most {
		return fmt.Errorf("viz: there are %d panels, but at most %d are allowed; draw fewer", panels, most)
	}
	return nil
}

// present returns the nonempty texts.
func present(list ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" })
}

func lines(parts []string) string { return strings.Join(parts, "\n") + "\n" }

func dimensions(d int) string { return nouns.Count(d, "dimension") }

// thereAre returns a clause such as "there are 3 panels".
func thereAre(n int, thing string) string {
	return "there " + nouns.Form(n, "is", "are") + " " + nouns.Count(n, thing)
}
