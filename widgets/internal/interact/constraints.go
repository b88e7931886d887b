package interact

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sbinet/npyio"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// ErrStore is the error for stored constraints, labels and paintings that are missing, damaged or
// in use, or that were drawn on other data.
var ErrStore = errors.New("widget store")

// ConstraintSet contains the pairs and labels that a reader has drawn on the samples of one data
// set.
type ConstraintSet struct {
	// Pairs are the must-link and cannot-link pairs.
	Pairs data.Pairs
	// Labels contains, by row, the class of each sample that the reader labelled, or
	// [data.Unlabelled] if the reader removed a label.
	Labels map[int]int
	// Classes names the classes.
	Classes []string

	review

	name        string // name under which the set is stored
	data        string // name of the data
	fingerprint string // see Fingerprint
	n           int    // number of samples of the data
	revision    int    // number of stored changes
	err         error
	told        *sync.Once // prints err only once
}

// FailedConstraints returns constraints that contain only an error.
func FailedConstraints(name string, err error) ConstraintSet {
	return ConstraintSet{name: name, err: err, told: new(sync.Once)}
}

// Err returns the error if the constraints could not be read, and nil otherwise.
func (c ConstraintSet) Err() error { return c.err }

// tell prints the error once, in a notebook only.
func (c ConstraintSet) tell() {
	if c.err != nil {
		c.told.Do(func() { _ = files.Tell("widgets", "", "", c.err) })
	}
}

// Apply returns a copy of d in which the drawn pairs replace the pairs of d, and the drawn labels
// replace the labels of the same samples. The other samples keep their labels. Must-link pairs then
// propagate labels: if the labelled samples in a connected component of must-links have the same
// label, all samples of the component get this label. Classes are matched by name. Classes that d
// does not name follow the classes of d. d must be the data on which the constraints were drawn.
// Otherwise the Err method of the result returns an error that wraps [ErrStore], and Fit fails with
// the same error.
func (c ConstraintSet) Apply(d *data.Data) *data.Data {
	if d.Err() != nil {
		return d
	}
	if c.err != nil {
		c.tell()
		return data.Failed(d.Name, c.err)
	}
	if c.fingerprint != "" && c.fingerprint != Fingerprint(d) {
		return data.Failed(d.Name, fmt.Errorf("%w: %q was drawn on other data (%s, %s); use the same data in the same order", ErrStore, c.name, c.data, nouns.Count(c.n, "sample")))
	}
	if err := cmp.Or(c.fits(d.Len()), checkNamed(d, c.Classes)); err != nil {
		return data.Failed(d.Name, fmt.Errorf("%w: %q: %w", ErrStore, c.name, err))
	}
	return c.withClasses(givenNames(d), true).applied(d)
}

// withClasses returns a copy whose classes are the given ones, followed by the other classes of c.
// If all is false, other classes without labels are left out.
func (c ConstraintSet) withClasses(classes []string, all bool) ConstraintSet {
	c = c.clone()
	labels := []map[int]int{c.Labels, c.kept, c.disputes}
	used := map[int]bool{}
	for _, of := range labels {
		for _, k := range of {
			used[k] = true
		}
	}
	var to codes
	to, c.Classes = matched(c.Classes, classes, func(k int) bool { return all || used[k] })
	for _, of := range labels {
		for i, k := range of {
			of[i] = to.of(k)
		}
	}
	return c
}

// fits returns an error if a pair, a label or an entry of the labeler's review is out of range for
// a data set with n samples.
func (c ConstraintSet) fits(n int) error {
	if err := c.review.fits(n, len(c.Classes)); err != nil {
		return err
	}
	for _, i := range c.labelled() {
		if l := c.Labels[i]; i < 0 || i >= n || l < data.Unlabelled || l > data.MaxLabel {
			return fmt.Errorf("sample %d has the label %d, but samples are numbered from 0 to %d and classes from 0 to %d, and -1 means unlabelled", i, l, n-1, data.MaxLabel)
		}
	}
	return c.Pairs.Check(n)
}

