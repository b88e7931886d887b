package datasets

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// column contains the properties of a column of a table.
type column struct {
	name, unit string
	typ        ColumnType
	forced     bool // the type is set by the user or by the file, and not detected
	declared   bool // the type is set by the file; the values get notes as with a detected type
	words      bool // the file declares the column as text; it may still become a category or identifier
	strict     bool // a cell of another type does not become a gap; it makes the column a category or text
	// values contains numbers, booleans (0 and 1) or dates (days since 1970-01-01), with NaN for a
	// gap. It is nil for other types.
	values    []float64
	levels    []string // the categories in their order
	gaps      int
	distinct  int      // number of distinct texts; 0 for numbers, booleans and dates
	low, high float64  // smallest and largest value
	mark      byte     // decimal mark given by the user, 0 for none
	decimal   byte     // decimal mark of the numbers
	ambiguous bool     // the decimal mark is ambiguous, and a note says how it is read
	order     int      // order of day and month in the dates, such as dayFirst
	american  bool     // the month precedes the day if both orders are possible
	layout    string   // layout of package time for the dates
	counts    bool     // the values are the row numbers, from 0 or 1
	signs     bool     // the texts are signs such as + and -, so that - is not a gap
	marker    []string // gap markers given by the user
	standing  []standing
	notes     []string
	// learned means that the type is that of the training data, whose reader notes refused cells.
	learned bool
	refused int               // number of cells that are not of the type and are read as gaps
	invalid string            // the first of the refused cells
	seen    [textCell + 1]int // number of cells of each kind
	vague   int               // number of cells of kind floatCell whose point may be a thousands separator
	point   int               // number of cells of kind markedCell that are numbers with a decimal point
	comma   int               // number of cells of kind markedCell that are numbers with a decimal comma
}

// columnCost is an upper bound on the memory of a column without its values, in bytes.
const columnCost = 512

// isGap reports whether a trimmed cell of the column is a gap marker.
func (c *column) isGap(b []byte) bool {
	return isGap(b) && !(c.signs && isSigns(b)) || slices.ContainsFunc(c.marker, func(m string) bool { return string(b) == m })
}

// filled returns the number of cells that are not gaps.
func (c *column) filled() int {
	n := 0
	for k, count := range c.seen {
		if !cellKind(k).gap() {
			n += count
		}
	}
	return n
}

// block is the number of rows in a block. All columns of a block are read before the next block,
// and a small block stays in the processor cache.
const block = 256

// enoughTexts is a number of cells. If a column has contained only gaps and more than this many
// texts so far, further cells without digits are taken for texts too.
const enoughTexts = 2000

// infer detects the types and values of the columns.
func (t *Table) infer(file string, opt *tableOptions, budget *files.Budget) error {
	n := len(t.rows)
	for j, typ := range opt.set {
		if typ == Text { // the method texts decides between text, category and identifier
			t.columns[j].words = true
			continue
		}
		t.columns[j].typ, t.columns[j].forced, t.columns[j].declared = typ, typ != "", true
	}
	// The user may give a column twice: by its name, and by its number.
	of := map[int]string{}
	for _, name := range slices.Sorted(maps.Keys(opt.types)) {
		typ := opt.types[name]
		j, err := t.Find(name)
		if err != nil {
			return err
		}
		if before, ok := of[j]; ok && opt.types[before] != typ {
			return advice.With("give it once", bad(ErrFormat, file, "Column(%q).As(%q) and Column(%q).As(%q) contradict each other", before, opt.types[before], name, typ))
		}
		of[j] = name
		t.columns[j].typ, t.columns[j].forced, t.columns[j].declared = typ, true, false
	}
	for _, name := range slices.Sorted(maps.Keys(opt.decimals)) {
		j, err := t.Find(name)
		if err != nil {
			return err
		}
		if c := &t.columns[j]; c.mark != 0 && c.mark != opt.decimals[name] {
			return advice.With("give it once", bad(ErrFormat, file, "Column(%q).Decimal(%q) contradicts another option for the same column", name, opt.decimals[name]))
		}
		t.columns[j].mark = opt.decimals[name]
	}
	for j := range t.columns {
		t.columns[j].marker, t.columns[j].strict = opt.gaps, !opt.lenient
	}
	shared := &sharedBudget{budget: budget}
	t.each(func(columns []int) {
		for from := 0; from < n; from += block {
			for _, j := range columns {
				t.look(j, from, t.rows[from:min(n, from+block)], shared)
			}
		}
	})
	if shared.err == nil {
		t.decideMarks(opt)
		t.each(func(columns []int) {
			for _, j := range columns {
				t.decide(j, opt, shared)
			}
		})
		t.noteMarkers()
	}
	if shared.err != nil {
		return tooLarge(file, shared.err)
	}
	return nil
}

