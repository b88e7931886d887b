package ssdrnb

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// Sentinel errors of fitting, wrapped in an [*Error] with the values at fault. Test for them with
// errors.Is, which also finds the sentinels of the packages data, graph and sparse.
var (
	// ErrOption means that an option is out of range or does not suit the data.
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
	// ErrNumerical means that a decomposition or an iterative method failed.
	ErrNumerical = errors.New("numerical failure")
	// ErrNoTransform means that the method has no rule for new points.
	ErrNoTransform = errors.New("no out-of-sample rule")
	// ErrNoPrediction means that the model has no predictive distribution.
	ErrNoPrediction = errors.New("no predictive distribution")
	// ErrNotLinear means that the model has no projection matrix.
	ErrNotLinear = errors.New("not a linear model")
	// ErrNoOpinion means that the model has no class probabilities.
	ErrNoOpinion = errors.New("no opinions")
	// ErrNoSuggestion means that no samples are left to label or measure, or that a model file
	// contains no suggestions.
	ErrNoSuggestion = errors.New("no suggestions")
	// ErrExecutor means that the executor of a sweep failed, or cannot run the sweep.
	ErrExecutor = errors.New("executor failed")
	// ErrFormat means that a model file, an encoded sweep or its result is damaged or invalid.
	ErrFormat = errors.New("damaged or invalid")
)

// Error is the type of every error of Fit, Transform and Load.
type Error struct {
	// Method is the name of the method, such as "TR-SDA".
	Method string
	// Param is the option at fault, or the part of the data: "data", "samples", "features",
	// "labels", "target", "pairs", "anchors", "start". If it is not certain which option is at
	// fault, Fit names the option furthest from its default, or "data" if all options have their
	// defaults. In errors of other functions, Param is the function or its argument. Param is empty
	// if nothing is at fault, as in a cancelled fit.
	Param string
	// Value is the value of Param, "auto" for [Auto]; it may be nil.
	Value any
	// Remedy is advice on how to avoid the error.
	Remedy string
	// Err is the cause; it wraps one of the sentinels.
	Err error
}

// Error returns text such as "TR-SDA: neighbors = 200: unsuitable option: … ; remedy".
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
	if e.Remedy != "" && e.Remedy != advice.Of(e.Err) { // the text of the cause already contains its own remedy
		s += "; " + e.Remedy
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// remedies lists, by sentinel, the remedies for those errors of the underlying packages that have
// none of their own. The first match applies.
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

// remedyOf returns the remedy for an error of an underlying package: the error's own remedy, else
// the remedy for its sentinel, else a general remedy.
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

// classify wraps an error of package data with [ErrData], unless it is an [*Error] or wraps
// [ErrData] already.
func classify(err error) error {
	var e *Error
	if errors.As(err, &e) || errors.Is(err, ErrData) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrData, err)
}

// explain turns an error of an underlying package into an [*Error]. Of the options that the fit has
// read, the [*Error] names the option furthest from its default, or the data if all options have
// their defaults. The remedy lists this option and all options at least half as far from their
// defaults. If the context has ended, no option is named.
func (j *job) explain(err error) error {
	var e *Error
	if errors.As(err, &e) {
		if e.Param == "" && e.Remedy != "" { // error of a step, which cannot access the options
			return j.faultAmong(nil, "data", e.Err, e.Remedy)
		}
		if e.Method == "" { // error of a step without access to the method
			return j.fault(e.Param, e.Value, e.Err, e.Remedy)
		}
		return err
	}
	if j.ctx.Err() != nil {
		during := ""
		if j.stage != "" {
			during = " during " + j.stage
		}
		err = fmt.Errorf("%w%s: %w", ErrCancelled, during, j.ctx.Err())
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
	back := "go back towards the " + nouns.Form(len(defaults), "default ", "defaults ") + strings.Join(defaults, " and ")
	if furthest < absurd {
		back += ", or " + remedy
	}
	return j.fault(suspects[0], j.spec.Value(suspects[0]), err, back)
}

// absurd is a threshold of Param.remoteness. A changed option of at least this remoteness explains
// the failure of a fit by itself, so the remedy omits the general advice of remedyOf. The value 8
// corresponds to a factor of about a thousand.
const absurd = 8

// changed returns the options that the fit has read and that differ from their defaults, in
// descending order of remoteness.
func (j *job) changed() []string {
	read := slices.DeleteFunc(j.spec.Changed(), func(name string) bool {
		return !j.read[name]
	})
	slices.SortStableFunc(read, func(a, b string) int { return cmp.Compare(j.remoteness(b), j.remoteness(a)) })
	return read
}

// remoteness returns how far the value of the option is from its default, see Param.remoteness.
func (j *job) remoteness(name string) float64 {
	return j.spec.method.param(name).remoteness(j.spec.Value(name))
}

// refuse returns the error of a step, which has no access to the options; explain adds the option
// at fault.
func (w *work) refuse(err error, remedy string) error {
	return &Error{Method: w.method, Err: err, Remedy: remedy}
}

// fault returns an [*Error] with the method of the job. `param` names the option, or the part of
// the data, that is at fault.
func (j *job) fault(param string, value any, err error, remedy string) error {
	if p, ok := j.spec.method.Param(param); ok && value != nil && p.isAuto(value) {
		value = "auto"
	}
	return &Error{Method: j.method, Param: param, Value: value, Err: err, Remedy: remedy}
}

// faultAmong returns the [*Error] for the changed option that is furthest from its default. Only
// the options named in the argument `options` count; nil allows all options. If none of them was
// changed, the error names `param`, an option or part of the data.
func (j *job) faultAmong(options []string, param string, err error, remedy string) error {
	for _, name := range j.changed() {
		if options == nil || slices.Contains(options, name) {
			param = name
			break
		}
	}
	return j.fault(param, j.value(param), err, remedy)
}
