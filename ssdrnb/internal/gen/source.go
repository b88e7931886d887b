package gen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// source holds the information that only the source code of package ssdrnb contains.
type source struct {
	values       map[string]ast.Expr      // values of variables, by name
	comments     map[string]string        // comments on variables, by name
	functions    map[string]*ast.FuncDecl // functions without a receiver, by name
	params       map[string]ast.Expr      // the Params of each method, by its Func
	places       map[string]string        // file of each constructor, by its name
	constructors []string
}

// option holds the information that an option's declaration has but the registry lacks.
type option struct {
	setter    string
	parameter string   // parameter name of the setter
	help      string   // paragraphs that follow the first sentence, which is generated from the registry's Doc
	kind      string   // Go type of an option with named choices
	choices   []string // exported constants of the choices, in order; "" for a choice without a constant
}

// parse reads the files of the package, except tests and generated files.
func parse(folder string, overlay map[string]string) (*source, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	paths := map[string]string{}
	for _, name := range names {
		paths[filepath.Base(name)] = name
	}
	for name, path := range overlay {
		paths[name] = path
	}
	s := &source{values: map[string]ast.Expr{}, comments: map[string]string{}, functions: map[string]*ast.FuncDecl{}, params: map[string]ast.Expr{}, places: map[string]string{}}
	for name, path := range paths {
		if strings.HasSuffix(name, "_test.go") || name == Builders {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				s.function(d, name)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
						s.variables(v, d)
					}
				}
			}
		}
		ast.Inspect(f, s.registration)
	}
	return s, nil
}

func (s *source) function(d *ast.FuncDecl, file string) {
	if d.Recv != nil {
		return
	}
	s.functions[d.Name.Name] = d
	if r := d.Type.Results; r != nil && len(r.List) == 1 {
		if p, ok := r.List[0].Type.(*ast.StarExpr); ok && nameOf(p.X) == d.Name.Name+"Builder" {
			s.constructors = append(s.constructors, d.Name.Name)
			s.places[d.Name.Name] = file
		}
	}
}

func (s *source) variables(v *ast.ValueSpec, d *ast.GenDecl) {
	comment := strings.TrimSpace(v.Doc.Text())
	if comment == "" && len(d.Specs) == 1 {
		comment = strings.TrimSpace(d.Doc.Text())
	}
	for k, name := range v.Names {
		if k < len(v.Values) {
			s.values[name.Name], s.comments[name.Name] = v.Values[k], comment
		}
	}
}

// registration records the list of options in a call to register.
func (s *source) registration(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || nameOf(call.Fun) != "register" || len(call.Args) != 1 {
		return true
	}
	if m, ok := call.Args[0].(*ast.CompositeLit); ok {
		if name, err := strconv.Unquote(literal(field(m, "Func"))); err == nil {
			s.params[name] = field(m, "Params")
		}
	}
	return true
}

// describe adds the information from the source to a method.
func (s *source) describe(m *method) error {
	params, ok := s.params[m.Func]
	if !ok {
		return fmt.Errorf("%s: found no registration with Func %q and Params", m.Name, m.Func)
	}
	if m.file = s.places[m.Func]; m.file == "" {
		return fmt.Errorf("%s: found no constructor func %[2]s() *%[2]sBuilder", m.Name, m.Func)
	}
	m.options = map[string]option{}
	if err := s.collect(params, m.options); err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	for _, p := range m.Params {
		o, ok := m.options[p.Name]
		switch {
		case !ok:
			return fmt.Errorf("%s: found no declaration of the option %q", m.Name, p.Name)
		case p.Setter != o.setter:
			return fmt.Errorf("%s: the comment on the option %q does not begin with %s(parameter)", m.Name, p.Name, p.Setter)
		}
	}
	return nil
}

// collect finds the options in e, an expression in a list of options, and adds them by name to the
// map `into`.
func (s *source) collect(e ast.Expr, into map[string]option) error {
	switch e := e.(type) {
	case *ast.Ident:
		value, ok := s.values[e.Name]
		if !ok {
			return nil
		}
		o, name, err := s.declared(e.Name)
		if err != nil {
			return err
		}
		if name == "" { // the variable is a list of options
			return s.collect(value, into)
		}
		if _, twice := into[name]; twice {
			return fmt.Errorf("the option %q is listed twice", name)
		}
		into[name] = o
	case *ast.SelectorExpr: // option.with
		return s.collect(e.X, into)
	case *ast.CallExpr:
		if f, ok := s.functions[nameOf(e.Fun)]; ok && f.Body != nil {
			for _, line := range f.Body.List {
				if r, ok := line.(*ast.ReturnStmt); ok {
					for _, x := range r.Results {
						if err := s.collect(x, into); err != nil {
							return err
						}
					}
				}
			}
		}
		if _, method := e.Fun.(*ast.SelectorExpr); method {
			return s.collect(e.Fun, into)
		}
		for _, x := range e.Args {
			if err := s.collect(x, into); err != nil {
				return err
			}
		}
	}
	return nil
}

var signature = regexp.MustCompile(`^([A-Z]\w*)\(([a-z]\w*)\)(?:$|:\s)`)

// declared returns the option that a variable declares, and the name of the option. The name is ""
// if the variable declares no option. If the option is derived from another variable and has no
// comment of its own, the comment of the other variable is used.
func (s *source) declared(variable string) (o option, name string, err error) {
	var comment string
	for {
		if c := s.comments[variable]; comment == "" && signature.MatchString(c) {
			comment = c
		}
		value := s.values[variable]
		if address, ok := value.(*ast.UnaryExpr); ok {
			value = address.X
		}
		switch e := value.(type) {
		case *ast.CompositeLit:
			kind := e.Type
			if generic, ok := kind.(*ast.IndexExpr); ok { // &choiceOption[T]{choice{…}}
				kind, o.kind = generic.X, nameOf(generic.Index)
				if inner, ok := e.Elts[0].(*ast.CompositeLit); ok {
					e = inner
				}
			}
			if !strings.HasSuffix(nameOf(kind), "Option") {
				return o, "", nil
			}
			if name, err = strconv.Unquote(literal(field(e, "Name"))); err != nil {
				return o, "", fmt.Errorf("%s has no Name", variable)
			}
			if c, ok := field(e, "Choices").(*ast.CallExpr); ok {
				for _, x := range c.Args {
					constant := nameOf(x)
					if !ast.IsExported(constant) {
						constant = ""
					}
					o.choices = append(o.choices, constant)
				}
			}
			if m := signature.FindStringSubmatch(comment); m != nil {
				o.setter, o.parameter, o.help = m[1], m[2], strings.TrimSpace(comment[len(m[0]):])
			}
			return o, name, nil
		case *ast.CallExpr: // other.as(…).with(…)
			variable = rootOf(e)
			if variable == "" {
				return o, "", nil
			}
		default:
			return o, "", nil
		}
	}
}

// rootOf returns the variable at the start of a chain of method calls.
func rootOf(e ast.Expr) string {
	for {
		call, ok := e.(*ast.CallExpr)
		if !ok {
			return nameOf(e)
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return ""
		}
		e = method.X
	}
}

func nameOf(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

func literal(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok {
		return l.Value
	}
	return ""
}

// field returns the value of a field in a struct literal, or nil.
func field(c *ast.CompositeLit, name string) ast.Expr {
	for _, e := range c.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok && nameOf(kv.Key) == name {
			return kv.Value
		}
	}
	return nil
}
