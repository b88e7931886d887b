package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// p1 is Xiong, Nie, Han, "Linear Manifold Regularization with Adaptive Graph for
// Semi-supervised Dimensionality Reduction", IJCAI 2017: Table 2.
func p1() paper {
	of := newTableTwo(blocks())
	return paper{
		key: "p1", title: "Xiong, Nie, Han, IJCAI 2017 (LMRAG)", protocol: p1Protocol, findings: p1Findings, tables: append(of.tables(), newTable("Table 2, what the paper leaves open", measureOpen, writeOpen)), summary: of.summary,
		missing: []string{"Table 2, Corel, JAFFE and CMU PIE: these sets are not at hand; the owners of the last two do not allow copies to be passed on."},
	}
}

// block is a data set with a number of labels per class: two columns of Table 2.
type block struct {
	set       string
	data      func() *data.Data
	labels    int
	published [][2]percent // unlabelled and test, by method; nil where the paper has none
}

func (b block) title() string {
	return fmt.Sprintf("Table 2, %s, %s per class", b.set, count(b.labels, "label"))
}

// gridMethod is a method of Table 2 with the two options that are searched.
type gridMethod struct {
	name    string
	builder ssdrnb.Estimator
	a, b    string
}

// gridMethods returns the six of Table 2 in its order, the last in two readings.
// The discriminant methods have as many dimensions as there are classes; all graphs
// have 5 neighbours.
func gridMethods(classes int) []gridMethod {
	return []gridMethod{
		{"SDA", ssdrnb.SDA().Dims(classes).Neighbors(5).Affinity(ssdrnb.SelfTuning).Within(ssdrnb.TotalScatter).Balance(ssdrnb.Absolute).Norm(ssdrnb.EuclideanNorm), "manifold", "ridge"},
		{"TR-FSDA", ssdrnb.TRFSDA().Dims(classes).Ridge(1e-3).PCA(1), "alpha", "beta"},
		{"SSDL", ssdrnb.SSDL().Dims(classes).Affinity(ssdrnb.SelfTuning).Norm(ssdrnb.EuclideanNorm), "alpha", "beta"},
		{"FME", ssdrnb.FME().LabelWeight(1e6), "mu", "gamma"},
		{"LapRLS/L", ssdrnb.LapRLS(), "ambient", "intrinsic"},
		{"LMRAG, local", ssdrnb.LMRAG(), "alpha", "beta"},
		{"LMRAG, projected", ssdrnb.LMRAG().Candidates(ssdrnb.ProjectedCandidates), "alpha", "beta"},
	}
}

// others is the number of methods beside LMRAG, whose readings follow them.
const (
	ssdlRow   = 2
	lapRLSRow = 4
	others    = 5
)

// swept is a block as measured. Rows is empty where the data are missing.
type swept struct {
	Splits int
	// Scored are the numbers of unlabelled and of test samples of a split.
	Scored  [2]int
	Seconds float64
	Rows    []sweptMethod
}

type sweptMethod struct {
	Unlabelled, Test side
	Seconds          float64
}

// side are the scores of a method by setting and split, in percent; 0 where the fit
// failed. Settings are in the order of [powers], the second option fastest.
type side [][]float64

// powers are the powers of ten that both options take.
var powers = []int{-6, -4, -2, 0, 2, 4, 6}

// trainShare is the share of each class that trains.
const trainShare = 0.4

// measure searches all methods on the same splits.
func (b block) measure(ctx context.Context, with budget) (swept, error) {
	d := b.data()
	if d.Err() != nil {
		return swept{}, nil
	}
	began := time.Now()
	out := swept{Splits: with.Splits}
	train, test := d.KeepLabels(b.labels).Split(trainShare)
	out.Scored = [2]int{train.Len() - train.NumLabelled(), test.Len()}
	for _, m := range gridMethods(len(d.Classes())) {
		since := time.Now()
		r, err := m.sweep(d.KeepLabels(b.labels), with.Splits).Run(ctx)
		if err != nil {
			return out, err
		}
		out.Rows = append(out.Rows, sweptMethod{newSide(r.Unlabelled), newSide(r.Test), time.Since(since).Seconds()})
		fmt.Fprintf(os.Stderr, "  %s: %s\n", m.name, time.Since(since).Round(time.Second))
	}
	out.Seconds = time.Since(began).Seconds()
	return out, nil
}

