package tests

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
)

// writeNotebook writes a notebook with the given code cells.
func writeNotebook(t *testing.T, path string, cells ...string) {
	t.Helper()
	type cell struct {
		Kind     string   `json:"cell_type"`
		ID       string   `json:"id"`
		Metadata struct{} `json:"metadata"`
		Source   string   `json:"source"`
		Outputs  []any    `json:"outputs"`
		Count    *int     `json:"execution_count"`
	}
	list := []cell{}
	for k, c := range cells {
		list = append(list, cell{Kind: "code", ID: fmt.Sprintf("cell-%d", k), Source: c, Outputs: []any{}})
	}
	writeCells(t, path, list)
}

// writeCells writes a notebook of cells of any kind, given as a slice.
func writeCells(t *testing.T, path string, cells any) {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"cells": cells, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o644); err != nil {
		t.Fatal(err)
	}
}

// outputs executes cells, with the command prefix before, and returns the output of each, errors
// included.
func outputs(t *testing.T, before []string, cells ...string) []string {
	t.Helper()
	browser.Turn(t)
	bin, env := jupyter(t)
	dir := t.TempDir()
	from := filepath.Join(dir, "cells.ipynb")
	writeNotebook(t, from, cells...)
	if out, err := nbconvert(bin, env, before, from, dir, "out.ipynb", "--allow-errors"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var shown []string
	for _, c := range read(t, filepath.Join(dir, "out.ipynb")).Cells {
		var b strings.Builder
		for _, o := range c.Outputs {
			fmt.Fprintln(&b, strings.Join(o.Text, ""), o.Ename, o.Evalue)
			for _, d := range o.Data {
				fmt.Fprintf(&b, "%s\n", d)
			}
		}
		shown = append(shown, b.String())
	}
	return shown
}

// A small module that none of ours requires.
const (
	foreign = "golang.org/x/time/rate"
	fetched = "import (\n\t\"fmt\"\n\t\"" + foreign + "\"\n)\n%%\nfmt.Println(\"burst\", rate.NewLimiter(1, 3).Burst())"
)

// A cell that imports a new module gets it.
func TestNewModule(t *testing.T) {
	t.Parallel()
	jupyter(t)
	ask := exec.Command("go", "list", "-m", "golang.org/x/time@latest")
	ask.Dir, ask.Env = t.TempDir(), append(os.Environ(), "GOWORK=off")
	if out, err := ask.CombinedOutput(); err != nil {
		t.Skipf("no module proxy: %s", out)
	}
	for k, shown := range outputs(t, nil, fetched, "%%\nfmt.Println(\"burst\", rate.NewLimiter(1, 3).Burst(), \"again\")") {
		if !strings.Contains(shown, "burst 3") {
			t.Errorf("cell %d shows %s", k, shown)
		}
	}
}

// Without a network the error names the missing import and a remedy, and the next cell runs.
func TestNewModuleOffline(t *testing.T) {
	browser.All(t)
	t.Parallel()
	began := time.Now()
	shown := outputs(t, offline(), fetched, "import \"github.com/ssdrnb/ssdrnb/datasets\"\n%%\nfmt.Println(datasets.Iris())")
	if !strings.Contains(shown[0], "no required module provides package "+foreign) || !strings.Contains(shown[0], "hint: a new module is downloaded once") {
		t.Errorf("the cell with a missing module shows %s", shown[0])
	}
	if !strings.Contains(shown[1], "iris: 150 samples") {
		t.Errorf("the next cell shows %s", shown[1])
	}
	t.Logf("both cells took %s", time.Since(began).Round(100*time.Millisecond))
}

// The kernel builds without cgo; one line enables it.
func TestCgo(t *testing.T) {
	browser.All(t)
	t.Parallel()
	jupyter(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler")
	}
	const cell = "import _ \"runtime/cgo\"\n%%\nfmt.Println(\"runs\")"
	shown := outputs(t, offline(), cell, "%env CGO_ENABLED=1", cell)
	if strings.Contains(shown[0], "runs\n") || !strings.Contains(shown[2], "runs\n") {
		t.Errorf("without cgo %s\nwith cgo %s", shown[0], shown[2])
	}
}

// A hint follows the errors that notebook cells typically cause.
func TestHints(t *testing.T) {
	t.Parallel()
	cells := []struct{ code, message, hint string }{
		{"%%\nmodel := 3\nfmt.Println(model)", "", ""},
		{"%%\nfmt.Println(model)", "undefined: model", "ends with its cell"},
		{"%%\nfmt.Println(Model)", "undefined: Model", "a restarted kernel knows only the cells that have run since"},
		{"%%\nunused := 1", "declared and not used", "every variable in a function is used"},
		{"import \"strings\"\n%%\nfmt.Println(strings.ToUpper(\"a\"), strings.Nonsense)", "undefined: strings.Nonsense", ""},
		{"fmt.Println(1)", "expected declaration", "statements belong below a line %%"},
		{"model := 3\n%%\nfmt.Println(model)", "expected declaration", "statements belong below a line %%"},
		{"import \"github.com/ssdrnb/ssdrnb/datasets\"\n%%\nd := datasets.ReadNPY(\"none.npy\")\nfmt.Println(d)", "assignment mismatch", "datasets.Must("},
		{"%%\nd := datasets.Must(datasets.ReadNPY(\"none.npy\"))\nfmt.Println(d)", "none.npy", ""}, // the advised code
		{"%%\na, b := fmt.Sprint(1)\nfmt.Println(a, b)", "assignment mismatch", ""},
	}
	codes := make([]string, len(cells))
	for k, c := range cells {
		codes[k] = c.code
	}
	shown := outputs(t, nil, codes...)
	for k, want := range cells {
		t.Logf("cell %d: %s", k, shown[k])
		if !strings.Contains(shown[k], want.message) || (want.hint == "") == strings.Contains(shown[k], "hint:") || !strings.Contains(shown[k], want.hint) {
			t.Errorf("cell %d shows %s, want %q and the hint %q", k, shown[k], want.message, want.hint)
		}
	}
}

// Each cell's main parses flags, and the kernel imports package flag for it. Cells can read their
// flags, import flag themselves, or use its name for something else, and errors name the lines of
// the cell.
func TestFlags(t *testing.T) {
	browser.All(t)
	t.Parallel()
	shown := outputs(t, nil, "import (\n\t\"fmt\"\n\t\"os\"\n)\n%%\nfmt.Println(\"no flags,\", len(os.Args)-1)", "var depth = flag.Int(\"depth\", 1, \"of the tree\")\n%% --depth=3\nfmt.Println(\"depth\", *depth)",
		"import \"flag\"\n%% one two\nfmt.Println(flag.Args())", "%%\nx := 1\n\nx = y", "%%\nx := )")
	for k, want := range []string{"no flags, 0\n", "depth 3\n", "[one two]\n", "undefined: y", "expected operand, found ')'"} {
		if !strings.Contains(shown[k], want) {
			t.Errorf("cell %d shows %s, want %q", k, shown[k], want)
		}
	}
	if !regexp.MustCompile(`Line 4<[^\n]*undefined: y`).MatchString(shown[3]) {
		t.Errorf("the error is not that of line 4: %s", shown[3])
	}
}
