// Package golden reads reference results that other programs have computed, for tests.
package golden

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Extra returns the folder of additional reference cases from the environment variable
// SSDRNB_GOLDEN, or "". Tests read these cases in addition to those in their own folder.
func Extra() string { return os.Getenv("SSDRNB_GOLDEN") }

// Open returns the content of a file, decompressed if its name ends in .gz.
func Open(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := io.Reader(f)
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return raw
}

// Read decodes a JSON file, which may be compressed, into v.
func Read(t testing.TB, path string, v any) {
	t.Helper()
	if err := json.Unmarshal(Open(t, path), v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// Files returns the paths of the files in the given folder and in the folder [Extra] whose names
// match pattern followed by .json or .json.gz. If both folders contain the same file with the same
// content, the path in the given folder is left out.
func Files(t testing.TB, folder, pattern string) []string {
	t.Helper()
	in := func(folder string) (paths []string) {
		for _, end := range []string{".json", ".json.gz"} {
			found, err := filepath.Glob(filepath.Join(folder, pattern+end))
			if err != nil {
				t.Fatal(err)
			}
			paths = append(paths, found...)
		}
		slices.Sort(paths)
		return paths
	}
	own := in(folder)
	if Extra() == "" {
		return own
	}
	if _, err := os.ReadDir(Extra()); err != nil {
		t.Fatalf("SSDRNB_GOLDEN: %v; set it to a folder of reference cases", err)
	}
	extra := in(Extra())
	named := map[string]string{}
	for _, path := range extra {
		named[Name(path)] = path
	}
	return append(slices.DeleteFunc(own, func(path string) bool {
		same := named[Name(path)]
		return same != "" && bytes.Equal(Open(t, path), Open(t, same))
	}), extra...)
}

// Name returns the name of a case: its file name without folder and extension.
func Name(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".json")
}

// Each runs check as a subtest, named after the file, on every case that matches pattern in the
// folder testdata and in Extra.
func Each[Case any](t *testing.T, pattern string, check func(t *testing.T, g *Case)) {
	t.Helper()
	EachIn(t, "testdata", pattern, check)
}

// EachIn is [Each] for cases in a folder other than testdata.
func EachIn[Case any](t *testing.T, folder, pattern string, check func(t *testing.T, g *Case)) {
	t.Helper()
	files := Files(t, folder, pattern)
	if len(files) == 0 {
		t.Fatalf("no cases %s in %s", pattern, folder)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			g := new(Case)
			Read(t, path, g)
			check(t, g)
		})
	}
}

// EachOfKind is [Each] for all cases whose field "kind" equals the argument kind, whatever their
// names.
func EachOfKind[Case any](t *testing.T, kind string, check func(t *testing.T, g *Case)) {
	t.Helper()
	some := false
	for _, path := range Files(t, "testdata", "*") {
		if Kind(t, path) != kind {
			continue
		}
		some = true
		t.Run(filepath.Base(path), func(t *testing.T) {
			g := new(Case)
			Read(t, path, g)
			check(t, g)
		})
	}
	if !some {
		t.Fatalf("no cases of kind %s in testdata", kind)
	}
}

// Kind returns the field "kind" of a case, or "". It skips fields before "kind" and does not read
// those after it.
func Kind(t testing.TB, path string) string {
	t.Helper()
	in := json.NewDecoder(bytes.NewReader(Open(t, path)))
	if open, err := in.Token(); err != nil || open != json.Delim('{') {
		return "" // the file is a list of cases and has no kind
	}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if key == "kind" {
			var kind string
			if err := in.Decode(&kind); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			return kind
		}
		var skipped json.RawMessage
		if err := in.Decode(&skipped); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	return ""
}

// Symmetric returns the n×n matrix in which each entry [i, j, value] is set on both sides of the
// diagonal.
func Symmetric(t testing.TB, n int, entries [][3]float64) *sparse.CSR {
	t.Helper()
	var both []sparse.Triplet
	for _, e := range entries {
		i, j := int(e[0]), int(e[1])
		both = append(both, sparse.Triplet{Row: i, Col: j, Value: e[2]}, sparse.Triplet{Row: j, Col: i, Value: e[2]})
	}
	m, err := sparse.FromTriplets(n, n, both)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Dense returns the matrix with the given rows. There must be at least one row.
func Dense(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		m.SetRow(i, r)
	}
	return m
}

// Entries checks that m is valid and contains exactly the entries [i, j, value], each within tol.
func Entries(t testing.TB, name string, m *sparse.CSR, want [][3]float64, tol float64) {
	t.Helper()
	if err := m.Check(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if m.NNZ() != len(want) {
		t.Errorf("%s: %d entries, want %d", name, m.NNZ(), len(want))
	}
	for _, e := range want {
		if got := m.At(int(e[0]), int(e[1])); !(math.Abs(got-e[2]) <= tol) {
			t.Fatalf("%s[%v][%v]: got %.15g, want %.15g", name, e[0], e[1], got, e[2])
		}
	}
}
