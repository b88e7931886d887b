package notebooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/ssdrnb/ssdrnb/"

// rooms are the packages of the library from the bottom up: each may import those of
// earlier lines. Packages below internal/ belong to the room above them.
var rooms = [][]string{
	{"ssdrnb/internal/par", "ssdrnb/internal/samples", "ssdrnb/data/advice"},
	{"ssdrnb/data", "ssdrnb/sparse", "ssdrnb/blas"},
	{"ssdrnb/data/files", "ssdrnb/graph", "ssdrnb/internal/gp"},
	{"ssdrnb/data/npy"},
	{"datasets", "ssdrnb/internal/spectral", "ssdrnb/metrics"},
	{"ssdrnb", "datasets/fetch"},
	{"viz"},
	{"widgets"},
}

// knows says which rooms may import a foreign module, by the start of its path.
var knows = map[string][]string{
	"github.com/go-echarts":      {"viz"},
	"gonum.org/v1/plot":          {"viz"},
	"github.com/janpfeifer/gonb": {"viz", "widgets"},
	"github.com/ebitengine":      {"ssdrnb/blas"},
	"net/http":                   {"datasets/fetch"},
	"github.com/go-rod":          {},
	"C":                          {},
}

// dataKnows is all of the library that the sets of data know.
var dataKnows = []string{"ssdrnb/data", "ssdrnb/data/files", "ssdrnb/data/npy", "ssdrnb/data/advice"}

// pack is a package as go list writes it.
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

// room returns the room that a package of the module belongs to and its floor, or −1
// where it is none of the library (a program, a test).
func room(path string) (string, int) {
	path = strings.TrimPrefix(path, module)
	if above, _, inside := strings.Cut(path, "/internal/"); inside && !slices.ContainsFunc(rooms, func(names []string) bool { return slices.Contains(names, path) }) {
		path = above
	}
	for floor, names := range rooms {
		if slices.Contains(names, path) {
			return path, floor
		}
	}
	return path, -1
}

// Imports point one way: widgets → viz → ssdrnb → the rooms below.
func TestDependenciesPointOneWay(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range listed(t, "./...") {
		name, floor := room(p.ImportPath)
		if floor < 0 {
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
			other, below := room(path)
			switch {
			case other == name:
			case below < 0:
				t.Errorf("%s imports %s, which is no room of the library", name, path)
			case below >= floor:
				t.Errorf("%s imports %s, which is not below it", name, path)
			case name == "datasets" && !slices.Contains(dataKnows, other):
				t.Errorf("%s imports %s; it is to know %v", name, path, dataKnows)
			}
		}
	}
	for _, names := range rooms {
		for _, name := range names {
			if !seen[name] {
				t.Errorf("there is no package %s", name)
			}
		}
	}
}

// A cell is compiled and linked anew each time it runs, and what it imports is what
// that takes: the number of packages is bounded, and none fetches anything.
func TestCellsStayLight(t *testing.T) {
	for cell, most := range map[string]int{
		"./datasets ./ssdrnb":                 180,
		"./datasets ./ssdrnb ./viz":           300,
		"./datasets ./ssdrnb ./viz ./widgets": 305,
	} {
		packs := listed(t, append([]string{"-deps"}, strings.Fields(cell)...)...)
		if len(packs) > most {
			t.Errorf("%s: %d packages, more than %d", cell, len(packs), most)
		}
		for _, p := range packs {
			if name := strings.TrimPrefix(p.ImportPath, module); name == "datasets/fetch" || name == "net/http" {
				t.Errorf("a cell with %s links %s", cell, name)
			}
		}
		t.Logf("%s: %d packages", cell, len(packs))
	}
}
