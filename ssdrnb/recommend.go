package ssdrnb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Recommendation ranks methods for one data set, best first.
type Recommendation struct {
	Ranked []Recommended
	// Labels is the number of labelled samples. Hidden counts how often a labelled sample was
	// hidden and predicted. It is 0 if there are too few labels; the ranking then uses only the
	// benchmark, see [Recommend].
	Labels, Hidden int
	// Sure is the estimated probability that no other fitted method exceeds the accuracy of the
	// first by more than 0.02. If no method was fitted, the first is compared with all methods.
	Sure float64
	// Took is the total computation time.
	Took time.Duration

	data *data.Data // nil unless made by Recommend
}

// Recommended is a method with its expected accuracy.
type Recommended struct {
	// Spec is the method with its options, ready to be fitted.
	Spec Spec
	// Accuracy estimates the share of unlabelled samples whose nearest labelled sample in the
	// embedding has the same class. Error is the standard error of the estimate, and Prior the
	// estimate from the benchmark alone.
	Accuracy, Error, Prior float64
	// Fits counts the fits with some labels hidden, at most one for a method that does not use
	// labels. Time is the mean time of these fits. A shared step, such as the neighbour search, is
	// included only for the method that ran it first.
	Fits int
	Time time.Duration
	// Err is the error if the method could not be fitted; such methods are ranked last.
	Err error
}

// Best returns the first method of the ranking, ready to be fitted. Without a ranking, the returned
// Spec has an error.
func (r *Recommendation) Best() Spec {
	if len(r.Ranked) == 0 {
		return Spec{}
	}
	return r.Ranked[0].Spec
}

// Models fits the methods to the data of the ranking, best first, until n ≥ 1 models are fitted or
// no methods are left. Methods that cannot be fitted are left out. If none can be fitted, Models
// returns the error of the first one. If ctx ends, it returns no models and an error that wraps
// [ErrCancelled]. For n < 1 the error wraps [ErrOption], and without a ranking [ErrData].
func (r *Recommendation) Models(ctx context.Context, n int) ([]*Model, error) {
	ctx = par.Context(ctx)
	if r == nil || r.data == nil || len(r.Ranked) == 0 {
		return nil, &Error{Method: "Models", Param: "recommendation", Err: fmt.Errorf("%w: the recommendation is empty", ErrData), Remedy: "use the value that Recommend returns"}
	}
	if n < 1 {
		return nil, &Error{Method: "Models", Param: "n", Value: n, Err: ErrOption, Remedy: "give 1 or more"}
	}
	var out []*Model
	var first error
	for _, one := range r.Ranked {
		if len(out) == n || one.Err != nil {
			break
		}
		m, err := one.Spec.FitContext(ctx, r.data)
		if errors.Is(err, ErrCancelled) {
			return nil, err
		}
		if err == nil {
			out = append(out, m)
		} else if first == nil {
			first = err
		}
	}
	if out == nil {
		return nil, cmp.Or(first, r.Ranked[0].Err)
	}
	return out, nil
}

// Code returns a line of Go that fits the method to a variable named data.
func (r Recommended) Code() string {
	text := fmt.Sprintf("ssdrnb.New(%q)", r.Spec.Method().Name)
	for _, name := range r.Spec.Changed() {
		text += fmt.Sprintf(".With(%q, %#v)", name, r.Spec.Value(name))
	}
	return text + ".Fit(data)"
}

const (
	// validationShare is the share of the labels that are hidden from a fit.
	validationShare = 0.3
	// mostRounds is the maximum number of rounds. A round fits each method at most once.
	mostRounds = 10
	// share is the maximum share of the budget for one fit.
	share = 0.2
	// mostShared is the largest number of samples for which methods share steps. It is limited
	// because shared steps stay in memory.
	mostShared = 5000
	// equivalent is a difference of accuracies that is treated as negligible.
	equivalent = 0.02
	// lead is added, for the ranking only, to the accuracy of the method that is best in the
	// benchmark. It compensates for the upward bias of the maximum of many estimates.
	lead = 0.05
	// baseSpread is the standard deviation, over data sets, of the accuracy of nearest neighbours
	// in the features.
	baseSpread = 0.2
	// misfit is a standard error for effects that the model of the accuracies omits. Its square is
	// added to the variance of each estimate. Without it, only 86 % of the accuracies lie within
	// two standard errors.
	misfit = 0.08
)

