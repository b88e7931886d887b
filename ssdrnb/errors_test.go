package ssdrnb

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// jobOf is a fit in the stage "eigenvectors" that has read the named options.
func jobOf(s Spec, read ...string) *job {
	j := newJob(context.Background(), s, nil, newCache())
	j.stage = "eigenvectors"
	for _, name := range read {
		j.read[name] = true
	}
	return j
}

// An error of a lower package names the option that was set furthest from its default among those
// that were read, and never an option at its default.
func TestExplain(t *testing.T) {
	slow := advice.Errorf("allow more products", "%w: 3 of 5", spectral.ErrNotConverged)
	for what, c := range map[string]struct {
		spec  Spec
		read  []string
		err   error
		param string
		value any
		kind  error
		text  string
	}{
		"defaults": {New("SDA"), []string{"dims", "ridge"}, slow, "data", nil, ErrNumerical,
			"SDA: data: numerical failure: eigenvectors: spectral: not converged: 3 of 5; allow more products"},
		"an absurd option": {New("SDA").With("ridge", 1e200), []string{"dims", "ridge"}, slow, "ridge", 1e200, ErrNumerical,
			"SDA: ridge = 1e+200: numerical failure: eigenvectors: spectral: not converged: 3 of 5; go back towards the default ridge = auto"},
		"a moderate option": {New("SDA").With("dims", 3), []string{"dims", "ridge"}, slow, "dims", 3, ErrNumerical,
			"SDA: dims = 3: numerical failure: eigenvectors: spectral: not converged: 3 of 5; go back towards the default dims = 2, or allow more products"},
		"the furthest": {New("SDA").With("dims", 3).With("width", 1e-9), []string{"dims", "width"}, slow, "width", 1e-9, ErrNumerical,
			"SDA: width = 1e-09: numerical failure: eigenvectors: spectral: not converged: 3 of 5; go back towards the default width = auto"},
		"two": {New("SDA").With("ridge", 1e150).With("width", 1e-200), []string{"ridge", "width"}, slow, "width", 1e-200, ErrNumerical,
			"SDA: width = 1e-200: numerical failure: eigenvectors: spectral: not converged: 3 of 5; go back towards the defaults width = auto and ridge = auto"},
		"an option that was not read":  {New("SDA").With("ridge", 1e200), []string{"dims"}, slow, "data", nil, ErrNumerical, ""},
		"an option set to its default": {New("SDA").With("dims", 2), []string{"dims"}, slow, "data", nil, ErrNumerical, ""},
		"an automatic value":           {New("TRSDA").With("pca", 1.0).With("pca", 0.5), []string{"pca"}, slow, "pca", 0.5, ErrNumerical, ""},
		"underflow":                    {New("SDA").With("dims", 5).With("width", 0.5), []string{"dims", "width"}, fmt.Errorf("%w: of sample 3", graph.ErrUnderflow), "width", 0.5, ErrOption, ""},
		"underflow by the width":       {New("SDA").With("width", 1e-90), []string{"width"}, fmt.Errorf("%w: of sample 3", graph.ErrUnderflow), "width", 1e-90, ErrOption, ""},
		"samples that coincide":        {New("SDA"), nil, graph.ErrCoincide, "data", nil, ErrData, ""},
	} {
		j := jobOf(c.spec, c.read...)
		err := j.explain(c.err)
		var e *Error
		if !errors.As(err, &e) || e.Method != "SDA" && e.Method != "TR-SDA" || e.Param != c.param || e.Value != c.value || e.Remedy == "" {
			t.Errorf("%s: %#v", what, e)
		}
		if !errors.Is(err, c.kind) {
			t.Errorf("%s: %v is no %v", what, err, c.kind)
		}
		if c.text != "" && err.Error() != c.text {
			t.Errorf("%s:\n got %s\nwant %s", what, err, c.text)
		}
		if again := j.explain(err); again != err {
			t.Errorf("%s: explained twice: %v", what, again)
		}
	}
}

// The remedy of an error occurs once in its text, and a semicolon in the cause that separates no
// remedy stays.
func TestRemedy(t *testing.T) {
	d := NewData(mat.NewDense(3, 1, []float64{1, 2, 3}), []int{0, 1, 0}).KeepLabels(0)
	_, err := New("LDA").Fit(d)
	if want := "LDA: data: unusable data: argument out of range: KeepLabels(0); keep at least 1 label per class, or call HideLabels"; err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	failed := data.Failed("x", errors.New("rows; columns"))
	_, err = New("LDA").Fit(failed)
	var e *Error
	if !errors.As(err, &e) || !errors.Is(err, ErrData) || strings.Contains(e.Remedy, "columns") || e.Remedy == "" {
		t.Errorf("got %v", err)
	}
	// An error from another process has the same text.
	for _, err := range []error{err, jobOf(New("SDA")).explain(advice.Errorf("add a ridge", "%w", spectral.ErrSingular)), New("LDA").With("dims", 0).Err(),
		&Error{Param: "min dist", Value: math.Inf(1), Err: ErrOption}, &Error{Param: "x", Value: 0.1, Err: ErrOption}, &Error{Param: "x", Value: true, Err: ErrOption}, &Error{Param: "x", Value: "3", Err: ErrOption}} {
		far := traveled(t, err)
		if far.Error() != err.Error() {
			t.Errorf("%q came back as %q", err, far)
		}
		var here, there *Error
		if !errors.As(err, &here) || !errors.As(far, &there) || here.Value != there.Value {
			t.Errorf("%#v came back as %#v", here, there)
		}
	}
	for _, wire := range []string{"", "3", "[{}]", `[{"Scores":[0]}]`, `[{"Scores":[0,1],"Err":{"Fault":{"Value":{"Kind":"int","Text":"x"}}}}]`, `[{"Scores":[0,1],"Err":{"Fault":{"Value":{"Kind":"chan"}}}}]`} {
		if _, err := decodeFits([]byte(wire)); err == nil {
			t.Errorf("%q is read as outcomes", wire)
		}
	}
}

