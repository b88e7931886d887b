package viz_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/schema"
	"github.com/ssdrnb/ssdrnb/viz/viztest"
)

// fits checks that the notebook extension accepts the data of a figure.
func fits(t *testing.T, data string) {
	t.Helper()
	if err := schema.Check(schema.Figures(), []byte(data)); err != nil {
		t.Errorf("the extension would refuse the figure; see package viz/schema: %v", err)
	}
}

// content returns the data that a bundle's script reads.
func content(t *testing.T, bundle map[string]any) map[string]any {
	t.Helper()
	_, text, _ := viztest.Split(bundle["text/html"].(string))
	fits(t, text)
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// payload returns the input of a figure's script.
func payload(t *testing.T, f viz.Figure) map[string]any {
	t.Helper()
	bundle, err := f.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	for _, mime := range []string{"text/html", "image/png", "text/plain", "application/vnd.ssdrnb.figure.v1+json"} {
		if bundle[mime] == nil {
			t.Errorf("the bundle lacks %s", mime)
		}
	}
	out := content(t, bundle)
	picture, err := png.Decode(bytes.NewReader(bundle["image/png"].([]byte)))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[any]bool{}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			seen[picture.At(x, y)] = true
		}
	}
	if len(seen) < 8 {
		t.Errorf("the static figure has %d colours", len(seen))
	}
	again, err := f.Bundle()
	if err != nil || again["text/html"] != bundle["text/html"] {
		t.Error("drawing twice gives two figures")
	}
	return out
}

func kinds(p map[string]any) []string {
	var out []string
	for _, s := range p["option"].(map[string]any)["series"].([]any) {
		out = append(out, s.(map[string]any)["type"].(string))
	}
	return out
}

func TestEmbedding(t *testing.T) {
	d := datasets.Digits().Take(30).KeepLabels(5)
	for dims, kind := range map[int]string{1: "scatter", 2: "scatter", 3: "scatter3D", 5: "scatter3D"} {
		f := viz.Embedding(ssdrnb.TRSDA().Dims(dims).MustFit(d))
		p := payload(t, f)
		got := kinds(p)
		if len(got) != 20 { // ten classes, labelled and not
			t.Errorf("%d series", len(got))
		}
		for _, k := range got {
			if k != kind {
				t.Errorf("dims %d: series of type %s", dims, k)
			}
		}
		if p["gl"].(bool) != (dims > 2) {
			t.Errorf("dims %d: gl = %v", dims, p["gl"])
		}
		extra := p["extra"].(map[string]any)
		one := extra["panels"].([]any)[0].(map[string]any)
		if marks := one["labelled"].(string); strings.Count(marks, "1") != 50 || one["sheet"] != 0.0 || len(extra["sheets"].([]any)) != 1 {
			t.Errorf("labelled %q, sheet %v of %d", marks, one["sheet"], len(extra["sheets"].([]any)))
		}
	}
}

// A figure has the images of samples once, however many panels show them.
func TestSheetsAreShared(t *testing.T) {
	d := datasets.Digits().Only(0, 1).Take(20)
	same, few := d.KeepLabels(3), datasets.Digits().Only(0, 1).Take(10)
	f := viz.Compare(ssdrnb.PCA().MustFit(d), ssdrnb.LDA().MustFit(same), ssdrnb.PCA().MustFit(few), ssdrnb.PCA().MustFit(datasets.Iris()))
	extra := payload(t, f)["extra"].(map[string]any)
	var got []any
	for _, p := range extra["panels"].([]any) {
		got = append(got, p.(map[string]any)["sheet"])
	}
	if fmt.Sprint(got) != "[0 0 1 -1]" {
		t.Errorf("sheets of the panels: %v", got)
	}
	for k, want := range []float64{40, 20} {
		if n := extra["sheets"].([]any)[k].(map[string]any)["count"]; n != want {
			t.Errorf("sheet %d has %v images, want %v", k, n, want)
		}
	}
}

