package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// unseen lists the sets on which Recommend is tested. The expectations that Recommend uses (see
// priorsOf) are computed without these sets, as TestUnseen checks.
var unseen = []string{"balance", "letters A–E", "control charts", "arcs", "oil", "USPS"}

// studied bounds the number of samples of a set in the study, training and held-out samples
// together.
const studied = 400

// trial contains the score that Recommend predicted for a method in a draw, and the score that the
// method reached.
type trial struct {
	set          string
	labels, draw int
	method       string
	place        int // rank by Recommend, 1 for the best
	// estimate ± spread is the accuracy that Recommend predicts. fits is the number of fits of the
	// method on which the prediction is based.
	estimate, spread float64
	fits             int
	// accuracy is the accuracy on the unlabelled samples, 0 after a failure.
	accuracy float64
	// seconds is the elapsed time of the method's fit to all given labels. recommending is the
	// elapsed time of Recommend, which is the same in all rows of a draw.
	seconds, recommending float64
}

var trialColumns = []string{"set", "labels", "draw", "method", "place", "estimate", "error", "fits", "accuracy", "seconds", "recommending"}

func (t *trial) record() []string {
	g := func(v float64) string { return strconv.FormatFloat(v, 'g', 5, 64) }
	return []string{t.set, strconv.Itoa(t.labels), strconv.Itoa(t.draw), t.method, strconv.Itoa(t.place), g(t.estimate), g(t.spread),
		strconv.Itoa(t.fits), g(t.accuracy), g(t.seconds), g(t.recommending)}
}

// place identifies a draw of the study.
type place struct {
	set          string
	labels, draw int
}

func (t *trial) at() place { return place{t.set, t.labels, t.draw} }

// readTrials reads a file of trials, which need not exist. If an interrupted write left the last
// line incomplete, its whole draw is left out, because the rows of a draw are used together.
func readTrials(name string) ([]trial, error) {
	lines, cut, err := wholeLines(name, trialColumns)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	records, err := below(lines, trialColumns)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var out []trial
	for k, record := range records {
		t := trial{set: record[0], method: record[3]}
		for j, to := range map[int]*int{1: &t.labels, 2: &t.draw, 4: &t.place, 7: &t.fits} {
			v, e := strconv.Atoi(record[j])
			*to, err = v, errors.Join(err, e)
		}
		for j, to := range map[int]*float64{5: &t.estimate, 6: &t.spread, 8: &t.accuracy, 9: &t.seconds, 10: &t.recommending} {
			v, e := strconv.ParseFloat(record[j], 64)
			*to, err = v, errors.Join(err, e)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", name, k+1, err)
		}
		out = append(out, t)
	}
	if cut && len(out) > 0 {
		last := out[len(out)-1].at()
		out = slices.DeleteFunc(out, func(t trial) bool { return t.at() == last })
	}
	return out, nil
}

// writeTrials replaces a file of trials.
func writeTrials(name string, all []trial) error {
	text := []byte(line(trialColumns))
	for _, t := range all {
		text = append(text, line(t.record())...)
	}
	return files.WriteBytes(name, text)
}

// tryRecommend adds the missing draws to the file with the path `name`, one after the other.
// Results of fits to all given labels are taken from the file with the path `fits`, if it has them.
func tryRecommend(ctx context.Context, p plan, name, fits string) error {
	all, err := readTrials(name)
	if err != nil {
		return err
	}
	type of struct {
		place
		method string
	}
	known := map[of]trial{}
	if fits != "" {
		earlier, err := readTrials(fits)
		if err != nil {
			return err
		}
		for _, t := range earlier {
			known[of{t.at(), t.method}] = t
		}
	}
	done := map[place]bool{}
	for _, t := range all {
		done[t.at()] = true
	}
	if err := writeTrials(name, all); err != nil { // write the file before the long work begins
		return err
	}
	loaded := map[string]*data.Data{}
	for draw := range p.draws {
		for _, labels := range []int{5, 2, 10} {
			for _, s := range sets {
				here := place{s.name, labels, draw}
				if !slices.Contains(unseen, s.name) || done[here] {
					continue
				}
				if loaded[s.name] == nil {
					loaded[s.name] = s.load()
				}
				if loaded[s.name].Err() != nil {
					continue
				}
				s.most = min(s.most, studied)
				train, _ := s.draw(loaded[s.name], amount{byLabels, labels}, draw)
				if train == nil {
					continue
				}
				rows, err := trials(ctx, train, p.limit, func(method string) (trial, bool) {
					t, ok := known[of{here, method}]
					return t, ok
				})
				if err != nil {
					return err
				}
				for _, t := range rows {
					t.set, t.labels, t.draw = s.name, labels, draw
					all = append(all, t)
				}
				if err := writeTrials(name, all); err != nil {
					return err
				}
				fmt.Fprintf(os.Stderr, "%s, %d labels per class, draw %d: Recommend took %.1f s\n", s.name, labels, draw+1, rows[0].recommending)
			}
		}
	}
	return nil
}

