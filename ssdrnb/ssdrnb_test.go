package ssdrnb_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Relations between methods that the papers prove.
func TestReductions(t *testing.T) {
	d := datasets.Iris().KeepLabels(12).Seed(3)
	same := func(what string, a, b ssdrnb.Estimator) {
		t.Helper()
		ma, err := a.Spec().Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		mb, err := b.Spec().Fit(d)
		if err != nil {
			t.Fatal(err)
		}
		// One direction each: compare up to scale.
		ya, yb := ma.Embedding(), mb.Embedding()
		dot, na, nb := 0.0, 0.0, 0.0
		for i := range d.Len() {
			dot += ya.At(i, 0) * yb.At(i, 0)
			na += ya.At(i, 0) * ya.At(i, 0)
			nb += yb.At(i, 0) * yb.At(i, 0)
		}
		if dot*dot < (1-1e-9)*na*nb {
			t.Errorf("%s: cosine² %v", what, dot*dot/(na*nb))
		}
	}
	same("one dimension: TR-LDA = LDA", ssdrnb.TRLDA().Dims(1).PCA(1).RidgeScale(1e-3), ssdrnb.LDA().Dims(1))
	same("one dimension: TR-SDA = SDA", ssdrnb.TRSDA().Dims(1).PCA(1).RidgeScale(1e-3).Manifold(0.1), ssdrnb.SDA().Dims(1))
	same("no manifold term: SDA = LDA", ssdrnb.SDA().Dims(1).Manifold(0), ssdrnb.LDA().Dims(1))
	same("no manifold term: TR-SDA = TR-LDA", ssdrnb.TRSDA().Dims(1).Manifold(0), ssdrnb.TRLDA().Dims(1))
	same("S_t gives the directions of S_w", ssdrnb.LDA().Dims(1).Ridge(0).Within(ssdrnb.TotalScatter), ssdrnb.LDA().Dims(1).Ridge(0))
}

// λ*(d) never rises with d.
func TestRatioFallsWithDimensions(t *testing.T) {
	d := datasets.Wine().Standardize().KeepLabels(10).Seed(1)
	last := 0.0
	for k := 1; k <= 8; k++ {
		lambda, _ := ssdrnb.TRSDA().Dims(k).PCA(1).MustFit(d).Report().Fact("λ*")
		if k > 1 && lambda > last*(1+1e-9) {
			t.Errorf("λ*(%d) = %v after %v", k, lambda, last)
		}
		last = lambda
	}
}

func TestOneLabelPerClass(t *testing.T) {
	d := datasets.Iris().KeepLabels(1)
	var e *ssdrnb.Error
	if _, err := ssdrnb.LDA().Fit(d); !errors.As(err, &e) || !errors.Is(err, ssdrnb.ErrNeedsLabels) || e.Remedy == "" {
		t.Errorf("LDA: got %v", err)
	}
	m, err := ssdrnb.TRLDA().Fit(d)
	if err != nil || len(m.Report().Warnings) == 0 {
		t.Errorf("TR-LDA has a rule for this: %v", err)
	}
	if _, err := ssdrnb.TRSDA().Fit(d); err != nil {
		t.Errorf("TR-SDA: %v", err)
	}
}

func TestSweep(t *testing.T) {
	d := datasets.Iris().KeepLabels(5)
	sweep := ssdrnb.Sweep(ssdrnb.SDA(), d).List("neighbors", 3, 200).List("manifold", 0.1)
	r, err := sweep.Splits(4).Train(0.6).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Unlabelled) != 2 || len(r.Unlabelled[0].Scores) != 4 || len(r.Test[0].Scores) != 4 || r.Unlabelled[1].Err == nil {
		t.Errorf("%+v", r)
	}
	if r.Best(r.Unlabelled) != 0 {
		t.Error("a failed cell is best")
	}
	for name, b := range map[string]ssdrnb.SweepBuilder{
		"unknown option": ssdrnb.Sweep(ssdrnb.SDA(), d).List("colour", 1), "no value": ssdrnb.Sweep(ssdrnb.SDA(), d).Linear("manifold", 2, 1, 1),
		"bad value": ssdrnb.Sweep(ssdrnb.SDA(), d).List("neighbors", -3), "no split": ssdrnb.Sweep(ssdrnb.SDA(), d).Splits(0),
		"bad share": ssdrnb.Sweep(ssdrnb.SDA(), d).Train(1.5), "bad data": ssdrnb.Sweep(ssdrnb.SDA(), d.KeepLabels(99)),
	} {
		var e *ssdrnb.Error
		if _, err := b.Run(context.Background()); !errors.As(err, &e) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := sweep.Run(ctx); !errors.Is(err, ssdrnb.ErrCancelled) || r == nil {
		t.Errorf("cancelled: %v", err)
	}
}

