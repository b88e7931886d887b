package ssdrnb

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/riemann"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

func init() {
	goldenFamilies["s3rmm"] = goldenS3RMM
	goldenFamilies["s3rmm_toy_summary"] = goldenToySummary
}

// startLearner returns the learner of a fit before its first step.
func startLearner(t testing.TB, e Estimator, d *Data) (*job, *riemann.Learner) {
	t.Helper()
	j := newJob(context.Background(), e.Spec(), d, newCache())
	j.start()
	s, err := spanOf(j)
	if err != nil {
		t.Fatal(err)
	}
	g, err := geometryOf(j, s.points(j.x()))
	if err != nil {
		t.Fatal(err)
	}
	return j, riemann.NewLearner(j.ctx, j.data, g, metricRulesOf(j))
}

// goldenS3RMM follows a fit from the graph to the projection.
func goldenS3RMM(c *golden) {
	d := NewData(c.mat("X"), c.whole("labels"))
	d.Truth = c.whole("y_true")
	n := d.Len()
	b := S3RMM().Dims(int(c.num("dim"))).Homogeneous(int(c.num("params.Kh"))).Heterogeneous(int(c.num("params.Kc"))).Gamma(c.num("params.gamma"))
	if c.has("params.a1") {
		b = b.Alpha1(c.num("params.a1")).Alpha2(c.num("params.a2"))
	}
	j, t := startLearner(c.T, b, d)
	sigma, _ := j.report.Fact("σ")
	c.near("sigma", sigma, 1e-10)
	c.nearMat("geodesic", t.Distance, 1e-8)
	c.nearMat("affinity", t.Affinity.Dense(), 1e-8)
	sets := func(path string, of []int, got [][]int, sorted bool) {
		for _, i := range of {
			list := slices.Clone(got[i])
			if sorted {
				slices.Sort(list)
			}
			if want := c.whole(path + "." + strconv.Itoa(i)); !slices.Equal(list, want) {
				c.Errorf("%s of %d: got %v, want %v", path, i, list, want)
			}
		}
	}
	t.Meet()
	sets("hom_labelled", t.Labelled, t.Same, false)
	sets("het_labelled", t.Labelled, t.Other, false)
	raw := mat.NewDense(n, n, nil)
	place := func(samples []int, block func(lo, hi int) (*mat.Dense, error), err error) *mat.Dense {
		if err != nil {
			c.Fatal(err)
		}
		g, err := block(0, len(samples))
		if err != nil {
			c.Fatal(err)
		}
		for k, i := range samples {
			raw.SetCol(i, mat.Col(nil, k, g))
		}
		return g
	}
	block, err := t.LabelledTensors()
	g := place(t.Labelled, block, err)
	c.nearMat("G_labelled_columns", g, 1e-8)
	t.Propagate(0, g)
	t.Extend()
	sets("hom_unlabelled", t.Unlabelled, t.Same, true)
	sets("het_unlabelled", t.Unlabelled, t.Other, true)
	block, err = t.UnlabelledTensors()
	place(t.Unlabelled, block, err)
	c.nearMat("G_raw", raw, 1e-8)

	// The same in one call, as in a fit.
	j, t = startLearner(c.T, b, d)
	columns, nullity, err := t.Learn(func(int, int) {})
	if err != nil {
		c.Fatal(err)
	}
	if nullity > 1e-10 {
		c.Errorf("local nullity holds to %g only", nullity)
	}
	c.nearMat("G_thresh", mat.DenseCopyOf(columns.Dense().T()), 1e-8)
	agreed, err := riemann.Agree(columns, gammaOption.of(j), agreementOption.of(j))
	if err != nil {
		c.Fatal(err)
	}
	c.nearMat("G_sym", agreed.Dense(), 1e-8)
	if b.Spec().Value("alpha1") == float64(Auto) {
		probe := balance(j, t.IsLabelled, &sparse.CSR{Rows: n, Cols: n, RowPtr: append([]int{0, 2}, slices.Repeat([]int{2}, n-1)...),
			ColInd: []int32{int32(t.Labelled[0]), int32(t.Unlabelled[0])}, Val: []float64{1, 1}})
		if first := t.Labelled[0]; first != 0 {
			c.Fatalf("the first sample of %s is not labelled", c.name)
		}
		c.near("a1", probe.At(0, t.Unlabelled[0]), 1e-12)
	} else {
		c.near("a1", b.Spec().Value("alpha1").(float64), 0)
	}
	if a1, a2 := c.num("a1"), c.num("a2"); !(a2-a1*a1 < 1e-12 && a1*a1-a2 < 1e-12) {
		c.Errorf("a2 = %v is not a1² = %v", a2, a1*a1)
	}
	m := c.model(b, d)
	c.nearMat("G_final", m.Graph().Dense(), 1e-8)
	c.nearAll("eigvals", m.Values(), 1e-8)
	c.nearMat("projector", outer(c.w(m)), 1e-6)
	doubts := t.Doubts(columns)
	for _, u := range t.Unlabelled {
		c.near(fmt.Sprintf("zero_count.%d", u), doubts[u], 0)
	}
	c.accuracies(m, d)
}

