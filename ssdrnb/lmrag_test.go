package ssdrnb

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/adaptive"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// clouds are Gaussian clouds around corners at a distance given by step, with l labels each.
func clouds(classes, per, features, l int, step float64) *Data {
	rng := rand.New(rand.NewPCG(uint64(classes), uint64(per)))
	x := mat.NewDense(classes*per, features, nil)
	labels := make([]int, classes*per)
	for i := range labels {
		labels[i] = i % classes
		for k := range features {
			x.Set(i, k, rng.NormFloat64())
		}
		x.Set(i, labels[i]%features, x.At(i, labels[i]%features)+step)
	}
	return NewData(x, labels).KeepLabels(l)
}

// At a fixed λ with fixed candidates no step raises the objective, as the F, W and S steps are
// minimisations; also with all samples as candidates.
func TestObjectiveFalls(t *testing.T) {
	for _, candidates := range []Candidates{LocalCandidates, AllCandidates} {
		for _, alpha := range []float64{1e-3, 1, 1e3} {
			for _, e := range []Estimator{
				LMRAG().Alpha(alpha).Adjust(Keep).Candidates(candidates).Neighbors(8),
				ULMRAG().Clusters(3).Lambda(alpha).Adjust(Keep).Candidates(candidates).Neighbors(8),
			} {
				m, err := e.Spec().Fit(clouds(3, 25, 6, 4, 4))
				if err != nil {
					t.Fatal(err)
				}
				j := m.Report().Traces[0].Objective
				if len(j) < 5 {
					t.Errorf("%v: %d values", m.Spec(), len(j))
				}
				for k := 1; k < len(j); k++ {
					if j[k] > j[k-1]+1e-9*math.Abs(j[k-1]) {
						t.Errorf("%v: the objective rises from %v to %v at step %d", m.Spec(), j[k-1], j[k], k)
					}
				}
			}
		}
	}
}

// If classes are clusters, the learned graph has one component per class, rows are probability
// distributions, and a component has samples of one class.
func TestComponents(t *testing.T) {
	d := clouds(4, 20, 5, 3, 12)
	for _, e := range []Estimator{LMRAG(), LMRAG().Candidates(NearestCandidates), LMRAG().Candidates(ProjectedCandidates), LMRAG().Candidates(AllCandidates), LMRAG().Adjust(Bracket), ULMRAG().Clusters(4).Dims(3)} {
		m, err := e.Spec().Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		s := m.Graph()
		for i, sum := range s.RowSums() {
			if math.Abs(sum-1) > 1e-12 || s.At(i, i) != 0 {
				t.Errorf("%v: row %d sums to %v, diagonal %v", m.Spec(), i, sum, s.At(i, i))
			}
		}
		both, err := s.Symmetrize(sparse.Average)
		if err != nil {
			t.Fatal(err)
		}
		count, of := graph.Components(both)
		if count != 4 || len(m.Report().Warnings) > 0 {
			t.Errorf("%v: %d components, warnings %v", m.Spec(), count, m.Report().Warnings)
		}
		class := map[int]int{}
		for i, k := range of {
			if c, ok := class[k]; ok && c != d.Truth[i] {
				t.Errorf("%v: a component holds classes %d and %d", m.Spec(), c, d.Truth[i])
			}
			class[k] = d.Truth[i]
		}
	}
}

// Where every sample has more copies than neighbours there is no γ. Either remedy gives one, but
// standardised features would not.
func TestAdaptiveGraphOfCopies(t *testing.T) {
	once := clouds(2, 6, 3, 4, 3)
	n := once.Len()
	x, labels := mat.NewDense(8*n, once.Dim(), nil), make([]int, 8*n)
	for i := range labels {
		x.SetRow(i, once.X.RawRowView(i%n))
		labels[i] = once.Labels[i%n]
	}
	copies := NewData(x, labels)
	for _, e := range []Estimator{LMRAG(), ULMRAG()} {
		for _, d := range []*Data{copies, copies.Standardize()} {
			_, err := e.Spec().Fit(d)
			var fault *Error
			if !errors.As(err, &fault) || fault.Remedy != "raise Neighbors, or remove duplicate samples" {
				t.Errorf("%v: %v", e.Spec(), err)
			}
		}
		if _, err := e.Spec().With("neighbors", 8).Fit(copies); err != nil {
			t.Errorf("more neighbours: %v", err)
		}
		if _, err := e.Spec().Fit(once); err != nil {
			t.Errorf("without copies: %v", err)
		}
	}
}

