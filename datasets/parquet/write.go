package parquet

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

func init() { ssdrnb.RegisterTable(".parquet", write) }

// write writes the columns of a model as a Parquet file with Snappy compression. Numbers are 64-bit
// floats, other values are texts, and gaps are nulls.
func write(w io.Writer, columns []ssdrnb.TableColumn, n int) error {
	group := parquet.Group{}
	for _, c := range columns {
		node := parquet.String()
		if c.Number != nil {
			node = parquet.Leaf(parquet.DoubleType)
		}
		group[c.Name] = parquet.Compressed(parquet.Optional(node), &parquet.Snappy)
	}
	// A group sorts its fields by name. The type ordered keeps the order of the table.
	schema := parquet.NewSchema("embedding", ordered{group, columns})
	out := parquet.NewWriter(w, schema)
	row := make(parquet.Row, len(columns))
	for i := range n {
		for k, c := range columns {
			v := parquet.NullValue()
			if c.Number != nil {
				if x, ok := c.Number(i); ok {
					v = parquet.DoubleValue(x)
				}
			} else if s := c.Text(i); s != "" {
				v = parquet.ByteArrayValue([]byte(s))
			}
			present := 1
			if v.IsNull() {
				present = 0
			}
			row[k] = v.Level(0, present, k)
		}
		if _, err := out.WriteRows([]parquet.Row{row}); err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
	}
	return out.Close()
}

// ordered is a group whose fields have the order of the columns.
type ordered struct {
	parquet.Group
	columns []ssdrnb.TableColumn
}

func (o ordered) Fields() []parquet.Field {
	by := map[string]parquet.Field{}
	for _, f := range o.Group.Fields() {
		by[f.Name()] = f
	}
	fields := make([]parquet.Field, len(o.columns))
	for k, c := range o.columns {
		fields[k] = by[c.Name]
	}
	return fields
}
