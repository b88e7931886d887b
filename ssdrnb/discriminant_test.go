package ssdrnb_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// Relations between the discriminant methods from Section 5 of the trace-ratio paper, stated there
// or derived, and degenerate cases.

func fitted(t *testing.T, e ssdrnb.Estimator, d *data.Data) *ssdrnb.Model {
	t.Helper()
	m, err := e.Spec().Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func projection(t *testing.T, e ssdrnb.Estimator, d *data.Data) *mat.Dense {
	t.Helper()
	w, _, err := fitted(t, e, d).Projection()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func found(t *testing.T, m *ssdrnb.Model, name string) float64 {
	t.Helper()
	v, ok := m.Report().Fact(name)
	if !ok {
		t.Fatalf("%s reports no %s", m.Method(), name)
	}
	return v
}

// projector returns the orthogonal projector on the column space of w.
func projector(w *mat.Dense) *mat.Dense {
	rows, cols := w.Dims()
	var qr mat.QR
	qr.Factorize(w)
	var q mat.Dense
	qr.QTo(&q)
	thin := q.Slice(0, rows, 0, cols)
	var p mat.Dense
	p.Mul(thin, thin.T())
	return &p
}

// apart returns the largest absolute difference of two matrices.
func apart(a, b *mat.Dense) float64 {
	var diff mat.Dense
	diff.Sub(a, b)
	return max(mat.Max(&diff), -mat.Min(&diff))
}

// wide are 36 samples of 3 classes in 60 dimensions, 4 labels each: S_w is
// singular.
func wide() *data.Data {
	d := blobs(60, 21)
	rows := make([]int, 36)
	for i := range rows {
		rows[i] = i
	}
	return d.WithLabels(d.Truth).Subset(rows).KeepLabels(4).Seed(1)
}

// The linear kernel reduces a kernel method to its linear form: TR-KSDA to TR-SDA, and likewise the
// other rows of the table.
func TestLinearKernel(t *testing.T) {
	d := datasets.Wine().Standardize().KeepLabels(8).Seed(2)
	for name, pair := range map[string][2]ssdrnb.Estimator{
		"TR-KSDA": {ssdrnb.TRKSDA().Kernel(ssdrnb.LinearKernel).Cut(0).Ridge(2).Manifold(0.3), ssdrnb.TRSDA().PCA(1).Ridge(2).Manifold(0.3)},
		"TR-KLDA": {ssdrnb.TRKLDA().Kernel(ssdrnb.LinearKernel).Cut(0).Ridge(2), ssdrnb.TRLDA().PCA(1).Ridge(2)},
		"KSDA":    {ssdrnb.KSDA().Kernel(ssdrnb.LinearKernel).Cut(0).Ridge(2).Manifold(0.3), ssdrnb.SDA().Ridge(2).Manifold(0.3)},
		"KLDA":    {ssdrnb.KLDA().Kernel(ssdrnb.LinearKernel).Cut(0).Ridge(2), ssdrnb.LDA().Ridge(2)},
	} {
		a, b := fitted(t, pair[0], d), fitted(t, pair[1], d)
		sameShape(t, name+" with the linear kernel", a.Embedding(), b.Embedding())
		for k, v := range a.Values() {
			if w := b.Values()[k]; math.Abs(v-w) > 1e-8*max(1, math.Abs(w)) {
				t.Errorf("%s: value %d is %v, want %v", name, k, v, w)
			}
		}
		if _, ok := a.Report().Fact("λ*"); ok {
			if la, lb := found(t, a, "λ*"), found(t, b, "λ*"); math.Abs(la-lb) > 1e-9*lb {
				t.Errorf("%s: λ* = %v, want %v", name, la, lb)
			}
		}
	}
}

// In one dimension the trace ratio equals the ratio trace.
func TestOneKernelDimension(t *testing.T) {
	d := datasets.Iris().KeepLabels(7).Seed(4)
	for name, pair := range map[string][2]ssdrnb.Estimator{
		"KSDA": {ssdrnb.KSDA().Dims(1), ssdrnb.TRKSDA().Dims(1)},
		"KLDA": {ssdrnb.KLDA().Dims(1), ssdrnb.TRKLDA().Dims(1)},
	} {
		ratio, trace := fitted(t, pair[0], d), fitted(t, pair[1], d)
		if tau, lambda := ratio.Values()[0], found(t, trace, "λ*"); math.Abs(tau-lambda) > 1e-9*lambda {
			t.Errorf("%s: τ = %v, λ* = %v", name, tau, lambda)
		}
		a, b := ratio.Embedding(), trace.Embedding()
		var dot mat.Dense
		dot.Mul(a.T(), b)
		if cosine := math.Abs(dot.At(0, 0)) / mat.Norm(a, 2) / mat.Norm(b, 2); cosine < 1-1e-9 {
			t.Errorf("%s: cosine %v", name, cosine)
		}
	}
}

// KLDA in the coordinates of the factor solves the dual problem K·L_b·K a = τ (K·L_w·K + αK) a of
// the centred kernel.
func TestKernelDual(t *testing.T) {
	const alpha, scale = 0.05, 0.6
	d := datasets.Iris().Take(12).KeepLabels(5).Seed(1)
	m := fitted(t, ssdrnb.KLDA().Scale(scale).Cut(0).Ridge(alpha), d)
	n := d.Len()
	k, h := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	within, total := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			dist := 0.0
			for c, v := range d.X.RawRowView(i) {
				dist += (v - d.X.At(j, c)) * (v - d.X.At(j, c))
			}
			k.Set(i, j, math.Exp(-dist/scale/scale))
			h.Set(i, j, -1/float64(n))
			if d.Labels[i] < 0 || d.Labels[j] < 0 {
				continue
			}
			total.Set(i, j, -1.0/15)
			if d.Labels[i] == d.Labels[j] {
				within.Set(i, j, -1.0/5)
			}
		}
		h.Set(i, i, 1-1/float64(n))
		if d.Labels[i] >= 0 {
			total.Set(i, i, 1-1.0/15)
			within.Set(i, i, 1-1.0/5)
		}
	}
	var centred, between, kbk, kwk mat.Dense
	centred.Product(h, k, h)
	between.Sub(total, within)
	kbk.Product(&centred, &between, &centred)
	kwk.Product(&centred, within, &centred)
	a, b := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, (kbk.At(i, j)+kbk.At(j, i))/2)
			b.SetSym(i, j, (kwk.At(i, j)+kwk.At(j, i))/2+alpha*centred.At(i, j))
		}
	}
	p, err := spectral.GeneralizedTop(a, b, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, tau := range p.Values {
		if got := m.Values()[i]; math.Abs(got-tau) > 1e-7*tau {
			t.Errorf("τ[%d] = %v, the dual has %v", i, got, tau)
		}
	}
}

