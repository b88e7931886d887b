package datasets

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

// cellKind is the kind of a single cell of a text table.
type cellKind uint8

const (
	emptyCell  cellKind = iota
	gapCell             // a marker of a gap, see gapMarkers
	intCell             // digits with an optional sign
	floatCell           // a number with a decimal point or an exponent
	markedCell          // a number with thousands separators, a decimal comma or currency signs, see marks
	boolCell            // true, false, yes, no, t, f, y or n in upper or lower case
	dateCell            // a date, a time of day, or both
	textCell
)

func (k cellKind) number() bool { return k == intCell || k == floatCell || k == markedCell }

// gap reports whether a cell of this kind has no value.
func (k cellKind) gap() bool { return k == emptyCell || k == gapCell }

// gapMarkers lists the texts that mark a gap, in lower case, as written by pandas, statistics
// programs, spreadsheets, databases and laboratories.
var gapMarkers = map[string]bool{
	"": true, "?": true, "-": true, "--": true, "---": true, ".": true, "..": true, "...": true,
	"–": true, "—": true, "…": true, "*": true,
	"na": true, "n/a": true, "n.a.": true, "<na>": true, "#na": true, "#n/a": true, "#n/a n/a": true,
	"nan": true, "-nan": true, "1.#ind": true, "-1.#ind": true, "1.#qnan": true, "-1.#qnan": true,
	"null": true, "none": true, "nil": true, "(null)": true, `\n`: true, "missing": true,
	"n.d.": true, "n.d": true, "k.a.": true,
	"#div/0!": true, "#value!": true, "#ref!": true, "#num!": true, "#name?": true, "#null!": true,
}

// longestGap is an upper bound on the length of a gap marker in bytes.
const longestGap = 9

// isGap reports whether a trimmed text is a gap marker, in upper or lower case.
func isGap(b []byte) bool {
	if len(b) > longestGap {
		return false
	}
	var low [longestGap]byte
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		low[i] = c
	}
	return gapMarkers[string(low[:len(b)])]
}

// classify returns the kind of a trimmed cell, and its value if it is a plain number.
func classify(b []byte) (cellKind, float64) {
	if len(b) == 0 {
		return emptyCell, 0
	}
	if v, kind := plainNumber(b); kind != textCell {
		return kind, v
	}
	digit := b[0]-'0' <= 9
	if digit {
		if _, ok := parseDate(b, monthFirstUnknown); ok {
			return dateCell, 0
		}
	}
	switch {
	case isGap(b):
		return gapCell, 0
	case digit:
	case isBool(b):
		return boolCell, 0
	}
	if maybeMarked(b) {
		if point, comma := marks(b); point || comma {
			return markedCell, 0
		}
	}
	if !digit {
		if _, ok := parseDate(b, monthFirstUnknown); ok {
			return dateCell, 0
		}
	}
	return textCell, 0
}

// tens lists the powers of ten that are exact in float64.
var tens = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// plainNumber parses a finite decimal number with an optional point and exponent. It rounds as
// strconv.ParseFloat does. The kind is textCell if b is not such a number.
func plainNumber(b []byte) (float64, cellKind) {
	i, negative := 0, false
	if b[0] == '-' || b[0] == '+' {
		negative = b[0] == '-'
		i = 1
	}
	var mantissa uint64
	digits, scale := 0, 0 // number of all digits of the mantissa, and number of its digits after the point
	kind := intCell
	for ; i < len(b); i++ {
		c := b[i] - '0'
		if c <= 9 {
			mantissa = mantissa*10 + uint64(c)
			digits++
			if kind == floatCell {
				scale++
			}
			continue
		}
		if b[i] == '.' && kind == intCell {
			kind = floatCell
			continue
		}
		break
	}
	if digits == 0 {
		return 0, textCell
	}
	exponent := -scale
	if i < len(b) {
		if b[i] != 'e' && b[i] != 'E' {
			return 0, textCell
		}
		kind = floatCell
		i++
		sign := 1
		if i < len(b) && (b[i] == '-' || b[i] == '+') {
			if b[i] == '-' {
				sign = -1
			}
			i++
		}
		if i == len(b) || len(b)-i > 5 {
			return 0, textCell
		}
		e := 0
		for ; i < len(b); i++ {
			c := b[i] - '0'
			if c > 9 {
				return 0, textCell
			}
			e = e*10 + int(c)
		}
		exponent += sign * e
	}
	// Clinger's fast path: mantissa and power of ten are exact, so the result is correctly rounded.
	if digits <= 19 && mantissa < 1<<53 && -22 <= exponent && exponent <= 22 {
		v := float64(mantissa)
		if exponent < 0 {
			v /= tens[-exponent]
		} else {
			v *= tens[exponent]
		}
		if negative {
			v = -v
		}
		return v, kind
	}
	v, err := strconv.ParseFloat(unsafe.String(&b[0], len(b)), 64)
	if err != nil {
		return 0, textCell // the number is not finite
	}
	return v, kind
}

