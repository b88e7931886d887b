package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// Approximate searches. The library and the peer return their recall of the exact neighbours of
// 1,000 random samples, or of 200 samples if the metric is not Euclidean. The computation of the
// recall is not timed. The recalls may differ by the relative tolerance of the line. MNIST is read
// from SSDRNB_DATA.
func init() {
	mnist50 := reduced(mnist, 50)
	million := mixture(1_000_000, 128)
	lines = append(lines,
		approximate("15 neighbours, MNIST 70,000×784", "pynndescent", mnist, 0.98, 0.02),
		approximate("15 neighbours, MNIST 70,000×784, again", "hnswlib", mnist, 0.98, 0.02),
		approximate("15 neighbours, 50 components of MNIST", "pynndescent", mnist50, 0.98, 0.02),
		approximate("15 neighbours, 50 components of MNIST, again", "hnswlib", mnist50, 0.98, 0.02),
		approximate("15 neighbours, mixture of 1,000,000×128", "pynndescent", million, 0.95, 0.05),
		byMetric(graph.Manhattan, "manhattan", "50 components of MNIST", mnist50),
		byMetric(graph.Chebyshev, "chebyshev", "50 components of MNIST", mnist50),
		byMetric(graph.Cosine, "cosine", "50 components of MNIST", mnist50),
		byMetric(graph.Correlation, "correlation", "50 components of MNIST", mnist50),
		byMetric(graph.Haversine, "haversine", "70,000 places", places(70_000)),
		byMetric(graph.Jaccard, "jaccard", "MNIST in black and white", bits(mnist)),
		byMetric(graph.Hamming, "hamming", "MNIST in black and white", bits(mnist)),
		byMetric(graph.Hellinger, "hellinger", "MNIST 70,000×784", mnist),
		byMetric(graph.Mahalanobis, "mahalanobis", "50 components of MNIST", mnist50),
		byMetric(graph.Spearman, "spearmanr", "50 components of MNIST", mnist50),
		line{"10 lowest of a graph Laplacian, 100,000 in 10-d", "SciPy lobpcg, pyamg", "lobpcg", connected(100_000), lowest, 1e-4, nil},
	)
	demands = append(demands,
		demand{"15 neighbours, mixture of 1,000,000×128", func(ctx context.Context) (func() error, error) {
			x, err := million()
			return func() error {
				_, err := graph.Search(ctx, x, sought, graph.SearchOptions{Method: graph.Approximate})
				return err
			}, err
		}},
		demand{"10 lowest of a graph Laplacian, 1,000,000 in 10-d", func(ctx context.Context) (func() error, error) {
			in, err := connected(1_000_000)(ctx)
			return func() error {
				_, err := lowest(ctx, in)
				return err
			}, err
		}},
		demand{"LAE in 10 dimensions of 1,000,000×128 from a float32 .npy, 15 neighbours", fileOf(1_000_000, 128)},
		demand{"S2LAE of MNIST with half of the labels, 20 neighbours", func(ctx context.Context) (func() error, error) {
			d := datasets.MNIST()
			return func() error {
				_, err := ssdrnb.S2LAE().Neighbors(20).FitContext(ctx, d.KeepShare(0.5))
				return err
			}, d.Err()
		}},
	)
}

// maker creates a matrix of samples.
type maker = func() (*mat.Dense, error)

func mnist() (*mat.Dense, error) {
	d := datasets.MNIST()
	return d.X, d.Err()
}

func mixture(n, features int) maker {
	return func() (*mat.Dense, error) {
		d := datasets.Mixture(n, features, 1)
		return d.X, d.Err()
	}
}

// reduced returns the first d principal components of the samples.
func reduced(s maker, d int) maker {
	return func() (*mat.Dense, error) {
		x, err := s()
		if err != nil {
			return nil, err
		}
		m, err := ssdrnb.PCA().Dims(d).Fit(ssdrnb.NewData(x, nil))
		if err != nil {
			return nil, err
		}
		return m.Embedding(), nil
	}
}

// sought is the number of neighbours in these lines. queries is the number of samples whose exact
// neighbours are computed.
const sought, queries = 15, 1000

// queried returns samples x, the row indices of 1,000 queries among them, and the distance from
// each query to its 15th neighbour.
func queried(s maker) arrays {
	return func(ctx context.Context) (map[string]*mat.Dense, error) {
		x, err := s()
		if err != nil {
			return nil, err
		}
		n, d := x.Dims()
		rows, chosen, bars := mat.NewDense(queries, d, nil), mat.NewDense(queries, 1, nil), mat.NewDense(queries, 1, nil)
		for a, i := range rand.New(rand.NewPCG(5, 5)).Perm(n)[:queries] {
			rows.SetRow(a, x.RawRowView(i))
			chosen.Set(a, 0, float64(i))
		}
		nb, err := graph.Query(ctx, x, rows, sought+1, graph.Euclidean) // + 1 for the query itself
		if err != nil {
			return nil, err
		}
		for a := range queries {
			_, dist := nb.Of(a)
			bars.Set(a, 0, dist[sought])
		}
		return map[string]*mat.Dense{"x": x, "queries": chosen, "bars": bars}, nil
	}
}

// approximate returns a line for a search by both sides. The argument `recall` is the recall that
// our side requests. The recall that each side reaches for the queries is measured afterwards.
func approximate(name, peer string, s maker, recall, tolerance float64) line {
	var nb *graph.Neighbors
	return line{name, peer, peer, queried(s), func(ctx context.Context, in map[string]*mat.Dense) (_ float64, err error) {
		nb, err = graph.Search(ctx, in["x"], sought, graph.SearchOptions{Method: graph.Approximate, Recall: recall})
		return 0, err
	}, tolerance, func(in map[string]*mat.Dense) float64 {
		found := 0
		for a, i := range in["queries"].RawMatrix().Data {
			_, dist := nb.Of(int(i))
			for _, d := range dist {
				if d <= in["bars"].At(a, 0)*(1+1e-6) {
					found++
				}
			}
		}
		return float64(found) / (queries * sought)
	}}
}

