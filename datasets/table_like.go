package datasets

import (
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

// DataLike converts the rows of a table to samples with the same features as the training data,
// which come from [Table.Data], [ReadCSV] or a model. The result contains one sample for each row,
// in original units. The methods Transform, Predict and Score of a model fitted to the training
// data scale these samples as needed.
//
// Columns are found by name, in any order. If several columns share a name, their number and order
// must be as in the training data. A column without a name is found by its number. If the features
// of the training data have no names, all columns except those of [Label] and [Without] are
// features, in the order of the table. A column of categories becomes the same block of features as
// in the training data. A category that does not occur there is 0 in all of these features, and a
// note counts such cells. Dates and booleans become numbers as in the training data. If day and
// month are ambiguous, their order is that of the training data. A gap is filled with the number
// that filled the gaps of the training data. If the training data had no gaps in this column, or if
// several numbers filled them, the gap is filled with the median of the training data. Any other
// column becomes an attribute or a target if the training data have an attribute or a target of
// that name. Otherwise it is ignored, with a note.
//
// [Label] names a column with known classes, for scores. Its texts are the classes of the training
// data, and a sample of any other class is unlabelled. [Without] names columns to ignore without a
// note. Other options and missing columns give [ErrFormat]. So do gaps among numbers if the
// training data come from a loaded model, whose data have names of features but no samples.
func (t *Table) DataLike(training *data.Data, options ...DataOption) (*data.Data, error) {
	o, err := newDataOptions(t.name, options)
	if err != nil {
		return nil, err
	}
	if o.targets != nil || o.features != nil || o.attributes != nil || o.fill != "" || o.raw {
		return nil, advice.With("give only Label and Without, because the training data determine the features", bad(ErrFormat, t.name, "DataLike: an option contradicts the training data"))
	}
	if err := training.Err(); err != nil {
		return nil, err
	}
	if s := training.Scaling(); training.Rows != nil || training.Distances != nil || training.Nearest != nil || !s.IsZero() && !affine(s) || training.X == nil && training.FeatureNames == nil {
		return nil, advice.With("give the data from Table.Data, before PCA", bad(ErrFormat, t.name, "DataLike: the features of the training data are not columns of a table"))
	}
	again := *t
	again.columns = slices.Clone(t.columns)
	l := &liker{t: &again, training: training, called: map[string][]int{}, used: map[int]string{}, label: -1}
	for j, name := range t.Names() {
		l.called[name] = append(l.called[name], j)
	}
	return l.data(o, files.NewBudget())
}

func affine(s data.Scaling) bool {
	_, _, ok := s.Affine()
	return ok
}

// liker converts a table to samples with the features of other samples.
type liker struct {
	t        *Table // a copy whose columns may change their type
	training *data.Data
	label    int              // index of the class column, −1 for none
	called   map[string][]int // columns by name, or by number (counted from 1) if they have no name
	used     map[int]string   // use of each column, such as "feature", by the index of the column
	sources  []*source
	notes    []string
}

// source is a column of the table from which features are made.
type source struct {
	name    string // name of the column in the training data
	column  int
	feature int            // index of the numeric feature, −1 for a column of categories
	mark    int            // index of the feature that marks gaps, −1 for none
	levels  map[string]int // index of the feature of each category
	fill    string         // the category that fills gaps, "" for none
	// attribute is the attribute of the training data that contains the texts of the column. It is
	// nil if there is none.
	attribute *data.Attribute
}

func (l *liker) note(format string, args ...any) {
	l.notes = append(l.notes, fmt.Sprintf(format, args...))
}

// columns returns the columns with the given name that have no use yet. If all columns with this
// name have a use, it returns all of them.
func (l *liker) columns(name string) []int {
	all := l.called[name]
	free := slices.DeleteFunc(slices.Clone(all), func(j int) bool { return l.used[j] != "" })
	if len(free) > 0 {
		return free
	}
	return all
}

// assigned returns the columns for n features, targets or attributes that have the same name: the
// first column for the first of them, and so on. It is an error if more than n columns of this name
// have no use yet.
func (l *liker) assigned(name string, n int) ([]int, error) {
	columns := l.columns(name)
	if len(columns) > n && l.used[columns[0]] == "" {
		return nil, advice.With(fmt.Sprintf("leave the others out by their numbers, for example with Without(%q)", strconv.Itoa(columns[n]+1)),
			bad(ErrFormat, l.t.name, "DataLike: columns %d and %d are both called %q, but the training data have %s of this name", columns[n-1]+1, columns[n]+1, name, nouns.Count(n, "column")))
	}
	return columns, nil
}

func (l *liker) data(o *dataOptions, budget *files.Budget) (*data.Data, error) {
	t, training := l.t, l.training
	if o.label != "" {
		j, err := t.Find(o.label)
		if err != nil {
			return nil, fmt.Errorf("Label: %w", err)
		}
		l.label, l.used[j] = j, "Label"
	}
	for _, name := range o.without {
		j, err := t.Find(name)
		if err != nil {
			return nil, fmt.Errorf("Without: %w", err)
		}
		l.used[j] = "Without"
	}
	if err := l.match(); err != nil {
		return nil, err
	}
	n, width := t.Rows(), max(training.Dim(), len(training.FeatureNames))
	if _, err := budget.TakeArray([]int{n, width}); err != nil {
		return nil, tooLarge(t.name, err)
	}
	x := mat.NewDense(n, width, nil)
	for _, s := range l.sources {
		if s.feature < 0 {
			l.encode(s, x)
		} else if err := l.fill(s, x); err != nil {
			return nil, err
		}
	}
	d := data.New(x, l.classes())
	d.Name, d.FeatureNames, d.ClassNames, d.Image = baseName(t.name), training.FeatureNames, training.ClassNames, training.Image
	if err := l.attributes(d, budget); err != nil {
		return nil, err
	}
	var features []int
	for _, s := range l.sources {
		features = append(features, s.column)
	}
	var extra []string
	for j := range t.columns {
		if l.used[j] == "" {
			extra = append(extra, t.quoted(j))
		}
	}
	if extra != nil {
		l.note("these columns are ignored, because the training data lack them: %s", list(extra))
	}
	d.Notes = slices.Concat(t.notes, t.notesOf(features), l.notes)
	if d.Err() == nil {
		if err := d.Validate(); err != nil {
			return nil, err
		}
	}
	return d, d.Err()
}

// match finds the column of each feature.
func (l *liker) match() error {
	names := l.training.FeatureNames
	if names == nil {
		return l.matchOrder()
	}
	called := map[string][]*source{}
	var order []string
	add := func(name string) *source {
		if called[name] == nil {
			order = append(order, name)
		}
		s := &source{name: name, feature: -1, mark: -1}
		called[name] = append(called[name], s)
		return s
	}
	for k, name := range names {
		// The features that mark gaps come after those of all columns. A column can have such a
		// name too.
		if base, ok := strings.CutSuffix(name, " is missing"); ok && len(l.columns(name)) <= len(called[name]) && len(called[base]) == 1 && l.marks(k, called[base][0]) {
			called[base][0].mark = k
			continue
		}
		of, level, category := l.categoryOf(name)
		if !category {
			add(name).feature = k
			continue
		}
		if at := len(called[of]) - 1; at < 0 || l.begins(of, level, called[of][at], at) {
			add(of).levels = map[string]int{}
		}
		called[of][len(called[of])-1].levels[level] = k
	}
	var missing []string
	for _, name := range order {
		columns, err := l.assigned(name, len(called[name]))
		if err != nil {
			return err
		}
		for k, s := range called[name] {
			if k >= len(columns) {
				missing = append(missing, strconv.Quote(name))
				continue
			}
			s.column = columns[k]
			if use := l.used[s.column]; use != "" {
				return advice.With("leave it out of the options", bad(ErrFormat, l.t.name, "DataLike: column %s is a feature of the training data, but is also in %s", l.t.quoted(s.column), use))
			}
			l.sources = append(l.sources, s)
		}
	}
	if missing != nil {
		return advice.With("give a table with all columns of the training data, even if some are empty", bad(ErrFormat, l.t.name, "DataLike: the training data have features of the %s %s, but the %s %s", nouns.Form(len(missing), "column", "columns"), list(missing), nouns.Form(len(l.t.columns), "only column of the table is", "columns of the table are"), l.t.listed()))
	}
	for _, s := range l.sources {
		l.used[s.column] = "feature"
	}
	l.read()
	return nil
}

// begins reports whether a category belongs to the column after `last`. Several columns may be
// called name; `last` is the one with the index `at` among them, counted from 0.
func (l *liker) begins(name, level string, last *source, at int) bool {
	if _, known := last.levels[level]; known || last.levels == nil {
		return true
	}
	of := l.attributesOf(name)
	return at+1 < len(of) && !slices.Contains(of[at].Values, level) && slices.Contains(of[at+1].Values, level)
}

// attributesOf returns the attributes of the training data with the given name.
func (l *liker) attributesOf(name string) []*data.Attribute {
	var of []*data.Attribute
	for k := range l.training.Attributes {
		if a := &l.training.Attributes[k]; a.Name == name {
			of = append(of, a)
		}
	}
	return of
}

// marks reports whether feature k of the training data can mark the gaps of a source: it is 1 for
// each gap, and 0 otherwise. A column may have the name of such a feature by chance.
func (l *liker) marks(k int, s *source) bool {
	if s.feature < 0 {
		return false
	}
	texts := l.training.Attribute(s.name)
	for i, v := range l.training.Original(k) {
		if v != 0 && v != 1 || texts != nil && (v == 1) != (texts[i] == "") {
			return false
		}
	}
	return true
}

// matchOrder uses the columns in the order of the table, for training data without names.
func (l *liker) matchOrder() error {
	for j := range l.t.columns {
		if l.used[j] == "" {
			k := len(l.sources)
			l.used[j] = "feature"
			l.sources = append(l.sources, &source{name: l.training.FeatureName(k), column: j, feature: k, mark: -1})
		}
	}
	if len(l.sources) != l.training.Dim() {
		remedy := "name the other columns in Label and Without, or read both tables with a header"
		if len(l.sources) < l.training.Dim() {
			remedy = "give a table with a column for each feature, in the order of the training data"
		}
		return advice.With(remedy, bad(ErrFormat, l.t.name, "DataLike: the training data have %s without names, but the table has %s", nouns.Count(l.training.Dim(), "feature"), nouns.Number(len(l.sources), "column for features", "columns for features")))
	}
	l.read()
	return nil
}

// read finds the attribute of each source in the training data, and prepares its column.
func (l *liker) read() {
	called := map[string][]*source{}
	for _, s := range l.sources {
		called[s.name] = append(called[s.name], s)
	}
	for name, sources := range called {
		if of := l.attributesOf(name); len(of) >= len(sources) { // otherwise they cannot be assigned to columns
			for k, s := range sources {
				s.attribute = of[k]
			}
		}
	}
	for _, s := range l.sources {
		if s.feature < 0 {
			l.typical(s)
		} else {
			l.retype(s)
		}
	}
}

// categoryOf divides the name of a feature such as "colour = red" into the column and the category
// (level). A name with several " = " is divided at the first one that fulfils two conditions: the
// training data have an attribute with the name of the column, and this attribute contains the
// category. ok is false if the whole name is the name of a column, or contains no " = ".
func (l *liker) categoryOf(name string) (column, level string, ok bool) {
	for from := 0; ; {
		at := strings.Index(name[from:], " = ")
		if at < 0 {
			break
		}
		column, level = name[:from+at], name[from+at+3:]
		if slices.ContainsFunc(l.attributesOf(column), func(a *data.Attribute) bool { return slices.Contains(a.Values, level) }) {
			return column, level, true
		}
		from += at + 1
	}
	if len(l.columns(name)) > 0 {
		return "", "", false
	}
	column, level, ok = strings.Cut(name, " = ")
	return column, level, ok
}

// texts returns the texts of the column in the training data, or nil if they have none.
func (s *source) texts() []string {
	if s.attribute == nil {
		return nil
	}
	return s.attribute.Values
}

// retype gives the column of a source the type that it has in the training data, and computes its
// values.
func (l *liker) retype(s *source) {
	c := &l.t.columns[s.column]
	want := Number
	texts := slices.DeleteFunc(slices.Clone(s.texts()), func(text string) bool { return text == "" })
	all := func(is func(text string) bool) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !is(text) })
	}
	switch {
	case len(texts) == 0:
		if c.typ == Date || c.typ == Boolean {
			want = c.typ
		}
	case all(func(text string) bool { _, err := strconv.ParseFloat(text, 64); return err == nil }):
	case all(func(text string) bool { return truth([]byte(text)) >= 0 }):
		want = Boolean
	case all(func(text string) bool { _, ok := parseDate([]byte(text), monthFirstUnknown); return ok }):
		want = Date
	}
	c.american = s.attribute != nil && s.attribute.MonthFirst
	number := c.typ == Number || c.typ == Integer || c.typ == Identifier
	if c.values != nil && (c.typ == want && !c.american || number && want == Number) {
		return
	}
	c.typ, c.forced, c.declared, c.learned, c.notes, c.order = want, true, false, true, nil, dayFirst
	c.values = make([]float64, l.t.Rows())
	l.t.reread(s.column)
	c.gaps = 0
	if c.refused > 0 {
		l.note("column %s: %s not of the type %s of the training data, such as %.40q, and %s", l.t.quoted(s.column), nouns.Number(c.refused, "cell is", "cells are"), want, c.invalid, nouns.Form(c.refused, "is read as a gap", "are read as gaps"))
	}
}

