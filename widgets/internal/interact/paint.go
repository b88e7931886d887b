package interact

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

func openPainter(ctx context.Context, t Task, store Store, stored []byte) (*Painter, error) {
	// Sliders do not change while the reader paints. Their ranges are those for the largest
	// painting.
	m, err := newMenu(t.Methods, data.New(mat.NewDense(maxSpots, maxLift, nil), nil))
	if err != nil {
		return nil, err
	}
	p := &Painter{menu: m, name: t.Name, store: store}
	p.painting = painting{Format: storeFormat, Classes: t.Classes, Lift: t.Lift, choice: m.fresh()}
	if p.Classes == nil {
		p.Classes = classNames(t.Data)
		for len(p.Classes) < 3 { // the function Start returns up to three classes
			p.Classes = append(p.Classes, t.Data.ClassName(len(p.Classes)))
		}
	}
	if p.Spots, err = spotsOf(t.Data); err != nil {
		return nil, err
	}
	for _, s := range p.Spots {
		if err := inRange(s.Class, len(p.Classes), maxClasses); err != nil {
			return nil, err
		}
	}
	p.Next = len(p.Spots)
	if err := p.painting.check(); err != nil {
		return nil, err
	}
	if stored != nil {
		kept, err := parsePainting(stored)
		if err != nil {
			return nil, fmt.Errorf("%w: %q: %w; choose another name", ErrStore, t.Name, err)
		}
		if err := p.resume(kept); err != nil {
			return nil, err
		}
	}
	if apply := p.Work()(ctx); apply != nil {
		apply()
	}
	return p, ctx.Err()
}

// resume continues a stored painting. It resets a choice that the menu no longer allows.
func (p *Painter) resume(kept painting) error {
	p.painting = p.adapted(kept, p.fresh())
	return p.painting.check()
}

// adapted returns a copy of another painting that fits the canvas of p. The classes of the copy are
// those of p, followed by the further classes of its spots. If the menu does not allow the choice
// of the other painting, the copy has the choice in the argument otherwise.
func (p *Painter) adapted(other painting, otherwise choice) painting {
	var to codes
	to, other.Classes = matched(other.Classes, p.Classes, func(k int) bool { return slices.Contains(other.classes(), k) })
	other.Spots = slices.Clone(other.Spots)
	for i := range other.Spots {
		other.Spots[i].Class = to.of(other.Spots[i].Class)
	}
	if p.menu.check(other.choice) != nil {
		other.choice = otherwise
	}
	return other
}

// Painter is a canvas on which the reader paints samples, called spots. It shows the classes that
// the chosen method predicts, beside the embedding.
type Painter struct {
	picture
	menu
	painting
	name       string
	store      Store
	undo, redo []earlier
	stroke     int // number of the current stroke; 0 if the last change was not by a stroke

	// Number of spots removed by the current stroke, and number of those that had a class.
	removed, labelled int

	drawn           int   // revision of the painting that was fitted last, with or without success
	numbers         []int // spot.Number of each sample in the embedding
	regions         []int // predicted classes of the cells of the canvas; nil without a prediction
	status, failure string
}

// earlier is a painting that Undo or Redo restores. If whole is false, only its spots are restored.
type earlier struct {
	painting
	whole bool
}

// Data returns the painted data.
func (p *Painter) Data() *data.Data { return p.data(p.name) }

// Close closes the store.
func (p *Painter) Close() { p.store.Close() }

// Title returns the title of the widget.
func (p *Painter) Title() string { return look.Name(fmt.Sprintf("Painting %q", p.name)) }

// Captions returns the captions of the pictures that [Painter.Drawn] returns.
func (p *Painter) Captions() (marks, regions string) { return "painted samples", "predicted classes" }

func (p *Painter) Setup() any {
	colors := []string{look.CSS(look.NoClass)} // index 0 is for unlabelled samples
	for k := range p.Classes {
		colors = append(colors, look.CSS(look.Color(k)))
	}
	return map[string]any{"samples": 0, "classes": shown(p.Classes), "colors": colors, "names": append([]string{"unlabelled"}, shown(p.Classes)...),
		"starts": Starts, "grid": grid, "methods": p.menu.setup(), "title": p.Title(),
		"most": map[string]any{"spots": maxSpots, "dims": maxLift, "noise": maxNoise, "labels": maxKept}}
}

