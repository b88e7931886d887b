package ssdrnb

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/contrast"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// guardRegions is the number of regions of a picture that a group is compared with.
const guardRegions = 100

// Difference is how a group of samples differs from others in one feature, or in one value
// of an attribute.
type Difference struct {
	// Name is that of the feature or attribute. Value is the value of an attribute of text,
	// "" for numbers; see Missing.
	Name, Value string
	// Missing says that the row compares the shares without a value: Delta is MissingIn less
	// MissingOut.
	Missing bool
	// Delta is Cliff's δ from −1, all lower, over 0 to 1, all higher; for a value the share in
	// the group less that outside. NaN where a side has no value.
	Delta float64
	// SE is its standard error where nothing differs, for the order only.
	SE float64
	// MedianIn and MedianOut are in the units before scaling; for a value or Missing the
	// shares of it.
	MedianIn, MedianOut float64
	// Standardized is the difference of means over the standard deviation of both groups
	// together, NaN for a value.
	Standardized float64
	// MissingIn and MissingOut are the shares without a value.
	MissingIn, MissingOut float64
	// Usual is the |δ| that nine of ten regions of the picture stay below, NaN without
	// [ContrastTable.In]. Unusual is |δ| above it.
	Usual   float64
	Unusual bool
	// InPicture is true for features that the picture was computed from: their differences
	// describe a group that was chosen by looking at it, and are no finding.
	InPicture bool
}

// ContrastTable has what makes a group different, the largest difference first. It is
// immutable and safe for concurrent use.
type ContrastTable struct {
	data         *data.Data
	in, out      []int
	against      bool
	rows         []contrastRow
	usualLargest float64
	skipped      []string // attributes whose values are all different
	err          error
}

// contrastRow is a row of the table with the place of its column: of the features first, then
// of the attributes.
type contrastRow struct {
	Difference
	column int
}

// Contrast compares the samples in rows with all others of d, feature by feature and
// attribute by attribute. Numbers, also those of attributes whose texts are all numbers, are
// compared by Cliff's δ from mid-ranks, texts by their shares. No setting and no scaling
// changes it.
//
// Source: Cliff, "Dominance statistics", Psychological Bulletin 1993.
//
// There are no p-values: a group that was chosen by looking at a picture of the features
// differs from the rest in them, whether or not there is anything to find. [ContrastTable.In]
// tells what other regions of the picture show.
//
// Cost: O(nD log n). Fails: a group in the middle of a feature has δ near 0, and related
// features say the same more than once.
//
// Errors are kept for [ContrastTable.Err]: there is at least one row inside and one outside,
// from 0 to n−1, none of them twice.
func Contrast(d *data.Data, rows []int) *ContrastTable {
	t := &ContrastTable{data: d, in: slices.Clone(rows), usualLargest: math.NaN()}
	if d == nil {
		t.err = contrastFault("data", nil, fmt.Errorf("%w: there are none", ErrData), "pass data from NewData or package datasets")
		return t
	}
	if err := cmp.Or(d.Err(), d.Validate()); err != nil {
		t.err = contrastFault("data", nil, classify(err), remedyOf(err))
		return t
	}
	inside, err := membersOf("rows", t.in, d.Len())
	if err != nil {
		t.err = err
		return t
	}
	for i, in := range inside {
		if !in {
			t.out = append(t.out, i)
		}
	}
	if len(t.out) == 0 {
		t.err = contrastFault("rows", len(rows), fmt.Errorf("%w: the group is all samples", ErrOption), "leave at least one sample outside of the group")
		return t
	}
	return t.compare()
}

func contrastFault(param string, value any, err error, remedy string) error {
	return &Error{Method: "Contrast", Param: param, Value: value, Err: err, Remedy: remedy}
}

