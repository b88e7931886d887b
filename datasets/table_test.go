package datasets

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// tableOf reads a text, or fails the test.
func tableOf(t *testing.T, text string, options ...TableOption) *Table {
	t.Helper()
	table, err := readTable(strings.NewReader(text), -1, "t.csv", options...)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return table
}

// cells returns the rows of a table.
func cells(t *Table) [][]string {
	var out [][]string
	for i := range t.Rows() {
		row := make([]string, len(t.Names()))
		for j := range row {
			row[j] = t.Text(i, j)
		}
		out = append(out, row)
	}
	return out
}

// plain returns a table with words, whole numbers and decimals, as it should be read.
func plain(rows int) (names []string, body [][]string) {
	names = []string{"site", "visits", "level"}
	for i := range rows {
		body = append(body, []string{[]string{"north", "south", "east"}[i%3], fmt.Sprint(10 + 7*i%50), fmt.Sprintf("%d.%02d", i%9, 5*i%100)})
	}
	return names, body
}

// written writes rows with a separator.
func written(sep string, rows ...[]string) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.Join(r, sep) + "\n")
	}
	return b.String()
}

// Without options, the same table gives the same names and cells in each of the usual formats.
func TestTableKinds(t *testing.T) {
	names, body := plain(12)
	all := slices.Concat([][]string{names}, body)
	csv := written(",", all...)
	quoted := func(sep, quote string) string {
		var rows [][]string
		for _, r := range all {
			var q []string
			for _, c := range r {
				q = append(q, quote+c+quote)
			}
			rows = append(rows, q)
		}
		return written(sep, rows...)
	}
	pad := func(text string) []string { return []string{text, "", ""} }
	with := func(rows ...[]string) string { return written(",", rows...) }
	lines := strings.Split(strings.TrimSuffix(csv, "\n"), "\n")
	trailing := strings.Join(lines, ",,\n") + ",,\n"
	utf16of := func(big, bom bool) string {
		units := utf16.Encode([]rune(csv))
		if bom {
			units = append([]uint16{0xFEFF}, units...)
		}
		var b []byte
		for _, u := range units {
			if big {
				b = append(b, byte(u>>8), byte(u))
			} else {
				b = append(b, byte(u), byte(u>>8))
			}
		}
		return string(b)
	}
	for name, text := range map[string]string{
		"commas": csv, "semicolons": written(";", all...), "tabs": written("\t", all...), "bars": written("|", all...),
		"spaces": written("  ", all...), "spaces before lines": "  " + strings.ReplaceAll(written("   ", all...), "\n", "\n  "),
		"two colons": written("::", all...), "comma and space": written(", ", all...),
		"no line end": strings.TrimSuffix(csv, "\n"), "CR LF": strings.ReplaceAll(csv, "\n", "\r\n"), "CR": strings.ReplaceAll(csv, "\n", "\r"),
		"double quotes": quoted(",", `"`), "single quotes": quoted(";", "'"), "quotes and tabs": quoted("\t", `"`),
		"mark": mark + csv, "UTF-16LE": utf16of(false, true), "UTF-16BE": utf16of(true, true), "UTF-16LE without a mark": utf16of(false, false),
		"trailing separators": trailing, "blank lines": strings.ReplaceAll(csv, "\n", "\n\n"), "blank rows at the end": csv + strings.Repeat(",,\n", 40),
		"a title":               "A survey of sites in 2020\n\n" + csv,
		"a title in cells":      with(slices.Concat([][]string{pad("A survey of sites"), pad("")}, all)...),
		"two titles":            with(slices.Concat([][]string{pad("A survey of sites"), pad("from May to July"), pad(""), pad("")}, all)...),
		"a title with a break":  "\"A survey\nof sites\",,\n" + csv,
		"comments":              "# made by a program\n# unit: m, s\n" + csv,
		"comments of TeX":       "% made by a program\n" + csv,
		"a comment within":      strings.Replace(csv, "\n", "\n# here begins it\n", 2),
		"a note at the end":     csv + "\nSource: the survey of sites\n",
		"a note in cells":       csv + ",,\nSource: own counts,,\n",
		"the header again":      csv[:len(csv)/2+strings.IndexByte(csv[len(csv)/2:], '\n')+1] + ",,\nPart two,,\n" + lines[0] + "\n" + csv[len(csv)/2+strings.IndexByte(csv[len(csv)/2:], '\n')+1:],
		"the header of NumPy":   "# " + csv,
		"units":                 lines[0] + "\n-,1,m\n" + strings.Join(lines[1:], "\n"),
		"units in brackets":     lines[0] + "\n,[1],[cm/s]\n" + strings.Join(lines[1:], "\n"),
		"types and roles":       lines[0] + "\nd,c,c\nclass,,\n" + strings.Join(lines[1:], "\n"),
		"types below the names": lines[0] + "\ndiscrete,continuous,continuous\n" + strings.Join(lines[1:], "\n"),
	} {
		table := tableOf(t, text)
		if !slices.Equal(table.Names(), names) || !slices.EqualFunc(cells(table), body, slices.Equal) {
			t.Errorf("%s: names %q, rows %q\n%v", name, table.Names(), cells(table), table)
			continue
		}
		for j, want := range []ColumnType{Category, Integer, Number} {
			if table.Type(j) != want {
				t.Errorf("%s: column %d is %s, want %s", name, j, table.Type(j), want)
			}
		}
	}
	// Notes list what was skipped.
	for text, want := range map[string]string{
		"A title\n\n" + csv: "1 line above the table skipped", "# c\n" + csv: "1 comment line skipped", csv + ",,\n": "",
		csv + ",,\nSource: own counts,,\n": "1 line below the table skipped", strings.Replace(csv, "\n", "\n,,\n", 3): "3 blank rows skipped",
	} {
		if notes := strings.Join(tableOf(t, text).Notes(), "\n"); !strings.Contains(notes, want) {
			t.Errorf("notes %q lack %q", notes, want)
		}
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte(csv))
	w.Close()
	if table := tableOf(t, z.String()); !slices.EqualFunc(cells(table), body, slices.Equal) {
		t.Errorf("gzip: %v", table)
	}
}

