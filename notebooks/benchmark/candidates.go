package main

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// candidate is what is rated.
type candidate struct {
	name string
	// fit maps the training side, and the test side where there is a rule for new samples.
	fit func(ctx context.Context, c cell, dims int, setting string) (*fitted, error)
	// tuned says that there are options to be chosen.
	tuned bool
}

// cell is a draw of a set.
type cell struct {
	set         string
	labels      int
	draw        int
	train, test *data.Data
}

// fitted is what a candidate gives.
type fitted struct {
	options     string
	given       int
	train, test *mat.Dense // nil where there is none
	// predicted has a class for each training sample and sure its probability; nil where a
	// candidate has none.
	predicted []int
	sure      []float64
	took      time.Duration
}

// candidates lists them: the methods of the registry, what is no map but needed beside the maps,
// and the methods of other libraries.
func candidates(p *peers) []candidate {
	var out []candidate
	for _, m := range ssdrnb.Methods() {
		out = append(out, candidate{name: m.Name, fit: byMethod(m), tuned: len(settings(m)) > 1})
	}
	out = append(out, candidate{name: baseline, fit: features}, candidate{name: "opinions", fit: opinions})
	return append(out, p.candidates()...)
}

// flat are the candidates to which the dimensions asked for do not matter: their rows stand at the
// first.
var flat = []string{baseline, "opinions", "LabelSpreading", "SelfTraining"}

// byMethod fits a method of the registry.
func byMethod(m *ssdrnb.Method) func(context.Context, cell, int, string) (*fitted, error) {
	return func(ctx context.Context, c cell, dims int, setting string) (*fitted, error) {
		began, spec := time.Now(), ssdrnb.New(m.Name)
		if setting == chosen {
			var err error
			if spec, err = choose(ctx, m, c, dims); err != nil {
				return nil, err
			}
		}
		model, err := fitSpec(ctx, spec, c.train, dims)
		if err != nil {
			return nil, err
		}
		f := &fitted{given: model.Dims(), train: model.Embedding(), took: time.Since(began)}
		for k, v := range spec.Changed() {
			if k > 0 {
				f.options += ", "
			}
			f.options += v
		}
		if y, err := model.Transform(c.test.X); err == nil {
			f.test = y
		} else if !errors.Is(err, ssdrnb.ErrNoTransform) {
			return nil, err
		}
		if o, err := model.Opinions(); err == nil {
			f.opine(o)
		} else if predicted, err := model.Predict(c.train.X); err == nil {
			f.predicted = predicted
		}
		return f, nil
	}
}

// opine takes over the classes of an opinion.
func (f *fitted) opine(o *ssdrnb.Opinion) {
	f.predicted = o.Predicted()
	p := o.Probabilities()
	for i := range f.predicted {
		f.sure = append(f.sure, slices.Max(p.RawRowView(i)))
	}
}

// fitSpec fits in the dimensions asked for, or in fewer where the method has no more for these
// classes. A method of fixed dimension is reduced.
func fitSpec(ctx context.Context, s ssdrnb.Spec, d *data.Data, dims int) (*ssdrnb.Model, error) {
	if _, sized := s.Method().Param("dims"); !sized {
		m, err := s.Fresh().FitContext(ctx, d)
		if err != nil {
			return nil, err
		}
		return m.Reduce(dims)
	}
	for {
		m, err := s.With("dims", dims).Fresh().FitContext(ctx, d)
		var fault *ssdrnb.Error
		if dims > 1 && errors.As(err, &fault) && fault.Param == "dims" {
			dims--
			continue
		}
		return m, err
	}
}

// The settings of a row.
const (
	usual  = "default"
	chosen = "chosen"
)

// validated is the least number of labels per class of which some can be hidden for a choice.
const validated = 5

// choose returns the setting whose nearest neighbours foretell the labels best that are hidden
// from it, of two draws of four in ten of those given. It sees no label that rates.
func choose(ctx context.Context, m *ssdrnb.Method, c cell, dims int) (ssdrnb.Spec, error) {
	best, top := ssdrnb.New(m.Name), math.Inf(-1)
	if c.labels < validated {
		return best, nil
	}
	for _, s := range settings(m) {
		sum := 0.0
		for v := range 2 {
			model, err := fitSpec(ctx, s, hidingOf(c.train, uint64(10*c.draw+v)), dims)
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
			best, top = s, sum
		}
	}
	return best, nil
}

// hidingOf hides four in ten of the labels that are given; Seed would draw those given again.
func hidingOf(d *data.Data, seed uint64) *data.Data {
	return d.WithDraw(data.Draw{Seed: seed}).Validation(0.4)
}

// left are options that a choice leaves at their defaults: those of computation and chance.
var left = []string{"dims", "seed", "recall", "iterations", "rounds", "steps", "jitter", "inducing", "restarts",
	"learning rate", "negative sample rate", "early exaggeration", "early iterations", "momentum", "drawn pairs",
	"rank", "cut", "decay", "delta", "radius", "regularization", "local connectivity", "mix ratio", "spread",
	"clusters", "slices", "degree", "repulsion", "label weight", "include self"}

// settings are the default first, and then the first three options that weigh something, one at a
// time: smaller and larger. Counts are halved and doubled, shares go half of the way to their
// bounds, and weights are divided and multiplied by ten.
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
			case v < o.Min || v > o.Max: // Auto
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

// features is no map: the samples as they are.
func features(_ context.Context, c cell, _ int, _ string) (*fitted, error) {
	return &fitted{given: c.train.NumFeatures(), train: c.train.X, test: c.test.X}, nil
}

// opinions is no map: what the labels say of the other samples.
func opinions(ctx context.Context, c cell, _ int, _ string) (*fitted, error) {
	began := time.Now()
	o, err := ssdrnb.Opinions(ctx, c.train)
	if err != nil {
		return nil, err
	}
	f := &fitted{took: time.Since(began)}
	f.opine(o)
	return f, nil
}
