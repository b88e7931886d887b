package excel

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// shown holds whether a number format shows a day, and whether it shows a time of day.
type shown struct{ day, clock bool }

// formats contains the number formats of the cells of a workbook.
type formats struct {
	styles   []shown // by index of the style
	from1904 bool
}

// readFormats reads the number formats of the workbook. Its serial day numbers count from 1904 if
// from1904 is true, and otherwise from 1900.
func (b *book) readFormats(from1904 bool) error {
	var file struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Styles []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := b.decode("xl/styles.xml", &file); err != nil {
		return err
	}
	custom := map[int]shown{}
	for _, f := range file.Formats {
		custom[f.ID] = parts(f.Code)
	}
	b.formats = formats{from1904: from1904}
	for _, s := range file.Styles {
		var f shown
		switch n := s.Format; { // ECMA-376, part 1, 18.8.30
		case n >= 14 && n <= 17, n >= 27 && n <= 31, n == 36, n >= 50 && n <= 54, n >= 57 && n <= 58:
			f = shown{day: true}
		case n == 22:
			f = shown{day: true, clock: true}
		case n >= 18 && n <= 21, n >= 32 && n <= 35, n == 45, n == 47, n == 55, n == 56:
			f = shown{clock: true}
		default:
			f = custom[n]
		}
		b.styles = append(b.styles, f)
	}
	return nil
}

// number returns a number as text. A number with a date format is a date.
func (f *formats) number(raw string, style int) (string, error) {
	value, err := strconv.ParseFloat(raw, 64)
	if err != nil || style == 0 {
		return raw, nil
	}
	if style < 0 || style >= len(f.styles) {
		return "", fmt.Errorf("a cell refers to style %d (counted from 0), but the workbook has %s", style, nouns.Count(len(f.styles), "style"))
	}
	s := f.styles[style]
	if !s.day && !s.clock {
		return raw, nil
	}
	when, ok := f.when(value)
	switch {
	case !ok:
		return raw, nil
	case !s.day && value < 1:
		return when.Format("15:04:05.999"), nil
	case !s.clock && value == math.Trunc(value):
		return when.Format(time.DateOnly), nil
	}
	return when.Format("2006-01-02 15:04:05.999"), nil
}

// when converts a serial day number to a time, rounded to the millisecond. ok is false if the
// number represents no time: it is negative, it is after the year 9999, or days are counted from
// 1900 and it is within day 60. This day would be 29 February 1900, which does not exist.
func (f *formats) when(days float64) (when time.Time, ok bool) {
	first := time.Date(1899, time.December, 31, 0, 0, 0, 0, time.UTC)
	switch {
	case !(days >= 0 && days < 2958466): // also NaN
		return when, false
	case f.from1904:
		first = time.Date(1904, time.January, 1, 0, 0, 0, 0, time.UTC)
	case days >= 61:
		days--
	case days >= 60:
		return when, false
	}
	whole, rest := math.Modf(days)
	when = first.AddDate(0, 0, int(whole)).Add(time.Duration(rest * float64(24*time.Hour))).Round(time.Millisecond)
	return when, when.Year() <= 9999
}

// parts returns whether a number format shows a day, and whether it shows a time of day. A format
// for durations, such as [h]:mm, shows neither: its cells are read as numbers of days.
func parts(format string) shown {
	var f shown
	months := false // whether an m was found; it means minutes next to hours or seconds
	format = strings.ToLower(format)
scan:
	for i := 0; i < len(format); i++ {
		rest := format[i:]
		switch c := format[i]; c {
		case ';': // end of the format of positive numbers
			break scan
		case '\\', '_', '*':
			i++
		case '"', '[':
			end := byte('"')
			if c == '[' {
				end = ']'
			}
			at := strings.IndexByte(rest[1:], end)
			if at < 0 {
				break scan
			}
			if c == '[' && strings.Trim(rest[1:1+at], "hms") == "" {
				return shown{}
			}
			i += at + 1
		case 'y', 'd', 'b': // b is the year of the Buddhist era
			f.day = true
		case 'm':
			months = true
			f.day = f.day || strings.HasPrefix(rest, "mmm")
		case 'h', 's':
			f.clock = true
		case 'a':
			switch {
			case strings.HasPrefix(rest, "am/pm"):
				f.clock = true
				i += len("am/pm") - 1
			case strings.HasPrefix(rest, "a/p"):
				f.clock = true
				i += len("a/p") - 1
			case strings.HasPrefix(rest, "aaa"): // day of the week
				f.day = true
			}
		case 'g':
			if strings.HasPrefix(rest, "general") {
				return shown{}
			}
			f.day = true // era
		case 'e':
			if strings.HasPrefix(rest, "e+") || strings.HasPrefix(rest, "e-") { // exponent
				return shown{}
			}
			f.day = true // year of the era
		case '0', '#', '?', '%':
			if !f.clock { // digits after a time are fractions of a second; other digits show a number
				return shown{}
			}
		}
	}
	f.day = f.day || months && !f.clock
	return f
}
