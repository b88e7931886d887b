package blas

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// The symmetric eigensolver of the engines without LAPACK: Householder reduction
// to a tridiagonal T, divide and conquer for T (Cuppen 1981; Gu, Eisenstat 1995),
// and the reflectors applied to its eigenvectors. gonum's QL iteration spends
// O(n³) scalar operations on rotating eigenvectors; here they are products.

// smallTridiagonal is the order at which the division stops.
const smallTridiagonal = 32

// eigenDivide decomposes the symmetric n×n matrix in z; see engine.eigen.
func eigenDivide(n int, z, values []float64, vectors bool) error {
	if n < smallEigen {
		return eigenQL(n, z, values, vectors)
	}
	var impl lapackgonum.Implementation
	// Scale into the middle of the range of numbers: squares must not overflow.
	norm := 0.0
	for _, v := range z[:n*n] {
		norm = max(norm, math.Abs(v))
	}
	if norm == 0 {
		clear(values)
		for i := range n {
			z[i*n+i] = 1
		}
		return nil
	}
	for i := range z[:n*n] {
		z[i] /= norm
	}
	e, tau := make([]float64, n-1), make([]float64, n-1)
	work := make([]float64, 1)
	impl.Dsytrd(blas.Lower, n, z, n, values, e, tau, work, -1)
	work = make([]float64, int(work[0]))
	impl.Dsytrd(blas.Lower, n, z, n, values, e, tau, work, len(work))
	if !vectors {
		if !impl.Dsterf(n, values, e) {
			return ErrNoConvergence
		}
		blas64.Scal(norm, blas64.Vector{N: n, Data: values, Inc: 1})
		return nil
	}
	q := make([]float64, n*n)
	if err := divide(n, values, e, q, n); err != nil {
		return err
	}
	applyReflectors(n, z, tau, q)
	copy(z, q)
	transposeSquare(n, z)
	for i := range values {
		values[i] *= norm
	}
	return nil
}

// applyReflectors overwrites the n×n matrix q with H₁⋯H_{n−1}·q, for the reflectors
// below the diagonal of z that Dsytrd left there.
func applyReflectors(n int, z, tau, q []float64) {
	var impl lapackgonum.Implementation
	work := make([]float64, 1)
	impl.Dormqr(blas.Left, blas.NoTrans, n-1, n, n-1, z[n:], n, tau, q[n:], n, work, -1)
	work = make([]float64, int(work[0]))
	impl.Dormqr(blas.Left, blas.NoTrans, n-1, n, n-1, z[n:], n, tau, q[n:], n, work, len(work))
}

// divide overwrites d with the eigenvalues, rising, of the tridiagonal matrix with
// the diagonal d and the subdiagonal e, which it destroys, and writes the
// eigenvectors to the columns of the n×n matrix q, which must be zero.
func divide(n int, d, e, q []float64, ldq int) error {
	if n <= smallTridiagonal {
		for i := range n {
			q[i*ldq+i] = 1
		}
		var impl lapackgonum.Implementation
		if !impl.Dsteqr(lapack.EVTridiag, n, d, e, q, ldq, make([]float64, max(1, 2*n-2))) {
			return ErrNoConvergence
		}
		return nil
	}
	m := n / 2
	rho := e[m-1]
	// T = diag(T₁, T₂) + |ρ|·v·vᵀ with v = (0, …, 1, ±1, …, 0).
	d[m-1] -= math.Abs(rho)
	d[m] -= math.Abs(rho)
	if err := divide(m, d[:m], e[:m-1], q, ldq); err != nil {
		return err
	}
	if err := divide(n-m, d[m:], e[m:], q[m*ldq+m:], ldq); err != nil {
		return err
	}
	c := &conquest{n: n, m: m, d: d, q: q, ldq: ldq, z: make([]float64, n), rho: 2 * math.Abs(rho)}
	for j := range m {
		c.z[j] = q[(m-1)*ldq+j] / math.Sqrt2
	}
	sign := math.Copysign(1/math.Sqrt2, rho)
	for j := m; j < n; j++ {
		c.z[j] = sign * q[m*ldq+j]
	}
	c.merge()
	return nil
}

// conquest merges two halves: the eigenproblem of diag(d) + rho·z·zᵀ.
type conquest struct {
	n, m int
	d    []float64
	q    []float64
	ldq  int
	z    []float64
	rho  float64

	mixed []bool // columns that a deflating rotation spread over both halves
}

const eps = 0x1p-53