// A plot of some of the dimensions states this.
func TestPartOfTheDimensions(t *testing.T) {
	d := datasets.Wine().Standardize().KeepLabels(5)
	html := func(f viz.Figure) string {
		bundle, err := f.Bundle()
		if err != nil {
			t.Fatal(err)
		}
		return bundle["text/html"].(string)
	}
	three, five, two := ssdrnb.FME().MustFit(d), ssdrnb.PCA().Dims(5).MustFit(d), ssdrnb.PCA().MustFit(d)
	for what, want := range map[string]string{
		html(viz.Compare(three, two, five)): "Only the first two are drawn: FME has 3 dimensions, PCA has 5 dimensions.",
		html(viz.Embedding(five)):           "Only the first three are drawn: PCA has 5 dimensions.",
		html(viz.Multiples(viz.Group{Title: "all", Models: []viz.Embedded{two, five}})): "Only the first two are drawn: PCA has 5 dimensions.",
	} {
		if !strings.Contains(what, want) {
			t.Errorf("no sentence %q", want)
		}
	}
	reduced, err := three.Reduce(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []viz.Figure{viz.Embedding(three), viz.Compare(two, reduced)} {
		if strings.Contains(html(f), "are drawn:") {
			t.Error("a plot of all dimensions claims to show only some")
		}
	}
}

// Names come from users' files and must not become part of the page.
func TestNamesAreNoHTML(t *testing.T) {
	evil := `</script><script>alert(1)</script><img src=x onerror=alert(1)>`
	d := datasets.Iris()
	d.Name, d.ClassNames = evil, []string{evil, evil, evil}
	m := ssdrnb.LDA().MustFit(d)
	for _, f := range []viz.Figure{viz.Embedding(m), viz.Compare(m, m), viz.Embedding(m).Title(evil)} {
		page, err := f.Page("")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img src=x") {
			t.Error("a name has become HTML")
		}
	}
}

func TestConvergence(t *testing.T) {
	d := datasets.Iris().KeepLabels(10)
	f := viz.Convergence(ssdrnb.TRSDA().MustFit(d), ssdrnb.TRSDA().Solver(ssdrnb.ITRScore).MustFit(d))
	if got := fmt.Sprint(kinds(payload(t, f))); got != "[line line line line]" {
		t.Errorf("series %s", got)
	}
	if viz.Convergence(ssdrnb.PCA().MustFit(d)).Err() == nil {
		t.Error("PCA has no convergence to draw")
	}
}

func TestMesh(t *testing.T) {
	d := datasets.Iris().KeepLabels(10)
	r := ssdrnb.Sweep(ssdrnb.SDA(), d).List("neighbors", 3, 5, 9).Log10("manifold", -1, 1, 1).MustRun()
	p := payload(t, viz.Mesh(r))
	if got := fmt.Sprint(kinds(p)); got != "[surface]" {
		t.Errorf("series %s: dots instead of a mesh?", got)
	}
	if extra := p["extra"].(map[string]any); fmt.Sprint(extra["x"], extra["y"]) != "[3 5 9] [0.1 1 10]" {
		t.Errorf("axes %v", extra)
	}
	one := ssdrnb.Sweep(ssdrnb.SDA(), d).List("neighbors", 3, 5).MustRun()
	for name, f := range map[string]viz.Figure{"one axis": viz.Mesh(one), "nil": viz.Mesh(nil)} {
		if f.Err() == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := f.Bundle(); err == nil {
			t.Errorf("%s: a bundle without a figure", name)
		}
	}
}

// The axis and the colour scale of scores have a length and few steps, also if all scores are equal.
func TestScalesOfMesh(t *testing.T) {
	t.Parallel()
	r := ssdrnb.Sweep(ssdrnb.SDA(), datasets.Iris().KeepLabels(10)).List("neighbors", 3, 5).Log10("manifold", 0, 1, 1).MustRun()
	for _, scores := range [][2]float64{{1, 1}, {0, 0}, {0.9, 0.9 + 2e-16}, {0.9, 0.900001}, {0, 1}, {0.4, 0.7}} {
		one := *r
		one.Unlabelled = []ssdrnb.Cell{{Scores: scores[:1]}, {Scores: scores[1:]}, {Scores: scores[:1]}, {Scores: scores[:1]}}
		p := payload(t, viz.Mesh(&one))
		z := p["option"].(map[string]any)["zAxis3D"].([]any)[0].(map[string]any)
		colors := scales(p)[0]
		for name, a := range map[string]map[string]any{"axis": z, "colour scale": colors} {
			if lo, hi := a["min"].(float64), a["max"].(float64); !(lo < hi && lo <= scores[0] && hi >= scores[1]) {
				t.Errorf("scores %v: the %s is from %v to %v", scores, name, lo, hi)
			}
		}
		if steps := (z["max"].(float64) - z["min"].(float64)) / z["interval"].(float64); steps < 1 || steps > 9 {
			t.Errorf("scores %v: %g steps from %v to %v", scores, steps, z["min"], z["max"])
		}
	}
}