// trials calls Recommend with its default budget. Then it fits each ranked method to all given
// labels if the result is not known.
func trials(ctx context.Context, train *data.Data, limit time.Duration, known func(method string) (trial, bool)) ([]trial, error) {
	// Recommend must not use the labels by which its ranking is rated.
	blind := *train
	blind.Truth = train.Labels
	r, err := ssdrnb.Recommend(ctx, &blind, 0)
	if err != nil {
		return nil, err
	}
	var out []trial
	for k, one := range r.Ranked {
		t := trial{method: one.Spec.Method().Name, place: k + 1, estimate: one.Accuracy, spread: one.Error, fits: one.Fits, recommending: r.Took.Seconds()}
		if before, ok := known(t.method); ok {
			if t.accuracy, t.seconds = before.accuracy, before.seconds; one.Fits > 0 {
				t.seconds = one.Time.Seconds() // the time of this run, not of the run that measured the accuracy
			}
			out = append(out, t)
			continue
		}
		within, stop := context.WithTimeout(ctx, limit)
		began := time.Now()
		m, err := fitSpec(within, one.Spec.Fresh(), train, 2)
		t.seconds = time.Since(began).Seconds()
		stop()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			if t.accuracy, err = ssdrnb.NearestNeighbor(m, nil); err != nil {
				return nil, err
			}
		}
		out = append(out, t)
	}
	return out, nil
}