// A cancelled fit returns the projection and the graph reached so far.
func TestAlternationCancelled(t *testing.T) {
	d := clouds(3, 25, 6, 4, 1)
	for _, e := range []Estimator{LMRAG().Refit(true), ULMRAG().Clusters(20)} {
		for _, after := range []int{0, 3} {
			ctx, cancel := context.WithCancel(t.Context())
			stop := Observe(func(e Event) {
				if e.Stage == "alternation" && e.Done == after {
					cancel()
				}
			})
			m, err := e.Spec().FitContext(ctx, d)
			stop()
			cancel()
			if !errors.Is(err, ErrCancelled) || (m == nil) != (after == 0) {
				t.Errorf("%v after %d iterations: %v", e.Spec(), after, err)
			}
			if m == nil {
				continue
			}
			if k, _ := m.Report().Fact("iterations"); k != 3 || len(m.Report().Traces[0].Components) != 3 || len(m.Report().Warnings) != 1 {
				t.Errorf("%v: %v iterations, warnings %q", e.Spec(), k, m.Report().Warnings)
			}
			for i, sum := range m.Graph().RowSums() {
				if math.Abs(sum-1) > 1e-12 {
					t.Errorf("%v: row %d of the graph sums to %v", e.Spec(), i, sum)
				}
			}
			if y, err := m.Transform(d.X); err != nil || !mat.EqualApprox(y, m.Embedding(), 1e-9) {
				t.Errorf("%v: the map differs from the embedding (%v)", e.Spec(), err)
			}
		}
	}
}

