package walks

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestApart finds the group of each label by the definition of [Apart], from the dense inverse, and
// compares the other results with those computed from the labels outside the group.
func TestApart(t *testing.T) {
	w := ring(t, 60)
	n := w.Rows
	rng := rand.New(rand.NewPCG(3, 3))
	groups, none, strongly := 0, 0, 0
	for range 6 {
		labels := slices.Repeat([]int{-1}, n)
		for _, i := range rng.Perm(n)[:14] {
			labels[i] = rng.IntN(3)
		}
		o, err := Opinions(t.Context(), w, labels, 3, Options{Tolerance: 1e-10})
		if err != nil {
			t.Fatal(err)
		}
		verdicts, err := o.Verdicts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		m := mat.NewDense(n, n, nil)
		for i := range n {
			m.Set(i, i, o.degrees[i])
			cols, vals := w.Row(i)
			for k, j := range cols {
				m.Set(i, int(j), m.At(i, int(j))-o.Carry*vals[k])
			}
		}
		var g mat.Dense
		if err := g.Inverse(m); err != nil {
			t.Fatal(err)
		}
		for _, v := range verdicts {
			own, count := v.Label, 0
			var others []int
			for j, l := range labels {
				if l >= 0 && j != v.Sample {
					others = append(others, j)
					if l == own {
						count++
					}
				}
			}
			slices.SortStableFunc(others, func(a, b int) int {
				return map[bool]int{true: -1, false: 1}[g.At(a, v.Sample) > g.At(b, v.Sample)]
			})
			var group []int
			for _, j := range others {
				if labels[j] != own || len(group) == count/2 {
					break
				}
				group = append(group, j)
			}
			if len(group) == 0 || !v.Checkable {
				if v.Apart != nil {
					t.Fatalf("sample %d has a group %v, want none", v.Sample, v.Apart.Group)
				}
				none++
				continue
			}
			rest, mean, of := others[len(group):], make([]float64, 3), make([]float64, 3)
			total, walks := 0.0, 0.0
			for _, j := range rest {
				mean[labels[j]] += g.At(j, v.Sample)
				of[labels[j]]++
				walks += g.At(j, v.Sample)
			}
			for k := range mean {
				if of[k] > 0 {
					mean[k] /= of[k]
				}
				total += mean[k]
			}
			best := slices.Index(mean, slices.Max(mean))
			want := best != own && mean[best] >= 2*mean[own] && mean[best] >= 0.8*total
			a := v.Apart
			if a == nil || !slices.Equal(a.Group, group) {
				t.Fatalf("sample %d: %+v, want the group %v", v.Sample, a, group)
			}
			if math.Abs(a.Suspicion-(1-mean[own]/total)) > 1e-3 || a.Prefers != best || a.Strongly != want {
				t.Errorf("sample %d without %v: %+v, want suspicion %v, class %d, strongly %v", v.Sample, group, a, 1-mean[own]/total, best, want)
			}
			// Labels of other classes, and in other components, give no reason.
			rest = slices.DeleteFunc(rest, func(j int) bool { return labels[j] != a.Prefers || !(g.At(j, v.Sample) > 1e-12) })
			if len(a.Because) != min(3, len(rest)) {
				t.Fatalf("sample %d: %d reasons", v.Sample, len(a.Because))
			}
			for k, r := range a.Because {
				if r.Sample != rest[k] || math.Abs(r.Weight-g.At(rest[k], v.Sample)/walks) > 1e-3 || r.Classes[labels[r.Sample]] != r.Weight {
					t.Errorf("reason %d for sample %d is %+v, want sample %d", k, v.Sample, r, rest[k])
				}
			}
			groups++
			if want {
				strongly++
			}
		}
	}
	if groups < 10 || none < 10 || strongly < 3 {
		t.Errorf("only %d groups, %d labels without one, %d strong verdicts", groups, none, strongly)
	}
}

// TestEachReasons checks that the reasons for many samples, computed together, are in the order of
// the samples and equal those computed one by one, up to rounding.
func TestEachReasons(t *testing.T) {
	w := ring(t, 90)
	labels := slices.Repeat([]int{-1}, 90)
	for k, i := range rand.New(rand.NewPCG(5, 5)).Perm(90)[:12] {
		labels[i] = k % 3
	}
	o, err := Opinions(t.Context(), w, labels, 3, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var rows []int
	for i := 70; i >= 0; i -= 2 { // more than one block
		rows = append(rows, i)
	}
	one, err := Opinions(t.Context(), w, labels, 3, Options{})
	if err != nil {
		t.Fatal(err)
	}
	k := 0
	if err := o.EachReasons(t.Context(), rows, func(i int, labels, edges []Reason) {
		l, e, err := one.Reasons(t.Context(), i)
		same := func(a, b []Reason) bool {
			return slices.EqualFunc(a, b, func(p, q Reason) bool {
				return p.Sample == q.Sample && math.Abs(p.Weight-q.Weight) < 1e-12 && floats.EqualApprox(p.Classes, q.Classes, 1e-12)
			})
		}
		if err != nil || i != rows[k] || !same(l, labels) || !same(e, edges) {
			t.Errorf("%d: sample %d has %v and %v, alone %v and %v (%v)", k, i, labels, edges, l, e, err)
		}
		k++
	}); err != nil || k != len(rows) {
		t.Errorf("%d of %d samples: %v", k, len(rows), err)
	}
	if err := o.EachReasons(t.Context(), []int{3, 90}, nil); !errors.Is(err, ErrOption) {
		t.Error(err)
	}
}
