package datasets

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// layout is the position of the table among the rows of a file.
type layout struct {
	names []string // column names; nil without a header
	units []string // column units; nil without a row of units
	width int      // number of columns
	rows  []record // data rows
	cut   []string // contains "" if empty columns at the end were left out
	notes []string // notes on decisions about the layout
}

// shape summarises a row for layout detection.
type shape struct {
	filled int // number of nonempty cells
	last   int // index after the last nonempty cell
}

// layoutCost is the memory in bytes that the function lay allocates for each row of a file: a shape
// and a copy of the record.
const layoutCost = 16 + rowCost

// layoutOptions contains the user's options that concern the layout.
type layoutOptions struct {
	header  int      // number of header rows; −1 for detection
	skip    int      // number of lines to ignore at the beginning
	footer  int      // number of rows to ignore at the end
	comment string   // prefix of lines to leave out
	names   []string // column names that occur in the options
}

// maxHeader bounds the number of header rows.
const maxHeader = 5

// bodySample bounds the number of data rows that are compared with the header.
const bodySample = 200

// part is the number of data rows after which a blank row may end the table. Rows below such a
// blank row are not compared with the header.
const part = 5

// lay returns the layout of the table in a grid. It modifies the rows of the grid.
func lay(g *grid, opt layoutOptions) (layout, error) {
	l := layouter{g: g, opt: opt}
	l.clean()
	if len(l.rows) == 0 {
		return layout{}, errNoRows
	}
	l.measure()
	first, header := l.top()
	return l.finish(first, header), nil
}

// layouter computes a layout.
type layouter struct {
	g      *grid
	opt    layoutOptions
	rows   []record // rows of the file, with blank rows and without comments
	shapes []shape
	width  int // most frequent number of cells in a row
	usual  int // median number of nonempty cells in a row that is not blank
	notes  []string
}

func (l *layouter) note(format string, args ...any) {
	l.notes = append(l.notes, fmt.Sprintf(format, args...))
}

// blank reports whether all cells of a row are empty.
func (l *layouter) blank(i int) bool { return l.shapes[i].filled == 0 }

// shapeOf counts the nonempty cells of a row. It stops when the count reaches `most`.
func (l *layouter) shapeOf(r record, most int) shape {
	var s shape
	for j := 0; j < int(r.n) && s.filled < most; j++ {
		if !l.g.empty(r, j) {
			s.filled++
			s.last = j + 1
		}
	}
	return s
}

// clean removes skipped lines and comments, and computes the shapes of the remaining rows.
func (l *layouter) clean() {
	rows := l.g.rows
	if l.opt.skip > 0 {
		rows = rows[min(len(rows), len(rows)-countFrom(rows, uint32(l.opt.skip)+1)):]
		l.note("%s skipped", nouns.Count(l.opt.skip, "line"))
	}
	widest := modalCells(rows)
	comments, first := 0, uint32(0)
	kept := rows[:0]
	for _, r := range rows {
		if l.comment(r, widest) {
			if comments++; first == 0 {
				first = r.line
			}
			continue
		}
		kept = append(kept, r)
	}
	if comments > 0 {
		l.note("%s skipped%s", nouns.Count(comments, "comment line"), onLine(comments, first))
	}
	l.rows = kept
	l.shapes = make([]shape, len(kept))
	for i, r := range kept {
		most := int(r.n)
		if i >= shaped {
			most = 2 // see shaped
		}
		l.shapes[i] = l.shapeOf(r, most)
	}
}

// shaped is the number of rows after which at most two nonempty cells per row are counted.
const shaped = 1 << 16

// countFrom returns the number of rows that begin at or after the given line.
func countFrom(rows []record, line uint32) int {
	at, _ := slices.BinarySearchFunc(rows, line, func(r record, line uint32) int { return int(int64(r.line) - int64(line)) })
	return len(rows) - at
}

// comment reports whether a row is a comment. If the user gave a prefix, comments begin with it.
// Otherwise comments begin with # or %, and their number of cells differs from `usual`, the most
// frequent number of cells in a row.
func (l *layouter) comment(r record, usual int) bool {
	b := trimCell(l.g.span(r, 0))
	if l.opt.comment != "" {
		return bytes.HasPrefix(b, []byte(l.opt.comment))
	}
	if len(b) == 0 || b[0] != '#' && b[0] != '%' || isGap(b) {
		return false
	}
	return int(r.n) != usual
}

// modalCells returns the most frequent number of cells in a row. In a tie, it returns the largest
// of these numbers.
func modalCells(rows []record) int {
	counts := map[int32]int{}
	for _, r := range rows {
		counts[r.n]++
	}
	best, top := int32(0), 0
	for n, c := range counts {
		if c > top || c == top && n > best {
			best, top = n, c
		}
	}
	return int(best)
}

