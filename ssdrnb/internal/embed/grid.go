package embed

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// grid interpolates the repulsion of t-SNE in one or two dimensions (Linderman et al.
// 2019). The plane is cut into square boxes of three by three nodes; samples hand their
// charges to the nodes of their box by quadratic interpolation, a Fourier transform sums
// them with the kernel (1 + d²)⁻² between nodes, and samples read the sums back.
//
// Charges are 1, the coordinates, and their squared length: with φ the four sums at
// sample i, the force is y_i·φ₀ − φ₁₂, and the sum of similarities (1 + d²)·(1 + d²)⁻²
// over all is (1 + |y_i|²)·φ₀ + φ₃ − 2·y_i·φ₁₂, of which what the interpolation makes of
// the sample itself is left out. Two real charges make one complex number, as the
// transform of the kernel is real.
type grid struct {
	n, d   int
	widest float64 // side of a box
	boxes  [2]int
	nodes  [2]int // three a box
	size   [2]int // of the transform, at least twice the nodes
	width  float64
	origin [2]float64

	kernel   []float64 // its transform, size[1]×size[0]
	kernelAt [3]float64
	near     [3][3]float64   // the kernel between nodes of one box
	charges  [2][]complex128 // nodes[0]×nodes[1]
	spectrum []complex128    // size[1]×nodes[0]: columns after the rows' transforms
	plans    [2]*plans       // along rows, of size[1], and along columns, of size[0]
	order    []int32         // samples by box
	start    []int32         // of each row of boxes in order
}

const (
	// fewestBoxes is the number of boxes along the longer side of a small layout; of a
	// large one a box has side 1, as the kernel does not vary faster.
	fewestBoxes = 50
	// mostBoxes bounds memory to some 150 MB: boxes of a layout whose samples have flown
	// apart, as those of too large a learning rate do, are larger than 1.
	mostBoxes = 1 << 17
)

func newGrid(n, d int) *grid {
	return &grid{n: n, d: d, widest: 1, order: make([]int32, n)}
}

// plans hands out transforms of one length: each has work space of its own.
type plans struct{ pool sync.Pool }

func newPlans(length int) *plans {
	p := new(plans)
	p.pool.New = func() any {
		return &plan{fourier.NewCmplxFFT(length), make([]complex128, length), make([]complex128, length)}
	}
	return p
}

type plan struct {
	fft     *fourier.CmplxFFT
	in, out []complex128
}

// smooth returns the least number from n on that has no prime factor above 5.
func smooth(n int) int {
	for ; ; n++ {
		m := n
		for _, f := range []int{2, 3, 5} {
			for m%f == 0 {
				m /= f
			}
		}
		if m == 1 {
			return n
		}
	}
}

// repel sets force to Σ_j v_ij²·(y_i − y_j) for every sample and returns Σ v_ij over all
// ordered pairs i ≠ j, v being 1/(1 + distance²).
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
			var p, q complex128
			for r, w := range wx {
				row := at + r*g.nodes[1]
				c, e := g.charges[0][row:row+3], g.charges[1][row:row+3]
				for s, v := range wy {
					f := complex(w*v, 0)
					p += f * c[s]
					q += f * e[s]
				}
			}
			force[i*g.d] = a*real(p) - imag(p)
			if g.d == 2 {
				force[i*g.d+1] = b*real(p) - real(q)
			}
			sums[lo/block] += (1+a*a+b*b)*real(p) + imag(q) - 2*(a*imag(p)+b*real(q)) - g.self(wx, wy)
		}
	})
	z := 0.0
	for _, v := range sums {
		z += v
	}
	return z
}

// point returns the coordinates of sample i, 0 for the second of one dimension.
func (g *grid) point(y []float64, i int) (a, b float64) {
	if g.d == 1 {
		return y[i], 0
	}
	return y[2*i], y[2*i+1]
}

