package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// demand is work whose peak memory goes into the second table.
type demand struct {
	name string
	run  func(ctx context.Context) error
}

var demands = []demand{
	{"graph of 10 neighbours and its 10 lowest eigenvectors, 70,000 in 50-d", embeddingOf(decaying(70000, 50))},
	{"graph of 10 neighbours and its 10 lowest eigenvectors, swiss roll of 70,000", embeddingOf(roll(70000))},
}

func embeddingOf(samples arrays) func(context.Context) error {
	return func(ctx context.Context) error {
		in, err := samples(ctx)
		if err != nil {
			return err
		}
		nb, err := graph.KNN(ctx, in["x"], 10)
		if err != nil {
			return err
		}
		g, err := nb.Graph(graph.Or, graph.Binary())
		if err != nil {
			return err
		}
		_, err = spectral.LaplacianBottom(ctx, g, 10, spectral.Normalized, spectral.Options{})
		return err
	}
}

// work does the work of a name in this process.
func work(name string) error {
	for _, d := range demands {
		if d.name == name {
			return d.run(context.Background())
		}
	}
	return fmt.Errorf("no work is called %q", name)
}

// peak returns the row of some work, which gets a process of its own.
func peak(d demand) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(self, "-work", d.name)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w", d.name, err)
	}
	return fmt.Sprintf("| %s | %.2f |\n", d.name, largest(cmd.ProcessState)/(1<<30)), nil
}
