package ssdrnb

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Report describes the fit of a model. It is saved with the model.
type Report struct {
	// Method is the name of the method, Version the version of the library, and Engine the name of
	// the matrix engine.
	Method, Version, Engine string
	// Data is the name of the data set, and DataNotes lists the changes made to it before the fit.
	Data      string
	DataNotes []string
	// Samples, Features, Labelled, Classes and Pairs are counts of the data set.
	Samples, Features, Labelled, Classes, Pairs int
	// Params holds the values of all options. Changed lists the options that differ from their
	// defaults.
	Params  map[string]any
	Changed []string
	// Stages are the steps in order, with their times.
	Stages []Stage
	// Traces are the convergence histories of iterations.
	Traces []Trace
	// Facts are numbers that the method chose or computed, such as widths, weights, eigengaps or
	// the objective.
	Facts []Fact
	// Warnings lists reasons to doubt the result, and options that were set but have no effect.
	Warnings []string
	// warned holds the entries of Warnings with their kinds; it is empty in loaded models.
	warned []warning
	// largest is an upper bound on the eigenvalues of a method that warns of ties, see warnTied. It
	// is 0 for other methods and in loaded models.
	largest float64
	// Remembered is true if the fit returned a model cached on disk instead of computing it, see
	// [Remember]. The times are then those of the original fit.
	Remembered bool
	// kept returns the share of neighbours that the embedding preserves, computed on first use. It
	// is nil if the samples are not available.
	kept func() (metrics.KeptShare, error)
}

// warning is a warning of a report, with its kind.
type warning struct {
	kind   warningKind
	text   string
	dims   int    // for missingDimensions: the number of dimensions returned
	reason string // for missingDimensions: the reason
	option string // for unusedOption: the name of the option
}

type warningKind int

const (
	plainWarning warningKind = iota
	// missingDimensions means that there are fewer dimensions than requested. The text of the
	// warning states the requested number.
	missingDimensions
	// nearParts means that the graph is nearly disconnected, so that each part collapses to a
	// point.
	nearParts
	// collapse marks a warning of warnOfCollapse. When a model is reduced to fewer dimensions, the
	// warning is dropped and warnOfCollapse is called again.
	collapse
	// tied marks a warning of warnTied. When a model is reduced to fewer dimensions, the warning is
	// dropped and warnTied is called again.
	tied
	// unusedOption means that an option was set but has no effect.
	unusedOption
)

// Stage is a step of a fit, with its duration.
type Stage struct {
	Name string
	Time time.Duration
}

// Fact is a named number.
type Fact struct {
	Name  string
	Value float64
}

// Trace is the history of an iteration, one entry per step.
type Trace struct {
	// Name is the name of the iteration, such as "ITR".
	Name string
	// Lambda and G hold the ratio λ_t and g(λ_t) at each step of a trace-ratio solver, see [TRLDA].
	// For LMRAG, Lambda holds the weight λ of each iteration.
	Lambda, G []float64
	// Objective holds the values of the objective for other iterations. For LMRAG it has one entry
	// after each step, in the order W, S, F, W, S, F, …; the computation of the initial F has no
	// entry.
	Objective []float64
	// Components is the number of components of the LMRAG graph after each iteration.
	Components []int `json:",omitempty"`
}

// retype converts the values of options that were read from a file to the types of the options of
// method m. In the file all numbers are float64. The report may be nil.
func (r *Report) retype(m *Method) {
	if r == nil {
		return
	}
	for name, v := range r.Params {
		if p, ok := m.Param(name); ok {
			if v, err := p.check(m.stored(name, v)); err == nil {
				r.Params[name] = v
			}
		}
	}
}

// Fact returns the number recorded under the given name, and false if there is none.
func (r *Report) Fact(name string) (float64, bool) {
	for _, f := range r.Facts {
		if f.Name == name {
			return f.Value, true
		}
	}
	return 0, false
}

func (r *Report) setFact(name string, value float64) {
	for i, f := range r.Facts {
		if f.Name == name {
			r.Facts[i].Value = value
			return
		}
	}
	r.Facts = append(r.Facts, Fact{name, value})
}

