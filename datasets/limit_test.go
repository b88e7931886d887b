package datasets

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

func zippedIDX(t testing.TB, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// zippedNPZ returns an archive of one array.
func zippedNPZ(t testing.TB, name string, array any) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name + ".npy")
	if err == nil {
		err = npyio.Write(w, array)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A small file of compressed zeros is rejected before memory is allocated for its
// contents, and read if the limit allows it.
func TestReadLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	const numbers = 2 << 20
	dir := t.TempDir()
	place := func(name string, raw []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	zeros := make([]uint8, numbers)
	pictures := filepath.Join(dir, "pictures")
	if err := os.Mkdir(pictures, 0o700); err != nil {
		t.Fatal(err)
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, numbers/1024, 1024))); err != nil {
		t.Fatal(err)
	}
	place("pictures/a.png", picture.Bytes())
	npz := place("x.npz", zippedNPZ(t, "X", zeros))
	idx := place("x.idx.gz", zippedIDX(t, idx([]uint32{numbers / 8, 8}, zeros)))
	mat := place("x.mat", matFile(true, map[string]*mat.Dense{"fea": mat.NewDense(numbers/8, 8, nil)}))
	var b bytes.Buffer
	if err := npyio.Write(&b, zeros); err != nil {
		t.Fatal(err)
	}
	npy := place("x.npy", b.Bytes())
	rows := place("rows.csv", []byte(strings.Repeat("0,0,0,0,0,0,0,0\n", numbers/8)))
	line := place("line.csv", []byte(strings.Repeat("0,", numbers-1)+"0\n"))
	quoted := place("quoted.csv", append([]byte{'"'}, bytes.Repeat([]byte{'a'}, numbers)...))
	classes := place("classes.csv", []byte(strings.Repeat("0,"+strings.Repeat("c", 4<<10)+"\n", 4)+"0,"+strings.Repeat("d", 3<<20)+"\n"))
	for name, read := range map[string]func() (*data.Data, error){
		"NPZ":            func() (*data.Data, error) { return ReadNPZ(npz, NPZ{}) },
		"NPY":            func() (*data.Data, error) { return ReadNPY(npy) },
		"IDX":            func() (*data.Data, error) { return ReadIDX(idx, "") },
		"MAT":            func() (*data.Data, error) { return ReadMAT(mat, MAT{}) },
		"images":         func() (*data.Data, error) { return ReadImages(pictures) },
		"CSV of rows":    func() (*data.Data, error) { return ReadCSV(rows, CSV{}) },
		"CSV of a line":  func() (*data.Data, error) { return ReadCSV(line, CSV{}) },
		"CSV of a quote": func() (*data.Data, error) { return ReadCSV(quoted, CSV{}) },
		"CSV of classes": func() (*data.Data, error) { return ReadCSV(classes, CSV{LabelColumn: 2}) },
	} {
		t.Run(name, func(t *testing.T) {
			const limit = 1 << 20
			limited(t, limit)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d, err := read()
			runtime.ReadMemStats(&after)
			if !errors.Is(err, data.ErrTooLarge) || errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "SetReadLimit") {
				t.Errorf("got %v, %v", d, err)
			}
			// Growing slices and texts allocate the memory several times over. Rejected files
			// allocate 16 MB.
			if took := after.TotalAlloc - before.TotalAlloc; took > 12*limit {
				t.Errorf("%d bytes were taken", took)
			}
			data.SetReadLimit(0)
			if name == "CSV of a quote" {
				return
			}
			if d, err := read(); err != nil || d.Len()*d.Dim() < 5 {
				t.Errorf("with the default limit: %v, %v", d, err)
			}
		})
	}
}

