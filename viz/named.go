package viz

import (
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Named returns a copy with a name of each cluster at its densest place, see [ssdrnb.Names]: the
// features in which it differs most from all other samples. If names overlap, that of the larger
// cluster is drawn, and more after zooming in. The clusters must be of the samples of the figure.
// It replaces [Figure.Labels], and requires two dimensions.
//
// [ssdrnb.Grouping.AddTo] colours samples by cluster:
//
//	model, err := ssdrnb.UMAP().Fit(found.AddTo(wine))
//	viz.Embedding(model).Color("cluster").Named(found).Show()
func (f Figure) Named(found *ssdrnb.Grouping) Figure {
	if f.err == nil && found == nil {
		return failed(f.kind, fmt.Errorf("viz: Named: the clusters are nil; give those of ssdrnb.Clusters().Find"))
	}
	return f.restyled("Named", func(s *style) { s.named = found })
}

// clustersOf returns the samples of each cluster with its name.
func clustersOf(found *ssdrnb.Grouping, names []string) []part {
	parts := make([]part, len(names))
	for c, name := range names {
		parts[c] = part{name, found.Rows(c)}
	}
	return parts
}

// visible returns the samples of parts that the panel draws.
func (p *panel) visible(parts []part) []part {
	out := slices.Clone(parts)
	for k, a := range out {
		out[k].rows = slices.DeleteFunc(slices.Clone(a.rows), func(i int) bool {
			_, found := slices.BinarySearch(p.rows, i)
			return !found
		})
	}
	return out
}
