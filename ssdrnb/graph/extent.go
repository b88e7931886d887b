package graph

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// MeanDistance returns the mean of the n(n−1)/2 pairwise Euclidean distances between the n rows of
// x (n×D). It takes O(n²D) operations, nearly all in matrix products.
func MeanDistance(ctx context.Context, x *mat.Dense) (float64, error) {
	ctx = par.Context(ctx)
	s, err := extent(x)
	if err != nil {
		return 0, err
	}
	// Each row has one sum. Only one goroutine at a time adds to it, and blocks are added in order,
	// so that rounding does not depend on scheduling.
	n, _ := x.Dims()
	sums := make([]float64, n)
	err = s.each(ctx, func(_, i, at int, prods []float64) {
		for k, v := range prods {
			low, high := v+s.p.low[i]+s.p.low[at+k], v+s.p.high[i]+s.p.high[at+k]
			square := (low + high) / 2
			if high-low > 1e-10*square {
				square = samples.SquaredDistance(x.RawRowView(at+k), x.RawRowView(i))
			}
			sums[i] += math.Sqrt(square)
		}
	})
	total := 0.0
	for _, v := range sums {
		total += v
	}
	return total / (float64(n) * float64(n-1) / 2), err
}

// Diameter returns the largest pairwise Euclidean distance between the n rows of x (n×D). It takes
// O(n²D) operations, nearly all in matrix products.
func Diameter(ctx context.Context, x *mat.Dense) (float64, error) {
	ctx = par.Context(ctx)
	s, err := extent(x)
	if err != nil {
		return 0, err
	}
	var largest [units]float64
	err = s.each(ctx, func(unit, i, at int, prods []float64) {
		for k, v := range prods {
			if v+s.p.high[i]+s.p.high[at+k] > largest[unit] {
				largest[unit] = max(largest[unit], samples.SquaredDistance(x.RawRowView(at+k), x.RawRowView(i)))
			}
		}
	})
	top := 0.0
	for _, v := range largest {
		top = max(top, v)
	}
	return math.Sqrt(top), err
}

func extent(x *mat.Dense) (*spread, error) {
	if err := given(x); err != nil {
		return nil, err
	}
	if n, _ := x.Dims(); n < 2 {
		return nil, tooFew(n)
	}
	p, _, err := newPoints(x)
	return &spread{x: x, p: p}, err
}