// The rows of a multi-row header are joined, and a name that spans several columns is prefixed to
// each.
func TestTableHeaders(t *testing.T) {
	body := "1.5,2,3.5,4\n2.5,3,4.5,5\n3.5,4,5.5,7\n"
	for text, want := range map[string][]string{
		"a,b,c,d\n" + body:                      {"a", "b", "c", "d"},
		body:                                    {"1", "2", "3", "4"},
		"before,,after,\nx,y,x,y\n" + body:      {"before x", "before y", "after x", "after y"},
		"day,length,,width\n,min,max,\n" + body: {"day", "length min", "length max", "width"},
		"day,length,,width\n,,,\n,min,max,\n" + body:      {"day", "length min", "length max", "width"},
		"2001,2002,2003,2004\n" + body:                    {"2001", "2002", "2003", "2004"},
		"900,800,700,600\n" + body:                        {"900", "800", "700", "600"},
		"a,,c,\n" + body:                                  {"a", "2", "c", "4"},
		"x,x,x,x\n" + body:                                {"x", "x", "x", "x"},
		"\"a\",\"b, or c\",\"d\"\"e\"\"\",\"f\"\n" + body: {"a", "b, or c", `d"e"`, "f"},
	} {
		table := tableOf(t, text)
		if !slices.Equal(table.Names(), want) || table.Rows() != 3 || table.Text(0, 0) != "1.5" || table.Text(2, 3) != "7" {
			t.Errorf("%q: %q\n%v", text, table.Names(), table)
		}
	}
	// A column with values has a name even if its part of the header is empty.
	if table := tableOf(t, "a,b,,\n1,2,,\n3,4,,5\n6,7,,\n"); !slices.Equal(table.Names(), []string{"a", "b", "3", "4"}) || table.Text(1, 3) != "5" {
		t.Errorf("%v", table)
	}
	// R writes no name for the column of row names.
	table := tableOf(t, "mpg\tcyl\nFiat 128\t32.4\t4\nLotus\t30.4\t4\nVolvo\t21.4\t6\n")
	if !slices.Equal(table.Names(), []string{"1", "mpg", "cyl"}) || table.Text(1, 0) != "Lotus" {
		t.Errorf("%v", table)
	}
	// Options take precedence.
	names := func(options ...TableOption) []string { return tableOf(t, "a,b\n1,2\n3,4\n", options...).Names() }
	if got := names(NoHeader()); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("no header: %q", got)
	}
	if got := names(Header(2)); !slices.Equal(got, []string{"a 1", "b 2"}) {
		t.Errorf("two rows: %q", got)
	}
	if got := names(Skip(1), Header(1)); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("one row skipped: %q", got)
	}
	table = tableOf(t, "a,b\n1,2\n3,4\n5,6\n", Transpose())
	if !slices.EqualFunc(cells(table), [][]string{{"a", "1", "3", "5"}, {"b", "2", "4", "6"}}, slices.Equal) {
		t.Errorf("turned: %v", table)
	}
	if table := tableOf(t, "a;b\n1,5;2\n", Separator(',')); len(table.Names()) != 2 || table.Text(0, 1) != "5;2" {
		t.Errorf("separator: %v", table)
	}
	for name, options := range map[string][]TableOption{
		"Header(-1)": {Header(-1)}, "Skip(-1)": {Skip(-1)}, "Quote('é')": {Quote('é')}, "Decimal('x')": {Decimal('x')}, `Encoding("EBCDIC")`: {Encoding("EBCDIC")},
		`Column("a").As("colour")`: {Column("a").As("colour")}, `the table has no column "z"`: {Column("z").As(Text)},
	} {
		if _, err := readTable(strings.NewReader("a,b\n1,2\n"), -1, "t.csv", options...); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Broken or short rows, and rows full of quotes.
func TestTableTorn(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,address,price\n")
	for i := range 30 {
		switch i {
		case 7:
			fmt.Fprintf(&text, "k%d,High Street 5, Leeds,%d.50\n", i, i) // a separator without quotes
		case 11:
			fmt.Fprintf(&text, "k%d,Mill Lane\n", i)
		case 13:
			fmt.Fprintf(&text, "k%d,\"The \"\"Old\"\" Mill, York\",%d.50\n", i, i)
		case 17:
			fmt.Fprintf(&text, "k%d,\"The \"New\" Mill\",%d.50\n", i, i) // quotes that are not doubled
		case 19:
			fmt.Fprintf(&text, "k%d,\"two\nlines\",%d.50\n", i, i)
		case 23:
			fmt.Fprintf(&text, "k%d,\"Mill Lane,%d.50\n", i, i) // an unclosed quote
		default:
			fmt.Fprintf(&text, "k%d,Mill Lane %d,%d.50\n", i, i, i)
		}
	}
	table := tableOf(t, text.String())
	for row, want := range map[int]string{7: "High Street 5, Leeds", 13: `The "Old" Mill, York`, 17: `The "New" Mill`, 19: "two\nlines", 24: "Mill Lane 24"} {
		if got := table.Text(row, 1); got != want {
			t.Errorf("row %d is %q, want %q", row, got, want)
		}
	}
	if table.Rows() != 30 || table.Type(2) != Number || !table.Gap(11, 2) || table.Numbers(2)[7] != 7.5 {
		t.Errorf("%v", table)
	}
	notes := strings.Join(table.Notes(), "\n")
	for _, want := range []string{"(line 9), probably because of separators within a text", "shorter than the table (line 13)", "never closed", "not doubled"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q: %s", want, notes)
		}
	}
	if table := tableOf(t, "a,b\n\"x \\\"y\\\" z\",1\n\"u, \\\"v\\\"\",2\n"); table.Text(0, 0) != `x "y" z` || table.Text(1, 0) != `u, "v"` {
		t.Errorf("backslashes: %q", cells(table))
	}
}

// Two tables in one file: the first is read, and a note gives the position of the second.
func TestTableOfTwo(t *testing.T) {
	names, body := plain(8)
	names = append(names, "share")
	for i := range body {
		body[i] = append(body[i], fmt.Sprintf("0.%d", i))
	}
	text := written(",", slices.Concat([][]string{{"Table 1", "", "", ""}, names}, body)...) + ",,,\nTable 2,,,\ncode,price,stock,weight\n5,1.5,7,0.1\n6,2.5,8,0.2\n"
	table := tableOf(t, text)
	if !slices.EqualFunc(cells(table), body, slices.Equal) || !strings.Contains(table.String(), "2 tables") || !strings.Contains(table.String(), "line 13 (2 rows): read the second with Skip(12)") {
		t.Errorf("%v", table)
	}
	other := tableOf(t, text, Skip(12))
	if !slices.Equal(other.Names(), []string{"code", "price", "stock", "weight"}) || other.Rows() != 2 {
		t.Errorf("%v", other)
	}
}

// Numbers with units and thousands marks, amounts, percentages, dates, booleans and gaps have the
// right values.
func TestTableTypes(t *testing.T) {
	nan := math.NaN()
	for text, want := range map[string]struct {
		typ    ColumnType
		values []float64
	}{
		"1;2;-3;+4":                              {Integer, []float64{1, 2, -3, 4}},
		"1e3;.5;5.;-1.25E-2":                     {Number, []float64{1000, 0.5, 5, -0.0125}},
		"0.1;123456789012345678901;1e-320;4":     {Number, []float64{0.1, 123456789012345678901, 1e-320, 4}},
		"1,5;2,25;3":                             {Number, []float64{1.5, 2.25, 3}},
		"1.100,5;12,25;3.000.000":                {Number, []float64{1100.5, 12.25, 3e6}},
		"1,100,000;2,000;7":                      {Integer, []float64{1100000, 2000, 7}},
		"1,100.5;2,000.25;7":                     {Number, []float64{1100.5, 2000.25, 7}},
		"1 100;2 000 000;7":                      {Integer, []float64{1100, 2e6, 7}},
		"1\u00a0100,5;2\u202f000,5":              {Number, []float64{1100.5, 2000.5}},
		"1'100.5;7.25":                           {Number, []float64{1100.5, 7.25}},
		"£1,100.50;-£5;(£7.25)":                  {Number, []float64{1100.5, -5, -7.25}},
		"5 %;7.5 %":                              {Number, []float64{5, 7.5}},
		"−5;3":                                   {Integer, []float64{-5, 3}},
		"yes;No;YES":                             {Boolean, []float64{1, 0, 1}},
		"True;False;True":                        {Boolean, []float64{1, 0, 1}},
		"2024-02-29;1970-01-01;1969-12-31":       {Date, []float64{19782, 0, -1}},
		"31.12.2023;1.1.1970":                    {Date, []float64{19722, 0}},
		"31/12/2023;1/2/1970":                    {Date, []float64{19722, 31}},
		"12/31/2023;1/2/1970":                    {Date, []float64{19722, 1}},
		"3-Mar-2014;Oct-14":                      {Date, []float64{16132, 16344}},
		"3. März 2014;3. Mar 2014":               {Date, []float64{16132, 16132}},
		"March 3, 2014;October 1 2014":           {Date, []float64{16132, 16344}},
		"20140303;20141001":                      {Integer, []float64{20140303, 20141001}},
		"1970-01-02T06:00:00Z;1970-01-01 12:00":  {Date, []float64{1.25, 0.5}},
		"1970-01-01 12:00:00+02:00;1970-01-01":   {Date, []float64{10.0 / 24, 0}},
		"1/1/1970 6:00 PM;1/1/1970 12:00 AM":     {Date, []float64{0.75, 0}},
		"00.00.00;18.00.00":                      {Date, []float64{0, 0.75}},
		"06.00.00;12.10.11":                      {Date, []float64{0.25, (12*3600 + 10*60 + 11) / 86400.0}},
		"11.10.23;28.10.23":                      {Date, []float64{19641, 19658}},
		"01.02.70;05.02.70":                      {Date, []float64{31, 35}},
		"1.2.70;05.2.70":                         {Date, []float64{31, 35}},
		"1;#N/A;None;<NA>;.;n.d.;\\N;#DIV/0!;--": {Integer, []float64{1, nan, nan, nan, nan, nan, nan, nan, nan}},
		"1;missing;NaN;?;-;n/a;NULL;#REF!":       {Integer, []float64{1, nan, nan, nan, nan, nan, nan, nan}},
		"0x10;0x11":                              {Identifier, nil},
		"1e999;2e999":                            {Category, nil},
		"31/02/2023;30/02/2023;a":                {Identifier, nil},
		"1,10,0;2":                               {Category, nil},
	} {
		table := tableOf(t, "v\n"+strings.ReplaceAll(text, ";", "\n")+"\n", Header(1), Separator('\t'))
		got := table.Numbers(0)
		same := len(got) == len(want.values)
		for k := range want.values {
			same = same && (math.Abs(got[k]-want.values[k]) <= 1e-12*math.Abs(want.values[k]) || want.values[k] != want.values[k] && got[k] != got[k])
		}
		if !same || (table.Type(0) == Text || table.Type(0) == Category || table.Type(0) == Identifier) != (want.values == nil) || want.values != nil && table.Type(0) != want.typ {
			t.Errorf("%q: %s %v, want %s %v", text, table.Type(0), got, want.typ, want.values)
		}
	}
	table := tableOf(t, "id,when,kind,x,text\nA1,2024-01-01,b,1,one two three four five\nA2,2024-01-02,a,-999,one two three four six\nA3,,b,2,none of these is equal to\nA4,2024-01-04,a,-999,what stands in the next\nA5,2024-01-05,b,3,and so on until the end\n")
	if !slices.Equal(table.Categories(2), []string{"a", "b"}) || table.Times(1)[1].Format("2006-01-02") != "2024-01-02" || !table.Times(1)[2].IsZero() {
		t.Errorf("%v", table)
	}
	for j, want := range []ColumnType{Identifier, Date, Category, Integer, Text} {
		if table.Type(j) != want {
			t.Errorf("column %d is %s, want %s", j, table.Type(j), want)
		}
	}
	if !strings.Contains(table.String(), `Gaps("-999")`) {
		t.Errorf("no note of -999:\n%v", table)
	}
	table = tableOf(t, "x\n1\n-999\n2\n", Gaps("-999"), Column("x").As(Number))
	if got := table.Numbers(0); got[0] != 1 || !math.IsNaN(got[1]) || table.Text(1, 0) != "-999" || !table.Gap(1, 0) {
		t.Errorf("%v", got)
	}
	if table = tableOf(t, "y,x\n2001,1\n2002,2\n2001,3\n", Column("y").As(Category)); table.Type(0) != Category || table.Numbers(0) != nil {
		t.Errorf("%v", table)
	}
	if table = tableOf(t, "zip,x\n01067,1\n53113,2\n80331,4\n"); !strings.Contains(table.String(), `Column("zip").As(Category)`) {
		t.Errorf("no note of codes:\n%v", table)
	}
	// Outside the table the text is empty.
	if table.Text(-1, 0) != "" || table.Text(0, 9) != "" || table.Text(99, 0) != "" || table.Type(7) != "" || !table.Gap(9, 9) || table.Numbers(-1) != nil || table.Unit(5) != "" {
		t.Error("cells outside of the table")
	}
}

