package stage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

func playLandscape(t *testing.T, spec LandscapeSpec) player {
	t.Helper()
	return play(t, Spec{Title: "landscape", Landscape: &spec})
}

func weights(t *testing.T, m *ssdrnb.Model) *mat.Dense {
	t.Helper()
	w, _, err := m.Projection()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestAngle(t *testing.T) { // 6.1, 6.2
	p := playLandscape(t, LandscapeSpec{Source: recipe("gaussians", 1), Angle: &AngleSpec{Start: 30, Both: true}})
	s := p.dial(dialAngle, "90")
	near(t, "between", p.meter(s, "between"), 1.001, 0.001)
	near(t, "within", p.meter(s, "within"), 0.0617, 0.0005)
	near(t, "ratio", p.meter(s, "ratio"), 16.21, 0.01)
	if len(s.Panels[2].Lines) != 0 || len(s.Panels[2].Marks) != 0 || len(s.Panels[2].Samples.Of) != 2 {
		t.Error("the maximum is shown without a request")
	}
	s = p.press(buttonCurve)
	if got := s.Panels[2].Marks[0]; got.At[0] != 90 || got.Text != "summit at 90°" {
		t.Errorf("the summit is %v", got)
	}
	// The arrow of PCA has a ratio near 0.
	m, err := ssdrnb.PCA().Dims(1).Fit(recipes.Recipe{Name: "gaussians", Seed: 1}.Data())
	if err != nil {
		t.Fatal(err)
	}
	w := mat.Col(nil, 0, weights(t, m))
	s = p.do(Action{Kind: "dial", Name: dialAngle, Index: stepOf(math.Atan2(w[1], w[0]) * 180 / math.Pi)})
	near(t, "along PCA's arrow", p.meter(s, "ratio"), 0.0445, 0.005)
	// Dragging the tip turns the arrow; the opposite direction is the same arrow.
	mean := scatterOf(recipes.Recipe{Name: "gaussians", Seed: 1}.Data()).mean
	for _, far := range []float64{1, -5} {
		s = p.do(Action{Kind: "drag", Index: 0, At: [2]float64{mean[0] + far, mean[1] + far}})
		if s.Dials[0] != 90 {
			t.Errorf("a drag to 45° turns the arrow to %v", degrees(s.Dials[0]))
		}
	}
	if s = p.do(Action{Kind: "reset"}); s.Dials[0] != 60 || len(s.Panels[2].Lines) != 0 || len(s.Panels[2].Samples.Of) != 1 {
		t.Error("reset leaves something")
	}
	for angle, want := range map[float64]int{0: 0, 180: 0, -90: 180, 359.9: 0, 179.9: 0, 0.3: 1, -0.5: 359} {
		if got := stepOf(angle); got != want {
			t.Errorf("%v degrees are step %d, want %d", angle, got, want)
		}
	}
}

// For a single arrow both scores are equal, and LDA finds their maximum.
func TestOneArrow(t *testing.T) {
	d := recipes.Recipe{Name: "gaussians", Seed: 1}.Data()
	lda, err := ssdrnb.LDA().Dims(1).Ridge(0).Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	ratio, err := ssdrnb.TRLDA().Dims(1).PCA(1).Ridge(0).Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	a, b := mat.Col(nil, 0, weights(t, lda)), mat.Col(nil, 0, weights(t, ratio))
	near(t, "correlation", math.Abs(a[0]*b[0]+a[1]*b[1])/math.Hypot(a[0], a[1])/math.Hypot(b[0], b[1]), 1, 1e-12)
	near(t, "the best angle", math.Mod(math.Atan2(a[1], a[0])*180/math.Pi+180, 180), 90, 0.6)
}

func TestCards(t *testing.T) { // 6.3
	p := playLandscape(t, LandscapeSpec{Cards: &CardsSpec{[]float64{17.88, 1.72, 0}, []float64{0.96, 0.68, 0.09}}})
	s := p.do(Action{Kind: "pick", Index: 0})
	if s.Meters[0].Value != nil || !s.Panels[0].Bars[0].Chosen {
		t.Error("one card has a ratio of pairs")
	}
	s = p.do(Action{Kind: "pick", Index: 1})
	near(t, "X+Y, ratio of sums", p.meter(s, "ratio of sums"), 11.95, 0.005)
	near(t, "X+Y, sum of ratios", p.meter(s, "sum of ratios"), 21.15, 0.005)
	s = p.do(Action{Kind: "pick", Index: 2}) // the first is dropped
	near(t, "Y+Z, ratio of sums", p.meter(s, "ratio of sums"), 2.23, 0.005)
	p.do(Action{Kind: "pick", Index: 1}) // returned
	s = p.do(Action{Kind: "pick", Index: 0})
	near(t, "X+Z, ratio of sums", p.meter(s, "ratio of sums"), 17.03, 0.005)
	near(t, "X+Z, sum of ratios", p.meter(s, "sum of ratios"), 18.62, 0.005)
	p.do(Action{Kind: "pick", Index: -1})
	if s = p.press(buttonPairs); len(s.Panels) != 3 || len(s.Panels[1].Bars) != 3 || s.Enabled[0] {
		t.Errorf("all pairs in %d panels", len(s.Panels))
	}
	// Players without a loss have no ratio, and the view can still be sent.
	free := playLandscape(t, LandscapeSpec{Cards: &CardsSpec{[]float64{1, 2, 0, 0}, []float64{0, 0, 0, 1}}})
	free.do(Action{Kind: "pick", Index: 0})
	free.do(Action{Kind: "pick", Index: 1})
	s = free.press(buttonPairs)
	if _, err := json.Marshal(s); err != nil || s.Meters[0].Text != "–" || s.Panels[0].Bars[0].Name != "A" {
		t.Errorf("free players: %v, %v", s.Meters, err)
	}
}

func TestPlanes(t *testing.T) { // 6.3, 6.4, 6.5
	p := playLandscape(t, LandscapeSpec{Source: recipe("steps", 1), Planes: &PlanesSpec{Dial: "noise", Values: []float64{1, 0.8, 0.7, 0.6, 0.5, 0.3, 0.1}}})
	if s := p.see(); len(s.Panels) != 2 || s.Meters[3].Value != nil {
		t.Fatalf("%d panels at first", len(s.Panels))
	}
	if err := p.s.Do(Action{Kind: "point", Panel: 1, At: [2]float64{0, 0}}); err == nil {
		t.Error("a click on the shadow chooses a plane")
	}
	if err := p.s.Do(Action{Kind: "point", At: [2]float64{1e6, 0}}); err == nil {
		t.Error("a click beside the map chooses a plane")
	}
	for value, want := range map[string]float64{"1": 9.02, "0.8": 11.08, "0.7": 12.25, "0.6": 13.49, "0.5": 14.74, "0.3": 17.06, "0.1": 18.51} {
		p.dial("noise", value)
		s := p.do(Action{Kind: "point", At: [2]float64{90, 0}}) // without z
		near(t, "X+Y", p.meter(s, "ratio of sums"), 12.00, 0.005)
		s = p.do(Action{Kind: "point", At: [2]float64{0, 0}}) // without y
		near(t, "X+Z at "+value, p.meter(s, "ratio of sums"), want, 0.006)
	}
	p.press(buttonOther)
	p.press(buttonSummits)
	for value, want := range map[string]float64{"1": 6.3, "0.3": 66.0} {
		s := p.dial("noise", value)
		near(t, "summits apart at "+value, p.meter(s, "summits apart"), want, 0.1)
	}
	// The maxima agree with the library's methods, and no place on a map is higher.
	d := recipes.Recipe{Name: "steps", Seed: 1, With: map[string]float64{"noise": 0.3}}.Data()
	sc := scatterOf(d)
	at, found := sc.summits()
	for k, e := range []ssdrnb.Estimator{ssdrnb.TRLDA().PCA(1).Ridge(0), ssdrnb.LDA().Ridge(0)} {
		m, err := e.FitContext(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		w := weights(t, m)
		for c := range 2 {
			col := mat.Col(nil, c, w)
			dot := (col[0]*at[k][0] + col[1]*at[k][1] + col[2]*at[k][2]) / mat.Norm(w.ColView(c), 2)
			near(t, fmt.Sprint("axis ", c, " of ", scoreNames[k], " beside its plane"), dot, 0, 1e-6)
		}
		l := p.s.(*landscape)
		maps, err := l.maps(context.Background(), sc, 5)
		if err != nil {
			t.Fatal(err)
		}
		sums, ratios := sc.scores(at[k])
		if best := slices.Max(maps.score[k]); !found[k] || best > []float64{sums, ratios}[k]*(1+1e-9) {
			t.Errorf("the summit of the %s is %v, a place on the map has %v", scoreNames[k], []float64{sums, ratios}[k], best)
		}
	}
	if s := p.do(Action{Kind: "reset"}); len(s.Panels) != 2 || s.Dials[0] != 0 {
		t.Error("reset leaves something")
	}
}

// The right place of the question about seed 2, in the notebook of lesson 6, is the maximum.
func TestSummitOfTheQuestion(t *testing.T) {
	sc := scatterOf(recipes.Recipe{Name: "steps", Seed: 2, With: map[string]float64{"noise": 0.3}}.Data())
	at, _ := sc.summits()
	place := placeOf(at[0])
	near(t, "from the left", (place[0]-middleTurn+90)/180, 0.24, 0.002)
	near(t, "from below", (place[1]+90)/180, 0.561, 0.002)
}

// A place on the map and its normal describe the same plane.
func TestPlacesOfPlanes(t *testing.T) {
	for turn := -44.0; turn < 135; turn += 7 {
		for tilt := -88.0; tilt < 89; tilt += 11 {
			n := normalAt(turn, tilt)
			for _, sign := range []float64{1, -1} {
				at := placeOf([3]float64{sign * n[0], sign * n[1], sign * n[2]})
				if math.Abs(at[0]-turn) > 1e-9 || math.Abs(at[1]-tilt) > 1e-9 {
					t.Fatalf("%v times the normal at %v, %v is at %v", sign, turn, tilt, at)
				}
			}
			for _, v := range basis(n) {
				near(t, "a direction out of the plane", v[0]*n[0]+v[1]*n[1]+v[2]*n[2], 0, 1e-12)
			}
		}
	}
}

// A feature without scatter has no sum of ratios; this is reported instead of drawn.
func TestPlanesWithoutWidth(t *testing.T) {
	x := mat.NewDense(8, 3, nil)
	for i := range 8 {
		x.SetRow(i, []float64{float64(i % 3), float64(i / 4), float64(i / 4)})
	}
	st, err := Spec{Landscape: &LandscapeSpec{Planes: &PlanesSpec{}}}.Open(data.New(x, []int{0, 0, 0, 0, 1, 1, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	p := player{t, st}
	p.press(buttonOther)
	p.press(buttonSummits)
	for _, at := range [][2]float64{{45, 0}, {90, 0}, {0, 90}} {
		s := p.do(Action{Kind: "point", At: at})
		if _, err := json.Marshal(s); err != nil || s.Meters[3].Text != "–" {
			t.Errorf("%v: %v, %v", at, s.Meters[3].Text, err)
		}
	}
}

func TestRoot(t *testing.T) { // 6.7
	d := datasets.Wine().Standardize().KeepLabels(20).Seed(1)
	e := ssdrnb.TRLDA().PCA(1).Ridge(1e-9)
	st, err := Spec{Landscape: &LandscapeSpec{Root: &RootSpec{MethodOf(e.Spec())}}}.Open(d)
	if err != nil {
		t.Fatal(err)
	}
	p := player{t, st}
	s := p.see()
	m, err := e.Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	trace := m.Report().Traces[0]
	for k, want := range []float64{0.92750, 5.52663, 8.77382, 9.74772, 9.79435, 9.79444, 9.79444} {
		near(t, "clicks", p.meter(s, "clicks"), float64(k), 0)
		near(t, fmt.Sprint("guess ", k), p.meter(s, "guess"), want, 5e-5)
		near(t, "g", p.meter(s, "g"), trace.G[k], 1e-9)
		// The tangent crosses zero at the guess.
		if lines := s.Panels[0].Lines; k > 0 && lines[len(lines)-1].At[1] != [2]float64{trace.Lambda[k], 0} {
			t.Errorf("the tangent of guess %d ends at %v", k, lines[len(lines)-1].At)
		}
		if last := k == len(trace.Lambda)-1; s.Enabled[0] == last {
			t.Errorf("guess %d of %d: more guesses: %v", k, len(trace.Lambda), s.Enabled[0])
		}
		s = p.press(buttonNext)
	}
	if s = p.press(buttonLast); p.meter(s, "clicks") != float64(len(trace.Lambda)-2) {
		t.Errorf("%v clicks after one back from the last", s.Meters[0].Text)
	}
	if curve := s.Panels[0].Lines[1].At; len(curve) < 40 || s.Status != "" {
		t.Errorf("a curve of %d places, %q", len(curve), s.Status)
	}
	// If g cannot be computed there is no curve, and this is reported.
	st, err = Spec{Landscape: &LandscapeSpec{Root: &RootSpec{MethodOf(ssdrnb.TRLDA().Spec())}}}.Open(d)
	if err != nil {
		t.Fatal(err)
	}
	if s = (player{t, st}).see(); s.Status == "" || len(s.Panels[0].Lines) != 1 {
		t.Errorf("%d lines, %q", len(s.Panels[0].Lines), s.Status)
	}
	// A failing fit, and a method without guesses.
	for what, c := range map[string]struct {
		d *data.Data
		e ssdrnb.Estimator
	}{
		"no label":  {d.HideLabels(), e},
		"no guess":  {d, ssdrnb.PCA()},
		"one guess": {d, ssdrnb.LDA()},
	} {
		st, err := Spec{Landscape: &LandscapeSpec{Root: &RootSpec{MethodOf(c.e.Spec())}}}.Open(c.d)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if _, err := st.Work()(context.Background()); err == nil {
			t.Errorf("%s: it is drawn", what)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := st.Work()(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

// Between and within add up to the covariance of all samples, and the means are weighted by group
// size.
func TestScatter(t *testing.T) {
	d := recipes.Recipe{Name: "steps", Seed: 3}.Data().Subset([]int{0, 1, 2, 3, 60, 61, 62, 140, 141, 142, 143, 144, 145})
	s := scatterBy(d, look.KnownClasses(d, d.Len()))
	for a := range 3 {
		for b := range 3 {
			sum := 0.0
			for i := range d.Len() {
				sum += (d.X.At(i, a) - s.mean[a]) * (d.X.At(i, b) - s.mean[b]) / float64(d.Len())
			}
			near(t, fmt.Sprint("covariance ", a, b), s.between.At(a, b)+s.within.At(a, b), sum, 1e-12)
		}
	}
}

// Only the order of class numbers matters, not their size.
func TestScatterOfLargeLabels(t *testing.T) {
	d := recipes.Recipe{Name: "steps", Seed: 3}.Data()
	class := slices.Clone(look.KnownClasses(d, d.Len()))
	class[5] = data.Unlabelled
	want := scatterBy(d, class)
	for i, c := range class {
		if c > 0 {
			class[i] = data.MaxLabel - 10 + c
		}
	}
	if got := scatterBy(d, class); !mat.Equal(got.between, want.between) || !mat.Equal(got.within, want.within) || !slices.Equal(got.mean, want.mean) {
		t.Errorf("%v instead of %v", got, want)
	}
}

func TestHostileLandscapes(t *testing.T) {
	steps, moons := recipe("steps", 1), recipe("moons", 1)
	method := MethodOf(ssdrnb.TRLDA().Spec())
	for what, s := range map[string]LandscapeSpec{
		"nothing":              {Source: steps},
		"two kinds":            {Source: moons, Angle: &AngleSpec{}, Planes: &PlanesSpec{}},
		"an arrow in space":    {Source: steps, Angle: &AngleSpec{}},
		"an arrow at nowhere":  {Source: moons, Angle: &AngleSpec{Start: math.NaN()}},
		"planes in the plane":  {Source: moons, Planes: &PlanesSpec{}},
		"groups of one":        {Source: recipe("ring", 1), Planes: &PlanesSpec{}},
		"no data":              {Planes: &PlanesSpec{}},
		"an unknown dial":      {Source: steps, Planes: &PlanesSpec{Dial: "x", Values: []float64{1}}},
		"a dial of nothing":    {Source: steps, Planes: &PlanesSpec{Dial: "noise"}},
		"values of nothing":    {Source: steps, Planes: &PlanesSpec{Values: []float64{1}}},
		"a value outside":      {Source: steps, Planes: &PlanesSpec{Dial: "noise", Values: []float64{1, 1e9}}},
		"no value":             {Source: steps, Planes: &PlanesSpec{Dial: "noise", Values: []float64{math.NaN()}}},
		"many values":          {Source: steps, Planes: &PlanesSpec{Dial: "noise", Values: make([]float64, 1000)}},
		"one card":             {Cards: &CardsSpec{[]float64{1}, []float64{1}}},
		"many cards":           {Cards: &CardsSpec{make([]float64, 100), make([]float64, 100)}},
		"cards of two lengths": {Cards: &CardsSpec{[]float64{1, 2}, []float64{1}}},
		"negative points":      {Cards: &CardsSpec{[]float64{1, 2}, []float64{1, -1}}},
		"infinite points":      {Cards: &CardsSpec{[]float64{1, math.Inf(1)}, []float64{1, 1}}},
		"a name for no card":   {Cards: &CardsSpec{[]float64{1, 2}, []float64{1, 1}}, Named: []NamedValue{{"x", 1}}},
		"a name for no value":  {Source: steps, Planes: &PlanesSpec{Dial: "noise", Values: []float64{1}}, Named: []NamedValue{{"x", 2}}},
		"a name for no angle":  {Source: moons, Angle: &AngleSpec{}, Named: []NamedValue{{"x", math.Inf(1)}}},
		"many names":           {Source: moons, Angle: &AngleSpec{}, Named: make([]NamedValue, 100)},
		"an unknown method":    {Source: moons, Root: &RootSpec{Method{Method: "x"}}},
		"an unknown option":    {Source: moons, Root: &RootSpec{Method{"TR-LDA", map[string]any{"x": 1}}}},
		"a root of one group":  {Source: recipe("ring", 1), Root: &RootSpec{method}},
	} {
		if _, err := (Spec{Landscape: &s}).Open(nil); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	if _, err := (Spec{Landscape: &LandscapeSpec{Angle: &AngleSpec{}}}).Open(data.New(mat.NewDense(3000, 2, nil), make([]int, 3000))); err == nil {
		t.Error("3,000 samples are taken")
	}
}

func landscapeRemedies() []advicetest.Case {
	try := func(s LandscapeSpec, d *data.Data) error {
		_, err := Spec{Landscape: &s}.Open(d)
		return err
	}
	steps, moons := recipe("steps", 1), recipe("moons", 1)
	angle, planes := LandscapeSpec{Source: moons, Angle: &AngleSpec{}}, LandscapeSpec{Source: steps, Planes: &PlanesSpec{}}
	one := func(cause, says string, bad, good LandscapeSpec) advicetest.Case {
		return advicetest.Case{Cause: cause, Err: try(bad, nil), Says: says, Advised: func() error { return try(good, nil) }}
	}
	named := func(n int) LandscapeSpec {
		s := angle
		s.Named = slices.Repeat([]NamedValue{{"up", 90}}, n)
		return s
	}
	dial := func(values ...float64) LandscapeSpec {
		return LandscapeSpec{Source: steps, Planes: &PlanesSpec{Dial: "noise", Values: values}}
	}
	cards := func(won, lost []float64) LandscapeSpec {
		return LandscapeSpec{Cards: &CardsSpec{won, lost}}
	}
	nameOf := func(s LandscapeSpec, value float64) LandscapeSpec {
		s.Named = []NamedValue{{"x", value}}
		return s
	}
	many := func(n int) *data.Data {
		x := mat.NewDense(n, 2, nil)
		class := make([]int, n)
		class[0] = 1
		return data.New(x, class)
	}
	here := LandscapeSpec{Angle: &AngleSpec{}}
	flat := recipes.Recipe{Name: "steps", Seed: 1}.Data()
	draw := func(e ssdrnb.Estimator) error {
		st, err := Spec{Landscape: &LandscapeSpec{Source: steps, Root: &RootSpec{MethodOf(e.Spec())}}}.Open(nil)
		if err != nil {
			return err
		}
		_, err = st.Work()(context.Background())
		return err
	}
	return []advicetest.Case{
		one("nothing", "give one of Angle, Planes, Cards and Root", LandscapeSpec{Source: moons}, angle),
		one("a name for no angle", "give Named an angle from −360 to 360", LandscapeSpec{Source: moons, Angle: &AngleSpec{}, Named: []NamedValue{{"up", 1e9}}}, LandscapeSpec{Source: moons, Angle: &AngleSpec{}, Named: []NamedValue{{"up", 360}}}),
		one("a name for no position", "one of the values [1 2]", nameOf(dial(1, 2), 3), nameOf(dial(1, 2), 2)),
		one("a name without a dial", "leave out Named", nameOf(cards([]float64{1, 2}, []float64{1, 2}), 1), cards([]float64{1, 2}, []float64{1, 2})),
		{"no features", try(here, &data.Data{Labels: []int{0, 1}}), "give data with 2 features", func() error { return try(here, many(9)) }},
		one("a dial without values", "give a Recipe and one value or more", dial(), dial(1)),
		one("many names", "give at most 12", named(13), named(12)),
		{"many samples", try(here, many(2001)), "give at most 2000 samples with at most 100 features", func() error { return try(here, many(2000)) }},
		{"an arrow in space", try(here, flat), "project them with Data.PCA(2)", func() error { return try(here, flat.PCA(2)) }},
		{"an arrow on a line", try(here, flat.PCA(1)), "give data with 2 features", func() error { return try(here, flat.PCA(2)) }},
		one("one group", "give samples of two classes or more", LandscapeSpec{Source: recipe("ring", 1), Planes: &PlanesSpec{}}, planes),
		one("one card", "give the same number, from 2 to 8", cards([]float64{1}, []float64{1}), cards([]float64{1, 2}, []float64{1, 2})),
		one("negative points", "give 0 to 1e9", cards([]float64{1, 2}, []float64{1, -1}), cards([]float64{1, 2}, []float64{0, 1e9})),
		one("an arrow at nowhere", "give −360 to 360", LandscapeSpec{Source: moons, Angle: &AngleSpec{Start: 1e9}}, LandscapeSpec{Source: moons, Angle: &AngleSpec{Start: -360}}),
		one("many values", "up to 30 of its values", dial(slices.Repeat([]float64{1}, 31)...), dial(slices.Repeat([]float64{1}, 30)...)),
		{"no guesses", draw(ssdrnb.PCA()), "such as TRLDA", func() error { return draw(ssdrnb.TRLDA()) }},
	}
}