// typical sets s.fill to the category with which gaps were filled in the training data, if any.
func (l *liker) typical(s *source) {
	if l.training.X == nil {
		return
	}
	for i, text := range s.texts() {
		if text != "" {
			continue
		}
		for level, k := range s.levels {
			if v := l.training.Original(k); v != nil && v[i] == 1 {
				s.fill = level
			}
		}
		return
	}
}

// encode writes the features of a column of categories to x.
func (l *liker) encode(s *source, x *mat.Dense) {
	c := &l.t.columns[s.column]
	unknown, first, gaps := 0, "", 0
	for i, r := range l.t.rows {
		b := l.t.grid.text(r, s.column)
		level := string(b)
		if c.isGap(b) {
			if _, known := s.levels[level]; !known || level == "" {
				gaps++
				level = s.fill
			}
		}
		if k, ok := s.levels[level]; ok {
			x.Set(i, k, 1)
		} else if level != "" {
			if unknown++; unknown == 1 {
				first = level
			}
		}
	}
	if unknown > 0 {
		l.note("column %s: %s, such as %.40q, %s in no category of the training data and %s 0 in all features of the column", l.t.quoted(s.column), nouns.Count(unknown, "cell"), first, nouns.Form(unknown, "is", "are"), nouns.Form(unknown, "gets", "get"))
	}
	switch {
	case gaps > 0 && s.fill != "":
		l.note("column %s: %s filled with %q as in the training data", l.t.quoted(s.column), nouns.Count(gaps, "gap"), s.fill)
	case gaps > 0:
		l.note("column %s: %s to no category", l.t.quoted(s.column), nouns.Number(gaps, "gap belongs", "gaps belong"))
	}
}

