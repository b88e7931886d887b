package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pages are the texts of the project with their folders; notebooks come to them.
var pages = []string{"../README.md", "../.github/CONTRIBUTING.md", "../.github/CHANGELOG.md", "../.github/PERFORMANCE.md", "REPRODUCTION.md", "reproduction/p0.md", "reproduction/p1.md", "reproduction/p2.md", "reproduction/p3.md", "reproduction/p4.md", "../ssdrnb/bench/RESULTS.md", "../datasets/LICENSES.md"}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Links that stay in the project lead somewhere.
func TestLinks(t *testing.T) {
	books, err := filepath.Glob("*.ipynb")
	if err != nil || len(books) == 0 {
		t.Fatalf("no notebooks: %v", err)
	}
	count := 0
	check := func(page, text string) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to, _, _ := strings.Cut(m[1], "#")
			if to == "" || strings.Contains(to, "://") {
				continue
			}
			count++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), to)); err != nil {
				t.Errorf("%s: the link %s is dead", page, m[1])
			}
		}
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		check(page, string(text))
	}
	for _, book := range books {
		for _, c := range read(t, book).Cells {
			if c.CellType == "markdown" {
				check(book, strings.Join(c.Source, ""))
			}
		}
	}
	if count < 20 {
		t.Errorf("only %d links were found", count)
	}
}

// The first cell of the README runs, as a program.
func TestFirstCell(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go on the path")
	}
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```go\n")
	cell, _, closed := strings.Cut(rest, "```")
	declared, body, divided := strings.Cut(cell, "\n%%\n")
	if !closed || !divided {
		t.Fatal("the README begins with no cell")
	}
	// The kernel finds the imports of the standard library by itself.
	program := "package main\n" + strings.Replace(declared, "import (", "import (\n\"fmt\"\n", 1) + "\nfunc main() {\n" + body + "}\n"
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", file)
	run.Dir = ".."
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"1797 samples in 2 dimensions", "data      digits"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the cell does not show %q:\n%s", want, out)
		}
	}
}
