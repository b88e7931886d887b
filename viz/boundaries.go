package viz

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// Boundaries draws samples with two features, and a decision boundary for each linear model: the
// line through the centre of the data that is perpendicular to the first direction of the model.
// Models of the same data share a panel. There are at most four panels in a row. A method has the
// same line style in all panels.
func Boundaries(models ...*ssdrnb.Model) Figure {
	fail := func(err error) Figure { return failed("boundaries", err) }
	if len(models) == 0 {
		return fail(errAbsent)
	}
	if err := crowded(len(models), maxPanels); err != nil {
		return fail(err)
	}
	s := &boundarySet{}
	var text []string
	points := 0
	for _, m := range models {
		if m == nil {
			return fail(errAbsent)
		}
		w, mean, err := m.Projection()
		if errors.Is(err, ssdrnb.ErrNotLinear) {
			return fail(fmt.Errorf("viz: Boundaries of %s: %w; give linear models, such as LDA", m.Method(), ssdrnb.ErrNotLinear))
		}
		if err != nil {
			return fail(fmt.Errorf("viz: Boundaries: %w", err))
		}
		if len(mean) != 2 {
			return fail(fmt.Errorf("viz: Boundaries: the data of %s have %s instead of two; draw viz.Embedding(model)", m.Method(), nouns.Count(len(mean), "feature")))
		}
		if m.Data().X == nil {
			return fail(fmt.Errorf("viz: Boundaries of %s: %w", m.Method(), withoutFeatures(m.Data())))
		}
		if !slices.Contains(s.names, m.Method()) {
			s.names = append(s.names, m.Method())
		}
		k := slices.IndexFunc(s.panels, func(p *panel) bool { return p.data == m.Data() })
		if k < 0 {
			k = len(s.panels)
			if err := drawable(Samples(m.Data())); err != nil {
				return fail(err)
			}
			if points += m.Data().Len(); m.Data().Len() > maxPoints || points > maxTotal {
				return fail(errSamples(points, maxPoints, maxTotal))
			}
			s.panels, s.lines = append(s.panels, newPanel(Samples(m.Data()))), append(s.lines, nil)
		}
		l := boundary{name: m.Method(), normal: [2]float64{w.At(0, 0), w.At(1, 0)}, anchor: [2]float64{mean[0], mean[1]}}
		s.lines[k] = append(s.lines[k], l)
		angle := math.Abs(math.Atan2(l.normal[1], l.normal[0])) * 180 / math.Pi
		text = append(text, fmt.Sprintf("%s: boundary of %s at %.1f° to the axis of the first feature", cut(m.Data().Name), l.name, math.Abs(90-angle)))
	}
	shareRanks(s.panels)
	l := panelLayout(s.panels)
	l.Legend = float64(s.right())
	width := 960
	if len(s.panels) == 1 {
		width = 700
	}
	s.text, s.notes = lines(text), append(undrawn(s.panels), warned(models...)...)
	s.arrange(l, width)
	return Figure{kind: "boundaries", title: "Boundaries", drawing: s}
}

type boundarySet struct {
	plan
	panels []*panel
	lines  [][]boundary // lines of each panel
	names  []string     // distinct names of the lines
}

// boundary is the line of points x with normal·(x − anchor) = 0.
type boundary struct {
	name           string
	normal, anchor [2]float64
}

// segment returns the part of the line inside the rectangle with the corners lo and hi, or false if
// the line misses the rectangle.
func (l boundary) segment(lo, hi [2]float64) (segment, bool) {
	along := [2]float64{-l.normal[1], l.normal[0]}
	from, to := math.Inf(-1), math.Inf(1)
	for k := range 2 {
		a, b := (lo[k]-l.anchor[k])/along[k], (hi[k]-l.anchor[k])/along[k]
		if along[k] == 0 {
			if l.anchor[k] < lo[k] || l.anchor[k] > hi[k] {
				return segment{}, false
			}
			continue
		}
		from, to = max(from, min(a, b)), min(to, max(a, b))
	}
	at := func(t float64) [2]float64 { return [2]float64{l.anchor[0] + t*along[0], l.anchor[1] + t*along[1]} }
	return segment{at(from), at(to)}, from < to && !math.IsInf(to-from, 0)
}

// style returns the indices of the colour and the dash pattern of the named line. The first colours
// of the palette are for the classes, and lines use the following ones.
func (s *boundarySet) style(name string) (color, dash int) {
	k := slices.Index(s.names, name)
	classes := 0
	for _, p := range s.panels {
		for _, c := range p.classes {
			classes = max(classes, p.ranks[c]+1)
		}
	}
	return (classes + k) % len(palette), k % len(dashes)
}

// right returns the width in pixels of the legend.
func (s *boundarySet) right() int { return min(max(classColumn(s.panels), legendWidth(s.names)), 200) }

// option implements [charter].
func (s *boundarySet) option(on sheet) (chart.Option, any) {
	option, extra := panelsOption(on, s.panels)
	var series []chart.Series
	var keys []chart.LegendKey
	for k, p := range s.panels {
		lo, hi := p.ranges()
		names := features(p.data)
		relabel(option.XAxis[k], names[0], lo[0], hi[0])
		relabel(option.YAxis[k], names[1], lo[1], hi[1])
		// The lines extend beyond the ranges of the axes, because the page may widen these ranges.
		// The page clips the lines to the panel.
		for dim := range 2 {
			lo[dim], hi[dim] = padded(lo[dim], hi[dim], 10)
		}
		for _, l := range s.lines[k] {
			if part, ok := l.segment(lo, hi); ok {
				color, dash := s.style(l.name)
				series = append(series, segmentSeries(k, l.name, []segment{part}, opts.LineStyle{Color: css(palette[color]), Width: 2.2, Opacity: opts.Float(1), Type: dashes[dash]}))
			}
		}
	}
	for _, name := range s.names {
		_, dash := s.style(name)
		keys = append(keys, chart.LegendKey{Name: name, Icon: lineIcons[dash]})
	}
	seen := map[string]bool{}
	for _, p := range s.panels {
		for _, name := range p.keys() {
			if !seen[name] {
				seen[name] = true
				keys = append(keys, chart.LegendKey{Name: name})
			}
		}
	}
	putBelow(&option.Common, series, keys)
	return option, extra
}

// static implements [drawing].
func (s *boundarySet) static(on sheet) *canvas {
	c := newCanvas(on)
	panels := on.inFile(s.panels)
	style := func(name string) plot.Line {
		color, dash := s.style(name)
		return plot.Line{Color: palette[color], Width: 1.6, Dashes: staticDashes[dash]}
	}
	var legend legend
	for _, name := range s.names {
		legend.add(name, &segments{style: style(name)})
	}
	legend.classes(panels...)
	c.column(legend)
	for k, p := range panels {
		names := features(p.data)
		to := newPlot("", "")
		if len(s.panels) > 1 {
			c.caption(k, p.name)
		}
		grid(to)
		p.frame(to, c.boxes[k], names[0], names[1])
		lo, hi := [2]float64{to.X.Min, to.Y.Min}, [2]float64{to.X.Max, to.Y.Max}
		for _, l := range s.lines[k] {
			if part, ok := l.segment(lo, hi); ok {
				to.Add(&segments{segments: []segment{part}, style: style(l.name)})
			}
		}
		p.static(to)
		p.frame(to, c.boxes[k], names[0], names[1])
		c.plot(k, to)
	}
	return c
}
