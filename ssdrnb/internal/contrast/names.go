package contrast

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/stat"
)

// mostAlike is a threshold: a column is redundant if its Spearman correlation with a column already
// in the name exceeds mostAlike in magnitude.
const mostAlike = 0.8

// Names returns a short name for each group. A name consists of up to two columns in which the
// group differs most from all other samples; only large effects count. Redundant columns are
// skipped, see mostAlike. Groups with equal names get a third column, and a number if they are
// still equal. If no column has a large effect, the name consists of the three most typical words
// of a column of free text, see [Words]. Without such words, the name is "cluster" followed by the
// number of the group. results must come from [Compare].
func Names(features []Feature, results []Result, g Groups) []string {
	count := len(g.Size)
	type candidate struct {
		column       int
		delta, score float64
		word         string
	}
	alike := &spearman{features, map[int][]float64{}}
	short, full := make([]string, count), make([]string, count)
	typical := sync.OnceValue(func() [][]string { return typicalWords(features, g) })
	for c := range count {
		var all []candidate
		add := func(column int, delta, se float64, word string) {
			if score := Score(delta, se); score > 0 && math.Abs(delta) >= Large {
				all = append(all, candidate{column, delta, score, word})
			}
		}
		for j, f := range features {
			if f.Texts == nil {
				e := results[j].Effects[c]
				word := []string{"low", "high", "early", "late"}
				if f.Date {
					word = word[2:]
				}
				if e.Delta > 0 {
					word = word[1:]
				}
				add(j, e.Delta, e.SE, f.Title+" "+word[0])
				continue
			}
			for _, v := range results[j].Values[c] {
				if v.Delta > 0 { // only values that are more frequent in the group than outside can name it
					add(j, v.Delta, v.SE, f.Title+" "+v.Value)
				}
			}
		}
		slices.SortStableFunc(all, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.column, b.column))
		})
		var taken []int
		var words []string
		for _, x := range all {
			if len(taken) > 2 {
				break
			}
			if !slices.ContainsFunc(taken, func(q int) bool { return alike.redundant(x.column, q) }) {
				taken, words = append(taken, x.column), append(words, x.word)
			}
		}
		most := 2
		if words == nil {
			words, most = typical()[c], 3
		}
		short[c], full[c] = strings.Join(words[:min(most, len(words))], ", "), strings.Join(words, ", ")
	}
	return distinct(short, full)
}

// typicalWords returns up to five words per group, from the first column of free text that has
// typical words for the group.
func typicalWords(features []Feature, g Groups) [][]string {
	out := make([][]string, len(g.Size))
	for _, f := range features {
		if f.Texts == nil || !free(f.Texts) {
			continue
		}
		for c, words := range Words(f.Texts, g) {
			if out[c] != nil {
				continue
			}
			for _, w := range words[:min(5, len(words))] {
				out[c] = append(out[c], w.Text)
			}
		}
	}
	return out
}

// distinct returns a distinct name for each group. It uses the name in `short`, or the longer name
// in `full` if several groups have the same short name. It appends the number of the group to names
// that are still equal. A group without a short name is called "cluster", followed by its number.
func distinct(short, full []string) []string {
	uses := func(of []string) map[string]int {
		m := map[string]int{}
		for _, s := range of {
			m[s]++
		}
		return m
	}
	out := make([]string, len(short))
	first := uses(short)
	for c, s := range short {
		switch {
		case s == "":
			out[c] = fmt.Sprintf("cluster %d", c)
		case first[s] > 1:
			out[c] = full[c]
		default:
			out[c] = s
		}
	}
	second := uses(out)
	for c, s := range out {
		if second[s] > 1 {
			out[c] = fmt.Sprintf("%s (%d)", s, c)
		}
	}
	return out
}

// spearman computes rank correlations of columns. It caches the ranks of columns without missing
// values.
type spearman struct {
	features []Feature
	ranks    map[int][]float64
}

// redundant reports whether column j is redundant given column q, that is, whether their
// correlation over the samples with both values exceeds mostAlike in magnitude. Text columns are
// redundant only with themselves.
func (s *spearman) redundant(j, q int) bool {
	if s.features[j].Texts != nil || s.features[q].Texts != nil {
		return j == q
	}
	a, b := s.features[j].Numbers, s.features[q].Numbers
	var ranksA, ranksB []float64
	if slices.ContainsFunc(a, math.IsNaN) || slices.ContainsFunc(b, math.IsNaN) {
		var inA, inB []float64
		for i, v := range a {
			if w := b[i]; !math.IsNaN(v) && !math.IsNaN(w) {
				inA, inB = append(inA, v), append(inB, w)
			}
		}
		ranksA, ranksB = doubled(inA), doubled(inB)
	} else {
		ranksA, ranksB = s.whole(j), s.whole(q)
	}
	return len(ranksA) > 1 && math.Abs(stat.Correlation(ranksA, ranksB, nil)) > mostAlike
}

func (s *spearman) whole(j int) []float64 {
	if s.ranks[j] == nil {
		s.ranks[j] = doubled(s.features[j].Numbers)
	}
	return s.ranks[j]
}

func doubled(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, t := range NewColumn(values).twice {
		out[i] = float64(t)
	}
	return out
}
