package ssdrnb_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
)

// plane is a uniform sample of a rectangle, and the same rotated into five dimensions.
func plane(n int) (flat *mat.Dense, d *data.Data) {
	rng := rand.New(rand.NewPCG(31, 1))
	flat = mat.NewDense(n, 2, nil)
	for i := range n {
		flat.SetRow(i, []float64{3 * rng.Float64(), rng.Float64()})
	}
	turn := mat.NewDense(2, 5, []float64{0.6, 0, 0.8, 0, 0, 0, 1, 0, 0, 0})
	x := mat.NewDense(n, 5, nil)
	x.Mul(flat, turn)
	return flat, data.New(x, nil)
}

// affineError returns how far y is from an affine image of x, as a share of its norm.
func affineError(t *testing.T, x, y *mat.Dense) float64 {
	t.Helper()
	n, d := x.Dims()
	a := mat.NewDense(n, d+1, nil)
	for i := range n {
		a.Set(i, d, 1)
		for k := range d {
			a.Set(i, k, x.At(i, k))
		}
	}
	var b, r mat.Dense
	if err := b.Solve(a, y); err != nil {
		t.Fatal(err)
	}
	r.Mul(a, &b)
	r.Sub(&r, y)
	return mat.Norm(&r, 2) / mat.Norm(y, 2)
}

// TestFlat: on a flat sheet the tangent methods recover its coordinates exactly up to an affine
// map, and the coordinates themselves if some are known.
func TestFlat(t *testing.T) {
	flat, d := plane(150)
	for _, s := range []ssdrnb.Spec{ssdrnb.HLLE().Spec(), ssdrnb.LTSA().Spec(), ssdrnb.LTSA().IncludeSelf(false).Spec()} {
		m := mustFit(t, s, d)
		if e := affineError(t, flat, m.Embedding()); e > 1e-7 {
			t.Errorf("%v: off by %g", s, e)
		}
		if v := m.Values(); v[0] > 1e-10 || v[1] > 1e-10 {
			t.Errorf("%v: values %v", s, v)
		}
	}
	rows := []int{3, 40, 77, 120, 149}
	known := mat.NewDense(len(rows), 2, nil)
	for k, i := range rows {
		known.SetRow(k, flat.RawRowView(i))
	}
	exact := mustFit(t, ssdrnb.SSLTSA().Spec(), d.WithAnchors(rows, known)).Embedding()
	if !mat.EqualApprox(exact, flat, 1e-6) {
		t.Error("SS-LTSA does not continue the known coordinates over a flat sheet")
	}
	for _, name := range []string{"SS-LTSA", "SS-LLE"} {
		s := ssdrnb.New(name)
		held := mustFit(t, s, d.WithAnchors(rows, known)).Embedding()
		near := mustFit(t, s.With("confidence", 1e9), d.WithAnchors(rows, known)).Embedding()
		if !mat.EqualApprox(held, near, 1e-4) {
			t.Errorf("%s: a high confidence is not near exact coordinates", name)
		}
		for k, i := range rows {
			if held.At(i, 0) != known.At(k, 0) || held.At(i, 1) != known.At(k, 1) {
				t.Errorf("%s moved the known sample %d", name, i)
			}
		}
	}
}

