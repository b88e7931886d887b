package outofsample_test

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/kernels"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/mattest"
	. "github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// gaussian returns n×d standard normal numbers.
func gaussian(n, d int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(n, d, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, x)
	return x
}

// apply embeds q without error.
func apply(t *testing.T, m Map, q *mat.Dense) *mat.Dense {
	t.Helper()
	y, err := m.Apply(q)
	if err != nil {
		t.Fatalf("%s: %v", m.Kind(), err)
	}
	return y
}

var decoders = map[string]func(map[string]*mat.Dense) (Map, error){
	"barycentric": DecodeBarycentric, "nystrom": DecodeNystrom, "geodesic": DecodeGeodesic,
	"placed": DecodePlaced, "t-SNE": DecodePlacedTSNE, "target": DecodeTarget,
	"kernel": DecodeKernelMap, "kernel mean": DecodeKernelMean,
}

// line returns samples at 0, 1, …, n−1, embedded at 0, 10, …, 10(n−1).
func line(n int) (s Samples, y *mat.Dense) {
	s, y = Samples{X: mat.NewDense(n, 1, nil), N: n}, mat.NewDense(n, 1, nil)
	for i := range n {
		s.X.Set(i, 0, float64(i))
		y.Set(i, 0, 10*float64(i))
	}
	return s, y
}

// The map is (x − mean)·W + bias, also across several blocks of rows, and its first outputs equal
// those of First.
func TestLinear(t *testing.T) {
	l := &Linear{W: mat.NewDense(2, 2, []float64{1, 2, 3, 4}), Mean: []float64{1, 1}, Bias: []float64{10, 20}}
	mattest.Near(t, "linear", apply(t, l, mat.NewDense(2, 2, []float64{1, 1, 2, 3})), mat.NewDense(2, 2, []float64{10, 20, 17, 30}), 0)
	x := gaussian(4100, 2, 1)
	y, first := apply(t, l, x), apply(t, l.First(1), x)
	mattest.Near(t, "the first dimension", first, y.Slice(0, 4100, 0, 1), 0)
	mattest.Near(t, "a row of the second block", apply(t, l, mat.DenseCopyOf(x.Slice(4099, 4100, 0, 2))), y.Slice(4099, 4100, 0, 2), 0)
}

// A point in the hull of its neighbours has the same barycentric coordinates in the embedding, for
// features and for distances.
func TestBarycentric(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0, 1})
	y := mat.NewDense(3, 1, []float64{0, 5, 7})
	q := mat.NewDense(2, 2, []float64{0.2, 0.3, 0.5, 0.5})
	want := mat.NewDense(2, 1, []float64{0.2*5 + 0.3*7, 6})
	m := &Barycentric{Samples: Samples{X: x, N: 3}, Y: y, K: 3, Reg: 1e-10}
	mattest.Near(t, "features", apply(t, m, q), want, 1e-6)
	between, to := mat.NewSymDense(3, nil), mat.NewDense(2, 3, nil)
	for j := range 3 {
		for i := range j {
			between.SetSym(i, j, math.Hypot(x.At(i, 0)-x.At(j, 0), x.At(i, 1)-x.At(j, 1)))
		}
		for i := range 2 {
			to.Set(i, j, math.Hypot(q.At(i, 0)-x.At(j, 0), q.At(i, 1)-x.At(j, 1)))
		}
	}
	by := &Barycentric{Samples: Samples{N: 3}, Distances: between, Y: y, K: 3, Reg: 1e-10}
	mattest.Near(t, "distances", apply(t, by, to), want, 1e-6)
}

// With equal weights a point maps to the mean of its neighbours divided by 1 − τ, unless τ is 1.
func TestNystrom(t *testing.T) {
	s, y := line(4)
	m := &Nystrom{Samples: s, Y: y, K: 2, Affinity: Binary, Values: []float64{0.5}}
	mattest.Near(t, "binary", apply(t, m, mat.NewDense(1, 1, []float64{1.4})), mat.NewDense(1, 1, []float64{30}), 1e-12)
	m.Values[0] = 1
	mattest.Near(t, "τ = 1", apply(t, m, mat.NewDense(1, 1, []float64{1.4})), mat.NewDense(1, 1, []float64{15}), 1e-12)
	// Weights exp(−d²/t) at the distances 0.25 and 0.75.
	m.Affinity, m.Width, m.Values[0] = Heat, 1, 0
	a, b := math.Exp(-0.0625), math.Exp(-0.5625)
	mattest.Near(t, "heat", apply(t, m, mat.NewDense(1, 1, []float64{1.25})), mat.NewDense(1, 1, []float64{(10*a + 20*b) / (a + b)}), 1e-12)
}

