package widgets

import (
	"path/filepath"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// A landscape in a page loaded from a file: an arrow, two maps, cards and the guesses of a ratio.
func TestLandscapeInPage(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "page.html")
	writeStages(t, path,
		Landscape(Recipe("gaussians", 1)).Angle(30).Both(),
		Landscape(Recipe("steps", 1)).Planes().Dial("noise", 1, 0.3),
		Landscape(Source{}).Cards([]float64{17.88, 1.72, 0}, []float64{0.96, 0.68, 0.09}),
		Landscape(Samples(datasets.Wine().Standardize().KeepLabels(20).Seed(1))).Root(ssdrnb.TRLDA().PCA(1).Ridge(1e-9)))
	o := openTab(t, path)
	for k := range 4 {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
	}
	o.eval(0, `w.scrollIntoView(); const s = w.querySelector(".ssdrnb-dial input[type=range]"); for (const v of [20, 90, 140, 175, 180]) { s.value = v; s.dispatchEvent(new Event("input")); await new Promise(f => setTimeout(f, 200)); } w.querySelector(".ssdrnb-dials > button").click(); return ""`)
	o.until(0, meterText("ratio", "16.211"))
	// A click on the map, at the position given by the page's own scale.
	o.eval(1, `w.scrollIntoView(); w.querySelectorAll(".ssdrnb-dial input[type=radio]")[1].click(); for (const b of w.querySelectorAll(".ssdrnb-dials > button")) { b.click(); await new Promise(f => setTimeout(f, 200)); }
		const c = w.querySelector("canvas.ssdrnb-panel"), r = c.getBoundingClientRect(), x = 46 + (c.clientWidth - 56) * .25, y = 20 + (c.clientHeight - 54) / 2;
		for (const kind of ["pointerdown", "pointerup"]) { c.dispatchEvent(new PointerEvent(kind, {bubbles: true, isPrimary: true, button: 0, pointerId: 1, clientX: r.x + 1 + x, clientY: r.y + 1 + y})); } return ""`)
	o.until(1, meterText("summits apart", "66.0°"))
	o.until(1, `w.querySelector('.ssdrnb-meter[data-name="ratio of sums"] b').textContent.startsWith("17.0")`)
	o.eval(2, `w.scrollIntoView(); const c = w.querySelector("canvas.ssdrnb-panel"), r = c.getBoundingClientRect(); for (const k of [0, 2]) { for (const kind of ["pointerdown", "pointerup"]) { c.dispatchEvent(new PointerEvent(kind, {bubbles: true, isPrimary: true, button: 0, pointerId: 1, clientX: r.x + 30, clientY: r.y + 1 + c.clientHeight * (k + .5) / 3})); } await new Promise(f => setTimeout(f, 300)); } w.querySelector(".ssdrnb-dials > button").click(); return ""`)
	o.until(2, meterText("ratio of sums", "17.03"))
	o.eval(3, `w.scrollIntoView(); for (let k = 0; k < 3; k++) { w.querySelector(".ssdrnb-dials > button").click(); await new Promise(f => setTimeout(f, 300)); } return ""`)
	o.until(3, meterText("clicks", "3"))
	for k, name := range []string{"angle", "planes", "cards", "root"} {
		o.shots(k, "landscape-"+name)
	}
	o.faultless()
}