// truths lists the texts of booleans in pairs, in lower case.
var truths = []struct{ no, yes string }{{"false", "true"}, {"no", "yes"}, {"f", "t"}, {"n", "y"}}

// isBool reports whether a text, in upper or lower case, belongs to one of the pairs in truths.
func isBool(b []byte) bool { return len(b) <= 5 && truth(b) >= 0 }

// truth returns 2p if b is the first text of pair p in truths, and 2p + 1 if it is the second.
// Otherwise it returns −1.
func truth(b []byte) int {
	for p, pair := range truths {
		if asciiFold(b, pair.no) {
			return 2 * p
		}
		if asciiFold(b, pair.yes) {
			return 2*p + 1
		}
	}
	return -1
}

// asciiFold reports whether b equals the lower-case ASCII text s, ignoring case.
func asciiFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i := range b {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != s[i] {
			return false
		}
	}
	return true
}

// maybeMarked reports whether a text can be a number with separators or signs: it has at most 40
// bytes, contains a digit, and contains no ASCII letters except e and E.
func maybeMarked(b []byte) bool {
	if len(b) > 40 {
		return false
	}
	digit := false
	for _, c := range b {
		switch {
		case '0' <= c && c <= '9':
			digit = true
		case ('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') && c != 'e' && c != 'E':
			return false
		}
	}
	return digit
}

// signs lists the currency and percent signs, which are ignored before and after a number.
var signs = [][]byte{[]byte("€"), []byte("£"), []byte("$"), []byte("¥"), []byte("%")}

// bare removes the marks in [signs], the brackets of negative amounts and the typographic minus
// sign from the ends of a number. negative is true if brackets or minus signs make the number
// negative. signed is true if a mark in signs was removed.
func bare(b []byte) (rest []byte, negative, signed bool) {
	if len(b) > 2 && b[0] == '(' && b[len(b)-1] == ')' {
		b, negative = b[1:len(b)-1], true
	}
	if len(b) > 1 && (b[0] == '-' || b[0] == '+') {
		for _, s := range signs { // a minus sign before a currency sign, as in -£5
			if bytes.HasPrefix(b[1:], s) {
				negative = negative != (b[0] == '-')
				b = b[1:]
				break
			}
		}
	}
	for _, s := range signs {
		if t, ok := bytes.CutPrefix(b, s); ok {
			b, signed = trimCell(t), true
		}
		if t, ok := bytes.CutSuffix(b, s); ok {
			b, signed = trimCell(t), true
		}
	}
	if t, ok := bytes.CutPrefix(b, []byte("−")); ok { // the typographic minus sign
		b, negative = t, !negative
	}
	return b, negative, signed
}

// marks reports whether a text is a number with a decimal point (point), and whether it is a number
// with a decimal comma (comma). The other mark, spaces and apostrophes may separate thousands.
func marks(b []byte) (point, comma bool) {
	b, _, _ = bare(b)
	return grouped(b, '.', ','), grouped(b, ',', '.')
}

