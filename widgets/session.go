package widgets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
)

const (
	// firstContact is how long a page may take to answer; without an answer the cell
	// goes on, as in a headless execution.
	firstContact = 5 * time.Second
	// returnWithin is how long a cell waits for a page that went away: a reload
	// takes seconds.
	returnWithin = time.Minute
	// pingEvery is the interval of the messages that tell pages that the cell runs.
	pingEvery = time.Second
	// grace is how long a fit may go on after a newer one was requested: short fits
	// finish, so that a moving slider keeps drawing, and long ones are cancelled.
	grace = 250 * time.Millisecond
	// defaultIdle is after how long a cell ends that nobody uses.
	defaultIdle = 15 * time.Minute
)

// widget is what differs between the widgets. The session's goroutine calls all
// methods; only the function that work returns runs in another one.
type widget interface {
	// setup is sent to each page once: names, colours, controls.
	setup() any
	// state is what a page shows.
	state() any
	// event applies what the reader did, or returns an error, which the page shows.
	event(kind string, body json.RawMessage) (outcome, error)
	// work takes a snapshot and returns what computes the next state from it; the
	// function that the work returns puts the result into the widget.
	work() func(ctx context.Context) func()
}

// outcome says what follows from an event.
type outcome struct {
	work  bool // compute again
	show  bool // send the state at once
	reply any  // for the page that asked
}

// session runs one widget.
type session struct {
	link   *link
	widget widget
	idle   time.Duration

	patient bool // go on without a page
	setup   any  // of the widget; it stays the same

	seen    map[string]int // last message of each client
	touched time.Time
	began   time.Time
	busy    bool
	again   bool // work was requested while busy
	started time.Time
	cancel  context.CancelFunc
	done    chan func()
}

func newSession(w widget, idle time.Duration) *session {
	if idle <= 0 {
		idle = defaultIdle
	}
	now := time.Now()
	return &session{link: newLink(), widget: w, idle: idle, seen: map[string]int{}, touched: now, began: now, done: make(chan func(), 1)}
}

// run serves the widget until the reader, the notebook or a limit ends it, and
// returns the reason as the end of the sentence "the live controls ended: …".
func (s *session) run() string {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return s.serve(ctx)
}

func (s *session) serve(ctx context.Context) (reason string) {
	s.link.subscribe()
	s.setup = s.widget.setup()
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	defer func() {
		if s.cancel != nil {
			s.cancel()
		}
		s.link.say(map[string]any{"closed": reason})
	}()
	for {
		select {
		case <-ctx.Done():
			return "the notebook interrupted the cell"
		case value := <-s.link.in:
			if s.receive(ctx, value) {
				return "Stop was pressed"
			}
		case apply := <-s.done:
			s.busy = false
			s.cancel() // a context that is not cancelled stays with its parent
			if apply != nil {
				apply()
				s.link.show(s.widget.state())
			}
			if s.again {
				s.again = false
				s.begin(ctx)
			}
		case <-tick.C:
			silent, ever := s.link.silence()
			switch {
			case s.patient:
				if silent < aliveFor {
					s.link.say(map[string]any{"ping": true})
				}
			case !ever && time.Since(s.began) > firstContact:
				return "no page answered"
			case ever && silent > returnWithin:
				return "its page was closed"
			case time.Since(s.touched) > s.idle:
				return fmt.Sprintf("idle for %s", s.idle)
			case ever && silent < aliveFor:
				s.link.say(map[string]any{"ping": true})
			}
		}
	}
}

// receive handles one value from a page and reports whether it asks for the end.
func (s *session) receive(ctx context.Context, value any) (stop bool) {
	m, err := parse(value)
	if err != nil {
		s.link.say(map[string]any{"refused": reason(err)})
		return false
	}
	switch m.Kind {
	case "pong":
		return false
	case "hello":
		if len(s.seen) > 64 {
			clear(s.seen) // pages that closed long ago
		}
		s.seen[m.Client] = m.Seq
		s.link.say(map[string]any{"to": m.Client, "setup": s.setup, "state": s.widget.state(), "waits": s.waits()})
		return false
	}
	ack := map[string]any{"to": m.Client, "ack": m.Seq}
	last, known := s.seen[m.Client]
	switch {
	case !known:
		s.link.say(map[string]any{"to": m.Client, "who": true})
		return false
	case m.Seq <= last: // sent again, or overtaken
		s.link.say(ack)
		return false
	}
	s.seen[m.Client], s.touched = m.Seq, time.Now()
	if m.Kind == "stop" {
		s.link.say(ack)
		return true
	}
	out, err := s.widget.event(m.Kind, m.Body)
	if err != nil {
		ack["error"] = reason(err)
	}
	if out.reply != nil {
		ack["reply"] = out.reply
	}
	s.link.say(ack)
	if out.show {
		s.link.show(s.widget.state())
	}
	if out.work {
		s.begin(ctx)
	}
	return false
}

// waits is the sentence that tells the reader of a live widget why later cells wait.
func (s *session) waits() string {
	if s.patient {
		return "" // the cell works by itself
	}
	limit := s.idle.String()
	if s.idle >= time.Minute && s.idle%time.Minute == 0 {
		limit = fmt.Sprintf("%d min", int(s.idle.Minutes()))
	}
	return "The cells below wait until you press Stop, or for " + limit + " without input."
}

// begin starts the work. If it runs already, it is done once more afterwards with the
// latest options: of a burst only the last needs to be drawn.
func (s *session) begin(ctx context.Context) {
	if s.busy {
		s.again = true
		cancel := s.cancel
		time.AfterFunc(max(0, grace-time.Since(s.started)), cancel)
		return
	}
	work := s.widget.work()
	ctx, s.cancel = context.WithCancel(ctx)
	s.busy, s.started = true, time.Now()
	go func() { s.done <- work(ctx) }()
}

// reason is the text of an error for a page, cut because the page may have sent a part
// of it.
func reason(err error) string {
	const most = 1000 // bytes
	text := err.Error()
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// errUnknown is the error for a kind of event that a widget does not have.
func errUnknown(kind string) error { return fmt.Errorf("%w: unknown event %.40q", errMessage, kind) }

// mayWait reports whether a widget may hold up the cells that follow: the variable
// SSDRNB_WAIT says "off" where nobody is there to press Stop.
func mayWait() bool { return os.Getenv("SSDRNB_WAIT") != "off" }

// live reports whether a widget can be served at all.
func live() bool { return gonbui.IsNotebook && gonbui.Error() == nil }

// complain prints why a widget is not shown.
func complain(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "widgets: "+err.Error())
	}
}

// cancelled reports whether err only says that the fit was cancelled, as for a newer
// one.
func cancelled(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled)
}
