package ssdrnb

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	reference "github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"

	"gonum.org/v1/gonum/mat"
)

// TestGolden compares the library with independently computed reference results: one subtest per
// file of testdata/golden and of the folder SSDRNB_GOLDEN. The check of a file follows from its
// kind and method, or from the family in its name. Files of other families belong to other tests,
// see TestGoldenRead. Parts with methods that are not implemented yet are listed as pending.
func TestGolden(t *testing.T) {
	if testing.Short() {
		t.Skip("reference results are compared in the full test")
	}
	files := reference.Files(t, filepath.Join("testdata", "golden"), "*")
	if len(files) == 0 {
		t.Fatal("no golden files in testdata/golden")
	}
	for _, path := range files {
		c := openGolden(t, path)
		check := goldenFamilies[c.family()]
		if check == nil {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			c := openGolden(t, path)
			check(c)
			c.complete()
			for _, p := range c.pending {
				t.Logf("pending: %s", p)
			}
		})
	}
}

// awaitedKinds are the kinds of reference cases that no test reads yet, because their subject is
// not implemented. The change that implements it removes its kinds from this list: TestGoldenRead
// fails if a kind outside the list is not read by a test, or if a kind in the list is.
var awaitedKinds = []string{}

// TestGoldenRead fails on a reference case that no test reads: one subtest per file of every
// testdata folder of the module and of the folder SSDRNB_GOLDEN. It skips the kinds in
// awaitedKinds.
func TestGoldenRead(t *testing.T) {
	patterns, kinds, files := goldenReaders(t)
	for _, path := range append(files, reference.Files(t, filepath.Join("testdata", "golden"), "*")...) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			c := openGolden(t, path)
			var readers []string
			if goldenFamilies[c.family()] != nil {
				readers = append(readers, "TestGolden")
			}
			for pattern, test := range patterns {
				if ok, err := filepath.Match(pattern, c.name); err != nil {
					t.Fatal(err)
				} else if ok {
					readers = append(readers, test)
				}
			}
			kind, _ := c.root["kind"].(string)
			if test := kinds[kind]; test != "" {
				readers = append(readers, test)
			}
			switch awaited := slices.Contains(awaitedKinds, kind); {
			case awaited && len(readers) > 0:
				t.Errorf("%s reads the kind %s; take it from awaitedKinds", readers, kind)
			case awaited:
				t.Skipf("awaited: no test reads the kind %s yet", kind)
			case len(readers) == 0:
				t.Errorf("no test reads the kind %q; add one with Golden in its name, or list the kind in awaitedKinds", c.family())
			}
		})
	}
}

