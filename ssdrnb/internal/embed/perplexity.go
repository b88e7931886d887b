package embed

import (
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Affinities are the joint probabilities of t-SNE.
type Affinities struct {
	// P is symmetric and sums to 1.
	P *sparse.CSR
	// Beta is the precision 1/(2σ²) of every sample, or 0 if its listed neighbours are all at the
	// same distance.
	Beta []float64
}

// Perplexity returns the affinities of t-SNE over listed neighbours. The affinities of a sample are
// exp(−β·d²) divided by their sum. β is chosen so that their entropy is log(perplexity). An entry
// of P is the mean of the affinities in the two directions, divided by n. The perplexity must lie
// between 1 and K, the number of listed neighbours; K is usually three times the perplexity.
func Perplexity(nb *graph.Neighbors, perplexity float64) (*Affinities, error) {
	p, beta, err := conditional(nb, perplexity)
	if err != nil {
		return nil, err
	}
	// Replace the distances by the affinities, so that they are sorted together with the indices.
	directed := &graph.Neighbors{K: nb.K, Index: nb.Index, Dist: p}
	joint, err := directed.Directed().Symmetrize(sparse.Average)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrShape, err)
	}
	for k := range joint.Val {
		joint.Val[k] /= float64(joint.Rows)
	}
	return &Affinities{joint, beta}, nil
}

// PerplexityTo returns the affinities of queries to the samples that nb lists for them, with one
// row per query and `samples` columns. Rows sum to 1. [PlaceTSNE] takes these affinities.
func PerplexityTo(nb *graph.Neighbors, samples int, perplexity float64) (*sparse.CSR, error) {
	p, _, err := conditional(nb, perplexity)
	if err != nil {
		return nil, err
	}
	entries := make([]sparse.Triplet, len(p))
	for k, v := range p {
		entries[k] = sparse.Triplet{Row: k / nb.K, Col: int(nb.Index[k]), Value: v}
	}
	return sparse.FromTriplets(nb.Len(), samples, entries)
}

// conditional returns the affinities of each sample to its listed neighbours, in the order of
// nb.Index, and the precision β of each sample.
func conditional(nb *graph.Neighbors, perplexity float64) (p, beta []float64, err error) {
	if !(perplexity >= 1 && perplexity <= float64(nb.K)) {
		return nil, nil, fmt.Errorf("%w: perplexity = %v; it must lie between 1 and the number of neighbours, %d", ErrOption, perplexity, nb.K)
	}
	n := nb.Len()
	p, beta = make([]float64, len(nb.Dist)), make([]float64, n)
	par.Blocks(n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_, dist := nb.Of(i)
			beta[i] = solvePrecision(p[i*nb.K:(i+1)*nb.K], dist, math.Log(perplexity))
		}
	})
	return p, beta, nil
}

// solvePrecision sets p to the affinities with the given entropy and returns β. The smallest
// squared distance is subtracted from all; this does not change p, because a common factor of all
// affinities cancels.
func solvePrecision(p, dist []float64, entropy float64) float64 {
	unit := samples.Unit(dist[len(dist)-1])
	near := dist[0] * unit * (dist[0] * unit)
	// The conversion keeps compilers from fusing product and difference: at equal distances the
	// result is 0 on every processor.
	beyond := func(d float64) float64 { return float64(d*unit*(d*unit)) - near }
	most := beyond(dist[len(dist)-1])
	if !(most > 0) {
		for k := range p {
			p[k] = 1 / float64(len(p))
		}
		return 0
	}
	least := most // the smallest above rounding error
	for _, d := range slices.Backward(dist) {
		if v := beyond(d); v > 1e-12*near {
			least = v
		}
	}
	// Newton's method for the entropy h with dh/dβ = −β·(variance of d²), safeguarded by bisection.
	lo, beta, hi := 0.0, 1/most, math.Inf(1)
	for range 1200 { // doubling β covers the range of float64 in 1024 steps
		sum, mean, square := 0.0, 0.0, 0.0
		for k, d := range dist {
			v := beyond(d)
			p[k] = math.Exp(-beta * v)
			sum += p[k]
			mean += p[k] * v
			square += p[k] * v * v
		}
		for k := range p {
			p[k] /= sum
		}
		mean /= sum
		h := math.Log(sum) + beta*mean
		if math.Abs(h-entropy) < 1e-12 {
			break
		}
		if h > entropy {
			lo = beta
		} else {
			hi = beta
		}
		next := beta + (h-entropy)/(beta*(square/sum-mean*mean))
		switch {
		case next > lo && next < min(hi, 4*beta): // false for NaN
			beta = next
		case math.IsInf(hi, 1):
			beta *= 2
		default:
			beta = (lo + hi) / 2
		}
		// If the nearest distance occurs too often, the entropy exceeds the requested value for
		// every β. At the β reached here, all other affinities are 0.
		if beta*least > 1e9 || hi-lo <= 1e-15*lo {
			break
		}
	}
	return beta * unit * unit
}

