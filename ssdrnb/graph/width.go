package graph

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// exactMedian is the largest n for which HalfMedian looks at all pairs: 18
// million distances, a tenth of a second.
const exactMedian = 6000

// HalfMedian returns half the median of all n(n−1)/2 pairwise Euclidean distances
// of the rows of x, the width σ of the trace-ratio paper. For an even number of
// pairs the median is the mean of the two in the middle. Beyond 6,000 samples the
// median is that of the pairs among 6,000 of them, drawn with a fixed seed.
// All samples equal is an error.
func HalfMedian(ctx context.Context, x *mat.Dense) (float64, error) {
	n, d := x.Dims()
	if n < 2 {
		return 0, fmt.Errorf("%w: %d samples have no pairwise distance", ErrOption, n)
	}
	if n > exactMedian {
		rows := rand.New(rand.NewPCG(1, 0x6d65)).Perm(n)[:exactMedian]
		s := mat.NewDense(exactMedian, d, nil)
		for k, i := range rows {
			s.SetRow(k, x.RawRowView(i))
		}
		x, n = s, exactMedian
	}
	squares := make([]float64, n*(n-1)/2)
	par.Blocks(n, 32, func(lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			a := x.RawRowView(i)
			row := squares[i*(i-1)/2:]
			for j := range i {
				sum := 0.0
				for k, v := range x.RawRowView(j) {
					sum += (v - a[k]) * (v - a[k])
				}
				row[j] = sum
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m := len(squares)
	upper := selectKth(squares, m/2)
	median := math.Sqrt(upper)
	if m%2 == 0 {
		// selectKth left the smaller half before the place m/2.
		lower := squares[0]
		for _, v := range squares[1 : m/2] {
			lower = max(lower, v)
		}
		median = (math.Sqrt(lower) + median) / 2
	}
	if math.IsNaN(median) || math.IsInf(median, 0) {
		return 0, fmt.Errorf("%w: the median distance is %v", ErrNotFinite, median)
	}
	if median == 0 {
		// More than half of the pairs are duplicates: fall back on the mean.
		sum := 0.0
		for _, v := range squares {
			sum += math.Sqrt(v)
		}
		if median = sum / float64(m); median == 0 {
			return 0, fmt.Errorf("%w: no distance to take the width from", ErrCoincide)
		}
	}
	return median / 2, nil
}

// selectKth returns the k-th smallest value (from 0) of v, and rearranges v so
// that it stands at k with nothing larger before it.
func selectKth(v []float64, k int) float64 {
	lo, hi := 0, len(v)-1
	for lo < hi {
		// Median of three as the pivot: sorted input stays fast.
		mid := lo + (hi-lo)/2
		if v[mid] < v[lo] {
			v[mid], v[lo] = v[lo], v[mid]
		}
		if v[hi] < v[lo] {
			v[hi], v[lo] = v[lo], v[hi]
		}
		if v[hi] < v[mid] {
			v[hi], v[mid] = v[mid], v[hi]
		}
		pivot := v[mid]
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return v[k]
		}
	}
	return v[k]
}
