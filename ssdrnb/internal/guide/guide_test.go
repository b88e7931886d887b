package guide

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// reference is a reference case computed by dense linear algebra.
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

// nearEdges compares the entries of a symmetric matrix with those above the diagonal, relative to
// the largest.
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

// The references have the field of Lu and Peng, in which a pair is weighted by its samples' share
// of P, computed by dense linear algebra.
func TestGoldenPairs(t *testing.T) {
	golden.Each(t, "ne_e2cp_*", func(t *testing.T, g *reference) {
		w := golden.Symmetric(t, g.Input.N, g.Input.Weights)
		degrees := walks.Degrees(w)
		system := w.Dense()
		system.Apply(func(i, j int, v float64) float64 {
			if i == j {
				return degrees[i] - g.Input.Alpha*v
			}
			return -g.Input.Alpha * v
		}, system)
		var green mat.Dense
		if err := green.Inverse(system); err != nil {
			t.Fatal(err)
		}
		share := func(i int) float64 { return (1 - g.Input.Alpha) * math.Sqrt(degrees[i]) * green.At(i, i) }
		sum := w.Clone()
		clear(sum.Val)
		for _, p := range g.Input.Pairs {
			q := data.Pair{I: p[0], J: p[1]}
			pairs := data.Pairs{Must: []data.Pair{q}}
			if p[2] < 0 {
				pairs = data.Pairs{Cannot: []data.Pair{q}}
			}
			f, err := Propagate(context.Background(), w, pairs, g.Input.Alpha, 1e-11, w)
			if err != nil {
				t.Fatal(err)
			}
			for i := range w.Rows {
				cols, vals := sum.Row(i)
				_, field := f[0].F.Row(i)
				for k, j := range cols {
					vals[k] += share(q.I) * share(q.J) * math.Sqrt(degrees[i]*degrees[j]) * field[k]
				}
			}
		}
		nearEdges(t, sum, g.Output.Edges, g.Tolerance.Rel)

		most := 0.0
		for _, e := range g.Output.Edges {
			most = max(most, math.Abs(e[2]))
		}
		for k := range sum.Val {
			sum.Val[k] /= most
		}
		guided, err := (&PairField{F: sum}).Guide(w, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		nearEdges(t, guided, g.Output.Adjusted, g.Tolerance.Rel)
	})
}

// On a path of four samples, walks and fields have a closed form.
func TestPropagatePath(t *testing.T) {
	const alpha = 0.6
	path := golden.Symmetric(t, 4, [][3]float64{{0, 1, 3}, {1, 2, 3}, {2, 3, 3}})
	on := golden.Symmetric(t, 4, [][3]float64{{0, 1, 0.2}, {1, 2, 0.2}, {2, 3, 0.2}, {0, 3, 0.2}})
	// A walk from an end reaches its neighbour unless it stops. A walk from an inner sample reaches
	// the other inner one in one step, or by way of the end behind it.
	const end, inner = alpha, alpha / 2 / (1 - alpha*alpha/2)
	f, err := Propagate(context.Background(), path, data.Pairs{Cannot: []data.Pair{{I: 2, J: 1}}}, alpha, 1e-12, on)
	if err != nil {
		t.Fatal(err)
	}
	nearEdges(t, f[0].F, [][3]float64{{0, 1, -2 * end * inner}, {1, 2, -1 - inner*inner}, {2, 3, -2 * end * inner}, {0, 3, -end*end - end*inner*end*inner}}, 1e-9)
	guided, err := f[0].Guide(on, 0.5, nil)
	if err != nil {
		t.Fatal(err)
	}
	nearEdges(t, guided, [][3]float64{{0, 1, 0.2 - 0.2*end*inner}, {1, 2, 0.1}, {2, 3, 0.2 - 0.2*end*inner}, {0, 3, 0.2 - 0.1*(end*end+end*inner*end*inner)}}, 1e-9)
	if f, err = Propagate(context.Background(), path, data.Pairs{Must: []data.Pair{{I: 0, J: 3}}}, alpha, 1e-12, on); err != nil {
		t.Fatal(err)
	}
	if guided, err = f[0].Guide(on, 1, nil); err != nil {
		t.Fatal(err)
	}
	if v := guided.At(0, 3); v != 1 {
		t.Errorf("a must-link weighs %v, want 1, however far its ends", v)
	}
	if _, err := Propagate(context.Background(), path, data.Pairs{}, alpha, 1e-9, golden.Symmetric(t, 3, nil)); !errors.Is(err, ErrShape) {
		t.Errorf("graphs of different orders: %v", err)
	}
}
