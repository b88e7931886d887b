package graph_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// measured returns the recall for the samples with the indices in `of`: the share of their found
// neighbours that are no farther than the true k-th neighbour, by the definition of the metric.
func measured(t *testing.T, x *mat.Dense, nb *graph.Neighbors, metric graph.Metric, of []int) float64 {
	t.Helper()
	n, _ := x.Dims()
	blur := 0.0 // rounding error of 1 − similarity
	if metric != graph.Euclidean {
		blur = 1e-14
	}
	found := 0
	for _, i := range of {
		all := make([]float64, 0, n)
		for j := range n {
			if j != i {
				all = append(all, between(metric, x.RawRowView(i), x.RawRowView(j)))
			}
		}
		slices.Sort(all)
		index, dist := nb.Of(i)
		seen := map[int32]bool{int32(i): true}
		for a, j := range index {
			if seen[j] {
				t.Fatalf("sample %d has %d twice, or itself", i, j)
			}
			seen[j] = true
			want := between(metric, x.RawRowView(i), x.RawRowView(int(j)))
			if math.Abs(dist[a]-want) > 1e-9*want+blur {
				t.Fatalf("%d–%d: distance %v, want %v", i, j, dist[a], want)
			}
			if a > 0 && (dist[a] < dist[a-1] || dist[a] == dist[a-1] && j < index[a-1]) {
				t.Fatalf("sample %d: neighbours %v at %v are not in order", i, index, dist)
			}
			if dist[a] <= all[nb.K-1]*(1+1e-9)+blur {
				found++
			}
		}
	}
	return float64(found) / float64(nb.K*len(of))
}

// between computes the distance by its definition.
func between(metric graph.Metric, x, y []float64) float64 {
	d := float64(len(x))
	var mx, my, xx, yy, xy, square float64
	if metric == graph.Correlation {
		for j := range x {
			mx, my = mx+x[j]/d, my+y[j]/d
		}
	}
	for j := range x {
		square += (x[j] - y[j]) * (x[j] - y[j])
		xx += (x[j] - mx) * (x[j] - mx)
		yy += (y[j] - my) * (y[j] - my)
		xy += (x[j] - mx) * (y[j] - my)
	}
	if metric == graph.Euclidean {
		return math.Sqrt(square)
	}
	return 1 - xy/math.Sqrt(xx*yy)
}

// some returns every step-th of n indices.
func some(n, step int) (of []int) {
	for i := 0; i < n; i += step {
		of = append(of, i)
	}
	return of
}

func approximately(t *testing.T, x *mat.Dense, k int, o graph.SearchOptions) *graph.Neighbors {
	t.Helper()
	o.Method = graph.Approximate
	nb := search(t, x, k, o)
	if nb.Method != graph.Approximate {
		t.Fatalf("searched by %v", nb.Method)
	}
	return nb
}

func shifted(x *mat.Dense, by, scale float64) *mat.Dense {
	x.Apply(func(_, _ int, v float64) float64 { return scale*v + by }, x)
	return x
}

