package ssdrnb_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Samples and groups far from all others, and fewer samples than a default needs.

// apartBlobs are blobs around random centres, all labelled.
func apartBlobs(n, features, classes int, apart float64, seed uint64) (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(seed, 1))
	centre := mat.NewDense(classes, features, nil)
	centre.Apply(func(_, _ int, _ float64) float64 { return apart * r.NormFloat64() }, centre)
	x, y := mat.NewDense(n, features, nil), make([]int, n)
	for i := range n {
		y[i] = i % classes
		for j := range features {
			x.Set(i, j, centre.At(y[i], j)+r.NormFloat64())
		}
	}
	return x, y
}

// warnings returns the warnings of a model that contain part.
func warnings(m *ssdrnb.Model, part string) []string {
	var out []string
	for _, w := range m.Report().Warnings {
		if strings.Contains(w, part) {
			out = append(out, w)
		}
	}
	return out
}

// weighing are the methods whose graph weights fall with distance by default.
var weighing = []string{"LPP", "LAE", "SDA", "TR-SDA", "KSDA", "TR-KSDA", "SSDL", "Lap-LDA", "SSMMC", "TR-FSDA", "FME", "LapRLS/L"}

// One sample at −999, a typing error, beside 200 within ±12: every method fits and names the
// sample, and LAE places all others as it does without it.
func TestLoneSampleFits(t *testing.T) {
	places := []float64{-999, -100, -5000, 1e6, 1e12}
	if testing.Short() {
		places = places[:1]
	}
	for _, far := range places {
		x, y := apartBlobs(200, 4, 3, 4, 1)
		x.SetRow(5, []float64{far, far, far, far})
		d := data.New(x, y)
		for _, name := range weighing {
			for what, d := range map[string]*data.Data{"raw": d, "standardised": d.Standardize(), "from 0 to 1": d.Scale01()} {
				m, err := ssdrnb.New(name).Fit(d)
				if err != nil {
					t.Errorf("%s, %s, sample 5 at %g: %v", name, what, far, err)
					continue
				}
				// The scales of self-tuning weights reach farther than one width.
				if lone := warnings(m, "sample 5 "); math.Abs(far) >= 5000 && len(lone) == 0 || len(lone) == 0 && ssdrnb.New(name).Value("affinity") == ssdrnb.Heat {
					t.Errorf("%s, %s, sample 5 at %g: warnings %q", name, what, far, m.Report().Warnings)
				}
				if y, err := m.Transform(d.X); err != nil || !usable(y) {
					t.Errorf("%s, %s, sample 5 at %g: its samples as new ones: %v", name, what, far, err)
				}
			}
		}
	}
	x, y := apartBlobs(200, 4, 3, 4, 1)
	rows := make([]int, 0, 199)
	for i := range 200 {
		if i != 5 {
			rows = append(rows, i)
		}
	}
	alone, err := ssdrnb.LAE().Fit(data.New(x, y).Subset(rows))
	if err != nil {
		t.Fatal(err)
	}
	sigma, _ := alone.Report().Fact("σ")
	x.SetRow(5, []float64{-999, -999, -999, -999})
	m, err := ssdrnb.LAE().Width(sigma * sigma).Fit(data.New(x, y))
	if err != nil {
		t.Fatal(err)
	}
	others := mat.NewDense(199, 2, nil)
	for a, i := range rows {
		others.SetRow(a, m.Embedding().RawRowView(i))
	}
	if diff := mat.NewDense(199, 2, nil); true {
		diff.Sub(others, alone.Embedding())
		if worst := mat.Norm(diff, 2) / mat.Norm(others, 2); worst > 1e-6 {
			t.Errorf("LAE: the others differ by %g from an embedding without the lone sample", worst)
		}
	}
	// It lies near its nearest samples, not beyond all samples.
	for k := range 2 {
		column := mat.Col(nil, k, others)
		if v := m.Embedding().At(5, k); v < 1.2*slices.Min(column) || v > 1.2*slices.Max(column) {
			t.Errorf("LAE: coordinate %d of the lone sample is %g, those of others lie in [%g, %g]", k, v, slices.Min(column), slices.Max(column))
		}
	}
}

