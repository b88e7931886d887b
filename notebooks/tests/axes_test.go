package tests

import (
	"fmt"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// clashes3D are the tick labels and axis names in three dimensions that overlap each other, an axis
// or a tick, or lie outside their panel. echarts-gl draws them as sprites, anchored at a position
// in space and shifted by some pixels.
const clashes3D = `() => {
	const chart = echarts.getInstanceByDom(document.querySelector(".ssdrnb-figure > div")), out = [];
	chart.getModel().eachComponent("grid3D", (model, k) => {
		const view = chart.getViewOfComponentModel(model), camera = view._control.getCamera(), box = chart.getOption().grid3D[k], texts = [], lines = [];
		const times = (m, v) => [0, 1, 2, 3].map(r => m[r] * v[0] + m[4 + r] * v[1] + m[8 + r] * v[2] + m[12 + r] * v[3]);
		const pixel = (node, p) => {
			const v = [node.worldTransform, camera.viewMatrix, camera.projectionMatrix].reduce((v, m) => times(m.array, v), [...p, 1]);
			return [(v[0] / v[3] + 1) / 2 * box.width, (1 - v[1] / v[3]) / 2 * box.height];
		};
		view._axes.forEach(axis => {
			const g = axis.labelsMesh.geometry.attributes, dim = {x: 0, y: 2, z: 1}[axis.dim], out = axis.dim === "y" ? 0 : 2, ends = axis.axisLineCoords;
			axis.labelElements.concat(axis.nameLabelElement || []).forEach((element, s) => {
				if (!element.style.text || !g.offset.value.subarray(8 * s, 8 * s + 8).some(Boolean)) { return; }
				// The line of a text is higher than its letters, which are in the middle.
				const r = element.getBoundingRect(), at = pixel(axis.rootNode, g.position.value.subarray(12 * s, 12 * s + 3)), by = g.offset.value.subarray(8 * s, 8 * s + 8);
				const x = at[0] + Math.min(by[0], by[2]), y = at[1] - (by[1] + by[5]) / 2, half = element.style.fontSize ? element.style.fontSize * 0.4 : 5;
				texts.push({text: element.style.text, left: x, right: x + r.width, top: y - half, bottom: y + half});
			});
			const line = (a, b, what) => lines.push({from: pixel(axis.rootNode, a), to: pixel(axis.rootNode, b), what: what});
			line(ends[0], ends[1], "axis " + axis.dim);
			model.coordinateSystem.getAxis(axis.dim).getTicksCoords().forEach(t => {
				const a = [0, 0, 0], b = [0, 0, 0];
				a[dim] = b[dim] = t.coord;
				b[out] = 4;
				line(a, b, "a tick of axis " + axis.dim);
			});
		});
		const inside = (t, p) => p[0] > t.left && p[0] < t.right && p[1] > t.top && p[1] < t.bottom;
		texts.forEach((a, i) => {
			if (a.left < 0 || a.top < 0 || a.right > box.width || a.bottom > box.height) { out.push(a.text + " is outside"); }
			texts.slice(0, i).forEach(b => {
				if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > -2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0) { out.push(a.text + " covers " + b.text); }
			});
			lines.forEach(l => {
				for (let t = 0; t <= 1; t += 0.01) {
					if (inside(a, [0, 1].map(d => l.from[d] + t * (l.to[d] - l.from[d])))) { out.push(a.text + " covers " + l.what); break; }
				}
			});
		});
		if (texts.length < 9) { out.push("there are only " + texts.length + " texts"); }
	});
	return out;
}`

// TestAxes3D checks the axes of figures in three dimensions, in the initial view and after some
// rotations, in panels of several widths.
func TestAxes3D(t *testing.T) {
	browser.All(t)
	t.Parallel()
	scripts := charts(t, "echarts.min.js", "echarts-gl.min.js")
	iris := datasets.Iris().KeepLabels(5)
	figures := map[string]viz.Figure{
		"two":  viz.Mesh(ssdrnb.Sweep(ssdrnb.SDA(), iris).List("neighbors", 3, 5, 8, 12, 20).Log10("manifold", -2, 2, 1).Train(0.7).Splits(3).MustRun()),
		"long": viz.Mesh(ssdrnb.Sweep(ssdrnb.SDA(), iris).Log10("ridge scale", -4, 6, 2).Log10("manifold", -4, 6, 2).Train(0.7).Splits(3).MustRun()),
		"many": viz.Mesh(ssdrnb.Sweep(ssdrnb.SDA(), iris).Linear("neighbors", 2, 30, 1).Log10("manifold", -4, 4, 0.5).MustRun()),
		"iris": viz.Embedding(ssdrnb.PCA().Dims(3).MustFit(iris)),
	}
	b := newBench(t)
	tab := b.tab
	for name, f := range figures {
		page := pageOf(t, f, scripts)
		for _, width := range []int{1300, 420} {
			b.must(tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: 800, DeviceScaleFactor: 1}))
			b.open(page)
			b.until(time.Minute, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
			first := ask[[]int](t, tab, `() => { const v = echarts.getInstanceByDom(document.querySelector(".ssdrnb-figure > div")).getOption().grid3D[0].viewControl; return [v.alpha, v.beta]; }`)
			for _, turn := range [][2]int{{0, 0}, {15, 90}, {5, 180}, {-5, -25}} {
				ask[bool](t, tab, `(alpha, beta) => {
					const chart = echarts.getInstanceByDom(document.querySelector(".ssdrnb-figure > div"));
					chart.setOption({grid3D: chart.getOption().grid3D.map(() => ({viewControl: {alpha: alpha, beta: beta}}))});
					return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))));
				}`, first[0]+turn[0], first[1]+turn[1])
				var clashes []string // the layout may differ for a moment
				poll(patience, 100*time.Millisecond, func() bool { clashes = ask[[]string](t, tab, clashes3D); return len(clashes) == 0 })
				for _, c := range clashes {
					t.Errorf("%s, %d px, turned by %d: %s", name, width, turn, c)
				}
				shot(t, tab, box{0, 0, float64(width), 700}, fmt.Sprintf("axes-%s-%d-%d_%d", name, width, turn[0], turn[1]))
			}
		}
	}
	b.clean()
}
