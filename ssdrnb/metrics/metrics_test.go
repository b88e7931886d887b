package metrics

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

var background = context.Background()

func noise(rng *rand.Rand, n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	return x
}

// TestAssign compares with all permutations.
func TestAssign(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for trial := range 300 {
		r, c := 1+rng.IntN(5), 1+rng.IntN(5)
		cost := mat.NewDense(r, c, nil)
		for i := range r {
			for j := range c {
				v := rng.NormFloat64()
				if trial%2 == 0 {
					v = float64(rng.IntN(4) - 1) // many ties
				}
				cost.Set(i, j, v)
			}
		}
		columns, total, err := Assign(cost)
		if err != nil {
			t.Fatal(err)
		}
		used, paired, sum := map[int]bool{}, 0, 0.0
		for i, j := range columns {
			if j < 0 {
				continue
			}
			if used[j] {
				t.Fatalf("column %d twice: %v", j, columns)
			}
			used[j] = true
			paired++
			sum += cost.At(i, j)
		}
		if paired != min(r, c) || math.Abs(sum-total) > 1e-12 {
			t.Fatalf("%d pairs of %d×%d, total %g, sum %g", paired, r, c, total, sum)
		}
		if want := cheapest(cost, 0, map[int]bool{}, max(r-c, 0)); math.Abs(total-want) > 1e-9 {
			t.Fatalf("total %g, want %g for %v", total, want, mat.Formatted(cost))
		}
	}
	if _, _, err := Assign(mat.NewDense(1, 1, []float64{math.NaN()})); !errors.Is(err, ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
}

// cheapest tries all pairings; rows may stay unpaired.
func cheapest(cost *mat.Dense, i int, used map[int]bool, spare int) float64 {
	r, c := cost.Dims()
	if i == r {
		return 0
	}
	best := math.Inf(1)
	if spare > 0 {
		best = cheapest(cost, i+1, used, spare-1)
	}
	for j := range c {
		if !used[j] {
			used[j] = true
			best = min(best, cost.At(i, j)+cheapest(cost, i+1, used, spare))
			used[j] = false
		}
	}
	return best
}

func TestAgreement(t *testing.T) {
	truth := []int{0, 0, 1, 1, -1, 2}
	for name, c := range map[string]struct {
		clusters []int
		ac, nmi  float64
	}{
		"renamed":     {[]int{7, 7, 3, 3, 9, 5}, 1, 1},
		"one cluster": {[]int{1, 1, 1, 1, 2, 1}, 0.4, 0},
	} {
		ac, err := ClusterAccuracy(truth, c.clusters)
		nmi, err2 := NMI(truth, c.clusters)
		if err != nil || err2 != nil || math.Abs(ac-c.ac) > 1e-15 || math.Abs(nmi-c.nmi) > 1e-15 {
			t.Errorf("%s: AC %g, NMI %g, %v, %v", name, ac, nmi, err, err2)
		}
	}
	// Two independent partitions into halves have no mutual information, two equal ones one bit.
	if mi, _ := MutualInformation([]int{0, 0, 1, 1}, []int{0, 1, 0, 1}); mi != 0 {
		t.Errorf("independent: %g bits", mi)
	}
	if mi, _ := MutualInformation([]int{0, 0, 1, 1}, []int{5, 5, 4, 4}); mi != 1 {
		t.Errorf("equal halves: %g bits", mi)
	}
	if _, err := NMI([]int{0}, []int{0, 1}); !errors.Is(err, ErrShape) {
		t.Errorf("sizes: %v", err)
	}
	if _, err := ClusterAccuracy([]int{-1}, []int{0}); !errors.Is(err, ErrOption) {
		t.Errorf("no class: %v", err)
	}
}

// plainLloyd is k-means without bounds.
func plainLloyd(x, first *mat.Dense, steps int) ([]int, *mat.Dense) {
	n, d := x.Dims()
	k, _ := first.Dims()
	centers, labels := mat.DenseCopyOf(first), slices.Repeat([]int{-1}, n)
	for range steps {
		changed := false
		for i := range n {
			best, least := 0, math.Inf(1)
			for c := range k {
				if e := samples.SquaredDistance(x.RawRowView(i), centers.RawRowView(c)); e < least {
					best, least = c, e
				}
			}
			changed = changed || labels[i] != best
			labels[i] = best
		}
		if !changed {
			break
		}
		for c := range k {
			sum, count := make([]float64, d), 0.0
			for i, l := range labels {
				if l == c {
					count++
					for j, v := range x.RawRowView(i) {
						sum[j] += v
					}
				}
			}
			if count > 0 {
				for j := range sum {
					centers.Set(c, j, sum[j]/count)
				}
			}
		}
	}
	return labels, centers
}

func TestKMeansEqualsLloyd(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for trial := range 60 {
		n, d, k := 30+rng.IntN(200), 1+rng.IntN(4), 2+rng.IntN(8)
		x := noise(rng, n, d)
		if trial%3 == 0 { // on a grid there are ties between centres
			for i := range n {
				for j := range d {
					x.Set(i, j, float64(rng.IntN(4)))
				}
			}
		}
		first := mat.DenseCopyOf(x.Slice(0, k, 0, d))
		if trial%4 == 0 {
			first.Set(k-1, 0, 1e3) // a cluster that stays empty
		}
		got, err := KMeans(background, x, k, KMeansOptions{Centers: first})
		if err != nil {
			t.Fatal(err)
		}
		labels, centers := plainLloyd(x, first, 300)
		if !slices.Equal(labels, got.Labels) || !mat.Equal(centers, got.Centers) || !got.Converged {
			t.Fatalf("trial %d: another clustering than Lloyd's", trial)
		}
		if trial%4 == 0 && got.Centers.At(k-1, 0) != 1e3 {
			t.Error("an empty cluster lost its centre")
		}
	}
}

// With given centres, the options of drawn centres are ignored, even invalid ones.
func TestKMeansCenters(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 1, 5, 6})
	centers := mat.NewDense(2, 1, []float64{0, 1})
	want, err := KMeans(background, x, 2, KMeansOptions{Centers: centers})
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []KMeansOptions{{Starts: -5}, {Starts: 7}, {Initial: Random}, {Initial: 9}, {Seed: 3}} {
		opt.Centers = centers
		if got, err := KMeans(background, x, 2, opt); err != nil || !slices.Equal(got.Labels, want.Labels) || !mat.Equal(got.Centers, want.Centers) {
			t.Errorf("%+v: %v, %v", opt, got, err)
		}
	}
}

