package ssdrnb

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/riemann"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Inference from a few labels without an embedding. [Opinions] returns class probabilities,
// [Suggest] returns the samples to label next, and [Suspicions] returns the labels that contradict
// others. All three use random walks on the same graph of the samples.

// opinionNeighbors is the number of neighbours of a sample in the graph, and opinionPower the power
// to which UMAP's edge weights are raised. Over ten data sets with 1 to 20 labels per class, these
// values predicted more hidden labels than 14 neighbours with power 2, and in 35 of 37 cases more
// than 6 neighbours with power 1.
const opinionNeighbors, opinionPower = 14, 3

// Opinion holds the class probabilities of all samples, given the labels of some. It is immutable
// and safe for concurrent use.
type Opinion struct {
	data          *data.Data
	classes       []int // class of each column, ascending
	probabilities *mat.Dense
	best          []int          // column of the predicted class, −1 for no prediction
	walks         *walks.Opinion // nil if read from a file, because files do not store the graph
	report        *Report
}

// Opinions propagates the labels of d along the neighbour graph of its samples and returns the
// class probabilities of every sample. It computes no embedding and does not read hidden labels.
//
// Source: Calder, Cook, Thorpe, Slepčev, "Poisson learning", ICML 2020, here with walks of finite
// length; the probabilities were developed for this library.
//
// Method: the edges of the graph are the 14 nearest neighbours with the cubes of UMAP's weights.
// Walks start at the m labelled samples and continue with probability 1 − m/(n+1) at each step. The
// share of a class at a sample is the fraction of the walks through the sample that started at
// labels of this class. The prior of a class is its fraction of the labels. The probabilities are
// softmax(b·(share − prior)). The sharpness b is fitted to up to 200 left-out labels, and shrunk
// towards 8 if there are few.
//
// Cost: one sparse linear system for each class, and for each left-out label.
//
// Fails: the probabilities are only as good as the graph. With one label per class no label can be
// left out. The probabilities of the predicted classes are then too low, or too high if classes
// overlap in the graph. Samples in a component of the graph without labels have uniform
// probabilities and no predicted class. A class without any label is never predicted.
//
// The data d must have at least one label, otherwise the error wraps [ErrNeedsLabels].
func Opinions(ctx context.Context, d *data.Data) (*Opinion, error) {
	ctx = par.Context(ctx)
	j, err := knowledgeJob(ctx, "Opinions", d)
	if err != nil {
		return nil, err
	}
	return opinionsOf(j, graph.SearchOptions{})
}

// knowledgeJob validates d and returns a job for functions that compute no embedding, such as
// [Opinions] and [Clusters]. A job is a computation in progress.
func knowledgeJob(ctx context.Context, name string, d *data.Data) (*job, error) {
	return sharedKnowledgeJob(ctx, name, d, newCache())
}

// sharedKnowledgeJob is knowledgeJob with the cache c, which may hold the graph from earlier calls
// for the same samples.
func sharedKnowledgeJob(ctx context.Context, name string, d *data.Data, c *cache) (*job, error) {
	takes := neighborhoods
	if name == clustersName {
		takes = allDistances
	}
	j := newJob(ctx, Spec{method: &Method{Name: name, Uses: NoKnowledge, takes: takes}}, d, c)
	if d == nil {
		return nil, j.fault("data", nil, fmt.Errorf("%w: the data are nil", ErrData), "pass data from NewData or package datasets")
	}
	if err := j.check(); err != nil {
		return nil, err
	}
	j.start()
	return j, nil
}

func opinionsOf(j *job, search graph.SearchOptions) (*Opinion, error) {
	d := j.data
	classes := d.Classes()
	switch len(classes) {
	case 0:
		return nil, j.fault("labels", nil, fmt.Errorf("%w: no sample is labelled", ErrNeedsLabels), "label some samples with Data.WithLabels; ssdrnb.Suggest proposes which to label first")
	case 1:
		j.warn("all labels are of class %s: one class gives no information about the others", d.ClassName(classes[0]))
	}
	w, err := opinionGraph(j, search)
	if err != nil {
		return nil, j.explain(err)
	}
	if err := j.begin("walks"); err != nil {
		return nil, j.explain(err)
	}
	labels, count := classesFromZero(d)
	memory, err := shared(j.work, memoryStep{w})
	if err != nil {
		return nil, j.explain(err)
	}
	o, err := walks.Opinions(j.ctx, w, labels, count, walks.Options{Memory: memory})
	j.stop()
	if err != nil {
		return nil, j.explain(err)
	}
	if u := o.Unreached(); u > 0 {
		j.warn("%s without a label: %s unknown; label a sample of each component, for example those that Suggest proposes", nouns.Number(u, "sample lies in a component of the graph", "samples lie in components of the graph"), nouns.Form(u, "its class is", "their classes are"))
	}
	if !o.Converged {
		j.warn("the class probabilities did not converge, probably because the graph is nearly disconnected: they may be inaccurate")
	}
	j.fact("sharpness", o.Sharpness)
	j.fact("labels left out", float64(o.Checked))
	return &Opinion{d, classes, o.Probabilities(), o.Predicted(), o, j.report}, nil
}

