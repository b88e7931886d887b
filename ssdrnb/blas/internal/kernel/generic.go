package kernel

// gemmGo computes the tile row by row. NR sums do not fit into the registers of a Go loop, so they
// are kept in an array.
func gemmGo(k int, a, b, c []float64, ldc int, add bool) {
	for r := range MR {
		var acc [NR]float64
		for p := range k {
			v := a[MR*p+r]
			row := (*[NR]float64)(b[NR*p:])
			for j := range acc {
				acc[j] += v * row[j]
			}
		}
		out := c[r*ldc : r*ldc+NR]
		for j := range out {
			if add {
				out[j] += acc[j]
			} else {
				out[j] = acc[j]
			}
		}
	}
}

func symvGo(a []float64, lda int, x, y []float64, s, t *[4]float64) {
	n := len(x)
	a0, a1, a2, a3 := a[:n], a[lda:lda+n], a[2*lda:2*lda+n], a[3*lda:3*lda+n]
	y = y[:n]
	t0, t1, t2, t3 := t[0], t[1], t[2], t[3]
	for i, v := range x {
		b0, b1, b2, b3 := a0[i], a1[i], a2[i], a3[i]
		y[i] += s[0]*b0 + s[1]*b1 + s[2]*b2 + s[3]*b3
		t0 += b0 * v
		t1 += b1 * v
		t2 += b2 * v
		t3 += b3 * v
	}
	*t = [4]float64{t0, t1, t2, t3}
}

func dotGo(x, y []float64) float64 {
	var s [4]float64
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		s[0] += x[i] * y[i]
		s[1] += x[i+1] * y[i+1]
		s[2] += x[i+2] * y[i+2]
		s[3] += x[i+3] * y[i+3]
	}
	for ; i < len(x); i++ {
		s[0] += x[i] * y[i]
	}
	return s[0] + s[1] + (s[2] + s[3])
}

func axpyGo(s float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += s * v
	}
}
