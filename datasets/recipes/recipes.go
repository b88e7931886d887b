// Package recipes generates the toy data of the lessons. A name, a seed and a few parameters
// determine the same samples on every machine, so that a page need not contain them.
package recipes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
)

// Recipe names a generator of data, its seed and its parameters. The map With sets parameters by
// name. All other parameters have their defaults.
type Recipe struct {
	Name string             `json:"name"`
	Seed uint64             `json:"seed"`
	With map[string]float64 `json:"with,omitempty"`
}

// Parameter is a numeric parameter of a recipe, from Low to High. Usual is its default. If Integral
// is true, only whole numbers are allowed.
type Parameter struct {
	Name     string
	Doc      string
	Low      float64
	High     float64
	Usual    float64
	Integral bool
}

// Info describes a recipe and its parameters.
type Info struct {
	Name       string
	Doc        string
	Parameters []Parameter
	make       func(r *rand.Rand, seed uint64, p map[string]float64) *data.Data
}

// All returns the recipes in the order of their names.
func All() []Info {
	all := slices.Clone(book)
	slices.SortFunc(all, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Find returns the recipe with the given name, or false if there is none.
func Find(name string) (Info, bool) {
	k := slices.IndexFunc(book, func(i Info) bool { return i.Name == name })
	if k < 0 {
		return Info{}, false
	}
	return book[k], true
}

// Data generates the data. If the recipe is unknown or a parameter is out of range, the data
// contain an error.
func (r Recipe) Data() *data.Data {
	info, ok := Find(r.Name)
	if !ok {
		var names []string
		for _, i := range All() {
			names = append(names, i.Name)
		}
		return data.Failed("recipe", advice.Errorf("take one of "+strings.Join(names, ", "), "recipes: there is no recipe %.40q: %w", r.Name, data.ErrOption))
	}
	p := make(map[string]float64, len(info.Parameters))
	for _, one := range info.Parameters {
		p[one.Name] = one.Usual
	}
	for name, v := range r.With {
		k := slices.IndexFunc(info.Parameters, func(p Parameter) bool { return p.Name == name })
		if k < 0 {
			return data.Failed(r.Name, advice.Errorf("leave it out; "+info.takes(), "recipes: %s has no parameter %.40q: %w", r.Name, name, data.ErrOption))
		}
		one := info.Parameters[k]
		if !(v >= one.Low && v <= one.High) || one.Integral && v != math.Trunc(v) {
			return data.Failed(r.Name, advice.Errorf("take "+one.takes(), "recipes: the parameter %s of %s is %v: %w", name, r.Name, v, data.ErrOption))
		}
		p[name] = v
	}
	return info.make(rand.New(rand.NewPCG(r.Seed, r.Seed)), r.Seed, p)
}

func (i Info) takes() string {
	if len(i.Parameters) == 0 {
		return i.Name + " has no parameters"
	}
	var names []string
	for _, p := range i.Parameters {
		names = append(names, p.Name)
	}
	return i.Name + " takes " + strings.Join(names, ", ")
}

func (p Parameter) takes() string {
	kind := "a number"
	if p.Integral {
		kind = "a whole number"
	}
	return fmt.Sprintf("%s from %v to %v, such as %v", kind, p.Low, p.High, p.Usual)
}

// rows collects samples and their classes.
type rows struct {
	x     [][]float64
	class []int
}

func (s *rows) add(class int, x ...float64) {
	s.x, s.class = append(s.x, x), append(s.class, class)
}

// groups returns n samples for each class; `count` is the number of classes. row draws the features
// of one sample.
func groups(count, n int, row func(class int) []float64) *rows {
	s := new(rows)
	for c := range count {
		for range n {
			s.add(c, row(c)...)
		}
	}
	return s
}

// data returns the samples as data. If all samples are in class 0, the data have no classes.
func (s *rows) data(name string) *data.Data {
	x := mat.NewDense(len(s.x), len(s.x[0]), nil)
	for i, row := range s.x {
		x.SetRow(i, row)
	}
	class := s.class
	if !slices.ContainsFunc(class, func(c int) bool { return c != 0 }) {
		class = nil
	}
	d := data.New(x, class)
	d.Name = name
	return d
}

// normal returns n independent draws from N(0, 1).
func normal(r *rand.Rand, n int) []float64 {
	row := make([]float64, n)
	for j := range row {
		row[j] = r.NormFloat64()
	}
	return row
}

// book contains the recipes. A recipe must always draw the same random numbers in the same order,
// because the texts of the lessons quote the results.
var book = []Info{
	{"ring", "a flat ring of 300 samples in 3-D", nil, triplet(0)},
	{"tube", "a tube of 300 samples over the ring", nil, triplet(1)},
	{"spring", "one turn of a spring, 300 samples over the ring", nil, triplet(2)},
	{"pancakes", "two flat groups one above the other, 100 samples each in 3-D", []Parameter{
		{"height", "number by which the second feature is multiplied", 0.01, 100, 1, false},
	}, func(r *rand.Rand, _ uint64, p map[string]float64) *data.Data {
		var s rows
		for c := range 2 {
			for range 100 {
				x, height, z := 3*r.NormFloat64(), 0.6*float64(1-2*c)+0.15*r.NormFloat64(), 2*r.NormFloat64()
				s.add(c, x, p["height"]*height, z)
			}
		}
		d := s.data("pancakes")
		d.FeatureNames = []string{"x", "height", "z"}
		return d
	}},
	{"noise", "independent N(0, 1)", []Parameter{
		{"samples", "", 2, 2000, 200, true},
		{"features", "", 1, 100, 20, true},
	}, func(r *rand.Rand, _ uint64, p map[string]float64) *data.Data {
		var s rows
		for range int(p["samples"]) {
			s.add(0, normal(r, int(p["features"]))...)
		}
		return s.data("noise")
	}},
	{"clusters", "five groups of 40 in 20 features; the mean of feature c is 8 in group c and 0 elsewhere", nil, func(r *rand.Rand, _ uint64, _ map[string]float64) *data.Data {
		return groups(5, 40, func(c int) []float64 {
			row := normal(r, 20)
			row[c] += 8
			return row
		}).data("five groups")
	}},
	{"sizes", "two groups of 100 in 10 features, one ten times as wide as the other", nil, func(r *rand.Rand, _ uint64, _ map[string]float64) *data.Data {
		return groups(2, 100, func(c int) []float64 {
			row := normal(r, 10)
			for j := range row {
				row[j] *= float64(1 + 9*c)
			}
			row[0] += 100 * float64(c)
			return row
		}).data("two sizes")
	}},
	{"gaps", "three groups in a row in 10 features, the second gap five times the first", []Parameter{
		{"samples", "number of samples per group", 5, 500, 100, true},
	}, func(r *rand.Rand, _ uint64, p map[string]float64) *data.Data {
		return groups(3, int(p["samples"]), func(c int) []float64 {
			row := normal(r, 10)
			row[0] += [...]float64{0, 10, 60}[c]
			return row
		}).data("two gaps")
	}},
	{"rivers", "two long clouds one above the other; the class is the sign of x", nil, func(r *rand.Rand, _ uint64, _ map[string]float64) *data.Data {
		var s rows
		for c := range 2 {
			for range 100 {
				x := -4 + 8*r.Float64()
				class := 0
				if x > 0 {
					class = 1
				}
				s.add(class, x, 1.5*float64(1-2*c)+0.25*r.NormFloat64())
			}
		}
		return s.data("two rivers")
	}},
	{"steps", "three classes that x and y separate; z is only noise", []Parameter{
		{"noise", "standard deviation of z", 0.001, 10, 1, false},
		{"samples", "number of samples per class", 5, 500, 50, true},
	}, func(r *rand.Rand, _ uint64, p map[string]float64) *data.Data {
		mean := [3][2]float64{{6, 0}, {-3, 1.5}, {-3, -1.5}}
		d := groups(3, int(p["samples"]), func(c int) []float64 {
			x, y, z := mean[c][0]+r.NormFloat64(), mean[c][1]+0.8*r.NormFloat64(), p["noise"]*r.NormFloat64()
			return []float64{x, y, z}
		}).data("steps")
		d.FeatureNames, d.ClassNames = []string{"x", "y", "z"}, []string{"A", "B", "C"}
		return d
	}},
	{"apart", "two groups of 100, whose means in the first feature are −2 and 2", []Parameter{
		{"features", "", 1, 200, 2, true},
	}, func(r *rand.Rand, _ uint64, p map[string]float64) *data.Data {
		return groups(2, 100, func(c int) []float64 {
			row := normal(r, int(p["features"]))
			row[0] += float64(4*c - 2)
			return row
		}).data("two groups")
	}},
	{"gaussians", "two flat clouds one above the other in the plane", nil, func(_ *rand.Rand, seed uint64, _ map[string]float64) *data.Data { return datasets.Gaussians2D(seed) }},
	{"moons", "two moons, 100 samples each", nil, func(_ *rand.Rand, seed uint64, _ map[string]float64) *data.Data { return datasets.TwoMoons(seed) }},
	{"roll", "a rolled sheet in 3-D", []Parameter{
		{"samples", "", 10, 2000, 600, true},
	}, func(_ *rand.Rand, seed uint64, p map[string]float64) *data.Data {
		return datasets.SwissRoll(int(p["samples"]), seed)
	}},
	{"strips", "two flat strips, one above the other", nil, func(r *rand.Rand, _ uint64, _ map[string]float64) *data.Data {
		var s rows
		for c := range 2 {
			for range 80 {
				s.add(c, 0.4*r.NormFloat64(), 0.15*float64(1-2*c)+0.04*r.NormFloat64())
			}
		}
		return s.data("strips")
	}},
	{"disc", "a disc of 60 samples in a ring of 100", nil, func(r *rand.Rand, _ uint64, _ map[string]float64) *data.Data {
		var s rows
		for range 60 {
			s.add(0, 0.12*r.NormFloat64(), 0.12*r.NormFloat64())
		}
		for range 100 {
			t, radius := 2*math.Pi*r.Float64(), 0.7+0.05*r.NormFloat64()
			s.add(1, radius*math.Cos(t), radius*math.Sin(t))
		}
		return s.data("disc in a ring")
	}},
	{"blobs", "two round groups of 80 side by side", nil, func(r *rand.Rand, _ uint64, _ map[string]float64) *data.Data {
		var s rows
		for c := range 2 {
			for range 80 {
				s.add(c, 0.6*float64(2*c-1)+0.12*r.NormFloat64(), 0.12*r.NormFloat64())
			}
		}
		return s.data("two blobs")
	}},
}

// triplet returns the generator of the ring (0), the tube (1) or the spring (2). All three draw the
// same angles.
func triplet(which int) func(*rand.Rand, uint64, map[string]float64) *data.Data {
	return func(r *rand.Rand, _ uint64, _ map[string]float64) *data.Data {
		var s [3]rows
		for range 300 {
			t := 2 * math.Pi * r.Float64()
			x, y := math.Cos(t), math.Sin(t)
			s[0].add(0, x, y, 0)
			s[1].add(0, x, y, 2*r.Float64()-1)
			s[2].add(0, x, y, 1.5*t/math.Pi/2)
		}
		return s[which].data([]string{"ring", "tube", "spring"}[which])
	}
}

// Twin returns the data without labels and with the values of each feature permuted independently.
// The distribution of each feature is kept, but the dependence between features is lost.
func Twin(d *data.Data, seed uint64) *data.Data {
	r := rand.New(rand.NewPCG(seed, seed))
	n, m := d.X.Dims()
	x := mat.NewDense(n, m, nil)
	for j := range m {
		for i, k := range r.Perm(n) {
			x.Set(i, j, d.X.At(k, j))
		}
	}
	twin := data.New(x, nil)
	twin.Name, twin.Image, twin.FeatureNames = d.Name+", shuffled", d.Image, d.FeatureNames
	return twin
}

// Tossed returns the data with a random class, from 0 to classes − 1, for each sample.
func Tossed(d *data.Data, classes int, seed uint64) *data.Data {
	r := rand.New(rand.NewPCG(seed, seed))
	n := d.Len()
	label := make([]int, n)
	for i := range label {
		label[i] = r.IntN(classes)
	}
	t := data.New(d.X, label)
	t.Name = d.Name
	return t
}

// Curve returns a random smooth function: a sum of 200 waves. It is approximately a draw from a
// Gaussian process with length scale 1 and variance 1.
func Curve(seed uint64) func(x float64) float64 {
	const waves = 200
	r := rand.New(rand.NewPCG(seed, seed))
	var w, p [waves]float64
	for i := range waves {
		w[i], p[i] = r.NormFloat64(), 2*math.Pi*r.Float64()
	}
	return func(x float64) float64 {
		var sum float64
		for i := range waves {
			sum += math.Cos(w[i]*x + p[i])
		}
		return math.Sqrt(2.0/waves) * sum
	}
}
