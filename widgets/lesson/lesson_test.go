package lesson

import (
	"cmp"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// The right answers of the exercises, as a student would write them.

func rightKept(points [][]float64, direction []float64) float64 { return shareAlong(points, direction) }

func rightStep(value []float64, neighbours [][]int, known map[int]float64) []float64 {
	next := make([]float64, len(value))
	for i := range value {
		next[i] = value[i]
		if v, ok := known[i]; ok {
			next[i] = v
		} else if n := len(neighbours[i]); n > 0 {
			next[i] = 0
			for _, j := range neighbours[i] {
				next[i] += value[j] / float64(n)
			}
		}
	}
	return next
}

func rightVerdict(without, with []float64) string {
	n, mean, square := float64(len(with)), 0.0, 0.0
	for i := range with {
		mean += (with[i] - without[i]) / n
	}
	for i := range with {
		square += math.Pow(with[i]-without[i]-mean, 2)
	}
	switch twice := 2 * math.Sqrt(square/(n-1)/n); {
	case mean > twice:
		return "helps"
	case mean < -twice:
		return "hurts"
	}
	return "cannot tell"
}

func rightBestPair(won, lost []float64) (a, b int) {
	best := math.Inf(-1)
	for i := range won {
		for j := range i {
			if r := (won[i] + won[j]) / (lost[i] + lost[j]); r > best {
				best, a, b = r, i, j
			}
		}
	}
	return a, b
}

// rightLength leaves one point out at a time and adds up log densities.
func rightLength(x, y []float64) float64 {
	best, answer := math.Inf(-1), 0.0
	for _, l := range lengths {
		sum := 0.0
		for i := range x {
			mean, deviation := Predict(slices.Delete(slices.Clone(x), i, i+1), slices.Delete(slices.Clone(y), i, i+1), l, x[i:i+1])
			v := deviation[0]*deviation[0] + Noise*Noise
			sum -= (y[i]-mean[0])*(y[i]-mean[0])/v/2 + math.Log(v)/2
		}
		if sum > best {
			best, answer = sum, l
		}
	}
	return answer
}

// No answer to "length" that looks only at the width of the interval is right.
func TestLengthNeedsCurve(t *testing.T) {
	for _, narrow := range lengths {
		for _, wide := range lengths {
			r := Check("length", func(x, y []float64) float64 {
				if x[len(x)-1]-x[0] < 10 {
					return narrow
				}
				return wide
			})
			if r.Passed() {
				t.Errorf("%v and %v by the width pass", narrow, wide)
			}
		}
	}
}

// Answers are compared as finite numbers, up to rounding errors of their size.
func TestNearlyEqual(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		a, b float64
		want bool
	}{
		{1, 1 + 1e-12, true}, {1, 1 + 1e-6, false}, {0, 1e-12, true}, {1e12, 1e12 + 1, true}, {1e12, 2e12, false},
		{inf, 1, false}, {1, -inf, false}, {inf, inf, false}, {inf, -inf, false}, {math.NaN(), 1, false}, {math.NaN(), math.NaN(), false},
		{math.MaxFloat64, math.MaxFloat64, true}, {math.MaxFloat64, -math.MaxFloat64, false},
	} {
		if nearlyEqual(c.a, c.b) != c.want || nearlyEqual(c.b, c.a) != c.want {
			t.Errorf("%v and %v: want %v", c.a, c.b, c.want)
		}
	}
}

func painted(name string) *ssdrnb.Data { return recipes.Recipe{Name: name, Seed: 3}.Data() }

