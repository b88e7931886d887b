//go:build js && wasm

// Command page is the engine of pages that compute without a kernel: the widgets of
// package widgets and all methods, as a WebAssembly program in a Web Worker. install.sh
// builds it; the page starts one for each widget.
//
// The worker sets ssdrnbTask, the task as JSON, and ssdrnbStored, what the page has
// stored of it or null, before the program begins. Afterwards values pass as text: the
// page's messages through the function ssdrnbReceive, which the program sets, and the
// answers through postMessage, as between a page and a kernel. Beside these are
//
//	{"ready": true, "engine": name}  the first picture is there, by this matrix engine
//	{"fatal": why}       the task cannot be opened
//	{"store": text}      to be kept for the next ssdrnbStored
//
// and the messages of [interact.Watcher].
//
// The program needs no network, no files, and nothing of the page.
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

func main() {
	l := &link{in: make(chan any, 4096)} // a page waits for the answer to each message
	js.Global().Set("ssdrnbReceive", js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		select {
		case l.in <- arguments[0].String():
		default:
		}
		return nil
	}))
	var task interact.Task
	if err := json.Unmarshal([]byte(js.Global().Get("ssdrnbTask").String()), &task); err != nil {
		l.Say(map[string]any{"fatal": err.Error()})
		return
	}
	var stored []byte
	if v := js.Global().Get("ssdrnbStored"); v.Type() == js.TypeString {
		stored = []byte(v.String())
	}
	watch := interact.Watcher{Say: l.Say, Every: 50 * time.Millisecond}
	stop := ssdrnb.Observe(watch.Observe)
	defer stop()
	w, err := task.Open(yielding(context.Background()), l, stored)
	if err != nil {
		l.Say(map[string]any{"fatal": err.Error()})
		return
	}
	if p, ok := w.(interface{ Passing(*mat.Dense) any }); ok {
		watch.Passing = p.Passing
	}
	s := interact.NewSession(l, w, 0)
	s.Patient, s.Around = true, yielding
	l.Say(map[string]any{"ready": true, "engine": blas.Name()})
	s.Serve(context.Background())
}

// link connects the session with the page, and is the store: the page keeps what is
// written.
type link struct {
	in chan any
}

func (l *link) In() <-chan any { return l.in }

func (l *link) Show(state any) { l.Say(map[string]any{"state": state}) }

func (l *link) Say(v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		return // a widget's own values; its tests marshal them
	}
	js.Global().Call("postMessage", string(raw))
}

// Silence says that there was never a message, so that the session sends no pings.
func (l *link) Silence() (time.Duration, bool) { return time.Hour, false }

func (l *link) Write(content []byte) error {
	l.Say(map[string]any{"store": string(content)})
	return nil
}

func (l *link) Close() {}

// yielding returns a context that passes control to the worker's other events now and
// then, whenever it is asked whether it has ended: the program is one thread, and what
// would end the fit arrives as an event.
func yielding(ctx context.Context) context.Context { return &yielder{ctx, time.Now()} }

type yielder struct {
	context.Context
	last time.Time
}

// yieldEvery is how long a fit computes between two looks at the events.
const yieldEvery = 30 * time.Millisecond

func (y *yielder) Err() error {
	if now := time.Now(); now.Sub(y.last) > yieldEvery {
		pause()
		y.last = time.Now()
	}
	return y.Context.Err()
}

// pause returns after the events that wait. A message to ourselves comes back after
// them; timers would come back four milliseconds later.
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
