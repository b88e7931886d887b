package interact

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

const (
	// firstContact is the time within which a page must answer. If no page answers in this time,
	// the notebook is probably executed without a browser, and the cell ends. On a busy machine an
	// answer takes several seconds.
	firstContact = 15 * time.Second
	// returnWithin is the time for which a cell waits for a page that has disappeared. Reloading a
	// page takes seconds.
	returnWithin = time.Minute
	// pingEvery is the interval between messages that tell a page that the cell is still running.
	pingEvery = time.Second
	// grace is the time for which a fit may run even if a newer fit is requested. Short fits finish
	// within this time, so that the embedding is redrawn while a slider moves. Longer fits are
	// cancelled. The work of a staged widget is cancelled at once, because its first part is short.
	grace = 250 * time.Millisecond
	// defaultIdle is the time without input after which a cell ends.
	defaultIdle = 15 * time.Minute
)

// Widget is implemented by each kind of widget. All methods are called from one goroutine. Only the
// function that Work returns runs in another goroutine.
type Widget interface {
	// Setup returns the constant data that are sent to each page once: names, colours, controls.
	Setup() any
	// State returns the state that pages show.
	State() any
	// Event applies an action of the reader. If it fails, the page shows the error.
	Event(kind string, body json.RawMessage) (Outcome, error)
	// Work returns a function that computes the next state from a snapshot. That function returns a
	// second function, which stores the result in the widget. It returns nil if it was cancelled.
	Work() func(ctx context.Context) func()
}

// staged is a widget whose work consists of several parts with separate results. Pending reports
// whether a part remains. A new request for work cancels the current part at once.
type staged interface{ Pending() bool }

// sampled is a widget whose messages may contain all of its samples.
type sampled interface{ samples() int }

// Outcome describes the consequences of an event.
type Outcome struct {
	Work  bool // the state must be computed again
	Show  bool // the current state is sent at once
	Reply any  // sent to the page that sent the event
}

// Link connects a session with the pages that show its widget.
type Link interface {
	// In returns the channel of messages from the pages.
	In() <-chan any
	// Show sends a state. A newer state replaces one that has not been sent.
	Show(state any)
	// Say sends v. Values are sent in the order of the calls.
	Say(v any)
	// Silence returns the time since the last message from any page. The second result is false if
	// there was no message.
	Silence() (time.Duration, bool)
}

// AliveFor is the time for which a page counts as open after its last message.
const AliveFor = 4 * time.Second

// Session runs one widget.
type Session struct {
	// Patient sessions do not end when there is no page or no input.
	Patient bool
	// Around returns the context of a fit. It is derived from the argument, which is cancelled when
	// the fit should end. If Around is nil, the argument is used.
	Around func(context.Context) context.Context

	link   Link
	widget Widget
	idle   time.Duration
	most   int // maximum size of a message, in bytes
	setup  any // constant data from the widget's Setup

	seen      map[string]int     // number of the last message from each client
	touched   time.Time          // time of the last input
	began     time.Time          // start of the session
	busy      bool               // work is running
	requested bool               // work was requested while busy
	halted    bool               // the reader stopped the work
	started   time.Time          // start of the running work
	cancel    context.CancelFunc // cancels the running work
	done      chan func()        // receives the function that stores the result, or nil
}

// NewSession returns a session that ends after the time idle without input from the reader. If idle
// is not positive, the session ends after 15 minutes without input.
func NewSession(l Link, w Widget, idle time.Duration) *Session {
	if idle <= 0 {
		idle = defaultIdle
	}
	most := maxMessage
	if s, ok := w.(sampled); ok {
		most += bytesPerSample * s.samples()
	}
	now := time.Now()
	return &Session{link: l, widget: w, idle: idle, most: most, seen: map[string]int{}, touched: now, began: now, done: make(chan func(), 1)}
}

// Serve serves the widget until the reader, the context or a time limit ends the session. It
// returns the reason, which completes the sentence "the live controls ended: …".
func (s *Session) Serve(ctx context.Context) (reason string) {
	s.setup = s.widget.Setup()
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	defer func() {
		if s.cancel != nil {
			s.cancel()
		}
		s.link.Say(map[string]any{"closed": reason})
	}()
	for {
		select {
		case <-ctx.Done():
			return "the notebook interrupted the cell"
		case value := <-s.link.In():
			if s.receive(ctx, value) {
				return "Stop was pressed"
			}
		case apply := <-s.done:
			s.busy = false
			s.cancel() // release the context
			if apply != nil {
				apply()
				s.link.Show(s.widget.State())
			}
			more, ok := s.widget.(staged)
			if s.requested || ok && apply != nil && !s.halted && more.Pending() {
				s.requested = false
				s.begin(ctx)
				continue
			}
			halted := s.halted && apply == nil
			if halted { // pages may show an intermediate layout
				s.link.Show(s.widget.State())
			}
			s.link.Say(map[string]any{"busy": false, "halted": halted})
		case <-tick.C:
			silent, ever := s.link.Silence()
			switch {
			case s.Patient:
				if silent < AliveFor {
					s.link.Say(map[string]any{"ping": true})
				}
			case !ever && time.Since(s.began) > firstContact:
				return "no page answered"
			case ever && silent > returnWithin:
				return "the page was closed"
			case time.Since(s.touched) > s.idle:
				return "idle for " + s.limit()
			case ever && silent < AliveFor:
				s.link.Say(map[string]any{"ping": true})
			}
		}
	}
}

