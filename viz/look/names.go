package look

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the number of characters of a name in a figure.
const maxName = 200

// Name shortens a name to the 200 characters that figures show: names come from files and
// may be whole texts.
func Name(name string) string { return Names([]string{name})[0] }

// Names is [Name] for names that stand side by side, which stay different, see [Shorten].
func Names(names []string) []string {
	return Shorten(names, func(s string) bool { return len(s) <= maxName || utf8.RuneCountInString(s) <= maxName })
}

// Shorten cuts the names that do not fit, and marks the cut by an ellipsis. A name is cut at
// its end. If different names would read the same, they are cut in the middle, or
// where they differ, or else they get numbers, so that different names stay different. fits reports whether a text
// has room; it is true for shorter texts if it is for a longer one.
func Shorten(names []string, fits func(string) bool) []string {
	out := slices.Clone(names)
	alike := map[string][]string{} // the different names that are cut to a text
	shown := map[string]string{}   // how a name is shown
	var order []string             // the keys of alike, as they are met
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
		for first := 1; apart == nil; first += len(group) { // names may have numbers already
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

// cutters are ways to cut names that begin alike, the best first.
func cutters(group []string, fits func(string) bool) []func(k int) string {
	common := len(group[0]) // bytes at the beginning that all have
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
	out = append(out, func(k int) string { // the beginning is left out but for its first letters
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

// numbered cuts names so that a number has room behind each, the first one being first.
func numbered(group []string, fits func(string) bool, first int) func(k int) string {
	return func(k int) string {
		number := fmt.Sprintf(" (%d)", first+k)
		return clipped(group[k], func(s string) bool { return fits(s + number) }, 0) + number
	}
}

// distinct applies a cutter to all names of a group, and returns nil if two results, or one
// and a taken text, are the same.
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

// clipped is the longest text that fits: the beginning of a name and an ellipsis, and
// behind that a share of it from the name's end. A name that fits stays.
func clipped(name string, fits func(string) bool, share float64) string {
	if fits(name) {
		return name
	}
	at := bounds(name)
	whole := len(at) - 1
	cut := func(kept int) string {
		tail := int(share*float64(kept) + 0.5)
		return strings.TrimRight(name[:at[kept-tail]], " ") + "…" + strings.TrimLeft(name[at[whole-tail]:], " ")
	}
	lo, hi := 0, whole // lo fits or is 0, hi does not
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; fits(cut(mid)) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return cut(lo)
}

// bounds are the places, in bytes, between the characters as a reader sees them: marks,
// joiners and what they join belong to the letter before. The first is 0 and the last the
// length.
func bounds(s string) []int {
	out := []int{0}
	joined := true // the next rune belongs to the character before
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

// joiner joins emoji to one.
const joiner = '\u200d'
