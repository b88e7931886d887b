package viz_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
)

// bars returns the bars of a payload: group, series, value.
func bars(p map[string]any) (groups []string, values map[string][]float64) {
	for _, g := range p["option"].(map[string]any)["xAxis"].(map[string]any)["data"].([]any) {
		groups = append(groups, g.(string))
	}
	values = map[string][]float64{}
	for _, s := range series(p) {
		if s["type"] == "bar" {
			for _, v := range s["data"].([]any) {
				values[s["name"].(string)] = append(values[s["name"].(string)], v.(float64))
			}
		}
	}
	return groups, values
}

// The features with the largest weights agree with scikit-learn 1.9:
//
//	x, y = load_wine(return_X_y=True)
//	s = LinearDiscriminantAnalysis(solver="eigen").fit(StandardScaler().fit_transform(x), y).scalings_
//	for k in 0, 1: print(np.array(load_wine().feature_names)[np.argsort(-abs(s[:, k]))[:4]])
func TestLoadingsOfLDA(t *testing.T) {
	d := datasets.Wine().Standardize()
	f := viz.Loadings(ssdrnb.LDA().MustFit(d))
	groups, values := bars(payload(t, f))
	for name, want := range lda {
		got := slices.Clone(groups)
		at := map[string]float64{}
		for g, n := range groups {
			at[n] = math.Abs(values[name][g])
		}
		slices.SortFunc(got, func(a, b string) int { return int(math.Copysign(1, at[b]-at[a])) })
		slices.Sort(got[1:4]) // color intensity and od280/od315 hardly differ
		if fmt.Sprint(got[:4]) != want {
			t.Errorf("%s: largest weights of %v, want %s", name, got[:4], want)
		}
	}
	if len(f.Text()) > 2000 || strings.Contains(f.Text(), "not linear") {
		t.Errorf("in words %s", f.Text())
	}
}

var lda = map[string]string{
	"dimension 1": "[flavanoids OD280/OD315 of diluted wines colour intensity proline]",
	"dimension 2": "[proline alcohol ash colour intensity]",
}

// Directions in image data are drawn as images, and directions of nonlinear embeddings are
// approximations.
func TestLoadings(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	digits := datasets.Digits().Take(30)
	p := payload(t, viz.Loadings(ssdrnb.PCA().Dims(8).MustFit(digits)))
	if got := fmt.Sprint(kinds(p)); got != "[custom custom custom custom custom custom]" {
		t.Errorf("series %s", got)
	}
	img := pixels(t, series(p)[0])
	if b := img.Bounds(); b.Dx()%8 != 0 || b.Dx() != b.Dy() {
		t.Errorf("a direction of %v pixels", b)
	}
	// A plane in four dimensions: its isometry is linear, and the fit finds it.
	flat := mat.NewDense(120, 4, nil)
	for i := range 120 {
		u, v := math.Sin(float64(i)), math.Cos(float64(3*i))
		flat.SetRow(i, []float64{3 * u, v, 0, 7})
	}
	plane := data.New(flat, nil)
	plane.FeatureNames = []string{"u", "v", "zero", "seven"}
	model := ssdrnb.Isomap().Neighbors(30).MustFit(plane)
	f := viz.Loadings(model)
	groups, values := bars(payload(t, f))
	if groups[0] != "u" || groups[1] != "v" || math.Abs(values["dimension 1"][0]) < 10*math.Abs(values["dimension 1"][1]) || values["dimension 1"][2] != 0 || values["dimension 2"][3] != 0 {
		t.Errorf("loadings of %v: %v", groups, values)
	}
	if !strings.Contains(f.Text(), "not linear") || !strings.Contains(f.Text(), "explains 9") && !strings.Contains(f.Text(), "explains 100") {
		t.Errorf("in words %s", f.Text())
	}
	// The same as arrows: they start in the middle, and the one of u is the longest.
	wide := viz.Embedding(model).Arrows(2)
	all := series(payload(t, wide))
	arrows := all[len(all)-2]["data"].([]any) // below their names
	if len(arrows) != 2 || arrows[0].(map[string]any)["name"] != "u" || !strings.Contains(wide.Text(), "Arrows show weights") {
		t.Errorf("arrows %v: %s", arrows, wide.Text())
	}
	fewer := mat.NewDense(5, 9, nil) // fewer samples than features
	fewer.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(i*i + 3*j)) }, fewer)
	if f := viz.Loadings(named{viz.Samples(data.New(fewer, nil)), mat.DenseCopyOf(fewer.Slice(0, 5, 2, 4))}); f.Err() != nil || !strings.Contains(f.Text(), "explains 100 %") {
		t.Errorf("five samples of nine features: %v, %s", f.Err(), f.Text())
	}
	equal := data.New(mat.NewDense(4, 2, nil), nil)
	refused(t, map[string]viz.Figure{
		"no model": viz.Loadings(nil), "all samples, are equal": viz.Loadings(viz.Samples(equal)),
		"sample 150, from 0 to 149":                     viz.Loadings(ssdrnb.LDA().MustFit(datasets.Iris()), 150),
		"Arrows(0), give 1 to 100":                      viz.Embedding(model).Arrows(0),
		"are for two dimensions, draw viz.Compare":      viz.Embedding(ssdrnb.PCA().Dims(3).MustFit(digits)).Arrows(3),
		"loaded without its samples, again":             viz.Loadings(named{viz.Samples(&data.Data{}), mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 7})}),
		"Arrows: the embedding, one dimension, Dims(2)": viz.Embedding(ssdrnb.PCA().Dims(1).MustFit(digits)).Arrows(3),
	})
}

