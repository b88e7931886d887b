package datasets

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// WriteCSV writes samples as a text table that [ReadCSV] reads, with Label "class" if there are
// labels. The header contains the names of the features, or "x1", "x2", … if they have no names.
// Each line begins with the attributes of a sample, which [CSV].Attributes reads. The features
// follow, in the units before Standardize or Scale01, with the fewest digits that restore them
// exactly. Features that are principal components are written unchanged. An attribute is not
// written if it repeats a feature or target of the same name. Examples are the texts of dates, and
// an attribute that marks filled gaps. If the data have labels, the class comes last: its name, or
// its number if it has no name. The field of an unlabelled sample is empty. Targets
// ([data.Data.WithTarget]) come before the class, with empty fields for unknown and hidden values.
// To read them, name one in [CSV].Target, and the others in [CSV].Attributes.
//
// Names that [ReadCSV] would not read back unchanged give [ErrNames]. Examples are a header that
// consists of numbers, a feature called "class" if there are labels, a class called "?", and spaces
// around a name or around the text of an attribute. If the text of an attribute would change, the
// error wraps [ErrNames] too. An example is NA, which marks a gap. If the texts of all attributes
// exceed the read limit, the error wraps [data.ErrTooLarge]. To write an embedding, use the method
// WriteTable of a model. The file appears only when it is complete. In a notebook, WriteCSV prints
// whether it wrote the file.
func WriteCSV(path string, d *data.Data) error {
	return writeWhole("WriteCSV", path, d, func(w io.Writer) error {
		if _, _, ok := d.Scaling().Affine(); ok {
			d = d.Unscaled()
		}
		d = withoutRepeats(d)
		if err := checkTable(d); err != nil {
			return err
		}
		return writeCSV(w, d)
	})
}

// withoutRepeats returns a copy of d without the attributes that repeat a feature or a target of
// the same name. [Table.Data] adds such attributes to keep the texts of a column and to mark its
// gaps.
func withoutRepeats(d *data.Data) *data.Data {
	columns := slices.Clone(d.Targets)
	for k := range d.Dim() {
		columns = append(columns, data.Target{Name: d.FeatureName(k), Values: mat.Col(nil, k, d.X)})
	}
	c := *d
	c.Attributes = slices.DeleteFunc(slices.Clone(d.Attributes), func(a data.Attribute) bool {
		return slices.ContainsFunc(columns, func(column data.Target) bool { return column.Name == a.Name && repeats(a.Values, column.Values) })
	})
	return &c
}

// repeats reports whether `texts` contains the texts of the numbers in `values`, in the form that
// [Table.Data] gives them. Rows with an empty text or an unknown value are ignored. If all rows are
// ignored, repeats returns true only if all texts are empty.
func repeats(texts []string, values []float64) bool {
	given, found := false, false
	for i, text := range texts {
		v := values[i]
		given = given || text != ""
		if text == "" || v != v {
			continue
		}
		found = true
		number, err := strconv.ParseFloat(text, 64)
		yes := truth([]byte(text))
		days, date := parseDate([]byte(text), monthFirstUnknown)
		if !(err == nil && number == v || yes >= 0 && float64(yes%2) == v || date && timeOf(days).Equal(timeOf(v))) {
			return false
		}
	}
	return found || !given
}

const classColumn = "class"

