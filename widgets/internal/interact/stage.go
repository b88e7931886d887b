package interact

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// Stage is the widget of a stage of a lesson. It validates the reader's actions.
type Stage struct {
	stage    stage.Stage
	setup    stage.Setup
	state    *stage.State
	revision int
}

// maxPlace bounds the coordinates of an action. maxTurn bounds the displacement by a drag, in units
// of the panel's side.
const (
	maxPlace = 1e9
	maxTurn  = 100
)

func openStage(ctx context.Context, t Task) (*Stage, error) {
	if t.Stage == nil {
		return nil, fmt.Errorf("%w: the %s has no stage", errMessage, t.Kind)
	}
	if t.Beat != nil {
		if err := t.Beat.check(); err != nil {
			return nil, err
		}
	}
	inner, err := t.Stage.Open(t.Data)
	if err != nil {
		return nil, err
	}
	s := &Stage{stage: inner, setup: inner.Setup()}
	next, err := s.seen(ctx, inner.Work())
	if err != nil {
		return nil, err
	}
	s.state, s.revision = next, 1
	return s, nil
}

// Setup returns the setup of the stage.
func (s *Stage) Setup() any { return s.setup }

// State returns the visible state.
func (s *Stage) State() any {
	return struct {
		*stage.State
		Revision int `json:"revision"`
	}{s.state, s.revision}
}

// Event applies an action of the reader.
func (s *Stage) Event(kind string, body json.RawMessage) (Outcome, error) {
	if kind != "action" {
		return Outcome{}, ErrUnknown(kind)
	}
	var a stage.Action
	if err := decode(body, &a); err != nil {
		return Outcome{}, err
	}
	if err := s.check(a); err != nil {
		return Outcome{}, err
	}
	if a.Kind == stage.KindTick && s.state.Tick <= 0 {
		return Outcome{}, nil // the page sent this tick before the animation ended
	}
	if err := s.stage.Do(a); err != nil {
		return Outcome{}, err
	}
	return Outcome{Work: true}, nil
}

// check returns an error unless the action is possible in the visible state.
func (s *Stage) check(a stage.Action) error {
	for _, v := range [...]float64{a.At[0], a.At[1]} {
		if !(math.Abs(v) <= maxPlace) {
			return fmt.Errorf("%w: the place %v is out of range", errMessage, a.At)
		}
	}
	for _, v := range a.By {
		if !(math.Abs(v) <= maxTurn) {
			return fmt.Errorf("%w: a turn by %v is out of range", errMessage, a.By)
		}
	}
	switch a.Kind {
	case "reset":
		return nil
	case stage.KindTick:
		return nil
	case "dial":
		for _, d := range s.setup.Dials {
			if d.Name == a.Name {
				return checkIndex("position of "+d.Name, a.Index, len(d.Values))
			}
		}
		return fmt.Errorf("%w: there is no dial %.40q", errMessage, a.Name)
	case "named":
		return checkIndex("named position", a.Index, len(s.setup.Named))
	case "press":
		for k, b := range s.setup.Buttons {
			if b.Name == a.Name {
				if k < len(s.state.Enabled) && !s.state.Enabled[k] {
					return fmt.Errorf("%w: the button %s is disabled now", errMessage, b.Name)
				}
				return nil
			}
		}
		return fmt.Errorf("%w: there is no button %.40q", errMessage, a.Name)
	}
	if !slices.Contains(s.setup.Hands, stage.Hand(a.Kind)) {
		return fmt.Errorf("%w: this stage has no action %.40q", errMessage, a.Kind)
	}
	if err := checkIndex("panel", a.Panel, len(s.state.Panels)); err != nil {
		return err
	}
	return s.checkHand(a, s.state.Panels[a.Panel])
}

// checkHand returns an error unless the action is possible on the panel.
func (s *Stage) checkHand(a stage.Action, p stage.Panel) error {
	samples := 0
	if p.Samples != nil {
		samples = len(p.Samples.At.Steps) / 4
	}
	switch stage.Hand(a.Kind) {
	case stage.HandPick:
		if a.Index == -1 && len(p.Bars) == 0 {
			return nil // the press is not on a sample, but may select the panel
		}
		return checkIndex("choice", a.Index, max(samples, len(p.Bars)))
	case stage.HandDrag, stage.HandDrop:
		if a.Index < 0 || !slices.ContainsFunc(p.Marks, func(m stage.Mark) bool { return m.Index == a.Index }) {
			return fmt.Errorf("%w: there is no mark %d to move", errMessage, a.Index)
		}
	case stage.HandLink, stage.HandPart, stage.HandCut:
		if a.Pair[0] == a.Pair[1] {
			return fmt.Errorf("%w: sample %d cannot be joined with itself", errMessage, a.Pair[0])
		}
		for _, i := range a.Pair {
			if err := checkIndex("sample", i, samples); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkIndex(what string, i, n int) error {
	if i < 0 || i >= n {
		return fmt.Errorf("%w: the %s is %d, out of range: there are %d", errMessage, what, i, n)
	}
	return nil
}

// Work returns a function that computes the state after all actions so far.
func (s *Stage) Work() func(ctx context.Context) func() {
	work := s.stage.Work()
	return func(ctx context.Context) func() {
		next, err := s.seen(ctx, work)
		if cancelled(ctx, err) {
			return nil
		}
		return func() {
			if err != nil {
				failed := *s.state
				failed.Error, failed.Tick = err.Error(), 0
				next = &failed
			}
			s.state = next
			s.revision++
		}
	}
}

// seen computes a state, and checks that it matches the setup and can be encoded.
func (s *Stage) seen(ctx context.Context, work func(context.Context) (*stage.State, error)) (*stage.State, error) {
	next, err := work(ctx)
	if err != nil {
		return nil, err
	}
	if next == nil {
		return nil, fmt.Errorf("stage: %q shows nothing", s.setup.Title)
	}
	if len(next.Dials) != len(s.setup.Dials) || len(next.Meters) != len(s.setup.Meters) || len(next.Panels) > stage.MaxPanels {
		return nil, fmt.Errorf("stage: %q shows %d dials, %d meters and %d panels instead of %d dials, %d meters and at most %d panels", s.setup.Title,
			len(next.Dials), len(next.Meters), len(next.Panels), len(s.setup.Dials), len(s.setup.Meters), stage.MaxPanels)
	}
	if _, err := json.Marshal(next); err != nil {
		return nil, fmt.Errorf("stage: %q cannot be drawn: %w", s.setup.Title, err)
	}
	return next, nil
}

// Close does nothing, because there is no store.
func (s *Stage) Close() {}

// Text returns the title, the note and the meters, for outputs without graphics.
func (s *Stage) Text() string {
	var b strings.Builder
	b.WriteString(s.setup.Title)
	if s.state.Note != "" {
		b.WriteString(": " + s.state.Note)
	}
	for k, m := range s.setup.Meters {
		fmt.Fprintf(&b, "\n%s: %s", m.Name, s.state.Meters[k].Text)
	}
	return b.String()
}
