package widgets

import (
	"fmt"
	"slices"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/viz/store"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// LabelSet contains the labels that a reader gave with a [Labeler]. Apply adds them to the data,
// CSV and JSONLines write them, and Merge joins the labels of two annotators.
type LabelSet = interact.LabelSet

// Dispute is a sample that two annotators assigned to different classes, see [LabelSet.Merge].
type Dispute = interact.Dispute

// LabelerBuilder collects the options of [Labeler]. Its methods return changed copies.
type LabelerBuilder struct {
	task interact.Task
	live bool
	idle time.Duration
}

// Labeler returns the builder of an embedding on which the reader labels samples. The data need no
// labels. The sample in focus is shown in a large view: as its image, its attributes or its
// features. The key or the button of a class labels this sample, or the group selected by a lasso
// or box. New classes can be added at any time. After each label the page shows the predicted
// classes of all other samples ([ssdrnb.Opinions]), the sample to label next ([ssdrnb.Suggest]),
// and a curve of the estimated accuracy. It also shows the labels that disagree with their
// neighbourhoods ([ssdrnb.Suspicions]), with links to the labels that outvote them. The embedding
// is computed by S2NE and updated after new labels. Hidden labels are not read.
//
//	widgets.Labeler(digits.HideLabels()).Name("digits").Show()
//
//	%%
//	labelled := widgets.Labels("digits").Apply(digits)       // in any later cell
//
// Keys: a class named by a digit has this digit as its key. The first other classes get the
// remaining digits from 1 to 9, and each button shows its key. Enter accepts the proposed class.
// Delete removes the label, and so does 0 unless a class has this key. The arrows move through the
// queue of samples, N moves to the next suggestion, C adds a class, L starts a lasso, K keeps a
// label that disagrees, Escape clears the selection, and Ctrl+Z undoes.
func Labeler(d *ssdrnb.Data) LabelerBuilder {
	return LabelerBuilder{task: interact.Task{Kind: interact.KindLabeler, Spec: ssdrnb.S2NE().Spec(), Data: d, Name: "labels"}}
}

// Name sets the name under which the labels are stored for this notebook. The default is "labels".
// [Labels] reads the stored labels.
func (b LabelerBuilder) Name(name string) LabelerBuilder {
	b.task.Name = name
	return b
}

// Classes sets the initial classes, up to 100. The default is the classes of the data that have a
// name or a label. The reader can add classes. Labels in the data and stored labels are assigned to
// these classes by the names of their classes. Stored labels of other classes keep their class
// names.
func (b LabelerBuilder) Classes(names ...string) LabelerBuilder {
	b.task.Classes = slices.Clone(names)
	return b
}

// Live makes the cell, rather than the page, do the computing, which allows up to 70,000 samples.
// The cell runs until Stop, an interrupt or the idle limit ends it. Later cells wait until then,
// see the package comment. The final figure shows the last embedding and the given labels.
func (b LabelerBuilder) Live() LabelerBuilder {
	b.live = true
	return b
}

// Idle sets the time after which a cell with Live ends if the reader does nothing. The default is
// 15 minutes.
func (b LabelerBuilder) Idle(limit time.Duration) LabelerBuilder {
	b.idle = limit
	return b
}

// Show shows the labeler, see the package comment, and returns the stored labels. With Live it
// returns when the labeler ends. If Show fails, the Err method of the labels returns the reason.
func (b LabelerBuilder) Show() LabelSet {
	return shown(b.task, b.task.Name, b.live, b.idle, (*interact.Labeler).Labels, interact.FailedLabels)
}

// Labels returns the labels that a [Labeler] stored under name for this notebook, in this or an
// earlier kernel. If they cannot be read, the Err method of the result returns an error that wraps
// [ErrStore], and Fit returns this error for data from Apply. A notebook prints the error once,
// when Apply, CSV or JSONLines is called.
func Labels(name string) LabelSet {
	return storedSet(name, fmt.Sprintf("label some with widgets.Labeler(…).Name(%q).Show()", name), interact.ParseLabels, interact.FailedLabels)
}

// LabelsOf decodes the content of a file saved by the Export button of a [Labeler], for example the
// labels of another annotator for [LabelSet.Merge]. If content is damaged, the Err method of the
// result returns an error that wraps [ErrStore].
func LabelsOf(name string, content []byte) LabelSet {
	l, err := interact.ParseLabels(content, name)
	if err != nil {
		return interact.FailedLabels(name, fmt.Errorf("%w: %q: %w; give the content of a file saved by the Export button of a Labeler", ErrStore, name, err))
	}
	return l
}

// storedSet returns the constraints or labels stored under a name, decoded by parse. If it fails,
// it returns the result of failed, which contains the error. otherwise is the advice in this error
// if nothing is stored.
func storedSet[T any](name, otherwise string, parse func(raw []byte, name string) (T, error), failed func(string, error) T) T {
	path, err := storePath(name)
	if err != nil {
		return failed(name, err)
	}
	raw := store.Newest(path, name)
	if raw == nil {
		return failed(name, advice.Errorf(store.Instead("", otherwise), "%w: nothing called %q is stored for this notebook", ErrStore, name))
	}
	set, err := parse(raw, name)
	if err != nil {
		return failed(name, fmt.Errorf("%w: %q: %w; choose another name, or move %s and the files in %s away", ErrStore, name, err, path, store.Beside("")))
	}
	return set
}
