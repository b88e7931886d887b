package ssdrnb

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/contrast"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// guardRegions is the largest number of random regions of an embedding with which a group is
// compared.
const guardRegions = 100

// Difference is a row of a [ContrastTable]. It compares a group of samples with others in one
// feature, or in one value of an attribute.
type Difference struct {
	// Name is the name of the feature or attribute. Value is the compared value of a text
	// attribute. Value is "" for numbers, and if Missing is true.
	Name, Value string
	// Missing is true if the row compares the shares of missing values. Delta is then MissingIn −
	// MissingOut.
	Missing bool
	// Delta is Cliff's δ: −1 if all values in the group are lower, 1 if all are higher. For a text
	// value, Delta is the share in the group minus the share outside. Delta is NaN if either side
	// has no values.
	Delta float64
	// SE is the standard error of Delta under the assumption that the groups do not differ. It is
	// used only for ranking.
	SE float64
	// MedianIn and MedianOut are the medians inside and outside the group, in the original units,
	// or in days since 1970-01-01 if Date is set. For a text value, or if Missing is true, they are
	// shares of samples.
	MedianIn, MedianOut float64
	Date                bool
	// Standardized is the mean in the group minus the mean outside, divided by the standard
	// deviation of all compared values. It is NaN for a text value, and if Missing is true.
	Standardized float64
	// MissingIn and MissingOut are the shares of samples without a value, inside and outside the
	// group.
	MissingIn, MissingOut float64
	// Usual is the 90 % quantile of |Delta| over random regions of the embedding. It is NaN unless
	// [ContrastTable.In] was called. Unusual is true if |Delta| exceeds Usual.
	Usual   float64
	Unusual bool
	// InPicture is set by [ContrastTable.In]. It is true for features from which the embedding was
	// computed, and for attributes from which such features were made. Their differences follow
	// from the selection of the group in the embedding and are not findings.
	InPicture bool
}

// Label returns the name of the feature or attribute, followed by Value, or by "missing" if Missing
// is true.
func (r Difference) Label() string {
	switch {
	case r.Missing:
		return r.Name + " missing"
	case r.Value != "":
		return r.Name + " " + r.Value
	}
	return r.Name
}

// Medians formats MedianIn and MedianOut: dates as dates, shares in per cent. Numbers are rounded to
// four significant digits, or to integers if these have more digits. They get up to 12 significant
// digits if different medians would look equal.
func (r Difference) Medians() (in, out string) {
	switch {
	case r.Missing || r.Value != "":
		return fmt.Sprintf("%.0f %%", 100*r.MedianIn), fmt.Sprintf("%.0f %%", 100*r.MedianOut)
	case r.Date:
		return quantity(r.MedianIn, true), quantity(r.MedianOut, true)
	}
	digits := max(precision(r.MedianIn), precision(r.MedianOut))
	for {
		in, out = digitsOf(r.MedianIn, digits), digitsOf(r.MedianOut, digits)
		if in != out || r.MedianIn == r.MedianOut || digits >= 12 {
			return in, out
		}
		digits++
	}
}

// precision returns the number of significant digits with which a median is written: four, or the
// number of digits before the decimal point if this is larger, but at most 15.
func precision(v float64) int {
	if math.IsNaN(v) || math.Abs(v) < 1 {
		return 4
	}
	return max(4, min(int(math.Floor(math.Log10(math.Abs(v))))+1, 15))
}

// digitsOf formats v with the given number of significant digits, without an exponent unless v is
// very large or very small.
func digitsOf(v float64, digits int) string {
	v = rounded(v, digits) + 0 // without the sign of −0
	if size := math.Abs(v); size >= 1e4 && size < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// rounded returns v with the given number of significant digits.
func rounded(v float64, digits int) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil { // above the largest number
		return v
	}
	return out
}

// ContrastTable lists the differences between a group and other samples, largest first. It is
// immutable and safe for concurrent use.
type ContrastTable struct {
	data         *data.Data
	in, out      []int
	givenOthers  bool // the group is compared with given samples instead of all others
	rows         []contrastRow
	usualLargest float64
	skipped      []string // names of attributes that are not compared, because all their values differ
	err          error
}