// The requested recall is reached on data of many kinds, and the reported recall is close to the
// true one.
func TestApproximateReachesItsRecall(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	grid := mat.NewDense(5000, 8, nil)
	for i := range grid.RawMatrix().Data {
		grid.RawMatrix().Data[i] = float64(rng.IntN(5))
	}
	uniform := mat.NewDense(5000, 16, nil)
	for i := range uniform.RawMatrix().Data {
		uniform.RawMatrix().Data[i] = rng.Float64()
	}
	duplicated := mat.NewDense(6000, 24, nil)
	duplicated.Copy(mixture(4500, 24, 4))
	for i := 4500; i < 6000; i++ {
		duplicated.SetRow(i, duplicated.RawRowView(rng.IntN(4500)))
	}
	islands := mixture(5000, 20, 9) // far apart and compact
	for i := range 5000 {
		for j := range 20 {
			islands.Set(i, j, 1e-3*islands.At(i, j)+float64(i%50*(j+1)))
		}
	}
	cases := map[string]struct {
		x      *mat.Dense
		k      int
		recall float64
	}{
		"clustered":         {mixture(6000, 40, 1), 10, 0.95},
		"clustered, more":   {mixture(6000, 40, 1), 10, 0.99},
		"many neighbours":   {mixture(5000, 40, 1), 60, 0.95},
		"very many":         {mixture(5000, 40, 1), 300, 0.95},
		"one neighbour":     {mixture(5000, 40, 1), 1, 0.95},
		"wide":              {mixture(5000, 300, 2), 10, 0.98},
		"uniform":           {uniform, 10, 0.95},
		"normal, 40":        {cloud(rng, 5000, 40, false), 10, 0.9},
		"normal, 200, wide": {cloud(rng, 4200, 200, false), 10, 0.8},
		"grid":              {grid, 10, 0.95},
		"duplicated":        {duplicated, 10, 0.95},
		"islands":           {islands, 10, 0.95},
		"far":               {shifted(mixture(5000, 30, 3), 1e7, 1), 10, 0.95},
		"huge":              {shifted(mixture(5000, 30, 3), 0, 1e140), 10, 0.95},
		"tiny":              {shifted(mixture(5000, 30, 3), 0, 1e-140), 10, 0.95},
	}
	for name, c := range cases {
		if onceOnly() && name != "clustered" && name != "grid" && name != "normal, 40" || testing.Short() && name != "clustered" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			nb := approximately(t, c.x, c.k, graph.SearchOptions{Recall: c.recall, Seed: 3})
			n, _ := c.x.Dims()
			step := 17
			if onceOnly() {
				step = 43
			}
			recall := measured(t, c.x, nb, graph.Euclidean, some(n, step))
			t.Logf("recall %.4f, reported %.4f", recall, nb.Recall)
			// 128 samples decide, 128 estimate, and about 300 check. The neighbours of a sample are
			// found or missed together, so this is three to four standard deviations.
			slack := 4 * math.Sqrt(c.recall*(1-c.recall)/128/float64(min(c.k, 5)))
			if recall < c.recall-slack || math.Abs(recall-nb.Recall) > slack {
				t.Errorf("requested %v: recall %.4f, reported %.4f", c.recall, recall, nb.Recall)
			}
		})
	}
}

// One extremely distant sample does not reduce the precision for the others. If single precision is
// insufficient, the search is exact.
func TestSinglePrecisionSufficesOrIsNotUsed(t *testing.T) {
	x := mixture(4500, 20, 2)
	x.Set(100, 3, 1e12)
	nb := approximately(t, x, 8, graph.SearchOptions{})
	if r := measured(t, x, nb, graph.Euclidean, some(4500, 37)); r < 0.93 {
		t.Errorf("recall %v beside a sample far away", r)
	}
	for i := range 4500 {
		for j := range 20 {
			x.Set(i, j, 1e-8*x.At(i, j)+float64(i%5*(j+1)))
		}
	}
	nb = search(t, x, 8, graph.SearchOptions{Method: graph.Approximate})
	if nb.Method != graph.Brute {
		t.Errorf("searched by %v", nb.Method)
	}
}

func TestMetrics(t *testing.T) {
	x := mixture(4500, 30, 5)
	for i := range 4500 { // lengths and offsets that must not matter
		for j := range 30 {
			x.Set(i, j, x.At(i, j)*float64(1+i%7)+float64(i%3))
		}
	}
	for _, metric := range []graph.Metric{graph.Cosine, graph.Correlation} {
		exact := search(t, x, 8, graph.SearchOptions{Method: graph.Exact, Metric: metric})
		if r := measured(t, x, exact, metric, some(4500, 150)); r != 1 {
			t.Errorf("%v: recall %v of an exact search", metric, r)
		}
		nb := approximately(t, x, 8, graph.SearchOptions{Metric: metric, Recall: 0.97})
		if r := measured(t, x, nb, metric, some(4500, 30)); r < 0.95 {
			t.Errorf("%v: recall %v", metric, r)
		}
	}
}

