package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Table is a table read from a file: named columns of text, each with a detected or given type.
// Printing a table lists its columns. [ReadTable] returns a table, and [Table.Data] converts it to
// samples. A table is immutable.
type Table struct {
	name    string // name of the file
	grid    *grid
	rows    []record
	columns []column
	notes   []string
	format  string   // description of the format, printed by String
	cut     []string // contains "" if empty columns at the end were left out
}

// ColumnType is the type of a column.
type ColumnType string

// The types of columns. A Text column contains arbitrary text. The values of an Identifier column,
// such as row numbers, are distinct.
const (
	Number     ColumnType = "number"
	Integer    ColumnType = "integer"
	Boolean    ColumnType = "boolean"
	Category   ColumnType = "category"
	Date       ColumnType = "date"
	Text       ColumnType = "text"
	Identifier ColumnType = "identifier"
)

// TableOption overrides a decision of [ReadTable].
type TableOption func(*tableOptions)

// tableOptions contains the options given by the user.
type tableOptions struct {
	layoutOptions
	sep       *string
	quote     *byte
	decimal   byte // decimal mark; 0 for detection
	encoding  string
	gaps      []string
	types     map[string]ColumnType
	decimals  map[string]byte // decimal marks of single columns
	set       []ColumnType    // types of the columns as the file declares them
	notes     []string        // notes about the source of the table
	transpose bool
	lenient   bool           // whether a few texts in a column of numbers become gaps
	given     map[string]int // argument of Header, Skip and Footer, by the name of the option
	faults    []optionFault
}

// optionFault is an invalid option, with its remedy.
type optionFault struct{ text, remedy string }

func (o *tableOptions) fault(remedy, format string, args ...any) {
	o.faults = append(o.faults, optionFault{fmt.Sprintf(format, args...), remedy})
}

// twice records a fault if two calls of the same option differ. before and now are the texts of the
// calls.
func (o *tableOptions) twice(before, now string) {
	if before != now {
		o.fault("give it once", "%s and %s contradict each other", before, now)
	}
}

// Separator sets the separator of cells, such as ';' or '\t'. A space, ' ', stands for runs of
// spaces and tabs.
func Separator(r rune) TableOption {
	return func(o *tableOptions) {
		s := string(r)
		if o.sep != nil {
			o.twice(fmt.Sprintf("Separator(%q)", *o.sep), fmt.Sprintf("Separator(%q)", s))
		}
		o.sep = &s
	}
}

// Quote sets the quotation mark around cells that contain separators or line breaks. It is an ASCII
// character; 0 means none.
func Quote(r rune) TableOption {
	return func(o *tableOptions) {
		if r >= 0x80 || r < 0 {
			o.fault("give an ASCII character, or 0 for no quotes", "Quote(%q) is not an ASCII character", r)
			return
		}
		q := byte(r)
		if o.quote != nil {
			o.twice(fmt.Sprintf("Quote(%q)", *o.quote), fmt.Sprintf("Quote(%q)", q))
		}
		o.quote = &q
	}
}

// Decimal sets the decimal mark of numbers in all columns, '.' or ','. A note names the columns in
// which another mark was detected. [ColumnOption.Decimal] sets the mark of one column.
func Decimal(r rune) TableOption {
	return func(o *tableOptions) {
		if r != '.' && r != ',' {
			o.fault("give '.' or ','", "Decimal(%q) is neither '.' nor ','", r)
			return
		}
		if o.decimal != 0 {
			o.twice(fmt.Sprintf("Decimal(%q)", o.decimal), fmt.Sprintf("Decimal(%q)", r))
		}
		o.decimal = byte(r)
	}
}

// notNegative returns an option that calls set, or records a fault if n is negative. name and n are
// the name of the option and its argument.
func notNegative(name string, n int, set func(o *tableOptions)) TableOption {
	if n < 0 {
		return func(o *tableOptions) {
			o.fault("give 0 or more", "%s(%d) is negative", name, n)
		}
	}
	return func(o *tableOptions) {
		if o.given == nil {
			o.given = map[string]int{}
		}
		if before, ok := o.given[name]; ok {
			o.twice(fmt.Sprintf("%s(%d)", name, before), fmt.Sprintf("%s(%d)", name, n))
		}
		o.given[name] = n
		set(o)
	}
}

// Header sets the number of header rows. The header begins after the lines that [Skip] ignores. If
// a column has names in several header rows, they are joined.
func Header(rows int) TableOption {
	return notNegative("Header", rows, func(o *tableOptions) { o.header = rows })
}

