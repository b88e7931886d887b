package ssdrnb

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// Sentinel errors of fitting. They are wrapped in an [*Error] with the numbers; test with
// errors.Is, which also finds the errors of the packages below (data, graph, spectral, sparse,
// gp).
var (
	// ErrOption means that an option is out of range or does not fit the data.
	ErrOption = errors.New("unsuitable option")
	// ErrNeedsLabels means that the method needs labels that the data lack.
	ErrNeedsLabels = errors.New("labels needed")
	// ErrNeedsTarget means that the method needs known values of a numeric target, which the
	// data lack.
	ErrNeedsTarget = errors.New("target needed")
	// ErrNeedsPairs means that the method needs pair constraints that the data lack.
	ErrNeedsPairs = errors.New("pairs needed")
	// ErrData means that the data are empty, not finite, or degenerate.
	ErrData = errors.New("unusable data")
	// ErrCancelled means that the context ended before the fit did.
	ErrCancelled = errors.New("cancelled")
	// ErrNumerical means that a decomposition or an iteration failed.
	ErrNumerical = errors.New("numerical failure")
	// ErrNoTransform means that the method has no rule for new points.
	ErrNoTransform = errors.New("no out-of-sample rule")
	// ErrNoPrediction means that the model has no predictive distribution.
	ErrNoPrediction = errors.New("no predictive distribution")
	// ErrNotLinear means that the model has no projection matrix.
	ErrNotLinear = errors.New("not a linear model")
	// ErrNoOpinion means that the model has no probabilities of classes.
	ErrNoOpinion = errors.New("no opinions")
	// ErrNoSuggestion means that there is nothing to suggest for labelling.
	ErrNoSuggestion = errors.New("no suggestions")
	// ErrExecutor means that the executor of a sweep failed, or cannot run it.
	ErrExecutor = errors.New("executor failed")
	// ErrFormat means that a model file is damaged or of another kind.
	ErrFormat = errors.New("not a valid model file")
)

// Error is the error of every failing Fit, Transform and Load.
type Error struct {
	// Method is the method's name, "TR-SDA".
	Method string
	// Param is the option at fault, or the part of the data: "data", "samples", "features",
	// "labels", "pairs", "anchors", "start". A fit names only options that were changed
	// from their default or that must be set. Errors of other calls name the call or its
	// argument. Param is empty if nothing is at fault, as in a cancelled fit.
	Param string
	// Value is the value of Param, "auto" for [Auto]; may be nil.
	Value any
	// Remedy is advice on how to avoid the error.
	Remedy string
	// Err is the cause; it wraps one of the sentinels.
	Err error
}