// Tables like those of users are read with the right values.
func TestTableCases(t *testing.T) {
	read := func(text string, opt CSV) *data.Data {
		t.Helper()
		d, err := ReadCSV(write(t, "case.csv", []byte(text)), opt)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return d
	}
	values := func(d *data.Data, want ...float64) {
		t.Helper()
		if !slices.Equal(d.X.RawMatrix().Data, want) {
			t.Errorf("%v, want %v", d.X.RawMatrix().Data, want)
		}
	}
	// An empty first cell is a gap, not a header.
	values(read("1,,30\n,2,31\n3,5,32\n4,5,33\n", CSV{Missing: Mean}), 1, 4, 30, 8.0/3, 2, 31, 3, 5, 32, 4, 5, 33)
	// Empty cells between tabs keep their column.
	values(read("a\tb\tc\n1\t2\t3\n4\t\t6\n7\t8\t9\n", CSV{Comma: '\t', Missing: Mean}), 1, 2, 3, 4, 5, 6, 7, 8, 9)
	// The corner cell of a table of counts is empty.
	d := read("\tg1\tg2\ncell1\t1\t0\ncell2\t0\t3\ncell3\t2\t2\n", CSV{Comma: '\t', Attributes: []string{"1"}})
	values(d, 1, 0, 0, 3, 2, 2)
	if !slices.Equal(d.Attribute("1"), []string{"cell1", "cell2", "cell3"}) || !slices.Equal(d.FeatureNames, []string{"g1", "g2"}) {
		t.Errorf("attributes %v, features %q", d.Attributes, d.FeatureNames)
	}
	// Wavelengths form a header, with a class, a date or nothing before them.
	for _, first := range []string{"class,", "date,", ""} {
		var b strings.Builder
		b.WriteString(first + "400,402,404\n")
		for i := range 9 {
			if first != "" {
				b.WriteString(string(rune('a'+i%3)) + ",")
			}
			fmt.Fprintf(&b, "%.3f,%.3f,%.3f\n", math.Sin(float64(i)), math.Cos(float64(i)), math.Sin(float64(3*i)))
		}
		opt := CSV{}
		if first != "" {
			opt.LabelColumn = 1
		}
		if d := read(b.String(), opt); d.Len() != 9 || !slices.Equal(d.FeatureNames, []string{"400", "402", "404"}) || first != "" && len(d.ClassNames) != 3 {
			t.Errorf("%q: %v, features %q, classes %q", first, d, d.FeatureNames, d.ClassNames)
		}
	}
	// An unnamed column of row numbers is not a feature.
	d = read(",a,b\n0,1.5,2\n1,2.5,7\n2,0.5,3\n3,1,9\n", CSV{})
	if values(d, 1.5, 2, 2.5, 7, 0.5, 3, 1, 9); len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "contains row numbers and was dropped; list it in CSV.Keep") {
		t.Errorf("notes %q", d.Notes)
	}
	if d := read(",a\n0,1.5\n1,2.5\n2,0.5\n", CSV{Keep: []string{"1", "a"}}); d.Dim() != 2 {
		t.Errorf("kept: %v", d)
	}
	// Markers of gaps.
	for _, marker := range []string{"#N/A", "None", "<NA>", ".", "n.d.", `\N`, "#DIV/0!", "missing", "--"} {
		values(read("a,b\n0,1\n1,3\n2,"+marker+"\n5,5\n", CSV{Missing: Mean}), 0, 1, 1, 3, 2, 3, 5, 5)
	}
	// Separators at the ends of lines; earlier advice still works.
	for _, opt := range []CSV{{Attributes: []string{"Date"}}, {Comma: ';', Decimal: ',', Attributes: []string{"Date"}, Drop: []string{"", ""}}} {
		d := read("Date;CO(GT);T;;\n10/03/2004;2,0;13,0;;\n11/03/2004;2,1;13,5;;\n", opt)
		if values(d, 2, 13, 2.1, 13.5); !slices.Equal(d.FeatureNames, []string{"CO(GT)", "T"}) {
			t.Errorf("features %q", d.FeatureNames)
		}
	}
	// Decimal commas in quotes between commas.
	for _, opt := range []CSV{{}, {Decimal: ','}} {
		values(read("\"a\",\"b\"\n\"0,5\",\"0,25\"\n\"1,5\",\"1,25\"\n", opt), 0.5, 0.25, 1.5, 1.25)
	}
	// A quoted header with semicolons.
	d = read("\"fixed acidity\";\"quality\"\n7.0;5\n7.5;6\n7.9;5\n", CSV{Label: "quality"})
	if values(d, 7, 7.5, 7.9); !slices.Equal(d.Labels, []int{5, 6, 5}) {
		t.Errorf("labels %v", d.Labels)
	}
	// Comments above the header.
	d = read("# made by tool\n# units: mm\na,b\n0,1\n3,5\n", CSV{})
	if values(d, 0, 1, 3, 5); !slices.Equal(d.Notes, []string{"2 comment lines skipped, the first on line 1"}) {
		t.Errorf("notes %q", d.Notes)
	}
	// Thousands.
	values(read("city,pop\nc0,\"1,100,000\"\nc1,\"2,101,000\"\n", CSV{Attributes: []string{"city"}}), 1.1e6, 2.101e6)
	// Genes in rows.
	d = read("gene,cell0,cell1,cell2\nG0,2,0,1\nG1,5,7,3\n", CSV{Columns: true, Attributes: []string{"gene"}})
	values(d, 2, 5, 0, 7, 1, 3)
	if !slices.Equal(d.FeatureNames, []string{"G0", "G1"}) || !slices.Equal(d.Attribute("gene"), []string{"cell0", "cell1", "cell2"}) {
		t.Errorf("features %q, attributes %v", d.FeatureNames, d.Attributes)
	}
	// A note reports a measurement used as a class.
	var b strings.Builder
	b.WriteString("a,y\n")
	for i := range 40 {
		fmt.Fprintf(&b, "%d,%.3f\n", i%7, math.Sin(float64(i)))
	}
	if d := read(b.String(), CSV{Label: "y"}); len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "40 different numbers in 40 samples and looks like a measurement") || !strings.Contains(d.Notes[0], `Target("y")`) {
		t.Errorf("notes %q", d.Notes)
	}
	// True and false are numbers; the error for a category names a way to use it.
	values(read("x,on\n1,True\n2,False\n", CSV{}), 1, 1, 2, 0)
	if _, err := ReadCSV(write(t, "mixed.csv", []byte("x,city\n1,Bonn\n2,Ulm\n3,Bonn\n")), CSV{}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), `"city" (line 2: "Bonn")`) || !strings.Contains(err.Error(), "datasets.ReadTable") {
		t.Errorf("got %v", err)
	}
}

