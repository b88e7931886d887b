package data_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// measured has features of very different units, the last of them constant.
func measured() *data.Data {
	return data.New(mat.NewDense(5, 4, []float64{
		5.1, 50123.25, 0.001, 7,
		4.9, 49871, 0.0032, 7,
		6.3, 1e5, -0.25, 7,
		5.8, 12.5, 0.1, 7,
		7, 23000, 1e-9, 7,
	}), []int{0, 0, 1, 1, 1})
}

// A feature is constant if its values are equal, although their computed mean may differ in the
// last digit. New rows then become 0 as well.
func TestConstantFeature(t *testing.T) {
	for _, n := range []int{1, 3, 10, 30, 49} {
		for _, constant := range []float64{0.1, -0.7, 1e-300, 1e300, 3} {
			x := mat.NewDense(n, 2, nil)
			for i := range n {
				x.SetRow(i, []float64{constant, float64(i)})
			}
			for name, s := range map[string]data.Scaling{"Standardize": data.New(x, nil).LearnStandardize(), "Scale01": data.New(x, nil).LearnScale01()} {
				center, scale, ok := s.Affine()
				if !ok || center[0] != constant || scale[0] != 0 {
					t.Errorf("%s of %d × %v: center %v, scale %v", name, n, constant, center, scale)
				}
				fresh := data.New(mat.NewDense(1, 2, []float64{constant + 1, 0}), nil).Scaled(s)
				if trained := data.New(x, nil).Scaled(s); trained.X.At(n-1, 0) != 0 || fresh.X.At(0, 0) != 0 {
					t.Errorf("%s of %d × %v: got %v, a new row %v", name, n, constant, trained.X.At(n-1, 0), fresh.X.At(0, 0))
				}
			}
		}
	}
}

// Scaled features do not depend on the unit of the features, however large or small it is.
func TestScalingInAnyUnit(t *testing.T) {
	x := mat.NewDense(4, 5, []float64{1, 2, 0.3, 5, 2, 3, 1, 0.7, 2, 2, 0, 5, 0.1, 3, 1, 2, 2, 0.5, 1, 7})
	for name, scaled := range map[string]func(d *data.Data) *data.Data{
		"Standardize": (*data.Data).Standardize, "Scale01": (*data.Data).Scale01,
		"PCA":          func(d *data.Data) *data.Data { return d.PCA(2) },
		"PCA, long":    func(d *data.Data) *data.Data { return data.New(d.X.Slice(0, 4, 0, 2).(*mat.Dense), nil).PCA(2) },
		"PCA, a share": func(d *data.Data) *data.Data { return d.PCA(0.9) },
	} {
		want := scaled(data.New(x, nil))
		for _, exponent := range []int{-1040, -1000, -600, -535, -500, 3, 500, 511, 512, 600, 1000, 1018} {
			unit := math.Ldexp(1, exponent/2) * math.Ldexp(1, exponent-exponent/2)
			var small mat.Dense
			small.Scale(unit, x)
			got := scaled(data.New(&small, nil))
			if got.Err() != nil {
				t.Errorf("%s in units of 2^%d: %v", name, exponent, got.Err())
				continue
			}
			back := mat.DenseCopyOf(got.X)
			if name[:3] == "PCA" { // positions have the unit of the features
				back.Apply(func(_, _ int, v float64) float64 { return v / unit }, back)
			}
			tolerance := 1e-14
			if exponent == -1040 { // subnormal numbers have few digits
				tolerance = 1e-3
			}
			if !mat.EqualApprox(back, want.X, tolerance) {
				t.Errorf("%s in units of 2^%d: %v instead of %v", name, exponent, back.RawMatrix().Data, want.X.RawMatrix().Data)
			}
		}
	}
}

// Features whose differences overflow give an error instead of infinite or unknown numbers.
func TestScalingOverflows(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{-1.7e308, 1, 1.7e308, 2, 1.7e308, 4})
	for name, d := range map[string]*data.Data{"Standardize": data.New(x, nil).Standardize(), "Scale01": data.New(x, nil).Scale01(), "PCA": data.New(x, nil).PCA(1)} {
		if d.Err() == nil || !errors.Is(d.Err(), data.ErrNotFinite) {
			t.Errorf("%s: %v, %v", name, d.X.RawMatrix().Data, d.Err())
		}
	}
}

func TestOriginal(t *testing.T) {
	d := measured()
	for name, scaled := range map[string]*data.Data{
		"standardised": d.Standardize(), "to [0, 1]": d.Scale01(), "both": d.Standardize().Scale01().Standardize(), "none": d,
		"of a part": d.Standardize().Subset([]int{0, 1, 2, 3, 4}),
	} {
		back := scaled.Unscaled()
		if err := back.Err(); err != nil {
			t.Fatal(err)
		}
		for j := range 4 {
			want := mat.Col(nil, j, d.X)
			if got := scaled.Original(j); !slices.Equal(got, want) || !slices.Equal(mat.Col(nil, j, back.X), want) {
				t.Errorf("%s: feature %d is %v, was %v", name, j, got, want)
			}
		}
		if !back.Scaling().IsZero() {
			t.Errorf("%s: scaled after Unscaled", name)
		}
	}
	if d.Original(-1) != nil || d.Original(4) != nil || d.PCA(2).Original(0) != nil || (*data.Data)(nil).Original(0) != nil {
		t.Error("values of a feature that there is not")
	}
	if err := d.Standardize().PCA(2).Unscaled().Err(); !errors.Is(err, data.ErrOption) {
		t.Error(err)
	}
	center, scale, ok := d.Standardize().Scale01().Scaling().Affine()
	x := d.Standardize().Scale01().X
	if !ok || scale[3] != 0 || math.Abs(center[1]+scale[1]*x.At(0, 1)-50123.25) > 1e-9 {
		t.Error(center, scale, ok)
	}
}