// A training sample maps to its embedding, which for a path is its position on the line.
func TestGeodesic(t *testing.T) {
	const n = 5
	s, _ := line(n)
	y, middle, values := mat.NewDense(n, 1, nil), make([]float64, n), []float64{0}
	var edges []sparse.Triplet
	for i := range n {
		y.Set(i, 0, float64(i)-2)
		values[0] += y.At(i, 0) * y.At(i, 0)
		for j := range n {
			middle[i] += float64((i-j)*(i-j)) / n
			if j == i+1 || j == i-1 {
				edges = append(edges, sparse.Triplet{Row: i, Col: j, Value: 1})
			}
		}
	}
	lengths, err := sparse.FromTriplets(n, n, edges)
	if err != nil {
		t.Fatal(err)
	}
	m := &Geodesic{Samples: s, Y: y, K: 2, Unit: 1, Graph: lengths, Middle: middle, Values: values}
	mattest.Near(t, "the samples", apply(t, m, s.X), y, 1e-12)
	mattest.Near(t, "between two samples", apply(t, m, mat.NewDense(1, 1, []float64{1.25})), mat.NewDense(1, 1, []float64{-0.75}), 1e-12)
}

// Without a reconstruction the weights are given by the kernel: equal at equal distances.
func TestKernelMean(t *testing.T) {
	k := kernels.Kernel{Name: kernels.RBF, Scale: 1, Degree: 1}
	m, err := DecodeKernelMean(map[string]*mat.Dense{"samples": mat.NewDense(4, 1, []float64{-1.5, -0.5, 0.5, 1.5}), "mean": mat.NewDense(1, 1, []float64{1.5}),
		"rule": mat.NewDense(1, 2, []float64{2, 0}), "kernel": k.Array(), "embedding": mat.NewDense(4, 1, []float64{0, 10, 20, 30})})
	if err != nil {
		t.Fatal(err)
	}
	mattest.Near(t, "half-way", apply(t, m, mat.NewDense(1, 1, []float64{1.5})), mat.NewDense(1, 1, []float64{15}), 1e-12)
	mattest.Near(t, "too far for the kernel", apply(t, m, mat.NewDense(1, 1, []float64{1e6})), mat.NewDense(1, 1, []float64{30}), 0)
}

// The neighbours are nearest by kernel distance. For a polynomial kernel they differ from the
// nearest by Euclidean distance, also for outliers, until the kernel overflows.
func TestKernelMeanNeighbours(t *testing.T) {
	const n, rows, most = 80, 300, 5
	x, q, y := gaussian(n, 3, 1), gaussian(rows, 3, 2), gaussian(n, 2, 3)
	for _, name := range kernels.Names {
		k := kernels.Kernel{Name: name, Scale: 0.7, Degree: 3}
		m, err := DecodeKernelMean(map[string]*mat.Dense{"samples": x, "mean": mat.NewDense(1, 3, nil),
			"rule": mat.NewDense(1, 2, []float64{most, 0}), "kernel": k.Array(), "embedding": y})
		if err != nil {
			t.Fatal(err)
		}
		q := mat.DenseCopyOf(q)
		if name == kernels.Polynomial {
			for i := 0; i < rows; i += 2 {
				floats.Scale(math.Pow(10, float64(i/10)), q.RawRowView(i))
			}
		}
		want := mat.NewDense(rows, 2, nil)
		for i := range rows {
			p := q.RawRowView(i)
			index, distance := make([]int, n), make([]float64, n)
			for j := range n {
				s := x.RawRowView(j)
				index[j], distance[j] = j, k.Pair(s, s)-2*k.Pair(p, s) // k(p, p) is the same for all samples
			}
			slices.SortFunc(index, func(a, b int) int { return cmp.Compare(distance[a], distance[b]) })
			total := 0.0
			for _, j := range index[:most] {
				total += max(k.Pair(p, x.RawRowView(j)), 0)
			}
			for _, j := range index[:most] {
				weight := 1.0 // of the nearest sample, if no kernel value is positive
				if total > 0 {
					weight = max(k.Pair(p, x.RawRowView(j)), 0) / total
				} else if j != index[0] {
					weight = 0
				}
				for c := range 2 {
					want.Set(i, c, want.At(i, c)+weight*y.At(j, c))
				}
			}
		}
		mattest.Near(t, name, apply(t, m, q), want, 1e-9)
		floats.Scale(1e150, q.RawRowView(rows-1))
		if _, err := m.Apply(q); name == kernels.Polynomial && (!errors.Is(err, kernels.ErrOverflow) || !strings.Contains(err.Error(), "row 299")) {
			t.Errorf("a new point for which the kernel overflows: %v", err)
		}
	}
}

