package viz

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// maxEdges bounds the edges drawn on an embedding. More edges would hide the samples.
const maxEdges = bounds.Links

// GraphLinks draws a graph on the first two dimensions of an embedding, see [Embedding]. Edges are
// below the samples. Edges with positive weights are solid, edges with negative weights are dashed,
// and edges with larger absolute weights are less transparent. Edges have no direction. If the call
// lists samples after g, only their edges are drawn. At most the 10,000 strongest edges are drawn,
// and the text form reports the total.
func GraphLinks(m Embedded, g Graph, of ...int) Figure {
	if err := drawable(m); err != nil {
		return failed("graph", err)
	}
	n, _ := m.Embedding().Dims()
	if err := g.check(n); err != nil {
		return failed("graph", err)
	}
	only := make([]bool, n)
	for _, i := range of {
		if i < 0 || i >= n {
			return failed("graph", fmt.Errorf("viz: GraphLinks: sample %d does not exist; give samples from 0 to %d", i, n-1))
		}
		only[i] = true
	}
	g.Name = cut(g.Name)
	strength := map[data.Pair]float64{}
	g.each(func(i, j int, w float64) {
		p := data.Pair{I: min(i, j), J: max(i, j)}
		if i != j && (len(of) == 0 || only[i] || only[j]) && math.Abs(w) > math.Abs(strength[p]) {
			strength[p] = w
		}
	})
	edges := make([]edge, 0, len(strength))
	for p, w := range strength {
		edges = append(edges, edge{p, w})
	}
	// Sort edges by descending strength, and equally strong edges by their samples. Otherwise the
	// order would be random, because the edges come from a Go map.
	slices.SortFunc(edges, func(a, b edge) int {
		switch x, y := math.Abs(a.w), math.Abs(b.w); {
		case x > y:
			return -1
		case x < y:
			return 1
		case a.I != b.I:
			return a.I - b.I
		}
		return a.J - b.J
	})
	text := fmt.Sprintf("%s: %s", cmp.Or(g.Name, "graph"), nouns.Count(len(edges), "edge"))
	if len(edges) > maxEdges {
		text += fmt.Sprintf(", of which the %d strongest are drawn", maxEdges)
		edges = edges[:maxEdges]
	}
	var groups []edgeGroup
	if len(edges) > 0 {
		groups = byStrength(edges)
	}
	l := &linked{model: m, text: text, groups: groups}
	return l.figure(cmp.Or(g.Name, "graph")+", drawn on "+title(m), style{})
}

// PairLinks draws the must-link pairs (solid) and cannot-link pairs (dashed) of a model's data on
// the first two dimensions of its embedding, see [Embedding].
func PairLinks(m Embedded) Figure {
	if err := drawable(m); err != nil {
		return failed("graph", err)
	}
	pairs := m.Data().Pairs
	n, _ := m.Embedding().Dims()
	if err := pairs.Check(n); err != nil {
		return failed("graph", err)
	}
	text := fmt.Sprintf("%d must-link and %d cannot-link pairs", len(pairs.Must), len(pairs.Cannot))
	if pairs.Len() == 0 {
		return failed("graph", fmt.Errorf("viz: PairLinks: the data have no pairs; add some with Data.WithPairs"))
	}
	if pairs.Len() > maxEdges {
		return failed("graph", fmt.Errorf("viz: PairLinks: %s are too many; give at most %d pairs to Data.WithPairs", text, maxEdges))
	}
	l := &linked{model: m, text: text, groups: []edgeGroup{
		{name: "must-link", pairs: pairs.Must, color: ink, opacity: 0.8},
		{name: "cannot-link", pairs: pairs.Cannot, dashed: true, color: negativeInk, opacity: 0.8}}}
	return l.figure("Pairs on "+title(m), style{})
}

// negativeInk is the colour of cannot-links and negative weights. No class uses it.
const negativeInk = "#c2185b"

type edge struct {
	data.Pair
	w float64
}

// edgeGroup contains edges with the same style.
type edgeGroup struct {
	name    string
	pairs   []data.Pair
	dashed  bool
	color   string
	opacity float64
}

// byStrength divides edges, which must be sorted by descending strength, into strong, medium and
// weak edges of each sign.
func byStrength(edges []edge) []edgeGroup {
	var out []edgeGroup
	signed := slices.ContainsFunc(edges, func(e edge) bool { return e.w < 0 })
	for _, negative := range []bool{false, true} {
		first := slices.IndexFunc(edges, func(e edge) bool { return (e.w < 0) == negative })
		if first < 0 {
			continue
		}
		most := math.Abs(edges[first].w)
		for k, opacity := range []float64{0.7, 0.4, 0.2} {
			g := edgeGroup{name: "edges", dashed: negative, color: ink, opacity: opacity}
			if signed { // higher opacities, so that the sign of weak edges is visible
				g.name, g.opacity = "positive", 0.9-0.25*float64(k)
			}
			if negative {
				g.name, g.color = "negative", negativeInk
			}
			for _, e := range edges {
				if (e.w < 0) == negative && min(int(3*(1-math.Abs(e.w)/most)), 2) == k {
					g.pairs = append(g.pairs, e.Pair)
				}
			}
			if g.pairs != nil {
				out = append(out, g)
			}
		}
	}
	return out
}