// Names of features are complete if there is room.
func TestNamesOfLoadings(t *testing.T) {
	d := datasets.Wine().Standardize()
	f := viz.Loadings(ssdrnb.Isomap().MustFit(d), 3)
	path := filepath.Join(t.TempDir(), "loadings.svg")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	svg, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := payload(t, f)
	label := p["option"].(map[string]any)["xAxis"].(map[string]any)["axisLabel"].(map[string]any)
	for _, name := range d.FeatureNames {
		if !strings.Contains(string(svg), ">"+name+"</text>") {
			t.Errorf("the static figure has no %q", name)
		}
		if most := label["width"].(float64); 6.5*float64(len(name)) > most { // mean letter width at most 6.5
			t.Errorf("the chart cuts %q at %g pixels", name, most)
		}
	}
	// A very long name is cut and leaves room for the bars.
	long := viz.Bars("y", []string{strings.Repeat("wide ", 40), "b"}, viz.BarSeries{Mean: []float64{1, 2}})
	if left := payload(t, long)["layout"].(map[string]any)["left"].(float64); left < 70 || left > 190 {
		t.Errorf("%g pixels left of the bars", left)
	}
	if err := long.Save(path); err != nil {
		t.Fatal(err)
	}
	if svg, err = os.ReadFile(path); err != nil || !regexp.MustCompile(`>(wide ){4,6}[wide]*…</text>`).Match(svg) {
		t.Errorf("the long name is not cut: %v, %.2000s", err, svg)
	}
}

// named is data with an embedding.
type named struct {
	viz.Embedded
	y *mat.Dense
}

func (m named) Method() string        { return "given" }
func (m named) Embedding() *mat.Dense { return m.y }

