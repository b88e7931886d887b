package tests

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// customers is a table of 800 customers with text, gaps, a date and two noise columns. Every fifth
// differs in age, pharmacy and groceries.
func customers(t *testing.T) *ssdrnb.Data {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 9))
	var b strings.Builder
	b.WriteString("customer,city,joined,age,income,pharmacy,groceries,noise 1,noise 2\n")
	for i := range 800 {
		in := 0.0
		if i%5 == 0 {
			in = 1
		}
		income := fmt.Sprint(20000 + rng.IntN(50000))
		if rng.IntN(8) == 0 {
			income = ""
		}
		city := []string{"", "Bern", "Basel", "Genf"}[rng.IntN(4)]
		fmt.Fprintf(&b, "c%04d,%s,2024-%02d-%02d,%.0f,%s,%.2f,%.2f,%.3f,%.3f\n", i, city, 1+rng.IntN(12), 1+rng.IntN(28),
			40+30*in+7*rng.NormFloat64(), income, 20+50*in+10*rng.NormFloat64(), 200+190*in+50*rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
	}
	path := filepath.Join(t.TempDir(), "customers.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := datasets.ReadTable(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := table.Data()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// contrasted is the text below a figure about a selection.
type contrasted struct {
	Said, Note string
	Rows       [][]string // feature, δ, medians
	Usual      []string
	Took       float64
}

const readContrast = `() => {
	const part = document.querySelector(".ssdrnb-different");
	if (!part || part.style.display === "none") { return null; }
	const rows = Array.from(part.querySelectorAll("tbody tr"));
	return {Said: part.querySelector("[role=status]").textContent, Note: part.lastElementChild.textContent, Took: Number(part.dataset.took || 0),
		Rows: rows.map(tr => Array.from(tr.cells).filter((_, k) => k !== 1).map(c => c.textContent)), Usual: rows.map(tr => tr.dataset.usual || "")};
}`

// lassoed draws a lasso over a part of the first panel of the figure, given as fractions of its
// frame, and returns the output shown meanwhile.
func lassoed(b *bench, corners ...[2]float64) *contrasted {
	b.Helper()
	at := ask[box](b.T, b.tab, `() => { const place = document.querySelector(".ssdrnb-chart"), r = place.getBoundingClientRect(), g = echarts.getInstanceByDom(place).getOption().grid[0];
		return {X: r.x + g.left, Y: r.y + g.top, Width: g.width, Height: g.height}; }`)
	for k, c := range corners {
		p := proto.Point{X: at.X + c[0]*at.Width, Y: at.Y + c[1]*at.Height}
		if k == 0 {
			b.must(b.tab.Mouse.MoveTo(p))
			b.must(b.tab.Mouse.Down(proto.InputMouseButtonLeft, 1))
			continue
		}
		b.must(b.tab.Mouse.MoveLinear(p, 8))
	}
	var live *contrasted
	poll(patience/10, 0, func() bool {
		live = ask[*contrasted](b.T, b.tab, readContrast)
		return live != nil
	})
	b.must(b.tab.Mouse.Up(proto.InputMouseButtonLeft, 1))
	return live
}

// press presses a button of the page by its text or the beginning of its title.
func press(b *bench, name string) {
	b.Helper()
	b.until(patience, "there is the button "+name, `name => {
		const button = Array.from(document.querySelectorAll("button")).find(b => (b.textContent === name || b.title.startsWith(name)) && b.offsetParent);
		if (button) { button.click(); }
		return !!button;
	}`, name)
}

// TestContrastInPage draws a lasso around customers of one kind: during the lasso and afterwards
// the differences are listed below the figure, in agreement with ssdrnb.Contrast.
func TestContrastInPage(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	d := customers(t)
	// The embedding separates the kinds from left to right.
	m := ssdrnb.PCA().Dims(2).MustFit(d)
	y := m.Embedding()
	b := newBench(t)
	b.open(pageOf(t, viz.Embedding(m).Contrast(), scripts))
	b.until(patience, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
	press(b, "Select with a lasso")
	// All samples beyond the gap on the side of the older customers.
	split, right := 0.0, true
	{
		var in, out []float64
		for i := range 800 {
			if i%5 == 0 {
				in = append(in, y.At(i, 0))
			} else {
				out = append(out, y.At(i, 0))
			}
		}
		slices.Sort(in)
		slices.Sort(out)
		if right = in[80] > out[320]; right {
			split = (in[4] + out[len(out)-5]) / 2
		} else {
			split = (in[len(in)-5] + out[4]) / 2
		}
	}
	share := ask[float64](t, b.tab, `v => { const c = echarts.getInstanceByDom(document.querySelector(".ssdrnb-chart")), g = c.getOption().grid[0]; return (c.convertToPixel({xAxisIndex: 0}, v) - g.left) / g.width; }`, split)
	from, to := share, 0.998
	if !right {
		from, to = 0.002, share
	}
	live := lassoed(b, [2]float64{from, 0.01}, [2]float64{to, 0.01}, [2]float64{to, 0.99}, [2]float64{from, 0.99})
	if live == nil || len(live.Rows) == 0 || !slices.Contains([]string{"age", "pharmacy", "groceries"}, live.Rows[0][0]) {
		t.Errorf("text below the figure while the lasso moves: %+v", live)
	}
	var at contrasted
	b.until(patience, "the selection is compared and judged", `() => {
		const rows = document.querySelectorAll(".ssdrnb-different tbody tr");
		return rows.length > 5 && Array.from(rows).every(tr => tr.dataset.usual);
	}`)
	at = *ask[*contrasted](t, b.tab, readContrast)
	var rows []int
	for i := range 800 {
		if y.At(i, 0) > split == right {
			rows = append(rows, i)
		}
	}
	table := ssdrnb.Contrast(d, rows).In(m)
	if table.Err() != nil {
		t.Fatal(table)
	}
	if want := fmt.Sprintf("%d samples against the %d others.", len(rows), 800-len(rows)); at.Said != want {
		t.Errorf("the page shows %q, want %q", at.Said, want)
	}
	want := table.Rows()
	var names []string
	for k, r := range at.Rows {
		names = append(names, strings.TrimSuffix(r[0], " *"))
		in, out := want[k].Medians()
		delta := strings.Replace(fmt.Sprintf("%+.2f", want[k].Delta), "-", "−", 1)
		if got := append([]string{names[k]}, r[1:]...); !slices.Equal(got, []string{want[k].Label(), delta, got[2], got[3]}) {
			t.Errorf("row %d is %q, in Go %+v", k, got, want[k])
		}
		if k < 3 && (!near(r[2], in) || !near(r[3], out)) {
			t.Errorf("row %d has the medians %s and %s, in Go %s and %s", k, r[2], r[3], in, out)
		}
		if usual := numeral(t, at.Usual[k]); math.Abs(usual-want[k].Usual) > 0.03 {
			t.Errorf("row %d: usual is %.3f, in Go %.3f", k, usual, want[k].Usual)
		}
	}
	top := slices.Sorted(slices.Values(names[:3]))
	if !slices.Equal(top, []string{"age", "groceries", "pharmacy"}) {
		t.Errorf("on top are %q", names)
	}
	for k, r := range at.Rows[3:] {
		if strings.HasPrefix(r[0], "noise") && math.Abs(numeral(t, strings.Replace(r[1], "−", "-", 1))) > 0.25 {
			t.Errorf("noise is at %d: %q", k+3, r)
		}
	}
	shot(t, b.tab, box{0, 0, 1300, 1000}, "contrast")

	// Against another group kept by the reader: first the same group, then one that shares samples.
	press(b, "Compare with another group")
	b.until(patience, "the page asks for the other group", `() => /^[0-9]+ samples kept\. Now select/.test(document.querySelector(".ssdrnb-different [role=status]").textContent)`)
	ask[bool](t, b.tab, `() => { scrollTo(0, 0); return true; }`)
	lassoed(b, [2]float64{0.002, 0.01}, [2]float64{0.998, 0.01}, [2]float64{0.998, 0.99}, [2]float64{0.002, 0.99})
	b.until(patience, "the page says that samples are in both groups", `() => /samples are in both groups/.test(document.querySelector(".ssdrnb-different [role=status]").textContent)`)
	if right {
		from, to = 0.002, share
	} else {
		from, to = share, 0.998
	}
	lassoed(b, [2]float64{from, 0.01}, [2]float64{to, 0.01}, [2]float64{to, 0.99}, [2]float64{from, 0.99})
	b.until(patience, "the others are compared with the kept group", fmt.Sprintf(`() => /^[0-9]+ samples against %d samples\.$/.test(document.querySelector(".ssdrnb-different [role=status]").textContent)`, len(rows)))
	back := ask[*contrasted](t, b.tab, readContrast)
	if len(back.Rows) == 0 || !slices.Contains(names[:3], back.Rows[0][0]) || !strings.HasPrefix(back.Rows[0][1], "−") {
		t.Errorf("the others against the group: %+v", back)
	}
	press(b, "Compare with all others")

	// By keys: the tabs are one tab stop, and arrows move between them.
	b.until(patience, "the tab has the focus", `() => { const t = document.querySelector(".ssdrnb-selection [role=tab][aria-selected=true]"); t.focus(); return document.activeElement === t && t.textContent === "What is different"; }`)
	b.must(b.tab.Keyboard.Press(input.ArrowLeft))
	b.must(b.tab.Keyboard.Release(input.ArrowLeft))
	b.until(patience, "the rows are shown", `() => document.activeElement.textContent === "Rows" && document.querySelector(".ssdrnb-different").style.display === "none" && document.querySelectorAll(".ssdrnb-selection [role=tabpanel]").length === 2`)
	b.clean()
}

// near reports whether two numbers given as text differ by less than 2 %.
func near(a, b string) bool {
	var v, w float64
	if n, _ := fmt.Sscan(a, &v); n == 0 {
		return a == b
	}
	_, _ = fmt.Sscan(b, &w)
	return math.Abs(v-w) <= 0.02*math.Abs(w)
}

func numeral(t *testing.T, text string) (v float64) {
	t.Helper()
	if _, err := fmt.Sscan(text, &v); err != nil {
		t.Errorf("%q is no number", text)
	}
	return v
}

// TestTreeInPage hovers over and selects icicles of a tree beside an embedding of its samples, and
// samples of the embedding.
func TestTreeInPage(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	digits := datasets.Digits()
	m := ssdrnb.PCA().Dims(2).MustFit(digits)
	found := ssdrnb.Clusters().MustFind(digits.HideLabels())
	tree, err := viz.Tree(found).Page("")
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := viz.Embedding(m).Contrast().Page(scripts)
	if err != nil {
		t.Fatal(err)
	}
	_, tree, _ = strings.Cut(tree, "<body")
	_, tree, _ = strings.Cut(tree, ">")
	tree = strings.TrimSuffix(tree, "</body></html>\n")
	page := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(page, []byte(strings.TrimSuffix(pictures, "</body></html>\n")+tree+"</body></html>\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	must := b.must
	must(b.tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 900, Height: 1500, DeviceScaleFactor: 1}))
	b.open(page)
	b.until(patience, "both are drawn", `() => { const all = document.querySelectorAll(".ssdrnb-figure"); return all.length === 2 && Array.from(all).every(f => f.dataset.drawn === "yes"); }`)
	// Selecting an icicle by mouse.
	node := -1
	for k, n := range found.Tree().Nodes {
		if n.Cluster == 0 {
			node = k
		}
	}
	rows := found.Tree().Nodes[node].Size
	at := ask[box](t, b.tab, `size => {
		const shape = Array.from(document.querySelectorAll(".ssdrnb-tree polygon")).find(p => { const b = p.getBoundingClientRect(); p.dispatchEvent(new PointerEvent("pointermove", {clientX: b.x, clientY: b.y})); return document.body.innerText.includes("cluster 0") && document.body.innerText.includes(size + " samples"); });
		const q = shape.getBoundingClientRect();
		return {X: q.x + q.width / 2, Y: q.y + q.height - 4};
	}`, rows)
	must(b.tab.Mouse.MoveTo(proto.Point{X: at.X, Y: at.Y}))
	must(b.tab.Mouse.Down(proto.InputMouseButtonLeft, 1))
	must(b.tab.Mouse.Up(proto.InputMouseButtonLeft, 1))
	b.until(patience, "the samples of the icicle are selected in the picture", `n => Number(document.querySelector(".ssdrnb-figure").dataset.marked) === n`, rows)
	shot(t, b.tab, box{0, 0, 900, 1500}, "tree-selected")
	// By keys: down to its parent, up to the largest child, and at the root all are selected.
	b.until(patience, "the tree has the focus", `() => { const t = document.querySelector(".ssdrnb-tree"); t.focus(); return document.activeElement === t; }`)
	key := func(k input.Key) {
		must(b.tab.Keyboard.Press(k))
		must(b.tab.Keyboard.Release(k))
	}
	for range 12 {
		key(input.ArrowDown)
	}
	b.until(patience, "the keys are at the root", `n => Array.from(document.querySelectorAll("[role=status]")).some(v => v.textContent.startsWith("all samples, " + n + " samples"))`, digits.Len())
	key(input.Enter)
	b.until(patience, "all are selected", `n => Number(document.querySelector(".ssdrnb-figure").dataset.marked) === n`, digits.Len())
	key(input.ArrowUp)
	b.until(patience, "a group is said", `() => Array.from(document.querySelectorAll("[role=status]")).some(v => /^(group|cluster) [0-9]+, [0-9]+ samples, density .* selected$/.test(v.textContent))`)
	// A lasso in the embedding is shown in the tree, and the differences are images.
	ask[bool](t, b.tab, `() => { scrollTo(0, 0); return true; }`)
	press(b, "Select with a lasso")
	lassoed(b, [2]float64{0.002, 0.01}, [2]float64{0.35, 0.01}, [2]float64{0.35, 0.99}, [2]float64{0.002, 0.99})
	b.until(patience, "the pictures are there and icicles are pale", `() => document.querySelectorAll(".ssdrnb-different canvas").length === 3 && Array.from(document.querySelectorAll(".ssdrnb-tree polygon")).some(p => Number(p.getAttribute("fill-opacity")) < 0.2)`)
	shot(t, b.tab, box{0, 0, 900, 1500}, "tree-lasso")
	// In a dark and narrow page.
	must(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}.Call(b.tab))
	must(b.tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 400, Height: 1700, DeviceScaleFactor: 1}))
	b.until(patience, "the tree follows the page", `() => { const s = document.querySelector(".ssdrnb-tree svg"); return s.getBoundingClientRect().width < 400 && s.getAttribute("fill") === "#eee" && document.documentElement.scrollWidth <= 400; }`)
	shot(t, b.tab, box{0, 0, 400, 1700}, "tree-dark-narrow")
	b.clean()
}

