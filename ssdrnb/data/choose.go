package data

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Seed returns a copy with the random seed s. After [Data.KeepLabels], [Data.KeepShare] or
// [Data.KeepTarget], Seed redraws the kept labels or values. Before [Data.Split], [Data.Take] or
// [Data.Validation], it determines the random choice.
func (d *Data) Seed(s uint64) *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("")
	c.seed = s
	if c.keepTarget > 0 {
		c = c.drawTarget()
	}
	if c.redraws() {
		return c.draw()
	}
	return c
}

// KeepLabels returns a copy in which perClass random samples of each class of Truth stay labelled
// and all others become [Unlabelled]. Every class needs at least perClass samples.
func (d *Data) KeepLabels(perClass int) *Data {
	if d.Err() != nil {
		return d
	}
	if perClass < 1 {
		return d.fail(advice.Errorf("keep at least 1 label per class, or call HideLabels", "%w: KeepLabels(%d)", ErrOption, perClass))
	}
	if d.Truth == nil {
		return d.fail(advice.Errorf(giveClasses, "%w: KeepLabels(%d): the classes of %q are unknown", ErrLabels, perClass, d.Name))
	}
	c := d.with("%s kept per class", nouns.Count(perClass, "label"))
	c.keep, c.share = perClass, 0
	return c.draw()
}

// KeepShare is like [Data.KeepLabels], but keeps a share in (0, 1] of each class. The number of
// samples is rounded half up and is at least 1. A later [Data.Split] draws this share again among
// the training samples.
func (d *Data) KeepShare(share float64) *Data {
	if d.Err() != nil {
		return d
	}
	if !(share > 0 && share <= 1) {
		return d.fail(advice.Errorf("give a share above 0 and at most 1", "%w: KeepShare(%v)", ErrOption, share))
	}
	if d.Truth == nil {
		return d.fail(advice.Errorf(giveClasses, "%w: KeepShare(%v): the classes of %q are unknown", ErrLabels, share, d.Name))
	}
	c := d.with("%.2g of the labels kept", share)
	c.keep, c.share = 0, share
	return c.draw()
}

// Draw describes how labels and target values are drawn. KeepLabels, KeepShare, KeepTarget and Seed
// set it. Store it with the data, so that Seed and Split have the same effect after the data are
// read back.
type Draw struct {
	// Keep is the number of labels kept per class, or 0 if KeepLabels did not choose them.
	Keep int
	// Share is the share of labels kept in each class, or 0 if KeepShare did not choose them.
	Share float64
	// Target is the share of target values kept, or 0 if KeepTarget did not choose them.
	Target float64
	// Seed is the seed of the last or next random choice.
	Seed uint64
}

// Draw returns the current [Draw].
func (d *Data) Draw() Draw { return Draw{d.keep, d.share, d.keepTarget, d.seed} }

// WithDraw returns a copy that uses the settings w in later calls of Seed and Split. The current
// labels do not change.
func (d *Data) WithDraw(w Draw) *Data {
	if d.Err() != nil {
		return d
	}
	switch {
	case w.Keep < 0 || !(w.Share >= 0 && w.Share <= 1) || !(w.Target >= 0 && w.Target <= 1):
		return d.fail(advice.Errorf("give Keep ≥ 0, and Share and Target from 0 to 1", "%w: WithDraw: Keep = %d, Share = %v, Target = %v", ErrOption, w.Keep, w.Share, w.Target))
	case (w.Keep > 0 || w.Share > 0) && d.Truth == nil:
		return d.fail(advice.Errorf(giveClasses, "%w: WithDraw with Keep = %d and Share = %v: the classes of %q are unknown", ErrOption, w.Keep, w.Share, d.Name))
	case w.Target > 0 && d.Target() == nil:
		return d.fail(advice.Errorf("give one with Data.WithTarget", "%w: WithDraw with Target = %v on %q, which has no target", ErrOption, w.Target, d.Name))
	}
	c := d.with("")
	c.keep, c.share, c.keepTarget, c.seed = w.Keep, w.Share, w.Target, w.Seed
	return c
}

// redraws reports whether Seed and Split draw the labels again.
func (d *Data) redraws() bool { return d.keep > 0 || d.share > 0 }

// HideLabels returns a copy without labels. Truth does not change.
func (d *Data) HideLabels() *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("labels hidden")
	c.Labels, c.keep, c.share = nil, 0, 0
	return c
}

