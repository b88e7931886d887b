package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// accuracy returns the score by which methods are ranked: the share of hidden labels that the
// nearest labelled sample in the map predicts correctly. For methods without a map, it is the share
// that the method itself predicts correctly. For a target, the score is R². After a failure, it is
// 0.
func (r row) accuracy() float64 {
	switch {
	case r.Failure != "":
		return 0
	case !math.IsNaN(r.Near):
		return r.Near
	}
	return r.Own
}

// table contains the means of one score over the draws, by set and method. The number of labels,
// the number of dimensions and the setting are fixed.
type table struct {
	sets, methods []string
	values        [][]float64 // by set, then by method
}

// tabulate returns a table of the scores that the function figure returns for the rows. It uses
// only rows for which takesPart returns true. A set is left out if it has fewer than 90 % of the
// methods of another set. Methods without a score on a remaining set are left out too. If no method
// is left, the table is empty.
func tabulate(rows []row, takesPart func(row) bool, figure func(row) float64) table {
	sum, count := map[[2]string]float64{}, map[[2]string]float64{}
	inSets, inMethods := map[string]bool{}, map[string]bool{}
	for _, r := range rows {
		if v := figure(r); takesPart(r) && !math.IsNaN(v) {
			k := [2]string{r.Set, r.Method}
			sum[k] += v
			count[k]++
			inSets[r.Set], inMethods[r.Method] = true, true
		}
	}
	var t table
	// After an interrupted run, some methods have not been measured on a set. If this set were in
	// the table, these methods would have to be left out.
	most := 0.0
	of := map[string]float64{}
	for k := range count {
		of[k[0]]++
		most = max(most, of[k[0]])
	}
	for _, s := range sets {
		if inSets[s.name] && of[s.name] >= 0.9*most {
			t.sets = append(t.sets, s.name)
		}
	}
	for m := range inMethods {
		if !slices.ContainsFunc(t.sets, func(s string) bool { return count[[2]string{s, m}] == 0 }) {
			t.methods = append(t.methods, m)
		}
	}
	if len(t.methods) == 0 {
		return table{}
	}
	slices.Sort(t.methods)
	for _, s := range t.sets {
		line := make([]float64, len(t.methods))
		for k, m := range t.methods {
			line[k] = rounded(sum[[2]string{s, m}] / count[[2]string{s, m}])
		}
		t.values = append(t.values, line)
	}
	return t
}

// column returns the values of a method, one for each set.
func (t table) column(method string) []float64 {
	k := slices.Index(t.methods, method)
	out := make([]float64, len(t.values))
	for i, line := range t.values {
		out[i] = line[k]
	}
	return out
}

// rounded removes rounding errors, so that the same scores in a different order give the same
// result. The scores in the file have six digits.
func rounded(v float64) float64 { return math.Round(v*1e9) / 1e9 }

// differences returns the elements of a minus those of b, and the numbers of positive, zero and
// negative differences.
func differences(a, b []float64) (d []float64, win, tie, loss int) {
	for k := range a {
		v := rounded(a[k] - b[k])
		d = append(d, v)
		switch {
		case v > 0:
			win++
		case v < 0:
			loss++
		default:
			tie++
		}
	}
	return d, win, tie, loss
}

// mean returns the rounded mean of the values that are not NaN, or NaN if there are none.
func mean(v []float64) float64 {
	sum, n := 0.0, 0
	for _, x := range v {
		if !math.IsNaN(x) {
			sum += x
			n++
		}
	}
	return rounded(sum / float64(n))
}