// fit lays the grid over the samples.
func (g *grid) fit(y []float64) {
	lo, hi := [2]float64{}, [2]float64{}
	for c := range g.d {
		lo[c], hi[c] = math.Inf(1), math.Inf(-1)
		for i := range g.n {
			lo[c], hi[c] = min(lo[c], y[i*g.d+c]), max(hi[c], y[i*g.d+c])
		}
	}
	span := max(hi[0]-lo[0], hi[1]-lo[1])
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
		g.size[c] = smooth(2 * g.nodes[c])
		// The samples are in the middle.
		g.origin[c] = (lo[c]+hi[c])/2 - float64(g.boxes[c])*g.width/2
	}
	if g.size != before {
		g.plans = [2]*plans{newPlans(g.size[1]), newPlans(g.size[0])}
	}
	for k := range g.charges {
		g.charges[k] = sized(g.charges[k], g.nodes[0]*g.nodes[1])
	}
	g.spectrum = sized(g.spectrum, g.size[1]*g.nodes[0])
	if at := [3]float64{g.width, float64(g.size[0]), float64(g.size[1])}; at != g.kernelAt {
		g.kernelAt = at
		g.transformKernel()
	}
}

// sized returns a slice of n entries, s if it is large enough.
func sized(s []complex128, n int) []complex128 {
	if cap(s) < n {
		return make([]complex128, n+n/4)[:n]
	}
	return s[:n]
}

// transformKernel computes the transform of the kernel on the circle of both axes. It is
// even in each, so a quarter of it makes the whole, and real.
func (g *grid) transformKernel() {
	r, c := g.size[0], g.size[1]
	half := r/2 + 1
	h := g.width / 3
	for i := range g.near {
		for j := range g.near[i] {
			g.near[i][j] = kernelAt(h*float64(i), h*float64(j))
		}
	}
	between := make([]complex128, c*half) // columns after the rows' transforms
	par.Blocks(half, 8, func(lo, hi int) {
		p := g.plans[0].pool.Get().(*plan)
		defer g.plans[0].pool.Put(p)
		for i := lo; i < hi; i++ {
			for j := range c {
				p.in[j] = complex(kernelAt(h*float64(i), h*float64(min(j, c-j))), 0)
			}
			p.fft.Coefficients(p.out, p.in)
			for j, v := range p.out {
				between[j*half+i] = v
			}
		}
	})
	if len(g.kernel) != r*c {
		g.kernel = make([]float64, r*c)
	}
	scale := 1 / float64(r*c)
	par.Blocks(c, 8, func(lo, hi int) {
		p := g.plans[1].pool.Get().(*plan)
		defer g.plans[1].pool.Put(p)
		for j := lo; j < hi; j++ {
			for i := range r {
				p.in[i] = between[j*half+min(i, r-i)]
			}
			p.fft.Coefficients(p.out, p.in)
			for i, v := range p.out {
				g.kernel[j*r+i] = real(v) * scale
			}
		}
	})
}

func kernelAt(u, v float64) float64 {
	k := 1 / (1 + u*u + v*v)
	return k * k
}

// box returns the box of a coordinate along an axis and the place in it, in [0, 1].
func (g *grid) box(v float64, axis int) (int, float64) {
	t := (v - g.origin[axis]) / g.width
	k := min(max(int(t), 0), g.boxes[axis]-1)
	return k, t - float64(k)
}

// sortSamples orders the samples by the row of their box.
func (g *grid) sortSamples(y []float64) {
	g.start = make([]int32, g.boxes[0]+1)
	for i := range g.n {
		k, _ := g.box(y[i*g.d], 0)
		g.start[k+1]++
	}
	for k := range g.boxes[0] {
		g.start[k+1] += g.start[k]
	}
	next := make([]int32, g.boxes[0])
	copy(next, g.start)
	for i := range g.n {
		k, _ := g.box(y[i*g.d], 0)
		g.order[next[k]] = int32(i)
		next[k]++
	}
}

