package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"

// GPLVM returns the builder of the Gaussian process latent variable model. The report has the log
// likelihood ln p, the kernel parameters θ and the history of the objective. [Model.Decode] returns
// the distribution of the data at any latent position, and Transform finds the position of greatest
// density for each new sample.
//
// Source: Lawrence, "Probabilistic non-linear principal component analysis with
// Gaussian process latent variable models", JMLR 6, 2005.
//
// Objective: maximise ln p(Y|X, θ) = −(DN/2)ln 2π − (D/2)ln|K| − ½tr(K⁻¹YYᵀ) over the positions X
// and θ. Y is the N×D data matrix, and K_ij = θ_rbf·exp(−γ/2·‖x_i − x_j‖²) + (θ_white + ε)δ_ij with
// the jitter ε.
//
// Solution: X starts from the principal components. L-BFGS or scaled conjugate gradients optimise θ
// and X in turn or together.
//
// Cost: O(n³ + n²(D + d)) per evaluation, and memory for 3n² numbers; the limit is 23,170 samples.
// With m inducing points, which are used above 2,000 samples, an evaluation costs O(nm(m + D)).
//
// Defaults: dims 2, scaling global, kernel rbf, start whiten, optimiser l-bfgs, schedule alternate
// with 100 rounds of 20 steps for θ and 20 for X, jitter 1e-6, inducing 100. D counts only the
// features that vary. The formula in the paper also counts constant features; each adds −½ln|K|,
// which does not depend on the data.
//
// Fails: the result is a local optimum, which depends on start, optimiser and budget as much as on
// the data. Samples that are close in latent space are close in the data, but samples that are
// close in the data may be far apart in latent space. Scale, origin and orientation of X are
// arbitrary. If several principal components have the same variance, the start is arbitrary too.
func GPLVM() *GPLVMBuilder { return newGPLVM(Spec{method: gplvm}) }

var gplvm = register(Method{
	Name: "GP-LVM", Func: "GPLVM", Title: "Gaussian process latent variable model", Paper: "Lawrence 2005",
	Supervision: Unsupervised, Shape: Nonlinear, Uses: NoKnowledge, Descends: true,
	Params: list(latentOptions),
	fit:    fitGPLVM,
})

func fitGPLVM(j *job) (*solution, error) {
	return fitLatent(j, func(*prepared) (gp.Settings, error) { return gp.Settings{}, nil })
}
