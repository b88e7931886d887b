package ssdrnb

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/density"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Common parts of [Clusters] and [Communities]: the preparation of the samples, the labels and
// pairs that join groups, and the result.

// groupComponents is the default number of principal components used to search for groups.
const groupComponents = 50

// groupJob prepares the job that searches for groups in d. If d has more than `components` features
// and more than `components` samples, the features are replaced by that number of principal
// components. If `components` is 0, all features are kept.
func groupJob(ctx context.Context, name string, d *data.Data, components int) (*job, error) {
	if components < 0 {
		return nil, &Error{Method: name, Param: "PCA", Value: components, Err: fmt.Errorf("%w: the number of components is negative", ErrOption), Remedy: "give PCA the number of components, or 0 for all features"}
	}
	reduced := components > 0 && d.NumFeatures() > components && d.Len() > components
	in := d
	if reduced && d.Rows != nil {
		in = d.PCA(float64(components))
	}
	j, err := knowledgeJob(ctx, name, in)
	if err != nil {
		return nil, err
	}
	if reduced {
		if in.Dim() > components {
			in = d.PCA(float64(components))
		}
		if j, err = knowledgeJob(ctx, name, in); err != nil {
			return nil, err
		}
		j.fact("principal components", float64(components))
	}
	if d.X != nil && d.Dim() <= 3 && len(d.FeatureNames) == 0 {
		j.warn("the data have %s: if these are positions in an embedding, the groups may exist only in the embedding; search the original data", nouns.Count(d.Dim(), "feature"))
	}
	if classes := d.Classes(); len(classes) > 1 && allNamedLabelled(d, classes) {
		j.warn("each of the %d classes has labelled samples: Opinions predicts classes better than groups do", len(classes))
	}
	return j, nil
}

// allNamedLabelled reports whether the data have class names and each named class has a labelled
// sample.
func allNamedLabelled(d *data.Data, classes []int) bool {
	named := 0
	for c, name := range d.ClassNames {
		if name == "" {
			continue
		}
		named++
		if !slices.Contains(classes, c) {
			return false
		}
	}
	return named > 0
}

// groupKnowledge returns the labels of d, with the classes numbered from 0, and its pairs.
func groupKnowledge(d *data.Data) density.Knowledge {
	var known density.Knowledge
	if d.Labels != nil {
		known.Labels, _ = classesFromZero(d)
	}
	pairs := d.Pairs.Distinct()
	for _, p := range pairs.Must {
		known.Pairs = append(known.Pairs, density.Pair{I: p.I, J: p.J, Must: true})
	}
	for _, p := range pairs.Cannot {
		known.Pairs = append(known.Pairs, density.Pair{I: p.I, J: p.J})
	}
	return known
}

func mustFind(find func(context.Context, *data.Data) (*Grouping, error), d *data.Data) *Grouping {
	return mustRun(func(ctx context.Context) (*Grouping, error) { return find(ctx, d) })
}

// Grouping is a division of samples into clusters. It is immutable and safe for concurrent
// use.
type Grouping struct {
	data      *data.Data
	cluster   []int     // cluster of each sample, −1 for noise
	parts     [][]int   // for each cluster, the indices of the groups (parts) that were joined into it
	weight    []float64 // stability or modularity of each part
	satisfied float64
	share     float64
	tree      *ClusterTree // nil for communities
	report    *Report
}

// newGrouping joins parts, the groups found by a search, into clusters according to the labels and
// pairs of d. The argument "of" holds the part of each sample.
func newGrouping(j *job, d *data.Data, known density.Knowledge, of []int) *Grouping {
	g := &Grouping{data: d, report: j.report}
	g.cluster, g.parts = density.Join(of, known)
	for _, c := range g.cluster {
		if c >= 0 {
			g.share++
		}
	}
	g.share /= float64(len(of))
	return g
}

// renumbered renumbers clusters in the order of their first samples. A cluster can get another
// first sample when noise samples are added. The arguments are the cluster of each sample and the
// parts of each cluster.
func renumbered(of []int, parts [][]int) ([]int, [][]int) {
	of, was := density.Numbered(of)
	out := make([][]int, len(was))
	for c, w := range was {
		out[c] = parts[w]
	}
	return of, out
}

