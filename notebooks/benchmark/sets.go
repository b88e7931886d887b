package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// set is one data set of the benchmark. Labels are those of Truth.
type set struct {
	name  string
	quick bool // a part of -quick
	// most bounds the samples of a draw; what lies above is left out at random.
	most int
	load func() *data.Data
}

// sets lists them: those that come with the library, those of the folder SSDRNB_DATA, and two
// generated families of known structure.
var sets = []set{
	{"iris", true, 1000, standardized(datasets.Iris)},
	{"wine", true, 1000, standardized(datasets.Wine)},
	{"sonar", true, 1000, standardized(datasets.Sonar)},
	{"balance", false, 1000, datasets.Balance},
	{"digits", true, 800, datasets.Digits},
	{"letters A–E", false, 1000, datasets.LetterAE},
	{"control charts", false, 600, func() *data.Data { return datasets.ControlCharts(1) }},
	{"oil", false, 1000, datasets.Oil},
	{"penguins", true, 1000, penguins},
	{"USPS", false, 1000, datasets.USPS},
	{"MNIST", false, 1000, datasets.MNIST},
	{"COIL-20", false, 1000, datasets.COIL20},
	{"UMIST", false, 575, datasets.UMIST},
	{"ORL", false, 400, datasets.ORL},
	{"Yale", false, 165, datasets.Yale},
	{"Yale B", false, 1000, datasets.YaleB},
	{"letters", false, 1040, letters},
	{"ellipsoids", true, 600, ellipsoids},
	{"arcs", false, 600, arcs},
}

func standardized(load func() *data.Data) func() *data.Data {
	return func() *data.Data { return load().Standardize() }
}

// letters are the 20,000 letters A to Z of the folder SSDRNB_DATA.
func letters() *data.Data {
	d, err := datasets.ReadNPZ(filepath.Join(os.Getenv("SSDRNB_DATA"), "letter_20000.npz"), datasets.NPZ{})
	if err != nil {
		return data.Failed("letters", err)
	}
	return d
}

// penguins are the measures of a table with gaps and categories.
func penguins() *data.Data {
	d, err := datasets.Penguins().Data(datasets.Label("Species"),
		datasets.Features("Culmen Length (mm)", "Culmen Depth (mm)", "Flipper Length (mm)", "Body Mass (g)"))
	if err != nil {
		return data.Failed("penguins", err)
	}
	return d
}

// ellipsoids are 6 normal classes in 10 dimensions, each with spreads and directions of its own,
// beside 30 features of pure noise: what linear methods are made for.
func ellipsoids() *data.Data {
	const n, classes, dims, noise = 600, 6, 10, 30
	random := rand.New(rand.NewPCG(1, 1))
	x, labels := mat.NewDense(n, dims+noise, nil), make([]int, n)
	var centers, maps [classes]*mat.Dense
	for c := range classes {
		centers[c], maps[c] = normals(random, 1, dims), normals(random, dims, dims)
	}
	for i := range n {
		c := i % classes
		var p mat.Dense
		p.Mul(normals(random, 1, dims), maps[c])
		labels[i] = c
		for j := range dims {
			x.Set(i, j, 3*centers[c].At(0, j)+0.5*p.At(0, j))
		}
		for j := range noise {
			x.Set(i, dims+j, random.NormFloat64())
		}
	}
	return data.New(x, labels)
}

// arcs are 5 classes along interlaced arcs on a rolled plane in 20 dimensions: what graphs are
// made for.
func arcs() *data.Data {
	const n, classes, features = 600, 5, 20
	random := rand.New(rand.NewPCG(2, 2))
	turn := normals(random, 3, features)
	p, labels := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		c := i % classes
		t := 1.5 + 6*random.Float64()
		r := t + 1.2*float64(c)
		p.SetRow(i, []float64{r * math.Cos(t), r * math.Sin(t), 2 * math.Sin(t+float64(c))})
		labels[i] = c
	}
	var x mat.Dense
	x.Mul(p, turn)
	for i := range n {
		for j := range features {
			x.Set(i, j, x.At(i, j)+0.3*random.NormFloat64())
		}
	}
	return data.New(&x, labels)
}

// normals returns a matrix of standard normal numbers.
func normals(random *rand.Rand, rows, columns int) *mat.Dense {
	m := mat.NewDense(rows, columns, nil)
	for i := range rows {
		for j := range columns {
			m.Set(i, j, random.NormFloat64())
		}
	}
	return m
}

// draw returns the training and the test side of a draw, seven to three in each class, with
// labels of that many samples per class. It is nil where a class has too few samples.
func (s set) draw(d *data.Data, labels, draw int) (train, test *data.Data) {
	if d.Len() > s.most {
		rows := rand.New(rand.NewPCG(uint64(draw), 47)).Perm(d.Len())[:s.most]
		slices.Sort(rows)
		d = d.Subset(rows)
	}
	train, test = d.Seed(uint64(draw)).Split(0.7)
	train = train.KeepLabels(labels)
	// Something must stay hidden, or nothing can be rated.
	if train.Err() != nil || train.NumLabelled() >= train.Len() {
		return nil, nil
	}
	return train, test
}
