package ssdrnb_test

import (
	"os/exec"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
)

// Pixels have many exact ties among distances. If rounding broke the ties, engines would find
// different graphs. The embeddings must agree to rounding.
func TestEnginesSeeOneGraph(t *testing.T) {
	was := blas.Name()
	defer func() {
		if err := blas.Use(was); err != nil {
			t.Error(err)
		}
	}()
	d := datasets.Digits().Take(60).KeepLabels(10)
	for _, e := range []ssdrnb.Estimator{ssdrnb.LPP(), ssdrnb.SDA(), ssdrnb.SSMMC(), ssdrnb.TRSDA()} {
		var first *mat.Dense
		for _, engine := range []string{blas.OpenBLAS, blas.AVX2, blas.Gonum} {
			if blas.Use(engine) != nil {
				continue
			}
			m, err := e.Spec().Fit(d)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = m.Embedding()
			} else if !mat.EqualApprox(first, m.Embedding(), 1e-7*mat.Norm(first, 2)) {
				t.Errorf("%s: engine %s gives another embedding", m.Method(), engine)
			}
		}
	}
}

// With the build tag noasm no package of the library has assembly, and with noopenblas none imports
// the package that links programs to glibc.
func TestBuildTags(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go on the path")
	}
	for tag, format := range map[string]string{
		"noasm":      "{{if .SFiles}}{{.ImportPath}}{{end}}",
		"noopenblas": `{{range .Imports}}{{if eq . "github.com/ebitengine/purego"}}{{$.ImportPath}}{{end}}{{end}}`,
	} {
		list := func(tags string) string {
			run := exec.CommandContext(t.Context(), "go", "list", "-tags", tags, "-f", format, "../...")
			run.Env = append(run.Environ(), "GOOS=linux", "GOARCH=amd64")
			out, err := run.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			return strings.Join(strings.Fields(string(out)), ", ")
		}
		if found := list(tag); found != "" {
			t.Errorf("the build tag %s does not leave out %s: add !%s to its build constraint", tag, found, tag)
		}
		if list("") == "" {
			t.Errorf("no package has what the build tag %s leaves out: the test looks at the wrong packages", tag)
		}
	}
}
