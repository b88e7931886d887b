package viz

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// Traced is a model with a report of its fit. *ssdrnb.Model implements Traced.
type Traced interface{ Report() *ssdrnb.Report }

// Convergence draws the solver iterations of trace-ratio models: the ratio λ_t, and |g(λ_t)| on a
// logarithmic scale. The function g is 0 at the optimum. Several models share the axes.
func Convergence[T Traced](models ...T) Figure {
	var traces []ssdrnb.Trace
	total := 0
	for _, m := range models {
		if absent(m) {
			return failed("convergence", errAbsent)
		}
		if m.Report() == nil {
			return failed("convergence", fmt.Errorf("viz: Convergence: a model has no report of its fit; fit it again"))
		}
		for _, t := range m.Report().Traces {
			if len(t.Lambda) == 0 {
				continue
			}
			t.Name = cut(fmt.Sprintf("%s by %s", m.Report().Method, t.Name))
			if err := moderate("the iteration of "+t.Name, slices.Concat(t.Lambda, t.G)...); err != nil {
				return failed("convergence", err)
			}
			if total += len(t.Lambda) + len(t.G); total > maxTotal {
				return failed("convergence", fmt.Errorf("viz: Convergence: the models recorded more than %d values of λ and g; draw fewer models", maxTotal))
			}
			traces = append(traces, t)
		}
	}
	if len(traces) > maxCurves {
		return failed("convergence", fmt.Errorf("viz: Convergence: there are %d curves, but at most %d are allowed; draw fewer models", len(traces), maxCurves))
	}
	if traces == nil {
		return failed("convergence", fmt.Errorf("viz: Convergence: the models recorded no iterations; give a model of a trace-ratio method such as TRSDA"))
	}
	s := &traceSet{traces: traces}
	var text strings.Builder
	for _, t := range traces {
		s.names = append(s.names, t.Name)
		fmt.Fprintf(&text, "%s: %s, λ %.8g → %.8g\n", t.Name, nouns.Count(len(t.Lambda), "step"), t.Lambda[0], t.Lambda[len(t.Lambda)-1])
	}
	l := layout{Count: 2, Most: 2, Least: 260, High: 300, Head: titleHeight, Above: captioned(), Below: 48, Left: 70, Gap: 80, Right: 20, Legend: float64(legendWidth(s.names)), Ratio: []float64{0.8, 0.8}}
	s.text, s.notes = text.String(), warned(models...)
	s.arrange(l, 900)
	return Figure{kind: "convergence", title: "Convergence of the trace ratio", drawing: s}
}

type traceSet struct {
	plan
	traces []ssdrnb.Trace
	names  []string
}

const absoluteG = "|g(λ)|"

// floorG is the smallest |g| on the logarithmic axis. Smaller values are rounding errors, and are
// drawn as floorG.
const floorG = 1e-15

// rangeG returns the range of the axis of |g|: the powers of ten that enclose all values of |g|,
// with a margin.
func (s *traceSet) rangeG() (lo, hi float64) {
	least, most := math.Inf(1), floorG
	for _, t := range s.traces {
		for _, g := range t.G {
			g = max(math.Abs(g), floorG)
			least, most = min(least, g), max(most, g)
		}
	}
	lo, hi = math.Pow(10, math.Floor(math.Log10(min(least, most)))), math.Pow(10, math.Ceil(math.Log10(most)))
	if hi <= lo {
		hi = 10 * lo
	}
	return widened(lo, hi)
}

// dashes are the ECharts styles of lines.
var dashes = []string{"solid", "dashed", "dotted"}

// lineIcons contains the legend icon for each entry of dashes.
var lineIcons = []string{"path://M0,4H30V6H0Z", "path://M0,4H7V6H0ZM11,4H19V6H11ZM23,4H30V6H23Z",
	"path://M0,4H3V6H0ZM5,4H8V6H5ZM11,4H14V6H11ZM16,4H19V6H16ZM22,4H25V6H22ZM27,4H30V6H27Z"}