// TestUndetermined: if every neighbourhood fits d dimensions exactly, all embeddings minimise the
// objective equally well, and the report warns that the embedding is not unique.
func TestUndetermined(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 3))
	scattered, copies := mat.NewDense(40, 4, nil), mat.NewDense(22, 3, nil)
	scattered.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, scattered)
	copies.Apply(func(i, k int, _ float64) float64 { return float64(i / 10 % 2 * (k + 1)) }, copies)
	for _, c := range []struct {
		x *mat.Dense
		s ssdrnb.Spec
	}{
		{scattered, ssdrnb.LTSA().Neighbors(2).Spec()},
		{scattered, ssdrnb.LTSA().Neighbors(3).IncludeSelf(false).Spec()},
		{scattered, ssdrnb.LTSA().Dims(1).Neighbors(2).IncludeSelf(false).Spec()},
		{scattered.Slice(0, 4, 0, 4).(*mat.Dense), ssdrnb.LTSA().Dims(1).Neighbors(2).IncludeSelf(false).Spec()},
		{copies, ssdrnb.HLLE().Spec()},
	} {
		for _, shift := range []float64{0, 1000} {
			x := mat.DenseCopyOf(c.x)
			x.Apply(func(_, _ int, v float64) float64 { return v + shift }, x)
			if m := mustFit(t, c.s, data.New(x, nil)); !warned(m, "the embedding is not unique") {
				t.Errorf("%v, shifted by %g: eigenvalues %v, warnings %q", c.s, shift, m.Values(), m.Report().Warnings)
			}
		}
	}
	if m := mustFit(t, ssdrnb.LTSA().Neighbors(4).Spec(), data.New(scattered, nil)); warned(m, "not unique") {
		t.Errorf("four neighbours determine the embedding, but the warnings are %q", m.Report().Warnings)
	}
}

// TestKnownApart: known coordinates unfold each of two sheets without common neighbourhoods, and a
// projection does not depend on the components of the graph. The report therefore does not warn
// that the coordinates only separate the components. It does warn if a sheet has too few known
// samples.
func TestKnownApart(t *testing.T) {
	const each = 60
	flat, one := plane(each)
	_, features := one.X.Dims()
	x, want, labels := mat.NewDense(2*each, features, nil), mat.NewDense(2*each, 2, nil), make([]int, 2*each)
	for i := range 2 * each {
		copy(x.RawRowView(i), one.X.RawRowView(i/2))
		x.Set(i, 3, 100*float64(i%2))
		want.SetRow(i, flat.RawRowView(i/2))
		want.Set(i, 0, want.At(i, 0)+5*float64(i%2))
		labels[i] = i / 2 % 2
	}
	known := func(rows ...int) *data.Data {
		y := mat.NewDense(len(rows), 2, nil)
		for k, i := range rows {
			y.SetRow(k, want.RawRowView(i))
		}
		return data.New(x, nil).WithAnchors(rows, y)
	}
	const separated, few = "instead of unfolding", "fewer samples with known coordinates"
	m := mustFit(t, ssdrnb.SSLTSA().Spec(), known(0, 30, 80, 1, 31, 81))
	if warned(m, separated) || warned(m, few) || !mat.EqualApprox(m.Embedding(), want, 1e-6) {
		t.Errorf("SS-LTSA: the sheets are not unfolded, or the warnings say so: %q", m.Report().Warnings)
	}
	for _, c := range []struct {
		s ssdrnb.Spec
		d *data.Data
	}{{ssdrnb.SSLLE().Spec(), known(0, 30, 80, 1, 31, 81)}, {ssdrnb.SSML().Spec(), data.New(x, labels)}} {
		if m := mustFit(t, c.s, c.d); warned(m, separated) || warned(m, few) {
			t.Errorf("%v: warnings %q", c.s, m.Report().Warnings)
		} else if count, _ := m.Report().Fact("graph components"); count != 2 {
			t.Errorf("%v: %g components", c.s, count)
		}
	}
	for _, s := range []ssdrnb.Spec{ssdrnb.SSLLE().Spec(), ssdrnb.SSLTSA().Spec()} {
		if m := mustFit(t, s, known(0, 30, 80, 1, 31)); !warned(m, "1 component has "+few) || warned(m, separated) {
			t.Errorf("%v: warnings %q with two known samples on a sheet", s, m.Report().Warnings)
		}
	}
}

