package ssdrnb

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Fit is FitContext with the background context.
func (s Spec) Fit(d *data.Data) (*Model, error) { return s.FitContext(context.Background(), d) }

// FitContext fits the method to d and returns the model.
//
// FitContext first checks d (values, sizes, labels and pairs) and whether the options suit the size
// of d. It never changes d. If fits are cached (see [Remember]) and a model with the same method,
// options, data and library version exists, FitContext returns this model. A failure is an [*Error]
// that names method, option, value and remedy. When ctx ends, the fit stops soon and returns an
// error that wraps both [ErrCancelled] and the error of ctx. Iterative methods then also return the
// best model so far, if there is one.
func (s Spec) FitContext(ctx context.Context, d *data.Data) (*Model, error) {
	ctx = par.Context(ctx)
	if s = s.named(); s.err != nil {
		return nil, s.err
	}
	j := newJob(ctx, s, d, newCache())
	if err := j.check(); err != nil {
		return nil, err
	}
	memo := currentMemo()
	if memo == nil {
		return j.fit()
	}
	key := memoKey(s, d)
	if !s.fresh {
		if m := memo.read(key, s, d); m != nil {
			return m, nil
		}
	}
	m, err := j.fit()
	if err != nil {
		return m, err
	}
	if err := memo.write(key, m); err != nil {
		m.report.warn("the fit could not be stored for reuse: %v", err)
	}
	return m, nil
}

// fitWith fits without the cache of models. The argument `shared` caches intermediate results
// (steps) for several fits to the same d.
func (s Spec) fitWith(ctx context.Context, d *data.Data, shared *cache) (*Model, error) {
	if s.err != nil {
		return nil, s.err
	}
	j := newJob(ctx, s, d, shared)
	if err := j.check(); err != nil {
		return nil, err
	}
	return j.fit()
}

// fit runs the method of the job. check must have returned nil before.
func (j *job) fit() (*Model, error) {
	j.start()
	j.warnOfData()
	sol, err := j.spec.method.run(j)
	if err == nil {
		j.warnOfUnused(j.report)
	}
	return j.finish(sol, err)
}

// finish makes the model from a solution, or passes the error of a fit to j.explain. If the context
// ended after an iterative method had found a usable solution, finish returns the model and the
// error.
func (j *job) finish(sol *solution, err error) (*Model, error) {
	j.stop()
	Notify(Event{Method: j.method, Stage: "done", Done: 1, Total: 1})
	if err == nil {
		err = sol.check(j.report)
	}
	if err != nil && (sol == nil || j.ctx.Err() == nil || sol.check(j.report) != nil) {
		return nil, j.explain(err)
	}
	m := &Model{spec: j.spec, data: j.given, y: sol.y, values: sol.values, mapping: sol.mapping, graph: sol.graph, suggestions: sol.suggestions, ties: sol.ties, carried: sol.carried, report: j.report}
	m.describe()
	if err != nil {
		j.warn("stopped before convergence: this is the best result so far")
		err = j.explain(err)
	}
	return m, err
}

// Fresh returns a copy whose Fit computes the model even if a cached one exists.
func (s Spec) Fresh() Spec {
	s.fresh = true
	return s
}

// MustFit is Fit for notebook cells: on failure it prints one sentence and ends the cell. The
// notebook's interrupt button stops the fit. In a program MustFit panics with the error.
func (s Spec) MustFit(d *data.Data) *Model {
	ctx, stop := interruptible()
	defer stop()
	m, err := s.FitContext(ctx, d)
	if m == nil {
		must(err)
	}
	return m // after an interrupt: the best result so far, with a warning
}

func inNotebook() bool { return files.InNotebook() }

// interruptible returns a context that ends when the user presses the notebook's interrupt button.
// In a program, the interrupt signal is not handled.
func interruptible() (context.Context, context.CancelFunc) {
	if inNotebook() {
		return signal.NotifyContext(context.Background(), os.Interrupt)
	}
	return context.WithCancel(context.Background())
}

