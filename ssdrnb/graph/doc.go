// Package graph builds neighbourhood graphs of samples: nearest neighbours,
// affinities, Laplacians, components, geodesics, adaptive graphs. A matrix x has
// one sample per row.
//
// Distances are Euclidean. Neighbours are ordered by (distance, index), and a
// sample is left out of its own list by its index, so that its duplicates stay:
// two programs that follow this rule agree on data with ties.
//
// A graph is a symmetric [sparse.CSR] of order n without self-loops. It holds
// either lengths (an edge between duplicates has length 0 and is stored) or
// affinities (larger means nearer; an entry that underflows to 0 is not an edge).
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
	// ErrUnderflow says that all weights of a sample vanish.
	ErrUnderflow = errors.New("graph: affinities underflow")
	// ErrCoincide says that all samples are the same point.
	ErrCoincide = errors.New("graph: all samples coincide")
	// ErrDisconnected says that a graph has several components. Methods that need
	// paths between all samples return it.
	ErrDisconnected = errors.New("graph: disconnected")
	// ErrMemory says that a result would not fit into memory.
	ErrMemory = errors.New("graph: result too large")
)