// WithLabels returns a copy with the given labels, one per row, [Unlabelled] where unknown. Truth
// does not change.
func (d *Data) WithLabels(labels []int) *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("")
	c.Labels, c.keep, c.share = slices.Clone(labels), 0, 0
	c.err = c.Validate()
	return c
}

// WithPairs returns a copy with the given constraints.
func (d *Data) WithPairs(p Pairs) *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("")
	c.Pairs = Pairs{Must: slices.Clone(p.Must), Cannot: slices.Clone(p.Cannot)}
	c.err = c.Pairs.Check(d.Len())
	return c
}

// giveClasses is the remedy when true classes are needed but unknown.
const giveClasses = "pass the class of each sample to ssdrnb.NewData"

// smallest returns the number of samples in the smallest true class.
func (d *Data) smallest() int {
	least := d.Len()
	for _, class := range distinct(d.Truth) {
		least = min(least, len(d.rowsOf(class)))
	}
	return least
}

// knownClasses returns a remedy that lists the first 20 true classes.
func (d *Data) knownClasses() string {
	classes := distinct(d.Truth)
	if len(classes) == 0 {
		return giveClasses
	}
	return fmt.Sprintf("choose from the known classes %v", classes[:min(len(classes), 20)])
}

// draw keeps random labels of each class and hides the others.
func (d *Data) draw() *Data {
	rng := rand.New(rand.NewPCG(d.seed, 0x5eed))
	labels := make([]int, d.Len())
	for i := range labels {
		labels[i] = Unlabelled
	}
	for _, class := range distinct(d.Truth) {
		rows := d.rowsOf(class)
		if len(rows) < d.keep {
			return d.fail(advice.Errorf(fmt.Sprintf("call KeepLabels(%d), or KeepShare", d.smallest()), "%w: KeepLabels(%d): class %s has only %s", ErrLabels, d.keep, d.ClassName(class), nouns.Count(len(rows), "sample")))
		}
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		keep := d.keep
		if d.share > 0 {
			keep = max(int(math.Floor(d.share*float64(len(rows))+0.5)), 1)
		}
		for _, i := range rows[:keep] {
			labels[i] = class
		}
	}
	c := d.with("")
	c.Labels = labels
	return c
}

// rowsOf returns the rows with the given true class in ascending order.
func (d *Data) rowsOf(class int) []int {
	return order.Where(d.Truth, func(l int) bool { return l == class })
}

// Subset returns the given rows as new data, with their labels, truth, attributes, targets, pairs,
// anchors and initial positions. Pairs and anchors with a row outside the subset are dropped. X is
// copied.
func (d *Data) Subset(rows []int) *Data {
	if d.Err() != nil {
		return d
	}
	if len(rows) == 0 {
		return d.fail(advice.Errorf("give at least one row", "%w: Subset: the list of rows is empty", ErrEmpty))
	}
	n, cols := d.Len(), d.Dim()
	c := d.with("")
	if c.origin == nil { // a subset of a subset keeps the classes of the whole data set
		c.origin = [][]int{d.Labels, d.Truth}
	}
	if d.Nearest != nil {
		return d.fail(advice.Errorf("call FromNeighbors with the neighbours of each sample within the subset", "%w: Subset: the samples are given by their neighbours, which may be outside the subset", ErrOption))
	}
	if d.X != nil {
		c.X = mat.NewDense(len(rows), cols, nil)
	}
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
			return d.fail(advice.Errorf("remove it from the list", "%w: Subset: rows[%d] = %d, but rows run from 0 to %d", ErrOption, k, i, n-1))
		}
		if _, dup := to[i]; dup {
			return d.fail(advice.Errorf("list each row once", "%w: Subset: row %d is listed twice", ErrOption, i))
		}
		to[i] = k
		if d.X != nil {
			c.X.SetRow(k, d.X.RawRowView(i))
		}
	}
	switch {
	case d.Distances != nil:
		c.Distances = subsetDistances(d.Distances, rows)
	case d.Rows != nil:
		c.Rows = sparse.PickRows(d.Rows, rows)
	}
	c.Labels, c.Truth, c.Attributes = pick(d.Labels), pick(d.Truth), nil
	for _, a := range d.Attributes {
		values := make([]string, len(rows))
		for k, i := range rows {
			values[k] = a.Values[i]
		}
		a.Values = values
		c.Attributes = append(c.Attributes, a)
	}
	c.Targets = nil
	for _, t := range d.Targets {
		c.Targets = append(c.Targets, t.subset(rows))
	}
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
	if d.Start != nil {
		c.Start = samples.Pick(d.Start, rows)
	}
	if c.X != nil {
		c.recall(c.X, d.Scaling())
	}
	return c
}

