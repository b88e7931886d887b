package gp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

func random(rows, cols int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 9))
	m := mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j := range cols {
			m.Set(i, j, rng.NormFloat64())
		}
	}
	return m
}

// slopes compares the gradient g of f at w with central differences.
func slopes(t *testing.T, what string, f func(w []float64) float64, w, g []float64, tol float64) {
	t.Helper()
	scale := 1e-3
	for _, v := range g {
		scale = max(scale, math.Abs(v))
	}
	for k := range w {
		const h = 1e-5
		at := slices.Clone(w)
		at[k] = w[k] + h
		up := f(at)
		at[k] = w[k] - h
		if want := (up - f(at)) / (2 * h); math.Abs(want-g[k]) > tol*scale {
			t.Errorf("%s: ∂/∂w[%d] is %.10g, differences give %.10g", what, k, g[k], want)
		}
	}
}

func TestExactGradient(t *testing.T) {
	const n, d = 11, 2
	for _, kernel := range Kernels {
		for _, features := range []int{3, 20} {
			e, err := NewExact(random(n, features, 1), kernel, 1e-6)
			if err != nil {
				t.Fatal(err)
			}
			w := append(flat(random(n, d, 2)), 0.3, -0.4, -1)
			copy(w[2:4], w[:2]) // two samples at one position
			value := func(w []float64) float64 {
				return e.LogLikelihood(mat.NewDense(n, d, slices.Clone(w[:n*d])), Theta(w[n*d:]))
			}
			value(w)
			gx, gt := e.Gradient()
			slopes(t, fmt.Sprint(kernel, " ", features), value, w, append(flat(gx), gt[:]...), 1e-7)
		}
	}
}

func TestSparseGradient(t *testing.T) {
	const n, d, m = 12, 2, 4
	for _, kernel := range Kernels {
		for _, how := range []Approximation{FITC, VFE} {
			for _, features := range []int{3, 20} {
				s, err := NewSparse(random(n, features, 1), kernel, how)
				if err != nil {
					t.Fatal(err)
				}
				w := append(flat(random(n, d, 2)), 0.3, -0.4, -1)
				w = append(w, flat(random(m, d, 3))...)
				value := func(w []float64) float64 {
					return s.LogLikelihood(mat.NewDense(n, d, slices.Clone(w[:n*d])), mat.NewDense(m, d, slices.Clone(w[n*d+3:])), Theta(w[n*d:]))
				}
				value(w)
				gx, gu, gt := s.Gradient()
				g := append(append(flat(gx), gt[:]...), flat(gu)...)
				slopes(t, fmt.Sprint(kernel, " ", how, " ", features), value, w, g, 1e-6)
			}
		}
	}
}

