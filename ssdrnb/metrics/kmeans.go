package metrics

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Initial selects how k-means chooses its first centres.
type Initial int

// The values of [Initial].
const (
	// PlusPlus draws the centres one after another. A sample is drawn with a probability
	// proportional to its squared distance to the nearest centre so far (Arthur, Vassilvitskii
	// 2007).
	PlusPlus Initial = iota
	// Random draws k different samples with equal probability.
	Random
)

// KMeansOptions are the settings of [KMeans]. The zero value means 100 starts by [PlusPlus] with at
// most 300 steps each.
type KMeansOptions struct {
	// Starts is the number of runs from different centres; 0 means 100.
	Starts int
	// Initial selects how the first centres are chosen.
	Initial Initial
	// Centers holds the k×D first centres of a single run; Starts, Initial and Seed are then
	// ignored. If Centers is nil, the centres are drawn.
	Centers *mat.Dense
	// MaxSteps bounds the steps of a run; 0 means 300.
	MaxSteps int
	// Seed determines the random centres. The centres of a run depend only on Seed and the number
	// of the run.
	Seed uint64
}

// Clustering is one run of k-means.
type Clustering struct {
	// Labels holds the cluster of every sample, 0 to k−1.
	Labels []int
	// Centers holds the means of the clusters, k×D. An empty cluster keeps its last centre.
	Centers *mat.Dense
	// Inertia is the sum of squared distances between the samples and their centres.
	Inertia float64
	// Steps is the number of assignment steps. Converged reports whether the last step
	// changed no assignment; otherwise MaxSteps was reached.
	Steps     int
	Converged bool
}