// Distortion marks tears: a line of samples of which a part is elsewhere in the embedding.
func TestDistortion(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	x, y := mat.NewDense(200, 2, nil), mat.NewDense(200, 2, nil)
	for i := range 200 {
		at := float64(i)
		x.SetRow(i, []float64{at, math.Sin(at)})
		if i >= 150 {
			at += 300
		}
		y.SetRow(i, []float64{at, math.Sin(at)})
	}
	m := named{viz.Samples(data.New(x, nil)), y}
	f := viz.Distortion(m)
	p := payload(t, f)
	if got := fmt.Sprintln(kinds(p), series(p)[0]["name"]); got != "[lines scatter] lost neighbours\n" {
		t.Errorf("series %s", got)
	}
	lines := series(p)[0]["data"].([]any)
	if len(lines) < 4*worstLinks || len(lines) > 4*50 {
		t.Errorf("%d numbers of lines", len(lines))
	}
	for k := 0; k < len(lines); k += 4 {
		if from, to := lines[k].(float64), lines[k+2].(float64); math.Abs(from-to) < 100 {
			t.Fatalf("a line from %g to %g", from, to)
		}
	}
	if !strings.Contains(f.Text(), "of the 15 nearest neighbours") || !strings.Contains(f.Text(), "colour: reliability from") {
		t.Errorf("in words %s", f.Text())
	}
	// Samples and style given by the caller.
	own := viz.Distortion(m, 149).Labels().Only(rows(100, 200)...)
	if got := len(series(payload(t, own))[0]["data"].([]any)); got != 4*5 {
		t.Errorf("%d numbers of the lines of one sample", got)
	}
	if got := len(series(payload(t, own.Only(rows(0, 152)...)))[0]["data"].([]any)); got != 4*2 {
		t.Errorf("%d numbers of the lines to samples that are drawn", got)
	}
	if got := scales(payload(t, viz.Embedding(m).Color(viz.Reliability)))[0]; got["max"] != 1.0 {
		t.Errorf("scale of reliability %v", got)
	}
	copied := viz.Distortion(viz.Samples(datasets.TwoMoons(1)))
	if !strings.Contains(copied.Text(), "On average, the embedding keeps 100 %") || strings.Contains(copied.Text(), "Lines lead") {
		t.Errorf("a copy: %s", copied.Text())
	}
	refused(t, map[string]viz.Figure{
		"no model": viz.Distortion(nil), "sample 200 does not exist": viz.Distortion(m, 200),
		"2 samples, at least 3":      viz.Distortion(viz.Samples(data.New(mat.NewDense(2, 2, []float64{1, 2, 3, 5}), nil))),
		"loaded without its samples": viz.Distortion(named{viz.Samples(&data.Data{}), y}),
	})
}

// If there are more lines than a page draws, Distortion keeps those from the least reliable samples.
func TestDistortionOfMany(t *testing.T) {
	t.Parallel()
	const n, places = 2_200, 47
	r := rand.New(rand.NewPCG(1, 1))
	x, y := mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil)
	for i := range n {
		x.SetRow(i, []float64{float64(i % places), float64(i / places)})
		y.SetRow(i, []float64{r.Float64(), r.Float64()})
	}
	f := viz.Distortion(named{viz.Samples(data.New(x, nil)), y}, rows(0, n)...)
	bundle, err := f.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	if lines := len(series(content(t, bundle))[0]["data"].([]any)) / 4; lines != 10_000 {
		t.Errorf("%d lines", lines)
	}
	if text := bundle["text/plain"].(string); !strings.Contains(text, "lines, the 10000 from the least reliable samples are drawn.") {
		t.Error(text)
	}
}

const worstLinks = 20

// bent embeds samples of three features as (x₀², x₁) plus the sine of x₂, so that its derivatives
// are known.
type bent struct{ d *data.Data }

func (b bent) Method() string   { return "bent" }
func (b bent) Data() *data.Data { return b.d }

func (b bent) Embedding() *mat.Dense {
	n, _ := b.d.X.Dims()
	y := mat.NewDense(n, 2, nil)
	for i := range n {
		x := b.d.X.RawRowView(i)
		y.SetRow(i, []float64{x[0] * x[0], x[1] + math.Sin(x[2])})
	}
	return y
}

