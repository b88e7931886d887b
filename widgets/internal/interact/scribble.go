package interact

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"slices"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// maxClasses bounds the number of classes of a Scribble or Painter. Readers cannot distinguish the
// colours of more.
const maxClasses = 20

func openScribble(ctx context.Context, t Task, store Store, stored []byte) (*Scribble, error) {
	h, d, err := openHistory(t, store, stored)
	if err != nil {
		return nil, err
	}
	classes := h.set.Classes
	switch {
	case t.Base == nil || t.Base.Bounds().Dx()*t.Base.Bounds().Dy() != t.Data.Len():
		return nil, fmt.Errorf("the image of Scribble is missing or does not have %d pixels, one for each sample; give the image of these samples", t.Data.Len())
	case len(classes) < 2 || len(classes) > maxClasses:
		return nil, fmt.Errorf("the number of classes is %d, out of range; name 2 to %d with Classes", len(classes), maxClasses)
	}
	s := &Scribble{spec: t.Spec, data: d, base: t.Base, classes: classes, history: h, width: t.Base.Bounds().Dx()}
	if apply := s.Work()(ctx); apply != nil {
		apply()
	}
	return s, nil
}

// Scribble is an image that the reader segments by drawing on it.
type Scribble struct {
	history
	spec    ssdrnb.Spec
	data    *ssdrnb.Data
	base    image.Image
	width   int
	classes []string

	regions         []int // predicted classes; nil without a fit
	revision        int
	status, failure string
}

// labels returns the label of each pixel. Pixels without a stroke have their label in the data.
func (s *Scribble) labels() []int { return s.set.mergedLabels(s.data) }

func (s *Scribble) rows(classes []int) [][]int {
	return slices.Collect(slices.Chunk(classes, s.width))
}

// Drawn returns the image as base. marks contains, row by row, the class of each labelled pixel,
// and −1 for other pixels. regions contains the predicted classes, or is nil without a fit. classes
// contains the class names.
func (s *Scribble) Drawn() (base image.Image, marks, regions [][]int, classes []string) {
	if s.regions != nil {
		regions = s.rows(s.regions)
	}
	return s.base, s.rows(s.labels()), regions, s.classes
}

// Title returns the title of the widget.
func (s *Scribble) Title() string {
	return look.Name(fmt.Sprintf("%s of %s: scribbles %q", s.spec.Method().Name, look.Name(s.data.Name), s.set.name))
}

// Captions returns the captions of the pictures that [Scribble.Drawn] returns.
func (s *Scribble) Captions() (marks, regions string) { return "scribbles", "segmentation" }

func (s *Scribble) Setup() any {
	var b bytes.Buffer
	if err := png.Encode(&b, s.base); err != nil {
		b.Reset() // not reached: only an image without pixels fails, and openScribble rejects it
	}
	colors := make([]string, len(s.classes), len(s.classes)+1)
	for k := range colors {
		colors[k] = look.CSS(look.Color(k))
	}
	return map[string]any{"image": base64.StdEncoding.EncodeToString(b.Bytes()), "width": s.width, "height": s.data.Len() / s.width,
		"classes": shown(s.classes), "colors": append(colors, "#ffffff"), "title": s.Title()}
}

// letters encodes the class of each pixel as a character: '0' plus the class, '/' for no class.
func letters(classes []int) string {
	out := make([]byte, len(classes))
	for i, k := range classes {
		out[i] = byte('0' + max(k, data.Unlabelled))
	}
	return string(out)
}

func (s *Scribble) State() any {
	return map[string]any{"revision": s.revision, "marks": letters(s.labels()), "regions": letters(s.regions), "undo": len(s.undo), "redo": len(s.redo),
		"labels": len(s.set.Labels), "status": s.status, "error": s.failure}
}

// maxBrush bounds the radius of a stroke. maxOutside bounds the coordinates of its points, which
// lie outside of the image if the pointer leaves it. Both are in pixels.
const (
	maxBrush   = 50
	maxOutside = 1e6
)

func (s *Scribble) Event(kind string, body json.RawMessage) (Outcome, error) {
	if kind != "stroke" {
		return s.common(kind, body)
	}
	var stroke struct {
		Points [][2]float64
		Radius float64
		Class  int
	}
	if err := decode(body, &stroke); err != nil {
		return Outcome{}, err
	}
	class := stroke.Class
	switch {
	case class == len(s.classes):
		class = data.Unlabelled // the eraser
	case class < 0 || class > len(s.classes):
		return Outcome{}, fmt.Errorf("%w: there is no class %d among the %d classes", errMessage, class, len(s.classes))
	}
	if !(stroke.Radius >= 0.5 && stroke.Radius <= maxBrush) || len(stroke.Points) == 0 || len(stroke.Points) > 2500 {
		return Outcome{}, fmt.Errorf("%w: a stroke cannot have %d points and radius %g", errMessage, len(stroke.Points), stroke.Radius)
	}
	for k, p := range stroke.Points {
		if max(math.Abs(p[0]), math.Abs(p[1])) > maxOutside {
			return Outcome{}, fmt.Errorf("%w: point %d of the stroke is (%g, %g), far from the image", errMessage, k, p[0], p[1])
		}
	}
	under := s.coveredPixels(stroke.Points, stroke.Radius)
	if len(under) == 0 {
		return Outcome{}, fmt.Errorf("%w: the stroke covers no pixel", errMessage)
	}
	return s.relabel(under, class, s.data)
}

