package widgets

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// writeStages writes a page of stages with the engine.
func writeStages(t *testing.T, path string, stages ...Stage) {
	t.Helper()
	engine, err := builtEngine()
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join("..", "viz", "js", "bundle", "widgets.js"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(`<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"></head><body>`)
	for _, s := range stages {
		spec, d := s.stage()
		html, err := payload{Kind: interact.KindStage, Page: &pageTask{Task: interact.Task{Kind: interact.KindStage, Stage: &spec, Data: d}, Notebook: "test"}}.fragment("words", "words", nil)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(html)
	}
	fmt.Fprintf(&b, `<script>%s</script><script type="text/plain" id="ssdrnb-engine-exec">%s</script>`, script, engine[1])
	for part := range slices.Chunk(engine[0], 3<<16) {
		fmt.Fprintf(&b, `<script type="text/plain" class="ssdrnb-engine">%s</script>`, base64.StdEncoding.EncodeToString(part))
	}
	b.WriteString("</body></html>")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// shots takes screenshots of the k-th stage at three widths, light and dark, and checks that it is
// never wider than its window.
func (o tab) shots(k int, name string) {
	o.Helper()
	for _, width := range []int{360, 900} {
		for _, scheme := range []string{"light", "dark"} {
			o.must(o.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: 1000, DeviceScaleFactor: 1}))
			o.must(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}.Call(o.page))
			o.until(k, fmt.Sprintf(`innerWidth === %d && document.scrollingElement.scrollWidth <= innerWidth`, width))
			o.eval(k, `w.scrollIntoView(); await new Promise(f => setTimeout(f, 400)); return ""`)
			o.shot(fmt.Sprintf("%s-%d-%s", name, width, scheme))
		}
	}
}

// meterText is a condition on the text of a meter.
func meterText(name, text string) string {
	return fmt.Sprintf(`w.querySelector('.ssdrnb-meter[data-name="%s"] b')?.textContent === %q`, name, text)
}

// answers logs the response time of the k-th stage to its slider.
func (o tab) answers(k, to int, name string) {
	o.Helper()
	o.Logf("%s: %s ms", name, o.eval(k, fmt.Sprintf(`w.scrollIntoView(); const s = w.querySelector(".ssdrnb-dial input[type=range]"), began = performance.now(), before = Number(w.dataset.revision); s.value = %d; s.dispatchEvent(new Event("input"));
		while (Number(w.dataset.revision) === before) { await new Promise(f => setTimeout(f, 5)); } return String(Math.round(performance.now() - began))`, to)))
}

// A graph in a page loaded from a file: k, diffusion that runs by itself, a link, a path and an
// oscillation.
func TestGraphPlayInPage(t *testing.T) {
	needChromium(t)
	path := filepath.Join(t.TempDir(), "page.html")
	moons := GraphPlay(Recipe("moons", 1)).Neighbors(1, 30, 6)
	writeStages(t, path,
		moons.Mode(Links).Neighbors(1, 30, 3).HideColors(),
		moons.Mode(Links).Neighbors(1, 30, 20),
		GraphPlay(Recipe("roll", 2)).Mode(Path).Neighbors(5, 20, 9).Ends(317, 61),
		moons.Mode(Carry).Neighbors(6, 6, 6).Edit(-1, -1),
		moons.Mode(Carry).Curve().Neighbors(3, 30, 6),
		moons.Mode(Swing))
	o := openTab(t, path)
	for k := range 6 {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
	}
	slide := func(k, to int) {
		o.eval(k, fmt.Sprintf(`w.scrollIntoView(); const s = w.querySelector(".ssdrnb-dial input[type=range]"); s.value = %d; s.dispatchEvent(new Event("input")); return ""`, to))
	}
	press := func(k int, name string) {
		o.eval(k, fmt.Sprintf(`w.scrollIntoView(); [...w.querySelectorAll(".ssdrnb-dials > button")].find(b => b.textContent === %q).click(); return ""`, name))
	}
	// A stage responds within 0.3 s on an idle machine.
	for k, name := range []string{"links", "red links", "way", "", "curve", "swing"} {
		if name == "" {
			continue
		}
		for _, to := range []int{9, 12} {
			o.answers(k, to, name)
		}
	}
	slide(0, 4)
	o.until(0, meterText("pieces", "2"))
	slide(1, 29)
	o.until(1, meterText("red links", "138"))
	slide(2, 5)
	o.until(2, meterText("way", "32.1"))
	press(3, "run")
	o.until(3, meterText("heard", "100.0 %"))
	if browser.Thorough() { // it runs for a quarter of a minute
		o.until(3, meterText("steps", "1000"))
	}
	press(4, "twenty draws")
	o.until(4, `[...w.querySelectorAll(".ssdrnb-dials > button")].find(b => b.textContent === "twenty draws").disabled`)
	press(5, "play or pause")
	o.until(5, `Number(w.dataset.revision) > 5`)
	for k, name := range []string{"pieces", "red", "way", "rumour", "curve", "swing"} {
		o.shots(k, "graph-"+name)
	}
	o.faultless()
}
