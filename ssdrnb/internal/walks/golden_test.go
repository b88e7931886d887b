package walks

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
)

// The reference cases were computed with dense inverses by the definitions: each label is removed
// and everything computed again, and absorption is solved for each pick.

type tolerance struct {
	Rel, Abs  float64
	FittedRel float64 `json:"fitted_rel"`
}

func (t tolerance) near(got, want float64) bool {
	return math.Abs(got-want) <= t.Abs+t.Rel*math.Abs(want)
}

type input struct {
	Weights [][3]float64
	Labels  []int
	Classes int
	Batch   int
	Samples []int
}

func (t tolerance) nearRows(tt *testing.T, what string, got *mat.Dense, want [][]float64) {
	tt.Helper()
	n, c := got.Dims()
	if n != len(want) || n > 0 && c != len(want[0]) {
		tt.Fatalf("%s is %d×%d, want %d×%d", what, n, c, len(want), len(want[0]))
	}
	for i, row := range want {
		for k, v := range row {
			if !t.near(got.At(i, k), v) {
				tt.Fatalf("%s[%d][%d] is %v, want %v", what, i, k, got.At(i, k), v)
			}
		}
	}
}

const exact = 1e-12

func TestGoldenOpinion(t *testing.T) {
	type reference struct {
		Input  input
		Output struct {
			Carry             float64
			Prior             []float64
			Share, U          [][]float64
			Probability       [][]float64
			Predicted         []int
			Fitted, Sharpness float64
		}
		Tolerance tolerance
	}
	golden.Each(t, "know_opinion_*", func(t *testing.T, g *reference) {
		o, err := Opinions(t.Context(), golden.Symmetric(t, len(g.Input.Labels), g.Input.Weights), g.Input.Labels, g.Input.Classes, Options{Tolerance: exact})
		if err != nil || !o.Converged {
			t.Fatal(o, err)
		}
		want, tol := g.Output, g.Tolerance
		if !tol.near(o.Carry, want.Carry) {
			t.Errorf("carry %v, want %v", o.Carry, want.Carry)
		}
		for k, v := range want.Prior {
			if !tol.near(o.Prior[k], v) {
				t.Errorf("prior %v, want %v", o.Prior, want.Prior)
			}
		}
		tol.nearRows(t, "share", o.Share, want.Share)
		tol.nearRows(t, "probability", o.Probabilities(), want.Probability)
		if got := o.Predicted(); !slices.Equal(got, want.Predicted) {
			t.Errorf("predicted %v, want %v", got, want.Predicted)
		}
		switch {
		case want.Fitted < 0 != math.IsNaN(o.Fitted):
			t.Errorf("fitted %v, want %v", o.Fitted, want.Fitted)
		case want.Fitted >= 0 && !(math.Abs(o.Fitted-want.Fitted) <= tol.FittedRel*want.Fitted):
			t.Errorf("fitted %v, want %v", o.Fitted, want.Fitted)
		}
		if !(math.Abs(o.Sharpness-want.Sharpness) <= max(tol.FittedRel, tol.Rel)*want.Sharpness) {
			t.Errorf("sharpness %v, want %v", o.Sharpness, want.Sharpness)
		}
		// The values of Poisson learning are the visits of each class minus the prior's share of
		// all visits.
		tol.nearRows(t, "U", o.Poisson(), want.U)
	})
}

func TestGoldenVerdict(t *testing.T) {
	type reference struct {
		Input  input
		Output struct {
			Labelled, Checkable []int
			Even                [][]float64
			Suspicion           []float64
			Prefers             []int
			Disagrees, Strongly []int
		}
		Tolerance tolerance
	}
	golden.Each(t, "know_verdict_*", func(t *testing.T, g *reference) {
		o, err := Opinions(t.Context(), golden.Symmetric(t, len(g.Input.Labels), g.Input.Weights), g.Input.Labels, g.Input.Classes, Options{Tolerance: exact})
		if err != nil {
			t.Fatal(err)
		}
		all, err := o.Verdicts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want, tol := g.Output, g.Tolerance
		if !slices.Equal(o.Labelled, want.Labelled) {
			t.Fatalf("labelled %v, want %v", o.Labelled, want.Labelled)
		}
		even := mat.NewDense(len(all), len(all[0].Even), nil)
		for a, v := range all {
			even.SetRow(a, v.Even)
			if v.Checkable != (want.Checkable[a] == 1) || v.Prefers != want.Prefers[a] {
				t.Errorf("label of %d: %+v, want checkable %d, prefers %d", v.Sample, v, want.Checkable[a], want.Prefers[a])
			}
			if v.Disagrees != slices.Contains(want.Disagrees, v.Sample) || v.Strongly != slices.Contains(want.Strongly, v.Sample) {
				t.Errorf("label of %d: %+v, want %v to disagree, %v strongly", v.Sample, v, want.Disagrees, want.Strongly)
			}
			if suspicion := v.Suspicion; v.Checkable && !tol.near(suspicion, want.Suspicion[a]) || !v.Checkable && !math.IsNaN(suspicion) {
				t.Errorf("suspicion of %d: %v, want %v", v.Sample, suspicion, want.Suspicion[a])
			}
		}
		tol.nearRows(t, "even", even, want.Even)
	})
}