// each calls the function `work` in several goroutines, on disjoint sets of columns.
func (t *Table) each(work func(columns []int)) {
	workers := min(runtime.GOMAXPROCS(0), len(t.columns))
	if len(t.rows)*len(t.columns) < 1<<16 {
		workers = 1
	}
	parts := make([][]int, workers)
	for j := range t.columns {
		parts[j%workers] = append(parts[j%workers], j)
	}
	var wait sync.WaitGroup
	for _, columns := range parts {
		wait.Go(func() { work(columns) })
	}
	wait.Wait()
}

// sharedBudget is a budget shared by several goroutines. It keeps the first error.
type sharedBudget struct {
	mutex  sync.Mutex
	budget *files.Budget
	err    error
}

// take reserves n bytes, and reports whether the budget allows them.
func (b *sharedBudget) take(n int64) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.err == nil {
		b.err = b.budget.Take(n)
	}
	return b.err == nil
}

// look counts the kinds of the cells of column j in the given rows, and parses plain numbers.
// `from` is the index of the first of these rows.
func (t *Table) look(j, from int, rows []record, budget *sharedBudget) {
	c := &t.columns[j]
	numbers := c.seen[intCell] + c.seen[floatCell] + c.seen[markedCell] + c.seen[dateCell] + c.seen[boolCell]
	texts := c.seen[textCell] > enoughTexts && numbers == 0
	for i, r := range rows {
		b := t.grid.text(r, j)
		kind, v := textCell, 0.0
		if !texts || bytes.ContainsAny(b, "0123456789") {
			kind, v = classify(b)
		}
		if (texts || len(c.marker) > 0) && c.isGap(b) {
			kind = gapCell
		}
		c.seen[kind]++
		switch kind {
		case floatCell:
			if ambiguousPoint(b) {
				c.vague++
			}
		case intCell:
		case markedCell:
			point, comma := marks(b)
			if point {
				c.point++
			}
			if comma {
				c.comma++
			}
		}
		if c.values == nil {
			if kind != intCell && kind != floatCell {
				continue
			}
			if !budget.take(8 * int64(len(t.rows))) {
				return
			}
			c.values = make([]float64, len(t.rows))
			for k := range c.values[:from+i] {
				c.values[k] = math.NaN()
			}
		}
		if kind != intCell && kind != floatCell {
			v = math.NaN() // the value is unknown until the decimal mark is known
		}
		c.values[from+i] = v
	}
}