// Each exercise has right answers, without a message, and typical wrong answers, with messages that
// contain the given words.
func TestExercises(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	type answers map[string]struct {
		answer any
		told   string
	}
	boom := "panicked: runtime error: index out of range"
	for name, group := range map[string]answers{
		"kept": {
			"right":          {rightKept, ""},
			"infinite":       {func([][]float64, []float64) float64 { return math.Inf(1) }, "returns +Inf, expected 1"},
			"mean forgotten": {func(p [][]float64, d []float64) float64 { return share(p, d, false, true) }, "shifted by (10, -5)"},
			"length forgotten": {func(p [][]float64, d []float64) float64 { return share(p, d, true, false) },
				"For twice that direction"},
			"variance along, not share": {func(p [][]float64, d []float64) float64 { return share(p, d, true, true) * 7 }, "returns 7, expected 1"},
			"empty":                     {func([][]float64, []float64) float64 { return 0 }, "returns 0, expected 1"},
			"panicking":                 {func(p [][]float64, d []float64) float64 { return p[len(p)][0] }, boom},
			"mutating":                  {func(p [][]float64, d []float64) float64 { s := shareAlong(p, d); p[0][0]++; return s }, "changes points"},
		},
		"islands": {
			"right": {islandsOf, ""},
			"single points counted": {func(p [][]float64, gap float64) int {
				return sized(p, gap, 1, true)
			}, "expected 0"},
			"strictly below the gap": {func(p [][]float64, gap float64) int { return sized(p, math.Nextafter(gap, 0), 5, true) }, "five points in steps of 1"},
			"one step only":          {func(p [][]float64, gap float64) int { return sized(p, gap, 5, false) }, "expected 1"},
			"empty":                  {func([][]float64, float64) int { return 0 }, "returns 0, expected 1"},
			"panicking":              {func(p [][]float64, gap float64) int { return int(p[0][2]) }, boom},
			"mutating": {func(p [][]float64, gap float64) int {
				n := islandsOf(p, gap)
				slices.Reverse(p)
				return n
			}, "changes points"},
		},
		"step": {
			"right": {rightStep, ""},
			"known dots move": {func(v []float64, n [][]int, k map[int]float64) []float64 { return rightStep(v, n, nil) },
				"expected"},
			"lone dots fall to zero": {func(v []float64, n [][]int, k map[int]float64) []float64 {
				next := rightStep(v, n, k)
				for i := range next {
					if _, ok := k[i]; !ok && len(n[i]) == 0 {
						next[i] = math.NaN()
					}
				}
				return next
			}, "dot 0 becomes NaN, expected 0.5"},
			"half-new values": {func(v []float64, n [][]int, k map[int]float64) []float64 {
				next := slices.Clone(v)
				for i := range next {
					next[i] = rightStep(next, n, k)[i]
				}
				return next
			}, "dot 2 becomes 0.5, expected 0"},
			"empty":     {func([]float64, [][]int, map[int]float64) []float64 { return nil }, "it returns 0"},
			"panicking": {func(v []float64, n [][]int, k map[int]float64) []float64 { return v[:len(v)+len(n)+5] }, "panicked"},
			"mutating":  {func(v []float64, n [][]int, k map[int]float64) []float64 { copy(v, rightStep(v, n, k)); return v }, "changes value"},
		},
		"verdict": {
			"right": {rightVerdict, ""},
			"two means": {func(a, b []float64) string {
				// The standard errors of both lists, as if they were from independent draws.
				d := mean(b) - mean(a)
				switch e := 2 * math.Hypot(deviation(a), deviation(b)) / math.Sqrt(float64(len(a))); {
				case d > e:
					return "helps"
				case d < -e:
					return "hurts"
				}
				return "cannot tell"
			}, `"cannot tell", expected "helps"`},
			"sign of the mean": {func(a, b []float64) string {
				if mean(b) > mean(a) {
					return "helps"
				}
				return "hurts"
			}, `expected "cannot tell"`},
			"always helps": {func(a, b []float64) string { return "helps" }, `"helps", expected "hurts"`},
			"empty":        {func(a, b []float64) string { return "" }, "three verdicts"},
			"panicking":    {func(a, b []float64) string { return []string{"helps"}[len(a)] }, boom},
			"mutating":     {func(a, b []float64) string { v := rightVerdict(a, b); a[0] = 9; return v }, "changes without"},
		},
		"contradictions": {
			"right": {contradictionsOf, ""},
			"chains of two only": {func(must, cannot [][2]int) (list [][2]int) {
				for _, c := range cannot {
					for _, m := range must {
						if pairSet([][2]int{m})[0] == pairSet([][2]int{c})[0] {
							list = append(list, c)
						}
					}
				}
				return list
			}, "is missing"},
			"all of them": {func(must, cannot [][2]int) [][2]int { return cannot }, "is no contradiction"},
			"order matters": {func(must, cannot [][2]int) (list [][2]int) {
				next := map[int]int{}
				for _, m := range must {
					next[m[0]] = m[1]
				}
				for _, c := range cannot {
					for i, k := c[0], 0; k <= len(must); k++ {
						j, ok := next[i]
						if !ok {
							break
						}
						if i = j; i == c[1] {
							list = append(list, c)
							break
						}
					}
				}
				return list
			}, "is missing"},
			"empty":     {func(must, cannot [][2]int) [][2]int { return nil }, "is missing"},
			"panicking": {func(must, cannot [][2]int) [][2]int { return [][2]int{must[0]} }, boom},
			"mutating": {func(must, cannot [][2]int) [][2]int {
				list := contradictionsOf(must, cannot)
				for i := range cannot {
					cannot[i][0], cannot[i][1] = cannot[i][1], cannot[i][0]
				}
				return list
			}, "changes cannot"},
		},
		"bestpair": {
			"right":          {rightBestPair, ""},
			"the two best":   {func(won, lost []float64) (int, int) { return twoBest(won, lost) }, "Another pair has a ratio of sums of"},
			"sum of ratios":  {func(won, lost []float64) (int, int) { return sumOfRatios(won, lost) }, "Another pair has a ratio of sums of"},
			"one card twice": {func(won, lost []float64) (int, int) { i, _ := twoBest(won, lost); return i, i }, "not two different cards"},
			"empty":          {func(won, lost []float64) (int, int) { return 0, 0 }, "not two different cards"},
			"panicking":      {func(won, lost []float64) (int, int) { return int(won[len(won)]), 0 }, boom},
			"mutating": {func(won, lost []float64) (int, int) {
				i, j := rightBestPair(won, lost)
				slices.Sort(won)
				won[0]--
				return i, j
			}, "changes won"},
			"cards from 1, not 0": {func(won, lost []float64) (int, int) { i, j := rightBestPair(won, lost); return i + 1, j + 1 }, "not two different cards"},
		},
		"length": {
			"right":    {rightLength, ""},
			"always 1": {func(x, y []float64) float64 { return 1 }, "at least 8 are required"},
			"nearest to a tenth of the width": {func(x, y []float64) float64 {
				return slices.MinFunc(lengths, func(a, b float64) int {
					far := func(l float64) float64 { return math.Abs(math.Log((x[len(x)-1] - x[0]) / 10 / l)) }
					return cmp.Compare(far(a), far(b))
				})
			}, "at least 16 are required"},
			"none of ten": {func(x, y []float64) float64 { return 0.7 }, "none of 0.1, 0.3, 1, 3 and 10"},
			"fit of the points themselves": {func(x, y []float64) float64 {
				best, answer := math.Inf(1), 0.0
				for _, l := range lengths {
					sum := 0.0
					m, _ := Predict(x, y, l, x)
					for i := range m {
						sum += (m[i] - y[i]) * (m[i] - y[i])
					}
					if sum < best {
						best, answer = sum, l
					}
				}
				return answer
			}, "finds the length of 0 curves"},
			"empty":     {func(x, y []float64) float64 { return 0 }, "none of 0.1"},
			"panicking": {func(x, y []float64) float64 { return x[len(x)] }, boom},
			"mutating":  {func(x, y []float64) float64 { y[3]++; return 1 }, "changes y"},
		},
		"ring": {
			"right":             {painted("disc"), ""},
			"a line is enough":  {painted("blobs"), "some straight line separates the colours too well"},
			"all in one place":  {noise(200), "KSDA of width 0.2 finds at least 95 %"},
			"forty are missing": {painted("disc").Subset(append(rows(0, 30), rows(60, 80)...)), "One colour has 20 spots"},
			"one colour four times": {painted("disc").Subset(append(rows(0, 20), rows(60, 160)...)),
				"20 and 100 spots"},
			"three colours": {painted("steps"), "another colour"},
			"empty":         {&ssdrnb.Data{}, "✗ a painting that can be read"},
			"no painting":   {recipes.Recipe{Name: "nothing"}.Data(), "no recipe"},
		},
	} {
		for what, a := range group {
			t.Run(name+"/"+what, func(t *testing.T) {
				r := Check(name, a.answer)
				t.Log(r)
				if r.Passed() != (a.told == "") {
					t.Fatalf("passed: %v", r.Passed())
				}
				if !strings.Contains(r.String(), a.told) {
					t.Errorf("the message %q is missing", a.told)
				}
			})
		}
	}
}