// Local loadings are the derivatives at a sample, per standard deviation.
func TestLocalLoadings(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := mat.NewDense(4000, 3, nil)
	for i := range 4000 {
		x.SetRow(i, []float64{2*rng.Float64() - 1, 2*rng.Float64() - 1, 2*rng.Float64() - 1})
	}
	x.SetRow(7, []float64{0.6, 0.1, -0.5})
	d := data.New(x, nil)
	d.FeatureNames = []string{"a", "b", "c"}
	m := bent{d}
	check := func(f viz.Figure, want map[string][2]float64) {
		t.Helper()
		groups, values := bars(payload(t, f))
		for g, name := range groups {
			for k := range 2 {
				// The deviation of each feature is 1/√3; a neighbourhood has a radius of about 0.2.
				if got := values[fmt.Sprintf("dimension %d", k+1)][g] * math.Sqrt(3); math.Abs(got-want[name][k]) > 0.06 {
					t.Errorf("%s: derivative %d by %s is %.3f, want %.3f", f.Text(), k, name, got, want[name][k])
				}
			}
		}
	}
	one := viz.Loadings(m, 7)
	check(one, map[string][2]float64{"a": {1.2, 0}, "b": {0, 1}, "c": {0, math.Cos(0.5)}})
	share := regexp.MustCompile(`(linear approximation among the .*)\. It explains (\d+) %`)
	of := func(f viz.Figure) (string, int) {
		found := share.FindStringSubmatch(f.Text())
		if found == nil {
			t.Fatalf("in words %s", f.Text())
		}
		percent, _ := strconv.Atoi(found[2])
		return found[1], percent
	}
	if where, percent := of(one); where != "linear approximation among the 50 samples nearest to sample 7" || percent < 95 || percent == 100 || !strings.HasPrefix(one.Text(), "Loadings of bent of data at sample 7\n") {
		t.Errorf("%s, %d %%", where, percent)
	}
	// Given samples, from both arms of the parabola, have no slope along a.
	var rows []int
	for i := range 4000 {
		if math.Abs(x.At(i, 2)) < 0.2 {
			rows = append(rows, i)
		}
	}
	several := viz.Loadings(m, rows...)
	check(several, map[string][2]float64{"a": {0, 0}, "b": {0, 1}, "c": {0, 1}})
	if where, percent := of(several); !strings.HasSuffix(where, fmt.Sprintf("the %d samples given", len(rows))) || percent < 60 || percent > 90 {
		t.Errorf("%s, %d %%", where, percent)
	}
	// With more features than neighbours, the weights explain little of an embedding that does not
	// depend on the features.
	noise, plane := mat.NewDense(300, 100, nil), mat.NewDense(300, 2, nil)
	for i := range 300 {
		for k := range 100 {
			noise.Set(i, k, rng.NormFloat64())
		}
		plane.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
	}
	if _, percent := of(viz.Loadings(placed{data.New(noise, nil), plane}, 3)); percent > 15 {
		t.Errorf("noise explains %d %%", percent)
	}
	if all := viz.Loadings(m).Text(); !strings.Contains(all, "bent is not linear: these are the weights of the linear map that fits all samples best, which explains") || !strings.HasPrefix(all, "Loadings of bent of data\n") {
		t.Errorf("without samples: %s", all)
	}
	linear := ssdrnb.PCA().MustFit(d)
	if f := viz.Loadings(linear, 7); !strings.Contains(f.Text(), "PCA is linear: its weights are the same everywhere.") {
		t.Errorf("in words %s", f.Text())
	}
	same := data.New(mat.NewDense(20, 2, nil), nil)
	for name, f := range map[string]viz.Figure{"outside": viz.Loadings(m, 4000), "before": viz.Loadings(m, -1), "few": viz.Loadings(m, 1, 2, 3), "twice": viz.Loadings(m, slices.Repeat([]int{1, 2}, 10)...), "none": viz.Loadings(m, []int{}...),
		"equal": viz.Loadings(placed{same, mat.NewDense(20, 2, nil)}, 1), "equal features": viz.Loadings(placed{same, plane.Slice(0, 20, 0, 2).(*mat.Dense)}, 1)} {
		if f.Err() == nil || !strings.HasPrefix(f.Err().Error(), "viz: Loadings of") {
			t.Errorf("%s: %v", name, f.Err())
		}
	}
}

