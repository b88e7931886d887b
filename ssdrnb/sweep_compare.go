package ssdrnb

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// CompareBuilder holds the settings of a comparison of methods. It is a value: each method returns
// a changed copy. If a method gets an invalid argument, Run returns the first such error.
type CompareBuilder struct {
	data     *data.Data
	methods  []Spec
	dims     []int
	splits   int
	validate float64
	divide   division
	err      error
}

// division splits the data of a draw into training and test samples. Error messages name the option
// and its value.
type division struct {
	option string
	value  any
	split  func(*data.Data) (train, test *data.Data)
}

// Compare returns the builder of an experiment that compares methods as in the papers. All methods
// are fitted to the same random draws of d. For each number of dimensions, the score is the 1-NN
// accuracy in the embedding, with Euclidean distances to the labelled training samples. By default
// there is one draw, all samples are used for training, and the numbers of dimensions are 1, 2, …,
// min(10, features, samples − 1).
func Compare(d *data.Data, methods ...Estimator) CompareBuilder {
	b := CompareBuilder{data: d, splits: 1}
	if len(methods) == 0 {
		b = b.bad("methods", nil, "give at least one")
	}
	for _, m := range methods {
		s := SpecOf(m)
		if s.method.Name == "nil" {
			b.err = cmpErr(b.err, s.err)
		}
		b.methods = append(b.methods, s)
	}
	return b.UpTo(max(1, min(10, d.Dim(), d.Len()-1)))
}

func (b CompareBuilder) bad(param string, value any, remedy string) CompareBuilder {
	b.err = cmpErr(b.err, &Error{Method: "Compare", Param: param, Value: value, Err: ErrOption, Remedy: remedy})
	return b
}

// UpTo measures the accuracy in 1, 2, …, d dimensions. If a method has fewer than d dimensions, its
// last accuracy is repeated. For methods without the option "dims", [Model.Reduce] reduces the
// embedding to each number of dimensions.
func (b CompareBuilder) UpTo(d int) CompareBuilder {
	if d < 1 {
		return b.bad("dims", d, "give at least 1")
	}
	if _, err := tableSize("Compare", tableSide{"dims", d, d}); err != nil {
		b.err = cmpErr(b.err, err)
		return b
	}
	b.dims = make([]int, d)
	for k := range b.dims {
		b.dims[k] = k + 1
	}
	return b
}

// Dims measures the accuracy for each number of dimensions in dims.
func (b CompareBuilder) Dims(dims ...int) CompareBuilder {
	if len(dims) == 0 || slices.Min(dims) < 1 {
		return b.bad("dims", dims, "give at least one number of dimensions, each at least 1")
	}
	b.dims = slices.Clone(dims)
	slices.Sort(b.dims)
	b.dims = slices.Compact(b.dims)
	return b
}

// Splits repeats the experiment over n random draws with the seeds 1 to n. A draw selects the
// labels that KeepLabels keeps, and the training samples. All methods use the same draws. For n =
// 1, the default, the seed is that of the data.
func (b CompareBuilder) Splits(n int) CompareBuilder {
	if n < 1 {
		return b.bad("splits", n, "give at least 1")
	}
	b.splits = n
	return b
}

// Train fits to a random share of each class and tests on the remaining samples. The argument share
// is in (0, 1).
func (b CompareBuilder) Train(share float64) CompareBuilder {
	b.divide = division{"train", share, func(d *data.Data) (*data.Data, *data.Data) { return d.Split(share) }}
	return b
}

// TrainPerClass draws training samples and test samples at random from each class. The arguments
// are their numbers per class. If test is 0, all other samples are test samples. See
// [data.Data.SplitPerClass].
func (b CompareBuilder) TrainPerClass(train, test int) CompareBuilder {
	b.divide = division{"train per class", fmt.Sprintf("%d, %d", train, test), func(d *data.Data) (*data.Data, *data.Data) { return d.SplitPerClass(train, test) }}
	return b
}

// Divide replaces Train and TrainPerClass by your own split. The callback f receives the data with
// the seed of the draw, and returns training and test samples.
func (b CompareBuilder) Divide(f func(*data.Data) (train, test *data.Data)) CompareBuilder {
	if f == nil {
		return b.bad("divide", nil, "give a function")
	}
	b.divide = division{"divide", nil, f}
	return b
}

// Validate computes scores without the test samples. Each draw hides the given share of the
// training labels, and only the samples with these labels are scored; see [data.Data.Validation].
func (b CompareBuilder) Validate(share float64) CompareBuilder {
	if !(share > 0 && share < 1) {
		return b.bad("validate", share, "give a share between 0 and 1")
	}
	b.validate = share
	return b
}

// Comparison is the result of [Compare]: the accuracies of methods over dimensions and draws.
type Comparison struct {
	// Data is the name of the data set.
	Data string
	// Dims are the numbers of dimensions, ascending.
	Dims []int
	// Curves has one entry per method, in the order given.
	Curves []Curve

	alike bool // true if the first two draws are identical; then all draws are probably identical
}