// Files that are not tables give an error with their real format.
func TestTableForeign(t *testing.T) {
	dir := t.TempDir()
	csv := "a,b\n1,2\n"
	for content, want := range map[string]string{
		"PK\x03\x04....xl/workbook.xml": "excel.ReadTable(", "PK\x03\x04....X.npy": "datasets.ReadNPZ", "PK\x03\x04....": "ZIP", "PAR1....": "Parquet", "ARROW1": "to_parquet(", "\xff\xff\xff\xff\x10": "stream of Apache Arrow",
		"\x89HDF\r\n\x1a\n": "scipy.io.mmwrite", "\x93NUMPY\x01": "datasets.ReadNPY", "MATLAB 5.0 MAT-file": "datasets.ReadMAT", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "old Excel",
		"\x80\x04\x95\x10": "pickle", "\x28\xb5\x2f\xfd": "zstd.ReadTable(", "BZh91AY": "bunzip2", "%PDF-1.4": "PDF", "\x89PNG\r\n\x1a\n": "datasets.ReadImages", "\xff\xd8\xff\xe0": "JPEG",
		"<!DOCTYPE html>\n<html>": "web page", "\n <HTML><body>": "web page", "<?xml version=\"1.0\"?>": "XML", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n": "git lfs pull",
		"SQLite format 3\x00": "sqlite3 -header", "a,b\n1,\x00\x01\x02": "binary", "\x01\x02\x00\x00\x07": "binary", strings.Repeat("\x00", 257) + "ustar": "tar xf",
	} {
		path := filepath.Join(dir, "x")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadTable(path)
		_, also := ReadCSV(path, CSV{})
		for _, err := range []error{err, also} {
			if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), want) {
				t.Errorf("%.12q: %v lacks %q", content, err, want)
			}
		}
	}
	if _, err := ReadTable(dir); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := ReadTable(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	for _, content := range []string{"", "\n\n", ",,\n,,\n", mark, "a,b\n", "\x1f\x8b\x08"} {
		if _, err := ReadTable(write(t, "x", []byte(content))); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v", content, err)
		}
	}
	// A file above the limit is not read at all, and a compressed one only up to the limit.
	limited(t, 1<<20)
	long := write(t, "long", bytes.Repeat([]byte{'7'}, 3<<20))
	if _, err := ReadTable(long); !errors.Is(err, data.ErrTooLarge) || !strings.Contains(err.Error(), "first line is longer than 65536 bytes") {
		t.Errorf("one line: %v", err)
	}
	packed := write(t, "packed.gz", zippedIDX(t, []byte(strings.Repeat(csv, 1<<20))))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ReadTable(packed)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, data.ErrTooLarge) || took > 12<<20 {
		t.Errorf("%d bytes for %v", took, err)
	}
}

// Single-byte encodings.
func TestTableEncoding(t *testing.T) {
	table := tableOf(t, "Stra\xdfe;Gr\xf6\xdfe\nM\xfcnchen;1,5\n\x80uro;2,5\n")
	if !slices.Equal(table.Names(), []string{"Straße", "Größe"}) || table.Text(0, 0) != "München" || table.Text(1, 0) != "€uro" || !strings.Contains(table.String(), "Windows-1252") {
		t.Errorf("%v", table)
	}
	if table := tableOf(t, "a,b\nM\xc3\xbcnchen,2\n", Encoding("Windows-1252")); table.Text(0, 0) != "MÃ¼nchen" {
		t.Errorf("%v", table)
	}
}

