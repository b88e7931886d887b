package viz

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz/chart"
)

// contrastCase is a contrast that Go computes with ssdrnb.Contrast and the page from the columns of
// a figure.
type contrastCase struct {
	Samples  int             `json:"samples"`
	Contrast *chart.Contrast `json:"contrast"`
	X        []float64       `json:"x"`
	Y        []float64       `json:"y"`
	Rows     []int           `json:"rows"`
	Others   []int           `json:"others"` // nil for all others
	Found    []foundCase     `json:"found"`
	Largest  float64         `json:"largest"` // upper limit for nine of ten regions
}

// foundCase is a row of the table.
type foundCase struct {
	Label string   `json:"label"`
	Delta *float64 `json:"delta"` // nil if a side has no value
	In    *float64 `json:"in"`
	Out   *float64 `json:"out"`
	Usual *float64 `json:"usual"`
}

// few has no more distinct numbers than a column in the page can hold, so that both compute the
// same.
func few(n int) *ssdrnb.Data {
	rng := rand.New(rand.NewPCG(5, 6))
	x := mat.NewDense(n, 4, nil)
	city, income, joined, id := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	for i := range n {
		for k := range 4 {
			x.Set(i, k, math.Round(float64(k%2*(i%3))*4+8*rng.NormFloat64())/2)
		}
		city[i] = []string{"", "Bern", "Basel", "Genf"}[rng.IntN(4)]
		if i%3 > 0 || rng.IntN(2) > 0 {
			income[i] = fmt.Sprint(30 + 10*(i%3) + rng.IntN(40))
		}
		joined[i] = fmt.Sprintf("2024-%02d-%02d", 1+rng.IntN(6)+2*(i%3), 1+rng.IntN(28))
		id[i] = fmt.Sprint("customer ", i)
	}
	d := ssdrnb.NewData(x, nil)
	d.FeatureNames = []string{"noise", "age", "other noise", "visits"}
	return d.WithAttribute("city", city).WithAttribute("income", income).WithAttribute("joined", joined).WithAttribute("id", id)
}

func contrastCases(t *testing.T) []contrastCase {
	t.Helper()
	d := few(150)
	m := ssdrnb.PCA().Dims(2).MustFit(d)
	var all []contrastCase
	known := func(v float64) *float64 {
		if math.IsNaN(v) {
			return nil
		}
		return &v
	}
	for _, groups := range [][2][]int{{seq(0, 150, 3), nil}, {seq(1, 40, 1), nil}, {{7}, nil}, {seq(0, 150, 3), seq(1, 90, 3)}, {{3, 4}, {8}}} {
		sheet, err := contrastSheet(d)
		if err != nil {
			t.Fatal(err)
		}
		c := contrastCase{Samples: d.Len(), Contrast: sheet, X: mat.Col(nil, 0, m.Embedding()), Y: mat.Col(nil, 1, m.Embedding()), Rows: groups[0], Others: groups[1]}
		table := ssdrnb.Contrast(d, c.Rows)
		if c.Others != nil {
			table = table.Against(c.Others)
		}
		if table = table.In(m); table.Err() != nil {
			t.Fatal(table.Err())
		}
		for _, r := range table.Rows() {
			c.Found = append(c.Found, foundCase{r.Label(), known(r.Delta), known(r.MedianIn), known(r.MedianOut), known(r.Usual)})
		}
		c.Largest = table.UsualLargest()
		all = append(all, c)
	}
	return all
}

// seq returns the rows from lo below hi in steps.
func seq(lo, hi, step int) (out []int) {
	for i := lo; i < hi; i += step {
		out = append(out, i)
	}
	return out
}

// contrastOnPage computes the cases with the page's module.
const contrastOnPage = `
const { columnsOf, comparer, labelOf, regionOf, usual } = await import(process.argv.at(-1));
let text = "";
for await (const part of process.stdin) text += part;
const cases = JSON.parse(text);
const known = (v) => (Number.isNaN(v) ? null : v);
for (const c of cases) {
  const columns = columnsOf(c.contrast.columns, c.samples, Infinity);
  const { compare, effect } = comparer(columns, c.samples);
  const points = { rows: c.x.map((_, i) => i), x: c.x, y: c.y };
  const regions = c.contrast.centers.map((_, k) => regionOf(points, c.contrast.centers, k, c.rows.length, c.others ? c.others.length : null));
  const rows = compare(c.rows, c.others);
  c.found = rows.map((r) => ({
    label: labelOf(columns, r), delta: known(r.delta), in: known(r.in), out: known(r.out), usual: usual(regions.map((region) => effect(r, region))),
  }));
  c.largest = usual(regions.map((region) => Math.max(...rows.map((r) => effect(r, region)))));
}
console.log(JSON.stringify(cases));
`

