package viz

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"maps"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// Field draws functions over the plane side by side, usually at most three panels in a row. Values
// are drawn as a heat map with one pixel per cell and a colour bar; each panel has its own colour
// scale. Classes are drawn as tinted regions. Samples are drawn on top, see [Embedding]. Both axes
// have the same scale.
func Field(planes ...Plane) Figure {
	if len(planes) == 0 {
		return failed("field", fmt.Errorf("viz: Field: there is no plane to draw; fill one with Around(model).Value or Class"))
	}
	if err := crowded(len(planes), maxPanels); err != nil {
		return failed("field", err)
	}
	s := &fieldSet{}
	var text []string
	bars, points := 0, 0
	for k, p := range planes {
		if err := p.check(); err != nil {
			return failed("field", errorAt(fmt.Sprintf("Field: plane %d of %d: ", k+1, len(planes)), err))
		}
		if p.Samples != nil {
			points += p.Samples.Embedding().RawMatrix().Rows
		}
		if p.Path != nil {
			points += p.Path.RawMatrix().Rows
		}
		if points > maxTotal || p.Samples != nil && p.Samples.Embedding().RawMatrix().Rows > maxPoints {
			return failed("field", errSamples(points, maxPoints, maxTotal))
		}
		if p.Title == "" && len(planes) > 1 && p.Samples != nil {
			p.Title = p.Samples.Method()
		}
		p.Title, p.Measure = cut(p.Title), cut(p.Measure)
		one := newFieldPanel(p)
		s.panels = append(s.panels, one)
		text = append(text, one.text())
		if p.Values != nil {
			bars = 1
		}
	}
	s.bars = float64(bars) * 64
	s.rank()
	classes := s.classes(false)
	s.legend = classes[:min(len(classes), maxClasses)]
	l := layout{Count: len(planes), Most: 3, Least: 200, High: 330, Head: titleHeight, Above: captioned(s.captions()...), Below: 48, Left: 60, Gap: 56 + s.bars, Right: 10 + s.bars, Kept: true}
	if len(s.legend) > 0 {
		l.Legend = s.right()
	}
	width := 960
	if len(planes) == 1 {
		width, l.High, l.Above = 700, 500, captioned()
	}
	for _, p := range planes {
		l.Ratio = append(l.Ratio, (p.Y[1]-p.Y[0])/(p.X[1]-p.X[0]))
	}
	// Up to six panels fit side by side if each is much taller than it is wide.
	if narrow := slices.Min(l.Ratio); narrow > 1.3 && len(planes) > 1 {
		l.Most, l.High = 6, 420
		l.Least = max(l.High/narrow, 80)
	}
	title := "Fields"
	if one := s.panels[0]; len(planes) == 1 {
		title = cmp.Or(one.caption(), "class regions")
		one.Title, one.Measure = "", "" // they are in the title of the figure
	}
	s.text, s.notes = lines(text), present(cutLegend(len(classes)))
	s.arrange(l, width)
	return Figure{kind: "field", title: title, drawing: s}
}

type fieldSet struct {
	plan
	panels []*fieldPanel
	bars   float64 // width in pixels of the colour bar beside each panel
	legend []fieldKey
}

// fieldKey is an entry of the legend.
type fieldKey struct {
	name   string
	color  color.NRGBA
	symbol int // index into symbols
}

// fieldPanel is a checked plane with the image of its values or class regions.
type fieldPanel struct {
	Plane
	lo, hi  float64 // values at the first and the last colour
	picture *image.Paletted
	points  *panel     // samples; nil for none
	regions []int      // classes that occur in the cells, ascending
	ranks   look.Ranks // ranks of the classes of samples and regions
}

