package ssdrnb

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/spectral"
)

// Linear discriminant analysis (ratio trace).
//
// Source: Fisher 1936; Rao 1948; spec of the trace-ratio paper, Section 5.
//
// Objective: maximise tr((Wᵀ(S_w + αI)W)⁻¹ WᵀS_b W) over the labelled samples.
// Solution: S_b w = τ (S_w + αI) w, the largest τ; wᵀ(S_w + αI)w = 1.
// Cost: O(nD² + D³) time in the span of the samples.
// Defaults: dims 2, ridge 1e-3·tr(S_w)/D, within S_w, pca 1.
// Fails: c classes give at most c − 1 directions; unlabelled samples are unused;
// without a ridge S_w must be regular (PCA to fewer dimensions, or TRLDA).
var lda = register(Method{
	Name: "LDA", Func: "LDA", Title: "linear discriminant analysis", Paper: "Fisher 1936; Rao 1948",
	Supervision: Supervised, Shape: Linear, Uses: FromLabels,
	Params: []Param{dimsParam(2), ridgeParam(), withinParam(WithinScatter), pcaParam(1)},
	fit:    fitLDA,
})

// LDABuilder collects the options of [LDA].
type LDABuilder struct {
	common[LDABuilder]
	dims[LDABuilder]
	ridged[LDABuilder]
	scattered[LDABuilder]
	reduction[LDABuilder]
}

// LDA returns the builder of linear discriminant analysis. Values are the
// generalised eigenvalues τ, falling.
func LDA() LDABuilder { return newLDA(Spec{method: lda}) }

func newLDA(s Spec) LDABuilder {
	c := link(s, newLDA)
	return LDABuilder{common[LDABuilder]{c}, dims[LDABuilder]{c}, ridged[LDABuilder]{c}, scattered[LDABuilder]{c}, reduction[LDABuilder]{c}}
}

func fitLDA(j *job) (*solution, error) {
	if err := j.stage("span"); err != nil {
		return nil, err
	}
	s, err := j.span()
	if err != nil {
		return nil, err
	}
	return j.discriminant(s, j.scatter(s), nil)
}

// discriminant solves S_b w = τ (S + M + αI) w, S being S_w or S_t by the option
// "within" and M a manifold term, nil where there is none: LDA and SDA.
func (j *job) discriminant(s *span, sc *scatter, manifold *mat.SymDense) (*solution, error) {
	if err := j.stage("eigenvectors"); err != nil {
		return nil, err
	}
	denominator := sc.within
	if j.choice("within") == TotalScatter {
		denominator = sc.total()
	}
	if manifold != nil {
		denominator = plus(denominator, 1, manifold)
	}
	alpha := j.ridge(sc)
	if mat.Trace(denominator) == 0 && alpha == 0 {
		return nil, j.fault("labels", nil, fmt.Errorf("%w: one labelled sample per class leaves the within-class scatter 0", ErrNeedsLabels),
			"label two samples of a class, set Ridge, or use TRLDA, which has a rule for this")
	}
	d := j.limit(min(len(sc.classes)-1, sc.within.SymmetricDim()), describe(len(sc.classes)))
	pairs, err := spectral.GeneralizedTop(sc.between, addRidge(denominator, alpha), d)
	if err != nil {
		return nil, err
	}
	return s.solution(pairs.Vectors, pairs.Values), nil
}
