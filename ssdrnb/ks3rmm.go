package ssdrnb

// KS3RMM returns the builder of the kernel semi-supervised semi-Riemannian metric map.
// [Model.Values], [Model.Graph] and [Model.Suggest] are the same as for [S3RMM].
//
// Source: Zhang, Lin, Tang, TKDE 2011, Section 3.2, which refers to the kernel method for the
// nonlinear case.
//
// Objective: the same as for S3RMM, with the samples in the feature space of a kernel. The metric
// is learned from the original samples, so only the map differs.
//
// Solution: the top eigenvectors of R·L_G·Rᵀ, with L_G as for [S3RMM]. RᵀR = K is the centred kernel
// matrix, without the directions below the cut.
//
// Cost: the same as for S3RMM, plus O(n·r²) for the factor R of rank r.
//
// Defaults: as for S3RMM; RBF kernel with the median pairwise distance as its scale, rank 1000, cut
// 1e-3. The linear kernel with cut 0 gives S3RMM.
//
// Fails: as for [S3RMM], the result depends strongly on gamma, and some options have no effect if
// all samples are labelled. A small cut overfits, because the eigenvalues of kernel directions with
// tiny variance are near 0 and rank above negative ones.
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
