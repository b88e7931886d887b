package viz

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/store"
)

// Named returns a copy with the name of each cluster at the cluster's densest place, see
// [ssdrnb.Names]. A name consists of the features in which the cluster differs most from all other
// samples. If names overlap, only the name of the larger cluster is drawn; the other appears after
// zooming in. found must be a clustering of the samples of the figure. Named replaces
// [Figure.Labels], and requires two dimensions.
//
// With more than eight clusters, the page shows only the first feature of a name until the reader
// zooms in. With the notebook extension of install.sh and in exported pages, a double click or a
// button renames a cluster. New names are stored like selections. In later figures of the same
// samples, the new name again replaces the original name.
//
// [ssdrnb.Grouping.AddTo] colours samples by cluster:
//
//	model, err := ssdrnb.UMAP().Fit(found.AddTo(wine))
//	viz.Embedding(model).Color("cluster").Named(found).Show()
func (f Figure) Named(found *ssdrnb.Grouping) Figure {
	if f.err == nil && found == nil {
		return failed(f.kind, fmt.Errorf("viz: Named: the clusters are nil; give the result of ssdrnb.Clusters().Find"))
	}
	return f.restyled("Named", func(s *style) { s.named = found })
}

// clustersOf returns the samples and the name of each cluster: the stored name if there is one, and
// the original name otherwise.
func clustersOf(found *ssdrnb.Grouping, names []string, d *data.Data) ([]part, error) {
	stored, err := renamed(fingerprint(d))
	if err != nil {
		return nil, err
	}
	parts := make([]part, len(names))
	for c, name := range names {
		parts[c] = part{name, found.Rows(c), name}
		if other := stored[cut(name)]; other != "" {
			parts[c].name = other
		}
	}
	return parts, nil
}

// renamed returns the stored names of clusters, keyed by original name, for data with the given
// fingerprint.
func renamed(print string) (map[string]string, error) {
	if print == "" {
		return nil, nil
	}
	file := store.Renamed + print
	path, err := store.Path(file)
	if err != nil {
		return nil, nil // there is no place to store names
	}
	raw := store.Newest(path, file)
	if raw == nil {
		return nil, nil
	}
	var in struct {
		Format int         `json:"format"`
		Names  [][2]string `json:"names"`
	}
	if err := json.Unmarshal(raw, &in); err != nil || in.Format != 1 {
		return nil, fmt.Errorf("viz: Named: the stored names of clusters are damaged or from another version; move %s away", cmp.Or(store.Beside(file), path))
	}
	out := map[string]string{}
	for _, pair := range in.Names {
		out[pair[0]] = cut(strings.TrimSpace(strings.ToValidUTF8(pair[1], "�")))
	}
	return out, nil
}

// visible returns the parts restricted to the samples that the panel draws.
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
