package look

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// upTo fits texts of up to n characters.
func upTo(n int) func(string) bool {
	return func(s string) bool { return utf8.RuneCountInString(s) <= n }
}

// Names are cut at the end, or in the middle if they have a common beginning.
func TestShorten(t *testing.T) {
	cells := []string{"CD4-positive, alpha-beta memory T cell", "CD4-positive, alpha-beta T cell", "CD4-positive, alpha-beta cytotoxic T cell", "natural killer cell, mature", "B cell"}
	want := []string{"CD4-positive…emory T cell", "CD4-positive…-beta T cell", "CD4-positive…toxic T cell", "natural killer cell, mat…", "B cell"}
	if got := Shorten(cells, upTo(25)); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	for _, names := range [][]string{
		cells,
		{strings.Repeat("a", 300) + "1", strings.Repeat("a", 300) + "2", strings.Repeat("a", 300)},
		{strings.Repeat("a", 50) + "x" + strings.Repeat("a", 50), strings.Repeat("a", 50) + "y" + strings.Repeat("a", 50)},
		{strings.Repeat("a", 50) + "x" + strings.Repeat("b", 50), strings.Repeat("a", 51) + "x" + strings.Repeat("b", 50), strings.Repeat("a", 52) + "x" + strings.Repeat("b", 50)},
		{strings.Repeat("猫", 40) + "一", strings.Repeat("猫", 40) + "二"},
		{"aaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaa…"},
		{"", "a", strings.Repeat("\xff", 60), strings.Repeat("\xff", 61)},
	} {
		for _, most := range []int{8, 12, 24, 40} {
			got := Shorten(names, upTo(most))
			for k := range names {
				if !upTo(most)(got[k]) {
					t.Errorf("%q is longer than %d", got[k], most)
				}
				if upTo(most)(names[k]) && got[k] != names[k] {
					t.Errorf("%q has room but was cut to %q", names[k], got[k])
				}
				for j := range k {
					if (got[j] == got[k]) != (names[j] == names[k]) {
						t.Errorf("%d characters: %q and %q are shown as %q and %q", most, names[j], names[k], got[j], got[k])
					}
				}
			}
		}
	}
}

// A cut never splits a character: marks stay with their letter, and joined emoji stay whole.
func TestShortenWholeCharacters(t *testing.T) {
	for name, parts := range map[string][]string{
		strings.Repeat("e\u0301", 30):  {"e\u0301"},
		strings.Repeat("👩\u200d🔬", 30): {"👩\u200d🔬"},
		strings.Repeat("👍🏽", 30):       {"👍🏽"},
	} {
		for most := 3; most < 20; most++ {
			got := Shorten([]string{name}, upTo(most))[0]
			if rest := strings.ReplaceAll(got, parts[0], ""); rest != "…" {
				t.Errorf("%d characters of %q are %q", most, name, got)
			}
		}
	}
}

// Many names that differ late stay different, also after a figure has cut them to 200 characters.
func TestNames(t *testing.T) {
	var names []string
	for k := range 2000 {
		names = append(names, strings.Repeat("long ", 50)+fmt.Sprint(k)+strings.Repeat(" end", 50))
	}
	got := Names(names)
	if n := len(slices.Compact(slices.Sorted(slices.Values(got)))); n != len(names) {
		t.Errorf("%d of %d names are left", n, len(names))
	}
	for _, name := range got {
		if n := utf8.RuneCountInString(name); n > maxName {
			t.Fatalf("%d characters", n)
		}
	}
}