// The order of samples, with lone ones among them, has no effect, whatever their distribution.
func TestLoneSamplesInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	shapes := map[string]func(class int) float64{
		"log-normal": func(class int) float64 { return math.Exp(float64(class) + 2*rng.NormFloat64()) },
		"Cauchy":     func(class int) float64 { return 3*float64(class) + math.Tan(math.Pi*(rng.Float64()-0.5)) },
		"counts": func(class int) float64 {
			return math.Floor(math.Exp(float64(class) + 4*rng.Float64() + 2*rng.NormFloat64()))
		},
	}
	for shape, draw := range shapes {
		x, y := mat.NewDense(90, 4, nil), make([]int, 90)
		for i := range y {
			y[i] = i % 3
			for j := range 4 {
				x.Set(i, j, draw(y[i])+1e-3*rng.Float64()) // ties depend on the order
			}
		}
		d := data.New(x, y)
		order := rng.Perm(90)
		for _, name := range weighing {
			a, err := ssdrnb.New(name).Fit(d)
			if err != nil {
				t.Errorf("%s of %s: %v", name, shape, err)
				continue
			}
			b, err := ssdrnb.New(name).Fit(d.Subset(order))
			if err != nil {
				t.Errorf("%s of %s in another order: %v", name, shape, err)
				continue
			}
			in := mat.NewDense(90, b.Dims(), nil)
			for k, i := range order {
				in.SetRow(i, b.Embedding().RawRowView(k))
			}
			was, is := distances(a.Embedding()), distances(in)
			was.Sub(was, is)
			if worst := mat.Max(was) / mat.Max(is); worst > 1e-6 {
				t.Errorf("%s of %s: distances differ by %g in another order", name, shape, worst)
			}
		}
	}
}