// traveled is an error after transport to another process.
func traveled(t *testing.T, err error) error {
	t.Helper()
	raw, fault := encodeFits([]sweepFit{{unlabelled: math.NaN(), test: 0.1, err: err}})
	if fault != nil {
		t.Fatal(fault)
	}
	fits, fault := decodeFits(raw)
	if fault != nil {
		t.Fatal(fault)
	}
	if !math.IsNaN(fits[0].unlabelled) || fits[0].test != 0.1 {
		t.Errorf("scores came back as %v and %v", fits[0].unlabelled, fits[0].test)
	}
	return fits[0].err
}

// Every sentinel of this package and of its imports survives transport from another process.
func TestSentinelsOnTheWire(t *testing.T) {
	var listed []string
	ast.Inspect(parsed(t, "sweep_wire.go"), func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || v.Names[0].Name != "sentinels" {
			return true
		}
		for _, e := range v.Values[0].(*ast.CompositeLit).Elts {
			switch e := e.(type) {
			case *ast.Ident:
				listed = append(listed, "ssdrnb."+e.Name)
			case *ast.SelectorExpr:
				listed = append(listed, e.X.(*ast.Ident).Name+"."+e.Sel.Name)
			}
		}
		return false
	})
	if len(listed) != len(sentinels) {
		t.Fatalf("read %d of %d sentinels", len(listed), len(sentinels))
	}
	found := 0
	for _, dir := range []string{".", "blas", "data", "data/npy", "gp", "graph", "metrics", "sparse", "spectral"} {
		files, err := fs.Glob(os.DirFS(dir), "*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file := parsed(t, path.Join(dir, name))
			for _, decl := range file.Decls {
				g, ok := decl.(*ast.GenDecl)
				if !ok || g.Tok != token.VAR {
					continue
				}
				for _, s := range g.Specs {
					for _, id := range s.(*ast.ValueSpec).Names {
						if !strings.HasPrefix(id.Name, "Err") {
							continue
						}
						found++
						if name := file.Name.Name + "." + id.Name; !slices.Contains(listed, name) {
							t.Errorf("%s is not among the sentinels of sweep_wire.go", name)
						}
					}
				}
			}
		}
	}
	if found < 40 {
		t.Errorf("found %d sentinels in the sources", found)
	}
	for i, s := range sentinels {
		far := traveled(t, fmt.Errorf("cell 3: %w", s))
		if !errors.Is(far, s) {
			t.Errorf("%s is lost on the way", listed[i])
		}
	}
}

func parsed(t *testing.T, name string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The warning of missing dimensions follows the requested number; other warnings with the same
// beginning stay.
func TestFirstWarnings(t *testing.T) {
	m := &Model{spec: New("PCA").With("dims", 9), y: mat.NewDense(4, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}), data: &data.Data{}, report: &Report{Params: map[string]any{}}}
	m.report.warnMissing(5, 9, "no more labels")
	m.report.warnMissing(3, 9, "no more rank")
	m.report.warn("3 of the 9 dimensions asked for were lucky")
	lucky := "3 of the 9 dimensions asked for were lucky"
	for d, want := range map[int][]string{
		2: {lucky}, 3: {lucky},
		4: {"3 of the 4 requested dimensions were returned: no more rank", lucky},
		6: {"5 of the 6 requested dimensions were returned: no more labels", "3 of the 6 requested dimensions were returned: no more rank", lucky},
	} {
		if got := m.first(d).report.Warnings; !slices.Equal(got, want) {
			t.Errorf("%d dimensions: %q, want %q", d, got, want)
		}
	}
	one := &Report{}
	if one.warnMissing(1, 2, "two classes"); one.Warnings[0] != "1 of the 2 requested dimensions was returned: two classes" {
		t.Errorf("%q", one.Warnings)
	}
	if len(m.report.Warnings) != 3 {
		t.Errorf("the report of the whole changed: %q", m.report.Warnings)
	}
}

// An error in a row names its remedy once.
func TestRemedyOfRowOnce(t *testing.T) {
	for metric, x := range map[Metric]*mat.Dense{
		Hellinger: mat.NewDense(4, 2, []float64{1, 2, -3, 4, 5, 6, 7, 8}),
		Haversine: mat.NewDense(4, 2, []float64{1, 2, 300, 4, 5, 6, 7, 8}),
	} {
		_, err := UMAP().Metric(metric).Neighbors(2).Fit(data.New(x, nil))
		var e *Error
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		if start, _, _ := strings.Cut(e.Remedy, ","); strings.Count(err.Error(), start) != 1 || !strings.Contains(err.Error(), "row 1") {
			t.Errorf("the remedy %q in %q", e.Remedy, err)
		}
	}
}