// places returns points on the sphere as latitude and longitude in degrees.
func places(n int) maker {
	return func() (*mat.Dense, error) {
		x := draw(n, 3, 7)
		out := mat.NewDense(n, 2, nil)
		for i := range n {
			r := x.RawRowView(i)
			out.Set(i, 0, math.Asin(r[2]/floats.Norm(r, 2))*180/math.Pi)
			out.Set(i, 1, math.Atan2(r[1], r[0])*180/math.Pi)
		}
		return out, nil
	}
}

// bits returns 1 for pixels brighter than half the maximum and 0 otherwise.
func bits(s maker) maker {
	return func() (*mat.Dense, error) {
		x, err := s()
		if err != nil {
			return nil, err
		}
		half := mat.Max(x) / 2
		out := mat.NewDense(x.RawMatrix().Rows, x.RawMatrix().Cols, nil)
		out.Apply(func(_, _ int, v float64) float64 {
			if v > half {
				return 1
			}
			return 0
		}, x)
		return out, nil
	}
}

// byMetric returns a line for a search by a metric. The recall is measured on 200 samples. A
// neighbour that the search returns counts as correct if it is no farther than the true 15th
// neighbour and among the 300 nearest samples in the exact result.
func byMetric(metric graph.Metric, peer, name string, s maker) line {
	const asked, kept = 200, 300
	var nb *graph.Neighbors
	return line{fmt.Sprintf("15 neighbours by the %v metric, %s", metric, name), "pynndescent", "pynndescent_" + peer, func(ctx context.Context) (map[string]*mat.Dense, error) {
		x, err := s()
		if err != nil {
			return nil, err
		}
		n, d := x.Dims()
		rows, chosen, truth := mat.NewDense(asked, d, nil), mat.NewDense(asked, 1, nil), mat.NewDense(asked, kept, nil)
		for a, i := range rand.New(rand.NewPCG(5, 5)).Perm(n)[:asked] {
			rows.SetRow(a, x.RawRowView(i))
			chosen.Set(a, 0, float64(i))
		}
		near, err := graph.Query(ctx, x, rows, kept, metric) // including the query itself
		if err != nil {
			return nil, err
		}
		for a := range asked {
			index, dist := near.Of(a)
			for b, i := range index {
				truth.Set(a, b, -1)
				if dist[b] <= dist[sought]*(1+1e-6) && float64(i) != chosen.At(a, 0) {
					truth.Set(a, b, float64(i))
				}
			}
		}
		return map[string]*mat.Dense{"x": x, "queries": chosen, "truth": truth}, nil
	}, func(ctx context.Context, in map[string]*mat.Dense) (_ float64, err error) {
		nb, err = graph.Search(ctx, in["x"], sought, graph.SearchOptions{Method: graph.Approximate, Metric: metric, Recall: 0.98})
		return 0, err
	}, 0.05, func(in map[string]*mat.Dense) float64 {
		found := 0
		for a, i := range in["queries"].RawMatrix().Data {
			index, _ := nb.Of(int(i))
			for _, j := range index {
				if slices.Contains(in["truth"].RawRowView(a), float64(j)) {
					found++
				}
			}
		}
		return float64(found) / (asked * sought)
	}}
}

// connected returns the 15-neighbour graph of normally distributed samples in 10 dimensions, with
// standard deviations from 1 down to 0.37. It has one component and no small separators. The graph
// of a mixture would be unsuitable for timing eigenvectors: it is disconnected, and its components
// can be found without eigenvectors.
func connected(n int) arrays {
	return func(ctx context.Context) (map[string]*mat.Dense, error) {
		x := draw(n, 10, 6)
		for i := range n {
			for j := range 10 {
				x.Set(i, j, x.At(i, j)*(1-0.07*float64(j)))
			}
		}
		nb, err := graph.Search(ctx, x, sought, graph.SearchOptions{})
		if err != nil {
			return nil, err
		}
		g, err := nb.Graph(graph.Or, graph.SelfTuning())
		if err != nil {
			return nil, err
		}
		if count, _ := graph.ComponentsAbove(g, 0); count != 1 {
			return nil, fmt.Errorf("the graph has %d components instead of 1", count)
		}
		return columns(g), nil
	}
}

// fileOf returns work that reads samples from a float32 file and fits LAE to them.
func fileOf(n, features int) func(context.Context) (func() error, error) {
	return func(ctx context.Context) (func() error, error) {
		path := filepath.Join(os.TempDir(), fmt.Sprintf("ssdrnb-bench-%d.npy", os.Getpid()))
		return func() error {
			defer os.Remove(path)
			d, err := datasets.ReadNPY(path)
			if err != nil {
				return err
			}
			_, err = ssdrnb.LAE().Neighbors(sought).Affinity(ssdrnb.SelfTuning).Dims(10).FitContext(ctx, d)
			return err
		}, writeFloat32(path, n, features)
	}
}

// writeFloat32 writes a mixture in parts, so that it is never held in memory as a whole.
func writeFloat32(path string, n, features int) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	text := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", n, features)
	fmt.Fprintf(w, "\x93NUMPY\x01\x00%c\x00%-117s\n", 118, text)
	const part = 50_000
	for lo := 0; lo < n; lo += part {
		x := datasets.Mixture(min(part, n-lo), features, uint64(lo)).X
		for _, v := range x.RawMatrix().Data {
			if err := binary.Write(w, binary.LittleEndian, float32(v)); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}
