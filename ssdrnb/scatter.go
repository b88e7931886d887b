package ssdrnb

import (
	"fmt"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// The matrices that the discriminant methods share, all in the coordinates of
// the span (r×r). In the pairwise form of the trace-ratio paper these are
// S_b = X·L_b·Xᵀ and S_w = X·L_w·Xᵀ; they are computed from class means, and
// neither L_b nor L_w is ever formed.

// scatter holds the scatter matrices of the labelled samples.
type scatter struct {
	classes []int         // distinct labels, rising
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

// scatter returns the labelled scatter in the span.
func (j *job) scatter(s *span) *scatter {
	sc, _ := shared(j, "scatter", func(j *job) (*scatter, error) {
		sc := labelledScatter(s.z, j.data.Labels, j.data.Classes())
		if s.kernel != nil {
			sc.level = labelledLevels(s.kernel.factor.f, j.data.Labels, sc.classes)
			sc.settle(1e-18) // copies differ in F by the rounding over the least pivot, in r places
		}
		return sc, nil
	}, s)
	return sc
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
		out.between += float64(count) * distance2(middle, all)
		for i, l := range labels {
			if l == class {
				out.within += distance2(z.RawRowView(i), middle)
			}
		}
	}
	return out
}

// roughness returns tr(zᵀ·L·z) = ½ Σ w_ij‖z_i − z_j‖² for the Laplacian L of w.
func roughness(w *sparse.CSR, z *mat.Dense) float64 {
	n, _ := z.Dims()
	sum := 0.0
	for i := range n {
		cols, weights := w.Row(i)
		for k, c := range cols {
			sum += weights[k] * distance2(z.RawRowView(i), z.RawRowView(int(c)))
		}
	}
	return sum / 2
}

// points returns the samples as neighbours are looked for. Distances in the span
// are those of the samples, but for rounding. Counts and pixels have many exact
// ties, which the rule breaks by index, and rounding would at random: so the
// samples themselves are taken where PCA drops nothing. The graph of a kernel
// method is that of the samples too.
func (j *job) points(s *span) *mat.Dense {
	if s.kernel != nil || s.whole {
		return j.x()
	}
	return s.z
}

// nearest returns the k + more nearest neighbours of every sample, k being the
// option "neighbors".
func (j *job) nearest(s *span, more int) (*graph.Neighbors, error) {
	return shared(j, fmt.Sprintf("neighbours + %d", more), func(j *job) (*graph.Neighbors, error) {
		return j.search(j.points(s), j.int("neighbors")+more)
	}, s)
}

// search returns the k nearest neighbours of every row of points. Where one fit
// follows another, a slider under way has a new k for each: then a round number of
// neighbours is searched for, once, and the heads of the lists are those of a search
// for k.
func (j *job) search(points *mat.Dense, k int) (*graph.Neighbors, error) {
	if !j.stages.series {
		return graph.KNN(j.ctx, points, k)
	}
	n, _ := points.Dims()
	wide := max(k, min(n-1, max(16, 1<<bits.Len(uint(k-1)))))
	nb, err := shared(j, fmt.Sprintf("search for %d", wide), func(j *job) (*graph.Neighbors, error) {
		return graph.KNN(j.ctx, points, wide)
	}, points)
	if err != nil {
		return nil, err
	}
	return nb.Head(k), nil
}

// neighbourhood builds the k-NN graph of the samples by the options of the graphed
// mix-in: linked if either is among the other's k nearest.
func (j *job) neighbourhood(s *span) (*sparse.CSR, error) {
	return shared(j, "graph", func(j *job) (*sparse.CSR, error) {
		nb, err := j.nearest(s, 0)
		if err != nil {
			return nil, err
		}
		weights := graph.Binary()
		switch j.choice("affinity") {
		case SelfTuning:
			weights = graph.SelfTuning()
		case Heat:
			t, err := j.width(s)
			if err != nil {
				return nil, err
			}
			weights = graph.Heat(t)
		}
		return nb.Graph(graph.Or, weights)
	}, s)
}

// width returns the option "width", or its automatic value σ² with σ half the median
// of all pairwise distances.
func (j *job) width(s *span) (float64, error) {
	if !j.auto("width") {
		return j.float("width"), nil
	}
	sigma, err := j.halfMedian(s)
	return sigma * sigma, err
}

// halfMedian returns and reports σ, half the median of all pairwise distances.
func (j *job) halfMedian(s *span) (float64, error) {
	return shared(j, "half median", func(j *job) (float64, error) {
		sigma, err := graph.HalfMedian(j.ctx, j.points(s))
		if err == nil {
			j.fact("σ", sigma)
		}
		return sigma, err
	}, s)
}

// quadratic returns zᵀ·m·z for a symmetric sparse m.
func quadratic(m *sparse.CSR, z *mat.Dense) *mat.SymDense {
	n, r := z.Dims()
	mz := mat.NewDense(n, r, nil)
	m.MulTo(mz, z)
	return symmetricProduct(z, mz)
}

// symmetricProduct returns aᵀ·b where that is symmetric up to rounding.
func symmetricProduct(a, b *mat.Dense) *mat.SymDense {
	var full mat.Dense
	full.Mul(a.T(), b)
	r, _ := full.Dims()
	out := mat.NewSymDense(r, nil)
	for a := range r {
		for b := a; b < r; b++ {
			out.SetSym(a, b, (full.At(a, b)+full.At(b, a))/2)
		}
	}
	return out
}

// manifoldWeight turns the options "manifold" and "balance" into the factor λ_m
// of a manifold term of trace manifold. One labelled sample per class leaves
// tr(S_w) = 0 and no scale to relate to: the between-class scatter then takes its
// place.
func (j *job) manifoldWeight(sc *scatter, manifold float64) float64 {
	weight, within := j.float("manifold"), sc.level.within
	if sc.collapsed() {
		within = sc.level.between
	}
	switch {
	case weight == 0 || manifold == 0:
		return 0
	case j.choice("balance") == Relative:
		weight *= within / manifold
	case j.choice("balance") == AsPrinted:
		weight *= manifold / within
	}
	j.fact("λ_m", weight)
	return weight
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

// ridge returns the option "ridge", or its automatic value: "ridge scale" times the
// mean eigenvalue tr(S_w)/r. A kernel has as many directions as samples, most of
// them of no meaning, and its unit is tr(K·L_w)/n.
func (j *job) ridge(sc *scatter) float64 {
	if !j.auto("ridge") {
		return j.float("ridge")
	}
	if sc.collapsed() {
		return 0
	}
	alpha := sc.level.within / float64(sc.within.SymmetricDim())
	if j.spec.method.Shape == Kernel {
		alpha = sc.level.within / float64(j.data.Len())
	}
	alpha *= j.float("ridge scale")
	j.fact("α", alpha)
	return alpha
}

// plus returns a + f·b.
func plus(a *mat.SymDense, f float64, b *mat.SymDense) *mat.SymDense {
	n := a.SymmetricDim()
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for k := i; k < n; k++ {
			out.SetSym(i, k, a.At(i, k)+f*b.At(i, k))
		}
	}
	return out
}

// addRidge returns a + alpha·I.
func addRidge(a *mat.SymDense, alpha float64) *mat.SymDense {
	n := a.SymmetricDim()
	out := mat.NewSymDense(n, nil)
	out.CopySym(a)
	for i := range n {
		out.SetSym(i, i, a.At(i, i)+alpha)
	}
	return out
}

// limit returns the option "dims", lowered with a warning to what there is.
func (j *job) limit(most int, reason string) int {
	d := j.int("dims")
	if d <= most {
		return d
	}
	j.report.warnMissing(most, d, reason)
	return most
}

// describe names a number of classes for warnings.
func describe(classes int) string {
	return fmt.Sprintf("%d classes have %s", classes, plural(classes-1, "discriminant direction"))
}
