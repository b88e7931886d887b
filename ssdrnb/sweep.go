package ssdrnb

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Axis is one option that a sweep varies.
type Axis struct {
	// Name is the option's key, "neighbors".
	Name string
	// Values are the option's values in order.
	Values []any
	// Log says that the values grow by factors.
	Log bool
}

// Floats returns the values as numbers; a value that is none becomes its index.
func (a Axis) Floats() []float64 {
	out := make([]float64, len(a.Values))
	for i, v := range a.Values {
		f, ok := number(v)
		if !ok {
			f = float64(i)
		}
		out[i] = f
	}
	return out
}

// Label writes value i.
func (a Axis) Label(i int) string {
	if f, ok := a.Values[i].(float64); ok {
		return fmt.Sprintf("%.4g", f)
	}
	return fmt.Sprint(a.Values[i])
}

// SweepBuilder collects the axes of a sweep. It is a value: a half-built sweep
// can be branched. The first bad axis is remembered and returned by Run.
type SweepBuilder struct {
	spec   Spec
	data   *data.Data
	axes   []Axis
	splits int
	train  float64
	score  Score
	err    error
}

// Sweep returns the builder of a parameter sweep: e is fitted to d at every
// combination of the axes' values, and scored.
func Sweep(e Estimator, d *data.Data) SweepBuilder {
	return SweepBuilder{spec: e.Spec(), data: d, splits: 1, score: NearestNeighbor}
}

// List adds an axis with these values of the option called name.
func (b SweepBuilder) List(name string, values ...any) SweepBuilder {
	return b.axis(Axis{Name: name, Values: slices.Clone(values)})
}

// Linear adds an axis from, from+step, … up to and including to.
func (b SweepBuilder) Linear(name string, from, to, step float64) SweepBuilder {
	return b.axis(Axis{Name: name, Values: progression(from, to, step, func(x float64) float64 { return x })})
}

// Log10 adds an axis 10^from, 10^(from+step), … up to and including 10^to.
func (b SweepBuilder) Log10(name string, from, to, step float64) SweepBuilder {
	return b.axis(Axis{Name: name, Log: true, Values: progression(from, to, step, func(x float64) float64 { return math.Pow(10, x) })})
}

// Splits repeats every cell over n random draws, seeds 1 to n: labels kept by
// KeepLabels are drawn anew, and with Train the training side too. All cells see
// the same draws. The default is the one draw that the data come with.
func (b SweepBuilder) Splits(n int) SweepBuilder {
	if n < 1 {
		b.err = cmpErr(b.err, &Error{Method: "Sweep", Param: "splits", Value: n, Err: ErrOption, Remedy: "give at least 1"})
	}
	b.splits = n
	return b
}

// Train fits to a random share of each class, in (0, 1), and scores the rest as
// test data. By default all samples train and only hidden labels are scored.
func (b SweepBuilder) Train(share float64) SweepBuilder {
	if !(share > 0 && share < 1) {
		b.err = cmpErr(b.err, &Error{Method: "Sweep", Param: "train", Value: share, Err: ErrOption, Remedy: "give a share between 0 and 1"})
	}
	b.train = share
	return b
}

// Score sets what is measured; the default is [NearestNeighbor].
func (b SweepBuilder) Score(s Score) SweepBuilder {
	b.score = s
	return b
}

func (b SweepBuilder) axis(a Axis) SweepBuilder {
	if len(a.Values) == 0 {
		b.err = cmpErr(b.err, &Error{Method: "Sweep", Param: a.Name, Err: fmt.Errorf("%w: the axis has no value", ErrOption), Remedy: "give from ≤ to and step > 0"})
	}
	for i, v := range a.Values {
		probe := b.spec.With(a.Name, v)
		if probe.err != nil {
			b.err = cmpErr(b.err, probe.err)
			break
		}
		a.Values[i] = probe.Value(a.Name)
	}
	b.axes = append(slices.Clone(b.axes), a)
	return b
}

func cmpErr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

func progression(from, to, step float64, f func(float64) float64) []any {
	if !(step > 0) || !(from <= to) || (to-from)/step > 1e6 {
		return nil
	}
	var out []any
	// Half a step of slack keeps the last value in spite of rounding.
	for i := 0; from+float64(i)*step <= to+step*1e-9; i++ {
		out = append(out, f(from+float64(i)*step))
	}
	return out
}

// SweepResult is the table that a sweep filled, row-major over the axes in the
// order in which they were added, the last axis fastest.
type SweepResult struct {
	Spec Spec
	Axes []Axis
	// Unlabelled and Test have one cell per combination: scores on hidden labels
	// of the training samples and on the test samples. Test is nil without Train.
	Unlabelled, Test []Cell
}

// Cell is the score of one combination over the draws.
type Cell struct {
	// Scores has one entry per draw.
	Scores []float64
	// Err is the first failure; the scores are then incomplete.
	Err error
}

