package viz

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// cloud draws samples in three dimensions. The static picture shows the first two dimensions.
type cloud struct {
	plan
	panel *panel
	kept  func() string
}

func newCloud(m Embedded, s style, kept func() string) (*cloud, error) {
	panels, err := newPanels([]Embedded{m}, s)
	if err != nil {
		return nil, err
	}
	p := panels[0]
	if s.labels || s.named != nil || s.thumbnails || s.density || s.arrows != nil || s.contrast != nil || s.distances != nil || s.linked != nil {
		return nil, fmt.Errorf("viz: Labels, Named, Thumbnails, Density, Arrows, Contrast, Distances and Linked are for two dimensions, but %s has %d; draw viz.Compare(model)", p.name, p.d)
	}
	p.deep = true
	c := &cloud{panel: p, kept: kept}
	c.gl = true
	c.text = fmt.Sprintf("%s: %s in %s", p.name, nouns.Count(len(p.rows), "sample"), dimensions(p.d))
	if p.d > 3 {
		c.text += ", of which the first three are drawn"
	}
	c.text += "\n" + p.shown()
	c.notes = slices.Concat(s.verdict(), present(manyClasses(p), partOf(3, p)), scaleNotes(p), warned(m))
	l := layout3D(1, classColumn(panels))
	l.Foot = gradeHeight * float64(len(p.grades()))
	c.arrange(l, 700)
	return c, nil
}

// footnotes implements [drawing].
func (c *cloud) footnotes() []string { return withKept(c.kept, c.notes) }

// static implements [drawing].
func (c *cloud) static(on sheet) *canvas { return staticPanels(on, []*panel{c.panel}) }

// layout3D returns the layout of the given number of boxes in three dimensions. legend is the width
// of the legend in pixels.
func layout3D(count, legend int) layout {
	l := layout{Count: count, Most: 2, Least: 330, High: 560, Head: titleHeight, Above: captioned(), Left: 4, Gap: 10, Right: 4, Legend: float64(legend)}
	if count > 1 {
		l.Above, l.High = captionHeight, 420
	}
	for range count {
		l.Ratio = append(l.Ratio, 0.85)
	}
	return l
}

// box3D returns a box of the given width, depth and height in units of ECharts-gl, seen from the
// given distance at the angles alpha and beta in degrees.
func box3D(width, depth, height float64, distance, alpha, beta int) chart.Grid3D {
	return chart.Grid3D{BoxWidth: width, BoxDepth: depth, BoxHeight: height,
		ViewControl: chart.Camera{Distance: distance, Alpha: alpha, Beta: beta, Center: [3]int{0, -12, 0}}}
}

func axis3D(name string, lo, hi float64) *chart.Axis3D {
	text := func(size int) chart.Text3D {
		return chart.Text3D{FontSize: size, LineHeight: size + 6, Margin: 4, Color: ink}
	}
	a := &chart.Axis3D{Type: "value", Min: round(lo, hi-lo), Max: round(hi, hi-lo), NameGap: 4, AxisLabel: text(11), NameTextStyle: text(13),
		AxisLine: chart.Line3DOf{LineStyle: opts.LineStyle{Color: ink, Width: 1.5}}, AxisTick: chart.Length{Length: 4},
		SplitLine: chart.Line3DOf{LineStyle: opts.LineStyle{Color: chart.Faint}}}
	a.AxisPointer.LineStyle.Color, a.AxisPointer.Label.TextStyle.Color = ink, ink
	a.Name, a.From, a.Span = shifted(name, lo, hi)
	return a
}