// A thousand equal samples have each other as neighbours, lowest indices first. The other samples
// have the same neighbours as without them.
func TestEqualSamplesDoNoHarm(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	plain := mixture(5000, 30, 6)
	x := mat.NewDense(6000, 30, nil)
	x.Copy(plain)
	for i := 5000; i < 6000; i++ {
		x.SetRow(i, plain.RawRowView(77))
	}
	before := approximately(t, plain, 10, graph.SearchOptions{Seed: 1})
	after := approximately(t, x, 10, graph.SearchOptions{Seed: 1})
	rest := some(5000, 13)
	was, is := measured(t, plain, before, graph.Euclidean, rest), measured(t, x, after, graph.Euclidean, rest)
	if is < was-0.01 {
		t.Errorf("recall %.4f of the others with a thousand equal samples, %.4f without", is, was)
	}
	index, dist := after.Of(5500)
	if index[0] != 77 || index[1] != 5000 || index[9] != 5008 || dist[9] != 0 {
		t.Errorf("an equal sample has %v at %v", index, dist)
	}
	index, _ = after.Of(5003)
	if index[3] != 5002 || index[4] != 5004 {
		t.Errorf("an equal sample has %v", index)
	}
	// Only equal samples, and almost only equal samples: blocks of duplicates.
	for _, different := range []int{1, 2, 5} {
		size := 6000 / different
		for i := range 6000 {
			x.SetRow(i, plain.RawRowView(i/size))
		}
		nb := search(t, x, 10, graph.SearchOptions{Method: graph.Approximate})
		for i := range 6000 {
			index, dist := nb.Of(i)
			want := int32(i / size * size)
			for a, j := range index {
				if int(want) == i {
					want++
				}
				if j != want || dist[a] != 0 {
					t.Fatalf("%d different samples: %d has %v at %v", different, i, index, dist)
				}
				want++
			}
		}
	}
	// Few distinct samples with several copies each.
	for i := range 6000 {
		x.SetRow(i, plain.RawRowView(i%2000))
	}
	nb := search(t, x, 10, graph.SearchOptions{Method: graph.Approximate})
	if r := measured(t, x, nb, graph.Euclidean, some(6000, 70)); r != 1 {
		t.Errorf("recall %v of 2,000 samples three times each", r)
	}
}

func TestApproximateIsDeterministic(t *testing.T) {
	for _, features := range []int{170, 40} {
		if onceOnly() && features == 40 {
			continue // the wide search has as many steps as the narrow one
		}
		x := mixture(4100, features, 8)
		var first *graph.Neighbors
		for _, processors := range []int{1, 2, 7} {
			old := runtime.GOMAXPROCS(processors)
			nb := approximately(t, x, 10, graph.SearchOptions{Recall: 0.98, Seed: 5})
			runtime.GOMAXPROCS(old)
			if first == nil {
				first = nb
			}
			if !slices.Equal(nb.Index, first.Index) || !slices.Equal(nb.Dist, first.Dist) || nb.Recall != first.Recall {
				t.Errorf("%d features, %d processors: another result", features, processors)
			}
		}
		if other := approximately(t, x, 10, graph.SearchOptions{Recall: 0.9, Seed: 6}); slices.Equal(other.Index, first.Index) {
			t.Error("the seed does not matter")
		}
	}
}

