package guide

import (
	"context"
	"math"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// reference is a reference case that was computed by dense linear algebra.
type reference struct {
	Input struct {
		N       int
		Weights [][3]float64
		Labels  []int
		Pairs   [][3]int
		Alpha   float64
	}
	Output struct {
		U         [][]float64
		Predicted []int
		Edges     [][3]float64 `json:"F_edges"`
		Adjusted  [][3]float64
	}
	Tolerance struct{ Rel float64 }
}

// nearEdges compares the entries of a symmetric matrix with those above its diagonal,
// relative to the largest.
func nearEdges(t *testing.T, got *sparse.CSR, want [][3]float64, rel float64) {
	t.Helper()
	most := 0.0
	for _, e := range want {
		most = max(most, math.Abs(e[2]))
	}
	if got.NNZ() != 2*len(want) {
		t.Errorf("%d entries, want %d", got.NNZ(), 2*len(want))
	}
	for _, e := range want {
		for _, v := range []float64{got.At(int(e[0]), int(e[1])), got.At(int(e[1]), int(e[0]))} {
			if !(math.Abs(v-e[2]) <= rel*most) {
				t.Fatalf("edge (%v, %v) is %v, want %v", e[0], e[1], v, e[2])
			}
		}
	}
}

func TestGoldenPoisson(t *testing.T) {
	golden.Each(t, "ne_poisson_*", func(t *testing.T, g *reference) {
		o, err := Poisson(context.Background(), golden.Symmetric(t, g.Input.N, g.Input.Weights), g.Input.Labels, len(g.Output.U[0]), 1, 1e-11)
		if err != nil || !o.Converged {
			t.Fatal(o, err)
		}
		most := 0.0
		for _, row := range g.Output.U {
			for _, v := range row {
				most = max(most, math.Abs(v))
			}
		}
		for i, row := range g.Output.U {
			best := 0
			for c, v := range row {
				if !(math.Abs(o.U.At(i, c)-v) <= g.Tolerance.Rel*most) {
					t.Fatalf("U[%d][%d] is %v, want %v", i, c, o.U.At(i, c), v)
				}
				if o.U.At(i, c) > o.U.At(i, best) {
					best = c
				}
			}
			if best != g.Output.Predicted[i] {
				t.Errorf("class of %d is %d, want %d", i, best, g.Output.Predicted[i])
			}
		}
	})
}

func TestGoldenPairs(t *testing.T) {
	golden.Each(t, "ne_e2cp_*", func(t *testing.T, g *reference) {
		w := golden.Symmetric(t, g.Input.N, g.Input.Weights)
		var pairs data.Pairs
		for _, p := range g.Input.Pairs {
			if q := (data.Pair{I: p[0], J: p[1]}); p[2] > 0 {
				pairs.Must = append(pairs.Must, q)
			} else {
				pairs.Cannot = append(pairs.Cannot, q)
			}
		}
		f, err := Propagate(context.Background(), w, pairs, g.Input.Alpha, 1e-11)
		if err != nil {
			t.Fatal(err)
		}
		nearEdges(t, f.F, g.Output.Edges, g.Tolerance.Rel)
		guided, err := f.Guide(w, 1)
		if err != nil {
			t.Fatal(err)
		}
		nearEdges(t, guided, g.Output.Adjusted, g.Tolerance.Rel)
	})
}
