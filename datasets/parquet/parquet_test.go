package parquet

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// The files in testdata were written by PyArrow 26.
func file(name string) string { return filepath.Join("testdata", name+".parquet") }

func column(t *testing.T, table *datasets.Table, name string) int {
	t.Helper()
	j, err := table.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// Each type of PyArrow is read with its values and gaps.
func TestTypes(t *testing.T) {
	table, err := ReadTable(file("snappy"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		typ   datasets.ColumnType
		texts string
	}{
		{"plant", datasets.Category, "rose|tulip||rose|NA|ÿ €"},
		{"code", datasets.Identifier, "001|002|003|004|005|006"},
		{"kind", datasets.Category, "a|b|a|b|a|b"},
		{"int8", datasets.Integer, "-128|0|127||1|2"},
		{"uint64", datasets.Integer, "0|18446744073709551615|1||2|3"},
		{"int64", datasets.Integer, "-9223372036854775808|9223372036854775807|0|1||5"},
		{"half", datasets.Number, "0.5|-2|65504|||5.9604645e-08"},
		{"float", datasets.Number, "0.1|-1e+30|||3.5|+Inf"},
		{"double", datasets.Number, "0.1|1e-300|||3.5|2"},
		{"flag", datasets.Boolean, "true|false||true|true|false"},
		{"day", datasets.Date, "2024-02-29|1969-12-31||2000-01-01|1900-01-01|2100-12-31"},
		{"ms", datasets.Date, "2024-02-29 12:30:15.25|1969-12-31 23:59:59.999||2000-01-01 00:00:00|2000-01-01 00:00:00|2000-01-01 00:00:00"},
		{"us tz", datasets.Date, "2024-02-29 12:30:15.250001|2024-02-29 12:30:15.250001||2000-01-01 00:00:00|2000-01-01 00:00:00|2000-01-01 00:00:00"},
		{"ns", datasets.Date, "2024-02-29 12:30:15.250000001|1970-01-01 00:00:00||1969-12-31 23:59:59.999999999|1970-01-01 00:00:00.000000001|1970-01-01 00:00:00.000000002"},
		{"time", datasets.Date, "12:30:15|00:00:00||23:59:59.999999|01:00:00|01:00:00"},
		{"decimal", datasets.Number, "12.345|-0.001||0.000|-99999999999.999|1.000"},
		{"big", datasets.Number, "-12345678901234567890123456789012.5|-12345678901234567890123456789012.5|-12345678901234567890123456789012.5||0.5|0.5"},
		{"at.x", datasets.Integer, "1|||4|5|6"},
		{"at.y", datasets.Number, "2.5|3|||1|2"},
	} {
		j := column(t, table, c.name)
		if table.Type(j) != c.typ {
			t.Errorf("%s is of the type %s, not %s", c.name, table.Type(j), c.typ)
		}
		var texts []string
		for i := range table.Rows() {
			texts = append(texts, table.Text(i, j))
			if infinite := strings.Contains(table.Text(i, j), "Inf"); table.Gap(i, j) != (table.Text(i, j) == "" || table.Text(i, j) == "NA" || infinite) {
				t.Errorf("%s, row %d, %q: gap is %v", c.name, i, table.Text(i, j), table.Gap(i, j))
			}
		}
		if got := strings.Join(texts, "|"); got != c.texts {
			t.Errorf("%s:\n%s, not\n%s", c.name, got, c.texts)
		}
	}
	notes := strings.Join(table.Notes(), "\n")
	for _, want := range []string{`"tags" is left out: it has lists`, `"blob" is left out: it has binary values`, `column "code": declared as text, though all cells are numbers`, `"+Inf"`} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in\n%s", want, notes)
		}
	}
	if _, err := table.Data(datasets.Label("kind")); err != nil {
		t.Error(err)
	}
	if table, err = ReadTable(file("snappy"), datasets.Column("code").As(datasets.Number)); err != nil || table.Numbers(column(t, table, "code"))[2] != 3 {
		t.Errorf("an override: %v", err)
	}
}

