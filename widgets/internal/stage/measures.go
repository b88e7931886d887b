package stage

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// islandLeast is the minimum number of samples in an island. islandStep bounds the distance between
// joined samples, in units of the median distance to the nearest sample. See islands.
const (
	islandLeast = 5
	islandStep  = 3
)

// islands returns the island of each sample, and the number of islands. Two samples are joined if
// their distance is less than three times the median distance to the nearest sample. Groups of
// fewer than five samples are not islands, and their samples get −1. A reader of the lesson can
// check this rule in the picture. The more complex rule of [metrics.Islands] also finds islands of
// uneven density.
func islands(y *mat.Dense) (of []int, count int) {
	n, _ := y.Dims()
	nearest := make([]float64, n)
	away := func(i, j int) float64 { return floats.Distance(y.RawRowView(i), y.RawRowView(j), 2) }
	for i := range n {
		nearest[i] = math.Inf(1)
		for j := range n {
			if j != i {
				nearest[i] = min(nearest[i], away(i, j))
			}
		}
	}
	slices.Sort(nearest)
	gap := islandStep * nearest[n/2]
	of = slices.Repeat([]int{-1}, n)
	seen := make([]bool, n)
	for i := range n {
		if seen[i] {
			continue
		}
		seen[i] = true
		members := []int{i}
		for k := 0; k < len(members); k++ {
			for j := range n {
				if !seen[j] && away(members[k], j) < gap {
					seen[j] = true
					members = append(members, j)
				}
			}
		}
		if len(members) >= islandLeast {
			for _, j := range members {
				of[j] = count
			}
			count++
		}
	}
	return of, count
}

// runGroups is the number of k-means groups by which two embeddings are compared.
const runGroups = 5

// agreement returns the adjusted Rand index between the five k-means groups of two embeddings.
func agreement(ctx context.Context, a, b *mat.Dense) (float64, error) {
	one, err := metrics.KMeans(ctx, a, runGroups, metrics.KMeansOptions{Starts: 10, Seed: 1})
	if err != nil {
		return 0, err
	}
	two, err := metrics.KMeans(ctx, b, runGroups, metrics.KMeansOptions{Starts: 10, Seed: 1})
	if err != nil {
		return 0, err
	}
	return metrics.AdjustedRandIndex(one.Labels, two.Labels)
}

// answersBy returns, for each sample, the class of the nearest labelled sample, or of the first one
// in a tie. It returns nil if no sample is labelled.
func answersBy(x *mat.Dense, labels []int) ([]int, error) {
	var classes []int
	var known []float64
	for i, l := range labels {
		if l >= 0 {
			classes, known = append(classes, l), append(known, x.RawRowView(i)...)
		}
	}
	if classes == nil {
		return nil, nil
	}
	_, dims := x.Dims()
	return metrics.NearestNeighbor(mat.NewDense(len(classes), dims, known), classes, x)
}

// rumour contains the result of label propagation along links, with one entry per sample.
type rumour struct {
	leans  []int  // class with the largest weight; −1 in a tie, or if no label has arrived
	heard  []bool // a label has arrived
	unsure []bool // no class has at least 60 % of the weight
}

// rumourOf propagates the labels along a graph.
func rumourOf(ctx context.Context, w *sparse.CSR, labels []int, steps int) (*rumour, error) {
	f, err := graph.Diffuse(ctx, w, labels, steps)
	if err != nil {
		return nil, err
	}
	r := &rumour{make([]int, w.Rows), make([]bool, w.Rows), make([]bool, w.Rows)}
	for i := range r.leans {
		r.leans[i] = data.Unlabelled
		sum, most := 0.0, 0.0
		for class, share := range f.RawRowView(i) {
			sum += share
			if share > most {
				r.leans[i], most = class, share
			} else if share == most {
				r.leans[i] = data.Unlabelled
			}
		}
		r.heard[i], r.unsure[i] = sum > 0, most < 0.6*sum
	}
	return r, nil
}

// rumourNeighbors and rumourSteps are the number of links per sample and the number of propagation
// steps in answersByRumour.
const rumourNeighbors, rumourSteps = 8, 1000

// answersByRumour propagates the labels along links from each sample to its eight nearest samples.
// It returns the class of each sample, or −1 if there is a tie or no label arrives.
func answersByRumour(ctx context.Context, x *mat.Dense, labels []int) ([]int, error) {
	n, _ := x.Dims()
	nb, err := graph.Search(ctx, x, min(rumourNeighbors, n-1), graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		return nil, err
	}
	w, err := nb.Graph(graph.Or, graph.Binary())
	if err != nil {
		return nil, err
	}
	r, err := rumourOf(ctx, w, labels, rumourSteps)
	if err != nil {
		return nil, err
	}
	return r.leans, nil
}

