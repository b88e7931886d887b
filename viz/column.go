package viz

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// givenValues is the name of a column whose values are given without a name.
const givenValues = "values"

// column contains a number or a category for each sample.
type column struct {
	name   string
	number []float64 // NaN if unknown; nil for categories
	index  []int     // for each sample, the index of its category in keys, or -1 if unknown
	keys   []category
	absent string   // the meaning of an unknown category, see data.Attribute.Missing
	coded  bool     // true if the categories are classes and use the class colours
	dates  []string // for numbers that are seconds since 1970: the dates as text; otherwise nil
	// computed is true if a model computed the numbers. Hover cards then show fewer digits.
	computed bool

	// measured reports for each sample of a target whether its value was measured. It is nil if the
	// column is not a target.
	measured []bool
	carried  bool // true if a model predicted the values that were not measured
}

// equals reports whether two columns have the same name and values.
func (c column) equals(o column) bool {
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	return c.name == o.name && slices.EqualFunc(c.number, o.number, same) && slices.Equal(c.index, o.index) && slices.Equal(c.keys, o.keys)
}

// known returns the known numbers of the given rows. It returns nil if the column has categories.
func (c column) known(rows []int) (known []float64) {
	if c.number == nil {
		return nil
	}
	for _, i := range rows {
		if v := c.number[i]; !math.IsNaN(v) {
			known = append(known, v)
		}
	}
	return known
}

func (c column) names() []string {
	return mapped(c.keys, func(one category) string { return one.name })
}

// column converts values to a column. They were passed to the named method of Figure.
func (p *panel) column(method string, values any) (column, error) {
	switch v := values.(type) {
	case string:
		return p.named(method, v)
	case column:
		return v, nil
	case *ssdrnb.NullTable:
		return gradesOf(method, p, v)
	case Fact:
		c, err := v.column(p)
		if own := (*ssdrnb.Error)(nil); errors.As(err, &own) && own.Method != "" { // err names the method
			return c, fmt.Errorf("viz: %s(%q): %w", method, string(v), err)
		}
		if err != nil {
			return c, fmt.Errorf("viz: %s(%q) of %s: %w", method, string(v), p.name, err)
		}
		return c, nil
	}
	list := reflect.ValueOf(values)
	if list.Kind() != reflect.Slice {
		return column{}, fmt.Errorf("viz: %s: the value has type %T; give a name, a slice with one value for each sample, or a Fact", method, values)
	}
	if list.Len() != p.n {
		return column{}, fmt.Errorf("viz: %s: %s, but %s has %s; give one for each", method, thereAre(list.Len(), "value"), p.name, nouns.Count(p.n, "sample"))
	}
	if times, ok := values.([]time.Time); ok {
		return timed(givenValues, times), nil
	}
	number, whole, counts, texts := make([]float64, p.n), make([]int, p.n), make([]uint64, p.n), make([]string, p.n)
	kind := reflect.Invalid
	for i := range p.n {
		switch v := list.Index(i); {
		case v.CanFloat():
			kind, number[i] = reflect.Float64, v.Float()
		case v.CanInt():
			kind, whole[i] = reflect.Int, int(v.Int())
		case v.CanUint():
			kind, counts[i] = reflect.Uint, v.Uint()
		case v.Kind() == reflect.String:
			kind, texts[i] = reflect.String, v.String()
		case v.Kind() == reflect.Bool:
			kind, texts[i] = reflect.String, strconv.FormatBool(v.Bool())
		default:
			return column{}, fmt.Errorf("viz: %s: the values have type %T; give numbers, strings, booleans or times", method, values)
		}
	}
	switch kind {
	case reflect.Float64:
		return numeric(givenValues, number), nil
	case reflect.Int:
		return categorical(givenValues, whole, cmp.Compare[int], func(v int) bool { return v != data.Unlabelled }, strconv.Itoa), nil
	case reflect.Uint:
		decimal := func(v uint64) string { return strconv.FormatUint(v, 10) }
		return categorical(givenValues, counts, cmp.Compare[uint64], func(uint64) bool { return true }, decimal), nil
	}
	return categorical(givenValues, texts, data.CompareNames, given, itself), nil
}

// named returns the feature, target or attribute of the data with the given name.
func (p *panel) named(method, name string) (column, error) {
	if err := p.ambiguous(method, name); err != nil {
		return column{}, err
	}
	if number := p.feature(name); number != nil {
		return p.original(name, numeric(cut(name), number)), nil
	}
	if c, ok, err := p.targeted(method, name); ok {
		return c, err
	}
	texts := p.data.Attribute(name)
	if texts == nil && p.data.X == nil && slices.Contains(p.data.FeatureNames, name) {
		if p.data.Rows != nil {
			return column{}, fmt.Errorf("viz: %s(%q): the features of %s are sparse; give a slice of values", method, cut(name), p.name)
		}
		return column{}, fmt.Errorf("viz: %s(%q): %s was loaded without its samples; fit it again, or give a slice of values", method, cut(name), p.name)
	}
	if texts == nil {
		var has []string
		for _, a := range p.data.Attributes {
			has = append(has, a.Name)
		}
		for _, t := range p.data.Targets {
			has = append(has, t.Name)
		}
		has = append(has, p.data.FeatureNames...)
		for k := range has {
			has[k] = strconv.Quote(short(has[k], 24))
		}
		if more := len(has) - 10; more > 0 {
			has = append(slices.Clip(has[:10]), fmt.Sprintf("%d more", more))
		}
		remedy := "choose one of " + strings.Join(has, ", ")
		switch len(has) {
		case 0:
			remedy = "they have no feature names, no target and no attributes at all; give a slice of values"
		case 1:
			remedy = "choose " + has[0]
		}
		// The name may be that of the label column, which the data do not store.
		switch method {
		case "Color":
			remedy += ", or leave Color out, because figures show the classes without it"
		case "Hover":
			remedy += ", or leave the name out if it means the class, which the hover card always shows"
		}
		return column{}, fmt.Errorf("viz: %s(%q): the data of %s have no feature, target or attribute of this name; %s", method, cut(name), p.name, remedy)
	}
	if len(texts) != p.n {
		return column{}, fmt.Errorf("viz: %s(%q): the attribute has %s, but %s has %s; give one for each with Data.WithAttribute", method, cut(name), nouns.Count(len(texts), "value"), p.name, nouns.Count(p.n, "sample"))
	}
	if times := dates(texts); times != nil {
		return timed(cut(name), times), nil
	}
	number := make([]float64, p.n)
	some := false
	for i, s := range texts {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		switch {
		case err == nil:
			number[i], some = v, true
		case isGap(s):
			number[i] = math.NaN()
		default:
			return p.attribute(name, texts), nil
		}
	}
	if !some {
		return p.attribute(name, texts), nil
	}
	return numeric(cut(name), number), nil
}