// TestApart: for three sheets without common neighbourhoods, two coordinates separate the sheets
// and have no other content, whatever solver finds them.
func TestApart(t *testing.T) {
	const sheets, each = 3, 50
	flat, one := plane(each)
	_, features := one.X.Dims()
	x, labels := mat.NewDense(sheets*each, features, nil), make([]int, sheets*each)
	for i := range sheets * each {
		row := x.RawRowView(i)
		copy(row, one.X.RawRowView(i/sheets)) // sheets alternate
		labels[i] = i % sheets
		row[1] += 100 * float64(i%sheets)
	}
	d := data.New(x, labels)
	for _, s := range []ssdrnb.Spec{ssdrnb.LLE().Spec(), ssdrnb.SLLE().Separation(1).Spec(), ssdrnb.HLLE().Spec(), ssdrnb.LTSA().Spec(), ssdrnb.LTSA().IncludeSelf(false).Spec()} {
		m := mustFit(t, s, d)
		if v := m.Values(); v[0] != 0 || v[1] != 0 {
			t.Errorf("%v: values %v", s, v)
		}
		y := m.Embedding()
		for i := range sheets * each {
			for k := range i {
				apart := math.Hypot(y.At(i, 0)-y.At(k, 0), y.At(i, 1)-y.At(k, 1))
				if same := i%sheets == k%sheets; same != (apart < 1e-12) || !same && apart < 0.1 {
					t.Fatalf("%v: samples %d and %d of sheets %d and %d are %g apart", s, i, k, i%sheets, k%sheets, apart)
				}
			}
		}
	}
	// Samples that are no sample's neighbour follow their own neighbours.
	apart := mat.NewDense(sheets*each+2, features, nil)
	apart.Slice(2, sheets*each+2, 0, features).(*mat.Dense).Copy(x)
	apart.SetRow(0, []float64{-9, 0, 0, 0, 0})
	apart.SetRow(1, []float64{-9, 200, 0, 0, 0})
	for _, s := range []ssdrnb.Spec{ssdrnb.HLLE().Spec(), ssdrnb.LTSA().IncludeSelf(false).Spec()} {
		y := mustFit(t, s, data.New(apart, nil)).Embedding()
		for i, sheet := range []int{0, 2} {
			if off := floats.Distance(y.RawRowView(i), y.RawRowView(2+sheet), 2); off > 1e-9 {
				t.Errorf("%v: the outlier of sheet %d is %g from it", s, sheet, off)
			}
		}
	}
	// A third coordinate is an affine map of each sheet.
	long := mustFit(t, ssdrnb.LTSA().Dims(3).Spec(), d).Embedding()
	for of := range sheets {
		var part mat.Dense
		part.CloneFrom(flat)
		for i := range each {
			part.Set(i, 0, long.At(i*sheets+of, 2))
			part.Set(i, 1, 0)
		}
		if e := affineError(t, flat, &part); e > 1e-6 {
			t.Errorf("sheet %d: the third coordinate is off an affine map by %g", of, e)
		}
	}
}

// TestUnchosen: of a sample that is not a neighbour of any other, the report says where it was
// placed. The coordinates of the other samples are orthonormal.
func TestUnchosen(t *testing.T) {
	_, d := plane(60)
	x := mat.DenseCopyOf(d.X)
	for k := range x.RawRowView(7) {
		x.Set(7, k, 10)
	}
	d = data.New(x, nil)
	for _, s := range []ssdrnb.Spec{ssdrnb.HLLE().Spec(), ssdrnb.LTSA().IncludeSelf(false).Spec()} {
		m := mustFit(t, s, d)
		if len(warnings(m, "1 sample is not a neighbour of any other sample, and embedded only afterwards")) != 1 {
			t.Errorf("%v: warnings %q", s, m.Report().Warnings)
		}
		others := mat.DenseCopyOf(m.Embedding())
		others.SetRow(7, []float64{0, 0})
		var gram mat.Dense
		gram.Mul(others.T(), others)
		if !mat.EqualApprox(&gram, dense.Identity(2, 2), 1e-10) {
			t.Errorf("%v: YᵀY = %v", s, mat.Formatted(&gram))
		}
	}
	d = d.WithAnchors([]int{0, 1, 2}, mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0, 1}))
	m := mustFit(t, ssdrnb.SSLTSA().IncludeSelf(false).Spec(), d)
	if w := m.Report().Warnings; len(w) != 1 || !strings.Contains(w[0], "sample 7, which were placed near the mean of the known ones") {
		t.Errorf("SS-LTSA: warnings %q", w)
	}
}

