package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func random(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

func differ(a, b []float64) (int, bool) {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-12*(1+math.Abs(b[i])) {
			return i, true
		}
	}
	return 0, false
}

// TestAgainstGo compares every loop with plain Go, for lengths around its unrolling, and checks
// that it writes only its output.
func TestAgainstGo(t *testing.T) {
	if !Fast {
		t.Skip("this processor has no AVX2 and FMA: there is only one implementation")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		lda := n + rng.IntN(5)
		a, x, y := random(rng, 4*lda+4), random(rng, n), random(rng, n+3)
		s := (*[4]float64)(random(rng, 4))
		t0 := (*[4]float64)(random(rng, 4))
		t1, t2 := *t0, *t0
		y1, y2 := append([]float64(nil), y...), append([]float64(nil), y...)
		SymV(a, lda, x, y1, s, &t1)
		symvGo(a, lda, x, y2, s, &t2)
		if i, bad := differ(y1, y2); bad {
			t.Errorf("n = %d: SymV's y[%d] is %g, want %g", n, i, y1[i], y2[i])
		}
		if i, bad := differ(t1[:], t2[:]); bad {
			t.Errorf("n = %d: SymV's t[%d] is %g, want %g", n, i, t1[i], t2[i])
		}
		t1 = *t0
		Dot4(a, lda, x, &t1)
		if i, bad := differ(t1[:], t2[:]); bad {
			t.Errorf("n = %d: Dot4's t[%d] is %g, want %g", n, i, t1[i], t2[i])
		}
		copy(y1, y)
		Axpy4(s, a, lda, y1[:n])
		if i, bad := differ(y1, y2); bad {
			t.Errorf("n = %d: Axpy4's y[%d] is %g, want %g", n, i, y1[i], y2[i])
		}
		copy(y1, y)
		copy(y2, y)
		Axpy(s[0], x, y1)
		axpyGo(s[0], x, y2[:n])
		if i, bad := differ(y1, y2); bad {
			t.Errorf("n = %d: Axpy's y[%d] is %g, want %g", n, i, y1[i], y2[i])
		}
		got, want := Dot(x, y), dotGo(x, y)
		if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
			t.Errorf("n = %d: Dot is %g, want %g", n, got, want)
		}
	}
}

// TestTall compares the loops on k×4 matrices with sums computed one by one.
func TestTall(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for k := range 12 {
		lda, ldb := 4+rng.IntN(4), 4+rng.IntN(4)
		a, b := random(rng, k*lda+4), random(rng, k*ldb+4)
		c := [16]float64(random(rng, 16))
		got, want := c, c
		expanded, sums := append([]float64(nil), b...), append([]float64(nil), b...)
		for i := range k {
			for r := range 4 {
				for j := range 4 {
					want[4*r+j] += a[i*lda+r] * b[i*ldb+j]
					sums[i*ldb+j] += a[i*lda+r] * c[4*r+j]
				}
			}
		}
		Cross(k, a, lda, b, ldb, &got)
		if i, bad := differ(got[:], want[:]); bad {
			t.Errorf("k = %d: Cross gives %g at %d, want %g", k, got[i], i, want[i])
		}
		Expand(k, a, lda, &c, expanded, ldb)
		if i, bad := differ(expanded, sums); bad {
			t.Errorf("k = %d: Expand gives %g at %d, want %g", k, expanded[i], i, sums[i])
		}
	}
}

func TestGEMM(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for k := range 30 {
		ldc := NR + rng.IntN(4)
		a, b, c := random(rng, MR*k), random(rng, NR*k), random(rng, MR*ldc)
		for _, add := range []bool{false, true} {
			want := append([]float64(nil), c...)
			for r := range MR {
				for j := range NR {
					s := 0.0
					if add {
						s = c[r*ldc+j]
					}
					for p := range k {
						s += a[MR*p+r] * b[NR*p+j]
					}
					want[r*ldc+j] = s
				}
			}
			got := append([]float64(nil), c...)
			GEMM(k, a, b, got, ldc, add)
			if i, bad := differ(got, want); bad {
				t.Errorf("k = %d, add = %v: c[%d] is %g, want %g", k, add, i, got[i], want[i])
			}
			if k > 0 {
				got = append(got[:0], c...)
				gemmGo(k, a, b, got, ldc, add)
				if i, bad := differ(got, want); bad {
					t.Errorf("k = %d, add = %v: in Go c[%d] is %g, want %g", k, add, i, got[i], want[i])
				}
			}
		}
	}
}

func BenchmarkGEMM(b *testing.B) {
	const k = 256
	a, bb, c := make([]float64, MR*k), make([]float64, NR*k), make([]float64, MR*NR)
	for b.Loop() {
		GEMM(k, a, bb, c, NR, true)
	}
	b.ReportMetric(2*MR*NR*k*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