// Data returns the samples that were clustered.
func (g *Grouping) Data() *data.Data { return g.data }

// Of returns the cluster of each sample, −1 for noise. Clusters are numbered from 0 in the order
// of their first samples.
func (g *Grouping) Of() []int { return slices.Clone(g.cluster) }

// Rows returns the samples of cluster c in ascending order. If c is −1, it returns the noise
// samples.
func (g *Grouping) Rows(c int) []int {
	return order.Where(g.cluster, func(own int) bool { return own == c })
}

// Count returns the number of clusters. It is 0 if the search found no division, that is, if the
// samples form a single group, or no groups at all.
func (g *Grouping) Count() int { return len(g.parts) }

// Share returns the share of the samples that were in a cluster before [ClusterSearch.Everyone]
// assigned noise samples to clusters.
func (g *Grouping) Share() float64 { return g.share }

// Stability returns the stability of cluster c, summed over its parts. For [Clusters], each sample
// of a part contributes the length of the density interval in which it belongs to the part, in
// units of 1/distance. For [Communities], the stability of a part is its contribution to the
// modularity.
func (g *Grouping) Stability(c int) (sum float64) {
	for _, p := range g.parts[c] {
		sum += g.weight[p]
	}
	return sum
}

// Parts returns the number of groups that labels and pairs joined into cluster c.
func (g *Grouping) Parts(c int) int { return len(g.parts[c]) }

// Satisfied returns the share, in [0, 1], of the labels and pairs that are satisfied by the groups
// as the search found them, before these are joined into clusters. It is 0 without labels and
// pairs.
func (g *Grouping) Satisfied() float64 { return g.satisfied }

// Unsatisfied returns the labels and pairs that the clusters violate. rows holds the labelled
// samples that are noise, or whose class is not the majority class of their cluster (in a tie, the
// class with the lowest number). A must-link is violated if either sample is noise.
func (g *Grouping) Unsatisfied() (rows []int, pairs data.Pairs) {
	votes := make([]map[int]int, g.Count())
	for c := range votes {
		votes[c] = map[int]int{}
	}
	for i, l := range g.data.Labels {
		if c := g.cluster[i]; c >= 0 && l >= 0 {
			votes[c][l]++
		}
	}
	majority := make([]int, g.Count())
	for c, v := range votes {
		for k, l := range slices.Sorted(maps.Keys(v)) {
			if k == 0 || v[l] > v[majority[c]] {
				majority[c] = l
			}
		}
	}
	for i, l := range g.data.Labels {
		if c := g.cluster[i]; l >= 0 && (c < 0 || majority[c] != l) {
			rows = append(rows, i)
		}
	}
	given := g.data.Pairs.Distinct()
	for _, p := range given.Must {
		if a, b := g.cluster[p.I], g.cluster[p.J]; a != b || a < 0 {
			pairs.Must = append(pairs.Must, p)
		}
	}
	for _, p := range given.Cannot {
		if a, b := g.cluster[p.I], g.cluster[p.J]; a == b && a >= 0 {
			pairs.Cannot = append(pairs.Cannot, p)
		}
	}
	return rows, pairs
}

// AddTo returns a copy of d with the attribute "cluster", so that figures can colour samples by it.
// The value is, for example, "cluster 3", or "" for noise. AddTo sets no labels, so that no method
// learns from clusters by accident. If d and the grouping have different numbers of samples, the
// [data.Data.Err] method of the copy returns an error.
func (g *Grouping) AddTo(d *data.Data) *data.Data {
	c := d.WithAttribute(clusterAttribute, g.texts())
	if c.Err() != nil {
		return c
	}
	k := slices.IndexFunc(c.Attributes, func(a data.Attribute) bool { return a.Name == clusterAttribute })
	c.Attributes[k].Missing = "noise"
	return c
}

const clusterAttribute = "cluster"

// texts returns the attribute that AddTo adds: one text per sample, "" for noise.
func (g *Grouping) texts() []string {
	texts := make([]string, len(g.cluster))
	for i, c := range g.cluster {
		if c >= 0 {
			texts[i] = fmt.Sprintf("cluster %d", c)
		}
	}
	return texts
}

