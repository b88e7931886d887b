package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/experiment"
)

// Every table has a published number per method, and every method with several options has the same
// number of settings.
func TestTablesAreWhole(t *testing.T) {
	published := 0
	for _, p := range papers {
		for _, e := range p.experiments {
			for _, c := range e.columns {
				published += len(c.published)
				for r, f := range c.published {
					if f.mean < 40 || f.mean > 100 || f.spread <= 0 || f.spread > 4 || f.dims < 8 {
						t.Errorf("%s, %s, %s: %v", e.title, c.name, e.rows[r].name(), f)
					}
				}
			}
			for _, r := range e.rows {
				if n := len(r.settings); n != 24 && n != map[string]int{"PCA": 1, "MMC": 6}[r.name()] {
					t.Errorf("%s, %s has %d settings", e.title, r.name(), n)
				}
				for _, s := range append(r.settings, r.literal) {
					if s.Err() != nil {
						t.Errorf("%s: %v", e.title, s.Err())
					}
				}
			}
		}
	}
	if published != 5*3*8 {
		t.Errorf("%d published figures", published)
	}
}

// small is an experiment on embedded data, with one missing set.
func small() comparison {
	return comparison{
		title: "wine", dims: []int{1, 2, 3}, coarse: []int{1, 2},
		rows: []row{
			{ssdrnb.PCA().Spec(), settings(ssdrnb.PCA())},
			{ssdrnb.LDA().Spec(), settings(ssdrnb.LDA(), option{"ridge scale", []any{0.1, 1.0}})},
		},
		columns: []column{
			{name: "5 labels", data: func() *data.Data { return datasets.Wine().Standardize().KeepLabels(5) }, divide: perClass(20, 0), hide: 0.5,
				published: []figure{{100, 0.01, 2}, {50, 1, 2}}},
			{name: "lost", data: func() *data.Data { return data.Failed("lost", os.ErrNotExist) }, divide: perClass(20, 0), hide: 0.5},
		},
	}
}

func TestRun(t *testing.T) {
	r, err := small().run(t.Context(), budget{3, 2})
	if !errors.Is(err, errMissing) {
		t.Fatal(err)
	}
	m := measured{small(), r}
	if m.Cells[0] == nil || m.Cells[1] != nil {
		t.Fatalf("cells: %v", m.Cells)
	}
	lda := m.Cells[0][1]
	// The number equals that of a comparison made by hand.
	c, err := ssdrnb.Compare(small().columns[0].data(), ssdrnb.LDA()).TrainPerClass(20, 0).Splits(3).UpTo(3).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	curve := c.Curves[0]
	if want := 100 * curve.Test[curve.Best(curve.Test)].Mean(); lda.Literal.Mean != want {
		t.Errorf("LDA has %v, by hand %v", lda.Literal.Mean, want)
	}
	if len(lda.Validation) != 2 || lda.Tuned.Mean < lda.Blind.Mean {
		t.Errorf("%+v", lda)
	}
	if s := lda.chosen(m.rows[1]); !strings.HasPrefix(s, "ridge scale ") {
		t.Errorf("chosen: %s", s)
	}
	for k, want := range []bool{false, true} { // 100 % cannot be reached, 50 % can
		v := judge(paper{subject: m.rows[k].name(), ranking: []string{"LDA", "PCA"}}, m, 0)
		if v.reached[0] != want || v.ranked[0] {
			t.Errorf("%+v", v)
		}
	}
}