// recommended writes the results of Recommend on sets that were not used for its expectations.
func recommended(line func(string, ...any), tried []trial) {
	if len(tried) == 0 {
		return
	}
	cells := map[place][]trial{}
	draws := map[string]map[int]bool{}
	for _, t := range tried {
		cells[t.at()] = append(cells[t.at()], t)
		if draws[t.set] == nil {
			draws[t.set] = map[int]bool{}
		}
		draws[t.set][t.draw] = true
	}
	var sets []string
	least, most := math.MaxInt, 0
	for _, s := range unseen {
		if n := len(draws[s]); n > 0 {
			sets = append(sets, s)
			least, most = min(least, n), max(most, n)
		}
	}
	var amounts []int
	for _, t := range tried {
		amounts = append(amounts, t.labels)
	}
	slices.Sort(amounts)
	amounts = slices.Compact(amounts)
	span := strconv.Itoa(least)
	if most > least {
		span += " to " + strconv.Itoa(most)
	}
	line("## How good is the advice of Recommend?\n")
	line("`ssdrnb.Recommend` hides some of the given labels, fits methods on the rest, and combines their scores with the scores of this benchmark, its prior. Here it ran with its default budget on %d data sets that are not in the prior (%s). Each has at most %d samples and %s draws of labels: %d cells in all. `go run ./notebooks/benchmark -recommend` adds more cells. The goals were 20 draws; a choice within 0.02 of the best method and ahead of every single method; an estimate of accuracy with a mean error within 0.03; and at most 20 times the time of one fit of S2NE. Times were taken on a shared machine, on one core.\n",
		len(sets), strings.Join(sets, ", "), studied, span, len(cells))
	// figures contains the scores of the selected cells, one value per cell in each slice.
	type figures struct {
		choice, best, bias, off, ratio []float64
		method                         map[string][]float64
	}
	summary := func(labels int) figures {
		f := figures{method: map[string][]float64{}}
		// The trials are read in the order of the file, so that sums are reproducible bit for bit.
		last := place{}
		for _, t := range tried {
			k := t.at()
			if k == last || labels > 0 && k.labels != labels {
				continue
			}
			last = k
			best, s2ne := 0.0, math.NaN()
			for _, one := range cells[k] {
				f.method[one.method] = append(f.method[one.method], one.accuracy)
				best = max(best, one.accuracy)
				if one.method == "S2NE" {
					s2ne = one.seconds
				}
				if one.place == 1 {
					f.choice = append(f.choice, one.accuracy)
					f.bias = append(f.bias, one.estimate-one.accuracy)
					f.off = append(f.off, math.Abs(one.estimate-one.accuracy))
				}
			}
			f.best = append(f.best, best)
			f.ratio = append(f.ratio, cells[k][0].recommending/s2ne)
		}
		return f
	}
	line("| labels per class | cells | choice of Recommend | best of each cell | best single method | mean of estimate − accuracy | mean absolute difference | median time, in fits of S2NE |")
	line("|--:|--:|--:|--:|---|--:|--:|--:|")
	for _, l := range append(amounts, 0) {
		f := summary(l)
		name, top := "", math.Inf(-1)
		for _, m := range singles(f.method, len(f.choice)) {
			if v := mean(f.method[m]); v > top {
				name, top = m, v
			}
		}
		what := strconv.Itoa(l)
		if l == 0 {
			what = "all"
		}
		line("| %s | %d | %.3f | %.3f | %s %.3f | %+.3f | %.3f | %.1f |", what, len(f.choice), mean(f.choice), mean(f.best), name, top, mean(f.bias), mean(f.off), middle(f.ratio))
	}
	f := summary(0)
	here, all := advised(tried)
	line("\nThe best method of a cell is known only afterwards. Its score is the largest of about fifty random scores, so part of its lead is chance. A fairer reference is the method that is best on the *other* draws of the same set with the same number of labels. It reaches %.3f. The choice of Recommend is %.3f below the best of each cell: %.3f of this is chance, and %.3f is the price of not knowing the set. Among the methods that Recommend fitted, the one that is best on the other draws reaches %.3f.\n",
		all, mean(f.best)-mean(f.choice), mean(f.best)-all, all-mean(f.choice), here)
	ahead, level, behind := 0, 0, 0
	var closest []string
	names := singles(f.method, len(f.choice))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(mean(f.method[b]), mean(f.method[a])) })
	for _, m := range names {
		switch d := mean(f.choice) - mean(f.method[m]); {
		case d > 0:
			ahead++
		case d < 0:
			behind++
		default:
			level++
		}
	}
	for _, m := range names[:min(5, len(names))] {
		closest = append(closest, fmt.Sprintf("%s %.3f", m, mean(f.method[m])))
	}
	line("\nThe alternative is to use the same method everywhere. In the mean over all cells, the choice of Recommend is better than %d methods used everywhere, equal to %d and worse than %d. The best methods used everywhere are %s.\n\nRecommend takes the method with the highest prior mean unless another one is ahead by more than %.2f. This margin, and the factors that the priors of methods share, were chosen on the first five draws. Without a margin, the accuracy over all draws is %.3f. If the margin is chosen on five of the sets and applied to the sixth, the mean accuracy is %.3f.\n", ahead, level, behind, strings.Join(closest, ", "), studiedMargin, choiceBy(tried, 0, unseen), leftOut(tried))
	for _, l := range amounts {
		if lacking := unranked(tried, l); len(lacking) > 0 {
			line("With %d labels per class, these methods were not ranked: %s.\n", l, strings.Join(lacking, ", "))
		}
	}
	if fresh := slices.DeleteFunc(slices.Clone(tried), func(t trial) bool { return t.draw < studiedDraws }); len(fresh) > 0 {
		var own, s2ne []float64
		for _, t := range fresh {
			if t.place == 1 {
				own = append(own, t.accuracy)
			}
			if t.method == "S2NE" {
				s2ne = append(s2ne, t.accuracy)
			}
		}
		_, all := advised(fresh)
		line("No decision used the draws from the %dth on (%d cells). There, the choice of Recommend reaches %.3f, S2NE %.3f, and the method that is best on the other draws %.3f.\n", studiedDraws+1, len(own), mean(own), mean(s2ne), all)
	}
	reliability(line, tried)
}

// unranked returns the methods that were ranked only with other numbers of labels per class.
func unranked(tried []trial, labels int) []string {
	here, all := map[string]bool{}, map[string]bool{}
	for _, t := range tried {
		all[t.method] = true
		if t.labels == labels {
			here[t.method] = true
		}
	}
	var out []string
	for m := range all {
		if !here[m] {
			out = append(out, m)
		}
	}
	slices.Sort(out)
	return out
}

// advised returns two mean accuracies over all cells (set, number of labels and draw). Each cell
// uses the method that is best on the other draws of the same set and number of labels. The result
// `fitted` uses only the methods that Recommend fitted in the cell.
func advised(tried []trial) (fitted, all float64) {
	type group struct {
		set    string
		labels int
	}
	sum := map[group]map[string]float64{}
	for _, t := range tried {
		p := group{t.set, t.labels}
		if sum[p] == nil {
			sum[p] = map[string]float64{}
		}
		sum[p][t.method] += t.accuracy
	}
	var best [2][]float64
	for from := 0; from < len(tried); {
		to := from + 1
		for to < len(tried) && tried[to].set == tried[from].set && tried[to].labels == tried[from].labels && tried[to].draw == tried[from].draw {
			to++
		}
		cell := tried[from:to]
		for which := range best {
			top, reached := math.Inf(-1), 0.0
			for _, t := range cell {
				if which == 0 && t.fits == 0 {
					continue
				}
				if v := rounded(sum[group{t.set, t.labels}][t.method] - t.accuracy); v > top {
					top, reached = v, t.accuracy
				}
			}
			best[which] = append(best[which], reached)
		}
		from = to
	}
	return mean(best[0]), mean(best[1])
}

