package excel

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Largest numbers of rows and columns of a sheet in Excel.
const (
	maxRows    = 1 << 20
	maxColumns = 1 << 14
)

// book is an open workbook.
type book struct {
	files   map[string]*zip.File // by name in lower case
	sheets  []sheetFile
	strings []string // strings that cells refer to by index
	formats
}

// sheetFile is the name of a sheet and of its file.
type sheetFile struct{ name, part string }

// open opens a workbook whose unpacked files take at most limit bytes. It reads the parts that all
// sheets share: the list of sheets, the number formats and the strings.
func open(raw io.ReaderAt, size, limit int64) (*book, error) {
	z, err := zip.NewReader(raw, size)
	if err != nil {
		return nil, err
	}
	b := &book{files: map[string]*zip.File{}}
	for _, f := range z.File {
		if f.UncompressedSize64 > uint64(limit) {
			return nil, data.ErrTooLarge
		}
		limit -= int64(f.UncompressedSize64)
		b.files[strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/"))] = f
	}
	top, err := b.relations("")
	if err != nil {
		return nil, err
	}
	var main string
	for _, r := range top {
		if path.Base(r.Type) == "officeDocument" {
			main = r.Target
		}
	}
	parts, err := b.relations(main)
	if err != nil {
		return nil, err
	}
	var workbook struct {
		Properties struct {
			From1904 bool `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"id,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := b.decode(main, &workbook); err != nil {
		return nil, err
	}
	for _, s := range workbook.Sheets {
		b.sheets = append(b.sheets, sheetFile{s.Name, parts[s.ID].Target})
	}
	if len(b.sheets) == 0 {
		return nil, errors.New("the workbook has no sheets")
	}
	if err := b.readFormats(workbook.Properties.From1904); err != nil {
		return nil, err
	}
	return b, b.readStrings()
}

// decoder returns an XML decoder for the file of the workbook with the name `part`. ok is false if
// there is no such file.
func (b *book) decoder(part string) (d *xml.Decoder, ok bool, err error) {
	f := b.files[strings.ToLower(part)]
	if f == nil {
		return nil, false, nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, false, err
	}
	defer r.Close()
	text, err := io.ReadAll(transform.NewReader(r, unicode.BOMOverride(transform.Nop)))
	if err != nil {
		return nil, false, err
	}
	d = xml.NewDecoder(bytes.NewReader(text))
	d.CharsetReader = func(name string, input io.Reader) (io.Reader, error) {
		if !strings.EqualFold(name, "UTF-16") { // UTF-16 has been converted to UTF-8 above
			return nil, fmt.Errorf("the encoding %q is neither UTF-8 nor UTF-16", name)
		}
		return input, nil
	}
	return xml.NewTokenDecoder(&shallow{Decoder: d}), true, nil
}

// maxDepth is the largest nesting depth of elements. It limits the memory of a decoder, which needs
// more memory for an open element than its tag takes in the file.
const maxDepth = 1000

// shallow reads the tokens of a file. It fails if elements are nested more than maxDepth deep.
type shallow struct {
	*xml.Decoder
	depth int
}

func (s *shallow) Token() (xml.Token, error) {
	t, err := s.RawToken()
	switch t.(type) {
	case xml.StartElement:
		s.depth++
	case xml.EndElement:
		s.depth--
	}
	if s.depth > maxDepth {
		return nil, fmt.Errorf("elements are nested more than %d deep", maxDepth)
	}
	return t, err
}

// decode decodes the file called part into the value that `to` points to. It does nothing if the
// workbook has no such file.
func (b *book) decode(part string, to any) error {
	d, ok, err := b.decoder(part)
	if ok {
		err = d.Decode(to)
	}
	return err
}

// relation describes a reference from one file of a workbook to another.
type relation struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
}

// relations returns the references from the file called part, by identifier. For part "", it
// returns the references of the workbook as a whole.
func (b *book) relations(part string) (map[string]relation, error) {
	var list struct {
		Relationship []relation
	}
	folder, name := path.Split(part)
	if err := b.decode(folder+"_rels/"+name+".rels", &list); err != nil {
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
	d, ok, err := b.decoder("xl/sharedStrings.xml")
	if !ok {
		return err
	}
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
	Reference string     `xml:"r,attr"`
	Kind      string     `xml:"t,attr"`
	Style     int        `xml:"s,attr"`
	Value     string     `xml:"v"`
	Inline    stringItem `xml:"is"`
}

// rows yields the rows of a sheet as texts, and an empty row in place of each row that is missing.
// A row is valid only until the next row is yielded.
func (b *book) rows(part string) iter.Seq2[[][]byte, error] {
	return func(yield func([][]byte, error) bool) {
		d, ok, err := b.decoder(part)
		if err == nil && !ok {
			err = fmt.Errorf("the file %q of the sheet is missing", part)
		}
		if err != nil {
			yield(nil, err)
			return
		}
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
	number, column int // number of the row, and column of its last cell, both counted from 1
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
	case number > maxRows:
		return fmt.Errorf("row %d is beyond the last row of Excel, %d", number, maxRows)
	}
	r.number, r.column, r.texts = number, 0, r.texts[:0]
	return nil
}

// add adds a cell. A cell without a reference is in the column after the previous cell.
func (r *row) add(b *book, c *cell) error {
	r.column++
	if c.Reference != "" {
		var err error
		if r.column, err = column(c.Reference); err != nil {
			return err
		}
	}
	if r.column > maxColumns {
		return fmt.Errorf("row %d has more than %d columns, the maximum in Excel", r.number, maxColumns)
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

// column returns the column, counted from 1, of a cell reference such as "AB12".
func column(reference string) (int, error) {
	letters := strings.TrimRight(reference, "0123456789")
	if letters == "" || len(letters) > 3 || letters == reference {
		return 0, fmt.Errorf("a cell has the invalid reference %q", reference)
	}
	number := 0
	for _, c := range strings.ToUpper(letters) {
		if c < 'A' || c > 'Z' {
			return 0, fmt.Errorf("a cell has the invalid reference %q", reference)
		}
		number = 26*number + int(c-'A') + 1
	}
	return number, nil
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
			return "", fmt.Errorf("a cell refers to shared string %s (counted from 0), but the workbook has %s", c.Value, nouns.Count(len(b.strings), "shared string"))
		}
		return b.strings[at], nil
	case "inlineStr":
		if text := c.Inline.text(); text != "" {
			return text, nil
		}
	}
	return c.Value, nil
}