// opinionGraph returns the graph along which labels are propagated.
func opinionGraph(j *job, search graph.SearchOptions) (*sparse.CSR, error) {
	if err := j.begin("graph"); err != nil {
		return nil, err
	}
	nb, err := shared(j.work, neighborsStep{points: j.x(), k: min(opinionNeighbors, j.availableNeighbors()), search: search})
	if err != nil {
		return nil, err
	}
	return carriers(j, nb)
}

// carriers returns the graph along which labels are propagated. It links each sample to its
// neighbours in nb, but to at most opinionNeighbors of them. Its weights are UMAP's weights to the
// power opinionPower.
func carriers(j *job, nb *graph.Neighbors) (*sparse.CSR, error) {
	nb, err := head(j, nb, opinionNeighbors)
	if err != nil {
		return nil, err
	}
	w, err := shared(j.work, fuzzyWeights{nb, embed.PlainFuzzy})
	if err != nil {
		return nil, err
	}
	return shared(j.work, sharpenedStep{w})
}

type sharpenedStep struct{ graph *sparse.CSR }

func (s sharpenedStep) run(*work) (*sparse.CSR, error) {
	return walks.Sharpened(s.graph, opinionPower), nil
}

// memoryStep returns a cache of results about walks on a graph. Repeated calls of Opinions on the
// same samples, with different labels, share this cache.
type memoryStep struct{ graph *sparse.CSR }

func (s memoryStep) run(*work) (*walks.Memory, error) { return walks.NewMemory(s.graph), nil }

// Classes returns the class of each column of Probabilities, ascending.
func (o *Opinion) Classes() []int { return slices.Clone(o.classes) }

// Labels returns the labels on which the opinions are based, with [data.Unlabelled] for unlabelled
// samples.
func (o *Opinion) Labels() []int { return slices.Clone(o.data.Labels) }

// Probabilities returns the n×c class probabilities, one sample per row and one class per column in
// the order of Classes. Each row sums to 1, and is uniform if the sample's component of the graph
// has no label. The probabilities of a labelled sample include the effect of its own label.
func (o *Opinion) Probabilities() *mat.Dense { return mat.DenseCopyOf(o.probabilities) }

// Predicted returns the most probable class of each sample, or [data.Unlabelled] if the sample's
// component of the graph has no label. Labelled samples keep their label.
func (o *Opinion) Predicted() []int {
	out := slices.Clone(o.best)
	for i, c := range out {
		if c >= 0 {
			out[i] = o.classes[c]
		}
		if l := o.data.Labels[i]; l >= 0 {
			out[i] = l
		}
	}
	return out
}

// Doubt returns, for each sample, 1 minus its largest class probability, in [0, 1 − 1/c] for c
// classes.
func (o *Opinion) Doubt() []float64 {
	out := make([]float64, len(o.data.Labels))
	for i := range out {
		out[i] = 1 - slices.Max(o.probabilities.RawRowView(i))
	}
	return out
}

// Unreached returns the number of samples in components of the graph without labels.
func (o *Opinion) Unreached() int {
	n := 0
	for _, c := range o.best {
		if c < 0 {
			n++
		}
	}
	return n
}

// ExpectedAccuracy estimates the share of unlabelled samples whose predicted class is correct. The
// estimate is the mean, over these samples, of the probability of the predicted class; samples that
// no label reaches have no predicted class and count as 0. It is NaN if all samples are labelled,
// or if all labels are of one class, because nothing is known about other classes. Over twelve data
// sets the mean error of the estimate was 0.03 with 50 or more labels selected by [Suggest], and
// 0.06 with 20; with one label per class the estimate is about 0.1 too low.
func (o *Opinion) ExpectedAccuracy() float64 {
	sum, count := 0.0, 0
	for i, v := range o.Doubt() {
		if o.data.Labels[i] < 0 {
			count++
			if o.best[i] >= 0 {
				sum += 1 - v
			}
		}
	}
	if len(o.classes) < 2 {
		return math.NaN()
	}
	return sum / float64(count)
}

