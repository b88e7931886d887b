package stage

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// BandSpec describes a stage in which a Gaussian process predicts a hidden curve over one feature
// x. It shows measurements, the predicted mean and a band of ±2 standard deviations.
type BandSpec struct {
	// Seed is the seed of the hidden curve, see recipes.Curve.
	Seed uint64 `json:"seed"`
	// At contains the x values of the initial measurements.
	At []float64 `json:"at,omitempty"`
	// Jump is the place at which the hidden curve jumps by JumpHeight.
	Jump       float64 `json:"jump,omitempty"`
	JumpHeight float64 `json:"jumpHeight,omitempty"`
	// Length is the length scale of the model. Noise is the standard deviation of the noise, in the
	// model and in the measurements.
	Length float64 `json:"length"`
	Noise  float64 `json:"noise"`
	// Lengths contains the values of the dial for the length scale. Repeats contains the values of
	// a dial for the number of measurements at RepeatAt.
	Lengths  []float64 `json:"lengths,omitempty"`
	Repeats  []int     `json:"repeats,omitempty"`
	RepeatAt float64   `json:"repeatAt,omitempty"`
	// Open always shows the hidden curve. Otherwise, a switch shows it.
	Open bool `json:"open,omitempty"`
	// Questions is the number of measurements that the reader chooses. Afterwards the page chooses
	// the same number of measurements. If Questions is 0, the reader chooses any number of
	// measurements, and the page chooses none.
	Questions int      `json:"questions,omitempty"`
	Meters    []string `json:"meters,omitempty"`
}

// Meters of a band.
const (
	MeterAmong     = "half-width among the points"
	MeterGap       = "half-width in the gap"
	MeterFar       = "half-width far away"
	MeterNext      = "half-width of the next measurement"
	MeterHere      = "half-width of the curve there"
	MeterInside    = "inside the band in the gap"
	MeterNearJump  = "inside near the jump"
	MeterYourError = "your error"
	MeterPageError = "error of the page"
)

var bandMeters = []Meter{
	{Name: MeterAmong, Doc: "twice the standard deviation, at x = 1.75"},
	{Name: MeterGap, Doc: "twice the standard deviation, at x = 5"},
	{Name: MeterFar, Doc: "twice the standard deviation, three units beyond the right end"},
	{Name: MeterHere, Doc: "twice the standard deviation at the place of the repeated measurements"},
	{Name: MeterNext, Doc: "twice the standard deviation of one more measurement at the place of the repeated ones"},
	{Name: MeterInside, Doc: "share of the hidden curve from x = 3.5 to 6.5 that is inside the band", Unit: "%"},
	{Name: MeterNearJump, Doc: "within one unit of the jump, share of the hidden curve that is inside the band", Unit: "%"},
	{Name: MeterYourError, Doc: "root mean square distance of your line from the hidden curve"},
	{Name: MeterPageError, Doc: "root mean square distance of the page's line from the hidden curve; the page measures where its band is widest"},
}

const (
	bandEnd       = 10.0 // upper end of x; the lower end is 0
	bandSteps     = 200
	maxMeasured   = 60
	dialLength    = "length"
	dialRepeats   = "measurements there"
	dialHidden    = "hidden curve"
	buttonPage    = "the page asks"
	buttonNothing = "no points"
)

type bandMoves struct {
	x, y            []float64 // measurements
	length, repeats int       // positions of the dials
	open            int       // 1 if the hidden curve is shown
	page            bool      // the page has made its measurements
}

func (m bandMoves) Clone() bandMoves {
	m.x, m.y = slices.Clone(m.x), slices.Clone(m.y)
	return m
}

type band struct {
	spec  BandSpec
	title string
	curve func(float64) float64
	noise []float64 // standard normal; noise of measurement k is Noise·noise[k]
	moving[bandMoves]
}

