package ssdrnb

import "fmt"

// SSLDA returns the builder of the semi-supervised LDA of the subspace framework SSLF.
// [Model.Values] are the generalised eigenvalues τ, descending. With the default norm, wᵀBw = 1 for
// the denominator B.
//
// Source: Yang, Zhang, Liang, ECCV 2008 (SSLF), in the variant used for comparison in the paper on
// [S3RMM]: the graph embedding of LDA plus a smoothness term, on a PCA subspace. The text of the
// original was not checked.
//
// Objective: maximise tr((Wᵀ(S_w + λ_m·X·L·Xᵀ)W)⁻¹ WᵀS_b W), where S_b and S_w are the
// between-class and within-class scatter of the labelled samples, and L is the Laplacian of the
// neighbourhood graph of all samples.
//
// Solution: S_b w = τ (S_w + λ_m·X·L·Xᵀ)w with the largest τ, in the span kept by PCA. This is SDA
// without the ridge: PCA makes the denominator invertible.
//
// Cost: the same as for LDA, plus a search for neighbours.
//
// Defaults: dims 2, neighbors 5, binary affinity, manifold 0.1 (balance relative), denominator
// norm, pca 0.98.
//
// Fails: there are at most c − 1 directions for c classes. With a large manifold weight, SSLDA is
// worse than LDA if graph edges connect classes.
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
	if denominator.Values[len(denominator.Values)-1] <= 0 {
		return nil, j.fault("labels", nil, fmt.Errorf("%w: no class has two different labelled samples, and the manifold term is 0", ErrNeedsLabels),
			"label two different samples of a class, or use TRLDA, which handles this case")
	}
	return quotient(j, s, sc, denominator, 0)
}
