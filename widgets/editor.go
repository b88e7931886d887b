package widgets

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// ConstraintEditorBuilder collects the options of [ConstraintEditor]. Its methods
// return changed copies.
type ConstraintEditorBuilder struct {
	drawing[ConstraintEditorBuilder]
}

// ConstraintEditor returns the builder of an embedding on which the reader draws constraints.
// Clicking two samples adds a must-link (solid line). With the shift key, or in the mode Apart, it
// adds a cannot-link (dashed line). Clicking the same pair again removes the link. A lasso or box
// selects a group, and a class button labels the group. If "only unlabelled" is on, the button
// labels only the unlabelled samples of the group. After each change the constraints are stored,
// the method is fitted again, and the lists of violated constraints and of samples worth labelling
// are updated. Undo reverts up to 200 changes made since the page was opened or, with Live, since
// the cell was started.
//
// Samples are coloured by the labels that are visible to the method, not by the true classes. If
// there are too few constraints for the method, the widget shows PCA.
//
// A method that uses only labels ignores cannot-link pairs. Must-link pairs still influence it,
// because [ConstraintSet.Apply] propagates labels along them.
func ConstraintEditor(e ssdrnb.Estimator, d *ssdrnb.Data) ConstraintEditorBuilder {
	with := func(d drawing[ConstraintEditorBuilder]) ConstraintEditorBuilder { return ConstraintEditorBuilder{d} }
	return with(drawing[ConstraintEditorBuilder]{task: interact.Task{Kind: interact.KindEditor, Spec: ssdrnb.SpecOf(e), Data: d, Name: "constraints"}, with: with})
}

// Show shows the editor, see the package comment, and returns the stored constraints. With Live it
// returns when the editor ends.
func (b ConstraintEditorBuilder) Show() ConstraintSet { return b.show() }
