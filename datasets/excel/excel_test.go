package excel

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

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
	if notes := strings.Join(table.Notes(), "\n"); !strings.Contains(notes, `only sheet "Plants" was read; read another with excel.ReadSheet: "Second", "Empty"`) {
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

// content returns the files of a workbook. Style k, counted from 1, has the k-th number format.
// Each element of sheets is the content of a sheet's element sheetData.
func content(formats []string, sheets ...string) map[string]string {
	const main = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	const references = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	numbers, styles, names, targets := "", `<xf numFmtId="0"/>`, "", ""
	for k, f := range formats {
		numbers += fmt.Sprintf(`<numFmt numFmtId="%d" formatCode="%s"/>`, 170+k, f)
		styles += fmt.Sprintf(`<xf numFmtId="%d"/>`, 170+k)
	}
	files := map[string]string{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"_rels/.rels":         `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + references + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/styles.xml":       `<styleSheet ` + main + `><numFmts>` + numbers + `</numFmts><cellXfs>` + styles + `</cellXfs></styleSheet>`,
	}
	for k, s := range sheets {
		names += fmt.Sprintf(`<sheet name="S%d" sheetId="%d" r:id="r%d"/>`, k+1, k+1, k+1)
		targets += fmt.Sprintf(`<Relationship Id="r%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, k+1, references, k+1)
		files[fmt.Sprintf("xl/worksheets/sheet%d.xml", k+1)] = `<worksheet ` + main + `><sheetData>` + s + `</sheetData></worksheet>`
	}
	files["xl/workbook.xml"] = `<workbook ` + main + ` xmlns:r="` + references + `"><sheets>` + names + `</sheets></workbook>`
	files["xl/_rels/workbook.xml.rels"] = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + targets + `</Relationships>`
	return files
}

// written writes the workbook of content, and returns its path.
func written(t *testing.T, formats []string, sheets ...string) string {
	t.Helper()
	return packed(t, content(formats, sheets...))
}

// packed writes a workbook with these files, and returns its path.
func packed(t *testing.T, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "w.xlsx")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// The memory for a sheet is bounded by its cells and by the read limit, wherever the cells are and
// whatever else the sheet contains. A row or cell without a position comes directly after the
// previous one.
func TestSheets(t *testing.T) {
	far, merged, plain := "", "", ""
	for i := 1; i <= 400; i++ {
		far += fmt.Sprintf(`<row r="%d"><c r="XFD%d"><v>1</v></c></row>`, i, i)
	}
	wide := "<row>" + strings.Repeat("<c><v>1</v></c>", 16384) + "</row>"
	for i := 1; i <= 1000; i++ {
		plain += fmt.Sprintf(`<row r="%d"><c r="A%d"><v>%d</v></c></row>`, i, i, i)
		merged += fmt.Sprintf(`<mergeCell ref="D%d:E%d"/>`, i, i)
	}
	merged = plain + "</sheetData><mergeCells>" + merged + "</mergeCells><sheetData>"
	data.SetReadLimit(16 << 20)
	defer data.SetReadLimit(0)
	for name, c := range map[string]struct {
		sheet         string
		is            error
		rows, columns int
	}{
		"far cells":          {far, data.ErrTooLarge, 0, 0},
		"one far row":        {`<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`, data.ErrTooLarge, 0, 0},
		"a wide row":         {wide, nil, 1, 16384},
		"merged ranges":      {merged, nil, 1000, 1},
		"gaps":               {`<row><c><v>1</v></c><c/><c><v>3</v></c></row><row r="3"><c r="B3"><v>2</v></c><c><v>3</v></c></row>`, nil, 2, 3},
		"cells out of order": {`<row><c r="B1"><v>2</v></c><c r="A1"><v>1</v></c></row>`, nil, 1, 2},
	} {
		path := written(t, nil, c.sheet)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		table, err := ReadTable(path, datasets.NoHeader())
		runtime.ReadMemStats(&after)
		if !errors.Is(err, c.is) || err == nil && (table.Rows() != c.rows || len(table.Names()) != c.columns) {
			t.Errorf("%s: %v, %v", name, table, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 100<<20 {
			t.Errorf("%s takes %d MB", name, took>>20)
		}
	}
}

// Texts are read in each of the ways in which a sheet stores them.
func TestTexts(t *testing.T) {
	table, err := ReadTable(written(t, []string{"yyyy"}, `<row><c t="str" s="1"><f>A</f><v>45000</v></c><c t="inlineStr"><is><t>a_x0041__x005F_</t></is></c>`+
		`<c t="inlineStr"><is><r><t>b</t></r><rPh><t>not</t></rPh><r><t>c</t></r></is></c><c t="e"><v>#N/A</v></c><c t="b"><v>1</v></c><c><f>A</f></c><c><v>1e2</v></c></row>`), datasets.NoHeader())
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for j := range table.Names() {
		texts = append(texts, table.Text(0, j))
	}
	if got := strings.Join(texts, "|"); got != "45000|aA_|bc|#N/A|true||1e2" {
		t.Error(got)
	}
}

// A workbook is read in the two encodings of the standard (ECMA-376, part 2), and rejected in
// others.
func TestEncodings(t *testing.T) {
	for _, c := range []struct {
		encoding, declared, mark, says string
	}{
		{"UTF-8", "", "", ""},
		{"UTF-8", "UTF-8", "\ufeff", ""},
		{"UTF-16LE", "UTF-16", "\ufeff", ""},
		{"UTF-16BE", "utf-16", "\ufeff", ""},
		{"UTF-8", "windows-1252", "", `the encoding "windows-1252" is neither UTF-8 nor UTF-16`},
	} {
		files := content(nil, `<row><c t="inlineStr"><is><t>Ü€</t></is></c></row>`)
		for name, text := range files {
			if c.declared != "" {
				text = `<?xml version="1.0" encoding="` + c.declared + `"?>` + text
			}
			units := utf16.Encode([]rune(c.mark + text))
			switch text = c.mark + text; c.encoding {
			case "UTF-16LE":
				raw, _ := binary.Append(nil, binary.LittleEndian, units)
				text = string(raw)
			case "UTF-16BE":
				raw, _ := binary.Append(nil, binary.BigEndian, units)
				text = string(raw)
			}
			files[name] = text
		}
		table, err := ReadTable(packed(t, files), datasets.NoHeader())
		switch {
		case c.says != "":
			if !errors.Is(err, datasets.ErrFormat) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v: %v", c, err)
			}
		case err != nil || table.Text(0, 0) != "Ü€":
			t.Errorf("%v: %v, %v", c, table, err)
		}
	}
}

// Errors name the fault. A sheet is called empty only if it was read to its end and contains no
// text.
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
		{plants, "Empty", datasets.ErrFormat, `plants: sheet "Empty": all cells are empty; give a sheet with a table`},
	} {
		if table, err := ReadSheet(c.path, c.sheet); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, %v", table, err)
		}
	}
	const some = `<row><c><v>1</v></c></row>`
	for _, c := range []struct {
		sheets  []string
		options []datasets.TableOption
		says    string
	}{
		{[]string{"", some}, []datasets.TableOption{datasets.Header(-2)}, "Header(-2)"},
		{[]string{"", `<row><c t="inlineStr"><is><t> </t></is></c></row>`}, nil, "all sheets are empty; give a workbook with a table"},
		{[]string{`<row r="9999999"/>` + some, some}, nil, "save it again as .xlsx"},
		{[]string{`<row r="3"/><row r="2"/>`, some}, nil, "row 2 follows row 3"},
		{[]string{`<row r="1048577"/>`, some}, nil, "beyond the last row of Excel, 1048576"},
		{[]string{`<row><c r="XFD1"/><c/></row>`, some}, nil, "row 1 has more than 16384 columns, the maximum in Excel"},
		{[]string{`<row><c r="ZZZ1"/></row>`, some}, nil, "row 1 has more than 16384 columns"},
		{[]string{`<row><c r="AAAA1"/></row>`, some}, nil, `a cell has the invalid reference "AAAA1"`},
		{[]string{`<row><c r="A"/></row>`, some}, nil, `a cell has the invalid reference "A"`},
		{[]string{`<row><c r="7"/></row>`, some}, nil, `a cell has the invalid reference "7"`},
		{[]string{`<row><c r="Ä1"/></row>`, some}, nil, `a cell has the invalid reference "Ä1"`},
		{[]string{`<row><c r="1A"><v>1</v></c></row>`, some}, nil, "save it again as .xlsx"},
		{[]string{`<row><c`, some}, nil, "save it again as .xlsx"},
		{[]string{`<row><c t="s"><v>7</v></c></row>`, some}, nil, "a cell refers to shared string 7 (counted from 0), but the workbook has 0 shared strings;"},
		{nil, nil, "the workbook has no sheets; open it"},
		{[]string{strings.Repeat("<a>", 2000)}, nil, "elements are nested more than 1000 deep"},
		{[]string{"<row><c>" + strings.Repeat("<a>", 2000)}, nil, "elements are nested more than 1000 deep"},
		{[]string{`<row><c s="7"><v>7</v></c></row>`, some}, nil, "a cell refers to style 7 (counted from 0), but the workbook has 1 style;"},
	} {
		if table, err := ReadTable(written(t, nil, c.sheets...), c.options...); !errors.Is(err, datasets.ErrFormat) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, %v", c.sheets, table, err)
		}
	}
	if table, err := ReadTable(written(t, nil, "", some), datasets.NoHeader()); err != nil || table.Rows() != 1 {
		t.Errorf("the second sheet: %v, %v", table, err)
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
		"m": {day: true}, "mmm": {day: true}, "mmmm": {day: true}, "e": {day: true}, "ge.m.d": {day: true}, "aaa": {day: true}, "bbbb": {day: true}, "mmm h": {day: true, clock: true},
		"[Red]General": {}, `General" m"`: {}, "##0.0e-0": {}, "AM/PM h": {clock: true}, "h A/P": {clock: true}, "yyyy;0": {day: true},
	} {
		if got := parts(format); got != want {
			t.Errorf("%s: %v, not %v", format, got, want)
		}
	}
}