// Recommend ranks methods by the accuracy of nearest neighbours in their embeddings of d, and
// returns the probability that the first is within 0.02 of the best. It starts from the results of
// a benchmark (notebooks/BENCHMARK.md) for the same number of labels per class. Then it hides 30 %
// of the labels and fits the methods to the rest, the most promising first. It then hides other
// labels and repeats this for the methods that may still be best, until the budget is used, a
// single method is left, or ten rounds have ended. Methods that do not use labels are fitted once.
// Up to 5000 samples, the methods of a round share neighbours, kernels and other steps. Recommend
// never reads the true classes of unlabelled samples. A budget of 0 means twenty times the time of
// a fit of [S2NE], and at least a second.
//
// The accuracy of a method is modelled as the accuracy of nearest neighbours in the features plus
// an advantage of the method. The accuracy in the features and all advantages have a joint normal
// prior. Its means and standard deviations are those over the data sets of the benchmark. Its
// correlations come from two common factors, because related methods do well on the same data sets.
// The prior is conditioned on the results for the hidden labels. A sample that is hidden in several
// rounds is counted once, with its mean result. The fits lose accuracy because labels are hidden;
// this loss, estimated from the benchmark, is added back.
//
// The maximum of many estimates is biased upwards. The method with the best benchmark result is
// therefore ranked first, unless another method leads it by 0.05.
//
// On 360 random draws of labels from six data sets that the priors do not include, the first method
// had an accuracy of 0.734. Choosing S2NE for all draws gives 0.714. Choosing the method that was
// best on the other draws of the same data set gives 0.773. Choosing the best method of each draw,
// which is known only afterwards, gives 0.803. The estimated accuracy had a bias of −0.009 and a
// mean absolute error of 0.101. The value 0.05 and the factors were selected on a quarter of these
// draws. On the other draws the accuracy is 0.733, and 0.714 for S2NE. See notebooks/BENCHMARK.md.
//
// Methods without benchmark results are not ranked: the Gaussian process models, which take
// minutes, and [Isomap], which often fails with its default options. A method is not ranked either
// if its benchmark results are only for other numbers of labels per class.
//
// The error wraps [ErrNeedsLabels] if fewer than two classes have labels, [ErrData] if the data are
// unusable or have no dense features, [ErrOption] if the budget is negative, and [ErrCancelled] if
// ctx ends.
func Recommend(ctx context.Context, d *data.Data, budget time.Duration) (*Recommendation, error) {
	ctx, began := par.Context(ctx), time.Now()
	fail := func(param string, value any, err error, remedy string) (*Recommendation, error) {
		return nil, &Error{Method: "Recommend", Param: param, Value: value, Err: err, Remedy: remedy}
	}
	if d == nil {
		return fail("data", nil, fmt.Errorf("%w: the data are nil", ErrData), "give data, such as datasets.Digits()")
	}
	if err := cmp.Or(d.Err(), d.Validate()); err != nil {
		return fail("data", nil, classify(err), remedyOf(err))
	}
	if d.X == nil {
		remedy := "fit S2NE, which accepts distances and neighbours"
		if d.Rows != nil {
			remedy = "reduce the features first with Data.PCA"
		}
		return fail("data", nil, fmt.Errorf("%w: methods are compared by neighbours found in dense features, but the data have no dense features", ErrData), remedy)
	}
	if budget < 0 {
		return fail("budget", budget, ErrOption, "give a time above 0, such as time.Minute, or 0 for the time of twenty fits of S2NE")
	}
	counts := labelCounts(d)
	if len(counts) < 2 {
		return fail("labels", nil, fmt.Errorf("%w: the number of classes with labels is %d, but two are needed", ErrNeedsLabels, len(counts)), "label samples of at least two classes, for example those that Suggest proposes")
	}
	r := &recommender{ctx: ctx, d: d, perClass: median(counts)}
	r.candidates()
	if err := r.validate(budget, began); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(r.methods, func(t *tried) bool { return t.Err == nil }) {
		err, remedy := r.methods[0].Err, remedyOf(r.methods[0].Err)
		var fault *Error
		if errors.As(err, &fault) {
			err, remedy = fault.Err, fault.Remedy
		}
		return fail("data", nil, fmt.Errorf("%w: no method can be fitted, for example %s: %w", ErrData, r.methods[0].Spec.method.Name, err), remedy)
	}
	out := r.ranked()
	out.Labels, out.Took, out.data = d.NumLabelled(), time.Since(began), d
	return out, nil
}