// Agreement returns Cohen's κ between the predicted classes of two opinions on the same samples,
// see [metrics.CohenKappa]. The error wraps [ErrData] if `with` is nil or has a different number of
// samples. If labels are added ten at a time, κ ≥ 0.97 twice in a row means that the last 20 labels
// hardly changed any prediction.
func (o *Opinion) Agreement(with *Opinion) (float64, error) {
	fault := func(err error) error {
		return &Error{Method: "Opinions", Param: "Agreement", Err: err, Remedy: "compare opinions on the same samples"}
	}
	if with == nil {
		return 0, fault(fmt.Errorf("%w: the other opinions are nil", ErrData))
	}
	kappa, err := metrics.CohenKappa(o.Predicted(), with.Predicted())
	if err != nil {
		return 0, fault(fmt.Errorf("%w: %w", ErrData, err))
	}
	return kappa, nil
}

// Reason is one contribution to the class probabilities of a sample.
type Reason struct {
	// Row is a labelled sample, or a neighbour in the graph.
	Row int
	// Class is the label of a labelled sample, or the class whose labels send the most walks
	// through the neighbour.
	Class int
	// Weight is the share of the walks through the explained sample that come from Row, in (0, 1].
	Weight float64
}

// Reasons returns the contributions to the class probabilities of the sample with index row, the
// largest first. labels are the labelled samples whose walks pass the sample, and neighbors are the
// graph neighbours from which the walks arrive. `most` limits the length of each list. The sample's
// own label is excluded. Both lists are empty if no other label reaches the sample. The error wraps
// [ErrOption] if `row` or `most` is out of range. Opinions from a model file, or from the class
// scores of a method, have no graph; the error then wraps [ErrData].
func (o *Opinion) Reasons(ctx context.Context, row, most int) (labels, neighbors []Reason, err error) {
	ctx = par.Context(ctx)
	fault := func(param string, value any, err error, remedy string) error {
		return &Error{Method: "Opinions", Param: param, Value: value, Err: err, Remedy: remedy}
	}
	n := o.data.Len()
	switch {
	case o.walks == nil:
		return nil, nil, fault("row", row, fmt.Errorf("%w: these opinions have no graph of the samples", ErrData), "call ssdrnb.Opinions with the data that the model was fitted to")
	case row < 0 || row >= n:
		return nil, nil, fault("row", row, fmt.Errorf("%w: the data have %s", ErrOption, nouns.Count(n, "sample")), fmt.Sprintf("give a row from 0 to %d", n-1))
	case most < 1:
		return nil, nil, fault("most", most, fmt.Errorf("%w: the number of reasons is below 1", ErrOption), "ask for at least one reason")
	}
	byLabel, byEdge, err := o.walks.Reasons(ctx, row)
	if err != nil {
		err = ended(ctx, err)
		return nil, nil, fault("row", row, err, remedyOf(err))
	}
	first := func(all []walks.Reason) []Reason { return o.named(all[:min(most, len(all))]) }
	return first(byLabel), first(byEdge), nil
}

// ended returns err, or an error that wraps [ErrCancelled] if ctx has ended.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%w during the walks: %w", ErrCancelled, ctx.Err())
	}
	return err
}

// Report returns the report of the computation. Treat it as read-only.
func (o *Opinion) Report() *Report { return o.report }

// String returns a summary: labels, samples by predicted class, the expected accuracy, and
// warnings.
func (o *Opinion) String() string {
	var b strings.Builder
	labelled := o.data.NumLabelled()
	fmt.Fprintf(&b, "opinions of %s on %s", nouns.Count(labelled, "label"), nouns.Count(len(o.best)-labelled, "unlabelled sample"))
	if a := o.ExpectedAccuracy(); !math.IsNaN(a) {
		fmt.Fprintf(&b, ", %.0f %% of them expected to be right", 100*a)
	}
	b.WriteString("\n")
	count := map[int]int{}
	for _, c := range o.Predicted() {
		count[c]++
	}
	for _, c := range o.classes {
		fmt.Fprintf(&b, "  %-20s %6d\n", o.data.ClassName(c), count[c])
	}
	for _, w := range o.report.Warnings {
		b.WriteString("warning: " + w + "\n")
	}
	return b.String()
}

