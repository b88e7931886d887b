package viz

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// Weights is a square matrix of edge weights, such as *sparse.CSR, *mat.Dense or *mat.SymDense. A
// weight of 0 means no edge.
type Weights interface {
	Dims() (rows, cols int)
	At(i, j int) float64
}

// Graph is a graph whose nodes are the samples.
type Graph struct {
	Name    string
	Weights Weights
	// Signs makes [Adjacency] draw only the signs of the weights. [GraphLinks] ignores it.
	Signs bool
}

// each calls f with every nonzero weight, row by row.
func (g Graph) each(f func(i, j int, w float64)) {
	if m, ok := g.Weights.(*sparse.CSR); ok {
		for i := range m.Rows {
			cols, weights := m.Row(i)
			for k, j := range cols {
				if weights[k] != 0 {
					f(i, int(j), weights[k])
				}
			}
		}
		return
	}
	n, _ := g.Weights.Dims()
	for i := range n {
		for j := range n {
			if w := g.Weights.At(i, j); w != 0 {
				f(i, j, w)
			}
		}
	}
}

// check returns an error if g cannot be drawn as a graph of n samples.
func (g Graph) check(n int) error {
	if absent(g.Weights) {
		return fmt.Errorf("viz: graph %q: the weights are nil; give a matrix, or the Model.Graph of a method that learns one", g.Name)
	}
	if m, ok := g.Weights.(*sparse.CSR); ok {
		if err := m.Check(); err != nil {
			return fmt.Errorf("viz: graph %q: %w", g.Name, err)
		}
	}
	if r, c := g.Weights.Dims(); r != n || c != n {
		return fmt.Errorf("viz: graph %q: there are %d × %d weights for %s; give one row and column per sample", g.Name, r, c, nouns.Count(n, "sample"))
	}
	var err error
	g.each(func(i, j int, w float64) {
		if err == nil && !(math.Abs(w) <= maxNumber) {
			err = fmt.Errorf("viz: graph %q: the weight from sample %d to %d is %v; give finite weights up to %g", g.Name, i, j, w, maxNumber)
		}
	})
	return err
}

// maxMatrix is the maximum number of cells in a row of a drawn matrix. If a graph has more samples,
// each cell covers several weights and shows the weight with the largest absolute value.
const maxMatrix = 600

// Adjacency draws weight matrices, at most three in a row. Samples are sorted by class (the true
// class where it is known, the label elsewhere), and lines separate the classes. If no edges join
// different classes, the matrix is block-diagonal. Colours run from black at zero to white at the
// largest weight. If there are negative weights, or if Graph.Signs is set, blue is negative, white
// is zero and orange is positive. Each matrix has its own colour scale. The text form reports the
// number of edges and the number of edges between classes. It counts both directions of an edge.
func Adjacency(d *data.Data, graphs ...Graph) Figure {
	fail := func(err error) Figure { return failed("adjacency", err) }
	if err := d.Err(); err != nil {
		return fail(err)
	}
	if len(graphs) == 0 {
		return fail(fmt.Errorf("viz: Adjacency: no graph to draw; give at least one"))
	}
	if err := crowded(len(graphs), maxPanels); err != nil {
		return fail(err)
	}
	s := newMatrixSet(d)
	if s.n == 0 {
		return fail(fmt.Errorf("viz: Adjacency: the data have no samples; give at least one"))
	}
	var text []string
	for _, g := range graphs {
		g.Name = cut(g.Name)
		if err := g.check(s.n); err != nil {
			return fail(err)
		}
		m := s.matrix(g)
		s.matrices = append(s.matrices, m)
		text = append(text, m.text)
	}
	l := layout{Count: len(graphs), Most: 3, Least: 170, High: 440, Head: titleHeight, Above: captionHeight, Below: 50, Left: 18 + s.label(), Gap: 24 + s.label(), Right: 12, Legend: float64(s.right()), Kept: true}
	// Reserve space for the colour bars.
	if slices.ContainsFunc(s.matrices, func(m *matrix) bool { return !m.signs }) {
		l.Gap, l.Right = l.Gap+50, l.Right+50
	}
	for range graphs {
		l.Ratio = append(l.Ratio, 1)
	}
	width := 960
	if len(graphs) == 1 {
		width = 700
	}
	title := "Adjacency"
	if d.Name != "" {
		title += " of " + d.Name
	}
	s.text, s.notes = lines(text), present(s.note())
	s.arrange(l, width)
	return Figure{kind: "adjacency", title: title, drawing: s}
}

// matrixSet contains matrices over the same samples, sorted by class.
type matrixSet struct {
	plan
	n        int
	order    []int // the samples, sorted by class
	place    []int // place[i] is the position of sample i in order
	class    []int // class of each sample
	names    []string
	bounds   []float64 // for each class, the index of its first sample in order; the last entry is n
	matrices []*matrix
}

