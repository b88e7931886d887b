package interact

import (
	"fmt"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// openHistory checks the options and the stored content of a drawing, and returns its history and
// its class names. The class names come from the options or, if the options contain none, from the
// data. If the stored content has more classes than these, its class names are returned instead.
func openHistory(t Task, store Store, stored []byte) (h history, classes []string, err error) {
	if err := t.Spec.Err(); err != nil {
		return h, nil, err
	}
	if classes = t.Classes; classes == nil {
		classes = classNames(t.Data)
	}
	for _, l := range t.Data.Labels {
		if l >= len(classes) {
			return h, nil, fmt.Errorf("the data have class %d but only %d classes are named; name all with Classes", l, len(classes))
		}
	}
	h.store = store
	if h.set, err = resumed(t.Name, t.Data, stored); err != nil {
		return h, nil, err
	}
	if len(h.set.Classes) > len(classes) {
		classes = h.set.Classes
	}
	h.set.Classes = classes
	for _, l := range h.set.Labels {
		if l >= len(classes) {
			return h, nil, fmt.Errorf("%w: %q has class %d but there are only %d classes; name all with Classes", ErrStore, t.Name, l, len(classes))
		}
	}
	return h, classes, nil
}

// shown abbreviates names for a page.
func shown(names []string) []string { return look.Names(names) }

// classNames returns the names of the classes of the data, at most 100, or five numbered names if
// there are no classes.
func classNames(d *ssdrnb.Data) []string {
	most := len(d.ClassNames) - 1
	for _, list := range [][]int{d.Labels, d.Truth} {
		for _, l := range list {
			most = max(most, l)
		}
	}
	if most < 0 {
		return []string{"class 0", "class 1", "class 2", "class 3", "class 4"}
	}
	names := make([]string, min(most+1, 100))
	for k := range names {
		names[k] = d.ClassName(k)
	}
	return names
}
