package ssdrnb

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// farms has three classes in features with very different units.
func farms(n int, seed uint64) *data.Data {
	r := rand.New(rand.NewPCG(seed, 1))
	centre := mat.NewDense(3, 4, nil)
	centre.Apply(func(i, j int, _ float64) float64 { return 6 * math.Sin(float64(1+i+3*j)) }, centre)
	x, y := mat.NewDense(n, 4, nil), make([]int, n)
	for i := range n {
		y[i] = i % 3
		for j := range 4 {
			x.Set(i, j, centre.At(y[i], j)+r.NormFloat64())
		}
		x.Set(i, 0, 1000*x.At(i, 0)+5e4)
		x.Set(i, 3, 0.001*x.At(i, 3))
	}
	d := data.New(x, y)
	d.FeatureNames = []string{"income", "rooms", "age", "share"}
	return d
}

// A model of scaled data maps raw and scaled rows to the same positions, before and after saving.
func TestTransformScalesNewRows(t *testing.T) {
	d := farms(90, 1)
	for name, prepared := range map[string]*data.Data{
		"standardised": d.Standardize(), "to [0, 1]": d.Scale01(), "components": d.PCA(3), "both": d.Standardize().PCA(2), "twice": d.Scale01().Standardize(),
		"split": d.Standardize().Subset(seq(80)),
	} {
		if testing.Short() && name != "both" {
			continue
		}
		for _, e := range []Estimator{PCA(), LDA(), KSDA(), UMAP(), Isomap(), Then(PCA().Dims(2), LLE())} {
			m, err := e.Spec().Fit(prepared)
			if err != nil {
				t.Fatal(name, err)
			}
			want, err := m.Transform(prepared.X)
			if err != nil {
				t.Fatal(name, err)
			}
			path := filepath.Join(t.TempDir(), "m.npz")
			models := map[string]*Model{"fitted": m}
			if m.mapping.Kind() != "chain" {
				if err := m.Save(path); err != nil {
					t.Fatal(err)
				}
				if models["loaded"], err = Load(path); err != nil {
					t.Fatal(name, err)
				}
			}
			for kind, m := range models {
				n := prepared.Len()
				for rows, x := range map[string]*mat.Dense{
					"raw": mat.DenseCopyOf(d.X.Slice(0, n, 0, 4)), "a view of raw ones": d.X.Slice(0, n, 0, 4).(*mat.Dense), "scaled": prepared.X,
					"declared": m.Data().Scaling().Applied(mat.DenseCopyOf(prepared.X)), "a part": prepared.Subset(seq(n)).X,
				} {
					if got, err := m.Transform(x); err != nil || !mat.Equal(got, want) {
						t.Errorf("%s, %s, %s: rows that are %s go elsewhere: %v", m.Method(), name, kind, rows, err)
					}
				}
				score, err := m.Score(NearestNeighbor, d)
				again, err2 := m.Score(NearestNeighbor, d.Scaled(prepared.Scaling()))
				if err != nil || err2 != nil || score != again || score < 0.8 {
					t.Errorf("%s, %s, %s: scores %v and %v: %v, %v", m.Method(), name, kind, score, again, err, err2)
				}
			}
			if m.spec.method.Shape == Linear && !mat.EqualApprox(want, m.Embedding(), 1e-8) {
				t.Errorf("%s, %s: training samples are not where they were", m.Method(), name)
			}
		}
	}
}

