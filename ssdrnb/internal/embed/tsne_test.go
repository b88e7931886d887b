package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// The grid approximates the sum over all pairs for any extent, number of dimensions and degrees of
// freedom, and its error is of third order in the side of a box.
func TestGrid(t *testing.T) {
	for _, dof := range []float64{1, 0.3, 8} {
		testGrid(t, newTail(dof))
	}
}

func testGrid(t *testing.T, tail tail) {
	for _, d := range []int{1, 2} {
		for _, width := range []float64{1e-4, 1, 40} {
			n := 700
			y := mat.NewDense(n, d, nil)
			for i := range n {
				s := newStream(3, d, i)
				for j := range d {
					y.Set(i, j, width*(s.share()+s.share()-1)/float64(j+1))
				}
			}
			at := y.RawMatrix().Data
			want, got := make([]float64, n*d), make([]float64, n*d)
			z := repelExactly(want, at, n, d, tail)
			// measure returns the relative errors of sum and forces.
			measure := func(widest float64) (sum, force float64) {
				g := newGrid(n, d, tail)
				g.widest *= widest
				q := g.repel(got, at)
				off, norm := 0.0, 0.0
				for k, v := range want {
					off += (v - got[k]) * (v - got[k])
					norm += v * v
				}
				return math.Abs(q-z) / z, math.Sqrt(off / norm)
			}
			sum, force := measure(1)
			fineSum, fineForce := measure(0.5)
			if !(sum <= 5e-3 && force <= 0.1) {
				t.Errorf("%g degrees of freedom, %d dimensions, width %g: the sum is off by %g, forces by %g", tail.value(), d, width, sum, force)
			}
			if !(fineSum <= 1e-3 && fineForce <= force/5) && width > 10 {
				t.Errorf("%g degrees of freedom, %d dimensions, width %g, boxes of half the side: the sum is off by %g, forces by %g instead of %g", tail.value(), d, width, fineSum, fineForce, force)
			}
		}
	}
}