// withoutAttribute returns d without the attribute set by AddTo. In a comparison of the clusters,
// this attribute would trivially be the one that differs most.
func (g *Grouping) withoutAttribute(d *data.Data) *data.Data {
	k := slices.IndexFunc(d.Attributes, func(a data.Attribute) bool {
		return a.Name == clusterAttribute && slices.Equal(a.Values, g.texts())
	})
	if k < 0 {
		return d
	}
	c := *d
	c.Attributes = slices.Delete(slices.Clone(d.Attributes), k, k+1)
	return &c
}

// Tree returns the condensed tree from which the clusters were selected, nil for [Communities].
func (g *Grouping) Tree() *ClusterTree { return g.tree }

// Report returns the report of the search. Treat it as read-only.
func (g *Grouping) Report() *Report { return g.report }

// String returns the number of clusters or communities, the share of the samples in them, and the
// warnings.
func (g *Grouping) String() string {
	text := "one group or none\n"
	if len(g.parts) > 0 {
		one, many := g.kind()
		text = fmt.Sprintf("%s with %.0f %% of the samples\n", nouns.Number(len(g.parts), one, many), 100*g.share)
	}
	for _, w := range g.report.Warnings {
		text += "warning: " + w + "\n"
	}
	return text
}

// kind returns the singular and the plural of the word for a group in text.
func (g *Grouping) kind() (one, many string) {
	if g.tree == nil {
		return "community", "communities"
	}
	return "cluster", "clusters"
}

// Matched is the result of comparing clusters with given classes.
type Matched struct {
	// AdjustedRand is the adjusted Rand index: 1 for identical partitions, about 0 for random ones.
	// Noise counts as one cluster.
	AdjustedRand float64
	// Right is the share of samples, among those with a class, whose cluster is matched with their
	// class.
	Right float64
	// Classes are the classes, ascending. Count is the table of sample counts, with one row per
	// cluster, a last row for noise, and one column per class.
	Classes []int
	Count   [][]int
	// Class holds the class matched with each cluster, −1 for none. Each class is matched with at
	// most one cluster; the matching maximises Right.
	Class []int

	names []string
	one   string // "cluster" or "community"
}

// Matching compares the clusters with the given class of each sample. Samples with a class below 0
// are left out. The error wraps [ErrData] if len(classes) differs from the number of samples, or if
// no sample has a class.
func (g *Grouping) Matching(classes []int) (*Matched, error) {
	fault := func(err error, remedy string) error {
		return &Error{Method: "Grouping", Param: "Matching", Err: err, Remedy: remedy}
	}
	if len(classes) != len(g.cluster) {
		return nil, fault(fmt.Errorf("%w: there are classes for %s, but %d were clustered", ErrData, nouns.Count(len(classes), "sample"), len(g.cluster)), "give a class for each sample, for example Data.Truth")
	}
	m := &Matched{}
	m.one, _ = g.kind()
	for _, c := range classes {
		if c >= 0 {
			m.Classes = append(m.Classes, c)
		}
	}
	if len(m.Classes) == 0 {
		return nil, fault(fmt.Errorf("%w: no sample has a class", ErrData), "give classes numbered from 0, for example Data.Truth")
	}
	known := len(m.Classes)
	slices.Sort(m.Classes)
	m.Classes = slices.Compact(m.Classes)
	count := g.Count()
	m.Count = make([][]int, count+1)
	for c := range m.Count {
		m.Count[c] = make([]int, len(m.Classes))
	}
	var truth, found []int
	for i, l := range classes {
		if l < 0 {
			continue
		}
		c := g.cluster[i]
		if c < 0 {
			c = count
		}
		k, _ := slices.BinarySearch(m.Classes, l)
		m.Count[c][k]++
		truth, found = append(truth, l), append(found, c)
	}
	var err error
	if m.AdjustedRand, err = metrics.AdjustedRandIndex(truth, found); err != nil {
		return nil, fault(fmt.Errorf("%w: %w", ErrData, err), "give a class for each sample, for example Data.Truth")
	}
	if m.Class, err = matched(m.Count[:count], len(m.Classes)); err != nil {
		return nil, fault(err, remedyOf(err))
	}
	for c, k := range m.Class {
		if k >= 0 {
			m.Right += float64(m.Count[c][k]) / float64(known)
			m.Class[c] = m.Classes[k]
		}
	}
	for _, l := range m.Classes {
		m.names = append(m.names, g.data.ClassName(l))
	}
	return m, nil
}

