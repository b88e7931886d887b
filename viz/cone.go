package viz

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// intervals lists the three kinds of space-time interval with their names and colours.
var intervals = []struct {
	name  string
	color color.NRGBA
}{{"space-like", palette[5]}, {"null", palette[8]}, {"time-like", palette[0]}}

// interval returns the index into intervals for the sign of ds² = x₁² + x₂² − x₃²: 0 if it is
// positive, 1 if it is zero up to rounding errors, and 2 if it is negative.
func interval(x [3]float64) int {
	if unit := max(math.Abs(x[0]), math.Abs(x[1]), math.Abs(x[2])); unit > 0 { // scaling avoids underflow of the squares of small numbers
		for k := range x {
			x[k] /= unit
		}
	}
	space, time := x[0]*x[0]+x[1]*x[1], x[2]*x[2]
	switch ds := space - time; {
	case math.Abs(ds) <= 1e-12*(space+time):
		return 1
	case ds > 0:
		return 0
	}
	return 2
}

// Cone draws the null cone of the interval ds² = x₁² + x₂² − x₃² in three dimensions, to explain
// semi-Riemannian metrics. The colour of a vector from the origin shows its kind: space-like
// outside of the cone, null on the cone, and time-like inside. Without arguments, Cone draws one
// vector of each kind. The static picture plots x₃ against the distance from the x₃ axis, because
// these two numbers determine the kind.
func Cone(vectors ...[3]float64) Figure {
	if len(vectors) == 0 {
		vectors = [][3]float64{{0.9, 0.1, 0.25}, {-0.42, -0.56, 0.7}, {0.15, 0.2, 0.85}}
	}
	if len(vectors) > maxVectors {
		return failed("cone", fmt.Errorf("viz: Cone: there are %d vectors, but at most %d are allowed; draw fewer", len(vectors), maxVectors))
	}
	s := &cone{vectors: slices.Clone(vectors)}
	var count [3]int
	for k, v := range vectors {
		for _, x := range v {
			if math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) > 1e100 {
				return failed("cone", fmt.Errorf("viz: Cone: vector %d is %v; give finite numbers up to 1e100", k, v))
			}
		}
		s.reach = max(s.reach, math.Hypot(v[0], v[1]), math.Abs(v[2]))
		count[interval(v)]++
	}
	if s.reach < 1e-100 {
		return failed("cone", fmt.Errorf("viz: Cone: all vectors are zero or nearly zero; give one that is longer than 1e-100"))
	}
	_, s.edge = extent(-s.reach, 1.05*s.reach)
	s.text = "ds² = x₁² + x₂² − x₃²: positive (space-like) outside of the cone, 0 (null) on it, negative (time-like) inside\n"
	for k, kind := range intervals {
		s.text += fmt.Sprintf("%d %s\n", count[k], kind.name)
	}
	s.gl = true
	s.arrange(layout3D(1, 118), 700)
	return Figure{kind: "cone", title: "Space-time interval ds² = x₁² + x₂² − x₃²", drawing: s}
}

const maxVectors = 100

type cone struct {
	plan
	vectors [][3]float64
	reach   float64 // over the ends of all vectors: the largest |x₃| or distance from the x₃ axis
	edge    float64 // all axes run from −edge to edge
}

