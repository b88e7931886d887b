package viz

import (
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// classColumn returns the width in pixels of the legend column for panels of samples.
func classColumn(panels []*panel) int {
	width := 118
	for _, p := range panels {
		names := p.keys()
		if p.scaled() {
			names = append(names, p.colors.name)
			if p.colors.columns[0].dates != nil {
				ends := p.colors.ends()
				names = append(names, ends[:]...)
			}
		}
		width = max(width, legendWidth(names))
	}
	return min(width, 200)
}

// panelLayout returns the layout of panels whose two axes have the same scale.
func panelLayout(panels []*panel) layout {
	l := layout{Count: len(panels), Most: 4, Least: 200, High: 340, Head: titleHeight, Above: captionHeight, Below: 48, Left: 58, Gap: 62, Right: 12, Legend: float64(classColumn(panels)), Foot: gradeHeight * float64(len(panels[0].grades()))}
	switch {
	case len(panels) == 1:
		l.High, l.Above = 520, captioned()
	case len(panels) > 6:
		l.Least = 140
	}
	for _, p := range panels {
		if p.style.bare {
			l.Left, l.Gap, l.Below = 14, 16, 12
		} else {
			wide := p.tickWidth()
			l.Left, l.Gap = max(l.Left, 26+wide), max(l.Gap, 30+wide)
		}
		if p.d < 2 { // the second axis of a one-dimensional embedding shows no coordinate
			l.Ratio, l.Spans = append(l.Ratio, 0.7), append(l.Spans, nil)
			continue
		}
		lo, hi := p.ranges()
		l.Ratio = append(l.Ratio, min(max((hi[1]-lo[1])/(hi[0]-lo[0]), 0.6), 1))
		l.Spans = append(l.Spans, []float64{lo[0], hi[0], lo[1], hi[1]})
	}
	return l
}

// tickWidth returns the width in pixels of the widest tick label of the second axis.
func (p *panel) tickWidth() float64 {
	lo, hi := p.ranges()
	longest := 0
	for _, t := range (valueTicks{}).Ticks(lo[1], hi[1]) {
		longest = max(longest, len(t.Label))
	}
	return max(6.5*float64(longest), tickWidth(lo[1], hi[1]))
}

// panelsOption returns the ECharts option of panels with samples, and the further data about the
// samples that the page needs.
func panelsOption(on sheet, panels []*panel) (*chart.Panels, *chart.Samples) {
	captions := make([]string, len(panels))
	option := &chart.Panels{DataZoom: zoom(len(panels))}
	var below, points, above []chart.Series
	for k, p := range panels {
		lo, hi := p.ranges()
		axis := func(dim int, gap int) *chart.Axis {
			a := valueAxis(k, p.axis(dim), lo[dim], hi[dim], gap)
			a.AxisLabel = endless()
			if p.style.bare {
				a.Show = opts.Bool(false)
			}
			if p.painted() { // ECharts would draw the grid lines above the painted samples
				a.SplitLine = noLines()
			}
			return a
		}
		option.XAxis = append(option.XAxis, axis(0, 26))
		option.YAxis = append(option.YAxis, axis(1, max(40, int(10+p.tickWidth()))))
		if len(panels) > 1 {
			captions[k] = p.name
		}
		below, above = append(below, p.underlays(k)...), append(above, p.overlays(k)...)
		for _, s := range p.series(k) {
			if len(panels) > 6 && p.style.size == nil {
				s.SymbolSize -= 2
			}
			points = append(points, s)
		}
	}
	option.Common = common(on.title, captions, slices.Concat(below, points, above))
	option.Legend = legendOf(panels)
	scales(&option.Common, panels, len(below))
	return option, samplesOf(panels)
}

// legendOf returns the legend of the groups. The legend is hidden if a colour bar replaces it.
func legendOf(panels []*panel) *chart.Legend {
	legend := classLegend(classColumn(panels))
	for _, p := range panels {
		if slices.ContainsFunc(p.groups, func(g group) bool { return g.symbol > 0 }) {
			legend.ItemWidth = 14 // wider symbols would differ from the symbols of the points
		}
	}
	switch one := panels[0]; {
	case one.scaled():
		legend.Show = opts.Bool(false)
	// List the entries in the order of the categories. Without a list, the order would depend on
	// which samples are labelled.
	case one.colors != nil:
		var names []string
		for _, p := range panels {
			for _, name := range p.keys() {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		legend.Data = legendKeys(names)
	}
	return legend
}

// scales adds the mappings from values to colours, diameters and opacities to option. In a point's
// list of values, the mapped values follow the coordinates. first is the index of the first series
// with points.
func scales(option *chart.Common, panels []*panel, first int) {
	one := panels[0]
	at := one.coordinates()
	var series, all []int
	for _, p := range panels {
		p.each(func(g group, labelled int) {
			if all = append(all, first+len(all)); g.scaled {
				series = append(series, all[len(all)-1])
			}
		})
	}
	if c := one.colors; one.scaled() {
		ends := c.ends()
		bar := scaleBar(series, at, c.lo, c.hi, one.style.palette.stops())
		bar.Text = []string{ends[1], ends[0]}
		option.Title = append(option.Title, chart.Title{Scale: true, Text: short(c.name, (classColumn(panels)-26)/6), TextStyle: captionText})
		option.VisualMap = append(option.VisualMap, bar)
		at++
	}
	for _, v := range []struct {
		of *aspect
		to chart.InRange
	}{{one.sizes, chart.InRange{SymbolSize: &diameters}}, {one.opacities, chart.InRange{Opacity: &opacities}}} {
		if v.of != nil {
			option.VisualMap = append(option.VisualMap, &chart.VisualMap{Type: "continuous", Show: opts.Bool(false), SeriesIndex: slices.Clone(all), Dimension: at,
				Min: v.of.lo, Max: v.of.hi, HoverLink: opts.Bool(false), InRange: v.to})
			at++
		}
	}
}

// Diameters (in pixels) and opacities of points, for the smallest value and for the largest.
var (
	diameters = [2]float64{3, 18}
	opacities = [2]float64{0.1, 1}
)

func (p *panel) coordinates() int {
	if p.deep {
		return 3
	}
	return 2
}

// each calls f for the groups in drawing order: first with labelled = 0 for the groups with
// unlabelled samples, then with labelled = 1 for the groups with labelled samples.
func (p *panel) each(f func(g group, labelled int)) {
	for labelled := range 2 {
		for _, g := range p.groups {
			if g.rows[labelled] != nil {
				f(g, labelled)
			}
		}
	}
}

// series returns up to two series for each group, with labelled samples above unlabelled samples.
// Both series have the name of the group and therefore share its legend entry.
func (p *panel) series(grid int) []*chart.Scatter {
	var out []*chart.Scatter
	scale := make([]float64, p.coordinates())
	for k := range scale {
		lo, hi := p.span(k)
		if k < 2 {
			lo, hi = p.lo[k], p.hi[k]
		}
		scale[k] = hi - lo
	}
	mark := p.ringed()
	p.each(func(g group, labelled int) {
		rows := g.rows[labelled]
		if p.painted() {
			rows = nil // the page reads these samples from SamplePanel.Many
		}
		s := &chart.Scatter{Name: g.name, Type: "scatter", XAxisIndex: grid, YAxisIndex: grid,
			Symbol: symbols[g.symbol], SymbolSize: p.size, Data: p.points(rows, scale),
			ItemStyle: &opts.ItemStyle{Color: css(g.tone), Opacity: opts.Float(float32(p.pale(g, 0.45)))}}
		if g.scaled { // a grey outline, because an end of the scale contrasts little with a dark or a white page
			s.ItemStyle.BorderColor, s.ItemStyle.BorderWidth = "#888", 0.5
			// Only the contrast with a white page is checked, because all class colours contrast
			// with a dark page.
		} else if edge, pale := look.Edge(g.tone, white); pale && !g.faded {
			s.ItemStyle.BorderColor, s.ItemStyle.BorderWidth = css(edge), edgeWidth
		}
		if labelled == 1 {
			s.SymbolSize = p.size + float64(mark.growth)
			s.ItemStyle.BorderColor, s.ItemStyle.BorderWidth = ink, mark.width
			if p.opacity == 0 && p.colors == nil {
				s.ItemStyle.Opacity = opts.Float(1)
			}
		}
		out = append(out, s)
	})
	return out
}

// points returns the data of a series, one list per sample. A list contains the coordinates,
// rounded relative to the scale of each dimension; then the values that colours, sizes and
// opacities show, if any; and finally the row of the sample.
func (p *panel) points(rows []int, scale []float64) [][]any {
	points := make([][]any, len(rows))
	var written func(float64) float64
	if p.scaled() && len(rows) > 0 {
		written = p.colors.columns[p.k].written()
	}
	for r, i := range rows {
		point := make([]any, 0, len(scale)+4)
		for k := range scale {
			point = append(point, round(p.at(i, k), scale[k]))
		}
		if p.scaled() {
			if v := p.colors.columns[p.k].number[i]; math.IsNaN(v) {
				point = append(point, nil)
			} else {
				point = append(point, written(v)) // hover cards show it
			}
		}
		for _, a := range []*aspect{p.sizes, p.opacities} {
			if a != nil {
				point = append(point, round(a.valueOrLow(p.k, i), a.hi-a.lo))
			}
		}
		points[r] = append(point, i)
	}
	return points
}
