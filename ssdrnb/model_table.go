package ssdrnb

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// Export of the embedding as a table.

const (
	// tableNeighbors is the number of neighbours listed for each sample.
	tableNeighbors = 10
	// tableFeatures is the largest number of features that a table includes.
	tableFeatures = 100
)

// WriteTable writes the embedding as a table with one line for each training sample:
// comma-separated if path ends in .csv, tab-separated for .tsv, and JSON lines for .jsonl or
// .ndjson. The table can be read by pandas, Embedding Atlas and datamapplot. The columns are
//
//   - row, the number of the sample from 0;
//   - projection_x, projection_y and projection_z, the positions, or projection_1, … for
//     more than three dimensions;
//   - neighbors, if the samples are available: up to 10 nearest samples by the model's metric
//     and their distances, {"ids": […], "distances": […]}. In JSON lines this is an object, as
//     Embedding Atlas requires, and in the other formats the same as text;
//   - label, the class that the method used, empty for a hidden label, and class, the true
//     class, if known;
//   - predicted, the label of a labelled sample or otherwise the most probable class, and
//     probability, the largest class probability: for [S2NE] if there are labels, and for other
//     methods if [Model.Opinions] has been called;
//   - for [S2NE] and [SSGPLVM], the values of [Model.Carried], in a column named "carried" followed
//     by the name of the target;
//   - the targets, with empty cells for unknown values, the attributes, and up to 100 features,
//     in the units before scaling. If there are more features, or if they are sparse, all are
//     left out. A target or feature that was read from an attribute is left out too. If the
//     name of a target, attribute or feature equals that of another column, " (data)" is
//     appended. In JSON lines and Parquet, an attribute is a column of numbers only if all its
//     texts are numbers in JSON, and no integer is so long that float64 rounds it.
//
// The file is written completely or not at all. In a notebook, WriteTable prints whether it was
// written. Importing package datasets/parquet adds the extension .parquet. For other extensions the
// error wraps [ErrOption].
func (m *Model) WriteTable(path string) error {
	write, err := m.tableWriter(path)
	if err != nil {
		return files.Tell("ssdrnb", path, "", err)
	}
	columns, detail, err := m.tableColumns()
	if err != nil {
		return files.Tell("ssdrnb", path, "", err)
	}
	err = writeWhole(m.Method(), "WriteTable", path, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		if err := write(out, columns, m.data.Len()); err != nil {
			return err
		}
		return out.Flush()
	})
	return files.Tell("ssdrnb", path, detail, err)
}

// TableColumn is a column that [Model.WriteTable] passes to a writer registered by [RegisterTable].
type TableColumn struct {
	Name string
	// Text returns the cell of row i as text, or "" for a missing value.
	Text func(i int) string
	// Number returns the number in row i; ok is false for a missing value. Number is nil for a
	// column of texts.
	Number func(i int) (v float64, ok bool)
}

// tableFormats maps file extensions to the writers registered by other packages.
var tableFormats sync.Map

// RegisterTable adds a format to [Model.WriteTable]. `ending` is the file extension, such as
// ".parquet". Packages call RegisterTable in an init function. `write` receives the columns and the
// number of rows. If it is nil, the format is removed.
func RegisterTable(ending string, write func(w io.Writer, columns []TableColumn, rows int) error) {
	if write == nil {
		tableFormats.Delete(strings.ToLower(ending))
		return
	}
	tableFormats.Store(strings.ToLower(ending), write)
}

// tableColumn is a column of a table, with functions that return the cell of a row as text and as
// JSON.
type tableColumn struct {
	name  string
	text  func(i int) string
	json  func(i int) string
	words bool // a column of texts
}

// exported returns the column in the form that the writers of registered formats receive.
func (c tableColumn) exported() TableColumn {
	out := TableColumn{Name: c.name, Text: c.text}
	if !c.words {
		out.Number = func(i int) (float64, bool) {
			v, err := strconv.ParseFloat(c.text(i), 64)
			return v, err == nil
		}
	}
	return out
}