// decideMarks determines the decimal mark of each column from its cells. If the cells are
// ambiguous, decideMarks uses the marks of the other columns and the separator of the table.
func (t *Table) decideMarks(opt *tableOptions) {
	points, commas := 0, 0
	fits := func(c *column) (point, comma bool) {
		return c.point == c.seen[markedCell], c.comma == c.seen[markedCell] && c.vague == c.seen[floatCell]
	}
	for j := range t.columns {
		c := &t.columns[j]
		if c.seen[floatCell]+c.seen[markedCell] == 0 {
			continue
		}
		switch point, comma := fits(c); {
		case point && !comma:
			points++
		case comma && !point:
			commas++
		}
	}
	for j := range t.columns {
		c := &t.columns[j]
		point, comma := fits(c)
		found, note := byte('.'), "" // the detected mark, and a note if it is ambiguous
		switch {
		case c.seen[floatCell]+c.seen[markedCell] == 0:
		case comma && !point:
			found = ','
		case point && comma && commas > 0 && points == 0:
			found, note = ',', "every point or comma has three digits after it; read as a decimal or thousands mark as in the other columns; override with Column(name).Decimal"
		case point && comma && c.seen[floatCell] == 0 && c.seen[markedCell] > 0 && t.onlyGroups(j) && points == 0 && strings.HasPrefix(t.format, "semicolon"):
			found, note = ',', "a comma before three digits in each number; read as a decimal comma; override with Column(name).Decimal('.')"
		case point && comma && c.seen[markedCell] == 0 && points == 0 && strings.HasPrefix(t.format, "semicolon"):
			note = "a point before three digits in each number; read as a decimal point; override with Column(name).Decimal(',')"
		case point && comma && c.seen[markedCell] > 0 && t.onlyGroups(j):
			note = "a comma before three digits in each number; read as a thousands separator; override with Column(name).Decimal(',')"
		}
		c.ambiguous = note != "" && c.mark == 0 && opt.decimal == 0
		numbers := c.seen[intCell] + c.seen[floatCell] + c.seen[markedCell]
		switch {
		case c.mark != 0:
			c.decimal = c.mark
			continue
		case opt.decimal != 0 && opt.decimal != found && 2*numbers > c.filled() && c.seen[floatCell]+c.seen[markedCell] > 0:
			note = fmt.Sprintf("the option Decimal(%q) replaces the mark %q that was detected; override with Column(name).Decimal(%q)", opt.decimal, found, found)
		case opt.decimal != 0:
			note = ""
		}
		if c.decimal = cmp.Or(opt.decimal, found); note != "" {
			c.notes = append(c.notes, note)
		}
	}
}

// onlyGroups reports whether a column contains commas, but no cell with more than one comma. Each
// comma may then be a decimal mark or separate thousands.
func (t *Table) onlyGroups(j int) bool {
	for _, r := range t.rows {
		if bytes.Count(t.grid.text(r, j), []byte{','}) > 1 {
			return false
		}
	}
	return slices.ContainsFunc(t.rows, func(r record) bool { return bytes.IndexByte(t.grid.text(r, j), ',') >= 0 })
}

// decide determines the type of a column and completes its values.
func (t *Table) decide(j int, opt *tableOptions, budget *sharedBudget) {
	c := &t.columns[j]
	n := len(t.rows)
	t.findSigns(j)
	filled := c.filled()
	numbers := c.seen[intCell] + c.seen[floatCell] + c.seen[markedCell]
	c.gaps = n - filled
	if !c.forced {
		switch {
		case filled == 0:
			c.typ = Text
		case c.words:
			c.typ = Category // the method texts may change this type to Text or Identifier
			t.noteTexts(j)
		case numbers == filled:
			c.typ = Number
		case c.seen[boolCell] == filled:
			c.typ = Boolean
		case c.seen[dateCell] == filled:
			c.typ = Date
		case opt.lenient && n >= 20 && 50*numbers >= 49*filled || opt.lenient && n >= 20 && 10*numbers >= 9*filled && t.fewTexts(j):
			c.typ = Number
		case opt.lenient && n >= 20 && 20*c.seen[dateCell] >= 19*filled:
			c.typ = Date
		default:
			c.typ = Category // the method texts may change this type to Text or Identifier
		}
	}
	switch c.typ {
	case Number, Integer, Boolean, Date:
		if c.values == nil {
			if !budget.take(8 * int64(n)) {
				return
			}
			c.values = make([]float64, n)
		}
		t.value(j)
		if c.typ != "" {
			return
		}
		c.typ = Category
	}
	c.values = nil
	t.texts(j, budget)
	if c := &t.columns[j]; !c.forced && !c.words && 2*numbers > filled && numbers < filled {
		c.notes = append(c.notes, fmt.Sprintf("%d of %d cells are numbers, and the others are texts such as %q; override with Column(%q).As(Number), which makes the texts gaps", numbers, filled, cut(t.someText(j), longName), cut(t.columnName(j), longName)))
	}
}