// Suggest returns the rows of up to n unlabelled samples to label next, the most useful first. It
// returns at most 500 rows. It needs no labels, classes or embedding, and uses no random numbers.
//
// Method: walks on the graph of [Opinions] end at the first label, or after T = max(2, 3·min(N,
// 5000)/(m+10)) steps on average, for m labels of N samples. The score of a sample is the mean
// doubt of the samples within √T steps. While there are fewer than ten labels and suggestions in
// total, doubt is the probability that a walk meets no label. From then on, it is 1 minus the
// difference between the probabilities of the two most probable classes. Later samples of a batch
// avoid regions that earlier samples cover. On 14 data sets, batches of ten suggestions were nearly
// as good as single suggestions. From 20 labels on, single suggestions were as good as twice as
// many random labels on five of six data sets.
//
// For data with a target ([data.Data.WithTarget]) and without labels, Suggest returns the samples
// to measure next: those in whose neighbourhood walks are least likely to meet a sample with a
// known value. The variance from [Model.Carried] is not used. On 23 data sets with 10 to 20 known
// values, hidden values were predicted from measurements of random samples, of the suggested
// samples, and of the samples with the largest variance. Compared with random samples, predictions
// were better on 19 sets with the suggested samples, but worse on 21 with those of largest
// variance.
//
// Fails: if neighbours often differ in class, as for faces under changing light, suggestions are no
// better than random samples. Fewer labels than classes cannot cover all classes.
//
// For n < 1 the error wraps [ErrOption]. If all samples are labelled, or all values of the target
// are known, it wraps [ErrNoSuggestion].
func Suggest(ctx context.Context, d *data.Data, n int) ([]int, error) {
	ctx = par.Context(ctx)
	j, err := knowledgeJob(ctx, "Suggest", d)
	if err != nil {
		return nil, err
	}
	return suggestionsOf(j, n, graph.SearchOptions{})
}

func suggestionsOf(j *job, n int, search graph.SearchOptions) ([]int, error) {
	d := j.data
	if n < 1 {
		return nil, j.fault("n", n, fmt.Errorf("%w: the number of suggestions is below 1", ErrOption), "ask for at least one sample")
	}
	n = min(n, riemann.MaxSuggestions)
	measures := d.NumLabelled() == 0 && d.Target() != nil
	switch {
	case d.NumLabelled() == d.Len():
		return nil, j.fault("labels", nil, fmt.Errorf("%w: all samples are labelled", ErrNoSuggestion), "hide some labels with Data.KeepLabels, or check the labels with Suspicions")
	case measures && len(d.Target().Known()) == d.Len():
		return nil, j.fault("target", nil, fmt.Errorf("%w: all values of %q are known", ErrNoSuggestion, d.Target().Name), "hide some values with Data.KeepTarget")
	}
	w, err := opinionGraph(j, search)
	if err != nil {
		return nil, j.explain(err)
	}
	if measures {
		rows, err := walks.Cover(j.ctx, w, knownRows(d.Target()), n, 0)
		if err != nil {
			return nil, j.explain(err)
		}
		return rows, nil
	}
	labels, count := classesFromZero(d)
	rows, err := walks.Suggest(j.ctx, w, labels, count, n, 0)
	if err != nil {
		return nil, j.explain(err)
	}
	return rows, nil
}

// Suspicion compares a label with the prediction from the other labels.
type Suspicion struct {
	// Row is the sample, Label its label, and Proposed the class predicted from the other labels.
	Row, Label, Proposed int
	// Suspicion is 1 minus the share of the class Label, in [0, 1]. The share of a class is the mean
	// number of visits to Row by walks from another label of the class, scaled so that the shares
	// of all classes sum to 1.
	Suspicion float64
	// Disagrees is true if another class has at least twice the share of Label. Strongly is true if
	// this class also has a share of at least 0.8.
	Disagrees, Strongly bool
	// Because and Through are the labelled samples and graph neighbours that support Proposed, at
	// most three each, see [Opinion.Reasons]. Their weights count only walks from labels of the
	// class Proposed. Both are set for the 50 most suspicious labels for which Disagrees is true.
	// If Backed is true, only Because is set.
	Because, Through []Reason
	// Group lists the labelled samples of the same class that are nearest to Row by walks, see
	// [Suspicions]. In a second comparison they are left out together with Row, and Apart is the
	// suspicion in that comparison. If there is no second comparison, Group is nil and Apart equals
	// Suspicion. Labels are ranked by the mean of Suspicion and Apart.
	Group []int
	Apart float64
	// Backed is true if the prediction does not disagree with the label, but strongly disagrees
	// after the group is left out: wrong labels that lie together support each other. Proposed and
	// Because are then computed without the group.
	Backed bool
}

