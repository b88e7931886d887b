package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/experiment"
)

// p4 is Wang, Gao, Yuan, Tao, Li, "Semi-supervised Gaussian process latent variable model with
// pairwise constraints", Neurocomputing 2010: Figs. 6 to 8. The text of the paper gives few numbers
// for them.
func p4() paper {
	var tables []table
	for _, t := range trialSets {
		tables = append(tables, newTable(t.title, t.measure, t.write))
	}
	return paper{
		key: "p4", tables: tables, title: "Wang, Gao, Yuan, Tao, Li, Neurocomputing 2010 (SSGP-LVM)",
		brief: p4Brief, protocol: p4Protocol, findings: p4Findings,
	}
}

var p4Brief = brief{
	claim: "GP-LVM is a map by a Gaussian process, without labels. Must-links (M) lower its error, cannot-links in addition (CM) lower it further, and a weak pull on all other pairs (CMU) lowers it most. CMU is also below the constraint scores CS1 and CS2, which select features.",
	measured: "We ran Figs. 6 to 8, for which the paper prints no numbers: ten panels, each with several numbers of constraints or dimensions. Differences are computed for each draw, in percentage points of the nearest-neighbour error. " +
		"“Below” and “above” mean by more than two standard errors; free samples are in no constraint.",
	counted: "cases in which CM errs less than GP-LVM by more than two standard errors",
	judge:   judgeTrials,
	reasons: []string{
		"Constraints help on the set balance, by 11 to 16 points with back constraints and at least 60 + 60 constraints, and on wine, digits and faces in more than two dimensions. There GP-LVM spends dimensions on variance that does not separate the classes, because it starts with all components at the same variance. A few constraints prevent this.",
		"With many constraints the gain is mostly on the constrained samples, whose class the constraints almost reveal; on iris with 90 + 90 constraints the error of the free samples increases.",
		"Where GP-LVM hardly errs (oil, and iris with few constraints) there is nothing to gain. On sonar the error of the paper's GP-LVM is about 50 %, like guessing; ours is 11.5 %. The paper's gain of 20 points is measured against 50 %.",
		"CMU gives the other pairs a weight of 1/N², too little to matter, and the must-links do most of the work of CM. In most cases GP-LVM without any constraint also errs less than the constraint scores.",
	},
}

// judgeTrials counts the cases in which the error of CM is below that of GP-LVM by more than two
// standard errors. CM is the method of the paper with must-links and cannot-links.
func judgeTrials(p *page, all []sheet) judgement {
	// sides contains the number of cases with a difference significantly below zero, the number
	// with a difference significantly above zero, and the number of all cases.
	type sides [3]int
	add := func(s *sides, cell string) {
		if cell == "–" {
			return
		}
		s[2]++
		switch {
		case strings.HasPrefix(cell, "**-"):
			s[0]++
		case strings.HasPrefix(cell, "**+"):
			s[1]++
		}
	}
	var total, free sides
	scored, ahead, lead := 0, 0, 0.0
	p.line("| panel | cases | CM − GP-LVM, all samples | below | above | free samples: below | above | CMU − CM, all samples |\n|---|---|---|---|---|---|---|---|")
	for _, set := range trialSets {
		found := sheetsTitled(all, set.title)
		if len(found) < 2 {
			continue
		}
		errors, differences := found[0], found[1]
		var here, hereFree sides
		var gain, order []float64
		ahead1 := false // whether the error of CMU is significantly below that of CS1, the first constraint score
		for _, r := range differences.rows[1:] {
			switch r[1] {
			case "CM − GP-LVM":
				add(&here, r[2])
				add(&hereFree, r[3])
				gain = append(gain, number(r[2], 0))
			case "CMU − CS1":
				scored++
				ahead1 = strings.HasPrefix(r[2], "**-")
			case "CMU − CS2":
				if ahead1 && strings.HasPrefix(r[2], "**-") {
					ahead++
				}
			}
		}
		cm, cmu := errors.columnNumbers("CM", 0), errors.columnNumbers("CMU", 0)
		for k := range cm {
			order = append(order, cmu[k]-cm[k])
		}
		for k := range total {
			total[k] += here[k]
			free[k] += hereFree[k]
		}
		lead = min(lead, slices.Min(order))
		p.line("| %s | %d | %+.2f to %+.2f | %d | %d | %d of %d | %d | %+.2f to %+.2f |", set.title, here[2], slices.Min(gain), slices.Max(gain), here[0], here[1], hereFree[0], hereFree[2], hereFree[1], slices.Min(order), slices.Max(order))
	}
	return judgement{total[0], total[2], fmt.Sprintf("Over all samples CM is below GP-LVM in %d of %d cases and above in %d; over free samples it is below in %d of %d and above in %d. "+
		"CMU is never more than %.1f points below CM. It is below both constraint scores in %d of %d cases.", total[0], total[2], total[1], free[0], free[2], free[1], -lead, ahead, scored)}
}

