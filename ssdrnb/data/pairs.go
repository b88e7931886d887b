package data

import (
	"cmp"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
)

// Pair is a pair of two different rows.
type Pair struct{ I, J int }

// Ordered returns the pair with the smaller index first, so that equal pairs compare equal.
func (p Pair) Ordered() Pair {
	if p.I > p.J {
		return Pair{p.J, p.I}
	}
	return p
}

// Pairs holds constraints between rows. The order within a pair and duplicate pairs have no
// meaning. The zero value contains no constraints.
type Pairs struct {
	// Must lists the must-link pairs: both rows belong to the same class.
	Must []Pair
	// Cannot lists the cannot-link pairs: the rows belong to different classes.
	Cannot []Pair
}

// Len returns the number of constraints, with duplicates.
func (p Pairs) Len() int { return len(p.Must) + len(p.Cannot) }

// Distinct returns the constraints without duplicates, each with the smaller row first, sorted.
func (p Pairs) Distinct() Pairs {
	distinct := func(pairs []Pair) []Pair {
		out := make([]Pair, len(pairs))
		for k, q := range pairs {
			out[k] = q.Ordered()
		}
		slices.SortFunc(out, func(a, b Pair) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
		return slices.Compact(out)
	}
	return Pairs{Must: distinct(p.Must), Cannot: distinct(p.Cannot)}
}

// Check returns an error unless every pair consists of two different rows from 0 to n − 1 and no
// pair is both must-link and cannot-link.
func (p Pairs) Check(n int) error {
	must := make(map[Pair]bool, len(p.Must))
	for _, part := range []struct {
		name  string
		pairs []Pair
	}{{"must-link", p.Must}, {"cannot-link", p.Cannot}} {
		for k, q := range part.pairs {
			switch {
			case q.I < 0 || q.J < 0 || q.I >= n || q.J >= n:
				return advice.Errorf("correct or remove it", "%w: %s pair %d is (%d, %d), but rows run from 0 to %d", ErrPairs, part.name, k, q.I, q.J, n-1)
			case q.I == q.J:
				return advice.Errorf("remove it", "%w: %s pair %d links row %d with itself", ErrPairs, part.name, k, q.I)
			case part.name == "must-link":
				must[q.Ordered()] = true
			case must[q.Ordered()]:
				return advice.Errorf("remove one of the two", "%w: rows %d and %d are both must-link and cannot-link", ErrPairs, q.I, q.J)
			}
		}
	}
	return nil
}
