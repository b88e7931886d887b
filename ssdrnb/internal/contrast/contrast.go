// Package contrast computes what makes a group of samples different from others: effects by
// mid-ranks ([Numbers], [Texts]), what any region of a picture of that size would show
// ([Regions], [Usual]), and short names of groups ([Names]).
//
// NaN and "" are missing values. Samples are rows from 0. Sums of ranks are sums of integers,
// so that results depend neither on the order of samples nor on the number of processors.
package contrast

import (
	"cmp"
	"math"
	"slices"
)

// Sizes of |δ| after Romano et al. 2006.
const (
	Small  = 0.147
	Medium = 0.33
	Large  = 0.474
)

// Effect is how a group differs from others in one column.
type Effect struct {
	// In and Out count the values that are there.
	In, Out int
	// Delta is Cliff's δ in [−1, 1]: how much more often a member of the group has the higher
	// value than the lower, over all pairs. NaN where a side has no value.
	Delta float64
	// SE is the standard error of δ where nothing differs, +Inf where a side has no value.
	SE float64
	// MedianIn and MedianOut are NaN where there is no value.
	MedianIn, MedianOut float64
	// Standardized is the difference of means over the standard deviation of both together,
	// 0 where that is 0.
	Standardized float64
	// MissingIn and MissingOut are the shares of missing values.
	MissingIn, MissingOut float64
}

// Score orders effects: |δ| less its standard error, at least 0, rounded to 12 digits.
func (e Effect) Score() float64 { return Score(e.Delta, e.SE) }

// Score is that of an effect with these numbers.
func Score(delta, se float64) float64 {
	if s := math.Abs(delta) - se; s > 0 {
		return math.Round(s*1e12) / 1e12
	}
	return 0
}

// Order returns the indices of effects, the highest score first, then in their own order.
func Order(effects []Effect) []int {
	order := make([]int, len(effects))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(effects[b].Score(), effects[a].Score()) })
	return order
}

// Ranks are the mid-ranks of a column, doubled to be whole numbers.
type Ranks struct {
	twice []uint32 // 0 where a value is missing
	count int
}

// Rank returns the mid-ranks of the values that are there. It takes O(n log n).
func Rank(values []float64) Ranks {
	there := make([]int32, 0, len(values))
	for i, v := range values {
		if !math.IsNaN(v) {
			there = append(there, int32(i))
		}
	}
	slices.SortFunc(there, func(a, b int32) int { return cmp.Compare(values[a], values[b]) })
	r := Ranks{make([]uint32, len(values)), len(there)}
	for lo := 0; lo < len(there); {
		hi := lo + 1
		for hi < len(there) && values[there[hi]] == values[there[lo]] {
			hi++
		}
		for _, i := range there[lo:hi] {
			r.twice[i] = uint32(lo + 1 + hi)
		}
		lo = hi
	}
	return r
}

// Delta returns Cliff's δ of the rows against all others and its standard error, NaN and
// +Inf where a side has no value.
func (r Ranks) Delta(rows []int) (delta, se float64) {
	sum, in := uint64(0), 0
	for _, i := range rows {
		if t := r.twice[i]; t > 0 {
			sum += uint64(t)
			in++
		}
	}
	return deltaOf(sum, in, r.count-in)
}

// deltaOf is δ of a group with this doubled sum of ranks. Every term is a whole number.
func deltaOf(twiceSum uint64, in, out int) (delta, se float64) {
	if in == 0 || out == 0 {
		return math.NaN(), math.Inf(1)
	}
	m, n := float64(in), float64(out)
	return (float64(twiceSum)-m*(m+1))/(m*n) - 1, math.Sqrt((m + n + 1) / (3 * m * n))
}

