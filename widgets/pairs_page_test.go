package widgets

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// TestPairsInPage buys pairs, shows four methods, and wins a challenge.
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
	o := openTab(t, page)
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
	// The first tool queries the expert about the point in the middle; joining two points is
	// another tool.
	o.eval(3, `w.scrollIntoView(); const c = w.querySelector("canvas.ssdrnb-panel"); c.focus(); c.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true})); return ""`)
	o.until(3, `w.ssdrnb.last().panels[0].samples.of.filter(k => k >= 0).length === 1 && /1 of 2 questions left/.test(w.ssdrnb.last().note)`)
	if hands := o.eval(3, `return [...w.querySelectorAll(".ssdrnb-hands button")].map(b => b.textContent + ":" + b.getAttribute("aria-pressed")).join(" ")`); hands != "Ask:true Join:false Part:false" {
		t.Errorf("the hands are %s", hands)
	}
	o.eval(3, `w.querySelectorAll(".ssdrnb-hands button")[1].click(); const c = w.querySelector("canvas.ssdrnb-panel"); for (const key of ["Enter", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"]) { c.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true})); } return ""`)
	o.until(3, `w.ssdrnb.last().panels[0].links?.length === 1`)
	for k, name := range []string{"pairs", "contradiction", "challenge", "expert"} {
		o.shots(k, name)
	}
	o.faultless()
}

// TestExpertInPage plays the exercise of lesson 5 by mouse: points stay grey until the expert was
// queried, the menu switches between joining and separating, in either plot, and a seventh query is
// refused.
func TestExpertInPage(t *testing.T) {
	needChromium(t)
	page := filepath.Join(t.TempDir(), "page.html")
	writeStages(t, page, Challenge("Three pairs", Pairs(Recipe("pancakes", 2)).Title("Three pairs").Method("SSDR", ssdrnb.SSDR().Dims(2)).Method("S2NE", ssdrnb.S2NE().Seed(1)).
		Hands().HideColors().Expert(6).Meters("same-group neighbours", "must-links")).AtLeast("SSDR: same-group neighbours", 0.95).AtMost("must-links", 3))
	o := openTab(t, page)
	o.until(0, isLive)
	// A point is pressed at its drawn position, once it has stopped moving.
	const mouse = `
		w.scrollIntoView();
		const panels = [...w.querySelectorAll("canvas.ssdrnb-panel")], wait = ms => new Promise(f => setTimeout(f, ms));
		const place = (k, i) => {
			const { samples, view: v } = w.ssdrnb.last().panels[k], raw = atob(samples.at.steps), c = panels[k], pad = 8;
			const at = j => { const b = raw.charCodeAt(2 * j) + 256 * raw.charCodeAt(2 * j + 1); return (b > 32767 ? b - 65536 : b) * samples.at.unit; };
			const [width, height, dx, dy] = [c.clientWidth, c.clientHeight, v.x1 - v.x0, v.y1 - v.y0], u = Math.min((width - 2 * pad) / dx, (height - 2 * pad) / dy);
			return [(width - u * dx) / 2 + u * (at(2 * i) - v.x0), (height - u * dy) / 2 + u * (v.y1 - at(2 * i + 1))];
		};
		const dot = async (k, i) => {
			await wait(400);
			const c = panels[k], r = c.getBoundingClientRect(), [x, y] = place(k, i);
			for (const kind of ["pointerdown", "pointerup"]) {
				c.dispatchEvent(new PointerEvent(kind, {bubbles: true, isPrimary: true, button: 0, pointerId: 1, clientX: r.x + c.clientLeft + x, clientY: r.y + c.clientTop + y}));
			}
		};
		const take = name => [...w.querySelectorAll(".ssdrnb-hands button")].find(b => b.textContent === name).click();
		const of = k => w.ssdrnb.last().panels[k].samples.of, known = k => of(k).flatMap((c, i) => c >= 0 ? [i] : []);
	`
	hint := func(want string) {
		t.Helper()
		if got := o.eval(0, `return w.querySelector(".ssdrnb-stage > .ssdrnb-status").textContent`); got != want {
			t.Errorf("the hint is %q, not %q", got, want)
		}
	}
	hint("Click a dot to ask the expert for its group.")
	if got := o.eval(0, `return String([...w.querySelectorAll(".ssdrnb-keys > span")].every(k => k.hidden)) + " " + w.ssdrnb.last().panels.every(p => p.samples.of.every(k => k === -1))`); got != "true true" {
		t.Errorf("before a question, keys hidden and dots grey: %s", got)
	}
	asks := []int{0, 40, 80, 120, 150, 190}
	for k, i := range asks {
		o.eval(0, mouse+fmt.Sprintf(`await dot(%d, %d); return ""`, k%2, i))
		o.until(0, fmt.Sprintf(`w.ssdrnb.last().panels.every(p => p.samples.of[%d] >= 0 && p.samples.looks[%d] === "r" && p.samples.of.filter(k => k >= 0).length === %d)`, i, i, k+1))
		o.until(0, fmt.Sprintf(`w.innerText.includes("%d of 6 questions left.")`, len(asks)-k-1))
	}
	o.shots(0, "expert-asked")
	o.eval(0, mouse+`await dot(0, 40); await dot(1, 77); return ""`)
	o.until(0, `/all 6 questions; reset/.test(w.dataset.error)`)
	if got := o.eval(0, mouse+`return known(0).join() + " " + [...w.querySelectorAll(".ssdrnb-keys > span")].filter(k => !k.hidden).length`); got != "0,40,80,120,150,190 2" {
		t.Errorf("after a seventh question: %s", got)
	}
	// Two points of each group are joined, one pair in either plot; then two of different groups
	// are separated.
	o.eval(0, mouse+`take("Join"); await dot(0, 0); await dot(0, 80); return ""`)
	hint("Click two dots to join them.")
	o.until(0, `w.ssdrnb.last().panels.every(p => p.links?.length === 1 && p.links[0].i === 0 && p.links[0].j === 80)`)
	o.eval(0, mouse+`await dot(1, 120); await dot(1, 190); return ""`)
	o.until(0, `w.ssdrnb.last().panels.every(p => p.links?.length === 2)`)
	o.until(0, `w.querySelector(".ssdrnb-won")?.textContent.startsWith("Three pairs: SSDR: same-group neighbours")`)
	o.eval(0, mouse+`take("Part"); await dot(0, 40); await dot(0, 150); return ""`)
	o.until(0, `w.ssdrnb.last().panels.every(p => p.links?.length === 3 && p.links[2].kind === 3)`)
	o.until(0, `w.innerText.includes("0 of 6 questions left.")`)
	o.shots(0, "expert-won")
	o.eval(0, `[...w.querySelectorAll("button")].find(b => b.textContent === "Reset").click(); return ""`)
	o.until(0, `w.ssdrnb.last().panels.every(p => p.samples.of.every(k => k === -1) && !p.links?.length) && w.innerText.includes("6 of 6 questions left.")`)
	o.faultless()
}
