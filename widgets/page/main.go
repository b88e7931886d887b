//go:build js && wasm

// Command page is the engine with which pages compute without a kernel. It is a WebAssembly program
// in a Web Worker, and contains the widgets of package widgets and all methods. install.sh builds
// it. A page starts one engine for all its widgets, which are identified by numbers.
//
// The program defines the global functions
//
//	ssdrnbOpen(id, task, stored)  opens a widget with its task as JSON and the content that
//	                              the page has stored, or null
//	ssdrnbReceive(id, text)       passes a message from the page to a widget
//	ssdrnbClose(id)               closes a widget
//
// and calls ssdrnbSay(id, text) to send messages to the page. The messages are the same as between
// a page and a cell. In addition, the program sends
//
//	{"ready": true, "engine": name}  the widget is open, with the name of the matrix engine
//	{"fatal": why}       the task cannot be opened
//	{"store": text}      content to store for the next time that the widget is opened
//
// and the messages of [interact.Watcher].
//
// The program uses neither the network nor files, and does not read the page. It has a single
// thread, in which the fits of several widgets take turns.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
	"gonum.org/v1/gonum/mat"
)

// links contains the open widgets by number.
var links = map[int]*link{}

// running is the link of the widget whose fit ran last. It receives the events of fits.
var running *link

func main() {
	ssdrnb.Observe(func(e ssdrnb.Event) {
		if running != nil {
			running.watch.Observe(e)
		}
	})
	provide("ssdrnbOpen", func(id int, given []js.Value) {
		ctx, cancel := context.WithCancel(context.Background())
		// The buffer suffices, because a page waits for the answer to each message.
		l := &link{id: id, in: make(chan any, 4096), cancel: cancel}
		l.watch = interact.Watcher{Say: l.Say, Every: 50 * time.Millisecond}
		links[id] = l
		var stored []byte
		if given[1].Type() == js.TypeString {
			stored = []byte(given[1].String())
		}
		go l.serve(ctx, given[0].String(), stored)
	})
	provide("ssdrnbReceive", func(id int, given []js.Value) {
		if l := links[id]; l != nil {
			select {
			case l.in <- given[0].String():
			default:
			}
		}
	})
	provide("ssdrnbClose", func(id int, _ []js.Value) {
		if l := links[id]; l != nil {
			l.cancel()
		}
	})
	select {}
}

// provide defines a JavaScript function whose first argument is the number of a widget.
func provide(name string, f func(id int, given []js.Value)) {
	js.Global().Set(name, js.FuncOf(func(_ js.Value, given []js.Value) any {
		f(given[0].Int(), given[1:])
		return nil
	}))
}

// link connects the session of a widget with the page. It is also the store: the page stores the
// content.
type link struct {
	id     int
	in     chan any
	cancel context.CancelFunc
	watch  interact.Watcher
}

// serve opens the task and serves the widget until the context ends.
func (l *link) serve(ctx context.Context, text string, stored []byte) {
	defer func() {
		l.cancel()
		delete(links, l.id)
		if running == l {
			running = nil
		}
	}()
	var task interact.Task
	if err := json.Unmarshal([]byte(text), &task); err != nil {
		l.Say(map[string]any{"fatal": err.Error()})
		return
	}
	w, err := task.Open(l.yielding(ctx), l, stored)
	if err != nil {
		l.Say(map[string]any{"fatal": err.Error()})
		return
	}
	defer w.Close()
	if p, ok := w.(interface{ Passing(*mat.Dense) any }); ok {
		l.watch.Passing = p.Passing
	}
	s := interact.NewSession(l, w, 0)
	s.Patient, s.Around = true, l.yielding
	l.Say(map[string]any{"ready": true, "engine": blas.Name()})
	s.Serve(ctx)
}

func (l *link) In() <-chan any { return l.in }

func (l *link) Show(state any) { l.Say(map[string]any{"state": state}) }

func (l *link) Say(v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		return // not reached: the values of all widgets can be marshalled, as their tests check
	}
	js.Global().Call("ssdrnbSay", l.id, string(raw))
}

// Silence always returns an hour, so that the session sends no pings.
func (l *link) Silence() (time.Duration, bool) { return time.Hour, false }

func (l *link) Write(content []byte) error {
	l.Say(map[string]any{"store": string(content)})
	return nil
}

func (l *link) Close() {}

// yielding returns a context whose Err lets the worker handle pending events, at most once per
// yieldEvery. Otherwise a fit would block the single thread and the message that cancels the fit.
func (l *link) yielding(ctx context.Context) context.Context {
	running = l
	return &yielder{ctx, l, time.Now()}
}

type yielder struct {
	context.Context
	link *link
	last time.Time
}

// yieldEvery is the time for which a fit runs before pending events are handled.
const yieldEvery = 30 * time.Millisecond

func (y *yielder) Err() error {
	if now := time.Now(); now.Sub(y.last) > yieldEvery {
		pause()
		y.last = time.Now()
	}
	running = y.link
	return y.Context.Err()
}

// pause waits until pending events have been handled, by sending a message to the worker itself. A
// timer would take four milliseconds longer.
var pause = func() func() {
	back := make(chan struct{}, 1)
	channel := js.Global().Get("MessageChannel").New()
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		back <- struct{}{}
		return nil
	}))
	return func() {
		channel.Get("port2").Call("postMessage", 0)
		<-back
	}
}()