// Cells of a heat map leave no seams: each extends below the next ones.
func TestMeshHasNoSeams(t *testing.T) {
	r := ssdrnb.Sweep(ssdrnb.SDA(), datasets.Iris().KeepLabels(10)).List("neighbors", 3, 5, 9).Log10("manifold", -1, 1, 1).MustRun()
	f := viz.Mesh(r).Size(733, 472) // edges between pixels
	path := filepath.Join(t.TempDir(), "mesh.svg")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	type cell struct{ left, right, top, bottom float64 }
	var cells []cell
	for _, m := range regexp.MustCompile(`<path d="M([\d.]+) ([\d.]+)L[\d.]+ [\d.]+L([\d.]+) ([\d.]+)L[\d.]+ [\d.]+Z" fill="#`).FindAllStringSubmatch(string(text), -1) {
		var v [4]float64
		for k := range v {
			v[k], _ = strconv.ParseFloat(m[k+1], 64)
		}
		cells = append(cells, cell{v[0], v[2], v[3], v[1]})
	}
	if len(cells) != 9 {
		t.Fatalf("%d cells of 3 × 3 in %.1000s", len(cells), text)
	}
	for k, c := range cells {
		if k%3 < 2 && c.right < cells[k+1].left+2 || k < 6 && c.top > cells[k+3].bottom-2 {
			t.Errorf("cell %d ends where the next begins: %+v", k, c)
		}
		if k%3 == 2 && c.right != cells[2].right || k > 5 && c.top != cells[6].top {
			t.Errorf("cell %d leaves the panel: %+v", k, c)
		}
	}
	picture, err := f.PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	// A column of pixels beside the numbers has the frame's line, three colours, and mixtures of
	// two of them.
	scale := float64(img.Bounds().Dy()) / (472 * 0.75)
	x := int((cells[0].left + 5) * scale)
	bright := func(y int) int {
		r, g, b, _ := img.At(x, y).RGBA()
		return int(r+g+b) >> 8
	}
	for y := int(cells[6].top*scale) + 3; y < int(cells[0].bottom*scale)-3; y++ {
		if bright(y) > max(bright(y-1), bright(y+1))+6 {
			t.Errorf("pixel %d is brighter than those above and below it: %d, %d, %d", y, bright(y-1), bright(y), bright(y+1))
		}
	}
}

func TestSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	sizes := map[int]int{150: 140 << 10, 20_000: 3 << 20}
	for n, limit := range sizes {
		x := mat.NewDense(n, 2, nil)
		labels := make([]int, n)
		for i := range n {
			labels[i] = i % 5
			x.SetRow(i, []float64{rng.NormFloat64() + float64(labels[i]), rng.NormFloat64()})
		}
		bundle, err := viz.Embedding(ssdrnb.PCA().MustFit(ssdrnb.NewData(x, labels))).Bundle()
		if err != nil {
			t.Fatal(err)
		}
		if got := len(bundle["text/html"].(string)); got > limit {
			t.Errorf("%d samples take %d bytes of HTML", n, got)
		}
	}
}

// A page with embedded scripts loads none of them; for three dimensions it states that echarts-gl
// is included.
func TestPageWithScripts(t *testing.T) {
	for dims, want := range map[int]bool{2: false, 3: true} {
		page, err := viz.Embedding(ssdrnb.PCA().Dims(dims).MustFit(datasets.Iris())).Page("var given = 1; // </script>")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page, `var given = 1; // <\/script>`) || strings.Contains(page, "window.__ssdrnbInlineGL = true") != want {
			t.Errorf("%d dimensions: the scripts are not in the page as they should be", dims)
		}
	}
}

