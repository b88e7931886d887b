package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"

// BCGPLVM returns the builder of the back-constrained Gaussian process latent variable model. The
// report is as for [GPLVM], and has γ_b.
//
// Source: Lawrence, Quiñonero-Candela, "Local distance preservation in the GP-LVM
// through back constraints", ICML 2006.
//
// Objective: as for GP-LVM, over X = K_b·A with K_b,ij = exp(−γ_b/2·‖y_i − y_j‖²).
//
// Solution: as [GPLVM], over A, from (K_b + 10⁻³I)⁻¹ times the principal components. A new point
// is embedded as k_b(y)ᵀA, without an optimisation.
//
// Cost: as for GP-LVM, and O(n²D) for K_b.
//
// Defaults: as for GP-LVM; γ_b is 1 over the median of the squared distances, where
// the paper sets it by hand for each data set.
//
// Fails: in the same cases as [GPLVM]. Samples that are near in the data are near in latent
// space, which makes a poor model where classes are not local.
func BCGPLVM() *BCGPLVMBuilder { return newBCGPLVM(Spec{method: bcgplvm}) }

var bcgplvm = register(Method{
	Name: "BC-GP-LVM", Func: "BCGPLVM", Title: "back-constrained Gaussian process latent variable model", Paper: "Lawrence, Quiñonero-Candela 2006",
	Supervision: Unsupervised, Shape: Kernel, Uses: NoKnowledge, Descends: true,
	Params: list(latentOptions, backScaleOption),
	fit:    fitBCGPLVM,
})

func fitBCGPLVM(j *job) (*solution, error) {
	return fitLatent(j, func(p *prepared) (gp.Settings, error) {
		return gp.Settings{Back: backKernel(j, p)}, nil
	})
}
