package ssdrnb

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

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
}

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
	h := mat.NewDense(len(classes), r, nil) // rows √l_k (μ_k − μ)
	for k, count := range s.counts {
		row, dst := means.RawRowView(k), h.RawRowView(k)
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
	s.between.SymOuterK(1, h.T())
	s.within.SymOuterK(1, around.T())
	return s
}

// scatter returns the labelled scatter in the span.
func (j *job) scatter(s *span) *scatter {
	return labelledScatter(s.z, j.data.Labels, j.data.Classes())
}

// neighbourhood builds the k-NN graph of the samples by the options of the graphed
// mix-in: linked if either is among the other's k nearest.
func (j *job) neighbourhood(s *span) (*sparse.CSR, error) {
	// Distances in the span are those of the samples, but for rounding. Counts and
	// pixels have many exact ties, which the rule breaks by index, and rounding
	// would at random: so the samples themselves are taken where PCA drops nothing.
	points := s.z
	if j.float("pca") == 1 {
		points = j.x()
	}
	nb, err := graph.KNN(j.ctx, points, j.int("neighbors"))
	if err != nil {
		return nil, err
	}
	weights, _, err := j.affinity(points)
	if err != nil {
		return nil, err
	}
	return nb.Graph(graph.Or, weights)
}

// quadratic returns zᵀ·m·z for a symmetric sparse m.
func quadratic(m *sparse.CSR, z *mat.Dense) *mat.SymDense {
	n, r := z.Dims()
	mz := mat.NewDense(n, r, nil)
	m.MulTo(mz, z)
	var full mat.Dense
	full.Mul(z.T(), mz)
	out := mat.NewSymDense(r, nil)
	for a := range r {
		for b := a; b < r; b++ {
			out.SetSym(a, b, (full.At(a, b)+full.At(b, a))/2)
		}
	}
	return out
}

// smoothness returns the manifold term X·L_m·Xᵀ, L_m being the Laplacian of the
// neighbourhood graph over all samples, labelled or not.
func (j *job) smoothness(s *span) (*mat.SymDense, error) {
	w, err := j.neighbourhood(s)
	if err != nil {
		return nil, err
	}
	return quadratic(graph.Laplacian(w), s.z), nil
}

// manifoldWeight turns the options "manifold" and "balance" into the factor λ_m
// of the manifold term. One labelled sample per class leaves tr(S_w) = 0 and no
// scale to relate to: the between-class scatter then takes its place.
func (j *job) manifoldWeight(sc *scatter, smooth *mat.SymDense) float64 {
	weight := j.float("manifold")
	within, manifold := mat.Trace(sc.within), mat.Trace(smooth)
	if within == 0 {
		within = mat.Trace(sc.between)
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

// ridge returns the option "ridge", or its automatic value 1e-3·tr(S_w)/r.
func (j *job) ridge(sc *scatter) float64 {
	if !j.auto("ridge") {
		return j.float("ridge")
	}
	r := sc.within.SymmetricDim()
	alpha := 1e-3 * mat.Trace(sc.within) / float64(r)
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
	j.report.warn("%d of the %d dimensions asked for were returned: %s", most, d, reason)
	return most
}

// describe names a number of classes for warnings.
func describe(classes int) string {
	return fmt.Sprintf("%d classes have %d discriminant directions", classes, classes-1)
}
