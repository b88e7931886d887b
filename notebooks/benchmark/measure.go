package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// measure adds the rows of the plan p that are missing in the store `kept`. It records this machine
// in the file with the path `machines`. Data sets that cannot be loaded are skipped.
func measure(ctx context.Context, p plan, kept *store, machines string) error {
	if p.draws == 0 {
		return nil
	}
	others, err := startPeers(p.python, p.limit)
	if err != nil {
		return err
	}
	defer others.stop()
	rated := slices.DeleteFunc(candidates(others), func(c candidate) bool { return !p.methods.MatchString(c.name) || slices.Contains(p.leave, c.name) })
	began := time.Now()
	found := map[string]*data.Data{}
	for _, s := range sets {
		if !p.sets(s) {
			continue
		}
		if d := s.load(); d.Err() == nil {
			found[s.name] = d
		} else {
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", s.name, d.Err())
		}
	}
	if err := noteMachine(machines, others.versions); err != nil {
		return err
	}
	settings := []string{usual}
	if p.tuned {
		settings = append(settings, chosen)
	}
	// The outer loop is over draws, so that after an interruption the numbers of draws of any two
	// sets differ by at most one.
	for draw := range p.draws {
		for _, setting := range settings {
			for _, dims := range p.dims {
				turn := 0
				for _, a := range p.known {
					for _, s := range sets {
						if !p.sets(s) {
							continue
						}
						if p.cells != nil && !p.cells.MatchString(fmt.Sprintf("%s %d, %d dimensions, %s", a.task, a.n, dims, setting)) {
							continue
						}
						// The turn counts missing sets too, because other machines may have them.
						if turn++; (turn+draw)%p.shard.n != p.shard.k%p.shard.n || found[s.name] == nil {
							continue
						}
						train, test := s.draw(found[s.name], a, draw)
						if train == nil {
							continue
						}
						if err := p.fill(ctx, cell{s.name, a, draw, train, test}, dims, setting, rated, kept); err != nil {
							return err
						}
					}
				}
				fmt.Fprintf(os.Stderr, "%d dimensions, draw %d, %s options: %s\n", dims, draw+1, setting, time.Since(began).Round(time.Second))
			}
		}
	}
	return nil
}

// fill measures the missing rows of a cell with the given number of dimensions and setting.
func (p *plan) fill(ctx context.Context, c cell, dims int, setting string, rated []candidate, kept *store) error {
	for _, one := range rated {
		if dims != p.dims[0] && slices.Contains(flat, one.name) {
			continue
		}
		if !slices.Contains(one.tasks, c.task) {
			continue
		}
		k := key{c.set, c.task, c.n, c.draw, dims, one.name, setting}
		if kept.done[k] || setting == chosen && (len(one.settings) < 2 || !c.tunable()) {
			continue
		}
		n := c.train.Len()
		r := unrated(k)
		var more []row
		var err error
		least, slow := kept.tooSlow(one.name, p.limit, n)
		switch {
		case slow:
			r.Failure = fmt.Sprintf("%s on %d samples, not tried on %d", notEnded, least, n)
		case setting == chosen:
			r, more = p.tune(ctx, k, one, c)
		default:
			r, err = p.rate(ctx, k, one, c)
		}
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return err // do not write a row of an interrupted run
		}
		// The row of the chosen options comes last: it marks the cell as complete.
		for _, one := range append(more, r) {
			if err := kept.put(one); err != nil {
				return err
			}
		}
	}
	return nil
}

// fits caches the fits of blind candidates to one draw, by set, dimensions and method.
type fits struct {
	draw int
	kept map[key]outcome
}

type outcome struct {
	x   *mat.Dense
	fit *fitted
	err error
}

// fit fits a candidate. For a blind candidate, it returns the cached fit to the same samples if
// there is one.
func (s *fits) fit(ctx context.Context, one candidate, c cell, k key) (*fitted, error) {
	if !one.blind {
		return one.fit(ctx, c, k.Dims)
	}
	if s.kept == nil || s.draw != k.Draw {
		s.draw, s.kept = k.Draw, map[key]outcome{}
	}
	k.Task, k.Amount = "", 0
	if o, known := s.kept[k]; known && mat.Equal(o.x, c.train.X) {
		return o.fit, o.err
	}
	f, err := one.fit(ctx, c, k.Dims)
	if err == nil {
		// Predicted classes depend on the labels in c, but the cached fit must not.
		f.predicted, f.sure = nil, nil
	}
	if ctx.Err() == nil {
		s.kept[k] = outcome{c.train.X, f, err}
	}
	return f, err
}

