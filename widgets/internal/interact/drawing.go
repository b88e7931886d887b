package interact

import (
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// openHistory checks the options and the stored content of a drawing. It returns the history of the
// drawing, and the data with the classes in the options. If the options contain no classes, the
// data keep their own. The history has the same classes, followed by other stored classes. Other
// classes without labels are left out, except in a labeler, in which the reader can add classes.
func openHistory(t Task, store Store, stored []byte) (h history, d *data.Data, err error) {
	if err := t.Spec.Err(); err != nil {
		return h, nil, err
	}
	classes := t.Classes
	if classes == nil {
		classes = classNames(t.Data)
	}
	most := mostClasses
	if t.Kind == KindScribble {
		most = maxClasses
	}
	if d, err = withClasses(t.Data, classes, most); err != nil {
		return h, nil, err
	}
	h.store = store
	if h.set, err = resumed(t.Name, d, stored); err != nil {
		return h, nil, err
	}
	h.set = h.set.withClasses(classes, t.Kind == KindLabeler)
	for _, l := range h.set.Labels {
		if l >= len(h.set.Classes) {
			return h, nil, fmt.Errorf("%w: %q has class %d, but the widget has only %s; name all with Classes", ErrStore, t.Name, l, nouns.Count(len(h.set.Classes), "class"))
		}
	}
	return h, d, nil
}

// withClasses returns d with the given classes instead of its own. True classes that are not among
// the given classes become unknown, and a label of such a class is an error. The argument most is
// the maximum number of classes.
func withClasses(d *data.Data, classes []string, most int) (*data.Data, error) {
	for _, l := range d.Labels {
		if l < len(d.ClassNames) {
			continue // matched by name
		}
		if err := inRange(l, len(classes), most); err != nil {
			return nil, err
		}
	}
	if n := len(d.Classes()); n > most {
		return nil, fmt.Errorf("the data have labels of %d classes, but the widget allows at most %d; select classes with Data.Only, or hide the labels with Data.HideLabels", n, most)
	}
	names := givenNames(d)
	if len(names) == 0 || slices.Equal(names, classes) {
		return d, nil
	}
	if err := checkNamed(d, classes); err != nil {
		return nil, err
	}
	used := map[int]bool{}
	for _, l := range d.Labels {
		used[l] = true
	}
	codes, all := matched(names, classes, func(k int) bool { return used[k] })
	if err := unnamed("data have", all, len(classes)); err != nil {
		return nil, err
	}
	c := *d.WithAllClasses(codes.all(d.AllClasses()))
	c.Labels, c.Truth, c.ClassNames = codes.all(d.Labels), codes.all(d.Truth), classes
	return &c, nil
}

// inRange returns an error if k is at least the number of classes of a widget, or at least most,
// the maximum number of classes.
func inRange(k, classes, most int) error {
	switch {
	case k >= most:
		return fmt.Errorf("the data have class %d, but the widget allows only the classes 0 to %d; number up to %d classes from 0 without gaps", k, most-1, most)
	case k >= classes:
		return fmt.Errorf("the data have class %d, but only %s named; name all with Classes", k, nouns.Number(classes, "class is", "classes are"))
	}
	return nil
}

// checkNamed returns an error if a class of d has no name, other classes of d have names, and the
// classes of the widget do not begin with these names. The class without a name would keep its
// number, which may be the number of another class of the widget.
func checkNamed(d *data.Data, classes []string) error {
	names := givenNames(d)
	if len(names) == 0 || len(names) <= len(classes) && slices.Equal(names, classes[:len(names)]) {
		return nil
	}
	for _, labels := range [][]int{d.Labels, d.Truth} {
		for _, l := range labels {
			if l >= len(names) {
				return fmt.Errorf("the data have class %d without a name, and the widget names the other classes differently; name all classes of the data", l)
			}
		}
	}
	return nil
}

// givenNames returns the class names of d, with the number of each class that lacks a name.
func givenNames(d *data.Data) []string {
	names := make([]string, len(d.ClassNames))
	for k := range names {
		names[k] = d.ClassName(k)
	}
	return names
}

// codes contains, for each class number, the number of the same class in another list of classes,
// or [data.Unlabelled] if that list does not contain it.
type codes []int

// of returns the number of class k in the other list. A class without a name keeps its number.
func (c codes) of(k int) int {
	if k < 0 || k >= len(c) {
		return k
	}
	return c[k]
}

// all converts labels to the class numbers of the other list.
func (c codes) all(labels []int) []int {
	out := slices.Clone(labels)
	for i, k := range out {
		out[i] = c.of(k)
	}
	return out
}

// matched finds the classes called names in the list classes, and returns their numbers there. A
// class without a name of its own, see [numbered], keeps its number if the list has this number.
// matched also returns the list, followed by the classes that were not found and for which used is
// true. Other classes that were not found become [data.Unlabelled].
func matched(names, classes []string, used func(k int) bool) (codes, []string) {
	to, all := make(codes, len(names)), slices.Clip(classes)
	for k, name := range names {
		at := slices.Index(classes, name)
		switch {
		case k < len(classes) && (name == classes[k] || at < 0 && name == numbered(k)):
			to[k] = k
		case at >= 0:
			to[k] = at
		case used(k):
			to[k], all = len(all), append(all, name)
		default:
			to[k] = data.Unlabelled
		}
	}
	return to, all
}

// unnamed returns an error if the list all has more classes than the widget. The error names the
// first additional class. of is the subject and verb of its message, such as "data have".
func unnamed(of string, all []string, classes int) error {
	if len(all) == classes {
		return nil
	}
	return fmt.Errorf("the %s the class %q, which the widget does not have; name it with Classes", of, all[classes])
}

// numbered returns the name of class k of data without classes.
func numbered(k int) string { return fmt.Sprint("class ", k) }

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
		return []string{numbered(0), numbered(1), numbered(2), numbered(3), numbered(4)}
	}
	names := make([]string, min(most+1, 100))
	for k := range names {
		names[k] = d.ClassName(k)
	}
	return names
}