// measure finds the width of the table and the usual number of nonempty cells.
func (l *layouter) measure() {
	counts, filled := map[int32]int{}, []int{}
	for i, r := range l.rows {
		if !l.blank(i) {
			counts[r.n]++
			if i < shaped {
				filled = append(filled, l.shapes[i].filled)
			}
		}
	}
	best, top := int32(0), 0
	for n, c := range counts {
		if c > top || c == top && n > best {
			best, top = n, c
		}
	}
	l.width = int(best)
	slices.Sort(filled)
	if len(filled) > 0 {
		l.usual = filled[len(filled)/2]
	}
}

// bodyKinds finds the kind of each column from its cells in row i and below. At least two thirds of
// the cells that are not gaps must have the same kind; otherwise the kind is text. A column without
// values has the kind emptyCell.
func (l *layouter) bodyKinds(i int) []cellKind {
	width := l.width
	counts := make([][5]int, width) // for each column, the numbers of cells that are numbers, dates, booleans and texts, and the sum of the four
	seen := 0
	for ; i < len(l.rows) && seen < bodySample; i++ {
		if l.blank(i) {
			if seen >= part {
				break
			}
			continue
		}
		seen++
		for j := range min(width, int(l.rows[i].n)) {
			kind, _ := classify(l.g.text(l.rows[i], j))
			switch {
			case kind.gap():
				continue
			case kind.number():
				counts[j][0]++
			case kind == dateCell:
				counts[j][1]++
			case kind == boolCell:
				counts[j][2]++
			default:
				counts[j][3]++
			}
			counts[j][4]++
		}
	}
	kinds := make([]cellKind, width)
	for j, c := range counts {
		kinds[j] = textCell
		for k, kind := range []cellKind{floatCell, dateCell, boolCell} {
			if c[4] > 0 && 3*c[k] >= 2*c[4] {
				kinds[j] = kind
			}
		}
		if c[4] == 0 {
			kinds[j] = emptyCell
		}
	}
	return kinds
}

// contrast compares the cells of row i with the kinds of their columns. It ignores columns of text
// and empty columns. words counts the cells that can be column names: texts, booleans, and dates
// above numbers. alike counts the cells that have the same kind as their column.
func (l *layouter) contrast(i int, kinds []cellKind) (words, alike int) {
	r := l.rows[i]
	for j := range min(len(kinds), int(r.n)) {
		kind, _ := classify(l.g.text(r, j))
		if kind.gap() || kinds[j] == textCell || kinds[j] == emptyCell {
			continue
		}
		switch same := kind.number() && kinds[j].number() || kind == kinds[j]; {
		case same:
			alike++
		case kind == textCell || kind == dateCell && kinds[j].number() || kind == boolCell:
			words++
		}
	}
	return words, alike
}

// top returns the index of the first row of the table, and the indices of the header rows or nil.
func (l *layouter) top() (first int, header []int) {
	full := func(i int) bool { // full reports whether a row has enough nonempty cells to belong to the table
		if l.width == 1 {
			return l.shapes[i].filled >= 1
		}
		return l.shapes[i].filled >= max(2, (l.usual+1)/2) && int(l.rows[i].n) >= l.width-1
	}
	for first < len(l.rows) && !full(first) {
		first++
	}
	if first == len(l.rows) { // no row is full, so all rows belong to the table
		for first = 0; l.blank(first) && first < len(l.rows)-1; first++ {
		}
	}
	if l.opt.header == 0 {
		return l.start(), nil
	}
	if l.opt.header > 0 {
		first = l.start()
		for i := first; i < len(l.rows) && len(header) < l.opt.header; i++ {
			if !l.blank(i) {
				header = append(header, i)
			}
		}
		return first, header
	}
	if l.opt.skip > 0 {
		first = l.start()
	}
	if !l.isHeader(first) {
		// Rows of words above the first full row are header rows with empty cells.
		kinds := l.bodyKinds(first)
		i := first - 1
		for ; i >= 0 && len(header) < maxHeader; i-- {
			if l.blank(i) && i > 0 && l.shapes[i-1].filled >= 2 {
				continue
			}
			words, alike := l.contrast(i, kinds)
			few := l.shapes[i].filled < 2 && !(l.shapes[i].filled == l.width-1 && l.g.empty(l.rows[i], 0))
			if few || alike > 0 || words == 0 || int(l.rows[i].n) < l.width {
				break
			}
			header = append([]int{i}, header...)
		}
		if len(header) > 0 {
			return header[0], header
		}
		return first, nil
	}
	header = []int{first}
	// Rows of words directly below and above this row can also belong to the header.
	body := l.bodyFrom(first + 1)
	kinds := l.bodyKinds(body)
	for i := first + 1; i < len(l.rows) && len(header) < maxHeader; i++ {
		if l.blank(i) && i+1 < len(l.rows) && l.continues(i+1, first, kinds) {
			continue
		}
		if !l.continues(i, first, kinds) {
			break
		}
		header = append(header, i)
	}
	if at := header[len(header)-1] + 1; len(header) == 2 && at < len(l.rows) && l.containsOnly(at-1, orangeTypes) && l.containsOnly(at, orangeRoles) {
		header = append(header, at)
	}
	for i := first - 1; i >= 0 && len(header) < maxHeader; i-- {
		words, alike := l.contrast(i, kinds)
		if l.shapes[i].filled < 2 || alike > 0 || words+l.wordsOver(i, kinds) < l.shapes[i].filled || l.complete(first) && l.shapes[i].filled == l.shapes[first].filled {
			break
		}
		if int(l.rows[i].n) != int(l.rows[first].n) {
			break
		}
		header = append([]int{i}, header...)
	}
	return header[0], header
}