// rate fits a candidate and returns its row. If the fit fails, the row contains the reason. rate
// returns an error only if the failure says nothing about the candidate (errLost).
func (p *plan) rate(ctx context.Context, k key, one candidate, c cell) (row, error) {
	r := unrated(k)
	inTime, stop := withProcessorTime(ctx, p.limit)
	defer stop()
	f, err := p.fits.fit(inTime, one, c, k)
	switch {
	case errors.Is(err, errLost):
		return r, err
	case errors.Is(err, errSlow) || err != nil && inTime.Err() != nil:
		r.Failure = fmt.Sprintf("%s after %s on %d samples", notEnded, p.limit, c.train.Len())
		return r, nil
	case err != nil:
		r.Failure = err.Error()
		return r, nil
	}
	r.Options, r.Given, r.Seconds = f.options, f.given, f.took.Seconds()
	if err := r.score(ctx, f, c); err != nil {
		r = unrated(k)
		r.Failure = err.Error()
	}
	return r, nil
}

// tune fits a candidate with all of its settings and chooses one of them. It returns a row for the
// chosen setting, and a row for each setting except the default. After a failure it returns only
// the first row.
func (p *plan) tune(ctx context.Context, k key, one candidate, c cell) (row, []row) {
	best := unrated(k)
	// Each setting is fitted three times: twice for the choice, and once for its own row.
	limit := time.Duration(3*len(one.settings)) * p.limit
	inTime, stop := withProcessorTime(ctx, limit)
	defer stop()
	began := processorTime()
	picked, err := choose(inTime, one.settings, c, k.Dims)
	choosing := processorTime() - began
	var rows []row
	for i, spec := range one.settings {
		if err != nil {
			break
		}
		r := unrated(k)
		r.Setting = trying + strconv.Itoa(i)
		r.Options = optionsOf(spec)
		f, failure := fitOne(inTime, spec, c, k.Dims)
		if inTime.Err() != nil {
			err = errSlow
			break
		}
		if failure == nil {
			r.Given, r.Seconds = f.given, f.took.Seconds()
			failure = r.scoreClasses(f, c, c.known(), c.hidden())
		}
		if failure != nil {
			r.Failure = failure.Error()
		}
		if i == picked {
			best = r
			best.Setting = chosen
			best.Seconds += choosing.Seconds()
			if failure == nil {
				failure = best.score(ctx, f, c)
			}
			if failure != nil {
				best = unrated(k)
				best.Failure = failure.Error()
			}
		}
		if i > 0 { // the default at index 0 already has a row
			rows = append(rows, r)
		}
	}
	switch {
	case err == nil:
		return best, rows
	case errors.Is(err, errSlow) || inTime.Err() != nil:
		best = unrated(k)
		best.Failure = fmt.Sprintf("%s with all settings after %s on %d samples", notEnded, limit, c.train.Len())
	default:
		best = unrated(k)
		best.Failure = err.Error()
	}
	return best, nil
}

// structural is the largest number of samples on which neighbours in the map are compared with
// neighbours in the data. With all samples, rating a map would take longer than computing it.
const structural = 250

// spread returns evenly spaced indices from 0 to n − 1. Their number is the smaller of `n` and
// `some`.
func spread(n, some int) []int {
	some = min(n, some)
	rows := make([]int, some)
	for k := range rows {
		rows[k] = k * n / some
	}
	return rows
}

// score computes the scores of a fit and stores them in r.
func (r *row) score(ctx context.Context, f *fitted, c cell) error {
	known, hidden := c.known(), c.hidden()
	if c.task == byTarget {
		if err := r.scoreTarget(f, c, known, hidden); err != nil {
			return err
		}
	} else if err := r.scoreClasses(f, c, known, hidden); err != nil {
		return err
	}
	if f.train != nil && !f.plain {
		some := spread(c.train.Len(), structural)
		x, y := rowsOf(c.train.X, some), rowsOf(f.train, some)
		var err error
		if r.Trust, err = metrics.Trustworthiness(ctx, x, y, min(10, (len(some)-1)/2)); err != nil {
			return err
		}
		share, err := metrics.Kept(ctx, x, y)
		if err != nil {
			return err
		}
		r.Kept = share.Share
	}
	return nil
}