// TestNamesInPage changes names of clusters, by a double click and by keys, and reloads the page.
func TestNamesInPage(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	wine := datasets.Wine().Standardize()
	found := ssdrnb.Communities().MustFind(wine.HideLabels())
	f := viz.Embedding(ssdrnb.PCA().Dims(2).MustFit(wine)).Named(found)
	b := newBench(t)
	page := pageOf(t, f, scripts)
	load := func() {
		b.open(page)
		b.until(patience, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
	}
	load()
	const names = `() => echarts.getInstanceByDom(document.querySelector(".ssdrnb-chart")).getOption().series.filter(s => s.label && s.data[0] && s.data[0].text).flatMap(s => s.data.map(d => d.name))`
	before := ask[[]string](t, b.tab, names)
	if len(before) < 2 {
		t.Fatalf("the names are %q", before)
	}
	at := ask[box](t, b.tab, `() => { const place = document.querySelector(".ssdrnb-chart"), r = place.getBoundingClientRect(), c = echarts.getInstanceByDom(place);
		const d = c.getOption().series.find(s => s.label && s.data[0] && s.data[0].text).data[0], q = c.convertToPixel({xAxisIndex: 0, yAxisIndex: 0}, d.value); return {X: r.x + q[0], Y: r.y + q[1]}; }`)
	b.must(b.tab.Mouse.MoveTo(proto.Point{X: at.X, Y: at.Y}))
	b.must(b.tab.Mouse.Click(proto.InputMouseButtonLeft, 2))
	b.until(patience, "the name can be written", `name => { const f = document.activeElement; return f.tagName === "INPUT" && f.value === name; }`, before[0])
	b.must(b.tab.InsertText("Barolo"))
	for _, k := range []input.Key{input.Tab} {
		b.must(b.tab.Keyboard.Press(k))
		b.must(b.tab.Keyboard.Release(k))
	}
	b.until(patience, "the next name can be written", `name => { const f = document.activeElement; return f.tagName === "INPUT" && f.value === name; }`, before[1])
	b.must(b.tab.InsertText("given up"))
	b.must(b.tab.Keyboard.Press(input.Escape))
	b.must(b.tab.Keyboard.Release(input.Escape))
	b.until(patience, "the name is stored", `() => Array.from(document.querySelectorAll("[role=status]")).some(s => s.textContent === "Stored in this browser.")`)
	want := append([]string{"Barolo"}, before[1:]...)
	if got := ask[[]string](t, b.tab, names); !slices.Equal(got, want) {
		t.Errorf("the names are %q, not %q", got, want)
	}
	shot(t, b.tab, box{0, 0, 1300, 700}, "names")
	load()
	b.until(patience, "the stored name is there again", `name => (`+names+`)()[0] === name`, "Barolo")
	press(b, "Change the names")
	b.until(patience, "the first name can be written", `() => document.activeElement.value === "Barolo"`)
	ask[bool](t, b.tab, `() => { document.activeElement.value = ""; return true; }`)
	b.must(b.tab.Keyboard.Press(input.Enter))
	b.must(b.tab.Keyboard.Release(input.Enter))
	b.until(patience, "the name is as it was", `name => (`+names+`)()[0] === name`, before[0])
	b.clean()
}
