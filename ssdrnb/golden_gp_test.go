package ssdrnb

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	reference "github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

func init() {
	for family, check := range map[string]func(*golden){
		"ssgplvm_likelihood":       goldenLikelihood,
		"ssgplvm_theta_step":       goldenThetaStep,
		"ssgplvm_prior":            goldenPrior,
		"ssgplvm_logistic":         goldenLogistic,
		"ssgplvm_predict":          goldenPredict,
		"ssgplvm_back_constraint":  goldenBackConstraint,
		"ssgplvm_fitc":             goldenFITC,
		"ssgplvm_pca_init":         goldenPCAStart,
		"ssgplvm_constraint_score": goldenConstraintScore,
		"ssgplvm_nn":               goldenNearest,
		"ssgplvm_optimum":          goldenOptimum,
	} {
		goldenFamilies[family] = check
	}
}

// text returns a string of the file.
func (c *golden) text(path string) string {
	c.Helper()
	s, ok := c.at(path).(string)
	if !ok {
		c.Fatalf("%s is no text", path)
	}
	return s
}

func (c *golden) theta(path string) gp.Theta {
	c.Helper()
	return gp.Theta(c.nums(path))
}

// table reads a set of samples that the golden files refer to, from the folder SSDRNB_GOLDEN if it
// is there.
func table(t *testing.T, name string) (*mat.Dense, []int) {
	t.Helper()
	name = "ssgplvm_data_" + name + ".csv"
	path := filepath.Join(reference.Extra(), name)
	if _, err := os.Stat(path); err != nil || reference.Extra() == "" {
		path = filepath.Join("testdata", "golden", name+".gz")
	}
	rows, err := csv.NewReader(bytes.NewReader(reference.Open(t, path))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	features := len(rows[0]) - 1
	x, labels := mat.NewDense(len(rows)-1, features, nil), make([]int, len(rows)-1)
	for i, row := range rows[1:] {
		for k, s := range row {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			if k < features {
				x.Set(i, k, v)
			} else {
				labels[i] = int(v)
			}
		}
	}
	return x, labels
}

// TestGoldenTables: the samples that the golden files refer to equal the embedded sets.
func TestGoldenTables(t *testing.T) {
	for name, d := range map[string]*data.Data{"iris": datasets.Iris(), "wine": datasets.Wine(), "balance": datasets.Balance()} {
		x, labels := table(t, name)
		if !mat.Equal(x, d.X) || !slices.Equal(labels, d.Truth) {
			t.Errorf("%s differs", name)
		}
	}
	digits := datasets.Digits()
	known := map[string]int{}
	for i := range digits.Len() {
		known[fmt.Sprint(digits.X.RawRowView(i))] = digits.Truth[i]
	}
	x, labels := table(t, "digits358")
	for i, l := range labels {
		if got, ok := known[fmt.Sprint(x.RawRowView(i))]; !ok || got != l {
			t.Errorf("digits358: row %d, a %d, is not among the digits", i, l)
		}
	}
}

// asPrepared scales x as a method does.
func (c *golden) asPrepared(x *mat.Dense, scale Scaling) (*job, *prepared) {
	c.Helper()
	j := newJob(context.Background(), GPLVM().Scaling(scale).Spec(), NewData(x, nil), newCache())
	j.start()
	p, err := prepareLatent(j)
	if err != nil {
		c.Fatal(err)
	}
	return j, p
}

func goldenLikelihood(c *golden) {
	for k := range c.count("list") {
		at := fmt.Sprintf("list.%d.", k)
		_, p := c.asPrepared(c.mat(at+"Y"), MeanRemoved)
		c.nearAll(at+"mean", p.mean, 1e-9)
		x, theta := c.mat(at+"X"), c.theta(at+"log_theta")
		signal, gamma, noise := theta.Values()
		c.nearAll(at+"theta", []float64{signal, gamma, noise}, 1e-9)
		jitter := c.num(at + "jitter")
		covariance := gp.RBF.Covariance(x, x, theta)
		n, _ := x.Dims()
		for i := range n {
			covariance.Set(i, i, covariance.At(i, i)+noise+jitter)
		}
		c.nearMat(at+"K", covariance, 1e-9)
		_, features := p.y.Dims()
		e, err := gp.NewExact(p.y, gp.RBF, jitter)
		if err != nil {
			c.Fatal(err)
		}
		logLikelihood := e.LogLikelihood(x, theta)
		c.near(at+"loglik", logLikelihood, 1e-9)
		gx, gt := e.Gradient()
		c.nearMat(at+"grad_X", gx, 1e-9)
		c.nearAll(at+"grad_log_theta", gt[:], 1e-9)
		// With no signal, Y = 0, the likelihood reduces to ln|K|.
		zero, err := gp.NewExact(mat.NewDense(n, features, nil), gp.RBF, jitter)
		if err != nil {
			c.Fatal(err)
		}
		c.near(at+"logdet", -2*zero.LogLikelihood(x, theta)/float64(features)-float64(n)*math.Log(2*math.Pi), 1e-9)
	}
}

func goldenThetaStep(c *golden) {
	x, _ := table(c.T, c.text("data"))
	j, p := c.asPrepared(x, Scaling(c.text("preprocessing")))
	start, err := startPositions(j, p.y, int(c.num("d")), drawing())
	if err != nil {
		c.Fatal(err)
	}
	e, err := gp.NewExact(p.y, gp.RBF, c.num("jitter"))
	if err != nil {
		c.Fatal(err)
	}
	c.near("loglik_at_111", e.LogLikelihood(start, gp.Theta{}), 1e-6)
	objective := func(w, g []float64) float64 {
		v := -e.LogLikelihood(start, gp.Theta(w))
		if g != nil {
			_, gt := e.Gradient()
			for k := range g {
				g[k] = -gt[k]
			}
		}
		return v
	}
	for _, minimize := range []gp.Minimize{gp.SCG, gp.LBFGS} {
		r, err := minimize(context.Background(), objective, make([]float64, 3), gp.Options{Steps: 500, Gradient: 1e-7})
		if err != nil {
			c.Fatal(err)
		}
		c.near("loglik_opt", -r.Value, 1e-6)
		for k, want := range c.nums("theta_opt") {
			if got := math.Exp(r.W[k]); math.Abs(got-want) > 1e-3*want {
				c.Errorf("theta_opt[%d]: got %v, want %v", k, got, want)
			}
		}
		c.nearAll("log_theta_opt", r.W, 1e-3)
	}
	// At the file's optimum our gradient vanishes too, up to the rounding of the printed digits.
	g := make([]float64, 3)
	objective(c.nums("log_theta_opt"), g)
	if top := max(math.Abs(g[0]), math.Abs(g[1]), math.Abs(g[2])); top > 1e-6+c.num("grad_norm") {
		c.Errorf("gradient %v at the optimum of the file", top)
	}
}

func goldenPrior(c *golden) {
	x := c.mat("X")
	n, d := x.Dims()
	pairs := Pairs{Must: c.pairList("must"), Cannot: c.pairList("cannot")}
	for k := range c.count("cases") {
		at := fmt.Sprintf("cases.%d.", k)
		prior := gp.Prior{Variant: gp.Variant(c.text(at + "variant")), Form: gp.Form(c.text(at + "form"))}
		gamma := 1.0
		if c.has(at + "gauge") {
			prior.Gauge, prior.Margin, gamma = gp.Gauge(c.text(at+"gauge")), c.num(at+"margin"), c.num(at+"gamma")
		} else {
			prior.Weight = gp.Weight(c.text(at + "weight"))
		}
		p, err := prior.WithPairs(n, pairs)
		if err != nil {
			c.Fatal(err)
		}
		gx := mat.NewDense(n, d, nil)
		e, _ := p.Energy(x, gamma, gx)
		c.near(at+"E", e, 1e-9)
		if c.has(at + "grad") {
			c.nearMat(at+"grad", gx, 1e-9)
			continue
		}
		c.nearMat(at+"grad_full", gx, 1e-9)
		c.nearMat(at+"W", p.Weights(x), 1e-9)
		p.Freeze(x)
		e, _ = p.Energy(x, gamma, gx)
		c.near(at+"E", e, 1e-9)
		c.nearMat(at+"grad_frozen", gx, 1e-9)
	}
}

func goldenLogistic(c *golden) {
	up, down := c.nums("sigma"), c.nums("sigma_neg")
	for k, t := range c.nums("t") {
		gotUp, gotDown := gp.Sigmoids(t)
		if !(math.Abs(gotUp-up[k]) <= 1e-9*up[k]) {
			c.Errorf("σ(%v): got %v, want %v", t, gotUp, up[k])
		}
		if !(math.Abs(gotDown-down[k]) <= 1e-9*down[k]) {
			c.Errorf("σ(−%v): got %v, want %v", t, gotDown, down[k])
		}
	}
}

func goldenPredict(c *golden) {
	_, p := c.asPrepared(c.mat("Y"), MeanRemoved)
	x, theta := c.mat("X"), c.theta("log_theta")
	post, err := gp.Condition(p.y, x, nil, theta, gp.Settings{}, c.num("jitter"))
	if err != nil {
		c.Fatal(err)
	}
	mean, variance, err := post.Predict(c.mat("Xstar"))
	if err != nil {
		c.Fatal(err)
	}
	for i := range variance {
		for k, m := range p.mean {
			mean.Set(i, k, mean.At(i, k)+m)
		}
	}
	c.nearMat("mean", mean, 1e-9)
	c.nearAll("var_f", variance, 1e-9)
	for i := range variance {
		variance[i] += post.Noise()
	}
	c.nearAll("var_y", variance, 1e-9)
	target := c.nums("ystar_centred")
	at := c.nums("x")
	c.near("log_test", post.LogDensity(at, target), 1e-9)
	c.nearAll("grad_log_test", post.LogDensityGradient(at, target), 1e-9)
	nearest := 0
	for i := range 15 {
		if samples.SquaredDistance(p.y.RawRowView(i), target) < samples.SquaredDistance(p.y.RawRowView(nearest), target) {
			nearest = i
		}
	}
	c.near("nearest_row", float64(nearest), 0)
	start := mat.DenseCopyOf(x.Slice(nearest, nearest+1, 0, 2))
	row := mat.NewDense(1, len(target), target)
	found, density, err := post.Locate(context.Background(), row, start, gp.LBFGS)
	if err != nil {
		c.Fatal(err)
	}
	c.near("log_test_opt", density[0], 1e-9)
	// The position of an optimum is only as accurate as the square root of the accuracy of its
	// value.
	c.nearAll("xstar_opt", found.RawRowView(0), 1e-7)
	// From the same start scaled conjugate gradients find a better optimum.
	if _, better, err := post.Locate(context.Background(), row, start, gp.SCG); err != nil || better[0] < density[0] {
		c.Errorf("by SCG %v, by L-BFGS %v, %v", better, density, err)
	}
}

func goldenBackConstraint(c *golden) {
	y := c.mat("Y")
	_, p := c.asPrepared(y, MeanRemoved)
	j := newJob(context.Background(), BCGPLVM().Spec(), NewData(y, nil), newCache())
	j.start()
	k, err := backKernel(j, p)
	if err != nil {
		c.Fatal(err)
	}
	gamma, _ := j.report.Fact("γ_b")
	c.near("gamma_bc", gamma, 1e-9)
	c.nearMat("Kbc", k, 1e-9)
	var x, ga mat.Dense
	x.Mul(k, c.mat("A"))
	c.nearMat("X", &x, 1e-9)
	e, err := gp.NewExact(p.y, gp.RBF, c.num("jitter"))
	if err != nil {
		c.Fatal(err)
	}
	c.near("loglik", e.LogLikelihood(&x, c.theta("log_theta")), 1e-9)
	gx, gt := e.Gradient()
	ga.Mul(k.T(), gx)
	c.nearMat("grad_A", &ga, 1e-9)
	c.nearAll("grad_log_theta", gt[:], 1e-9)
}

func goldenFITC(c *golden) {
	_, p := c.asPrepared(c.mat("Y"), MeanRemoved)
	x, u, theta := c.mat("X"), c.mat("Xu"), c.theta("log_theta")
	c.near("jitter_u", 1e-6, 0)
	fitc, err := gp.NewSparse(p.y, gp.RBF, gp.FITC)
	if err != nil {
		c.Fatal(err)
	}
	c.near("loglik_fitc", fitc.LogLikelihood(x, u, theta), 1e-7)
	gx, gu, gt := fitc.Gradient()
	c.nearMat("grad_X", gx, 1e-7)
	c.nearMat("grad_Xu", gu, 1e-7)
	c.nearAll("grad_log_theta", gt[:], 1e-7)
	bound, err := gp.NewSparse(p.y, gp.RBF, gp.VFE)
	if err != nil {
		c.Fatal(err)
	}
	c.near("bound_vfe", bound.LogLikelihood(x, u, theta), 1e-7)
	exact, err := gp.NewExact(p.y, gp.RBF, 0)
	if err != nil {
		c.Fatal(err)
	}
	c.near("loglik_full", exact.LogLikelihood(x, theta), 1e-7)
}

// wrong returns the leave-one-out error of the nearest neighbour.
func (c *golden) wrong(x *mat.Dense, labels []int) float64 {
	c.Helper()
	predicted, err := metrics.LeaveOneOut(x, labels)
	if err != nil {
		c.Fatal(err)
	}
	count := 0
	for i, l := range labels {
		if predicted[i] != l {
			count++
		}
	}
	return float64(count) / float64(len(labels))
}

// drawing returns a function that returns the same random generator at every call.
func drawing() func() *rand.Rand {
	rng := rand.New(rand.NewPCG(1, 1))
	return func() *rand.Rand { return rng }
}

func goldenPCAStart(c *golden) {
	x, labels := table(c.T, c.text("data"))
	for _, start := range []string{string(RawScores), string(FirstWhitened), string(Whitened)} {
		j, p := c.asPrepared(x, Scaling(c.text("preprocessing")))
		j.spec = j.spec.With("start", start)
		x0, err := startPositions(j, p.y, int(c.num("d")), drawing())
		if err != nil {
			c.Fatal(err)
		}
		rows, d := c.mat(start).Dims()
		c.nearMat(start, x0.Slice(0, rows, 0, d), 1e-8)
		c.near("loo_1nn_"+start, c.wrong(x0, labels), 1e-12)
	}
}

func goldenConstraintScore(c *golden) {
	x, _ := table(c.T, c.text("data"))
	if how := c.text("preprocessing"); how != "none" {
		c.Errorf("preprocessing %q", how)
	}
	d := NewData(x, nil).WithPairs(Pairs{Must: c.pairList("must"), Cannot: c.pairList("cannot")})
	for suffix, e := range map[string]Estimator{"CS1": CS1().Dims(4), "CS2_lambda_0.1": CS2().Dims(4).Cannot(0.1).Standardize(false), "CS2_lambda_0.5": CS2().Dims(4).Cannot(0.5).Standardize(false)} {
		m := c.model(e, d)
		scores, order := make([]float64, 4), make([]float64, 4)
		for k, v := range m.Values() {
			order[k] = c.fact(m, fmt.Sprintf("feature %d", k+1))
			scores[int(order[k])] = v
		}
		// The names contain a dot, which separates the parts of a path.
		for name, got := range map[string][]float64{suffix: scores, "order_" + suffix: order} {
			want, _ := c.root[name].([]any)
			if len(want) != 4 {
				c.Fatalf("%s is missing", name)
			}
			for k, v := range want {
				if w := v.(float64); math.Abs(got[k]-w) > 1e-9*max(1, math.Abs(w)) {
					c.Errorf("%s[%d]: got %v, want %v", name, k, got[k], w)
				}
			}
			c.read[name] = true
		}
	}
}

func goldenNearest(c *golden) {
	if rule := c.text("ties"); !strings.Contains(rule, "lowest row index") {
		c.Errorf("ties: %q", rule)
	}
	x, labels := table(c.T, "iris")
	c.near("iris_raw", c.wrong(x, labels), 1e-12)
	x, labels = table(c.T, "balance")
	c.near("balance_raw", c.wrong(x, labels), 1e-12)
	counts := make([]float64, 3)
	for _, l := range labels {
		counts[l]++
	}
	c.nearAll("balance_counts_L_B_R", counts, 0)
}

// goldenOptimum: the objective at stored positions, the optimum reached from stored positions
// nearby, and the optimum reached from principal components, which may differ.
func goldenOptimum(c *golden) {
	if os.Getenv("SSDRNB_TEST_ALL") == "" {
		c.Skip("half a minute; a part of ./install.sh test --all")
	}
	for k := range c.count("list") {
		at := fmt.Sprintf("list.%d.", k)
		raw, labels := table(c.T, c.text(at+"data"))
		j, p := c.asPrepared(raw, Scaling(c.text(at+"preprocessing")))
		n, d := raw.RawMatrix().Rows, int(c.num(at+"d"))
		var pairs Pairs
		if c.count(at+"must")+c.count(at+"cannot") > 0 {
			pairs = Pairs{Must: c.pairList(at + "must"), Cannot: c.pairList(at + "cannot")}
		}
		prior, err := gp.Prior{Variant: gp.Variant(c.text(at + "variant")), Form: gp.Form(c.text(at + "form")), Gauge: gp.Gauge(c.text(at + "gauge")), Margin: c.num(at + "margin")}.WithPairs(n, pairs)
		if err != nil {
			c.Fatal(err)
		}
		s := gp.Settings{Jitter: c.num(at + "jitter"), Lambda: c.num(at + "lam"), Prior: prior, Schedule: gp.Joint, Gradient: 1e-4, Change: 1e-10, Rounds: 0, Steps: 20}
		fit := func(x *mat.Dense, theta gp.Theta, rounds int) *gp.Fitted {
			s.Theta, s.Rounds = theta, rounds
			f, err := gp.Fit(context.Background(), p.y, x, s)
			if err != nil {
				c.Fatal(err)
			}
			return f
		}
		end := fit(c.mat(at+"X"), c.theta(at+"log_theta"), 0)
		c.near(at+"objective_at_X", end.Objective, 1e-7)
		c.near(at+"loglik_at_X", end.LogLikelihood, 1e-7)
		c.near(at+"E_at_X", end.Energy, 1e-7)
		c.near(at+"loo_1nn", c.wrong(end.X, labels), 1e-12)
		// The start is already below the file's own tolerance for a step. Its gradient agrees with
		// the file's within the accuracy of a gradient so near an optimum.
		if want := c.num(at + "max_abs_grad"); math.Abs(end.Gradient-want) > 1e-6+1e-2*want {
			c.Errorf("%smax_abs_grad: got %v, want %v", at, end.Gradient, want)
		}
		begin := fit(c.mat(at+"start_X"), c.theta(at+"start_log_theta"), 0)
		c.near(at+"start_objective", begin.Objective, 1e-7)
		value := math.Abs(c.num(at + "objective_at_X"))
		reached := fit(c.mat(at+"start_X"), c.theta(at+"start_log_theta"), 30)
		lowest := c.num(at+"objective_at_X") - 1e-4*value
		if c.at(at+"converged") != true {
			lowest = c.num(at + "start_objective")
		}
		c.num(at + "reached_from_start")
		if reached.Objective < lowest {
			c.Errorf("%sreached from the start: %v, want at least %v", at, reached.Objective, lowest)
		}
		x0, err := startPositions(j, p.y, d, drawing())
		if err != nil {
			c.Fatal(err)
		}
		fromPCA := fit(x0, gp.Theta{}, 30)
		if lowest := c.num(at+"pca_start_reference") - 0.03*value; fromPCA.Objective < lowest {
			c.Errorf("%sfrom principal components: %v, want at least %v", at, fromPCA.Objective, lowest)
		}
		c.num(at + "loo_1nn_pca_start")
		if got, most := c.wrong(fromPCA.X, labels), c.num(at+"loo_1nn")+0.04; got > most {
			c.Errorf("%sfrom principal components: 1-NN error %v, want at most %v", at, got, most)
		}
	}
}
