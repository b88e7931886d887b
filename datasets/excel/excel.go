// Package excel reads sheets of Excel workbooks (.xlsx, .xlsm) as tables:
//
//	table, err := excel.ReadTable("mine.xlsx")
//	table, err := excel.ReadSheet("mine.xlsx", "Plants")
//
// It is a separate module, so that only its importers download github.com/xuri/excelize
// (BSD-3-Clause) and its dependencies. In a notebook, run this line in a separate cell first;
// install.sh sets SSDRNB_ROOT for the kernel:
//
//	!*go work use "$SSDRNB_ROOT/datasets/excel"
package excel

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// ReadTable reads the first nonempty sheet of a workbook. A note names the other sheets. Header,
// preamble and footers are detected as in [datasets.ReadTable], with the same options. Numbers are
// read with all their digits, regardless of their format. Numbers with a date format are dates. A
// formula has the value that the spreadsheet program computed last, or is a gap if it was never
// computed.
//
// The unpacked workbook may take at most an eighth of the limit of [data.SetReadLimit]. A larger
// workbook gives [data.ErrTooLarge].
func ReadTable(path string, options ...datasets.TableOption) (*datasets.Table, error) {
	return read(path, "", options)
}

// ReadSheet is [ReadTable] for a given sheet. The error for an unknown name lists the sheets.
func ReadSheet(path, sheet string, options ...datasets.TableOption) (*datasets.Table, error) {
	if sheet == "" {
		return nil, advice.With("give a name, or call ReadTable for the first sheet", fmt.Errorf("%w: %s: excel.ReadSheet: the name of the sheet is empty", datasets.ErrFormat, path))
	}
	return read(path, sheet, options)
}

// The unpacked file may use 1/share of the read limit, because excelize needs about eight bytes of
// memory for each byte of a cell's text.
const share = 8

// read reads a sheet. Where excelize panics because a file is damaged, read returns an error.
func read(path, sheet string, options []datasets.TableOption) (t *datasets.Table, err error) {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	bad := func(what any) error {
		return advice.With("open it in a spreadsheet program and save it again as .xlsx", fmt.Errorf("%w: %s: Excel: %v", datasets.ErrFormat, name, what))
	}
	defer func() {
		if p := recover(); p != nil {
			t, err = nil, bad(p)
		}
	}()
	raw, size, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer raw.Close()
	limit := data.ReadLimit() / share
	if size > limit {
		return nil, tooLarge(name)
	}
	head := make([]byte, 4)
	if _, err := raw.ReadAt(head, 0); err != nil || string(head) != "PK\x03\x04" {
		return nil, advice.With("read it with datasets.ReadTable, which detects the format, or save it as .xlsx", fmt.Errorf("%w: %s: this is not an Excel workbook of 2007 or later", datasets.ErrFormat, name))
	}
	book, err := excelize.OpenReader(raw, excelize.Options{RawCellValue: true, UnzipSizeLimit: limit, UnzipXMLSizeLimit: limit})
	switch {
	case err != nil && strings.Contains(err.Error(), "unzip size exceeds"):
		return nil, tooLarge(name)
	case err != nil:
		return nil, bad(err)
	}
	defer book.Close()
	sheets := book.GetSheetList()
	if sheet != "" {
		for _, s := range sheets {
			if s == sheet {
				return table(book, name, sheet, options, bad)
			}
		}
		return nil, advice.With("its sheets are "+quoted(sheets), fmt.Errorf("%w: %s: the workbook has no sheet %q", datasets.ErrFormat, name, sheet))
	}
	for k, s := range sheets {
		rest := append(append([]string{}, sheets[:k]...), sheets[k+1:]...)
		all := options
		if len(rest) > 0 {
			all = append(options[:len(options):len(options)], datasets.Note("sheet %q; others are %s: read one with excel.ReadSheet", s, quoted(rest)))
		}
		t, err := table(book, name, s, all, bad)
		if errors.Is(err, errEmpty) {
			continue
		}
		return t, err
	}
	return nil, advice.With("give a workbook with a table", fmt.Errorf("%w: %s: all sheets are empty", datasets.ErrFormat, name))
}

func tooLarge(name string) error {
	return fmt.Errorf("datasets: %s: %w: an unpacked workbook may take at most an eighth of the read limit; raise it with data.SetReadLimit, or save the sheet as CSV", name, data.ErrTooLarge)
}

// maxSheets bounds the number of sheets in a message.
const maxSheets = 10

func quoted(sheets []string) string {
	var names []string
	for _, s := range sheets {
		if len(names) == maxSheets {
			names = append(names, fmt.Sprintf("and %d more", len(sheets)-maxSheets))
			break
		}
		names = append(names, strconv.Quote(s))
	}
	return strings.Join(names, ", ")
}

var errEmpty = errors.New("all cells are empty")

func table(book *excelize.File, name, sheet string, options []datasets.TableOption, bad func(any) error) (*datasets.Table, error) {
	some := false
	t, err := datasets.NewTable(name, nil, cellsOf(book, sheet, &some, bad), options...)
	if err != nil && !some && !errors.Is(err, data.ErrTooLarge) {
		return nil, errEmpty
	}
	return t, err
}

