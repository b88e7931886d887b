package chart

import "github.com/go-echarts/go-echarts/v2/opts"

// Series is a series of an option. ECharts draws the series without a field Draw, and the page's
// script draws the others.
type Series interface{ series() }

// Scatter draws points in a panel. Each item of Data contains the coordinates of a point, a value
// for each [VisualMap] of the series, and the row number of the sample.
type Scatter struct {
	Name       string          `json:"name,omitempty" is:"name"`
	Type       string          `json:"type" is:"=\"scatter\""`
	XAxisIndex int             `json:"xAxisIndex,omitempty" is:"index"`
	YAxisIndex int             `json:"yAxisIndex,omitempty" is:"index"`
	Symbol     string          `json:"symbol" is:"symbol"`
	SymbolSize float64         `json:"symbolSize,omitempty" is:"0..60"`
	Data       [][]any         `json:"data" is:"row*Points"`
	ItemStyle  *opts.ItemStyle `json:"itemStyle" is:"itemStyle"`
}

// Scatter3D draws points in a box.
type Scatter3D struct {
	Name       string          `json:"name,omitempty" is:"name"`
	Type       string          `json:"type" is:"=\"scatter3D\""`
	XAxisIndex int             `json:"xAxisIndex,omitempty" is:"=0"`
	YAxisIndex int             `json:"yAxisIndex,omitempty" is:"=0"`
	Symbol     string          `json:"symbol" is:"symbol"`
	SymbolSize float64         `json:"symbolSize,omitempty" is:"0..60"`
	Data       [][]any         `json:"data" is:"row*Points"`
	ItemStyle  *opts.ItemStyle `json:"itemStyle" is:"itemStyle"`
}

// Names draws labels at invisible points of a panel. If labels overlap, only the label of the point
// with the larger SymbolSize is drawn.
type Names struct {
	Type        string          `json:"type" is:"=\"scatter\""`
	XAxisIndex  int             `json:"xAxisIndex" is:"index"`
	YAxisIndex  int             `json:"yAxisIndex" is:"index"`
	Data        []NamedPoint    `json:"data" is:"*1000"`
	Silent      bool            `json:"silent" is:"=true"`
	Z           int             `json:"z" is:"0..9"`
	Tooltip     Show            `json:"tooltip" is:"={\"show\":false}"`
	ItemStyle   *opts.ItemStyle `json:"itemStyle" is:"={\"color\":\"@ink\",\"opacity\":0}"`
	LabelLayout HideOverlap     `json:"labelLayout" is:"={\"hideOverlap\":true}"`
	Label       PointLabel      `json:"label"`
}

// NamedPoint is a point with a label.
type NamedPoint struct {
	Name       string     `json:"name" is:"name"`
	Value      [2]float64 `json:"value" is:"real*2"`
	SymbolSize float64    `json:"symbolSize" is:"0..60"`
	Label      *Beside    `json:"label,omitempty"`
	// Text is the original name of a cluster that readers can rename. It is "" for other labels.
	Text string `json:"text,omitempty" is:"name"`
	// Legend is the legend entry of the samples with the label, or nil if they have different
	// entries. If a reader hides the entry, the label is hidden too.
	Legend *string `json:"legend,omitempty" is:"name"`
}

// Beside places the label at a side of its point.
type Beside struct {
	Position string `json:"position" is:"left|right"`
}

// HideOverlap hides labels that would cover others.
type HideOverlap struct {
	HideOverlap bool `json:"hideOverlap"`
}

// PointLabel is the style of the labels of [Names].
type PointLabel struct {
	Show            bool   `json:"show" is:"=true"`
	Opacity         int    `json:"opacity" is:"=1"`
	Position        string `json:"position" is:"=\"inside\""`
	FontSize        int    `json:"fontSize" is:"8..30"`
	FontWeight      string `json:"fontWeight" is:"bold|normal"`
	Color           string `json:"color" is:"color"`
	TextBorderColor string `json:"textBorderColor" is:"color"`
	TextBorderWidth int    `json:"textBorderWidth" is:"0..5"`
}

