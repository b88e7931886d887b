package widgets

import (
	"encoding/gob"
	"encoding/json"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	_ "github.com/janpfeifer/gonb/gonbui/comms" // installs its handler, which init replaces
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

var links struct {
	sync.Mutex
	by map[string]*link
}

// GoNB passes every value from a page to a single function. init replaces it: the new function
// handles the values for widgets of this package, and passes others to the function of package
// comms. Widgets do not use package comms, because it changes the order of messages, deadlocks on a
// message to an address that was just unsubscribed, and prints into the cell every value that it
// cannot convert.
func init() {
	// gob decodes objects and arrays only if their types are registered. Otherwise the first object
	// or array from a page would close the pipe to GoNB.
	gob.Register(map[string]any{})
	gob.Register([]any{})
	next := gonbui.OnCommValueUpdate
	gonbui.OnCommValueUpdate = func(v *protocol.CommValue) {
		links.Lock()
		l := links.by[v.Address]
		links.Unlock()
		switch {
		case l != nil:
			l.receive(v.Value)
		case next != nil:
			next(v)
		}
	}
}

// link is the connection of one widget to the pages that show it.
type link struct {
	address string
	in      chan any

	mu    sync.Mutex
	heard time.Time // time of the last message from any page
	state any       // newest state not yet sent
	queue []any     // other messages to send, in order
	wake  chan struct{}
}

func newLink() *link {
	l := &link{address: "/ssdrnb/" + gonbui.UniqueId(), in: make(chan any, 64), wake: make(chan struct{}, 1)}
	links.Lock()
	defer links.Unlock()
	if links.by == nil {
		links.by = map[string]*link{}
	}
	links.by[l.address] = l
	return l
}

// subscribe asks the kernel for the messages of the pages. The kernel then reads nothing from this
// process until a page has answered or three seconds have passed. The widget's output must
// therefore be sent first. The kernel unsubscribes when the cell ends.
func (l *link) subscribe() {
	send(protocol.MIMECommSubscribe, &protocol.CommSubscription{Address: l.address})
	go l.deliver()
}

func send(mime protocol.MIMEType, value any) {
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{mime: value}})
}

// receive must not wait, because it runs in the goroutine that reads all messages of the kernel. If
// the buffer is full, the value is dropped, and the page sends it again.
func (l *link) receive(value any) {
	l.mu.Lock()
	l.heard = time.Now()
	l.mu.Unlock()
	select {
	case l.in <- value:
	default:
	}
}

// In returns the channel of values from the pages.
func (l *link) In() <-chan any { return l.in }

// Silence returns the time since the last message from any page. The second result is false if
// there was no message.
func (l *link) Silence() (time.Duration, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.heard), !l.heard.IsZero()
}

// Show sends a state. A newer state replaces one that has not been sent.
func (l *link) Show(state any) {
	l.mu.Lock()
	l.state = state
	l.mu.Unlock()
	l.nudge()
}

// Say sends v after the values of all earlier calls of Say. It drops v if 256 values are waiting.
func (l *link) Say(v any) {
	l.mu.Lock()
	if len(l.queue) < 256 {
		l.queue = append(l.queue, v)
	}
	l.mu.Unlock()
	l.nudge()
}

func (l *link) nudge() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// deliver sends the waiting values and states, in a separate goroutine. While no page is open, it
// drops them, because the kernel would need seconds for each.
func (l *link) deliver() {
	for range l.wake {
		for {
			l.mu.Lock()
			var v any
			switch {
			case len(l.queue) > 0:
				v, l.queue = l.queue[0], l.queue[1:]
			case l.state != nil:
				v, l.state = map[string]any{"state": l.state}, nil
			}
			there := time.Since(l.heard) < interact.AliveFor
			l.mu.Unlock()
			if v == nil {
				break
			}
			if !there {
				continue
			}
			raw, err := json.Marshal(v)
			if err != nil {
				continue // not reached: the values of all widgets can be marshalled, as their tests check
			}
			send(protocol.MIMECommValue, &protocol.CommValue{Address: l.address, Value: string(raw)})
		}
	}
}

// flush waits until the kernel has read all output, for at most two seconds. If the process ended
// earlier, the kernel could not write its answer.
func flush() {
	done := make(chan struct{})
	go func() {
		gonbui.Sync()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(2 * time.Second):
	}
}
