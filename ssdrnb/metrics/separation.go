package metrics

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Separation of classes, in the data and in an embedding.

// AdjustedRandIndex returns the agreement of classes and clusters over pairs of samples, corrected
// for chance (Hubert, Arabie 1985). It is 1 if classes and clusters are the same partition, 0 on
// average for random clusters, and negative for an agreement below chance.
func AdjustedRandIndex(truth, clusters []int) (float64, error) {
	t, err := contingency(truth, clusters)
	if err != nil {
		return 0, err
	}
	pairs := func(n float64) float64 { return n * (n - 1) / 2 }
	var both, inClass, inCluster float64
	for a, na := range t.classes {
		inClass += pairs(na)
		for b := range t.clusters {
			both += pairs(t.count.At(a, b))
		}
	}
	for _, nb := range t.clusters {
		inCluster += pairs(nb)
	}
	if t.n < 2 {
		return 1, nil
	}
	expected, most := inClass*inCluster/pairs(t.n), (inClass+inCluster)/2
	if most == expected {
		return 1, nil // both partitions have a single group, or both have one group per sample
	}
	return (both - expected) / (most - expected), nil
}

// Silhouette returns (b − a)/max(a, b), in [−1, 1], for each sample: a is its mean distance to the
// other samples of its class, and b its mean distance to the samples of the nearest other class
// (Rousseeuw 1987). The value is 0 for the only sample of a class and NaN for an unknown class.
// mean is the mean value over the samples of known class. At least two known classes are required.
// If x is n×D, the cost is O(n²D) operations.
func Silhouette(ctx context.Context, x *mat.Dense, classes []int) (mean float64, each []float64, err error) {
	ctx = par.Context(ctx)
	of, count, err := byClass(x, classes)
	if err != nil {
		return 0, nil, err
	}
	n, _ := x.Dims()
	each = make([]float64, n)
	par.Blocks(n, 16, func(lo, hi int) {
		sum := make([]float64, len(count))
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			if of[i] < 0 {
				each[i] = math.NaN()
				continue
			}
			clear(sum)
			at := x.RawRowView(i)
			for j, c := range of {
				if c >= 0 {
					sum[c] += math.Sqrt(samples.SquaredDistance(at, x.RawRowView(j)))
				}
			}
			own, other := sum[of[i]]/(count[of[i]]-1), math.Inf(1)
			for c, s := range sum {
				if c != of[i] {
					other = min(other, s/count[c])
				}
			}
			if most := max(own, other); count[of[i]] > 1 && most > 0 {
				each[i] = (other - own) / most
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return 0, nil, err
	}
	known := 0.0
	for _, s := range each {
		if s == s {
			mean += s
			known++
		}
	}
	return mean / known, each, nil
}

// byClass numbers the known classes from 0 in ascending order. `of` holds the number of the class
// of each sample, or −1 if it is unknown, and `count` holds the number of samples in each class.
func byClass(x *mat.Dense, classes []int) (of []int, count []float64, err error) {
	if err := given(x); err != nil {
		return nil, nil, err
	}
	n, _ := x.Dims()
	if len(classes) != n {
		return nil, nil, fmt.Errorf("%w: classes are given for %d samples, but there are %d samples", ErrShape, len(classes), n)
	}
	if err := measurable(x); err != nil {
		return nil, nil, err
	}
	all := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(classes))), func(c int) bool { return c < 0 })
	if len(all) < 2 {
		return nil, nil, fmt.Errorf("%w: %s; at least two are needed", ErrOption, nouns.Count(len(all), "known class"))
	}
	of, count = make([]int, n), make([]float64, len(all))
	for i, c := range classes {
		of[i] = -1
		if c >= 0 {
			of[i], _ = slices.BinarySearch(all, c)
			count[of[i]]++
		}
	}
	return of, count, nil
}

// LabelTrustworthiness measures on a scale from 0 to 1 whether classes that are separate in x stay
// separate in the embedding y. LabelContinuity measures whether classes that overlap in x also
// overlap in y (Jeon, Kuo, Aupetit, Ma, Seo 2023). Neither score assumes that classes are clusters.
// Separating classes that overlap in the data lowers LabelContinuity.
//
// The scores are 1 minus the mean over pairs of classes of max(s_x − s_y, 0) and of max(s_y − s_x,
// 0), respectively. s_x and s_y are the distance consistency 2p − 1 of a pair in x and in y. p is
// the share of samples of the two classes that are nearer to the mean of their own class than to
// the mean of the other class; ties count half. Samples of unknown class are excluded. If x is n×D,
// the cost is O(ncD) operations for c classes.
func LabelTrustworthiness(x, y *mat.Dense, classes []int) (float64, error) {
	return labelled(x, y, classes)
}

// LabelContinuity is described at [LabelTrustworthiness].
func LabelContinuity(x, y *mat.Dense, classes []int) (float64, error) {
	return labelled(y, x, classes)
}

// labelled returns the [LabelTrustworthiness] of y with respect to x.
func labelled(x, y *mat.Dense, classes []int) (float64, error) {
	inX, err := consistency(x, classes)
	if err != nil {
		return 0, err
	}
	inY, err := consistency(y, classes)
	if err != nil {
		return 0, err
	}
	lost := 0.0
	for k, s := range inX {
		lost += max(s-inY[k], 0)
	}
	return 1 - lost/float64(len(inX)), nil
}

// consistency returns the distance consistency of each pair of classes; see [LabelTrustworthiness].
func consistency(x *mat.Dense, classes []int) ([]float64, error) {
	of, count, err := byClass(x, classes)
	if err != nil {
		return nil, err
	}
	_, d := x.Dims()
	c := len(count)
	means := mat.NewDense(c, d, nil)
	for i, a := range of {
		if a >= 0 {
			row := means.RawRowView(a)
			for j, v := range x.RawRowView(i) {
				row[j] += v / count[a]
			}
		}
	}
	// right[a][b] counts the samples of class a that are nearer to the mean of a than to the mean
	// of b.
	right := mat.NewDense(c, c, nil)
	far := make([]float64, c)
	for i, a := range of {
		if a < 0 {
			continue
		}
		for b := range c {
			far[b] = samples.SquaredDistance(x.RawRowView(i), means.RawRowView(b))
		}
		for b, v := range far {
			switch {
			case far[a] < v:
				right.Set(a, b, right.At(a, b)+1)
			case far[a] == v && a != b:
				right.Set(a, b, right.At(a, b)+0.5)
			}
		}
	}
	var out []float64
	for a := range c {
		for b := range a {
			out = append(out, 2*(right.At(a, b)+right.At(b, a))/(count[a]+count[b])-1)
		}
	}
	return out, nil
}
