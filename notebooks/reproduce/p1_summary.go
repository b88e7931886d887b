package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// tableTwo collects the blocks of Table 2 as they are measured.
type tableTwo struct {
	blocks []block
	done   map[string]swept // by title
}

func newTableTwo(blocks []block) *tableTwo { return &tableTwo{blocks, map[string]swept{}} }

func (t *tableTwo) tables() []table {
	var out []table
	for _, b := range t.blocks {
		out = append(out, newTable(b.title(), b.measure, func(p *page, s swept) {
			t.done[b.title()] = s
			b.write(p, s)
		}))
	}
	return out
}

// contest is one column of a block: the scores of all methods on the unlabelled or the test
// samples.
type contest struct {
	block
	column    string
	published []percent // published values of the six methods, in the order of gridMethods
	scored    int       // number of scored samples per split
	sides     []side
	// elsewhere contains the means of the methods at the settings that are best on the other data
	// sets. It is nil if there are no other sets.
	elsewhere []float64
}

// contests returns both columns of a block, or none if the data are missing.
func (b block) contests(of swept) []contest {
	if len(of.Rows) == 0 {
		return nil
	}
	var both []contest
	for k, column := range []string{"unlabelled", "test"} {
		c := contest{block: b, column: column, scored: of.Scored[k]}
		for m, row := range of.Rows {
			c.sides = append(c.sides, row.side(k))
			if m < len(b.published) {
				c.published = append(c.published, b.published[m][k])
			}
		}
		both = append(both, c)
	}
	return both
}

// bests returns the mean score of each method with its best setting in the grid.
func (c contest) bests() []float64 {
	var out []float64
	for _, s := range c.sides {
		out = append(out, s.ofGrid().Mean)
	}
	return out
}

// setNames lists the data sets of the blocks.
func setNames() []string {
	var sets []string
	for _, b := range blocks() {
		if !slices.Contains(sets, b.set) {
			sets = append(sets, b.set)
		}
	}
	return sets
}

// contests returns the measured columns.
func (t *tableTwo) contests() []contest {
	var all []contest
	for _, b := range t.blocks {
		all = append(all, b.contests(t.done[b.title()])...)
	}
	for i := range all {
		rest := slices.DeleteFunc(slices.Clone(all), func(c contest) bool { return c.set == all[i].set })
		if len(rest) == 0 {
			break
		}
		for m, s := range all[i].sides {
			all[i].elsewhere = append(all[i].elsewhere, s.score(ranked(rest, m)[0].setting, s.splits()).Mean)
		}
	}
	return all
}

// rankedSetting is the mean score of a setting over several columns.
type rankedSetting struct {
	setting int
	mean    float64
}

// ranked sorts the settings of method m by their mean over the columns, highest first.
func ranked(of []contest, m int) []rankedSetting {
	out := make([]rankedSetting, len(of[0].sides[m]))
	for i := range out {
		out[i].setting = i
		for _, c := range of {
			out[i].mean += c.sides[m].score(i, c.sides[m].splits()).Mean / float64(len(of))
		}
	}
	slices.SortStableFunc(out, func(a, b rankedSetting) int { return cmp.Compare(b.mean, a.mean) })
	return out
}

// place returns the rank of a score of LMRAG among the scores of the other methods, counted from 1.
func place(value float64, values []float64) int {
	rank := 1
	for _, v := range values[:lmragRow] {
		if v > value {
			rank++
		}
	}
	return rank
}

// smallFronts formats, for each group of five splits, the number of columns in which method m is
// first or second. Five is the number of splits in the paper's experiment.
func smallFronts(all []contest, m int) string {
	var front, cells []int
	for _, c := range all {
		for g, own := range c.sides[m].fives() {
			if g == len(cells) {
				front, cells = append(front, 0), append(cells, 0)
			}
			values := make([]float64, lmragRow)
			for k, s := range c.sides[:lmragRow] {
				values[k] = s.fives()[g]
			}
			cells[g]++
			if place(own, values) <= 2 {
				front[g]++
			}
		}
	}
	var parts []string
	for g := range cells {
		parts = append(parts, fmt.Sprintf("%d of %d", front[g], cells[g]))
	}
	return strings.Join(parts, ", ")
}