// accuracies compares 1-NN scores in the embedding and on the original samples.
func (c *golden) accuracies(m *Model, d *Data) {
	c.Helper()
	score := func(path string, train *mat.Dense, labels []int, queries *mat.Dense, truth []int) {
		got, err := metrics.NearestNeighbor(train, labels, queries)
		if err != nil {
			c.Fatal(err)
		}
		right := 0
		for i, l := range got {
			if l == truth[i] {
				right++
			}
		}
		c.near(path, float64(right)/float64(len(truth)), 1e-12)
	}
	var labelled, hidden, labels, truth []int
	for i, l := range d.Labels {
		if l >= 0 {
			labelled, labels = append(labelled, i), append(labels, l)
		} else {
			hidden, truth = append(hidden, i), append(truth, d.Truth[i])
		}
	}
	y := m.Embedding()
	score("accuracy.unlabelled", samples.Pick(y, labelled), labels, samples.Pick(y, hidden), truth)
	score("accuracy.unlabelled_raw", samples.Pick(d.X, labelled), labels, samples.Pick(d.X, hidden), truth)
	if !c.has("X_test") {
		return
	}
	x, truth := c.mat("X_test"), c.whole("y_test")
	z, err := m.Transform(x)
	if err != nil {
		c.Fatal(err)
	}
	score("accuracy.test", samples.Pick(y, labelled), labels, z, truth)
	score("accuracy.test_raw", samples.Pick(d.X, labelled), labels, x, truth)
}

// ComparedDirections is experiment.CompareDirections, which internal tests of this package cannot
// import; an external test file sets it.
var ComparedDirections func(e Estimator, ideal []float64, draws ...*Data) (correlation, median float64, angles, accuracy []float64, err error)

// goldenToySummary repeats both toys with the noise of the reference program.
func goldenToySummary(c *golden) {
	for name, toy := range map[string]struct {
		at func(u, side float64) (x, y float64)
		b  *S3RMMBuilder
	}{
		"line": {func(u, side float64) (float64, float64) { return -4 + 8*u, side / 2 }, S3RMM().Homogeneous(5).Heterogeneous(40).Gamma(0.95)},
		"circle": {func(u, side float64) (float64, float64) {
			return 2 * math.Cos(math.Pi*u), side * (1 + 2*math.Sin(math.Pi*u))
		}, S3RMM().Homogeneous(2).Heterogeneous(60)},
	} {
		var draws []*Data
		for seed := range uint32(20) {
			draws = append(draws, noisyToy(seed, toy.at))
		}
		compare := func(e Estimator) (correlation, median float64, angles, accuracy []float64) {
			correlation, median, angles, accuracy, err := ComparedDirections(e, []float64{0, 1}, draws...)
			if err != nil {
				c.Fatal(err)
			}
			return correlation, median, angles, accuracy
		}
		correlation, median, angles, accuracy := compare(toy.b.Alpha1(1).Alpha2(1))
		c.near(name+".min_correlation", correlation, 1e-8)
		c.near(name+".max_angle", slices.Max(angles), 1e-6)
		c.near(name+".median_angle", median, 1e-6)
		c.near(name+".min_accuracy", slices.Min(accuracy), 0)
		_, median, _, _ = compare(DLA())
		c.near(name+".dla_median_angle", median, 1e-6)
		_, median, _, _ = compare(SDLA().PatchWeight(10))
		c.near(name+".sdla_median_angle", median, 1e-6)
	}
}

// noisyToy is one of the toys of package datasets with the reference program's noise.
func noisyToy(seed uint32, at func(u, side float64) (x, y float64)) *Data {
	rng := newReferenceNormal(seed)
	x, truth := mat.NewDense(120, 2, nil), make([]int, 120)
	for i := range 120 {
		truth[i] = i / 60
		a, b := at((float64(i%60)+0.5)/60, 1-2*float64(i/60))
		x.SetRow(i, []float64{a + 0.1*rng.next(), b + 0.1*rng.next()})
	}
	labels := slices.Repeat([]int{-1}, 120)
	for k, i := range []int{5, 15, 25, 94, 104, 114} {
		labels[i] = k / 3
	}
	return NewData(x, truth).WithLabels(labels)
}