func TestTSNESeparates(t *testing.T) {
	x, class := blobs(90, 5, 3, 20)
	a, err := Perplexity(neighbors(t, x, 30), 10)
	if err != nil {
		t.Fatal(err)
	}
	start := Shrunk(mat.DenseCopyOf(x.Slice(0, 90, 0, 2)), 1e-4, 1, false)
	var steps []int
	r, err := TSNE(context.Background(), a.P, start, TSNEOptions{Progress: func(epoch, epochs int, y *mat.Dense, _ float64) {
		if epochs != 750 {
			t.Errorf("%d epochs announced", epochs)
		}
		steps = append(steps, epoch)
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(steps) != 750 || steps[749] != 750 || r.Epochs != 750 {
		t.Errorf("%d steps were shown of %d", len(steps), r.Epochs)
	}
	if share := sameClass(r.Y, class); share < 0.99 {
		t.Errorf("%.2f of the nearest neighbours are of the same blob", share)
	}
	begin, err := Divergence(nil, a.P, start, 1)
	if err != nil {
		t.Fatal(err)
	}
	end, err := Divergence(nil, a.P, r.Y, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !(end < begin/2) || math.Abs(end-r.Divergence) > 0.05*end {
		t.Errorf("divergence %g at the start, %g at the end, %g reported", begin, end, r.Divergence)
	}
}

func TestTSNEOnGrid(t *testing.T) {
	n := exactBelow + 100
	x, class := blobs(n, 5, 4, 20)
	a, err := Perplexity(neighbors(t, x, 30), 10)
	if err != nil {
		t.Fatal(err)
	}
	run := func(d, epochs int) *mat.Dense {
		start := Shrunk(mat.DenseCopyOf(x.Slice(0, n, 0, d)), 1e-4, 1, false)
		r, err := TSNE(context.Background(), a.P, start, TSNEOptions{EarlyEpochs: epochs, Epochs: epochs})
		if err != nil {
			t.Fatal(err)
		}
		return r.Y
	}
	for _, d := range []int{1, 2} {
		var first *mat.Dense
		eachProcs(t, func() {
			y := run(d, 2)
			if first == nil {
				first = y
			}
			if !mat.Equal(first, y) {
				t.Errorf("the layout in %d dimensions depends on the number of processors", d)
			}
		})
	}
	if testing.Short() {
		return
	}
	if share := sameClass(run(2, 30), class); share < 0.99 {
		t.Errorf("%.2f of the nearest neighbours are of the same blob", share)
	}
}

// With any degrees of freedom, on a grid and over all pairs, samples end in their blob, the
// reported divergence is that of the positions, and the number of processors has no effect.
func TestTSNEDegrees(t *testing.T) {
	degrees, sizes := []float64{LeastDegrees, 0.75, 3, MostDegrees}, []int{120, exactPowers + 90}
	if testing.Short() {
		degrees, sizes = degrees[1:2], sizes[:1]
	}
	for _, n := range sizes {
		x, class := blobs(n, 5, 3, 20)
		a, err := Perplexity(neighbors(t, x, 30), 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []int{1, 2, 3} {
			start := Shrunk(mat.DenseCopyOf(x.Slice(0, n, 0, d)), 1e-4, 1, false)
			for k, dof := range degrees {
				run := func(early, epochs int) *TSNEResult {
					shown := start
					r, err := TSNE(context.Background(), a.P, start, TSNEOptions{EarlyEpochs: early, Epochs: epochs, DegreesOfFreedom: dof,
						Progress: func(_, _ int, y *mat.Dense, _ float64) { shown = mat.DenseCopyOf(y) }})
					if err != nil {
						t.Fatal(err)
					}
					if !mat.Equal(shown, r.Y) {
						t.Errorf("%d samples in %d dimensions, %g degrees of freedom: the positions shown last are not the result", n, d, dof)
					}
					return r
				}
				var first *mat.Dense
				eachProcs(t, func() {
					r := run(3, 3)
					if first == nil {
						first = r.Y
					}
					if !mat.Equal(first, r.Y) {
						t.Errorf("%d samples in %d dimensions, %g degrees of freedom: the layout depends on the number of processors", n, d, dof)
					}
				})
				if n > 120 && (d == 3 || k%2 == 1) { // for the sake of time
					continue
				}
				r := run(100, 200)
				if share := sameClass(r.Y, class); share < 0.99 {
					t.Errorf("%d samples in %d dimensions, %g degrees of freedom: %.2f of the nearest neighbours are of the same blob", n, d, dof, share)
				}
				if end, err := Divergence(nil, a.P, r.Y, dof); err != nil || !(math.Abs(end-r.Divergence) < 0.05*end) || !(end < 0.75*r.History[0]) {
					t.Errorf("%d samples in %d dimensions, %g degrees of freedom: divergence %g, %g reported, %g at the start, %v", n, d, dof, end, r.Divergence, r.History[0], err)
				}
			}
		}
	}
	for _, bad := range []float64{-1, 0.1, 1e3, math.NaN(), math.Inf(1)} {
		x, _ := blobs(30, 3, 2, 9)
		a, err := Perplexity(neighbors(t, x, 9), 3)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := TSNE(context.Background(), a.P, x, TSNEOptions{DegreesOfFreedom: bad}); !errors.Is(err, ErrOption) {
			t.Errorf("%g degrees of freedom: %v", bad, err)
		}
	}
}

func TestTail(t *testing.T) {
	for _, dof := range []float64{0.2, 0.5, 1, 1.3, 2, 7.25, 100} {
		tail := newTail(dof)
		if got := tail.value(); !(math.Abs(got-dof) <= 1e-6) || tail.plain() != (dof == 1) {
			t.Errorf("%g is taken as %g, plain: %v", dof, got, tail.plain())
		}
		for _, v := range []float64{1, 0.999, 0.3, 1e-3, 1e-9, 0} {
			if got, want := tail.power(v), math.Pow(v, tail.value()); !(math.Abs(got-want) <= 1e-13*want) {
				t.Errorf("%g to the power of %g is %g, not %g", v, dof, got, want)
			}
		}
	}
}

func TestTSNECancelled(t *testing.T) {
	x, _ := blobs(60, 4, 2, 10)
	a, err := Perplexity(neighbors(t, x, 20), 7)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var seen *mat.Dense
	r, err := TSNE(ctx, a.P, Shrunk(x, 1e-4, 1, false), TSNEOptions{Progress: func(epoch, _ int, y *mat.Dense, _ float64) {
		if epoch == 7 {
			seen = mat.DenseCopyOf(y)
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || r == nil || r.Epochs != 7 || !mat.Equal(r.Y, seen) {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestPerplexityDegenerate(t *testing.T) {
	// All neighbours are equally far: the precision has no effect. The square of the distance may
	// round up or down.
	for _, edge := range []float64{1, 1.1, 0.7, math.Sqrt(1.5)} {
		x := mat.NewDense(4, 4, []float64{edge, 0, 0, 0, 0, edge, 0, 0, 0, 0, edge, 0, 0, 0, 0, edge})
		a, err := Perplexity(neighbors(t, x, 3), 2)
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range a.Beta {
			if b != 0 || math.Abs(a.P.RowSums()[i]-0.25) > 1e-15 {
				t.Errorf("β %v, row sum %v", b, a.P.RowSums()[i])
			}
		}
	}
	// More duplicates than the perplexity.
	y := mat.NewDense(9, 1, []float64{0, 0, 0, 0, 0, 0, 1, 2, 3})
	a, err := Perplexity(neighbors(t, y, 8), 2)
	if err != nil || a.P.Check() != nil {
		t.Error(err, a.P.Check())
	}
	if r, err := TSNE(context.Background(), a.P, Shrunk(y, 1e-4, 1, false), TSNEOptions{EarlyEpochs: 20, Epochs: 20}); err != nil || checkPositions(r.Y, 9) != nil {
		t.Error(r, err)
	}
	for _, bad := range []float64{0.5, 9, math.NaN()} {
		if _, err := Perplexity(neighbors(t, y, 8), bad); !errors.Is(err, ErrOption) {
			t.Errorf("perplexity %v: %v", bad, err)
		}
	}
}

// The affinities have the requested perplexity however far the farthest neighbours are and whatever
// the unit of the distances.
func TestPerplexityOfFarNeighbors(t *testing.T) {
	const k, perplexity = 90, 30
	index := make([]int32, k)
	for a := range index {
		index[a] = int32(a)
	}
	for _, nearest := range []float64{0, 1} {
		for _, far := range []float64{1e2, 1e5, 1e8, 1e30, 1e100, 1e150} {
			for _, unit := range []float64{1, 1e-163, 1e-200} {
				dist := make([]float64, k)
				for a := range dist {
					dist[a] = (nearest + 3*float64(a)/k) * unit
					if a >= 80 {
						dist[a] = far * float64(a) * unit
					}
				}
				p, beta, err := conditional(&graph.Neighbors{K: k, Index: index, Dist: dist}, perplexity)
				if err != nil {
					t.Fatal(err)
				}
				entropy := 0.0
				for _, v := range p {
					if v > 0 {
						entropy -= v * math.Log(v)
					}
				}
				if got := math.Exp(entropy); !(math.Abs(got-perplexity) < 1e-9) {
					t.Errorf("distances from %v, far neighbours at %v, unit %v: perplexity %v, β = %v", nearest, far, unit, got, beta[0])
				}
			}
		}
	}
}

func TestPlaceTSNE(t *testing.T) {
	for _, dof := range []float64{1, 0.5, 4} {
		t.Run(fmt.Sprint(dof), func(t *testing.T) { testPlaceTSNE(t, dof) })
	}
}

func testPlaceTSNE(t *testing.T, dof float64) {
	x, class := blobs(120, 5, 3, 4)
	nb := neighbors(t, x, 30)
	a, err := Perplexity(nb, 10)
	if err != nil {
		t.Fatal(err)
	}
	r, err := TSNE(context.Background(), a.P, Shrunk(mat.DenseCopyOf(x.Slice(0, 120, 0, 2)), 1e-4, 1, false), TSNEOptions{DegreesOfFreedom: dof})
	if err != nil {
		t.Fatal(err)
	}
	to, err := PerplexityTo(nb, 120, 10)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range to.RowSums() {
		if math.Abs(s-1) > 1e-12 {
			t.Errorf("affinities of sample %d sum to %v", i, s)
		}
	}
	start, err := meansBy(to, r.Y)
	if err != nil {
		t.Fatal(err)
	}
	// divergence returns the divergence of sample i at a, up to a constant.
	divergence := func(i int, a []float64) float64 {
		z, e := 0.0, 0.0
		for j := range 120 {
			q := math.Pow(1+samples.SquaredDistance(a, r.Y.RawRowView(j))/dof, dof)
			z += 1 / q
			e += to.At(i, j) * math.Log(q)
		}
		return e + math.Log(z)
	}
	var first *mat.Dense
	eachProcs(t, func() {
		y, err := PlaceTSNE(context.Background(), to, r.Y, dof, 0)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = y
		}
		if !mat.Equal(first, y) {
			t.Error("places depend on the number of processors")
		}
	})
	right, moved := 0, 0
	for i := range 120 {
		if divergence(i, first.RawRowView(i)) > divergence(i, start.RawRowView(i)) {
			t.Errorf("sample %d is worse off than at the start", i)
		}
		if samples.SquaredDistance(first.RawRowView(i), start.RawRowView(i)) > 0 {
			moved++
		}
		near, at := math.Inf(1), -1
		for j := range 120 {
			if q := samples.SquaredDistance(first.RawRowView(i), r.Y.RawRowView(j)); q < near {
				near, at = q, j
			}
		}
		if class[at] == class[i] {
			right++
		}
	}
	if right < 116 || moved < 100 {
		t.Errorf("%d of 120 are placed in their blob, %d moved", right, moved)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if y, err := PlaceTSNE(ctx, to, r.Y, dof, 0); !errors.Is(err, context.Canceled) || !mat.Equal(y, start) {
		t.Error(y, err)
	}
}

// A learning rate that throws samples far apart or overflows costs no memory and does not panic.
func TestLearningRates(t *testing.T) {
	const n = 200
	x, _ := blobs(n, 3, 3, 2)
	a, err := Perplexity(neighbors(t, x, 6), 2)
	if err != nil {
		t.Fatal(err)
	}
	w, start := fuzzyOf(t, x, 6), Shrunk(mat.DenseCopyOf(x.Slice(0, n, 0, 2)), 1e-4, 1, false)
	for _, rate := range []float64{1e5, 1e308} {
		r, err := TSNE(context.Background(), a.P, start, TSNEOptions{EarlyEpochs: 3, Epochs: 3, LearningRate: rate})
		if !errors.Is(err, ErrNotFinite) && (err != nil || checkPositions(r.Y, n) != nil) {
			t.Errorf("t-SNE at a learning rate of %g: %v", rate, err)
		}
		q, err := Layout(context.Background(), w, start, Options{Curve: curve(t), Epochs: 3, LearningRate: rate})
		if !errors.Is(err, ErrNotFinite) && (err != nil || checkPositions(q.Y, n) != nil) {
			t.Errorf("layout at a learning rate of %g: %v", rate, err)
		}
	}
	if testing.Short() {
		return
	}
	y := mat.NewDense(2, 2, []float64{0, 0, 1e9, 1e5})
	g := newGrid(2, 2, newTail(1))
	if g.fit(y.RawMatrix().Data); g.boxes[0]*g.boxes[1] > mostBoxes || float64(g.boxes[0])*g.width < 1e9 {
		t.Errorf("%v boxes of side %g", g.boxes, g.width)
	}
}

// The loop for the plane agrees with the general loop with a third coordinate of 0.
func TestRepelInPlane(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 37
	y, padded := make([]float64, 2*n), make([]float64, 3*n)
	for i := range n {
		for c := range 2 {
			v := 10 * rng.NormFloat64()
			y[2*i+c], padded[3*i+c] = v, v
		}
	}
	force, want := make([]float64, 2*n), make([]float64, 3*n)
	if z, all := repelExactly(force, y, n, 2, newTail(1)), repelExactly(want, padded, n, 3, newTail(1)); !(math.Abs(z-all) < 1e-12*all) {
		t.Errorf("similarities sum to %g, not %g", z, all)
	}
	for i := range n {
		for c := range 2 {
			if got, want := force[2*i+c], want[3*i+c]; !(math.Abs(got-want) < 1e-12) {
				t.Errorf("force %d of sample %d is %g, not %g", c, i, got, want)
			}
		}
	}
}

// The sum of similarities keeps its digits where all of them are tiny: with many degrees of
// freedom, few samples move far apart.
func TestRepelFarApart(t *testing.T) {
	y, force := []float64{0, 0, 9, 0, 0, 12}, make([]float64, 6)
	tail := newTail(20)
	want := 2 * (tail.power(1.0/82) + tail.power(1.0/145) + tail.power(1.0/226))
	if z := repelExactly(force, y, 3, 2, tail); !(math.Abs(z-want) <= 1e-12*want) {
		t.Errorf("similarities sum to %g, not %g", z, want)
	}
	p, err := sparse.FromTriplets(3, 3, []sparse.Triplet{{Row: 0, Col: 1, Value: 1}, {Row: 0, Col: 2, Value: 1}, {Row: 1, Col: 0, Value: 1}, {Row: 1, Col: 2, Value: 1}, {Row: 2, Col: 0, Value: 1}, {Row: 2, Col: 1, Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, dof := range []float64{5, 30, MostDegrees} {
		if _, err := TSNE(context.Background(), p, mat.NewDense(3, 2, []float64{0, 1e-4, 1e-4, 0, -1e-4, 0}), TSNEOptions{DegreesOfFreedom: dof}); err != nil {
			t.Errorf("three samples with %g degrees of freedom: %v", dof, err)
		}
	}
}

// Pinned samples may lie far from the origin: forces and the sum of similarities do not depend on
// the place of the layout.
func TestGridFarFromOrigin(t *testing.T) {
	const n = 400
	for _, dof := range []float64{0.5, 1, 8} {
		tail := newTail(dof)
		for _, d := range []int{1, 2} {
			near, far := make([]float64, n*d), make([]float64, n*d)
			for _, offset := range []float64{1e3, 1e6, -1e9} {
				for i := range n {
					s := newStream(4, d, i)
					for c := range d {
						v := 20 * (s.share() + s.share() - 1)
						far[i*d+c] = v + offset/float64(c+1)
						near[i*d+c] = far[i*d+c] - offset/float64(c+1)
					}
				}
				want, got := make([]float64, n*d), make([]float64, n*d)
				z, moved := newGrid(n, d, tail).repel(want, near), newGrid(n, d, tail).repel(got, far)
				off, norm := 0.0, 0.0
				for k, v := range want {
					off += (v - got[k]) * (v - got[k])
					norm += v * v
				}
				if !(math.Abs(moved-z) <= 1e-3*z && off <= 1e-4*norm) {
					t.Errorf("%g degrees of freedom, %d dimensions, at %g: similarities sum to %g, not %g, and forces differ by %.2g", dof, d, offset, moved, z, math.Sqrt(off/norm))
				}
			}
		}
	}
}

// If all samples coincide, wherever they lie and wherever they were before, their similarities are
// 1 and no force acts.
func TestGridOfCoincidentSamples(t *testing.T) {
	const n = 400
	for _, d := range []int{1, 2} {
		g, force := newGrid(n, d, newTail(1)), make([]float64, n*d)
		spread := make([]float64, n*d)
		for k := range spread {
			s := newStream(4, d, k)
			spread[k] = 1e6 + s.share()
		}
		g.repel(force, spread)
		for _, at := range []float64{0, 0.3, 20, 1e6, -1e9} {
			z := g.repel(force, slices.Repeat([]float64{at}, n*d))
			if want := float64(n * (n - 1)); !(math.Abs(z-want) <= 1e-9*want) || slices.ContainsFunc(force, func(v float64) bool { return !(math.Abs(v) <= 1e-6) }) {
				t.Errorf("%d dimensions, at %g: similarities sum to %g, not %g, forces %v", d, at, z, want, force[:2])
			}
		}
	}
}
