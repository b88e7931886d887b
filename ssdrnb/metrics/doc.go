// Package metrics scores embeddings and clusterings.
//
//   - Neighbourhoods: [Trustworthiness], [Continuity], [RNX], [Reliability] of each sample and its
//     mean [Kept].
//   - Global structure: [TripletAccuracy], [ShepardCorrelation].
//   - Embeddings: [Procrustes] compares two embeddings. [Islands] counts the separate groups.
//   - Classes: [NeighborhoodHit], [LabelTrustworthiness], [LabelContinuity], [Silhouette], accuracy
//     of nearest neighbours.
//   - Numeric targets: [TargetR2], [RankCorrelation].
//   - Clusters: k-means with many starts, accuracy by the best assignment of clusters to classes,
//     [AdjustedRandIndex], mutual information.
//
// Matrices have one sample per row. Classes are integers ≥ 0; samples with a negative class
// (unknown) are excluded from scores. Results do not depend on GOMAXPROCS, and arguments are not
// modified. Errors wrap one of the sentinels below, a sentinel of package graph, or the error of
// the context. The only other error is that of [Procrustes] if its decomposition does not converge.
// The S2LAE paper is Zhang, Chow, Zhao, "Trace Ratio Optimization-Based Semi-Supervised Nonlinear
// Dimensionality Reduction for Marginal Manifold Visualization", IEEE TKDE 2012.
package metrics

import (
	"errors"
	"fmt"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrShape means that the sizes of arguments do not match, or that there are too few samples.
	ErrShape = errors.New("metrics: sizes disagree")
	// ErrOption means that an argument is out of range.
	ErrOption = errors.New("metrics: argument out of range")
	// ErrNotFinite means that a number is NaN or infinite.
	ErrNotFinite = errors.New("metrics: value is not finite")
)

// known returns the indices of the samples whose class is known, or an error if there are none.
func known(truth []int) ([]int, error) {
	rows := order.Where(truth, func(class int) bool { return class >= 0 })
	if rows == nil {
		return nil, fmt.Errorf("%w: no class is known among %s, but at least one is needed", ErrOption, nouns.Count(len(truth), "sample"))
	}
	return rows, nil
}
