package tests

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Limits on the text of a lesson.
const (
	maxSentence = 20 // words
	maxBetween  = 60 // words between two interactive parts
	maxFirst    = 40 // words before the first interactive part
)

// piece is a part of a lesson, in order: a text or an interactive part.
type piece struct {
	text    string
	movable bool
}

// piecesOf returns the parts of a lesson.
func piecesOf(nb *notebook) ([]piece, error) {
	var out []piece
	for k, cell := range nb.Cells {
		source := strings.Join(cell.Source, "")
		if cell.CellType == "markdown" {
			out = append(out, piece{text: plainText(source)})
			continue
		}
		declared, body, divided := strings.Cut("\n"+source, "\n%%")
		if !divided {
			declared, body = source, ""
		}
		_, body, _ = strings.Cut(body, "\n")
		for _, part := range []string{"package p\n" + declared, "package p\nfunc _() {\n" + body + "\n}"} {
			file, err := parser.ParseFile(token.NewFileSet(), "", part, parser.SkipObjectResolution)
			if err != nil {
				return nil, fmt.Errorf("cell %d: %w", k, err)
			}
			out = append(out, piecesOfCode(file)...)
		}
	}
	return out, nil
}

// piecesOfCode returns the texts of beats and questions, in the order of their calls.
func piecesOfCode(file *ast.File) []piece {
	var calls []*ast.CallExpr
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if _, ok := c.Fun.(*ast.SelectorExpr); ok {
				calls = append(calls, c)
			}
		}
		return true
	})
	at := func(c *ast.CallExpr) token.Pos { return c.Fun.(*ast.SelectorExpr).Sel.Pos() }
	slices.SortFunc(calls, func(a, b *ast.CallExpr) int { return int(at(a) - at(b)) })
	var out []piece
	say := func(arguments []ast.Expr) {
		for _, a := range arguments {
			if text, ok := literal(a); ok {
				out = append(out, piece{text: text})
			}
		}
	}
	for _, c := range calls {
		switch c.Fun.(*ast.SelectorExpr).Sel.Name {
		case "Beat":
			say(c.Args[min(1, len(c.Args)):]) // its number is not a word
		case "Reveal", "Ask":
			say(c.Args)
		case "Choice": // its options are interactive
			out = append(out, piece{movable: true})
			say(c.Args)
			out = append(out, piece{movable: true})
		case "Number", "Point", "Drawing", "Stage", "Explorer", "Labeler", "Paint", "Playground", "Scribble":
			out = append(out, piece{movable: true})
		case "Why": // the reader sees one of them
			for _, a := range c.Args {
				say([]ast.Expr{a})
				out = append(out, piece{movable: true})
			}
		}
	}
	return out
}

// literal returns the value of a string literal, or of a concatenation of literals.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		a, okA := literal(e.X)
		b, okB := literal(e.Y)
		return a + b, okA && okB
	case *ast.ParenExpr:
		return literal(e.X)
	}
	return "", false
}

var (
	fences    = regexp.MustCompile("(?s)```.*?```")
	targets   = regexp.MustCompile(`\]\([^)]*\)`)
	decorated = regexp.MustCompile("[*_`#|>\\[\\]]+")
	readings  = regexp.MustCompile(`\{[^{}]*\}`)
	ends      = regexp.MustCompile(`[.!?:;]+["”’)]*(\s+|$)|\n+`)
	aWord     = regexp.MustCompile(`[\pL\pN]`)
)

// plainText removes the parts of Markdown that are not read as words.
func plainText(markdown string) string {
	return decorated.ReplaceAllString(targets.ReplaceAllString(fences.ReplaceAllString(markdown, ""), ""), " ")
}

// sentences splits a text. A colon, a semicolon and a line break end a sentence too.
func sentences(text string) []string {
	return ends.Split(readings.ReplaceAllString(text, "X"), -1)
}

func words(text string) int {
	n := 0
	for _, w := range strings.Fields(text) {
		if aWord.MatchString(w) {
			n++
		}
	}
	return n
}

// faults returns the parts of a lesson that are too long.
func faults(pieces []piece) []string {
	var out []string
	since, most, moved := 0, maxFirst, false
	last := ""
	for _, p := range pieces {
		if p.movable {
			if since > most {
				out = append(out, fmt.Sprintf("%d words with nothing to move, up to %q", since, last))
			}
			since, most, moved = 0, maxBetween, true
			continue
		}
		for _, s := range sentences(p.text) {
			n := words(s)
			if n > maxSentence {
				out = append(out, fmt.Sprintf("a sentence of %d words: %s", n, s))
			}
			if since += n; n > 0 {
				last = s
			}
		}
	}
	if !moved || since > most {
		out = append(out, fmt.Sprintf("%d words with nothing to move up to the end, %q", since, last))
	}
	return out
}

// Lessons have short sentences, and an interactive part after a few of them.
func TestWords(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("lessons", "*.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	teachers, err := os.ReadFile(filepath.Join("lessons", "teachers.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		pieces, err := piecesOf(read(t, path))
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, fault := range faults(pieces) {
			t.Errorf("%s: %s", path, fault)
		}
		number, _, _ := strings.Cut(filepath.Base(path), "-")
		if !strings.Contains(string(teachers), "\n## "+number+". ") {
			t.Errorf("%s has no section in lessons/teachers.md", path)
		}
	}
	t.Logf("%d lessons", len(paths))
}

// TestWordsCounted tests the count with a lesson for each fault.
func TestWordsCounted(t *testing.T) {
	long := strings.Repeat("word ", 21)
	many := strings.Repeat("Ten words are here and they do not move anything. ", 7)
	for source, want := range map[string]int{
		`lesson.Beat("1.1", "Turn it.").Predict(widgets.Ask("How much?").Number("%", 0, 100)).Stage(widgets.GraphPlay(x)).Reveal("It is {spread kept}.").Show()`: 0,
		`lesson.Beat("1.1", "` + long + `").Stage(x).Show()`:                                               1,
		`lesson.Beat("1.1", "Turn it.").Stage(x).Reveal("` + long[:50] + `" + "` + long[50:] + `").Show()`: 1,
		`lesson.Beat("1.1", "Turn it.").Stage(x).Reveal("` + many + `").Show()`:                            1,
		`lesson.Beat("1.1", "` + many + `").Stage(x).Show()`:                                               1,
		`lesson.Beat("1.1", "Turn it.").Show()`:                                                            1,
		`lesson.Quiz(widgets.Ask("Which?").Choice("` + long + `", "Two").Why("No.", "Yes.")).Show()`:       1,
	} {
		raw, err := json.Marshal(map[string]any{"cells": []any{
			map[string]any{"cell_type": "markdown", "source": []string{"# A lesson\n", "\n", "For [everybody](x.html).\n"}},
			map[string]any{"cell_type": "code", "source": []string{"var lesson = widgets.Lesson(\"A lesson\")\n", "\n", "%%\n", source}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		var nb notebook
		if err := json.Unmarshal(raw, &nb); err != nil {
			t.Fatal(err)
		}
		pieces, err := piecesOf(&nb)
		if err != nil {
			t.Fatal(err)
		}
		if got := faults(pieces); len(got) != want {
			t.Errorf("%d faults, want %d: %q in %s", len(got), want, got, source)
		}
	}
}
