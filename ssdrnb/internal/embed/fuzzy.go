package embed

import (
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// rowBlock is the number of rows that a worker processes at a time.
const rowBlock = 256

// FuzzyGraph is the fuzzy simplicial set of neighbour lists.
type FuzzyGraph struct {
	// W holds the edge weights, all in (0, 1]. It is symmetric.
	W *sparse.CSR
	// Rho and Sigma hold ρ and σ of each sample, see [Fuzzy]. Neighbours of sample i within the
	// distance Rho[i] have membership 1. Beyond this distance the membership decays with the scale
	// Sigma[i].
	Rho, Sigma []float64
}

// FuzzyOptions are the settings of [Fuzzy].
type FuzzyOptions struct {
	// Connectivity ≥ 0 is the number of nearest neighbours with membership 1, not counting
	// duplicates at distance 0. For a fractional number, ρ is interpolated between the distances.
	Connectivity float64
	// Mix in [0, 1] is the weight m in m·(union) + (1 − m)·(intersection), where the union and the
	// intersection combine the memberships in the two directions of an edge; see [Fuzzy].
	Mix float64
}

// PlainFuzzy holds the settings of the UMAP paper: connectivity 1, and only the union.
var PlainFuzzy = FuzzyOptions{Connectivity: 1, Mix: 1}

func (o FuzzyOptions) check() error {
	if !(o.Connectivity >= 0) || math.IsInf(o.Connectivity, 1) || !(o.Mix >= 0 && o.Mix <= 1) {
		return fmt.Errorf("%w: local connectivity = %v, mix = %v; the first must be finite and at least 0, the second between 0 and 1", ErrOption, o.Connectivity, o.Mix)
	}
	return nil
}

// Fuzzy returns the edge weights of UMAP's graph. ρ is the distance from a sample to its c-th
// nearest neighbour, not counting duplicates, where c is opt.Connectivity. A neighbour at distance
// d has the membership exp(−max(0, d − ρ)/σ). σ is chosen so that the memberships of the K listed
// neighbours sum to log₂(K+1). With the memberships a and b in the two directions, the weight of an
// edge is opt.Mix times the union a + b − ab plus (1 − opt.Mix) times the intersection ab.
//
// umap-learn counts a sample among its own neighbours: its n_neighbors is K+1.
func Fuzzy(nb *graph.Neighbors, opt FuzzyOptions) (*FuzzyGraph, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	rho, sigma := memberships(nb, opt.Connectivity)
	w := nb.Directed()
	par.Blocks(w.Rows, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_, vals := w.Row(i)
			for k, d := range vals {
				vals[k] = membership(d, rho[i], sigma[i])
			}
		}
	})
	u, err := mixed(w, opt.Mix)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrShape, err)
	}
	return &FuzzyGraph{W: u, Rho: rho, Sigma: sigma}, nil
}

// mixed returns `share` times the union of both directions of w plus (1 − `share`) times their
// intersection.
func mixed(w *sparse.CSR, share float64) (*sparse.CSR, error) {
	switch share {
	case 1:
		return w.Symmetrize(sparse.Either)
	case 0:
		return w.Symmetrize(sparse.Both)
	}
	either, err := w.Symmetrize(sparse.Either)
	if err != nil {
		return nil, err
	}
	both, err := w.Symmetrize(sparse.Both)
	if err != nil {
		return nil, err
	}
	return sparse.Add(share, either, 1-share, both)
}

// FuzzyTo returns the memberships of the neighbours that nb lists for each query, with one row per
// query and `samples` columns. [Place] takes these directed weights. See [FuzzyOptions] for the
// connectivity.
func FuzzyTo(nb *graph.Neighbors, samples int, connectivity float64) (*sparse.CSR, error) {
	if err := (FuzzyOptions{Connectivity: connectivity}).check(); err != nil {
		return nil, err
	}
	rho, sigma := memberships(nb, connectivity)
	entries := make([]sparse.Triplet, 0, len(nb.Index))
	for i := range nb.Len() {
		index, dist := nb.Of(i)
		for k, j := range index {
			entries = append(entries, sparse.Triplet{Row: i, Col: int(j), Value: membership(dist[k], rho[i], sigma[i])})
		}
	}
	return sparse.FromTriplets(nb.Len(), samples, entries)
}

func membership(d, rho, sigma float64) float64 {
	if d <= rho {
		return 1
	}
	return math.Exp(-(d - rho) / sigma)
}

