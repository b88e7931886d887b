package ssdrnb

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// The fits of a sweep go to the same data and differ in two or three options,
// and most of what they compute depends on none of these: principal components,
// neighbours, scatter matrices, spectra. Such a part is a shared stage. It runs
// once for every combination of its inputs, which are results of other stages, and
// of values of the options that it reads. Reads are recorded while it runs: nobody
// lists them, so a stage that begins to read one more option cannot return what was
// computed for another value of it.

// stages holds the shared stages of fits to one data set. It is safe for
// concurrent use. A fit of its own has stages of its own.
type stages struct {
	mu   sync.Mutex
	runs map[string][]*stageRun
	// reads has the names of the options that finished runs of a stage have read.
	reads map[string]map[string]bool
	// series says that fits with ever new options follow each other, see search.
	series bool
}

func newStages() *stages {
	return &stages{runs: map[string][]*stageRun{}, reads: map[string]map[string]bool{}}
}

// stageRun is one execution of a stage. What it found is written before done is
// closed and never after.
type stageRun struct {
	spec   Spec
	inputs []any
	done   chan struct{}
	ended  bool // done is closed; guarded by stages.mu
	// reads has the options that were read, with their values; nil for an option
	// that was looked for and that the method lacks.
	reads    map[string]any
	value    any
	err      error
	facts    []Fact
	warnings []warning
}

// serves reports whether the run read nothing that s sets to another value.
func (r *stageRun) serves(s Spec) bool {
	for name, v := range r.reads {
		if s.Value(name) != v {
			return false
		}
	}
	return true
}

// shared returns the result of the stage called name: that of an earlier run
// where one serves, and else of compute. Besides the inputs, which are compared by
// ==, pointers as such, compute takes everything from the job that it is given: the
// data, options, other stages. Results are read by many fits and must not be
// changed.
func shared[T any](j *job, name string, compute func(*job) (T, error), inputs ...any) (T, error) {
	run, own, err := j.stages.claim(j.ctx, name, j.spec, inputs)
	if err != nil {
		var zero T
		return zero, err
	}
	if own {
		part := *j
		part.reads, part.report = map[string]any{}, &Report{}
		value, err := compute(&part)
		run.value, run.err, run.reads = value, err, part.reads
		run.facts, run.warnings = part.report.Facts, part.report.warned
		j.stages.finish(name, run, j.ctx.Err() != nil)
	}
	// What the stage found belongs into the report of every fit that uses it, and
	// what it read was read by the stage around it.
	j.report.Facts = append(j.report.Facts, run.facts...)
	for _, w := range run.warnings {
		j.report.add(w)
	}
	maps.Copy(j.reads, run.reads)
	value, _ := run.value.(T)
	return value, run.err
}

// claim returns a finished run that serves s, or a new one that the caller has to
// execute and finish. It waits for a run under way that may serve.
func (s *stages) claim(ctx context.Context, name string, spec Spec, inputs []any) (run *stageRun, own bool, err error) {
	for {
		s.mu.Lock()
		var busy *stageRun
		for _, r := range s.runs[name] {
			if !slices.Equal(r.inputs, inputs) {
				continue
			}
			if r.ended && r.serves(spec) {
				s.mu.Unlock()
				return r, false, nil
			}
			if !r.ended && s.alike(name, r.spec, spec) {
				busy = r
			}
		}
		if busy == nil {
			run = &stageRun{spec: spec, inputs: inputs, done: make(chan struct{})}
			s.runs[name] = append(s.runs[name], run)
			s.mu.Unlock()
			return run, true, nil
		}
		s.mu.Unlock()
		select {
		case <-busy.done:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}

// alike reports whether a and b agree in the options that the stage is known to
// read; before its first run has finished nothing is known, and any two may.
func (s *stages) alike(name string, a, b Spec) bool {
	for option := range s.reads[name] {
		if a.Value(option) != b.Value(option) {
			return false
		}
	}
	return true
}

// finish publishes a run. One that was cut short by its context is dropped: the
// next fit tries again.
func (s *stages) finish(name string, run *stageRun, cancelled bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if run.err != nil && cancelled {
		s.runs[name] = slices.DeleteFunc(s.runs[name], func(r *stageRun) bool { return r == run })
	} else {
		if s.reads[name] == nil {
			s.reads[name] = map[string]bool{}
		}
		for option := range run.reads {
			s.reads[name][option] = true
		}
		run.ended = true
	}
	close(run.done)
}
