package pairing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// LabelledPairs derives pair constraints from labels and the edges of a symmetric graph g
// (equations 9 to 11 of the S2LAE paper). An edge within a class is a must-link, and an edge
// between different classes a cannot-link. Edges with an unlabelled end (label −1) give no
// constraint. Pairs have I < J and are sorted by (I, J).
func LabelledPairs(g *sparse.CSR, labels []int) (data.Pairs, error) {
	if g.Rows != g.Cols || len(labels) != g.Rows {
		return data.Pairs{}, fmt.Errorf("%w: there are %d labels, but the graph is %d×%d", graph.ErrOption, len(labels), g.Rows, g.Cols)
	}
	var p data.Pairs
	for i, class := range labels {
		if class == data.Unlabelled {
			continue
		}
		cols, _ := g.Row(i)
		for _, c := range cols {
			j := int(c)
			switch {
			case j <= i || labels[j] == data.Unlabelled:
			case labels[j] == class:
				p.Must = append(p.Must, data.Pair{I: i, J: j})
			default:
				p.Cannot = append(p.Cannot, data.Pair{I: i, J: j})
			}
		}
	}
	return p, nil
}

// SamplePairs draws a share in [0, 1] of the must-links and, separately, of the cannot-links,
// uniformly without replacement. Of m pairs it draws share·m, rounded to the nearest integer, with
// halves rounded up. The order is preserved; share = 1 keeps all pairs.
func SamplePairs(p data.Pairs, share float64, seed uint64) (data.Pairs, error) {
	if !(share >= 0 && share <= 1) {
		return data.Pairs{}, fmt.Errorf("%w: share = %v; it must lie between 0 and 1", graph.ErrOption, share)
	}
	// Separate random streams make the drawn cannot-links independent of the number of must-links.
	return data.Pairs{
		Must:   draw(p.Must, share, rand.New(rand.NewPCG(seed, 1))),
		Cannot: draw(p.Cannot, share, rand.New(rand.NewPCG(seed, 2))),
	}, nil
}

func draw(pairs []data.Pair, share float64, rng *rand.Rand) []data.Pair {
	count := min(int(math.Floor(share*float64(len(pairs))+0.5)), len(pairs))
	if count == len(pairs) {
		return slices.Clone(pairs)
	}
	chosen := rng.Perm(len(pairs))[:count]
	slices.Sort(chosen)
	out := make([]data.Pair, 0, count)
	for _, k := range chosen {
		out = append(out, pairs[k])
	}
	return out
}
