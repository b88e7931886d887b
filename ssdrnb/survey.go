package ssdrnb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// SurveyBuilder holds the settings of a survey. It is a value: each method returns a changed copy.
// If a method gets an invalid argument, Run returns the first such error. If an option of a
// surveyed method is invalid, the result for this method holds the error.
type SurveyBuilder struct {
	train, test *data.Data
	methods     []Spec
	dims        int // 0 keeps the dimensions of each builder
	err         error
}

// Survey returns the builder of a table of methods. Each method is fitted once to the data in the
// argument train, with the options of its builder, and rated. If no methods are given, the survey
// covers all methods with their default options.
//
//	fmt.Println(ssdrnb.Survey(train, ssdrnb.PCA(), ssdrnb.SDA()).Test(test).MustRun())
//
// [Compare] measures accuracies over dimensions and random draws.
func Survey(train *data.Data, methods ...Estimator) SurveyBuilder {
	b := SurveyBuilder{train: train}
	if len(methods) == 0 {
		for _, m := range Methods() {
			methods = append(methods, New(m.Name))
		}
	}
	for _, m := range methods {
		s := SpecOf(m)
		if s.method.Name == "nil" {
			b.err = cmpErr(b.err, s.err)
		}
		b.methods = append(b.methods, s)
	}
	return b
}

// Test also rates the methods on test data. Methods without a rule for new points are rated only on
// the training data.
func (b SurveyBuilder) Test(test *data.Data) SurveyBuilder {
	b.test = test
	return b
}

// Dims fits all methods in d dimensions. Some methods, such as [FME], have no option "dims"; their
// embeddings are reduced by [Model.Reduce]. By default each builder keeps its dimensions, and
// methods without the option are reduced to the smallest number among the other methods.
func (b SurveyBuilder) Dims(d int) SurveyBuilder {
	if d < 1 {
		b.err = cmpErr(b.err, &Error{Method: "Survey", Param: "dims", Value: d, Err: ErrOption, Remedy: "give at least 1"})
		return b
	}
	b.dims = d
	b.methods = slices.Clone(b.methods)
	for k, s := range b.methods {
		if s.method.has(dimsOption.Name) {
			b.methods[k] = s.With("dims", d)
		}
	}
	return b
}

// Surveyed is the result of one method in a survey.
type Surveyed struct {
	Spec Spec
	// Model is the fitted model. It is nil if the method could not be fitted; Err is then the
	// error.
	Model *Model
	Err   error
	// Fixed is the number of dimensions before the reduction, for a method without the option
	// "dims". It is 0 for other methods.
	Fixed int
	// Time is the duration of the fit. For a cached model it is the duration of the original fit.
	Time time.Duration
	// Unlabelled is the 1-NN accuracy on the training samples with hidden labels, and Test is the
	// 1-NN accuracy on the test samples, see [NearestNeighbor]. Each is NaN if there are no such
	// samples. Test is also NaN if the method has no rule for new points.
	Unlabelled, Test float64
	// Trustworthiness is the result of [metrics.Trustworthiness] for min(10, (n−1)/2) neighbours.
	// It is NaN if it cannot be computed, for example for data without dense features.
	Trustworthiness float64
}

// Took formats the duration of the fit with two or three digits.
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

// SurveyResult holds the results of a survey, in the order of the methods given.
type SurveyResult []Surveyed

// Of returns the results of the methods that use the given side information, in the order of s.
func (s SurveyResult) Of(uses Knowledge) SurveyResult {
	var out SurveyResult
	for _, one := range s {
		if one.Spec.Method().Uses == uses {
			out = append(out, one)
		}
	}
	return out
}

// String returns a table with a section for each number of dimensions, followed by the errors of
// methods that could not be fitted. If no accuracy could be computed, it states the reason.
func (s SurveyResult) String() string {
	var b, failed strings.Builder
	const row = "%-10s %-16s %-33s %10s  %5s  %15s  %5s  %9s\n"
	fmt.Fprintf(&b, row, "method", "kind", "uses", "unlabelled", "test", "trustworthiness", "dims", "time")
	score := func(v float64) string {
		if math.IsNaN(v) {
			return "–"
		}
		return fmt.Sprintf("%.3f", v)
	}
	var fitted SurveyResult
	var reduced []string
	for _, one := range s {
		if one.Err == nil {
			fitted = append(fitted, one)
			if one.Fixed > one.Model.Dims() {
				reduced = append(reduced, one.Spec.Method().Name)
			}
			continue
		}
		var e *Error
		why := one.Err
		if errors.As(why, &e) && e.Param == "" {
			why = e.Err
		}
		fmt.Fprintf(&failed, "%s could not be fitted: %v\n", one.Spec.Method().Name, why)
	}
	slices.SortStableFunc(fitted, func(a, b Surveyed) int { return a.Model.Dims() - b.Model.Dims() })
	for k, one := range fitted {
		m, dims := one.Spec.Method(), fmt.Sprint(one.Model.Dims())
		if k > 0 && fitted[k-1].Model.Dims() != one.Model.Dims() {
			b.WriteString("\n")
		}
		if one.Fixed > one.Model.Dims() {
			dims += fmt.Sprintf("/%d", one.Fixed)
		}
		fmt.Fprintf(&b, row, m.Name, m.Supervision, m.Uses, score(one.Unlabelled), score(one.Test), score(one.Trustworthiness), dims, one.Took())
	}
	if len(fitted) > 0 && fitted[0].Model.data.NumLabelled() > 0 && !slices.ContainsFunc(fitted, func(one Surveyed) bool { return !math.IsNaN(one.Unlabelled) || !math.IsNaN(one.Test) }) {
		fmt.Fprintf(&b, "no accuracy: %s\n", hideSome(fitted[0].Model.data))
	}
	if reduced != nil {
		fmt.Fprintf(&b, "%s: one dimension per class (the number after the slash), reduced by PCA to the number before it\n", strings.Join(reduced, ", "))
	}
	return b.String() + failed.String()
}

