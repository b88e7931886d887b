// Package distance compares a vector with many rows of a matrix in single precision. It runs AVX2
// assembly if the processor has AVX2 and FMA, and plain Go otherwise.
//
// The result for a pair of vectors does not depend on their position in a list or on the order of
// the pair. Assembly and plain Go add in different orders, so they agree up to rounding only.
package distance

//go:generate go run ./gen -out distance_amd64.s -stubs stubs_amd64.go -pkg distance

// Rows holds rows of equal length in single precision. Rows are padded with zeros to a multiple of
// eight numbers, which does not change distances and products.
type Rows struct {
	N      int // number of rows
	Stride int // numbers per row, a multiple of 8
	Norm   Norm
	Data   []float32
}

// NewRows returns n rows of d zeros, padded.
func NewRows(n, d int) Rows {
	stride := (d + 7) &^ 7
	return Rows{N: n, Stride: stride, Data: make([]float32, n*stride)}
}

// Row returns row i with its padding.
func (x Rows) Row(i int) []float32 { return x.Data[i*x.Stride : (i+1)*x.Stride : (i+1)*x.Stride] }

// Len returns the number of rows.
func (x Rows) Len() int { return x.N }

// Compare is [Rows.Squares] with row i as the query.
func (x Rows) Compare(i int32, index []int32, out []float32) { x.Squares(x.Row(int(i)), index, out) }

// Between sets out[a] to the inner product of row index[a] and the difference of rows p and q. The
// product exceeds the returned threshold if row index[a] is nearer to p than to q in the Euclidean
// metric.
func (x Rows) Between(p, q int32, index []int32, out []float32) (threshold float32) {
	one, other := x.Row(int(p)), x.Row(int(q))
	w := make([]float32, x.Stride)
	for j := range w {
		w[j] = one[j] - other[j]
		threshold += w[j] * (one[j] + other[j]) / 2
	}
	x.Dots(w, index, out)
	return threshold
}

// Squares sets out[a] to the value of x.Norm, usually the squared distance, between q and row
// index[a] of x. q is padded like the rows.
func (x Rows) Squares(q []float32, index []int32, out []float32) {
	switch {
	case Fast:
		x.groups(loops[x.Norm], q, index, out)
	case x.Norm == Square:
		x.squaresGo(q, index, out)
	default:
		x.normsGo(q, index, out)
	}
}

// Dots sets out[a] to the inner product of q and row index[a] of x. q is padded like the rows.
func (x Rows) Dots(q []float32, index []int32, out []float32) {
	if !Fast {
		x.dotsGo(q, index, out)
		return
	}
	x.groups(dots, q, index, out)
}

// loop compares a query with groups of four rows.
type loop func(n int, q, x *float32, stride int, index *int32, groups int, out *float32)

// loops holds the loop of each norm. Overlap is missing because only [Sets] uses it.
var loops = [...]loop{Square: squares, Sum: sums, Most: mosts, Differ: differs}

// groups compares q with the rows in groups of four. It pads the last group to four rows.
func (x Rows) groups(f loop, q []float32, index []int32, out []float32) {
	n, whole := len(index), len(index)&^3
	_, _ = q[:x.Stride], out[:n]
	if x.Stride == 0 {
		clear(out[:n])
		return
	}
	if whole > 0 {
		f(x.Stride, &q[0], &x.Data[0], x.Stride, &index[0], whole/4, &out[0])
	}
	if whole < n {
		var tail [4]int32
		var sums [4]float32
		for a := range tail {
			tail[a] = index[min(whole+a, n-1)]
		}
		f(x.Stride, &q[0], &x.Data[0], x.Stride, &tail[0], 1, &sums[0])
		copy(out[whole:n], sums[:])
	}
}

func (x Rows) squaresGo(q []float32, index []int32, out []float32) {
	for a, i := range index {
		row := x.Row(int(i))
		q := q[:len(row)]
		var s [4]float32
		for j := 0; j+4 <= len(row); j += 4 {
			d0, d1, d2, d3 := q[j]-row[j], q[j+1]-row[j+1], q[j+2]-row[j+2], q[j+3]-row[j+3]
			s[0] += d0 * d0
			s[1] += d1 * d1
			s[2] += d2 * d2
			s[3] += d3 * d3
		}
		out[a] = s[0] + s[1] + (s[2] + s[3])
	}
}

func (x Rows) dotsGo(q []float32, index []int32, out []float32) {
	for a, i := range index {
		row := x.Row(int(i))
		q := q[:len(row)]
		var s [4]float32
		for j := 0; j+4 <= len(row); j += 4 {
			s[0] += q[j] * row[j]
			s[1] += q[j+1] * row[j+1]
			s[2] += q[j+2] * row[j+2]
			s[3] += q[j+3] * row[j+3]
		}
		out[a] = s[0] + s[1] + (s[2] + s[3])
	}
}
