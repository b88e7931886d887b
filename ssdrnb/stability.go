package ssdrnb

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// StabilityTable holds the shares of neighbours that are preserved when the fit is repeated with
// other samples and seeds.
type StabilityTable struct {
	// Share holds one share, in [0, 1], per sample. It is the share of the K nearest neighbours in
	// the embedding that are among the K nearest in a repetition, averaged over the repetitions
	// that include the sample. It is NaN for a sample that no repetition includes.
	Share []float64
	// Runs holds the mean share of each repetition.
	Runs []float64
	// K is the number of neighbours compared in the last repetition: min(15, (m−1)/2), rounded
	// down, where m is the number of samples of the repetition.
	K int
	// Chance is the expected share for unrelated embeddings: the mean of K/(m−1) over the
	// repetitions.
	Chance float64
}

// stableNeighbors is the maximum number of neighbours that are compared.
const stableNeighbors = 15

// Stability fits a method to d and repeats the fit with bootstrap samples and other seeds.
// Structure that changes with each repetition is not a property of the data.
//
// Source: Sun, Han, Thai, Sun, "Dynamic visualization of high-dimensional data", Nature
// Computational Science 3, 2023, for bootstrap repetitions of embeddings; the share of preserved
// neighbours was developed for this library.
//
// Method: each repetition draws n samples with replacement and uses the distinct ones, on average
// 63 % of all samples. It draws more if the number of distinct samples is at most the number of
// dimensions. If the method has the option "seed", each repetition also uses the next seed. Samples
// with labels, pairs or known coordinates are included in all repetitions. If they are more than
// half of all samples, they are drawn like the others. Samples with known values of the target are
// also included in all repetitions, unless this would include more than half of all samples.
// Neighbours are compared among the samples of the repetition. Fits are cached, see [Remember]. The
// table is deterministic.
//
// Cost: one fit and one search for neighbours in the embedding per run, plus one fit to all
// samples.
//
// Fails: a stable embedding may still be wrong, for example if the method distorts all samples in
// the same way. Data without structure have low shares with every method.
//
// Errors are those of the fits. For runs < 1 the error wraps [ErrOption]. For nil data, and for
// samples given by their neighbours, it wraps [ErrData].
func Stability(ctx context.Context, e Estimator, d *data.Data, runs int) (*StabilityTable, error) {
	e = SpecOf(e)
	name := methodName(e, "Stability")
	switch {
	case d == nil:
		return nil, noData(name)
	case runs < 1:
		return nil, &Error{Method: name, Param: "runs", Value: runs, Err: fmt.Errorf("%w: the number of repetitions is below 1", ErrOption), Remedy: "ask for at least one; ten distinguish stable from unstable samples"}
	case d.Err() == nil && d.Nearest != nil:
		return nil, &Error{Method: name, Param: "data", Err: fmt.Errorf("%w: the samples are given by their neighbours, some of which a repetition may leave out", ErrData),
			Remedy: "give the features with NewData" + ifTakes(e, ", or the distances with FromDistances", allDistances, neighborhoods)}
	}
	first, err := e.FitContext(ctx, d)
	if err != nil {
		return nil, err
	}
	y := first.y
	n, dims := y.Dims()
	t := &StabilityTable{Share: make([]float64, n)}
	counted := make([]float64, n)
	named := namedSamples(d)
	for run := range runs {
		rows := resampled(n, dims+1, named, uint64(run+1))
		m, err := reseeded(e, run+1).FitContext(ctx, d.Subset(rows))
		if err != nil {
			return nil, fmt.Errorf("repetition %d of %d, with %d of %d samples: %w", run+1, runs, len(rows), n, err)
		}
		k := max(1, min(stableNeighbors, (len(rows)-1)/2))
		stay, err := metrics.Reliability(ctx, samples.Pick(y, rows), m.y, k)
		if err != nil {
			return nil, err
		}
		mean := 0.0
		for a, i := range rows {
			t.Share[i] += stay[a]
			counted[i]++
			mean += stay[a] / float64(len(rows))
		}
		t.Runs = append(t.Runs, mean)
		t.K = k
		t.Chance += float64(k) / float64(len(rows)-1) / float64(runs)
	}
	for i, c := range counted {
		t.Share[i] /= c // NaN for 0/0
	}
	return t, nil
}

