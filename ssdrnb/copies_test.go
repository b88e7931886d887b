package ssdrnb_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Tables of categories and yes/no answers have many copies of few rows.

// surveyed returns 24 copies of each of nine rows of four features, in three classes that do not
// follow the rows exactly, and 20 labels and some pairs per class. It leaves only four copies of
// each of the first few rows.
func surveyed(few int) *data.Data {
	rng := rand.New(rand.NewPCG(1, 1))
	var rows, labels []int
	for k := range 9 {
		copies := 24
		if k < few {
			copies = 4
		}
		for range copies {
			rows = append(rows, k)
		}
	}
	rng.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
	values := mat.NewDense(9, 4, nil)
	for k := range 9 {
		for f := range 4 {
			values.Set(k, f, 1e3+rng.NormFloat64())
		}
	}
	x := mat.NewDense(len(rows), 4, nil)
	for i, k := range rows {
		x.SetRow(i, values.RawRowView(k))
		label := k / 3
		if rng.IntN(5) == 0 {
			label = rng.IntN(3)
		}
		labels = append(labels, label)
	}
	var pairs data.Pairs
	for i := range 30 {
		for j := i + 1; j < 30; j++ {
			switch {
			case (7*i+j)%11 > 0:
			case labels[i] == labels[j]:
				pairs.Must = append(pairs.Must, data.Pair{I: i, J: j})
			default:
				pairs.Cannot = append(pairs.Cannot, data.Pair{I: i, J: j})
			}
		}
	}
	return data.New(x, labels).KeepLabels(20).Seed(1).WithPairs(pairs)
}

// reordered returns d with its rows in another order, and a function that puts the rows of an
// embedding back.
func reordered(d *data.Data) (*data.Data, func(y *mat.Dense) *mat.Dense) {
	order := rand.New(rand.NewPCG(1, 2)).Perm(d.Len())
	return d.Subset(order), func(y *mat.Dense) *mat.Dense {
		back := mat.DenseCopyOf(y)
		for k, i := range order {
			back.SetRow(i, y.RawRowView(k))
		}
		return back
	}
}

// If all samples coincide with their neighbours, the manifold term is 0, and not amplified rounding
// errors: the result is that without a manifold term, in any order of the rows and in any basis.
func TestManifoldOfCopies(t *testing.T) {
	for name, d := range map[string]*data.Data{
		"rows":   surveyed(0),
		"scaled": applied(surveyed(0), func(_, j int, v float64) float64 { return v * math.Pow(10, float64(j)) / 3 }),
		"many features": func() *data.Data { // more features than different rows
			d := surveyed(0)
			x := mat.NewDense(d.Len(), 40, nil)
			for i := range d.Len() {
				for j := range 40 {
					x.Set(i, j, d.X.At(i, j%4)+math.Sin(float64(j)*d.X.At(i, (j/4)%4)))
				}
			}
			return ugly(d, x)
		}(),
	} {
		mixed, back := reordered(d)
		for _, m := range ssdrnb.Methods() {
			if _, ok := m.Param("manifold"); !ok || m.Func == "SSDA" { // SSDA compares samples with classes
				continue
			}
			for _, balance := range []ssdrnb.Balance{ssdrnb.Relative, ssdrnb.Absolute, "as printed"} {
				what := fmt.Sprintf("%s of %s, balance %s", m.Name, name, balance)
				s := ssdrnb.New(m.Name).With("balance", balance)
				without, err := s.With("manifold", 0.0).Fit(d)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				got, err := s.Fit(d)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				if !mat.Equal(got.Embedding(), without.Embedding()) {
					t.Errorf("%s: the result differs from that without a manifold term", what)
				}
				if weight, ok := got.Report().Fact("λ_m"); ok {
					t.Errorf("%s: λ_m = %g", what, weight)
				}
				if len(warnings(got, "all samples coincide with their neighbours: the manifold term is 0")) != 1 || len(warnings(without, "coincide")) > 0 {
					t.Errorf("%s: warnings %q, without the term %q", what, got.Report().Warnings, without.Report().Warnings)
				}
				other, err := s.Fit(mixed)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				sameShape(t, what+" in another order", got.Embedding(), back(other.Embedding()))
			}
		}
	}
}

