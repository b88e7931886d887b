package stage

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// MapSpec describes a fitted Gaussian process latent variable model of pictures. The data of the
// stage contain the pictures that the model was fitted to, followed by new pictures.
type MapSpec struct {
	// Known is the number of pictures that the model was fitted to, called known pictures.
	Known int `json:"known"`
	// At contains the latent position of each picture, including the new pictures.
	At [][2]float64 `json:"at"`
	// Height, Length and Noise are the kernel parameters, see Process. Noise is a variance.
	Height float64 `json:"height"`
	Length float64 `json:"length"`
	Noise  float64 `json:"noise"`
	// Uncentered means that, far from known pictures, the model predicts 0 instead of the mean
	// picture.
	Uncentered bool `json:"uncentered,omitempty"`
	// Classifier is the name of the method that predicted Answers, the classes of the new pictures.
	Classifier string   `json:"classifier,omitempty"`
	Answers    []int    `json:"answers,omitempty"`
	Meters     []string `json:"meters,omitempty"`
}

// Meters of a map. Deviations are predictive standard deviations divided by the prior's.
const (
	MeterDeviation = "deviation here"
	MeterAtKnown   = "deviation at the samples"
	MeterBetween   = "deviation half-way between classes"
	MeterOutside   = "deviation far away"
	MeterRedrawn   = "error of redrawing"
	MeterToldFrom  = "strangers told apart"
	MeterAnswer    = "the classifier says"
)

var mapMeters = []Meter{
	{Name: MeterDeviation, Doc: "standard deviation of the predicted picture: 0 if it is certain, 1 far from all samples"},
	{Name: MeterAtKnown, Doc: "mean deviation at the samples that the model was fitted to"},
	{Name: MeterBetween, Doc: "mean deviation half-way between the means of two classes, over all pairs of classes"},
	{Name: MeterOutside, Doc: "deviation twenty length scales beyond the edge of the map"},
	{Name: MeterRedrawn, Doc: "root mean square difference between a new picture and the picture that the model predicts at its place"},
	{Name: MeterToldFrom, Doc: "how often a stranger has a larger error of redrawing than a new picture of a known class, over all such pairs", Unit: "%"},
	{Name: MeterAnswer, Doc: "the class that the classifier predicts for the new picture"},
}

const (
	maxKnown    = 200  // the cost of a prediction is quadratic in the number of known pictures
	maxShown    = 600  // number of pictures, including new pictures
	maxPixels   = 4096 // pixels per picture
	mapCells    = 48   // cells along a side of the map
	mapFar      = 20   // distance, in length scales, at which the prediction equals the prior
	mapLargest  = 1e6  // bound of positions and kernel parameters
	dialPicture = "show"
	dialWhich   = "which"
	showPlace   = "a place"
)

type mapMoves struct {
	position [2]float64 // place on the map
	kind     int        // 0 shows a place; k > 0 shows new pictures of kinds[k-1]
	picture  int        // index of the shown picture in kinds[k-1].rows
}

func (m mapMoves) Clone() mapMoves { return m }

// newKind is a class of new pictures, with their rows. stranger means that the model was not fitted
// to this class.
type newKind struct {
	class    int
	stranger bool
	rows     []int
}

type pictureMap struct {
	spec    MapSpec
	title   string
	data    *data.Data
	class   []int // class of each picture: its true class if known, and otherwise its label
	legend  look.Legend
	process *Process
	// Mean of the known pictures. If the model is not centred, the pixels that vary are 0 instead.
	mean        []float64
	grey        [2]float64 // values shown as black and as white
	kinds       []newKind
	maxPictures int // maximum number of new pictures of a class
	view        View
	fixed       map[string]Reading // meters that do not depend on the moves
	moving[mapMoves]

	mu   *sync.Mutex
	heat *Heat // computed when it is first shown
}