// someText returns the first cell of a column that is neither a number nor a gap.
func (t *Table) someText(j int) string {
	for _, r := range t.rows {
		b := t.grid.text(r, j)
		if kind, _ := classify(b); !kind.number() && !kind.gap() {
			return string(b)
		}
	}
	return ""
}

// findSigns detects a column of signs such as + and -, in which - is a value and not a gap.
func (t *Table) findSigns(j int) {
	c := &t.columns[j]
	if c.seen[textCell] == 0 || c.seen[gapCell] == 0 || c.filled() > c.seen[textCell] {
		return
	}
	positive, negative := 0, 0
	for _, r := range t.rows {
		b := t.grid.text(r, j)
		switch {
		case len(b) == 0 || slices.Contains(c.marker, string(b)):
		case isSigns(b) && isGap(b):
			negative++
		case isSigns(b) && bytes.ContainsAny(b, "+±"):
			positive++
		case !isGap(b):
			return
		}
	}
	if positive == 0 || negative == 0 {
		return
	}
	c.signs = true
	c.seen[gapCell] -= negative
	c.seen[textCell] += negative
	c.notes = append(c.notes, `"-" is read as a value like "+", not as a gap; override with Gaps("-")`)
}

// isSigns reports whether a text consists of signs such as +, -, +++ and +/-.
func isSigns(b []byte) bool { return len(b) > 0 && len(bytes.Trim(b, "+-−–±/()")) == 0 }

// fewTexts reports whether a column contains at most three distinct texts besides numbers and gaps,
// such as a laboratory's mark for values below the detection limit.
func (t *Table) fewTexts(j int) bool {
	var texts []string
	for _, r := range t.rows {
		b := t.grid.text(r, j)
		if kind, _ := classify(b); kind.number() || kind.gap() || slices.Contains(texts, string(b)) {
			continue
		}
		if texts = append(texts, string(b)); len(texts) > 3 {
			return false
		}
	}
	return true
}

// value computes the values of a column of numbers, booleans or dates. If too many cells do not
// have the detected type, it sets the type to "".
func (t *Table) value(j int) {
	c := &t.columns[j]
	plain := c.seen[intCell] + c.seen[floatCell]
	number := c.typ == Number || c.typ == Integer
	if number && (plain < len(t.rows)-c.gaps || c.decimal == ',' && c.seen[floatCell] > 0 || c.seen[intCell]+c.seen[floatCell] == 0) {
		t.parse(j, c.numberOf)
		t.noteMarks(j)
	}
	switch c.typ {
	case Boolean:
		pair := -1
		mixed, no, yes := false, false, false
		t.parse(j, func(b []byte) (float64, bool) {
			v := truth(b)
			if v < 0 {
				switch string(b) {
				case "0", "1":
					return float64(b[0] - '0'), true
				}
				return 0, false
			}
			if pair >= 0 && v/2 != pair {
				mixed = true
			}
			pair = v / 2
			no, yes = no || v%2 == 0, yes || v%2 == 1
			return float64(v % 2), true
		})
		if letter := pair >= 0 && len(truths[pair].no) == 1; !c.forced && (mixed || letter && !(no && yes)) {
			c.typ = ""
			return
		}
	case Date:
		t.dates(j)
	}
	if c.typ == "" {
		return
	}
	c.low, c.high = math.Inf(1), math.Inf(-1)
	gaps := 0
	for _, v := range c.values {
		if v != v {
			gaps++
			continue
		}
		if v < c.low {
			c.low = v
		}
		if v > c.high {
			c.high = v
		}
	}
	c.gaps = gaps
	if !c.forced && c.typ == Number && (c.seen[floatCell]+c.seen[markedCell] == 0 || c.seen[floatCell] == 0 && c.allWhole()) {
		c.typ = Integer
	}
	if number && (!c.forced || c.declared) {
		t.standOut(j)
		t.identify(j)
		if line, code := t.first(j, func(b []byte) bool { return len(b) > 1 && b[0] == '0' && b[1]-'0' <= 9 }); c.typ == Integer && !c.strict && line > 0 {
			c.notes = append(c.notes, fmt.Sprintf("leading zeros, such as %q; if these are codes, read with Column(%q).As(Category)", code, cut(t.columnName(j), longName)))
		}
	}
}

