package data

import (
	"math/rand/v2"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
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

// DrawPairs draws pairs of labelled rows uniformly and without repetition. The argument must is the
// number of must-links (pairs with equal labels), cannot the number of cannot-links (pairs with
// different labels). It is an error if the labels imply fewer pairs than requested.
func DrawPairs(labels []int, must, cannot int, seed uint64) (Pairs, error) {
	if must < 0 || cannot < 0 {
		return Pairs{}, advice.Errorf("draw 0 or more", "%w: the numbers of must-links and cannot-links are %d and %d, but cannot be negative", ErrOption, must, cannot)
	}
	rows := order.Where(labels, func(l int) bool { return l != Unlabelled })
	if within, across := CountPairs(labels); must > within || cannot > across {
		return Pairs{}, advice.Errorf("draw at most as many pairs as the labels imply", "%w: %d must-links and %d cannot-links, but %d labelled rows have only %d pairs within classes and %d between",
			ErrOption, must, cannot, len(rows), within, across)
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	seen := make(map[Pair]bool, must+cannot)
	var p Pairs
	for len(p.Must) < must || len(p.Cannot) < cannot {
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