// goldenReaders returns the tests of the module that read cases: by pattern for golden.Each and
// golden.EachIn, by kind for golden.EachOfKind. It also returns the files of cases.
func goldenReaders(t *testing.T) (patterns, kinds map[string]string, files []string) {
	t.Helper()
	patterns, kinds = map[string]string{}, map[string]string{}
	err := filepath.WalkDir("..", func(path string, e os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (strings.HasPrefix(e.Name(), ".") && path != ".." || e.Name() == "js"): // scripts have their own cases
			return filepath.SkipDir
		case filepath.Base(filepath.Dir(path)) == "testdata" && (strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".json.gz")):
			files = append(files, path)
			return nil
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				fun := call.Fun
				if typed, ok := fun.(*ast.IndexExpr); ok { // golden.Each[Case]
					fun = typed.X
				}
				called, ok := fun.(*ast.SelectorExpr)
				if !ok || fmt.Sprint(called.X) != "golden" {
					return true
				}
				at := map[string]int{"Each": 1, "EachIn": 2, "EachOfKind": 1}[called.Sel.Name]
				if at == 0 || len(call.Args) <= at {
					return true
				}
				literal, ok := call.Args[at].(*ast.BasicLit)
				if !ok {
					t.Errorf("%s: %s names its cases by an expression; write the pattern or kind as a literal", path, f.Name.Name)
					return true
				}
				pattern, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Error(err)
				}
				if !strings.HasPrefix(f.Name.Name, "TestGolden") {
					t.Errorf("%s: %s reads the cases %s without Golden in its name", path, f.Name.Name, pattern)
				}
				if called.Sel.Name == "EachOfKind" {
					kinds[pattern] = f.Name.Name
				} else {
					patterns[pattern] = f.Name.Name
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return patterns, kinds, files
}

// golden is one file. Every number in it must be read: accessors mark what they return, and
// complete fails on the rest.
type golden struct {
	*testing.T
	name    string
	root    map[string]any
	read    map[string]bool
	pending []string
}

func openGolden(t *testing.T, path string) *golden {
	t.Helper()
	c := &golden{T: t, name: reference.Name(path), read: map[string]bool{}}
	var root any
	reference.Read(t, path, &root)
	var ok bool
	if c.root, ok = root.(map[string]any); !ok {
		c.root = map[string]any{"list": root}
	}
	return c
}

// family returns the name of the file's check: its kind, with the method if the kind has several;
// otherwise the beginning of the file name.
func (c *golden) family() string {
	kind, _ := c.root["kind"].(string)
	switch kind {
	case "baseline", "embedding":
		if in, ok := c.root["input"].(map[string]any); ok {
			return kind + " " + fmt.Sprint(in["method"])
		}
	case "lmrag_baseline":
		return kind + " " + strings.SplitN(c.name, "_", 2)[0]
	case "":
		best := "unknown"
		for f := range goldenFamilies {
			if strings.HasPrefix(c.name, f) && len(f) > len(best)*min(1, len(strings.TrimPrefix(best, "unknown"))) {
				best = f
			}
		}
		if _, ok := c.root["X"]; !ok && best == "trsda_toy" {
			return "trsda_toy without samples"
		}
		return best
	}
	return kind
}

// at returns the value at a path such as "output.lambda_star" or "cases.0.d" and marks it as read;
// it returns nil if there is none.
func (c *golden) at(path string) any {
	c.read[path] = true
	var v any = c.root
	for _, key := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			var i int
			if _, err := fmt.Sscan(key, &i); err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

func (c *golden) has(path string) bool {
	was := c.read[path]
	v := c.at(path)
	c.read[path] = was
	return v != nil
}

func (c *golden) num(path string) float64 {
	c.Helper()
	v, ok := c.at(path).(float64)
	if !ok {
		c.Fatalf("%s is no number", path)
	}
	return v
}

func (c *golden) count(path string) int {
	list, _ := c.at(path).([]any)
	c.read[path] = false
	return len(list)
}

func (c *golden) nums(path string) []float64 {
	c.Helper()
	list, ok := c.at(path).([]any)
	if !ok {
		c.Fatalf("%s is no list", path)
	}
	out := make([]float64, len(list))
	for i, v := range list {
		out[i], ok = v.(float64)
		if !ok {
			c.Fatalf("%s[%d] is no number", path, i)
		}
	}
	return out
}

func (c *golden) whole(path string) []int {
	c.Helper()
	var out []int
	for _, v := range c.nums(path) {
		out = append(out, int(v))
	}
	return out
}

func (c *golden) mat(path string) *mat.Dense {
	c.Helper()
	rows, ok := c.at(path).([]any)
	if !ok || len(rows) == 0 {
		c.Fatalf("%s is no matrix", path)
	}
	var m *mat.Dense
	for i := range rows {
		row := c.nums(fmt.Sprintf("%s.%d", path, i))
		if m == nil {
			m = mat.NewDense(len(rows), len(row), nil)
		}
		m.SetRow(i, row)
	}
	return m
}

func (c *golden) sym(path string) *mat.SymDense {
	m := c.mat(path)
	n, _ := m.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	return s
}

// ignore marks inputs, and numbers of the reference program without a counterpart; why is for the
// reader.
func (c *golden) ignore(why string, paths ...string) {
	for _, p := range paths {
		c.read[p] = true
	}
	_ = why
}

// wait lists a part of the file as pending because its method is not in the registry yet.
func (c *golden) wait(part, path string) {
	c.pending = append(c.pending, part)
	c.read[path] = true
}

// complete fails if a number of the file was not compared.
func (c *golden) complete() {
	var missed []string
	var walk func(path string, v any)
	walk = func(path string, v any) {
		if c.read[path] {
			return
		}
		switch x := v.(type) {
		case map[string]any:
			for k, w := range x {
				walk(strings.TrimPrefix(path+"."+k, "."), w)
			}
		case []any:
			for i, w := range x {
				walk(fmt.Sprintf("%s.%d", path, i), w)
			}
		case float64, bool:
			if !strings.HasPrefix(path, "tolerance") {
				missed = append(missed, path)
			}
		}
	}
	walk("", c.root)
	sort.Strings(missed)
	if len(missed) > 0 {
		c.Errorf("not compared: %s", strings.Join(missed[:min(12, len(missed))], ", "))
	}
}

// pairList reads pairs of rows.
func (c *golden) pairList(path string) []Pair {
	var out []Pair
	for k := range c.count(path) {
		p := c.whole(fmt.Sprintf("%s.%d", path, k))
		out = append(out, Pair{I: p[0], J: p[1]})
	}
	return out
}

// near compares a number with a relative tolerance, absolute below 1.
func (c *golden) near(path string, got, tol float64) {
	c.Helper()
	if want := c.num(path); !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		c.Errorf("%s: got %.15g, want %.15g", path, got, want)
	}
}

func (c *golden) nearAll(path string, got []float64, tol float64) {
	c.Helper()
	want := c.nums(path)
	if len(got) != len(want) {
		c.Errorf("%s: %d numbers, want %d", path, len(got), len(want))
		return
	}
	scale := 1e-300
	for _, w := range want {
		scale = max(scale, math.Abs(w))
	}
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= tol*scale) {
			c.Errorf("%s[%d]: got %.15g, want %.15g", path, i, got[i], w)
		}
	}
}

