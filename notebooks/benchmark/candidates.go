package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// candidate is a method to be rated. It may be from this library or another.
type candidate struct {
	name string
	// fit embeds the training samples, and the test samples if the method can embed new samples.
	fit func(ctx context.Context, c cell, dims int) (*fitted, error)
	// settings are the sets of options to compare, the default first; nil if the method is not in
	// the registry.
	settings []ssdrnb.Spec
	// tasks are the tasks in which the candidate is rated.
	tasks []string
	// blind means that the method reads only the samples, so that one fit can be used with all
	// choices of known values.
	blind bool
}

// cell is one random draw of training and test samples from a data set, with known values of one
// kind.
type cell struct {
	set string
	amount
	draw        int
	train, test *data.Data
}

// fitted is the result of fitting a candidate.
type fitted struct {
	options     string     // options that differ from the defaults
	given       int        // number of dimensions of train and test
	train, test *mat.Dense // embeddings of the training and the test samples; nil if missing
	// predicted contains the predicted class of each training sample, and sure the probability of
	// this class. predicted is nil if the candidate predicts no classes. sure is nil if it
	// estimates no probabilities.
	predicted []int
	sure      []float64
	took      time.Duration // processor time of the fit
	plain     bool          // train and test are the features and not an embedding
}

// candidates lists the methods of the registry, two baselines that are not embeddings, and the
// methods of other libraries.
func candidates(p *peers) []candidate {
	var out []candidate
	for _, m := range ssdrnb.Methods() {
		c := candidate{name: m.Name, fit: byMethod(m), settings: settings(m), blind: m.Uses == ssdrnb.NoKnowledge}
		for _, task := range []string{byLabels, byPairs, byTarget} {
			if reads(m.Uses, task) {
				c.tasks = append(c.tasks, task)
			}
		}
		out = append(out, c)
	}
	out = append(out, candidate{name: baseline, fit: features, blind: true, tasks: []string{byLabels, byPairs, byTarget}},
		candidate{name: "opinions", fit: opinions, tasks: []string{byLabels}})
	return append(out, p.candidates()...)
}

// reads reports whether a method takes part in a task. It does if it uses the kind of values that
// are known in the task, or if it needs no known values.
func reads(uses ssdrnb.Knowledge, task string) bool {
	switch uses {
	case ssdrnb.NoKnowledge, ssdrnb.LabelsIfAny, ssdrnb.IfAny, ssdrnb.AllIfAny, ssdrnb.FromAnyOrTarget:
		return true
	case ssdrnb.FromPairs:
		return task == byPairs
	case ssdrnb.FromBoth:
		return task != byTarget
	case ssdrnb.FromLabelsOrTarget:
		return task != byPairs
	}
	return task == byLabels
}

// flat lists the candidates whose result does not depend on the requested number of dimensions.
// They are measured only for the first number in plan.dims.
var flat = []string{baseline, "opinions", "LabelSpreading", "SelfTraining"}

// byMethod returns a function that fits a method of the registry with its defaults.
func byMethod(m *ssdrnb.Method) func(context.Context, cell, int) (*fitted, error) {
	return func(ctx context.Context, c cell, dims int) (*fitted, error) {
		return fitOne(ctx, ssdrnb.New(m.Name).Fresh(), c, dims)
	}
}

func fitOne(ctx context.Context, spec ssdrnb.Spec, c cell, dims int) (*fitted, error) {
	began := processorTime()
	model, err := fitSpec(ctx, spec, c.train, dims)
	if err != nil {
		return nil, err
	}
	f := &fitted{options: optionsOf(spec), given: model.Dims(), train: model.Embedding(), took: processorTime() - began}
	if y, err := model.Transform(c.test.X); err == nil {
		f.test = y
	} else if !errors.Is(err, ssdrnb.ErrNoTransform) {
		return nil, err
	}
	if c.task != byLabels {
		return f, nil
	}
	if o, err := model.Opinions(); err == nil {
		f.opine(o)
	} else if predicted, err := model.Predict(c.train.X); err == nil {
		f.predicted = predicted
	}
	return f, nil
}

// optionsOf formats the options that differ from the defaults.
func optionsOf(s ssdrnb.Spec) string {
	var parts []string
	for _, name := range s.Changed() {
		parts = append(parts, fmt.Sprintf("%s = %v", name, s.Value(name)))
	}
	return strings.Join(parts, ", ")
}

// opine stores the classes predicted in o, and their probabilities.
func (f *fitted) opine(o *ssdrnb.Opinion) {
	f.predicted = o.Predicted()
	p := o.Probabilities()
	for i := range f.predicted {
		f.sure = append(f.sure, slices.Max(p.RawRowView(i)))
	}
}