// attract sets pull to Σ_j p_ij·(y_i − y_j)/(1 + |y_i − y_j|²) and returns the contribution of row
// i to the divergence. logZ is the logarithm of the sum of all similarities.
func attract(pull []float64, p *sparse.CSR, y []float64, d, i int, logZ float64, t tail) float64 {
	clear(pull)
	cols, vals := p.Row(i)
	yi, kl := y[i*d:(i+1)*d], 0.0
	for k, j := range cols {
		if vals[k] == 0 {
			continue
		}
		yj := y[int(j)*d:][:d]
		s := 1 + samples.SquaredDistance(yi, yj)
		if t.plain() {
			kl += vals[k] * (math.Log(vals[k]*s) + logZ)
		} else {
			kl += vals[k] * (math.Log(vals[k]) + t.value()*math.Log(s) + logZ)
		}
		f := vals[k] / s
		for c, v := range yi {
			pull[c] += f * (v - yj[c])
		}
	}
	return kl
}

// repelExactly sets force (n×d) to Σ_j v_ij·(y_i − y_j)/(1 + |y_i − y_j|²) for each sample i,
// where v_ij = (1 + |y_i − y_j|²)^−α for the exponent α of t. It returns Σ v_ij over all ordered
// pairs i ≠ j.
func repelExactly(force, y []float64, n, d int, t tail) float64 {
	sums, plain := make([]float64, n), t.plain()
	par.Blocks(n, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f, yi := force[i*d:(i+1)*d], y[i*d:(i+1)*d]
			if d == 2 && plain { // twice as fast as a loop over coordinates
				sums[i], f[0], f[1] = repelInPlane(yi[0], yi[1], y)
				sums[i]-- // leave out the sample itself, for which v = 1
			} else {
				clear(f)
				for j := range n {
					if j == i { // adding its v = 1 would lose the digits of far smaller v
						continue
					}
					yj := y[j*d:][:d]
					u := 1 / (1 + samples.SquaredDistance(yi, yj))
					v := u
					if !plain {
						v = t.power(u)
					}
					sums[i] += v
					v *= u
					for c, a := range yi {
						f[c] += float64(v * (a - yj[c]))
					}
				}
			}
		}
	})
	z := 0.0
	for _, v := range sums {
		z += v
	}
	return z
}

// repelInPlane returns the sum of v = 1/(1 + d²) over all points, where d is the distance from (a,
// b), and the sums of v² times the coordinate differences.
func repelInPlane(a, b float64, y []float64) (sum, fa, fb float64) {
	for ; len(y) >= 2; y = y[2:] {
		s, t := a-y[0], b-y[1]
		v := 1 / (1 + (float64(s*s) + float64(t*t)))
		sum += v
		v *= v
		fa += float64(v * s)
		fb += float64(v * t)
	}
	return sum, fa, fb
}