// option implements [charter].
func (c *cloud) option(on sheet) (chart.Option, any) {
	p := c.panel
	var series []chart.Series
	for _, s := range p.series(0) {
		deep := chart.Scatter3D(*s)
		deep.Type = "scatter3D"
		series = append(series, &deep)
	}
	// The proportions of the box equal those of the data, so that all axes have the same scale.
	// Sides shorter than a third of the longest side are stretched to this length.
	box := [3]float64{}
	most := 0.0
	var axes [3]*chart.Axis3D
	for k := range axes {
		lo, hi := p.span(k)
		lo, hi = padded(lo, hi, 0.03)
		box[k] = hi - lo
		most = max(most, box[k])
		axes[k] = axis3D(p.axis(k), lo, hi)
		axes[k].Tight = true
		if p.style.bare {
			axes[k].Show = opts.Bool(false)
		}
	}
	// The box has the same volume for all proportions, so that the cloud fills the panel.
	volume := 1.0
	for k := range box {
		box[k] = max(box[k]/most, 1.0/3)
		volume *= box[k]
	}
	side := func(k int) float64 { return round(100*box[k]/math.Cbrt(volume), 100) }
	option := &chart.Space[*chart.Axis3D]{Common: common(on.title, nil, series), XAxis3D: axes[0], YAxis3D: axes[1], ZAxis3D: axes[2],
		Grid3D: []chart.Grid3D{box3D(side(0), side(1), side(2), 195, 20, 40)}}
	option.Legend = legendOf([]*panel{p})
	scales(&option.Common, []*panel{p}, 0)
	return option, samplesOf([]*panel{p})
}

// staticPanels draws the first two dimensions of each panel.
func staticPanels(on sheet, panels []*panel) *canvas {
	c := newCanvas(on)
	panels = on.inFile(panels)
	var legend legend
	legend.classes(panels...)
	c.explain(on, legend, panels[0])
	for k, p := range panels {
		if len(panels) > 1 {
			c.caption(k, p.name)
		}
		if p.deep && !p.style.bare { // layout3D reserves no space for axis labels
			b := &c.boxes[k]
			*b = box{b.x + 54, b.y, b.w - 54, b.h - 48}
		}
		to := newPlot("", "")
		p.ground(to)
		p.static(to)
		p.frame(to, c.boxes[k], p.axis(0), p.axis(1))
		c.plot(k, to)
	}
	return c
}

// explain draws the legend, the colour bar, and the lines about sizes and opacities of a panel.
func (c *canvas) explain(on sheet, entries legend, p *panel) {
	c.column(entries)
	c.scale(p)
	c.grades(on, p.grades())
}

// frame sets the names and ranges of the axes of a plot so that both axes have the same scale in
// the given box.
func (p *panel) frame(to *plot.Plot, at box, x, y string) {
	lo, hi := p.bounds(at.w, at.h)
	numbers(&to.X, x, lo[0], hi[0], valueTicks{length: pixels(at.w)})
	numbers(&to.Y, y, lo[1], hi[1], valueTicks{})
	if p.style.bare {
		to.Bare = true
	}
}

// ground adds the grid lines to a plot, below the points.
func (p *panel) ground(to *plot.Plot) {
	if !p.style.bare && !p.painted() {
		grid(to)
	}
}

// drawn returns those of the given rows whose samples are in the drawn range, and the first two
// coordinates of these samples.
func (p *panel) drawn(rows []int) ([]int, []plot.Point) {
	var in []int
	var at []plot.Point
	for _, i := range rows {
		if p.shows(i) {
			in, at = append(in, i), append(at, plot.Point{X: p.at(i, 0), Y: p.at(i, 1)})
		}
	}
	return in, at
}

// static adds the samples to a plot, together with overlays such as labels and arrows.
func (p *panel) static(to *plot.Plot) {
	mark := p.ringed()
	if p.style.density && !p.painted() {
		to.Add(haze{p})
	}
	many, dotted := p.painted(), p.dotted()
	if many {
		to.Add(crowd{p, true}, crowd{p, false})
	}
	p.each(func(g group, labelled int) {
		if many && !dotted(g, labelled) {
			return
		}
		rows, points := p.drawn(g.rows[labelled])
		if rows == nil {
			return
		}
		style := func(k int) plot.Glyph {
			s := p.glyph(g, rows[k], labelled)
			s.Radius += float64(labelled*mark.growth) / 5
			return s
		}
		to.Add(plot.Scatter{Points: points, Each: func(k int) plot.Glyph {
			s := style(k)
			if labelled == 0 {
				s.Edge = p.edge(g, s.Color)
			}
			return s
		}})
		edge, width := ringInk, 0.8*float64(mark.width)
		if labelled == 0 {
			edge, width = color.NRGBA{0x88, 0x88, 0x88, 0xff}, 0.3
		}
		if labelled == 1 || g.scaled {
			to.Add(plot.Scatter{Points: points, Each: func(k int) plot.Glyph {
				return plot.Glyph{Color: edge, Radius: style(k).Radius + 0.4*float64(labelled), Ring: width}
			}})
		}
	})
	to.Add(overlay{p})
}