// writeCSV writes the table without checking names.
func writeCSV(w io.Writer, d *data.Data) error {
	out := csv.NewWriter(w)
	line := append(attributeNames(d), featureNames(d)...)
	line = append(line, targetNames(d)...)
	if d.Labels != nil {
		line = append(line, classColumn)
	}
	err := out.Write(line)
	for i := 0; i < d.Len() && err == nil; i++ {
		line = line[:0]
		for _, a := range d.Attributes {
			line = append(line, a.Values[i])
		}
		for _, v := range d.X.RawRowView(i) {
			line = append(line, strconv.FormatFloat(v, 'g', -1, 64))
		}
		for _, t := range d.Targets {
			text := ""
			if v := t.Values[i]; v == v {
				text = strconv.FormatFloat(v, 'g', -1, 64)
			}
			line = append(line, text)
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

func attributeNames(d *data.Data) []string {
	var names []string
	for _, a := range d.Attributes {
		names = append(names, a.Name)
	}
	return names
}

func targetNames(d *data.Data) []string {
	var names []string
	for _, t := range d.Targets {
		names = append(names, t.Name)
	}
	return names
}

// featureNames returns the names of the features, with "x1", "x2", … for features without a name.
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

// checkTable returns an error unless the reader returns the names, the texts and the first rows of
// d unchanged.
func checkTable(d *data.Data) error {
	if err := checkNames(d); err != nil {
		return err
	}
	if err := checkRows(d); err != nil {
		return err
	}
	return checkTexts(d)
}

// checkNames returns an error unless the reader returns all names unchanged. It runs the reader on
// two small tables: one row with all columns, and one row for each class.
func checkNames(d *data.Data) error {
	readBack := func(d *data.Data) (*data.Data, error) {
		var b bytes.Buffer
		if err := writeCSV(&b, d); err != nil {
			return nil, err
		}
		return readCSV(&b, "names", readBackBy(d))
	}
	one := &data.Data{X: mat.NewDense(1, d.Dim(), nil), FeatureNames: d.FeatureNames}
	for _, a := range d.Attributes {
		one.Attributes = append(one.Attributes, data.Attribute{Name: a.Name, Values: []string{""}})
		for i, v := range a.Values {
			if strings.TrimSpace(v) != v || strings.Contains(v, "\r\n") {
				return advice.Errorf("remove surrounding spaces and carriage returns", "%w: the attribute %q of sample %d is %.40q and would be read differently", ErrNames, a.Name, i, v)
			}
		}
	}
	if d.Labels != nil {
		one.Labels = []int{data.Unlabelled}
	}
	for _, t := range d.Targets {
		one.Targets = append(one.Targets, data.Target{Name: t.Name, Values: []float64{0}})
	}
	got, err := readBack(one)
	if errors.Is(err, data.ErrTooLarge) {
		return err
	}
	const plain = "give different names to attributes, targets, features and classes, without surrounding spaces, carriage returns or zero bytes, and call no attribute \"class\""
	const renamed = "name each feature, and use no names that are numbers or stand for a gap, such as NA"
	if err != nil {
		// Names that look like numbers or gaps are the cause if other names are accepted.
		names, at := asNames(one)
		one.FeatureNames = names
		if at >= 0 {
			if _, other := readBack(one); other == nil {
				return advice.Errorf(renamed, "%w: feature %d is called %q, so the header would be read as a sample", ErrNames, at, d.FeatureNames[at])
			} else if !errors.Is(other, data.ErrTooLarge) {
				err = other
			}
		}
		return advice.Errorf(plain, "%w: the header: %w", ErrNames, advice.Cause(err))
	}
	if got.FeatureNames == nil {
		return advice.Errorf(renamed, "%w: the names of all features are numbers, so the header would be read as a sample", ErrNames)
	}
	if !slices.Equal(attributeNames(got), slices.Concat(attributeNames(d), otherTargets(d))) {
		return fmt.Errorf("%w: the attributes and further targets %q would be read as %q; rename them", ErrNames, slices.Concat(attributeNames(d), otherTargets(d)), attributeNames(got))
	}
	if len(d.Targets) > 0 && got.Target().Name != d.Target().Name {
		return fmt.Errorf("%w: the target %q would be read as %q; rename it", ErrNames, d.Target().Name, got.Target().Name)
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
	if got, err = readBack(all); errors.Is(err, data.ErrTooLarge) {
		return err
	}
	if err != nil {
		return advice.Errorf(plain, "%w: the classes: %w", ErrNames, advice.Cause(err))
	}
	seen := map[int]bool{}
	for i, c := range classes {
		name, label := className(d, c), got.Labels[i]
		if read := className(got, label); read != name {
			return fmt.Errorf("%w: class %d is called %q and would be read as %q; rename it", ErrNames, c, name, read)
		}
		if seen[label] {
			return fmt.Errorf("%w: class %d has the same name %q as another class; rename it", ErrNames, c, name)
		}
		seen[label] = true
	}
	return nil
}

// asNames returns the names of the features, but with new names in place of numbers and gap
// markers. The new names are not in the table. first is the index of the first new name, or -1.
func asNames(d *data.Data) (names []string, first int) {
	names, first = featureNames(d), -1
	longest := 0
	for _, name := range slices.Concat(names, attributeNames(d), targetNames(d), []string{classColumn}) {
		longest = max(longest, len(name))
	}
	prefix := strings.Repeat("x", longest+1)
	for k, name := range names {
		if kind, _ := classify([]byte(name)); kind.number() || kind.gap() {
			names[k] = prefix + strconv.Itoa(k)
			if first < 0 {
				first = k
			}
		}
	}
	return names, first
}

// checkRows returns an error unless the reader returns the first rows unchanged. The reader detects
// the format of a table, and texts with many separators could mislead it.
func checkRows(d *data.Data) error {
	n := min(d.Len(), 200)
	part := &data.Data{X: mat.DenseCopyOf(d.X.Slice(0, n, 0, d.Dim())), FeatureNames: d.FeatureNames, ClassNames: d.ClassNames}
	if d.Labels != nil {
		part.Labels = d.Labels[:n]
	}
	for _, a := range d.Attributes {
		part.Attributes = append(part.Attributes, data.Attribute{Name: a.Name, Values: a.Values[:n]})
	}
	for _, t := range d.Targets {
		part.Targets = append(part.Targets, data.Target{Name: t.Name, Values: t.Values[:n]})
	}
	opt := readBackBy(part)
	got, err := readRows(part, opt, opt.table())
	if err != nil {
		return err
	}
	for i := range n {
		same := slices.Equal(got.X.RawRowView(i), part.X.RawRowView(i)) && (d.Labels == nil || className(got, got.Labels[i]) == className(d, d.Labels[i]))
		if t := part.Target(); t != nil {
			a, b := got.Target().Values[i], t.Values[i]
			same = same && (a == b || a != a && b != b)
		}
		if !same {
			return advice.With(withoutSeparators, fmt.Errorf("%w: row %d would be read differently", ErrNames, i))
		}
	}
	return nil
}

// checkTexts returns an error unless the reader returns the texts of all attributes unchanged. The
// reader uses all texts of a column to decide whether they are numbers or dates, and which of them
// mark gaps.
func checkTexts(d *data.Data) error {
	if len(d.Attributes) == 0 {
		return nil
	}
	texts := &data.Data{X: mat.NewDense(d.Len(), 1, nil), FeatureNames: featureNames(d)[:1], Attributes: d.Attributes}
	opt := readBackBy(texts)
	options := opt.table()
	Separator(',')(options) // checkRows has checked that the reader finds the separator and the header
	Header(1)(options)
	got, err := readRows(texts, opt, options)
	if err != nil {
		return err
	}
	for k, a := range d.Attributes {
		for i, text := range a.Values {
			if read := got.Attributes[k].Values[i]; read != text {
				return advice.Errorf(`give it another text, or "" if it is unknown`, "%w: the attribute %q of sample %d is %.40q and would be read as %.40q", ErrNames, a.Name, i, text, read)
			}
		}
	}
	return nil
}

// withoutSeparators is the remedy for rows that the reader would not return unchanged.
const withoutSeparators = "rename features, classes and attributes that contain separators, quotes or zero bytes"

// readRows writes the rows of d and reads them back.
func readRows(d *data.Data, opt CSV, options *tableOptions) (*data.Data, error) {
	var b bytes.Buffer
	if err := writeCSV(&b, d); err != nil {
		return nil, err
	}
	budget := files.NewBudget()
	var got *data.Data
	text, notes, err := readText(&b, -1, "rows", "", budget)
	if err == nil {
		got, err = opt.samples(text, notes, "rows", options, budget)
	}
	if errors.Is(err, data.ErrTooLarge) {
		return nil, err
	}
	if err != nil {
		return nil, advice.Errorf(withoutSeparators, "%w: the rows: %w", ErrNames, advice.Cause(err))
	}
	n, features := d.X.Dims()
	if r, c := got.X.Dims(); r != n || c != features {
		return nil, advice.With(withoutSeparators, fmt.Errorf("%w: %d rows of %d features would be read as %d rows of %d", ErrNames, n, features, r, c))
	}
	return got, nil
}

// readBackBy returns the options with which [ReadCSV] reads a file that [WriteCSV] wrote for d.
func readBackBy(d *data.Data) CSV {
	opt := CSV{Attributes: slices.Concat(attributeNames(d), otherTargets(d))}
	if t := d.Target(); t != nil {
		opt.Target = t.Name
	}
	if d.Labels != nil {
		opt.Label = classColumn
	}
	return opt
}

// otherTargets returns the names of all targets except the first. The first is the target that
// methods use.
func otherTargets(d *data.Data) []string {
	if len(d.Targets) < 2 {
		return nil
	}
	return targetNames(d)[1:]
}

// className returns the text that represents class c in a table: its name, its number, or "" if
// unlabelled.
func className(d *data.Data, c int) string {
	switch {
	case c == data.Unlabelled:
		return ""
	case c < len(d.ClassNames) && d.ClassNames[c] != "":
		return d.ClassNames[c]
	}
	return strconv.Itoa(c)
}

// WriteNPZ writes samples for NumPy and [ReadNPZ]: X (n×D), y (if the data have labels) and, for
// images in row-major order, image_shape. In y, unlabelled samples are -1, or NaN if -1 would be
// read as a class. The array target contains the target that methods use ([data.Data.WithTarget]),
// with NaN for unknown and hidden values. Names, attributes and other targets are not written. The
// file appears only when it is complete.
func WriteNPZ(path string, d *data.Data) error {
	return writeWhole("WriteNPZ", path, d, func(w io.Writer) error { return writeNPZ(w, d) })
}

// writeNPZ writes a .npz archive that contains the existing arrays of d.
func writeNPZ(w io.Writer, d *data.Data) error {
	arrays := []struct {
		name  string
		array any
	}{{"X", d.X}, {"y", d.Labels}, {"image_shape", []int{d.Image.Height, d.Image.Width}}}
	if t := d.Target(); t != nil {
		arrays = append(arrays, struct {
			name  string
			array any
		}{"target", t.Values})
	}
	z := zip.NewWriter(w)
	for _, a := range arrays {
		if v, ok := a.array.([]int); ok {
			if v == nil || a.name == "image_shape" && (d.Image.IsZero() || d.Image.ColumnMajor) {
				continue
			}
			wide := make([]int64, len(v)) // the .npy format needs integers of a fixed size
			for i, x := range v {
				wide[i] = int64(x)
			}
			a.array = wide
			if a.name == "y" && slices.Contains(v, 1) && !slices.ContainsFunc(v, func(l int) bool { return l != 1 && l != data.Unlabelled }) {
				a.array = withNaN(v)
			}
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

// withNaN returns labels as numbers, with NaN for unknown labels.
func withNaN(labels []int) []float64 {
	out := make([]float64, len(labels))
	for i, l := range labels {
		if out[i] = float64(l); l == data.Unlabelled {
			out[i] = math.NaN()
		}
	}
	return out
}

// writeWhole checks the data and calls f to write a temporary file. When the file is complete, it
// replaces the file at path. call is the name of the function in errors.
func writeWhole(call, path string, d *data.Data, f func(w io.Writer) error) error {
	err := d.Err()
	if err == nil {
		err = d.Validate()
	}
	if err == nil && d.X == nil {
		err = advice.Errorf("write the embedding with Model.WriteTable, or reduce the data with Data.PCA and write the result", "%w: the samples have no dense features", data.ErrEmpty)
	}
	if err != nil {
		err = fmt.Errorf("datasets: %s(%q): %w", call, path, err)
	} else {
		err = files.Failure("datasets: "+call, path, files.Write(path, f))
	}
	return files.Tell("datasets", path, nouns.Count(d.Len(), "sample")+" of "+nouns.Count(d.Dim(), "feature"), err)
}
