package datasets

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Missing is the treatment of gaps among the features of a table. It is recorded in the Notes of
// the data.
type Missing string

// The treatments of gaps.
const (
	Mean   Missing = "mean"   // fills gaps with the mean of the other values in the column
	Median Missing = "median" // fills gaps with the median of the other values in the column
	// MostFrequent fills gaps with the most frequent value of the column, the smallest in a tie.
	MostFrequent Missing = "most frequent"
	// Nearest fills a gap with the mean of the 5 nearest samples that have a value in the column.
	Nearest Missing = "nearest"
	// Indicator fills gaps as Mean does, and adds a feature that is 1 at the gaps and 0 elsewhere.
	Indicator Missing = "indicator"
	Drop      Missing = "drop" // leaves out samples with gaps
)

// valid reports whether m is one of the constants of type Missing, or "", which means the default.
func (m Missing) valid() bool {
	return slices.Contains([]Missing{"", Mean, Median, MostFrequent, Nearest, Indicator, Drop}, m)
}

// DataOption sets how [Table.Data] uses columns.
type DataOption func(*dataOptions)

type dataOptions struct {
	label                                  string
	targets, features, attributes, without []string
	fill                                   Missing
	raw                                    bool
	twice                                  string // error text if an option is given with two different values
}

// setOnce sets an option. If the option already has another value, setOnce records an error in
// o.twice.
func setOnce[T ~string](o *dataOptions, option string, to *T, value T) {
	if *to != "" && *to != value {
		o.twice = fmt.Sprintf("%s(%q) and %s(%q) contradict each other", option, *to, option, value)
	}
	*to = value
}

// Label names the column that contains the class. Samples with a gap in this column are unlabelled.
// If the classes are whole numbers, -1 also means unlabelled. The exception is a column in which -1
// and 1 are the only numbers.
func Label(column string) DataOption {
	return func(o *dataOptions) { setOnce(o, "Label", &o.label, column) }
}

// Target names a column with a measured value that is known for some rows, see
// [data.Data.WithTarget]. The target is not a feature, but it is kept as an attribute too. Gaps in
// the target are unknown values. If Target is given several times, methods use the first target. A
// column without numbers becomes an attribute, but not a target.
func Target(column string) DataOption {
	return func(o *dataOptions) { o.targets = append(o.targets, column) }
}

// Features names the columns that are features. Columns that no option names become attributes.
// Without this option, columns of numbers, booleans and dates are features, and so are columns of
// at most 100 categories.
func Features(columns ...string) DataOption {
	return func(o *dataOptions) { o.features = append(o.features, columns...) }
}

// Attributes names columns that become text attributes of the samples, and not features.
func Attributes(columns ...string) DataOption {
	return func(o *dataOptions) { o.attributes = append(o.attributes, columns...) }
}

// Without names columns to ignore.
func Without(columns ...string) DataOption {
	return func(o *dataOptions) { o.without = append(o.without, columns...) }
}

// Fill sets the treatment of gaps among the features. The default is [Median]. A gap in a column of
// categories belongs to no category, unless the treatment is [MostFrequent] or [Drop].
func Fill(m Missing) DataOption { return func(o *dataOptions) { setOnce(o, "Fill", &o.fill, m) } }

// Unscaled keeps the units of numbers. Without this option, [Table.Data] standardises numbers if
// there are categories.
func Unscaled() DataOption { return func(o *dataOptions) { o.raw = true } }

// maxOneHot is the largest number of categories in a column that is a feature by default.
const maxOneHot = 100

// Data converts the rows of a table to samples. To convert the rows of another table to the same
// features, for example for the method Transform of a model, use [Table.DataLike]. Without options,
// columns of numbers, booleans and dates are features, and so are columns of at most 100
// categories. Other columns with values are attributes.
//
// A column of categories becomes a block of features, one for each category. The block is scaled to
// a total variance of 1, and numbers, booleans and dates are standardised (see [Unscaled]), so that
// a block has the same weight as a number. A table without categories keeps its units. Dates are
// days since 1970-01-01. The texts of categories, booleans and dates are also kept as attributes,
// and so are columns of numbers with filled gaps. The attribute of such a column is "" at each gap,
// which distinguishes filled values from measured ones. Each decision is recorded in the Notes of
// the data.
func (t *Table) Data(options ...DataOption) (*data.Data, error) {
	o, err := newDataOptions(t.name, options)
	if err != nil {
		return nil, err
	}
	p, err := o.plan(t)
	if err != nil {
		return nil, err
	}
	return t.samples(t.name, p, files.NewBudget())
}

