package tests

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// clouds returns n samples in the plane: the first five, of class 9, are isolated at the left;
// classes 0 and 1 are both at the origin, and classes 2 to 8 on a circle.
func clouds(n int) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(5, 7))
	x, classes := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		c, u, v := i%9, 0.0, 0.0
		if c > 1 {
			u, v = 7*math.Cos(float64(c)), 7*math.Sin(float64(c))
		}
		x.SetRow(i, []float64{u + rng.NormFloat64(), v + rng.NormFloat64()})
		classes[i] = c
	}
	for i := range 5 {
		x.SetRow(i, []float64{-11, float64(9 - i)})
		classes[i] = 9
	}
	return x, classes
}

// weightOf is the size of a figure in a notebook in bytes.
func weightOf(t *testing.T, f viz.Figure) (weight int) {
	t.Helper()
	bundle, err := f.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range bundle {
		switch v := content.(type) {
		case string:
			weight += len(v)
		case []byte:
			weight += base64.StdEncoding.EncodedLen(len(v))
		}
	}
	return weight
}

// charts is the source of the given scripts of install.sh.
func charts(t *testing.T, names ...string) string {
	t.Helper()
	bin, _ := jupyter(t)
	var all strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(bin)), "web", name))
		if err != nil {
			t.Skip(err)
		}
		all.Write(append(text, ";\n"...))
	}
	return all.String()
}

// pageOf writes a figure as a page with these scripts, and returns its path.
func pageOf(t *testing.T, f viz.Figure, scripts string) string {
	t.Helper()
	text, err := f.Page(scripts)
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return page
}

// TestManySamples tests figures of 70,000 and of a million samples: their size in a notebook, their
// content, the sample under the pointer, the selection by a box, and the time per frame.
func TestManySamples(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	for _, c := range []struct{ n, most int }{{70_000, 2 << 20}, {1_000_000, 15 << 20}} {
		t.Run(fmt.Sprint(c.n), func(t *testing.T) {
			if c.n > 100_000 {
				browser.All(t)
			}
			x, classes := clouds(c.n)
			d := ssdrnb.NewData(x, classes).KeepLabels(5)
			began := time.Now()
			f := viz.Embedding(viz.Samples(d))
			weight := weightOf(t, f)
			t.Logf("made in %v; %.2f MB of a notebook", time.Since(began).Round(time.Millisecond), float64(weight)/1e6)
			if weight > c.most {
				t.Errorf("%d bytes in a notebook, more than %d", weight, c.most)
			}
			lookAtMany(newBench(t), pageOf(t, f, scripts), x, classes)
		})
	}
}

