package ssdrnb

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
)

// rings are noisy circles side by side, one class each; a share of the samples is labelled.
func rings(classes, per int, labelled float64, seed uint64) *Data {
	rng := rand.New(rand.NewPCG(seed, 9))
	n := classes * per
	x, labels := mat.NewDense(n, 4, nil), make([]int, n)
	for i := range n {
		c, a := i%classes, 2*math.Pi*rng.Float64()
		x.SetRow(i, []float64{1.6*float64(c) + math.Cos(a), math.Sin(a), 0.2 * rng.NormFloat64(), 0.2 * rng.NormFloat64()})
		labels[i] = c
		if rng.Float64() >= labelled {
			labels[i] = -1
		}
	}
	return NewData(x, labels)
}

// TestDavidson compares the iterative solver with full eigendecompositions.
func TestDavidson(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	full, half, one := rings(4, 50, 1, 1), rings(4, 50, 0.5, 2), rings(1, 200, 1, 3)
	for _, c := range []struct {
		name string
		spec Spec
		d    *Data
	}{
		{"all labelled", S2LAE().Spec(), full},
		{"more dimensions than classes", S2LAE().Dims(6).Spec(), full},
		{"half of the pairs", S2LAE().Proportion(0.5).Ridge(1e-2).Spec(), full},
		{"half labelled, unlabelled tied", S2LAE().UnlabelledWeight(0.1).Spec(), half},
		{"half labelled, unlabelled tied as the pairs", S2LAE().UnlabelledWeight(1).Spec(), half},
		{"half labelled, unlabelled tied above all", S2LAE().UnlabelledWeight(1e4).Spec(), half},
		{"large ridge", S2LAE().Ridge(1).Spec(), full},
		{"huge ridge", S2LAE().Ridge(100).Spec(), full},
		{"heat weights", S2LAE().Affinity(Heat).Spec(), full},
		{"no ridge", S2LAE().Dims(4).Ridge(0).Spec(), full},
		{"one class", S2LAE().Ridge(0).Spec(), one},
		{"no global term", S2LAE().Global(0).Spec(), full},
		{"global term alone", S2LAE().Global(1).Ridge(0.1).Dims(5).Spec(), full},
		{"S2LLE", S2LLE().Spec(), full},
		{"S2LLE, half labelled, tied", S2LLE().UnlabelledWeight(0.05).Spec(), half},
		{"S2LLE, half labelled, tied above all", S2LLE().UnlabelledWeight(1e4).Spec(), half},
		{"KS2LAE", KS2LAE().Spec(), full},
		{"KS2LLE", KS2LLE().Proportion(0.7).Spec(), full},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJob(context.Background(), c.spec, c.d, newCache())
			j.start()
			build := map[string]func(*job) (*pairing.Problem, error){
				"S2LAE": problemS2LAE, "S2LLE": problemS2LLE,
				"KS2LAE": func(j *job) (*pairing.Problem, error) { p, _, err := problemKS2LAE(j); return p, err },
				"KS2LLE": func(j *job) (*pairing.Problem, error) { p, _, err := problemKS2LLE(j); return p, err },
			}[c.spec.Method().Name]
			p, err := build(j)
			if err != nil {
				t.Fatal(err)
			}
			d := dimsOption.of(j)
			want, y, err := smallRatio(j, p, d)
			if err != nil {
				t.Fatal(err)
			}
			got, z, err := largeRatio(j, p, d)
			if err != nil {
				t.Fatal(err)
			}
			if rel := math.Abs(got.Lambda-want.Lambda) / want.Lambda; rel > 1e-9 {
				t.Errorf("λ* = %.15g, want %.15g (relative %.1e)", got.Lambda, want.Lambda, rel)
			}
			difference := outer(y)
			difference.Sub(difference, outer(z))
			worst := max(mat.Max(difference), -mat.Min(difference))
			if want.Unique && worst > 1e-6 {
				t.Errorf("projectors differ by %g, gap %g", worst, want.Gap)
			}
			if math.Abs(got.Gap-want.Gap) > 1e-3*max(want.Gap, 1e-3) {
				t.Errorf("gap %g, want %g", got.Gap, want.Gap)
			}
			for k := range d {
				if math.Abs(got.Values[k]-want.Values[k]) > 1e-7*max(1, math.Abs(want.Values[0])) {
					t.Errorf("eigenvalue %d: %.12g, want %.12g", k, got.Values[k], want.Values[k])
				}
			}
			steps, _ := j.report.Fact("Davidson steps")
			t.Logf("λ* %.6g, gap %.3g, components %d, %v steps, projectors differ by %.1e", got.Lambda, got.Gap, p.Groups, steps, worst)
		})
	}
}

// With too few steps the solver warns and returns the best result so far.
func TestRatioWithin(t *testing.T) {
	j := newJob(context.Background(), S2LAE().Spec(), rings(4, 50, 1, 1), newCache())
	j.start()
	p, err := problemS2LAE(j)
	if err != nil {
		t.Fatal(err)
	}
	r, y, err := ratioWithin(j, p, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	if numerator, denominator := p.Parts(y); math.Abs(numerator/denominator-r.Lambda) > 1e-6*r.Lambda {
		t.Errorf("λ = %v, the embedding attains %v", r.Lambda, numerator/denominator)
	}
	if w := j.report.Warnings; !slices.ContainsFunc(w, func(s string) bool { return strings.Contains(s, "did not converge in 1 steps") }) {
		t.Errorf("warnings %q", w)
	}
}
