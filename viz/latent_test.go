package viz_test

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

func TestUncertainty(t *testing.T) {
	digits := datasets.Digits().Only(3, 5, 8).Seed(1).Take(12)
	m := ssdrnb.GPLVM().Rounds(2).MustFit(digits)
	p := viz.Uncertainty(m)
	// It is the model's standard deviation, smallest at samples and at most that of the prior.
	signal, _ := m.Report().Fact("θ_rbf")
	least, most := math.Inf(1), 0.0
	for r, row := range p.Values {
		for c, v := range row {
			if least = min(least, v); v > most {
				most = v
			}
			if r%30 == 7 && c%30 == 7 {
				at := mat.NewDense(1, 2, []float64{p.X[0] + (float64(c)+0.5)*(p.X[1]-p.X[0])/float64(len(row)), p.Y[0] + (float64(r)+0.5)*(p.Y[1]-p.Y[0])/float64(len(p.Values))})
				d, err := m.Decode(at)
				if err != nil {
					t.Fatal(err)
				}
				if want := math.Sqrt(d.Function[0]); math.Abs(v-want) > 1e-9 {
					t.Errorf("cell %d, %d: %v, decoded %v", r, c, v, want)
				}
			}
		}
	}
	if !(least < 0.8*most) || most > math.Sqrt(signal)*(1+1e-9) {
		t.Errorf("deviations from %v to %v, that of the prior is %v", least, most, math.Sqrt(signal))
	}

	path := viz.PathThrough(m, 7, 0, 5, 9)
	y := m.Embedding()
	for k := range 2 {
		if path.At(0, k) != y.At(0, k) || math.Abs(path.At(6, k)-y.At(9, k)) > 1e-12 {
			t.Errorf("the path runs from %v to %v", path.RawRowView(0), path.RawRowView(6))
		}
	}
	p.Path = path
	f := viz.Field(p)
	lines := 0
	for _, s := range series(payload(t, f)) {
		if s["type"] == "line" {
			lines++
			if n := len(s["data"].([]any)); n != 7 {
				t.Errorf("%d places on the path", n)
			}
		}
	}
	if lines != 1 || !strings.Contains(f.Text(), "standard deviation of the predicted features") {
		t.Errorf("%d paths; %s", lines, f.Text())
	}
	if _, err := f.Bundle(); err != nil {
		t.Error(err)
	}

	sheet := viz.Decoded(m, path, 7)
	if size := sheet.Image.Bounds().Size(); size.X != 7*9-1 || size.Y != 8 {
		t.Errorf("sheet of %v", size)
	}
	// The ends resemble the samples there: bright where these have ink.
	ink, none := 0.0, 0.0
	for r := range 8 {
		for c := range 8 {
			v := float64(sheet.Image.At(c, r).(color.NRGBA).R)
			if digits.X.At(0, digits.Image.At(r, c)) > 12 {
				ink = max(ink, v)
			} else if digits.X.At(0, digits.Image.At(r, c)) == 0 {
				none += v / 64
			}
		}
	}
	if ink < 150 || none > 100 {
		t.Errorf("ink of %v on a ground of %v", ink, none)
	}
}

// A path is drawn at its positions, whatever the offsets and units of the axes.
func TestPathsOfOtherUnits(t *testing.T) {
	t.Parallel()
	for _, c := range [][2][2]float64{{{0, 1}, {0, 1}}, {{1.7e9, 1.7e9 + 10}, {0, 10}}, {{0, 1}, {0, 1e6}}, {{-1e-9, 1e-9}, {2000, 2001}}, {{0, 1e290}, {-1, 1}}} {
		at := func(k, dim int) float64 { return c[dim][0] + []float64{0.123, 0.4, 0.97}[k]*(c[dim][1]-c[dim][0]) }
		p := payload(t, viz.Field(viz.Plane{X: c[0], Y: c[1], Values: [][]float64{{1, 2}, {3, 4}}, Path: table(3, 2, at)}))
		for _, s := range series(p) {
			if s["type"] != "line" {
				continue
			}
			for k, point := range s["data"].([]any) {
				for dim, r := range c {
					if got := point.([]any)[dim].(float64); math.Abs(got-at(k, dim)) > 1e-4*(r[1]-r[0]) {
						t.Errorf("ranges %v: coordinate %d of position %d is %v instead of %v", c, dim, k, got, at(k, dim))
					}
				}
			}
		}
	}
}

func TestUncertaintyRefuses(t *testing.T) {
	iris := datasets.Iris()
	three := ssdrnb.GPLVM().Dims(3).Rounds(1).MustFit(iris)
	two := ssdrnb.GPLVM().Rounds(1).MustFit(iris)
	bad := viz.Uncertainty(two)
	bad.Path = mat.NewDense(1, 3, nil)
	lost := viz.Uncertainty(two)
	lost.Path = mat.NewDense(1, 2, []float64{0, math.NaN()})
	refused(t, map[string]viz.Figure{
		"3 dimensions, Dims(2)": viz.Field(viz.Uncertainty(three)),
		"Decode, GPLVM":         viz.Field(viz.Uncertainty(ssdrnb.PCA().MustFit(iris))),
		"path has 3 dimensions": viz.Field(bad),
		"NaN":                   viz.Field(lost),
		"path is nil":           viz.Pictures(viz.Decoded(two, viz.PathThrough(two, 5, 1), 5)),
		"shape":                 viz.Pictures(viz.Decoded(two, viz.PathThrough(two, 5, 1, 2), 5)),
		"dimensions":            viz.Pictures(viz.Decoded(two, mat.NewDense(1, 3, nil), 5)),
	})
	for _, samples := range [][]int{{}, {3}, {0, 150}, {-1, 4}} {
		if viz.PathThrough(two, 4, samples...) != nil {
			t.Errorf("a path through %v", samples)
		}
	}
	if viz.PathThrough(two, 1, 0, 1) != nil || viz.PathThrough(two, 3, 4, 4) == nil {
		t.Error("a path needs two places, which may coincide")
	}
}