// tableWriter returns the writer for the file extension of path.
func (m *Model) tableWriter(path string) (func(w io.Writer, columns []tableColumn, n int) error, error) {
	ending := strings.ToLower(filepath.Ext(path))
	if write, ok := tableFormats.Load(ending); ok {
		return func(w io.Writer, c []tableColumn, n int) error {
			columns := make([]TableColumn, len(c))
			for k := range c {
				columns[k] = c[k].exported()
			}
			return write.(func(w io.Writer, columns []TableColumn, rows int) error)(w, columns, n)
		}, nil
	}
	switch ending {
	case ".csv":
		return func(w io.Writer, c []tableColumn, n int) error { return writeText(w, ',', c, n) }, nil
	case ".tsv":
		return func(w io.Writer, c []tableColumn, n int) error { return writeText(w, '\t', c, n) }, nil
	case ".jsonl", ".ndjson":
		return writeLines, nil
	case ".parquet":
		return nil, &Error{Method: m.Method(), Param: "WriteTable", Value: path, Err: fmt.Errorf("%w: no imported package writes Parquet", ErrOption), Remedy: `import _ "github.com/ssdrnb/ssdrnb/datasets/parquet" in the cell`}
	}
	return nil, &Error{Method: m.Method(), Param: "WriteTable", Value: path, Err: fmt.Errorf("%w: no format is registered for this file extension", ErrOption), Remedy: "end the path in .csv, .tsv, .jsonl or .ndjson"}
}

func writeText(w io.Writer, comma rune, columns []tableColumn, n int) error {
	out := csv.NewWriter(w)
	out.Comma = comma
	line := make([]string, len(columns))
	for k, c := range columns {
		line[k] = c.name
	}
	err := out.Write(line)
	for i := 0; i < n && err == nil; i++ {
		for k, c := range columns {
			line[k] = c.text(i)
		}
		err = out.Write(line)
	}
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}

func writeLines(w io.Writer, columns []tableColumn, n int) error {
	keys := make([]string, len(columns))
	for k, c := range columns {
		keys[k] = quoted(c.name) + ":"
		if k > 0 {
			keys[k] = "," + keys[k]
		}
	}
	for i := range n {
		line := []byte{'{'}
		for k, c := range columns {
			line = append(append(line, keys[k]...), c.json(i)...)
		}
		if _, err := w.Write(append(line, "}\n"...)); err != nil {
			return err
		}
	}
	return nil
}

func quoted(s string) string {
	out, _ := json.Marshal(s) // encoding a text cannot fail
	return string(out)
}

// texts returns a column of texts; an empty text is null in JSON.
func texts(name string, at func(i int) string) tableColumn {
	return tableColumn{name: name, text: at, words: true, json: func(i int) string {
		if s := at(i); s != "" {
			return quoted(s)
		}
		return "null"
	}}
}

// numbers returns a column of finite numbers.
func numbers(name string, at func(i int) float64) tableColumn {
	text := func(i int) string { return strconv.FormatFloat(at(i), 'g', -1, 64) }
	return tableColumn{name: name, text: text, json: text}
}

// targetColumn returns a column of the values of a target, with empty cells for unknown ones.
func targetColumn(t data.Target) tableColumn {
	c := numbers(t.Name, func(i int) float64 { return t.Values[i] })
	cell := func(none string) func(i int) string {
		number := c.text
		return func(i int) string {
			if math.IsNaN(t.Values[i]) {
				return none
			}
			return number(i)
		}
	}
	return tableColumn{name: t.Name, text: cell(""), json: cell("null")}
}

