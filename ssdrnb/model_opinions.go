package ssdrnb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
)

// knowledge holds the class probabilities of a model's samples, computed on first use.
type knowledge struct {
	cache *cache // holds the neighbour graph for the class probabilities and the suggestions

	mu       sync.Mutex
	found    bool
	opinions *Opinion
	err      error
}

func newKnowledge() *knowledge { return &knowledge{cache: newCache()} }

// ask returns the class probabilities. The first call computes them with the callback `find`.
func (k *knowledge) ask(find func() (*Opinion, error)) (*Opinion, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.found {
		k.opinions, k.err = find()
		k.found = true
	}
	return k.opinions, k.err
}

// asked returns the class probabilities if they have been computed, and nil otherwise.
func (k *knowledge) asked() *Opinion {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.opinions
}

// knowledgeJob returns a job (a computation in progress) on the model's samples. It also returns
// the settings for the neighbour search: the model's options "metric", "search" and "recall".
func (m *Model) knowledgeJob(ctx context.Context, name string) (*job, graph.SearchOptions, error) {
	j, err := sharedKnowledgeJob(ctx, name, m.data, m.knowledge.cache)
	if err != nil {
		return nil, graph.SearchOptions{}, err
	}
	options := newJob(ctx, m.spec, m.data, nil)
	if m.spec.method.has(searchOption.Name) {
		return j, searchOf(options), nil
	}
	return j, graph.SearchOptions{Metric: metricOf(options)}, nil
}

// Opinions returns the class probabilities of all training samples given their labels. Later calls
// return the same result.
//
// For [S2NE], the probabilities are those of the function [Opinions], with the model's metric and
// search for neighbours. They depend on neither the embedding nor its graph.
//
// For other methods with class scores, the probabilities are softmax(b·score). For methods that
// regress on the classes ([FME], [LapRLS], [LMRAG]), the score of a class is its fitted indicator.
// For the semi-Riemannian methods ([S3RMM], [KS3RMM]), it is minus the distance to the nearest
// labelled sample of the class in the embedding. The model is refitted up to five times with some
// of the labels left out, and the sharpness b is fitted to the labels that were left out. Over five
// data sets, the calibration error was 0.21, 0.13, 0.11 and 0.07 with 1, 2, 5 and 20 labels per
// class. For all other methods, and for a regression on a target, the error wraps [ErrNoOpinion];
// use the function [Opinions] instead. The other methods include the Gaussian process models
// ([GPLVM], [BCGPLVM], [SSGPLVM]), which model the features and provide no class likelihood.
//
// Save stores the probabilities of S2NE for data up to 10,000 samples and 100 classes, and those of
// any model for which Opinions has been called. For a loaded model without stored probabilities the
// error wraps [ErrNoOpinion]. If no training sample is labelled, the error wraps [ErrNeedsLabels].
//
// For new rows see [Model.Probabilities].
func (m *Model) Opinions() (*Opinion, error) {
	fault := func(err error, remedy string) error {
		return &Error{Method: m.Method(), Param: "Opinions", Err: err, Remedy: remedy}
	}
	if m.spec.method != s2ne && !m.scores() {
		return nil, fault(ErrNoOpinion, "call ssdrnb.Opinions with the data")
	}
	if !m.data.HasSamples() {
		if o := m.knowledge.asked(); o != nil {
			return o, nil
		}
		return nil, fault(fmt.Errorf("%w: the model file contains no class probabilities", ErrNoOpinion), "call ssdrnb.Opinions with the data that the model was fitted to")
	}
	return m.knowledge.ask(func() (*Opinion, error) {
		if m.scores() {
			return m.scoredOpinions(context.Background())
		}
		j, search, err := m.knowledgeJob(context.Background(), "Opinions")
		if err != nil {
			return nil, err
		}
		return opinionsOf(j, search)
	})
}

