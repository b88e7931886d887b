package blas

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// slow lists the benchmarks that take gonum's own code more than ten seconds.
var slow = map[string]bool{"svd1500x1024": true, "eigen2048": true, "product2048": true}

// BenchmarkEngine times the operations that dominate the methods' running time, for each engine;
// bench/compare.py compares them with NumPy and SciPy.
func BenchmarkEngine(b *testing.B) {
	rng := rand.New(rand.NewPCG(8, 8))
	dense := func(m, n int) func() *mat.Dense {
		var d *mat.Dense
		return func() *mat.Dense {
			if d == nil {
				d = mat.NewDense(m, n, filled(rng, m*n))
			}
			return d
		}
	}
	sym := func(n int) func() *mat.SymDense {
		var s *mat.SymDense
		return func() *mat.SymDense {
			if s == nil {
				s = mat.NewSymDense(n, filled(rng, n*n))
			}
			return s
		}
	}
	a1024, a2048, x784, x1500, a1500 := dense(1024, 1024), dense(2048, 2048), dense(10000, 784), dense(1500, 784), dense(1500, 1024)
	s512, s1024, s2048 := sym(512), sym(1024), sym(2048)
	var spd *mat.SymDense
	spd1500 := func() *mat.SymDense {
		if spd == nil {
			spd = mat.NewSymDense(1500, nil)
			spd.SymOuterK(1, mat.NewDense(1500, 1600, filled(rng, 1500*1600)))
		}
		return spd
	}
	product := func(a func() *mat.Dense) func(c *mat.Dense) error {
		return func(c *mat.Dense) error {
			c.Mul(a(), a())
			return nil
		}
	}
	eigen := func(s func() *mat.SymDense) func(*mat.Dense) error {
		return func(*mat.Dense) error {
			_, _, err := EigenSym(s())
			return err
		}
	}
	operations := []struct {
		name string
		run  func(c *mat.Dense) error
	}{
		{"product1024", product(a1024)},
		{"product2048", product(a2048)},
		{"syrk784of10000", func(*mat.Dense) error {
			mat.NewSymDense(784, nil).SymOuterK(1, x784().T())
			return nil
		}},
		{"syrk+eigen784of1500", func(*mat.Dense) error {
			s := mat.NewSymDense(784, nil)
			s.SymOuterK(1, x1500().T())
			_, _, err := EigenSym(s)
			return err
		}},
		{"cholesky1500", func(*mat.Dense) error {
			var c mat.Cholesky
			if !c.Factorize(spd1500()) {
				return fmt.Errorf("not positive definite")
			}
			return nil
		}},
		{"eigen512", eigen(s512)},
		{"eigen1024", eigen(s1024)},
		{"eigen2048", eigen(s2048)},
		{"top50of1024", func(*mat.Dense) error {
			_, _, err := EigenSymRange(s1024(), 974, 1024)
			return err
		}},
		{"svd1500x1024", func(*mat.Dense) error {
			_, _, _, err := SVDThin(a1500())
			return err
		}},
	}
	was := Name()
	defer func() { _ = Use(was) }()
	for _, name := range []string{OpenBLAS, AVX2, Gonum} {
		if err := Use(name); err != nil {
			b.Logf("not timed: %v", err)
			continue
		}
		for _, op := range operations {
			if name == Gonum && slow[op.name] {
				continue
			}
			b.Run(name+"/"+op.name, func(b *testing.B) {
				var c mat.Dense
				if err := op.run(&c); err != nil { // warm up
					b.Fatal(err)
				}
				for b.Loop() {
					if err := op.run(&c); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
