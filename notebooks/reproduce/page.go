package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// page is a Markdown page under construction.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// lacking is the text that replaces a table without data.
const lacking = "Missing: the data are not available."

// conclusions is the title of the section that [paper.conclude] writes.
const conclusions = "What holds"

// titles returns the titles of the tables, in the order of the page.
func (of paper) titles() []string {
	var out []string
	for _, e := range of.experiments {
		out = append(out, e.title)
	}
	for _, t := range of.tables {
		out = append(out, t.title)
	}
	return out
}

// conclude returns the section with the conclusions from all tables, or "" if there are none. done
// contains the measured experiments.
func (of paper) conclude(done []measured) string {
	p := page{}
	p.summary(of, done)
	if of.summary != nil {
		of.summary(&p)
	}
	return p.String()
}

// full writes the page with all tables of a paper. sections maps the title of each table, and the
// title of the conclusions, to its text.
func (p *page) full(of paper, sections map[string]string, engine string) {
	p.line("# %s\n", of.title)
	p.line("All tables of one paper; the [short page](../%s) has the verdicts. Written by `SSDRNB_DATA=folder go run ./notebooks/reproduce`; do not edit. %s%s.\n", shortName, engineWas, engine)
	p.line("## How it was measured\n")
	for _, text := range of.protocol {
		p.line("%s\n", text)
	}
	p.line("## What was found\n")
	for _, text := range of.findings {
		p.line("%s\n", text)
	}
	p.WriteString(sections[conclusions])
	missing := slices.Clone(of.missing)
	for _, title := range of.titles() {
		text, known := sections[title]
		p.WriteString(text)
		if !known {
			missing = append(missing, title+": not measured yet.")
		}
	}
	if missing != nil {
		p.line("## What is missing\n")
	}
	for _, text := range missing {
		p.line("- %s", text)
	}
}

// sectionsOf returns the sections of a full page by title, each with its heading.
func sectionsOf(text string) map[string]string {
	out := map[string]string{}
	title := ""
	for line := range strings.Lines(text) {
		if of, ok := strings.CutPrefix(line, "## "); ok {
			title = strings.TrimSpace(of)
		}
		if title != "" {
			out[title] += line
		}
	}
	return out
}

// lackingIn returns the headings of those tables in a section that have no data.
func lackingIn(section string) map[string]bool {
	out, heading := map[string]bool{}, ""
	for line := range strings.Lines(section) {
		switch {
		case strings.HasPrefix(line, "#"):
			heading = line
		case strings.TrimSpace(line) == lacking:
			out[heading] = true
		}
	}
	return out
}

// lacksNoMore reports whether the section `text` names at least one table that lacks data, and the
// section `old` lacks the data of all these tables too. It is called for a new section `text` whose
// data are not complete.
func lacksNoMore(text, old string) bool {
	missing, before := lackingIn(text), lackingIn(old)
	for heading := range missing {
		if !before[heading] {
			return false
		}
	}
	return len(missing) > 0
}

const engineWas = "The matrix engine was "

// engineOf returns the matrix engine that a full page names.
func engineOf(text string) string {
	_, after, _ := strings.Cut(text, engineWas)
	engine, _, _ := strings.Cut(after, ".\n")
	return engine
}

// experiment writes one table per labelled set.
func (p *page) experiment(m measured) {
	p.line("## %s\n", m.title)
	if m.note != "" {
		p.line("%s\n", m.note)
	}
	for k, c := range m.columns {
		p.line("### %s\n", c.name)
		if m.Cells[k] == nil {
			p.line("%s\n", lacking)
			continue
		}
		p.line("| method | published | literal | tuned | blind | tuned settings |\n|---|---|---|---|---|---|")
		for r, row := range m.rows {
			cell := m.Cells[k][r]
			published := "–"
			if r < len(c.published) {
				published = c.published[r].String()
			}
			p.line("| %s | %s | %s | %s | %s | %s |", row.name(), published, cell.Literal, cell.Tuned, cell.Blind, cell.chosen(row))
		}
		p.line("")
	}
	p.line("%s; settings were chosen on the first %d.\n", nouns.Count(m.Budget.Splits, "split"), m.Budget.Draws)
}

// chosen formats the options of the setting with the best validation score.
func (c cell) chosen(r row) string {
	at, top := -1, 0.0
	for i, v := range c.Validation {
		if v > top {
			at, top = i, v
		}
	}
	switch {
	case len(r.settings) == 1:
		return "no choice"
	case at < 0:
		return "all settings fail: literal"
	}
	return varyingOptions(r.settings[at], r.settings)
}

func (f figure) String() string { return fmt.Sprintf("%.2f ± %.2f (%d)", f.mean, f.spread, f.dims) }

// percent is a mean with the standard deviation over the splits.
type percent struct{ Mean, Std float64 }

func (v percent) String() string { return fmt.Sprintf("%.2f ± %.2f", v.Mean, v.Std) }

// percentOf returns the mean and the standard deviation (divisor n − 1). Without scores they are
// NaN and 0.
func percentOf(scores []float64) percent {
	c := ssdrnb.Cell{Scores: scores}
	return percent{c.Mean(), c.Std()}
}

func (s score) String() string {
	switch {
	case s.Error != "":
		return "fails: " + s.Error
	case s.Dims == 0:
		return "–"
	}
	return fmt.Sprintf("%.2f ± %.2f (%d)", s.Mean, s.Std, s.Dims)
}

