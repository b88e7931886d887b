package main

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

func init() {
	lines = append(lines,
		line{"2 smallest of the LLE matrix, swiss roll of 10,000", "SciPy eigsh, shift-invert", "alignment", reconstruction(10000), alignment, 1e-3, nil},
		line{"2 largest of a dense matrix of order 5,000", "SciPy eigsh", "dense_two", scalar(5000), denseTwo, 1e-8, nil},
	)
}

// reconstruction is I − W for the weights W of LLE with 10 neighbours.
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

// scalar is the inner products that Isomap decomposes, of points in a cube under the
// city-block distance.
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

// symmetric is the upper triangle of the matrix, without a copy.
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