// noteMarks adds notes on signs, decimal commas or thousands separators in the numbers of a column,
// and on numbers in brackets or with different units.
func (t *Table) noteMarks(j int) {
	c := &t.columns[j]
	if c.seen[markedCell] == 0 {
		return
	}
	if c.typ == "" { // parse found cells that are not numbers
		if point, comma := t.firstMarked(j); point != "" && comma != "" {
			c.notes = append(c.notes, fmt.Sprintf("decimal points, as in %.20q, and decimal commas, as in %.20q, so the column is not read as numbers", point, comma))
		}
		return
	}
	signed, bracketed := "", ""
	commas, groups := false, false
	units := map[string]string{} // an example of each unit; "" for none
	for i, r := range t.rows {
		if v := c.values[i]; v != v {
			continue
		}
		b := t.grid.text(r, j)
		rest, _, has := bare(b)
		unit := ""
		if has {
			signed = cmp.Or(signed, string(b))
			unit = signIn(b)
		}
		if _, seen := units[unit]; !seen && c.values[i] != 0 {
			units[unit] = string(b)
		}
		if b[0] == '(' {
			bracketed = cmp.Or(bracketed, string(b))
		}
		for k := range rest {
			commas = commas || c.decimal == ',' && rest[k] == ','
			groups = groups || groupMark(rest[k:], '.'+','-c.decimal) > 0
		}
	}
	if signed != "" {
		c.notes = append(c.notes, fmt.Sprintf("currency and percent signs are ignored, as in %.20q", signed))
	} else if c.ambiguous {
		// A note already names the mark.
	} else if commas {
		c.notes = append(c.notes, "decimal commas; override with Column(name).Decimal('.')")
	} else if groups {
		c.notes = append(c.notes, "thousands separators")
	}
	if bracketed != "" {
		c.notes = append(c.notes, fmt.Sprintf("numbers in brackets are negative, such as %.20q", bracketed))
	}
	if _, percent := units["%"]; !percent {
		delete(units, "") // amounts without a sign probably have the currency of the others
	}
	if len(units) > 1 {
		var examples []string
		for _, unit := range slices.Sorted(maps.Keys(units)) {
			examples = append(examples, fmt.Sprintf("%.20q", units[unit]))
		}
		c.notes = append(c.notes, fmt.Sprintf("different units in one column, such as %s, and the numbers are not converted; convert them in the file, or override with Column(%q).As(Text)", list(examples), cut(t.columnName(j), longName)))
	}
}

// signIn returns the first currency or percent sign of a number.
func signIn(b []byte) string {
	for _, s := range signs {
		if bytes.Contains(b, s) {
			return string(s)
		}
	}
	return ""
}

// firstMarked returns the first cell whose decimal mark can only be a point, and the first cell
// whose decimal mark can only be a comma, or "" if there is none.
func (t *Table) firstMarked(j int) (point, comma string) {
	for _, r := range t.rows {
		b := t.grid.text(r, j)
		switch kind, _ := classify(b); kind {
		case floatCell:
			if !ambiguousPoint(b) {
				point = cmp.Or(point, string(b))
			}
		case markedCell:
			switch p, c := marks(b); {
			case p && !c:
				point = cmp.Or(point, string(b))
			case c && !p:
				comma = cmp.Or(comma, string(b))
			}
		}
	}
	return point, comma
}

// numberOf parses a cell as a number with the decimal mark of the column. It returns false if the
// cell is not a number.
func (c *column) numberOf(b []byte) (float64, bool) {
	if kind, v := classify(b); kind == intCell || kind == floatCell && c.decimal == '.' {
		return v, true
	}
	return markedNumber(b, c.decimal)
}

// reread sets the values of a column whose type was changed after the table was read.
func (t *Table) reread(j int) {
	switch c := &t.columns[j]; c.typ {
	case Date:
		t.dates(j)
	case Boolean:
		t.parse(j, func(b []byte) (float64, bool) {
			if v := truth(b); v >= 0 {
				return float64(v % 2), true
			}
			return c.numberOf(b)
		})
	default:
		t.parse(j, c.numberOf)
	}
}

