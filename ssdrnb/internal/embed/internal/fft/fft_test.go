package fft

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

func random(n int) []Four {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]Four, n)
	for k := range x {
		for l := range x[k] {
			x[k][l] = rng.NormFloat64()
		}
	}
	return x
}

// A transform agrees with its defining sum.
func TestTransform(t *testing.T) {
	for n := 1; n <= 400; n++ {
		if Smooth(n) != n {
			continue
		}
		x := random(n)
		y := append([]Four(nil), x...)
		NewPlan(n).Transform(y)
		for l := range 4 {
			for j := range n {
				sum := complex128(0)
				for k := range n {
					sum += complex(x[k][l], x[k][l+4]) * cmplx.Rect(1, -2*math.Pi*float64(j*k%n)/float64(n))
				}
				if got := complex(y[j][l], y[j][l+4]); cmplx.Abs(got-sum) > 1e-11 {
					t.Fatalf("length %d, sequence %d: number %d is %v, not %v", n, l, j, got, sum)
				}
			}
		}
	}
}

// Both loops agree to the last digit.
func TestStages(t *testing.T) {
	if !fast {
		t.Skip("this processor has no AVX2")
	}
	for _, n := range []int{2, 3, 4, 5, 60, 128, 243, 625, 1152, 1200} {
		for _, s := range NewPlan(n).stages {
			x := random(n)
			y, want := make([]Four, n), make([]Four, n)
			s.run(x, y)
			s.runGo(x, want)
			for k := range y {
				if y[k] != want[k] {
					t.Fatalf("length %d, radix %d, stride %d: element %d is %v, not %v", n, s.radix, s.stride, k, y[k], want[k])
				}
			}
		}
	}
}

func BenchmarkTransform(b *testing.B) {
	x, p := random(1152), NewPlan(1152)
	for b.Loop() {
		p.Transform(x)
		for k := range x { // to keep numbers bounded
			for l := range x[k] {
				x[k][l] *= 1.0 / 34
			}
		}
	}
}

func BenchmarkStagesGo(b *testing.B) {
	x, p := random(1152), NewPlan(1152)
	y := make([]Four, 1152)
	for b.Loop() {
		for i := range p.stages {
			p.stages[i].runGo(x, y)
		}
	}
}
