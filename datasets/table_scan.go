package datasets

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// dialect contains the separator and the quotation marks of a text table.
type dialect struct {
	sep       string // "" for a table of one column; " " means runs of spaces and tabs
	quote     byte   // 0 for none
	backslash bool   // a backslash escapes the quote after it
	cr        bool   // lines end with CR alone
}

// spaces reports whether runs of spaces and tabs separate the cells.
func (d dialect) spaces() bool { return d.sep == " " }

// record is a line of a table. If a quoted cell contains line breaks, the record spans several
// lines.
type record struct {
	base int    // start of the record in the buffer
	cell int    // index of the end of its first cell in grid.ends
	line uint32 // line number in the file, counted from 1
	n    int32  // number of cells
}

// grid contains a text table divided into cells. It stores the end of each cell in the buffer. The
// method text removes spaces and quotes when a cell is read.
type grid struct {
	buf     []byte
	dialect dialect
	rows    []record
	ends    []uint32 // end of each cell, relative to the base of its record

	odd    int    // number of quoted cells with unescaped quotes inside
	open   uint32 // line of the first quote that is never closed, 0 for none
	opened int    // number of quotes that are never closed
	torn   int    // a quote that opens before this position is not closed, see quoted
}

// cellCost and rowCost are the numbers of bytes that a cell and a row use in a grid.
const (
	cellCost = 4
	rowCost  = 24
)

// scan divides a text into cells. If `most` is positive, scan stops after `most` rows.
func scan(buf []byte, how dialect, most int, budget *files.Budget) (*grid, error) {
	g := &grid{buf: buf, dialect: how}
	// stop marks the bytes that may end a cell without quotes.
	var stop [256]bool
	stop['\n'] = true
	if how.cr {
		stop['\r'] = true
	}
	if how.spaces() {
		stop[' '], stop['\t'] = true, true
	} else if how.sep != "" {
		stop[how.sep[0]] = true
	}
	step := len(how.sep)
	line := uint32(1)
	paid, cost := 0, func() int { return cellCost*cap(g.ends) + rowCost*cap(g.rows) }
	for pos := 0; pos < len(buf); {
		if most > 0 && len(g.rows) == most {
			break
		}
		if how.spaces() {
			for pos < len(buf) && (buf[pos] == ' ' || buf[pos] == '\t') {
				pos++
			}
			if pos == len(buf) {
				break
			}
		}
		base, first, begins := pos, len(g.ends), line
		for {
			if how.quote != 0 && pos < len(buf) && (buf[pos] == how.quote || buf[pos] <= ' ') {
				if end, ok := g.quoted(pos, line); ok {
					line += uint32(bytes.Count(buf[pos:end], []byte{'\n'}))
					pos = end
				}
			}
			for {
				at := pos
				for at < len(buf) && !stop[buf[at]] {
					at++
				}
				pos = at
				if step <= 1 || at == len(buf) || buf[at] != how.sep[0] || bytes.HasPrefix(buf[at:], []byte(how.sep)) {
					break
				}
				pos++ // the text matches only the first byte of a longer separator
			}
			if uint64(pos-base) > math.MaxUint32-1 {
				return nil, fmt.Errorf("a line of %d bytes is too long", pos-base)
			}
			g.ends = append(g.ends, uint32(pos-base))
			if pos == len(buf) {
				break
			}
			if c := buf[pos]; c == '\n' || c == '\r' && how.cr {
				pos++
				line++
				if c == '\r' && pos < len(buf) && buf[pos] == '\n' {
					pos++
				}
				break
			}
			if !how.spaces() {
				pos += step
				continue
			}
			for pos < len(buf) && (buf[pos] == ' ' || buf[pos] == '\t' || buf[pos] == '\r' && !how.cr) {
				pos++
			}
			if pos == len(buf) || buf[pos] == '\n' || buf[pos] == '\r' {
				if pos < len(buf) {
					if buf[pos] == '\r' && pos+1 < len(buf) && buf[pos+1] == '\n' {
						pos++
					}
					pos++
					line++
				}
				break
			}
			// The next cell begins after the first separator of the run. The method text trims the
			// others.
		}
		g.rows = append(g.rows, record{base, first, begins, int32(len(g.ends) - first)})
		// Reserve memory for the remaining rows, assuming that they have as many cells and bytes as
		// the first rows. If the first rows are not typical, this can be far too much.
		if len(g.rows) == sampleRows && most == 0 {
			times := float64(len(buf)) / float64(pos) * 1.05
			rows, ends := int(times*float64(len(g.rows))), int(times*float64(len(g.ends)))
			if budget == nil || int64(rowCost*rows+cellCost*ends) <= budget.Left()/2 {
				g.rows, g.ends = slices.Grow(g.rows, rows), slices.Grow(g.ends, ends)
			}
		}
		if c := cost(); c > paid && budget != nil {
			if err := budget.Take(int64(c - paid)); err != nil {
				return nil, err
			}
			paid = c
		}
	}
	return g, nil
}