// String returns a table with a row for each cluster.
func (m *Matched) String() string {
	var rows [][]string
	head := append([]string{m.one}, m.names...)
	rows = append(rows, append(head, "matched"))
	for c, counts := range m.Count {
		row := []string{strconv.Itoa(c)}
		if c == len(m.Class) {
			row[0] = "noise"
		}
		for _, v := range counts {
			row = append(row, strconv.Itoa(v))
		}
		match := ""
		if c < len(m.Class) && m.Class[c] >= 0 {
			k, _ := slices.BinarySearch(m.Classes, m.Class[c])
			match = m.names[k]
		}
		rows = append(rows, append(row, match))
	}
	return fmt.Sprintf("adjusted Rand index %.2f, %.0f %% of the samples are in the %s matched with their class\n", m.AdjustedRand, 100*m.Right, m.one) + aligned(rows)
}

// ClusterTree is the condensed tree of [Clusters]. It describes how the samples split into groups
// as the density threshold rises. Treat it as read-only.
type ClusterTree struct {
	// Nodes begins with the root, which contains all samples; children follow their parents.
	Nodes []TreeNode
	// Of maps each sample to the smallest node that contains it. Leaves holds the density at which
	// the sample leaves this node.
	Of     []int
	Leaves []float64
}

// TreeNode is a group of samples that stays connected over a range of densities. A density is
// 1/distance, with the distance in the units of the data.
type TreeNode struct {
	// Parent is the index of the parent node, −1 for the root. Size is the number of samples, and
	// First is the lowest index of a sample.
	Parent, Size, First int
	// Birth is the density at which the group forms. Death is the density at which it splits or its
	// last sample leaves.
	Birth, Death float64
	// Stability is the sum, over the samples, of the difference between the density at which the
	// sample leaves and Birth.
	Stability float64
	// Cluster is the cluster that contains the node, −1 if the node was not selected.
	Cluster int
}

// newClusterTree returns the exported form of t. `chosen` holds the node of each part, and `parts`
// holds the parts of each cluster.
func newClusterTree(t *density.Tree, chosen []int, parts [][]int) *ClusterTree {
	out := &ClusterTree{Of: t.Of, Leaves: t.Leaves}
	for c, p := range t.Parent {
		out.Nodes = append(out.Nodes, TreeNode{Parent: p, Size: t.Size[c], First: t.First[c], Birth: t.Birth[c], Death: t.Birth[c], Stability: t.Stability[c], Cluster: -1})
		if p >= 0 {
			out.Nodes[p].Death = max(out.Nodes[p].Death, t.Birth[c])
		}
	}
	for c, of := range parts {
		for _, p := range of {
			out.Nodes[chosen[p]].Cluster = c
		}
	}
	for i, c := range t.Of {
		out.Nodes[c].Death = max(out.Nodes[c].Death, t.Leaves[i])
	}
	return out
}

// matched returns, for each row of counts, its column in the one-to-one assignment with the largest
// sum of counts. It is −1 if the row is unassigned or its count in that column is 0.
func matched(counts [][]int, columns int) ([]int, error) {
	out := slices.Repeat([]int{-1}, len(counts))
	if len(counts) == 0 {
		return out, nil
	}
	size := max(len(counts), columns)
	cost := mat.NewDense(size, size, nil)
	for r, row := range counts {
		for c, v := range row {
			cost.Set(r, c, -float64(v))
		}
	}
	assigned, _, err := metrics.Assign(cost)
	if err != nil {
		return nil, err
	}
	for r := range out {
		if c := assigned[r]; c < columns && counts[r][c] > 0 {
			out[r] = c
		}
	}
	return out, nil
}

// aligned formats a table of texts with the first column left-aligned and the others right-aligned.
func aligned(rows [][]string) string {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for k, text := range row {
			width[k] = max(width[k], utf8.RuneCountInString(text))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for k, text := range row {
			pad := strings.Repeat(" ", width[k]-utf8.RuneCountInString(text))
			if k == 0 {
				line += text + pad
			} else {
				line += "  " + pad + text
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
