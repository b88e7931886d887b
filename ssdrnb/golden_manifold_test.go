package ssdrnb

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

func init() {
	goldenFamilies["baseline lae"] = goldenLAE
	goldenFamilies["baseline lle"] = goldenLLE
	goldenFamilies["baseline hlle"] = goldenHLLE
	goldenFamilies["baseline ltsa"] = goldenLTSA
	goldenFamilies["baseline isomap"] = goldenIsomap
	goldenFamilies["baseline mmp"] = goldenMMP
	goldenFamilies["baseline slle"] = goldenSLLE
	goldenFamilies["baseline s-isomap"] = goldenSIsomap
	goldenFamilies["baseline ss-lle"] = goldenSSLLE
	goldenFamilies["baseline ss-ltsa"] = goldenSSLTSA
}

// nearSpan compares the orthogonal projector onto the columns of y with the projector onto the rows
// at path, which are orthonormal.
func (c *golden) nearSpan(path string, y *mat.Dense, tol float64) {
	c.Helper()
	want := c.mat(path)
	if r, n := want.Dims(); r != columns(y) || n != rowsOf(y) {
		c.Errorf("%s: %d×%d, got %d columns of %d", path, r, n, columns(y), rowsOf(y))
		return
	}
	got, ref := outer(y), outer(mat.DenseCopyOf(want.T()))
	got.Sub(got, ref)
	if worst := max(mat.Max(got), -mat.Min(got)); !(worst <= tol) {
		c.Errorf("%s: projectors differ by %g", path, worst)
	}
}

func columns(y *mat.Dense) int { _, k := y.Dims(); return k }
func rowsOf(y *mat.Dense) int  { n, _ := y.Dims(); return n }

// eigenvalues compares the smallest eigenvalues, the first of which belongs to the constant vector,
// with the values of fits that request all the others.
func (c *golden) eigenvalues(m *Model) {
	c.Helper()
	want := c.nums("output.eigenvalues")
	if math.Abs(want[0]) > 1e-12 {
		c.Errorf("the constant vector has the eigenvalue %g", want[0])
	}
	for k, got := range m.Values() {
		if math.Abs(got-want[k+1]) > 1e-10 {
			c.Errorf("eigenvalue %d: got %.15g, want %.15g", k+1, got, want[k+1])
		}
	}
	if len(m.Values()) != len(want)-1 {
		c.Errorf("%d eigenvalues, want %d", len(m.Values()), len(want)-1)
	}
}

func goldenLAE(c *golden) {
	d := NewData(c.mat("input.X"), nil)
	k, dims, t := int(c.num("input.k")), int(c.num("input.d")), c.num("input.t")
	m := c.model(LAE().Dims(dims).Neighbors(k).Width(t), d)
	// The reference has one coordinate per row, up to sign.
	c.nearAxes("output.Y", m.Embedding(), 1e-6)
	c.eigenvalues(c.model(LAE().Dims(4).Neighbors(k).Width(t), d))
	nb, err := graph.Search(context.Background(), d.X, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		c.Fatal(err)
	}
	w, err := nb.Graph(graph.Or, graph.Heat(t))
	if err != nil {
		c.Fatal(err)
	}
	c.nearAll("output.degree", w.RowSums(), 1e-12)
}

func goldenLLE(c *golden) {
	d := NewData(c.mat("input.X"), nil)
	b := LLE().Neighbors(int(c.num("input.k"))).Regularization(c.num("input.reg"))
	c.nearSpan("output.Y", c.model(b.Dims(int(c.num("input.d"))), d).Embedding(), 1e-5)
	c.eigenvalues(c.model(b.Dims(4), d))
	nb, err := graph.Search(context.Background(), d.X, int(c.num("input.k")), graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		c.Fatal(err)
	}
	delta, err := align.Reconstruct(context.Background(), d.X, nb.Directed(), c.num("input.reg"))
	if err != nil {
		c.Fatal(err)
	}
	for e := range c.count("output.Delta") {
		at := fmt.Sprintf("output.Delta.%d", e)
		entry := c.nums(at)
		if got := delta.At(int(entry[0]), int(entry[1])); math.Abs(got-entry[2]) > 1e-9 {
			c.Errorf("%s: got %.15g, want %.15g", at, got, entry[2])
		}
	}
	if c.count("output.Delta") != delta.NNZ() {
		c.Errorf("%d weights, want %d", delta.NNZ(), c.count("output.Delta"))
	}
}