// manyEdges is the largest number of samples for which the outlines of points are opaque.
const manyEdges = 2000

// edge returns the outline of the points of a group. Only points that contrast little with the page
// have one; for other points its width is 0. If the style sets opacities, or if there are more than
// manyEdges samples, the outline has the opacity of the given colour. Otherwise it is opaque.
func (p *panel) edge(g group, painted color.Color) plot.Line {
	shade, pale := look.Edge(g.tone, p.paper)
	if !pale || g.scaled || g.faded {
		return plot.Line{}
	}
	if p.opacity > 0 || p.opacities != nil || len(p.rows) > manyEdges { // opaque outlines would hide the points
		shade.A = color.NRGBAModel.Convert(painted).(color.NRGBA).A
	}
	return plot.Line{Color: shade, Width: pixels(edgeWidth)}
}

// glyph returns the glyph of sample i, which belongs to group g, in a static picture. labelled is 1
// if the sample has a ring, and 0 otherwise.
func (p *panel) glyph(g group, i, labelled int) plot.Glyph {
	s := plot.Glyph{Color: g.tone, Radius: 2, Shape: staticGlyphs[g.symbol]}
	shade, opacity := g.tone, 1.0
	if g.scaled {
		shade = look.Between(p.style.palette.stops(), p.colors.share(p.colors.columns[p.k].number[i]))
	}
	if labelled == 0 || p.opacity > 0 || p.colors != nil {
		opacity = p.pale(g, 0.5)
	}
	if a := p.opacities; a != nil && !g.faded {
		opacity = opacities[0] + (opacities[1]-opacities[0])*a.share(a.valueOrLow(p.k, i))
	}
	shade.A = uint8(255*opacity + 0.5)
	s.Color = shade
	if p.style.size != nil {
		s.Radius = pixels(p.size) / 2
	}
	if a := p.sizes; a != nil {
		s.Radius = pixels(diameters[0]+(diameters[1]-diameters[0])*a.share(a.valueOrLow(p.k, i))) / 2
	}
	return s
}

// scale draws the colour bar of a panel in the legend column, at the bottom of the first row.
func (c *canvas) scale(p *panel) {
	if !p.scaled() {
		return
	}
	// The name of the scale and a legend entry are above the bar.
	height := min(max(c.boxes[0].h-78, 40), 140)
	x, y := c.right+16, max(c.boxes[0].y+c.boxes[0].h-height-24, 40)
	ends := p.colors.ends()
	stops := p.style.palette.stops()
	c.dc.Image(c.rectangle(box{x, y, 14, height}), barOf(stops))
	c.write(x, y-34, 12, titleInk, plot.Left, short(p.colors.name, (classColumn([]*panel{p})-26)/6))
	c.write(x, y-17, 12, axisInk, plot.Left, ends[1])
	c.write(x, y+height+4, 12, axisInk, plot.Left, ends[0])
}

func (l *legend) classes(panels ...*panel) {
	named := map[string]bool{}
	for _, p := range panels {
		for _, g := range p.groups {
			if !named[g.name] && !g.scaled && !(p.scaled() && (g.faded || g.absent)) {
				named[g.name] = true
				l.add(g.name, plot.Scatter{Glyph: plot.Glyph{Color: g.tone, Radius: 3, Shape: staticGlyphs[g.symbol], Edge: p.edge(g, g.tone)}})
			}
		}
	}
}
