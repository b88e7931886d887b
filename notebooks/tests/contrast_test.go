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

// customers is a table of 800 customers with text, gaps, a date and two columns of noise. Every
// fifth differs in age, pharmacy and groceries.
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

// contrasted is what stands below a figure about a selection.
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

// lassoed draws a lasso over a part of the first panel of the figure, given as shares of its frame,
// and returns what was shown on the way.
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

// TestContrastInPage draws a lasso around customers of one kind: while it moves and afterwards, what
// makes them different stands below the figure, as ssdrnb.Contrast finds it.
func TestContrastInPage(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	d := customers(t)
	// The picture has the kinds apart from left to right.
	m := ssdrnb.PCA().Dims(2).MustFit(d)
	y := m.Embedding()
	b := newBench(t)
	b.open(pageOf(t, viz.Embedding(m).Contrast(), scripts))
	b.until(patience, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
	press(b, "Select with a lasso")
	// All beyond the gap on the side of those who are older.
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
		t.Errorf("while the lasso moves, below the figure stands %+v", live)
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
		t.Errorf("the page says %q, not %q", at.Said, want)
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

	// Against another group, which the reader keeps: first the same, then one that shares samples.
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

	// By keys: the tabs are one stop, and arrows go between them.
	b.until(patience, "the tab has the focus", `() => { const t = document.querySelector(".ssdrnb-selection [role=tab][aria-selected=true]"); t.focus(); return document.activeElement === t && t.textContent === "What is different"; }`)
	b.must(b.tab.Keyboard.Press(input.ArrowLeft))
	b.must(b.tab.Keyboard.Release(input.ArrowLeft))
	b.until(patience, "the rows are shown", `() => document.activeElement.textContent === "Rows" && document.querySelector(".ssdrnb-different").style.display === "none" && document.querySelectorAll(".ssdrnb-selection [role=tabpanel]").length === 2`)
	b.clean()
}

// near reports whether two numbers, as they are written, differ by less than 2 %.
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
