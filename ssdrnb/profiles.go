package ssdrnb

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/contrast"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
)

// ProfileTable lists the differences between each cluster and all other samples. It is immutable
// and safe for concurrent use.
type ProfileTable struct {
	data     *data.Data
	found    *Grouping
	names    []string
	clusters []*ContrastTable
	features []contrast.Feature
	err      error
}

// Profiles compares each cluster with all other samples, including noise, in the same way as
// [Contrast], but in one pass over the features.
//
// Clusters that were found from the features differ in these features by construction. A profile
// then describes the clusters, but is no evidence of a difference, see [ContrastTable.In].
//
// [ProfileTable.Err] returns an error if d is nil or invalid or has nothing to compare. It also
// returns an error if `found` is nil, has no clusters or has a different number of samples from d,
// or if one cluster contains all samples.
func Profiles(d *data.Data, found *Grouping) *ProfileTable {
	t := &ProfileTable{data: d, found: found}
	if t.err = checkGroups("Profiles", d, found); t.err != nil {
		return t
	}
	fault := func(param string, err error, remedy string) *ProfileTable {
		t.err = &Error{Method: "Profiles", Param: param, Err: err, Remedy: remedy}
		return t
	}
	switch {
	case found.Count() == 0:
		return fault("found", fmt.Errorf("%w: the grouping has no clusters", ErrOption), "call Communities().Find, which finds groups in any data")
	case found.Count() == 1 && !slices.Contains(found.cluster, -1):
		return fault("found", fmt.Errorf("%w: one cluster contains all samples, so there are no others to compare", ErrOption), "give clusters that leave samples to compare with")
	}
	t.features = contrastFeatures(found.withoutAttribute(d))
	if t.err = nothingToCompare("Profiles", t.features); t.err != nil {
		return t
	}
	groups := contrast.GroupsOf(found.cluster, found.Count())
	results := contrast.Compare(t.features, groups)
	t.names = contrast.Names(withoutPixels(d, t.features, t.features), withoutPixels(d, t.features, results), groups)
	for c := range found.Count() {
		table := &ContrastTable{data: found.withoutAttribute(d), usualLargest: math.NaN()}
		for i, own := range found.cluster {
			if own == c {
				table.in = append(table.in, i)
			} else {
				table.out = append(table.out, i)
			}
		}
		table.tabulate(t.features, results, c)
		t.clusters = append(t.clusters, table)
	}
	return t
}

// checkGroups returns an error if d is nil or invalid, or if `found` is nil or has a different
// number of samples from d. `method` is the name of the caller in errors.
func checkGroups(method string, d *data.Data, found *Grouping) error {
	fault := func(param string, err error, remedy string) error {
		return &Error{Method: method, Param: param, Err: err, Remedy: remedy}
	}
	switch {
	case d == nil:
		return fault("data", fmt.Errorf("%w: the data are nil", ErrData), "pass data from NewData or package datasets")
	case found == nil:
		return fault("found", fmt.Errorf("%w: the grouping is nil", ErrOption), "find clusters with Clusters().Find")
	}
	if err := cmp.Or(d.Err(), d.Validate()); err != nil {
		return fault("data", classify(err), remedyOf(err))
	}
	if len(found.cluster) != d.Len() {
		return fault("found", fmt.Errorf("%w: the grouping has %s, but the data have %d", ErrOption, nouns.Count(len(found.cluster), "sample"), d.Len()), "find the clusters of these data with Clusters().Find")
	}
	return nil
}

// In returns a copy of the table in which each cluster is also compared with random regions of the
// embedding of m, see [ContrastTable.In].
func (t *ProfileTable) In(m *Model) *ProfileTable {
	if t.err != nil {
		return t
	}
	c := *t
	var p *area
	if p, c.err = areaOf("Profiles", t.data, m); c.err != nil {
		return &c
	}
	var sizes []int
	for _, table := range t.clusters {
		sizes = append(sizes, len(table.in))
	}
	regions := p.regions(sizes...)
	chance := contrast.Regional(t.features, regions)
	c.clusters = nil
	for _, table := range t.clusters {
		c.clusters = append(c.clusters, table.judgedBy(chance, regions.Size(len(table.in)), len(p.centres)))
	}
	return &c
}

// Err returns the first error of the calls that made the table, or nil.
func (t *ProfileTable) Err() error { return t.err }

// Count returns the number of clusters.
func (t *ProfileTable) Count() int { return len(t.clusters) }

// Of returns the table of cluster c, with c from 0 to Count()−1.
func (t *ProfileTable) Of(c int) *ContrastTable { return t.clusters[c] }

// Names returns the names of the clusters, see [Names].
func (t *ProfileTable) Names() []string { return slices.Clone(t.names) }

// profileColumns is the maximum number of features and attributes in the table that
// [ProfileTable.String] returns.
const profileColumns = 6

// String returns a table of the clusters, or the error. The table lists the sizes, the names, and
// up to six features and attributes in which the clusters differ most. A cell has the median or,
// for text, the most frequent value with its share.
func (t *ProfileTable) String() string {
	if t.err != nil {
		return t.err.Error() + "\n"
	}
	// Columns are ordered by their largest score in any cluster.
	score := make([]float64, len(t.features))
	for _, table := range t.clusters {
		for _, r := range table.rows {
			if !r.Missing {
				score[r.column] = max(score[r.column], contrast.Score(r.Delta, r.SE))
			}
		}
	}
	columns := order.Where(score, func(s float64) bool { return s > 0 })
	slices.SortStableFunc(columns, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	columns = columns[:min(profileColumns, len(columns))]
	rows := [][]string{{"cluster", "samples"}}
	for _, k := range columns {
		rows[0] = append(rows[0], t.features[k].Title)
	}
	for c, table := range t.clusters {
		label := strconv.Itoa(c)
		if name := t.names[c]; name != "cluster "+label {
			label += " " + name
		}
		row := []string{label, strconv.Itoa(len(table.in))}
		for _, k := range columns {
			row = append(row, table.typical(k))
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	if noise := len(t.found.Rows(-1)); noise > 0 {
		fmt.Fprintf(&b, "%s in no cluster\n", nouns.Count(noise, "sample"))
	}
	return b.String() + aligned(rows) + attributesAlone(t.data)
}

// typical formats the median of a column in the group or, for a text column, the most frequent
// value with its share. It returns "–" if there is none.
func (t *ContrastTable) typical(column int) string {
	best := -1
	for k, r := range t.rows {
		if r.column == column && !r.Missing && (best < 0 || r.MedianIn > t.rows[best].MedianIn) {
			best = k
		}
	}
	switch {
	case best < 0 || math.IsNaN(t.rows[best].MedianIn):
		return "–"
	case t.rows[best].Value != "":
		return fmt.Sprintf("%s %.0f %%", t.rows[best].Value, 100*t.rows[best].MedianIn)
	}
	return quantity(t.rows[best].MedianIn, t.rows[best].Date)
}
