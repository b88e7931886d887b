package guide

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// problem is the input of Embed.
type problem struct {
	x     *mat.Dense
	class []int
	nb    *graph.Neighbors
	w     *sparse.CSR
	start *mat.Dense
	opt   Options
}

func newProblem(t testing.TB, x *mat.Dense, class []int, k, d, epochs int) *problem {
	t.Helper()
	nb, err := graph.Search(context.Background(), x, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		t.Fatal(err)
	}
	f, err := embed.Fuzzy(nb, embed.PlainFuzzy)
	if err != nil {
		t.Fatal(err)
	}
	y, err := embed.Spectral(context.Background(), f.W, nil, d, 1)
	if err != nil {
		t.Fatal(err)
	}
	c, err := embed.FitCurve(0.1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return &problem{x, class, nb, f.W, embed.Spread(y, 10, 1, false), Options{Guidance: 1, Layout: embed.Options{Curve: c, Epochs: epochs, Seed: 1}}}
}

// blobs returns n samples around the given number of corners of a cube, which overlap for apart =
// 1, and the corner of each.
func blobs(n, corners int, apart float64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(1, 2))
	d := max(corners, 3)
	x, class := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		class[i] = i % corners
		for j := range d {
			x.Set(i, j, 0.4*rng.NormFloat64())
		}
		x.Set(i, class[i], x.At(i, class[i])+apart)
	}
	return x, class
}

// known returns the labels of the first `per` samples of each class, and −1 for the others.
func known(class []int, per int) (labels []int, classes int) {
	seen := map[int]int{}
	labels = make([]int, len(class))
	for i, c := range class {
		labels[i] = -1
		if seen[c]++; seen[c] <= per {
			labels[i] = c
		}
		classes = max(classes, c+1)
	}
	return labels, classes
}

// nearestLabel returns the share of samples with hidden labels whose nearest labelled sample has
// their class.
func nearestLabel(y *mat.Dense, labels, class []int) float64 {
	right, hidden := 0, 0
	for i, l := range labels {
		if l >= 0 {
			continue
		}
		hidden++
		near, at := math.Inf(1), -1
		for j, l := range labels {
			if q := samples.SquaredDistance(y.RawRowView(i), y.RawRowView(j)); l >= 0 && q < near {
				near, at = q, l
			}
		}
		if at == class[i] {
			right++
		}
	}
	return float64(right) / float64(hidden)
}

func (p *problem) embed(t testing.TB, know Knowledge) *Embedding {
	t.Helper()
	e, err := Embed(context.Background(), p.nb, p.w, p.start, know, p.opt)
	if err != nil {
		t.Fatal(err)
	}
	n, d := e.Y.Dims()
	for i := range n {
		for j := range d {
			if v := e.Y.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("position [%d][%d] = %v", i, j, v)
			}
		}
	}
	return e
}

func eachProcs(t *testing.T, f func()) {
	t.Helper()
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, p := range []int{1, 2, 5, 16} {
		runtime.GOMAXPROCS(p)
		f()
	}
}

// With two labels per digit, guidance does not lower the share of samples whose nearest labelled
// sample has their class.
func TestEmbedDigits(t *testing.T) {
	if testing.Short() {
		t.Skip("two layouts of 1,797 samples")
	}
	d := datasets.Digits()
	p := newProblem(t, d.X, d.Truth, 14, 2, 200)
	var first, guided float64
	for draw := range uint64(3) {
		labels := d.KeepLabels(2).Seed(draw + 1).Labels
		e := p.embed(t, Knowledge{Labels: labels, Classes: 10})
		first += nearestLabel(e.First, labels, d.Truth) / 3
		guided += nearestLabel(e.Y, labels, d.Truth) / 3
	}
	t.Logf("%.3f of the hidden labels without guidance, %.3f with", first, guided)
	if first < 0.85 || guided < 0.88 || guided < first-0.01 {
		t.Errorf("%.3f of the hidden labels without guidance, %.3f with", first, guided)
	}
}

