package widgets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz/store"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// PlaygroundBuilder collects the options of [Playground]. Its methods return changed
// copies.
type PlaygroundBuilder struct {
	task interact.Task
	live bool
	idle time.Duration
}

// Playground returns the builder of an embedding for exploration. It has a menu of methods with
// their options as controls, a slider for the number of labels per class, the seed of these labels,
// a switch between true classes and visible labels, and the score on the hidden labels. Labels are
// drawn from the true classes of d; classes with fewer samples keep all labels. Without true
// classes, the labels of d are used.
//
//	widgets.Playground(datasets.Digits(), ssdrnb.PCA(), ssdrnb.LDA(), ssdrnb.TRSDA()).Show()
func Playground(d *ssdrnb.Data, methods ...ssdrnb.Estimator) PlaygroundBuilder {
	b := PlaygroundBuilder{task: interact.Task{Kind: interact.KindPlayground, Data: d}}
	for _, m := range methods {
		b.task.Methods = append(b.task.Methods, ssdrnb.SpecOf(m))
	}
	return b
}

// Live makes the cell, rather than the page, do the computing. The cell runs until Stop, an
// interrupt or the idle limit ends it. Later cells wait until then, see the package comment.
func (b PlaygroundBuilder) Live() PlaygroundBuilder {
	b.live = true
	return b
}

// Idle sets the time after which a cell with Live ends if the reader does nothing. The default is
// 15 minutes.
func (b PlaygroundBuilder) Idle(limit time.Duration) PlaygroundBuilder {
	b.idle = limit
	return b
}

// Show shows the playground, see the package comment, and returns the method with the options that
// were chosen last. With Live it returns when the playground ends.
func (b PlaygroundBuilder) Show() ssdrnb.Spec {
	name := ""
	var stored []byte
	if !b.live && b.task.Data.Err() == nil {
		h := sha256.New()
		for _, s := range b.task.Methods {
			fmt.Fprint(h, s, "|")
		}
		fmt.Fprint(h, interact.Fingerprint(b.task.Data))
		name = store.Playground + hex.EncodeToString(h.Sum(nil)[:8])
		if path, err := storePath(name); err == nil {
			stored = store.Newest(path, name)
		}
	}
	w, err := open(b.task, nil, stored)
	if err != nil {
		if len(b.task.Methods) > 0 {
			return b.task.Methods[0]
		}
		return ssdrnb.Spec{}
	}
	p := w.(*interact.Playground)
	switch {
	case !notebook():
		fmt.Println(p.Model())
	case b.live:
		run(b.task.Kind, p, b.idle)
	default:
		show(b.task, p, name, stored)
	}
	return p.Chosen()
}