func seq(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// Ambiguous rows are refused, and the remedies work.
func TestRowsScaledOtherwise(t *testing.T) {
	d, more := farms(90, 1), farms(40, 2)
	s := d.LearnStandardize()
	m := SDA().MustFit(d.Scaled(s))
	want, err := m.Transform(more.X)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, err error, remedy string) {
		t.Helper()
		var e *Error
		if !errors.Is(err, ErrData) || !errors.As(err, &e) || !strings.Contains(e.Remedy, remedy) {
			t.Errorf("%s: %v", what, err)
		}
	}
	same := func(what string, x *mat.Dense) {
		t.Helper()
		if got, err := m.Transform(x); err != nil || !mat.EqualApprox(got, want, 1e-9) {
			t.Errorf("%s: %v", what, err)
		}
	}
	other := more.Standardize()
	_, err = m.Transform(other.X)
	check("standardised by itself", err, "Data.Unscaled")
	same("as advised", other.Unscaled().X)
	_, err = m.Score(NearestNeighbor, other)
	check("test data standardised by themselves", err, "Data.Unscaled")
	if _, err := m.Score(NearestNeighbor, other.Unscaled()); err != nil {
		t.Error(err)
	}
	scaled := mat.DenseCopyOf(more.Scaled(s).X)
	_, err = m.Transform(scaled)
	check("a copy of scaled rows", err, "model.Data().Scaling().Applied(x)")
	same("declared as advised", m.Data().Scaling().Applied(scaled))
	x, err := m.Data().Scaling().Apply(more.X)
	if err != nil {
		t.Fatal(err)
	}
	same("scaled as advised", x)
	_, err = m.Transform(mat.NewDense(2, 3, nil))
	check("another number of features", err, "prepare")
	if _, err = m.Transform(mat.NewDense(1, 4, nil)); err != nil {
		t.Errorf("a row of zeros: %v", err)
	}
	_, err = m.Transform(mat.NewDense(1, 4, []float64{math.Inf(1), 0, 0, 0}))
	check("an infinity", err, "fill")
	huge := PCA().MustFit(farmsTimes(d, 1e-300).Scale01())
	_, err = huge.Transform(mat.NewDense(1, 4, []float64{1e300, 0, 0, 0}))
	check("a row that overflows", err, "outliers")
}

// farmsTimes returns d with its features multiplied by f.
func farmsTimes(d *data.Data, f float64) *data.Data {
	x := mat.DenseCopyOf(d.X)
	x.Scale(f, x)
	return data.New(x, d.Labels)
}

func TestOutside(t *testing.T) {
	d, more := farms(90, 1), farms(40, 2)
	for name, d := range map[string]*data.Data{"raw": d, "standardised": d.Standardize(), "components": d.Standardize().PCA(3)} {
		m := LDA().MustFit(d)
		if rows, err := m.Outside(more.X); err != nil || rows != nil {
			t.Errorf("%s: rows like the training samples are outside: %v, %v", name, rows, err)
		}
		x := mat.DenseCopyOf(more.X)
		x.Set(7, 0, 1e9)
		if rows, err := m.Outside(x); err != nil || !slices.Equal(rows, []int{7}) {
			t.Errorf("%s: %v are outside, not 7: %v", name, rows, err)
		}
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		back, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if rows, err := back.Outside(x); err != nil || !slices.Equal(rows, []int{7}) {
			t.Errorf("%s, loaded: %v are outside, not 7: %v", name, rows, err)
		}
		if !slices.Equal(m.Features(), back.Features()) || len(m.Features()) != d.Dim() {
			t.Errorf("%s: the features are %v, were %v", name, back.Features(), m.Features())
		}
	}
	// With one feature in other units all rows are reported.
	m := LDA().MustFit(d)
	x := mat.DenseCopyOf(more.X)
	for i := range more.Len() {
		x.Set(i, 2, 1000*x.At(i, 2))
	}
	if rows, err := m.Outside(x); err != nil || len(rows) != more.Len() {
		t.Error(rows, err)
	}
	f := m.Features()[0]
	if f.Name != "income" || f.Least != slices.Min(mat.Col(nil, 0, d.X)) || f.Most != slices.Max(mat.Col(nil, 0, d.X)) || math.Abs(f.Mean-5e4) > 1e4 || !(f.Deviation > 1000) {
		t.Error(f)
	}
}

// In a notebook, rows far outside the data are reported once; in a program Transform is silent.
func TestOutsideIsToldInNotebooks(t *testing.T) {
	m := LDA().MustFit(farms(90, 1).Standardize())
	x := mat.DenseCopyOf(farms(6, 2).X)
	for i := range 6 {
		x.Set(i, 0, 7e7+float64(i))
	}
	for pipe, want := range map[string]string{"": "", "pipe": "ssdrnb: LDA: warning: 6 of 6 new rows lie far from all training samples (0, 1, 2, 3, 4, 1 more): income is 70000000, outside the training range "} {
		t.Setenv("GONB_PIPE", pipe)
		for k, want := range []string{want, ""} {
			said := stderrOf(t, func() {
				if _, err := m.Transform(x); err != nil {
					t.Error(err)
				}
			})
			if want == "" && said != "" || !strings.HasPrefix(said, want) || strings.Count(said, "\n") > 1 {
				t.Errorf("call %d, notebook %q: %q", k, pipe, said)
			}
		}
	}
}

