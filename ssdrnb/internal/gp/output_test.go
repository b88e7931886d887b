package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// outputCase is a small model with an output at some samples.
func outputCase(rows ...int) (y, x *mat.Dense, o *Output, t Theta) {
	rng := rand.New(rand.NewPCG(5, 9))
	n, features, d := 12, 4, 2
	y, x = mat.NewDense(n, features, nil), mat.NewDense(n, d, nil)
	for i := range n {
		for k := range features {
			y.Set(i, k, rng.NormFloat64())
		}
		for k := range d {
			x.Set(i, k, rng.NormFloat64())
		}
	}
	o = &Output{Copies: 1}
	for _, i := range rows {
		o.Rows, o.Values = append(o.Rows, i), append(o.Values, rng.NormFloat64())
	}
	return y, x, o, Theta{0.2, -0.3, -1}
}

// TestOutputIsAFeature: an output that is known for all samples has the same effect as one more
// feature, and c copies of it have the same effect as c equal features. This holds with and without
// inducing points.
func TestOutputIsAFeature(t *testing.T) {
	y, x, o, theta := outputCase(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	for _, approximation := range []Approximation{"", VFE, FITC} {
		for copies := 1; copies <= 3; copies++ {
			o.Copies = float64(copies)
			n, features := y.Dims()
			wide := mat.NewDense(n, features+copies, nil)
			wide.Slice(0, n, 0, features).(*mat.Dense).Copy(y)
			for c := range copies {
				wide.SetCol(features+c, o.Values)
			}
			one, err := Settings{Output: o, Approximation: approximation}.evidence(y)
			if err != nil {
				t.Fatal(err)
			}
			all, err := Settings{Approximation: approximation}.evidence(wide)
			if err != nil {
				t.Fatal(err)
			}
			var u, gu, wu *mat.Dense
			if approximation != "" {
				u, gu, wu = mat.DenseCopyOf(x.Slice(0, 5, 0, 2)), mat.NewDense(5, 2, nil), mat.NewDense(5, 2, nil)
			}
			got, want := one.logLikelihood(x, u, theta), all.logLikelihood(x, u, theta)
			if math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Errorf("%q, %d copies: ln p %v, as features %v", approximation, copies, got, want)
			}
			gx, wx := mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil)
			var gt, wt Theta
			one.gradient(gx, gu, &gt)
			all.gradient(wx, wu, &wt)
			if !mat.EqualApprox(gx, wx, 1e-9) || !mat.EqualApprox(mat.NewVecDense(3, gt[:]), mat.NewVecDense(3, wt[:]), 1e-9) || u != nil && !mat.EqualApprox(gu, wu, 1e-9) {
				t.Errorf("%q, %d copies: gradients %v, %v, %v; as features %v, %v, %v", approximation, copies, gx, gu, gt, wx, wu, wt)
			}
		}
	}
}

// TestOutputGradient compares the gradient with finite differences if some values are missing.
func TestOutputGradient(t *testing.T) {
	y, x, o, theta := outputCase(1, 2, 5, 8, 11)
	o.Copies = 2.5
	for _, approximation := range []Approximation{"", VFE, FITC} {
		s := Settings{Output: o, Theta: theta, Approximation: approximation}
		if approximation != "" {
			s.Inducing = mat.DenseCopyOf(x.Slice(0, 5, 0, 2))
		}
		p, err := newProblem(y, x, s)
		if err != nil {
			t.Fatal(err)
		}
		f := p.part(0, len(p.w))
		w, g := append([]float64(nil), p.w...), make([]float64, len(p.w))
		f(w, g)
		for k := range w {
			const h = 1e-6
			at := append([]float64(nil), w...)
			at[k] = w[k] + h
			up := f(at, nil)
			at[k] = w[k] - h
			down := f(at, nil)
			if want := (up - down) / (2 * h); math.Abs(g[k]-want) > 1e-4*max(1, math.Abs(want)) {
				t.Errorf("%q, entry %d: %v, by differences %v", approximation, k, g[k], want)
			}
		}
	}
}

// TestForetell: predictions are close to the known values if the noise is small, and uninformative
// far away.
func TestForetell(t *testing.T) {
	_, x, o, _ := outputCase(0, 3, 7)
	x.SetRow(11, []float64{1e3, 1e3})
	theta := Theta{math.Log(2), 0, math.Log(1e-6)}
	for _, approximation := range []Approximation{"", VFE, FITC} {
		f, noise := &Fitted{X: x, Theta: theta, Jitter: 1e-5}, 1.1e-5
		if approximation != "" {
			f.U, noise = samples.Pick(x, o.Rows), 1e-6 // they do not use the jitter
		}
		mean, variance, err := o.Foretell(f, Settings{Approximation: approximation, Output: o})
		if err != nil {
			t.Fatal(err)
		}
		for k, i := range o.Rows {
			if math.Abs(mean[i]-o.Values[k]) > 1e-3 || variance[i] > 1e-4 {
				t.Errorf("%q, sample %d: %v ± %v for %v", approximation, i, mean[i], variance[i], o.Values[k])
			}
		}
		if math.Abs(mean[11]) > 1e-12 || math.Abs(variance[11]-2-noise) > 1e-9 {
			t.Errorf("%q, far away: %v ± %v", approximation, mean[11], variance[11])
		}
	}
}

// TestOutputRefuses tries invalid outputs.
func TestOutputRefuses(t *testing.T) {
	y, _, _, _ := outputCase()
	for name, o := range map[string]*Output{
		"nothing known": {Copies: 1}, "no copies": {Rows: []int{1}, Values: []float64{1}}, "endless": {Rows: []int{1}, Values: []float64{1}, Copies: math.Inf(1)},
		"two rows": {Rows: []int{1, 2}, Values: []float64{1}, Copies: 1}, "twice": {Rows: []int{1, 1}, Values: []float64{1, 2}, Copies: 1}, "beyond": {Rows: []int{12}, Values: []float64{1}, Copies: 1},
	} {
		if _, err := (Settings{Output: o}).evidence(y); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
