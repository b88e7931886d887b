package ssdrnb_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// planted are two well separated clouds of 150 samples each, with right labels at random samples,
// and wrong ones in a knot of 15 samples at the edge of the second cloud.
func planted(seed uint64, right, together int) (d *ssdrnb.Data, wrong []int) {
	rng := rand.New(rand.NewPCG(seed, 44))
	const n, knot = 150, 15
	x, labels := mat.NewDense(2*n, 2, nil), slices.Repeat([]int{-1}, 2*n)
	for i := range 2 * n {
		x.SetRow(i, []float64{float64(i/n)*30 + rng.NormFloat64(), rng.NormFloat64()})
		if i >= 2*n-knot {
			x.SetRow(i, []float64{30 + 0.3*rng.NormFloat64(), 3 + 0.3*rng.NormFloat64()})
		}
	}
	first, second := rng.Perm(n-knot), rng.Perm(n-knot)
	for k := range right {
		labels[first[k]], labels[n+second[k]] = 0, 1
	}
	for _, k := range rng.Perm(knot)[:together] {
		labels[2*n-knot+k] = 0
		wrong = append(wrong, 2*n-knot+k)
	}
	return ssdrnb.NewData(x, labels), wrong
}

// TestGroupsOfWrongLabels plants three wrong labels that lie together and support each other. None
// disagrees, each has the other two as its group, would disagree strongly without them, and is in
// the list of backed labels. No right label is in it.
func TestGroupsOfWrongLabels(t *testing.T) {
	for seed := range uint64(5) {
		d, wrong := planted(seed, 8, 3)
		s, err := ssdrnb.Suspicions(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		var backed []int
		for _, one := range s.Backed() {
			backed = append(backed, one.Row)
			fellows := slices.DeleteFunc(slices.Clone(wrong), func(i int) bool { return i == one.Row })
			group := slices.Clone(one.Group)
			slices.Sort(group)
			slices.Sort(fellows)
			if !slices.Equal(group, fellows) {
				t.Errorf("seed %d: sample %d has the group %v, want %v", seed, one.Row, one.Group, fellows)
			}
			if one.Disagrees || one.Label != 0 || one.Proposed != 1 || one.Apart < 0.99 || one.Suspicion > 0.67 {
				t.Errorf("seed %d: %+v", seed, one)
			}
			if len(one.Because) == 0 {
				t.Errorf("seed %d: sample %d has no reasons", seed, one.Row)
			}
			for _, r := range one.Because {
				if r.Class != 1 || d.Labels[r.Row] != 1 || !(r.Weight > 0 && r.Weight <= 1) {
					t.Errorf("seed %d: sample %d is outvoted by %+v", seed, one.Row, r)
				}
			}
		}
		slices.Sort(backed)
		slices.Sort(wrong)
		if !slices.Equal(backed, wrong) {
			t.Errorf("seed %d: %v are backed, want %v", seed, backed, wrong)
		}
		// The ranking uses the mean of both suspicions: the planted labels come first.
		for k, one := range s.Labels {
			if slices.Contains(wrong, one.Row) != (k < len(wrong)) {
				t.Errorf("seed %d: sample %d has rank %d", seed, one.Row, k)
			}
		}
		text := s.String()
		if !strings.Contains(text, "3 labels are supported only by nearby labels of the same class") || !strings.Contains(text, fmt.Sprintf("sample %d is labelled 0, like all 3 samples of its group; the labels outside the group suggest 1", wrong[0])) {
			t.Errorf("seed %d: %s", seed, text)
		}
	}
}

// TestGroupsOfOne: a single wrong label disagrees and is not backed. No label of a class with two
// labels has a group, because half of one other label is none.
func TestGroupsOfOne(t *testing.T) {
	for seed := range uint64(5) {
		d, wrong := planted(seed, 8, 1)
		s, err := ssdrnb.Suspicions(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		all := s.Disagreeing()
		if len(all) != 1 || all[0].Row != wrong[0] || !all[0].Strongly || all[0].Backed || all[0].Group != nil || all[0].Apart != all[0].Suspicion {
			t.Errorf("seed %d: %+v disagree, want %v", seed, all, wrong)
		}
		if b := s.Backed(); b != nil {
			t.Errorf("seed %d: %+v are backed", seed, b)
		}
		if strings.Contains(s.String(), "alone") {
			t.Errorf("seed %d: %v", seed, s)
		}
		pair, _ := planted(seed, 2, 0)
		if s, err = ssdrnb.Suspicions(t.Context(), pair); err != nil {
			t.Fatal(err)
		}
		if len(s.Labels) != 4 {
			t.Errorf("seed %d: %d of 4 labels checked", seed, len(s.Labels))
		}
		for _, one := range s.Labels {
			if one.Group != nil || one.Apart != one.Suspicion {
				t.Errorf("seed %d: %+v in a class of two", seed, one)
			}
		}
	}
}
