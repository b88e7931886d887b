package beam_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	apache "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/beam"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// Following the advice of each error, with the runner that caused it, gives a sweep.
func TestRemedies(t *testing.T) {
	ctx := context.Background()
	endpoint, pool, _ := elsewhere(t)
	within := func(ctx context.Context, r beam.Runner) error {
		_, err := ssdrnb.Sweep(ssdrnb.LDA(), datasets.Iris().KeepLabels(3).Seed(1)).List("dims", 1, 2).On(r).Run(ctx)
		return err
	}
	run := func(r beam.Runner) error { return within(ctx, r) }
	byFlags := func(ctx context.Context, p *apache.Pipeline) (apache.PipelineResult, error) {
		return prism.Execute(ctx, p)
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	environment := func(e beam.Environment, config, folder string) error {
		return run(beam.Runner{Endpoint: endpoint, Environment: e, Config: config, Folder: folder})
	}
	taken, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, number, _ := net.SplitHostPort(taken.Addr().String())
	port, _ := strconv.Atoi(number)
	serve := func(port int) error {
		_, stop, err := beam.ServeWorkers(ctx, port)
		if err != nil {
			return err
		}
		return stop()
	}
	here := func(config string) error {
		return run(beam.Runner{OpenPort: true, Environment: beam.Process, Config: config, Folder: folder})
	}
	// The named program is not a worker and does nothing, so the runner waits until the context
	// ends. If the program ended at once, Prism would sometimes report a closed channel instead.
	program := filepath.Join(t.TempDir(), "boot")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nexec sleep 5\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	waits := fmt.Sprintf(`{"command": %q}`, program)
	// starts returns nil if a program is started.
	starts := func(endpoint, config string) error {
		short, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		err := within(short, beam.Runner{Endpoint: endpoint, OpenPort: true, Environment: beam.Process, Config: config, Folder: folder})
		if errors.Is(err, ssdrnb.ErrCancelled) {
			return nil
		}
		return err
	}
	advicetest.Everywhere(t, []string{"."}, nil, []advicetest.Case{
		{"two runners", run(beam.Runner{Submit: byFlags, Endpoint: endpoint}), "leave Endpoint and Environment empty", func() error { return run(beam.Runner{Submit: byFlags, Folder: t.TempDir()}) }},
		{"an open port", run(beam.Runner{}), "set OpenPort: true on a network that you trust", func() error { return run(beam.Runner{OpenPort: true}) }},
		{"an open port, otherwise", run(beam.Runner{}), "or Endpoint to a runner elsewhere", func() error {
			return run(beam.Runner{Endpoint: endpoint, Environment: beam.External, Config: pool, Folder: t.TempDir()})
		}},
		{"an unknown environment", environment("moon", "", folder), "choose Loopback, Docker, Process or External", func() error {
			return errors.Join(environment(beam.Loopback, "", folder), environment(beam.External, pool, folder))
		}},
		{"no folder", environment(beam.External, pool, ""), "name a folder that the workers can access", func() error { return environment(beam.External, pool, folder) }},
		{"no program", environment(beam.Process, "", folder), `name the program in JSON, such as {"command": "boot"}`, func() error { return starts(endpoint, waits) }},
		{"a program that is not JSON", here("{"), `name the program in JSON, such as {"command": "boot"}`, func() error { return starts("", waits) }},
		{"a program that is not here", here(`{"command": "no-such-program"}`), "name a program on this computer, with its path", func() error { return starts("", waits) }},
		{"no pool", environment(beam.External, "", folder), "give the host:port that ServeWorkers returns", func() error { return environment(beam.External, pool, folder) }},
		{"a file for a folder", environment(beam.Loopback, "", file), "name a folder that you can write to", func() error { return environment(beam.Loopback, "", folder) }},
		{"no parts", second(beam.Runner{OpenPort: true}.Command(ctx, 0, "true")), "give 1 or more", func() error {
			return second(beam.Runner{OpenPort: true}.Command(ctx, 1, "sh", "-c", "echo > $0", "{file}"))
		}},
		{"no file", second(beam.Runner{OpenPort: true}.Command(ctx, 1, "true")), "have the program write the file {file}", func() error {
			return second(beam.Runner{OpenPort: true}.Command(ctx, 1, "sh", "-c", "echo > $0", "{file}"))
		}},
		{"a taken port", serve(port), "choose a free port", func() error { return serve(0) }},
	})
}