// middle is the median of the values that are not NaN.
func middle(v []float64) float64 {
	v = slices.DeleteFunc(slices.Clone(v), math.IsNaN)
	if len(v) == 0 {
		return math.NaN()
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// machinesFile returns the name of the file of machines that belongs to the given file of rows. The
// file of machines contains one line per machine, day and combination of software versions.
func machinesFile(rows string) string { return strings.TrimSuffix(rows, ".csv") + ".machines.txt" }

// noteMachine adds a line to the file of machines unless it already contains the line.
func noteMachine(name, peers string) error {
	text := fmt.Sprintf("%s: %s/%s, %d processors, %s", time.Now().UTC().Format("2 January 2006"), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	if peers != "" {
		text += "; " + peers
	}
	raw, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if slices.Contains(strings.Split(string(raw), "\n"), text) {
		return nil
	}
	return files.WriteBytes(name, append(raw, text+"\n"...))
}

func writePage(name, machines string, rows []row, tried []trial) error {
	raw, err := os.ReadFile(machines)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return files.WriteBytes(name, []byte(pageOf(rows, tried, string(raw))))
}

func pageOf(rows []row, tried []trial, machines string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Which method for few labels?\n")
	line("If only a few samples of each class have a label, which method finds the labels of the others? This page compares all methods of the library, and methods of other libraries, on the same data and the same random choices of labels. *In short* has the answer; the last section explains what each number counts. The page is written by `go run ./notebooks/benchmark`; do not edit.\n")
	amounts, dims := amountsOf(rows, byLabels)
	if len(rows) == 0 {
		line("Nothing is measured yet.")
		return b.String()
	}
	var names, missing []string
	most := 0
	for _, s := range sets {
		seen := false
		for _, r := range rows {
			if r.Set == s.name {
				most, seen = max(most, r.Draw+1), true
			}
		}
		if seen {
			names = append(names, s.name)
		} else {
			missing = append(missing, s.name)
		}
	}
	line("Measured so far: %s on %d of %d sets (%s), at most %s each.\n", nouns.Count(len(rows), "row"), len(names), len(sets), strings.Join(names, ", "), nouns.Count(most, "draw"))
	if len(missing) > 0 {
		line("Not measured: %s.\n", strings.Join(missing, ", "))
	}
	lines := strings.Split(strings.TrimSpace(machines), "\n")
	for _, text := range lines {
		// A line that names no other libraries is redundant if another line of the same day and
		// machine names them.
		more := func(other string) bool { return strings.HasPrefix(other, text+";") }
		if text != "" && !slices.ContainsFunc(lines, more) {
			line("Machine: %s.\n", text)
		}
	}
	labelled := len(amounts) > 0
	if labelled {
		advise(line, rows, amounts, dims[0])
		for _, d := range dims {
			rankings(line, rows, amounts, d)
		}
		compared(line, rows, amounts, dims[0])
		bySet(line, rows, dims[0])
	}
	otherTasks(line, rows)
	if labelled {
		figures(line, rows, dims[0])
	}
	choices(line, rows)
	revised(line, rows)
	dominated(line, rows)
	failures(line, rows)
	recommended(line, tried)
	line("## How it was measured\n")
	line("- **Draws.** A draw takes at most the number of samples that `sets.go` states for the set. Of each class, 70 %% are training samples and 30 %% are held out. The stated number of training samples of each class keep their labels. All methods see the same draws. A set takes part if each class has enough samples.")
	line("- **Hidden labels** are used only for the scores. Options are the defaults. *Chosen* options are the best of at most seven settings, compared on a hidden part of the given labels, and require at least %d labels per class.", validated)
	line("- **A fit that exceeds** the limit of processor time counts as a failure, and is not tried again on as many samples or more.")
	line("- **Accuracy** is the share of unlabelled training samples that have the class of the nearest labelled sample in the map. For methods without a map, it is the share that the method classifies correctly. A failed fit counts as 0. *Held out* is the accuracy on new samples. *Probe* is the accuracy of a linear classifier on the map (ridge regression of class indicators).")
	line("- **Mean ranks** are over the sets, and rank 1 is the best. Two methods differ significantly in Nemenyi's test at the 5 %% level if their mean ranks differ by the critical difference (CD) or more. The p of Friedman's test is the probability that ranks as uneven as these arise by chance. Pairs of methods are compared by Wilcoxon's signed-rank test, corrected by Holm, and by the Bayesian signed-rank test of Benavoli et al., in which differences below 0.01 are practically equal.")
	line("- **Trustworthiness** is computed for 10 neighbours. *Kept* is the share of nearest neighbours in the data that are also nearest neighbours in the map. Both are computed on at most %d evenly spaced samples. *Calibration* is the expected calibration error of probabilities in ten bins; smaller is better. *Time* is the median processor time of a fit in seconds.", structural)
	line("- `features` is the baseline that uses the features without a map, and `opinions` uses the predictions of `ssdrnb.Opinions` without a map. Some methods have fewer dimensions than requested, for example one for two classes. They are rated in these dimensions.")
	return b.String()
}

// amountsOf returns the distinct amounts of labels (or other known values) and the distinct numbers
// of dimensions in the rows of a task.
func amountsOf(rows []row, task string) (labels, dims []int) {
	for _, r := range rows {
		if r.Task == task {
			labels, dims = append(labels, r.Amount), append(dims, r.Dims)
		}
	}
	slices.Sort(labels)
	slices.Sort(dims)
	return slices.Compact(labels), slices.Compact(dims)
}

// rowFilter returns a filter for rows with the given number of labels, number of dimensions and
// setting. The methods in flat are measured only in `first` dimensions, and pass the filter for any
// dims.
func rowFilter(labels, dims, first int, setting string) func(row) bool {
	return func(r row) bool {
		return r.Task == byLabels && r.Amount == labels && r.Setting == setting && (r.Dims == dims || r.Dims == first && slices.Contains(flat, r.Method))
	}
}

// advise writes the five best methods of each kind, by number of labels.
func advise(line func(string, ...any), rows []row, labels []int, dims int) {
	line("## In short\n")
	line("The five best methods of each kind by mean rank over the sets, with their mean accuracy: the share of hidden labels found. A method is listed only if at most 5 %% of its fits failed.\n")
	line("| labels per class | all maps | maps that embed new samples | linear maps | methods without labels |")
	line("|--:|---|---|---|---|")
	for _, l := range labels {
		t := tabulate(rows, rowFilter(l, dims, dims, usual), row.accuracy)
		if len(t.sets) == 0 {
			continue
		}
		ranked, _ := friedman(t.values)
		maps, held, fails, seen := map[string]bool{}, map[string]bool{}, map[string]float64{}, map[string]float64{}
		for _, r := range rows {
			if r.Task == byLabels && r.Amount == l && r.Setting == usual {
				maps[r.Method] = maps[r.Method] || !math.IsNaN(r.Trust)
				held[r.Method] = held[r.Method] || !math.IsNaN(r.Trust) && !math.IsNaN(r.NearHeld)
				seen[r.Method]++
				if r.Failure != "" {
					fails[r.Method]++
				}
			}
		}
		best := func(fits func(m *ssdrnb.Method, name string) bool) string {
			order := make([]int, 0, len(t.methods))
			for k, name := range t.methods {
				if fits(methodOf(name), name) && fails[name] <= seen[name]/20 {
					order = append(order, k)
				}
			}
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranked[a], ranked[b]) })
			var out []string
			for _, k := range order[:min(5, len(order))] {
				out = append(out, fmt.Sprintf("%s %.3f", t.methods[k], mean(t.column(t.methods[k]))))
			}
			return strings.Join(out, ", ")
		}
		line("| %d | %s | %s | %s | %s |", l,
			best(func(_ *ssdrnb.Method, name string) bool { return maps[name] }),
			best(func(_ *ssdrnb.Method, name string) bool { return held[name] }),
			best(func(m *ssdrnb.Method, _ string) bool { return m != nil && m.Shape == ssdrnb.Linear }),
			best(func(m *ssdrnb.Method, name string) bool {
				return m != nil && m.Uses == ssdrnb.NoKnowledge || name == "umap-learn" || name == "openTSNE"
			}))
	}
	line("")
}