// Words in files of the program Orange. In these files, a row with the types of the columns and a
// row with their roles follow the row of names.
const (
	orangeTypes = " c d s t continuous discrete string time numeric "
	orangeRoles = " class meta ignore weight i m w "
)

// containsOnly reports whether all nonempty cells of a row are in the list `words`.
func (l *layouter) containsOnly(i int, words string) bool {
	for j := range int(l.rows[i].n) {
		if b := l.g.text(l.rows[i], j); len(b) > 0 && !strings.Contains(words, " "+string(b)+" ") {
			return false
		}
	}
	return true
}

// wordsOver counts the cells of row i that can be names of text columns or empty columns: they are
// neither gaps nor numbers. contrast counts the names of other columns.
func (l *layouter) wordsOver(i int, kinds []cellKind) int {
	n := 0
	r := l.rows[i]
	for j := range min(len(kinds), int(r.n)) {
		if kind, _ := classify(l.g.text(r, j)); !kind.gap() && (kinds[j] == textCell || kinds[j] == emptyCell) && !kind.number() {
			n++
		}
	}
	return n
}

// start returns the index of the first row that is not blank.
func (l *layouter) start() int {
	for i := range l.rows {
		if !l.blank(i) {
			return i
		}
	}
	return 0
}

// bodyFrom searches maxHeader rows, from row i on, and returns the index of the first row that
// contains a number or a date. It returns i if there is none.
func (l *layouter) bodyFrom(i int) int {
	for k := i; k < min(len(l.rows), i+maxHeader); k++ {
		if l.blank(k) {
			continue
		}
		for j := range int(l.rows[k].n) {
			if kind, _ := classify(l.g.text(l.rows[k], j)); kind.number() || kind == dateCell {
				return k
			}
		}
	}
	return i
}

// complete reports whether a row contains a different text in every column.
func (l *layouter) complete(i int) bool {
	seen := map[string]bool{}
	r := l.rows[i]
	for j := range min(l.width, int(r.n)) {
		s := string(l.g.text(r, j))
		if s == "" || seen[s] {
			return false
		}
		seen[s] = true
	}
	return true
}

// continues reports whether row i belongs to the header that begins in row first.
func (l *layouter) continues(i, first int, kinds []cellKind) bool {
	if l.blank(i) || int(l.rows[i].n) < l.width-1 {
		return false
	}
	words, alike := l.contrast(i, kinds)
	if words > 0 && i == first+1 && l.unitCells(i) == l.shapes[i].filled {
		return true
	}
	if alike > 0 || words == 0 {
		return false
	}
	// A word above a column of text can be a value. At least half of the nonempty cells must
	// therefore be words above other columns, or all nonempty cells except such words must be below
	// empty cells of the first header row.
	r, head := l.rows[i], l.rows[first]
	fills := 0
	for j := range int(r.n) {
		if !l.g.empty(r, j) && l.g.empty(head, j) {
			fills++
		}
	}
	return 2*words >= l.shapes[i].filled || fills+words >= l.shapes[i].filled
}

// isHeader reports whether row i is a header of the rows below it. Each column adds a vote, and a
// positive sum means a header.
func (l *layouter) isHeader(i int) bool {
	r := l.rows[i]
	var cells [][]byte
	for j := range int(r.n) {
		cells = append(cells, l.g.text(r, j))
	}
	for _, name := range l.opt.names { // a row that contains a column name given in an option is a header
		k, err := strconv.Atoi(name)
		if slices.ContainsFunc(cells, func(b []byte) bool { return string(b) == name }) && name != "" && (err != nil || k < 1 || k > len(cells)) {
			return true
		}
	}
	body := i + 1
	for body < len(l.rows) && l.blank(body) {
		body++
	}
	if body == len(l.rows) { // a single row is a header if it contains only words and gaps
		for _, b := range cells {
			if kind, _ := classify(b); kind != textCell && !kind.gap() {
				return false
			}
		}
		return true
	}
	kinds := l.bodyKinds(l.bodyFrom(body))
	if l.numericHeader(cells, body) {
		return true
	}
	votes := 0.0
	for j, b := range cells {
		if j >= len(kinds) {
			continue
		}
		kind, _ := classify(b)
		switch {
		case kind == emptyCell || kinds[j] == emptyCell:
		case kinds[j] == textCell:
			votes += l.textVote(b, kind, j, body)
		case kind == gapCell:
			votes -= 0.5
		case kind == boolCell && kinds[j] == boolCell && len(b) == 1: // a single letter such as y can be a value or a name
			votes += max(l.textVote(b, kind, j, body), -0.5)
		case kind.number() && kinds[j].number(), kind == kinds[j]:
			votes--
		case kind == textCell || kind == boolCell || kind == dateCell && kinds[j].number():
			votes++
		case kind.number():
			votes -= 0.25
		}
	}
	if votes != 0 {
		return votes > 0
	}
	// If the votes cancel out, the row is a header if it contains a different text in every column.
	return l.complete(i) && !slices.ContainsFunc(cells, func(b []byte) bool {
		kind, _ := classify(b)
		return kind != textCell
	})
}

