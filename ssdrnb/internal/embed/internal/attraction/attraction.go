// Package attraction implements the innermost loop of t-SNE in two dimensions: the attraction of a
// sample by others. It runs AVX2 assembly if the processor has AVX2; otherwise it runs plain Go
// with bitwise equal results.
package attraction

//go:generate go run ./gen -out attraction_amd64.s -stubs stubs_amd64.go -pkg attraction

// InPlane returns Σ_j p_j·(y − y_j)/(1 + |y − y_j|²) for the sample at position y = (a, b). p holds
// the entries of its row in the matrix of affinities, cols their columns, and `at` the positions of
// all samples, n×2. The terms are added in the order of the entries.
func InPlane(a, b float64, cols []int32, p, at []float64) (u, v float64) {
	k := 0
	if fours := len(cols) / 4; fast && fours > 0 {
		_ = p[4*fours-1]
		u, v = sum4(&cols[0], &p[0], fours, &at[0], a, b)
		k = 4 * fours
	}
	return plane(u, v, a, b, cols[k:], p[k:], at)
}

// plane adds to u and v the attraction of (a, b) by the samples in cols. The conversions to float64
// keep compilers from fusing products with sums, which would round differently.
func plane(u, v, a, b float64, cols []int32, p, at []float64) (float64, float64) {
	for k, j := range cols {
		other := at[2*int(j):][:2]
		s, t := a-other[0], b-other[1]
		f := p[k] / (1 + float64(s*s) + float64(t*t))
		u += float64(f * s)
		v += float64(f * t)
	}
	return u, v
}
