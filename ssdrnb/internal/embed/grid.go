package embed

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed/internal/fft"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// grid interpolates the repulsion of t-SNE in one or two dimensions (Linderman et al. 2019). The
// plane is divided into square boxes of three by three nodes. The rows of boxes and nodes follow
// the first coordinate, and the columns the second. The charges of a sample are distributed over
// the nodes of its box by quadratic interpolation. A Fourier transform convolves the charges at the
// nodes with the kernel (1 + d²)^−(α+1), and the sums are interpolated at the samples.
//
// The charges of a sample at y are 1, the coordinates of y, and |y|². At sample i, the sums of
// these charges, weighted by the kernel, are φ₀, φ₁₂ (a vector) and φ₃. The force is y_i·φ₀ − φ₁₂.
// The sum of the similarities (1 + d²)·(1 + d²)^−(α+1) over all samples is (1 + |y_i|²)·φ₀ + φ₃ −
// 2·y_i·φ₁₂, minus the interpolated contribution of the sample itself. Two real charges are stored
// as one complex number: the kernel is real, so convolution does not mix them.
type grid struct {
	n, d   int
	tail   tail
	widest float64 // upper limit of the side of a box
	boxes  [2]int  // numbers of rows and columns
	nodes  [2]int  // three per box
	size   [2]int  // rows and columns of the transform, at least twice the nodes
	width  float64 // side of a box
	origin [2]float64
	// shift is subtracted from all positions. It is 0 if the centre of the layout is near 0, as it
	// is without pins. Far from 0, |y|² is so large that the sum of the similarities would lose its
	// digits.
	shift [2]float64

	kernel    []float64       // transform of the kernel, size[1]×size[0]
	kernelAt  [3]float64      // width and size for which kernel and boxKernel were computed
	boxKernel [3][3]float64   // kernel between two nodes of a box, by their offsets in rows and columns
	charges   [2][]complex128 // nodes[0]×nodes[1]
	spectrum  []fft.Four      // result of the row transforms: size[1] columns of nodes[0] numbers, four in each Four
	plans     [2]*fft.Plan    // transforms of a row, of length size[1], and of a column, of length size[0]
	order     []int32         // samples sorted by the row of their box
	start     []int32         // index in `order` at which each row of boxes starts
}

const (
	// fewestBoxes is the number of boxes along the longer side of a small layout. In a large
	// layout, there are more boxes, because their side must not exceed the distance over which the
	// kernel varies: min(1, √α) in the layout. The grid receives positions divided by √α, so its
	// limit is min(1/√α, 1).
	fewestBoxes = 50
	// mostBoxes limits memory to about 150 MB. In a layout that has diverged, for example because
	// of a large learning rate, this limit makes the boxes larger than the kernel allows.
	mostBoxes = 1 << 17
)

func newGrid(n, d int, t tail) *grid {
	return &grid{n: n, d: d, tail: t, widest: 1 / max(1, math.Sqrt(t.value())), order: make([]int32, n)}
}

// repel is a fast approximation of [repelExactly] for one or two dimensions: it sets force and
// returns the sum of the similarities.
func (g *grid) repel(force, y []float64) float64 {
	g.fit(y)
	g.sortSamples(y)
	g.spread(y)
	for k := range g.charges {
		g.convolve(g.charges[k])
	}
	const block = 512
	sums := make([]float64, (g.n+block-1)/block)
	par.Blocks(g.n, block, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a, b := g.point(y, i)
			at, wx, wy := g.weights(a, b)
			var one, first, second, square float64 // φ₀, φ₁, φ₂, φ₃
			for r, w := range wx {
				row := at + r*g.nodes[1]
				c, e := g.charges[0][row:row+3], g.charges[1][row:row+3]
				for s, v := range wy {
					f := w * v
					one += float64(f * real(c[s]))
					first += float64(f * imag(c[s]))
					second += float64(f * real(e[s]))
					square += float64(f * imag(e[s]))
				}
			}
			force[i*g.d] = float64(a*one) - first
			if g.d == 2 {
				force[i*g.d+1] = float64(b*one) - second
			}
			self := g.self(wx, wy)
			sums[lo/block] += float64((1+float64(a*a)+float64(b*b))*one) + square - 2*(float64(a*first)+float64(b*second)) - self
		}
	})
	z := 0.0
	for _, v := range sums {
		z += v
	}
	return z
}

