package ssdrnb_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// TestNoConstraints: without constraints, or with weight 0, SSGP-LVM equals GP-LVM to the last bit.
func TestNoConstraints(t *testing.T) {
	d := blobs(6, 1)
	bare := d.HideLabels().WithPairs(data.Pairs{})
	want := ssdrnb.GPLVM().Rounds(5).MustFit(d).Embedding()
	for name, m := range map[string]*ssdrnb.Model{
		"no pairs, M":  ssdrnb.SSGPLVM().Rounds(5).Variant(ssdrnb.VariantM).MustFit(bare),
		"no pairs, CM": ssdrnb.SSGPLVM().Rounds(5).MustFit(bare),
		"λ = 0":        ssdrnb.SSGPLVM().Rounds(5).Lambda(0).MustFit(d),
	} {
		if !mat.Equal(want, m.Embedding()) {
			t.Errorf("%s: not GP-LVM", name)
		}
	}
	if mat.Equal(want, ssdrnb.SSGPLVM().Rounds(5).MustFit(d).Embedding()) {
		t.Error("constraints change nothing")
	}
	back := ssdrnb.BCGPLVM().Rounds(5).MustFit(d).Embedding()
	if !mat.Equal(back, ssdrnb.SSGPLVM().Rounds(5).Back(true).Lambda(0).MustFit(d).Embedding()) {
		t.Error("back constraints alone are not BC-GP-LVM")
	}
}

// TestObjectiveRises: the history never falls and ends at ln p − λE.
func TestObjectiveRises(t *testing.T) {
	d := blobs(6, 2)
	for _, b := range []*ssdrnb.SSGPLVMBuilder{
		ssdrnb.SSGPLVM(), ssdrnb.SSGPLVM().Variant(ssdrnb.VariantCMU), ssdrnb.SSGPLVM().Form("margin"), ssdrnb.SSGPLVM().With("gauge", "gamma"),
		ssdrnb.SSGPLVM().Optimizer(ssdrnb.SCG), ssdrnb.SSGPLVM().Schedule(ssdrnb.Joint), ssdrnb.SSGPLVM().Back(true), ssdrnb.SSGPLVM().Kernel("matern-3/2"),
		ssdrnb.SSGPLVM().Approximation(ssdrnb.FITC).Inducing(15), ssdrnb.SSGPLVM().Approximation(ssdrnb.VFE).Inducing(15),
	} {
		m, err := b.Rounds(6).Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		history := m.Report().Traces[0].Objective
		for k := 1; k < len(history); k++ {
			if history[k] < history[k-1]-1e-9*math.Abs(history[k]) {
				t.Errorf("%v: J falls from %v to %v", b, history[k-1], history[k])
			}
		}
		fact := func(name string) float64 {
			v, ok := m.Report().Fact(name)
			if !ok {
				t.Fatalf("%v: no %s", b, name)
			}
			return v
		}
		j := fact("J")
		if math.Abs(j-history[len(history)-1]) > 1e-9*math.Abs(j) || math.Abs(j-fact("ln p")+10*fact("E")) > 1e-9*math.Abs(j) {
			t.Errorf("%v: J = %v, history ends at %v", b, j, history[len(history)-1])
		}
	}
}

// TestConstraintsHold: must-linked samples are nearer and cannot-linked ones further apart than
// without constraints, relative to the spread of all samples.
func TestConstraintsHold(t *testing.T) {
	d := blobs(6, 3)
	ratio := func(m *ssdrnb.Model) (must, cannot float64) {
		dist := distances(m.Embedding())
		all := mat.Sum(dist) / float64(d.Len()*d.Len())
		for _, p := range d.Pairs.Must {
			must += dist.At(p.I, p.J) / all
		}
		for _, p := range d.Pairs.Cannot {
			cannot += dist.At(p.I, p.J) / all
		}
		return must, cannot
	}
	must0, cannot0 := ratio(ssdrnb.GPLVM().MustFit(d))
	must1, cannot1 := ratio(ssdrnb.SSGPLVM().MustFit(d))
	if must1 >= must0 || cannot1 <= cannot0 {
		t.Errorf("must %v → %v, cannot %v → %v", must0, must1, cannot0, cannot1)
	}
}