// CCA with class codes has LDA's directions, and its values are τ_t = τ/(1+τ).
func TestCCAIsLDA(t *testing.T) {
	d := datasets.Wine().Standardize().KeepLabels(12).Seed(5)
	c, total, within := fitted(t, ssdrnb.CCA().Ridge(0), d), fitted(t, ssdrnb.LDA().Ridge(0).Within(ssdrnb.TotalScatter), d), fitted(t, ssdrnb.LDA().Ridge(0), d)
	wc, _, _ := c.Projection()
	wt, _, _ := total.Projection()
	if apart(wc, wt) > 1e-8*mat.Norm(wt, 2) {
		t.Errorf("the directions differ by %g", apart(wc, wt))
	}
	for k, tau := range within.Values() {
		if got := c.Values()[k]; math.Abs(got-tau/(1+tau)) > 1e-10 || math.Abs(got-total.Values()[k]) > 1e-10 {
			t.Errorf("value %d: %v, want %v", k, got, tau/(1+tau))
		}
	}
}

// Lap-LDA spans the same subspace as SDA, with another metric inside.
func TestLapLDASpansSDA(t *testing.T) {
	d := datasets.Wine().Standardize().KeepLabels(10).Seed(6)
	lap := projection(t, ssdrnb.LapLDA().Ridge(0.5), d)
	for _, within := range []ssdrnb.Within{ssdrnb.WithinScatter, ssdrnb.TotalScatter} {
		sda := projection(t, ssdrnb.SDA().Ridge(0.5).Within(within), d)
		if gap := apart(projector(lap), projector(sda)); gap > 1e-9 {
			t.Errorf("%s: the column spaces differ by %g", within, gap)
		}
		var a, b mat.Dense
		a.Mul(lap, lap.T())
		b.Mul(sda, sda.T())
		a.Scale(mat.Trace(&b)/mat.Trace(&a), &a)
		if apart(&a, &b) < 1e-3*mat.Norm(&b, 2) {
			t.Errorf("%s: the metrics agree too", within)
		}
	}
}

