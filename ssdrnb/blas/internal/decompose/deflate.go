package decompose

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
)

// update is the eigenproblem of diag(d) + rho·z·zᵀ in the basis of the rows of q. The first m rows
// of q are nonzero only in the first m columns, and the other rows only in the last n-m columns.
type update struct {
	n, m  int
	d, z  []float64
	rho   float64
	q     []float64
	ldq   int
	kinds []kind

	live []int // rows that the update changes, in ascending order of d
	dead []int // rows that stay eigenvectors
}

// deflate sets live and dead. A row whose entry of z vanishes stays an eigenvector, up to rounding.
// If two rows have nearly equal entries of d, deflate rotates them so that the entry of z vanishes
// for one of them. order lists the rows in ascending order of d.
func (u *update) deflate(order []int) {
	top := 0.0
	for i := range u.n {
		top = max(top, math.Abs(u.d[i]), math.Abs(u.z[i]))
		if i >= u.m {
			u.kinds[i] = second
		}
	}
	tolerance := 8 * eps * top
	last := -1 // the live row to compare with its successor
	for _, row := range order {
		if u.rho*math.Abs(u.z[row]) <= tolerance {
			u.dead = append(u.dead, row)
			continue
		}
		if last < 0 {
			last = row
			continue
		}
		tau := math.Hypot(u.z[row], u.z[last])
		c, s := u.z[row]/tau, u.z[last]/tau
		if math.Abs((u.d[row]-u.d[last])*c*s) > tolerance {
			u.live = append(u.live, last)
			last = row
			continue
		}
		u.z[row], u.z[last] = tau, 0
		if u.kinds[row] != u.kinds[last] {
			u.kinds[row], u.kinds[last] = both, both
		}
		kernel.Rot(u.q[last*u.ldq:][:u.n], u.q[row*u.ldq:][:u.n], c, -s)
		a, b := u.d[last], u.d[row]
		u.d[last], u.d[row] = a*c*c+b*s*s, a*s*s+b*c*c
		u.dead = append(u.dead, last)
		last = row
	}
	if last >= 0 {
		u.live = append(u.live, last)
	}
}
