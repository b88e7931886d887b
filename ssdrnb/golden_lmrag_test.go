package ssdrnb

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/adaptive"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

func init() {
	for family, check := range map[string]func(*golden){
		"lmrag_init": goldenLMRAGInit, "lmrag_simplex": goldenSimplex, "lmrag_sstep": goldenSStep,
		"lmrag_wstep": goldenWStep, "lmrag_run": goldenLMRAGRun, "lmrag_stuck": goldenLMRAGStuck,
		"lmrag_baseline laprls": goldenLapRLS, "lmrag_baseline fme": goldenFME, "lmrag_baseline trfsda": goldenTRFSDA,
	} {
		goldenFamilies[family] = check
	}
}

// lmragData reads samples, the first of them labelled.
func (c *golden) lmragData() *Data {
	c.Helper()
	x := c.mat("input.X_rows")
	n, _ := x.Dims()
	labels := c.whole("input.labels_first_l")
	if int(c.num("input.l")) != len(labels) || int(c.num("input.c")) != slices.Max(labels)+1 {
		c.Error("l or c do not agree with the labels")
	}
	return NewData(x, firstLabels(n, labels))
}

// entries compares a sparse matrix with a list of [row, column, value].
func (c *golden) entries(path string, m *sparse.CSR, tol float64) {
	c.Helper()
	want := map[[2]int]float64{}
	for k := range c.count(path) {
		e := c.nums(fmt.Sprintf("%s.%d", path, k))
		want[[2]int{int(e[0]), int(e[1])}] = e[2]
	}
	seen := 0
	for i := range m.Rows {
		cols, vals := m.Row(i)
		for k, j := range cols {
			w, ok := want[[2]int{i, int(j)}]
			if ok {
				seen++
			}
			if !(math.Abs(vals[k]-w) <= tol) {
				c.Fatalf("%s[%d][%d]: got %.15g, want %.15g", path, i, j, vals[k], w)
			}
		}
	}
	if seen == len(want) {
		return
	}
	for at, w := range want {
		if !(math.Abs(m.At(at[0], at[1])-w) <= tol) {
			c.Fatalf("%s%v: got %.15g, want %.15g", path, at, m.At(at[0], at[1]), w)
		}
	}
}

func goldenLMRAGInit(c *golden) {
	d := c.lmragData()
	k := int(c.num("input.k"))
	nb, err := graph.Search(context.Background(), d.X, k+1, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		c.Fatal(err)
	}
	for i := range d.Len() {
		index, _ := nb.Of(i)
		for m, want := range c.whole(fmt.Sprintf("output.neighbours.%d", i)) {
			if int(index[m]) != want {
				c.Errorf("neighbour %d of %d: got %d, want %d", m, i, index[m], want)
			}
		}
	}
	a, err := adaptive.Initial(nb)
	if err != nil {
		c.Fatal(err)
	}
	c.entries("output.S", a.S, 1e-9)
	c.nearAll("output.gamma_i", a.GammaOf, 1e-9)
	c.near("output.gamma", a.Gamma, 1e-9)
	both, err := a.Symmetric()
	if err != nil {
		c.Fatal(err)
	}
	count, _ := graph.ComponentsAbove(both, adaptive.ComponentWeight)
	c.near("output.components", float64(count), 0)
	want := c.nums("output.laplacian_eigenvalues")
	pairs, err := spectral.Bottom(dense.FromSparse(graph.Laplacian(both)), len(want))
	if err != nil {
		c.Fatal(err)
	}
	for i, v := range pairs.Values {
		if math.Abs(v-want[i]) > 1e-10 {
			c.Errorf("eigenvalue %d of L: got %v, want %v", i, v, want[i])
		}
	}
}

