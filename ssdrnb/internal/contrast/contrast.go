// Package contrast computes the differences between a group of samples and all other samples.
// [Column] and [Texts] compute effect sizes. To show which effect sizes are unusual, [Regional]
// computes the same effect sizes for regions of an embedding with as many samples as the group, and
// [Usual] returns a quantile of them. [Names] returns short names of groups.
//
// NaN and "" are missing values. Samples are rows, numbered from 0. Ranks are summed as integers,
// so that results depend neither on the order of samples nor on the number of processors.
package contrast

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Thresholds for the magnitude of Cliff's δ, from Romano et al. 2006.
const (
	Small  = 0.147
	Medium = 0.33
	Large  = 0.474
)

// Effect measures the difference between a group and all other samples in one column.
type Effect struct {
	// In and Out count the values that are not missing, in the group and outside it.
	In, Out int
	// Delta is Cliff's δ in [−1, 1]. Over all pairs of a sample in the group and a sample outside
	// it, δ is the share of pairs in which the sample in the group has the higher value, minus the
	// share in which it has the lower value. Delta is NaN if either side has no values.
	Delta float64
	// SE is the standard error of δ under the null hypothesis, or +Inf if either side has no
	// values.
	SE float64
	// MedianIn and MedianOut are the medians of the group and of all other samples, or NaN if there
	// are no values.
	MedianIn, MedianOut float64
	// Standardized is the mean of the group minus the mean of all other samples, divided by the
	// standard deviation of all values. It is 0 if this deviation is 0, and NaN if either side has
	// no values.
	Standardized float64
	// MissingIn and MissingOut are the shares of missing values in the group and outside it.
	MissingIn, MissingOut float64
}

// Score is the value by which effects are ordered: |δ| minus its standard error, at least 0,
// rounded to 12 decimal places.
func (e Effect) Score() float64 { return Score(e.Delta, e.SE) }

// Score returns [Effect.Score] for the given δ and standard error.
func Score(delta, se float64) float64 {
	if s := math.Abs(delta) - se; s > 0 {
		return math.Round(s*1e12) / 1e12
	}
	return 0
}

// Groups divides rows into groups 0 … len(Size)−1. Of holds the group of each row, or −1 for rows
// in no group. Size holds the number of rows in each group.
type Groups struct {
	Of   []int32
	Size []int
}

// GroupsOf divides rows into groups 0 … count−1. `of` holds the group of each row, or −1 for rows
// in no group.
func GroupsOf(of []int, count int) Groups {
	g := Groups{make([]int32, len(of)), make([]int, count)}
	for i, c := range of {
		g.Of[i] = int32(c)
		if c >= 0 {
			g.Size[c]++
		}
	}
	return g
}

// Column is a column of numbers with their mid-ranks.
type Column struct {
	values []float64
	sorted []int32  // the rows with a value, ordered by value
	twice  []uint32 // the mid-ranks, doubled to make them integers; 0 for a missing value
}

// NewColumn ranks the values that are not missing. The column retains the argument slice.
func NewColumn(values []float64) *Column {
	c := &Column{values, order.Floats(values), make([]uint32, len(values))}
	for lo := 0; lo < len(c.sorted); {
		hi := lo + 1
		for hi < len(c.sorted) && values[c.sorted[hi]] == values[c.sorted[lo]] {
			hi++
		}
		for _, i := range c.sorted[lo:hi] {
			c.twice[i] = uint32(lo + 1 + hi)
		}
		lo = hi
	}
	return c
}

// deltaOf returns δ and its standard error for a group of `in` rows against `out` rows. twiceSum is
// the sum of the group's doubled ranks. All sums are of integers, and therefore exact.
func deltaOf(twiceSum uint64, in, out int) (delta, se float64) {
	if in == 0 || out == 0 {
		return math.NaN(), math.Inf(1)
	}
	m, n := float64(in), float64(out)
	return (float64(twiceSum)-m*(m+1))/(m*n) - 1, math.Sqrt((m + n + 1) / (3 * m * n))
}