func TestEmbedProcessors(t *testing.T) {
	x, class := blobs(240, 3, 1)
	p := newProblem(t, x, class, 8, 2, 40)
	labels, classes := known(class, 2)
	know := Knowledge{Labels: labels, Classes: classes,
		Pairs: data.Pairs{Must: []data.Pair{{I: 30, J: 33}}, Cannot: []data.Pair{{I: 31, J: 32}}},
		Pins:  data.Anchors{Rows: []int{10, 11, 12}, Y: mat.NewDense(3, 2, []float64{0, 0, 5, 0, 0, 5})}}
	var first *Embedding
	eachProcs(t, func() {
		e := p.embed(t, know)
		if first == nil {
			first = e
		}
		if !mat.Equal(e.Y, first.Y) || !mat.Equal(e.First, first.First) || !mat.Equal(e.Opinion.U, first.Opinion.U) {
			t.Error("the embedding depends on the number of processors")
		}
	})
}

// Guidance 0 gives the layout without knowledge, and more guidance follows labels more closely.
func TestGuidance(t *testing.T) {
	x, class := blobs(200, 2, 0.7)
	p := newProblem(t, x, class, 10, 2, 100)
	labels, classes := known(class, 20)
	know := Knowledge{Labels: labels, Classes: classes}
	plain := p.embed(t, Knowledge{})
	p.opt.Guidance = 0
	if e := p.embed(t, know); !mat.Equal(e.Y, plain.Y) || e.Opinion != nil || e.Epochs != 100 {
		t.Error("guidance 0 changes the layout")
	}
	// The weight between samples of different classes.
	across := func(guidance float64) float64 {
		p.opt.Guidance = guidance
		e := p.embed(t, know)
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
	if low, middle, high := across(0), across(0.5), across(1); !(high < middle && middle < low) {
		t.Errorf("weight across classes %g, %g, %g", low, middle, high)
	}
	for _, bad := range []float64{-0.1, 1.1, math.NaN()} {
		p.opt.Guidance = bad
		if _, err := Embed(context.Background(), p.nb, p.w, p.start, know, p.opt); !errors.Is(err, ErrOption) {
			t.Errorf("guidance %v: %v", bad, err)
		}
	}
}

// With guidance more pairs of overlapping classes are satisfied than without.
func TestEmbedPairs(t *testing.T) {
	x, class := blobs(300, 3, 0.9)
	p := newProblem(t, x, class, 10, 2, 150)
	rng := rand.New(rand.NewPCG(5, 6))
	var pairs data.Pairs
	for pairs.Len() < 60 {
		q := data.Pair{I: rng.IntN(300), J: rng.IntN(300)}
		switch {
		case q.I == q.J:
		case class[q.I] == class[q.J] && len(pairs.Must) < 30:
			pairs.Must = append(pairs.Must, q)
		case class[q.I] != class[q.J] && len(pairs.Cannot) < 30:
			pairs.Cannot = append(pairs.Cannot, q)
		}
	}
	e := p.embed(t, Knowledge{Pairs: pairs})
	before, err := countKept(e.First, pairs)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("kept %+v, without guidance %+v", e.Kept, before)
	if e.Kept.Must <= before.Must || e.Kept.Cannot < before.Cannot-1 {
		t.Errorf("kept %+v, without guidance %+v", e.Kept, before)
	}
	if conflicts := Conflicts(nil, pairs); len(conflicts) != 0 {
		t.Errorf("conflicts %v", conflicts)
	}
}

// Held pins stay at their positions, in their own units, and others follow.
func TestEmbedPins(t *testing.T) {
	x, class := blobs(150, 3, 2)
	for _, d := range []int{1, 2, 3} {
		p := newProblem(t, x, class, 10, d, 80)
		// One sample of each blob is pinned far from the pins of other blobs, and a second sample
		// near the first.
		at := mat.NewDense(6, d, nil)
		for k := range 6 {
			for j := range d {
				at.Set(k, j, 1000*float64(k%3)*float64(1-2*(j%2))+float64(k))
			}
		}
		pins := data.Anchors{Rows: []int{0, 1, 2, 3, 4, 5}, Y: at}
		e := p.embed(t, Knowledge{Pins: pins})
		for k, i := range pins.Rows {
			if !slices.Equal(e.Y.RawRowView(i), at.RawRowView(k)) {
				t.Errorf("pin %d is at %v, want %v", i, e.Y.RawRowView(i), at.RawRowView(k))
			}
		}
		labels := make([]int, 150)
		for i := range labels {
			labels[i] = -1
			if i < 6 {
				labels[i] = class[i]
			}
		}
		if share := nearestLabel(e.Y, labels, class); share < 0.9 {
			t.Errorf("%d dimensions: %.2f of the samples are near the pin of their blob", d, share)
		}
	}
	// A single pin, or pins at one position, define no scale.
	p := newProblem(t, x, class, 10, 2, 20)
	for _, rows := range [][]int{{4}, {4, 9}} {
		e := p.embed(t, Knowledge{Pins: data.Anchors{Rows: rows, Y: mat.NewDense(len(rows), 2, nil)}})
		if e.Scale != 1 || e.Y.At(4, 0) != 0 || e.Y.At(4, 1) != 0 {
			t.Errorf("scale %v, pin at %v", e.Scale, e.Y.RawRowView(4))
		}
	}
}

func TestEmbedCancelled(t *testing.T) {
	x, class := blobs(90, 3, 1)
	p := newProblem(t, x, class, 8, 2, 20)
	labels, classes := known(class, 1)
	for _, at := range []int{5, 20, 27} {
		ctx, cancel := context.WithCancel(context.Background())
		var seen *mat.Dense
		p.opt.Layout.Progress = func(epoch, epochs int, y *mat.Dense, _ float64) {
			if epochs != 40 {
				t.Errorf("%d epochs announced", epochs)
			}
			if epoch == at {
				seen = mat.DenseCopyOf(y)
				cancel()
			}
		}
		pins := data.Anchors{Rows: []int{0, 1}, Y: mat.NewDense(2, 2, []float64{0, 0, 500, 500})}
		e, err := Embed(ctx, p.nb, p.w, p.start, Knowledge{Labels: labels, Classes: classes, Pins: pins}, p.opt)
		cancel()
		if !errors.Is(err, context.Canceled) || e == nil || !mat.EqualApprox(e.Y, seen, 1e-9) {
			t.Errorf("cancelled at %d: %v", at, err)
		}
		if (at > 20) != (e.Scale != 1) || e.Epochs != at {
			t.Errorf("cancelled at %d: scale %v after %d epochs", at, e.Scale, e.Epochs)
		}
	}
}

func TestEmbedDegenerate(t *testing.T) {
	three, _ := blobs(3, 3, 1)
	sixteen, sixteenClass := blobs(16, 2, 1)
	islands := mat.NewDense(250, 2, nil)
	islandClass := make([]int, 250)
	for i := range 250 {
		islandClass[i] = i / 5 % 10
		islands.SetRow(i, []float64{1e3 * float64(i/5), float64(i % 5)})
	}
	same, sameClass := mat.NewDense(30, 2, nil), make([]int, 30)
	for i := range sameClass {
		sameClass[i] = i % 2
	}
	x, class := blobs(60, 3, 1)
	one := slices.Repeat([]int{-1}, 60)
	one[17] = 2
	per := func(class []int, k int) Knowledge { l, c := known(class, k); return Knowledge{Labels: l, Classes: c} }
	for name, c := range map[string]struct {
		x    *mat.Dense
		k    int
		know Knowledge
	}{
		"three samples":        {three, 2, per([]int{0, 1, 2}, 1)},
		"n = 16, k = 15":       {sixteen, 15, per(sixteenClass, 2)},
		"fifty components":     {islands, 4, per(islandClass, 1)},
		"duplicates":           {same, 5, per(sameClass, 3)},
		"all labels":           {x, 8, per(class, 60)},
		"one label in total":   {x, 8, Knowledge{Labels: one, Classes: 3}},
		"labels of one class":  {x, 8, Knowledge{Labels: slices.Repeat([]int{0}, 60), Classes: 1}},
		"no label":             {x, 8, Knowledge{Labels: slices.Repeat([]int{-1}, 60), Classes: 0}},
		"a cannot-link":        {x, 8, Knowledge{Pairs: data.Pairs{Cannot: []data.Pair{{I: 0, J: 1}}}}},
		"a must-link of twins": {same, 5, Knowledge{Pairs: data.Pairs{Must: []data.Pair{{I: 0, J: 29}}}}},
		"all pinned":           {three, 2, Knowledge{Pins: data.Anchors{Rows: []int{0, 1, 2}, Y: mat.NewDense(3, 2, []float64{0, 1, 1, 0, 3, 3})}}},
	} {
		t.Run(name, func(t *testing.T) {
			newProblem(t, c.x, nil, c.k, 2, 20).embed(t, c.know)
		})
	}
}

func TestEmbedErrors(t *testing.T) {
	x, class := blobs(60, 3, 1)
	p := newProblem(t, x, class, 8, 2, 5)
	both := []data.Pair{{I: 4, J: 9}}
	for name, c := range map[string]struct {
		know Knowledge
		want error
	}{
		"contradiction": {Knowledge{Pairs: data.Pairs{Must: both, Cannot: []data.Pair{{I: 9, J: 4}}}}, data.ErrPairs},
		"far label":     {Knowledge{Labels: class, Classes: 2}, ErrLabels},
		"few labels":    {Knowledge{Labels: class[:50], Classes: 3}, ErrShape},
		"curve":         {Knowledge{Labels: class, Classes: 3}, embed.ErrOption},
		"flat pins":     {Knowledge{Pins: data.Anchors{Rows: []int{0}, Y: mat.NewDense(1, 3, nil)}}, ErrShape},
	} {
		opt := p.opt
		if name == "curve" {
			opt.Layout.Curve = embed.Curve{}
		}
		if e, err := Embed(context.Background(), p.nb, p.w, p.start, c.know, opt); !errors.Is(err, c.want) || name == "curve" && e != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestConflicts(t *testing.T) {
	labels := []int{0, 1, -1, -1, -1, 0, -1}
	pair := func(i, j int) data.Pair { return data.Pair{I: i, J: j} }
	for name, c := range map[string]struct {
		pairs data.Pairs
		want  []data.Pair
	}{
		"none":                   {data.Pairs{Must: []data.Pair{pair(0, 5), pair(2, 3)}, Cannot: []data.Pair{pair(0, 1), pair(3, 4)}}, nil},
		"must against labels":    {data.Pairs{Must: []data.Pair{pair(0, 1)}}, []data.Pair{pair(0, 1)}},
		"cannot against labels":  {data.Pairs{Cannot: []data.Pair{pair(5, 0)}}, []data.Pair{pair(5, 0)}},
		"cannot against a chain": {data.Pairs{Must: []data.Pair{pair(2, 3), pair(3, 4)}, Cannot: []data.Pair{pair(4, 2), pair(2, 6)}}, []data.Pair{pair(4, 2)}},
		"through labels":         {data.Pairs{Must: []data.Pair{pair(2, 0), pair(5, 3)}, Cannot: []data.Pair{pair(2, 3)}}, []data.Pair{pair(2, 3)}},
	} {
		if got := Conflicts(labels, c.pairs); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := Conflicts(nil, data.Pairs{Must: []data.Pair{pair(2, 3)}, Cannot: []data.Pair{pair(3, 2)}}); len(got) != 1 {
		t.Errorf("without labels: %v", got)
	}
}

func TestCountKept(t *testing.T) {
	// On a line of 41 samples the nearest 5 % are two.
	y := mat.NewDense(41, 1, nil)
	for i := range 41 {
		y.Set(i, 0, float64(i))
	}
	pairs := data.Pairs{Must: []data.Pair{{I: 10, J: 11}, {I: 10, J: 13}}, Cannot: []data.Pair{{I: 20, J: 21}, {I: 20, J: 30}}}
	got, err := countKept(y, pairs)
	if err != nil || got != (Kept{Must: 1, Cannot: 1}) {
		t.Errorf("%+v, %v", got, err)
	}
}

// Every component is solved separately, and one label gives its class to the whole component.
func TestPoissonComponents(t *testing.T) {
	var entries [][3]float64
	for i := range 29 {
		if i != 9 && i != 19 {
			entries = append(entries, [3]float64{float64(i), float64(i + 1), 1})
		}
	}
	w := golden.Symmetric(t, 31, entries) // lines 0–9, 10–19, 20–29, and 30 alone
	labels := slices.Repeat([]int{-1}, 31)
	labels[0], labels[9], labels[12] = 0, 1, 2
	o, err := Poisson(context.Background(), w, labels, 3, 1, 1e-10)
	if err != nil || !o.Converged || o.Unreached != 11 {
		t.Fatalf("%+v, %v", o, err)
	}
	class := func(i int) int {
		row := o.U.RawRowView(i)
		return slices.Index(row, slices.Max(row))
	}
	for i := range 20 {
		if want := []int{0, 1, 2, 2}[i/5]; class(i) != want {
			t.Errorf("sample %d is of class %d, want %d", i, class(i), want)
		}
	}
	p := o.Probabilities()
	for i := range 31 {
		sum := 0.0
		for c, v := range p.RawRowView(i) {
			sum += v
			if i >= 20 && (o.U.At(i, c) != 0 || math.Abs(v-1./3) > 1e-12) {
				t.Errorf("sample %d, which no label reaches, has the opinion %v", i, p.RawRowView(i))
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("probabilities of sample %d sum to %v", i, sum)
		}
	}
	if _, err := Poisson(context.Background(), w, slices.Repeat([]int{-1}, 31), 3, 1, 1e-6); !errors.Is(err, ErrLabels) {
		t.Error(err)
	}
	for _, carry := range []float64{0, -0.5, 1.01, math.NaN()} {
		if _, err := Poisson(context.Background(), w, labels, 3, carry, 1e-6); !errors.Is(err, ErrOption) {
			t.Errorf("carry %v: %v", carry, err)
		}
	}
}

// Terminating walks solve (D − carry·W)·U = B, and U is centred.
func TestPoissonWalksEnd(t *testing.T) {
	const n, classes = 60, 3
	x, class := blobs(n, classes, 5)
	p := newProblem(t, x, class, 6, 2, 1)
	var path []sparse.Triplet // makes it connected
	for i := range n - 1 {
		path = append(path, sparse.Triplet{Row: i, Col: i + 1, Value: 0.1}, sparse.Triplet{Row: i + 1, Col: i, Value: 0.1})
	}
	add, err := sparse.FromTriplets(n, n, path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := sparse.Add(1, p.w, 1, add)
	if err != nil {
		t.Fatal(err)
	}
	know := Knowledge{Labels: slices.Repeat([]int{-1}, n), Classes: classes}
	for i := 0; i < n; i += 4 {
		know.Labels[i] = class[i]
	}
	carry := know.reach(n)
	if want := 1 - 15./61; carry != want {
		t.Fatalf("carry = %v for 15 labels of 60 samples, want %v", carry, want)
	}
	o, err := Poisson(context.Background(), w, know.Labels, classes, carry, 1e-12)
	if err != nil {
		t.Fatal(err)
	}
	a, b := w.Dense(), mat.NewDense(n, classes, nil)
	var mean [classes]float64
	for _, l := range know.Labels {
		if l >= 0 {
			mean[l] += 1. / 15
		}
	}
	degrees := make([]float64, n)
	for i := range n {
		row := a.RawRowView(i)
		for j := range row {
			degrees[i] += row[j]
			row[j] *= -carry
		}
		row[i] += degrees[i]
		if l := know.Labels[i]; l >= 0 {
			for c := range classes {
				b.Set(i, c, -mean[c])
			}
			b.Set(i, l, 1-mean[l])
		}
	}
	var want mat.Dense
	if err := want.Solve(a, b); err != nil {
		t.Fatal(err)
	}
	for c := range classes {
		sum, volume := 0.0, 0.0
		for i, d := range degrees {
			sum, volume = sum+d*want.At(i, c), volume+d
		}
		for i := range n {
			if got, want := o.U.At(i, c), want.At(i, c)-sum/volume; math.Abs(got-want) > 1e-9 {
				t.Errorf("class %d of sample %d: %v, want %v", c, i, got, want)
			}
		}
	}
}

// Pairs propagated in several blocks give the result of one block; the order and repetition of
// pairs have no effect.
func TestPropagateBlocks(t *testing.T) {
	x, class := blobs(400, 3, 1)
	p := newProblem(t, x, class, 6, 2, 1)
	var pairs, half, rest data.Pairs
	for i := range 300 {
		q := data.Pair{I: i, J: i + 100}
		part := &half
		if i >= pairBlock {
			part = &rest
		}
		if class[q.I] == class[q.J] {
			pairs.Must, part.Must = append(pairs.Must, q), append(part.Must, q)
		} else {
			pairs.Cannot, part.Cannot = append(pairs.Cannot, q), append(part.Cannot, q)
		}
	}
	field := func(q data.Pairs) *sparse.CSR {
		f, err := Propagate(context.Background(), p.w, q, 0.8, 1e-9, p.w)
		if err != nil {
			t.Fatal(err)
		}
		return f[0].F
	}
	whole, sum := field(pairs), field(half)
	for k, v := range field(rest).Val {
		sum.Val[k] += v
	}
	again := data.Pairs{Must: slices.Concat(pairs.Must, pairs.Must), Cannot: slices.Clone(pairs.Cannot)}
	slices.Reverse(again.Must)
	twice := field(again)
	for k, v := range whole.Val {
		if math.Abs(v-sum.Val[k]) > 1e-9 || v != twice.Val[k] {
			t.Fatalf("entry %d is %v, %v in parts, %v listed again", k, v, sum.Val[k], twice.Val[k])
		}
	}
}

// Islands of an embedding are packed: packing again moves nothing.
func TestEmbedPacks(t *testing.T) {
	x, class := blobs(24, 3, 1)
	p := newProblem(t, x, class, 8, 2, 100)
	labels, classes := known(class, 1)
	e := p.embed(t, Knowledge{Labels: labels, Classes: classes})
	least := held * slices.Max(e.W.Val)
	if count, _ := graph.ComponentsAbove(e.W, least); count < 2 {
		t.Fatalf("%d islands", count)
	}
	again := mat.DenseCopyOf(e.Y)
	if err := pack(context.Background(), again, e.First, e.W, least); err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(again, e.Y, 1e-6*mat.Norm(e.Y, math.Inf(1))) {
		t.Error("the islands of an embedding lie further apart than they need")
	}
}

// If guidance cuts samples into islands, these lie no further apart than in the layout without
// guidance, or touch. Each island keeps its shape.
func TestPack(t *testing.T) {
	w := golden.Symmetric(t, 6, [][3]float64{{0, 1, 1}, {2, 3, 1}, {4, 5, 1}, {1, 2, 1e-6}})
	y := mat.NewDense(6, 2, []float64{0, 0, 0, 2, 50, 0, 52, 0, 0, 50, 0, 54})
	first := mat.NewDense(6, 2, []float64{0, 0, 0, 1, 3, 0, 4, 0, 0, 3, 0, 4})
	packed := mat.DenseCopyOf(y)
	if err := pack(context.Background(), packed, first, w, 1e-3); err != nil {
		t.Fatal(err)
	}
	_, before := centre(y)
	_, after := centre(packed)
	if after > before/4 {
		t.Errorf("spread %g of %g", after, before)
	}
	for i := 0; i < 6; i += 2 {
		a, b := samples.SquaredDistance(y.RawRowView(i), y.RawRowView(i+1)), samples.SquaredDistance(packed.RawRowView(i), packed.RawRowView(i+1))
		if math.Abs(a-b) > 1e-9 {
			t.Errorf("samples %d and %d: squared distance %g, not %g", i, i+1, b, a)
		}
	}
	// One component, and components at one position, do not move.
	for _, least := range []float64{0, 1e-3} {
		same := mat.NewDense(6, 2, nil)
		if err := pack(context.Background(), same, first, w, least); err != nil {
			t.Fatal(err)
		}
		if mat.Norm(same, 2) != 0 {
			t.Error("samples at one place were moved")
		}
	}
}

// Ten thousand islands, one large and many of a single sample, are packed as closely as a scan of
// all pairs allows. If the context has ended they do not move.
func TestPackMany(t *testing.T) {
	islands := 10_000
	if testing.Short() {
		islands = 2000
	}
	for d := 1; d <= 3; d++ {
		var entries []sparse.Triplet
		y, first := mat.NewDense(2*islands, d, nil), mat.NewDense(2*islands, d, nil)
		rng := rand.New(rand.NewPCG(7, uint64(d)))
		for c := range islands {
			i, j := 2*c, 2*c+1
			entries = append(entries, sparse.Triplet{Row: i, Col: j, Value: 1}, sparse.Triplet{Row: j, Col: i, Value: 1})
			size := 1e-4 * rng.ExpFloat64() * float64(c%2)
			if c == 17 {
				size = 3
			}
			for k := range d {
				v := 1e5 * rng.NormFloat64()
				y.Set(i, k, v-size)
				y.Set(j, k, v+size)
				first.Set(i, k, rng.NormFloat64())
				first.Set(j, k, first.At(i, k))
			}
		}
		w, err := sparse.FromTriplets(2*islands, 2*islands, entries)
		if err != nil {
			t.Fatal(err)
		}
		// Over all pairs.
		centres, radius := mat.NewDense(islands, d, nil), make([]float64, islands)
		for c := range islands {
			for k := range d {
				centres.Set(c, k, (y.At(2*c, k)+y.At(2*c+1, k))/2)
			}
			radius[c] = math.Sqrt(samples.SquaredDistance(y.RawRowView(2*c), centres.RawRowView(c)))
		}
		const least = 1e-6
		want := least
		for a := range islands {
			for b := range a {
				want = max(want, (radius[a]+radius[b])/math.Sqrt(samples.SquaredDistance(centres.RawRowView(a), centres.RawRowView(b))))
			}
		}
		got, err := touching(context.Background(), centres, radius, least)
		if err != nil || math.Abs(got-min(1, want)) > 1e-12 {
			t.Errorf("%d dimensions: circles touch at %v, %v, want %v", d, got, err, want)
		}
		if !(want > least && want < 1) {
			t.Errorf("%d dimensions: circles touch at %v, which tests nothing", d, want)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		same := mat.DenseCopyOf(y)
		if err := pack(ctx, same, first, w, least); !errors.Is(err, context.Canceled) || !mat.Equal(same, y) {
			t.Errorf("%d dimensions: a context that has ended: %v", d, err)
		}
		if err := pack(context.Background(), same, first, w, least); err != nil || mat.Equal(same, y) {
			t.Errorf("%d dimensions: nothing is packed: %v", d, err)
		}
	}
}

// The layout with pins does not depend on the last digits of the weights, which differ between
// processors.
func TestPinsForgetLastDigits(t *testing.T) {
	x, class := blobs(90, 6, 2)
	p := newProblem(t, x, class, 8, 2, 100)
	labels, classes := known(class, 2)
	e := p.embed(t, Knowledge{Labels: labels, Classes: classes})
	pins := data.Anchors{Rows: []int{0, 20, 40, 70}, Y: mat.NewDense(4, 2, []float64{0, 0, 3, 1, -2, 4, 5, 5})}
	first, err := e.pin(t.Context(), pins)
	if err != nil {
		t.Fatal(err)
	}
	for k := range e.W.Val {
		e.W.Val[k] *= 1 + 1e-13*math.Sin(float64(k))
	}
	second, err := e.pin(t.Context(), pins)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(first, second) {
		var d mat.Dense
		d.Sub(first, second)
		t.Errorf("positions differ by %g", mat.Norm(&d, 2))
	}
}
