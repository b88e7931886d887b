package ssdrnb

import "gonum.org/v1/gonum/mat"

// Semi-supervised discriminant analysis.
//
// Source: Cai, He, Han, ICCV 2007; trace-ratio paper eq. 26.
//
// Objective: maximise tr((Wᵀ(S + λ_m·X·L·Xᵀ + αI)W)⁻¹ WᵀS_b W): LDA over the
// labelled samples whose denominator also punishes directions along which
// neighbours, labelled or not, move apart.
// Solution: S_b w = τ (S + λ_m·X·L·Xᵀ + αI) w, the largest τ, S being S_w (the
// trace-ratio paper) or S_t (Cai): the same directions.
// Cost: LDA's and O(n²D) for the neighbours.
// Defaults: dims 2, neighbors 8, heat affinity of half-median width, manifold 0.1
// relative, ridge 1e-3·tr(S_w)/D, within S_w, pca 1.
// Fails: as LDA, at most c − 1 directions; a heavy manifold term on a graph that
// links the classes makes it worse than LDA.
var sda = register(Method{
	Name: "SDA", Func: "SDA", Title: "semi-supervised discriminant analysis", Paper: "Cai, He, Han 2007",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromLabels,
	Params: append([]Param{dimsParam(2), neighborsParam(8), affinityParam(Heat), widthParam()},
		append(manifoldParams(0.1), ridgeParam(), withinParam(WithinScatter), pcaParam(1))...),
	fit: fitSDA,
})

// SDABuilder collects the options of [SDA].
type SDABuilder struct {
	common[SDABuilder]
	dims[SDABuilder]
	graphed[SDABuilder]
	smooth[SDABuilder]
	ridged[SDABuilder]
	scattered[SDABuilder]
	reduction[SDABuilder]
}

// SDA returns the builder of semi-supervised discriminant analysis. Values are
// the generalised eigenvalues τ, falling; wᵀBw = 1 for the denominator B.
func SDA() SDABuilder { return newSDA(Spec{method: sda}) }

func newSDA(s Spec) SDABuilder {
	c := link(s, newSDA)
	return SDABuilder{common[SDABuilder]{c}, dims[SDABuilder]{c}, graphed[SDABuilder]{c}, smooth[SDABuilder]{c},
		ridged[SDABuilder]{c}, scattered[SDABuilder]{c}, reduction[SDABuilder]{c}}
}

func fitSDA(j *job) (*solution, error) {
	s, sc, manifold, err := j.semiSupervised()
	if err != nil {
		return nil, err
	}
	return j.discriminant(s, sc, manifold)
}

// semiSupervised prepares what SDA and TR-SDA share: the span, the labelled
// scatter and the weighted manifold term λ_m·X·L_m·Xᵀ.
func (j *job) semiSupervised() (s *span, sc *scatter, manifold *mat.SymDense, err error) {
	if err = j.stage("span"); err != nil {
		return
	}
	if s, err = j.span(); err != nil {
		return
	}
	if err = j.stage("graph"); err != nil {
		return
	}
	term, err := j.smoothness(s)
	if err != nil {
		return
	}
	sc = j.scatter(s)
	zero := mat.NewSymDense(term.SymmetricDim(), nil)
	return s, sc, plus(zero, j.manifoldWeight(sc, term), term), nil
}
