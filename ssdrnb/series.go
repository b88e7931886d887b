package ssdrnb

import (
	"context"
	"sync"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Series fits methods repeatedly to one data set, for example while a user drags a slider. Steps
// that do not depend on the changed options are computed once. The models are the same as from
// separate fits, except that an approximate neighbour search may find slightly different
// neighbours. The models are not cached on disk.
type Series struct {
	data   *data.Data
	mu     sync.Mutex
	method *Method
	cache  *cache
	fits   int
	graph  *cache // cache of Opinions, Suggest and Follow
}

// seriesLength is the number of fits after which a Series drops its cache. Otherwise every new
// value of a slider would enlarge the cache.
const seriesLength = 64

// NewSeries returns a series of fits to d.
func NewSeries(d *data.Data) *Series { return &Series{data: d, graph: newCache()} }

// Opinions propagates the given labels among the samples of the series, like the function
// [Opinions]. There is one label per sample; [data.Unlabelled] stands for no label. The neighbour
// graph is computed at the first call. Opinions is safe for concurrent use.
func (s *Series) Opinions(ctx context.Context, labels []int) (*Opinion, error) {
	j, err := s.relabelled(ctx, "Opinions", labels)
	if err != nil {
		return nil, err
	}
	return opinionsOf(j, graph.SearchOptions{})
}

// Suggest returns up to n samples to label next for the given labels, like the function [Suggest].
// It uses the graph of [Series.Opinions].
func (s *Series) Suggest(ctx context.Context, labels []int, n int) ([]int, error) {
	j, err := s.relabelled(ctx, "Suggest", labels)
	if err != nil {
		return nil, err
	}
	return suggestionsOf(j, n, graph.SearchOptions{})
}

// relabelled returns a job on the samples of the series with the given labels. A job is a
// computation in progress.
func (s *Series) relabelled(ctx context.Context, name string, labels []int) (*job, error) {
	d := s.data
	if d != nil {
		d = d.WithLabels(labels)
	}
	return sharedKnowledgeJob(par.Context(ctx), name, d, s.graph)
}

// FitContext fits e to the data of the series; see [Spec.FitContext] for errors.
// It is safe for concurrent use.
func (s *Series) FitContext(ctx context.Context, e Estimator) (*Model, error) {
	ctx = par.Context(ctx)
	spec := SpecOf(e)
	if spec.err != nil {
		return nil, spec.err
	}
	s.mu.Lock()
	if s.fits++; s.fits > seriesLength || s.method != spec.method {
		s.cache, s.fits, s.method = newCache(), 1, spec.method
		s.cache.series = true
	}
	j := newJob(ctx, spec, s.data, s.cache)
	s.mu.Unlock()
	if err := j.check(); err != nil {
		return nil, err
	}
	return j.fit()
}
