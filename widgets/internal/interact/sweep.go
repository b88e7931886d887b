package interact

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

func openSweep(ctx context.Context, t Task) (*Sweep, error) {
	if t.Sweep == nil || len(t.Sweep.Axes) < 1 || len(t.Sweep.Axes) > 2 {
		return nil, fmt.Errorf("SweepExplorer needs a sweep over one or two options; give one or two in total with Linear, Log10 or List of ssdrnb.Sweep")
	}
	s := &Sweep{sweep: t.Sweep, cells: t.Sweep.Unlabelled, scoreName: "accuracy on unlabelled samples", series: ssdrnb.NewSeries(t.Data),
		fitted: fitted{data: t.Data, classes: look.ClassesOf(t.Data, t.Data.Len()).Legend()}}
	if t.Sweep.Test != nil {
		s.cells, s.scoreName = t.Sweep.Test, "accuracy on test samples"
	}
	s.cell = t.Sweep.Best(s.cells)
	m, err := s.series.FitContext(ctx, t.Sweep.SpecAt(s.cell))
	if err != nil {
		return nil, err
	}
	s.place(m, positions(m.Embedding(), nil, spreadByClass(s.classes.Of)))
	s.status = summary(m, m.Report().Total())
	return s, nil
}

// Chosen returns the method with the options of the last chosen cell.
func (s *Sweep) Chosen() ssdrnb.Spec { return s.sweep.SpecAt(s.cell) }

// Close does nothing, because there is no store.
func (s *Sweep) Close() {}

// Sweep is the heat map of a sweep over options, with the embedding for the chosen cell.
type Sweep struct {
	fitted
	sweep     *ssdrnb.SweepResult
	series    *ssdrnb.Series
	cells     []ssdrnb.Cell // shown scores
	scoreName string        // description of the scores
	cell      int           // index of the chosen cell
}

func (s *Sweep) Setup() any {
	type cell struct {
		Text  string `json:"text"`
		Title string `json:"title"`
		Color string `json:"color"`
		Ink   string `json:"ink"`
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range s.cells {
		if v := c.Mean(); !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	cells := make([]cell, len(s.cells))
	for k, c := range s.cells {
		v := c.Mean()
		if math.IsNaN(v) {
			cells[k] = cell{"–", fmt.Sprint(c.Err), "#cccccc", "#000"}
			continue
		}
		t := 0.5
		if hi > lo {
			t = (v - lo) / (hi - lo)
		}
		ink := "#fff"
		if t > 0.6 {
			ink = "#000"
		}
		cells[k] = cell{fmt.Sprintf("%.3f", v), fmt.Sprintf("%v: %.4f ± %.4f", s.sweep.SpecAt(k), v, c.Std()), look.CSS(look.Between(look.Viridis, t)), ink}
	}
	labels := func(a ssdrnb.Axis) []string {
		out := make([]string, len(a.Values))
		for k := range out {
			out[k] = a.Label(k)
		}
		return out
	}
	out := s.setup(fmt.Sprintf("%s of %s: %s", s.sweep.Spec.Method().Name, look.Name(s.data.Name), s.scoreName))
	out["columns"], out["xname"] = labels(s.sweep.Axes[0]), s.sweep.Axes[0].Name
	out["rows"], out["yname"] = []string{""}, s.scoreName
	if len(s.sweep.Axes) == 2 {
		out["rows"], out["yname"] = labels(s.sweep.Axes[1]), s.sweep.Axes[1].Name
	}
	out["cells"] = cells
	return out
}

func (s *Sweep) State() any {
	state := s.state(s.classes.Labelled, s.Chosen())
	state["cell"] = s.cell
	return state
}

func (s *Sweep) Event(kind string, body json.RawMessage) (Outcome, error) {
	if kind != "cell" {
		return Outcome{}, ErrUnknown(kind)
	}
	var k int
	if err := decode(body, &k); err != nil {
		return Outcome{}, err
	}
	if k < 0 || k >= len(s.cells) {
		return Outcome{}, fmt.Errorf("%w: there is no cell %d among the %d cells", errMessage, k, len(s.cells))
	}
	s.cell = k
	return Outcome{Work: true}, nil
}

func (s *Sweep) Work() func(ctx context.Context) func() {
	spec := s.Chosen()
	fit := func(ctx context.Context) (*ssdrnb.Model, error) { return s.series.FitContext(ctx, spec) }
	return s.refit(fit, func(error) {})
}