func rows(from, to int) (list []int) {
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

// noise has two classes with the same distribution.
func noise(n int) *ssdrnb.Data {
	return recipes.Tossed(recipes.Recipe{Name: "noise", Seed: 1, With: map[string]float64{"samples": float64(n), "features": 2}}.Data(), 2, 1)
}

// share is shareAlong with its typical errors.
func share(points [][]float64, d []float64, mean, length bool) float64 {
	p := copied(points)
	if !mean {
		for _, x := range points { // a cloud around 0 has the same mean square
			y := slices.Clone(x)
			for j := range y {
				y[j] = -y[j]
			}
			p = append(p, y)
		}
	}
	s := shareAlong(p, d)
	if !length {
		for _, v := range []float64{mat.Norm(mat.NewVecDense(len(d), d), 2)} {
			s *= v * v
		}
	}
	return s
}

// sized counts groups of at least the given number of points, either over chains or only around one
// point.
func sized(p [][]float64, gap float64, least int, chains bool) int {
	seen, count := map[int]bool{}, 0
	for i := range p {
		if seen[i] {
			continue
		}
		group := []int{i}
		seen[i] = true
		for k := 0; k < len(group); k++ {
			if !chains && k > 0 {
				break
			}
			for j := range p {
				if !seen[j] && distance(p[group[k]], p[j]) <= gap {
					seen[j] = true
					group = append(group, j)
				}
			}
		}
		if len(group) >= least {
			count++
		}
	}
	return count
}

func mean(v []float64) (m float64) {
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}

func deviation(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += math.Pow(x-mean(v), 2)
	}
	return math.Sqrt(s / float64(len(v)-1))
}

