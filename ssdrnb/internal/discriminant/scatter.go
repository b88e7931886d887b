// Package discriminant computes the matrices of discriminant analysis: the scatter of labelled
// samples, regressions, resolvents, and similarities along paths between samples. Samples are the
// rows of z, in any coordinates of dimension r.
package discriminant

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Targets returns X·H·Yᵀ (r×c), where the columns of X are the labelled samples, Y holds their
// class indicators, and H is the centring matrix.
func (s *Scatter) Targets() *mat.Dense {
	t := mat.DenseCopyOf(s.Centers.T())
	r, c := t.Dims()
	for k := range c {
		f := math.Sqrt(float64(s.Counts[k]))
		for i := range r {
			t.Set(i, k, f*t.At(i, k))
		}
	}
	return t
}

// Intercept returns b = (1/l)(Y − WᵀX)·1 for the l labelled samples X with class indicators Y. With
// this b, the residuals of the labelled samples under the projection w sum to 0.
func (s *Scatter) Intercept(w *mat.Dense) []float64 {
	l := 0
	for _, count := range s.Counts {
		l += count
	}
	b := make([]float64, len(s.Counts))
	for k, count := range s.Counts {
		b[k] = float64(count) / float64(l)
		for i, m := range s.center {
			b[k] -= m * w.At(i, k)
		}
	}
	return b
}

// Misfit returns Σ |y_i − e_i|² over the labelled rows i, where e_i is the indicator of the class
// of i.
func (s *Scatter) Misfit(y *mat.Dense, labels []int) float64 {
	column := map[int]int{}
	for k, class := range s.Classes {
		column[class] = k
	}
	sum := 0.0
	for i, l := range labels {
		k, ok := column[l]
		if !ok {
			continue
		}
		for q, v := range y.RawRowView(i) {
			if q == k {
				v--
			}
			sum += v * v
		}
	}
	return sum
}

// Scatter holds the scatter matrices of the labelled samples.
type Scatter struct {
	Classes []int         // distinct labels, ascending
	Counts  []int         // number of labelled samples per class
	Between *mat.SymDense // S_b = Σ l_k (μ_k−μ)(μ_k−μ)ᵀ
	Within  *mat.SymDense // S_w = Σ_k Σ_{i∈k} (x_i−μ_k)(x_i−μ_k)ᵀ
	Centers *mat.Dense    // c×r, rows √l_k(μ_k−μ): S_b = Centersᵀ·Centers
	Level   Levels        // traces of S_b and S_w, for deciding whether S_w is 0 up to rounding
	center  []float64     // μ
}

// Total returns S_t = S_b + S_w.
func (s *Scatter) Total() *mat.SymDense {
	t := mat.NewSymDense(s.Between.SymmetricDim(), nil)
	t.AddSym(s.Between, s.Within)
	return t
}

// Collapsed reports whether every class is a single point: it has one labelled sample, or several
// that are equal up to rounding.
func (s *Scatter) Collapsed() bool { return s.Level.Within == 0 }

// Settle sets S_w to exactly 0 if its trace is rounding error, that is, at most tolerance times the
// trace of S_b.
func (s *Scatter) Settle(tolerance float64) {
	if s.Level.Within <= tolerance*s.Level.Between {
		s.Level.Within = 0
		s.Within.Zero()
	}
}

// Levels are the traces of S_b and S_w. For a kernel matrix K, they are the traces in the whole
// feature space, tr(K·L_b) and tr(K·L_w). The Laplacians L_b and L_w give S_b = X·L_b·Xᵀ and S_w =
// X·L_w·Xᵀ.
type Levels struct{ Between, Within float64 }

// NewScatter returns the scatter matrices of the labelled rows of z. μ is the mean of the labelled
// rows.
func NewScatter(z *mat.Dense, labels, classes []int) *Scatter {
	_, r := z.Dims()
	index := make(map[int]int, len(classes))
	for k, c := range classes {
		index[c] = k
	}
	s := &Scatter{Classes: classes, Counts: make([]int, len(classes))}
	means := mat.NewDense(len(classes), r, nil)
	mean := make([]float64, r)
	m := 0
	for i, l := range labels {
		if k, ok := index[l]; ok {
			m++
			s.Counts[k]++
			row := means.RawRowView(k)
			for j, v := range z.RawRowView(i) {
				row[j] += v
				mean[j] += v
			}
		}
	}
	for j := range mean {
		mean[j] /= float64(m)
	}
	s.center, s.Centers = mean, mat.NewDense(len(classes), r, nil)
	for k, count := range s.Counts {
		row, dst := means.RawRowView(k), s.Centers.RawRowView(k)
		for j := range row {
			row[j] /= float64(count)
			dst[j] = math.Sqrt(float64(count)) * (row[j] - mean[j])
		}
	}
	around := mat.NewDense(m, r, nil)
	at := 0
	for i, l := range labels {
		if k, ok := index[l]; ok {
			dst, mu := around.RawRowView(at), means.RawRowView(k)
			for j, v := range z.RawRowView(i) {
				dst[j] = v - mu[j]
			}
			at++
		}
	}
	s.Between, s.Within = mat.NewSymDense(r, nil), mat.NewSymDense(r, nil)
	s.Between.SymOuterK(1, s.Centers.T())
	s.Within.SymOuterK(1, around.T())
	s.Level = Levels{mat.Trace(s.Between), mat.Trace(s.Within)}
	s.Settle(1e-24) // square of the relative rounding error of a class mean
	return s
}

// LevelsOf returns the traces of S_b and S_w of the labelled rows of z.
func LevelsOf(z *mat.Dense, labels, classes []int) Levels {
	_, r := z.Dims()
	mean := func(keep func(label int) bool) (sum []float64, count int) {
		sum = make([]float64, r)
		for i, l := range labels {
			if keep(l) {
				floats.Add(sum, z.RawRowView(i))
				count++
			}
		}
		floats.Scale(1/float64(count), sum)
		return sum, count
	}
	var out Levels
	all, _ := mean(func(l int) bool { return l != data.Unlabelled })
	for _, class := range classes {
		middle, count := mean(func(l int) bool { return l == class })
		out.Between += float64(count) * samples.SquaredDistance(middle, all)
		for i, l := range labels {
			if l == class {
				out.Within += samples.SquaredDistance(z.RawRowView(i), middle)
			}
		}
	}
	return out
}