// Take returns perClass random samples of each class of Truth, grouped by class. The seed
// determines the draw.
func (d *Data) Take(perClass int) *Data {
	if d.Err() != nil {
		return d
	}
	if d.Truth == nil {
		return d.fail(advice.Errorf(giveClasses, "%w: Take(%d): the classes of %q are unknown", ErrLabels, perClass, d.Name))
	}
	remedy := "call Take(1)"
	if most := d.smallest(); most > 1 {
		remedy = fmt.Sprintf("call Take with 1 to %d", most)
	}
	if perClass < 1 {
		return d.fail(advice.Errorf(remedy, "%w: Take(%d): every class needs a sample", ErrOption, perClass))
	}
	rng := rand.New(rand.NewPCG(d.seed, 0x7a4e))
	var rows []int
	for _, class := range distinct(d.Truth) {
		r := d.rowsOf(class)
		if perClass > len(r) {
			return d.fail(advice.Errorf(remedy, "%w: Take(%d): class %s has %s", ErrOption, perClass, d.ClassName(class), nouns.Count(len(r), "sample")))
		}
		rng.Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
		rows = append(rows, r[:perClass]...)
	}
	c := d.Subset(rows)
	c.Notes = append(slices.Clone(d.Notes), nouns.Count(perClass, "sample")+" taken per class")
	return c
}

// Only returns the samples of the given true classes, in their original order.
func (d *Data) Only(classes ...int) *Data {
	if d.Err() != nil {
		return d
	}
	rows := order.Where(d.Truth, func(l int) bool { return slices.Contains(classes, l) })
	if len(rows) == 0 {
		return d.fail(advice.Errorf(d.knownClasses(), "%w: Only(%v): %q has no sample of these classes", ErrOption, classes, d.Name))
	}
	c := d.Subset(rows)
	c.Notes = append(slices.Clone(d.Notes), fmt.Sprintf("classes %v only", classes))
	return c
}

// Split draws a random share of each class for training; the other samples are for testing. share
// is in (0, 1). The number of training samples of each class is rounded half up. Both parts get at
// least one sample of every class with two or more samples. Data without known classes are split as
// a single class. Labels do not change unless [Data.KeepLabels] or [Data.KeepShare] was called. In
// that case, the same number or share of labels is drawn again in each class of the training
// samples, and the test samples are unlabelled. Target values are treated in the same way after
// [Data.KeepTarget].
func (d *Data) Split(share float64) (train, test *Data) {
	if d.Err() != nil {
		return d, d
	}
	if !(share > 0 && share < 1) {
		f := d.fail(advice.Errorf("give a share between 0 and 1", "%w: Split(%v)", ErrOption, share))
		return f, f
	}
	if d.Len() < 2 {
		f := d.fail(advice.Errorf("give at least two samples", "%w: Split(%v) of %s", ErrOption, share, nouns.Count(d.Len(), "sample")))
		return f, f
	}
	a, b := d.divide(func(n int) (train, test int) {
		m := int(math.Floor(share*float64(n) + 0.5))
		if n > 1 {
			m = min(max(m, 1), n-1)
		}
		return m, n - m
	})
	if len(a) == 0 || len(b) == 0 {
		f := d.fail(advice.Errorf("give at least two samples of a class", "%w: Split(%v): the training or the test set is empty, because no class has two samples", ErrOption, share))
		return f, f
	}
	return d.sides(a, b, fmt.Sprintf("training split %.2g", share), fmt.Sprintf("test split %.2g", 1-share))
}

// SplitPerClass draws random samples from each class. train and test are the numbers of training
// and test samples per class. The two parts share no sample. If test is 0, all samples that are not
// training samples are for testing. Every class needs at least train + max(test, 1) samples. In all
// other respects it works like [Data.Split].
func (d *Data) SplitPerClass(train, test int) (training, testing *Data) {
	if d.Err() != nil {
		return d, d
	}
	fail := func(remedy, format string, args ...any) (*Data, *Data) {
		f := d.fail(advice.Errorf(remedy, "%w: SplitPerClass(%d, %d): "+format, append([]any{ErrOption, train, test}, args...)...))
		return f, f
	}
	if d.Truth == nil {
		return fail(giveClasses, "the classes of %q are unknown", d.Name)
	}
	if train < 1 || test < 0 {
		return fail("give train ≥ 1 and test ≥ 0", "every class needs a training sample, and the number of test samples cannot be negative")
	}
	for _, class := range distinct(d.Truth) {
		if n := len(d.rowsOf(class)); n < train+max(test, 1) {
			remedy := "use Split"
			if most := d.smallest(); most > 1 {
				remedy = fmt.Sprintf("ask for at most %d training and test samples together, or ", most) + remedy
			}
			return fail(remedy, "class %s has only %s", d.ClassName(class), nouns.Count(n, "sample"))
		}
	}
	a, b := d.divide(func(n int) (int, int) {
		if test == 0 {
			return train, n - train
		}
		return train, test
	})
	return d.sides(a, b, nouns.Count(train, "training sample")+" per class", "test samples")
}