func (p *Painter) State() any {
	spots := make([]int, 0, 3*len(p.Spots))
	for _, s := range p.Spots {
		spots = append(spots, s.X, s.Y, s.Class)
	}
	seen := func(labels []int) string {
		flags := make([]bool, len(labels))
		// No samples are marked if all labels are visible.
		if slices.Contains(labels, data.Unlabelled) {
			for i, l := range labels {
				flags[i] = l != data.Unlabelled
			}
		}
		return bits(flags)
	}
	s := map[string]any{"revision": p.revision, "spots": spots, "seen": seen(p.kept()), "regions": letters(p.regions), "lift": p.Lift, "labels": p.Labels,
		"method": p.Method, "values": p.values(p.choice), "code": look.Literal(p.spec(p.choice)), "undo": len(p.undo), "redo": len(p.redo), "status": p.status, "error": p.failure, "changes": p.Revision, "drawn": p.drawn}
	if p.model != nil {
		d := p.model.Data()
		of := make([]int, d.Len())
		for i, l := range d.Truth {
			of[i] = l + 1
		}
		s["at"], s["of"], s["ringed"] = pack(p.positions), of, seen(d.Labels)
	}
	return s
}

// change replaces the spots of the canvas and stores them. stroke is the number of the stroke that
// causes the change, or 0 if no stroke does. All changes by a stroke are undone together. The reply
// contains the number of spots that the whole stroke has removed.
func (p *Painter) change(stroke int, spots []spot) (Outcome, error) {
	undo, removed, labelled := p.undo, p.removed, p.labelled
	if stroke == 0 || stroke != p.stroke {
		undo, removed, labelled = p.undoable(false), 0, 0
	}
	next := p.painting
	next.Spots = spots
	stay := map[int]bool{}
	for _, s := range spots {
		next.Next, stay[s.Number] = max(next.Next, s.Number+1), true
	}
	for _, s := range p.Spots {
		if stay[s.Number] {
			continue
		}
		if removed++; s.Class != data.Unlabelled {
			labelled++
		}
	}
	out, err := p.commit(next, undo, nil)
	if err != nil {
		return out, err
	}
	if p.stroke, p.removed, p.labelled = stroke, removed, labelled; removed > 0 {
		out.Reply = fmt.Sprintf("Spots: %d removed, %d of them with a class%s", removed, labelled, undoHint)
	}
	return out, nil
}

// undoable returns the list for Undo after a change of the current painting. whole is true if the
// change affects more than the spots.
func (p *Painter) undoable(whole bool) []earlier {
	undo := append(slices.Clip(p.undo), earlier{p.painting, whole})
	return undo[max(0, len(undo)-maxUndo):]
}

// back returns the painting after Undo or Redo has restored the given one.
func (p *Painter) back(to earlier) painting {
	next := p.painting
	if to.whole {
		next = to.painting
	}
	next.Spots, next.Next = to.Spots, p.Next // numbers of removed spots are not given again
	return next
}

// commit stores the next painting. If storing succeeds, it shows the painting.
func (p *Painter) commit(next painting, undo, redo []earlier) (Outcome, error) {
	next.Revision = p.Revision + 1
	err := next.check() // ensures that the stored painting can be read again
	var raw []byte
	if err == nil {
		raw, err = json.Marshal(next)
	}
	if err == nil {
		err = p.store.Write(append(raw, '\n'))
	}
	if err != nil {
		return Outcome{}, fmt.Errorf("%w: not saved: %w", ErrStore, err)
	}
	p.painting, p.undo, p.redo, p.stroke = next, undo, redo, 0
	return Outcome{Work: true, Show: true}, nil
}

// numbered sets the field Number of new spots.
func (p *Painter) numbered(spots []spot) []spot {
	for i := range spots {
		spots[i].Number = p.Next + i
	}
	return spots
}

