package ssdrnb

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Grade rates an embedding, or a single sample, against embeddings of noise.
type Grade string

// Values of [Grade].
const (
	BetterThanNoise   Grade = "better than noise"
	UnclearNoise      Grade = "unclear"
	NoBetterThanNoise Grade = "no better than noise"
)

// betterLevel is the largest p-value at which an embedding is graded better than noise, and
// unclearLevel the largest at which it is graded unclear.
const betterLevel, unclearLevel = 0.005, 0.02

// NullTable compares an embedding with embeddings of noise.
type NullTable struct {
	// Share holds one share, in [0, 1], per sample: the share of its K nearest neighbours in the
	// data that are among its K nearest in the embedding. Grades rates each share against the
	// shares of all noise samples: BetterThanNoise above 95 % of them, UnclearNoise above half, and
	// otherwise NoBetterThanNoise.
	Share  []float64
	Grades []Grade
	// K is the number of neighbours: the one of 15, 30 and 60 at which the embedding differs most
	// from the embeddings of noise. Each of these numbers is limited to half of the other samples.
	K int
	// Kept compares the mean of Share with the means for noise. Its P is multiplied by the number
	// of candidates for K, at most three (Bonferroni).
	Kept NullComparison
	// Labels compares the embedding with fits to shuffled labels. Its value is the share of
	// labelled samples whose nearest labelled sample in the embedding has the same class. The test
	// is weak for methods that are guided by labels, because they also place the samples of
	// shuffled classes together. The report of [S2NE] has a better test: how well labels predict
	// each other. Labels is nil for unsupervised methods, and for fewer than four labels or two
	// classes.
	Labels *NullComparison
	// Islands is the number of islands of the embedding (see [metrics.Islands]) with at least five
	// samples and at least one hundredth of all samples. Same is the number of these islands that
	// have a Jaccard index above ½ with an island of a second run, on a bootstrap sample with
	// another seed. NoiseIslands is the median number of islands of at least this size in the
	// embeddings of noise; for an even number of runs, the larger of the two middle values.
	Islands, Same, NoiseIslands int
}

// NullComparison compares a statistic of an embedding with its values for noise.
type NullComparison struct {
	Value float64
	// Null holds the value of each fit to noise.
	Null []float64
	// P estimates the probability that noise gives a value of at least Value, from a Student's t
	// distribution fitted to Null. It is limited to 1.
	P float64
	// Grade is BetterThanNoise for P up to 0.005, UnclearNoise for P up to 0.02, and otherwise
	// NoBetterThanNoise.
	Grade Grade
}

