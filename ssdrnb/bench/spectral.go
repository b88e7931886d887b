package main

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

func init() {
	lines = append(lines,
		line{"2 smallest of the LLE matrix, swiss roll of 10,000", "SciPy eigsh, shift-invert", "alignment", reconstruction(10000), alignment, 1e-3, nil},
		line{"2 largest of a dense matrix of order 5,000", "SciPy eigsh", "dense_two", scalar(5000), denseTwo, 1e-8, nil},
		// TruncatedSVD does not centre the data, so the variances along its directions, which the
		// peer returns, may differ from ours by 5 %.
		line{"50 components, sparse 20,000×50,000 with 100 values a row", "scikit-learn TruncatedSVD(50)", "truncated_svd", scattered, scatteredPCA, 0.05, nil},
	)
	demands = append(demands, demand{"50 components, sparse 20,000×50,000 with 100 values a row", func(ctx context.Context) (func() error, error) {
		x := scatter()
		return func() error {
			_, err := ssdrnb.PCA().Dims(50).FitContext(ctx, data.NewSparse(x, nil))
			return err
		}, nil
	}})
}

// scatter returns a sparse table that resembles the weights of words in texts. Frequent words have
// low indices. Each text has one of 100 topics, which supplies about half of its words.
func scatter() *sparse.CSR {
	const rows, columns, filled, topics = 20_000, 50_000, 100, 100
	rng := rand.New(rand.NewPCG(8, 8))
	x := &sparse.CSR{Rows: rows, Cols: columns, RowPtr: make([]int, 1, rows+1), ColInd: make([]int32, 0, rows*filled), Val: make([]float64, 0, rows*filled)}
	seen := map[int32]bool{}
	for i := range rows {
		clear(seen)
		at := len(x.ColInd)
		for len(seen) < filled {
			word := int32(float64(columns) * math.Pow(rng.Float64(), 2))
			if rng.IntN(2) == 0 {
				word = int32(i%topics*(columns/topics)) + int32(rng.IntN(columns/topics))
			}
			if word < columns && !seen[word] {
				seen[word] = true
				x.ColInd = append(x.ColInd, word)
			}
		}
		slices.Sort(x.ColInd[at:])
		for range filled {
			x.Val = append(x.Val, 1+rng.ExpFloat64())
		}
		x.RowPtr = append(x.RowPtr, len(x.ColInd))
	}
	return x
}

func scattered(context.Context) (map[string]*mat.Dense, error) {
	x := scatter()
	in := columns(x)
	in["columns"] = mat.NewDense(1, 1, []float64{float64(x.Cols)})
	return in, nil
}

func scatteredPCA(ctx context.Context, in map[string]*mat.Dense) (float64, error) {
	x := matrix(in)
	x.Cols = int(in["columns"].At(0, 0))
	m, err := ssdrnb.PCA().Dims(50).FitContext(ctx, data.NewSparse(x, nil))
	if err != nil {
		return 0, err
	}
	return floats.Sum(m.Values()), nil
}

// reconstruction returns I − W for the weights W of LLE with 10 neighbours.
func reconstruction(n int) arrays {
	return func(ctx context.Context) (map[string]*mat.Dense, error) {
		d := datasets.SwissRoll(n, 1)
		if err := d.Err(); err != nil {
			return nil, err
		}
		nb, err := graph.Search(ctx, d.X, 10, graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			return nil, err
		}
		w, err := align.Reconstruct(ctx, d.X, nb.Directed(), 1e-3)
		if err != nil {
			return nil, err
		}
		m, err := sparse.Add(1, sparse.Identity(n), -1, w)
		if err != nil {
			return nil, err
		}
		return columns(m), nil
	}
}

// scalar returns the matrix of inner products that Isomap decomposes, for normally distributed
// points in three dimensions under the city-block distance.
func scalar(n int) arrays {
	return func(context.Context) (map[string]*mat.Dense, error) {
		x, a, mean := draw(n, 3, 4), mat.NewDense(n, n, nil), make([]float64, n)
		for i := range n {
			for j := range n {
				d := floats.Distance(x.RawRowView(i), x.RawRowView(j), 1)
				a.Set(i, j, -d*d/2)
			}
			mean[i] = floats.Sum(a.RawRowView(i)) / float64(n)
		}
		all := floats.Sum(mean) / float64(n)
		for i := range n {
			for j, m := range mean {
				a.Set(i, j, a.At(i, j)-mean[i]-m+all)
			}
		}
		return map[string]*mat.Dense{"a": a}, nil
	}
}

func alignment(ctx context.Context, in map[string]*mat.Dense) (float64, error) {
	m := matrix(in)
	p, err := spectral.BottomOf(ctx, spectral.Gram(m), 2, spectral.Options{Null: spectral.Constant(m.Rows)})
	if err != nil {
		return 0, err
	}
	return floats.Sum(p.Values), nil
}

// symmetric returns the matrix a as a symmetric matrix without copying it.
func symmetric(in map[string]*mat.Dense) *mat.SymDense {
	a := in["a"].RawMatrix()
	return mat.NewSymDense(a.Rows, a.Data)
}

func denseTwo(_ context.Context, in map[string]*mat.Dense) (float64, error) {
	p, err := spectral.Top(symmetric(in), 2)
	if err != nil {
		return 0, err
	}
	return floats.Sum(p.Values), nil
}
