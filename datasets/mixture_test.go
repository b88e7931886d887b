package datasets_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

func TestMixture(t *testing.T) {
	d := datasets.Mixture(3000, 30, 1)
	if d.Err() != nil || d.Len() != 3000 || d.Dim() != 30 || len(d.Classes()) != 100 || d.NumLabelled() != 3000 {
		t.Fatalf("%v", d)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(7))
	longer := datasets.Mixture(3001, 30, 1)
	if !mat.Equal(d.X, longer.X.Slice(0, 3000, 0, 30)) || !slices.Equal(d.Labels, longer.Labels[:3000]) {
		t.Error("more samples, or processors, change the first ones")
	}
	if other := datasets.Mixture(3000, 30, 2); mat.Equal(d.X, other.X) {
		t.Error("the seed does not matter")
	}
	// Most samples are nearer to their own group's mean than to others, so the groups are clusters.
	means, count := mat.NewDense(100, 30, nil), make([]float64, 100)
	for i, l := range d.Labels {
		count[l]++
		for j, v := range d.X.RawRowView(i) {
			means.Set(l, j, means.At(l, j)+v)
		}
	}
	right := 0
	for i, l := range d.Labels {
		best, nearest := -1, math.Inf(1)
		for c, n := range count {
			s := 0.0
			for j, v := range d.X.RawRowView(i) {
				s += (v - means.At(c, j)/n) * (v - means.At(c, j)/n)
			}
			if s < nearest {
				best, nearest = c, s
			}
		}
		if best == l {
			right++
		}
	}
	if right < 2700 {
		t.Errorf("%d of 3,000 samples are nearest to their own group", right)
	}
	for _, bad := range []*data.Data{datasets.Mixture(0, 3, 1), datasets.Mixture(5, 0, 1), datasets.Mixture(-1, -1, 1)} {
		if !errors.Is(bad.Err(), data.ErrOption) {
			t.Errorf("bad sizes give %v", bad.Err())
		}
	}
}
