package ssdrnb

import (
	"context"
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/community"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/density"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/guide"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// communityNeighbors is the default of [CommunitySearch.Neighbors]. communityCarry determines how
// far pairs propagate along the graph, see [guide.Options].
const (
	communityNeighbors = 14
	communityCarry     = 0.8
)

// CommunitySearch holds the settings of [Communities]. It is a value: each method returns a changed
// copy.
type CommunitySearch struct {
	neighbors, components int
	resolution, guidance  float64
}

// Communities divides all samples into groups whose members are neighbours more often than expected
// by chance. It searches the data, not an embedding. Labels and pairs, if any, change the edge
// weights and join groups. No sample is noise, and the search always returns groups, even for a
// single Gaussian cloud. Use [Clusters] to find out whether the data have groups.
//
// Source: Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected
// communities", Scientific Reports 2019. Unlike the paper, the search makes no random choices.
//
// Method: the graph links each sample to its 14 nearest ones with UMAP's weights, which labels and
// pairs change as in [S2NE]. The groups are communities of greatest modularity in this graph. First,
// communities whose labelled samples have the same majority class are joined. Then communities that
// are connected by more must-links than cannot-links are joined. The same data give the same groups
// on any number of processors.
//
// Use it if some labels or pairs are known, or if dense groups are not separated. With labels for
// every class, [Opinions] gives better classes.
//
// Fails: groups have similar sizes, so small groups merge into large ones, and elongated groups are
// split. Raise or lower the resolution. Features with a large spread dominate: standardise first.
func Communities() CommunitySearch {
	return CommunitySearch{components: groupComponents, resolution: 1, guidance: 1}
}

// Neighbors sets the number of neighbours in the graph. The default is 14, or all other samples if
// there are fewer.
func (s CommunitySearch) Neighbors(k int) CommunitySearch { s.neighbors = orNone(k); return s }

// Resolution sets the resolution of the modularity, above 0. The default is 1; a higher value gives
// more groups.
func (s CommunitySearch) Resolution(r float64) CommunitySearch { s.resolution = r; return s }

// Guidance sets how strongly labels and pairs change the edge weights, in [0, 1]. The default is 1.
// At 0, labels and pairs still join groups.
func (s CommunitySearch) Guidance(g float64) CommunitySearch { s.guidance = g; return s }

// PCA sets the number of principal components to which data with more features are reduced. The
// default is 50; 0 keeps all features.
func (s CommunitySearch) PCA(components int) CommunitySearch { s.components = components; return s }

// Find divides the samples of d. Errors wrap [ErrOption] or [ErrData].
func (s CommunitySearch) Find(d *data.Data) (*Grouping, error) {
	return s.FindContext(context.Background(), d)
}

// MustFind is Find for notebooks: an error or the interrupt button ends the cell.
func (s CommunitySearch) MustFind(d *data.Data) *Grouping { return mustFind(s.FindContext, d) }

// FindContext is Find with a context. When ctx ends, the error wraps [ErrCancelled].
func (s CommunitySearch) FindContext(ctx context.Context, d *data.Data) (*Grouping, error) {
	ctx = par.Context(ctx)
	j, err := groupJob(ctx, "Communities", d, s.components)
	if err != nil {
		return nil, err
	}
	k, most := s.neighbors, j.availableNeighbors()
	if k == 0 {
		k = min(communityNeighbors, most)
	}
	switch {
	case k < 1 || k > most:
		return nil, j.fault("Neighbors", given(k), fmt.Errorf("%w: each sample has at most %s", ErrOption, nouns.Count(most, "neighbour")), "give Neighbors "+nouns.Range(1, most))
	case !(s.resolution > 0) || math.IsInf(s.resolution, 1):
		return nil, j.fault("Resolution", s.resolution, fmt.Errorf("%w: the resolution is not a finite number above 0", ErrOption), "give Resolution a number above 0, such as 1")
	case !(s.guidance >= 0 && s.guidance <= 1):
		return nil, j.fault("Guidance", s.guidance, fmt.Errorf("%w: the weight of labels and pairs is outside [0, 1]", ErrOption), "give Guidance from 0 to 1")
	}
	if err := j.begin("graph"); err != nil {
		return nil, j.explain(err)
	}
	nb, err := shared(j.work, neighborsStep{points: j.x(), k: k})
	if err != nil {
		return nil, j.explain(err)
	}
	w, err := shared(j.work, fuzzyWeights{nb, embed.PlainFuzzy})
	if err != nil {
		return nil, j.explain(err)
	}
	know := guide.Knowledge{Pairs: d.Pairs}
	if d.NumLabelled() > 0 {
		know.Labels, know.Classes = classesFromZero(d)
	}
	along, err := carriers(j, nb)
	if err != nil {
		return nil, j.explain(err)
	}
	guided, err := guide.Weights(ctx, []*sparse.CSR{w}, [][]float64{nil}, along, know, guide.Options{Guidance: s.guidance, Carry: communityCarry})
	if err != nil {
		return nil, j.explain(err)
	}
	if err := j.begin("communities"); err != nil {
		return nil, j.explain(err)
	}
	found, err := community.Leiden(ctx, guided.Graphs[0], s.resolution)
	if err != nil {
		return nil, j.explain(err)
	}
	known := groupKnowledge(d)
	g := newGrouping(j, d, known, found.Of)
	g.weight, g.satisfied = found.Share, density.Satisfied(found.Of, known)
	j.stop()
	j.fact("communities", float64(found.Count))
	j.fact("modularity", found.Modularity)
	if d.NumLabelled() == 0 && d.Pairs.Len() == 0 {
		j.warn("communities are found in any data, even in a single Gaussian cloud; use Clusters().Find to test whether the data have groups")
	}
	return g, nil
}