// option implements [charter].
func (s *cone) option(on sheet) (chart.Option, any) {
	edge := s.edge
	// The vertices of the cone are on rings around the x₃ axis, from the lowest to the highest.
	const around, rings = 48, 16
	var points [][]any
	for r := range rings + 1 {
		z := edge * (2*float64(r)/rings - 1)
		for a := range around + 1 {
			angle := 2 * math.Pi * float64(a) / around
			points = append(points, []any{round(math.Abs(z)*math.Cos(angle), edge), round(math.Abs(z)*math.Sin(angle), edge), round(z, edge)})
		}
	}
	series := []chart.Series{&chart.Surface{Name: "null cone", Type: types.ChartSurface3D, Data: points, DataShape: [2]int{rings + 1, around + 1}, Shading: "color",
		ItemStyle: &opts.ItemStyle{Color: css(intervals[1].color), Opacity: opts.Float(0.4)}, Silent: true,
		Wireframe: chart.Wireframe{Show: true, LineStyle: chart.WireStyle{Color: "rgba(128,128,128,0.35)", Width: 1}}}}
	var names []string
	for k, kind := range intervals {
		var ends [][]any
		for _, v := range s.vectors {
			if interval(v) != k {
				continue
			}
			end := [3]float64{round(v[0], edge), round(v[1], edge), round(v[2], edge)}
			ends = append(ends, []any{end[0], end[1], end[2]})
			series = append(series, &chart.Line3D{Name: kind.name, Type: "line3D", Data: [2][3]float64{{}, end}, Silent: true,
				LineStyle: &opts.LineStyle{Color: css(kind.color), Width: 4}})
		}
		if ends != nil {
			names = append(names, kind.name)
			series = append(series, &chart.Scatter3D{Name: kind.name, Type: "scatter3D", Symbol: "circle", SymbolSize: 13, Data: ends,
				ItemStyle: &opts.ItemStyle{Color: css(kind.color), Opacity: opts.Float(1), BorderColor: ink, BorderWidth: 1}})
		}
	}
	var axes [3]*chart.Axis3D
	for k := range axes {
		axes[k] = axis3D(fmt.Sprintf("x%d", k+1), -edge, edge)
		axes[k].SplitNumber = 4
	}
	option := &chart.Space[*chart.Axis3D]{Common: common(on.title, nil, series), XAxis3D: axes[0], YAxis3D: axes[1], ZAxis3D: axes[2],
		Grid3D: []chart.Grid3D{box3D(100, 100, 100, 200, 14, 30)}}
	option.Legend = classLegend(118)
	option.Legend.Data = legendKeys(names)
	return option, nil
}

// static implements [drawing].
func (s *cone) static(on sheet) *canvas {
	c := newCanvas(on)
	p := newPlot("", "")
	edge := s.edge
	var legend legend
	for side, tint := range []color.NRGBA{intervals[0].color, intervals[2].color} {
		tint.A = 0x38
		for _, sign := range []float64{-1, 1} {
			corner := []plot.Point{{}, {X: sign * edge, Y: -edge}, {X: sign * edge, Y: edge}}
			if side == 1 {
				corner = []plot.Point{{}, {X: -edge, Y: sign * edge}, {X: edge, Y: sign * edge}}
			}
			p.Add(plot.Polygon{Points: corner, Color: tint})
		}
	}
	p.Add(&segments{segments: []segment{{{-edge, -edge}, {edge, edge}}, {{-edge, edge}, {edge, -edge}}}, style: plot.Line{Color: intervals[1].color, Width: 1.5}})
	for k, kind := range intervals {
		var ends []plot.Point
		rays := &segments{style: plot.Line{Color: kind.color, Width: 1.5}}
		for _, v := range s.vectors {
			if interval(v) == k {
				r := math.Copysign(math.Hypot(v[0], v[1]), v[0])
				ends = append(ends, plot.Point{X: r, Y: v[2]})
				rays.segments = append(rays.segments, segment{{0, 0}, {r, v[2]}})
			}
		}
		marks := plot.Scatter{Points: ends, Glyph: plot.Glyph{Color: kind.color, Radius: 4, Shape: plot.Circle}}
		legend.add(kind.name, marks)
		if ends != nil {
			p.Add(rays, marks)
		}
	}
	c.column(legend)
	numbers(&p.X, "distance from the axis, √(x₁² + x₂²), to either side", -edge, edge, valueTicks{})
	numbers(&p.Y, "x₃", -edge, edge, valueTicks{})
	b := &c.boxes[0] // a square, so that both axes have the same scale
	side := min(b.w-40, b.h-40)
	*b = box{b.x + (b.w-side)/2 + 20, b.y, side, side}
	c.plot(0, p)
	return c
}