// contrastRow is a row of the table. column is the index of the compared column in the result of
// contrastFeatures, and value is the index of the compared text among the distinct texts of the
// column.
type contrastRow struct {
	Difference
	column, value int
	feature       bool // the column is a feature, or an attribute from which a feature was made
	place         int  // index of the feature, −1 for attributes
}

// Contrast compares the samples whose indices are in rows with all other samples of d, for each
// feature and attribute. Features, and attributes whose texts are all numbers or all ISO dates, are
// compared by Cliff's δ from mid-ranks. Other attributes are compared by the share of samples with
// each text. If a feature was made from an attribute, as in data read from tables, only the
// attribute is compared. For data given as sparse rows, by distances or by neighbours, only the
// attributes are compared. Scaling does not change the result.
//
// Source: Cliff, "Dominance statistics", Psychological Bulletin 1993.
//
// There are no p-values: a group that was selected in an embedding of the features always differs
// from the rest in these features, even if the data have no groups. [ContrastTable.In] compares the
// group with other regions of the embedding.
//
// Cost: O(nD log n) for n samples and D features. Fails: a group in the middle of the range of a
// feature has δ near 0, and related features repeat the same difference.
//
// [ContrastTable.Err] returns an error if d is nil or invalid, if d has neither dense features nor
// attributes, or if rows is empty, contains all samples, repeats a value, or has a value outside 0
// to n−1.
func Contrast(d *data.Data, rows []int) *ContrastTable {
	t := &ContrastTable{data: d, in: slices.Clone(rows), usualLargest: math.NaN()}
	if d == nil {
		t.err = contrastFault("data", nil, fmt.Errorf("%w: the data are nil", ErrData), "pass data from NewData or package datasets")
		return t
	}
	if err := cmp.Or(d.Err(), d.Validate()); err != nil {
		t.err = contrastFault("data", nil, classify(err), remedyOf(err))
		return t
	}
	if d.Len() < 2 {
		t.err = contrastFault("data", nil, fmt.Errorf("%w: the data have one sample, so there are no others to compare", ErrData), "give at least two samples")
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
		t.err = contrastFault("rows", len(rows), fmt.Errorf("%w: the group contains all samples, so there are no others to compare", ErrOption), "leave at least one sample outside the group")
		return t
	}
	return t.compare()
}

func contrastFault(param string, value any, err error, remedy string) error {
	return &Error{Method: "Contrast", Param: param, Value: value, Err: err, Remedy: remedy}
}

// membersOf returns a slice of length n that is true at the indices in rows. Errors give param as
// the name of the argument.
func membersOf(param string, rows []int, n int) ([]bool, error) {
	if len(rows) == 0 {
		return nil, contrastFault(param, nil, fmt.Errorf("%w: the group is empty", ErrOption), "give at least one row")
	}
	in := make([]bool, n)
	for _, i := range rows {
		switch {
		case i < 0 || i >= n:
			return nil, contrastFault(param, i, fmt.Errorf("%w: the data have %s", ErrOption, nouns.Count(n, "sample")), fmt.Sprintf("give rows from 0 to %d", n-1))
		case in[i]:
			return nil, contrastFault(param, i, fmt.Errorf("%w: the row is given twice", ErrOption), "give each row once, for example with slices.Compact on the sorted rows")
		}
		in[i] = true
	}
	return in, nil
}

// Against compares the group with the samples whose indices are in the argument others, instead of
// all samples outside the group. [ContrastTable.Err] returns an error if others is empty, repeats a
// value, has a value outside 0 to n−1, or contains a sample of the group.
func (t *ContrastTable) Against(others []int) *ContrastTable {
	if t.err != nil {
		return t
	}
	c := &ContrastTable{data: t.data, in: t.in, out: slices.Clone(others), givenOthers: true, usualLargest: math.NaN()}
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
		c.err = contrastFault("others", nil, fmt.Errorf("%w: %s in both groups", ErrOption, nouns.Number(both, "sample is", "samples are")), "remove "+nouns.Form(both, "it", "them")+" from one of the groups")
		return c
	}
	return c.compare()
}

