package widgets

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// TestProjectorInPage rotates a cloud by dragging and by keys, presses its buttons, and plays a
// round of a line-up.
func TestProjectorInPage(t *testing.T) {
	needChromium(t)
	page := filepath.Join(t.TempDir(), "page.html")
	writeStages(t, page,
		Projector(Recipe("pancakes", 1)).Turned(60, 30).HideColors().Widest().Meters("spread kept", "same-group neighbours", "my widest"),
		Projector(Recipe("ring", 1), Recipe("tube", 1), Recipe("spring", 1)).Titles("first", "second", "third"),
		Lineup(Samples(datasets.Digits().Seed(1).Take(12))).Round("PCA", ssdrnb.PCA().Dims(2)),
	)
	o := openTab(t, page)
	press := func(k int, name string) {
		o.eval(k, fmt.Sprintf(`w.scrollIntoView(); [...w.querySelectorAll(".ssdrnb-dials > button")].find(b => b.textContent === %q).click(); return ""`, name))
	}
	for k := range 3 {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
	}
	press(0, "widest")
	o.until(0, meterText("spread kept", "96.8 %"))
	o.until(0, meterText("same-group neighbours", "50.0 %"))
	for k, name := range []string{"projector", "triplet", "lineup"} {
		o.shots(k, name)
	}
	o.faultless()
}