// newDataOptions applies the options. It returns an error if they are invalid.
func newDataOptions(file string, options []DataOption) (*dataOptions, error) {
	var o dataOptions
	for _, f := range options {
		if f != nil {
			f(&o)
		}
	}
	if o.twice != "" {
		return nil, advice.With("give it once", bad(ErrFormat, file, "Data: %s", o.twice))
	}
	if !o.fill.valid() {
		return nil, advice.With("give Mean, Median, MostFrequent, Nearest, Indicator or Drop", bad(ErrFormat, file, "Fill(%q) is not a treatment of gaps", o.fill))
	}
	return &o, nil
}

// plan determines the use of each column.
func (o *dataOptions) plan(t *Table) (*plan, error) {
	p := &plan{label: -1, missing: cmp.Or(o.fill, Median), bare: !t.hasNames(), encode: true, raw: o.raw}
	part := make([]string, len(t.columns))
	set := func(option string, names ...string) error {
		for _, name := range names {
			j, err := t.Find(name)
			if err != nil {
				return fmt.Errorf("%s: %w", option, err)
			}
			if part[j] != "" && part[j] != option {
				return advice.With("list it in only one of them", bad(ErrFormat, t.name, "column %s is in %s and in %s", t.quoted(j), part[j], option))
			}
			part[j] = option
		}
		return nil
	}
	if o.label != "" {
		if err := set("Label", o.label); err != nil {
			return nil, err
		}
	}
	for _, s := range []struct {
		option string
		names  []string
	}{{"Target", o.targets}, {"Features", o.features}, {"Attributes", o.attributes}, {"Without", o.without}} {
		if err := set(s.option, s.names...); err != nil {
			return nil, err
		}
	}
	for j := range t.columns {
		c := &t.columns[j]
		switch part[j] {
		case "Label":
			p.label = j
			p.unknown = nil
			continue
		case "Target":
			p.attributes = append(p.attributes, j)
			if !t.measured(j) {
				p.note("column %s is the target, but holds no numbers (%s): it is an attribute, not a feature", t.quoted(j), c.typ)
			}
			continue
		case "Attributes":
			p.attributes = append(p.attributes, j)
			continue
		case "Without":
			continue
		case "Features":
			switch {
			case c.gaps == len(t.rows):
				return nil, advice.With("remove it from Features", bad(ErrFormat, t.name, "Features: column %s has no values", t.quoted(j)))
			case c.typ == Text || c.typ == Identifier && c.values == nil:
				return nil, advice.With(fmt.Sprintf("read the table with Column(%q).As(Category) if its texts are categories", t.columnName(j)),
					bad(ErrFormat, t.name, "Features: column %s is %s with %s", t.quoted(j), c.typ, nouns.Count(c.distinct, "different value")))
			}
			p.features = append(p.features, j)
			continue
		}
		switch {
		case c.gaps == len(t.rows):
			p.note("column %s has no values and was dropped", t.quoted(j))
		case o.features != nil:
			p.attributes = append(p.attributes, j)
		case c.typ == Text || c.typ == Identifier:
			p.attributes = append(p.attributes, j)
			p.note("column %s (%s) is an attribute, not a feature", t.quoted(j), c.typ)
		case c.typ == Category && len(c.levels) > maxOneHot:
			p.attributes = append(p.attributes, j)
			p.note("column %s has %d categories and is therefore an attribute; make it a feature with Features", t.quoted(j), len(c.levels))
		default:
			if c.counts {
				p.note("column %s contains row numbers; if it is only an index, drop it with Without(%q)", t.quoted(j), t.columnName(j))
			}
			p.features = append(p.features, j)
		}
	}
	for _, name := range o.targets {
		if j, _ := t.Find(name); t.measured(j) && !slices.Contains(p.targets, j) {
			p.targets = append(p.targets, j)
			p.note("column %s is a target, not a feature: known for %d of %s", t.quoted(j), len(t.rows)-t.columns[j].gaps, nouns.Count(len(t.rows), "row"))
		}
	}
	if len(p.features) == 0 {
		remedy := "read columns as numbers or categories, for example with Column(name).As(Category), or name other Features"
		if !slices.Contains(part, "") {
			remedy = "give a table with more columns, or list fewer columns in the options"
		}
		return nil, advice.With(remedy, bad(ErrFormat, t.name, "no column can be a feature"))
	}
	return p, nil
}

