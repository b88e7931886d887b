package widgets

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// TestPairsInPage buys pairs, looks at four methods, and wins a challenge.
func TestPairsInPage(t *testing.T) {
	needChromium(t)
	page := filepath.Join(t.TempDir(), "page.html")
	pancakes := Pairs(Recipe("pancakes", 1)).Method("SSDR", ssdrnb.SSDR().Dims(2)).Meters("same-group neighbours")
	writeStages(t, page,
		pancakes.Hands().Offers(),
		Pairs(Recipe("clusters", 1)).Method("SSDR", ssdrnb.SSDR().Dims(2)).Method("S2NE", ssdrnb.S2NE().Seed(1)).Given([][2]int{{0, 50}, {50, 100}}, [][2]int{{0, 100}}).Meters("A to C"),
		Challenge("Five pairs", pancakes.Offers()).AtLeast("same-group neighbours", 0.95).Moves(3),
		pancakes.Hands().HideColors().Expert(2),
	)
	o := openTab(t, page, t.TempDir())
	press := func(k int, name string) {
		o.eval(k, fmt.Sprintf(`w.scrollIntoView(); [...w.querySelectorAll(".ssdrnb-dials > button")].find(b => b.textContent === %q).click(); return ""`, name))
	}
	for k := range 4 {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
	}
	o.until(0, meterText("same-group neighbours", "50.0 %"))
	press(0, "5 farthest")
	o.until(0, `Number.parseFloat(w.querySelector('.ssdrnb-meter[data-name="same-group neighbours"] b')?.textContent) > 95`)
	press(2, "5 farthest")
	o.until(2, `w.querySelector(".ssdrnb-won")?.textContent.startsWith("Five pairs: same-group neighbours")`)
	// The first hand asks the expert about the dot in the middle; joining two dots is another.
	o.eval(3, `w.scrollIntoView(); const c = w.querySelector("canvas.ssdrnb-panel"); c.focus(); c.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true})); return ""`)
	o.until(3, `w.ssdrnb.last().panels[0].samples.of.filter(k => k >= 0).length === 1 && /1 of 2 questions left/.test(w.ssdrnb.last().note)`)
	if hands := o.eval(3, `return [...w.querySelectorAll(".ssdrnb-hands button")].map(b => b.textContent + ":" + b.getAttribute("aria-pressed")).join(" ")`); hands != "Choose:true Join:false Part:false" {
		t.Errorf("the hands are %s", hands)
	}
	o.eval(3, `w.querySelectorAll(".ssdrnb-hands button")[1].click(); const c = w.querySelector("canvas.ssdrnb-panel"); for (const key of ["Enter", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"]) { c.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true})); } return ""`)
	o.until(3, `w.ssdrnb.last().panels[0].links?.length === 1`)
	for k, name := range []string{"pairs", "contradiction", "challenge", "expert"} {
		o.shots(k, name)
	}
	if errors := o.eval(0, `return JSON.stringify(window.errors)`); errors != "[]" {
		t.Errorf("in the page: %s", errors)
	}
}