// TestLiteralForms: the forms printed in the paper diverge; this is reported, and nothing is NaN.
func TestLiteralForms(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := blobs(6, 4)
	for _, form := range []string{"laplacian", "distance", "trace", "trace-15"} {
		m, err := ssdrnb.SSGPLVM().With("form", form).Rounds(20).Fit(d)
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		if data.CheckFinite(m.Embedding()) != nil || !slices.ContainsFunc(m.Report().Warnings, func(s string) bool { return strings.Contains(s, "no maximum") }) {
			t.Errorf("%s: %v", form, m.Report().Warnings)
		}
	}
	// Falling weights bound the energy, but not while each step keeps them fixed.
	for _, form := range []string{"laplacian", "distance", "trace-15"} {
		m := ssdrnb.SSGPLVM().With("form", form).With("weighting", "falling").Rounds(20).MustFit(d)
		if far := mat.Norm(m.Embedding(), math.Inf(1)); far > 1e6 != slices.ContainsFunc(m.Report().Warnings, func(s string) bool { return strings.Contains(s, "no maximum") }) || far < 1e6 {
			t.Errorf("%s, falling weights: positions up to %v, warnings %q", form, far, m.Report().Warnings)
		}
	}
	m := ssdrnb.SSGPLVM().MustFit(d)
	for _, w := range m.Report().Warnings {
		if strings.Contains(w, "no maximum") {
			t.Errorf("mixed: %s", w)
		}
	}
}

// TestOutlierIsNoDivergence: a form with a maximum is not blamed for a position far from the others.
func TestOutlierIsNoDivergence(t *testing.T) {
	for _, form := range []ssdrnb.Form{ssdrnb.MixedForm, ssdrnb.MarginForm, "scaled"} {
		warnings := strings.Join(ssdrnb.SSGPLVM().Form(form).Approximation(ssdrnb.VFE).Inducing(10).Rounds(1).Steps(1).MustFit(oneFar(1500, 1e9)).Report().Warnings, "\n")
		if strings.Contains(warnings, "no maximum") || !strings.Contains(warnings, "as far from the centre") {
			t.Errorf("%s: %s", form, warnings)
		}
	}
}

// TestEqualSamplesAreNoOutliers: samples that differ from many equal ones are neither outliers nor a
// sign of divergence.
func TestEqualSamplesAreNoOutliers(t *testing.T) {
	x := mat.NewDense(24, 2, nil)
	for i := range 8 { // on a circle around the others
		x.SetRow(i, []float64{math.Cos(float64(i) * math.Pi / 4), math.Sin(float64(i) * math.Pi / 4)})
	}
	d := data.New(x, nil).WithPairs(data.Pairs{Cannot: []data.Pair{{I: 0, J: 1}}})
	for _, e := range []ssdrnb.Estimator{ssdrnb.GPLVM().Rounds(20), ssdrnb.GPLVM().Dims(1).Rounds(20), ssdrnb.SSGPLVM().Form("laplacian").Lambda(1e-9).Rounds(3)} {
		m, err := e.Spec().Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range []string{"as far from the centre", "diverge"} {
			if err := advicetest.Warning(m.Report().Warnings, words); err != nil {
				t.Errorf("%v: %v", e.Spec(), err)
			}
		}
	}
}

// TestDrawnConstraints: from labels alone there are as many constraints as labelled samples, as
// requested, or as possible.
func TestDrawnConstraints(t *testing.T) {
	d := blobs(6, 5).WithPairs(data.Pairs{})
	for k, want := range map[int][2]float64{ssdrnb.Auto: {24, 24}, 5: {5, 5}, 1000: {84, 192}} {
		m := ssdrnb.SSGPLVM().Rounds(1).DrawnPairs(k).MustFit(d)
		must, _ := m.Report().Fact("must-links")
		cannot, _ := m.Report().Fact("cannot-links")
		if must != want[0] || cannot != want[1] {
			t.Errorf("%d: %v and %v, want %v", k, must, cannot, want)
		}
	}
	if none := ssdrnb.SSGPLVM().Rounds(1).DrawnPairs(0).MustFit(d); !mat.Equal(none.Embedding(), ssdrnb.GPLVM().Rounds(1).MustFit(d).Embedding()) {
		t.Error("no constraints are not GP-LVM")
	}
}

