package data

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Seed returns a copy whose random choices follow from s. Written behind
// [Data.KeepLabels] it draws the kept labels anew; written before [Data.Split]
// it decides the split.
func (d *Data) Seed(s uint64) *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("")
	c.seed = s
	if c.keep > 0 {
		return c.draw()
	}
	return c
}

// KeepLabels returns a copy in which perClass random samples of each class stay
// labelled and all others become [Unlabelled]. Classes count by Truth. Every
// class needs at least perClass samples.
func (d *Data) KeepLabels(perClass int) *Data {
	if d.Err() != nil {
		return d
	}
	if perClass < 1 {
		return d.fail(fmt.Errorf("%w: KeepLabels(%d); keep at least 1 label per class, or call HideLabels", ErrOption, perClass))
	}
	if d.Truth == nil {
		return d.fail(fmt.Errorf("%w: KeepLabels(%d) on %q, which has no known classes", ErrLabels, perClass, d.Name))
	}
	c := d.with("%d labels kept per class", perClass)
	c.keep = perClass
	return c.draw()
}

// HideLabels returns a copy without any label; Truth stays.
func (d *Data) HideLabels() *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("labels hidden")
	c.Labels, c.keep = nil, 0
	return c
}

// WithLabels returns a copy with these labels, one per row, [Unlabelled] where
// unknown. Truth stays.
func (d *Data) WithLabels(labels []int) *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("")
	c.Labels, c.keep = slices.Clone(labels), 0
	c.err = c.Validate()
	return c
}

// WithPairs returns a copy with these constraints.
func (d *Data) WithPairs(p Pairs) *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("")
	c.Pairs = Pairs{Must: slices.Clone(p.Must), Cannot: slices.Clone(p.Cannot)}
	c.err = c.Pairs.Check(d.Len())
	return c
}

// draw hides all labels but keep random ones per class.
func (d *Data) draw() *Data {
	rng := rand.New(rand.NewPCG(d.seed, 0x5eed))
	labels := make([]int, d.Len())
	for i := range labels {
		labels[i] = Unlabelled
	}
	for _, class := range distinct(d.Truth) {
		rows := d.rowsOf(class)
		if len(rows) < d.keep {
			return d.fail(fmt.Errorf("%w: KeepLabels(%d) but %s has only %d samples", ErrLabels, d.keep, d.ClassName(class), len(rows)))
		}
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, i := range rows[:d.keep] {
			labels[i] = class
		}
	}
	c := d.with("")
	c.Labels = labels
	return c
}

// rowsOf returns the rows whose true class is class, ascending.
func (d *Data) rowsOf(class int) []int {
	var rows []int
	for i, l := range d.Truth {
		if l == class {
			rows = append(rows, i)
		}
	}
	return rows
}

// Subset returns the given rows as new data; labels, truth, pairs and
// anchors follow. Pairs that lose an end are dropped. X is copied.
func (d *Data) Subset(rows []int) *Data {
	if d.Err() != nil {
		return d
	}
	if len(rows) == 0 {
		return d.fail(fmt.Errorf("%w: Subset of no rows", ErrEmpty))
	}
	n, cols := d.Len(), d.Dim()
	c := d.with("")
	c.X = mat.NewDense(len(rows), cols, nil)
	pick := func(src []int) []int {
		if src == nil {
			return nil
		}
		out := make([]int, len(rows))
		for k, i := range rows {
			out[k] = src[i]
		}
		return out
	}
	to := make(map[int]int, len(rows))
	for k, i := range rows {
		if i < 0 || i >= n {
			return d.fail(fmt.Errorf("%w: Subset row %d = %d but rows run from 0 to %d", ErrOption, k, i, n-1))
		}
		if _, dup := to[i]; dup {
			return d.fail(fmt.Errorf("%w: Subset names row %d twice", ErrOption, i))
		}
		to[i] = k
		c.X.SetRow(k, d.X.RawRowView(i))
	}
	c.Labels, c.Truth = pick(d.Labels), pick(d.Truth)
	follow := func(src []Pair) []Pair {
		var out []Pair
		for _, p := range src {
			a, okA := to[p.I]
			b, okB := to[p.J]
			if okA && okB {
				out = append(out, Pair{a, b})
			}
		}
		return out
	}
	c.Pairs = Pairs{Must: follow(d.Pairs.Must), Cannot: follow(d.Pairs.Cannot)}
	c.Anchors = d.Anchors.follow(to)
	return c
}

