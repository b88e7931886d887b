package tests

import (
	"fmt"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// TestGradesInPage checks the position of the lines that explain sizes and opacities: below the
// panels, beside or above the legend, for any width of the page.
func TestGradesInPage(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	iris := datasets.Iris()
	f := viz.Embedding(ssdrnb.PCA().MustFit(iris)).PointSize(iris.FeatureNames[0]).Opacity(iris.FeatureNames[3])
	b := newBench(t)
	for name, f := range map[string]viz.Figure{"classes": f, "a scale": f.Color(iris.FeatureNames[1]), "a given size": f.Size(700, 420)} {
		page := pageOf(t, f, scripts)
		for _, width := range []int{1300, 900, 520} {
			b.must(b.tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: 1000, DeviceScaleFactor: 1}))
			b.open(page)
			b.until(patience, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
			for _, narrower := range []int{0, 60} { // also if the page becomes narrower
				b.must(b.tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width - narrower, Height: 1000, DeviceScaleFactor: 1}))
				b.until(patience, fmt.Sprintf("the lines of %s are in their place at %d pixels", name, width-narrower), `() => {
					const figure = document.querySelector(".ssdrnb-figure"), place = figure.querySelector(":scope > div"), chart = echarts.getInstanceByDom(place), o = chart.getOption();
					const all = figure.getBoundingClientRect(), texts = Array.from(figure.querySelectorAll(".ssdrnb-grades text, .ssdrnb-grades circle")).map(e => e.getBoundingClientRect());
					const axis = o.grid[0].top + o.grid[0].height + 34; // with numbers and name
					const others = ["legend", "visualMap"].flatMap(kind => chart.getModel().queryComponents({mainType: kind}).map(m => m.get("show") !== false && chart.getViewOfComponentModel(m).group.getBoundingRect().width > 1 && (g => { const r = g.getBoundingRect().clone(); r.applyTransform(g.getComputedTransform() || [1, 0, 0, 1, 0, 0]); return r; })(chart.getViewOfComponentModel(m).group))).filter(Boolean);
					return Math.abs(chart.getWidth() - all.width) < 2 && texts.length === 14 && texts.every(r => r.left >= all.left && r.right <= all.right && r.top - all.top > axis && r.bottom <= place.getBoundingClientRect().bottom + 1 &&
						others.every(q => r.right - all.left <= q.x || r.left - all.left >= q.x + q.width || r.bottom - all.top <= q.y || r.top - all.top >= q.y + q.height));
				}`)
			}
		}
	}
	b.clean()
}