// A row of the graph has weights only at its candidates: the nearest samples before projection, or
// in the projection.
func TestCandidates(t *testing.T) {
	const k = 5
	d := clouds(4, 20, 5, 3, 12)
	for _, candidates := range []Candidates{LocalCandidates, ProjectedCandidates} {
		// After one iteration the embedding is the projection used by the S step.
		m, err := LMRAG().Neighbors(k).Candidates(candidates).Iterations(1).Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		from := d.X
		if candidates == ProjectedCandidates {
			from = m.Embedding()
		}
		nb, err := graph.Search(context.Background(), from, k, graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.Len() {
			nearest, _ := nb.Of(i)
			cols, _ := m.Graph().Row(i)
			for _, c := range cols {
				if !slices.Contains(nearest, c) {
					t.Errorf("%s: sample %d is no candidate of %d", candidates, c, i)
				}
			}
		}
	}
}

// The W step is the exact minimiser: a small change of W or b raises its objective, and the step in
// the span equals the step in feature space.
func TestWStep(t *testing.T) {
	for _, features := range []int{4, 90} {
		d := clouds(3, 12, features, 3, 4)
		j := newJob(context.Background(), LMRAG().Alpha(10).Beta(0.5).Iterations(1).Spec(), d, newCache())
		j.start()
		_, r, err := alternate(j)
		if err != nil {
			t.Fatal(err)
		}
		first, err := adapt(j, r.span, 3)
		if err != nil {
			t.Fatal(err)
		}
		l := first.State.Laplacian
		n, c := d.Len(), 3
		var w mat.Dense
		w.Mul(r.span.basis, r.w)
		value := func(w *mat.Dense, b []float64) float64 {
			var x, y, ly mat.Dense
			x.CloneFrom(d.X)
			for i := range n {
				for k, m := range r.span.mean {
					x.Set(i, k, x.At(i, k)-m)
				}
			}
			y.Mul(&x, w)
			ly.Mul(l.Dense(), &y)
			dense.AddRow(&y, b)
			return 2*dense.Inner(&y, &ly) + 0.5*dense.Inner(w, w) + 10*r.scatter.Misfit(&y, d.Labels)
		}
		best := value(&w, r.bias)
		rng := rand.New(rand.NewPCG(3, 3))
		for range 20 {
			other, b := mat.DenseCopyOf(&w), append([]float64(nil), r.bias...)
			for i := range features {
				for k := range c {
					other.Set(i, k, other.At(i, k)+1e-3*rng.NormFloat64())
				}
			}
			for k := range b {
				b[k] += 1e-3 * rng.NormFloat64()
			}
			if v := value(other, b); v < best {
				t.Errorf("%d features: %v is below the minimum %v", features, v, best)
			}
		}
	}
}

// Relations between the methods that follow from the formulas.
func TestRegressionsReduce(t *testing.T) {
	d := clouds(3, 20, 5, 4, 4)
	fit := func(e Estimator) *mat.Dense {
		t.Helper()
		m, err := e.Spec().Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		return m.Embedding()
	}
	same := func(what string, a, b *mat.Dense, tol float64) {
		t.Helper()
		if !mat.EqualApprox(a, b, tol*mat.Norm(b, 2)) {
			t.Errorf("%s: not the same embedding", what)
		}
	}
	// A regression without a graph is ridge regression onto the indicators.
	l := float64(d.NumLabelled())
	ridge := fit(LapRLS().Intrinsic(0).Ambient(0.1))
	// With a large γ, FME ties F to the regression: min tr(YᵀLY) + misfit + μ|W|², which is
	// LapRLS/L with γ_I = 1/l, γ_A = μ/l.
	same("FME at γ → ∞ = LapRLS/L", fit(FME().Mu(0.5).Gamma(1e9)), fit(LapRLS().Intrinsic(1/l).Ambient(0.5/l)), 1e-6)
	// Labels of weight u give γ_I = 1/(lu), γ_A = μ/(lu), so that u sets the weight of the graph.
	same("FME at γ → ∞ with heavy labels = LapRLS/L", fit(FME().LabelWeight(100).Mu(50).Gamma(1e9)), fit(LapRLS().Intrinsic(0.01/l).Ambient(0.5/l)), 1e-6)
	// LMRAG's first W step is LapRLS/L on the initial graph; with a large label weight both become
	// ridge regression.
	same("LMRAG at α → ∞ = ridge regression", fit(LMRAG().Alpha(1e9).Beta(0.1*1e9*l).Iterations(1)), ridge, 1e-6)
	// With a large β, TR-FSDA ties F to the embedding and becomes TR-SDA; S_w in place of S_t has
	// the same maximiser.
	sameProjector(t, "TR-FSDA at β → ∞ = TR-SDA", d, TRFSDA().Alpha(0.3).Beta(1e10).Ridge(0.1).PCA(1),
		TRSDA().Manifold(0.3).Balance(Absolute).Neighbors(5).Affinity(SelfTuning).Ridge(0.1).PCA(1))
	// The same holds with all terms relaxed.
	sameProjector(t, "TR-FSDA, all relaxed, at β → ∞ = TR-SDA", d, TRFSDA().Relaxed(RelaxedAll).Alpha(0.3).Beta(1e9).Ridge(0.1).PCA(1),
		TRSDA().Manifold(0.3).Balance(Absolute).Neighbors(5).Affinity(SelfTuning).Ridge(0.1).PCA(1))
	// Without a diversity SSDL equals SDA.
	for _, diversity := range []Diversity{ComplementDiversity, ReciprocalDiversity} {
		sameProjector(t, "SSDL without diversity = SDA", d, SSDL().Affinity(Binary).Diversity(diversity).Alpha(0.3).Beta(0.2),
			SDA().Affinity(Binary).Neighbors(5).Manifold(0.3).Balance(Absolute).Within(TotalScatter).Ridge(0.2))
	}
}

func sameProjector(t *testing.T, what string, d *Data, a, b Estimator) {
	t.Helper()
	var p [2]*mat.Dense
	for k, e := range []Estimator{a, b} {
		m, err := e.Spec().Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		w, _, err := m.Projection()
		if err != nil {
			t.Fatal(err)
		}
		dense.Orthonormalise(w)
		p[k] = outer(w)
	}
	if !mat.EqualApprox(p[0], p[1], 1e-5) {
		t.Errorf("%s: another subspace", what)
	}
}

// Above some weight of the labels the embedding hardly changes: the soft labels equal the labels.
func TestFMELabelWeight(t *testing.T) {
	d := clouds(3, 30, 5, 4, 2)
	limit := mustFit(t, FME().LabelWeight(1e5), d).Embedding()
	for _, u := range []float64{1e7, 1e12, 1e16, 1e20, 1e100} {
		if y := mustFit(t, FME().LabelWeight(u), d).Embedding(); !mat.EqualApprox(y, limit, 1e-4) {
			t.Errorf("a weight of %g changes the embedding", u)
		}
	}
}

// A component of the graph without labels does not spoil the embedding at a small μγ, for few
// samples and for many.
func TestFMEUnlabelledComponent(t *testing.T) {
	for per, weight := range map[int]float64{30: 1e8, 400: 1} {
		d := clouds(3, per, 5, 4, 2)
		for i := 2; i < d.Len(); i += 3 {
			d.X.Set(i, 0, d.X.At(i, 0)+100)
		}
		labels := slices.Clone(d.Labels)
		for i := 2; i < len(labels); i += 3 {
			labels[i] = data.Unlabelled
		}
		d = NewData(d.X, labels)
		limit := mustFit(t, FME().LabelWeight(weight).Mu(1e-7), d).Embedding()
		for _, mu := range []float64{1e-9, 1e-12, 1e-15, 1e-18} {
			if y := mustFit(t, FME().LabelWeight(weight).Mu(mu), d).Embedding(); !mat.EqualApprox(y, limit, 1e-4) {
				t.Errorf("%d samples: μ = %g changes the embedding", d.Len(), mu)
			}
		}
	}
}

// FME's solution is a minimum of the problem as published, with F as a variable: no change of F, W
// or b lowers the objective.
func TestFMEMinimises(t *testing.T) {
	d := clouds(3, 10, 40, 2, 5)
	for _, weights := range [][3]float64{{0.1, 10, 1}, {1e-6, 1e6, 1}, {1e4, 1e-4, 1}, {0.1, 10, 100}} {
		mu, gamma, u := weights[0], weights[1], weights[2]
		j := newJob(context.Background(), FME().LabelWeight(u).Spec(), d, newCache())
		j.start()
		s, p, err := flexibleOf(j)
		if err != nil {
			t.Fatal(err)
		}
		w, b, err := p.Regression(context.Background(), mu, gamma)
		if err != nil {
			t.Fatal(err)
		}
		y := s.regression(w, b).y
		f, err := p.SoftLabels(context.Background(), y, mu*gamma)
		if err != nil {
			t.Fatal(err)
		}
		best := p.Objective(f, w, y, mu, gamma)
		rng := rand.New(rand.NewPCG(4, 4))
		jitter := func(m *mat.Dense) *mat.Dense {
			out := mat.DenseCopyOf(m)
			out.Apply(func(_, _ int, v float64) float64 { return v + 1e-3*rng.NormFloat64() }, out)
			return out
		}
		for range 20 {
			other := jitter(w)
			bias := jitter(mat.NewDense(1, 3, b)).RawRowView(0)
			if v := p.Objective(jitter(f), other, s.regression(other, bias).y, mu, gamma); v < best {
				t.Errorf("μ = %v, γ = %v, u = %v: %v is below the minimum %v", mu, gamma, u, v, best)
			}
		}
	}
}

// The sparse and the dense eigensolver give the same F step.
func TestFStepSparse(t *testing.T) {
	d := clouds(5, 140, 4, 3, 3)
	nb, err := graph.Search(context.Background(), d.X, 9, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	first, err := adaptive.Initial(nb)
	if err != nil {
		t.Fatal(err)
	}
	both, err := first.Symmetric()
	if err != nil {
		t.Fatal(err)
	}
	if d.Len() <= adaptive.DenseSamples {
		t.Fatal("too few samples")
	}
	a := &adaptive.State{S: first.S, Laplacian: graph.Laplacian(both)}
	if err := a.Bottom(context.Background(), both, 5); err != nil {
		t.Fatal(err)
	}
	want, err := spectral.Bottom(dense.FromSparse(a.Laplacian), 6)
	if err != nil {
		t.Fatal(err)
	}
	values, vectors := want.Values, want.Vectors
	sum := floats.Sum(values[:5])
	if math.Abs(a.Smallest-sum) > 1e-8 || !mat.EqualApprox(outer(a.F), outer(mat.DenseCopyOf(vectors.Slice(0, 700, 0, 5))), 1e-5) {
		t.Errorf("sum of the smallest eigenvalues %v, want %v, or another subspace", a.Smallest, sum)
	}
	if gap := values[5] - values[4]; math.Abs(a.Gap-gap) > 0.01*gap {
		t.Errorf("gap %v, want %v", a.Gap, gap)
	}
}

// The sparse factor and the spectrum solve the same systems, for t from almost no regularisation to
// a dominant one.
func TestResolvent(t *testing.T) {
	d := clouds(4, 60, 5, 3, 5)
	nb, err := graph.Search(context.Background(), d.X, 6, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	w, err := nb.Graph(graph.Or, graph.SelfTuning())
	if err != nil {
		t.Fatal(err)
	}
	dense, err := discriminant.NewResolvent(graph.Laplacian(w), d.X)
	if err != nil {
		t.Fatal(err)
	}
	factored := &discriminant.Resolvent{A: dense.A, Z: d.X}
	if factored.Symbolic, err = sparse.Analyze(dense.A, 0); err != nil {
		t.Fatal(err)
	}
	for _, shift := range []float64{1e-6, 1e-2, 1, 1e4, 1e10} {
		a, err := dense.Filtered(context.Background(), shift)
		if err != nil {
			t.Fatal(err)
		}
		b, err := factored.Filtered(context.Background(), shift)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(a, b, 1e-8*mat.Norm(a, 2)) {
			t.Errorf("t = %v: another term", shift)
		}
		x, err := dense.Solve(context.Background(), shift, d.X)
		if err != nil {
			t.Fatal(err)
		}
		y, err := factored.Solve(context.Background(), shift, d.X)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(x, y, 1e-8*mat.Norm(x, 2)) {
			t.Errorf("t = %v: another solution", shift)
		}
	}
}

// With all terms relaxed the report's λ* is the ratio of the problem as published, with L_b and L_t
// as matrices over the samples, at W and its F. The eigenvalues sum to 0 there, and no other W and
// F tried have a larger ratio. Dimensions fitted together equal those fitted one by one.
func TestRelaxedRatio(t *testing.T) {
	for _, features := range []int{5, 60} {
		d := clouds(3, 10, features, 2, 5)
		const alpha, beta, ridge = 0.3, 2.0, 0.05
		e := TRFSDA().Relaxed(RelaxedAll).Alpha(alpha).Beta(beta).Ridge(ridge).PCA(1).Dims(2)
		m := e.MustFit(d)
		lambda, _ := m.Report().Fact("λ*")
		if sum := floats.Sum(m.Values()); math.Abs(sum) > 1e-9*math.Abs(m.Values()[0]) {
			t.Errorf("%d features: the eigenvalues sum to %v", features, sum)
		}
		between, total := labelLaplacians(d)
		j := newJob(context.Background(), e.Spec(), d, newCache())
		j.start()
		s, err := spanOf(j)
		if err != nil {
			t.Fatal(err)
		}
		neighbours, err := neighborGraph(j, s.points(j.x()))
		if err != nil {
			t.Fatal(err)
		}
		l := mat.DenseCopyOf(dense.FromSparse(graph.Laplacian(neighbours)))
		n := d.Len()
		ratio := func(w, f *mat.Dense) float64 {
			y := mat.NewDense(n, 2, nil)
			y.Mul(d.X, w)
			y.Sub(y, f)
			form := func(a mat.Matrix) float64 {
				var af mat.Dense
				af.Mul(a, f)
				return dense.Inner(f, &af)
			}
			return form(between) / (form(total) + alpha*form(l) + alpha*beta*dense.Inner(y, y) + ridge*dense.Inner(w, w))
		}
		// F = t(λ(L_t + αL + tI) − L_b)⁻¹λXᵀW.
		relaxed := func(w *mat.Dense) *mat.Dense {
			system := mat.NewDense(n, n, nil)
			system.Add(total, scaled(alpha, l))
			for i := range n {
				system.Set(i, i, system.At(i, i)+alpha*beta)
			}
			system.Scale(lambda, system)
			system.Sub(system, between)
			f, y := new(mat.Dense), new(mat.Dense)
			y.Mul(d.X, w)
			y.Scale(lambda*alpha*beta, y)
			if err := f.Solve(system, y); err != nil {
				t.Fatal(err)
			}
			return f
		}
		w, _, err := m.Projection()
		if err != nil {
			t.Fatal(err)
		}
		best := relaxed(w)
		if got := ratio(w, best); math.Abs(got-lambda) > 1e-9*lambda {
			t.Errorf("%d features: λ* = %v, the ratio is %v", features, lambda, got)
		}
		rng := rand.New(rand.NewPCG(7, 7))
		jitter := func(m *mat.Dense, size float64) *mat.Dense {
			out := mat.DenseCopyOf(m)
			out.Apply(func(_, _ int, v float64) float64 { return v + size*rng.NormFloat64() }, out)
			return out
		}
		for _, size := range []float64{1e-3, 1e-2, 1} {
			for range 20 {
				other := jitter(w, size)
				dense.Orthonormalise(other)
				for _, f := range []*mat.Dense{relaxed(other), jitter(best, size*mat.Norm(best, 2)/10)} {
					if v := ratio(other, f); v > lambda*(1+1e-9) {
						t.Errorf("%d features: %v is above λ* = %v", features, v, lambda)
					}
				}
			}
		}
		path, err := e.Spec().FitPath(context.Background(), d, 1, 2)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(path[1].Embedding(), m.Embedding()) || !mat.Equal(path[0].Embedding(), e.Dims(1).MustFit(d).Embedding()) {
			t.Errorf("%d features: the path has other embeddings", features)
		}
	}
}

// labelLaplacians returns L_b and L_t over all samples.
func labelLaplacians(d *Data) (between, total *mat.Dense) {
	n := d.Len()
	between, total = mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	l := float64(d.NumLabelled())
	counts := map[int]float64{}
	for _, label := range d.Labels {
		counts[label]++
	}
	for i, a := range d.Labels {
		for k, b := range d.Labels {
			if a == data.Unlabelled || b == data.Unlabelled {
				continue
			}
			between.Set(i, k, -1/l)
			total.Set(i, k, -1/l)
			if a == b {
				between.Set(i, k, 1/counts[a]-1/l)
			}
			if i == k {
				total.Set(i, k, 1-1/l)
			}
		}
	}
	return between, total
}

func scaled(s float64, m *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Scale(s, m)
	return &out
}

// flexibleOf returns the span and the system of a fit of FME.
func flexibleOf(j *job) (*span, *discriminant.Flexible, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, nil, err
	}
	w, err := neighborGraph(j, s.points(j.x()))
	if err != nil {
		return nil, nil, err
	}
	p, err := shared(j.work, flexibleLabelsStep{s, w, labelWeightOption.of(j), false})
	return s, p, err
}
