package distance

import "math/bits"

// word is the number of places in a word of bits.
const word = 64

// Sets are rows of which only one thing is known of each place: whether it is set. They take a
// 32nd of the space of [Rows], and their comparisons are exact.
type Sets struct {
	n, words int
	norm     Norm // Differ or Overlap
	bits     []uint64
	sizes    []int32 // places that are set, per row
}

// NewSets returns n empty sets of d places.
func NewSets(n, d int, norm Norm) Sets {
	words := (d + word - 1) / word
	return Sets{n, words, norm, make([]uint64, n*words), make([]int32, n)}
}

// Put sets place j of row i, which was not set before.
func (x Sets) Put(i, j int) {
	x.bits[i*x.words+j/word] |= 1 << (j % word)
	x.sizes[i]++
}

// Len returns the number of rows.
func (x Sets) Len() int { return x.n }

func (x Sets) row(i int32) []uint64 { return x.bits[int(i)*x.words:][:x.words] }

// Compare sets out[a] to the value of the norm for rows i and index[a].
func (x Sets) Compare(i int32, index []int32, out []float32) {
	mine := x.row(i)
	for a, j := range index {
		out[a] = float32(x.value(mine, i, j))
	}
}

// Value returns the norm of rows i and j.
func (x Sets) Value(i, j int32) float64 { return x.value(x.row(i), i, j) }

func (x Sets) value(mine []uint64, i, j int32) float64 {
	other, count := x.row(j)[:len(mine)], 0
	if x.norm == Differ {
		for k, w := range mine {
			count += bits.OnesCount64(w ^ other[k])
		}
		return float64(count)
	}
	for k, w := range mine {
		count += bits.OnesCount64(w & other[k])
	}
	return Apart(count, int(x.sizes[i])+int(x.sizes[j])-count)
}

// Between sets out[a] to a number that is above the threshold if row index[a] is nearer to p
// than to q.
func (x Sets) Between(p, q int32, index []int32, out []float32) (threshold float32) {
	one, other := x.row(p), x.row(q)
	for a, i := range index {
		out[a] = float32(x.value(other, q, i) - x.value(one, p, i))
	}
	return 0
}

// Apart returns 1 − both/either, and 0 for two empty sets.
func Apart(both, either int) float64 {
	if either == 0 {
		return 0
	}
	return float64(either-both) / float64(either)
}
