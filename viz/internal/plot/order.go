package plot

import (
	"slices"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// firstRightToLeft is the first code point of a right-to-left script. Text with only smaller code
// points needs no reordering.
const firstRightToLeft = 0x590

// visual returns the characters of a line of text in the order in which they are drawn, from left
// to right. It replaces Arabic letters with their contextual forms. A mark, such as an accent,
// stays after its letter. The function implements the Unicode Bidirectional Algorithm (UAX #9),
// except embeddings, overrides and isolates, whose control characters it removes.
func visual(text string) []rune {
	runes := []rune(text)
	if !slices.ContainsFunc(runes, func(r rune) bool { return r >= firstRightToLeft }) {
		return runes
	}
	runes = joined(slices.DeleteFunc(runes, hidden))
	levels, most := levelsOf(runes)
	// A unit is a character followed by its marks.
	var units [][]rune
	var level []int
	for k, r := range runes {
		if k > 0 && mark(r) {
			units[len(units)-1] = append(units[len(units)-1], r)
			continue
		}
		if levels[k]%2 == 1 {
			r = mirrored(r)
		}
		units, level = append(units, []rune{r}), append(level, levels[k])
	}
	for ; most > 0; most-- { // rule L2
		for from := 0; from < len(units); from++ {
			to := from
			for to < len(units) && level[to] >= most {
				to++
			}
			slices.Reverse(units[from:to])
			slices.Reverse(level[from:to])
			from = max(from, to-1)
		}
	}
	return slices.Concat(units...)
}

// mirrored returns the opposite bracket for a bracket, and any other character unchanged.
func mirrored(r rune) rune { return []rune(bidi.ReverseString(string(r)))[0] }

// levelsOf returns the embedding level of each character as defined in UAX #9. It is odd for
// right-to-left text. levelsOf also returns the highest level.
func levelsOf(runes []rune) (levels []int, most int) {
	n := len(runes)
	class, is := make([]bidi.Class, n), make([]bidi.Properties, n)
	base, even := 0, bidi.L
	for k, r := range runes {
		is[k], _ = bidi.LookupRune(r)
		class[k] = is[k].Class()
	}
	if k := slices.IndexFunc(class, func(c bidi.Class) bool { return c == bidi.L || c == bidi.R || c == bidi.AL }); k >= 0 && class[k] != bidi.L {
		base, even = 1, bidi.R
	}
	blank := n // start of trailing white space
	for blank > 0 && (class[blank-1] == bidi.WS || class[blank-1] == bidi.S || class[blank-1] == bidi.B) {
		blank--
	}
	at := func(k int) bidi.Class {
		if k < 0 || k >= n {
			return bidi.ON
		}
		return class[k]
	}
	last := even           // direction of the previous strong character
	for k := range class { // rules W1 to W3
		switch class[k] {
		case bidi.NSM:
			if class[k] = even; k > 0 {
				class[k] = class[k-1]
			}
		case bidi.L, bidi.R, bidi.AL:
			last = class[k]
		case bidi.EN:
			if last == bidi.AL {
				class[k] = bidi.AN
			}
		}
	}
	for k := range class {
		if class[k] == bidi.AL {
			class[k] = bidi.R
		}
	}
	for k := range class { // rule W4
		if sides := at(k - 1); sides == at(k+1) && (class[k] == bidi.ES && sides == bidi.EN || class[k] == bidi.CS && (sides == bidi.EN || sides == bidi.AN)) {
			class[k] = sides
		}
	}
	for k := 0; k < n; k++ { // rules W5 and W6
		end := k
		for end < n && class[end] == bidi.ET {
			end++
		}
		to := bidi.ON
		if at(k-1) == bidi.EN || at(end) == bidi.EN {
			to = bidi.EN
		}
		for ; k < end; k++ {
			class[k] = to
		}
		if k < n && (class[k] == bidi.ES || class[k] == bidi.CS) {
			class[k] = bidi.ON
		}
	}
	last = even
	for k := range class { // rule W7
		switch class[k] {
		case bidi.L, bidi.R:
			last = class[k]
		case bidi.EN:
			if last == bidi.L {
				class[k] = bidi.L
			}
		}
	}
	// side returns the direction of character k for rules N0 to N2: L, R, or ON for a neutral
	// character. For k beyond the ends of the text, it returns the direction of the paragraph.
	side := func(k int) bidi.Class {
		switch {
		case k < 0 || k >= n:
			return even
		case class[k] == bidi.EN || class[k] == bidi.AN || class[k] == bidi.R:
			return bidi.R
		case class[k] == bidi.L:
			return bidi.L
		}
		return bidi.ON
	}
	for _, pair := range brackets(runes, class, is) { // rule N0
		same, other := false, false
		for k := pair[0] + 1; k < pair[1]; k++ {
			same, other = same || side(k) == even, other || side(k) != even && side(k) != bidi.ON
		}
		before := pair[0] - 1
		for before >= 0 && side(before) == bidi.ON {
			before--
		}
		switch {
		case same || other && side(before) == even:
			class[pair[0]], class[pair[1]] = even, even
		case other:
			class[pair[0]], class[pair[1]] = side(before), side(before)
		}
	}
	levels = make([]int, n)
	for k := 0; k < n; k++ { // rules N1 and N2
		end := k
		for end < n && side(end) == bidi.ON {
			end++
		}
		to := even
		if side(k-1) == side(end) {
			to = side(end)
		}
		for ; k < end; k++ {
			class[k] = to
		}
	}
	for k, c := range class { // rules I1 and I2
		levels[k] = base
		switch {
		case k >= blank:
		case c == bidi.R:
			levels[k] = 1
		case c == bidi.EN || c == bidi.AN:
			levels[k] = 2
		case c == bidi.L && base == 1:
			levels[k] = 2
		}
		most = max(most, levels[k])
	}
	return levels, most
}

// brackets returns the index pairs of matching brackets, sorted by the opening bracket.
func brackets(runes []rune, class []bidi.Class, is []bidi.Properties) [][2]int {
	var open []int
	var out [][2]int
	for k, p := range is {
		if !p.IsBracket() || class[k] != bidi.ON {
			continue
		}
		if p.IsOpeningBracket() {
			open = append(open, k)
			continue
		}
		for d := len(open) - 1; d >= 0; d-- {
			if runes[open[d]] == mirrored(runes[k]) {
				out, open = append(out, [2]int{open[d], k}), open[:d]
				break
			}
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return a[0] - b[0] })
	return out
}

// mark reports whether a character is a mark above or below the previous character.
func mark(r rune) bool { return unicode.In(r, unicode.Mn, unicode.Me) }

// letterForms lists ranges of Arabic letters with the number of presentation forms of each letter.
// letter is the first letter of a range. The forms of all its letters are consecutive code points,
// beginning with first. The forms of a letter are in the order isolated, final, initial, medial.
var letterForms = []struct {
	letter, first rune
	counts        string // one digit per letter of the range: the number of its forms
}{
	{0x621, 0xfe80, "12222424244444222244444444"}, {0x641, 0xfed1, "4444444224"},
	{0x67e, 0xfb56, "4"}, {0x686, 0xfb7a, "4"}, {0x698, 0xfb8a, "2"}, {0x6a9, 0xfb8e, "4"}, {0x6af, 0xfb92, "4"}, {0x6cc, 0xfbfc, "4"},
}

// forms returns the first presentation form of an Arabic letter and the number of its forms. The
// number is two if the letter joins only to the letter before it. For other characters, forms
// returns 0, 0.
func forms(r rune) (first rune, count int) {
	for _, block := range letterForms {
		if r < block.letter || int(r-block.letter) >= len(block.counts) {
			continue
		}
		first = block.first
		for _, n := range block.counts[:r-block.letter] {
			first += n - '0'
		}
		return first, int(block.counts[r-block.letter] - '0')
	}
	return 0, 0
}

// Tatweel joins to letters on both sides. Lam and a following alef are drawn as one ligature.
const (
	tatweel = 0x640
	lam     = 0x644
)

// ligatures maps each kind of alef to the isolated form of its ligature with lam. The final form of
// the ligature is the next code point.
var ligatures = map[rune]rune{0x622: 0xfef5, 0x623: 0xfef7, 0x625: 0xfef9, 0x627: 0xfefb}

// joined replaces Arabic letters with their contextual forms. A mark stays after its letter, and
// letters join across marks.
func joined(runes []rune) []rune {
	letters := func(at, step int) rune { // letters returns the letter that follows (step 1) or precedes (step −1) the given index
		for at += step; at >= 0 && at < len(runes); at += step {
			if !mark(runes[at]) {
				return runes[at]
			}
		}
		return 0
	}
	before := func(r rune) bool { _, n := forms(r); return n == 4 || r == tatweel } // before reports whether r joins to the letter after it
	after := func(r rune) bool { _, n := forms(r); return n >= 2 || r == tatweel }  // after reports whether r joins to the letter before it
	out := make([]rune, 0, len(runes))
	for k := 0; k < len(runes); k++ {
		r := runes[k]
		first, count := forms(r)
		if count == 0 {
			out = append(out, r)
			continue
		}
		form := rune(0)
		if count > 1 && before(letters(k, -1)) {
			form = 1
		}
		if r == lam && k+1 < len(runes) && ligatures[runes[k+1]] != 0 {
			k++
			out = append(out, ligatures[runes[k]]+form)
			continue
		}
		if count == 4 && after(letters(k, 1)) {
			form += 2
		}
		out = append(out, first+form)
	}
	return out
}

// unshaped returns the letter that a presentation form stands for, or 0.
func unshaped(form rune) rune {
	for _, block := range letterForms {
		at := block.first
		for k, n := range block.counts {
			next := at + n - '0'
			if form >= at && form < next {
				return block.letter + rune(k)
			}
			at = next
		}
	}
	return 0
}
