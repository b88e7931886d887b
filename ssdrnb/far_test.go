package ssdrnb_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// oneFar returns three groups, n samples in total; the first sample lies far away.
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

// TestLoneSampleIsPlaced fits SS-LTSA to a sample whose neighbourhood degenerates to a line. The
// report names the sample, and its advice works.
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

// TestCollapseBesideALoneSample fits every method to data with one distant sample. Each must give
// an embedding that resolves the others, or a warning that names the sample and whose advice works.
func TestCollapseBesideALoneSample(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	const n = 60
	for _, far := range []float64{1e6, 1e9} {
		x := mat.DenseCopyOf(oneFar(n, 0).X)
		x.SetRow(0, []float64{far, far, far, far, far})
		labelled := ssdrnb.NewData(x, oneFar(n, 0).Truth).KeepLabels(5)
		oneColumn := oneFar(n, far)
		for _, m := range ssdrnb.Methods() {
			for what, d := range map[string]*ssdrnb.Data{"raw": labelled, "standardised": labelled.Standardize(), "one column": oneColumn} {
				model, err := brief(m, 2, 5).Fit(d)
				if err != nil { // from NLDA and disconnected graphs
					continue
				}
				told := warnings(model, "lies so far away that all others occupy only")
				if shown := shownBeside(model.Embedding(), 1); shown < 1e-3 && (len(told) != 1 || !strings.Contains(told[0], "sample 0 lies") || !strings.Contains(told[0], "Data.Subset")) {
					t.Errorf("%s, %s, at %g: the others have %.2g of the width, warnings %q", m.Name, what, far, shown, model.Report().Warnings)
				} else if shown >= 1e-3 && told != nil {
					t.Errorf("%s, %s, at %g: the others have %.2g of the width, warnings %q", m.Name, what, far, shown, told)
				}
				if told == nil {
					continue
				}
				others := d.Subset(seq(n)[1:])
				if what == "standardised" {
					others = others.Unscaled().Standardize() // as advised: before scaling
				}
				if said := strings.Contains(told[0], "before scaling"); said != (what == "standardised") {
					t.Errorf("%s, %s: %q", m.Name, what, told)
				}
				model, err = brief(m, 2, 5).Fit(others)
				if err != nil || warnings(model, "so far away") != nil || warnings(model, "coincide") != nil {
					t.Errorf("%s, %s, without the sample: %v, warnings %q", m.Name, what, err, model.Report().Warnings)
				}
			}
		}
	}
}

// TestCollapseBesideFarSamples does the same with several distant samples, far from each other.
func TestCollapseBesideFarSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	const n = 60
	for _, far := range []int{2, 5, 12} {
		x := mat.DenseCopyOf(oneFar(n, 0).X)
		for i := range far {
			for j := range 5 {
				x.Set(i, j, 1e7*float64(i+1)*(1+0.1*float64(j)))
			}
		}
		d := ssdrnb.NewData(x, oneFar(n, 0).Truth).KeepLabels(8)
		for _, m := range ssdrnb.Methods() {
			model, err := brief(m, 2, 5).Fit(d)
			if err != nil { // as above
				continue
			}
			told := append(warnings(model, "so far away that all others occupy only"), warnings(model, "coincide")...)
			if shown := shownBeside(model.Embedding(), far); shown < 1e-3 && len(told) == 0 {
				t.Errorf("%s, %d far samples: the others have %.2g of the width, warnings %q", m.Name, far, shown, model.Report().Warnings)
			}
		}
	}
}

// shownBeside returns the largest coordinate range of the rows after the first ones, as a share of
// the largest coordinate range of all rows.
func shownBeside(y *mat.Dense, first int) float64 {
	_, dims := y.Dims()
	whole, rest := 0.0, 0.0
	for k := range dims {
		column := mat.Col(nil, k, y)
		others := column[first:]
		whole = max(whole, slices.Max(column)-slices.Min(column))
		rest = max(rest, slices.Max(others)-slices.Min(others))
	}
	return rest / whole
}

// The warning advises scaling if this resolves the structure within distant groups. If it does not,
// or the data are scaled already, fitting the groups separately does.
func TestCollapseOfGroupsFarApart(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	all, one := mat.NewDense(60, 3, nil), mat.NewDense(60, 3, nil)
	for i := range 60 {
		for j := range 3 {
			all.Set(i, j, 1e12*float64(i%2)+r.NormFloat64())
			one.Set(i, j, r.NormFloat64())
		}
		one.Set(i, 0, 1e12*float64(i%2))
	}
	for _, c := range []struct {
		d       *ssdrnb.Data
		says    string
		advised func(*ssdrnb.Data) *ssdrnb.Data
	}{
		{ssdrnb.NewData(one, nil), "standardise the features", (*ssdrnb.Data).Standardize},
		{ssdrnb.NewData(all, nil), "fit the groups of samples separately, with Data.Subset", func(d *ssdrnb.Data) *ssdrnb.Data { return d.Subset(every(60, 2)) }},
		{ssdrnb.NewData(all, nil).Standardize(), "fit the groups of samples separately, with Data.Subset", func(d *ssdrnb.Data) *ssdrnb.Data { return d.Subset(every(60, 2)).Unscaled() }},
	} {
		m, err := ssdrnb.PCA().Dims(1).Fit(c.d)
		if err != nil {
			t.Fatal(err)
		}
		if told := warnings(m, "coincide at 2 points"); len(told) != 1 || !strings.HasSuffix(told[0], "; "+c.says) {
			t.Errorf("warnings %q, want %q", m.Report().Warnings, c.says)
		}
		if m, err = ssdrnb.PCA().Dims(1).Fit(c.advised(c.d)); err != nil || warnings(m, "coincide") != nil {
			t.Errorf("after %q: %v, warnings %q", c.says, err, m.Report().Warnings)
		}
	}
}
