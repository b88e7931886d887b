package tests

import (
	"image"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// TestForcedColors opens a figure while the reader forces the colours of pages: text, axes and
// rings have the text colour on the page's background in any theme, and follow a change.
func TestForcedColors(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	iris := datasets.Iris().KeepLabels(5)
	b := newBench(t)
	force := func(state, scheme string) {
		b.must(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "forced-colors", Value: state}, {Name: "prefers-color-scheme", Value: scheme}}}.Call(b.tab))
	}
	force("active", "dark")
	b.open(pageOf(t, viz.Embedding(ssdrnb.PCA().MustFit(iris)), scripts))
	b.until(patience, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
	// inks returns the colours of the title, of an axis and of a ring, and of text in the page.
	const inks = `() => {
		const o = echarts.getInstanceByDom(document.querySelector(".ssdrnb-keyed")).getOption(), e = document.createElement("p");
		e.style.color = "CanvasText";
		document.body.append(e);
		const text = getComputedStyle(e).color;
		e.remove();
		return [o.title[0].textStyle.color, o.xAxis[0].axisLabel.color, o.series[o.series.length - 1].itemStyle.borderColor, o.legend[0].textStyle.color].every(c => c === text);
	}`
	bright := func(name string) int {
		img := screenshot(b.T, b.tab, box{0, 0, 1300, 900}, "forced-"+name)
		at := ask[[]int](t, b.tab, `() => { const r = document.querySelector(".ssdrnb-figure").getBoundingClientRect(); return [r.x + r.width * 0.02, r.y + r.height * 0.75].map(Math.round); }`)
		r, g, bl, _ := img.At(image.Pt(at[0], at[1]).X, at[1]).RGBA()
		return int(r+g+bl) / 3 >> 8
	}
	b.until(patience, "text has the colour of text", inks)
	if got := bright("dark"); got > 60 {
		t.Errorf("a dark page has brightness %d", got)
	}
	force("active", "light")
	b.until(patience, "text has the colour of text after a change", inks)
	if got := bright("light"); got < 200 {
		t.Errorf("a light page has brightness %d", got)
	}
	force("none", "light")
	b.until(patience, "the figure has its own colours again", `() => echarts.getInstanceByDom(document.querySelector(".ssdrnb-keyed")).getOption().series.at(-1).itemStyle.borderColor === "#222"`)
	b.clean()
}

// TestNamesInLegend opens figures with class names that begin alike, and with many classes: the
// legend shows three different texts, and scrolls.
func TestNamesInLegend(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	iris := datasets.Iris()
	iris.ClassNames = []string{"CD4-positive, alpha-beta memory T cell", "CD4-positive, alpha-beta T cell", "CD4-positive, alpha-beta cytotoxic T cell"}
	b := newBench(t)
	b.open(pageOf(t, viz.Embedding(ssdrnb.PCA().MustFit(iris)).Labels(), scripts))
	b.until(patience, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
	// texts are the texts in the chart that begin with the word.
	const texts = `word => echarts.getInstanceByDom(document.querySelector(".ssdrnb-keyed")).getZr().storage.getDisplayList().map(e => e.style && e.style.text).filter(t => typeof t === "string" && t.startsWith(word))`
	got := map[string]int{}
	for _, s := range ask[[]string](t, b.tab, texts, "CD4") {
		got[s]++
	}
	shot(t, b.tab, box{0, 0, 1300, 900}, "names-in-legend")
	if len(got) < 3 {
		t.Errorf("the chart writes %v", got)
	}
	for name, n := range got {
		if n > 2 {
			t.Errorf("%q occurs %d times", name, n)
		}
	}
	labels := make([]int, iris.Len())
	for i := range labels {
		labels[i] = i
	}
	many := iris.WithLabels(labels)
	many.ClassNames, many.Truth = nil, nil
	b.open(pageOf(t, viz.Compare(viz.Samples(many)), scripts))
	b.until(patience, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
	// listed reports whether an entry of the legend is visible: the entries are clipped to a part
	// of the figure's height.
	const listed = `name => {
		const c = echarts.getInstanceByDom(document.querySelector(".ssdrnb-keyed")), e = c.getZr().storage.getDisplayList().find(e => e.style && e.style.text === name);
		if (!e) { return false; }
		const r = e.getBoundingRect().clone();
		r.applyTransform(e.transform);
		return r.y > 0 && r.y < c.getHeight() - 60;
	}`
	if !ask[bool](t, b.tab, listed, "3") || ask[bool](t, b.tab, listed, "120") {
		t.Error("the legend of 150 classes does not begin with the first")
	}
	b.until(patience, "the legend scrolls", `() => { echarts.getInstanceByDom(document.querySelector(".ssdrnb-keyed")).dispatchAction({type: "legendScroll", scrollDataIndex: 120}); return true; }`)
	if !poll(patience, 0, func() bool { return ask[bool](t, b.tab, listed, "120") }) {
		t.Error("class 120 is not seen after scrolling to it")
	}
	shot(t, b.tab, box{0, 0, 1300, 900}, "many-in-legend")
	b.clean()
}
