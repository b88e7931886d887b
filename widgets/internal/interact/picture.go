package interact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/look"
	"gonum.org/v1/gonum/mat"
)

// picture is the embedding that pages show. Each embedding is aligned with the previous one, so
// that points do not jump.
type picture struct {
	model     *ssdrnb.Model
	positions []float64 // aligned positions of the samples, n×2
	revision  int       // number of embeddings so far
}

// place shows a new model at the given aligned positions.
func (p *picture) place(m *ssdrnb.Model, at []float64) {
	p.model, p.positions = m, at
	p.revision++
}

// Passing aligns the positions y of a running fit and encodes them for pages. It returns nil if y
// has only one dimension, values that are not finite, or more or fewer samples than the shown
// embedding.
func (p *picture) Passing(y *mat.Dense) any {
	if n, d := y.Dims(); 2*n != len(p.positions) || d < 2 || data.CheckFinite(y) != nil {
		return nil
	}
	return pack(positions(y, p.positions, nil))
}

// Model returns the shown model.
func (p *picture) Model() *ssdrnb.Model { return p.model }

// spreadByClass returns a function for the heights of samples in a plot of a one-dimensional
// embedding. It spreads each class over a separate strip.
func spreadByClass(of []int) func(i int) float64 {
	return func(i int) float64 { return float64(of[i]) + 0.6*math.Mod(float64(i)*0.618034, 1) }
}

func summary(m *ssdrnb.Model, spent time.Duration) string {
	s := fmt.Sprintf("%s: %s", m.Spec(), spent.Round(100*time.Microsecond))
	if score, err := ssdrnb.NearestNeighbor(m, nil); err == nil && !math.IsNaN(score) {
		s += fmt.Sprintf(", 1-NN accuracy on hidden labels %.3f", score)
	}
	switch d := m.Dims(); {
	case d == 1:
		s += ", drawn from left to right, with the samples of each class spread over a strip of their own"
	case d > 2:
		s += fmt.Sprintf(", the first two of %d dimensions are drawn", d)
	}
	for _, w := range m.Report().Warnings {
		s += "; " + w
	}
	return s
}

// check returns an error if the data are not valid, have no dense features or have too many samples
// for a widget.
func check(d *ssdrnb.Data) error {
	if err := d.Err(); err != nil {
		return err
	}
	if d.X == nil {
		return errors.New("a widget shows dense features, but these data have none; reduce sparse rows with Data.PCA, or give the features from which the distances or neighbours were computed")
	}
	if d.Len() > maxPoints {
		return fmt.Errorf("the data have %d samples, but a widget shows at most %d; take a subset with Data.Take", d.Len(), maxPoints)
	}
	return nil
}

const maxAttributes = 4

// attribute is a column of text about the samples, encoded for pages.
type attribute struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// fitted is the embedding of one data set by a method, with the colours of the samples.
type fitted struct {
	picture
	data    *ssdrnb.Data
	classes look.Legend
	status  string // describes the model
	failure string // why the latest change was not fitted, or ""
}

// setup returns the constant data that a page needs to draw the samples.
func (f *fitted) setup(title string) map[string]any {
	s := scene(f.data)
	s["names"], s["colors"], s["symbols"], s["of"], s["title"] = f.classes.Names, f.classes.Colors, f.classes.Symbols, f.classes.Of, look.Name(title)
	return s
}

// state returns the embedding, the samples drawn with a ring, and the Go expression of the method.
func (f *fitted) state(ringed []bool, code ssdrnb.Spec) map[string]any {
	return map[string]any{"revision": f.revision, "at": pack(f.positions), "ringed": bits(ringed), "status": f.status, "error": f.failure, "code": look.Literal(code)}
}

// refit returns work that fits a model and shows it, and then calls done with nil or the error. It
// does not call done if the fit was cancelled.
func (f *fitted) refit(fit func(context.Context) (*ssdrnb.Model, error), done func(error)) func(context.Context) func() {
	last, spread := f.positions, spreadByClass(f.classes.Of)
	return func(ctx context.Context) func() {
		began := time.Now()
		m, err := fit(ctx)
		if cancelled(ctx, err) {
			return nil
		}
		if err != nil {
			return func() {
				f.failure = err.Error()
				done(err)
			}
		}
		at, status := positions(m.Embedding(), last, spread), summary(m, time.Since(began))
		return func() {
			f.place(m, at)
			f.status, f.failure = status, ""
			done(nil)
		}
	}
}

// scene returns the constant data that a page needs to draw samples.
func scene(d *ssdrnb.Data) map[string]any {
	s := map[string]any{"samples": d.Len(), "thumbnails": look.Thumbnails(d)}
	var shows []attribute
	for _, a := range d.Attributes[:min(len(d.Attributes), maxAttributes)] {
		if len(a.Values) == d.Len() {
			shows = append(shows, attribute{look.Name(a.Name), shown(a.Values)})
		}
	}
	if shows != nil {
		s["attributes"] = shows
	}
	return s
}
