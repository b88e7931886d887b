package tests

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
)

// TestLinkedInPage has two data sets that share 25 of their 50 flowers, in another order: hovering
// over a flower rings it in the other panel, a box selects it there, and the slider moves it there
// while the others fade.
func TestLinkedInPage(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	iris := datasets.Iris()
	order := rand.New(rand.NewPCG(4, 2)).Perm(iris.Len())
	named := func(rows []int) *data.Data {
		names := make([]string, len(rows))
		for k, i := range rows {
			names[k] = fmt.Sprint("flower ", i)
		}
		return iris.Subset(rows).WithAttribute("flower", names)
	}
	first, second := order[:50], append([]int{}, order[25:75]...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(50, func(i, j int) { second[i], second[j] = second[j], second[i] })
	there := -1 // position of the first set's sample 30 in the second
	for k, i := range second {
		if i == first[30] {
			there = k
		}
	}
	a, b := named(first), named(second)
	a.Name, b.Name = "Monday", "Friday"
	f := viz.Compare(ssdrnb.PCA().Dims(2).MustFit(a), ssdrnb.PCA().Dims(2).MustFit(b)).Linked("flower")
	for _, c := range []struct {
		width int
		theme string
	}{{900, "light"}, {400, "dark"}} {
		t.Run(c.theme, func(t *testing.T) { followLinks(t, f, scripts, there, c.width, c.theme) })
	}
}

// followLinks follows sample 30 of the first panel to a sample of the second.
func followLinks(t *testing.T, f viz.Figure, scripts string, there, width int, theme string) {
	b := newBench(t)
	b.must(b.tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: 1000, DeviceScaleFactor: 1}))
	b.must(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: theme}}}.Call(b.tab))
	b.open(pageOf(t, f, scripts))
	b.until(patience, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
	b.must(b.tab.Mouse.MoveTo(placeOf(b, 30)))
	b.until(patience, "the same flower has a ring in the other panel", `i => {
		const ring = document.querySelectorAll(".ssdrnb-ring")[1], chart = echarts.getInstanceByDom(document.querySelector(".ssdrnb-chart"));
		const [x, y] = (ring.style.transform.match(/-?[\d.]+/g) || []).map(Number);
		for (const s of chart.getOption().series) {
			for (const v of s.type === "scatter" && s.xAxisIndex === 1 && s.data || []) {
				if (v[v.length - 1] !== i) { continue; }
				const q = chart.convertToPixel({xAxisIndex: 1, yAxisIndex: 1}, v);
				return ring.style.visibility === "visible" && Math.hypot(x + 10 - q[0], y + 10 - q[1]) < 2;
			}
		}
		return false;
	}`, there)
	press(b, "Select with a box")
	at := ask[[2]proto.Point](t, b.tab, `() => {
		const place = document.querySelector(".ssdrnb-chart"), r = place.getBoundingClientRect(), g = echarts.getInstanceByDom(place).getOption().grid[0];
		return [{x: r.x + g.left + 2, y: r.y + g.top + 2}, {x: r.x + g.left + g.width - 2, y: r.y + g.top + g.height - 2}];
	}`)
	b.must(b.tab.Mouse.MoveTo(at[0]))
	b.must(b.tab.Mouse.Down(proto.InputMouseButtonLeft, 1))
	b.must(b.tab.Mouse.MoveLinear(at[1], 4))
	b.must(b.tab.Mouse.Up(proto.InputMouseButtonLeft, 1))
	b.until(patience, "25 flowers of the other panel are selected too", `() => document.querySelector(".ssdrnb-figure").dataset.marked === "75"`)
	shot(t, b.tab, box{0, 0, float64(width), 1000}, fmt.Sprintf("linked-%d-%s", width, theme))
	press(b, "Clear")
	b.until(patience, "no flower is selected", `() => document.querySelector(".ssdrnb-figure").dataset.marked === "0"`)
	press(b, "Move the samples")
	b.until(patience, "the slider tells who stays", `() => {
		const node = document.querySelector(".ssdrnb-move"), slider = node && node.querySelector("input");
		if (!slider) { return false; }
		slider.value = "0.5";
		slider.dispatchEvent(new Event("input"));
		return node.textContent.includes("Monday → Friday, 50 %; 25 stay, 25 go, 25 come");
	}`)
	shot(t, b.tab, box{0, 0, float64(width), 1000}, fmt.Sprintf("linked-moving-%d-%s", width, theme))
	press(b, "Move the samples")
	b.until(patience, "the samples are where they were", `() => !document.querySelector(".ssdrnb-move")`)
	b.clean()
}
