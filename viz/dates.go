package viz

import (
	"math"
	"slices"
	"strings"
	"time"
)

// isoLayouts lists the ISO 8601 formats that are parsed as dates. Seconds may have a fraction.
var isoLayouts = []string{
	"2006-01-02", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04",
	"2006-01-02 15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01",
}

// seconds converts a time to seconds since 1970, the unit of dates on axes and scales.
func seconds(t time.Time) float64 { return float64(t.Unix()) + float64(t.Nanosecond())/1e9 }

// secondsOfDay is the length of a day in seconds.
const secondsOfDay = 24 * 60 * 60

// daysTolerance is the largest difference between two dates that count as equal, in days: about one
// second. Dates in features differ by rounding errors if the features were scaled.
const daysTolerance = 1e-5

// maxDays is the largest |days since 1970-01-01| that is shown as a date, so that years have at
// most four digits.
const maxDays = 2_900_000

// days converts a time to days since 1970-01-01, the unit of dates in features and targets.
func days(t time.Time) float64 { return seconds(t) / secondsOfDay }

// timeOf converts days since 1970-01-01 to a time. It rounds days to a multiple of unit, which is
// also in days.
func timeOf(days, unit float64) time.Time {
	return time.Unix(int64(math.Round(math.Round(days/unit)*unit*secondsOfDay)), 0).UTC()
}

// withTime reports whether a date is known and has a time of day.
func withTime(t time.Time) bool {
	return !t.IsZero() && t.UTC().Truncate(secondsOfDay*time.Second) != t.UTC()
}

// dates parses texts as dates. It returns nil if all texts are unknown or if a known text is not a
// date.
func dates(texts []string) []time.Time {
	out := make([]time.Time, len(texts))
	layout, some := isoLayouts[0], false
	for i, s := range texts {
		s = strings.TrimSpace(s)
		if isGap(s) {
			continue
		}
		t, err := time.Parse(layout, s)
		for k := 0; err != nil && k < len(isoLayouts); k++ {
			layout = isoLayouts[k]
			t, err = time.Parse(layout, s)
		}
		if err != nil {
			return nil
		}
		out[i], some = t, true
	}
	if !some {
		return nil
	}
	return out
}

// timed returns a column of dates in UTC. If a date was given in a time zone other than UTC,
// "(UTC)" is added to the name. The zero time is an unknown value.
func timed(name string, all []time.Time) column {
	if slices.ContainsFunc(all, func(t time.Time) bool { _, offset := t.Zone(); return offset != 0 && !t.IsZero() }) {
		name = cut(name + " (UTC)")
	}
	c := column{name: name, number: make([]float64, len(all)), dates: make([]string, len(all))}
	layout := "2006-01-02"
	if slices.ContainsFunc(all, withTime) {
		layout = "2006-01-02 15:04:05"
	}
	for i, t := range all {
		if c.number[i] = math.NaN(); !t.IsZero() {
			c.number[i], c.dates[i] = seconds(t), t.UTC().Format(layout)
		}
	}
	return c
}

// dated formats the date v, given in seconds since 1970, for a scale that is span seconds long.
// Scales shorter than four days show hours and minutes, and scales shorter than two minutes also
// show seconds.
func dated(v, span float64) string {
	layout := "2006-01-02"
	switch {
	case span < 2*60:
		layout = "2006-01-02 15:04:05"
	case span < 4*secondsOfDay:
		layout = "2006-01-02 15:04"
	}
	return time.Unix(int64(v), 0).UTC().Format(layout)
}