// Effects compares each group with all other rows, in O(n) operations for all groups together.
func (c *Column) Effects(g Groups) []Effect {
	count, all := len(g.Size), len(c.sorted)
	effects := make([]Effect, count)
	at := make([]int, count+1) // index into `places` at which each group begins
	for _, i := range c.sorted {
		if k := g.Of[i]; k >= 0 {
			effects[k].In++
		}
	}
	for k, e := range effects {
		at[k+1] = at[k] + e.In
	}
	// places holds the positions of the members of each group among the sorted rows, ascending.
	places, next := make([]int32, at[count]), slices.Clone(at[:count])
	sums := make([]uint64, count)
	for p, i := range c.sorted {
		if k := g.Of[i]; k >= 0 {
			places[next[k]] = int32(p)
			next[k]++
			sums[k] += uint64(c.twice[i])
		}
	}
	for k := range effects {
		e := &effects[k]
		e.Out = all - e.In
		e.Delta, e.SE = deltaOf(sums[k], e.In, e.Out)
		out := len(g.Of) - g.Size[k]
		e.MissingIn, e.MissingOut = missing(e.In, g.Size[k]), missing(e.Out, out)
		own := places[at[k]:at[k+1]]
		e.MedianIn = median(e.In, func(t int) float64 { return c.values[c.sorted[own[t]]] })
		e.MedianOut = median(e.Out, func(t int) float64 { return c.values[c.sorted[outside(own, t)]] })
	}
	c.standardize(effects, g)
	return effects
}

// outside returns the position, among the sorted rows, of the t-th row outside a group. own holds
// the positions of the group's rows, ascending.
func outside(own []int32, t int) int {
	// own[j]−j rows outside the group precede own[j].
	before := sort.Search(len(own), func(j int) bool { return int(own[j])-j > t })
	return t + before
}

// standardize sets the standardized mean difference of each effect.
func (c *Column) standardize(effects []Effect, g Groups) {
	n := len(c.sorted)
	if n == 0 {
		for k := range effects {
			effects[k].Standardized = math.NaN()
		}
		return
	}
	low, high := c.values[c.sorted[0]], c.values[c.sorted[n-1]]
	scale := max(math.Abs(low), math.Abs(high)) // values are divided by scale to prevent overflow
	mean, squares, total := 0.0, 0.0, 0.0
	sums := make([]float64, len(effects))
	if low != high {
		for _, i := range c.sorted {
			mean += c.values[i] / scale
		}
		mean /= float64(n)
		for _, i := range c.sorted {
			v := c.values[i]/scale - mean
			total += v
			squares += float64(v * v)
			if k := g.Of[i]; k >= 0 {
				sums[k] += v
			}
		}
	}
	for k := range effects {
		e := &effects[k]
		switch {
		case e.In == 0 || e.Out == 0:
			e.Standardized = math.NaN()
		case squares > 0:
			e.Standardized = (sums[k]/float64(e.In) - (total-sums[k])/float64(e.Out)) / math.Sqrt(squares/float64(n))
		}
	}
}

// delta returns δ of the rows `in` against the rows `out`. The two sets are disjoint. sides is
// workspace with one entry per row; all entries must be 0 and are 0 again afterwards.
func (c *Column) delta(in, out []int32, sides []uint8) float64 {
	for _, i := range in {
		sides[i] = 1
	}
	for _, i := range out {
		sides[i] = 2
	}
	var sum uint64
	var count [3]int
	for lo := 0; lo < len(c.sorted); {
		tie := c.twice[c.sorted[lo]]
		before, own := count[1]+count[2], count[1]
		for ; lo < len(c.sorted) && c.twice[c.sorted[lo]] == tie; lo++ {
			count[sides[c.sorted[lo]]]++
		}
		sum += uint64(count[1]-own) * uint64(before+1+count[1]+count[2])
	}
	for _, rows := range [][]int32{in, out} {
		for _, i := range rows {
			sides[i] = 0
		}
	}
	delta, _ := deltaOf(sum, count[1], count[2])
	return delta
}