// Formats other than separated text.
func TestTableFormats(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		names []string
		cells [][]string
		types []ColumnType
	}{
		"JSON lines": {"{\"a\": 1, \"b\": \"x, y\"}\n{\"b\": null, \"a\": 2.50, \"c\": {\"d\": true}}\n", []string{"a", "b", "c.d"}, [][]string{{"1", "x, y", ""}, {"2.50", "", "true"}}, []ColumnType{Number, "", Boolean}},
		"JSON array": {"[{\"a\":1,\"b\":[1,2]},\n {\"a\":2}]", []string{"a", "b"}, [][]string{{"1", "1, 2"}, {"2", ""}}, []ColumnType{Integer, ""}},
		"coordinate": {"%%MatrixMarket matrix coordinate real general\n% c\n2 3 2\n1 3 2.5\n2 1 -1\n", []string{"1", "2", "3"}, [][]string{{"0", "0", "2.5"}, {"-1", "0", "0"}}, nil},
		"symmetric":  {"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", []string{"1", "2"}, [][]string{{"0", "1"}, {"1", "0"}}, nil},
		"array":      {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", []string{"1", "2"}, [][]string{{"1", "3"}, {"2", "4"}}, nil},
		"libsvm":     {"+1 1:0.5 3:2\n-1 2:1 # c\n", []string{"label", "x1", "x2", "x3"}, [][]string{{"+1", "0.5", "0", "2"}, {"-1", "0", "1", "0"}}, nil},
		"ARFF": {"% c\n@RELATION r\n@attribute 'a b' NUMERIC\n@attribute k {x,'y z'}\n@attribute s string\n@data\n1.5,x,'it\\'s'\n?,'y z',t\n",
			[]string{"a b", "k", "s"}, [][]string{{"1.5", "x", "it's"}, {"?", "y z", "t"}}, []ColumnType{Number, Category, ""}},
		"sparse ARFF": {"@relation r\n@attribute a real\n@attribute k {x,y}\n@data\n{1 y}\n{0 2}\n", []string{"a", "k"}, [][]string{{"0", "y"}, {"2", "x"}}, []ColumnType{"", Category}},
		"GloVe":       {"the 0.1 -0.2 0.3 0.5\nof 0.4 0.5 -0.6 0.1\n\" 0.7 0.8 0.9 0.2\n, 0.1 0.1 0.2 0.3\n' 0.3 0.2 0.2 0.3\nand 0.1 0.7 0.2 0.3\n", []string{"1", "2", "3", "4", "5"}, [][]string{{"the", "0.1", "-0.2", "0.3", "0.5"}, {"of", "0.4", "0.5", "-0.6", "0.1"}, {"\"", "0.7", "0.8", "0.9", "0.2"}, {",", "0.1", "0.1", "0.2", "0.3"}, {"'", "0.3", "0.2", "0.2", "0.3"}, {"and", "0.1", "0.7", "0.2", "0.3"}}, nil},
		"word2vec":    {"3 4\nthe 0.1 -0.2 0.3 0.5\nof 0.4 0.5 -0.6 0.1\nand 0.1 0.7 0.2 0.3\n", []string{"1", "2", "3", "4", "5"}, [][]string{{"the", "0.1", "-0.2", "0.3", "0.5"}, {"of", "0.4", "0.5", "-0.6", "0.1"}, {"and", "0.1", "0.7", "0.2", "0.3"}}, nil},
	} {
		table := tableOf(t, c.text)
		if !slices.Equal(table.Names(), c.names) || !slices.EqualFunc(cells(table), c.cells, slices.Equal) {
			t.Errorf("%s: %q\n%v", name, cells(table), table)
		}
		for j, want := range c.types {
			if want != "" && table.Type(j) != want {
				t.Errorf("%s: column %d is %s, want %s", name, j, table.Type(j), want)
			}
		}
	}
	for name, text := range map[string]string{
		"JSON": "{\"a\":1}\n[2]\n", "cut JSON": "{\"a\":1}\n{\"a\":", "deep JSON": strings.Repeat(`{"a":`, 20) + "1", "size": "%%MatrixMarket matrix coordinate real general\n2 x\n", "entry": "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n",
		"cut": "%%MatrixMarket matrix array real general\n2 2\n1\n", "more": "%%MatrixMarket matrix array real general\n1 1\n1\n2\n", "libsvm": "1 1:2\n1 2:1 2:3\n", "ARFF": "@relation r\n@attribute a real\n@data\n1,2\n", "no data": "@relation r\n@attribute a real\n",
	} {
		if _, err := readTable(strings.NewReader(text), -1, "t", Header(1)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := readTable(strings.NewReader("%%MatrixMarket matrix coordinate real general\n900000000 900000000 1\n1 1 1\n"), -1, "t"); !errors.Is(err, data.ErrTooLarge) {
		t.Errorf("a huge matrix: %v", err)
	}
	if _, err := readTable(strings.NewReader("1 1:2 900000000:1\n1 1:1\n"), -1, "t"); !errors.Is(err, data.ErrTooLarge) {
		t.Errorf("a huge index: %v", err)
	}
}

// Rows become samples: features, classes, attributes, codes of categories, and gaps.
func TestTableData(t *testing.T) {
	const text = "id,age,smoker,city,seen,class\na,20,True,Bonn,2024-01-01,x\nb,21,False,Ulm,2024-01-02,z\nc,,True,Bonn,2024-01-03,x\nd,25,False,Bonn,2024-01-04,NA\n"
	table := tableOf(t, text)
	d, err := table.Data(Label("class"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.FeatureNames, []string{"age", "smoker", "city = Bonn", "city = Ulm", "seen"}) || !slices.Equal(d.Labels, []int{0, 1, 0, -1}) || !slices.Equal(d.ClassNames, []string{"x", "z"}) {
		t.Fatalf("features %q, labels %v of %q", d.FeatureNames, d.Labels, d.ClassNames)
	}
	if !slices.Equal(d.Attribute("city"), []string{"Bonn", "Ulm", "Bonn", "Bonn"}) || !slices.Equal(d.Attribute("age"), []string{"20", "21", "", "25"}) || !slices.Equal(d.Attribute("id"), []string{"a", "b", "c", "d"}) {
		t.Errorf("attributes %v", d.Attributes)
	}
	// Each number has variance 1, and so has the block of a category.
	variance := func(columns ...int) float64 {
		sum := 0.0
		for _, j := range columns {
			_, s := moments(d.X, j)
			sum += s * s
		}
		return sum
	}
	for _, columns := range [][]int{{0}, {1}, {2, 3}, {4}} {
		if v := variance(columns...); math.Abs(v-1) > 1e-12 {
			t.Errorf("features %v have variance %v", columns, v)
		}
	}
	notes := strings.Join(d.Notes, "\n")
	for _, want := range []string{`"id" (identifier) is an attribute`, "dates as days", "false is 0, true is 1", "categories as a block of 2 features", "1 gap filled with the column median", "standardised", `class "NA" are unlabelled`} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q:\n%s", want, notes)
		}
	}
	raw, err := table.Data(Features("age", "seen"), Fill(Mean), Without("city"))
	if err != nil || !slices.Equal(raw.X.RawMatrix().Data, []float64{20, 19723, 21, 19724, 22, 19725, 25, 19726}) || raw.Labels != nil {
		t.Errorf("%v, %v", raw, err)
	}
	target, err := table.Data(Target("age"), Without("city"))
	if err != nil || slices.Contains(target.FeatureNames, "age") || target.Attribute("age") == nil {
		t.Errorf("%v, %v", target, err)
	}
	for want, options := range map[string][]DataOption{
		`the table has no column "colour"`: {Label("colour")}, "is in Label and in Features": {Label("class"), Features("class")}, `Fill("zero")`: {Fill("zero")},
		"identifier with 4 different values": {Features("id")}, "no column can be a feature": {Without("age", "smoker", "city", "seen", "class")},
	} {
		if _, err := table.Data(options...); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
}

// The error for an unknown column lists 20 columns and counts the others.
func TestUnknownColumn(t *testing.T) {
	var names []string
	for j := range 30 {
		names = append(names, "c"+strconv.Itoa(j))
	}
	text := strings.Join(names, ",") + "\n" + strings.Repeat("1.5,", 29) + "1.5\n"
	_, find := tableOf(t, text).Find("d")
	_, drop := readCSV(strings.NewReader(text), "t", CSV{Drop: []string{"d"}})
	for _, err := range []error{find, drop} {
		if err == nil || !strings.HasSuffix(err.Error(), `"c19", 10 more`) {
			t.Errorf("got %v", err)
		}
	}
}

// The treatments of gaps, by hand.
func TestTableFill(t *testing.T) {
	table := tableOf(t, "a,b\n1,10\n2,20\n2,\n,40\n9,90\n")
	for fill, want := range map[Missing][]float64{
		Mean:         {1, 10, 2, 20, 2, 40, 3.5, 40, 9, 90},
		Median:       {1, 10, 2, 20, 2, 30, 2, 40, 9, 90},
		MostFrequent: {1, 10, 2, 20, 2, 10, 2, 40, 9, 90},
		Drop:         {1, 10, 2, 20, 9, 90},
		Indicator:    {1, 10, 0, 0, 2, 20, 0, 0, 2, 40, 0, 1, 3.5, 40, 1, 0, 9, 90, 0, 0},
		Nearest:      {1, 10, 2, 20, 2, 40, 4, 40, 9, 90}, // fewer than 5 share a feature
	} {
		d, err := table.Data(Fill(fill))
		if err != nil || !slices.Equal(d.X.RawMatrix().Data, want) {
			t.Errorf("%s: %v, %v, want %v", fill, d.X.RawMatrix().Data, err, want)
		}
	}
	// The five nearest of many.
	var b strings.Builder
	b.WriteString("a,b\n")
	for i := range 40 {
		fmt.Fprintf(&b, "%d,%d\n", i, 1000*i)
	}
	b.WriteString("20,\n")
	d, err := tableOf(t, b.String()).Data(Fill(Nearest))
	if err != nil || d.X.At(40, 1) != 20000 {
		t.Errorf("%v, %v", d.X.At(40, 1), err)
	}
	whole, err := tableOf(t, "a,b\n1,2\n3,400\n7,5\n").Data()
	if err != nil || !mat.Equal(whole.X, mat.NewDense(3, 2, []float64{1, 2, 3, 400, 7, 5})) || !strings.Contains(strings.Join(whole.Notes, " "), "Standardize()") || whole.Attributes != nil {
		t.Errorf("%v, %v, notes %q", whole, err, whole.Notes)
	}
}

// The formats in which the UCI repository publishes its best-known tables, with made-up values.
// Columns are given by the first letters of their types, integer and identifier in full.
func TestTableUCI(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		rows  int
		types string
	}{
		"iris":          {"5.5,3.5,1.5,Iris-a\n4.5,3.0,1.4,Iris-a\n7.1,3.2,4.7,Iris-b\n6.2,3.3,6.1,Iris-c\n\n", 4, "n n n c"},
		"wine":          {"1,14.2,1.7\n1,13.2,.94\n2,12.3,1.3\n3,12.8,2.3\n", 4, "integer n n"},
		"glass":         {"1,1.52,13.6,1\n2,1.51,13.8,1\n3,1.53,13.5,2\n4,1.52,13.7,2\n5,1.51,13.4,3\n", 5, "identifier n n integer"},
		"credit":        {"b,30.1,00202,+\na,58.2,00043,+\nb,?,?,-\na,27.8,00100,-\n", 4, "c n integer c"},
		"sonar":         {"0.02,0.03,R\n0.04,0.05,R\n0.02,0.06,M\n", 3, "n n c"},
		"adult":         {"39, State-gov, 77516, Male, <=50K\n50, Private, 83311, Male, <=50K\n38, ?, 215646, Male, >50K\n53, Private, 234721, Female, <=50K\n\n", 4, "integer c integer c c"},
		"auto-mpg":      {"18.0   8   307.0      ?      12.0   70\t\"brand one\"\n15.0   8   350.0      165.0      11.5   70\t\"brand two 320\"\n16.0   6   318.0      150.0      11.0   71\t\"brand three\"\n", 3, "n integer n n n integer identifier"},
		"housing":       {" 0.00632  18.00   0  0.53  6.57 396.90  24.00\n 0.02731   0.00   0  0.46  6.42 392.83  21.60\n 0.02729   0.00   1  0.46  7.18 394.63  34.70\n", 3, "n n integer n n n n"},
		"ecoli":         {"AA_EC   0.49  0.29   cp\nBBB_EC  0.07  0.40   cp\nCC_EC   0.56  0.41   im\n", 3, "identifier n n c"},
		"seeds":         {"15.2\t14.8\t0.87\t1\n14.8\t14.5\t0.88\t1\n13.7\t14.0\t0.86\t\t1\n14.1\t14.1\t\t0.89\t1\n16.6\t15.4\t0.85\t2\n", 5, "n n n integer"},
		"bank":          {"\"age\";\"job\";\"y\"\n58;\"clerk\";\"no\"\n44;\"cook\";\"yes\"\n33;\"clerk\";\"no\"\n", 3, "integer c b"},
		"student":       {"school;age;G3\n\"GP\";18;\"6\"\n\"GP\";17;\"6\"\n\"MS\";15;\"10\"\n", 3, "c integer integer"},
		"power":         {"Date;Time;Power\n16/12/2006;17:24:00;4.216\n17/12/2006;17:25:00;5.360\n18/12/2006;17:26:00;?\n", 3, "d d n"},
		"air quality":   {"Date;Time;CO(GT);RH;;\n10/03/2004;18.00.00;2,6;48,9;;\n10/03/2004;19.00.00;-200;47,7;;\n11/03/2004;20.00.00;2,2;54,0;;\n;;;;;\n", 3, "d d n n"},
		"breast cancer": {"1000025,5,1,2,1\n1002945,5,4,?,1\n1015425,3,1,7,2\n", 3, "integer integer integer integer integer"},
		"car":           {"vhigh,2,small,unacc\nvhigh,2,small,acc\nhigh,4,big,unacc\nmed,5more,big,acc\n", 4, "c c c c"},
		"mushroom":      {"p,x,s,t,p\ne,x,s,f,p\ne,b,s,t,l\np,x,y,t,p\ne,x,s,f,n\n", 5, "c c c b c"},
		"abalone":       {"M,0.455,0.365,15\nM,0.35,0.265,7\nF,0.53,0.42,9\nI,0.33,0.255,7\n", 4, "c n n integer"},
		"German credit": {"A11 6 A34 1169 1\nA12 48 A32 5951 2\nA14 12 A34 2096 1\nA11 42 A32 7882 1\n", 4, "c integer c integer integer"},
		"horse colic":   {"2 1 38.50 66 ? 00000 2 \n1 1 39.2 88 ? 02208 2 \n2 1 38.30 40 1 00000 1 \n", 3, "integer integer n integer integer integer integer"},
		"heart disease": {"63.0,1.0,145.0,0\n67.0,1.0,?,2\n37.0,0.0,130.0,0\n", 3, "n n n integer"},
		"letters":       {"T,2,8,3\nI,5,12,3\nD,4,11,6\nT,7,11,6\n", 4, "c integer integer integer"},
	} {
		table := tableOf(t, c.text)
		var types []string
		for j := range table.Names() {
			typ := string(table.Type(j))
			if typ != string(Integer) && typ != string(Identifier) {
				typ = typ[:1]
			}
			types = append(types, typ)
		}
		if got := strings.Join(types, " "); table.Rows() != c.rows || got != c.types {
			t.Errorf("%s: %d rows of %s, want %d of %s\n%v", name, table.Rows(), got, c.rows, c.types, table)
		}
	}
}

// A boolean column may be named y, n, t or f.
func TestTableNamesOfBooleans(t *testing.T) {
	for text, names := range map[string][]string{
		"x,y\n1.5,yes\n2.5,no\n3.5,yes\n":      {"x", "y"},
		"x,y\n1.5,t\n2.5,f\n3.5,t\n":           {"x", "y"},
		"x,y\n1.5,n\n2.5,y\n3.5,n\n":           {"x", "y"},
		"t,f\nyes,true\nno,false\nyes,true\n":  {"t", "f"},
		"a,y,n\na,n,y\nb,y,y\nb,n,n\n":         {"1", "2", "3"},
		"1.5,y\n2.5,n\n3.5,n\n":                {"1", "2"},
		"y,n\ny,y\nn,n\nn,y\n":                 {"1", "2"},
		"true,no\nfalse,yes\nfalse,yes\n":      {"1", "2"},
		"1.5,t,a\n2.5,f,b\n3.5,f,a\n1.5,f,b\n": {"1", "2", "3"},
	} {
		if table := tableOf(t, text); !slices.Equal(table.Names(), names) {
			t.Errorf("%q: names %q, want %q\n%v", text, table.Names(), names, table)
		}
	}
}

// Signs are values if they have a meaning, and - is a gap if it has none.
func TestTableSigns(t *testing.T) {
	for cells, want := range map[string][]string{
		"+ - + -":       {"+", "-"},
		"- ++ +++ - +":  {"+", "++", "+++", "-"},
		"± - + ± - ?":   {"+", "-", "±"},
		"a - a - b a b": {"a", "b"},
		"- - - -":       nil,
		"+ + +":         {"+"},
		"yes - no yes":  nil, // booleans
	} {
		lines := strings.Fields(cells)
		table := tableOf(t, "x,y\n1.5,"+strings.Join(lines, "\n2.5,")+"\n")
		got := slices.Sorted(slices.Values(table.Categories(1)))
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q\n%v", cells, got, want, table)
		}
		signs := slices.Contains(want, "-")
		for i, cell := range lines {
			if gap := cell == "?" || cell == "-" && !signs; table.Gap(i, 1) != gap {
				t.Errorf("%s: row %d is a gap: %v", cells, i, !gap)
			}
		}
	}
	table := tableOf(t, "x,y\n1.5,+\n2.5,-\n1.2,+\n0.5,-\n3.5,\n")
	d, err := table.Data(Label("y"))
	if err != nil || !slices.Equal(d.Labels, []int{0, 1, 0, 1, data.Unlabelled}) || !slices.Equal(d.ClassNames, []string{"+", "-"}) {
		t.Errorf("%v %q, %v", d.Labels, d.ClassNames, err)
	}
	if table := tableOf(t, "x,y\n1.5,+\n2.5,-\n", Gaps("-")); !table.Gap(1, 1) {
		t.Errorf("%v", table)
	}
}