// Curve holds the accuracy of a method as a function of the number of dimensions.
type Curve struct {
	Spec Spec
	// Unlabelled and Test have one cell for each entry of Dims, with one score in [0, 1] per draw.
	// Unlabelled is computed on the training samples with hidden labels, and Test on the test
	// samples. Each is nil if there are no such samples.
	Unlabelled, Test []Cell
	// Fixed is the number of dimensions of a method without the option "dims", such as [FME]. It is
	// 0 for other methods. Scores in fewer dimensions are those of the embedding that
	// [Model.Reduce] returns.
	Fixed int
	// Seconds is the total time of the fits.
	Seconds float64
	// Err is the first error, or nil. If it is not nil, the curve has no cells.
	Err error
}

// Best returns the index in Dims of the cell with the highest mean. If several cells have this
// mean, it returns the first. The argument cells is Unlabelled or Test. The index selects the "best
// dimension" of the papers. The score at this dimension is optimistic, because the same scores
// select the dimension.
func (c Curve) Best(cells []Cell) int {
	best := 0
	for k := range cells {
		if cells[k].Mean() > cells[best].Mean() {
			best = k
		}
	}
	return best
}

// MustRun is Run for notebook cells: on failure it prints the error and ends the cell, see
// [Spec.MustFit].
func (b CompareBuilder) MustRun() *Comparison { return mustRun(b.Run) }

// Run fits and scores the methods, in parallel over draws and methods. Fits to the same draw share
// common steps. For some methods, one eigendecomposition serves all numbers of dimensions, see
// [Spec.FitPath]. If a method fails, its curve holds the error. Run itself returns an error if an
// argument, an option or a draw is invalid, if the comparison has more than ten million scores, if
// all methods fail, or if ctx ends. If ctx ends, the error wraps [ErrCancelled].
func (b CompareBuilder) Run(ctx context.Context) (*Comparison, error) {
	ctx = par.Context(ctx)
	for _, s := range b.methods {
		b.err = cmpErr(b.err, s.err)
	}
	if b.err != nil {
		return nil, b.err
	}
	if err := b.data.Err(); err != nil {
		return nil, &Error{Method: "Compare", Param: "data", Err: classify(err), Remedy: remedyOf(err)}
	}
	if _, err := tableSize("Compare", tableSide{"methods", len(b.methods), len(b.methods)}, tableSide{"dims", nouns.Count(len(b.dims), "number"), len(b.dims)}, tableSide{"splits", b.splits, b.splits}); err != nil {
		return nil, err
	}
	out := &Comparison{Data: b.data.Name, Dims: slices.Clone(b.dims), Curves: make([]Curve, len(b.methods))}
	runs := make([][]scores, len(b.methods)) // indexed by method and draw
	for m := range runs {
		runs[m] = make([]scores, b.splits)
	}
	type task struct {
		method, split int
		draw
		cache *cache
	}
	tasks := make(chan task)
	var lock sync.Mutex
	var workers sync.WaitGroup
	done, total := 0, len(b.methods)*b.splits
	for range min(runtime.GOMAXPROCS(0), total) {
		workers.Go(func() {
			for t := range tasks {
				runs[t.method][t.split] = b.score(ctx, b.methods[t.method], t.draw, t.cache)
				lock.Lock()
				done++
				Notify(Event{Method: "Compare", Stage: b.methods[t.method].method.Name, Done: done, Total: total})
				lock.Unlock()
			}
		})
	}
	var err error
	var first draw
	for i := range b.splits {
		var d draw
		if d, err = b.draw(i); err != nil || ctx.Err() != nil {
			break
		}
		switch i {
		case 0:
			first = d
		case 1:
			out.alike = d.train.X == first.train.X && slices.Equal(d.train.Labels, first.train.Labels)
		}
		st := newCache()
		for m := range b.methods {
			tasks <- task{m, i, d, st}
		}
	}
	close(tasks)
	workers.Wait()
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, &Error{Method: "Compare", Err: fmt.Errorf("%w after %d of %s: %w", ErrCancelled, done, nouns.Count(total, "fit"), ctx.Err()), Remedy: remedyOf(ErrCancelled)}
	}
	var failed []error
	for m := range b.methods {
		out.Curves[m] = curve(b.methods[m], runs[m])
		if out.Curves[m].Err != nil {
			failed = append(failed, out.Curves[m].Err)
		}
	}
	if len(failed) == len(b.methods) {
		return nil, failed[0]
	}
	return out, nil
}