func openMap(s MapSpec, title string, d *data.Data) (*pictureMap, error) {
	if err := s.check(d); err != nil {
		return nil, err
	}
	p := &pictureMap{spec: s, title: title, data: d, class: classesOf(d), mu: new(sync.Mutex)}
	// Only the classes of these pictures are ranked. They therefore get the first colours, which
	// are legible on all greys.
	p.legend = look.ClassesIn(look.NewRanks(nil, p.class), d, d.Len()).Legend()
	if err := p.condition(); err != nil {
		return nil, err
	}
	if p.sortNew(); len(p.kinds) >= maxValues {
		return nil, fmt.Errorf("the new pictures have %d classes, too many for a menu; give at most %d", len(p.kinds), maxValues-1)
	}
	p.view = p.window()
	p.measure()
	p.begin(mapMoves{position: [2]float64{(p.view.X0 + p.view.X1) / 2, (p.view.Y0 + p.view.Y1) / 2}}, p.apply, p.see)
	return p, nil
}

func (s MapSpec) check(d *data.Data) error {
	if d == nil || d.X == nil {
		return fmt.Errorf("the map has no pictures")
	}
	n, pixels := d.Len(), d.Dim()
	switch im := d.Image; {
	case s.Known < 3 || s.Known > maxKnown || s.Known > n || n > maxShown:
		return fmt.Errorf("a map cannot have %s among %d pictures in total; give 3 to %d known pictures, and at most %d pictures in total", nouns.Count(s.Known, "known picture"), n, maxKnown, maxShown)
	case im.Height < 1 || im.Width < 1 || im.Height > maxPixels || im.Width > maxPixels || im.Height*im.Width != pixels || pixels > maxPixels:
		return fmt.Errorf("%s cannot be a picture of %d×%d pixels; describe one of up to %d pixels with Data.WithImage", nouns.Count(pixels, "feature"), im.Height, im.Width, maxPixels)
	case len(s.At) != n:
		return fmt.Errorf("the map has %s for %s instead of one each", nouns.Count(len(s.At), "position"), nouns.Count(n, "picture"))
	case len(s.Answers) != 0 && len(s.Answers) != n-s.Known:
		return fmt.Errorf("the map has %s for %s instead of one each", nouns.Count(len(s.Answers), "answer"), nouns.Count(n-s.Known, "new picture"))
	}
	for name, v := range map[string]float64{"height": s.Height, "length": s.Length} {
		if !(v >= 1/mapLargest && v <= mapLargest) {
			return fmt.Errorf("the %s %v of a map is out of range; give 1e-06 to 1e+06", name, v)
		}
	}
	if !(s.Noise >= 0 && s.Noise <= mapLargest) {
		return fmt.Errorf("the noise %v of a map is out of range; give 0 to 1e+06", s.Noise)
	}
	for _, at := range s.At {
		if !(math.Abs(at[0]) <= mapLargest && math.Abs(at[1]) <= mapLargest) {
			return fmt.Errorf("the position %v of a picture must lie between −1e+06 and 1e+06", at)
		}
	}
	for _, a := range s.Answers {
		if a < 0 || a > data.MaxLabel {
			return fmt.Errorf("the answer %d is not a class, which must be from 0 to %d", a, data.MaxLabel)
		}
	}
	for k, m := range s.Meters {
		if !slices.ContainsFunc(mapMeters, func(known Meter) bool { return known.Name == m }) || slices.Contains(s.Meters[:k], m) {
			return fmt.Errorf("the meter %.40q of a map is unknown or repeated; give each meter of MapBuilder.Meters at most once", m)
		}
	}
	return nil
}

// condition conditions the process on the known pictures, and finds the range of greys.
func (p *pictureMap) condition() error {
	known, pixels := p.spec.Known, p.data.Dim()
	p.mean = make([]float64, pixels)
	p.grey = [2]float64{math.Inf(1), math.Inf(-1)}
	for j := range pixels {
		pixel := mat.Col(nil, j, p.data.X)[:known]
		lo, hi := floats.Min(pixel), floats.Max(pixel)
		p.grey = [2]float64{min(p.grey[0], lo), max(p.grey[1], hi)}
		if !p.spec.Uncentered || lo == hi { // the model does not change constant features
			p.mean[j] = stat.Mean(pixel, nil)
		}
	}
	if spread := p.grey[1] - p.grey[0]; !(spread > 0) || math.IsInf(spread, 0) {
		return fmt.Errorf("the pixels of the pictures range from %v to %v, which cannot be shown on a grey scale; give pictures with different finite values", p.grey[0], p.grey[1])
	}
	x, y := mat.NewDense(known, 2, nil), mat.NewDense(known, pixels, nil)
	for i := range known {
		x.SetRow(i, p.spec.At[i][:])
		for j, v := range p.data.X.RawRowView(i) {
			y.Set(i, j, v-p.mean[j])
		}
	}
	var err error
	p.process, err = conditioned(x, y, p.spec.Height, p.spec.Length, p.spec.Noise)
	return err
}

