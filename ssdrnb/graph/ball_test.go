package graph

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A radius that links too many samples gives an error, and the neighbours collected until then take
// no more memory than the largest graph.
func TestBallOfTooManyEdges(t *testing.T) {
	const n, limit = 300, 5000
	for _, d := range []int{2, treeDim + 1} {
		x := mat.NewDense(n, d, nil)
		for i := range n {
			x.Set(i, 0, float64(i%10))
		}
		if g, err := ball(context.Background(), x, 0.5, n*29); err != nil || g.NNZ() != n*29 {
			t.Errorf("%d features: %v, %v", d, g, err)
		}
		if g, err := ball(context.Background(), x, 0.5, n*29-1); !errors.Is(err, ErrMemory) {
			t.Errorf("%d features: %v, %v", d, g, err)
		}
		p, _, err := newPoints(x)
		if err != nil {
			t.Fatal(err)
		}
		for name, search := range map[string]func(*atomic.Int64) func(int, [][]candidate){
			"tree":  func(left *atomic.Int64) func(int, [][]candidate) { return treeBall(x, 10, left) },
			"brute": func(left *atomic.Int64) func(int, [][]candidate) { return bruteBall(x, p, 10, left) },
		} {
			var left atomic.Int64
			left.Store(limit)
			found, entries := make([][]candidate, queryBlock), 0
			search(&left)(0, found)
			for _, list := range found {
				entries += len(list)
			}
			if left.Load() >= 0 || entries > limit+queryBlock/scanRows*n {
				t.Errorf("%s, %d features: %d entries of at most %d", name, d, entries, limit)
			}
		}
	}
}
