package data

import "slices"

// AllClasses returns the classes, ascending, of the data set that d is or was taken from:
// those of Labels and Truth, those with a name in ClassNames, and those of the data from
// which [Data.Subset], [Data.Only], [Data.Take] or a split took d. Figures choose the
// colour of a class by its place among them, so that it looks the same in the whole data
// set and in every part.
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

// WithAllClasses returns a copy that is a part of a data set with these classes, see
// [Data.AllClasses]. Where a data set comes in several files, it gives a class the same
// colour in all of them.
func (d *Data) WithAllClasses(classes []int) *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("")
	c.origin = [][]int{distinct(classes)}
	return c
}