// A table takes little more memory than the limit, whatever its text is like. A table that fits is
// read.
func TestTablesWithinLimit(t *testing.T) {
	const n = 20_000
	for name, c := range map[string]struct {
		text  string
		limit int64
		fits  bool
	}{
		"rows unlike the first":      {strings.Repeat("1\n", 1200) + strings.Repeat("7", 20*n), 40 * n, true},
		"rows that leave too little": {strings.Repeat("1\n", n), 50 * n, false},
		"rows that leave enough":     {strings.Repeat("1\n", n), 200 * n, true},
		"empty objects":              {`{"a":1}` + strings.Repeat("\n{}", n), 20 * n, false},
		"empty objects that fit":     {`{"a":1}` + strings.Repeat("\n{}", n), 200 * n, true},
		"array of objects":           {`[{"a":1}` + strings.Repeat(",{}", n) + "]", 20 * n, false},
		"attributes":                 {"@relation r\n" + strings.Repeat("@attribute a real\n", n) + "@data\n", 40 * n, false},
		"libsvm":                     {"1 1:1\n" + strings.Repeat("1\n", n), 20 * n, false},
		"Matrix Market":              {"%%MatrixMarket matrix coordinate real general\n20000 1 1\n1 1 2\n", 40 * n, false},
	} {
		t.Run(name, func(t *testing.T) {
			limited(t, c.limit)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			table, err := ReadTableFrom(strings.NewReader(c.text), "x")
			runtime.ReadMemStats(&after)
			if c.fits != (err == nil) || err != nil && !errors.Is(err, data.ErrTooLarge) {
				t.Errorf("got %v, %v", table, err)
			}
			if took := int64(after.TotalAlloc - before.TotalAlloc); took > 12*c.limit {
				t.Errorf("%d bytes were taken with the limit %d", took, c.limit)
			}
		})
	}
}

// The text of a portable map is read word by word, and comments are not stored.
func TestPortableMapsWithinLimit(t *testing.T) {
	const n = 1 << 20
	for name, c := range map[string]struct {
		text string
		fits bool
	}{
		"type":    {"P5" + strings.Repeat("\x00", n), false},
		"width":   {"P5 " + strings.Repeat("0", n) + "1 1 255 x", false},
		"pixel":   {"P2 1 1 255 " + strings.Repeat("0", n), false},
		"comment": {"P2 # " + strings.Repeat("#", n) + "\n1 1 255 7", true},
		"spaces":  {"P2 1 1 255 " + strings.Repeat(" \n", n) + "7", true},
	} {
		in := strings.NewReader(c.text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		row, _, err := readPGM(in, "a.pgm", files.NewBudget())
		runtime.ReadMemStats(&after)
		if c.fits != (err == nil) || err == nil && row[0] != 7 {
			t.Errorf("%s: got %v, %v", name, row, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > n/10 {
			t.Errorf("%s: %d bytes were taken", name, took)
		}
	}
}

// A header that claims more than a compressed stream holds costs little memory.
func TestHeadersLie(t *testing.T) {
	const claimed = 32 << 20
	raw := idx([]uint32{claimed}, make([]byte, claimed/2))
	path := write(t, "x.gz", zippedIDX(t, raw))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ReadIDX(path, "")
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrFormat) || took > 12*claimed {
		t.Errorf("%d bytes for %v", took, err)
	}
	// The product of these dimensions overflows to 0.
	path = write(t, "y", idx([]uint32{1 << 31, 1 << 31, 4}, nil))
	if _, err := ReadIDX(path, ""); !errors.Is(err, ErrFormat) {
		t.Errorf("got %v", err)
	}
}

// A table whose gaps cannot be marked within the limit is still converted, with a note.
func TestLimitOfMarkedGaps(t *testing.T) {
	table := tableOf(t, "a,b\n"+strings.Repeat("1.5,2\n,3\n", 2000))
	const note = "the filled gaps of 1 column are not marked"
	marked, noted := 0, 0
	t.Cleanup(func() { data.SetReadLimit(0) })
	for limit := int64(10_000); limit < 2_000_000; limit += 20_000 {
		data.SetReadLimit(limit)
		d, err := table.Data()
		if err != nil {
			if marked+noted > 0 || !errors.Is(err, data.ErrTooLarge) {
				t.Fatalf("limit %d: %v", limit, err)
			}
			continue
		}
		if has := d.Attribute("a") != nil; has == strings.Contains(strings.Join(d.Notes, "\n"), note) {
			t.Fatalf("limit %d: marked %v, notes %q", limit, has, d.Notes)
		} else if has {
			marked++
		} else {
			noted++
		}
	}
	if marked == 0 || noted == 0 {
		t.Errorf("marked with %d limits, noted with %d", marked, noted)
	}
}