// receive handles one value from a page. It reports whether the page requests the end of the
// session.
func (s *Session) receive(ctx context.Context, value any) (stop bool) {
	m, err := parse(value, s.most)
	if m.Client == "" {
		s.link.Say(map[string]any{"refused": reason(err)})
		return false
	}
	switch m.Kind {
	case "pong":
		return false
	case "hello":
		if len(s.seen) > 64 {
			clear(s.seen) // drop clients that closed long ago
		}
		s.seen[m.Client] = m.Seq
		s.link.Say(map[string]any{"to": m.Client, "setup": s.setup, "state": s.widget.State(), "waits": s.waits(), "busy": s.busy})
		return false
	}
	ack := map[string]any{"to": m.Client, "ack": m.Seq}
	last, known := s.seen[m.Client]
	switch {
	case !known:
		s.link.Say(map[string]any{"to": m.Client, "who": true})
		return false
	case m.Seq <= last: // a repeated message, or a message that arrived after a later one
		s.link.Say(ack)
		return false
	}
	s.seen[m.Client], s.touched = m.Seq, time.Now()
	if err != nil { // without an acknowledgement, the page would not send its next message
		ack["error"] = reason(err)
		s.link.Say(ack)
		return false
	}
	switch m.Kind {
	case "stop": // end the session
		s.link.Say(ack)
		return true
	case "halt": // end the fit; the reader's changes remain
		if s.link.Say(ack); s.busy {
			s.halted, s.requested = true, false
			s.cancel()
		}
		return false
	case "fit": // restart the stopped fit
		s.link.Say(ack)
		s.begin(ctx)
		return false
	}
	out, err := s.widget.Event(m.Kind, m.Body)
	if err != nil {
		ack["error"] = reason(err)
	}
	if out.Reply != nil {
		ack["reply"] = out.Reply
	}
	s.link.Say(ack)
	if out.Show {
		s.link.Show(s.widget.State())
	}
	if out.Work {
		s.begin(ctx)
	}
	return false
}

// waits returns the sentence in which a live widget states how long later cells wait.
func (s *Session) waits() string {
	if s.Patient {
		return "" // no cell waits for input to this widget
	}
	return "The cells below wait until you press Stop or leave the controls for " + s.limit() + " without input."
}

// limit returns the idle limit as text, such as "30 min" or "3s".
func (s *Session) limit() string {
	if s.idle >= time.Minute && s.idle%time.Minute == 0 {
		return fmt.Sprintf("%d min", int(s.idle.Minutes()))
	}
	return s.idle.String()
}

// begin starts the work. If work is already running, begin requests one more run with the latest
// options, so that only the last change of a burst is drawn.
func (s *Session) begin(ctx context.Context) {
	if s.busy {
		s.requested, s.halted = true, false
		left := grace - time.Since(s.started)
		if _, parts := s.widget.(staged); parts || left <= 0 {
			s.cancel()
		} else {
			time.AfterFunc(left, s.cancel)
		}
		return
	}
	work := s.widget.Work()
	ctx, s.cancel = context.WithCancel(ctx)
	if s.Around != nil {
		ctx = s.Around(ctx)
	}
	s.busy, s.halted, s.started = true, false, time.Now()
	s.link.Say(map[string]any{"busy": true})
	go func() { s.done <- work(ctx) }()
}

const maxReason = 1000

// reason returns the text of an error for a page, cut to maxReason bytes, because an error may
// quote a long message.
func reason(err error) string {
	text := err.Error()
	if len(text) > maxReason {
		text = strings.ToValidUTF8(text[:maxReason], "") + "…"
	}
	return text
}

// ErrUnknown returns the error for a kind of event that a widget does not support.
func ErrUnknown(kind string) error { return fmt.Errorf("%w: unknown event %.40q", errMessage, kind) }

// cancelled reports whether err means that the fit was cancelled, for example because of a newer
// fit.
func cancelled(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled)
}
