// Command shards runs another program, PROGRAM below, on Apache Beam. PROGRAM must accept three
// options: -shard k/n (do part k of n of the work), -file (write the results of this part to this
// file) and -page (write a page to this file; shards passes the null device). After all parts,
// shards calls PROGRAM with the options -draws 0 (compute nothing) and -merge (merge these
// comma-separated files of the parts):
//
//	shards -runner prism -parts 4 PROGRAM -quick
//
// notebooks/benchmark is such a program; its option -runner calls this command. The runner is
// prism, which is started in this process, or the host:port of a job service of Flink, Spark or
// Prism. PROGRAM must exist on the workers under the same name.
//
// In the environment external, a pool starts the workers. The runner looks for the pool on the
// machine that runs a task, so start a pool on every machine of the cluster. All machines must
// share the folder; give its absolute path:
//
//	shards -serve 50000
//	shards -runner flink:8099 -environment external -config localhost:50000 \
//		-folder /shared -parts 64 -parallelism 8 PROGRAM
//
// -parallelism, an option of Beam, is the number of parts that Flink runs at a time. Without it,
// Flink uses the number in its configuration, or 1.
//
// If a part fails or shards is interrupted, shards still merges the parts that have ended. The
// option -rows FILE names a file of earlier results. The workers then call PROGRAM with the option
// -merge and a copy of FILE, so that PROGRAM computes only the results that FILE lacks.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/ssdrnb/ssdrnb/ssdrnb/beam"
)

func main() {
	runner := flag.String("runner", "prism", "prism, which is started here and listens on all network interfaces, or the host:port of a job service")
	environment := flag.String("environment", "", "how workers are started: loopback, docker, process or external")
	config := flag.String("config", "", "configuration of the environment, see beam.Environment")
	folder := flag.String("folder", "", "folder that this program and the workers can access")
	parts := flag.Int("parts", 2, "number of parts of the work")
	rows := flag.String("rows", "", "file of earlier results; the workers pass it to PROGRAM with the option -merge")
	serve := flag.Int("serve", -1, "only serve as a pool of workers on this port of this machine, for -environment external; 0 selects a free port")
	flag.Parse()
	beam.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *serve >= 0 {
		if err := pool(ctx, *serve); err != nil {
			fmt.Fprintln(os.Stderr, "shards: -serve:", err)
			os.Exit(1)
		}
		return
	}
	r := beam.Runner{Environment: beam.Environment(*environment), Config: *config, Folder: *folder, Parallelism: max(*jobopts.Parallelism, 0)}
	if r.OpenPort = *runner == "prism"; !r.OpenPort {
		r.Endpoint = *runner
	}
	if err := run(ctx, r, *parts, *rows, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "shards:", err)
		os.Exit(1)
	}
}

// pool serves workers until ctx ends.
func pool(ctx context.Context, port int) error {
	address, stop, err := beam.ServeWorkers(context.WithoutCancel(ctx), port)
	if err != nil {
		return err
	}
	fmt.Println("workers at", address)
	<-ctx.Done()
	return stop()
}

// run executes the parts on the workers and merges the results here. If rows is the path of an
// existing file, the parts compute only the results that this file lacks.
func run(ctx context.Context, r beam.Runner, parts int, rows string, command []string) error {
	if len(command) == 0 {
		return fmt.Errorf("name the program after the options")
	}
	own, err := os.MkdirTemp("", "ssdrnb-shards-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(own)
	elsewhere := append(command[1:len(command):len(command)], "-shard", "{part}/{parts}", "-file", "{file}", "-page", os.DevNull)
	switch raw, err := os.ReadFile(rows); {
	case rows == "" || errors.Is(err, os.ErrNotExist):
	case err != nil:
		return err
	default:
		// The workers read a copy of the file, which is stored in a folder that they can access.
		earlier := filepath.Join(own, "earlier.csv")
		if r.Folder != "" {
			earlier = filepath.Join(r.Folder, filepath.Base(own)+".csv")
			defer os.Remove(earlier)
		}
		if err := os.WriteFile(earlier, raw, 0o644); err != nil {
			return err
		}
		elsewhere = append(elsewhere, "-merge", earlier)
	}
	found, failure := r.Command(ctx, parts, command[0], elsewhere...)
	var names []string
	for k, raw := range found {
		if raw == nil {
			continue // the part has not ended
		}
		name := filepath.Join(own, fmt.Sprintf("part-%d.csv", k+1))
		if err := os.WriteFile(name, raw, 0o600); err != nil {
			return errors.Join(failure, err)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return failure
	}
	merge := exec.Command(command[0], append(command[1:len(command):len(command)], "-draws", "0", "-merge", strings.Join(names, ","))...)
	merge.Stdout, merge.Stderr = os.Stdout, os.Stderr
	return errors.Join(failure, merge.Run())
}
