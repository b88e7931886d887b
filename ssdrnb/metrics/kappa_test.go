package metrics

import (
	"errors"
	"math"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
)

func TestGoldenAgreement(t *testing.T) {
	type reference struct {
		Input     struct{ Before, After []int }
		Output    struct{ Kappa float64 }
		Tolerance struct{ Rel float64 }
	}
	golden.Each(t, "know_agreement*", func(t *testing.T, g *reference) {
		got, err := CohenKappa(g.Input.Before, g.Input.After)
		if err != nil || !(math.Abs(got-g.Output.Kappa) <= g.Tolerance.Rel*math.Abs(g.Output.Kappa)) {
			t.Errorf("κ is %v (%v), want %v", got, err, g.Output.Kappa)
		}
	})
}

func TestCohenKappa(t *testing.T) {
	for _, c := range []struct {
		a, b []int
		want float64
	}{
		{[]int{0, 1, 0, 1}, []int{0, 1, 0, 1}, 1},
		{[]int{0, 1, 0, 1}, []int{1, 0, 1, 0}, -1},
		{[]int{0, 0, 1, 1}, []int{0, 1, 0, 1}, 0},
		{[]int{-1, -1}, []int{-1, -1}, 1},
	} {
		if got, err := CohenKappa(c.a, c.b); err != nil || math.Abs(got-c.want) > 1e-15 {
			t.Errorf("κ of %v and %v is %v (%v), want %v", c.a, c.b, got, err, c.want)
		}
	}
	for _, c := range [][2][]int{{{0}, {0, 1}}, {nil, nil}} {
		if _, err := CohenKappa(c[0], c[1]); !errors.Is(err, ErrShape) {
			t.Errorf("%v: %v", c, err)
		}
	}
}
