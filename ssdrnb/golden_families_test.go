package ssdrnb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// goldenFamilies maps each family of golden files to its check.
var goldenFamilies map[string]func(*golden)

func init() {
	goldenFamilies = map[string]func(*golden){
		"graph":                     goldenGraph,
		"trace_ratio":               goldenTraceRatio,
		"ratio_trace":               goldenRatioTrace,
		"baseline pca":              goldenPCA,
		"baseline lda":              goldenLDA,
		"baseline ssdr":             goldenSSDR,
		"lmrag_baseline sda":        goldenSDA,
		"lmrag_baseline selftuning": goldenSelfTuning,
		"trsda_sup":                 goldenTRSDA,
		"trsda_semi":                goldenTRSDA,
		"trsda_toy":                 goldenTRSDA,
		"trsda_literal_score_fails": goldenLiteralScore,
		"trsda_singular_sw":         goldenSingular,
		"trsda_methods":             goldenP3Methods,
		"s3rmm_methods":             goldenP2Methods,
	}
}

// goldenGraph: neighbour lists, union edges and the pairs that follow from labels.
func goldenGraph(c *golden) {
	x, labels, k := c.mat("input.X"), c.whole("input.labels"), int(c.num("input.k"))
	nb, err := graph.Search(context.Background(), x, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		c.Fatal(err)
	}
	for i := range labels {
		index, _ := nb.Of(i)
		for a, want := range c.whole(fmt.Sprintf("output.neighbours.%d", i)) {
			if int(index[a]) != want {
				c.Errorf("neighbour %d of %d: got %d, want %d", a, i, index[a], want)
			}
		}
	}
	w, err := nb.Graph(graph.Or, graph.Binary())
	if err != nil {
		c.Fatal(err)
	}
	c.near("output.n_edges", float64(w.NNZ())/2, 0)
	var must, cannot [][]int
	for i := range labels {
		cols, _ := w.Row(i)
		for _, j := range cols {
			if int(j) <= i || labels[i] < 0 || labels[j] < 0 {
				continue
			}
			if labels[i] == labels[j] {
				must = append(must, []int{i, int(j)})
			} else {
				cannot = append(cannot, []int{i, int(j)})
			}
		}
	}
	for path, got := range map[string][][]int{"output.ML": must, "output.CL": cannot} {
		if n := c.count(path); n != len(got) {
			c.Errorf("%s: %d pairs, want %d", path, len(got), n)
		}
		for k, p := range got {
			if want := c.whole(fmt.Sprintf("%s.%d", path, k)); !slices.Equal(p, want) {
				c.Errorf("%s[%d]: got %v, want %v", path, k, p, want)
			}
		}
	}
	adjacency := w.Dense()
	for i := range labels {
		for j := range labels {
			if labels[i] < 0 || labels[i] != labels[j] {
				adjacency.Set(i, j, 0)
			}
		}
	}
	c.near("output.ml_components", float64(components(adjacency)), 0)
}

// components counts by repeated merging, independently of package graph.
func components(a *mat.Dense) int {
	n, _ := a.Dims()
	root := make([]int, n)
	for i := range root {
		root[i] = i
	}
	count := n
	for i := range n {
		for j := range n {
			if a.At(i, j) != 0 && root[i] != root[j] {
				count--
				old := root[j]
				for k := range root {
					if root[k] == old {
						root[k] = root[i]
					}
				}
			}
		}
	}
	return count
}

// solve runs a solver and returns its history separately.
func (c *golden) solve(a, b *mat.SymDense, d int, opt spectral.TraceRatioOptions) (r *spectral.TraceRatioResult, lambda, g []float64, picks []string) {
	c.Helper()
	r, err := spectral.TraceRatio(context.Background(), a, b, d, opt)
	if err != nil {
		c.Fatal(err)
	}
	for i, s := range r.History {
		lambda, g = append(lambda, s.Lambda), append(g, s.G)
		if i > 0 {
			picks = append(picks, s.Pick)
		}
	}
	return r, lambda, g, picks
}