// tableColumns returns the columns of the table, and a note on omitted features, or "" if there are
// none.
func (m *Model) tableColumns() (columns []tableColumn, detail string, err error) {
	d := m.data
	columns = append(columns, numbers("row", func(i int) float64 { return float64(i) }))
	for k := range m.Dims() {
		name := "projection_" + strconv.Itoa(k+1)
		if m.Dims() <= 3 {
			name = "projection_" + []string{"x", "y", "z"}[k]
		}
		columns = append(columns, numbers(name, func(i int) float64 { return m.y.At(i, k) }))
	}
	nb, err := m.neighbors(min(tableNeighbors, d.Len()-1))
	if err != nil {
		return nil, "", err
	}
	if nb != nil {
		at := func(i int) string { return neighborCell(nb.Of(i)) }
		columns = append(columns, tableColumn{name: "neighbors", text: at, json: at, words: true})
	}
	class := func(of []int) func(i int) string {
		return func(i int) string {
			if of[i] == data.Unlabelled {
				return ""
			}
			return d.ClassName(of[i])
		}
	}
	if d.Labels != nil {
		columns = append(columns, texts("label", class(d.Labels)))
	}
	if d.Truth != nil {
		columns = append(columns, texts("class", class(d.Truth)))
	}
	if o := m.tableOpinions(); o != nil {
		predicted := o.Predicted()
		columns = append(columns, texts("predicted", class(predicted)), numbers("probability", func(i int) float64 { return slices.Max(o.probabilities.RawRowView(i)) }))
	}
	if m.carried != nil && d.Target() != nil {
		columns = append(columns, numbers("carried "+d.Target().Name, func(i int) float64 { return m.carried.values[i] }))
	}
	own := len(columns)
	for _, t := range d.Targets {
		if d.Attribute(t.Name) == nil { // otherwise the attribute has the original values
			columns = append(columns, targetColumn(t))
		}
	}
	for _, a := range d.Attributes {
		columns = append(columns, attributeColumn(a))
	}
	switch count := d.NumFeatures(); {
	case count > tableFeatures || d.X == nil && count > 0:
		detail = "without the " + nouns.Count(count, "feature")
	default:
		for k := range d.Dim() {
			values := d.Original(k)
			if values == nil {
				values = make([]float64, d.Len())
				for i := range values {
					values[i] = d.X.At(i, k)
				}
			}
			name := d.FeatureName(k)
			if slices.ContainsFunc(d.Attributes, func(a data.Attribute) bool { return a.Name == name || strings.HasPrefix(name, a.Name+" = ") }) {
				continue // the attribute has the original values or category
			}
			columns = append(columns, numbers(name, func(i int) float64 { return values[i] }))
		}
	}
	taken := map[string]bool{}
	for k := range columns {
		for k >= own && taken[columns[k].name] {
			columns[k].name += " (data)"
		}
		taken[columns[k].name] = true
	}
	return columns, detail, nil
}

// tableOpinions returns the class probabilities if they are already computed or cheap to compute,
// and nil otherwise.
func (m *Model) tableOpinions() *Opinion {
	if m.spec.method != s2ne {
		return m.knowledge.asked()
	}
	o, err := m.Opinions()
	if err != nil { // the table is then written without predictions
		return nil
	}
	return o
}

// neighbors returns up to k nearest samples of each sample by the model's metric. The result is nil
// if the samples are not available or k is 0.
func (m *Model) neighbors(k int) (*graph.Neighbors, error) {
	if !m.data.HasSamples() || k < 1 {
		return nil, nil
	}
	j, search, err := m.knowledgeJob(context.Background(), "WriteTable")
	if err != nil {
		return nil, err
	}
	nb, err := shared(j.work, neighborsStep{points: j.x(), k: min(k, j.availableNeighbors()), search: search})
	if err != nil {
		return nil, j.explain(err)
	}
	return nb, nil
}

// neighborCell encodes neighbours in the JSON format of Embedding Atlas.
func neighborCell(index []int32, dist []float64) string {
	out := []byte(`{"ids":[`)
	for a, i := range index {
		if a > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, int64(i), 10)
	}
	out = append(out, `],"distances":[`...)
	for a, d := range dist {
		if a > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendFloat(out, d, 'g', -1, 64)
	}
	return string(append(out, "]}"...))
}

// attributeColumn returns a column of numbers if all texts are numbers, otherwise a column of texts.
func attributeColumn(a data.Attribute) tableColumn {
	c := texts(a.Name, func(i int) string { return a.Values[i] })
	if slices.ContainsFunc(a.Values, func(s string) bool { return s != "" && !isNumber(s) }) {
		return c
	}
	c.words = false
	c.json = func(i int) string {
		if s := a.Values[i]; s != "" {
			return s
		}
		return "null"
	}
	return c
}

// isNumber reports whether s is a JSON number in the range of float64. The text "007" is not a JSON
// number. Integers that float64 would round, such as long identifiers, do not count as numbers
// either.
func isNumber(s string) bool {
	v, err := strconv.ParseFloat(s, 64)
	return err == nil && json.Valid([]byte(s)) && (math.Abs(v) < 1<<53 || strings.ContainsAny(s, "eE"))
}
