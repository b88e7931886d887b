package main

import (
	"context"
	"os"
	"path/filepath"
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