// sameFeatures reports whether two data sets have the same dense features. If either has none, it
// reports whether both share the same distances, neighbours or sparse rows.
func sameFeatures(a, b *data.Data) bool {
	if a.X == nil || b.X == nil {
		return a.X == b.X && a.Distances == b.Distances && a.Nearest == b.Nearest && a.Rows == b.Rows
	}
	return mat.Equal(a.X, b.X)
}

func (t *ContrastTable) compare() *ContrastTable {
	features := contrastFeatures(t.data)
	if t.err = nothingToCompare("Contrast", features); t.err != nil {
		return t
	}
	rows := append(slices.Clone(t.in), t.out...)
	of := slices.Repeat([]int{-1}, len(rows))
	clear(of[:len(t.in)])
	results := contrast.Compare(contrast.Subset(features, rows), contrast.GroupsOf(of, 1))
	t.tabulate(features, results, 0)
	return t
}

// tabulate fills the rows of the table. The argument `results` has one element per feature, with
// the differences of one or more groups; g is the index of the table's group among these groups.
func (t *ContrastTable) tabulate(features []contrast.Feature, results []contrast.Result, g int) {
	nan := math.NaN()
	for k, f := range features {
		r := &results[k]
		row := Difference{Name: f.Title, Standardized: nan, MissingIn: r.MissingIn[g], MissingOut: r.MissingOut[g], Usual: nan}
		if f.Texts == nil {
			e, row := r.Effects[g], row
			row.Date = f.Date
			row.Delta, row.SE, row.MedianIn, row.MedianOut, row.Standardized = e.Delta, e.SE, e.MedianIn, e.MedianOut, e.Standardized
			t.rows = append(t.rows, contrastRow{row, k, 0, f.Feature, f.Place})
		} else {
			if r.Identifier {
				t.skipped = append(t.skipped, f.Title)
			}
			for _, v := range r.Values[g] {
				row := row
				row.Value, row.Delta, row.SE, row.MedianIn, row.MedianOut = v.Value, v.Delta, v.SE, v.ShareIn, v.ShareOut
				t.rows = append(t.rows, contrastRow{row, k, v.Number, f.Feature, f.Place})
			}
		}
		m, n := float64(len(t.in)), float64(len(t.out))
		row.Missing, row.Delta, row.SE, row.MedianIn, row.MedianOut = true, row.MissingIn-row.MissingOut, math.Sqrt((m+n+1)/(3*m*n)), row.MissingIn, row.MissingOut
		if contrast.Score(row.Delta, row.SE) > 0 {
			t.rows = append(t.rows, contrastRow{row, k, 0, f.Feature, f.Place})
		}
	}
	slices.SortStableFunc(t.rows, func(a, b contrastRow) int {
		return cmp.Compare(contrast.Score(b.Delta, b.SE), contrast.Score(a.Delta, a.SE))
	})
}

// In adds a comparison with up to 100 random regions of the embedding of m. Each region has as many
// samples as the group and surrounds a sample drawn with the seed of the data. [Difference.Usual]
// is the 90 % quantile of |δ| over the regions. After [ContrastTable.Against], regions are drawn in
// disjoint pairs, one region for each group. The table also marks the features from which the
// embedding was computed, see [Difference.InPicture]. If m is nil or was fitted to other samples or
// features, [ContrastTable.Err] returns an error.
func (t *ContrastTable) In(m *Model) *ContrastTable {
	if t.err != nil {
		return t
	}
	c := *t
	in, err := areaOf("Contrast", t.data, m)
	if err != nil {
		c.err = err
		return &c
	}
	regions := in.regions(len(t.in))
	features := contrastFeatures(t.data)
	if t.givenOthers {
		others := regions.Apart(in.y, len(t.out), in.centres)
		each := make([][]float64, len(t.rows))
		par.Blocks(len(t.rows), 1, func(lo, hi int) {
			for k := lo; k < hi; k++ {
				each[k] = contrast.NewColumn(indicated(features[t.rows[k].column], t.rows[k].Difference)).Between(regions, others)
			}
		})
		return c.judged(len(in.centres), func(k int) []float64 { return each[k] })
	}
	return c.judgedBy(contrast.Regional(features, regions), 0, len(in.centres))
}

