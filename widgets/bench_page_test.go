package widgets

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// TestBenchInPage opens benches: plots for a dial over the data, a curve, draws with their verdict,
// and draggable labels.
func TestBenchInPage(t *testing.T) {
	needChromium(t)
	page := filepath.Join(t.TempDir(), "page.html")
	writeStages(t, page,
		Bench(Recipe("pancakes", 1)).Method("PCA", ssdrnb.PCA().Dims(2)).Method("LDA", ssdrnb.LDA()).Labels(5).Dial("height", 1, 2, 3, 4, 5, 10).Meters("same-group neighbours"),
		Bench(Recipe("moons", 1)).Rule("ruler", Ruler).Rule("rumour", Rumour).Dial("labels", 1, 2, 5, 10, 20).Answers().Meters("hidden right").Curve("labels", 3).Draws(10),
		Bench(Recipe("gaussians", 1)).Method("LDA", ssdrnb.LDA().Dims(1)).Method("SDA", ssdrnb.SDA().Dims(1).Manifold(10)).Answers().Meters("hidden right").
			Movable([2]float64{0, 1}, [2]float64{0.5, 1}, [2]float64{0, -1}, [2]float64{0.5, -1}).Arranged("ends", [2]float64{-5, 1}, [2]float64{-4, 1}, [2]float64{5, -1}, [2]float64{4, -1}),
	)
	o := openTab(t, page)
	slide := func(k, to int) {
		o.eval(k, fmt.Sprintf(`w.scrollIntoView(); const s = w.querySelector(".ssdrnb-dial input[type=range]"); s.value = %d; s.dispatchEvent(new Event("input")); return ""`, to))
	}
	press := func(k int, name string) {
		o.eval(k, fmt.Sprintf(`w.scrollIntoView(); [...w.querySelectorAll(".ssdrnb-dials > button")].find(b => b.textContent === %q).click(); return ""`, name))
	}
	for k := range 3 {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
	}
	o.until(0, meterText("PCA: same-group neighbours", "50.0 %"))
	slide(0, 3)
	o.until(0, meterText("PCA: same-group neighbours", "100.0 %"))
	press(1, "whole curve")
	o.until(1, `[...w.querySelectorAll(".ssdrnb-dials > button")].find(b => b.textContent === "whole curve").disabled`)
	press(1, "ten draws")
	o.until(1, `w.querySelector('.ssdrnb-meter[data-name="verdict"] b')?.textContent.startsWith("helps")`)
	for k, name := range []string{"dial", "draws", "labels"} {
		o.shots(k, "bench-"+name)
	}
	o.faultless()
}
