package interact

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// toy is a stage with one of everything; broken is the fault of its next Work.
type toy struct {
	did    []stage.Action
	dial   int
	broken func(*stage.State) error
}

func (t *toy) Setup() stage.Setup {
	return stage.Setup{Title: "toy", Dials: []stage.Dial{{Name: "k", Values: []string{"1", "2", "3"}, Slider: true}},
		Buttons: []stage.Button{{Name: "Step"}, {Name: "Back"}}, Named: []stage.Named{{Name: "low", Dials: []int{0}}},
		Meters: []stage.Meter{{Name: "right", Unit: "%"}}, Hands: []stage.Hand{stage.HandPick, stage.HandDrag, stage.HandLink},
		Names: []string{"a"}, Colors: []string{"#000"}, Symbols: []string{"circle"}}
}

func (t *toy) Do(a stage.Action) error {
	if a.Kind == "dial" {
		t.dial = a.Index
	}
	t.did = append(t.did, a)
	return nil
}

func (t *toy) Work() func(context.Context) (*stage.State, error) {
	dial := t.dial
	return func(ctx context.Context) (*stage.State, error) {
		value := float64(dial)
		s := &stage.State{Dials: []int{dial}, Meters: []stage.Reading{{Value: &value, Text: "x"}}, Enabled: []bool{true, false},
			Panels: []stage.Panel{{Samples: &stage.Samples{At: stage.Packed{Steps: make([]byte, 12), Unit: 1}, Of: []int{0, 0, 0}}, Marks: []stage.Mark{{Index: 4}, {Index: -1}}}}}
		if t.broken != nil {
			if err := t.broken(s); err != nil {
				return nil, err
			}
		}
		return s, ctx.Err()
	}
}

func stageOf(t *testing.T, inner *toy) *Stage {
	t.Helper()
	s := &Stage{stage: inner, setup: inner.Setup()}
	next, err := s.seen(context.Background(), inner.Work())
	if err != nil {
		t.Fatal(err)
	}
	s.state = next
	return s
}

// Messages that a page may send reach the stage; others do not.
func TestStageTakesOnlyWhatIsShown(t *testing.T) {
	for _, c := range []struct {
		body string
		good bool
	}{
		{`{"kind":"reset"}`, true},
		{`{"kind":"dial","name":"k","index":2}`, true},
		{`{"kind":"dial","name":"k","index":3}`, false},
		{`{"kind":"dial","name":"k","index":-1}`, false},
		{`{"kind":"dial","name":"l","index":0}`, false},
		{`{"kind":"dial","name":"k","index":1.5}`, false},
		{`{"kind":"named","index":0}`, true},
		{`{"kind":"named","index":1}`, false},
		{`{"kind":"press","name":"Step"}`, true},
		{`{"kind":"press","name":"Back"}`, false}, // not enabled
		{`{"kind":"press","name":"<b>"}`, false},
		{`{"kind":"pick","index":2}`, true},
		{`{"kind":"pick","index":3}`, false},
		{`{"kind":"pick","index":-1}`, true}, // a click beside the samples
		{`{"kind":"pick","index":-2}`, false},
		{`{"kind":"pick","panel":1,"index":0}`, false},
		{`{"kind":"pick","panel":-1,"index":0}`, false},
		{`{"kind":"drag","index":4,"at":[0.5,1]}`, true},
		{`{"kind":"drag","index":0,"at":[0.5,1]}`, false},
		{`{"kind":"drag","index":-1,"at":[0.5,1]}`, false},
		{`{"kind":"drag","index":4,"at":[1e300,1]}`, false},
		{`{"kind":"drag","index":4,"at":[1,"2"]}`, false},
		{`{"kind":"drop","index":4}`, false}, // no such tool
		{`{"kind":"turn","by":[0.1,0]}`, false},
		{`{"kind":"link","pair":[0,2]}`, true},
		{`{"kind":"link","pair":[0,3]}`, false},
		{`{"kind":"link","pair":[1,1]}`, false},
		{`{"kind":"link","pair":[-1,1]}`, false},
		{`{"kind":"reset","more":1}`, false},
		{`{"kind":"reset"}{}`, false},
		{`null`, false},
		{`[]`, false},
		{`{`, false},
	} {
		inner := &toy{}
		s := stageOf(t, inner)
		_, err := s.Event("action", json.RawMessage(c.body))
		if (err == nil) != c.good || len(inner.did) > 0 != c.good {
			t.Errorf("%s: the stage did %v, error %v", c.body, inner.did, err)
		}
	}
	rests := &toy{}
	if out, err := stageOf(t, rests).Event("action", json.RawMessage(`{"kind":"tick"}`)); err != nil || out.Work || len(rests.did) > 0 {
		t.Errorf("a tick when nothing is running: %v, %v, %v", out, rests.did, err)
	}
	runs := stageOf(t, &toy{})
	runs.state.Tick = 100
	if _, err := runs.Event("action", json.RawMessage(`{"kind":"tick"}`)); err != nil {
		t.Errorf("a tick requested by the stage: %v", err)
	}
	if _, err := stageOf(t, &toy{}).Event("points", json.RawMessage("{}")); err == nil {
		t.Error("an unknown event was taken")
	}
}