// Maximum margin with the right weights equals the trace ratio.
func TestSSMMCIsTRSDA(t *testing.T) {
	d := datasets.Wine().Standardize().KeepLabels(10).Seed(7)
	for dims := 1; dims <= 5; dims++ {
		tr := fitted(t, ssdrnb.TRSDA().PCA(1).Ridge(0).Dims(dims), d)
		lambda := found(t, tr, "λ*")
		mm := ssdrnb.SSMMC().Dims(dims).WithinWeight(lambda).Balance(ssdrnb.Absolute).Manifold(lambda * found(t, tr, "λ_m"))
		sum := 0.0
		for _, v := range fitted(t, mm, d).Values() {
			sum += v
		}
		if math.Abs(sum) > 1e-8*lambda {
			t.Errorf("d = %d: the eigenvalues sum to %g", dims, sum)
		}
		wt, _, _ := tr.Projection()
		if gap := apart(projector(wt), projector(projection(t, mm, d))); gap > 1e-6 {
			t.Errorf("d = %d: the subspaces differ by %g", dims, gap)
		}
	}
	a, b := projection(t, ssdrnb.MMC(), d), projection(t, ssdrnb.SSMMC().WithinWeight(1).Manifold(0), d)
	if apart(a, b) > 1e-10 {
		t.Error("without a manifold term SSMMC should be MMC")
	}
}

// Null-space LDA: the limit of TR-LDA for a vanishing ridge, TR-LDA at Ridge(0), and the span of
// the discriminative common vectors.
func TestNullSpaceLDA(t *testing.T) {
	d := wide()
	m := fitted(t, ssdrnb.NLDA(), d)
	w, _, _ := m.Projection()
	null := projector(w)
	direct := fitted(t, ssdrnb.TRLDA().PCA(1).Ridge(0), d)
	wd, _, _ := direct.Projection()
	if apart(projector(wd), null) > 1e-9 || len(direct.Report().Warnings) == 0 {
		t.Error("TR-LDA without a ridge should take the null space and warn")
	}
	last := math.Inf(1)
	for _, alpha := range []float64{10, 1, 0.1, 1e-2, 1e-3} {
		gap := apart(projector(projection(t, ssdrnb.TRLDA().PCA(1).Ridge(alpha), d)), null)
		if gap > 0.2*last {
			t.Errorf("α = %g: distance %g after %g", alpha, gap, last)
		}
		last = gap
	}
	if last > 1e-6 {
		t.Errorf("TR-LDA stays %g away", last)
	}

	// Discriminative common vectors: the remainder of any labelled sample of a class after the
	// differences within classes are projected out.
	groups := map[int][]int{}
	for i, l := range d.Labels {
		if l >= 0 {
			groups[l] = append(groups[l], i)
		}
	}
	var differences [][]float64
	for l := range 3 {
		for _, i := range groups[l][1:] {
			diff := make([]float64, d.Dim())
			for c := range diff {
				diff[c] = d.X.At(i, c) - d.X.At(groups[l][0], c)
			}
			differences = append(differences, diff)
		}
	}
	span := mat.NewDense(d.Dim(), len(differences), nil)
	for k, diff := range differences {
		span.SetCol(k, diff)
	}
	inside := projector(span)
	common := mat.NewDense(d.Dim(), 2, nil) // differences of the three common vectors
	for l := 1; l < 3; l++ {
		diff := mat.NewVecDense(d.Dim(), nil)
		diff.SubVec(d.X.RowView(groups[l][0]), d.X.RowView(groups[0][0]))
		var part mat.VecDense
		part.MulVec(inside, diff)
		diff.SubVec(diff, &part)
		common.SetCol(l-1, diff.RawVector().Data)
	}
	if gap := apart(projector(common), null); gap > 1e-9 {
		t.Errorf("the common vectors span another space, %g away", gap)
	}
	y := m.Embedding()
	for l, group := range groups {
		for _, i := range group[1:] {
			for c := range 2 {
				if math.Abs(y.At(i, c)-y.At(group[0], c)) > 1e-9*mat.Norm(y, 2) {
					t.Errorf("class %d is not one point", l)
				}
			}
		}
	}
	if _, err := ssdrnb.NLDA().Fit(datasets.Iris()); !errors.Is(err, ssdrnb.ErrData) || !errors.Is(err, spectral.ErrRegular) {
		t.Errorf("a regular scatter: got %v", err)
	}
	three := fitted(t, ssdrnb.NLDA().Dims(3), d)
	if three.Dims() != 2 || len(three.Report().Warnings) != 1 {
		t.Errorf("three classes have two directions, not %d: %v", three.Dims(), three.Report().Warnings)
	}
}