// Segments draws lines between pairs of points in a panel. Data contains four numbers per line: x
// and y of both ends. This format needs half the space of a list of objects.
type Segments struct {
	Type             string          `json:"type" is:"=\"lines\""`
	Draw             string          `json:"draw" is:"=\"segments\""`
	Name             string          `json:"name" is:"name"`
	CoordinateSystem string          `json:"coordinateSystem" is:"=\"cartesian2d\""`
	XAxisIndex       int             `json:"xAxisIndex" is:"index"`
	YAxisIndex       int             `json:"yAxisIndex" is:"index"`
	Data             []float64       `json:"data" is:"real*Ends"`
	LineStyle        *opts.LineStyle `json:"lineStyle" is:"lineStyle"`
	ItemStyle        *opts.ItemStyle `json:"itemStyle" is:"itemStyle"`
	Silent           bool            `json:"silent" is:"=true"`
	Clip             bool            `json:"clip" is:"=true"`
	Z                int             `json:"z" is:"0..9"`
	Symbol           string          `json:"symbol" is:"=\"none\""`
}

// Arrows draws the arrows of features.
type Arrows struct {
	Type             string          `json:"type" is:"=\"lines\""`
	CoordinateSystem string          `json:"coordinateSystem" is:"=\"cartesian2d\""`
	XAxisIndex       int             `json:"xAxisIndex" is:"index"`
	YAxisIndex       int             `json:"yAxisIndex" is:"index"`
	Data             []Arrow         `json:"data" is:"*1000"`
	Silent           bool            `json:"silent" is:"=true"`
	Z                int             `json:"z" is:"0..9"`
	Symbol           [2]string       `json:"symbol" is:"=[\"none\",\"arrow\"]"`
	SymbolSize       int             `json:"symbolSize" is:"=9"`
	LineStyle        *opts.LineStyle `json:"lineStyle" is:"lineStyle"`
	Tooltip          Show            `json:"tooltip" is:"={\"show\":false}"`
}

// Arrow is an arrow of a feature, from the first point in Coords to the second.
type Arrow struct {
	Name   string        `json:"name" is:"name"`
	Coords [2][2]float64 `json:"coords" is:"row*2"`
}

// Picture is a picture in the axes of a panel. Data contains the coordinates of its lower left and
// upper right corners.
type Picture struct {
	Type       string        `json:"type" is:"=\"custom\""`
	Draw       string        `json:"draw" is:"=\"picture\""`
	Image      any           `json:"image" is:"picture"` // written as a data URL
	XAxisIndex int           `json:"xAxisIndex" is:"index"`
	YAxisIndex int           `json:"yAxisIndex" is:"index"`
	Data       [1][4]float64 `json:"data" is:"row*1"`
	Encode     opts.Encode   `json:"encode" is:"={\"x\":[0,2],\"y\":[1,3]}"`
	Clip       bool          `json:"clip" is:"=true"`
	Silent     bool          `json:"silent" is:"=true"`
	Z          int           `json:"z" is:"0..9"`
	Tooltip    Show          `json:"tooltip" is:"={\"show\":false}"`
}

// Thumbnails draws samples as pictures, with frames in the colours of their groups. Each item of
// Data contains x, y, the index of the group into Names and Tones, and the row number of a sample.
type Thumbnails struct {
	Type        string       `json:"type" is:"=\"custom\""`
	Draw        string       `json:"draw" is:"=\"thumbnails\""`
	Panel       int          `json:"panel" is:"index"`
	Names       []string     `json:"names" is:"name*1000"`
	Tones       []string     `json:"tones" is:"color*1000"`
	Side        int          `json:"side" is:"1..100"` // length of the longer side, in pixels
	XAxisIndex  int          `json:"xAxisIndex" is:"index"`
	YAxisIndex  int          `json:"yAxisIndex" is:"index"`
	Data        [][4]float64 `json:"data" is:"row*Points"`
	Encode      opts.Encode  `json:"encode" is:"={\"x\":0,\"y\":1}"`
	Clip        bool         `json:"clip" is:"=true"`
	Silent      bool         `json:"silent" is:"=true"`
	Z           int          `json:"z" is:"0..9"`
	Progressive int          `json:"progressive" is:"=0"`
	Tooltip     Show         `json:"tooltip" is:"={\"show\":false}"`
}