// methodName returns the name of the method of e. If e has no method, it returns the argument
// `otherwise`.
func methodName(e Estimator, otherwise string) string {
	if m := e.Spec().Method(); m != nil {
		return m.Name
	}
	return otherwise
}

// ifTakes returns the text if the method of e accepts one of the kinds of data, and otherwise "".
func ifTakes(e Estimator, text string, kinds ...input) string {
	if m := e.Spec().Method(); m == nil || !slices.Contains(kinds, m.takes) {
		return ""
	}
	return text
}

// noData returns the error for nil data in functions that fit a method several times.
func noData(name string) error {
	return &Error{Method: name, Param: "data", Err: fmt.Errorf("%w: the data are nil", ErrData), Remedy: "pass data from NewData or package datasets"}
}

// reseeded returns the method with its option "seed" increased by the given number; the largest seed
// is followed by 0. A method without this option is returned unchanged.
func reseeded(e Estimator, by int) Spec {
	spec := e.Spec()
	if p, ok := spec.Method().Param(seedOption.Name); ok {
		spec = spec.With(p.Name, math.Mod(float64(spec.Value(p.Name).(int))+float64(by), p.Max+1))
	}
	return spec
}

// namedSamples marks the samples with labels, pairs or known coordinates, but none of them if they
// are more than half of all samples. It also marks the samples with known values of the target,
// unless more than half of all samples would then be marked.
func namedSamples(d *data.Data) []bool {
	guiding := slices.Concat(order.Where(d.Labels, func(l int) bool { return l >= 0 }), d.Anchors.Rows)
	for _, q := range slices.Concat(d.Pairs.Must, d.Pairs.Cannot) {
		guiding = append(guiding, q.I, q.J)
	}
	named := make([]bool, d.Len())
	for _, rows := range [][]int{guiding, d.Target().Known()} {
		with := slices.Clone(named)
		for _, i := range rows {
			with[i] = true
		}
		if len(order.Where(with, func(is bool) bool { return is })) <= d.Len()/2 {
			named = with
		}
	}
	return named
}

// resampled draws n samples with replacement. It returns the indices of the drawn samples and of
// the samples marked in the argument named, ascending and without duplicates. If these are fewer
// than min(least, n), it continues to draw.
func resampled(n, least int, named []bool, seed uint64) []int {
	in := slices.Clone(named)
	rng := rand.New(rand.NewPCG(seed, 2023))
	for range n {
		in[rng.IntN(n)] = true
	}
	for {
		rows := order.Where(in, func(is bool) bool { return is })
		if len(rows) >= min(least, n) {
			return rows
		}
		in[rng.IntN(n)] = true
	}
}

// Mean returns the mean share over the repetitions, in [0, 1].
func (t *StabilityTable) Mean() float64 {
	sum := 0.0
	for _, v := range t.Runs {
		sum += v
	}
	return sum / float64(len(t.Runs))
}

// String returns the mean share, the chance level, the range over the repetitions, and the share of
// samples that keep fewer than half of their neighbours.
func (t *StabilityTable) String() string {
	var b strings.Builder
	few, known := 0, 0
	for _, v := range t.Share {
		if !math.IsNaN(v) {
			known++
			if v < 0.5 {
				few++
			}
		}
	}
	bounds := ""
	if len(t.Runs) > 1 {
		bounds = fmt.Sprintf(" (%.0f to %.0f %%)", 100*slices.Min(t.Runs), 100*slices.Max(t.Runs))
	}
	nearest := "nearest"
	if t.K > 1 {
		nearest = fmt.Sprintf("%d nearest", t.K)
	}
	fmt.Fprintf(&b, "%.0f %% of the %s neighbours in the embedding stay in %s%s, by chance %.1f %%\n",
		100*t.Mean(), nearest, nouns.Count(len(t.Runs), "repetition"), bounds, 100*t.Chance)
	fmt.Fprintf(&b, "%.0f %% of the samples keep fewer than half of them\n", 100*float64(few)/float64(max(1, known)))
	return b.String()
}