// sweep is the paper's search.
func (s gridMethod) sweep(d *data.Data, splits int) ssdrnb.SweepBuilder {
	first, last := float64(powers[0]), float64(powers[len(powers)-1])
	return ssdrnb.Sweep(s.builder, d).Log10(s.a, first, last, 2).Log10(s.b, first, last, 2).
		Splits(splits).Train(trainShare).Prepare((*data.Data).LearnScale01).Prepare(variance98)
}

func variance98(d *data.Data) data.Scaling { return d.LearnPCA(0.98) }

func newSide(cells []ssdrnb.Cell) side {
	out := make(side, len(cells))
	for i, c := range cells {
		out[i] = make([]float64, len(c.Scores))
		for k, v := range c.Scores {
			if !math.IsNaN(v) {
				out[i][k] = math.Round(1e6*v) / 1e4
			}
		}
	}
	return out
}

// best returns the setting with the highest mean over some splits, the first among
// equals.
func (s side) best(splits []int) int {
	best := 0
	for i := range s {
		if s.over(i, splits).Mean > s.over(best, splits).Mean {
			best = i
		}
	}
	return best
}

// over returns the score of a setting over some splits.
func (s side) over(setting int, splits []int) percent {
	var scores []float64
	for _, k := range splits {
		scores = append(scores, s[setting][k])
	}
	return percentOf(scores)
}

// all lists the splits.
func (s side) all() []int { return span(0, len(s[0])) }

// ofGrid returns the score of the best setting, as the paper reports.
func (s side) ofGrid() percent { return s.over(s.best(s.all()), s.all()) }

// ofFive returns the mean over groups of five splits of the best setting in each.
func (s side) ofFive() float64 {
	var bests []float64
	for at := 0; at+5 <= len(s[0]); at += 5 {
		group := span(at, at+5)
		bests = append(bests, s.over(s.best(group), group).Mean)
	}
	return percentOf(bests).Mean
}

// crossed returns the score where the setting for each split is the best one on the
// other half of the splits: on the odd ones for the even ones, and the other way
// round.
func (s side) crossed() percent {
	halves := [2][]int{}
	for k := range s[0] {
		halves[k%2] = append(halves[k%2], k)
	}
	scores := make([]float64, len(s[0]))
	for k := range scores {
		scores[k] = s[s.best(halves[1-k%2])][k]
	}
	return percentOf(scores)
}

// leads reports whether the best setting of s is above that of t by more than two
// standard errors of the paired difference.
func (s side) leads(t side) bool {
	mine, theirs := s[s.best(s.all())], t[t.best(t.all())]
	differences := make([]float64, len(mine))
	for k := range mine {
		differences[k] = mine[k] - theirs[k]
	}
	d := percentOf(differences)
	return d.Mean > 2*d.Std/math.Sqrt(float64(len(mine)))
}

// setting writes the options of a place in the grid.
func (s gridMethod) setting(at int) string {
	return fmt.Sprintf("%s 1e%d, %s 1e%d", s.a, powers[at/len(powers)], s.b, powers[at%len(powers)])
}

func (b block) write(p *page, of swept) {
	if of.Rows == nil {
		p.line("Missing: the data are not at hand.\n")
		return
	}
	p.line("| method | unlabelled: published | best of grid | crossed | setting | test: published | best of grid | crossed | setting |\n|---|---|---|---|---|---|---|---|---|")
	for m, method := range gridMethods(2) {
		line := "| " + method.name
		for k, s := range []side{of.Rows[m].Unlabelled, of.Rows[m].Test} {
			published := "–"
			if b.published != nil {
				published = b.published[min(m, others)][k].String()
			}
			line += fmt.Sprintf(" | %s | %v | %v | %s", published, s.ofGrid(), s.crossed(), method.setting(s.best(s.all())))
		}
		p.line("%s |", line)
	}
	p.line("\n%s.\n", count(of.Splits, "split"))
}

