package viz_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
	"github.com/ssdrnb/ssdrnb/viz"
)

// kept returns the percentages in the line below an embedding.
func kept(t *testing.T, f viz.Figure) []int {
	t.Helper()
	var out []int
	for _, line := range strings.Split(f.Text(), "\n") {
		if strings.HasPrefix(line, "Neighbours kept in the embedding") {
			for _, found := range regexp.MustCompile(`(\d+) %`).FindAllStringSubmatch(line, -1) {
				v, _ := strconv.Atoi(found[1])
				out = append(out, v)
			}
		}
	}
	return out
}

// The line below an embedding has the mean of the reliabilities, over a sample if there are many.
func TestKeptLine(t *testing.T) {
	for name, d := range map[string]*ssdrnb.Data{"all": datasets.Iris(), "some": datasets.Digits()} {
		a, b := ssdrnb.PCA().MustFit(d), ssdrnb.LPP().MustFit(d)
		var want []float64
		for _, m := range []*ssdrnb.Model{a, b} {
			r, err := metrics.Reliability(context.Background(), d.X, m.Embedding(), 15)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for _, v := range r {
				sum += 100 * v / float64(len(r))
			}
			want = append(want, sum)
		}
		within := 0.6
		if name == "some" {
			within = 3
		}
		got := append(kept(t, viz.Compare(a, b).Color(viz.Residual)), kept(t, viz.Embedding(b))...)
		if len(got) != 3 || !near(got[0], want[0], within) || !near(got[1], want[1], within) || got[2] != got[1] {
			t.Errorf("%s: the lines have %d %%, the reliabilities are %.1f", name, got, want)
		}
	}
	d := datasets.Iris()
	if got := kept(t, viz.Embedding(ssdrnb.PCA().Dims(4).MustFit(d))); fmt.Sprint(got) != "[100]" {
		t.Errorf("all dimensions of PCA keep %d %%", got)
	}
	// Equal samples, and too few.
	same := data.New(mat.NewDense(40, 2, nil), nil)
	few := data.New(mat.NewDense(2, 2, []float64{0, 1, 2, 3}), nil)
	if got := kept(t, viz.Compare(placed{same, mat.NewDense(40, 2, nil)})); len(got) != 1 || got[0] < 0 || got[0] > 100 {
		t.Errorf("of equal samples %d %%", got)
	}
	for name, f := range map[string]viz.Figure{"two samples": viz.Compare(placed{few, mat.NewDense(2, 2, []float64{0, 1, 2, 3})}), "no model": viz.Compare(viz.Samples(d))} {
		if got := kept(t, f); got != nil {
			t.Errorf("%s: %d %%", name, got)
		}
	}
	many := make([]viz.Embedded, 8)
	for k := range many {
		many[k] = ssdrnb.PCA().MustFit(d)
	}
	if got := kept(t, viz.Compare(many...)); len(got) != 2 {
		t.Errorf("of eight panels %d %%", got)
	}
	began := time.Now()
	m := ssdrnb.TRSDA().Dims(2).MustFit(datasets.Digits().KeepLabels(20))
	fit := time.Since(began)
	began = time.Now()
	_ = viz.Embedding(m).Text()
	t.Logf("1,797 digits: a fit of TR-SDA takes %v, the line %v", fit, time.Since(began))
}

func near(got int, want, within float64) bool {
	return float64(got) > want-within && float64(got) < want+within
}