// Probabilities returns the m×c class probabilities of the new rows x (m×D, as for
// [Model.Transform]), with the classes in the order of [Opinion.Classes]. For [S2NE], each row is
// linked to its 14 nearest training samples, with the cubes of UMAP's weights. The random walks of
// the function [Opinions] reach the row from these samples, and end there, so the probabilities of
// the training samples do not change. A row has uniform probabilities if no label reaches any of
// the 14 samples. For the other methods of [Model.Opinions], the probabilities are softmax(b·score)
// of the embedded row.
//
// Errors are those of [Model.Opinions] and [Model.Transform]. A loaded model of S2NE has no graph,
// so the error wraps [ErrNoOpinion].
func (m *Model) Probabilities(x *mat.Dense) (*mat.Dense, error) {
	fault := func(err error, remedy string) error {
		return &Error{Method: m.Method(), Param: "Probabilities", Err: err, Remedy: remedy}
	}
	o, err := m.Opinions()
	if err != nil {
		return nil, err
	}
	if m.scores() {
		b, _ := o.report.Fact("sharpness")
		y, err := m.Transform(x)
		if err != nil {
			return nil, err
		}
		return walks.Softmax(m.classScores(y, o.classes), b), nil
	}
	if o.walks == nil {
		return nil, fault(fmt.Errorf("%w for new rows: the model file has no graph", ErrNoOpinion), "fit the model again, or call ssdrnb.Opinions with the old and the new rows together")
	}
	rows, err := m.newRows("Probabilities", x)
	if err != nil {
		return nil, err
	}
	m.warnOutside(x, rows)
	training := known(newJob(context.Background(), m.spec, m.data, nil))
	nb, err := training.Near(context.Background(), rows, min(opinionNeighbors, m.data.Len()))
	if err != nil {
		return nil, fault(classify(err), "remove rows for which the metric is undefined, such as rows of zeros with the cosine")
	}
	w, err := embed.FuzzyTo(nb, m.data.Len(), embed.PlainFuzzy.Connectivity)
	if err != nil {
		return nil, fault(fmt.Errorf("%w: %w", ErrNumerical, err), remedyOf(err))
	}
	return o.walks.Beyond(walks.Sharpened(w, opinionPower)), nil
}

// TiesCut returns, for each training sample, the share of its edge weight that Guidance(1) removes,
// in [0, 0.9]. Guidance reduces the weight of an edge if the labels predict different classes for
// its two ends. If the share is large, the position of the sample is doubtful. On five data sets
// TiesCut was better than [Opinion.Doubt] at finding samples that were placed in the wrong class:
// such samples often have a high probability, so that their Doubt is low. TiesCut detects neither a
// whole group with the wrong class nor regions that no label reaches.
//
// The model must be from [S2NE], fitted to labels with guidance above 0; otherwise the error wraps
// [ErrNoOpinion].
func (m *Model) TiesCut() ([]float64, error) {
	if m.ties == nil {
		remedy := "fit S2NE to data with labels and a guidance above 0"
		return nil, &Error{Method: m.Method(), Param: "TiesCut", Err: fmt.Errorf("%w: labels do not guide this model", ErrNoOpinion), Remedy: remedy}
	}
	return slices.Clone(m.ties), nil
}

// Suggest returns the rows of n unlabelled samples to label next, the most useful first. It returns
// all unlabelled samples if there are fewer than n, and at most 500. For n < 1 the error wraps
// [ErrOption], and for a model without unlabelled samples [ErrNoSuggestion]. If the model has a
// target and no labels, Suggest returns the samples to measure next.
//
// For most methods, Suggest computes the same suggestions as the function [Suggest], with the
// model's metric; the embedding is not used. A model file of a semi-Riemannian method ([S3RMM],
// [KS3RMM]) contains all its suggestions. A model file of [S2NE] contains ten suggestions, for data
// up to 10,000 samples and 100 classes. For other loaded models the error wraps [ErrNoSuggestion].
//
// The semi-Riemannian methods make their own suggestions during the fit; with pairs, they suggest
// unlabelled samples that are in no pair. They select samples one by one, each time the sample that
// lowers Σ_v (1 + z_v)·d_v² most. d_v is the distance of sample v to the nearest labelled or
// selected sample. z_v is the number of labelled samples whose metric tensor has a component for v
// below the threshold: v is neither clearly near to these samples nor clearly far from them.
// Section 6 of the paper suggests labelling the samples with the largest z_v. This does worse than
// random choice, because such samples are outliers whose labels do not help others.
func (m *Model) Suggest(n int) ([]int, error) {
	fault := func(value any, err error, remedy string) error {
		return &Error{Method: m.Method(), Param: "Suggest", Value: value, Err: err, Remedy: remedy}
	}
	switch {
	case n < 1:
		return nil, fault(n, fmt.Errorf("%w: the number of suggestions is below 1", ErrOption), "ask for at least one sample")
	case m.suggestions != nil:
		return slices.Clone(m.suggestions[:min(n, len(m.suggestions))]), nil
	case m.data.NumLabelled() == len(m.data.Labels) && len(m.data.Labels) > 0:
		return nil, fault(nil, fmt.Errorf("%w: all samples are labelled", ErrNoSuggestion), "fit to data with unlabelled samples, for example from Data.KeepLabels")
	case !m.data.HasSamples():
		return nil, fault(nil, fmt.Errorf("%w: the model file contains no suggestions", ErrNoSuggestion), "call ssdrnb.Suggest with the data that the model was fitted to")
	}
	j, search, err := m.knowledgeJob(context.Background(), "Suggest")
	if err != nil {
		return nil, err
	}
	return suggestionsOf(j, n, search)
}