func (c *conquest) merge() {
	live, dead := c.deflate()
	k := len(live)
	poles, weights := make([]float64, k), make([]float64, k)
	for a, j := range live {
		poles[a], weights[a] = c.d[j], c.z[j]
	}
	u := make([]float64, k*k) // u[i·k+j]: component i of eigenvector j
	roots := make([]float64, k)
	if k > 0 {
		secular(poles, weights, c.rho, roots, u)
	}
	c.assemble(live, dead, roots, u)
}

// deflate finds the eigenpairs that the update does not change, up to rounding:
// those with a vanishing weight, and one of each pair with nearly equal poles. It
// returns the columns that remain, by rising pole, and the others.
func (c *conquest) deflate() (live, dead []int) {
	order := make([]int, c.n)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case c.d[a] < c.d[b]:
			return -1
		case c.d[a] > c.d[b]:
			return 1
		}
		return 0
	})
	c.mixed = make([]bool, c.n)
	top := 0.0
	for j := range c.n {
		top = max(top, math.Abs(c.d[j]), math.Abs(c.z[j]))
	}
	tolerance := 8 * eps * top
	last := -1
	for _, j := range order {
		if c.rho*math.Abs(c.z[j]) <= tolerance {
			dead = append(dead, j)
			continue
		}
		if last < 0 {
			last = j
			continue
		}
		s, co := c.z[last], c.z[j]
		tau := math.Hypot(co, s)
		gap := c.d[j] - c.d[last]
		co, s = co/tau, -s/tau
		if math.Abs(gap*co*s) > tolerance {
			live = append(live, last)
			last = j
			continue
		}
		// Turn the pair so that the weight of the first vanishes.
		c.z[j], c.z[last] = tau, 0
		blas64.Rot(c.column(last), c.column(j), co, s)
		if (last < c.m) != (j < c.m) || c.mixed[last] || c.mixed[j] {
			c.mixed[last], c.mixed[j] = true, true
		}
		dl, dj := c.d[last], c.d[j]
		c.d[last], c.d[j] = dl*co*co+dj*s*s, dl*s*s+dj*co*co
		dead = append(dead, last)
		last = j
	}
	if last >= 0 {
		live = append(live, last)
	}
	return live, dead
}

func (c *conquest) column(j int) blas64.Vector {
	return blas64.Vector{N: c.n, Data: c.q[j:], Inc: c.ldq}
}

// assemble multiplies the live columns by u, and sorts all pairs by eigenvalue.
func (c *conquest) assemble(live, dead []int, roots, u []float64) {
	n, k := c.n, len(live)
	fresh := make([]float64, n*max(k, 1)) // n×k, the new columns
	for _, half := range [2][2]int{{0, c.m}, {c.m, n}} {
		// Columns that vanish on this half take no part in its product.
		var take []int
		for a, j := range live {
			if c.mixed[j] || (j < c.m) == (half[0] == 0) {
				take = append(take, a)
			}
		}
		rows, inner := half[1]-half[0], len(take)
		if inner == 0 {
			continue
		}
		left, right := make([]float64, rows*inner), make([]float64, inner*k)
		for b, a := range take {
			copy(right[b*k:(b+1)*k], u[a*k:(a+1)*k])
		}
		for i := range rows {
			row := c.q[(half[0]+i)*c.ldq:]
			for b, a := range take {
				left[i*inner+b] = row[live[a]]
			}
		}
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, blas64.General{Rows: rows, Cols: inner, Stride: inner, Data: left},
			blas64.General{Rows: inner, Cols: k, Stride: k, Data: right}, 0,
			blas64.General{Rows: rows, Cols: k, Stride: k, Data: fresh[half[0]*k:]})
	}
	type pair struct {
		value  float64
		column int // of q, or −1−column of fresh
	}
	pairs := make([]pair, 0, n)
	for a, v := range roots {
		pairs = append(pairs, pair{v, -1 - a})
	}
	for _, j := range dead {
		pairs = append(pairs, pair{c.d[j], j})
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return 0
	})
	par.Blocks(n, 64, func(lo, hi int) {
		old := make([]float64, n)
		for i := lo; i < hi; i++ {
			row := c.q[i*c.ldq : i*c.ldq+n]
			copy(old, row)
			for to, p := range pairs {
				if p.column >= 0 {
					row[to] = old[p.column]
				} else {
					row[to] = fresh[i*k-1-p.column]
				}
			}
		}
	})
	for to, p := range pairs {
		c.d[to] = p.value
	}
}
