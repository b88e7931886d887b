package decompose

import (
	"math"

	"gonum.org/v1/gonum/blas"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// merge joins the parts above and below row `middle`. In the bases of the singular vectors of the
// parts, the joined matrix is diag(d), except that row `middle` is the full row z; d is 0 there.
// The squared singular values of this matrix are the eigenvalues of diag(d²) + z·zᵀ.
func (b *bidivision) merge(start, middle, end, beside int) {
	n, m := end-start, middle-start
	alpha, beta := b.d[middle], b.e[middle]
	b.d[middle] = 0
	row := b.u[middle*b.n+start : middle*b.n+end]
	clear(row)
	row[m] = 1

	// Scale all values to about 1. A part may be much smaller than the whole, and its squares must
	// not underflow to 0.
	d := b.d[start:end]
	size := max(math.Abs(alpha), math.Abs(beta))
	for _, v := range d {
		size = max(size, v)
	}
	if size < tiny { // alpha and beta count as 0, so the values do not change
		return
	}
	for i := range d {
		d[i] /= size
	}
	alpha /= size
	beta /= size
	z := make([]float64, n)
	for i := start; i < middle; i++ {
		z[i-start] = alpha * b.v[i*b.ldv+middle]
	}
	for i := middle + 1; i < end; i++ {
		z[i-start] = beta * b.v[i*b.ldv+middle+1]
	}
	// z has a nonzero entry for the null vector of each part. Rotating the two null vectors makes
	// one of these entries 0.
	z[m] = alpha * b.v[middle*b.ldv+middle]
	if beside == 1 {
		other := b.v[end*b.ldv+start : end*b.ldv+end+beside]
		x, y := z[m], beta*b.v[end*b.ldv+middle+1]
		if r := math.Hypot(x, y); r > tiny {
			kernel.Rot(b.v[middle*b.ldv+start:middle*b.ldv+end+beside], other, x/r, y/r)
			z[m] = r
		}
	}
	live, dead, kinds := b.deflate(start, middle, end, beside, z)
	b.rotate(start, middle, end, beside, z, live, dead, kinds)
	for i := range d {
		d[i] *= size
	}
}

// deflate finds the singular triplets that z does not change, up to rounding. It returns their rows
// in `dead` and the other rows in `live`. In `live`, row `middle` comes first, and then the other
// rows in ascending order of d. Rows are counted from start. kinds holds the kind of each row.
func (b *bidivision) deflate(start, middle, end, beside int, z []float64) (live, dead []int, kinds []kind) {
	n, m := end-start, middle-start
	d := b.d[start:end]
	kinds = make([]kind, n)
	order := make([]int, 0, n)
	for i := range n {
		if i != m {
			order = append(order, i)
		}
		if i > m {
			kinds[i] = second
		}
	}
	kinds[m] = both
	sortBy(order, func(i int) float64 { return d[i] })
	const tolerance = 8 * eps // relative to the largest value, which is 1
	if math.Abs(z[m]) <= tolerance {
		z[m] = tolerance
	}
	live = append(live, m)
	last := -1
	for _, i := range order {
		if math.Abs(z[i]) <= tolerance {
			dead = append(dead, i)
			continue
		}
		if last >= 0 && d[i]-d[last] <= tolerance {
			tau := math.Hypot(z[i], z[last])
			c, s := z[i]/tau, z[last]/tau
			z[i], z[last] = tau, 0
			if kinds[i] != kinds[last] {
				kinds[i], kinds[last] = both, both
			}
			kernel.Rot(b.u[(start+last)*b.n+start:][:n], b.u[(start+i)*b.n+start:][:n], c, -s)
			kernel.Rot(b.v[(start+last)*b.ldv+start:][:n+beside], b.v[(start+i)*b.ldv+start:][:n+beside], c, -s)
			dead = append(dead, last)
		} else if last >= 0 {
			live = append(live, last)
		}
		last = i
	}
	if last >= 0 {
		live = append(live, last)
	}
	if len(live) > 1 { // poles must be distinct, and row `middle` has the pole 0
		d[live[1]] = max(d[live[1]], tolerance/2)
	}
	return live, dead, kinds
}

// rotate computes the vectors of the merged parts.
func (b *bidivision) rotate(start, middle, end, beside int, z []float64, live, dead []int, kinds []kind) {
	n, m, k := end-start, middle-start, len(live)
	width := n + beside
	u, v, d := b.u[start*b.n+start:], b.v[start*b.ldv+start:], b.d[start:end]
	group, place, count := grouped(live, kinds)
	upper, lower := count[first]+count[both], count[both]+count[second]

	restU, restV := b.restU[start*b.n:], b.restV[start*b.ldv:]
	left := split{data: u, ld: b.n, cut: m, width: n}
	right := split{data: v, ld: b.ldv, cut: m + 1, width: width}
	topU, bottomU, deadU := left.take(restU, group, dead, upper, count[first])
	topV, bottomV, deadV := right.take(restV, group, dead, upper, count[first])

	p, weights := poles{values: make([]float64, k), squared: true}, make([]float64, k)
	for i, row := range live {
		p.values[i], weights[i] = d[row], z[row]
	}
	deadValues := make([]float64, n-k)
	for i, row := range dead {
		deadValues[i] = d[row]
	}
	// From here on, row i of u and v belongs to the i-th root of the secular equation for i < k,
	// and to a deflated triplet otherwise.
	su, sv := b.su[start*b.n:][:k*k], b.sv[start*b.n:][:k*k]
	secular(p, weights, 1, d[:k], sv)
	copy(d[k:], deadValues)
	exact := nearby(p, weights, sv)
	leftVectors(p, exact, sv, su, place)
	secularVectors(exact, sv, place, 0, k)

	multiply := func(cols, inner int, s, x, to []float64, ld int) {
		if inner == 0 || cols == 0 {
			for i := range k {
				clear(to[i*ld : i*ld+cols])
			}
			return
		}
		b.products.Dgemm(blas.NoTrans, blas.NoTrans, k, cols, inner, 1, s, k, x, cols, 0, to, ld)
	}
	multiply(m+1, upper, sv, topV, v, b.ldv)
	multiply(width-m-1, lower, sv[count[first]:], bottomV, v[m+1:], b.ldv)
	multiply(m, upper, su, topU, u, b.n)
	multiply(n-m, lower, su[count[first]:], bottomU, u[m:], b.n)
	for i := range n - k {
		copy(u[(k+i)*b.n:(k+i)*b.n+n], deadU[i*n:])
		copy(v[(k+i)*b.ldv:(k+i)*b.ldv+width], deadV[i*width:])
	}
}

// leftVectors writes the unit left singular vector of each root to a row of su. sv holds the
// differences from secular. Entry i of a vector is stored in column place[i]. Pole 0 belongs to row
// `middle`, which holds z, so entry 0 is −1 before normalisation.
func leftVectors(p poles, z, sv, su []float64, place []int) {
	k := len(z)
	par.Blocks(k, 32, func(lo, hi int) {
		vector := make([]float64, k)
		for j := lo; j < hi; j++ {
			row := sv[j*k : (j+1)*k]
			vector[0] = -1
			norm := 1.0
			for i := 1; i < k; i++ {
				x := p.values[i] * z[i] / row[i]
				vector[i] = x
				norm += x * x
			}
			norm = 1 / math.Sqrt(norm)
			for i, x := range vector {
				su[j*k+place[i]] = x * norm
			}
		}
	})
}

// grouped returns the live rows sorted by kind, the position of each live row in this list, and the
// number of rows of each kind.
func grouped(live []int, kinds []kind) (group, place []int, count [3]int) {
	place = make([]int, len(live))
	for kd := first; kd <= second; kd++ {
		for i, row := range live {
			if kinds[row] == kd {
				place[i] = len(group)
				group = append(group, row)
				count[kd]++
			}
		}
	}
	return group, place, count
}

// split is a block of row vectors. The field `width` is the length of the vectors, and `cut` is the
// column before which the block is divided.
type split struct {
	data           []float64
	ld, cut, width int
}

// take copies three parts to dst. For the first `upper` rows of the group, top holds the columns
// before the cut. For the rows of the group from index `from` on, bottom holds the other columns.
// rest holds the dead rows.
func (s split) take(dst []float64, group, dead []int, upper, from int) (top, bottom, rest []float64) {
	k, behind := len(group), s.width-s.cut
	top = dst[:upper*s.cut]
	bottom = dst[len(top):][:(k-from)*behind]
	rest = dst[len(top)+len(bottom):]
	par.Blocks(k+len(dead), 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if i >= k {
				copy(rest[(i-k)*s.width:(i-k+1)*s.width], s.data[dead[i-k]*s.ld:])
				continue
			}
			row := s.data[group[i]*s.ld:][:s.width]
			if i < upper {
				copy(top[i*s.cut:(i+1)*s.cut], row)
			}
			if i >= from {
				copy(bottom[(i-from)*behind:(i-from+1)*behind], row[s.cut:])
			}
		}
	})
	return top, bottom, rest
}