func newFieldPanel(p Plane) *fieldPanel {
	f := &fieldPanel{Plane: p}
	if p.Path != nil {
		f.Path = mat.DenseCopyOf(p.Path)
	}
	if p.Samples != nil {
		f.points = newPanel(p.Samples)
	}
	rows := max(len(p.Values), len(p.Classes))
	if p.Values != nil {
		f.lo, f.hi = p.Values[0][0], p.Values[0][0]
		for _, row := range p.Values {
			f.lo, f.hi = min(f.lo, slices.Min(row)), max(f.hi, slices.Max(row))
		}
		if p.Palette == Diverging {
			f.hi = max(math.Abs(f.lo), math.Abs(f.hi))
			f.lo = -f.hi
		}
		f.picture = image.NewPaletted(image.Rect(0, 0, len(p.Values[0]), rows), levels(p.Palette.stops()))
		for r, row := range p.Values {
			for c, v := range row {
				f.picture.SetColorIndex(c, rows-1-r, uint8(255*f.share(v)+0.5))
			}
		}
		return f
	}
	seen := map[int]bool{}
	for _, row := range p.Classes {
		for _, k := range row {
			seen[k] = true
		}
	}
	delete(seen, data.Unlabelled)
	f.regions = slices.Sorted(maps.Keys(seen))
	return f
}

// rank assigns colours and symbols to the classes of all samples and regions, and paints the
// regions.
func (s *fieldSet) rank() {
	sets := make([]look.Set, len(s.panels))
	for k, p := range s.panels {
		sets[k] = look.Set{Data: &data.Data{}, There: p.regions}
		if p.points != nil {
			sets[k] = look.Set{Data: p.points.data, Whole: p.points.data.AllClasses(), There: slices.Concat(p.regions, p.points.classes)}
		}
	}
	for k, ranks := range look.SharedRanks(sets) {
		p := s.panels[k]
		if p.ranks = ranks; p.points != nil {
			p.points.ranked(ranks)
		}
		if p.Values == nil {
			p.tint()
		}
	}
}

func (f *fieldPanel) tint() {
	rows := len(f.Classes)
	f.picture = image.NewPaletted(image.Rect(0, 0, len(f.Classes[0]), rows), tints())
	for r, row := range f.Classes {
		for c, k := range row {
			if k != data.Unlabelled {
				f.picture.SetColorIndex(c, rows-1-r, uint8(1+f.ranks[k]%len(palette)))
			}
		}
	}
}

// tints returns the pale colours of class regions; index 0 is transparent.
func tints() color.Palette {
	out := color.Palette{color.NRGBA{}}
	for _, c := range palette {
		c.A = 0x50
		out = append(out, c)
	}
	return out
}

// share returns the position of a value between the first and the last colour, in [0, 1].
func (f *fieldPanel) share(v float64) float64 {
	if f.hi == f.lo {
		return 0.5
	}
	return (v - f.lo) / (f.hi - f.lo)
}

func (f *fieldPanel) text() string {
	cells := func(rows, columns int) string { return fmt.Sprintf("%d × %d cells", columns, rows) }
	var out string
	if f.Values != nil {
		out = fmt.Sprintf("%s from %s to %s, %s", cmp.Or(f.Measure, "values"), brief(f.lo, f.hi-f.lo, 4), brief(f.hi, f.hi-f.lo, 4), cells(len(f.Values), len(f.Values[0])))
	} else {
		out = "class regions, " + cells(len(f.Classes), len(f.Classes[0]))
	}
	if f.points != nil {
		out += fmt.Sprintf(", %s", nouns.Count(f.points.n, "sample"))
	}
	if f.Title != "" {
		return fmt.Sprintf("%s (%s)", f.Title, out)
	}
	return out
}

func (f *fieldPanel) caption() string {
	switch {
	case f.Title == "":
		return f.Measure
	case f.Measure == "":
		return f.Title
	}
	return f.Title + ": " + f.Measure
}

func (s *fieldSet) captions() []string { return mapped(s.panels, (*fieldPanel).caption) }

func (f *fieldPanel) name(class int) string {
	if f.points != nil {
		return cut(f.points.data.ClassName(class))
	}
	return (&data.Data{}).ClassName(class)
}

