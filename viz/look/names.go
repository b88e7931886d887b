package look

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName bounds the number of characters of a name in a figure.
const maxName = 200

// Name shortens a name to at most 200 characters. Names come from files and may be long texts.
func Name(name string) string { return Names([]string{name})[0] }

// Names is [Name] for several names. Different names remain different, see [Shorten].
func Names(names []string) []string {
	return Shorten(names, func(s string) bool { return len(s) <= maxName || utf8.RuneCountInString(s) <= maxName })
}

// Shorten cuts names that do not fit, and marks each cut with an ellipsis. By default a name is cut
// at its end. If different names would thereby become identical, they are cut in the middle or at
// the beginning instead. If this does not distinguish them, they are numbered. fits reports whether
// a text fits. If a text fits, all shorter texts must fit too.
func Shorten(names []string, fits func(string) bool) []string {
	out := slices.Clone(names)
	alike := map[string][]string{} // names with the same abbreviation, by abbreviation
	shown := map[string]string{}   // abbreviation by name
	var order []string             // the keys of alike in order of appearance
	for _, name := range names {
		if _, met := shown[name]; met {
			continue
		}
		cut := name
		if !fits(name) {
			cut = clipped(name, fits, 0)
		}
		shown[name] = cut
		if alike[cut] == nil {
			order = append(order, cut)
		}
		alike[cut] = append(alike[cut], name)
	}
	taken := map[string]bool{}
	for _, cut := range order {
		if len(alike[cut]) == 1 {
			taken[cut] = true
		}
	}
	for _, cut := range order {
		group := alike[cut]
		if len(group) == 1 {
			continue
		}
		var apart []string
		for _, cutter := range cutters(group, fits) {
			if apart == nil {
				apart = distinct(group, cutter, taken)
			}
		}
		for first := 1; apart == nil; first += len(group) { // a numbered name may equal another name, so try the next numbers
			apart = distinct(group, numbered(group, fits, first), taken)
		}
		for k, name := range group {
			shown[name] = apart[k]
			taken[apart[k]] = true
		}
	}
	for k, name := range names {
		out[k] = shown[name]
	}
	return out
}

// cutters returns functions that abbreviate the names of a group with a common beginning. Each
// returns the abbreviation of group[k]. The functions are in order of preference.
func cutters(group []string, fits func(string) bool) []func(k int) string {
	common := len(group[0]) // length of the common beginning, in bytes
	for _, name := range group[1:] {
		n := 0
		for n < min(common, len(name)) && name[n] == group[0][n] {
			n++
		}
		common = n
	}
	var out []func(k int) string
	for _, share := range []float64{0.5, 0.67, 0.8} {
		out = append(out, func(k int) string { return clipped(group[k], fits, share) })
	}
	out = append(out, func(k int) string { // omit the beginning except for its first characters
		name := group[k]
		at := bounds(name)
		first, from := at[min(len(at)-1, 4)], 0
		for _, b := range at {
			if b <= common {
				from = b
			}
		}
		if from <= first {
			return clipped(name, fits, 0)
		}
		return clipped(name[:first]+"…"+name[from:], fits, 0)
	})
	return out
}

// numbered returns a function that cuts group[k] and appends the number first + k.
func numbered(group []string, fits func(string) bool, first int) func(k int) string {
	return func(k int) string {
		number := fmt.Sprintf(" (%d)", first+k)
		return clipped(group[k], func(s string) bool { return fits(s + number) }, 0) + number
	}
}

// distinct applies the function cutter to all names of a group. It returns nil if two results are
// equal, or if a result is in taken.
func distinct(group []string, cutter func(k int) string, taken map[string]bool) []string {
	out := make([]string, len(group))
	seen := map[string]bool{}
	for k := range group {
		out[k] = cutter(k)
		if seen[out[k]] || taken[out[k]] {
			return nil
		}
		seen[out[k]] = true
	}
	return out
}

// clipped returns the longest abbreviation that fits: the beginning of the name, an ellipsis, and
// the end of the name. share is the fraction of the kept characters that come from the end. A name
// that fits is returned unchanged.
func clipped(name string, fits func(string) bool, share float64) string {
	if fits(name) {
		return name
	}
	if head, tail := longest, len(name)-longest; head < tail {
		for head > 0 && !utf8.RuneStart(name[head]) {
			head--
		}
		for tail < len(name) && !utf8.RuneStart(name[tail]) {
			tail++
		}
		name = name[:head] + name[tail:]
	}
	at := bounds(name)
	whole := len(at) - 1
	cut := func(kept int) string {
		tail := int(share*float64(kept) + 0.5)
		return strings.TrimRight(name[:at[kept-tail]], " ") + "…" + strings.TrimLeft(name[at[whole-tail]:], " ")
	}
	lo, hi := 0, whole // lo kept characters fit, or lo is 0; hi kept characters do not fit
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; fits(cut(mid)) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return cut(lo)
}

// longest bounds the bytes that an abbreviation takes from each end of a name.
const longest = 1 << 12

// bounds returns the byte offsets between grapheme clusters. Clusters are approximate: marks,
// joiners and joined characters belong to the character before them. The first offset is 0, and the
// last is the length of s.
func bounds(s string) []int {
	out := []int{0}
	joined := true // the next rune belongs to the current cluster
	for at, r := range s {
		mark := unicode.In(r, unicode.Mn, unicode.Me, unicode.Variation_Selector) || r == joiner || r >= 0x1f3fb && r <= 0x1f3ff
		if at > 0 && !joined && !mark {
			out = append(out, at)
		}
		joined = r == joiner
	}
	if len(s) > 0 {
		out = append(out, len(s))
	}
	return out
}

// joiner is the zero-width joiner, which combines emoji.
const joiner = '\u200d'
