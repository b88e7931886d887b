package ssdrnb

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

func init() {
	goldenFamilies["embedding s2lae"] = func(c *golden) {
		goldenEmbedding(c, S2LAE().Neighbors(int(c.num("input.k"))).Spec(), problemS2LAE)
	}
	goldenFamilies["embedding s2lle"] = func(c *golden) {
		goldenEmbedding(c, S2LLE().Neighbors(int(c.num("input.k"))).Regularization(c.num("input.reg")).Spec(), problemS2LLE)
	}
	goldenFamilies["embedding ks2lae"] = func(c *golden) {
		c.ignore("KS2LAE has no regularization", "input.reg")
		spec := KS2LAE().Neighbors(int(c.num("input.k"))).Scale(math.Sqrt(c.num("input.t"))).Spec()
		goldenEmbedding(c, spec, func(j *job) (*pairing.Problem, error) {
			p, _, err := problemKS2LAE(j)
			return p, err
		})
	}
	goldenFamilies["embedding ks2lle"] = func(c *golden) {
		spec := KS2LLE().Neighbors(int(c.num("input.k"))).Regularization(c.num("input.reg")).Scale(math.Sqrt(c.num("input.t"))).Spec()
		goldenEmbedding(c, spec, func(j *job) (*pairing.Problem, error) {
			p, _, err := problemKS2LLE(j)
			return p, err
		})
	}
	goldenFamilies["lle_weights"] = goldenMustLinkedWeights
}