// sortNew groups the new pictures by class. The groups of strangers come last.
func (p *pictureMap) sortNew() {
	for i := p.spec.Known; i < p.data.Len(); i++ {
		k := slices.IndexFunc(p.kinds, func(kind newKind) bool { return kind.class == p.class[i] })
		if k < 0 {
			k = len(p.kinds)
			stranger := p.class[i] != data.Unlabelled && !slices.Contains(p.class[:p.spec.Known], p.class[i])
			p.kinds = append(p.kinds, newKind{class: p.class[i], stranger: stranger})
		}
		p.kinds[k].rows = append(p.kinds[k].rows, i)
		p.maxPictures = max(p.maxPictures, len(p.kinds[k].rows))
	}
	slices.SortStableFunc(p.kinds, func(a, b newKind) int {
		switch {
		case a.stranger == b.stranger:
			return a.class - b.class
		case a.stranger:
			return 1
		}
		return -1
	})
}

// window returns the part of the plane that contains the known pictures and a margin. In the
// margin, the deviation grows towards the edge. New pictures may lie outside of the window.
func (p *pictureMap) window() View {
	var at []float64
	for _, q := range p.spec.At[:p.spec.Known] {
		at = append(at, q[0], q[1])
	}
	v := viewAround(at)
	side := max(v.X1-v.X0, v.Y1-v.Y0)
	margin := min(2*p.spec.Length, side/3)
	// The window is a square, so that the cells of the map are squares too.
	x, y, half := (v.X0+v.X1)/2, (v.Y0+v.Y1)/2, side/2+margin
	return View{X0: x - half, X1: x + half, Y0: y - half, Y1: y + half, Square: true}
}

// clamp moves a place outside of the window to the nearest point of its edge.
func (p *pictureMap) clamp(at [2]float64) [2]float64 {
	return [2]float64{min(max(at[0], p.view.X0), p.view.X1), min(max(at[1], p.view.Y0), p.view.Y1)}
}

// expected returns the picture that the model predicts at a place. It also returns the standard
// deviation of the prediction divided by the prior's.
func (p *pictureMap) expected(at [2]float64) (picture []float64, deviation float64) {
	picture, deviation = p.process.predict(at[:])
	for j := range picture {
		picture[j] += p.mean[j]
	}
	return picture, deviation / math.Sqrt(p.spec.Height)
}

// redrawn returns the root mean square error of the reconstruction of picture i.
func (p *pictureMap) redrawn(i int) float64 {
	picture, _ := p.expected(p.spec.At[i])
	sum := 0.0
	for j, v := range p.data.X.RawRowView(i) {
		sum += (v - picture[j]) * (v - picture[j])
	}
	return math.Sqrt(sum / float64(len(picture)))
}

// measure computes the meters that do not depend on the moves.
func (p *pictureMap) measure() {
	known := p.spec.Known
	// middle contains, by class, the sum of x, the sum of y and the number of samples.
	sum, middle := 0.0, map[int][3]float64{}
	for i, c := range p.class[:known] {
		at := p.spec.At[i]
		_, deviation := p.expected(at)
		sum += deviation
		m := middle[c]
		middle[c] = [3]float64{m[0] + at[0], m[1] + at[1], m[2] + 1}
	}
	there := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(p.class[:known]))), func(c int) bool { return c == data.Unlabelled })
	between, pairs := 0.0, 0.0
	for k, a := range there {
		for _, b := range there[:k] {
			one, two := middle[a], middle[b]
			_, deviation := p.expected([2]float64{(one[0]/one[2] + two[0]/two[2]) / 2, (one[1]/one[2] + two[1]/two[2]) / 2})
			between, pairs = between+deviation, pairs+1
		}
	}
	_, far := p.expected([2]float64{p.view.X1 + mapFar*p.spec.Length, (p.view.Y0 + p.view.Y1) / 2})
	p.fixed = map[string]Reading{
		MeterAtKnown: number(sum/float64(known), 2), MeterBetween: number(between/pairs, 2), MeterOutside: number(far, 2),
		MeterToldFrom: share(p.toldApart()),
	}
}

