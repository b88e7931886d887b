package tests

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/ssdrnb/ssdrnb/"

// layers are the packages of the library from the bottom up: each may import those of earlier
// lines. Packages below an internal/ that is not listed here belong to the package above it.
var layers = [][]string{
	{"ssdrnb/internal/par", "ssdrnb/internal/samples", "ssdrnb/internal/order", "ssdrnb/internal/disjoint", "ssdrnb/data/advice", "ssdrnb/data/nouns", "ssdrnb/data/folders"},
	{"ssdrnb/sparse", "ssdrnb/blas"},
	{"ssdrnb/data"},
	{"ssdrnb/data/files", "ssdrnb/graph", "ssdrnb/internal/dense", "ssdrnb/internal/regions"},
	{"ssdrnb/data/npy", "ssdrnb/internal/spectral", "ssdrnb/internal/gp"},
	{"datasets", "ssdrnb/metrics", "ssdrnb/internal/kernels", "ssdrnb/internal/embed", "ssdrnb/internal/align", "ssdrnb/internal/walks",
		"ssdrnb/internal/contrast", "ssdrnb/internal/density", "ssdrnb/internal/community"},
	// Code shared by methods, by subject: plain functions over matrices and graphs.
	{"ssdrnb/internal/discriminant", "ssdrnb/internal/margins", "ssdrnb/internal/pairing",
		"ssdrnb/internal/adaptive", "ssdrnb/internal/riemann", "ssdrnb/internal/guide", "ssdrnb/internal/outofsample"},
	{"ssdrnb", "datasets/fetch", "datasets/recipes", "datasets/zstd", "datasets/sqltable", "datasets/excel"},
	{"viz/look", "viz/store", "viz/pace", "viz/bounds", "viz/js", "viz/internal/plot", "ssdrnb/experiment", "datasets/parquet"},
	{"viz/chart", "widgets/internal/stage"},
	{"viz/schema"},
	{"viz", "widgets/internal/interact", "widgets/lesson"},
	{"widgets"},
}

// knows lists the packages that may import a foreign module, by the start of its path.
var knows = map[string][]string{
	"github.com/go-echarts":      {"viz", "viz/chart"},
	"codeberg.org/go-fonts":      {"viz/internal/plot"},
	"golang.org/x/image":         {"viz/internal/plot", "datasets"},
	"golang.org/x/text":          {"viz/internal/plot", "datasets/excel"},
	"github.com/janpfeifer/gonb": {"viz", "widgets", "widgets/lesson"},
	"github.com/ebitengine":      {"ssdrnb/blas"},
	"net/http":                   {"datasets/fetch"},
	"database/sql":               {"datasets/sqltable"},
	"github.com/parquet-go":      {"datasets/parquet"},
	"github.com/klauspost":       {"datasets/zstd"},
	"github.com/go-rod":          {},
	"C":                          {},
}

// dataKnows are the only packages of the library that package datasets may import.
var dataKnows = []string{"ssdrnb/data", "ssdrnb/data/files", "ssdrnb/data/npy", "ssdrnb/data/advice", "ssdrnb/data/nouns", "ssdrnb/data/folders"}

// pack is a package as printed by go list.
type pack struct {
	ImportPath string
	Imports    []string
}

func listed(t *testing.T, arguments ...string) []pack {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go on the path")
	}
	list := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports"}, arguments...)...)
	list.Env = append(os.Environ(), "CGO_ENABLED=0") // as for cells; cgo adds packages
	list.Dir = ".."
	out, err := list.Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			t.Fatalf("%v\n%s", err, failed.Stderr)
		}
		t.Fatal(err)
	}
	var packs []pack
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pack
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packs
		} else if err != nil {
			t.Fatal(err)
		}
		packs = append(packs, p)
	}
}

// layer returns the library package that a path belongs to and its layer, or −1 if it is none (a
// program, a test).
func layer(path string) (string, int) {
	path = strings.TrimPrefix(path, module)
	for {
		for k, names := range layers {
			if slices.Contains(names, path) {
				return path, k
			}
		}
		at := strings.LastIndex(path, "/internal/")
		if at < 0 {
			return path, -1
		}
		path = path[:at]
	}
}

// Imports point one way: widgets → viz → ssdrnb → the packages below.
func TestDependenciesPointOneWay(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range listed(t, "./...") {
		name, above := layer(p.ImportPath)
		if above < 0 {
			continue // a program or a test may import anything
		}
		seen[name] = true
		for _, path := range p.Imports {
			for start, allowed := range knows {
				if strings.HasPrefix(path+"/", start+"/") && !slices.Contains(allowed, name) {
					t.Errorf("%s imports %s, which only %v may", name, path, allowed)
				}
			}
			if !strings.HasPrefix(path, module) {
				continue
			}
			other, below := layer(path)
			switch {
			case other == name:
			case below < 0:
				t.Errorf("%s imports %s, which is no package of the library", name, path)
			case below >= above:
				t.Errorf("%s imports %s, which is not below it", name, path)
			case name == "datasets" && !slices.Contains(dataKnows, other):
				t.Errorf("%s imports %s; it is to know %v", name, path, dataKnows)
			}
		}
	}
	for _, names := range layers {
		for _, name := range names {
			if !seen[name] {
				t.Errorf("there is no package %s", name)
			}
		}
	}
}

// A cell is compiled and linked each time it runs, and its imports determine the cost. The number
// of external packages is bounded, and none accesses the network. Splitting the library's own code
// into packages costs nothing.
func TestCellsStayLight(t *testing.T) {
	for cell, most := range map[string]int{
		"./datasets ./ssdrnb":                 166, // 5 of them for GIF and BMP images
		"./datasets ./ssdrnb ./viz":           221, // 10 of them for system fonts and their order
		"./datasets ./ssdrnb ./viz ./widgets": 223,
	} {
		foreign := 0
		for _, p := range listed(t, append([]string{"-deps"}, strings.Fields(cell)...)...) {
			name, own := strings.CutPrefix(p.ImportPath, module)
			if !own {
				foreign++
			}
			if name == "datasets/fetch" || name == "net/http" {
				t.Errorf("a cell with %s links %s", cell, name)
			}
		}
		if foreign > most {
			t.Errorf("%s: %d packages from elsewhere, more than %d", cell, foreign, most)
		}
		t.Logf("%s: %d packages from elsewhere", cell, foreign)
	}
}
