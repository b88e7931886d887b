package ssdrnb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// MustRun is Run for notebook cells: on failure it prints the error and ends the cell, see
// [Spec.MustFit].
func (b SweepBuilder) MustRun() *SweepResult { return mustRun(b.Run) }

// Run fits and scores every cell on every draw, in parallel. Fits to the same draw share
// intermediate results that do not depend on the varied options; the results are the same as those
// of separate fits. Cells that are already in a file or in the cache are not computed again, see
// [SweepBuilder.File]. With [SweepBuilder.On] the fits run in other processes.
//
// The table has one score per cell and draw. If there would be more than ten million scores, Run
// returns an error that wraps [ErrOption]. If a fit fails, its cell holds the error. If all cells
// hold an error, Run returns the error of the first cell. When ctx ends, Run returns the finished
// cells with an error that wraps [ErrCancelled]. It also returns the finished cells with an error
// if the executor fails or if the file can no longer be written. If the file cannot be written at
// all, Run returns the error before the first fit.
func (b SweepBuilder) Run(ctx context.Context) (*SweepResult, error) {
	ctx = par.Context(ctx)
	if err := cmpErr(b.spec.err, b.err); err != nil {
		return nil, err
	}
	if err := b.data.Err(); err != nil {
		return nil, &Error{Method: "Sweep", Param: "data", Err: classify(err), Remedy: remedyOf(err)}
	}
	cells, err := b.cells()
	if err != nil {
		return nil, err
	}
	run := &SweepJob{builder: b, result: b.empty(cells), draws: b.draws(), failed: map[int]int{}, saved: time.Now()}
	if err := run.open(); err != nil {
		return nil, err
	}
	var failure error
	complete := run.done == run.total
	if !complete {
		failure = b.executor.Execute(ctx, run)
	}
	run.mu.Lock()
	defer run.mu.Unlock()
	run.closed = true
	if run.done < run.total { // so that observers do not wait for further fits
		Notify(Event{Method: "Sweep", Stage: "done", Done: 1, Total: 1})
	}
	switch {
	case ctx.Err() != nil:
		failure = &Error{Method: "Sweep", Err: fmt.Errorf("%w after %d of %s: %w", ErrCancelled, run.done, nouns.Count(run.total, "fit"), ctx.Err()), Remedy: remedyOf(ErrCancelled)}
	case failure == nil && run.done < run.total:
		failure = &Error{Method: "Sweep", Param: "On", Err: fmt.Errorf("%w: the outcomes of only %d of %s have arrived", ErrExecutor, run.done, nouns.Count(run.total, "fit")), Remedy: "run the sweep again, which resumes where it stopped if File is set"}
	}
	if !complete && (run.done > 0 || !b.spec.fresh) { // a fresh sweep without scores keeps the file, see open
		if err := run.store.write(run.result); err != nil {
			failure = errors.Join(failure, err)
		}
	}
	if failure != nil {
		return run.result, failure
	}
	for _, c := range run.result.Unlabelled {
		if c.Err == nil {
			return run.result, nil
		}
	}
	return run.result, run.result.Unlabelled[0].Err
}

// draw is a random selection of training samples, labels and test samples.
type draw struct{ train, test *data.Data }

// fault returns the error of the training samples, or nil if there is none. The error names the
// draw and the given option, which was applied last. The argument number counts draws from 0.
func (d draw) fault(method, option string, value any, number int) error {
	err := d.train.Err()
	if err == nil {
		return nil
	}
	return &Error{Method: method, Param: option, Value: value, Err: fmt.Errorf("draw %d: %w", number+1, classify(err)), Remedy: remedyOf(err)}
}

// sweepDraw is a draw with the state that its fits share. The seed of the draw is number + 1, or
// the seed of the data if the sweep has only one draw.
type sweepDraw struct {
	builder *SweepBuilder
	number  int
	// next is the next cell to compute, and workers is the number of workers on this draw. The
	// mutex of the [SweepJob] or [sweepWorker] guards both.
	next, workers int

	// The fields below are set when the first worker opens the draw. The data and the cache are
	// released some time after the last worker has left.
	draw
	once  sync.Once
	err   error
	cache *cache
}

// draws returns the draws of the sweep, not yet opened.
func (b SweepBuilder) draws() []*sweepDraw {
	out := make([]*sweepDraw, b.splits)
	for i := range out {
		out[i] = &sweepDraw{builder: &b, number: i}
	}
	return out
}

func (d *sweepDraw) close() { d.draw, d.cache = draw{}, nil }

// open creates the training and test data of the draw.
func (d *sweepDraw) open() error {
	d.once.Do(func() {
		b := d.builder
		d.draw, d.cache = draw{train: b.data}, newCache()
		if b.splits > 1 {
			d.train = d.train.Seed(uint64(d.number + 1))
		}
		d.err = d.fault("Sweep", "splits", b.splits, d.number)
		if b.train > 0 {
			d.train, d.test = d.train.Split(b.train)
			d.err = cmpErr(d.err, d.fault("Sweep", "train", b.train, d.number))
		}
		for _, learn := range b.prepare {
			scaling := learn(d.train)
			d.train = d.train.Scaled(scaling)
			if d.test != nil {
				d.test = d.test.Scaled(scaling)
			}
		}
		d.err = cmpErr(d.err, d.fault("Sweep", "Prepare", nil, d.number))
	})
	return d.err
}

