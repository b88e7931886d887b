package ssdrnb

// SSLDA returns the builder of the subspace framework's semi-supervised LDA.
// Values are the generalised eigenvalues τ, descending; wᵀBw = 1 for the denominator B by
// the default norm.
//
// Source: Yang, Zhang, Liang, ECCV 2008 (SSLF), from memory, in the form that the semi-Riemannian
// paper compares with: the graph embedding of LDA plus a smoothness term, on a PCA subspace.
//
// Objective: maximise tr((Wᵀ(S_w + λ_m·X·L·Xᵀ)W)⁻¹ WᵀS_b W), L the Laplacian of the
// neighbourhood graph over all samples.
//
// Solution: S_b w = τ (S_w + λ_m·X·L·Xᵀ)w, the largest τ, in the span kept by PCA. It is SDA
// without the ridge: PCA makes the denominator regular.
//
// Cost: as for LDA, and a search for neighbours.
//
// Defaults: dims 2, neighbors 5, binary affinity, manifold 0.1 relative,
// denominator norm, pca 0.98.
//
// Fails: there are at most c − 1 directions. A large manifold weight makes it worse than LDA if
// the graph links the classes.
func SSLDA() *SSLDABuilder { return newSSLDA(Spec{method: sslda}) }

var sslda = register(Method{
	Name: "SSLDA", Func: "SSLDA", Title: "semi-supervised LDA of the subspace framework", Paper: "Yang, Zhang, Liang 2008",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromLabels, Nested: true,
	Params: list(dimsOption.with(2), neighborsOption.with(5), searchOptions, metricOption, affinityOption.with(Binary), widthOption, manifoldOptions(0.1),
		normOption, pcaOption.with(0.98)),
	fit: fitSSLDA,
})

func fitSSLDA(j *job) (*solution, error) {
	s, m, err := manifoldOf(j, spanOf)
	if err != nil {
		return nil, err
	}
	sc := scatterOf(j, s)
	lambda := manifoldWeight(j, sc, m)
	if err := j.begin("eigenvectors"); err != nil {
		return nil, err
	}
	denominator, err := shared(j.work, spectrumStep{scatter: sc, term: m.term, weight: lambda})
	if err != nil {
		return nil, err
	}
	return quotient(j, s, sc, denominator, 0)
}