// memberships returns ρ and σ of every sample. As in umap-learn, σ is at least a thousandth of the
// mean distance to the sample's neighbours, or of the overall mean distance if ρ is 0, for example
// because the neighbours coincide with the sample. The bound matters if all distances are equal:
// the equation for σ then has no solution.
func memberships(nb *graph.Neighbors, connectivity float64) (rho, sigma []float64) {
	const floor = 1e-3
	n := nb.Len()
	rho, sigma = make([]float64, n), make([]float64, n)
	target := math.Log2(float64(nb.K + 1))
	mean := 0.0
	for _, d := range nb.Dist {
		mean += d
	}
	// These means count the sample itself as a neighbour at distance 0, as umap-learn does.
	mean /= float64(n) * float64(nb.K+1)
	par.Blocks(n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_, dist := nb.Of(i)
			own, apart := 0.0, len(dist) // mean distance, and index of the first neighbour that is not a duplicate
			for k := len(dist) - 1; k >= 0; k-- {
				own += dist[k]
				if dist[k] > 0 {
					apart = k
				}
			}
			own /= float64(nb.K + 1)
			rho[i] = reached(dist[apart:], connectivity)
			sigma[i] = solveScale(dist, rho[i], own, target)
			if rho[i] > 0 {
				sigma[i] = max(sigma[i], floor*own)
			} else {
				sigma[i] = max(sigma[i], floor*mean)
			}
		}
	})
	return rho, sigma
}

// reached returns the distance to the count-th neighbour. For a fractional count, it interpolates
// between the distances of neighbours, or between 0 and the first. If there are fewer neighbours,
// it returns the last distance, or 0 if there are none. dist holds positive distances in ascending
// order.
func reached(dist []float64, count float64) float64 {
	if len(dist) == 0 {
		return 0
	}
	if count >= float64(len(dist)) {
		return dist[len(dist)-1]
	}
	whole := int(count)
	before := 0.0
	if whole > 0 {
		before = dist[whole-1]
	}
	return before + float64((count-float64(whole))*(dist[whole]-before))
}

// solveScale returns σ with Σ exp(−max(0, d − ρ)/σ) = target to ten digits, or a σ near 0 if the
// sum exceeds target for all σ. The sum is convex in 1/σ, so Newton's method converges from
// either side; a step outside the known bounds is replaced by a bisection. The first σ is the power
// of two above `start`, which has the unit of the distances.
func solveScale(dist []float64, rho, start, target float64) float64 {
	_, exponent := math.Frexp(start)
	lo, s, hi := 0.0, math.Ldexp(1, -exponent), math.Inf(1) // values of 1/σ
	for range 100 {
		sum, slope := 0.0, 0.0
		for _, d := range dist {
			if d <= rho {
				sum++
				continue
			}
			v := math.Exp((rho - d) * s)
			sum += v
			slope += (rho - d) * v
		}
		if math.Abs(sum-target) < 1e-10 {
			break
		}
		if sum > target {
			if slope == 0 {
				return 0
			}
			lo = s
		} else {
			hi = s
		}
		if s -= (sum - target) / slope; !(s > lo && s < hi) {
			s = (lo + hi) / 2
		}
	}
	return 1 / s
}

// UseLabels returns UMAP's graph w reweighted by labels, as in umap-learn's "categorical
// intersection". It multiplies the weight of an edge with an unlabelled end (−1) by exp(−1), and
// the weight of an edge between different labels by exp(−far). It then divides rows by their
// largest weight and takes the union of both directions, so that every sample has an edge of weight
// 1 again. See [LabelDistance] for `far`.
func UseLabels(w *sparse.CSR, labels []int, far float64) (*sparse.CSR, error) {
	const unknown = 1
	if w.Rows != w.Cols || len(labels) != w.Rows {
		return nil, fmt.Errorf("%w: there are %d labels, but the graph is %d×%d", ErrShape, len(labels), w.Rows, w.Cols)
	}
	if !(far >= 0) {
		return nil, fmt.Errorf("%w: far distance = %v; it must be at least 0", ErrOption, far)
	}
	m := w.Clone()
	for i := range m.Rows {
		cols, vals := m.Row(i)
		most := 0.0
		for k, j := range cols {
			if labels[i] < 0 || labels[j] < 0 {
				vals[k] *= math.Exp(-unknown)
			} else if labels[i] != labels[j] {
				vals[k] *= math.Exp(-far)
			}
			most = max(most, vals[k])
		}
		if most > 0 {
			for k := range vals {
				vals[k] /= most
			}
		}
	}
	return m.Symmetrize(sparse.Either)
}

// LabelDistance returns the distance between different labels for umap-learn's target weight in [0,
// 1]: 2.5/(1 − weight), or 1e12 for weight 1.
func LabelDistance(targetWeight float64) (float64, error) {
	if !(targetWeight >= 0 && targetWeight <= 1) {
		return 0, fmt.Errorf("%w: target weight = %v; it must lie between 0 and 1", ErrOption, targetWeight)
	}
	if targetWeight == 1 {
		return 1e12, nil
	}
	return 2.5 / (1 - targetWeight), nil
}