// An explicit width that suits no sample is an error whose advice works.
func TestWidthThatSuitsNoSample(t *testing.T) {
	x, y := apartBlobs(60, 4, 3, 4, 1)
	d := data.New(x, y)
	for _, name := range []string{"LPP", "LAE", "SDA", "Lap-LDA"} {
		_, err := ssdrnb.New(name).With("width", 1e-6).Fit(d)
		if err == nil || !strings.Contains(err.Error(), "width = 1e-06") || !strings.Contains(err.Error(), "leave Width at Auto") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := ssdrnb.New(name).With("width", ssdrnb.Auto).Fit(d); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ssdrnb.LPP().Width(100).Fit(d); err != nil {
		t.Error(err)
	}
}

// rareGroup has n normal samples, the first few of which are shifted by some standard deviations.
func rareGroup(n, rare int, far float64) *data.Data {
	r := rand.New(rand.NewPCG(1, 2))
	x, labels := mat.NewDense(n, 5, nil), slices.Repeat([]int{data.Unlabelled}, n)
	for i := range n {
		for j := range 5 {
			x.Set(i, j, r.NormFloat64())
		}
		if i < rare {
			x.Set(i, 0, x.At(i, 0)+far)
		}
		if i%4 == 0 || i < 2 {
			labels[i] = i / 4 % 2
		}
	}
	return data.New(x, labels)
}

// Five of 400 samples are twelve standard deviations away: there is an embedding, and a warning.
func TestRareGroup(t *testing.T) {
	for _, far := range []float64{12, 20} {
		m, err := ssdrnb.LAE().Fit(rareGroup(400, 5, far))
		if err != nil {
			t.Fatal(err)
		}
		if w := warnings(m, "nearly disconnected"); len(w) != 1 || !strings.Contains(w[0], "coordinate 1 mainly separates samples 0, 1, 2, 3 and 4") {
			t.Errorf("%g away: warnings %q", far, m.Report().Warnings)
		}
		// The eigenvalues are those of the parts: nearly 0, and the first of all others fitted
		// alone.
		v := m.Values()
		if !(v[0] >= 0 && v[0] < 1e-8 && v[1] > 0.01) {
			t.Errorf("%g away: eigenvalues %g", far, v)
		}
	}
	if m, err := ssdrnb.LAE().Fit(rareGroup(400, 5, 0)); err != nil || len(m.Report().Warnings) > 0 {
		t.Errorf("no group: %v, warnings %q", err, m.Report().Warnings)
	}
}

// Several rare groups share coordinates, with a value each: the warning names all of them, for any
// number of dimensions, and its advice works.
func TestRareGroups(t *testing.T) {
	for _, groups := range []int{2, 3, 4} {
		r := rand.New(rand.NewPCG(10, uint64(groups)))
		x := mat.NewDense(400, 6, nil)
		for i := range 400 {
			for j := range 6 {
				x.Set(i, j, r.NormFloat64())
			}
			if i < 5*groups {
				x.Set(i, i%groups, x.At(i, i%groups)+20)
			}
		}
		d := data.New(x, nil)
		for _, dims := range []int{2, 4} {
			m, err := ssdrnb.LAE().Dims(dims).Fit(d)
			if err != nil {
				t.Fatal(err)
			}
			told := warnings(m, "nearly disconnected")
			if len(told) != 1 || warnings(m, "coincide") != nil {
				t.Errorf("%d groups, %d dimensions: warnings %q", groups, dims, m.Report().Warnings)
				continue
			}
			for g := range groups {
				if part := fmt.Sprintf("samples %d, %d, %d, %d and %d", g, g+groups, g+2*groups, g+3*groups, g+4*groups); !strings.Contains(told[0], part) {
					t.Errorf("%d groups, %d dimensions: no %s in %q", groups, dims, part, told[0])
				}
			}
			if m, err = ssdrnb.LAE().Dims(dims).Neighbors(40).Affinity(ssdrnb.Binary).Fit(d); err != nil || len(m.Report().Warnings) > 0 {
				t.Errorf("%d groups, %d dimensions, after the advice: %v, warnings %q", groups, dims, err, m.Report().Warnings)
			}
		}
	}
}

// Every method with graph eigenvectors fits groups of any size at any distance.
func TestRareGroupsFit(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	type group struct { // samples, and their distance in standard deviations
		rare int
		far  float64
	}
	sizes, groups := []int{100, 400}, []group{{1, 12}, {5, 12}, {1, 50}, {5, 50}}
	if !onceOnly() {
		sizes, groups = []int{100, 300, 1000, 5000}, []group{{1, 5}, {2, 20}, {5, 50}, {10, 20}, {1, 50}}
	}
	fit := func(t *testing.T, name string, n, rare int, far float64) {
		m, err := brief(ssdrnb.New(name).Method(), 3, 5).Fit(rareGroup(n, rare, far))
		if err != nil {
			t.Errorf("%d samples, %d of them %g away: %v", n, rare, far, err)
			return
		}
		if !usable(m.Embedding()) {
			t.Errorf("%d samples, %d of them %g away: no usable embedding", n, rare, far)
		}
	}
	for _, name := range []string{"LAE", "LLE", "LTSA", "HLLE", "S2LAE", "S2LLE", "KS2LAE", "KS2LLE", "SLLE", "SS-LLE", "SS-LTSA", "MMP", "UMAP", "S2NE", "Isomap", "S-Isomap", "SSML"} {
		t.Run(name, func(t *testing.T) {
			for _, n := range sizes {
				if n > 1000 && slices.Contains([]string{"Isomap", "S-Isomap", "KS2LAE", "KS2LLE", "SSML", "MMP"}, name) {
					continue // O(n²) memory and O(n³) time
				}
				for k, g := range groups {
					if n > 1000 && k < len(groups)-2 && name != "LAE" {
						continue // to save time
					}
					fit(t, name, n, g.rare, g.far)
				}
			}
			if name == "LAE" && onceOnly() { // the case that once failed, and a fast one
				for _, n := range []int{300, 1000, 2000} {
					for _, rare := range []int{2, 3, 10} {
						fit(t, name, n, rare, 20)
					}
				}
			}
		})
	}
}

// With ten samples a default number of neighbours is lowered with a warning; an explicit value is
// an error that gives the maximum.
func TestDefaultNeighborsOfFewSamples(t *testing.T) {
	for _, n := range []int{4, 6, 10} {
		x, y := apartBlobs(n, 4, 2, 3, 1)
		d := data.New(x, y)
		for _, m := range ssdrnb.Methods() {
			p, ok := m.Param("neighbors")
			if !ok || m.Name == "HLLE" && n < 10 { // needs six neighbours
				continue
			}
			def, most := p.Default.(int), n-1
			if strings.HasSuffix(m.Name, "LMRAG") {
				most--
			}
			spec := brief(m, 2, 5)
			if _, has := m.Param("dims"); has && n == 4 {
				spec = spec.With("dims", 1)
			}
			model, err := spec.Fit(d)
			if err != nil && def > most {
				t.Errorf("%s, %d samples: %v", m.Name, n, err)
			}
			if err != nil {
				continue
			}
			want := fmt.Sprintf("neighbors reduced from the default %d to %d, the maximum for %d samples", def, most, n)
			if got := warnings(model, "neighbors reduced"); def > most && !slices.Equal(got, []string{want}) || def <= most && got != nil {
				t.Errorf("%s, %d samples: warnings %q, want %q", m.Name, n, got, want)
			}
			if got := model.Report().Params["neighbors"]; got != min(def, most) {
				t.Errorf("%s, %d samples: the report has %v neighbours", m.Name, n, got)
			}
			if slices.Contains(model.Report().Changed, "neighbors") {
				t.Errorf("%s: the report has a change of neighbors", m.Name)
			}
			for _, k := range []int{most + 1, 100} {
				_, err = spec.With("neighbors", k).Fit(d)
				if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("neighbors = %d", k)) || !strings.Contains(err.Error(), fmt.Sprintf("ask for at most %d", most)) {
					t.Errorf("%s, %d samples, %d neighbours set: %v", m.Name, n, k, err)
				}
			}
			if _, err = spec.With("neighbors", most).Fit(d); err != nil {
				t.Errorf("%s, %d samples, the advised %d neighbours: %v", m.Name, n, most, err)
			}
		}
	}
}
