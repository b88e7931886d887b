package embed

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// PlaceTSNE adds new samples to a layout of t-SNE whose samples are fixed. Row i of `to` (m×n, from
// [PerplexityTo]) holds the affinities of new sample i to the samples at positions y (n×d). A new
// sample starts at the mean of these positions weighted by the affinities. It then takes `steps`
// descent steps (0 means 30) on the Kullback–Leibler divergence between the affinities and its
// similarities to all samples. dof is the number of degrees of freedom. A step that would not lower
// the divergence is shortened. PlaceTSNE takes O(m·n·steps·d) operations.
//
// Each new sample is placed independently. When ctx ends, PlaceTSNE returns the positions so far
// with the error of ctx; samples not yet placed are at their initial positions.
func PlaceTSNE(ctx context.Context, to *sparse.CSR, y *mat.Dense, dof float64, steps int) (*mat.Dense, error) {
	if err := checkPositions(y, to.Cols); err != nil {
		return nil, err
	}
	if steps < 0 {
		return nil, fmt.Errorf("%w: steps = %d, but must not be negative", ErrOption, steps)
	}
	if err := CheckDegrees(dof); err != nil {
		return nil, err
	}
	if steps == 0 {
		steps = 30
	}
	out, err := meansBy(to, y)
	if err != nil {
		return nil, err
	}
	n, d := y.Dims()
	t := newTail(dof)
	unit, alpha := math.Sqrt(t.value()), t.value()
	var scaled mat.Dense
	scaled.Scale(1/unit, y)
	rest := scaled.RawMatrix().Data
	par.Blocks(to.Rows, 1, func(i, _ int) {
		place := out.RawRowView(i)
		cols, vals := to.Row(i)
		sum := 0.0
		for _, v := range vals {
			sum += v
		}
		at, step, trial := make([]float64, d), make([]float64, d), make([]float64, d)
		for c, v := range place {
			at[c] = v / unit
		}
		// energy returns α·Σ p·log(1 + |a − y_j|²) + log Σ (1 + |a − y_k|²)^−α. Unless step is nil,
		// it sets step to half the gradient divided by α·Σ p/(1 + |a − y_j|²), the curvature of the
		// first sum.
		energy := func(a, step []float64) float64 {
			z, pulls, e := 0.0, 0.0, 0.0
			push := make([]float64, d)
			for k := range n {
				other := rest[k*d : (k+1)*d]
				u := 1 / (1 + samples.SquaredDistance(a, other))
				v := t.power(u)
				z += v
				if step != nil {
					for c, x := range a {
						push[c] += v * u * (x - other[c])
					}
				}
			}
			clear(step)
			for k, j := range cols {
				other := rest[int(j)*d:][:d]
				q := 1 + samples.SquaredDistance(a, other)
				e += vals[k] / sum * math.Log(q)
				pulls += vals[k] / sum / q
				for c := range step {
					step[c] += vals[k] / sum / q * (a[c] - other[c])
				}
			}
			for c := range step {
				step[c] = (step[c] - push[c]/z) / pulls
			}
			return alpha*e + math.Log(z)
		}
		length := 1.0
		for range steps {
			if ctx.Err() != nil {
				return
			}
			now := energy(at, step)
			for length > 1e-3 {
				for c, v := range step {
					trial[c] = at[c] - length*v
				}
				if energy(trial, nil) < now {
					copy(at, trial)
					for c, v := range at {
						place[c] = unit * v
					}
					length = min(1, 2*length)
					break
				}
				length /= 2
			}
			if length <= 1e-3 {
				return
			}
		}
	})
	return out, ctx.Err()
}