// grouped reports whether b is a number with the given decimal mark. The digits before this mark
// may be in groups of three. The separator between groups is the byte `group`, a space or an
// apostrophe, and is the same throughout b.
func grouped(b []byte, decimal, group byte) bool {
	i := 0
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		i++
	}
	digits, lead := 0, 0
	var mark []byte // the separator between the groups of b; nil if none was found yet
	for i < len(b) {
		if c := b[i]; c >= '0' && c <= '9' {
			digits++
			i++
			continue
		}
		sep := groupMark(b[i:], group)
		if sep == 0 {
			break
		}
		m := b[i : i+sep]
		if mark == nil {
			if digits < 1 || digits > 3 {
				return false
			}
			mark, lead = m, digits
		} else if digits != 3 || !bytes.Equal(m, mark) {
			return false
		}
		digits = 0
		i += sep
	}
	if mark != nil && digits != 3 {
		return false
	}
	if i < len(b) && b[i] == decimal {
		i++
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			digits++
			i++
		}
	}
	if digits+lead == 0 {
		return false
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '-' || b[i] == '+') {
			i++
		}
		from := i
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		if from == i {
			return false
		}
	}
	return i == len(b)
}

// groupMark returns the length of the thousands separator at the beginning of b, or 0.
func groupMark(b []byte, group byte) int {
	switch {
	case b[0] == group || b[0] == ' ' || b[0] == '\'':
		return 1
	case bytes.HasPrefix(b, []byte("\u00a0")):
		return 2
	case bytes.HasPrefix(b, []byte("\u202f")), bytes.HasPrefix(b, []byte("\u2009")), bytes.HasPrefix(b, []byte("’")):
		return 3
	}
	return 0
}

// markedNumber parses a number with the given decimal mark. The number may contain thousands
// separators and signs. ok is false if the text is not such a number.
func markedNumber(b []byte, decimal byte) (v float64, ok bool) {
	group := byte(',')
	if decimal == ',' {
		group = '.'
	}
	b, negative, _ := bare(b)
	if len(b) == 0 || !grouped(b, decimal, group) {
		return 0, false
	}
	var plain [48]byte
	n := 0
	for i := 0; i < len(b); {
		if b[i] == decimal {
			plain[n] = '.'
			n++
			i++
			continue
		}
		if skip := groupMark(b[i:], group); skip > 0 {
			i += skip
			continue
		}
		if n == len(plain) {
			return 0, false
		}
		plain[n] = b[i]
		n++
		i++
	}
	v, kind := plainNumber(plain[:n])
	if negative {
		v = -v
	}
	return v, kind.number()
}

// ambiguousPoint reports whether the point of a plain number may be a thousands separator: one to
// three digits that do not begin with 0, a point, and three digits.
func ambiguousPoint(b []byte) bool {
	if b[0] == '-' || b[0] == '+' {
		b = b[1:]
	}
	n := len(b)
	if n < 5 || n > 7 || b[n-4] != '.' || b[0] == '0' {
		return false
	}
	for i, c := range b {
		if i != n-4 && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// trimCell removes white space, including non-breaking spaces, from both ends.
func trimCell(b []byte) []byte {
	for len(b) > 0 {
		switch c := b[0]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f':
			b = b[1:]
			continue
		case c == 0xC2 && len(b) > 1 && (b[1] == 0xA0 || b[1] == 0x85):
			b = b[2:]
			continue
		case c < utf8.RuneSelf:
		default:
			b = bytes.TrimLeft(b, "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\u1680\ufeff")
		}
		break
	}
	for len(b) > 0 {
		n := len(b)
		switch c := b[n-1]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f':
			b = b[:n-1]
			continue
		case (c == 0xA0 || c == 0x85) && n > 1 && b[n-2] == 0xC2:
			b = b[:n-2]
			continue
		case c < utf8.RuneSelf:
		default:
			b = bytes.TrimRight(b, "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\u1680")
		}
		break
	}
	return b
}

// The order of day and month in the dates of a column.
const (
	monthFirstUnknown = iota // the order is not known yet, so both orders are tried
	dayFirst
	monthFirst

	// dottedTimes is added to the order if the column contains times of day such as 18.30.00.
	dottedTimes = 4
)

// months lists the beginnings of the English and German names of months, in lower case.
var months = map[string]int{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
	"mai": 5, "okt": 10, "dez": 12, "mär": 3,
}

