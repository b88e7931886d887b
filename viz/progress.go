package viz

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"math"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz/pace"
)

// Importing viz in a cell turns on progress bars of long fits and sweeps, and previews of iterative
// layouts.
func init() { ShowProgress(true) }

var (
	progressMu   sync.Mutex
	stopProgress func()
)

// ShowProgress turns on or off both the progress bars of long fits and sweeps and the previews of
// iterative layouts. By default, both are on in notebooks.
func ShowProgress(on bool) {
	progressMu.Lock()
	defer progressMu.Unlock()
	if stopProgress != nil {
		stopProgress()
		stopProgress = nil
	}
	if on && gonbui.IsNotebook {
		p := &progress{id: "ssdrnb-progress-" + gonbui.UniqueId(), began: time.Now()}
		stopProgress = ssdrnb.Observe(p.event)
	}
}

// A bar appears after progressAfter, so that short fits show no bar. Updates are at least
// progressEvery apart.
const (
	progressAfter = time.Second
	progressEvery = 250 * time.Millisecond
)

// progress displays the events of fits and sweeps as a line of HTML.
type progress struct {
	mu           sync.Mutex // several fits may run at the same time
	id           string
	began, shown time.Time
	task         string
	estimator    pace.Estimator
}

func (p *progress) event(e ssdrnb.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	estimate, shown := p.estimator.Follow(e, now)
	if !shown {
		return
	}
	if e.Method != p.task {
		p.task, p.began = e.Method, now
	}
	if e.Total > 0 && e.Done == e.Total {
		p.task = ""
		if !p.shown.IsZero() {
			gonbui.UpdateHTML(p.id, "") // remove the bar
			p.shown = time.Time{}
		}
		return
	}
	if now.Sub(p.began) < progressAfter || now.Sub(p.shown) < progressEvery {
		return
	}
	p.shown = now
	gonbui.UpdateHTML(p.id, bar(e, now.Sub(p.began), estimate)+onTheWay(e.Layout))
}

// bar returns the HTML of the bar, with the rate and the remaining time if they are known. If the
// number of steps is unknown, it shows the time since the start of the fit instead.
func bar(e ssdrnb.Event, spent time.Duration, estimate pace.Estimate) string {
	name := html.EscapeString(e.Method + ": " + e.Stage)
	if e.Total == 0 {
		return fmt.Sprintf("<progress></progress> %s, %s", name, spent.Round(time.Second))
	}
	text := fmt.Sprintf("<progress value=\"%d\" max=\"%d\"></progress> %s %d of %d", e.Done, e.Total, name, e.Done, e.Total)
	if estimate.Known {
		text += fmt.Sprintf(", %.1f per second, %s left", estimate.PerSecond, estimate.Left.Round(time.Second))
	}
	return text
}

// onTheWay returns the HTML of a preview: an image of the first two coordinates of the samples
// during a fit. It returns "" if there are fewer than two coordinates, if a coordinate is not
// finite, or if all samples coincide.
func onTheWay(y *mat.Dense) string {
	const side, dot = 240, 2
	if y == nil {
		return ""
	}
	n, d := y.Dims()
	if d < 2 {
		return ""
	}
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := range n {
		for c := range lo {
			lo[c], hi[c] = min(lo[c], y.At(i, c)), max(hi[c], y.At(i, c))
		}
	}
	extent := max(hi[0]-lo[0], hi[1]-lo[1])
	if !(extent > 0) || math.IsInf(extent, 1) {
		return ""
	}
	img := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.Transparent, color.RGBA{84, 112, 198, 255}})
	for i := range n {
		at := func(c int) int {
			return int(side/2 + (y.At(i, c)-(lo[c]+hi[c])/2)/extent*(side-dot) - dot/2)
		}
		for a := range dot {
			for b := range dot {
				img.SetColorIndex(at(0)+a, side-dot-at(1)+b, 1)
			}
		}
	}
	var b bytes.Buffer
	if png.Encode(&b, img) != nil {
		return ""
	}
	return fmt.Sprintf("<br><img width=\"%d\" height=\"%d\" alt=\"the embedding so far\" src=\"data:image/png;base64,%s\">", side, side, base64.StdEncoding.EncodeToString(b.Bytes()))
}
