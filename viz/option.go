package viz

import (
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/ssdrnb/ssdrnb/viz/chart"
)

// Parts of ECharts options that several kinds of figure share.

// ink is black in a light theme and white in a dark theme. page is the background colour.
const (
	ink  = chart.Ink
	page = chart.Page
)

// mapped returns the value of f for each item of a list.
func mapped[S, T any](list []S, f func(S) T) []T {
	out := make([]T, len(list))
	for k, v := range list {
		out[k] = f(v)
	}
	return out
}

// common returns the parts of an option that do not depend on the kind of figure: the title, the
// panel captions that are not empty, the tooltip, a hidden legend, and the given series.
func common(title string, captions []string, series []chart.Series) chart.Common {
	c := chart.Common{
		Title:   []chart.Title{{Text: title, Top: "4", TextStyle: opts.TextStyle{FontSize: 14}}},
		Tooltip: opts.Tooltip{Trigger: "item"},
		Legend:  &chart.Legend{Show: opts.Bool(false)},
		Series:  series,
	}
	for k, text := range captions {
		if text != "" {
			c.Title = append(c.Title, chart.Title{Panel: &k, Text: text, TextStyle: captionText})
		}
	}
	return c
}

var captionText = opts.TextStyle{FontSize: 12, FontWeight: "normal"}

// valueAxis returns an axis of numbers from lo to hi.
func valueAxis(grid int, name string, lo, hi float64, nameGap int) *chart.Axis {
	// By default, ECharts could choose steps of 3. If the range is not a multiple of 3, the ends of
	// the axis would then have no labels.
	steps := 5
	if span := hi - lo; span > 0 && !math.IsInf(span, 0) {
		steps = min(max(int(math.Round(span/niceStep(span))), 2), 8)
	}
	a := &chart.Axis{GridIndex: grid, Type: "value", NameLocation: "middle", NameGap: nameGap, SplitNumber: steps,
		Min: round(lo, hi-lo), Max: round(hi, hi-lo), AxisLine: axisEdge(), AxisTick: &chart.AxisTick{Show: true, Length: 4},
		AxisLabel: &chart.AxisLabel{HideOverlap: true}, SplitLine: paleLines()}
	relabel(a, name, lo, hi)
	return a
}

// tickWidth returns the width in pixels of the widest tick label that the page writes on an axis
// from lo to hi.
func tickWidth(lo, hi float64) float64 {
	_, from, _ := shifted("", lo, hi)
	style, widest := newAxis("").TickText, 0.0
	for _, t := range (valueTicks{}).Ticks(lo, hi) {
		v := round(t.Value, hi-lo)
		if from != nil {
			v = round(t.Value-*from, hi-lo)
		}
		label := strconv.FormatFloat(v, 'f', -1, 64)
		if math.Abs(v) >= 1e21 || v != 0 && math.Abs(v) < 1e-6 { // the page also uses an exponent here
			label = strconv.FormatFloat(v, 'g', 6, 64)
		} else if whole, _, _ := strings.Cut(label, "."); from == nil {
			label += strings.Repeat(",", (len(whole)-1)/3)
		}
		widest = max(widest, wide(style, label))
	}
	return widest
}

// nameGap returns the distance in pixels from a vertical axis to its name, and the space to the
// left of the axis. These are the arguments gap and left, increased if the labels of the axis from
// lo to hi are wide.
func nameGap(lo, hi, gap, left float64) (int, float64) {
	more := max(math.Ceil(tickWidth(lo, hi))+14-gap, 0)
	return int(gap + more), left + more
}

// relabel sets the name of an axis from lo to hi. If ECharts would write long numbers on the axis,
// the page writes the labels itself: it subtracts an offset, which the name contains, and uses an
// exponent if necessary.
func relabel(a *chart.Axis, name string, lo, hi float64) {
	a.Name, a.From, a.Span = shifted(name, lo, hi)
}

// shifted returns the name of an axis from lo to hi, including the offset if there is one. If the
// page, rather than ECharts, has to write the labels, *from is this offset, which the page
// subtracts, and span is the length of the axis. Otherwise from is nil.
func shifted(name string, lo, hi float64) (full string, from *float64, span float64) {
	start := offset(lo, hi)
	if start != 0 || hi-lo < 1e-4 || hi-lo > 1e6 {
		from, span = &start, hi-lo
	}
	return relative(name, start), from, span
}

// endless returns a label style that hides the labels at the ends of an axis.
func endless() *chart.AxisLabel {
	return &chart.AxisLabel{ShowMinLabel: opts.Bool(false), ShowMaxLabel: opts.Bool(false), HideOverlap: true}
}

// axisEdge puts the axis line at the edge of the panel, regardless of the position of zero.
func axisEdge() *opts.AxisLine {
	return &opts.AxisLine{Show: opts.Bool(true), OnZero: opts.Bool(false)}
}

