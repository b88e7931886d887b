package lesson

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// checkContradictions tests whether an answer finds the cannot-links that contradict a chain of
// must-links.
func checkContradictions(t *trial, f func(must, cannot [][2]int) [][2]int) {
	wants := func(must, cannot [][2]int) string {
		m, c := copied(must), copied(cannot)
		got, wrong := ask(t, func() [][2]int { return f(m, c) }, arg("must", m), arg("cannot", c))
		if wrong != "" {
			return wrong
		}
		found, want := pairSet(got), pairSet(contradictionsOf(must, cannot))
		for _, p := range want {
			if !slices.Contains(found, p) {
				return fmt.Sprintf("For must %s and cannot %s the pair %v is missing.", told(must), told(cannot), p)
			}
		}
		for _, p := range found {
			if !slices.Contains(want, p) {
				return fmt.Sprintf("For must %s and cannot %s the pair %v is no contradiction.", told(must), told(cannot), p)
			}
		}
		return ""
	}
	t.test("no pairs at all", func() string { return wants([][2]int{}, [][2]int{}) })
	t.test("no contradiction", func() string { return wants([][2]int{{0, 1}}, [][2]int{{0, 2}}) })
	t.test("a pair that is both", func() string { return wants([][2]int{{0, 1}}, [][2]int{{0, 1}, {0, 2}}) })
	t.test("a triangle", func() string { return wants([][2]int{{0, 1}, {1, 2}}, [][2]int{{0, 2}}) })
	t.test("pairs in either order, some of them repeated", func() string {
		return wants([][2]int{{1, 0}, {1, 2}, {2, 1}}, [][2]int{{2, 0}, {0, 2}, {3, 0}})
	})
	t.test("a chain of 100", func() string {
		var chain [][2]int
		for i := range 99 {
			chain = append(chain, [2]int{i, i + 1})
		}
		return wants(chain, [][2]int{{0, 99}, {0, 200}})
	})
	t.test("30 random sets", func() string {
		r := rand.New(rand.NewPCG(15, 15))
		some := func(n, of int) [][2]int {
			list := make([][2]int, n)
			for k := range list {
				i := r.IntN(of)
				list[k] = [2]int{i, (i + 1 + r.IntN(of-1)) % of}
			}
			return list
		}
		for k := range 30 {
			if wrong := wants(some(2+k, 4+2*k), some(3+k, 4+2*k)); wrong != "" {
				return wrong
			}
		}
		return ""
	})
}

// contradictionsOf returns the cannot-links whose two samples are joined by a chain of must-links.
func contradictionsOf(must, cannot [][2]int) (list [][2]int) {
	var sets joined
	for _, p := range must {
		sets.join(p[0], p[1])
	}
	for _, p := range cannot {
		if sets.root(p[0]) == sets.root(p[1]) {
			list = append(list, p)
		}
	}
	return list
}

// pairSet returns each pair once, with the smaller index first.
func pairSet(list [][2]int) [][2]int {
	set := make([][2]int, 0, len(list))
	for _, p := range list {
		set = append(set, [2]int{min(p[0], p[1]), max(p[0], p[1])})
	}
	slices.SortFunc(set, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(set)
}

// checkBestPair tests f, which chooses two cards. The right choice has the largest ratio of sums: the
// sum of the points that the two cards win, divided by the sum of the points that they lose.
func checkBestPair(t *trial, f func(won, lost []float64) (int, int)) {
	wants := func(won, lost []float64) string {
		a, b := copied(won), copied(lost)
		got, wrong := ask(t, func() [2]int { i, j := f(a, b); return [2]int{i, j} }, arg("won", a), arg("lost", b))
		if wrong != "" {
			return wrong
		}
		i, j := got[0], got[1]
		cards := fmt.Sprintf("For won %s and lost %s it returns %d and %d", told(won), told(lost), i, j)
		if i == j || min(i, j) < 0 || max(i, j) >= len(won) {
			return fmt.Sprintf("%s. These are not two different cards from 0 to %d.", cards, len(won)-1)
		}
		ratio := func(i, j int) float64 { return (won[i] + won[j]) / (lost[i] + lost[j]) }
		best := math.Inf(-1)
		for i := range won {
			for j := range i {
				best = max(best, ratio(i, j))
			}
		}
		if !nearlyEqual(ratio(i, j), best) {
			return fmt.Sprintf("%s, a ratio of sums of %.4g. Another pair has a ratio of sums of %.4g.", cards, ratio(i, j), best)
		}
		return ""
	}
	t.test("with only two cards, these two are the pair", func() string { return wants([]float64{1, 2}, []float64{1, 1}) })
	t.test("the cards X, Y and Z of the lesson", func() string {
		return wants([]float64{17.88, 1.72, 0}, []float64{0.96, 0.68, 0.09})
	})
	t.test("a player who loses nothing", func() string {
		if wrong := wants([]float64{3, 5, 0.5}, []float64{1, 1, 0}); wrong != "" {
			return wrong
		}
		return wants([]float64{5, 0, 3}, []float64{1, 0, 1})
	})
	t.test("any order of the cards", func() string {
		for _, order := range [][]int{{0, 2, 1}, {2, 0, 1}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}} {
			won, lost := make([]float64, 3), make([]float64, 3)
			for k, i := range order {
				won[k], lost[k] = []float64{17.88, 1.72, 0}[i], []float64{0.96, 0.68, 0.09}[i]
			}
			if wrong := wants(won, lost); wrong != "" {
				return wrong
			}
		}
		return ""
	})
	t.test("200 random hands of five", func() string {
		r := rand.New(rand.NewPCG(16, 16))
		for range 200 {
			won, lost := make([]float64, 5), make([]float64, 5)
			for i := range won {
				won[i], lost[i] = math.Round(100*r.Float64()*10)/100, math.Round(100*(0.05+r.Float64()))/100
			}
			if wrong := wants(won, lost); wrong != "" {
				return wrong
			}
		}
		return ""
	})
}