func goldenSimplex(c *golden) {
	if a, b := c.count("input.vectors"), c.count("output.projections"); a != b || a == 0 {
		c.Fatalf("%d vectors, %d projections", a, b)
	}
	for k := range c.count("input.vectors") {
		v, path := c.nums(fmt.Sprintf("input.vectors.%d", k)), fmt.Sprintf("output.projections.%d", k)
		s := projected(c, v)
		c.nearAll(path, s, 1e-7) // the tolerance of the file
		// The optimality conditions: v − s is the same θ wherever s > 0, and at most θ elsewhere.
		theta, sum := math.Inf(-1), 0.0
		for i := range v {
			sum += s[i]
			if s[i] > 0 {
				theta = max(theta, v[i]-s[i])
			}
		}
		scale := 1 + max(slices.Max(v), -slices.Min(v))
		for i := range v {
			if excess := v[i] - s[i] - theta; excess > 1e-14*scale || s[i] > 0 && excess < -1e-14*scale {
				c.Errorf("vector %d is not projected: %v at %d", k, excess, i)
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			c.Errorf("vector %d: sum %v", k, sum)
		}
	}
}

// projected returns a sample's row of the graph whose candidates j have the costs top − v_j.
func projected(c *golden, v []float64) []float64 {
	top, m := slices.Max(v), len(v)
	z := mat.NewDense(m+1, m, nil)
	candidates := &sparse.CSR{Rows: m + 1, Cols: m + 1, RowPtr: slices.Repeat([]int{m}, m+2), Val: make([]float64, m)}
	candidates.RowPtr[0] = 0
	for j, x := range v {
		z.Set(j+1, j, math.Sqrt(2*(top-x)))
		candidates.ColInd = append(candidates.ColInd, int32(j+1))
	}
	s, err := adaptive.Local(context.Background(), z, candidates, 1)
	if err != nil {
		c.Fatal(err)
	}
	row := make([]float64, m)
	cols, vals := s.Row(0)
	for k, j := range cols {
		row[j-1] = vals[k]
	}
	return row
}

func goldenSStep(c *golden) {
	p, f := c.mat("input.P_rows"), c.mat("input.F_rows")
	lambda, gamma, k := c.num("input.lam"), c.num("input.gamma"), int(c.num("input.k"))
	n, m := p.Dims()
	_, q := f.Dims()
	z := mat.NewDense(n, m+q, nil)
	for i := range n {
		copy(z.RawRowView(i), p.RawRowView(i))
		for r, v := range f.RawRowView(i) {
			z.Set(i, m+r, math.Sqrt(lambda)*v)
		}
	}
	first := make([]float64, n)
	for j := range first {
		first[j] = samples.SquaredDistance(z.RawRowView(0), z.RawRowView(j))
	}
	c.nearAll("output.D_row0", first, 1e-10)
	full, err := adaptive.Full(context.Background(), z, gamma)
	if err != nil {
		c.Fatal(err)
	}
	c.entries("output.S_full", full, 1e-9)
	nearest, err := adaptive.Nearest(context.Background(), z, k, gamma)
	if err != nil {
		c.Fatal(err)
	}
	c.entries("output.S_knn", nearest, 1e-9)
	// With all other samples as local candidates this is the full step.
	var entries []sparse.Triplet
	for i := range n {
		for j := range n {
			entries = append(entries, sparse.Triplet{Row: i, Col: j, Value: 1})
		}
	}
	all, err := sparse.FromTriplets(n, n, entries)
	if err != nil {
		c.Fatal(err)
	}
	local, err := adaptive.Local(context.Background(), z, all, gamma)
	if err != nil {
		c.Fatal(err)
	}
	if !mat.EqualApprox(local.Dense(), full.Dense(), 1e-14) {
		c.Error("all samples as candidates are not the full step")
	}
}

// relative compares matrices in the Frobenius norm, to which the files' tolerance refers.
func (c *golden) relative(path string, got mat.Matrix, tol float64) {
	c.Helper()
	want := c.mat(path)
	var diff mat.Dense
	diff.Sub(got, want)
	if e := mat.Norm(&diff, 2) / mat.Norm(want, 2); !(e <= tol) {
		c.Errorf("%s: differs by %g", path, e)
	}
}

// affine compares the model's map with one in the form xW + b.
func (c *golden) affine(m *Model, tol float64) {
	c.Helper()
	w, mean, err := m.Projection()
	if err != nil {
		c.Fatal(err)
	}
	c.relative("output.W", w, tol)
	bias, err := m.Bias()
	if err != nil {
		c.Fatal(err)
	}
	for k := range bias {
		for i, mu := range mean {
			bias[k] -= mu * w.At(i, k)
		}
	}
	c.nearAll("output.b", bias, tol)
}

func goldenWStep(c *golden) {
	d := c.lmragData()
	m := c.model(LMRAG().Neighbors(int(c.num("input.k"))).Alpha(c.num("input.alpha")).Beta(c.num("input.beta")).Iterations(1), d)
	c.affine(m, 1e-7)
	c.nearAll("output.training_projection_first", m.Embedding().RawRowView(0)[:c.count("output.training_projection_first")], 1e-7)
}

func goldenLMRAGRun(c *golden) {
	d := c.lmragData()
	candidates, _ := c.at("input.candidates").(string)
	mode, _ := c.at("input.lambda_mode").(string)
	rule, ok := map[string]Adjust{"fixed": Keep, "dynamic": DoubleOrHalve}[mode]
	if !ok {
		c.Fatalf("lambda_mode %q", mode)
	}
	builder := LMRAG().Neighbors(int(c.num("input.k"))).Alpha(c.num("input.alpha")).Beta(c.num("input.beta")).
		Candidates(Candidates(candidates)).Adjust(rule).Iterations(int(c.num("input.max_iterations")))
	j := newJob(context.Background(), builder.Spec(), d, newCache())
	j.start()
	a, r, err := alternate(j)
	if err != nil {
		c.Fatal(err)
	}
	c.near("output.gamma", a.Gamma, 1e-9)
	c.near("input.lambda_init", a.Steps[0].Lambda, 1e-9)
	first, err := adaptive.Initial(c.neighbours(d.X, int(c.num("input.k"))+1))
	if err != nil {
		c.Fatal(err)
	}
	both, err := first.Symmetric()
	if err != nil {
		c.Fatal(err)
	}
	count, _ := graph.ComponentsAbove(both, adaptive.ComponentWeight)
	c.near("output.components_initial", float64(count), 0)

	gap := math.Inf(1)
	series := map[string][]float64{}
	for t, s := range a.Steps {
		if t == 0 {
			s.AfterF = 0 // undefined; the file has 0
		}
		for name, v := range map[string]float64{"components": float64(s.Count), "nnz": float64(s.Entries), "lam": s.Lambda, "sum_c_smallest": s.Smallest,
			"objective_after_F": s.AfterF, "objective_after_W": s.AfterW, "objective_after_S": s.AfterS} {
			series[name] = append(series[name], v)
		}
		gap = min(gap, s.Gap)
	}
	for name, got := range series {
		tol := 1e-6
		if name == "components" || name == "nnz" {
			tol = 0
		}
		c.nearAll("output."+name, got, tol)
	}
	c.near("output.min_eigengap", gap, 1e-6)
	converged, _ := c.at("output.converged").(bool)
	if converged != a.Converged() {
		c.Errorf("converged: %v, want %v", a.Converged(), converged)
	}
	c.entries("output.S", a.State.S, 1e-5)
	c.ignore("the reference program's own sensitivity", "output.conditioning")

	d.Truth = append(c.whole("input.labels_first_l"), c.whole("input.unlabelled_truth")...)
	m := c.model(builder, d)
	c.affine(m, 1e-5)
	if !mat.EqualApprox(c.w(m), c.fromSpan(r), 1e-12) {
		c.Error("the builder returns another W")
	}
	c.entries("output.S", m.Graph(), 1e-5)
	test := NewData(c.mat("input.test_rows"), c.whole("input.test_truth"))
	for name, part := range map[string]*Data{"unlabelled": nil, "test": test} {
		got, err := m.Score(NearestNeighbor, part)
		if err != nil {
			c.Fatal(err)
		}
		c.near("output.accuracy_"+name, got, 1e-12)
		points, truth, err := scored(m, part)
		if err != nil {
			c.Fatal(err)
		}
		train, labels := labelledRows(m)
		for i, want := range c.whole("output.predicted_" + name) {
			best := 0
			for q := range labels {
				if samples.SquaredDistance(train.RawRowView(q), points.RawRowView(i)) < samples.SquaredDistance(train.RawRowView(best), points.RawRowView(i)) {
					best = q
				}
			}
			if labels[best] != want {
				c.Errorf("%s sample %d of class %d: got class %d, want %d", name, i, truth[i], labels[best], want)
			}
		}
	}
}

func (c *golden) neighbours(x *mat.Dense, k int) *graph.Neighbors {
	c.Helper()
	nb, err := graph.Search(context.Background(), x, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		c.Fatal(err)
	}
	return nb
}

func (c *golden) fromSpan(r *labelledStep) *mat.Dense {
	var w mat.Dense
	w.Mul(r.span.basis, r.w)
	return &w
}

func goldenLMRAGStuck(c *golden) {
	d := c.lmragData()
	if mode, _ := c.at("input.lambda_mode").(string); mode != "dynamic" {
		c.Fatalf("lambda_mode %q", mode)
	}
	candidates, _ := c.at("input.candidates").(string)
	m := c.model(LMRAG().Neighbors(int(c.num("input.k"))).Alpha(c.num("input.alpha")).Beta(c.num("input.beta")).
		Candidates(Candidates(candidates)).Iterations(int(c.num("input.max_iterations"))), d)
	trace := m.Report().Traces[0]
	c.near("output.components_first", float64(trace.Components[0]), 0)
	c.near("output.objective_after_W_first", trace.Objective[0], 1e-6)
	converged := trace.Components[len(trace.Components)-1] == len(d.Classes())
	if want, _ := c.at("output.converged").(bool); want != converged || len(m.Report().Warnings) == 0 {
		c.Errorf("converged: %v, warnings %v", converged, m.Report().Warnings)
	}
	if err := data.CheckFinite(c.w(m)); err != nil {
		c.Error(err)
	}
}

func goldenLapRLS(c *golden) {
	m := c.model(LapRLS().Neighbors(int(c.num("input.k"))).Ambient(c.num("input.gamma_A")).Intrinsic(c.num("input.gamma_I")), c.lmragData())
	c.affine(m, 1e-9)
	c.near("output.objective", c.fact(m, "objective"), 1e-9)
}

func goldenFME(c *golden) {
	mu, gamma := c.num("input.mu"), c.num("input.gamma")
	builder := FME().Neighbors(int(c.num("input.k"))).Mu(mu).Gamma(gamma)
	d := c.lmragData()
	m := c.model(builder, d)
	c.affine(m, 1e-9)
	c.near("output.objective", c.fact(m, "objective"), 1e-9)
	j := newJob(context.Background(), builder.Spec(), d, newCache())
	j.start()
	_, p, err := flexibleOf(j)
	if err != nil {
		c.Fatal(err)
	}
	f, err := p.SoftLabels(context.Background(), m.Embedding(), mu*gamma)
	if err != nil {
		c.Fatal(err)
	}
	c.nearMat("output.F", f, 1e-9)
}

func goldenTRFSDA(c *golden) {
	m := c.model(TRFSDA().Dims(int(c.num("input.d"))).Neighbors(int(c.num("input.k"))).Alpha(c.num("input.alpha")).Beta(c.num("input.beta")).
		Ridge(c.num("input.ridge")).PCA(1), c.lmragData())
	c.near("output.lambda_star", c.fact(m, "λ*"), 1e-9)
	c.near("output.gap", c.fact(m, "eigengap"), 1e-8)
	c.projector("output.V", c.w(m), 1e-6)
}

// projector compares the projector onto w with that of the vectors in the rows at path.
func (c *golden) projector(path string, w *mat.Dense, tol float64) {
	c.Helper()
	want := c.mat(path)
	if !mat.EqualApprox(outer(w), outer(mat.DenseCopyOf(want.T())), tol) {
		c.Errorf("%s: another subspace", path)
	}
}