// must returns if err is nil. Otherwise it ends the notebook cell, or panics in a program.
func must(err error) {
	if err == nil {
		return
	}
	if inNotebook() {
		// A panic would hide the error message behind a stack trace.
		fmt.Fprintln(os.Stderr, "ssdrnb: "+err.Error())
		os.Exit(1)
	}
	panic(err)
}

// mustRun returns the result of run. In a notebook, the interrupt button ends the context of run.
// The function `must` handles errors.
func mustRun[T any](run func(context.Context) (T, error)) T {
	ctx, stop := interruptible()
	defer stop()
	result, err := run(ctx)
	must(err)
	return result
}

// solution is the result that a method returns.
type solution struct {
	// y is the embedding of the training samples, n×d.
	y *mat.Dense
	// values holds one number per dimension, such as an eigenvalue; nil if the method has none.
	values []float64
	// mapping embeds new points; nil if the method has no rule for them.
	mapping outofsample.Map
	// report is the model's own report if FitPath fits several dimensions at once, else nil.
	report *Report
	// graph is the weighted graph of the samples that [Model.Graph] returns, nil for most methods.
	graph *sparse.CSR
	// suggestions lists samples to label next, the best first; nil for most methods.
	suggestions []int
	// ties is the result of [Model.TiesCut]; nil for most methods.
	ties []float64
	// carried is the target propagated to all samples, nil if the method propagates none.
	carried *carried
}

// check returns an error if the embedding or a trace of the report r is not finite.
func (s *solution) check(r *Report) error {
	if err := checkEmbedded(s.y); err != nil {
		return err
	}
	finite := func(what string, values ...float64) error {
		for _, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%s is %v", what, v)
			}
		}
		return nil
	}
	for _, t := range r.Traces {
		if err := cmp.Or(finite(t.Name, t.Objective...), finite(t.Name, t.Lambda...), finite(t.Name, t.G...)); err != nil {
			return err
		}
	}
	return nil
}

// check validates the data, and those options whose limits depend only on the data. Other errors
// are found during the fit.
func (j *job) check() error {
	d, m := j.data, j.spec.method
	if err := j.given.Err(); err != nil {
		return j.fault("data", nil, classify(err), remedyOf(err))
	}
	if err := j.given.Validate(); err != nil {
		return j.fault("data", nil, classify(err), remedyOf(err))
	}
	n, features := d.Len(), d.NumFeatures()
	if n < 2 {
		return j.fault("samples", n, fmt.Errorf("%w: a single sample has no neighbours and no variance", ErrData), "give at least 2 samples")
	}
	if err := j.acceptable(); err != nil {
		return err
	}
	if err := j.measurable(); err != nil {
		return err
	}
	if m.has(dimsOption.Name) {
		switch k := dimsOption.of(j); {
		case m.Shape == Linear && k > features:
			return j.fault("dims", k, fmt.Errorf("%w: the data have %s", ErrOption, nouns.Count(features, "feature")), fmt.Sprintf("ask for at most %d", min(features, n-1)))
		case m.has(constraintsOption.Name) && k >= n-1:
			return j.tooManyDims(k)
		case k >= n:
			return j.fault("dims", k, fmt.Errorf("%w: %d samples span at most %s", ErrOption, n, nouns.Count(n-1, "dimension")), fmt.Sprintf("ask for at most %d", n-1))
		}
	}
	if m.has(neighborsOption.Name) {
		_, set := j.spec.set[neighborsOption.Name]
		switch k, most := neighborsOption.of(j), j.mostNeighbors(); {
		case most < 1:
			return j.fault("samples", n, fmt.Errorf("%w: the method needs at least two neighbours of each sample", ErrData), "give at least 3 samples")
		case set && k > most && d.Nearest != nil:
			return j.fault("neighbors", k, fmt.Errorf("%w: the data have only %s of each sample", ErrOption, nouns.Count(most, "neighbour")), fmt.Sprintf("ask for at most %d", most))
		case set && k > most && m.has(candidatesOption.Name):
			return j.fault("neighbors", k, fmt.Errorf("%w: the method needs one neighbour more than Neighbors, and each of %d samples has only %d", ErrOption, n, n-1), fmt.Sprintf("ask for at most %d", most))
		case set && k > most:
			return j.fault("neighbors", k, fmt.Errorf("%w: each of %d samples has at most %s", ErrOption, n, nouns.Count(most, "neighbour")), fmt.Sprintf("ask for at most %d", most))
		}
	}
	if m.first == nil {
		return j.checkKnowledge()
	}
	for _, p := range j.spec.parts() {
		if err := newJob(j.ctx, p.Spec, j.given, nil).checkKnowledge(); err != nil {
			return j.ofPart(err, p.prefix)
		}
	}
	return nil
}