func missing(there, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(all-there) / float64(all)
}

// median returns the median of n sorted values, or NaN for n = 0. value(t) is the t-th value,
// counted from 0.
func median(n int, value func(t int) float64) float64 {
	if n == 0 {
		return math.NaN()
	}
	return value((n-1)/2)/2 + value(n/2)/2
}

// Value measures the difference between a group and all other samples in one value of a text
// column. δ is the share of samples with this value in the group, minus the share outside. Samples
// whose value is missing are ignored.
type Value struct {
	Value                        string
	Number                       int // index in Values of [Texts]
	In, Out                      int // numbers of samples with this value, in the group and outside it
	ShareIn, ShareOut, Delta, SE float64
	// Lift is the ratio of the shares inside and outside the group, (In + ½)/(m + 1) over (Out +
	// ½)/(n + 1). m and n are the numbers of samples with any value, inside and outside. The
	// constants keep Lift finite.
	Lift float64
}

// Score is [Effect.Score] for the δ and standard error of a value.
func (v Value) Score() float64 { return Score(v.Delta, v.SE) }

// mostValues is the largest number of values of a text column that are compared. If a column has
// more, only its most frequent values are compared.
const mostValues = 50

// Texts is a text column whose values are replaced by numbers.
type Texts struct {
	Of      []int32  // the index of each row's value in Values: −1 if missing, len(Values) if not compared
	Values  []string // the values to compare, at most the 50 most frequent, in alphabetical order
	present int      // number of rows with a value
}

// NewTexts numbers the values of a column. An identifier column (more than two values, all
// different) has no Values.
func NewTexts(values []string) *Texts {
	c := &Texts{Of: make([]int32, len(values))}
	count := map[string]int{}
	for _, v := range values {
		if v != "" {
			count[v]++
			c.present++
		}
	}
	if len(count) < c.present || len(count) <= 2 {
		c.Values = slices.Sorted(maps.Keys(count))
		if len(count) > mostValues {
			slices.SortStableFunc(c.Values, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
			c.Values = slices.Sorted(slices.Values(c.Values[:mostValues]))
		}
	}
	number := map[string]int32{}
	for k, v := range c.Values {
		number[v] = int32(k)
	}
	other := int32(len(c.Values))
	for i, v := range values {
		k, compared := number[v]
		switch {
		case v == "":
			c.Of[i] = -1
		case compared:
			c.Of[i] = k
		default:
			c.Of[i] = other
		}
	}
	return c
}

// Partial reports whether some values are not compared.
func (c *Texts) Partial() bool { return slices.Contains(c.Of, int32(len(c.Values))) }

// Missing returns the share of missing values in each group and outside it.
func (c *Texts) Missing(g Groups) (in, out []float64) {
	there := make([]int, len(g.Size))
	for i, v := range c.Of {
		if k := g.Of[i]; v >= 0 && k >= 0 {
			there[k]++
		}
	}
	in, out = make([]float64, len(there)), make([]float64, len(there))
	for k, t := range there {
		in[k], out[k] = missing(t, g.Size[k]), missing(c.present-t, len(c.Of)-g.Size[k])
	}
	return in, out
}

// Effects compares each group with all other rows, value by value. The values of a group are sorted
// by descending score, then alphabetically. A group gets no values if all its texts are missing, or
// if all texts outside it are missing.
func (c *Texts) Effects(g Groups) [][]Value {
	values := len(c.Values)
	all, there := make([]int, values+1), make([]int, len(g.Size))
	own := make([]int, len(g.Size)*(values+1))
	for i, v := range c.Of {
		if v < 0 {
			continue
		}
		all[v]++
		if k := int(g.Of[i]); k >= 0 {
			there[k]++
			own[k*(values+1)+int(v)]++
		}
	}
	effects := make([][]Value, len(g.Size))
	for k, in := range there {
		out := c.present - in
		if in == 0 || out == 0 {
			continue
		}
		m, n := float64(in), float64(out)
		se := math.Sqrt((m + n + 1) / (3 * m * n))
		for v, text := range c.Values {
			a := own[k*(values+1)+v]
			b := all[v] - a
			if a+b == 0 {
				continue
			}
			shareIn, shareOut := float64(a)/m, float64(b)/n
			effects[k] = append(effects[k], Value{text, v, a, b, shareIn, shareOut, shareIn - shareOut, se,
				((float64(a) + 0.5) / (m + 1)) / ((float64(b) + 0.5) / (n + 1))})
		}
		slices.SortStableFunc(effects[k], func(a, b Value) int { return cmp.Compare(b.Score(), a.Score()) })
	}
	return effects
}

// Feature is a column of numbers, or of text if Texts is not nil.
type Feature struct {
	Title   string
	Numbers []float64
	Texts   []string
	// Date is true if the numbers are dates, counted in days. Feature is true if the column is a
	// feature, or an attribute that is compared in place of the features derived from it.
	Date, Feature bool
	Place         int // index of the feature in the data, −1 for attributes
}

// Subset returns the features restricted to the given rows.
func Subset(features []Feature, rows []int) []Feature {
	out := make([]Feature, len(features))
	par.Blocks(len(features), 1, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			out[j] = features[j]
			out[j].Numbers, out[j].Texts = nil, nil
			for _, i := range rows {
				if features[j].Texts != nil {
					out[j].Texts = append(out[j].Texts, features[j].Texts[i])
				} else {
					out[j].Numbers = append(out[j].Numbers, features[j].Numbers[i])
				}
			}
		}
	})
	return out
}