// Take returns perClass random samples of each class, grouped by class, chosen
// by the seed. Classes count by Truth.
func (d *Data) Take(perClass int) *Data {
	if d.Err() != nil {
		return d
	}
	if d.Truth == nil {
		return d.fail(fmt.Errorf("%w: Take(%d) on %q, which has no known classes", ErrLabels, perClass, d.Name))
	}
	rng := rand.New(rand.NewPCG(d.seed, 0x7a4e))
	var rows []int
	for _, class := range distinct(d.Truth) {
		r := d.rowsOf(class)
		if perClass < 1 || perClass > len(r) {
			return d.fail(fmt.Errorf("%w: Take(%d) but %s has %d samples", ErrOption, perClass, d.ClassName(class), len(r)))
		}
		rng.Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
		rows = append(rows, r[:perClass]...)
	}
	c := d.Subset(rows)
	c.Notes = append(slices.Clone(d.Notes), fmt.Sprintf("%d samples taken per class", perClass))
	return c
}

// Only returns the samples of the given true classes, in their old order.
func (d *Data) Only(classes ...int) *Data {
	if d.Err() != nil {
		return d
	}
	var rows []int
	for i, l := range d.Truth {
		if slices.Contains(classes, l) {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return d.fail(fmt.Errorf("%w: Only(%v) leaves no sample of %q", ErrOption, classes, d.Name))
	}
	c := d.Subset(rows)
	c.Notes = append(slices.Clone(d.Notes), fmt.Sprintf("classes %v only", classes))
	return c
}

// Split draws a random share of each class for training and leaves the rest for
// testing; share is in (0, 1), rounded half up within each class, and both
// sides get at least one sample of every class that has two. Data without
// known classes are split as one class. Labels stay as they are, except that
// behind [Data.KeepLabels] the kept labels are drawn anew on the training side,
// so that each class keeps its number there, and the test side has none.
func (d *Data) Split(share float64) (train, test *Data) {
	if d.Err() != nil {
		return d, d
	}
	if !(share > 0 && share < 1) || d.Len() < 2 {
		f := d.fail(fmt.Errorf("%w: Split(%v) of %d samples; share must lie between 0 and 1 and leave both sides non-empty", ErrOption, share, d.Len()))
		return f, f
	}
	groups := [][]int{}
	if d.Truth == nil {
		all := make([]int, d.Len())
		for i := range all {
			all[i] = i
		}
		groups = append(groups, all)
	} else {
		for _, class := range append([]int{Unlabelled}, distinct(d.Truth)...) {
			if r := d.rowsOf(class); len(r) > 0 {
				groups = append(groups, r)
			}
		}
	}
	rng := rand.New(rand.NewPCG(d.seed, 0x59117))
	var a, b []int
	for _, r := range groups {
		rng.Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
		m := int(math.Floor(share*float64(len(r)) + 0.5))
		if len(r) > 1 {
			m = min(max(m, 1), len(r)-1)
		}
		a, b = append(a, r[:m]...), append(b, r[m:]...)
	}
	slices.Sort(a)
	slices.Sort(b)
	if len(a) == 0 || len(b) == 0 {
		f := d.fail(fmt.Errorf("%w: Split(%v) leaves one side empty", ErrOption, share))
		return f, f
	}
	train, test = d.Subset(a), d.Subset(b)
	if train.keep > 0 {
		train = train.draw()
		test.Labels, test.keep = nil, 0
	}
	train.Notes = append(slices.Clone(d.Notes), fmt.Sprintf("training split %.2g", share))
	test.Notes = append(slices.Clone(d.Notes), fmt.Sprintf("test split %.2g", 1-share))
	return train, test
}