func (c *column) allWhole() bool {
	return !slices.ContainsFunc(c.values, func(v float64) bool { return v == v && v != math.Trunc(v) })
}

// parse sets the values of a column with the function f. Cells for which f fails become gaps, and a
// note counts them. If the type was detected and f fails for too many cells, parse sets the type to
// "" instead.
func (t *Table) parse(j int, f func(b []byte) (float64, bool)) {
	c := &t.columns[j]
	c.refused, c.invalid = 0, ""
	for i, r := range t.rows {
		b := t.grid.text(r, j)
		c.values[i] = math.NaN()
		if len(b) == 0 || c.isGap(b) {
			continue
		}
		v, ok := f(b)
		if !ok {
			if c.refused++; c.refused == 1 {
				c.invalid = string(b)
			}
			continue
		}
		c.values[i] = v
	}
	if !c.forced && c.refused > 0 && (c.strict || 10*c.refused > c.filled()) {
		c.typ = ""
		return
	}
	if c.refused > 0 && !c.learned {
		c.notes = append(c.notes, fmt.Sprintf("%s not of the type %s, such as %.40q, read as %s; override with Column(%q).As(Text)", nouns.Number(c.refused, "cell is", "cells are"), c.typ, c.invalid, nouns.Form(c.refused, "a gap", "gaps"), cut(t.columnName(j), longName)))
	}
}

// dates parses a column of dates. The usual order is day before month or, if the column has the
// property american, month before day. If only the other order is possible for all dates, that
// order is used.
func (t *Table) dates(j int) {
	c := &t.columns[j]
	usual, other := dayFirst, monthFirst
	if c.american {
		usual, other = other, usual
	}
	c.order = usual
	open := false // whether both orders of day and month are possible for all dates
	switch first, second := t.fitsOrder(j, usual), t.fitsOrder(j, other); {
	case first:
		open = second
	case second:
		c.order = other
	}
	// A cell such as 18.30.00 can only be a time of day, whereas 18.10.23 can also be a date. If
	// there is a cell that can only be a time, all dotted cells are read as times.
	if slices.ContainsFunc(t.rows, func(r record) bool {
		b := t.grid.text(r, j)
		_, time := dottedTime(b)
		_, day := parseDay(b, c.order)
		return time && !day
	}) {
		c.order |= dottedTimes
		open = false
	}
	t.parse(j, func(b []byte) (float64, bool) { return parseDate(b, c.order) })
	c.layout = layoutOf(c.values)
	if open && slices.ContainsFunc(t.rows, func(r record) bool {
		b := t.grid.text(r, j)
		if yearFirst(b) {
			return false
		}
		a, ok := parseDate(b, dayFirst)
		d, also := parseDate(b, monthFirst)
		return ok && also && a != d
	}) {
		read := "day/month"
		if c.american {
			read = "month/day"
		}
		c.notes = append(c.notes, "day and month are ambiguous in every date; read as "+read)
	} else if c.monthFirst() {
		c.notes = append(c.notes, "month before day")
	}
	for i, r := range t.rows {
		if v := c.values[i]; v == v && shortYear(t.grid.text(r, j), c.order) {
			c.notes = append(c.notes, fmt.Sprintf("years of two digits are read as 1970 to 2069, such as %.20q as %d", t.grid.text(r, j), timeOf(v).Year()))
			break
		}
	}
}

// fitsOrder reports whether all dates of a column can have the given order of day and month.
func (t *Table) fitsOrder(j, order int) bool {
	return !slices.ContainsFunc(t.rows, func(r record) bool {
		b := t.grid.text(r, j)
		if yearFirst(b) {
			return false // the order does not matter, because the year comes first
		}
		_, ok := parseDate(b, order)
		_, either := parseDate(b, monthFirstUnknown)
		return !ok && either
	})
}

