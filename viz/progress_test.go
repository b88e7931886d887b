package viz

import (
	"encoding/base64"
	"image/png"
	"math"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// The plot of an unfinished layout has the samples at their positions, with y upwards as in
// figures.
func TestOnTheWay(t *testing.T) {
	html := onTheWay(mat.NewDense(3, 3, []float64{0, 0, 9, 10, 0, 9, 0, 5, 9}))
	_, data, _ := strings.Cut(html, "base64,")
	data, _, _ = strings.Cut(data, "\"")
	img, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
	if err != nil {
		t.Fatal(err)
	}
	drawn := func(x, y int) bool {
		_, _, _, a := img.At(x, y).RGBA()
		return a > 0
	}
	for name, at := range map[string][2]int{"first": {0, 179}, "right": {238, 179}, "above": {0, 60}} {
		if !drawn(at[0], at[1]) {
			t.Errorf("no %s sample at %v", name, at)
		}
	}
	if drawn(0, 120) || drawn(120, 120) {
		t.Error("samples where there are none")
	}
	for name, y := range map[string]*mat.Dense{"nothing": nil, "a line": mat.NewDense(2, 1, []float64{0, 1}), "one place": mat.NewDense(2, 2, nil),
		"NaN": mat.NewDense(2, 2, []float64{math.NaN(), 1, 2, 3}), "Inf": mat.NewDense(2, 2, []float64{math.Inf(1), 1, 2, 3})} {
		if html := onTheWay(y); html != "" {
			t.Errorf("%s: %s", name, html)
		}
	}
}

// The rate and the remaining time of a stage do not include the time of earlier stages, or of other
// fits that run at the same time.
func TestPace(t *testing.T) {
	p, now := progress{}, time.Now()
	at := func(seconds int, e ssdrnb.Event) string {
		return p.line(e, now.Add(time.Duration(seconds)*time.Second))
	}
	at(0, ssdrnb.Event{Method: "A", Stage: "slow"})
	if text := at(60, ssdrnb.Event{Method: "A", Stage: "layout", Total: 100}); strings.Contains(text, "left") {
		t.Errorf("before the first step: %s", text)
	}
	at(61, ssdrnb.Event{Method: "B", Stage: "layout", Done: 3, Total: 7})
	if text := at(62, ssdrnb.Event{Method: "A", Stage: "layout", Done: 20, Total: 100}); !strings.HasSuffix(text, " A: layout 20 of 100, 10.0 per second, 8s left") {
		t.Errorf("after 20 steps: %s", text)
	}
	if text := at(63, ssdrnb.Event{Method: "A", Stage: "layout", Total: 100}); strings.Contains(text, "left") {
		t.Errorf("in a second fit: %s", text)
	}
}
