// Package moves implements the innermost loop of a layout: edges pull their ends together, and
// random samples repel the first end, the head. It processes eight edges at a time. In two
// dimensions it runs AVX2 assembly if the processor has AVX2; otherwise it runs plain Go with
// bitwise equal results.
package moves

import "math"

//go:generate go run ./gen -out moves_amd64.s -stubs stubs_amd64.go -pkg moves

// Batch holds the ends of the edges that one call of [Move] processes. Entries from Count on are
// ignored but must be valid samples.
type Batch struct {
	Heads, Tails [Size]int32
	Count        int
}

// Size is the largest number of edges in a batch.
const Size = 64

// Lanes is the number of edges processed at once. Their attractions are computed from the same
// positions.
const Lanes = 8

// Random holds the state of each lane's random numbers.
type Random [Lanes]uint32

// Forces are the factors of attraction and repulsion as functions of the squared distance. Each
// multiplies the difference of two positions.
type Forces struct {
	Pull, Push *Table
	// Rate is a factor of every move.
	Rate float32
	// Negatives is the number of random samples that repel the head after each attraction.
	Negatives int
}

// Longest limits each coordinate of a single move before the rate is applied.
const Longest = 4

// Table holds a function of a squared distance as linear pieces, 64 per octave. It approximates
// powers to 2e-4 at a fraction of their cost. Each entry holds the intercept at 0 and the slope of
// a piece. Squared distances are clamped to the range from 2⁻⁴⁰ to 2⁴⁰.
type Table [80 << tableBits][2]float32

const (
	tableBits          = 6
	tableFirst         = (127 - 40) << tableBits
	tableShift         = 23 - tableBits // number of low bits of a float32 that do not affect its table index
	shortest, farthest = 1.0 / (1 << 40), 1<<40 - 1<<16
)

// NewTable tabulates f.
func NewTable(f func(square float64) float64) *Table {
	t := new(Table)
	at := func(k int) float64 { return float64(math.Float32frombits(uint32(k+tableFirst) << tableShift)) }
	lo := at(0)
	a := f(lo)
	for k := range t {
		hi := at(k + 1)
		b := f(hi)
		slope := (b - a) / (hi - lo)
		t[k] = [2]float32{float32(a - lo*slope), float32(slope)}
		lo, a = hi, b
	}
	return t
}

// At is [Table.Of] for double precision. The result has the accuracy of Of.
func (t *Table) At(square float64) float64 { return float64(t.Of(float32(square))) }

// Of returns the tabulated function at a squared distance.
func (t *Table) Of(square float32) float32 {
	if square > farthest {
		square = farthest
	}
	if square < shortest {
		square = shortest
	}
	line := &t[(math.Float32bits(square)>>tableShift-tableFirst)%uint32(len(t))]
	return line[0] + float32(square*line[1])
}

// Move applies the attraction and the repulsions of each edge in a batch. It changes the positions
// `at` (n×d), except those of held samples. Random samples repel from `rest`, their positions
// before the epoch. Move reads the positions of eight edges before it adds their moves one after
// another.
func Move(f *Forces, b *Batch, at, rest []float32, d int, held []bool, r *Random) {
	switch {
	case b.Count == 0:
	case d == 2 && fast:
		move8(b.Count, &b.Heads[0], &b.Tails[0], &at[0], &rest[0], len(held), &held[0], &r[0], &f.Pull[0][0], &f.Push[0][0], f.Rate, f.Negatives)
	case d == 2:
		movePlane(f, b, at, rest, held, r)
	default:
		moveAny(f, b, at, rest, d, held, r)
	}
}

