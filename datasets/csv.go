package datasets

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// CSV says how to read a text table. The zero value reads comma-separated numbers
// without labels; a first line that is not all numbers is a header. A column is called by
// its name in the header, or by its number from 1 where there is none of that name.
type CSV struct {
	// Label is the column with the class; "" means that there is none, unless
	// LabelColumn is set.
	Label string
	// LabelColumn is the class column counted from 1, or from the end if negative
	// (−1 is the last); 0 means that there is none, unless Label is set.
	LabelColumn int
	// Unknown is the text of an unknown class, in addition to "" and "?".
	Unknown string
	// Drop lists the columns that are left out.
	Drop []string
	// Keep lists the columns that are features; all others but Label and Attributes are
	// left out. nil means all.
	Keep []string
	// Attributes lists the columns that are kept as text beside the features, such as
	// identifiers; see [data.Data.Attribute].
	Attributes []string
	// Missing says what becomes of gaps among the features: fields that are empty, "?",
	// "NA", "N/A", "NaN", "null" or "-" in any case. By default they are an error.
	Missing Missing
	// Comma separates the fields; 0 means ','.
	Comma rune
	// Decimal is the mark before the decimals of a number; 0 means '.'. Spreadsheets write
	// Comma ';' and Decimal ',' in many languages.
	Decimal rune
}

// Missing says what becomes of gaps in a table. A note of the data says what was done.
type Missing string

// The treatments of gaps.
const (
	Mean   Missing = "mean"   // filled by the mean of the column's other values
	Median Missing = "median" // filled by the median of the column's other values
	Drop   Missing = "drop"   // the sample is left out
)

// gaps are the texts of a number that is not known, in lower case.
var gaps = []string{"", "?", "na", "n/a", "nan", "null", "-"}

// ReadCSV reads a text table. Classes may be any text. Where all are whole numbers from
// 0, these are the labels; others are numbered in their order: by value where all are
// numbers, and otherwise as [data.CompareNames] says. Every other field must be a finite number,
// unless the options say what becomes of it; the error names all columns that are not.
// Samples that look like square pictures are taken for them, see [ReadNPZ].
func ReadCSV(path string, opt CSV) (*data.Data, error) {
	f, _, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := readCSV(f, path, opt)
	if err != nil {
		return nil, err
	}
	return guessImage(d, false), nil
}

func readCSV(r io.Reader, file string, opt CSV) (*data.Data, error) {
	budget := files.NewBudget()
	source := &recordReader{r: r, budget: budget}
	buffered := bufio.NewReader(source)
	if first, _ := buffered.Peek(len(mark)); string(first) == mark {
		_, _ = buffered.Discard(len(mark))
	}
	in := csv.NewReader(buffered)
	in.ReuseRecord = true
	in.TrimLeadingSpace = true
	if opt.Comma != 0 {
		in.Comma = opt.Comma
	}
	t := table{file: file, opt: opt, label: -1, budget: budget, number: map[string]int{}}
	if err := opt.check(file); err != nil {
		return nil, err
	}
	for {
		source.read = 0
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, data.ErrTooLarge) {
			return nil, tooLarge(file, err)
		}
		if err != nil {
			return nil, bad(ErrFormat, file, "%v", err)
		}
		line, _ := in.FieldPos(0)
		if err := t.add(record, line); err != nil {
			return nil, err
		}
	}
	return t.data()
}

// mark is the byte order mark, with which spreadsheets begin a file.
const mark = "\uFEFF"

// recordCost bounds the memory that each byte of a record takes while it is read.
const recordCost = 64

// recordReader bounds what is read for one record, which is held in memory.
type recordReader struct {
	r      io.Reader
	read   int64 // since the record before
	budget *files.Budget
}

func (r *recordReader) Read(p []byte) (int, error) {
	if cost := recordCost * r.read; cost > r.budget.Left() {
		return 0, r.budget.Take(cost)
	}
	n, err := r.r.Read(p)
	r.read += int64(n)
	return n, err
}

