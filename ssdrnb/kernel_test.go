package ssdrnb

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/kernels"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
)

// kernelJob is a running fit of TR-KSDA, for tests of the functions below.
func kernelJob(x *mat.Dense, options map[string]any) *job {
	labels := make([]int, x.RawMatrix().Rows)
	for i := range labels {
		labels[i] = i % 2
	}
	spec := New("TR-KSDA")
	for name, v := range options {
		spec = spec.With(name, v)
	}
	j := newJob(context.Background(), spec, NewData(x, labels), newCache())
	j.start()
	return j
}

func gaussian(n, features int) *mat.Dense {
	rng := rand.New(rand.NewPCG(3, uint64(n)))
	x := mat.NewDense(n, features, nil)
	for i := range n {
		for k := range features {
			x.Set(i, k, 3+rng.NormFloat64())
		}
	}
	return x
}

// The factor reproduces the kernel, at full rank and if duplicates or the linear kernel make it
// deficient; a truncated factor loses the share that it reports.
func TestKernelFactor(t *testing.T) {
	x := gaussian(80, 3)
	for i := range 20 {
		x.SetRow(60+i, x.RawRowView(i))
	}
	for name, c := range map[string]struct {
		options map[string]any
		rank    int
	}{
		"rbf":        {map[string]any{"scale": 0.3}, 60},
		"linear":     {map[string]any{"kernel": LinearKernel}, 3},
		"quadratic":  {map[string]any{"kernel": Polynomial}, 10}, // monomials of degree ≤ 2 in 3 variables
		"rbf capped": {map[string]any{"scale": 0.3, "rank": 7}, 7},
	} {
		j := kernelJob(x, c.options)
		k, err := kernelOf(j)
		if err != nil {
			t.Fatal(err)
		}
		_, centre := dense.Center(x)
		f, err := kernels.Factorise(j.ctx, k, centre, rankOption.of(j))
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Pivots) != c.rank {
			t.Errorf("%s: rank %d, want %d", name, len(f.Pivots), c.rank)
		}
		full, again := k.Matrix(centre, centre), mat.NewDense(80, 80, nil)
		again.Mul(f.F, f.F.T())
		lost := (mat.Trace(full) - mat.Trace(again)) / mat.Trace(full)
		if math.Abs(lost-f.Rest) > 1e-12 {
			t.Errorf("%s: %g of the trace is lost, the factor reports %g", name, lost, f.Rest)
		}
		if name != "rbf capped" && !mat.EqualApprox(full, again, 1e-9*mat.Max(full)) {
			t.Errorf("%s: F·Fᵀ is not K", name)
		}
		for a, p := range f.Pivots {
			for b := a + 1; b < len(f.Pivots); b++ {
				if f.F.At(p, b) != 0 {
					t.Fatalf("%s: the pivot block is not a triangle", name)
				}
			}
		}
	}
}

// matrix and pair compute the same numbers in two ways, also for near pairs far from the origin.
func TestKernelMatrix(t *testing.T) {
	x := gaussian(30, 4)
	x.Set(0, 0, 1e6)
	x.SetRow(1, x.RawRowView(0))
	x.Set(1, 1, x.At(1, 1)+1e-3)
	for _, k := range []kernels.Kernel{{Name: kernels.RBF, Scale: 1e-3, Degree: 2}, {Name: kernels.RBF, Scale: 2, Degree: 2}, {Name: kernels.Linear, Scale: -1, Degree: 2}, {Name: kernels.Polynomial, Scale: 5, Degree: 3}} {
		m := k.Matrix(x, x)
		for i := range 30 {
			for l := range 30 {
				want := k.Pair(x.RawRowView(i), x.RawRowView(l))
				if math.Abs(m.At(i, l)-want) > 1e-9*max(1, math.Abs(want)) {
					t.Fatalf("%v: K[%d][%d] = %v, want %v", k, i, l, m.At(i, l), want)
				}
			}
		}
	}
}

