package ssdrnb

// SDA returns the builder of semi-supervised discriminant analysis. [Model.Values] are the
// generalised eigenvalues τ, descending. With the default norm, wᵀBw = 1 for the denominator B.
//
// Source: Cai, He, Han, ICCV 2007; equation 26 of the paper on [TRSDA].
//
// Objective: maximise tr((Wᵀ(S + λ_m·X·L·Xᵀ + αI)W)⁻¹ WᵀS_b W). This is LDA over the labelled
// samples with an additional term, which penalises directions that separate neighbours, labelled or
// not. S_b is the between-class scatter, S the within-class or total scatter, L the Laplacian of
// the neighbourhood graph of all samples, and α the ridge.
//
// Solution: S_b w = τ (S + λ_m·X·L·Xᵀ + αI) w with the largest τ. S is S_w (as in the paper on
// [TRSDA]) or S_t (Cai); both give the same directions.
//
// A numeric target ([data.Data.WithTarget]) can replace the labels. It is cut into slices, as for
// [LDA].
//
// Cost: the same as for LDA, plus a search for neighbours.
//
// Defaults: dims 2, neighbors 8, heat affinity with t = (half the median distance)², manifold 0.1
// (balance relative), ridge 1e-3·tr(S_w)/D, within S_w, denominator norm, pca 1.
//
// Fails: there are at most c − 1 directions for c classes. With a large manifold weight, SDA is
// worse than LDA if graph edges connect classes.
func SDA() *SDABuilder { return newSDA(Spec{method: sda}) }

var sda = register(Method{
	Name: "SDA", Func: "SDA", Title: "semi-supervised discriminant analysis", Paper: "Cai, He, Han 2007",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromLabelsOrTarget, Nested: true,
	Params: list(dimsOption.with(2), neighborsOption.with(8), searchOptions, metricOption, affinityOption.with(Heat), widthOption, manifoldOptions(0.1),
		ridgeOption, ridgeScaleOption.with(1e-3), withinOption.with(WithinScatter), normOption, pcaOption.with(1), slicesOption),
	fit: fitSDA,
})

func fitSDA(j *job) (*solution, error) {
	s, m, err := manifoldOf(j, spanOf)
	if err != nil {
		return nil, err
	}
	return ratioTrace(j, s, scatterOf(j, s), m)
}
