package ssdrnb_test

import (
	"encoding/json"
	"go/ast"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gen"
)

// The builders, the list of methods in the package comment and the table in the README are up to
// date with the registry and the source.
func TestGenerated(t *testing.T) {
	registry, err := json.Marshal(ssdrnb.Methods())
	if err != nil {
		t.Fatal(err)
	}
	files, err := gen.Files(".", registry)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is out of date: run go generate ./ssdrnb", name)
		}
	}
}

// If the comment of a constructor names an option with a number, the number is its default.
func TestDefaultsParagraphs(t *testing.T) {
	_, files := sources(t, ".")
	comments := map[string]string{}
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				comments[fn.Name.Name] = fn.Doc.Text()
			}
		}
	}
	found := 0
	for _, m := range ssdrnb.Methods() {
		_, text, _ := strings.Cut(comments[m.Func], "\n\nDefaults: ")
		text, _, _ = strings.Cut(text, "\n\n")
		text = strings.Join(strings.Fields(text), " ")
		for _, p := range m.Params {
			want := ""
			switch v := p.Default.(type) {
			case int:
				want = strconv.Itoa(v)
			case float64:
				want = strconv.FormatFloat(v, 'g', -1, 64)
			}
			if want == "" || p.Auto != "" {
				continue
			}
			for _, said := range regexp.MustCompile(`(?:^|, )`+regexp.QuoteMeta(p.Name)+` (\d\S*?)[,;.]?(?: |$)`).FindAllStringSubmatch(text, -1) {
				found++
				a, err := strconv.ParseFloat(said[1], 64)
				b, _ := strconv.ParseFloat(want, 64)
				if err == nil && a != b {
					t.Errorf("the comment of %s says that %s is %s by default, not %s", m.Func, p.Name, said[1], want)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("found only %d numbers in the paragraphs", found)
	}
}