// A constant that marks gaps in several columns has one note for the columns where it is an outlier
// and one for the others.
func TestTableMarkers(t *testing.T) {
	table := tableOf(t, "a,b,c,d,e,f\n1.5,2,3,5,7,-300\n2.5,1,4,6,900,-200\n-200,-200,-200,-200,-200,-200\n-200,-200,-200,-200,-200,5\n1.7,1,3,5,20,9\n")
	want := []string{
		`columns "a", "b", "c" and 1 more: -200 is far from all other values; if it marks gaps, read with Gaps("-200")`,
		`column "e": -200 is the only negative value, and stands out in other columns; if it marks gaps, read with Gaps("-200")`,
	}
	if got := table.Notes(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	d, err := tableOf(t, "a,b,c\n1.5,2,x\n2.5,1,y\n-200,-200,x\n-200,-200,y\n").Data(Without("b"))
	if err != nil || len(d.Notes) == 0 || !strings.HasPrefix(d.Notes[0], `column "a": -200`) {
		t.Errorf("%q, %v", d.Notes, err)
	}
}

// The first column of a table without names may have the names of its rows.
func TestTableFirstColumn(t *testing.T) {
	counted, coded, measured := "", "", ""
	for i := range 30 {
		counted += fmt.Sprintf("%d,%d.5,%d\n", i, i%7, i%3)
		coded += fmt.Sprintf("%d,%d.5,%d\n", 1000+i*i*7919%9973, i%7, i%3)
		measured += fmt.Sprintf("%d,%d.5,%d\n", 20+i%9, i%7, i%3)
	}
	for _, c := range []struct {
		text string
		typ  ColumnType
		note string
	}{
		{counted, Identifier, "counts the rows"},
		{coded, Integer, "30 different whole numbers in 30 rows; if they only name the rows, leave the column out with Data(Without(\"1\"))"},
		{measured, Integer, ""},
	} {
		table := tableOf(t, c.text)
		if notes := strings.Join(table.Notes(), "\n"); table.Type(0) != c.typ || !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s, notes %q, want %s and %q", table.Type(0), notes, c.typ, c.note)
		}
	}
	d, err := tableOf(t, counted).Data()
	if _, width := d.X.Dims(); err != nil || width != 2 {
		t.Errorf("%d features, %v", width, err)
	}
	d, err = tableOf(t, counted, Column("1").As(Number)).Data()
	if _, width := d.X.Dims(); err != nil || width != 3 {
		t.Errorf("%d features, %v", width, err)
	}
	// In a series with two columns the time is a feature.
	if series := tableOf(t, "0,1.5\n1,2.5\n2,1.5\n3,0.5\n4,3\n5,4\n"); series.Type(0) != Integer {
		t.Errorf("%v", series)
	}
}

