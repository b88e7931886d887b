// Command benchmark compares every method of the registry, and the methods of other libraries
// that learn from few labels, on the same draws of the same data, and writes the page
// BENCHMARK.md from the scores that it keeps in a CSV file:
//
//	go run ./notebooks/benchmark -quick
//	SSDRNB_DATA=folder go run ./notebooks/benchmark [-python PYTHON] [-shard 1/8]
//
// A row is written as soon as it is measured. A run that was stopped, at any time, goes on with
// the rows that lack; it loses the one that it was measuring. Several machines share the work by
// -shard k/n, each with a file of its own, and -merge FILE,FILE puts the files together. With
// -draws 0 nothing is measured and the page is written from what is there.
//
// The draws are the outermost loop after the dimensions, so that a run that is stopped leaves as
// many draws of each set, but for the last.
//
// With -recommend, ssdrnb.Recommend is tried on six sets that its expectations have not seen: the
// file of -study keeps what it foretold and what every method reached.
//
// Options are the defaults, and beside them the best of at most eight settings, chosen on labels
// that are hidden from the fits among those that are given: the other labels rate, and choose
// nothing. Sets that are not part of the library are looked for in the folder SSDRNB_DATA; one
// that is missing is named on the page. PYTHON needs umap-learn, openTSNE and scikit-learn.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// plan is what a run measures.
type plan struct {
	draws  int
	labels []int // per class
	dims   []int
	tuned  bool // also with chosen options
	sets   func(set) bool
	only   *regexp.Regexp // methods
	leave  []string       // methods that are left out
	limit  time.Duration  // for one fit
	python string
	shard  shard
}

func main() {
	quick := flag.Bool("quick", false, "small sets, 2 draws of 1, 5 and 20 labels per class, 2 dimensions, default options, without Gaussian processes")
	draws := flag.Int("draws", 20, "draws of training samples and labels; 0 writes the page alone")
	only := flag.String("only", "", "regular expression: only the methods whose name it matches")
	python := flag.String("python", "", "Python with umap-learn, openTSNE and scikit-learn; none leaves them out")
	limit := flag.Duration("limit", 2*time.Minute, "time that a fit may take")
	part := flag.String("shard", "1/1", "k/n: the k-th of n parts of the work")
	merge := flag.String("merge", "", "files of other shards, separated by commas, to be taken over first")
	file := flag.String("file", filepath.Join("notebooks", "benchmark", "results.csv"), "file of the rows")
	priors := flag.String("priors", "", "file of the expectations of ssdrnb.Recommend to be written too, ssdrnb/recommend_priors.go")
	page := flag.String("page", filepath.Join("notebooks", "BENCHMARK.md"), "page to be written")
	recommend := flag.Bool("recommend", false, "try ssdrnb.Recommend instead, on the sets left out of its expectations")
	study := flag.String("study", filepath.Join("notebooks", "benchmark", "recommend.csv"), "file of what -recommend finds")
	flag.Parse()

	p := plan{draws: *draws, labels: []int{1, 2, 5, 10, 20}, dims: []int{2, 10}, tuned: true,
		sets: func(set) bool { return true }, limit: *limit, python: *python}
	if *quick {
		p.draws, p.labels, p.dims, p.tuned = min(p.draws, 2), []int{1, 5, 20}, []int{2}, false
		p.sets = func(s set) bool { return s.quick }
		p.leave = []string{"GP-LVM", "BC-GP-LVM", "SSGP-LVM"} // which take seconds where others take hundredths
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *recommend {
		err = tryRecommend(ctx, p, *study)
	}
	if err == nil {
		if *recommend {
			p.draws = 0 // the page alone
		}
		err = run(ctx, p, *only, *part, *merge, *file, *page, *priors, *study)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, p plan, only, part, merge, file, page, priors, study string) error {
	var err error
	if p.only, err = regexp.Compile(only); err != nil {
		return err
	}
	if p.shard, err = parseShard(part); err != nil {
		return err
	}
	kept, err := openStore(file)
	if err != nil {
		return err
	}
	defer kept.close()
	if merge != "" {
		for _, name := range strings.Split(merge, ",") {
			if err := kept.merge(name); err != nil {
				return err
			}
		}
	}
	missing, err := measure(ctx, p, kept)
	if err != nil {
		return err
	}
	if priors != "" {
		if err := os.WriteFile(priors, []byte(priorsOf(kept.rows)), 0o644); err != nil {
			return err
		}
	}
	tried, err := readTrials(study)
	if err != nil {
		return err
	}
	return writePage(page, kept.rows, tried, missing)
}
