package widgets

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// SweepExplorerBuilder collects the options of [SweepExplorer]. Its methods return
// changed copies.
type SweepExplorerBuilder struct {
	sweep *ssdrnb.SweepResult
	data  *ssdrnb.Data
	idle  time.Duration
}

// SweepExplorer returns the builder of a live heat map of a sweep over one or two
// options: a click on a cell fits d with the cell's options and shows the embedding.
// Scores are on the test samples if the sweep has them, and otherwise on the unlabelled
// ones. It begins at the best cell. [viz.Mesh] draws the same sweep without controls.
func SweepExplorer(r *ssdrnb.SweepResult, d *ssdrnb.Data) SweepExplorerBuilder {
	return SweepExplorerBuilder{sweep: r, data: d}
}

// Idle sets how long the cell goes on without an action of the reader; the default is
// 15 minutes.
func (b SweepExplorerBuilder) Idle(limit time.Duration) SweepExplorerBuilder {
	b.idle = limit
	return b
}

// Show shows the heat map and waits until it ends, see the package comment. It returns
// the method with the options of the cell that was chosen last.
func (b SweepExplorerBuilder) Show() ssdrnb.Spec {
	s, err := b.open(context.Background())
	if err != nil {
		complain(err)
		return ssdrnb.Spec{}
	}
	if !live() {
		fmt.Println(s.model)
		return s.sweep.SpecAt(s.cell)
	}
	run("sweep", newSession(s, b.idle), s.figure)
	return s.sweep.SpecAt(s.cell)
}

func (b SweepExplorerBuilder) open(ctx context.Context) (*sweepView, error) {
	if b.sweep == nil || len(b.sweep.Axes) < 1 || len(b.sweep.Axes) > 2 {
		return nil, fmt.Errorf("SweepExplorer needs a sweep over one or two options; call one or two of Linear, Log10 and List on ssdrnb.Sweep")
	}
	if err := check(b.data); err != nil {
		return nil, err
	}
	s := &sweepView{sweep: b.sweep, data: b.data, cells: b.sweep.Unlabelled, what: "accuracy on unlabelled samples", series: ssdrnb.NewSeries(b.data)}
	if b.sweep.Test != nil {
		s.cells, s.what = b.sweep.Test, "accuracy on test samples"
	}
	s.cell = b.sweep.Best(s.cells)
	m, err := s.series.FitContext(ctx, b.sweep.SpecAt(s.cell))
	if err != nil {
		return nil, err
	}
	s.classes = look.ClassesOf(m.Data(), m.Data().Len()).Legend()
	s.place(m, positions(m.Embedding(), nil, spreadByClass(s.classes.Of)))
	s.status = summary(m, m.Report().Total())
	return s, nil
}

// sweepView is a running [SweepExplorer].
type sweepView struct {
	picture
	sweep   *ssdrnb.SweepResult
	data    *ssdrnb.Data
	series  *ssdrnb.Series
	cells   []ssdrnb.Cell
	what    string
	cell    int
	classes look.Legend

	status, failure string
}

func (s *sweepView) setup() any {
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
	out := scene(s.data)
	out["columns"], out["xname"] = labels(s.sweep.Axes[0]), s.sweep.Axes[0].Name
	out["rows"], out["yname"] = []string{""}, s.what
	if len(s.sweep.Axes) == 2 {
		out["rows"], out["yname"] = labels(s.sweep.Axes[1]), s.sweep.Axes[1].Name
	}
	out["cells"], out["names"], out["colors"], out["symbols"], out["of"] = cells, s.classes.Names, s.classes.Colors, s.classes.Symbols, s.classes.Of
	out["title"] = look.Name(fmt.Sprintf("%s of %s: %s", s.sweep.Spec.Method().Name, look.Name(s.data.Name), s.what))
	return out
}

func (s *sweepView) state() any {
	return map[string]any{"revision": s.revision, "at": pack(s.at), "ringed": bits(s.classes.Labelled), "cell": s.cell,
		"code": literal(s.sweep.SpecAt(s.cell)), "status": s.status, "error": s.failure}
}

func (s *sweepView) event(kind string, body json.RawMessage) (outcome, error) {
	if kind != "cell" {
		return outcome{}, errUnknown(kind)
	}
	var k int
	if err := decode(body, &k); err != nil {
		return outcome{}, err
	}
	if k < 0 || k >= len(s.cells) {
		return outcome{}, fmt.Errorf("%w: cell %d of %d", errMessage, k, len(s.cells))
	}
	s.cell = k
	return outcome{work: true}, nil
}

func (s *sweepView) work() func(ctx context.Context) func() {
	spec, last, spread := s.sweep.SpecAt(s.cell), s.at, spreadByClass(s.classes.Of)
	return func(ctx context.Context) func() {
		began := time.Now()
		m, err := s.series.FitContext(ctx, spec)
		if cancelled(ctx, err) {
			return nil
		}
		if err != nil {
			return func() { s.failure = err.Error() }
		}
		at, status := positions(m.Embedding(), last, spread), summary(m, time.Since(began))
		return func() {
			s.place(m, at)
			s.status, s.failure = status, ""
		}
	}
}
