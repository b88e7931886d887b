package interact

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// mostClasses bounds the number of classes in a labeler. An editor has the same bound.
const mostClasses = 100

// LabelSet contains the labels that a reader gave to the samples of one data set with a Labeler. It
// is immutable.
type LabelSet struct{ set ConstraintSet }

// Dispute is a sample that two annotators assigned to different classes. Mine is the name of the
// class in the receiver of [LabelSet.Merge], and Theirs is the name of the class in the argument.
type Dispute struct {
	Row          int
	Mine, Theirs string
}

// FailedLabels returns labels that contain only an error.
func FailedLabels(name string, err error) LabelSet { return LabelSet{FailedConstraints(name, err)} }

// ParseLabels decodes and checks labels that are stored under a name.
func ParseLabels(raw []byte, name string) (LabelSet, error) {
	set, err := ParseConstraints(raw, name)
	if err != nil {
		return FailedLabels(name, err), err
	}
	return LabelSet{set}, nil
}

// Err returns the error if the labels could not be read, and nil otherwise.
func (l LabelSet) Err() error { return l.set.Err() }

// Len returns the number of samples whose label was set or removed.
func (l LabelSet) Len() int { return len(l.set.Labels) }

// Classes returns the names of the classes in the order of their labels, which start at 0.
func (l LabelSet) Classes() []string { return slices.Clone(l.set.Classes) }

// Labels returns the class of each labelled sample by row. The class is [data.Unlabelled] if the
// reader removed a label of the data.
func (l LabelSet) Labels() map[int]int { return maps.Clone(l.set.Labels) }

// Kept returns the rows whose labels disagreed with their neighbourhoods and were confirmed by the
// reader, ascending.
func (l LabelSet) Kept() []int { return slices.Sorted(maps.Keys(l.set.kept)) }

// Curve returns the learning curve of the labelling: the numbers of labels, ascending, and for each
// number the accuracy estimated on the other samples, in [0, 1].
func (l LabelSet) Curve() (labels []int, accuracy []float64) {
	for _, p := range l.set.curve {
		labels, accuracy = append(labels, p[0]), append(accuracy, float64(p[1])/1000)
	}
	return labels, accuracy
}

// Apply returns a copy of d with the labels of this set. Samples without a label in the set keep
// their label in d. Classes are matched by name. Classes that d does not name follow the classes of
// d. The pairs of the set replace the pairs of d. d must be the data that were labelled. Otherwise
// the Err method of the result returns an error that wraps [ErrStore], and Fit fails with the same
// error.
func (l LabelSet) Apply(d *data.Data) *data.Data {
	if d == nil {
		return data.Failed("", fmt.Errorf("%w: there are no data; give those that were labelled", ErrStore))
	}
	return l.set.Apply(d)
}

// Merge combines the labels of two annotators of the same samples: a sample without a label in the
// receiver gets the argument's label, if there is one. Classes are matched by name. If the two
// annotators gave a sample different classes, the result keeps the receiver's class, and Disputes
// contains the other class. Merge fails if either set contains an error, if the sets belong to
// different data, or if the two sets have more than 100 different classes. The error wraps
// [ErrStore].
func (l LabelSet) Merge(other LabelSet) (LabelSet, error) {
	if err := errors.Join(l.Err(), other.Err()); err != nil {
		return FailedLabels(l.set.name, err), err
	}
	next := l.set.clone()
	if _, err := next.merge(other.set, l.set.labelOf); err != nil {
		return FailedLabels(l.set.name, err), err
	}
	return LabelSet{next}, nil
}

// merge adds the labels of another set to c, and returns the number of added labels. of(i) is the
// label of sample i before the merge.
func (c *ConstraintSet) merge(other ConstraintSet, of func(i int) int) (taken int, err error) {
	if c.fingerprint != other.fingerprint || c.n != other.n {
		return 0, fmt.Errorf("%w: %w", ErrStore, other.errOther("merge labels of the same data in the same order"))
	}
	other = other.withClasses(c.Classes, false)
	if len(other.Classes) > mostClasses {
		return 0, fmt.Errorf("%w: %w", ErrStore, tooMany())
	}
	c.Classes = other.Classes
	if c.disputes == nil {
		c.disputes = map[int]int{}
	}
	for _, i := range other.labelled() {
		k := other.Labels[i]
		if k >= len(c.Classes) {
			return 0, fmt.Errorf("%w: the labels to be merged have the class %d, which has no name", ErrStore, k)
		}
		switch mine := of(i); {
		case k == data.Unlabelled || k == mine:
		case mine == data.Unlabelled:
			c.Labels[i] = k
			taken++
		default:
			c.disputes[i] = k
		}
	}
	return taken, nil
}

// tooMany returns the error for two sets of labels with too many classes.
func tooMany() error {
	return fmt.Errorf("the two sets of labels have more than %d classes together; merge files with the same class names", mostClasses)
}

// Disputes returns, in row order, the samples to which the merged annotators gave different
// classes.
func (l LabelSet) Disputes() []Dispute {
	var out []Dispute
	for _, i := range slices.Sorted(maps.Keys(l.set.disputes)) {
		out = append(out, Dispute{i, l.set.className(l.set.labelOf(i)), l.set.className(l.set.disputes[i])})
	}
	return out
}

func (c ConstraintSet) labelOf(i int) int {
	if k, ok := c.Labels[i]; ok {
		return k
	}
	return data.Unlabelled
}

func (c ConstraintSet) className(k int) string {
	if k >= 0 && k < len(c.Classes) {
		return c.Classes[k]
	}
	return ""
}

// CSV returns the header row,label,class and one line for each labelled sample, in row order. label
// is the name of the class, and class is its number. If the label was removed, label is "" and
// class is -1.
func (l LabelSet) CSV() string {
	l.set.tell()
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"row", "label", "class"}) // writes to a builder never fail
	for _, i := range l.set.labelled() {
		k := l.set.Labels[i]
		_ = w.Write([]string{strconv.Itoa(i), l.set.className(k), strconv.Itoa(k)})
	}
	w.Flush()
	return b.String()
}

// JSONLines returns the same values as CSV. Each line is a JSON object with row, label and class.
func (l LabelSet) JSONLines() string {
	l.set.tell()
	var b strings.Builder
	for _, i := range l.set.labelled() {
		k := l.set.Labels[i]
		raw, _ := json.Marshal(struct { // numbers and text are always encodable
			Row   int    `json:"row"`
			Label string `json:"label"`
			Class int    `json:"class"`
		}{i, l.set.className(k), k})
		b.Write(append(raw, '\n'))
	}
	return b.String()
}

// String returns the number of labels of each class.
func (l LabelSet) String() string {
	if err := l.Err(); err != nil {
		return err.Error()
	}
	count := map[int]int{}
	for _, k := range l.set.Labels {
		count[k]++
	}
	parts := []string{}
	for k, name := range l.set.Classes {
		if count[k] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", name, count[k]))
		}
	}
	if n := count[data.Unlabelled]; n > 0 {
		parts = append(parts, fmt.Sprintf("removed %d", n))
	}
	s := fmt.Sprintf("%s: %d of %s labelled", l.set.name, len(l.set.Labels)-count[data.Unlabelled], nouns.Count(l.set.n, "sample"))
	if len(parts) > 0 {
		s += " (" + strings.Join(parts, ", ") + ")"
	}
	if d := len(l.set.disputes); d > 0 {
		s += fmt.Sprintf("; %d disputed", d)
	}
	return s
}
