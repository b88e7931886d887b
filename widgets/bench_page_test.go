package widgets

import (
	"path/filepath"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// TestBenchInPage looks at benches: pictures by a dial over the data, a curve, draws with their
// verdict, and labels that are dragged.
func TestBenchInPage(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	writeStages(t, page,
		Bench(Recipe("pancakes", 1)).Method("PCA", ssdrnb.PCA().Dims(2)).Method("LDA", ssdrnb.LDA()).Labels(5).Dial("height", 1, 2, 3, 4, 5, 10).Meters("same-group neighbours"),
		Bench(Recipe("moons", 1)).Rule("ruler", Ruler).Rule("rumour", Rumour).Dial("labels", 1, 2, 5, 10, 20).Answers().Meters("hidden right").Curve("labels", 3).Draws(10),
		Bench(Recipe("gaussians", 1)).Method("LDA", ssdrnb.LDA().Dims(1)).Method("SDA", ssdrnb.SDA().Dims(1).Manifold(10)).Answers().Meters("hidden right").
			Movable([2]float64{0, 1}, [2]float64{0.5, 1}, [2]float64{0, -1}, [2]float64{0.5, -1}).Arranged("ends", [2]float64{-5, 1}, [2]float64{-4, 1}, [2]float64{5, -1}, [2]float64{4, -1}),
	)
	o := openTab(t, page)
	for k, name := range []string{"bench-dial", "bench-draws", "bench-labels"} {
		o.until(k, `w.dataset.state === "live" && !!w.dataset.revision`)
		o.shots(k, name)
	}
}
