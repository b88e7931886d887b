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

// set is one data set of the benchmark. Its classes are in Truth.
type set struct {
	name  string
	quick bool // included in -quick
	// target means that the set has a numeric target to predict, and no classes.
	target bool
	// most is the largest number of samples per draw. Larger sets are subsampled at random.
	most int
	load func() *data.Data
}

// sets lists data sets that are part of the library, data sets in the folder SSDRNB_DATA, and
// generated data sets.
var sets = []set{
	{"iris", true, false, 150, standardized(datasets.Iris)},
	{"wine", true, false, 178, standardized(datasets.Wine)},
	{"sonar", true, false, 208, standardized(datasets.Sonar)},
	{"penguins", true, false, 400, penguins},
	{"balance", false, false, 400, datasets.Balance},
	{"ellipsoids", true, false, 400, ellipsoids},
	{"arcs", false, false, 400, arcs},
	{"Yale", false, false, 165, datasets.Yale},
	{"ORL", false, false, 400, datasets.ORL},
	{"control charts", false, false, 400, func() *data.Data { return datasets.ControlCharts(1) }},
	{"cancer", false, false, 400, cancer},
	{"letters A–E", false, false, 400, datasets.LetterAE},
	{"oil", false, false, 400, datasets.Oil},
	{"UMIST", false, false, 400, datasets.UMIST},
	{"USPS", false, false, 400, datasets.USPS},
	{"MNIST", false, false, 400, datasets.MNIST},
	{"digits", true, false, 400, datasets.Digits},
	{"COIL-20", false, false, 400, datasets.COIL20},
	{"Yale B", false, false, 760, datasets.YaleB},
	{"letters", false, false, 520, letters},
	{"alcohol of wine", false, true, 178, alcohol},
	{"mass of penguins", false, true, 400, mass},
	{"ink of digits", false, true, 400, ink},
	{"Friedman 1", false, true, 400, friedman1},
	{"Swiss roll", false, true, 400, roll},
}

func standardized(load func() *data.Data) func() *data.Data {
	return func() *data.Data { return load().Standardize() }
}

// letters returns the 20,000 letters A to Z from the folder SSDRNB_DATA.
func letters() *data.Data {
	d, err := datasets.ReadNPZ(filepath.Join(os.Getenv("SSDRNB_DATA"), "letter_20000.npz"), datasets.NPZ{})
	if err != nil {
		return data.Failed("letters", err)
	}
	return d
}

// cancer returns measurements of 569 breast tumours (Wolberg, Street, Mangasarian) from the folder
// SSDRNB_DATA. The file contains scikit-learn's copy: np.savez("breast_cancer.npz", X=x, y=y).
func cancer() *data.Data {
	d, err := datasets.ReadNPZ(filepath.Join(os.Getenv("SSDRNB_DATA"), "breast_cancer.npz"), datasets.NPZ{})
	if err != nil {
		return data.Failed("cancer", err)
	}
	return d.Standardize()
}

// alcohol returns wines. Their alcohol content is the target, and not a feature.
func alcohol() *data.Data { return columnOf(datasets.Wine(), "alcohol", 0).Standardize() }

// mass returns penguins. Their body mass is the target, and not a feature.
func mass() *data.Data { return columnOf(penguins(), "mass", 3).Standardize() }

// columnOf returns the data with a feature converted to the target, and without classes.
func columnOf(d *data.Data, name string, column int) *data.Data {
	if d.Err() != nil {
		return d
	}
	n, features := d.X.Dims()
	x, values := mat.NewDense(n, features-1, nil), mat.Col(nil, column, d.X)
	for i := range n {
		row := d.X.RawRowView(i)
		x.SetRow(i, slices.Concat(row[:column], row[column+1:]))
	}
	return data.New(x, nil).WithTarget(name, values)
}

// ink returns upper halves of digits. The target is the amount of ink in the lower half.
func ink() *data.Data {
	d := datasets.Digits()
	n, half := d.Len(), d.NumFeatures()/2
	values := make([]float64, n)
	for i := range n {
		for _, v := range d.X.RawRowView(i)[half:] {
			values[i] += v
		}
	}
	return data.New(mat.DenseCopyOf(d.X.Slice(0, n, 0, half)), nil).WithTarget("ink", values)
}

// friedman1 returns samples with 10 uniform features. The first 5 determine the target, apart from
// noise (Friedman, Annals of Statistics 19, 1991).
func friedman1() *data.Data {
	const n, features = 600, 10
	random := rand.New(rand.NewPCG(3, 3))
	x, values := mat.NewDense(n, features, nil), make([]float64, n)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = random.Float64()
		}
		values[i] = 10*math.Sin(math.Pi*row[0]*row[1]) + 20*(row[2]-0.5)*(row[2]-0.5) + 10*row[3] + 5*row[4] + random.NormFloat64()
	}
	return data.New(x, nil).WithTarget("y", values)
}

// roll returns a rolled sheet. The target is the position along the roll.
func roll() *data.Data {
	d := datasets.SwissRoll(600, 1)
	values := make([]float64, d.Len())
	for i := range values {
		values[i] = math.Hypot(d.X.At(i, 0), d.X.At(i, 2))
	}
	return data.New(d.X, nil).WithTarget("place", values)
}

// penguins returns the four measurements of penguins from a table with gaps and categories.
func penguins() *data.Data {
	d, err := datasets.Penguins().Data(datasets.Label("Species"),
		datasets.Features("Culmen Length (mm)", "Culmen Depth (mm)", "Flipper Length (mm)", "Body Mass (g)"))
	if err != nil {
		return data.Failed("penguins", err)
	}
	return d
}

// ellipsoids returns 6 classes with normal distributions in 10 dimensions, each with its own mean
// and covariance, plus 30 features of pure noise. Such data suit linear methods.
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

// arcs returns 5 classes along interlaced spiral arcs in 3 dimensions, mapped linearly to 20
// features, with noise. Such data suit graph-based methods.
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

func normals(random *rand.Rand, rows, columns int) *mat.Dense {
	m := mat.NewDense(rows, columns, nil)
	for i := range rows {
		for j := range columns {
			m.Set(i, j, random.NormFloat64())
		}
	}
	return m
}
