package guide

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
)

// unfolding returns the settings of the second stage for a problem.
func (p *problem) unfolding(t testing.TB, epochs int) Unfolding {
	t.Helper()
	n, _ := p.x.Dims()
	nb, err := graph.Search(context.Background(), p.x, min(n-1, 45), graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	a, err := embed.Perplexity(nb, float64(nb.K)/3)
	if err != nil {
		t.Fatal(err)
	}
	return Unfolding{Along: walks.Sharpened(p.w, 3), P: a.P, Epochs: epochs}
}

func (p *problem) unfold(t testing.TB, know Knowledge, u Unfolding) *Embedding {
	t.Helper()
	e, err := Unfold(context.Background(), p.w, p.start, know, p.opt, u)
	if err != nil {
		t.Fatal(err)
	}
	if err := data.CheckFinite(e.Y); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestUnfoldProcessors(t *testing.T) {
	x, class := blobs(240, 3, 1)
	p := newProblem(t, x, class, 8, 2, 30)
	labels, classes := known(class, 2)
	know := Knowledge{Labels: labels, Classes: classes,
		Pairs: data.Pairs{Must: []data.Pair{{I: 30, J: 33}}, Cannot: []data.Pair{{I: 31, J: 32}}},
		Pins:  data.Anchors{Rows: []int{10, 11, 12}, Y: mat.NewDense(3, 2, []float64{0, 0, 500, 0, 0, 500})}}
	u := p.unfolding(t, 30)
	p.opt.Caution = 0.5
	var first *Embedding
	eachProcs(t, func() {
		e := p.unfold(t, know, u)
		if first == nil {
			first = e
		}
		if !mat.Equal(e.Y, first.Y) || !slices.Equal(e.W.Val, first.W.Val) {
			t.Error("the embedding depends on the number of processors")
		}
	})
}

// The given weights and affinities are not modified, because other code reads them.
func TestUnfoldKeepsGraphs(t *testing.T) {
	x, class := blobs(120, 3, 1)
	p := newProblem(t, x, class, 8, 2, 5)
	labels, classes := known(class, 3)
	u := p.unfolding(t, 3)
	w, a := slices.Clone(p.w.Val), slices.Clone(u.P.Val)
	p.unfold(t, Knowledge{Labels: labels, Classes: classes, Pairs: data.Pairs{Must: []data.Pair{{I: 0, J: 100}}}}, u)
	if !slices.Equal(w, p.w.Val) || !slices.Equal(a, u.P.Val) {
		t.Error("a graph was written to")
	}
}

// Unfolding preserves neighbourhoods better, and guidance separates overlapping classes.
func TestUnfold(t *testing.T) {
	x, class := blobs(400, 4, 1)
	p := newProblem(t, x, class, 14, 2, 200)
	labels, classes := known(class, 5)
	know := Knowledge{Labels: labels, Classes: classes}
	u := p.unfolding(t, 300)
	e := p.unfold(t, know, u)
	guided := nearestLabel(e.Y, labels, class)
	plain := nearestLabel(p.unfold(t, Knowledge{}, u).Y, labels, class)
	t.Logf("%.3f of the hidden labels, %.3f without guidance", guided, plain)
	if guided < plain {
		t.Errorf("%.3f of the hidden labels, %.3f without guidance", guided, plain)
	}
	if len(e.Histories) != 2 || e.Divergence >= e.Histories[1][0] || e.Epochs != 500 {
		t.Errorf("the divergence changes from %v to %v in %d epochs", e.Histories[1][0], e.Divergence, e.Epochs)
	}
	// With caution the weights between classes are lowered less for uncertain samples.
	across := func(caution float64) float64 {
		p.opt.Caution = caution
		e := p.unfold(t, know, p.unfolding(t, 1))
		sum := 0.0
		for i := range e.W.Rows {
			cols, vals := e.W.Row(i)
			for k, j := range cols {
				if class[i] != class[j] {
					sum += vals[k]
				}
			}
		}
		return sum
	}
	if none, half, full := across(0), across(0.5), across(1); !(none < half && half < full) {
		t.Errorf("weight across classes %g, %g, %g with more caution", none, half, full)
	}
}

// With guidance more pairs of overlapping classes are satisfied than without.
func TestUnfoldPairs(t *testing.T) {
	x, class := blobs(300, 3, 0.9)
	p := newProblem(t, x, class, 10, 2, 150)
	pairs, err := data.DrawPairs(class, 30, 30, 5)
	if err != nil {
		t.Fatal(err)
	}
	u := p.unfolding(t, 200)
	with := p.unfold(t, Knowledge{Pairs: pairs}, u).Kept
	p.opt.Guidance = 0
	without := p.unfold(t, Knowledge{Pairs: pairs}, u).Kept
	t.Logf("kept %+v, without guidance %+v", with, without)
	if with.Must <= without.Must || with.Cannot < without.Cannot-1 {
		t.Errorf("kept %+v, without guidance %+v", with, without)
	}
}

// If cannot-links separate all samples, the layout equals the layout without them, and Parted is
// true.
func TestUnfoldParted(t *testing.T) {
	x, class := blobs(6, 3, 1)
	p := newProblem(t, x, class, 3, 2, 50)
	var pairs data.Pairs
	for i := range 6 {
		for j := range i {
			pairs.Cannot = append(pairs.Cannot, data.Pair{I: j, J: i})
		}
	}
	u := p.unfolding(t, 50)
	with, without := p.unfold(t, Knowledge{Pairs: pairs}, u), p.unfold(t, Knowledge{}, u)
	if !with.Parted || without.Parted || !mat.Equal(with.Y, without.Y) {
		t.Errorf("parted %v, without cannot-links %v, the same layout: %v", with.Parted, without.Parted, mat.Equal(with.Y, without.Y))
	}
	// Embed lays out the unchanged graph too.
	folded := p.embed(t, Knowledge{Pairs: pairs})
	if !folded.Parted || !slices.Equal(folded.W.Val, p.w.Val) || p.embed(t, Knowledge{}).Parted {
		t.Errorf("parted %v with weights %v, not %v", folded.Parted, folded.W.Val, p.w.Val)
	}
}

// Held pins stay at their positions, in their own units, and others follow.
func TestUnfoldPins(t *testing.T) {
	x, class := blobs(150, 3, 2)
	for _, d := range []int{1, 2, 3} {
		p := newProblem(t, x, class, 10, d, 80)
		at := mat.NewDense(6, d, nil)
		for k := range 6 {
			for j := range d {
				at.Set(k, j, 1000*float64(k%3)*float64(1-2*(j%2))+float64(k))
			}
		}
		pins := data.Anchors{Rows: []int{0, 1, 2, 3, 4, 5}, Y: at}
		e := p.unfold(t, Knowledge{Pins: pins}, p.unfolding(t, 100))
		for k, i := range pins.Rows {
			if !slices.Equal(e.Y.RawRowView(i), at.RawRowView(k)) {
				t.Errorf("pin %d is at %v, want %v", i, e.Y.RawRowView(i), at.RawRowView(k))
			}
		}
		labels, _ := known(class, 2)
		if share := nearestLabel(e.Y, labels, class); share < 0.9 {
			t.Errorf("%d dimensions: %.2f of the samples are near the pin of their blob", d, share)
		}
		p.opt.Guidance = 0.5
		if e := p.unfold(t, Knowledge{Pins: pins}, p.unfolding(t, 100)); slices.Equal(e.Y.RawRowView(0), at.RawRowView(0)) {
			t.Error("a pin that is only pulled is at its coordinates")
		}
	}
}

func TestUnfoldCancelled(t *testing.T) {
	x, class := blobs(90, 3, 1)
	p := newProblem(t, x, class, 8, 2, 20)
	labels, classes := known(class, 1)
	pins := data.Anchors{Rows: []int{0, 1}, Y: mat.NewDense(2, 2, []float64{0, 0, 500, 500})}
	for _, at := range []int{5, 20, 27, 50, 51, 120} {
		ctx, cancel := context.WithCancel(context.Background())
		var seen *mat.Dense
		last := 0
		p.opt.Layout.Progress = func(epoch, epochs int, y *mat.Dense, _ float64) {
			if epochs != 20+30+pinnedEpochs || epoch != last+1 {
				t.Errorf("epoch %d of %d after %d", epoch, epochs, last)
			}
			if last = epoch; epoch == at {
				seen = mat.DenseCopyOf(y)
				cancel()
			}
		}
		e, err := Unfold(ctx, p.w, p.start, Knowledge{Labels: labels, Classes: classes, Pins: pins}, p.opt, p.unfolding(t, 30))
		cancel()
		if !errors.Is(err, context.Canceled) || e == nil || !mat.EqualApprox(e.Y, seen, 1e-9) {
			t.Errorf("cancelled at %d: %v", at, err)
		}
		if (at > 50) != (e.Scale != 1) || e.Epochs != at {
			t.Errorf("cancelled at %d: scale %v after %d epochs", at, e.Scale, e.Epochs)
		}
	}
}

func TestUnfoldErrors(t *testing.T) {
	x, class := blobs(60, 3, 1)
	p := newProblem(t, x, class, 8, 2, 5)
	u := p.unfolding(t, 5)
	small := p.unfolding(t, 5)
	small.P, _ = small.P.Select([]int{0, 1, 2}, []int{0, 1, 2})
	none := u
	none.Epochs = 0
	degrees := u
	degrees.DegreesOfFreedom = math.NaN()
	for name, c := range map[string]struct {
		u    Unfolding
		know Knowledge
		want error
	}{
		"small affinities": {small, Knowledge{}, ErrShape},
		"no epoch":         {none, Knowledge{}, ErrOption},
		"degrees":          {degrees, Knowledge{}, embed.ErrOption},
		"far label":        {u, Knowledge{Labels: class, Classes: 2}, ErrLabels},
	} {
		if _, err := Unfold(context.Background(), p.w, p.start, c.know, p.opt, c.u); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
