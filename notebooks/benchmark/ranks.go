package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// ranks returns the rank of each score, 1 for the largest. Equal scores get the mean of their
// ranks.
func ranks(scores []float64) []float64 {
	order := make([]int, len(scores))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	out := make([]float64, len(scores))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && scores[order[to]] == scores[order[from]] {
			to++
		}
		for _, k := range order[from:to] {
			out[k] = float64(from+to+1) / 2
		}
		from = to
	}
	return out
}

// friedman compares methods over blocks, such as data sets. scores has one row per block and one
// column per method. It returns the mean rank of each method, and the probability that ranks at
// least this uneven arise by chance. This probability is computed from the F distribution of Iman
// and Davenport (1980).
func friedman(scores [][]float64) (mean []float64, p float64) {
	n, k := float64(len(scores)), float64(len(scores[0]))
	mean = make([]float64, len(scores[0]))
	ties := 0.0
	for _, block := range scores {
		count := map[float64]float64{}
		for j, r := range ranks(block) {
			mean[j] += r
			count[r]++
		}
		for _, t := range count {
			ties += t*t*t - t
		}
	}
	for j := range mean {
		mean[j] /= n // the only rounding, because the sums are exact
	}
	if n < 2 || k < 2 {
		return mean, math.NaN()
	}
	sum := 0.0
	for _, r := range mean {
		sum += (r - (k+1)/2) * (r - (k+1)/2)
	}
	chi := 12 * n * sum / (k*(k+1) - ties/(n*(k-1)))
	if math.IsNaN(chi) {
		return mean, 1 // all methods have the same rank in every block
	}
	if chi >= n*(k-1) {
		return mean, 0
	}
	f := (n - 1) * chi / (n*(k-1) - chi)
	return mean, 1 - distuv.F{D1: k - 1, D2: (k - 1) * (n - 1)}.CDF(f)
}

// critical is the critical difference of the Nemenyi test at the 5 % level. Two of k methods differ
// significantly if their mean ranks over n blocks differ by at least this value.
func critical(k, n int) float64 {
	return studentized(k, 0.95) / math.Sqrt2 * math.Sqrt(float64(k)*float64(k+1)/(6*float64(n)))
}

// studentized is the p-quantile of the range of k standard normal variables.
func studentized(k int, p float64) float64 {
	low, high := 0.0, 20.0
	for range 60 {
		q := (low + high) / 2
		if rangeBelow(q, k) < p {
			low = q
		} else {
			high = q
		}
	}
	return (low + high) / 2
}

// rangeBelow is the probability that the range of k standard normal variables is below q: k ∫ φ(z)
// (Φ(z) − Φ(z − q))^(k−1) dz, computed by Simpson's rule.
func rangeBelow(q float64, k int) float64 {
	const steps, bound = 2000, 8.0
	normal := distuv.UnitNormal
	at := func(z float64) float64 {
		return float64(k) * normal.Prob(z) * math.Pow(normal.CDF(z)-normal.CDF(z-q), float64(k-1))
	}
	h := (2*bound + q) / steps
	sum := at(-bound) + at(bound+q)
	for i := 1; i < steps; i++ {
		sum += float64(2+2*(i%2)) * at(-bound+float64(i)*h)
	}
	return sum * h / 3
}

// wilcoxon returns the two-sided p-value of the signed-rank test. Zero differences are omitted. The
// p-value is exact for up to 20 nonzero differences, and a normal approximation for more.
func wilcoxon(differences []float64) float64 {
	var sizes []float64
	var positive []bool
	for _, d := range differences {
		if d != 0 {
			sizes, positive = append(sizes, -math.Abs(d)), append(positive, d > 0)
		}
	}
	n := len(sizes)
	if n == 0 {
		return 1
	}
	r, w, total, squares := ranks(sizes), 0.0, 0.0, 0.0
	for k, v := range r {
		total += v
		squares += v * v
		if positive[k] {
			w += v
		}
	}
	far := math.Abs(w - total/2)
	if n > 20 {
		return 2 * (1 - distuv.UnitNormal.CDF(max(0, far-0.5)/math.Sqrt(squares/4)))
	}
	hit := 0
	for signs := range 1 << n {
		sum := 0.0
		for k, v := range r {
			if signs>>k&1 == 1 {
				sum += v
			}
		}
		if math.Abs(sum-total/2) >= far-1e-9 {
			hit++
		}
	}
	return float64(hit) / float64(int(1)<<n)
}

// holm adjusts p-values for multiple comparisons (Holm 1979).
func holm(p []float64) []float64 {
	order := make([]int, len(p))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out, top := make([]float64, len(p)), 0.0
	for k, i := range order {
		top = max(top, min(1, float64(len(p)-k)*p[i]))
		out[i] = top
	}
	return out
}

// signedRank is the Bayesian signed-rank test (Benavoli et al. 2014). It returns the probabilities
// that the first of two methods is better than the second by more than `width`, practically equal,
// or worse by more than `width`. Positive differences mean that the first method is better. The
// random numbers have a fixed seed.
func signedRank(differences []float64, width float64) (better, equal, worse float64) {
	const draws = 5000
	random := rand.New(rand.NewPCG(47, 0))
	z := append([]float64{0}, differences...) // the prior is a difference of 0 with weight ½
	weights := make([]float64, len(z))
	for range draws {
		sum := 0.0
		for k := range weights {
			weights[k] = random.ExpFloat64()
			if k == 0 {
				g := random.NormFloat64()
				weights[k] = g * g / 2 // gamma distribution with shape ½, for the weight of the prior
			}
			sum += weights[k]
		}
		var b, e, w float64
		for i, a := range z {
			for j, c := range z {
				v := weights[i] * weights[j]
				switch m := (a + c) / 2; {
				case m > width:
					b += v
				case m < -width:
					w += v
				default:
					e += v
				}
			}
		}
		switch {
		case b > e && b > w:
			better++
		case w > e && w > b:
			worse++
		default:
			equal++
		}
	}
	return better / draws, equal / draws, worse / draws
}