// A new point that equals a sample is placed among its neighbours in the layout.
func TestPlaced(t *testing.T) {
	x := gaussian(60, 3, 2)
	y := mat.NewDense(60, 2, nil)
	for i := range 60 { // two groups, far apart in both spaces
		side := float64(2*(i%2) - 1)
		x.Set(i, 0, x.At(i, 0)+20*side)
		y.SetRow(i, []float64{8*side + x.At(i, 1)/2, x.At(i, 2) / 2})
	}
	q := mat.DenseCopyOf(x.Slice(0, 8, 0, 3))
	for _, m := range []Map{
		&Placed{Samples: Samples{X: x, N: 60}, Y: y, K: 10, Connectivity: 1, Scale: 1,
			Layout: embed.Options{Curve: embed.Curve{A: 1.58, B: 0.9}, LearningRate: 1, Negatives: 5, Repulsion: 1, Seed: 1}},
		&PlacedTSNE{Samples: Samples{X: x, N: 60}, Y: y, K: 15, Perplexity: 5, DegreesOfFreedom: 1, Scale: 1},
	} {
		out := apply(t, m, q)
		for i := range 8 {
			if out.At(i, 0)*y.At(i, 0) <= 0 || math.Abs(out.At(i, 0)) > 12 {
				t.Errorf("%s: sample %d of the group at %.1f is placed at %.1f", m.Kind(), i, y.At(i, 0), out.At(i, 0))
			}
		}
		mattest.Near(t, m.Kind()+" again", apply(t, m, q), out, 0)
	}
}

// The predicted target is the sum of the linear prediction and the neighbours' mean residual.
func TestTarget(t *testing.T) {
	s, _ := line(4)
	wide := mat.NewDense(4, 2, nil)
	wide.Slice(0, 4, 0, 1).(*mat.Dense).Copy(s.X)
	m := &Target{Samples: wide, K: 2, Weights: []float64{3}, Bias: 1, Rest: []float64{2, 2, 2, 2}, Mean: 5, Factor: 0.5}
	mattest.Near(t, "target", apply(t, m, mat.NewDense(1, 1, []float64{1.5})), mat.NewDense(1, 2, []float64{1.5, 0.5 * (3*1.5 + 1 + 2 - 5)}), 1e-12)
}

// Euclidean distances between chords have the order of the metric: |a − b|²/2 is the cosine
// distance, and after centring the correlation distance.
func TestChords(t *testing.T) {
	x := gaussian(2, 5, 3)
	for _, metric := range []graph.Metric{graph.Cosine, graph.Correlation} {
		c, err := Chords(x, metric)
		if err != nil {
			t.Fatal(err)
		}
		nb, err := graph.Query(t.Context(), mat.DenseCopyOf(x.Slice(1, 2, 0, 5)), mat.DenseCopyOf(x.Slice(0, 1, 0, 5)), 1, metric)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for k := range 5 {
			d := c.At(0, k) - c.At(1, k)
			sum += d * d
		}
		if math.Abs(sum/2-nb.Dist[0]) > 1e-12 {
			t.Errorf("%v: half the squared chord is %v, the distance %v", metric, sum/2, nb.Dist[0])
		}
	}
	if _, err := Chords(mat.NewDense(1, 2, nil), graph.Cosine); err == nil {
		t.Error("a row of zeros has a direction")
	}
	constant := mat.NewDense(1, 3000, nil)
	for k := range 3000 {
		constant.Set(0, k, 0.1)
	}
	if _, err := Chords(constant, graph.Correlation); err == nil {
		t.Error("a constant row has a direction after centring")
	}
	if _, err := Chords(x, graph.Manhattan); err == nil {
		t.Error("the Manhattan distance has chords")
	}
}

