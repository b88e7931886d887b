package datasets

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// WriteCSV writes samples as a text table that [ReadCSV] reads with Label "class", or
// without where there are no labels: a header with the names of the features ("x1",
// "x2", … where they have none), a line per sample with the shortest decimals that give
// its numbers back, and at the end, where the data have labels, the class: its name, or
// its number where it has none, and nothing for an unlabelled sample. Names that would
// not be read back as they are give [ErrNames], such as a header of nothing but numbers,
// a feature called "class" beside labels, a class called "?", or spaces around a name.
// An embedding becomes data by data.New. The file appears whole or not at all.
func WriteCSV(path string, d *data.Data) error {
	return writeWhole(path, d, func(w io.Writer) error {
		if err := checkNames(d); err != nil {
			return err
		}
		return writeCSV(w, d)
	})
}

// classColumn is the name of the column with the classes.
const classColumn = "class"

// writeCSV writes the table, whatever its names.
func writeCSV(w io.Writer, d *data.Data) error {
	out := csv.NewWriter(w)
	line := featureNames(d)
	if d.Labels != nil {
		line = append(line, classColumn)
	}
	err := out.Write(line)
	for i := 0; i < d.Len() && err == nil; i++ {
		line = line[:0]
		for _, v := range d.X.RawRowView(i) {
			line = append(line, strconv.FormatFloat(v, 'g', -1, 64))
		}
		if d.Labels != nil {
			line = append(line, className(d, d.Labels[i]))
		}
		err = out.Write(line)
	}
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}

// featureNames returns the names of the columns.
func featureNames(d *data.Data) []string {
	names := make([]string, d.Dim(), d.Dim()+1)
	for k := range names {
		names[k] = "x" + strconv.Itoa(k+1)
		if k < len(d.FeatureNames) && d.FeatureNames[k] != "" {
			names[k] = d.FeatureNames[k]
		}
	}
	return names
}

// checkNames reports whether the reader gives back the names of features and classes.
// It asks the reader: once for all features, and once for all classes.
func checkNames(d *data.Data) error {
	readBack := func(d *data.Data) (*data.Data, error) {
		var b bytes.Buffer
		if err := writeCSV(&b, d); err != nil {
			return nil, err
		}
		opt := CSV{}
		if d.Labels != nil {
			opt.Label = classColumn
		}
		return readCSV(&b, "names", opt)
	}
	one := &data.Data{X: mat.NewDense(1, d.Dim(), nil), FeatureNames: d.FeatureNames}
	if d.Labels != nil {
		one.Labels = []int{data.Unlabelled}
	}
	got, err := readBack(one)
	if err != nil {
		return fmt.Errorf("%w: the header: %w", ErrNames, err)
	}
	if got.FeatureNames == nil {
		return fmt.Errorf("%w: the names of all features are numbers, and the header would be read as a sample; rename a feature", ErrNames)
	}
	for k, name := range featureNames(d) {
		if got.FeatureNames[k] != name {
			return fmt.Errorf("%w: feature %d is called %q and would be read as %q; rename it", ErrNames, k, name, got.FeatureNames[k])
		}
	}
	classes := d.Classes()
	if len(classes) == 0 {
		return nil
	}
	all := &data.Data{X: mat.NewDense(len(classes), 1, nil), Labels: classes, ClassNames: d.ClassNames}
	if got, err = readBack(all); err != nil {
		return fmt.Errorf("%w: the classes: %w", ErrNames, err)
	}
	seen := map[int]bool{}
	for i, c := range classes {
		name, label := className(d, c), got.Labels[i]
		if read := className(got, label); read != name {
			return fmt.Errorf("%w: class %d is called %q and would be read as %q; rename it", ErrNames, c, name, read)
		}
		if seen[label] {
			return fmt.Errorf("%w: class %d is called %q as another one is; rename it", ErrNames, c, name)
		}
		seen[label] = true
	}
	return nil
}

// className is what a table says of a class.
func className(d *data.Data, c int) string {
	switch {
	case c == data.Unlabelled:
		return ""
	case c < len(d.ClassNames) && d.ClassNames[c] != "":
		return d.ClassNames[c]
	}
	return strconv.Itoa(c)
}

// WriteNPZ writes samples for NumPy, as [ReadNPZ] reads them: X (n×D), y (the labels,
// -1 where unknown, where there are any) and, for pictures in row order, image_shape.
// The file appears whole or not at all.
func WriteNPZ(path string, d *data.Data) error {
	return writeWhole(path, d, func(w io.Writer) error { return writeNPZ(w, d) })
}

// writeNPZ writes the archive.
func writeNPZ(w io.Writer, d *data.Data) error {
	arrays := []struct {
		name  string
		array any
	}{{"X", d.X}, {"y", d.Labels}, {"image_shape", []int{d.Image.Height, d.Image.Width}}}
	z := zip.NewWriter(w)
	for _, a := range arrays {
		if v, ok := a.array.([]int); ok {
			if v == nil || a.name == "image_shape" && (d.Image.IsZero() || d.Image.ColumnMajor) {
				continue
			}
			wide := make([]int64, len(v)) // NumPy has no int of a size that the machine chooses
			for i, x := range v {
				wide[i] = int64(x)
			}
			a.array = wide
		}
		entry, err := z.Create(a.name + ".npy")
		if err == nil {
			err = npyio.Write(entry, a.array)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}

// writeWhole lets f fill a file that takes its place once it is whole.
func writeWhole(path string, d *data.Data, f func(w io.Writer) error) error {
	if err := d.Err(); err != nil {
		return err
	}
	if err := d.Validate(); err != nil {
		return err
	}
	return files.Write(path, f)
}
