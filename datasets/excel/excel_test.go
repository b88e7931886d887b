package excel

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// The workbook was written by openpyxl 3.1.
var plants = filepath.Join("testdata", "plants.xlsx")

// A sheet with a title, a header, numbers formatted as dates and percentages, booleans, digits
// stored as text, an error, and a formula without a cached value.
func TestReadTable(t *testing.T) {
	table, err := ReadTable(plants)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(table.Names(), ","); got != "plant,height,seen,time,alive,code,share" {
		t.Fatalf("%s\n%v", got, table)
	}
	for j, want := range []string{"rose|tulip|Ünal|rose", "12.5||1E-07|", "2024-02-29|1999-12-31||2020-01-01", "2024-02-29 12:30:00||1900-03-01 00:00:00|2020-01-01 23:59:59", "true|false|true|false", "001|002|003|004", "0.25|0.5||#N/A"} {
		var texts []string
		for i := range table.Rows() {
			texts = append(texts, table.Text(i, j))
		}
		if got := strings.Join(texts, "|"); !strings.EqualFold(got, want) {
			t.Errorf("%s: %s, not %s", table.Names()[j], got, want)
		}
	}
	for j, want := range map[int]datasets.ColumnType{1: datasets.Number, 2: datasets.Date, 3: datasets.Date, 4: datasets.Boolean, 6: datasets.Number} {
		if table.Type(j) != want {
			t.Errorf("%s: %s, not %s", table.Names()[j], table.Type(j), want)
		}
	}
	if notes := strings.Join(table.Notes(), "\n"); !strings.Contains(notes, `sheet "Plants"; others are "Second", "Empty"`) {
		t.Error(notes)
	}
	second, err := ReadSheet(plants, "Second")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(second.Numbers(1), []float64{0, 1, 4, 9, 16}) {
		t.Errorf("%v", second)
	}
}

// Errors name the fault.
func TestErrors(t *testing.T) {
	other := filepath.Join(t.TempDir(), "x.xlsx")
	if err := os.WriteFile(other, []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, sheet string
		is          error
		says        string
	}{
		{plants, "Plant", datasets.ErrFormat, `its sheets are "Plants", "Second", "Empty"`},
		{plants, "", datasets.ErrFormat, "call ReadTable"},
		{other, "x", datasets.ErrFormat, "datasets.ReadTable"},
		{"nothing.xlsx", "x", os.ErrNotExist, "nothing"},
	} {
		if table, err := ReadSheet(c.path, c.sheet); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, %v", table, err)
		}
	}
	data.SetReadLimit(20000)
	defer data.SetReadLimit(0)
	if _, err := ReadTable(plants); !errors.Is(err, data.ErrTooLarge) {
		t.Errorf("a limit: %v", err)
	}
}

// Damaged workbooks give errors or tables, never a panic.
func TestDamaged(t *testing.T) {
	whole, err := os.ReadFile(plants)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.xlsx")
	for k := range 100 {
		raw := slices.Clone(whole)
		raw[(len(raw)-1)*k/99] ^= byte(1 << (k % 8))
		for _, raw := range [][]byte{raw, whole[:len(whole)*k/100]} {
			if err := os.WriteFile(path, raw, 0o600); err != nil {
				t.Fatal(err)
			}
			if table, err := ReadTable(path); err == nil && table.Rows() == 0 {
				t.Error("a table without rows")
			}
		}
	}
}

// Formats of numbers, dates, times and durations are distinguished.
func TestParts(t *testing.T) {
	for format, want := range map[string]shown{
		"DD.MM.YYYY": {day: true}, "yyyy-mm-dd h:mm:ss.000": {day: true, clock: true}, "h:mm AM/PM": {clock: true}, "mm:ss.0": {clock: true},
		"0.00": {}, "#,##0;[Red]-#,##0": {}, `0.0 "days"`: {}, "[h]:mm": {}, "0.00E+00": {}, "[$-409]d-mmm": {day: true}, `"y"0`: {}, "General": {}, "@": {}, `\d0`: {},
	} {
		if got := parts(format); got != want {
			t.Errorf("%s: %v, not %v", format, got, want)
		}
	}
}
