package embed

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Slice is one layout in a series that [Aligned] computes: its graph, initial positions and
// options. All slices must have the same number of dimensions and epochs.
type Slice struct {
	W       *sparse.CSR
	Y0      *mat.Dense
	Options Options
}

// Tie identifies sample I of slice A with sample J of slice B.
type Tie struct{ A, I, B, J int }

// Aligned computes the layouts of a series as [Layout] does, one epoch of all slices at a time.
// After each epoch, both ends of a tie move towards each other, each by `hold` times half of their
// distance. hold, in [0, 1], decreases during the layout like the learning rate. With hold 1, tied
// samples coincide after the first epoch. A sample with several ties moves by the mean of the moves
// for each tie. Samples of different slices do not repel each other.
//
// When ctx ends, the results hold the positions so far, and err is the error of ctx.
func Aligned(ctx context.Context, slices []Slice, ties []Tie, hold float64) ([]*Result, error) {
	if len(slices) == 0 {
		return nil, fmt.Errorf("%w: the list of slices is empty", ErrShape)
	}
	if !(hold >= 0 && hold <= 1) {
		return nil, fmt.Errorf("%w: hold = %v; it must be from 0 to 1", ErrOption, hold)
	}
	layouts, results := make([]*layout, len(slices)), make([]*Result, len(slices))
	for s, slice := range slices {
		l, err := newLayout(slice.W, slice.Y0, slice.Options)
		if err != nil {
			return nil, fmt.Errorf("slice %d: %w", s, err)
		}
		layouts[s], results[s] = l, l.result
		if a, b := l.y.RawMatrix(), layouts[0].y.RawMatrix(); a.Cols != b.Cols || l.opt.Epochs != layouts[0].opt.Epochs {
			return nil, fmt.Errorf("%w: slice %d has %d dimensions and %d epochs, but slice 0 has %d and %d", ErrShape, s, a.Cols, l.opt.Epochs, b.Cols, layouts[0].opt.Epochs)
		}
	}
	drawn, err := newTethers(layouts, ties)
	if err != nil {
		return nil, err
	}
	for epoch := 1; epoch <= layouts[0].opt.Epochs; epoch++ {
		if ctx.Err() != nil {
			return results, ctx.Err()
		}
		for _, l := range layouts {
			l.advance(epoch)
		}
		drawn.pull(layouts, hold*layouts[0].rate(epoch)/layouts[0].opt.LearningRate)
		for _, l := range layouts {
			l.record(epoch)
		}
	}
	for s, l := range layouts {
		if results[s], err = l.finish(); err != nil {
			return nil, fmt.Errorf("slice %d: %w", s, err)
		}
	}
	return results, nil
}

// tethers holds the ties between layouts and buffers for the moves.
type tethers struct {
	ties  []Tie
	count [][]float64 // number of ties, by slice and sample
	sum   [][]float64 // sum of the positions of the tied samples, by slice; n×d
}

func newTethers(layouts []*layout, ties []Tie) (*tethers, error) {
	t := &tethers{ties: ties}
	for _, l := range layouts {
		n, d := l.y.Dims()
		t.count, t.sum = append(t.count, make([]float64, n)), append(t.sum, make([]float64, n*d))
	}
	for _, e := range ties {
		for _, end := range [][2]int{{e.A, e.I}, {e.B, e.J}} {
			if s := end[0]; s < 0 || s >= len(layouts) || e.A == e.B || end[1] < 0 || end[1] >= len(t.count[s]) {
				return nil, fmt.Errorf("%w: the tie %v does not join samples of two different slices", ErrShape, e)
			}
			t.count[end[0]][end[1]]++
		}
	}
	return t, nil
}

// pull moves the ends of all ties towards each other, each by `share` times half of their distance.
// All moves start from the positions before the call.
func (t *tethers) pull(layouts []*layout, share float64) {
	for _, sum := range t.sum {
		clear(sum)
	}
	add := func(s, i, from, j int) {
		at := layouts[from].y.RawRowView(j)
		for c, v := range at {
			t.sum[s][i*len(at)+c] += v
		}
	}
	for _, e := range t.ties {
		add(e.A, e.I, e.B, e.J)
		add(e.B, e.J, e.A, e.I)
	}
	for s, l := range layouts {
		_, d := l.y.Dims()
		for i, count := range t.count[s] {
			if count == 0 {
				continue
			}
			to := t.sum[s][i*d:][:d]
			for c := range to {
				to[c] /= count
			}
			l.pull(i, to, share/2)
		}
	}
}
