package interact

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// painting is the stored content of a Painter.
type painting struct {
	Format   int      `json:"format"`
	Revision int      `json:"revision"`
	Classes  []string `json:"classes"`
	Spots    []spot   `json:"spots"`
	Next     int      `json:"next"` // number of the next spot
	Lift     Lift     `json:"lift"`
	Labels   int      `json:"labels"` // number of visible labels per class; 0 for all
	choice
}

// spot is a painted sample: its place in thousandths of half the canvas width (Y upward), its class
// or [data.Unlabelled], and its number, which never changes. The number is the seed of the spot's
// noise, and identifies the spot in the previous embedding, so that neither the noise nor the
// identification depends on other spots.
type spot struct{ X, Y, Class, Number int }

// MarshalJSON writes [x, y, class, number].
func (s spot) MarshalJSON() ([]byte, error) {
	return json.Marshal([]int{s.X, s.Y, s.Class, s.Number})
}

// UnmarshalJSON decodes the output of MarshalJSON.
func (s *spot) UnmarshalJSON(raw []byte) error {
	var v []int
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	if len(v) != 4 {
		return fmt.Errorf("a spot has %s instead of four", nouns.Count(len(v), "number"))
	}
	*s = spot{v[0], v[1], v[2], v[3]}
	return nil
}

// Lift maps the painted plane to a randomly oriented plane in Dims dimensions, and adds Gaussian
// noise to each coordinate, with the standard deviation Noise in units of half the canvas width. If
// Dims is 2, the plane is the canvas itself.
type Lift struct {
	Dims  int     `json:"dims"`
	Noise float64 `json:"noise"`
	Seed  int     `json:"seed"`
}

// Bounds of a painting.
const (
	maxSpots = 2000
	half     = 1000 // half the width of the canvas, in units of spot.X
	maxLift  = 50
	maxNoise = 1
	maxKept  = 100 // visible labels per class

	maxNumber = 1 << 40 // bound of spot.Number; no reader paints that many spots
)

func (l Lift) check() error {
	if l.Dims < 2 || l.Dims > maxLift {
		return fmt.Errorf("dimensions = %d is out of range; choose 2 to %d", l.Dims, maxLift)
	}
	if !(l.Noise >= 0 && l.Noise <= maxNoise) {
		return fmt.Errorf("noise = %v is out of range; choose 0 to %d, in units of half the canvas", l.Noise, maxNoise)
	}
	if l.Seed < 1 || l.Seed > maxSeed {
		return fmt.Errorf("seed = %d is out of range; choose 1 to %d", l.Seed, maxSeed)
	}
	return nil
}

// axes returns two orthonormal vectors that span the painted plane.
func (l Lift) axes() (a, b []float64) {
	a, b = make([]float64, l.Dims), make([]float64, l.Dims)
	if l.Dims == 2 {
		a[0], b[1] = 1, 1
		return a, b
	}
	rng := l.random(-1)
	for k := range a {
		a[k], b[k] = rng.NormFloat64(), rng.NormFloat64()
	}
	unit := func(v []float64) {
		norm := 0.0
		for _, f := range v {
			norm += f * f
		}
		for k := range v {
			v[k] /= math.Sqrt(norm)
		}
	}
	unit(a)
	along := 0.0
	for k := range a {
		along += a[k] * b[k]
	}
	for k := range b {
		b[k] -= along * a[k]
	}
	unit(b)
	return a, b
}

// random returns the random numbers of the spot with the given number.
func (l Lift) random(number int) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(l.Seed), uint64(number)))
}

// lifted maps places in the plane to coordinates without noise. places is n×2, in units of half the
// canvas width, and the result is n×Dims.
func (l Lift) lifted(places [][2]float64) *mat.Dense {
	a, b := l.axes()
	x := mat.NewDense(len(places), l.Dims, nil)
	for i, p := range places {
		row := x.RawRowView(i)
		for k := range row {
			row[k] = p[0]*a[k] + p[1]*b[k]
		}
	}
	return x
}

func (p painting) classes() []int {
	out := make([]int, len(p.Spots))
	for i, s := range p.Spots {
		out[i] = s.Class
	}
	return out
}

// kept returns the labels of the spots, with [data.Unlabelled] for hidden ones. In each class, the
// p.Labels spots with the lowest random ranks keep their labels; 0 means all. The rank depends only
// on the spot's number and the seed.
func (p painting) kept() []int {
	labels := p.classes()
	if p.Labels == 0 {
		return labels
	}
	rank := make([]uint64, len(p.Spots))
	rows := make([][]int, len(p.Classes))
	for i, s := range p.Spots {
		rank[i] = p.Lift.random(s.Number).Uint64()
		if s.Class >= 0 {
			rows[s.Class] = append(rows[s.Class], i)
		}
	}
	for _, of := range rows {
		slices.SortFunc(of, func(i, j int) int {
			return cmp.Compare(rank[i], rank[j])
		})
		for _, i := range of[min(len(of), p.Labels):] {
			labels[i] = data.Unlabelled
		}
	}
	return labels
}

var errBlank = errors.New("nothing is painted")

