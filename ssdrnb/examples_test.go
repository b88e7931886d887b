package ssdrnb_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Every method has a runnable example (one with an output) and a comment that states what it shows.
func TestEveryMethodHasAnExample(t *testing.T) {
	files := token.NewFileSet()
	//lint:ignore SA1019 the build tags of a file do not matter here
	packages, err := parser.ParseDir(files, ".", func(f fs.FileInfo) bool {
		return strings.HasSuffix(f.Name(), "_test.go")
	}, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	runs, told := map[string]bool{}, map[string]bool{}
	for _, p := range packages {
		for _, f := range p.Files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || !strings.HasPrefix(fn.Name.Name, "Example") {
					continue
				}
				name := strings.TrimPrefix(fn.Name.Name, "Example")
				told[name] = fn.Doc.Text() != ""
				for _, c := range f.Comments {
					if fn.Body.Pos() < c.Pos() && c.End() < fn.Body.End() && strings.HasPrefix(c.Text(), "Output:") {
						runs[name] = strings.TrimSpace(strings.TrimPrefix(c.Text(), "Output:")) != ""
					}
				}
			}
		}
	}
	for _, m := range ssdrnb.Methods() {
		switch {
		case !runs[m.Func]:
			t.Errorf("%s has no Example%s with an output", m.Name, m.Func)
		case !told[m.Func]:
			t.Errorf("Example%s has no comment on what it shows", m.Func)
		}
	}
}