// moveAny is [Move] for any d. For each repulsion, it loops over the lanes, whose computations are
// independent, so that the processor can overlap them. The conversions to float32 keep compilers
// from fusing products with sums, which would round differently.
func moveAny(f *Forces, b *Batch, at, rest []float32, d int, held []bool, r *Random) {
	const few = 8 // most dimensions for which the buffers are on the stack
	var room [(2*Lanes + 1) * few]float32
	moves := room[:]
	if d > few {
		moves = make([]float32, (2*Lanes+1)*d)
	}
	n := len(held)
	now, pulled, difference := moves[:Lanes*d], moves[Lanes*d:2*Lanes*d], moves[2*Lanes*d:][:d]
	// apart returns the squared distance between two positions.
	apart := func(a, b []float32) float32 {
		q := float32(0)
		for c, v := range a {
			u := v - b[c]
			q += float32(u * u)
			difference[c] = u
		}
		return q
	}
	for from := 0; from < b.Count; from += Lanes {
		heads, tails := b.lanes(from)
		for l, i := range heads {
			head, tail, pull := at[int(i)*d:][:d], at[int(tails[l])*d:][:d], pulled[l*d:][:d]
			clear(pull)
			if q := apart(head, tail); q > 0 {
				g := f.Pull.Of(q)
				for c, u := range difference {
					pull[c] = float32(f.Rate * bounded(g*u))
				}
			}
			for c, v := range head {
				now[l*d+c] = v + pull[c]
			}
		}
		for range f.Negatives {
			for l := range r {
				r[l] += step
			}
			for l, i := range heads {
				o, p := drawn(r[l], n), now[l*d:][:d]
				if q := apart(p, rest[o*d:][:d]); q > 0 && o != int(i) {
					g := f.Push.Of(q)
					for c, u := range difference {
						p[c] += float32(f.Rate * bounded(g*u))
					}
				}
			}
		}
		for l, i := range heads { // before any position changes, because a sample may be in several edges
			for c, v := range at[int(i)*d:][:d] {
				now[l*d+c] -= v
			}
		}
		for l, i := range heads {
			j := tails[l]
			for c := range d {
				if !held[i] {
					at[int(i)*d+c] += now[l*d+c]
				}
				if !held[j] {
					at[int(j)*d+c] -= pulled[l*d+c]
				}
			}
		}
	}
}

// movePlane is a faster moveAny for two dimensions.
func movePlane(f *Forces, b *Batch, at, rest []float32, held []bool, r *Random) {
	for from := 0; from < b.Count; from += Lanes {
		heads, tails := b.lanes(from)
		var now, pulled [Lanes][2]float32
		for l, i := range heads {
			head, tail := at[2*i:][:2], at[2*tails[l]:][:2]
			u, v := head[0]-tail[0], head[1]-tail[1]
			if q := float32(u*u) + float32(v*v); q > 0 {
				g := f.Pull.Of(q)
				pulled[l] = [2]float32{float32(f.Rate * bounded(g*u)), float32(f.Rate * bounded(g*v))}
			}
			now[l] = [2]float32{head[0] + pulled[l][0], head[1] + pulled[l][1]}
		}
		for range f.Negatives {
			for l := range r {
				r[l] += step
			}
			for l, i := range heads {
				o := drawn(r[l], len(held))
				other, p := rest[2*o:][:2], &now[l]
				u, v := p[0]-other[0], p[1]-other[1]
				if q := float32(u*u) + float32(v*v); q > 0 && o != int(i) {
					g := f.Push.Of(q)
					p[0] += float32(f.Rate * bounded(g*u))
					p[1] += float32(f.Rate * bounded(g*v))
				}
			}
		}
		for l, i := range heads {
			now[l][0] -= at[2*i]
			now[l][1] -= at[2*i+1]
		}
		for l, i := range heads {
			if !held[i] {
				at[2*i] += now[l][0]
				at[2*i+1] += now[l][1]
			}
			if j := tails[l]; !held[j] {
				at[2*j] -= pulled[l][0]
				at[2*j+1] -= pulled[l][1]
			}
		}
	}
}

// lanes returns the ends of up to eight edges, from index `from` on.
func (b *Batch) lanes(from int) (heads, tails []int32) {
	to := min(from+Lanes, b.Count)
	return b.Heads[from:to], b.Tails[from:to]
}

// drawn returns a random number below n for a state.
func drawn(state uint32, n int) int { return int(uint64(scrambled(state)) * uint64(n) >> 32) }

// step is the difference between successive states of a lane (Weyl's sequence).
const step = 0x9e3779b9

// scrambled converts a state to a random number with Wellons's low-bias 32-bit hash.
func scrambled(s uint32) uint32 {
	s ^= s >> 16
	s *= scramble1
	s ^= s >> 15
	s *= scramble2
	return s ^ s>>16
}

const scramble1, scramble2 = 0x7feb352d, 0x846ca68b

// bounded clamps v. It avoids min and max, whose handling of NaN would double the time of the loop.
func bounded(v float32) float32 {
	if v > Longest {
		return Longest
	}
	if v < -Longest {
		return -Longest
	}
	return v
}
