package stage

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// labelled is data with the labels for the methods.
type labelled struct {
	d      *data.Data
	truth  []int
	labels []int
	// fresh are samples that no method is fitted to, with their classes; nil for none.
	fresh      *mat.Dense
	freshTruth []int
}

// result is the result of a method.
type result struct {
	y       *mat.Dense // the embedding
	all     *mat.Dense // the data in all features if y has only the first two
	answers []int      // the class that each sample gets, nil if nothing is labelled
	model   *ssdrnb.Model
	failed  error
	// fresh are the positions of the new samples, nil if the method cannot embed them. told are
	// their classes by the nearest labelled sample in the embedding.
	fresh *mat.Dense
	told  []int
}

// ask fits a method, with its options in spec, or follows a rule.
func (m BenchMethod) ask(ctx context.Context, spec ssdrnb.Spec, l *labelled) (*result, error) {
	r := &result{y: plane(l.d.X), all: l.d.X}
	told := slices.ContainsFunc(l.labels, func(c int) bool { return c >= 0 })
	var err error
	switch {
	case m.Method != nil:
		r.model, err = spec.FitContext(ctx, l.d)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			r.model, r.failed = nil, err
			return r, nil
		}
		r.y, r.all = r.model.Embedding(), nil
		if r.answers, err = answersBy(r.y, l.labels); err != nil {
			return nil, err
		}
		if l.fresh != nil {
			r.placeFresh(l)
		}
	case m.Rule == RuleRuler:
		r.answers, err = answersBy(l.d.X, l.labels)
	case m.Rule == RuleRumour && told:
		r.answers, err = answersByRumour(ctx, l.d.X, l.labels)
	}
	return r, err
}

// placeFresh embeds the new samples, if the method can.
func (r *result) placeFresh(l *labelled) {
	if y, err := r.model.Transform(l.fresh); err == nil {
		r.setFresh(l, y)
	}
}

// setFresh sets the positions of the new samples, and the class of the nearest labelled sample
// there.
func (r *result) setFresh(l *labelled, y *mat.Dense) {
	r.fresh = y
	var all mat.Dense
	all.Stack(r.y, y)
	n, m := len(l.labels), len(l.freshTruth)
	labels := append(slices.Clone(l.labels), slices.Repeat([]int{data.Unlabelled}, m)...)
	if answers, err := answersBy(&all, labels); err == nil && answers != nil {
		r.told = answers[n:]
	}
}

// plane returns the first two features.
func plane(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	return x.Slice(0, n, 0, min(d, 2)).(*mat.Dense)
}

// looks rings the labelled samples if others are unlabelled.
func (l *labelled) looks() string {
	looks := slices.Repeat([]byte{'.'}, len(l.labels))
	if slices.Contains(l.labels, data.Unlabelled) {
		for i, class := range l.labels {
			if class >= 0 {
				looks[i] = 'r'
			}
		}
	}
	return string(looks)
}
