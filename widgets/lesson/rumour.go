package lesson

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// checkStep tests a function that computes one step of label propagation: each sample without a
// known value takes the mean value of its neighbours.
func checkStep(t *trial, f func([]float64, [][]int, map[int]float64) []float64) {
	step := func(value []float64, neighbours [][]int, known map[int]float64) ([]float64, string) {
		v, n, k := copied(value), copied(neighbours), copied(known)
		got, wrong := ask(t, func() []float64 { return f(v, n, k) }, arg("value", v), arg("neighbours", n), arg("known", k))
		if wrong == "" && len(got) != len(value) {
			wrong = fmt.Sprintf("For value %s it returns %s, expected %d.", told(value), nouns.Count(len(got), "value"), len(value))
		}
		return got, wrong
	}
	wants := func(value []float64, neighbours [][]int, known map[int]float64, want []float64) string {
		got, wrong := step(value, neighbours, known)
		if wrong != "" {
			return wrong
		}
		for i := range want {
			if !nearlyEqual(got[i], want[i]) {
				return fmt.Sprintf("For value %s, neighbours %s and known %s, dot %d becomes %.6g, expected %.6g.", told(value), told(neighbours), told(known), i, got[i], want[i])
			}
		}
		return ""
	}
	t.test("a dot takes the mean of its neighbours", func() string {
		return wants([]float64{0, 1, 4}, [][]int{{1, 2}, {0}, {0}}, map[int]float64{1: 1, 2: 4}, []float64{2.5, 1, 4})
	})
	t.test("known dots stay", func() string {
		return wants([]float64{1, 0}, [][]int{{1}, {0}}, map[int]float64{0: 1}, []float64{1, 1})
	})
	t.test("a dot without links keeps its value", func() string {
		return wants([]float64{0.5, 0}, [][]int{{}, {}}, map[int]float64{1: 0}, []float64{0.5, 0})
	})
	t.test("all dots read the old values", func() string {
		return wants([]float64{1, 0, 0}, [][]int{{1}, {0, 2}, {1}}, map[int]float64{0: 1}, []float64{1, 0.5, 0})
	})
	t.test("if one dot of each moon is known, as −1 in one moon and as 1 in the other, at least 93 % of the dots have the sign of their moon after 300 steps, on average over ten pairs of moons", func() string {
		mean := 0.0
		for seed := range uint64(10) {
			d := datasets.TwoMoons(seed + 1)
			w := neighbours(points(d), 8)
			known := map[int]float64{50: -1, 150: 1} // the middle sample of each moon
			value := make([]float64, d.Len())
			for i, v := range known {
				value[i] = v
			}
			for range 300 {
				var wrong string
				if value, wrong = step(value, w, known); wrong != "" {
					return wrong
				}
			}
			right := 0
			for i, v := range value {
				if v < 0 && d.Truth[i] == 0 || v > 0 && d.Truth[i] == 1 {
					right++
				}
			}
			mean += float64(right) / float64(d.Len()) / 10
		}
		if !(mean >= 0.93) {
			return fmt.Sprintf("Your steps give %.0f %% of the dots the sign of their moon.", 100*mean)
		}
		return ""
	})
}

func points(d *ssdrnb.Data) [][]float64 {
	p := make([][]float64, d.Len())
	for i := range p {
		p[i] = slices.Clone(d.X.RawRowView(i))
	}
	return p
}