// fill writes a feature of numbers to x, and fills its gaps.
func (l *liker) fill(s *source, x *mat.Dense) error {
	c := &l.t.columns[s.column]
	gaps := 0
	for i, v := range c.values {
		x.Set(i, s.feature, v)
		if v == v {
			continue
		}
		gaps++
		if s.mark >= 0 {
			x.Set(i, s.mark, 1)
		}
	}
	if gaps == 0 {
		return nil
	}
	if l.training.X == nil {
		return advice.With("give the training data instead, or leave these rows out", bad(ErrFormat, l.t.name, "DataLike: column %s has %s, and the data of a loaded model have no values to fill them", l.t.quoted(s.column), nouns.Count(gaps, "gap")))
	}
	with := l.filling(s)
	for i, v := range c.values {
		if v != v {
			x.Set(i, s.feature, with)
		}
	}
	l.note("column %s: %s filled with %s as in the training data", l.t.quoted(s.column), nouns.Count(gaps, "gap"), strconv.FormatFloat(with, 'g', 6, 64))
	return nil
}

// filling returns the number that fills all gaps of a feature in the training data. If there are no
// gaps, or several numbers fill them, it returns the median of the other values.
func (l *liker) filling(s *source) float64 {
	values := l.training.Original(s.feature)
	var filled, measured []float64
	texts := s.texts()
	for i, v := range values {
		if texts != nil && texts[i] == "" {
			filled = append(filled, v)
		} else {
			measured = append(measured, v)
		}
	}
	if filled != nil && (measured == nil || slices.Min(filled) == slices.Max(filled)) {
		return filled[0]
	}
	return typical(measured, Median)
}

