package ssdrnb

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/density"
)

// Settings of [Clusters] where none is given.
const (
	clusterNeighbors = 30
	clusterCore      = 5
	clusterSmallest  = 10
	clusterTrust     = 0.5
	clusterFeatures  = 50
)

// ClusterSearch has the settings of [Clusters]. It is a value: each call returns a changed
// copy.
type ClusterSearch struct {
	neighbors, core, smallest int // 0 for the usual
	trust                     float64
	everyone                  bool
}

// Clusters looks for groups of samples that are denser than what lies between them, in the
// data and not in a picture, that follow a few labels and pairs. It can say that there are
// none: samples in no group are noise, −1.
//
// Source: Campello, Moulavi, Zimek, Sander, "Hierarchical density estimates for data
// clustering, visualization, and outlier detection", ACM TKDD 2015; here on the graph of the
// nearest neighbours, merges of equal weight as one event, and clusters of one class joined.
//
// Fails: classes that are not islands, as faces and many letters, are not found. With labels
// for every class [Opinions] gives better classes.
func Clusters() ClusterSearch { return ClusterSearch{trust: clusterTrust} }

// Neighbors sets the nearest samples in the graph, by default 30, or all others if there are
// fewer. With 15 the tree can differ much from that of all distances.
func (s ClusterSearch) Neighbors(k int) ClusterSearch { s.neighbors = orNone(k); return s }

// Core sets the nearest sample whose distance measures density, by default the fifth.
func (s ClusterSearch) Core(m int) ClusterSearch { s.core = orNone(m); return s }

// Smallest sets the size of the smallest cluster, by default 10, or a tenth of fewer than 100
// samples but at least 3.
func (s ClusterSearch) Smallest(n int) ClusterSearch { s.smallest = orNone(n); return s }

// orNone keeps a 0 that was given apart from a setting that was not.
func orNone(v int) int {
	if v == 0 {
		return -1
	}
	return v
}

// Trust sets the weight of labels and pairs beside stability, in [0, 1], by default ½.
func (s ClusterSearch) Trust(weight float64) ClusterSearch { s.trust = weight; return s }

// Everyone adds noise to the cluster that it is nearest to in density.
func (s ClusterSearch) Everyone(all bool) ClusterSearch { s.everyone = all; return s }

// Grouping is a division of samples into clusters. It is immutable and safe for concurrent
// use.
type Grouping struct {
	of        []int
	parts     [][]int
	stability []float64
	satisfied float64
	share     float64
	report    *Report
}

// clustersName is the name under which the search for clusters reports.
const clustersName = "Clusters"

// Find looks for clusters in d. Data of more than 50 features are searched in the span of
// their first 50 principal components. Errors wrap [ErrOption] and [ErrData].
func (s ClusterSearch) Find(d *data.Data) (*Grouping, error) {
	return s.FindContext(context.Background(), d)
}