// point returns the coordinates of sample i, less the shift. In one dimension, b is 0.
func (g *grid) point(y []float64, i int) (a, b float64) {
	if g.d == 1 {
		return y[i] - g.shift[0], 0
	}
	return y[2*i] - g.shift[0], y[2*i+1] - g.shift[1]
}

// fit places the grid over the samples.
func (g *grid) fit(y []float64) {
	lo, hi := [2]float64{}, [2]float64{}
	for c := range g.d {
		lo[c], hi[c] = math.Inf(1), math.Inf(-1)
		for i := range g.n {
			lo[c], hi[c] = min(lo[c], y[i*g.d+c]), max(hi[c], y[i*g.d+c])
		}
	}
	span := max(hi[0]-lo[0], hi[1]-lo[1])
	for c := range g.d {
		if g.shift[c] = lo[c]; span > 0 {
			g.shift[c] = math.Round((lo[c]+hi[c])/2/(2*span)) * 2 * span
		}
		lo[c] -= g.shift[c]
		hi[c] -= g.shift[c]
	}
	g.width = min(g.widest, span/fewestBoxes)
	if g.width == 0 {
		g.width = 1
	}
	for (1+(hi[0]-lo[0])/g.width)*(1+(hi[1]-lo[1])/g.width) > mostBoxes {
		g.width *= 1.1
	}
	before := g.size
	for c := range 2 {
		g.boxes[c] = 1 + int((hi[c]-lo[c])/g.width)
		g.nodes[c] = 3 * g.boxes[c]
		g.size[c] = fft.Smooth(2 * g.nodes[c])
		// Centre the grid on the samples.
		g.origin[c] = (lo[c]+hi[c])/2 - float64(float64(g.boxes[c])*g.width/2)
	}
	if g.size != before {
		g.plans = [2]*fft.Plan{fft.NewPlan(g.size[1]), fft.NewPlan(g.size[0])}
	}
	for k := range g.charges {
		g.charges[k] = sized(g.charges[k], g.nodes[0]*g.nodes[1])
	}
	g.spectrum = sized(g.spectrum, g.size[1]*quarter(g.nodes[0]))
	if at := [3]float64{g.width, float64(g.size[0]), float64(g.size[1])}; at != g.kernelAt {
		g.kernelAt = at
		g.transformKernel()
	}
}

// sized returns a slice of n entries. It reuses s if s is large enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n+n/4)[:n]
	}
	return s[:n]
}

// quarter returns the number of groups of four that hold n numbers.
func quarter(n int) int { return (n + 3) / 4 }