// textVote rates whether the cell b is the name of the text column j, from −1 (a value) to 0.5 (a
// name). It compares b with the cells of the column from row body on.
func (l *layouter) textVote(b []byte, kind cellKind, j, body int) float64 {
	if kind == gapCell {
		return -0.5
	}
	rows, again, same := 0, 0, map[string]int{}
	lengths, numbers := map[int]int{}, 0
	for i := body; i < len(l.rows) && rows < bodySample; i++ {
		if l.blank(i) && i-body >= part {
			break
		}
		if j >= int(l.rows[i].n) || l.blank(i) {
			continue
		}
		t := l.g.text(l.rows[i], j)
		if len(t) == 0 {
			continue
		}
		rows++
		same[string(t)]++
		lengths[len(t)]++
		if bytes.Equal(t, b) {
			again++
		}
		if bytes.ContainsAny(t, "0123456789") {
			numbers++
		}
	}
	switch {
	case rows == 0:
		return 0
	case again > 0:
		return -1
	case kind.number() || kind == dateCell:
		return -0.5
	case 2*len(same) <= rows: // on average, each text below occurs at least twice
		return 0.5
	case len(lengths) == 1 && rows >= 3 && lengths[len(b)] == 0:
		return 0.5 // all cells below have the same length, and b has another length
	case 10*numbers >= 9*rows && !bytes.ContainsAny(b, "0123456789"):
		return 0.5 // nearly all cells below contain digits, and b contains none
	}
	return 0.1
}

// numericHeader reports whether a row of numbers, such as years or wavelengths, is a header. It
// requires three or more ascending or descending numbers. At least 90 % must be outside of the
// range of the values below.
func (l *layouter) numericHeader(cells [][]byte, body int) bool {
	var values []float64
	var columns []int
	for j, b := range cells {
		kind, v := classify(b)
		switch {
		case kind == intCell || kind == floatCell:
			values, columns = append(values, v), append(columns, j)
		case len(columns) > 0 && kind.gap():
			return false
		}
	}
	if len(values) < 3 || 2*len(values) < len(cells) {
		return false
	}
	for k := 2; k < len(values); k++ {
		if (values[k] > values[k-1]) != (values[1] > values[0]) || values[k] == values[k-1] {
			return false
		}
	}
	beyond, rows := 0, 0
	for k, j := range columns {
		low, high, n := 0.0, 0.0, 0
		for i := body; i < len(l.rows) && n < bodySample; i++ {
			if kind, v := classify(l.g.text(l.rows[i], j)); kind == intCell || kind == floatCell {
				if n == 0 || v < low {
					low = v
				}
				if n == 0 || v > high {
					high = v
				}
				n++
			}
		}
		rows = max(rows, n)
		if n > 0 && (values[k] < low || values[k] > high) {
			beyond++
		}
	}
	return rows >= 3 && 10*beyond >= 9*len(columns)
}

// finish names the columns and selects the data rows.
func (l *layouter) finish(first int, header []int) layout {
	begin := first
	if len(header) > 0 {
		begin = header[len(header)-1] + 1
	}
	if above := l.texts(0, first); above > 0 {
		l.note("%s above the table skipped%s; override with Header or Skip", nouns.Count(above, "line"), onLine(above, l.rows[l.start()].line))
	}
	rows := l.body(begin, header)
	out := layout{notes: l.notes, rows: rows}
	out.width = l.columns(rows, header)
	if len(header) > 0 {
		out.names, out.units = l.head(header, out.width, rows)
	}
	out.rows = l.fit(rows, out.width, header)
	l.trailing(&out)
	l.noteShort(out)
	out.notes = l.notes
	return out
}

// noteShort adds a note with the number of rows that have fewer cells than the table has columns.
func (l *layouter) noteShort(out layout) {
	short, first := 0, uint32(0)
	for _, r := range out.rows {
		if int(r.n) < out.width {
			if short++; short == 1 {
				first = r.line
			}
		}
	}
	if short > 0 && out.width > 1 {
		l.note("%s shorter than the table%s; the missing cells are gaps", nouns.Number(short, "row is", "rows are"), onLine(short, first))
	}
}

