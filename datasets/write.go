package datasets

import (
	"archive/zip"
	"encoding/csv"
	"io"
	"strconv"

	"github.com/sbinet/npyio"

	"github.com/ssdrnb/ssdrnb/internal/whole"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// WriteCSV writes samples as a text table that [ReadCSV] reads with Label "class":
// a header with the names of the features ("x1", "x2", … where they have none), a
// line per sample with the shortest decimals that give its numbers back, and at the
// end, where the data have labels, the class: its name, or its number where it has
// none, and nothing for an unlabelled sample. An embedding becomes data by
// data.New. The file appears whole or not at all.
func WriteCSV(path string, d *data.Data) error {
	return writeWhole(path, d, func(w io.Writer) error {
		out := csv.NewWriter(w)
		line := make([]string, 0, d.Dim()+1)
		for k := range d.Dim() {
			name := "x" + strconv.Itoa(k+1)
			if k < len(d.FeatureNames) {
				name = d.FeatureNames[k]
			}
			line = append(line, name)
		}
		if d.Labels != nil {
			line = append(line, "class")
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
	})
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
	return writeWhole(path, d, func(w io.Writer) error {
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
	})
}

// writeWhole lets f fill a file that takes its place once it is whole.
func writeWhole(path string, d *data.Data, f func(w io.Writer) error) error {
	if err := d.Err(); err != nil {
		return err
	}
	if err := d.Validate(); err != nil {
		return err
	}
	return whole.Write(path, f)
}