// SuspicionTable lists the labels of a data set, the most suspicious first.
type SuspicionTable struct {
	// Labels holds the labels that could be compared.
	Labels []Suspicion
	// Unchecked are the rows whose label could not be compared, because it is the only label of its
	// class or no other label reaches it.
	Unchecked []int

	data *data.Data
}

// mostReasons is the maximum number of disagreeing labels for which reasons are computed. Each such
// label requires the solution of a linear system.
const mostReasons = 50

// Suspicions leaves out each label and compares it with the prediction from the other labels, by
// the walks of [Opinions]. Walks are averaged over the labels of each class, so that a class with
// many labels does not outvote another. Reasons are computed for the 50 most suspicious labels that
// disagree with the prediction.
//
// Wrong labels that lie together support each other. Each label is therefore left out a second
// time, together with its group. The group consists of the labels of its class that are nearer, by
// walks, than the nearest label of another class, but at most half of the other labels of its
// class. The labels are ranked by the mean of both suspicions. On eleven data sets with 10 labels
// per class, a tenth of the labels were wrong, in groups of three or of five. The area under the
// ROC curve of the ranking was 0.85 for groups of three and 0.82 for groups of five; without the
// second comparison it was 0.79 and 0.74. For randomly placed wrong labels it was 0.96 with and
// without the second comparison. Groups are left out only if labels × samples is at most twenty
// million.
//
// Use the ranking: the number of labels that disagree with the prediction is not the number of
// errors. Of 100 correct labels, 5 to 15 disagree with the prediction, mostly at class borders, and
// about one disagrees strongly. With a tenth of the labels wrong and ten labels per class, 94 % of
// the wrong labels were among those that disagree (14 data sets).
func Suspicions(ctx context.Context, d *data.Data) (*SuspicionTable, error) {
	ctx = par.Context(ctx)
	j, err := knowledgeJob(ctx, "Suspicions", d)
	if err != nil {
		return nil, err
	}
	o, err := opinionsOf(j, graph.SearchOptions{})
	if err != nil {
		return nil, err
	}
	return o.Suspicions(ctx)
}

// Suspicions compares each label with the prediction from the other labels, like the function
// [Suspicions], but without propagating the labels again. Opinions from a model file, or from the
// class scores of a method, have no graph; the error then wraps [ErrData].
func (o *Opinion) Suspicions(ctx context.Context) (*SuspicionTable, error) {
	ctx = par.Context(ctx)
	if o.walks == nil {
		return nil, &Error{Method: "Opinions", Param: "Suspicions", Err: fmt.Errorf("%w: these opinions have no graph of the samples", ErrData), Remedy: "call ssdrnb.Suspicions with the data"}
	}
	verdicts, err := o.walks.Verdicts(ctx)
	if err != nil {
		err = ended(ctx, err)
		return nil, &Error{Method: "Opinions", Param: "Suspicions", Err: err, Remedy: remedyOf(err)}
	}
	t := &SuspicionTable{data: o.data}
	for _, v := range verdicts {
		if !v.Checkable {
			t.Unchecked = append(t.Unchecked, v.Sample)
			continue
		}
		s := Suspicion{Row: v.Sample, Label: o.classes[v.Label], Proposed: o.classes[v.Prefers],
			Suspicion: v.Suspicion, Disagrees: v.Disagrees, Strongly: v.Strongly, Apart: v.Suspicion}
		if g := v.Apart; g != nil {
			s.Group, s.Apart = g.Group, g.Suspicion
			if s.Backed = g.Strongly && !v.Disagrees; s.Backed {
				s.Proposed, s.Because = o.classes[g.Prefers], o.named(g.Because)
			}
		}
		t.Labels = append(t.Labels, s)
	}
	slices.SortStableFunc(t.Labels, func(a, b Suspicion) int { return cmp.Compare(b.rank(), a.rank()) })
	place := map[int]int{} // maps the rows for which reasons are computed to indices in t.Labels
	var rows []int
	for k, s := range t.Labels {
		if s.Disagrees && len(rows) < mostReasons {
			place[s.Row] = k
			rows = append(rows, s.Row)
		}
	}
	// supporting returns up to three reasons with the largest contributions to a class.
	supporting := func(reasons []walks.Reason, class int) []Reason {
		var out []walks.Reason
		for _, r := range reasons {
			if r.Weight = r.Classes[class]; r.Weight > 0 {
				out = append(out, r)
			}
		}
		slices.SortStableFunc(out, func(a, b walks.Reason) int { return cmp.Compare(b.Weight, a.Weight) })
		return o.named(out[:min(3, len(out))])
	}
	err = o.walks.EachReasons(ctx, rows, func(i int, labels, edges []walks.Reason) {
		s := &t.Labels[place[i]]
		class := slices.Index(o.classes, s.Proposed)
		s.Because, s.Through = supporting(labels, class), supporting(edges, class)
	})
	if err != nil {
		err = ended(ctx, err)
		return nil, &Error{Method: "Opinions", Param: "Suspicions", Err: err, Remedy: remedyOf(err)}
	}
	return t, nil
}