// methodOf returns the method of the registry with the given name, or nil for other methods.
func methodOf(name string) *ssdrnb.Method {
	for _, m := range ssdrnb.Methods() {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// rankings writes the table of the mean ranks of the methods over the sets, by number of labels.
func rankings(line func(string, ...any), rows []row, labels []int, dims int) {
	_, all := amountsOf(rows, byLabels)
	line("## Mean ranks of accuracy in %d dimensions\n", dims)
	line("On each set the methods are ranked by their accuracy, 1 for the best. The table has the means of these ranks over the sets. Two methods differ clearly if their mean ranks differ by at least the critical difference (CD) in the last row.\n")
	type column struct {
		at map[string]float64
		p  float64
		t  table
	}
	var columns []column
	head, rule := "| method |", "|---|"
	names := map[string]bool{}
	for _, l := range labels {
		t := tabulate(rows, rowFilter(l, dims, all[0], usual), row.accuracy)
		if len(t.sets) == 0 {
			continue
		}
		ranked, p := friedman(t.values)
		c := column{map[string]float64{}, p, t}
		for k, m := range t.methods {
			c.at[m] = ranked[k]
			names[m] = true
		}
		columns = append(columns, c)
		head += fmt.Sprintf(" %d per class |", l)
		rule += "--:|"
	}
	overall := func(name string) float64 {
		var v []float64
		for _, c := range columns {
			if r, ok := c.at[name]; ok {
				v = append(v, r)
			}
		}
		return mean(v)
	}
	line("%s mean |\n%s--:|", head, rule)
	better := func(a, b string) int { return cmp.Or(cmp.Compare(overall(a), overall(b)), strings.Compare(a, b)) }
	for _, m := range slices.SortedFunc(maps.Keys(names), better) {
		text := "| " + m + " |"
		for _, c := range columns {
			if r, ok := c.at[m]; ok {
				text += fmt.Sprintf(" %.1f |", r)
			} else {
				text += " – |"
			}
		}
		line("%s %.1f |", text, overall(m))
	}
	foot := "| *CD, p* |"
	for _, c := range columns {
		foot += fmt.Sprintf(" *%.1f, %s* |", critical(len(c.t.methods), len(c.t.sets)), chance(c.p))
	}
	line("%s |\n", foot)
	if len(columns) > 0 {
		line("%d methods on %d sets.\n", len(columns[0].t.methods), len(columns[0].t.sets))
	}
}

func chance(p float64) string {
	switch {
	case math.IsNaN(p):
		return "–"
	case p < 0.001:
		return "p < .001"
	}
	return fmt.Sprintf("p = %.3f", p)
}

// compared compares the map that has the best mean rank with each of the next seven maps, by number
// of labels.
func compared(line func(string, ...any), rows []row, labels []int, dims int) {
	line("## Pairs of the leading maps\n")
	line("The map that has the best mean rank is compared with each of the next ones. A positive difference means that the first map finds more hidden labels. *Win–tie–loss* counts sets. The last column has the probabilities that the first map is better, equal within 0.01, or worse.\n")
	for _, l := range labels {
		t := tabulate(rows, func(r row) bool {
			return rowFilter(l, dims, dims, usual)(r) && (r.Failure != "" || !math.IsNaN(r.Trust))
		}, row.accuracy)
		if len(t.sets) < 3 || len(t.methods) < 2 {
			continue
		}
		ranked, _ := friedman(t.values)
		order := make([]int, len(t.methods))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranked[a], ranked[b]) })
		order = order[:min(8, len(order))]
		best := t.column(t.methods[order[0]])
		var p []float64
		var lines []string
		for _, k := range order[1:] {
			difference, win, tie, loss := differences(best, t.column(t.methods[k]))
			p = append(p, wilcoxon(difference))
			better, equal, worse := signedRank(difference, 0.01)
			lines = append(lines, fmt.Sprintf("| %s | %+.3f | %d–%d–%d | %%s | %.2f, %.2f, %.2f |", t.methods[k], mean(difference), win, tie, loss, better, equal, worse))
		}
		line("**%d per class**, %s against\n", l, t.methods[order[0]])
		line("| method | mean difference | win–tie–loss | Wilcoxon, Holm | better, equal, worse |\n|---|--:|--:|--:|--:|")
		for k, v := range holm(p) {
			line(lines[k], chance(v))
		}
		line("")
	}
}

