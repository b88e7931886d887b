package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/community"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/density"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Table of groups: dense clusters and communities that the library and its peers find in the same
// neighbour graph. It lists the adjusted Rand index between our clustering and each peer's.

var groupSets = []struct {
	name string
	data func(p *peer) *data.Data
}{
	{"normal, 10 islands of 7,000 in 10-d", func(*peer) *data.Data { return data.New(archipelago(70_000, 10), nil) }},
	{"MNIST, 70,000 in 50 principal components", func(*peer) *data.Data { return components(50)() }},
}

// archipelago draws n samples in d dimensions: 10 groups with unit variance around normally
// distributed centres with standard deviation 1.5.
func archipelago(n, d int) *mat.Dense {
	x, centres := draw(n, d, 5), draw(10, d, 6)
	for i := range n {
		row := x.RawRowView(i)
		for k, c := range centres.RawRowView(i % 10) {
			row[k] += 1.5 * c
		}
	}
	return x
}

const (
	groupNeighbors = 30 // neighbours per sample for the cluster tree; communities use 14
	groupCore      = 5
	groupSmallest  = 10
)

// groups writes the table for the sets whose name matches.
func groups(p *peer, match *regexp.Regexp, rounds int) (string, error) {
	var out strings.Builder
	heading := "\n| groups from given neighbours | s | clusters | share clustered | peer: s, ratio, clusters, ARI |\n|---|---|---|---|---|\n"
	for _, set := range groupSets {
		if !match.MatchString("Groups, " + set.name) {
			continue
		}
		d := set.data(p)
		if err := d.Err(); err != nil {
			fmt.Fprintf(os.Stderr, "bench: groups of %s are left out: %v\n", set.name, err)
			continue
		}
		rows, err := groupRows(p, set.name, d, rounds)
		if err != nil {
			return "", fmt.Errorf("groups, %s: %w", set.name, err)
		}
		fmt.Print(heading + rows)
		out.WriteString(heading + rows)
		heading = ""
	}
	return out.String(), nil
}

func groupRows(p *peer, name string, d *data.Data, rounds int) (string, error) {
	ctx := context.Background()
	nb, err := graph.Search(ctx, d.X, groupNeighbors, graph.SearchOptions{})
	if err != nil {
		return "", err
	}
	lengths, err := nb.Lengths(graph.Or)
	if err != nil {
		return "", err
	}
	if parts, _ := graph.ComponentsAbove(lengths, -1); parts > 1 {
		return "", fmt.Errorf("the graph has %d components, which the peers join differently", parts)
	}
	dense := func() ([]int, error) {
		core := density.Core(nb.Dist, nb.K, groupCore)
		forest := density.Forest(nb.Index, nb.Dist, core, nb.K)
		tree := density.Condense(forest, d.Len(), groupSmallest, density.Floor(core))
		return tree.Choose(density.Knowledge{}, 0.5).Of, nil
	}
	index, dist := mat.NewDense(d.Len(), nb.K, nil), mat.NewDense(d.Len(), nb.K, nb.Dist)
	for k, j := range nb.Index {
		index.RawMatrix().Data[k] = float64(j)
	}
	core := mat.NewDense(1, 2, []float64{groupCore, groupSmallest})
	first, err := groupRow(p, "clusters, "+name, rounds, dense, nil, map[string]*mat.Dense{"index": index, "distance": dist, "core": core}, "fast_hdbscan", "hdbscan", "sklearn_hdbscan")
	if err != nil {
		return "", err
	}
	fuzzy, err := embed.Fuzzy(nb.Head(14), embed.PlainFuzzy)
	if err != nil {
		return "", err
	}
	parts := func() ([]int, error) {
		found, err := community.Leiden(ctx, fuzzy.W, 1)
		if err != nil {
			return nil, err
		}
		return found.Of, nil
	}
	edges := mat.NewDense(fuzzy.W.NNZ()/2, 3, nil)
	at := 0
	for i := range fuzzy.W.Rows {
		cols, vals := fuzzy.W.Row(i)
		for k, j := range cols {
			if int(j) > i {
				edges.SetRow(at, []float64{float64(i), float64(j), vals[k]})
				at++
			}
		}
	}
	rate := func(of []int) (float64, error) { return community.Modularity(fuzzy.W, of, 1) }
	second, err := groupRow(p, "communities, "+name, rounds, parts, rate, map[string]*mat.Dense{"edges": edges}, "leidenalg", "igraph_leiden")
	return first + second, err
}

// groupRow returns a table row. It first runs our function and each peer without counting the time,
// and then times them in turn, round by round. The row contains the minimum times and the rating of
// each clustering.
func groupRow(p *peer, name string, rounds int, ours func() ([]int, error), rate func(of []int) (float64, error), in map[string]*mat.Dense, peers ...string) (string, error) {
	if err := p.load(in); err != nil {
		return "", err
	}
	of, err := ours()
	if err != nil {
		return "", err
	}
	best, theirs := 0.0, make([]float64, len(peers))
	labels := make([][]int, len(peers))
	for round := range rounds + 1 {
		start := time.Now()
		if _, err := ours(); err != nil {
			return "", err
		}
		if s := time.Since(start).Seconds(); round == 1 || round > 1 && s < best {
			best = s
		}
		for k, peer := range peers {
			if round > 0 && labels[k] == nil {
				continue // the peer failed
			}
			s, found, err := p.timed(peer)
			if err != nil {
				return "", err
			}
			if found.RawMatrix().Rows*found.RawMatrix().Cols != len(of) {
				continue
			}
			labels[k] = make([]int, len(of))
			for i, v := range found.RawMatrix().Data {
				labels[k][i] = int(v)
			}
			if round == 1 || round > 1 && s < theirs[k] {
				theirs[k] = s
			}
		}
	}
	count, clustered := extent(of)
	rated := func(of []int) string {
		if rate == nil {
			return ""
		}
		v, err := rate(of)
		if err != nil {
			return ", " + err.Error()
		}
		return fmt.Sprintf(", modularity %.4f", v)
	}
	row := fmt.Sprintf("| %s | %.2f | %d | %.3f%s |", name, best, count, clustered, rated(of))
	for k, peer := range peers {
		if labels[k] == nil {
			row += " " + peer + ": failed;"
			continue
		}
		agree, err := metrics.AdjustedRandIndex(noiseAsCluster(of), noiseAsCluster(labels[k]))
		if err != nil {
			return "", err
		}
		clusters, _ := extent(labels[k])
		row += fmt.Sprintf(" %s: %.2f, %.2f, %d, %.3f%s;", peer, theirs[k], best/theirs[k], clusters, agree, rated(labels[k]))
	}
	return strings.TrimSuffix(row, ";") + " |\n", nil
}

// extent returns the number of clusters and the share of samples that are not noise.
func extent(of []int) (count int, share float64) {
	for _, c := range of {
		count = max(count, c+1)
		if c >= 0 {
			share += 1 / float64(len(of))
		}
	}
	return count, share
}

// noiseAsCluster returns the clustering with noise as an additional cluster.
func noiseAsCluster(of []int) []int {
	out := make([]int, len(of))
	for i, c := range of {
		out[i] = c + 1
	}
	return out
}