// Mean returns the mean score, NaN if there is none.
func (c Cell) Mean() float64 {
	sum := 0.0
	for _, s := range c.Scores {
		sum += s
	}
	return sum / float64(len(c.Scores))
}

// Std returns the standard deviation over the draws (divisor n − 1), 0 for one.
func (c Cell) Std() float64 {
	if len(c.Scores) < 2 {
		return 0
	}
	mean, sum := c.Mean(), 0.0
	for _, s := range c.Scores {
		sum += (s - mean) * (s - mean)
	}
	return math.Sqrt(sum / float64(len(c.Scores)-1))
}

// At returns the values of the axes at cell i, by name.
func (r *SweepResult) At(i int) map[string]any {
	out := map[string]any{}
	for k := len(r.Axes) - 1; k >= 0; k-- {
		a := r.Axes[k]
		out[a.Name] = a.Values[i%len(a.Values)]
		i /= len(a.Values)
	}
	return out
}

// Best returns the cell of cells (Unlabelled or Test) with the highest mean; the
// first of equals.
func (r *SweepResult) Best(cells []Cell) int {
	best := 0
	for i, c := range cells {
		if m := c.Mean(); m > cells[best].Mean() || math.IsNaN(cells[best].Mean()) {
			best = i
		}
	}
	return best
}

// SpecAt returns the method with the options of cell i.
func (r *SweepResult) SpecAt(i int) Spec {
	s := r.Spec
	for name, v := range r.At(i) {
		s = s.With(name, v)
	}
	return s
}

// MustRun is Run for notebook cells, as MustFit is Fit.
func (b SweepBuilder) MustRun() *SweepResult {
	ctx, stop := interruptible()
	defer stop()
	r, err := b.Run(ctx)
	must(err)
	return r
}

// Run fits and scores every cell, in parallel over the cells. A cell that fails
// has its error; Run fails where all do. When ctx ends, Run returns what is done
// together with an error that wraps [ErrCancelled].
func (b SweepBuilder) Run(ctx context.Context) (*SweepResult, error) {
	if err := cmpErr(b.spec.err, b.err); err != nil {
		return nil, err
	}
	if err := b.data.Err(); err != nil {
		return nil, &Error{Method: "Sweep", Param: "data", Err: classify(err)}
	}
	draws, err := b.draws()
	if err != nil {
		return nil, err
	}
	r := &SweepResult{Spec: b.spec, Axes: b.axes}
	cells := 1
	for _, a := range b.axes {
		cells *= len(a.Values)
	}
	r.Unlabelled = make([]Cell, cells)
	if b.train > 0 {
		r.Test = make([]Cell, cells)
	}
	var mu sync.Mutex
	done := 0
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), cells) {
		wg.Go(func() {
			for i := range next {
				b.fill(ctx, r, i, draws)
				mu.Lock()
				done++
				notify(Event{Method: "Sweep", Stage: b.spec.method.Name, Done: done, Total: cells, Value: r.Unlabelled[i].Mean()})
				mu.Unlock()
			}
		})
	}
	for i := range cells {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	if ctx.Err() != nil {
		return r, &Error{Method: "Sweep", Err: fmt.Errorf("%w after %d of %d cells: %w", ErrCancelled, done, cells, ctx.Err())}
	}
	for _, c := range r.Unlabelled {
		if c.Err == nil {
			return r, nil
		}
	}
	return r, r.Unlabelled[0].Err
}

// draw is one random choice of what trains, what is labelled, and what tests.
type draw struct{ train, test *data.Data }

func (b SweepBuilder) draws() ([]draw, error) {
	out := make([]draw, b.splits)
	for i := range out {
		d := b.data
		if b.splits > 1 {
			d = d.Seed(uint64(i + 1))
		}
		out[i] = draw{train: d}
		if b.train > 0 {
			train, test := d.Split(b.train)
			out[i] = draw{train, test}
		}
		if err := out[i].train.Err(); err != nil {
			return nil, &Error{Method: "Sweep", Param: "splits", Value: i + 1, Err: classify(err)}
		}
	}
	return out, nil
}

// fill computes cell i of both tables.
func (b SweepBuilder) fill(ctx context.Context, r *SweepResult, i int, draws []draw) {
	spec := r.SpecAt(i)
	for _, d := range draws {
		m, err := spec.FitContext(ctx, d.train)
		if err == nil {
			err = r.Unlabelled[i].add(b.score, m, nil)
		}
		if err == nil && d.test != nil {
			err = r.Test[i].add(b.score, m, d.test)
		}
		if err != nil {
			r.Unlabelled[i].Err = err
			return
		}
	}
}

func (c *Cell) add(s Score, m *Model, test *data.Data) error {
	v, err := s(m, test)
	if err == nil {
		c.Scores = append(c.Scores, v)
	}
	return err
}
