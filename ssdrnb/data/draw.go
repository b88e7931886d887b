package data

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
)

// CountPairs returns how many pairs of labelled rows have equal labels and how many have different
// labels.
func CountPairs(labels []int) (must, cannot int) {
	size, all := map[int]int{}, 0
	for _, l := range labels {
		if l != Unlabelled {
			must += size[l]
			cannot += all - size[l]
			size[l]++
			all++
		}
	}
	return must, cannot
}

// DrawPairs draws pairs of labelled rows uniformly and without repetition. The arguments `must` and
// `cannot` are the numbers of must-links (pairs with equal labels) and of cannot-links (pairs with
// different labels). It is an error if the labels imply fewer pairs than requested.
//
// Random pairs of rows are drawn until there are enough new pairs of both kinds. If this takes too
// many draws, the missing pairs are drawn from a list of all pairs of their kind instead.
func DrawPairs(labels []int, must, cannot int, seed uint64) (Pairs, error) {
	if must < 0 || cannot < 0 {
		return Pairs{}, advice.Errorf("draw 0 or more", "%w: the numbers of must-links and cannot-links are %d and %d, but cannot be negative", ErrOption, must, cannot)
	}
	rows := order.Where(labels, func(l int) bool { return l != Unlabelled })
	if within, across := CountPairs(labels); must > within || cannot > across {
		return Pairs{}, advice.Errorf("draw at most as many pairs as the labels imply", "%w: %s and %s, but %s have only %s within classes and %d between",
			ErrOption, nouns.Count(must, "must-link"), nouns.Count(cannot, "cannot-link"), nouns.Count(len(rows), "labelled row"), nouns.Count(within, "pair"), across)
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	seen := make(map[Pair]bool, must+cannot)
	var p Pairs
	for tries := 0; len(p.Must) < must || len(p.Cannot) < cannot; tries++ {
		if tries == maxTries*(must+cannot) {
			p.Must = drawn(p.Must, must, func() []Pair { return pairsWithin(labels, rows) }, seen, rng)
			p.Cannot = drawn(p.Cannot, cannot, func() []Pair { return pairsBetween(labels, rows) }, seen, rng)
			break
		}
		q := Pair{rows[rng.IntN(len(rows))], rows[rng.IntN(len(rows))]}.Ordered()
		list, wanted := &p.Cannot, cannot
		if labels[q.I] == labels[q.J] {
			list, wanted = &p.Must, must
		}
		if q.I == q.J || seen[q] || len(*list) == wanted {
			continue
		}
		seen[q] = true
		*list = append(*list, q)
	}
	return p, nil
}

// maxTries is the number of random pairs per requested pair after which [DrawPairs] lists the
// pairs.
const maxTries = 1000

// drawn extends `list` to the given number of pairs. It draws the added pairs from all pairs except
// those in `seen`.
func drawn(list []Pair, wanted int, all func() []Pair, seen map[Pair]bool, rng *rand.Rand) []Pair {
	if len(list) == wanted {
		return list
	}
	left := slices.DeleteFunc(all(), func(q Pair) bool { return seen[q] })
	for len(list) < wanted {
		k, last := rng.IntN(len(left)), len(left)-1
		list = append(list, left[k])
		left[k] = left[last]
		left = left[:last]
	}
	return list
}

// classesOf returns the rows of each class, in ascending order of the labels.
func classesOf(labels, rows []int) [][]int {
	members := map[int][]int{}
	for _, i := range rows {
		members[labels[i]] = append(members[labels[i]], i)
	}
	var classes [][]int
	for _, l := range slices.Sorted(maps.Keys(members)) {
		classes = append(classes, members[l])
	}
	return classes
}

// pairsWithin returns all pairs of rows with equal labels.
func pairsWithin(labels, rows []int) []Pair {
	var all []Pair
	for _, class := range classesOf(labels, rows) {
		for k, i := range class {
			for _, j := range class[k+1:] {
				all = append(all, Pair{i, j})
			}
		}
	}
	return all
}

// pairsBetween returns all pairs of rows with different labels.
func pairsBetween(labels, rows []int) []Pair {
	var all []Pair
	classes := classesOf(labels, rows)
	for c, class := range classes {
		for _, other := range classes[c+1:] {
			for _, i := range class {
				for _, j := range other {
					all = append(all, Pair{i, j}.Ordered())
				}
			}
		}
	}
	return all
}