// hides reports whether some training samples can be scored, because they have a hidden label or a
// hidden value of the target.
func (d *sweepDraw) hides() bool {
	for i, t := range d.train.Truth {
		if t != data.Unlabelled && (d.train.Labels == nil || d.train.Labels[i] == data.Unlabelled) {
			return true
		}
	}
	return slices.ContainsFunc(d.train.HiddenTarget(), func(v float64) bool { return v == v })
}

// SweepJob is a running sweep, whose fits an [Executor] computes.
type SweepJob struct {
	builder SweepBuilder
	draws   []*sweepDraw
	store   *sweepStore // nil if results are not stored

	mu          sync.Mutex // guards the fields below
	result      *SweepResult
	arrived     [][]bool    // indexed by draw and cell; true if the outcome is in the table
	closed      bool        // if true, further outcomes are ignored
	done, total int         // numbers of fits
	failed      map[int]int // for each failed cell, the draw whose error the cell holds
	saved       time.Time
}

// local runs the fits on the processors of this process.
type local struct{}

// Execute implements [Executor].
func (local) Execute(ctx context.Context, r *SweepJob) error {
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), r.total-r.done) {
		wg.Go(func() { r.work(ctx) })
	}
	wg.Wait()
	return nil
}

func (r *SweepJob) work(ctx context.Context) {
	var at *sweepDraw
	for ctx.Err() == nil {
		var cell int
		if at, cell = r.take(at); at == nil {
			return
		}
		f := at.fit(ctx, cell, r.result.SpecAt(cell))
		if f.err != nil && ctx.Err() != nil { // check ctx instead of the kind of error, because a score may have its own context
			return
		}
		r.put(f)
	}
}

// take returns the next draw and cell for a worker. If no cells remain, the draw is nil. The
// argument at is the current draw of the worker, or nil for a new worker. A worker stays on its
// draw while the draw has cells left, because the shared steps of the draw are cached. It then
// moves to the draw with the fewest workers.
func (r *SweepJob) take(at *sweepDraw) (*sweepDraw, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at == nil || !r.left(at) {
		var next *sweepDraw
		for _, d := range r.draws {
			if r.left(d) && (next == nil || d.workers < next.workers) {
				next = d
			}
		}
		if at != nil {
			if at.workers--; at.workers == 0 {
				at.close()
			}
		}
		if next == nil {
			return nil, 0
		}
		next.workers++
		at = next
	}
	at.next++
	return at, at.next - 1
}

// left advances d.next past cells whose outcome is known, and reports whether cells of the draw
// remain to be computed.
func (r *SweepJob) left(d *sweepDraw) bool {
	cells := r.result.Unlabelled
	for d.next < len(cells) && r.arrived[d.number][d.next] {
		d.next++
	}
	return d.next < len(cells)
}

// sweepFit is the outcome of a cell on a draw: an error, or the scores on unlabelled and on test
// samples. A score is NaN if there are no such samples.
type sweepFit struct {
	draw, cell       int
	unlabelled, test float64
	err              error
}

// fit computes the scores of the cell for the method s.
func (d *sweepDraw) fit(ctx context.Context, cell int, s Spec) sweepFit {
	f := sweepFit{draw: d.number, cell: cell, unlabelled: math.NaN(), test: math.NaN()}
	if f.err = d.open(); f.err != nil {
		return f
	}
	m, err := s.fitWith(ctx, d.train, d.cache)
	if err == nil && (d.test == nil || d.hides()) {
		f.unlabelled, err = d.builder.score(m, nil)
		if d.test != nil && (errors.Is(err, errNothingHidden) || errors.Is(err, errNoHiddenValue)) {
			f.unlabelled, err = math.NaN(), nil
		}
	}
	if err == nil && d.test != nil {
		f.test, err = d.builder.score(m, d.test)
	}
	f.err = err
	return f
}

// put stores the outcome of a fit, notifies observers, and saves the table every few seconds. It
// ignores duplicate outcomes, and outcomes that arrive after the end of the sweep.
func (r *SweepJob) put(f sweepFit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || r.arrived[f.draw][f.cell] {
		return
	}
	r.arrived[f.draw][f.cell] = true
	c := &r.result.Unlabelled[f.cell]
	if f.err != nil {
		// Keep the error of the failed draw with the lowest number, whichever arrived first.
		if first, ok := r.failed[f.cell]; !ok || f.draw < first {
			r.failed[f.cell], c.Err = f.draw, f.err
			if r.result.Test != nil {
				r.result.Test[f.cell].Err = f.err
			}
		}
	} else {
		c.Scores[f.draw] = f.unlabelled
		if r.result.Test != nil {
			r.result.Test[f.cell].Scores[f.draw] = f.test
		}
	}
	r.done++
	Notify(Event{Method: "Sweep", Stage: r.builder.spec.method.Name, Done: r.done, Total: r.total, Value: c.Mean()})
	if r.store != nil && time.Since(r.saved) > saveEvery {
		// Errors such as a full disk are ignored here; the final save reports them.
		_ = r.store.write(r.result)
		r.saved = time.Now()
	}
}

// saveEvery is the minimum time between two saves of a running sweep.
const saveEvery = 5 * time.Second
