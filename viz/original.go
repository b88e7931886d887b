package viz

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Data from a table can contain the same column twice: as numbers in a feature or target, and as
// the original texts in an attribute. The texts show which numbers are dates, and which gaps were
// filled in the feature.

// original restores the values that the user's table contained. c is the column of the feature with
// the given name. In the result, filled gaps are unknown again, and numbers of days since
// 1970-01-01 are dates.
func (p *panel) original(name string, c column) column {
	gap := make([]bool, p.n)
	if marks := p.feature(name + " is missing"); marks != nil { // see datasets.Indicator
		for i, v := range marks {
			gap[i] = v == 1
		}
	}
	texts := p.textsOf(name)
	if texts != nil && (determinesNumbers(texts, c.number) || determinesDates(texts, c.number)) {
		for i, s := range texts {
			gap[i] = gap[i] || isGap(s)
		}
	}
	for i, yes := range gap {
		if yes {
			c.number[i] = math.NaN()
		}
	}
	return c.withDates(texts)
}

// textsOf returns the texts of the attribute with the given name. It returns nil unless there is
// one text per sample and at least one text is known.
func (p *panel) textsOf(name string) []string {
	texts := p.data.Attribute(name)
	if len(texts) != p.n || !slices.ContainsFunc(texts, func(s string) bool { return !isGap(s) }) {
		return nil
	}
	return texts
}

// isGap reports whether a text stands for an unknown number.
func isGap(s string) bool { return slices.Contains(gaps, strings.ToLower(strings.TrimSpace(s))) }

// withDates returns c with dates in place of its numbers if the numbers are days since 1970-01-01
// and texts contains the same dates. Otherwise it returns c unchanged. texts may be nil. Predicted
// values of a target are days as well, but they are not compared with texts, because their texts
// are missing or contain the true dates.
func (c column) withDates(texts []string) column {
	times := dates(texts)
	if times == nil {
		return c
	}
	for i, t := range times {
		if v := c.number[i]; !t.IsZero() && !math.IsNaN(v) && (c.measured == nil || c.measured[i]) && math.Abs(v-days(t)) > daysTolerance {
			return c
		}
	}
	unit := 1.0 / secondsOfDay
	if !slices.ContainsFunc(times, withTime) {
		unit = 1
	}
	for i, v := range c.number {
		switch {
		case math.IsNaN(v) || math.Abs(v) > maxDays: // a value hidden by KeepTarget, or not a date
			times[i] = time.Time{}
		case times[i].IsZero() || c.measured != nil && !c.measured[i]:
			times[i] = timeOf(v, unit)
		}
	}
	d := timed(c.name, times)
	d.measured, d.carried = c.measured, c.carried
	return d
}

// determinesNumbers reports whether the texts determine the values in numbers. This is the case if
// every text is a number and the values are a non-decreasing function of these numbers. It is also
// the case if there are at most two different texts, such as booleans, with one value each. Gaps
// are ignored, because they may have been filled.
func determinesNumbers(texts []string, numbers []float64) bool {
	var order []int
	parsed, value := make([]float64, len(texts)), map[string]float64{}
	for i, s := range texts {
		if isGap(s) {
			continue
		}
		order = append(order, i)
		if v, met := value[s]; len(value) <= 2 && met && v != numbers[i] {
			return false
		}
		if len(value) <= 2 {
			value[s] = numbers[i]
		}
		if v, err := strconv.ParseFloat(strings.TrimSpace(s), 64); parsed != nil && err == nil && !math.IsNaN(v) {
			parsed[i] = v
		} else {
			parsed = nil
		}
	}
	if parsed == nil {
		return len(value) <= 2
	}
	return ascending(order, parsed, numbers)
}

// determinesDates reports whether the values in numbers are a non-decreasing function of the dates
// in texts. Gaps are ignored.
func determinesDates(texts []string, numbers []float64) bool {
	times := dates(texts)
	if times == nil {
		return false
	}
	var order []int
	at := make([]float64, len(texts))
	for i, t := range times {
		if !t.IsZero() {
			order, at[i] = append(order, i), seconds(t)
		}
	}
	return ascending(order, at, numbers)
}

// ascending reports whether, over the given rows, the values in numbers are a non-decreasing
// function of the values in by.
func ascending(rows []int, by, numbers []float64) bool {
	slices.SortFunc(rows, func(i, j int) int { return cmp.Compare(by[i], by[j]) })
	for k := 1; k < len(rows); k++ {
		i, j := rows[k-1], rows[k]
		if numbers[i] > numbers[j] || numbers[i] != numbers[j] && by[i] == by[j] {
			return false
		}
	}
	return true
}
