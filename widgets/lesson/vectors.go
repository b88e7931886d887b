package lesson

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// checkKept tests a function that computes the share of the variance along a direction.
func checkKept(t *trial, f func([][]float64, []float64) float64) {
	kept := func(points [][]float64, direction []float64) (float64, string) {
		p, d := copied(points), copied(direction)
		return ask(t, func() float64 { return f(p, d) }, arg("points", p), arg("direction", d))
	}
	wants := func(points [][]float64, direction []float64, want float64) string {
		got, wrong := kept(points, direction)
		if wrong == "" && !nearlyEqual(got, want) {
			wrong = fmt.Sprintf("For points %s and direction %s it returns %.10g, expected %.10g.", told(points), told(direction), got, want)
		}
		return wrong
	}
	line := [][]float64{{-1, 0}, {1, 0}}
	t.test("a direction with all of the spread gives 1, and one with none gives 0", func() string {
		if wrong := wants(line, []float64{1, 0}, 1); wrong != "" {
			return wrong
		}
		return wants(line, []float64{0, 1}, 0)
	})
	small := [][]float64{{0, 0}, {2, 0}, {0, 1}, {2, 3}}
	same := func(points [][]float64, direction []float64, change string, p [][]float64, d []float64) string {
		before, wrong := kept(points, direction)
		if wrong != "" {
			return wrong
		}
		after, wrong := kept(p, d)
		if wrong == "" && !nearlyEqual(before, after) {
			wrong = fmt.Sprintf("For points %s and direction %s it returns %.6g. %s it returns %.6g.", told(points), told(direction), before, change, after)
		}
		return wrong
	}
	t.test("shifted points give the same share", func() string {
		shifted := copied(small)
		for _, p := range shifted {
			p[0], p[1] = p[0]+10, p[1]-5
		}
		return same(small, []float64{0.6, 0.8}, "With all points shifted by (10, -5)", shifted, []float64{0.6, 0.8})
	})
	t.test("a direction of twice the length gives the same share", func() string {
		return same(small, []float64{0.6, 0.8}, "For twice that direction", small, []float64{1.2, 1.6})
	})
	r := rand.New(rand.NewPCG(11, 11))
	t.test("the shares of three perpendicular directions add up to 1", func() string {
		points := cloud(r, 6, 3)
		sum := 0.0
		for _, d := range [][]float64{{1, 1, 0}, {1, -1, 0}, {0, 0, 1}} {
			share, wrong := kept(points, d)
			if wrong != "" {
				return wrong
			}
			sum += share
		}
		if !nearlyEqual(sum, 1) {
			return fmt.Sprintf("For points %s the shares along (1, 1, 0), (1, -1, 0) and (0, 0, 1) add up to %.6g, expected 1.", told(points), sum)
		}
		return ""
	})
	t.test("a direction along a constant column gives 0", func() string {
		return wants([][]float64{{1, 7}, {2, 7}, {4, 7}}, []float64{0, 1}, 0)
	})
	t.test("50 random clouds", func() string {
		for k := range 50 {
			points, d := cloud(r, 2+k/3, 2+k%4), cloud(r, 1, 2+k%4)[0]
			if wrong := wants(points, d, shareAlong(points, d)); wrong != "" {
				return wrong
			}
		}
		return ""
	})
}

// cloud returns n normally distributed points around (3, 3, …), rounded to two decimals. The
// standard deviations along the axes are 1, 2, ….
func cloud(r *rand.Rand, n, dim int) [][]float64 {
	points := make([][]float64, n)
	for i := range points {
		points[i] = make([]float64, dim)
		for j := range points[i] {
			points[i][j] = math.Round(100*(3+float64(1+j)*r.NormFloat64())) / 100
		}
	}
	return points
}