// read returns functions that read the pages in a folder.
func read(t *testing.T, folder string) (full func(key string) string, short func() string) {
	file := func(name string) string {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	return func(key string) string { return file(fullName(folder, paper{key: key})) }, func() string { return file(filepath.Join(folder, shortName)) }
}

func TestPage(t *testing.T) {
	defer func(old []paper) { papers = old }(papers)
	counted := 0
	count := newTable("Table 3, counts", func(context.Context, budget) (int, error) { counted++; return 7, nil },
		func(p *page, of int) { p.line("There are %d.", of) })
	judge := func(p *page, all []sheet) judgement {
		of := sheetsTitled(all, "wine, 5 labels")
		if len(of) == 0 {
			return judgement{}
		}
		p.line("| LDA |\n|---|\n| %s |", of[0].row("LDA")[of[0].column("published")])
		return judgement{1, 2, "Once it does."}
	}
	papers = []paper{
		{key: "x", title: "Some paper", experiments: []comparison{small()}, tables: []table{count}, missing: []string{"Table 9: gone"}, subject: "LDA", ranking: []string{"LDA", "PCA"},
			brief: brief{claim: "LDA is best.", measured: "Wine.", counted: "tables", judge: judge, reasons: []string{"It sees labels."}}},
		{key: "y", title: "Another paper", tables: []table{newTable("Table 1", func(context.Context, budget) (int, error) { return 0, nil }, func(*page, int) {})},
			brief: brief{counted: "figures", judge: judge}},
	}
	keep, out := t.TempDir(), t.TempDir()
	full, short := read(t, out)
	if err := reproduce(t.Context(), "x", "", budget{2, 2}, keep, out); err != nil {
		t.Fatal(err)
	}
	raw, page := full("x"), short()
	for _, want := range []string{"# Some paper\n", "**1 of 1** cells", "100.00 ± 0.01 (2)", "Missing: the data are not available", "## What is missing\n\n- Table 9: gone", "## Table 3, counts\n\nThere are 7."} {
		if !strings.Contains(raw, want) {
			t.Errorf("the full page lacks %q", want)
		}
	}
	for _, want := range []string{"| Some paper | tables | holds in part: 1 of 2 | [x](reproduction/x.md) |\n| Another paper | figures | not measured | |\n", "**Claim.** LDA is best.\n\n**Measured.** Wine.\n\n| LDA |\n|---|\n| 50.00 ± 1.00 (2) |\n\n**The claim holds in part.** Once it does.\n", "\n- It sees labels.\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("the short page lacks %q:\n%s", want, page)
		}
	}
	// A second run finds the tables and writes the same pages. A run of another paper, or one
	// without any table, leaves the first page unchanged.
	for _, run := range []struct {
		key, keep string
		splits    int
	}{{"x", keep, 2}, {"y", keep, 1}, {"", "", 0}} {
		if err := reproduce(t.Context(), run.key, "", budget{run.splits, 2}, run.keep, out); err != nil {
			t.Fatal(err)
		}
		if full("x") != raw || short() != page {
			t.Errorf("%v changes the pages", run)
		}
	}
	if counted != 1 {
		t.Errorf("a kept table was measured %d times", counted)
	}
	if err := reproduce(t.Context(), "none", "", budget{2, 2}, keep, out); err == nil {
		t.Error("an unknown paper passes")
	}
}

// irises returns a table of the numbers of splits and draws with which it was measured. It lacks
// data while *there is false.
func irises(title string, there *bool) table {
	return newTable(title, func(_ context.Context, b budget) (budget, error) {
		if !*there {
			return budget{}, errMissing
		}
		return b, nil
	}, func(p *page, of budget) {
		if of.Splits == 0 {
			p.line("%s\n", lacking)
			return
		}
		p.line("Measured on %d and %d.\n", of.Splits, of.Draws)
	})
}