// writeDifferences writes, by set and method, the best score of the grid minus the published score.
func writeDifferences(p *page, all []contest) {
	head, rule := "| set", "|---"
	for _, m := range gridMethods(2) {
		head += " | " + m.name
		rule += "|---"
	}
	p.line("%s |\n%s|", head, rule)
	for len(all) > 0 {
		set := all[0].set
		count := slices.IndexFunc(all, func(c contest) bool { return c.set != set })
		if count < 0 {
			count = len(all)
		}
		line := "| " + set
		for m := range all[0].sides {
			sum := 0.0
			for _, c := range all[:count] {
				sum += c.sides[m].ofGrid().Mean - c.published[min(m, lmragRow)].Mean
			}
			line += fmt.Sprintf(" | %+.1f", sum/float64(count))
		}
		p.line("%s |", line)
		all = all[count:]
	}
	p.line("")
}

// summary writes which claims of the paper hold.
func (t *tableTwo) summary(p *page) {
	all := t.contests()
	if len(all) == 0 {
		return
	}
	p.line("## %s\n", conclusions)
	lines := make([]string, len(all))
	readings := gridMethods(2)[lmragRow:]
	for r, reading := range readings {
		var front [3]int // number of columns with rank 1 or 2 by three scores: best of the grid, crossed, elsewhere
		reached, level, extended, unrivalled, printed := 0, 0, 0, 0, 0
		for i, c := range all {
			best, crossed := c.bests(), []float64(nil)
			for _, s := range c.sides {
				crossed = append(crossed, s.crossed().Mean)
			}
			var ranks []string
			for k, values := range [][]float64{best, crossed, c.elsewhere} {
				if values == nil {
					continue
				}
				rank := place(values[lmragRow+r], values)
				ranks = append(ranks, fmt.Sprint(rank))
				if rank <= 2 {
					front[k]++
				}
			}
			published, own := c.published[lmragRow], c.sides[lmragRow+r]
			ahead := 0
			for _, s := range c.sides[:lmragRow] {
				if s.leads(own) {
					ahead++
				}
			}
			if ahead < 2 {
				level++
			}
			if best[lmragRow+r] > best[lapRLSRow] {
				extended++
			}
			if place(best[lmragRow+r], slices.Concat(best[:fmeRow], []float64{0}, best[fmeRow+1:])) <= 2 {
				unrivalled++
			}
			var theirs []float64
			for _, v := range c.published {
				theirs = append(theirs, v.Mean)
			}
			if place(best[lmragRow+r], theirs) <= 2 {
				printed++
			}
			within := best[lmragRow+r] >= published.Mean-2*published.Std
			if within {
				reached++
			}
			if r == 0 {
				rival := slices.Index(best, slices.Max(best[:lmragRow]))
				lines[i] = fmt.Sprintf("| %s, %s, %s (%d) | %s %.2f | %v", c.set, nouns.Count(c.labels, "label"), c.column, len(own.splits()), gridMethods(2)[rival].name, best[rival], published)
			}
			fives := "–"
			if v := percentOf(own.fives()).Mean; !math.IsNaN(v) {
				fives = fmt.Sprintf("%.2f", v)
			}
			lines[i] += fmt.Sprintf(" | %v | %s | %s | %s", own.ofGrid(), fives, yes(within), strings.Join(ranks, ", "))
		}
		elsewhere := ""
		if all[0].elsewhere != nil {
			elsewhere = fmt.Sprintf(", and in %d at the setting of each method that is best on the other data sets", front[2])
		}
		p.line("%s: first or second of the six in **%d of %d** cells by the best of the grid, as the paper reports; in %d by the crossed choice%s. "+
			"In %d cells no more than one method is ahead by more than two standard errors of the paired difference. "+
			"In an experiment of five splits, as the paper's was, it would be first or second in %s. "+
			"Without FME it is first or second in %d cells, and against the published figures of the others in %d; it is above LapRLS/L, which it extends, in %d. "+
			"Within two published deviations of the paper, or better, in **%d of %d** cells.\n",
			reading.name, front[0], len(all), front[1], elsewhere, level, smallFronts(all, lmragRow+r), unrivalled, printed, extended, reached, len(all))
	}
	head, rule := "| cell | best other method | LMRAG published", "|---|---|---"
	for _, reading := range readings {
		head += " | " + reading.name + " | fives | reached | rank"
		rule += "|---|---|---|---"
	}
	p.line("%s |\n%s|\n%s |\n", head, rule, strings.Join(lines, " |\n"))
	p.line("The number of splits is in parentheses; with few splits, a rank says little. The three ranks are by the best of the grid, by the crossed choice, and elsewhere. **Fives** is the mean over groups of five splits of the best setting in each group.\n")
	p.line("Best of grid minus published, in percentage points, mean over the cells of a set:\n")
	writeDifferences(p, all)
	p.line("The paper says 20 splits. Its means are whole numbers of correct samples over 5 splits in: %s.\n", grain(all, 5))
	p.line("The settings of each method by their mean over all these cells, the best three and the worst:\n")
	p.line("| method | settings |\n|---|---|")
	for m, method := range gridMethods(2) {
		order := ranked(all, m)
		var texts []string
		for _, o := range append(slices.Clone(order[:3]), order[len(order)-1]) {
			texts = append(texts, fmt.Sprintf("%s: %.2f", method.setting(o.setting), o.mean))
		}
		p.line("| %s | %s |", method.name, strings.Join(texts, "; "))
	}
	p.line("")
}

