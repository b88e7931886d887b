package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// Times of Opinions, Suggest and Suspicions from given neighbours. A separate row times the search
// for neighbours.

// timedSets are the data sets; load returns samples and the classes from which labels are drawn.
var timedSets = []struct {
	name string
	load func(ctx context.Context) (*mat.Dense, []int, error)
}{
	{"30 components of MNIST, 70,000", func(ctx context.Context) (*mat.Dense, []int, error) {
		d := file("mnist_70000", false)(nil)
		if err := d.Err(); err != nil {
			return nil, nil, err
		}
		m, err := ssdrnb.PCA().Dims(30).FitContext(ctx, d)
		if err != nil {
			return nil, nil, err
		}
		return m.Embedding(), d.Labels, nil
	}},
	{"ten groups in 16-d, 1,000,000", func(context.Context) (*mat.Dense, []int, error) {
		x, of := groupsIn(1_000_000, 16, 10)
		return x, of, nil
	}},
}

// groupsIn draws n samples with unit variance around normally distributed centres with standard
// deviation 1.2. It returns the samples and the group of each.
func groupsIn(n, features, groups int) (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(44, 0))
	centres := mat.NewDense(groups, features, nil)
	for k := range groups {
		for j := range features {
			centres.Set(k, j, 1.2*r.NormFloat64())
		}
	}
	x, of := mat.NewDense(n, features, nil), make([]int, n)
	for i := range n {
		of[i] = r.IntN(groups)
		for j := range features {
			x.Set(i, j, centres.At(of[i], j)+r.NormFloat64())
		}
	}
	return x, of
}

// knowledgeTimes writes the table of the sets whose name matches.
func knowledgeTimes(match *regexp.Regexp) (string, error) {
	var out strings.Builder
	say := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		fmt.Print(text)
		out.WriteString(text)
	}
	ctx := context.Background()
	heading := "\nKnowledge, times from given neighbours, one run each.\n\n| samples | work | seconds | of processors |\n|---|---|---|---|\n"
	for _, set := range timedSets {
		name := "Knowledge, times, " + set.name
		if !match.MatchString(name) {
			continue
		}
		x, truth, err := set.load(ctx)
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: %s is left out: %v\n", name, err)
			continue
		}
		say("%s", heading)
		heading = ""
		clock := func(what string, run func() error) error {
			began, busy := time.Now(), processorTime()
			if err := run(); err != nil {
				return fmt.Errorf("%s, %s: %w", name, what, err)
			}
			say("| %s | %s | %.2f | %.2f |\n", set.name, what, time.Since(began).Seconds(), processorTime()-busy)
			return nil
		}
		var nb *graph.Neighbors
		if err := clock("14 neighbours, searched for", func() (err error) {
			nb, err = graph.Search(ctx, x, 14, graph.SearchOptions{})
			return err
		}); err != nil {
			return "", err
		}
		given := data.FromNeighbors(nb.K, nb.Index, nb.Dist)
		order := rand.New(rand.NewPCG(1, 1)).Perm(len(truth))
		labelled := func(m int) *data.Data {
			labels := slices.Repeat([]int{data.Unlabelled}, len(truth))
			for _, i := range order[:m] {
				labels[i] = truth[i]
			}
			return given.WithLabels(labels)
		}
		for _, m := range []int{10, 100, 1000} {
			d := labelled(m)
			if err := clock(fmt.Sprintf("Opinions of %d labels", m), func() error {
				_, err := ssdrnb.Opinions(ctx, d)
				return err
			}); err != nil {
				return "", err
			}
		}
		for _, m := range []int{0, 100} {
			d := labelled(m)
			if err := clock(fmt.Sprintf("ten suggestions at %d labels", m), func() error {
				_, err := ssdrnb.Suggest(ctx, d, 10)
				return err
			}); err != nil {
				return "", err
			}
		}
		d := labelled(1000)
		if err := clock("Suspicions of 1,000 labels", func() error {
			_, err := ssdrnb.Suspicions(ctx, d)
			return err
		}); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}
