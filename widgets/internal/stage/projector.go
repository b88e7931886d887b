package stage

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// ProjectorSpec describes three-dimensional point clouds that the reader rotates. A single cloud is
// shown beside its shadow, the projection along the line of sight. For several clouds, only the
// shadows are shown.
type ProjectorSpec struct {
	Sources []Source `json:"sources"`
	Titles  []string `json:"titles,omitempty"`
	// Turned contains the initial angles in degrees: about the vertical, then about the horizontal
	// axis.
	Turned [2]float64 `json:"turned"`
	// Hidden hides the groups until the reader shows their colours.
	Hidden bool `json:"hidden,omitempty"`
	// Widest adds buttons that rotate to the widest shadow (PCA), and to the widest one found by
	// the reader.
	Widest bool     `json:"widest,omitempty"`
	Meters []string `json:"meters,omitempty"`
	// Named lists rotations that the text can link to, as angles in degrees.
	Named []NamedTurn `json:"named,omitempty"`
}

// NamedTurn is a rotation. Its name becomes a link in the text of a beat.
type NamedTurn struct {
	Name   string     `json:"name"`
	Turned [2]float64 `json:"turned"`
}

// meterMine is a meter with the spread kept by the widest shadow that the reader has found.
const meterMine = "my widest"

var projectorMeters = []string{MeterSpread, MeterSame, MeterKept, meterMine}

const (
	maxClouds  = 3
	dialColors = "colours"

	buttonWidest = "widest"
	buttonMine   = "mine"
)

// cloud contains three-dimensional samples, centred at their mean.
type cloud struct {
	title  string
	x      *mat.Dense
	class  []int   // index of each sample's class in the legend
	reach  float64 // largest distance of a sample from the mean, over all clouds
	widest turned  // rotation that shows the widest shadow
}

type projectorMoves struct {
	turns []turned // rotation of each cloud
	open  bool     // colours are shown
	mine  turned   // rotation that shows the widest shadow found by the reader
	best  float64  // spread kept by this shadow
}

func (m projectorMoves) Clone() projectorMoves {
	m.turns = slices.Clone(m.turns)
	return m
}

type projector struct {
	spec   ProjectorSpec
	title  string
	clouds []*cloud
	legend look.Legend
	moving[projectorMoves]
}

func openProjector(s ProjectorSpec, title string, d *data.Data) (*projector, error) {
	switch {
	case len(s.Sources) < 1 || len(s.Sources) > maxClouds:
		return nil, fmt.Errorf("a projector cannot have %d clouds; give 1 to %d", len(s.Sources), maxClouds)
	case len(s.Named) > maxNamed || len(s.Titles) > maxClouds:
		return nil, fmt.Errorf("%d named turns or %d titles are too many; give at most %d and %d", len(s.Named), len(s.Titles), maxNamed, maxClouds)
	case s.Widest && len(s.Sources) > 1:
		return nil, fmt.Errorf("there are %d clouds, but Widest needs a single one; leave out Widest", len(s.Sources))
	}
	turns := [][2]float64{s.Turned}
	for _, n := range s.Named {
		turns = append(turns, n.Turned)
	}
	for _, t := range turns {
		if !(math.Abs(t[0]) <= 360 && math.Abs(t[1]) <= 360) {
			return nil, fmt.Errorf("a turn by %v degrees is out of range; give −360 to 360", t)
		}
	}
	for _, m := range s.Meters {
		if !slices.Contains(projectorMeters, m) {
			return nil, fmt.Errorf("a projector has no meter %.40q; give one of %s", m, strings.Join(projectorMeters, ", "))
		}
	}
	p := &projector{spec: s, title: title}
	first := projectorMoves{open: !s.Hidden}
	for k, source := range s.Sources {
		own, err := source.open(d)
		if err != nil {
			return nil, err
		}
		c, legend, err := cloudOf(own)
		if err != nil {
			return nil, err
		}
		c.title = own.Name
		if k < len(s.Titles) {
			c.title = s.Titles[k]
		}
		p.clouds = append(p.clouds, c)
		if k == 0 {
			p.legend = legend
		}
		first.turns = append(first.turns, turnedBy(s.Turned))
	}
	reach := 0.0 // common to all clouds, so that their shadows have the same scale
	for _, c := range p.clouds {
		reach = max(reach, c.reach)
	}
	for _, c := range p.clouds {
		c.reach = reach
	}
	first.mine, first.best = first.turns[0], p.clouds[0].spread(first.turns[0])
	p.begin(first, p.apply, p.see)
	return p, nil
}