// weights returns the first of the nodes of a sample's box and the factors of its three
// rows and columns.
func (g *grid) weights(a, b float64) (at int, x, y [3]float64) {
	i, s := g.box(a, 0)
	j, t := g.box(b, 1)
	return 3*i*g.nodes[1] + 3*j, lagrange(s), lagrange(t)
}

// lagrange returns the values at t of the quadratic polynomials that are 1 at one of 1/6,
// 1/2 and 5/6 and 0 at the others.
func lagrange(t float64) [3]float64 {
	u := 3*t - 1.5 // nodes at −1, 0, 1
	return [3]float64{u * (u - 1) / 2, 1 - u*u, u * (u + 1) / 2}
}

// self returns the sum of the kernel over the nodes of one box, weighed twice: what a
// sample reads back of its own charge.
func (g *grid) self(x, y [3]float64) float64 {
	// By how many nodes apart.
	u := [3]float64{x[0]*x[0] + x[1]*x[1] + x[2]*x[2], 2 * (x[0]*x[1] + x[1]*x[2]), 2 * x[0] * x[2]}
	v := [3]float64{y[0]*y[0] + y[1]*y[1] + y[2]*y[2], 2 * (y[0]*y[1] + y[1]*y[2]), 2 * y[0] * y[2]}
	sum := 0.0
	for i, a := range u {
		for j, b := range v {
			sum += a * b * g.near[i][j]
		}
	}
	return sum
}

// spread hands the charges to the nodes. A worker has rows of boxes of its own.
func (g *grid) spread(y []float64) {
	par.Blocks(g.boxes[0], 1, func(k, _ int) {
		rows := 3 * g.nodes[1]
		clear(g.charges[0][k*rows : (k+1)*rows])
		clear(g.charges[1][k*rows : (k+1)*rows])
		for _, i := range g.order[g.start[k]:g.start[k+1]] {
			a, b := g.point(y, int(i))
			at, wx, wy := g.weights(a, b)
			p, q := complex(1, a), complex(b, a*a+b*b)
			for r, w := range wx {
				row := at + r*g.nodes[1]
				c, e := g.charges[0][row:row+3], g.charges[1][row:row+3]
				for s, v := range wy {
					f := w * v
					c[s] += complex(f*real(p), f*imag(p))
					e[s] += complex(f*real(q), f*imag(q))
				}
			}
		}
	})
}

// convolve replaces charges by their sums with the kernel.
func (g *grid) convolve(charges []complex128) {
	r, c := g.nodes[0], g.nodes[1]
	const block = 8
	par.Blocks(r, block, func(lo, hi int) {
		p := g.plans[0].pool.Get().(*plan)
		defer g.plans[0].pool.Put(p)
		for i := lo; i < hi; i++ {
			copy(p.in, charges[i*c:(i+1)*c])
			clear(p.in[c:])
			p.fft.Coefficients(p.out, p.in)
			for j, v := range p.out {
				g.spectrum[j*r+i] = v
			}
		}
	})
	par.Blocks(g.size[1], block, func(lo, hi int) {
		p := g.plans[1].pool.Get().(*plan)
		defer g.plans[1].pool.Put(p)
		for j := lo; j < hi; j++ {
			column := g.spectrum[j*r : (j+1)*r]
			copy(p.in, column)
			clear(p.in[r:])
			p.fft.Coefficients(p.out, p.in)
			for i, k := range g.kernel[j*g.size[0] : (j+1)*g.size[0]] {
				v := p.out[i]
				p.out[i] = complex(k*real(v), k*imag(v))
			}
			p.fft.Sequence(p.in, p.out)
			copy(column, p.in)
		}
	})
	par.Blocks(r, block, func(lo, hi int) {
		p := g.plans[0].pool.Get().(*plan)
		defer g.plans[0].pool.Put(p)
		for i := lo; i < hi; i++ {
			for j := range p.in {
				p.in[j] = g.spectrum[j*r+i]
			}
			p.fft.Sequence(p.out, p.in)
			copy(charges[i*c:(i+1)*c], p.out)
		}
	})
}
