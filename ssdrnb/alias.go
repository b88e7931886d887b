package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/data"

// The plain data types, under the names that a cell types.
type (
	// Data is a set of samples with labels and pair constraints.
	Data = data.Data
	// Pairs are must-link and cannot-link constraints.
	Pairs = data.Pairs
	// Pair names two different rows.
	Pair = data.Pair
)

// NewData returns the data of x (n×D, one sample per row) with the given labels,
// -1 where unknown, or nil; see [data.New].
var NewData = data.New