// membersOf tells which of n samples are in rows.
func membersOf(param string, rows []int, n int) ([]bool, error) {
	if len(rows) == 0 {
		return nil, contrastFault(param, nil, fmt.Errorf("%w: the group is empty", ErrOption), "give at least one row")
	}
	in := make([]bool, n)
	for _, i := range rows {
		switch {
		case i < 0 || i >= n:
			return nil, contrastFault(param, i, fmt.Errorf("%w: there are %s", ErrOption, plural(n, "sample")), fmt.Sprintf("give rows from 0 to %d", n-1))
		case in[i]:
			return nil, contrastFault(param, i, fmt.Errorf("%w: the row is given twice", ErrOption), "give each row once, for example with slices.Compact of sorted rows")
		}
		in[i] = true
	}
	return in, nil
}

// Against compares with the samples in others instead of with all others.
func (t *ContrastTable) Against(others []int) *ContrastTable {
	if t.err != nil {
		return t
	}
	c := &ContrastTable{data: t.data, in: t.in, out: slices.Clone(others), against: true, usualLargest: math.NaN()}
	theirs, err := membersOf("others", others, t.data.Len())
	if err != nil {
		c.err = err
		return c
	}
	both := 0
	for _, i := range c.in {
		if theirs[i] {
			both++
		}
	}
	if both > 0 {
		c.err = contrastFault("others", both, fmt.Errorf("%w: %s in both groups", ErrOption, are(both, "sample is", "samples are")), "remove them from one of the groups")
		return c
	}
	return c.compare()
}

// contrastColumn is a feature, in its own units where these are known, or an attribute:
// numbers where it holds nothing else, otherwise texts.
type contrastColumn struct {
	name    string
	numbers []float64
	texts   []string
}

// sameFeatures reports whether two sets of samples have the same dense features, or neither
// has any and they are the same data.
func sameFeatures(a, b *data.Data) bool {
	if a.X == nil || b.X == nil {
		return a.X == b.X && a.Distances == b.Distances && a.Nearest == b.Nearest && a.Rows == b.Rows
	}
	return mat.Equal(a.X, b.X)
}

// contrastColumns returns the features and then the attributes.
func contrastColumns(d *data.Data) []contrastColumn {
	var all []contrastColumn
	for k := range d.Dim() {
		name := fmt.Sprintf("feature %d", k)
		if k < len(d.FeatureNames) && d.FeatureNames[k] != "" {
			name = d.FeatureNames[k]
		}
		values := d.Original(k)
		if values == nil {
			values = mat.Col(nil, k, d.X)
		}
		all = append(all, contrastColumn{name: name, numbers: values})
	}
	for _, a := range d.Attributes {
		c := contrastColumn{name: a.Name, numbers: numbersIn(a.Values)}
		if c.numbers == nil {
			c.texts = a.Values
		}
		all = append(all, c)
	}
	return all
}

// numbersIn returns the finite numbers that texts write, NaN for "", and nil where one is no
// number or all are empty.
func numbersIn(texts []string) []float64 {
	out, some := make([]float64, len(texts)), false
	for i, s := range texts {
		if s == "" {
			out[i] = math.NaN()
			continue
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		out[i], some = v, true
	}
	if !some {
		return nil
	}
	return out
}

func (t *ContrastTable) compare() *ContrastTable {
	columns := contrastColumns(t.data)
	effects := make([]contrast.Effect, len(columns))
	par.Blocks(len(columns), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			if columns[k].texts == nil {
				effects[k] = contrast.Numbers(columns[k].numbers, t.in, t.out)
			}
		}
	})
	nan := math.NaN()
	for k, c := range columns {
		e := effects[k]
		if c.texts == nil {
			t.rows = append(t.rows, contrastRow{Difference{Name: c.name, Delta: e.Delta, SE: e.SE, MedianIn: e.MedianIn, MedianOut: e.MedianOut,
				Standardized: e.Standardized, MissingIn: e.MissingIn, MissingOut: e.MissingOut, Usual: nan}, k})
		} else {
			var values []contrast.Value
			values, e.MissingIn, e.MissingOut = contrast.Texts(c.texts, t.in, t.out)
			if values == nil && e.MissingIn < 1 && e.MissingOut < 1 {
				t.skipped = append(t.skipped, c.name)
			}
			for _, v := range values {
				t.rows = append(t.rows, contrastRow{Difference{Name: c.name, Value: v.Value, Delta: v.Delta, SE: v.SE, MedianIn: v.ShareIn, MedianOut: v.ShareOut,
					Standardized: nan, MissingIn: e.MissingIn, MissingOut: e.MissingOut, Usual: nan}, k})
			}
		}
		t.missing(k, c.name, e.MissingIn, e.MissingOut)
	}
	slices.SortStableFunc(t.rows, func(a, b contrastRow) int {
		return cmp.Compare(contrast.Score(b.Delta, b.SE), contrast.Score(a.Delta, a.SE))
	})
	return t
}

