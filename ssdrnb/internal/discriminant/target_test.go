package discriminant

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// The reference cases were computed by dense solvers from the definitions.

// turned makes the largest entry of each column positive.
func turned(w *mat.Dense) *mat.Dense {
	dense.Flip(dense.Signs(w), w)
	return w
}

func nearAll(t *testing.T, what string, got, want []float64, rel float64) {
	t.Helper()
	most := 0.0
	for _, v := range want {
		most = max(most, math.Abs(v))
	}
	for k, v := range want {
		if !(math.Abs(got[k]-v) <= rel*most) {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
}

func TestGoldenTargetSlices(t *testing.T) {
	type reference struct {
		Input struct {
			X      [][]float64
			Rows   []int
			Values []float64
		}
		Output struct {
			Slices     []int
			Tau        []float64
			Directions [][]float64
		}
		Tolerance struct{ Rel float64 }
	}
	golden.EachOfKind(t, "target_slices", func(t *testing.T, g *reference) {
		got := Slices(g.Input.Values, AutoSlices(len(g.Input.Values)))
		if !slices.Equal(got, g.Output.Slices) {
			t.Fatalf("slices %v, want %v", got, g.Output.Slices)
		}
		x := golden.Dense(g.Input.X)
		labels := slices.Repeat([]int{-1}, len(g.Input.X))
		for k, i := range g.Input.Rows {
			labels[i] = got[k]
		}
		classes := make([]int, slices.Max(got)+1)
		for k := range classes {
			classes[k] = k
		}
		s := NewScatter(x, labels, classes)
		_, d := x.Dims()
		pairs, err := spectral.GeneralizedTop(s.Between, dense.AddRidge(s.Within, 1e-3*s.Level.Within/float64(d)), len(g.Output.Tau))
		if err != nil {
			t.Fatal(err)
		}
		nearAll(t, "tau", pairs.Values, g.Output.Tau, g.Tolerance.Rel)
		nearAll(t, "directions", turned(pairs.Vectors).RawMatrix().Data, golden.Dense(g.Output.Directions).RawMatrix().Data, g.Tolerance.Rel)
	})
}

func TestGoldenTargetLapRLS(t *testing.T) {
	type reference struct {
		Input struct {
			X                  [][]float64
			Weights            [][3]float64
			Rows               []int
			Values             []float64
			Ambient, Intrinsic float64
		}
		Output struct {
			W, Second []float64
			B         float64
		}
		Tolerance struct{ Rel float64 }
	}
	golden.EachOfKind(t, "target_laprls", func(t *testing.T, g *reference) {
		in := g.Input
		x := golden.Dense(in.X)
		l := graph.Laplacian(golden.Symmetric(t, len(in.X), in.Weights))
		_, d := x.Dims()
		term := dense.Plus(mat.NewSymDense(d, nil), in.Intrinsic, dense.Quadratic(l, x))
		known := samples.Pick(x, in.Rows)
		c := samples.Minus(known, samples.Means(known))
		normal := mat.NewSymDense(d, nil)
		normal.SymOuterK(1/float64(len(in.Rows)), c.T())
		spectrum, err := spectral.Decompose(dense.Plus(normal, 1, term))
		if err != nil {
			t.Fatal(err)
		}
		r := RegressTarget(x, in.Rows, in.Values, spectrum, term, in.Ambient)
		nearAll(t, "w", r.W.RawMatrix().Data, g.Output.W, g.Tolerance.Rel)
		nearAll(t, "b", []float64{r.Bias}, []float64{g.Output.B}, g.Tolerance.Rel)
		second, err := Second(samples.Minus(x, samples.Means(x)), r.W)
		if err != nil {
			t.Fatal(err)
		}
		nearAll(t, "second", turned(second).RawMatrix().Data, g.Output.Second, g.Tolerance.Rel)
	})
}

func TestSlices(t *testing.T) {
	for _, c := range []struct {
		values []float64
		h      int
		want   []int
	}{
		{[]float64{5, 1, 4, 2, 3, 0}, 3, []int{2, 0, 2, 1, 1, 0}},
		{[]float64{1, 1, 1, 2}, 2, []int{0, 0, 0, 1}},
		{[]float64{1, 1, 1, 1}, 2, []int{0, 0, 0, 0}},
		{[]float64{1, 2, 2, 2, 2, 3}, 3, []int{0, 0, 0, 0, 0, 1}},
		{[]float64{2, 1}, 8, []int{1, 0}},
	} {
		if got := Slices(c.values, c.h); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d slices: %v, want %v", c.values, c.h, got, c.want)
		}
	}
}

func TestGoldenPLS(t *testing.T) {
	type reference struct {
		Input struct {
			X      [][]float64
			Rows   []int
			Values []float64
			Labels []int
		}
		Output struct {
			Rotations      [][]float64
			Explained      []float64
			ClassRotations [][]float64 `json:"class_rotations"`
		}
		Tolerance struct{ Rel float64 }
	}
	golden.EachOfKind(t, "pls", func(t *testing.T, g *reference) {
		x := samples.Pick(golden.Dense(g.Input.X), g.Input.Rows)
		x = samples.Minus(x, samples.Means(x))
		m := len(g.Input.Rows)
		y := mat.NewDense(m, 1, slices.Clone(g.Input.Values))
		w, explained := PartialLeastSquares(x, samples.Minus(y, samples.Means(y)), len(g.Output.Explained))
		nearAll(t, "rotations", turned(w).RawMatrix().Data, turned(golden.Dense(g.Output.Rotations)).RawMatrix().Data, g.Tolerance.Rel)
		nearAll(t, "explained", explained, g.Output.Explained, g.Tolerance.Rel)
		y = mat.NewDense(m, slices.Max(g.Input.Labels)+1, nil)
		for k, l := range g.Input.Labels {
			y.Set(k, l, 1)
		}
		want := golden.Dense(g.Output.ClassRotations)
		_, d := want.Dims()
		w, _ = PartialLeastSquares(x, samples.Minus(y, samples.Means(y)), d)
		nearAll(t, "rotations for classes", turned(w).RawMatrix().Data, turned(want).RawMatrix().Data, 1e-6) // its tolerance
	})
}

// One component has the direction of the covariance, and as many components as features reproduce
// the regression.
func TestPLS(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{1, 0, 2, 1, -3, 4, 0, -2, 1, -3, -1, 0})
	y := mat.NewDense(6, 1, []float64{2, 4, -6, 1, -2, 1})
	one, _ := PartialLeastSquares(x, y, 1)
	var xy mat.Dense
	xy.Mul(x.T(), y)
	if math.Abs(one.At(0, 0)*xy.At(1, 0)-one.At(1, 0)*xy.At(0, 0)) > 1e-12 {
		t.Errorf("direction %v, covariance %v", mat.Formatted(one), mat.Formatted(&xy))
	}
	two, explained := PartialLeastSquares(x, y, 2)
	var scores, fit mat.Dense
	scores.Mul(x, two)
	if err := fit.Solve(x, y); err != nil {
		t.Fatal(err)
	}
	var fitted mat.Dense
	fitted.Mul(x, &fit)
	if want := mat.Norm(&fitted, 2) / mat.Norm(y, 2); math.Abs(explained[0]+explained[1]-want*want) > 1e-12 {
		t.Errorf("explained %v, want %v together", explained, want*want)
	}
	if a, b := scores.ColView(0), scores.ColView(1); math.Abs(mat.Dot(a, b)) > 1e-12 {
		t.Error("components are correlated")
	}
	if w, values := PartialLeastSquares(x, mat.NewDense(6, 1, nil), 2); w != nil || values != nil {
		t.Error("directions for nothing")
	}
}