// whole reports whether an accuracy as printed, in percent with two decimals, is a whole number
// of right samples out of n.
func whole(printed float64, n int) bool {
	right := math.Round(printed * float64(n) / 100)
	return math.Abs(100*right/float64(n)-printed) < 0.00501
}

// grain says how many of the published means can be means over some number of splits.
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
			// Out of 10⁴ numbers with two decimals, one for each count of right samples.
			chance[c.set] += min(1, float64(c.scored*splits)/1e4)
		}
	}
	for i, set := range sets {
		sets[i] = fmt.Sprintf("%s %d of %d (by chance %.1f)", set, fits[set], figures[set], chance[set])
	}
	return strings.Join(sets, ", ")
}

// tableTwo gathers the blocks as they are filled.
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

// contest is one column of a block: the methods on the unlabelled or the test samples.
type contest struct {
	block
	column    string
	published []percent // of the six
	scored    int       // samples of a split
	sides     []side
	// elsewhere are the methods' means at the settings that are best on the other
	// data sets; nil where there are none.
	elsewhere []float64
}

// contests returns the columns that are measured.
func (t *tableTwo) contests() []contest {
	var all []contest
	for _, b := range t.blocks {
		for k, column := range []string{"unlabelled", "test"} {
			if len(t.done[b.title()].Rows) == 0 {
				continue
			}
			c := contest{block: b, column: column, scored: t.done[b.title()].Scored[k]}
			for m, row := range t.done[b.title()].Rows {
				c.sides = append(c.sides, []side{row.Unlabelled, row.Test}[k])
				if m < len(b.published) {
					c.published = append(c.published, b.published[m][k])
				}
			}
			all = append(all, c)
		}
	}
	for i := range all {
		rest := slices.DeleteFunc(slices.Clone(all), func(c contest) bool { return c.set == all[i].set })
		if len(rest) == 0 {
			break
		}
		for m, s := range all[i].sides {
			all[i].elsewhere = append(all[i].elsewhere, s.over(ranked(rest, m)[0].setting, s.all()).Mean)
		}
	}
	return all
}

// rankedSetting is the mean of a setting over several columns.
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
			out[i].mean += c.sides[m].over(i, c.sides[m].all()).Mean / float64(len(of))
		}
	}
	slices.SortStableFunc(out, func(a, b rankedSetting) int { return cmp.Compare(b.mean, a.mean) })
	return out
}

// place returns the rank of a value among those of the other methods, from 1.
func place(value float64, values []float64) int {
	rank := 1
	for _, v := range values[:others] {
		if v > value {
			rank++
		}
	}
	return rank
}

// apart writes by set and method how far the best of the grid is from the paper.
func apart(p *page, all []contest) {
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
				sum += c.sides[m].ofGrid().Mean - c.published[min(m, others)].Mean
			}
			line += fmt.Sprintf(" | %+.1f", sum/float64(count))
		}
		p.line("%s |", line)
		all = all[count:]
	}
	p.line("")
}

