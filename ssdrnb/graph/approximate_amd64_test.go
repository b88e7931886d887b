//go:build !noasm

package graph_test

import (
	"slices"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph/internal/distance"
)

// Plain Go reaches the recall of the assembly, and gives the same result every time.
func TestApproximateWithoutAssembly(t *testing.T) {
	defer func(fast bool) { distance.Fast = fast }(distance.Fast)
	distance.Fast = false
	x := mixture(4500, 30, 1)
	nb := approximately(t, x, 10, graph.SearchOptions{})
	if r := measured(t, x, nb, graph.Euclidean, some(4500, 17)); r < 0.93 {
		t.Errorf("recall %v", r)
	}
	if again := approximately(t, x, 10, graph.SearchOptions{}); !slices.Equal(nb.Index, again.Index) {
		t.Error("another result")
	}
}
