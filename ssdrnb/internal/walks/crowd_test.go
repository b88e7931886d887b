package walks

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// TestSuggestInCrowds expects one suggestion in each of twelve groups of unequal size. If walks
// lengthen with the number of samples, they leave their group, and other groups wrongly count as
// covered.
func TestSuggestInCrowds(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	const groups, links, bridges = 12, 3, 40
	rng := rand.New(rand.NewPCG(4, 4))
	var of []int
	var first []int
	for g := range groups {
		first = append(first, len(of))
		for range 1000 + 300*g {
			of = append(of, g)
		}
	}
	n := len(of)
	first = append(first, n)
	var entries []sparse.Triplet
	link := func(i, j int) {
		if i != j {
			entries = append(entries, sparse.Triplet{Row: i, Col: j, Value: 1}, sparse.Triplet{Row: j, Col: i, Value: 1})
		}
	}
	for i, g := range of {
		for range links {
			link(i, first[g]+rng.IntN(first[g+1]-first[g]))
		}
	}
	for g := range groups {
		for range bridges {
			next := (g + 1) % groups
			link(first[g]+rng.IntN(first[g+1]-first[g]), first[next]+rng.IntN(first[next+1]-first[next]))
		}
	}
	w, err := sparse.FromTriplets(n, n, entries)
	if err != nil {
		t.Fatal(err)
	}
	labels := make([]int, n)
	for i := range labels {
		labels[i] = -1
	}
	picks, err := Suggest(context.Background(), w, labels, 0, 20, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	in := map[int]int{}
	for _, i := range picks {
		in[of[i]]++
	}
	if len(in) < groups {
		t.Errorf("20 suggestions are in %d of %d groups: %v", len(in), groups, in)
	}
}