// A rule decoded from its arrays embeds points as before, alone and in a chain.
func TestDecode(t *testing.T) {
	s, y := line(6)
	q := mat.NewDense(3, 1, []float64{0.3, 2.5, 4.9})
	bary := &Barycentric{Samples: s, Y: y, K: 2, Reg: 1e-3}
	ends := &Nystrom{Samples: Samples{X: y, N: 6}, Y: y, K: 3, Affinity: SelfTuning, Scale: []float64{1, 2, 3, 4, 5, 6}, Values: []float64{0.2}}
	for _, m := range []Map{bary, ends,
		&PlacedTSNE{Samples: s, Y: y, K: 4, Perplexity: 2, DegreesOfFreedom: 0.5, Scale: 3},
		&Chain{ends, bary},
	} {
		arrays := m.Arrays()
		arrays["embedding"] = y
		if c, ok := m.(*Chain); ok {
			arrays["first_embedding"] = c.First.(*Nystrom).Y
		}
		again, err := Decode(m.Kind(), arrays, decoders)
		if err != nil {
			t.Errorf("%s: %v", m.Kind(), err)
			continue
		}
		if again.Kind() != m.Kind() || again.Features() != m.Features() {
			t.Errorf("%s of %d features became %s of %d", m.Kind(), m.Features(), again.Kind(), again.Features())
		}
		mattest.Near(t, m.Kind(), apply(t, again, q), apply(t, m, q), 0)
	}
}

// The stack and the error do not grow with the number of kinds.
func TestDecodeManyKinds(t *testing.T) {
	s, y := line(6)
	a := (&Barycentric{Samples: s, Y: y, K: 2, Reg: 1e-3}).Arrays()
	a["embedding"] = y
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	const many = 100_000
	for _, kind := range []string{"barycentric then ", "nystrom then ", "unknown then ", " then ", "unknown"} {
		if _, err := Decode(strings.Repeat(kind, many)+"barycentric", a, decoders); err == nil || len(err.Error()) > 200 {
			t.Errorf("%s…: %.200v", kind, err)
		}
	}
}

// Inconsistent arrays are errors, whatever is missing or out of range.
func TestDecodeHostile(t *testing.T) {
	s, y := line(6)
	whole := func() map[string]*mat.Dense {
		a := (&Nystrom{Samples: s, Y: y, K: 3, Affinity: SelfTuning, Scale: []float64{1, 2, 3, 4, 5, 6}, Values: []float64{0.2}}).Arrays()
		a["embedding"] = y
		return a
	}
	if _, err := Decode("nystrom", whole(), decoders); err != nil {
		t.Fatal(err)
	}
	if _, err := Decode("unknown", whole(), decoders); err == nil {
		t.Error("an unknown kind is decoded")
	}
	for _, name := range []string{"samples", "embedding", "rule", "tau", "scales"} {
		a := whole()
		delete(a, name)
		if _, err := Decode("nystrom", a, decoders); err == nil {
			t.Errorf("decoded without %s", name)
		}
		a[name] = mat.NewDense(1, 2, []float64{math.NaN(), -1})
		if _, err := Decode("nystrom", a, decoders); err == nil {
			t.Errorf("decoded with %s of two numbers", name)
		}
	}
	rows := (&Barycentric{Samples: Samples{Rows: sparse.FromDense(s.X), N: 6}, Y: y, K: 2, Reg: 1e-3}).Arrays()
	rows["embedding"] = y
	if _, err := Decode("barycentric", rows, decoders); err == nil {
		t.Error("barycentric coordinates of sparse rows are decoded")
	}
	for _, rule := range [][]float64{{0, 0, 1}, {7, 0, 1}, {1.5, 0, 1}, {math.NaN(), 0, 1}, {2, 3, 1}, {2, -1, 1}} {
		a := whole()
		a["rule"] = mat.NewDense(1, 3, rule)
		if _, err := Decode("nystrom", a, decoders); err == nil {
			t.Errorf("decoded with the rule %v", rule)
		}
	}
}

func TestWholes(t *testing.T) {
	got, err := Wholes(mat.NewDense(1, 3, []float64{0, 2, 5}), 0, 5)
	if err != nil || !slices.Equal(got, []int{0, 2, 5}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, v := range []float64{-1, 6, 0.5, math.NaN(), math.Inf(1)} {
		if _, err := Wholes(mat.NewDense(1, 1, []float64{v}), 0, 5); err == nil {
			t.Errorf("%v is read as a whole number from 0 to 5", v)
		}
	}
}