// check returns an error for options that contradict each other.
func (o CSV) check(file string) error {
	switch {
	case o.Missing != "" && o.Missing != Mean && o.Missing != Median && o.Missing != Drop:
		return advice.With("give Mean, Median or Drop", bad(ErrFormat, file, "CSV.Missing is %q", o.Missing))
	case o.Keep != nil && o.Drop != nil:
		return advice.With("give one of them", bad(ErrFormat, file, "CSV has both Keep and Drop"))
	case o.Label != "" && o.LabelColumn != 0:
		return advice.With("give one of them", bad(ErrFormat, file, "CSV has both Label and LabelColumn"))
	case o.Decimal == cmp.Or(o.Comma, ','):
		return advice.With("spreadsheets that write decimal commas separate by CSV{Comma: ';'}", bad(ErrFormat, file, "CSV.Decimal and CSV.Comma are both %q", o.Decimal))
	}
	return nil
}

// role is what a column is read as.
type role int

const (
	feature role = iota
	dropped
	attribute
	class
)

// table collects the rows of a CSV file.
type table struct {
	file   string
	opt    CSV
	label  int // column of the class, -1 for none
	header []string
	roles  []role // of the columns; nil before the first line
	faults []fault
	values []float64      // of the features, NaN for a gap
	texts  []string       // the different texts of the class column, in order of appearance
	number map[string]int // their places
	class  []int          // of each row, among the texts
	kept   [][]string     // the texts of each attribute
	budget *files.Budget
}

// fault counts the fields of a column that are no numbers.
type fault struct {
	text, gap int    // how many there are
	commas    int    // how many of the texts are numbers with a decimal comma
	line      int    // of the first text, or of the first gap if there is no text
	first     string // the first text
}

// textCost is the memory that a retained text takes besides its bytes.
const textCost = 64

// retain returns a copy of a field that does not hold its line.
func (t *table) retain(field string) (string, error) {
	if err := t.budget.Take(int64(len(field)) + textCost); err != nil {
		return "", tooLarge(t.file, err)
	}
	return strings.Clone(field), nil
}

func (t *table) add(record []string, line int) error {
	if t.roles == nil {
		if err := t.place(record); err != nil {
			return err
		}
		if t.header != nil {
			return nil
		}
	}
	if err := t.budget.Take(8 * int64(len(record))); err != nil {
		return tooLarge(t.file, err)
	}
	attributes := 0
	for k, field := range record {
		field = strings.TrimSpace(field)
		switch t.roles[k] {
		case class:
			c, seen := t.number[field]
			if !seen {
				text, err := t.retain(field)
				if err != nil {
					return err
				}
				c = len(t.texts)
				t.texts, t.number[text] = append(t.texts, text), c
			}
			t.class = append(t.class, c)
		case attribute:
			text, err := t.retain(field)
			if err != nil {
				return err
			}
			t.kept[attributes] = append(t.kept[attributes], text)
			attributes++
		case feature:
			v, err := t.feature(k, field, line)
			if err != nil {
				return err
			}
			t.values = append(t.values, v)
		}
	}
	return nil
}

// feature returns the number of a field, and NaN for a gap and, with a fault, for text.
func (t *table) feature(k int, field string, line int) (float64, error) {
	v, err := t.opt.parse(field)
	if err == nil && v-v == 0 {
		return v, nil
	}
	f := &t.faults[k]
	if slices.Contains(gaps, strings.ToLower(field)) {
		if f.text+f.gap == 0 {
			f.line = line
		}
		f.gap++
		return math.NaN(), nil
	}
	if _, err := (CSV{Decimal: ','}).parse(field); err == nil && t.opt.Decimal == 0 {
		f.commas++
	}
	if f.text++; f.text == 1 {
		f.line = line
		f.first, err = t.retain(strings.ToValidUTF8(field[:min(len(field), 40)], ""))
		return math.NaN(), err
	}
	return math.NaN(), nil
}

