package viz

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// embedding3D draws the first three dimensions; the static picture shows the first two.
func embedding3D(m Embedded, s style, kept func() string) Figure {
	panels, err := newPanels([]Embedded{m}, s)
	if err != nil {
		return failed("embedding", err)
	}
	if s.labels || s.thumbnails || s.density || s.arrows != nil {
		return failed("embedding", fmt.Errorf("viz: Labels, Thumbnails, Density and Arrows are for two dimensions, and %s has %d; draw viz.Compare(model)", panels[0].name, panels[0].d))
	}
	p := panels[0]
	p.deep = true
	text := fmt.Sprintf("%s: %s in %s", p.name, counted(len(p.rows), "sample"), dimensions(p.d))
	if p.d > 3 {
		text += ", the first three are drawn"
	}
	layout := layout3D(1, classColumn(panels))
	layout.Foot = gradeHeight * float64(len(p.grades()))
	return Figure{kind: "embedding", gl: true, title: title(m), text: text + "\n" + p.shown(), notes: notes3D(m, p),
		style: s, again: func(s style) Figure { return embedding3D(m, s, kept) }, kept: kept,
		option: func(f Figure) (map[string]any, map[string]any) { return option3D(f, p) },
		static: func(f Figure) *canvas { return staticPanels(f, []*panel{p}) }}.sized(layout, 700)
}

// notes3D are the lines below a cloud in three dimensions.
func notes3D(m Embedded, p *panel) []string {
	return slices.Concat(present(manyClasses(p), partOf(3, p)), styled(p), warned(m))
}

// layout3D places boxes in three dimensions.
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

// camera looks from a distance at the middle of a box of 100 units.
func camera(distance, alpha, beta int) map[string]any {
	return map[string]any{"distance": distance, "autoRotate": false, "alpha": alpha, "beta": beta, "center": []int{0, -12, 0}}
}

func option3D(f Figure, p *panel) (map[string]any, map[string]any) {
	points := p.series(0)
	for k := range points {
		points[k].Type = "scatter3D"
	}
	option := f.chart()
	option["series"] = points
	// Equal scales: the box has the proportions of the data.
	box := [3]float64{}
	most := 0.0
	for k, name := range []string{"xAxis3D", "yAxis3D", "zAxis3D"} {
		lo, hi := p.span(k)
		lo, hi = padded(lo, hi, 0.03)
		box[k] = hi - lo
		most = max(most, box[k])
		axis := axis3D(p.axis(k), lo, hi)
		axis["tight"] = true // its ends are no round numbers
		if p.style.bare {
			axis["show"] = false
		}
		option[name] = axis
	}
	// The box has the same size whatever its proportions, so that the cloud fills it.
	unit := 100 / math.Cbrt(max(box[0], most/3)*max(box[1], most/3)*max(box[2], most/3))
	side := func(k int) float64 { return round(unit*max(box[k], most/3), 100) }
	// echarts-gl's y axis points into the page; its box calls that the depth.
	option["title"] = []any{option["title"]}
	option["grid3D"] = []any{map[string]any{"boxWidth": side(0), "boxDepth": side(1), "boxHeight": side(2), "viewControl": camera(195, 20, 40)}}
	option["legend"], option["animation"] = legendOf([]*panel{p}), false
	scales(option, []*panel{p}, 0)
	return option, extras([]*panel{p})
}

// staticPanels draws the first two dimensions of each panel.
func staticPanels(f Figure, panels []*panel) *canvas {
	c := newCanvas(f)
	panels = f.inFile(panels)
	var legend legend
	legend.classes(panels...)
	c.column(legend)
	c.scale(panels[0])
	c.grades(f, panels[0].grades())
	for k, p := range panels {
		if len(panels) > 1 {
			c.caption(k, p.name)
		}
		if f.gl && !p.style.bare { // the chart's box needs no space for labels
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

// frame sets the axes of a plot so that its scales are equal in this place.
func (p *panel) frame(to *plot.Plot, at box, x, y string) {
	lo, hi := p.bounds(at.w, at.h)
	numbers(&to.X, x, lo[0], hi[0], valueTicks{length: pixels(at.w)})
	numbers(&to.Y, y, lo[1], hi[1], valueTicks{})
	if p.style.bare {
		to.Bare = true
	}
}

// ground adds what lies below the points.
func (p *panel) ground(to *plot.Plot) {
	if !p.style.bare && !p.many() {
		grid(to)
	}
}

// drawn returns those of the rows that lie in the picture, and their first two
// coordinates.
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

func (p *panel) static(to *plot.Plot) {
	mark := p.ringed()
	if p.style.density && !p.many() {
		to.Add(haze{p})
	}
	many, above := p.many(), p.ringsAbove()
	if many {
		to.Add(crowd{p})
	}
	p.each(func(g group, labelled int) {
		if many && !(labelled == 1 && above) {
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

// manyEdges is the number of samples up to which edges are opaque although points are not.
const manyEdges = 2000

// edge is the outline of points whose colour has little contrast to the page, painted in a
// colour of some opacity; none without a width.
func (p *panel) edge(g group, painted color.Color) plot.Line {
	shade, pale := look.Edge(g.tone, p.paper)
	if !pale || g.scaled || g.faded {
		return plot.Line{}
	}
	if p.opacity > 0 || p.opacities != nil || len(p.rows) > manyEdges { // opaque ones would be all that is seen
		shade.A = color.NRGBAModel.Convert(painted).(color.NRGBA).A
	}
	return plot.Line{Color: shade, Width: pixels(edgeWidth)}
}

// glyph is how sample i of a group looks in a static picture.
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
		opacity = opacities[0] + (opacities[1]-opacities[0])*a.share(a.least(p.k, i))
	}
	shade.A = uint8(255*opacity + 0.5)
	s.Color = shade
	if p.style.size != nil {
		s.Radius = pixels(p.size) / 2
	}
	if a := p.sizes; a != nil {
		s.Radius = pixels(diameters[0]+(diameters[1]-diameters[0])*a.share(a.least(p.k, i))) / 2
	}
	return s
}

// scale draws the bar of colours of a panel into the column of the legend, at the bottom of
// the first row.
func (c *canvas) scale(p *panel) {
	if !p.scaled() {
		return
	}
	height := min(max(c.boxes[0].h-78, 40), 140) // its name and a line of a legend stand above
	x, y := c.right+16, max(c.boxes[0].y+c.boxes[0].h-height-24, 40)
	ends := p.colors.ends()
	stops := p.style.palette.stops()
	c.dc.Image(c.rectangle(box{x, y, 14, height}), barOf(stops))
	c.write(x, y-34, 12, titleInk, plot.Left, short(p.colors.name, (classColumn([]*panel{p})-26)/6))
	c.write(x, y-17, 12, axisInk, plot.Left, ends[1])
	c.write(x, y+height+4, 12, axisInk, plot.Left, ends[0])
}

// classes adds the panels' classes to a legend.
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
