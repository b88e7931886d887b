package data

import (
	"errors"
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