// NoHeader declares that the first row contains data. Columns are named by their numbers, counted
// from 1.
func NoHeader() TableOption { return Header(0) }

// Skip ignores the given number of lines at the beginning of the file.
func Skip(lines int) TableOption {
	return notNegative("Skip", lines, func(o *tableOptions) { o.skip = lines })
}

// Footer ignores the given number of rows at the end of the table, such as totals. Lines of text
// below the table are ignored in any case.
func Footer(rows int) TableOption {
	return notNegative("Footer", rows, func(o *tableOptions) { o.footer = rows })
}

// Comment ignores lines that begin with a prefix.
func Comment(prefix string) TableOption {
	return func(o *tableOptions) {
		if o.comment != "" {
			o.twice(fmt.Sprintf("Comment(%q)", o.comment), fmt.Sprintf("Comment(%q)", prefix))
		}
		o.comment = prefix
	}
}

// Encoding sets the encoding of the text: "UTF-8", "UTF-16LE", "UTF-16BE" or
// "Windows-1252", which includes Latin-1.
func Encoding(name string) TableOption {
	return func(o *tableOptions) {
		if !slices.Contains([]string{utf8Name, utf16LE, utf16BE, windows1252}, name) {
			o.fault("give \"UTF-8\", \"UTF-16LE\", \"UTF-16BE\" or \"Windows-1252\"", "Encoding(%q) is not an encoding", name)
			return
		}
		if o.encoding != "" {
			o.twice(fmt.Sprintf("Encoding(%q)", o.encoding), fmt.Sprintf("Encoding(%q)", name))
		}
		o.encoding = name
	}
}

// Gaps adds texts, such as "-999", that mark a gap (a missing value). Empty cells, NA, N/A, NaN,
// null, None, ?, -, --, ., n.d., \N, missing, #DIV/0! and similar texts are always gaps.
func Gaps(texts ...string) TableOption {
	return func(o *tableOptions) { o.gaps = append(o.gaps, texts...) }
}

// Transpose exchanges rows and columns.
func Transpose() TableOption { return func(o *tableOptions) { o.transpose = true } }

// ColumnOption overrides the detected properties of one column; see [Column].
type ColumnOption struct{ name string }

// Column selects a column by its name. If no column has the given name, Column reads it as the
// number of a column, counted from 1.
func Column(name string) ColumnOption { return ColumnOption{name} }

// As sets the type of the column. Cells that do not have this type become gaps.
func (c ColumnOption) As(t ColumnType) TableOption {
	return func(o *tableOptions) {
		if !slices.Contains([]ColumnType{Number, Integer, Boolean, Category, Date, Text, Identifier}, t) {
			o.fault("give Number, Integer, Boolean, Category, Date, Text or Identifier", "Column(%q).As(%q) is not a column type", c.name, t)
			return
		}
		if o.types == nil {
			o.types = map[string]ColumnType{}
		}
		if before, ok := o.types[c.name]; ok {
			o.twice(fmt.Sprintf("Column(%q).As(%q)", c.name, before), fmt.Sprintf("Column(%q).As(%q)", c.name, t))
		}
		o.types[c.name] = t
	}
}

// Decimal sets the decimal mark of the numbers in the column, '.' or ','.
func (c ColumnOption) Decimal(r rune) TableOption {
	return func(o *tableOptions) {
		if r != '.' && r != ',' {
			o.fault("give '.' or ','", "Column(%q).Decimal(%q) is neither '.' nor ','", c.name, r)
			return
		}
		if o.decimals == nil {
			o.decimals = map[string]byte{}
		}
		if before := o.decimals[c.name]; before != 0 {
			o.twice(fmt.Sprintf("Column(%q).Decimal(%q)", c.name, before), fmt.Sprintf("Column(%q).Decimal(%q)", c.name, r))
		}
		o.decimals[c.name] = byte(r)
	}
}

// ReadTable reads any text table and detects its format: the compression (gzip), the
// encoding, the line ends, the separator, the quotes, text above and below the table, the
// header, the decimal marks, the markers of gaps and the type of each column. It also reads
// JSON lines, ARFF, Matrix Market, libsvm and the text files of word vectors.
//
// Print the table to see the decisions, and override them with options:
//
//	table, err := datasets.ReadTable("mine.csv", datasets.Separator(';'), datasets.Column("year").As(datasets.Category))
//
// Nothing is dropped silently: notes count the ignored lines above and below the table, blank rows,
// and comments. If a file has another known format, the error names this format.
// [data.SetReadLimit] limits the memory.
//
// [data.SetReadLimit]: https://pkg.go.dev/github.com/ssdrnb/ssdrnb/ssdrnb/data#SetReadLimit
func ReadTable(path string, options ...TableOption) (*Table, error) {
	return openedTable(path, func(f *os.File, size int64) (*Table, error) { return readTable(f, size, path, options...) })
}

