package ssdrnb

import (
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// The matrices that the discriminant methods share, all in the coordinates of
// the span (r×r). In the pairwise form of the trace-ratio paper these are
// S_b = X·L_b·Xᵀ and S_w = X·L_w·Xᵀ; they are computed from class means, and
// neither L_b nor L_w is ever formed.

// scatter holds the scatter matrices of the labelled samples.
type scatter struct {
	classes []int         // distinct labels, ascending
	counts  []int         // labelled samples of each
	between *mat.SymDense // S_b = Σ l_k (μ_k−μ)(μ_k−μ)ᵀ
	within  *mat.SymDense // S_w = Σ_k Σ_{i∈k} (x_i−μ_k)(x_i−μ_k)ᵀ
	centers *mat.Dense    // c×r, rows √l_k(μ_k−μ): S_b = centersᵀ·centers
	level   levels        // by which weights are set
	center  []float64     // μ
}

// levels are the traces of S_b and S_w, for a kernel those of K·L_b and K·L_w
// before any direction was cut.
type levels struct{ between, within float64 }

// total returns S_t = S_b + S_w.
func (s *scatter) total() *mat.SymDense {
	t := mat.NewSymDense(s.between.SymmetricDim(), nil)
	t.AddSym(s.between, s.within)
	return t
}

// labelledScatter returns the scatter of the labelled rows of z around their own
// means; μ is the mean of the labelled rows.
func labelledScatter(z *mat.Dense, labels, classes []int) *scatter {
	_, r := z.Dims()
	index := make(map[int]int, len(classes))
	for k, c := range classes {
		index[c] = k
	}
	s := &scatter{classes: classes, counts: make([]int, len(classes))}
	means := mat.NewDense(len(classes), r, nil)
	mean := make([]float64, r)
	m := 0
	for i, l := range labels {
		if k, ok := index[l]; ok {
			m++
			s.counts[k]++
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
	s.center, s.centers = mean, mat.NewDense(len(classes), r, nil)
	for k, count := range s.counts {
		row, dst := means.RawRowView(k), s.centers.RawRowView(k)
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
	s.between, s.within = mat.NewSymDense(r, nil), mat.NewSymDense(r, nil)
	s.between.SymOuterK(1, s.centers.T())
	s.within.SymOuterK(1, around.T())
	s.level = levels{mat.Trace(s.between), mat.Trace(s.within)}
	s.settle(1e-24) // the rounding of a mean, squared
	return s
}

// scatterOf returns the scatter of the labelled samples in the span.
func scatterOf(j *job, s *span) *scatter {
	sc, _ := shared(j.work, scatterStep{s})
	return sc
}

type scatterStep struct{ span *span }

func (s scatterStep) run(w *work) (*scatter, error) {
	sc := labelledScatter(s.span.z, w.data.Labels, w.data.Classes())
	if s.span.kernel != nil {
		sc.level = labelledLevels(s.span.kernel.factor.f, w.data.Labels, sc.classes)
		sc.settle(1e-18) // copies differ in F by the rounding over the least pivot, in r places
	}
	return sc, nil
}

// labelledLevels returns the traces of S_b and S_w of the labelled rows of z.
func labelledLevels(z *mat.Dense, labels, classes []int) levels {
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
	var out levels
	all, _ := mean(func(l int) bool { return l != data.Unlabelled })
	for _, class := range classes {
		middle, count := mean(func(l int) bool { return l == class })
		out.between += float64(count) * dense.SquaredDistance(middle, all)
		for i, l := range labels {
			if l == class {
				out.within += dense.SquaredDistance(z.RawRowView(i), middle)
			}
		}
	}
	return out
}

// collapsed reports whether every class is a single point: one labelled sample, or
// copies of one.
func (s *scatter) collapsed() bool { return s.level.within == 0 }

// settle makes S_w exactly 0 where it is no more than rounding against S_b.
func (s *scatter) settle(tolerance float64) {
	if s.level.within <= tolerance*s.level.between {
		s.level.within = 0
		s.within.Zero()
	}
}

// ridgeOf returns the option "ridge", or its automatic value: "ridge scale" times the
// mean eigenvalue tr(S_w)/r. A kernel has as many directions as samples, most of
// them of no meaning, and its unit is tr(K·L_w)/n.
func ridgeOf(j *job, sc *scatter) float64 {
	if !ridgeOption.auto(j) {
		return ridgeOption.of(j)
	}
	if sc.collapsed() {
		return 0
	}
	alpha := sc.level.within / float64(sc.within.SymmetricDim())
	if j.spec.method.Shape == Kernel {
		alpha = sc.level.within / float64(j.data.Len())
	}
	alpha *= ridgeScaleOption.of(j)
	j.fact("α", alpha)
	return alpha
}

// describe names a number of classes for warnings.
func describe(classes int) string {
	return fmt.Sprintf("%d classes have %s", classes, plural(classes-1, "discriminant direction"))
}