func goldenTraceRatio(c *golden) {
	a, b, d := c.sym("input.A"), c.sym("input.B"), int(c.num("input.d"))
	c.ignore("settings of the reference program: no ridge, no centring", "input.mu", "input.centred")
	zero := spectral.TraceRatioOptions{StartSet: true}
	r, lambda, _, _ := c.solve(a, b, d, zero)
	c.near("output.lambda_star", r.Lambda, 1e-8)
	c.prefix("output.itr_lambda", lambda, 1e-7, 1)
	zero.Solver = spectral.Fast
	all, lambda, _, _ := c.solve(a, b, d, zero)
	c.prefix("output.fast_lambda", lambda, 1e-7, 1)
	radius := max(math.Abs(all.Values[0]), math.Abs(all.Values[len(all.Values)-1]))
	for k, want := range c.nums("output.eigenvalues_top") {
		if math.Abs(all.Values[k]-want) > 1e-8*radius {
			c.Errorf("eigenvalue %d: got %v, want %v", k, all.Values[k], want)
		}
	}
	c.near("output.gap_d", r.Gap, 1e-8)
	v := c.mat("output.V") // one vector per row
	if !mat.EqualApprox(outer(r.W), outer(mat.DenseCopyOf(v.T())), 1e-6) {
		c.Error("another subspace")
	}
	for k := range c.count("output.g_samples") {
		at := c.nums(fmt.Sprintf("output.g_samples.%d", k))
		_, _, g, _ := c.solve(a, b, d, spectral.TraceRatioOptions{StartSet: true, Start: at[0]})
		if math.Abs(g[0]-at[1]) > 1e-9*radius {
			c.Errorf("g(%v): got %v, want %v", at[0], g[0], at[1])
		}
	}
}

func goldenRatioTrace(c *golden) {
	a, b, d := c.sym("input.A"), c.sym("input.B"), int(c.num("input.d"))
	p, err := spectral.GeneralizedTop(a, b, d)
	if err != nil {
		c.Fatal(err)
	}
	// The condition of B limits the accuracy of any method.
	c.nearAll("output.tau", p.Values, 1e-8)
	var qr mat.QR
	qr.Factorize(p.Vectors)
	var q mat.Dense
	qr.QTo(&q)
	n, _ := p.Vectors.Dims()
	w := mat.DenseCopyOf(q.Slice(0, n, 0, d))
	want := c.mat("output.span")
	qr.Factorize(want.T())
	qr.QTo(&q)
	if !mat.EqualApprox(outer(w), outer(mat.DenseCopyOf(q.Slice(0, n, 0, d))), 1e-6) {
		c.Error("another span")
	}
	var aw, bw mat.Dense
	aw.Product(w.T(), a, w)
	bw.Product(w.T(), b, w)
	c.near("output.trace_ratio_of_orthonormal_span", mat.Trace(&aw)/mat.Trace(&bw), 1e-8)
	r, _, _, _ := c.solve(a, b, d, spectral.TraceRatioOptions{})
	c.near("output.lambda_star", r.Lambda, 1e-8)
}

func goldenPCA(c *golden) {
	x, d := c.mat("input.X"), int(c.num("input.d"))
	m := c.model(PCA().Dims(d), NewData(x, nil))
	n, _ := x.Dims()
	values := m.Values()
	for k := range values {
		values[k] *= float64(n - 1) // the file has the scatter instead of the variance
	}
	c.nearAll("output.eigenvalues", values, 1e-10)
	c.nearAxes("output.axes", c.w(m), 1e-8)
}

func goldenLDA(c *golden) {
	m := c.model(LDA().Dims(int(c.num("input.d"))).Ridge(c.num("input.mu")), NewData(c.mat("input.X"), c.whole("input.labels")))
	c.nearAll("output.eigenvalues", m.Values(), 1e-9)
	c.nearAxes("output.axes", c.w(m), 1e-7)
}

func goldenSSDR(c *golden) {
	d := NewData(c.mat("input.X"), nil).WithPairs(Pairs{Must: c.pairList("input.ML"), Cannot: c.pairList("input.CL")})
	m := c.model(SSDR().Dims(int(c.num("input.d"))).Cannot(c.num("input.alpha")).Must(c.num("input.beta")), d)
	c.nearAll("output.eigenvalues", m.Values(), 1e-9)
	want := c.mat("output.axes")
	if !mat.EqualApprox(outer(c.w(m)), outer(mat.DenseCopyOf(want.T())), 1e-7) {
		c.Error("another subspace")
	}
}