// FindContext is Find that ends with ctx.
func (s ClusterSearch) FindContext(ctx context.Context, d *data.Data) (*Grouping, error) {
	reduced := d.NumFeatures() > clusterFeatures && d.Len() > clusterFeatures
	if reduced && d.Rows != nil {
		d = d.PCA(clusterFeatures)
	}
	j, err := knowledgeJob(ctx, clustersName, d)
	if err != nil {
		return nil, err
	}
	if reduced {
		if d.Dim() > clusterFeatures {
			d = d.PCA(clusterFeatures)
		}
		if j, err = knowledgeJob(ctx, clustersName, d); err != nil {
			return nil, err
		}
		j.fact("principal components", clusterFeatures)
	}
	n := d.Len()
	k, core, smallest := s.neighbors, s.core, s.smallest
	if k == 0 {
		k = min(max(clusterNeighbors, core), n-1)
	}
	if core == 0 {
		core = min(clusterCore, k)
	}
	if smallest == 0 {
		smallest = clusterSmallest
		if n < 100 {
			smallest = min(max(3, n/10), n)
		}
	}
	switch {
	case k < 1 || k > n-1:
		return nil, j.fault("Neighbors", max(k, 0), fmt.Errorf("%w: there are %s", ErrOption, plural(n, "sample")), fmt.Sprintf("give Neighbors from 1 to %d", n-1))
	case core < 1:
		return nil, j.fault("Core", max(core, 0), fmt.Errorf("%w: density needs a neighbour", ErrOption), "give Core from 1 on")
	case core > k:
		return nil, j.fault("Core", core, fmt.Errorf("%w: the graph has %s of each sample", ErrOption, plural(k, "neighbour")), fmt.Sprintf("give Core up to %d, or raise Neighbors", k))
	case smallest < 2 || smallest > n:
		return nil, j.fault("Smallest", max(smallest, 0), fmt.Errorf("%w: a cluster has from 2 to %d samples", ErrOption, n), fmt.Sprintf("give Smallest from 2 to %d", n))
	case !(s.trust >= 0 && s.trust <= 1):
		return nil, j.fault("Trust", s.trust, fmt.Errorf("%w: a weight lies between 0 and 1", ErrOption), "give Trust from 0 to 1")
	}
	if err := j.begin("neighbours"); err != nil {
		return nil, j.explain(err)
	}
	x := j.x()
	nb, err := shared(j.work, neighborsStep{points: x, k: k})
	if err != nil {
		return nil, j.explain(err)
	}
	if err := j.begin("tree"); err != nil {
		return nil, j.explain(err)
	}
	distances := density.Core(nb.Dist, k, core)
	edges := density.Forest(nb.Index, nb.Dist, distances, k)
	bridges, err := density.Bridges(ctx, edges, distances, func(a, b int) float64 {
		if x == nil {
			return d.Distances.At(a, b)
		}
		return floats.Distance(x.RawRowView(a), x.RawRowView(b), 2)
	})
	if err != nil {
		return nil, j.explain(err)
	}
	edges = append(edges, bridges...)
	tree := density.Condense(edges, n, smallest, density.Floor(distances))
	known := density.Knowledge{Labels: d.Labels}
	if d.Labels != nil {
		known.Labels, _ = classesFromZero(d)
	}
	for _, p := range d.Pairs.Must {
		known.Pairs = append(known.Pairs, density.Pair{I: p.I, J: p.J, Must: true})
	}
	for _, p := range d.Pairs.Cannot {
		known.Pairs = append(known.Pairs, density.Pair{I: p.I, J: p.J})
	}
	choice := tree.Choose(known, 1-s.trust)
	g := &Grouping{satisfied: choice.Satisfied}
	for _, c := range choice.Nodes {
		g.stability = append(g.stability, tree.Stability[c])
	}
	g.of, g.parts = density.Join(choice.Of, known)
	for _, c := range g.of {
		if c >= 0 {
			g.share++
		}
	}
	g.share /= float64(n)
	if s.everyone && len(g.parts) > 0 {
		slices.SortFunc(edges, density.Edge.Compare)
		g.of, g.parts = renumbered(density.Attach(edges, g.of), g.parts)
	}
	j.stop()
	j.fact("share clustered", g.share)
	if len(g.parts) == 0 {
		j.warn("there is one group or none")
	}
	g.report = j.report
	return g, nil
}

// renumbered numbers clusters by their first samples, which noise that was added can change.
func renumbered(of []int, parts [][]int) ([]int, [][]int) {
	of, was := density.Numbered(of)
	out := make([][]int, len(was))
	for c, w := range was {
		out[c] = parts[w]
	}
	return of, out
}

// Of returns the cluster of each sample from 0, numbered by first sample, −1 for noise.
func (g *Grouping) Of() []int { return slices.Clone(g.of) }

// Count returns the number of clusters. 0 means that there is one group or none.
func (g *Grouping) Count() int { return len(g.parts) }

// Share returns the share of the samples that were in a cluster before [ClusterSearch.Everyone].
func (g *Grouping) Share() float64 { return g.share }

// Stability returns the sum over the samples of a cluster of the densities it lasts for, of
// all its parts together.
func (g *Grouping) Stability(c int) (sum float64) {
	for _, p := range g.parts[c] {
		sum += g.stability[p]
	}
	return sum
}

// Parts returns the number of dense groups that labels and pairs joined to a cluster.
func (g *Grouping) Parts(c int) int { return len(g.parts[c]) }

// Satisfied returns the share in [0, 1] of what labels and pairs say that the dense groups
// follow, before they are joined; 0 where nothing is known.
func (g *Grouping) Satisfied() float64 { return g.satisfied }

// Report tells how the clusters were found. Treat it as read-only.
func (g *Grouping) Report() *Report { return g.report }

// String writes how many clusters there are.
func (g *Grouping) String() string {
	if len(g.parts) == 0 {
		return "one group or none\n"
	}
	return fmt.Sprintf("%s, %.0f %% of the samples in one\n", plural(len(g.parts), "cluster"), 100*g.share)
}
