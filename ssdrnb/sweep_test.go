package ssdrnb_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// fingerprint is a score that distinguishes embeddings to the last bit.
func fingerprint(m *ssdrnb.Model, test *data.Data) (float64, error) {
	y := m.Embedding()
	if test != nil {
		var err error
		if y, err = m.Transform(test.X); errors.Is(err, ssdrnb.ErrNoTransform) {
			return 0, nil
		} else if err != nil {
			return 0, err
		}
	}
	sum := 0.0
	rows, cols := y.Dims()
	for i := range rows {
		for k := range cols {
			sum += y.At(i, k) * math.Sin(float64(1+i*cols+k))
		}
	}
	return sum, nil
}

// Sharing changes nothing: every cell equals a separate fit to the last bit, for each method and
// each of its options, two at a time, for any number of workers.
func TestSweepSharesWithoutATrace(t *testing.T) {
	d := datasets.Wine().Take(12).KeepLabels(4)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, m := range ssdrnb.Methods() {
		if strings.Contains(m.Name, "GP-LVM") {
			continue // most of a minute each, all of it in the optimiser
		}
		if onceOnly() && !slices.Contains([]string{"SDA", "TR-SDA", "KSDA", "LMRAG", "LapRLS/L"}, m.Name) {
			continue // one method of each kind
		}
		t.Run(m.Name, func(t *testing.T) {
			spec := ssdrnb.New(m.Name)
			for _, name := range []string{"iterations", "steps"} {
				if _, ok := m.Param(name); ok {
					spec = spec.With(name, 2) // 2 serves as well as the hundreds of a good fit
				}
			}
			for k := 0; k < len(m.Params); k += 2 {
				sweep := ssdrnb.Sweep(spec, d).Splits(2).Train(0.6).Prepare((*data.Data).LearnScale01).Score(fingerprint)
				for _, p := range m.Params[k:min(k+2, len(m.Params))] {
					switch {
					case p.Name == "iterations" || p.Name == "steps":
						sweep = sweep.List(p.Name, 1, 2)
					case p.Kind == ssdrnb.ChoiceParam:
						sweep = sweep.List(p.Name, p.Choices[0], p.Choices[len(p.Choices)-1])
					case p.Kind == ssdrnb.BoolParam:
						sweep = sweep.List(p.Name, true, false)
					default:
						sweep = sweep.List(p.Name, p.Default, other(p))
					}
				}
				compareWithFits(t, sweep, d)
			}
		})
	}
}

// compareWithFits runs a sweep on one and on two workers and compares it with fits.
func compareWithFits(t *testing.T, sweep ssdrnb.SweepBuilder, d *data.Data) {
	t.Helper()
	var r [2]*ssdrnb.SweepResult
	for k := range r {
		runtime.GOMAXPROCS(k + 1)
		var err error
		if r[k], err = sweep.Run(context.Background()); err != nil && r[k] == nil {
			t.Fatal(err)
		}
	}
	for i, cell := range r[0].Test {
		for split, got := range cell.Scores {
			same := func(what string, a, b float64) {
				if a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
					t.Errorf("%v, draw %d, %s: %v and %v", r[0].SpecAt(i), split, what, a, b)
				}
			}
			same("one worker and two", got, r[1].Test[i].Scores[split])
			train, test := d.Seed(uint64(split + 1)).Split(0.6)
			scale := train.LearnScale01()
			m, err := r[0].SpecAt(i).Fit(train.Scaled(scale))
			if err != nil {
				if cell.Err == nil || !math.IsNaN(got) {
					t.Errorf("%v: %v, not so in the sweep", r[0].SpecAt(i), err)
				}
				continue
			}
			want, err := fingerprint(m, test.Scaled(scale))
			if err != nil {
				t.Fatal(err)
			}
			same("test samples in the sweep and by itself", got, want)
			if want, err = fingerprint(m, nil); err != nil {
				t.Fatal(err)
			}
			same("training samples in the sweep and by itself", r[0].Unlabelled[i].Scores[split], want)
		}
	}
}