// MustReadTable is [ReadTable] for notebooks: it panics instead of returning an error.
func MustReadTable(path string, options ...TableOption) *Table {
	t, err := ReadTable(path, options...)
	if err != nil {
		panic(err)
	}
	return t
}

// readTable reads a table of any format.
func readTable(r io.Reader, size int64, file string, options ...TableOption) (*Table, error) {
	opt := newTableOptions(options...)
	opt.lenient = true
	if err := opt.check(file); err != nil {
		return nil, err
	}
	budget := files.NewBudget()
	text, notes, err := readText(r, size, file, opt.encoding, budget)
	if err != nil {
		return nil, err
	}
	for _, f := range formats {
		if f.is(text) {
			t, err := f.read(text, file, opt, budget)
			if err != nil {
				return nil, err
			}
			t.notes = slices.Concat(opt.notes, notes, t.notes)
			return t, nil
		}
	}
	return textTable(text, notes, file, opt, budget)
}

func newTableOptions(options ...TableOption) *tableOptions {
	opt := &tableOptions{layoutOptions: layoutOptions{header: -1}}
	for _, o := range options {
		if o != nil {
			o(opt)
		}
	}
	for name := range opt.types {
		opt.names = append(opt.names, name)
	}
	for name := range opt.decimals {
		opt.names = append(opt.names, name)
	}
	return opt
}

// check returns an error for invalid options.
func (o *tableOptions) check(file string) error {
	if len(o.faults) == 0 {
		return nil
	}
	return advice.With(o.faults[0].remedy, bad(ErrFormat, file, "ReadTable: %s", o.faults[0].text))
}

var errNoRows = errors.New("there is no line with data")

// textTable reads a table from separated text.
func textTable(text []byte, notes []string, file string, opt *tableOptions, budget *files.Budget) (*Table, error) {
	if len(bytes.Trim(text, " \t\r\n,;|\"'")) == 0 {
		return nil, advice.With("give a file with a table", bad(ErrFormat, file, "%v", errNoRows))
	}
	how := sniff(text, opt.sep, opt.quote)
	g, err := scan(text, how, 0, budget)
	if err != nil {
		return nil, tooLarge(file, err)
	}
	return laidOut(g, slices.Concat(opt.notes, notes), file, opt, budget)
}

// laidOut finds the position of the table in a grid, and returns the table.
func laidOut(g *grid, notes []string, file string, opt *tableOptions, budget *files.Budget) (*Table, error) {
	if err := budget.Spare(layoutCost * int64(len(g.rows))); err != nil {
		return nil, tooLarge(file, err)
	}
	at, err := lay(g, opt.layoutOptions)
	g.rows = nil // at.rows are the rows of the table
	if err != nil || len(at.rows) == 0 {
		if err == nil {
			return nil, advice.With("give a file with samples, or read this one with NoHeader() if its first line is a sample", bad(ErrFormat, file, "the file has a header and no rows"))
		}
		return nil, advice.With("give a file with a table", bad(ErrFormat, file, "%v", err))
	}
	t := &Table{name: baseName(file), grid: g, rows: at.rows, notes: slices.Concat(notes, at.notes), format: g.dialect.String(), cut: at.cut}
	if g.opened > 0 {
		t.notes = append(t.notes, nouns.Count(g.opened, "quote")+" never closed, read as text")
	}
	if g.odd > 0 {
		t.notes = append(t.notes, nouns.Count(g.odd, "quoted cell")+" with quotes that are not doubled, read as text")
	}
	return t.complete(file, at.names, at.units, at.width, opt, budget)
}

// complete names the columns, adds their units, and detects their types. width is the number of
// columns.
func (t *Table) complete(file string, names, units []string, width int, opt *tableOptions, budget *files.Budget) (*Table, error) {
	if opt.transpose {
		return t.turned(file, names, width, opt, budget)
	}
	if err := budget.Take(columnCost * int64(width)); err != nil {
		return nil, tooLarge(file, err)
	}
	t.columns = make([]column, width)
	for j := range t.columns {
		if names != nil {
			t.columns[j].name = names[j]
		}
		if units != nil {
			t.columns[j].unit = units[j]
		}
	}
	return t, t.infer(file, opt, budget)
}