// label returns the width in pixels of the longest class name.
func (s *matrixSet) label() float64 {
	longest := 0
	for _, n := range s.names {
		longest = max(longest, len([]rune(n)))
	}
	return float64(min(8*longest, maxLabel))
}

// maxLabel is the maximum width in pixels of a class name at an axis.
const maxLabel = 66

// matrix is one graph as a heat map.
type matrix struct {
	name    string
	picture *image.Paletted
	stops   []color.NRGBA
	lo, hi  float64
	signs   bool
	text    string
}

func newMatrixSet(d *data.Data) *matrixSet {
	s := &matrixSet{n: d.Len()}
	s.class = look.KnownClasses(d, s.n)
	for i := range s.n {
		s.order = append(s.order, i)
	}
	// Samples of unknown class come last.
	rank := func(c int) int {
		if c == data.Unlabelled {
			return math.MaxInt
		}
		return c
	}
	slices.SortStableFunc(s.order, func(i, j int) int {
		a, b := rank(s.class[i]), rank(s.class[j])
		if a < b {
			return -1
		} else if a > b {
			return 1
		}
		return 0
	})
	s.place = make([]int, s.n)
	for k, i := range s.order {
		s.place[i] = k
		if k == 0 || s.class[i] != s.class[s.order[k-1]] {
			s.bounds = append(s.bounds, float64(k))
			s.names = append(s.names, d.ClassName(s.class[i]))
		}
	}
	s.bounds, s.names = append(s.bounds, float64(s.n)), look.Names(s.names)
	return s
}

// note returns a sentence that explains why no lines separate the classes, or "".
func (s *matrixSet) note() string {
	if len(s.names) <= maxClasses {
		return ""
	}
	return fmt.Sprintf("There are %d classes: for more than %d, no lines are drawn between them. If the labels differ from sample to sample, they are identifiers, not classes.", len(s.names), maxClasses)
}

// cuts returns the positions of the lines between classes on the axes, whose unit is one sample. It
// returns nil for more than maxClasses classes, because the lines would cover the weights.
func (s *matrixSet) cuts() []float64 {
	if len(s.names) > maxClasses {
		return nil
	}
	return s.bounds[1 : len(s.bounds)-1]
}

// middles returns the positions of the class names on the axes: the middle of each class.
func (s *matrixSet) middles() []float64 {
	out := make([]float64, len(s.names))
	for k := range out {
		out[k] = (s.bounds[k] + s.bounds[k+1]) / 2
	}
	return out
}

// named returns the positions of every k-th class name on the axes. It uses the smallest k that
// gives at most the given number of positions.
func (s *matrixSet) named(most int) []float64 {
	every := (len(s.names) + max(most, 1) - 1) / max(most, 1)
	var out []float64
	for k, at := range s.middles() {
		if k%every == 0 {
			out = append(out, at)
		}
	}
	return out
}

// matrix paints a checked graph.
func (s *matrixSet) matrix(g Graph) *matrix {
	m := &matrix{name: g.Name, signs: g.Signs}
	size := min(s.n, maxMatrix)
	cells := make([]float64, size*size)
	edges, between := 0, 0
	g.each(func(i, j int, w float64) {
		cell := &cells[s.place[i]*size/s.n*size+s.place[j]*size/s.n]
		if m.lo, m.hi = min(m.lo, w), max(m.hi, w); math.Abs(w) > math.Abs(*cell) {
			*cell = w
		}
		if i == j {
			return
		}
		edges++
		if s.class[i] != s.class[j] {
			between++
		}
	})
	m.text = fmt.Sprintf("%s: %d × %d weights from %s to %s, %s, %d of them between classes", cmp.Or(g.Name, "graph"), s.n, s.n, brief(m.lo, m.hi-m.lo, 4), brief(m.hi, m.hi-m.lo, 4), nouns.Number(edges, "non-zero entry", "non-zero entries"), between)
	if m.hi == m.lo {
		m.hi = 1 // all weights are zero
	}
	m.stops = greys
	if m.lo < 0 || m.signs {
		m.stops = diverging
		m.hi = max(m.hi, -m.lo)
		m.lo = -m.hi
	}
	m.picture = image.NewPaletted(image.Rect(0, 0, size, size), levels(m.stops))
	for k, w := range cells {
		if m.signs && w != 0 {
			w = math.Copysign(m.hi, w)
		}
		m.picture.Pix[k] = uint8(255*(w-m.lo)/(m.hi-m.lo) + 0.5)
	}
	return m
}

// line returns the colour of the lines that separate classes.
func (m *matrix) line() color.NRGBA {
	if m.lo < 0 {
		return color.NRGBA{0x66, 0x66, 0x66, 0xff}
	}
	return palette[4]
}

// signNames is the legend of a matrix of signs.
var signNames = []string{"negative", "zero", "positive"}

func (s *matrixSet) signs() bool {
	return slices.ContainsFunc(s.matrices, func(m *matrix) bool { return m.signs })
}

