package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// blobs returns n samples with d features around the given number of corners of a cube, and the
// corner of each.
func blobs(n, d, corners int, apart float64) (*mat.Dense, []int) {
	x, class := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		s := newStream(11, d, i)
		class[i] = i % corners
		for j := range d {
			v := s.share() + s.share() + s.share() - 1.5
			if j == class[i] {
				v += apart
			}
			x.Set(i, j, v)
		}
	}
	return x, class
}

// sameClass returns the share of samples whose nearest other sample has the same class.
func sameClass(y *mat.Dense, class []int) float64 {
	same := 0
	for i := range class {
		near, at := math.Inf(1), -1
		for j := range class {
			if q := samples.SquaredDistance(y.RawRowView(i), y.RawRowView(j)); j != i && q < near {
				near, at = q, j
			}
		}
		if class[at] == class[i] {
			same++
		}
	}
	return float64(same) / float64(len(class))
}

// eachProcs runs f on several numbers of processors.
func eachProcs(t *testing.T, f func()) {
	t.Helper()
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, p := range []int{1, 2, 5, 16} {
		runtime.GOMAXPROCS(p)
		f()
	}
}

func fuzzyOf(t testing.TB, x *mat.Dense, k int) *sparse.CSR {
	t.Helper()
	f, err := Fuzzy(neighbors(t, x, k), PlainFuzzy)
	if err != nil {
		t.Fatal(err)
	}
	return f.W
}

