package datasets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// formats lists the table formats other than separated text, recognised by their first lines. Text
// files of word vectors (GloVe, word2vec) are read as separated text.
var formats = []struct {
	is   func(text []byte) bool
	read func(text []byte, file string, opt *tableOptions, budget *files.Budget) (*Table, error)
}{
	{isMatrixMarket, readMatrixMarket},
	{isARFF, readARFF},
	{isJSON, readJSON},
	{isLibsvm, readLibsvm},
}

// sliceCost is the number of bytes of a slice without its elements on 64-bit machines.
const sliceCost = 24

// nextLine splits a text after its first line.
func nextLine(text []byte) (line, rest []byte) {
	if at := bytes.IndexByte(text, '\n'); at >= 0 {
		return bytes.TrimSuffix(text[:at], []byte{'\r'}), text[at+1:]
	}
	return text, nil
}

// table returns the table with the cells of the builder. how describes the format in the printed
// table.
func (b *gridBuilder) table(file, how string, names []string, width int, opt *tableOptions) (*Table, error) {
	if len(b.rows) == 0 || width == 0 {
		return nil, advice.With("give a file with samples", bad(ErrFormat, file, "the table has no rows or no columns"))
	}
	t := &Table{name: baseName(file), grid: &b.grid, rows: b.grid.rows, format: how}
	return t.complete(file, names, nil, width, opt, b.budget)
}

// Matrix Market: Boisvert, Pozo, Remington, "The Matrix Market exchange formats: initial design",
// NISTIR 5935, 1996. A sparse matrix becomes a table that includes the zeros.

func isMatrixMarket(text []byte) bool {
	return len(text) > 14 && strings.EqualFold(string(text[:14]), "%%MatrixMarket")
}

func readMatrixMarket(text []byte, file string, opt *tableOptions, budget *files.Budget) (*Table, error) {
	fail := func(format string, args ...any) (*Table, error) {
		return nil, advice.With("write the file again, in Python with scipy.io.mmwrite", bad(ErrFormat, file, "Matrix Market: "+format, args...))
	}
	line, rest := nextLine(text)
	kind := strings.Fields(strings.ToLower(string(line)))
	if len(kind) != 5 || kind[1] != "matrix" || kind[2] != "coordinate" && kind[2] != "array" {
		return fail("the first line is %.60q instead of a header such as %q", line, "%%MatrixMarket matrix coordinate real general")
	}
	if kind[3] == "complex" || kind[4] == "hermitian" {
		return nil, advice.With("write its real part or its absolute values", bad(ErrUnsupported, file, "Matrix Market: the matrix is complex or Hermitian"))
	}
	sparse, pattern := kind[2] == "coordinate", kind[3] == "pattern"
	number := uint32(1)
	next := func() []string {
		for len(rest) > 0 {
			line, rest = nextLine(rest)
			number++
			if f := strings.Fields(string(line)); len(f) > 0 && f[0][0] != '%' {
				return f
			}
		}
		return nil
	}
	whole := func(f []string) (out [3]int, ok bool) {
		for k := range min(len(f), 3) {
			v, err := strconv.Atoi(f[k])
			if err != nil || v < 0 {
				return out, false
			}
			out[k] = v
		}
		return out, true
	}
	f := next()
	size, ok := whole(f)
	if !ok || len(f) != 2 && !sparse || len(f) != 3 && sparse {
		return fail("line %d is not a size line: %.60q", number, line)
	}
	rows, width := size[0], size[1]
	if sparse && size[2] > len(text) {
		return fail("the header claims %d entries in a file of %d bytes", size[2], len(text))
	}
	// A file contains at least one byte per value, but the file of a symmetric matrix contains only
	// half of the values.
	if _, ok := files.Count([]int{rows, width}, 2*int64(len(text))); !ok && !sparse {
		return fail("the header claims %d×%d values in a file of %d bytes", rows, width, len(text))
	}
	if err := proportion(file, "Matrix Market", rows, width, text); err != nil {
		return nil, err
	}
	// A coordinate file omits zeros, but the table contains every cell, so the memory for all cells
	// is checked first.
	if _, ok := files.Count([]int{rows, width}, budget.Left()/(sliceCost+cellCost+2)); !ok {
		return nil, tooLarge(file, budget.Spare(budget.Left()+1))
	}
	if err := budget.Take(sliceCost * int64(rows) * int64(width)); err != nil {
		return nil, tooLarge(file, err)
	}
	cells := make([][]byte, rows*width)
	set := func(i, j int, v []byte) {
		cells[i*width+j] = v
		switch {
		case i == j || i >= width || j >= rows:
		case kind[4] == "symmetric":
			cells[j*width+i] = v
		case kind[4] == "skew-symmetric":
			if rest, ok := bytes.CutPrefix(v, []byte{'-'}); ok {
				cells[j*width+i] = rest
			} else {
				cells[j*width+i] = append([]byte{'-'}, v...)
			}
		}
	}
	if sparse {
		what := "a row, a column and a value"
		if pattern {
			what = "a row and a column"
		}
		for k := range size[2] {
			f := next()
			at, ok := whole(f[:min(len(f), 2)])
			if f == nil {
				return fail("the file ends after %d of %d entries", k, size[2])
			}
			if !ok || at[0] < 1 || at[0] > rows || at[1] < 1 || at[1] > width || len(f) != 3 && !pattern {
				return fail("line %d is %.60q, but entry %d needs %s within the %d×%d matrix", number, line, k+1, what, rows, width)
			}
			v := []byte("1")
			if !pattern {
				v = []byte(f[2])
			}
			set(at[0]-1, at[1]-1, v)
		}
	} else {
		for j := range width {
			from := 0
			if kind[4] != "general" {
				from = j
				if kind[4] == "skew-symmetric" {
					from++
				}
			}
			for i := from; i < rows; i++ {
				f := next()
				if f == nil {
					return fail("the file ends before the value in row %d, column %d", i+1, j+1)
				}
				if len(f) != 1 {
					return fail("line %d is %.60q instead of the value in row %d, column %d", number, line, i+1, j+1)
				}
				set(i, j, []byte(f[0]))
			}
		}
	}
	if next() != nil {
		return fail("line %d follows the last entry: %.60q", number, line)
	}
	b := gridBuilder{budget: budget}
	for k, v := range cells {
		if v == nil {
			v = []byte("0")
		}
		b.cell(v)
		if (k+1)%width == 0 {
			if err := b.end(); err != nil {
				return nil, tooLarge(file, err)
			}
		}
	}
	return b.table(file, "Matrix Market", nil, width, opt)
}

