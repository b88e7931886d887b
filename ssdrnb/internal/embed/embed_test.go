package embed

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// reference is a reference case computed by other programs.
type reference struct {
	Input struct {
		MinDist      float64 `json:"min_dist"`
		Spread       float64
		X, Y         [][]float64
		K, N         int
		A, B         float64
		Weights      [][3]float64
		Labels       []int
		FarDist      float64 `json:"far_dist"`
		Perplexity   float64
		Connectivity float64 `json:"local_connectivity"`
		Mix          float64 `json:"set_op_mix_ratio"`
		DOF          float64
	}
	Output struct {
		A, B, KL              float64
		Sigma, Rho, Beta      []float64
		Graph                 [][3]float64
		Attractive, Repulsive float64
		Gradient              [][]float64
		JointRow0             []float64 `json:"joint_row0"`
		JointSumSq            float64   `json:"joint_sum_sq"`
	}
	Tolerance struct{ Rel, Abs float64 }
}

// near reports values that differ by more than the tolerance of the case.
func (g *reference) near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= g.Tolerance.Rel*math.Abs(want)+g.Tolerance.Abs) {
		t.Errorf("%s is %.10g, want %.10g", what, got, want)
	}
}

// nearRows compares matrices by rows, relative to the largest entry wanted.
func (g *reference) nearRows(t *testing.T, what string, got *mat.Dense, want [][]float64) {
	t.Helper()
	most := 0.0
	for _, row := range want {
		for _, v := range row {
			most = max(most, math.Abs(v))
		}
	}
	for i, row := range want {
		for j, v := range row {
			if !(math.Abs(got.At(i, j)-v) <= g.Tolerance.Rel*most) {
				t.Fatalf("%s[%d][%d] is %.10g, want %.10g", what, i, j, got.At(i, j), v)
			}
		}
	}
}

// nearGraph compares a symmetric graph with its entries above the diagonal.
func (g *reference) nearGraph(t *testing.T, got *sparse.CSR, want [][3]float64) {
	t.Helper()
	if got.NNZ() != 2*len(want) {
		t.Errorf("%d entries, want %d", got.NNZ(), 2*len(want))
	}
	for _, e := range want {
		g.near(t, "weight", got.At(int(e[0]), int(e[1])), e[2])
		if got.At(int(e[0]), int(e[1])) != got.At(int(e[1]), int(e[0])) {
			t.Errorf("edge %v is not symmetric", e)
		}
	}
}