var p4Protocol = []string{
	"The figures of the paper print no numbers; the statements of its text about them are above each table. Errors are the errors of the nearest other sample in the embedding, in percent. " +
		"For each draw, must-links and as many cannot-links are drawn from the true classes, and all methods are fitted to the same samples and constraints. " +
		"**Differences** from GP-LVM are taken draw by draw, in percentage points; ± is their standard error over draws, which covers the draw of the constraints but neither the data nor the start. Their standard deviation and the share of draws below zero are in parentheses. " +
		"**Free** samples are in no constraint; only their error is evidence about samples without knowledge. Differences beyond two standard errors are bold.",
	"Both methods of a difference have the same optimiser and the same stopping rule: L-BFGS on positions and kernel parameters together, 100 steps from whitened principal components, unless stated otherwise. " +
		"Sets of more than 300 samples have the FITC likelihood with 50 inducing points, again in both methods. SSGP-LVM has the library's bounded energy with λ = 10, because the energies as printed have no maximum once there is a cannot-link. " +
		"A feature that is constant over the samples is left out of the likelihoods, where the paper's formula counts it in D: it says nothing about the positions and would only give −½·ln|K| more weight and so reward small covariances. With k of D features constant, the prior weighs D/(D − k) times what it weighs in the formula. The constraint scores put a constant feature last, at +∞; the formula of CS2 gives it 0, ahead of every feature with a positive score.",
	"**Search** (Fig. 6): 24 settings of SSGP-LVM-CM, each against GP-LVM with the same schedule, on separate draws. The setting with the lowest error is **chosen** and measured on the draws of the table.",
}