// A direction in which only unlabelled samples vary is 0/0 for TR-LDA without a ridge. It must not
// replace a discriminant.
func TestUnusedDirections(t *testing.T) {
	base := blobs(4, 22)
	x := mat.NewDense(base.Len(), 6, nil)
	for i := range base.Len() {
		copy(x.RawRowView(i), base.X.RawRowView(i))
		if base.Labels[i] < 0 {
			x.Set(i, 4, float64(i%7))
			x.Set(i, 5, float64(i%5))
		}
	}
	d := data.New(x, base.Labels)
	for dims := 1; dims <= 4; dims++ {
		got := fitted(t, ssdrnb.TRLDA().PCA(1).Ridge(0).Dims(dims), d)
		want := fitted(t, ssdrnb.TRLDA().PCA(1).Ridge(0).Dims(dims), data.New(base.X, base.Labels))
		if a, b := found(t, got, "λ*"), found(t, want, "λ*"); math.Abs(a-b) > 1e-9*b {
			t.Errorf("d = %d: λ* = %v, without the unused directions %v", dims, a, b)
		}
		w, _, _ := got.Projection()
		if unused := mat.Norm(w.Slice(4, 6, 0, dims), 2); unused > 1e-6 {
			t.Errorf("d = %d: unused directions have a share of %g", dims, unused)
		}
	}
	if five := fitted(t, ssdrnb.TRLDA().PCA(1).Ridge(0).Dims(5), d); five.Dims() != 4 || len(five.Report().Warnings) == 0 {
		t.Errorf("the labelled samples span 4 directions, not %d", five.Dims())
	}
}

