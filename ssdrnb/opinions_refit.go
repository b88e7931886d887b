package ssdrnb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
)

// mostRefits is the maximum number of folds into which the labels are divided, with one refit for
// each fold.
const mostRefits = 5

// usualScoreSharpness is the sharpness b in softmax(b·score) if no label can be left out to fit it.
// On five data sets, values from 2 to 4 had equal calibration errors.
const usualScoreSharpness = 3

// regresses reports whether the method is a regression onto class indicators: the embedding has one
// column for each class, with values near 1 for samples of the class and near 0 for others.
func (m *Model) regresses() bool {
	return slices.Contains([]*Method{fme, laprls, lmrag}, m.spec.method)
}

// scores reports whether the class probabilities of the model are computed from its own class
// scores, see classScores.
func (m *Model) scores() bool {
	return !m.ofTarget() && (m.regresses() || slices.Contains([]*Method{s3rmm, ks3rmm}, m.spec.method))
}

// classScores returns the scores of the classes at the positions y in the model's embedding, one
// row per position. They are the values of the regression, or the negative distances to the nearest
// labelled sample of each class. Scores are scaled so that, on average over the samples of the
// model, the largest score exceeds the mean over all classes by 1.
func (m *Model) classScores(y *mat.Dense, classes []int) *mat.Dense {
	score := m.nearness
	if m.regresses() {
		score = func(y *mat.Dense, _ []int) *mat.Dense { return mat.DenseCopyOf(y) }
	}
	lead := 0.0
	all := score(m.y, classes)
	n, c := all.Dims()
	for i := range n {
		row := all.RawRowView(i)
		lead += (slices.Max(row) - mat.Sum(all.RowView(i))/float64(c)) / float64(n)
	}
	if y != m.y {
		all = score(y, classes)
	}
	if lead > 0 {
		all.Scale(1/lead, all)
	}
	return all
}

// nearness returns, for each position and class, the negative distance to the nearest labelled
// sample of the class.
func (m *Model) nearness(y *mat.Dense, classes []int) *mat.Dense {
	n, _ := y.Dims()
	out := mat.NewDense(n, len(classes), nil)
	for i := range n {
		row := out.RawRowView(i)
		for c := range row {
			row[c] = math.Inf(-1)
		}
		for k, label := range m.data.Labels {
			if label != data.Unlabelled {
				c := slices.Index(classes, label)
				row[c] = max(row[c], -math.Sqrt(samples.SquaredDistance(y.RawRowView(i), m.y.RawRowView(k))))
			}
		}
	}
	return out
}

// scoredOpinions returns the class probabilities of a model with class scores. The labels are
// divided into at most five folds, and for each fold the model is refitted without this fold. The
// sharpness b of softmax(b·score) is fitted to the left-out labels.
func (m *Model) scoredOpinions(ctx context.Context) (*Opinion, error) {
	d := m.data
	j := newJob(ctx, Spec{method: &Method{Name: "Opinions", Uses: NoKnowledge}}, d, nil)
	j.start()
	classes := d.Classes()
	if len(classes) == 0 {
		return nil, &Error{Method: m.Method(), Param: "Opinions", Err: ErrNeedsLabels, Remedy: "fit the model to data with labels"}
	}
	if _, columns := m.y.Dims(); m.regresses() && columns != len(classes) {
		return nil, &Error{Method: m.Method(), Param: "Opinions", Err: fmt.Errorf("%w: the embedding has %s for %s", ErrNoOpinion, nouns.Count(columns, "column"), nouns.Count(len(classes), "class")), Remedy: "call Opinions on the original model, not on the result of Reduce"}
	}
	if err := j.begin("refits"); err != nil {
		return nil, err
	}
	var scores [][]float64
	var truth []int
	left := partsOfLabels(d)
	for _, rows := range left {
		labels := slices.Clone(d.Labels)
		for _, i := range rows {
			labels[i] = data.Unlabelled
		}
		without, err := m.spec.FitContext(ctx, d.WithLabels(labels))
		if errors.Is(err, ErrCancelled) {
			return nil, err
		}
		if err != nil {
			j.warn("the refit of %s without %s failed: %v", m.Method(), nouns.Count(len(rows), "label"), err)
			continue
		}
		s := without.classScores(without.y, classes)
		for _, i := range rows {
			scores, truth = append(scores, slices.Clone(s.RawRowView(i))), append(truth, slices.Index(classes, d.Labels[i]))
		}
	}
	b, _ := walks.Sharpness(scores, truth, usualScoreSharpness)
	j.stop()
	j.fact("sharpness", b)
	j.fact("labels left out", float64(len(truth)))
	p := walks.Softmax(m.classScores(m.y, classes), b)
	best := make([]int, d.Len())
	for i := range best {
		row := p.RawRowView(i)
		best[i] = slices.Index(row, slices.Max(row))
	}
	return &Opinion{data: d, classes: classes, probabilities: p, best: best, report: j.report}, nil
}

// partsOfLabels divides the labelled samples into folds, stratified by class. It leaves out classes
// with a single label, so that every class keeps a label when a fold is left out.
func partsOfLabels(d *data.Data) [][]int {
	count := map[int]int{}
	for _, l := range d.Labels {
		if l != data.Unlabelled {
			count[l]++
		}
	}
	most := 0
	for _, c := range count {
		most = max(most, c)
	}
	parts := min(mostRefits, most)
	if parts < 2 {
		return nil
	}
	out, seen := make([][]int, parts), map[int]int{}
	for i, l := range d.Labels {
		if l != data.Unlabelled && count[l] > 1 {
			out[seen[l]%parts] = append(out[seen[l]%parts], i)
			seen[l]++
		}
	}
	return slices.DeleteFunc(out, func(rows []int) bool { return len(rows) == 0 })
}
