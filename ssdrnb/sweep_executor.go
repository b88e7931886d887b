package ssdrnb

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// A sweep runs its fits in this process, or an [Executor] runs them in other processes:
//
//	here                              elsewhere
//	job.Encode() ───── bytes ──────▶  do := DecodeSweep(bytes)
//	job.Tasks(n) ───── tasks ──────▶  do(ctx, task)
//	job.Put(bytes) ◀── outcomes ────
//
// A remote process creates the training and test data of a draw once for all tasks of the draw
// ("opens" the draw). The fits of these tasks share steps. Sharing does not change results, so the
// table does not depend on how the fits are distributed.

// Executor runs the fits of a sweep; see [SweepBuilder.On].
type Executor interface {
	// Execute runs every task of the job on workers and passes the outcomes to Put. It returns nil
	// when all outcomes are in the table, otherwise an error. It stops soon after ctx ends.
	Execute(ctx context.Context, job *SweepJob) error
}

// SweepTask is a list of fits for one worker. All fits are to the data of one draw. Each fit is for
// one cell, a combination of option values.
type SweepTask struct {
	Draw  int   // index of the draw
	Cells []int // indices of the cells in [SweepResult]
}

// Tasks returns the fits without an outcome as tasks, sorted by draw. A task has at most the given
// number of cells; 0 means the number of values of the last axis. A task contains successive cells,
// because these differ in the last axis and share the steps that do not depend on this axis.
func (r *SweepJob) Tasks(cells int) []SweepTask {
	r.mu.Lock()
	defer r.mu.Unlock()
	row := 1
	if axes := r.result.Axes; len(axes) > 0 {
		row = len(axes[len(axes)-1].Values)
	}
	if cells < 1 {
		cells = row
	}
	var out []SweepTask
	for k, arrived := range r.arrived {
		var left []int
		flush := func() {
			if len(left) > 0 {
				out, left = append(out, SweepTask{k, left}), nil
			}
		}
		for cell, known := range arrived {
			if cell%row == 0 && cells <= row || len(left) == cells {
				flush()
			}
			if !known {
				left = append(left, cell)
			}
		}
		flush()
	}
	return out
}