var p4Findings = []string{
	"**Where the claim holds.** On the set balance it is true with each number of constraints, over all samples and over free ones. With at least 60 + 60 constraints it is far clearer if there are back constraints, which carry the constraints to the samples that have none: with 60 + 60 and 180 + 180 constraints the chosen setting errs 11 and 16 points less than GP-LVM, on free samples 10 and 16. " +
		"It also holds in more than two latent dimensions, free samples included: on wine in four and eight, on the digits 3 and 5 in five and ten, on the faces of ORL in five (in ten over all samples only), and on those of Yale B in five and ten by less than half a point. There GP-LVM, which starts with all components at the same variance, spends dimensions on variance that does not separate the classes, and a few constraints prevent this. " +
		"Over all samples it holds where there are so many constraints that most samples are in one: on iris with 90 + 90, and on sonar in four dimensions with 300 + 300. That gain is on the constrained samples, whose class the constraints almost reveal; the few free ones lose.",
	"**Where it does not hold.** On oil flow in four dimensions GP-LVM makes no error that could be lowered, and constraints make a few. On sonar with 30 + 30 and 100 + 100 constraints, on iris with 10 + 10 and 30 + 30, on wine in one and two dimensions, on the digits 3 and 5 in two, and on letters in two and eight, constraints pull their samples away from the others, and CM errs as much as GP-LVM or more. On letters in four dimensions the free samples gain half a point, and the few constrained ones lose three. " +
		"On sonar the error of the paper's GP-LVM is around 50 %, like guessing; ours is 11.5 %. Our best explanation is another protocol or an optimisation that failed there, and the paper's gain of 20 points is a gain over that.",
	"**The order of the variants.** CMU and CM differ by half a point at most, mostly by less than a tenth, as one expects from weights of 1/N² for the other pairs. M is as good as CM in most cells: the must-links do the work. No cell shows the paper's order, CMU far below CM and CM below M. On wine CMU errs less than the constraint scores in up to four dimensions and more in eight; on letters it errs less; on Yale B it errs less in five and ten dimensions but not in two. The same is true of GP-LVM without any constraint.",
	"**Other settings.** On the set balance, back constraints with λ = 10 or 100 are best under both schedules and with both bounded energies. On iris the best setting is the alternate schedule with back constraints and λ = 1, but on the draws of the table it does not err less than GP-LVM with that schedule: the choice among 24 settings found noise. " +
		"On sonar a margin with λ = 100 lowers the error over all samples by 5 points at 100 + 100, and raises that of free ones by 9.",
}

// trialSet is a panel of Figs. 6 to 8.
type trialSet struct {
	title, claim string
	data         func() *data.Data
	cases        []trialCase
	// If search is true, the best setting of CM is also searched for, on separate draws of the
	// middle case.
	search bool
	// If scores is true, the methods include the two constraint scores, CS1 and CS2.
	scores bool
}

// trialCase is a point on the horizontal axis of a panel.
type trialCase struct{ Dims, Must, Cannot int }

func byConstraints(dims int, each ...int) []trialCase {
	var out []trialCase
	for _, k := range each {
		out = append(out, trialCase{dims, k, k})
	}
	return out
}

func byDims(each int, dims ...int) []trialCase {
	var out []trialCase
	for _, d := range dims {
		out = append(out, trialCase{d, each, each})
	}
	return out
}

// fewOf returns a function that draws perClass samples from each of the given classes of a set, or
// from all classes if none are given.
func fewOf(set func() *data.Data, perClass int, classes ...int) func() *data.Data {
	return func() *data.Data {
		d := set()
		if d.Err() == nil && len(classes) > 0 {
			d = d.Only(classes...)
		}
		if d.Err() != nil {
			return d
		}
		return d.Seed(1).Take(perClass)
	}
}

var trialSets = []trialSet{
	{title: "Fig. 6, balance", claim: "CM below M and GP-LVM, CMU much lower than the others.", data: datasets.Balance, cases: byConstraints(2, 20, 60, 180), search: true},
	{title: "Fig. 6, iris", claim: "CMU much lower than the others; CM not below M.", data: datasets.Iris, cases: byConstraints(2, 10, 30, 90), search: true},
	{title: "Fig. 6, oil", claim: "CM below M and GP-LVM, CMU much lower than the others.", data: datasets.Oil, cases: byConstraints(4, 100, 300), search: true},
	{title: "Fig. 6, sonar", claim: "CMU below 30 %, GP-LVM always around 50 %.", data: datasets.Sonar, cases: byConstraints(4, 30, 100, 300), search: true},
	{title: "Fig. 7, ORL", claim: "Errors fall with the dimension; M and CM close to GP-LVM, CMU much lower. 4·40 constraints.", data: datasets.ORL, cases: byDims(80, 2, 5, 10)},
	{title: "Fig. 7, oil", claim: "CM and CMU significantly below GP-LVM at all dimensions. 100·3 constraints.", data: datasets.Oil, cases: byDims(150, 2, 4, 8)},
	{title: "Fig. 7, USPS digits 3 and 5", claim: "CM and CMU significantly below GP-LVM at all dimensions. 300 of each digit, 100·2 constraints.", data: fewOf(datasets.USPS, 300, 3, 5), cases: byDims(100, 2, 5, 10)},
	{title: "Fig. 8, wine", claim: "CMU below the constraint scores, but not by much. 10 + 10 constraints. Features are standardised here.", data: func() *data.Data { return datasets.Wine().Standardize() }, cases: byDims(10, 1, 2, 4, 8), scores: true},
	{title: "Fig. 8, Yale B", claim: "CMU significantly below the constraint scores. 10 persons, 640 images, 15 + 15 constraints.", data: fewOf(datasets.YaleB, 64, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), cases: byDims(15, 2, 5, 10), scores: true},
	{title: "Fig. 8, letters A to E", claim: "CMU significantly below the constraint scores. 40 constraints; 200 of each letter here, all 3,680 in the paper.", data: fewOf(datasets.LetterAE, 200), cases: byDims(20, 2, 4, 8), scores: true},
}

