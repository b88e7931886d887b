package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Every table has a published figure per method, and every method that has several
// options the same number of settings.
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

// small is an experiment on embedded data, with one set that is missing.
func small() experiment {
	return experiment{
		title: "wine", dims: []int{1, 2, 3}, coarse: []int{1, 2},
		rows: []row{
			{ssdrnb.PCA().Spec(), settings(ssdrnb.PCA())},
			{ssdrnb.LDA().Spec(), settings(ssdrnb.LDA(), option{"ridgescale", []any{0.1, 1.0}})},
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
	if err != nil {
		t.Fatal(err)
	}
	m := measured{small(), r}
	if m.Cells[0] == nil || m.Cells[1] != nil {
		t.Fatalf("cells: %v", m.Cells)
	}
	lda := m.Cells[0][1]
	// The figure is that of a comparison made by hand.
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
	if s := lda.chosen(m.rows[1]); !strings.HasPrefix(s, "ridgescale ") {
		t.Errorf("chosen: %s", s)
	}
	for k, want := range []bool{false, true} { // 100 % is out of reach, 50 % is not
		v := judge(paper{subject: m.rows[k].name(), ranking: []string{"LDA", "PCA"}}, m, 0)
		if v.reached[0] != want || v.ranked[0] {
			t.Errorf("%+v", v)
		}
	}
}

func TestPage(t *testing.T) {
	defer func(old []paper) { papers = old }(papers)
	counted := 0
	count := newTable("Table 3, counts", func(context.Context, budget) (int, error) { counted++; return 7, nil },
		func(p *page, of int) { p.line("There are %d.", of) })
	papers = []paper{{key: "x", title: "Some paper", experiments: []experiment{small()}, tables: []table{count}, missing: []string{"Table 9: gone"}, subject: "LDA", ranking: []string{"LDA", "PCA"}}}
	keep := t.TempDir()
	out := filepath.Join(keep, "page.md")
	if err := reproduce(t.Context(), "", "", budget{2, 2}, keep, out); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## Some paper", "**1 of 1** cells", "100.00 ± 0.01 (2)", "Missing: the data are not at hand", "Table 9: gone", "### Table 3, counts\n\nThere are 7."} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	// A second run finds the table and writes the same page.
	if err := reproduce(t.Context(), "x", "", budget{9, 9}, keep, out); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(out); err != nil || string(again) != string(raw) {
		t.Errorf("the page differs from kept tables: %v", err)
	}
	if counted != 1 {
		t.Errorf("a kept table was measured %d times", counted)
	}
	if err := reproduce(t.Context(), "none", "", budget{2, 2}, keep, out); err == nil {
		t.Error("an unknown paper passes")
	}
}

// tiny is a panel of Fig. 6 on 36 irises, where 40 constraints leave no sample free.
func tiny() trialSet {
	return trialSet{title: "Fig. 6, tiny", claim: "something.", data: fewOf(datasets.Iris, 12), cases: byConstraints(2, 4, 40), search: true}
}

func TestTrials(t *testing.T) {
	set := tiny()
	file := filepath.Join(t.TempDir(), "kept.json")
	of := newTable(set.title, set.measure, set.write)
	text, err := of.fill(t.Context(), file, budget{3, 2})
	if err != nil {
		t.Fatal(err)
	}
	again, err := of.fill(t.Context(), file, budget{9, 9})
	if err != nil || again != text {
		t.Errorf("the text differs from that of the kept table: %v", err)
	}
	r, err := kept(file, func() (trial, error) { return trial{}, os.ErrNotExist })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 2 || len(r.Search) != 24 || r.Draws != 3 || r.SearchDraws != 2 {
		t.Fatalf("%d rows, %d settings, %d and %d draws", len(r.Rows), len(r.Search), r.Draws, r.SearchDraws)
	}
	// The figures are those of a comparison made by hand, and the chosen setting is
	// the one that errs least.
	d := set.data()
	plain, cm := ssdrnb.GPLVM().Schedule(ssdrnb.Joint).Rounds(1).Steps(100), ssdrnb.SSGPLVM().Schedule(ssdrnb.Joint).Rounds(1).Steps(100)
	hand, err := ssdrnb.PairTrial(t.Context(), d, 4, 4, 3, 1, plain, cm)
	if err != nil {
		t.Fatal(err)
	}
	row := r.Rows[0]
	a, _ := row.of("GP-LVM")
	b, _ := row.of("CM")
	if !slices.Equal(a.All, hand[0].All) || !slices.Equal(b.Free, hand[1].Free) {
		t.Errorf("errors %v and %v, by hand %v and %v", a.All, b.Free, hand[0].All, hand[1].Free)
	}
	if want := paired(hand[1].All, hand[0].All); !strings.Contains(text, "| 2, 4 + 4 | CM − GP-LVM | "+want+" |") {
		t.Errorf("the text lacks %q", want)
	}
	least := slices.MinFunc(r.Search, func(a, b searched) int { return cmp.Compare(a.Error, b.Error) })
	if least.Setting != r.Chosen {
		t.Errorf("chosen %s, least is %+v", r.Chosen, least)
	}
	if c, _ := r.Rows[1].of("CM"); c.Free != nil || c.Constrained == nil || !strings.Contains(text, "| – | ") {
		t.Errorf("free samples where there are none: %v", c.Free)
	}
	lost := tiny()
	lost.data = func() *data.Data { return data.Failed("lost", os.ErrNotExist) }
	if text, err := newTable("lost", lost.measure, lost.write).fill(t.Context(), "", budget{1, 1}); err != nil || !strings.Contains(text, "not at hand") {
		t.Errorf("%q, %v", text, err)
	}
}

// BenchmarkORL is the paper's experiment on faces: nine methods, 20 splits, 30
// dimensions. It needs the set in SSDRNB_DATA.
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