// labelCounts maps each class that has labels to its number of labelled samples.
func labelCounts(d *data.Data) map[int]int {
	counts := map[int]int{}
	for _, l := range d.Labels {
		if l != data.Unlabelled {
			counts[l]++
		}
	}
	return counts
}

// median returns the lower median of the counts.
func median(counts map[int]int) float64 {
	var all []int
	for _, n := range counts {
		all = append(all, n)
	}
	slices.Sort(all)
	return float64(all[(len(all)-1)/2])
}

// recommender is the state of a running Recommend.
type recommender struct {
	ctx      context.Context
	d        *data.Data
	perClass float64
	methods  []*tried
	// plain holds the outcomes of nearest neighbours in the features. hidden is the number of
	// hidden labels, summed over all rounds.
	plain  outcomes
	hidden int
	// kept is the median number of labels per class that a fit sees, after some labels are hidden.
	// perClass is the median number in the data.
	kept float64
}

// outcomes holds, for each sample of the data, the sum and the number of its outcomes over the
// rounds. An outcome is 1 for a right and 0 for a wrong prediction of the hidden label, or a
// difference of two such values. A sample counts once, with its mean, because rounds that hide the
// same few labels are not independent.
type outcomes struct{ sum, count []float64 }

func (o *outcomes) add(sample, samples int, v float64) {
	if o.sum == nil {
		o.sum, o.count = make([]float64, samples), make([]float64, samples)
	}
	o.sum[sample] += v
	o.count[sample]++
}

// moments returns the number of samples with an outcome. It also returns the sum, and the sum of
// squares, of the mean outcomes of these samples.
func (o *outcomes) moments() (n, sum, square float64) {
	for i, c := range o.count {
		if c > 0 {
			v := o.sum[i] / c
			n, sum, square = n+1, sum+v, square+v*v
		}
	}
	return n, sum, square
}

// tried is the state of one method in a running Recommend.
type tried struct {
	Recommended
	prior prior
	// differences holds the outcomes of nearest neighbours in the embedding minus those in the
	// features.
	differences outcomes
	took        time.Duration
	// embedding is reused in all rounds if the method does not use labels.
	embedding *mat.Dense
	// slow is true for a method whose fit took more than its share of the budget.
	slow bool
}

// prior holds the benchmark results of a method.
type prior struct {
	method string
	// advantage holds one value for each entry of priorLabels: the accuracy of the method minus the
	// accuracy in the features, averaged over data sets. The value is NaN if the method often
	// fails. spread holds the standard deviation over data sets.
	advantage, spread []float64
	// loadings are the correlations of the advantage with common factors: related methods do well
	// on the same data sets.
	loadings []float64
}

// interpolated interpolates benchmark values at a number of labels per class. `values` has one
// value per entry of priorLabels. The interpolation is linear in the logarithm of the number of
// labels. Outside the range of priorLabels the nearest value is returned.
func interpolated(values []float64, labels float64) float64 {
	last := len(priorLabels) - 1
	switch {
	case labels <= priorLabels[0]:
		return values[0]
	case labels >= priorLabels[last]:
		return values[last]
	}
	k := 0
	for labels >= priorLabels[k+1] {
		k++
	}
	t := math.Log(labels/priorLabels[k]) / math.Log(priorLabels[k+1]/priorLabels[k])
	return (1-t)*values[k] + t*values[k+1]
}