// paleLines returns the style of the grid lines of an axis.
func paleLines() *opts.SplitLine {
	return &opts.SplitLine{LineStyle: &opts.LineStyle{Opacity: opts.Float(0.5)}}
}

func noLines() *opts.SplitLine { return &opts.SplitLine{Show: opts.Bool(false)} }

// zoom lets the wheel and the mouse zoom all panels together. Points outside of the visible part
// are kept, so that lines to them still reach the border of the panel.
func zoom(panels int) []opts.DataZoom {
	all := make([]int, panels)
	for k := range all {
		all[k] = k
	}
	return []opts.DataZoom{{Type: "inside", XAxisIndex: all, FilterMode: "none"}, {Type: "inside", YAxisIndex: all, FilterMode: "none"}}
}

// methodLegend returns a legend of line or bar names in a column of the given width in pixels.
func methodLegend(width int) *chart.Legend {
	l := scrolling()
	l.ItemWidth, l.ItemGap, l.TextStyle, l.Tooltip = 30, 6, &chart.Truncated{Width: width - 56, Overflow: "truncate"}, &chart.Show{Show: true}
	return l
}

// classLegend returns a legend of classes in a column of the given width in pixels. Its colours are
// opaque even if points are pale.
func classLegend(width int) *chart.Legend {
	l := scrolling()
	l.ItemStyle, l.TextStyle = &chart.Opaque{Opacity: 1}, &chart.Truncated{Width: width - 48, Overflow: "truncate"}
	return l
}

// scrolling returns a legend in a column. If it has several pages, the arrows between them have the
// colours of the theme.
func scrolling() *chart.Legend {
	return &chart.Legend{Type: "scroll", Orient: "vertical", Right: 4, Top: "middle", Align: "left",
		InactiveColor: chart.Faint, PageIconColor: ink, PageIconInactiveColor: chart.Faint, PageTextStyle: &chart.Colored{Color: ink}}
}

// legendKeys returns legend entries with the given names. Their icons are the symbols of the
// series.
func legendKeys(names []string) []chart.LegendKey {
	out := make([]chart.LegendKey, len(names))
	for k, name := range names {
		out[k].Name = name
	}
	return out
}

// swatch returns a series without points, which only adds an entry to the legend.
func swatch(name, symbol string, shade color.NRGBA) *chart.Scatter {
	return &chart.Scatter{Name: name, Type: "scatter", Symbol: symbol, Data: [][]any{}, ItemStyle: &opts.ItemStyle{Color: css(shade), Opacity: opts.Float(1)}}
}

// colorBar returns the colour bar of a heat map in a panel. The page puts the bar to the right of
// the panel.
func colorBar(series, panel int, lo, hi float64, stops []color.NRGBA) *chart.VisualMap {
	bar := scaleBar([]int{series}, 0, lo, hi, stops)
	bar.Panel, bar.ItemWidth, bar.Text = &panel, 12, []string{brief(hi, hi-lo, 3), brief(lo, hi-lo, 3)}
	return bar
}

// scaleBar returns a scale that maps a value of each point to a colour, for the given series.
// dimension is the position of this value in the list of a point's values.
func scaleBar(series []int, dimension int, lo, hi float64, stops []color.NRGBA) *chart.VisualMap {
	return &chart.VisualMap{Type: "continuous", SeriesIndex: series, Dimension: dimension, Min: lo, Max: max(hi, lo+1e-300),
		Calculable: opts.Bool(false), HoverLink: opts.Bool(false), TextGap: 5, ItemWidth: 14, Align: "left", InRange: chart.InRange{Color: mapped(stops, css)}}
}

// pictureSeries places an image in the axes of a panel, below everything else.
func pictureSeries(panel int, x, y [2]float64, picture image.Image) *chart.Picture {
	return &chart.Picture{Type: "custom", Draw: "picture", Image: inlined{picture}, XAxisIndex: panel, YAxisIndex: panel,
		Data: [1][4]float64{{x[0], y[0], x[1], y[1]}}, Encode: opts.Encode{X: []int{0, 2}, Y: []int{1, 3}}, Clip: true, Silent: true}
}

// segmentSeries draws lines between points of a panel.
func segmentSeries(panel int, name string, of []segment, style opts.LineStyle) *chart.Segments {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, s := range of {
		for _, at := range s {
			for k, v := range at {
				lo[k], hi[k] = min(lo[k], v), max(hi[k], v)
			}
		}
	}
	flat := make([]float64, 0, 4*len(of))
	for _, s := range of {
		for _, at := range s {
			flat = append(flat, round(at[0], hi[0]-lo[0]), round(at[1], hi[1]-lo[1]))
		}
	}
	return &chart.Segments{Type: "lines", Draw: "segments", Name: name, CoordinateSystem: "cartesian2d", XAxisIndex: panel, YAxisIndex: panel,
		Data: flat, LineStyle: &style, ItemStyle: &opts.ItemStyle{Color: style.Color}, Silent: true, Clip: true, Z: 1, Symbol: "none"}
}