// The page agrees with Go: the effects, medians, their order, and the usual effect.
func TestSharedContrast(t *testing.T) {
	want, err := json.Marshal(contrastCases(t))
	if err != nil {
		t.Fatal(err)
	}
	got := fixture(t, "contrast.json", want)
	out := ranInNode(t, contrastOnPage, "contrast.js", got)
	page, mine := decoded(t, out).([]any), decoded(t, got).([]any)
	for k := range mine {
		if a, b := page[k].(map[string]any)["largest"], mine[k].(map[string]any)["largest"]; !alike(a, b) {
			t.Errorf("case %d: nine of ten regions stay below %v in the page, and %v in Go", k, a, b)
		}
		theirs, ours := page[k].(map[string]any)["found"].([]any), mine[k].(map[string]any)["found"].([]any)
		if len(theirs) != len(ours) {
			t.Errorf("case %d: the page has %d rows, and Go %d", k, len(theirs), len(ours))
			continue
		}
		for r := range ours {
			if !alike(ours[r], theirs[r]) {
				t.Errorf("case %d, row %d: the page has %v, and Go %v", k, r, theirs[r], ours[r])
			}
		}
	}
}

// Rounding a column with more than 255 distinct numbers to levels changes an effect by less than
// the share of pairs within a level, and never changes its order of magnitude.
func TestContrastLevels(t *testing.T) {
	d := ssdrnb.NewData(mat.NewDense(3000, 1, nil), nil)
	rng := rand.New(rand.NewPCG(1, 1))
	var group []int
	for i := range 3000 {
		shift := 0.0
		if i%5 == 0 {
			group, shift = append(group, i), 1
		}
		d.X.Set(i, 0, shift+rng.NormFloat64())
	}
	s, err := ssdrnb.NewContrastSheet(d)
	if err != nil {
		t.Fatal(err)
	}
	c := s.Columns[0]
	if len(c.Levels) != 255 {
		t.Fatalf("there are %d levels", len(c.Levels))
	}
	coarse := mat.NewDense(3000, 1, nil)
	for i, l := range c.Of {
		coarse.Set(i, 0, c.Levels[l])
		if math.Abs(c.Levels[l]-d.X.At(i, 0)) > 1.5 {
			t.Fatalf("sample %d has %v, and its level is %v", i, d.X.At(i, 0), c.Levels[l])
		}
	}
	exact, near := ssdrnb.Contrast(d, group).Top(1)[0], ssdrnb.Contrast(ssdrnb.NewData(coarse, nil), group).Top(1)[0]
	if diff := math.Abs(exact.Delta - near.Delta); diff > 1.0/255 {
		t.Errorf("δ is %v, by levels %v", exact.Delta, near.Delta)
	}
	if math.Abs(exact.MedianIn-near.MedianIn) > 0.02 || math.Abs(exact.MedianOut-near.MedianOut) > 0.02 {
		t.Errorf("medians are %v, %v, by levels %v, %v", exact.MedianIn, exact.MedianOut, near.MedianIn, near.MedianOut)
	}
}

// carried returns the data of a figure of samples, without the options of its chart.
func carried(t *testing.T, f Figure) *chart.Samples {
	t.Helper()
	d, err := f.drawn()
	if err != nil {
		t.Fatal(err)
	}
	_, extra := d.(charter).option(f.sheet(d))
	return extra.(*chart.Samples)
}

// Figures carry features only on request, and figures of the same samples carry them once.
func TestContrastOfFigures(t *testing.T) {
	iris := datasets.Iris()
	pca, lda := ssdrnb.PCA().Dims(2).MustFit(iris), ssdrnb.LDA().Dims(2).MustFit(iris)
	extra := func(f Figure) *chart.Samples { return carried(t, f) }
	if e := extra(Embedding(pca)); e.Contrasts != nil || e.Panels[0].Contrast != nil {
		t.Error("a figure carries features unasked")
	}
	e := extra(Compare(pca, lda).Contrast())
	if len(e.Contrasts) != 1 || *e.Panels[1].Contrast != 0 || len(e.Contrasts[0].Columns) != 4 || len(e.Contrasts[0].Centers) != 100 {
		t.Errorf("two panels carry %+v", e.Contrasts)
	}
	digits := datasets.Digits()
	p := extra(Embedding(ssdrnb.PCA().Dims(2).MustFit(digits)).Contrast()).Contrasts[0]
	if p.Image == nil || len(p.Pixels) != 64 || p.Pixels[9] != digits.Image.At(1, 1) {
		t.Errorf("pixels are %v of %v", p.Pixels, p.Image)
	}
	for want, f := range map[string]Figure{
		"Distances and Linked are for two": Embedding(ssdrnb.PCA().Dims(3).MustFit(iris)).Contrast(),
		"one dimension; fit with Dims(":    Embedding(ssdrnb.PCA().Dims(1).MustFit(iris)).Contrast(),
		"draw a subset with Data.Subset":   Embedding(Samples(ssdrnb.NewData(mat.NewDense(9000, 1000, nil), nil))).Only(1, 2, 3).Contrast(),
		"Contrast does not apply to":       Contrast(ssdrnb.Contrast(iris, []int{1})).Contrast(),
	} {
		if err := f.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, not %q", err, want)
		}
	}
}