// Error reads "TR-SDA: neighbors = 200: unsuitable option: … ; remedy".
func (e *Error) Error() string {
	s := e.Method
	if e.Param != "" {
		s += ": " + e.Param
		switch e.Value {
		case nil:
		case "":
			s += ` = ""`
		default:
			s += fmt.Sprintf(" = %v", e.Value)
		}
	}
	s += ": " + e.Err.Error()
	if e.Remedy != "" && e.Remedy != advice.Of(e.Err) { // the text of the cause has its own
		s += "; " + e.Remedy
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// plural writes a count with its noun, "1 class" or "3 classes".
func plural(n int, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "s"):
		thing += "e"
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// remedies lists remedies for errors of the packages below that have none of their own, by
// the sentinel that they wrap; the first match applies.
var remedies = []struct {
	of     error
	remedy string
}{
	{data.ErrNotFinite, "remove the samples or features with NaN or infinite values, or fill them in"},
	{data.ErrEmpty, "give at least two samples and one feature"},
	{data.ErrShape, "give one label, and one true class, for each row of X"},
	{data.ErrLabels, "number the classes from 0, use -1 for unlabelled samples, and draw no more samples of a class than it has"},
	{data.ErrPairs, "link only different rows, and give no pair as both must-link and cannot-link"},
	{data.ErrOption, "see the documentation of the function that made the data"},
	{spectral.ErrNotConverged, "standardise the features with Data.Standardize, and remove outliers"},
	{ErrCancelled, "allow more time, or fit fewer samples, dimensions or iterations"},
}

// remedyOf returns the remedy for an error of the packages below: its own, or the remedy of its
// sentinel.
func remedyOf(err error) string {
	if own := advice.Of(err); own != "" {
		return own
	}
	for _, r := range remedies {
		if errors.Is(err, r.of) {
			return r.remedy
		}
	}
	return "standardise the features, remove duplicate samples and constant features, or reduce the dimension with Data.PCA first"
}

// classify wraps an error in the preparation of the data with the sentinel that callers of Fit
// test for.
func classify(err error) error {
	var e *Error
	if errors.As(err, &e) || errors.Is(err, ErrData) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrData, err)
}

// explain turns an error of the packages below into an [*Error]. Of the options that the
// fit has read it names the one furthest from its default, or the data if all have their
// defaults. The remedy lists the options that are at least half as far.
func (j *job) explain(err error) error {
	var e *Error
	if errors.As(err, &e) {
		if e.Param == "" && e.Remedy != "" { // of a step, which does not know the options
			return j.faultAmong(nil, "data", e.Err, e.Remedy)
		}
		if e.Method == "" { // of a step that does not know the method
			return j.fault(e.Param, e.Value, e.Err, e.Remedy)
		}
		return err
	}
	if j.ctx.Err() != nil {
		err = fmt.Errorf("%w during %s: %w", ErrCancelled, j.stage, j.ctx.Err())
		return &Error{Method: j.method, Err: err, Remedy: remedyOf(err)}
	}
	suspects := j.changed()
	if errors.Is(err, graph.ErrUnderflow) && slices.Contains(suspects, "width") {
		return j.fault("width", widthOption.of(j), fmt.Errorf("%w: %w", ErrOption, err), remedyOf(err))
	}
	remedy := remedyOf(err)
	if err = advice.Cause(err); j.stage != "" {
		err = fmt.Errorf("%s: %w", j.stage, err)
	}
	if errors.Is(err, graph.ErrCoincide) || errors.Is(err, graph.ErrDisconnected) || errors.Is(err, graph.ErrMemory) {
		err = fmt.Errorf("%w: %w", ErrData, err)
	} else {
		err = fmt.Errorf("%w: %w", ErrNumerical, err)
	}
	if len(suspects) == 0 {
		return j.fault("data", nil, err, remedy)
	}
	var defaults []string
	furthest := j.remoteness(suspects[0])
	for _, name := range suspects {
		if j.remoteness(name) >= furthest/2 {
			p := j.spec.method.param(name)
			defaults = append(defaults, name+" = "+p.format(p.Default))
		}
	}
	back := "go back towards the default " + strings.Join(defaults, ", ")
	if furthest < absurd {
		back += ", or " + remedy
	}
	return j.fault(suspects[0], j.spec.Value(suspects[0]), err, back)
}

// absurd is the remoteness above which a single option explains the failure of a fit: a factor of
// a thousand.
const absurd = 8

// changed returns the options that the fit has read and that were set away from their
// defaults, the furthest first.
func (j *job) changed() []string {
	read := slices.DeleteFunc(j.spec.Changed(), func(name string) bool {
		return !j.read[name]
	})
	slices.SortStableFunc(read, func(a, b string) int { return cmp.Compare(j.remoteness(b), j.remoteness(a)) })
	return read
}

// remoteness returns how far the option is from its default.
func (j *job) remoteness(name string) float64 {
	return j.spec.method.param(name).remoteness(j.spec.Value(name))
}

// refuse makes the error of a step, which does not know the options; explain adds the option at
// fault.
func (w *work) refuse(err error, remedy string) error {
	return &Error{Method: w.method, Err: err, Remedy: remedy}
}

// fault makes the error of a given option or part of the data.
func (j *job) fault(param string, value any, err error, remedy string) error {
	if p, ok := j.spec.method.Param(param); ok && value != nil && p.isAuto(value) {
		value = "auto"
	}
	return &Error{Method: j.method, Param: param, Value: value, Err: err, Remedy: remedy}
}

// faultAmong makes the error of the option furthest from its default, among the given ones
// or, for nil, among all. If none was changed, it is the error of param, an option or part
// of the data.
func (j *job) faultAmong(options []string, param string, err error, remedy string) error {
	for _, name := range j.changed() {
		if options == nil || slices.Contains(options, name) {
			param = name
			break
		}
	}
	return j.fault(param, j.value(param), err, remedy)
}
