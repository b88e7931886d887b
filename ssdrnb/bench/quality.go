package main

import (
	"context"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Tables of groups. Two tables compare clusters and communities with hidden classes. The third
// compares the differences that [ssdrnb.Contrast] finds between a class and the other samples with
// the differences that it finds for arbitrary regions of an embedding.

func init() {
	knowledgeTables = append(knowledgeTables,
		knowledgeTable{"clusters", "adjusted Rand index of Clusters (noise to the nearest) and Communities with the classes of samples without a label, by labels per class, and of all samples with 100 pairs; share of the samples in a cluster, and the number of clusters without knowledge",
			[]string{"clusters", "share", "count", "communities", "count of communities", "clusters, 1", "communities, 1", "clusters, 5", "communities, 5", "clusters, pairs", "communities, pairs"}, rateGroups, false},
		knowledgeTable{"carried classes", "adjusted Rand index on the samples without a label of Clusters, Communities and the classes of Opinions, by labels per class; half: 5 labels for every second class and none for the others",
			[]string{"clusters, 2", "communities, 2", "classes, 1", "classes, 2", "classes, 5", "clusters, half", "communities, half", "classes, half"}, rateCarried, false},
		knowledgeTable{"contrasts", "classes against the rest: largest |δ|, its 90 % quantile over regions of UMAP's embedding, shares of features with |δ| above 0.474 and above the usual effect, and δ in halves of the class (Pearson correlation over features)",
			[]string{"largest", "regions below", "large", "unusual", "halves"}, rateContrasts, false})
}

// foundIn returns the adjusted Rand index between a grouping and the true classes over the
// unlabelled rows.
func foundIn(d *data.Data, of []int) (float64, error) {
	var truth, found []int
	for i, c := range of {
		if d.Labels == nil || d.Labels[i] == data.Unlabelled {
			truth, found = append(truth, d.Truth[i]), append(found, c)
		}
	}
	return metrics.AdjustedRandIndex(truth, found)
}

var finders = []struct {
	name string
	find func(context.Context, *data.Data) (*ssdrnb.Grouping, error)
}{{"clusters", ssdrnb.Clusters().Everyone(true).FindContext}, {"communities", ssdrnb.Communities().FindContext}}

// rateFinders adds the score of each finder's groups to `into` and returns the groups.
func rateFinders(ctx context.Context, d *data.Data, what string, into means) ([]*ssdrnb.Grouping, error) {
	var found []*ssdrnb.Grouping
	for _, s := range finders {
		g, err := s.find(ctx, d)
		if err != nil {
			return nil, err
		}
		score, err := foundIn(d, g.Of())
		if err != nil {
			return nil, err
		}
		into.add(s.name+what, score)
		found = append(found, g)
	}
	return found, nil
}

func rateGroups(_ *peer, part *data.Data, most, draw int, into means) error {
	ctx := context.Background()
	rate := func(what string, d *data.Data) error {
		found, err := rateFinders(ctx, d, what, into)
		if err == nil && what == "" {
			into.add("share", found[0].Share())
			into.add("count", float64(found[0].Count()))
			into.add("count of communities", float64(found[1].Count()))
		}
		return err
	}
	bare := part.HideLabels()
	if err := rate("", bare); err != nil {
		return err
	}
	for _, one := range []struct {
		labels int
		what   string
	}{{1, ", 1"}, {5, ", 5"}} {
		if d, ok := labelledPart(part, one.labels, most, draw); ok {
			if err := rate(one.what, d); err != nil {
				return err
			}
		}
	}
	pairs, err := data.DrawPairs(part.Truth, 50, 50, uint64(draw))
	if err != nil {
		return err
	}
	return rate(", pairs", bare.WithPairs(pairs))
}

func rateCarried(_ *peer, part *data.Data, most, draw int, into means) error {
	ctx := context.Background()
	rate := func(what string, d *data.Data, groups bool) error {
		if groups {
			if _, err := rateFinders(ctx, d, what, into); err != nil {
				return err
			}
		}
		o, err := ssdrnb.Opinions(ctx, d)
		if err != nil {
			return err
		}
		score, err := foundIn(d, o.Predicted())
		into.add("classes"+what, score)
		return err
	}
	for labels, what := range map[int]string{1: ", 1", 2: ", 2", 5: ", 5"} {
		if d, ok := labelledPart(part, labels, most, draw); ok {
			if err := rate(what, d, labels == 2); err != nil {
				return err
			}
		}
	}
	d, ok := labelledPart(part, 5, most, draw)
	if !ok {
		return nil
	}
	labels := slices.Clone(d.Labels)
	for k, class := range part.AllClasses() {
		for i, l := range labels {
			if k%2 == 1 && l == class {
				labels[i] = data.Unlabelled
			}
		}
	}
	half := d.WithLabels(labels)
	half.Truth = part.Truth
	return rate(", half", half, true)
}

func rateContrasts(_ *peer, part *data.Data, _, draw int, into means) error {
	bare := part.HideLabels()
	m, err := ssdrnb.UMAP().FitContext(context.Background(), bare.Seed(uint64(draw)))
	if err != nil {
		return err
	}
	for _, c := range part.AllClasses() {
		rows := order.Where(part.Truth, func(l int) bool { return l == c })
		if len(rows) < 4 {
			continue
		}
		t := ssdrnb.Contrast(m.Data(), rows).In(m)
		if err := t.Err(); err != nil {
			return err
		}
		largest, large, unusual, all := 0.0, 0, 0, 0
		for _, r := range t.Rows() {
			if math.IsNaN(r.Delta) {
				continue
			}
			all++
			largest = max(largest, math.Abs(r.Delta))
			if math.Abs(r.Delta) >= 0.474 {
				large++
			}
			if r.Unusual {
				unusual++
			}
		}
		into.add("largest", largest)
		into.add("regions below", t.UsualLargest())
		into.add("large", float64(large)/float64(all))
		into.add("unusual", float64(unusual)/float64(all))
		var halves [2][]float64
		for h := range halves {
			var half []int
			for k, i := range rows {
				if k%2 == h {
					half = append(half, i)
				}
			}
			rest := slices.DeleteFunc(order.Rows(part.Len()), func(i int) bool { return part.Truth[i] == c })
			s := ssdrnb.Contrast(m.Data(), half).Against(rest)
			if err := s.Err(); err != nil {
				return err
			}
			halves[h] = s.Features()
		}
		into.add("halves", correlation(halves[0], halves[1]))
	}
	return nil
}

// correlation returns Pearson's correlation of two lists, without pairs that contain NaN. It is NaN
// if one list is constant.
func correlation(a, b []float64) float64 {
	var n, sa, sb, saa, sbb, sab float64
	for k := range a {
		if x, y := a[k], b[k]; !math.IsNaN(x) && !math.IsNaN(y) {
			n++
			sa, sb, saa, sbb, sab = sa+x, sb+y, saa+x*x, sbb+y*y, sab+x*y
		}
	}
	return (n*sab - sa*sb) / math.Sqrt((n*saa-sa*sa)*(n*sbb-sb*sb))
}