// parseDate parses a date, a time of day, or both. It returns days since 1970-01-01 in UTC; a time
// of day alone is a fraction of a day. The formats of dates are "year-month-day", "day.month.year",
// "day/month/year", "month/day/year", "day-Mon-year", "day. Month year", "Month day, year" and
// "Mon-year", with a year of two or four digits. If order is monthFirstUnknown, 20231022 is not a
// date, and dotted numbers that cannot be a date, such as 18.30.00, are a time of day.
func parseDate(b []byte, order int) (days float64, ok bool) {
	if order&dottedTimes != 0 {
		if t, ok := dottedTime(b); ok {
			return t, true
		}
	}
	order &^= dottedTimes
	if days, ok = parseDay(b, order); !ok && order == monthFirstUnknown {
		return dottedTime(b)
	}
	return days, ok
}

// dottedTime parses hours, minutes and seconds separated by dots.
func dottedTime(b []byte) (t float64, ok bool) {
	if len(b) < 7 || !bytes.ContainsRune(b[:3], '.') {
		return 0, false
	}
	t, end, ok := clock(b, 0)
	return t, ok && end == len(b)
}

// parseDay is like parseDate, but does not accept times of day that contain dots.
func parseDay(b []byte, order int) (days float64, ok bool) {
	if len(b) < 4 || len(b) > 40 {
		return 0, false
	}
	if c := b[0]; c < '0' || c > '9' {
		return monthYear(b)
	}
	first, i := digitsAt(b, 0)
	// If the order is unknown, 20231022 is a number.
	if i == 8 && len(b) == 8 && order != monthFirstUnknown {
		return dayOf(first/10000, first/100%100, first%100)
	}
	if i == len(b) || i > 4 {
		return 0, false
	}
	sep := b[i]
	if sep == ':' && i <= 2 {
		if t, end, ok := clock(b, 0); ok && end == len(b) {
			return t, true
		}
	}
	if sep != '-' && sep != '/' && sep != '.' && sep != ' ' {
		return 0, false
	}
	width := i
	i++
	if sep == '.' && i < len(b) && b[i] == ' ' { // a date such as 3. März 2014
		sep = ' '
		i++
	}
	var year, month, day int
	if i < len(b) && (b[i] < '0' || b[i] > '9') { // a date such as 3-Mar-2014
		m, end := monthAt(b, i)
		if m == 0 || width > 2 || end == len(b) || b[end] != sep {
			return 0, false
		}
		var y, w int
		y, w = digitsAt(b, end+1)
		if n := w - end - 1; n != 2 && n != 4 {
			return 0, false
		} else if n == 2 {
			y = century(y)
		}
		year, month, day, i = y, m, first, w
	} else {
		second, j := digitsAt(b, i)
		if j == i || j-i > 2 || j == len(b) || b[j] != sep || sep == ' ' {
			return 0, false
		}
		third, k := digitsAt(b, j+1)
		switch n := k - j - 1; {
		case width == 4 && (n == 1 || n == 2):
			year, month, day = first, second, third
		case width <= 2 && (n == 2 || n == 4):
			if n == 2 {
				third = century(third)
			}
			year, day, month = third, first, second
			if order == monthFirst || order == monthFirstUnknown && second > 12 && sep != '.' {
				day, month = month, day
			}
		default:
			return 0, false
		}
		i = k
	}
	if days, ok = dayOf(year, month, day); !ok || i == len(b) {
		return days, ok
	}
	if b[i] != 'T' && b[i] != ' ' {
		return 0, false
	}
	t, end, ok := clock(b, i+1)
	if !ok {
		return 0, false
	}
	rest := b[end:]
	switch {
	case len(rest) == 0, string(rest) == "Z", string(rest) == " UTC":
	case asciiFold(bytes.TrimLeft(rest, " "), "am"), asciiFold(bytes.TrimLeft(rest, " "), "pm"):
		half := bytes.TrimLeft(rest, " ")[0] | 0x20
		if t >= 0.5 {
			t -= 0.5
		}
		if half == 'p' {
			t += 0.5
		}
	case (rest[0] == '+' || rest[0] == '-') && len(rest) >= 3 && len(rest) <= 6:
		h, e := digitsAt(rest, 1)
		m := 0
		if e == 5 { // a time zone such as +0100
			h, m = h/100, h%100
		} else if e < len(rest) && rest[e] == ':' {
			m, e = digitsAt(rest, e+1)
		}
		if e != len(rest) || h > 14 || m > 59 {
			return 0, false
		}
		offset := float64(60*h+m) / 1440
		if rest[0] == '+' {
			offset = -offset
		}
		t += offset
	default:
		return 0, false
	}
	return days + t, true
}