// placed has samples at given positions.
type placed struct {
	d *data.Data
	y *mat.Dense
}

func (p placed) Method() string        { return "placed" }
func (p placed) Data() *data.Data      { return p.d }
func (p placed) Embedding() *mat.Dense { return p.y }

// Names of features do not overlap in a narrow figure with large text: they are rotated, and the
// legend is below.
func TestLoadingsInPaper(t *testing.T) {
	wine := datasets.Wine()
	f := viz.Loadings(ssdrnb.PCA().MustFit(wine))
	text := regexp.MustCompile(`<text x="([-\d.]+)" y="([-\d.]+)" font-size="([\d.]+)"[^>]*?(?: transform="rotate\(([-\d.]+)[^>]*)?>([^<]+)</text>`)
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for name, f := range map[string]viz.Figure{"85 mm": f.Width(85), "85 mm, 8 points": f.Width(85).FontSize(8), "85 mm, 7 points": f.Width(85).FontSize(7), "170 mm": f.Width(170), "170 mm, 14 points": f.Width(170).FontSize(14)} {
		svg := savedAs(t, f, filepath.Join(t.TempDir(), "f.svg"))
		var features []string
		last, below, legend := math.Inf(-1), 0.0, 0.0
		for _, m := range text.FindAllStringSubmatch(svg, -1) {
			x, y, size, what := number(m[1]), number(m[2]), number(m[3]), m[5]
			if slices.Contains(wine.FeatureNames, what) {
				features = append(features, what)
				below = y
				if m[4] == "" {
					t.Errorf("%s: %q is not turned", name, what)
					continue
				}
				if apart := (x - last) * math.Sin(-number(m[4])*math.Pi/180); apart < size {
					t.Errorf("%s: %q is %.1f from the name before, less than its height %.1f", name, what, apart, size)
				}
				last = x
			}
			if what == "dimension 1" {
				legend = y
			}
		}
		if len(features) != 13 {
			t.Errorf("%s: the names are %q", name, features)
		}
		if narrow := strings.HasPrefix(name, "85") || strings.Contains(name, "14"); legend == 0 || narrow != (legend > below) {
			t.Errorf("%s: the legend is at %v, and the names are at %v", name, legend, below)
		}
	}
}

// A saved linear model keeps the names and the spread of its features.
func TestLoadingsOfLoadedModel(t *testing.T) {
	for name, m := range map[string]*ssdrnb.Model{"iris": ssdrnb.PCA().MustFit(datasets.Iris()), "standardised": ssdrnb.LDA().MustFit(datasets.Wine().Standardize()), "pictures": ssdrnb.PCA().MustFit(datasets.Digits().Take(10))} {
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		back, err := ssdrnb.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		want, got := viz.Loadings(m), viz.Loadings(back)
		if got.Err() != nil || got.Text() != want.Text() {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, got.Err(), got.Text(), want.Text())
		}
	}
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := ssdrnb.LAE().MustFit(datasets.Iris()).Save(path); err != nil {
		t.Fatal(err)
	}
	back, err := ssdrnb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, f := range map[string]viz.Figure{"Loadings": viz.Loadings(back), "local ones": viz.Loadings(back, 3), "Color": viz.Embedding(back).Color("petal length (cm)")} {
		if f.Err() == nil || !strings.Contains(f.Err().Error(), "without its samples") {
			t.Errorf("%s of a model without samples: %v", what, f.Err())
		}
	}
}