// trial is the measurement of a panel. Draws is 0 if the data are missing.
type trial struct {
	Draws, SearchDraws int
	Rows               []trialRow
	Search             []searched `json:",omitempty"`
	Chosen             string     `json:",omitempty"`
	Seconds            float64
}

// trialRow is a point on the horizontal axis of a panel, with one result per method, GP-LVM first.
type trialRow struct {
	Case    trialCase
	Methods []trialErrors
}

// trialErrors contains the errors of a method, one per draw, each in [0, 1]. All is the error over
// all samples, Free over the samples without constraints, and Constrained over the samples with
// constraints. Free or Constrained is nil if a draw has no such samples.
type trialErrors struct {
	Name                   string
	All, Free, Constrained []float64
}

// searched is the result for a setting of CM. Error is its mean error over all samples, and Plain
// is the mean error of GP-LVM. All and Free are the means of the paired differences, CM minus
// GP-LVM, over all samples and over the samples without constraints. AllSE and FreeSE are the
// standard errors of these means.
type searched struct {
	Setting         string
	Plain, Error    float64
	All, Free       float64
	AllSE, FreeSE   float64
	FreeIsUndefined bool `json:",omitempty"`
}

// steps is the number of optimisation steps of every fit for this paper.
const steps = 100

// spec returns the method e with the options for n samples. The schedules Joint and Alternate make
// the same number of steps. Above 300 samples the FITC approximation is used.
func (t trialSet) spec(e ssdrnb.Estimator, n, dims int, schedule ssdrnb.Schedule) ssdrnb.Spec {
	s := e.Spec().With("dims", dims).With("schedule", schedule)
	if schedule == ssdrnb.Joint {
		s = s.With("rounds", 1).With("steps", steps)
	} else {
		s = s.With("rounds", steps/20).With("steps", 10)
	}
	if n > 300 {
		s = s.With("approximation", ssdrnb.FITC).With("inducing", 50)
	}
	return s
}