// MustRun is Run for notebook cells: on failure it prints the error and ends the cell, see
// [Spec.MustFit].
func (b SurveyBuilder) MustRun() SurveyResult { return mustRun(b.Run) }

// Run fits and rates the methods one after another. Fits and their scores are cached, see
// [Remember]. If a method cannot be fitted, its entry holds the error. Run itself returns an error
// only for an invalid argument, for invalid training or test data, and if ctx ends. If ctx ends, it
// also returns the results so far, and the error wraps [ErrCancelled].
func (b SurveyBuilder) Run(ctx context.Context) (SurveyResult, error) {
	ctx = par.Context(ctx)
	if b.err != nil {
		return nil, b.err
	}
	fault := func(param string, err error) error {
		return &Error{Method: "Survey", Param: param, Err: classify(err), Remedy: remedyOf(err)}
	}
	if err := b.train.Err(); err != nil {
		return nil, fault("train", err)
	}
	if b.test != nil && b.test.Err() != nil {
		return nil, fault("test", b.test.Err())
	}
	common := b.dims
	for _, s := range b.methods {
		if s.method.has(dimsOption.Name) && b.dims == 0 {
			if d := s.Value("dims").(int); common == 0 || d < common {
				common = d
			}
		}
	}
	r := rater{train: b.train, test: b.test}
	var out SurveyResult
	for k, s := range b.methods {
		Notify(Event{Method: "Survey", Stage: s.method.Name, Done: k, Total: len(b.methods)})
		one := Surveyed{Spec: s, Unlabelled: math.NaN(), Test: math.NaN(), Trustworthiness: math.NaN()}
		one.Model, one.Err = s.FitContext(ctx, b.train)
		if one.Err == nil && !s.method.has(dimsOption.Name) {
			one.Fixed = one.Model.Dims()
			if common > 0 {
				one.Model, one.Err = one.Model.Reduce(common)
			}
		}
		if one.Err == nil {
			one.Time = one.Model.Report().Total()
			r.rate(ctx, &one)
		}
		if ctx.Err() != nil {
			return out, &Error{Method: "Survey", Err: fmt.Errorf("%w after %d of %s: %w", ErrCancelled, k, nouns.Count(len(b.methods), "method"), ctx.Err()), Remedy: remedyOf(ErrCancelled)}
		}
		if one.Err != nil {
			one.Model = nil // a failed fit may return an unfinished model
		}
		out = append(out, one)
	}
	Notify(Event{Method: "Survey", Stage: "done", Done: 1, Total: 1})
	return out, nil
}

// rater rates the models of a survey. It caches the scores on disk if fits are cached, see
// [Remember].
type rater struct {
	train, test *data.Data
	data        []byte // fingerprint of everything in train and test that the scores read
}

// key returns the cache key for the scores of a method.
func (r *rater) key(one *Surveyed) string {
	if r.data == nil {
		h := sha256.New()
		for _, d := range []*data.Data{r.train, r.test} {
			if d != nil {
				hashData(h, d)
				notes, scaling := d.Scaling().Encode()
				fmt.Fprintf(h, "|%v|%q|%q|", d.Truth, d.FeatureNames, notes)
				for _, name := range slices.Sorted(maps.Keys(scaling)) {
					hashMatrix(h, scaling[name])
				}
			}
		}
		r.data = h.Sum(nil)
	}
	h := sha256.New()
	fmt.Fprintf(h, "scores|%s|%s|%d|%x", codeVersion(), one.Spec.key(), one.Model.Dims(), r.data)
	return hex.EncodeToString(h.Sum(nil))
}

// rate sets the scores in the argument one. A score that cannot be computed stays NaN, also in the
// cache, because the key covers everything that the score or its error depends on.
func (r *rater) rate(ctx context.Context, one *Surveyed) {
	memo, key := currentMemo(), ""
	if memo != nil {
		key = r.key(one)
		if v := memo.readScores(key, 3); v != nil && !one.Spec.fresh {
			one.Unlabelled, one.Test, one.Trustworthiness = v[0], v[1], v[2]
			return
		}
	}
	if v, err := NearestNeighbor(one.Model, nil); err == nil {
		one.Unlabelled = v
	}
	if r.test != nil {
		if v, err := NearestNeighbor(one.Model, r.test); err == nil {
			one.Test = v
		}
	}
	if k := min(10, (r.train.Len()-1)/2); k > 0 {
		if v, err := metrics.Trustworthiness(ctx, r.train.X, one.Model.Embedding(), k); err == nil {
			one.Trustworthiness = v
		}
	}
	if memo != nil && ctx.Err() == nil {
		memo.writeScores(key, one.Unlabelled, one.Test, one.Trustworthiness)
	}
}