// hiddenRight returns the share of correct answers among the unlabelled samples with a known class.
func hiddenRight(answers, labels, truth []int) float64 {
	right, hidden := 0.0, 0.0
	for i, class := range truth {
		if labels[i] >= 0 || class < 0 {
			continue
		}
		hidden++
		if answers[i] == class {
			right++
		}
	}
	return right / hidden
}

// separation returns the mean silhouette of the groups, or NaN if it is not defined.
func separation(ctx context.Context, y *mat.Dense, class []int) float64 {
	mean, _, err := metrics.Silhouette(ctx, y, class)
	if err != nil {
		return math.NaN()
	}
	return mean
}

// widthOf returns the length of the longest side of an embedding's bounding box.
func widthOf(y *mat.Dense) float64 {
	_, d := y.Dims()
	width := 0.0
	for j := range d {
		column := mat.Col(nil, j, y)
		width = max(width, floats.Max(column)-floats.Min(column))
	}
	return width
}

// tornNeighbors is the number of nearest neighbours in the data that are checked. A sample is torn
// if its distance in the embedding to one of them exceeds a quarter of the embedding's width.
const tornNeighbors = 5

func torn(ctx context.Context, x, y *mat.Dense) (int, error) {
	lost, err := lostOf(ctx, x, y)
	count := 0
	for k, pair := range lost {
		if k == 0 || pair[0] != lost[k-1][0] {
			count++
		}
	}
	return count, err
}

// lostOf returns pairs of a torn sample and a neighbour that is too far away in the embedding, see
// tornNeighbors. The pairs are sorted by the torn sample.
func lostOf(ctx context.Context, x, y *mat.Dense) (pairs [][2]int, err error) {
	nb, err := graph.Search(ctx, x, tornNeighbors, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		return nil, err
	}
	width := widthOf(y)
	n, _ := y.Dims()
	for i := range n {
		list, _ := nb.Of(i)
		for _, j := range list {
			if floats.Distance(y.RawRowView(i), y.RawRowView(int(j)), 2) > width/4 {
				pairs = append(pairs, [2]int{i, int(j)})
			}
		}
	}
	return pairs, nil
}

// groupsOf returns the mean and the width of each group. The width is the root mean square distance
// of the samples from the mean.
func groupsOf(y *mat.Dense, class []int, groups int) (mean [][]float64, width []float64) {
	n, d := y.Dims()
	count := make([]float64, groups)
	width = make([]float64, groups)
	for range groups {
		mean = append(mean, make([]float64, d))
	}
	for i := range n {
		if c := class[i]; c >= 0 && c < groups {
			floats.Add(mean[c], y.RawRowView(i))
			count[c]++
		}
	}
	for c := range mean {
		floats.Scale(1/count[c], mean[c])
	}
	for i := range n {
		if c := class[i]; c >= 0 && c < groups {
			away := floats.Distance(y.RawRowView(i), mean[c], 2)
			width[c] += away * away
		}
	}
	for c := range width {
		width[c] = math.Sqrt(width[c] / count[c])
	}
	return mean, width
}

// sizeRatio returns the width of the second group divided by the width of the first, see groupsOf.
func sizeRatio(y *mat.Dense, class []int) float64 {
	_, width := groupsOf(y, class, 2)
	return width[1] / width[0]
}

// gapRatio returns the distance between the means of the second and the third group divided by the
// distance between the means of the first and the second.
func gapRatio(y *mat.Dense, class []int) float64 {
	mean, _ := groupsOf(y, class, 3)
	return floats.Distance(mean[1], mean[2], 2) / floats.Distance(mean[0], mean[1], 2)
}

const mostGroups = 10

// grouping returns the best silhouette over 2 to 10 k-means groups.
func grouping(ctx context.Context, y *mat.Dense) (float64, error) {
	best := -1.0
	for k := 2; k <= mostGroups; k++ {
		c, err := metrics.KMeans(ctx, y, k, metrics.KMeansOptions{Starts: 5, Seed: 1})
		if err != nil {
			return 0, err
		}
		if v := separation(ctx, y, c.Labels); v > best {
			best = v
		}
	}
	return best, nil
}
