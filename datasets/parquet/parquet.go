// Package parquet reads Apache Parquet files as tables. It also enables Model.WriteTable to write
// Parquet files:
//
//	table, err := parquet.ReadTable("mine.parquet")
//	err = model.WriteTable("embedding.parquet")
//
// It is a separate package, so that only programs that import it link
// github.com/parquet-go/parquet-go (Apache-2.0).
package parquet

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/big"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// maxColumns is the largest number of columns of a file.
const maxColumns = 1 << 15

// ReadTable reads a Parquet file. The file declares the names and types of the columns: numbers,
// decimals, booleans, texts, dates and times. Nulls and NaN are gaps. Times are in UTC. Fields of
// structs become columns called outer.inner. Columns of lists, maps, binary values and unsupported
// types are left out, and notes name them. Options override the types as in [datasets.ReadTable].
//
// [data.SetReadLimit] limits the memory. A damaged file gives [datasets.ErrFormat]. An encrypted
// file gives [datasets.ErrUnsupported], and so does a file without a column of plain values or with
// more than 32,768 columns.
func ReadTable(path string, options ...datasets.TableOption) (*datasets.Table, error) {
	f, size, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return read(f, size, name, options)
}

// read reads a file. Where parquet-go panics because a file is damaged, read returns an error.
func read(f io.ReaderAt, size int64, name string, options []datasets.TableOption) (t *datasets.Table, err error) {
	const again = "download or write the file again, in Python with table.to_parquet(path)"
	bad := func(what any) error {
		return advice.With(again, fmt.Errorf("%w: %s: Parquet: %v", datasets.ErrFormat, name, what))
	}
	defer func() {
		if p := recover(); p != nil {
			t, err = nil, bad(p)
		}
	}()
	head := make([]byte, 4)
	if _, err := f.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch string(head) {
	case "PAR1":
	case "PARE":
		return nil, advice.With("write it without encryption", fmt.Errorf("%w: %s: this is an encrypted Parquet file", datasets.ErrUnsupported, name))
	default:
		return nil, advice.With("read it with datasets.ReadTable, which detects the format", fmt.Errorf("%w: %s: this is not a Parquet file, which begins with PAR1", datasets.ErrFormat, name))
	}
	if size > data.ReadLimit() {
		return nil, fmt.Errorf("datasets: %s: %w", name, files.NewBudget().Take(size))
	}
	file, err := parquet.OpenFile(f, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, bad(err)
	}
	leaves, left := leavesOf(file)
	if len(leaves)+len(left) > maxColumns {
		return nil, advice.With("write fewer columns", fmt.Errorf("%w: %s: Parquet: the file has %d columns, more than the maximum of %d", datasets.ErrUnsupported, name, len(leaves)+len(left), maxColumns))
	}
	if len(leaves) == 0 {
		return nil, advice.With("write the values as columns of numbers or texts; for a list, write one column per entry", fmt.Errorf("%w: %s: Parquet: no column has plain values (%s lists, maps or unsupported types)", datasets.ErrUnsupported, name, nouns.Number(len(left), "column has", "columns have")))
	}
	columns := make([]datasets.TableColumn, len(leaves))
	place := map[int]int{} // maps the index of a column in the file to its index in the table
	for k, l := range leaves {
		columns[k] = datasets.TableColumn{Name: l.name, Type: l.typ}
		place[l.index] = k
	}
	for k, l := range left {
		if k == maxNotes {
			options = append(options[:len(options):len(options)], datasets.Note("%s of lists, maps or unsupported types %s left out", nouns.Count(len(left)-k, "more column"), nouns.Form(len(left)-k, "is", "are")))
			break
		}
		options = append(options[:len(options):len(options)], datasets.Note("column %q is left out: it has %s", l.name, l.reason))
	}
	t, err = datasets.NewTable(name, columns, rowsOf(file, name, leaves, place, bad), options...)
	return t, err
}

// maxNotes bounds the number of columns in notes.
const maxNotes = 20

// leaf describes a column of the file: how its values are read, or why it is left out.
type leaf struct {
	name   string
	index  int // index of the column in the file
	typ    datasets.ColumnType
	text   func(dst []byte, v parquet.Value) []byte
	reason string // description of the unsupported type, if the column is left out
}

// leavesOf returns the columns to read, and the columns to leave out.
func leavesOf(file *parquet.File) (leaves, left []leaf) {
	var declared []any // logical types of the leaf columns from the metadata; Type.LogicalType returns only some of them
	for _, e := range file.Metadata().Schema {
		if e.NumChildren.Valid && e.NumChildren.V > 0 {
			continue
		}
		declared = append(declared, e.LogicalType.Value)
	}
	var walk func(c *parquet.Column, prefix string)
	walk = func(c *parquet.Column, prefix string) {
		name := prefix + strings.ToValidUTF8(c.Name(), "�")
		switch {
		case c.MaxRepetitionLevel() > 0:
			left = append(left, leaf{name: name, reason: "lists or maps"})
		case c.Leaf():
			l := leaf{name: name, index: c.Index()}
			if l.typ, l.text, l.reason = textOf(c.Type(), declared[c.Index()]); l.text == nil {
				left = append(left, l)
			} else {
				leaves = append(leaves, l)
			}
		default:
			for _, inner := range c.Columns() {
				if logical := c.Type().LogicalType(); logical != nil && isNested(logical.Value) {
					left = append(left, leaf{name: name, reason: "lists or maps"})
					return
				}
				walk(inner, name+".")
			}
		}
	}
	for _, c := range file.Root().Columns() {
		walk(c, "")
	}
	return leaves, left
}

