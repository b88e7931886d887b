package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/internal/kernels"

// The options of the kernel methods. The steps behind them are in step_kernel.go.

// Values of the option "kernel".
const (
	// RBF is exp(−‖x−y‖²/s²), s being the option "scale".
	RBF = kernels.RBF
	// LinearKernel is xᵀy: the kernel method is then the linear one in the span of
	// the samples.
	LinearKernel = kernels.Linear
	// Polynomial is (1 + xᵀy/s²)^p, p being the option "degree".
	Polynomial = kernels.Polynomial
)

var kernelOption = choiceOption{Name: "kernel", Setter: "Kernel", Default: RBF, Choices: []string{RBF, LinearKernel, Polynomial},
	Doc: "kernel: exp(−‖x−y‖²/s²), xᵀy, or (1 + xᵀy/s²)^p, of samples centred by their mean"}

var scaleOption = floatOption{Name: "scale", Setter: "Scale", Default: float64(Auto), Min: tiny, Max: huge, Log: true,
	Auto: "the median of all pairwise distances", Doc: "scale s of the kernel, in units of the data; the linear kernel has none"}

var degreeOption = intOption{Name: "degree", Setter: "Degree", Default: 2, Min: 1, Max: kernels.MaxDegree, Doc: "degree p of the polynomial kernel"}

// kernelOptions describes the kernel itself.
var kernelOptions = list(kernelOption, scaleOption, degreeOption)

// kernelSetters gives a builder the options of its kernel.
type kernelSetters[Builder any] struct{ c *core[Builder] }

// Kernel sets the kernel: [RBF], [LinearKernel] or [Polynomial]. Samples are
// centred by the mean of the training samples before it is applied. The default is
// [RBF].
func (b *kernelSetters[Builder]) Kernel(name string) Builder { return set(b.c, kernelOption.to(name)) }

// Scale sets the scale s > 0 of the kernel, in units of the data. The default
// [Auto] takes the median of all pairwise distances. A small s makes the kernel
// the identity matrix, in which all samples are equally far apart.
func (b *kernelSetters[Builder]) Scale(s float64) Builder { return set(b.c, scaleOption.to(s)) }

// Degree sets the degree p ≥ 1 of the polynomial kernel; others have none. The
// default is 2.
func (b *kernelSetters[Builder]) Degree(p int) Builder { return set(b.c, degreeOption.to(p)) }

var rankOption = intOption{Name: "rank", Setter: "Rank", Default: 1000, Min: 1, Max: 1 << 20,
	Doc: "greatest rank r of the factor K ≈ RᵀR by pivoted Cholesky; time grows by n·r², memory by n·r"}

var cutOption = floatOption{Name: "cut", Setter: "Cut", Default: 1e-3, Min: 0, Max: 1, Log: true,
	Doc: "directions whose eigenvalue of the centred kernel is no more than this share of the largest are dropped"}

// factorOptions describes how the kernel matrix is factorised and cut.
var factorOptions = list(rankOption, cutOption)

// factorSetters gives a builder the options of the kernel's factor.
type factorSetters[Builder any] struct{ c *core[Builder] }

// Rank bounds the rank r ≥ 1 of the factor K ≈ RᵀR. Up to that many samples it
// is exact; beyond, the report warns with the share of the kernel's trace that
// was lost. The default is 1000.
func (b *factorSetters[Builder]) Rank(r int) Builder { return set(b.c, rankOption.to(r)) }

// Cut sets the relative eigenvalue, in [0, 1], of the centred kernel up to which
// directions are dropped. A kernel of full rank separates any training samples,
// and the directions of tiny variance by which it does so mean nothing: 0 keeps
// them and overfits. The default is 0.001.
func (b *factorSetters[Builder]) Cut(share float64) Builder { return set(b.c, cutOption.to(share)) }

// kernelRidgeOption is ridgeOption with the automatic value of the kernel methods.
var kernelRidgeOption = ridgeOption.automatic("ridge scale·tr(K·L_w)/n").
	as("ridge α ≥ 0 added to the diagonal of the denominator in the kernel's coordinates, in units of the kernel")