// quoted returns the position of the separator or line end after a quoted cell that begins at pos.
// ok is false if no quoted cell begins there. A quote that is never closed is only a character.
func (g *grid) quoted(pos int, line uint32) (end int, ok bool) {
	buf, q := g.buf, g.dialect.quote
	p := pos
	for p < len(buf) && (buf[p] == ' ' || buf[p] == '\t' && g.dialect.sep != "\t") {
		p++
	}
	if p == len(buf) || buf[p] != q || g.open > 0 && line >= g.open || p < g.torn {
		return pos, false
	}
	odd := false
	for i := p + 1; ; {
		k := bytes.IndexByte(buf[i:], q)
		if k < 0 {
			if g.open == 0 {
				g.open = line // later quotes are not closed either
			}
			g.opened++
			return pos, false
		}
		if odd {
			// A cell with unescaped quotes must end in its line. This one does not, so all quotes
			// in this line count as not closed, and their ends are not searched for.
			if end := bytes.IndexByte(buf[i:i+k], '\n'); end >= 0 {
				g.opened++
				g.torn = i + end
				return pos, false
			}
		}
		i += k + 1
		if g.dialect.backslash {
			n := 0
			for i-2-n > p && buf[i-2-n] == '\\' {
				n++
			}
			if n%2 == 1 {
				continue
			}
		}
		if i < len(buf) && buf[i] == q {
			i++
			continue
		}
		at := i
		for at < len(buf) && (buf[at] == ' ' || buf[at] == '\t' && g.dialect.sep != "\t" || buf[at] == '\r' && !g.dialect.cr) && !g.dialect.spaces() {
			at++
		}
		if at == len(buf) || buf[at] == '\n' || buf[at] == '\r' {
			g.note(odd)
			return at, true
		}
		if g.dialect.spaces() {
			if buf[at] == ' ' || buf[at] == '\t' {
				g.note(odd)
				return at, true
			}
		} else if g.dialect.sep != "" && bytes.HasPrefix(buf[at:], []byte(g.dialect.sep)) {
			g.note(odd)
			return at, true
		}
		odd = true
	}
}

// note adds 1 to g.odd if `odd` is true, which means that a quoted cell contains unescaped quotes.
func (g *grid) note(odd bool) {
	if odd {
		g.odd++
	}
}

// span returns the bytes of cell j of a record, or nil if there is no such cell.
func (g *grid) span(r record, j int) []byte {
	if j >= int(r.n) {
		return nil
	}
	from := 0
	if j > 0 {
		from = int(g.ends[r.cell+j-1]) + len(g.dialect.sep)
	}
	return g.buf[r.base+from : r.base+int(g.ends[r.cell+j])]
}

// text returns cell j of a record, trimmed and without its quotes. The result may share memory with
// the buffer.
func (g *grid) text(r record, j int) []byte {
	b := g.span(r, j)
	q := g.dialect.quote
	if n := len(b); n > 0 && b[0]-'!' < 0x80-'!' && b[n-1]-'!' < 0x80-'!' { // both ends are printable ASCII characters, so that there is nothing to trim
		if b[0] != q {
			return b
		}
	} else if n > 0 {
		b = trimCell(b)
	}
	if q == 0 || len(b) < 2 || b[0] != q || b[len(b)-1] != q {
		return b
	}
	b = b[1 : len(b)-1]
	if bytes.IndexByte(b, q) >= 0 || g.dialect.backslash && bytes.IndexByte(b, '\\') >= 0 {
		out := make([]byte, 0, len(b))
		for i := 0; i < len(b); i++ {
			if i+1 < len(b) && (b[i] == q && b[i+1] == q || g.dialect.backslash && b[i] == '\\' && (b[i+1] == q || b[i+1] == '\\')) {
				i++
			}
			out = append(out, b[i])
		}
		b = out
	}
	if bytes.IndexByte(b, '\r') >= 0 {
		b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	}
	return trimCell(b)
}

// empty reports whether cell j of a record contains no text.
func (g *grid) empty(r record, j int) bool {
	s := g.span(r, j)
	if len(s) == 0 || s[0]-'!' < 0x80-'!' && s[0] != g.dialect.quote {
		return len(s) == 0
	}
	return len(g.text(r, j)) == 0
}