// divide shuffles the rows of each class with the seed, and returns the rows of both parts in
// ascending order. count returns how many of the n rows of a class go to each part.
func (d *Data) divide(count func(n int) (a, b int)) (a, b []int) {
	groups := [][]int{}
	if d.Truth == nil {
		groups = append(groups, order.Rows(d.Len()))
	} else {
		for _, class := range append([]int{Unlabelled}, distinct(d.Truth)...) {
			if r := d.rowsOf(class); len(r) > 0 {
				groups = append(groups, r)
			}
		}
	}
	rng := rand.New(rand.NewPCG(d.seed, 0x59117))
	for _, r := range groups {
		rng.Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
		m, k := count(len(r))
		m = min(m, len(r)) // the samples of unknown class may be fewer than m
		a, b = append(a, r[:m]...), append(b, r[m:min(m+k, len(r))]...)
	}
	slices.Sort(a)
	slices.Sort(b)
	return a, b
}

// sides returns rows a as the training data and rows b as the test data. It appends the note
// `first` to the training data and the note `second` to the test data.
func (d *Data) sides(a, b []int, first, second string) (train, test *Data) {
	train, test = d.Subset(a), d.Subset(b)
	d.toTraining(a, b, test)
	if train.redraws() {
		train = train.draw()
		test.Labels, test.keep, test.share = nil, 0, 0
	}
	if train.keepTarget > 0 && train.Err() == nil && test.Err() == nil {
		train = train.drawTarget()
		test.hideTarget()
	}
	train.Notes = append(slices.Clone(d.Notes), first)
	test.Notes = append(slices.Clone(d.Notes), second)
	return train, test
}

// Validation returns a copy for choosing options without using the true classes of unlabelled
// samples. In each class with at least two labels, it hides a random share in (0, 1) of the labels,
// but never all. Truth becomes the previous labels, so that predictions for the newly hidden
// samples can be scored as usual.
//
// The number of hidden labels of a class is rounded down, and the remainder is added to the next
// class, in random order of the classes. For example, if every class has two labels, the share 0.25
// hides one label in every second class. At least one label is hidden. The seed determines all
// random choices.
func (d *Data) Validation(share float64) *Data {
	if d.Err() != nil {
		return d
	}
	if !(share > 0 && share < 1) {
		return d.fail(advice.Errorf("give a share between 0 and 1", "%w: Validation(%v)", ErrOption, share))
	}
	if d.Labels == nil {
		return d.fail(advice.Errorf("label at least two samples of the same class with Data.WithLabels", "%w: Validation(%v): %q has no labels to hide", ErrLabels, share, d.Name))
	}
	c := d.with("%.2g of the labels hidden for validation", share)
	c.Truth, c.Labels = slices.Clone(d.Labels), slices.Clone(d.Labels)
	c.keep, c.share = 0, 0
	rng := rand.New(rand.NewPCG(d.seed, 0x7a11d))
	classes := slices.DeleteFunc(distinct(c.Truth), func(class int) bool { return len(c.rowsOf(class)) < 2 })
	if len(classes) == 0 {
		return d.fail(advice.Errorf("label at least two samples of the same class with Data.WithLabels", "%w: Validation(%v): no class of %q has two labels", ErrLabels, share, d.Name))
	}
	rng.Shuffle(len(classes), func(i, j int) { classes[i], classes[j] = classes[j], classes[i] })
	hidden, due := 0, 0.0
	for k, class := range classes {
		rows := c.rowsOf(class)
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		due += share * float64(len(rows))
		m := min(int(due+1e-9), len(rows)-1) // 1e-9 absorbs rounding errors in due
		due -= float64(m)
		if k == len(classes)-1 && hidden+m == 0 {
			m = 1
		}
		for _, i := range rows[:m] {
			c.Labels[i] = Unlabelled
		}
		hidden += m
	}
	return c
}