func TestApproximateRejectsBadInput(t *testing.T) {
	x := mixture(4200, 20, 1)
	gap, zero, constant := mat.DenseCopyOf(x), mat.DenseCopyOf(x), mat.DenseCopyOf(x)
	gap.Set(4100, 3, math.NaN())
	endless := mat.DenseCopyOf(x)
	endless.Set(4100, 3, math.Inf(1))
	for j := range 20 {
		zero.Set(17, j, 0)
		constant.Set(18, j, 0.1)
	}
	for name, c := range map[string]struct {
		x    *mat.Dense
		k    int
		o    graph.SearchOptions
		want error
		says string
	}{
		"k = n":       {x, 4200, graph.SearchOptions{}, graph.ErrOption, "between 1 and 4199"},
		"k = 0":       {x, 0, graph.SearchOptions{}, graph.ErrOption, "k = 0"},
		"recall":      {x, 3, graph.SearchOptions{Recall: 1}, graph.ErrOption, "recall = 1"},
		"metric":      {x, 3, graph.SearchOptions{Metric: graph.LastMetric + 1}, graph.ErrOption, "unknown metric"},
		"NaN":         {gap, 3, graph.SearchOptions{}, graph.ErrNotFinite, "x[4100][3]"},
		"infinite":    {endless, 3, graph.SearchOptions{}, graph.ErrNotFinite, "x[4100][3]"},
		"zero":        {zero, 3, graph.SearchOptions{Metric: graph.Cosine}, graph.ErrNotFinite, "row 17"},
		"constant":    {constant, 3, graph.SearchOptions{Metric: graph.Correlation}, graph.ErrNotFinite, "row 18"},
		"NaN, cosine": {gap, 3, graph.SearchOptions{Metric: graph.Cosine}, graph.ErrNotFinite, "x[4100][3]"},
	} {
		for _, method := range []graph.Method{graph.Approximate, graph.Exact} {
			c.o.Method = method
			_, err := graph.Search(ctx, c.x, c.k, c.o)
			if !errors.Is(err, c.want) || !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("%s, %v: %v", name, method, err)
			}
		}
	}
}

// ending is a context that ends after the given number of calls of Err.
type ending struct {
	context.Context
	left chan struct{}
}

func (e ending) Err() error {
	select {
	case <-e.left:
		return nil
	default:
		return context.Canceled
	}
}

// A search that is cancelled at any point returns the error of its context.
func TestApproximateStopsInTheMiddle(t *testing.T) {
	x := mixture(4200, 170, 1)
	for polls := 0; polls < 20000; polls = 3*polls + 1 {
		e := ending{ctx, make(chan struct{}, polls)}
		for range polls {
			e.left <- struct{}{}
		}
		_, err := graph.Search(e, x, 5, graph.SearchOptions{Method: graph.Approximate})
		if err == nil && len(e.left) > 0 {
			if polls < 10 {
				t.Errorf("a search polled its context %d times only", polls-len(e.left))
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d polls: %v", polls, err)
		}
	}
}

func TestAutoSearch(t *testing.T) {
	if nb := search(t, mixture(3000, 20, 1), 5, graph.SearchOptions{}); nb.Method != graph.Brute || nb.Recall != 1 {
		t.Errorf("3,000 samples: %v, recall %v", nb.Method, nb.Recall)
	}
	if nb := search(t, mixture(3000, 3, 1), 5, graph.SearchOptions{}); nb.Method != graph.Tree {
		t.Errorf("3 features: %v", nb.Method)
	}
	if onceOnly() {
		return
	}
	if nb := search(t, mixture(60000, 20, 1), 5, graph.SearchOptions{}); nb.Method != graph.Approximate || nb.Recall < 0.94 {
		t.Errorf("60,000 samples: %v, recall %v", nb.Method, nb.Recall)
	}
}

// BenchmarkApproximate times both searches of the same samples.
func BenchmarkApproximate(b *testing.B) {
	for _, features := range []int{50, 128, 784} {
		x := mixture(20000, features, 1)
		for _, m := range []graph.Method{graph.Brute, graph.Approximate} {
			b.Run(fmt.Sprintf("20000×%d/%v", features, m), func(b *testing.B) {
				recall := 0.0
				for b.Loop() {
					nb, err := graph.Search(ctx, x, 15, graph.SearchOptions{Method: m})
					if err != nil {
						b.Fatal(err)
					}
					recall = nb.Recall
				}
				b.ReportMetric(recall, "recall")
			})
		}
	}
}

// onceOnly reports whether repetitions are left out. They run if SSDRNB_TEST_ALL is set, as by
// ./install.sh test --all, and never with -short.
func onceOnly() bool { return testing.Short() || os.Getenv("SSDRNB_TEST_ALL") == "" }
