package decompose

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
)

// sweepsPerValue limits the iterations of implicitQL per eigenvalue. Two are usual.
const sweepsPerValue = 40

// implicitQL overwrites d with the eigenvalues, in no particular order, of the n×n tridiagonal
// matrix with diagonal d and off-diagonal e[:n-1]. It applies its rotations to the rows of q: if q
// was the identity matrix, its rows become the eigenvectors. The method is the QL iteration with
// implicit shifts (Dubrulle, Martin, Wilkinson 1968), for small n. It returns false if the
// iteration does not converge.
func implicitQL(n int, d, e, q []float64, ldq int) bool {
	sweeps := 0
	for l := range n {
		for {
			// The unreduced block that starts at l ends at m.
			m := l
			for m < n-1 && math.Abs(e[m]) > eps*math.Sqrt(math.Abs(d[m]))*math.Sqrt(math.Abs(d[m+1])) {
				m++
			}
			if m == l {
				break
			}
			if sweeps++; sweeps > sweepsPerValue*n {
				return false
			}
			qlSweep(l, m, n, d, e, q, ldq)
		}
	}
	return true
}

// qlSweep performs one QL step on rows l to m.
func qlSweep(l, m, n int, d, e, q []float64, ldq int) {
	if m < n-1 {
		e[m] = 0
	}
	g := (d[l+1] - d[l]) / (2 * e[l])
	g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Hypot(g, 1), g))
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := s*e[i], c*e[i]
		r := math.Hypot(f, g)
		if i+1 < m {
			e[i+1] = r
		}
		if r < tiny { // the matrix splits here
			d[i+1] -= p
			return
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = (d[i]-g)*s + 2*c*b
		p = s * r
		d[i+1] = g + p
		g = c*r - b
		kernel.Rot(q[i*ldq:][:n], q[(i+1)*ldq:][:n], c, -s)
	}
	d[l] -= p
	e[l] = g
}
