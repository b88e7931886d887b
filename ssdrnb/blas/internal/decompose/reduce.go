package decompose

import (
	"math"

	"gonum.org/v1/gonum/blas"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
)

const (
	// panel is the number of reflectors collected before a single product applies them to the
	// matrix.
	panel = 32
	// strip is the number of columns that a task processes one after another.
	strip = 256
	// teamMin is the order below which one processor performs the rest of the reduction.
	teamMin = 160
)

type reduction struct {
	n    int
	a    []float64
	v, w []float64 // panel×n: the reflectors v of the panel and the vectors w of A − VᵀW − WᵀV
	// next is the next row to be reduced, with all reflectors of the panel applied to it except the
	// newest.
	next  []float64
	lanes [][]float64 // part of the matrix-vector product from each lane; see symv
	vx    []float64   // V·v and W·v
	wx    []float64
	team  *team
}

// reduce overwrites the symmetric n×n matrix in the lower triangle of a with the reflectors that
// reduce it to the tridiagonal matrix T with diagonal d and off-diagonal e[:n-1]:
//
//	A = Q·T·Qᵀ, Q = H_{n-1}·…·H_1, H_j = I − tau_j·v_j·v_jᵀ.
//
// v_j has j entries, which are stored at the start of row j; the last entry is 1. reduce works from
// the last row to the first, so the rows still to be reduced always form a leading block.
//
// The reflectors are collected in panels (Dongarra, Hammarling, Sorensen 1989). Until the
// reflectors of the panel are applied to A, the current matrix is A − VᵀW − WᵀV.
func reduce(products blas.Float64, n int, a, d, e, tau []float64) {
	r := &reduction{n: n, a: a,
		v: make([]float64, panel*n), w: make([]float64, panel*n), next: make([]float64, n),
		vx: make([]float64, panel), wx: make([]float64, panel), team: newTeam()}
	defer r.team.close()
	for range maxLanes {
		r.lanes = append(r.lanes, make([]float64, n))
	}
	for end := n; end > 0; end -= panel {
		start := max(0, end-panel)
		copy(r.next, a[(end-1)*n:end*n])
		for j := end - 1; j >= start; j-- {
			row, q := a[j*n:j*n+j+1], end-1-j
			copy(row, r.next)
			if q > 0 { // the newest reflector, which is not yet applied to r.next
				v, w := r.v[(q-1)*n:], r.w[(q-1)*n:]
				kernel.Axpy(-w[j], v[:j+1], row)
				kernel.Axpy(-v[j], w[:j+1], row)
			}
			d[j] = row[j]
			if j == 0 {
				break
			}
			e[j-1], tau[j] = reflector(row[:j])
			copy(r.v[q*n:], row[:j])
			clear(r.v[q*n+j : (q+1)*n])
			r.partner(j, q, tau[j], j > start)
		}
		if start > 0 {
			products.Dsyr2k(blas.Lower, blas.Trans, start, end-start, -1, r.v, n, r.w, n, 1, a, n)
		}
	}
}

// reflector overwrites x with the vector v, whose last entry is 1, such that H = I − tau·v·vᵀ maps
// x to beta times the last unit vector.
func reflector(x []float64) (beta, tau float64) {
	last := len(x) - 1
	alpha := x[last]
	norm := 0.0
	for _, v := range x[:last] {
		norm = max(norm, math.Abs(v))
	}
	if norm == 0 {
		x[last] = 1
		return alpha, 0
	}
	if norm < 1e-140 { // squares would lose digits
		_, exponent := math.Frexp(norm)
		up := math.Ldexp(1, min(1000, -exponent))
		for i := range x {
			x[i] *= up
		}
		beta, tau = reflector(x)
		return beta / up, tau
	}
	norm = math.Sqrt(kernel.Dot(x[:last], x[:last]))
	beta = -math.Copysign(math.Hypot(alpha, norm), alpha)
	tau = (beta - alpha) / beta
	scale := 1 / (alpha - beta)
	for i := range x[:last] {
		x[i] *= scale
	}
	x[last] = 1
	return beta, tau
}

// partner computes the vector w for reflector q of the panel, whose vector v has j entries. The
// reflector turns A into A − v·wᵀ − w·vᵀ. If ahead is true, partner also prepares row j-1, see
// lookAhead.
func (r *reduction) partner(j, q int, tau float64, ahead bool) {
	n := r.n
	v, w := r.v[q*n:q*n+j], r.w[q*n:(q+1)*n]
	clear(w[j:])
	if tau == 0 {
		// H = I, so w is 0 and no product is needed. Row j-1 must still be prepared.
		clear(w[:j])
		if ahead {
			r.lookAhead(j-1, q, 0, j)
		}
		return
	}
	lanes := laneCount(j)
	strips := (j + strip - 1) / strip
	first := func(task int) {
		switch {
		case task < lanes:
			r.symv(task, lanes, j, v)
		case task == lanes:
			r.dots(r.vx, r.v, q, v)
		case task == lanes+1:
			r.dots(r.wx, r.w, q, v)
		default:
			s := (task - lanes - 2) * strip
			r.lookAhead(j-1, q, s, min(j, s+strip))
		}
	}
	tasks := lanes + 2
	if ahead {
		tasks += strips
	}
	second := func(task int) {
		lo, hi := task*strip, min(j, (task+1)*strip)
		r.sum(lanes, j, w, lo, hi)
		r.addRows(r.wx[:q], -1, r.v, w, lo, hi)
		r.addRows(r.vx[:q], -1, r.w, w, lo, hi)
		for i := lo; i < hi; i++ {
			w[i] *= tau
		}
	}
	if j < teamMin {
		for task := range tasks {
			first(task)
		}
		for task := range strips {
			second(task)
		}
	} else {
		r.team.do(tasks, first)
		r.team.do(strips, second)
	}
	kernel.Axpy(-tau/2*kernel.Dot(v, w[:j]), v, w[:j])
}

// dots sets out[p] to rows[p]·x for the first q rows.
func (r *reduction) dots(out, rows []float64, q int, x []float64) {
	p := 0
	for ; p+4 <= q; p += 4 {
		var t [4]float64
		kernel.Dot4(rows[p*r.n:], r.n, x, &t)
		copy(out[p:], t[:])
	}
	for ; p < q; p++ {
		out[p] = kernel.Dot(x, rows[p*r.n:])
	}
}

// addRows adds sign·Σ s[p]·rows[p] to the entries lo … hi-1 of y.
func (r *reduction) addRows(s []float64, sign float64, rows, y []float64, lo, hi int) {
	p := 0
	for ; p+4 <= len(s); p += 4 {
		c := [4]float64{sign * s[p], sign * s[p+1], sign * s[p+2], sign * s[p+3]}
		kernel.Axpy4(&c, rows[p*r.n+lo:], r.n, y[lo:hi])
	}
	for ; p < len(s); p++ {
		kernel.Axpy(sign*s[p], rows[p*r.n+lo:p*r.n+hi], y[lo:hi])
	}
}

// lookAhead applies the first q reflectors of the panel to entries lo … hi-1 of the given row, and
// stores the result in the same entries of r.next.
func (r *reduction) lookAhead(row, q, lo, hi int) {
	n := r.n
	copy(r.next[lo:hi], r.a[row*n+lo:row*n+hi])
	var v, w [panel]float64
	for p := range q {
		v[p], w[p] = r.v[p*n+row], r.w[p*n+row]
	}
	r.addRows(w[:q], -1, r.v, r.next, lo, hi)
	r.addRows(v[:q], -1, r.w, r.next, lo, hi)
}
