package spectral

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// gradients inverts by conjugate gradients with the diagonal as preconditioner, to a
// digit or two: more would not speed up the outer steps.
type gradients struct{ diagA, diagB []float64 }

// The end of the inner iteration, relative to the right-hand side.
const (
	innerTolerance = 2e-2
	innerSteps     = 60
)

func (g *gradients) improve(t *davidson, s *state, x *mat.Dense) error {
	_, b := x.Dims()
	shift := t.margin(s)
	inverse := make([]float64, t.n)
	for i := range inverse {
		inverse[i] = 1
		if g.diagA != nil {
			if v := s.lambda*g.diagB[i] - g.diagA[i] + shift; v > 0 {
				inverse[i] = 1 / v
			}
		}
	}
	r := mat.DenseCopyOf(x)
	x.Zero()
	z, av, bv := mat.NewDense(t.n, b, nil), mat.NewDense(t.n, b, nil), mat.NewDense(t.n, b, nil)
	precondition := func() {
		z.Copy(r)
		scaleRows(z, inverse)
		if t.opt.Null != nil {
			t.opt.Null.Project(z)
		}
	}
	precondition()
	p := mat.DenseCopyOf(z)
	rz := dots(r, z)
	start := dots(r, r)
	alive := make([]bool, b)
	for j := range alive {
		alive[j] = start[j] > 0
	}
	for range innerSteps {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		// av = (λB − A + s)·p
		t.a.Apply(av, p)
		t.b.Apply(bv, p)
		bv.Scale(s.lambda, bv)
		addScaled(bv, -1, av)
		addScaled(bv, shift, p)
		if t.opt.Null != nil {
			t.opt.Null.Project(bv)
		}
		pap := dots(p, bv)
		alpha := make([]float64, b)
		for j := range alpha {
			if alive[j] && pap[j] > 0 {
				alpha[j] = rz[j] / pap[j]
			} else {
				alive[j] = false // the shift was too small: stay with what there is
			}
		}
		addColumns(x, alpha, p, 1)
		addColumns(r, alpha, bv, -1)
		left := dots(r, r)
		running := false
		for j := range alive {
			alive[j] = alive[j] && left[j] > innerTolerance*innerTolerance*start[j]
			running = running || alive[j]
		}
		if !running {
			break
		}
		precondition()
		next := dots(r, z)
		par.Blocks(t.n, rowBlock, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				to, from := p.RawRowView(i), z.RawRowView(i)
				for j := range to {
					if alive[j] {
						to[j] = from[j] + next[j]/rz[j]*to[j]
					}
				}
			}
		})
		rz = next
	}
	done := dots(x, x)
	for j := range alive { // nothing done: the residual itself
		if start[j] > 0 && done[j] == 0 {
			for i := range t.n {
				x.Set(i, j, inverse[i]*r.At(i, j))
			}
		}
	}
	return nil
}

// dots returns the inner products of the columns of x and y, summed by blocks of
// rows in order.
func dots(x, y *mat.Dense) []float64 {
	n, b := x.Dims()
	parts := make([][]float64, (n+rowBlock-1)/rowBlock)
	par.Blocks(n, rowBlock, func(lo, hi int) {
		sum := make([]float64, b)
		for i := lo; i < hi; i++ {
			u, v := x.RawRowView(i), y.RawRowView(i)
			for j, f := range u {
				sum[j] += f * v[j]
			}
		}
		parts[lo/rowBlock] = sum
	})
	sum := make([]float64, b)
	for _, part := range parts {
		for j, v := range part {
			sum[j] += v
		}
	}
	return sum
}

// addColumns adds sign·f[j] times column j of y to that of x.
func addColumns(x *mat.Dense, f []float64, y *mat.Dense, sign float64) {
	n, _ := x.Dims()
	par.Blocks(n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to, from := x.RawRowView(i), y.RawRowView(i)
			for j, v := range from {
				to[j] += sign * f[j] * v
			}
		}
	})
}