// A failed fit returns a nil model: the figure reports this instead of ending the cell.
func TestNoModel(t *testing.T) {
	var none *ssdrnb.Model
	for name, f := range map[string]viz.Figure{
		"embedding": viz.Embedding(none), "comparison": viz.Compare(none), "convergence": viz.Convergence(none),
		"boundaries": viz.Boundaries(none), "pairs": viz.PairLinks(none), "mesh": viz.Mesh(nil),
		"field": viz.Field(viz.Around(none)), "uncertainty": viz.Field(viz.Uncertainty(none)), "nothing": viz.Embedding(nil),
	} {
		if f.Err() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Compare takes a slice of models.
func TestCompareTakesASlice(t *testing.T) {
	d := datasets.Iris()
	models := []*ssdrnb.Model{ssdrnb.PCA().MustFit(d), ssdrnb.LDA().MustFit(d)}
	for _, f := range []viz.Figure{viz.Compare(models...), viz.Compare[viz.Embedded](models[0], viz.Samples(d))} {
		if f.Err() != nil || !strings.Contains(f.Text(), "PCA: 150 samples") {
			t.Errorf("%v: %s", f.Err(), f.Text())
		}
	}
}

// Warnings of a model are below each of its figures, one per line.
func TestWarningsStandBelow(t *testing.T) {
	d := datasets.Iris()
	warned := ssdrnb.LDA().Dims(3).MustFit(d)
	words := warned.Report().Warnings
	if len(words) == 0 {
		t.Fatal("LDA in three dimensions of three classes warns of nothing")
	}
	for name, f := range map[string]viz.Figure{
		"embedding": viz.Embedding(warned), "compare": viz.Compare(warned, ssdrnb.PCA().MustFit(d)), "links": viz.GraphLinks(warned, viz.Graph{Weights: mat.NewDense(150, 150, nil)}),
	} {
		bundle, err := f.Bundle()
		if err != nil {
			t.Fatal(err)
		}
		below := strings.Count(bundle["text/html"].(string), `<p class="ssdrnb-note"`)
		want := len(words)
		if name != "links" {
			want++ // the line about neighbourhoods
		}
		if name == "compare" {
			want++ // the line about the preserved part
		}
		if below != want || !strings.Contains(f.Text(), "Warning: "+words[0]) {
			t.Errorf("%s: %d lines below, want %d; in words %s", name, below, want, f.Text())
		}
	}
}

// A few samples far away do not compress the others, and a line states their number.
func TestFarSamplesAreLeftOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := mat.NewDense(303, 2, nil)
	for i := range 303 {
		x.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
	}
	for i := range 3 {
		x.Set(i, 0, 1e4*float64(i+1))
	}
	f := viz.Compare(viz.Samples(ssdrnb.NewData(x, nil)))
	axis := payload(t, f)["option"].(map[string]any)["xAxis"].([]any)[0].(map[string]any)
	if lo, hi := axis["min"].(float64), axis["max"].(float64); hi-lo > 20 || !strings.Contains(f.Text(), "3 of 303 samples are far away") {
		t.Errorf("the axis reaches from %g to %g; in words %s", lo, hi, f.Text())
	}
	// A heavy tail is not cut off.
	for i := range 303 {
		x.Set(i, 0, math.Exp(2*rng.NormFloat64()))
	}
	if f = viz.Compare(viz.Samples(ssdrnb.NewData(x.Slice(0, 40, 0, 2).(*mat.Dense), nil))); strings.Contains(f.Text(), "far away") {
		t.Errorf("of forty samples some are left out: %s", f.Text())
	}
}

// If no script runs, one line explains why the figure is static and what to do.
func TestStaticLine(t *testing.T) {
	m := ssdrnb.PCA().MustFit(datasets.Iris())
	for f, want := range map[string]int{figureHTML(t, viz.Compare(m)): 1, figureHTML(t, viz.Multiples(viz.Group{Title: "a", Models: []viz.Embedded{m}})): 0} {
		if got := strings.Count(f, "trust the notebook"); got != want {
			t.Errorf("%d lines, want %d", got, want)
		}
	}
}

func figureHTML(t *testing.T, f viz.Figure) string {
	t.Helper()
	bundle, err := f.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	return bundle["text/html"].(string)
}

// A figure is saved as an image, or as a page with the scripts installed by install.sh.
func TestSave(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "web"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"echarts", "echarts-gl"} {
		if err := os.WriteFile(filepath.Join(home, "web", name+".min.js"), []byte("/* the source of "+name+" */"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	flat, deep := viz.Embedding(ssdrnb.PCA().MustFit(datasets.Iris())), viz.Embedding(ssdrnb.PCA().Dims(3).MustFit(datasets.Iris()))
	saved := func(f viz.Figure, name string) string { return savedAs(t, f, filepath.Join(dir, name)) }
	if _, err := png.Decode(strings.NewReader(saved(flat, "flat.png"))); err != nil {
		t.Error(err)
	}
	t.Setenv("SSDRNB_HOME", home)
	for name, f := range map[string]viz.Figure{"flat.html": flat, "deep.html": deep} {
		page := saved(f, name)
		if got, want := strings.Contains(page, "the source of echarts-gl */"), name == "deep.html"; got != want || !strings.Contains(page, "the source of echarts */") || !strings.Contains(page, `name="color-scheme"`) {
			t.Errorf("%s: ECharts GL %v, page %.300s", name, got, page)
		}
	}
	t.Setenv("SSDRNB_HOME", filepath.Join(home, "absent"))
	if page := saved(flat, "flat.html"); strings.Contains(page, "the source of") || !strings.Contains(page, "ssdrnb-figure") {
		t.Errorf("without ECharts: page %.300s", page)
	}
	// Vector formats have a width in millimetres, and keep text as text.
	for width, f := range map[string]viz.Figure{"85": flat.Width(85), "170": flat, "300": viz.Multiples(viz.Group{Title: "all", Models: []viz.Embedded{ssdrnb.PCA().MustFit(datasets.Iris())}}).Width(300)} {
		svg := saved(f, "figure.svg")
		_, after, _ := strings.Cut(svg, `width="`)
		after, _, _ = strings.Cut(after, "pt")
		if points, err := strconv.ParseFloat(after, 64); err != nil || fmt.Sprintf("%.0f", points/72*25.4) != width {
			t.Errorf("an SVG of %g points, want %s mm: %v", points, width, err)
		}
		if !strings.Contains(svg, ">setosa</text>") {
			t.Errorf("%s mm: no text in %.300s", width, svg)
		}
		if pdf := saved(f, "figure.pdf"); !strings.HasPrefix(pdf, "%PDF-") || !strings.Contains(pdf, "/Font") {
			t.Errorf("%s mm: no PDF with fonts: %.100q", width, pdf)
		}
	}
	if raw := saved(flat.Title("λ ≥ 3 – Größe"), "figure.pdf"); !strings.HasPrefix(raw, "%PDF-") {
		t.Error("no PDF with Greek letters")
	}
	if err := flat.Width(3).Save(filepath.Join(dir, "flat.svg")); err == nil || !strings.Contains(err.Error(), "give 30 to 1000") {
		t.Errorf("3 mm: %v", err)
	}
	for name, f := range map[string]viz.Figure{"flat.tiff": flat, "flat": flat, "failed.png": viz.Compare[*ssdrnb.Model](), "no/folder/flat.png": flat} {
		if err := f.Save(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is saved", name)
		} else if name == "flat.tiff" && !strings.Contains(err.Error(), ".png, .svg, .pdf or .html") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// savedAs saves a figure and returns the content of the file.
func savedAs(t *testing.T, f viz.Figure, path string) string {
	t.Helper()
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Every kind of figure is described in package schema, so that the extension draws it in untrusted
// notebooks, and is covered by the attack tests.
func TestKinds(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	described, made := schema.Figures(), map[string]bool{}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`Figure\{kind: "(\w+)"|f\.kind, f\.title = "(\w+)"`).FindAllStringSubmatch(string(raw), -1) {
			kind := found[1] + found[2]
			if made[kind] = true; described[kind] == nil && kind != "tree" { // a static image alone
				t.Errorf("%s makes figures of kind %q, which viz/schema does not describe", name, kind)
			}
		}
	}
	for kind := range described {
		if !made[kind] {
			t.Errorf("viz/schema describes the kind %q, which nothing makes", kind)
		}
	}
}
