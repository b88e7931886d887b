// Package excel reads sheets of Excel workbooks (.xlsx, .xlsm) as tables:
//
//	table, err := excel.ReadTable("mine.xlsx")
//	table, err := excel.ReadSheet("mine.xlsx", "Plants")
package excel

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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

// The unpacked file may use 1/share of the read limit. The strings and styles read from it take
// several times as much memory.
const share = 8

// read reads the sheet with the given name, or the first nonempty sheet if the name is "".
func read(path, sheet string, options []datasets.TableOption) (*datasets.Table, error) {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
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
	book, err := open(raw, size, limit)
	switch {
	case errors.Is(err, data.ErrTooLarge):
		return nil, tooLarge(name)
	case err != nil:
		return nil, damaged(name, err)
	}
	if sheet != "" {
		at := slices.IndexFunc(book.sheets, func(s sheetFile) bool { return s.name == sheet })
		if at < 0 {
			return nil, advice.With("its sheets are "+quoted(book.sheets, at), fmt.Errorf("%w: %s: the workbook has no sheet %q", datasets.ErrFormat, name, sheet))
		}
		t, err := book.table(name, book.sheets[at], options)
		if errors.Is(err, errEmpty) {
			return nil, advice.With("give a sheet with a table", fmt.Errorf("%w: %s: sheet %q: %w", datasets.ErrFormat, name, sheet, errEmpty))
		}
		return t, err
	}
	seen := map[string]bool{} // a damaged workbook may refer to one part many times
	for k, s := range book.sheets {
		if seen[s.part] {
			continue
		}
		seen[s.part] = true
		all := options
		if len(book.sheets) > 1 {
			all = append(options[:len(options):len(options)], datasets.Note("only sheet %q was read; read another with excel.ReadSheet: %s", s.name, quoted(book.sheets, k)))
		}
		t, err := book.table(name, s, all)
		if errors.Is(err, errEmpty) {
			continue
		}
		return t, err
	}
	return nil, advice.With("give a workbook with a table", fmt.Errorf("%w: %s: all sheets are empty", datasets.ErrFormat, name))
}

func damaged(name string, err error) error {
	return advice.With("open it in a spreadsheet program and save it again as .xlsx", fmt.Errorf("%w: %s: Excel: %v", datasets.ErrFormat, name, err))
}

func tooLarge(name string) error {
	return fmt.Errorf("datasets: %s: %w: an unpacked workbook may take at most an eighth of the read limit; raise it with data.SetReadLimit, or save the sheet as CSV", name, data.ErrTooLarge)
}

// maxSheets bounds the number of sheets in a message.
const maxSheets = 10

// quoted lists the names of the sheets in quotation marks. It leaves out the sheet with the index
// `omitted`; −1 leaves out none.
func quoted(sheets []sheetFile, omitted int) string {
	var names []string
	for k, s := range sheets {
		if k == omitted {
			continue
		}
		if len(names) == maxSheets {
			rest := len(sheets) - maxSheets
			if omitted >= 0 {
				rest--
			}
			names = append(names, fmt.Sprintf("and %d more", rest))
			break
		}
		names = append(names, strconv.Quote(s.name))
	}
	return strings.Join(names, ", ")
}

var errEmpty = errors.New("all cells are empty")

// table reads a sheet. If all its cells are empty, the error is errEmpty.
func (b *book) table(name string, s sheetFile, options []datasets.TableOption) (*datasets.Table, error) {
	empty := false
	t, err := datasets.NewTable(name, nil, func(yield func([][]byte, error) bool) {
		some := false
		for cells, err := range b.rows(s.part) {
			if err != nil {
				yield(nil, damaged(name, err))
				return
			}
			for _, c := range cells {
				some = some || len(bytes.TrimSpace(c)) > 0
			}
			if !yield(cells, nil) {
				return
			}
		}
		empty = !some
	}, options...)
	if err != nil && empty && !errors.Is(err, data.ErrTooLarge) {
		return nil, errEmpty
	}
	return t, err
}
