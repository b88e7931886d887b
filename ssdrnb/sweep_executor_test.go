package ssdrnb_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

func init() {
	ssdrnb.RegisterScore(fingerprint)
	ssdrnb.RegisterScore(picky)
	ssdrnb.RegisterPrepare(firstTwo)
}

// picky is a score with an error type of its own.
func picky(m *ssdrnb.Model, test *data.Data) (float64, error) {
	return 0, fmt.Errorf("no score on %d dimensions: %w", m.Embedding().RawMatrix().Cols, data.ErrShape)
}

func firstTwo(d *data.Data) data.Scaling { return d.LearnPCA(2) }

// far runs a sweep as another process would: only bytes and tasks are exchanged, in random order,
// on several workers.
type far struct {
	cells, workers int
	stopAfter      int // tasks, 0 for all
	tasks          int
}

func (f *far) Execute(ctx context.Context, job *ssdrnb.SweepJob) error {
	raw, err := job.Encode()
	if err != nil {
		return err
	}
	do, err := ssdrnb.DecodeSweep(raw)
	if err != nil {
		return err
	}
	tasks := job.Tasks(f.cells)
	f.tasks = len(tasks)
	rand.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
	if f.stopAfter > 0 {
		tasks = tasks[:f.stopAfter]
	}
	queue := make(chan ssdrnb.SweepTask, len(tasks))
	for _, t := range tasks {
		queue <- t
	}
	close(queue)
	var wg sync.WaitGroup
	errs := make([]error, f.workers)
	for k := range f.workers {
		wg.Go(func() {
			for t := range queue {
				out, err := do(ctx, t)
				if err == nil {
					err = errors.Join(job.Put(out), job.Put(out)) // a retry changes nothing
				}
				if err != nil {
					errs[k] = err
					return
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// sameTable compares every score to the last bit, and the texts of the errors.
func sameTable(t *testing.T, got, want *ssdrnb.SweepResult) {
	t.Helper()
	text := func(err error) string { return fmt.Sprint(err) }
	compare := func(what string, got, want []ssdrnb.Cell) {
		if len(got) != len(want) {
			t.Fatalf("%s: %d cells, want %d", what, len(got), len(want))
		}
		for i := range want {
			if !slices.EqualFunc(got[i].Scores, want[i].Scores, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
				t.Errorf("%s, cell %d: %v, want %v", what, i, got[i].Scores, want[i].Scores)
			}
			if text(got[i].Err) != text(want[i].Err) {
				t.Errorf("%s, cell %d: %v, want %v", what, i, got[i].Err, want[i].Err)
			}
		}
	}
	compare("unlabelled", got.Unlabelled, want.Unlabelled)
	compare("test", got.Test, want.Test)
}

// A remote run fills the same table for any data and any distribution of the fits.
func TestSweepElsewhere(t *testing.T) {
	wine := datasets.Wine().Take(14).KeepLabels(4)
	n, d := wine.X.Dims()
	x := mat.NewDense(n, d+3, nil)
	x.Slice(0, n, 1, d+1).(*mat.Dense).Copy(wine.X)
	strided := *wine
	strided.X = x.Slice(0, n, 1, d+1).(*mat.Dense)
	pairs, err := data.DrawPairs(wine.Truth, 9, 7, 1)
	if err != nil {
		t.Fatal(err)
	}
	scale := (*data.Data).LearnScale01
	for name, sweep := range map[string]ssdrnb.SweepBuilder{
		"two axes":     ssdrnb.Sweep(ssdrnb.SDA().Ridge(0.5), wine).Log10("ridge", -2, 1, 1).List("neighbors", 3, 5, 8).Splits(3).Train(0.6).Prepare(scale).Score(fingerprint),
		"strided":      ssdrnb.Sweep(ssdrnb.LapRLS(), &strided).Log10("ambient", -2, 1, 1).Splits(2).Prepare(scale).Prepare(firstTwo),
		"choices":      ssdrnb.Sweep(ssdrnb.SDA(), wine.KeepShare(0.4)).List("affinity", ssdrnb.Binary, ssdrnb.SelfTuning).List("neighbors", 3, 500).Splits(2).Score(fingerprint),
		"pairs":        ssdrnb.Sweep(ssdrnb.SSDR(), wine.HideLabels().WithPairs(pairs)).List("dims", 1, 2).Splits(2).Score(fingerprint),
		"anchors":      ssdrnb.Sweep(ssdrnb.SSLLE().Dims(2), wine.WithAnchors([]int{0, 17, 33}, mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0, 1}))).List("neighbors", 6, 9).Score(fingerprint),
		"start":        ssdrnb.Sweep(ssdrnb.UMAP().Iterations(20), wine.WithStart(mat.DenseCopyOf(wine.X.Slice(0, n, 0, 2)))).List("neighbors", 6, 9).Score(fingerprint),
		"no axis":      ssdrnb.Sweep(ssdrnb.PCA(), wine.Seed(1<<63+12345)).Train(0.3),
		"score fails":  ssdrnb.Sweep(ssdrnb.PCA(), wine).List("dims", 1, 2).Score(picky),
		"draws fail":   ssdrnb.Sweep(ssdrnb.PCA(), wine.KeepLabels(14)).List("dims", 1, 2).Train(0.5).Splits(2),
		"own labels":   ssdrnb.Sweep(ssdrnb.LDA(), datasets.Iris()).List("dims", 1, 2).Train(0.5),
		"standardised": ssdrnb.Sweep(ssdrnb.LDA(), wine).List("dims", 1, 2).Prepare((*data.Data).LearnStandardize).Score(fingerprint),
	} {
		t.Run(name, func(t *testing.T) {
			want, wantErr := sweep.Run(context.Background())
			for _, e := range []*far{{workers: 1}, {workers: 3}, {workers: 2, cells: 1}, {workers: 2, cells: 5}, {workers: 1, cells: 1000}} {
				got, err := sweep.On(e).Run(context.Background())
				if fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Fatalf("got %v, want %v", err, wantErr)
				}
				sameTable(t, got, want)
			}
		})
	}
}

// An error from a remote run is unchanged: its text, its parts, its sentinels.
func TestSweepErrorsElsewhere(t *testing.T) {
	d := datasets.Iris().KeepLabels(3)
	r, err := ssdrnb.Sweep(ssdrnb.SDA(), d).List("neighbors", 4, 200).On(&far{workers: 1}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var e *ssdrnb.Error
	if err := r.Unlabelled[1].Err; !errors.Is(err, ssdrnb.ErrOption) || !errors.As(err, &e) || e.Method != "SDA" || e.Param != "neighbors" || e.Value != 200 || e.Remedy == "" {
		t.Errorf("got %#v", err)
	}
	if _, err = ssdrnb.Sweep(ssdrnb.PCA(), d).Score(picky).On(&far{workers: 1}).Run(context.Background()); !errors.Is(err, data.ErrShape) || errors.Is(err, ssdrnb.ErrOption) || errors.As(err, &e) {
		t.Errorf("got %#v", err)
	}
}

// Functions that another process could not find are refused before anything runs.
func TestSweepFunctionsElsewhere(t *testing.T) {
	sweep := ssdrnb.Sweep(ssdrnb.PCA(), datasets.Iris().KeepLabels(3)).List("dims", 1, 2)
	literal := func(m *ssdrnb.Model, test *data.Data) (float64, error) { return 1, nil }
	ssdrnb.RegisterScore(literal) // has no name and is not registered
	for name, b := range map[string]ssdrnb.SweepBuilder{
		"Score of a literal":   sweep.Score(literal),
		"Score not registered": sweep.Score(mine),
		"Prepare of a literal": sweep.Prepare(func(d *data.Data) data.Scaling { return d.LearnPCA(2) }),
		"Prepare by variance":  sweep.Prepare(variance98),
	} {
		var e *ssdrnb.Error
		setter := "Score"
		if strings.HasPrefix(name, "Prepare") {
			setter = "Prepare"
		}
		if _, err := b.On(&far{workers: 1}).Run(context.Background()); !errors.Is(err, ssdrnb.ErrExecutor) || !errors.As(err, &e) || e.Param != setter || e.Remedy == "" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Stored results are not computed again, and results that an executor omits are reported.
func TestSweepElsewhereResumes(t *testing.T) {
	sweep := ssdrnb.Sweep(ssdrnb.LapRLS(), datasets.Iris().KeepLabels(3)).Log10("ambient", -2, 1, 1).List("neighbors", 4, 8).Splits(3).Train(0.5)
	want, err := sweep.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	sweep = sweep.File(t.TempDir() + "/sweep.npz")
	first := &far{workers: 1, stopAfter: 5}
	part, err := sweep.On(first).Run(context.Background())
	if !errors.Is(err, ssdrnb.ErrExecutor) || part == nil || first.tasks != 12 {
		t.Fatalf("%d tasks, got %v", first.tasks, err)
	}
	second := &far{workers: 2}
	got, err := sweep.On(second).Run(context.Background())
	if err != nil || second.tasks != 7 {
		t.Fatalf("%d tasks, got %v", second.tasks, err)
	}
	sameTable(t, got, want)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ssdrnb.Sweep(ssdrnb.SDA().Fresh(), datasets.Iris().KeepLabels(3)).On(&far{workers: 1}).Run(ctx); !errors.Is(err, ssdrnb.ErrCancelled) {
		t.Errorf("got %v", err)
	}
}

// Bytes that do not encode a sweep or outcomes are errors.
func TestSweepBytesElsewhere(t *testing.T) {
	sweep := ssdrnb.Sweep(ssdrnb.PCA(), datasets.Iris().KeepLabels(3)).List("dims", 1, 2)
	if _, err := sweep.On(damaged{t}).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// Tables that do not fit into memory are errors that name the option, here and elsewhere.
func TestSweepTooLarge(t *testing.T) {
	few := datasets.Iris().KeepLabels(3)
	thousands := make([]any, 4000)
	for i := range thousands {
		thousands[i] = i + 1
	}
	sweep := ssdrnb.Sweep(ssdrnb.LPP(), few)
	compare := ssdrnb.Compare(few, ssdrnb.PCA(), ssdrnb.LPP())
	swept := func(b ssdrnb.SweepBuilder) error { _, err := b.Run(t.Context()); return err }
	compared := func(b ssdrnb.CompareBuilder) error { _, err := b.Run(t.Context()); return err }
	encoded := func(splits int, axes ...ssdrnb.Axis) error {
		_, err := sweep.On(executor(func(job *ssdrnb.SweepJob) error {
			raw, err := job.Encode()
			must(t, err)
			_, err = ssdrnb.DecodeSweep(repacked(t, raw, func(name string, content []byte) []byte {
				if name != "task.json" {
					return content
				}
				var task map[string]any
				must(t, json.Unmarshal(content, &task))
				task["Splits"], task["Axes"] = splits, axes
				content, err := json.Marshal(task)
				must(t, err)
				return content
			}))
			return err
		})).Run(t.Context())
		return err
	}
	neighbors, dims := ssdrnb.Axis{Name: "neighbors", Values: thousands}, ssdrnb.Axis{Name: "dims", Values: thousands}
	for _, c := range []struct {
		option string
		err    error
	}{
		{"splits", swept(sweep.Splits(math.MaxInt))},
		{"splits", swept(sweep.List("dims", 1, 2).Splits(1<<62 + 1))}, // 2·(2^62 + 1) overflows
		{"splits", swept(sweep.List("dims", 1, 2).Splits(5_000_001))},
		{"neighbors", swept(sweep.List("dims", thousands...).List("neighbors", thousands...))},
		{"splits", encoded(1 << 31)},
		{"splits", encoded(5_000_001, ssdrnb.Axis{Name: "dims", Values: []any{1, 2}})},
		{"neighbors", encoded(1, dims, neighbors)},
		{"splits", compared(compare.UpTo(1).Splits(math.MaxInt))},
		{"splits", compared(compare.UpTo(1000).Splits(5001))},
		{"dims", compared(compare.UpTo(math.MaxInt))},
	} {
		var inner *ssdrnb.Error
		for err := c.err; errors.As(err, &inner); err = inner.Err {
		}
		if !errors.Is(c.err, ssdrnb.ErrOption) || inner == nil || inner.Param != c.option || inner.Value == nil {
			t.Errorf("%s: got %v", c.option, c.err)
		}
	}
	if err := encoded(2, ssdrnb.Axis{Name: "dims", Values: []any{1, 2}}); !errors.Is(err, ssdrnb.ErrExecutor) || errors.Is(err, ssdrnb.ErrOption) {
		t.Errorf("got %v, want only the error of missing outcomes", err)
	}
}

type damaged struct{ t *testing.T }

func (e damaged) Execute(ctx context.Context, job *ssdrnb.SweepJob) error {
	raw, err := job.Encode()
	if err != nil {
		return err
	}
	for _, cut := range []int{0, 1, len(raw) / 2, len(raw) - 1} {
		if _, err := ssdrnb.DecodeSweep(raw[:cut]); !errors.Is(err, ssdrnb.ErrFormat) {
			e.t.Errorf("%d of %d bytes: got %v", cut, len(raw), err)
		}
		if err := job.Put(raw[:cut]); !errors.Is(err, ssdrnb.ErrExecutor) {
			e.t.Errorf("%d bytes that are no outcomes: got %v", cut, err)
		}
	}
	do, err := ssdrnb.DecodeSweep(raw)
	if err != nil {
		return err
	}
	for _, task := range []ssdrnb.SweepTask{{Draw: -1}, {Draw: 1}, {Cells: []int{2}}, {Cells: []int{-1}}} {
		if _, err := do(ctx, task); !errors.Is(err, ssdrnb.ErrExecutor) {
			e.t.Errorf("%v: got %v", task, err)
		}
	}
	return (&far{workers: 1}).Execute(ctx, job)
}
