package tests

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pages are the texts of the project with their folders; notebooks are added to them.
var pages = []string{"../README.md", "../.github/CONTRIBUTING.md", "../.github/CHANGELOG.md", "../.github/PERFORMANCE.md", "../.github/PLACES.md", "REPRODUCTION.md", "reproduction/p0.md", "reproduction/p1.md", "reproduction/p2.md", "reproduction/p3.md", "reproduction/p4.md", "../ssdrnb/bench/RESULTS.md", "../datasets/LICENSES.md"}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Links within the project have targets.
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

// The cells of the README that begin with declarations run as programs.
func TestCellsOfTheReadme(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go on the path")
	}
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	packed, err := os.Open("../datasets/embedded/penguins.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	table, err := io.ReadAll(unpacked)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "penguins.csv"), table, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	wants := [][]string{{"344 samples in 2 dimensions", "344 rows × 17 columns", "Date Egg             date"}, {"1797 samples in 2 dimensions", "data      digits"}}
	imports := ""
	for _, block := range strings.Split(string(page), "```go\n")[1:] {
		cell, _, _ := strings.Cut(block, "```")
		declared, body, divided := strings.Cut(cell, "\n%%\n")
		if !divided {
			continue
		}
		if len(wants) == 0 {
			t.Fatalf("nothing is expected of the cell\n%s", cell)
		}
		if head, rest, ok := strings.Cut(declared, "\n)\n"); ok {
			// The kernel adds imports of the standard library automatically.
			imports, declared = strings.Replace(head, "import (", "import (\n\"fmt\"\n", 1)+"\n)\n", rest
		}
		name := filepath.Join(folder, "main.go")
		if err := os.WriteFile(name, []byte("package main\n"+imports+declared+"\nfunc main() {\n"+body+"}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		build := exec.Command("go", "build", "-o", filepath.Join(folder, "cell"), name)
		build.Dir = ".."
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s\n%s", err, out, cell)
		}
		run := exec.Command(filepath.Join(folder, "cell"))
		run.Dir = folder
		out, err := run.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, out, cell)
		}
		for _, want := range wants[0] {
			if !strings.Contains(string(out), want) {
				t.Errorf("the cell does not show %q:\n%s", want, out)
			}
		}
		wants = wants[1:]
	}
	if len(wants) > 0 {
		t.Errorf("%d cells are missing", len(wants))
	}
}

// Notebooks 00 to 09 begin with their content and audience, in words before any formula, and their
// checks are folded, as nobody reads them first.
func TestNotebooksBegin(t *testing.T) {
	books, err := filepath.Glob("0*.ipynb")
	if err != nil || len(books) != 10 {
		t.Fatalf("%d notebooks: %v", len(books), err)
	}
	for _, book := range books {
		raw, err := os.ReadFile(book)
		if err != nil {
			t.Fatal(err)
		}
		var nb struct {
			Cells []struct {
				Source   []string `json:"source"`
				Metadata struct {
					Jupyter struct {
						Hidden bool `json:"source_hidden"`
					} `json:"jupyter"`
				} `json:"metadata"`
			} `json:"cells"`
		}
		if err := json.Unmarshal(raw, &nb); err != nil {
			t.Fatal(err)
		}
		first := strings.Join(nb.Cells[0].Source, "")
		_, rest, found := strings.Cut(first, "\n\n**What this shows, and for whom.** ")
		if !found {
			t.Errorf("%s does not begin with what it shows and for whom:\n%.200s", book, first)
			continue
		}
		if opening, _, _ := strings.Cut(rest, "\n\n"); strings.Contains(opening, "$") {
			t.Errorf("%s begins with a formula: %s", book, opening)
		}
		for k, c := range nb.Cells {
			if strings.Contains(strings.Join(c.Source, ""), "// Checks of the statements above.") && !c.Metadata.Jupyter.Hidden {
				t.Errorf("%s, cell %d: the checks are not folded", book, k)
			}
		}
	}
}