func curve(t testing.TB) Curve {
	t.Helper()
	c, err := FitCurve(0.1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLayoutSeparates(t *testing.T) {
	for _, d := range []int{1, 2, 3} {
		x, class := blobs(120, 5, 3, 4)
		w := fuzzyOf(t, x, 14)
		y0, err := Spectral(context.Background(), w, mat.DenseCopyOf(x.Slice(0, 120, 0, d)), d, 1)
		if err != nil {
			t.Fatal(err)
		}
		start := Spread(y0, 10, 1, false)
		shown := 0
		r, err := Layout(context.Background(), w, start, Options{Curve: curve(t), Epochs: 200, Progress: func(epoch, epochs int, y *mat.Dense, _ float64) {
			if shown++; epoch != shown || epochs != 200 {
				t.Errorf("epoch %d of %d shown as number %d", epoch, epochs, shown)
			}
		}})
		if err != nil || r.Epochs != 200 || shown != 200 {
			t.Fatal(r, err)
		}
		if share := sameClass(r.Y, class); share < 0.95 {
			t.Errorf("%d dimensions: %.2f of the nearest neighbours are of the same blob", d, share)
		}
	}
}

// An edge pulls its ends together until repulsion balances it, and the layout lowers the cross
// entropy of its start.
func TestLayoutLowersCrossEntropy(t *testing.T) {
	x, _ := blobs(150, 6, 4, 3)
	w, c := fuzzyOf(t, x, 10), curve(t)
	start := mat.NewDense(150, 2, nil)
	jitter(start, 10, 5)
	before, _, err := CrossEntropy(nil, w, start, c)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Layout(context.Background(), w, start, Options{Curve: c, Epochs: 200})
	if err != nil {
		t.Fatal(err)
	}
	after, _, err := CrossEntropy(nil, w, r.Y, c)
	if err != nil || !(after < before/2) {
		t.Errorf("the attractive part changes from %g to %g: %v", before, after, err)
	}
}

func TestLayoutProcessors(t *testing.T) {
	for _, n := range []int{300, 10_100} {
		for _, d := range []int{2, 3} {
			if n > 1000 && (d == 3 || testing.Short()) {
				continue
			}
			x, _ := blobs(n, 4, 4, 3)
			w := fuzzyOf(t, x, 8)
			start := Spread(mat.DenseCopyOf(x.Slice(0, n, 0, d)), 10, 2, false)
			opt := Options{Curve: curve(t), Epochs: 30, Seed: 3, Pins: Pins{Rows: []int{5}, Y: mat.NewDense(1, d, nil), Pull: 0.5}}
			var first, other *Result
			eachProcs(t, func() {
				r, err := Layout(context.Background(), w, start, opt)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = r
				}
				if !mat.Equal(first.Y, r.Y) {
					t.Errorf("n = %d, d = %d: the layout depends on the number of processors", n, d)
				}
			})
			opt.Seed = 4
			other, err := Layout(context.Background(), w, start, opt)
			if err != nil || mat.Equal(first.Y, other.Y) {
				t.Error("another seed gives the same layout", err)
			}
		}
	}
}

// In a round no sample is in two pairs of blocks, and every edge occurs once.
func TestSchedule(t *testing.T) {
	for _, n := range []int{2, 3, 9, 100, 10_050} {
		var entries []sparse.Triplet
		for i := range n {
			for k := 1; k <= 12; k++ {
				if j := (i + k*k) % n; j != i {
					entries = append(entries, sparse.Triplet{Row: i, Col: j, Value: 1}, sparse.Triplet{Row: j, Col: i, Value: 1})
				}
			}
		}
		w, err := sparse.FromTriplets(n, n, entries)
		if err != nil {
			t.Fatal(err)
		}
		for k := range w.Val {
			w.Val[k] = 1
		}
		count := 0
		for _, pairs := range schedule(w, Options{Epochs: 10}) {
			owner := make([]int, n)
			for p, edges := range pairs {
				count += len(edges)
				for _, e := range edges {
					for _, i := range []int32{e.head, e.tail} {
						if owner[i] != 0 && owner[i] != p+1 {
							t.Fatalf("n = %d: sample %d is in two pairs of blocks at once", n, i)
						}
						owner[i] = p + 1
					}
				}
			}
		}
		if 2*count != w.NNZ() {
			t.Errorf("n = %d: %d edges of %d entries", n, count, w.NNZ())
		}
	}
}

func TestPins(t *testing.T) {
	x, _ := blobs(80, 4, 3, 3)
	w := fuzzyOf(t, x, 8)
	start := Spread(mat.DenseCopyOf(x.Slice(0, 80, 0, 2)), 10, 2, false)
	at := mat.NewDense(2, 2, []float64{30, 1, -30, 2})
	distance := func(pull float64) float64 {
		opt := Options{Curve: curve(t), Epochs: 100, Pins: Pins{Rows: []int{7, 50}, Y: at, Pull: pull}}
		r, err := Layout(context.Background(), w, start, opt)
		if err != nil {
			t.Fatal(err)
		}
		return math.Sqrt(samples.SquaredDistance(r.Y.RawRowView(7), at.RawRowView(0))) + math.Sqrt(samples.SquaredDistance(r.Y.RawRowView(50), at.RawRowView(1)))
	}
	if far := distance(1); far != 0 {
		t.Errorf("fixed pins are %g away", far)
	}
	if weak, strong := distance(0.01), distance(0.9); !(strong < weak) {
		t.Errorf("strongly pulled pins are %g away, weakly pulled pins %g", strong, weak)
	}
	for _, bad := range []Pins{
		{Rows: []int{80, 1}, Y: at, Pull: 1}, {Rows: []int{1, 1}, Y: at, Pull: 1}, {Rows: []int{1, 2}, Y: at},
		{Rows: []int{1}, Y: at, Pull: 1}, {Rows: []int{1, 2}, Y: mat.NewDense(2, 2, []float64{0, math.NaN(), 0, 0}), Pull: 1},
	} {
		if _, err := Layout(context.Background(), w, start, Options{Curve: curve(t), Pins: bad}); err == nil {
			t.Errorf("pins %+v are taken", bad)
		}
	}
}

func TestLayoutCancelled(t *testing.T) {
	x, _ := blobs(60, 4, 3, 3)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var seen *mat.Dense
	r, err := Layout(ctx, fuzzyOf(t, x, 8), Spread(x, 10, 1, false), Options{Curve: curve(t), Progress: func(epoch, _ int, y *mat.Dense, _ float64) {
		if epoch == 12 {
			seen = mat.DenseCopyOf(y)
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || r == nil || r.Epochs != 12 || !mat.Equal(r.Y, seen) {
		t.Errorf("%+v, %v", r, err)
	}
}

// Few samples, duplicates, constant weights and isolated samples give finite layouts.
func TestLayoutDegenerate(t *testing.T) {
	same := mat.NewDense(20, 3, nil)
	constant := fuzzyOf(t, same, 5)
	pairsOnly, err := sparse.FromTriplets(6, 6, []sparse.Triplet{{Row: 0, Col: 1, Value: 1}, {Row: 1, Col: 0, Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	three, _ := blobs(3, 2, 3, 1)
	sixteen, _ := blobs(16, 3, 2, 2)
	islands, _ := blobs(350, 51, 50, 1e6)
	for name, w := range map[string]*sparse.CSR{
		"three samples": fuzzyOf(t, three, 2), "n = 16, k = 15": fuzzyOf(t, sixteen, 15), "duplicates": constant,
		"isolated samples": pairsOnly, "no edges": {Rows: 4, Cols: 4, RowPtr: make([]int, 5)}, "fifty components": fuzzyOf(t, islands, 4),
	} {
		for _, d := range []int{1, 2, 5} {
			y0, err := Spectral(context.Background(), w, nil, d, 1)
			if err != nil {
				t.Errorf("%s in %d dimensions: %v", name, d, err)
				continue
			}
			r, err := Layout(context.Background(), w, Spread(y0, 10, 1, false), Options{Curve: curve(t), Epochs: 30})
			if err != nil || checkPositions(r.Y, w.Rows) != nil {
				t.Errorf("%s in %d dimensions: %v, %v", name, d, err, checkPositions(r.Y, w.Rows))
			}
		}
	}
	// Also if all samples start at one position.
	r, err := Layout(context.Background(), constant, mat.NewDense(20, 2, nil), Options{Curve: curve(t), Epochs: 10})
	if err != nil || checkPositions(r.Y, 20) != nil {
		t.Error(err)
	}
}

func TestLayoutErrors(t *testing.T) {
	x, _ := blobs(30, 3, 2, 2)
	w, ctx := fuzzyOf(t, x, 5), context.Background()
	bad := w.Clone()
	bad.Val[3] = math.NaN()
	for name, run := range map[string]func() (*Result, error){
		"weights":   func() (*Result, error) { return Layout(ctx, bad, x, Options{Curve: curve(t)}) },
		"sizes":     func() (*Result, error) { return Layout(ctx, w, mat.NewDense(29, 2, nil), Options{Curve: curve(t)}) },
		"curve":     func() (*Result, error) { return Layout(ctx, w, x, Options{}) },
		"epochs":    func() (*Result, error) { return Layout(ctx, w, x, Options{Curve: curve(t), Epochs: -1}) },
		"rate":      func() (*Result, error) { return Layout(ctx, w, x, Options{Curve: curve(t), LearningRate: math.NaN()}) },
		"repulsion": func() (*Result, error) { return Layout(ctx, w, x, Options{Curve: curve(t), Repulsion: -2}) },
	} {
		if _, err := run(); !errors.Is(err, ErrOption) && !errors.Is(err, ErrShape) && !errors.Is(err, ErrNotFinite) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A negative weight is finite, so the error does not wrap ErrNotFinite.
	bad.Val[3] = -1
	if _, err := Layout(ctx, bad, x, Options{Curve: curve(t)}); !errors.Is(err, ErrOption) || errors.Is(err, ErrNotFinite) {
		t.Error(err)
	}
	for _, c := range [][2]float64{{-1, 1}, {2, 1}, {0, 0}, {math.NaN(), 1}, {0, math.Inf(1)}} {
		if _, err := FitCurve(c[0], c[1]); !errors.Is(err, ErrOption) {
			t.Errorf("curve %v: %v", c, err)
		}
	}
}

// The curve scales with the unit of its distances.
func TestFitCurveScales(t *testing.T) {
	one := curve(t)
	two, err := FitCurve(0.3, 3)
	if err != nil || math.Abs(two.B-one.B) > 1e-6 || math.Abs(two.A*math.Pow(3, 2*two.B)-one.A) > 1e-6 {
		t.Error(one, two, err)
	}
	if zero, err := FitCurve(0, 1); err != nil || zero.check() != nil {
		t.Error(zero, err)
	}
}

// Gradients agree with finite differences.
func TestGradients(t *testing.T) {
	x, _ := blobs(25, 4, 3, 2)
	w, c := fuzzyOf(t, x, 6), curve(t)
	a, err := Perplexity(neighbors(t, x, 12), 4)
	if err != nil {
		t.Fatal(err)
	}
	divergence := func(dof float64) func(grad, y *mat.Dense) float64 {
		return func(grad, y *mat.Dense) float64 {
			v, err := Divergence(grad, a.P, y, dof)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	for _, d := range []int{1, 2, 3} {
		y := Spread(mat.DenseCopyOf(x.Slice(0, 25, 0, d)), 6, 1, false)
		for name, value := range map[string]func(grad, y *mat.Dense) float64{
			"cross entropy": func(grad, y *mat.Dense) float64 {
				p, q, err := CrossEntropy(grad, w, y, c)
				if err != nil {
					t.Fatal(err)
				}
				return p + q
			},
			"divergence":                         divergence(1),
			"divergence, 0.3 degrees of freedom": divergence(0.3),
			"divergence, 7 degrees of freedom":   divergence(7),
		} {
			grad := mat.NewDense(25, d, nil)
			value(grad, y)
			scale := mat.Norm(grad, 2) / math.Sqrt(25*float64(d))
			for _, i := range []int{0, 9, 24} {
				for j := range d {
					const h = 1e-5
					at := y.At(i, j)
					y.Set(i, j, at+h)
					up := value(nil, y)
					y.Set(i, j, at-h)
					down := value(nil, y)
					y.Set(i, j, at)
					if want := (up - down) / (2 * h); !(math.Abs(grad.At(i, j)-want) <= 1e-4*(scale+math.Abs(want))) {
						t.Errorf("%s, d = %d: gradient[%d][%d] is %g, by differences %g", name, d, i, j, grad.At(i, j), want)
					}
				}
			}
		}
	}
}

func TestPlace(t *testing.T) {
	x, class := blobs(150, 5, 3, 4)
	nb := neighbors(t, x, 10)
	f, err := Fuzzy(nb, PlainFuzzy)
	if err != nil {
		t.Fatal(err)
	}
	y0, err := Spectral(context.Background(), f.W, mat.DenseCopyOf(x.Slice(0, 150, 0, 2)), 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Curve: curve(t), Epochs: 200, Seed: 1}
	r, err := Layout(context.Background(), f.W, Spread(y0, 10, 1, false), opt)
	if err != nil {
		t.Fatal(err)
	}
	// Training samples given as new samples keep their neighbours.
	to, err := FuzzyTo(nb, 150, 1)
	if err != nil {
		t.Fatal(err)
	}
	opt.Epochs = 0
	var first *mat.Dense
	eachProcs(t, func() {
		y, err := Place(context.Background(), to, r.Y, opt)
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
	right := 0
	for i := range 150 {
		near, at := math.Inf(1), -1
		for j := range 150 {
			if q := samples.SquaredDistance(first.RawRowView(i), r.Y.RawRowView(j)); q < near {
				near, at = q, j
			}
		}
		if class[at] == class[i] {
			right++
		}
	}
	if right < 145 {
		t.Errorf("%d of 150 are placed in their blob", right)
	}
	// The position of a new sample does not depend on the other new samples.
	some, err := to.Select([]int{40, 7}, all(150))
	if err != nil {
		t.Fatal(err)
	}
	y, err := Place(context.Background(), some, r.Y, opt)
	if err != nil || !mat.Equal(y.RowView(0), first.RowView(40)) || !mat.Equal(y.RowView(1), first.RowView(7)) {
		t.Error("the position of a new sample depends on the other new samples", err)
	}
	none := &sparse.CSR{Rows: 1, Cols: 150, RowPtr: []int{0, 0}}
	if _, err := Place(context.Background(), none, r.Y, opt); !errors.Is(err, ErrOption) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if y, err := Place(ctx, to, r.Y, opt); !errors.Is(err, context.Canceled) || y == nil {
		t.Error(y, err)
	}
}

func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func ExampleFitCurve() {
	c, _ := FitCurve(0.1, 1)
	fmt.Printf("a %.3f, b %.3f\n", c.A, c.B)
	// Output: a 1.577, b 0.895
}

func BenchmarkLayout(b *testing.B) {
	x, _ := blobs(20_000, 6, 5, 1)
	w := fuzzyOf(b, x, 14)
	start := Spread(mat.DenseCopyOf(x.Slice(0, 20_000, 0, 2)), 10, 2, false)
	for b.Loop() {
		if _, err := Layout(context.Background(), w, start, Options{Curve: curve(b)}); err != nil {
			b.Fatal(err)
		}
	}
}

// The repulsion of one step, for a layout as large as 70,000 digits.
func BenchmarkGrid(b *testing.B) {
	const n = 70_000
	y, force := make([]float64, 2*n), make([]float64, 2*n)
	for i := range n {
		s := newStream(1, 0, i)
		y[2*i], y[2*i+1] = 190*s.share(), 190*s.share()
	}
	g := newGrid(n, 2, newTail(1))
	for b.Loop() {
		g.repel(force, y)
	}
}

// The history contains the objective that the layout minimises. Its last value is the objective of
// the result, and it does not depend on the number of processors.
func TestLayoutHistory(t *testing.T) {
	x, _ := blobs(120, 4, 3, 2)
	w := fuzzyOf(t, x, 8)
	start := Spread(x, 10, 1, false)
	for _, epochs := range []int{1, 7, 120} {
		var seen []float64
		opt := Options{Curve: curve(t), Epochs: epochs, Seed: 3, Progress: func(_, _ int, _ *mat.Dense, objective float64) { seen = append(seen, objective) }}
		r, err := Layout(context.Background(), w, start, opt)
		if err != nil {
			t.Fatal(err)
		}
		first, last := r.History[0], r.History[len(r.History)-1]
		if len(seen) != epochs || seen[epochs-1] != last || len(r.History) > 2*measured {
			t.Errorf("%d epochs: %d values reported, history of %d", epochs, len(seen), len(r.History))
		}
		if epochs == 120 && !(last < first) {
			t.Errorf("the objective changed from %g to %g", first, last)
		}
		opt, err = opt.withDefaults(w.Rows)
		if err != nil {
			t.Fatal(err)
		}
		if got := newObjective(w, opt).value(r.Y); got != last {
			t.Errorf("history ends at %g, the layout at %g", last, got)
		}
	}
}

// Solvers round differently on other processors: inputs that differ in the last digits give the
// same layout.
func TestLayoutForgetsLastDigits(t *testing.T) {
	x, _ := blobs(300, 6, 4, 2)
	w := fuzzyOf(t, x, 10)
	y0, err := Spectral(context.Background(), w, nil, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	disturbed, other := mat.DenseCopyOf(y0), w.Scale(1)
	most := mat.Norm(y0, math.Inf(1))
	for k := range disturbed.RawMatrix().Data {
		disturbed.RawMatrix().Data[k] += 1e-11 * most * math.Sin(float64(k))
	}
	for k := range other.Val {
		other.Val[k] *= 1 + 1e-12*math.Cos(float64(k))
	}
	for _, epochs := range []int{1, 2, 200} { // in 1 epoch, only the many heaviest edges attract
		opt := Options{Curve: curve(t), Epochs: epochs, Seed: 1}
		a, err := Layout(context.Background(), w, Spread(y0, 10, 1, false), opt)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Layout(context.Background(), other, Spread(disturbed, 10, 1, false), opt)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(a.Y, b.Y) {
			t.Errorf("another layout after %d epochs", epochs)
		}
	}
	if !mat.Equal(Shrunk(y0, 1e-4, 1, false), Shrunk(disturbed, 1e-4, 1, false)) {
		t.Error("another beginning of t-SNE")
	}
}