// area is the embedding in which random regions are drawn, with the indices of the samples at their
// centres.
type area struct {
	y       *mat.Dense
	centres []int
}

// areaOf returns the embedding of m and the centres of its regions, drawn with the seed of d. It is
// an error if m is nil or was fitted to samples or features other than those of d.
func areaOf(method string, d *data.Data, m *Model) (*area, error) {
	fault := func(value any, err error, remedy string) (*area, error) {
		return nil, &Error{Method: method, Param: "model", Value: value, Err: err, Remedy: remedy}
	}
	if m == nil {
		return fault(nil, fmt.Errorf("%w: the model is nil", ErrOption), "give a fitted model of the data")
	}
	y, n := m.Embedding(), d.Len()
	if got, _ := y.Dims(); got != n || !sameFeatures(m.Data(), d) {
		return fault(m.Method(), fmt.Errorf("%w: the model was fitted to other samples or features", ErrOption), "compare groups of m.Data(), or fit the model to these data")
	}
	return &area{y, centersOf(d)}, nil
}

func (p *area) regions(sizes ...int) *contrast.Regions {
	return contrast.NewRegions(p.y, sizes, p.centres)
}

// judgedBy is like judged, but takes δ from the argument `chance`: chance[k] contains δ of the
// random regions for column k and all region sizes. The argument `size` is the index of the region
// size to use.
func (t *ContrastTable) judgedBy(chance []contrast.Chance, size, regions int) *ContrastTable {
	return t.judged(regions, func(k int) []float64 {
		r, c := t.rows[k], chance[t.rows[k].column]
		switch {
		case r.Missing:
			return slices.Clone(c.Gaps[size])
		case c.Values != nil:
			return slices.Clone(c.Values[r.value][size])
		}
		return slices.Clone(c.Deltas[size])
	})
}

// judged returns a copy of the table in which the results of [ContrastTable.In] are set. The
// callback `deltas` returns δ of each region for a row of the table. The argument `regions` is the
// number of regions.
func (t *ContrastTable) judged(regions int, deltas func(row int) []float64) *ContrastTable {
	c := *t
	if len(t.rows) == 0 { // no largest |δ|
		return &c
	}
	c.rows = slices.Clone(t.rows)
	largest := make([]float64, regions)
	for k := range c.rows {
		each := deltas(k)
		for b, v := range each {
			if !math.IsNaN(v) {
				largest[b] = max(largest[b], math.Abs(v))
			}
		}
		r := &c.rows[k]
		r.Usual = contrast.Usual(each)
		r.Unusual = contrast.Unusual(r.Delta, r.Usual)
		r.InPicture = r.feature
	}
	c.usualLargest = contrast.Usual(largest)
	return &c
}

// indicated returns the numbers from which δ is computed, one for each sample: the values of the
// feature f, or 1 and 0 for samples with and without the compared category, or with and without a
// missing value.
func indicated(f contrast.Feature, r Difference) []float64 {
	if f.Texts == nil && !r.Missing {
		return f.Numbers
	}
	out := make([]float64, max(len(f.Numbers), len(f.Texts)))
	for i := range out {
		gap := f.Texts == nil && math.IsNaN(f.Numbers[i]) || f.Texts != nil && f.Texts[i] == ""
		switch {
		case r.Missing && gap || !r.Missing && !gap && f.Texts[i] == r.Value:
			out[i] = 1
		case !r.Missing && gap:
			out[i] = math.NaN()
		}
	}
	return out
}

// Err returns the first error of the calls so far, or nil.
func (t *ContrastTable) Err() error { return t.err }