// monthFirst reports whether the month precedes the day in the dates of the column.
func (c *column) monthFirst() bool { return c.typ == Date && c.order&^dottedTimes == monthFirst }

// yearFirst reports whether a date begins with a year of four digits.
func yearFirst(b []byte) bool {
	_, end := digitsAt(b, 0)
	return end == 4 && end < len(b)
}

// shortYear reports whether a date has a year of two digits.
func shortYear(b []byte, order int) bool {
	if _, ok := dottedTime(b); ok && order&dottedTimes != 0 {
		return false
	}
	day, _, timed := bytes.Cut(b, []byte{':'}) // a time follows the date
	if timed && len(day) <= 2 {
		return false // a time of day alone
	}
	for i := 0; i < len(day); i++ {
		_, end := digitsAt(day, i)
		if end-i >= 4 {
			return false
		}
		i = max(i, end)
	}
	return true
}

// standing is a repeated constant such as −999 that is the smallest or largest value of a column.
type standing struct {
	value, low, high float64 // the constant, and the range of all other values
	times            int
	far              bool // the constant is far from all other values
}

// standOut records the smallest and the largest value of a column if they may mark gaps. Such a
// value occurs at least twice. It is −200, or consists of at least two nines, such as −999.
func (t *Table) standOut(j int) {
	c := &t.columns[j]
	for _, v := range []float64{c.low, c.high} {
		digits := strconv.FormatFloat(math.Abs(v), 'f', -1, 64)
		if strings.Trim(digits, "9") != "" && v != -200 || len(digits) < 2 {
			continue
		}
		s := standing{value: v, low: math.Inf(1), high: math.Inf(-1)}
		for _, w := range c.values {
			if w == v {
				s.times++
			} else if w == w {
				s.low, s.high = min(s.low, w), max(s.high, w)
			}
		}
		if s.times < 2 || s.low > s.high {
			continue
		}
		s.far = min(math.Abs(s.low-v), math.Abs(s.high-v)) > s.high-s.low
		c.standing = append(c.standing, s)
	}
}

// noteMarkers adds notes on constants that may mark gaps. Such a constant is either far from all
// other values of its column, or it is the only negative value of its column and far from the
// values of another column.
func (t *Table) noteMarkers() {
	columns := map[float64]int{} // number of columns in which a constant stands out
	for j := range t.columns {
		for _, s := range t.columns[j].standing {
			if s.far {
				columns[s.value]++
			}
		}
	}
	for j := range t.columns {
		c := &t.columns[j]
		for _, s := range c.standing {
			text := strconv.FormatFloat(s.value, 'f', -1, 64)
			found := ""
			switch {
			case s.far && columns[s.value] == 1:
				found = fmt.Sprintf("is far from all other values (%s to %s) and occurs %d times", decimal(s.low), decimal(s.high), s.times)
			case s.far:
				found = "is far from all other values"
			case s.value < 0 && s.low >= 0 && columns[s.value] > 0:
				found = "is the only negative value, and stands out in other columns"
			default:
				continue
			}
			c.notes = append(c.notes, fmt.Sprintf("%s %s; if it marks gaps, read with Gaps(%q)", text, found, text))
		}
	}
}

// identifiers lists the names of columns that identify rows, in lower case.
const identifiers = " id ids index idx row rows rowid row_id rownames rowname no no. nr nr. # key uuid guid unnamed: 0 "

// numberings lists words, in lower case. A column whose name ends with one of these words, such as
// "Transaction number", may contain only row numbers.
const numberings = " id ids no nr number num nummer ref reference key code "

