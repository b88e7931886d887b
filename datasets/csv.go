package datasets

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// CSV contains the options of [ReadCSV]. The zero value is for a file of numbers without labels,
// whose separator, header and other properties are detected as by [ReadTable]. Columns are selected
// by their names in the header. If no column has a given name, the name is read as the number of a
// column, counted from 1.
type CSV struct {
	// Label is the column that contains the class, which may be any text; "" means none, unless
	// LabelColumn is set. Whole numbers are classes, and -1 means unlabelled. If -1 and 1 are the
	// only numbers, they are two classes instead.
	Label string
	// LabelColumn is the number of the class column, counted from 1, or from the end if negative
	// (−1 is the last column). 0 means that there is no class column, unless Label is set.
	LabelColumn int
	// Target is the column with a measured value that is known for some samples, see
	// [data.Data.WithTarget]. A gap in this column is an unknown value. "" means that there is no
	// target.
	Target string
	// Unknown is a text that marks an unknown class, as "" and "?" do.
	Unknown string
	// Drop lists columns to leave out.
	Drop []string
	// Keep lists the columns that are features. All other columns except Label, Target and
	// Attributes are left out. nil means that all columns that are not named in another option are
	// features.
	Keep []string
	// Attributes lists the columns that are kept as text beside the features, such as
	// identifiers; see [data.Data.Attribute].
	Attributes []string
	// Missing is the treatment of gaps among the features. A gap is an empty field or one of the
	// markers that [Gaps] lists. By default, gaps are an error.
	Missing Missing
	// Comma separates the fields; 0 means automatic detection.
	Comma rune
	// Decimal is the decimal mark, '.' or ','; 0 means automatic detection.
	Decimal rune
	// Columns means that each column of the file is a sample and each row is a feature, as in
	// tables of genes by cells. The first column of the file then contains the names of the
	// features, and the header becomes the first column of the transposed table.
	Columns bool
}

// ReadCSV reads samples from a text table. It follows the given options and detects other
// properties as [ReadTable] does. Classes may be any text. If all are whole numbers of at least 0,
// they are the labels. Other classes are numbered in order: by value if all are numbers, and by
// [data.CompareNames] otherwise. If all are numbers, 1 and 1.0 are the same class. Features must
// contain finite numbers or booleans; gaps are allowed only if opt.Missing is set. If columns
// violate this, the error lists up to 20 that contain other texts, and up to 20 with gaps.
// [Table.Data] also accepts categories and dates as features. If the first column has no name and
// contains row numbers, it is ignored. Samples that look like square images are treated as images,
// see [ReadNPZ].
func ReadCSV(path string, opt CSV) (*data.Data, error) {
	d, err := openedTable(path, func(f *os.File, size int64) (*data.Data, error) { return readSized(f, size, path, opt) })
	return withImage(d, err, false)
}

// readCSV reads a text whose length is unknown.
func readCSV(r io.Reader, file string, opt CSV) (*data.Data, error) {
	return readSized(r, -1, file, opt)
}

func readSized(r io.Reader, size int64, file string, opt CSV) (*data.Data, error) {
	if err := opt.check(file); err != nil {
		return nil, err
	}
	budget := files.NewBudget()
	text, notes, err := readText(r, size, file, "", budget)
	if err != nil {
		return nil, err
	}
	return opt.samples(text, notes, file, opt.table(), budget)
}

// samples reads samples from a text, with the given options for the table reader.
func (o CSV) samples(text []byte, notes []string, file string, options *tableOptions, budget *files.Budget) (*data.Data, error) {
	t, err := textTable(text, notes, file, options, budget)
	if err != nil {
		return nil, err
	}
	p, err := o.plan(t, file)
	if err != nil {
		return nil, err
	}
	if err := o.refuse(t, file, p); err != nil {
		return nil, err
	}
	d, err := t.samples(file, p, budget)
	if err != nil {
		return nil, err
	}
	for k, note := range d.Notes {
		d.Notes[k] = tableAdvice.Replace(note)
	}
	return d, nil
}

// tableAdvice adds the name of [ReadTable] to notes that recommend options of [ReadTable], because
// [ReadCSV] does not have these options.
var tableAdvice = strings.NewReplacer(
	"with Column(", "with ReadTable and Column(", "with Data(", "with ReadTable and Data(", "with Encoding", "with ReadTable and Encoding",
	"with Footer(", "with ReadTable and Footer(", "with Gaps(", "with ReadTable and Gaps(", "with Header", "with ReadTable and Header",
	"with Skip(", "with ReadTable and Skip(")

// mark is the byte order mark at the beginning of files from spreadsheet programs.
const mark = "\uFEFF"

// textCost is the memory in bytes that a text needs in addition to its characters.
const textCost = 64

