package ssdrnb_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// days returns slices of digits with names. Each slice shares three quarters of its samples with
// the slice before, in another order and with new noise. In the second slice the samples called
// changed show other digits than in the first; days returns their names.
func days(count, samples, changed int) (all []*ssdrnb.Data, movers []string) {
	digits := datasets.Digits()
	r := rand.New(rand.NewPCG(1, 1))
	for s := range count {
		rows, names := make([]int, samples), make([]string, samples)
		for i, k := range r.Perm(samples) {
			rows[i], names[i] = s*samples/4+k, fmt.Sprint("digit ", s*samples/4+k)
			if s == 1 && k < changed {
				rows[i] = 1700 + k
				movers = append(movers, names[i])
			}
		}
		d := digits.Subset(rows)
		x := mat.DenseCopyOf(d.X)
		for k := range x.RawMatrix().Data {
			x.RawMatrix().Data[k] += 0.3 * r.NormFloat64()
		}
		all = append(all, ssdrnb.NewData(x, d.Truth).WithAttribute("name", names))
	}
	return all, movers
}

// nearestClass returns the class of the sample nearest to sample i in an embedding.
func nearestClass(y *mat.Dense, truth []int, i int) int {
	class, best := -1, math.Inf(1)
	for j := range truth {
		if d := floats.Distance(y.RawRowView(i), y.RawRowView(j), 2); j != i && d < best {
			class, best = truth[j], d
		}
	}
	return class
}

// TestAlign checks that shared samples hardly move, that each aligned embedding keeps as many
// neighbours as a separate one, and that samples that have become another digit lie near samples of
// that digit.
func TestAlign(t *testing.T) {
	const n, changed = 400, 30
	all, movers := days(4, n, changed)
	pictures := func(hold float64) (a *ssdrnb.Alignment, kept float64) {
		a, err := ssdrnb.Align("name", all...).Hold(hold).Fit()
		if err != nil {
			t.Fatal(err)
		}
		for s, m := range a.Models {
			k, err := metrics.Kept(context.Background(), all[s].X, m.Embedding())
			if err != nil {
				t.Fatal(err)
			}
			kept += k.Share / 4
		}
		return a, kept
	}
	free, own := pictures(0)
	held, kept := pictures(0.1)
	for s := range 3 {
		if held.Shared[s] != n*3/4 || held.Moved[s] > 0.7*free.Moved[s] {
			t.Errorf("slice %d: %d shared, which move by %.3f, without hold %.3f", s, held.Shared[s], held.Moved[s], free.Moved[s])
		}
	}
	if kept < own-0.01 {
		t.Errorf("%.3f of the neighbours are kept, without hold %.3f", kept, own)
	}
	right := 0
	for i, name := range all[1].Attribute("name") {
		if slices.Contains(movers, name) && nearestClass(held.Models[1].Embedding(), all[1].Truth, i) == all[1].Truth[i] {
			right++
		}
	}
	if right < changed*9/10 {
		t.Errorf("%d of %d samples that have changed lie among their kind", right, changed)
	}
	if text := held.String(); !strings.Contains(text, "300 of them are in the next slice and move by 0.") {
		t.Errorf("%s", text)
	}
}

