// Package data defines the plain data type that the other packages exchange: a matrix with one
// sample per row, the labels that methods use, the true classes that only scores use, and pair
// constraints.
//
// [github.com/ssdrnb/ssdrnb/datasets] creates such values, and [github.com/ssdrnb/ssdrnb/ssdrnb]
// fits models to them. Both import this package, so that neither depends on the other.
//
// A *Data is immutable: methods return copies, which share the numbers that do not change. A chain
// of methods keeps its first error. [Data.Err] returns this error, and so does a Fit to the result
// of the chain. Methods of data made by this package do not panic if indices are in range.
package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Unlabelled marks a sample whose class is not known to a method.
const Unlabelled = -1

// MaxLabel is the greatest valid label.
const MaxLabel = math.MaxInt32

// Sentinel errors. They are wrapped in errors that contain the values; test with errors.Is.
var (
	// ErrEmpty means that data are missing, or that a matrix has no rows or no columns.
	ErrEmpty = errors.New("empty data")
	// ErrNotFinite means that a value is NaN or infinite.
	ErrNotFinite = errors.New("value is not finite")
	// ErrShape means that two parts of the data disagree in size.
	ErrShape = errors.New("sizes disagree")
	// ErrLabels means that the labels are insufficient or invalid.
	ErrLabels = errors.New("unsuitable labels")
	// ErrPairs means that must-link or cannot-link pairs are out of range, link a row with
	// itself, or contradict each other.
	ErrPairs = errors.New("unsuitable pairs")
	// ErrOption means that an argument is outside its range.
	ErrOption = errors.New("argument out of range")
)

// Image describes how a row of X is laid out as an image. The zero value means that rows are not
// images.
type Image struct {
	Height, Width int
	// ColumnMajor is true if pixel (r, c) is at index c*Height + r, as in MATLAB files. Otherwise
	// pixel (r, c) is at index r*Width + c.
	ColumnMajor bool
}

// IsZero reports whether rows are not images.
func (im Image) IsZero() bool { return im.Height == 0 || im.Width == 0 }

// At returns the index, within a row of X, of the pixel in image row r and column c.
func (im Image) At(r, c int) int {
	if im.ColumnMajor {
		return c*im.Height + r
	}
	return r*im.Width + c
}

// Data is a set of samples. Make one with [New] or with package datasets.
type Data struct {
	// Name is used in titles and reports.
	Name string
	// X contains one sample per row and one feature per column. Treat it as read-only. It is nil if
	// Distances, Nearest or Rows is given instead.
	X *mat.Dense
	// Distances holds the n×n distances between the samples, see [FromDistances].
	Distances *mat.SymDense
	// Nearest holds precomputed neighbours, see [FromNeighbors].
	Nearest *Nearest
	// Rows holds sparse features, n×D, see [NewSparse].
	Rows *sparse.CSR
	// Labels holds the class of each row, or [Unlabelled] where the class is hidden from methods.
	// nil means that no label is known.
	Labels []int
	// Truth holds the true class of each row, for scores and figures only; no method reads it. nil
	// means that the true classes are unknown.
	Truth []int
	// ClassNames holds the names of classes 0, 1, …. It may be nil, or shorter than the number of
	// classes.
	ClassNames []string
	// FeatureNames holds the names of the columns of X. It may be nil.
	FeatureNames []string
	// Attributes are text columns besides the features, such as identifiers and dates. Subsets keep
	// them; no method reads them.
	Attributes []Attribute
	// Targets are measured values, known for some rows. Methods read the first target. See
	// [Data.WithTarget].
	Targets []Target
	// Image describes how a row of X is laid out as an image.
	Image Image
	// Pairs are must-link and cannot-link constraints that are given as pairs of rows rather than
	// by labels.
	Pairs Pairs
	// Anchors are samples whose coordinates in the embedding are known.
	Anchors Anchors
	// Start holds the initial positions of neighbour embeddings, one row per sample and one column
	// per dimension. If it is nil, the method chooses the positions. See [Data.WithStart].
	Start *mat.Dense
	// Notes lists the changes to the data (scaling, projection, splits) in order, for reports.
	Notes []string

	keep  int     // number of labels per class that KeepLabels kept, 0 = not called
	share float64 // share of labels that KeepShare kept, 0 = not called
	// keepTarget is the share of the values of the target that KeepTarget kept, 0 = not called.
	keepTarget float64
	seed       uint64 // seed of the next or last random choice
	// origin holds the labels and true classes of the data set from which these samples were taken.
	// It is nil for a whole data set.
	origin [][]int
	// scaling is the transformation that produced the features in the field `scaled`. It does not
	// apply if a caller has replaced X since.
	scaling Scaling
	scaled  *mat.Dense
	err     error // the first error
}