// parse reads a number. With another decimal mark a point is none: it separates
// thousands there.
func (o CSV) parse(field string) (float64, error) {
	if o.Decimal != 0 && o.Decimal != '.' {
		if strings.Contains(field, ".") {
			return 0, strconv.ErrSyntax
		}
		field = strings.Replace(field, string(o.Decimal), ".", 1)
	}
	return strconv.ParseFloat(field, 64)
}

// place finds the header and the role of each column from the first line.
func (t *table) place(record []string) error {
	if len(record) == 1 && t.opt.Comma == 0 {
		if at := strings.IndexAny(record[0], ";\t"); at >= 0 {
			return advice.With(fmt.Sprintf("give CSV{Comma: %q}", record[0][at]), bad(ErrFormat, t.file, "the first line has the separator %q and no comma", record[0][at]))
		}
	}
	for _, field := range record {
		t.header = append(t.header, strings.TrimSpace(field))
	}
	t.label = t.opt.LabelColumn - 1
	if t.opt.LabelColumn == 0 {
		t.label = -1
	} else if t.opt.LabelColumn < 0 {
		t.label = len(record) + t.opt.LabelColumn
	}
	columns := len(record)
	if t.headless() {
		t.header = nil
	}
	t.roles, t.faults = make([]role, columns), make([]fault, columns)
	// find returns the columns that a name stands for.
	find := func(option, name string) ([]int, error) {
		var at []int
		for k, h := range t.header {
			if h == name {
				at = append(at, k)
			}
		}
		if k, err := strconv.Atoi(name); at == nil && err == nil && k >= 1 && k <= columns {
			at = []int{k - 1}
		}
		if at == nil && t.header == nil {
			return nil, bad(ErrFormat, t.file, "CSV.%s: no column %q; there is no header, give the number of a column from 1 to %d", option, name, columns)
		}
		if at == nil {
			return nil, bad(ErrFormat, t.file, "CSV.%s: no column %q in the header %q", option, name, t.header)
		}
		return at, nil
	}
	if t.opt.Keep != nil {
		for k := range t.roles {
			t.roles[k] = dropped
		}
	}
	option := map[int]string{} // that has named a column
	assign := func(name string, columns []int, r role) error {
		for _, k := range columns {
			if option[k] != "" {
				return bad(ErrFormat, t.file, "column %s is in CSV.%s and in CSV.%s; name it in one", t.name(k), option[k], name)
			}
			t.roles[k], option[k] = r, name
		}
		return nil
	}
	if t.opt.Label != "" {
		at, err := find("Label", t.opt.Label)
		if err != nil {
			return err
		}
		if len(at) > 1 {
			return bad(ErrFormat, t.file, "two columns are called %q; say which by LabelColumn", t.opt.Label)
		}
		t.label = at[0]
	}
	if t.opt.LabelColumn != 0 && (t.label < 0 || t.label >= len(record)) {
		return bad(ErrFormat, t.file, "no column %d among %d", t.opt.LabelColumn, len(record))
	}
	if t.label >= 0 {
		if err := assign("Label", []int{t.label}, class); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		option string
		names  []string
		role   role
	}{{"Drop", t.opt.Drop, dropped}, {"Keep", t.opt.Keep, feature}, {"Attributes", t.opt.Attributes, attribute}} {
		for _, name := range part.names {
			at, err := find(part.option, name)
			if err == nil {
				err = assign(part.option, at, part.role)
			}
			if err != nil {
				return err
			}
		}
	}
	for _, r := range t.roles {
		if r == attribute {
			t.kept = append(t.kept, nil)
		}
	}
	return nil
}

// headless reports whether the first line is a sample: all fields are numbers but those
// of columns that the options call by their number and that are no features.
func (t *table) headless() bool {
	first := t.header
	// A number beyond the columns can only be a name.
	called := func(names []string, k int) bool { return slices.Contains(names, strconv.Itoa(k+1)) }
	others := slices.Concat(t.opt.Drop, t.opt.Attributes, []string{t.opt.Label})
	for _, name := range slices.Concat(others, t.opt.Keep) {
		if k, err := strconv.Atoi(name); slices.Contains(first, name) && (err != nil || k < 1 || k > len(first)) {
			return false
		}
	}
	for k, field := range first {
		_, err := t.opt.parse(field)
		gap := t.opt.Missing != "" && slices.Contains(gaps, strings.ToLower(field))
		left := called(others, k) || t.opt.Keep != nil && !called(t.opt.Keep, k)
		if err != nil && k != t.label && !gap && !left {
			return false
		}
	}
	return true
}

