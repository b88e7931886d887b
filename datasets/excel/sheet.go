package excel

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// book is an open workbook. Cells are decoded here, because excelize's functions for the type and
// the style of a cell load the whole sheet, with every row filled up to its last column, and search
// it for each cell.
type book struct {
	file    *excelize.File
	parts   []string // name of the XML file of each sheet
	strings []string // strings that cells refer to by index
	formats
}

// open reads what all sheets share.
func open(file *excelize.File) (*book, error) {
	props, err := file.GetWorkbookProps()
	if err != nil {
		return nil, err
	}
	b := &book{file: file, formats: formatsOf(file, props.Date1904 != nil && *props.Date1904)}
	var main string
	top, err := b.relations("")
	if err != nil {
		return nil, err
	}
	for _, r := range top {
		if path.Base(r.Type) == "officeDocument" {
			main = r.Target
		}
	}
	relations, err := b.relations(main)
	if err != nil {
		return nil, err
	}
	for _, s := range file.WorkBook.Sheets.Sheet {
		b.parts = append(b.parts, relations[s.ID].Target)
	}
	return b, b.readStrings()
}

// decoder returns a decoder of an XML file of the workbook, which is empty if there is none.
func (b *book) decoder(part string) *xml.Decoder {
	raw, _ := b.file.Pkg.Load(part)
	text, _ := raw.([]byte)
	d := xml.NewDecoder(bytes.NewReader(text))
	d.CharsetReader = b.file.CharsetReader
	return d
}

// relation describes a reference from one file of a workbook to another.
type relation struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
}

// relations returns the references from a file, by identifier, with the names of their targets. The
// name of the workbook as a whole is "".
func (b *book) relations(part string) (map[string]relation, error) {
	var list struct {
		Relationship []relation
	}
	folder, name := path.Split(part)
	if err := b.decoder(folder + "_rels/" + name + ".rels").Decode(&list); err != nil && err != io.EOF {
		return nil, err
	}
	all := make(map[string]relation, len(list.Relationship))
	for _, r := range list.Relationship {
		r.Target = strings.ReplaceAll(r.Target, `\`, "/")
		if !path.IsAbs(r.Target) {
			r.Target = path.Join("/", folder, r.Target)
		}
		r.Target = strings.TrimPrefix(path.Clean(r.Target), "/")
		all[r.ID] = r
	}
	return all, nil
}

// stringItem is a text, or the runs of a rich text.
type stringItem struct {
	T string `xml:"t"`
	R []struct {
		T string `xml:"t"`
	} `xml:"r"`
}

// escaped matches a UTF-16 unit that XML cannot contain, such as _x000D_.
var escaped = regexp.MustCompile("_x[0-9A-Fa-f]{4}_")

func (s *stringItem) text() string {
	text := s.T
	if len(s.R) > 0 {
		var all strings.Builder
		all.WriteString(s.T)
		for _, r := range s.R {
			all.WriteString(r.T)
		}
		text = all.String()
	}
	if !strings.Contains(text, "_x") {
		return text
	}
	return escaped.ReplaceAllStringFunc(text, func(s string) string {
		unit, _ := strconv.ParseUint(s[2:6], 16, 16)
		return string(rune(unit))
	})
}

// readStrings reads the strings of the workbook.
func (b *book) readStrings() error {
	d := b.decoder("xl/sharedStrings.xml")
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "si" {
			var item stringItem
			if err := d.DecodeElement(&item, &start); err != nil {
				return err
			}
			b.strings = append(b.strings, item.text())
		}
	}
}

// cell is a cell of a sheet in the file (ECMA-376, part 1, 18.3.1.4).
type cell struct {
	Place  string     `xml:"r,attr"`
	Kind   string     `xml:"t,attr"`
	Style  int        `xml:"s,attr"`
	Value  string     `xml:"v"`
	Inline stringItem `xml:"is"`
}

// rows yields the rows of a sheet as texts, with an empty row for each one that is missing. A row is
// valid until the next one.
func (b *book) rows(part string) iter.Seq2[[][]byte, error] {
	return func(yield func([][]byte, error) bool) {
		if _, ok := b.file.Pkg.Load(part); !ok {
			yield(nil, fmt.Errorf("the file %q of the sheet is missing", part))
			return
		}
		d := b.decoder(part)
		var r row
		for {
			token, err := d.Token()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			switch t := token.(type) {
			case xml.StartElement:
				switch t.Name.Local {
				case "row":
					before := r.number
					err = r.begin(t)
					for k := before + 1; err == nil && k < r.number; k++ {
						if !yield(nil, nil) {
							return
						}
					}
				case "c":
					var c cell
					if err = d.DecodeElement(&c, &t); err == nil {
						err = r.add(b, &c)
					}
				}
				if err != nil {
					yield(nil, err)
					return
				}
			case xml.EndElement:
				switch t.Name.Local {
				case "row":
					if !yield(r.texts, nil) {
						return
					}
				case "sheetData":
					return
				}
			}
		}
	}
}

// row is a row of a sheet, without the empty cells at its end.
type row struct {
	number, column int // of the row and of its last cell, from 1
	texts          [][]byte
}

// begin begins the next row.
func (r *row) begin(start xml.StartElement) error {
	number := r.number + 1
	for _, a := range start.Attr {
		if a.Name.Local == "r" {
			var err error
			if number, err = strconv.Atoi(a.Value); err != nil {
				return err
			}
		}
	}
	switch {
	case number <= r.number:
		return fmt.Errorf("row %d follows row %d", number, r.number)
	case number > excelize.TotalRows:
		return excelize.ErrMaxRows
	}
	r.number, r.column, r.texts = number, 0, r.texts[:0]
	return nil
}

// add adds a cell. A cell without a place is beside the one before.
func (r *row) add(b *book, c *cell) error {
	r.column++
	if c.Place != "" {
		var err error
		if r.column, _, err = excelize.CellNameToCoordinates(c.Place); err != nil {
			return err
		}
	}
	if r.column > excelize.MaxColumns {
		return excelize.ErrColumnNumber
	}
	text, err := b.text(c)
	if err != nil || text == "" {
		return err
	}
	for len(r.texts) < r.column {
		r.texts = append(r.texts, nil)
	}
	r.texts[r.column-1] = []byte(strings.ToValidUTF8(text, string(utf8.RuneError)))
	return nil
}

// text returns a cell as text, in the form used in text tables.
func (b *book) text(c *cell) (string, error) {
	switch c.Kind {
	case "", "n", "d":
		return b.number(c.Value, c.Style)
	case "b":
		if value, err := strconv.ParseFloat(c.Value, 64); err == nil {
			return strconv.FormatBool(value != 0), nil
		}
	case "s":
		if c.Value == "" {
			return "", nil
		}
		at, err := strconv.Atoi(strings.TrimSpace(c.Value))
		if err != nil || at < 0 || at >= len(b.strings) {
			return "", fmt.Errorf("a cell refers to the shared string %s of %d", c.Value, len(b.strings))
		}
		return b.strings[at], nil
	case "inlineStr":
		if text := c.Inline.text(); text != "" {
			return text, nil
		}
	}
	return c.Value, nil
}