// studiedMargin is the margin that Recommend uses, see choiceBy for its meaning. Its value was
// chosen on the first studiedDraws draws.
const studiedMargin = 0.05

// studiedDraws is the number of draws per set on which two decisions were based: the margin, and
// the use of common factors of related methods.
const studiedDraws = 5

var margins = []float64{0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.15}

// choiceBy returns the mean accuracy of the method that Recommend would rank first with the given
// margin. The mean is over the draws of the given sets. The method is S2NE, which has the highest
// expectation, unless the estimate of another fitted method is higher by more than the margin.
func choiceBy(tried []trial, margin float64, sets []string) float64 {
	var reached []float64
	best := math.Inf(-1)
	for k, t := range tried {
		if k == 0 || t.set != tried[k-1].set || t.labels != tried[k-1].labels || t.draw != tried[k-1].draw {
			best = math.Inf(-1)
			if slices.Contains(sets, t.set) {
				reached = append(reached, 0)
			}
		}
		v := t.estimate
		if t.method == "S2NE" {
			v = rounded(v + margin)
		}
		if slices.Contains(sets, t.set) && t.fits > 0 && v > best {
			best, reached[len(reached)-1] = v, t.accuracy
		}
	}
	return mean(reached)
}

// leftOut returns the mean accuracy if each set uses the margin that is best on the other sets.
func leftOut(tried []trial) float64 {
	cells := map[string]map[[2]int]bool{}
	for _, t := range tried {
		if cells[t.set] == nil {
			cells[t.set] = map[[2]int]bool{}
		}
		cells[t.set][[2]int{t.labels, t.draw}] = true
	}
	sum, all := 0.0, 0.0
	for _, set := range unseen {
		others := slices.DeleteFunc(slices.Clone(unseen), func(s string) bool { return s == set })
		best := slices.MaxFunc(margins, func(a, b float64) int {
			return cmp.Compare(choiceBy(tried, a, others), choiceBy(tried, b, others))
		})
		if n := float64(len(cells[set])); n > 0 {
			sum, all = sum+n*choiceBy(tried, best, []string{set}), all+n
		}
	}
	return sum / all
}

// singles lists the methods with results in all cells, in alphabetical order.
func singles(by map[string][]float64, cells int) []string {
	var out []string
	for m, v := range by {
		if len(v) == cells {
			out = append(out, m)
		}
	}
	slices.Sort(out)
	return out
}

// reliability writes a table of the predicted accuracy and the accuracy reached, for the methods
// that Recommend ranked first and for all methods that it fitted.
func reliability(line func(string, ...any), tried []trial) {
	line("The next table compares estimated and actual accuracy in bins of the estimate, for the chosen methods and for all methods that Recommend fitted. The last column is the share of fitted methods whose accuracy is within two of the stated standard errors of the estimate. It should be 0.95.\n")
	line("| estimate | choices | mean estimate | mean accuracy | methods fitted | mean estimate | mean accuracy | within 2 errors |")
	line("|---|--:|--:|--:|--:|--:|--:|--:|")
	for k := range 11 {
		var first, reachedFirst, all, reached, within []float64
		for _, t := range tried {
			if k < 10 && min(int(10*t.estimate), 9) != k {
				continue
			}
			if t.place == 1 {
				first, reachedFirst = append(first, t.estimate), append(reachedFirst, t.accuracy)
			}
			if t.fits > 0 {
				all, reached = append(all, t.estimate), append(reached, t.accuracy)
				in := 0.0
				if math.Abs(t.estimate-t.accuracy) <= 2*t.spread {
					in = 1
				}
				within = append(within, in)
			}
		}
		if len(first)+len(all) == 0 {
			continue
		}
		f := func(v []float64) string {
			if len(v) == 0 {
				return "–"
			}
			return fmt.Sprintf("%.3f", mean(v))
		}
		what := "all"
		if k < 10 {
			what = fmt.Sprintf("%.1f–%.1f", float64(k)/10, float64(k+1)/10)
		}
		line("| %s | %d | %s | %s | %d | %s | %s | %s |", what, len(first), f(first), f(reachedFirst), len(all), f(all), f(reached), f(within))
	}
	line("")
}
