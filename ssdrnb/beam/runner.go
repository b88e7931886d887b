package beam

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // file system of folders without a URL scheme

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Runner runs the fits of sweeps as Beam pipelines. It is an [ssdrnb.Executor]. If only OpenPort is
// set, the pipelines run on Prism in this process.
type Runner struct {
	// Submit is the Execute function of one of Beam's runner packages, such as dataflow.Execute.
	// Beam's flags configure it. nil selects a portable runner, that is, a runner with a job
	// service.
	Submit func(context.Context, *beam.Pipeline) (beam.PipelineResult, error)
	// Endpoint is the host:port of the job service of a portable runner: Flink, Spark, or Prism as
	// a separate program. An empty Endpoint starts Prism in this process, see OpenPort.
	Endpoint string
	// OpenPort allows Prism to start in this process. Its job service listens on all network
	// interfaces, without authentication, until the process ends: others on the network can run
	// programs as this user. Beam offers no alternative. Set OpenPort only on a network on which
	// you trust every machine, or behind a firewall.
	OpenPort bool
	// Environment selects how a portable runner starts workers. The default is [Loopback] without
	// an Endpoint and [Docker] with one.
	Environment Environment
	// Config configures the environment; see the constants of [Environment].
	Config string
	// Binary is the program that the workers of [Docker] and [Process] run. The default is this
	// program. Build it for the operating system of the workers with CGO_ENABLED=0.
	Binary string
	// Folder is the folder for the sweep and its outcomes. This process and the workers must be
	// able to access it under the same name, and the program must import Beam's package for the
	// file system of the folder. A run removes its files at the end. [Loopback] needs no Folder.
	Folder string
	// Cells is the largest number of cells in a task. A smaller value distributes a small sweep
	// over more workers; a larger value lets more cells share work. 0 means all cells of a draw if
	// there are at least 8 draws, and otherwise the number of values on the last axis.
	Cells int
	// Parallelism is the largest number of tasks that run at a time, for runners that support such
	// a limit. If it is 0, the runner decides.
	Parallelism int
}

// Environment is how a portable runner starts workers.
type Environment string

// The environments of Beam.
const (
	// Loopback makes this process the worker.
	Loopback Environment = "loopback"
	// Docker starts containers of the image named in Config, by default Beam's image for Go.
	Docker Environment = "docker"
	// Process starts the program named in Config, which is JSON such as {"command": "boot"}.
	Process Environment = "process"
	// External uses the worker pool at the host:port in Config, see [ServeWorkers]. The runner
	// looks for the pool on each machine that runs tasks.
	External Environment = "external"
)

var _ ssdrnb.Executor = Runner{}

// fault returns an [*ssdrnb.Error] for a sweep that could not run.
func fault(param string, value any, remedy, format string, args ...any) error {
	return &ssdrnb.Error{Method: "Sweep", Param: param, Value: value, Remedy: remedy, Err: fmt.Errorf("%w: "+format, append([]any{ssdrnb.ErrExecutor}, args...)...)}
}

// check returns the runner with defaults set, or an error if its fields are inconsistent or
// incomplete, or if the program in Config is not found.
func (r Runner) check() (Runner, error) {
	if r.Submit != nil && (r.Endpoint != "" || r.Environment != "") {
		return r, fault("Submit", nil, "leave Endpoint and Environment empty", "the runner of Submit is configured by Beam's flags, not by Endpoint and Environment")
	}
	if r.Environment == "" && r.Submit == nil {
		r.Environment = Loopback
		if r.Endpoint != "" {
			r.Environment = Docker
		}
	}
	if r.Submit == nil && r.Endpoint == "" && !r.OpenPort {
		return r, fault("OpenPort", false, "set OpenPort: true on a network that you trust, or Endpoint to a runner elsewhere",
			"Prism in this process listens on all network interfaces, so others on the network could run programs on this computer")
	}
	switch r.Environment {
	case Loopback, Docker, Process, External, "":
	default:
		return r, fault("Environment", r.Environment, "choose Loopback, Docker, Process or External", "there is no such environment")
	}
	if r.Folder == "" && r.Environment != Loopback {
		return r, fault("Folder", nil, "name a folder that the workers can access", "the workers are other processes and need a shared folder")
	}
	if r.Environment == Process && r.Config == "" {
		return r, fault("Config", nil, `name the program in JSON, such as {"command": "boot"}`, "the environment %q needs the program that starts a worker", r.Environment)
	}
	if r.Environment == Process && r.Endpoint == "" {
		// Reject a program that cannot start, because Prism would wait for it forever.
		var program struct{ Command string }
		if err := json.Unmarshal([]byte(r.Config), &program); err != nil {
			return r, fault("Config", r.Config, `name the program in JSON, such as {"command": "boot"}`, "%w", err)
		}
		if _, err := exec.LookPath(program.Command); err != nil {
			return r, fault("Config", r.Config, "name a program on this computer, with its path", "%w", err)
		}
	}
	if r.Environment == External && r.Config == "" {
		return r, fault("Config", nil, "give the host:port that ServeWorkers returns", "the environment %q needs a pool of workers", r.Environment)
	}
	return r, nil
}