// For a model of S2NE with at most mostSavedSamples samples and mostSavedClasses classes, Save
// computes the class probabilities, if necessary, and savedSuggestions suggestions. This takes at
// most a second.
const (
	mostSavedSamples = 10_000
	mostSavedClasses = 100
	savedSuggestions = 10
)

// savedKnowledge adds the class probabilities and suggestions to the arrays of a model file. It
// returns the report of the probabilities, or nil if there are none.
func (m *Model) savedKnowledge(arrays map[string]any) *Report {
	if m.spec.method != s2ne && !m.scores() {
		return nil
	}
	cheap := m.spec.method == s2ne && m.data.HasSamples() && m.data.Len() <= mostSavedSamples && len(m.data.Classes()) <= mostSavedClasses
	o := m.knowledge.asked()
	if cheap {
		// On failure nothing is saved; a later call of Opinions returns the error.
		if found, err := m.Opinions(); err == nil {
			o = found
		}
		if rows, err := m.Suggest(savedSuggestions); err == nil {
			arrays["suggestions"] = int64s(rows)
		}
	}
	if o == nil {
		return nil
	}
	arrays["probabilities"], arrays["predicted"] = o.probabilities, int64s(o.best)
	return o.report
}

// readKnowledge reads the class probabilities, the suggestions and the shares of [Model.TiesCut]
// from the arrays of a model file. `report` is the report of the probabilities.
func (m *Model) readKnowledge(report *Report, arrays map[string]*mat.Dense) error {
	m.knowledge = newKnowledge()
	n, _ := m.y.Dims()
	if a := arrays["suggestions"]; a != nil {
		rows, err := outofsample.Wholes(a, 0, n-1)
		if err != nil {
			return fmt.Errorf("the suggestions: %w", err)
		}
		// With pairs, S3RMM also suggests labelled samples that are in no pair.
		unlabelled := m.spec.method == s2ne && m.data.Labels != nil
		seen := map[int]bool{}
		for _, i := range rows {
			if seen[i] || unlabelled && m.data.Labels[i] != data.Unlabelled {
				return fmt.Errorf("sample %d is suggested twice or is labelled", i)
			}
			seen[i] = true
		}
		m.suggestions = rows
	}
	if a := arrays["ties_cut"]; a != nil {
		rows, columns := a.Dims()
		if rows != 1 || columns != n {
			return fmt.Errorf("the shares of ties cut are a %d×%d array, but must be 1×%d", rows, columns, n)
		}
		m.ties = a.RawRowView(0)
		for i, v := range m.ties {
			if !(v >= 0 && v <= 1) {
				return fmt.Errorf("the share of ties cut of sample %d is %v, but must lie between 0 and 1", i, v)
			}
		}
	}
	p := arrays["probabilities"]
	if p == nil {
		return nil
	}
	classes := m.data.Classes()
	if rows, columns := p.Dims(); rows != n || columns != len(classes) {
		return fmt.Errorf("probabilities are a %d×%d array, but there are %d samples and %d labelled classes", rows, columns, n, len(classes))
	}
	if report == nil || arrays["predicted"] == nil {
		return errors.New("the report or the predictions of the class probabilities are missing")
	}
	best, err := outofsample.Wholes(arrays["predicted"], -1, len(classes)-1)
	if err != nil {
		return fmt.Errorf("the predicted classes: %w", err)
	}
	if len(best) != n {
		return fmt.Errorf("there are %d predicted classes for %d samples", len(best), n)
	}
	for i, c := range best {
		row := p.RawRowView(i)
		sum, most := 0.0, slices.Max(row)
		for _, v := range row {
			sum += v
			if !(v >= 0 && v <= 1) {
				return fmt.Errorf("sample %d has the probability %v, but it must lie between 0 and 1", i, v)
			}
		}
		if !(math.Abs(sum-1) <= savedRounding) {
			return fmt.Errorf("the probabilities of sample %d sum to %v instead of 1", i, sum)
		}
		if c >= 0 && row[c] < most-savedRounding {
			return fmt.Errorf("the predicted class of sample %d has the probability %v, but another class has %v", i, row[c], most)
		}
	}
	m.knowledge.opinions, m.knowledge.found = &Opinion{data: m.data, classes: classes, probabilities: p, best: best, report: report}, true
	return nil
}

// savedRounding is the rounding error that readKnowledge tolerates in probabilities from a file.
const savedRounding = 1e-9
