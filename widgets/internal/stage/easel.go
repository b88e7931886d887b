package stage

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// EaselSpec describes a canvas on which the reader paints two groups of dots. Methods are fitted to
// the dots with several random choices of labels, called draws.
type EaselSpec struct {
	// Source provides the initial dots: two features and two classes, scaled into the canvas.
	Source Source        `json:"source"`
	Bench  []BenchMethod `json:"methods"`
	// Labels is the number of labelled dots per group, in each of Draws draws.
	Labels int `json:"labels"`
	Draws  int `json:"draws"`
	// Features contains the values of a dial for the number of features; nil for no dial. The first
	// two features are the coordinates on the canvas, and the others are 0. If there are more than
	// two, each gets noise with standard deviation Noise, in units of half the canvas width.
	Features []float64 `json:"features,omitempty"`
	Noise    float64   `json:"noise,omitempty"`
}

const (
	maxPainted  = 800  // number of dots
	dotsPerStep = 5    // number of dots added in each step of the brush
	brushWidth  = 0.05 // standard deviation of these dots, in units of half the canvas width
	rubberWidth = 0.12 // radius of the eraser, in the same units
	leastGroup  = 40   // minimum number of dots per group, so that a method does not win by luck
	mostUneven  = 3    // maximum ratio of the numbers of dots in the two groups
	canvasFill  = 0.85 // share of the canvas width that the initial dots fill
	dialBrush   = "brush"
	dialLift    = "features"
	buttonClear = "clear"
)

// dot is a painted dot. Its coordinates are relative to the centre, in units of half the canvas
// width.
type dot struct {
	position [2]float64
	class    int
}

type easelMoves struct {
	dots     []dot
	steps    int  // number of steps of the brush so far
	brush    int  // class that the brush paints; the number of classes stands for the eraser
	features int  // position of the dial for features
	draws    int  // number of draws shown
	drawing  bool // each tick adds a draw
}

// Clone returns a copy.
func (m easelMoves) Clone() easelMoves {
	m.dots = slices.Clone(m.dots)
	return m
}

type easel struct {
	spec    EaselSpec
	title   string
	methods []ssdrnb.Spec
	legend  look.Legend
	moving[easelMoves]
	results memory[string, *result]
}

func openEasel(s EaselSpec, title string, d *data.Data) (*easel, error) {
	e := &easel{spec: s, title: title}
	switch {
	case len(s.Bench) < 1 || len(s.Bench) > maxMethods:
		return nil, fmt.Errorf("a painting cannot have %d methods; give 1 to %d", len(s.Bench), maxMethods)
	case s.Labels < 1 || s.Labels >= leastGroup:
		return nil, fmt.Errorf("the number of labels of each group is %d, out of range; give 1 to %d", s.Labels, leastGroup-1)
	case s.Draws < 1 || s.Draws > maxDraws:
		return nil, fmt.Errorf("the number of draws is %d, out of range; give 1 to %d", s.Draws, maxDraws)
	case len(s.Features) == 1 || len(s.Features) > maxValues:
		return nil, fmt.Errorf("the dial %q has %s; give 2 to %d, or none for no dial", dialLift, nouns.Count(len(s.Features), "value"), maxValues)
	case !(s.Noise >= 0 && s.Noise <= 1):
		return nil, fmt.Errorf("the noise %v is out of range; give 0 to 1", s.Noise)
	}
	for _, v := range s.Features {
		if !(v >= 2 && v <= 50) || v != math.Trunc(v) {
			return nil, fmt.Errorf("the value %v of the dial %q is not allowed; give whole numbers from 2 to 50", v, dialLift)
		}
	}
	var err error
	if e.methods, err = specsOf(s.Bench, RuleRuler, RuleRumour); err != nil {
		return nil, err
	}
	if d, err = s.Source.open(d); err != nil {
		return nil, err
	}
	if d.X == nil || d.Dim() != 2 || d.Len() > maxPainted {
		return nil, fmt.Errorf("a painting cannot begin with %s with %s; give at most %d samples with 2 dense features", nouns.Count(d.Len(), "sample"), nouns.Count(d.Dim(), "feature"), maxPainted)
	}
	e.legend = look.ClassesOf(d, d.Len()).Legend()
	if len(e.legend.Names) != 2 || slices.Min(e.legend.Of) < 0 {
		return nil, fmt.Errorf("a painting must begin with samples of two known classes; give samples of two classes, each with its class")
	}
	e.legend.Names = []string{"first group", "second group"}
	e.begin(easelMoves{dots: painted(d.X, e.legend.Of)}, e.apply, e.see)
	return e, nil
}