// name is what messages call a column.
func (t *table) name(k int) string {
	if t.header == nil {
		return strconv.Itoa(k + 1)
	}
	return strconv.Quote(t.header[k])
}

// maxFaults bounds the columns that an error names.
const maxFaults = 20

// refused returns the error that names the columns whose fields are no numbers, or nil.
func (t *table) refused() error {
	var text, comma, gap, texts, names []string
	for k, f := range t.faults {
		switch {
		case f.text > 0 && f.commas == f.text:
			comma = append(comma, fmt.Sprintf("%s (line %d: %q)", t.name(k), f.line, f.first))
		case f.text > 0:
			names = append(names, t.name(k))
			text = append(text, fmt.Sprintf("%s (line %d: %q)", t.name(k), f.line, f.first))
		case f.gap > 0 && f.gap*t.columns(feature) == len(t.values):
			names = append(names, t.name(k))
			text = append(text, t.name(k)+" (no value at all)")
		case f.gap > 0 && t.opt.Missing == "":
			gap = append(gap, fmt.Sprintf("%s (%d, first on line %d)", t.name(k), f.gap, f.line))
		}
	}
	list := func(items []string) string {
		if more := len(items) - maxFaults; more > 0 {
			items = append(slices.Clip(items[:maxFaults]), fmt.Sprintf("%d more", more))
		}
		return strings.Join(items, ", ")
	}
	var remedy []string
	if text != nil {
		texts = append(texts, "not finite numbers: "+list(text))
		quoted := names
		if t.header == nil {
			quoted = nil
			for _, n := range names {
				quoted = append(quoted, strconv.Quote(n))
			}
		}
		remedy = append(remedy, fmt.Sprintf("leave columns out by CSV{Drop: []string{%s}}, retain them as text by Attributes, or name one as Label", list(quoted)))
	}
	if comma != nil {
		texts = append(texts, "decimal commas in: "+list(comma))
		remedy = append(remedy, "read numbers with a decimal comma by CSV{Decimal: ','}")
	}
	if gap != nil {
		texts = append(texts, "gaps in: "+list(gap))
		remedy = append(remedy, "fill gaps by CSV{Missing: datasets.Mean} or datasets.Median, or leave such samples out by datasets.Drop")
	}
	if texts == nil {
		return nil
	}
	return advice.With(strings.Join(remedy, "; "), bad(ErrFormat, t.file, "%s", strings.Join(texts, "; ")))
}

// columns counts those of a role.
func (t *table) columns(r role) int {
	n := 0
	for _, is := range t.roles {
		if is == r {
			n++
		}
	}
	return n
}

// fill treats the gaps of the features and returns a note of it, "" if there are none.
func (t *table) fill(x *mat.Dense) string {
	n, features := x.Dims()
	filled := 0
	for c := range features {
		var known []float64
		for i := range n {
			if v := x.At(i, c); v == v {
				known = append(known, v)
			}
		}
		if len(known) == n {
			continue
		}
		by := 0.0
		if t.opt.Missing == Median {
			slices.Sort(known)
			m := len(known) / 2
			if by = known[m]; len(known)%2 == 0 {
				by = known[m-1] + (known[m]-known[m-1])/2
			}
		} else {
			for k, v := range known {
				by += (v - by) / float64(k+1) // a sum may overflow
			}
		}
		for i := range n {
			if v := x.At(i, c); v != v {
				x.Set(i, c, by)
				filled++
			}
		}
	}
	if filled == 0 {
		return ""
	}
	return fmt.Sprintf("%s filled by the %s of their column", count(filled, "gap"), t.opt.Missing)
}