// TestClosedGroups: two clusters and a sample between them that has neighbours in both, but is not
// a neighbour of any sample. The graph is connected, and yet LLE has two null vectors: the clusters
// collapse to points, and the sample lies between them.
func TestClosedGroups(t *testing.T) {
	const each = 40
	rng := rand.New(rand.NewPCG(8, 8))
	x := mat.NewDense(2*each+1, 3, nil)
	for i := range 2 * each {
		x.SetRow(i, []float64{20*float64(i%2) + rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()})
	}
	x.SetRow(2*each, []float64{10, 0, 0})
	m := mustFit(t, ssdrnb.LLE().Neighbors(6).Dims(2).Spec(), data.New(x, nil))
	if groups, _ := m.Report().Fact("closed groups"); groups != 2 || len(m.Report().Warnings) == 0 {
		t.Fatalf("%v closed groups, warnings %q", groups, m.Report().Warnings)
	}
	y := m.Embedding()
	for i := range 2 * each {
		if off := math.Abs(y.At(i, 0) - y.At(i%2, 0)); off > 1e-9 {
			t.Fatalf("sample %d is %g from the first of its cluster", i, off)
		}
	}
	low, high := min(y.At(0, 0), y.At(1, 0)), max(y.At(0, 0), y.At(1, 0))
	if at := y.At(2*each, 0); !(low < at && at < high) || high-low < 0.1 {
		t.Errorf("the sample between lies at %g of %g to %g", at, low, high)
	}
	if v := m.Values(); v[0] != 0 || !(v[1] > 0) {
		t.Errorf("values %v", v)
	}
}

// TestSIsomapLargeFeatures: features in units for which exp(d²/β) overflows give a finite embedding
// with separated classes, and a warning.
func TestSIsomapLargeFeatures(t *testing.T) {
	_, d := plane(60)
	x, labels := mat.DenseCopyOf(d.X), make([]int, d.Len())
	for i := range labels {
		labels[i] = i % 3
		x.Set(i, 1, x.At(i, 1)+float64(labels[i]))
	}
	x.Scale(1e5, x)
	m := mustFit(t, ssdrnb.SIsomap().Neighbors(5).Spec(), data.New(x, labels))
	if len(m.Report().Warnings) == 0 {
		t.Error("no warning")
	}
	y := m.Embedding()
	within, between := 0.0, math.Inf(1)
	for i := range labels {
		for k := range i {
			apart := floats.Distance(y.RawRowView(i), y.RawRowView(k), 2)
			if math.IsNaN(apart) || math.IsInf(apart, 0) {
				t.Fatalf("samples %d and %d are %g apart", i, k, apart)
			}
			if labels[i] == labels[k] {
				within = max(within, apart)
			} else {
				between = min(between, apart)
			}
		}
	}
	if !(between > 1e3*within) {
		t.Errorf("%g between classes, %g within", between, within)
	}
}

// TestRing: the Laplacian of a cycle has the eigenvalues 1 − cos(2πk/n), each twice.
func TestRing(t *testing.T) {
	const n = 40
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		a := 2 * math.Pi * float64(i) / n
		x.SetRow(i, []float64{math.Cos(a), math.Sin(a)})
	}
	m := mustFit(t, ssdrnb.LAE().Neighbors(2).Affinity(ssdrnb.Binary).Dims(4).Spec(), data.New(x, nil))
	for k, v := range m.Values() {
		want := 1 - math.Cos(2*math.Pi*float64(k/2+1)/n)
		if math.Abs(v-want) > 1e-12 {
			t.Errorf("eigenvalue %d: %.15g, want %.15g", k, v, want)
		}
	}
	sameShape(t, "circle", x, scaled(m.Embedding().Slice(0, n, 0, 2), math.Sqrt(n)))
}

