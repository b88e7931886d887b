// Package bounds defines the limits of figures and widgets. Packages viz and widgets check their
// data against these limits, and package viz/schema uses them to describe the data that the
// notebook extension accepts. It is a separate package because it is linked into every cell that
// draws a figure, and a small package takes less time to link.
//
// It is exported only because packages of several top-level folders share it.
package bounds

import (
	"bytes"
	"fmt"
)

// Limits of the JSON text of a figure or widget. Characters are counted before the text is parsed,
// because a browser needs many seconds to parse millions of lists or names.
const (
	Data   = 64 << 20  // length in UTF-16 units
	Lists  = 500_000   // number of opening brackets and braces, one for each list or object
	Values = 5_000_000 // number of commas, about one for each value
	Quotes = 1_000_000 // number of quotation marks, two for each name or text
)

// Fits returns an error if data, the JSON text of a figure or widget, exceeds one of the limits
// Data, Lists, Values and Quotes.
func Fits(data []byte) error {
	for _, part := range []struct {
		what        string
		count, most int
	}{{"bytes", len(data), Data}, {"points and other lists", bytes.Count(data, []byte("[")) + bytes.Count(data, []byte("{")), Lists},
		{"values", bytes.Count(data, []byte(",")), Values}, {"names", bytes.Count(data, []byte(`"`)) / 2, Quotes / 2}} {
		if part.count > part.most {
			return fmt.Errorf("the data have %d %s, but a page can hold at most %d", part.count, part.what, part.most)
		}
	}
	return nil
}

// Limits of figures: the maximum number of each item.
const (
	Panels = 100        // panels of a figure
	Tiles  = 200        // embeddings in a figure of small multiples that is linked to other figures
	Series = 2_000      // series in a figure of samples
	Drawn  = 600_000    // samples, links and thumbnails that ECharts draws in a figure
	Many   = 1_000_000  // samples of a panel that the page's script paints itself, without ECharts
	Points = 100_000    // samples of a panel that ECharts draws; also points of all curves of a figure
	Traced = 4 * Points // solver iterations of a figure
	Curves = 600        // curves of a figure
	Bars   = 2_000      // bars of a figure
	Groups = 100        // series of bars; ECharts takes quadratic time in this number
	Cells  = 10_000     // grid points of a mesh
	Links  = 10_000     // lines between samples
	Facts  = 10_000     // values that viz.Figure.Hover adds to the hover cards of a panel
	Bytes  = 8_000_000  // values of features and attributes for viz.Figure.Contrast, one byte each
)