func TestKMeansStarts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	const per = 40
	x, truth := noise(rng, 4*per, 2), make([]int, 4*per)
	for i := range truth {
		truth[i] = i % 4
		x.Set(i, 0, x.At(i, 0)+20*float64(truth[i]%2))
		x.Set(i, 1, x.At(i, 1)+20*float64(truth[i]/2))
	}
	for _, initial := range []Initial{PlusPlus, Random} {
		all, err := kmeansAll(background, x, 4, KMeansOptions{Starts: 40, Initial: initial, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(all); i++ {
			if all[i].Inertia < all[i-1].Inertia {
				t.Error("runs are not in the order of their inertia")
			}
		}
		if ac, _ := ClusterAccuracy(truth, all[0].Labels); ac != 1 {
			t.Errorf("initial %d: four clouds far apart: AC %g", initial, ac)
		}
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
		for _, procs := range []int{1, 3} {
			runtime.GOMAXPROCS(procs)
			again, _ := kmeansAll(background, x, 4, KMeansOptions{Starts: 40, Initial: initial, Seed: 5})
			if !reflect.DeepEqual(all, again) {
				t.Errorf("GOMAXPROCS %d: other runs", procs)
			}
		}
	}
	other, _ := kmeansAll(background, x, 4, KMeansOptions{Starts: 1, MaxSteps: 1, Seed: 6})
	one, _ := kmeansAll(background, x, 4, KMeansOptions{Starts: 1, MaxSteps: 1, Seed: 5})
	if reflect.DeepEqual(other[0], one[0]) {
		t.Error("two seeds give the same run")
	}
	if one[0].Converged || one[0].Steps != 1 {
		t.Errorf("one step: %d, converged %v", one[0].Steps, one[0].Converged)
	}
	// Fewer distinct samples than clusters.
	if c, err := KMeans(background, mat.NewDense(5, 2, nil), 3, KMeansOptions{Starts: 3}); err != nil || c.Inertia != 0 {
		t.Errorf("equal samples: %v, %v", c, err)
	}
}

func TestScoreClusters(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	y, truth := noise(rng, 90, 2), make([]int, 90)
	for i := range truth {
		truth[i] = i % 3
		y.Set(i, 0, y.At(i, 0)+2*float64(truth[i]))
	}
	s, err := ScoreClusters(background, y, truth, 7, KMeansOptions{Starts: 20, Initial: Random, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	// The same computed from the runs themselves.
	runs, _ := kmeansAll(background, y, 3, KMeansOptions{Starts: 20, Initial: Random, Seed: 1})
	var ac []float64
	for _, r := range runs {
		a, _ := ClusterAccuracy(truth, r.Labels)
		ac = append(ac, a)
	}
	sum := 0.0
	for _, a := range ac[:7] {
		sum += a
	}
	if math.Abs(s.MeanByInertia.AC-sum/7) > 1e-15 || s.LeastInertia.AC != ac[0] || s.Kept != 7 || s.Starts != 20 {
		t.Errorf("%+v", s)
	}
	slices.Sort(ac)
	sum = 0
	for _, a := range ac[13:] {
		sum += a
	}
	if math.Abs(s.MeanByScore.AC-sum/7) > 1e-15 || s.MeanByScore.NMI < s.MeanByInertia.NMI {
		t.Errorf("%+v", s)
	}
}

// TestSurvival compares with the definitions, computed from full sorts.
func TestSurvival(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for trial := range 20 {
		n, k := 20+rng.IntN(100), 1+rng.IntN(8)
		x, y := noise(rng, n, 5), noise(rng, n, 2)
		if trial%2 == 0 { // ties, far from the origin
			for i := range n {
				for j := range 5 {
					x.Set(i, j, float64(1000+rng.IntN(3)))
				}
			}
		}
		want := 0.0
		for i := range n {
			rank, shown := ranks(x, i), ranks(y, i)
			for j := range n {
				if j != i && shown[j] <= k && rank[j] > k {
					want += float64(rank[j] - k)
				}
			}
		}
		want = 1 - want*2/float64(n*k*(2*n-3*k-1))
		got, err := Trustworthiness(background, x, y, k)
		if err != nil || math.Abs(got-want) > 1e-14 {
			t.Errorf("n %d, k %d: %g, want %g, %v", n, k, got, want, err)
		}
		if back, _ := Continuity(background, y, x, k); back != got {
			t.Errorf("continuity the other way: %g, want %g", back, got)
		}
	}
	x := noise(rng, 50, 3)
	if v, err := Trustworthiness(background, x, x, 5); v != 1 || err != nil {
		t.Errorf("of itself: %g, %v", v, err)
	}
	if _, err := Trustworthiness(background, x, x, 25); !errors.Is(err, ErrOption) {
		t.Errorf("k = n/2: %v", err)
	}
}

// ranks returns all other samples in the order of (distance from i, index).
func ranks(x *mat.Dense, i int) []int {
	n, _ := x.Dims()
	var order []int
	for j := range n {
		if j != i {
			order = append(order, j)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		da, db := samples.SquaredDistance(x.RawRowView(i), x.RawRowView(a)), samples.SquaredDistance(x.RawRowView(i), x.RawRowView(b))
		switch {
		case da < db:
			return -1
		case da > db:
			return 1
		}
		return a - b
	})
	rank := make([]int, n)
	for place, j := range order {
		rank[j] = place + 1
	}
	return rank
}

func TestNearestNeighborPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	train, queries := noise(rng, 70, 9), noise(rng, 53, 9)
	for j := range 9 {
		train.Set(1, j, train.At(0, j)) // duplicates with different labels
		queries.Set(0, j, train.At(0, j))
	}
	labels, truth := make([]int, 70), make([]int, 53)
	for i := range labels {
		labels[i] = i % 3
	}
	for i := range truth {
		truth[i] = i%4 - 1
	}
	truth[0] = 0
	path, err := NearestNeighborPath(train, labels, queries, truth)
	if err != nil {
		t.Fatal(err)
	}
	for d := 1; d <= 9; d++ {
		predicted, err := NearestNeighbor(mat.DenseCopyOf(train.Slice(0, 70, 0, d)), labels, mat.DenseCopyOf(queries.Slice(0, 53, 0, d)))
		if err != nil {
			t.Fatal(err)
		}
		right, all := 0.0, 0.0
		for i, p := range predicted {
			if truth[i] >= 0 {
				all++
				if p == truth[i] {
					right++
				}
			}
		}
		if path[d-1] != right/all {
			t.Errorf("%d dimensions: %g, want %g", d, path[d-1], right/all)
		}
	}
	if _, err := NearestNeighborPath(train, labels, queries, truth[1:]); !errors.Is(err, ErrShape) {
		t.Errorf("sizes: %v", err)
	}
}

func TestBadArguments(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{0, 0, 1, 0, 0, 1, 1, 1})
	huge := mat.NewDense(2, 1, []float64{1e200, -1e200})
	for name, c := range map[string]struct {
		x    *mat.Dense
		k    int
		opt  KMeansOptions
		want error
	}{
		"no cluster":       {x, 0, KMeansOptions{}, ErrOption},
		"too many":         {x, 5, KMeansOptions{}, ErrOption},
		"starts":           {x, 2, KMeansOptions{Starts: -1}, ErrOption},
		"initial":          {x, 2, KMeansOptions{Initial: 9}, ErrOption},
		"shape of centres": {x, 2, KMeansOptions{Centers: x}, ErrShape},
		"overflow":         {huge, 1, KMeansOptions{}, ErrNotFinite},
	} {
		if _, err := KMeans(background, c.x, c.k, c.opt); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := KMeans(ctx, x, 2, KMeansOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