func (p *Painter) Event(kind string, body json.RawMessage) (Outcome, error) {
	next := p.painting
	var err error
	switch kind {
	case "paint":
		return p.paint(body)
	case "erase":
		return p.erase(body)
	case "clear":
		return p.change(0, nil)
	case "start":
		var name string
		if err := decode(body, &name); err != nil {
			return Outcome{}, err
		}
		d, err := Start(name, p.Lift.Seed)
		if err != nil {
			return Outcome{}, err
		}
		if most := slices.Max(d.Labels); most >= len(p.Classes) {
			return Outcome{}, fmt.Errorf("%s need %d classes, but the canvas has only %d; name more with Classes", name, most+1, len(p.Classes))
		}
		spots, err := spotsOf(d)
		if err != nil {
			return Outcome{}, err
		}
		return p.change(0, p.numbered(spots))
	case "undo":
		k := len(p.undo) - 1
		if k < 0 {
			return Outcome{}, errors.New("nothing to undo")
		}
		return p.commit(p.back(p.undo[k]), p.undo[:k], append(slices.Clip(p.redo), earlier{p.painting, p.undo[k].whole}))
	case "redo":
		k := len(p.redo) - 1
		if k < 0 {
			return Outcome{}, errors.New("nothing to redo")
		}
		return p.commit(p.back(p.redo[k]), append(slices.Clip(p.undo), earlier{p.painting, p.redo[k].whole}), p.redo[:k])
	case "import":
		var text string
		if err := decode(body, &text); err != nil {
			return Outcome{}, err
		}
		given, err := parsePainting([]byte(text))
		if err == nil {
			given = p.adapted(given, p.choice)
			err = unnamed("file has", given.Classes, len(p.Classes))
		}
		if err != nil {
			return Outcome{}, fmt.Errorf("%w: not imported: %w", ErrStore, err)
		}
		given.Revision = p.Revision
		given.Next = max(given.Next, p.Next)
		return p.commit(given, p.undoable(true), nil)
	case "lift":
		if err = decode(body, &next.Lift); err == nil {
			if err = next.Lift.check(); err != nil {
				err = fmt.Errorf("%w: %w", errMessage, err)
			}
		}
	case "labels":
		err = whole(body, "labels per class", 0, maxKept, &next.Labels)
	default:
		next.choice, err = p.event(next.choice, kind, body)
	}
	if err != nil {
		return Outcome{}, err
	}
	out, err := p.commit(next, p.undo, p.redo)
	out.Show = false // the control that sent the event already shows the new value
	return out, err
}

// maxStroke bounds the number of points of a stroke in one message.
const maxStroke = 2500

// paint adds the spots of one part of a stroke.
func (p *Painter) paint(body json.RawMessage) (Outcome, error) {
	var stroke struct {
		Points [][2]float64
		Class  int
		Stroke int
	}
	if err := decode(body, &stroke); err != nil {
		return Outcome{}, err
	}
	switch n := len(stroke.Points); {
	case stroke.Class < data.Unlabelled || stroke.Class >= len(p.Classes):
		return Outcome{}, fmt.Errorf("%w: there is no class %d among the %d classes", errMessage, stroke.Class, len(p.Classes))
	case n == 0 || n > maxStroke:
		return Outcome{}, fmt.Errorf("%w: a stroke cannot have %d points", errMessage, n)
	case n+len(p.Spots) > maxSpots:
		return Outcome{}, fmt.Errorf("a canvas holds at most %d spots; erase %d first", maxSpots, n+len(p.Spots)-maxSpots)
	}
	var spots []spot
	for k, q := range stroke.Points {
		if !(max(math.Abs(q[0]), math.Abs(q[1])) <= 1) {
			return Outcome{}, fmt.Errorf("%w: point %d of the stroke is (%g, %g), outside of the canvas", errMessage, k, q[0], q[1])
		}
		spots = append(spots, spot{X: int(math.Round(half * q[0])), Y: int(math.Round(half * q[1])), Class: stroke.Class})
	}
	return p.change(stroke.Stroke, append(slices.Clip(p.Spots), p.numbered(spots)...))
}

// erase removes the spots within a given radius of a polyline.
func (p *Painter) erase(body json.RawMessage) (Outcome, error) {
	var stroke struct {
		Points [][2]float64
		Radius float64
		Stroke int
	}
	if err := decode(body, &stroke); err != nil {
		return Outcome{}, err
	}
	if n := len(stroke.Points); n == 0 || n > maxStroke || !(stroke.Radius > 0 && stroke.Radius <= 1) {
		return Outcome{}, fmt.Errorf("%w: an eraser cannot have %d points and radius %g", errMessage, n, stroke.Radius)
	}
	for k, q := range stroke.Points {
		if !(max(math.Abs(q[0]), math.Abs(q[1])) <= 2) {
			return Outcome{}, fmt.Errorf("%w: point %d of the eraser is (%g, %g), far from the canvas", errMessage, k, q[0], q[1])
		}
	}
	var left []spot
	for _, s := range p.Spots {
		touched := false
		for k := range stroke.Points {
			lo, hi := chord(float64(s.Y)/half, stroke.Points[max(k-1, 0)], stroke.Points[k], stroke.Radius)
			if x := float64(s.X) / half; lo <= x && x <= hi {
				touched = true
				break
			}
		}
		if !touched {
			left = append(left, s)
		}
	}
	if len(left) == len(p.Spots) {
		return Outcome{}, nil
	}
	return p.change(stroke.Stroke, left)
}

