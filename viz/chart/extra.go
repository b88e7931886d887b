package chart

import "github.com/ssdrnb/ssdrnb/viz/look"

// Layout contains the numbers that determine the places of the panels of a figure at any width. The
// page computes the places by the same rules as package viz. Lengths are in pixels.
type Layout struct {
	Count int `json:"count" is:"1..Panels"`
	Most  int `json:"most" is:"1..10"` // maximum number of panels in a row
	// Least is the minimum width of a panel. A panel that would be narrower wraps to the next row.
	Least  float64 `json:"least" is:"0..1000"`
	High   float64 `json:"high" is:"20..2500"` // maximum height of a panel
	Head   float64 `json:"head" is:"0..100"`   // space above all panels, for the title
	Above  float64 `json:"above" is:"0..100"`  // above each row, for captions
	Below  float64 `json:"below" is:"0..400"`  // below each row, for the labels and the name of the x axis
	Left   float64 `json:"left" is:"0..1000"`  // left of all panels
	Gap    float64 `json:"gap" is:"0..1000"`   // between two columns
	Right  float64 `json:"right" is:"0..1000"` // right of all panels, before the legend
	Legend float64 `json:"legend" is:"0..400"` // width of the legend
	Foot   float64 `json:"foot" is:"0..1000"`  // below all rows, for the keys of sizes and opacities or for the legend
	// Ratio contains height divided by width for each panel. If Kept is true, every panel keeps its
	// own ratio. If Kept is false, the largest ratio only bounds the height of the rows, and all
	// panels have the same size.
	Ratio []float64 `json:"ratio" is:"0..1e308*Panels"`
	Kept  bool      `json:"kept"`
	// Spans contains, for each panel with equal scales, the lowest and highest x and the lowest and
	// highest y. The page widens one of the two ranges so that both axes have the same scale. The
	// entry of a panel without equal scales is nil.
	Spans [][]float64 `json:"spans,omitempty" is:"real*4?*Panels"`
}

// Samples contains the page's data about the samples of a figure.
type Samples struct {
	Panels []*SamplePanel `json:"panels" is:"?*Tiles"` // nil for panels without samples
	Sheets []*look.Sheet  `json:"sheets" is:"sheet*Tiles"`
	Legend string         `json:"legend" is:"name"` // subject of the legend; figures with the same samples and subject hide the same entries
	Many   bool           `json:"many"`             // true if the page's script paints the samples of some panel, see [Many]
	Short  Short          `json:"short,omitempty" is:"short"`
	Grades []Grade        `json:"grades,omitempty" is:"*2"`
	// Contrasts contains the features and attributes by which the page compares selections.
	Contrasts []*Contrast `json:"contrasts,omitempty" is:"*Panels"`
	// Places contains the positions of the samples in the data space. The page computes distances
	// from them.
	Places []*Places `json:"places,omitempty" is:"*Panels"`
}

// Short lists the names that a legend abbreviates, each with its abbreviation.
type Short [][2]string

// Grade is a line below the panels that explains sizes or opacities. It shows marks for the lowest
// to the highest value, each followed by its number.
type Grade struct {
	Name      string    `json:"name" is:"name"`
	Names     []string  `json:"names" is:"number*3"`  // the numbers
	Diameters []float64 `json:"values" is:"0..100*3"` // pixels
	Opacities []float64 `json:"range" is:"0..1*3"`
}

// SamplePanel contains the samples of a panel.
type SamplePanel struct {
	Labelled string   `json:"labelled" is:"bits"`    // one character per sample: 1 if it is labelled, 0 otherwise
	Sheet    int      `json:"sheet" is:"-1..sheets"` // index into Samples.Sheets; -1 without thumbnails
	Samples  Identity `json:"samples"`
	// Of[i] is the index of sample i into Names.
	Of       []int    `json:"of,omitempty" is:"row number*Many"`
	Names    []string `json:"names,omitempty" is:"name*Many"`
	Facts    []Fact   `json:"facts,omitempty" is:"fact*Facts"`
	Many     *Many    `json:"many,omitempty"`
	Contrast *int     `json:"contrast,omitempty" is:"index"` // index into Samples.Contrasts; nil for none
	Places   *int     `json:"places,omitempty" is:"index"`   // index into Samples.Places; nil for none
	// Known contains one little-endian 4-byte number per sample, in base64. Equal numbers in
	// different panels denote the same sample; 2³² − 1 matches no sample. Known is "" unless
	// Figure.Linked was called.
	Known string `json:"known,omitempty" is:"packed"`
}

