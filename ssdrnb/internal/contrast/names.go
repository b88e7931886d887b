package contrast

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// mostAlike is the Spearman correlation above which a name leaves a column out.
const mostAlike = 0.8

// Names returns a short name of each group 0 … count−1: the two columns in which it differs
// most from all other samples by a large effect, without those that say the same. Groups of
// one name take a third column, and their number if that does not help. of has −1 where a
// sample is in no group.
func Names(columns [][]float64, titles []string, of []int, count int) []string {
	ranks := make([]Ranks, len(columns))
	for j, values := range columns {
		ranks[j] = Rank(values)
	}
	rows := make([][]int, count)
	for i, c := range of {
		if c >= 0 {
			rows[c] = append(rows[c], i)
		}
	}
	short, full := make([]string, count), make([]string, count)
	for c := range count {
		effects := make([]Effect, len(columns))
		for j, r := range ranks {
			effects[j].Delta, effects[j].SE = r.Delta(rows[c])
		}
		var taken []int
		var words []string
		for _, j := range Order(effects) {
			e := effects[j]
			if e.Score() <= 0 || len(taken) > 2 {
				break
			}
			if math.Abs(e.Delta) < Large || says(columns, j, taken) {
				continue
			}
			word := " low"
			if e.Delta > 0 {
				word = " high"
			}
			taken, words = append(taken, j), append(words, titles[j]+word)
		}
		short[c], full[c] = strings.Join(words[:min(2, len(words))], ", "), strings.Join(words, ", ")
	}
	return distinct(short, full)
}

// distinct tells groups of one name apart.
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

// says is whether a column says the same as one of those taken: a Spearman correlation above
// 0.8 in magnitude over the samples that have both.
func says(columns [][]float64, j int, taken []int) bool {
	for _, q := range taken {
		var a, b []float64
		for i, v := range columns[j] {
			if w := columns[q][i]; !math.IsNaN(v) && !math.IsNaN(w) {
				a, b = append(a, v), append(b, w)
			}
		}
		if len(a) > 1 && math.Abs(stat.Correlation(doubled(a), doubled(b), nil)) > mostAlike {
			return true
		}
	}
	return false
}

func doubled(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, t := range Rank(values).twice {
		out[i] = float64(t)
	}
	return out
}