func TestGoldenSuggest(t *testing.T) {
	type reference struct {
		Input  input
		Output struct {
			Length   float64
			Steps    int
			FirstMet [][]float64 `json:"first_met"`
			Picks    []int
		}
		Tolerance tolerance
	}
	golden.Each(t, "know_suggest_*", func(t *testing.T, g *reference) {
		w := golden.Symmetric(t, len(g.Input.Labels), g.Input.Weights)
		met, err := meet(t.Context(), w, Degrees(w), g.Input.Labels, g.Input.Classes, crowd, exact)
		if err != nil {
			t.Fatal(err)
		}
		if met.steps != g.Output.Steps {
			t.Errorf("%d steps, want %d", met.steps, g.Output.Steps)
		}
		if g.Input.Classes > 0 {
			g.Tolerance.nearRows(t, "first met", met.first, g.Output.FirstMet)
		}
		picks, err := Suggest(t.Context(), w, g.Input.Labels, g.Input.Classes, len(g.Output.Picks), exact)
		if err != nil || !slices.Equal(picks, g.Output.Picks) {
			t.Errorf("picks %v (%v), want %v", picks, err, g.Output.Picks)
		}
	})
}

func TestGoldenExplain(t *testing.T) {
	type reference struct {
		Input  input
		Output struct {
			Explanations []struct {
				Sample   int
				Labelled []int
				ByLabel  []float64 `json:"by_label"`
				ByLink   [][2]any  `json:"by_link"`
				Share    []float64
			}
		}
		Tolerance tolerance
	}
	golden.Each(t, "know_explain_*", func(t *testing.T, g *reference) {
		o, err := Opinions(t.Context(), golden.Symmetric(t, len(g.Input.Labels), g.Input.Weights), g.Input.Labels, g.Input.Classes, Options{Tolerance: exact})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range g.Output.Explanations {
			labels, edges, err := o.Reasons(t.Context(), want.Sample)
			if err != nil {
				t.Fatal(err)
			}
			part := map[int]Reason{}
			for _, r := range labels {
				part[r.Sample] = r
			}
			for a, l := range want.Labelled {
				if !g.Tolerance.near(part[l].Weight, want.ByLabel[a]) {
					t.Errorf("the label of %d supports %d by %v, want %v", l, want.Sample, part[l].Weight, want.ByLabel[a])
				}
			}
			clear(part)
			for _, r := range edges {
				part[r.Sample] = r
			}
			share := make([]float64, len(want.Share))
			for _, link := range want.ByLink {
				j := int(link[0].(float64))
				for k, v := range link[1].([]any) {
					if !g.Tolerance.near(part[j].Classes[k], v.(float64)) {
						t.Errorf("the edge from %d to %d has %v, want %v", want.Sample, j, part[j].Classes, link[1])
					}
					share[k] += part[j].Classes[k]
				}
			}
			for k, v := range want.Share {
				if !g.Tolerance.near(share[k], v) {
					t.Errorf("edges of %d sum to %v, want %v", want.Sample, share, want.Share)
				}
			}
			for _, list := range [][]Reason{labels, edges} {
				if !slices.IsSortedFunc(list, func(a, b Reason) int { return cmp.Compare(b.Weight, a.Weight) }) {
					t.Errorf("reasons of %d are out of order: %v", want.Sample, list)
				}
			}
		}
	})
}