// summary writes a table that shows for each cell whether the method of the paper reaches the
// published accuracy, and whether the methods have the claimed order.
func (p *page) summary(of paper, done []measured) {
	var verdicts []verdict
	for _, m := range done {
		for k, c := range m.columns {
			if m.Cells[k] != nil && c.published != nil {
				verdicts = append(verdicts, judge(of, m, k))
			}
		}
	}
	if len(verdicts) == 0 {
		return
	}
	reached := [2]int{}
	for _, v := range verdicts {
		for i, ok := range v.reached {
			if ok {
				reached[i]++
			}
		}
	}
	p.line("## %s\n", conclusions)
	p.line("%s is within two published deviations of the paper, or better, in **%d of %d** cells with tuned settings and in %d with literal ones.\n", of.subject, reached[1], len(verdicts), reached[0])
	order := strings.Join(of.ranking, " ≥ ")
	p.line("| cell | %s published | literal | tuned | reached (literal, tuned) | %s in the paper | literal | tuned |\n|---|---|---|---|---|---|---|---|", of.subject, order)
	ranked, level := [3]int{}, [2]int{}
	for _, v := range verdicts {
		for i, ok := range v.ranked {
			if ok && (i == 0 || v.ranked[0]) {
				ranked[i]++
			}
		}
		for i, ok := range v.level {
			if ok && v.ranked[0] {
				level[i]++
			}
		}
		p.line("| %s | %s | %s | %s | %s, %s | %s | %s | %s |", v.cell, v.published, v.literal, v.tuned,
			yes(v.reached[0]), yes(v.reached[1]), yes(v.ranked[0]), yes(v.ranked[1]), yes(v.ranked[2]))
	}
	p.line("\n%s holds in %d cells of the paper; of these it holds here in %d with literal settings and in %d with tuned ones. "+
		"If differences against the order count as level when they are within one standard error, √((σ₁² + σ₂²)/splits), it holds in %d and %d.\n", order, ranked[0], ranked[1], ranked[2], level[0], level[1])
	p.settings(of, done)
}

// verdict compares a published cell of the paper's method with our result.
type verdict struct {
	cell           string
	published      figure
	literal, tuned score
	reached        [2]bool // published value reached: literal, tuned
	ranked         [3]bool // claimed order: in the paper, literal, tuned
	level          [2]bool // claimed order if differences within a standard error count as ties: literal, tuned
}

func judge(of paper, m measured, k int) verdict {
	c := m.columns[k]
	at := func(name string) int {
		return slices.IndexFunc(m.rows, func(r row) bool { return r.name() == name })
	}
	r := at(of.subject)
	cell := m.Cells[k][r]
	v := verdict{cell: m.title + ", " + c.name, published: c.published[r], literal: cell.Literal, tuned: cell.Tuned, ranked: [3]bool{true, true, true}, level: [2]bool{true, true}}
	for i, s := range []score{cell.Literal, cell.Tuned} {
		v.reached[i] = s.Error == "" && s.Mean >= v.published.mean-2*v.published.spread
	}
	for i := 1; i < len(of.ranking); i++ {
		a, b := at(of.ranking[i-1]), at(of.ranking[i])
		v.ranked[0] = v.ranked[0] && c.published[a].mean >= c.published[b].mean
		above, below := m.Cells[k][a], m.Cells[k][b]
		for j, pair := range [][2]score{{above.Literal, below.Literal}, {above.Tuned, below.Tuned}} {
			difference := pair[0].Mean - pair[1].Mean
			v.ranked[j+1] = v.ranked[j+1] && difference >= 0
			v.level[j] = v.level[j] && difference >= -math.Hypot(pair[0].Std, pair[1].Std)/math.Sqrt(float64(m.Budget.Splits))
		}
	}
	return v
}

// settings lists the best six settings of the paper's method and the worst one, ordered by the mean
// validation score over all cells. The first is the best single setting for all data sets.
func (p *page) settings(of paper, done []measured) {
	sums, cells := map[string]float64{}, 0
	var names []string
	for _, m := range done {
		r := slices.IndexFunc(m.rows, func(r row) bool { return r.name() == of.subject })
		for k, c := range m.columns {
			if m.Cells[k] == nil || c.published == nil {
				continue
			}
			cells++
			for i, s := range m.rows[r].settings {
				name := varyingOptions(s, m.rows[r].settings)
				if _, ok := sums[name]; !ok {
					names = append(names, name)
				}
				sums[name] += m.Cells[k][r].Validation[i]
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		switch {
		case sums[a] > sums[b]:
			return -1
		case sums[a] < sums[b]:
			return 1
		}
		return 0
	})
	p.line("One setting of %s for all cells, by its mean validation score (best dimension):\n", of.subject)
	p.line("| setting | mean |\n|---|---|")
	for i, name := range names {
		if i < 6 || i == len(names)-1 {
			p.line("| %s | %.2f |", name, sums[name]/float64(cells))
		}
	}
	p.line("")
}

// varyingOptions formats those options of s that differ between the settings in `among`, including
// options with default values.
func varyingOptions(s ssdrnb.Spec, among []ssdrnb.Spec) string {
	var parts []string
	for _, o := range s.Method().Params {
		if slices.ContainsFunc(among, func(other ssdrnb.Spec) bool { return other.Value(o.Name) != s.Value(o.Name) }) {
			value := fmt.Sprint(s.Value(o.Name))
			if o.Auto != "" && s.Value(o.Name) == float64(ssdrnb.Auto) {
				value = "auto"
			}
			parts = append(parts, o.Name+" "+value)
		}
	}
	return strings.Join(parts, ", ")
}

func yes(ok bool) string {
	if ok {
		return "yes"
	}
	return "no"
}
