package graph_test

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
)

// mixture returns the samples of [datasets.Mixture].
func mixture(n, features int, seed uint64) *mat.Dense { return datasets.Mixture(n, features, seed).X }