// monthYear parses dates such as October 3, 2014. It also parses Oct-14, Oct 2014 and October 2014,
// as the first day of the month.
func monthYear(b []byte) (float64, bool) {
	m, end := monthAt(b, 0)
	if m == 0 || end == len(b) || b[end] != '-' && b[end] != ' ' {
		return 0, false
	}
	y, e := digitsAt(b, end+1)
	if n := e - end - 1; b[end] == ' ' && n >= 1 && n <= 2 && e+2 < len(b) && (b[e] == ',' || b[e] == ' ') { // a date such as October 3, 2014
		day, from := y, e+1
		if b[e] == ',' && b[from] == ' ' {
			from++
		}
		year, to := digitsAt(b, from)
		if to != len(b) || to-from != 4 {
			return 0, false
		}
		return dayOf(year, m, day)
	}
	if n := e - end - 1; e != len(b) || n != 2 && n != 4 {
		return 0, false
	} else if n == 2 {
		y = century(y)
	}
	return float64(dayNumber(y, m, 1)), true
}

// monthAt parses the name of a month from index i. It returns the number of the month, or 0 if
// there is no such name, and the index after the name.
func monthAt(b []byte, i int) (month, end int) {
	end = i
	for end < len(b) && (b[end]|0x20 >= 'a' && b[end]|0x20 <= 'z' || b[end] >= utf8.RuneSelf) {
		end++
	}
	if end-i < 3 || end-i > 10 {
		return 0, end
	}
	name := bytes.ToLower(b[i:end])
	month = months[string(name[:3])]
	if month == 0 && len(name) > 3 {
		month = months[string(name[:4])]
	}
	return month, end
}

// century returns the year from 1970 to 2069 with the given last two digits.
func century(y int) int {
	if y >= 70 {
		return 1900 + y
	}
	return 2000 + y
}

// clock parses hours, minutes and optional seconds from index i. It returns the time as a fraction
// of a day, and the index after it.
func clock(b []byte, i int) (t float64, end int, ok bool) {
	h, j := digitsAt(b, i)
	if j == i || j-i > 2 || h > 24 || j == len(b) || b[j] != ':' && b[j] != '.' {
		return 0, i, false
	}
	sep := b[j]
	m, k := digitsAt(b, j+1)
	if k-j-1 != 2 || m > 59 {
		return 0, i, false
	}
	s := 0.0
	if k < len(b) && b[k] == sep {
		whole, e := digitsAt(b, k+1)
		if e-k-1 != 2 || whole > 60 {
			return 0, i, false
		}
		s, k = float64(whole), e
		if k < len(b) && b[k] == '.' {
			from := k
			for k++; k < len(b) && b[k] >= '0' && b[k] <= '9'; k++ {
			}
			if part, kind := plainNumber(append([]byte{'0'}, b[from:k]...)); kind == floatCell {
				s += part
			}
		}
	} else if sep == '.' {
		return 0, i, false // 12.30 is a number
	}
	return (float64(3600*h+60*m) + s) / 86400, k, true
}

// digitsAt parses up to nine digits from index i. It returns their value and the index after them.
func digitsAt(b []byte, i int) (value, end int) {
	for end = i; end < len(b) && end < i+9 && b[end] >= '0' && b[end] <= '9'; end++ {
		value = 10*value + int(b[end]-'0')
	}
	return value, end
}

// daysIn returns the number of days of a month.
func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// dayOf returns the number of days from 1970-01-01 to a date. ok is false if the date does not
// exist.
func dayOf(year, month, day int) (days float64, ok bool) {
	if month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return 0, false
	}
	return float64(dayNumber(year, month, day)), true
}

// dayNumber returns the number of days from 1970-01-01 to a date in the Gregorian calendar.
func dayNumber(year, month, day int) int {
	if month <= 2 {
		year--
		month += 12
	}
	era := int(math.Floor(float64(year) / 400))
	ofEra := year - 400*era
	ofYear := (153*(month-3)+2)/5 + day - 1
	return 146097*era + 365*ofEra + ofEra/4 - ofEra/100 + ofYear - 719468
}
