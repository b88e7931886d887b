package widgets

import (
	"path/filepath"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// TestEaselInPage paints two groups by mouse and by keys until the goals of a challenge are met.
func TestEaselInPage(t *testing.T) {
	needChromium(t)
	page := filepath.Join(t.TempDir(), "page.html")
	writeStages(t, page,
		Challenge("PCA loses, LDA wins", Easel(Recipe("blobs", 1)).Method("PCA", ssdrnb.PCA().Dims(1)).Method("LDA", ssdrnb.LDA().Dims(1))).
			AtMost("PCA: hidden right", 0.6).AtLeast("LDA: hidden right", 0.95),
		Easel(Recipe("strips", 1)).Method("PCA", ssdrnb.PCA().Dims(1)).Method("LDA", ssdrnb.LDA().Dims(1)).Method("SDA", ssdrnb.SDA().Dims(1)).
			Method("KSDA", ssdrnb.KSDA().Dims(1).Scale(0.2)).Method("S2NE", ssdrnb.S2NE()).Rule("ruler", Ruler).Lift(0.15, 2, 5, 10),
	)
	o := openTab(t, page)
	for k := range 2 {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
	}
	const hand = `
		const c = w.querySelector("canvas.ssdrnb-panel"), wait = () => new Promise(f => setTimeout(f, 30));
		const touch = (kind, x, y) => { const r = c.getBoundingClientRect(); c.dispatchEvent(new PointerEvent(kind, {bubbles: true, isPrimary: true, button: 0, buttons: 1, pointerId: 1, clientX: r.x + x * r.width, clientY: r.y + y * r.height})); };
		const stroke = async (y) => { touch("pointerdown", 0.1, y); for (let x = 0.1; x < 0.9; x += 0.02) { touch("pointermove", x, y); await wait(); } touch("pointerup", 0.9, y); };
		const press = name => [...w.querySelectorAll(".ssdrnb-dials > button")].find(b => b.textContent === name).click();
	`
	o.eval(0, `w.scrollIntoView();`+hand+`press("clear"); await wait(); await stroke(0.4); return ""`)
	o.until(0, `/at least 40 dots/.test(w.ssdrnb.last().note) && w.ssdrnb.last().panels[0].samples.of.length >= 40`)
	o.eval(0, `w.querySelectorAll(".ssdrnb-dial input[type=radio]")[1].click(); return ""`)
	o.until(0, `w.ssdrnb.last().dials[0] === 1`)
	o.eval(0, hand+`await stroke(0.6); return ""`)
	o.until(0, `w.ssdrnb.last().panels[0].samples.of.filter(c => c === 1).length >= 40`)
	if scrolled := o.eval(0, `return getComputedStyle(w.querySelector("canvas.ssdrnb-panel")).touchAction`); scrolled != "none" {
		t.Errorf("a finger that paints scrolls: %q", scrolled)
	}
	o.eval(0, hand+`press("ten draws"); return ""`)
	o.until(0, `w.querySelector(".ssdrnb-won").textContent.startsWith("PCA loses, LDA wins: ")`)
	// A dab painted by keys is five points.
	before := o.eval(0, `return String(w.ssdrnb.last().panels[0].samples.of.length)`)
	o.eval(0, hand+`c.focus(); for (const key of ["ArrowUp", "Enter"]) { c.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true})); } return ""`)
	o.until(0, `w.ssdrnb.last().panels[0].samples.of.length === `+before+` + 5 && w.ssdrnb.last().panels.length === 1`)
	o.eval(1, `w.scrollIntoView();`+hand+`press("ten draws"); return ""`)
	o.until(1, meterText("LDA: hidden right", "100.0 %"))
	for k, name := range []string{"painting", "six"} {
		o.shots(k, "easel-"+name)
	}
	o.faultless()
}
