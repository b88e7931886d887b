package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Surveyed is one method of a [Survey].
type Surveyed struct {
	Spec ssdrnb.Spec
	// Model is the fitted method, nil where Err says why it could not be fitted.
	Model *ssdrnb.Model
	Err   error
	// Time is that of the fit, also where the model is a remembered one.
	Time time.Duration
	// Unlabelled and Test are the 1-NN accuracies, see [ssdrnb.NearestNeighbor], on the
	// training samples whose label was hidden and on the test samples: NaN where
	// there are none, and for Test where the method has no rule for new points.
	Unlabelled, Test float64
	// Trustworthiness is that of 10 neighbours, fewer in data of up to 20 samples,
	// against the features; see [metrics.Trustworthiness].
	Trustworthiness float64
}

// rate fills in the scores that there are.
func (s *Surveyed) rate(ctx context.Context, test *data.Data) {
	if v, err := ssdrnb.NearestNeighbor(s.Model, nil); err == nil {
		s.Unlabelled = v
	}
	if test != nil {
		if v, err := ssdrnb.NearestNeighbor(s.Model, test); err == nil {
			s.Test = v
		}
	}
	d := s.Model.Data()
	if k := min(10, (d.Len()-1)/2); k > 0 {
		if v, err := metrics.Trustworthiness(ctx, d.X, s.Model.Embedding(), k); err == nil {
			s.Trustworthiness = v
		}
	}
}

// Took writes the time of the fit in two or three digits.
func (s Surveyed) Took() string {
	d := s.Time
	switch {
	case d >= 10*time.Second:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d >= 10*time.Millisecond:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Microsecond).String()
}

// Survey holds methods that were fitted to the same data.
type Survey []Surveyed

// Of returns the methods that use this side information, in the order of s.
func (s Survey) Of(uses ssdrnb.Knowledge) Survey {
	var out Survey
	for _, one := range s {
		if one.Spec.Method().Uses == uses {
			out = append(out, one)
		}
	}
	return out
}

// String writes the survey as a table, and below it why methods are missing.
func (s Survey) String() string {
	var b, failed strings.Builder
	b.WriteString("method     kind             uses                        test  unlabelled  trustworthiness  dims       time\n")
	score := func(v float64) string {
		if math.IsNaN(v) {
			return "–"
		}
		return fmt.Sprintf("%.3f", v)
	}
	for _, one := range s {
		m := one.Spec.Method()
		if one.Err != nil {
			var e *ssdrnb.Error
			why := one.Err
			if errors.As(why, &e) && e.Param == "" {
				why = e.Err
			}
			fmt.Fprintf(&failed, "%s could not be fitted: %v\n", m.Name, why)
			continue
		}
		fmt.Fprintf(&b, "%-10s %-16s %-26s %5s  %10s  %15s  %4d  %9s\n", m.Name, m.Supervision, m.Uses, score(one.Test), score(one.Unlabelled), score(one.Trustworthiness), one.Model.Dims(), one.Took())
	}
	return b.String() + failed.String()
}

// NewSurvey fits methods to train one after another, by default every method of the
// registry with its default options, and rates each embedding; test may be nil. A
// method that cannot be fitted to these data says why and does not end the survey:
// only data that no method takes and the end of ctx do, the latter with the survey
// so far.
func NewSurvey(ctx context.Context, train, test *data.Data, methods ...ssdrnb.Estimator) (Survey, error) {
	if err := train.Err(); err != nil {
		return nil, &ssdrnb.Error{Method: "Survey", Param: "train", Err: fmt.Errorf("%w: %w", ssdrnb.ErrData, err)}
	}
	if err := test.Err(); test != nil && err != nil {
		return nil, &ssdrnb.Error{Method: "Survey", Param: "test", Err: fmt.Errorf("%w: %w", ssdrnb.ErrData, err)}
	}
	if len(methods) == 0 {
		for _, m := range ssdrnb.Methods() {
			methods = append(methods, ssdrnb.New(m.Name))
		}
	}
	var out Survey
	for k, e := range methods {
		ssdrnb.Notify(ssdrnb.Event{Method: "Survey", Stage: e.Spec().Method().Name, Done: k, Total: len(methods)})
		one := Surveyed{Spec: e.Spec(), Unlabelled: math.NaN(), Test: math.NaN(), Trustworthiness: math.NaN()}
		one.Model, one.Err = e.FitContext(ctx, train)
		if ctx.Err() != nil {
			return out, &ssdrnb.Error{Method: "Survey", Err: fmt.Errorf("%w after %d of %d methods: %w", ssdrnb.ErrCancelled, k, len(methods), ctx.Err())}
		}
		if one.Err != nil {
			one.Model = nil // an unfinished one would be rated beside finished ones
		} else {
			one.Time = one.Model.Report().Total()
			one.rate(ctx, test)
		}
		out = append(out, one)
	}
	ssdrnb.Notify(ssdrnb.Event{Method: "Survey", Stage: "done", Done: 1, Total: 1})
	return out, nil
}
