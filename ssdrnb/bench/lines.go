package main

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// line is a row of the table: a task that the library and a peer both do.
type line struct {
	name  string // the task and its data
	label string // name of the peer in the table
	peer  string // function of the peer in peer.py
	// arrays creates the input for both sides. The names of the arrays are those in peer.py.
	arrays func(ctx context.Context) (map[string]*mat.Dense, error)
	// ours does the work. If check is nil, it returns a number that must equal the peer's within
	// the relative tolerance. Only the call to ours is timed.
	ours      func(ctx context.Context, in map[string]*mat.Dense) (float64, error)
	tolerance float64
	// check, if not nil, runs after the clock has stopped, and computes the number to compare.
	check func(in map[string]*mat.Dense) float64
}

var lines = []line{
	{"10 nearest neighbours, 10,000×50", "scikit-learn, brute", "knn_brute", normal(10000, 50), knn, 1e-9, nil},
	{"10 nearest neighbours, 10,000×784", "scikit-learn, brute", "knn_brute", normal(10000, 784), knn, 1e-9, nil},
	{"10 nearest neighbours, 60,000×50", "scikit-learn, brute", "knn_brute", normal(60000, 50), knn, 1e-9, nil},
	{"10 nearest neighbours, swiss roll of 70,000", "scikit-learn, auto", "knn_auto", roll(70000), knn, 1e-9, nil},
	{"10 nearest of 10,000×784 for 1,000 new points", "scikit-learn, brute", "knn_query", newPoints(10000, 1000, 784), query, 1e-9, nil},
	{"half of the median distance, 5,000×50", "SciPy pdist, NumPy", "half_median", normal(5000, 50), halfMedian, 1e-9, nil},
	{"10 principal components, 1,500×784", "scikit-learn PCA(10), randomized, inexact", "pca_10", decaying(1500, 784), pca(10), 0.05, nil},
	{"all principal components, 1,500×784", "scikit-learn PCA(), full", "pca_full", decaying(1500, 784), pca(783), 1e-6, nil},
	{"10 largest eigenpairs, dense of order 1,024", "SciPy eigh, subset", "eigh_top", gram(1024), top, 1e-9, nil},
	{"10 lowest of a graph Laplacian, 10,000 in 50-d", "SciPy eigsh, shift-invert", "laplacian", neighbours(decaying(10000, 50)), lowest, 1e-6, nil},
	{"10 lowest of a graph Laplacian, swiss roll of 10,000", "SciPy eigsh, shift-invert", "laplacian", neighbours(roll(10000)), lowest, 1e-6, nil},
	{"10 lowest of a graph Laplacian, 70,000 in 50-d", "SciPy eigsh, shift-invert", "laplacian", neighbours(decaying(70000, 50)), lowest, 1e-6, nil},
	{"10 lowest of a graph Laplacian, swiss roll of 70,000", "SciPy eigsh, shift-invert", "laplacian", neighbours(roll(70000)), lowest, 1e-6, nil},
	{"geodesics between all pairs, swiss roll of 2,000", "SciPy Dijkstra", "geodesics", rollGraph(2000), geodesics, 1e-9, nil},
	{"geodesics between all pairs, swiss roll of 5,000", "SciPy Dijkstra", "geodesics", rollGraph(5000), geodesics, 1e-9, nil},
	{"500 gradients of GP-LVM, 300×256 in 2 dimensions", "GPy", "gplvm", latent(300, 500), gplvm, 1e-6, nil},
	{"20 gradients of GP-LVM, 1,000×256 in 2 dimensions", "GPy", "gplvm", latent(1000, 20), gplvm, 1e-6, nil},
}

type arrays = func(ctx context.Context) (map[string]*mat.Dense, error)

// draw returns an n×d matrix of normally distributed numbers.
func draw(n, d int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	v := make([]float64, n*d)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return mat.NewDense(n, d, v)
}

func normal(n, d int) arrays {
	return func(context.Context) (map[string]*mat.Dense, error) {
		return map[string]*mat.Dense{"x": draw(n, d, 1)}, nil
	}
}

// decaying draws normally distributed data with standard deviations from 1 down to 0.1.
func decaying(n, d int) arrays {
	return func(context.Context) (map[string]*mat.Dense, error) {
		x := draw(n, d, 3)
		for i := range n {
			for j := range d {
				x.Set(i, j, x.At(i, j)*(1-0.9*float64(j)/float64(d-1)))
			}
		}
		return map[string]*mat.Dense{"x": x}, nil
	}
}

// gram returns the Gram matrix of n normally distributed samples with n features.
func gram(n int) arrays {
	return func(context.Context) (map[string]*mat.Dense, error) {
		x, m := draw(n, n, 4), mat.NewDense(n, n, nil)
		m.Mul(x, x.T())
		return map[string]*mat.Dense{"a": m}, nil
	}
}

func newPoints(n, m, d int) arrays {
	return func(context.Context) (map[string]*mat.Dense, error) {
		return map[string]*mat.Dense{"x": draw(n, d, 1), "q": draw(m, d, 2)}, nil
	}
}

func roll(n int) arrays {
	return func(context.Context) (map[string]*mat.Dense, error) {
		d := datasets.SwissRoll(n, 1)
		return map[string]*mat.Dense{"x": d.X}, d.Err()
	}
}