func (s Suspicion) rank() float64 { return (s.Suspicion + s.Apart) / 2 }

// named converts values of type [walks.Reason], which have a weight for each class, to type
// [Reason], whose Class is the class with the largest weight.
func (o *Opinion) named(all []walks.Reason) []Reason {
	out := make([]Reason, len(all))
	for k, r := range all {
		out[k] = Reason{r.Sample, o.classes[slices.Index(r.Classes, slices.Max(r.Classes))], r.Weight}
	}
	return out
}

// Backed returns the labels that only their group supports, see [Suspicion], the most suspicious
// first.
func (t *SuspicionTable) Backed() []Suspicion {
	return t.filtered(func(s Suspicion) bool { return s.Backed })
}

// Disagreeing returns the labels that disagree with the prediction, the most suspicious first.
func (t *SuspicionTable) Disagreeing() []Suspicion {
	return t.filtered(func(s Suspicion) bool { return s.Disagrees })
}

// filtered returns the labels for which the callback "holds" returns true, the most suspicious
// first.
func (t *SuspicionTable) filtered(holds func(s Suspicion) bool) []Suspicion {
	var out []Suspicion
	for _, s := range t.Labels {
		if holds(s) {
			out = append(out, s)
		}
	}
	return out
}

// String lists the ten most suspicious labels that disagree with the prediction, with their
// reasons, and up to ten that only their group supports.
func (t *SuspicionTable) String() string {
	const most = 10
	var b strings.Builder
	all, strongly := t.Disagreeing(), 0
	for _, s := range all {
		if s.Strongly {
			strongly++
		}
	}
	disagree := fmt.Sprintf("disagree with their neighbourhoods, %d of them strongly", strongly)
	switch {
	case len(all) == 1 && strongly == 1:
		disagree = "disagrees strongly with its neighbourhood"
	case len(all) == 1:
		disagree = "disagrees with its neighbourhood"
	}
	fmt.Fprintf(&b, "%d of %s %s; %d could not be checked\n", len(all), nouns.Count(len(t.Labels)+len(t.Unchecked), "label"), disagree, len(t.Unchecked))
	for _, s := range all[:min(most, len(all))] {
		fmt.Fprintf(&b, "  sample %d is labelled %s; its neighbourhood suggests %s", s.Row, t.data.ClassName(s.Label), t.data.ClassName(s.Proposed))
		if len(s.Because) > 0 {
			fmt.Fprintf(&b, ", mainly because of sample %d (%.0f %% of the influence)", s.Because[0].Row, 100*s.Because[0].Weight)
		}
		b.WriteString("\n")
	}
	if len(all) > most {
		fmt.Fprintf(&b, "  … and %d more\n", len(all)-most)
	}
	if backed := t.Backed(); len(backed) > 0 {
		fmt.Fprintf(&b, "%s supported only by nearby labels of the same class, which may all be wrong:\n", nouns.Number(len(backed), "label is", "labels are"))
		for _, s := range backed[:min(most, len(backed))] {
			fmt.Fprintf(&b, "  sample %d is labelled %s, like all %d samples of its group; the labels outside the group suggest %s\n", s.Row, t.data.ClassName(s.Label), len(s.Group)+1, t.data.ClassName(s.Proposed))
		}
	}
	return b.String()
}