// has reports whether the data have a feature, target or attribute with the given name.
func (p *panel) has(name string) bool {
	return slices.Contains(p.data.FeatureNames, name) || p.data.Attribute(name) != nil ||
		slices.ContainsFunc(p.data.Targets, func(t data.Target) bool { return t.Name == name })
}

// ambiguous returns an error if several features, targets or attributes have the given name. A
// feature may have the name of a target or of an attribute.
func (p *panel) ambiguous(method, name string) error {
	count, first := 0, -1
	if p.data.X != nil {
		count, first = repeated(p.data.FeatureNames, func(s string) bool { return s == name })
	}
	if count > 1 {
		remedy := "give them different names in Data.FeatureNames"
		if method != "Hover" {
			remedy += fmt.Sprintf(", or pass the values, such as Data.Original(%d)", first)
		}
		return fmt.Errorf("viz: %s(%q): %d features of %s have this name; %s", method, cut(name), count, p.name, remedy)
	}
	if count, _ := repeated(p.data.Targets, func(t data.Target) bool { return t.Name == name }); count > 1 {
		return fmt.Errorf("viz: %s(%q): %d targets of %s have this name; give them different names in Data.Targets", method, cut(name), count, p.name)
	}
	return p.ambiguousAttribute(method, name)
}

// ambiguousAttribute returns an error if several attributes have the given name.
func (p *panel) ambiguousAttribute(method, name string) error {
	if count, _ := repeated(p.data.Attributes, func(a data.Attribute) bool { return a.Name == name }); count > 1 {
		return fmt.Errorf("viz: %s(%q): %d attributes of %s have this name; give them different names in Data.Attributes", method, cut(name), count, p.name)
	}
	return nil
}

// repeated counts the items of a list that satisfy a condition. It also returns the index of the
// first of these items, or −1.
func repeated[T any](list []T, is func(T) bool) (count, first int) {
	for _, v := range list {
		if is(v) {
			count++
		}
	}
	return count, slices.IndexFunc(list, is)
}

// feature returns the values of the feature with the given name, in the units before Standardize,
// or nil if there is no such feature.
func (p *panel) feature(name string) []float64 {
	k := slices.Index(p.data.FeatureNames, name)
	if k < 0 || p.data.X == nil {
		return nil
	}
	if n, d := p.data.X.Dims(); n != p.n || k >= d {
		return nil
	}
	if number := p.data.Original(k); number != nil {
		return number
	}
	return mat.Col(nil, k, p.data.X)
}

// attribute returns a column with the given texts as categories. They are the texts of the named
// attribute.
func (p *panel) attribute(name string, texts []string) column {
	c := categorical(cut(name), texts, data.CompareNames, given, itself)
	k := slices.IndexFunc(p.data.Attributes, func(a data.Attribute) bool { return a.Name == name })
	c.absent = cut(p.data.Attributes[k].Missing)
	return c
}

// gaps lists, in lower case, the texts that tables use for an unknown number.
var gaps = []string{"", "?", "na", "n/a", "nan", "null", "-"}

// itself returns a category unchanged, as its own name.
func itself(s string) string { return s }

// given reports whether a text is a known category, that is, neither "" nor "?".
func given(s string) bool { return s != "" && s != "?" }

// numeric returns a column of numbers. NaN and ±Inf are unknown values. The function changes the
// argument number: it replaces ±Inf by NaN.
func numeric(name string, number []float64) column {
	for i, v := range number {
		if math.IsInf(v, 0) {
			number[i] = math.NaN()
		}
	}
	return column{name: name, number: number}
}

// categorical returns a column of categories, sorted by the function order. Values for which the
// function known returns false have no category. The function text returns the name of a category.
func categorical[T int | uint64 | string](name string, values []T, order func(a, b T) int, known func(T) bool, text func(T) string) column {
	c := column{name: name, index: make([]int, len(values))}
	at := map[T]int{} // for each value, its index in keys, or -1 if unknown
	var all []T
	for _, v := range values {
		if _, met := at[v]; !met {
			at[v] = -1
			all = append(all, v)
		}
	}
	slices.SortFunc(all, order)
	var names []string
	for _, v := range all {
		if known(v) {
			at[v] = len(names)
			names = append(names, text(v))
		}
	}
	for _, name := range look.Names(names) {
		c.keys = append(c.keys, category{name: name})
	}
	for i, v := range values {
		c.index[i] = at[v]
	}
	return c
}
