package stage

import (
	"encoding/binary"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

func TestDigits(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{
		{0, 5, "0.00000"}, {0.9275, 5, "0.92750"}, {12.345678, 5, "12.346"}, {1024475.09316, 5, "1.0245e6"},
		{1024475.09316, 3, "1.02e6"}, {20306.34765, 3, "2.03e4"}, {4.02e-8, 3, "4.02e-8"}, {4e-8, 3, "4e-8"},
		{0.000326, 3, "0.000326"}, {0.002, 3, "0.00200"}, {-0.002, 3, "-0.00200"}, {0.0949, 2, "0.0949"}, {0.0996, 2, "0.10"}, {0.0999, 2, "0.10"},
		{6.128, 3, "6.128"}, {16.94, 2, "16.94"}, {100, 1, "100.0"}, {289.56765, 3, "290"}, {999.96, 3, "1000"}, {9999.6, 3, "1e4"},
		{99999.9, 0, "1e5"}, {-1024475, 2, "-1.02e6"}, {math.MaxFloat64, 2, "1.8e308"},
	} {
		if got := digits(c.v, c.decimals); got != c.want {
			t.Errorf("%v with %d decimals: %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
	if got := number(-1e-17, 2).Text; got != "0.00" {
		t.Errorf("a rounding error is %q", got)
	}
	// The texts show any value with an error below 5 %, and with at most ten characters.
	for e := -99; e < 99; e++ {
		for _, m := range []float64{1, 1.04999, 2.5, 9.4999, 9.996} {
			for decimals := range 6 {
				v := m * math.Pow10(e)
				text := digits(v, decimals)
				if got := parsed(t, text); math.Abs(got-v) > 0.0501*v || len(text) > 10 {
					t.Errorf("%v with %d decimals: %q", v, decimals, text)
				}
			}
		}
	}
}

// Places keep both coordinates, however different their units and far their origins.
func TestPackApart(t *testing.T) {
	for _, at := range [][]float64{{2.1, 1e6, 2.3, 2e4, 2.35, 0}, {180, 3e-4, 0, 1e-5}, {1e6, 1, 1e6 + 1, 2}, {5, -7}, {}} {
		p := packApart(at)
		var least, most [2]float64
		for i, v := range at {
			if i < 2 {
				least[i], most[i] = v, v
			}
			least[i%2], most[i%2] = min(least[i%2], v), max(most[i%2], v)
		}
		for i, v := range at {
			step := float64(int16(binary.LittleEndian.Uint16(p.Steps[2*i:])))
			got := p.From[i%2] + []float64{p.Unit, p.UnitY}[i%2]*step
			if math.Abs(got-v) > 1e-4*(most[i%2]-least[i%2])+1e-9*math.Abs(v) {
				t.Errorf("%v: coordinate %d becomes %v", at, i, got)
			}
		}
	}
}

func parsed(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Notes and descriptions count one thing in the singular.
func TestSingular(t *testing.T) {
	plural := regexp.MustCompile(`\b1 [a-z-]+s\b`)
	point := Action{Kind: string(HandPoint), At: [2]float64{1, 0}}
	for name, s := range map[string]Spec{
		"band":  {Band: &BandSpec{Length: 1, Noise: 0.1}},
		"game":  {Band: &BandSpec{Length: 1, Noise: 0.1, Questions: 1}},
		"graph": {GraphPlay: &GraphPlaySpec{Source: recipe("moons", 1), From: 1, To: 3, Start: 1, Modes: []string{ModeCarry}, Step: 1}},
		"pairs": {Pairs: &PairsSpec{Source: recipe("pancakes", 1), Bench: []BenchMethod{method("SSDR", ssdrnb.SSDR().Dims(2))}, Must: [][2]int{{0, 1}}, Cannot: [][2]int{{0, 150}}, Hidden: true, Expert: 1}},
		"easel": {Easel: &EaselSpec{Source: recipe("blobs", 1), Bench: []BenchMethod{method("PCA", ssdrnb.PCA().Dims(1))}, Labels: 1, Draws: 1}},
	} {
		one, err := s.Open(nil)
		if err != nil {
			t.Fatal(name, err)
		}
		texts := []string{shown(t, one).Note}
		if s.Band != nil {
			texts = append(texts, after(t, one, point).Note)
		}
		if s.Band != nil && s.Band.Questions > 0 {
			texts = append(texts, one.Do(point).Error())
		}
		for _, b := range one.Setup().Buttons {
			texts = append(texts, b.Doc)
		}
		for _, m := range one.Setup().Meters {
			texts = append(texts, m.Doc)
		}
		for _, text := range texts {
			if plural.MatchString(text) {
				t.Errorf("%s: %q", name, text)
			}
		}
	}
}

// The numbers of a landscape are legible in any unit of the data.
func TestLandscapeDigits(t *testing.T) {
	for _, unit := range []float64{1e-6, 1, 1e6} {
		wine := datasets.Wine()
		wine.X.Scale(unit, wine.X)
		for name, s := range map[string]LandscapeSpec{
			"root":  {Root: &RootSpec{Method: MethodOf(ssdrnb.TRLDA().PCA(1).Spec())}},
			"angle": {Angle: &AngleSpec{Start: 30}},
		} {
			d := wine
			if s.Angle != nil {
				d = wine.PCA(2)
			}
			l, err := openLandscape(s, "Landscape", d)
			if err != nil {
				t.Fatal(err)
			}
			state := shown(t, l)
			for press := range 4 {
				for k, m := range state.Meters {
					if k == 0 && name == "root" {
						continue // counts clicks
					}
					if v := *m.Value; len(m.Text) > 10 || math.Abs(parsed(t, m.Text)-v) > 0.05*math.Abs(v) {
						t.Errorf("unit %v, %s, after %d presses: %q for %v", unit, name, press, m.Text, v)
					}
				}
				if state.Enabled[0] {
					state = after(t, l, Action{Kind: "press", Name: l.Setup().Buttons[0].Name})
				}
			}
			for _, p := range state.Panels {
				for _, b := range p.Bars {
					if strings.HasPrefix(b.Text, "0.000") && b.Value != 0 && !strings.ContainsAny(b.Text, "123456789") {
						t.Errorf("unit %v: the bar %q has the text %q for %v", unit, b.Name, b.Text, b.Value)
					}
				}
			}
		}
	}
}
