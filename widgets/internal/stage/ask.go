package stage

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// labelled contains data with the labels that are visible to the methods.
type labelled struct {
	d      *data.Data
	truth  []int
	labels []int
	// fresh contains samples that are not used in fits, and freshTruth contains their classes. Both
	// are nil if there are no such samples.
	fresh      *mat.Dense
	freshTruth []int
}

type result struct {
	y        *mat.Dense // embedding
	features *mat.Dense // for rules: all features of the data; y contains the first two
	answers  []int      // class predicted for each sample; nil without labels and for RuleData
	model    *ssdrnb.Model
	failed   error
	// fresh contains the positions of the new samples. told contains, for each of them, the class
	// of the nearest labelled sample in the embedding. Both are nil if the method cannot embed new
	// samples.
	fresh *mat.Dense
	told  []int
}

// ask fits a method, or applies a rule, to the data. If the fit fails, the result contains the
// error.
func (m BenchMethod) ask(ctx context.Context, spec ssdrnb.Spec, l *labelled) (*result, error) {
	r := &result{y: plane(l.d.X), features: l.d.X}
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
		r.y, r.features = r.model.Embedding(), nil
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

// placeFresh embeds the new samples if the method can embed new samples.
func (r *result) placeFresh(l *labelled) {
	if y, err := r.model.Transform(l.fresh); err == nil {
		r.setFresh(l, y)
	}
}

// setFresh sets the positions of the new samples. It also predicts the class of each new sample by
// the nearest labelled sample in the embedding.
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

// plane returns the first two columns of x, or its only column.
func plane(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	return x.Slice(0, n, 0, min(d, 2)).(*mat.Dense)
}

// looks returns the looks of the samples, see Samples.Looks. Labelled samples have a ring unless
// all are labelled.
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