func twoBest(won, lost []float64) (int, int) {
	order := rows(0, len(won))
	slices.SortFunc(order, func(i, j int) int {
		if won[i]/lost[i] > won[j]/lost[j] {
			return -1
		}
		return 1
	})
	return order[0], order[1]
}

func sumOfRatios(won, lost []float64) (a, b int) {
	best := math.Inf(-1)
	for i := range won {
		for j := range i {
			if r := won[i]/lost[i] + won[j]/lost[j]; r > best {
				best, a, b = r, i, j
			}
		}
	}
	return a, b
}

// Answers that cannot be tested get a one-sentence message.
func TestUntested(t *testing.T) {
	var none func([][]float64, []float64) float64
	for what, c := range map[string]struct {
		name   string
		answer any
		told   string
	}{
		"unknown":     {"kepd", rightKept, "Give one of bestpair, contradictions, islands, kept, length, ring, step, verdict."},
		"nil":         {"kept", nil, "The answer is nil. Give func(points"},
		"nil func":    {"kept", none, "The answer is nil. Give func(points"},
		"nil data":    {"ring", (*ssdrnb.Data)(nil), `The answer is nil. Give a painting, such as widgets.Painted("mine").`},
		"wrong type":  {"kept", func(x []float64) float64 { return 0 }, "The answer is func([]float64) float64, but the exercise needs func(points"},
		"called":      {"kept", 0.5, "The answer is float64, but"},
		"not a func":  {"ring", rightKept, "the exercise needs a painting"},
		"long":        {strings.Repeat("x", 1000), 1, "There is no exercise"},
		"no painting": {"ring", 3, "the exercise needs a painting"},
	} {
		r := Check(c.name, c.answer)
		if r.Passed() || len(r.Tests) > 0 || !strings.Contains(r.String(), c.told) || len(r.String()) > 400 {
			t.Errorf("%s: %s", what, r)
		}
	}
	type own func([][]float64, []float64) float64
	if r := Check("kept", own(rightKept)); !r.Passed() {
		t.Errorf("a type of its own: %s", r)
	}
}

