package ssdrnb_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// neighborEmbeddings are the methods under test, with few iterations.
func neighborEmbeddings() []ssdrnb.Estimator {
	return []ssdrnb.Estimator{ssdrnb.S2NE().Iterations(60).Unfold(60), ssdrnb.S2NE().Iterations(60).Unfold(0), ssdrnb.UMAP().Iterations(60), ssdrnb.UMAP().Iterations(60).TargetWeight(0.5),
		ssdrnb.TSNE().EarlyIterations(30).Iterations(30)}
}

// knowing has labels, pairs and known coordinates.
func knowing() *data.Data {
	return datasets.Wine().Standardize().KeepLabels(4).Seed(1).
		WithPairs(data.Pairs{Must: []data.Pair{{I: 0, J: 40}}, Cannot: []data.Pair{{I: 0, J: 100}}}).
		WithAnchors([]int{1, 70, 170}, mat.NewDense(3, 2, []float64{0, 0, 100, 0, 0, 100}))
}

// The same seed gives the same bits on any number of processors, also for new points.
func TestNeighborEmbeddingProcessors(t *testing.T) {
	d := knowing()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, e := range neighborEmbeddings() {
		var first, placed *mat.Dense
		for _, procs := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(procs)
			m := e.Spec().MustFit(d)
			z, err := m.Transform(d.X)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first, placed = m.Embedding(), z
			}
			if !mat.Equal(first, m.Embedding()) || !mat.Equal(placed, z) {
				t.Errorf("%v: %d processors give another embedding", e, procs)
			}
		}
		if other := e.Spec().With("seed", 7).MustFit(d); mat.Equal(first, other.Embedding()) {
			t.Errorf("%v: another seed gives the same embedding", e)
		}
	}
}

// With five labels per digit guidance predicts nearly all hidden labels and preserves
// neighbourhoods.
func TestS2NEDigits(t *testing.T) {
	if testing.Short() {
		t.Skip("layouts of 1,797 samples")
	}
	const draws = 3
	accuracy, plain, trust := 0.0, 0.0, 0.0
	for draw := range uint64(draws) {
		d := datasets.Digits().KeepLabels(5).Seed(draw + 1)
		for _, s := range []struct {
			method ssdrnb.Estimator
			sum    *float64
		}{{ssdrnb.S2NE(), &accuracy}, {ssdrnb.UMAP(), &plain}} {
			m := s.method.Spec().MustFit(d)
			v, err := m.Score(ssdrnb.NearestNeighbor, nil)
			if err != nil {
				t.Fatal(err)
			}
			*s.sum += v / draws
			if s.sum != &accuracy {
				continue
			}
			if v, err = metrics.Trustworthiness(context.Background(), d.X, m.Embedding(), 5); err != nil {
				t.Fatal(err)
			}
			trust += v / draws
		}
	}
	t.Logf("%.3f of the hidden labels (UMAP %.3f), trustworthiness %.3f", accuracy, plain, trust)
	if accuracy < 0.93 || trust < 0.98 {
		t.Errorf("%.3f of the hidden labels (UMAP %.3f), trustworthiness %.3f", accuracy, plain, trust)
	}
}

// Without unfolding, and without guidance or knowledge, S2NE equals UMAP.
func TestS2NEWithoutKnowledge(t *testing.T) {
	d := knowing()
	bare := *d.HideLabels().WithPairs(data.Pairs{})
	bare.Anchors = data.Anchors{}
	want := ssdrnb.UMAP().Iterations(40).MustFit(&bare).Embedding()
	for name, m := range map[string]*ssdrnb.Model{
		"guidance 0":     ssdrnb.S2NE().Iterations(40).Unfold(0).Guidance(0).MustFit(d),
		"no knowledge":   ssdrnb.S2NE().Iterations(40).Unfold(0).MustFit(&bare),
		"UMAP of labels": ssdrnb.UMAP().Iterations(40).MustFit(d),
	} {
		if !mat.Equal(want, m.Embedding()) {
			t.Errorf("%s: not the embedding of UMAP", name)
		}
	}
	for _, unfold := range []int{0, 20} {
		s := ssdrnb.S2NE().Iterations(40).Unfold(unfold)
		without := s.MustFit(&bare).Embedding()
		if !mat.Equal(without, s.Guidance(0).MustFit(d).Embedding()) {
			t.Errorf("unfold %d: guidance 0 reads the knowledge", unfold)
		}
		if mat.Equal(without, s.MustFit(d).Embedding()) {
			t.Errorf("unfold %d: knowledge changes nothing", unfold)
		}
	}
}