func lookAtMany(b *bench, page string, x *mat.Dense, classes []int) {
	const parts = `const figure = document.querySelector(".ssdrnb-figure"), place = figure.querySelector(":scope > div"), chart = echarts.getInstanceByDom(place), axes = {xAxisIndex: 0, yAxisIndex: 0};`
	n := len(classes)
	longest := b.alone()
	b.open(page)
	drawn := func() {
		b.Helper()
		b.until(time.Minute, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
	}
	drawn()
	b.Logf("drawn: longest task %.0f ms", longest())
	size := fmt.Sprint(n)
	b.shot("many-" + size)
	painted := func(what string, want int) {
		b.Helper()
		b.until(patience, fmt.Sprintf("%s %d samples are painted", what, want), `want => Number(document.querySelector(".ssdrnb-figure").dataset.painted) === want`, want)
	}
	painted("of all", n)

	// Neither of the two classes at the same position covers the other.
	if c := ask[[]float64](b.T, b.tab, `() => {`+parts+`
		const at = chart.convertToPixel(axes, [0, 0]), s = devicePixelRatio, d = figure.querySelector(".ssdrnb-many").getContext("2d").getImageData(at[0] * s - 15, at[1] * s - 15, 30, 30).data, sum = [0, 0, 0, 0];
		for (let p = 0; p < d.length; p += 4) { sum[3] += d[p + 3]; for (let c = 0; c < 3; c++) { sum[c] += d[p + c] * d[p + 3]; } }
		return [sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]];
	}`); math.Abs(c[0]-0xe6/2) > 20 || math.Abs(c[1]-(0x72+0x9f)/2) > 20 || math.Abs(c[2]-0xb2/2) > 20 {
		b.Errorf("where classes 0 (#0072b2) and 1 (#e69f00) are mixed the colour is %.0f", c)
	}

	// The isolated sample is under the pointer.
	type point struct{ X, Y float64 }
	pixel := func(u, v float64) point {
		return ask[point](b.T, b.tab, `(u, v) => {`+parts+` const p = chart.convertToPixel(axes, [u, v]), r = place.getBoundingClientRect(); return {X: r.x + p[0], Y: r.y + p[1]}; }`, u, v)
	}
	at := pixel(-11, 9)
	b.must(b.tab.Mouse.MoveTo(proto.Point{X: at.X + 30, Y: at.Y + 3}))
	b.must(b.tab.Mouse.MoveTo(proto.Point{X: at.X + 3, Y: at.Y + 3}))
	b.until(patience, "the card of sample 0", `() => { const f = document.querySelector(".ssdrnb-figure"); return f.dataset.hovered === "0" && f.querySelector(".ssdrnb-card").innerText.startsWith("sample 0: 9"); }`)
	b.shot("many-hover-" + size)
	longest()
	took := ask[[]float64](b.T, b.tab, `async () => {`+parts+`
		const r = place.getBoundingClientRect(), out = [];
		for (let k = 0; k < 20; k++) {
			place.dispatchEvent(new MouseEvent("mousemove", {clientX: r.x + 100 + 15 * k, clientY: r.y + 100 + 10 * k, bubbles: true}));
			const began = performance.now();
			await new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)));
			out.push(performance.now() - began);
		}
		return out;
	}`)
	slices.Sort(took)
	b.Logf("hover: two frames with a card take %.0f ms in the median, at most %.0f; longest task %.0f ms", took[10], took[19], longest())
	b.must(b.tab.Mouse.MoveTo(proto.Point{X: 1, Y: 1}))
	b.until(patience, "the card is gone", `() => document.querySelector(".ssdrnb-card").style.display === "none"`)

	// A hidden class is not painted.
	of3 := 0
	for _, c := range classes {
		if c == 3 {
			of3++
		}
	}
	toggle := `() => {` + parts + ` chart.dispatchAction({type: "legendToggleSelect", name: "3"}); return true; }`
	ask[bool](b.T, b.tab, toggle)
	painted("without class 3", n-of3)
	ask[bool](b.T, b.tab, toggle)
	painted("with class 3 again", n)

	// A box selects the samples in it: positions are rounded to a step of the axis.
	press := func(title string) {
		b.Helper()
		ask[bool](b.T, b.tab, `title => { Array.from(document.querySelectorAll(".ssdrnb-tools button")).find(b => b.title.startsWith(title)).click(); return true; }`, title)
	}
	press("Select with a box")
	lo, hi := pixel(-11.5, 8.5), pixel(-6.5, 2)
	b.must(b.tab.Mouse.MoveTo(proto.Point{X: lo.X, Y: lo.Y}))
	b.must(b.tab.Mouse.Down(proto.InputMouseButtonLeft, 1))
	b.must(b.tab.Mouse.MoveLinear(proto.Point{X: hi.X, Y: hi.Y}, 5))
	b.must(b.tab.Mouse.Up(proto.InputMouseButtonLeft, 1))
	inside := func(margin float64) (count int) {
		for i := range n {
			if u, v := x.At(i, 0), x.At(i, 1); u > -11.5-margin && u < -6.5+margin && v > 2-margin && v < 8.5+margin {
				count++
			}
		}
		return count
	}
	b.until(patience, "the selection is listed", `() => !!document.querySelector(".ssdrnb-selection") && Number(document.querySelector(".ssdrnb-figure").dataset.marked) > 0`)
	var count int
	said := ask[string](b.T, b.tab, `() => document.querySelector(".ssdrnb-selection").innerText`)
	// The mouse rounds to pixels.
	step := 30 / ask[float64](b.T, b.tab, `() => {`+parts+` return Math.abs(chart.convertToPixel(axes, [30, 0])[0] - chart.convertToPixel(axes, [0, 0])[0]); }`)
	if _, err := fmt.Sscanf(strings.TrimSpace(said), "%d of "+size+" samples selected", &count); err != nil || count < inside(-step) || count > inside(step) || inside(0) < 100 {
		b.Errorf("the box holds %d samples, from %d to %d with a pixel more or less: %.100q", inside(0), inside(-step), inside(step), said)
	}
	b.shot("many-selected-" + size)
	press("Select with a box")

	// Frames while panning, and points instead of a density when zoomed in.
	press("Zoom in")
	frames := ask[[]float64](b.T, b.tab, `async () => {`+parts+`
		const out = [];
		for (let k = 0; k < 40; k++) {
			const z = 20 + 10 * Math.sin(k / 5);
			[0, 1].forEach(i => chart.dispatchAction({type: "dataZoom", dataZoomIndex: i, start: z, end: z + 60}));
			await new Promise(f => requestAnimationFrame(() => setTimeout(f, 0)));
			out.push(Number(figure.dataset.frame));
		}
		return out;
	}`)
	slices.Sort(frames)
	b.Logf("moved: a frame of %d samples is painted in %.1f ms in the median, at most %.1f; longest task %.0f ms", n, frames[20], frames[39], longest())
	ask[bool](b.T, b.tab, `() => {`+parts+` [0, 1].forEach(i => chart.dispatchAction({type: "dataZoom", dataZoomIndex: i, start: 49, end: 50})); return true; }`)
	b.until(patience, "few samples are near by", `() => { const seen = Number(document.querySelector(".ssdrnb-figure").dataset.painted); return seen > 0 && seen < 10000; }`)
	b.shot("many-near-" + size)
	press("Show all again")
	painted("of all again", n)

	// On a dark page.
	b.must(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}.Call(b.tab))
	b.open(page)
	drawn()
	b.shot("many-dark-" + size)
	b.clean()
}
