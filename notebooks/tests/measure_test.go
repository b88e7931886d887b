package tests

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// Measurements are no tests: what they find depends on the machine. Run them by
//
//	go test ./notebooks/tests -run TestMeasure -measure -v
var measure = flag.Bool("measure", false, "measure how long pages take")

func measuring(t *testing.T) {
	t.Helper()
	if !*measure {
		t.Skip("run with -measure")
	}
}

// TestMeasureFrames measures how long frames of many samples take that the processor and that
// WebGL paints, here without a graphics card, with its draw calls and the bytes sent for each.
func TestMeasureFrames(t *testing.T) {
	measuring(t)
	scripts := charts(t, "echarts.min.js")
	for _, n := range []int{70_000, 1_000_000} {
		x, classes := clouds(n)
		page := pageOf(t, viz.Embedding(viz.Samples(ssdrnb.NewData(x, classes).KeepLabels(5))), scripts)
		b := newBench(t)
		_, err := b.tab.EvalOnNewDocument(graphicsCard)
		b.must(err)
		b.open(page)
		b.until(time.Minute, "the figure is drawn", `() => document.querySelector(".ssdrnb-figure").dataset.drawn === "yes"`)
		for _, by := range []string{"WebGL", "the processor"} {
			got := ask[struct {
				Frames       []float64
				Calls, Bytes int
			}](t, b.tab, `async by => {`+repainted+`
				if (by !== "WebGL") { window.__ssdrnbLoader.fast = null; }
				const out = {Frames: []};
				window.gpu = {calls: 0, bytes: 0};
				for (let k = 0; k < 40; k++) { out.Frames.push((await repaint(10 + k / 4, 90 - k / 4)).took); }
				return Object.assign(out, {Calls: window.gpu.calls / 40, Bytes: Math.round(window.gpu.bytes / 40)});
			}`, by)
			slices.Sort(got.Frames)
			t.Logf("%s samples by %s: %.1f ms a frame in the median, at most %.1f; %d draw calls and %d bytes a frame", fmt.Sprint(n), by, got.Frames[20], got.Frames[39], got.Calls, got.Bytes)
		}
	}
}