// prefix compares the common beginning of two histories. The number of steps may differ by one if
// the last step is at the tolerance.
func (c *golden) prefix(path string, got []float64, tol, scale float64) {
	c.Helper()
	want := c.nums(path)
	if d := len(got) - len(want); d < -1 || d > 1 {
		c.Errorf("%s: %d steps, want %d", path, len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if !(math.Abs(got[i]-want[i]) <= tol*max(scale, math.Abs(want[i]))) {
			c.Errorf("%s[%d]: got %.15g, want %.15g", path, i, got[i], want[i])
		}
	}
}

func (c *golden) nearMat(path string, got mat.Matrix, tol float64) {
	c.Helper()
	want := c.mat(path)
	r, k := want.Dims()
	if gr, gk := got.Dims(); gr != r || gk != k {
		c.Errorf("%s: %d×%d, want %d×%d", path, gr, gk, r, k)
		return
	}
	if scale := max(mat.Max(want), -mat.Min(want)); !mat.EqualApprox(got, want, tol*scale) {
		var diff mat.Dense
		diff.Sub(got, want)
		c.Errorf("%s: differs by %g of %g", path, max(mat.Max(&diff), -mat.Min(&diff)), scale)
	}
}

// nearAxes compares the columns of w with the rows at path, up to sign.
func (c *golden) nearAxes(path string, w *mat.Dense, tol float64) {
	c.Helper()
	want := c.mat(path)
	d, n := want.Dims()
	for k := range d {
		dot := 0.0
		for i := range n {
			dot += want.At(k, i) * w.At(i, k)
		}
		for i := range n {
			if math.Abs(math.Copysign(1, dot)*w.At(i, k)-want.At(k, i)) > tol*mat.Norm(want, math.Inf(1)) {
				c.Errorf("%s: axis %d differs: %g, want %g at %d", path, k, w.At(i, k), want.At(k, i), i)
				break
			}
		}
	}
}

// model fits a method and fails the test on an error.
func (c *golden) model(e Estimator, d *Data) *Model {
	c.Helper()
	m, err := e.Spec().Fit(d)
	if err != nil {
		c.Fatal(err)
	}
	return m
}

func (c *golden) w(m *Model) *mat.Dense {
	c.Helper()
	w, _, err := m.Projection()
	if err != nil {
		c.Fatal(err)
	}
	return w
}

// outer returns w·wᵀ.
func outer(w *mat.Dense) *mat.Dense {
	var p mat.Dense
	p.Mul(w, w.T())
	return &p
}

func (c *golden) fact(m *Model, name string) float64 {
	c.Helper()
	v, ok := m.Report().Fact(name)
	if !ok {
		c.Fatalf("the report has no %s", name)
	}
	return v
}

// firstLabels labels the first rows.
func firstLabels(n int, labels []int) []int {
	out := slices.Repeat([]int{-1}, n)
	copy(out, labels)
	return out
}
