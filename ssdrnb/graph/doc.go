// Package graph builds neighbourhood graphs of samples: nearest neighbours,
// affinities, Laplacians, components and geodesics. A matrix x has
// one sample per row.
//
// Distances are Euclidean, unless a search is asked for another [Metric]. Neighbours are ordered by (distance, index), and a
// sample is left out of its own list by its index, so that its duplicates stay:
// two programs that follow this rule agree on data with ties.
//
// A graph is a symmetric [sparse.CSR] of order n without self-loops. It holds
// either lengths (an edge between duplicates has length 0 and is stored) or
// affinities (larger means nearer; an entry that underflows to 0 is not an edge).
//
// # Approximate search
//
// How [Search] finds most neighbours of many samples was chosen by measurement: 15
// neighbours, the time of both cores of a machine that others used as well (so compare
// the columns, not their last digits), and the recall for 1,000 samples. The million
// samples lie near a surface of 10 dimensions, in 100 groups.
//
//	                                 MNIST, 50 components  MNIST, 784 features  1,000,000 × 128
//	descent, this package            3–5 s, 0.989–0.995    9 s, 0.982           38 s, 0.981
//	descent, PyNNDescent 0.7         6–7 s, 0.993          14 s, 0.988          99 s, 0.999
//	small world, hnswlib 0.8         37 s, 1.000
//	inverted lists, double precision 17 s, 0.983
//
// The small-world graph had 16 links, 200 candidates while it was built and 100 while
// it was asked. The inverted lists were cells of k-means, as many of them looked at as
// the recall took. The descent compares a sample of MNIST with some 500 others. Where
// there are many features its rounds begin in the span of 64 principal components:
// the 32 nearest there hold 96 % of the 15 neighbours in MNIST.
//
// Results do not depend on GOMAXPROCS. Slow functions take a context and return its
// error soon after it ends. Errors wrap one of the sentinels below.
package graph

import "errors"

// Sentinel errors; test with errors.Is.
var (
	// ErrOption says that an argument is out of range.
	ErrOption = errors.New("graph: argument out of range")
	// ErrNotFinite says that a value or a distance is NaN or infinite.
	ErrNotFinite = errors.New("graph: distances are not finite")
	// ErrUnderflow says that a width is so small that the weights of all samples vanish.
	ErrUnderflow = errors.New("graph: affinities underflow")
	// ErrCoincide says that all samples are the same point.
	ErrCoincide = errors.New("graph: all samples coincide")
	// ErrDisconnected says that a graph has several components. Methods that need
	// paths between all samples return it.
	ErrDisconnected = errors.New("graph: disconnected")
	// ErrMemory says that a result would not fit into memory.
	ErrMemory = errors.New("graph: result too large")
)
