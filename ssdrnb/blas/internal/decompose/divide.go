package decompose

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

const (
	eps = 0x1p-53
	// tiny is negligible relative to the norm of the matrix, which is 1.
	tiny = 1e-200
	// leaf is the largest order of a part that is not divided further.
	leaf = 32
	// parallelMin is the smallest order of a part whose two halves are decomposed concurrently.
	parallelMin = 128
)

// division decomposes a tridiagonal matrix by divide and conquer (Cuppen 1981; Gu, Eisenstat 1995).
// The matrix is split into two halves and a rank-one correction. Merging the eigenpairs of the
// halves gives those of the whole.
type division struct {
	products blas.Float64
	n        int
	d, e     []float64
	q        []float64 // n×n: eigenvectors of the parts, as the rows of diagonal blocks
	rest     []float64 // n×n workspace with the layout of q
	s        []float64 // n×n workspace with the layout of q
	order    []int     // rows of each part, counted from its start, by ascending eigenvalue
	il, iu   int       // range of the requested eigenvectors
}

// tridiagonal overwrites d with the eigenvalues, in ascending order, of the tridiagonal matrix with
// diagonal d and off-diagonal e. It returns eigenvectors il to iu-1 as the rows of an (iu-il)×n
// matrix.
func tridiagonal(products blas.Float64, n int, d, e []float64, il, iu int) ([]float64, error) {
	// Scale the matrix to norm 1: tolerances are relative to its norm, and squares must not
	// underflow to 0.
	norm := 0.0
	for i := range n {
		norm = max(norm, math.Abs(d[i]))
		if i < n-1 {
			norm = max(norm, math.Abs(e[i]))
		}
	}
	c := &division{products: products, n: n, d: d, e: e, q: make([]float64, n*n), order: make([]int, n), il: il, iu: iu}
	if norm == 0 {
		for i := range n {
			c.q[i*n+i] = 1
		}
		return c.q[il*n : iu*n], nil
	}
	for _, x := range [][]float64{d, e} {
		for i, v := range x[:n] {
			if x[i] = v / norm; math.Abs(x[i]) < tiny {
				x[i] = 0 // a subnormal number has too few digits for a rotation
			}
		}
	}
	if n > leaf {
		c.rest, c.s = make([]float64, n*n), make([]float64, n*n)
	}
	if err := c.solve(0, n); err != nil {
		return nil, err
	}
	out, values := c.s, make([]float64, n)
	if out == nil {
		out = make([]float64, n*n)
	}
	par.Blocks(iu-il, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			copy(out[i*n:(i+1)*n], c.q[c.order[il+i]*n:])
		}
	})
	for i, from := range c.order {
		values[i] = d[from] * norm
	}
	copy(d, values)
	return out[:(iu-il)*n], nil
}

// solve decomposes rows start to end-1.
func (c *division) solve(start, end int) error {
	n := end - start
	if n <= leaf {
		q := c.q[start*c.n+start:]
		for i := range n {
			q[i*c.n+i] = 1
		}
		if !implicitQL(n, c.d[start:end], c.e[start:end], q, c.n) {
			return ErrNoConvergence
		}
		order := c.order[start:end]
		for i := range order {
			order[i] = i
		}
		c.sort(start, order)
		return nil
	}
	middle := start + n/2
	rho := c.e[middle-1]
	// T = diag(T₁, T₂) + |ρ|·u·uᵀ with u = (0, …, 1, ±1, …, 0).
	c.d[middle-1] -= math.Abs(rho)
	c.d[middle] -= math.Abs(rho)
	var left, right error
	if n >= parallelMin {
		var wg sync.WaitGroup
		wg.Go(func() { left = c.solve(start, middle) })
		right = c.solve(middle, end)
		wg.Wait()
	} else if left = c.solve(start, middle); left == nil {
		right = c.solve(middle, end)
	}
	if left != nil {
		return left
	}
	if right != nil {
		return right
	}
	c.merge(start, middle, end, rho)
	return nil
}