// mergedLabels returns the labels of d after the drawn labels have replaced them and the must-link
// pairs have propagated them.
func (c ConstraintSet) mergedLabels(d *data.Data) []int {
	labels := slices.Clone(d.Labels)
	if labels == nil {
		labels = slices.Repeat([]int{data.Unlabelled}, d.Len())
	}
	for i, l := range c.Labels {
		labels[i] = l
	}
	spread(labels, c.Pairs.Must)
	return labels
}

// applied does the work of Apply without its checks. An editor's own data do not need these checks.
func (c ConstraintSet) applied(d *data.Data) *data.Data {
	out := d.WithLabels(c.mergedLabels(d)).WithPairs(c.Pairs)
	if out.Err() == nil && len(c.Classes) > len(out.ClassNames) {
		named := *out
		named.ClassNames = c.Classes
		out = &named
	}
	return out
}

// spread propagates labels, in place, along must-links. If all labels in a connected component are
// equal, all of its samples get this label.
func spread(labels []int, must []data.Pair) {
	parent := map[int]int{}
	var find func(i int) int
	find = func(i int) int {
		p, ok := parent[i]
		if !ok || p == i {
			return i
		}
		r := find(p)
		parent[i] = r
		return r
	}
	for _, p := range must {
		if a, b := find(p.I), find(p.J); a != b {
			parent[a] = b
		}
	}
	const two = -2
	label := map[int]int{}
	for _, p := range must {
		for _, i := range []int{p.I, p.J} {
			r, l := find(i), labels[i]
			old, seen := label[r]
			switch {
			case l == data.Unlabelled:
			case !seen:
				label[r] = l
			case old != l:
				label[r] = two
			}
		}
	}
	for _, p := range must {
		for _, i := range []int{p.I, p.J} {
			if l, ok := label[find(i)]; ok && l != two && labels[i] == data.Unlabelled {
				labels[i] = l
			}
		}
	}
}

func (c ConstraintSet) clone() ConstraintSet {
	c.Pairs = data.Pairs{Must: slices.Clone(c.Pairs.Must), Cannot: slices.Clone(c.Pairs.Cannot)}
	c.Labels = maps.Clone(c.Labels)
	c.review = c.review.clone()
	return c
}

// String returns the numbers of constraints.
func (c ConstraintSet) String() string {
	if c.err != nil {
		return c.err.Error()
	}
	return fmt.Sprintf("%s: %d must-link, %d cannot-link pairs, %s", c.name, len(c.Pairs.Must), len(c.Pairs.Cannot), nouns.Count(len(c.Labels), "label"))
}

// Literal returns the constraints as Go declarations of two variables: pairs, for
// [data.Data.WithPairs], and labels, the class of each labelled sample.
func (c ConstraintSet) Literal() string {
	c.tell()
	var b strings.Builder
	pairs := func(name string, list []data.Pair) {
		fmt.Fprintf(&b, "\t%s: []ssdrnb.Pair{", name)
		for k, p := range list {
			if k > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "{I: %d, J: %d}", p.I, p.J)
		}
		b.WriteString("},\n")
	}
	b.WriteString("var pairs = ssdrnb.Pairs{\n")
	pairs("Must", c.Pairs.Must)
	pairs("Cannot", c.Pairs.Cannot)
	b.WriteString("}\n\nvar labels = map[int]int{")
	for k, i := range c.labelled() {
		if k > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d: %d", i, c.Labels[i])
	}
	b.WriteString("}\n")
	return b.String()
}