// linked contains the samples of a model with edges below them.
type linked struct {
	model  Embedded
	text   string   // added to the text form
	notes  []string // added to the lines below the figure
	groups []edgeGroup
}

// figure returns a figure of the samples in the given style.
func (l *linked) figure(title string, s style) Figure {
	return Figure{kind: "graph", title: title, samples: &styled{source: l, style: s}}
}

// dressed implements [dresser].
func (l *linked) dressed(s style) (drawing, error) {
	panels, err := newPanels([]Embedded{l.model}, s)
	if err != nil {
		return nil, err
	}
	c := newComparison(panels)
	if l.text != "" {
		c.text += l.text + "\n"
	}
	c.notes = slices.Concat(s.verdict(), l.notes, c.notes)
	return &linkedPanel{c, l.groups}, nil
}

// linkedPanel is a panel of samples with edges below them.
type linkedPanel struct {
	*comparison
	groups []edgeGroup
}

// option implements [charter].
func (l *linkedPanel) option(on sheet) (chart.Option, any) {
	option, extra := panelsOption(on, l.panels)
	p := l.panels[0]
	var series []chart.Series
	var keys []chart.LegendKey
	for _, g := range l.groups {
		dash := 0
		if g.dashed {
			dash = 1
		}
		series = append(series, segmentSeries(0, g.name, p.segments(g.pairs), opts.LineStyle{Color: g.color, Width: 1.5, Opacity: opts.Float(float32(g.opacity)), Type: dashes[dash]}))
		if len(keys) == 0 || keys[len(keys)-1].Name != g.name {
			keys = append(keys, chart.LegendKey{Name: g.name, Icon: lineIcons[dash]})
		}
	}
	putBelow(&option.Common, series, append(keys, legendKeys(p.keys())...))
	return option, extra
}

// static implements [drawing].
func (l *linkedPanel) static(on sheet) *canvas {
	c := newCanvas(on)
	p := on.inFile(l.panels)[0]
	c.high = p.scaled()
	var legend legend
	to := newPlot("", "")
	p.ground(to)
	named := map[string]bool{}
	for _, g := range l.groups {
		style := plot.Line{Color: faded(g.color, g.opacity), Width: 0.7}
		if g.dashed {
			style.Dashes = []float64{3, 2}
		}
		s := &segments{segments: p.segments(g.pairs), style: style}
		to.Add(s)
		if !named[g.name] {
			named[g.name] = true
			legend.add(g.name, s)
		}
	}
	p.static(to)
	legend.classes(p)
	c.explain(on, legend, p)
	p.frame(to, c.boxes[0], p.axis(0), p.axis(1))
	c.plot(0, to)
	return c
}

// segment is a line between two points.
type segment [2][2]float64

// segments returns the lines of the pairs whose samples are both drawn.
func (p *panel) segments(pairs []data.Pair) []segment {
	out := make([]segment, 0, len(pairs))
	for _, e := range pairs {
		if p.included == nil || p.included[e.I] && p.included[e.J] {
			out = append(out, segment{{p.at(e.I, 0), p.at(e.I, 1)}, {p.at(e.J, 0), p.at(e.J, 1)}})
		}
	}
	return out
}

// putBelow inserts series below the existing series of an option. keys replaces the entries of the
// option's legend.
func putBelow(option *chart.Common, series []chart.Series, keys []chart.LegendKey) {
	for _, v := range option.VisualMap {
		for k := range v.SeriesIndex {
			v.SeriesIndex[k] += len(series)
		}
	}
	option.Series = append(series, option.Series...)
	option.Legend.Data, option.Legend.Show = keys, opts.Bool(true)
	option.Legend.ItemWidth = 0 // the symbols of lines need the default width
}

// segments draws lines in a static picture. Their end points are in data coordinates.
type segments struct {
	segments []segment
	style    plot.Line
}

// Draw implements [plot.Layer].
func (s *segments) Draw(c plot.Area, p *plot.Plot) {
	for _, one := range s.segments {
		c.StrokeLines(s.style, p.Place(c, plot.Point{X: one[0][0], Y: one[0][1]}), p.Place(c, plot.Point{X: one[1][0], Y: one[1][1]}))
	}
}

// Thumbnail draws the legend symbol.
func (s *segments) Thumbnail(c plot.Area) {
	y := c.Center().Y
	c.StrokeLines(s.style, plot.Point{X: c.Min.X, Y: y}, plot.Point{X: c.Max.X, Y: y})
}