// AgainstNull compares a fit to d with fits to noise of the same size. In the noise, each feature
// is permuted independently: it keeps its values and loses its relation to other features. For
// supervised and semi-supervised methods, further fits shuffle the labels among the labelled
// samples. Both comparisons reveal structure that the method draws even if the data have none.
//
// Source: scDEED (Xia, Lee, Li, Nature Communications 15, 2024) grades samples by permuted
// features; the grades of whole embeddings were developed for this library.
//
// Runs: at least 3; more runs detect weaker structure. As an example, 150 samples in ten features
// form five groups, four standard deviations apart. UMAP's embeddings of them are better than noise
// in 15 of 40 draws with three runs, in 39 with five and in 40 with ten. If the samples form no
// groups, they are not better in any draw.
//
// Cost: runs + 2 fits, or 2·runs + 2 if labels are shuffled. Fits are cached, see [Remember]. The
// same call gives the same table.
//
// Fails: data with correlated features but no groups are rightly graded better than noise. If a
// single feature has separate peaks, the noise has the same peaks and therefore islands: groups
// that such features separate may be graded no better than noise. A method whose embedding is
// better than noise may still draw spurious groups; see Islands. With so few features that every
// embedding keeps all neighbours, no data are better than noise.
//
// Errors are those of the fits. For runs < 3 the error wraps [ErrOption], because the spread of
// noise cannot be estimated. If d is nil or has no dense features, it wraps [ErrData].
func AgainstNull(ctx context.Context, e Estimator, d *data.Data, runs int) (*NullTable, error) {
	e = SpecOf(e)
	name := methodName(e, "AgainstNull")
	switch {
	case d == nil:
		return nil, noData(name)
	case runs < 3:
		return nil, &Error{Method: name, Param: "runs", Value: runs, Err: fmt.Errorf("%w: fewer than 3 fits cannot estimate the spread of noise", ErrOption), Remedy: "ask for at least 3; ten would also detect weaker structure"}
	case d.Err() == nil && d.X == nil:
		const otherwise = ", or use Stability"
		remedy := "give the features with NewData"
		switch {
		case d.Distances != nil:
			remedy += ifTakes(e, otherwise, allDistances, neighborhoods)
		case d.Rows != nil:
			remedy = "reduce sparse rows with Data.PCA" + ifTakes(e, otherwise, sparseRows, neighborhoods)
		}
		return nil, &Error{Method: name, Param: "data", Err: fmt.Errorf("%w: the data have no dense features to permute", ErrData), Remedy: remedy}
	}
	model, err := e.FitContext(ctx, d)
	if err != nil {
		return nil, err
	}
	n := d.Len()
	t := &NullTable{}
	kept, err := keptOf(ctx, d.X, model.y)
	if err != nil {
		return nil, err
	}
	least := leastIsland(n)
	island, islands, err := islandsOf(ctx, model.y, least)
	if err != nil {
		return nil, err
	}
	t.Islands = islands
	var noises [][]keptShares // one element per run
	var counts []int
	for run := range runs {
		noise := permuted(d, uint64(run+1))
		m, err := reseeded(e, run+1).FitContext(ctx, noise)
		if err != nil {
			return nil, fmt.Errorf("fit %d of %d to permuted features: %w", run+1, runs, err)
		}
		shares, err := keptOf(ctx, noise.X, m.y)
		if err != nil {
			return nil, err
		}
		_, count, err := islandsOf(ctx, m.y, least)
		if err != nil {
			return nil, err
		}
		noises, counts = append(noises, shares), append(counts, count)
	}
	slices.Sort(counts)
	t.NoiseIslands = counts[len(counts)/2]
	t.compare(kept, noises)
	if t.Same, err = t.reproducedIslands(ctx, e, d, model.Dims(), island); err != nil {
		return nil, err
	}
	if e.Spec().Method().Supervision == Unsupervised || d.NumLabelled() < 4 || len(d.Classes()) < 2 {
		return t, nil
	}
	hits := make([]float64, 0, runs)
	for run := range runs {
		shuffled := relabelled(d, uint64(run+1))
		m, err := reseeded(e, run+1).FitContext(ctx, shuffled)
		if err != nil {
			return nil, fmt.Errorf("fit %d of %d to shuffled labels: %w", run+1, runs, err)
		}
		hit, err := labelHit(ctx, m.y, shuffled.Labels)
		if err != nil {
			return nil, err
		}
		hits = append(hits, hit)
	}
	hit, err := labelHit(ctx, model.y, d.Labels)
	if err != nil {
		return nil, err
	}
	c := compared(hit, hits, 1/float64(d.NumLabelled()), 1)
	t.Labels = &c
	return t, nil
}

// nullNeighbors are the numbers of neighbours at which an embedding is compared with noise. A group
// stands out most if the number of neighbours is close to the size of the group. Because this size
// is unknown, the numbers cover a range.
var nullNeighbors = []int{15, 30, 60}

// keptShares holds one share per sample in the field "shares": the share of its k nearest
// neighbours in the data that are also among its k nearest in the embedding.
type keptShares struct {
	k      int
	shares []float64
}

// keptOf returns the shares of neighbours in x that y preserves: one element for each number of
// neighbours in nullNeighbors, ascending. Numbers above half the number of other samples are
// reduced to this half, and duplicates are dropped.
func keptOf(ctx context.Context, x, y *mat.Dense) ([]keptShares, error) {
	n, _ := x.Dims()
	most := max(1, min(nullNeighbors[len(nullNeighbors)-1], (n-1)/2))
	near, err := graph.Search(ctx, x, most, graph.SearchOptions{})
	if err != nil {
		return nil, err
	}
	shown, err := graph.Search(ctx, y, most, graph.SearchOptions{})
	if err != nil {
		return nil, err
	}
	var out []keptShares
	for _, k := range nullNeighbors {
		k = min(k, most)
		if len(out) > 0 && out[len(out)-1].k == k {
			break
		}
		each, err := metrics.KeptNeighbors(near.Head(k), shown.Head(k))
		if err != nil {
			return nil, err
		}
		out = append(out, keptShares{k, each})
	}
	return out, nil
}

