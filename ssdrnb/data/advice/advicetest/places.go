package advicetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Place is a part of the source, such as a call, that makes an error or a warning with a remedy.
// [Places] lists the kinds of places.
type Place struct {
	// At is the file, relative to the folder, and the function: "errors.go: (*job).fault".
	At string
	// Line is the line number in the file.
	Line int
	// Texts are the format strings that make up the text of the error.
	Texts []string
}

// String returns the place as file, line, function and format strings.
func (p Place) String() string {
	return p.At + ":" + strconv.Itoa(p.Line) + ": " + strings.Join(p.Texts, " | ")
}

// Made reports whether the place can have produced the given text: all of its format strings occur
// in the text, and each formatting verb matches any string.
func (p Place) Made(text string) bool {
	for _, f := range p.Texts {
		if !pattern(f).MatchString(text) {
			return false
		}
	}
	return true
}

var (
	verb     = regexp.MustCompile(`%[-+# 0]*(\[\d+\])?[\d*]*(\.\d+)?[a-zA-Z]`)
	patterns = map[string]*regexp.Regexp{}
)

// pattern returns a regular expression that matches any output of a format string.
func pattern(format string) *regexp.Regexp {
	if p, ok := patterns[format]; ok {
		return p
	}
	var b strings.Builder
	b.WriteString("(?s)")
	rest := strings.ReplaceAll(format, "%%", "\x00")
	for {
		at := verb.FindStringIndex(rest)
		if at == nil {
			break
		}
		b.WriteString(regexp.QuoteMeta(rest[:at[0]]) + ".*")
		rest = rest[at[1]:]
	}
	b.WriteString(regexp.QuoteMeta(rest))
	p := regexp.MustCompile(strings.ReplaceAll(b.String(), "\x00", "%"))
	patterns[format] = p
	return p
}

// Places returns the places in the Go files of a folder, without tests and generated files. A place
// is one of the following: a call of a function or closure with a parameter "remedy"; a literal of
// a struct with a field Remedy; a format with a remedy after a semicolon; a text assigned to a
// variable with a name that ends in remedy, or appended to a variable with a name that ends in
// remedies; a result of a function whose comment contains "returns the remedy".
func Places(dir string) ([]Place, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var (
		set    = token.NewFileSet()
		parsed []*ast.File
		names  []string
	)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_gen.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(set, name, src, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		parsed, names = append(parsed, f), append(names, filepath.Base(name))
	}
	makers := map[string]bool{"With": true, "Errorf": true} // both in package advice
	for _, f := range parsed {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && parameter(fn.Type, "remedy") {
				makers[fn.Name.Name] = true
			}
		}
	}
	words := constants(parsed)
	var places []Place
	for i, f := range parsed {
		for _, d := range f.Decls {
			s := scan{set: set, makers: makers, place: names[i], words: words}
			if fn, ok := d.(*ast.FuncDecl); ok {
				s.place, s.isMaker = names[i]+": "+fn.Name.Name, makers[fn.Name.Name]
				s.makers = withClosures(fn, makers)
				s.advises = strings.Contains(fn.Doc.Text(), "returns the remedy")
			}
			ast.Inspect(d, s.visit)
			places = append(places, s.found...)
		}
	}
	return places, nil
}

// withClosures returns makers plus the closures in a function that have a parameter "remedy".
func withClosures(fn *ast.FuncDecl, makers map[string]bool) map[string]bool {
	out := maps.Clone(makers)
	ast.Inspect(fn, func(n ast.Node) bool {
		if set, ok := n.(*ast.AssignStmt); ok && len(set.Lhs) == 1 && len(set.Rhs) == 1 {
			name, named := set.Lhs[0].(*ast.Ident)
			if closure, ok := set.Rhs[0].(*ast.FuncLit); named && ok && parameter(closure.Type, "remedy") {
				out[name.Name] = true
			}
		}
		return true
	})
	return out
}

func parameter(fn *ast.FuncType, name string) bool {
	for _, field := range fn.Params.List {
		for _, id := range field.Names {
			if id.Name == name {
				return true
			}
		}
	}
	return false
}

// scan finds the places in a declaration.
type scan struct {
	set     *token.FileSet
	makers  map[string]bool // names of the functions and closures with a parameter "remedy"
	place   string
	isMaker bool              // the function builds errors from a remedy that its caller passes
	advises bool              // the function returns remedies
	words   map[string]string // string constants of the package, by name
	found   []Place
}