// candidates sets r.methods to the methods that have benchmark results for the number of labels,
// the most promising first. It leaves out Gaussian process models for more than 300 samples.
func (r *recommender) candidates() {
	for _, p := range priors {
		m := New(p.method)
		if m.Err() != nil || math.IsNaN(interpolated(p.advantage, r.perClass)+interpolated(p.spread, r.perClass)) || m.method.Descends && m.method.has("inducing") && r.d.Len() > 300 {
			continue
		}
		r.methods = append(r.methods, &tried{Recommended: Recommended{Spec: m}, prior: p})
	}
	slices.SortStableFunc(r.methods, func(a, b *tried) int {
		return cmp.Compare(interpolated(b.prior.advantage, r.perClass), interpolated(a.prior.advantage, r.perClass))
	})
}

// validate fits the promising methods in several rounds, each with some labels hidden.
func (r *recommender) validate(budget time.Duration, began time.Time) error {
	// Order by mean plus spread: a method whose accuracy varies between data sets may be the best
	// here.
	alive := slices.Clone(r.methods)
	hopeful := func(t *tried) float64 {
		return interpolated(t.prior.advantage, r.perClass) + interpolated(t.prior.spread, r.perClass)
	}
	// S2NE is fitted first, because its time sets the default budget.
	first := func(t *tried) float64 { return hit(t.Spec.method == s2ne) }
	slices.SortStableFunc(alive, func(a, b *tried) int {
		return cmp.Or(cmp.Compare(first(b), first(a)), cmp.Compare(hopeful(b), hopeful(a)))
	})
	for round := range mostRounds {
		// Use WithDraw instead of Seed, because Seed would also redraw the given labels.
		v := r.d.WithDraw(data.Draw{Seed: uint64(round + 1)}).Validation(validationShare)
		if v.Err() != nil {
			return nil // too few labels: the ranking uses only the benchmark
		}
		rows, truth := hiddenOf(r.d, v)
		plain, err := nearestClasses(v, v.X, rows)
		if err != nil {
			return &Error{Method: "Recommend", Param: "data", Err: classify(err), Remedy: remedyOf(err)}
		}
		for k := range rows {
			r.plain.add(rows[k], r.d.Len(), hit(plain[k] == truth[k]))
		}
		r.hidden += len(rows)
		r.kept = median(labelCounts(v))
		var steps *cache // neighbours, kernels and other steps, shared by all methods
		for k, t := range alive {
			// The next fit is assumed to take as long as the mean of the previous ones.
			next := time.Duration(0)
			if t.Fits > 0 && t.embedding == nil {
				next = t.took / time.Duration(t.Fits)
			}
			if budget > 0 && time.Since(began)+next > budget {
				return nil
			}
			Notify(Event{Method: "Recommend", Stage: t.Spec.method.Name, Done: round*len(alive) + k, Total: mostRounds * len(alive)})
			at := time.Now()
			y := t.embedding
			if y == nil {
				if steps == nil || v.Len() > mostShared {
					steps = newCache()
				}
				within, stop := r.ctx, context.CancelFunc(func() {})
				if budget > 0 {
					within, stop = context.WithTimeout(r.ctx, min(budget-time.Since(began), time.Duration(share*float64(budget))))
				}
				y, err = t.embed(within, v, steps)
				late := err != nil && within.Err() != nil
				stop()
				if budget == 0 {
					budget = max(time.Second, 20*time.Since(at))
				}
				switch {
				case r.ctx.Err() != nil:
					return &Error{Method: "Recommend", Err: fmt.Errorf("%w: %w", ErrCancelled, r.ctx.Err()), Remedy: remedyOf(ErrCancelled)}
				case late && time.Since(began) > budget:
					return nil
				case late:
					t.slow = true
					continue
				case err != nil:
					t.Err = err
					continue
				}
				t.Fits, t.took = t.Fits+1, t.took+time.Since(at)
				if t.Spec.method.Supervision == Unsupervised {
					t.embedding = y
				}
			}
			found, err := nearestClasses(v, y, rows)
			if err != nil {
				t.Err = err
				continue
			}
			for k := range rows {
				t.differences.add(rows[k], r.d.Len(), hit(found[k] == truth[k])-hit(plain[k] == truth[k]))
			}
		}
		alive = r.promising(alive)
		if len(alive) < 2 {
			return nil
		}
	}
	return nil
}