// missing adds a row for a column whose gaps differ.
func (t *ContrastTable) missing(column int, name string, in, out float64) {
	m, n := float64(len(t.in)), float64(len(t.out))
	r := Difference{Name: name, Missing: true, Delta: in - out, SE: math.Sqrt((m + n + 1) / (3 * m * n)), MedianIn: in, MedianOut: out,
		Standardized: math.NaN(), MissingIn: in, MissingOut: out, Usual: math.NaN()}
	if contrast.Score(r.Delta, r.SE) > 0 {
		t.rows = append(t.rows, contrastRow{r, column})
	}
}

// In adds what any region of the picture of m would show: of 100 regions of as many samples,
// each around a sample drawn by the seed of the data, nine in ten have a |δ| of at most
// [Difference.Usual]. For a group against another, regions come in pairs. The table marks the
// features that the picture was computed from. m must be a model of the same samples.
func (t *ContrastTable) In(m *Model) *ContrastTable {
	if t.err != nil {
		return t
	}
	c := *t
	if m == nil {
		c.err = contrastFault("model", nil, fmt.Errorf("%w: there is none", ErrOption), "give a fitted model of the data")
		return &c
	}
	y, n := m.Embedding(), t.data.Len()
	if got, _ := y.Dims(); got != n || !sameFeatures(m.Data(), t.data) {
		c.err = contrastFault("model", m.Method(), fmt.Errorf("%w: it was fitted to other samples or features", ErrOption), "contrast m.Data(), or fit the model to these data")
		return &c
	}
	centres := rand.New(rand.NewPCG(t.data.Draw().Seed, 0)).Perm(n)
	centres = centres[:min(guardRegions, n)]
	regions := contrast.Regions(y, len(t.in), centres)
	var others [][]int
	if t.against {
		others = contrast.Apart(y, len(t.out), centres, regions)
	}
	columns := contrastColumns(t.data)
	// |δ| of each region for every row of the table.
	each := make([][]float64, len(t.rows))
	par.Blocks(len(t.rows), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			each[k] = regionDeltas(columns[t.rows[k].column].of(t.rows[k].Difference), regions, others)
		}
	})
	c.rows = slices.Clone(t.rows)
	largest := make([]float64, len(regions))
	for k := range c.rows {
		for b, v := range each[k] {
			if !math.IsNaN(v) {
				largest[b] = max(largest[b], math.Abs(v))
			}
		}
		r := &c.rows[k]
		r.Usual = contrast.Usual(each[k])
		r.Unusual = contrast.Unusual(r.Delta, r.Usual)
		r.InPicture = r.column < t.data.Dim()
	}
	c.usualLargest = contrast.Usual(largest)
	return &c
}

// of returns the numbers whose δ a row has: the column, or an indicator.
func (c contrastColumn) of(r Difference) []float64 {
	if c.texts == nil && !r.Missing {
		return c.numbers
	}
	out := make([]float64, max(len(c.numbers), len(c.texts)))
	for i := range out {
		gap := c.texts == nil && math.IsNaN(c.numbers[i]) || c.texts != nil && c.texts[i] == ""
		switch {
		case r.Missing && gap || !r.Missing && !gap && c.texts[i] == r.Value:
			out[i] = 1
		case !r.Missing && gap:
			out[i] = math.NaN()
		}
	}
	return out
}