func goldenSDA(c *golden) {
	x := c.mat("input.X_rows")
	n, _ := x.Dims()
	labels := c.whole("input.labels_first_l")
	c.ignore("follow from the labels", "input.l", "input.c")
	m := c.model(SDA().Dims(int(c.num("input.d"))).Neighbors(int(c.num("input.k"))).Affinity(SelfTuning).Within(TotalScatter).
		Balance(Absolute).Manifold(c.num("input.alpha")).Ridge(c.num("input.beta")), NewData(x, firstLabels(n, labels)))
	c.nearAll("output.tau", m.Values(), 1e-9)
	c.nearAxes("output.axes", c.w(m), 1e-7)
}

func goldenSelfTuning(c *golden) {
	nb, err := graph.Search(context.Background(), c.mat("input.X_rows"), int(c.num("input.k")), graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		c.Fatal(err)
	}
	c.ignore("labels play no part in the graph", "input.labels_first_l", "input.l", "input.c")
	w, err := nb.Graph(graph.Or, graph.SelfTuning())
	if err != nil {
		c.Fatal(err)
	}
	entries := c.count("output.W")
	both := 1
	if w.NNZ() != entries { // the file may list one triangle only
		both = 2
	}
	if w.NNZ() != both*entries {
		c.Errorf("%d entries, want %d", w.NNZ(), entries)
	}
	for k := range entries {
		e := c.nums(fmt.Sprintf("output.W.%d", k))
		if got := w.At(int(e[0]), int(e[1])); math.Abs(got-e[2]) > 1e-10 {
			c.Errorf("W[%v][%v]: got %v, want %v", e[0], e[1], got, e[2])
		}
	}
	c.nearAll("output.degree", w.RowSums(), 1e-10)
}

// goldenTRSDA: the matrices of the problem, every solver's history, and TR-LDA or
// TR-SDA through their builders.
func goldenTRSDA(c *golden) {
	x, labels := c.mat("X"), c.whole("labels")
	alpha := c.num("alpha")
	d := NewData(x, labels)
	sc := discriminant.NewScatter(x, labels, d.Classes())
	a, b := sc.Between, sc.Within
	semi := c.has("sigma")
	if semi {
		d.Truth = c.whole("y_true")
		k := int(c.num("k"))
		sigma, err := graph.HalfMedian(context.Background(), x, graph.Euclidean)
		if err != nil {
			c.Fatal(err)
		}
		c.near("sigma", sigma, 1e-10)
		nb, err := graph.Search(context.Background(), x, k, graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			c.Fatal(err)
		}
		w, err := nb.Graph(graph.Or, graph.Heat(sigma*sigma))
		if err != nil {
			c.Fatal(err)
		}
		term := dense.Quadratic(graph.Laplacian(w), x)
		mu0 := mat.Trace(sc.Within) / mat.Trace(term)
		rel := c.num("rel")
		c.near("lambda_m", rel*mu0, 1e-9)
		c.near("lambda_m_as_printed", rel/mu0, 1e-9)
		c.nearMat("XtLbX", sc.Between, 1e-9)
		c.nearMat("XtLwX", sc.Within, 1e-9)
		c.nearMat("XtLmX", term, 1e-9)
		b = dense.AddRidge(dense.Plus(sc.Within, rel*mu0, term), alpha)
		c.nearMat("denominator", b, 1e-9)
	} else {
		c.nearMat("S_b", sc.Between, 1e-9)
		c.nearMat("S_w", sc.Within, 1e-9)
		b = dense.AddRidge(b, alpha)
	}
	for k := range c.count("cases") {
		at := fmt.Sprintf("cases.%d.", k)
		c.goldenCase(at, a, b)
		var e Estimator = TRLDA().PCA(1).Ridge(alpha).Dims(int(c.num(at + "d")))
		if semi {
			e = TRSDA().PCA(1).Ridge(alpha).Dims(int(c.num(at + "d"))).Neighbors(int(c.num("k"))).Manifold(c.num("rel"))
		}
		m := c.model(e, d)
		c.near(at+"lambda_star", c.fact(m, "λ*"), 1e-9)
		if c.has(at + "projector") {
			c.nearMat(at+"projector", outer(c.w(m)), 1e-6)
		}
		if c.has(at + "accuracy_unlabelled") {
			got, err := m.Score(NearestNeighbor, nil)
			if err != nil {
				c.Fatal(err)
			}
			c.near(at+"accuracy_unlabelled", got, 1e-12)
		}
	}
}