// toldApart returns the area under the ROC curve of the reconstruction error: the share of pairs
// (stranger, new picture of a known class) in which the stranger has the larger error. Ties count
// half. Without pairs, toldApart returns NaN.
func (p *pictureMap) toldApart() float64 {
	var errors [2][]float64
	for _, kind := range p.kinds {
		if kind.class == data.Unlabelled {
			continue
		}
		k := 0
		if kind.stranger {
			k = 1
		}
		for _, i := range kind.rows {
			errors[k] = append(errors[k], p.redrawn(i))
		}
	}
	right := 0.0
	for _, stranger := range errors[1] {
		for _, known := range errors[0] {
			if stranger > known {
				right++
			} else if stranger == known {
				right += 0.5
			}
		}
	}
	return right / float64(len(errors[0])*len(errors[1]))
}

func (p *pictureMap) Setup() Setup {
	s := Setup{Title: p.title, Names: p.legend.Names, Colors: p.legend.Colors, Symbols: p.legend.Symbols, Hands: []Hand{HandLook}}
	if len(p.kinds) > 0 {
		show := Dial{Name: dialPicture, Doc: "a place on the map, or new pictures that the model has not seen", Values: []string{showPlace}}
		for _, kind := range p.kinds {
			show.Values = append(show.Values, p.name(kind))
		}
		which := Dial{Name: dialWhich, Doc: "of the new pictures", Slider: true}
		for k := range p.maxPictures {
			which.Values = append(which.Values, strconv.Itoa(k+1))
		}
		s.Dials = []Dial{show, which}
	}
	for _, name := range p.spec.Meters {
		m := mapMeters[slices.IndexFunc(mapMeters, func(m Meter) bool { return m.Name == name })]
		if name == MeterAnswer && p.spec.Classifier != "" {
			m.Doc = fmt.Sprintf("the class that %.40s predicts for the new picture", p.spec.Classifier)
		}
		s.Meters = append(s.Meters, m)
	}
	return s
}

func (p *pictureMap) name(kind newKind) string {
	if kind.stranger {
		return "stranger " + look.Name(p.data.ClassName(kind.class))
	}
	return "new " + look.Name(p.data.ClassName(kind.class))
}

func (p *pictureMap) apply(m *mapMoves, a Action) error {
	switch a.Kind {
	case "dial":
		switch {
		case a.Name == dialPicture && len(p.kinds) > 0 && a.Index >= 0 && a.Index <= len(p.kinds):
			m.kind = a.Index
		case a.Name == dialWhich && a.Index >= 0 && a.Index < p.maxPictures:
			m.picture = a.Index
		default:
			return fmt.Errorf("the dial %.40q has no position %d", a.Name, a.Index)
		}
	case string(HandLook):
		if math.IsNaN(a.At[0]) || math.IsNaN(a.At[1]) {
			return fmt.Errorf("the place %v is not a number", a.At)
		}
		// Other panels contain no places. A selected new picture stays selected.
		if a.Panel == 0 && m.kind == 0 {
			m.position = p.clamp(a.At)
		}
	default:
		return fmt.Errorf("a map has no action %.40q", a.Kind)
	}
	return nil
}

// drawn returns the map of deviations, from 0 (dark) to 1 (bright).
func (p *pictureMap) drawn(ctx context.Context) (*Heat, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.heat != nil {
		return p.heat, ctx.Err()
	}
	h := &Heat{Width: mapCells, Height: mapCells, Levels: make([]byte, 0, mapCells*mapCells), Smooth: true}
	for r := range mapCells {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		y := p.view.Y1 - (float64(r)+0.5)/mapCells*(p.view.Y1-p.view.Y0)
		for c := range mapCells {
			x := p.view.X0 + (float64(c)+0.5)/mapCells*(p.view.X1-p.view.X0)
			_, deviation := p.expected([2]float64{x, y})
			h.Levels = append(h.Levels, level(deviation))
		}
	}
	p.heat = h
	return h, nil
}

// level converts a number from 0 to 1 to a grey level from 0 to 255.
func level(share float64) byte {
	if !(share > 0) {
		return 0
	}
	return byte(255*min(share, 1) + 0.5)
}

