package interact

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// slow is a widget whose first work runs until its context ends.
type slow struct {
	began    chan int
	computed int
	works    int
}

func (f *slow) Setup() any { return nil }
func (f *slow) State() any { return map[string]any{"computed": f.computed} }
func (f *slow) Event(string, json.RawMessage) (Outcome, error) {
	return Outcome{Work: true}, nil
}
func (f *slow) Work() func(ctx context.Context) func() {
	f.works++
	n := f.works
	return func(ctx context.Context) func() {
		f.began <- n
		if n == 1 {
			<-ctx.Done()
			return nil
		}
		return func() { f.computed = n }
	}
}

// The reader stops a fit and restarts it; the session reports when a fit is running.
func TestHalt(t *testing.T) {
	f, l := &slow{began: make(chan int, 10)}, newTold()
	s := NewSession(l, f, time.Minute)
	s.Patient = true
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan string)
	go func() { done <- s.Serve(ctx) }()
	const client = `"client":"00112233445566ff"`
	send := func(seq int, kind string) {
		l.in <- fmt.Sprintf(`{%s,"seq":%d,"kind":%q,"body":null}`, client, seq, kind)
	}
	send(0, "hello")
	send(1, "set")
	if n := <-f.began; n != 1 {
		t.Fatalf("fit %d begins first", n)
	}
	send(2, "halt")
	l.until(t, `{"busy":false,"halted":true}`)
	send(3, "halt") // nothing is running
	send(4, "fit")
	if n := <-f.began; n != 2 {
		t.Errorf("fit %d begins second", n)
	}
	l.until(t, `{"busy":true}`, `{"state":{"computed":2}}`, `{"busy":false,"halted":false}`)
	send(5, "stop")
	if reason := <-done; reason != "Stop was pressed" || f.computed != 2 || f.works != 2 {
		t.Errorf("%s after %d fits, computed %d", reason, f.works, f.computed)
	}
}

// told is a link that keeps the messages to the pages.
type told struct {
	in  chan any
	out chan string
}

func newTold() *told { return &told{make(chan any, 64), make(chan string, 1024)} }

func (l *told) In() <-chan any                 { return l.in }
func (l *told) Show(state any)                 { l.Say(map[string]any{"state": state}) }
func (l *told) Silence() (time.Duration, bool) { return 0, true }
func (l *told) Say(v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	l.out <- string(raw)
}

// until reads messages until the wanted ones have arrived, in this order.
func (l *told) until(t *testing.T, wanted ...string) {
	t.Helper()
	var seen []string
	for _, want := range wanted {
		for got := ""; got != want; {
			select {
			case got = <-l.out:
				seen = append(seen, got)
			case <-time.After(time.Minute):
				t.Fatalf("no %s after %v", want, seen)
			}
		}
	}
}

// A watcher reports the progress of a fit, at a limited rate.
func TestWatcher(t *testing.T) {
	l := newTold()
	w := Watcher{Say: l.Say, Every: time.Hour}
	w.Observe(ssdrnb.Event{Method: "S2NE", Stage: "layout", Done: 50, Total: 200})
	w.Observe(ssdrnb.Event{Method: "S2NE", Stage: "layout", Done: 51, Total: 200})
	w.Every = 0
	w.Observe(ssdrnb.Event{Method: "PCA", Stage: "directions"})
	l.until(t, `{"progress":"S2NE: layout, 50 of 200","share":0.25}`)
	if next := <-l.out; next != `{"progress":"PCA: directions","share":-1}` || len(l.out) != 0 {
		t.Errorf("next %s, and %d more", next, len(l.out))
	}
}

// parted is a widget whose work has parts.
type parted struct{ slow }

func (*parted) Pending() bool { return false }

// A new request ends a part of staged work at once; a fit in one piece may continue for a while.
func TestGrace(t *testing.T) {
	for name, w := range map[string]Widget{"whole": &slow{}, "parted": &parted{}} {
		s := NewSession(newTold(), w, time.Minute)
		ended := make(chan bool, 1)
		s.busy, s.started, s.cancel = true, time.Now().Add(time.Hour), func() { ended <- true }
		s.begin(t.Context())
		if now := len(ended) == 1; now != (name == "parted") || !s.requested {
			t.Errorf("%s work: ended at once %v, wanted again %v", name, now, s.requested)
		}
	}
}
