package embed

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// CrossEntropy returns UMAP's objective over all pairs i < j of positions y (n×d) as two parts:
// attractive −Σ w·log v and repulsive −Σ (1 − w)·log(1 − v + 1e-12), where v is the similarity of
// the two positions. The gradient of their sum (without the 1e-12), n×d, is stored in grad unless
// grad is nil; pairs at the same position contribute nothing to it. CrossEntropy takes O(n²d)
// operations and is meant for checks and small data; [Layout] follows the gradient on a sample of
// the pairs.
func CrossEntropy(grad *mat.Dense, w *sparse.CSR, y *mat.Dense, c Curve) (attractive, repulsive float64, err error) {
	if err := checkGraph(w); err != nil {
		return 0, 0, err
	}
	if err := checkPositions(y, w.Rows); err != nil {
		return 0, 0, err
	}
	if err := c.check(); err != nil {
		return 0, 0, err
	}
	n, d := y.Dims()
	if grad != nil {
		if r, cols := grad.Dims(); r != n || cols != d {
			return 0, 0, fmt.Errorf("%w: a gradient of %d×%d for positions of %d×%d", ErrShape, r, cols, n, d)
		}
	}
	sums := make([][2]float64, n)
	par.Blocks(n, 16, func(lo, hi int) {
		weight, g := make([]float64, n), make([]float64, d)
		for i := lo; i < hi; i++ {
			cols, vals := w.Row(i)
			for k, j := range cols {
				weight[j] = vals[k]
			}
			clear(g)
			yi := y.RawRowView(i)
			for j := range n {
				if j == i {
					continue
				}
				yj := y.RawRowView(j)
				s := 0.0
				for k, v := range yi {
					s += (v - yj[k]) * (v - yj[k])
				}
				power := c.A * math.Pow(s, c.B)
				// Each pair occurs twice. 1 − v = power/(1 + power).
				sums[i][0] += weight[j] / 2 * math.Log1p(power)
				sums[i][1] -= (1 - weight[j]) / 2 * math.Log(power/(1+power)+1e-12)
				if s > 0 && grad != nil {
					f := -weight[j]*c.attraction(s) - (1-weight[j])*c.repulsion(s, 0)
					for k, v := range yi {
						g[k] += f * (v - yj[k])
					}
				}
			}
			for _, j := range cols {
				weight[j] = 0
			}
			if grad != nil {
				grad.SetRow(i, g)
			}
		}
	})
	for _, s := range sums {
		attractive += s[0]
		repulsive += s[1]
	}
	return attractive, repulsive, nil
}

// Divergence returns the Kullback–Leibler divergence of t-SNE, Σ p·log(p/q) over all ordered pairs,
// where q is (1 + d²/α)^−α of positions y (n×d) divided by its sum, α = dof. Its gradient, n×d, is
// stored in grad unless grad is nil. It takes O(n²d) operations and is meant for checks and small
// data.
func Divergence(grad *mat.Dense, p *sparse.CSR, y *mat.Dense, dof float64) (float64, error) {
	if err := checkGraph(p); err != nil {
		return 0, err
	}
	if err := checkPositions(y, p.Rows); err != nil {
		return 0, err
	}
	n, d := y.Dims()
	if grad != nil {
		if r, c := grad.Dims(); r != n || c != d {
			return 0, fmt.Errorf("%w: a gradient of %d×%d for positions of %d×%d", ErrShape, r, c, n, d)
		}
	}
	t := newTail(dof)
	force, unit := make([]float64, n*d), math.Sqrt(t.value())
	var scaled mat.Dense
	scaled.Scale(1/unit, y)
	at := scaled.RawMatrix().Data
	z := repelExactly(force, at, n, d, t)
	pull := make([]float64, n*d)
	parts := make([]float64, n)
	par.Blocks(n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			parts[i] = attract(pull[i*d:(i+1)*d], p, at, d, i, math.Log(z), t)
			if grad != nil {
				row := grad.RawRowView(i)
				for k := range row {
					row[k] = 4 * unit * (pull[i*d+k] - force[i*d+k]/z)
				}
			}
		}
	})
	kl := 0.0
	for _, v := range parts {
		kl += v
	}
	return kl, nil
}