func scaled(m mat.Matrix, f float64) *mat.Dense {
	var out mat.Dense
	out.Scale(f, m)
	return &out
}

// TestLine: geodesic distances along a line equal distances on the line.
func TestLine(t *testing.T) {
	at := []float64{0, 1, 1.5, 2.7, 3, 4.4, 5, 6.2, 7}
	x := mat.NewDense(len(at), 3, nil)
	for i, v := range at {
		x.SetRow(i, []float64{v, 2 * v, -2 * v}) // 3v apart
	}
	m := mustFit(t, ssdrnb.Isomap().Neighbors(2).Spec(), data.New(x, nil))
	if m.Dims() != 1 || len(m.Report().Warnings) == 0 {
		t.Errorf("a line has %d dimensions, warnings %q", m.Dims(), m.Report().Warnings)
	}
	want := mat.NewDense(len(at), 1, nil)
	for i, v := range at {
		want.Set(i, 0, 3*v)
	}
	sameShape(t, "line", want, m.Embedding())
	// A point between the first two.
	y, err := m.Transform(mat.NewDense(1, 3, []float64{0.5, 1, -1}))
	if err != nil {
		t.Fatal(err)
	}
	if d := math.Abs(y.At(0, 0) - m.Embedding().At(0, 0)); math.Abs(d-1.5) > 0.05 {
		t.Errorf("a point 1.5 from the end lies %g from it", d)
	}
}

// TestManifoldReductions: methods that reduce to another one.
func TestManifoldReductions(t *testing.T) {
	d := blobs(6, 33)
	same := func(what string, a, b *ssdrnb.Model) {
		t.Helper()
		if !mat.EqualApprox(a.Embedding(), b.Embedding(), 1e-8*mat.Norm(a.Embedding(), 2)) {
			t.Errorf("%s: another embedding", what)
		}
	}
	same("SLLE without separation is LLE", mustFit(t, ssdrnb.SLLE().Separation(0).Spec(), d), mustFit(t, ssdrnb.LLE().Spec(), d))
	// Pairs implied by labels, counted by classes and listed one by one.
	var pairs data.Pairs
	for i, a := range d.Labels {
		for j := i + 1; j < d.Len(); j++ {
			switch b := d.Labels[j]; {
			case a < 0 || b < 0:
			case a == b:
				pairs.Must = append(pairs.Must, data.Pair{I: i, J: j})
			default:
				pairs.Cannot = append(pairs.Cannot, data.Pair{I: i, J: j})
			}
		}
	}
	implied, listed := d.WithPairs(data.Pairs{}), d.HideLabels().WithPairs(pairs)
	for _, name := range []string{"SSML", "SSDR"} {
		same(name, mustFit(t, ssdrnb.New(name), implied), mustFit(t, ssdrnb.New(name), listed))
	}
	// KS2LAE with a flat kernel equals S2LAE.
	wide := mustFit(t, ssdrnb.KS2LAE().Scale(1e6).UnlabelledWeight(0.1).Spec(), implied)
	same("KS2LAE with a flat kernel", wide, mustFit(t, ssdrnb.S2LAE().UnlabelledWeight(0.1).Spec(), implied))
	// KS2LLE with the linear kernel reconstructs as S2LLE does; without cannot-link pairs their
	// weights have no effect.
	one := implied.WithLabels(make([]int, d.Len()))
	same("KS2LLE with the linear kernel", mustFit(t, ssdrnb.KS2LLE().Kernel(ssdrnb.LinearKernel).Spec(), one), mustFit(t, ssdrnb.S2LLE().Spec(), one))
}

