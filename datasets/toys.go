package datasets

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Toy data are generated from a seed. The same seed gives the same samples. The comments below use
// short names for two papers. The trace-ratio paper is Zhao, Zhang, Chow, "Trace ratio criterion
// based generalized discriminative learning for semi-supervised dimensionality reduction", Pattern
// Recognition 2012. The semi-Riemannian paper is Zhang, Lin, Tang, "Learning semi-Riemannian
// metrics for semisupervised feature extraction", TKDE 2011.

// toy returns data with the given rows and classes.
func toy(name string, rows [][]float64, labels []int) *data.Data {
	x := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		x.SetRow(i, r)
	}
	d := data.New(x, labels)
	d.Name = name
	return d
}

func random(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// Gaussians2D returns two flat clouds, one above the other, with 100 samples each: x ~ N(0, 3²) and
// y ~ ±1 + N(0, 0.25²) (trace-ratio paper, Fig. 1).
func Gaussians2D(seed uint64) *data.Data {
	return gaussians("two Gaussians in 2-D", random(seed, 2), 2)
}

// Gaussians3D is [Gaussians2D] with a third coordinate z ~ N(0, 1) (trace-ratio paper, Fig. 2).
func Gaussians3D(seed uint64) *data.Data {
	return gaussians("two Gaussians in 3-D", random(seed, 3), 3)
}

// gaussians returns the two clouds of [Gaussians2D]. Coordinates after y are N(0, 1).
func gaussians(name string, rng *rand.Rand, dims int) *data.Data {
	var rows [][]float64
	var labels []int
	for i := range 200 {
		side := 1 - 2*float64(i/100)
		row := []float64{3 * rng.NormFloat64(), side + 0.25*rng.NormFloat64()}
		for len(row) < dims {
			row = append(row, rng.NormFloat64())
		}
		rows, labels = append(rows, row), append(labels, i/100)
	}
	return toy(name, rows, labels)
}

// TwoMoons returns two interleaved half-circles with 100 samples each: (cos t, sin t) and (1 − cos
// t, 0.5 − sin t), with t evenly spaced in (0, π). The noise has standard deviation 0.08
// (trace-ratio paper, Fig. 3).
func TwoMoons(seed uint64) *data.Data {
	rng := random(seed, 4)
	var rows [][]float64
	var labels []int
	for i := range 200 {
		t := math.Pi * (float64(i%100) + 0.5) / 100
		x, y := math.Cos(t), math.Sin(t)
		if i >= 100 {
			x, y = 1-x, 0.5-y
		}
		rows = append(rows, []float64{x + 0.08*rng.NormFloat64(), y + 0.08*rng.NormFloat64()})
		labels = append(labels, i/100)
	}
	return toy("two moons", rows, labels)
}

// halves returns two classes of 60 samples each, class 0 above class 1. The samples of a class are
// evenly spaced along a curve, with noise of standard deviation 0.1. at(u, side) is the point of
// the curve at u in (0, 1), where side is 1 for class 0 and −1 for class 1. Three samples per class
// are labelled. They have u < ½ in class 0 and u > ½ in class 1, which misleads methods that use
// only labelled samples (semi-Riemannian paper, Fig. 4).
func halves(name string, seed, stream uint64, at func(u, side float64) (x, y float64)) *data.Data {
	rng := random(seed, stream)
	var rows [][]float64
	truth, labels := make([]int, 120), make([]int, 120)
	for i := range 120 {
		class := i / 60
		x, y := at((float64(i%60)+0.5)/60, 1-2*float64(class))
		rows = append(rows, []float64{x + 0.1*rng.NormFloat64(), y + 0.1*rng.NormFloat64()})
		truth[i], labels[i] = class, data.Unlabelled
	}
	for k, i := range []int{5, 15, 25, 94, 104, 114} {
		labels[i] = k / 3
	}
	return toy(name, rows, truth).WithLabels(labels)
}

// TwoLines returns two parallel lines with 60 samples each: (−4 + 8u, ±½), with u evenly spaced in
// (0, 1). The noise has standard deviation 0.1. Three samples per class are labelled. They have u <
// ½ in the upper class and u > ½ in the lower.
func TwoLines(seed uint64) *data.Data {
	return halves("two lines", seed, 7, func(u, side float64) (float64, float64) { return -4 + 8*u, side / 2 })
}

// HalfCircles returns two half-circles with 60 samples each: (2 cos πu, ±(1 + 2 sin πu)), with u
// evenly spaced in (0, 1). The noise has standard deviation 0.1. Three samples per class are
// labelled. They have u < ½ in the upper class and u > ½ in the lower.
func HalfCircles(seed uint64) *data.Data {
	return halves("half-circles", seed, 8, func(u, side float64) (float64, float64) {
		return 2 * math.Cos(math.Pi*u), side * (1 + 2*math.Sin(math.Pi*u))
	})
}

// SwissRoll returns n (at least 2) samples of a rolled-up sheet: (t cos t, h, t sin t), with t in
// (1.5π, 4.5π) and h in (0, 21). The data have no labels. Their Truth, which determines the colours
// in figures, is the quarter of the range of t that contains the sample, counted from 0.
func SwissRoll(n int, seed uint64) *data.Data {
	if n < 2 {
		n = 2
	}
	rng := random(seed, 5)
	rows := make([][]float64, n)
	quarter := make([]int, n)
	for i := range rows {
		u := rng.Float64()
		t := 1.5 * math.Pi * (1 + 2*u)
		rows[i] = []float64{t * math.Cos(t), 21 * rng.Float64(), t * math.Sin(t)}
		quarter[i] = min(int(4*u), 3)
	}
	d := toy("Swiss roll", rows, quarter)
	d.Labels = nil
	d.ClassNames = []string{"inner quarter", "second quarter", "third quarter", "outer quarter"}
	return d
}

// ControlCharts returns 100 time series for each of six patterns, by the rules of Alcock and
// Manolopoulos (1999). A series has 60 steps, t = 1 to 60. Its value at a step is m + r·s plus a
// term that depends on the pattern. Here m = 30, s = 2, and r is uniform in (−3, 3) and independent
// for each step. The terms are: nothing (normal); a·sin(2πt/T), with a and T in (10, 15) (cyclic);
// g·t or −g·t, with g in (0.2, 0.5) (two trends); x or −x, with x in (7.5, 20), from a step between
// 20 and 40 on (two shifts).
func ControlCharts(seed uint64) *data.Data {
	rng := random(seed, 6)
	between := func(a, b float64) float64 { return a + (b-a)*rng.Float64() }
	var rows [][]float64
	var labels []int
	for i := range 600 {
		class := i / 100
		a, period, g, x, at := between(10, 15), between(10, 15), between(0.2, 0.5), between(7.5, 20), between(20, 40)
		row := make([]float64, 60)
		for t := range row {
			step := float64(t + 1)
			row[t] = 30 + 2*between(-3, 3)
			switch class {
			case 1:
				row[t] += a * math.Sin(2*math.Pi*step/period)
			case 2:
				row[t] += g * step
			case 3:
				row[t] -= g * step
			case 4:
				if step >= at {
					row[t] += x
				}
			case 5:
				if step >= at {
					row[t] -= x
				}
			}
		}
		rows, labels = append(rows, row), append(labels, class)
	}
	d := toy("control charts", rows, labels)
	d.ClassNames = []string{"normal", "cyclic", "increasing", "decreasing", "upward shift", "downward shift"}
	return d
}