// transformKernel computes the Fourier transform of the kernel as a periodic function whose period
// is the size of the transform. The kernel is even along both axes, so a quarter of the transform
// determines the rest, and the transform is real.
func (g *grid) transformKernel() {
	r, c := g.size[0], g.size[1]
	half := r/2 + 1
	h := g.width / 3
	for i := range g.boxKernel {
		for j := range g.boxKernel[i] {
			g.boxKernel[i][j] = g.kernelOf(h*float64(i), h*float64(j))
		}
	}
	between := make([]float64, c*4*quarter(half)) // real columns, after the row transforms
	par.Blocks(quarter(half), 2, func(lo, hi int) {
		x := make([]fft.Four, c)
		for q := lo; q < hi; q++ {
			for j := range x {
				v := h * float64(min(j, c-j))
				for l := range 4 {
					x[j][l], x[j][4+l] = g.kernelOf(h*float64(4*q+l), v), 0
				}
			}
			g.plans[0].Transform(x)
			for j := range x {
				copy(between[4*(j*quarter(half)+q):], x[j][:4])
			}
		}
	})
	g.kernel = sized(g.kernel, r*4*quarter(c))
	scale := 1 / float64(r*c)
	par.Blocks(quarter(c), 2, func(lo, hi int) {
		x := make([]fft.Four, r)
		for q := lo; q < hi; q++ {
			for i := range x {
				for l := range 4 {
					x[i][l], x[i][4+l] = between[4*min(4*q+l, c-1)*quarter(half)+min(i, r-i)], 0
				}
			}
			g.plans[1].Transform(x)
			for i := range x {
				for l, v := range x[i][:4] {
					g.kernel[4*(q*r+i)+l] = v * scale
				}
			}
		}
	})
}

// kernelOf returns the kernel between two nodes at offset (u, v).
func (g *grid) kernelOf(u, v float64) float64 {
	k := 1 / (1 + float64(u*u) + float64(v*v))
	return k * g.tail.power(k)
}

// box returns the box that contains a coordinate along an axis, and the position within this box,
// in [0, 1].
func (g *grid) box(v float64, axis int) (int, float64) {
	t := (v - g.origin[axis]) / g.width
	k := min(max(int(t), 0), g.boxes[axis]-1)
	return k, t - float64(k)
}

// sortSamples sorts the samples by the row of their box.
func (g *grid) sortSamples(y []float64) {
	g.start = make([]int32, g.boxes[0]+1)
	for i := range g.n {
		a, _ := g.point(y, i)
		k, _ := g.box(a, 0)
		g.start[k+1]++
	}
	for k := range g.boxes[0] {
		g.start[k+1] += g.start[k]
	}
	next := make([]int32, g.boxes[0])
	copy(next, g.start)
	for i := range g.n {
		a, _ := g.point(y, i)
		k, _ := g.box(a, 0)
		g.order[next[k]] = int32(i)
		next[k]++
	}
}

// weights returns the index of the first node of a sample's box, and the interpolation weights of
// the three rows and three columns of nodes in the box.
func (g *grid) weights(a, b float64) (at int, x, y [3]float64) {
	i, s := g.box(a, 0)
	j, t := g.box(b, 1)
	return 3*i*g.nodes[1] + 3*j, lagrange(s), lagrange(t)
}

// lagrange returns the Lagrange polynomials of the nodes 1/6, 1/2 and 5/6 at t.
func lagrange(t float64) [3]float64 {
	u := float64(3*t) - 1.5 // u is −1, 0 and 1 at the nodes
	return [3]float64{u * (u - 1) / 2, 1 - float64(u*u), u * (u + 1) / 2}
}

// self returns the contribution of a sample to its own interpolated sum of similarities. This is
// the sum, over all pairs of nodes of its box, of the kernel between the two nodes times their
// interpolation weights.
func (g *grid) self(x, y [3]float64) float64 {
	// apart(x)[k] is the sum of x[i]·x[j] over all i and j with |i − j| = k.
	apart := func(x [3]float64) [3]float64 {
		return [3]float64{float64(x[0]*x[0]) + float64(x[1]*x[1]) + float64(x[2]*x[2]), 2 * (float64(x[0]*x[1]) + float64(x[1]*x[2])), 2 * x[0] * x[2]}
	}
	u, v := apart(x), apart(y)
	sum := 0.0
	for i, a := range u {
		for j, b := range v {
			sum += float64(a * b * g.boxKernel[i][j])
		}
	}
	return sum
}