// An interrupted sweep keeps its results; the next run continues there and ends with the table of
// an uninterrupted run.
func TestSweepResumes(t *testing.T) {
	d := datasets.Iris().KeepLabels(3)
	path := filepath.Join(t.TempDir(), "sweep.npz")
	sweep := ssdrnb.Sweep(ssdrnb.LapRLS(), d).Log10("ambient", -2, 1, 1).List("neighbors", 4, 8).Splits(3).Train(0.5)
	whole, err := sweep.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	run := func(stopAfter int) (*ssdrnb.SweepResult, int, error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		fits := 0
		stop := ssdrnb.Observe(func(e ssdrnb.Event) {
			if e.Method == "Sweep" && e.Stage != "done" {
				if fits++; fits == stopAfter {
					cancel()
				}
			}
		})
		defer stop()
		r, err := sweep.File(path).Run(ctx)
		return r, fits, err
	}
	part, first, err := run(7)
	if !errors.Is(err, ssdrnb.ErrCancelled) || part == nil {
		t.Fatalf("got %v", err)
	}
	kept := 0
	for i, c := range part.Test {
		kept += c.Count()
		for k, s := range c.Scores {
			if !math.IsNaN(s) && s != whole.Test[i].Scores[k] {
				t.Errorf("cell %d, draw %d: %v before the interruption, %v in one go", i, k, s, whole.Test[i].Scores[k])
			}
		}
	}
	if kept != first || first < 7 {
		t.Errorf("%d scores kept of %d fits", kept, first)
	}
	rest, second, err := run(-1)
	if err != nil {
		t.Fatal(err)
	}
	if first+second != 24 {
		t.Errorf("%d and %d fits, there are 24", first, second)
	}
	for i := range whole.Test {
		if !slices.Equal(rest.Test[i].Scores, whole.Test[i].Scores) || !slices.Equal(rest.Unlabelled[i].Scores, whole.Unlabelled[i].Scores) {
			t.Errorf("cell %d differs from the run in one go", i)
		}
	}
	before, err := os.Stat(path)
	must(t, err)
	if _, again, err := run(-1); err != nil || again != 0 {
		t.Errorf("%d fits of a finished sweep, %v", again, err)
	}
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Errorf("the file of a finished sweep is written again, %v", err)
	}
	// Files of another sweep and damaged files are not used.
	for what, other := range map[string]ssdrnb.SweepBuilder{
		"other values": ssdrnb.Sweep(ssdrnb.LapRLS(), d).Log10("ambient", -2, 0, 1).List("neighbors", 4, 8).Splits(3).Train(0.5),
		"other data":   ssdrnb.Sweep(ssdrnb.LapRLS(), d.KeepLabels(4)).Log10("ambient", -2, 1, 1).List("neighbors", 4, 8).Splits(3).Train(0.5),
		"other method": ssdrnb.Sweep(ssdrnb.LapRLS().Intrinsic(2), d).Log10("ambient", -2, 1, 1).List("neighbors", 4, 8).Splits(3).Train(0.5),
		"prepared":     sweep.Prepare((*data.Data).LearnStandardize),
		"other score":  sweep.Score(mine),
	} {
		var e *ssdrnb.Error
		if _, err := other.File(path).Run(context.Background()); !errors.As(err, &e) || e.Param != "File" {
			t.Errorf("%s: got %v", what, err)
		}
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{0, 1, len(raw) / 3, len(raw) - 1} {
		if err := os.WriteFile(path, raw[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := sweep.File(path).Run(context.Background()); !errors.Is(err, ssdrnb.ErrFormat) {
			t.Errorf("%d of %d bytes: got %v", cut, len(raw), err)
		}
	}
}

// A file that cannot be written costs no fit, and the scores that it lost are reported together with
// the reason that ended the sweep. A cache that cannot be written is no error.
func TestSweepUnwritable(t *testing.T) {
	sweep := ssdrnb.Sweep(ssdrnb.PCA(), datasets.Iris().KeepLabels(3)).List("dims", 1, 2, 3)
	folder := filepath.Join(t.TempDir(), "folder")
	// run removes the folder after the given number of fits.
	run := func(sweep ssdrnb.SweepBuilder, after int, stop func()) (fits int, r *ssdrnb.SweepResult, err error) {
		defer ssdrnb.Observe(func(e ssdrnb.Event) {
			if e.Method != "Sweep" || e.Stage == "done" {
				return
			}
			if fits++; fits == after {
				must(t, os.RemoveAll(folder))
				stop()
			}
		})()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if stop == nil {
			stop = cancel
		}
		r, err = sweep.Run(ctx)
		return fits, r, err
	}
	on := func() {}
	file := sweep.File(filepath.Join(folder, "x.npz"))
	for _, b := range []ssdrnb.SweepBuilder{file, ssdrnb.Sweep(ssdrnb.PCA().Fresh(), datasets.Iris().KeepLabels(3)).List("dims", 1).File(filepath.Join(folder, "x.npz"))} {
		if fits, _, err := run(b, -1, on); fits != 0 || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%d fits without a folder, %v", fits, err)
		}
	}
	for reason, stop := range map[error]func(){fs.ErrNotExist: on, ssdrnb.ErrCancelled: nil} {
		must(t, os.Mkdir(folder, 0o700))
		if _, r, err := run(file, 1, stop); r == nil || !errors.Is(err, reason) || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v, want also %v", err, reason)
		}
	}
	t.Setenv("SSDRNB_CACHE", filepath.Dir(folder))
	must(t, ssdrnb.Remember(true))
	defer func() { must(t, ssdrnb.Remember(false)) }()
	folder = filepath.Join(filepath.Dir(folder), "fits")
	if _, r, err := run(sweep, 1, on); err != nil || r.Unlabelled[2].Count() != 1 {
		t.Errorf("without a cache: %v", err)
	}
}