// Result holds the differences of groups in one feature.
type Result struct {
	Effects []Effect  // per group, for numbers
	Values  [][]Value // per group, for texts
	// MissingIn and MissingOut are the shares of missing values in each group and outside it.
	MissingIn, MissingOut []float64
	// Identifier is true if the column has more than two texts and all differ.
	Identifier bool
}

// Compare compares each group with all other rows, feature by feature.
func Compare(features []Feature, g Groups) []Result {
	results := make([]Result, len(features))
	par.Blocks(len(features), 1, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			r := &results[j]
			if texts := features[j].Texts; texts != nil {
				c := NewTexts(texts)
				r.Values, r.Identifier = c.Effects(g), len(c.Values) == 0 && c.present > 0
				r.MissingIn, r.MissingOut = c.Missing(g)
				continue
			}
			r.Effects = NewColumn(features[j].Numbers).Effects(g)
			for _, e := range r.Effects {
				r.MissingIn, r.MissingOut = append(r.MissingIn, e.MissingIn), append(r.MissingOut, e.MissingOut)
			}
		}
	})
	return results
}

// Chance holds the effect sizes δ of a feature for the regions of an embedding.
type Chance struct {
	Deltas [][]float64   // by size and centre, for numbers
	Values [][][]float64 // by value, size and centre, for texts
	Gaps   [][]float64   // δ of missing values, by size and centre
}

// Regional returns the effect sizes of each feature for the given regions.
func Regional(features []Feature, r *Regions) []Chance {
	out := make([]Chance, len(features))
	par.Blocks(len(features), 1, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			if texts := features[j].Texts; texts != nil {
				c := NewTexts(texts)
				out[j] = Chance{Values: c.Regions(r), Gaps: c.Gaps(r)}
			} else {
				c := NewColumn(features[j].Numbers)
				out[j] = Chance{Deltas: c.Regions(r), Gaps: c.Gaps(r)}
			}
		}
	})
	return out
}