// option implements [charter].
func (s *traceSet) option(on sheet) (chart.Option, any) {
	option := &chart.Panels{DataZoom: zoom(2)}
	var series []chart.Series
	steps, lo, hi := 0, math.Inf(1), math.Inf(-1)
	for k, t := range s.traces {
		steps = max(steps, len(t.Lambda))
		for panel, values := range [][]float64{t.Lambda, t.G} {
			var points [][]float64
			for i, v := range values {
				if panel == 1 {
					v = max(math.Abs(v), floorG)
				} else {
					lo, hi = min(lo, v), max(hi, v)
				}
				points = append(points, []float64{float64(i), v})
			}
			series = append(series, &chart.Line{Name: t.Name, Type: "line", XAxisIndex: panel, YAxisIndex: panel,
				Data: points, Symbol: classSymbol(k), SymbolSize: 7, LineStyle: &opts.LineStyle{Type: dashes[k%len(dashes)], Width: 2},
				ItemStyle: &opts.ItemStyle{Color: css(classColor(k))}})
		}
	}
	first, last := padded(0, float64(max(steps-1, 1)), inside)
	for panel, name := range []string{"λ", absoluteG} {
		option.XAxis = append(option.XAxis, &chart.Axis{GridIndex: panel, Type: "value", Name: "iteration", NameLocation: "middle", NameGap: 26, Min: first, Max: last, MinInterval: 1,
			AxisLabel: endless(), AxisLine: axisEdge(), SplitLine: noLines()})
		option.YAxis = append(option.YAxis, &chart.Axis{GridIndex: panel, Type: "value", Name: name, NameLocation: "middle", NameGap: 46, Position: "left", AxisLine: axisEdge(),
			AxisTick: &chart.AxisTick{Show: true, Length: 4}, SplitLine: paleLines(), AxisLabel: endless()})
	}
	ratio, powers := option.YAxis[0], option.YAxis[1]
	relabel(ratio, ratio.Name, lo, hi)
	ratio.Min, ratio.Max = padded(lo, hi, inside)
	powers.Min, powers.Max = s.rangeG()
	logarithmic(powers, on.boxes()[1].h, true)
	powers.NameGap = 54
	option.Common = common(on.title, nil, series)
	option.Legend = methodLegend(int(on.layout.Legend))
	if short := abridged(s.names, int(on.layout.Legend)-56); short != nil {
		return option, &chart.Abridged{Short: short}
	}
	return option, nil
}

// static implements [drawing].
func (s *traceSet) static(on sheet) *canvas {
	c := newCanvas(on)
	ratio, g := newPlot("iteration", ""), newPlot("iteration", absoluteG)
	grid(ratio)
	grid(g)
	g.Y.Log, g.Y.Ticks = true, factorTicks{length: pixels(c.boxes[1].h), upright: true}
	var keys legend
	steps, lo, hi := 0, math.Inf(1), math.Inf(-1)
	for k, t := range s.traces {
		for panel, values := range [][]float64{t.Lambda, t.G} {
			if len(values) == 0 {
				continue
			}
			var points []plot.Point
			for i, v := range values {
				if steps = max(steps, i); panel == 1 {
					v = max(math.Abs(v), floorG)
				} else {
					lo, hi = min(lo, v), max(hi, v)
				}
				points = append(points, plot.Point{X: float64(i), Y: v})
			}
			line := plot.Polyline{Points: points, Line: plot.Line{Color: classColor(k), Width: 1.5, Dashes: staticDashes[k%len(staticDashes)]}}
			to := []*plot.Plot{ratio, g}[panel]
			to.Add(line, plot.Scatter{Points: points, Glyph: plot.Glyph{Color: classColor(k), Radius: 2}})
			if panel == 0 {
				keys.add(t.Name, line)
			}
		}
	}
	lo, hi = padded(lo, hi, inside)
	first, last := padded(0, float64(max(steps, 1)), inside)
	for _, a := range []*plot.Axis{&ratio.X, &g.X} {
		numbers(a, a.Name, first, last, valueTicks{whole: true})
	}
	numbers(&ratio.Y, "λ", lo, hi, valueTicks{})
	g.Y.Min, g.Y.Max = s.rangeG()
	c.column(keys)
	c.plot(0, ratio)
	c.plot(1, g)
	return c
}