// constants returns the values of the package's string constants by name.
func constants(files []*ast.File) map[string]string {
	words := map[string]string{}
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				for k, value := range v.Values {
					if texts := literals([]ast.Expr{value}, nil); len(texts) == 1 {
						words[v.Names[k].Name] = texts[0]
					}
				}
			}
		}
	}
	return words
}

// assigned adds a place for a text assigned to a variable whose name ends in remedy, and for each
// text appended to a variable whose name ends in remedies. Case is ignored. Such a text is not
// found otherwise, because it is not an argument of the call that makes the error.
func (s *scan) assigned(to ast.Expr, value ast.Expr) {
	id, ok := to.(*ast.Ident)
	if !ok {
		return
	}
	if c, appends := value.(*ast.CallExpr); appends && strings.HasSuffix(strings.ToLower(id.Name), "remedies") {
		if name, _ := called(c); name != "append" {
			return
		}
		for _, one := range c.Args[1:] {
			s.text(one)
		}
	}
	if strings.HasSuffix(strings.ToLower(id.Name), "remedy") {
		s.text(value)
	}
}

// text adds a place for the string expression `value`.
func (s *scan) text(value ast.Expr) {
	if texts := literals([]ast.Expr{value}, s.words); len(texts) > 0 {
		s.add(value, texts)
	}
}

func (s *scan) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ReturnStmt:
		if s.advises {
			for _, one := range n.Results {
				s.text(one)
			}
		}
	case *ast.AssignStmt:
		if len(n.Lhs) == len(n.Rhs) {
			for k, to := range n.Lhs {
				s.assigned(to, n.Rhs[k])
			}
		}
	case *ast.CallExpr:
		name, of := called(n)
		texts := literals(n.Args, s.words)
		switch {
		case name == "With" || name == "Errorf":
			if of == "advice" {
				s.add(n, texts)
				return false
			}
		case s.makers[name]:
			s.add(n, texts)
			return false
		}
		if slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, "; ") }) && formats[name] {
			s.add(n, texts)
			return false
		}
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == "Remedy" {
				var values []ast.Expr
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						if id, ok := kv.Key.(*ast.Ident); ok && (id.Name == "Remedy" || id.Name == "Err") {
							values = append(values, kv.Value)
						}
					}
				}
				if id, ok := kv.Value.(*ast.Ident); !ok || !s.isMaker || id.Name != "remedy" {
					s.add(n, literals(values, s.words))
				}
				return false
			}
		}
	}
	return true
}

// formats lists the functions whose format may end with a remedy.
var formats = map[string]bool{"Errorf": true, "New": true, "warn": true, "bad": true, "fail": true, "Sprintf": true, "note": true, "fault": true}

// add adds a place. It drops single words: they are names of options and not part of the text.
func (s *scan) add(n ast.Node, texts []string) {
	s.found = append(s.found, Place{At: s.place, Line: s.set.Position(n.Pos()).Line, Texts: slices.DeleteFunc(texts, func(t string) bool { return !strings.Contains(strings.TrimSpace(verb.ReplaceAllString(t, "")), " ") })})
}

func called(c *ast.CallExpr) (name, of string) {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name, ""
	case *ast.SelectorExpr:
		if id, ok := f.X.(*ast.Ident); ok {
			return f.Sel.Name, id.Name
		}
		return f.Sel.Name, ""
	}
	return "", ""
}

// literals returns the texts in the arguments and in the arguments of nested calls such as
// fmt.Sprintf. Texts joined by + are separate texts. words holds the package's constants.
func literals(args []ast.Expr, words map[string]string) []string {
	var texts []string
	for _, a := range args {
		switch a := a.(type) {
		case *ast.BasicLit:
			if a.Kind == token.STRING {
				if s, err := strconv.Unquote(a.Value); err == nil {
					texts = append(texts, s)
				}
			}
		case *ast.Ident:
			if text, ok := words[a.Name]; ok {
				texts = append(texts, text)
			}
		case *ast.BinaryExpr:
			texts = append(texts, literals([]ast.Expr{a.X, a.Y}, words)...)
		case *ast.CallExpr:
			if name, _ := called(a); formats[name] || name == "With" {
				texts = append(texts, literals(a.Args, words)...)
			}
		}
	}
	return texts
}
