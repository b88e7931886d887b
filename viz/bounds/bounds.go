// Package bounds defines the limits of figures and widgets. Packages viz and widgets check their
// data against these limits, and package viz/schema uses them to describe the data that the
// notebook extension accepts. The package is separate because every cell that draws imports it.
//
// It is exported only because packages of several top-level folders share it.
package bounds

import (
	"bytes"
	"fmt"
)

// Limits of the data of a figure or widget. Larger data are rejected before parsing: a browser
// needs many seconds for millions of lists or names.
const (
	Data   = 64 << 20  // UTF-16 units
	Lists  = 500_000   // lists and objects
	Values = 5_000_000 // commas
	Quotes = 1_000_000 // around names and texts
)

// Fits returns an error if the data of a figure or widget exceed a limit.
func Fits(data []byte) error {
	for _, part := range []struct {
		what        string
		count, most int
	}{{"bytes", len(data), Data}, {"points and other lists", bytes.Count(data, []byte("[")) + bytes.Count(data, []byte("{")), Lists},
		{"values", bytes.Count(data, []byte(",")), Values}, {"names", bytes.Count(data, []byte(`"`)) / 2, Quotes / 2}} {
		if part.count > part.most {
			return fmt.Errorf("the data have %d %s, more than the %d that a page holds", part.count, part.what, part.most)
		}
	}
	return nil
}

// Limits of figures.
const (
	Panels = 100        // of a figure
	Tiles  = 200        // small embeddings whose samples are linked to other figures
	Series = 2_000      // of a figure of samples
	Drawn  = 600_000    // values of all series that ECharts draws: samples, links, thumbnails
	Many   = 1_000_000  // samples of a panel that the page paints
	Points = 100_000    // of all curves; samples of a panel that ECharts draws
	Traced = 4 * Points // steps of solvers
	Curves = 600        // of a figure
	Bars   = 2_000      // of a figure
	Groups = 100        // series of bars, which ECharts compares in pairs
	Cells  = 10_000     // of a mesh
	Links  = 10_000     // lines between samples
	Bytes  = 8_000_000  // values that a figure uses to compare selections
)
