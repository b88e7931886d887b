package viz

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

var update = flag.Bool("update", false, "write js/testdata anew")

// rules are cases of functions that exist in Go and in the page's script.
type rules struct {
	Panels []panelsCase `json:"panels"`
	Grades []gradesCase `json:"grades"`
	Shades []shadeCase  `json:"shades"`
	Colors []colorCase  `json:"colors"`
	Places []placesCase `json:"places"`
	// Labels of logarithmic axes.
	Factors []factorsCase `json:"factors"`
}

// factorsCase has the labels of a logarithmic axis. A character is 7 pixels wide.
type factorsCase struct {
	Lo     float64  `json:"lo"`
	Hi     float64  `json:"hi"`
	Length float64  `json:"length"`
	Labels []string `json:"labels"`
}

// panelsCase has positions of panels: left, top, width and height of each.
type panelsCase struct {
	Layout *layout      `json:"layout"`
	Width  float64      `json:"width"`
	Fixed  float64      `json:"fixed"` // height, 0 if the layout decides
	Height float64      `json:"height"`
	Boxes  [][4]float64 `json:"boxes"`
}

// gradesCase has the marks of a line: their centres, and where the numbers begin. A character is 7
// pixels wide.
type gradesCase struct {
	Grade chart.Grade  `json:"grade"`
	Left  float64      `json:"left"`
	Right float64      `json:"right"`
	Name  string       `json:"name"`
	Marks [][2]float64 `json:"marks"`
}

// shadeCase is the opacity of a pixel of densely drawn samples.
type shadeCase struct {
	Count float64 `json:"count"`
	Mean  float64 `json:"mean"`
	Shade float64 `json:"shade"`
}

// colorCase is a colour of the diverging scale.
type colorCase struct {
	Share float64 `json:"share"`
	Color [3]int  `json:"color"`
}

// placesCase has the coordinates of samples in the data, the distances of the first to all, and the
// median distance of two samples.
type placesCase struct {
	Places   *chart.Places `json:"places"`
	N        int           `json:"n"`
	Distance []float64     `json:"distance"`
	Usual    float64       `json:"usual"`
}

// apartBy is the distance of two samples by their coordinates.
func apartBy(p *chart.Places, i, j int) float64 {
	of, err := base64.StdEncoding.DecodeString(p.Of)
	if err != nil || i == j {
		return 0
	}
	at := func(i, c int) float64 { return float64(of[i*p.Dims+c]) - 128 }
	last := p.Dims - 1
	sum := at(i, last)*at(i, last) + at(j, last)*at(j, last)
	for c := range last {
		sum += (at(i, c) - at(j, c)) * (at(i, c) - at(j, c))
	}
	return p.Unit * math.Sqrt(sum)
}

// scattered returns coordinates of 20 samples.
func scattered() placesCase {
	c := placesCase{Places: &chart.Places{Dims: 3, Unit: 0.25}, N: 20}
	var of []byte
	for k := range 3 * c.N {
		v := byte(37 * k * k % 256)
		if k%3 == 2 { // a length
			v = 128 + v/2
		}
		of = append(of, v)
	}
	c.Places.Of = base64.StdEncoding.EncodeToString(of)
	var all []float64
	for i := range c.N {
		c.Distance = append(c.Distance, apartBy(c.Places, 0, i))
		for j := range i {
			all = append(all, apartBy(c.Places, i, j))
		}
	}
	slices.Sort(all)
	c.Usual = all[len(all)/2]
	return c
}

// sharedRules computes the cases.
func sharedRules() rules {
	var r rules
	for k := range 30 {
		l := &layout{Count: []int{1, 2, 3, 5, 7, 12}[k%6], Most: []int{4, 2, 3, 6}[k%4], Least: []float64{200, 330, 80}[k%3], High: []float64{340, 520}[k%2], Head: titleHeight,
			Above: []float64{4, captionHeight}[k/2%2], Below: float64(12 * (k % 5)), Left: float64(14 + 11*(k%7)), Gap: float64(10 + 23*(k%3)), Right: 12, Foot: gradeHeight * float64(k%3), Kept: k%4 == 1}
		if k%3 > 0 {
			l.Legend = float64(100 + 10*k)
		}
		for p := range l.Count {
			l.Ratio = append(l.Ratio, []float64{0.6, 0.85, 1, 1.7}[(p+k)%4])
		}
		c := panelsCase{Layout: l, Width: []float64{1600, 960, 700, 561, 412}[k%5]}
		if k%7 == 3 {
			c.Fixed = 450
		}
		if c.Width < narrowest {
			l.Legend = 0 // the page puts it below the panels
		}
		boxes, height := l.place(c.Width, c.Fixed)
		for _, b := range boxes {
			c.Boxes = append(c.Boxes, [4]float64{b.x, b.y, b.w, b.h})
		}
		c.Height = math.Ceil(height)
		if c.Fixed > 0 {
			c.Height = c.Fixed
		}
		r.Panels = append(r.Panels, c)
	}
	for _, name := range []string{"age", "petal length (cm)", "a quantity with a name that is longer than most figures are wide, in cm", "\U0001F600 \U0001F600 \U0001F600 \U0001F600 \U0001F600 \U0001F600 \U0001F600 \U0001F600"} {
		for _, right := range []float64{200, 420, 960} {
			c := gradesCase{Grade: chart.Grade{Name: name, Names: []string{"≤ 0.1", "3.4", "≥ 6.9"}, Diameters: []float64{3, 10.5, 18}, Opacities: []float64{0.6, 0.6, 0.6}}, Left: 58, Right: right}
			cut, marks := gradeMarks(c.Grade, c.Left, c.Right, func(text string) float64 { return 7 * float64(len([]rune(text))) })
			c.Name = cut
			for _, m := range marks {
				c.Marks = append(c.Marks, [2]float64{m.center, m.text})
			}
			r.Grades = append(r.Grades, c)
		}
	}
	for _, mean := range []float64{1, 1.4, 3, 40} {
		for _, count := range []float64{0.1, 0.5, 1, 2, 11, 400} {
			r.Shades = append(r.Shades, shadeCase{count, mean, shade(count, mean)})
		}
	}
	for k := range 101 {
		share := float64(k) / 100
		c := look.Between(diverging, share)
		r.Colors = append(r.Colors, colorCase{share, [3]int{int(c.R), int(c.G), int(c.B)}})
	}
	r.Places = []placesCase{scattered()}
	for _, span := range [][2]float64{{5e-6, 2e3}, {0.9, 110}, {2, 95}, {2.1, 2.9}, {3e-9, 0.7}, {0.02, 5}, {1e-300, 1e300}, {1, 10}, {44000, 3e6}, {1200, 1300}} {
		for _, length := range []float64{12, 40, 150, 260, 700, 1500} {
			c := factorsCase{Lo: span[0], Hi: span[1], Length: length, Labels: []string{}}
			for _, v := range factors(c.Lo, c.Hi, length, func(label string) float64 { return 7*float64(len(label)) + 8 }) {
				c.Labels = append(c.Labels, factorLabel(v))
			}
			r.Factors = append(r.Factors, c)
		}
	}
	return r
}

