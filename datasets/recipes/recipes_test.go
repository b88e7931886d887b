package recipes

import (
	"math"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
)

// TestAll runs every recipe with its default, lowest and highest parameters.
func TestAll(t *testing.T) {
	for _, info := range All() {
		if info.Doc == "" {
			t.Errorf("%s has no description", info.Name)
		}
		usual := Recipe{Name: info.Name, Seed: 1}.Data()
		again := Recipe{Name: info.Name, Seed: 1}.Data()
		other := Recipe{Name: info.Name, Seed: 2}.Data()
		if usual.Err() != nil || usual.X.At(0, 0) != again.X.At(0, 0) {
			t.Errorf("%s: %v, or not the same twice", info.Name, usual.Err())
		}
		n, m := usual.X.Dims()
		same := true
		for i := range n {
			for j := range m {
				same = same && usual.X.At(i, j) == other.X.At(i, j)
			}
		}
		if same {
			t.Errorf("%s: the seed changes nothing", info.Name)
		}
		for _, p := range info.Parameters {
			for _, v := range []float64{p.Low, p.High} {
				if d := (Recipe{info.Name, 1, map[string]float64{p.Name: v}}).Data(); d.Err() != nil {
					t.Errorf("%s with %s = %v: %v", info.Name, p.Name, v, d.Err())
				}
			}
			for _, v := range []float64{p.Low - 1, p.High + 1, math.NaN(), math.Inf(1)} {
				if d := (Recipe{info.Name, 1, map[string]float64{p.Name: v}}).Data(); d.Err() == nil {
					t.Errorf("%s takes %s = %v", info.Name, p.Name, v)
				}
			}
		}
	}
}

// TestTriplet compares the projections of ring, tube and spring onto the plane.
func TestTriplet(t *testing.T) {
	ring, tube := Recipe{Name: "ring", Seed: 1}.Data(), Recipe{Name: "tube", Seed: 1}.Data()
	for i := range ring.Len() {
		if ring.X.At(i, 0) != tube.X.At(i, 0) || ring.X.At(i, 1) != tube.X.At(i, 1) {
			t.Fatalf("sample %d lies elsewhere", i)
		}
	}
}

// TestRemedies follows the advice of every error.
func TestRemedies(t *testing.T) {
	for _, c := range []struct{ wrong, right Recipe }{
		{Recipe{Name: "cake"}, Recipe{Name: "apart"}},
		{Recipe{Name: "noise", With: map[string]float64{"salt": 1}}, Recipe{Name: "noise", With: map[string]float64{"features": 3}}},
		{Recipe{Name: "moons", With: map[string]float64{"salt": 1}}, Recipe{Name: "moons"}},
		{Recipe{Name: "steps", With: map[string]float64{"noise": -1}}, Recipe{Name: "steps", With: map[string]float64{"noise": 1}}},
		{Recipe{Name: "noise", With: map[string]float64{"features": 2.5}}, Recipe{Name: "noise", With: map[string]float64{"features": 20}}},
	} {
		if err := c.wrong.Data().Err(); err == nil || advice.Of(err) == "" {
			t.Errorf("%+v: %v, without advice", c.wrong, err)
		}
		if err := c.right.Data().Err(); err != nil {
			t.Errorf("%+v: %v", c.right, err)
		}
	}
}

// TestCurve compares the variances of the curve and of its slope with those of the Gaussian
// process.
func TestCurve(t *testing.T) {
	var square, slope, n float64
	for seed := range uint64(200) {
		f := Curve(seed)
		for x := 0.0; x < 10; x += 0.5 {
			square += f(x) * f(x)
			d := (f(x+1e-4) - f(x-1e-4)) / 2e-4
			slope += d * d
			n++
		}
	}
	if square/n < 0.8 || square/n > 1.2 || slope/n < 0.8 || slope/n > 1.2 {
		t.Errorf("variance %v, of the slope %v; want about 1 for both", square/n, slope/n)
	}
}
