package ssdrnb

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// The criteria of the discriminant methods, as in Table 4 of Zhao, Zhang, Chow (Pattern Recognition
// 2012). With coordinates R of the samples, each criterion compares VᵀR·M₁·RᵀV with VᵀR·M₂·RᵀV, and
// the embedding is Y = VᵀR:
//
//	ratio of traces   trace of ratio   M₁    M₂              R
//	TR-LDA            LDA              L_b   L_w             X
//	TR-SDA            SDA              L_b   L_w + λ_m·L_m   X
//	TR-KLDA           KLDA             L_b   L_w             RᵀR = K
//	TR-KSDA           KSDA             L_b   L_w + λ_m·L_m   RᵀR = K
//
// TR-LDA and TR-SDA maximise the ratio of two traces; MMC and SSMMC maximise the difference of the
// same traces. The scatters R·L_b·Rᵀ = S_b and R·L_w·Rᵀ = S_w are in step_scatter.go, and the
// manifold term R·L_m·Rᵀ is in step_neighbors.go. The ridge αI is added to R·M₂·Rᵀ.

// ratioTrace maximises tr((VᵀBV)⁻¹VᵀS_bV) with B = S + λ_m·M + αI by solving S_b v = τBv. S is S_w
// or S_t, as set by the option "within". M is the argument m, or 0 if m is nil. Fits that differ
// only in α share one decomposition of S + λ_m·M.
func ratioTrace(j *job, s *span, sc *discriminant.Scatter, m *penalty) (*solution, error) {
	key := spectrumStep{scatter: sc, total: withinOption.of(j) == TotalScatter}
	if m != nil {
		key.term, key.weight = m.term, manifoldWeight(j, sc, m)
	}
	if err := j.begin("eigenvectors"); err != nil {
		return nil, err
	}
	alpha := ridgeOf(j, sc)
	denominator, err := shared(j.work, key)
	if err != nil {
		return nil, err
	}
	if largest := denominator.Values[len(denominator.Values)-1]; largest <= 0 && alpha == 0 {
		if j.sliced {
			return nil, j.fault("target", nil, fmt.Errorf("%w: no slice of the target has two different samples, so the within-class scatter is 0", ErrNeedsTarget),
				"give more values with Data.WithTarget, or set Ridge")
		}
		return nil, j.fault("labels", nil, fmt.Errorf("%w: no class has two different labelled samples, so the within-class scatter is 0", ErrNeedsLabels),
			"label two different samples of a class, set Ridge, or use TRLDA, which handles this case")
	}
	return quotient(j, s, sc, denominator, alpha)
}

// spectrumStep decomposes S + weight·M, where S is S_w or S_t.
type spectrumStep struct {
	scatter *discriminant.Scatter
	total   bool
	term    *mat.SymDense // M; may be nil
	weight  float64
}

func (s spectrumStep) run(*work) (*spectral.Spectrum, error) {
	m := s.scatter.Within
	if s.total {
		m = s.scatter.Total()
	}
	if s.term != nil {
		m = dense.Plus(m, s.weight, s.term)
	}
	return spectral.Decompose(m)
}

// quotient returns the directions with the largest τ of S_b v = τ (M + αI) v. The argument m is the
// spectrum of the matrix M.
func quotient(j *job, s *span, sc *discriminant.Scatter, m *spectral.Spectrum, alpha float64) (*solution, error) {
	// Directions along which the denominator M + αI vanishes are left out, because the quotient is
	// infinite there.
	if share := m.Missed(sc.Centers, alpha); share > 1e-16 {
		if faint := j.faintWithin(s); faint != "" {
			j.warn("directions with a share of %.2g of the between-class scatter were left out: %s", share, faint)
		} else {
			j.warn("the denominator vanishes on directions with a share of %.2g of the between-class scatter, which were left out; %s, or use the trace-ratio method, which handles this case", share, j.regularise())
		}
	}
	d := j.ofClasses(s, min(len(sc.Classes)-1, len(m.Values)), len(sc.Classes))
	pairs, err := m.QuotientTop(sc.Centers, alpha, d)
	if err != nil {
		return nil, err
	}
	j.regular(s, len(pairs.Values), d)
	j.distinct(len(pairs.Values), pairs.Gap, pairs.Values[0])
	if normOption.of(j) == EuclideanNorm {
		dense.UnitColumns(pairs.Vectors)
	}
	return s.solution(pairs.Vectors, pairs.Values), nil
}

// regularise returns the remedy for a singular denominator, for use in a warning.
func (j *job) regularise() string {
	_, set := j.spec.set[ridgeOption.Name]
	switch {
	case !j.spec.method.has(ridgeOption.Name):
		return "keep fewer directions with PCA"
	case set && ridgeOption.of(j) > 0:
		return "raise Ridge"
	}
	return "set Ridge"
}

// difference maximises tr VᵀmV under VᵀV = I. The argument m is a difference of scatters, and is
// indefinite. The solution V consists of the top eigenvectors of m.
func difference(j *job, s *span, m *mat.SymDense) (*solution, error) {
	if err := j.begin("eigenvectors"); err != nil {
		return nil, err
	}
	d := j.spanned(s, m.SymmetricDim())
	pairs, err := spectral.Top(m, d)
	if err != nil {
		return nil, err
	}
	j.distinct(d, pairs.Gap, mat.Norm(m, 2))
	return s.solution(pairs.Vectors, pairs.Values), nil
}

// eigengap is the name, in reports, of the difference between eigenvalues d and d+1. If it is 0,
// the subspace is not unique.
const eigengap = "eigengap"

// gap records the eigengap. It skips NaN and ±Inf, which occur for example if all directions are
// used.
func (w *work) gap(gap float64) { w.fact(eigengap, gap) }

// distinct records the gap between eigenvalues d and d+1, and warns if it is 0 up to rounding. The
// argument largest is an upper bound on the magnitude of the eigenvalues.
func (j *job) distinct(d int, gap, largest float64) {
	j.gap(gap)
	j.report.largest = largest
	j.report.warnTied(d, gap)
}
