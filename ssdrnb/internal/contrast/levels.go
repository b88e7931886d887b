package contrast

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
)

// A column has at most mostLevels levels, because the level of a row is stored in one byte.
const (
	mostLevels = math.MaxUint8
	// NoLevel is the byte of a missing value.
	NoLevel = math.MaxUint8
)

// Levels reduces a column of numbers to at most 255 ascending levels. `of` holds the index of the
// level of each row, or [NoLevel]. The levels are the distinct values if there are at most 255,
// otherwise the medians of at most 255 parts with about equally many rows. Equal values have the
// same level. Pairs of different values within a part count as ties, so δ of the levels differs
// from δ of the values by at most the share of these pairs.
func Levels(values []float64) (levels []float64, of []uint8) {
	of = make([]uint8, len(values))
	for i := range of {
		of[i] = NoLevel
	}
	sorted := order.Floats(values)
	runs := 0
	for p, i := range sorted {
		if p == 0 || values[i] != values[sorted[p-1]] {
			runs++
		}
	}
	// part returns the number of the part that contains the given run of equal values. Parts and
	// runs are counted from 0. place is the position of the first value of the run in `sorted`.
	part := func(run, place int) int {
		if runs <= mostLevels {
			return run
		}
		return place * mostLevels / len(sorted)
	}
	last, begin, run := -1, 0, -1
	end := func(place int) {
		if place > begin {
			levels = append(levels, median(place-begin, func(t int) float64 { return values[sorted[begin+t]] }))
		}
		begin = place
	}
	for p, i := range sorted {
		if p == 0 || values[i] != values[sorted[p-1]] {
			run++
			if now := part(run, p); now != last {
				end(p)
				last = now
			}
		}
		of[i] = uint8(len(levels))
	}
	end(len(sorted))
	return levels, of
}
