// Package golden reads, for tests, the reference cases that other programs computed.
package golden

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Read decodes the JSON file path, or path with .gz appended, into v.
func Read(t testing.TB, path string, v any) {
	t.Helper()
	var r io.Reader
	f, err := os.Open(path + ".gz")
	if err == nil {
		r, err = gzip.NewReader(f)
	} else {
		f, err = os.Open(path)
		r = f
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := json.NewDecoder(r).Decode(v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// Each runs check on every case testdata/pattern.json.gz, as a subtest of its name.
func Each[Case any](t *testing.T, pattern string, check func(t *testing.T, g *Case)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", pattern+".json.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases %s: %v", pattern, err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			g := new(Case)
			Read(t, strings.TrimSuffix(path, ".gz"), g)
			check(t, g)
		})
	}
}

// Symmetric returns the n×n matrix with each entry [i, j, value] on both sides of the
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