// On data with many copies, every method has the same result in any order of the rows, or an error
// or a warning.
func TestOrderOfCopies(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := surveyed(0)
	mixed, back := reordered(d)
	for _, m := range ssdrnb.Methods() {
		if m.Descends || m.Random {
			continue
		}
		for _, linearized := range []bool{false, true} {
			s := ssdrnb.New(m.Name)
			if _, ok := m.Param("linearized"); ok {
				s = s.With("linearized", linearized)
			} else if linearized {
				continue
			}
			a, err := s.Fit(d)
			b, otherErr := s.Fit(mixed)
			switch {
			case err != nil || otherErr != nil:
				if fmt.Sprint(err) != fmt.Sprint(otherErr) {
					t.Errorf("%v: %v, in another order %v", s, err, otherErr)
				}
				continue
			case a.Dims() != b.Dims():
				t.Errorf("%v: %d dimensions, in another order %d", s, a.Dims(), b.Dims())
				continue
			}
			x, y := distances(a.Embedding()), distances(back(b.Embedding()))
			told := slices.ContainsFunc([]string{"depends on the order of the rows", "depend on the order of the rows", "components", "not unique", "is arbitrary"}, func(part string) bool {
				return len(warnings(a, part)) > 0 && len(warnings(b, part)) > 0
			})
			if !told && !mat.EqualApprox(x, y, 1e-6*mat.Max(x)) {
				t.Errorf("%v: distances in the embedding changed, warnings %q", s, a.Report().Warnings)
			}
		}
	}
}

// Criteria that compare only copies do not have directions: a warning or an error tells this.
func TestCriterionOfCopies(t *testing.T) {
	d := surveyed(0)
	m := ssdrnb.LPP().MustFit(d)
	if len(warnings(m, "all samples coincide with their neighbours, so that all directions minimise the objective equally well")) != 1 {
		t.Errorf("LPP: warnings %q", m.Report().Warnings)
	}
	d = d.WithLabels(labelsBy(d.Len(), 2))
	for _, s := range []ssdrnb.Estimator{ssdrnb.DLA(), ssdrnb.ANMM().Homogeneous(3).Heterogeneous(3), ssdrnb.SDLA()} {
		m, err := s.Spec().Fit(d)
		if err != nil || len(warnings(m, "the criterion is 0 in all directions")) != 1 {
			t.Errorf("%v: %v, warnings %q", s.Spec(), err, m.Report().Warnings)
		}
	}
	if _, err := ssdrnb.MFA().Heterogeneous(2).Fit(d); err == nil {
		t.Error("MFA: no error")
	}
}

// If the options give all neighbours the weight 0, the warning does not mention copies.
func TestCriterionWithoutWeights(t *testing.T) {
	d := blobs(5, 3)
	first := d.KeepLabels(1) // no neighbours of the same class
	for _, c := range []struct {
		e ssdrnb.Estimator
		d *data.Data
	}{{ssdrnb.DLA().Radius(1e-6).Delta(0), d}, {ssdrnb.DLA().Radius(1).Decay(1e-5), d}, {ssdrnb.DLA().Beta(0), first}, {ssdrnb.SDLA().Beta(0).PatchWeight(0), first}, {ssdrnb.SRDA().Gamma(1), first}} {
		m := mustFit(t, c.e.Spec(), c.d)
		if len(warnings(m, "the weights of all neighbours are 0, so the criterion is 0 in all directions")) != 1 || len(warnings(m, "coincide")) > 0 {
			t.Errorf("%v: warnings %q", m.Spec(), m.Report().Warnings)
		}
	}
}

// Where more samples are equal than a neighbourhood has, the tangent is 0, wherever the samples
// lie: they do not become a coordinate of their own.
func TestTangentOfCopies(t *testing.T) {
	const n, copies = 200, 20
	rng := rand.New(rand.NewPCG(4, 1))
	sheet := mat.NewDense(n, 3, nil)
	for i := range n {
		a, b := rng.Float64(), rng.Float64()
		if i < copies {
			a, b = 0.5, 0.5
		}
		sheet.SetRow(i, []float64{math.Sin(3*a) - math.Sin(1.5), math.Cos(3*a) - math.Cos(1.5), b - 0.5})
	}
	rows := []int{25, 60, 90, 120, 150, 180}
	known := samples.Pick(sheet, rows)
	for _, s := range []ssdrnb.Spec{ssdrnb.LTSA().Spec(), ssdrnb.LTSA().IncludeSelf(false).Spec(), ssdrnb.SSLTSA().Spec(), ssdrnb.SSLTSA().Confidence(1).Spec()} {
		var want *mat.Dense
		for _, shift := range []float64{0, 0.3, 1.7} {
			x := mat.DenseCopyOf(sheet)
			x.Apply(func(_, j int, v float64) float64 { return v + shift*float64(j+1) }, x)
			y := mustFit(t, s, data.New(x, nil).WithAnchors(rows, known.Slice(0, len(rows), 0, 2).(*mat.Dense))).Embedding()
			if want == nil {
				want = y
			}
			sameShape(t, fmt.Sprintf("%v, shifted by %g", s, shift), y, want)
		}
	}
}
