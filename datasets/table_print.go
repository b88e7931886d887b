package datasets

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// String describes the dialect in words.
func (d dialect) String() string {
	name, known := map[string]string{"": "one column", ",": "comma", ";": "semicolon", "\t": "tab", " ": "spaces", "|": "bar"}[d.sep]
	if !known {
		name = strconv.Quote(d.sep)
	}
	switch {
	case d.quote != 0 && d.backslash:
		name += fmt.Sprintf(", quote %c escaped by \\", d.quote)
	case d.quote != 0:
		name += fmt.Sprintf(", quote %c", d.quote)
	default:
		name += ", no quotes"
	}
	return name
}

// maxPrinted bounds the number of columns, and the number of notes, that a table prints.
const maxPrinted = 60

// longName bounds the number of characters of a name in a note.
const longName = 100

// String lists the columns with their type, gaps, range or number of distinct texts, and examples.
// Below them are the decisions made while the table was read, and options that override them.
func (t *Table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s × %s (%s)\n", t.name, nouns.Count(t.Rows(), "row"), nouns.Count(len(t.columns), "column"), t.format)
	lines := [][]string{{"", "column", "type", "gaps", "values", "examples"}}
	for j := range min(len(t.columns), maxPrinted) {
		c := &t.columns[j]
		name := strings.Join(strings.Fields(t.columnName(j)), " ") // a line break would end the row
		if c.unit != "" {
			name += " [" + c.unit + "]"
		}
		gaps := ""
		if c.gaps > 0 {
			gaps = strconv.Itoa(c.gaps)
		}
		lines = append(lines, []string{strconv.Itoa(j + 1), cut(name, 32), string(c.typ), gaps, t.values(j), strings.Join(t.examples(j), ", ")})
	}
	width := make([]int, len(lines[0]))
	for _, l := range lines {
		for k, s := range l {
			width[k] = max(width[k], utf8.RuneCountInString(s))
		}
	}
	for _, l := range lines {
		row := ""
		for k, s := range l {
			pad := strings.Repeat(" ", width[k]-utf8.RuneCountInString(s))
			if k == 0 || k == 3 {
				row += pad + s + "  "
			} else {
				row += s + pad + "  "
			}
		}
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	if more := len(t.columns) - maxPrinted; more > 0 {
		fmt.Fprintf(&b, "… and %s\n", nouns.Count(more, "more column"))
	}
	notes := t.Notes()
	for k, n := range notes {
		if k == maxPrinted {
			fmt.Fprintf(&b, "… and %s\n", nouns.Count(len(notes)-k, "more note"))
			break
		}
		b.WriteString("note: " + n + "\n")
	}
	b.WriteString("override with options of ReadTable: Column(name).As(Category), Gaps(\"-999\"), Separator(';'), Decimal(','), Header(rows), NoHeader(), Skip(lines), …\n")
	return b.String()
}

// layoutOf returns the layout, as package time defines it, for a column of dates, dates with times,
// or times. It keeps seconds, and parts of seconds, if a value has them.
func layoutOf(days []float64) string {
	date, times := "2006-01-02", ""
	ofDay := true // whether all values are times of day
	for _, v := range days {
		if v != v {
			continue
		}
		ofDay = ofDay && v >= 0 && v < 1
		if v == math.Trunc(v) {
			continue
		}
		switch t := timeOf(v); {
		case t.Nanosecond() != 0:
			times = "15:04:05.999999"
		case t.Second() != 0:
			times = cmp.Or(strings.TrimSuffix(times, "15:04"), "15:04:05")
		default:
			times = cmp.Or(times, "15:04")
		}
	}
	switch {
	case ofDay:
		return cmp.Or(strings.TrimSuffix(times, "15:04"), "15:04:05")
	case times == "":
		return date
	}
	return date + " " + times
}

// values describes the range of a column, or the number of its distinct texts.
func (t *Table) values(j int) string {
	c := &t.columns[j]
	switch {
	case c.gaps == len(t.rows):
		return "none"
	case c.typ == Date:
		return timeOf(c.low).Format(c.layout) + " to " + timeOf(c.high).Format(c.layout)
	case c.typ == Boolean:
		yes := 0
		for _, v := range c.values {
			if v == 1 {
				yes++
			}
		}
		return fmt.Sprintf("%d true", yes)
	case c.values != nil:
		return decimal(c.low) + " to " + decimal(c.high)
	case c.distinct > 0:
		return fmt.Sprintf("%d different", c.distinct)
	}
	return ""
}

// decimal formats a number. It keeps all digits of a whole number, rounds other numbers of at least
// a million to a whole number, and rounds smaller numbers to six significant digits. Only very
// large and very small numbers have an exponent.
func decimal(v float64) string {
	size := math.Abs(v)
	switch {
	case v == 0:
		return "0" // without the sign of −0
	case v == math.Trunc(v) && size < 1e21:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case size >= 1e6 && size < 1e21:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// examples returns up to three distinct texts of column j from the first rows.
func (t *Table) examples(j int) []string {
	var out []string
	seen := map[string]bool{}
	for i := 0; i < len(t.rows) && i < 1000 && len(out) < 3; i++ {
		if s := t.Text(i, j); s != "" && !seen[s] && !t.Gap(i, j) {
			seen[s] = true
			out = append(out, cut(strings.Join(strings.Fields(s), " "), 24))
		}
	}
	return out
}

// cut shortens a text to at most n characters.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