// turned returns the table with rows and columns exchanged. If most cells of the first column are
// texts, they become the new column names. The old names become the new first column.
func (t *Table) turned(file string, names []string, width int, opt *tableOptions, budget *files.Budget) (*Table, error) {
	first := 0 // index of the first column with data: 1 if the first column contains names
	words := 0
	for _, r := range t.rows {
		if kind, _ := classify(t.grid.text(r, 0)); kind == textCell {
			words++
		}
	}
	if width > 1 && 2*words > len(t.rows) {
		first = 1
	}
	b := gridBuilder{budget: budget}
	var header []string
	if names != nil {
		corner := names[0]
		if first == 0 {
			corner = ""
		}
		header = append(header, corner)
	}
	for i, r := range t.rows {
		if first == 1 {
			header = append(header, string(t.grid.text(r, 0)))
		} else if names != nil {
			header = append(header, strconv.Itoa(i+1))
		}
	}
	if first == 0 && names == nil {
		header = nil
	}
	for j := first; j < width; j++ {
		if names != nil {
			b.cell([]byte(names[j]))
		}
		for _, r := range t.rows {
			b.cell(t.grid.text(r, j))
		}
		if err := b.end(); err != nil {
			return nil, tooLarge(file, err)
		}
	}
	again := *opt
	again.transpose, again.set = false, nil
	out := &Table{name: t.name, grid: &b.grid, rows: b.grid.rows, notes: append(t.notes, "transposed: the columns of the file are the rows"), format: t.format}
	turnedWidth := len(t.rows)
	if names != nil {
		turnedWidth++
	}
	return out.complete(file, header, nil, turnedWidth, &again, budget)
}

// gridBuilder builds a grid from cells that do not come from separated text, such as the cells of a
// JSON file.
type gridBuilder struct {
	grid
	budget      *files.Budget
	base, first int // start of the current row in buf, and in ends
	paid        int // memory taken from the budget, in bytes
}

// cell adds a cell to the current row.
func (b *gridBuilder) cell(text []byte) {
	b.buf = append(b.buf, text...)
	b.ends = append(b.ends, uint32(len(b.buf)-b.base))
	b.dialect.sep = "\x1f"
	b.buf = append(b.buf, '\x1f')
}

// end ends the current row. It takes the memory for the growth of the grid from the budget.
func (b *gridBuilder) end() error {
	b.rows = append(b.rows, record{b.base, b.first, uint32(len(b.rows) + 1), int32(len(b.ends) - b.first)})
	b.base, b.first = len(b.buf), len(b.ends)
	grown := cap(b.buf) + cellCost*cap(b.ends) + rowCost*cap(b.rows) - b.paid
	b.paid += grown
	return b.budget.Take(int64(grown))
}

// Names returns the names of the columns. A column without a name is represented by its number,
// counted from 1.
func (t *Table) Names() []string {
	names := make([]string, len(t.columns))
	for j := range names {
		names[j] = t.columnName(j)
	}
	return names
}

// listed lists the names of the first columns for a message, and counts the other columns.
func (t *Table) listed() string {
	quoted := t.Names()
	for j, name := range quoted {
		quoted[j] = strconv.Quote(name)
	}
	return list(quoted)
}

// has returns a clause that lists the names of the columns.
func (t *Table) has() string {
	return nouns.Form(len(t.columns), "its only column is ", "its columns are ") + t.listed()
}

// columnName returns the name of column j, or its number (counted from 1) if it has no name.
func (t *Table) columnName(j int) string {
	if name := t.columns[j].name; name != "" {
		return name
	}
	return strconv.Itoa(j + 1)
}

// Rows returns the number of data rows.
func (t *Table) Rows() int { return len(t.rows) }

// Text returns the text of a cell, trimmed and without quotes. row and column are counted from 0. A
// gap marker is returned unchanged. Text returns "" if there is no such cell.
func (t *Table) Text(row, column int) string {
	if row < 0 || row >= len(t.rows) || column < 0 || column >= len(t.columns) {
		return ""
	}
	return string(t.grid.text(t.rows[row], column))
}

