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
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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

// The unpacked file may use 1/share of the read limit, because its strings and styles take several
// times its memory.
const share = 8

// read reads a sheet, or the first nonempty one if sheet is empty. Where excelize panics because a
// file is damaged, read returns an error.
func read(path, sheet string, options []datasets.TableOption) (t *datasets.Table, err error) {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	defer func() {
		if p := recover(); p != nil {
			t, err = nil, damaged(name, p)
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
	file, err := excelize.OpenReader(raw, excelize.Options{UnzipSizeLimit: limit, UnzipXMLSizeLimit: limit})
	switch {
	case err != nil && strings.Contains(err.Error(), "unzip size exceeds"):
		return nil, tooLarge(name)
	case err != nil:
		return nil, damaged(name, err)
	}
	defer file.Close()
	book, err := open(file)
	if err != nil {
		return nil, damaged(name, err)
	}
	sheets := file.GetSheetList()
	if sheet != "" {
		at := slices.Index(sheets, sheet)
		if at < 0 {
			return nil, advice.With("its sheets are "+quoted(sheets, at), fmt.Errorf("%w: %s: the workbook has no sheet %q", datasets.ErrFormat, name, sheet))
		}
		t, err := book.table(name, at, options)
		if errors.Is(err, errEmpty) {
			return nil, advice.With("give a sheet with a table", fmt.Errorf("%w: %s: sheet %q: %w", datasets.ErrFormat, name, sheet, errEmpty))
		}
		return t, err
	}
	seen := map[string]bool{} // a damaged workbook may refer to one part many times
	for k, s := range sheets {
		if seen[book.parts[k]] {
			continue
		}
		seen[book.parts[k]] = true
		all := options
		if len(sheets) > 1 {
			all = append(options[:len(options):len(options)], datasets.Note("sheet %q; others are %s: read one with excel.ReadSheet", s, quoted(sheets, k)))
		}
		t, err := book.table(name, k, all)
		if errors.Is(err, errEmpty) {
			continue
		}
		return t, err
	}
	return nil, advice.With("give a workbook with a table", fmt.Errorf("%w: %s: all sheets are empty", datasets.ErrFormat, name))
}

func damaged(name string, what any) error {
	return advice.With("open it in a spreadsheet program and save it again as .xlsx", fmt.Errorf("%w: %s: Excel: %v", datasets.ErrFormat, name, what))
}

func tooLarge(name string) error {
	return fmt.Errorf("datasets: %s: %w: an unpacked workbook may take at most an eighth of the read limit; raise it with data.SetReadLimit, or save the sheet as CSV", name, data.ErrTooLarge)
}

// maxSheets bounds the number of sheets in a message.
const maxSheets = 10

// quoted lists the names of sheets, except for the one with the index but.
func quoted(sheets []string, but int) string {
	var names []string
	for k, s := range sheets {
		if k == but {
			continue
		}
		if len(names) == maxSheets {
			rest := len(sheets) - maxSheets
			if but >= 0 {
				rest--
			}
			names = append(names, fmt.Sprintf("and %d more", rest))
			break
		}
		names = append(names, strconv.Quote(s))
	}
	return strings.Join(names, ", ")
}

var errEmpty = errors.New("all cells are empty")

// table reads the sheet with an index. A sheet that ends without a text gives errEmpty.
func (b *book) table(name string, sheet int, options []datasets.TableOption) (*datasets.Table, error) {
	empty := false
	t, err := datasets.NewTable(name, nil, func(yield func([][]byte, error) bool) {
		some := false
		for cells, err := range b.rows(b.parts[sheet]) {
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
