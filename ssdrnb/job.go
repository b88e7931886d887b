package ssdrnb

import (
	"context"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// job is one fit under way: the data, the options by name, and the report that
// the method's steps write into.
type job struct {
	ctx     context.Context
	spec    Spec
	data    *data.Data
	report  *Report
	current string         // stage under way
	since   time.Time      // when it began
	stages  *stages        // what this fit may share with others
	reads   map[string]any // options that the shared stage under way has read, nil outside of one
}

// newJob returns a job that may share the stages of others on the same data.
func newJob(ctx context.Context, s Spec, d *data.Data, st *stages) *job {
	return &job{ctx: ctx, spec: s, data: d, stages: st}
}

func (j *job) x() *mat.Dense { return j.data.X }

// value returns an option that the method declares, and notes that it was read.
func (j *job) value(name string) any {
	j.spec.method.param(name)
	j.has(name)
	return j.spec.Value(name)
}

// has reports whether the method declares an option; that too is a read.
func (j *job) has(name string) bool {
	if j.reads != nil {
		j.reads[name] = j.spec.Value(name)
	}
	_, ok := j.spec.method.Param(name)
	return ok
}

func (j *job) int(name string) int { return j.value(name).(int) }

func (j *job) float(name string) float64 { return j.value(name).(float64) }

func (j *job) choice(name string) string { return j.value(name).(string) }

func (j *job) bool(name string) bool { return j.value(name).(bool) }

// auto reports whether an option asks for its automatic value.
func (j *job) auto(name string) bool { return j.float(name) == Auto }

// start opens the report.
func (j *job) start() {
	d := j.data
	j.report = &Report{
		Method: j.spec.method.Name, Version: Version, Engine: blas.Name(),
		Data: d.Name, Samples: d.Len(), Features: d.Dim(), Labelled: d.NumLabelled(), Classes: len(d.Classes()), Pairs: d.Pairs.Len(),
		DataNotes: d.Notes, Params: map[string]any{}, Changed: j.spec.Changed(),
	}
	for _, p := range j.spec.method.Params {
		j.report.Params[p.Name] = j.spec.Value(p.Name)
	}
	j.since = time.Now()
}

// stage ends the stage under way and begins the next: its time is measured,
// observers hear of it, and a context that has ended stops the fit here.
func (j *job) stage(name string) error {
	j.stop()
	j.current, j.since = name, time.Now()
	notify(Event{Method: j.spec.method.Name, Stage: name})
	return j.ctx.Err()
}

// stop ends the stage under way.
func (j *job) stop() {
	if j.current != "" {
		j.report.Stages = append(j.report.Stages, Stage{j.current, time.Since(j.since)})
	}
}

// fact records a number that the method chose or found. One that does not exist is not
// recorded: the eigengap where every direction was taken, an objective that overflowed.
func (j *job) fact(name string, value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	j.report.Facts = append(j.report.Facts, Fact{name, value})
}