func goldenHLLE(c *golden) {
	c.ignore("HLLE leaves the sample out; dividing the columns by their sums, which are 0, changes nothing: one method passes both files",
		"input.include_self", "input.normalise")
	d := NewData(c.mat("input.X"), nil)
	k := int(c.num("input.k"))
	m := c.model(HLLE().Dims(int(c.num("input.d"))).Neighbors(k), d)
	c.nearSpan("output.Y", m.Embedding(), 1e-5)
	want := c.nums("output.eigenvalues")
	// More dimensions would change the Hessian: one fit gives only the beginning of the spectrum
	// and the gap.
	gap := c.fact(m, "eigengap")
	for i, got := range []float64{m.Values()[0], m.Values()[1], m.Values()[1] + gap} {
		if math.Abs(got-want[i+1]) > 1e-10 {
			c.Errorf("eigenvalue %d: got %.15g, want %.15g", i+1, got, want[i+1])
		}
	}
}

func goldenLTSA(c *golden) {
	d := NewData(c.mat("input.X"), nil)
	k, self := int(c.num("input.k")), c.at("input.include_self").(bool)
	m := c.model(LTSA().Dims(int(c.num("input.d"))).Neighbors(k).IncludeSelf(self), d)
	c.nearSpan("output.Y", m.Embedding(), 1e-6)
	want := c.nums("output.eigenvalues")
	gap := c.fact(m, "eigengap")
	for i, got := range []float64{m.Values()[0], m.Values()[1], m.Values()[1] + gap} {
		if math.Abs(got-want[i+1]) > 1e-10 {
			c.Errorf("eigenvalue %d: got %.15g, want %.15g", i+1, got, want[i+1])
		}
	}
	spec := LTSA().Dims(int(c.num("input.d"))).Neighbors(k).IncludeSelf(self).Spec()
	j := newJob(context.Background(), spec, d, newCache())
	j.start()
	nb, err := nearestNeighbors(j)
	if err != nil {
		c.Fatal(err)
	}
	a, err := tangentAlignment(j, nb)
	if err != nil {
		c.Fatal(err)
	}
	c.nearAll("output.alignment_diagonal", a.Diag(), 1e-10)
}

func goldenIsomap(c *golden) {
	d := NewData(c.mat("input.X"), nil)
	k := int(c.num("input.k"))
	m := c.model(Isomap().Dims(int(c.num("input.d"))).Neighbors(k), d)
	c.nearAxes("output.Y", m.Embedding(), 1e-6)
	c.nearAll("output.eigenvalues", m.Values(), 1e-10)
	nb, err := graph.Search(context.Background(), d.X, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		c.Fatal(err)
	}
	lengths, err := nb.Lengths(graph.Or)
	if err != nil {
		c.Fatal(err)
	}
	g, _, err := graph.Geodesics(context.Background(), lengths)
	if err != nil {
		c.Fatal(err)
	}
	sum := 0.0
	for i := range d.Len() {
		for l := range d.Len() {
			sum += g.At(i, l)
		}
	}
	c.near("output.geodesic_sum", sum, 1e-12)
	c.nearAll("output.geodesic_row0", mat.Row(nil, 0, g), 1e-12)
	// Training samples map to their embedding.
	y, err := m.Transform(d.X)
	if err != nil {
		c.Fatal(err)
	}
	if !mat.EqualApprox(y, m.Embedding(), 1e-9*mat.Norm(y, 2)) {
		c.Error("the map of new points moves the training samples")
	}
}

