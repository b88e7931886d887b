package embed

import (
	"cmp"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed/internal/pull"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// attraction computes the attraction of t-SNE. It keeps affinities and positions in an order in
// which samples that are near each other in the layout are near each other in memory. On 70,000
// samples, whose positions exceed the nearest cache, a step then takes about half the time. Sums
// keep the order of the entries in the given affinities, so results do not depend on the order in
// memory.
type attraction struct {
	p    *sparse.CSR // rows and columns are places in the order
	at   []float64   // positions, n×d, in the order
	d    int
	held []int32 // the sample at each place
	rank []int32 // the place of each sample
}

// newAttraction returns the affinities p (n×n, of sum `sum`) divided by their sum, in the order of
// the positions y (n×d). It rounds them to 2⁻³⁰ of the largest, because the last digits of
// exponentials differ between processors, see [Spread].
func newAttraction(p *sparse.CSR, sum float64, y []float64, d int) *attraction {
	n := p.Rows
	a := &attraction{at: make([]float64, n*d), d: d, held: alongCurve(y, d), rank: make([]int32, n)}
	for r, i := range a.held {
		a.rank[i] = int32(r)
	}
	scale := 1 / sum
	_, exponent := math.Frexp(scale * slices.Max(p.Val))
	unit := math.Ldexp(1, exponent-30)
	q := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1), ColInd: make([]int32, len(p.ColInd)), Val: make([]float64, len(p.Val))}
	for r, i := range a.held {
		q.RowPtr[r+1] = q.RowPtr[r] + p.RowPtr[i+1] - p.RowPtr[i]
	}
	par.Blocks(n, rowBlock, func(lo, hi int) {
		for r := lo; r < hi; r++ {
			cols, vals := p.Row(int(a.held[r]))
			toCols, toVals := q.Row(r)
			for k, j := range cols {
				toCols[k] = a.rank[j]
				toVals[k] = Rounded(scale*vals[k], unit)
			}
		}
	})
	a.p = q
	return a
}

// follow takes over the positions y.
func (a *attraction) follow(y []float64) {
	for r, i := range a.held {
		copy(a.at[r*a.d:(r+1)*a.d], y[int(i)*a.d:])
	}
}

// pulled sets force to Σ_j p_ij·(y_i − y_j)/(1 + d²) for the sample i at place r.
func (a *attraction) pulled(force []float64, r int) {
	cols, vals := a.p.Row(r)
	if a.d == 2 {
		force[0], force[1] = pull.InPlane(a.at[2*r], a.at[2*r+1], cols, vals, a.at)
		return
	}
	clear(force)
	yi := a.at[r*a.d : (r+1)*a.d]
	for k, j := range cols {
		yj := a.at[int(j)*a.d:][:a.d]
		f := vals[k] / (1 + samples.SquaredDistance(yi, yj))
		for c, v := range yi {
			force[c] += float64(f * (v - yj[c]))
		}
	}
}

// divergence returns Σ p·log(p/q), estimated from at most `most` evenly spaced samples. z is the
// sum of the similarities at the positions.
func (a *attraction) divergence(z float64, most int, t tail) float64 {
	parts := make([][2]float64, min(a.p.Rows, most)) // sum of p, and the divergence
	par.Blocks(len(parts), rowBlock, func(lo, hi int) {
		force := make([]float64, a.d)
		for k := lo; k < hi; k++ {
			r := int(a.rank[k*a.p.Rows/len(parts)])
			_, vals := a.p.Row(r)
			for _, v := range vals {
				parts[k][0] += v
			}
			parts[k][1] = attract(force, a.p, a.at, a.d, r, math.Log(z), t)
		}
	})
	weight, kl := 0.0, 0.0
	for _, v := range parts {
		weight += v[0]
		kl += v[1]
	}
	return kl / weight
}

// alongCurve returns the samples in the order of a Z-order curve (Morton 1966) through the first
// two coordinates of the positions y (n×d).
func alongCurve(y []float64, d int) []int32 {
	const cells = 1 << 16 // per coordinate
	n := len(y) / d
	code := make([]uint64, n) // position on the curve, then the sample
	for c := range min(d, 2) {
		lo, hi := y[c], y[c]
		for i := range n {
			lo, hi = min(lo, y[i*d+c]), max(hi, y[i*d+c])
		}
		if !(hi > lo) {
			continue
		}
		for i := range n {
			cell := uint64((cells - 1) * ((y[i*d+c] - lo) / (hi - lo)))
			code[i] |= apart(cell) << c
		}
	}
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Or(cmp.Compare(code[i], code[j]), cmp.Compare(i, j)) })
	return order
}

// apart returns the lower 16 bits of v with a zero after each.
func apart(v uint64) uint64 {
	v = (v | v<<8) & 0x00ff00ff
	v = (v | v<<4) & 0x0f0f0f0f
	v = (v | v<<2) & 0x33333333
	return (v | v<<1) & 0x55555555
}