// classes returns the legend entries for the classes of the samples and regions of all panels. If
// the argument each is true, successive classes have different symbols, see [look.Shape].
func (s *fieldSet) classes(each bool) []fieldKey {
	var out []fieldKey
	seen := map[string]bool{}
	add := func(k fieldKey) {
		if !seen[k.name] {
			seen[k.name] = true
			out = append(out, k)
		}
	}
	for _, p := range s.panels {
		if p.points != nil {
			for c, name := range p.points.names {
				add(fieldKey{name, p.points.tone(c), p.ranks.Shape(p.points.classes[c], each)})
			}
		}
		for _, k := range p.regions {
			add(fieldKey{p.name(k), p.ranks.Color(k), p.ranks.Shape(k, each)})
		}
	}
	return out
}

// right returns the width in pixels of the legend.
func (s *fieldSet) right() float64 {
	if len(s.legend) == 0 {
		return 10
	}
	return float64(legendWidth(mapped(s.legend, func(k fieldKey) string { return k.name })))
}

// option implements [charter].
func (s *fieldSet) option(on sheet) (chart.Option, any) {
	boxes := on.boxes()
	option := &chart.Panels{DataZoom: zoom(len(boxes))}
	var series []chart.Series
	var colors []*chart.VisualMap
	points := make([]*panel, len(s.panels))
	for k, p := range s.panels {
		points[k] = p.points
		var picture image.Image = p.picture
		if p.Classes != nil {
			picture = resized(picture, int(max(boxes[k].w, boxes[k].h))) // resized keeps the borders of regions sharp
		}
		series = append(series, pictureSeries(k, p.X, p.Y, picture))
		if p.Values != nil {
			colors = append(colors, colorBar(len(series)-1, k, p.lo, p.hi, p.Palette.stops()))
		}
		if p.points != nil {
			for _, one := range p.points.series(k) {
				if p.Values != nil {
					series = append(series, outlined(one)...)
				} else {
					series = append(series, one)
				}
			}
		}
		if p.Path != nil {
			series = append(series, pathSeries(k, p.Plane))
		}
		for _, class := range p.regions[:min(len(p.regions), maxClasses)] {
			entry := swatch(p.name(class), symbols[p.ranks.Shape(class, false)], p.ranks.Color(class))
			entry.XAxisIndex, entry.YAxisIndex = k, k
			series = append(series, entry)
		}
		axis := func(name string, r [2]float64, gap int) *chart.Axis {
			a := valueAxis(k, name, r[0], r[1], gap)
			a.AxisLabel, a.SplitLine = endless(), noLines()
			return a
		}
		x, y := p.axes()
		option.XAxis, option.YAxis = append(option.XAxis, axis(x, p.X, 26)), append(option.YAxis, axis(y, p.Y, 38))
	}
	option.Common = common(on.title, s.captions(), series)
	option.VisualMap = colors
	if len(s.legend) > 0 {
		option.Legend = classLegend(int(s.right()))
	}
	return option, samplesOf(points)
}

// outlined returns one or two series that draw the points of s on a heat map. White outlines
// separate the points from all colours of the heat map. If the samples are labelled, the first
// series draws discs with a white border, and the second draws the rings on them.
func outlined(s *chart.Scatter) []chart.Series {
	s.ItemStyle.Opacity = opts.Float(1)
	if s.ItemStyle.BorderColor != ink {
		s.ItemStyle.BorderColor, s.ItemStyle.BorderWidth = "#fff", 0.8
		return []chart.Series{s}
	}
	s.ItemStyle.BorderColor, s.ItemStyle.BorderWidth = "#000", 1.6
	disc := *s
	disc.SymbolSize = s.SymbolSize + 2
	// If several series have the same name, the legend shows the first, here the disc. The disc
	// therefore has the colour of the class.
	disc.ItemStyle = &opts.ItemStyle{Color: s.ItemStyle.Color, Opacity: opts.Float(1), BorderColor: "#fff", BorderWidth: 2.5}
	return []chart.Series{&disc, s}
}