// Numbers compares the values of two groups of rows, which share none.
func Numbers(values []float64, in, out []int) Effect {
	both := make([]float64, 0, len(in)+len(out))
	inside := make([]int, len(in))
	for k, i := range in {
		inside[k] = k
		both = append(both, values[i])
	}
	for _, i := range out {
		both = append(both, values[i])
	}
	var e Effect
	e.Delta, e.SE = Rank(both).Delta(inside)
	a, b := there(both[:len(in)]), there(both[len(in):])
	e.In, e.Out = len(a), len(b)
	e.MissingIn, e.MissingOut = missing(len(a), len(in)), missing(len(b), len(out))
	e.MedianIn, e.MedianOut = median(a), median(b)
	e.Standardized = standardized(a, b)
	return e
}

// there returns the values that are there, sorted.
func there(values []float64) []float64 {
	out := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

func missing(there, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(all-there) / float64(all)
}

// median is the mean of the middle two of sorted values, NaN if there are none.
func median(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// standardized is the difference of means over the standard deviation of both, of sorted
// values.
func standardized(a, b []float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return math.NaN()
	}
	low, high := min(a[0], b[0]), max(a[len(a)-1], b[len(b)-1])
	if low == high {
		return 0
	}
	scale := max(math.Abs(low), math.Abs(high)) // against overflow
	mean := func(v []float64) (m float64) {
		for _, x := range v {
			m += x / scale
		}
		return m / float64(len(v))
	}
	ma, mb := mean(a), mean(b)
	na, nb := float64(len(a)), float64(len(b))
	all := (ma*na + mb*nb) / (na + nb)
	squares := 0.0
	for _, v := range [][]float64{a, b} {
		for _, x := range v {
			squares += (x/scale - all) * (x/scale - all)
		}
	}
	if squares == 0 {
		return 0
	}
	return (ma - mb) / math.Sqrt(squares/(na+nb))
}

// Value is how a group differs in one value of a column of text: δ is the share of it in the
// group less that outside, of the samples that have a value.
type Value struct {
	Value                        string
	In, Out                      int
	ShareIn, ShareOut, Delta, SE float64
	Lift                         float64
}

// Score is that of [Effect].
func (v Value) Score() float64 { return Score(v.Delta, v.SE) }

// mostValues bounds the values of a column of text, the most frequent ones.
const mostValues = 50

// Texts compares the values of a column of text, the highest score first, then by value.
// Identifiers, columns of more than two values that are all different, have none.
func Texts(values []string, in, out []int) (all []Value, missingIn, missingOut float64) {
	type counts struct{ in, out int }
	count := map[string]*counts{}
	sides := counts{}
	for side, rows := range [][]int{in, out} {
		for _, i := range rows {
			v := values[i]
			if v == "" {
				continue
			}
			if count[v] == nil {
				count[v] = &counts{}
			}
			if side == 0 {
				count[v].in++
				sides.in++
			} else {
				count[v].out++
				sides.out++
			}
		}
	}
	missingIn, missingOut = missing(sides.in, len(in)), missing(sides.out, len(out))
	if sides.in == 0 || sides.out == 0 || len(count) == sides.in+sides.out && len(count) > 2 {
		return nil, missingIn, missingOut
	}
	m, n := float64(sides.in), float64(sides.out)
	for v, c := range count {
		a, b := float64(c.in), float64(c.out)
		all = append(all, Value{v, c.in, c.out, a / m, b / n, a/m - b/n, math.Sqrt((m + n + 1) / (3 * m * n)),
			((a + 0.5) / (m + 1)) / ((b + 0.5) / (n + 1))})
	}
	if len(all) > mostValues {
		slices.SortFunc(all, func(a, b Value) int {
			return cmp.Or(cmp.Compare(b.In+b.Out, a.In+a.Out), cmp.Compare(a.Value, b.Value))
		})
		all = all[:mostValues]
	}
	slices.SortFunc(all, func(a, b Value) int {
		return cmp.Or(cmp.Compare(b.Score(), a.Score()), cmp.Compare(a.Value, b.Value))
	})
	return all, missingIn, missingOut
}
