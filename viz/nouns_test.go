package viz_test

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
	"github.com/ssdrnb/ssdrnb/viz"
)

// Messages have the singular for one thing, and one number for a range without length.
func TestSingular(t *testing.T) {
	iris := datasets.Iris()
	pca := ssdrnb.PCA().MustFit(iris)
	shares, err := metrics.Reliability(t.Context(), iris.X, pca.Embedding(), 15)
	if err != nil {
		t.Fatal(err)
	}
	distorted, kept := slices.Index(shares, slices.Min(shares)), slices.Index(shares, 1)
	w := mat.NewDense(150, 150, nil)
	w.Set(0, 1, 1)
	flat := ssdrnb.NullTable{Grades: slices.Repeat([]ssdrnb.Grade{ssdrnb.UnclearNoise}, 150), K: 10}
	flat.Kept.Value, flat.Kept.Null = 0.8, []float64{0.101, 0.102, 0.103}
	image := viz.Thumbnails(mat.NewDense(1, 4, []float64{1, 2, 3, 4}), data.Image{Height: 2, Width: 2}, 0)
	text := func(f viz.Figure) string {
		if f.Err() != nil {
			return f.Err().Error()
		}
		return f.Text()
	}
	for name, c := range map[string]struct{ text, says string }{
		"one group":       {text(viz.Bars("", []string{"a"})), "there is 1 group and 0 series"},
		"one feature":     {text(viz.Boundaries(ssdrnb.PCA().Dims(1).MustFit(data.New(mat.NewDense(3, 1, []float64{1, 2, 4}), nil)))), "have 1 feature instead of two"},
		"one link":        {text(viz.GraphLinks(pca, viz.Graph{Weights: w})), "1 edge"},
		"one weight":      {text(viz.Adjacency(iris, viz.Graph{Weights: w})), "1 non-zero entry, 0 of them"},
		"one image":       {text(viz.Pictures(image)), "1 image,"},
		"one row":         {text(viz.Pictures(viz.Thumbnails(mat.NewDense(1, 1, nil), data.Image{Height: 1, Width: 2}, 0))), "1 row of 1 value cannot be images"},
		"a range":         {text(viz.AgainstNull(pca, &flat)), "neighbours are kept, 10 % with permuted features"},
		"one line":        {text(viz.Distortion(pca, distorted)), "Lines lead from sample "},
		"lines from some": {text(viz.Distortion(pca, distorted, kept)), "Lines lead from sample "},
	} {
		if !strings.Contains(c.text, c.says) {
			t.Errorf("%s: %q lacks %q", name, c.text, c.says)
		}
	}
}
