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
)

// Importing viz in a cell turns on progress bars of long fits and sweeps, and previews of iterative
// layouts.
func init() { ShowProgress(true) }

var (
	progressMu   sync.Mutex
	stopProgress func()
)

// ShowProgress switches the progress bars of long fits and sweeps, and the previews of iterative
// layouts, on or off. By default, both are on in notebooks.
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
	sweeping     bool             // a sweep is running, and its fits show no bars
	paces        map[string]*pace // by method, because fits that run at the same time count separately
}

func (p *progress) event(e ssdrnb.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	finished := e.Total > 0 && e.Done == e.Total
	if e.Method == "Sweep" {
		p.sweeping = !finished
	} else if p.sweeping {
		return
	}
	if e.Method != p.task {
		p.task, p.began = e.Method, now
	}
	if finished {
		p.task = ""
		if !p.shown.IsZero() {
			gonbui.UpdateHTML(p.id, "") // remove the bar
			p.shown = time.Time{}
		}
		return
	}
	line := p.line(e, now)
	if now.Sub(p.began) < progressAfter || now.Sub(p.shown) < progressEvery {
		return
	}
	p.shown = now
	gonbui.UpdateHTML(p.id, line+onTheWay(e.Layout))
}

// line returns the HTML of the bar, with the rate and the remaining time if they are known. It must be
// called at every event.
func (p *progress) line(e ssdrnb.Event, now time.Time) string {
	name := html.EscapeString(e.Method + ": " + e.Stage)
	if p.paces == nil {
		p.paces = map[string]*pace{}
	}
	if p.paces[e.Method] == nil {
		p.paces[e.Method] = &pace{}
	}
	rate, left, known := p.paces[e.Method].left(e, now)
	if e.Total == 0 {
		return fmt.Sprintf("<progress></progress> %s, %s", name, now.Sub(p.began).Round(time.Second))
	}
	text := fmt.Sprintf("<progress value=\"%d\" max=\"%d\"></progress> %s %d of %d", e.Done, e.Total, name, e.Done, e.Total)
	if known {
		text += fmt.Sprintf(", %.1f per second, %s left", rate, left.Round(time.Second))
	}
	return text
}

// pace estimates when the steps that events count will end. The stages of a fit count separately.
type pace struct {
	since              time.Time // of the first event that counts these steps
	first, done, total int
}

// left returns the number of steps per second and the remaining time at event e. It returns false if
// no step has ended since the first event.
func (p *pace) left(e ssdrnb.Event, now time.Time) (rate float64, left time.Duration, known bool) {
	if e.Total != p.total || e.Done < p.done {
		*p = pace{since: now, first: e.Done, total: e.Total}
	}
	p.done = e.Done
	steps, spent := float64(e.Done-p.first), now.Sub(p.since)
	if steps == 0 || spent <= 0 {
		return 0, 0, false
	}
	return steps / spent.Seconds(), time.Duration(float64(spent) / steps * float64(e.Total-e.Done)), true
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