// painted scales samples into the canvas and returns them as dots.
func painted(x *mat.Dense, class []int) []dot {
	var middle [2]float64
	most := 0.0
	for j := range middle {
		column := mat.Col(nil, j, x)
		lo, hi := floats.Min(column), floats.Max(column)
		middle[j], most = (lo+hi)/2, max(most, (hi-lo)/2)
	}
	dots := make([]dot, len(class))
	for i, c := range class {
		dots[i].class = c
		for j := range middle {
			if most > 0 {
				dots[i].position[j] = canvasFill * (x.At(i, j) - middle[j]) / most
			}
		}
	}
	return dots
}

func (e *easel) Setup() Setup {
	s := Setup{Title: e.title, Names: e.legend.Names, Colors: e.legend.Colors, Symbols: e.legend.Symbols, Hands: []Hand{HandBrush},
		Dials: []Dial{{Name: dialBrush, Values: append(slices.Clone(e.legend.Names), "rubber")}},
		Buttons: []Button{{Name: buttonDraws(e.spec.Draws), Doc: fmt.Sprintf("runs each method with %s from each group, in %s", nouns.Count(e.spec.Labels, "label"), nouns.Count(e.spec.Draws, "draw"))},
			{Name: buttonClear, Doc: "removes all dots"}}}
	if len(e.spec.Features) > 0 {
		d := Dial{Name: dialLift, Doc: "number of features: the two of the canvas, and further ones; with more than two features, noise is added to each", Slider: true}
		for _, v := range e.spec.Features {
			d.Values = append(d.Values, strconv.Itoa(int(v)))
		}
		s.Dials = append(s.Dials, d)
	}
	for _, m := range e.meters() {
		s.Meters = append(s.Meters, m.meter)
	}
	return s
}

func (e *easel) meters() []benchMeter {
	m := benchMeters[MeterHidden]
	m.Doc = fmt.Sprintf("mean over %s of the %s", nouns.Count(e.spec.Draws, "draw"), m.Doc)
	return metersOf(MeterHidden, m, e.spec.Bench)
}

func (e *easel) apply(m *easelMoves, a Action) error {
	switch a.Kind {
	case "dial":
		switch {
		case a.Name == dialBrush && a.Index >= 0 && a.Index <= len(e.legend.Names):
			m.brush = a.Index
		case a.Name == dialLift && a.Index >= 0 && a.Index < len(e.spec.Features):
			m.features = a.Index
			m.change()
		default:
			return fmt.Errorf("the dial %.40q has no position %d", a.Name, a.Index)
		}
	case string(HandBrush):
		if a.Panel != 0 {
			return fmt.Errorf("paint on the first picture")
		}
		return e.paint(m, a.At)
	case "press":
		switch a.Name {
		case buttonDraws(e.spec.Draws):
			if lacks := e.lacks(m); lacks != "" {
				return fmt.Errorf("%s", lacks)
			}
			m.draws, m.drawing = min(m.draws+1, e.spec.Draws), m.draws+1 < e.spec.Draws
		case buttonClear:
			m.dots = nil
			m.change()
		}
	case KindTick:
		if m.drawing {
			m.draws = min(m.draws+1, e.spec.Draws)
			m.drawing = m.draws < e.spec.Draws
		}
	}
	return nil
}

// change discards the draws after a change of the painting.
func (m *easelMoves) change() { m.draws, m.drawing = 0, false }

// paint adds dots around a place, or erases the dots near it.
func (e *easel) paint(m *easelMoves, at [2]float64) error {
	for _, v := range at {
		if !(v >= -1 && v <= 1) {
			return fmt.Errorf("paint within the canvas")
		}
	}
	m.change()
	if m.brush == len(e.legend.Names) {
		m.dots = slices.DeleteFunc(m.dots, func(d dot) bool { return math.Hypot(d.position[0]-at[0], d.position[1]-at[1]) < rubberWidth })
		return nil
	}
	if len(m.dots)+dotsPerStep > maxPainted {
		return fmt.Errorf("the canvas is full: it has %d dots; rub some out first", len(m.dots))
	}
	m.steps++
	r := generator(uint64(m.steps))
	for range dotsPerStep {
		d := dot{class: m.brush}
		for j := range at {
			d.position[j] = min(max(at[j]+brushWidth*r.NormFloat64(), -1), 1)
		}
		m.dots = append(m.dots, d)
	}
	return nil
}

