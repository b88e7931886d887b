package tests

import (
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// TestMeshesTurnTogether drags one of two surfaces: the other then has the same camera, and both
// stop moving.
func TestMeshesTurnTogether(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js", "echarts-gl.min.js")
	sweep := ssdrnb.Sweep(ssdrnb.SDA(), datasets.Iris().KeepLabels(5)).List("neighbors", 3, 5, 9).Log10("manifold", -1, 1, 1).Train(0.7).Splits(2).MustRun()
	b := newBench(t)
	b.open(pageOf(t, viz.Mesh(sweep), scripts))
	b.until(patience, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
	const cameras = `const c = echarts.getInstanceByDom(document.querySelector(".ssdrnb-keyed")).getOption().grid3D.map(g => [g.viewControl.alpha, g.viewControl.beta, g.viewControl.distance]);
		const apart = Math.max(...c[0].map((v, k) => Math.abs(v - c[1][k])));`
	before := ask[[]float64](t, b.tab, `() => {`+cameras+` return c[0]; }`)
	at := ask[box](t, b.tab, `() => { const r = document.querySelector(".ssdrnb-keyed").getBoundingClientRect(); return {X: r.x, Y: r.y, Width: r.width, Height: r.height}; }`)
	for _, share := range []float64{0.25, 0.7} { // the left surface, then the right one
		from := proto.Point{X: at.X + share*at.Width, Y: at.Y + 0.5*at.Height}
		b.must(b.tab.Mouse.MoveTo(from))
		b.must(b.tab.Mouse.Down(proto.InputMouseButtonLeft, 1))
		b.must(b.tab.Mouse.MoveLinear(proto.Point{X: from.X + 90, Y: from.Y + 30}, 8))
		b.must(b.tab.Mouse.Up(proto.InputMouseButtonLeft, 1))
		b.until(patience, "both surfaces have turned alike", `before => {`+cameras+` return apart < 0.01 && Math.abs(c[0][1] - before[1]) > 5; }`, before)
		b.until(patience, "both rest", `async () => {
			const look = () => {`+cameras+` return apart < 0.01 && c.join(); };
			const one = look();
			await new Promise(r => setTimeout(r, 500));
			return one && one === look();
		}`)
		before = ask[[]float64](t, b.tab, `() => {`+cameras+` return c[0]; }`)
	}
	b.shot("meshes-turned")
	b.clean()
}