// A score that is cancelled by a context of its own fails in its cell, and the other fits go on.
func TestSweepScoreCancelled(t *testing.T) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	score := func(m *ssdrnb.Model, test *data.Data) (float64, error) {
		if m.Dims() == 3 {
			return 3, nil
		}
		_, err := ssdrnb.LDA().FitContext(over, m.Data())
		return 0, err
	}
	r, err := ssdrnb.Sweep(ssdrnb.PCA(), datasets.Iris().KeepLabels(3)).List("dims", 1, 2, 3).Splits(4).Score(score).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range r.Unlabelled {
		if errors.Is(c.Err, ssdrnb.ErrCancelled) != (i < 2) || i == 2 && c.Count() != 4 {
			t.Errorf("cell %d: %d scores, %v", i, c.Count(), c.Err)
		}
	}
}

func mine(m *ssdrnb.Model, test *data.Data) (float64, error) { return ssdrnb.NearestNeighbor(m, test) }

// If fits are remembered, a sweep is remembered as a whole instead of every fit.
func TestSweepRemembered(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SSDRNB_CACHE", dir)
	if err := ssdrnb.Remember(true); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := ssdrnb.Remember(false); err != nil {
			t.Fatal(err)
		}
	}()
	d := datasets.Iris().KeepLabels(3)
	sweep := ssdrnb.Sweep(ssdrnb.SDA(), d).List("neighbors", 4, 8)
	count := func(b ssdrnb.SweepBuilder) int {
		t.Helper()
		fits := 0
		defer ssdrnb.Observe(func(e ssdrnb.Event) {
			if e.Method == "Sweep" {
				fits++
			}
		})()
		if _, err := b.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		return fits
	}
	if first, second := count(sweep), count(sweep); first != 2 || second != 0 {
		t.Errorf("%d fits, then %d", first, second)
	}
	if n := count(ssdrnb.Sweep(ssdrnb.SDA().Fresh(), d).List("neighbors", 4, 8)); n != 2 {
		t.Errorf("Fresh: %d fits", n)
	}
	narrow := ssdrnb.Sweep(ssdrnb.S2NE().Iterations(5), d.WithTarget("width", d.Original(3)).KeepTarget(0.3)).List("neighbors", 4, 8)
	if first, second := count(narrow.Score(ssdrnb.TargetR2)), count(narrow.Score(ssdrnb.TargetRank)); first != 2 || second != 2 {
		t.Errorf("two scores of a sweep: %d fits, then %d", first, second)
	}
	own := sweep.Score(mine)
	if first, second := count(own), count(own); first != 2 || second != 2 {
		t.Errorf("a score that the library does not know: %d fits, then %d", first, second)
	}
	files, err := filepath.Glob(filepath.Join(dir, "fits", "sweep-*"))
	if err != nil || len(files) != 3 {
		t.Errorf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if err := os.WriteFile(file, []byte("torn"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n := count(sweep); n != 2 {
		t.Errorf("after damage: %d fits", n)
	}
}

func TestSweepExports(t *testing.T) {
	d := datasets.Iris().KeepLabels(3)
	r, err := ssdrnb.Sweep(ssdrnb.SDA(), d).List("affinity", ssdrnb.Binary, ssdrnb.Heat).List("neighbors", 4, 200).Splits(2).Train(0.5).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 5 || strings.Join(lines[0], ",") != "affinity,neighbors,unlabelled_mean,unlabelled_std,unlabelled_draws,test_mean,test_std,test_draws,error" {
		t.Fatalf("%v", lines)
	}
	if got := lines[1]; got[0] != string(ssdrnb.Binary) || got[1] != "4" || got[5] != fmt.Sprint(r.Test[0].Mean()) || got[7] != "2" || got[8] != "" {
		t.Errorf("%v", got)
	}
	if got := lines[2]; got[7] != "0" || !strings.Contains(got[8], "neighbors = 200") {
		t.Errorf("%v", got)
	}
	if at := fmt.Sprint(r.At(1)); at != "affinity = binary, neighbors = 200" {
		t.Errorf("the second cell is at %s", at)
	}
	if best := r.Best(r.Test); best != 0 && best != 2 {
		t.Errorf("the failed cell %d is best", best)
	}
	if s := r.String(); !strings.Contains(s, "2 of 4 cells failed") || !strings.Contains(s, "±") {
		t.Errorf("%s", s)
	}
	r, err = ssdrnb.Sweep(ssdrnb.SDA(), d).List("affinity", ssdrnb.Binary, ssdrnb.Heat).List("neighbors", 4, 8).Splits(3).Train(0.5).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "sweep.npz")
	if err := r.SaveNPZ(path); err != nil {
		t.Fatal(err)
	}
	for name, cells := range map[string][]ssdrnb.Cell{"unlabelled": r.Unlabelled, "test": r.Test} {
		table, err := datasets.ReadNPZ(path, datasets.NPZ{X: name})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range cells {
			if !slices.Equal(table.X.RawRowView(i), c.Scores) {
				t.Errorf("%s %d: got %v, want %v", name, i, table.X.RawRowView(i), c.Scores)
			}
		}
	}
	if err := r.SaveCSV(filepath.Join(t.TempDir(), "no such folder", "x.csv")); err == nil {
		t.Error("saved into a folder that does not exist")
	}
}

// With all samples labelled no hidden labels can be scored, but test samples can.
func TestSweepOfLabelledData(t *testing.T) {
	r, err := ssdrnb.Sweep(ssdrnb.LDA(), datasets.Iris()).List("dims", 1, 2).Train(0.5).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if r.Test[1].Count() != 1 || r.Unlabelled[1].Count() != 0 || !math.IsNaN(r.Unlabelled[1].Mean()) {
		t.Errorf("%+v", r)
	}
	if text := r.String(); strings.Contains(text, "unlabelled") || strings.Contains(text, "NaN") || !strings.Contains(text, "\ntest ") {
		t.Errorf("%q", text)
	}
	failed, err := ssdrnb.Sweep(ssdrnb.LDA(), datasets.Iris()).List("dims", 1, 2).Train(0.5).Score(picky).Run(context.Background())
	if text := failed.String(); err == nil || strings.Contains(text, "NaN") || !strings.Contains(text, "2 of 2 cells failed") {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := ssdrnb.Sweep(ssdrnb.LDA(), datasets.Iris()).List("dims", 1, 2).Run(context.Background()); !errors.Is(err, ssdrnb.ErrData) {
		t.Errorf("nothing to score: got %v", err)
	}
}

// With missing labels no hidden labels can be scored, and each error names what can be scored.
func TestMissingLabels(t *testing.T) {
	truth := datasets.Iris().Truth
	some := slices.Clone(truth)
	for i := range some {
		if i%3 > 0 {
			some[i] = data.Unlabelled
		}
	}
	for name, labels := range map[string][]int{"some": some, "all": truth} {
		d := ssdrnb.NewData(datasets.Iris().X, labels)
		m := ssdrnb.SDA().MustFit(d)
		_, err := m.Score(ssdrnb.NearestNeighbor, nil)
		_, swept := ssdrnb.Sweep(ssdrnb.SDA(), d).List("neighbors", 3, 5).Run(t.Context())
		for _, err := range []error{err, swept} {
			if !errors.Is(err, ssdrnb.ErrData) || !strings.Contains(err.Error(), "Data.Validation(0.3)") || strings.Contains(err.Error(), "KeepLabels") != (name == "all") {
				t.Errorf("%s labelled: %v", name, err)
			}
		}
		if _, err := ssdrnb.Compare(d, ssdrnb.SDA()).Run(t.Context()); !errors.Is(err, ssdrnb.ErrData) || !strings.Contains(err.Error(), "Validate(0.3)") {
			t.Errorf("%s labelled: Compare returns %v", name, err)
		}
		// Their advice works.
		if _, err := ssdrnb.SDA().MustFit(d.Validation(0.3)).Score(ssdrnb.NearestNeighbor, nil); err != nil {
			t.Errorf("%s labelled: %v", name, err)
		}
		if _, err := ssdrnb.Sweep(ssdrnb.SDA(), d.Validation(0.3)).List("neighbors", 3, 5).Run(t.Context()); err != nil {
			t.Errorf("%s labelled: %v", name, err)
		}
		if _, err := ssdrnb.Compare(d, ssdrnb.SDA()).Validate(0.3).Run(t.Context()); err != nil {
			t.Errorf("%s labelled: %v", name, err)
		}
	}
}

// The error of a draw names the option at fault, with its value.
func TestDrawsThatFail(t *testing.T) {
	few := datasets.Iris().KeepLabels(5)
	one := few.Subset([]int{0})
	broken := func(d *data.Data) (train, test *data.Data) { return d.Subset([]int{-1}), d }
	compare := func(d *data.Data) ssdrnb.CompareBuilder { return ssdrnb.Compare(d, ssdrnb.PCA()).UpTo(1) }
	compared := func(b ssdrnb.CompareBuilder) error { _, err := b.Run(t.Context()); return err }
	swept := func(b ssdrnb.SweepBuilder) error { _, err := b.Run(t.Context()); return err }
	for _, c := range []struct {
		option string
		value  any
		err    error
	}{
		{"train", 1.5, compared(compare(few).Train(1.5))},
		{"train", math.NaN(), compared(compare(few).Train(math.NaN()).Splits(2))},
		{"train", 0.5, compared(compare(one).Train(0.5))},
		{"train per class", "-1, 0", compared(compare(few).TrainPerClass(-1, 0))},
		{"train per class", "2, 49", compared(compare(few).TrainPerClass(2, 49).Validate(0.3))},
		{"divide", nil, compared(compare(few).Divide(broken))},
		{"validate", 0.3, compared(compare(few.HideLabels()).Validate(0.3))},
		{"validate", 0.3, compared(compare(few.HideLabels()).Train(0.7).Validate(0.3))},
		{"train", 0.5, swept(ssdrnb.Sweep(ssdrnb.PCA().Dims(1), one).Train(0.5))},
		{"Prepare", nil, swept(ssdrnb.Sweep(ssdrnb.PCA(), few).Train(0.5).Prepare(func(d *data.Data) data.Scaling { return d.LearnPCA(-1) }))},
	} {
		var e *ssdrnb.Error
		if !errors.As(c.err, &e) || e.Param != c.option || fmt.Sprint(e.Value) != fmt.Sprint(c.value) || e.Remedy == "" {
			t.Errorf("%s = %v: got %v", c.option, c.value, c.err)
		}
	}
}

// A builder does not change with the arguments of its functions or with its results.
func TestBuildersKeepNoSlices(t *testing.T) {
	few := datasets.Iris().Take(6).KeepLabels(2)
	sliced, values, dims := []*ssdrnb.Data{few, few}, []any{1, 2}, []int{1, 2}
	methods := []ssdrnb.Estimator{ssdrnb.PCA()}
	align := ssdrnb.Align("", sliced...).By(ssdrnb.UMAP().Iterations(2))
	sweep := ssdrnb.Sweep(ssdrnb.PCA(), few).List("dims", values...)
	compare := ssdrnb.Compare(few, methods...).Dims(dims...)
	survey := ssdrnb.Survey(few, methods...)
	first := sweep.MustRun()
	first.Axes[0].Values[0] = 3
	first.Axes[0].Name = "changed"
	sliced[1], values[0], dims[0], methods[0] = nil, 0, 0, nil
	if a, err := align.Fit(); err != nil || len(a.Models) != 2 {
		t.Errorf("Align: %v", err)
	}
	if r, err := sweep.Run(t.Context()); err != nil || r.Axes[0].Name != "dims" || !slices.Equal(r.Axes[0].Values, []any{1, 2}) {
		t.Errorf("Sweep: %+v, %v", r, err)
	}
	if c, err := compare.Run(t.Context()); err != nil || !slices.Equal(c.Dims, []int{1, 2}) {
		t.Errorf("Compare: %+v, %v", c, err)
	}
	if s, err := survey.Run(t.Context()); err != nil || s[0].Err != nil {
		t.Errorf("Survey: %v, %v", s, err)
	}
}

// A warning reports a spread over draws that cannot differ.
func TestCompareAlikeDraws(t *testing.T) {
	iris := datasets.Iris().KeepLabels(10).Seed(1)
	own := *iris
	own.Truth = slices.Clone(own.Labels)
	compared := func(b ssdrnb.CompareBuilder) string { return b.Dims(2).MustRun().String() }
	for name, c := range map[string]struct {
		table string
		alike bool
	}{
		"the same labels hidden": {compared(ssdrnb.Compare(own.Validation(0.3), ssdrnb.PCA()).Splits(3)), true},
		"one draw":               {compared(ssdrnb.Compare(own.Validation(0.3), ssdrnb.PCA())), false},
		"hidden anew":            {compared(ssdrnb.Compare(&own, ssdrnb.PCA()).Validate(0.3).Splits(3)), false},
		"labels drawn anew":      {compared(ssdrnb.Compare(iris, ssdrnb.PCA()).Splits(3)), false},
		"divided anew":           {compared(ssdrnb.Compare(iris, ssdrnb.PCA()).Train(0.7).Splits(3)), false},
	} {
		if got := strings.Contains(c.table, "all draws are equal"); got != c.alike {
			t.Errorf("%s: %q", name, c.table)
		}
	}
}

// A fresh sweep that ends before its first fit keeps the file of an earlier run.
func TestSweepFreshKeepsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sweep.npz")
	d := datasets.Iris().KeepLabels(5).Seed(1)
	run := func(ctx context.Context, e ssdrnb.Estimator) ([]byte, error) {
		_, err := ssdrnb.Sweep(e, d).List("dims", 1, 2).File(file).Run(ctx)
		raw, _ := os.ReadFile(file) // no file gives nil
		return raw, err
	}
	before, err := run(t.Context(), ssdrnb.PCA())
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if after, err := run(ended, ssdrnb.PCA().Fresh()); !errors.Is(err, ssdrnb.ErrCancelled) || !bytes.Equal(before, after) {
		t.Errorf("the file has changed: %t, %v", !bytes.Equal(before, after), err)
	}
}