// classes returns the labels, or nil if there is no class column. A sample whose class is not among
// the class names of the training data is unlabelled. If the training data have no class names, a
// whole number is a label if it is among the labels or true classes of the training data, or if
// these data have none.
func (l *liker) classes() []int {
	if l.label < 0 {
		return nil
	}
	t, names := l.t, l.training.ClassNames
	labels := make([]int, t.Rows())
	occurs := map[int]bool{} // classes in the training data; empty for the data of a loaded model
	for _, c := range slices.Concat(l.training.Labels, l.training.Truth) {
		occurs[c] = true
	}
	place, placeOf := map[string]int{}, map[float64]int{} // indices of the names, and of the names that are numbers
	for k, name := range slices.Backward(names) {
		place[name] = k
		if v, ok := exactNumber(name); ok {
			placeOf[v] = k
		}
	}
	unknown, first := 0, ""
	for i, r := range t.rows {
		b := t.grid.text(r, l.label)
		text := string(b)
		labels[i] = data.Unlabelled
		if k, ok := place[text]; ok {
			labels[i] = k
			continue
		}
		if t.columns[l.label].isGap(b) {
			continue
		}
		number, ok := exactNumber(text)
		v := int(number)
		named, isNamed := placeOf[number]
		switch {
		case ok && isNamed && len(placeOf) == len(names): // another text of the same number
			labels[i] = named
		case names == nil && ok && number == float64(v) && v >= data.Unlabelled && v <= data.MaxLabel && (v == data.Unlabelled || len(occurs) == 0 || occurs[v]):
			labels[i] = v
		default:
			if unknown++; unknown == 1 {
				first = text
			}
		}
	}
	if unknown > 0 {
		l.note("%s unlabelled, because the training data lack classes such as %.40q", nouns.Number(unknown, "sample is", "samples are"), first)
	}
	return labels
}

