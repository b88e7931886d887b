package tests

import (
	"fmt"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// placeOf returns the position of sample i of the first panel in the page.
func placeOf(b *bench, i int) proto.Point {
	b.Helper()
	at := ask[box](b.T, b.tab, `i => {
		const place = document.querySelector(".ssdrnb-chart"), chart = echarts.getInstanceByDom(place), r = place.getBoundingClientRect();
		for (const s of chart.getOption().series) {
			for (const v of s.type === "scatter" && s.data || []) {
				if (v[v.length - 1] === i) { const q = chart.convertToPixel({xAxisIndex: 0, yAxisIndex: 0}, v); return {X: r.x + q[0], Y: r.y + q[1]}; }
			}
		}
		return null;
	}`, i)
	return proto.Point{X: at.X, Y: at.Y}
}

// TestDistancesInPage colours samples by their distance in the data: the pointer and keys choose
// the sample, and the button ends the mode.
func TestDistancesInPage(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	digits := datasets.Digits().Take(40)
	m := ssdrnb.PCA().Dims(2).MustFit(digits)
	for _, c := range []struct {
		width int
		theme string
	}{{1000, "light"}, {400, "dark"}} {
		t.Run(c.theme, func(t *testing.T) {
			colourByDistance(t, viz.Compare[viz.Embedded](m, viz.Samples(digits)).Distances(), scripts, c.width, c.theme)
		})
	}
}

// colourByDistance runs the test in a window of the given width and theme.
func colourByDistance(t *testing.T, f viz.Figure, scripts string, width int, theme string) {
	b := newBench(t)
	b.must(b.tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: 900, DeviceScaleFactor: 1}))
	b.must(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: theme}}}.Call(b.tab))
	b.open(pageOf(t, f, scripts))
	b.until(patience, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
	press(b, "Colour by distance")
	said := func(i int) {
		b.Helper()
		b.until(patience, fmt.Sprint("the distances are those to sample ", i), `text => document.querySelector(".ssdrnb-distances").textContent.startsWith(text)`, fmt.Sprintf("Distance in the data to sample %d.", i))
	}
	b.until(patience, "the reader is told what to do", `() => document.querySelector(".ssdrnb-distances").textContent.startsWith("Point at a sample")`)
	b.must(b.tab.Mouse.MoveTo(placeOf(b, 7)))
	said(7)
	// A scroll bar that appeared while the chart was made changes its height; the colours must
	// still lie on the samples.
	b.until(patience, "the chart has the height of its place", `() => { const place = document.querySelector(".ssdrnb-chart"); return Math.abs(place.clientHeight - echarts.getInstanceByDom(place).getHeight()) <= 1; }`)
	shot(t, b.tab, box{0, 0, float64(width), 900}, fmt.Sprintf("distances-%d-%s", width, theme))
	// The pointer leaves, and the colours stay.
	b.must(b.tab.Mouse.MoveTo(proto.Point{X: 1, Y: 1}))
	said(7)
	// By keys.
	b.until(patience, "the figure has the focus", `() => { const place = document.querySelector(".ssdrnb-keyed"); place.focus(); return document.activeElement === place; }`)
	b.must(b.tab.Keyboard.Press(input.ArrowRight))
	b.must(b.tab.Keyboard.Release(input.ArrowRight))
	b.until(patience, "the distances are those to another sample", `() => !document.querySelector(".ssdrnb-distances").textContent.startsWith("Distance in the data to sample 7.")`)
	// A tap between samples chooses the nearest.
	points := 1
	b.must(proto.EmulationSetTouchEmulationEnabled{Enabled: true, MaxTouchPoints: &points}.Call(b.tab))
	finger := placeOf(b, 11)
	finger.X, finger.Y = finger.X+9, finger.Y-9
	nearest := ask[int](t, b.tab, `([x, y]) => {
		const place = document.querySelector(".ssdrnb-chart"), chart = echarts.getInstanceByDom(place), r = place.getBoundingClientRect();
		let best = -1, least = Infinity;
		for (const s of chart.getOption().series) {
			for (const v of s.type === "scatter" && !s.xAxisIndex && s.data || []) {
				const q = chart.convertToPixel({xAxisIndex: 0, yAxisIndex: 0}, v), d = Math.hypot(r.x + q[0] - x, r.y + q[1] - y);
				if (d < least) { [best, least] = [v[v.length - 1], d]; }
			}
		}
		return best;
	}`, [2]float64{finger.X, finger.Y})
	b.must(proto.InputDispatchTouchEvent{Type: proto.InputDispatchTouchEventTypeTouchStart, TouchPoints: []*proto.InputTouchPoint{{X: finger.X, Y: finger.Y}}}.Call(b.tab))
	said(nearest)
	b.must(proto.InputDispatchTouchEvent{Type: proto.InputDispatchTouchEventTypeTouchEnd, TouchPoints: []*proto.InputTouchPoint{}}.Call(b.tab))
	said(nearest)
	press(b, "Colour by distance")
	b.until(patience, "the colours are those of the classes again", `() => !document.querySelector(".ssdrnb-distances")`)
	b.clean()
}
