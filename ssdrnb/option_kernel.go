package ssdrnb

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/kernels"
)

// Options of the kernel methods. The steps that use them are in step_kernel.go.

// KernelFunction is the kernel of a kernel method, or the covariance function of a Gaussian
// process.
type KernelFunction string

// Values of [KernelFunction].
const (
	// RBF is exp(−‖x−y‖²/s²), where s is the option "scale". In Gaussian processes it is the
	// covariance exp(−d²/2), where d is a scaled distance.
	RBF KernelFunction = kernels.RBF
	// LinearKernel is xᵀy. The kernel method then equals its linear version in the span of the
	// samples.
	LinearKernel KernelFunction = kernels.Linear
	// Polynomial is (1 + xᵀy/s²)^p, where s is the option "scale" and p the option "degree".
	Polynomial KernelFunction = kernels.Polynomial
	// Matern52 is the Matérn covariance of smoothness 5/2, for Gaussian processes only.
	Matern52 KernelFunction = KernelFunction(gp.Matern52)
	// Matern32 is the Matérn covariance of smoothness 3/2, for Gaussian processes only.
	Matern32 KernelFunction = KernelFunction(gp.Matern32)
)

// Kernel(name): New points are centred by the mean of the training samples.
var kernelOption = &choiceOption[KernelFunction]{choice{Name: "kernel", Setter: "Kernel", Default: RBF, Choices: choices(RBF, LinearKernel, Polynomial),
	Doc: "kernel of samples centred by their mean: exp(−‖x−y‖²/s²), xᵀy, or (1 + xᵀy/s²)^p"}}

// Scale(s): For very small s the RBF kernel is the identity matrix, and all samples are equally far
// apart.
var scaleOption = floatOption{Name: "scale", Setter: "Scale", Default: float64(Auto), Min: tiny, Max: huge, Log: true,
	Auto: "the median of all pairwise distances", Doc: "scale s of the kernel, in units of the data; the linear kernel has none"}

// Degree(p)
var degreeOption = intOption{Name: "degree", Setter: "Degree", Default: 2, Min: 1, Max: kernels.MaxDegree, Doc: "degree p of the polynomial kernel"}

var kernelOptions = list(kernelOption, scaleOption, degreeOption)

// Rank(r): For up to r samples the factor is exact. If the kernel matrix has a higher rank than r,
// the report warns, and gives the share of the kernel's trace that is lost.
var rankOption = intOption{Name: "rank", Setter: "Rank", Default: 1000, Min: 1, Max: 1 << 20,
	Doc: "greatest rank r of the approximation K ≈ RᵀR, a pivoted Cholesky factorisation; it takes O(nr²) time and O(nr) memory"}

// Cut(share): A kernel matrix of full rank has directions of tiny variance that separate any
// training samples, but mean nothing. A share of 0 keeps these directions and overfits.
var cutOption = floatOption{Name: "cut", Setter: "Cut", Default: 1e-3, Min: 0, Max: 1, Log: true,
	Doc: "share of the largest eigenvalue of the centred kernel; directions whose eigenvalue does not exceed it are dropped"}

var factorOptions = list(rankOption, cutOption)

// kernelRidgeOption is ridgeOption with the default of the kernel methods.
var kernelRidgeOption = ridgeOption.automatic("ridge scale·tr(K·L_w)/n").
	withDoc("ridge α ≥ 0 added to the diagonal of the denominator in the kernel's coordinates, in units of the kernel")