// The table of degenerate inputs.
func TestDegenerate(t *testing.T) {
	t.Run("one label per class", func(t *testing.T) {
		d := datasets.Iris().KeepLabels(1).Seed(3)
		// S_w = 0 and no ridge: every weight of the manifold term gives the same W.
		a := projection(t, ssdrnb.TRSDA().PCA(1), d)
		b := projection(t, ssdrnb.TRSDA().PCA(1).Manifold(7), d)
		if gap := apart(projector(a), projector(b)); gap > 1e-8 {
			t.Errorf("TR-SDA depends on the manifold weight: %g", gap)
		}
		m := fitted(t, ssdrnb.TRLDA().PCA(1), d)
		sum := 0.0
		for _, v := range m.Values() {
			sum += v
		}
		n := fitted(t, ssdrnb.NLDA(), d)
		if total := n.Values()[0] + n.Values()[1]; math.Abs(sum-total) > 1e-9*total {
			t.Errorf("TR-LDA takes %v of S_b, null-space LDA %v", sum, total)
		}
		for _, e := range []ssdrnb.Estimator{ssdrnb.TRKLDA(), ssdrnb.TRKSDA(), ssdrnb.KSDA(), ssdrnb.LapLDA(), ssdrnb.CCA()} {
			fitted(t, e, d)
		}
		if _, err := ssdrnb.KLDA().Fit(d); !errors.Is(err, ssdrnb.ErrNeedsLabels) {
			t.Errorf("KLDA: got %v", err)
		}
	})
	t.Run("copies of one label per class", func(t *testing.T) {
		// The mean of three copies differs from them by rounding; S_w must still count as 0.
		one := datasets.Iris().KeepLabels(1).Seed(3)
		var rows []int
		for i, l := range one.Labels {
			rows = append(rows, i)
			if l >= 0 {
				rows = append(rows, i, i)
			}
		}
		x, labels := mat.NewDense(len(rows), one.Dim(), nil), make([]int, len(rows))
		for k, i := range rows {
			x.SetRow(k, one.X.RawRowView(i))
			labels[k] = one.Labels[i]
		}
		d := data.New(x, labels)
		m := fitted(t, ssdrnb.TRLDA().PCA(1), d)
		if len(m.Report().Warnings) == 0 {
			t.Error("TR-LDA should take the null space")
		}
		for _, e := range []ssdrnb.Estimator{ssdrnb.TRSDA().PCA(1), ssdrnb.TRKSDA()} {
			a, b := fitted(t, e, d), fitted(t, e.Spec().With("manifold", 5.0), d)
			if la, lb := found(t, a, "λ_m"), found(t, b, "λ_m"); !(la > 1e-6) || !(lb > la) {
				t.Errorf("%s: λ_m is %g and %g", a.Method(), la, lb)
			}
		}
	})
	t.Run("rank below the dimensions asked for", func(t *testing.T) {
		base := blobs(3, 23)
		x := mat.NewDense(base.Len(), 6, nil)
		for i := range base.Len() {
			for c := range 6 {
				x.Set(i, c, base.X.At(i, c%3))
			}
		}
		d := data.New(x, base.Labels)
		for _, e := range []ssdrnb.Estimator{ssdrnb.TRLDA().PCA(1), ssdrnb.TRSDA().PCA(1), ssdrnb.TRKSDA().Kernel(ssdrnb.LinearKernel)} {
			if m := fitted(t, e.Spec().With("dims", 5), d); m.Dims() != 3 || len(m.Report().Warnings) != 1 {
				t.Errorf("%s: %d dimensions, %v", m.Method(), m.Dims(), m.Report().Warnings)
			}
		}
	})
	t.Run("disconnected graph", func(t *testing.T) {
		d := blobs(5, 24)
		for i := range d.Len() {
			d.X.Set(i, 0, d.X.At(i, 0)+1000*float64(d.Truth[i]))
		}
		for _, e := range []ssdrnb.Estimator{ssdrnb.TRSDA().Ridge(0), ssdrnb.TRSDA().PCA(1), ssdrnb.SDA(), ssdrnb.LapLDA(), ssdrnb.TRKSDA().Scale(3)} {
			fitted(t, e.Spec().With("neighbors", 3), d)
		}
	})
	t.Run("two classes, two dimensions", func(t *testing.T) {
		d := blobs(5, 25)
		labels := make([]int, d.Len())
		for i, l := range d.Labels {
			labels[i] = min(l, 1)
		}
		d = data.New(d.X, labels)
		if m := fitted(t, ssdrnb.SDA(), d); m.Dims() != 1 || len(m.Report().Warnings) != 1 {
			t.Errorf("SDA has one direction, not %d", m.Dims())
		}
		if m := fitted(t, ssdrnb.TRSDA(), d); m.Dims() != 2 || len(m.Report().Warnings) != 0 {
			t.Errorf("TR-SDA has two: %d, %v", m.Dims(), m.Report().Warnings)
		}
	})
	t.Run("singular scatter in a quotient", func(t *testing.T) {
		for _, e := range []ssdrnb.Estimator{ssdrnb.LDA().Ridge(0), ssdrnb.KLDA().Ridge(0).Cut(0)} {
			if m := fitted(t, e, wide()); len(m.Report().Warnings) == 0 {
				t.Errorf("%s leaves out the null space of S_w without a warning", m.Method())
			}
		}
		for _, e := range []ssdrnb.Estimator{ssdrnb.LDA().Ridge(0).Within(ssdrnb.TotalScatter), ssdrnb.LDA(), ssdrnb.CCA().Ridge(0)} {
			if m := fitted(t, e, wide()); len(m.Report().Warnings) != 0 {
				t.Errorf("%s: %v", m.Method(), m.Report().Warnings)
			}
		}
	})
	t.Run("every direction", func(t *testing.T) {
		// No eigenvalue follows the last one: the gap is infinite, which JSON cannot represent.
		m := fitted(t, ssdrnb.TRLDA().PCA(1).Dims(4), datasets.Iris())
		if err := m.Save(filepath.Join(t.TempDir(), "m.npz")); err != nil {
			t.Error(err)
		}
	})
}