func hit(right bool) float64 {
	if right {
		return 1
	}
	return 0
}

// hiddenOf returns the samples that are labelled in d but not in v, and their labels.
func hiddenOf(d, v *data.Data) (rows, labels []int) {
	for i, l := range d.Labels {
		if l != data.Unlabelled && v.Labels[i] == data.Unlabelled {
			rows, labels = append(rows, i), append(labels, l)
		}
	}
	return rows, labels
}

// embed fits the method to d and returns the embedding. All fits to d share the cached results in
// steps. If the data allow fewer dimensions than the option "dims" requests, embed fits one
// dimension and sets the option to 1 for later fits.
func (t *tried) embed(ctx context.Context, d *data.Data, steps *cache) (*mat.Dense, error) {
	m, err := t.Spec.fitWith(ctx, d, steps)
	var fault *Error
	if errors.As(err, &fault) && fault.Param == dimsOption.Name && t.Spec.Value(dimsOption.Name).(int) > 1 {
		one := t.Spec.With(dimsOption.Name, 1)
		if m, err = one.fitWith(ctx, d, steps); err == nil {
			t.Spec = one
		}
	}
	if err != nil {
		return nil, err
	}
	return m.Embedding(), nil
}

// nearestClasses returns the label of the nearest labelled sample for each of the given rows of y.
func nearestClasses(d *data.Data, y *mat.Dense, rows []int) ([]int, error) {
	known, labels := labelledOf(d)
	return metrics.NearestNeighbor(samples.Pick(y, known), labels, samples.Pick(y, rows))
}

// belief is the joint normal distribution of accuracies. Entry 0 is the accuracy in the features;
// entry i+1 is the advantage of method i in r.all.
type belief struct {
	mean       []float64
	covariance *mat.SymDense
}

// A difference is the accuracy in an embedding minus the accuracy in the features. sharedError is
// the correlation between the errors of two differences on the same samples. baseError is the
// correlation between the error of a difference and the error of the accuracy in the features. If
// the hits in any two embeddings have the correlation ρ, the two values are ½ and −√((1−ρ)/2).
const sharedError, baseError = 0.5, -0.4 // for ρ of about 0.7

// belief returns the benchmark prior conditioned on the results for hidden labels.
func (r *recommender) belief() belief {
	n := len(r.methods) + 1
	mean, k := make([]float64, n), mat.NewSymDense(n, nil)
	mean[0] = interpolated(priorBase, r.perClass)
	k.SetSym(0, 0, baseSpread*baseSpread)
	spreads := make([]float64, n)
	for i, t := range r.methods {
		mean[i+1] = interpolated(t.prior.advantage, r.perClass)
		spreads[i+1] = max(interpolated(t.prior.spread, r.perClass), 0.01)
		for j, u := range r.methods[:i] {
			k.SetSym(i+1, j+1, spreads[i+1]*spreads[j+1]*floats.Dot(t.prior.loadings, u.prior.loadings))
		}
		k.SetSym(i+1, i+1, spreads[i+1]*spreads[i+1])
	}
	outcomes := r.found(mean)
	if len(outcomes) == 0 {
		return belief{mean, k}
	}
	// Condition the prior on the outcomes.
	seen, gap := mat.NewSymDense(len(outcomes), nil), mat.NewVecDense(len(outcomes), nil)
	cross := mat.NewDense(len(outcomes), n, nil)
	for a, o := range outcomes {
		gap.SetVec(a, o.value-mean[o.entry])
		for b, p := range outcomes[:a] {
			related := sharedError
			if o.entry == 0 || p.entry == 0 {
				related = baseError
			}
			// The smaller set of samples is a subset of the larger one. The correlation of the two
			// means is therefore multiplied by the root of the ratio of the sizes of the sets.
			related *= math.Sqrt(min(o.samples, p.samples) / max(o.samples, p.samples))
			seen.SetSym(a, b, k.At(o.entry, p.entry)+related*math.Sqrt(o.variance*p.variance))
		}
		seen.SetSym(a, a, k.At(o.entry, o.entry)+o.variance)
		for j := range n {
			cross.Set(a, j, k.At(o.entry, j))
		}
	}
	var chol mat.Cholesky
	var gain mat.Dense
	if !chol.Factorize(seen) || chol.SolveTo(&gain, cross) != nil {
		return belief{mean, k} // cannot happen: the diagonal includes the variances
	}
	var moved mat.VecDense
	moved.MulVec(gain.T(), gap)
	floats.Add(mean, moved.RawVector().Data)
	var known mat.Dense
	known.Mul(cross.T(), &gain)
	for i := range n {
		for j := range i + 1 {
			k.SetSym(i, j, k.At(i, j)-(known.At(i, j)+known.At(j, i))/2)
		}
	}
	return belief{mean, k}
}

