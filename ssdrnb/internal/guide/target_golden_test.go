package guide

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
)

// The reference cases were computed with dense inverses, singular values, and a fit per fold.

type tolerance struct{ Rel, Abs float64 }

func (t tolerance) near(got, want float64) bool {
	return math.Abs(got-want) <= t.Abs+t.Rel*math.Abs(want)
}

func (t tolerance) nearAll(tt *testing.T, what string, got, want []float64) {
	tt.Helper()
	if len(got) != len(want) {
		tt.Fatalf("%d numbers of %s, want %d", len(got), what, len(want))
	}
	for i, v := range want {
		if !t.near(got[i], v) {
			tt.Fatalf("%s[%d] is %v, want %v", what, i, got[i], v)
		}
	}
}

const exact = 1e-13 // tolerance of the walks

func TestGoldenTargetCarry(t *testing.T) {
	type reference struct {
		Input struct {
			Weights [][3]float64
			N       int
			Rows    []int
			Values  []float64
		}
		Output struct {
			Carry                 float64
			Value, Variance, Mass []float64
			Reached               []any
			Fold                  []int
			LeftOut               []float64 `json:"left_out"`
			Q2                    float64
		}
		Tolerance tolerance
	}
	golden.EachOfKind(t, "target_carry", func(t *testing.T, g *reference) {
		in, want := g.Input, g.Output
		w := golden.Symmetric(t, in.N, in.Weights)
		c, err := walks.NewCarrier(t.Context(), w, len(in.Rows), exact)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Apply(t.Context(), walks.Known{Rows: in.Rows, Values: [][]float64{in.Values}, Spread: true})
		if err != nil {
			t.Fatal(err)
		}
		if !g.Tolerance.near(c.Carry, want.Carry) {
			t.Errorf("carry %v, want %v", c.Carry, want.Carry)
		}
		g.Tolerance.nearAll(t, "value", got[0].Values[0], want.Value)
		g.Tolerance.nearAll(t, "variance", got[0].Variance, want.Variance)
		g.Tolerance.nearAll(t, "mass", got[0].Mass, want.Mass)
		for i, v := range want.Reached {
			if yes := v == true || v == 1.0; got[0].Reached[i] != yes {
				t.Errorf("sample %d reached: %v", i, !yes)
			}
		}
		fold := folds(in.Values)
		if !slices.Equal(fold, want.Fold) {
			t.Errorf("folds %v, want %v", fold, want.Fold)
		}
		leftOut := make([]float64, len(in.Rows))
		for f := range slices.Max(fold) + 1 {
			var k walks.Known
			k.Values = make([][]float64, 1)
			for a, i := range in.Rows {
				if fold[a] != f {
					k.Rows, k.Values[0] = append(k.Rows, i), append(k.Values[0], in.Values[a])
				}
			}
			part, err := c.Apply(t.Context(), k)
			if err != nil {
				t.Fatal(err)
			}
			for a, i := range in.Rows {
				if fold[a] == f {
					leftOut[a] = part[0].Values[0][i]
				}
			}
		}
		g.Tolerance.nearAll(t, "left out", leftOut, want.LeftOut)
		all, err := CarryTarget(t.Context(), w, mat.NewDense(in.N, 1, nil), Target{in.Rows, in.Values}, exact)
		if err != nil || !g.Tolerance.near(all.Q2[Walks], want.Q2) {
			t.Errorf("q2 %v (%v), want %v", all, err, want.Q2)
		}
	})
}

func TestGoldenTargetCarriers(t *testing.T) {
	type reference struct {
		Input struct {
			X       [][]float64
			Weights [][3]float64
			Rows    []int
			Values  []float64
		}
		Output struct {
			G                 float64
			Graph, Line, Both []float64
			Q2                []float64
			Chosen            string
			Strength          float64
		}
		Tolerance tolerance
	}
	golden.EachOfKind(t, "target_carriers", func(t *testing.T, g *reference) {
		in, want := g.Input, g.Output
		c, err := CarryTarget(t.Context(), golden.Symmetric(t, len(in.X), in.Weights), golden.Dense(in.X), Target{in.Rows, in.Values}, exact)
		if err != nil {
			t.Fatal(err)
		}
		if !g.Tolerance.near(c.Line.G, want.G) || !g.Tolerance.near(c.Strength, want.Strength) {
			t.Errorf("penalty %v and strength %v, want %v and %v", c.Line.G, c.Strength, want.G, want.Strength)
		}
		if want.Chosen == "graph" {
			want.Chosen = "walks"
		}
		if c.Chosen.String() != want.Chosen {
			t.Errorf("chosen %v, want %v", c.Chosen, want.Chosen)
		}
		g.Tolerance.nearAll(t, "q2", c.Q2[:], want.Q2)
		g.Tolerance.nearAll(t, "walks", c.By[Walks], want.Graph)
		g.Tolerance.nearAll(t, "line", c.By[ByLine], want.Line)
		g.Tolerance.nearAll(t, "both", c.By[Both], want.Both)
	})
}

func TestGoldenTargetFeature(t *testing.T) {
	type reference struct {
		Input struct {
			X                  [][]float64
			Weights            [][3]float64
			Value              []float64
			Strength, Guidance float64
			K                  int
		}
		Output struct {
			MedianX     float64 `json:"median_x"`
			MedianValue float64 `json:"median_value"`
			Factor      float64
			Neighbors   [][]int
		}
		Tolerance tolerance
	}
	golden.EachOfKind(t, "target_feature", func(t *testing.T, g *reference) {
		in, want := g.Input, g.Output
		x := golden.Dense(in.X)
		f, err := NewFeature(golden.Symmetric(t, len(in.X), in.Weights), x, in.Value, in.Guidance*in.Strength)
		if err != nil {
			t.Fatal(err)
		}
		for what, pair := range map[string][2]float64{"median of x": {f.Apart, want.MedianX}, "median of values": {f.Differ, want.MedianValue}, "factor": {f.Factor, want.Factor}} {
			if !g.Tolerance.near(pair[0], pair[1]) {
				t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
			}
		}
		nb, err := graph.Search(t.Context(), Widened(x, f.Of(in.Value)), in.K, graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range want.Neighbors {
			got, _ := nb.Of(i)
			for k, j := range row {
				if int(got[k]) != j {
					t.Fatalf("neighbours of %d: %v, want %v", i, got, row)
				}
			}
		}
	})
}
