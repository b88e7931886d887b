package distance

import "math/bits"

// word is the number of bits in a machine word. Each bit holds one feature.
const word = 64

// Sets holds rows of bits: each feature is either set or not. Sets take 1/32 of the memory of
// [Rows], and their comparisons are exact.
type Sets struct {
	n, words int
	norm     Norm // Differ or Overlap
	bits     []uint64
	sizes    []int32 // number of set features per row
}

// NewSets returns n empty sets over d features.
func NewSets(n, d int, norm Norm) Sets {
	words := (d + word - 1) / word
	return Sets{n, words, norm, make([]uint64, n*words), make([]int32, n)}
}

// Put sets feature j of row i, which must not be set yet.
func (x Sets) Put(i, j int) {
	x.bits[i*x.words+j/word] |= 1 << (j % word)
	x.sizes[i]++
}

// Len returns the number of rows.
func (x Sets) Len() int { return x.n }

func (x Sets) row(i int32) []uint64 { return x.bits[int(i)*x.words:][:x.words] }

// Compare sets out[a] to the value of the norm between rows i and index[a].
func (x Sets) Compare(i int32, index []int32, out []float32) {
	mine := x.row(i)
	for a, j := range index {
		out[a] = float32(x.value(mine, i, j))
	}
}

// Value returns the value of the norm between rows i and j.
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

// Between sets out[a] to a number that exceeds the returned threshold if row index[a] is nearer to
// p than to q.
func (x Sets) Between(p, q int32, index []int32, out []float32) (threshold float32) {
	one, other := x.row(p), x.row(q)
	for a, i := range index {
		out[a] = float32(x.value(other, q, i) - x.value(one, p, i))
	}
	return 0
}

// Apart returns 1 − both/either for two sets. `both` is the size of their intersection, and
// `either` is the size of their union. It returns 0 for two empty sets.
func Apart(both, either int) float64 {
	if either == 0 {
		return 0
	}
	return float64(either-both) / float64(either)
}