// cloudOf centres the samples and computes their widest shadow.
func cloudOf(d *data.Data) (*cloud, look.Legend, error) {
	var legend look.Legend
	n, dim := d.Len(), d.Dim()
	if d.X == nil || dim != 3 || n < 3 || n > maxBenched {
		return nil, legend, fmt.Errorf("%s with %s cannot be rotated; give 3 to %d samples with 3 dense features", nouns.Count(n, "sample"), nouns.Count(dim, "feature"), maxBenched)
	}
	legend = look.ClassesOf(d, n).Legend()
	c := &cloud{x: mat.DenseCopyOf(d.X), class: legend.Of}
	for j := range 3 {
		// The mean of the differences from the first sample is exactly 0 if all samples are equal.
		first, mean := d.X.At(0, j), 0.0
		for i := range n {
			mean += (d.X.At(i, j) - first) / float64(n)
		}
		for i := range n {
			c.x.Set(i, j, d.X.At(i, j)-first-mean)
		}
	}
	for i := range n {
		c.reach = max(c.reach, mat.Norm(c.x.RowView(i), 2))
	}
	if c.reach == 0 {
		return nil, legend, fmt.Errorf("all %d samples are equal; give samples that differ", n)
	}
	scatter := mat.NewSymDense(3, nil)
	scatter.SymOuterK(1, c.x.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(scatter, true) {
		return nil, legend, fmt.Errorf("the widest shadow was not found")
	}
	var v mat.Dense
	eigen.VectorsTo(&v) // eigenvalues ascend
	for k := range 2 {
		for j := range 3 {
			c.widest[k][j] = v.At(j, 2-k)
		}
		if largest(c.widest[k]) < 0 { // the sign must not depend on the processor
			for j := range 3 {
				c.widest[k][j] = -c.widest[k][j]
			}
		}
	}
	c.widest = c.widest.straight()
	return c, legend, nil
}

// largest returns the entry of largest magnitude.
func largest(v [3]float64) float64 {
	most := v[0]
	for _, w := range v[1:] {
		if math.Abs(w) > math.Abs(most)+1e-9 {
			most = w
		}
	}
	return most
}

// seen returns the coordinates of the samples along the axes of a rotation, n×3.
func (c *cloud) seen(t turned) *mat.Dense {
	axes := mat.NewDense(3, 3, slices.Concat(t[0][:], t[1][:], t[2][:]))
	var y mat.Dense
	y.Mul(c.x, axes.T())
	return &y
}

// shadow returns the projection along the line of sight, n×2.
func (c *cloud) shadow(t turned) *mat.Dense {
	y := c.seen(t)
	n, _ := y.Dims()
	return y.Slice(0, n, 0, 2).(*mat.Dense)
}

func (c *cloud) spread(t turned) float64 { return spreadKept(c.x, c.shadow(t)) }

func (p *projector) Setup() Setup {
	s := Setup{Title: p.title, Names: p.legend.Names, Colors: p.legend.Colors, Symbols: p.legend.Symbols, Hands: []Hand{HandTurn}}
	if p.spec.Hidden {
		s.Dials = []Dial{{Name: dialColors, Doc: "whether the groups have colours", Values: []string{"hidden", "shown"}}}
	}
	if p.spec.Widest {
		s.Buttons = []Button{{Name: buttonWidest, Doc: "turns to the plane of PCA"}, {Name: buttonMine, Doc: "turns to your widest shadow"}}
	}
	for _, n := range p.spec.Named {
		s.Named = append(s.Named, Named{Name: n.Name, Dials: slices.Repeat([]int{-1}, len(s.Dials))})
	}
	for _, name := range p.spec.Meters {
		m := Meter{Name: name, Doc: "the largest share of the spread that you have found", Unit: "%"}
		if known, ok := benchMeters[name]; ok {
			m.Doc, m.Unit = known.Doc, known.Unit
		}
		s.Meters = append(s.Meters, m)
	}
	return s
}

func (p *projector) apply(m *projectorMoves, a Action) error {
	switch a.Kind {
	case "dial":
		if a.Name != dialColors || !p.spec.Hidden || a.Index < 0 || a.Index > 1 {
			return fmt.Errorf("the dial %.40q has no position %d", a.Name, a.Index)
		}
		m.open = a.Index == 1
	case "named":
		if a.Index < 0 || a.Index >= len(p.spec.Named) {
			return fmt.Errorf("there is no turn %d", a.Index)
		}
		for k := range m.turns {
			m.turns[k] = turnedBy(p.spec.Named[a.Index].Turned)
		}
	case string(HandTurn):
		k := p.cloudAt(a.Panel)
		if k < 0 {
			return fmt.Errorf("panel %d shows no point cloud that can be rotated", a.Panel)
		}
		m.turns[k] = m.turns[k].dragged(a.By)
		if kept := p.clouds[k].spread(m.turns[k]); k == 0 && kept > m.best {
			m.mine, m.best = m.turns[k], kept
		}
	case "press":
		switch a.Name {
		case buttonWidest:
			m.turns[0] = p.clouds[0].widest
		case buttonMine:
			m.turns[0] = m.mine
		}
	}
	return nil
}

func (p *projector) cloudAt(panel int) int {
	switch {
	case panel < 0:
		return -1
	case len(p.clouds) == 1 && panel < 2:
		return 0
	case len(p.clouds) > 1 && panel < len(p.clouds):
		return panel
	}
	return -1
}

// slant defines the oblique view: a unit step towards the reader is drawn as slant units to the
// right and slant units upwards.
const slant = 0.35

func (p *projector) see(_ context.Context, m *projectorMoves) (*State, error) {
	s := &State{}
	if p.spec.Hidden {
		s.Dials = []int{0}
		if m.open {
			s.Dials[0] = 1
		}
	}
	for k, c := range p.clouds {
		if len(p.clouds) == 1 {
			s.Panels = append(s.Panels, p.slanted(c, m))
		}
		title := c.title
		if len(p.clouds) == 1 {
			title = "shadow"
		}
		y := c.shadow(m.turns[k])
		s.Panels = append(s.Panels, Panel{Title: title, View: c.view(1.05), Samples: &Samples{At: pack(spots(y)), Of: p.colours(c, m)}})
	}
	c := p.clouds[0]
	y := c.shadow(m.turns[0])
	var told []string
	for _, name := range p.spec.Meters {
		var r Reading
		switch name {
		case MeterSpread:
			r = share(spreadKept(c.x, y))
		case MeterSame:
			r = share(sameGroup(y, c.class))
		case MeterKept:
			r = share(keptNeighbors(c.x, y))
		case meterMine:
			r = share(m.best)
		}
		s.Meters = append(s.Meters, r)
		told = append(told, name+" "+r.Text)
	}
	if p.spec.Widest {
		s.Enabled = []bool{true, true}
	}
	s.Note = strings.Join(told, ", ")
	if s.Note == "" {
		s.Note = "Drag a picture, or use the arrow keys, to turn the cloud"
	}
	return s, nil
}

// colours returns the class of each sample for its colour, or −1 (grey) while the groups are
// hidden.
func (p *projector) colours(c *cloud, m *projectorMoves) []int {
	if m.open {
		return c.class
	}
	return slices.Repeat([]int{-1}, len(c.class))
}

// view returns a window around the cloud. The argument room scales its side. If room is 1, the
// window is the smallest that contains the cloud in any rotation.
func (c *cloud) view(room float64) View {
	r := room * c.reach
	return View{X0: -r, X1: r, Y0: -r, Y1: r, Square: true}
}

// slanted returns an oblique view of the cloud with its axes. Distant parts are faint.
func (p *projector) slanted(c *cloud, m *projectorMoves) Panel {
	t := m.turns[0]
	y := c.seen(t)
	n, _ := y.Dims()
	at, looks := make([]float64, 0, 2*n), make([]byte, n)
	for i := range n {
		depth := y.At(i, 2)
		at = append(at, y.At(i, 0)+slant*depth, y.At(i, 1)+slant*depth)
		if looks[i] = '.'; depth < -0.2*c.reach {
			looks[i] = 'f'
		}
	}
	panel := Panel{Title: "cloud", View: c.view(1.4), Samples: &Samples{At: pack(at), Of: p.colours(c, m), Looks: string(looks)}}
	for j := range 3 {
		tip := [2]float64{c.reach * (t[0][j] + slant*t[2][j]), c.reach * (t[1][j] + slant*t[2][j])}
		panel.Lines = append(panel.Lines, Line{At: [][2]float64{{0, 0}, tip}, Kind: Tangent, Class: -1, Arrow: true})
	}
	return panel
}