// spread distributes the charges to the nodes. Each worker processes its own rows of boxes.
func (g *grid) spread(y []float64) {
	par.Blocks(g.boxes[0], 1, func(k, _ int) {
		rows := 3 * g.nodes[1]
		clear(g.charges[0][k*rows : (k+1)*rows])
		clear(g.charges[1][k*rows : (k+1)*rows])
		for _, i := range g.order[g.start[k]:g.start[k+1]] {
			a, b := g.point(y, int(i))
			at, wx, wy := g.weights(a, b)
			p, q := complex(1, a), complex(b, float64(a*a)+float64(b*b))
			for r, w := range wx {
				row := at + r*g.nodes[1]
				c, e := g.charges[0][row:row+3], g.charges[1][row:row+3]
				for s, v := range wy {
					f := w * v
					c[s] += complex(float64(f*real(p)), float64(f*imag(p)))
					e[s] += complex(float64(f*real(q)), float64(f*imag(q)))
				}
			}
		}
	})
}

// convolve replaces charges by their convolution with the kernel. It transforms the rows, then the
// columns, multiplies by the transform of the kernel, and transforms back. Each transform processes
// four rows or columns at a time. The inverse transform is a forward transform with real and
// imaginary parts exchanged before and after.
func (g *grid) convolve(charges []complex128) {
	r, c := g.nodes[0], g.nodes[1]
	height, rows := quarter(r), g.size[0]
	par.Blocks(height, 2, func(lo, hi int) {
		x := make([]fft.Four, g.size[1])
		for q := lo; q < hi; q++ {
			clear(x)
			for l := range min(4, r-4*q) {
				for j, v := range charges[(4*q+l)*c:][:c] {
					x[j][l], x[j][4+l] = real(v), imag(v)
				}
			}
			g.plans[0].Transform(x)
			for j, v := range x {
				g.spectrum[j*height+q] = v
			}
		}
	})
	par.Blocks(quarter(g.size[1]), 2, func(lo, hi int) {
		x := make([]fft.Four, rows)
		for k := lo; k < hi; k++ {
			columns := g.spectrum[4*k*height : min(4*k+4, g.size[1])*height]
			clear(x[r:])
			turn(x, columns, height)
			g.plans[1].Transform(x)
			kernel := g.kernel[4*k*rows:]
			for i := range x {
				f, v := (*[4]float64)(kernel[4*i:]), &x[i]
				*v = fft.Four{f[0] * v[4], f[1] * v[5], f[2] * v[6], f[3] * v[7], f[0] * v[0], f[1] * v[1], f[2] * v[2], f[3] * v[3]}
			}
			g.plans[1].Transform(x)
			turnBack(columns, x, height)
		}
	})
	par.Blocks(height, 2, func(lo, hi int) {
		x := make([]fft.Four, g.size[1])
		for q := lo; q < hi; q++ {
			for j := range x {
				x[j] = g.spectrum[j*height+q]
			}
			g.plans[0].Transform(x)
			for l := range min(4, r-4*q) {
				row := charges[(4*q+l)*c:][:c]
				for j := range row {
					row[j] = complex(x[j][4+l], x[j][l])
				}
			}
		}
	})
}

// turn copies up to four adjacent columns of grid.spectrum, with `height` entries each, into x:
// lane l of x holds column l.
func turn(x, columns []fft.Four, height int) {
	for l := range len(columns) / height {
		for q := range height {
			v, to := &columns[l*height+q], x[4*q:][:4]
			to[0][l], to[0][4+l] = v[0], v[4]
			to[1][l], to[1][4+l] = v[1], v[5]
			to[2][l], to[2][4+l] = v[2], v[6]
			to[3][l], to[3][4+l] = v[3], v[7]
		}
	}
}

// turnBack copies x back into the columns; it is the inverse of turn.
func turnBack(columns, x []fft.Four, height int) {
	for l := range len(columns) / height {
		for q := range height {
			to, v := &columns[l*height+q], x[4*q:][:4]
			*to = fft.Four{v[0][l], v[1][l], v[2][l], v[3][l], v[0][4+l], v[1][4+l], v[2][4+l], v[3][4+l]}
		}
	}
}
