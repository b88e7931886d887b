package contrast

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is a word that is typical of a group.
type Word struct {
	Text string
	// Weight is c-TF-IDF: the word's share of the words in the group, times log(1 + A/f). f is the
	// count of the word in all groups, and A is the mean number of words per group.
	Weight float64
	// ShareIn and ShareOut are the shares of samples with text that contain the word, in the group
	// and outside it.
	ShareIn, ShareOut float64
}

// Words returns the typical words of each group in descending order of c-TF-IDF, then
// alphabetically. Rows in no group form another group. A word must occur in at least two samples of
// the group. Its δ is the share of the group's samples that contain the word, minus the share of
// the other samples that do, and must exceed the standard error of δ. This excludes words that are
// equally frequent elsewhere, such as "the".
//
// Source: Grootendorst, "BERTopic: Neural topic modeling with a class-based TF-IDF procedure",
// 2022.
func Words(texts []string, g Groups) [][]Word {
	count := len(g.Size)
	type use struct {
		times, samples []int // occurrences, and samples with the word, by group; the last entry is for rows in no group
		last           int   // the last row counted in samples, or −1
	}
	uses := map[string]*use{}
	total := make([]int, count+1) // number of words in each group
	there := make([]int, count+1) // number of samples with text in each group
	for i, text := range texts {
		k := int(g.Of[i])
		if k < 0 {
			k = count
		}
		if text != "" {
			there[k]++
		}
		for _, w := range wordsOf(text) {
			u := uses[w]
			if u == nil {
				u = &use{make([]int, count+1), make([]int, count+1), -1}
				uses[w] = u
			}
			u.times[k]++
			total[k]++
			if u.last != i {
				u.last = i
				u.samples[k]++
			}
		}
	}
	sum, groups, samples := 0, 0, 0
	for k, t := range total {
		sum += t
		samples += there[k]
		if t > 0 {
			groups++
		}
	}
	out := make([][]Word, count)
	if groups == 0 {
		return out
	}
	mean := float64(sum) / float64(groups)
	names := slices.Sorted(maps.Keys(uses))
	for k := range out {
		in, others := float64(there[k]), float64(samples-there[k])
		if in == 0 || others == 0 {
			continue
		}
		se := math.Sqrt((in + others + 1) / (3 * in * others))
		for _, name := range names {
			u := uses[name]
			times, having := 0, 0
			for c := range u.times {
				times += u.times[c]
				having += u.samples[c]
			}
			a, b := float64(u.samples[k])/in, float64(having-u.samples[k])/others
			if u.samples[k] < 2 || a <= b || Score(a-b, se) == 0 {
				continue
			}
			weight := float64(u.times[k]) / float64(total[k]) * math.Log(1+mean/float64(times))
			out[k] = append(out[k], Word{name, weight, a, b})
		}
		slices.SortStableFunc(out[k], func(a, b Word) int { return cmp.Compare(b.Weight, a.Weight) })
	}
	return out
}

// wordsOf returns the words of a text in lower case: runs of at least two letters or marks.
func wordsOf(text string) []string {
	all := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	return slices.DeleteFunc(all, func(w string) bool { return utf8.RuneCountInString(w) < 2 })
}

// free reports whether texts are free text, such as sentences. Most texts must have several words.
// The texts must all be different, or have more distinct values than [NewTexts] compares.
func free(texts []string) bool {
	c := NewTexts(texts)
	if c.present == 0 || len(c.Values) > 0 && !c.Partial() {
		return false
	}
	several := 0
	for _, text := range texts {
		if len(wordsOf(text)) > 1 {
			several++
		}
	}
	return 2*several > c.present
}
