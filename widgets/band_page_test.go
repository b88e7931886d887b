package widgets

import (
	"fmt"
	"path/filepath"
	"testing"
)

// TestBandInPage opens bands, measures by a click, changes the length with the slider, and shows
// the curve.
func TestBandInPage(t *testing.T) {
	needChromium(t)
	page := filepath.Join(t.TempDir(), "page.html")
	writeStages(t, page,
		Band(1).At(0.5, 1, 1.5, 2, 2.5, 3, 7, 7.5, 8, 8.5, 9, 9.5).Lengths(1, 0.1, 0.3, 1, 2, 5).Meters("half-width among the points", "half-width in the gap", "inside the band in the gap"),
		Band(2).Game(3).Meters("your error", "error of the page"),
	)
	o := openTab(t, page)
	for k := range 2 {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
	}
	o.until(0, meterText("half-width in the gap", "1.89"))
	o.eval(0, fmt.Sprintf(`w.scrollIntoView(); const s = w.querySelector(".ssdrnb-dial input[type=range]"); s.value = %d; s.dispatchEvent(new Event("input")); return ""`, 4))
	o.until(0, `w.querySelector('.ssdrnb-meter[data-name="half-width in the gap"] b')?.textContent !== "1.89"`)
	for k, name := range []string{"band", "game"} {
		o.shots(k, name)
	}
	o.faultless()
}