// compare compares the shares of an embedding with those of noise. It stores the results for the
// number of neighbours that gives the smallest p-value.
func (t *NullTable) compare(kept []keptShares, noises [][]keptShares) {
	best := -1
	for s, one := range kept {
		means := make([]float64, len(noises))
		for run := range noises {
			means[run] = stat.Mean(noises[run][s].shares, nil)
		}
		c := compared(stat.Mean(one.shares, nil), means, 1/float64(len(one.shares)*one.k), len(kept))
		if best < 0 || c.P < t.Kept.P {
			best, t.K, t.Share, t.Kept = s, one.k, one.shares, c
		}
	}
	var all []float64
	for _, noise := range noises {
		all = append(all, noise[best].shares...)
	}
	t.grade(all)
}

// permuted returns d with each feature permuted independently.
func permuted(d *data.Data, seed uint64) *data.Data {
	rng := rand.New(rand.NewPCG(seed, 2024))
	c := *d
	n, features := d.X.Dims()
	c.X = mat.NewDense(n, features, nil)
	for j := range features {
		for i, from := range rng.Perm(n) {
			c.X.Set(i, j, d.X.At(from, j))
		}
	}
	return &c
}

// relabelled returns d with the labels shuffled among the labelled samples.
func relabelled(d *data.Data, seed uint64) *data.Data {
	rows := order.Where(d.Labels, func(l int) bool { return l >= 0 })
	rng := rand.New(rand.NewPCG(seed, 2025))
	c := *d
	c.Labels = slices.Clone(d.Labels)
	for a, from := range rng.Perm(len(rows)) {
		c.Labels[rows[a]] = d.Labels[rows[from]]
	}
	return &c
}

// labelHit returns the share of labelled samples whose nearest other labelled sample has the same
// class.
func labelHit(ctx context.Context, y *mat.Dense, labels []int) (float64, error) {
	mean, _, err := metrics.NeighborhoodHit(ctx, y, labels, 1)
	return mean, err
}

// compared compares a value with the values of noise. `step` is the smallest possible difference
// between two values; it serves as a lower bound on the standard deviation of noise. `of` is the
// number of values from which the best was selected; P is multiplied by it.
func compared(value float64, null []float64, step float64, of int) NullComparison {
	c := NullComparison{Value: value, Null: null}
	mean, deviation := stat.MeanStdDev(null, nil)
	runs := float64(len(null))
	t := (value - mean) / (max(deviation, step) * math.Sqrt(1+1/runs))
	c.P = min(1, float64(of)*studentTail(t, runs-1))
	switch {
	case c.P <= betterLevel:
		c.Grade = BetterThanNoise
	case c.P <= unclearLevel:
		c.Grade = UnclearNoise
	default:
		c.Grade = NoBetterThanNoise
	}
	return c
}

// studentTail returns the probability that a variable of Student's t-distribution with nu degrees of
// freedom exceeds t.
func studentTail(t, nu float64) float64 {
	tail := mathext.RegIncBeta(nu/2, 0.5, nu/(nu+t*t)) / 2
	if t < 0 {
		return 1 - tail
	}
	return tail
}

// grade sets the grades of samples from the shares of all noise samples.
func (t *NullTable) grade(noise []float64) {
	slices.Sort(noise)
	half, most := stat.Quantile(0.5, stat.Empirical, noise, nil), stat.Quantile(0.95, stat.Empirical, noise, nil)
	t.Grades = make([]Grade, len(t.Share))
	for i, v := range t.Share {
		switch {
		case v > most:
			t.Grades[i] = BetterThanNoise
		case v > half:
			t.Grades[i] = UnclearNoise
		default:
			t.Grades[i] = NoBetterThanNoise
		}
	}
}