// The name of a table keeps the dots of its file's name.
func TestTableName(t *testing.T) {
	for file, want := range map[string]string{
		"mine.csv": "mine", "/tmp/v1.2.csv.gz": "v1.2", "processed.cleveland.data": "processed.cleveland", `C:\t\a.b.tsv`: "a.b", ".csv": ".csv", "plain": "plain",
	} {
		if got := baseName(file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

// Laboratory remarks among numbers are gaps, with a note; in ReadCSV they are an error.
func TestTableWordsAmongNumbers(t *testing.T) {
	text := "x\n" + strings.Repeat("1.5\n2.5\n", 20) + "below limit\nbelow limit\n"
	table := tableOf(t, text)
	if table.Type(0) != Number || !table.Gap(40, 0) || table.Text(40, 0) != "below limit" || !strings.Contains(table.String(), `2 cells are not of the type number, such as "below limit", read as gaps; override with Column("x").As(Text)`) {
		t.Errorf("%v", table)
	}
	if table := tableOf(t, text, Column("x").As(Text)); table.Type(0) != Text || table.Gap(40, 0) {
		t.Errorf("%v", table)
	}
	if _, err := readCSV(strings.NewReader(text), "x.csv", CSV{Missing: Mean}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), `"x" (line 42: "below limit")`) {
		t.Errorf("got %v", err)
	}
	if blank := tableOf(t, strings.Repeat(",,,\n", 80000)+"a,b,c,d\n1,2,3,4\n"); blank.Rows() != 1 || !slices.Equal(blank.Names(), []string{"a", "b", "c", "d"}) {
		t.Errorf("%v", blank)
	}
}

// A table is read the same way with one goroutine and with several.
func TestTableParallel(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b,c,d\n")
	for i := range 20000 {
		fmt.Fprintf(&b, "%d,%.3f,k%d,2024-01-%02d\n", i*7%1000, math.Sin(float64(i)), i%7, 1+i%28)
	}
	one, many := "", ""
	for workers, to := range map[int]*string{1: &one, 4: &many} {
		before := runtime.GOMAXPROCS(workers)
		*to = tableOf(t, b.String()).String()
		runtime.GOMAXPROCS(before)
	}
	if one != many || !strings.Contains(one, "20000 rows × 4 columns") {
		t.Errorf("%s\n%s", one, many)
	}
}

// Attributes have "" where the table has a gap, however the file marks it, so that code that parses
// them as numbers, dates or texts finds no invalid value.
func TestGapsOfAttributes(t *testing.T) {
	t.Parallel()
	const text = "kind,mass,sex,seen,code\na,1.5,f,2024-01-01,7\nb,NA,?,n/a,-9\na,2.5,m,2024-01-03,8\nb,3.5,f,2024-01-04,-9\na,4.5,m,2024-01-05,9\n"
	table, err := readTable(strings.NewReader(text), -1, "gaps.csv", Gaps("-9"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := table.Data(Label("kind"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"mass": "1.5||2.5|3.5|4.5", "sex": "f||m|f|m", "seen": "2024-01-01||2024-01-03|2024-01-04|2024-01-05", "code": "7||8||9"} {
		k := slices.IndexFunc(d.Attributes, func(a data.Attribute) bool { return a.Name == name })
		if k < 0 || strings.Join(d.Attributes[k].Values, "|") != want {
			t.Errorf("%s is not %q in %+v", name, want, d.Attributes)
		}
	}
}

// Attributes have a portable form: numbers without national marks, and dates beginning with the
// year, in every column used as a category.
func TestAttributesOfOtherCountries(t *testing.T) {
	text := "name;yield;share;day;time;code\n"
	for i, kind := range []string{"leek", "kale", "leek", "kale", "leek"} {
		text += fmt.Sprintf("%s;2.68%d,5;0,2%d;%02d.10.23;06.%02d.00;%d\n", kind, i, i, 27+i, 10*i, i)
	}
	d, err := tableOf(t, text).Data(Features("name", "yield", "share", "day"), Attributes("time", "code"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, a := range d.Attributes {
		got[a.Name] = a.Values[1]
	}
	want := map[string]string{"name": "kale", "yield": "2681.5", "share": "0.21", "day": "2023-10-28", "time": "06:10:00", "code": "1"}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Whole numbers that may be mere row numbers are features with a note. If they repeat, or the name
// does not suggest it, there is no note.
func TestNumberings(t *testing.T) {
	text := "Transaction number,atoms,batch no\n"
	for i := range 40 {
		text += fmt.Sprintf("%d,%d,%d\n", 5000+37*i, 7*i%41, i%3)
	}
	var notes []string
	for _, n := range tableOf(t, text).Notes() {
		if strings.Contains(n, "leave the column out") {
			notes = append(notes, n)
		}
	}
	if len(notes) != 1 || !strings.Contains(notes[0], `Data(Without("Transaction number"))`) {
		t.Errorf("notes %q", notes)
	}
}

// As(Date) reads dates that otherwise look like numbers.
func TestDatesOfDigits(t *testing.T) {
	table := tableOf(t, "day,x\n20140303,1\n20141001,2\n20141301,3\n", Column("day").As(Date))
	times := table.Times(0)
	if !times[0].Equal(time.Date(2014, 3, 3, 0, 0, 0, 0, time.UTC)) || !times[1].Equal(time.Date(2014, 10, 1, 0, 0, 0, 0, time.UTC)) || !times[2].IsZero() {
		t.Errorf("%v", times)
	}
}

// The decimal mark of one column does not change others. If an option for all columns overrides a
// detected mark, a note names each such column.
func TestDecimalOfColumns(t *testing.T) {
	const ambiguous = "a;b;c;k\n1,484;1.377;0.885;v\n2,828;4.163;0.247;u\n1,968;5.434;0.563;v\n2,350;6.890;0.049;u\n"
	const sales = "units,revenue,cost\n\"1,067\",\"13,337.50\",\n\"2,127\",\"26,587.50\",15101.7\n\"3,236\",\"40,450.00\",22975.6\n"
	for _, c := range []struct {
		text    string
		options []TableOption
		want    [][]float64 // first values of each column of numbers
		named   []string    // columns in the note on the option Decimal
	}{
		{ambiguous, nil, [][]float64{{1484}, {1.377}, {0.885}}, nil},
		{ambiguous, []TableOption{Column("a").Decimal(',')}, [][]float64{{1.484}, {1.377}, {0.885}}, nil},
		{ambiguous, []TableOption{Decimal(',')}, [][]float64{{1.484}, {1377}, nil}, []string{`"a"`, `"b"`, `"c"`}},
		{ambiguous, []TableOption{Decimal(','), Column("b").Decimal('.'), Column("c").Decimal('.')}, [][]float64{{1.484}, {1.377}, {0.885}}, []string{`"a"`}},
		{sales, []TableOption{Column("1").Decimal(',')}, [][]float64{{1.067}, {13337.5}, {math.NaN(), 15101.7}}, nil},
		{sales, []TableOption{Decimal(',')}, [][]float64{{1.067}, nil, nil}, []string{`"units"`, `"revenue"`, `"cost"`}},
		{"a;b\n1,5;2\n2,25;3\n", []TableOption{Decimal('.')}, [][]float64{nil, {2}}, []string{`"a"`}},
		{"a;b\n1,5;2\n2,25;3\n", []TableOption{Decimal(',')}, [][]float64{{1.5}, {2}}, nil},
	} {
		table := tableOf(t, c.text, c.options...)
		for j, want := range c.want {
			got := table.Numbers(j)
			ok := len(got) >= len(want) && (want == nil) == (got == nil)
			for i := range want {
				ok = ok && (got[i] == want[i] || got[i] != got[i] && want[i] != want[i])
			}
			if !ok && !(want == nil && slices.ContainsFunc(table.Notes(), func(n string) bool {
				return strings.Contains(n, "was detected") && strings.Contains(n, table.quoted(j))
			})) {
				t.Errorf("column %d is %v instead of %v\n%v", j, got, want, table)
			}
		}
		note := ""
		for _, n := range table.Notes() {
			if strings.Contains(n, "was detected") {
				note += n
			}
			if strings.Contains(n, "thousands sep") && strings.HasPrefix(n, `column "b"`) && c.text[0] == 'a' {
				t.Errorf("a false note: %s", n)
			}
		}
		for _, name := range c.named {
			if !strings.Contains(note, name) {
				t.Errorf("no note on %s\n%v", name, table)
			}
		}
		if c.named == nil && note != "" {
			t.Errorf("a note too many: %s", note)
		}
	}
}

// Notes on marks in numbers are true.
func TestNotesOfMarks(t *testing.T) {
	rows := func(cells ...string) string {
		text := "a;b\n"
		for i := range 24 {
			text += fmt.Sprintf("%s;%d\n", cells[i%len(cells)], i*i)
		}
		return text
	}
	for name, c := range map[string]struct {
		text    string
		options []TableOption
		note    string
	}{
		"brackets":                {rows("(34.4)", "2.5"), nil, "numbers in brackets are negative"},
		"a minus sign":            {rows("−3", "2"), nil, ""},
		"overflow":                {rows("3") + "1e400;4\n", nil, "not of the type number"},
		"points and commas":       {rows("1.5", "2,5"), nil, "so the column is not read as numbers"},
		"Decimal":                 {rows("1,5", "2,25"), []TableOption{Decimal('.')}, "that was detected"},
		"thousands":               {rows("1,234,567", "12"), nil, "thousands separators"},
		"spaces":                  {rows("1 234 567", "12"), nil, "thousands separators"},
		"per cent":                {rows("5%", "7%"), nil, "currency and percent signs are ignored"},
		"per cent and shares":     {rows("5%", "0.04"), nil, "different units in one column"},
		"currencies":              {rows("$5", "€6", "¥7"), nil, "different units in one column"},
		"a currency now and then": {rows("$5", "6"), nil, "currency and percent signs are ignored"},
		"per cent and 0":          {rows("5%", "0"), nil, "currency and percent signs are ignored"},
	} {
		notes := strings.Join(tableOf(t, c.text, c.options...).Notes(), "\n")
		if !strings.Contains(notes, c.note) || strings.Contains(notes, "thousands separators") && c.note != "thousands separators" {
			t.Errorf("%s: %q", name, notes)
		}
		if mixed := strings.Contains(notes, "different units"); mixed != (c.note == "different units in one column") {
			t.Errorf("%s: %q", name, notes)
		}
	}
}

// A note states the century of years with two digits.
func TestShortYears(t *testing.T) {
	for text, short := range map[string]bool{
		"1/13/40": true, "13.02.40": true, "3-Mar-14": true, "Mar-14": true, "1/13/40 10:30:00+0100": true,
		"1/13/1940": false, "2014-03-01": false, "3-Mar-2014": false, "12:30": false, "12:30:05.1234": false, "2014-03-01T10:00:00Z": false,
	} {
		table := tableOf(t, "d,x\n"+strings.Repeat(text+",1.5\n", 5))
		if table.Type(0) != Date {
			t.Errorf("%s is %s", text, table.Type(0))
		}
		if noted := strings.Contains(table.String(), "years of two digits are read as 1970 to 2069"); noted != short {
			t.Errorf("%s: %v", text, table.Notes())
		}
	}
	if table := tableOf(t, "d,x\n1/13/2024,1\n2/14/2024,2\n3/15/2024,3\n"); table.Type(0) != Date || table.Times(0)[1].Day() != 14 {
		t.Errorf("months of one digit before days of two: %v", table)
	}
	table := tableOf(t, "d,x\n"+strings.Repeat("18.30.00,1.5\n", 5))
	if strings.Contains(table.String(), "two digits") {
		t.Errorf("times: %v", table)
	}
}

// The printed ranges have all digits of whole numbers, and a line break in a name does not break the
// list.
func TestPrintedRanges(t *testing.T) {
	for cells, want := range map[[2]string]string{
		{"1000000000", "1000000001"}: "1000000000 to 1000000001", {"20240101", "20240131"}: "20240101 to 20240131", {"-110", "-0"}: "-110 to 0",
		{"1234567.25", "2.5"}: "2.5 to 1234567", {"0.0000001", "5.5"}: "1e-07 to 5.5", {"13337.5", "2.25"}: "2.25 to 13337.5", {"9007199254740990", "9007199254740992"}: "9007199254740990 to 9007199254740992",
		{"1e300", "2"}: "2 to 1e+300",
	} {
		if got := tableOf(t, "x,y\n"+cells[0]+",1\n"+cells[1]+",2\n"+cells[1]+",3\n").values(0); got != want {
			t.Errorf("%v: %q instead of %q", cells, got, want)
		}
	}
	table := tableOf(t, "\"a\nb\",c\n1,2\n3,4\n")
	if lines := strings.Split(table.String(), "\n"); !strings.Contains(lines[2], "a b") || len(lines) != 6 {
		t.Errorf("%v", table)
	}
}

// A class called unknown is noted.
func TestUnknownClasses(t *testing.T) {
	d, err := tableOf(t, "x,k\n1.5,a\n2.5,Unknown\n3.5,a\n4.5,b\n").Data(Label("k"))
	if err != nil || !slices.ContainsFunc(d.Notes, func(n string) bool { return strings.Contains(n, `read with Gaps("Unknown")`) }) {
		t.Errorf("%v: %q", err, d.Notes)
	}
	if d, err = tableOf(t, "x,k\n1.5,a\n2.5,Unknown\n3.5,a\n4.5,b\n", Gaps("Unknown")).Data(Label("k")); err != nil || d.Labels[1] != -1 {
		t.Errorf("%v: %v", err, d)
	}
}

// An option with two values is an error, and with the same value twice it is not.
func TestOptionsTwice(t *testing.T) {
	for name, c := range map[string][2]TableOption{
		"Separator": {Separator(';'), Separator(',')}, "Quote": {Quote('"'), Quote(0)}, "Decimal": {Decimal('.'), Decimal(',')}, "Header": {Header(1), NoHeader()},
		"Skip": {Skip(0), Skip(1)}, "Footer": {Footer(0), Footer(1)}, "Comment": {Comment("#"), Comment("%")}, "Encoding": {Encoding("UTF-8"), Encoding("Windows-1252")},
		"As": {Column("a").As(Text), Column("a").As(Number)}, "Column.Decimal": {Column("a").Decimal('.'), Column("a").Decimal(',')}, "As by number": {Column("a").As(Text), Column("1").As(Number)},
	} {
		read := func(options ...TableOption) error {
			_, err := ReadTableFrom(strings.NewReader("a,b\n1,2\n3,4\n"), "t", options...)
			return err
		}
		if err := read(c[0], c[1]); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "contradict") {
			t.Errorf("%s: %v", name, err)
		}
		if err := read(c[0], c[0]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	table := tableOf(t, "a,b\n1,2\n3,4\n")
	for name, c := range map[string][2]DataOption{"Label": {Label("a"), Label("b")}, "Fill": {Fill(Mean), Fill(Median)}} {
		if _, err := table.Data(c[0], c[1]); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Notes of ReadCSV name ReadTable if they advise to use its options.
func TestNotesOfReadCSV(t *testing.T) {
	for text, option := range map[string]string{
		"a,b\n1.5,20\n2.5,21\n3.5,-999\n4.5,22\n1.5,-999\n2.25,23\n":                                  "Gaps",
		"a,b\n1.5,1$\n2.5,2%\n3.5,3$\n":                                                               "Column",
		"a;b\n1,5;2\n2,5;3\n":                                                                         "Column",
		"Gr\xf6\xdfe,b\n1.5,2\n2.5,3\n3.5,4\n":                                                        "Encoding",
		"measured in May\nand in June\na,b\n1.5,2\n2.5,3\n3.5,4\n4.5,5\n":                             "Header",
		"a,b\n1.5,2\n2.5,3\n3.5,4\n4.5,5\n5.5,7\n\nc,d,e\n1,2,3\n2,5,4\n3,7,1\n4,4,4\n5,6,8\n6,1,1\n": "Skip",
	} {
		table, err := ReadTableFrom(strings.NewReader(text), "x")
		if err != nil {
			t.Fatal(err)
		}
		d, err := readCSV(strings.NewReader(text), "x", CSV{Missing: Mean})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		own, notes := strings.Join(table.Notes(), "\n"), strings.Join(d.Notes, "\n")
		if !strings.Contains(own, "with "+option) || strings.Contains(notes, "with "+option) || !strings.Contains(notes, "with ReadTable and "+option) {
			t.Errorf("%q: ReadTable notes %q, ReadCSV notes %q", text, own, notes)
		}
	}
}

// A column may begin with thousands of texts: the numbers or texts in the rest of the column decide
// its type.
func TestTableOfLateNumbers(t *testing.T) {
	const n = 60_000
	for _, c := range []struct {
		texts    int
		text     string
		rest     string
		want     ColumnType
		hasNotes bool
	}{
		{500, "Bad Input", "7.25", Number, true},
		{1100, "Bad Input", "7.25", Number, true},
		{2400, "Bad Input", "7.25", Number, true},
		{2400, "-", "7.25", Number, false},
		{20_000, "Bad Input", "7.25", Category, true},
		{2400, "Bad Input", "€ 7.25", Number, true},
		{2400, "Bad Input", "2024-03-02", Date, true},
		{2400, "Bad Input", "sample 7", Category, false},
		{2400, "Bad Input", "yes", Category, false},
	} {
		text := "t,v\n" + strings.Repeat("1.5,"+c.text+"\n", c.texts) + strings.Repeat("1.5,"+c.rest+"\n", n-c.texts)
		table := tableOf(t, text)
		if notes := strings.Join(table.Notes(), "\n"); table.Type(1) != c.want || strings.Contains(notes, `"v"`) != c.hasNotes {
			t.Errorf("%d × %q and %q: %s, notes %q", c.texts, c.text, c.rest, table.Type(1), notes)
		}
		if v := table.Numbers(1); v != nil && (v[0] == v[0] || v[n-1] != v[n-1]) {
			t.Errorf("%d × %q and %q: values %v and %v", c.texts, c.text, c.rest, v[0], v[n-1])
		}
	}
}

// Different texts of one number are the same class if all classes are numbers, also for later rows.
func TestClassesThatAreNumbers(t *testing.T) {
	for texts, want := range map[string]struct {
		labels []int
		names  []string
	}{
		"1 1.0 2 2.0":      {[]int{0, 0, 1, 1}, []string{"1", "2"}},
		"1.0 2.0 1.00 2.0": {[]int{0, 1, 0, 1}, []string{"1.0", "2.0"}},
		"1 +1 02 2":        {[]int{1, 1, 2, 2}, nil},
		"1 +1 2.0 2":       {[]int{0, 0, 1, 1}, []string{"1", "2"}},
		"0.5 .5 1.5 1.50":  {[]int{0, 0, 1, 1}, []string{".5", "1.5"}},
		"1 1.0 a b":        {[]int{0, 1, 2, 3}, []string{"1", "1.0", "a", "b"}},
		"-1 1.0 1 -1.0":    {[]int{0, 1, 1, 0}, []string{"-1", "1"}},
		"90071992547409931 90071992547409932 90071992547409931 90071992547409932": {[]int{0, 1, 0, 1}, []string{"90071992547409931", "90071992547409932"}},
	} {
		text := "x,y\n"
		for k, s := range strings.Fields(texts) {
			text += fmt.Sprintf("%d.5,%s\n", k, s)
		}
		d, err := readCSV(strings.NewReader(text), "x", CSV{Label: "y"})
		if err != nil || !slices.Equal(d.Labels, want.labels) || !slices.Equal(d.ClassNames, want.names) {
			t.Errorf("%s: %v, %v %q", texts, err, d.Labels, d.ClassNames)
			continue
		}
		joined := len(want.names) > 0 && !slices.Equal(slices.Compact(slices.Sorted(strings.FieldsSeq(texts))), slices.Sorted(slices.Values(want.names))) && !slices.Contains(want.names, "-1")
		if told := strings.Contains(strings.Join(d.Notes, "\n"), "are one class, because they are the same number"); told != joined {
			t.Errorf("%s: notes %q", texts, d.Notes)
		}
		like, err := tableOf(t, text).DataLike(d, Label("y"))
		if err != nil || !slices.Equal(like.Labels, want.labels) {
			t.Errorf("%s: %v, later rows have the labels %v", texts, err, like.Labels)
		}
	}
}