// KMeans divides the n rows of x (n×D) into k clusters, 1 ≤ k ≤ n, and returns the run of lowest
// inertia.
//
// It uses Lloyd's algorithm. Each sample is assigned to the nearest centre, in a tie to the centre
// with the lowest number; then each centre moves to the mean of its samples. These steps repeat
// until nothing changes. The bounds of Hamerly (2010) avoid most distance computations without
// changing an assignment. A step takes at most O(nkD) operations. Runs are distributed over the
// processors and need O(n) memory each.
func KMeans(ctx context.Context, x *mat.Dense, k int, opt KMeansOptions) (*Clustering, error) {
	ctx = par.Context(ctx)
	all, err := kmeansAll(ctx, x, k, opt)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// kmeansAll is [KMeans] but returns all runs, sorted by inertia. Runs of equal inertia are in the
// order of their starts.
func kmeansAll(ctx context.Context, x *mat.Dense, k int, opt KMeansOptions) ([]*Clustering, error) {
	if err := given(x); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	if k < 1 || k > n {
		return nil, fmt.Errorf("%w: k = %d for %s; k must lie between 1 and the number of samples", ErrOption, k, nouns.Count(n, "sample"))
	}
	if opt.Centers != nil {
		opt.Starts, opt.Initial = 1, PlusPlus
	}
	if opt.Starts < 0 || opt.MaxSteps < 0 || opt.Initial < PlusPlus || opt.Initial > Random {
		return nil, fmt.Errorf("%w: Starts = %d and MaxSteps = %d must not be negative, and Initial = %d must be PlusPlus or Random", ErrOption, opt.Starts, opt.MaxSteps, opt.Initial)
	}
	starts, steps := cmp.Or(opt.Starts, 100), cmp.Or(opt.MaxSteps, 300)
	if err := measurable(x); err != nil {
		return nil, err
	}
	if opt.Centers != nil {
		if r, c := opt.Centers.Dims(); r != k || c != d {
			return nil, fmt.Errorf("%w: the centres are %d×%d, but there are %d clusters and %d features", ErrShape, r, c, k, d)
		}
		if err := finite(opt.Centers); err != nil {
			return nil, err
		}
	}
	all := make([]*Clustering, starts)
	par.Blocks(starts, 1, func(run, _ int) {
		var centers *mat.Dense
		rng := rand.New(rand.NewPCG(opt.Seed, uint64(run)))
		switch {
		case opt.Centers != nil:
			centers = mat.DenseCopyOf(opt.Centers)
		case opt.Initial == Random:
			centers = samples.Pick(x, rng.Perm(n)[:k])
		default:
			centers = plusPlus(x, k, rng)
		}
		all[run] = newLloyd(x, centers).run(ctx, steps)
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b *Clustering) int { return cmp.Compare(a.Inertia, b.Inertia) })
	return all, nil
}

func plusPlus(x *mat.Dense, k int, rng *rand.Rand) *mat.Dense {
	n, _ := x.Dims()
	chosen := []int{rng.IntN(n)}
	weight := slices.Repeat([]float64{math.Inf(1)}, n)
	for len(chosen) < k {
		last, total := x.RawRowView(chosen[len(chosen)-1]), 0.0
		for i := range weight {
			weight[i] = min(weight[i], samples.SquaredDistance(x.RawRowView(i), last))
			total += weight[i]
		}
		if total == 0 {
			// All remaining samples coincide with a centre, so the choice does not matter.
			chosen = append(chosen, rng.IntN(n))
			continue
		}
		next, rest := -1, rng.Float64()*total
		for i, w := range weight {
			if w > 0 {
				next = i
				if rest -= w; rest < 0 {
					break
				}
			}
		}
		chosen = append(chosen, next)
	}
	return samples.Pick(x, chosen)
}

// lloyd is the state of a run. upper is an upper bound on the distance from a sample to its own
// centre, and lower a lower bound on its distance to any other centre. If upper < lower, the sample
// keeps its cluster and no distance is computed.
type lloyd struct {
	x, centers   *mat.Dense
	labels       []int
	upper, lower []float64
	halfGaps     []float64 // half the distance from each centre to its nearest other centre
	move         []float64 // how far each centre moved
	slack        float64   // margin for the rounding errors in upper and lower
}

func newLloyd(x, centers *mat.Dense) *lloyd {
	n, _ := x.Dims()
	k, _ := centers.Dims()
	l := &lloyd{x: x, centers: centers, labels: make([]int, n), upper: make([]float64, n), lower: make([]float64, n),
		halfGaps: make([]float64, k), move: make([]float64, k)}
	first := x.RawRowView(0)
	for i := range n {
		l.labels[i], l.upper[i] = -1, math.Inf(1)
		l.slack = max(l.slack, samples.SquaredDistance(first, x.RawRowView(i)))
	}
	l.slack = 1e-10 * math.Sqrt(l.slack)
	return l
}

func (l *lloyd) run(ctx context.Context, steps int) *Clustering {
	out := &Clustering{Labels: l.labels, Centers: l.centers}
	for out.Steps < steps && !out.Converged && ctx.Err() == nil {
		if out.Steps > 0 {
			l.recentre()
		}
		out.Converged = l.assign() == 0
		out.Steps++
	}
	if !out.Converged && ctx.Err() == nil {
		l.recentre()
	}
	for i, c := range l.labels {
		if c >= 0 {
			out.Inertia += samples.SquaredDistance(l.x.RawRowView(i), l.centers.RawRowView(c))
		}
	}
	return out
}

// assign assigns every sample to its nearest centre and returns how many assignments changed.
func (l *lloyd) assign() int {
	k := len(l.halfGaps)
	for a := range k {
		least := math.Inf(1)
		for b := range k {
			if a != b {
				least = min(least, samples.SquaredDistance(l.centers.RawRowView(a), l.centers.RawRowView(b)))
			}
		}
		l.halfGaps[a] = math.Sqrt(least) / 2
	}
	const block = 2048
	changed := make([]int, (len(l.labels)+block-1)/block)
	par.Blocks(len(l.labels), block, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			own := l.labels[i]
			if own >= 0 {
				bound := max(l.lower[i], l.halfGaps[own]) - l.slack
				if l.upper[i] < bound {
					continue
				}
				l.upper[i] = math.Sqrt(samples.SquaredDistance(l.x.RawRowView(i), l.centers.RawRowView(own)))
				if l.upper[i] < bound {
					continue
				}
			}
			if l.nearest(i) != own {
				changed[lo/block]++
			}
		}
	})
	total := 0
	for _, c := range changed {
		total += c
	}
	return total
}

// nearest assigns sample i to its nearest centre and sets the bounds of i. It returns the number of
// this centre.
func (l *lloyd) nearest(i int) int {
	row := l.x.RawRowView(i)
	best, first, second := 0, math.Inf(1), math.Inf(1)
	for c := range l.halfGaps {
		switch d := samples.SquaredDistance(row, l.centers.RawRowView(c)); {
		case d < first:
			best, first, second = c, d, first
		case d < second:
			second = d
		}
	}
	l.labels[i], l.upper[i], l.lower[i] = best, math.Sqrt(first), math.Sqrt(second)
	return best
}

// recentre moves every centre to the mean of its samples and adjusts the bounds.
func (l *lloyd) recentre() {
	k, d := l.centers.Dims()
	sum, count := mat.NewDense(k, d, nil), make([]float64, k)
	for i, c := range l.labels {
		count[c]++
		dst := sum.RawRowView(c)
		for j, v := range l.x.RawRowView(i) {
			dst[j] += v
		}
	}
	furthest := 0.0
	for c := range k {
		l.move[c] = 0
		if count[c] == 0 {
			continue
		}
		mean := sum.RawRowView(c)
		for j := range mean {
			mean[j] /= count[c]
		}
		l.move[c] = math.Sqrt(samples.SquaredDistance(mean, l.centers.RawRowView(c)))
		furthest = max(furthest, l.move[c])
		l.centers.SetRow(c, mean)
	}
	for i, c := range l.labels {
		l.upper[i] += l.move[c]
		l.lower[i] -= furthest
	}
}