// halo does for the static picture what outlined does for the chart. It draws white discs below the
// points, and unlabelled points in opaque colours.
func (p *panel) halo(to *plot.Plot) {
	p.each(func(g group, labelled int) {
		_, at := p.drawn(g.rows[labelled])
		if labelled == 1 {
			to.Add(plot.Scatter{Points: at, Glyph: plot.Glyph{Color: color.White, Radius: 4.4, Shape: plot.Circle}})
			return
		}
		to.Add(plot.Scatter{Points: at, Glyph: plot.Glyph{Color: color.White, Radius: 2.6, Shape: plot.Circle}},
			plot.Scatter{Points: at, Glyph: plot.Glyph{Color: g.tone, Radius: 2, Shape: staticGlyphs[g.symbol]}})
	})
}

// axes returns the names of the axes. These are the names of the first two features if the samples
// are data without a model.
func (f *fieldPanel) axes() (x, y string) {
	if f.points != nil {
		if _, raw := f.Samples.(samples); raw {
			names := features(f.points.data)
			return names[0], names[1]
		}
		return f.points.axis(0), f.points.axis(1)
	}
	return "x", "y"
}

// static implements [drawing].
func (s *fieldSet) static(on sheet) *canvas {
	c := newCanvas(on)
	points := on.inFile(mapped(s.panels, func(p *fieldPanel) *panel { return p.points }))
	if len(s.legend) > 0 {
		var legend legend
		for _, k := range s.classes(on.format != "")[:len(s.legend)] {
			legend.add(k.name, plot.Scatter{Glyph: plot.Glyph{Radius: 3, Color: k.color, Shape: staticGlyphs[k.symbol]}})
		}
		c.column(legend)
	}
	for k, p := range s.panels {
		x, y := p.axes()
		to := newPlot("", "")
		to.Add(plot.Image{Picture: resized(p.picture, int(c.boxes[k].w)), At: plot.Rectangle{Min: plot.Point{X: p.X[0], Y: p.Y[0]}, Max: plot.Point{X: p.X[1], Y: p.Y[1]}}})
		if points[k] != nil {
			if p.Values != nil {
				points[k].halo(to)
			}
			points[k].static(to)
		}
		if p.Path != nil {
			staticPath(to, p.Path)
		}
		numbers(&to.X, x, p.X[0], p.X[1], valueTicks{length: pixels(c.boxes[k].w)})
		numbers(&to.Y, y, p.Y[0], p.Y[1], valueTicks{})
		if len(s.panels) > 1 {
			c.caption(k, p.caption())
		}
		area := c.plot(k, to)
		if p.Values != nil {
			staticBar(area, p.lo, p.hi, p.Palette.stops())
		}
	}
	return c
}

// staticBar draws a colour bar to the right of a panel.
func staticBar(at plot.Area, lo, hi float64, stops []color.NRGBA) {
	height := at.Size().Y * 0.7
	x, y := at.Max.X+6, at.Center().Y-height/2
	at.Image(plot.Rectangle{Min: plot.Point{X: x, Y: y}, Max: plot.Point{X: x + 9, Y: y + height}}, barOf(stops))
	style := texts(11, axisInk, plot.Left, plot.Above)
	at.FillText(style, plot.Point{X: x, Y: y + height + 3}, brief(hi, hi-lo, 3))
	style.Y = plot.Below
	at.FillText(style, plot.Point{X: x, Y: y - 3}, brief(lo, hi-lo, 3))
}

// barOf returns the image of a colour bar, one pixel wide, with the last stop at the top.
func barOf(stops []color.NRGBA) image.Image {
	bar := image.NewPaletted(image.Rect(0, 0, 1, 256), levels(stops))
	for k := range 256 {
		bar.Pix[k] = uint8(255 - k)
	}
	return bar
}
