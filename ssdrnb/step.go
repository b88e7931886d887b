package ssdrnb

import (
	"context"
	"sync"
)

// A step is a part of a fit that other fits to the same data may share: neighbours, scatter
// matrices, decompositions. A step is a comparable struct whose fields are results of earlier steps
// and option values, and it serves as its own cache key. Its run method reads only these fields and
// the data, so the result depends on nothing else.
type step[T any] interface {
	comparable
	run(w *work) (T, error)
}

// shared returns the cached result of a step, or runs the step. Callers must not change the result,
// because other fits use it too.
func shared[S step[T], T any](w *work, s S) (T, error) {
	r, own, err := w.cache.claim(w.ctx, s)
	if err != nil {
		var zero T
		return zero, err
	}
	if own {
		part := *w
		part.report = &Report{}
		value, err := s.run(&part)
		r.value, r.err, r.facts, r.warnings = value, err, part.report.Facts, part.report.warned
		w.cache.finish(s, r, w.ctx.Err() != nil)
	}
	// Every fit that uses a step reports the facts and warnings of the step.
	w.report.Facts = append(w.report.Facts, r.facts...)
	for _, warning := range r.warnings {
		w.report.add(warning)
	}
	value, _ := r.value.(T)
	return value, r.err
}

// cache holds the results of steps on one data set. It is safe for concurrent use. A single fit has
// its own cache. In a [Series], in [Spec.FitPath], in a sweep and in a comparison, all fits to the
// same data share a cache.
type cache struct {
	mu      sync.Mutex
	results map[any]*result // keyed by step
	// sliced holds the caches of fits whose classes are slices of a numeric target. The key is the
	// number of slices.
	sliced map[int]*cache
	// series is true in a [Series], where neighborsOf searches for more neighbours than requested.
	series bool
}

func newCache() *cache { return &cache{results: map[any]*result{}} }

// result is the result of a step. It is immutable once the channel done is closed.
type result struct {
	done     chan struct{}
	value    any
	err      error
	facts    []Fact
	warnings []warning
}

// claim returns the result of s. If another fit is computing the result, claim waits. If there is
// no result, claim returns true for own and an empty result. The caller must then compute the
// result and pass it to the method finish.
func (c *cache) claim(ctx context.Context, s any) (r *result, own bool, err error) {
	for {
		c.mu.Lock()
		r := c.results[s]
		if r == nil {
			r = &result{done: make(chan struct{})}
			c.results[s] = r
			c.mu.Unlock()
			return r, true, nil
		}
		c.mu.Unlock()
		select {
		case <-r.done:
		default:
			select {
			case <-r.done:
			case <-ctx.Done():
				return nil, false, ctx.Err()
			}
		}
		c.mu.Lock()
		kept := c.results[s] == r
		c.mu.Unlock()
		if kept {
			return r, false, nil
		}
	}
}

// finish publishes a result. If the step failed and the context has ended, the result is dropped,
// and the next fit computes the step again.
func (c *cache) finish(s any, r *result, cancelled bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.err != nil && cancelled {
		delete(c.results, s)
	}
	close(r.done)
}
