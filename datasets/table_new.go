package datasets

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// TableColumn describes a column of [NewTable].
type TableColumn struct {
	Name string
	// Type is the type declared by the source. If it is [Text], cells are not interpreted as
	// numbers or dates, and the repetition of texts decides whether the column is a category, a
	// text or an identifier. If it is "", the type is detected from the cells.
	Type ColumnType
}

// NewTable returns a table of rows from another source, such as a database or a binary file. name
// identifies the table in errors and when it is printed. Each row contains one cell per column. A
// cell is valid UTF-8, formatted as in a text table, and empty for a gap. NewTable copies a cell
// before it requests the next row. If rows yields an error, NewTable returns it.
//
// If `columns` is nil, `rows` yields the rows of a spreadsheet, which may differ in length. Header,
// units, preamble and footers are then detected as in [ReadTable].
//
// [data.SetReadLimit] limits the memory. A row with more or fewer cells than there are columns
// gives [ErrFormat].
//
// [data.SetReadLimit]: https://pkg.go.dev/github.com/ssdrnb/ssdrnb/ssdrnb/data#SetReadLimit
func NewTable(name string, columns []TableColumn, rows iter.Seq2[[][]byte, error], options ...TableOption) (*Table, error) {
	opt := newTableOptions(options...)
	opt.lenient = true
	if err := opt.check(name); err != nil {
		return nil, err
	}
	b := gridBuilder{budget: files.NewBudget()}
	for cells, err := range rows {
		if err != nil {
			return nil, err
		}
		if columns != nil && len(cells) != len(columns) {
			return nil, advice.With("give each row one cell for each column, with an empty cell for a gap", bad(ErrFormat, name, "row %d has %s for %s", len(b.rows), nouns.Count(len(cells), "cell"), nouns.Count(len(columns), "column")))
		}
		for _, c := range cells {
			b.cell(c)
		}
		if err := b.end(); err != nil {
			return nil, tooLarge(name, err)
		}
	}
	if columns == nil {
		return b.sheet(name, opt)
	}
	names := make([]string, len(columns))
	opt.set = make([]ColumnType, len(columns))
	for j, c := range columns {
		names[j], opt.set[j] = c.Name, c.Type
	}
	t, err := b.table(name, "table", names, len(columns), opt)
	if err != nil {
		return nil, err
	}
	t.name, t.format = name, "typed columns"
	t.notes = slices.Concat(opt.notes, t.notes)
	return t, nil
}

// sheet finds the table among the rows of a spreadsheet.
func (b *gridBuilder) sheet(name string, opt *tableOptions) (*Table, error) {
	width, used := 0, 0 // length of the longest row, and index after the last row that is not blank
	for i, r := range b.rows {
		for j := int(r.n) - 1; j >= 0; j-- {
			if !b.empty(r, j) {
				width, used = max(width, j+1), i+1
				break
			}
		}
	}
	if used == 0 {
		return nil, advice.With("give a sheet with a table", bad(ErrFormat, name, "no row has text"))
	}
	even := gridBuilder{budget: b.budget}
	for _, r := range b.rows[:used] {
		for j := range width {
			even.cell(b.span(r, j))
		}
		if err := even.end(); err != nil {
			return nil, tooLarge(name, err)
		}
	}
	t, err := laidOut(&even.grid, opt.notes, name, opt, b.budget)
	if err != nil {
		return nil, err
	}
	t.name, t.format = name, "sheet"
	return t, nil
}

// ReadTableFrom is [ReadTable] for a text that comes from a reader, for example of an archive or a
// connection. name identifies the text in errors and in the printed table.
func ReadTableFrom(r io.Reader, name string, options ...TableOption) (*Table, error) {
	if r == nil {
		return nil, advice.With("give a reader of text, such as strings.NewReader(text)", bad(ErrFormat, name, "ReadTableFrom: the reader is nil"))
	}
	return readTable(r, -1, name, options...)
}

// Note adds a sentence to the notes of a table, for example about data that its source omits.
func Note(format string, args ...any) TableOption {
	text := fmt.Sprintf(format, args...)
	return func(o *tableOptions) { o.notes = append(o.notes, text) }
}

// looksNumeric reports whether a column contains plain numbers and, except for gaps, nothing else.
func (c *column) looksNumeric() bool {
	numbers := c.seen[intCell] + c.seen[floatCell]
	return numbers > 0 && numbers == c.filled()
}

// noteTexts adds a note to a column if the source declares it as text, but all its cells are plain
// numbers or gaps.
func (t *Table) noteTexts(j int) {
	c := &t.columns[j]
	if c.words && !c.forced && c.looksNumeric() {
		c.notes = append(c.notes, "declared as text, though all cells are numbers; override with Column("+strconv.Quote(cut(t.columnName(j), longName))+").As(Number)")
	}
}
