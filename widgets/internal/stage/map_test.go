package stage

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// hundred is the model of lesson 7.
func hundred() *ssdrnb.GPLVMBuilder {
	return ssdrnb.GPLVM().Schedule(ssdrnb.Joint).Rounds(1).Steps(100)
}

// splitDigits returns the given number of digits of each kind for the model, and as many new ones.
// Strangers are only among the new ones.
func splitDigits(t *testing.T, seed uint64, each int, stranger int, kinds ...int) (known, fresh *data.Data) {
	t.Helper()
	all := datasets.Digits().Only(append(kinds, stranger)...).Seed(seed).Take(2 * each)
	var rows [2][]int
	count := map[int]int{}
	for i, c := range all.Truth {
		k := 0
		if count[c] >= each {
			k = 1
		}
		count[c]++
		if k == 1 || c != stranger {
			rows[k] = append(rows[k], i)
		}
	}
	known, fresh = all.Subset(rows[0]), all.Subset(rows[1])
	for _, d := range []*data.Data{all, known, fresh} {
		if err := d.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return known, fresh
}

// mapped opens the map of a model.
func mapped(t *testing.T, m *ssdrnb.Model, fresh *data.Data, meters ...string) *pictureMap {
	t.Helper()
	spec, d, err := MapOf(m, fresh)
	if err != nil {
		t.Fatal(err)
	}
	spec.Meters = meters
	p, err := openMap(spec, "test", d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func seenMap(t *testing.T, p *pictureMap, actions ...Action) *State {
	t.Helper()
	for _, a := range actions {
		if err := p.Do(a); err != nil {
			t.Fatal(err)
		}
	}
	s, err := p.Work()(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMapDecodes compares a map with its model, which computes the same distribution by other code:
// at samples, between them and far away, for each scaling and for pairs.
func TestMapDecodes(t *testing.T) {
	d := datasets.Digits().Only(3, 8).Seed(2).Take(20)
	d.X.SetCol(0, slices.Repeat([]float64{5}, d.Len())) // a constant nonzero pixel
	z := mat.NewDense(4, 2, []float64{0, 0, 0.3, -0.7, 1.5, 2, 60, -50})
	for name, e := range map[string]ssdrnb.Estimator{
		"global": hundred(), "center": hundred().Scaling(ssdrnb.MeanRemoved), "none": hundred().Scaling(ssdrnb.Unscaled),
		"standardize": hundred().Scaling(ssdrnb.PerFeature), "jitter": hundred().Jitter(0.05),
		"SSGP-LVM": ssdrnb.SSGPLVM().Schedule(ssdrnb.Joint).Rounds(1).Steps(30), "BC-GP-LVM": ssdrnb.BCGPLVM().Schedule(ssdrnb.Joint).Rounds(1).Steps(30),
	} {
		m, err := e.Spec().Fit(d)
		if err != nil {
			t.Fatal(name, err)
		}
		p := mapped(t, m, nil)
		var all mat.Dense
		all.Stack(z, m.Embedding())
		want, err := m.Decode(&all)
		if err != nil {
			t.Fatal(name, err)
		}
		n, _ := all.Dims()
		for i := range n {
			got, deviation := p.expected([2]float64(all.RawRowView(i)))
			if w := math.Sqrt(want.Function[i] / p.spec.Height); math.Abs(deviation-w) > 1e-6 {
				t.Errorf("%s, place %d: deviation %v, of the model %v", name, i, deviation, w)
			}
			for j, v := range got {
				if w := want.Mean.At(i, j); math.Abs(v-w) > 1e-6 {
					t.Fatalf("%s, place %d, pixel %d: %v, of the model %v", name, i, j, v, w)
				}
			}
		}
	}
}

// TestBeatOfMap checks the numbers of 7.7 with seed 1, and those of ten draws.
func TestBeatOfMap(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	var at, between []float64
	for seed := uint64(1); seed <= 10; seed++ {
		m, err := hundred().Fit(datasets.Digits().Only(3, 5, 8).Seed(seed).Take(40).HideLabels())
		if err != nil {
			t.Fatal(err)
		}
		p := mapped(t, m, nil, MeterAtKnown, MeterBetween, MeterOutside)
		s := seenMap(t, p)
		at, between = append(at, *s.Meters[0].Value), append(between, *s.Meters[1].Value)
		if seed == 1 {
			nearTo(t, "7.7", s, 0.03, 0.28, 0.62, 1)
			for j, v := range p.mean {
				far, _ := p.expected([2]float64{1e3, 1e3})
				if math.Abs(far[j]-v) > 1e-9 {
					t.Errorf("far away pixel %d is %v, the mean digit has %v", j, far[j], v)
				}
			}
		}
	}
	t.Logf("deviation at samples %.3f to %.3f, half-way %.3f to %.3f", slices.Min(at), slices.Max(at), slices.Min(between), slices.Max(between))
	if slices.Max(at) > 0.31 || slices.Min(at) < 0.26 || slices.Min(between) < slices.Max(at) {
		t.Errorf("at samples %.3f, half-way %.3f", at, between)
	}
}

// TestStrangers shows zeros to a model of 40 threes and 40 eights, beside 40 new digits of each
// kind, over ten draws. The storyboard of 7.8 has 99.8 % [98.8–100]; this test gives 98.9 %
// [97.3–99.9], and up to 99.5 % with twice as many digits in the model.
func TestStrangers(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	var apart []float64
	for seed := uint64(1); seed <= 10; seed++ {
		known, fresh := splitDigits(t, seed, 40, 0, 3, 8)
		m, err := hundred().Fit(known.HideLabels())
		if err != nil {
			t.Fatal(err)
		}
		p := mapped(t, m, fresh, MeterToldFrom)
		apart = append(apart, *seenMap(t, p).Meters[0].Value)
	}
	mean := 0.0
	for _, v := range apart {
		mean += v / 10
	}
	t.Logf("told apart: %.4f, mean %.4f", apart, mean)
	if math.Abs(mean-0.989) > 0.004 || slices.Min(apart) < 0.965 {
		t.Errorf("strangers are recognised in %.4f of pairs, mean %.4f; the lesson has 0.989", apart, mean)
	}
}

// TestMapMoves looks around, shows new images and strangers, and resets.
func TestMapMoves(t *testing.T) {
	known, fresh := splitDigits(t, 1, 10, 0, 3, 8)
	m, err := hundred().Fit(known)
	if err != nil {
		t.Fatal(err)
	}
	spec, d, err := MapOf(m, fresh)
	if err != nil {
		t.Fatal(err)
	}
	spec.Meters = []string{MeterDeviation, MeterRedrawn, MeterAnswer}
	spec.Classifier, spec.Answers = "LDA", slices.Repeat([]int{8}, fresh.Len())
	p, err := openMap(spec, "test", d)
	if err != nil {
		t.Fatal(err)
	}
	setup := p.Setup()
	if got := strings.Join(setup.Dials[0].Values, ", "); got != "a place, new 3, new 8, stranger 0" || len(setup.Dials[1].Values) != 10 {
		t.Errorf("dials: %s", got)
	}
	first := seenMap(t, p)
	at := spec.At[4]
	s := seenMap(t, p, Action{Kind: string(HandLook), At: at})
	if len(s.Panels) != 3 || s.Panels[0].Samples.Looks[4] != 'r' || s.Panels[0].Marks[0].At != at || s.Meters[1].Value != nil {
		t.Errorf("looking at sample 4: %+v", s.Panels[0].Marks)
	}
	if want := p.picture("", d.X.RawRowView(4)).Heat.Levels; !slices.Equal(s.Panels[2].Heat.Levels, want) {
		t.Error("the nearest sample is not drawn")
	}
	// Pressing an image has no effect, and a place outside is moved to the edge.
	if s := seenMap(t, p, Action{Kind: string(HandLook), Panel: 1, At: [2]float64{1, 1}}); s.Panels[0].Marks[0].At != at {
		t.Error("an image is treated as the map")
	}
	if s := seenMap(t, p, Action{Kind: string(HandLook), At: [2]float64{1e9, -1e9}}); s.Panels[0].Marks[0].At != [2]float64{p.view.X1, p.view.Y0} {
		t.Errorf("outside: %v", s.Panels[0].Marks[0].At)
	}
	s = seenMap(t, p, Action{Kind: "dial", Name: dialPicture, Index: 3}, Action{Kind: "dial", Name: dialWhich, Index: 9})
	if len(s.Panels) != 4 || s.Meters[2].Text != "8" || s.Meters[1].Value == nil || !strings.HasPrefix(s.Note, "stranger 0, redrawn") {
		t.Errorf("a stranger: %+v, %q", s.Meters, s.Note)
	}
	// A place outside the window is drawn at its edge, and redrawn from its own position.
	own, edge := p.spec.At[p.kinds[2].rows[9]], [2]float64{p.view.X1, p.view.Y1}
	p.spec.At[p.kinds[2].rows[9]] = [2]float64{1e5, 1e5}
	if s := seenMap(t, p); s.Panels[0].Marks[0].At != edge || s.Panels[0].Marks[0].Text != "redrawn from outside" || !strings.Contains(s.Note, "is 1.00") {
		t.Errorf("a stranger outside: %+v, %q", s.Panels[0].Marks, s.Note)
	}
	p.spec.At[p.kinds[2].rows[9]] = own
	// Moving the pointer does not remove the stranger.
	if again := seenMap(t, p, Action{Kind: string(HandLook), At: at}); again.Note != s.Note {
		t.Errorf("after a look: %q", again.Note)
	}
	if s := seenMap(t, p, Action{Kind: "reset"}); s.Note != first.Note || s.Dials[0] != 0 {
		t.Errorf("after the reset: %q", s.Note)
	}
	for _, a := range []Action{{Kind: "dial", Name: dialPicture, Index: 4}, {Kind: "dial", Name: dialWhich, Index: 10}, {Kind: "dial", Name: dialWhich, Index: -1}, {Kind: "dial", Name: "magic"},
		{Kind: string(HandLook), At: [2]float64{math.NaN(), 0}}, {Kind: string(HandDrop)}, {Kind: "magic"}} {
		if err := p.Do(a); err == nil {
			t.Errorf("%+v is accepted", a)
		}
	}
	p.heat = nil
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := p.Work()(ended); err == nil {
		t.Error("a map is drawn after its end")
	}
}

// smallMap is a map of nine images of four pixels, two of them new.
func smallMap() (MapSpec, *data.Data) {
	x := mat.NewDense(9, 4, nil)
	s := MapSpec{Known: 7, Height: 1, Length: 1, Noise: 0.01}
	for i := range 9 {
		s.At = append(s.At, [2]float64{float64(i % 3), float64(i / 3)})
		x.SetRow(i, []float64{float64(i), 1, float64(i * i), 2})
	}
	return s, &data.Data{X: x, Truth: []int{0, 0, 0, 0, 1, 1, 1, 1, 2}, Image: data.Image{Height: 2, Width: 2}}
}

// TestMapRefuses tries invalid specs and data.
func TestMapRefuses(t *testing.T) {
	good, d := smallMap()
	if _, err := openMap(good, "test", d); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(s *MapSpec, d *data.Data){
		"no picture known": func(s *MapSpec, d *data.Data) { s.Known = 0 }, "more known than there": func(s *MapSpec, d *data.Data) { s.Known = 10 }, "a negative number": func(s *MapSpec, d *data.Data) { s.Known = -1 },
		"positions missing": func(s *MapSpec, d *data.Data) { s.At = s.At[:3] }, "a NaN": func(s *MapSpec, d *data.Data) { s.At[1][0] = math.NaN() }, "a place at 1e300": func(s *MapSpec, d *data.Data) { s.At[8][1] = 1e300 },
		"no height": func(s *MapSpec, d *data.Data) { s.Height = 0 }, "an infinite length": func(s *MapSpec, d *data.Data) { s.Length = math.Inf(1) }, "a negative noise": func(s *MapSpec, d *data.Data) { s.Noise = -1 }, "a noise of NaN": func(s *MapSpec, d *data.Data) { s.Noise = math.NaN() },
		"a covariance of ones": func(s *MapSpec, d *data.Data) { s.Noise, s.At = 0, make([][2]float64, 9) },
		"few answers":          func(s *MapSpec, d *data.Data) { s.Answers = []int{1} }, "answers of no class": func(s *MapSpec, d *data.Data) { s.Answers = []int{1, -1} },
		"a meter of no use": func(s *MapSpec, d *data.Data) { s.Meters = []string{"magic"} }, "a meter twice": func(s *MapSpec, d *data.Data) { s.Meters = []string{MeterDeviation, MeterDeviation} },
		"no pictures": func(s *MapSpec, d *data.Data) { d.Image = data.Image{} }, "a wrong shape": func(s *MapSpec, d *data.Data) { d.Image.Width = 3 }, "an overflowing shape": func(s *MapSpec, d *data.Data) { d.Image = data.Image{Height: 1 << 62, Width: 4} },
		"one grey": func(s *MapSpec, d *data.Data) { d.X = mat.NewDense(9, 4, nil) }, "greys too far apart": func(s *MapSpec, d *data.Data) { d.X.Set(0, 0, 1e308); d.X.Set(1, 0, -1e308) },
	} {
		s, d := smallMap()
		change(&s, d)
		if _, err := openMap(s, "test", d); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := openMap(good, "test", nil); err == nil {
		t.Error("a map without data is opened")
	}
	// An opened map can be shown, with large numbers, without classes, and with all samples at one
	// position.
	for name, change := range map[string]func(s *MapSpec, d *data.Data){
		"large greys": func(s *MapSpec, d *data.Data) { d.X.Scale(1e200, d.X) }, "no classes": func(s *MapSpec, d *data.Data) { d.Truth = nil }, "one place": func(s *MapSpec, d *data.Data) { s.At = make([][2]float64, 9) },
		"far apart": func(s *MapSpec, d *data.Data) { s.At[0] = [2]float64{-1e6, 1e6} }, "a tiny kernel": func(s *MapSpec, d *data.Data) { s.Length = 1e-6 }, "a wide kernel": func(s *MapSpec, d *data.Data) { s.Length = 1e6 },
		"hidden classes": func(s *MapSpec, d *data.Data) { d.Truth = slices.Repeat([]int{-1}, 9) },
	} {
		s, d := smallMap()
		change(&s, d)
		for _, m := range mapMeters {
			s.Meters = append(s.Meters, m.Name)
		}
		p, err := openMap(s, "test", d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for k := range len(p.kinds) + 1 {
			var moves []Action
			if k > 0 {
				moves = []Action{{Kind: "dial", Name: dialPicture, Index: k}}
			}
			if _, err := json.Marshal(seenMap(t, p, moves...)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// mapRemedies are the cases of maps.
func mapRemedies(t *testing.T) []advicetest.Case {
	try := func(change func(s *MapSpec, d *data.Data)) error {
		s, d := smallMap()
		change(&s, d)
		_, err := openMap(s, "test", d)
		return err
	}
	one := func(cause, says string, bad, good func(s *MapSpec, d *data.Data)) advicetest.Case {
		return advicetest.Case{Cause: cause, Err: try(bad), Says: says, Advised: func() error { return try(good) }}
	}
	pictures := datasets.Digits().Only(3, 8).Take(8)
	of := func(e ssdrnb.Estimator, fresh *data.Data) error {
		m, err := e.Spec().Fit(pictures)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = MapOf(m, fresh)
		return err
	}
	short := func() *ssdrnb.GPLVMBuilder { return ssdrnb.GPLVM().Rounds(1) }
	renamed := *pictures
	renamed.ClassNames = []string{"none", "one"}
	path := t.TempDir() + "/model.npz"
	fitted := short().MustFit(pictures)
	if err := fitted.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := ssdrnb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _, noPictures := MapOf(loaded, nil)
	_, _, noModel := MapOf(nil, nil)
	many := func(n int) func(s *MapSpec, d *data.Data) {
		return func(s *MapSpec, d *data.Data) {
			d.X, s.At, d.Truth = mat.NewDense(n+7, 4, nil), make([][2]float64, n+7), nil
			for i := range n + 7 {
				d.X.Set(i, 0, float64(i))
				d.Truth = append(d.Truth, i)
			}
		}
	}
	return []advicetest.Case{
		one("a meter twice", "give each meter of MapBuilder.Meters at most once", func(s *MapSpec, d *data.Data) { s.Meters = []string{MeterDeviation, MeterDeviation} }, func(s *MapSpec, d *data.Data) { s.Meters = []string{MeterDeviation} }),
		one("equal pixels", "give pictures with different finite values", func(s *MapSpec, d *data.Data) { d.X = mat.NewDense(9, 4, nil) }, func(s *MapSpec, d *data.Data) { d.X.Set(0, 0, 9) }),
		{Cause: "no model", Err: noModel, Says: "give a fitted GPLVM", Advised: func() error { return of(short(), nil) }},
		one("two pictures", "give 3 to 200", func(s *MapSpec, d *data.Data) { s.Known = 2 }, func(s *MapSpec, d *data.Data) { s.Known = 3 }),
		one("no pictures", "with Data.WithImage", func(s *MapSpec, d *data.Data) { d.Image = data.Image{} }, func(s *MapSpec, d *data.Data) { *d = *d.WithImage(data.Image{Height: 1, Width: 4}) }),
		one("no length", "give 1e-06 to 1e+06", func(s *MapSpec, d *data.Data) { s.Length = 0 }, func(s *MapSpec, d *data.Data) { s.Length = 1e-6 }),
		one("a negative noise", "give 0 to 1e+06", func(s *MapSpec, d *data.Data) { s.Noise = -1 }, func(s *MapSpec, d *data.Data) { s.Noise = 0 }),
		one("60 new classes", "give at most 59", many(60), many(59)),
		{Cause: "PCA", Err: of(ssdrnb.PCA(), nil), Says: "fit GPLVM", Advised: func() error { return of(short(), nil) }},
		{Cause: "three dimensions", Err: of(short().Dims(3), nil), Says: "Dims(2)", Advised: func() error { return of(short().Dims(2), nil) }},
		{Cause: "another kernel", Err: of(short().Kernel(ssdrnb.Matern32), nil), Says: "Kernel(ssdrnb.RBF)", Advised: func() error { return of(short().Kernel(ssdrnb.RBF), nil) }},
		{Cause: "inducing points", Err: of(short().Approximation(ssdrnb.FITC).Inducing(5), nil), Says: "Approximation(ssdrnb.ExactLikelihood)", Advised: func() error { return of(short().Approximation(ssdrnb.ExactLikelihood), nil) }},
		{Cause: "a loaded model", Err: noPictures, Says: "fit GP-LVM again", Advised: func() error { return of(short(), nil) }},
		{Cause: "other names of classes", Err: of(short(), &renamed), Says: "with the class names of the training data", Advised: func() error { return of(short(), pictures) }},
	}
}