// Spread draws a band or error bars. Each item of Data contains x, the lower end and the upper end.
type Spread struct {
	Name       string          `json:"name" is:"name"`
	Type       string          `json:"type" is:"=\"custom\""`
	Draw       string          `json:"draw" is:"whiskers|band"`
	XAxisIndex int             `json:"xAxisIndex,omitempty" is:"index"`
	YAxisIndex int             `json:"yAxisIndex,omitempty" is:"index"`
	Beside     int             `json:"beside,omitempty" is:"0..Bars"` // for error bars of grouped bars: number of series of bars, which come before all others
	Data       [][3]float64    `json:"data" is:"row*Points"`
	Encode     opts.Encode     `json:"encode" is:"={\"x\":0,\"y\":[1,2]}"`
	Clip       bool            `json:"clip" is:"=true"`
	Silent     bool            `json:"silent" is:"=true"`
	Z          int             `json:"z" is:"0..9"`
	ItemStyle  *opts.ItemStyle `json:"itemStyle" is:"itemStyle"`
}

// Bar contains the bars of one colour. Data has one number per group, or "-" for no bar.
type Bar struct {
	Name           string   `json:"name" is:"name"`
	Type           string   `json:"type" is:"=\"bar\""`
	Data           []any    `json:"data" is:"height*Bars"`
	BarGap         string   `json:"barGap" is:"=\"8%\""`
	BarCategoryGap string   `json:"barCategoryGap" is:"=\"22%\""`
	ItemStyle      BarStyle `json:"itemStyle"`
}

// BarStyle is the colour of bars, and their pattern if the colour occurs in several series.
type BarStyle struct {
	Color string `json:"color" is:"color"`
	Decal string `json:"decal,omitempty" is:"rect|triangle|circle"`
}

// Line draws points joined by a line.
type Line struct {
	Name       string          `json:"name,omitempty" is:"name"`
	Type       string          `json:"type" is:"=\"line\""`
	XAxisIndex int             `json:"xAxisIndex,omitempty" is:"index"`
	YAxisIndex int             `json:"yAxisIndex,omitempty" is:"index"`
	Data       [][]float64     `json:"data" is:"row*Traced?"`
	Symbol     string          `json:"symbol" is:"symbol"`
	SymbolSize float64         `json:"symbolSize" is:"0..60"`
	LineStyle  *opts.LineStyle `json:"lineStyle" is:"lineStyle"`
	ItemStyle  *opts.ItemStyle `json:"itemStyle" is:"itemStyle"`
	Silent     bool            `json:"silent,omitempty" is:"=true"`
	Z          int             `json:"z,omitempty" is:"0..9"`
}

// Surface is a surface over a grid. Each item of Data contains x, y and z of a vertex; a missing z
// is "-".
type Surface struct {
	Name        string          `json:"name" is:"name"`
	Type        string          `json:"type" is:"=\"surface\""`
	Grid3DIndex *int            `json:"grid3DIndex,omitempty" is:"index"`
	Data        [][]any         `json:"data" is:"row*Cells"`
	DataShape   [2]int          `json:"dataShape" is:"side*2"` // rows and columns
	Shading     string          `json:"shading" is:"=\"color\""`
	Wireframe   Wireframe       `json:"wireframe"`
	ItemStyle   *opts.ItemStyle `json:"itemStyle,omitempty" is:"itemStyle"`
	Silent      bool            `json:"silent,omitempty" is:"=true"`
}

// Wireframe draws the lines of a [Surface].
type Wireframe struct {
	Show      bool      `json:"show" is:"=true"`
	LineStyle WireStyle `json:"lineStyle"`
}

// WireStyle is the style of a [Wireframe].
type WireStyle struct {
	Color string `json:"color" is:"rgba(0,0,0,0.35)|rgba(128,128,128,0.35)"`
	Width int    `json:"width" is:"0..5"`
}

// Line3D is a line in a box.
type Line3D struct {
	Name      string          `json:"name" is:"name"`
	Type      string          `json:"type" is:"=\"line3D\""`
	Data      [2][3]float64   `json:"data" is:"row*2"`
	Silent    bool            `json:"silent" is:"=true"`
	LineStyle *opts.LineStyle `json:"lineStyle" is:"lineStyle"`
}

func (*Scatter) series()    {}
func (*Scatter3D) series()  {}
func (*Names) series()      {}
func (*Segments) series()   {}
func (*Arrows) series()     {}
func (*Picture) series()    {}
func (*Thumbnails) series() {}
func (*Spread) series()     {}
func (*Bar) series()        {}
func (*Line) series()       {}
func (*Surface) series()    {}
func (*Line3D) series()     {}
