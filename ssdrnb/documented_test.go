package ssdrnb_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// sources parses the files of a package, without tests.
func sources(t *testing.T, folder string) (*token.FileSet, map[string]*ast.File) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no sources in %s: %v", folder, err)
	}
	set, files := token.NewFileSet(), map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = f
	}
	return set, files
}

// A constructor's comment has the method's source, what it does, its cost, and when not to use it.
func TestMethodsAreDescribed(t *testing.T) {
	_, files := sources(t, ".")
	comments := map[string]string{}
	for _, f := range files {
		for _, d := range f.Decls {
			if c, ok := d.(*ast.FuncDecl); ok && c.Recv == nil {
				comments[c.Name.Name] = "\n" + c.Doc.Text()
			}
		}
	}
	for _, m := range ssdrnb.Methods() {
		last := -1
		for _, part := range []string{"Source: ", "Objective: ", "Solution: ", "Cost: ", "Defaults: ", "Fails: "} {
			at := strings.Index(comments[m.Func], "\n\n"+part)
			if at <= last {
				t.Errorf("the comment of %s has no paragraph %q, or has it out of order", m.Func, part)
			}
			last = max(last, at)
		}
	}
	for _, f := range files {
		if f.Doc == nil {
			continue
		}
		for _, m := range ssdrnb.Methods() {
			if !strings.Contains(f.Doc.Text(), "["+m.Func+"]") {
				t.Errorf("the package comment does not list %s", m.Func)
			}
		}
	}
}

// The name of an option consists of the words of its setter, has one type in all methods, and is
// spelled like names in Go's own libraries: see CONTRIBUTING.
func TestOptionNames(t *testing.T) {
	words := regexp.MustCompile(`[A-Z]+[a-z0-9]*`)
	british := regexp.MustCompile(`(?i)(standard|normal|general|optim|minim|maxim|regular|linear)is|centre|neighbour|colour`)
	kinds := map[string]ssdrnb.ParamKind{}
	for _, m := range ssdrnb.Methods() {
		for _, p := range m.Params {
			if p.Setter == "" {
				continue
			}
			if want := strings.ToLower(strings.Join(words.FindAllString(p.Setter, -1), " ")); p.Name != want {
				t.Errorf("%s: the option of the setter %s is called %q, want %q", m.Name, p.Setter, p.Name, want)
			}
			if kind, ok := kinds[p.Name]; ok && kind != p.Kind {
				t.Errorf("%s: %s has another type here than in methods before: two things of one name", m.Name, p.Name)
			}
			kinds[p.Name] = p.Kind
			for _, name := range append([]string{p.Name}, p.Choices...) {
				if british.MatchString(name) {
					t.Errorf("%s: %q is British; names that are typed are American", m.Name, name)
				}
			}
		}
	}
}

// Every exported name of every package has a comment.
func TestExportedNamesAreDocumented(t *testing.T) {
	inner, err := filepath.Glob("internal/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range append(inner, ".", "data", "data/advice", "data/files", "data/npy", "graph", "sparse", "metrics", "blas", "../viz", "../widgets", "../datasets", "../datasets/fetch") {
		if _, err := os.Stat(folder); err != nil {
			t.Fatal(err)
		}
		set, files := sources(t, folder)
		described := false
		for _, f := range files {
			described = described || f.Doc != nil
			for _, d := range f.Decls {
				for _, id := range undocumented(d) {
					t.Errorf("%v: %s has no comment", set.Position(id.Pos()), id.Name)
				}
			}
		}
		if !described {
			t.Errorf("%s has no package comment", folder)
		}
	}
}

// undocumented returns the exported names of a declaration that lack a comment.
func undocumented(d ast.Decl) []*ast.Ident {
	var out []*ast.Ident
	add := func(id *ast.Ident, comments ...*ast.CommentGroup) {
		for _, c := range comments {
			if c.Text() != "" {
				return
			}
		}
		if id.IsExported() {
			out = append(out, id)
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
			add(d.Name, d.Doc)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				add(s.Name, s.Doc, d.Doc)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					add(id, s.Doc, s.Comment, d.Doc)
				}
			}
		}
	}
	return out
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// go doc shows the comment of an alias without the fields and methods behind it, so the comment
// lists them all.
func TestDataIsDescribed(t *testing.T) {
	_, files := sources(t, ".")
	comment := ""
	for _, d := range files["alias.go"].Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE && g.Specs[0].(*ast.TypeSpec).Name.Name == "Data" {
			comment = g.Doc.Text()
		}
	}
	kind := reflect.TypeFor[*ssdrnb.Data]()
	for k := range kind.NumMethod() {
		if name := kind.Method(k).Name; !strings.Contains(comment, name+"(") {
			t.Errorf("the comment of Data lacks the method %s", name)
		}
	}
	for k := range kind.Elem().NumField() {
		if f := kind.Elem().Field(k); f.IsExported() && !strings.Contains(comment, "\t"+f.Name+" ") {
			t.Errorf("the comment of Data lacks the field %s", f.Name)
		}
	}
	for _, word := range regexp.MustCompile(`[A-Z][A-Za-z0-9]*\(`).FindAllString(comment, -1) {
		if _, ok := kind.MethodByName(strings.TrimSuffix(word, "(")); !ok {
			t.Errorf("Data has no method %s", word)
		}
	}
}

// Names that users type have American spelling, as in Go's and gonum's libraries; titles of methods
// are prose and have British spelling.
func TestSpelling(t *testing.T) {
	british := regexp.MustCompile(`(?i)neighbour|colour|centre|grey|behaviour|isation|[dls]ise|optimise|regularise|minimise|maximise`)
	check := func(where, name string) {
		if british.MatchString(strings.ReplaceAll(name, "Noise", "")) {
			t.Errorf("%s: %s is not spelled the American way", where, name)
		}
	}
	for _, m := range ssdrnb.Methods() {
		if regexp.MustCompile(`neighbor|ization|ized|imize`).MatchString(m.Title) {
			t.Errorf("%s: the title %q is not spelled the British way", m.Name, m.Title)
		}
		for _, p := range m.Params {
			check(m.Name, p.Name+" "+p.Setter+" "+strings.Join(p.Choices, " "))
		}
	}
	for _, folder := range []string{".", "data", "metrics", "graph", "sparse", "blas", "experiment", "../datasets", "../viz", "../widgets"} {
		_, files := sources(t, folder)
		for name, f := range files {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Name.IsExported() {
						check(name, d.Name.Name)
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						var names []*ast.Ident
						switch s := s.(type) {
						case *ast.TypeSpec:
							names = append(names, s.Name)
							if st, ok := s.Type.(*ast.StructType); ok {
								for _, field := range st.Fields.List {
									names = append(names, field.Names...)
								}
							}
						case *ast.ValueSpec:
							names = s.Names
						}
						for _, n := range names {
							if n.IsExported() {
								check(name, n.Name)
							}
						}
					}
				}
			}
		}
	}
}