// summary says which claims of the paper hold.
func (t *tableTwo) summary(p *page) {
	all := t.contests()
	if len(all) == 0 {
		return
	}
	p.line("### What holds\n")
	lines := make([]string, len(all))
	readings := gridMethods(2)[others:]
	for r, reading := range readings {
		var front [3]int // first or second: of the grid, crossed, elsewhere
		reached, level, extended, unrivalled, printed := 0, 0, 0, 0, 0
		for i, c := range all {
			var best, crossed []float64
			for _, s := range c.sides {
				best, crossed = append(best, s.ofGrid().Mean), append(crossed, s.crossed().Mean)
			}
			var ranks []string
			for k, values := range [][]float64{best, crossed, c.elsewhere} {
				if values == nil {
					continue
				}
				rank := place(values[others+r], values)
				ranks = append(ranks, fmt.Sprint(rank))
				if rank <= 2 {
					front[k]++
				}
			}
			published, own := c.published[others], c.sides[others+r]
			ahead := 0
			for _, s := range c.sides[:others] {
				if s.leads(own) {
					ahead++
				}
			}
			if ahead < 2 {
				level++
			}
			if best[others+r] > best[lapRLSRow] {
				extended++
			}
			if place(best[others+r], slices.Concat(best[:ssdlRow], []float64{0}, best[ssdlRow+1:])) <= 2 {
				unrivalled++
			}
			var theirs []float64
			for _, v := range c.published {
				theirs = append(theirs, v.Mean)
			}
			if place(best[others+r], theirs) <= 2 {
				printed++
			}
			within := best[others+r] >= published.Mean-2*published.Std
			if within {
				reached++
			}
			if r == 0 {
				rival := slices.Index(best, slices.Max(best[:others]))
				lines[i] = fmt.Sprintf("| %s, %s, %s (%d) | %s %.2f | %v", c.set, count(c.labels, "label"), c.column, len(own.all()), gridMethods(2)[rival].name, best[rival], published)
			}
			fives := "–"
			if v := own.ofFive(); !math.IsNaN(v) {
				fives = fmt.Sprintf("%.2f", v)
			}
			lines[i] += fmt.Sprintf(" | %v | %s | %s | %s", own.ofGrid(), fives, yes(within), strings.Join(ranks, ", "))
		}
		elsewhere := ""
		if all[0].elsewhere != nil {
			elsewhere = fmt.Sprintf(", in %d at the setting of each method that is best on the other data sets", front[2])
		}
		p.line("%s: first or second of the six in **%d of %d** cells by the best of the grid, as the paper reports; in %d by the crossed choice%s. "+
			"In %d cells no more than one method is ahead by more than two standard errors of the paired difference. "+
			"Without SSDL it is first or second in %d, against the published figures of the others in %d; above LapRLS/L, which it extends, in %d. "+
			"Within two published deviations of the paper, or better, in **%d of %d** cells.\n",
			reading.name, front[0], len(all), front[1], elsewhere, level, unrivalled, printed, extended, reached, len(all))
	}
	head, rule := "| cell | best other method | LMRAG published", "|---|---|---"
	for _, reading := range readings {
		head += " | " + reading.name + " | fives | reached | rank"
		rule += "|---|---|---|---"
	}
	p.line("%s |\n%s|\n%s |\n", head, rule, strings.Join(lines, " |\n"))
	p.line("In parentheses: splits; on few of them a rank says little. Ranks are those by the best of the grid, by the crossed choice, and elsewhere. **Fives** is the mean over groups of five splits of the best setting in each group.\n")
	p.line("Best of grid less published, percentage points, mean over the cells of a set:\n")
	apart(p, all)
	p.line("The paper says 20 splits. Its means are whole numbers of right samples over 5 splits in: %s.\n", grain(all, 5))
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

// openChoice is a choice that the paper leaves open.
type openChoice struct {
	name    string
	builder ssdrnb.LMRAGBuilder
	picture bool // whether each picture is scaled to [0, 1] first
	prepare []func(*data.Data) data.Scaling
}

func openChoices() []openChoice {
	scale, near := (*data.Data).LearnScale01, ssdrnb.LMRAG().Candidates(ssdrnb.NearestCandidates)
	usual := []func(*data.Data) data.Scaling{scale, variance98}
	less := []func(*data.Data) data.Scaling{scale, func(d *data.Data) data.Scaling { return d.LearnPCA(0.9) }}
	return []openChoice{
		{"local candidates, k = 5, as above", ssdrnb.LMRAG(), false, usual},
		{"local, k = 10", ssdrnb.LMRAG().Neighbors(10), false, usual},
		{"all others as candidates, k = 5", ssdrnb.LMRAG().Candidates(ssdrnb.AllCandidates), false, usual},
		{"nearest candidates, k = 5, as above", near, false, usual},
		{"nearest, k = 3", near.Neighbors(3), false, usual},
		{"nearest, k = 10", near.Neighbors(10), false, usual},
		{"nearest, λ by bracketing", near.Adjust(ssdrnb.Bracket), false, usual},
		{"nearest, 5 iterations at most", near.Iterations(5), false, usual},
		{"nearest, W from the last graph", near.Refit(true), false, usual},
		{"nearest, all of the variance", near, false, usual[:1]},
		{"nearest, 90 % of the variance", near, false, less},
		{"nearest, features as they are", near, false, []func(*data.Data) data.Scaling{variance98}},
		{"nearest, each picture scaled to [0, 1] first", near, true, usual},
	}
}

// open are the scores of the choices: unlabelled and test, the best of nine settings.
type open struct {
	Splits int
	Scores [][][2]percent // by choice and set; empty where the data are missing
}

// openSets are the faces, one label per class, where the paper has LMRAG far ahead.
func openSets() []block {
	return slices.DeleteFunc(blocks(), func(b block) bool { return b.labels != 1 || b.set == "COIL-20" })
}

func measureOpen(ctx context.Context, with budget) (open, error) {
	out := open{Splits: min(with.Splits, 3)}
	for _, c := range openChoices() {
		var row [][2]percent
		for _, b := range openSets() {
			d := b.data()
			if d.Err() != nil {
				return open{}, nil
			}
			if c.picture {
				d = pictures01(d)
			}
			sweep := ssdrnb.Sweep(c.builder, d.KeepLabels(b.labels)).Log10("alpha", 0, 4, 2).Log10("beta", -2, 2, 2).Splits(out.Splits).Train(trainShare)
			for _, learn := range c.prepare {
				sweep = sweep.Prepare(learn)
			}
			r, err := sweep.Run(ctx)
			if err != nil {
				return open{}, err
			}
			row = append(row, [2]percent{newSide(r.Unlabelled).ofGrid(), newSide(r.Test).ofGrid()})
		}
		fmt.Fprintf(os.Stderr, "  %s: %v\n", c.name, row)
		out.Scores = append(out.Scores, row)
	}
	return out, nil
}

// pictures01 returns the data with every sample scaled to [0, 1] by its own range.
func pictures01(d *data.Data) *data.Data {
	x := mat.DenseCopyOf(d.X)
	for i := range d.Len() {
		row := x.RawRowView(i)
		low, high := slices.Min(row), slices.Max(row)
		for k := range row {
			row[k] = (row[k] - low) / max(high-low, math.SmallestNonzeroFloat64)
		}
	}
	out := data.New(x, d.Labels)
	out.Name, out.Truth = d.Name, d.Truth
	return out
}

func writeOpen(p *page, of open) {
	if of.Scores == nil {
		p.line("Missing: the data are not at hand.\n")
		return
	}
	head, rule, published := "| LMRAG, unlabelled, test", "|---", "| published"
	for _, b := range openSets() {
		head += fmt.Sprintf(" | %s", b.set)
		rule += "|---"
		published += fmt.Sprintf(" | %.1f, %.1f", b.published[others][0].Mean, b.published[others][1].Mean)
	}
	p.line("%s |\n%s|\n%s |", head, rule, published)
	for i, c := range openChoices() {
		line := "| " + c.name
		for _, v := range of.Scores[i] {
			line += fmt.Sprintf(" | %.1f, %.1f", v[0].Mean, v[1].Mean)
		}
		p.line("%s |", line)
	}
	p.line("\nOne label per class, the best of nine settings (α 1, 10², 10⁴; β 0.01, 1, 100), %s.\n", count(of.Splits, "split"))
}

var p1Protocol = []string{
	"Table 2: 40 % of each class train, 1, 2 or 3 of them with a label; features scaled to [0, 1] and reduced to 98 % of the variance, both by the training samples; k = 5 and self-tuning weights in the given graphs; " +
		"every method on 49 settings, 10^{−6, −4, …, 6} for each of two options, on the same splits, seeds 1, 2, …. Unlabelled training samples and test samples get the class of the nearest labelled sample in the projection. " +
		"**Best of grid** is the highest mean, chosen by the accuracy that it reports, for unlabelled and test samples apart, as in the paper; that is optimistic. ± is the standard deviation over the splits. " +
		"**Crossed** is the mean of the same splits where the setting for the even ones is chosen on the odd ones and the other way round. " +
		"With one label per class nothing is left to hide, so that settings cannot be validated on labels; **elsewhere** takes for each method the setting that is best on average over all cells of the other data sets, which reads no label of the set at hand.",
}

var p1Findings = []string{
	"Two readings. Of the step that learns the graph the paper says that one can “just update the k nearest similarities”. **Local** takes these as the k nearest samples before projection, which stay the same: no step then raises the objective, and it is the library's default. " +
		"**Nearest** takes the k samples of least cost in each iteration. It can join what was cut apart, but the objective may rise, and on UMIST and COIL-20 the graph often keeps more components than there are classes. On Yale both do alike; on UMIST and Yale B nearest is 3 to 5 points better, " +
		"and it is there above LapRLS/L, which the paper extends. The table of the paper agrees with nearest rather than with local. Each reading is counted on its own against the five others, with the same 49 settings.",
	"What the printed figures are. All means that the paper prints for Yale are whole numbers of right samples over 5 splits, and nearly all of UMIST and COIL-20; of means over 20 splits a quarter would be. The table was therefore made of 5 splits, not of 20 as the text says, and its ± stands for 5. " +
		"The best of 49 settings on 5 splits is higher than on 20, but by a point at most (column fives). Choosing the setting on other splits (crossed) costs about as little; taking it from other data sets costs much more, since β is in squared units of the data.",
	"Why ranks are missed. The rank of LMRAG depends as much on how the others are read. SSDL is after a description, its own paper could not be checked: with one label it is 15 points above its published figure on UMIST, and it is the best of the others in about half of the cells. FME, by its published closed form, is 7 to 9 points above the paper on COIL-20 with one or two labels and 18 below on Yale B. " +
		"On COIL-20 LMRAG is where the paper has it and loses ranks to FME, which is far above the paper, and to methods within three points. On UMIST, of which the pictures at hand have another crop and size than the paper's, SDA, FME and LMRAG stay below the paper where LapRLS/L is above it. " +
		"SDA's columns are scaled so that wᵀBw = 1; other scalings of the columns, which the paper does not tell, change its nearest neighbours.",
	"What was looked for (last table; one label, 2 splits). For nearest candidates, 3 neighbours in place of 5 bring UMIST to the level of the paper; 10 lose everywhere. Yale B comes within a point or three of the paper, from 36 to 43 and 44 %, where each picture is first scaled to [0, 1] by its own range, " +
		"which takes away much of the illumination: “scaled to [0,1] by feature” may have been that on this set; UMIST loses by it. How λ is adjusted, fewer iterations, or a last W from the final graph make no difference beyond chance. All samples as candidates are no better than local ones on Yale and UMIST, and 3 points better on Yale B. 98 % of the variance is a fair middle: without PCA UMIST loses 4 points, with 90 % Yale B loses 12. " +
		"The golden runs of the algorithm (F, W and S steps, λ, stopping) agree with an independent implementation, so that the differences are in the protocol and not in the steps.",
}

// blocks returns the parts of Table 2 whose data exist.
func blocks() []block {
	var out []block
	for _, s := range []struct {
		name      string
		data      func() *data.Data
		published [][6]percent // by method: 1 U, 1 T, 2 U, 2 T, 3 U, 3 T
	}{
		{"Yale", datasets.Yale, p1Yale}, {"UMIST", datasets.UMIST, p1UMIST}, {"COIL-20", datasets.COIL20, p1COIL}, {"Yale B", datasets.YaleB, p1YaleB},
	} {
		for labels := 1; labels <= 3; labels++ {
			b := block{set: s.name, data: s.data, labels: labels}
			for _, row := range s.published {
				b.published = append(b.published, [2]percent{row[2*labels-2], row[2*labels-1]})
			}
			out = append(out, b)
		}
	}
	return out
}

// The published figures, in the order of gridMethods.
var (
	p1Yale = [][6]percent{
		{{43.11, 7.47}, {40.38, 4.24}, {54.00, 5.48}, {56.95, 2.17}, {68.00, 7.30}, {68.76, 2.97}},
		{{43.56, 7.37}, {40.95, 5.95}, {60.67, 6.41}, {58.29, 5.28}, {66.67, 8.16}, {67.62, 4.40}},
		{{42.22, 7.03}, {41.14, 6.58}, {56.00, 7.01}, {57.71, 5.83}, {72.00, 9.05}, {68.00, 5.35}},
		{{40.89, 5.31}, {37.71, 4.88}, {49.33, 7.23}, {53.71, 5.11}, {62.67, 5.58}, {58.67, 3.73}},
		{{38.67, 4.33}, {39.05, 4.86}, {58.67, 7.67}, {56.95, 4.54}, {74.67, 7.60}, {64.57, 5.97}},
		{{45.78, 5.75}, {44.95, 4.01}, {66.67, 4.35}, {61.33, 4.38}, {76.00, 5.58}, {69.90, 3.96}},
	}
	p1UMIST = [][6]percent{
		{{50.67, 5.17}, {47.54, 2.80}, {77.68, 4.20}, {77.10, 4.01}, {85.06, 5.01}, {86.03, 2.44}},
		{{47.81, 4.50}, {50.78, 6.00}, {77.37, 6.15}, {76.93, 4.68}, {87.47, 4.42}, {87.62, 3.36}},
		{{48.57, 2.65}, {48.93, 2.55}, {79.16, 3.85}, {78.03, 3.96}, {84.71, 4.01}, {84.93, 1.93}},
		{{48.57, 3.70}, {48.00, 3.61}, {76.00, 4.69}, {74.06, 4.96}, {83.41, 5.42}, {82.42, 2.76}},
		{{48.29, 4.44}, {46.32, 4.68}, {66.21, 1.55}, {67.88, 4.21}, {78.71, 3.56}, {75.54, 4.28}},
		{{58.38, 3.39}, {57.33, 3.86}, {80.84, 2.70}, {79.30, 2.29}, {86.47, 5.03}, {88.87, 3.37}},
	}
	p1COIL = [][6]percent{
		{{69.75, 3.46}, {68.42, 2.35}, {77.85, 2.87}, {76.70, 3.29}, {82.23, 2.50}, {81.79, 2.74}},
		{{69.54, 2.36}, {68.53, 2.01}, {76.52, 3.11}, {76.69, 3.62}, {83.00, 1.18}, {82.77, 3.23}},
		{{65.29, 2.54}, {64.56, 2.53}, {75.11, 2.04}, {75.56, 2.08}, {79.69, 3.37}, {80.12, 1.53}},
		{{69.36, 4.12}, {69.35, 2.28}, {78.48, 1.95}, {76.98, 2.38}, {84.38, 1.74}, {84.35, 2.70}},
		{{68.68, 4.29}, {66.38, 1.69}, {75.85, 1.29}, {75.98, 2.67}, {79.69, 1.33}, {79.30, 1.61}},
		{{70.75, 1.80}, {70.12, 2.57}, {79.70, 2.73}, {77.84, 3.09}, {84.58, 1.86}, {85.00, 1.45}},
	}
	p1YaleB = [][6]percent{
		{{21.47, 2.24}, {22.87, 2.49}, {49.51, 1.32}, {48.36, 2.01}, {58.31, 2.40}, {59.35, 1.94}},
		{{13.70, 2.03}, {16.27, 2.43}, {45.52, 2.31}, {45.49, 2.49}, {57.29, 1.77}, {58.09, 2.26}},
		{{29.81, 0.98}, {29.87, 1.72}, {47.07, 2.43}, {47.47, 2.82}, {59.54, 1.14}, {57.66, 2.36}},
		{{31.23, 1.62}, {32.87, 1.74}, {49.48, 1.37}, {49.79, 3.23}, {58.65, 1.11}, {59.77, 2.19}},
		{{32.85, 2.79}, {33.97, 2.09}, {49.07, 3.54}, {49.05, 3.55}, {60.02, 3.86}, {58.73, 3.51}},
		{{46.17, 3.65}, {44.86, 3.45}, {57.41, 3.13}, {57.14, 3.16}, {61.76, 1.89}, {62.84, 2.24}},
	}
)