// scoreClasses computes the scores that use classes.
func (r *row) scoreClasses(f *fitted, c cell, known, hidden []int) error {
	truth := elementsOf(c.train.Truth, hidden)
	if f.train != nil && !finite(f.train) {
		return errors.New("the map is not finite")
	}
	if f.predicted != nil && c.task == byLabels {
		own := elementsOf(f.predicted, hidden)
		r.Own = agreement(own, truth)
		if f.sure != nil && len(hidden) >= 10 {
			right := make([]bool, len(hidden))
			for k := range hidden {
				right[k] = own[k] == truth[k]
			}
			var err error
			if _, r.Calibration, err = metrics.Calibration(elementsOf(f.sure, hidden), right, 10); err != nil {
				return err
			}
		}
	}
	if f.train == nil {
		return nil
	}
	y, labels := rowsOf(f.train, known), elementsOf(c.train.Truth, known)
	probe, err := fitProbe(y, labels)
	if err != nil {
		return err
	}
	if f.test != nil {
		found, err := metrics.NearestNeighbor(y, labels, f.test)
		if err != nil {
			return err
		}
		r.NearHeld, r.ProbeHeld = agreement(found, c.test.Truth), agreement(probe.predict(f.test), c.test.Truth)
	}
	if c.task == byPairs {
		// The linear probe was fitted to all of these samples, so it has no score here.
		r.Near = agreement(nearestOther(y, labels), labels)
		return nil
	}
	query := rowsOf(f.train, hidden)
	found, err := metrics.NearestNeighbor(y, labels, query)
	if err != nil {
		return err
	}
	r.Near, r.Probe = agreement(found, truth), agreement(probe.predict(query), truth)
	return nil
}

func finite(y *mat.Dense) bool {
	return !slices.ContainsFunc(y.RawMatrix().Data, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// nearestOther returns, for each row, the class of the nearest other row (the first in a tie).
func nearestOther(y *mat.Dense, labels []int) []int {
	out := make([]int, len(labels))
	for i := range out {
		best, least := -1, math.Inf(1)
		for j := range out {
			if j == i {
				continue
			}
			if d := floats.Distance(y.RawRowView(i), y.RawRowView(j), 2); d < least {
				best, least = j, d
			}
		}
		out[i] = labels[best]
	}
	return out
}

// nearestKnown is the number of nearest known samples whose mean predicts a value, as in TargetR2.
const nearestKnown = 5

// scoreTarget computes the scores for a numeric target. They are the R² of two predictions from the
// map: the mean value of the nearest known samples, and a ridge regression.
func (r *row) scoreTarget(f *fitted, c cell, known, hidden []int) error {
	if f.train == nil {
		return nil
	}
	if !finite(f.train) {
		return errors.New("the map is not finite")
	}
	all, tested := c.train.Target().All(), c.test.Target().All()
	y, values := rowsOf(f.train, known), elementsOf(all, known)
	ridge, err := fitLine(y, values)
	if err != nil {
		return err
	}
	for _, side := range []struct {
		y           *mat.Dense
		truth       []float64
		near, probe *float64
	}{
		{rowsOf(f.train, hidden), elementsOf(all, hidden), &r.Near, &r.Probe},
		{f.test, tested, &r.NearHeld, &r.ProbeHeld},
	} {
		if side.y == nil {
			continue
		}
		found, err := metrics.NearestMean(y, values, side.y, nearestKnown)
		if err != nil {
			return err
		}
		if *side.near, err = metrics.RSquared(side.truth, found); err != nil {
			return err
		}
		if *side.probe, err = metrics.RSquared(side.truth, ridge.scores(side.y, 0)); err != nil {
			return err
		}
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

// hiddenRows lists the samples whose class is used only for rating.
func hiddenRows(d *data.Data) (rows []int) {
	for i, c := range d.Labels {
		if c == data.Unlabelled && d.Truth[i] != data.Unlabelled {
			rows = append(rows, i)
		}
	}
	return rows
}

func elementsOf[T any](v []T, rows []int) []T {
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