// texts counts the nonblank rows from row a to row b − 1.
func (l *layouter) texts(a, b int) int {
	n := 0
	for i := a; i < b; i++ {
		if !l.blank(i) {
			n++
		}
	}
	return n
}

// section is a run of rows below a header.
type section struct {
	rows   []record
	header int    // index of the header row; −1 for the first section, whose header was found before
	line   uint32 // line number of the header in the file
	end    int    // index of the row after the last data row
}

// body returns the data rows from index begin on, without blank rows, footers and repeated headers.
// If a file contains several tables below each other, those with the header of the first table are
// joined with it. Other tables are not read, and a note lists them.
func (l *layouter) body(begin int, header []int) []record {
	sections := []section{{header: -1}}
	current := &sections[0]
	blanks, repeated, titles, blankBefore := 0, 0, 0, false
	kinds := l.bodyKinds(begin)
	wide := l.width >= 3
	for i := begin; i < len(l.rows); i++ {
		if l.blank(i) {
			blankBefore = true
			blanks++
			continue
		}
		if len(header) > 0 && l.width > 1 {
			if again := l.repeats(i, header); again > 0 {
				repeated++
				blanks += again - 1 - l.texts(i, i+again) + 1
				i += again - 1
				blankBefore = false
				continue
			}
			// Rows of a title may precede a header.
			if at, again := l.titled(i, header, kinds, wide && blankBefore); at > 0 {
				titles += l.texts(i, at)
				if again {
					i = at - 1
					continue
				}
				// If the current section has no data rows yet, row `at` belongs to its header.
				if len(sections) > 1 && len(current.rows) == 0 {
					current.header = at
				} else {
					sections = append(sections, section{header: at, line: l.headerLine(i, at)})
					current = &sections[len(sections)-1]
				}
				i = at
				blankBefore = false
				continue
			}
		}
		blankBefore = false
		current.rows = append(current.rows, l.rows[i])
		current.end = i + 1
	}
	if repeated > 0 {
		l.note("%s of the header and %s skipped", nouns.Count(repeated, "repetition"), nouns.Count(titles, "title"))
	}
	if len(sections) > 1 {
		var others []string
		for _, s := range sections[1:] {
			others = append(others, fmt.Sprintf("line %d (%s)", s.line, nouns.Count(len(s.rows), "row")))
		}
		l.note("the file has %d tables and this is the first; %s on %s: read the second with Skip(%d)", len(sections), nouns.Form(len(others), "the other begins", "the others begin"), list(others), sections[1].line-1)
	}
	rows := sections[0].rows // only the first table is read, because the other tables have other columns
	if blanks > 0 {
		rowsBetween := 0
		for i := begin; i < sections[0].end; i++ {
			if l.blank(i) {
				rowsBetween++
			}
		}
		if rowsBetween > 0 {
			l.note("%s skipped", nouns.Count(rowsBetween, "blank row"))
		}
	}
	return l.withoutFooter(rows)
}

// headerLine returns the line number of the header that ends in row `at`, below a title that begins
// in row i. The header begins in the row above `at` if that row has only a first cell, and the
// first cell of row `at` is empty.
func (l *layouter) headerLine(i, at int) uint32 {
	if at > i && l.shapes[at-1].filled == 1 && l.g.empty(l.rows[at], 0) && !l.g.empty(l.rows[at-1], 0) {
		at--
	}
	return l.rows[at].line
}

// repeats reports whether the header is repeated from row i on. It returns the number of rows of
// the repetition, including blank rows, or 0 if there is none.
func (l *layouter) repeats(i int, header []int) int {
	at := i
	for _, h := range header {
		for at < len(l.rows) && l.blank(at) && at > i {
			at++
		}
		if at == len(l.rows) || !l.equal(l.rows[at], l.rows[h]) || l.shapes[h].filled < 2 {
			return 0
		}
		at++
	}
	return at - i
}

// equal reports whether two rows have the same texts.
func (l *layouter) equal(a, b record) bool {
	for j := range int(max(a.n, b.n)) {
		if !bytes.Equal(l.g.text(a, j), l.g.text(b, j)) {
			return false
		}
	}
	return true
}

// titled searches for a header below a title. The title begins in row i, and each of its rows is
// blank or has one nonempty cell. titled returns the index of the header row, or 0. again is true
// if this header repeats the first one. Other headers are accepted only if other is true.
func (l *layouter) titled(i int, header []int, kinds []cellKind, other bool) (at int, again bool) {
	at = i
	for at < len(l.rows) && at < i+8 && (l.blank(at) || l.shapes[at].filled == 1 && !l.g.empty(l.rows[at], 0)) {
		at++
	}
	if at == len(l.rows) || at == i+8 {
		return 0, false
	}
	if at > i && l.repeats(at, header) > 0 {
		return at, true
	}
	if !other {
		return 0, false
	}
	// A second header row must contain only words. Some of them must be above numbers or dates, or occur
	// in the first header.
	if l.shapes[at].filled < 2 || at+1 == len(l.rows) {
		return 0, false
	}
	shared := 0
	for j := range int(l.rows[at].n) {
		b := l.g.text(l.rows[at], j)
		if kind, _ := classify(b); kind != textCell && !kind.gap() {
			return 0, false
		}
		if len(b) > 0 && bytes.EqualFold(b, l.g.text(l.rows[header[0]], j)) {
			shared++
		}
	}
	words, _ := l.contrast(at, kinds)
	if shared > 0 || words >= 2 || at > i && words >= 1 {
		return at, false
	}
	return 0, false
}