func openBand(s BandSpec, title string) (*band, error) {
	bad := func(v float64, lo, hi float64) bool { return !(v >= lo && v <= hi) }
	switch {
	case len(s.At) > maxMeasured || len(s.Lengths) > maxValues || len(s.Repeats) > maxValues || len(s.Meters) > len(bandMeters):
		return nil, fmt.Errorf("%d points, %d lengths, %d repeats or %d meters are too many for a band; give at most %d points, %d lengths, %d repeats and %d meters",
			len(s.At), len(s.Lengths), len(s.Repeats), len(s.Meters), maxMeasured, maxValues, maxValues, len(bandMeters))
	case bad(s.RepeatAt, 0, bandEnd):
		return nil, fmt.Errorf("the place %v of repeated measurements is out of range; give 0 to %v", s.RepeatAt, bandEnd)
	case s.Questions < 0 || s.Questions > maxMeasured || bad(s.Jump, 0, bandEnd) || bad(s.JumpHeight, -10, 10):
		return nil, fmt.Errorf("the number of questions %d, the jump height %v or the jump position %v is out of range; give 0 to %d questions, a height of −10 to 10 and a position of 0 to %v", s.Questions, s.JumpHeight, s.Jump, maxMeasured, bandEnd)
	case bad(s.Noise, 0, 2):
		return nil, fmt.Errorf("the noise %v is out of range; give 0 to 2", s.Noise)
	}
	for _, l := range append([]float64{s.Length}, s.Lengths...) {
		if bad(l, 0.05, 20) {
			return nil, fmt.Errorf("the length %v is out of range; give 0.05 to 20", l)
		}
	}
	if len(s.Lengths) > 0 && !slices.Contains(s.Lengths, s.Length) {
		return nil, fmt.Errorf("the initial length %v is not a value of the slider; give one of %v", s.Length, s.Lengths)
	}
	for _, r := range s.Repeats {
		if r < 0 || r > 200 {
			return nil, fmt.Errorf("the number of measurements at one place is %d, out of range; give 0 to 200", r)
		}
	}
	for _, x := range s.At {
		if bad(x, 0, bandEnd) {
			return nil, fmt.Errorf("the place %v of a measurement is out of range; give 0 to %v", x, bandEnd)
		}
	}
	for _, m := range s.Meters {
		if !slices.ContainsFunc(bandMeters, func(b Meter) bool { return b.Name == m }) {
			return nil, fmt.Errorf("a band has no meter %.40q; give one that BandBuilder.Meters lists", m)
		}
	}
	b := &band{spec: s, title: title}
	smooth := recipes.Curve(s.Seed)
	b.curve = func(x float64) float64 {
		if s.JumpHeight != 0 && x > s.Jump {
			return smooth(x) + s.JumpHeight
		}
		return smooth(x)
	}
	r := generator(s.Seed + 1)
	for range 4 * maxMeasured {
		b.noise = append(b.noise, r.NormFloat64())
	}
	first := bandMoves{length: max(0, slices.Index(s.Lengths, s.Length))}
	if s.Open {
		first.open = 1
	}
	for _, x := range s.At {
		b.measure(&first, x)
	}
	b.begin(first, b.apply, b.see)
	return b, nil
}

// measure adds a measurement of the curve at x.
func (b *band) measure(m *bandMoves, x float64) {
	m.y = append(m.y, b.curve(x)+b.spec.Noise*b.noise[len(m.x)])
	m.x = append(m.x, x)
}

func (b *band) Setup() Setup {
	s := Setup{Title: b.title, Names: []string{"you", "page"}, Colors: []string{"#0072b2", "#d55e00"}, Symbols: []string{"circle", "triangle"},
		Hands: []Hand{HandPoint, HandDrag, HandDrop}}
	if b.spec.Questions > 0 {
		s.Hands = []Hand{HandPoint}
		s.Buttons = []Button{{Name: buttonPage, Doc: "lets the page make as many measurements as you made"}}
	} else {
		s.Buttons = []Button{{Name: buttonNothing, Doc: "removes all points"}}
	}
	for _, d := range b.dials() {
		s.Dials = append(s.Dials, d.Dial)
	}
	for _, name := range b.spec.Meters {
		s.Meters = append(s.Meters, bandMeters[slices.IndexFunc(bandMeters, func(m Meter) bool { return m.Name == name })])
	}
	return s
}

// bandDial is a dial, with a function that returns a pointer to its position in the moves.
type bandDial struct {
	Dial
	position func(*bandMoves) *int
}

// dials returns the dials. If Questions is not 0, there is no dial for the hidden curve, which
// appears when the page makes its measurements.
func (b *band) dials() (all []bandDial) {
	if len(b.spec.Lengths) > 0 {
		d := Dial{Name: dialLength, Doc: "length scale of the model: how smooth it assumes the curve to be", Slider: true}
		for _, l := range b.spec.Lengths {
			d.Values = append(d.Values, fmt.Sprint(l))
		}
		all = append(all, bandDial{d, func(m *bandMoves) *int { return &m.length }})
	}
	if len(b.spec.Repeats) > 0 {
		d := Dial{Name: dialRepeats, Slider: true}
		for _, r := range b.spec.Repeats {
			d.Values = append(d.Values, fmt.Sprint(r))
		}
		all = append(all, bandDial{d, func(m *bandMoves) *int { return &m.repeats }})
	}
	if !b.spec.Open && b.spec.Questions == 0 {
		all = append(all, bandDial{Dial{Name: dialHidden, Values: []string{"hidden", "shown"}}, func(m *bandMoves) *int { return &m.open }})
	}
	return all
}

