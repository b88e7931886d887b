package chart

import "github.com/ssdrnb/ssdrnb/viz/look"

// Layout has the lengths, in pixels, by which the panels of a figure share its width. The page
// applies the same rules at any width.
type Layout struct {
	Count  int     `json:"count" is:"1..Panels"`
	Most   int     `json:"most" is:"1..10"`    // most panels in a row
	Least  float64 `json:"least" is:"0..1000"` // a row takes fewer panels before they are narrower
	High   float64 `json:"high" is:"20..2500"` // largest height of a panel
	Head   float64 `json:"head" is:"0..100"`   // above all panels, for the title
	Above  float64 `json:"above" is:"0..100"`  // above each row, for captions
	Below  float64 `json:"below" is:"0..400"`  // below each row, for labels of the axis
	Left   float64 `json:"left" is:"0..1000"`  // left of all panels
	Gap    float64 `json:"gap" is:"0..1000"`   // between two columns
	Right  float64 `json:"right" is:"0..1000"` // right of all panels, before the legend
	Legend float64 `json:"legend" is:"0..400"` // width of the legend
	Foot   float64 `json:"foot" is:"0..1000"`  // below all rows, for sizes and opacities
	// Ratio is the height over the width of each panel. If Kept is false, it only bounds the
	// height of a row, and panels fill their place.
	Ratio []float64 `json:"ratio" is:"0..1e308*Panels"`
	Kept  bool      `json:"kept"`
	// Spans are the ranges of panels with equal scales: lowest and highest x, lowest and highest
	// y. The page widens one of the two. A panel without equal scales has nil.
	Spans [][]float64 `json:"spans,omitempty" is:"real*4?*Panels"`
}

// Samples has the page's data about the samples of a figure.
type Samples struct {
	Panels []*SamplePanel `json:"panels" is:"?*Tiles"` // nil for panels without samples
	Sheets []*look.Sheet  `json:"sheets" is:"sheet*Tiles"`
	Legend string         `json:"legend" is:"name"` // subject of the legend: figures with the same subject share its state
	Many   bool           `json:"many"`             // the page paints the samples of some panel
	Short  Short          `json:"short,omitempty" is:"short"`
	Grades []Grade        `json:"grades,omitempty" is:"*2"`
	// Contrasts are the values for comparing selections.
	Contrasts []*Contrast `json:"contrasts,omitempty" is:"*Panels"`
	// Places are the positions for distances in the data.
	Places []*Places `json:"places,omitempty" is:"*Panels"`
}

// Short are the names that a legend abbreviates, each with its abbreviation.
type Short [][2]string

// Grade is a line below the panels that explains sizes or opacities: marks from the lowest to
// the highest value with their numbers.
type Grade struct {
	Name      string    `json:"name" is:"name"`
	Names     []string  `json:"names" is:"number*3"`
	Diameters []float64 `json:"values" is:"0..100*3"` // pixels
	Opacities []float64 `json:"range" is:"0..1*3"`
}

// SamplePanel is the samples of a panel.
type SamplePanel struct {
	Labelled string   `json:"labelled" is:"bits"`    // 0 or 1 for each sample
	Sheet    int      `json:"sheet" is:"-1..sheets"` // index into the sheets, -1 for none
	Samples  Identity `json:"samples"`
	Of       []int    `json:"of,omitempty" is:"row number*Many"` // index into Names of each sample
	Names    []string `json:"names,omitempty" is:"name*Many"`
	Facts    []Fact   `json:"facts,omitempty" is:"fact*10000"`
	Many     *Many    `json:"many,omitempty"`
	Contrast *int     `json:"contrast,omitempty" is:"index"` // into the contrasts
	Places   *int     `json:"places,omitempty" is:"index"`   // into the places
	// Known is base64 of a little-endian number of four bytes for each sample. Samples with equal
	// numbers are the same sample in different panels; 2³² − 1 matches none. "" without Linked.
	Known string `json:"known,omitempty" is:"packed"`
}

// Contrast is the features and attributes of samples, one byte per value.
type Contrast struct {
	Columns []Compared `json:"columns" is:"*Cells"`
	Centers []int      `json:"centers" is:"row number*100"`            // of the regions that a selection is compared with
	Image   *[2]int    `json:"image,omitempty" is:"side*2"`            // height and width of samples that are images
	Pixels  []int      `json:"pixels,omitempty" is:"row number*Cells"` // the column of each pixel, row by row
}

// Compared is a column of [Contrast].
type Compared struct {
	Name    string    `json:"name" is:"name"`
	Of      string    `json:"of" is:"packed"` // base64 of a byte for each sample: index into Levels or Names, 255 is missing
	Levels  []float64 `json:"levels,omitempty" is:"real*255"`
	Names   []string  `json:"names,omitempty" is:"name*255"`
	Date    bool      `json:"date,omitempty" is:"=true"`    // Levels are days since 1970-01-01
	Outside bool      `json:"outside,omitempty" is:"=true"` // the embedding was not computed from it
}

