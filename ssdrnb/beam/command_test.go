package beam_test

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/beam"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Files come in the order of the parts, and a failed run reports its cause.
func TestCommand(t *testing.T) {
	endpoint, pool, _ := elsewhere(t)
	for name, r := range map[string]beam.Runner{
		"here":      {OpenPort: true},
		"elsewhere": {Endpoint: endpoint, Environment: beam.External, Config: pool, Folder: t.TempDir()},
	} {
		files, err := r.Command(t.Context(), 3, "sh", "-c", "echo $0 > $1", "{part}/{parts}", "{file}")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for k, want := range []string{"1/3\n", "2/3\n", "3/3\n"} {
			if string(files[k]) != want {
				t.Errorf("%s: part %d is %q", name, k+1, files[k])
			}
		}
		_, err = r.Command(t.Context(), 1, "sh", "-c", "echo broken pipe organ >&2; exit 3")
		var e *ssdrnb.Error
		if !errors.Is(err, ssdrnb.ErrExecutor) || !errors.As(err, &e) || e.Method != "Command" || !strings.Contains(err.Error(), "broken pipe organ") {
			t.Errorf("%s: %v", name, err)
		}
		// The part that has ended before another fails is kept. Parts start in any order.
		files, err = r.Command(t.Context(), 2, "sh", "-c", `if mkdir $0; then echo kept > $1; else sleep 1; exit 3; fi`, filepath.Join(t.TempDir(), "first"), "{file}")
		if !errors.Is(err, ssdrnb.ErrExecutor) || len(files) != 2 || string(files[0])+string(files[1]) != "kept\n" {
			t.Errorf("%s: %q, %v", name, files, err)
		}
		if left, _ := filepath.Glob(filepath.Join(r.Folder, "*")); r.Folder != "" && len(left) > 0 {
			t.Errorf("left %v", left)
		}
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if _, err := (beam.Runner{OpenPort: true}).Command(ended, 1, "true"); !errors.Is(err, ssdrnb.ErrCancelled) {
		t.Errorf("an ended context: %v", err)
	}
	for name, err := range map[string]error{
		"OpenPort": second((beam.Runner{}).Command(t.Context(), 1, "true")),
		"parts":    second((beam.Runner{OpenPort: true}).Command(t.Context(), 0, "true")),
		"program":  second((beam.Runner{OpenPort: true}).Command(t.Context(), 1, "true")), // writes no file
	} {
		var e *ssdrnb.Error
		if !errors.Is(err, ssdrnb.ErrExecutor) || !errors.As(err, &e) || e.Param != name || e.Method != "Command" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A run ends soon after its folder is removed. On Flink, the tasks of a cancelled job would
// otherwise continue, and write to the folder again.
func TestRemovedFolder(t *testing.T) {
	folder := t.TempDir()
	r := beam.Runner{OpenPort: true, Folder: folder}
	began := time.Now()
	_, err := r.Command(t.Context(), 1, "sh", "-c", `rm -r "$0"/sweep-*; sleep 60; echo > $1`, folder, "{file}")
	if !errors.Is(err, ssdrnb.ErrExecutor) || !strings.Contains(err.Error(), "the folder is not shared") {
		t.Error(err)
	}
	t.Setenv("SSDRNB_TEST_REMOVED", folder)
	_, err = ssdrnb.Sweep(ssdrnb.PCA(), datasets.Iris().KeepLabels(3)).List("dims", 1, 2).Score(removing).On(r).Run(t.Context())
	if !errors.Is(err, ssdrnb.ErrExecutor) || !strings.Contains(err.Error(), "the folder is not shared") {
		t.Error(err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("ended after %v", took)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// removing is a score that removes the files of runs, and then waits for three seconds.
func removing(*ssdrnb.Model, *data.Data) (float64, error) {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("SSDRNB_TEST_REMOVED"), "sweep-*", "*"))
	for _, name := range files {
		os.Remove(name)
	}
	time.Sleep(3 * time.Second)
	return 0, nil
}

func second(_ [][]byte, err error) error { return err }

// A part of the benchmark, measured on Prism by a pool of workers, has the rows of a local run,
// except for the times. Rows of an earlier run are not measured again.
func TestBenchmark(t *testing.T) {
	folder := t.TempDir()
	program, shards := filepath.Join(folder, "benchmark"), filepath.Join(folder, "shards")
	for name, arguments := range map[string][]string{
		"../..": {"build", "-o", program, "./notebooks/benchmark"},
		".":     {"build", "-o", shards, "./shards"},
	} {
		build := exec.Command("go", arguments...)
		build.Dir = name
		if said, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	endpoint, _, _ := elsewhere(t)
	pool := serveWorkers(t, shards)
	common := []string{"-quick", "-draws", "2", "-sets", "^(iris|wine)$", "-only", "^(PCA|SDA|S2NE|KLDA|features|opinions)$", "-study", filepath.Join(folder, "none.csv"), "-page", filepath.Join(folder, "page.md")}
	rows := func(name string, command ...string) []string {
		file := filepath.Join(folder, name+".csv")
		run := exec.Command(command[0], append(append(command[1:], common...), "-file", file)...)
		if said, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", name, err, said)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(strings.NewReader(string(raw))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		seconds := slices.Index(records[0], "seconds")
		var out []string
		for _, r := range records {
			r[seconds] = ""
			out = append(out, strings.Join(r, ","))
		}
		slices.Sort(out)
		return out
	}
	want := rows("here", program)
	shared := t.TempDir()
	far := []string{shards, "-runner", endpoint, "-environment", "external", "-config", pool, "-folder", shared, "-parts", "3"}
	got := rows("elsewhere", append(far, program)...)
	if len(want) != 1+2*2*3*6 || !slices.Equal(got, want) {
		t.Errorf("%d rows on Prism, %d here:\n%s\n%s", len(got), len(want), strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// The earlier file has the first rows of the local run, one of them with another score.
	raw, err := os.ReadFile(filepath.Join(folder, "here.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(raw), "\n")[:20]
	marked := strings.Split(lines[1], ",")
	marked[slices.Index(strings.Split(lines[0], ","), "near")] = "0.125"
	lines[1] = strings.Join(marked, ",")
	earlier := filepath.Join(folder, "earlier.csv")
	if err := os.WriteFile(earlier, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	got = rows("again", append(far, "-rows", earlier, program)...)
	other := slices.DeleteFunc(slices.Clone(got), func(r string) bool { return slices.Contains(want, r) })
	if len(got) != len(want) || len(other) != 1 || !strings.Contains(other[0], ",0.125,") {
		t.Errorf("%d rows after an earlier run, others: %q", len(got), other)
	}
	if left, _ := filepath.Glob(filepath.Join(shared, "*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// serveWorkers starts the command shards as a pool of workers and returns the host:port of the pool.
func serveWorkers(t *testing.T, shards string) string {
	t.Helper()
	cmd := exec.Command(shards, "-serve", "0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the interrupted pool: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "workers at ")
	if !ok {
		t.Fatalf("the pool printed %q, %v", line, err)
	}
	return address
}