func (b *band) apply(m *bandMoves, a Action) error {
	switch a.Kind {
	case "dial":
		dials := b.dials()
		k := slices.IndexFunc(dials, func(d bandDial) bool { return d.Name == a.Name })
		if k < 0 || a.Index < 0 || a.Index >= len(dials[k].Values) {
			return fmt.Errorf("the dial %.40q has no position %d", a.Name, a.Index)
		}
		*dials[k].position(m) = a.Index
	case string(HandPoint):
		switch n := len(m.x); {
		case b.spec.Questions > 0 && n >= b.spec.Questions:
			if m.page {
				return fmt.Errorf("you have asked %s; reset to begin again", allOf(n, "question"))
			}
			return fmt.Errorf("you have asked %s; press “the page asks”", allOf(n, "question"))
		case n >= maxMeasured:
			return fmt.Errorf("%d measurements are the maximum; remove one first", n)
		case !(a.At[0] >= 0 && a.At[0] <= bandEnd):
			return fmt.Errorf("the place %v of a measurement is not between 0 and %v", a.At[0], bandEnd)
		}
		b.measure(m, a.At[0])
	case string(HandDrag):
		if a.Index < 0 || a.Index >= len(m.x) || b.spec.Questions > 0 {
			return fmt.Errorf("there is no point %d to drag", a.Index)
		}
		m.x[a.Index], m.y[a.Index] = min(max(a.At[0], 0), bandEnd), min(max(a.At[1], -10), 10)
	case string(HandDrop):
		if a.Index < 0 || a.Index >= len(m.x) || b.spec.Questions > 0 {
			return fmt.Errorf("there is no point %d to remove", a.Index)
		}
		m.x, m.y = slices.Delete(m.x, a.Index, a.Index+1), slices.Delete(m.y, a.Index, a.Index+1)
	case "press":
		switch a.Name {
		case buttonPage:
			m.page, m.open = true, 1
		case buttonNothing:
			m.x, m.y = nil, nil
		}
	}
	return nil
}

func (b *band) length(m *bandMoves) float64 {
	if len(b.spec.Lengths) > 0 {
		return b.spec.Lengths[m.length]
	}
	return b.spec.Length
}

// asked returns n measurements chosen by the page, and the process conditioned on all of them. The
// page always measures where the band, given the earlier measurements, is widest.
func (b *band) asked(n int, length float64) (*bandMoves, *Process, error) {
	m := &bandMoves{}
	for range n {
		p, err := NewProcess(m.x, m.y, length, b.spec.Noise)
		if err != nil {
			return nil, nil, err
		}
		widest, at := -1.0, 0.0
		for k := range bandSteps + 1 {
			x := bandEnd * float64(k) / bandSteps
			// In a tie, the place nearest to the middle is chosen.
			if _, sd := p.At(x); sd > widest+1e-9 || sd > widest-1e-9 && math.Abs(x-bandEnd/2) < math.Abs(at-bandEnd/2) {
				widest, at = max(sd, widest), x
			}
		}
		b.measure(m, at)
	}
	p, err := NewProcess(m.x, m.y, length, b.spec.Noise)
	return m, p, err
}