// found is the observed value of one entry of a belief, from hidden labels.
type found struct {
	entry           int
	value, variance float64
	samples         float64
}

// found returns the observed values of the entries of a belief that have outcomes. The fits did not
// see the hidden labels. found therefore adds to each value the change that the benchmark predicts
// for a fit with all labels. `mean` holds the prior means.
func (r *recommender) found(mean []float64) []found {
	var out []found
	if n, right, _ := r.plain.moments(); n > 0 {
		p := (right + 1) / (n + 2) // Laplace's estimate avoids a variance of 0
		out = append(out, found{0, p + mean[0] - interpolated(priorBase, r.kept), p * (1 - p) / n, n})
	}
	for i, t := range r.methods {
		n, sum, square := t.differences.moments()
		if n < 2 {
			continue
		}
		m := sum / n
		// The term ½ avoids a variance of almost 0 from a few equal outcomes.
		v := (square + 0.5 - n*m*m) / (n * n)
		if few := interpolated(t.prior.advantage, r.kept); !math.IsNaN(few) {
			m += mean[i+1] - few
		}
		out = append(out, found{i + 1, m, v, n})
	}
	return out
}

// promising returns the methods in `alive`, except those that failed or are slow. It also leaves
// out methods whose advantage is below the largest advantage by more than two standard errors of
// the difference.
func (r *recommender) promising(alive []*tried) []*tried {
	alive = slices.DeleteFunc(alive, func(t *tried) bool { return t.Err != nil || t.slow })
	if len(alive) == 0 {
		return nil
	}
	now := r.belief()
	entry := func(t *tried) int { return slices.Index(r.methods, t) + 1 }
	best := entry(slices.MaxFunc(alive, func(a, b *tried) int { return cmp.Compare(now.mean[entry(a)], now.mean[entry(b)]) }))
	return slices.DeleteFunc(alive, func(t *tried) bool {
		i, v := entry(t), now.covariance
		return now.mean[best]-now.mean[i] > 2*math.Sqrt(max(0, v.At(best, best)+v.At(i, i)-2*v.At(best, i)))
	})
}