// goldenCase compares one trace-ratio problem over all solvers.
func (c *golden) goldenCase(at string, a, b *mat.SymDense) {
	c.Helper()
	d := int(c.num(at + "d"))
	scale := mat.Norm(a, 2) + c.num(at+"lambda_star")*mat.Norm(b, 2)
	r, lambda, g, _ := c.solve(a, b, d, spectral.TraceRatioOptions{})
	c.near(at+"lambda_star", r.Lambda, 1e-9)
	c.prefix(at+"itr_lambdas", lambda, 1e-8, 0)
	c.prefix(at+"itr_g", g, 1e-8, scale)
	all, lambda, g, picks := c.solve(a, b, d, spectral.TraceRatioOptions{Solver: spectral.ITRScore})
	c.prefix(at+"score_lambdas", lambda, 1e-8, 0)
	c.prefix(at+"score_g", g, 1e-8, scale)
	wanted, _ := c.at(at + "score_picks").([]any)
	for i := range min(len(picks), len(wanted)) {
		// If both rules give the same subspace up to rounding, either may win.
		if picks[i] != wanted[i] && math.Abs(g[i+1]) > 1e-6*scale {
			c.Errorf("%sscore_picks[%d]: got %v, want %v", at, i, picks[i], wanted[i])
		}
	}
	_, lambda, _, _ = c.solve(a, b, d, spectral.TraceRatioOptions{W0: c.mat(at + "W0")})
	c.prefix(at+"itr_from_W0_lambdas", lambda, 1e-8, 0)
	literal, lambda, _, _ := c.solve(a, b, d, spectral.TraceRatioOptions{Solver: spectral.ITRScoreLiteral, Tolerance: 1e-10})
	c.near(at+"literal_score_lambda", literal.Lambda, 1e-8)
	if want := c.num(at + "literal_score_iterations"); math.Abs(float64(len(lambda)-1)-want) > 1 {
		c.Errorf("%sliteral_score_iterations: got %d, want %v", at, len(lambda)-1, want)
	}
	c.nearAll(at+"bracket0", []float64{r.Lower, r.Upper}, 1e-9)
	bisected, lambda, _, _ := c.solve(a, b, d, spectral.TraceRatioOptions{Solver: spectral.Bisect})
	if want := c.num(at + "bisection_steps"); math.Abs(float64(len(lambda)-1)-want) > 1 {
		c.Errorf("%sbisection_steps: got %d, want %v", at, len(lambda)-1, want)
	}
	if math.Abs(bisected.Lambda-r.Lambda) > 1e-9*math.Abs(r.Lambda) {
		c.Errorf("%sbisection: λ* = %v, ITR has %v", at, bisected.Lambda, r.Lambda)
	}
	for k, want := range c.nums(at + "eigvals_at_star") {
		if math.Abs(all.Values[k]-want) > 1e-8*scale {
			c.Errorf("%seigvals_at_star[%d]: got %v, want %v", at, k, all.Values[k], want)
		}
	}
	if c.has(at + "projector") {
		c.nearMat(at+"projector", outer(r.W), 1e-6)
	}
}

func goldenLiteralScore(c *golden) {
	for k := range c.count("cases") {
		at := fmt.Sprintf("cases.%d.", k)
		c.goldenCase(at, c.sym(at+"A"), c.sym(at+"B"))
	}
}

