package embed

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The grid agrees with all pairs, whatever the extent and the number of dimensions, and
// its error is of third order in the side of a box.
func TestGrid(t *testing.T) {
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
			z := repelExactly(want, at, n, d)
			// measure returns how far sum and forces are off, as shares.
			measure := func(widest float64) (sum, force float64) {
				g := newGrid(n, d)
				g.widest = widest
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
				t.Errorf("%d dimensions, width %g: the sum is off by %g, forces by %g", d, width, sum, force)
			}
			if !(fineSum <= 1e-3 && fineForce <= force/5) && width > 10 {
				t.Errorf("%d dimensions, width %g, boxes of half the side: the sum is off by %g, forces by %g instead of %g", d, width, fineSum, fineForce, force)
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
	start := Shrunk(mat.DenseCopyOf(x.Slice(0, 90, 0, 2)), 1e-4, 1)
	var steps []int
	r, err := TSNE(context.Background(), a.P, start, TSNEOptions{Progress: func(epoch, epochs int, y *mat.Dense) {
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
	begin, err := Divergence(nil, a.P, start)
	if err != nil {
		t.Fatal(err)
	}
	end, err := Divergence(nil, a.P, r.Y)
	if err != nil {
		t.Fatal(err)
	}
	if !(end < begin/2) || math.Abs(end-r.Divergence) > 0.05*end {
		t.Errorf("divergence %g at the begin, %g at the end, %g reported", begin, end, r.Divergence)
	}
}

// Grid and all pairs make the same layout of the same data as far as its quality goes.
func TestTSNEOnGrid(t *testing.T) {
	n := exactBelow + 100
	x, class := blobs(n, 5, 4, 20)
	a, err := Perplexity(neighbors(t, x, 30), 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []int{1, 2} {
		start := Shrunk(mat.DenseCopyOf(x.Slice(0, n, 0, d)), 1e-4, 1)
		var first *TSNEResult
		eachProcs(t, func() {
			r, err := TSNE(context.Background(), a.P, start, TSNEOptions{EarlyEpochs: 40, Epochs: 40})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = r
				if share := sameClass(r.Y, class); d == 2 && share < 0.99 {
					t.Errorf("%.2f of the nearest neighbours are of the same blob", share)
				}
				return
			}
			if !mat.Equal(first.Y, r.Y) {
				t.Error("the layout depends on the number of processors")
			}
		})
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
	r, err := TSNE(ctx, a.P, Shrunk(x, 1e-4, 1), TSNEOptions{Progress: func(epoch, _ int, y *mat.Dense) {
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
	// All neighbours equally far: no precision changes anything.
	x := mat.NewDense(4, 4, []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})
	a, err := Perplexity(neighbors(t, x, 3), 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range a.Beta {
		if b != 0 || math.Abs(a.P.RowSums()[i]-0.25) > 1e-15 {
			t.Errorf("β %v, row sum %v", b, a.P.RowSums()[i])
		}
	}
	// More duplicates than the perplexity.
	y := mat.NewDense(9, 1, []float64{0, 0, 0, 0, 0, 0, 1, 2, 3})
	if a, err = Perplexity(neighbors(t, y, 8), 2); err != nil || a.P.Check() != nil {
		t.Error(err, a.P.Check())
	}
	if r, err := TSNE(context.Background(), a.P, Shrunk(y, 1e-4, 1), TSNEOptions{EarlyEpochs: 20, Epochs: 20}); err != nil || checkPositions(r.Y, 9) != nil {
		t.Error(r, err)
	}
	for _, bad := range []float64{0.5, 9, math.NaN()} {
		if _, err := Perplexity(neighbors(t, y, 8), bad); !errors.Is(err, ErrOption) {
			t.Errorf("perplexity %v: %v", bad, err)
		}
	}
}
