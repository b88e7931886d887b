package metrics

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// forty returns 40 samples of three classes, with an embedding and clusters. In Python, they are
// created as follows; the test below uses NumPy, SciPy 1.16 and scikit-learn 1.9:
//
//	i = np.arange(40)[:, None]
//	x = np.sin(i * (np.arange(5)[None, :] + 1) * 0.7) + 2 * (i % 3 == np.arange(5)[None, :])
//	y = x[:, :2] + 0.5 * np.cos(1.3 * i + np.arange(2)[None, :])
//	c = np.arange(40) % 3
//	k = (np.arange(40) * 7 // 5) % 4
func forty() (x, y *mat.Dense, classes, clusters []int) {
	x, y = mat.NewDense(40, 5, nil), mat.NewDense(40, 2, nil)
	for i := range 40 {
		for j := range 5 {
			v := math.Sin(float64(i*(j+1)) * 0.7)
			if i%3 == j {
				v += 2
			}
			x.Set(i, j, v)
			if j < 2 {
				y.Set(i, j, v+0.5*math.Cos(1.3*float64(i)+float64(j)))
			}
		}
		classes, clusters = append(classes, i%3), append(clusters, i*7/5%4)
	}
	return x, y, classes, clusters
}

// The values agree with scikit-learn's silhouette_score, silhouette_samples, adjusted_rand_score
// and trustworthiness, with SciPy's spearmanr(pdist(x), pdist(y)), and otherwise with NumPy: R_NX
// from stable argsorts of the distances, the consistency of classes from their means.
func TestValuesOfPython(t *testing.T) {
	x, y, classes, clusters := forty()
	near := func(name string, got, want float64, err error) {
		t.Helper()
		if err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %.17g, want %.17g, %v", name, got, want, err)
		}
	}
	score, each, err := Silhouette(background, x, classes)
	near("silhouette", score, 0.3278793510266999, err)
	for i, want := range map[int]float64{0: 0.493328258971991, 1: 0.5071103790282769, 39: 0.4935591648351858} {
		near("silhouette of a sample", each[i], want, nil)
	}
	score, err = AdjustedRandIndex(classes, clusters)
	near("adjusted Rand index", score, 0.08306709265175719, err)
	score, err = Trustworthiness(background, x, y, 5)
	near("trustworthiness", score, 0.88359375, err)
	score, err = Continuity(background, x, y, 5)
	near("continuity", score, 0.92203125, err)
	score, err = ShepardCorrelation(background, x, y, 1)
	near("Shepard correlation", score, 0.8136840107586281, err)
	curve, area, err := RNX(background, x, y)
	near("area", area, 0.5462216829219169, err)
	near("R_NX(1)", curve[0], 0.4868421052631579, nil)
	near("R_NX(10)", curve[9], 0.5393965517241379, nil)
	kept, err := Reliability(background, x, y, 6)
	for i, want := range []float64{4. / 6, 4. / 6, 2. / 6, 5. / 6, 3. / 6, 3. / 6} {
		near("reliability", kept[i], want, err)
	}
	score, err = LabelTrustworthiness(x, y, classes)
	near("label-trustworthiness", score, 0.8243114909781576, err)
	score, err = LabelContinuity(x, y, classes)
	near("label-continuity", score, 1, err)
	score, err = LabelContinuity(y, x, classes)
	near("label-continuity the other way", score, 0.8243114909781576, err)
}

