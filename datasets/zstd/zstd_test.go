package zstd

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
)

// The file was written by python-zstandard 0.25.
func TestReadTable(t *testing.T) {
	path := filepath.Join("testdata", "plants.csv.zst")
	table, err := ReadTable(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Numbers(1); table.Rows() != 3 || got[0] != 12.5 || got[1] == got[1] || got[2] != 7.25 {
		t.Errorf("%v", table)
	}
	if !strings.Contains(strings.Join(table.Notes(), "\n"), "Zstandard") {
		t.Error("no note of the compression")
	}
	if _, err := datasets.ReadTable(path); !errors.Is(err, datasets.ErrUnsupported) || !strings.Contains(err.Error(), `import "github.com/ssdrnb/ssdrnb/datasets/zstd"`) {
		t.Errorf("got %v", err)
	}
}

// Damaged archives, and archives that unpack to more than the limit, give errors.
func TestDamaged(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join("testdata", "plants.csv.zst"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.zst")
	put := func(raw []byte) {
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for n := range len(whole) {
		if put(whole[:n]); n < 1 {
			continue
		}
		if _, err := ReadTable(path); !errors.Is(err, datasets.ErrFormat) || advice.Of(err) == "" {
			t.Errorf("the first %d bytes of %d give %v", n, len(whole), err)
		}
	}
	pack, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	put(pack.EncodeAll([]byte(strings.Repeat("1,2\n", 1<<20)), nil))
	data.SetReadLimit(1 << 20)
	defer data.SetReadLimit(0)
	if _, err := ReadTable(path); !errors.Is(err, data.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}