// A kernel of low rank embeds all samples, reports the loss, and converges to the exact kernel.
func TestKernelRank(t *testing.T) {
	d := datasets.Digits().Take(30).KeepLabels(10).Seed(1)
	exact := fitted(t, ssdrnb.TRKSDA(), d)
	last := math.Inf(1)
	for _, rank := range []int{30, 100, 290} {
		m := fitted(t, ssdrnb.TRKSDA().Rank(rank), d)
		if found(t, m, "kernel rank") != float64(rank) || len(m.Report().Warnings) != 1 {
			t.Errorf("rank %d: %v", rank, m.Report().Warnings)
		}
		y, err := m.Transform(d.X)
		if err != nil || apart(y, m.Embedding()) > 1e-9*mat.Norm(y, 2) {
			t.Errorf("rank %d: Transform moves the training samples: %v", rank, err)
		}
		gap := math.Abs(found(t, m, "λ*")/found(t, exact, "λ*") - 1)
		if gap > last {
			t.Errorf("rank %d: λ* is %g off after %g", rank, gap, last)
		}
		last = gap
	}
	if last > 1e-2 {
		t.Errorf("rank 290 of 300: λ* is %g off", last)
	}
}

// Columns of Euclidean norm 1 keep the directions and the eigenvalues.
func TestNorm(t *testing.T) {
	d := datasets.Wine().Standardize().KeepLabels(5).Seed(1)
	for _, e := range []ssdrnb.Estimator{ssdrnb.LDA(), ssdrnb.SDA(), ssdrnb.SSDA(), ssdrnb.SSLDA(), ssdrnb.SSDL(), ssdrnb.KLDA(), ssdrnb.KSDA()} {
		whitened, err := e.Spec().Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		unit, err := e.Spec().With("norm", ssdrnb.EuclideanNorm).Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		if !floats.Equal(unit.Values(), whitened.Values()) {
			t.Errorf("%s: other eigenvalues", whitened.Method())
		}
		a, b := unit.Embedding(), whitened.Embedding()
		for k := range 2 {
			x, y := a.ColView(k), b.ColView(k)
			if cosine := mat.Dot(x, y) / mat.Norm(x, 2) / mat.Norm(y, 2); math.Abs(cosine-1) > 1e-12 {
				t.Errorf("%s: direction %d turned, cosine %v", whitened.Method(), k, cosine)
			}
		}
		w, _, err := unit.Projection()
		if errors.Is(err, ssdrnb.ErrNotLinear) {
			continue // the direction has length 1 in the feature space of the kernel
		}
		if err != nil {
			t.Fatal(err)
		}
		for k := range 2 {
			if norm := mat.Norm(w.ColView(k), 2); math.Abs(norm-1) > 1e-12 {
				t.Errorf("%s: column %d of norm %v", whitened.Method(), k, norm)
			}
		}
	}
}