// A copy has the perfect score 1 in each measure, and noise about 0.
func TestCopyAndNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	rng := rand.New(rand.NewPCG(7, 7))
	x, other := noise(rng, 300, 4), noise(rng, 300, 2)
	classes := make([]int, 300)
	for i := range classes {
		classes[i] = i % 3
	}
	scores := map[string]func(y *mat.Dense) (float64, error){
		"R_NX": func(y *mat.Dense) (float64, error) {
			curve, area, err := RNX(background, x, y)
			if y == x && (len(curve) != 298 || slices.Min(curve) < 1-1e-12) {
				t.Error("R_NX of a copy is not 1 everywhere")
			}
			return area, err
		},
		"triplets": func(y *mat.Dense) (float64, error) {
			s, err := TripletAccuracy(background, x, y, 0, 3)
			return 2*s - 1, err
		},
		"Shepard": func(y *mat.Dense) (float64, error) { return ShepardCorrelation(background, x, y, 3) },
		"reliability": func(y *mat.Dense) (float64, error) {
			each, err := Reliability(background, x, y, 5)
			return mean(each), err
		},
	}
	mirrored := mat.DenseCopyOf(x)
	mirrored.Scale(-3, mirrored)
	for name, score := range scores {
		for _, y := range []*mat.Dense{x, mirrored} {
			if v, err := score(y); err != nil || math.Abs(v-1) > 1e-9 {
				t.Errorf("%s of a copy: %g, %v", name, v, err)
			}
		}
		if v, err := score(other); err != nil || math.Abs(v) > 0.1 {
			t.Errorf("%s of noise: %g, %v", name, v, err)
		}
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
		runtime.GOMAXPROCS(3)
		three, _ := score(other)
		runtime.GOMAXPROCS(1)
		if one, _ := score(other); one != three {
			t.Errorf("%s depends on the number of processors: %v, %v", name, one, three)
		}
	}
	// Beyond the limit of pairs the correlation is estimated from a sample.
	large := noise(rng, 1600, 2)
	bent := mat.DenseCopyOf(large)
	for i := range 1600 {
		bent.Set(i, 0, 3*bent.At(i, 0))
	}
	a, err := ShepardCorrelation(background, large, bent, 1)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := ShepardCorrelation(background, large, bent, 2)
	if a == b || math.Abs(a-b) > 0.01 || a < 0.5 || a > 0.99 {
		t.Errorf("correlations from two samples of pairs: %g and %g", a, b)
	}
}

// Three classes on a line: in the embedding two of them merge, or two that overlap are separated.
func TestLabelMeasures(t *testing.T) {
	classes := []int{0, 0, 1, 1, 2, 2, -1}
	apart := mat.NewDense(7, 1, []float64{0, 1, 10, 11, 20, 21, 500})
	mixed := mat.NewDense(7, 1, []float64{0, 1, 10, 11, 11, 10, 0})
	// One of three pairs of classes is lost: its samples are equally far from both means.
	for name, c := range map[string]struct {
		score func(x, y *mat.Dense, classes []int) (float64, error)
		x, y  *mat.Dense
		want  float64
	}{
		"trustworthiness of the same":  {LabelTrustworthiness, apart, apart, 1},
		"continuity of the same":       {LabelContinuity, apart, apart, 1},
		"trustworthiness of the mixed": {LabelTrustworthiness, apart, mixed, 1 - 1./3},
		"continuity of the mixed":      {LabelContinuity, apart, mixed, 1},
		"trustworthiness of the split": {LabelTrustworthiness, mixed, apart, 1},
		"continuity of the split":      {LabelContinuity, mixed, apart, 1 - 1./3},
	} {
		if got, err := c.score(c.x, c.y, classes); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("label-%s: %g, want %g, %v", name, got, c.want, err)
		}
	}
	mean, each, err := Silhouette(background, apart, []int{0, 0, 1, 1, 5, -1, -1})
	if err != nil || each[4] != 0 || !math.IsNaN(each[6]) || math.Abs(mean-(each[0]+each[1]+each[2]+each[3])/5) > 1e-15 || math.Abs(each[0]-(1-1/10.5)) > 1e-15 {
		t.Errorf("silhouettes %v, mean %g, %v", each, mean, err)
	}
	for _, c := range []struct {
		truth, clusters []int
		want            float64
	}{{[]int{0, 0, 1, 1}, []int{5, 5, 3, 3}, 1}, {[]int{0, 0, 1, 1}, []int{0, 1, 0, 1}, -0.5}, {[]int{0, 0, 0}, []int{1, 1, 1}, 1}, {[]int{4}, []int{2}, 1}, {[]int{0, 0, 1, 1, -1}, []int{0, 0, 0, 0, 7}, 0}} {
		if got, err := AdjustedRandIndex(c.truth, c.clusters); err != nil || math.Abs(got-c.want) > 1e-15 {
			t.Errorf("adjusted Rand index of %v and %v: %g, want %g, %v", c.truth, c.clusters, got, c.want, err)
		}
	}
}

