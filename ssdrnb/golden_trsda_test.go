package ssdrnb

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

func init() {
	goldenFamilies["trsda_kernel"] = goldenKernel
}

// goldenKernel: the pivoted Cholesky factor, kernel PCA, and TR-KLDA and TR-KSDA
// through their builders.
func goldenKernel(c *golden) {
	x, labels := c.mat("X"), c.whole("labels")
	d := NewData(x, labels)
	d.Truth = c.whole("y_true")
	scale, k := c.num("rbf_scale"), int(c.num("k"))
	sigma, err := graph.HalfMedian(context.Background(), x, graph.Euclidean)
	if err != nil {
		c.Fatal(err)
	}
	c.near("sigma", sigma, 1e-10)
	dims := len(d.Classes()) - 1
	base := TRKSDA().Scale(scale).Cut(c.num("kpca_keep_relative_eigenvalue")).Neighbors(k).Manifold(c.num("rel")).Dims(dims)

	j := newJob(context.Background(), base.Spec(), d, newCache())
	j.start()
	s, err := kernelSpanOf(j)
	if err != nil {
		c.Fatal(err)
	}
	f := s.kernel.factor
	c.near("rank", float64(len(f.Pivots)), 0)
	for i, want := range c.whole("pivots") {
		if f.Pivots[i] != want {
			c.Errorf("pivots[%d]: got %d, want %d", i, f.Pivots[i], want)
		}
	}
	c.near("kpca_dims", float64(len(s.variance)), 0)
	n := float64(d.Len())
	eigenvalues := make([]float64, len(s.variance))
	for i, v := range s.variance {
		eigenvalues[i] = v * n
	}
	c.nearAll("kpca_eigvals", eigenvalues, 1e-9)
	w, err := neighborGraph(j, s.points(j.x()))
	if err != nil {
		c.Fatal(err)
	}
	m, err := smoothness(j, s, w)
	if err != nil {
		c.Fatal(err)
	}
	sc := scatterOf(j, s)
	c.near("trKLb", sc.Level.Between, 1e-9)
	c.near("trKLw", sc.Level.Within, 1e-9)
	c.near("trKLm", dense.Roughness(w, f.F), 1e-9)
	lambda := manifoldWeight(j, sc, m)
	c.near("lambda_m", lambda, 1e-9)

	whole := discriminant.NewScatter(f.F, labels, d.Classes())
	for _, method := range []struct {
		at       string
		e        Estimator
		manifold bool
	}{
		{"tr_klda.", TRKLDA().Scale(scale).Cut(c.num("kpca_keep_relative_eigenvalue")).Dims(dims).Ridge(c.num("tr_klda.alpha")), false},
		{"tr_ksda.", base.Ridge(c.num("tr_ksda.alpha")), true},
	} {
		at, alpha := method.at, c.num(method.at+"alpha")
		m := c.model(method.e, d)
		c.near(at+"lambda_star", c.fact(m, "λ*"), 1e-9)
		c.prefix(at+"itr_lambdas", m.Report().Traces[0].Lambda, 1e-8, 0)
		score := c.model(method.e.Spec().With("solver", ITRScore), d)
		c.prefix(at+"score_lambdas", score.Report().Traces[0].Lambda, 1e-8, 0)
		if gap := c.fact(m, "eigengap"); (gap > 1e-8*c.fact(m, "λ*")) != c.at(at+"gap_ok").(bool) {
			c.Errorf("%sgap_ok: the gap is %g", at, gap)
		}
		y := m.Embedding()
		c.nearMat(at+"gram_YYt", outer(mat.DenseCopyOf(y.Slice(0, 40, 0, dims))), 1e-5)
		got, err := m.Score(NearestNeighbor, nil)
		if err != nil {
			c.Fatal(err)
		}
		c.near(at+"accuracy_unlabelled", got, 1e-12)
		if c.has("X_test") {
			goldenKernelTest(c, at, m, d)
		}
		// Without centring and truncation the same problem has another optimum.
		b := dense.AddRidge(whole.Within, alpha)
		if method.manifold {
			b = dense.Plus(b, lambda, dense.Quadratic(graph.Laplacian(w), f.F))
		}
		r, _, _, _ := c.solve(whole.Between, b, dims, spectral.TraceRatioOptions{})
		c.near(at+"lambda_star_uncentred", r.Lambda, 1e-9)
	}
}

// goldenKernelTest checks new points by their distances to the labelled samples.
func goldenKernelTest(c *golden, at string, m *Model, d *Data) {
	c.Helper()
	test := NewData(c.mat("X_test"), nil)
	test.Truth = c.whole("y_test")
	got, err := m.Score(NearestNeighbor, test)
	if err != nil {
		c.Fatal(err)
	}
	c.near(at+"accuracy_test", got, 1e-12)
	z, err := m.Transform(test.X)
	if err != nil {
		c.Fatal(err)
	}
	var labelled []int
	for i, l := range d.Labels {
		if l >= 0 {
			labelled = append(labelled, i)
		}
	}
	for i := range c.count(at + "test_sqdist_to_labelled") {
		path := fmt.Sprintf("%stest_sqdist_to_labelled.%d", at, i)
		want := c.nums(path)
		if len(want) != len(labelled) {
			c.Fatalf("%s: %d distances for %d labelled samples", path, len(want), len(labelled))
		}
		for k, w := range want {
			if got := samples.SquaredDistance(z.RawRowView(i), m.Embedding().RawRowView(labelled[k])); math.Abs(got-w) > 1e-5*max(1e-3, w) {
				c.Errorf("%s[%d]: got %v, want %v", path, k, got, w)
			}
		}
	}
}

// goldenLapLDA: the file has the c columns of W before their rotation.
func (c *golden) goldenLapLDA(d *Data, k int) {
	c.Helper()
	const at = "methods.lap_lda."
	want := c.mat(at + "W")
	_, columns := want.Dims()
	m := c.model(LapLDA().Dims(columns-1).Neighbors(k).Balance(Absolute).Manifold(c.num(at+"params.lam1")).Ridge(c.num(at+"params.lam2")), d)
	if !mat.EqualApprox(outer(c.w(m)), outer(want), 1e-9*mat.Norm(outer(want), 2)) {
		c.Errorf("%sW: another W·Wᵀ", at)
	}
	c.read["methods.lap_lda"] = true
}
