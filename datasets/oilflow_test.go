package datasets

import (
	"math"
	"testing"
)

// In every regime the mean path length of a beam in a phase agrees with the phase's fraction of the
// section: the integral of the lengths over all offsets is an area.
func TestRegimesFillTheSection(t *testing.T) {
	f := phases{oil: 0.25, water: 0.45}
	for name, of := range map[string]regime{"homogeneous": homogeneous, "annular": annular, "stratified": stratified} {
		for _, vertical := range []bool{true, false} {
			const steps = 20000
			area := phases{}
			for k := range steps {
				s := -1 + (float64(k)+0.5)*2/steps
				l := of(f, s, vertical)
				if l.oil < 0 || l.water < 0 || l.oil+l.water > chord(1, s)+1e-12 {
					t.Fatalf("%s at %v: %v in a chord of %v", name, s, l, chord(1, s))
				}
				area.oil += l.oil * 2 / steps / math.Pi
				area.water += l.water * 2 / steps / math.Pi
			}
			if math.Abs(area.oil-f.oil) > 1e-3 || math.Abs(area.water-f.water) > 1e-3 {
				t.Errorf("%s, vertical %v: fractions %v, want %v", name, vertical, area, f)
			}
		}
	}
}

// Photon counts give unbiased lengths with the documented error, and are never so low that their
// logarithm is undefined.
func TestCounted(t *testing.T) {
	rng := random(1, 1)
	for _, l := range []phases{{0, 0}, {1, 0.5}, {0, 2}, {2, 0}} {
		const draws = 4000
		var mean, square phases
		for range draws {
			got := counted(l, rng)
			mean.oil += (got.oil - l.oil) / draws
			mean.water += (got.water - l.water) / draws
			square.oil += math.Pow(got.oil-l.oil, 2) / draws
			square.water += math.Pow(got.water-l.water, 2) / draws
		}
		if e := math.Sqrt(max(square.oil, square.water)); e > 0.12 || e < 0.003 {
			t.Errorf("%v: error %v", l, e)
		}
		if e := math.Max(math.Abs(mean.oil), math.Abs(mean.water)); e > 0.01 {
			t.Errorf("%v: bias %v", l, e)
		}
	}
	if fewest := photons * math.Exp(-2*attenuation[0][1]); fewest < 1000 {
		t.Errorf("%v photons through a pipe full of water", fewest)
	}
}

func TestOilFlow(t *testing.T) {
	d := OilFlow(300, 1)
	if d.Err() != nil || d.Dim() != 12 || len(d.Classes()) != 3 || len(d.FeatureNames) != 12 {
		t.Fatalf("%v, %d names", d, len(d.FeatureNames))
	}
	if l := level(0.5); math.Abs(l) > 1e-9 {
		t.Errorf("half of the section lies below %v", l)
	}
}