// measured reports whether a column can be a target: it contains numbers, booleans or dates. A
// column of gaps can be the unknown target of a test set.
func (t *Table) measured(j int) bool {
	switch c := &t.columns[j]; c.typ {
	case Number, Integer, Boolean, Date:
		return true
	case Identifier: // an identifier may consist of distinct whole numbers
		return c.values != nil
	default:
		return c.gaps == len(t.rows)
	}
}

// plan is the use of each column of a table.
type plan struct {
	label      int      // index of the class column, −1 for none
	targets    []int    // indices of the target columns; methods use the first
	unknown    []string // texts of unknown classes; nil means all gap markers
	features   []int
	attributes []int
	missing    Missing
	encode     bool // whether categories and dates can be features with their texts as attributes; false for [ReadCSV]
	raw        bool // numbers keep their units, see [Unscaled]
	bare       bool // the file has no header
	notes      []string
}

func (p *plan) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// samples converts the table to data according to a plan.
func (t *Table) samples(file string, p *plan, budget *files.Budget) (*data.Data, error) {
	rows := t.withoutGaps(p)
	if len(rows) == 0 {
		return nil, advice.With("fill the gaps with Mean or Median", bad(ErrFormat, file, "every sample has gaps"))
	}
	if dropped := len(t.rows) - len(rows); dropped > 0 {
		p.note("%s with gaps dropped", nouns.Count(dropped, "sample"))
	}
	width := 0
	mixed := false
	for _, j := range p.features {
		switch c := &t.columns[j]; {
		case c.typ == Category:
			width += len(c.levels)
			mixed = true
		case p.missing == Indicator && c.gaps > 0:
			width += 2
		default:
			width++
		}
	}
	if _, err := budget.TakeArray([]int{len(rows), width}); err != nil {
		return nil, tooLarge(file, err)
	}
	x := mat.NewDense(len(rows), width, nil)
	names, numbers, blocks, err := t.features(file, p, rows, x)
	if err != nil {
		return nil, err
	}
	if p.encode && !mixed && len(numbers) > 1 && spreadApart(x, numbers) {
		p.note("the features have very different spreads; Standardize() weighs them equally")
	}
	d := data.New(x, nil)
	if p.label >= 0 {
		labels, classes := t.classes(p, rows)
		d = data.New(x, labels)
		d.ClassNames = classes
	}
	for _, j := range p.targets {
		values := make([]float64, len(rows))
		for k, i := range rows {
			if values[k] = math.NaN(); t.columns[j].values != nil {
				values[k] = t.columns[j].values[i]
			}
		}
		d.Targets = append(d.Targets, data.Target{Name: t.columnName(j), Values: values})
	}
	d.Name = baseName(file)
	if !p.bare || mixed { // the features of a category need names, such as "3 = red"
		d.FeatureNames = names
	}
	attributes, err := t.attributes(p, rows, mixed, d, budget)
	if err != nil {
		return nil, tooLarge(file, err)
	}
	d.Attributes = attributes
	d.Notes = slices.Concat(t.notes, t.notesOf(slices.Concat(p.features, p.targets)), p.notes)
	if d.Err() == nil {
		if err := d.Validate(); err != nil { // the values or names of the targets may be invalid
			return nil, err
		}
	}
	if mixed {
		d = d.Scaled(scalingOf(x, numbers, blocks, p.raw))
	}
	return d, d.Err()
}