// A run replaces only the tables that it measures with all of their data. The conclusions stay if a
// table of the page is from an earlier run.
func TestTablesStay(t *testing.T) {
	defer func(old []paper) { papers = old }(papers)
	there := true
	of := paper{key: "x", title: "Some paper", tables: []table{irises("Table 1", &there), irises("Table 2", &there)}, brief: brief{judge: judgeTRSDA}}
	runs := 0
	of.summary = func(p *page) { runs++; p.line("## %s\n\nConclusion %d.\n", conclusions, runs) }
	papers = []paper{of}
	out := t.TempDir()
	full, _ := read(t, out)
	const first, again = "Measured on 3 and 2.", "Measured on 4 and 2."
	for _, c := range []struct {
		what, table string
		splits      int
		there       bool
		one, two    string
		concludes   bool // writes new conclusions
	}{
		{"the first run", "", 3, true, first, first, true},
		{"a run of one table", "Table 2", 4, true, first, again, false},
		{"a run without data", "", 5, false, first, again, false},
		{"a run that only writes", "", 0, true, first, again, false},
		{"a run of all", "", 4, true, again, again, true},
	} {
		there = c.there
		before := runs
		if err := reproduce(t.Context(), "x", c.table, budget{c.splits, 2}, "", out); err != nil {
			t.Fatal(err)
		}
		all := sectionsOf(full("x"))
		for title, want := range map[string]string{"Table 1": c.one, "Table 2": c.two} {
			if !strings.Contains(all[title], want) {
				t.Errorf("%s leaves %q", c.what, all[title])
			}
		}
		if all[conclusions] == "" || c.concludes != (runs > before) {
			t.Errorf("%s leaves %q", c.what, all[conclusions])
		}
	}
	for _, c := range []struct {
		table string
		b     budget
		says  string
	}{{"Table 9", budget{5, 2}, `such as "Table 1"`}, {"", budget{-1, 2}, "0 splits"}, {"", budget{5, 0}, "1 draw"}} {
		before := full("x")
		if err := reproduce(t.Context(), "x", c.table, c.b, "", out); err == nil || !strings.Contains(err.Error(), c.says) || full("x") != before {
			t.Errorf("%+v passes or changes the page: %v", c, err)
		}
	}
	// Without an earlier page there is nothing to keep.
	there = false
	other := t.TempDir()
	full, _ = read(t, other)
	if err := reproduce(t.Context(), "x", "Table 1", budget{3, 2}, "", other); err != nil || !strings.Contains(full("x"), "## Table 1") || !strings.Contains(full("x"), "- Table 2: not measured yet.") {
		t.Errorf("the first page is %s, %v", full("x"), err)
	}
	// A table that lacks data in the page too does not hold up the conclusions.
	before := runs
	if err := reproduce(t.Context(), "x", "Table 1", budget{4, 2}, "", other); err != nil || runs == before || !strings.Contains(full("x"), lacking) {
		t.Errorf("the next page is %s, %v", full("x"), err)
	}
}