// FuzzLoad reads damaged model files: the result is a typed error, or a model that gives numbers or
// typed errors and is unchanged after saving and loading. The damage affects the header and one of
// the arrays; damage to the surrounding archive would only fail its checksums.
func FuzzLoad(f *testing.F) {
	path := f.TempDir() + "/m.npz"
	type entry struct {
		name string
		raw  []byte
	}
	var kinds [][]entry
	for k, e := range []ssdrnb.Estimator{ssdrnb.LDA(), ssdrnb.TRKLDA(), ssdrnb.LAE(), ssdrnb.S3RMM(), ssdrnb.LLE(), ssdrnb.Isomap(), ssdrnb.KS2LAE(), ssdrnb.BCGPLVM(), ssdrnb.SSDL(), ssdrnb.FME(), ssdrnb.UMAP(), ssdrnb.TSNE()} {
		if err := e.Spec().MustFit(datasets.Iris().Take(8).KeepLabels(4)).Save(path); err != nil {
			f.Fatal(err)
		}
		archive, err := zip.OpenReader(path)
		if err != nil {
			f.Fatal(err)
		}
		var entries []entry
		for _, part := range archive.File {
			r, err := part.Open()
			if err != nil {
				f.Fatal(err)
			}
			raw, err := io.ReadAll(r)
			if err != nil {
				f.Fatal(err)
			}
			entries = append(entries, entry{part.Name, raw})
		}
		archive.Close()
		kinds = append(kinds, entries)
		for _, e := range entries {
			f.Add(uint8(k), e.name, e.raw)
		}
	}
	data.SetReadLimit(1 << 20)
	f.Cleanup(func() { data.SetReadLimit(0) })
	points := datasets.Iris().X.Slice(0, 3, 0, 4).(*mat.Dense)
	typed := func(t *testing.T, err error) {
		t.Helper()
		var e *ssdrnb.Error
		if !errors.As(err, &e) {
			t.Fatalf("an error of no kind: %v", err)
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, name string, raw []byte) {
		var b bytes.Buffer
		archive := zip.NewWriter(&b)
		for _, e := range kinds[int(kind)%len(kinds)] {
			if e.name == name {
				e.raw = raw
			}
			w, err := archive.Create(e.name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(e.raw); err != nil {
				t.Fatal(err)
			}
		}
		if err := archive.Close(); err != nil {
			t.Fatal(err)
		}
		path := t.TempDir() + "/m.npz"
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := ssdrnb.Load(path)
		if err != nil {
			typed(t, err)
			return
		}
		if err := data.CheckFinite(m.Embedding()); err != nil {
			t.Fatal(err)
		}
		y, err := m.Transform(points)
		if err != nil {
			typed(t, err)
		} else if _, d := y.Dims(); data.CheckFinite(y) != nil || d != m.Dims() {
			t.Fatalf("three points become %v in a model of %d dimensions", mat.Formatted(y), m.Dims())
		}
		if _, _, err := m.Projection(); err != nil {
			typed(t, err)
		}
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		again, err := ssdrnb.Load(path)
		if errors.Is(err, data.ErrTooLarge) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		sameModel(t, again, m)
		if y != nil {
			if z, err := again.Transform(points); err != nil || !mat.Equal(z, y) {
				t.Fatalf("points are embedded elsewhere: %v", err)
			}
		}
	})
}

// sameModel fails the test if a loaded model differs from the saved one.
func sameModel(t *testing.T, got, want *ssdrnb.Model) {
	t.Helper()
	if !mat.Equal(got.Embedding(), want.Embedding()) || got.Spec().String() != want.Spec().String() {
		t.Fatalf("another embedding, or other options: %v", got.Spec())
	}
	bits := func(v []float64) (out []uint64) {
		for _, x := range v {
			out = append(out, math.Float64bits(x))
		}
		return out
	}
	if !slices.Equal(bits(got.Values()), bits(want.Values())) {
		t.Fatalf("values %v, want %v", got.Values(), want.Values())
	}
	if !slices.Equal(got.Data().Labels, want.Data().Labels) || !slices.Equal(got.Data().Truth, want.Data().Truth) {
		t.Fatal("other labels")
	}
	// As text, since NaN is not equal to itself.
	a, errA := json.Marshal(got.Report())
	b, errB := json.Marshal(want.Report())
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Fatalf("another report, %v, %v:\n%s\n%s", errA, errB, a, b)
	}
}

// The automatic reduction keeps nine tenths of the variance, but keeps all features if there are
// few.
func TestAutomaticReduction(t *testing.T) {
	for _, c := range []struct {
		d    *ssdrnb.Data
		want int
	}{{datasets.Iris().KeepLabels(10).Seed(1), 4}, {datasets.Wine().Standardize().KeepLabels(10).Seed(1), 10}, {datasets.Digits().KeepLabels(10).Seed(1), 21}} {
		if got, _ := ssdrnb.TRLDA().MustFit(c.d).Report().Fact("directions"); int(got) != c.want {
			t.Errorf("%s: %v directions, want %d", c.d.Name, got, c.want)
		}
	}
}