// TestAnchors: known coordinates as part of the data.
func TestAnchors(t *testing.T) {
	_, d := plane(30)
	y := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
	a := d.WithAnchors([]int{2, 5, 7}, y)
	y.Set(0, 0, 99)
	if a.Err() != nil || a.Anchors.Len() != 3 || a.Anchors.Y.At(0, 0) != 1 || d.Anchors.Len() != 0 {
		t.Errorf("anchors %v, %v", a.Anchors, a.Err())
	}
	s := a.Subset([]int{7, 1, 2})
	if s.Anchors.Len() != 2 || s.Anchors.Rows[0] != 2 || s.Anchors.Y.At(1, 1) != 6 || s.Anchors.Rows[1] != 0 {
		t.Errorf("subset: %v", s.Anchors)
	}
	for what, c := range map[string]*data.Data{
		"twice": d.WithAnchors([]int{1, 1, 2}, y), "out of range": d.WithAnchors([]int{1, 2, 30}, y),
		"one row less": d.WithAnchors([]int{1, 2}, y), "none": d.WithAnchors([]int{1}, nil),
		"NaN": d.WithAnchors([]int{1}, mat.NewDense(1, 2, []float64{0, math.NaN()})),
	} {
		if _, err := ssdrnb.SSLLE().Fit(c); !errors.Is(err, ssdrnb.ErrData) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := ssdrnb.SSLLE().Dims(3).Fit(a); !errors.Is(err, ssdrnb.ErrOption) {
		t.Errorf("other dimensions: %v", err)
	}
}

// TestManySamples: more samples than the dense solver takes, on any number of processors, and
// cancelled.
func TestManySamples(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	rng := rand.New(rand.NewPCG(8, 8))
	const n = 900
	x, labels := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		labels[i] = i % 5
		x.SetRow(i, []float64{float64(labels[i]) + 0.4*rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()})
	}
	d := data.New(x, labels).KeepLabels(90).Seed(2)
	for _, s := range []ssdrnb.Spec{ssdrnb.S2LAE().UnlabelledWeight(0.1).Spec(), ssdrnb.S2LLE().UnlabelledWeight(0.1).Spec()} {
		first := mustFit(t, s, d).Embedding()
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
			for _, procs := range []int{1, 3} {
				runtime.GOMAXPROCS(procs)
				if !mat.Equal(first, mustFit(t, s, d).Embedding()) {
					t.Errorf("%v: another embedding on %d processors", s, procs)
				}
			}
		}()
		ctx, cancel := context.WithCancel(context.Background())
		stop := ssdrnb.Observe(func(e ssdrnb.Event) {
			if e.Stage == "trace ratio" {
				cancel()
			}
		})
		if _, err := s.FitContext(ctx, d); !errors.Is(err, ssdrnb.ErrCancelled) {
			t.Errorf("%v: %v", s, err)
		}
		stop()
		cancel()
	}
	if _, err := ssdrnb.S2LAE().Solver("ITR-Score as printed").Fit(d); !errors.Is(err, ssdrnb.ErrOption) {
		t.Errorf("the literal rule: %v", err)
	}
}

// TestComponentsCounted: package graph agrees with the number of components in the warning.
func TestComponentsCounted(t *testing.T) {
	d := blobs(6, 34)
	nb, err := graph.Search(context.Background(), d.X, 2, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	g, err := nb.Lengths(graph.Or)
	if err != nil {
		t.Fatal(err)
	}
	count, _ := graph.Components(g)
	if got := fact(t, mustFit(t, ssdrnb.LLE().Neighbors(2).Spec(), d), "graph components"); got != float64(count) {
		t.Errorf("%g components, want %d", got, count)
	}
}

// An error of a lower package names the option that caused it.
func TestFaultsNameTheOption(t *testing.T) {
	_, d := plane(60)
	for _, c := range []struct {
		e      ssdrnb.Estimator
		option string
	}{
		{ssdrnb.LLE().Regularization(1e-300), "regularization"},
		{ssdrnb.LAE().Width(1e-300), "width"},
		{ssdrnb.LPP().Width(1e-300), "width"},
	} {
		_, err := c.e.Spec().Fit(d)
		var e *ssdrnb.Error
		if !errors.As(err, &e) || e.Param != c.option || e.Value == nil || e.Remedy == "" {
			t.Errorf("%v: got %v", c.e.Spec(), err)
		}
	}
}
