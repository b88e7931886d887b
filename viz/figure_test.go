package viz_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
)

// Every way of drawing the zero Figure reports that it is empty.
func TestEmptyFigure(t *testing.T) {
	var f viz.Figure
	if err := f.Err(); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("Err: %v", err)
	}
	if _, err := f.Bundle(); err == nil {
		t.Error("Bundle draws it")
	}
	if _, err := f.PNG(); err == nil {
		t.Error("PNG draws it")
	}
	if _, err := f.Page(""); err == nil {
		t.Error("Page draws it")
	}
	if !strings.HasPrefix(f.Text(), "figure not drawn: ") {
		t.Error(f.Text())
	}
	if f = f.Color(viz.Confidence); f.Err() == nil {
		t.Error("Color draws it")
	}
}

// A figure is a value: the order of method calls has no effect, and methods do not change their
// receiver.
func TestFigureIsData(t *testing.T) {
	iris := datasets.Iris().KeepLabels(10)
	plain := viz.Embedding(ssdrnb.PCA().MustFit(iris))
	before := plain.Text()
	steps := []func(viz.Figure) viz.Figure{
		func(f viz.Figure) viz.Figure { return f.Title("a title") },
		func(f viz.Figure) viz.Figure { return f.Color(iris.FeatureNames[0]) },
		func(f viz.Figure) viz.Figure { return f.Size(800, 420) },
		func(f viz.Figure) viz.Figure { return f.Labels() },
		func(f viz.Figure) viz.Figure { return f.Width(90) },
		func(f viz.Figure) viz.Figure { return f.Dark() },
		func(f viz.Figure) viz.Figure { return f.Only(1, 2, 3, 60, 61, 62) },
	}
	forth, back := plain, plain
	for k := range steps {
		forth, back = steps[k](forth), steps[len(steps)-1-k](back)
	}
	if one, two := saved(t, forth), saved(t, back); one != two {
		t.Error("the order of the methods changes the SVG file")
	}
	one, two := payload(t, forth), payload(t, back)
	if one["height"] != 420.0 || two["height"] != 420.0 {
		t.Errorf("heights %v and %v", one["height"], two["height"])
	}
	if plain.Text() != before {
		t.Error("methods change their receiver")
	}
}

// A figure copies the values passed to a method: changing the slice later has no effect.
func TestFigureKeepsValues(t *testing.T) {
	iris := datasets.Iris()
	values, rows := make([]float64, iris.Len()), []int{0, 1, 2}
	for i := range values {
		values[i] = float64(i)
	}
	f := viz.Embedding(ssdrnb.PCA().MustFit(iris)).Color(values).Only(rows...)
	clear(values)
	rows[0] = 149
	if text := f.Text(); !strings.Contains(text, "3 samples") || !strings.Contains(text, "from 0 to 2") {
		t.Error(text)
	}
}

// In figures with edges PointSize and Opacity apply to the samples.
func TestScalesAboveEdges(t *testing.T) {
	iris := datasets.Iris().KeepLabels(10)
	p := payload(t, viz.Distortion(ssdrnb.PCA().MustFit(iris)).PointSize(iris.FeatureNames[0]).Opacity(iris.FeatureNames[1]))
	all := series(p)
	for _, v := range scales(p) {
		for _, k := range v["seriesIndex"].([]any) {
			if k := int(k.(float64)); k >= len(all) || all[k]["type"] != "scatter" {
				t.Fatalf("a scale refers to series %d of %d", k, len(all))
			}
		}
	}
}

// Errors of parts of a figure name the package once, and still wrap their cause.
func TestErrorsNamePackageOnce(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	t.Setenv("JPY_SESSION_NAME", filepath.Join(t.TempDir(), "test.ipynb"))
	var none *ssdrnb.Model
	missing := viz.Samples(viz.Selection("none").Apply(datasets.Iris()))
	huge := data.New(mat.NewDense(4, 2, []float64{1e305, 1, 2, 3, 4, 5, 6, 7}), nil)
	plane := mat.NewDense(4, 2, []float64{0, 1, 2, 3, 4, 5, 6, 7})
	for name, f := range map[string]viz.Figure{
		"decoded": viz.Pictures(viz.Decoded(none, nil, 1)), "inverted": viz.Pictures(viz.Inverted(none, nil, 1)),
		"uncertainty": viz.Field(viz.Uncertainty(none)), "selection": viz.Embedding(missing), "contrast": viz.Embedding(placed{huge, plane}).Contrast(),
	} {
		if err := f.Err(); err == nil || strings.Count(err.Error(), "viz: ") != 1 || !strings.HasPrefix(err.Error(), "viz: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := viz.Embedding(missing).Err(); !errors.Is(err, viz.ErrSelection) {
		t.Errorf("%v is not an error of a selection", err)
	}
}
