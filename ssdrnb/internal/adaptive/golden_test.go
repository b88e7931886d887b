package adaptive_test

import (
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/adaptive"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// cases is the folder of the reference cases, shared with the tests of the methods.
var cases = filepath.Join("..", "..", "testdata", "golden")

func TestGoldenInitialAdaptive(t *testing.T) {
	type reference struct {
		Input struct {
			X [][]float64 `json:"X_rows"`
			K int
		}
		Output struct {
			S          [][3]float64
			GammaOf    []float64 `json:"gamma_i"`
			Gamma      float64
			Components int
			Values     []float64 `json:"laplacian_eigenvalues"`
		}
	}
	golden.EachIn(t, cases, "lmrag_init_*", func(t *testing.T, g *reference) {
		nb, err := graph.Search(t.Context(), golden.Dense(g.Input.X), g.Input.K+1, graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			t.Fatal(err)
		}
		a, err := adaptive.Initial(nb)
		if err != nil {
			t.Fatal(err)
		}
		golden.Entries(t, "S", a.S, g.Output.S, 1e-12)
		if math.Abs(a.Gamma-g.Output.Gamma) > 1e-12*g.Output.Gamma {
			t.Errorf("γ = %v, want %v", a.Gamma, g.Output.Gamma)
		}
		for i, want := range g.Output.GammaOf {
			if math.Abs(a.GammaOf[i]-want) > 1e-11*max(1, want) {
				t.Errorf("γ of %d is %v, want %v", i, a.GammaOf[i], want)
			}
		}
		w, err := a.Symmetric()
		if err != nil {
			t.Fatal(err)
		}
		if count, _ := graph.ComponentsAbove(w, 1e-12); count != g.Output.Components {
			t.Errorf("%d components, want %d", count, g.Output.Components)
		}
		l := graph.Laplacian(w).Dense()
		n, _ := l.Dims()
		sym := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				sym.SetSym(i, j, l.At(i, j))
			}
		}
		var eig mat.EigenSym
		if !eig.Factorize(sym, false) {
			t.Fatal("no eigenvalues")
		}
		for k, want := range g.Output.Values {
			if got := eig.Values(nil)[k]; math.Abs(got-want) > 1e-10 {
				t.Errorf("eigenvalue %d of L is %v, want %v", k, got, want)
			}
		}
	})
}

func TestGoldenAdaptiveStep(t *testing.T) {
	type reference struct {
		Input struct {
			P      [][]float64 `json:"P_rows"`
			F      [][]float64 `json:"F_rows"`
			Lambda float64     `json:"lam"`
			Gamma  float64
			K      int
		}
		Output struct {
			Full json.RawMessage `json:"S_full"`
			Near json.RawMessage `json:"S_knn"`
		}
	}
	golden.EachIn(t, cases, "lmrag_sstep_*", func(t *testing.T, g *reference) {
		z := mat.NewDense(len(g.Input.P), len(g.Input.P[0])+len(g.Input.F[0]), nil)
		for i, p := range g.Input.P {
			row := append(slices.Clone(p), g.Input.F[i]...)
			for c := len(p); c < len(row); c++ {
				row[c] *= math.Sqrt(g.Input.Lambda)
			}
			z.SetRow(i, row)
		}
		full, err := adaptive.Full(t.Context(), z, g.Input.Gamma)
		if err != nil {
			t.Fatal(err)
		}
		near, err := adaptive.Nearest(t.Context(), z, g.Input.K, g.Input.Gamma)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []struct {
			name string
			raw  json.RawMessage
			got  *sparse.CSR
		}{{"full", g.Output.Full, full}, {"nearest", g.Output.Near, near}} {
			var entries [][3]float64
			if err := json.Unmarshal(part.raw, &entries); err != nil {
				t.Fatal(err)
			}
			golden.Entries(t, part.name, part.got, entries, 1e-12)
		}
	})
}

// A non-positive width and overflowing distances are errors.
func TestRefused(t *testing.T) {
	z := golden.Dense([][]float64{{0}, {1}, {1e200}})
	if _, err := adaptive.Full(t.Context(), z, 1); !errors.Is(err, graph.ErrNotFinite) {
		t.Errorf("distances that overflow: %v", err)
	}
	z.Set(2, 0, 3)
	for _, gamma := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := adaptive.Full(t.Context(), z, gamma); !errors.Is(err, graph.ErrOption) {
			t.Errorf("γ = %v: %v", gamma, err)
		}
	}
	if _, err := adaptive.Full(t.Context(), z, 1); err != nil {
		t.Error(err)
	}
}