// withoutFooter removes rows at the end that contain a single text. It keeps a short text in a
// narrow table, because such a text may be data. It then removes as many rows as the option
// [Footer] states. Without this option, it adds a note on rows that look like totals.
func (l *layouter) withoutFooter(rows []record) []record {
	end := len(rows)
	for end > 1 {
		r := rows[end-1]
		s := l.shapeOf(r, 2)
		text := l.g.text(r, 0)
		kind, _ := classify(text)
		alone := s.filled == 1 && kind == textCell
		if !(alone && l.width >= 3 && l.usual >= 3) && !(alone && r.n == 1 && l.width >= 2 && len(text) > 12) {
			break
		}
		end--
	}
	if end < len(rows) {
		l.note("%s below the table skipped%s: %.60q", nouns.Count(len(rows)-end, "line"), onLine(len(rows)-end, rows[end].line), l.g.text(rows[end], 0))
	}
	rows = rows[:end]
	if n := min(l.opt.footer, len(rows)); n > 0 {
		l.note("%s at the end skipped as a footer", nouns.Count(n, "row"))
		return rows[:len(rows)-n]
	}
	if n := l.totals(rows); n > 0 {
		first := rows[len(rows)-n]
		l.note("%s at the end %s kept%s: %.60q; leave %s out with Footer(%d)", nouns.Count(n, "row"), nouns.Form(n, "looks like a total and is", "look like totals and are"), onLine(n, first.line), l.firstText(first), nouns.Form(n, "it", "them"), n)
	}
	return rows
}

// onLine returns " (line 3)" for one line, and ", the first on line 3" for n > 1 lines.
func onLine(n int, first uint32) string {
	return fmt.Sprintf(nouns.Form(n, " (line %d)", ", the first on line %d"), first)
}

// maxTotals bounds the number of rows at the end that may be totals.
const maxTotals = 5

// totals counts the rows at the end that begin with a text in totalWords. It returns 0 if there are
// more than maxTotals of them, or if one of the bodySample rows above them also begins with such a
// text.
func (l *layouter) totals(rows []record) int {
	n := 0
	for n < len(rows)-1 && isTotal(l.firstText(rows[len(rows)-1-n])) {
		n++
	}
	if n == 0 || n > maxTotals {
		return 0
	}
	for _, r := range rows[max(0, len(rows)-n-bodySample) : len(rows)-n] {
		if isTotal(l.firstText(r)) {
			return 0
		}
	}
	return n
}

// firstText returns the first nonempty cell of a row.
func (l *layouter) firstText(r record) []byte {
	for j := range int(r.n) {
		if !l.g.empty(r, j) {
			return l.g.text(r, j)
		}
	}
	return nil
}

// totalWords lists the texts that begin a row of sums, means or deviations.
var totalWords = []string{"total", "totals", "grand total", "sub total", "subtotal", "sum", "overall", "mean", "average", "avg", "median", "sd", "std", "st. dev.", "std. dev.", "standard deviation",
	"summe", "gesamt", "gesamtsumme", "insgesamt", "zusammen", "mittel", "mittelwert", "durchschnitt", "standardabweichung", "total général", "totaux", "somme", "moyenne", "totale", "somma", "media", "suma", "promedio"}

// isTotal reports whether a text is in totalWords, with or without a colon.
func isTotal(text []byte) bool {
	name := strings.ToLower(strings.TrimRight(strings.TrimSpace(string(text)), ": "))
	return slices.Contains(totalWords, name)
}

