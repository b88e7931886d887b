// Command bench times the library and its peers (NumPy, SciPy, scikit-learn, GPy, pynndescent,
// hnswlib, pyamg, umap-learn, openTSNE) on the same arrays in the same run. It writes a Markdown
// table.
//
//	go run ./ssdrnb/bench -python PYTHON [-engine openblas,avx2] [-only REGEXP] [-rounds 5]
//		[-draws 5] [-processor] [-out FILE]
//
// PYTHON is a Python interpreter with scikit-learn and the peers of the requested lines. A round
// runs the peer and every engine once, one after another, so that other work on the machine affects
// all of them alike. The table lists the medians, over the rounds, of the time in seconds and of
// the ratio of two times in the same round. The library and the peer each return a number; the two
// must agree, so that the same result is timed. With -processor, seconds are processor times over
// all threads, for a shared machine. lines.go, layouts.go, methods.go, search.go and spectral.go
// define the lines of the table, and peer.py the functions of the peers. If the peer takes more
// than a minute, there is only one round, and the name of the line says so. MNIST is read from the
// folder SSDRNB_DATA. -draws is the number of random draws of labels or target values for tables of
// scores.
//
// The other tables are:
//
//   - time and peak memory of work in a separate process, see memory.go;
//   - hidden labels predicted from embeddings by S2NE, umap-learn and openTSNE, see scores.go;
//     -scores FILE keeps the scores of the peers, so that a run can be continued;
//   - embeddings without labels, rated by their neighbourhood hit, see hits.go;
//   - S2LAE and its relatives compared with LAE and LLE with few labels, see fewlabels.go;
//   - reading of table files compared with DuckDB and pandas, see survey.go;
//   - clusters and communities compared with hdbscan and leidenalg from the same neighbours, see
//     groups.go;
//   - predicted classes compared with LabelSpreading and SelfTraining, suggested labels compared
//     with random labels, modAL and small-text, suspected labels compared with cleanlab, see
//     knowledge.go, and the times of these functions, see knowledge_time.go;
//   - embeddings with numeric targets compared with umap-learn, PLS and ridge regression, see
//     targets.go.
//
// Two options replace these tables and do not need Python. -null REPETITIONS prints how often noise
// and planted groups get each grade of [ssdrnb.AgainstNull]. -inverse prints the distance between
// held-out samples and the result of [ssdrnb.Model.Inverse].
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/folders"
)

