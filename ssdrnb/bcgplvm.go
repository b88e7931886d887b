package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"

// BCGPLVM returns the builder of the back-constrained Gaussian process latent variable model. In
// addition to the entries of [GPLVM], the report has γ_b, the inverse square of the kernel width in
// the constraints.
//
// Source: Lawrence, Quiñonero-Candela, "Local distance preservation in the GP-LVM
// through back constraints", ICML 2006.
//
// Objective: the same as for [GPLVM], with the positions constrained to X = K_b·A. A holds the
// coefficients, K_b,ij = exp(−γ_b/2·‖y_i − y_j‖²), and y_i is sample i.
//
// Solution: the same as for [GPLVM], but A is optimised instead of X. The initial A is (K_b +
// 10⁻³I)⁻¹ times the principal components. A new point y is embedded as k_b(y)ᵀA without an
// optimisation, where k_b(y) holds the kernel values of y and the samples.
//
// Cost: the same as for GP-LVM, plus O(n²D) for K_b. The number of samples is at most 23,170.
//
// Defaults: as for GP-LVM. γ_b is 1 divided by the median of the squared distances between at most
// 10,000 random samples; the paper sets it by hand for each data set.
//
// Fails: in the same cases as [GPLVM]. Samples that are close in the data are close in latent
// space, so the model is poor if neighbours differ in class.
func BCGPLVM() *BCGPLVMBuilder { return newBCGPLVM(Spec{method: bcgplvm}) }

var bcgplvm = register(Method{
	Name: "BC-GP-LVM", Func: "BCGPLVM", Title: "back-constrained Gaussian process latent variable model", Paper: "Lawrence, Quiñonero-Candela 2006",
	Supervision: Unsupervised, Shape: Kernel, Uses: NoKnowledge, Descends: true,
	Params: list(latentOptions, backScaleOption),
	fit:    fitBCGPLVM,
})

func fitBCGPLVM(j *job) (*solution, error) {
	return fitLatent(j, func(p *prepared) (gp.Settings, error) {
		back, err := backKernel(j, p)
		return gp.Settings{Back: back}, err
	})
}
