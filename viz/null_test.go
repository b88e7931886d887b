package viz_test

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
)

// An embedding is drawn in the three grades, with the verdict and the islands in words.
func TestAgainstNull(t *testing.T) {
	d := datasets.Iris().KeepLabels(5).Seed(1)
	null, err := ssdrnb.AgainstNull(t.Context(), ssdrnb.LDA(), d, 3)
	if err != nil {
		t.Fatal(err)
	}
	f := viz.AgainstNull(ssdrnb.LDA().MustFit(d), null)
	if f.Err() != nil {
		t.Fatal(f.Err())
	}
	for _, want := range []string{"colour: against noise", "nearest neighbours are kept", "with shuffled labels", "in a second run"} {
		if !strings.Contains(f.Text(), want) {
			t.Errorf("%q is missing: %s", want, f.Text())
		}
	}
	// Distortion and three-dimensional plots use the grades as well.
	pca := ssdrnb.PCA().Dims(3).MustFit(d)
	grades, err := ssdrnb.AgainstNull(t.Context(), ssdrnb.PCA().Dims(3), d, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]viz.Figure{"Distortion": viz.Distortion(pca).Color(grades), "Embedding": viz.Embedding(pca).Color(grades)} {
		for _, want := range []string{"colour: against noise", "nearest neighbours are kept", "in a second run"} {
			if !strings.Contains(g.Text(), want) {
				t.Errorf("%s: %q is missing: %s", name, want, g.Text())
			}
		}
	}
	if text := viz.Distortion(pca).Color(grades).Text(); !strings.Contains(text, "Lines lead from samples") {
		t.Error("Distortion has no lines:", text)
	}
	// An unclear comparison of few runs proposes more.
	few := *null
	few.Kept = ssdrnb.NullComparison{Value: 0.9, Null: []float64{0.1, 0.2, 0.3}, Grade: ssdrnb.UnclearNoise}
	const proposal = "Only 3 runs with noise were made; 10 runs would also detect weaker structure."
	model := ssdrnb.LDA().MustFit(d)
	if text := viz.AgainstNull(model, &few).Text(); !strings.Contains(text, proposal) {
		t.Errorf("3 runs: %s", text)
	}
	few.Kept.Null = make([]float64, 10)
	few.Labels = nil
	if text := viz.AgainstNull(model, &few).Text(); strings.Contains(text, "detect weaker structure") {
		t.Errorf("10 runs: %s", text)
	}
	tones := map[string]string{"better than noise": "#0072b2", "unclear": "#9a9a9a", "no better than noise": "#e69f00"}
	few.Grades = slices.Clone(null.Grades)
	copy(few.Grades, []ssdrnb.Grade{ssdrnb.BetterThanNoise, ssdrnb.UnclearNoise, ssdrnb.NoBetterThanNoise})
	option := payload(t, viz.AgainstNull(model, &few))["option"].(map[string]any)
	for _, one := range option["series"].([]any) {
		series := one.(map[string]any)
		name, _ := series["name"].(string)
		if tone, ok := tones[name]; ok && series["itemStyle"].(map[string]any)["color"] == tone {
			delete(tones, name)
		}
	}
	if len(tones) > 0 {
		t.Errorf("not drawn in these colours: %v", tones)
	}
	refused(t, map[string]viz.Figure{
		"comparison with noise is nil":          viz.AgainstNull(viz.Samples(d), nil),
		"no model":                              viz.AgainstNull(nil, null),
		"no known category":                     viz.AgainstNull(viz.Samples(d), &ssdrnb.NullTable{Grades: make([]ssdrnb.Grade, 150)}),
		"the embedding has 150;":                viz.Distortion(viz.Samples(d)).Color(&ssdrnb.NullTable{Grades: make([]ssdrnb.Grade, 4)}),
		"show them with Color":                  viz.Embedding(viz.Samples(d)).PointSize(null),
		"150 samples, but the embedding has 4;": viz.AgainstNull(viz.Samples(d.Subset([]int{0, 1, 2, 3})), null),
	})
}

// Compare reports the preserved part: everything if one embedding is a rotation of the other, and
// only part if half of the samples have moved.
func TestCompareStays(t *testing.T) {
	x, turned, torn := mat.NewDense(100, 2, nil), mat.NewDense(100, 2, nil), mat.NewDense(100, 2, nil)
	for i := range 100 {
		u, v := float64(i%10), float64(i/10)+0.01*float64(i*i%17)
		x.SetRow(i, []float64{u, v})
		turned.SetRow(i, []float64{-v, u})
		if torn.SetRow(i, []float64{u, v}); i%2 == 1 {
			torn.SetRow(i, []float64{u + 1000, v})
		}
	}
	s := viz.Samples(data.New(x, nil))
	if text := viz.Compare(s, viz.Embedded(named{s, turned})).Color(viz.Stays).Text(); !strings.Contains(text, "100 % of the 15 nearest neighbours of a sample in common (by chance 15.2 %)") || !strings.Contains(text, "Procrustes residual 0.00") {
		t.Error(text)
	}
	f := viz.Compare(s, viz.Embedded(named{s, torn})).Color(viz.Stays)
	if text := f.Text(); strings.Contains(text, "100 % of the 15") || !strings.Contains(text, "colour: stays from") {
		t.Error(text)
	}
	if text := viz.Compare(viz.Samples(datasets.TwoMoons(1)), viz.Samples(datasets.Iris())).Text(); strings.Contains(text, "in common") {
		t.Errorf("other samples: %s", text)
	}
	// Samples are the same after scaling and PCA, but not with other values or in another order.
	d := datasets.Iris()
	var order []int
	for i := range d.Len() { // the same classes
		order = append(order, i/50*50+(i+1)%50)
	}
	other := *d
	other.X = mat.DenseCopyOf(d.Subset(order).X)
	for name, c := range map[string]struct {
		second *data.Data
		same   bool
	}{"standardized": {d.Standardize(), true}, "components": {d.PCA(2), true}, "all components": {d.Standardize().PCA(4), true}, "another order": {&other, false}} {
		f := viz.Compare(viz.Samples(d), viz.Samples(c.second))
		if got := strings.Contains(f.Text(), "in common"); got != c.same {
			t.Errorf("%s: common neighbours reported: %v", name, got)
		}
		// Colours on demand match samples by their order.
		colored := f.Color(viz.Stays)
		if told := strings.Contains(colored.Text(), "The features of the two data sets differ"); colored.Err() != nil || told == c.same {
			t.Errorf("%s: %v, told that the features differ: %v", name, colored.Err(), told)
		}
	}
	refused(t, map[string]viz.Figure{
		"compares two embeddings":        viz.Distortion(viz.Samples(datasets.Iris())).Color(viz.Stays),
		"has 1 embedding;":               viz.Embedding(viz.Samples(data.New(x, nil))).Color(viz.Stays),
		"embeddings of the same samples": viz.Compare(s, viz.Samples(datasets.Iris())).Color(viz.Stays),
	})
}
