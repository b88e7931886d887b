// Command benchmark compares all methods in the registry of package ssdrnb, and methods of other
// libraries that learn from few labels. All methods see the same draws of the same data sets. A
// draw selects training samples, test samples and known labels at random. The scores are stored in
// a CSV file, from which the command writes the page BENCHMARK.md:
//
//	go run ./notebooks/benchmark -quick
//	SSDRNB_DATA=folder go run ./notebooks/benchmark [-python PYTHON] [-shard 1/8]
//
// A row is written as soon as it is measured. After an interruption, a run continues with the
// missing rows; only the row in progress is lost. With -shard k/n, several machines can share the
// work, each with its own file. -merge FILE,FILE adds the rows of these files to the file given by
// -file. Rows that a machine could not measure because it lacked a set are measured by a later run
// without -shard. With -draws 0 the page is written from the existing rows.
//
// The outermost loop is over the draws. After an interruption, the numbers of draws of any two sets
// therefore differ by at most one. If a method exceeds the time limit, it is not tried again on as
// many samples or more, unless a later run has a larger limit. Its row contains the reason.
//
// With -runner, workers of Apache Beam measure parts of the work. The benchmark starts the command
// shards of the module ssdrnb/beam with the options that follow the name of the runner:
//
//	go run ./notebooks/benchmark -runner prism
//
// The workers of a cluster run the same program, so build it where all machines find it, and start
// a pool of workers on each machine:
//
//	go build -o /shared/benchmark ./notebooks/benchmark
//	go -C ssdrnb/beam run ./shards -serve 50000
//	/shared/benchmark -runner "flink:8099 -environment external -config localhost:50000 -folder /shared -parts 64 -parallelism 8"
//
// An interrupted run keeps the rows of the finished parts. The next run measures the other parts.
//
// The function ssdrnb.Recommend expects each method to be as accurate as it is in this benchmark.
// With -recommend, Recommend is tested on six sets that are left out of these expectations. The
// file given by -study contains, for each method, the predicted accuracy and the accuracy reached.
//
// Methods use their default options and, in separate rows, the best of at most seven settings. To
// choose the best setting, the benchmark hides some of the given labels from the fits. All other
// labels are used only to rate the methods, and do not influence the choice. Data sets that are not
// part of the library are read from the folder SSDRNB_DATA, and the page lists the missing sets.
// PYTHON needs umap-learn, openTSNE and scikit-learn.
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
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// plan selects the measurements of a run.
type plan struct {
	draws   int
	known   []amount // kinds and amounts of known values, in the order of measurement
	dims    []int
	tuned   bool // also measure chosen options
	sets    func(set) bool
	methods *regexp.Regexp // methods to measure
	cells   *regexp.Regexp // amounts, dimensions and settings to measure; nil for all
	leave   []string       // methods to leave out
	limit   time.Duration  // processor time per fit
	python  string
	shard   shard
	fits    fits
}

func main() {
	quick := flag.Bool("quick", false, "only small sets, 2 draws of 1, 5 and 20 labels per class, 2 dimensions and default options, without Gaussian processes")
	draws := flag.Int("draws", 20, "number of draws of training samples and labels; 0 only writes the page")
	only := flag.String("only", "", "regular expression: only methods whose name matches")
	cells := flag.String("cells", "", `regular expression: only cells whose text matches, such as "labels 5, 2 dimensions, default"`)
	some := flag.String("sets", "", "regular expression: only sets whose name matches")
	python := flag.String("python", "", "Python interpreter with umap-learn, openTSNE and scikit-learn; without one, their methods are left out")
	limit := flag.Duration("limit", 30*time.Second, "processor time that a fit may take")
	part := flag.String("shard", "1/1", "k/n: the k-th of n parts of the work")
	runner := flag.String("runner", "", "run parts of the work on Apache Beam: prism or the host:port of a job service, followed by options of ssdrnb/beam/shards")
	merge := flag.String("merge", "", "files of other shards, separated by commas, whose rows are added first")
	file := flag.String("file", filepath.Join("notebooks", "benchmark", "results.csv"), "file of the rows")
	priors := flag.String("priors", "", "also write the expectations of ssdrnb.Recommend to this file, usually ssdrnb/recommend_priors.go")
	page := flag.String("page", filepath.Join("notebooks", "BENCHMARK.md"), "page to be written")
	recommend := flag.Bool("recommend", false, "test ssdrnb.Recommend instead, on the sets that its expectations do not use")
	study := flag.String("study", filepath.Join("notebooks", "benchmark", "recommend.csv"), "file of the results of -recommend")
	before := flag.String("fits", "", "file of an earlier -study whose fits of methods are reused, so that only Recommend is run again")
	flag.Parse()
	if err := checkOptions(flag.CommandLine); err != nil {
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(2)
	}

	p := plan{draws: *draws, known: amounts, dims: []int{2, 10}, tuned: true,
		sets: func(set) bool { return true }, limit: *limit, python: *python}
	if *quick {
		p.draws, p.known, p.dims, p.tuned = min(p.draws, 2), []amount{{byLabels, 1}, {byLabels, 5}, {byLabels, 20}}, []int{2}, false
		p.sets = func(s set) bool { return s.quick }
		// These methods need seconds where others need hundredths of a second.
		p.leave = []string{"GP-LVM", "BC-GP-LVM", "SSGP-LVM"}
	}
	if *runner != "" {
		if err := runOnWorkers(*runner, *file, *merge); err != nil {
			fmt.Fprintln(os.Stderr, "benchmark: -runner:", err)
			os.Exit(1)
		}
		return
	}
	match, err := regexp.Compile(*some)
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchmark: -sets:", err)
		os.Exit(2)
	}
	if p.cells, err = regexp.Compile(*cells); err != nil {
		fmt.Fprintln(os.Stderr, "benchmark: -cells:", err)
		os.Exit(2)
	}
	if all := p.sets; *some != "" {
		p.sets = func(s set) bool { return all(s) && match.MatchString(s.name) }
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *recommend {
		err = tryRecommend(ctx, p, *study, *before)
	}
	if err == nil {
		if *recommend {
			p.draws = 0 // only write the page
		}
		err = run(ctx, p, *only, *part, *merge, *file, *page, *priors, *study)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(1)
	}
}