// Find returns the index of the column with the given name. If no column has the name, Find reads
// it as the number of a column, counted from 1. If there is no such column either, the error lists
// the columns.
func (t *Table) Find(name string) (int, error) {
	at := -1
	for j := range t.columns {
		if t.columns[j].name != name || name == "" {
			continue
		}
		if at >= 0 {
			return 0, advice.With("use the column number, counted from 1, such as "+strconv.Quote(strconv.Itoa(j+1)), bad(ErrFormat, t.name, "columns %d and %d are both called %q", at+1, j+1, name))
		}
		at = j
	}
	if at >= 0 {
		return at, nil
	}
	if k, err := strconv.Atoi(name); err == nil && k >= 1 && k <= len(t.columns) {
		return k - 1, nil
	}
	return 0, advice.With(t.has(), bad(ErrFormat, t.name, "the table has no column %q", name))
}

// Type returns the type of a column, or "" if there is no such column.
func (t *Table) Type(column int) ColumnType {
	if column < 0 || column >= len(t.columns) {
		return ""
	}
	return t.columns[column].typ
}

// Unit returns the unit of a column if the file contains a row of units, and "" otherwise.
func (t *Table) Unit(column int) string {
	if column < 0 || column >= len(t.columns) {
		return ""
	}
	return t.columns[column].unit
}

// Gap reports whether a cell has no value: it is empty, contains a gap marker, does not have the
// type of its column, or is outside of the table.
func (t *Table) Gap(row, column int) bool {
	if row < 0 || row >= len(t.rows) || column < 0 || column >= len(t.columns) {
		return true
	}
	c := &t.columns[column]
	if c.values != nil {
		return c.values[row] != c.values[row]
	}
	return c.isGap(t.grid.text(t.rows[row], column))
}

// Numbers returns a column as numbers, one for each row, and NaN for a gap. Booleans are 0 and 1,
// and dates are days since 1970-01-01. Numbers returns nil for other types.
func (t *Table) Numbers(column int) []float64 {
	if column < 0 || column >= len(t.columns) {
		return nil
	}
	switch c := &t.columns[column]; c.typ {
	case Number, Integer, Boolean, Date:
		return slices.Clone(c.values)
	}
	return nil
}

// Times returns a column of dates, with the zero time for a gap. It returns nil for other types.
func (t *Table) Times(column int) []time.Time {
	if t.Type(column) != Date {
		return nil
	}
	out := make([]time.Time, len(t.rows))
	for i, days := range t.columns[column].values {
		if days == days {
			out[i] = timeOf(days)
		}
	}
	return out
}

// timeOf converts a number of days since 1970-01-01 to a time, rounded to the microsecond.
func timeOf(days float64) time.Time {
	whole := math.Floor(days)
	part := time.Duration(math.Round((days-whole)*86400e6)) * time.Microsecond
	return time.Unix(int64(whole)*86400, 0).UTC().Add(part)
}

// Categories returns the distinct texts of a column of categories, in the order of
// [data.CompareNames]. It returns nil for other types.
//
// [data.CompareNames]: https://pkg.go.dev/github.com/ssdrnb/ssdrnb/ssdrnb/data#CompareNames
func (t *Table) Categories(column int) []string {
	if t.Type(column) != Category {
		return nil
	}
	return slices.Clone(t.columns[column].levels)
}

// Notes returns the decisions made while the table was read, one text for each decision.
func (t *Table) Notes() []string {
	all := make([]int, len(t.columns))
	for j := range all {
		all[j] = j
	}
	return slices.Concat(t.notes, t.columnNotes(all, func(string) bool { return true }))
}

// maxListed is the largest number of column names in a note.
const maxListed = 3

// columnNotes returns those notes on the given columns for which keep returns true. A note that
// several columns share appears once.
func (t *Table) columnNotes(columns []int, keep func(note string) bool) []string {
	var order []string
	of := map[string][]int{}
	for _, j := range columns {
		for _, n := range t.columns[j].notes {
			if !keep(n) {
				continue
			}
			if of[n] == nil {
				order = append(order, n)
			}
			of[n] = append(of[n], j)
		}
	}
	notes := make([]string, len(order))
	for k, n := range order {
		var names []string
		for _, j := range of[n][:min(len(of[n]), maxListed)] {
			names = append(names, strconv.Quote(cut(t.columnName(j), longName)))
		}
		list := "column " + names[0]
		if more := len(of[n]) - len(names); more > 0 {
			list = fmt.Sprintf("columns %s and %d more", strings.Join(names, ", "), more)
		} else if last := len(names) - 1; last > 0 {
			list = "columns " + strings.Join(names[:last], ", ") + " and " + names[last]
		}
		notes[k] = list + ": " + n
	}
	return notes
}
