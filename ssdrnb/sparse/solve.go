package sparse

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse/internal/lanes"
)

// group is the number of right-hand sides processed in a sweep over the factor.
const group = len(lanes.Row{})

// SolveTo sets dst to the solution X of A·X = b. dst and b are n×p, and may be the same matrix.
// Columns are solved in groups of four. Groups and subtrees of the elimination tree are distributed
// over the processors; the result does not depend on the number of processors. SolveTo panics if
// sizes do not match, as gonum/mat does.
func (c *Cholesky) SolveTo(dst, b *mat.Dense) {
	n, p := b.Dims()
	if dr, dc := dst.Dims(); n != c.symbolic.n || dr != n || dc != p {
		panic(mat.ErrShape)
	}
	par.Blocks(p, group, func(lo, hi int) {
		w, ok := c.spaces.Get().(*workspace)
		if !ok {
			w = c.newWorkspace()
		}
		c.solve(dst.Slice(0, n, lo, hi).(*mat.Dense).RawMatrix(), b.Slice(0, n, lo, hi).(*mat.Dense).RawMatrix(), w)
		c.spaces.Put(w)
	})
}

// workspace is the memory of a solve.
type workspace struct {
	x       []lanes.Row   // the right-hand sides in the order of the factor
	scratch [][]lanes.Row // one per subtree, then one for the supernodes above
	// Each subtree has a separate list of updates to the rows above it. The lists are added in the
	// order of the subtrees.
	updates [][]lanes.Row
}

func (c *Cholesky) newWorkspace() *workspace {
	trees := c.plan.trees
	w := &workspace{x: make([]lanes.Row, c.symbolic.n), scratch: make([][]lanes.Row, len(trees)+1), updates: make([][]lanes.Row, len(trees))}
	for t := range w.scratch {
		w.scratch[t] = make([]lanes.Row, c.tallest)
	}
	for t, root := range trees {
		w.updates[t] = make([]lanes.Row, len(c.symbolic.rows[root]))
	}
	return w
}

// solve solves UᵀU·x = b for at most a group of columns.
func (c *Cholesky) solve(x, b blas64.General, w *workspace) {
	s, trees := c.symbolic, c.plan.trees
	par.Blocks(len(trees), 1, func(t, _ int) {
		root, above := int(trees[t]), w.updates[t]
		clear(above)
		s.load(w.x, b, int(s.first[root]), root)
		for k := int(s.first[root]); k <= root; k++ {
			c.forward(k, w.x, above, w.scratch[t])
		}
	})
	scratch := w.scratch[len(trees)]
	for _, k := range c.plan.top {
		s.load(w.x, b, int(k), int(k))
	}
	for t, root := range trees {
		for r, i := range s.rows[root] {
			for e, v := range w.updates[t][r] {
				w.x[i][e] += v
			}
		}
	}
	for _, k := range c.plan.top {
		c.forward(int(k), w.x, nil, scratch)
	}
	for at := len(c.plan.top) - 1; at >= 0; at-- {
		k := int(c.plan.top[at])
		c.backward(k, w.x, scratch)
		s.store(x, w.x, k, k)
	}
	par.Blocks(len(trees), 1, func(t, _ int) {
		root := int(trees[t])
		for k := root; k >= int(s.first[root]); k-- {
			c.backward(k, w.x, w.scratch[t])
		}
		s.store(x, w.x, int(s.first[root]), root)
	})
}

// load copies the rows of b that belong to the supernodes from `first` to `last` into x, whose rows
// are in the order of the factor. store copies these rows back, in the order of b.
func (s *Symbolic) load(x []lanes.Row, b blas64.General, first, last int) {
	for i := s.start[first]; i < s.start[last+1]; i++ {
		row := b.Data[int(s.perm[i])*b.Stride:]
		if b.Cols == group {
			x[i] = lanes.Row(row)
			continue
		}
		x[i] = lanes.Row{}
		copy(x[i][:], row[:b.Cols])
	}
}

func (s *Symbolic) store(x blas64.General, from []lanes.Row, first, last int) {
	for i := s.start[first]; i < s.start[last+1]; i++ {
		row := x.Data[int(s.perm[i])*x.Stride:]
		if x.Cols == group {
			*(*lanes.Row)(row) = from[i]
			continue
		}
		copy(row[:x.Cols], from[i][:])
	}
}