// TestWeightsThatOverflow: if a weight makes the objective overflow, the error does not name the
// covariance as the cause.
func TestWeightsThatOverflow(t *testing.T) {
	d := blobs(6, 5).WithTarget("t", mat.Col(nil, 0, blobs(6, 5).X))
	for _, b := range []*ssdrnb.SSGPLVMBuilder{
		ssdrnb.SSGPLVM().Lambda(math.MaxFloat64).Form(ssdrnb.MarginForm), ssdrnb.SSGPLVM().TargetCopies(math.MaxFloat64),
		ssdrnb.SSGPLVM().Form(ssdrnb.MarginForm).Margin(math.MaxFloat64), ssdrnb.SSGPLVM().TargetCopies(math.MaxFloat64).Approximation(ssdrnb.VFE),
	} {
		_, err := b.Rounds(1).Fit(d)
		if !errors.Is(err, ssdrnb.ErrNumerical) || !strings.Contains(err.Error(), "the objective overflows; go back towards the default") {
			t.Errorf("%v: %v", b, err)
		}
	}
}

// TestNoOthersToMove: if constraints or a target cover all samples, no warning names others.
func TestNoOthersToMove(t *testing.T) {
	d := blobs(6, 5).WithPairs(data.Pairs{})
	values := mat.Col(nil, 0, d.X)
	whole := d.WithLabels(d.Truth).WithTarget("t", values)
	part := slices.Clone(values)
	part[0] = math.NaN()
	for _, c := range []struct {
		d    *data.Data
		want int
	}{{whole, 0}, {d.WithTarget("t", values), 1}, {whole.WithTarget("t", part), 1}, {d.WithTarget("t", part), 2}} {
		told := strings.Join(ssdrnb.SSGPLVM().Rounds(1).MustFit(c.d).Report().Warnings, "\n")
		if got := strings.Count(told, "away from the others"); got != c.want {
			t.Errorf("%d warnings of %q, want %d", got, told, c.want)
		}
	}
}

func TestContradictions(t *testing.T) {
	d := blobs(6, 5).WithPairs(data.Pairs{Must: []data.Pair{{I: 0, J: 3}, {I: 3, J: 6}}, Cannot: []data.Pair{{I: 0, J: 6}, {I: 0, J: 1}}})
	m := ssdrnb.SSGPLVM().Rounds(2).MustFit(d)
	if !slices.ContainsFunc(m.Report().Warnings, func(s string) bool { return strings.HasPrefix(s, "1 of 2 cannot-links") }) {
		t.Error(m.Report().Warnings)
	}
}

// TestBestSoFar: an interrupted optimisation returns its current result with the error.
func TestBestSoFar(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	events := 0
	defer ssdrnb.Observe(func(e ssdrnb.Event) {
		if e.Stage == "positions" {
			if events++; events == 4 {
				cancel()
			}
		}
	})()
	m, err := ssdrnb.GPLVM().FitContext(ctx, blobs(6, 6))
	if !errors.Is(err, ssdrnb.ErrCancelled) || m == nil {
		t.Fatalf("model %v, error %v", m, err)
	}
	history := m.Report().Traces[0].Objective
	if history[len(history)-1] <= history[0] || len(history) > 40 || len(m.Report().Warnings) == 0 {
		t.Errorf("%d steps, from %v to %v, %v", len(history), history[0], history[len(history)-1], m.Report().Warnings)
	}
	if _, err := m.Transform(blobs(6, 6).X); err != nil {
		t.Error(err)
	}
}

