package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime/pprof"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// demand is work whose time and peak memory are listed in the table of memory. The preparation is
// not timed, but it runs in the same process, so the peak memory includes it.
type demand struct {
	name    string
	prepare func(ctx context.Context) (func() error, error)
}

var demands = []demand{
	{"graph of 10 neighbours and its 10 lowest eigenvectors, 70,000 in 50-d", embeddingOf(decaying(70000, 50))},
	{"graph of 10 neighbours and its 10 lowest eigenvectors, swiss roll of 70,000", embeddingOf(roll(70000))},
}

func embeddingOf(samples arrays) func(context.Context) (func() error, error) {
	return func(ctx context.Context) (func() error, error) {
		in, err := samples(ctx)
		return func() error {
			nb, err := graph.Search(ctx, in["x"], 10, graph.SearchOptions{Method: graph.Exact})
			if err != nil {
				return err
			}
			g, err := nb.Graph(graph.Or, graph.Binary())
			if err != nil {
				return err
			}
			_, err = spectral.LaplacianBottom(ctx, g, 10, spectral.Normalized, spectral.Options{})
			return err
		}, err
	}
}

// work runs the named demand in this process and prints its time in seconds. If profile is not
// empty, a processor profile is written to this file.
func work(name, profile string) error {
	for _, d := range demands {
		if d.name != name {
			continue
		}
		run, err := d.prepare(context.Background())
		if err != nil {
			return err
		}
		if profile != "" {
			file, err := os.Create(profile)
			if err != nil {
				return err
			}
			defer file.Close()
			if err := pprof.StartCPUProfile(file); err != nil {
				return err
			}
			defer pprof.StopCPUProfile()
		}
		began := time.Now()
		err = run()
		fmt.Printf("%.2f", time.Since(began).Seconds())
		return err
	}
	return fmt.Errorf("the table of memory has no work named %q", name)
}

// peak returns the table row for a demand, which runs in a separate process.
func peak(d demand) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(self, "-work", d.name)
	cmd.Stderr = os.Stderr
	seconds, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", d.name, err)
	}
	return fmt.Sprintf("| %s | %s | %.3f |\n", d.name, seconds, largest(cmd.ProcessState)/(1<<30)), nil
}