func isNested(v any) bool {
	switch v.(type) {
	case *format.ListType, *format.MapType, *format.VariantType:
		return true
	}
	return false
}

// rowsOf yields the rows of a file as texts. place maps the index of a column in the file to its
// index in a yielded row.
func rowsOf(file *parquet.File, name string, leaves []leaf, place map[int]int, bad func(any) error) iter.Seq2[[][]byte, error] {
	return func(yield func([][]byte, error) bool) {
		cells := make([][]byte, len(leaves))
		buffer := make([]parquet.Row, 64)
		for g, group := range file.RowGroups() {
			if group.NumRows() == 0 {
				continue
			}
			if err := files.NewBudget().Spare(pagesCost(file, file.Metadata().RowGroups[g].Columns)); err != nil {
				yield(nil, fmt.Errorf("datasets: %s: %w", name, err))
				return
			}
			rows := group.Rows()
			for {
				n, err := rows.ReadRows(buffer)
				for _, row := range buffer[:n] {
					for k := range cells {
						cells[k] = cells[k][:0]
					}
					for _, v := range row {
						if k, ok := place[v.Column()]; ok && !v.IsNull() {
							cells[k] = leaves[k].text(cells[k], v)
						}
					}
					if !yield(cells, nil) {
						rows.Close()
						return
					}
				}
				if errors.Is(err, io.EOF) || n == 0 && err == nil {
					break
				}
				if err != nil {
					rows.Close()
					yield(nil, bad(err))
					return
				}
			}
			if err := rows.Close(); err != nil {
				yield(nil, bad(err))
				return
			}
		}
	}
}

// valueCost is an upper bound on the memory in bytes that a decoded value takes in addition to its
// bytes in the page. It covers a number or an index into the dictionary, and two levels.
const valueCost = 16

// pagesCost returns the memory in bytes for reading the rows of a group: for each column, its
// largest page and its dictionary. The columns are read side by side, one page at a time.
// Compression and repetition can make a page many times larger than its part of the file.
func pagesCost(file io.ReaderAt, columns []format.ColumnChunk) int64 {
	cost := int64(0)
	for _, c := range columns {
		m := &c.MetaData
		from := m.DataPageOffset
		if m.DictionaryPageOffset != 0 {
			from = m.DictionaryPageOffset
		}
		dictionary, largest := int64(0), int64(0)
		for h := range headers(io.NewSectionReader(file, from, m.TotalCompressedSize)) {
			values := int64(h.DataPageHeader.V.NumValues) + int64(h.DataPageHeaderV2.V.NumValues) + int64(h.DictionaryPageHeader.V.NumValues)
			page := int64(h.CompressedPageSize) + int64(h.UncompressedPageSize) + valueCost*values
			if h.Type == format.DictionaryPage {
				dictionary = max(dictionary, page)
			} else {
				largest = max(largest, page)
			}
		}
		cost += dictionary + largest
	}
	return cost
}

// headers yields the page headers of a column. It stops at a damaged header, which the reader of
// the pages reports.
func headers(column *io.SectionReader) iter.Seq[*format.PageHeader] {
	return func(yield func(*format.PageHeader) bool) {
		in := bufio.NewReader(column)
		for {
			h := new(format.PageHeader)
			if thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(in)).Decode(h) != nil || h.CompressedPageSize < 0 || !yield(h) {
				return
			}
			// The header ends before the bytes that are still buffered.
			if _, err := column.Seek(int64(h.CompressedPageSize)-int64(in.Buffered()), io.SeekCurrent); err != nil {
				return
			}
			in.Reset(column)
		}
	}
}