// auc is the share of pairs of a distorted and an undistorted sample in which the distorted one is
// less reliable.
func auc(reliability []float64, distorted []bool) float64 {
	right, all := 0.0, 0.0
	for i, bad := range distorted {
		for j, other := range distorted {
			if bad && !other {
				all++
				switch {
				case reliability[i] < reliability[j]:
					right++
				case reliability[i] == reliability[j]:
					right += 0.5
				}
			}
		}
	}
	return right / all
}

// Reliability detects samples that an embedding has distorted.
func TestPlantedDistortions(t *testing.T) {
	const n, k = 800, 12
	rng := rand.New(rand.NewPCG(8, 8))
	check := func(name string, x, y *mat.Dense, distorted []bool) {
		t.Helper()
		r, err := Reliability(background, x, y, k)
		if err != nil {
			t.Fatal(err)
		}
		score := auc(r, distorted)
		t.Logf("%s: AUC %.3f", name, score)
		if !(score >= 0.9) {
			t.Errorf("%s: AUC %.3f", name, score)
		}
	}
	// A rolled sheet, unrolled and torn in two. A sample counts as distorted if at least a quarter
	// of its neighbours are on the other side of the tear.
	x, y, distorted := mat.NewDense(n, 3, nil), mat.NewDense(n, 2, nil), make([]bool, n)
	beyond := make([]bool, n)
	for i := range n {
		u, v := rng.Float64(), rng.Float64()
		angle := 1.5 * math.Pi * (1 + 2*u)
		x.SetRow(i, []float64{angle * math.Cos(angle), 21 * v, angle * math.Sin(angle)})
		length := (angle*angle - 2.25*math.Pi*math.Pi) / 2
		if beyond[i] = u > 0.5; beyond[i] {
			length += 60
		}
		y.SetRow(i, []float64{length, 21 * v})
	}
	nb, err := graph.Search(background, x, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		index, _ := nb.Of(i)
		across := 0
		for _, j := range index {
			if beyond[j] != beyond[i] {
				across++
			}
		}
		distorted[i] = 4*across >= k
	}
	check("a torn swiss roll", x, y, distorted)
	// Five groups: two of them overlap in the embedding, or one is noise.
	groups := func(place func(g int, p [2]float64) [2]float64, bad func(g int) bool) (x, y *mat.Dense, distorted []bool) {
		x, y, distorted = mat.NewDense(n, 6, nil), mat.NewDense(n, 2, nil), make([]bool, n)
		for i := range n {
			g := i % 5
			p := [2]float64{rng.NormFloat64() + 8*float64(g), rng.NormFloat64()}
			row := []float64{p[0], p[1], p[0] - p[1], 0, 0, 0}
			for j := range row {
				row[j] += 0.05 * rng.NormFloat64()
			}
			x.SetRow(i, row)
			q := place(g, p)
			y.SetRow(i, q[:])
			distorted[i] = bad(g)
		}
		return x, y, distorted
	}
	x, y, distorted = groups(func(g int, p [2]float64) [2]float64 {
		if g == 3 {
			p[0] -= 8
		}
		return p
	}, func(g int) bool { return g == 2 || g == 3 })
	check("two groups pulled together", x, y, distorted)
	x, y, distorted = groups(func(g int, p [2]float64) [2]float64 {
		if g == 1 {
			return [2]float64{8 + 1e-3*rng.NormFloat64(), 1e-3 * rng.NormFloat64()}
		}
		return p
	}, func(g int) bool { return g == 1 })
	check("a collapsed class", x, y, distorted)
}