// draw returns draw i.
func (b CompareBuilder) draw(i int) (draw, error) {
	out := draw{train: b.data}
	if b.splits > 1 {
		out.train = out.train.Seed(uint64(i + 1))
	}
	err := out.fault("Compare", "splits", b.splits, i)
	if b.divide.split != nil {
		out.train, out.test = b.divide.split(out.train)
		err = cmpErr(err, out.fault("Compare", b.divide.option, b.divide.value, i))
	}
	if b.validate > 0 {
		out = draw{train: out.train.Validation(b.validate)}
		err = cmpErr(err, out.fault("Compare", "validate", b.validate, i))
	}
	return out, err
}

// scores holds the accuracies of a method on a draw, for each number of dimensions.
type scores struct {
	unlabelled, test []float64
	fixed            int
	seconds          float64
	err              error
}

// score fits a method to a draw and computes its accuracies.
func (b CompareBuilder) score(ctx context.Context, s Spec, d draw, st *cache) (out scores) {
	began := time.Now()
	models, err := s.fitPath(ctx, d.train, b.dims, st)
	out.seconds = time.Since(began).Seconds()
	if err != nil {
		out.err = err
		return out
	}
	if !s.method.has(dimsOption.Name) {
		out.fixed = models[len(models)-1].Dims()
		if v, ok := models[len(models)-1].report.Fact(reducedFrom); ok {
			out.fixed = int(v)
		}
	}
	if out.unlabelled, err = accuracies(models, nil); errors.Is(err, errNothingHidden) && d.test != nil {
		err = nil
	}
	if errors.Is(err, errNothingHidden) {
		err = &Error{Method: s.method.Name, Param: "score", Err: errNothingHidden, Remedy: "hide some of the labels with Validate(0.3) of Compare, or test with Train(0.7)"}
	}
	if err == nil && d.test != nil {
		out.test, err = accuracies(models, d.test)
	}
	out.err = err
	return out
}

// accuracies returns the 1-NN accuracy of each model, measured on the argument test or, if test is
// nil, on the training samples with hidden labels. The models must be the result of one call of
// fitPath.
func accuracies(models []*Model, test *data.Data) ([]float64, error) {
	out := make([]float64, len(models))
	last := models[len(models)-1]
	if !last.spec.method.Nested {
		for i, m := range models {
			var err error
			if out[i], err = NearestNeighbor(m, test); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	// For nested methods, each embedding consists of the first columns of the last one.
	train, labels := labelledRows(last)
	if train == nil {
		return nil, &Error{Method: last.Method(), Param: "labels", Err: ErrNeedsLabels, Remedy: "label some of the training samples with Data.WithLabels"}
	}
	points, truth, err := scored(last, test)
	if err != nil {
		return nil, err
	}
	all, err := metrics.NearestNeighborPath(train, labels, points, truth)
	if err != nil {
		return nil, &Error{Method: last.Method(), Param: "1-NN", Err: err, Remedy: remedyOf(err)}
	}
	for i, m := range models {
		out[i] = all[m.Dims()-1]
	}
	return out, nil
}

// curve combines the scores of a method on all draws.
func curve(s Spec, runs []scores) Curve {
	c := Curve{Spec: s}
	for _, r := range runs {
		c.Seconds += r.seconds
		c.Fixed = max(c.Fixed, r.fixed)
		if r.err != nil {
			c.Err = cmpErr(c.Err, r.err)
		}
	}
	if c.Err != nil {
		return c
	}
	gather := func(of func(scores) []float64) []Cell {
		if of(runs[0]) == nil {
			return nil
		}
		cells := make([]Cell, len(of(runs[0])))
		for _, r := range runs {
			for k, v := range of(r) {
				cells[k].Scores = append(cells[k].Scores, v)
			}
		}
		return cells
	}
	c.Unlabelled = gather(func(r scores) []float64 { return r.unlabelled })
	c.Test = gather(func(r scores) []float64 { return r.test })
	return c
}

// String returns the best mean accuracy of each method, its standard deviation over the draws, and
// the number of dimensions with this accuracy.
func (c *Comparison) String() string {
	out := ""
	for _, v := range c.Curves {
		out += fmt.Sprintf("%-10s", v.Spec.Method().Name)
		if v.Err != nil {
			out += " " + v.Err.Error() + "\n"
			continue
		}
		for _, part := range []struct {
			name  string
			cells []Cell
		}{{"unlabelled", v.Unlabelled}, {"test", v.Test}} {
			if part.cells == nil {
				continue
			}
			k := v.Best(part.cells)
			out += fmt.Sprintf("  %s %5.2f ± %.2f %% in %s", part.name, 100*part.cells[k].Mean(), 100*part.cells[k].Std(), nouns.Count(c.Dims[k], "dimension"))
		}
		if v.Fixed > c.Dims[0] {
			out += fmt.Sprintf("  (has %d; reduced by PCA)", v.Fixed)
		}
		out += "\n"
	}
	if c.alike {
		out += "all draws are equal, so ± is meaningless: call Validate(0.3) or Train(0.7) of Compare, or KeepLabels of the data\n"
	}
	return out
}