// Contrast contains the features and attributes of samples, one byte per value.
type Contrast struct {
	Columns []Compared `json:"columns" is:"*Cells"`
	// Centers contains the row numbers of samples in the middle of random regions. The page
	// compares the effects in a selection with the effects in these regions.
	Centers []int `json:"centers" is:"row number*100"`
	// Image is the height and the width, in pixels, of samples that are images. It is nil for other
	// samples.
	Image *[2]int `json:"image,omitempty" is:"1..Bars*2"`
	// Pixels contains an index into Columns for each pixel of an image, row by row, or −1 for a
	// pixel without a column.
	Pixels []int `json:"pixels,omitempty" is:"row number*Cells"`
}

// Compared is a column of [Contrast].
type Compared struct {
	Name string `json:"name" is:"name"`
	// Of contains one byte per sample, in base64: an index into Levels if the column contains
	// numbers, or into Names if it contains texts. The byte 255 means that the value is missing.
	Of     string    `json:"of" is:"packed"`
	Levels []float64 `json:"levels,omitempty" is:"real*255"`
	Names  []string  `json:"names,omitempty" is:"name*255"`
	Date   bool      `json:"date,omitempty" is:"=true"` // Levels are days since 1970-01-01
	// Outside is true if the embedding was not computed from this column.
	Outside bool `json:"outside,omitempty" is:"=true"`
}

// Places contains the positions of samples in the data space. The first coordinates of a sample are
// its principal components. The last is the length of its residual, the part of the sample that
// these components do not represent. The distances assume that residuals of different samples are
// orthogonal.
type Places struct {
	Dims int     `json:"dims" is:"2..32"` // number of coordinates of a sample
	Unit float64 `json:"unit" is:"0..1e308"`
	// Of contains one byte per coordinate, sample by sample, in base64. The byte b represents (b −
	// 128)·Unit.
	Of string `json:"of" is:"packed"`
}

// Identity identifies the samples of a panel, to link figures and to store a selection.
type Identity struct {
	Name  string `json:"name" is:"name"` // name of the panel
	N     int    `json:"n" is:"0..Many"`
	Data  string `json:"data" is:"name"`
	Print string `json:"print" is:"print"`            // fingerprint of the data, "" if unknown
	Code  string `json:"code,omitempty" is:"<=20000"` // the Go expression of the method
}

// Fact contains a value of each sample for the hover card. The values are either the numbers in
// Values or texts. The text of sample i is Names[Of[i]], and it is unknown if Of[i] is −1. Names is
// empty if all values are unknown. If Values and Of are empty, the point data contain the values,
// and At is their index in the item of each point.
type Fact struct {
	Name   string     `json:"name"`
	At     int        `json:"at,omitempty"`
	Values []*float64 `json:"values,omitempty"` // an entry is nil if the value is unknown
	Of     []int      `json:"of,omitempty"`
	Names  []string   `json:"names,omitempty"`
}