// A stored table is complete and from a run with the same budget; the error for any other file
// names the file.
func TestKept(t *testing.T) {
	there := false
	of := irises("Table 1", &there)
	file := filepath.Join(t.TempDir(), "Table 1.json")
	fill := func(splits int) (string, error) { return of.fill(t.Context(), file, budget{splits, 2}) }
	if _, err := fill(3); !errors.Is(err, errMissing) {
		t.Error(err)
	}
	there = true
	for _, splits := range []int{3, 3, 0} {
		if text, err := fill(splits); err != nil || !strings.Contains(text, "Measured on 3 and 2.") {
			t.Errorf("%q, %v", text, err)
		}
	}
	if _, err := fill(4); err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "-splits 3 -draws 2") {
		t.Errorf("a table of 3 splits serves a run with 4: %v", err)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", string(raw[:len(raw)/2]), `{"Splits": 3}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := fill(3); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A page that is cut off within a table is neither judged nor continued.
func TestCutPage(t *testing.T) {
	raw, err := os.ReadFile(fullName(pagesFolder, paper{key: "p0"}))
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	name := fullName(out, paper{key: "p0"})
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	row := strings.LastIndex(string(raw), "| S2LAE |")
	for _, cut := range []int{row, row + 5, row + 14} {
		if err := os.WriteFile(name, raw[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := writeShort(out); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a page cut in %q passes: %v", raw[cut-5:cut], err)
		}
		if err := reproduce(t.Context(), "p0", "", budget{}, t.TempDir(), out); err == nil {
			t.Error("a run continues a page that is cut off")
		}
	}
}

// tiny is a panel of Fig. 6 on 36 irises, in which 40 constraints leave no sample free.
func tiny() trialSet {
	return trialSet{title: "Fig. 6, tiny", claim: "something.", data: fewOf(datasets.Iris, 12), cases: byConstraints(2, 4, 40), search: true}
}

func TestTrials(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	set := tiny()
	file := filepath.Join(t.TempDir(), "kept.json")
	of := newTable(set.title, set.measure, set.write)
	text, err := of.fill(t.Context(), file, budget{3, 2})
	if err != nil {
		t.Fatal(err)
	}
	again, err := of.fill(t.Context(), file, budget{})
	if err != nil || again != text {
		t.Errorf("the text differs from that of the kept table: %v", err)
	}
	r, err := kept(file, budget{}, func() (trial, error) { return trial{}, os.ErrNotExist })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 2 || len(r.Search) != 24 || r.Draws != 3 || r.SearchDraws != 2 {
		t.Fatalf("%d rows, %d settings, %d and %d draws", len(r.Rows), len(r.Search), r.Draws, r.SearchDraws)
	}
	// The numbers equal those of a comparison made by hand, and the chosen setting has the smallest
	// error.
	d := set.data()
	plain, cm := ssdrnb.GPLVM().Schedule(ssdrnb.Joint).Rounds(1).Steps(100), ssdrnb.SSGPLVM().Schedule(ssdrnb.Joint).Rounds(1).Steps(100)
	hand, err := experiment.PairTrial(t.Context(), d, 4, 4, 3, 1, plain, cm)
	if err != nil {
		t.Fatal(err)
	}
	row := r.Rows[0]
	a, _ := row.method("GP-LVM")
	b, _ := row.method("CM")
	if !slices.Equal(a.All, hand[0].All) || !slices.Equal(b.Free, hand[1].Free) {
		t.Errorf("errors %v and %v, by hand %v and %v", a.All, b.Free, hand[0].All, hand[1].Free)
	}
	if want := paired(hand[1].All, hand[0].All); !strings.Contains(text, "| 2, 4 + 4 | CM − GP-LVM | "+want+" |") {
		t.Errorf("the text lacks %q", want)
	}
	least := slices.MinFunc(r.Search, func(a, b searched) int { return cmp.Compare(a.Error, b.Error) })
	if least.Setting != r.Chosen {
		t.Errorf("chosen %s, but the setting with the smallest error is %+v", r.Chosen, least)
	}
	if c, _ := r.Rows[1].method("CM"); c.Free != nil || c.Constrained == nil || !strings.Contains(text, "| – | ") {
		t.Errorf("a draw without free samples has an error on free samples: %v", c.Free)
	}
	// The short page counts cases: CM is below by more than two standard errors or not, and there
	// are free samples in one case only.
	defer func(old []trialSet) { trialSets = old }(trialSets)
	trialSets = []trialSet{set}
	below := 0
	for _, row := range r.Rows {
		gp, _ := row.method("GP-LVM")
		cm, _ := row.method("CM")
		if mean, se := experiment.Difference(cm.All, gp.All); mean < -2*se {
			below++
		}
	}
	if j := judgeTrials(&page{}, sheets(text)); j.held != below || j.cells != 2 || !strings.Contains(j.text, " of 1 and above in ") {
		t.Errorf("%d below: %+v", below, j)
	}
	lost := tiny()
	lost.data = func() *data.Data { return data.Failed("lost", os.ErrNotExist) }
	if text, err := newTable("lost", lost.measure, lost.write).fill(t.Context(), "", budget{1, 1}); !errors.Is(err, errMissing) || !strings.Contains(text, "not available") {
		t.Errorf("%q, %v", text, err)
	}
}

// All published numbers of Table 2 are present: LMRAG leads in 23 of the 24 columns, and its lead
// with one label on faces agrees with the paper's text.
func TestTableTwoPublished(t *testing.T) {
	leads, figures := 0, 0
	for _, b := range blocks() {
		for k := range 2 {
			own, rival := b.published[lmragRow][k].Mean, 0.0
			for _, row := range b.published[:lmragRow] {
				rival = max(rival, row[k].Mean)
			}
			if own > rival {
				leads++
			}
			want := map[string][2]float64{"UMIST": {7.71, 6.55}, "Yale B": {13.32, 10.89}}[b.set]
			if b.labels == 1 && want[k] > 0 && math.Abs(own-rival-want[k]) > 0.001 {
				t.Errorf("%s: a lead of %v, the text has %v", b.title(), own-rival, want[k])
			}
		}
		for _, row := range b.published {
			for _, v := range row {
				figures++
				if v.Mean < 13 || v.Mean > 90 || v.Std < 0.9 || v.Std > 9.1 {
					t.Errorf("%s: %v", b.title(), v)
				}
			}
		}
	}
	if leads != 23 || figures != 4*3*6*2 {
		t.Errorf("%d figures, LMRAG leads in %d columns", figures, leads)
	}
	if !whole(45.78, 5*45) || whole(45.79, 5*45) {
		t.Error("103 of 225 are 45.78 %")
	}
}

func TestChoices(t *testing.T) {
	s := side{{10, 0, 10, 0, 10, 10, 0, 10, 0, 20}, {0, 30, 0, 20, 0, 0, 2, 0, 2, 0}}
	if got := s.ofGrid(); math.Abs(got.Mean-7) > 1e-12 {
		t.Errorf("the first setting has 7, got %v", got)
	}
	// The second setting is best on the odd splits, and its scores on the even splits add up to 4.
	// The first is best on the even splits, and its scores on the odd splits add up to 40.
	if got := s.crossed(); math.Abs(got.Mean-4.4) > 1e-12 {
		t.Errorf("crossed %v", got)
	}
	// In the first five splits, the second setting is best, with a mean of 10. In the other five,
	// the first setting is best, with a mean of 8.
	if got := s.fives(); !slices.Equal(got, []float64{10, 8}) {
		t.Errorf("fives %v", got)
	}
	// There are two cells. The second has only five splits, in which no method beats method 5.
	front := []contest{{sides: []side{s, {{9, 9, 9, 9, 9, 9, 9, 9, 9, 9}}, s, {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, s, {{9, 9, 9, 9, 9, 7, 7, 7, 7, 7}}}}, {sides: slices.Repeat([]side{{{1, 1, 1, 1, 1}}}, 6)}}
	if got := smallFronts(front, 5); got != "1 of 2, 0 of 1" {
		t.Errorf("small fronts %s", got)
	}
	if even := (side{{5, 6, 7, 6}}); !even.leads(side{{4, 5, 6, 4}}) || even.leads(side{{5, 6, 7, 6}}) || even.leads(side{{0, 9, 5, 8}}) {
		t.Error("leads does not compare the mean difference with two standard errors")
	}
	if place(5, []float64{6, 5, 4, 7, 1, 9}) != 3 {
		t.Error("place does not compare the score with the five other methods")
	}
}

func TestTableTwo(t *testing.T) {
	defer func(old []paper) { papers = old }(papers)
	wine := func() *data.Data { return datasets.Wine().Take(20) }
	b := block{set: "wine", data: wine, labels: 2}
	for range lmragRow {
		b.published = append(b.published, [2]percent{{50, 1}, {50, 1}})
	}
	b.published = append(b.published, [2]percent{{1, 1}, {100, 0.01}})
	lost := block{set: "lost", data: func() *data.Data { return data.Failed("lost", os.ErrNotExist) }, labels: 1, published: b.published}
	of := newTableTwo([]block{b, lost})
	papers = []paper{{key: "x", title: "Some paper", tables: of.tables(), summary: of.summary, brief: p1Brief}}
	keep, out := t.TempDir(), t.TempDir()
	full, short := read(t, out)
	if err := reproduce(t.Context(), "", "", budget{2, 1}, keep, out); err != nil {
		t.Fatal(err)
	}
	raw := full("x")
	for _, want := range []string{"## What holds", "Within two published deviations of the paper, or better, in **1 of 2** cells", "## Table 2, lost, 1 label per class\n\nMissing", "2 splits."} {
		if !strings.Contains(raw, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	// The short page has the same counts.
	if page := short(); !strings.Contains(page, "\n| wine | 2 | ") || !strings.Contains(page, "or better, in 1 cell with projected neighbours and in 1 with local ones") {
		t.Errorf("the short page is\n%s", page)
	}
	// The numbers equal those of a sweep made by hand.
	r, err := ssdrnb.Sweep(ssdrnb.LapRLS(), wine().KeepLabels(2)).Log10("ambient", -6, 6, 2).Log10("intrinsic", -6, 6, 2).Splits(2).Train(0.4).
		Prepare((*data.Data).LearnScale01).Prepare(func(d *data.Data) data.Scaling { return d.LearnPCA(0.98) }).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := r.Test[r.Best(r.Test)]
	if got := of.done[b.title()].Rows[4].Test.ofGrid(); math.Abs(got.Mean-100*c.Mean()) > 1e-3 || math.Abs(got.Std-100*c.Std()) > 1e-3 {
		t.Errorf("LapRLS/L has %v, by hand %v", got, c)
	}
	if scored := of.done[b.title()].Scored; scored != [2]int{18, 36} { // 24 of 60 train, 6 with a label
		t.Errorf("%d samples scored", scored)
	}
	// The page is generated from the stored results.
	if err := reproduce(t.Context(), "", "", budget{0, 0}, keep, out); err != nil {
		t.Fatal(err)
	}
	if full("x") != raw {
		t.Error("the page differs from kept tables")
	}
}

// BenchmarkORL is the paper's experiment on faces: nine methods, 20 splits, 30 dimensions. It needs
// the set in SSDRNB_DATA.
func BenchmarkORL(b *testing.B) {
	d := datasets.ORL()
	if d.Err() != nil {
		b.Skip(d.Err())
	}
	var methods []ssdrnb.Estimator
	for _, r := range p3Rows(0.1, 1)[:9] {
		methods = append(methods, ssdrnb.New(r.name()))
	}
	for b.Loop() {
		c, err := ssdrnb.Compare(d.KeepLabels(5), methods...).TrainPerClass(8, 0).Splits(20).UpTo(30).Run(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		for _, curve := range c.Curves {
			if curve.Err != nil {
				b.Error(curve.Err)
			}
		}
	}
}

// few is an error experiment on embedded data.
var few = errorSet{
	title: "errors", note: "A note.", data: func() *data.Data { return datasets.Wine().Standardize() }, subject: "S3RMM",
	labels: 5, train: 20, hide: 0.4, homogeneous: 3, heterogeneous: 5, dims: []int{1, 2, 30}, splits: 2, budget: 3, published: p2USPS,
}

func TestErrorSet(t *testing.T) {
	of, err := few.measure(t.Context(), budget{9, 1})
	if err != nil {
		t.Fatal(err)
	}
	if of.Splits != 2 || of.Draws != [2]int{4, 2} || len(of.Rows) != len(few.contenders()) {
		t.Fatalf("%+v", of)
	}
	rows := map[string]errorRow{}
	for _, r := range of.Rows {
		rows[r.Method] = r
		for _, o := range []outcome{r.Literal, r.Tuned, r.Known} {
			if o.Failure != "" || len(o.Unlabelled) != 2 || len(o.Test) != 2 {
				t.Errorf("%s: %+v", r.Method, o)
			}
		}
		if r.Tuned.Choice > r.Literal.Choice {
			t.Errorf("%s: the tuned setting validates worse than the literal one: %v, %v", r.Method, r.Tuned.Choice, r.Literal.Choice)
		}
	}
	// By hand: the baseline, and a method fitted to the labelled samples only.
	train, test := few.data().KeepLabels(5).Seed(2).SplitPerClass(20, 0)
	known, hidden := sides(train)
	if known.Len() != 15 || hidden.Len() != 45 {
		t.Fatalf("%d samples are labelled and %d hidden", known.Len(), hidden.Len())
	}
	wrong := 0
	for i := range test.Len() {
		best, class := math.Inf(1), -1
		for k := range known.Len() {
			if d := floats.Distance(test.X.RawRowView(i), known.X.RawRowView(k), 2); d < best {
				best, class = d, known.Labels[k]
			}
		}
		if class != test.Truth[i] {
			wrong++
		}
	}
	if got, want := rows["Baseline"].Literal.Test[1], 100*float64(wrong)/float64(test.Len()); math.Abs(got-want) > 1e-9 {
		t.Errorf("the baseline errs by %v %%, by hand %v", got, want)
	}
	mmc := rows["MMC"].Literal
	m, err := ssdrnb.MMC().Dims(min(mmc.Dims, 13)).Fit(known)
	if err != nil {
		t.Fatal(err)
	}
	for _, side := range []struct {
		on  *data.Data
		got float64
	}{{hidden, mmc.Unlabelled[1]}, {test, mmc.Test[1]}} {
		if score, err := m.Score(ssdrnb.NearestNeighbor, side.on); err != nil || math.Abs(100-100*score-side.got) > 1e-9 {
			t.Errorf("MMC errs by %v %%, by hand %v (%v)", side.got, 100-100*score, err)
		}
	}
	// An option that keeps its tuned value changes nothing.
	tuned := few.contenders()[12]
	for _, s := range tuned.settings {
		if options(s) != rows["S3RMM"].Tuned.Chosen {
			continue
		}
		same := 0
		for _, v := range of.Varied {
			if v.Value == fmt.Sprint(s.Value(v.Option)) {
				same++
				if !slices.Equal(v.Outcome.Test, rows["S3RMM"].Tuned.Test) {
					t.Errorf("%s %s: %v, tuned %v", v.Option, v.Value, v.Outcome.Test, rows["S3RMM"].Tuned.Test)
				}
			}
		}
		if same < 5 {
			t.Errorf("only %d variations keep the tuned value", same)
		}
	}
	p := page{}
	few.write(&p, of)
	for _, want := range []string{"A note.", "2 splits; settings were chosen on other draws: 4 scored by hidden labels", "| S3RMM | 15.73 ± 2.07 / 17.05 ± 2.13 |", "Within two published deviations (19.87 / 21.31): yes", "| gamma | **0.5** "} {
		if !strings.Contains(p.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, p.String())
		}
	}
}

// The short page has the rank of the method, and whether it reaches the paper's result on the
// paper's own data.
func TestJudgeErrors(t *testing.T) {
	defer func(old []errorSet) { errorSets = old }(errorSets)
	on := func(title string) errorSet { s := digitTable; s.title = title; return s }
	errorSets = []errorSet{on("Table 3, a"), on("Table 2, b")}
	p := page{}
	for k, s := range errorSets {
		p.line("## %s\n\n| method | published | literal | tuned | known |\n|---|---|---|---|---|", s.title)
		for r := range s.published {
			// S3RMM, the last, beats two methods at literal settings, and is first when tuned.
			own := outcome{Chosen: "x", Unlabelled: []float64{float64(20 + r)}, Test: []float64{float64(20 + r)}}
			tuned := own
			if r == 12 {
				own.Test[0], tuned.Unlabelled, tuned.Test = 29.5, []float64{19}, []float64{19 + float64(k)/2}
			}
			p.line("| %s | %v / %v | %v | %v | fails: 3 of 4 |", s.contenders()[r].name, s.published[r][0], s.published[r][1], own, tuned)
		}
		p.line("")
	}
	short := page{}
	j := judgeS3RMM(&short, sheets(p.String()))
	if j.held != 2 || j.cells != 2 || !strings.Contains(j.text, "in 1 of 1 tables with tuned settings, in 0 with known ones and in 0 with literal ones") {
		t.Errorf("%+v", j)
	}
	for _, want := range []string{"| Table 3, a | 17.05 | 29.50 (11) | 19.00 (1) | fails | Baseline 20.00 |", "| Table 2, b | – | 29.50 (11) | 19.50 (1) |"} {
		if !strings.Contains(short.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, short.String())
		}
	}
}

func TestErrorSetWithoutData(t *testing.T) {
	lost := few.with("lost", "", func() *data.Data { return data.Failed("lost", os.ErrNotExist) })
	of, err := lost.measure(t.Context(), budget{1, 1})
	p := page{}
	if lost.write(&p, of); !errors.Is(err, errMissing) || !strings.Contains(p.String(), "Missing") {
		t.Errorf("%v, %s", err, p.String())
	}
}

// Every method has its share of the budget, no setting occurs twice, and there is a row of the
// paper.
func TestErrorSetsAreWhole(t *testing.T) {
	for _, s := range errorSets {
		rows := s.methods()
		if s.published != nil && (len(s.published) != 13 || rows[12].name != s.subject) {
			t.Errorf("%s: %d rows are published", s.title, len(s.published))
		}
		for r, row := range rows {
			if n := len(row.settings); n > s.budget || n < s.budget && !slices.Contains([]string{"Baseline", "PCA", "MMC", "PCA of all training samples"}, row.name) {
				t.Errorf("%s, %s has %d settings", s.title, row.name, n)
			}
			seen := map[string]bool{}
			for _, spec := range row.settings {
				if spec.Err() != nil || seen[spec.String()] {
					t.Errorf("%s, %s: %s twice, or %v", s.title, row.name, spec, spec.Err())
				}
				seen[spec.String()] = true
			}
			if r < len(s.published) {
				for _, f := range s.published[r] {
					if f.Mean < 15 || f.Mean > 68 || f.Std < 1 || f.Std > 5 {
						t.Errorf("%s, %s: %v", s.title, row.name, f)
					}
				}
			}
		}
	}
}

func TestPlace(t *testing.T) {
	s := errorSet{subject: "b", published: [][2]percent{{{10, 1}, {10, 1}}, {{10, 1}, {10, 1}}}}
	of := errorTable{Rows: []errorRow{
		{Method: "a", Tuned: outcome{Unlabelled: []float64{9, 9}, Test: []float64{8, 10}}},
		{Method: "b", Tuned: outcome{Unlabelled: []float64{12, 12}, Test: []float64{12, 12}}},
		{Method: "c", Tuned: outcome{Unlabelled: []float64{0, 0}, Test: []float64{0, 0}}}, // not in the paper
	}}
	tuned := func(r errorRow) outcome { return r.Tuned }
	if got := s.place(of, tuned); !strings.Contains(got, "number 2 of the paper's 2") || !strings.Contains(got, "+3.00 ± 1.00") || !strings.HasSuffix(got, "(12.00 / 12.00): yes.") {
		t.Error(got)
	}
}

// The default is found in the table of tried settings, and the loss of a setting is its distance to
// the best.
func TestDefaults(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	e := small()
	e.columns, e.coarse = e.columns[:1], []int{2}
	keep := filepath.Join(t.TempDir(), "defaults.json")
	text, err := p3Defaults([]comparison{e}).fill(t.Context(), keep, budget{2, 2})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "**manifold 0.01, ridge scale 0.1, pca auto**") || !strings.Contains(text, "each of 3 labelled sets") {
		t.Errorf("the page has\n%s", text)
	}
	of, err := kept(keep, budget{}, func() (defaults, error) { return defaults{}, os.ErrNotExist })
	if err != nil {
		t.Fatal(err)
	}
	for set := range of.Sets {
		least := math.Inf(1)
		for _, s := range of.Trials {
			least = min(least, s.Loss[set])
		}
		if least != 0 {
			t.Errorf("%s: the best setting loses %v", of.Sets[set], least)
		}
	}
}

// In TestPreparations, LMRAG is two points above the paper, and each other method is one point
// above or below it.
func TestPreparations(t *testing.T) {
	flat := func(v float64) side { return slices.Repeat(side{slices.Repeat([]float64{v}, 5)}, 49) }
	var row []swept
	for _, b := range blocks() {
		s := swept{Splits: 5}
		for m := range gridMethods(2) {
			off := 1.0 - 2*float64(m%2)
			if m >= lmragRow {
				off = 2
			}
			of := b.published[min(m, lmragRow)]
			s.Rows = append(s.Rows, sweptMethod{Unlabelled: flat(of[0].Mean + off), Test: flat(of[1].Mean + off)})
		}
		row = append(row, s)
	}
	p := page{}
	writePreparations(&p, preparedTables{5, [][]swept{row, row, row}})
	if text := p.String(); strings.Count(text, "+0.2 (1.0) | +2.0 (2.0) | 6 of 6") != 12 {
		t.Errorf("the table is\n%s", text)
	}
}

// A section is replaced only by one that lacks data of the same tables.
func TestLacksNoMore(t *testing.T) {
	section := func(a, b string) string { return "## T\n\n### A\n\n" + a + "\n\n### B\n\n" + b + "\n" }
	for _, c := range []struct {
		text, old string
		want      bool
	}{
		{section("1", lacking), section("0", lacking), true},
		{section("1", lacking), section(lacking, lacking), true},
		{section("1", lacking), section(lacking, "0"), false},
		{section(lacking, lacking), section(lacking, "0"), false},
		{section("1", lacking), section("0", "0"), false},
		{section("1", "2"), section("0", lacking), false},
		{"## T\n\n" + lacking + "\n", "## T\n\n" + lacking + "\n", true},
	} {
		if got := lacksNoMore(c.text, c.old); got != c.want {
			t.Errorf("%q in place of %q: %v", c.text, c.old, got)
		}
	}
}