func neighbors(t testing.TB, x *mat.Dense, k int) *graph.Neighbors {
	t.Helper()
	nb, err := graph.Search(context.Background(), x, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

func TestGoldenFuzzy(t *testing.T) {
	check := func(t *testing.T, g *reference, o FuzzyOptions) {
		f, err := Fuzzy(neighbors(t, golden.Dense(g.Input.X), g.Input.K-1), o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Rho {
			g.near(t, "rho", f.Rho[i], g.Output.Rho[i])
			g.near(t, "sigma", f.Sigma[i], g.Output.Sigma[i])
		}
		g.nearGraph(t, f.W, g.Output.Graph)
	}
	golden.Each(t, "ne_fuzzy_*", func(t *testing.T, g *reference) { check(t, g, PlainFuzzy) })
	golden.Each(t, "ne_fuzzymix_*", func(t *testing.T, g *reference) {
		check(t, g, FuzzyOptions{g.Input.Connectivity, g.Input.Mix})
	})
}

// The intersection has only edges that both ends list, and no stored zeros. A sample whose
// neighbours are all duplicates has no edges.
func TestFuzzyMix(t *testing.T) {
	x := mat.NewDense(40, 2, nil)
	for i := range 40 {
		x.SetRow(i, []float64{math.Sqrt(float64(i)), float64(i * i % 7)})
	}
	for i := range 5 {
		x.SetRow(i, []float64{1, 1}) // five duplicates
	}
	nb := neighbors(t, x, 4)
	union, err := Fuzzy(nb, PlainFuzzy)
	if err != nil {
		t.Fatal(err)
	}
	both, err := Fuzzy(nb, FuzzyOptions{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	mixed, err := Fuzzy(nb, FuzzyOptions{1, 0.3})
	if err != nil {
		t.Fatal(err)
	}
	directed := nb.Directed()
	for i := range 40 {
		cols, vals := directed.Row(i)
		for k, j := range cols {
			a, b := membership(vals[k], union.Rho[i], union.Sigma[i]), 0.0
			if back, dist := nb.Of(int(j)); slices.Contains(back, int32(i)) {
				b = membership(dist[slices.Index(back, int32(i))], union.Rho[j], union.Sigma[j])
			}
			for what, c := range map[string][2]float64{"union": {union.W.At(i, int(j)), a + b - a*b}, "intersection": {both.W.At(i, int(j)), a * b},
				"mix": {mixed.W.At(i, int(j)), 0.3*(a+b-a*b) + 0.7*a*b}} {
				if math.Abs(c[0]-c[1]) > 1e-15 {
					t.Errorf("%s of edge %d, %d is %v, want %v", what, i, j, c[0], c[1])
				}
			}
		}
	}
	for _, v := range both.W.Val {
		if !(v > 0) {
			t.Errorf("a weight of the intersection is %v", v)
		}
	}
	if union.Rho[0] != 0 {
		t.Errorf("a duplicate of all its neighbours reaches to %v", union.Rho[0])
	}
	for _, bad := range []FuzzyOptions{{-1, 1}, {math.NaN(), 1}, {math.Inf(1), 1}, {1, -0.1}, {1, 1.1}, {1, math.NaN()}} {
		if _, err := Fuzzy(nb, bad); !errors.Is(err, ErrOption) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestGoldenLabels(t *testing.T) {
	golden.Each(t, "ne_umaplabels_*", func(t *testing.T, g *reference) {
		f, err := Fuzzy(neighbors(t, golden.Dense(g.Input.X), g.Input.K-1), PlainFuzzy)
		if err != nil {
			t.Fatal(err)
		}
		far, err := LabelDistance(0.5)
		if err != nil || far != g.Input.FarDist {
			t.Fatalf("distance %v, %v", far, err)
		}
		w, err := UseLabels(f.W, g.Input.Labels, far)
		if err != nil {
			t.Fatal(err)
		}
		g.nearGraph(t, w, g.Output.Graph)
	})
}

func TestGoldenCurve(t *testing.T) {
	golden.Each(t, "ne_ab_*", func(t *testing.T, g *reference) {
		c, err := FitCurve(g.Input.MinDist, g.Input.Spread)
		if err != nil {
			t.Fatal(err)
		}
		g.near(t, "a", c.A, g.Output.A)
		g.near(t, "b", c.B, g.Output.B)
	})
}

// The exponent of the curve is dimensionless: it does not depend on units, up to the last digits.
func TestCurveUnits(t *testing.T) {
	for _, share := range []float64{0, 0.001, 0.1, 0.5, 1} {
		want, err := FitCurve(share, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, spread := range []float64{1e-5, 0.7, 3, 1e5} {
			got, err := FitCurve(share*spread, spread)
			if err != nil {
				t.Fatal(err)
			}
			if a := got.A * math.Pow(spread, 2*got.B); !(math.Abs(got.B-want.B) < 1e-14*want.B) || !(math.Abs(a-want.A) < 1e-13*want.A) {
				t.Errorf("minimum distance %g of the spread %g: a %v, b %v, and %v, %v for the spread 1", share, spread, a, got.B, want.A, want.B)
			}
		}
	}
}

func TestGoldenCrossEntropy(t *testing.T) {
	golden.Each(t, "ne_crossentropy_*", func(t *testing.T, g *reference) {
		y := golden.Dense(g.Input.Y)
		n, d := y.Dims()
		grad := mat.NewDense(n, d, nil)
		attractive, repulsive, err := CrossEntropy(grad, golden.Symmetric(t, g.Input.N, g.Input.Weights), y, Curve{g.Input.A, g.Input.B})
		if err != nil {
			t.Fatal(err)
		}
		g.near(t, "attractive part", attractive, g.Output.Attractive)
		g.near(t, "repulsive part", repulsive, g.Output.Repulsive)
		g.nearRows(t, "gradient", grad, g.Output.Gradient)
	})
}

func TestGoldenTSNE(t *testing.T) {
	check := func(t *testing.T, g *reference) {
		x, y := golden.Dense(g.Input.X), golden.Dense(g.Input.Y)
		n, d := y.Dims()
		a, err := Perplexity(neighbors(t, x, n-1), g.Input.Perplexity)
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range g.Output.Beta {
			g.near(t, "beta", a.Beta[i], b)
		}
		square := 0.0
		for _, v := range a.P.Val {
			square += v * v
		}
		g.near(t, "sum of squares", square, g.Output.JointSumSq)
		for j, v := range g.Output.JointRow0 {
			g.near(t, "joint", a.P.At(0, j), v)
		}
		grad := mat.NewDense(n, d, nil)
		kl, err := Divergence(grad, a.P, y, cmp.Or(g.Input.DOF, 1))
		if err != nil {
			t.Fatal(err)
		}
		g.near(t, "divergence", kl, g.Output.KL)
		g.nearRows(t, "gradient", grad, g.Output.Gradient)
	}
	golden.Each(t, "ne_tsne_*", check)
	golden.Each(t, "ne_tsnedof_*", check) // by openTSNE 1.0.4
}