// attributes returns the text attributes of the rows: the columns that the plan names, and the
// features whose texts cannot be restored from their numbers. If there are categories, these are
// all features. Otherwise, they are the dates, booleans and columns with filled gaps; for
// [ReadCSV], only the columns with filled gaps. A gap is "" in the attribute.
func (t *Table) attributes(p *plan, rows []int, mixed bool, d *data.Data, budget *files.Budget) ([]data.Attribute, error) {
	names := map[int]string{}
	kept := slices.Clone(p.attributes)
	for _, j := range p.attributes {
		names[j] = t.columnName(j)
	}
	// unmarked counts the columns with filled gaps whose texts would need too much memory.
	unmarked := 0
	for k, j := range p.features {
		filled := t.columns[j].gaps > 0 && slices.ContainsFunc(rows, func(i int) bool { return t.Gap(i, j) })
		switch c := &t.columns[j]; {
		case p.encode && (mixed || c.typ == Date || c.typ == Boolean):
		case !filled:
			continue
		case int64(len(rows))*textCost > budget.Left()/4:
			unmarked++
			continue
		}
		if names[j] = t.columnName(j); d.FeatureNames == nil && filled {
			names[j] = d.FeatureName(k) // FeatureNames is nil only if there are no categories; feature k of d is then column j
		}
		kept = append(kept, j)
	}
	if unmarked > 0 {
		p.note("the filled gaps of %s are not marked, because the texts of these columns would take up much of the memory allowed by the read limit", nouns.Count(unmarked, "column"))
	}
	if p.encode {
		slices.Sort(kept)
	}
	var out []data.Attribute
	for _, j := range kept {
		used := slices.Contains(p.features, j) || slices.Contains(p.targets, j)
		values := make([]string, len(rows))
		for k, i := range rows {
			b := t.grid.text(t.rows[i], j)
			if err := budget.Take(int64(len(b)) + textCost); err != nil {
				return nil, err
			}
			// Gap markers become "", and so do texts in numeric features and targets.
			if !t.columns[j].isGap(b) && !(used && t.Gap(i, j)) {
				values[k] = t.plain(i, j, b)
			}
		}
		out = append(out, data.Attribute{Name: names[j], Values: values, MonthFirst: t.columns[j].monthFirst()})
	}
	return out, nil
}