// columns returns the number of columns of the table: usually the number of names in the header or,
// without a header, the most frequent number of cells in a row. Empty cells at the end do not
// count.
func (l *layouter) columns(rows []record, header []int) int {
	named, cells := 0, 0
	for _, h := range header {
		named, cells = max(named, l.shapes[h].last), max(cells, int(l.rows[h].n))
	}
	// needs[n] is the number of rows whose last nonempty cell is cell n, counted from 1.
	needs := map[int]int{}
	for _, r := range rows {
		last := int(r.n)
		for last > 0 && l.g.empty(r, last-1) {
			last--
		}
		needs[last]++
	}
	widest, most, top := 0, 0, 0
	for n, c := range needs {
		widest = max(widest, n)
		if c > top || c == top && n > most {
			most, top = n, c
		}
	}
	if len(header) == 0 || widest <= named {
		if len(header) == 0 {
			// The table gets n columns if at least 5 % of the rows need them, or if n is at most
			// l.width. Longer rows probably have separators within a text, see fit.
			for n, c := range needs {
				if n > most && (20*c >= len(rows) || n <= l.width) {
					most = n
				}
			}
			return max(most, 1)
		}
		return max(named, 1)
	}
	if widest <= cells {
		return widest // the header has empty cells at its end
	}
	// longer counts the rows with more cells than the header has names. If most rows are longer,
	// names are missing. Otherwise the longer rows have separators within a text.
	longer := 0
	for n, c := range needs {
		if n > named {
			longer += c
		}
	}
	if 2*longer > len(rows) || len(rows) <= 2 && longer > 0 {
		return max(most, named)
	}
	return max(named, 1)
}

// head returns the names and units of the columns.
func (l *layouter) head(header []int, width int, rows []record) (names, units []string) {
	kinds := l.bodyKinds(header[len(header)-1] + 1)
	if len(header) > 1 && l.opt.header < 0 {
		header, units = l.unitRow(header, width, kinds)
	}
	lines := make([][]string, len(header))
	for k, h := range header {
		r := l.rows[h]
		lines[k] = make([]string, width)
		for j := range width {
			lines[k][j] = string(l.g.text(r, j))
		}
		if k == 0 {
			if rest, ok := strings.CutPrefix(lines[k][0], "# "); ok { // NumPy writes this prefix
				lines[k][0] = rest
			}
		}
	}
	// Files from R have no name for the column of row names, so the header is one cell shorter.
	if len(header) == 1 && l.shapes[header[0]].last == width-1 && int(l.rows[header[0]].n) == width-1 && l.allReach(rows, width) {
		copy(lines[0][1:], lines[0][:width-1])
		lines[0][0] = ""
		l.note("the header has one name fewer than the table has columns: the first column contains the row names")
	}
	names = make([]string, width)
	for j := range width {
		var parts []string
		for k := range lines {
			text := lines[k][j]
			if text == "" && k+1 < len(lines) {
				text = l.spanning(lines, k, j)
			}
			if text != "" && (len(parts) == 0 || parts[len(parts)-1] != text) {
				parts = append(parts, text)
			}
		}
		names[j] = strings.Join(parts, " ")
	}
	if len(header) > 1 {
		l.note("the header has %d rows, joined into one; override with Header", len(header))
	}
	return names, units
}

// spanning returns the name of a group of columns that includes column j: the nearest nonempty cell
// to the left of column j in header row k. The cell of column j in this row is empty. If no header
// row below k has a name in column j, spanning returns "".
func (l *layouter) spanning(lines [][]string, k, j int) string {
	below := false
	for m := k + 1; m < len(lines); m++ {
		below = below || lines[m][j] != ""
	}
	if !below {
		return ""
	}
	for at := j - 1; at >= 0; at-- {
		if lines[k][at] != "" {
			// A cell is the name of a group only if there is a name below it too.
			for m := k + 1; m < len(lines); m++ {
				if lines[m][at] != "" {
					return lines[k][at]
				}
			}
			return ""
		}
	}
	return ""
}

// allReach reports whether nearly all rows contain a cell in the last column.
func (l *layouter) allReach(rows []record, width int) bool {
	n := 0
	for _, r := range rows {
		if int(r.n) >= width {
			n++
		}
	}
	return 10*n >= 9*len(rows)
}

// unitCells counts the cells of a row that look like units.
func (l *layouter) unitCells(i int) int {
	n := 0
	for j := range int(l.rows[i].n) {
		if b := l.g.text(l.rows[i], j); len(b) > 0 && isUnit(string(b)) {
			n++
		}
	}
	return n
}

// unitRow removes header rows that do not contain names, and adds a note on them. Such rows are a
// last row of units, a row of long texts above the names, or all rows below a first row that has a
// different name for each column. rest is the remaining header. units is nil if there is no row of
// units.
func (l *layouter) unitRow(header []int, width int, kinds []cellKind) (rest []int, units []string) {
	last := header[len(header)-1]
	r := l.rows[last]
	unit, filled, length, before := l.unitCells(last), 0, 0, 0
	for j := range width {
		if b := l.g.text(r, j); len(b) > 0 {
			filled++
			length += len(b)
			before += len(l.g.text(l.rows[header[0]], j))
		}
	}
	switch {
	case filled > 0 && 3*unit >= 2*filled && !l.containsOnly(last, orangeTypes):
		units = make([]string, width)
		for j := range width {
			units[j] = strings.Trim(string(l.g.text(r, j)), "[]()")
		}
		l.note("line %d has the units of the columns", r.line)
		return header[:len(header)-1], units
	case len(header) == 2 && l.complete(header[0]) && l.complete(last) && before > 3*length:
		l.note("line %d above the header skipped", l.rows[header[0]].line)
		return header[1:], nil
	case len(header) >= 2 && l.complete(header[0]):
		for _, h := range header[1:] {
			l.note("line %d below the header describes the columns and was skipped: %.40q …; read it as data with Header(1)", l.rows[h].line, l.g.text(l.rows[h], 0))
		}
		return header[:1], nil
	}
	return header, nil
}