func regionDeltas(values []float64, regions, others [][]int) []float64 {
	out := make([]float64, len(regions))
	r := contrast.Rank(values)
	for b, rows := range regions {
		if others == nil {
			out[b], _ = r.Delta(rows)
		} else {
			out[b] = contrast.Numbers(values, rows, others[b]).Delta
		}
	}
	return out
}

// Err returns the error of the calls so far.
func (t *ContrastTable) Err() error { return t.err }

// Rows returns the differences by |δ| less its standard error, the largest first.
func (t *ContrastTable) Rows() []Difference { return t.Top(len(t.rows)) }

// Top returns the first n rows, or all if there are fewer.
func (t *ContrastTable) Top(n int) []Difference {
	out := make([]Difference, min(max(n, 0), len(t.rows)))
	for k := range out {
		out[k] = t.rows[k].Difference
	}
	return out
}

// UsualLargest is the largest |δ| of all rows that nine of ten regions of the picture stay
// below, NaN without [ContrastTable.In].
func (t *ContrastTable) UsualLargest() float64 { return t.usualLargest }

// String writes the ten largest differences, or the error.
func (t *ContrastTable) String() string {
	if t.err != nil {
		return t.err.Error() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s against %s\n", plural(len(t.in), "sample"), plural(len(t.out), "sample"))
	if !math.IsNaN(t.usualLargest) {
		fmt.Fprintf(&b, "nine of ten regions of this size have a largest effect below %.2f\n", t.usualLargest)
	}
	for _, r := range t.Top(10) {
		name, what := r.Name, "median"
		switch {
		case r.Missing:
			name, what = name+" missing", "share"
		case r.Value != "":
			name, what = name+" "+r.Value, "share"
		}
		fmt.Fprintf(&b, "  %-30s δ %+.2f  %s %.4g against %.4g", name, r.Delta, what, r.MedianIn, r.MedianOut)
		if !math.IsNaN(r.Usual) {
			fmt.Fprintf(&b, "  usual %.2f", r.Usual)
			if r.Unusual {
				b.WriteString(", unusual")
			}
			if !r.InPicture {
				b.WriteString(", not in the picture")
			}
		}
		b.WriteString("\n")
	}
	if len(t.skipped) > 0 {
		fmt.Fprintf(&b, "left out, as all values differ: %s\n", strings.Join(t.skipped, ", "))
	}
	return b.String()
}

// Names returns a short name of each cluster: up to two columns of numbers in which it
// differs most from all other samples, such as "proline high, flavanoids high", without those
// that say the same (Spearman correlation above 0.8). It is "cluster 3" where no difference
// is large (|δ| ≥ 0.474), and always for pictures, whose pixels say nothing.
//
// found must be of the samples of d, otherwise the error wraps [ErrOption].
func Names(d *data.Data, found *Grouping) ([]string, error) {
	fault := func(param string, err error, remedy string) error {
		return &Error{Method: "Names", Param: param, Err: err, Remedy: remedy}
	}
	switch {
	case d == nil:
		return nil, fault("data", fmt.Errorf("%w: there are none", ErrData), "pass data from NewData or package datasets")
	case found == nil:
		return nil, fault("found", fmt.Errorf("%w: there are no clusters", ErrOption), "find them with Clusters().Find")
	}
	if err := cmp.Or(d.Err(), d.Validate()); err != nil {
		return nil, fault("data", classify(err), remedyOf(err))
	}
	if len(found.of) != d.Len() {
		return nil, fault("found", fmt.Errorf("%w: clusters of %s for %d", ErrOption, plural(len(found.of), "sample"), d.Len()), "find the clusters of these data with Clusters().Find")
	}
	var titles []string
	var values [][]float64
	for k, c := range contrastColumns(d) {
		if c.texts == nil && (k >= d.Dim() || d.Image == (data.Image{})) {
			titles, values = append(titles, c.name), append(values, c.numbers)
		}
	}
	return contrast.Names(values, titles, found.of, found.Count()), nil
}
