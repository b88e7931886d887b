package guide

import (
	"math"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
)

// The references were computed by dense inverses.
func TestGoldenGuidedOpinion(t *testing.T) {
	type reference struct {
		Input struct {
			Weights          [][3]float64
			N                int
			Labels           []int
			Sharpness, Least float64
		}
		Output struct {
			U, Probabilities       [][]float64
			Ties                   []float64
			Guided, Half, Cautious [][3]float64
		}
		Tolerance struct{ Rel float64 }
	}
	golden.EachOfKind(t, "guided_opinion", func(t *testing.T, g *reference) {
		w := golden.Symmetric(t, g.Input.N, g.Input.Weights)
		classes := len(g.Output.U[0])
		walked, err := walks.Opinions(t.Context(), walks.Sharpened(w, g.Input.Sharpness), g.Input.Labels, classes, walks.Options{Tolerance: 1e-13, Checked: -1})
		if err != nil || !walked.Converged {
			t.Fatal(err)
		}
		o := OpinionOf(walked)
		near := func(what string, at func(i, c int) float64, want [][]float64) {
			most := 0.0
			for _, row := range want {
				for _, v := range row {
					most = max(most, math.Abs(v))
				}
			}
			for i, row := range want {
				for c, v := range row {
					if !(math.Abs(at(i, c)-v) <= g.Tolerance.Rel*most) {
						t.Fatalf("%s of sample %d, class %d: %v, want %v", what, i, c, at(i, c), v)
					}
				}
			}
		}
		near("U", o.U.At, g.Output.U)
		near("probability", o.Probabilities().At, g.Output.Probabilities)
		a, err := NewAgreement(o.Probabilities(), g.Input.Least)
		if err != nil {
			t.Fatal(err)
		}
		ties, err := a.Ties(w)
		if err != nil {
			t.Fatal(err)
		}
		near("ties", func(_, i int) float64 { return ties[i] }, [][]float64{g.Output.Ties})
		for _, c := range []struct {
			guidance, caution float64
			want              [][3]float64
		}{{1, 0, g.Output.Guided}, {0.5, 0, g.Output.Half}, {1, 1, g.Output.Cautious}} {
			guided, err := a.Guide(w, c.guidance, Cautious(ties, c.caution))
			if err != nil {
				t.Fatal(err)
			}
			nearEdges(t, guided, c.want, g.Tolerance.Rel)
		}
	})
}
