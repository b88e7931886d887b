package data

import "slices"

// AllClasses returns the sorted classes of the whole data set, even if d is only a part of it, made
// by [Data.Subset], [Data.Only], [Data.Take] or a split. A class is included if it occurs in the
// Labels or Truth of d or of the whole data set, or if it has a name in d.ClassNames. Figures
// colour a class by its index in this list, so that the colour is the same in the whole data set
// and in every part.
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

// WithAllClasses returns a copy marked as part of a data set with the given classes, see
// [Data.AllClasses]. If a data set consists of several files, each class then has the same colour
// in all of them.
func (d *Data) WithAllClasses(classes []int) *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("")
	c.origin = [][]int{distinct(classes)}
	return c
}