// attributes adds to d the attributes and targets that the training data have, and the texts of
// features with gaps.
func (l *liker) attributes(d *data.Data, budget *files.Budget) error {
	t := l.t
	add := func(name string, j int, values bool) error {
		texts := make([]string, t.Rows())
		for i, r := range t.rows {
			b := t.grid.text(r, j)
			if err := budget.Take(int64(len(b)) + textCost); err != nil {
				return tooLarge(t.name, err)
			}
			if !t.columns[j].isGap(b) && !(values && t.Gap(i, j)) {
				texts[i] = t.plain(i, j, b)
			}
		}
		d.Attributes = append(d.Attributes, data.Attribute{Name: name, Values: texts, MonthFirst: t.columns[j].monthFirst()})
		return nil
	}
	of := map[*data.Attribute]*source{}
	for _, s := range l.sources {
		if s.attribute != nil {
			of[s.attribute] = s
		} else if s.feature >= 0 && slices.ContainsFunc(t.columns[s.column].values, math.IsNaN) {
			if err := add(s.name, s.column, true); err != nil {
				return err
			}
		}
	}
	isTarget := map[string]bool{}
	for _, target := range l.training.Targets {
		columns, err := l.assigned(target.Name, 1)
		if err != nil {
			return err
		}
		if columns == nil || l.used[columns[0]] != "" {
			continue
		}
		j := columns[0]
		l.used[j], isTarget[target.Name] = "target", true
		s := &source{name: target.Name, column: j}
		if of := l.attributesOf(target.Name); of != nil {
			s.attribute = of[0]
		}
		l.retype(s)
		d.Targets = append(d.Targets, data.Target{Name: target.Name, Values: slices.Clone(t.columns[j].values)})
	}
	places := map[string][]int{} // columns of the other attributes by name
	for k := range l.training.Attributes {
		a := &l.training.Attributes[k]
		if s := of[a]; s != nil {
			if err := add(a.Name, s.column, true); err != nil {
				return err
			}
			continue
		}
		columns, found := places[a.Name]
		if !found {
			others := slices.DeleteFunc(l.attributesOf(a.Name), func(a *data.Attribute) bool { return of[a] != nil })
			var err error
			if columns, err = l.assigned(a.Name, len(others)); err != nil {
				return err
			}
		}
		places[a.Name] = columns[min(1, len(columns)):]
		if len(columns) == 0 || l.used[columns[0]] != "" && !isTarget[a.Name] {
			continue
		}
		j := columns[0]
		l.used[j] = "attribute"
		if a.MonthFirst {
			l.retype(&source{name: a.Name, column: j, attribute: a})
		}
		if err := add(a.Name, j, isTarget[a.Name]); err != nil {
			return err
		}
	}
	return nil
}