// sort sorts rows, counted from start, in ascending order of eigenvalue.
func (c *division) sort(start int, rows []int) {
	sortBy(rows, func(i int) float64 { return c.d[start+i] })
}

// sortBy sorts rows stably in ascending order of value.
func sortBy(rows []int, value func(row int) float64) {
	slices.SortStableFunc(rows, func(a, b int) int {
		switch x, y := value(a), value(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}

// kind is the set of halves in which an eigenvector has nonzero entries.
type kind uint8

const (
	first kind = iota // in the first half
	both
	second
)

// merge joins two adjacent parts. It computes the eigenpairs of diag(d) + 2|ρ|·z·zᵀ, where z is the
// unit vector of the rank-one correction in the basis of the parts' eigenvectors.
func (c *division) merge(start, middle, end int, rho float64) {
	n, m := end-start, middle-start
	q, d := c.q[start*c.n+start:], c.d[start:end]
	z := make([]float64, n)
	sign := math.Copysign(1/math.Sqrt2, rho)
	for i := range m {
		z[i] = q[i*c.n+m-1] / math.Sqrt2
	}
	for i := m; i < n; i++ {
		z[i] = q[i*c.n+m] * sign
	}
	order := c.order[start:end]
	for i := m; i < n; i++ {
		order[i] += m
	}
	c.sort(start, order)
	rho = 2 * math.Abs(rho)
	u := &update{n: n, m: m, d: d, z: z, rho: rho, q: q, ldq: c.n, kinds: make([]kind, n)}
	u.deflate(order)
	c.rotate(start, end, u, order)
}

// rotate computes the eigenvectors of the merged parts from the eigenvectors of the halves.
func (c *division) rotate(start, end int, u *update, order []int) {
	n, m, k := u.n, u.m, len(u.live)
	q := u.q
	// Group rows by kind, so that zeros are not multiplied.
	group, place, count := grouped(u.live, u.kinds)
	upper, lower := count[first]+count[both], count[both]+count[second]
	parts := split{data: q, ld: c.n, cut: m, width: n}
	top, bottom, dead := parts.take(c.rest[start*c.n:], group, u.dead, upper, count[first])
	p, weights := poles{values: make([]float64, k)}, make([]float64, k)
	for i, row := range u.live {
		p.values[i], weights[i] = u.d[row], u.z[row]
	}
	deadValues := make([]float64, n-k)
	for i, row := range u.dead {
		deadValues[i] = u.d[row]
	}
	// From here on, row i of q belongs to the i-th root of the secular equation for i < k, and to a
	// deflated pair otherwise.
	s := c.s[start*c.n:][:k*k]
	secular(p, weights, u.rho, u.d[:k], s)
	copy(u.d[k:], deadValues)
	for i := range order {
		order[i] = i
	}
	c.sort(start, order)
	wantStart, wantEnd := 0, k
	if n == c.n { // the last merge: only the wanted rows are computed
		wantStart, wantEnd = k, 0
		for _, row := range order[c.il:c.iu] {
			if row < k {
				wantStart, wantEnd = min(wantStart, row), max(wantEnd, row+1)
			}
		}
	}
	if want := wantEnd - wantStart; want > 0 {
		secularVectors(nearby(p, weights, s), s, place, wantStart, wantEnd)
		wanted, to := s[wantStart*k:], q[wantStart*c.n:]
		c.multiply(want, m, upper, wanted, k, top, to)
		c.multiply(want, n-m, lower, wanted[count[first]:], k, bottom, to[m:])
	}
	par.Blocks(n-k, 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			copy(q[(k+i)*c.n:(k+i)*c.n+n], dead[i*n:])
		}
	})
}

// multiply sets the rows×cols block of q that starts at `to` to s·b.
func (c *division) multiply(rows, cols, inner int, s []float64, lds int, b, to []float64) {
	if inner == 0 {
		for i := range rows {
			clear(to[i*c.n : i*c.n+cols])
		}
		return
	}
	c.products.Dgemm(blas.NoTrans, blas.NoTrans, rows, cols, inner, 1, s, lds, b, cols, 0, to, c.n)
}