// forward solves Uᵀy = x in place for the columns of supernode k, and adds the update −U₁₂ᵀy for
// the rows below. The first inside[k] of these rows lie in the subtree of k, and their update is
// added to x. The update of the other rows is added to `above`, at the positions outside[k]. For a
// supernode in no subtree, `above` is nil and all updates are added to x.
func (c *Cholesky) forward(k int, x, above, scratch []lanes.Row) {
	s := c.symbolic
	width, height := s.width(k), s.height(k)
	first, rows, panel := int(s.start[k]), s.rows[k], c.panel[k]
	y := x[first : first+width]
	sum := scratch[:len(rows)]
	clear(sum)
	for j := 0; j < width; {
		u := panel[j*height : (j+1)*height]
		scale(&y[j], u[j])
		if j+1 == width {
			subtractOne(sum, u[width:], &y[j])
			break
		}
		v := panel[(j+1)*height : (j+2)*height]
		minus(&y[j+1], u[j+1], &y[j])
		scale(&y[j+1], v[j+1])
		f, g := negative(&y[j]), negative(&y[j+1])
		lanes.Add(y[j+2:], u[j+2:width], v[j+2:width], &f, &g)
		lanes.Add(sum, u[width:], v[width:], &f, &g)
		j += 2
	}
	split := len(rows)
	if above != nil {
		split = int(c.inside[k])
	}
	for r, i := range rows[:split] {
		to, v := &x[i], &sum[r]
		to[0] += v[0]
		to[1] += v[1]
		to[2] += v[2]
		to[3] += v[3]
	}
	for r, at := range c.outside[k][:len(rows)-split] {
		to, v := &above[at], &sum[split+r]
		to[0] += v[0]
		to[1] += v[1]
		to[2] += v[2]
		to[3] += v[3]
	}
}

// backward solves U·x = y for the columns of supernode k.
func (c *Cholesky) backward(k int, x, scratch []lanes.Row) {
	s := c.symbolic
	width, height := s.width(k), s.height(k)
	first, rows, panel := int(s.start[k]), s.rows[k], c.panel[k]
	z := scratch[:height]
	for r, i := range rows {
		z[width+r] = x[i]
	}
	y := x[first : first+width]
	copy(z, y)
	j := width
	if j%2 == 1 {
		j--
		u := panel[j*height : (j+1)*height]
		takeOne(&z[j], u[j+1:], z[j+1:])
		scale(&z[j], u[j])
	}
	for j -= 2; j >= 0; j -= 2 {
		u, v := panel[j*height:(j+1)*height], panel[(j+1)*height:(j+2)*height]
		lanes.Take(&z[j], &z[j+1], u[j+2:], v[j+2:], z[j+2:])
		scale(&z[j+1], v[j+1])
		minus(&z[j], u[j+1], &z[j+1])
		scale(&z[j], u[j])
	}
	copy(y, z)
}

func scale(y *lanes.Row, f float64) {
	y[0] *= f
	y[1] *= f
	y[2] *= f
	y[3] *= f
}

func minus(y *lanes.Row, f float64, x *lanes.Row) {
	y[0] -= f * x[0]
	y[1] -= f * x[1]
	y[2] -= f * x[2]
	y[3] -= f * x[3]
}

func negative(y *lanes.Row) lanes.Row { return lanes.Row{-y[0], -y[1], -y[2], -y[3]} }

// subtractOne subtracts u[r]·y from sum[r].
func subtractOne(sum []lanes.Row, u []float64, y *lanes.Row) {
	y0, y1, y2, y3 := y[0], y[1], y[2], y[3]
	u = u[:len(sum)]
	for r := range sum {
		s, f := &sum[r], u[r]
		s[0] -= f * y0
		s[1] -= f * y1
		s[2] -= f * y2
		s[3] -= f * y3
	}
}

// takeOne subtracts Σ u[r]·z[r] from y.
func takeOne(y *lanes.Row, u []float64, z []lanes.Row) {
	s0, s1, s2, s3 := y[0], y[1], y[2], y[3]
	u = u[:len(z)]
	for r := range z {
		f, x := u[r], &z[r]
		s0 -= f * x[0]
		s1 -= f * x[1]
		s2 -= f * x[2]
		s3 -= f * x[3]
	}
	*y = lanes.Row{s0, s1, s2, s3}
}