// ranked sorts r.methods by the current belief and returns the ranking.
func (r *recommender) ranked() *Recommendation {
	usual := interpolated(priorBase, r.perClass)
	within := func(v float64) float64 { return min(1, max(0, v)) }
	now, expected := r.belief(), r.methods[0]
	value := map[*tried]float64{}
	for k, t := range r.methods {
		i := k + 1
		value[t] = now.mean[i]
		if t == expected {
			value[t] += lead
		}
		variance := now.covariance.At(0, 0) + now.covariance.At(i, i) + 2*now.covariance.At(0, i)
		t.Accuracy, t.Error = within(now.mean[0]+now.mean[i]), math.Sqrt(max(0, variance)+misfit*misfit)
		t.Prior = within(usual + interpolated(t.prior.advantage, r.perClass))
		if t.Fits > 0 {
			t.Time = t.took / time.Duration(t.Fits)
		}
	}
	slices.SortStableFunc(r.methods, func(a, b *tried) int {
		return cmp.Or(cmp.Compare(hit(a.Err != nil), hit(b.Err != nil)), cmp.Compare(value[b], value[a]))
	})
	// Move to the front the first method in this order that was fitted or is best in the benchmark.
	if first := slices.IndexFunc(r.methods, func(t *tried) bool { return t.Err == nil && (t.Fits > 0 || t == expected) }); first > 0 {
		one := r.methods[first]
		r.methods = slices.Insert(slices.Delete(r.methods, first, first+1), 0, one)
	}
	out := &Recommendation{Hidden: r.hidden, Sure: r.sure()}
	for _, t := range r.methods {
		out.Ranked = append(out.Ranked, t.Recommended)
	}
	return out
}

// sure draws advantages from the belief. It returns the share of draws in which no other fitted
// method exceeds the first by more than the constant `equivalent`. If no method was fitted, it
// compares the first with all others.
func (r *recommender) sure() float64 {
	const draws = 2000
	now := r.belief()
	n := len(now.mean)
	for i := range n {
		now.covariance.SetSym(i, i, now.covariance.At(i, i)+1e-9) // keeps the matrix positive definite despite rounding
	}
	var chol mat.Cholesky
	if !chol.Factorize(now.covariance) {
		return math.NaN()
	}
	var root mat.TriDense
	chol.LTo(&root)
	fitted := slices.ContainsFunc(r.methods, func(t *tried) bool { return t.Fits > 0 })
	random, count := rand.New(rand.NewPCG(1, 47)), 0
	normal, x := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for range draws {
		for i := range n {
			normal.SetVec(i, random.NormFloat64())
		}
		x.MulVec(&root, normal)
		first, most := 0.0, math.Inf(-1)
		for k, t := range r.methods {
			if t.Err != nil || k > 0 && fitted && t.Fits == 0 {
				continue
			}
			v := now.mean[k+1] + x.AtVec(k+1)
			if most = max(most, v); k == 0 {
				first = v
			}
		}
		if most <= first+equivalent {
			count++
		}
	}
	return float64(count) / draws
}

// String returns the first ten methods of the ranking, without those that failed, and the
// probability that none is better than the first by more than 0.02.
func (r *Recommendation) String() string {
	if len(r.Ranked) == 0 {
		return "no methods are ranked\n"
	}
	var b strings.Builder
	how, compared := fmt.Sprintf("from %s, hidden %s in total", nouns.Count(r.Labels, "label"), nouns.Count(r.Hidden, "time")), "fitted"
	if !slices.ContainsFunc(r.Ranked, func(one Recommended) bool { return one.Fits > 0 }) {
		how, compared = "from the benchmark alone (no fit ended within the budget)", "ranked"
	}
	if r.Hidden == 0 {
		how = fmt.Sprintf("from the benchmark alone (with %s, none can be hidden)", nouns.Count(r.Labels, "label"))
	}
	name := ""
	if r.data != nil {
		name = r.data.Name
	}
	fmt.Fprintf(&b, "methods for %s, %s, in %s\n", cmp.Or(name, "these data"), how, r.Took.Round(10*time.Millisecond))
	fmt.Fprintf(&b, "%-12s %8s %8s %6s %9s\n", "method", "accuracy", "±", "fits", "time")
	for _, one := range r.Ranked[:min(10, len(r.Ranked))] {
		if one.Err != nil {
			break
		}
		took := "–"
		if one.Fits > 0 {
			took = Surveyed{Time: one.Time}.Took()
		}
		fmt.Fprintf(&b, "%-12s %8.3f %8.3f %6d %9s\n", one.Spec.Method().Name, one.Accuracy, one.Error, one.Fits, took)
	}
	fmt.Fprintf(&b, "%s is the best of the %s methods, or within %.2f of the best, with probability %.2f\n", r.Ranked[0].Spec.Method().Name, compared, equivalent, r.Sure)
	return b.String()
}
