// Package chart defines the data of a figure in a notebook: an ECharts option, and additional
// data for the page's script. Package viz fills these types, and package viz/schema derives from
// them the data that the notebook extension accepts.
//
// The package uses the types of go-echarts where their fields suffice. It does not import the
// charts package of go-echarts, because the code that renders pages from templates would then be
// linked into every cell that draws a figure.
//
// It is exported only because packages viz and viz/schema share it.
//
// # Tags
//
// Fields without omitempty are required. The tag "is" restricts the values of a field:
//
//	=JSON         the given constant
//	a|b|c         one of these strings
//	0..400        a number, or an integer in a field of integer type
//	<=1000        a string of at most 1,000 UTF-16 units
//	word          a type of viz/schema, such as name, color, or index
//	…?            or null
//	…*Points      a list of at most bounds.Points items of the type before the asterisk
//
// If the tag names no type, the Go type of the field applies: "*1000" bounds a list of structs.
package chart

import (
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// Colours that the page replaces by colours of its theme.
const (
	Ink   = "@ink"   // black in a light theme, white in a dark one
	Page  = "@page"  // the background
	Faint = "@faint" // a grey close to the background
)

// Figure is the data of a chart.
type Figure struct {
	Kind   string  `json:"kind"`
	GL     bool    `json:"gl"`    // true if the chart needs echarts-gl
	Extra  any     `json:"extra"` // data for the page's script; they compress better before the option
	Option Option  `json:"option"`
	Layout *Layout `json:"layout"`
	Height int     `json:"height"` // in pixels; 0 if the page decides
}

// Option is an ECharts option: a [Plane] or a [Space].
type Option interface{ common() *Common }

// SeriesOf returns the list of series in an option.
func SeriesOf(o Option) []Series { return o.common().Series }

// Common contains the fields of all options.
type Common struct {
	Title     []Title      `json:"title" is:"*Titles"`
	Tooltip   opts.Tooltip `json:"tooltip" is:"={\"trigger\":\"item\"}"`
	Animation bool         `json:"animation" is:"=false"`
	Legend    *Legend      `json:"legend"`
	Series    []Series     `json:"series"`
	VisualMap []*VisualMap `json:"visualMap,omitempty" is:"*Titles"`
}

func (c *Common) common() *Common { return c }

// Plane is the option of a two-dimensional chart. It has either one x and one y axis, or one pair
// of axes per panel.
type Plane[X, Y any] struct {
	Common
	XAxis    X               `json:"xAxis"`
	YAxis    Y               `json:"yAxis"`
	DataZoom []opts.DataZoom `json:"dataZoom,omitempty" is:"zoom*2"`
}

// Panels is the option of a figure whose panels have numeric axes.
type Panels = Plane[Axes, Axes]

// Space is the option of a chart in three dimensions.
type Space[A any] struct {
	Common
	XAxis3D A        `json:"xAxis3D"`
	YAxis3D A        `json:"yAxis3D"`
	ZAxis3D A        `json:"zAxis3D"`
	Grid3D  []Grid3D `json:"grid3D" is:"*2"`
}

// Axes is a list with one axis per panel.
type Axes []*Axis

// Axes3D is a list with one axis per box. A box is the three-dimensional counterpart of a panel.
type Axes3D []*Axis3D

// Title is the title of a figure, the caption of a panel, or the name of a colour scale.
type Title struct {
	Text      string         `json:"text,omitempty" is:"name"`
	Top       string         `json:"top,omitempty" is:"=\"4\""`
	TextStyle opts.TextStyle `json:"textStyle" is:"titleText"`
	// Panel is the index of the panel if the title is a caption, and nil otherwise.
	Panel *int `json:"panel,omitempty" is:"index"`
	Scale bool `json:"scale,omitempty" is:"=true"` // true if the title is the name of a colour scale
}

// Legend is the legend to the right of the panels.
type Legend struct {
	Show         types.Bool  `json:"show,omitempty"`
	Type         string      `json:"type,omitempty" is:"=\"scroll\""`
	Orient       string      `json:"orient,omitempty" is:"=\"vertical\""`
	Right        int         `json:"right,omitempty" is:"=4"`
	Top          string      `json:"top,omitempty" is:"=\"middle\""`
	Align        string      `json:"align,omitempty" is:"=\"left\""`
	ItemWidth    int         `json:"itemWidth,omitempty" is:"14..30"`
	ItemGap      int         `json:"itemGap,omitempty" is:"=6"`
	ItemStyle    *Opaque     `json:"itemStyle,omitempty"`
	TextStyle    *Truncated  `json:"textStyle,omitempty"`
	Tooltip      *Show       `json:"tooltip,omitempty" is:"={\"show\":true}"`
	SelectedMode types.Bool  `json:"selectedMode,omitempty" is:"=false"`
	Data         []LegendKey `json:"data,omitempty" is:"key*Series"`
	// Colours of hidden entries, and of the arrows and the text that turn the pages of the legend.
	InactiveColor         string   `json:"inactiveColor,omitempty" is:"=\"@faint\""`
	PageIconColor         string   `json:"pageIconColor,omitempty" is:"=\"@ink\""`
	PageIconInactiveColor string   `json:"pageIconInactiveColor,omitempty" is:"=\"@faint\""`
	PageTextStyle         *Colored `json:"pageTextStyle,omitempty" is:"={\"color\":\"@ink\"}"`
}

// Opaque makes the symbols of a legend opaque even if the points of their series are pale.
type Opaque struct {
	Opacity     float64 `json:"opacity" is:"=1"`
	BorderWidth float64 `json:"borderWidth" is:"=0"`
}

// Truncated is the style of a text that is cut at a width in pixels.
type Truncated struct {
	Width    int    `json:"width" is:"1..400"`
	Overflow string `json:"overflow" is:"=\"truncate\""`
}

// Colored is the colour of a text.
type Colored struct {
	Color string `json:"color"`
}

// Show determines whether ECharts shows a component.
type Show struct {
	Show bool `json:"show"`
}

// LegendKey is an entry of a legend: the name of a series and an icon. If Icon is "", ECharts draws
// the symbol of the series.
type LegendKey struct{ Name, Icon string }

// VisualMap maps a value of each point to a colour, diameter, or opacity. Dimension is the index of
// the value in the item of each point.
type VisualMap struct {
	Type        string     `json:"type,omitempty" is:"=\"continuous\""`
	Show        types.Bool `json:"show,omitempty"`
	SeriesIndex []int      `json:"seriesIndex,omitempty" is:"place*Series"`
	Dimension   int        `json:"dimension" is:"0..8"`
	Min         float64    `json:"min" is:"real"`
	Max         float64    `json:"max" is:"real"`
	Calculable  types.Bool `json:"calculable,omitempty"`
	HoverLink   types.Bool `json:"hoverLink,omitempty" is:"=false"`
	Text        []string   `json:"text,omitempty" is:"number*2"`
	TextGap     int        `json:"textGap,omitempty" is:"=5"`
	// Panel is the index of the panel, or nil if the scale applies to all panels.
	Panel     *int    `json:"panel,omitempty" is:"index"`
	ItemWidth int     `json:"itemWidth,omitempty" is:"1..40"`
	Align     string  `json:"align,omitempty" is:"=\"left\""`
	Right     int     `json:"right,omitempty" is:"=8"`
	Top       string  `json:"top,omitempty" is:"=\"middle\""`
	Precision int     `json:"precision,omitempty" is:"=3"`
	InRange   InRange `json:"inRange"`
}

// InRange is the range of the colours, diameters or opacities of a [VisualMap]. Only one field is
// set.
type InRange struct {
	Color      []string    `json:"color,omitempty" is:"color*256"`
	SymbolSize *[2]float64 `json:"symbolSize,omitempty" is:"=[3,18]"`
	Opacity    *[2]float64 `json:"opacity,omitempty" is:"=[0.1,1]"`
}

// Axis is an axis of numbers.
type Axis struct {
	Type         string          `json:"type" is:"value|log"`
	GridIndex    int             `json:"gridIndex" is:"index"`
	Name         string          `json:"name,omitempty" is:"name"`
	NameLocation string          `json:"nameLocation,omitempty" is:"=\"middle\""`
	NameGap      int             `json:"nameGap,omitempty" is:"0..400"`
	Min          float64         `json:"min" is:"real"`
	Max          float64         `json:"max" is:"real"`
	SplitNumber  int             `json:"splitNumber,omitempty" is:"1..10"`
	MinInterval  int             `json:"minInterval,omitempty" is:"=1"`
	AxisLine     *opts.AxisLine  `json:"axisLine,omitempty" is:"={\"onZero\":false,\"show\":true}"`
	AxisTick     *AxisTick       `json:"axisTick,omitempty"`
	AxisLabel    *AxisLabel      `json:"axisLabel,omitempty"`
	SplitLine    *opts.SplitLine `json:"splitLine,omitempty" is:"splitLine"`
	AxisPointer  *Pointer        `json:"axisPointer,omitempty" is:"={\"lineStyle\":{\"color\":\"#999\"},\"show\":true,\"triggerTooltip\":false}"`
	Position     string          `json:"position,omitempty" is:"left|bottom"`
	Show         types.Bool      `json:"show,omitempty" is:"=false"`
	Inverse      bool            `json:"inverse,omitempty"`
	// Outer is true if the name is shown only at the first panel of a row.
	Outer bool `json:"outer,omitempty" is:"=true"`
	// From is subtracted from the numbers in the labels. It is nil if ECharts writes the labels.
	From *float64 `json:"from,omitempty" is:"real"`
	// Span is the length of the axis, Max − Min. It is set if From is set.
	Span float64 `json:"span,omitempty" is:"real"`
}

// Pointer is the line that joins the mouse pointer to an [Axis].
type Pointer struct {
	Show           bool           `json:"show"`
	TriggerTooltip bool           `json:"triggerTooltip"`
	LineStyle      opts.LineStyle `json:"lineStyle"`
}

// AxisTick describes the ticks of an axis.
type AxisTick struct {
	Show         bool      `json:"show,omitempty" is:"=true"`
	Length       int       `json:"length,omitempty" is:"=4"`
	CustomValues []float64 `json:"customValues,omitempty" is:"real*1000"`
}

// AxisLabel describes the labels of an axis of numbers.
type AxisLabel struct {
	ShowMinLabel types.Bool `json:"showMinLabel,omitempty"`
	ShowMaxLabel types.Bool `json:"showMaxLabel,omitempty"`
	HideOverlap  bool       `json:"hideOverlap,omitempty" is:"=true"`
	CustomValues []float64  `json:"customValues,omitempty" is:"real*1000"`
	Width        int        `json:"width,omitempty" is:"1..400"`
	Overflow     string     `json:"overflow,omitempty" is:"=\"truncate\""`
}

// Categories is the axis of the groups of bars.
type Categories struct {
	Type      string         `json:"type" is:"=\"category\""`
	Data      []string       `json:"data" is:"name*Bars"`
	AxisTick  Show           `json:"axisTick" is:"={\"show\":false}"`
	AxisLine  *opts.AxisLine `json:"axisLine" is:"={\"onZero\":false,\"show\":true}"`
	AxisLabel struct {
		// Interval is the number of names omitted between two shown names.
		Interval int `json:"interval" is:"0..Bars"`
		Rotate   int `json:"rotate" is:"0..90"` // degrees
		Truncated
	} `json:"axisLabel"`
}

// Axis3D is an axis of a box. All colours are set, because ECharts-gl does not follow the theme.
type Axis3D struct {
	Type          string    `json:"type" is:"=\"value\""`
	Grid3DIndex   *int      `json:"grid3DIndex,omitempty" is:"index"`
	Name          string    `json:"name" is:"name"`
	NameGap       int       `json:"nameGap" is:"=4"`
	Min           float64   `json:"min" is:"real"`
	Max           float64   `json:"max" is:"real"`
	SplitNumber   int       `json:"splitNumber,omitempty" is:"=4"`
	Interval      float64   `json:"interval,omitempty" is:"1e-300..1e301"`
	AxisLabel     Text3D    `json:"axisLabel" is:"={\"color\":\"@ink\",\"fontSize\":11,\"lineHeight\":17,\"margin\":4}"`
	NameTextStyle Text3D    `json:"nameTextStyle" is:"={\"color\":\"@ink\",\"fontSize\":13,\"lineHeight\":19,\"margin\":4}"`
	AxisLine      Line3DOf  `json:"axisLine" is:"={\"lineStyle\":{\"color\":\"@ink\",\"width\":1.5}}"`
	AxisTick      Length    `json:"axisTick" is:"={\"length\":4}"`
	SplitLine     Line3DOf  `json:"splitLine" is:"={\"lineStyle\":{\"color\":\"@faint\"}}"`
	AxisPointer   Pointer3D `json:"axisPointer" is:"={\"label\":{\"textStyle\":{\"color\":\"@ink\"}},\"lineStyle\":{\"color\":\"@ink\"}}"`
	// Tight is true if the ends of the axis are not round numbers. They then have no labels.
	Tight bool       `json:"tight,omitempty" is:"=true"`
	Show  types.Bool `json:"show,omitempty" is:"=false"`
	From  *float64   `json:"from,omitempty" is:"real"`
	Span  float64    `json:"span,omitempty" is:"real"`
}

// Text3D is the style of text at an [Axis3D]. The line height is always set. Otherwise ECharts-gl
// cuts text to a height that it derives from the width of a Chinese character, and this height is
// too small if no font contains the character.
type Text3D struct {
	Color      string `json:"color"`
	FontSize   int    `json:"fontSize"`
	LineHeight int    `json:"lineHeight"`
	Margin     int    `json:"margin"`
}

// Line3DOf is the style of a line of an [Axis3D].
type Line3DOf struct {
	LineStyle opts.LineStyle `json:"lineStyle"`
}

// Length sets the length of the ticks of an [Axis3D], in pixels.
type Length struct {
	Length int `json:"length"`
}

// Pointer3D is the line from a point to an [Axis3D].
type Pointer3D struct {
	LineStyle opts.LineStyle `json:"lineStyle"`
	Label     struct {
		TextStyle opts.TextStyle `json:"textStyle"`
	} `json:"label"`
}

// Grid3D is the box of a chart in three dimensions. Its lengths are in units of ECharts-gl. Depth
// is along the y axis.
type Grid3D struct {
	BoxWidth    float64 `json:"boxWidth" is:"1..500"`
	BoxDepth    float64 `json:"boxDepth" is:"1..500"`
	BoxHeight   float64 `json:"boxHeight" is:"1..500"`
	ViewControl Camera  `json:"viewControl"`
}

// Camera is the point of view, with angles in degrees.
type Camera struct {
	Distance   int    `json:"distance" is:"10..1000"`
	AutoRotate bool   `json:"autoRotate" is:"=false"`
	Alpha      int    `json:"alpha" is:"-90..90"`
	Beta       int    `json:"beta" is:"-360..360"`
	Center     [3]int `json:"center" is:"shift*3"`
}