// A state that cannot be shown gives an error, and the previous view stays.
func TestStageShowsOnlyWhatFits(t *testing.T) {
	for name, broken := range map[string]func(*stage.State) error{
		"fit fails":       func(*stage.State) error { return errors.New("no fit") },
		"NaN in a view":   func(s *stage.State) error { s.Panels[0].View.X0 = math.NaN(); return nil },
		"missing meters":  func(s *stage.State) error { s.Meters = nil; return nil },
		"too many panels": func(s *stage.State) error { s.Panels = make([]stage.Panel, stage.MaxPanels+1); return nil },
		"missing dials":   func(s *stage.State) error { s.Dials = nil; return nil },
	} {
		inner := &toy{}
		s := stageOf(t, inner)
		s.state.Tick = 100
		inner.broken = broken
		s.Work()(context.Background())()
		if s.state.Error == "" || s.state.Tick != 0 || len(s.state.Panels) != 1 || s.revision != 1 {
			t.Errorf("%s: error %q, %d panels", name, s.state.Error, len(s.state.Panels))
		}
		if _, err := json.Marshal(s.State()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		inner.broken = nil
		s.Work()(context.Background())()
		if s.state.Error != "" {
			t.Errorf("%s: the error stays: %s", name, s.state.Error)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if stageOf(t, &toy{}).Work()(ctx) != nil {
		t.Error("a cancelled fit was shown")
	}
}

// A task of a lesson travels without data and method, other tasks with them.
func TestLessonTravels(t *testing.T) {
	right := 4.0
	task := Task{Kind: KindBeat, Stage: &stage.Spec{Title: "one", Bench: &stage.BenchSpec{}},
		Beat: &Beat{Lesson: "l", Name: "1.2", Text: "<b>", Asks: []Ask{{Question: "?", Kind: AskNumber, From: 0, To: 9, Answer: &right}}}}
	raw, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	var got Task
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if got.Stage.Title != "one" || got.Beat.Text != "<b>" || *got.Beat.Asks[0].Answer != 4 || got.Data != nil {
		t.Errorf("got %+v", got)
	}
	for _, bad := range []string{
		`{"kind":"paint"}`, `{"kind":"explorer","beat":{}}`,
		`{"kind":"quiz","beat":{"asks":[{"kind":"?"}]}}`,
		`{"kind":"quiz","beat":{"asks":[{"kind":"number","from":1,"to":1}]}}`,
		`{"kind":"quiz","beat":{"asks":[{"kind":"choice","options":["a","b"],"right":2}]}}`,
		`{"kind":"quiz","beat":{"asks":[{"kind":"point","where":[[0,0,2]]}]}}`,
		`{"kind":"quiz","beat":{"text":"` + strings.Repeat("a", maxWords+1) + `"}}`,
		`{"kind":"quiz","beat":{"name":"` + strings.Repeat("a", maxName+1) + `"}}`,
		`{"kind":"quiz","beat":{"key":"` + strings.Repeat("a", maxName+1) + `"}}`,
		`{"kind":"quiz","beat":{"html":"a"}}`,
	} {
		if err := json.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%.80s was read", bad)
		}
	}
	for _, kind := range []string{KindStage, KindBeat, KindQuiz} {
		if _, err := (Task{Kind: kind}).Open(context.Background(), nil, nil); err == nil {
			t.Errorf("a %s without a stage opened", kind)
		}
	}
}