// Each day of Excel's calendar becomes a different date. Numbers outside the calendar stay numbers.
func TestDates(t *testing.T) {
	for _, c := range []struct {
		value      string
		from1904   bool
		date, time string // in formats of days and of times
	}{
		{"0", false, "1899-12-31", "00:00:00"},
		{"0.5", false, "1899-12-31 12:00:00", "12:00:00"},
		{"1", false, "1900-01-01", "1900-01-01 00:00:00"},
		{"59", false, "1900-02-28", "1900-02-28 00:00:00"},
		{"60", false, "60", "60"},
		{"60.5", false, "60.5", "60.5"},
		{"61", false, "1900-03-01", "1900-03-01 00:00:00"},
		{"60", true, "1904-03-01", "1904-03-01 00:00:00"},
		{"45000.123456", false, "2023-03-15 02:57:46.598", "2023-03-15 02:57:46.598"},
		{"2958465", false, "9999-12-31", "9999-12-31 00:00:00"},
		{"2958465", true, "2958465", "2958465"},
		{"2958466", false, "2958466", "2958466"},
		{"1e300", false, "1e300", "1e300"},
		{"-1", false, "-1", "-1"},
		{"NaN", false, "NaN", "NaN"},
		{"Inf", false, "Inf", "Inf"},
	} {
		f := formats{styles: []shown{{}, {day: true}, {clock: true}}, from1904: c.from1904}
		for style, want := range []string{c.value, c.date, c.time} {
			if got, err := f.number(c.value, style); err != nil || got != want {
				t.Errorf("%s in style %d: %s, %v, not %s", c.value, style, got, err, want)
			}
		}
	}
}
