package widgets

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// mapModel is the model of lesson 7.
func mapModel(d *ssdrnb.Data) *ssdrnb.Model {
	return ssdrnb.GPLVM().Schedule(ssdrnb.Joint).Rounds(1).Steps(100).MustFit(d.HideLabels())
}

// TestMapInPage moves over a map by pointer and keys, and shows a stranger.
func TestMapInPage(t *testing.T) {
	needChromium(t)
	page := filepath.Join(t.TempDir(), "page.html")
	all := datasets.Digits()
	known, fresh := all.Only(3, 8).Seed(1).Take(40), all.Only(0, 3, 8).Seed(2).Take(5)
	writeStages(t, page,
		Map(mapModel(all.Only(3, 5, 8).Seed(1).Take(40))).Meters("deviation here", "deviation at the samples", "deviation half-way between classes", "deviation far away"),
		Map(mapModel(known)).New(fresh).Classifier("LDA", ssdrnb.LDA().MustFit(known)).Meters("error of redrawing", "strangers told apart", "the classifier says"),
	)
	o := openTab(t, page)
	for k := range 2 {
		o.eval(k, `w.scrollIntoView(); return ""`)
		o.until(k, isLive)
	}
	o.until(0, meterText("deviation at the samples", "0.28"))
	o.until(0, meterText("deviation far away", "1.00"))
	before := o.eval(0, `w.scrollIntoView(); return w.querySelector('.ssdrnb-meter[data-name="deviation here"] b').textContent`)
	// The widget starts in the middle of the map. A corner is far from all samples.
	o.eval(0, `const c = w.querySelector("canvas.ssdrnb-panel"), r = c.getBoundingClientRect();
		c.dispatchEvent(new PointerEvent("pointermove", {bubbles: true, isPrimary: true, pointerId: 1, clientX: r.x + 3, clientY: r.y + 3})); return ""`)
	o.until(0, meterText("deviation here", "1.00"))
	if before == "1.00" {
		t.Error("the middle of the map was never seen")
	}
	o.eval(0, `const c = w.querySelector("canvas.ssdrnb-panel"); c.focus(); c.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true})); return ""`)
	o.until(0, `w.querySelector('.ssdrnb-meter[data-name="deviation here"] b').textContent !== "1.00"`)
	o.eval(1, `w.scrollIntoView(); const r = w.querySelectorAll(".ssdrnb-dial input[type=radio]"); r[r.length - 1].click(); return ""`)
	o.until(1, `w.querySelectorAll("canvas.ssdrnb-panel").length === 4 && /^\d+\.\d\d$/.test(w.querySelector('.ssdrnb-meter[data-name="error of redrawing"] b').textContent)`)
	o.until(1, `["3", "8"].includes(w.querySelector('.ssdrnb-meter[data-name="the classifier says"] b').textContent)`)
	for k, name := range []string{"map", "stranger"} {
		o.shots(k, name)
	}
	o.faultless()
}

// TestMapTells checks the errors of models without a map, which a cell prints.
func TestMapTells(t *testing.T) {
	d := datasets.Digits().Only(3, 8).Take(5)
	for want, m := range map[string]MapBuilder{
		"fit GPLVM": Map(ssdrnb.PCA().MustFit(d)), "model of the map is nil": Map(nil), "nearest": Map(mapModel(d)).New(d).Classifier("PCA", ssdrnb.PCA().MustFit(d.HideLabels())),
	} {
		if _, got := m.stage(); got.Err() == nil || want != "nearest" && !strings.Contains(got.Err().Error(), want) {
			t.Errorf("%s: %v", want, got.Err())
		}
	}
	if _, got := Challenge("Find it", Map(ssdrnb.PCA().MustFit(d))).stage(); got.Err() == nil {
		t.Error("a challenge hides the error of its map")
	}
}
