package beam_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	apache "github.com/apache/beam/sdks/v2/go/pkg/beam"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"google.golang.org/grpc"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/beam"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

func init() {
	ssdrnb.RegisterScore(fingerprint)
	ssdrnb.RegisterScore(whichProcess)
	ssdrnb.RegisterScore(panicking)
	ssdrnb.RegisterScore(removing)
	ssdrnb.RegisterPrepare(variance95)
}

// fingerprint is a score that distinguishes embeddings to the last bit.
func fingerprint(m *ssdrnb.Model, test *data.Data) (float64, error) {
	y := m.Embedding()
	if test != nil {
		var err error
		if y, err = m.Transform(test.X); err != nil {
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

func whichProcess(*ssdrnb.Model, *data.Data) (float64, error) { return float64(os.Getpid()), nil }

func panicking(*ssdrnb.Model, *data.Data) (float64, error) { panic("a score that panics") }

func unregistered(*ssdrnb.Model, *data.Data) (float64, error) { return 0, nil }

func variance95(d *data.Data) data.Scaling { return d.LearnPCA(0.95) }

// TestMain also lets this program act as the remote machine: a job service and a pool of workers,
// until its standard input ends.
func TestMain(m *testing.M) {
	if port := os.Getenv("SSDRNB_TEST_JOB_SERVICE"); port != "" {
		if err := serve(port); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func serve(port string) error {
	ctx := context.Background()
	number, err := strconv.Atoi(port)
	if err != nil {
		return err
	}
	address, _, err := beam.ServeWorkers(ctx, 0)
	if err != nil {
		return err
	}
	if _, err := prism.CreateJobServer(ctx, prism.Options{Port: number}); err != nil {
		return err
	}
	fmt.Println("workers at", address)
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// elsewhere starts this program as the remote machine and returns its job service, its pool and its
// process id.
func elsewhere(t *testing.T) (endpoint, pool string, pid int) {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SSDRNB_TEST_JOB_SERVICE="+port)
	var log bytes.Buffer
	cmd.Stderr = &log
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "workers at "); ok {
			return "localhost:" + port, address, cmd.Process.Pid
		}
	}
	t.Fatal("the other process did not start")
	return "", "", 0
}

// sweep has several draws and two axes. Cells that differ only in the ridge share their other work.
func sweep() ssdrnb.SweepBuilder {
	return ssdrnb.Sweep(ssdrnb.SDA(), datasets.Wine().Take(20).KeepLabels(4)).List("neighbors", 3, 5, 8).Log10("ridge", -3, 3, 2).
		Splits(4).Train(0.6).Prepare((*data.Data).LearnScale01).Prepare(variance95).Score(fingerprint)
}

// sameTable compares every score to the last bit, and the texts of the errors.
func sameTable(t *testing.T, got, want *ssdrnb.SweepResult) {
	t.Helper()
	for name, cells := range map[string][2][]ssdrnb.Cell{"unlabelled": {got.Unlabelled, want.Unlabelled}, "test": {got.Test, want.Test}} {
		if len(cells[0]) != len(cells[1]) {
			t.Fatalf("%s: %d cells, want %d", name, len(cells[0]), len(cells[1]))
		}
		for i, w := range cells[1] {
			g := cells[0][i]
			if !slices.EqualFunc(g.Scores, w.Scores, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) || fmt.Sprint(g.Err) != fmt.Sprint(w.Err) {
				t.Errorf("%s, cell %d: %v %v, want %v %v", name, i, g.Scores, g.Err, w.Scores, w.Err)
			}
		}
	}
}

// On Prism a sweep gives the table of the local run and leaves no files behind.
func TestPrism(t *testing.T) {
	want, err := sweep().Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if want.Test[0].Count() != 4 || want.Test[0].Scores[0] == want.Test[1].Scores[0] {
		t.Fatalf("a table without information: %v", want)
	}
	t.Setenv("TMPDIR", t.TempDir())
	for _, r := range []beam.Runner{{OpenPort: true}, {OpenPort: true, Cells: 1}, {OpenPort: true, Cells: 7}, {OpenPort: true, Cells: 100}, {OpenPort: true, Folder: t.TempDir()}} {
		events := 0
		stop := ssdrnb.Observe(func(e ssdrnb.Event) {
			if e.Method == "Sweep" {
				events++
			}
		})
		got, err := sweep().On(r).Run(context.Background())
		stop()
		if err != nil {
			t.Fatal(err)
		}
		sameTable(t, got, want)
		if events != 48 {
			t.Errorf("%d events for 48 fits", events)
		}
		for _, dir := range []string{os.TempDir(), r.Folder} {
			if left, _ := filepath.Glob(filepath.Join(dir, "*")); dir != "" && len(left) > 0 {
				t.Errorf("%+v left %v", r, left)
			}
		}
	}
}

// The job service and the workers run in another process that shares only a folder with this one.
func TestOtherProcess(t *testing.T) {
	endpoint, pool, pid := elsewhere(t)
	far := beam.Runner{Endpoint: endpoint, Environment: beam.External, Config: pool, Folder: t.TempDir()}
	r, err := sweep().Score(whichProcess).On(far).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got := int(r.Test[11].Scores[3]); got != pid {
		t.Fatalf("fitted in process %d, the worker is %d", got, pid)
	}
	want, err := sweep().Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got, err := sweep().On(far).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	sameTable(t, got, want)
}

// The failure of a cell is reported as in a local run.
func TestCellFails(t *testing.T) {
	b := ssdrnb.Sweep(ssdrnb.SDA(), datasets.Iris().KeepLabels(3)).List("neighbors", 4, 200).List("affinity", ssdrnb.Binary, ssdrnb.Heat).Splits(2)
	want, err := b.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.On(beam.Runner{OpenPort: true}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	sameTable(t, got, want)
	var e *ssdrnb.Error
	if err := got.Unlabelled[2].Err; !errors.Is(err, ssdrnb.ErrOption) || !errors.As(err, &e) || e.Param != "neighbors" || e.Value != 200 {
		t.Errorf("got %#v", err)
	}
}

// A cancelled sweep stops soon and keeps its finished cells; the next run continues from there.
func TestCancelled(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path := filepath.Join(t.TempDir(), "sweep.npz")
	b := ssdrnb.Sweep(ssdrnb.LMRAG(), datasets.Wine().Take(15).KeepLabels(3)).Log10("alpha", -2, 2, 1).Log10("beta", -2, 2, 1).Splits(20).File(path)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := ssdrnb.Observe(func(e ssdrnb.Event) {
		if e.Method == "Sweep" && e.Done >= 5 {
			cancel()
		}
	})
	r, err := b.On(beam.Runner{OpenPort: true}).Run(ctx)
	stop()
	if !errors.Is(err, ssdrnb.ErrCancelled) || !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	kept := 0
	for _, c := range r.Unlabelled {
		kept += c.Count()
	}
	if kept < 5 || kept == 500 {
		t.Errorf("%d of 500 fits kept", kept)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	// The next run does the remaining cells.
	again := 0
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	stopAgain := ssdrnb.Observe(func(e ssdrnb.Event) {
		if e.Method == "Sweep" {
			if again == 0 && e.Done != kept+1 {
				t.Errorf("the next run began at %d, %d are kept", e.Done, kept)
			}
			again++
			cancel()
		}
	})
	_, err = b.On(beam.Runner{OpenPort: true}).Run(ctx)
	stopAgain()
	if !errors.Is(err, ssdrnb.ErrCancelled) || again == 0 {
		t.Errorf("%d fits, %v", again, err)
	}
}

// A sweep that cannot run on a cluster is refused before a fit begins. A failure on the cluster is
// an error and does not end the program.
func TestRefused(t *testing.T) {
	literal := func(*ssdrnb.Model, *data.Data) (float64, error) { return 0, nil }
	fails := func(context.Context, *apache.Pipeline) (apache.PipelineResult, error) {
		return nil, io.ErrUnexpectedEOF
	}
	panics := func(context.Context, *apache.Pipeline) (apache.PipelineResult, error) { panic("no --project") }
	nothing := func(context.Context, *apache.Pipeline) (apache.PipelineResult, error) { return nil, nil }
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		b     ssdrnb.SweepBuilder
		r     beam.Runner
		param string
	}{
		"a port that all reach": {sweep(), beam.Runner{}, "OpenPort"},
		"score not registered":  {sweep().Score(unregistered), beam.Runner{OpenPort: true}, "Score"},
		"score without a name":  {sweep().Score(literal), beam.Runner{OpenPort: true}, "Score"},
		"prepare by a literal":  {sweep().Prepare(func(d *data.Data) data.Scaling { return d.LearnPCA(2) }), beam.Runner{OpenPort: true}, "Prepare"},
		"no such environment":   {sweep(), beam.Runner{OpenPort: true, Environment: "moon"}, "Environment"},
		"no folder":             {sweep(), beam.Runner{Endpoint: "localhost:1"}, "Folder"},
		"no configuration":      {sweep(), beam.Runner{OpenPort: true, Environment: beam.External, Folder: t.TempDir()}, "Config"},
		"two runners":           {sweep(), beam.Runner{Submit: fails, Endpoint: "localhost:1"}, "Submit"},
		"no such folder":        {sweep(), beam.Runner{OpenPort: true, Folder: file}, "Folder"},
		"no such file system":   {sweep(), beam.Runner{OpenPort: true, Folder: "moon://crater"}, "Folder"},
		"bad configuration":     {sweep(), beam.Runner{OpenPort: true, Environment: beam.Process, Config: "{", Folder: t.TempDir()}, "Config"},
		"no such program":       {sweep(), beam.Runner{OpenPort: true, Environment: beam.Process, Config: `{"command": "no-such-program"}`, Folder: t.TempDir()}, "Config"},
		"runner fails":          {sweep(), beam.Runner{Submit: fails, Folder: t.TempDir()}, "Runner"},
		"runner panics":         {sweep(), beam.Runner{Submit: panics, Folder: t.TempDir()}, "Runner"},
		"runner does nothing":   {sweep(), beam.Runner{Submit: nothing, Folder: t.TempDir()}, "On"},
		"score panics":          {sweep().Score(panicking), beam.Runner{OpenPort: true}, "Runner"},
	} {
		t.Run(name, func(t *testing.T) {
			var e *ssdrnb.Error
			_, err := c.b.On(c.r).Run(context.Background())
			if !errors.Is(err, ssdrnb.ErrExecutor) || !errors.As(err, &e) || e.Param != c.param {
				t.Errorf("got %v", err)
			}
		})
	}
}

// recorder is a job service that stores the parallelism of a job and refuses it.
type recorder struct {
	jobpb.UnimplementedJobServiceServer
	parallelism float64
}

func (r *recorder) Prepare(_ context.Context, q *jobpb.PrepareJobRequest) (*jobpb.PrepareJobResponse, error) {
	r.parallelism = q.GetPipelineOptions().GetFields()["beam:option:parallelism:v1"].GetNumberValue()
	return nil, errors.New("recorded")
}

// Without a limit, a job has parallelism -1, because Flink refuses 0.
func TestParallelism(t *testing.T) {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	seen, server := &recorder{}, grpc.NewServer()
	jobpb.RegisterJobServiceServer(server, seen)
	go server.Serve(l)
	defer server.Stop()
	for given, want := range map[int]float64{0: -1, 4: 4} {
		r := beam.Runner{Endpoint: l.Addr().String(), Environment: beam.Loopback, Parallelism: given}
		if _, err := sweep().On(r).Run(t.Context()); !errors.Is(err, ssdrnb.ErrExecutor) || !strings.Contains(err.Error(), "recorded") {
			t.Fatal(err)
		}
		if seen.parallelism != want {
			t.Errorf("parallelism %d is sent as %v, want %v", given, seen.parallelism, want)
		}
	}
}

// The version that the module requires is the version of the library beside it.
func TestModule(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if want := "github.com/ssdrnb/ssdrnb v" + ssdrnb.Version + "\n"; !strings.Contains(string(mod), want) {
		t.Errorf("go.mod does not require %s", want)
	}
}

// BenchmarkStart measures the overhead of Prism over the local run, with fits that cost almost
// nothing. The first run of a process starts Prism and is not counted.
func BenchmarkStart(b *testing.B) {
	s := ssdrnb.Sweep(ssdrnb.PCA(), datasets.Iris().KeepLabels(3)).List("dims", 1, 2)
	for name, b2 := range map[string]ssdrnb.SweepBuilder{"local": s, "Prism": s.On(beam.Runner{OpenPort: true})} {
		b.Run(name, func(b *testing.B) {
			began := time.Now()
			if _, err := b2.Run(context.Background()); err != nil {
				b.Fatal(err)
			}
			first := time.Since(began)
			for b.Loop() {
				if _, err := b2.Run(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(first.Milliseconds()), "first-ms")
		})
	}
}

// BenchmarkSweep compares a sweep of some seconds on the processors of this process and on Prism.
func BenchmarkSweep(b *testing.B) {
	s := ssdrnb.Sweep(ssdrnb.LapRLS(), datasets.Digits().Take(60).KeepLabels(3)).Log10("ambient", -6, 6, 2).Log10("intrinsic", -6, 6, 2).Splits(20).Train(0.5)
	for name, b2 := range map[string]ssdrnb.SweepBuilder{"local": s, "Prism": s.On(beam.Runner{OpenPort: true})} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := b2.Run(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
