// Package graph builds neighbourhood graphs of samples: nearest neighbours, affinities, Laplacians,
// components and geodesics. A matrix x has one sample per row.
//
// Distances are Euclidean unless a search selects another [Metric]. Neighbours are ordered by
// (distance, index). A sample is not its own neighbour, but its duplicates are its neighbours. Two
// programs that follow these rules agree on data with ties.
//
// A graph is a symmetric [sparse.CSR] of order n without self-loops. It holds either lengths or
// affinities. An edge between duplicates has length 0 and is stored. A larger affinity means a
// nearer sample; an affinity that underflows to 0 is not an edge.
//
// # Approximate search
//
// An approximate [Search] is a neighbour descent: it starts from random-projection trees and then
// compares each sample with the neighbours of its neighbours. The algorithm was chosen by
// measurement. The table lists the time and the recall for 15 neighbours. The recall was measured
// on 1,000 samples. The machine had two cores and was shared, so only large differences are
// meaningful. The million samples lie near a surface of 10 dimensions, in 100 groups.
//
//	                                 MNIST, 50 components  MNIST, 784 features  1,000,000 × 128
//	descent, this package            3–5 s, 0.989–0.995    9 s, 0.982           38 s, 0.981
//	descent, PyNNDescent 0.7         6–7 s, 0.993          14 s, 0.988          99 s, 0.999
//	small world, hnswlib 0.8         37 s, 1.000
//	inverted lists, double precision 17 s, 0.983
//
// The small-world graph (HNSW) had 16 links per sample, with 200 candidates during construction and
// 100 during queries. The inverted lists were cells of k-means; queries visited enough cells for
// the given recall. The descent compares a sample of MNIST with about 500 others. With many
// features, the descent starts in the span of 64 principal components. In MNIST, the 32 nearest
// neighbours in this span contain 96 % of the 15 nearest neighbours in all features.
//
// If x has more than 2²⁵ values, an approximate search runs the garbage collector once at its end
// (runtime.GC), because the next step needs memory of the same size.
//
// Results do not depend on GOMAXPROCS. Slow functions take a context and return its error soon
// after it ends. Other errors wrap one of the sentinels below.
package graph

import "errors"

// Sentinel errors; test with errors.Is.
var (
	// ErrOption means that an argument is out of range.
	ErrOption = errors.New("graph: argument out of range")
	// ErrNotFinite means that a value is NaN or infinite, or that a distance overflows or is
	// undefined.
	ErrNotFinite = errors.New("graph: a distance is infinite or undefined")
	// ErrUnderflow means that a kernel width is so small that the weights of all samples vanish.
	ErrUnderflow = errors.New("graph: affinities underflow")
	// ErrCoincide means that all samples are the same point.
	ErrCoincide = errors.New("graph: all samples coincide")
	// ErrDisconnected means that a graph has several components. Methods that need a path between
	// every two samples return this error.
	ErrDisconnected = errors.New("graph: disconnected")
	// ErrMemory means that a result would not fit into memory.
	ErrMemory = errors.New("graph: result too large")
)