// coveredPixels lists the pixels whose centres lie within the given radius of the polyline. The
// area around each segment is convex, so it intersects each line of pixels in at most one interval.
// The lines run along the longer side of the image. The cost of a segment is therefore at most
// proportional to the shorter side, however long the segment is.
func (s *Scribble) coveredPixels(points [][2]float64, radius float64) []int {
	lines, length, across := s.data.Len()/s.width, s.width, 0 // lines run along x
	if lines > length {
		lines, length, across = length, lines, 1
	}
	// begin contains the number of intervals that begin at a pixel, minus those that end before it.
	begin := make([]int, lines*(length+1))
	for k := range points {
		a, b := points[max(k-1, 0)], points[k]
		if across == 1 {
			a[0], a[1], b[0], b[1] = a[1], a[0], b[1], b[0]
		}
		first, last := max(math.Ceil(min(a[1], b[1])-radius-0.5), 0), min(math.Floor(max(a[1], b[1])+radius-0.5), float64(lines-1))
		for line := int(first); float64(line) <= last; line++ {
			lo, hi := chord(float64(line)+0.5, a, b, radius)
			from, to := max(math.Ceil(lo-0.5), 0), min(math.Floor(hi-0.5), float64(length-1))
			if from <= to {
				begin[line*(length+1)+int(from)]++
				begin[line*(length+1)+int(to)+1]--
			}
		}
	}
	var out []int
	for line := range lines {
		open := 0
		for at := range length {
			if open += begin[line*(length+1)+at]; open == 0 {
				continue
			}
			if across == 1 {
				out = append(out, at*s.width+line)
			} else {
				out = append(out, line*s.width+at)
			}
		}
	}
	return out
}

// chord returns the interval of all x for which the point (x, y) lies within the given radius of
// the segment from a to b. If the interval is empty, lo > hi.
func chord(y float64, a, b [2]float64, radius float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, end := range [][2]float64{a, b} {
		if square := radius*radius - (y-end[1])*(y-end[1]); square >= 0 {
			lo, hi = min(lo, end[0]-math.Sqrt(square)), max(hi, end[0]+math.Sqrt(square))
		}
	}
	// The discs around a and b are covered. Between them lie the points with 0 ≤ along ≤ l and
	// |beside| ≤ radius, where d = b − a, along = ((x−a₀)d₀ + (y−a₁)d₁) / l and
	// beside = ((y−a₁)d₀ − (x−a₀)d₁) / l.
	dx, dy := b[0]-a[0], b[1]-a[1]
	l := math.Hypot(dx, dy)
	if l == 0 {
		return lo, hi
	}
	dx, dy = dx/l, dy/l
	from, to := math.Inf(-1), math.Inf(1)
	within := func(slope, shift, least, most float64) { // least ≤ slope·(x−a₀) + shift ≤ most
		if slope == 0 {
			if shift < least || shift > most {
				from = math.Inf(1)
			}
			return
		}
		u, v := (least-shift)/slope, (most-shift)/slope
		from, to = max(from, min(u, v)), min(to, max(u, v))
	}
	within(dx, (y-a[1])*dy, 0, l)
	within(-dy, (y-a[1])*dx, -radius, radius)
	if from <= to {
		lo, hi = min(lo, a[0]+from), max(hi, a[0]+to)
	}
	return lo, hi
}

func (s *Scribble) Work() func(ctx context.Context) func() {
	set := s.set.clone()
	return func(ctx context.Context) func() {
		began := time.Now()
		d := set.applied(s.data)
		m, err := fitOnce(ctx, s.spec, d)
		var regions []int
		if err == nil {
			regions, err = m.Predict(d.X)
		}
		if cancelled(ctx, err) {
			return nil
		}
		return func() {
			s.revision++
			switch {
			case errors.Is(err, ssdrnb.ErrNeedsLabels):
				s.regions, s.status, s.failure = nil, "Draw in at least two regions to begin.", ""
			case err != nil:
				s.failure = err.Error()
			default:
				s.regions, s.failure = regions, ""
				s.status = fmt.Sprintf("%s: %s, %s drawn", m.Spec(), time.Since(began).Round(time.Millisecond), nouns.Count(len(set.Labels), "pixel"))
				if given := s.data.NumLabelled(); given > 0 {
					s.status += fmt.Sprintf(", %d labelled before", given)
				}
			}
		}
	}
}