func goldenMMP(c *golden) {
	d := NewData(c.mat("input.X"), c.whole("input.labels"))
	k := int(c.num("input.k"))
	m := c.model(MMP().Dims(int(c.num("input.d"))).Neighbors(k).Between(c.num("input.alpha")).SameClass(c.num("input.gamma")).
		Ridge(c.num("input.mu")).Center(false), d)
	c.nearAll("output.eigenvalues", m.Values(), 1e-9)
	c.nearAxes("output.axes", c.w(m), 1e-8)
	nb, err := graph.Search(context.Background(), d.X, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		c.Fatal(err)
	}
	g, err := nb.Graph(graph.Or, graph.Binary())
	if err != nil {
		c.Fatal(err)
	}
	between, open, err := discriminant.MarginGraphs(g, d.Labels)
	if err != nil {
		c.Fatal(err)
	}
	c.near("output.Wb_sum", float64(between.NNZ()), 0)
	_, degrees := discriminant.SameClass(d.X, d.Labels, d.Classes())
	sum := float64(open.NNZ())
	for _, v := range degrees {
		sum += v * c.num("input.gamma")
	}
	c.near("output.Ww_sum", sum, 0)
}

func goldenSLLE(c *golden) {
	d := NewData(c.mat("input.X"), c.whole("input.labels"))
	k, alpha := int(c.num("input.k")), c.num("input.alpha")
	diameter, err := graph.Diameter(context.Background(), d.X)
	if err != nil {
		c.Fatal(err)
	}
	of := align.Separated(alpha * diameter)
	c.nearAll("output.distance_row0", dissimilarities(d, 0, of), 1e-12)
	nb, err := align.GroupedKNN(context.Background(), d.X, d.Labels, k, of)
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
	c.ignore("the eigenvalues of all fits are compared below", "input.d")
	b := SLLE().Neighbors(k).Separation(alpha).Regularization(c.num("input.reg"))
	c.eigenvalues(c.model(b.Dims(5), d))
}

// dissimilarities returns the dissimilarities of one sample to all samples, 0 to itself.
func dissimilarities(d *Data, i int, of func(float64, int, int) float64) []float64 {
	out := make([]float64, d.Len())
	for j := range out {
		if j != i {
			out[j] = of(math.Sqrt(samples.SquaredDistance(d.X.RawRowView(i), d.X.RawRowView(j))), d.Labels[i], d.Labels[j])
		}
	}
	return out
}

func goldenSIsomap(c *golden) {
	d := NewData(c.mat("input.X"), c.whole("input.labels"))
	beta, err := graph.MeanDistance(context.Background(), d.X)
	if err != nil {
		c.Fatal(err)
	}
	c.near("output.beta", beta, 1e-12)
	of := align.SupervisedDissimilarity(beta, c.num("input.alpha"))
	c.nearAll("output.row0", dissimilarities(d, 0, of), 1e-10)
	c.nearAll("output.row_last", dissimilarities(d, d.Len()-1, of), 1e-10)
	sum := 0.0
	for i := range d.Len() {
		for _, v := range dissimilarities(d, i, of) {
			sum += v * v
		}
	}
	c.near("output.frobenius", math.Sqrt(sum), 1e-10)
	if got := c.fact(c.model(SIsomap(), d), "β"); got != beta {
		c.Errorf("the method takes β = %g", got)
	}
}

func goldenSSLLE(c *golden) {
	d := NewData(c.mat("input.X"), nil).WithAnchors(c.whole("input.known"), mat.DenseCopyOf(c.mat("input.Y_known").T()))
	m := c.model(SSLLE().Neighbors(int(c.num("input.k"))).Regularization(c.num("input.reg")), d)
	c.nearMat("output.Y", m.Embedding().T(), 1e-7)
}

func goldenSSLTSA(c *golden) {
	d := NewData(c.mat("input.X"), nil).WithAnchors(c.whole("input.known"), mat.DenseCopyOf(c.mat("input.Y_known").T()))
	m := c.model(SSLTSA().Dims(int(c.num("input.d"))).Neighbors(int(c.num("input.k"))).IncludeSelf(c.at("input.include_self").(bool)), d)
	c.nearMat("output.Y", m.Embedding().T(), 1e-7)
}