// alike reports whether decoded values are equal up to the last digits of numbers.
func alike(a, b any) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return ok && math.Abs(a-b) <= 1e-9*max(1, math.Abs(a))
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, alike)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k := range a {
			if !alike(a[k], b[k]) {
				return false
			}
		}
		return true
	}
	return a == b
}

func decoded(t *testing.T, raw []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %.200s", err, raw)
	}
	return v
}

// onPage applies the functions of a module of the page to the cases on standard input.
const onPage = `
const { diverging, factorLabel, factors, marks, measurer, panels, shade } = await import(process.argv.at(-1));
let text = "";
for await (const part of process.stdin) text += part;
const cases = JSON.parse(text);
for (const c of cases.panels) {
  const l = c.layout, { boxes, height } = panels(l, c.width, l.right + l.legend, l.head, l.foot, c.fixed);
  Object.assign(c, { height, boxes: boxes.map((b) => [b.left, b.top, b.width, b.height]) });
}
for (const c of cases.grades) {
  const written = [], centres = [];
  marks(c.grade, c.left, c.right, (text) => 7 * [...text].length, (text, x) => written.push([text, x]), (x) => centres.push(x));
  Object.assign(c, { name: written[0][0], marks: centres.map((x, i) => [x, written[i + 1][1]]) });
}
for (const c of cases.shades) c.shade = shade(c.count, c.mean);
for (const c of cases.colors) c.color = diverging(c.share);
for (const c of cases.places) {
  const m = measurer(c.places, c.n);
  Object.assign(c, { distance: c.distance.map((_, i) => m.between(0, i)), usual: m.usual });
}
for (const c of cases.factors)
  c.labels = factors(c.lo, c.hi, c.length, (label) => 7 * label.length + 8).map(factorLabel);
console.log(JSON.stringify(cases));
`

// Functions that exist in both Go and the page's script agree. The cases are in a file that the
// tests of the scripts read too, and this test runs the modules on them.
func TestSharedRules(t *testing.T) {
	want, err := json.MarshalIndent(sharedRules(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got := fixture(t, "rules.json", want)
	out := ranInNode(t, onPage, "rules.js", got)
	page, mine := decoded(t, out).(map[string]any), decoded(t, got).(map[string]any)
	for name, cases := range mine {
		results, _ := page[name].([]any)
		for k, one := range cases.([]any) {
			if k >= len(results) || !alike(one, results[k]) {
				t.Errorf("%s, case %d: the page has %v, and Go %v", name, k, fmt.Sprint(results[min(k, max(len(results)-1, 0)):]), one)
				break
			}
		}
	}
}

// fixture returns the cases in a file that is shared with the tests of the scripts, and checks that
// they equal those computed by Go; -update writes them.
func fixture(t *testing.T, name string, want []byte) []byte {
	t.Helper()
	path := filepath.Join("js", "testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(want, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !alike(decoded(t, got), decoded(t, want)) {
		t.Fatalf("%s is not what Go computes: run go test ./viz -run %s -update", path, t.Name())
	}
	return got
}

// ranInNode runs a script with the address of a module of the page as its argument, and returns its
// output. It skips the rest of the test without Node.
func ranInNode(t *testing.T, script, module string, in []byte) []byte {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node to run the scripts")
	}
	path, err := filepath.Abs(filepath.Join("js", module))
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(node, "--input-type=module", "--eval", script, "file://"+filepath.ToSlash(path))
	run.Stdin = bytes.NewReader(in)
	var faults bytes.Buffer
	run.Stderr = &faults
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, faults.Bytes())
	}
	return out
}
