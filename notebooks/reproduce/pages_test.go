package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// pagesFolder holds the pages of the repository.
const pagesFolder = ".."

// The short page is the program's summary of the full pages, and it stays short.
func TestShortPage(t *testing.T) {
	want, err := short(pagesFolder)
	if err != nil {
		t.Fatal(err)
	}
	full, page := read(t, pagesFolder)
	if page() != want {
		t.Error("REPRODUCTION.md differs from what the program writes: run go run ./notebooks/reproduce -splits 0")
	}
	if n := len(strings.Fields(want)); n > 2600 {
		t.Errorf("%d words take more than five minutes", n)
	}
	// Its counts are those computed from the measurements: %d is the count, # another count, and …
	// any text.
	for _, c := range []struct{ key, full, short string }{
		{"p1", "LMRAG, projected: first or second of the six in **%d of 24** cells", "With projected neighbours LMRAG is first of the six methods in # of 24 cells and first or second in %d;"},
		{"p1", "LMRAG, projected: … Within two published deviations of the paper, or better, in **%d of 24** cells.", "or better, in %d cells with projected"},
		{"p3", "or better, in **%d of 15** cells with tuned", "or better, in %d of 15 cells with tuned"},
		{"p3", "holds in 14 cells of the paper; of these it holds here in # with literal settings and in %d with tuned ones.", "Of the 14 cells of the paper with the order TR-SDA ≥ SDA ≥ LDA, here %d have it with tuned"},
	} {
		count := func(text, sentence string) string {
			pattern := strings.NewReplacer("%d", `(\d+)`, "#", `\d+`, "…", ".+").Replace(regexp.QuoteMeta(sentence))
			m := regexp.MustCompile(pattern).FindStringSubmatch(text)
			if m == nil {
				return "not found: " + sentence
			}
			return m[1]
		}
		if a, b := count(full(c.key), c.full), count(want, c.short); a != b {
			t.Errorf("%s has %s, the short page %s", c.key, a, b)
		}
	}
	if n := strings.Count(full("p0"), "By AC here: first S2LAE,"); !strings.Contains(want, fmt.Sprintf("S2LAE has the highest AC on %d of 6 sets", n)) {
		t.Errorf("S2LAE is first %d times", n)
	}
}

// The full pages have the paragraphs, titles and notes of the program in their places, and nothing
// else but tables and sentences written by the program.
func TestFullPages(t *testing.T) {
	full, _ := read(t, pagesFolder)
	fixed, templates := programTexts(t)
	empty := filepath.Join(t.TempDir(), "empty.json")
	if err := os.WriteFile(empty, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, of := range papers {
		text := full(of.key)
		m := regexp.MustCompile(`The matrix engine was (\S+)\.\n`).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("%s names no engine", of.key)
		}
		blank := map[string]string{}
		for _, title := range of.titles() {
			blank[title] = ""
		}
		p := page{}
		p.full(of, blank, m[1])
		before, after, _ := strings.Cut(p.String(), "## What is missing\n")
		if !strings.HasPrefix(text, before) || !strings.HasSuffix(text, after) {
			t.Errorf("the beginning or the end of %s differs from what the program writes", of.key)
		}
		headings := map[string]bool{"# " + of.title: true, "## " + conclusions: true}
		for _, e := range of.experiments {
			headings["## "+e.title] = true
			p := page{}
			p.experiment(measured{e, results{Cells: make([][]cell, len(e.columns))}})
			if note, _, _ := strings.Cut(p.String(), "### "); !strings.Contains(text, note) {
				t.Errorf("%s lacks %q", of.key, note)
			}
			for _, c := range e.columns {
				headings["### "+c.name] = true
			}
		}
		for _, table := range of.tables {
			headings["## "+table.title] = true
			lost, err := table.fill(t.Context(), empty, budget{})
			if err != nil {
				t.Fatal(err)
			}
			note, _, cut := strings.Cut(lost, "Missing: ")
			if !cut {
				note, _, _ = strings.Cut(lost, "\n\n")
			}
			if !strings.Contains(text, note) {
				t.Errorf("%s lacks %q", of.key, note)
			}
		}
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "|") || headings[line] || fixed[line] || fixed[strings.TrimPrefix(line, "- ")] || regexp.MustCompile(`^\d+ splits\.$`).MatchString(line) {
				continue
			}
			known := false
			for _, pattern := range templates {
				known = known || pattern.MatchString(line)
			}
			if !known {
				t.Errorf("%s has a line that the program does not write: %s", of.key, line)
			}
		}
	}
}

// programTexts returns the lines of the string constants of the program: plain lines as they are,
// and lines with formatting verbs as patterns.
func programTexts(t *testing.T) (fixed map[string]bool, templates []*regexp.Regexp) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fixed = map[string]bool{}
	verb, letters := regexp.MustCompile(`%[\\+.\[\]\d-]*[a-z]`), regexp.MustCompile(`\pL`)
	add := func(text string) {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			fixed[line] = true
			pattern := regexp.QuoteMeta(line)
			rest := verb.ReplaceAllString(pattern, "")
			if rest != pattern && len(letters.FindAllString(rest, -1)) >= 5 {
				templates = append(templates, regexp.MustCompile("^"+verb.ReplaceAllString(pattern, ".+")+"$"))
			}
		}
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			text, constant := constantText(e)
			if constant {
				add(text)
			}
			return !constant
		})
	}
	return fixed, templates
}

// constantText returns the value of a string literal or of a concatenation of literals.
func constantText(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		a, okA := constantText(e.X)
		b, okB := constantText(e.Y)
		return a + b, okA && okB && e.Op == token.ADD
	}
	return "", false
}
