package stage

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/datasets/recipes"
)

func TestMeasureLandscape(t *testing.T) {
	p := play(t, Spec{Landscape: &LandscapeSpec{Source: recipe("gaussians", 1), Angle: &AngleSpec{Start: 30}}})
	s := p.press(buttonCurve)
	fmt.Println(s.Panels[2].Marks, s.Meters)
	var a, r []float64
	for seed := uint64(1); seed <= 20; seed++ {
		d := recipes.Recipe{Name: "gaussians", Seed: seed}.Data()
		sc := scatterOf(d)
		best, at := 0.0, 0.0
		for k := range 1800 {
			w := []float64{math.Cos(float64(k) / 10 * math.Pi / 180), math.Sin(float64(k) / 10 * math.Pi / 180)}
			if v := along(sc.between, w) / along(sc.within, w); v > best {
				best, at = v, float64(k)/10
			}
		}
		a, r = append(a, at), append(r, best)
	}
	tell("angle", a)
	tell("ratio", r)
	for _, noise := range []float64{1, 0.3} {
		var apart []float64
		for seed := uint64(1); seed <= 20; seed++ {
			src := Source{Recipe: &recipes.Recipe{Name: "steps", Seed: seed}}
			p := play(t, Spec{Landscape: &LandscapeSpec{Source: src, Planes: &PlanesSpec{Dial: "noise", Values: []float64{noise}}}})
			p.press(buttonOther)
			s := p.press(buttonSummits)
			apart = append(apart, p.meter(s, "summits apart"))
			if seed == 1 {
				fmt.Println(noise, s.Panels[0].Marks, s.Panels[1].Marks)
				for k := range 2 {
					s = p.do(Action{Kind: "point", At: s.Panels[k].Marks[1].At})
					fmt.Println(*s.Meters[0].Value, *s.Meters[1].Value, s.Meters[2].Text)
				}
				for _, at := range [][2]float64{{0, 0}, {90, 0}} {
					s = p.do(Action{Kind: "point", At: at})
					fmt.Println("normal", at, *s.Meters[0].Value, *s.Meters[1].Value)
				}
			}
		}
		tell(fmt.Sprint("apart ", noise), apart)
	}
	p = play(t, Spec{Landscape: &LandscapeSpec{Cards: &CardsSpec{[]float64{17.88, 1.72, 0}, []float64{0.96, 0.68, 0.09}}}})
	p.press(buttonPairs)
	p.do(Action{Kind: "pick", Index: 0})
	s = p.do(Action{Kind: "pick", Index: 2})
	fmt.Println(s.Meters[0].Text, s.Meters[1].Text, s.Panels[1].Bars, s.Panels[2].Bars)
	d := datasets.Wine().Standardize().KeepLabels(20).Seed(1)
	spec := Spec{Landscape: &LandscapeSpec{Root: &RootSpec{Method{"TR-LDA", map[string]any{"pca": 1.0, "ridge": 1e-9}}}}}
	st, err := spec.Open(d)
	if err != nil {
		t.Fatal(err)
	}
	p = player{t, st}
	s = p.see()
	for range 8 {
		fmt.Println(s.Meters[0].Text, s.Meters[1].Text, s.Meters[2].Text, s.Status, len(s.Panels[0].Lines))
		s = p.press(buttonNext)
	}
	_ = context.Background
}
