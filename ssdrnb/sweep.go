package ssdrnb

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Axis is one option that a sweep varies.
type Axis struct {
	// Name is the key of the option, such as "neighbors".
	Name string
	// Values are the values of the option, in order.
	Values []any
	// Log is true if the values are a geometric sequence.
	Log bool
}

// Floats returns the values as numbers. [Auto] is replaced by NaN, and a value that is not a number
// is replaced by its index.
func (a Axis) Floats() []float64 {
	out := make([]float64, len(a.Values))
	for i, v := range a.Values {
		f, ok := number(v)
		switch {
		case !ok:
			f = float64(i)
		case f == Auto:
			f = math.NaN()
		}
		out[i] = f
	}
	return out
}

// Label formats value i.
func (a Axis) Label(i int) string {
	if f, ok := number(a.Values[i]); ok && f == Auto {
		return "auto"
	}
	if f, ok := a.Values[i].(float64); ok {
		return strconv.FormatFloat(rounded(f, 4), 'g', -1, 64) // %.4g would write 10000 as 1e+04
	}
	return fmt.Sprint(a.Values[i])
}

// SweepBuilder holds the axes and settings of a sweep. It is a value: each method returns a changed
// copy. If a method gets an invalid argument, Run returns the first such error.
type SweepBuilder struct {
	spec    Spec
	data    *data.Data
	axes    []Axis
	splits  int
	train   float64
	prepare []func(*data.Data) data.Scaling
	score   Score
	file    string
	// executor runs the fits, by default in this process.
	executor Executor
	err      error
}

// Sweep returns the builder of a parameter sweep. The sweep fits e to d and computes a score for
// every combination of the axis values. Each combination is a cell of the resulting table.
func Sweep(e Estimator, d *data.Data) SweepBuilder {
	return SweepBuilder{spec: SpecOf(e), data: d, splits: 1, score: NearestNeighbor, executor: local{}}
}

// List adds an axis with the given values for the named option.
func (b SweepBuilder) List(name string, values ...any) SweepBuilder {
	return b.axis(Axis{Name: name, Values: slices.Clone(values)})
}

// Linear adds an axis with the values from, from+step, from+2·step, … that do not exceed the
// argument to.
func (b SweepBuilder) Linear(name string, from, to, step float64) SweepBuilder {
	return b.progression(Axis{Name: name}, from, to, step, func(x float64) float64 { return x })
}

// Log10 adds an axis with the values 10^from, 10^(from+step), 10^(from+2·step), … that do not
// exceed 10^to.
func (b SweepBuilder) Log10(name string, from, to, step float64) SweepBuilder {
	return b.progression(Axis{Name: name, Log: true}, from, to, step, func(x float64) float64 { return math.Pow(10, x) })
}

// Splits repeats every cell over n random draws with the seeds 1 to n. A draw selects the labels
// that KeepLabels keeps, and the training samples if Train was called. All cells use the same
// draws. For n = 1, the default, the seed is that of the data.
func (b SweepBuilder) Splits(n int) SweepBuilder {
	if n < 1 {
		b.err = cmpErr(b.err, &Error{Method: "Sweep", Param: "splits", Value: n, Err: ErrOption, Remedy: "give at least 1"})
	}
	b.splits = n
	return b
}

// Train fits to a random share of each class and scores the remaining samples as test data. The
// argument share is in (0, 1). By default the fit uses all samples, and only hidden labels are
// scored.
func (b SweepBuilder) Train(share float64) SweepBuilder {
	if !(share > 0 && share < 1) {
		b.err = cmpErr(b.err, &Error{Method: "Sweep", Param: "train", Value: share, Err: ErrOption, Remedy: "give a share between 0 and 1"})
	}
	b.train = share
	return b
}

// Prepare scales the training and test samples of each draw. The callback learn computes the
// scaling from the training samples, as in Prepare((*data.Data).LearnScale01). If Prepare is called
// several times, the scalings are applied in order.
func (b SweepBuilder) Prepare(learn func(*data.Data) data.Scaling) SweepBuilder {
	if learn == nil {
		b.err = cmpErr(b.err, &Error{Method: "Sweep", Param: "Prepare", Value: "nil", Err: ErrOption, Remedy: "give a function, such as (*data.Data).LearnScale01"})
		return b
	}
	b.prepare = append(slices.Clone(b.prepare), learn)
	return b
}

// File stores the table in an .npz file, see [SweepResult.SaveNPZ]. Run continues from results of
// the same sweep in the file, and saves every few seconds and at the end. Run returns an error if
// the file belongs to another sweep. Run does not notice changes in your own score functions: use
// another file after a change. If fits are cached (see [Remember]), sweeps with a score from this
// library are cached too, even without File.
func (b SweepBuilder) File(path string) SweepBuilder {
	b.file = path
	return b
}

// Score sets the score; the default is [NearestNeighbor].
func (b SweepBuilder) Score(s Score) SweepBuilder {
	if s == nil {
		b.err = cmpErr(b.err, &Error{Method: "Sweep", Param: "Score", Value: "nil", Err: ErrOption, Remedy: "give a function, such as NearestNeighbor"})
		return b
	}
	b.score = s
	return b
}

// On makes the executor e run the fits, which by default run in this process; see package
// ssdrnb/beam. File, the cache and the result of Run stay the same.
func (b SweepBuilder) On(e Executor) SweepBuilder {
	if e == nil {
		e = local{}
	}
	b.executor = e
	return b
}

func (b SweepBuilder) axis(a Axis) SweepBuilder {
	if len(a.Values) == 0 {
		b.err = cmpErr(b.err, &Error{Method: "Sweep", Param: a.Name, Err: fmt.Errorf("%w: the list of values is empty", ErrOption), Remedy: "give at least one value"})
	}
	if slices.ContainsFunc(b.axes, func(other Axis) bool { return other.Name == a.Name }) {
		b.err = cmpErr(b.err, &Error{Method: "Sweep", Param: a.Name, Err: fmt.Errorf("%w: two axes vary this option", ErrOption), Remedy: "give all its values in one axis, with List"})
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

// progression adds an axis with the values f(x) for each x = from, from+step, … that does not
// exceed the argument to.
func (b SweepBuilder) progression(a Axis, from, to, step float64, f func(float64) float64) SweepBuilder {
	if a.Values = spaced(from, to, step, f); a.Values != nil {
		return b.axis(a)
	}
	fault := func(err error, remedy string) SweepBuilder {
		b.err = cmpErr(b.err, &Error{Method: "Sweep", Param: a.Name, Err: err, Remedy: remedy})
		return b
	}
	switch {
	case !(step > 0):
		return fault(fmt.Errorf("%w: the step %g is not above 0", ErrOption, step), "give a step above 0")
	case !(from <= to):
		return fault(fmt.Errorf("%w: the axis would run from %g to %g", ErrOption, from, to), "give a range with from ≤ to")
	}
	return fault(fmt.Errorf("%w: the axis would have more than a million values", ErrOption), "give a larger step")
}

// spaced returns f(x) for each x = from, from+step, … that does not exceed the argument to.
// It returns nil if the arguments are invalid, or if there are more than a million steps.
func spaced(from, to, step float64, f func(float64) float64) []any {
	steps := math.Floor((to-from)/step + 1e-9) // the tolerance includes the last value despite rounding errors
	if !(step > 0 && from <= to && steps <= 1e6) {
		return nil
	}
	out := make([]any, int(steps)+1)
	for i := range out {
		out[i] = f(min(from+float64(i)*step, to))
	}
	return out
}
