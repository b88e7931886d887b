package ssdrnb_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Data as instruments and tables deliver them. Whatever scikit-learn fits, every method fits, or
// its error names the problem of the data.

// ugly returns d with other samples.
func ugly(d *data.Data, x *mat.Dense) *data.Data {
	c := *d
	c.X = x
	return &c
}

// applied returns d with the values f(i, j, v).
func applied(d *data.Data, f func(i, j int, v float64) float64) *data.Data {
	x := mat.DenseCopyOf(d.X)
	x.Apply(f, x)
	return ugly(d, x)
}

func uglies() map[string]*data.Data {
	out := map[string]*data.Data{}
	d := blobs(6, 30)
	for _, far := range []float64{30, 1e2, 1e3, 1e4, 1e6} {
		for _, row := range []int{4, 47} {
			out[fmt.Sprintf("sample %d at %g", row, far)] = applied(d, func(i, _ int, v float64) float64 {
				if i == row {
					return -far
				}
				return v
			})
		}
	}
	out["three lone"] = applied(d, func(i, j int, v float64) float64 {
		if i == 4 || i == 20 || i == 47 {
			return 1e3 * float64(i-j*j)
		}
		return v
	})
	out["pair far"] = applied(d, func(i, j int, v float64) float64 {
		if i == 4 || i == 47 {
			return v + 1e3
		}
		return v
	})
	rng := rand.New(rand.NewPCG(8, 8))
	out["counts of varying depth"] = applied(d, func(i, j int, v float64) float64 {
		depth := math.Exp(2 * math.Sin(float64(i*i)))
		return math.Floor(20 * depth * math.Exp(0.3*v) * rng.Float64())
	})
	out["rows of zeros"] = applied(d, func(i, j int, v float64) float64 {
		if i%5 == 0 {
			return 0
		}
		return math.Floor(math.Max(0, 3*v))
	})
	out["log-normal"] = applied(d, func(_, _ int, v float64) float64 { return math.Exp(2 * v) })
	out["Cauchy"] = applied(d, func(_, _ int, v float64) float64 { return v * math.Tan(math.Pi*(rng.Float64()-0.5)) })
	out["one wide column"] = applied(d, func(_, j int, v float64) float64 {
		if j == 2 {
			return 1e5 * v
		}
		return v
	})
	out["constant columns"] = applied(d, func(_, j int, v float64) float64 {
		if j > 2 {
			return 7
		}
		return v
	})
	out["one column that varies"] = applied(d, func(_, j int, v float64) float64 {
		if j > 0 {
			return 7
		}
		return v
	})
	out["all but one equal"] = applied(d, func(i, j int, v float64) float64 {
		if i == 4 {
			return 9
		}
		return 7
	})
	out["three points"] = applied(d, func(i, j int, v float64) float64 { return float64((i % 3) * (j + 1)) })
	out["binary"] = applied(d, func(_, _ int, v float64) float64 {
		if v > 1 {
			return 1
		}
		return 0
	})
	out["1e8 + noise"] = applied(d, func(_, _ int, v float64) float64 { return 1e8 + v })
	out["many features"] = blobs(300, 31)
	for _, n := range []int{3, 4, 5, 6, 8, 10} {
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		out[fmt.Sprintf("%d samples", n)] = d.WithLabels(d.Truth).Subset(rows)
	}
	return out
}

// lacking are the error texts for unsuitable data: no other library fits them either, or Isomap was
// told not to.
var lacking = []string{
	"all 24 labelled samples are equal",
	"no class has two different labelled samples",
	"every labelled sample coincides with its neighbours of the same class",
	"no null space", // NLDA is for more features than samples
	"nearest neighbours of every sample are equally far away", // LMRAG's weights need distances that differ
	"join the components with Disconnected",                   // Isomap between copies of three points
	"a Hessian in 2 dimensions needs 6 neighbours",            // HLLE
	"so the intrinsic graph is empty",                         // MFA of one sample per class
	"of 3 samples allows at most 1 dimension",                 // S2LAE of three samples
	"singular denominator",                                    // MMP of three samples
}

// ratios are methods whose coordinates become as large as a denominator becomes small: the scatter
// within classes, or the degrees of two samples far from all others.
var ratios = []string{"LAE", "MFA"}

// Every method fits or names the fault of the data. No embedding is larger than rounding explains.
func TestUglyData(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	for name, d := range uglies() {
		for _, m := range ssdrnb.Methods() {
			model, err := brief(m, 2, 5).Fit(d)
			if err != nil {
				if !slices.ContainsFunc(lacking, func(part string) bool { return strings.Contains(err.Error(), part) }) {
					t.Errorf("%s: %v", name, err)
				}
				wantTyped(t, m, name, err)
				continue
			}
			if largest := mat.Norm(model.Embedding(), 2); !usable(model.Embedding()) || largest > 1e4*(1+mat.Norm(d.X, 2)) && !slices.Contains(ratios, m.Name) {
				t.Errorf("%s, %s: an embedding of the norm %g", name, m.Name, largest)
			}
			for k := range model.Dims() {
				if c := mat.Col(nil, k, model.Embedding()); slices.Max(c) == slices.Min(c) && collapsed(model) == "" && len(warnings(model, "is constant")) == 0 {
					t.Errorf("%s, %s: dimension %d is constant; warnings %q", name, m.Name, k, model.Report().Warnings)
				}
			}
		}
	}
}