// The Gram matrix of the kernel's span equals the centred kernel, and its mapping takes the
// training samples to their own positions, at full and at low rank.
func TestKernelSpan(t *testing.T) {
	x := gaussian(50, 3)
	for _, rank := range []int{50, 9} {
		j := kernelJob(x, map[string]any{"rank": rank, "cut": 0.0, "scale": 1.0})
		s, err := kernelSpanOf(j)
		if err != nil {
			t.Fatal(err)
		}
		if rank == 50 {
			_, c := dense.Center(x)
			k := kernels.Kernel{Name: kernels.RBF, Scale: 1, Degree: 2}.Matrix(c, c)
			h := mat.NewDense(50, 50, nil)
			for i := range 50 {
				for l := range 50 {
					h.Set(i, l, -1.0/50)
				}
				h.Set(i, i, 1-1.0/50)
			}
			var want, got mat.Dense
			want.Product(h, k, h)
			got.Mul(s.z, s.z.T())
			if !mat.EqualApprox(&want, &got, 1e-10) {
				t.Error("the Gram matrix is not the centred kernel")
			}
		} else if len(j.report.Warnings) != 1 {
			t.Errorf("a capped rank should give a warning: %v", j.report.Warnings)
		}
		_, q := s.z.Dims()
		sol := s.solution(dense.Identity(q, 4), nil)
		y, err := sol.mapping.Apply(x)
		if err != nil || !mat.EqualApprox(y, sol.y, 1e-9) {
			t.Errorf("rank %d: the mapping moves the training samples: %v", rank, err)
		}
	}
}

// Meaningless kernel scales are refused or give a warning.
func TestKernelScale(t *testing.T) {
	for name, c := range map[string]struct {
		options map[string]any
		want    error
	}{
		"overflow":       {map[string]any{"kernel": Polynomial, "scale": 1e-30, "degree": 20}, ErrOption},
		"constant":       {map[string]any{"scale": 1e6}, ErrData},
		"constant too":   {map[string]any{"kernel": Polynomial, "scale": 1e6}, ErrData},
		"underflow of s": {map[string]any{"scale": 1e-200}, nil},
		"overflow of s":  {map[string]any{"scale": 1e200}, ErrData},
		"nothing left":   {map[string]any{"cut": 1.0}, ErrOption},
	} {
		j := kernelJob(gaussian(10, 2), c.options)
		_, err := kernelSpanOf(j)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: got %v", name, err)
		}
		if c.want == nil && len(j.report.Warnings) != 1 {
			t.Errorf("%s: warnings %v", name, j.report.Warnings)
		}
	}
	j := kernelJob(gaussian(10, 2), map[string]any{"kernel": LinearKernel})
	j.data.X.Scale(0, j.data.X)
	if _, err := kernelSpanOf(j); !errors.Is(err, ErrData) {
		t.Errorf("equal samples: %v", err)
	}
}

// A model file is refused if a part of the mapping is missing or has another shape.
func TestKernelDecode(t *testing.T) {
	j := kernelJob(gaussian(20, 3), nil)
	s, err := kernelSpanOf(j)
	if err != nil {
		t.Fatal(err)
	}
	_, q := s.z.Dims()
	sol := s.solution(dense.Identity(q, 2), nil)
	arrays := func() map[string]*mat.Dense {
		a := sol.mapping.Arrays()
		a["embedding"] = sol.y
		return a
	}
	if m, err := outofsample.DecodeKernelMap(arrays()); err != nil || m.Features() != 3 {
		t.Fatal(err)
	}
	for name := range arrays() {
		a := arrays()
		delete(a, name)
		if _, err := outofsample.DecodeKernelMap(a); err == nil {
			t.Errorf("without %s: no error", name)
		}
		a[name] = mat.NewDense(4, 7, nil)
		if _, err := outofsample.DecodeKernelMap(a); err == nil {
			t.Errorf("%s of another shape: no error", name)
		}
	}
	for at, v := range []float64{3, 0, 99} {
		a := arrays()
		a["kernel"] = mat.DenseCopyOf(a["kernel"])
		a["kernel"].Set(0, at, v)
		if _, err := outofsample.DecodeKernelMap(a); err == nil {
			t.Errorf("kernel[%d] = %v: no error", at, v)
		}
	}
}