// PCA is not applied to samples that are not centred: neither the projection nor the ridge changes.
func TestUncentredIgnoresPCA(t *testing.T) {
	d := blobs(5, 3)
	whole, reduced := fitted(t, ssdrnb.MMP().Center(false), d), fitted(t, ssdrnb.MMP().Center(false).PCA(0.5), d)
	if !mat.Equal(whole.Embedding(), reduced.Embedding()) || found(t, whole, "α") != found(t, reduced, "α") {
		t.Error("PCA changes MMP without centring")
	}
}

// TestTies: if eigenvalue d equals the next one, the projection is not unique, and the report
// warns, also if one computation serves several numbers of dimensions.
func TestTies(t *testing.T) {
	const tie = "coincide: the projection is not unique"
	rng := rand.New(rand.NewPCG(4, 9))
	wide := mat.NewDense(20, 100, nil)
	wide.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, wide)
	labels := func(perClass, classes int) *data.Data {
		of := slices.Repeat([]int{data.Unlabelled}, 20)
		for i := range perClass * classes {
			of[i] = i % classes
		}
		return data.New(wide, of)
	}
	parts := applied(labels(3, 2), func(i, k int, v float64) float64 {
		if k == 0 {
			v += 100 * float64(i%3)
		}
		return v
	})
	simplex, each := mat.NewDense(10, 6, nil), make([]int, 10)
	for i := range each {
		each[i] = i % 5
		simplex.Set(i, each[i], 1)
		simplex.Set(i, 5, float64(i/5)/10) // each class has two samples
	}
	corners := data.New(simplex, each)
	for _, c := range []struct {
		s    ssdrnb.Spec
		d    *data.Data
		ties []int // numbers of dimensions, of 1 to 3, at which eigenvalues coincide
	}{
		{ssdrnb.MMC().Spec(), labels(3, 2), []int{2, 3}}, // in directions that no labelled sample varies in
		{ssdrnb.MMC().Spec(), labels(3, 3), []int{3}},
		{ssdrnb.CCA().Spec(), labels(1, 5), []int{1, 2, 3}}, // each class is a point
		{ssdrnb.CCA().Spec(), labels(4, 5), nil},
		{ssdrnb.MFA().PCA(1).Homogeneous(9).Heterogeneous(99).Spec(), labels(4, 2), []int{2, 3}}, // both graphs are complete
		{ssdrnb.LPP().Neighbors(3).Spec(), parts, []int{1}},                                      // three components
		{ssdrnb.SSDR().Spec(), labels(3, 2), nil},
		{ssdrnb.PCA().Spec(), corners, []int{1, 2, 3}}, // the corners of a regular simplex
		{ssdrnb.LDA().Spec(), corners, []int{1, 2, 3}},
		{ssdrnb.LapLDA().Manifold(0).Spec(), corners, []int{1, 2, 3}},
		{ssdrnb.SPCA().Spec(), corners, []int{1, 2, 3}},
		{ssdrnb.NLDA().Spec(), corners, []int{1, 2, 3}},
		{ssdrnb.PCA().Spec(), labels(3, 2), nil},
		{ssdrnb.LDA().Ridge(1).Spec(), labels(2, 5), nil},
		{ssdrnb.NLDA().Spec(), labels(2, 5), nil},
	} {
		models, err := c.s.FitPath(t.Context(), c.d, 1, 2, 3, 4)
		if err != nil {
			t.Fatal(err)
		}
		for d := 1; d <= 3; d++ {
			m, want := mustFit(t, c.s.With("dims", d), c.d), slices.Contains(c.ties, d)
			if warned(m, tie) != want || warned(models[d-1], tie) != want {
				t.Errorf("%v: warnings %q, or %q if fitted with others; values %v", m.Spec(), m.Report().Warnings, models[d-1].Report().Warnings, models[3].Values())
			}
		}
	}
}