// shareAlong returns the variance along a direction divided by the total variance.
func shareAlong(points [][]float64, direction []float64) float64 {
	n, dim := float64(len(points)), len(direction)
	mean := make([]float64, dim)
	length := 0.0
	for j := range dim {
		for _, p := range points {
			mean[j] += p[j] / n
		}
		length += direction[j] * direction[j]
	}
	along, all := 0.0, 0.0
	for _, p := range points {
		at := 0.0
		for j, v := range p {
			at += (v - mean[j]) * direction[j]
			all += (v - mean[j]) * (v - mean[j])
		}
		along += at * at
	}
	return along / length / all
}

// checkIslands tests a function that counts islands, see islandsOf.
func checkIslands(t *trial, f func([][]float64, float64) int) {
	wants := func(what string, points [][]float64, gap float64, want int) string {
		p := copied(points)
		got, wrong := ask(t, func() int { return f(p, gap) }, arg("points", p))
		if wrong == "" && got != want {
			wrong = fmt.Sprintf("For %s and gap %.4g it returns %d, expected %d. Points: %s.", what, gap, got, want, told(points))
		}
		return wrong
	}
	row := func(n int, from, step float64) (points [][]float64) {
		for i := range n {
			points = append(points, []float64{from + step*float64(i), 0})
		}
		return points
	}
	t.test("without points there is no island", func() string { return wants("no points", [][]float64{}, 1, 0) })
	t.test("four points are no island, five are one", func() string {
		if wrong := wants("four points in a row", row(4, 0, 0.5), 1, 0); wrong != "" {
			return wrong
		}
		return wants("five points in a row", row(5, 0, 0.5), 1, 1)
	})
	t.test("a step exactly as long as the gap joins two points", func() string { return wants("five points in steps of 1", row(5, 0, 1), 1, 1) })
	t.test("three clusters", func() string {
		return wants("three rows of five", append(append(row(5, 0, 0.5), row(5, 10, 0.5)...), row(5, 20, 0.5)...), 1, 3)
	})
	t.test("one long chain, joined through many steps", func() string { return wants("a chain of 40 points", row(40, 0, 0.9), 1, 1) })
	t.test("single points do not count", func() string {
		return wants("a row of five and two single points", append(row(5, 0, 0.5), []float64{30, 0}, []float64{60, 0}), 1, 1)
	})
	r := rand.New(rand.NewPCG(12, 12))
	t.test("the order of the points does not matter", func() string {
		points := row(12, 0, 0.9)
		for range 5 {
			r.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
			if wrong := wants("a chain of 12 points in another order", points, 1, 1); wrong != "" {
				return wrong
			}
		}
		return ""
	})
	t.test("30 random sets", func() string {
		for k := range 30 {
			points := cloud(r, 6+3*k, 1+k%3)
			gap := []float64{0.3, 0.7, 1.5}[k/2%3]
			if wrong := wants(fmt.Sprintf("%d random points", len(points)), points, gap, islandsOf(points, gap)); wrong != "" {
				return wrong
			}
		}
		return ""
	})
}

// islandsOf counts the islands. Two points are joined if their distance is at most gap. An island
// is a connected component with at least five points.
func islandsOf(points [][]float64, gap float64) int {
	var sets joined
	for i, a := range points {
		for j := range i {
			sum := 0.0
			for k, v := range a {
				sum += (v - points[j][k]) * (v - points[j][k])
			}
			if math.Sqrt(sum) <= gap {
				sets.join(i, j)
			}
		}
	}
	size, count := map[int]int{}, 0
	for i := range points {
		root := sets.root(i)
		if size[root]++; size[root] == 5 {
			count++
		}
	}
	return count
}

// joined is a union-find structure over integers. An integer that was never joined with another
// forms a set of its own.
type joined struct{ parent map[int]int }

func (s *joined) root(i int) int {
	for {
		p, ok := s.parent[i]
		if !ok {
			return i
		}
		i = p
	}
}

func (s *joined) join(i, j int) {
	if a, b := s.root(i), s.root(j); a != b {
		if s.parent == nil {
			s.parent = map[int]int{}
		}
		s.parent[a] = b
	}
}
