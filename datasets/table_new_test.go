package datasets

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Types declared by the source are kept; the others are detected.
func TestNewTable(t *testing.T) {
	columns := []TableColumn{{"code", Text}, {"n", Integer}, {"x", Number}, {"on", Boolean}, {"day", Date}, {"any", ""}}
	table, err := NewTable("mine", columns, rowsOf(
		"001|1|2|true|2024-02-29|7", "002||-999|false||8.5", "001|3|-999|true|1999-12-31|", "001|4|1.5||2000-01-01|9"), Note("%d rows are left out", 5))
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range []ColumnType{Category, Integer, Number, Boolean, Date, Number} {
		if table.Type(j) != want {
			t.Errorf("column %d: %s, not %s", j, table.Type(j), want)
		}
	}
	if n := table.Numbers(1); n[0] != 1 || !math.IsNaN(n[1]) || table.Text(0, 0) != "001" || table.Times(4)[0].Day() != 29 {
		t.Errorf("%v", table)
	}
	notes := strings.Join(table.Notes(), "\n")
	for _, want := range []string{"5 rows are left out", `declared as text`, `"x": -999 is far from all other values`} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in\n%s", want, notes)
		}
	}
	// Rows of a sheet have different lengths, and there is a title above the header.
	table, err = NewTable("sheet", nil, rowsOf("Plants of 2024", "", "name|height|", "rose|1.5", "tulip", "lily|2.5|||", ""))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%v %d %s %v", table.Names(), table.Rows(), table.Text(2, 1), table.Gap(1, 1)); got != "[name height] 3 2.5 true" {
		t.Errorf("%s\n%v", got, table)
	}
}

// Errors of the source are returned, and endless rows end at the read limit.
func TestNewTableErrors(t *testing.T) {
	broken := errors.New("the connection is gone")
	failing := func(yield func([][]byte, error) bool) {
		_ = yield([][]byte{[]byte("1")}, nil) && yield(nil, broken)
	}
	if _, err := NewTable("t", []TableColumn{{Name: "x"}}, failing); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	limited(t, 1<<20)
	var endless iter.Seq2[[][]byte, error] = func(yield func([][]byte, error) bool) {
		for yield([][]byte{[]byte("1.5")}, nil) {
		}
	}
	for _, columns := range [][]TableColumn{nil, {{Name: "x"}}} {
		if _, err := NewTable("t", columns, endless); !errors.Is(err, data.ErrTooLarge) {
			t.Errorf("got %v", err)
		}
	}
	wide := strings.Repeat("|", 1<<12) + "1"
	var rows []string
	for range 1 << 10 {
		rows = append(rows, "1")
	}
	if _, err := NewTable("t", nil, rowsOf(append(rows, wide)...)); !errors.Is(err, data.ErrTooLarge) {
		t.Errorf("a cell far to the right: %v", err)
	}
}

// The error of a reader is returned, however late it comes.
func TestFailingReader(t *testing.T) {
	late := errors.New("connection lost")
	for _, rows := range []int{0, 1 << 15} {
		r := io.MultiReader(strings.NewReader(strings.Repeat("1,2\n", rows)), iotest.ErrReader(late))
		if _, err := ReadTableFrom(r, "t"); !errors.Is(err, late) {
			t.Errorf("after %d rows: %v", rows, err)
		}
	}
}

// Quoted cells with lists and objects stay one column, as written by Model.WriteTable.
func TestTableOfLists(t *testing.T) {
	for _, cell := range []string{`"{""ids"":[%d,3,39],""distances"":[0.1,0.14,0.%d]}"`, `"[%d, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1%d]"`, `"%d,2,3,4,5,6,7,8,9,1%d"`} {
		text := "row,x,list\n"
		for i := range 40 {
			text += fmt.Sprintf("%d,%d.5,"+cell+"\n", i, 40-i, i, i)
		}
		table, err := ReadTableFrom(strings.NewReader(text), "t")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(table.Names(), ","); got != "row,x,list" || table.Rows() != 40 {
			t.Errorf("%s: %s, %d rows", cell, got, table.Rows())
		}
	}
}

// The labels -1 and 1 of support vector machines are read in every format; otherwise -1 is not a
// class.
func TestClassesOfSigns(t *testing.T) {
	for name, text := range map[string]string{
		"t.csv":    "x,y\n1,-1\n2,+1\n3,-1\n4,1\n",
		"t.tsv":    "x\ty\n1\t-1\n2\t1\n3\t-1\n4\t1\n",
		"t.libsvm": "-1 1:1\n+1 1:2\n-1 1:3\n+1 1:4\n",
		"t.arff":   "@relation t\n@attribute x numeric\n@attribute y {-1,1}\n@data\n1,-1\n2,1\n3,-1\n4,1\n",
		"f.csv":    "x,y\n1,-1.0\n2,1.0\n3,-1\n4,1\n",
		"t.jsonl":  "{\"x\": 1, \"y\": -1}\n{\"x\": 2, \"y\": 1}\n{\"x\": 3, \"y\": -1}\n{\"x\": 4, \"y\": 1}\n",
	} {
		label := "y"
		if name == "t.libsvm" {
			label = "label"
		}
		read, err := ReadTable(write(t, name, []byte(text)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		d, err := read.Data(Label(label))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.Equal(d.Labels, []int{0, 1, 0, 1}) || !slices.Equal(d.ClassNames, []string{"-1", "1"}) || !strings.Contains(strings.Join(d.Notes, "\n"), "read as two classes") {
			t.Errorf("%s: labels %v, classes %q, notes %q", name, d.Labels, d.ClassNames, d.Notes)
		}
	}
	for text, want := range map[string][]int{
		"x,y\n1,-1\n2,1\n3,-1\n4,2\n": {-1, 1, -1, 2},
		"x,y\n1,-1\n2,1\n3,-1\n4,0\n": {-1, 1, -1, 0},
		"x,y\n1,\n2,1\n3,-1\n4,1\n":   {-1, 1, 0, 1}, // a gap is unknown
		"x,y\n1,-1.0\n2,0.0\n3,1.0\n": {-1, 0, 1},
	} {
		d, err := ReadCSV(write(t, "t.csv", []byte(text)), CSV{Label: "y"})
		if err != nil || !slices.Equal(d.Labels, want) || len(d.Notes) == 0 {
			t.Errorf("%q: labels %v, want %v, notes %q; %v", text, d.Labels, want, d.Notes, err)
		}
	}
}