// whole reports whether a printed accuracy, in percent with two decimals, corresponds to a whole
// number of correct samples out of n.
func whole(printed float64, n int) bool {
	right := math.Round(printed * float64(n) / 100)
	return math.Abs(100*right/float64(n)-printed) < 0.00501
}

// grain returns text about how many of the published means can be a mean over the given number of
// splits. Such a mean is a whole number of correct samples divided by the number of all samples.
func grain(of []contest, splits int) string {
	var sets []string
	fits, chance, figures := map[string]int{}, map[string]float64{}, map[string]int{}
	for _, c := range of {
		if figures[c.set] == 0 {
			sets = append(sets, c.set)
		}
		for _, v := range c.published {
			figures[c.set]++
			if whole(v.Mean, c.scored*splits) {
				fits[c.set]++
			}
			// There are 10⁴ percentages with two decimals, and each number of correct samples gives
			// one of them. The quotient is therefore the probability that a random percentage
			// corresponds to a whole number of correct samples.
			chance[c.set] += min(1, float64(c.scored*splits)/1e4)
		}
	}
	for i, set := range sets {
		sets[i] = fmt.Sprintf("%s %d of %d (by chance %.1f)", set, fits[set], figures[set], chance[set])
	}
	return strings.Join(sets, ", ")
}

// judgeLMRAG counts the cells in which projected LMRAG is first among the six methods.
func judgeLMRAG(p *page, all []sheet) judgement {
	holds := sheetsTitled(all, conclusions)
	if len(holds) < 2 {
		return judgement{}
	}
	cells, apart := holds[0], holds[1]
	readings := gridMethods(2)[lmragRow:]
	head, rule := "| set | cells", "|---|---"
	for _, r := range readings {
		head += fmt.Sprintf(" | %s: first | first or second | reached | points from the paper", r.name)
		rule += "|---|---|---|---"
	}
	p.line("%s |\n%s|", head, rule)
	// The function `of` counts the cells of a set. `held` contains three counts: the cells in which
	// a reading of LMRAG is first, those in which it is first or second, and those in which it
	// reaches the published figure. `cases` is the number of all cells.
	of := func(set, reading string) (held [3]int, cases int) {
		at := cells.column(reading)
		for _, r := range cells.rows[1:] {
			if !strings.HasPrefix(r[0], set) {
				continue
			}
			cases++
			rank := number(r[at+3], 0)
			for k, ok := range []bool{rank == 1, rank <= 2, r[at+2] == "yes"} {
				if ok {
					held[k]++
				}
			}
		}
		return held, cases
	}
	for _, row := range apart.rows[1:] {
		_, cases := of(row[0]+",", readings[0].name)
		line := fmt.Sprintf("| %s | %d", row[0], cases)
		for _, r := range readings {
			held, _ := of(row[0]+",", r.name)
			line += fmt.Sprintf(" | %d | %d | %d | %s", held[0], held[1], held[2], row[apart.column(r.name)])
		}
		p.line("%s |", line)
	}
	var counts [][3]int
	total := 0
	for _, r := range readings {
		held, cases := of("", r.name)
		counts, total = append(counts, held), cases
	}
	local, projected := counts[0], counts[1]
	return judgement{projected[0], total, fmt.Sprintf("With projected neighbours LMRAG is first of the six methods in %d of %d cells and first or second in %d; with local ones it is first in %d and first or second in %d. "+
		"It is within two published deviations of the paper, or better, in %s with projected neighbours and in %d with local ones.", projected[0], total, projected[1], local[0], local[1], nouns.Count(projected[2], "cell"), local[2])}
}
