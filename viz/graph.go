package viz

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// Weights is a square matrix of a graph's weights, 0 where there is no edge, such as
// *sparse.CSR, *mat.Dense or *mat.SymDense.
type Weights interface {
	Dims() (rows, cols int)
	At(i, j int) float64
}

// Graph is a graph over the samples: its weights and its name.
type Graph struct {
	Name    string
	Weights Weights
	// Signs shows only whether a weight is positive, zero or negative.
	Signs bool
}

// each calls f with every weight that is not zero, row by row.
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

func (g Graph) check(n int) error {
	if absent(g.Weights) {
		return fmt.Errorf("viz: graph %q has no weights; give a matrix, or the Model.Graph of a method that learns one", g.Name)
	}
	if m, ok := g.Weights.(*sparse.CSR); ok {
		if err := m.Check(); err != nil {
			return fmt.Errorf("viz: graph %q: %w", g.Name, err)
		}
	}
	if r, c := g.Weights.Dims(); r != n || c != n {
		return fmt.Errorf("viz: graph %q has %d × %d weights for %d samples; give one row and column per sample", g.Name, r, c, n)
	}
	var err error
	g.each(func(i, j int, w float64) {
		if err == nil && !(math.Abs(w) <= maxNumber) {
			err = fmt.Errorf("viz: graph %q: the weight from sample %d to %d is %v; weights are finite, and at most %g", g.Name, i, j, w, maxNumber)
		}
	})
	return err
}

// maxMatrix is the number of cells in a row of a drawn matrix; in a larger matrix, a
// cell shows the weight of largest size among those that it covers.
const maxMatrix = 600

