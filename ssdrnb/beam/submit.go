package beam

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness/init" // for beam.Init
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Beam's own portable runner reads the job service and the environment from flags, so it can submit
// only one job at a time. It also leaves a job running when its context ends. In this file, the job
// service and the environment come from the Runner, and the end of the context cancels the job.

// Init turns this process into a worker if a cluster started it as one. In a worker, Init does not
// return. Call it first in main, after flag.Parse.
func Init() { initialize() }

// initialize calls beam.Init once. A program that has already called beam.Init controls what Beam
// logs; otherwise Beam logs only warnings and errors.
var initialize = sync.OnceFunc(func() {
	if !beam.Initialized() {
		quietly(beam.Init)
		hushed.Store(true)
		hush()
	}
})

// hushed reports whether Beam logs only warnings and errors.
var hushed atomic.Bool

// hush limits Beam's log to warnings and errors if hushed is set. A worker that starts in this
// process installs its own logger, so its first task must call hush again.
func hush() {
	if hushed.Load() {
		beamlog.SetLogger(warnings{})
	}
}

// warnings is a logger that passes on only Beam's warnings and errors.
type warnings struct{ beamlog.Structural }

// Log implements Beam's Logger.
func (w warnings) Log(ctx context.Context, severity beamlog.Severity, depth int, message string) {
	if severity >= beamlog.SevWarn {
		w.Structural.Log(ctx, severity, depth+1, message)
	}
}

// quietly calls f while the process logs only warnings and errors, and then restores the logger of
// the process. f may keep the logger that it finds or install another one.
func quietly(f func()) {
	logger, out, flags := slog.Default(), log.Writer(), log.Flags()
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	f()
	slog.SetDefault(logger)
	log.SetOutput(out)
	log.SetFlags(flags)
}

// ServeWorkers turns this process into a pool of workers for [External] until stop is called. The
// pool listens on a port of this machine; 0 selects a free port. ServeWorkers returns the pool's
// host:port.
func ServeWorkers(ctx context.Context, port int) (address string, stop func() error, err error) {
	initialize()
	pool, err := extworker.StartLoopback(ctx, port)
	if err != nil {
		return "", nil, &ssdrnb.Error{Method: "ServeWorkers", Param: "port", Value: port, Remedy: "choose a free port", Err: fmt.Errorf("%w: %w", ssdrnb.ErrExecutor, err)}
	}
	return pool.EnvironmentConfig(ctx), func() error { return pool.Stop(ctx) }, nil
}

// embedded returns the job service of Prism in this process. It starts Prism only once.
var embedded = sync.OnceValues(func() (client jobpb.JobServiceClient, err error) {
	quietly(func() { client, err = prism.CreateJobServer(context.Background(), prism.Options{}) })
	return client, err
})

// urns maps environments to Beam's URNs.
var urns = map[Environment]string{
	Loopback: graphx.URNEnvExternal,
	External: graphx.URNEnvExternal,
	Docker:   graphx.URNEnvDocker,
	Process:  graphx.URNEnvProcess,
}

// submit runs the pipeline and waits until it ends.
func (r Runner) submit(ctx context.Context, p *beam.Pipeline) (err error) {
	defer func() {
		// Beam panics if the flags of a runner are missing or inconsistent.
		if e := recover(); e != nil {
			err = fmt.Errorf("%v", e)
		}
	}()
	if r.Submit != nil {
		_, err := r.Submit(ctx, p)
		return err
	}
	config, binary := r.Config, r.Binary
	switch r.Environment {
	case Loopback:
		pool, err := extworker.StartLoopback(context.WithoutCancel(ctx), 0)
		if err != nil {
			return err
		}
		defer pool.Stop(context.WithoutCancel(ctx)) // ends the context of its tasks
		config = pool.EnvironmentConfig(ctx)
	case Docker:
		if config == "" {
			config = core.DefaultDockerImage
		}
	}
	if binary == "" {
		if binary, err = r.program(); err != nil {
			return err
		}
		if r.Environment == Loopback || r.Environment == External {
			defer os.Remove(binary)
		}
	}
	client, hangUp, err := r.dial(ctx)
	if err != nil {
		return err
	}
	defer hangUp()
	return r.run(ctx, client, p, config, binary)
}

// program returns the path of the program for the workers. If the workers already run, program
// returns the path of an empty file, because a job service always expects a program.
func (r Runner) program() (string, error) {
	if r.Environment == Docker || r.Environment == Process {
		return os.Executable()
	}
	f, err := os.CreateTemp("", "ssdrnb-no-worker-")
	if err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// dial connects to the job service.
func (r Runner) dial(ctx context.Context) (jobpb.JobServiceClient, func() error, error) {
	if r.Endpoint == "" {
		client, err := embedded()
		return client, func() error { return nil }, err
	}
	conn, err := grpcx.Dial(ctx, r.Endpoint, 30*time.Second)
	if err != nil {
		return nil, nil, err
	}
	return jobpb.NewJobServiceClient(conn), conn.Close, nil
}

// run submits the pipeline to a job service and waits for it. When ctx ends, run cancels the
// pipeline.
func (r Runner) run(ctx context.Context, client jobpb.JobServiceClient, p *beam.Pipeline, config, binary string) error {
	edges, _, err := p.Build()
	if err != nil {
		return err
	}
	environment, err := graphx.CreateEnvironment(ctx, urns[r.Environment], func(context.Context) string { return config })
	if err != nil {
		return err
	}
	pipeline, err := graphx.Marshal(edges, &graphx.Options{Environment: environment})
	if err != nil {
		return err
	}
	if err := runnerlib.UpdateGoEnvironmentWorker(binary, pipeline); err != nil {
		return err
	}
	options := &runnerlib.JobOptions{Name: "ssdrnb-sweep", Parallelism: r.Parallelism, Loopback: r.Environment == Loopback}
	if options.Parallelism == 0 {
		options.Parallelism = -1 // Flink refuses 0
	}
	id, artifacts, token, err := runnerlib.Prepare(ctx, client, pipeline, options)
	if err != nil {
		return err
	}
	if token, err = runnerlib.Stage(ctx, id, artifacts, binary, token); err != nil {
		return err
	}
	job, err := runnerlib.Submit(ctx, client, id, token)
	if err != nil {
		return err
	}
	err = runnerlib.WaitForCompletion(ctx, client, job)
	if ctx.Err() != nil {
		last, stop := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer stop()
		_, _ = client.Cancel(last, &jobpb.CancelJobRequest{JobId: job})
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s", strings.TrimSpace(err.Error())) // without type traces
	}
	return nil
}
