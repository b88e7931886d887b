package gp

import (
	"fmt"
	"testing"
)

// BenchmarkExact times one evaluation with its gradient.
func BenchmarkExact(b *testing.B) {
	for _, size := range [][2]int{{150, 4}, {300, 256}, {1000, 256}} {
		b.Run(fmt.Sprintf("%d×%d", size[0], size[1]), func(b *testing.B) {
			e, err := NewExact(random(size[0], size[1], 1), RBF, 1e-6)
			if err != nil {
				b.Fatal(err)
			}
			x := random(size[0], 2, 2)
			for b.Loop() {
				e.LogLikelihood(x, Theta{})
				e.Gradient()
			}
		})
	}
}