// Attribute is a named column of text.
type Attribute struct {
	Name   string
	Values []string // one per row
	// Missing is the meaning of the text "" in Values, for example "noise". If Missing is "", the
	// text "" means an unknown value.
	Missing string `json:",omitempty"`
	// MonthFirst reports that the dates of the attribute were read from a table with the month
	// before the day, as in 12/31/2020. In Values, dates begin with the year.
	MonthFirst bool `json:",omitempty"`
}

// Attribute returns the texts of the first attribute with the given name, one per row, or nil if
// there is none. Treat it as read-only.
func (d *Data) Attribute(name string) []string {
	if d != nil {
		for _, a := range d.Attributes {
			if a.Name == name {
				return a.Values
			}
		}
	}
	return nil
}

// WithAttribute returns a copy with an attribute added, or replaced if the name exists. values
// holds one text per row.
func (d *Data) WithAttribute(name string, values []string) *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("")
	added := Attribute{Name: name, Values: slices.Clone(values)}
	c.Attributes = slices.Clone(d.Attributes)
	if k := slices.IndexFunc(c.Attributes, func(a Attribute) bool { return a.Name == name }); k >= 0 {
		c.Attributes[k] = added
	} else {
		c.Attributes = append(c.Attributes, added)
	}
	c.err = c.Validate()
	return c
}

// WithImage returns a copy whose rows are images with the layout im. The zero Image means that rows
// are not images.
func (d *Data) WithImage(im Image) *Data {
	if d.Err() != nil {
		return d
	}
	if !im.IsZero() && (im.Height < 0 || im.Width < 0 || im.Height*im.Width != d.Dim()) {
		return d.fail(advice.Errorf("give a height and a width whose product is the number of features", "%w: WithImage: %d×%d pixels do not fit %s", ErrOption, im.Height, im.Width, nouns.Count(d.Dim(), "feature")))
	}
	c := d.with("")
	c.Image = im
	return c
}

// New returns data with the features X (n×D, one sample per row) and the given labels. labels is
// nil or has n entries, [Unlabelled] where unknown. It is copied into both Labels and Truth. X is
// not copied.
func New(x *mat.Dense, labels []int) *Data {
	d := &Data{Name: "data", X: x}
	if labels != nil {
		d.Labels, d.Truth = slices.Clone(labels), slices.Clone(labels)
	}
	d.err = d.Validate()
	return d
}

// Failed returns data that contain only an error. Readers and named data sets use it, so that a
// chain of methods can continue until Fit returns the error.
func Failed(name string, err error) *Data { return &Data{Name: name, err: err} }

// Err returns the first error in the chain of methods that created d.
func (d *Data) Err() error {
	if d == nil {
		return advice.Errorf("pass data from data.New or from a reader of package datasets", "%w: no data (nil)", ErrEmpty)
	}
	return d.err
}

// Len returns the number of samples n.
func (d *Data) Len() int {
	switch {
	case d == nil:
		return 0
	case d.X != nil:
		n, _ := d.X.Dims()
		return n
	case d.Distances != nil:
		return d.Distances.SymmetricDim()
	case d.Nearest != nil:
		return d.Nearest.Len()
	case d.Rows != nil:
		return d.Rows.Rows
	}
	return 0
}

// Dim returns the number of features D of X, or 0 without X.
func (d *Data) Dim() int {
	if d == nil || d.X == nil {
		return 0
	}
	_, c := d.X.Dims()
	return c
}

// Classes returns the distinct known labels in ascending order.
func (d *Data) Classes() []int { return distinct(d.Labels) }

// NumLabelled returns the number of rows with a known label.
func (d *Data) NumLabelled() int {
	m := 0
	for _, l := range d.Labels {
		if l != Unlabelled {
			m++
		}
	}
	return m
}

// ClassName returns the name of class c, its number if it has none, or "unlabelled" for
// [Unlabelled].
func (d *Data) ClassName(c int) string {
	if c == Unlabelled {
		return "unlabelled"
	}
	if c >= 0 && c < len(d.ClassNames) && d.ClassNames[c] != "" {
		return d.ClassNames[c]
	}
	return strconv.Itoa(c)
}

// FeatureName returns the name of feature k. If it has no name, FeatureName returns "feature" and
// its number, counted from 0.
func (d *Data) FeatureName(k int) string {
	if k >= 0 && k < len(d.FeatureNames) && d.FeatureNames[k] != "" {
		return d.FeatureNames[k]
	}
	return "feature " + strconv.Itoa(k)
}

