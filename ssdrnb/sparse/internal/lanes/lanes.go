// Package lanes implements the innermost loops of a triangular solve with four right-hand sides,
// and of the product of a sparse row and eight columns. It runs AVX2 assembly if the processor has
// AVX2 and FMA, and plain Go otherwise.
package lanes

//go:generate go run ./gen -out lanes_amd64.s -stubs stubs_amd64.go -pkg lanes

// Row is one row of four right-hand sides. Each entry of the triangular factor is thus loaded once
// for four products.
type Row = [4]float64

// Add adds u[r]·y + v[r]·z to sum[r]. u and v are as long as sum.
func Add(sum []Row, u, v []float64, y, z *Row) {
	n := len(sum)
	if n == 0 {
		return
	}
	_, _ = u[:n], v[:n]
	if fast {
		add2(n, &sum[0][0], &u[0], &v[0], &y[0], &z[0])
		return
	}
	addGo(sum, u, v, y, z)
}

// Take subtracts Σ u[r]·x[r] from y and Σ v[r]·x[r] from z. u and v are as long as x.
func Take(y, z *Row, u, v []float64, x []Row) {
	n := len(x)
	if n == 0 {
		return
	}
	_, _ = u[:n], v[:n]
	if fast {
		dot2(n, &y[0], &z[0], &u[0], &v[0], &x[0][0])
		return
	}
	takeGo(y, z, u, v, x)
}

// Wide is one row of eight columns.
type Wide = [8]float64

// Gather sets sum to Σ v[r]·x[index[r]], where row i of x consists of x[i·stride] to x[i·stride +
// 7]. v is as long as index, which is ascending. Gather panics if a row is outside x.
func Gather(sum *Wide, index []int32, v, x []float64, stride int) {
	n := len(index)
	if n == 0 {
		*sum = Wide{}
		return
	}
	_ = v[:n]
	if fast {
		_, _ = x[int(index[0])*stride:][:len(sum)], x[int(index[n-1])*stride:][:len(sum)]
		gather8(n, &index[0], &v[0], &x[0], stride, &sum[0])
		return
	}
	gatherGo(sum, index, v, x, stride)
}

func gatherGo(sum *Wide, index []int32, v, x []float64, stride int) {
	var even, odd Wide
	for r, i := range index {
		s, a, f := &even, (*Wide)(x[int(i)*stride:]), v[r]
		if r%2 == 1 {
			s = &odd
		}
		for c := range s {
			s[c] += f * a[c]
		}
	}
	for c := range sum {
		sum[c] = even[c] + odd[c]
	}
}

func addGo(sum []Row, u, v []float64, y, z *Row) {
	y0, y1, y2, y3 := y[0], y[1], y[2], y[3]
	z0, z1, z2, z3 := z[0], z[1], z[2], z[3]
	u, v = u[:len(sum)], v[:len(sum)]
	for r := range sum {
		s, f, g := &sum[r], u[r], v[r]
		s[0] += f*y0 + g*z0
		s[1] += f*y1 + g*z1
		s[2] += f*y2 + g*z2
		s[3] += f*y3 + g*z3
	}
}

func takeGo(y, z *Row, u, v []float64, x []Row) {
	s0, s1, s2, s3 := y[0], y[1], y[2], y[3]
	t0, t1, t2, t3 := z[0], z[1], z[2], z[3]
	u, v = u[:len(x)], v[:len(x)]
	for r := range x {
		f, g, a := u[r], v[r], &x[r]
		s0 -= f * a[0]
		s1 -= f * a[1]
		s2 -= f * a[2]
		s3 -= f * a[3]
		t0 -= g * a[0]
		t1 -= g * a[1]
		t2 -= g * a[2]
		t3 -= g * a[3]
	}
	*y, *z = Row{s0, s1, s2, s3}, Row{t0, t1, t2, t3}
}