// grid×grid cells cover the canvas. A class is predicted for each cell.
const grid = 60

// cells returns the centres of the grid cells, row by row from the top.
func cells() [][2]float64 {
	out := make([][2]float64, 0, grid*grid)
	for r := range grid {
		for c := range grid {
			out = append(out, [2]float64{float64(2*c+1)/grid - 1, 1 - float64(2*r+1)/grid})
		}
	}
	return out
}

// Work fits the chosen method to the painting, and predicts the class of each cell of the canvas.
func (p *Painter) Work() func(ctx context.Context) func() {
	now, spec := p.painting, p.spec(p.choice)
	known := map[int][2]float64{} // positions in the last embedding
	for i, number := range p.numbers {
		known[number] = [2]float64{p.positions[2*i], p.positions[2*i+1]}
	}
	return func(ctx context.Context) func() {
		shown := func(m *ssdrnb.Model, at []float64, numbers, regions []int, status string) func() {
			return func() {
				p.place(m, at)
				p.drawn, p.numbers, p.regions, p.status, p.failure = now.Revision, numbers, regions, status, ""
			}
		}
		begin := shown(nil, nil, nil, nil, "Paint spots of two classes to begin.")
		if len(now.Spots) == 0 {
			return begin
		}
		began := time.Now()
		d := now.data(p.name)
		m, err := fitOnce(ctx, spec, d)
		switch {
		case cancelled(ctx, err):
			return nil
		case errors.Is(err, ssdrnb.ErrNeedsLabels) && len(d.Classes()) < 2:
			return begin
		case err != nil:
			return func() { p.drawn, p.failure = now.Revision, err.Error() }
		}
		status := summary(m, time.Since(began))
		regions, err := m.Predict(now.Lift.lifted(cells()))
		if err != nil && !errors.Is(err, ssdrnb.ErrNeedsLabels) {
			status += "; no regions: " + err.Error()
		}
		last, numbers := make([]float64, 0, 2*len(now.Spots)), make([]int, len(now.Spots))
		for i, s := range now.Spots {
			q, ok := known[s.Number]
			if !ok {
				q = [2]float64{math.NaN(), math.NaN()}
			}
			last, numbers[i] = append(last, q[0], q[1]), s.Number
		}
		of := make([]int, len(now.Spots))
		for i, s := range now.Spots {
			of[i] = s.Class + 1
		}
		return shown(m, positions(m.Embedding(), last, spreadByClass(of)), numbers, regions, status)
	}
}

// Drawn returns a white image with the unlabelled spots as base. marks contains, row by row, the
// class of each pixel of a labelled spot, and −1 for other pixels. regions contains the predicted
// class of each pixel, or is nil without a prediction. classes contains the class names.
func (p *Painter) Drawn() (base image.Image, marks, regions [][]int, classes []string) {
	const zoom, size = 4, 4 * grid
	canvas := image.NewNRGBA(image.Rect(0, 0, size, size))
	marks = make([][]int, size)
	for y := range marks {
		marks[y] = slices.Repeat([]int{data.Unlabelled}, size)
		for x := range size {
			canvas.SetNRGBA(x, y, color.NRGBA{0xff, 0xff, 0xff, 0xff})
		}
	}
	for _, s := range p.Spots {
		x, y := (s.X+half)*(size-1)/(2*half), (half-s.Y)*(size-1)/(2*half)
		for _, d := range [][2]int{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			if at := image.Pt(x+d[0], y+d[1]); at.In(canvas.Rect) {
				marks[at.Y][at.X] = s.Class
				if s.Class == data.Unlabelled {
					canvas.SetNRGBA(at.X, at.Y, look.NoClass)
				}
			}
		}
	}
	if p.regions != nil {
		for y := range size {
			row := make([]int, size)
			for x := range size {
				row[x] = p.regions[y/zoom*grid+x/zoom]
			}
			regions = append(regions, row)
		}
	}
	return canvas, marks, regions, p.Classes
}
