package distance

import "math/bits"

// Norm selects the comparison of two rows.
type Norm int

// The norms.
const (
	Square  Norm = iota // Σ(q − x)²
	Sum                 // Σ|q − x|
	Most                // max|q − x|
	Differ              // number of places with q ≠ x
	Overlap             // 1 − |A∩B|/|A∪B| of the places that are not 0
)

// Shifts reports whether the norm is invariant to a shift of all rows and proportional to a
// scaling.
func (n Norm) Shifts() bool { return n <= Most }

// Apart returns 1 − both/either, and 0 for two empty sets.
func Apart(both, either int) float64 {
	if either == 0 {
		return 0
	}
	return float64(either-both) / float64(either)
}

// word is the number of places in a word of bits.
const word = 64

// Pack prepares rows that the norm Overlap compares. Call it again after rows changed.
func (x *Rows) Pack() {
	if x.Norm != Overlap {
		return
	}
	words := (x.Stride + word - 1) / word
	x.bits = make([]uint64, x.N*words)
	for i := range x.N {
		pack(x.Row(i), x.bits[i*words:(i+1)*words])
	}
}

// pack sets the bits of the places that are not 0.
func pack(row []float32, out []uint64) {
	for j, v := range row {
		if v != 0 {
			out[j/word] |= 1 << (j % word)
		}
	}
}

// overlaps is Squares for the norm Overlap.
func (x Rows) overlaps(q []float32, index []int32, out []float32) {
	words := (x.Stride + word - 1) / word
	var space [64]uint64
	mine := space[:]
	if words > len(mine) {
		mine = make([]uint64, words)
	}
	mine = mine[:words]
	pack(q, mine)
	for a, i := range index {
		row := x.bits[int(i)*words:][:len(mine)]
		both, either := 0, 0
		for k, w := range mine {
			both += bits.OnesCount64(w & row[k])
			either += bits.OnesCount64(w | row[k])
		}
		out[a] = float32(Apart(both, either))
	}
}

// normsGo is Squares in plain Go for the norms Sum, Most and Differ.
func (x Rows) normsGo(q []float32, index []int32, out []float32) {
	for a, i := range index {
		row := x.Row(int(i))
		q := q[:len(row)]
		var s [4]float32
		switch x.Norm {
		case Sum:
			for j := 0; j+4 <= len(row); j += 4 {
				for l := range s {
					s[l] += abs(q[j+l] - row[j+l])
				}
			}
		case Most:
			for j, v := range row {
				s[0] = max(s[0], abs(q[j]-v))
			}
		case Differ:
			for j, v := range row {
				if q[j] != v {
					s[0]++
				}
			}
		}
		out[a] = s[0] + s[1] + (s[2] + s[3])
	}
}

func abs(v float32) float32 {
	if v < 0 {
		return -v
	}
	return v
}