// textOf returns the column type for a Parquet type, and a function that appends values of this
// type to dst as text. For unsupported types, text is nil, and why describes the type.
func textOf(t parquet.Type, logical any) (typ datasets.ColumnType, text func(dst []byte, v parquet.Value) []byte, why string) {
	// LogicalType also covers the converted types that old files declare.
	if l := t.LogicalType(); l != nil {
		logical = l.Value
	}
	switch l := logical.(type) {
	case *format.NullType:
		return datasets.Text, func(dst []byte, _ parquet.Value) []byte { return dst }, ""
	case *format.DateType:
		return datasets.Date, func(dst []byte, v parquet.Value) []byte {
			return time.Unix(86400*int64(v.Int32()), 0).UTC().AppendFormat(dst, time.DateOnly)
		}, ""
	case *format.TimestampType:
		unit := l.Unit.Value.Duration()
		return datasets.Date, func(dst []byte, v parquet.Value) []byte {
			return appendTime(dst, fromUnit(v.Int64(), unit))
		}, ""
	case *format.TimeType:
		unit := l.Unit.Value.Duration()
		return datasets.Date, func(dst []byte, v parquet.Value) []byte {
			n := v.Int64()
			if v.Kind() == parquet.Int32 {
				n = int64(v.Int32())
			}
			return fromUnit(n, unit).AppendFormat(dst, "15:04:05.999999999")
		}, ""
	case *format.DecimalType:
		return datasets.Number, func(dst []byte, v parquet.Value) []byte { return appendDecimal(dst, v, l.Scale) }, ""
	case *format.Float16Type:
		return datasets.Number, func(dst []byte, v parquet.Value) []byte {
			if b := v.ByteArray(); len(b) == 2 {
				return appendFloat(dst, float16(binary.LittleEndian.Uint16(b)), 32)
			}
			return dst
		}, ""
	case *format.UUIDType:
		return datasets.Text, func(dst []byte, v parquet.Value) []byte {
			b := v.ByteArray()
			if len(b) != 16 {
				return dst
			}
			return fmt.Appendf(dst, "%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
		}, ""
	case *format.IntType:
		if !l.IsSigned {
			return datasets.Integer, func(dst []byte, v parquet.Value) []byte {
				if v.Kind() == parquet.Int32 {
					return strconv.AppendUint(dst, uint64(v.Uint32()), 10)
				}
				return strconv.AppendUint(dst, v.Uint64(), 10)
			}, ""
		}
	case *format.StringType, *format.EnumType, *format.JsonType, nil:
	default:
		return "", nil, "values of the type " + cut(t.String())
	}
	switch t.Kind() {
	case parquet.Boolean:
		return datasets.Boolean, func(dst []byte, v parquet.Value) []byte { return strconv.AppendBool(dst, v.Boolean()) }, ""
	case parquet.Int32:
		return datasets.Integer, func(dst []byte, v parquet.Value) []byte { return strconv.AppendInt(dst, int64(v.Int32()), 10) }, ""
	case parquet.Int64:
		return datasets.Integer, func(dst []byte, v parquet.Value) []byte { return strconv.AppendInt(dst, v.Int64(), 10) }, ""
	case parquet.Int96: // nanoseconds of the day, and the Julian day
		return datasets.Date, func(dst []byte, v parquet.Value) []byte {
			i := v.Int96()
			const epoch = 2440588
			return appendTime(dst, time.Unix((int64(i[2])-epoch)*86400, int64(i[1])<<32|int64(i[0])).UTC())
		}, ""
	case parquet.Float:
		return datasets.Number, func(dst []byte, v parquet.Value) []byte { return appendFloat(dst, float64(v.Float()), 32) }, ""
	case parquet.Double:
		return datasets.Number, func(dst []byte, v parquet.Value) []byte { return appendFloat(dst, v.Double(), 64) }, ""
	case parquet.ByteArray:
		return datasets.Text, func(dst []byte, v parquet.Value) []byte {
			return append(dst, bytes.ToValidUTF8(v.ByteArray(), []byte("�"))...)
		}, ""
	}
	return "", nil, "binary values (" + cut(t.String()) + ")"
}

// cut shortens the name of a type for a note.
func cut(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

// appendFloat appends a number as text, and nothing for NaN, which is a gap.
func appendFloat(dst []byte, v float64, bits int) []byte {
	if v != v {
		return dst
	}
	return strconv.AppendFloat(dst, v, 'g', -1, bits)
}

// float16 returns the value of a half-precision number.
func float16(b uint16) float64 {
	sign, exponent, part := 1.0, int(b>>10&31), float64(b&1023)
	if b>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(part, -24)
	case 31:
		if part != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+part, exponent-25)
}

// fromUnit returns the time n units after 1970-01-01 in UTC. It does not overflow.
func fromUnit(n int64, unit time.Duration) time.Time {
	per := int64(time.Second / unit)
	return time.Unix(n/per, n%per*int64(unit)).UTC()
}

func appendTime(dst []byte, t time.Time) []byte {
	return t.AppendFormat(dst, "2006-01-02 15:04:05.999999999")
}

// maxScale bounds the decimal places of a decimal. The formats allow at most 38.
const maxScale = 76

// appendDecimal appends the decimal number v·10^(−scale) as text, where v is an integer of any
// size. It appends nothing if scale is out of range.
func appendDecimal(dst []byte, v parquet.Value, scale int32) []byte {
	if scale < 0 || scale > maxScale {
		return dst
	}
	n := new(big.Int)
	switch v.Kind() {
	case parquet.Int32:
		n.SetInt64(int64(v.Int32()))
	case parquet.Int64:
		n.SetInt64(v.Int64())
	default: // an integer of any size in two's complement, most significant byte first
		b := v.ByteArray()
		if n.SetBytes(b); len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	digits := new(big.Int).Abs(n).String()
	if pad := int(scale) + 1 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	if n.Sign() < 0 {
		dst = append(dst, '-')
	}
	at := len(digits) - int(scale)
	dst = append(dst, digits[:at]...)
	if scale > 0 {
		dst = append(append(dst, '.'), digits[at:]...)
	}
	return dst
}