// Encode encodes the sweep and its data for [DecodeSweep]. The score and the functions passed to
// Prepare are encoded as their names. Your own functions must be registered with [RegisterScore]
// and [RegisterPrepare]. The error wraps [ErrExecutor] if a function is not registered, or if the
// data have no dense features.
func (r *SweepJob) Encode() ([]byte, error) {
	var out bytes.Buffer
	if err := r.builder.encode(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Remedies for incorrect calls by an executor.
const (
	putOutcomes = "pass the bytes that the function of DecodeSweep returned for a task of this sweep"
	doTasks     = "pass a task of SweepJob.Tasks of the same sweep"
	decodeAgain = "pass the bytes of SweepJob.Encode of this version of the library"
)

// Put stores the outcomes of a task in the table and notifies observers. The argument outcomes is
// the result of the function returned by [DecodeSweep]. Outcomes that the table already has are
// ignored.
func (r *SweepJob) Put(outcomes []byte) error {
	fits, err := decodeFits(outcomes)
	if err != nil {
		return &Error{Method: "Sweep", Param: "On", Err: fmt.Errorf("%w: outcomes cannot be read: %w", ErrExecutor, err), Remedy: putOutcomes}
	}
	for _, f := range fits {
		if f.draw < 0 || f.draw >= len(r.draws) || f.cell < 0 || f.cell >= len(r.result.Unlabelled) {
			return &Error{Method: "Sweep", Param: "On", Err: fmt.Errorf("%w: an outcome belongs to cell %d and draw %d, but the sweep has only %s and %s, both numbered from 0", ErrExecutor, f.cell, f.draw, nouns.Count(len(r.result.Unlabelled), "cell"), nouns.Count(len(r.draws), "draw")), Remedy: putOutcomes}
		}
	}
	for _, f := range fits {
		r.put(f)
	}
	return nil
}

// sweepWorker runs tasks of a sweep that another process started. It runs as many tasks at a time
// as there are processors, and prefers tasks whose draw is already open.
type sweepWorker struct {
	builder SweepBuilder
	table   *SweepResult // defines the cells; has no scores
	cells   int          // number of cells
	slots   int          // maximum number of running tasks, and maximum number of idle draws

	mu      sync.Mutex         // guards the fields below, and the field workers of the draws
	draws   map[int]*sweepDraw // open draws by number
	busy    int                // number of running tasks
	waiting []*sweepTurn       // in the order of arrival
	idle    []*sweepDraw       // open draws without a worker, the longest idle first
}

// sweepTurn is a waiting task.
type sweepTurn struct {
	draw  int
	ready chan *sweepDraw // receives the draw when the task may start
}

// undecodable wraps the given cause in the error that DecodeSweep returns.
func undecodable(err error) error {
	return &Error{Method: "Sweep", Param: "task", Err: fmt.Errorf("%w: %w", ErrExecutor, err), Remedy: decodeAgain}
}

// DecodeSweep decodes the bytes returned by [SweepJob.Encode]. The result is the function do, which
// runs a task of the sweep and returns the outcomes for [SweepJob.Put]. The error of a fit is part
// of the outcomes; do itself returns an error only if ctx ends or if the task does not belong to
// the sweep. The function do is safe for concurrent use. It runs as many tasks at a time as there
// are processors, and other calls wait. DecodeSweep returns an error if the bytes are damaged, if
// [SweepBuilder.Run] would reject the sweep as too large, if the sweep is from another version of
// the library, or if the score or a function passed to Prepare is not registered in this process.
func DecodeSweep(raw []byte) (do func(ctx context.Context, t SweepTask) ([]byte, error), err error) {
	b, err := decodeSweep(raw)
	if err != nil {
		return nil, err
	}
	cells, err := b.cells()
	if err != nil {
		return nil, undecodable(err)
	}
	w := &sweepWorker{builder: b, table: &SweepResult{Spec: b.spec, Axes: b.axes}, cells: cells, slots: runtime.GOMAXPROCS(0), draws: map[int]*sweepDraw{}}
	return w.do, nil
}

// do runs a task; see [DecodeSweep].
func (w *sweepWorker) do(ctx context.Context, t SweepTask) ([]byte, error) {
	ctx = par.Context(ctx)
	if t.Draw < 0 || t.Draw >= w.builder.splits {
		return nil, &Error{Method: "Sweep", Param: "task", Value: t.Draw, Err: fmt.Errorf("%w: the sweep has %s, numbered from 0", ErrExecutor, nouns.Count(w.builder.splits, "draw")), Remedy: doTasks}
	}
	cancelled := func() error {
		return &Error{Method: "Sweep", Err: fmt.Errorf("%w: %w", ErrCancelled, ctx.Err())}
	}
	d := w.enter(ctx, t.Draw)
	if d == nil {
		return nil, cancelled()
	}
	defer w.leave(d)
	var fits []sweepFit
	for _, cell := range t.Cells {
		if cell < 0 || cell >= w.cells {
			return nil, &Error{Method: "Sweep", Param: "task", Value: cell, Err: fmt.Errorf("%w: the sweep has %s, numbered from 0", ErrExecutor, nouns.Count(w.cells, "cell")), Remedy: doTasks}
		}
		f := d.fit(ctx, cell, w.table.SpecAt(cell))
		if ctx.Err() != nil {
			return nil, cancelled()
		}
		fits = append(fits, f)
	}
	return encodeFits(fits)
}

// enter waits for a free slot and returns the draw for the task, or nil if ctx has ended.
func (w *sweepWorker) enter(ctx context.Context, k int) *sweepDraw {
	turn := &sweepTurn{k, make(chan *sweepDraw, 1)}
	w.mu.Lock()
	w.waiting = append(w.waiting, turn)
	w.admit()
	w.mu.Unlock()
	select {
	case d := <-turn.ready:
		return d
	case <-ctx.Done():
	}
	w.mu.Lock()
	w.waiting = slices.DeleteFunc(w.waiting, func(t *sweepTurn) bool { return t == turn })
	w.mu.Unlock()
	select {
	case d := <-turn.ready: // admit started the task just before ctx ended
		w.leave(d)
	default:
	}
	return nil
}

// admit starts waiting tasks while slots are free.
func (w *sweepWorker) admit() {
	for w.busy < w.slots && len(w.waiting) > 0 {
		next := max(0, slices.IndexFunc(w.waiting, func(t *sweepTurn) bool { return w.draws[t.draw] != nil }))
		turn := w.waiting[next]
		w.waiting = slices.Delete(w.waiting, next, next+1)
		d := w.draws[turn.draw]
		if d == nil {
			d = &sweepDraw{builder: &w.builder, number: turn.draw}
			w.draws[turn.draw] = d
		}
		w.idle = slices.DeleteFunc(w.idle, func(i *sweepDraw) bool { return i == d })
		w.busy++
		d.workers++
		turn.ready <- d
	}
}

// leave ends a task. If the draw has no other workers, it stays open as an idle draw. If there are
// more than w.slots idle draws, leave closes the one that has been idle longest.
func (w *sweepWorker) leave(d *sweepDraw) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy--
	if d.workers--; d.workers == 0 {
		w.idle = append(w.idle, d)
		if len(w.idle) > w.slots {
			delete(w.draws, w.idle[0].number)
			w.idle = w.idle[1:]
		}
	}
	w.admit()
}