// neighbours links each point to its k nearest points. A link exists if either end is among the k
// nearest of the other.
func neighbours(p [][]float64, k int) [][]int {
	link := make([]map[int]bool, len(p))
	for i := range link {
		link[i] = map[int]bool{}
	}
	for i := range p {
		order := make([]int, 0, len(p))
		for j := range p {
			if j != i {
				order = append(order, j)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int {
			da, db := distance(p[i], p[a]), distance(p[i], p[b])
			if da < db {
				return -1
			} else if da > db {
				return 1
			}
			return 0
		})
		for _, j := range order[:k] {
			link[i][j], link[j][i] = true, true
		}
	}
	lists := make([][]int, len(p))
	for i := range lists {
		for j := range link[i] {
			lists[i] = append(lists[i], j)
		}
		slices.Sort(lists[i])
	}
	return lists
}

func distance(a, b []float64) float64 {
	sum := 0.0
	for k, v := range a {
		sum += (v - b[k]) * (v - b[k])
	}
	return math.Sqrt(sum)
}

// checkVerdict tests a function that decides whether the second of two lists of scores is better.
func checkVerdict(t *trial, f func(without, with []float64) string) {
	verdict := func(without, with []float64) (string, string) {
		a, b := copied(without), copied(with)
		got, wrong := ask(t, func() string { return f(a, b) }, arg("without", a), arg("with", b))
		if wrong == "" && !slices.Contains([]string{"helps", "hurts", "cannot tell"}, got) {
			wrong = fmt.Sprintf(`It returns %s. The three verdicts are "helps", "hurts" and "cannot tell".`, told(got))
		}
		return got, wrong
	}
	wants := func(without, with []float64, want string) string {
		got, wrong := verdict(without, with)
		if wrong == "" && got != want {
			wrong = fmt.Sprintf("For without %s and with %s it returns %q, expected %q.", told(without), told(with), got, want)
		}
		return wrong
	}
	spread := []float64{0.50, 0.60, 0.70, 0.80, 0.90}
	// These scores are better by 0.04 to 0.06 in each draw. The draws differ more from each other.
	better := []float64{0.54, 0.65, 0.75, 0.86, 0.95}
	t.test("draws are compared pair by pair: a small gain in each draw helps", func() string { return wants(spread, better, "helps") })
	t.test("a small loss in each draw hurts", func() string { return wants(better, spread, "hurts") })
	t.test("equal lists: cannot tell", func() string { return wants(spread, spread, "cannot tell") })
	t.test("one lucky draw: cannot tell", func() string {
		return wants([]float64{0.8, 0.8, 0.8, 0.8}, []float64{0.8, 0.8, 0.8, 0.95}, "cannot tell")
	})
	t.test("100 pairs of lists that differ only by chance: at least 88 are \"cannot tell\"", func() string {
		r := rand.New(rand.NewPCG(14, 14))
		flagged := 0
		for range 100 {
			a, b := make([]float64, 10), make([]float64, 10)
			for i := range a {
				level := 0.8 + 0.05*r.NormFloat64()
				a[i], b[i] = level+0.03*r.NormFloat64(), level+0.03*r.NormFloat64()
			}
			got, wrong := verdict(a, b)
			if wrong != "" {
				return wrong
			}
			if got != "cannot tell" {
				flagged++
			}
		}
		if flagged > 12 {
			return fmt.Sprintf("For %d of the 100 pairs it returns \"helps\" or \"hurts\", although the lists differ only by chance.", flagged)
		}
		return ""
	})
	t.test("one name for each moon: the rumour helps on ten pairs of moons", func() string { return drawn(verdict, "moons", "helps") })
	t.test("one name for each side: the rumour hurts on ten pairs of rivers", func() string { return drawn(verdict, "rivers", "hurts") })
}

// drawn tests verdicts on ten data sets, and returns a sentence about the first verdict that
// differs from the argument want, or "". For each data set, the two lists contain the share of
// unlabelled samples that get the right class, with one score for each of ten draws of one label
// per class. In the first list the class is that of the nearest labelled sample, and in the second
// it comes from label propagation. A data set is skipped if the mean difference of its lists is
// below three standard errors.
func drawn(verdict func(without, with []float64) (string, string), recipe, want string) string {
	for seed := range uint64(10) {
		d := recipes.Recipe{Name: recipe, Seed: seed + 1}.Data()
		p := points(d)
		w := neighbours(p, 8)
		var ruler, rumour []float64
		for s := range uint64(10) {
			labels := d.KeepLabels(1).Seed(s + 1).Labels
			known := map[int]float64{}
			for i, l := range labels {
				if l >= 0 {
					known[i] = float64(2*l - 1)
				}
			}
			ruler, rumour = append(ruler, rightShare(d.Truth, byRuler(p, known), known)), append(rumour, rightShare(d.Truth, byRumour(w, known), known))
		}
		if math.Abs(errorsApart(ruler, rumour)) < 3 {
			continue
		}
		got, wrong := verdict(ruler, rumour)
		if wrong != "" {
			return wrong
		}
		if got != want {
			return fmt.Sprintf("For without %s and with %s it returns %q, expected %q.", told(ruler), told(rumour), got, want)
		}
	}
	return ""
}

// errorsApart returns the mean of b[i] − a[i] divided by its standard error.
func errorsApart(a, b []float64) float64 {
	n, mean, square := float64(len(a)), 0.0, 0.0
	for i := range a {
		mean += (b[i] - a[i]) / n
	}
	for i := range a {
		square += (b[i] - a[i] - mean) * (b[i] - a[i] - mean)
	}
	return mean / math.Sqrt(square/(n-1)/n)
}

// byRuler returns, for each point, the value of the nearest known point.
func byRuler(p [][]float64, known map[int]float64) []float64 {
	value := make([]float64, len(p))
	for i := range p {
		best := math.Inf(1)
		for j := range p { // the loop is not over known, because the order of a map is random
			if v, ok := known[j]; ok && distance(p[i], p[j]) < best {
				best, value[i] = distance(p[i], p[j]), v
			}
		}
	}
	return value
}

// byRumour returns the value of each point after 300 steps of label propagation along the links w.
func byRumour(w [][]int, known map[int]float64) []float64 {
	value := make([]float64, len(w))
	for i, v := range known {
		value[i] = v
	}
	for range 300 {
		next := slices.Clone(value)
		for i, list := range w {
			if _, ok := known[i]; ok || len(list) == 0 {
				continue
			}
			next[i] = 0
			for _, j := range list {
				next[i] += value[j] / float64(len(list))
			}
		}
		value = next
	}
	return value
}

// rightShare returns the share of unlabelled samples whose value has the right sign.
func rightShare(truth []int, value []float64, known map[int]float64) float64 {
	right, all := 0, 0
	for i, v := range value {
		if _, ok := known[i]; ok {
			continue
		}
		all++
		if v*float64(2*truth[i]-1) > 0 {
			right++
		}
	}
	return float64(right) / float64(all)
}
