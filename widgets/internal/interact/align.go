package interact

import (
	"encoding/base64"
	"encoding/binary"
	"math"

	"gonum.org/v1/gonum/mat"
)

// maxPoints bounds the number of samples in a widget's embedding. Each update of the page contains
// all their positions.
const maxPoints = 70_000

// positions returns two coordinates of each sample in turn, from the n×d embedding y. It takes the
// first two dimensions, centres them, and scales them to a mean square of 1. It then rotates or
// reflects the positions, so that they are as close as possible to the previous positions in last
// (orthogonal Procrustes). Directions are defined only up to sign, and eigenspaces up to rotation,
// so points could jump without this alignment. If a sample had no previous position, its entries in
// last are NaN. If last has another length, nothing is aligned. For d = 1, spread(i) is the second
// coordinate of sample i, and only the sign is aligned.
func positions(y *mat.Dense, last []float64, spread func(i int) float64) []float64 {
	n, d := y.Dims()
	p := make([]float64, 2*n)
	for i := range n {
		p[2*i] = y.At(i, 0)
		if d > 1 {
			p[2*i+1] = y.At(i, 1)
		} else {
			p[2*i+1] = spread(i)
		}
	}
	if d > 1 {
		normalise(p, 0, 1)
	} else {
		normalise(p, 0)
		normalise(p, 1)
	}
	if len(last) != len(p) {
		return p
	}
	var xx, xy, yx, yy float64 // entries of M = Σ new·lastᵀ
	for i := 0; i < len(p); i += 2 {
		if math.IsNaN(last[i]) {
			continue
		}
		xx, xy = xx+p[i]*last[i], xy+p[i]*last[i+1]
		yx, yy = yx+p[i+1]*last[i], yy+p[i+1]*last[i+1]
	}
	if d == 1 {
		if xx < 0 {
			for i := 0; i < len(p); i += 2 {
				p[i] = -p[i]
			}
		}
		return p
	}
	// The largest tr(RM) is |(xx+yy, xy−yx)| over rotations R, and |(xx−yy, xy+yx)| over
	// reflections R.
	c, s, mirror := xx+yy, xy-yx, 1.0
	if math.Hypot(xx-yy, xy+yx) > math.Hypot(c, s) {
		c, s, mirror = xx-yy, xy+yx, -1
	}
	h := math.Hypot(c, s)
	if h == 0 {
		return p
	}
	c, s = c/h, s/h
	for i := 0; i < len(p); i += 2 {
		a, b := p[i], mirror*p[i+1]
		p[i], p[i+1] = c*a-s*b, s*a+c*b
	}
	return p
}

// normalise centres the given columns of the n×2 array p and scales them by a common factor, so
// that the sum of squares of a row is 1 on average.
func normalise(p []float64, columns ...int) {
	n := len(p) / 2
	// Squares of very large numbers overflow, and squares of very small numbers underflow.
	largest := 0.0
	for _, k := range columns {
		for i := range n {
			largest = max(largest, math.Abs(p[2*i+k]))
		}
	}
	if largest == 0 || math.IsInf(1/largest, 0) {
		largest = 1
	}
	for _, k := range columns {
		for i := range n {
			p[2*i+k] /= largest
		}
	}
	square := 0.0
	for _, k := range columns {
		mean := 0.0
		for i := range n {
			mean += p[2*i+k]
		}
		mean /= float64(n)
		for i := range n {
			p[2*i+k] -= mean
			square += p[2*i+k] * p[2*i+k]
		}
	}
	if scale := math.Sqrt(square / float64(n)); scale > 0 {
		for _, k := range columns {
			for i := range n {
				p[2*i+k] /= scale
			}
		}
	}
}

// pack encodes positions as base64 of little-endian 16-bit integers, together with their unit. The
// result has half the size of float32 values, which matters because the positions pass through the
// kernel and the server to every open page. The unit is 1/32767 of the largest coordinate, which is
// less than a pixel of a screen.
func pack(p []float64) map[string]any {
	largest := 0.0
	for _, v := range p {
		largest = max(largest, math.Abs(v))
	}
	unit := largest / math.MaxInt16
	raw := make([]byte, 0, 2*len(p))
	for _, v := range p {
		step := 0.0
		if unit > 0 {
			step = math.Round(v / unit)
		}
		raw = binary.LittleEndian.AppendUint16(raw, uint16(int16(step)))
	}
	return map[string]any{"unit": unit, "steps": base64.StdEncoding.EncodeToString(raw)}
}
