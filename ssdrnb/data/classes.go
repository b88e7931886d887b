package data

import "slices"

// AllClasses returns the classes, ascending, of the data set that d is or was taken from by
// [Data.Subset], [Data.Only], [Data.Take] or a split: all classes of Labels and Truth and with a
// name in ClassNames, in d and in the whole data set. The colour of a class in figures depends on
// its index in this list, so that it is the same for the whole data set and every part.
func (d *Data) AllClasses() []int {
	var out []int
	for k, name := range d.ClassNames {
		if name != "" {
			out = append(out, k)
		}
	}
	for _, list := range append([][]int{d.Labels, d.Truth}, d.origin...) {
		out = append(out, distinct(list)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// WithAllClasses returns a copy marked as part of a data set with these classes, see
// [Data.AllClasses]. If a data set is in several files, a class then has the same colour in all
// of them.
func (d *Data) WithAllClasses(classes []int) *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("")
	c.origin = [][]int{distinct(classes)}
	return c
}