// Distortion detects planted distortions: the values in colours and hover cards are lower at
// distorted samples, and lines start there.
func TestPlantedDistortions(t *testing.T) {
	const n = 600
	rng := rand.New(rand.NewPCG(9, 9))
	check := func(name string, x, y *mat.Dense, distorted []bool) {
		t.Helper()
		f := viz.Distortion(placed{data.New(x, nil), y})
		p := payload(t, f)
		reliability := make([]float64, n)
		seen := 0
		for _, s := range series(p) {
			if s["type"] != "scatter" {
				continue
			}
			for _, v := range s["data"].([]any) {
				v := v.([]any) // position, reliability, sample
				i := int(v[3].(float64))
				if math.Abs(v[0].(float64)-y.At(i, 0)) > 0.1 || math.Abs(v[1].(float64)-y.At(i, 1)) > 0.1 {
					t.Fatalf("%s: sample %d is drawn at %v", name, i, v)
				}
				reliability[i] = v[2].(float64)
				seen++
			}
		}
		if seen != n {
			t.Fatalf("%s: %d samples are drawn", name, seen)
		}
		less, pairs := 0.0, 0.0
		for i, bad := range distorted {
			for j, other := range distorted {
				if bad && !other {
					pairs++
					switch {
					case reliability[i] < reliability[j]:
						less++
					case reliability[i] == reliability[j]:
						less += 0.5
					}
				}
			}
		}
		t.Logf("%s: AUC %.3f", name, less/pairs)
		if !(less/pairs >= 0.9) {
			t.Errorf("%s: AUC %.3f", name, less/pairs)
		}
		found := regexp.MustCompile(`Lines lead from samples ([\d, ]+) to neighbours`).FindStringSubmatch(f.Text())
		if found == nil {
			t.Fatalf("%s: in words %s", name, f.Text())
		}
		var worst [][2]float64
		for _, word := range strings.Split(found[1], ", ") {
			i, err := strconv.Atoi(word)
			if err != nil || !distorted[i] {
				t.Errorf("%s: among the worst is %q, which is not distorted", name, word)
			}
			worst = append(worst, [2]float64{y.At(i, 0), y.At(i, 1)})
		}
		if len(worst) != 10 {
			t.Errorf("%s: %d samples have lines", name, len(worst))
		}
		lines := series(p)[0]["data"].([]any) // four numbers each
		for k := 0; k < len(lines); k += 4 {
			from := [2]float64{lines[k].(float64), lines[k+1].(float64)}
			if !slices.ContainsFunc(worst, func(at [2]float64) bool { return math.Hypot(at[0]-from[0], at[1]-from[1]) < 0.1 }) {
				t.Errorf("%s: a line leads from %v", name, from)
			}
		}
		if len(lines) < 4*10 {
			t.Errorf("%s: %d numbers of lines", name, len(lines))
		}
	}
	// A rolled sheet, unrolled and torn at the middle of its length. A sample counts as distorted
	// if at least a quarter of its neighbours are on the other side of the tear.
	x, y, distorted := mat.NewDense(n, 3, nil), mat.NewDense(n, 2, nil), make([]bool, n)
	beyond := make([]bool, n)
	for i := range n {
		length, height := 90*rng.Float64(), 21*rng.Float64()
		angle := math.Sqrt(2*length + 2.25*math.Pi*math.Pi)
		x.SetRow(i, []float64{angle * math.Cos(angle), height, angle * math.Sin(angle)})
		if beyond[i] = length > 45; beyond[i] {
			length += 60
		}
		y.SetRow(i, []float64{length, height})
	}
	near, err := graph.Search(context.Background(), x, 15, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		index, _ := near.Of(i)
		across := 0
		for _, j := range index {
			if beyond[j] != beyond[i] {
				across++
			}
		}
		distorted[i] = 4*across >= 15
	}
	check("a torn swiss roll", x, y, distorted)
	// Five groups, of which two overlap, or one is noise around a point.
	groups := func(place func(g int, u, v float64) (float64, float64), bad ...int) (x, y *mat.Dense, distorted []bool) {
		x, y, distorted = mat.NewDense(n, 4, nil), mat.NewDense(n, 2, nil), make([]bool, n)
		for i := range n {
			g := i % 5
			u, v := rng.NormFloat64()+8*float64(g), rng.NormFloat64()
			x.SetRow(i, []float64{u, v, u - v + 0.05*rng.NormFloat64(), 0.05 * rng.NormFloat64()})
			u, v = place(g, u, v)
			y.SetRow(i, []float64{u, v})
			distorted[i] = slices.Contains(bad, g)
		}
		return x, y, distorted
	}
	x, y, distorted = groups(func(g int, u, v float64) (float64, float64) {
		if g == 3 {
			u -= 8
		}
		return u, v
	}, 2, 3)
	check("two groups pulled together", x, y, distorted)
	x, y, distorted = groups(func(g int, u, v float64) (float64, float64) {
		if g == 1 {
			return 8 + 1e-3*rng.NormFloat64(), 1e-3 * rng.NormFloat64()
		}
		return u, v
	}, 1)
	check("a collapsed class", x, y, distorted)
}