func (b *band) see(_ context.Context, m *bandMoves) (*State, error) {
	x, y := slices.Clone(m.x), slices.Clone(m.y)
	if len(b.spec.Repeats) > 0 {
		for k := range b.spec.Repeats[m.repeats] {
			x, y = append(x, b.spec.RepeatAt), append(y, b.curve(b.spec.RepeatAt)+b.spec.Noise*b.noise[k])
		}
	}
	p, err := NewProcess(x, y, b.length(m), b.spec.Noise)
	if err != nil {
		return nil, err
	}
	s := &State{}
	for _, d := range b.dials() {
		s.Dials = append(s.Dials, *d.position(m))
	}
	panel := Panel{Title: "measurements", View: View{X0: 0, X1: bandEnd, Y0: -3.5, Y1: 3.5, Axes: true, X: "x"}}
	if b.spec.JumpHeight != 0 {
		panel.View.Y0, panel.View.Y1 = -5, 5
	}
	panel.Lines = append(panel.Lines, drawnBand(p, 0)...)
	var other *Process
	var others *bandMoves
	if b.spec.Questions > 0 && m.page {
		if others, other, err = b.asked(b.spec.Questions, b.length(m)); err != nil {
			return nil, err
		}
		panel.Lines = append(panel.Lines, drawnBand(other, 1)...)
	}
	if m.open > 0 {
		hidden := Line{Name: "hidden curve", Kind: Truth, Class: -1}
		for k := range bandSteps + 1 {
			at := bandEnd * float64(k) / bandSteps
			hidden.At = append(hidden.At, [2]float64{at, b.curve(at)})
		}
		panel.Lines = append(panel.Lines, hidden)
	}
	for k := range m.x {
		panel.Marks = append(panel.Marks, Mark{At: [2]float64{m.x[k], m.y[k]}, Index: k, Class: 0})
	}
	if others != nil {
		for k := range others.x {
			panel.Marks = append(panel.Marks, Mark{At: [2]float64{others.x[k], others.y[k]}, Index: -1, Class: 1, Text: "page"})
		}
	}
	if len(b.spec.Repeats) > 0 {
		for k := len(m.x); k < len(x) && k < len(m.x)+64; k++ {
			panel.Marks = append(panel.Marks, Mark{At: [2]float64{x[k], y[k]}, Index: -1, Class: 0, Text: "·"})
		}
	}
	s.Panels = []Panel{panel}
	if b.spec.Questions > 0 {
		s.Enabled = []bool{len(m.x) == b.spec.Questions && !m.page}
		s.Note = fmt.Sprintf("%d of %s asked", len(m.x), nouns.Count(b.spec.Questions, "question"))
	} else {
		s.Enabled = []bool{len(m.x) > 0}
		s.Note = nouns.Count(len(x), "measurement")
	}
	for _, name := range b.spec.Meters {
		s.Meters = append(s.Meters, b.read(name, p, other, m))
	}
	return s, nil
}

// drawnBand returns the band of ±2 standard deviations, and the line of the predicted mean.
func drawnBand(p *Process, class int) []Line {
	band, line := Line{Class: class}, Line{Class: class}
	for k := range bandSteps + 1 {
		x := bandEnd * float64(k) / bandSteps
		mean, sd := p.At(x)
		band.At, band.Low = append(band.At, [2]float64{x, mean + 2*sd}), append(band.Low, mean-2*sd)
		line.At = append(line.At, [2]float64{x, mean})
	}
	return []Line{band, line}
}

// read returns the value of a meter. The process p is conditioned on the measurements of the
// reader, and the process other on those of the page. other is nil before the page has measured.
func (b *band) read(name string, p, other *Process, m *bandMoves) Reading {
	half := func(x float64) float64 {
		_, sd := p.At(x)
		return 2 * sd
	}
	switch name {
	case MeterAmong:
		return number(half(1.75), 2)
	case MeterGap:
		return number(half(5), 2)
	case MeterFar:
		return number(half(bandEnd+3), 2)
	case MeterHere:
		return number(half(b.spec.RepeatAt), 3)
	case MeterNext:
		h := half(b.spec.RepeatAt) / 2
		return number(2*math.Sqrt(h*h+b.spec.Noise*b.spec.Noise), 3)
	case MeterInside:
		return share(b.inside(p, 3.5, 6.5))
	case MeterNearJump:
		return share(b.inside(p, max(0, b.spec.Jump-1), min(bandEnd, b.spec.Jump+1)))
	case MeterYourError:
		if b.spec.Questions > 0 && len(m.x) < b.spec.Questions {
			return Reading{Text: "–"}
		}
		return number(b.error(p), 2)
	case MeterPageError:
		if other != nil {
			return number(b.error(other), 2)
		}
	}
	return Reading{Text: "–"}
}

// inside returns the share of the interval [from, to] on which the hidden curve lies within the
// band.
func (b *band) inside(p *Process, from, to float64) float64 {
	in := 0
	for k := range bandSteps + 1 {
		x := from + (to-from)*float64(k)/bandSteps
		if mean, sd := p.At(x); math.Abs(b.curve(x)-mean) <= 2*sd {
			in++
		}
	}
	return float64(in) / (bandSteps + 1)
}

// error returns the root mean square distance of the predicted mean from the hidden curve.
func (b *band) error(p *Process) float64 {
	sum := 0.0
	for k := range bandSteps + 1 {
		x := bandEnd * float64(k) / bandSteps
		mean, _ := p.At(x)
		sum += (b.curve(x) - mean) * (b.curve(x) - mean)
	}
	return math.Sqrt(sum / (bandSteps + 1))
}