// count writes a number of things.
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// dropRows leaves out the samples with a gap and returns a note of it, "" if there are
// none.
func (t *table) dropRows(features int) string {
	n := len(t.values) / features
	to := 0
	for i := range n {
		row := t.values[i*features : (i+1)*features]
		if slices.ContainsFunc(row, func(v float64) bool { return v != v }) {
			continue
		}
		copy(t.values[to*features:], row)
		if t.class != nil {
			t.class[to] = t.class[i]
		}
		for _, values := range t.kept {
			values[to] = values[i]
		}
		to++
	}
	if to == n {
		return ""
	}
	t.values = t.values[:to*features]
	if t.class != nil {
		t.class = t.class[:to]
	}
	for k := range t.kept {
		t.kept[k] = t.kept[k][:to]
	}
	return count(n-to, "sample") + " with gaps left out"
}

func (t *table) data() (*data.Data, error) {
	features := t.columns(feature)
	if features < 1 || len(t.values) == 0 {
		return nil, bad(ErrFormat, t.file, "no numbers in lines of %s", count(features, "feature"))
	}
	if err := t.refused(); err != nil {
		return nil, err
	}
	note := ""
	if t.opt.Missing == Drop {
		if note = t.dropRows(features); len(t.values) == 0 {
			return nil, advice.With("fill them by Mean or Median", bad(ErrFormat, t.file, "every sample has gaps"))
		}
	}
	x := mat.NewDense(len(t.values)/features, features, t.values)
	if t.opt.Missing == Mean || t.opt.Missing == Median {
		note = t.fill(x)
	}
	var labels []int
	var names []string
	if t.label >= 0 {
		labels, names = t.classes()
	}
	d := data.New(x, labels)
	d.Name, d.ClassNames = baseName(t.file), names
	if note != "" {
		d.Notes = append(d.Notes, note)
	}
	for _, name := range names {
		if slices.Contains(gaps, strings.ToLower(name)) {
			d.Notes = append(d.Notes, fmt.Sprintf("%q is a class; if it means that the class is not known, read with CSV{Unknown: %q}", name, name))
		}
	}
	attributes := 0
	for k, r := range t.roles {
		switch {
		case r == attribute:
			name := strconv.Itoa(k + 1)
			if t.header != nil {
				name = t.header[k]
			}
			d.Attributes = append(d.Attributes, data.Attribute{Name: name, Values: t.kept[attributes]})
			attributes++
		case r == feature && t.header != nil:
			d.FeatureNames = append(d.FeatureNames, t.header[k])
		}
	}
	return d, d.Err()
}

// unknown reports whether a text of the class column says that the class is not known.
func (t *table) unknown(text string) bool { return text == "" || text == "?" || text == t.opt.Unknown }

// classes numbers the texts of the class column that are in use.
func (t *table) classes() (labels []int, names []string) {
	whole := true
	value := make([]int, len(t.texts))
	used := make([]bool, len(t.texts))
	for _, c := range t.class {
		used[c] = true
	}
	for c, s := range t.texts {
		value[c] = data.Unlabelled
		if t.unknown(s) || !used[c] {
			continue
		}
		names = append(names, s)
		v, err := strconv.Atoi(s)
		whole = whole && err == nil && v >= data.Unlabelled && v <= data.MaxLabel
		value[c] = v
	}
	if whole {
		names = nil
	} else {
		sortNames(names)
		for k, name := range names {
			value[t.number[name]] = k
		}
	}
	labels = make([]int, len(t.class))
	for i, c := range t.class {
		labels[i] = value[c]
	}
	return labels, names
}

// sortNames sorts names of classes: by value where all are numbers, and otherwise as
// readers do, "category 2" before "category 10".
func sortNames(names []string) {
	value := map[string]float64{}
	numbers := true
	for _, name := range names {
		v, err := strconv.ParseFloat(name, 64)
		value[name] = v
		numbers = numbers && err == nil && !math.IsNaN(v)
	}
	slices.SortFunc(names, func(a, b string) int {
		if numbers && value[a] != value[b] {
			return cmp.Compare(value[a], value[b])
		}
		return data.CompareNames(a, b)
	})
}