// right returns the width in pixels of the legend.
func (s *matrixSet) right() int {
	if s.signs() {
		return legendWidth(signNames)
	}
	return 0
}

// option implements [charter].
func (s *matrixSet) option(on sheet) (chart.Option, any) {
	boxes := on.boxes()
	captions := make([]string, len(boxes))
	option := &chart.Panels{DataZoom: zoom(len(boxes))}
	var series []chart.Series
	var bars []*chart.VisualMap
	n := float64(s.n)
	for k, m := range s.matrices {
		captions[k] = m.name
		// The first sample is in the top row and the left column.
		series = append(series, pictureSeries(k, [2]float64{0, n}, [2]float64{0, n}, resized(m.picture, int(boxes[k].w))))
		if !m.signs {
			bars = append(bars, colorBar(len(series)-1, k, m.lo, m.hi, m.stops))
		}
		var cuts []segment
		for _, b := range s.cuts() {
			cuts = append(cuts, segment{{b, 0}, {b, n}}, segment{{0, b}, {n, b}})
		}
		series = append(series, segmentSeries(k, "", cuts, opts.LineStyle{Color: css(m.line()), Width: 0.8, Opacity: opts.Float(0.9)}))
		axis := func(inverse bool, gap int, name string, most int) *chart.Axis {
			return &chart.Axis{GridIndex: k, Type: "value", Min: 0, Max: n, Inverse: inverse, Name: name, NameLocation: "middle", NameGap: gap,
				AxisTick: &chart.AxisTick{CustomValues: append([]float64{0, n}, s.cuts()...)}, SplitLine: noLines(), AxisLine: axisEdge(),
				AxisLabel:   &chart.AxisLabel{CustomValues: s.named(most), HideOverlap: true, Width: maxLabel, Overflow: "truncate"},
				AxisPointer: &chart.Pointer{Show: true, LineStyle: opts.LineStyle{Color: "#999"}}}
		}
		x, y := axis(false, 30, "samples by class", int(boxes[k].w/(s.label()+6))), axis(true, 60, "", int(boxes[k].h)/16)
		x.Position = "bottom"
		option.XAxis, option.YAxis = append(option.XAxis, x), append(option.YAxis, y)
	}
	if s.signs() {
		for k, name := range signNames {
			key := swatch(name, "rect", look.Between(diverging, float64(k)/2))
			key.ItemStyle.BorderColor, key.ItemStyle.BorderWidth = "#999", 0.5
			series = append(series, key)
		}
	}
	option.Common = common(on.title, captions, series)
	option.VisualMap = bars
	if s.signs() {
		option.Legend = &chart.Legend{Orient: "vertical", Right: 4, Top: "middle", Align: "left", SelectedMode: opts.Bool(false), Data: legendKeys(signNames)}
	}
	return option, &chart.Matrices{Middles: s.middles(), Names: s.names, Order: s.order, Bounds: s.bounds}
}

// static implements [drawing].
func (s *matrixSet) static(on sheet) *canvas {
	c := newCanvas(on)
	if s.signs() {
		var legend legend
		for k, name := range signNames {
			legend.add(name, plot.Scatter{Glyph: plot.Glyph{Radius: 4, Color: look.Between(diverging, float64(k)/2), Shape: plot.Box}})
		}
		c.column(legend)
	}
	n := float64(s.n)
	for k, m := range s.matrices {
		to := newPlot("samples by class", "")
		c.caption(k, m.name)
		to.Add(plot.Image{Picture: resized(m.picture, int(c.boxes[k].w)), At: plot.Rectangle{Min: plot.Point{X: 0, Y: 0}, Max: plot.Point{X: n, Y: n}}})
		var cuts []segment
		for _, b := range s.cuts() {
			cuts = append(cuts, segment{{b, 0}, {b, n}}, segment{{0, n - b}, {n, n - b}})
		}
		to.Add(&segments{segments: cuts, style: plot.Line{Color: m.line(), Width: 0.6}})
		to.X.Ticks, to.Y.Ticks = s.ticks(false, int(c.boxes[k].w/(s.label()+12))), s.ticks(true, 12)
		to.X.Min, to.X.Max, to.Y.Min, to.Y.Max = 0, n, 0, n
		area := c.plot(k, to)
		if !m.signs {
			staticBar(area, m.lo, m.hi, m.stops)
		}
	}
	return c
}

// ticks returns at most the given number of class names as ticks, each at the middle of its class.
// If downwards is true, the first sample is at the upper end of the axis.
func (s *matrixSet) ticks(downwards bool, most int) plot.Ticks {
	var out plot.Ticks
	middles, names := s.middles(), upTo(12, s.names)
	for _, at := range s.named(most) {
		name := names[slices.Index(middles, at)]
		if downwards {
			at = float64(s.n) - at
		}
		out = append(out, plot.Tick{Value: at, Label: name})
	}
	return out
}