// plain returns a cell in a form that other programs read. A number has a decimal point and no
// other marks, and a date begins with the year. Other cells are returned as in the file.
func (t *Table) plain(i, j int, b []byte) string {
	c, text := &t.columns[j], string(b)
	if c.values == nil || math.IsNaN(c.values[i]) {
		return text
	}
	switch v := c.values[i]; c.typ {
	case Number, Integer:
		if same, err := strconv.ParseFloat(text, 64); err != nil || same != v {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	case Date:
		if _, end := digitsAt(b, 0); end != 4 || len(b) < 8 || b[4] != '-' {
			return timeOf(v).Format(c.layout)
		}
	}
	return text
}

// scalingOf returns the scaling that gives a column of categories the same weight as a number. It
// divides feature k by blocks[k]: the standard deviation of its block of categories, or 1 for a
// number. Unless raw is true, it standardises the features listed in numbers.
func scalingOf(x *mat.Dense, numbers []int, blocks []float64, raw bool) data.Scaling {
	shift, note := make([]float64, len(blocks)), "each categorical column scaled to variance 1"
	if !raw && len(numbers) > 0 {
		for _, j := range numbers {
			shift[j], blocks[j] = moments(x, j)
		}
		note += fmt.Sprintf(", and %s standardised (mean 0, standard deviation 1); Unscaled() keeps their units", nouns.Count(len(numbers), "numeric column"))
	}
	return data.NewScaling(note, shift, blocks)
}

// countsRows is the beginning of the note on a column of row numbers. notesOf omits these notes,
// because a plan adds its own note on the use of the column.
const countsRows = "counts the rows"

// notesOf returns the notes on the given columns, except those on row numbers.
func (t *Table) notesOf(columns []int) []string {
	return t.columnNotes(columns, func(note string) bool { return !strings.HasPrefix(note, countsRows) })
}

// withoutGaps returns the rows that become samples: all rows or, if the treatment is [Drop], the
// rows without gaps.
func (t *Table) withoutGaps(p *plan) []int {
	rows := make([]int, 0, len(t.rows))
	for i := range t.rows {
		if p.missing == Drop && slices.ContainsFunc(p.features, func(j int) bool { return t.Gap(i, j) }) {
			continue
		}
		rows = append(rows, i)
	}
	return rows
}

// features fills x with the features of a plan. It returns their names, the indices of the numeric
// features, and for each feature the standard deviation of its block of categories, or 1 for a
// number.
func (t *Table) features(file string, p *plan, rows []int, x *mat.Dense) (names []string, numbers []int, blocks []float64, err error) {
	_, width := x.Dims()
	blocks = slices.Repeat([]float64{1}, width)
	type indicator struct {
		at     int
		column int
	}
	var indicators []indicator
	at := 0
	for _, j := range p.features {
		c := &t.columns[j]
		if c.typ == Category {
			began, deviation := at, 0.0
			at, deviation = t.oneHot(p, rows, x, j, at, &names)
			for k := began; k < at && deviation > 0; k++ {
				blocks[k] = deviation
			}
			continue
		}
		for k, i := range rows {
			x.Set(k, at, c.values[i])
		}
		switch {
		case c.typ == Date:
			p.note("column %s: dates as days since 1970-01-01", t.quoted(j))
		case c.typ == Boolean && p.encode:
			p.note("column %s: false is 0, true is 1", t.quoted(j))
		}
		if c.gaps > 0 {
			indicators = append(indicators, indicator{at, j})
		}
		names, numbers = append(names, t.columnName(j)), append(numbers, at)
		at++
	}
	if p.missing == Indicator {
		for _, g := range indicators {
			for k := range rows {
				if v := x.At(k, g.at); v != v {
					x.Set(k, at, 1)
				}
			}
			names = append(names, t.columnName(g.column)+" is missing")
			numbers = append(numbers, at)
			at++
		}
	}
	return names, numbers, blocks, fill(file, p, x, numbers)
}

// oneHot writes the block of table column j to the columns of x with the indices from `at` to
// end − 1: one column of zeros and ones for each category. It appends the names of these features
// to *names. deviation is the standard deviation of the whole block: the square root of the sum of
// its variances.
func (t *Table) oneHot(p *plan, rows []int, x *mat.Dense, j, at int, names *[]string) (end int, deviation float64) {
	c := &t.columns[j]
	place := make(map[string]int, len(c.levels))
	counts := make([]int, len(c.levels))
	for k, level := range c.levels {
		place[level] = k
		*names = append(*names, t.columnName(j)+" = "+level)
	}
	codes := make([]int, len(rows))
	gaps := 0
	for k, i := range rows {
		b := t.grid.text(t.rows[i], j)
		codes[k] = -1
		if c.isGap(b) {
			gaps++
			continue
		}
		codes[k] = place[string(b)]
		counts[codes[k]]++
	}
	if gaps > 0 && p.missing == MostFrequent {
		most := 0
		for k := range counts {
			if counts[k] > counts[most] {
				most = k
			}
		}
		for k := range codes {
			if codes[k] < 0 {
				codes[k] = most
				counts[most]++
			}
		}
		p.note("column %s: %s filled with %q, the most frequent", t.quoted(j), nouns.Count(gaps, "gap"), c.levels[most])
	} else if gaps > 0 {
		p.note("column %s: %s to no category", t.quoted(j), nouns.Number(gaps, "gap belongs", "gaps belong"))
	}
	variance := 0.0
	for _, n := range counts {
		share := float64(n) / float64(len(rows))
		variance += share * (1 - share)
	}
	for k, code := range codes {
		if code >= 0 {
			x.Set(k, at+code, 1)
		}
	}
	p.note("column %s: categories as a block of %s", t.quoted(j), nouns.Count(len(c.levels), "feature"))
	return at + len(c.levels), math.Sqrt(variance)
}

// moments returns the mean and the standard deviation (divisor n) of column j of x.
func moments(x *mat.Dense, j int) (mean, deviation float64) {
	n, _ := x.Dims()
	for i := range n {
		mean += (x.At(i, j) - mean) / float64(i+1) // this update avoids overflow of the sum
	}
	most := 0.0
	for i := range n {
		most = max(most, math.Abs(x.At(i, j)-mean))
	}
	if most == 0 || math.IsInf(most, 0) {
		return mean, most
	}
	sum := 0.0
	for i := range n {
		v := (x.At(i, j) - mean) / most
		sum += v * v
	}
	return mean, most * math.Sqrt(sum/float64(n))
}

// spreadApart reports whether the standard deviations of columns differ by a factor of 10 or more.
// Constant columns are ignored.
func spreadApart(x *mat.Dense, columns []int) bool {
	low, high := math.Inf(1), 0.0
	for _, j := range columns {
		if _, s := moments(x, j); s > 0 {
			low, high = min(low, s), max(high, s)
		}
	}
	return high >= 10*low
}

// neighbours is the number of samples whose mean fills a gap if the treatment is Nearest.
// maxNearest bounds the number of comparisons between two values in this treatment.
const (
	neighbours = 5
	maxNearest = 2e10
)

// fill fills the gaps in the given columns of x and adds a note.
func fill(file string, p *plan, x *mat.Dense, columns []int) error {
	n, _ := x.Dims()
	filled := 0
	replace := make([]float64, len(columns))
	for k, j := range columns {
		known := knownOf(x, j)
		if len(known) == n || len(known) == 0 {
			continue
		}
		filled += n - len(known)
		replace[k] = typical(known, p.missing)
	}
	if filled == 0 {
		return nil
	}
	if p.missing == Nearest {
		if err := fillNearest(file, x, columns); err != nil {
			return err
		}
		p.note("%s filled with the mean of up to %d nearest samples", nouns.Count(filled, "gap"), neighbours)
		return nil
	}
	for k, j := range columns {
		for i := range n {
			if v := x.At(i, j); v != v {
				x.Set(i, j, replace[k])
			}
		}
	}
	by := map[Missing]string{Mean: "mean", Indicator: "mean", Median: "median", MostFrequent: "most frequent value"}[p.missing]
	p.note("%s filled with the column %s", nouns.Count(filled, "gap"), by)
	if p.missing == Indicator {
		p.note("features called “… is missing” mark the gaps")
	}
	return nil
}

// knownOf returns the values of a column that are not gaps.
func knownOf(x *mat.Dense, column int) []float64 {
	return slices.DeleteFunc(mat.Col(nil, column, x), math.IsNaN)
}

// typical returns the value that fills the gaps of a column. It sorts `known` in place.
func typical(known []float64, m Missing) float64 {
	switch m {
	case Median:
		slices.Sort(known)
		k := len(known) / 2
		if len(known)%2 == 1 {
			return known[k]
		}
		return known[k-1] + (known[k]-known[k-1])/2
	case MostFrequent:
		slices.Sort(known)
		best, top := known[0], 0
		for from := 0; from < len(known); {
			to := from + 1
			for to < len(known) && known[to] == known[from] {
				to++
			}
			if to-from > top {
				best, top = known[from], to-from
			}
			from = to
		}
		return best
	}
	mean := 0.0
	for k, v := range known {
		mean += (v - mean) / float64(k+1) // this update avoids overflow of the sum
	}
	return mean
}

// fillNearest fills each gap with the mean of the values of the nearest samples that have a value
// in this column. The distance of two samples is the mean squared difference of the standardised
// features that are known for both.
func fillNearest(file string, x *mat.Dense, columns []int) error {
	n, _ := x.Dims()
	z := mat.NewDense(n, len(columns), nil)
	gapped := 0
	middle := make([]float64, len(columns)) // column means
	for k, j := range columns {
		known := knownOf(x, j)
		mean, scale := 0.0, 1.0
		if len(known) > 0 {
			var s float64
			mean, s = moments(mat.NewDense(len(known), 1, known), 0)
			if s > 0 {
				scale = s
			}
		}
		middle[k] = mean
		for i := range n {
			z.Set(i, k, (x.At(i, j)-mean)/scale)
		}
	}
	isGapped := func(i int) bool {
		return slices.ContainsFunc(z.RawRowView(i), func(v float64) bool { return v != v })
	}
	for i := range n {
		if isGapped(i) {
			gapped++
		}
	}
	if work := float64(gapped) * float64(n) * float64(len(columns)); work > maxNearest {
		return advice.With("fill with Median, or drop these samples with Drop", bad(ErrUnsupported, file, "Nearest would take too long, because it would compare %d samples with gaps to all %d samples", gapped, n))
	}
	type near struct {
		row      int
		distance float64
	}
	// nearest[k] contains the nearest samples with a value in columns[k], sorted by distance.
	nearest := make([][]near, len(columns))
	filled := make([]float64, 0, len(columns))
	for i := range n {
		if !isGapped(i) {
			continue
		}
		row := z.RawRowView(i)
		for k := range nearest {
			nearest[k] = nearest[k][:0]
		}
		for o := range n {
			sum, both := 0.0, 0
			other := z.RawRowView(o)
			for k, a := range row {
				if b := other[k]; a == a && b == b {
					sum += (a - b) * (a - b)
					both++
				}
			}
			if o == i || both == 0 {
				continue
			}
			sum /= float64(both)
			for k, a := range row {
				if list := nearest[k]; a != a && other[k] == other[k] && (len(list) < neighbours || sum < list[len(list)-1].distance) {
					at := len(list)
					for at > 0 && sum < list[at-1].distance {
						at--
					}
					list = slices.Insert(list, at, near{o, sum})
					nearest[k] = list[:min(len(list), neighbours)]
				}
			}
		}
		filled = filled[:0]
		for k, j := range columns {
			mean := x.At(i, j)
			if mean != mean {
				mean = middle[k] // mean of the column, if no sample can fill the gap
				for f, o := range nearest[k] {
					if f == 0 {
						mean = 0
					}
					// Samples in nearest have no gap here, so this value was not filled.
					mean += (x.At(o.row, j) - mean) / float64(f+1)
				}
			}
			filled = append(filled, mean)
		}
		for k, j := range columns {
			x.Set(i, j, filled[k])
		}
	}
	return nil
}

// continuous is the largest number of distinct numbers that a class column may contain without a
// note. A column with more distinct numbers looks like a measurement.
const continuous = 20

// classes returns the label of each of the given rows, and the names of the classes. names is nil
// if the labels are the numbers in the file.
func (t *Table) classes(p *plan, rows []int) (labels []int, names []string) {
	c := &t.columns[p.label]
	number := map[string]int{} // number of each distinct text, in order of appearance
	var texts []string
	of := make([]int, len(rows))
	for k, i := range rows {
		b := t.grid.text(t.rows[i], p.label)
		at, seen := number[string(b)]
		if !seen {
			at = len(texts)
			texts = append(texts, string(b))
			number[texts[at]] = at
		}
		of[k] = at
	}
	unknown := func(s string) bool {
		if p.unknown == nil {
			return c.isGap([]byte(s))
		}
		return slices.Contains(p.unknown, s)
	}
	whole, decimal := true, false
	value := make([]int, len(texts))
	var minus, plus, other bool // whether known classes include -1, 1, or another number
	for k, s := range texts {
		value[k] = data.Unlabelled
		if unknown(s) {
			if s != "" && s != "?" && p.unknown == nil {
				p.note("samples of the class %q are unlabelled, because this text marks a gap", s)
			}
			continue
		}
		names = append(names, s)
		f, err := strconv.ParseFloat(s, 64)
		v := int(f)
		whole = whole && err == nil && f == float64(v) && v >= data.Unlabelled && v <= data.MaxLabel
		_, err = strconv.Atoi(s)
		decimal = decimal || err != nil
		minus, plus, other = minus || v == -1, plus || v == 1, other || v != -1 && v != 1
		value[k] = v
	}
	different := len(names)
	switch {
	case !whole, decimal && !minus: // a class such as "1.0" is a name and not a label
		var of map[string]string
		known := names
		names, of = classNames(known)
		place := make(map[string]int, len(names))
		for k, name := range names {
			place[name] = k
		}
		merged := ""
		for _, s := range known {
			value[number[s]] = place[of[s]]
			if of[s] != s && merged == "" {
				merged = s
			}
		}
		if merged != "" {
			p.note("the texts %q and %q are one class, because they are the same number", of[merged], merged)
		}
	case minus && plus && !other:
		for _, s := range names {
			value[number[s]] = (value[number[s]] + 1) / 2
		}
		names = []string{"-1", "1"}
		p.note("%s; if -1 means that the class is unknown, %s", twoSigns, p.reading("-1"))
	default:
		if minus {
			p.note("samples of the class -1 are unlabelled")
		}
		names = nil
	}
	labels = make([]int, len(rows))
	for k := range rows {
		labels[k] = value[of[k]]
	}
	if c.typ == Number && different > continuous {
		p.note("the class column %s has %d different numbers in %s and looks like a measurement, not a class; to colour figures by it, read the table with ReadTable and call Data(Target(%q))", t.quoted(p.label), different, nouns.Count(len(rows), "sample"), t.columnName(p.label))
	}
	if p.unknown != nil {
		for _, name := range names {
			if c.signs && isSigns([]byte(name)) {
				continue
			}
			if slices.Contains([]string{"na", "n/a", "nan", "null", "-"}, strings.ToLower(name)) || name != "" && isGap([]byte(name)) {
				p.note("%q is a class; if it means that the class is unknown, %s", name, p.reading(name))
			}
		}
	}
	for _, s := range texts {
		if !unknown(s) && slices.Contains(unknownClasses, strings.ToLower(s)) {
			p.note("%q is a class; if it means that the class is unknown, %s", s, p.reading(s))
		}
	}
	return labels, names
}

// unknownClasses lists texts that may mean an unknown class, but are not gap markers.
var unknownClasses = []string{"unknown", "unlabelled", "unlabeled", "unclassified", "undetermined", "not known", "unbekannt"}

// reading returns advice on how to read the table if the class with the given name means unknown.
func (p *plan) reading(name string) string {
	if p.unknown == nil {
		return fmt.Sprintf("read with Gaps(%q)", name)
	}
	return fmt.Sprintf("read with CSV{Unknown: %q}", name)
}

// classNames returns the sorted names of the classes, and the name of the class of each text. If
// all texts are numbers, texts of the same number, such as 1 and 1.0, are one class. Its name is
// the shortest of them.
func classNames(texts []string) (names []string, of map[string]string) {
	shortest := map[float64]string{}
	numbers := true
	for _, s := range texts {
		v, ok := exactNumber(s)
		numbers = numbers && ok
		if before, seen := shortest[v]; !seen || len(s) < len(before) {
			shortest[v] = s
		}
	}
	of = map[string]string{}
	for _, s := range texts {
		of[s] = s
		if v, _ := exactNumber(s); numbers {
			of[s] = shortest[v]
		}
		if of[s] == s {
			names = append(names, s)
		}
	}
	sortNames(names)
	return names, of
}

// exactNumber returns the number that the text of a class stands for. ok is false for texts that
// are not numbers, and for numbers so large that two different numbers may be rounded to one value.
func exactNumber(s string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && math.Abs(v) < 1<<53
}

// sortNames sorts class names. If all names are numbers, they are sorted by value. Otherwise digits
// within a name are compared as numbers: "category 2" comes before "category 10".
func sortNames(names []string) {
	value := map[string]float64{}
	numbers := true
	for _, name := range names {
		v, err := strconv.ParseFloat(name, 64)
		value[name] = v
		numbers = numbers && err == nil && !math.IsNaN(v)
	}
	slices.SortFunc(names, func(a, b string) int {
		if numbers && value[a] != value[b] {
			return cmp.Compare(value[a], value[b])
		}
		return data.CompareNames(a, b)
	})
}