// TestSparseLimit: with inducing points at all samples, both approximations equal the exact
// likelihood. With fewer inducing points, the lower bound is below it.
func TestSparseLimit(t *testing.T) {
	const n, d = 10, 2
	y, x := random(n, 4, 1), random(n, d, 2)
	theta := Theta{0.2, 0.5, -1}
	e, err := NewExact(y, RBF, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := e.LogLikelihood(x, theta)
	exact, err := Condition(y, x, nil, theta, Settings{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	at := random(5, d, 3)
	wantMean, wantVar, err := exact.Predict(at)
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []Approximation{FITC, VFE} {
		s, err := NewSparse(y, RBF, how)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.LogLikelihood(x, x, theta); math.Abs(got-want) > 1e-3*math.Abs(want) {
			t.Errorf("%s with all samples: %v, exact %v", how, got, want)
		}
		fewer, err := NewSparse(y, RBF, how)
		if err != nil {
			t.Fatal(err)
		}
		if got := fewer.LogLikelihood(x, mat.DenseCopyOf(x.Slice(0, 4, 0, d)), theta); how == VFE && got >= want {
			t.Errorf("the lower bound %v is above %v", got, want)
		}
		p, err := Condition(y, x, x, theta, Settings{Approximation: how}, 0)
		if err != nil {
			t.Fatal(err)
		}
		mean, variance, err := p.Predict(at)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(mean, wantMean, 1e-4) {
			t.Errorf("%s: another mean", how)
		}
		for i, v := range variance {
			if math.Abs(v-wantVar[i]) > 1e-4 {
				t.Errorf("%s: variance %v, want %v", how, v, wantVar[i])
			}
		}
	}
}

func constraints() data.Pairs {
	return data.Pairs{Must: []data.Pair{{I: 2, J: 5}, {I: 7, J: 8}, {I: 0, J: 2}}, Cannot: []data.Pair{{I: 4, J: 7}, {I: 8, J: 4}, {I: 5, J: 6}}}
}

func TestPriorGradient(t *testing.T) {
	const n, d = 9, 2
	for _, form := range forms {
		for _, variant := range []Variant{MustOnly, Both, Background} {
			for _, gauge := range []Gauge{BySpread, ByGamma, Ungauged} {
				for _, weight := range []Weight{Logistic, Falling, Constant} {
					p, err := Prior{Form: form, Variant: variant, Gauge: gauge, Weight: weight, Margin: 1.5}.WithPairs(n, constraints())
					if err != nil {
						t.Fatal(err)
					}
					what := fmt.Sprint(form, variant, gauge, weight)
					w := append(flat(random(n, d, 4)), -0.3)
					value := func(w []float64) float64 {
						e, _ := p.Energy(mat.NewDense(n, d, slices.Clone(w[:n*d])), math.Exp(w[n*d]), nil)
						return e
					}
					x := mat.NewDense(n, d, slices.Clone(w[:n*d]))
					gx := mat.NewDense(n, d, nil)
					_, gGamma := p.Energy(x, math.Exp(w[n*d]), gx)
					slopes(t, what, value, w, append(flat(gx), gGamma), 1e-6)
					if form.bounded() && gauge == BySpread {
						orthogonal(t, what, x, gx)
					}
					p.Freeze(x)
					p.Energy(x, 1, gx)
					slopes(t, what+" frozen", func(w []float64) float64 {
						e, _ := p.Energy(mat.NewDense(n, d, slices.Clone(w)), math.Exp(-0.3), nil)
						return e
					}, w[:n*d], flat(must(p, x)), 1e-6)
				}
			}
		}
	}
}

// must returns the gradient at γ = e^{−0.3}.
func must(p *Prior, x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	g := mat.NewDense(n, d, nil)
	p.Energy(x, math.Exp(-0.3), g)
	return g
}

// orthogonal checks that the gradient of an energy that is invariant to scale and translation has
// no component along either.
func orthogonal(t *testing.T, what string, x, g *mat.Dense) {
	t.Helper()
	if s := scaleGradient(x, g); math.Abs(s) > 1e-12*mat.Norm(g, 2)*mat.Norm(x, 2) {
		t.Errorf("%s: the gradient changes the scale by %v", what, s)
	}
	for k, m := range samples.Means(g) {
		if math.Abs(m) > 1e-12*mat.Norm(g, 2) {
			t.Errorf("%s: the gradient shifts column %d by %v", what, k, m)
		}
	}
}

// TestPriorBounded: the energy of a cannot-link stays above −1 in the form Mixed, and between 0 and
// m² in the form Margin; neither form depends on the scale.
func TestPriorBounded(t *testing.T) {
	for rho := 0.0; rho < 50; rho += 0.01 {
		mixed, margin := Prior{Form: Mixed}, Prior{Form: Margin, Margin: 2}
		if e, _ := mixed.pair(-1, rho); !(e >= -1 && e <= 0) {
			t.Fatalf("mixed at ρ = %v: %v", rho, e)
		}
		if e, _ := margin.pair(-1, rho); !(e >= 0 && e <= 4) {
			t.Fatalf("margin at ρ = %v: %v", rho, e)
		}
	}
	x := random(9, 2, 5)
	big := mat.DenseCopyOf(x)
	big.Scale(1000, big)
	for _, form := range []Form{Mixed, Margin, Scaled} {
		p, err := Prior{Form: form, Weight: Constant}.WithPairs(9, constraints())
		if err != nil {
			t.Fatal(err)
		}
		a, _ := p.Energy(x, 1, nil)
		b, _ := p.Energy(big, 1, nil)
		if math.Abs(a-b) > 1e-12*math.Abs(a) {
			t.Errorf("%s: %v at 1, %v at 1000", form, a, b)
		}
	}
	p, err := Prior{}.WithPairs(9, constraints())
	if err != nil {
		t.Fatal(err)
	}
	if e, _ := p.Energy(mat.NewDense(9, 2, nil), 1, mat.NewDense(9, 2, nil)); !math.IsInf(e, 1) {
		t.Errorf("coinciding positions: %v", e)
	}
}

func TestPriorPairs(t *testing.T) {
	for name, pairs := range map[string]data.Pairs{
		"both":     {Must: []data.Pair{{I: 1, J: 2}}, Cannot: []data.Pair{{I: 2, J: 1}}},
		"itself":   {Must: []data.Pair{{I: 1, J: 1}}},
		"no index": {Cannot: []data.Pair{{I: 1, J: 9}}},
	} {
		if _, err := (Prior{}).WithPairs(9, pairs); !errors.Is(err, data.ErrPairs) {
			t.Errorf("%s: %v", name, err)
		}
	}
	once, err := Prior{}.WithPairs(9, constraints())
	if err != nil {
		t.Fatal(err)
	}
	pairs := constraints()
	pairs.Must = append(pairs.Must, data.Pair{I: 5, J: 2}, pairs.Must[0])
	twice, err := Prior{}.WithPairs(9, pairs)
	if err != nil {
		t.Fatal(err)
	}
	if once.Active() != 6 || !slices.Equal(once.links, twice.links) {
		t.Errorf("repeated pairs count: %v, %v", once.links, twice.links)
	}
	for _, p := range []Prior{{Form: "x"}, {Weight: "x"}, {Gauge: "x"}, {Variant: "x"}, {Margin: -1}} {
		if _, err := p.WithPairs(9, data.Pairs{}); !errors.Is(err, ErrOption) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

func rosenbrock(w, g []float64) float64 {
	a, b := 1-w[0], w[1]-w[0]*w[0]
	if g != nil {
		g[0], g[1] = -2*a-400*w[0]*b, 200*b
	}
	return a*a + 100*b*b
}

func TestOptimisers(t *testing.T) {
	quadratic := func(w, g []float64) float64 {
		v := 0.0
		for k, x := range w {
			c := float64(k + 1)
			v += c * (x - 1) * (x - 1) / 2
			if g != nil {
				g[k] = c * (x - 1)
			}
		}
		return v
	}
	// fence is undefined beyond 1.5, near its minimum.
	fence := func(w, g []float64) float64 {
		if w[0] > 1.5 {
			return math.Inf(1)
		}
		return quadratic(w, g)
	}
	for name, minimize := range map[string]Minimize{"SCG": SCG, "LBFGS": LBFGS} {
		for _, c := range []struct {
			what  string
			f     Objective
			start []float64
			steps int
		}{
			{"quadratic", quadratic, []float64{-3, 2, 5, 0}, 12},
			{"Rosenbrock", rosenbrock, []float64{-1.2, 1}, 100},
			{"fence", fence, []float64{-40, 3}, 60},
		} {
			last := math.Inf(1)
			start := slices.Clone(c.start)
			r, err := minimize(context.Background(), c.f, c.start, Options{Steps: c.steps, Gradient: 1e-8, Progress: func(v float64) {
				if v > last {
					t.Errorf("%s, %s: the value rises from %v to %v", name, c.what, last, v)
				}
				last = v
			}})
			if err != nil {
				t.Fatal(err)
			}
			for k, w := range r.W {
				if math.Abs(w-1) > 1e-6 {
					t.Errorf("%s, %s: w[%d] = %v after %d steps", name, c.what, k, w, r.Steps)
				}
			}
			if !r.Converged || r.Gradient > 1e-8 || !slices.Equal(start, c.start) {
				t.Errorf("%s, %s: %+v", name, c.what, r)
			}
			if r, _ := minimize(context.Background(), c.f, []float64{1, 1}, Options{Steps: 5, Gradient: 1e-8}); !r.Converged || r.Steps != 0 {
				t.Errorf("%s, %s: at the minimum %+v", name, c.what, r)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		steps := 0
		r, err := minimize(ctx, rosenbrock, []float64{-1.2, 1}, Options{Steps: 100, Progress: func(float64) {
			if steps++; steps == 5 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) || r.Value >= rosenbrock([]float64{-1.2, 1}, nil) || r.Value != rosenbrock(r.W, nil) || r.Steps > 8 {
			t.Errorf("%s cancelled: %+v, %v", name, r, err)
		}
	}
}

// TestEndings: the result of an optimisation states why it ended.
func TestEndings(t *testing.T) {
	// Far from the minimum of bowl the curvature is small, so that the first step of SCG
	// overshoots.
	bowl := func(w, g []float64) float64 {
		v := math.Sqrt(1 + w[0]*w[0])
		if g != nil {
			g[0] = w[0] / v
		}
		return v
	}
	// At the minimum of kink the gradient is not 0.
	kink := func(w, g []float64) float64 {
		if g != nil {
			g[0] = math.Copysign(1, w[0])
		}
		return math.Abs(w[0])
	}
	type ending struct{ converged, limited, blocked bool }
	for _, c := range []struct {
		what     string
		minimize Minimize
		f        Objective
		start    []float64
		steps    int
		want     ending
	}{
		{"SCG, enough steps", SCG, bowl, []float64{3}, 100, ending{converged: true}},
		{"SCG, one step", SCG, bowl, []float64{3}, 1, ending{limited: true, blocked: true}},
		{"SCG, few steps", SCG, rosenbrock, []float64{-1.2, 1}, 5, ending{limited: true}},
		{"SCG, a kink", SCG, kink, []float64{0}, 1000, ending{}},
		{"L-BFGS, enough steps", LBFGS, bowl, []float64{3}, 100, ending{converged: true}},
		{"L-BFGS, few steps", LBFGS, rosenbrock, []float64{-1.2, 1}, 5, ending{limited: true}},
		{"L-BFGS, a kink", LBFGS, kink, []float64{0}, 1000, ending{}},
	} {
		r, err := c.minimize(context.Background(), c.f, c.start, Options{Steps: c.steps, Gradient: 1e-8, Change: 1e-12})
		if err != nil {
			t.Fatal(err)
		}
		if got := (ending{r.Converged, r.Limited, r.Blocked}); got != c.want {
			t.Errorf("%s: %+v after %d steps, want %+v", c.what, got, r.Steps, c.want)
		}
	}
}

// TestGradientAtResult: the gradient of a result belongs to its point, also along a direction
// without a minimum.
func TestGradientAtResult(t *testing.T) {
	hill := func(w, g []float64) float64 {
		if math.Abs(w[0]) > 1e8 {
			clear(g)
			return math.Inf(1)
		}
		if g != nil {
			g[0] = -w[0]
		}
		return -w[0] * w[0] / 2
	}
	for name, minimize := range map[string]Minimize{"SCG": SCG, "LBFGS": LBFGS} {
		for _, f := range []Objective{hill, rosenbrock} {
			start := []float64{1, 1.5}
			r, err := minimize(context.Background(), f, start, Options{Steps: 30, Gradient: 1e-8})
			g := make([]float64, len(start))
			if v := f(r.W, g); err != nil || v != r.Value || largest(g) != r.Gradient {
				t.Errorf("%s: value %v and gradient %v, but %v and %v at the point; %v", name, r.Value, r.Gradient, v, largest(g), err)
			}
		}
	}
}

func TestFit(t *testing.T) {
	const n, d = 20, 2
	y, x0 := random(n, 5, 1), random(n, d, 2)
	prior, err := Prior{}.WithPairs(n, constraints())
	if err != nil {
		t.Fatal(err)
	}
	base := Settings{Jitter: 1e-6, Rounds: 8, Steps: 10, Gradient: 1e-6, Lambda: 3}
	back := RBF.Covariance(y, y, Theta{0, -2, 0})
	for name, change := range map[string]func(*Settings){
		"plain":     func(*Settings) {},
		"joint":     func(s *Settings) { s.Schedule = Joint },
		"SCG":       func(s *Settings) { s.Minimize = SCG },
		"prior":     func(s *Settings) { s.Prior = prior },
		"by γ":      func(s *Settings) { p := *prior; p.Gauge = ByGamma; s.Prior = &p },
		"back":      func(s *Settings) { s.Back, s.Prior = back, prior },
		"FITC":      func(s *Settings) { s.Approximation, s.Inducing = FITC, random(6, d, 3) },
		"VFE joint": func(s *Settings) { s.Approximation, s.Inducing, s.Schedule = VFE, random(6, d, 3), Joint },
	} {
		s := base
		change(&s)
		f, err := Fit(context.Background(), y, x0, s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for k := 1; k < len(f.History); k++ {
			if f.History[k] < f.History[k-1]-1e-9*math.Abs(f.History[k]) {
				t.Errorf("%s: J falls from %v to %v", name, f.History[k-1], f.History[k])
			}
		}
		if last := f.History[len(f.History)-1]; math.Abs(last-f.Objective) > 1e-9*math.Abs(last) || last <= f.History[0] {
			t.Errorf("%s: J = %v, history from %v to %v", name, f.Objective, f.History[0], last)
		}
		if !mat.Equal(x0, random(n, d, 2)) || !mat.Equal(y, random(n, 5, 1)) {
			t.Errorf("%s: changed its input", name)
		}
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
		for _, procs := range []int{1, 3} {
			runtime.GOMAXPROCS(procs)
			again, err := Fit(context.Background(), y, x0, s)
			if err != nil || !mat.Equal(again.X, f.X) || again.Theta != f.Theta {
				t.Errorf("%s: GOMAXPROCS %d gives other positions, %v", name, procs, err)
			}
		}
	}
	// With λ = 0, or without pairs, the result equals that of the plain model to the last bit.
	plain, err := Fit(context.Background(), y, x0, base)
	if err != nil {
		t.Fatal(err)
	}
	none, err := Prior{}.WithPairs(n, data.Pairs{})
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Settings){
		"λ = 0":    func(s *Settings) { s.Prior, s.Lambda = prior, 0 },
		"no pairs": func(s *Settings) { s.Prior = none },
	} {
		s := base
		change(&s)
		f, err := Fit(context.Background(), y, x0, s)
		if err != nil || !mat.Equal(f.X, plain.X) || f.Theta != plain.Theta {
			t.Errorf("%s is not the plain model: %v", name, err)
		}
	}
	// If the context ends, Fit returns the best result so far.
	ctx, cancel := context.WithCancel(context.Background())
	s := base
	s.Progress = func(p Progress) {
		if p.Phase == "positions" {
			cancel()
		}
	}
	f, err := Fit(ctx, y, x0, s)
	if !errors.Is(err, context.Canceled) || f.Objective <= f.History[0] || len(f.History) > 15 {
		t.Errorf("cancelled: %v, J from %v to %v in %d steps", err, f.History[0], f.Objective, len(f.History))
	}
}

// TestLiteralForms: with a form without a maximum, the positions diverge, and the fit stops while
// all numbers are finite.
func TestLiteralForms(t *testing.T) {
	const n = 20
	y, x0 := random(n, 5, 1), random(n, 2, 2)
	for _, form := range []Form{LaplacianForm, Scaled, Distance, Trace, Trace15} {
		for _, schedule := range []Schedule{Alternate, Joint} {
			for _, minimize := range []Minimize{SCG, LBFGS} {
				prior, err := Prior{Form: form}.WithPairs(n, constraints())
				if err != nil {
					t.Fatal(err)
				}
				f, err := Fit(context.Background(), y, x0, Settings{Jitter: 1e-6, Rounds: 20, Steps: 20, Prior: prior, Lambda: 10, Schedule: schedule, Minimize: minimize})
				if err != nil {
					t.Fatal(form, err)
				}
				if tooFar(f.X) || math.IsNaN(f.Objective) || math.IsInf(f.Objective, 0) {
					t.Errorf("%s, %s: J = %v", form, schedule, f.Objective)
				}
				if form != Scaled && mat.Max(f.X) < 1e3 {
					t.Errorf("%s, %s: no divergence: largest %v", form, schedule, mat.Max(f.X))
				}
			}
		}
	}
}

// TestFarAway: positions whose squared distances overflow are uncorrelated with all samples.
func TestFarAway(t *testing.T) {
	y, x := random(9, 3, 1), random(9, 2, 2)
	for _, kernel := range Kernels {
		p, err := Condition(y, x, nil, Theta{}, Settings{Kernel: kernel}, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, far := range []float64{1e4, 1e100, 1e154, 1e200} { // 1e154² is nearly the largest float64
			mean, variance, err := p.Predict(mat.NewDense(1, 2, []float64{far, 0}))
			if err != nil || mat.Norm(mean, 2) != 0 || variance[0] != 1 {
				t.Errorf("%s at %g: mean %v, variance %v, %v", kernel, far, mean, variance, err)
			}
		}
	}
}

func TestPosterior(t *testing.T) {
	const n, d, features = 12, 2, 3
	y, x := random(n, features, 1), random(n, d, 2)
	theta := Theta{0.4, -0.2, -3}
	p, err := Condition(y, x, nil, theta, Settings{}, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	signal, _, _ := theta.Values()
	mean, variance, err := p.Predict(mat.NewDense(1, d, []float64{1e4, 0}))
	if err != nil || mat.Norm(mean, 2) != 0 || math.Abs(variance[0]-signal) > 1e-12 {
		t.Errorf("far away: mean %v, variance %v, %v", mean, variance, err)
	}
	at, target := []float64{0.3, -0.6}, []float64{0.5, -0.1, 0.2}
	slopes(t, "density", func(w []float64) float64 { return p.LogDensity(w, target) }, at, p.LogDensityGradient(at, target), 1e-7)
	start := random(n, d, 6)
	found, density, err := p.Locate(context.Background(), y, start, SCG)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if before := p.LogDensity(start.RawRowView(i), y.RawRowView(i)); density[i] < before {
			t.Errorf("row %d: density falls from %v to %v", i, before, density[i])
		}
		if g := p.LogDensityGradient(found.RawRowView(i), y.RawRowView(i)); math.Hypot(g[0], g[1]) > 1e-4 {
			t.Errorf("row %d: gradient %v", i, g)
		}
	}
	if _, _, err := p.Predict(mat.NewDense(1, 3, nil)); !errors.Is(err, ErrShape) {
		t.Error(err)
	}
	if _, _, err := p.Locate(context.Background(), random(2, 4, 1), random(2, d, 1), SCG); !errors.Is(err, ErrShape) {
		t.Error(err)
	}
}

// TestDensityIsARatio: the density of a new sample is the likelihood of all samples divided by that of
// the old ones, under the same model with its jitter.
func TestDensityIsARatio(t *testing.T) {
	const n, d, features = 12, 2, 3
	y, x := random(n, features, 1), random(n, d, 2)
	old := func(m *mat.Dense) *mat.Dense { return m.Slice(0, n-1, 0, m.RawMatrix().Cols).(*mat.Dense) }
	theta := Theta{0.4, -0.2, -3}
	for _, jitter := range []float64{0, 1e-6, 0.01, 1} {
		likelihood := func(y, x *mat.Dense) float64 {
			e, err := NewExact(y, RBF, jitter)
			if err != nil {
				t.Fatal(err)
			}
			return e.LogLikelihood(x, theta)
		}
		p, err := Condition(old(y), old(x), nil, theta, Settings{}, jitter)
		if err != nil {
			t.Fatal(err)
		}
		want := likelihood(y, x) - likelihood(old(y), old(x))
		if got := p.LogDensity(x.RawRowView(n-1), y.RawRowView(n-1)); math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("jitter %g: density %v, ratio %v", jitter, got, want)
		}
	}
}

// TestJitter: if the covariance is singular at the start the jitter is raised, and the model keeps
// the raised value.
func TestJitter(t *testing.T) {
	const n = 30
	y, x := random(n, 3, 1), random(n, 1, 2)
	x.Scale(1e-9, x)
	defer func(old float64) { logLimit = old }(logLimit)
	logLimit = 40 // within the usual limits no covariance of this size is singular
	singular := Theta{Signal: 7, Noise: -35}
	f, err := Fit(context.Background(), y, x, Settings{Theta: singular, Rounds: 1, Steps: 2})
	if err != nil {
		t.Fatal(err)
	}
	if f.Jitter == 0 || math.IsInf(f.Objective, 0) || math.IsNaN(f.Objective) {
		t.Errorf("jitter %v, J = %v", f.Jitter, f.Objective)
	}
	e, err := NewExact(y, RBF, 0)
	if err != nil {
		t.Fatal(err)
	}
	if v := e.LogLikelihood(x, singular); !math.IsInf(v, -1) {
		t.Errorf("without jitter ln p = %v", v)
	}
	if g, gt := e.Gradient(); mat.Norm(g, 2) != 0 || gt != (Theta{}) {
		t.Errorf("gradient %v of an impossible model", gt)
	}
	e2, err := NewExact(y, RBF, f.Jitter)
	if err != nil {
		t.Fatal(err)
	}
	if v := e2.LogLikelihood(f.X, f.Theta); math.Abs(v-f.Objective) > 1e-9*math.Abs(v) {
		t.Errorf("J = %v, with the jitter of the model %v", f.Objective, v)
	}
}

func TestBadArguments(t *testing.T) {
	y, x := random(6, 3, 1), random(6, 2, 2)
	far, constant := random(6, 2, 2), mat.NewDense(6, 6, slices.Repeat([]float64{1}, 36))
	far.Set(4, 1, 2e8)
	for name, c := range map[string]struct {
		x    *mat.Dense
		s    Settings
		want error
	}{
		"one place":     {mat.NewDense(6, 2, nil), Settings{}, ErrCoincide},
		"far":           {far, Settings{Jitter: 1e-6}, ErrFar},
		"far, VFE":      {far, Settings{Approximation: VFE, Inducing: x}, ErrFar},
		"constant back": {x, Settings{Back: constant}, ErrCoincide},
		"fewer":         {random(5, 2, 1), Settings{}, ErrShape},
		"kernel":        {x, Settings{Kernel: "x"}, ErrOption},
		"jitter":        {x, Settings{Jitter: -1}, ErrOption},
		"λ":             {x, Settings{Lambda: math.NaN()}, ErrOption},
		"no inducing":   {x, Settings{Approximation: FITC}, ErrOption},
		"approximation": {x, Settings{Approximation: "x", Inducing: x}, ErrOption},
		"back":          {x, Settings{Back: y}, ErrShape},
		"prior":         {x, Settings{Prior: &Prior{n: 3}}, ErrShape},
	} {
		if _, err := Fit(context.Background(), y, c.x, c.s); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Unbounded agrees with the energy of a pair far from the origin.
func TestUnbounded(t *testing.T) {
	one := []data.Pair{{I: 0, J: 1}}
	for _, form := range []Form{Mixed, Margin, LaplacianForm, Scaled, Distance, Trace, Trace15} {
		for _, weight := range []Weight{Logistic, Falling, Constant} {
			for _, pairs := range []data.Pairs{{}, {Must: one}, {Cannot: one}} {
				for _, variant := range []Variant{MustOnly, Both, Background} {
					p, err := Prior{Form: form, Weight: weight, Variant: variant}.WithPairs(3, pairs)
					if err != nil {
						t.Fatal(err)
					}
					const far = 1e6
					for _, fixed := range []bool{false, true} {
						if fixed {
							p.Freeze(mat.NewDense(3, 1, []float64{0, 1, 3}))
						}
						least := 0.0
						for _, at := range [][]float64{{far, far, 0}, {far, -far, 0}, {far, 0, far}, {far, 0, -far}, {-far, far, 1}} {
							e, _ := p.Energy(mat.NewDense(3, 1, at), 1, nil)
							least = min(least, e)
						}
						if got, want := p.Unbounded(fixed), least < -1e4; got != want {
							t.Errorf("%s, %s, %s, %v, fixed %v: %v, but the energy is %v", form, weight, variant, pairs, fixed, got, least)
						}
					}
				}
			}
		}
	}
	var none *Prior
	if none.Unbounded(true) {
		t.Error("no prior is unbounded")
	}
}

// Constant back constraints place all samples at one point up to rounding, whatever their number.
func TestConstantBack(t *testing.T) {
	for n := 5; n < 70; n++ {
		constant := mat.NewDense(n, n, slices.Repeat([]float64{1}, n*n))
		if _, err := newProblem(random(n, 3, 1), random(n, 2, 2), Settings{Kernel: RBF, Jitter: 1e-6, Back: constant}); !errors.Is(err, ErrCoincide) {
			t.Errorf("%d samples: %v", n, err)
		}
	}
}

// The reach of two samples far on opposite sides is large, that of many equal samples is not.
func TestReach(t *testing.T) {
	for _, n := range []int{12, 100} {
		x := random(n, 2, 3)
		x.SetRow(0, []float64{1e7, 0})
		x.SetRow(1, []float64{-1e7, 0})
		if r := (&Fitted{X: x}).Reach(x); !(r > 1e5) {
			t.Errorf("%d samples, two of them far: %g", n, r)
		}
		x = mat.NewDense(n, 2, nil)
		for i := range n / 3 {
			sin, cos := math.Sincos(float64(i))
			x.SetRow(i, []float64{cos, sin})
		}
		if r := (&Fitted{X: x}).Reach(x); !(r < 50) {
			t.Errorf("%d samples, most of them equal: %g", n, r)
		}
	}
}