// goldenEmbedding: the matrices, the trace ratio and the embedding of S2LAE, S2LLE and their kernel
// versions, from pairs given in the order in which they were sampled.
func goldenEmbedding(c *golden, spec Spec, build func(*job) (*pairing.Problem, error)) {
	c.ignore("the pairs are given as they were sampled; all problems are centred; S2LAE has no regularization", "input.fraction", "input.centred", "input.reg")
	labels := c.whole("input.labels")
	d := NewData(c.mat("input.X"), labels).WithPairs(data.Pairs{Must: c.pairList("input.ML"), Cannot: c.pairList("input.CL")})
	c.ignore("read as pairs", "input.ML", "input.CL")
	dims := int(c.num("input.d"))
	spec = spec.With("dims", dims).With("global", c.num("input.ell")).With("ridge", c.num("input.mu"))
	spec = spec.With("unlabelled weight", 0) // as published
	if c.has("input.unlabelled_weight") {
		spec = spec.With("unlabelled weight", c.num("input.unlabelled_weight"))
	}

	// All pairs of the graph.
	nb, err := graph.Search(context.Background(), d.X, int(c.num("input.k")), graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		c.Fatal(err)
	}
	g, err := nb.Lengths(graph.Or)
	if err != nil {
		c.Fatal(err)
	}
	all, err := pairing.LabelledPairs(g, labels)
	if err != nil {
		c.Fatal(err)
	}
	c.near("output.n_ML_all", float64(len(all.Must)), 0)
	c.near("output.n_CL_all", float64(len(all.Cannot)), 0)

	if c.at("output.status") == "unbounded" {
		_, err := spec.Fit(d)
		if !errors.Is(err, spectral.ErrUnbounded) {
			c.Errorf("an unbounded ratio: %v", err)
		}
		// The matrices belong to the same problem with a ridge.
		spec = spec.With("ridge", 1e-3)
	}

	j := newJob(context.Background(), spec, d, newCache())
	j.start()
	p, err := build(j)
	if err != nil {
		c.Fatal(err)
	}
	components, _ := j.report.Fact("must-link components")
	c.near("output.ml_components", components, 0)
	c.goldenMatrices(p, j)
	if c.at("output.status") == "unbounded" {
		return
	}

	r, y, err := embeddingRatio(j, p, dims)
	if err != nil {
		c.Fatal(err)
	}
	m := c.model(spec, d)
	lambda := c.fact(m, "λ*")
	c.near("output.lambda_star", lambda, 1e-8)
	a, b, err := p.Dense()
	if err != nil {
		c.Fatal(err)
	}
	// Fast returns all eigenvalues.
	whole, _, _, _ := c.solve(pairing.CentredForm(a), pairing.CentredForm(b), dims, spectral.TraceRatioOptions{Solver: spectral.Fast, StartSet: true})
	radius := c.num("output.spectral_radius")
	if got := max(math.Abs(whole.Values[0]), math.Abs(whole.Values[len(whole.Values)-1])); math.Abs(got-radius) > 1e-6*radius {
		c.Errorf("spectral radius %g, want %g", got, radius)
	}
	for k, want := range c.nums("output.eigenvalues_top") {
		if math.Abs(whole.Values[k]-want) > 1e-8*radius {
			c.Errorf("eigenvalue %d: got %.12g, want %.12g", k, whole.Values[k], want)
		}
	}
	if want := c.num("output.gap_d"); math.Abs(c.fact(m, "eigengap")-want) > 2e-8*radius {
		c.Errorf("gap %g, want %g", c.fact(m, "eigengap"), want)
	}
	if unique := c.at("output.unique").(bool); unique != r.Unique {
		c.Errorf("unique: %v, want %v", r.Unique, unique)
	} else if !unique {
		return
	}
	c.nearSpan("output.Y", y, 1e-6)
	c.nearSpan("output.Y", m.Embedding(), 1e-6)
	c.near("output.numerator", c.fact(m, "numerator"), 1e-7)
	c.near("output.denominator", c.fact(m, "denominator"), 1e-9)
	// If A has equal eigenvalues, the eigenvectors at λ = 0 are arbitrary. The second λ then
	// depends on that choice, and only the limit is compared.
	first, err := spectral.Top(pairing.CentredForm(a), d.Len()-1)
	if err != nil {
		c.Fatal(err)
	}
	equal := false
	for k := range len(first.Values) - 1 {
		equal = equal || first.Values[k]-first.Values[k+1] < 1e-12
	}
	for solver, path := range map[Solver]string{ITR: "output.itr_lambda", FastTraceRatio: "output.fast_lambda"} {
		history := c.model(spec.With("solver", solver), d).Report().Traces[0].Lambda
		want := c.nums(path)
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-7*max(1, math.Abs(b)) }
		if !near(history[len(history)-1], want[len(want)-1]) {
			c.Errorf("%s ends at %.12g, want %.12g", path, history[len(history)-1], want[len(want)-1])
		}
		if equal && !near(history[1], want[1]) {
			continue
		}
		// The last steps differ by rounding.
		for t := range min(len(history), len(want)) {
			if !near(history[t], want[t]) {
				c.Errorf("%s[%d]: got %.12g, want %.12g", path, t, history[t], want[t])
			}
		}
	}
}