func (t trialSet) measure(ctx context.Context, b budget) (trial, error) {
	d := t.data()
	if d.Err() != nil {
		return trial{}, errMissing
	}
	began := time.Now()
	out := trial{Draws: b.Splits, SearchDraws: b.Draws}
	chosen, schedule := ssdrnb.Spec{}, ssdrnb.Joint
	if t.search {
		var err error
		if chosen, err = t.choose(ctx, d, b.Draws, &out); err != nil {
			return out, err
		}
		schedule = ssdrnb.Schedule(chosen.Value("schedule").(string))
		fmt.Fprintf(os.Stderr, "  search: %s\n", time.Since(began).Round(time.Second))
	}
	for _, c := range t.cases {
		names := []string{"GP-LVM", "M", "CM", "CMU"}
		joint := func(e ssdrnb.Estimator) ssdrnb.Estimator { return t.spec(e, d.Len(), c.Dims, ssdrnb.Joint) }
		methods := []ssdrnb.Estimator{joint(ssdrnb.GPLVM()), joint(ssdrnb.SSGPLVM().Variant(ssdrnb.VariantM)), joint(ssdrnb.SSGPLVM()), joint(ssdrnb.SSGPLVM().Variant(ssdrnb.VariantCMU))}
		if t.scores {
			names = append(names, "CS1", "CS2")
			methods = append(methods, ssdrnb.CS1().Dims(c.Dims), ssdrnb.CS2().Dims(c.Dims))
		}
		if t.search {
			names = append(names, "BC-GP-LVM", "CM with back constraints", "chosen CM", "GP-LVM as chosen")
			methods = append(methods, joint(ssdrnb.BCGPLVM()), joint(ssdrnb.SSGPLVM().Back(true)), chosen, t.spec(ssdrnb.GPLVM(), d.Len(), c.Dims, schedule))
		}
		results, err := experiment.PairTrial(ctx, d, c.Must, c.Cannot, b.Splits, 1, methods...)
		if err != nil {
			return out, err
		}
		row := trialRow{Case: c}
		for k, r := range results {
			row.Methods = append(row.Methods, trialErrors{names[k], r.All, defined(r.Free), defined(r.Constrained)})
		}
		out.Rows = append(out.Rows, row)
		fmt.Fprintf(os.Stderr, "  %+v: %s\n", c, time.Since(began).Round(time.Second))
	}
	out.Seconds = time.Since(began).Seconds()
	return out, nil
}

// defined returns v, or nil if v contains NaN.
func defined(v []float64) []float64 {
	if slices.ContainsFunc(v, math.IsNaN) {
		return nil
	}
	return v
}

// searchSeed is the first seed of the draws on which settings are searched.
const searchSeed = 1001

// choose measures all settings of CM in the middle case and stores their results in out. It returns
// the setting with the lowest error.
func (t trialSet) choose(ctx context.Context, d *data.Data, draws int, out *trial) (ssdrnb.Spec, error) {
	c := t.cases[len(t.cases)/2]
	var best ssdrnb.Spec
	lowest := math.Inf(1)
	for _, schedule := range []ssdrnb.Schedule{ssdrnb.Joint, ssdrnb.Alternate} {
		methods := []ssdrnb.Estimator{t.spec(ssdrnb.GPLVM(), d.Len(), c.Dims, schedule)}
		for _, s := range settings(t.spec(ssdrnb.SSGPLVM(), d.Len(), c.Dims, schedule), option{"back", []any{false, true}},
			option{"form", []any{"mixed", "margin"}}, option{"lambda", []any{1.0, 10.0, 100.0}}) {
			methods = append(methods, s)
		}
		results, err := experiment.PairTrial(ctx, d, c.Must, c.Cannot, draws, searchSeed, methods...)
		if err != nil {
			return best, err
		}
		for k, r := range results[1:] {
			s := methods[k+1].Spec()
			one := searched{Plain: middle(results[0].All), Error: middle(r.All)}
			one.Setting = fmt.Sprintf("%s, form %v, λ %v, back constraints %s", schedule, s.Value("form"), s.Value("lambda"), yes(s.Value("back").(bool)))
			one.All, one.AllSE = experiment.Difference(r.All, results[0].All)
			if one.FreeIsUndefined = defined(r.Free) == nil; !one.FreeIsUndefined {
				one.Free, one.FreeSE = experiment.Difference(r.Free, results[0].Free)
			}
			out.Search = append(out.Search, one)
			if one.Error < lowest {
				lowest, best, out.Chosen = one.Error, s, one.Setting
			}
		}
	}
	return best, nil
}

