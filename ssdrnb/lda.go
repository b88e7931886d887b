package ssdrnb

// LDA returns the builder of linear discriminant analysis. [Model.Values] are the generalised
// eigenvalues τ, descending.
//
// Source: Fisher 1936; Rao 1948; in the variant of Section 5 of the paper on [TRSDA].
//
// Objective: maximise tr((Wᵀ(S_w + αI)W)⁻¹ WᵀS_b W). S_b and S_w are the between-class and
// within-class scatter of the labelled samples, and α is the ridge.
//
// Solution: S_b w = τ (S_w + αI) w with the largest τ; wᵀ(S_w + αI)w = 1.
//
// Cost: O(nD² + D³) time in the span of the samples.
//
// A numeric target ([data.Data.WithTarget]) can replace the labels. Its range is cut into slices,
// which serve as classes: sliced inverse regression (Li, JASA 86, 1991).
//
// Defaults: dims 2, ridge 1e-3·tr(S_w)/D, within S_w, denominator norm, pca 1.
//
// Fails: c classes give at most c − 1 directions; unlabelled samples are unused; without a ridge
// S_w must be invertible (reduce the dimension by PCA, or use TRLDA), and with a ridge the result
// depends on the units of the features (standardise them).
func LDA() *LDABuilder { return newLDA(Spec{method: lda}) }

var lda = register(Method{
	Name: "LDA", Func: "LDA", Title: "linear discriminant analysis", Paper: "Fisher 1936; Rao 1948",
	Supervision: Supervised, Shape: Linear, Uses: FromLabelsOrTarget, unitless: unridged, Nested: true,
	Params: list(dimsOption.with(2), ridgeOption, ridgeScaleOption.with(1e-3), withinOption.with(WithinScatter), normOption,
		pcaOption.with(1), slicesOption),
	fit: fitLDA,
})

func fitLDA(j *job) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	return ratioTrace(j, s, scatterOf(j, s), nil)
}