// units lists common units of measurement, in lower case.
const units = " - 1 % ‰ m mm cm dm km nm µm um in ft mi yd g mg µg kg t lb oz s ms µs ns min h hr d day days yr year years a " +
	"hz khz mhz ghz v mv kv w kw mw kwh wh j kj mj cal kcal n kn pa hpa kpa mpa bar mbar psi atm k °c c °f f deg ° rad l ml dl mol mmol m/s km/h mph m/s² " +
	"m² m2 m³ m3 km² km2 ha ppm ppb mg/l µg/m³ ug/m3 g/l kg/m³ kg/m3 w/m² w/m2 $ £ € usd eur gbp db lux lx count counts n/a au a.u. ohm ω mm/s cm/s rpm cm-1 cm^-1 "

// isUnit reports whether a text is a unit: a common unit, or a short text in brackets.
func isUnit(s string) bool {
	if len(s) > 2 && len(s) <= 12 && (s[0] == '[' && s[len(s)-1] == ']' || s[0] == '(' && s[len(s)-1] == ')') {
		return true
	}
	return !strings.Contains(s, " ") && strings.Contains(units, " "+strings.ToLower(s)+" ")
}

// fit shortens rows with more than width cells. It removes empty cells at the end. If that does not
// suffice, a text probably contains separators, and adjacent cells are joined.
func (l *layouter) fit(rows []record, width int, header []int) []record {
	joined := 0
	var firstJoined uint32
	var kinds []cellKind
	for i, r := range rows {
		if int(r.n) <= width {
			continue
		}
		last := int(r.n)
		for last > width && l.g.empty(r, last-1) {
			last--
		}
		if last > width {
			if kinds == nil {
				kinds = l.fitKinds(rows, width)
			}
			l.join(r, last, width, kinds)
			if joined++; joined == 1 {
				firstJoined = r.line
			}
		}
		rows[i].n = int32(width)
	}
	if joined > 0 {
		l.note("%s more cells than the table has columns%s, probably because of separators within a text; adjacent cells were joined to fit the columns best", nouns.Number(joined, "row has", "rows have"), onLine(joined, firstJoined))
	}
	return rows
}

// fitKinds finds the kinds of the columns from the rows that have exactly width cells.
func (l *layouter) fitKinds(rows []record, width int) []cellKind {
	whole := layouter{g: l.g, width: width}
	for _, r := range rows {
		if int(r.n) == width {
			whole.rows, whole.shapes = append(whole.rows, r), append(whole.shapes, shape{filled: 1})
			if len(whole.rows) == bodySample {
				break
			}
		}
	}
	return whole.bodyKinds(0)
}

// join reduces the number of cells of row r from last to width by merging adjacent cells into one.
// It chooses the position at which the other cells match the kinds of their columns best.
func (l *layouter) join(r record, last, width int, kinds []cellKind) {
	extra := last - width
	best, top := width-1, -1
	for at := range width {
		fits := 0
		for j := range width {
			from := j
			if j > at {
				from = j + extra
			}
			kind, _ := classify(l.g.text(r, from))
			want := kinds[j]
			switch {
			case j == at && want == textCell:
				fits += 2
			case j == at:
			case kind.gap() || want.number() && kind.number() || want == kind:
				fits += 2
			case want == textCell && !kind.number():
				fits += 2
			}
		}
		// A separator followed by a space is probably within a text.
		if s := l.g.span(r, at+1); at+1 < last && len(s) > 0 && s[0] == ' ' {
			fits++
		}
		if fits > top {
			best, top = at, fits
		}
	}
	ends := l.g.ends[r.cell : r.cell+last]
	copy(ends[best:], ends[best+extra:])
}

// trailing removes columns at the end that have neither a name nor a value.
func (l *layouter) trailing(out *layout) {
	width := out.width
	for width > 1 {
		j := width - 1
		if out.names != nil && out.names[j] != "" || out.units != nil && out.units[j] != "" {
			break
		}
		if slices.ContainsFunc(out.rows, func(r record) bool { return !l.g.empty(r, j) }) {
			break
		}
		width--
	}
	if int(l.width) > width {
		out.cut = []string{""}
	}
	out.width = width
	if out.names != nil {
		out.names = out.names[:width]
	}
	if out.units != nil {
		out.units = out.units[:width]
	}
}

// list joins the first maxFaults items for a message and counts the others.
func list(items []string) string {
	if more := len(items) - maxFaults; more > 0 {
		items = append(slices.Clip(items[:maxFaults]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(items, ", ")
}