// figures writes the means of all scores over sets, labels and draws.
func figures(line func(string, ...any), rows []row, dims int) {
	line("## All figures in %d dimensions\n", dims)
	line("Means of the fits that succeeded, over sets, labels per class and draws. A method that fits only the easy sets therefore has high means: see the column *failed*.\n")
	line("| method | accuracy | held out | probe | probe, held out | own classes | trustworthiness | kept | calibration | time | failed |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	by := map[string][]row{}
	for _, r := range rows {
		if r.Setting == usual && (r.Dims == dims || slices.Contains(flat, r.Method)) {
			if r.Task == byLabels {
				by[r.Method] = append(by[r.Method], r)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		text, failed := "| "+name+" |", 0
		columns := make([][]float64, 9)
		for _, r := range by[name] {
			if r.Failure != "" {
				failed++
				continue
			}
			for k, v := range r.numbers() {
				columns[k] = append(columns[k], *v)
			}
		}
		for k, v := range columns {
			m := mean(v)
			switch {
			case k == 8 && !math.IsNaN(m):
				text += " " + duration(middle(v)) + " |"
			case math.IsNaN(m):
				text += " – |"
			default:
				text += fmt.Sprintf(" %.3f |", m)
			}
		}
		line("%s %d of %d |", text, failed, len(by[name]))
	}
	line("")
}

func duration(seconds float64) string {
	switch {
	case seconds >= 10:
		return fmt.Sprintf("%.0f", seconds)
	case seconds >= 0.1:
		return fmt.Sprintf("%.2f", seconds)
	}
	return fmt.Sprintf("%.4f", seconds)
}

// choices compares chosen options with the defaults in the same cells.
func choices(line func(string, ...any), rows []row) {
	type pair struct{ usual, chosen map[string][]float64 }
	before := map[key]row{}
	for _, r := range rows {
		if r.Setting == usual {
			before[r.key] = r
		}
	}
	by := map[string]*pair{}
	cells := map[key]bool{}
	for _, r := range rows {
		if r.Setting != chosen {
			continue
		}
		k := r.key
		k.Setting = usual
		if u, ok := before[k]; ok {
			p := by[r.Method]
			if p == nil {
				p = &pair{map[string][]float64{}, map[string][]float64{}}
				by[r.Method] = p
			}
			p.usual[r.Set] = append(p.usual[r.Set], u.accuracy())
			p.chosen[r.Set] = append(p.chosen[r.Set], r.accuracy())
			k.Method = ""
			cells[k] = true
		}
	}
	if len(by) == 0 {
		return
	}
	line("## Chosen options against the defaults\n")
	line("Mean accuracy over the sets with the default options, and with options chosen on a hidden part of the given labels, in %d cells. A failed fit counts as 0. p is from Wilcoxon's test over the sets, corrected by Holm.\n", len(cells))
	line("| method | default | chosen | gain | sets | win–tie–loss | p |\n|---|--:|--:|--:|--:|--:|--:|")
	type result struct {
		name           string
		usual, chosen  float64
		gains          []float64
		win, tie, loss int
	}
	var all []result
	var p []float64
	for name, v := range by {
		r := result{name: name}
		var u, c []float64
		for _, s := range sets {
			if len(v.usual[s.name]) > 0 {
				u, c = append(u, mean(v.usual[s.name])), append(c, mean(v.chosen[s.name]))
			}
		}
		r.gains, r.win, r.tie, r.loss = differences(c, u)
		r.usual, r.chosen = mean(u), mean(c)
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b result) int {
		return cmp.Or(cmp.Compare(b.chosen-b.usual, a.chosen-a.usual), strings.Compare(a.name, b.name))
	})
	for _, r := range all {
		p = append(p, wilcoxon(r.gains))
	}
	p = holm(p)
	for k, r := range all {
		line("| %s | %.3f | %.3f | %+.3f | %d | %d–%d–%d | %s |", r.name, r.usual, r.chosen, r.chosen-r.usual, len(r.gains), r.win, r.tie, r.loss, chance(p[k]))
	}
	line("")
}

// clearGain is the mean gain that a setting must have, on each half of the sets, to be a clear
// improvement. The function revised checks further conditions.
const clearGain = 0.02

// revised tests, for each method, whether a tried setting is a better default. The best setting of
// a method is chosen on one half of the sets and rated on the other half.
func revised(line func(string, ...any), rows []row) {
	before := map[key]row{}
	for _, r := range rows {
		if r.Setting == usual {
			before[r.key] = r
		}
	}
	half := map[string]int{}
	for _, s := range sets {
		if !s.target {
			half[s.name] = len(half) % 2
		}
	}
	type at struct{ method, options string }
	gains := map[at][2]map[string][]float64{}
	parts := map[at]map[[2]int][2]map[string][]float64{} // gains by labels per class and dimensions
	for _, r := range rows {
		k := r.key
		k.Setting = usual
		if u, ok := before[k]; ok && strings.HasPrefix(r.Setting, trying) && r.Options != "" {
			a := at{r.Method, r.Options}
			g, ok := gains[a]
			if !ok {
				g = [2]map[string][]float64{{}, {}}
				gains[a] = g
			}
			gain := r.accuracy() - u.accuracy()
			g[half[r.Set]][r.Set] = append(g[half[r.Set]][r.Set], gain)
			if parts[a] == nil {
				parts[a] = map[[2]int][2]map[string][]float64{}
			}
			p, ok := parts[a][[2]int{r.Amount, r.Dims}]
			if !ok {
				p = [2]map[string][]float64{{}, {}}
				parts[a][[2]int{r.Amount, r.Dims}] = p
			}
			p[half[r.Set]][r.Set] = append(p[half[r.Set]][r.Set], gain)
		}
	}
	if len(gains) == 0 {
		return
	}
	over := func(by map[string][]float64) (gain float64, won, n int) {
		var v []float64
		for _, s := range sets {
			if g := by[s.name]; len(g) > 0 {
				v = append(v, mean(g))
				if mean(g) > 0 {
					won++
				}
			}
		}
		return mean(v), won, len(v)
	}
	best := map[string]at{}
	for a, g := range gains {
		v, _, n := over(g[0])
		b, known := best[a.method]
		top, _, _ := over(gains[b][0])
		if n > 0 && (!known || v > top || v == top && a.options < b.options) {
			best[a.method] = a
		}
	}
	var order []at
	for _, a := range best {
		_, _, others := over(gains[a][1])
		if v, _, _ := over(gains[a][0]); v >= clearGain && others > 0 {
			order = append(order, a)
		}
	}
	slices.SortFunc(order, func(a, b at) int {
		x, _, _ := over(gains[a][0])
		y, _, _ := over(gains[b][0])
		return cmp.Or(cmp.Compare(y, x), strings.Compare(a.method, b.method))
	})
	line("## Are there better defaults?\n")
	line("For each method, the table lists the setting with the largest mean gain over the default on one half of the sets, if this gain is %.2f or more, and the gain of the setting on the other half. The improvement is clear if three conditions hold: the gain is also %.2f or more on the other half; it is positive on at least three quarters of the sets of each half; and it is %.2f or more on both halves at each measured number of labels and dimensions.\n", clearGain, clearGain, clearGain)
	found := 0
	line("| method | setting | gain on the first half | sets won | gain on the second half | sets won | clear |\n|---|---|--:|--:|--:|--:|---|")
	for _, a := range order {
		x, won, n := over(gains[a][0])
		y, again, m := over(gains[a][1])
		clear := ""
		if y >= clearGain && 4*won >= 3*n && 4*again >= 3*m {
			clear = "yes"
			found++
		}
		for _, p := range parts[a] {
			for _, side := range p {
				if v, _, _ := over(side); clear == "yes" && v < clearGain {
					clear = "not everywhere"
					found--
				}
			}
		}
		line("| %s | %s | %+.3f | %d of %d | %+.3f | %d of %d | %s |", a.method, a.options, x, won, n, y, again, m, clear)
	}
	line("")
	if found == 0 {
		line("No improvement is clear, so the defaults stay as they are.\n")
	}
}

// dominated lists the methods that another map equals or beats in nearly all cells.
func dominated(line func(string, ...any), rows []row) {
	// share is the largest share of cells in which a listed method may be ahead of the other map,
	// and least is the smallest number of cells for such a comparison.
	const share, least = 0.05, 30
	by := map[string]map[key]float64{}
	for _, r := range rows {
		if r.Task == byLabels && r.Setting == usual && r.Failure == "" && !math.IsNaN(r.Trust) {
			k := r.key
			k.Method = ""
			if by[r.Method] == nil {
				by[r.Method] = map[key]float64{}
			}
			by[r.Method][k] = r.accuracy()
		}
	}
	names := slices.Sorted(maps.Keys(by))
	var lines []string
	never := 0
	for _, m := range names {
		best, rival, cells, total := math.MaxInt, "", 0, 0.0
		for _, other := range names {
			if other == m {
				continue
			}
			ahead, n := 0, 0
			var gaps []float64
			for _, r := range rows { // a fixed order of the rows makes sums reproducible bit for bit
				if r.Method != m || r.Task != byLabels || r.Setting != usual {
					continue
				}
				k := r.key
				k.Method = ""
				a, fitted := by[m][k]
				b, there := by[other][k]
				if !fitted || !there {
					continue
				}
				n++
				if a > b {
					ahead++
				}
				gaps = append(gaps, a-b)
			}
			if n >= least && ahead < best {
				best, rival, cells, total = ahead, other, n, mean(gaps)
			}
		}
		if cells > 0 && float64(best) <= share*float64(cells) {
			lines = append(lines, fmt.Sprintf("| %s | %s | %d of %d | %+.3f |", m, rival, best, cells, total))
			if best == 0 {
				never++
			}
		}
	}
	line("## Dominated methods\n")
	line("A method is dominated if another map finds at least as many hidden labels in every cell in which both were fitted. %s The table lists the methods for which this condition holds in at least 95 %% of %d or more cells.\n", map[bool]string{true: "No method is dominated.", false: fmt.Sprintf("Dominated methods: %d.", never)}[never == 0], least)
	line("| method | behind or level with | ahead in cells | mean difference |\n|---|---|--:|--:|")
	for _, text := range lines {
		line("%s", text)
	}
	line("")
}

// bySet writes the best methods of each set.
func bySet(line func(string, ...any), rows []row, dims int) {
	const labels = 5
	t := tabulate(rows, rowFilter(labels, dims, dims, usual), row.accuracy)
	if len(t.sets) == 0 {
		return
	}
	line("## Set by set\n")
	line("Accuracy with %d labels per class in %d dimensions. Which method is best on a set is known only after the comparison.\n", labels, dims)
	names := []string{baseline, "opinions", "PCA", "LDA", "SDA", "LMRAG", "FME", "UMAP", "t-SNE", "S2NE"}
	names = slices.DeleteFunc(names, func(m string) bool { return !slices.Contains(t.methods, m) })
	line("| set | %s | best three maps |\n|---|%s---|", strings.Join(names, " | "), strings.Repeat("--:|", len(names)))
	for i, s := range t.sets {
		text := "| " + s + " |"
		for _, m := range names {
			text += fmt.Sprintf(" %.3f |", t.values[i][slices.Index(t.methods, m)])
		}
		var order []int
		for k, m := range t.methods {
			if !slices.Contains(flat, m) {
				order = append(order, k)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.values[i][b], t.values[i][a]) })
		var best []string
		for _, k := range order[:min(3, len(order))] {
			best = append(best, fmt.Sprintf("%s %.3f", t.methods[k], t.values[i][k]))
		}
		line("%s %s |", text, strings.Join(best, ", "))
	}
	line("")
}

// otherTasks ranks methods in the tasks with pairs and with numeric targets.
func otherTasks(line func(string, ...any), rows []row) {
	for _, task := range []struct{ name, head, about string }{
		{byPairs, "Pairs", "Half of the pairs are must-links and half are cannot-links; there are no labels. Accuracy is the share of training samples whose nearest other training sample has the same true class. The true classes are used only for the scores."},
		{byTarget, "Numeric targets", "The given number of values is known. The score is R² of the other values, predicted by the mean of the 5 nearest known samples in the map."},
	} {
		amounts, all := amountsOf(rows, task.name)
		if len(amounts) == 0 {
			continue
		}
		dims := all[0]
		line("## %s\n", task.head)
		line("%s Methods that use no labels, pairs or values are listed beside methods that do. The tables list the fifteen best by mean rank, in %d dimensions.\n", task.about, dims)
		for _, n := range amounts {
			takes := func(r row) bool {
				return r.Task == task.name && r.Amount == n && r.Dims == dims && r.Setting == usual
			}
			t := tabulate(rows, takes, row.accuracy)
			held := tabulate(rows, takes, func(r row) float64 {
				if r.Failure != "" {
					return 0
				}
				return r.NearHeld
			})
			if len(t.sets) < 2 {
				continue
			}
			ranked, p := friedman(t.values)
			line("**%d %s** on %d sets (%s); critical difference %.1f, %s\n", n, map[string]string{byPairs: "pairs", byTarget: "values"}[task.name], len(t.sets), strings.Join(t.sets, ", "), critical(len(t.methods), len(t.sets)), chance(p))
			line("| method | mean rank | mean | held out |\n|---|--:|--:|--:|")
			order := make([]int, len(t.methods))
			for k := range order {
				order[k] = k
			}
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranked[a], ranked[b]) })
			for _, k := range order[:min(15, len(order))] {
				m, out := t.methods[k], "–"
				if slices.Contains(held.methods, m) {
					out = fmt.Sprintf("%.3f", mean(held.column(m)))
				}
				line("| %s | %.1f | %.3f | %s |", m, ranked[k], mean(t.column(m)), out)
			}
			line("")
		}
	}
}

// reasonOf returns the reason for a failure. It removes the numbers from the text of a timeout, so
// that all timeouts are counted together.
func reasonOf(failure string) string {
	if strings.HasPrefix(failure, notEnded) {
		return notEnded + " in time"
	}
	return failure
}

// failures lists failed fits with the most frequent reason for each method.
func failures(line func(string, ...any), rows []row) {
	why, count := map[string]map[string]int{}, map[string]int{}
	for _, r := range rows {
		if r.Failure != "" && r.Setting == usual {
			r.Failure = reasonOf(r.Failure)
			if why[r.Method] == nil {
				why[r.Method] = map[string]int{}
			}
			why[r.Method][r.Failure]++
			count[r.Method]++
		}
	}
	if len(why) == 0 {
		return
	}
	line("## What could not be fitted\n")
	line("| method | fits | the most frequent reason |\n|---|--:|---|")
	for _, name := range slices.Sorted(maps.Keys(why)) {
		var reason string
		for text, n := range why[name] {
			if n > why[name][reason] || n == why[name][reason] && text < reason {
				reason = text
			}
		}
		line("| %s | %d | %s |", name, count[name], strings.ReplaceAll(reason, "|", `\|`))
	}
	line("")
}