// For an answer that does not return the check ends after a timeout, and Goexit counts as no
// answer.
func TestEndless(t *testing.T) {
	patience = 50 * time.Millisecond
	defer func() { patience = 3 * time.Second }()
	release := make(chan struct{})
	defer close(release)
	began := time.Now()
	r := Check("islands", func(p [][]float64, gap float64) int {
		if len(p) > 0 {
			<-release
		}
		return 0
	})
	if r.Passed() || len(r.Tests) != 2 || !strings.Contains(r.Tests[1].Wrong, "has not returned after 50ms for points [[0 0] [0.5 0]") {
		t.Error(r)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
}

// A result is shown as text and as HTML without foreign markup.
func TestResult(t *testing.T) {
	r := Check("kept", func([][]float64, []float64) float64 {
		panic("<img src=x onerror=alert(1)>\n" + strings.Repeat("y", 1000))
	})
	if page := r.page(); strings.Contains(page, "<img") || !strings.Contains(page, "&lt;img src=x") || !strings.Contains(page, "kept: not yet, 0 of 6 tests passed") {
		t.Error(page)
	}
	if text := r.String(); len(text) > 4000 || strings.Count(text, "\n") != 12 {
		t.Error(text)
	}
	if page := Check("none", 1).page(); !strings.Contains(page, "There is no exercise &#34;none&#34;") {
		t.Error(page)
	}
	if text := Check("kept", rightKept).String(); !strings.HasPrefix(text, "kept: right, 6 of 6 tests passed\n  ✓ ") {
		t.Error(text)
	}
	out := os.Stdout
	defer func() { os.Stdout = out }()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout = write
	r.Show()
	write.Close()
	if printed, _ := io.ReadAll(read); string(printed) != r.String()+"\n" {
		t.Errorf("%s", printed)
	}
}

// The band of lesson 7: half-widths, twice the standard deviation, as in the storyboard.
func TestPredict(t *testing.T) {
	var x []float64
	for v := 0.5; v <= 3; v += 0.5 {
		x = append(x, v)
	}
	for v := 7.0; v <= 9.5; v += 0.5 {
		x = append(x, v)
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = math.Sin(v)
	}
	at := []float64{1.75, 3.5, 5, 100}
	mean, deviation := Predict(x, y, 1, at)
	for i, want := range []float64{0.15, 0.64, 1.89, 2} {
		if math.Abs(2*deviation[i]-want) > 0.05 {
			t.Errorf("at %v the half-width is %.3f, want %v", at[i], 2*deviation[i], want)
		}
	}
	if math.Abs(mean[0]-math.Sin(1.75)) > 0.05 || math.Abs(mean[3]) > 1e-12 {
		t.Errorf("means %v", mean)
	}
	if m, s := Predict(nil, nil, 1, []float64{2}); m[0] != 0 || s[0] != 1 {
		t.Errorf("without points %v ± %v", m, s)
	}
	for what, bad := range map[string]struct {
		x, y   []float64
		length float64
		at     []float64
	}{
		"lengths differ": {[]float64{1}, nil, 1, []float64{1}},
		"no length":      {[]float64{1}, []float64{1}, 0, []float64{1}},
		"NaN":            {[]float64{math.NaN()}, []float64{1}, 1, []float64{1}},
		"Inf":            {[]float64{1}, []float64{1}, 1, []float64{math.Inf(1)}},
		"endless length": {[]float64{1}, []float64{1}, math.Inf(1), []float64{1}},
	} {
		if m, s := Predict(bad.x, bad.y, bad.length, bad.at); !math.IsNaN(m[0]) || !math.IsNaN(s[0]) {
			t.Errorf("%s: %v ± %v", what, m, s)
		}
	}
	same := slices.Repeat([]float64{3}, 60) // equal places are allowed
	if m, s := Predict(same, slices.Repeat([]float64{1}, 60), 1, []float64{3}); math.Abs(m[0]-1) > 1e-3 || s[0] > 0.02 {
		t.Errorf("equal places: %v ± %v", m, s)
	}
}

// Checking the same answer twice gives the same result, and links count for both ends.
func TestSameAgain(t *testing.T) {
	if a, b := Check("verdict", rightVerdict).String(), Check("verdict", rightVerdict).String(); a != b {
		t.Errorf("%s\n%s", a, b)
	}
	w := neighbours(points(painted("moons")), 8)
	for i, list := range w {
		for _, j := range list {
			if !slices.Contains(w[j], i) {
				t.Fatalf("the link from %d to %d has one end", i, j)
			}
		}
	}
}
