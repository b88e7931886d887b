package tests

import (
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// graphicsCard lets a page use WebGL in software, and counts its contexts, draw calls and the bytes
// sent to it.
const graphicsCard = `window.contexts = [];
	window.gpu = {calls: 0, bytes: 0};
	const getContext = HTMLCanvasElement.prototype.getContext;
	HTMLCanvasElement.prototype.getContext = function(kind, options) {
		if (kind !== "webgl2") { return getContext.call(this, kind, options); }
		const gl = getContext.call(this, kind, Object.assign({}, options, {failIfMajorPerformanceCaveat: false}));
		if (gl) { window.contexts.push(gl); }
		return gl;
	};
	const counted = (name, cost) => {
		const f = WebGL2RenderingContext.prototype[name];
		WebGL2RenderingContext.prototype[name] = function(...args) { cost(args); return f.apply(this, args); };
	};
	counted("drawArrays", () => { window.gpu.calls++; });
	counted("bufferData", args => { window.gpu.bytes += args[1].byteLength; });
	counted("texImage2D", args => { window.gpu.bytes += args[8].byteLength; });
	counted("uniform1i", () => { window.gpu.bytes += 4; });
	counted("uniform2f", () => { window.gpu.bytes += 8; });
	counted("uniform4f", () => { window.gpu.bytes += 16; });
	counted("uniform2iv", () => { window.gpu.bytes += 8; });
	counted("uniform3fv", () => { window.gpu.bytes += 12; });
	counted("vertexAttrib1f", () => { window.gpu.bytes += 4; });`

// repainted declares the steps in which a page repaints its figure, for the middle half of both
// axes or the given share. It returns the time they take, including the pixels on the canvas.
const repainted = `const figure = document.querySelector(".ssdrnb-figure"), chart = echarts.getInstanceByDom(figure.querySelector(":scope > div")), canvas = figure.querySelector(".ssdrnb-many");
	const repaint = async (from, to) => {
		[0, 1].forEach(i => chart.dispatchAction({type: "dataZoom", dataZoomIndex: i, start: from, end: to}));
		await new Promise(f => requestAnimationFrame(() => setTimeout(f, 0)));
		const began = performance.now();
		const d = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
		return {d, took: Number(figure.dataset.frame) + performance.now() - began};
	};`

// With a graphics card WebGL paints instead of the processor: one context for all figures of a
// page, four draw calls per panel, no sample sent twice, and the processor again while the context
// is lost.
func TestManyByWebGL(t *testing.T) {
	browser.All(t)
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	const n = 60_000
	x, classes := clouds(n)
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i % 1000)
	}
	f := viz.Embedding(viz.Samples(ssdrnb.NewData(x, classes).KeepLabels(5)))
	b := newBench(t)
	_, err := b.tab.EvalOnNewDocument(graphicsCard)
	b.must(err)
	for _, c := range []struct {
		name string
		f    viz.Figure
	}{{"classes", f}, {"values", f.Color(values)}, {"style", f.PointSize(values).Opacity(values)}} {
		b.open(pageOf(t, c.f, scripts))
		b.until(time.Minute, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
		got := ask[struct {
			Contexts, Calls, Bytes int
			Inked, Differ          float64 // shares of the pixels
			Lost, Back             bool
		}](t, b.tab, `async () => {`+repainted+`
			const loader = window.__ssdrnbLoader, out = {Contexts: window.contexts.length};
			await repaint(10, 90);
			window.gpu = {calls: 0, bytes: 0};
			const fast = (await repaint(20, 80)).d;
			Object.assign(out, {Calls: window.gpu.calls, Bytes: window.gpu.bytes});
			const by = loader.fast;
			loader.fast = null;
			await repaint(10, 90);
			const slow = (await repaint(20, 80)).d;
			loader.fast = by;
			// Sums of 32 bits round otherwise, and a sample at the edge of a pixel may be in the next.
			let differ = 0, inked = 0;
			for (let p = 0; p < slow.length; p += 4) {
				const a = slow[p + 3], b = fast[p + 3];
				inked += a > 0;
				if ([0, 1, 2, 3].some(c => Math.abs(c === 3 ? a - b : (slow[p + c] * a - fast[p + c] * b) / 255) > 6)) { differ++; }
			}
			Object.assign(out, {Differ: differ / (slow.length / 4), Inked: inked / (slow.length / 4)});
			const lose = window.contexts[0].getExtension("WEBGL_lose_context");
			const said = new Promise(f => window.contexts[0].canvas.addEventListener("webglcontextlost", f));
			lose.loseContext();
			await said;
			await repaint(10, 90);
			window.gpu.calls = 0;
			const without = (await repaint(20, 80)).d;
			out.Lost = window.gpu.calls === 0 && without.every((v, k) => v === slow[k]);
			const again = new Promise(f => window.contexts[0].canvas.addEventListener("webglcontextrestored", f));
			lose.restoreContext();
			await again;
			await repaint(10, 90);
			const back = (await repaint(20, 80)).d;
			out.Back = window.gpu.calls === 8 && back.every((v, k) => v === fast[k]);
			return out;
		}`)
		b.shot("webgl-" + c.name)
		t.Logf("%s: %+v", c.name, got)
		if got.Contexts != 1 || got.Calls != 4 || got.Bytes > 1000 || got.Inked < 0.05 || got.Differ > 0.002 || !got.Lost || !got.Back {
			t.Errorf("%s: %+v; want one context, four calls with few bytes, hardly another pixel, and the same while the context is lost and after", c.name, got)
		}
	}
	b.clean()
}