// lacks returns a sentence on why the methods cannot be fitted yet, or "".
func (e *easel) lacks(m *easelMoves) string {
	count := make([]int, len(e.legend.Names))
	for _, d := range m.dots {
		count[d.class]++
	}
	for c, n := range count {
		if n < leastGroup {
			return fmt.Sprintf("paint at least %d dots of each group; the %s has %d", leastGroup, e.legend.Names[c], n)
		}
	}
	for c, n := range count {
		if n > mostUneven*slices.Min(count) {
			return fmt.Sprintf("no group may have more than %d times as many dots as the other; the %s has %d", mostUneven, e.legend.Names[c], n)
		}
	}
	return ""
}

func (e *easel) see(ctx context.Context, m *easelMoves) (*State, error) {
	s := &State{Dials: []int{m.brush}, Panels: []Panel{e.canvas(m)}}
	if len(e.spec.Features) > 0 {
		s.Dials = append(s.Dials, m.features)
	}
	right := make([][]float64, len(e.spec.Bench))
	var failures []string
	for draw := range m.draws {
		l, err := e.labelled(m, uint64(draw+1))
		if err != nil {
			return nil, err
		}
		for k := range e.spec.Bench {
			r, err := e.results.get(m.key(k, draw), func() (*result, error) { return e.spec.Bench[k].ask(ctx, e.methods[k], l) })
			switch {
			case err != nil:
				return nil, err
			case r.failed != nil:
				if draw == 0 {
					failures = append(failures, failureText(e.spec.Bench[k].Name, r.failed))
				}
				continue
			}
			right[k] = append(right[k], hiddenRight(r.answers, l.labels, l.truth))
			if draw == 0 {
				p := e.canvas(m)
				p.Title, p.Samples.Of, p.Samples.Looks = e.spec.Bench[k].Name, r.answers, l.looks()
				s.Panels = append(s.Panels, p)
			}
		}
	}
	if m.draws > 0 {
		bars := rightPanel(e.spec.Bench, right)
		for k := range bars.Bars {
			bars.Bars[k].Class = -1 // class colours would suggest that a method belongs to a group
		}
		s.Panels = append(s.Panels, bars)
	}
	for k := range e.spec.Bench {
		v := math.NaN()
		if len(right[k]) == e.spec.Draws {
			v = stat.Mean(right[k], nil)
		}
		s.Meters = append(s.Meters, share(v))
	}
	lacks := e.lacks(m)
	s.Enabled = []bool{lacks == "" && m.draws < e.spec.Draws, len(m.dots) > 0}
	if m.drawing {
		s.Tick = 1
	}
	s.Error = strings.Join(failures, " ")
	switch {
	case lacks != "":
		s.Note = strings.ToUpper(lacks[:1]) + lacks[1:]
	case m.draws == 0:
		s.Note = fmt.Sprintf("Not tested yet: press “%s”", buttonDraws(e.spec.Draws))
	default:
		s.Note = fmt.Sprintf("After %d of %s", m.draws, nouns.Count(e.spec.Draws, "draw"))
	}
	s.Status = s.Note
	return s, nil
}

func (e *easel) canvas(m *easelMoves) Panel {
	at, of := make([]float64, 0, 2*len(m.dots)), make([]int, len(m.dots))
	for i, d := range m.dots {
		at, of[i] = append(at, d.position[0], d.position[1]), d.class
	}
	return Panel{Title: "your painting", View: View{X0: -1, X1: 1, Y0: -1, Y1: 1, Square: true}, Samples: &Samples{At: pack(at), Of: of}}
}

// labelled returns the painting with the number of features set by the dial, and with the labels of
// one draw.
func (e *easel) labelled(m *easelMoves, draw uint64) (*labelled, error) {
	features, noise := 2, 0.0
	if len(e.spec.Features) > 0 {
		if features = int(e.spec.Features[m.features]); features > 2 {
			noise = e.spec.Noise
		}
	}
	r := generator(1)
	x, truth := mat.NewDense(len(m.dots), features, nil), make([]int, len(m.dots))
	for i, d := range m.dots {
		truth[i] = d.class
		row := x.RawRowView(i)
		copy(row, d.position[:])
		for j := range row {
			row[j] += noise * r.NormFloat64()
		}
	}
	d := (&data.Data{Name: "painting", X: x, Truth: truth, ClassNames: e.legend.Names}).KeepLabels(e.spec.Labels).Seed(draw)
	if err := d.Err(); err != nil {
		return nil, err
	}
	return &labelled{d: d, truth: truth, labels: slices.Clone(d.Labels)}, nil
}

// key returns the cache key of the result of a method for one draw of labels.
func (m *easelMoves) key(method, draw int) string {
	raw := make([]byte, 0, 17*len(m.dots))
	for _, d := range m.dots {
		for _, v := range d.position {
			raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
		}
		raw = append(raw, byte(d.class))
	}
	return fmt.Sprintf("%x %d %d %d", sha256.Sum256(raw), m.features, method, draw)
}
