package ssdrnb

import (
	"errors"
	"fmt"

	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/kernels"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Common steps of kernel methods: a kernel function, the factor F of its matrix K = F·Fᵀ, and the
// mapping of new points. F has one sample per row; R in the papers is Fᵀ.
//
// The kernel version of a linear method calls kernelSpanOf instead of spanOf. The matrix z of the
// span is then F, centred and rotated to its principal directions (kernel PCA). All other steps are
// unchanged.
//
// A method that needs few entries of K calls kernelOf and Kernel.Pair. Examples are KS2LAE, which
// weights the selected pairs by K_ij, and KS2LLE, which uses the local Gram matrix K_ii − K_ir −
// K_ji + K_jr of a few neighbours. These methods search for neighbours by the kernel distance
// K_ii + K_jj − 2K_ij, see kernelNearest.

// kernelOf returns the kernel set by the options. It does not read options that this kernel does
// not use. The degree of kernels other than the polynomial kernel is 1, the smallest degree in a
// saved model.
func kernelOf(j *job) (kernels.Kernel, error) {
	k := kernels.Kernel{Name: string(kernelOption.of(j)), Degree: 1}
	if k.Name == kernels.Polynomial {
		k.Degree = degreeOption.of(j)
	}
	if k.Name == kernels.Linear {
		return k, nil
	}
	if k.Scale = scaleOption.of(j); scaleOption.auto(j) {
		half, err := graph.HalfMedian(j.ctx, j.x(), graph.Euclidean)
		if errors.Is(err, graph.ErrCoincide) {
			err = j.fault("data", nil, fmt.Errorf("%w: all %d samples are equal", ErrData, j.data.Len()), "give samples that differ")
		}
		if err != nil {
			return k, err
		}
		k.Scale = 2 * half
		j.fact("s", k.Scale)
	}
	return k, nil
}

// kernelSpan holds the fields of a span that only kernel methods use.
type kernelSpan struct {
	kernel kernels.Kernel
	factor *kernels.Factor // F before centring, with all columns; for the traces tr(K·L)
	mean   []float64       // mean of the samples, of length D
	pivots *mat.Dense      // centred pivot samples, r×D
	middle []float64       // mean row of F
	basis  *mat.Dense      // principal directions of the centred F, r×q
}

// kernelAxes is the result of kernel PCA. Its basis has all principal directions; kernelSpanStep
// keeps the first of them.
type kernelAxes struct {
	kernelSpan
	values []float64  // eigenvalues of the centred kernel, descending
	z      *mat.Dense // the centred F in the coordinates of the basis
}

// axesStep factorises the kernel matrix and rotates the centred factor to its principal
// directions.
type axesStep struct {
	kernel kernels.Kernel
	rank   int
}

func (s axesStep) run(w *work) (*kernelAxes, error) {
	k := s.kernel
	mean, x := dense.Center(w.x())
	f, err := kernels.Factorise(w.ctx, k, x, s.rank)
	if err != nil {
		return nil, kernelFault(w, err)
	}
	if w.fact("kernel rank", float64(len(f.Pivots))); len(f.Pivots) == s.rank && f.Rest > kernels.PivotTolerance {
		w.warn("the kernel was approximated at rank %d, which misses a share of %.2g of its trace; raise Rank to miss less", len(f.Pivots), f.Rest)
	}
	middle, c := dense.Center(f.F)
	values, basis, err := dense.Principal(c)
	if err != nil {
		return nil, err
	}
	// The variance of the kernel must be far above the error of the factorisation.
	if share := floats.Sum(values) / f.Total; !(share > 1e3*kernels.PivotTolerance) {
		return nil, w.refuse(fmt.Errorf("%w: the kernel is nearly constant: its variance is %.1g of its trace", ErrData, share), "lower Scale, or check the samples")
	}
	axes := &kernelAxes{values: values, z: new(mat.Dense), kernelSpan: kernelSpan{
		kernel: k, factor: f, mean: mean, middle: middle, basis: basis,
		pivots: samples.Pick(x, f.Pivots),
	}}
	axes.z.Mul(c, basis)
	return axes, nil
}

// kernelFault adds the sentinel and the remedy to an error of kernels.Factorise.
func kernelFault(w *work, err error) error {
	switch {
	case errors.Is(err, kernels.ErrOverflow):
		return w.refuse(fmt.Errorf("%w: %w", ErrOption, err), "raise Scale or lower Degree")
	case errors.Is(err, kernels.ErrVanishes):
		return w.refuse(fmt.Errorf("%w: %w", ErrData, err), "choose another kernel or scale")
	}
	return err
}

// kernelSpanOf starts the fit of a kernel method. It returns the samples in the principal
// directions of the kernel.
func kernelSpanOf(j *job) (*span, error) {
	if err := j.begin("span"); err != nil {
		return nil, err
	}
	k, err := kernelOf(j)
	if err != nil {
		return nil, err
	}
	axes, err := shared(j.work, axesStep{k, rankOption.of(j)})
	if err != nil {
		return nil, err
	}
	return shared(j.work, kernelSpanStep{axes, cutOption.of(j)})
}

// kernelSpanStep keeps the directions whose eigenvalue is above a given share of the largest
// eigenvalue.
type kernelSpanStep struct {
	axes *kernelAxes
	cut  float64
}

func (k kernelSpanStep) run(w *work) (*span, error) {
	axes, values := k.axes, k.axes.values
	const rounding = 1e-12
	q, floor := 0, values[0]*max(k.cut, rounding)
	for q < len(values) && values[q] > floor {
		q++
	}
	if q == 0 {
		return nil, &Error{Method: w.method, Param: cutOption.Name, Value: k.cut, Err: fmt.Errorf("%w: no direction of the kernel has an eigenvalue above this share of the largest", ErrOption), Remedy: "lower Cut"}
	}
	n, _ := axes.z.Dims()
	if q == n-1 && q > 2 && values[q-1] > (1-1e-6)*values[0] {
		w.warn("the kernel is nearly the identity: all samples are equally far apart; raise Scale")
	}
	w.fact("kernel directions", float64(q))
	kept := axes.kernelSpan
	r, _ := kept.basis.Dims()
	kept.basis = mat.DenseCopyOf(kept.basis.Slice(0, r, 0, q))
	s := &span{z: mat.DenseCopyOf(axes.z.Slice(0, n, 0, q)), kernel: &kept, whole: q == len(values) || values[q] <= values[0]*rounding}
	for _, v := range values[:q] {
		s.variance = append(s.variance, v/float64(n))
	}
	return s, nil
}

// mapping converts the projection v (q×d) in the span to the mapping of new points. The row of F
// for a new point x is F_P⁻¹·k(P, x), where P are the pivot samples and F_P is their triangular
// factor. The rows of the training samples satisfy the same equation. The mapping therefore takes
// the training samples to their embedding, even if the factor approximates K at a low rank.
func (s *kernelSpan) mapping(v *mat.Dense) *outofsample.KernelMap {
	r, _ := s.basis.Dims()
	_, d := v.Dims()
	c := mat.NewDense(r, d, nil)
	c.Mul(s.basis, v)
	offset := make([]float64, d)
	for k := range offset {
		for i, m := range s.middle {
			offset[k] += m * c.At(i, k)
		}
	}
	triangle := mat.NewTriDense(r, mat.Lower, nil)
	for i, p := range s.factor.Pivots {
		for k, v := range s.factor.F.RawRowView(p)[:i+1] {
			triangle.SetTri(i, k, v)
		}
	}
	blas64.Trsm(gonumblas.Left, gonumblas.Trans, 1, triangle.RawTriangular(), c.RawMatrix())
	return &outofsample.KernelMap{Kernel: s.kernel, Mean: s.mean, Pivots: s.pivots, Coefficients: c, Offset: offset}
}