// Whole numbers, 0 among them, and small numbers far from the mean are restored.
func TestOriginalOfWholeNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 5 + rng.IntN(100)
		x := mat.NewDense(n, 4, nil)
		for i := range n {
			x.Set(i, 0, float64(rng.IntN(10)))
			x.Set(i, 1, float64(rng.IntN(21)-10))
			x.Set(i, 2, float64(rng.IntN(100))/100)
			x.Set(i, 3, []float64{0.001, 1e9 + 1, 3e9}[i%3])
		}
		d := data.New(x, nil)
		for name, scaled := range map[string]*data.Data{"standardised": d.Standardize(), "to [0, 1]": d.Scale01(), "both": d.Standardize().Scale01()} {
			for j := range 4 {
				if got, want := scaled.Original(j), mat.Col(nil, j, x); !slices.Equal(got, want) {
					t.Fatalf("%s: feature %d is %v, was %v", name, j, got, want)
				}
			}
		}
	}
}

func TestScalingOf(t *testing.T) {
	d := measured()
	s := d.LearnStandardize()
	scaled := d.Scaled(s)
	for name, x := range map[string]*mat.Dense{
		"X": scaled.X, "a view": scaled.X.Slice(1, 3, 0, 4).(*mat.Dense), "a part": scaled.Subset([]int{2, 0}).X, "declared": s.Applied(mat.DenseCopyOf(scaled.X)),
		"stored": data.New(mat.DenseCopyOf(scaled.X), nil).WithScaling(s).X,
	} {
		if got := data.ScalingOf(x); got.IsZero() || !got.Equal(s) {
			t.Errorf("%s is not known to be scaled", name)
		}
	}
	var foreign [6]float64 // not on the heap
	for name, x := range map[string]*mat.Dense{
		"raw": d.X, "a copy": mat.DenseCopyOf(scaled.X), "nil": nil, "empty": {}, "foreign": mat.NewDense(2, 3, foreign[:]), "unscaled": scaled.Unscaled().X,
	} {
		if !data.ScalingOf(x).IsZero() {
			t.Errorf("%s counts as scaled", name)
		}
	}
	replaced := *scaled
	replaced.X = d.X
	if !replaced.Scaling().IsZero() || scaled.Scaling().IsZero() {
		t.Error("the scaling is that of another X")
	}
	if two := d.Standardize().PCA(2).Scaling(); two.Equal(s) || two.Features() != 4 {
		t.Error("two steps are one")
	}
	if err := d.Scaled(d.PCA(2).LearnStandardize()).Err(); !errors.Is(err, data.ErrShape) {
		t.Error(err)
	}
}

// The records of matrices are freed with the matrices.
func TestScalingForgets(t *testing.T) {
	d := measured()
	for range 1000 {
		d.Standardize()
	}
	for range 50 {
		if runtime.GC(); data.MarkedRows() < 500 {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d matrices are remembered", data.MarkedRows())
}

func TestScalingInFiles(t *testing.T) {
	d := measured()
	s := d.Standardize().PCA(2).Scale01().Scaling()
	notes, arrays := s.Encode()
	back, err := data.DecodeScaling(notes, arrays)
	if err != nil || !back.Equal(s) {
		t.Fatal(err)
	}
	if got, err := back.Apply(d.X); err != nil || !mat.Equal(got, d.Standardize().PCA(2).Scale01().X) {
		t.Error(err)
	}
	if none, err := data.DecodeScaling(nil, nil); err != nil || !none.IsZero() {
		t.Error(err)
	}
	for name, spoil := range map[string]func(a map[string]*mat.Dense){
		"no shift":       func(a map[string]*mat.Dense) { delete(a, "scaling1_shift") },
		"long shift":     func(a map[string]*mat.Dense) { a["scaling1_shift"] = mat.NewDense(1, 5, nil) },
		"two shifts":     func(a map[string]*mat.Dense) { a["scaling0_shift"] = mat.NewDense(2, 4, nil) },
		"negative scale": func(a map[string]*mat.Dense) { a["scaling0_scale"] = mat.NewDense(1, 4, []float64{1, 1, -1, 1}) },
		"short scale":    func(a map[string]*mat.Dense) { a["scaling0_scale"] = mat.NewDense(1, 3, nil) },
		"high basis":     func(a map[string]*mat.Dense) { a["scaling1_basis"] = mat.NewDense(7, 2, nil) },
	} {
		notes, arrays := s.Encode()
		spoil(arrays)
		if _, err := data.DecodeScaling(notes, arrays); !errors.Is(err, data.ErrShape) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