// TestDecode: near the training samples the mean is close to them and the variance small; far away
// the mean is that of the data and the variance that of the signal.
func TestDecode(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	const n = 75
	d := datasets.Iris().Subset(every(150, 2))
	for _, b := range []*ssdrnb.GPLVMBuilder{ssdrnb.GPLVM(), ssdrnb.GPLVM().Approximation(ssdrnb.VFE).Inducing(30), ssdrnb.GPLVM().Scaling(ssdrnb.PerFeature), ssdrnb.GPLVM().Jitter(0.01)} {
		m := b.Rounds(10).MustFit(d)
		p, err := m.Decode(m.Embedding())
		if err != nil {
			t.Fatal(err)
		}
		var rest mat.Dense
		rest.Sub(p.Mean, d.X)
		if rms := mat.Norm(&rest, 2) / math.Sqrt(4*n); rms > 0.3 {
			t.Errorf("%v: the training samples are missed by %v cm", b, rms)
		}
		away := mat.NewDense(1, 2, []float64{1e6, 1e6})
		far, err := m.Decode(away)
		if err != nil {
			t.Fatal(err)
		}
		signal, _ := m.Report().Fact("θ_rbf")
		noise, _ := m.Report().Fact("θ_white")
		if _, approximate := m.Report().Fact("inducing points"); !approximate {
			noise += m.Report().Params["jitter"].(float64)
		}
		if math.Abs(far.Function[0]-signal) > 1e-9*signal || math.Abs(far.Observation[0]-signal-noise) > 1e-9*signal || far.Function[0] <= p.Function[0] {
			t.Errorf("%v: variance %v far away, %v near", b, far, p.Function[0])
		}
		for k := range 4 {
			mean := mat.Sum(d.X.Slice(0, n, k, k+1)) / n
			if math.Abs(far.Mean.At(0, k)-mean) > 1e-9 {
				t.Errorf("%v: feature %d is %v far away, mean %v", b, k, far.Mean.At(0, k), mean)
			}
		}
		back := reloaded(t, m)
		again, err := back.Decode(m.Embedding())
		if err != nil || !mat.Equal(again.Mean, p.Mean) || !slices.Equal(again.Function, p.Function) {
			t.Errorf("%v: another distribution after Load, %v", b, err)
		}
	}
	if _, err := ssdrnb.PCA().MustFit(d).Decode(mat.NewDense(1, 2, nil)); !errors.Is(err, ssdrnb.ErrNoPrediction) {
		t.Error(err)
	}
	m := ssdrnb.GPLVM().Rounds(1).MustFit(d)
	for _, z := range []*mat.Dense{nil, {}, mat.NewDense(1, 3, nil)} {
		if _, err := m.Decode(z); !errors.Is(err, ssdrnb.ErrData) {
			t.Error(err)
		}
	}
}

// TestLarge: beyond 2,000 samples inducing points are used, and the background energy of the
// variant CMU is omitted.
func TestLarge(t *testing.T) {
	d := datasets.SwissRoll(2001, 1)
	var pairs data.Pairs
	for i := range 20 {
		pairs.Must = append(pairs.Must, data.Pair{I: i, J: i + 50})
	}
	m, err := ssdrnb.SSGPLVM().Variant(ssdrnb.VariantCMU).Inducing(20).Rounds(1).Steps(3).Fit(d.WithPairs(pairs))
	if err != nil {
		t.Fatal(err)
	}
	if points, ok := m.Report().Fact("inducing points"); !ok || points != 20 {
		t.Errorf("%v inducing points", points)
	}
	if !slices.ContainsFunc(m.Report().Warnings, func(s string) bool { return strings.Contains(s, "background") }) {
		t.Error(m.Report().Warnings)
	}
	history := m.Report().Traces[0].Objective
	if history[len(history)-1] <= history[0] {
		t.Errorf("J from %v to %v", history[0], history[len(history)-1])
	}
}

// manySamples are one more than fit into memory with n×n matrices.
func manySamples() *data.Data {
	x := mat.NewDense(23171, 2, nil)
	for i := range 23171 {
		x.SetRow(i, []float64{float64(i % 101), float64(i % 103)})
	}
	return data.New(x, nil)
}

// TestLatentMemory: options whose matrices take too much memory are refused before anything is
// allocated.
func TestLatentMemory(t *testing.T) {
	many := manySamples()
	for param, e := range map[string]ssdrnb.Estimator{
		"samples":       ssdrnb.BCGPLVM(),
		"back":          ssdrnb.SSGPLVM().Back(true),
		"approximation": ssdrnb.GPLVM().Approximation(ssdrnb.ExactLikelihood),
		"inducing":      ssdrnb.GPLVM().Inducing(20000),
	} {
		var fault *ssdrnb.Error
		if m, err := e.Spec().Fit(many); m != nil || !errors.As(err, &fault) || fault.Param != param || !errors.Is(err, graph.ErrMemory) {
			t.Errorf("%s: %v", param, err)
		}
	}
}

// TestBackTransformMemory: with back constraints, Transform stores only a part of the kernel values,
// and the position of a row does not depend on the others.
func TestBackTransformMemory(t *testing.T) {
	m := ssdrnb.BCGPLVM().Rounds(1).Steps(1).MustFit(manySamples().Subset(seq(400)))
	const rows = 3000
	x := mat.DenseCopyOf(manySamples().X.Slice(0, rows, 0, 2))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	y, err := m.Transform(x)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 8*rows*400/4 {
		t.Errorf("%d bytes were taken", took)
	}
	for _, i := range []int{0, 15, 16, rows - 1} {
		alone, err := m.Transform(mat.DenseCopyOf(x.Slice(i, i+1, 0, 2)))
		if err != nil || !mat.Equal(alone, y.Slice(i, i+1, 0, 2)) {
			t.Errorf("row %d: %v among others, %v alone, %v", i, y.RawRowView(i), alone, err)
		}
	}
}

// TestLatentProgress: under both schedules the progress of a fit with restarts rises to its total, in
// the unit that the warning about convergence names.
func TestLatentProgress(t *testing.T) {
	b := ssdrnb.GPLVM().Restarts(2).Rounds(3).Steps(2)
	for _, c := range []struct {
		schedule ssdrnb.Schedule
		total    int
		budget   string
	}{{ssdrnb.Alternate, 9, "3 rounds"}, {ssdrnb.Joint, 18, "6 steps"}} {
		last := 0
		stop := ssdrnb.Observe(func(e ssdrnb.Event) {
			if e.Total == 1 { // the end of the fit
				return
			}
			if e.Total > 0 && (e.Total != c.total || e.Done < last) {
				t.Errorf("%s: %d of %d after %d", c.schedule, e.Done, e.Total, last)
			}
			last = max(last, e.Done)
		})
		m := b.Schedule(c.schedule).MustFit(blobs(6, 7))
		stop()
		if last != c.total {
			t.Errorf("%s: %d of %d done at the end", c.schedule, last, c.total)
		}
		if advicetest.Warning(m.Report().Warnings, "not converged after "+c.budget+";") == nil {
			t.Errorf("%s: %q", c.schedule, m.Report().Warnings)
		}
	}
}

// TestStepsAndConvergence: a fit whose steps are all rejected does not count as converged, and the
// report proposes more rounds only if they change the result.
func TestStepsAndConvergence(t *testing.T) {
	few, large := datasets.Iris().Take(8), inUnits(blobs(6, 20), 1e4)
	for _, c := range []struct {
		b    *ssdrnb.GPLVMBuilder
		d    *data.Data
		want string // remedy; "" if there is no warning about convergence
		more bool   // whether more rounds change the result
	}{
		{ssdrnb.GPLVM().Optimizer(ssdrnb.SCG).Steps(1), few, "raise Steps", false},
		{ssdrnb.GPLVM().Optimizer(ssdrnb.SCG).Steps(20), few, "", false},
		{ssdrnb.GPLVM().Optimizer(ssdrnb.SCG).Steps(20).Rounds(2), few, "raise Rounds", true},
		{ssdrnb.GPLVM().Schedule(ssdrnb.Joint).Scaling(ssdrnb.MeanRemoved), large, "set Schedule(Alternate)", false},
		{ssdrnb.GPLVM().Schedule(ssdrnb.Joint).Rounds(1), few, "raise Rounds", true},
	} {
		m := c.b.MustFit(c.d)
		told := ""
		for _, w := range m.Report().Warnings {
			if strings.Contains(w, "converged") || strings.Contains(w, "stopped") {
				told = w
			}
		}
		if (told == "") != (c.want == "") || !strings.Contains(told, c.want) {
			t.Errorf("%v: warning %q, want %q", c.b, told, c.want)
		}
		if again := c.b.Rounds(150).MustFit(c.d); mat.Equal(again.Embedding(), m.Embedding()) == c.more {
			t.Errorf("%v: more rounds change the result: %v, want %v", c.b, !c.more, c.more)
		}
	}
}

// TestScaleOfLatentModels: if the features are left in a unit that is too large or too small for the
// kernel parameters, the report names the parameters at their limits.
func TestScaleOfLatentModels(t *testing.T) {
	d := blobs(6, 7)
	for _, scaling := range []ssdrnb.Scaling{ssdrnb.Unscaled, ssdrnb.MeanRemoved, ssdrnb.GlobalScale, ssdrnb.PerFeature} {
		for _, unit := range []float64{3e-4, 1, 1e5} {
			warnings := strings.Join(ssdrnb.GPLVM().Scaling(scaling).Rounds(10).MustFit(inUnits(d, unit)).Report().Warnings, "\n")
			want := unit != 1 && (scaling == ssdrnb.Unscaled || scaling == ssdrnb.MeanRemoved)
			if strings.Contains(warnings, "ended at its limit") != want {
				t.Errorf("%s, unit %g: %q", scaling, unit, warnings)
			}
		}
	}
}