// The warning names a value that is out of range, even if the first far row is in range there.
func TestOutsideNamesAValueOutOfRange(t *testing.T) {
	m := PCA().MustFit(data.New(mat.NewDense(4, 2, []float64{0, 0, 1, 2, 2, 1, 3, 3}), nil))
	x := mat.NewDense(4, 2, []float64{400, 1, 2, 500, 2, 600, 2, 700})
	if text := m.outsideText(x, x); !strings.Contains(text, "is 500, outside the training range 0 to 3;") {
		t.Error(text)
	}
}

// stderrOf returns the standard error of f.
func stderrOf(t *testing.T, f func()) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = write
	f()
	os.Stderr = stderr
	write.Close()
	said, err := io.ReadAll(read)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

// Names of features are saved with the model, and an inconsistent file is refused.
func TestSaveFeatures(t *testing.T) {
	d := farms(60, 1)
	path := filepath.Join(t.TempDir(), "m.npz")
	for _, e := range []Estimator{PCA(), LAE(), TSNE(), SSGPLVM()} {
		m := e.Spec().MustFit(d.Standardize())
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		back, err := Load(path)
		if err != nil {
			t.Fatal(m.Method(), err)
		}
		if !slices.Equal(back.Data().FeatureNames, d.FeatureNames) || !back.Data().Scaling().Equal(m.Data().Scaling()) {
			t.Errorf("%s: names %q, scaling %v", m.Method(), back.Data().FeatureNames, back.Data().Scaling())
		}
	}
	m := PCA().MustFit(d.Standardize())
	for name, spoil := range map[string]func(broken *data.Data, m *Model){
		"fewer names":     func(d *data.Data, _ *Model) { d.FeatureNames = []string{"a"} },
		"more names":      func(d *data.Data, _ *Model) { d.FeatureNames = strings.Split("abcdefghi", "") },
		"another scaling": func(d *data.Data, _ *Model) { *d = *farms(60, 1).PCA(2); d.FeatureNames = nil },
		"another extent":  func(_ *data.Data, m *Model) { m.extended = func() *extent { return extentOf(mat.NewDense(2, 3, nil)) } },
		"negative radius": func(_ *data.Data, m *Model) {
			e := *m.extent()
			e.radius = -1
			m.extended = func() *extent { return &e }
		},
		"infinite feature": func(_ *data.Data, m *Model) {
			e := *m.extent()
			e.radius = math.Inf(1)
			m.extended = func() *extent { return &e }
		},
	} {
		broken, other := *m.data, *m
		other.data = &broken
		spoil(&broken, &other)
		if err := other.save(path, nil, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Test data with swapped features are refused if their names tell.
func TestScoreOfSwappedFeatures(t *testing.T) {
	d, more := farms(90, 1), farms(40, 2)
	m := SDA().MustFit(d)
	if _, err := m.Score(NearestNeighbor, more); err != nil {
		t.Fatal(err)
	}
	more.FeatureNames = []string{"rooms", "income", "age", "share"}
	if _, err := m.Score(NearestNeighbor, more); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), `"rooms"`) {
		t.Error(err)
	}
	more.FeatureNames = nil
	if _, err := m.Score(NearestNeighbor, more); err != nil {
		t.Error(err)
	}
}

// The deviation of a constant feature is 0, also if its computed mean rounds.
func TestDeviationOfConstantFeature(t *testing.T) {
	d := farms(30, 1)
	for i := range d.Len() {
		d.X.Set(i, 2, 0.1)
	}
	f := PCA().MustFit(d).Features()[2]
	if f.Deviation != 0 || f.Mean != 0.1 || f.Least != 0.1 || f.Most != 0.1 {
		t.Errorf("got %+v", f)
	}
}