// checkOptions returns an error for words and options that have no effect.
func checkOptions(options *flag.FlagSet) error {
	if options.NArg() > 0 {
		return fmt.Errorf("there is no option %q; write -name before a value", options.Arg(0))
	}
	value := func(name string) any { return options.Lookup(name).Value.(flag.Getter).Get() }
	if limit := value("limit").(time.Duration); limit <= 0 {
		return fmt.Errorf("-limit %v allows no fit; give a positive time, such as 30s", limit)
	}
	if draws := value("draws").(int); draws < 0 {
		return fmt.Errorf("-draws %d is negative; give 0 or more", draws)
	}
	runs, recommends := value("runner") != "", value("recommend") == true
	var err error
	options.Visit(func(f *flag.Flag) {
		switch {
		case runs && f.Name == "shard":
			err = errors.New("-shard has no effect with -runner, which makes the parts itself; leave out one of the two")
		case runs && f.Name == "recommend":
			err = errors.New("-recommend does not run on the workers of -runner; leave out one of the two")
		case recommends && slices.Contains([]string{"quick", "only", "cells", "sets", "python", "shard"}, f.Name):
			err = fmt.Errorf("-%s has no effect with -recommend, which always has the same cells and methods; leave out one of the two", f.Name)
		case !recommends && f.Name == "fits":
			err = errors.New("-fits has no effect without -recommend; add it")
		}
	})
	return err
}

// runOnWorkers adds the rows of other shards to the file. Then it runs the command shards, which
// runs this program on the workers of runner.
func runOnWorkers(runner, file, merge string) error {
	kept, err := merged(file, merge)
	if err != nil {
		return err
	}
	if err := kept.close(); err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	// A terminal interrupts both processes. Wait until the command has merged the finished parts.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	command := shardsCommand(runner, program, here, flag.CommandLine)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	return command.Run()
}

// shardsCommand returns the command line that runs the command shards with the given runner,
// program and other options. It makes paths absolute: they are relative to the folder `here`, but
// the command runs in another folder.
func shardsCommand(runner, program, here string, options *flag.FlagSet) *exec.Cmd {
	absolute := func(name string) string {
		if name == "" || filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(here, name)
	}
	arguments := append([]string{"-C", filepath.Join("ssdrnb", "beam"), "run", "./shards", "-runner"}, strings.Fields(runner)...)
	arguments = append(arguments, "-rows", absolute(options.Lookup("file").Value.String()), program)
	paths := []string{"file", "page", "study", "priors", "fits"}
	options.Visit(func(f *flag.Flag) {
		value := f.Value.String()
		switch {
		case f.Name == "runner", f.Name == "merge", slices.Contains(paths, f.Name):
			return
		case f.Name == "python" && strings.ContainsRune(value, filepath.Separator): // otherwise a program in PATH
			value = absolute(value)
		}
		arguments = append(arguments, "-"+f.Name+"="+value)
	})
	for _, name := range paths {
		if value := options.Lookup(name).Value.String(); value != "" {
			arguments = append(arguments, "-"+name+"="+absolute(value))
		}
	}
	command := exec.Command("go", arguments...)
	command.Env = append(os.Environ(), "SSDRNB_DATA="+absolute(os.Getenv("SSDRNB_DATA")))
	return command
}

// merged opens the store in a file, and adds the rows of other files, separated by commas.
func merged(file, others string) (*store, error) {
	kept, err := openStore(file)
	if err != nil || others == "" {
		return kept, err
	}
	for _, name := range strings.Split(others, ",") {
		if err := kept.merge(name); err != nil {
			return nil, errors.Join(err, kept.close())
		}
	}
	return kept, nil
}

func run(ctx context.Context, p plan, only, part, merge, file, page, priors, study string) error {
	var err error
	if p.methods, err = regexp.Compile(only); err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if p.shard, err = parseShard(part); err != nil {
		return err
	}
	kept, err := merged(file, merge)
	if err != nil {
		return err
	}
	defer kept.close()
	if err := measure(ctx, p, kept, machinesFile(file)); err != nil {
		return err
	}
	if priors != "" {
		text, err := priorsOf(kept.rows)
		if err != nil {
			return fmt.Errorf("-priors: %w", err)
		}
		if err := files.WriteBytes(priors, []byte(text)); err != nil {
			return err
		}
	}
	tried, err := readTrials(study)
	if err != nil {
		return err
	}
	return writePage(page, machinesFile(file), kept.rows, tried)
}
