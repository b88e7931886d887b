package stage

import (
	"context"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

func method(name string, e ssdrnb.Estimator) BenchMethod {
	m := MethodOf(e.Spec())
	return BenchMethod{Name: name, Method: &m}
}

// seen opens a bench, does what a reader does, and returns what is seen.
func seenOf(t *testing.T, s BenchSpec, actions ...Action) (*bench, *State) {
	t.Helper()
	b, err := openBench(s, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range actions {
		if err := b.Do(a); err != nil {
			t.Fatal(err)
		}
	}
	state, err := b.Work()(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return b, state
}

func TestZZ(t *testing.T) {
	try := func(what string, s BenchSpec, dial string, n int) {
		for k := range n {
			_, st := seenOf(t, s, Action{Kind: "dial", Name: dial, Index: k})
			t.Log(what, s.Dials[0].Values[k], st.Note, st.Error)
		}
	}
	five := []float64{1, 2, 5, 10, 20}
	try("1.6", BenchSpec{Source: recipe("pancakes", 1), Bench: []BenchMethod{method("LDA", ssdrnb.LDA())}, Dials: []BenchDial{{Name: "labels", Values: []float64{2, 3, 5, 10, 20}, Start: 0}}, Meters: []string{MeterHidden}}, "labels", 5)
	try("1.7", BenchSpec{Source: recipe("pancakes", 1), Bench: []BenchMethod{method("PCA", ssdrnb.PCA().Dims(2)), method("LDA", ssdrnb.LDA())}, Labels: 5, Dials: []BenchDial{{Name: "height", Values: []float64{1, 2, 3, 4, 5, 10}}}, Meters: []string{MeterSame}}, "height", 5)
	try("2.2", BenchSpec{Source: recipe("noise", 1), Bench: []BenchMethod{method("t-SNE", ssdrnb.TSNE())}, Dials: []BenchDial{{Name: "perplexity", Values: []float64{2, 3, 5, 10, 30}}}, Meters: []string{MeterIslands}}, "perplexity", 5)
	again := []Action{{Kind: "press", Name: "again"}, {Kind: "press", Name: "again"}, {Kind: "press", Name: "again"}, {Kind: "press", Name: "again"}}
	for _, r := range []string{"noise", "clusters"} {
		_, st := seenOf(t, BenchSpec{Source: recipe(r, 1), Runs: true, Islands: true, Bench: []BenchMethod{method("t-SNE", ssdrnb.TSNE().Perplexity(3).Start(ssdrnb.RandomStart))}, Meters: []string{MeterAgreement}}, again...)
		t.Log("2.3", r, st.Note, len(st.Panels))
	}
	all := []BenchMethod{{Name: "data", Rule: RuleData}, method("PCA", ssdrnb.PCA().Dims(2)), method("t-SNE", ssdrnb.TSNE()), method("UMAP", ssdrnb.UMAP())}
	_, st := seenOf(t, BenchSpec{Source: recipe("sizes", 1), Bench: all, Meters: []string{MeterSizes}})
	t.Log("2.4", st.Note)
	_, st = seenOf(t, BenchSpec{Source: recipe("gaps", 1), Bench: all, Meters: []string{MeterGaps}})
	t.Log("2.5", st.Note)
	try("2.8", BenchSpec{Source: recipe("noise", 1), Bench: []BenchMethod{method("S2NE", ssdrnb.S2NE())}, Dials: []BenchDial{{Name: DialTold, Values: []float64{0, 50, 100}}}, Meters: []string{MeterSeparation, MeterHidden}}, DialTold, 3)
	n := recipe("noise", 1)
	n.Recipe.With = map[string]float64{"samples": 150, "features": 2}
	try("3.8", BenchSpec{Source: n, Bench: []BenchMethod{method("LMRAG", ssdrnb.LMRAG())}, Dials: []BenchDial{{Name: DialTossed, Values: []float64{2, 3, 4}}}, Meters: []string{MeterPieces, MeterHidden}}, DialTossed, 3)
	try("4.2", BenchSpec{Source: recipe("moons", 1), Bench: []BenchMethod{{Name: "ruler", Rule: RuleRuler}, {Name: "rumour", Rule: RuleRumour}, method("S2NE", ssdrnb.S2NE()), method("off", ssdrnb.KSDA().Dims(1).Scale(0.3).Manifold(0)), method("on", ssdrnb.KSDA().Dims(1).Scale(0.3).Manifold(1))}, Dials: []BenchDial{{Name: "labels", Values: five}}, Meters: []string{MeterHidden}}, "labels", 5)
	try("4.3", BenchSpec{Source: recipe("moons", 1), Labels: 5, Bench: []BenchMethod{method("SDA", ssdrnb.SDA().Dims(1))}, Dials: []BenchDial{{Name: "manifold", Values: []float64{0, 1, 10}}}, Meters: []string{MeterHidden}}, "manifold", 3)
	try("4.5", BenchSpec{Source: recipe("rivers", 1), Bench: []BenchMethod{{Name: "ruler", Rule: RuleRuler}, {Name: "rumour", Rule: RuleRumour}}, Dials: []BenchDial{{Name: "labels", Values: five}}, Meters: []string{MeterHidden}}, "labels", 5)
	try("4.7", BenchSpec{Source: recipe("moons", 1), Labels: 5, Bench: []BenchMethod{method("LDA", ssdrnb.LDA().Dims(1)), {Name: "ruler", Rule: RuleRuler}, method("KSDA", ssdrnb.KSDA().Dims(1).Scale(0.3)), method("S2NE", ssdrnb.S2NE())}, Dials: []BenchDial{{Name: DialWrong, Values: []float64{0, 1, 2, 3}}}, Meters: []string{MeterHidden}}, DialWrong, 4)
	try("6.4", BenchSpec{Source: recipe("steps", 1), Bench: []BenchMethod{method("ratio of sums", ssdrnb.TRLDA().PCA(1).Ridge(1e-9)), method("LDA", ssdrnb.LDA())}, Dials: []BenchDial{{Name: "noise", Values: []float64{1, 0.8, 0.7, 0.6, 0.5, 0.3, 0.1}}}, Meters: []string{MeterSame}}, "noise", 7)
	try("8.5", BenchSpec{Source: recipe("apart", 1), Labels: 5, Bench: []BenchMethod{method("LDA", ssdrnb.LDA().Dims(1))}, Dials: []BenchDial{{Name: "features", Values: []float64{2, 4, 6, 8, 9, 10, 20, 50}}}, Meters: []string{MeterHidden}}, "features", 8)
}
