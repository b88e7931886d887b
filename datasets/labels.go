package datasets

import (
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// twoSigns is the note on data whose labels are all -1 or 1, as is usual for support vector
// machines. If there are other labels too, -1 is not a class and means unlabelled.
const twoSigns = "labels -1 and 1 read as two classes"

// classes contains the labels of samples and, if the file contains names of classes, these names.
// It also contains notes on how the labels were interpreted.
type classes struct {
	labels []int
	names  []string
	notes  []string
}

// oneHot converts an n×c array of one-hot rows to classes: it returns the column of the 1 in each
// row. It returns nil if c < 2, or if a row does not consist of a single 1 and zeros.
func (a *array) oneHot(n int) []int {
	if len(a.shape) != 2 || a.shape[0] != n || a.shape[1] < 2 || len(a.values) != n*a.shape[1] {
		return nil
	}
	out := make([]int, n)
	for i := range out {
		row := a.values[i*a.shape[1] : (i+1)*a.shape[1]]
		out[i] = slices.Index(row, 1)
		for k, v := range row {
			if v != 0 && k != out[i] {
				return nil
			}
		}
		if out[i] < 0 {
			return nil
		}
	}
	return out
}

// classes converts an array of a file to labels of n samples. Whole numbers are classes. Numbers
// below 0 and NaN mean unlabelled. If −1 and 1 are the only numbers, they are two classes instead.
// One-hot rows and texts are classes too, and empty texts mean unlabelled.
func (a *array) classes(file string, n int) (c classes, err error) {
	if a.texts != nil {
		return a.named(file, n)
	}
	if len(a.values) != n {
		if c.labels = a.oneHot(n); c.labels != nil {
			c.notes = []string{fmt.Sprintf("one-hot labels converted: the class is the column of the 1, from 0 to %d", a.shape[1]-1)}
			return c, nil
		}
		err := bad(ErrFormat, file, "labels of shape %v do not match %s", a.shape, nouns.Count(n, "sample"))
		if len(a.shape) == 2 && a.shape[0] == n {
			return c, advice.With("save the number of the column with the largest value in each row, in NumPy with y.argmax(axis=1), in MATLAB with [~, y] = max(y, [], 2)", err)
		}
		return c, advice.With("save one label for each sample, and samples as the rows of X", err)
	}
	var minus, plus, negative, missing int
	for i, v := range a.values {
		switch {
		case math.IsNaN(v):
			missing++
		case v != math.Trunc(v) || math.Abs(v) > data.MaxLabel:
			return c, advice.With("number the classes, in NumPy with np.unique(y, return_inverse=True)[1], in MATLAB with [~, ~, y] = unique(y), or name the array in Target if it contains measurements",
				bad(ErrFormat, file, "the label of sample %d is %v; labels must be whole numbers from −%d to %d", i, v, data.MaxLabel, data.MaxLabel))
		case v == -1:
			minus++
		case v == 1:
			plus++
		}
		if v < 0 {
			negative++
		}
	}
	two := minus > 0 && plus > 0 && minus+plus+missing == n
	c.labels = make([]int, n)
	for i, v := range a.values {
		switch {
		case math.IsNaN(v):
			c.labels[i] = data.Unlabelled
		case two:
			c.labels[i] = int(v+1) / 2
		default:
			c.labels[i] = max(int(v), data.Unlabelled)
		}
	}
	if two {
		c.names = []string{"-1", "1"}
		c.notes = append(c.notes, twoSigns)
	} else if negative > 0 {
		c.notes = append(c.notes, fmt.Sprintf("%s with a label below 0 read as unlabelled", nouns.Count(negative, "sample")))
	}
	if missing > 0 {
		c.notes = append(c.notes, fmt.Sprintf("%s with the label NaN read as unlabelled", nouns.Count(missing, "sample")))
	}
	return c, nil
}

// target returns d with a target called name, whose values are those of the array. reader is the
// option type that errors mention, such as "MAT".
func (a *array) target(d *data.Data, file, name, reader string) (*data.Data, error) {
	if a.values == nil || len(a.values) != slices.Max(append(a.shape, 1)) {
		of := "numbers"
		if a.values == nil {
			of = "texts"
		}
		return nil, advice.With(fmt.Sprintf("set %s.Target to the name of an array with one number for each row", reader), bad(ErrFormat, file, "the target %q is not a list of numbers, but an array of %s of shape %v", name, of, a.shape))
	}
	if d = d.WithTarget(name, a.values); d.Err() != nil {
		return nil, advice.With(advice.Of(d.Err()), bad(ErrFormat, file, "%v", advice.Cause(d.Err())))
	}
	return d, nil
}

// named converts texts to classes in the order of [data.CompareNames]. Empty texts are unlabelled.
func (a *array) named(file string, n int) (c classes, err error) {
	if len(a.texts) != n {
		return c, advice.With("save one label for each sample", bad(ErrFormat, file, "the samples and their class names differ in number: %s, %s", nouns.Count(n, "sample"), nouns.Count(len(a.texts), "class name")))
	}
	index, empty := map[string]int{}, 0
	for _, s := range a.texts {
		if s == "" {
			empty++
		} else if _, seen := index[s]; !seen {
			index[s] = 0
			c.names = append(c.names, s)
		}
	}
	slices.SortFunc(c.names, data.CompareNames)
	for k, s := range c.names {
		index[s] = k
	}
	index[""] = data.Unlabelled
	c.labels = make([]int, n)
	for i, s := range a.texts {
		c.labels[i] = index[s]
	}
	if empty > 0 {
		c.notes = []string{fmt.Sprintf("%s with an empty label read as unlabelled", nouns.Count(empty, "sample"))}
	}
	return c, nil
}
