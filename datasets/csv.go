package datasets

import (
	"encoding/csv"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// CSV says how to read a text table. The zero value reads comma-separated
// numbers without labels; a first line that is not all numbers is a header.
type CSV struct {
	// Label is the header of the column with the class; "" means that there is none,
	// unless LabelColumn is set.
	Label string
	// LabelColumn is the class column counted from 1, or from the end if negative
	// (−1 is the last); 0 means that there is none, unless Label is set.
	LabelColumn int
	// Missing is the text of an unknown class, in addition to "" and "?".
	Missing string
	// Comma separates the fields; 0 means ','.
	Comma rune
}

// ReadCSV reads a text table. Classes may be any text; they are numbered in the
// order in which they appear, or by value where all are whole numbers from 0.
// Every other field must be a finite number.
func ReadCSV(path string, opt CSV) (*data.Data, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readCSV(f, path, opt)
}

func readCSV(r io.Reader, file string, opt CSV) (*data.Data, error) {
	budget := files.NewBudget()
	source := &recordReader{r: r, budget: budget}
	in := csv.NewReader(source)
	in.ReuseRecord = true
	in.TrimLeadingSpace = true
	if opt.Comma != 0 {
		in.Comma = opt.Comma
	}
	t := table{file: file, opt: opt, label: -1, budget: budget, number: map[string]int{}}
	for {
		source.read = 0
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, data.ErrTooLarge) {
			return nil, tooLarge(file, err)
		}
		if err != nil {
			return nil, bad(ErrFormat, file, "%v", err)
		}
		line, _ := in.FieldPos(0)
		if err := t.add(record, line); err != nil {
			return nil, err
		}
	}
	return t.data()
}

// recordCost bounds the memory that each byte of a record takes while it is read.
const recordCost = 64

// recordReader bounds what is read for one record, which is held in memory.
type recordReader struct {
	r      io.Reader
	read   int64 // since the record before
	budget *files.Budget
}

func (r *recordReader) Read(p []byte) (int, error) {
	if cost := recordCost * r.read; cost > r.budget.Left() {
		return 0, r.budget.Take(cost)
	}
	n, err := r.r.Read(p)
	r.read += int64(n)
	return n, err
}

// table collects the rows of a CSV file.
type table struct {
	file   string
	opt    CSV
	label  int // column of the class, -1 for none
	header []string
	cols   int // fields per line, 0 before the first
	values []float64
	budget *files.Budget
	texts  []string       // the different texts of the class column, in order
	number map[string]int // their places
	class  []int          // of each row, among the texts
}

// textCost is the memory that a text of the class column takes besides its bytes.
const textCost = 64

func (t *table) add(record []string, line int) error {
	if t.cols == 0 {
		t.cols = len(record)
		if err := t.place(record); err != nil {
			return err
		}
		if t.header != nil {
			return nil
		}
	}
	if err := t.budget.Take(8 * int64(len(record))); err != nil {
		return tooLarge(t.file, err)
	}
	for k, field := range record {
		field = strings.TrimSpace(field)
		if k == t.label {
			c, seen := t.number[field]
			if !seen {
				if err := t.budget.Take(int64(len(field)) + textCost); err != nil {
					return tooLarge(t.file, err)
				}
				field = strings.Clone(field) // retains only the field, not the line
				c = len(t.texts)
				t.texts, t.number[field] = append(t.texts, field), c
			}
			t.class = append(t.class, c)
			continue
		}
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || v != v || v-v != 0 {
			return advice.With("fill the gap, or name a text column as Label", bad(ErrFormat, t.file, "line %d, field %d: %q is not a finite number", line, k+1, field))
		}
		t.values = append(t.values, v)
	}
	return nil
}

// place finds the header and the class column from the first line.
func (t *table) place(record []string) error {
	t.label = t.opt.LabelColumn - 1
	if t.opt.LabelColumn == 0 {
		t.label = -1
	} else if t.opt.LabelColumn < 0 {
		t.label = len(record) + t.opt.LabelColumn
	}
	numbers := true
	for k, field := range record {
		if _, err := strconv.ParseFloat(strings.TrimSpace(field), 64); err != nil && k != t.label {
			numbers = false
		}
	}
	if !numbers {
		for _, field := range record {
			t.header = append(t.header, strings.TrimSpace(field))
		}
	}
	if t.opt.Label != "" {
		if t.label = slices.Index(t.header, t.opt.Label); t.label < 0 {
			return bad(ErrFormat, t.file, "no column %q in the header %q", t.opt.Label, t.header)
		}
		if slices.Contains(t.header[t.label+1:], t.opt.Label) {
			return bad(ErrFormat, t.file, "two columns are called %q; say which by LabelColumn", t.opt.Label)
		}
	}
	if t.opt.LabelColumn != 0 && (t.label < 0 || t.label >= len(record)) {
		return bad(ErrFormat, t.file, "no column %d among %d", t.opt.LabelColumn, len(record))
	}
	return nil
}

func (t *table) data() (*data.Data, error) {
	features := t.cols
	if t.label >= 0 {
		features--
	}
	if features < 1 || len(t.values) == 0 {
		return nil, bad(ErrFormat, t.file, "no numbers in lines of %d features", max(features, 0))
	}
	var labels []int
	var names []string
	if t.label >= 0 {
		labels, names = t.classes()
	}
	d := data.New(mat.NewDense(len(t.values)/features, features, t.values), labels)
	d.Name, d.ClassNames = baseName(t.file), names
	for k, h := range t.header {
		if k != t.label {
			d.FeatureNames = append(d.FeatureNames, h)
		}
	}
	return d, d.Err()
}

// classes numbers the texts of the class column.
func (t *table) classes() (labels []int, names []string) {
	value, whole := make([]int, len(t.texts)), true
	for c, s := range t.texts {
		v, err := strconv.Atoi(s)
		switch {
		case s == "" || s == "?" || s == t.opt.Missing:
			value[c] = data.Unlabelled
			continue
		case err != nil || v < data.Unlabelled || v > data.MaxLabel:
			whole = false
		}
		value[c] = v
	}
	if !whole {
		for c, s := range t.texts {
			if s != "" && s != "?" && s != t.opt.Missing {
				value[c] = len(names)
				names = append(names, s)
			}
		}
	}
	labels = make([]int, len(t.class))
	for i, c := range t.class {
		labels[i] = value[c]
	}
	return labels, names
}