// check returns an error if an option is invalid, or if options contradict each other.
func (o CSV) check(file string) error {
	switch {
	case !o.Missing.valid():
		return advice.With("give Mean, Median, MostFrequent, Nearest, Indicator or Drop", bad(ErrFormat, file, "CSV.Missing is %q", o.Missing))
	case o.Keep != nil && o.Drop != nil:
		return advice.With("set only one of them", bad(ErrFormat, file, "CSV has both Keep and Drop"))
	case o.Label != "" && o.LabelColumn != 0:
		return advice.With("set only one of them", bad(ErrFormat, file, "CSV has both Label and LabelColumn"))
	case o.Decimal != 0 && o.Decimal != '.' && o.Decimal != ',':
		return advice.With("give '.' or ',', or 0 for automatic detection", bad(ErrFormat, file, "CSV.Decimal is %q", o.Decimal))
	case o.Comma == '\n' || o.Comma == '\r' || o.Comma == '"':
		return advice.With("give ',', ';' or '\\t', or 0 for automatic detection", bad(ErrFormat, file, "CSV.Comma is %q", o.Comma))
	}
	return nil
}

// table returns the options for the table reader.
func (o CSV) table() *tableOptions {
	opt := newTableOptions()
	if o.Comma != 0 {
		Separator(o.Comma)(opt)
	}
	opt.decimal, opt.transpose = byte(o.Decimal), o.Columns
	if !o.Columns {
		opt.names = slices.Concat([]string{o.Label, o.Target}, o.Drop, o.Keep, o.Attributes)
	}
	return opt
}