// data returns the painted samples, lifted and with noise. Truth contains the painted classes, and
// Labels contains the labels that are not hidden.
func (p painting) data(name string) *data.Data {
	if len(p.Spots) == 0 {
		return data.Failed(name, fmt.Errorf("%w: %w under %q", ErrStore, errBlank, name))
	}
	places := make([][2]float64, len(p.Spots))
	for i, s := range p.Spots {
		places[i] = [2]float64{float64(s.X) / half, float64(s.Y) / half}
	}
	x := p.Lift.lifted(places)
	for i, s := range p.Spots {
		rng := p.Lift.random(s.Number)
		rng.Uint64() // skip the first random number, which is the rank in kept
		row := x.RawRowView(i)
		for k := range row {
			row[k] += p.Lift.Noise * rng.NormFloat64()
		}
	}
	d := *data.New(x, p.classes())
	d.Name, d.ClassNames = name, p.Classes
	return d.WithLabels(p.kept())
}

func (p painting) check() error {
	switch {
	case p.Format != storeFormat || !revised(p.Revision):
		return errors.New("the file is damaged or from another version")
	case len(p.Spots) > maxSpots:
		return fmt.Errorf("there are %d spots, but at most %d are allowed", len(p.Spots), maxSpots)
	case len(p.Classes) < 1 || len(p.Classes) > maxClasses:
		return fmt.Errorf("the number of classes is %d, out of range; name 1 to %d with Classes", len(p.Classes), maxClasses)
	case p.Next < 0 || p.Next > maxNumber:
		return fmt.Errorf("the next spot number is %d, which is out of range; it must be 0 to %d", p.Next, maxNumber)
	case p.Labels < 0 || p.Labels > maxKept:
		return fmt.Errorf("the number of labels per class is %d, out of range; keep 1 to %d, or 0 for all", p.Labels, maxKept)
	}
	numbers := map[int]bool{}
	for i, s := range p.Spots {
		if max(s.X, s.Y, -s.X, -s.Y) > half || s.Class < data.Unlabelled || s.Class >= len(p.Classes) || s.Number < 0 || s.Number >= p.Next || numbers[s.Number] {
			return fmt.Errorf("spot %d is not valid: %v", i, s)
		}
		numbers[s.Number] = true
	}
	return p.Lift.check()
}

func parsePainting(raw []byte) (p painting, err error) {
	if err := json.Unmarshal(raw, &p); err != nil {
		return p, errors.New("the file is damaged or not a painting")
	}
	return p, p.check()
}

// Painted returns the data of a stored painting, or data with an error.
func Painted(raw []byte, name string) *data.Data {
	p, err := parsePainting(raw)
	if err != nil {
		return data.Failed(name, fmt.Errorf("%w: %q: %w; choose another name, or paint it again under this name", ErrStore, name, err))
	}
	return p.data(name)
}

// spotsOf returns the samples of data with two features as spots, scaled into the canvas.
func spotsOf(d *data.Data) ([]spot, error) {
	if d.Dim() != 2 {
		return nil, fmt.Errorf("the start of a painting cannot have %s; give data with 2", nouns.Count(d.Dim(), "feature"))
	}
	if d.Len() > maxSpots {
		return nil, fmt.Errorf("the start of a painting cannot have %d samples; give at most %d, for example with Data.Take", d.Len(), maxSpots)
	}
	var middle [2]float64
	most := 0.0
	for k := range middle {
		column := mat.Col(nil, k, d.X)
		lo, hi := slices.Min(column), slices.Max(column)
		middle[k], most = lo/2+hi/2, max(most, hi/2-lo/2)
	}
	spots, classes := make([]spot, d.Len()), look.KnownClasses(d, d.Len())
	for i := range spots {
		at := [2]int{}
		for k := range at {
			if most > 0 {
				at[k] = int(math.Round(0.85 * half * ((d.X.At(i, k) - middle[k]) / most)))
			}
		}
		spots[i] = spot{at[0], at[1], classes[i], i}
	}
	return spots, nil
}

// Starts lists the names of data sets with which a reader can begin a painting.
var Starts = []string{"two moons", "rings", "Gaussians"}

// Start generates the data set with a name in Starts. It has two features, and 80 samples per
// class.
func Start(name string, seed int) (*data.Data, error) {
	const n = 80 // samples per class
	rng := rand.New(rand.NewPCG(uint64(seed), 22))
	var rows []float64
	var labels []int
	add := func(class int, x, y, noise float64) {
		rows = append(rows, x+noise*rng.NormFloat64(), y+noise*rng.NormFloat64())
		labels = append(labels, class)
	}
	for i := range n {
		u := (float64(i) + 0.5) / n
		switch name {
		case "two moons":
			c, s := math.Cos(math.Pi*u), math.Sin(math.Pi*u)
			add(0, c-0.5, s-0.25, 0.08)
			add(1, 0.5-c, 0.25-s, 0.08)
		case "rings":
			for k := range 3 {
				r := 0.15 + 0.4*float64(k)
				add(k, r*math.Cos(2*math.Pi*u), r*math.Sin(2*math.Pi*u), 0.04)
			}
		case "Gaussians":
			for k := range 3 {
				angle := math.Pi/2 + 2*math.Pi*float64(k)/3
				add(k, math.Cos(angle), math.Sin(angle), 0.35)
			}
		default:
			return nil, fmt.Errorf("%w: there is no start %.40q; choose from %q", errMessage, name, Starts)
		}
	}
	d := *data.New(mat.NewDense(len(labels), 2, rows), labels)
	d.Name, d.ClassNames = name, []string{"class 0", "class 1", "class 2"}
	return &d, nil
}
