package interact

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// history contains the constraints of an editor, and those for Undo and Redo. Each change is stored
// before it is shown.
type history struct {
	store Store
	set   ConstraintSet
	undo  []ConstraintSet
	redo  []ConstraintSet
}

// Constraints returns the drawn constraints.
func (h *history) Constraints() ConstraintSet { return h.set.clone() }

func (h *history) samples() int { return h.set.n }

// Close closes the store.
func (h *history) Close() { h.store.Close() }

const maxUndo = 200

// change applies an edit to a copy of the constraints, stores the copy, and makes it current.
func (h *history) change(edit func(next *ConstraintSet)) (Outcome, error) {
	next := h.set.clone()
	edit(&next)
	undo := append(slices.Clip(h.undo), h.set)
	return h.commit(next, undo[max(0, len(undo)-maxUndo):], nil)
}

// labelled handles an event that sets or removes the labels of selected samples.
func (h *history) labelled(body json.RawMessage, d *data.Data) (Outcome, error) {
	var l struct {
		Rows       []int
		Class      int
		Unlabelled bool // only unlabelled samples get the label
	}
	if err := decode(body, &l); err != nil {
		return Outcome{}, err
	}
	if l.Class < data.Unlabelled || l.Class >= len(h.set.Classes) {
		return Outcome{}, fmt.Errorf("%w: there is no class %d among the %d classes", errMessage, l.Class, len(h.set.Classes))
	}
	if err := h.rows(l.Rows, d.Len()); err != nil {
		return Outcome{}, err
	}
	if l.Unlabelled {
		return h.labelRest(l.Rows, l.Class, d)
	}
	return h.relabel(l.Rows, l.Class, d)
}

// rows checks that a selection is not empty and contains only valid rows of n samples.
func (h *history) rows(rows []int, n int) error {
	if len(rows) == 0 || len(rows) > n {
		return fmt.Errorf("%w: the selection has %d samples instead of 1 to %d", errMessage, len(rows), n)
	}
	for _, i := range rows {
		if i < 0 || i >= n {
			return fmt.Errorf("%w: there is no sample %d among the %d samples", errMessage, i, n)
		}
	}
	return nil
}

// relabel sets the labels of the given samples of d, or removes them if class is [data.Unlabelled].
// The reply states how many earlier labels were changed and how many were removed.
func (h *history) relabel(rows []int, class int, d *data.Data) (Outcome, error) {
	before := h.set.mergedLabels(d)
	out, err := h.change(func(next *ConstraintSet) {
		for _, i := range rows {
			next.label(i, class, d)
		}
		next.settle(rows)
	})
	if err == nil {
		if said := replaced(before, h.set.mergedLabels(d)); said != "" {
			out.Reply = said
		}
	}
	return out, err
}

// labelRest sets the labels of the given samples of d that have no label yet. The reply contains
// the number of samples that kept their label.
func (h *history) labelRest(rows []int, class int, d *data.Data) (Outcome, error) {
	labels := h.set.mergedLabels(d)
	rest := slices.DeleteFunc(slices.Clone(rows), func(i int) bool { return labels[i] != data.Unlabelled })
	if len(rest) == 0 {
		return Outcome{}, errors.New("all selected samples have labels; switch \"only unlabelled\" off to change them")
	}
	out, err := h.relabel(rest, class, d)
	if err == nil && len(rest) < len(rows) {
		said := fmt.Sprintf("%d labelled; %s", len(rest), nouns.Number(len(rows)-len(rest), "keeps its label", "keep their labels"))
		if more, ok := out.Reply.(string); ok { // labels propagated by must-links have also changed
			said += ". " + more
		}
		out.Reply = said
	}
	return out, err
}

// commit stores the next constraints. If storing succeeds, they become the current constraints.
func (h *history) commit(next ConstraintSet, undo, redo []ConstraintSet) (Outcome, error) {
	next.revision = h.set.revision
	if err := next.write(h.store); err != nil {
		return Outcome{}, err
	}
	h.set, h.undo, h.redo = next, undo, redo
	return Outcome{Work: true, Show: true}, nil
}

func (h *history) common(kind string, body json.RawMessage) (Outcome, error) {
	switch kind {
	case "clear":
		return h.change(func(next *ConstraintSet) {
			next.Pairs, next.Labels = data.Pairs{}, map[int]int{}
			next.review = review{}
		})
	case "undo":
		k := len(h.undo) - 1
		if k < 0 {
			return Outcome{}, errors.New("nothing to undo")
		}
		return h.commit(h.undo[k].clone(), h.undo[:k], append(slices.Clip(h.redo), h.set))
	case "redo":
		k := len(h.redo) - 1
		if k < 0 {
			return Outcome{}, errors.New("nothing to redo")
		}
		return h.commit(h.redo[k].clone(), append(slices.Clip(h.undo), h.set), h.redo[:k])
	case "import":
		var text string
		if err := decode(body, &text); err != nil {
			return Outcome{}, err
		}
		given, err := h.read(text, false)
		if err == nil {
			err = unnamed("file has", given.Classes, len(h.set.Classes))
		}
		if err != nil {
			return Outcome{}, fmt.Errorf("%w: not imported: %w", ErrStore, err)
		}
		return h.change(func(next *ConstraintSet) { next.Pairs, next.Labels = given.Pairs, given.Labels })
	case "export":
		var format string
		if err := decode(body, &format); err != nil {
			return Outcome{}, err
		}
		reply, err := h.set.export(format)
		return Outcome{Reply: reply}, err
	}
	return Outcome{}, ErrUnknown(kind)
}

// read decodes constraints in a file. Their classes are those of h, followed by the other classes
// in the file. If all is false, other classes without labels are left out.
func (h *history) read(text string, all bool) (ConstraintSet, error) {
	given, err := ParseConstraints([]byte(text), h.set.name)
	if err != nil {
		return given, err
	}
	if given.fingerprint != h.set.fingerprint || given.n != h.set.n {
		return given, given.errOther("give a file that was made with the data of this widget")
	}
	given = given.withClasses(h.set.Classes, all)
	for _, l := range given.Labels {
		if l >= len(given.Classes) {
			return given, fmt.Errorf("the file has the class %d, which has no name", l)
		}
	}
	return given, nil
}

// export returns a file for the page to save.
func (c ConstraintSet) export(format string) (any, error) {
	file := func(ending string, raw []byte) any {
		return map[string]any{"name": c.name + ending, "content": base64.StdEncoding.EncodeToString(raw)}
	}
	switch format {
	case "go":
		return file(".go.txt", []byte(c.Literal())), nil
	case "csv":
		return file(".csv", []byte(c.CSV())), nil
	case "npz":
		raw, err := c.NPZ()
		return file(".npz", raw), err
	}
	return nil, fmt.Errorf("%w: there is no format %.20q", errMessage, format)
}
