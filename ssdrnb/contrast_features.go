package ssdrnb

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/contrast"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
)

// contrastFeatures returns the columns in which groups are compared: first the features, in their
// original units if known, then the attributes. Data from a table contain many columns twice, as a
// scaled feature and as the attribute from which it was made. In this case only the attribute is
// compared, because it keeps the user's units and missing values. The field Feature is then true in
// the column of the attribute.
func contrastFeatures(d *data.Data) []contrast.Feature {
	attributes := make([]contrast.Feature, len(d.Attributes))
	place := map[string]int{}
	for k, a := range d.Attributes {
		attributes[k] = attributeFeature(a)
		place[a.Name] = k
	}
	var all []contrast.Feature
	for k := range d.Dim() {
		title := d.FeatureName(k)
		of, _, _ := strings.Cut(title, " = ") // a feature "origin = Japan" was made from the attribute "origin"
		if a, ok := place[title]; ok && determines(attributes[a], d, k) {
			attributes[a].Feature = true
		} else if a, ok := place[of]; ok && attributes[a].Texts != nil && determines(attributes[a], d, k) {
			attributes[a].Feature = true
		} else {
			values := d.Original(k)
			if values == nil {
				values = mat.Col(nil, k, d.X)
			}
			all = append(all, contrast.Feature{Title: title, Numbers: values, Feature: true, Place: k})
		}
	}
	return append(all, attributes...)
}

// nothingToCompare returns an error if there are no columns to compare. The argument method is the
// name of the caller.
func nothingToCompare(method string, features []contrast.Feature) error {
	if len(features) > 0 {
		return nil
	}
	return &Error{Method: method, Param: "data", Err: fmt.Errorf("%w: the data have neither dense features nor attributes to compare", ErrData), Remedy: "describe the samples with Data.WithAttribute, or reduce sparse rows with Data.PCA"}
}

// attributesAlone returns the line that a table shows if the data have no dense features, and
// otherwise "".
func attributesAlone(d *data.Data) string {
	if d.X != nil {
		return ""
	}
	return "only attributes are compared, because the data have no dense features\n"
}

// attributeFeature returns the column of an attribute: numbers or dates if all texts can be parsed
// as such, otherwise texts.
func attributeFeature(a data.Attribute) contrast.Feature {
	f := contrast.Feature{Title: a.Name, Place: -1}
	if f.Numbers = numbersIn(a.Values, parseNumber); f.Numbers != nil {
		return f
	}
	if f.Numbers = numbersIn(a.Values, parseDays); f.Numbers != nil {
		f.Date = true
		return f
	}
	f.Texts = a.Values
	return f
}

// determines reports whether the compared attribute a determines feature k of d, so that the
// feature is redundant. Numbers must have the same order as the feature; equal texts must belong to
// equal values of the feature. Samples without a value of the attribute are ignored, because
// missing values of features are imputed. determines returns false for a text attribute with values
// that are not compared.
func determines(a contrast.Feature, d *data.Data, k int) bool {
	if a.Texts == nil {
		rows := order.Floats(a.Numbers)
		for p := 1; p < len(rows); p++ {
			v, w := d.X.At(int(rows[p-1]), k), d.X.At(int(rows[p]), k)
			if v > w || v < w && a.Numbers[rows[p-1]] == a.Numbers[rows[p]] {
				return false
			}
		}
		return true
	}
	if contrast.NewTexts(a.Texts).Partial() {
		return false
	}
	value := map[string]float64{}
	for i, text := range a.Texts {
		if text == "" {
			continue
		}
		x := d.X.At(i, k)
		if v, ok := value[text]; ok && v != x {
			return false
		}
		value[text] = x
	}
	return true
}

// numbersIn converts texts to numbers by parse, with NaN for "". It returns nil if parse rejects a
// text or all texts are empty.
func numbersIn(texts []string, parse func(string) (float64, bool)) []float64 {
	out, some := make([]float64, len(texts)), false
	for i, s := range texts {
		if s == "" {
			out[i] = math.NaN()
			continue
		}
		v, ok := parse(s)
		if !ok {
			return nil
		}
		out[i], some = v, true
	}
	if !some {
		return nil
	}
	return out
}

// parseNumber parses a finite number.
func parseNumber(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// dateLayouts are the ISO 8601 layouts that are parsed as dates.
var dateLayouts = []string{time.DateOnly, time.RFC3339Nano, "2006-01-02T15:04:05", time.DateTime, "2006-01-02 15:04"}

const secondsOfDay = 86400

// parseDays parses a date as days since 1970-01-01.
func parseDays(s string) (float64, bool) {
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return float64(t.Unix()) / secondsOfDay, true
		}
	}
	return 0, false
}

// quantity formats a value of a column as a date or a number.
func quantity(v float64, date bool) string {
	if !date || math.IsNaN(v) {
		if size := math.Abs(v); size >= 1e4 && size < 1e15 {
			return strconv.FormatFloat(v, 'f', 0, 64) // %.4g would write 34240 as 3.424e+04
		}
		return fmt.Sprintf("%.4g", v+0) // without the sign of −0
	}
	return time.Unix(int64(math.Floor(v))*secondsOfDay, 0).UTC().Format(time.DateOnly)
}

// withoutPixels returns those elements of the argument `of` that do not belong to pixels. `of` has
// one element per element of features. If the samples of d are not images, withoutPixels returns
// all elements.
func withoutPixels[T any](d *data.Data, features []contrast.Feature, of []T) []T {
	if d.Image == (data.Image{}) {
		return of
	}
	var out []T
	for k, f := range features {
		if !f.Feature {
			out = append(out, of[k])
		}
	}
	return slices.Clip(out)
}