func main() {
	python := flag.String("python", "python3", "Python interpreter with scikit-learn and the other peers")
	engines := flag.String("engine", blas.Name(), "matrix engines, separated by commas: openblas, avx2, gonum")
	only := flag.String("only", "", "regular expression: run only the lines of all tables whose name it matches")
	rounds := flag.Int("rounds", 5, "number of rounds")
	out := flag.String("out", filepath.Join("ssdrnb", "bench", "RESULTS.md"), "file for the table")
	alone := flag.String("work", "", "do only the work with this name in the memory table")
	profile := flag.String("profile", "", "file for the processor profile of -work")
	processor := flag.Bool("processor", false, "measure processor time instead of wall-clock time")
	draws := flag.Int("draws", 5, "number of draws of labels or target values in the tables of scores")
	cache := flag.String("scores", defaultScores(), "file that keeps the scores of the peers in the table of S2NE")
	null := flag.Int("null", 0, "only grade data of known truth against noise, with this number of repetitions")
	inverse := flag.Bool("inverse", false, "only compare held-out samples with the results of Inverse at their positions")
	flag.Parse()
	if err := checkCounts(*null, *draws, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	if *null > 0 || *inverse {
		match, err := regexp.Compile(*only)
		switch {
		case err != nil:
		case *inverse:
			err = writeInverse(match)
		default:
			err = writeNull(*null, match)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if *alone != "" {
		if err := work(*alone, *profile); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*python, strings.Split(*engines, ","), *only, *rounds, *processor, *out, *draws, *cache); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// checkCounts returns an error if the number of repetitions, draws or rounds is too small to give a
// result.
func checkCounts(null, draws, rounds int) error {
	switch {
	case null < 0:
		return fmt.Errorf("-null %d: give at least 1", null)
	case draws < 1:
		return fmt.Errorf("-draws %d: give at least 1", draws)
	case rounds < 1:
		return fmt.Errorf("-rounds %d: give at least 1", rounds)
	}
	return nil
}

func run(python string, engines []string, only string, rounds int, processor bool, out string, draws int, cache string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	for _, e := range engines {
		if err := blas.Use(e); err != nil {
			return err
		}
	}
	p, err := startPeer(python)
	if err != nil {
		return err
	}
	defer p.close()
	p.processor = processor
	versions, err := p.text("versions")
	if err != nil {
		return err
	}
	var table strings.Builder
	fmt.Fprintf(&table, "# Beside the peers\n\n%s, %s/%s, %d processors; %s. Medians over %d rounds, written by `go run ./ssdrnb/bench`; a ratio below 1 is faster than the peer.%s\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), versions, rounds, map[bool]string{true: " Seconds are processor time."}[processor])
	table.WriteString("| line | peer | peer, s |")
	for _, e := range engines {
		fmt.Fprintf(&table, " %s, s | ratio |", e)
	}
	table.WriteString("\n|---|---|---|" + strings.Repeat("---|---|", len(engines)) + "\n")
	fmt.Print(table.String())
	for _, l := range lines {
		if !match.MatchString(l.name) {
			continue
		}
		row, err := measure(l, p, engines, rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		fmt.Print(row)
		table.WriteString(row)
	}
	heading := "\n| work | seconds | peak memory, GiB |\n|---|---|---|\n"
	for _, d := range demands {
		if !match.MatchString(d.name) {
			continue
		}
		row, err := peak(d)
		if err != nil {
			return err
		}
		fmt.Print(heading + row)
		table.WriteString(heading + row)
		heading = ""
	}
	rated, err := scores(p, versions, match, draws, cache)
	if err != nil {
		return err
	}
	table.WriteString(rated)
	hit, err := hits(p, match, draws)
	if err != nil {
		return err
	}
	table.WriteString(hit)
	few, err := fewLabels(match, draws)
	if err != nil {
		return err
	}
	table.WriteString(few)
	known, err := knowledgeOf(p, match, draws)
	if err != nil {
		return err
	}
	table.WriteString(known)
	took, err := knowledgeTimes(match)
	if err != nil {
		return err
	}
	table.WriteString(took)
	grouped, err := groups(p, match, rounds)
	if err != nil {
		return err
	}
	table.WriteString(grouped)
	read, err := tables(p, match)
	if err != nil {
		return err
	}
	table.WriteString(read)
	valued, err := targets(p, match, draws)
	if err != nil {
		return err
	}
	table.WriteString(valued)
	return files.WriteBytes(out, []byte(table.String()))
}

// defaultScores returns the default of the option -scores: a file in the user's cache folder, or in
// the folder for temporary files if the cache folder is unknown.
func defaultScores() string {
	dir, err := folders.Cache()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "ssdrnb", "bench-scores.json")
}

// settle is a pause before each run. The threads of OpenBLAS spin for a while after a call and
// would slow down the next run.
const settle = 300 * time.Millisecond

// patience is the time of the peer, in seconds, above which a line gets only one round.
const patience = 60

// measure returns the table row of a line.
func measure(l line, p *peer, engines []string, rounds int) (string, error) {
	ctx := context.Background()
	in, err := l.arrays(ctx)
	if err != nil {
		return "", err
	}
	if err := p.load(in); err != nil {
		return "", err
	}
	var theirs, values, wanted []float64
	ours, ratios := make([][]float64, len(engines)), make([][]float64, len(engines))
	for range rounds {
		time.Sleep(settle)
		seconds, want, err := p.run(l.peer)
		if err != nil {
			return "", err
		}
		theirs, wanted = append(theirs, seconds), append(wanted, want)
		for e, name := range engines {
			if err := blas.Use(name); err != nil {
				return "", err
			}
			time.Sleep(settle)
			// Collect earlier garbage before the clock starts. If it were collected before the
			// pause, Go would return memory to the system during the pause and request it again in
			// the run.
			runtime.GC()
			began := p.clock()
			got, err := l.ours(ctx, in)
			t := p.clock() - began
			if err != nil {
				return "", err
			}
			if l.check != nil {
				got = l.check(in)
			}
			values = append(values, got)
			if diff := got - want; !(max(diff, -diff) <= l.tolerance*max(want, -want)) {
				return "", fmt.Errorf("%s gives the check value %.12g, but the peer gives %.12g", name, got, want)
			}
			ours[e], ratios[e] = append(ours[e], t), append(ratios[e], t/seconds)
		}
		if theirs[0] > patience {
			break
		}
	}
	name := l.name
	if l.check != nil {
		name += fmt.Sprintf(", recall %.3f here and %.3f there", median(values), median(wanted))
	}
	if len(theirs) < rounds {
		name += " (one round)"
	}
	row := fmt.Sprintf("| %s | %s | %.3f |", name, l.label, median(theirs))
	for e := range engines {
		row += fmt.Sprintf(" %.3f | %.2f |", median(ours[e]), median(ratios[e]))
	}
	return row + "\n", nil
}

func median(v []float64) float64 {
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}
