package widgets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz/store"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// ExplorerBuilder collects the options of [Explorer]. Its methods return changed
// copies.
type ExplorerBuilder struct {
	task interact.Task
	live bool
	idle time.Duration
}

// Explorer returns the builder of an interactive view of a method. Each option of the method has a
// slider, menu or switch, and the method is fitted again at each change. The new embedding is
// rotated or reflected to match the old one, and a short animation leads from one to the other. The
// chosen options are stored separately for each combination of notebook, data, method and options
// in the code. A reloaded page and a cell that runs again start with the chosen options. Reset
// returns to the options in the code.
func Explorer(e ssdrnb.Estimator, d *ssdrnb.Data) ExplorerBuilder {
	return ExplorerBuilder{task: interact.Task{Kind: interact.KindExplorer, Spec: ssdrnb.SpecOf(e), Data: d}}
}

// Controls selects by name the options that are shown. The default is all.
func (b ExplorerBuilder) Controls(names ...string) ExplorerBuilder {
	b.task.Controls = append([]string{}, names...)
	return b
}

// Range sets the ends of the slider of the option called name. Both must be values of the option.
func (b ExplorerBuilder) Range(name string, from, to float64) ExplorerBuilder {
	b.task.Ranges = maps.Clone(b.task.Ranges)
	if b.task.Ranges == nil {
		b.task.Ranges = map[string]interact.Span{}
	}
	b.task.Ranges[name] = interact.Span{Min: from, Max: to}
	return b
}

// Live makes the cell, rather than the page, do the computing. The cell runs until Stop, an
// interrupt or the idle limit ends it. Later cells wait until then; see the package comment.
func (b ExplorerBuilder) Live() ExplorerBuilder {
	b.live = true
	return b
}

// Idle sets the time after which a cell with Live ends if the reader does nothing. The default is
// 15 minutes.
func (b ExplorerBuilder) Idle(limit time.Duration) ExplorerBuilder {
	b.idle = limit
	return b
}

// Show shows the explorer, see the package comment. It returns the method with the options that the
// reader chose last. To get a model, call Fit on it. With Live, Show returns when the explorer
// ends.
func (b ExplorerBuilder) Show() ssdrnb.Spec {
	name := optionsOf(b.task)
	var file *fileStore
	var stored []byte
	// If the stored options cannot be read, the explorer shows the options in the code.
	if name != "" && (!b.live || notebook() && mayWait()) {
		path, err := storePath(name)
		if err == nil && b.live {
			file, stored, _ = openFile(path, name)
		} else if err == nil {
			stored = store.Newest(path, name)
		}
	}
	var s interact.Store
	if file != nil {
		s = file
		defer file.Close()
	}
	w, err := open(b.task, s, stored)
	if err != nil {
		return b.task.Spec
	}
	e := w.(*interact.Explorer)
	switch {
	case !notebook():
		fmt.Println(e.Model())
		return b.task.Spec
	case b.live:
		run(b.task.Kind, e, b.idle)
	default:
		show(b.task, e, name, stored)
	}
	return e.Chosen()
}

// optionsOf returns the name under which the options chosen for a method on given data are stored,
// or "" if they cannot be stored.
func optionsOf(t interact.Task) string {
	if t.Data.Err() != nil || t.Spec.Err() != nil {
		return ""
	}
	sum := sha256.Sum256([]byte(t.Spec.String() + "|" + interact.Fingerprint(t.Data) + fmt.Sprint(t.Data.Labels)))
	return store.Options + hex.EncodeToString(sum[:8])
}
