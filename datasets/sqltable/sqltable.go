// Package sqltable converts the rows of a database query to tables. It contains no driver: import
// the driver of your database.
//
//	db, err := sql.Open("sqlite", "mine.db")
//	rows, err := db.Query("SELECT * FROM plants")
//	table, err := sqltable.FromRows(rows)
package sqltable

import (
	"database/sql"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
)

// FromRows reads the rows of a query to the end and closes them. If the driver declares a column as
// text, decimal or floating-point number, boolean or time, the column has this type. Otherwise, the
// type is detected from the cells. NULL is a gap, and times are in UTC. Binary values (BLOB) and
// values of unsupported Go types give [datasets.ErrUnsupported]. Options override the types as in
// [datasets.ReadTable]. data.SetReadLimit limits the memory.
func FromRows(rows *sql.Rows, options ...datasets.TableOption) (*datasets.Table, error) {
	if rows == nil {
		return nil, advice.With("give the rows of db.Query, and check its error first", fmt.Errorf("%w: sqltable.FromRows: the rows are nil", datasets.ErrFormat))
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, fmt.Errorf("datasets: sqltable.FromRows: %w", err)
	}
	if len(types) == 0 {
		return nil, advice.With("give a query that returns rows, such as SELECT", fmt.Errorf("%w: sqltable.FromRows: the query has no columns", datasets.ErrFormat))
	}
	columns := make([]datasets.TableColumn, len(types))
	for k, t := range types {
		columns[k] = datasets.TableColumn{Name: strings.ToValidUTF8(t.Name(), "�"), Type: typeOf(t)}
	}
	return datasets.NewTable("query", columns, cellsOf(rows, columns), options...)
}

// typeOf returns the type that a driver declares for a column. It returns "" if the type must be
// detected from the cells.
func typeOf(t *sql.ColumnType) datasets.ColumnType {
	name := strings.ToUpper(t.DatabaseTypeName())
	name, _, _ = strings.Cut(name, "(")
	switch fields := strings.Fields(name); {
	case len(fields) == 0:
	case slices.Contains([]string{"NUMERIC", "DECIMAL", "MONEY", "REAL", "DOUBLE", "FLOAT", "FLOAT4", "FLOAT8"}, fields[0]):
		return datasets.Number
	case slices.Contains([]string{"CHAR", "VARCHAR", "NCHAR", "NVARCHAR", "TEXT", "BPCHAR", "UUID", "CLOB", "JSON", "JSONB", "ENUM"}, fields[0]):
		return datasets.Text
	}
	scan := t.ScanType()
	if scan == nil {
		return ""
	}
	if scan == reflect.TypeFor[time.Time]() || scan == reflect.TypeFor[sql.NullTime]() {
		return datasets.Date
	}
	switch scan.Kind() {
	case reflect.Bool:
		return datasets.Boolean
	case reflect.Float32, reflect.Float64:
		return datasets.Number
	}
	return ""
}

// cellsOf yields the rows as texts.
func cellsOf(rows *sql.Rows, columns []datasets.TableColumn) iter.Seq2[[][]byte, error] {
	return func(yield func([][]byte, error) bool) {
		cells, values, into := make([][]byte, len(columns)), make([]any, len(columns)), make([]any, len(columns))
		for k := range values {
			into[k] = &values[k]
		}
		for row := 0; rows.Next(); row++ {
			if err := rows.Scan(into...); err != nil {
				yield(nil, fmt.Errorf("datasets: sqltable.FromRows: row %d: %w", row, err))
				return
			}
			for k, v := range values {
				cell, ok := appendValue(cells[k][:0], v)
				if !ok {
					yield(nil, advice.With("leave the column out of the query, or convert it there, for example with CAST or hex", fmt.Errorf("%w: query: column %q, row %d has a binary value, or a value of the unsupported type %T", datasets.ErrUnsupported, columns[k].Name, row, v)))
					return
				}
				cells[k] = cell
			}
			if !yield(cells, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, fmt.Errorf("datasets: sqltable.FromRows: %w", err))
		}
	}
}

// appendValue appends a value of a driver as text. ok is false for a binary value and for a value
// of an unsupported type.
func appendValue(dst []byte, v any) (text []byte, ok bool) {
	switch v := v.(type) {
	case nil:
		return dst, true
	case int64:
		return strconv.AppendInt(dst, v, 10), true
	case float64:
		if v != v {
			return dst, true
		}
		return strconv.AppendFloat(dst, v, 'g', -1, 64), true
	case bool:
		return strconv.AppendBool(dst, v), true
	case time.Time:
		return v.UTC().AppendFormat(dst, "2006-01-02 15:04:05.999999999"), true
	case string:
		return append(dst, v...), plain(v)
	case []byte:
		return append(dst, v...), plain(string(v))
	}
	switch r := reflect.ValueOf(v); { // drivers may return their own types
	case r.CanInt():
		return strconv.AppendInt(dst, r.Int(), 10), true
	case r.CanUint():
		return strconv.AppendUint(dst, r.Uint(), 10), true
	case r.CanFloat():
		return appendValue(dst, r.Float())
	}
	if s, is := v.(fmt.Stringer); is {
		text := s.String()
		return append(dst, text...), plain(text)
	}
	return dst, false
}

// plain reports whether a string is text rather than a binary value: valid UTF-8 without zero
// bytes.
func plain(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }
