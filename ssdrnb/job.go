package ssdrnb

import (
	"context"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// job is a fit in progress. The function that fits a method takes a job as its argument, and reads
// options through their declarations, as in neighborsOption.of(j).
type job struct {
	*work
	spec    Spec
	given   *data.Data      // data as passed by the user, see newJob
	sliced  bool            // whether the classes of data are slices of the given target
	read    map[string]bool // names of the options that the fit has read
	lowered map[string]int  // defaults lowered because there are too few samples, see fewerNeighbors
}

// work is the part of a job without the options.
type work struct {
	ctx        context.Context
	data       *data.Data
	cache      *cache // shared by all fits to the same data
	report     *Report
	method     string    // name of the method
	stage      string    // current stage
	stageStart time.Time // start of the current stage
}

// newJob returns a job that fits d by the method and with the options in s. The job may reuse
// results of other fits to d from the cache c. The data of the job are d with distinct pairs and
// with the classes set by [job.slice]. Pairs are made distinct because duplicates and the order of
// pairs have no meaning.
func newJob(ctx context.Context, s Spec, d *data.Data, c *cache) *job {
	j := &job{work: &work{ctx: par.Context(ctx), data: d, cache: c, method: s.method.Name}, spec: s, given: d, read: map[string]bool{}, lowered: map[string]int{}}
	if d.Err() == nil && d.Pairs.Len() > 0 {
		distinct := *d
		distinct.Pairs = d.Pairs.Distinct()
		j.data = &distinct
	}
	j.slice()
	return j
}

// x returns the n×D matrix of the samples, or nil if the data have no dense features.
func (w *work) x() *mat.Dense { return w.data.X }

// start creates the report, and lowers the default of the option "neighbors" if there are too few
// samples.
func (j *job) start() {
	d := j.data
	j.report = &Report{
		Method: j.method, Version: Version, Engine: blas.Name(),
		Data: d.Name, Samples: d.Len(), Features: d.NumFeatures(), Labelled: d.NumLabelled(), Classes: len(d.Classes()), Pairs: d.Pairs.Len(),
		DataNotes: d.Notes, Params: map[string]any{}, Changed: j.spec.Changed(),
	}
	for _, p := range j.spec.method.Params {
		j.report.Params[p.Name] = j.spec.Value(p.Name)
	}
	if j.spec.method.has(neighborsOption.Name) {
		j.fewerNeighbors()
	}
	for _, name := range []string{neighborsOption.Name, metricOption.Name} {
		delete(j.read, name) // only checked so far, not used
	}
	j.stageStart = time.Now()
}

// begin ends the current stage and starts the stage with the given name. It notifies observers, and
// returns an error if the context has ended.
func (w *work) begin(stage string) error {
	w.stop()
	w.stage, w.stageStart = stage, time.Now()
	Notify(Event{Method: w.method, Stage: stage})
	return w.ctx.Err()
}

// stop ends the current stage and adds its duration to the report.
func (w *work) stop() {
	if w.stage != "" {
		w.report.Stages = append(w.report.Stages, Stage{w.stage, time.Since(w.stageStart)})
	}
}

// progress notifies observers that "done" of "total" parts of the stage are finished. The argument
// "value" is the current objective.
func (w *work) progress(done, total int, value float64) {
	Notify(Event{Method: w.method, Stage: w.stage, Done: done, Total: total, Value: value})
}

// layout is like progress, but also passes the current positions y (n×d) to the observers.
func (w *work) layout(done, total int, y *mat.Dense, value float64) {
	Notify(Event{Method: w.method, Stage: w.stage, Done: done, Total: total, Value: value, Layout: y})
}

// fact adds to the report a number that the method chose or computed. NaN and ±Inf are skipped, for
// example the eigengap if every direction is used, or an objective that overflowed.
func (w *work) fact(name string, value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	w.report.Facts = append(w.report.Facts, Fact{name, value})
}

// history adds to the report a trace of the objective at each iteration.
func (w *work) history(name string, objective []float64) {
	w.report.Traces = append(w.report.Traces, Trace{Name: name, Objective: objective})
}

// warn adds a warning to the report, unless the report already contains it.
func (w *work) warn(format string, args ...any) { w.report.warn(format, args...) }

// warnOfUnused warns, in the report r of a finished fit, of options that were set but not read.
func (j *job) warnOfUnused(r *Report) {
	for _, name := range j.spec.Changed() {
		if !j.read[name] {
			r.warnUnused(name, "the option %s has no effect with these data and options", name)
		}
	}
}

// unused warns of an option that was set but has no effect, with the reason.
func (j *job) unused(name, reason string) {
	if slices.Contains(j.spec.Changed(), name) {
		j.report.warnUnused(name, "%s: the option %s has no effect", reason, name)
		j.read[name] = true // warnOfUnused need not warn again
	}
}

// limit returns the value of the option "dims". If it exceeds `most`, the number of available
// dimensions, limit returns `most` and warns with the reason.
func (j *job) limit(most int, reason string) int {
	d := dimsOption.of(j)
	if d <= most {
		return d
	}
	j.report.warnMissing(most, d, reason)
	return most
}

// mostNeighbors returns the largest number of neighbours that the number of samples allows. For
// LMRAG and ULMRAG it is one less, because their initial graph needs one neighbour more than the
// option "neighbors".
func (j *job) mostNeighbors() int {
	if j.spec.method.has(candidatesOption.Name) {
		return j.data.Len() - 2
	}
	return j.availableNeighbors()
}

// neighborsRaisable reports whether the option "neighbors" is below the largest number that the
// samples allow.
func (j *job) neighborsRaisable() bool { return neighborsOption.of(j) < j.mostNeighbors() }

// connecting returns the remedy for a graph of k neighbours per sample that has several components.
// `raise` is the remedy if the data have more than k neighbours of each sample.
func (w *work) connecting(k int, raise string) string {
	if w.data.Nearest != nil && k == w.availableNeighbors() {
		return "give more neighbours of each sample"
	}
	return raise
}

// fewerNeighbors lowers the default of the option "neighbors", with a warning, to the largest
// number that the samples allow. A value set by the user is kept; check returns an error if it is
// too large.
func (j *job) fewerNeighbors() {
	k, most := neighborsOption.of(j), j.mostNeighbors()
	if _, set := j.spec.set[neighborsOption.Name]; set || k <= most {
		return
	}
	j.lowered[neighborsOption.Name], j.report.Params[neighborsOption.Name] = most, most
	if j.data.Nearest != nil {
		j.warn("neighbors reduced from the default %d to %d, the number of neighbours that the data have for each sample", k, most)
		return
	}
	j.warn("neighbors reduced from the default %d to %d, the maximum for %d samples", k, most, j.data.Len())
}