// versus lists the pairs of methods that the tables compare. A table shows the error of the first
// method minus that of the second.
var versus = [][2]string{{"M", "GP-LVM"}, {"CM", "GP-LVM"}, {"CMU", "GP-LVM"}, {"CS1", "GP-LVM"}, {"CS2", "GP-LVM"}, {"CMU", "CS1"}, {"CMU", "CS2"},
	{"CM with back constraints", "GP-LVM"}, {"CM with back constraints", "BC-GP-LVM"}, {"chosen CM", "GP-LVM as chosen"}}

func (r trialRow) method(name string) (trialErrors, bool) {
	k := slices.IndexFunc(r.Methods, func(m trialErrors) bool { return m.Name == name })
	if k < 0 {
		return trialErrors{}, false
	}
	return r.Methods[k], true
}

func (t trialSet) write(p *page, of trial) {
	p.line("Paper: %s\n", t.claim)
	if of.Draws == 0 {
		p.line("%s\n", lacking)
		return
	}
	p.line("| d, constraints | %s |\n|---|%s", joined(of.Rows[0].names()), dashes(len(of.Rows[0].Methods)))
	for _, r := range of.Rows {
		var errors []string
		for _, m := range r.Methods {
			errors = append(errors, fmt.Sprintf("%.2f", 100*middle(m.All)))
		}
		p.line("| %s | %s |", r.Case, joined(errors))
	}
	p.line("\n| d, constraints | difference | all samples | free samples | constrained samples |\n|---|---|---|---|---|")
	for _, r := range of.Rows {
		for _, pair := range versus {
			a, okA := r.method(pair[0])
			b, okB := r.method(pair[1])
			if okA && okB {
				p.line("| %s | %s − %s | %s | %s | %s |", r.Case, a.Name, b.Name, paired(a.All, b.All), paired(a.Free, b.Free), paired(a.Constrained, b.Constrained))
			}
		}
	}
	p.line("\n%d draws.\n", of.Draws)
	if of.Search == nil {
		return
	}
	below, free := 0, 0
	p.line("Search on %d other draws, %s; chosen: **%s**.\n", of.SearchDraws, t.cases[len(t.cases)/2], of.Chosen)
	p.line("| setting of CM | GP-LVM | error | all: difference | free: difference |\n|---|---|---|---|---|")
	for _, s := range of.Search {
		freeText := "–"
		if !s.FreeIsUndefined {
			freeText = points(s.Free, s.FreeSE)
		}
		p.line("| %s | %.2f | %.2f | %s | %s |", s.Setting, 100*s.Plain, 100*s.Error, points(s.All, s.AllSE), freeText)
		if s.All < -2*s.AllSE {
			below++
		}
		if s.Free < -2*s.FreeSE {
			free++
		}
	}
	p.line("\nBelow GP-LVM by more than two standard errors: %d of %d settings over all samples, %d over free ones.\n", below, len(of.Search), free)
}

func (c trialCase) String() string { return fmt.Sprintf("%d, %d + %d", c.Dims, c.Must, c.Cannot) }

func (r trialRow) names() []string {
	var out []string
	for _, m := range r.Methods {
		out = append(out, m.Name)
	}
	return out
}

// paired formats the mean of a − b in percentage points, its standard error, the standard
// deviation, and the share of draws with a negative difference.
func paired(a, b []float64) string {
	if a == nil || b == nil {
		return "–"
	}
	mean, se := experiment.Difference(a, b)
	below := 0
	for k := range a {
		if a[k] < b[k] {
			below++
		}
	}
	return fmt.Sprintf("%s (%.2f; %d %%)", points(mean, se), 100*se*math.Sqrt(float64(len(a))), 100*below/len(a))
}

// points formats a difference in percentage points, in bold if it exceeds two standard errors.
func points(mean, se float64) string {
	text := fmt.Sprintf("%+.2f ± %.2f", 100*mean, 100*se)
	if math.Abs(mean) > 2*se {
		return "**" + text + "**"
	}
	return text
}

func joined(cells []string) string { return strings.Join(cells, " | ") }

func dashes(n int) string { return strings.Repeat("---|", n) }