// cellsOf yields the rows of a sheet as texts. It sets *some to true if a cell is not empty.
func cellsOf(book *excelize.File, sheet string, some *bool, bad func(any) error) iter.Seq2[[][]byte, error] {
	return func(yield func([][]byte, error) bool) {
		props, err := book.GetWorkbookProps()
		if err != nil {
			yield(nil, bad(err))
			return
		}
		s := styles{book: book, sheet: sheet, shown: map[int]shown{}, from1904: props.Date1904 != nil && *props.Date1904}
		rows, err := book.Rows(sheet)
		if err != nil {
			yield(nil, bad(err))
			return
		}
		defer rows.Close()
		var cells [][]byte
		for at := 1; rows.Next(); at++ {
			texts, err := rows.Columns()
			if err != nil {
				yield(nil, bad(err))
				return
			}
			cells = cells[:0]
			for k, text := range texts {
				if text != "" {
					*some = true
					if text, err = s.text(k+1, at, text); err != nil {
						yield(nil, bad(err))
						return
					}
				}
				cells = append(cells, []byte(strings.ToValidUTF8(text, string(utf8.RuneError))))
			}
			if !yield(cells, nil) {
				return
			}
		}
		if err := rows.Error(); err != nil {
			yield(nil, bad(err))
		}
	}
}

// shown describes whether a number format shows a day and a time of day.
type shown struct{ day, clock bool }

// styles contains the number formats of the cells in a sheet.
type styles struct {
	book     *excelize.File
	sheet    string
	shown    map[int]shown // known results of find, by index of the style
	from1904 bool
}

// text returns a cell as text, in the form used in text tables.
func (s *styles) text(column, row int, raw string) (string, error) {
	value, err := strconv.ParseFloat(raw, 64)
	if err != nil {
		return raw, nil
	}
	cell, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		return "", err
	}
	kind, err := s.book.GetCellType(s.sheet, cell)
	if err != nil {
		return "", err
	}
	switch kind {
	case excelize.CellTypeBool:
		return strconv.FormatBool(value != 0), nil
	case excelize.CellTypeUnset, excelize.CellTypeNumber, excelize.CellTypeFormula, excelize.CellTypeDate:
	default:
		return raw, nil
	}
	style, err := s.book.GetCellStyle(s.sheet, cell)
	if err != nil {
		return "", err
	}
	f, ok := s.shown[style]
	if !ok {
		if f, err = s.find(style); err != nil {
			return "", err
		}
		s.shown[style] = f
	}
	if !f.day && !f.clock || value < 0 || math.IsInf(value, 0) {
		return raw, nil
	}
	when, err := excelize.ExcelDateToTime(value, s.from1904)
	if err != nil {
		return raw, nil
	}
	when = when.Round(time.Millisecond)
	switch {
	case !f.day && value < 1:
		return when.Format("15:04:05.999"), nil
	case !f.clock && value == math.Trunc(value):
		return when.Format(time.DateOnly), nil
	}
	return when.Format("2006-01-02 15:04:05.999"), nil
}

// find reports whether the number format of a style shows a day and a time of day.
func (s *styles) find(style int) (shown, error) {
	if style == 0 {
		return shown{}, nil
	}
	f, err := s.book.GetStyle(style)
	if err != nil {
		return shown{}, err
	}
	if f.CustomNumFmt != nil {
		return parts(*f.CustomNumFmt), nil
	}
	switch n := f.NumFmt; { // ECMA-376, part 1, 18.8.30
	case n >= 14 && n <= 17, n >= 27 && n <= 31, n == 36, n >= 50 && n <= 54, n >= 57 && n <= 58:
		return shown{day: true}, nil
	case n == 22:
		return shown{day: true, clock: true}, nil
	case n >= 18 && n <= 21, n >= 32 && n <= 35, n == 45, n == 47, n == 55, n == 56:
		return shown{clock: true}, nil
	}
	return shown{}, nil
}

// parts reports whether a number format shows a day and a time of day. A format of durations, such
// as [h]:mm, shows neither: its cells are read as numbers of days.
func parts(format string) shown {
	var f shown
	for i := 0; i < len(format); i++ {
		switch c := format[i]; c {
		case ';': // end of the format of positive numbers
			return f
		case '\\', '_', '*':
			i++
		case '"', '[':
			end := byte('"')
			if c == '[' {
				end = ']'
			}
			at := strings.IndexByte(format[i+1:], end)
			if at < 0 {
				return f
			}
			if c == '[' && strings.Trim(strings.ToLower(format[i+1:i+1+at]), "hms") == "" {
				return shown{}
			}
			i += at + 1
		case 'y', 'Y', 'd', 'D':
			f.day = true
		case 'h', 'H', 's', 'S':
			f.clock = true
		case '0', '#', '?', '%', 'E', 'e':
			if !f.clock { // digits after a time are fractions of a second; other digits show a number
				return shown{}
			}
		}
	}
	return f
}
