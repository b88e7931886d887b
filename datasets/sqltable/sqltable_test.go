package sqltable

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/datasets"
)

// memory is a driver whose queries give fixed rows.
type memory struct {
	names, types []string
	rows         [][]driver.Value
	end          error
}

func (m *memory) Open(string) (driver.Conn, error)           { return m, nil }
func (m *memory) Prepare(string) (driver.Stmt, error)        { return m, nil }
func (m *memory) Begin() (driver.Tx, error)                  { return nil, errors.ErrUnsupported }
func (m *memory) Close() error                               { return nil }
func (m *memory) NumInput() int                              { return 0 }
func (m *memory) Exec([]driver.Value) (driver.Result, error) { return nil, errors.ErrUnsupported }
func (m *memory) Query([]driver.Value) (driver.Rows, error)  { return &cursor{memory: m}, nil }

type cursor struct {
	*memory
	at int
}

func (c *cursor) Columns() []string                       { return c.names }
func (c *cursor) ColumnTypeDatabaseTypeName(k int) string { return c.types[k] }
func (c *cursor) Next(dst []driver.Value) error {
	if c.at == len(c.rows) {
		if c.end != nil {
			return c.end
		}
		return io.EOF
	}
	copy(dst, c.rows[c.at])
	c.at++
	return nil
}

var drivers int

// query returns rows from the driver.
func query(t *testing.T, m *memory) *sql.Rows {
	t.Helper()
	drivers++
	name := fmt.Sprint("memory", drivers)
	sql.Register(name, m)
	db, err := sql.Open(name, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	rows, err := db.Query("SELECT")
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Each kind of value that a driver may return is read, NULL as a gap.
func TestFromRows(t *testing.T) {
	day := time.Date(2024, 2, 29, 12, 30, 0, 0, time.FixedZone("", 3600))
	table, err := FromRows(query(t, &memory{
		names: []string{"name", "n", "x", "on", "day", "price", "free"},
		types: []string{"VARCHAR(20)", "BIGINT", "DOUBLE PRECISION", "BOOL", "TIMESTAMP", "DECIMAL", ""},
		rows: [][]driver.Value{
			{"007", int64(1), 0.1, true, day, []byte("12.30"), "a"},
			{nil, nil, nil, nil, nil, nil, nil},
			{"008", int64(-3), 1e300, false, day.AddDate(1, 0, 0), []byte("0.05"), "b"},
			{"007", int64(9), 2.5, true, day, []byte("1"), "a"},
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range []datasets.ColumnType{datasets.Category, datasets.Integer, datasets.Number, datasets.Boolean, datasets.Date, datasets.Number, datasets.Category} {
		if table.Type(j) != want || !table.Gap(1, j) || table.Gap(0, j) {
			t.Errorf("column %d: %s, not %s", j, table.Type(j), want)
		}
	}
	if table.Text(0, 0) != "007" || table.Numbers(5)[2] != 0.05 || !table.Times(4)[0].Equal(day) || table.Numbers(1)[2] != -3 {
		t.Errorf("%v", table)
	}
}

// Errors name the column, and errors of the driver are returned.
func TestErrors(t *testing.T) {
	gone := errors.New("the connection is gone")
	one := [][]driver.Value{{int64(1)}}
	for _, c := range []struct {
		rows *sql.Rows
		is   error
		says string
	}{
		{nil, datasets.ErrFormat, "db.Query"},
		{query(t, &memory{names: []string{"x"}, types: []string{""}, rows: one, end: gone}), gone, "gone"},
		{query(t, &memory{names: []string{"x"}, types: []string{"BLOB"}, rows: [][]driver.Value{{[]byte{0, 1, 2}}}}), datasets.ErrUnsupported, `column "x", row 0`},
		{query(t, &memory{names: []string{"x"}, types: []string{""}}), datasets.ErrFormat, "no rows"},
		{query(t, &memory{}), datasets.ErrFormat, "SELECT"},
	} {
		if table, err := FromRows(c.rows); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, %v", table, err)
		}
	}
}