// checkKnowledge returns an error if the data lack the labels, pairs or target values that the
// method needs.
func (j *job) checkKnowledge() error {
	d, m := j.data, j.spec.method
	target := j.data.Target() != nil && slices.Contains([]Knowledge{FromLabelsOrTarget, FromAnyOrTarget}, m.Uses)
	if target {
		if done, err := j.checkLinear(); done || err != nil {
			return err
		}
	}
	if m.Uses == FromLabels || m.Uses == FromLabelsOrTarget || m.Uses == FromAnchors && d.Anchors.Len() == 0 {
		switch classes := d.Classes(); len(classes) {
		case 0:
			return j.fault("labels", nil, fmt.Errorf("%w: no sample is labelled", ErrNeedsLabels), "label at least two samples of each of two classes")
		case 1:
			if j.sliced {
				m := d.NumLabelled()
				return j.fault("slices", j.value("slices"), fmt.Errorf("%w: all %d known values of %q belong to one slice, because many are equal", ErrNeedsTarget, m, d.Target().Name), fmt.Sprintf("set Slices(%d)", m))
			}
			return j.fault("labels", nil, fmt.Errorf("%w: all labelled samples (%d) belong to class %s", ErrNeedsLabels, d.NumLabelled(), d.ClassName(classes[0])), "label at least two samples of this class and two of another")
		}
		rows := j.labelledRows()
		if d.X != nil && !slices.ContainsFunc(rows, func(i int) bool { return !slices.Equal(d.X.RawRowView(i), d.X.RawRowView(rows[0])) }) {
			if j.sliced {
				return j.fault("target", nil, fmt.Errorf("%w: all %d samples with known values of %q are equal", ErrNeedsTarget, len(rows), d.Target().Name), "use Data.WithTarget to give values for samples that differ")
			}
			return j.fault("labels", nil, fmt.Errorf("%w: all %d labelled samples are equal", ErrNeedsLabels, len(rows)), "label samples that differ")
		}
	}
	if (m.Uses == FromBoth || m.Uses == FromAnyOrTarget) && d.Pairs.Len() == 0 && d.NumLabelled() < 2 {
		return j.fault("pairs", nil, fmt.Errorf("%w: there are neither constraints nor two labelled samples", ErrNeedsPairs), "give pairs with Data.WithPairs, or label two samples with Data.WithLabels")
	}
	if m.Uses == FromPairs && d.Pairs.Len() == 0 {
		return j.fault("pairs", nil, fmt.Errorf("%w: there are no constraints", ErrNeedsPairs), "give must-link or cannot-link pairs with Data.WithPairs")
	}
	return nil
}

const mostMeasurable, leastMeasurable = samples.MostMeasurable, samples.LeastMeasurable

// measurable returns an error if all samples are equal, if the square of a value overflows float64,
// or if the squares of all differences between samples underflow. Every method computes such
// squares.
func (j *job) measurable() error {
	x := j.x()
	if x == nil {
		return j.varied()
	}
	largest, spread := samples.Extent(x)
	switch {
	case spread == 0:
		return j.fault("data", nil, fmt.Errorf("%w: all %d samples are equal", ErrData, j.data.Len()), "give samples that differ")
	case largest > mostMeasurable:
		return j.fault("data", nil, fmt.Errorf("%w: the squares of values up to %.3g overflow", ErrData, largest), "scale the features first, for example with Data.Standardize")
	case spread < leastMeasurable:
		return j.fault("data", nil, fmt.Errorf("%w: the samples differ by at most %.3g, whose square underflows", ErrData, spread), "scale the features first, for example with Data.Standardize")
	}
	return nil
}