// The generator reproduces the reference noise for a given seed.
func TestReferenceNoise(t *testing.T) {
	want := []float64{0.1257302210933933, -0.1321048632913019, 0.6404226504432821, 0.10490011715303971, -0.5356693731611101, 0.36159505490948474}
	rng := newReferenceNormal(0)
	for i, w := range want {
		if got := rng.next(); math.Abs(got-w) > 1e-14 {
			t.Errorf("number %d is %v, want %v", i, got, w)
		}
	}
	// Far into the stream, past draws from the tail.
	rng, last := newReferenceNormal(7), 0.0
	for range 200_000 {
		last = rng.next()
	}
	if math.Abs(last-0.5342501005320923) > 1e-14 {
		t.Errorf("the last number is %v", last)
	}
}

// referenceNormal draws standard normal numbers as the reference program did: a
// 128-bit linear congruential generator with permuted output (O'Neill 2014), seeded
// by mixing 32-bit words, and a ziggurat of 256 layers (Marsaglia, Tsang 2000).
type referenceNormal struct {
	state, inc [2]uint64 // high, low
	ki         [256]uint64
	wi, fi     [256]float64
}

const zigguratEdge = 3.6541528853610087963519472518

func newReferenceNormal(seed uint32) *referenceNormal {
	r := &referenceNormal{}
	hash := uint32(0x43b0d7e5)
	scramble := func(v uint32) uint32 {
		v ^= hash
		hash *= 0x931e8875
		v *= hash
		return v ^ v>>16
	}
	pool := [4]uint32{}
	for i := range pool {
		pool[i] = scramble(seed)
		seed = 0
	}
	for from := range pool {
		for to := range pool {
			if from != to {
				v := 0xca01f9dd*pool[to] - 0x4973f715*scramble(pool[from])
				pool[to] = v ^ v>>16
			}
		}
	}
	hash = 0x8b51f9dd
	words := [4]uint64{}
	for k := range 8 {
		v := pool[k%4] ^ hash
		hash *= 0x58f38ded
		v *= hash
		v ^= v >> 16
		words[k/2] |= uint64(v) << (32 * (k % 2))
	}
	r.inc = [2]uint64{words[2]<<1 | words[3]>>63, words[3]<<1 | 1}
	r.step()
	var carry uint64
	r.state[1], carry = bits.Add64(r.state[1], words[1], 0)
	r.state[0], _ = bits.Add64(r.state[0], words[0], carry)
	r.step()

	density := func(x float64) float64 { return math.Exp(-x * x / 2) }
	const steps = 1 << 52
	area := zigguratEdge*density(zigguratEdge) + math.Sqrt(math.Pi/2)*math.Erfc(zigguratEdge/math.Sqrt2)
	base := area / density(zigguratEdge)
	r.ki[0], r.wi[0], r.fi[0] = uint64(zigguratEdge/base*steps), base/steps, 1
	r.wi[255], r.fi[255] = zigguratEdge/steps, density(zigguratEdge)
	x := zigguratEdge
	for i := 254; i >= 1; i-- {
		next := math.Sqrt(-2 * math.Log(area/x+density(x)))
		r.ki[i+1], r.wi[i], r.fi[i] = uint64(next/x*steps), next/steps, density(next)
		x = next
	}
	return r
}

func (r *referenceNormal) step() {
	const high, low = 0x2360ED051FC65DA4, 0x4385DF649FCCF645
	h, l := bits.Mul64(r.state[1], low)
	h += r.state[0]*low + r.state[1]*high
	var carry uint64
	r.state[1], carry = bits.Add64(l, r.inc[1], 0)
	r.state[0], _ = bits.Add64(h, r.inc[0], carry)
}

func (r *referenceNormal) bits() uint64 {
	r.step()
	return bits.RotateLeft64(r.state[0]^r.state[1], -int(r.state[0]>>58))
}

func (r *referenceNormal) uniform() float64 { return float64(r.bits()>>11) / (1 << 53) }

func (r *referenceNormal) next() float64 {
	for {
		b := r.bits()
		layer, b := b&0xff, b>>8
		size := b >> 1 & (1<<52 - 1)
		x := float64(size) * r.wi[layer]
		if b&1 == 1 {
			x = -x
		}
		switch {
		case size < r.ki[layer]:
			return x
		case layer == 0:
			for {
				a, b := -math.Log1p(-r.uniform())/zigguratEdge, -math.Log1p(-r.uniform())
				if b+b > a*a {
					return math.Copysign(zigguratEdge+a, 0.5-float64(size>>8&1))
				}
			}
		case (r.fi[layer-1]-r.fi[layer])*r.uniform()+r.fi[layer] < math.Exp(-x*x/2):
			return x
		}
	}
}