// String describes the data in one line.
func (d *Data) String() string {
	if err := d.Err(); err != nil {
		return "data with an error: " + err.Error()
	}
	features := nouns.Count(d.Dim(), "feature")
	switch {
	case d.X != nil:
	case d.Distances != nil:
		features = "their distances"
	case d.Nearest != nil:
		features = nouns.Count(d.Nearest.K, "neighbour")
	case d.Rows != nil:
		features = fmt.Sprintf("%s, %.3g %% not 0", nouns.Count(d.Rows.Cols, "feature"), 100*float64(d.Rows.NNZ())/float64(d.Rows.Rows)/float64(d.Rows.Cols))
	}
	return fmt.Sprintf("%s: %s × %s, %s, %d labelled, %s",
		d.Name, nouns.Count(d.Len(), "sample"), features, nouns.Count(max(len(d.Classes()), len(distinct(d.Truth))), "class"), d.NumLabelled(), nouns.Count(d.Pairs.Distinct().Len(), "pair"))
}

// Validate returns an error unless the data are consistent. X, or the distances, neighbours or
// sparse rows that replace it, must be non-empty and finite. Labels, truth, attributes, targets,
// pairs, anchors and initial positions must fit the number of samples, and feature names must fit
// the number of features.
func (d *Data) Validate() error {
	if d == nil {
		return d.Err()
	}
	given := 0
	for _, yes := range []bool{d.X != nil, d.Distances != nil, d.Nearest != nil, d.Rows != nil} {
		if yes {
			given++
		}
	}
	switch {
	case given > 1:
		return advice.Errorf("set only one of them", "%w: more than one of X, Distances, Nearest and Rows is set", ErrShape)
	case d.Rows != nil:
		if err := checkRows(d.Rows); err != nil {
			return err
		}
	case d.Distances != nil:
		if err := checkDistances(d.Distances); err != nil {
			return err
		}
	case d.Nearest != nil:
		if err := d.Nearest.check(); err != nil {
			return err
		}
	}
	if !d.HasSamples() && (d.Labels != nil || d.Truth != nil) {
		return advice.Errorf("read the data again", "%w: the features are missing, as in the data of a loaded model", ErrEmpty)
	}
	if d.Len() == 0 || d.X != nil && d.Dim() == 0 {
		return advice.Errorf("give at least one row and one column", "%w: X is %d×%d", ErrEmpty, d.Len(), d.Dim())
	}
	if names, features := len(d.FeatureNames), d.NumFeatures(); names > 0 && d.HasSamples() && names != features {
		return advice.Errorf("give one name for each feature, or none", "%w: %d FeatureNames for %s", ErrShape, names, nouns.Count(features, "feature"))
	}
	n := d.Len()
	for _, part := range []struct {
		name, thing string
		labels      []int
	}{{"labels", "label", d.Labels}, {"truth", "true class", d.Truth}} {
		if part.labels == nil {
			continue
		}
		if len(part.labels) != n {
			return advice.Errorf("give one for each row, -1 if unknown", "%w: %s for %s", ErrShape, nouns.Count(len(part.labels), part.thing), nouns.Count(n, "row"))
		}
		for i, l := range part.labels {
			if l < Unlabelled || l > MaxLabel {
				return advice.Errorf(fmt.Sprintf("number the classes from 0 to %d, and use -1 for unlabelled rows", MaxLabel), "%w: %s[%d] = %d", ErrLabels, part.name, i, l)
			}
		}
	}
	for _, a := range d.Attributes {
		if len(a.Values) != n {
			return advice.Errorf("give one text for each row", "%w: %s of the attribute %q for %s", ErrShape, nouns.Count(len(a.Values), "value"), a.Name, nouns.Count(n, "row"))
		}
	}
	for _, t := range d.Targets {
		if err := t.check(n); err != nil {
			return err
		}
	}
	if d.X != nil {
		if err := CheckFinite(d.X); err != nil {
			return err
		}
	}
	if err := d.Anchors.Check(n); err != nil {
		return err
	}
	if err := checkStart(d.Start, n); err != nil {
		return err
	}
	return d.Pairs.Check(n)
}

// CheckFinite returns an error that names the first NaN or infinite value in x.
func CheckFinite(x *mat.Dense) error {
	n, c := x.Dims()
	for i := range n {
		for j, v := range x.RawRowView(i)[:c] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return advice.Errorf("remove the row or fill the gap first", "%w: X[%d][%d] = %v", ErrNotFinite, i, j, v)
			}
		}
	}
	return nil
}

// with returns a shallow copy that records a note.
func (d *Data) with(note string, args ...any) *Data {
	c := *d
	if note != "" {
		c.Notes = append(slices.Clone(d.Notes), fmt.Sprintf(note, args...))
	}
	return &c
}

// fail returns a shallow copy with the error err, unless d already has an error.
func (d *Data) fail(err error) *Data {
	c := *d
	if c.err == nil {
		c.err = err
	}
	return &c
}

// distinct returns the distinct known labels in ascending order.
func distinct(labels []int) []int {
	seen := map[int]bool{}
	var out []int
	for _, l := range labels {
		if l != Unlabelled && !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	slices.Sort(out)
	return out
}