// CSV returns the header kind,i,j and one line per constraint. A line has the form must,i,j or
// cannot,i,j or label,i,class.
func (c ConstraintSet) CSV() string {
	c.tell()
	var b strings.Builder
	b.WriteString("kind,i,j\n")
	for _, p := range c.Pairs.Must {
		fmt.Fprintf(&b, "must,%d,%d\n", p.I, p.J)
	}
	for _, p := range c.Pairs.Cannot {
		fmt.Fprintf(&b, "cannot,%d,%d\n", p.I, p.J)
	}
	for _, i := range c.labelled() {
		fmt.Fprintf(&b, "label,%d,%d\n", i, c.Labels[i])
	}
	return b.String()
}

// NPZ returns a NumPy archive with the flat integer arrays must and cannot (i, j, i, j, …) and
// labels (sample, class, …). Reshape the arrays by (-1, 2).
func (c ConstraintSet) NPZ() ([]byte, error) {
	if c.err != nil {
		return nil, c.err
	}
	var labels []int64
	for _, i := range c.labelled() {
		labels = append(labels, int64(i), int64(c.Labels[i]))
	}
	flat := func(list []data.Pair) []int64 {
		out := []int64{}
		for _, p := range list {
			out = append(out, int64(p.I), int64(p.J))
		}
		return out
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range []struct {
		name   string
		values []int64
	}{{"must", flat(c.Pairs.Must)}, {"cannot", flat(c.Pairs.Cannot)}, {"labels", labels}} {
		w, err := z.Create(part.name + ".npy")
		if err == nil {
			err = npyio.Write(w, append([]int64{}, part.values...))
		}
		if err != nil {
			return nil, fmt.Errorf("constraints as npz: %w", err)
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

func (c ConstraintSet) labelled() []int { return slices.Sorted(maps.Keys(c.Labels)) }

// stored is the JSON format of a constraint set.
type stored struct {
	Format      int            `json:"format"`
	Data        string         `json:"data"`
	Samples     int            `json:"samples"`
	Fingerprint string         `json:"fingerprint"`
	Revision    int            `json:"revision"`
	Must        [][]int        `json:"must"`
	Cannot      [][]int        `json:"cannot"`
	Labels      map[string]int `json:"labels"`
	Classes     []string       `json:"classes"`
	// Only labelers use the fields below.
	Kept     map[string]int `json:"kept,omitempty"`
	Disputes map[string]int `json:"disputes,omitempty"`
	Curve    []point        `json:"curve,omitempty"`
}

const storeFormat = 1

// maxRevision bounds the revision of stored content. No reader makes that many changes.
const maxRevision = 1 << 50

// revised reports whether stored content can have this revision.
func revised(revision int) bool { return revision >= 0 && revision <= maxRevision }

// Fingerprint returns a hash of the features of d. The hash depends on the order of the samples.
// Fingerprint returns "" for data without dense features, because no widget shows such data.
func Fingerprint(d *data.Data) string {
	if d.X == nil {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d×%d|", d.Len(), d.Dim())
	buf := make([]byte, 8*d.Dim())
	for i := range d.Len() {
		for k, v := range d.X.RawRowView(i) {
			binary.LittleEndian.PutUint64(buf[8*k:], math.Float64bits(v))
		}
		h.Write(buf)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// ParseConstraints decodes and checks constraints that are stored under a name.
func ParseConstraints(raw []byte, name string) (c ConstraintSet, err error) {
	var s stored
	if err := json.Unmarshal(raw, &s); err != nil || s.Format != storeFormat || s.Samples < 0 || !revised(s.Revision) {
		return c, errors.New("the file is damaged or from another version")
	}
	c = ConstraintSet{name: name, data: s.Data, fingerprint: s.Fingerprint, n: s.Samples, revision: s.Revision, Classes: s.Classes}
	if c.Labels, err = bySample(s.Labels); err != nil {
		return c, err
	}
	if c.review, err = s.review(); err != nil {
		return c, err
	}
	for _, part := range []struct {
		from [][]int
		to   *[]data.Pair
	}{{s.Must, &c.Pairs.Must}, {s.Cannot, &c.Pairs.Cannot}} {
		known := map[data.Pair]bool{}
		for k, p := range part.from {
			if len(p) != 2 {
				return c, fmt.Errorf("pair %d has %s instead of two", k, nouns.Count(len(p), "sample"))
			}
			// A repeated pair, in either order, is ignored.
			one := data.Pair{I: p[0], J: p[1]}
			if at := (data.Pair{I: min(p[0], p[1]), J: max(p[0], p[1])}); !known[at] {
				known[at] = true
				*part.to = append(*part.to, one)
			}
		}
	}
	return c, c.fits(c.n)
}

// bySample decodes a map whose keys are row indices in decimal. The result is never nil.
func bySample(from map[string]int) (map[int]int, error) {
	out := map[int]int{}
	for k, l := range from {
		i, err := strconv.Atoi(k)
		if err != nil || strconv.Itoa(i) != k {
			return nil, fmt.Errorf("the label %d belongs to %.40q, which is not the row of a sample", l, k)
		}
		out[i] = l
	}
	return out, nil
}

// ofSamples is the inverse of bySample. An empty map becomes nil.
func ofSamples(from map[int]int) map[string]int {
	if len(from) == 0 {
		return nil
	}
	out := map[string]int{}
	for i, l := range from {
		out[strconv.Itoa(i)] = l
	}
	return out
}

func (c ConstraintSet) encode() ([]byte, error) {
	out := stored{Format: storeFormat, Data: c.data, Samples: c.n, Fingerprint: c.fingerprint, Revision: c.revision,
		Must: [][]int{}, Cannot: [][]int{}, Labels: map[string]int{}, Classes: c.Classes,
		Kept: ofSamples(c.kept), Disputes: ofSamples(c.disputes), Curve: c.curve}
	for _, p := range c.Pairs.Must {
		out.Must = append(out.Must, []int{p.I, p.J})
	}
	for _, p := range c.Pairs.Cannot {
		out.Cannot = append(out.Cannot, []int{p.I, p.J})
	}
	maps.Copy(out.Labels, ofSamples(c.Labels))
	raw, err := json.Marshal(out)
	return append(raw, '\n'), err
}

// Store is the place where a widget stores the drawing or the choices of a reader.
type Store interface {
	// Write replaces the stored content.
	Write(content []byte) error
	Close()
}

// errOther returns the error for constraints that were drawn on data other than the current data,
// with the given remedy. It does not wrap [ErrStore].
func (c ConstraintSet) errOther(remedy string) error {
	return advice.Errorf(remedy, "%q was drawn on other data (%s, %s)", c.name, c.data, nouns.Count(c.n, "sample"))
}

// resumed decodes constraints that were stored for d. If stored is nil, it returns empty
// constraints.
func resumed(name string, d *data.Data, stored []byte) (ConstraintSet, error) {
	fresh := ConstraintSet{name: name, data: d.Name, fingerprint: Fingerprint(d), n: d.Len(), Labels: map[int]int{}}
	if stored == nil {
		return fresh, nil
	}
	c, err := ParseConstraints(stored, name)
	switch {
	case err != nil:
		return fresh, fmt.Errorf("%w: %q: %w; choose another name", ErrStore, name, err)
	case c.fingerprint != fresh.fingerprint || c.n != fresh.n:
		return fresh, fmt.Errorf("%w: %w", ErrStore, c.errOther("choose another name, or use the same data in the same order"))
	}
	return c, nil
}

// write stores the constraints as the next revision.
func (c *ConstraintSet) write(s Store) error {
	c.revision++
	return c.rewrite(s)
}

// rewrite stores the constraints again without changing their revision.
func (c ConstraintSet) rewrite(s Store) error {
	raw, err := c.encode()
	if !revised(c.revision) {
		err = fmt.Errorf("revision %d is out of range", c.revision)
	}
	if err == nil {
		err = s.Write(raw)
	}
	if err != nil {
		return fmt.Errorf("%w: not saved: %w", ErrStore, err)
	}
	return nil
}