// goldenSingular: a within-class scatter with a null space, and the limit of vanishing ridges.
func goldenSingular(c *golden) {
	d := NewData(c.mat("X"), c.whole("labels"))
	dims := int(c.num("null_dim"))
	m := c.model(TRLDA().PCA(1).Ridge(0).Dims(dims), d)
	c.nearAll("null_lda_eigvals", m.Values(), 1e-8)
	c.nearMat("null_lda_projector", outer(c.w(m)), 1e-6)
	sc := discriminant.NewScatter(d.X, d.Labels, d.Classes())
	if _, err := spectral.TraceRatio(context.Background(), sc.Between, sc.Within, dims, spectral.TraceRatioOptions{}); !errors.Is(err, spectral.ErrUnbounded) {
		c.Errorf("a singular denominator gives %v", err)
	}
	null := outer(c.w(m))
	for k := range c.count("reg") {
		at := fmt.Sprintf("reg.%d.", k)
		m := c.model(TRLDA().PCA(1).Ridge(c.num(at+"alpha")).Dims(dims), d)
		c.near(at+"lambda_star", c.fact(m, "λ*"), 1e-8)
		p := outer(c.w(m))
		c.nearMat(at+"projector", p, 1e-6)
		var diff mat.Dense
		diff.Sub(p, null)
		c.near(at+"distance_to_null_lda", max(mat.Max(&diff), -mat.Min(&diff)), 1e-6)
	}
}

// goldenP3Methods: the comparison methods of the trace-ratio paper.
func goldenP3Methods(c *golden) {
	x := c.mat("X")
	full, semi := NewData(x, c.whole("y")), NewData(x, c.whole("labels"))
	k, sigma := int(c.num("k")), c.num("sigma")
	half, err := graph.HalfMedian(context.Background(), x, graph.Euclidean)
	if err != nil {
		c.Fatal(err)
	}
	c.near("sigma", half, 1e-10)
	lambda := c.num("lambda_m")
	sdaFact := c.model(SDA().Neighbors(k).Manifold(0.1).Ridge(0), semi)
	if got := c.fact(sdaFact, "λ_m"); !slices.ContainsFunc([]float64{0.01, 0.1, 1, 10}, func(f float64) bool { return math.Abs(got*f/0.1-lambda) < 1e-9*lambda }) {
		c.Errorf("lambda_m: μ₀ = %v, file has %v", got*10, lambda)
	}
	paired := semi.HideLabels().WithPairs(Pairs{Must: c.pairList("must_pairs"), Cannot: c.pairList("cannot_pairs")})
	absolute := func(within Within, at string) Estimator {
		return SDA().Neighbors(k).Within(within).Balance(Absolute).Manifold(c.num(at + "params.lam1")).Ridge(c.num(at + "params.lam2"))
	}
	if c.has("methods.lap_lda") {
		c.goldenLapLDA(semi, k)
	}
	c.methods(map[string]func(at string) (Estimator, *Data){
		"pca":    func(string) (Estimator, *Data) { return PCA(), full },
		"lpp":    func(string) (Estimator, *Data) { return LPP().Neighbors(k).Width(sigma * sigma), full },
		"lda_st": func(string) (Estimator, *Data) { return LDA().Ridge(0).Within(TotalScatter), semi },
		"lda_sw": func(string) (Estimator, *Data) { return LDA().Ridge(0).Within(WithinScatter), semi },
		"cca":    func(string) (Estimator, *Data) { return CCA().Ridge(0), semi },
		"mmc":    func(string) (Estimator, *Data) { return MMC(), semi },
		"ssmmc": func(at string) (Estimator, *Data) {
			return SSMMC().Neighbors(k).Balance(Absolute).WithinWeight(c.num(at + "params.lam1")).Manifold(c.num(at + "params.lam2")), semi
		},
		"ssdr": func(at string) (Estimator, *Data) {
			return SSDR().Cannot(c.num(at + "params.alpha")).Must(c.num(at + "params.beta")), paired
		},
		"sda_sw": func(at string) (Estimator, *Data) { return absolute(WithinScatter, at), semi },
		"sda_st": func(at string) (Estimator, *Data) { return absolute(TotalScatter, at), semi },
	})
}