// UMAP uses labels if it is told to, whatever numbers the classes have.
func TestUMAPLabels(t *testing.T) {
	d := datasets.Wine().Standardize().KeepLabels(10).Seed(1)
	plain := ssdrnb.UMAP().Iterations(40).MustFit(d)
	labelled := ssdrnb.UMAP().Iterations(40).TargetWeight(0.5).MustFit(d)
	if mat.Equal(plain.Embedding(), labelled.Embedding()) {
		t.Error("labels change nothing")
	}
	none := ssdrnb.UMAP().Iterations(40).TargetWeight(0.5).MustFit(d.HideLabels())
	if !mat.Equal(plain.Embedding(), none.Embedding()) || !warned(none, "no sample is labelled") {
		t.Errorf("without labels: %v", none.Report())
	}
	for name, b := range map[string]ssdrnb.Estimator{"S2NE": ssdrnb.S2NE().Iterations(20), "UMAP": ssdrnb.UMAP().Iterations(20).TargetWeight(1)} {
		far := slices.Clone(d.Labels)
		for i, l := range far {
			if l >= 0 {
				far[i] = 7 + l*1_000_000
			}
		}
		if !mat.Equal(b.Spec().MustFit(d).Embedding(), b.Spec().MustFit(data.New(d.X, far)).Embedding()) {
			t.Errorf("%s depends on the numbers of the classes", name)
		}
	}
}

func warned(m *ssdrnb.Model, text string) bool {
	return slices.ContainsFunc(m.Report().Warnings, func(w string) bool { return strings.Contains(w, text) })
}

