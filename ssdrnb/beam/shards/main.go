// Command shards runs another program, PROGRAM below, on Apache Beam. PROGRAM must divide its own
// work by an option -shard k/n and write a file named by its option -file. Finally, shards calls
// PROGRAM with the option -merge to merge the files:
//
//	shards -runner prism -parts 4 PROGRAM -quick
//	shards -runner flink:8099 -environment external -config pool:50000 \
//		-folder /shared -parts 64 PROGRAM
//
// notebooks/benchmark is such a program; its option -runner calls this command. The runner is
// prism, which is started in this process, or the host:port of a job service of Flink, Spark or
// Prism. PROGRAM must exist on the workers under the same name.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/beam"
)

func main() {
	runner := flag.String("runner", "prism", "prism, which is started here and listens on all network interfaces, or the host:port of a job service")
	environment := flag.String("environment", "", "how workers are started: loopback, docker, process or external")
	config := flag.String("config", "", "configuration of the environment, see beam.Environment")
	folder := flag.String("folder", "", "folder that this program and the workers can access")
	parts := flag.Int("parts", 2, "number of parts of the work")
	flag.Parse()
	beam.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r := beam.Runner{Environment: beam.Environment(*environment), Config: *config, Folder: *folder}
	if r.OpenPort = *runner == "prism"; !r.OpenPort {
		r.Endpoint = *runner
	}
	if err := run(ctx, r, *parts, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "shards:", err)
		os.Exit(1)
	}
}

// run executes the parts on the workers and merges the results here.
func run(ctx context.Context, r beam.Runner, parts int, command []string) error {
	if len(command) == 0 {
		return fmt.Errorf("name the program after the options")
	}
	own, err := os.MkdirTemp("", "ssdrnb-shards-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(own)
	elsewhere := append(command[1:len(command):len(command)], "-shard", "{part}/{parts}", "-file", "{file}", "-page", os.DevNull)
	found, err := r.Command(ctx, parts, command[0], elsewhere...)
	if err != nil {
		return err
	}
	var names []string
	for k, raw := range found {
		name := filepath.Join(own, fmt.Sprintf("part-%d.csv", k+1))
		if err := os.WriteFile(name, raw, 0o600); err != nil {
			return err
		}
		names = append(names, name)
	}
	merge := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], "-draws", "0", "-merge", strings.Join(names, ","))...)
	merge.Stdout, merge.Stderr = os.Stdout, os.Stderr
	return merge.Run()
}
