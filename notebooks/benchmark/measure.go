package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// measure fills in the rows that lack, and returns the sets that were not found.
func measure(ctx context.Context, p plan, kept *store) (missing []string, err error) {
	others, err := startPeers(p.python)
	if err != nil {
		return nil, err
	}
	defer others.stop()
	rated := slices.DeleteFunc(candidates(others), func(c candidate) bool { return !p.only.MatchString(c.name) || slices.Contains(p.leave, c.name) })
	began := time.Now()
	found := map[string]*data.Data{}
	for _, s := range sets {
		if !p.sets(s) {
			continue
		}
		if d := s.load(); d.Err() == nil {
			found[s.name] = d
		} else {
			missing = append(missing, s.name)
		}
	}
	settings := []string{usual}
	if p.tuned {
		settings = append(settings, chosen)
	}
	// The draws are the outer loops, so that a run that is stopped has measured all sets alike.
	for _, dims := range p.dims {
		for draw := range p.draws {
			for _, setting := range settings {
				turn := 0
				for _, labels := range p.labels {
					for _, s := range sets {
						if found[s.name] == nil {
							continue
						}
						if turn++; (turn+draw)%p.shard.n != p.shard.k%p.shard.n {
							continue
						}
						train, test := s.draw(found[s.name], labels, draw)
						if train == nil {
							continue
						}
						if err := p.fill(ctx, cell{s.name, labels, draw, train, test}, dims, setting, rated, kept); err != nil {
							return missing, err
						}
					}
				}
				fmt.Fprintf(os.Stderr, "%d dimensions, draw %d, %s options: %s\n", dims, draw+1, setting, time.Since(began).Round(time.Second))
			}
		}
	}
	return missing, nil
}

// fill adds the rows of a cell that lack.
func (p plan) fill(ctx context.Context, c cell, dims int, setting string, rated []candidate, kept *store) error {
	for _, one := range rated {
		if dims != p.dims[0] && slices.Contains(flat, one.name) {
			continue
		}
		k := key{c.set, c.labels, c.draw, dims, one.name, setting}
		if kept.done[k] || setting == chosen && (!one.tuned || c.labels < validated) {
			continue
		}
		r := p.rate(ctx, k, one, c)
		if ctx.Err() != nil {
			return ctx.Err() // a row of a run that was stopped is not one
		}
		if err := kept.put(r); err != nil {
			return err
		}
	}
	return nil
}

// rate fits a candidate and rates what it gives.
func (p plan) rate(ctx context.Context, k key, one candidate, c cell) row {
	r := unrated(k)
	limit := p.limit
	if k.Setting == chosen {
		limit *= 16 // eight settings on two draws
	}
	within, stop := context.WithTimeout(ctx, limit)
	defer stop()
	f, err := one.fit(within, c, k.Dims, k.Setting)
	switch {
	case errors.Is(err, context.DeadlineExceeded) || err != nil && within.Err() != nil:
		r.Failure = fmt.Sprintf("not ended after %s", limit)
		return r
	case err != nil:
		r.Failure = err.Error()
		return r
	}
	r.Options, r.Given, r.Seconds = f.options, f.given, f.took.Seconds()
	if err := r.score(ctx, f, c); err != nil {
		r = unrated(k)
		r.Failure = err.Error()
	}
	return r
}

// score rates what a candidate gave.
func (r *row) score(ctx context.Context, f *fitted, c cell) error {
	hidden := hiddenRows(c.train)
	truth := at(c.train.Truth, hidden)
	if f.predicted != nil {
		own := at(f.predicted, hidden)
		r.Own = agreement(own, truth)
		if f.sure != nil && len(hidden) >= 10 {
			right := make([]bool, len(hidden))
			for k := range hidden {
				right[k] = own[k] == truth[k]
			}
			var err error
			if _, r.Calibration, err = metrics.Calibration(at(f.sure, hidden), right, 10); err != nil {
				return err
			}
		}
	}
	if f.train == nil {
		return nil
	}
	if bad := f.train.RawMatrix().Data; slices.ContainsFunc(bad, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return errors.New("the map is not finite")
	}
	given := labelledRows(c.train)
	labels, known := at(c.train.Labels, given), rowsOf(f.train, given)
	probe, err := fitProbe(known, labels)
	if err != nil {
		return err
	}
	for _, side := range []struct {
		y           *mat.Dense
		truth       []int
		near, probe *float64
	}{
		{rowsOf(f.train, hidden), truth, &r.Near, &r.Probe},
		{f.test, c.test.Truth, &r.NearHeld, &r.ProbeHeld},
	} {
		if side.y == nil {
			continue
		}
		found, err := metrics.NearestNeighbor(known, labels, side.y)
		if err != nil {
			return err
		}
		*side.near, *side.probe = agreement(found, side.truth), agreement(probe.predict(side.y), side.truth)
	}
	if f.train != c.train.X {
		if r.Trust, err = metrics.Trustworthiness(ctx, c.train.X, f.train, min(10, (c.train.Len()-1)/2)); err != nil {
			return err
		}
		share, err := metrics.Kept(ctx, c.train.X, f.train)
		if err != nil {
			return err
		}
		r.Kept = share.Share
	}
	return nil
}

func labelledRows(d *data.Data) (rows []int) {
	for i, c := range d.Labels {
		if c != data.Unlabelled {
			rows = append(rows, i)
		}
	}
	return rows
}

// hiddenRows are the samples whose class is known to the rating alone.
func hiddenRows(d *data.Data) (rows []int) {
	for i, c := range d.Labels {
		if c == data.Unlabelled && d.Truth[i] != data.Unlabelled {
			rows = append(rows, i)
		}
	}
	return rows
}

func at[T any](v []T, rows []int) []T {
	out := make([]T, len(rows))
	for k, i := range rows {
		out[k] = v[i]
	}
	return out
}

func rowsOf(m *mat.Dense, rows []int) *mat.Dense {
	_, d := m.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for k, i := range rows {
		out.SetRow(k, m.RawRowView(i))
	}
	return out
}

func agreement(a, b []int) float64 {
	equal := 0
	for k := range a {
		if a[k] == b[k] {
			equal++
		}
	}
	return float64(equal) / float64(len(a))
}