// Execute implements [ssdrnb.Executor].
func (r Runner) Execute(ctx context.Context, job *ssdrnb.SweepJob) error {
	r, err := r.check()
	if err != nil {
		return err
	}
	sweep, err := job.Encode()
	if err != nil {
		return err
	}
	initialize()
	box, err := openMailbox(ctx, r.Folder)
	if err != nil {
		return fault("Folder", r.Folder, "name a folder that you can write to", "%w", err)
	}
	defer box.remove(context.WithoutCancel(ctx))
	defer forget(box.folder)
	if err := box.write(ctx, sweepFile, sweep); err != nil {
		return fault("Folder", r.Folder, "name a folder that you can write to", "%w", err)
	}

	tasks, row := r.tasks(job)
	p, s := beam.NewPipelineWithRoot()
	elements := beam.CreateList(s.Scope("Tasks"), tasks)
	fits := beam.ParDo(s.Scope("Fit"), &fitFn{Folder: box.folder, Row: row}, beam.Reshuffle(s.Scope("Deal"), elements))
	// While a step without output runs, Prism waits in a busy loop. The step Fit therefore has an
	// output, which a further step consumes.
	beam.ParDo0(s.Scope("End"), ignore, beam.Reshuffle(s.Scope("Count"), fits))

	ended := make(chan error, 1)
	go func() { ended <- r.submit(ctx, p) }()
	tick := time.NewTicker(box.interval)
	defer tick.Stop()
	left := map[string]bool{}
	for _, t := range tasks {
		for part := range parts(t, row) {
			left[outcomeFile(part)] = true
		}
	}
	for {
		select {
		case <-tick.C:
			// A file that cannot be read may be incomplete. The next tick reads it again, and the
			// collection at the end reports the error.
			_ = box.collect(ctx, left, job)
		case failure := <-ended:
			err := box.collect(context.WithoutCancel(ctx), left, job)
			switch {
			case ctx.Err() != nil:
				return nil // SweepBuilder.Run returns the error of ctx
			case failure != nil:
				return fault("Runner", nil, "", "%w", failure)
			}
			return err
		}
	}
}

// tasks divides the job into tasks. It also returns `row`, the number of cells whose outcomes a
// worker writes to one file.
func (r Runner) tasks(job *ssdrnb.SweepJob) (tasks []ssdrnb.SweepTask, row int) {
	rows := job.Tasks(0)
	for _, t := range rows {
		row = max(row, len(t.Cells))
	}
	if r.Cells > 0 {
		return job.Tasks(r.Cells), row
	}
	// Beam distributes tasks in random order. Only cells of the same task are certain to share
	// intermediate results of a draw.
	if draws := job.Tasks(math.MaxInt); len(draws) >= 8 {
		return draws, row
	}
	return rows, row
}

// mailbox is the folder through which a run exchanges files with its workers.
type mailbox struct {
	fs        filesystem.Interface
	folder    string
	temporary bool          // whether the folder is temporary
	interval  time.Duration // polling interval
}

// openMailbox returns a new folder for a run. If parent is empty, it creates a temporary folder.
// Otherwise it names a folder in parent, which the first write creates.
func openMailbox(ctx context.Context, parent string) (*mailbox, error) {
	m := &mailbox{interval: 2 * time.Second}
	if parent == "" {
		dir, err := os.MkdirTemp("", "ssdrnb-sweep-")
		if err != nil {
			return nil, err
		}
		m.folder, m.temporary, m.interval = dir, true, 100*time.Millisecond
	} else {
		m.folder = strings.TrimRight(parent, "/") + "/sweep-" + strings.ToLower(rand.Text())
	}
	var err error
	m.fs, err = filesystem.New(ctx, m.folder)
	return m, err
}

func (m *mailbox) write(ctx context.Context, name string, content []byte) error {
	return writeFile(ctx, m.fs, m.folder+"/"+name, content)
}

// collect passes to the job the outcomes that have arrived, and deletes the names of their files
// from the map `left`. It skips a file that cannot be read, and returns the first error.
func (m *mailbox) collect(ctx context.Context, left map[string]bool, job *ssdrnb.SweepJob) error {
	paths, err := m.fs.List(ctx, m.folder+"/*"+outcomeSuffix)
	if err != nil {
		return fault("Folder", m.folder, "", "%w", err)
	}
	for _, path := range paths {
		name := path[strings.LastIndexAny(path, `/\`)+1:]
		if !left[name] {
			continue
		}
		raw, failure := readFile(ctx, m.fs, path)
		if failure == nil {
			failure = job.Put(raw)
		}
		if failure == nil {
			delete(left, name)
		} else if err == nil {
			err = failure
		}
	}
	return err
}

// remove deletes the folder, as far as its file system allows, and closes the file system.
func (m *mailbox) remove(ctx context.Context) {
	defer m.fs.Close()
	if m.temporary {
		os.RemoveAll(m.folder)
		return
	}
	paths, _ := m.fs.List(ctx, m.folder+"/*")
	for _, path := range paths {
		if r, ok := m.fs.(filesystem.Remover); ok {
			_ = r.Remove(ctx, path)
		}
	}
	if !strings.Contains(m.folder, "://") {
		os.Remove(filepath.FromSlash(m.folder)) // object stores have no folders
	}
}

func writeFile(ctx context.Context, fs filesystem.Interface, path string, content []byte) error {
	w, err := fs.OpenWrite(ctx, path)
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return errors.Join(err, w.Close())
}

func readFile(ctx context.Context, fs filesystem.Interface, path string) ([]byte, error) {
	r, err := fs.OpenRead(ctx, path)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(r)
	return raw, errors.Join(err, r.Close())
}
