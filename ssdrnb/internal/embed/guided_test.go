package embed_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/guide"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// The reference cases contain the affinities of all pairs, multiplied by the agreement of each
// pair, and the gradient at given positions, which was checked by finite differences.
func TestGoldenGuidedTSNE(t *testing.T) {
	type reference struct {
		Input struct {
			X, Opinions, Y                  [][]float64
			Perplexity, Least, Exaggeration float64
			Ties                            []float64
		}
		Output struct {
			FullRow0   []float64 `json:"full_row0"`
			FullSumSq  float64   `json:"full_sum_sq"`
			JointRow0  []float64 `json:"joint_row0"`
			JointRow1  []float64 `json:"joint_row1"`
			JointSumSq float64   `json:"joint_sum_sq"`
			KL         float64
			Gradient   [][]float64
		}
		Tolerance struct{ Rel float64 }
	}
	golden.EachOfKind(t, "guided_tsne", func(t *testing.T, g *reference) {
		in, want := g.Input, g.Output
		near := func(what string, got, want []float64) {
			if len(got) != len(want) {
				t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
			}
			most := 0.0
			for _, v := range want {
				most = max(most, math.Abs(v))
			}
			for k, v := range want {
				if !(math.Abs(got[k]-v) <= g.Tolerance.Rel*most) {
					t.Fatalf("%s %d is %v, want %v", what, k, got[k], v)
				}
			}
		}
		row := func(p *sparse.CSR, i int) []float64 {
			out := make([]float64, p.Cols)
			for j := range out {
				out[j] = p.At(i, j)
			}
			return out
		}
		square := func(p *sparse.CSR) []float64 {
			s := 0.0
			for _, v := range p.Val {
				s += v * v
			}
			return []float64{s}
		}
		nb, err := graph.Search(t.Context(), golden.Dense(in.X), len(in.X)-1, graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			t.Fatal(err)
		}
		affinities, err := embed.Perplexity(nb, in.Perplexity)
		if err != nil {
			t.Fatal(err)
		}
		a, err := guide.NewAgreement(golden.Dense(in.Opinions), in.Least)
		if err != nil {
			t.Fatal(err)
		}
		guided := func(caution float64) *sparse.CSR {
			p, err := a.Guide(affinities.P, 1, guide.Cautious(in.Ties, caution))
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for _, v := range p.Val {
				sum += v
			}
			return p.Scale(1 / sum)
		}
		full, joint := guided(0), guided(1)
		near("guided affinity of sample 0 to", row(full, 0), want.FullRow0)
		near("sum of squares", square(full), []float64{want.FullSumSq})
		near("cautious affinity of sample 0 to", row(joint, 0), want.JointRow0)
		near("cautious affinity of sample 1 to", row(joint, 1), want.JointRow1)
		near("sum of squares", square(joint), []float64{want.JointSumSq})
		y := golden.Dense(in.Y)
		kl, err := embed.Divergence(nil, joint, y, 1)
		if err != nil {
			t.Fatal(err)
		}
		near("divergence", []float64{kl}, []float64{want.KL})
		gradient := mat.DenseCopyOf(y)
		if _, err := embed.Divergence(gradient, joint.Scale(in.Exaggeration), y, 1); err != nil {
			t.Fatal(err)
		}
		near("coordinate of the gradient", gradient.RawMatrix().Data, slices.Concat(want.Gradient...))
	})
}