// TestJitterWithoutEffect: a jitter that was set is reported if the likelihood does not use it.
func TestJitterWithoutEffect(t *testing.T) {
	for b, want := range map[*ssdrnb.GPLVMBuilder]bool{
		ssdrnb.GPLVM().Jitter(0.1):                                                   false,
		ssdrnb.GPLVM().Approximation(ssdrnb.VFE).Inducing(5):                         false,
		ssdrnb.GPLVM().Approximation(ssdrnb.VFE).Inducing(5).Jitter(0.1):             true,
		ssdrnb.GPLVM().Approximation(ssdrnb.FITC).Inducing(5).Jitter(0.1):            true,
		ssdrnb.GPLVM().Approximation(ssdrnb.ExactLikelihood).Inducing(5).Jitter(0.1): false,
	} {
		warnings := strings.Join(b.Rounds(1).Steps(1).MustFit(blobs(6, 7)).Report().Warnings, "\n")
		if strings.Contains(warnings, "does not use Jitter") != want {
			t.Errorf("%v: %q", b, warnings)
		}
	}
}

// TestRestarts: additional starts never give a worse result.
func TestRestarts(t *testing.T) {
	d := blobs(6, 7)
	j := func(b *ssdrnb.GPLVMBuilder) float64 {
		v, _ := b.Rounds(10).MustFit(d).Report().Fact("ln p")
		return v
	}
	if one, more := j(ssdrnb.GPLVM()), j(ssdrnb.GPLVM().Restarts(3)); more < one {
		t.Errorf("ln p %v with one start, %v with four", one, more)
	}
}

// TestMoreDimensions: dimensions beyond the rank of the data start from noise and are
// used.
func TestMoreDimensions(t *testing.T) {
	x := mat.DenseCopyOf(blobs(6, 8).X.Slice(0, 60, 0, 2))
	m, err := ssdrnb.GPLVM().Dims(4).Rounds(5).Fit(data.New(x, nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := data.CheckFinite(m.Embedding()); err != nil || m.Dims() != 4 {
		t.Error(err, m.Dims())
	}
}

// TestConstraintScores: a feature supported by the constraints comes first, a constant one last,
// and CS1 does not depend on units.
func TestConstraintScores(t *testing.T) {
	d := blobs(6, 9)
	x := mat.NewDense(60, 8, nil)
	for i := range 60 {
		x.SetRow(i, append([]float64{0.1, 1000 * float64(d.Truth[i])}, d.X.RawRowView(i)...))
	}
	wide := *d
	wide.X = x
	for _, e := range []ssdrnb.Estimator{ssdrnb.CS1().Dims(8), ssdrnb.CS2().Dims(8)} {
		m, err := e.Spec().Fit(&wide)
		if err != nil {
			t.Fatal(err)
		}
		first, _ := m.Report().Fact("feature 1")
		last, _ := m.Report().Fact("feature 8")
		if first != 1 || last != 0 || !slices.IsSorted(m.Values()) || !math.IsInf(m.Values()[7], 1) || len(m.Report().Warnings) == 0 {
			t.Errorf("%v: first %v, last %v, %v", e, first, last, m.Values())
		}
	}
	scaled := *d
	scaled.X = mat.DenseCopyOf(d.X)
	for i := range 60 {
		scaled.X.Set(i, 2, 1e6*d.X.At(i, 2))
	}
	for _, e := range []ssdrnb.Estimator{ssdrnb.CS1().Dims(6), ssdrnb.CS2().Dims(6)} {
		a, errA := e.Spec().Fit(d)
		b, errB := e.Spec().Fit(&scaled)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		for k, v := range a.Values() {
			if math.Abs(b.Values()[k]-v) > 1e-9*math.Abs(v) {
				t.Errorf("%v: score %d is %v in other units, %v before", e, k, b.Values()[k], v)
			}
		}
	}
}