// Data returns the compared samples.
func (t *ContrastTable) Data() *data.Data { return t.data }

// Groups returns the rows of the group and the rows to which it is compared.
func (t *ContrastTable) Groups() (in, out []int) { return slices.Clone(t.in), slices.Clone(t.out) }

// Features returns δ of each feature of the data: NaN if either side has no values, or if the
// feature is compared as an attribute. If the rows of the data are images, the result has the same
// layout.
func (t *ContrastTable) Features() []float64 {
	out := make([]float64, t.data.Dim())
	for k := range out {
		out[k] = math.NaN()
	}
	for _, r := range t.rows {
		if r.place >= 0 && !r.Missing {
			out[r.place] = r.Delta
		}
	}
	return out
}

// Rows returns the differences in descending order of |δ| − SE.
func (t *ContrastTable) Rows() []Difference { return t.Top(len(t.rows)) }

// Top returns the first n rows, or all if there are fewer.
func (t *ContrastTable) Top(n int) []Difference {
	out := make([]Difference, min(max(n, 0), len(t.rows)))
	for k := range out {
		out[k] = t.rows[k].Difference
	}
	return out
}

// UsualLargest returns the 90 % quantile, over random regions of the embedding, of the largest |δ|
// of any row. It is NaN unless [ContrastTable.In] was called.
func (t *ContrastTable) UsualLargest() float64 { return t.usualLargest }

// String lists the ten largest differences, or returns the error. After [ContrastTable.In], each
// row also shows [Difference.Usual]. The row adds "exceeded here" if |δ| exceeds this value, and
// "not in the embedding" for attributes from which no feature was made.
func (t *ContrastTable) String() string {
	if t.err != nil {
		return t.err.Error() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s against %s\n", nouns.Count(len(t.in), "sample"), nouns.Count(len(t.out), "sample"))
	if !math.IsNaN(t.usualLargest) {
		fmt.Fprintf(&b, "in nine of ten random regions of this size, the largest |δ| is below %.2f\n", t.usualLargest)
	}
	for _, r := range t.Top(10) {
		what := "median"
		if r.Missing || r.Value != "" {
			what = "share"
		}
		in, out := r.Medians()
		fmt.Fprintf(&b, "  %-30s δ %+.2f  %s %s against %s", r.Label(), r.Delta, what, in, out)
		if !math.IsNaN(r.Usual) {
			fmt.Fprintf(&b, "; in 90 %% of random regions |δ| is below %.2f", r.Usual)
			if r.Unusual {
				b.WriteString(", exceeded here")
			}
			if !r.InPicture {
				b.WriteString(", not in the embedding")
			}
		}
		b.WriteString("\n")
	}
	b.WriteString(attributesAlone(t.data))
	if len(t.skipped) > 0 {
		fmt.Fprintf(&b, "not compared, because every sample has a value of its own: %s\n", strings.Join(t.skipped, ", "))
	}
	return b.String()
}

// Names returns a short name for each cluster, such as "proline high, flavanoids high" or "origin
// Japan". The name lists at most two features or attributes, those in which the cluster differs
// most from all other samples; redundant ones (Spearman correlation above 0.8 in magnitude) are
// skipped. Clusters with equal names get a third feature or attribute, and if their names are still
// equal, the number of the cluster. If no difference is large (|δ| ≥ 0.474), the name is the three
// most typical words of a text attribute, see [Words]. If there are no such words, the name consists
// of "cluster" and the number of the cluster, as in "cluster 3". Pixels of images are not used.
//
// The argument `found` must be a grouping of the samples of d, otherwise the error wraps
// [ErrOption]. If d is nil or invalid, it wraps [ErrData].
func Names(d *data.Data, found *Grouping) ([]string, error) {
	if err := checkGroups("Names", d, found); err != nil {
		return nil, err
	}
	all := contrastFeatures(found.withoutAttribute(d))
	features := withoutPixels(d, all, all)
	groups := contrast.GroupsOf(found.cluster, found.Count())
	return contrast.Names(features, contrast.Compare(features, groups), groups), nil
}
