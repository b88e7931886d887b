package spectral_test

import (
	"testing"
	"time"
	"math/rand/v2"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
	"github.com/ssdrnb/ssdrnb/ssdrnb/spectral"
)

func TestTmpTR(t *testing.T) {
	for _, c := range []struct {
		n, d    int
		sparseA bool
	}{{500, 2, true}, {500, 2, false}, {500, 7, true}, {700, 3, false}, {20000, 2, false}, {20000, 2, true}} {
		a, b := pairProblem(t, c.n, c.sparseA)
		t0 := time.Now()
		opt := spectral.OperatorTraceRatioOptions{Null: spectral.Constant(c.n)}
		got, err := spectral.TraceRatioOf(ctx, a, b, c.d, opt)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		t.Log(c, time.Since(t0), len(got.History), got.History[0], got.Lambda, got.Gap, got.Values)
		ts := make([]sparse.Triplet, c.n)
		_ = ts
		_ = rand.N[int]
	}
}
