package ssdrnb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// MustRun is Run for notebook cells, as MustFit is Fit.
func (b SweepBuilder) MustRun() *SweepResult {
	ctx, stop := interruptible()
	defer stop()
	r, err := b.Run(ctx)
	must(err)
	return r
}

// Run fits and scores every cell on every draw, in parallel. Fits to one draw share
// what their options do not touch; the result is that of single fits. What a file or
// the memo has of the sweep is not computed again, see [SweepBuilder.File].
//
// A cell that fails has its error; Run fails where all do. When ctx ends, Run keeps
// what is done and returns it together with an error that wraps [ErrCancelled].
func (b SweepBuilder) Run(ctx context.Context) (*SweepResult, error) {
	if err := cmpErr(b.spec.err, b.err); err != nil {
		return nil, err
	}
	if err := b.data.Err(); err != nil {
		return nil, &Error{Method: "Sweep", Param: "data", Err: classify(err)}
	}
	run := &sweepRun{builder: b, result: b.empty(), failed: map[int]int{}, saved: time.Now()}
	for i := range b.splits {
		run.draws = append(run.draws, &sweepDraw{builder: b, number: i})
	}
	if err := run.open(); err != nil {
		return nil, err
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), run.total-run.done) {
		wg.Go(func() { run.work(ctx) })
	}
	wg.Wait()
	err := run.store.write(run.result)
	switch {
	case ctx.Err() != nil:
		return run.result, &Error{Method: "Sweep", Err: fmt.Errorf("%w after %d of %d fits: %w", ErrCancelled, run.done, run.total, ctx.Err())}
	case err != nil:
		return run.result, err
	}
	for _, c := range run.result.Unlabelled {
		if c.Err == nil {
			return run.result, nil
		}
	}
	return run.result, run.result.Unlabelled[0].Err
}

// draw is one random choice of what trains, what is labelled, and what tests.
type draw struct{ train, test *data.Data }

// sweepDraw is a draw with what the fits to it share. The seeds are 1, 2, …; a single
// draw is the one that the data come with.
type sweepDraw struct {
	builder SweepBuilder
	number  int
	// Guarded by sweepRun.mu: the next cell to hand out, and how many workers are
	// here.
	next, workers int

	// Made when the first worker comes, and let go when the last one leaves.
	draw
	once   sync.Once
	err    error
	stages *stages
}

// open makes the data.
func (d *sweepDraw) open() error {
	d.once.Do(func() {
		b := d.builder
		d.draw, d.stages = draw{train: b.data}, newStages()
		if b.splits > 1 {
			d.train = d.train.Seed(uint64(d.number + 1))
		}
		if b.train > 0 {
			d.train, d.test = d.train.Split(b.train)
		}
		for _, learn := range b.prepare {
			scaling := learn(d.train)
			d.train = d.train.Scaled(scaling)
			if d.test != nil {
				d.test = d.test.Scaled(scaling)
			}
		}
		if err := d.train.Err(); err != nil {
			d.err = &Error{Method: "Sweep", Param: "splits", Value: d.number + 1, Err: classify(err)}
		}
	})
	return d.err
}

// hides reports whether there are training samples whose hidden label can be scored.
func (d *sweepDraw) hides() bool {
	for i, t := range d.train.Truth {
		if t != data.Unlabelled && (d.train.Labels == nil || d.train.Labels[i] == data.Unlabelled) {
			return true
		}
	}
	return false
}

// sweepRun is a sweep under way.
type sweepRun struct {
	builder SweepBuilder
	draws   []*sweepDraw
	store   *sweepStore // nil where nothing is kept

	mu          sync.Mutex // guards what follows
	result      *SweepResult
	done, total int         // fits
	failed      map[int]int // the draw that a cell has its error from
	saved       time.Time
}

// work takes cells until there are none.
func (r *sweepRun) work(ctx context.Context) {
	var at *sweepDraw
	for ctx.Err() == nil {
		var cell int
		if at, cell = r.take(at); at == nil {
			return
		}
		unlabelled, test, err := r.fit(ctx, at, cell)
		if err != nil && errors.Is(err, ErrCancelled) {
			return
		}
		r.put(at, cell, unlabelled, test, err)
	}
}

// take hands out the next cell. A worker stays at a draw, whose shared stages are
// made, as long as it can, and then goes to the one with the fewest workers.
func (r *sweepRun) take(at *sweepDraw) (*sweepDraw, int) {
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
				at.draw, at.stages = draw{}, nil
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

// left passes over the cells that are known and reports whether there are others.
func (r *sweepRun) left(d *sweepDraw) bool {
	cells := r.result.Unlabelled
	for d.next < len(cells) && r.known(d.next, d.number) {
		d.next++
	}
	return d.next < len(cells)
}

// known reports whether a fit was scored by an earlier run.
func (r *sweepRun) known(cell, draw int) bool {
	return !math.IsNaN(r.result.Unlabelled[cell].Scores[draw]) ||
		r.result.Test != nil && !math.IsNaN(r.result.Test[cell].Scores[draw])
}

// fit computes both scores of a cell on a draw; NaN where there is nothing to score.
func (r *sweepRun) fit(ctx context.Context, d *sweepDraw, cell int) (unlabelled, test float64, err error) {
	unlabelled, test = math.NaN(), math.NaN()
	if err = d.open(); err != nil {
		return
	}
	m, err := r.result.SpecAt(cell).fitWith(ctx, d.train, d.stages)
	if err != nil {
		return
	}
	if d.test == nil || d.hides() {
		if unlabelled, err = r.builder.score(m, nil); err != nil {
			return
		}
	}
	if d.test != nil {
		test, err = r.builder.score(m, d.test)
	}
	return
}

// put writes the scores of a cell, tells observers, and saves now and then.
func (r *sweepRun) put(d *sweepDraw, cell int, unlabelled, test float64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := &r.result.Unlabelled[cell]
	if err != nil {
		// The first draw's error is kept, in whichever order they come.
		if first, ok := r.failed[cell]; !ok || d.number < first {
			r.failed[cell], c.Err = d.number, err
			if r.result.Test != nil {
				r.result.Test[cell].Err = err
			}
		}
	} else {
		c.Scores[d.number] = unlabelled
		if r.result.Test != nil {
			r.result.Test[cell].Scores[d.number] = test
		}
	}
	r.done++
	notify(Event{Method: "Sweep", Stage: r.builder.spec.method.Name, Done: r.done, Total: r.total, Value: c.Mean()})
	if r.store != nil && time.Since(r.saved) > saveEvery {
		// A disk that is full now may not be so at the end, where it counts.
		_ = r.store.write(r.result)
		r.saved = time.Now()
	}
}

// saveEvery is the time between two saves of a running sweep.
const saveEvery = 5 * time.Second
