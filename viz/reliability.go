package viz

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// The line below embeddings asks so many samples for their neighbours: the most where that
// takes less than so many products, and the least anyway.
const (
	mostAsked  = 500
	leastAsked = 50
	askedWork  = 4e8
)

// keptOf says, when it is first needed, what share of the neighbourhoods embeddings keep:
// "" where none has samples to compare with.
func keptOf(models []Embedded) func() string {
	return sync.OnceValue(func() string {
		type share struct {
			name string
			kept float64
		}
		var all []share
		asked, k, some := 0, 0, false
		for _, m := range models {
			if _, raw := m.(samples); raw {
				continue // its features are the embedding
			}
			if kept, s, of, err := keptShare(m); err == nil {
				all = append(all, share{cut(m.Method()), kept})
				asked, k, some = max(asked, s), max(k, of), some || s < m.Data().Len()
			}
		}
		over := ""
		if some {
			over = fmt.Sprintf(" (average of %d samples)", asked)
		}
		switch {
		case all == nil:
			return ""
		case len(models) == 1:
			return fmt.Sprintf("Neighbourhoods: %.0f %% of the %d nearest neighbours of a sample in the data are among its nearest in the embedding%s.", 100*all[0].kept, k, over)
		case len(all) > 6:
			by := func(a, b share) int { return int(1e6 * (a.kept - b.kept)) }
			lo, hi := slices.MinFunc(all, by), slices.MaxFunc(all, by)
			return fmt.Sprintf("Neighbourhoods: from %.0f %% (%s) to %.0f %% (%s) of the %d nearest neighbours of a sample in the data are among its nearest in the embedding%s.", 100*lo.kept, lo.name, 100*hi.kept, hi.name, k, over)
		}
		var parts []string
		for _, s := range all {
			parts = append(parts, fmt.Sprintf("%s %.0f %%", s.name, 100*s.kept))
		}
		return fmt.Sprintf("Neighbourhoods: the share of the %d nearest neighbours of a sample in the data that are among its nearest in the embedding is %s%s.", k, strings.Join(parts, ", "), over)
	})
}

// keptShare returns the share of the k nearest neighbours in the data that are among the k
// nearest in the embedding: the mean of [Reliability] over some samples, evenly taken, and
// how many these are.
func keptShare(m Embedded) (share float64, asked, k int, err error) {
	x, y := m.Data().X, m.Embedding()
	n, dims := y.Dims()
	if x == nil || m.Data().Len() != n || n < 3 {
		return 0, 0, 0, errAbsent
	}
	_, features := x.Dims()
	asked = min(n, min(mostAsked, max(leastAsked, int(askedWork/(float64(n)*float64(features+dims))))))
	k = min(judged, (n-1)/2)
	rows := make([]int, asked)
	for r := range rows {
		rows[r] = r * n / asked
	}
	near, err := others(x, rows, k)
	if err != nil {
		return 0, 0, 0, err
	}
	shown, err := others(y, rows, k)
	if err != nil {
		return 0, 0, 0, err
	}
	kept := 0
	for r := range rows {
		for _, j := range near[r] {
			if slices.Contains(shown[r], j) {
				kept++
			}
		}
	}
	return float64(kept) / float64(asked*k), asked, k, nil
}

// others returns the k nearest rows of x besides itself for some of them.
func others(x *mat.Dense, rows []int, k int) ([][]int32, error) {
	_, d := x.Dims()
	q := mat.NewDense(len(rows), d, nil)
	for r, i := range rows {
		q.SetRow(r, x.RawRowView(i))
	}
	found, err := graph.Query(context.Background(), x, q, k+1)
	if err != nil {
		return nil, err
	}
	out := make([][]int32, len(rows))
	for r, i := range rows {
		index, _ := found.Of(r)
		out[r] = slices.DeleteFunc(slices.Clone(index), func(j int32) bool { return int(j) == i })
		out[r] = out[r][:k] // equal samples may take the place of the sample itself
	}
	return out, nil
}
