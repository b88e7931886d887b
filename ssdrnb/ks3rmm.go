package ssdrnb

// KS3RMM returns the builder of the kernel semi-supervised semi-Riemannian metric map. Values,
// [Model.Graph] and [Model.Suggest] are the same as for [S3RMM].
//
// Source: Zhang, Lin, Tang, TPAMI 2011, Section 3.2, which leaves the nonlinear case
// to the kernel method.
//
// Objective: as for S3RMM, with the samples in the feature space of a kernel; the metric is learned
// from the samples themselves, so that only the map differs.
//
// Solution: the top eigenvectors of R·L_G·Rᵀ with RᵀR = K, centred and cut.
//
// Cost: as for S3RMM, and O(n·r²) for the factor of rank r.
//
// Defaults: as for S3RMM; kernel rbf of median scale, rank 1000, cut 1e-3. With the
// linear kernel and cut 0 it is S3RMM.
//
// Fails: the result depends strongly on gamma, as for [S3RMM]. Kernel directions of tiny variance
// have eigenvalues near 0 and beat negative ones, so that a small cut overfits.
func KS3RMM() *KS3RMMBuilder { return newKS3RMM(Spec{method: ks3rmm}) }

var ks3rmm = register(Method{
	Name: "KS3RMM", Func: "KS3RMM", Title: "kernel semi-supervised semi-Riemannian metric map", Paper: "Zhang, Lin, Tang 2011",
	Supervision: SemiSupervised, Shape: Kernel, Uses: FromBoth, Nested: true,
	Params: list(dimsOption.with(2), metricOptions, kernelOptions, factorOptions),
	fit:    fitKS3RMM,
})

func fitKS3RMM(j *job) (*solution, error) {
	s, err := kernelSpanOf(j)
	if err != nil {
		return nil, err
	}
	return metricMap(j, s)
}