func TestBadStructure(t *testing.T) {
	x, y, classes, _ := forty()
	two := mat.NewDense(2, 1, []float64{0, 1})
	broken := mat.DenseCopyOf(y)
	broken.Set(3, 1, math.NaN())
	short := mat.DenseCopyOf(y.Slice(0, 39, 0, 2))
	cancelled, cancel := context.WithCancel(background)
	cancel()
	type call func(ctx context.Context, x, y *mat.Dense) error
	calls := map[string]call{
		"RNX": func(ctx context.Context, x, y *mat.Dense) error { _, _, err := RNX(ctx, x, y); return err },
		"TripletAccuracy": func(ctx context.Context, x, y *mat.Dense) error {
			_, err := TripletAccuracy(ctx, x, y, 2, 0)
			return err
		},
		"ShepardCorrelation": func(ctx context.Context, x, y *mat.Dense) error {
			_, err := ShepardCorrelation(ctx, x, y, 0)
			return err
		},
	}
	for name, f := range calls {
		for what, c := range map[string]struct {
			ctx  context.Context
			x, y *mat.Dense
			want error
		}{
			"sizes": {background, x, short, ErrShape}, "too few": {background, two, two, ErrOption}, "NaN": {background, x, broken, ErrNotFinite}, "cancelled": {cancelled, x, y, context.Canceled},
		} {
			if err := f(c.ctx, c.x, c.y); !errors.Is(err, c.want) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	if _, err := TripletAccuracy(background, x, y, -1, 0); !errors.Is(err, ErrOption) {
		t.Errorf("−1 triplets: %v", err)
	}
	if _, err := Reliability(background, x, short, 3); !errors.Is(err, ErrShape) {
		t.Errorf("sizes: %v", err)
	}
	if _, err := Reliability(background, x, y, 40); !errors.Is(err, graph.ErrOption) {
		t.Errorf("40 neighbours of 40: %v", err)
	}
	if _, err := KeptNeighbors(&graph.Neighbors{K: 1, Index: make([]int32, 2)}, &graph.Neighbors{K: 2, Index: make([]int32, 2)}); !errors.Is(err, ErrShape) {
		t.Errorf("one and two neighbours: %v", err)
	}
	for name, c := range map[string]struct {
		y       *mat.Dense
		classes []int
		want    error
	}{
		"sizes": {y, classes[1:], ErrShape}, "one class": {y, make([]int, 40), ErrOption}, "NaN": {broken, classes, ErrNotFinite},
	} {
		if _, _, err := Silhouette(background, c.y, c.classes); !errors.Is(err, c.want) {
			t.Errorf("silhouette, %s: %v", name, err)
		}
		if _, err := LabelTrustworthiness(x, c.y, c.classes); !errors.Is(err, c.want) {
			t.Errorf("label-trustworthiness, %s: %v", name, err)
		}
	}
	if _, _, err := Silhouette(cancelled, x, classes); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	equal := mat.NewDense(5, 2, nil)
	if v, err := ShepardCorrelation(background, equal, equal, 0); err != nil || !math.IsNaN(v) {
		t.Errorf("equal samples: %g, %v", v, err)
	}
}

// Kept is the mean of the reliabilities: of all samples if they are few, and otherwise an estimate
// from some.
func TestKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{3, 20, 400, 3000} {
		x, y := noise(rng, n, 5), mat.NewDense(n, 2, nil)
		for i := range n {
			y.SetRow(i, []float64{x.At(i, 0) + 0.3*x.At(i, 2), x.At(i, 1)})
		}
		got, err := Kept(background, x, y)
		if err != nil {
			t.Fatal(err)
		}
		if got.Samples != n || got.Asked != min(n, 500) || got.K != min(15, (n-1)/2) {
			t.Errorf("%d samples: %+v", n, got)
		}
		each, err := Reliability(background, x, y, got.K)
		if err != nil {
			t.Fatal(err)
		}
		want, within := mean(each), 1e-12
		if n > got.Asked { // five standard errors of a mean of 500 shares
			within = 5 * 0.15 / math.Sqrt(500)
		}
		if math.Abs(got.Share-want) > within {
			t.Errorf("%d samples: %v, the reliabilities have the mean %v", n, got.Share, want)
		}
		if same, err := Kept(background, x, x); err != nil || same.Share != 1 {
			t.Errorf("%d samples keep %v of themselves: %v", n, same.Share, err)
		}
	}
	if equal, err := Kept(background, mat.NewDense(40, 2, nil), mat.NewDense(40, 2, nil)); err != nil || equal.Share < 0 || equal.Share > 1 {
		t.Errorf("equal samples: %+v, %v", equal, err)
	}
	for _, n := range []int{2, 5} {
		if _, err := Kept(background, mat.NewDense(n, 1, nil), mat.NewDense(2, 1, nil)); !errors.Is(err, ErrShape) {
			t.Errorf("%d and 2 samples: %v", n, err)
		}
	}
	stopped, stop := context.WithCancel(background)
	stop()
	if _, err := Kept(stopped, noise(rng, 50, 2), noise(rng, 50, 2)); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
