package ssdrnb_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// oneFar returns three groups of n samples in all, of which the first lies far away.
func oneFar(n int, far float64) *ssdrnb.Data {
	r := rand.New(rand.NewPCG(1, 1))
	x, labels := mat.NewDense(n, 5, nil), make([]int, n)
	for i := range n {
		labels[i] = i % 3
		for j := range 5 {
			x.Set(i, j, r.NormFloat64()+3*float64(i%3))
		}
	}
	x.Set(0, 0, far)
	return ssdrnb.NewData(x, labels).KeepLabels(5)
}

// TestLoneSampleIsPlaced fits SS-LTSA to a sample whose neighbourhood is a line to it. The report
// names it, and its advice works.
func TestLoneSampleIsPlaced(t *testing.T) {
	for _, n := range []int{60, 300} {
		m, err := ssdrnb.SSLTSA().Fit(oneFar(n, 1e9))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(m.Report().Warnings, "\n"), "coordinates of sample 0, which were placed near the mean") {
			t.Errorf("%d samples: no warning names the sample: %v", n, m.Report().Warnings)
		}
		rest := make([]int, n-1)
		for k := range rest {
			rest[k] = k + 1
		}
		m, err = ssdrnb.SSLTSA().Fit(oneFar(n, 1e9).Subset(rest))
		if err != nil || strings.Contains(strings.Join(m.Report().Warnings, "\n"), "placed near the mean") {
			t.Errorf("%d samples without it: %v", n, err)
		}
	}
}

// TestCollapseBesideALoneSample asks for the warning that the rest of the samples coincide up
// to rounding: a lone sample makes the picture wide.
func TestCollapseBesideALoneSample(t *testing.T) {
	for _, n := range []int{60, 300} {
		m, err := ssdrnb.LMRAG().Fit(oneFar(n, 1e9))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(m.Report().Warnings, "\n"), "samples coincide at 2 points, although they differ") {
			t.Errorf("%d samples: %v", n, m.Report().Warnings)
		}
		m, err = ssdrnb.LMRAG().Fit(oneFar(n, 1e9).Standardize())
		if err != nil || strings.Contains(strings.Join(m.Report().Warnings, "\n"), "coincide") {
			t.Errorf("%d samples, standardised as the warning says: %v", n, err)
		}
	}
}