// Known coordinates are exact, and new points are in their units, also after loading.
func TestS2NEPins(t *testing.T) {
	d := datasets.Iris()
	pins := mat.NewDense(3, 2, []float64{0, 0, 1000, 0, 500, 900})
	rows := []int{0, 70, 120}
	m := ssdrnb.S2NE().Iterations(100).MustFit(d.HideLabels().WithAnchors(rows, pins))
	for k, i := range rows {
		if !slices.Equal(m.Embedding().RawRowView(i), pins.RawRowView(k)) {
			t.Errorf("sample %d is at %v", i, m.Embedding().RawRowView(i))
		}
	}
	back := reloaded(t, m)
	z, err := back.Transform(d.X)
	if err != nil {
		t.Fatal(err)
	}
	found, err := metrics.NearestNeighbor(m.Embedding(), d.Truth, z)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i, l := range found {
		if l == d.Truth[i] {
			right++
		}
	}
	if right < 130 {
		t.Errorf("%d of 150 samples are placed in their class", right)
	}
	pulled := ssdrnb.S2NE().Iterations(100).Guidance(0.5).MustFit(d.HideLabels().WithAnchors(rows, pins)).Embedding()
	if slices.Equal(pulled.RawRowView(0), pins.RawRowView(0)) {
		t.Error("a pull holds")
	}
	_, err = ssdrnb.S2NE().Dims(3).Fit(d.WithAnchors(rows, pins))
	var e *ssdrnb.Error
	if !errors.As(err, &e) || e.Param != "anchors" || e.Remedy != "set Dims(2)" {
		t.Errorf("two coordinates for three dimensions: %v", err)
	}
	for name, c := range map[string]struct {
		rows   []int
		far    float64
		remedy string
	}{
		"huge":  {rows, 1e300, "give the coordinates in a larger unit"},
		"twice": {[]int{0, 70, 70}, 1, "list each row once"},
		"none":  {[]int{0, 70, 150}, 1, "correct or remove it"},
	} {
		y := mat.DenseCopyOf(pins)
		y.Set(0, 0, c.far)
		if _, err := ssdrnb.S2NE().Fit(d.WithAnchors(c.rows, y)); !errors.As(err, &e) || e.Remedy != c.remedy {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The report counts the satisfied pairs and names contradictory ones.
func TestS2NEPairs(t *testing.T) {
	d := datasets.Digits().Subset(seq(400))
	pairs, err := data.DrawPairs(d.Truth, 40, 40, 1)
	if err != nil {
		t.Fatal(err)
	}
	kept := func(guidance float64) float64 {
		m := ssdrnb.S2NE().Iterations(200).Guidance(guidance).MustFit(d.HideLabels().WithPairs(pairs))
		must, _ := m.Report().Fact("must-links kept")
		cannot, _ := m.Report().Fact("cannot-links kept")
		t.Logf("guidance %g: %g must-links and %g cannot-links kept", guidance, must, cannot)
		return must + cannot
	}
	if none, full := kept(0), kept(1); full < none || full < 60 {
		t.Errorf("%g of 80 pairs kept, %g without guidance", full, none)
	}
	against := data.Pairs{Must: []data.Pair{{I: 3, J: 9}, {I: 9, J: 12}}, Cannot: []data.Pair{{I: 12, J: 3}}}
	m := ssdrnb.S2NE().Iterations(20).MustFit(d.HideLabels().WithPairs(against))
	if !warned(m, "(3, 12)") {
		t.Errorf("contradictory pairs: %q", m.Report().Warnings)
	}
}

func seq(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// Degenerate data give a finite embedding, with a warning if it is misleading, or a typed error.
func TestNeighborEmbeddingDegenerate(t *testing.T) {
	iris := datasets.Iris()
	islands := mat.NewDense(250, 2, nil)
	for i := range 250 {
		islands.SetRow(i, []float64{1e3 * float64(i/5), float64(i % 5)})
	}
	islandLabels := slices.Repeat([]int{data.Unlabelled}, 250)
	islandLabels[0], islandLabels[100] = 0, 1
	// Labels spread along 14 neighbours, whatever the layout uses: two clouds of 20.
	clouds, cloudLabels := mat.NewDense(40, 2, nil), slices.Repeat([]int{data.Unlabelled}, 40)
	for i := range 40 {
		clouds.SetRow(i, []float64{1e3 * float64(i/20), float64(i%20) + 0.01*float64(i*i%7)})
	}
	cloudLabels[0], cloudLabels[5] = 0, 1
	twins := mat.NewDense(60, 2, nil)
	for i := range 60 {
		twins.Set(i, 0, float64(i%2))
	}
	one := slices.Repeat([]int{data.Unlabelled}, 150)
	one[17] = 2
	for name, c := range map[string]struct {
		d      *data.Data
		k      int
		want   string // part of the warning of S2NE
		others bool   // also warned about by the other methods
	}{
		"all labels":       {iris, 14, "", false},
		"one label":        {iris.WithLabels(one), 14, "one class gives no information", false},
		"fifty components": {data.New(islands, islandLabels), 4, "50 components", true},
		"few labels there": {data.New(clouds, cloudLabels), 4, "without a label", false},
		"duplicates":       {data.New(twins, nil), 14, "", false},
		"three samples":    {iris.Subset([]int{0, 70, 120}), 2, "", false},
		"fifteen samples":  {iris.Subset(seq(15)), 14, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, e := range neighborEmbeddings() {
				s := e.Spec()
				if _, ok := s.Method().Param("neighbors"); ok {
					s = s.With("neighbors", c.k)
				} else {
					s = s.With("perplexity", max(1, float64(c.k)/3))
				}
				m, err := s.Fit(c.d)
				if err != nil {
					t.Errorf("%v: %v", s, err)
					continue
				}
				if err := data.CheckFinite(m.Embedding()); err != nil {
					t.Errorf("%v: %v", s, err)
				}
				if (s.Method().Name == "S2NE" || c.others) && c.want != "" && !warned(m, c.want) {
					t.Errorf("%v: warnings %q lack %q", s, m.Report().Warnings, c.want)
				}
			}
		})
	}
	for what, e := range map[string]ssdrnb.Estimator{
		"neighbors": ssdrnb.UMAP().Neighbors(15), "min dist": ssdrnb.S2NE().MinDist(2), "spread": ssdrnb.UMAP().Spread(0.01)} {
		_, err := e.Spec().Fit(iris.Subset(seq(15)))
		var bad *ssdrnb.Error
		if !errors.As(err, &bad) || bad.Param != what || !errors.Is(err, ssdrnb.ErrOption) {
			t.Errorf("%v: %v", e, err)
		}
	}
	if m := ssdrnb.TSNE().Iterations(10).MustFit(iris.Subset(seq(31))); !warned(m, "perplexity reduced from 30 to 10") {
		t.Errorf("perplexity 30 of 31 samples: %q", m.Report().Warnings)
	}
}

// A cancelled fit returns the layout reached so far, which can map points and be saved.
func TestNeighborEmbeddingCancelled(t *testing.T) {
	d := datasets.Wine().Standardize().KeepLabels(4).Seed(1)
	for _, e := range neighborEmbeddings() {
		whole := e.Spec().MustFit(d).Embedding()
		ctx, cancel := context.WithCancel(context.Background())
		done := 0
		stop := ssdrnb.Observe(func(e ssdrnb.Event) {
			if e.Stage != "layout" || e.Total == 0 {
				return
			}
			if !(e.Value > 0) {
				t.Errorf("%s: the objective is %g after %d of %d", e.Method, e.Value, e.Done, e.Total)
			}
			if e.Done != done+1 || e.Total < e.Done {
				t.Errorf("%s: %d of %d follows %d", e.Method, e.Done, e.Total, done)
			}
			if done = e.Done; done == 41 {
				cancel()
			}
		})
		m, err := e.Spec().FitContext(ctx, d)
		stop()
		cancel()
		if !errors.Is(err, ssdrnb.ErrCancelled) || m == nil || done != 41 {
			t.Errorf("%v: %v after %d", e, err, done)
			continue
		}
		if v, _ := m.Report().Fact("iterations"); v != 41 || mat.Equal(whole, m.Embedding()) || data.CheckFinite(m.Embedding()) != nil {
			t.Errorf("%v: %g iterations", e, v)
		}
		if _, err := m.Transform(d.X); err != nil {
			t.Errorf("%v: %v", e, err)
		}
		if traces := m.Report().Traces; len(traces) != 1 || traces[0].Name != "layout" || len(traces[0].Objective) < 2 {
			t.Errorf("%v: traces %v", e, traces)
		}
		if !warned(m, "stopped before") {
			t.Errorf("%v: %q", e, m.Report().Warnings)
		}
	}
}

// New points are placed with their class, in any number of dimensions and from any start.
func TestNeighborEmbeddingOptions(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Wine().Standardize()
	train, test := d.Seed(1).Split(0.7)
	for _, e := range neighborEmbeddings() {
		for _, start := range []ssdrnb.Start{ssdrnb.SpectralStart, ssdrnb.PrincipalStart, ssdrnb.RandomStart} {
			for _, dims := range []int{1, 2, 3, 15} {
				s := e.Spec().With("start", start).With("dims", dims)
				m, err := s.Fit(train.KeepLabels(5).Seed(1))
				if err != nil {
					t.Errorf("%v: %v", s, err)
					continue
				}
				z, err := m.Transform(test.X)
				if err != nil {
					t.Fatal(err)
				}
				found, err := metrics.NearestNeighbor(m.Embedding(), train.Truth, z)
				if err != nil {
					t.Fatal(err)
				}
				right := 0
				for i, l := range found {
					if l == test.Truth[i] {
						right++
					}
				}
				// On a line clusters cannot pass each other, so the start decides.
				if share := float64(right) / float64(len(found)); share < 0.8 && dims > 1 {
					t.Errorf("%v: %.2f of the new samples are in their class", s, share)
				}
			}
		}
	}
}

// placesAlike reports new points x that a model places differently after loading.
func placesAlike(t *testing.T, s ssdrnb.Spec, m, loaded *ssdrnb.Model, x *mat.Dense) {
	t.Helper()
	a, errA := m.Transform(x)
	b, errB := loaded.Transform(x)
	if errA != nil || errB != nil || !mat.Equal(a, b) {
		t.Errorf("%v: new points after loading: %v, %v", s, errA, errB)
	}
}

// Local connectivity and mix ratio change the graph as documented, for new points as well and after
// loading; they cannot require more neighbours than there are.
func TestFuzzyOptions(t *testing.T) {
	d := datasets.Wine().Standardize().KeepLabels(4).Seed(1)
	for _, s := range []ssdrnb.Spec{ssdrnb.UMAP().Iterations(60).Spec(), ssdrnb.S2NE().Iterations(60).Guidance(0).Spec()} {
		plain, sure, mutual := s.MustFit(d), s.With("local connectivity", 3.5).MustFit(d), s.With("mix ratio", 0.0).MustFit(d)
		ones := func(m *ssdrnb.Model) (count int) {
			for _, v := range m.Graph().Val {
				if v == 1 {
					count++
				}
			}
			return count
		}
		if a, b := ones(plain), ones(sure); !(b > 2*a) || sure.Graph().NNZ() != plain.Graph().NNZ() {
			t.Errorf("%v: %d edges are sure, %d of them with local connectivity 3.5", s, a, b)
		}
		if a, b := plain.Graph().NNZ(), mutual.Graph().NNZ(); !(b < a) || b == 0 {
			t.Errorf("%v: the intersection has %d edges, the union %d", s, b, a)
		}
		for i := range d.Len() {
			cols, vals := mutual.Graph().Row(i)
			for k, j := range cols {
				if union := plain.Graph().At(i, int(j)); !(vals[k] <= union) {
					t.Fatalf("%v: edge %d, %d weighs %v in the intersection and %v in the union", s, i, j, vals[k], union)
				}
			}
		}
		if !warned(s.With("neighbors", 2).With("mix ratio", 0.0).MustFit(d), "raise Neighbors, or set MixRatio above 0") {
			t.Errorf("%v: no warning of the components of an intersection", s)
		}
		placesAlike(t, s, sure, reloaded(t, sure), d.X)
		_, err := s.With("local connectivity", 20.0).Fit(d)
		var e *ssdrnb.Error
		if !errors.As(err, &e) || e.Param != "local connectivity" || !errors.Is(err, ssdrnb.ErrOption) || !strings.Contains(e.Remedy, "at most 14") {
			t.Errorf("%v: %v", s, err)
		}
	}
}

// With fewer degrees of freedom islands are tighter: nearest samples are nearer, relative to the
// extent. New samples follow the rule of the fit, also after loading.
func TestDegreesOfFreedom(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Digits().Seed(3).Take(20)
	tight := func(y *mat.Dense) float64 {
		near, err := graph.Search(context.Background(), y, 1, graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(near.Dist)
		return near.Dist[d.Len()/2] / (mat.Norm(y, 2) / math.Sqrt(float64(d.Len())))
	}
	last := 0.0
	for _, alpha := range []float64{0.4, 0.6, 3} {
		m := ssdrnb.TSNE().DegreesOfFreedom(alpha).MustFit(d)
		share := tight(m.Embedding())
		t.Logf("%g degrees of freedom: nearest samples are at %.4f of the extent", alpha, share)
		if !(share > 2*last) {
			t.Errorf("%g degrees of freedom: nearest samples are at %.4f of the extent, with fewer degrees at %.4f", alpha, share, last)
		}
		last = share
		placesAlike(t, m.Spec(), m, reloaded(t, m), d.X)
	}
}

// A layout that starts from an earlier one keeps its orientation: each coordinate of the shared
// samples correlates with its earlier values, more than if the method chooses the start. First
// steps are short: the default ones lose some of the orientation.
func TestWarmStart(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	all := datasets.Digits().Seed(1).Take(70).KeepLabels(3)
	var old []int
	for i := range all.Len() {
		if i%5 != 0 {
			old = append(old, i)
		}
	}
	for _, e := range []ssdrnb.Estimator{ssdrnb.UMAP().LearningRate(0.1), ssdrnb.TSNE().EarlyExaggeration(1), ssdrnb.S2NE().LearningRate(0.1)} {
		first := e.Spec().MustFit(all.Subset(old))
		start, err := first.Transform(all.X)
		if err != nil {
			t.Fatal(err)
		}
		for k, i := range old {
			start.SetRow(i, first.Embedding().RawRowView(k))
		}
		alike := func(d *data.Data) float64 {
			y, least := e.Spec().MustFit(d).Embedding(), 1.0
			for c := range 2 {
				var a, b []float64
				for k, i := range old {
					a, b = append(a, first.Embedding().At(k, c)), append(b, y.At(i, c))
				}
				least = min(least, stat.Correlation(a, b, nil))
			}
			return least
		}
		cold, warm := alike(all), alike(all.WithStart(start))
		t.Logf("%v: %.3f, and %.3f from the start of the method", e, warm, cold)
		if !(warm > 0.9) || !(warm > cold) {
			t.Errorf("%v: the coordinates go together by %.3f, and by %.3f from the start of the method", e, warm, cold)
		}
	}
}

// Given start positions work in any unit, survive saving and subsets, and are part of the key of a
// remembered fit. Equal positions are moved apart. Unsuitable positions are refused.
func TestGivenStart(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Wine().Standardize().KeepLabels(4).Seed(1)
	n := d.Len()
	y := mat.DenseCopyOf(ssdrnb.PCA().MustFit(d).Embedding())
	scaled, line, two := mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil)
	scaled.Scale(1024, y)
	for i := range n {
		line.Set(i, 1, y.At(i, 0))
		two.SetRow(i, []float64{float64(i % 2), 5})
	}
	const memo = "SSDRNB_CACHE"
	t.Setenv(memo, t.TempDir())
	if err := ssdrnb.Remember(true); err != nil {
		t.Fatal(err)
	}
	defer ssdrnb.Remember(false)
	for _, e := range neighborEmbeddings() {
		plain, m := e.Spec().MustFit(d), e.Spec().MustFit(d.WithStart(y))
		if mat.Equal(plain.Embedding(), m.Embedding()) {
			t.Errorf("%v: given positions change nothing", e)
		}
		if !mat.Equal(m.Embedding(), e.Spec().MustFit(d.WithStart(scaled)).Embedding()) {
			t.Errorf("%v: the unit of the positions counts", e)
		}
		if again := e.Spec().MustFit(d.WithStart(y)); !again.Report().Remembered || !mat.Equal(m.Embedding(), again.Embedding()) {
			t.Errorf("%v: the fit is not remembered", e)
		}
		if back := e.Spec().MustFit(d.WithStart(y).WithStart(nil)); !mat.Equal(plain.Embedding(), back.Embedding()) {
			t.Errorf("%v: positions cannot be taken away", e)
		}
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		if back, err := ssdrnb.Load(path); err != nil || !mat.Equal(back.Embedding(), m.Embedding()) {
			t.Errorf("%v: loaded: %v", e, err)
		}
		if other := e.Spec().With("start", ssdrnb.RandomStart).MustFit(d.WithStart(y)); !mat.Equal(m.Embedding(), other.Embedding()) || !warned(other, "the option start has no effect") {
			t.Errorf("%v: the option start changes something: %q", e, other.Report().Warnings)
		}
		for name, start := range map[string]*mat.Dense{"line": line, "two points": two} {
			m := e.Spec().MustFit(d.WithStart(start))
			seen := map[[2]float64]bool{}
			for i := range n {
				seen[[2]float64{m.Embedding().At(i, 0), m.Embedding().At(i, 1)}] = true
			}
			if len(seen) != n || data.CheckFinite(m.Embedding()) != nil {
				t.Errorf("%v from a %s: %d different positions of %d", e, name, len(seen), n)
			}
		}
		if chain := ssdrnb.Then(ssdrnb.PCA().Dims(8), e); mat.Equal(chain.MustFit(d).Embedding(), chain.MustFit(d.WithStart(y)).Embedding()) {
			t.Errorf("%v: given positions change nothing", chain)
		}
	}
	rows := []int{170, 3, 9, 70, 71, 1}
	picked := d.WithStart(y).Subset(rows)
	for k, i := range rows {
		if !slices.Equal(picked.Start.RawRowView(k), y.RawRowView(i)) {
			t.Errorf("sample %d of the subset starts at %v", k, picked.Start.RawRowView(k))
		}
	}
	held := d.WithStart(y)
	want := y.At(0, 0)
	y.Set(0, 0, 99)
	if held.Start.At(0, 0) != want {
		t.Error("the positions are those of the caller")
	}
	broken := mat.DenseCopyOf(y)
	broken.Set(7, 1, math.NaN())
	huge := mat.NewDense(n, 2, nil)
	huge.Set(0, 0, 1e200)
	faint := mat.NewDense(n, 2, nil)
	faint.Set(0, 0, 1e-200)
	for name, c := range map[string]struct {
		y           *mat.Dense
		param, text string
		of          error
	}{
		"too few rows":     {mat.DenseCopyOf(y.Slice(0, n-1, 0, 2)), "data", "give one row of positions for each sample", ssdrnb.ErrData},
		"no row":           {new(mat.Dense), "data", "give one row of positions for each sample", ssdrnb.ErrData},
		"NaN":              {broken, "data", "coordinate 1 of the initial position of sample 7 = NaN", ssdrnb.ErrData},
		"three dimensions": {mat.NewDense(n, 3, nil), "start", "set Dims(3)", ssdrnb.ErrOption},
		"one place":        {mat.NewDense(n, 2, nil), "start", "give different positions", ssdrnb.ErrData},
		"huge":             {huge, "start", "larger unit", ssdrnb.ErrData},
		"faint":            {faint, "start", "smaller unit", ssdrnb.ErrData},
	} {
		for _, s := range neighborEmbeddings() {
			_, err := s.Spec().Fit(d.WithStart(c.y))
			var e *ssdrnb.Error
			if !errors.As(err, &e) || e.Param != c.param || !errors.Is(err, c.of) || !strings.Contains(err.Error(), c.text) || e.Method != s.Spec().Method().Name {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// Exaggeration after the early iterations draws neighbours closer, relative to the extent of the
// embedding.
func TestTSNEExaggeration(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Wine().Standardize()
	closeness := func(factor float64) float64 {
		y := ssdrnb.TSNE().Exaggeration(factor).MustFit(d).Embedding()
		nb, err := graph.Search(context.Background(), y, 10, graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			t.Fatal(err)
		}
		mean, extent := 0.0, mat.Max(y.ColView(0))-mat.Min(y.ColView(0))
		for _, v := range nb.Dist {
			mean += v / float64(len(nb.Dist))
		}
		return mean / extent
	}
	if plain, drawn := closeness(1), closeness(4); !(drawn < 0.8*plain) {
		t.Errorf("neighbours are %.3f of the extent apart, %.3f with exaggeration", plain, drawn)
	} else {
		t.Logf("neighbours are %.3f of the extent apart, %.3f with exaggeration", plain, drawn)
	}
}