// Total returns the total time of all stages.
func (r *Report) Total() time.Duration {
	var t time.Duration
	for _, s := range r.Stages {
		t += s.Time
	}
	return t
}

// warn adds a warning, unless the report already contains it.
func (r *Report) warn(format string, args ...any) { r.add(warning{text: fmt.Sprintf(format, args...)}) }

// warnMissing warns, once, that the embedding has fewer dimensions than requested.
func (r *Report) warnMissing(has, asked int, reason string) {
	text := fmt.Sprintf("%d of the %d requested dimensions %s returned: %s", has, asked, nouns.Form(has, "was", "were"), reason)
	r.add(warning{kind: missingDimensions, text: text, dims: has, reason: reason})
}

// warnUnused warns that an option was set but has no effect. The format and its arguments give the
// text of the warning.
func (r *Report) warnUnused(option, format string, args ...any) {
	r.add(warning{kind: unusedOption, text: fmt.Sprintf(format, args...), option: option})
}

// warnTied warns if the difference between eigenvalues d and d+1 is at most a rounding error: other
// directions with this eigenvalue are then as good as the returned ones.
func (r *Report) warnTied(d int, gap float64) {
	if r.largest > 0 && gap <= 1e-12*r.largest {
		r.add(warning{kind: tied, text: fmt.Sprintf("eigenvalues %d and %d coincide: the projection is not unique", d, d+1)})
	}
}

func (r *Report) add(w warning) {
	if !slices.Contains(r.Warnings, w.text) {
		r.Warnings, r.warned = append(r.Warnings, w.text), append(r.warned, w)
	}
}

// String returns the report in a few lines. One line has the share of neighbours that the embedding
// preserves, see [metrics.Kept]. This share is computed when the report is first printed or the
// model is saved.
func (r *Report) String() string {
	var b strings.Builder
	features := "× " + nouns.Count(r.Features, "feature")
	if r.Features == 0 {
		features = "without features"
	}
	fmt.Fprintf(&b, "data      %s: %s %s, %d labelled in %s", r.Data, nouns.Count(r.Samples, "sample"), features, r.Labelled, nouns.Count(r.Classes, "class"))
	if r.Pairs > 0 {
		fmt.Fprintf(&b, ", %s", nouns.Count(r.Pairs, "pair"))
	}
	notes := r.DataNotes
	if more := len(notes) - 3; more > 1 {
		fmt.Fprintf(&b, "; %d earlier notes, see Data().Notes", more)
		notes = notes[more:]
	}
	for _, n := range notes {
		fmt.Fprintf(&b, "; %s", n)
	}
	if len(r.Facts) > 0 {
		b.WriteString("\nfound    ")
		for i, f := range r.Facts {
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, " %s %.6g", f.Name, f.Value)
		}
	}
	if r.kept != nil {
		if k, err := r.kept(); err == nil {
			nearest := "nearest neighbours of the samples"
			if k.K > 1 {
				nearest = fmt.Sprintf("%d nearest neighbours of a sample", k.K)
			}
			fmt.Fprintf(&b, "\nkept      %.0f %% of the %s in the data", 100*k.Share, nearest)
			if k.Asked < k.Samples {
				fmt.Fprintf(&b, " (average of %s)", nouns.Count(k.Asked, "sample"))
			}
		}
	}
	fmt.Fprintf(&b, "\ntime      %s", r.Total().Round(10*time.Microsecond))
	if r.Remembered {
		b.WriteString(" when it was fitted; now remembered")
	}
	for i, s := range r.Stages {
		if i == 0 {
			b.WriteString(" (")
		} else {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %s", s.Name, s.Time.Round(10*time.Microsecond))
		if i == len(r.Stages)-1 {
			b.WriteString(")")
		}
	}
	fmt.Fprintf(&b, "\nengine    %s", r.Engine)
	for _, w := range r.Warnings {
		fmt.Fprintf(&b, "\nwarning   %s", w)
	}
	return b.String()
}