// goldenP2Methods: the comparison methods of the semi-Riemannian paper.
func goldenP2Methods(c *golden) {
	x := c.mat("X")
	full, semi := NewData(x, c.whole("y")), NewData(x, c.whole("labels"))
	c.methods(map[string]func(at string) (Estimator, *Data){
		"pca": func(string) (Estimator, *Data) { return PCA(), full },
		"lda": func(string) (Estimator, *Data) { return LDA().Ridge(0), full },
		"mmc": func(string) (Estimator, *Data) { return MMC(), full },
		"lpp": func(at string) (Estimator, *Data) {
			s := c.num(at + "params.sigma")
			return LPP().Neighbors(int(c.num(at + "params.k"))).Width(s * s), full
		},
		"lpp_binary": func(at string) (Estimator, *Data) {
			return LPP().Neighbors(int(c.num(at + "params.k"))).Affinity(Binary), full
		},
		"sda": func(at string) (Estimator, *Data) {
			return SDA().Neighbors(int(c.num(at + "params.k"))).Affinity(Binary).Within(TotalScatter).Balance(Absolute).
				Manifold(c.num(at + "params.alpha")).Ridge(c.num(at + "params.beta")), semi
		},
		"sslda": func(at string) (Estimator, *Data) {
			return SSLDA().PCA(1).Neighbors(int(c.num(at + "params.k"))).Balance(Absolute).Manifold(c.num(at + "params.beta")), semi
		},
		"mfa": func(at string) (Estimator, *Data) {
			return MFA().PCA(1).Homogeneous(int(c.num(at + "params.k1"))).Heterogeneous(int(c.num(at + "params.k2"))), full
		},
		"anmm": func(at string) (Estimator, *Data) {
			return ANMM().Homogeneous(int(c.num(at + "params.Kh"))).Heterogeneous(int(c.num(at + "params.Kc"))), full
		},
		"srda": func(at string) (Estimator, *Data) {
			return SRDA().Homogeneous(int(c.num(at + "params.Kh"))).Heterogeneous(int(c.num(at + "params.Kc"))).Gamma(c.num(at + "params.gamma")), full
		},
		"dla": func(at string) (Estimator, *Data) {
			return DLA().Homogeneous(int(c.num(at + "params.k1"))).Heterogeneous(int(c.num(at + "params.k2"))).Beta(c.num(at + "params.beta")), full
		},
		"dla_margin": func(at string) (Estimator, *Data) {
			return DLA().Homogeneous(int(c.num(at + "params.k1"))).Heterogeneous(int(c.num(at + "params.k2"))).Beta(c.num(at + "params.beta")).
				Radius(c.num(at + "params.eps")).Delta(c.num(at + "params.delta")).Decay(c.num(at + "params.t")), full
		},
		"sdla": func(at string) (Estimator, *Data) {
			return SDLA().Homogeneous(int(c.num(at + "params.k1"))).Heterogeneous(int(c.num(at + "params.k2"))).Beta(c.num(at + "params.beta")).
				Neighbors(int(c.num(at + "params.ks"))).PatchWeight(c.num(at + "params.gam")), semi
		},
	})
}

// methods compares eigenvalues and W·Wᵀ of the available methods, and lists the others as pending.
func (c *golden) methods(known map[string]func(at string) (Estimator, *Data)) {
	c.Helper()
	all, _ := c.at("methods").(map[string]any)
	c.read["methods"] = false
	for name := range all {
		at := "methods." + name + "."
		make, ok := known[name]
		if c.read["methods."+name] { // compared by the caller
			continue
		}
		if !ok {
			c.wait("method "+name, "methods."+name)
			continue
		}
		e, d := make(at)
		c.ignore("read by the case, or the default of the file's family", at+"params")
		m := c.model(e.Spec().With("dims", int(c.num(at+"params.dim"))), d)
		values := m.Values()
		if name == "pca" { // the files divide by n
			for k := range values {
				values[k] *= float64(d.Len()-1) / float64(d.Len())
			}
		}
		c.nearAll(at+"eigvals", values, 1e-8)
		c.nearMat(at+"WWT", outer(c.w(m)), 1e-6)
	}
}
