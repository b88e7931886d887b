package ssdrnb

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// Sentinel errors of fitting. They come wrapped in an [*Error] that carries the
// numbers; test with errors.Is. Errors of the rooms below (package data, graph,
// spectral) pass through the same chain and can be tested for as well.
var (
	// ErrOption says that an option is out of range or does not fit the data.
	ErrOption = errors.New("unsuitable option")
	// ErrNeedsLabels says that the method needs labels that the data lack.
	ErrNeedsLabels = errors.New("labels needed")
	// ErrNeedsPairs says that the method needs pair constraints that the data lack.
	ErrNeedsPairs = errors.New("pairs needed")
	// ErrData says that the data are empty, not finite, or degenerate.
	ErrData = errors.New("unusable data")
	// ErrCancelled says that the context ended before the fit did.
	ErrCancelled = errors.New("cancelled")
	// ErrNumerical says that a decomposition or an iteration failed.
	ErrNumerical = errors.New("numerical failure")
	// ErrNoTransform says that the method has no rule for new points.
	ErrNoTransform = errors.New("no out-of-sample rule")
	// ErrNoPrediction says that the model has no predictive distribution.
	ErrNoPrediction = errors.New("no predictive distribution")
	// ErrNotLinear says that the model has no projection matrix.
	ErrNotLinear = errors.New("not a linear model")
	// ErrNoSuggestion says that the model has no opinion on what to label next.
	ErrNoSuggestion = errors.New("no suggestions")
	// ErrExecutor says that what was to run a sweep elsewhere failed, or cannot run it.
	ErrExecutor = errors.New("executor failed")
	// ErrFormat says that a model file is damaged or of another kind.
	ErrFormat = errors.New("not a valid model file")
)

// Error is what every failing Fit, Transform and Load returns.
type Error struct {
	// Method is the method's name, "TR-SDA".
	Method string
	// Param is the option or the part of the data at fault; may be empty.
	Param string
	// Value is what it was; may be nil.
	Value any
	// Remedy says what to do about it.
	Remedy string
	// Err is the cause; it wraps one of the sentinels.
	Err error
}

// Error reads "TR-SDA: neighbors = 200: unsuitable option: … ; remedy".
func (e *Error) Error() string {
	s := e.Method
	if e.Param != "" {
		s += ": " + e.Param
		if e.Value != nil {
			s += fmt.Sprintf(" = %v", e.Value)
		}
	}
	s += ": " + e.Err.Error()
	if tail := "; " + e.Remedy; e.Remedy != "" && !strings.HasSuffix(s, tail) {
		s += tail
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// plural writes a number of things, "1 class" or "3 classes".
func plural(n int, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "s"):
		thing += "e"
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// remedies says what to do about an error of the rooms below, by the sentinel that
// it wraps; the first that fits.
var remedies = []struct {
	of     error
	remedy string
}{
	{data.ErrNotFinite, "drop the samples or features with values that are not finite, or fill these in"},
	{data.ErrEmpty, "give at least two samples and one feature"},
	{data.ErrShape, "give one label, and one true class, for each row of X"},
	{data.ErrLabels, "classes count from 0, -1 is unknown, and a draw takes no more samples of a class than there are"},
	{data.ErrPairs, "give pairs of two different rows, none of them both must-link and cannot-link"},
	{data.ErrOption, "see the documentation of what made the data"},
	{spectral.ErrNotConverged, "bring the options nearer to their defaults, try another solver, or standardise the features"},
	{ErrCancelled, "give the context more time, or fewer samples, dimensions or iterations"},
}

// remedyOf returns what to do about an error of the rooms below: what it says itself
// behind a semicolon, as those of package data do, or the remedy of its kind.
func remedyOf(err error) string {
	if _, told, ok := strings.Cut(err.Error(), "; "); ok {
		return told
	}
	for _, r := range remedies {
		if errors.Is(err, r.of) {
			return r.remedy
		}
	}
	return "standardise the features, drop duplicates and constant features, or reduce by PCA first"
}

// classify wraps an error of the data package with the sentinel that a caller
// of Fit tests for.
func classify(err error) error {
	switch {
	case errors.Is(err, data.ErrOption), errors.Is(err, data.ErrLabels), errors.Is(err, data.ErrPairs),
		errors.Is(err, data.ErrEmpty), errors.Is(err, data.ErrNotFinite), errors.Is(err, data.ErrShape):
		return fmt.Errorf("%w: %w", ErrData, err)
	}
	return err
}
