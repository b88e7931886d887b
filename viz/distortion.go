package viz

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

const (
	judged    = 15 // number of nearest neighbours that determine the reliability of a sample
	worst     = 10 // number of least reliable samples, from which lines start
	lostShown = 5  // maximum number of lines per sample
)

// neighborhoods contains the nearest neighbours of samples in the data (original) and in the
// embedding (shown).
type neighborhoods struct {
	original, shown *graph.Neighbors
	kept            []float64 // for each sample, the share of its neighbours in original that are also in shown
}

func neighborhoodsOf(m Embedded) (*neighborhoods, error) {
	y, x := m.Embedding(), m.Data().X
	n, _ := y.Dims()
	if x == nil || m.Data().Len() != n {
		return nil, withoutFeatures(m.Data())
	}
	if n < 3 {
		return nil, fmt.Errorf("it has %s, too few for neighbours; give at least 3", nouns.Count(n, "sample"))
	}
	k := min(judged, (n-1)/2)
	near, err := graph.Search(context.Background(), x, k, graph.SearchOptions{})
	if err != nil {
		return nil, err
	}
	shown, err := graph.Search(context.Background(), y, k, graph.SearchOptions{})
	if err != nil {
		return nil, err
	}
	kept, err := metrics.KeptNeighbors(near, shown)
	return &neighborhoods{near, shown, kept}, err
}

// Distortion shows where an embedding misleads. It draws the first two dimensions, with samples
// coloured by [Reliability]. Lines join each of the 10 least reliable samples to up to 5 of its
// nearest neighbours in the data that are not its neighbours in the embedding. If the call lists
// samples after m, the lines start at these samples instead. If there are more than 10,000 lines,
// only the 10,000 from the least reliable samples are drawn. A sentence below the figure reports
// the average share of kept neighbours.
//
// Some neighbours are kept by chance. To colour samples by whether they keep more neighbours than
// expected by chance, pass the result of [ssdrnb.AgainstNull] to Color.
func Distortion(m Embedded, of ...int) Figure {
	fail := func(err error) Figure { return failed("distortion", err) }
	if err := drawable(m); err != nil {
		return fail(err)
	}
	n, _ := m.Embedding().Dims()
	for _, i := range of {
		if i < 0 || i >= n {
			return fail(fmt.Errorf("viz: Distortion: sample %d does not exist; give samples from 0 to %d", i, n-1))
		}
	}
	found, err := neighborhoodsOf(m)
	if err != nil {
		return fail(fmt.Errorf("viz: Distortion of %s: %w", cut(m.Method()), err))
	}
	if len(of) == 0 {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(found.kept[a], found.kept[b]) })
		of = slices.DeleteFunc(order[:min(worst, n)], func(i int) bool { return found.kept[i] == 1 })
	}
	lost := edgeGroup{name: "lost neighbours", color: negativeInk, opacity: 0.7}
	var from []string // the samples from which lines start
	for _, i := range of {
		shown, _ := found.shown.Of(i)
		count := 0
		near, _ := found.original.Of(i)
		for _, j := range near {
			if count < lostShown && !slices.Contains(shown, j) {
				count++
				lost.pairs = append(lost.pairs, data.Pair{I: i, J: int(j)})
			}
		}
		if count > 0 {
			from = append(from, fmt.Sprint(i))
		}
	}
	sum, least := 0.0, math.Inf(1)
	for _, v := range found.kept {
		sum, least = sum+v, min(least, v)
	}
	text := fmt.Sprintf("On average, the embedding keeps %.0f %% of the %s of a sample in the data, and at least %.0f %% for each sample.", 100*sum/float64(n), nouns.Count(found.original.K, "nearest neighbour"), 100*least)
	var groups []edgeGroup
	if lost.pairs != nil {
		list := strings.Join(from[:min(len(from), worst)], ", ")
		if len(from) > worst {
			list += ", …"
		}
		text += fmt.Sprintf(" Lines lead from %s %s to neighbours that are not near in the embedding.", nouns.Form(len(from), "sample", "samples"), list)
		if len(lost.pairs) > maxEdges {
			text += fmt.Sprintf(" Of %d lines, the %d from the least reliable samples are drawn.", len(lost.pairs), maxEdges)
			slices.SortStableFunc(lost.pairs, func(a, b data.Pair) int { return cmp.Compare(found.kept[a.I], found.kept[b.I]) })
			lost.pairs = lost.pairs[:maxEdges]
		}
		groups = append(groups, lost)
	}
	l := &linked{model: m, notes: []string{text}, groups: groups}
	return l.figure("Distortion of "+title(m), style{color: column{name: string(Reliability), computed: true, number: found.kept}})
}
