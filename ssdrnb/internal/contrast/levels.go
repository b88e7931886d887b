package contrast

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
)

// Levels of columns in a byte for each row.
const (
	mostLevels = math.MaxUint8
	// NoLevel is the byte of a missing value.
	NoLevel = math.MaxUint8
)

// Levels writes a column of numbers in at most 255 levels, ascending: the distinct values, or the
// medians of 255 parts of about equally many rows. Equal values have one level, so that the effect
// of the levels has the sign of the effect of the values, and at most its magnitude: pairs within
// one part count as ties.
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
	// part is the part that a run of equal values begins in.
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
