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
	// Weight is c-TF-IDF: the share among the words of the group times log(1 + A/f), where f
	// counts the word in all groups, and A is the mean number of words of a group.
	Weight float64
	// ShareIn and ShareOut are the shares of the samples that have the word.
	ShareIn, ShareOut float64
}

// Words returns the words of each group by c-TF-IDF, the highest weight first, then by text. Rows
// in no group form another group. Words that are no more frequent in the group than elsewhere, such
// as "the", are left out: a word must occur in at least two samples, with δ above its standard
// error.
//
// Source: Grootendorst, "BERTopic: Neural topic modeling with a class-based TF-IDF procedure",
// 2022.
func Words(texts []string, g Groups) [][]Word {
	count := len(g.Size)
	type use struct {
		times, samples []int // by group; the last are rows in none
		last           int   // row
	}
	uses := map[string]*use{}
	total := make([]int, count+1) // words
	there := make([]int, count+1) // samples with a text
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

// wordsOf returns the words of a text in lower case: letters and marks, at least two.
func wordsOf(text string) []string {
	all := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	return slices.DeleteFunc(all, func(w string) bool { return utf8.RuneCountInString(w) < 2 })
}

// free reports whether texts are sentences: their values are not compared, or not all of them, and
// most have several words.
func free(texts []string) bool {
	c := NewTexts(texts)
	if c.there == 0 || len(c.Values) > 0 && !c.Partial() {
		return false
	}
	several := 0
	for _, text := range texts {
		if len(wordsOf(text)) > 1 {
			several++
		}
	}
	return 2*several > c.there
}