// goldenMatrices compares L_C and L_M, without ridge.
func (c *golden) goldenMatrices(p *pairing.Problem, j *job) {
	c.Helper()
	if c.has("output.LML_eigenvalues") {
		_, b, err := p.Dense()
		if err != nil {
			c.Fatal(err)
		}
		pairs, err := spectral.Bottom(b, c.count("output.LML_eigenvalues"))
		if err != nil {
			c.Fatal(err)
		}
		for k, want := range c.nums("output.LML_eigenvalues") {
			if math.Abs(pairs.Values[k]-p.Mu-want) > 1e-10 {
				c.Errorf("eigenvalue %d of the must-link Laplacian: %g, want %g", k, pairs.Values[k]-p.Mu, want)
			}
		}
		return
	}
	frobenius := func(m *sparse.CSR) float64 {
		sum := 0.0
		for _, v := range m.Val {
			sum += v * v
		}
		return math.Sqrt(sum)
	}
	must := p.Must
	if p.Residual != nil {
		square, err := sparse.Mul(p.Transposed(), p.Residual)
		if err != nil {
			c.Fatal(err)
		}
		if must, err = sparse.Add(1, p.Must, 1, square); err != nil {
			c.Fatal(err)
		}
	}
	if tau := unlabelledWeightOption.of(j); tau > 0 {
		// The file has only the must-link term.
		nb, err := graph.Search(j.ctx, j.x(), neighborsOption.of(j), graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			c.Fatal(err)
		}
		edges, err := openEdges(j, nb, j.x())
		if err != nil {
			c.Fatal(err)
		}
		open := graph.Laplacian(edges)
		if tr := sum(must.Diag()) - sum(open.Diag()); math.Abs(tr-c.num("output.LML_trace")) < 1e-9 {
			if must, err = sparse.Add(1, must, -1, open); err != nil {
				c.Fatal(err)
			}
		}
	}
	c.nearAll("output.LCL_diagonal", scaledDiag(p.Cannot, p.Ell), 1e-9)
	c.nearAll("output.LML_diagonal", must.Diag(), 1e-9)
	c.near("output.LML_frobenius", frobenius(must), 1e-9)
	c.near("output.LML_trace", sum(must.Diag()), 1e-9)
	c.near("output.LCL_frobenius", frobeniusOfA(p), 1e-9)
	if c.has("output.Delta") {
		for e := range c.count("output.Delta") {
			at := fmt.Sprintf("output.Delta.%d", e)
			entry := c.nums(at)
			if got := -p.Residual.At(int(entry[0]), int(entry[1])); math.Abs(got-entry[2]) > 1e-9 {
				c.Errorf("%s: got %.15g, want %.15g", at, got, entry[2])
			}
		}
	}
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// scaledDiag returns the diagonal of A = ℓ(I − 11ᵀ/n) + (1 − ℓ)·L_C.
func scaledDiag(cannot *sparse.CSR, ell float64) []float64 {
	d := cannot.Diag()
	for i := range d {
		d[i] = ell*(1-1/float64(len(d))) + (1-ell)*d[i]
	}
	return d
}

func frobeniusOfA(p *pairing.Problem) float64 {
	n := p.Cannot.Rows
	a := p.Cannot.Dense()
	a.Scale(1-p.Ell, a)
	for i := range n {
		for k := range n {
			v := a.At(i, k) - p.Ell/float64(n)
			if i == k {
				v += p.Ell
			}
			a.Set(i, k, v)
		}
	}
	return mat.Norm(a, 2)
}

// goldenMustLinkedWeights: S2LLE's weights among duplicates.
func goldenMustLinkedWeights(c *golden) {
	labels := c.whole("input.labels")
	d := NewData(c.mat("input.X"), labels).WithPairs(data.Pairs{Must: c.pairList("input.ML"), Cannot: c.pairList("input.CL")})
	c.ignore("read as pairs", "input.ML", "input.CL")
	k := int(c.num("input.k"))
	spec := S2LLE().Neighbors(k).Regularization(c.num("input.reg")).Spec()
	j := newJob(context.Background(), spec, d, newCache())
	j.start()
	nb, err := nearestNeighbors(j)
	if err != nil {
		c.Fatal(err)
	}
	for i := range d.Len() {
		index, _ := nb.Of(i)
		for a, want := range c.whole(fmt.Sprintf("output.neighbours.%d", i)) {
			if int(index[a]) != want {
				c.Errorf("neighbour %d of %d: got %d, want %d", a, i, index[a], want)
			}
		}
	}
	p, err := problemS2LLE(j)
	if err != nil {
		c.Fatal(err)
	}
	for e := range c.count("output.Delta") {
		at := fmt.Sprintf("output.Delta.%d", e)
		entry := c.nums(at)
		if got := -p.Residual.At(int(entry[0]), int(entry[1])); math.Abs(got-entry[2]) > 1e-12 {
			c.Errorf("%s: got %.15g, want %.15g", at, got, entry[2])
		}
	}
	square, err := sparse.Mul(p.Transposed(), p.Residual)
	if err != nil {
		c.Fatal(err)
	}
	c.nearAll("output.LML_diagonal", square.Diag(), 1e-12)
}
