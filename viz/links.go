package viz

import (
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// maxEdges bounds the edges drawn on an embedding: more would hide the samples.
const maxEdges = bounds.Links

// GraphLinks draws a graph on the first two dimensions of an embedding, see
// [Embedding]. Its edges are below the samples: solid for positive and dashed for
// negative weights, and stronger for larger ones. Edges have no direction. If samples
// are listed in of, only their edges are drawn. Of more than 10,000 edges only the
// strongest are drawn, and the text form says so.
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
			return failed("graph", fmt.Errorf("viz: sample %d is not one of the %d; they count from 0", i, n))
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
	// Strongest first, and equal ones by sample, because a map has no order.
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
	text := fmt.Sprintf("%s: %d edges", cmpString(g.Name, "graph"), len(edges))
	if len(edges) > maxEdges {
		text += fmt.Sprintf(", the %d strongest are drawn", maxEdges)
		edges = edges[:maxEdges]
	}
	var groups []edgeGroup
	if len(edges) > 0 {
		groups = byStrength(edges)
	}
	return linked(m, links{title: cmpString(g.Name, "graph") + " on " + title(m), text: text, groups: groups}, style{})
}

// PairLinks draws the must-link (solid) and cannot-link pairs (dashed) of the
// model's data on the first two dimensions of its embedding, see [Embedding].
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
		return failed("graph", fmt.Errorf("viz: the data have no pairs to draw; add some with Data.WithPairs"))
	}
	if pairs.Len() > maxEdges {
		return failed("graph", fmt.Errorf("viz: %s are too many to draw; take at most %d of them", text, maxEdges))
	}
	return linked(m, links{title: "Pairs on " + title(m), text: text, groups: []edgeGroup{
		{name: "must-link", pairs: pairs.Must, color: ink, opacity: 0.8},
		{name: "cannot-link", pairs: pairs.Cannot, dashed: true, color: apart, opacity: 0.8}}}, style{})
}

// apart is the colour of cannot-links and negative weights. No class has it.
const apart = "#c2185b"

type edge struct {
	data.Pair
	w float64
}

// edgeGroup is edges that look the same.
type edgeGroup struct {
	name    string
	pairs   []data.Pair
	dashed  bool
	color   string
	opacity float64
}

// byStrength sorts edges into strong, middling and weak ones of each sign. The edges
// are in descending order of strength.
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
			if signed { // the signs differ more than the strengths
				g.name, g.opacity = "positive", 0.9-0.25*float64(k)
			}
			if negative {
				g.name, g.color = "negative", apart
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

// links are edges to be drawn on an embedding, and what is said about them.
type links struct {
	title, text string
	notes       []string // lines below the figure
	groups      []edgeGroup
}

// linked is an embedding in two dimensions with edges below the samples.
func linked(m Embedded, l links, s style) Figure {
	panels, err := newPanels([]Embedded{m}, s)
	if err != nil {
		return failed("graph", err)
	}
	f := comparison(panels)
	p := panels[0]
	f.kind, f.title = "graph", l.title
	if l.text != "" {
		f.text += l.text + "\n"
	}
	f.notes = append(slices.Clone(l.notes), f.notes...)
	f.style, f.again = s, func(s style) Figure { return linked(m, l, s) }
	f.option = func(f Figure) (map[string]any, map[string]any) {
		option, extra := optionPanels(f, []*panel{p})
		var series, keys []any
		for _, g := range l.groups {
			dash := 0
			if g.dashed {
				dash = 1
			}
			kind, icon := dashes[dash], lineIcons[dash]
			series = append(series, segmentSeries(0, g.name, p.segments(g.pairs), map[string]any{"color": g.color, "width": 1.5, "opacity": g.opacity, "type": kind}))
			if len(keys) == 0 || keys[len(keys)-1].(map[string]any)["name"] != g.name {
				keys = append(keys, map[string]any{"name": g.name, "icon": icon})
			}
		}
		for _, name := range p.keys() {
			keys = append(keys, name)
		}
		putBelow(option, series, keys)
		return option, extra
	}
	f.static = func(f Figure) *canvas { return staticLinks(f, p, l.groups) }
	return f
}

func staticLinks(f Figure, p *panel, groups []edgeGroup) *canvas {
	c := newCanvas(f)
	p = f.inFile([]*panel{p})[0]
	c.high = p.scaled()
	var legend legend
	to := newPlot("", "")
	p.ground(to)
	named := map[string]bool{}
	for _, g := range groups {
		style := plot.Line{Color: faded(g.color, g.opacity), Width: 0.7}
		if g.dashed {
			style.Dashes = []float64{3, 2}
		}
		s := &segments{of: p.segments(g.pairs), style: style}
		to.Add(s)
		if !named[g.name] {
			named[g.name] = true
			legend.add(g.name, s)
		}
	}
	p.static(to)
	legend.classes(p)
	c.column(legend)
	c.scale(p)
	p.frame(to, c.boxes[0], p.axis(0), p.axis(1))
	c.plot(0, to)
	return c
}

// segment is a line between two points.
type segment [2][2]float64

func (p *panel) segments(pairs []data.Pair) []segment {
	out := make([]segment, 0, len(pairs))
	for _, e := range pairs {
		if p.only == nil || p.only[e.I] && p.only[e.J] {
			out = append(out, segment{{p.at(e.I, 0), p.at(e.I, 1)}, {p.at(e.J, 0), p.at(e.J, 1)}})
		}
	}
	return out
}

// putBelow draws series below those of the option's points, and sets the keys of its
// legend.
func putBelow(option map[string]any, series, keys []any) {
	bars, _ := option["visualMap"].([]any)
	for _, bar := range bars {
		of := bar.(map[string]any)["seriesIndex"].([]int)
		for k := range of {
			of[k] += len(series)
		}
	}
	option["series"] = append(series, option["series"].([]any)...)
	legend := option["legend"].(map[string]any)
	legend["data"], legend["show"] = keys, true
	delete(legend, "itemWidth") // lines need it
}

// segmentSeries draws lines between points of a panel, below the samples. The data are
// flat numbers, two points each, which take half the space of objects.
func segmentSeries(panel int, name string, of []segment, style map[string]any) map[string]any {
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
	return map[string]any{"type": "lines", "draw": "segments", "name": name, "coordinateSystem": "cartesian2d", "xAxisIndex": panel, "yAxisIndex": panel,
		"data": flat, "lineStyle": style, "itemStyle": map[string]any{"color": style["color"]}, "silent": true, "clip": true, "z": 1, "symbol": "none"}
}

// segments draws lines in a static picture.
type segments struct {
	of    []segment
	style plot.Line
}

// Draw implements [plot.Layer].
func (s *segments) Draw(c plot.Area, p *plot.Plot) {
	for _, one := range s.of {
		c.StrokeLines(s.style, p.Place(c, plot.Point{X: one[0][0], Y: one[0][1]}), p.Place(c, plot.Point{X: one[1][0], Y: one[1][1]}))
	}
}

// Thumbnail draws the key of the legend.
func (s *segments) Thumbnail(c plot.Area) {
	y := c.Center().Y
	c.StrokeLines(s.style, plot.Point{X: c.Min.X, Y: y}, plot.Point{X: c.Max.X, Y: y})
}