// leastIsland returns the smallest size of an island that is counted, for n samples.
func leastIsland(n int) int { return max(5, n/100) }

// islandsOf returns the island of each sample, or −1 if it has none, and the number of islands, see
// [metrics.Islands]. `least` is the minimum size of an island. Fewer than three samples form one
// island.
func islandsOf(ctx context.Context, y *mat.Dense, least int) ([]int, int, error) {
	if n, _ := y.Dims(); n < 3 {
		return make([]int, n), 1, nil
	}
	return metrics.Islands(ctx, y, least)
}

// reproducedIslands returns the number of islands that a second run reproduces, see [NullTable].
// `dims` is the number of dimensions of the first run. `island` holds the island of each sample in
// the first run, or −1 if it has none.
func (t *NullTable) reproducedIslands(ctx context.Context, e Estimator, d *data.Data, dims int, island []int) (int, error) {
	rows := resampled(d.Len(), dims+1, namedSamples(d), 1)
	m, err := reseeded(e, 1).FitContext(ctx, d.Subset(rows))
	if err != nil {
		return 0, fmt.Errorf("the second run, with %d of %d samples: %w", len(rows), d.Len(), err)
	}
	second, count, err := islandsOf(ctx, m.y, leastIsland(len(rows)))
	if err != nil {
		return 0, err
	}
	both, here, there := make([][]int, t.Islands), make([]int, t.Islands), make([]int, count)
	for k := range both {
		both[k] = make([]int, count)
	}
	for a, i := range rows {
		if k := second[a]; k >= 0 {
			there[k]++
		}
		if k := island[i]; k >= 0 {
			here[k]++
			if second[a] >= 0 {
				both[k][second[a]]++
			}
		}
	}
	same := 0
	for k := range both {
		for l, shared := range both[k] {
			if 2*shared > here[k]+there[l]-shared {
				same++
				break
			}
		}
	}
	return same, nil
}

// Sentence describes the islands in one sentence, such as "17 islands; in a second run 12 of them
// are the same; noise of this size gives 9".
func (t *NullTable) Sentence() string {
	noise := fmt.Sprintf("noise of this size gives %d", t.NoiseIslands)
	switch {
	case t.Islands == 0:
		return "no islands; " + noise
	case t.Islands == 1 && t.Same == 1:
		return "1 island, the same in a second run; " + noise
	case t.Islands == 1:
		return "1 island, not the same in a second run; " + noise
	}
	return fmt.Sprintf("%s; in a second run %d of them %s the same; %s",
		nouns.Count(t.Islands, "island"), t.Same, nouns.Form(t.Same, "is", "are"), noise)
}

// Count returns the number of samples with the grade g.
func (t *NullTable) Count(g Grade) int {
	count := 0
	for _, v := range t.Grades {
		if v == g {
			count++
		}
	}
	return count
}

// String returns the comparisons, the grades of the samples and the sentence about islands.
func (t *NullTable) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "neighbours  %s: %.0f %% of the %d nearest are kept, %s (p %.2g)\n", t.Kept.Grade, 100*t.Kept.Value, t.K, noiseRange(t.Kept.Null, "permuted features"), t.Kept.P)
	if c := t.Labels; c != nil {
		fmt.Fprintf(&b, "labels      %s: for %.0f %% of the labelled samples, the nearest other labelled one has the same class, %s (p %.2g)\n", c.Grade, 100*c.Value, noiseRange(c.Null, "shuffled labels"), c.P)
	}
	n := float64(max(1, len(t.Grades)))
	fmt.Fprintf(&b, "samples     %.0f %% better than noise, %.0f %% unclear, %.0f %% no better\n", 100*float64(t.Count(BetterThanNoise))/n, 100*float64(t.Count(UnclearNoise))/n, 100*float64(t.Count(NoBetterThanNoise))/n)
	fmt.Fprintf(&b, "islands     %s\n", t.Sentence())
	return b.String()
}

// noiseRange formats the range of the values for noise, such as "21 to 25 % with shuffled labels".
func noiseRange(null []float64, of string) string {
	return fmt.Sprintf("%.0f to %.0f %% with %s", 100*slices.Min(null), 100*slices.Max(null), of)
}