// Many contains the samples of a panel that the page's script paints itself, because they are too
// many for ECharts. The strings contain little-endian numbers in base64, with one or two bytes
// each, or four bytes in Rows.
type Many struct {
	Count  int         `json:"count" is:"0..Many"`
	X      string      `json:"x" is:"packed"` // x of each sample, from 0 at From[0] to 65,535 at To[0]
	Y      string      `json:"y" is:"packed"`
	Of     string      `json:"of" is:"packed"` // index of the series of each sample
	From   [2]float64  `json:"from" is:"real*2"`
	To     [2]float64  `json:"to" is:"real*2"`
	Faded  bool        `json:"faded,omitempty" is:"=true"`   // true if the first series contains the samples that are not highlighted, a layer below the others
	Above  bool        `json:"above"`                        // true if labelled samples are drawn above the others
	Rows   string      `json:"rows,omitempty" is:"packed"`   // row of each drawn sample; "" if all samples are drawn
	Values string      `json:"values,omitempty" is:"packed"` // value of each sample, from 0 at Range[0] to 65,534 at Range[1]; 65,535 is unknown
	Stops  []string    `json:"stops,omitempty" is:"color*256"`
	Range  *[2]float64 `json:"range,omitempty" is:"real*2"` // ends of the colour scale
	// Sizes contains diameters in fifths of a pixel, and Opacities contains opacities in steps of
	// 1/255. Each has one byte per sample, or a single byte for all samples, or is "" if the page
	// chooses.
	Sizes     string `json:"sizes,omitempty" is:"packed"`
	Opacities string `json:"opacities,omitempty" is:"packed"`
}

// Matrices contains the page's data about adjacency matrices.
type Matrices struct {
	Middles []float64 `json:"middles" is:"real*Many"` // positions of the class names on the axes; the unit is one sample
	Names   []string  `json:"names" is:"name*Many"`
	Order   []int     `json:"order" is:"row number*Many"` // sample indices, sorted by class
	// Bounds contains, for each class, the index of its first sample in Order. The last entry is
	// the number of samples.
	Bounds []float64 `json:"bounds" is:"real*Many+1"`
}

// Spreads contains the page's data about bars.
type Spreads struct {
	// Spread contains half the length of each error bar, by series and group. An entry is nil if
	// the bar has no error bar.
	Spread [][]*float64 `json:"spread" is:"real?*Bars*Bars"`
	Short  Short        `json:"short,omitempty" is:"short"`
}

// Abscissa describes the x axis of curves for the page.
type Abscissa struct {
	X     string `json:"x" is:"name"` // name of the quantity on the x axis
	Short Short  `json:"short,omitempty" is:"short"`
}

// Abridged contains the page's data about a legend with long names.
type Abridged struct {
	Short Short `json:"short" is:"short"`
}

// Grid contains the page's data about a mesh.
type Grid struct {
	X     []string  `json:"x" is:"name*Bars"` // labels of the grid lines, the values of an option
	Y     []string  `json:"y" is:"name*Bars"`
	Names [2]string `json:"names" is:"name*2"`
}

// Multiples contains the data that the page draws over a picture of small embeddings.
type Multiples struct {
	Kind   string `json:"kind" is:"=\"multiples\""`
	Side   int    `json:"side" is:"1..1000"` // side of a frame, in pixels
	Wide   Tiles  `json:"wide"`
	Narrow Tiles  `json:"narrow"`
	// Points contains a string for each frame, with x and y of each sample as 2-byte numbers in
	// base64. The numbers range from 0 at the left or upper edge to 65,534 at the right or lower
	// edge. The number 65,535 means outside of the frame.
	Points []string   `json:"points" is:"frames"`
	Look   []int      `json:"look" is:"tile*Tiles"` // Look[i] is the index of frame i into Looks
	Looks  []TileLook `json:"looks" is:"*Tiles"`
	Extra  *Samples   `json:"extra"`
}

// Tiles is the arrangement of the frames of [Multiples] for one page width.
type Tiles struct {
	Width  int          `json:"width" is:"1..5000"`
	Height int          `json:"height" is:"1..100000"`
	Tiles  [][2]float64 `json:"tiles" is:"pair*Tiles"` // upper left corners of the frames, in pixels
	Keys   []TileKey    `json:"keys" is:"tile key*1000"`
}

// TileKey is an entry of the legend of [Multiples], written as [x, y, width, name], with lengths in
// pixels.
type TileKey struct {
	X, Y, Width float64
	Name        string
}

// TileLook is the appearance of samples in [Multiples].
type TileLook struct {
	Names   []string `json:"names" is:"name*Series"`
	Colors  []string `json:"colors" is:"color*Series"`
	Symbols []string `json:"symbols" is:"symbol*Series"`
	Of      []int    `json:"of" is:"row number*Points"` // Of[i] is the index of sample i into Names
}