// identify marks a column of distinct whole numbers as an identifier if its name is in identifiers
// or ends in ID. A first column without a name is an identifier too if other columns have names. If
// no column has a name, the first column is an identifier only if it contains row numbers and the
// table has at least three columns and five rows. identify adds a note to other columns of row
// numbers. It also adds a note to a column of nearly distinct numbers if it is the first column and
// has no name, or if its name ends with a word in numberings.
func (t *Table) identify(j int) {
	c := &t.columns[j]
	if c.typ != Integer || c.gaps > 0 || len(t.rows) < 3 {
		return
	}
	step := true
	for i := 1; i < len(c.values) && step; i++ {
		step = c.values[i] == c.values[i-1]+1
	}
	name := strings.ToLower(c.name)
	c.counts = step && (c.values[0] == 0 || c.values[0] == 1)
	called := name != "" && strings.Contains(identifiers, " "+name+" ") || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, " id") || strings.HasSuffix(c.name, "ID") && len(c.name) > 2
	first := name == "" && j == 0
	words := strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '_' || r == '-' || r == '.' })
	numbered := len(words) > 1 && strings.Contains(numberings, " "+words[len(words)-1]+" ")
	unnamed := first && (t.hasNames() || c.counts && len(t.columns) > 2 && len(t.rows) >= 5)
	switch {
	case c.counts && (called || unnamed):
		c.typ = Identifier
		c.notes = append(c.notes, countsRows)
	case c.counts:
		c.notes = append(c.notes, countsRows+"; if it is only an index, drop it")
	case called || first || numbered:
		sorted := slices.Clone(c.values)
		slices.Sort(sorted)
		different, n := len(slices.Compact(sorted)), len(c.values)
		switch {
		case different == n && (called || unnamed):
			c.typ = Identifier
		case 10*different >= 9*n && n >= 20 && (first || numbered):
			c.notes = append(c.notes, fmt.Sprintf("%d different whole numbers in %d rows; if they only name the rows, leave the column out with Data(Without(%q))", different, n, t.columnName(j)))
		}
	}
}

// hasNames reports whether a column has a name. It reads only names, because other goroutines may
// be setting types at the same time.
func (t *Table) hasNames() bool {
	for j := range t.columns {
		if t.columns[j].name != "" {
			return true
		}
	}
	return false
}

// maxLevels is the largest number of categories in a column whose type is detected.
const maxLevels = 1000

// texts decides between category, text and identifier by the repetition and length of texts.
func (t *Table) texts(j int, budget *sharedBudget) {
	c := &t.columns[j]
	n := len(t.rows)
	levels := map[string]*int{}
	var hashes []uint64 // hashes of all texts if more than maxLevels are distinct, otherwise nil
	length, filled, words := 0, 0, 0
	for _, r := range t.rows {
		b := t.grid.text(r, j)
		if c.isGap(b) {
			continue
		}
		filled++
		length += len(b)
		if bytes.Count(b, []byte{' '}) > 3 {
			words++
		}
		if hashes != nil {
			hashes = append(hashes, hashOf(b))
			continue
		}
		if p := levels[string(b)]; p != nil {
			*p++
			continue
		}
		levels[string(b)] = new(1)
		if len(levels) > maxLevels && !(c.forced && c.typ == Category) {
			if !budget.take(8 * int64(n)) {
				return
			}
			hashes = make([]uint64, 0, n)
			for s, times := range levels {
				for range *times {
					hashes = append(hashes, hashOf([]byte(s)))
				}
			}
		}
	}
	c.gaps = n - filled
	if hashes != nil {
		slices.Sort(hashes)
		c.distinct = len(slices.Compact(hashes))
	} else {
		c.distinct = len(levels)
	}
	if !c.forced {
		switch {
		case filled == 0:
			c.typ = Text
		case c.distinct == filled && filled > 2 && 4*words < filled && length < 40*filled && c.gaps == 0:
			c.typ = Identifier
		case hashes == nil && (c.distinct <= 2 && filled > 2 || 2*c.distinct <= filled && (c.distinct <= 50 || 20*c.distinct <= filled)) && length < 100*filled:
			c.typ = Category
		case hashes == nil && filled <= 20 && c.distinct < filled && c.distinct <= 10 && length < 40*filled:
			c.typ = Category
		default:
			c.typ = Text
		}
	}
	if c.typ != Category {
		return
	}
	for s := range levels {
		if !budget.take(int64(len(s)) + textCost) {
			return
		}
		c.levels = append(c.levels, s)
	}
	sortNames(c.levels)
}

// hashOf returns a 64-bit hash (FNV-1a with a final mix).
func hashOf(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}