// see shows the map, the picture predicted at a place, and the nearest known picture.
func (p *pictureMap) see(ctx context.Context, m *mapMoves) (*State, error) {
	heat, err := p.drawn(ctx)
	if err != nil {
		return nil, err
	}
	s := &State{}
	at, row := m.position, -1
	if len(p.kinds) > 0 {
		s.Dials = []int{m.kind, m.picture}
	}
	if m.kind > 0 {
		rows := p.kinds[m.kind-1].rows
		which := min(m.picture, len(rows)-1)
		row = rows[which]
		at, s.Dials[1] = p.spec.At[row], which
	}
	nearest := p.nearest(at)
	picture, deviation := p.expected(at)
	s.Panels = []Panel{p.plane(at, row, nearest, heat)}
	if row >= 0 {
		s.Panels = append(s.Panels, p.picture("the new picture", p.data.X.RawRowView(row)), p.picture("redrawn", picture))
	} else {
		s.Panels = append(s.Panels, p.picture("expected here", picture))
	}
	s.Panels = append(s.Panels, p.picture("the nearest sample", p.data.X.RawRowView(nearest)))
	s.Note = fmt.Sprintf("The deviation here is %s, and the class of the nearest sample is %s", number(deviation, 2).Text, look.Name(p.data.ClassName(p.class[nearest])))
	answer := Reading{Text: "–"}
	redrawn := math.NaN()
	if row >= 0 {
		redrawn = p.redrawn(row)
		s.Note = fmt.Sprintf("%s, redrawn with an error of %s. %s", p.name(p.kinds[m.kind-1]), number(redrawn, 2).Text, s.Note)
		if len(p.spec.Answers) > 0 {
			answer.Text = look.Name(p.data.ClassName(p.spec.Answers[row-p.spec.Known]))
		}
	}
	for _, name := range p.spec.Meters {
		r, ok := p.fixed[name]
		switch {
		case ok:
		case name == MeterDeviation:
			r = number(deviation, 2)
		case name == MeterRedrawn:
			r = number(redrawn, 2)
		case name == MeterAnswer:
			r = answer
		}
		s.Meters = append(s.Meters, r)
	}
	return s, nil
}

// nearest returns the row of the known picture whose position is nearest to a place on the map.
func (p *pictureMap) nearest(at [2]float64) int {
	best, least := 0, math.Inf(1)
	for i, q := range p.spec.At[:p.spec.Known] {
		if d := math.Hypot(q[0]-at[0], q[1]-at[1]); d < least {
			best, least = i, d
		}
	}
	return best
}

// plane returns the panel of the map. A cross marks the place, or the nearest point of the edge.
func (p *pictureMap) plane(at [2]float64, row, nearest int, heat *Heat) Panel {
	known := p.spec.Known
	var places []float64
	for _, q := range p.spec.At[:known] {
		places = append(places, q[0], q[1])
	}
	looks := slices.Repeat([]byte{'.'}, known)
	looks[nearest] = 'r'
	text := "here"
	if row >= 0 {
		text = "redrawn from here"
	}
	if edge := p.clamp(at); edge != at {
		at, text = edge, "redrawn from outside"
	}
	arm := 0.025 * (p.view.X1 - p.view.X0)
	return Panel{Title: "dark is known, bright was never seen", View: p.view, Heat: heat,
		Lines: []Line{{At: [][2]float64{{at[0] - arm, at[1]}, {at[0] + arm, at[1]}}, Kind: Way, Class: -1},
			{At: [][2]float64{{at[0], at[1] - arm}, {at[0], at[1] + arm}}, Kind: Way, Class: -1}},
		Samples: &Samples{At: pack(places), Of: slices.Clone(p.legend.Of[:known]), Looks: string(looks)},
		Marks:   []Mark{{At: at, Text: text, Index: -1, Class: -1}}}
}

func (p *pictureMap) picture(title string, values []float64) Panel {
	im := p.data.Image
	h := &Heat{Width: im.Width, Height: im.Height, Levels: make([]byte, 0, len(values))}
	for r := range im.Height {
		for c := range im.Width {
			h.Levels = append(h.Levels, level((values[im.At(r, c)]-p.grey[0])/(p.grey[1]-p.grey[0])))
		}
	}
	return Panel{Title: title, View: View{X1: float64(im.Width), Y1: float64(im.Height), Square: true}, Heat: h}
}