// rollGraph returns a connected 10-neighbour graph of a swiss roll, in the form that the function
// `columns` returns. The weights are lengths.
func rollGraph(n int) arrays {
	return func(ctx context.Context) (map[string]*mat.Dense, error) {
		d := datasets.SwissRoll(n, 1)
		if err := d.Err(); err != nil {
			return nil, err
		}
		nb, err := graph.Search(ctx, d.X, 10, graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			return nil, err
		}
		g, err := nb.Lengths(graph.Or)
		if err != nil {
			return nil, err
		}
		if g, _, err = graph.Connect(ctx, d.X, g); err != nil {
			return nil, err
		}
		return columns(g), nil
	}
}

// neighbours returns the 10-neighbour graph of the samples with weights 1.
func neighbours(samples arrays) arrays {
	return func(ctx context.Context) (map[string]*mat.Dense, error) {
		in, err := samples(ctx)
		if err != nil {
			return nil, err
		}
		nb, err := graph.Search(ctx, in["x"], 10, graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			return nil, err
		}
		g, err := nb.Graph(graph.Or, graph.Binary())
		if err != nil {
			return nil, err
		}
		return columns(g), nil
	}
}

// columns converts a sparse matrix to three one-column matrices: the row pointers "ptr", the column
// indices "ind" and the values "val". The function `matrix` converts a square matrix back.
func columns(g *sparse.CSR) map[string]*mat.Dense {
	ptr, ind := make([]float64, len(g.RowPtr)), make([]float64, g.NNZ())
	for i, v := range g.RowPtr {
		ptr[i] = float64(v)
	}
	for i, v := range g.ColInd {
		ind[i] = float64(v)
	}
	return map[string]*mat.Dense{"ptr": mat.NewDense(len(ptr), 1, ptr), "ind": mat.NewDense(len(ind), 1, ind), "val": mat.NewDense(len(ind), 1, g.Val)}
}

func matrix(in map[string]*mat.Dense) *sparse.CSR {
	ptr, ind, val := in["ptr"].RawMatrix().Data, in["ind"].RawMatrix().Data, in["val"].RawMatrix().Data
	g := &sparse.CSR{Rows: len(ptr) - 1, Cols: len(ptr) - 1, RowPtr: make([]int, len(ptr)), ColInd: make([]int32, len(ind)), Val: val}
	for i, v := range ptr {
		g.RowPtr[i] = int(v)
	}
	for i, v := range ind {
		g.ColInd[i] = int32(v)
	}
	return g
}

func knn(ctx context.Context, in map[string]*mat.Dense) (float64, error) {
	nb, err := graph.Search(ctx, in["x"], 10, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		return 0, err
	}
	return floats.Sum(nb.Dist), nil
}

func query(ctx context.Context, in map[string]*mat.Dense) (float64, error) {
	nb, err := graph.Query(ctx, in["x"], in["q"], 10, graph.Euclidean)
	if err != nil {
		return 0, err
	}
	return floats.Sum(nb.Dist), nil
}

func halfMedian(ctx context.Context, in map[string]*mat.Dense) (float64, error) {
	return graph.HalfMedian(ctx, in["x"], graph.Euclidean)
}

func geodesics(ctx context.Context, in map[string]*mat.Dense) (float64, error) {
	d, unreachable, err := graph.Geodesics(ctx, matrix(in))
	if err != nil || unreachable > 0 {
		return math.Inf(1), err
	}
	return floats.Sum(d.RawSymmetric().Data), nil
}

// latent returns random data y (n×256), random positions x (n×2) and the number of gradients.
func latent(n, gradients int) arrays {
	return func(context.Context) (map[string]*mat.Dense, error) {
		return map[string]*mat.Dense{"y": draw(n, 256, 1), "x": draw(n, 2, 2), "gradients": mat.NewDense(1, 1, []float64{float64(gradients)})}, nil
	}
}

// gplvm evaluates the log-likelihood and its gradient at positions that change slightly each time.
// It returns the last log-likelihood.
func gplvm(_ context.Context, in map[string]*mat.Dense) (float64, error) {
	e, err := gp.NewExact(in["y"], gp.RBF, 1e-8)
	if err != nil {
		return 0, err
	}
	x := mat.DenseCopyOf(in["x"])
	value := 0.0
	for range int(in["gradients"].At(0, 0)) {
		x.Scale(1+1e-4, x)
		value = e.LogLikelihood(x, gp.Theta{})
		e.Gradient()
	}
	return value, nil
}

// pca returns a function that returns the sum of the variances of the first d principal components.
func pca(d int) func(context.Context, map[string]*mat.Dense) (float64, error) {
	return func(ctx context.Context, in map[string]*mat.Dense) (float64, error) {
		m, err := ssdrnb.PCA().Dims(d).FitContext(ctx, ssdrnb.NewData(in["x"], nil))
		if err != nil {
			return 0, err
		}
		return floats.Sum(m.Values()), nil
	}
}

// top returns the sum of the ten largest eigenvalues.
func top(_ context.Context, in map[string]*mat.Dense) (float64, error) {
	raw := in["a"].RawMatrix()
	p, err := spectral.Top(mat.NewSymDense(raw.Rows, raw.Data), 10)
	if err != nil {
		return 0, err
	}
	return floats.Sum(p.Values), nil
}

// lowest returns the sum of the ten smallest nontrivial eigenvalues of the normalised Laplacian.
func lowest(ctx context.Context, in map[string]*mat.Dense) (float64, error) {
	p, err := spectral.LaplacianBottom(ctx, matrix(in), 10, spectral.Normalized, spectral.Options{})
	if err != nil {
		return 0, err
	}
	return floats.Sum(p.Values), nil
}
