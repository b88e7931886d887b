package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// TestTally selects a sample in one figure: other figures whose samples become pale give the
// reason, and a button, reachable by keyboard, ends it. A figure of other samples has no such line.
func TestTally(t *testing.T) {
	t.Parallel()
	scripts := charts(t, "echarts.min.js")
	iris := datasets.Iris()
	pca, lda := ssdrnb.PCA().MustFit(iris), ssdrnb.LDA().MustFit(iris)
	page := pageOf(t, viz.Embedding(pca), scripts)
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	// The script that links figures belongs to the page; outputs alone include a smaller one.
	figures, err := os.ReadFile(filepath.Join("..", "viz", "js", "bundle", "figures.js"))
	if err != nil {
		t.Fatal(err)
	}
	var more strings.Builder
	fmt.Fprintf(&more, "<script>%s</script>", figures)
	for _, f := range []viz.Figure{viz.Compare(lda, pca), viz.Embedding(ssdrnb.PCA().MustFit(datasets.TwoMoons(1))), viz.Multiples(viz.Group{Title: "both", Models: []viz.Embedded{pca, lda}})} {
		bundle, err := f.Bundle()
		if err != nil {
			t.Fatal(err)
		}
		more.WriteString(bundle["text/html"].(string))
	}
	if err := os.WriteFile(page, append(raw, more.String()...), 0o600); err != nil {
		t.Fatal(err)
	}
	b := keyed{newBench(t), 0}
	const lines = `() => Array.from(document.querySelectorAll(".ssdrnb-figure")).map(f => { const l = f.querySelector(".ssdrnb-chosen"); return l ? l.innerText.replace(/\s+/g, " ") : ""; }).join("|")`
	says := func(want string) {
		b.Helper()
		b.until(patience, "the figures say "+want, `want => (`+lines+`)() === want`, want)
	}
	for _, width := range []int{400, 1300} {
		for _, scheme := range []string{"light", "dark"} {
			b.must(b.tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: 1000, DeviceScaleFactor: 1}))
			b.must(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}.Call(b.tab))
			b.open(page)
			for k := 3; k >= 0; k-- {
				b.k = k
				b.until(patience, "the figure is drawn", `k => { const f = document.querySelectorAll(".ssdrnb-figure")[k]; f.scrollIntoView(); return f.dataset.drawn === "yes"; }`, k)
			}
			says("|||")
			b.ready()
			b.keys(input.ArrowRight, input.Enter)
			says("|1 of 150 samples selected · Clear||1 of 150 samples selected · Clear")
			for _, k := range []int{1, 3} {
				got := ask[[]string](t, b.tab, `k => {
					const f = document.querySelectorAll(".ssdrnb-figure")[k], l = f.querySelector(".ssdrnb-chosen"), r = l.getBoundingClientRect(), s = f.querySelector(".ssdrnb-tools").getBoundingClientRect();
					f.scrollIntoView();
					const meets = s => r.right > s.left && r.left < s.right && r.bottom > s.top && r.top < s.bottom;
					const over = meets(s) || innerWidth < 560 && meets(f.querySelector(".ssdrnb-keyed").getBoundingClientRect());
					return [l.firstChild.getAttribute("role"), l.firstChild.getAttribute("aria-live"), over ? "over the figure" : "free", document.documentElement.scrollWidth > innerWidth ? "wider" : "fits"];
				}`, k)
				if strings.Join(got, " ") != "status polite free fits" {
					t.Errorf("%d px, figure %d: %q", width, k, got)
				}
				shot(t, b.tab, box{0, 0, float64(width), 700}, fmt.Sprintf("tally-%d-%s-%d", width, scheme, k))
			}
			ask[bool](t, b.tab, `() => { document.querySelectorAll(".ssdrnb-chosen button")[1].focus(); return true; }`)
			b.keys(input.Enter)
			says("|||")
			if got := ask[string](t, b.tab, `() => Array.from(document.querySelectorAll(".ssdrnb-figure")).map(f => f.dataset.marked || 0).join()`); got != "0,0,0,0" {
				t.Errorf("after Clear figures mark %s", got)
			}
		}
	}
	b.clean()
}