// TestAlignSame checks that the embedding does not depend on the number of processors, that equal
// slices coincide under full hold, and that a sample may be missing from a slice.
func TestAlignSame(t *testing.T) {
	all, _ := days(3, 120, 0)
	fit := func(hold float64, d ...*ssdrnb.Data) *ssdrnb.Alignment {
		a, err := ssdrnb.Align("name", d...).By(ssdrnb.UMAP().Iterations(100)).Hold(hold).Fit()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	before := runtime.GOMAXPROCS(1)
	one := fit(0.1, all...)
	runtime.GOMAXPROCS(4)
	four := fit(0.1, all...)
	runtime.GOMAXPROCS(before)
	for s := range all {
		if !mat.Equal(one.Models[s].Embedding(), four.Models[s].Embedding()) {
			t.Errorf("slice %d differs with the number of processors", s)
		}
	}
	if a := fit(1, all[0], all[0]); a.Moved[0] != 0 {
		t.Errorf("a slice beside itself moves by %v", a.Moved[0])
	}
	if a := fit(0.1, all[0], all[1].Subset([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}), all[0]); !mat.EqualApprox(a.Models[0].Embedding(), a.Models[2].Embedding(), 5) {
		t.Error("samples are not known again over a slice that lacks them")
	}
	rows, err := ssdrnb.Align("", all[0], all[0]).By(ssdrnb.UMAP().Iterations(50)).Fit()
	if err != nil || rows.Shared[0] != 120 {
		t.Errorf("by rows: %v", err)
	}
	for s := range all {
		started := slices.Clone(all)
		started[s] = all[s].WithStart(all[s].X.Slice(0, 120, 0, 2).(*mat.Dense))
		if _, err := ssdrnb.Align("name", started...).Fit(); !errors.Is(err, ssdrnb.ErrData) || !strings.Contains(err.Error(), fmt.Sprintf("slice %d", s+1)) {
			t.Errorf("initial positions of slice %d: %v", s+1, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ssdrnb.Align("name", all...).FitContext(ctx); !errors.Is(err, ssdrnb.ErrCancelled) {
		t.Errorf("cancelled: %v", err)
	}
}

// remediesOfAlign are the cases of aligned series.
func remediesOfAlign(t *testing.T) []advicetest.Case {
	t.Helper()
	short := ssdrnb.UMAP().Iterations(5)
	fit := func(b ssdrnb.AlignBuilder) error {
		_, err := b.Fit()
		return err
	}
	d := datasets.Iris().HideLabels()
	less := d.Subset([]int{0, 1, 2, 3, 4, 5, 60, 61, 62, 63, 64, 65, 120, 121, 122, 123})
	names, twice, empty := make([]string, d.Len()), make([]string, d.Len()), make([]string, d.Len())
	for i := range names {
		names[i], twice[i] = fmt.Sprint(i), fmt.Sprint(i/2)
		if i%2 == 0 {
			empty[i] = twice[i]
		}
	}
	named := d.WithAttribute("id", names)
	align := func(id string, slices ...*ssdrnb.Data) error { return fit(ssdrnb.Align(id, slices...).By(short)) }
	return []advicetest.Case{
		{"one slice", align("", d), "give two data sets or more", func() error { return align("", d, d) }},
		{"a hold of 2", fit(ssdrnb.Align("", d, d).By(short).Hold(2)), "give a share from 0 to 1", func() error { return fit(ssdrnb.Align("", d, d).By(short).Hold(1)) }},
		{"another method", fit(ssdrnb.Align("", d, d).By(ssdrnb.PCA())), "pass UMAP() with its options to By", func() error { return align("", d, d) }},
		{"a start by principal components", fit(ssdrnb.Align("", d, d).By(short.Start(ssdrnb.PrincipalStart))), "or set Start(RandomStart)", func() error {
			return errors.Join(align("", d, d), fit(ssdrnb.Align("", d, d).By(short.Start(ssdrnb.RandomStart))))
		}},
		{"initial positions", align("", d, d.WithStart(ssdrnb.PCA().MustFit(d).Embedding())), "remove them with Data.WithStart(nil)", func() error {
			return align("", d, d.WithStart(ssdrnb.PCA().MustFit(d).Embedding()).WithStart(nil))
		}},
		{"rows of other slices", align("", d, less), "name the samples with Data.WithAttribute, and give Align the name", func() error {
			return align("id", named, less.WithAttribute("id", names[:less.Len()]))
		}},
		{"no such attribute", align("id", named, d), "or add it with Data.WithAttribute", func() error { return align("id", named, d.WithAttribute("id", names)) }},
		{"a name twice", align("id", named, d.WithAttribute("id", twice)), "samples with an empty value are not matched", func() error {
			return errors.Join(align("id", named, named), align("id", named, d.WithAttribute("id", empty)))
		}},
	}
}