// fitSpec fits a method with the requested number of dimensions, or with the largest number that it
// allows. If a method has no option dims, its embedding is reduced afterwards.
func fitSpec(ctx context.Context, s ssdrnb.Spec, d *data.Data, dims int) (*ssdrnb.Model, error) {
	if _, sized := s.Method().Param("dims"); !sized {
		m, err := s.FitContext(ctx, d)
		if err != nil {
			return nil, err
		}
		return m.Reduce(dims)
	}
	for {
		m, err := s.With("dims", dims).FitContext(ctx, d)
		var fault *ssdrnb.Error
		if dims > 1 && errors.As(err, &fault) && fault.Param == "dims" {
			dims--
			continue
		}
		return m, err
	}
}

// The values in the column `setting`: "default" for the defaults, and "chosen" for the options
// chosen by [choose]. Each alternative to the defaults also has a row of its own, "tried 1" and so
// on. These rows do not influence the choice.
const (
	usual  = "default"
	chosen = "chosen"
	trying = "tried "
)

// validated is the minimum number of labels per class for a choice of options, because the choice
// hides some of the labels.
const validated = 5

// choose returns the index of the best setting. It hides 40 % of the given labels in each of two
// draws, and compares how well the nearest labelled sample in the map predicts the hidden labels.
// It returns 0, the default, if too few labels are given or if all settings fail. The labels by
// which the candidates are rated are not used. The fits share all work that does not depend on the
// setting.
func choose(ctx context.Context, all []ssdrnb.Spec, c cell, dims int) (int, error) {
	best, top := 0, math.Inf(-1)
	if !c.tunable() {
		return best, nil
	}
	var hidden [2]*data.Data
	for v := range hidden {
		hidden[v] = hidingOf(c.train, uint64(10*c.draw+v))
	}
	for k, s := range all {
		sum := 0.0
		for _, d := range hidden {
			model, err := fitSpec(ctx, s, d, dims)
			if ctx.Err() != nil {
				return best, ctx.Err()
			}
			if err != nil {
				sum = math.Inf(-1)
				break
			}
			right, err := ssdrnb.NearestNeighbor(model, nil)
			if err != nil {
				return best, err
			}
			sum += right
		}
		if sum > top {
			best, top = k, sum
		}
	}
	return best, nil
}

// tunable reports whether there are enough labels to hide some for the choice of options.
func (c cell) tunable() bool { return c.task == byLabels && c.n >= validated }

// hidingOf hides 40 % of the given labels. Seed, unlike WithDraw, would draw the given labels anew.
func hidingOf(d *data.Data, seed uint64) *data.Data {
	return d.WithDraw(data.Draw{Seed: seed}).Validation(0.4)
}

// left lists the options that the function `settings` leaves at their defaults, such as the seed
// and the numbers of iterations.
var left = []string{"dims", "seed", "recall", "iterations", "rounds", "steps", "jitter", "inducing", "restarts",
	"learning rate", "negative sample rate", "early exaggeration", "early iterations", "momentum", "drawn pairs",
	"rank", "cut", "decay", "delta", "radius", "regularization", "local connectivity", "mix ratio", "spread",
	"clusters", "slices", "degree", "repulsion", "label weight", "include self"}

// settings returns the default, followed by settings in which one option is smaller or larger. It
// varies the first three numeric options that are not in left. Counts are halved and doubled,
// shares are moved half-way to each of their bounds, and weights are divided and multiplied by ten.
func settings(m *ssdrnb.Method) []ssdrnb.Spec {
	usual := ssdrnb.New(m.Name)
	out := []ssdrnb.Spec{usual}
	options := 0
	for _, o := range m.Params {
		if o.Setter == "" || slices.Contains(left, o.Name) || options == 3 {
			continue
		}
		var values []any
		switch v := o.Default.(type) {
		case int:
			if v > 1 {
				values = []any{v / 2, 2 * v}
			}
		case float64:
			switch {
			case v < o.Min || v > o.Max: // the default v means an automatic choice
			case o.Max <= 1 && !o.Log:
				values = []any{(v + max(o.Min, 0.01)) / 2, (v + o.Max) / 2}
			case v > 0:
				values = []any{v / 10, 10 * v}
			}
		}
		if len(values) == 0 {
			continue
		}
		options++
		for _, v := range values {
			if s := usual.With(o.Name, v); s.Err() == nil && v != o.Default {
				out = append(out, s)
			}
		}
	}
	return out
}

// features is the baseline that uses the features instead of an embedding.
func features(_ context.Context, c cell, _ int) (*fitted, error) {
	return &fitted{given: c.train.NumFeatures(), train: c.train.X, test: c.test.X, plain: true}, nil
}

// opinions is the baseline that predicts the classes of unlabelled samples without an embedding, by
// ssdrnb.Opinions.
func opinions(ctx context.Context, c cell, _ int) (*fitted, error) {
	began := processorTime()
	o, err := ssdrnb.Opinions(ctx, c.train)
	if err != nil {
		return nil, err
	}
	f := &fitted{took: processorTime() - began}
	f.opine(o)
	return f, nil
}