// Adjacency draws matrices of weights, three in a row, with the samples ordered by
// class (the true one where it is known, the label elsewhere) and lines between the
// classes: a graph that respects the classes is a diagonal of blocks. Zero is black; if
// there are negative weights, blue is negative, white is zero and orange is positive.
// Each matrix has its own scale. The text form counts the edges and those between
// different classes.
func Adjacency(d *data.Data, graphs ...Graph) Figure {
	fail := func(err error) Figure { return failed("adjacency", err) }
	if err := d.Err(); err != nil {
		return fail(err)
	}
	if len(graphs) == 0 {
		return fail(fmt.Errorf("viz: there is no graph to draw; give at least one"))
	}
	if err := crowded(len(graphs), maxPanels); err != nil {
		return fail(err)
	}
	s := newMatrixSet(d)
	if s.n == 0 {
		return fail(fmt.Errorf("viz: the data have no samples; give at least one"))
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
	if slices.ContainsFunc(s.matrices, func(m *matrix) bool { return !m.signs }) { // space for bars of colour
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
	return Figure{kind: "adjacency", title: title, text: lines(text), notes: present(s.note()),
		option: s.option, static: s.static}.sized(l, width)
}

// matrixSet is matrices over the same ordered samples.
type matrixSet struct {
	n        int
	order    []int // the samples, by class
	place    []int // of each sample in order
	class    []int // of each sample
	names    []string
	bounds   []float64 // where classes begin, and the end
	matrices []*matrix
}

// label is the width in pixels of the longest name of a class.
func (s *matrixSet) label() float64 {
	longest := 0
	for _, n := range s.names {
		longest = max(longest, len([]rune(n)))
	}
	return float64(min(8*longest, maxLabel))
}

// maxLabel is the width in pixels of a class's name at an axis.
const maxLabel = 66

// matrix is one graph as a picture.
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
	// Samples of no known class come last.
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

// note says what is not drawn where there are many classes.
func (s *matrixSet) note() string {
	if len(s.names) <= maxClasses {
		return ""
	}
	return fmt.Sprintf("There are %d classes: beyond %d, no lines are drawn between them. If the labels differ from sample to sample, they are not classes.", len(s.names), maxClasses)
}

// cuts are the positions of the lines between classes: none where they would cover
// the weights.
func (s *matrixSet) cuts() []float64 {
	if len(s.names) > maxClasses {
		return nil
	}
	return s.bounds[1 : len(s.bounds)-1]
}

// middles are the positions of the classes' names.
func (s *matrixSet) middles() []float64 {
	out := make([]float64, len(s.names))
	for k := range out {
		out[k] = (s.bounds[k] + s.bounds[k+1]) / 2
	}
	return out
}

// named are the middles of the classes that are named on an axis with space for most
// names.
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

// matrix paints a graph that has been checked.
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
	m.text = fmt.Sprintf("%s: %d × %d weights from %.4g to %.4g, %d edges, %d of them between classes", cmpString(g.Name, "graph"), s.n, s.n, m.lo, m.hi, edges, between)
	m.stops = greys
	if m.lo < 0 || m.signs {
		m.stops = diverging
		m.hi = max(m.hi, -m.lo)
		m.lo = -m.hi
	}
	if m.hi == m.lo {
		m.hi = m.lo + 1 // no edge at all
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

// line is the colour of the lines between classes.
func (m *matrix) line() color.NRGBA {
	if m.lo < 0 {
		return color.NRGBA{0x66, 0x66, 0x66, 0xff}
	}
	return palette[4]
}

// signNames are the keys of a matrix that shows signs only.
var signNames = []string{"negative", "zero", "positive"}

func (s *matrixSet) signs() bool {
	return slices.ContainsFunc(s.matrices, func(m *matrix) bool { return m.signs })
}

// right is the width in pixels of the legend.
func (s *matrixSet) right() int {
	if s.signs() {
		return legendWidth(signNames)
	}
	return 0
}

func (s *matrixSet) option(f Figure) (map[string]any, map[string]any) {
	boxes := f.boxes()
	captions := make([]string, len(boxes))
	var series, xs, ys, bars []any
	n := float64(s.n)
	for k, m := range s.matrices {
		captions[k] = m.name
		// The first sample is at the top and at the left.
		series = append(series, pictureSeries(k, [2]float64{0, n}, [2]float64{0, n}, resized(m.picture, int(boxes[k].w))))
		if !m.signs {
			bars = append(bars, colorBar(len(series)-1, k, m.lo, m.hi, m.stops))
		}
		var cuts []segment
		for _, b := range s.cuts() {
			cuts = append(cuts, segment{{b, 0}, {b, n}}, segment{{0, b}, {n, b}})
		}
		series = append(series, segmentSeries(k, "", cuts, map[string]any{"color": css(m.line()), "width": 0.8, "opacity": 0.9}))
		axis := func(inverse bool, gap int, name string, most int) map[string]any {
			return map[string]any{"gridIndex": k, "type": "value", "min": 0, "max": s.n, "inverse": inverse, "name": name, "nameLocation": "middle", "nameGap": gap,
				"axisTick": map[string]any{"customValues": append([]float64{0, n}, s.cuts()...)}, "splitLine": map[string]any{"show": false}, "axisLine": axisEdge(),
				"axisLabel":   map[string]any{"customValues": s.named(most), "hideOverlap": true, "width": maxLabel, "overflow": "truncate"},
				"axisPointer": map[string]any{"show": true, "triggerTooltip": false, "lineStyle": map[string]any{"color": "#999"}}}
		}
		x, y := axis(false, 30, "samples by class", int(boxes[k].w/(s.label()+6))), axis(true, 60, "", int(boxes[k].h)/16)
		x["position"] = "bottom"
		xs, ys = append(xs, x), append(ys, y)
	}
	if s.signs() {
		for k, name := range signNames {
			series = append(series, chartSeries{Name: name, Type: "scatter", Symbol: "rect", Data: []any{},
				ItemStyle: &opts.ItemStyle{Color: css(look.Between(diverging, float64(k)/2)), Opacity: opts.Float(1), BorderColor: "#999", BorderWidth: 0.5}})
		}
	}
	option := flat(f, captions, series)
	option["xAxis"], option["yAxis"], option["dataZoom"] = xs, ys, zoom(len(boxes))
	if bars != nil {
		option["visualMap"] = bars
	}
	if s.signs() {
		option["legend"] = map[string]any{"orient": "vertical", "right": 4, "top": "middle", "align": "left", "selectedMode": false, "data": signNames}
	}
	return option, map[string]any{"middles": s.middles(), "names": s.names, "order": s.order, "bounds": s.bounds}
}

func (s *matrixSet) static(f Figure) *canvas {
	c := newCanvas(f)
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
		to.Add(&segments{of: cuts, style: plot.Line{Color: m.line(), Width: 0.6}})
		to.X.Ticks, to.Y.Ticks = s.ticks(false, int(c.boxes[k].w/(s.label()+12))), s.ticks(true, 12)
		to.X.Min, to.X.Max, to.Y.Min, to.Y.Max = 0, n, 0, n
		area := c.plot(k, to)
		if !m.signs {
			staticBar(area, m.lo, m.hi, m.stops)
		}
	}
	return c
}

// ticks names the classes at the middle of their samples, on an axis with space for
// most names.
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