// All codecs and old encodings give the same values.
func TestCodecs(t *testing.T) {
	for _, name := range []string{"none", "snappy", "gzip", "zstd", "brotli", "lz4", "old"} {
		table, err := ReadTable(file(name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := table.Text(1, column(t, table, "int64")); table.Rows() != 6 || got != "9223372036854775807" {
			t.Errorf("%s: %d rows, %s", name, table.Rows(), got)
		}
	}
	table, err := ReadTable(file("old"))
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Text(0, column(t, table, "ns")); got != "2024-02-29 12:30:15.250000001" {
		t.Errorf("INT96: %s", got)
	}
	if got := table.Text(4, column(t, table, "decimal")); got != "-99999999999.999" {
		t.Errorf("a decimal of 64 bits: %s", got)
	}
}

// Unsupported types are refused by name.
func TestRefused(t *testing.T) {
	other := filepath.Join(t.TempDir(), "x.parquet")
	if err := os.WriteFile(other, []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		is   error
		says string
	}{
		{file("lists"), datasets.ErrUnsupported, "no column has plain values"},
		{file("empty"), datasets.ErrFormat, "no rows"},
		{other, datasets.ErrFormat, "datasets.ReadTable"},
		{file("nothing"), os.ErrNotExist, "nothing"},
	} {
		if table, err := ReadTable(c.path); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", c.path, table, err)
		}
	}
	// The general reader names this package, and its remedy is the call used here.
	if _, err := datasets.ReadTable(file("snappy")); !errors.Is(err, datasets.ErrUnsupported) || !strings.Contains(err.Error(), `import "github.com/ssdrnb/ssdrnb/datasets/parquet"`) || !strings.Contains(err.Error(), "parquet.ReadTable(") {
		t.Errorf("got %v", err)
	}
	data.SetReadLimit(1000)
	defer data.SetReadLimit(0)
	if _, err := ReadTable(file("snappy")); !errors.Is(err, data.ErrTooLarge) {
		t.Errorf("a limit: %v", err)
	}
}

// A page that decodes to more than the limit is refused before it is decoded, whether its values
// are compressed or repeated, and whether its column is used or left out. In small pages the same
// values are read.
func TestLargePages(t *testing.T) {
	const n, limit = 1 << 17, 1 << 20
	t.Cleanup(func() { data.SetReadLimit(0) })
	for name, node := range map[string]parquet.Node{
		"compressed": parquet.Compressed(parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.Plain), &parquet.Snappy),
		"dictionary": parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.RLEDictionary),
		"delta":      parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.DeltaBinaryPacked),
		"left out":   parquet.Compressed(parquet.Repeated(parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.Plain)), &parquet.Snappy),
	} {
		written := func(rows, pageSize int) []byte {
			var b bytes.Buffer
			w := parquet.NewWriter(&b, parquet.NewSchema("x", parquet.Group{"a": node, "b": parquet.Leaf(parquet.BooleanType)}), parquet.PageBufferSize(pageSize))
			level := 0
			if node.Repeated() {
				level = 1
			}
			row := parquet.Row{parquet.Int64Value(7).Level(0, level, 0), parquet.BooleanValue(false).Level(0, 0, 1)}
			if _, err := w.WriteRows(slices.Repeat([]parquet.Row{row}, rows)); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			return b.Bytes()
		}
		large, small := written(n, 64*n), written(n/16, n)
		data.SetReadLimit(limit)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := read(bytes.NewReader(large), int64(len(large)), "x", nil)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, data.ErrTooLarge) || took > limit/2 {
			t.Errorf("%s, a file of %d bytes: %d bytes were taken, %v", name, len(large), took, err)
		}
		if table, err := read(bytes.NewReader(small), int64(len(small)), "x", nil); err != nil || table.Rows() != n/16 {
			t.Errorf("%s in small pages: %v", name, err)
		}
	}
}

// Damaged files give errors or tables, never a panic.
func TestDamaged(t *testing.T) {
	whole, err := os.ReadFile(file("snappy"))
	if err != nil {
		t.Fatal(err)
	}
	data.SetReadLimit(64 << 20)
	defer data.SetReadLimit(0)
	try := func(raw []byte) {
		if table, err := read(bytes.NewReader(raw), int64(len(raw)), "x", nil); err == nil && table.Rows() == 0 {
			t.Error("a table without rows")
		}
	}
	for k := range 200 {
		try(whole[:len(whole)*k/200])
		raw := slices.Clone(whole)
		raw[(len(raw)-1)*k/199] ^= byte(1 << (k % 8))
		try(raw)
	}
}

// ReadTable reads the tables of Model.WriteTable.
func TestWriteTable(t *testing.T) {
	model, err := ssdrnb.PCA().Fit(datasets.Iris())
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	text, binary := filepath.Join(folder, "e.csv"), filepath.Join(folder, "e.parquet")
	if err := errors.Join(model.WriteTable(text), model.WriteTable(binary)); err != nil {
		t.Fatal(err)
	}
	a, err := datasets.ReadTable(text)
	if err != nil {
		t.Fatal(err)
	}
	b, err := ReadTable(binary)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Names(), b.Names()) || a.Rows() != b.Rows() {
		t.Fatalf("%v and %v", a.Names(), b.Names())
	}
	for j, name := range a.Names() {
		for i := range a.Rows() {
			x, y := a.Numbers(j), b.Numbers(j)
			if x != nil && math.Float64bits(x[i]) != math.Float64bits(y[i]) || x == nil && a.Text(i, j) != b.Text(i, j) {
				t.Fatalf("%s, row %d: %q and %q", name, i, a.Text(i, j), b.Text(i, j))
			}
		}
	}
}

// Half-precision numbers: subnormal, largest, infinite.
func TestFloat16(t *testing.T) {
	for b, want := range map[uint16]float64{0: 0, 1: 0x1p-24, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1), 0x3555: 0.333251953125} {
		if got := float16(b); got != want {
			t.Errorf("%#x: %v, not %v", b, got, want)
		}
	}
	if v := float16(0x7e00); v == v {
		t.Error("NaN is a number")
	}
}