// Places are the positions of samples in the data, in orthogonal coordinates. The last coordinate
// is the length of the residual, which is taken to be orthogonal to all other residuals.
type Places struct {
	Dims int     `json:"dims" is:"2..32"`
	Unit float64 `json:"unit" is:"0..1e308"`
	Of   string  `json:"of" is:"packed"` // base64 of a byte for each coordinate, sample by sample: 128 is 0, and a step is Unit
}

// Identity identifies samples, to link figures and to store a selection.
type Identity struct {
	Name  string `json:"name" is:"name"` // of the panel
	N     int    `json:"n" is:"0..Many"`
	Data  string `json:"data" is:"name"`
	Print string `json:"print" is:"print"`            // fingerprint, or ""
	Code  string `json:"code,omitempty" is:"<=20000"` // the Go expression of the method
}

// Fact is a value of each sample, for the hover card: by its place in the data of the points, by
// numbers, or by names.
type Fact struct {
	Name   string     `json:"name"`
	At     int        `json:"at,omitempty"`
	Values []*float64 `json:"values,omitempty"` // nil for unknown values
	Of     []int      `json:"of,omitempty"`
	Names  []string   `json:"names,omitempty"`
}

// Many is samples that the page paints. Strings are base64 of little-endian numbers of one, two
// or, for Rows, four bytes.
type Many struct {
	Count  int         `json:"count" is:"0..Many"`
	X      string      `json:"x" is:"packed"` // 0 to 65,535 between From and To
	Y      string      `json:"y" is:"packed"`
	Of     string      `json:"of" is:"packed"` // index of the series
	From   [2]float64  `json:"from" is:"real*2"`
	To     [2]float64  `json:"to" is:"real*2"`
	Above  bool        `json:"above"`                        // labelled samples are drawn above the others
	Rows   string      `json:"rows,omitempty" is:"packed"`   // "" if all samples are drawn
	Values string      `json:"values,omitempty" is:"packed"` // on the scale of colours; 65,535 is unknown
	Stops  []string    `json:"stops,omitempty" is:"color*256"`
	Range  *[2]float64 `json:"range,omitempty" is:"real*2"` // of Values
	// Sizes are diameters in fifths of a pixel and Opacities are in 255 steps, in bytes: of each
	// sample, of all samples in one byte, or "" if the page chooses.
	Sizes     string `json:"sizes,omitempty" is:"packed"`
	Opacities string `json:"opacities,omitempty" is:"packed"`
}

// Matrices has the page's data about adjacency matrices.
type Matrices struct {
	Middles []float64 `json:"middles" is:"real*Many"` // where the names of classes are
	Names   []string  `json:"names" is:"name*Many"`
	Order   []int     `json:"order" is:"row number*Many"` // the samples by class
	Bounds  []float64 `json:"bounds" is:"real*Many+1"`    // where classes begin, and the end
}

// Spreads has the page's data about bars.
type Spreads struct {
	Spread [][]*float64 `json:"spread" is:"real?*Bars*Bars"` // of each series and group
	Short  Short        `json:"short,omitempty" is:"short"`
}

// Abscissa has the page's data about curves.
type Abscissa struct {
	X     string `json:"x" is:"name"` // the name of the quantity
	Short Short  `json:"short,omitempty" is:"short"`
}

// Abridged has the page's data about a legend with long names.
type Abridged struct {
	Short Short `json:"short" is:"short"`
}

// Grid has the page's data about a mesh.
type Grid struct {
	X     []string  `json:"x" is:"name*Bars"` // labels of the grid lines
	Y     []string  `json:"y" is:"name*Bars"`
	Names [2]string `json:"names" is:"name*2"`
}

// Multiples has the data that the page draws over a picture of small embeddings.
type Multiples struct {
	Kind   string     `json:"kind" is:"=\"multiples\""`
	Side   int        `json:"side" is:"1..1000"` // of a frame, in pixels
	Wide   Tiles      `json:"wide"`
	Narrow Tiles      `json:"narrow"`
	Points []string   `json:"points" is:"frames"`   // base64 of two numbers of two bytes for each sample; 65,535 is outside
	Look   []int      `json:"look" is:"tile*Tiles"` // index into Looks of each frame
	Looks  []TileLook `json:"looks" is:"*Tiles"`
	Extra  *Samples   `json:"extra"`
}

// Tiles is an arrangement of [Multiples].
type Tiles struct {
	Width  int          `json:"width" is:"1..5000"`
	Height int          `json:"height" is:"1..100000"`
	Tiles  [][2]float64 `json:"tiles" is:"pair*Tiles"` // upper left corners of the frames
	Keys   []TileKey    `json:"keys" is:"tile key*1000"`
}

// TileKey is an entry of the legend of [Multiples], written as [x, y, width, name].
type TileKey struct {
	X, Y, Width float64
	Name        string
}

// TileLook is how samples look in [Multiples].
type TileLook struct {
	Names   []string `json:"names" is:"name*Series"`
	Colors  []string `json:"colors" is:"color*Series"`
	Symbols []string `json:"symbols" is:"symbol*Series"`
	Of      []int    `json:"of" is:"row number*Points"` // index into Names of each sample
}