// plan determines the use of each column from the options.
func (o CSV) plan(t *Table, file string) (*plan, error) {
	columns := len(t.columns)
	headless := !t.hasNames()
	// find returns the indices of the columns with the given name. If no column has the name, find
	// interprets it as the number of a column, counted from 1.
	find := func(option, name string) ([]int, error) {
		var at []int
		for j := range t.columns {
			if t.columns[j].name == name && !headless {
				at = append(at, j)
			}
		}
		if k, err := strconv.Atoi(name); at == nil && err == nil && k >= 1 && k <= columns {
			at = []int{k - 1}
		}
		if at == nil && name == "" && slices.Contains(t.cut, name) {
			return nil, nil // the table reader has already left out this empty column at the end
		}
		if at == nil && headless {
			return nil, bad(ErrFormat, file, "CSV.%s: there is no column %q and no header; give a column number from 1 to %d", option, name, columns)
		}
		if at == nil {
			return nil, bad(ErrFormat, file, "CSV.%s: the header has no column %q; %s", option, name, t.has())
		}
		return at, nil
	}
	const unnamed = -1
	p := &plan{label: unnamed, unknown: []string{"", "?", o.Unknown}, missing: o.Missing, bare: headless}
	roles := make([]role, columns)
	if o.Keep != nil {
		for j := range roles {
			roles[j] = dropped
		}
	}
	option := map[int]string{} // name of the option that selected a column, by index of the column
	assign := func(name string, columns []int, r role) error {
		for _, j := range columns {
			if option[j] == name && name != "Keep" && name != "Attributes" {
				continue
			}
			if option[j] == name {
				return bad(ErrFormat, file, "column %s is in CSV.%s twice; list it once", t.quoted(j), name)
			}
			if option[j] != "" {
				return bad(ErrFormat, file, "column %s is in CSV.%s and in CSV.%s; list it in only one of them", t.quoted(j), option[j], name)
			}
			roles[j], option[j] = r, name
		}
		return nil
	}
	if o.Label != "" {
		at, err := find("Label", o.Label)
		if err != nil {
			return nil, err
		}
		if len(at) > 1 {
			return nil, bad(ErrFormat, file, "%d columns are called %q; choose one with CSV.LabelColumn", len(at), o.Label)
		}
		p.label = at[0]
	}
	if o.Target != "" {
		at, err := find("Target", o.Target)
		if err != nil {
			return nil, err
		}
		if len(at) > 1 {
			return nil, advice.With("give the number of one of the columns, counted from 1", bad(ErrFormat, file, "CSV.Target: %d columns are called %q", len(at), o.Target))
		}
		if !t.measured(at[0]) {
			return nil, advice.With("name a column of numbers in CSV.Target, or this one in CSV.Attributes", bad(ErrFormat, file, "CSV.Target: column %s is not a column of finite numbers, but of type %s", t.quoted(at[0]), t.Type(at[0])))
		}
		p.targets = at
	}
	if k := o.LabelColumn; k != 0 {
		if k < 0 {
			k += columns + 1
		}
		if k < 1 || k > columns {
			return nil, bad(ErrFormat, file, "CSV.LabelColumn: there is no column %d; give 1 to %d, or -1 to -%d from the end", o.LabelColumn, columns, columns)
		}
		p.label = k - 1
	}
	if p.label >= 0 {
		if err := assign("Label", []int{p.label}, class); err != nil {
			return nil, err
		}
	}
	if err := assign("Target", p.targets, target); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		option string
		names  []string
		role   role
	}{{"Drop", o.Drop, dropped}, {"Keep", o.Keep, feature}, {"Attributes", o.Attributes, attribute}} {
		for _, name := range part.names {
			at, err := find(part.option, name)
			if err == nil {
				err = assign(part.option, at, part.role)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	for j, r := range roles {
		c := &t.columns[j]
		switch {
		case r == feature && option[j] == "" && c.counts && c.typ == Identifier && c.name == "" && columns > 1:
			p.note("column %s contains row numbers and was dropped; list it in CSV.Keep to keep it", t.quoted(j))
		case r == feature:
			if c.counts && !headless {
				p.note("column %s contains row numbers; if it is only an index, drop it with CSV{Drop: []string{%q}}", t.quoted(j), t.columnName(j))
			}
			p.features = append(p.features, j)
		case r == attribute:
			p.attributes = append(p.attributes, j)
		}
	}
	return p, nil
}

// role is the use of a column.
type role int

const (
	feature role = iota
	dropped
	attribute
	class
	target
)

// quoted returns the name of a column for messages: in quotes, or its number if it has no name.
func (t *Table) quoted(j int) string {
	if t.columns[j].name == "" {
		return strconv.Itoa(j + 1)
	}
	return strconv.Quote(t.columns[j].name)
}

// maxFaults is the maximum number of columns of each kind that an error lists.
const maxFaults = 20

// refuse returns an error if no column is left as a feature. It also returns an error if features
// are not numbers, have no value at all or, without o.Missing, have gaps. This error lists these
// features.
func (o CSV) refuse(t *Table, file string, p *plan) error {
	if len(p.features) == 0 {
		remedy := "give a file with columns besides the label and the target"
		switch {
		case o.Keep != nil:
			remedy = "list other columns in CSV.Keep"
		case len(o.Drop)+len(o.Attributes) > 0:
			remedy = "list fewer columns in CSV.Drop and CSV.Attributes"
		}
		return advice.With(remedy, bad(ErrFormat, file, "no column is left as a feature"))
	}
	var text, gap, texts, names []string
	for _, j := range p.features {
		c := &t.columns[j]
		switch numeric := c.typ == Number || c.typ == Integer || c.typ == Boolean || c.typ == Identifier && c.values != nil; {
		case c.gaps == len(t.rows):
			names = append(names, strconv.Quote(t.columnName(j)))
			text = append(text, t.quoted(j)+" (no value at all)")
		case !numeric:
			names = append(names, strconv.Quote(t.columnName(j)))
			line, first := t.first(j, func(b []byte) bool {
				kind, _ := classify(b)
				return !kind.gap() && !kind.number()
			})
			if line == 0 { // all cells are numbers, but with contradictory decimal marks
				line, first = t.first(j, func(b []byte) bool { kind, _ := classify(b); return kind == markedCell })
			}
			text = append(text, fmt.Sprintf("%s (line %d: %q)", t.quoted(j), line, cut(strings.ToValidUTF8(first, ""), 40)))
		case c.gaps > 0 && o.Missing == "":
			line, _ := t.first(j, c.isGap)
			gap = append(gap, fmt.Sprintf("%s (%d, %s %d)", t.quoted(j), c.gaps, nouns.Form(c.gaps, "on line", "first on line"), line))
		}
	}
	var remedies []string
	if text != nil {
		texts = append(texts, "not finite numbers: "+list(text))
		remedies = append(remedies, o.withoutTexts(names, p.label >= 0), "to use categories and dates as features, read the file with datasets.ReadTable and call Data()")
	}
	if gap != nil {
		texts = append(texts, "gaps in: "+list(gap))
		remedies = append(remedies, "fill gaps with CSV{Missing: datasets.Mean} or datasets.Median, or drop these samples with datasets.Drop")
	}
	if texts == nil {
		return nil
	}
	return advice.With(strings.Join(remedies, "; "), bad(ErrFormat, file, "%s", strings.Join(texts, "; ")))
}

// withoutTexts returns the remedy for the columns with the given quoted names, whose cells are not
// numbers. labelled reports whether another column is the label.
func (o CSV) withoutTexts(names []string, labelled bool) string {
	drop := "CSV.Drop"
	if len(names) <= maxFaults { // longer lists are abbreviated
		drop = fmt.Sprintf("CSV{Drop: []string{%s}}", strings.Join(names, ", "))
	}
	switch {
	case o.Keep != nil && labelled:
		return "move columns from CSV.Keep to CSV.Attributes, or leave them out"
	case o.Keep != nil:
		return "move columns from CSV.Keep to CSV.Attributes, make one the CSV.Label instead, or leave them out"
	case labelled:
		return fmt.Sprintf("drop columns with %s, or keep them as text with CSV.Attributes", drop)
	}
	return fmt.Sprintf("drop columns with %s, keep them as text with CSV.Attributes, or make one the CSV.Label", drop)
}

// first returns the line number and the text of the first cell in column j for which f is true, or
// 0 and "" if there is none.
func (t *Table) first(j int, f func(b []byte) bool) (line uint32, text string) {
	for _, r := range t.rows {
		if b := t.grid.text(r, j); f(b) {
			return r.line, string(b)
		}
	}
	return 0, ""
}
