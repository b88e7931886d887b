package graph

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph/internal/distance"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// exactMedian is the largest n for which HalfMedian uses all pairs of samples. They have 50 million
// distances.
const exactMedian = 10000

// HalfMedian returns half the median of the n(n−1)/2 pairwise distances between the n rows of x
// (n×D). For the Euclidean metric this is the width σ of Zhao, Zhang, Chow (trace ratio, 2012). For
// an even number of pairs, the median is the mean of the middle two. If more than half of the pairs
// are duplicates, the mean distance replaces the median. If all samples are equal, the error wraps
// [ErrCoincide].
//
// If there are more than 10,000 samples, HalfMedian uses only 10,000 random samples, drawn with a
// fixed seed. For Manhattan and the metrics after it, this limit is 2,000. HalfMedian takes O(n²D)
// operations, nearly all in matrix products. Distances are counted, not stored: the workspace grows
// with the number of pairs whose distance agrees with the median to four digits.
func HalfMedian(ctx context.Context, x *mat.Dense, metric Metric) (float64, error) {
	ctx = par.Context(ctx)
	if err := given(x); err != nil {
		return 0, err
	}
	n, _ := x.Dims()
	if n < 2 {
		return 0, tooFew(n)
	}
	if err := checkSize(x, samplesSide); err != nil {
		return 0, err
	}
	most := exactMedian
	if metric.norm() != distance.Square {
		most = mostPairwise
	}
	if n > most {
		x = samples.Pick(x, rand.New(rand.NewPCG(1, 0x6d65)).Perm(n)[:most])
	}
	m, err := newMeasure(x, metric)
	if err != nil {
		return 0, err
	}
	if m.norm != distance.Square {
		median, mean, err := m.medianPairwise(ctx)
		if err == nil && mean == 0 {
			err = fmt.Errorf("%w: all distances are 0, so no kernel width can be derived from them", ErrCoincide)
		}
		return cmp.Or(median, mean) / 2, err
	}
	x = m.dense()
	p, _, err := newPoints(x)
	if err != nil {
		return 0, err
	}
	s := &spread{x: x, p: p}
	median, err := s.median(ctx)
	if err != nil {
		return 0, err
	}
	if median == 0 {
		if median, err = s.mean(ctx); err != nil {
			return 0, err
		}
		if median == 0 {
			return 0, fmt.Errorf("%w: all distances are 0, so no kernel width can be derived from them", ErrCoincide)
		}
	}
	// The other metrics are increasing functions of the Euclidean distance between images. The
	// median of such a metric is therefore its value at the Euclidean median.
	if metric != Euclidean {
		median = m.distance(median * median)
	}
	return median / 2, nil
}
