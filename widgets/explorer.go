package widgets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// ExplorerBuilder collects the options of [Explorer]. Its methods return changed
// copies.
type ExplorerBuilder struct {
	task interact.Task
	idle time.Duration
}

// Explorer returns the builder of a live view of a method: a slider, menu or switch for
// each of its options, and the embedding, which is fitted again at each change. A
// rotation or reflection aligns the new embedding with the old one, and a short
// animation joins them. The options chosen are kept on disk for the same method, options
// and data in this notebook: a cell that runs again after its page was closed or reloaded
// goes on with them, and Reset returns to those of the code.
func Explorer(e ssdrnb.Estimator, d *ssdrnb.Data) ExplorerBuilder {
	return ExplorerBuilder{task: interact.Task{Kind: interact.KindExplorer, Spec: e.Spec(), Data: d}}
}

// Controls chooses by name which options are shown; the default is all.
func (b ExplorerBuilder) Controls(names ...string) ExplorerBuilder {
	b.task.Controls = append([]string{}, names...)
	return b
}

// Range sets the ends of an option's slider.
func (b ExplorerBuilder) Range(name string, from, to float64) ExplorerBuilder {
	b.task.Ranges = maps.Clone(b.task.Ranges)
	if b.task.Ranges == nil {
		b.task.Ranges = map[string]interact.Span{}
	}
	b.task.Ranges[name] = interact.Span{Min: from, Max: to}
	return b
}

// Idle sets how long the cell goes on without an action of the reader; the default is
// 15 minutes.
func (b ExplorerBuilder) Idle(limit time.Duration) ExplorerBuilder {
	b.idle = limit
	return b
}

// Show shows the explorer and waits until it ends, see the package comment. It returns
// the method with the options that were chosen last; call Fit on it. If the first fit
// fails, or outside a notebook, it returns at once.
func (b ExplorerBuilder) Show() ssdrnb.Spec {
	var s interact.Store
	var stored []byte
	if live() && mayWait() {
		s, stored = openOptions(b.task)
	}
	w, err := open(b.task, s, stored)
	if err != nil {
		return b.task.Spec
	}
	defer w.Close()
	e := w.(*interact.Explorer)
	if !live() {
		fmt.Println(e.Model())
		return b.task.Spec
	}
	run(b.task.Kind, e, b.idle)
	return e.Chosen()
}

// openOptions opens the store of the options that are chosen for a method on data, or
// returns none where there is none.
func openOptions(t interact.Task) (interact.Store, []byte) {
	if t.Data.Err() != nil || t.Spec.Err() != nil {
		return nil, nil
	}
	sum := sha256.Sum256([]byte(t.Spec.String() + "|" + interact.Fingerprint(t.Data) + fmt.Sprint(t.Data.Labels)))
	path, err := storePath(optionsName + hex.EncodeToString(sum[:8]))
	if err != nil {
		return nil, nil
	}
	s, stored, err := openFile(path, "")
	if err != nil {
		return nil, nil
	}
	return s, stored
}

// optionsName is what the names of files begin with that hold options.
const optionsName = "options-"
