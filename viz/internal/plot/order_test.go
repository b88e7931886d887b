package plot

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Lines are ordered by the Unicode Bidirectional Algorithm. Upper-case letters stand for Hebrew
// letters: A is alef.
func TestOrder(t *testing.T) {
	hebrew := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= 'A' && r <= 'Z' {
				return 'א' + r - 'A'
			}
			return r
		}, s)
	}
	for text, want := range map[string]string{
		"":                            "",
		"abc (12)":                    "abc (12)",
		"ABC":                         "CBA",
		"ABC DEF":                     "FED CBA",
		"car ABC":                     "car CBA",
		"car ABC.":                    "car CBA.",
		"ABC car":                     "car CBA",
		"ABC car.":                    ".car CBA",
		"ABC 123":                     "123 CBA",
		"abc ABC 12 DEF x":            "abc FED 12 CBA x",
		"abc ABC 12!":                 "abc 12 CBA!",
		"abc ABC 1,234.5 x":           "abc 1,234.5 CBA x",
		"ABC (hello) 123":             "123 (hello) CBA",
		"abc (ABC) def":               "abc (CBA) def",
		"ABC (DEF)":                   "(FED) CBA",
		"ABC [x] (DEF)":               "(FED) [x] CBA",
		"he said \"ABC, DE\"":         "he said \"ED ,CBA\"",
		"ABC  ":                       "  CBA",
		"abc 50% ABC":                 "abc 50% CBA",
		"ABC 50%":                     "50% CBA",
		"ABC -5":                      "5- CBA",
		"smith (fabrikam ABC) HEBREW": "smith (fabrikam CBA) WERBEH",
		"ABC(DEF[&x]!)y":              "y(![x&]FED)CBA",
	} {
		if got := string(visual(hebrew(text))); got != hebrew(want) {
			t.Errorf("%q is written %q, want %q", hebrew(text), got, hebrew(want))
		}
	}
	if got, want := string(visual("אָבֵ")), "בֵאָ"; got != want {
		t.Errorf("marks are written %q, want %q", got, want)
	}
	for _, text := range []string{"\u202eabc\u202c א", "א\nב\u2029ג", "(((א)]", "\xff א \xff", "\u0301א"} {
		if got := visual(text); !slices.Contains(got, 'א') || len(got) > utf8.RuneCountInString(text) {
			t.Errorf("%q is written %q", text, string(got))
		}
	}
}

// Arabic letters have the Unicode forms for their position in a word.
func TestArabicForms(t *testing.T) {
	for text, want := range map[string]string{
		"بيت":     "ﺑﻴﺖ",
		"دار":     "ﺩﺍﺭ",
		"سلام":    "ﺳﻼﻡ",
		"لا":      "ﻻ",
		"مرحبا":   "ﻣﺮﺣﺒﺎ",
		"پچگ":     "ﭘﭽﮓ",
		"ماء":     "ﻣﺎﺀ",
		"بَيت":    "ﺑَﻴﺖ",
		"ab ب cd": "ab ﺏ cd",
		"ي":       "ﻱ",
		"ىىى":     "ﻯﻯﻯ",
		"ئئ":      "ﺋﺊ",
		"ــبــ":   "ــﺒــ",
	} {
		if got := string(joined([]rune(text))); got != want {
			t.Errorf("%s is shaped %+q, want %+q", text, got, want)
		}
	}
	for _, block := range letterForms {
		for k, n := range block.counts {
			letter := block.letter + rune(k)
			first, count := forms(letter)
			if count != int(n-'0') || unshaped(first) != letter || unshaped(first+rune(count)-1) != letter {
				t.Errorf("%c has %d forms from %c on, of %c", letter, count, first, unshaped(first))
			}
		}
	}
}
