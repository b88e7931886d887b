package data

import (
	"errors"
	"slices"
	"testing"
)

func TestDrawPairs(t *testing.T) {
	labels := []int{0, 0, 0, 1, 1, Unlabelled, 1, 2}
	all, err := DrawPairs(labels, 6, 15, 3) // all pairs
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Must) != 6 || len(all.Cannot) != 15 || all.Check(len(labels)) != nil {
		t.Errorf("%+v", all)
	}
	seen := map[Pair]bool{}
	for k, list := range [][]Pair{all.Must, all.Cannot} {
		for _, p := range list {
			if seen[p.Ordered()] || (labels[p.I] == labels[p.J]) != (k == 0) || labels[p.I] < 0 || labels[p.J] < 0 {
				t.Errorf("pair %v", p)
			}
			seen[p.Ordered()] = true
		}
	}
	a, _ := DrawPairs(labels, 2, 2, 1)
	b, _ := DrawPairs(labels, 2, 2, 1)
	if a.Must[0] != b.Must[0] || a.Must[1] != b.Must[1] || a.Cannot[0] != b.Cannot[0] || a.Cannot[1] != b.Cannot[1] {
		t.Error("one seed, two draws")
	}
	for _, n := range [][2]int{{7, 0}, {0, 16}, {-1, 0}, {0, -1}} {
		if _, err := DrawPairs(labels, n[0], n[1], 1); !errors.Is(err, ErrOption) {
			t.Errorf("%v: %v", n, err)
		}
	}
	if p, err := DrawPairs(nil, 0, 0, 1); err != nil || p.Len() != 0 {
		t.Errorf("%v, %v", p, err)
	}
}

// Pairs of a rare kind are drawn uniformly and without repetition, although random pairs of rows
// hardly ever are of this kind.
func TestDrawRarePairs(t *testing.T) {
	const n = 2000
	one, distinct := make([]int, n), make([]int, n) // a class of one row; three pairs with equal labels
	for i := range n {
		distinct[i] = i
	}
	one[n/2] = 1
	distinct[7], distinct[70], distinct[700] = 5, 50, 500
	valid := func(labels []int, p Pairs, must, cannot int) {
		t.Helper()
		seen := map[Pair]bool{}
		for k, q := range slices.Concat(p.Must, p.Cannot) {
			if q.I >= q.J || seen[q] || (labels[q.I] == labels[q.J]) != (k < len(p.Must)) {
				t.Fatalf("pair %d is %v, seen before: %v", k, q, seen[q])
			}
			seen[q] = true
		}
		if len(p.Must) != must || len(p.Cannot) != cannot {
			t.Fatalf("%d must-links and %d cannot-links", len(p.Must), len(p.Cannot))
		}
	}
	p, err := DrawPairs(one, 3, n-1, 1)
	if err != nil {
		t.Fatal(err)
	}
	valid(one, p, 3, n-1)
	times := map[Pair]int{}
	for seed := range uint64(60) {
		p, err := DrawPairs(distinct, 1, 2, seed)
		if err != nil {
			t.Fatal(err)
		}
		valid(distinct, p, 1, 2)
		times[p.Must[0]]++
	}
	if len(times) != 3 || times[Pair{5, 7}] < 8 || times[Pair{50, 70}] < 8 || times[Pair{500, 700}] < 8 {
		t.Errorf("drawn from three pairs: %v", times)
	}
}