// libsvm: a class or target, followed by index:value for nonzero values, with ascending indices
// from 0 or 1. The first column of the table is the class or target.

func isLibsvm(text []byte) bool {
	lines := 0
	for rest := text; len(rest) > 0 && lines < 20; {
		var line []byte
		line, rest = nextLine(rest)
		line, _, _ = bytes.Cut(line, []byte{'#'})
		f := bytes.Fields(line)
		if len(f) == 0 {
			continue
		}
		lines++
		if _, kind := plainNumber(f[0]); kind == textCell {
			return false
		}
		for _, pair := range f[1:] {
			index, value, ok := bytes.Cut(pair, []byte{':'})
			if k, err := strconv.Atoi(string(index)); !ok || err != nil && string(index) != "qid" || err == nil && k < 0 || len(value) == 0 {
				return false
			}
			if _, kind := plainNumber(value); kind == textCell {
				return false
			}
		}
		if lines == 1 && len(f) == 1 {
			return false
		}
	}
	return lines > 0
}

func readLibsvm(text []byte, file string, opt *tableOptions, budget *files.Budget) (*Table, error) {
	width, rows, first := 0, 0, 1
	// The text is read twice. The first pass finds the largest index, which sets the width.
	each := func(f func(number int, fields [][]byte) error) error {
		number := 0
		for rest := text; len(rest) > 0; {
			var line []byte
			line, rest = nextLine(rest)
			number++
			line, _, _ = bytes.Cut(line, []byte{'#'})
			fields := bytes.Fields(line)
			if len(fields) == 0 {
				continue
			}
			if len(fields) > 1 && bytes.HasPrefix(fields[1], []byte("qid:")) {
				fields = slices.Delete(fields, 1, 2)
			}
			if err := f(number, fields); err != nil {
				return err
			}
		}
		return nil
	}
	wrong := func(number int, what []byte) error {
		return advice.With("write each line as a class and then index:value pairs with ascending indices from 1", bad(ErrFormat, file, "libsvm: line %d has %.40q, which is not a valid index:value pair", number, what))
	}
	err := each(func(number int, fields [][]byte) error {
		rows++
		last := -1
		for _, pair := range fields[1:] {
			index, _, ok := bytes.Cut(pair, []byte{':'})
			k, err := strconv.Atoi(string(index))
			if !ok || err != nil || k <= last || k < 0 || k > 1<<30 {
				return wrong(number, pair)
			}
			if k == 0 {
				first = 0
			}
			last = k
			width = max(width, k)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	width += 2 - first // the features from the first index to the largest, and the class
	if err := proportion(file, "libsvm", rows, width, text); err != nil {
		return nil, err
	}
	if _, ok := files.Count([]int{rows, width}, budget.Left()/(cellCost+2)); !ok {
		return nil, tooLarge(file, budget.Spare(budget.Left()+1))
	}
	b := gridBuilder{budget: budget}
	err = each(func(_ int, fields [][]byte) error {
		b.cell(fields[0])
		at := first
		for _, pair := range fields[1:] {
			index, value, _ := bytes.Cut(pair, []byte{':'})
			k, _ := strconv.Atoi(string(index))
			for ; at < k; at++ {
				b.cell([]byte("0"))
			}
			b.cell(value)
			at++
		}
		for ; at < width-1+first; at++ {
			b.cell([]byte("0"))
		}
		if err := b.end(); err != nil {
			return tooLarge(file, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	names := make([]string, width)
	names[0] = "label"
	for k := 1; k < width; k++ {
		names[k] = "x" + strconv.Itoa(k-1+first)
	}
	return b.table(file, "libsvm", names, width, opt)
}

// proportion returns an error if a sparse matrix has too many cells for the size of its file. This
// prevents a small file from allocating gigabytes of zeros.
func proportion(file, format string, rows, width int, text []byte) error {
	const (
		always  = 1 << 18 // number of cells that are always allowed
		perByte = 1000    // cells allowed per byte; tables of word counts, the sparsest common tables, have about 100
	)
	if _, ok := files.Count([]int{rows, width}, max(always, perByte*int64(len(text)))); ok {
		return nil
	}
	return advice.With("remove empty rows and columns, or save the matrix as a dense table", bad(data.ErrTooLarge, file, "%s: the matrix has %d×%d cells, nearly all of them zeros, in a file of %d bytes", format, rows, width, len(text)))
}

// ARFF: the attribute-relation file format of Weka. A row may be sparse: {index value, …}.

func isARFF(text []byte) bool {
	for rest := text; len(rest) > 0; {
		var line []byte
		line, rest = nextLine(rest)
		line = trimCell(line)
		if len(line) == 0 || line[0] == '%' {
			continue
		}
		return len(line) > 9 && strings.EqualFold(string(line[:9]), "@relation")
	}
	return false
}

func readARFF(text []byte, file string, opt *tableOptions, budget *files.Budget) (*Table, error) {
	var names []string
	var types []ColumnType
	var nominal [][]string // first value of each nominal attribute (nil for other attributes); sparse rows omit this value, as they omit 0
	number := 0
	rest := text
	for {
		if len(rest) == 0 {
			return nil, advice.With("give a file with a line @data and rows after it", bad(ErrFormat, file, "ARFF: there is no line @data"))
		}
		var line []byte
		line, rest = nextLine(rest)
		number++
		line = trimCell(line)
		word, after, _ := strings.Cut(strings.ReplaceAll(string(line), "\t", " "), " ")
		if strings.EqualFold(word, "@data") {
			break
		}
		if !strings.EqualFold(word, "@attribute") {
			continue
		}
		name, kind, ok := arffName(strings.TrimSpace(after))
		if !ok {
			return nil, advice.With("write each column as a line @attribute name type", bad(ErrFormat, file, "ARFF: line %d is %.60q, without a name or a type", number, line))
		}
		typ := Text
		var levels []string
		switch lower := strings.ToLower(kind); {
		case strings.HasPrefix(kind, "{"):
			typ = Category
			first, _, _ := strings.Cut(strings.Trim(kind, "{} "), ",")
			levels = []string{strings.Trim(strings.TrimSpace(first), `'"`)}
		case strings.HasPrefix(lower, "num"), strings.HasPrefix(lower, "real"), strings.HasPrefix(lower, "int"):
			typ = Number
		case strings.HasPrefix(lower, "date"):
			typ = Date
		}
		if err := budget.Take(int64(len(line)) + columnCost); err != nil {
			return nil, tooLarge(file, err)
		}
		names, types, nominal = append(names, name), append(types, typ), append(nominal, levels)
	}
	if len(names) == 0 {
		return nil, advice.With("write each column as a line @attribute name type", bad(ErrFormat, file, "ARFF: there is no line @attribute"))
	}
	body := rest
	quote := byte('\'')
	if bytes.Count(body, []byte{'"'}) > bytes.Count(body, []byte{'\''}) {
		quote = '"'
	}
	how := dialect{sep: ",", quote: quote, backslash: true}
	if line, _ := nextLine(body); bytes.IndexByte(line, ',') < 0 && bytes.IndexByte(line, '\t') >= 0 {
		how.sep = "\t"
	}
	g, err := scan(body, how, 0, budget)
	if err != nil {
		return nil, tooLarge(file, err)
	}
	b := gridBuilder{budget: budget}
	for _, r := range g.rows {
		first := trimCell(g.span(r, 0))
		if len(first) == 0 && r.n == 1 || len(first) > 0 && first[0] == '%' {
			continue
		}
		if len(first) > 0 && first[0] == '{' {
			cells := make([][]byte, len(names))
			for j := range cells {
				cells[j] = []byte("0")
				if nominal[j] != nil {
					cells[j] = []byte(nominal[j][0])
				}
			}
			for k := range int(r.n) {
				pair := bytes.Trim(trimCell(g.span(r, k)), "{} ")
				if len(pair) == 0 {
					continue
				}
				index, value, ok := bytes.Cut(pair, []byte{' '})
				j, err := strconv.Atoi(string(index))
				if !ok || err != nil || j < 0 || j >= len(names) {
					return nil, advice.With("write a sparse row as {index value, …} with indices from 0", bad(ErrFormat, file, "ARFF: line %d has %.60q, which is not a pair of a valid index and a value", number+int(r.line), pair))
				}
				cells[j] = bytes.Trim(trimCell(value), `'"`)
			}
			for _, c := range cells {
				b.cell(c)
			}
		} else {
			if int(r.n) != len(names) {
				return nil, advice.With("give each row a value for each attribute, with ? for a gap", bad(ErrFormat, file, "ARFF: line %d has %s for %s", number+int(r.line), nouns.Count(int(r.n), "value"), nouns.Count(len(names), "attribute")))
			}
			for j := range names {
				b.cell(g.text(r, j))
			}
		}
		if err := b.end(); err != nil {
			return nil, tooLarge(file, err)
		}
		b.rows[len(b.rows)-1].line = uint32(number) + r.line
	}
	typed := *opt
	typed.set = make([]ColumnType, len(types))
	for j, typ := range types { // numbers and texts are detected from the cells, because they may be integers or categories
		if typ == Category || typ == Date {
			typed.set[j] = typ
		}
	}
	return b.table(file, "ARFF", names, len(names), &typed)
}

// arffName splits the name, which may be in quotes, from the rest of a declaration.
func arffName(s string) (name, kind string, ok bool) {
	if s == "" {
		return "", "", false
	}
	if q := s[0]; q == '\'' || q == '"' {
		end := strings.IndexByte(s[1:], q)
		if end < 0 {
			return "", "", false
		}
		return s[1 : end+1], strings.TrimSpace(s[end+2:]), true
	}
	if at := strings.IndexAny(s, " {"); at > 0 {
		return s[:at], strings.TrimSpace(s[at:]), true
	}
	return "", "", false
}

// JSON: one object per line, or one array of objects. Fields become columns in order of appearance.
// Fields of inner objects are called outer.inner.

func isJSON(text []byte) bool {
	t := bytes.TrimLeft(text, " \t\r\n")
	if bytes.HasPrefix(t, []byte("[")) {
		t = bytes.TrimLeft(t[1:], " \t\r\n")
	}
	if !bytes.HasPrefix(t, []byte("{")) {
		return false
	}
	t = bytes.TrimLeft(t[1:], " \t\r\n")
	return bytes.HasPrefix(t, []byte(`"`)) || bytes.HasPrefix(t, []byte("}"))
}

// maxDepth bounds the nesting depth of JSON objects.
const maxDepth = 8

func readJSON(text []byte, file string, opt *tableOptions, budget *files.Budget) (*Table, error) {
	j := jsonTable{place: map[string]int{}, budget: budget}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	err := j.read(in, bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")))
	if err != nil {
		if j.full != nil {
			return nil, tooLarge(file, j.full)
		}
		line := 1 + bytes.Count(text[:min(int(in.InputOffset()), len(text))], []byte{'\n'})
		return nil, advice.With("write one object in each line, such as {\"length\": 5.1, \"kind\": \"rose\"}", bad(ErrFormat, file, "JSON: near line %d: %v", line, err))
	}
	b := gridBuilder{budget: budget}
	cells := make([]string, len(j.names))
	for _, row := range j.rows {
		clear(cells)
		for _, f := range row {
			cells[f.column] = f.text
		}
		for _, c := range cells {
			b.cell([]byte(c))
		}
		if err := b.end(); err != nil {
			return nil, tooLarge(file, err)
		}
	}
	return b.table(file, "JSON", j.names, len(cells), opt)
}

// jsonTable collects the fields of objects.
type jsonTable struct {
	names  []string
	place  map[string]int // index of each name in names
	rows   [][]jsonField
	row    []jsonField // fields of the current object
	budget *files.Budget
	full   error // error if the memory budget is exceeded
}

type jsonField struct {
	column int
	text   string
}

// read reads all objects of a stream.
func (j *jsonTable) read(in *json.Decoder, array bool) error {
	if array {
		if _, err := in.Token(); err != nil {
			return err
		}
	}
	for {
		if array && !in.More() {
			_, err := in.Token()
			return err
		}
		tok, err := in.Token()
		if errors.Is(err, io.EOF) && !array {
			return nil
		}
		if err != nil {
			return err
		}
		if tok != json.Delim('{') {
			return fmt.Errorf("%v is not an object", tok)
		}
		if err := j.take(sliceCost); err != nil {
			return err
		}
		j.row = nil
		if err := j.object(in, "", 0); err != nil {
			return err
		}
		j.rows = append(j.rows, j.row)
	}
}

// object reads the fields of an object, after its opening brace.
func (j *jsonTable) object(in *json.Decoder, prefix string, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("objects are nested more than %d levels deep", maxDepth)
	}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return err
		}
		name := prefix + fmt.Sprint(key)
		value, err := in.Token()
		if err != nil {
			return err
		}
		text := ""
		switch v := value.(type) {
		case json.Delim:
			if v == '{' {
				if err := j.object(in, name+".", depth+1); err != nil {
					return err
				}
				continue
			}
			if text, err = jsonArray(in); err != nil {
				return err
			}
		case nil:
		default:
			text = fmt.Sprint(v)
		}
		if err := j.field(name, text); err != nil {
			return err
		}
	}
	_, err := in.Token()
	return err
}

// field adds a field to the current row.
func (j *jsonTable) field(name, text string) error {
	cost := int64(len(text)) + textCost
	at, ok := j.place[name]
	if !ok {
		at = len(j.names)
		j.names, j.place[name] = append(j.names, name), at
		cost += int64(len(name)) + columnCost
	}
	if err := j.take(cost); err != nil {
		return err
	}
	j.row = append(j.row, jsonField{at, text})
	return nil
}

// take takes n bytes from the budget.
func (j *jsonTable) take(n int64) error {
	j.full = j.budget.Take(n)
	return j.full
}

// jsonArray reads an array of plain values, after its opening bracket, as a single text.
func jsonArray(in *json.Decoder) (string, error) {
	var text []byte // texts of the values would take many times the memory of the file
	for first := true; in.More(); first = false {
		v, err := in.Token()
		if err != nil {
			return "", err
		}
		if d, ok := v.(json.Delim); ok {
			return "", fmt.Errorf("an array contains another array or an object (%v), but only plain values are supported", d)
		}
		if !first {
			text = append(text, ", "...)
		}
		text = fmt.Append(text, v)
	}
	_, err := in.Token()
	return string(text), err
}
