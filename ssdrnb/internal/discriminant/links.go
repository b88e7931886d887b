package discriminant

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// MarginGraphs returns two subgraphs of the neighbourhood graph g. The subgraph `between` holds the
// edges between different classes, and the subgraph `open` holds the edges with an unlabelled end.
func MarginGraphs(g *sparse.CSR, labels []int) (between, open *sparse.CSR, err error) {
	var b, o []sparse.Triplet
	for i := range g.Rows {
		cols, vals := g.Row(i)
		for k, c := range cols {
			e := sparse.Triplet{Row: i, Col: int(c), Value: vals[k]}
			switch li, lj := labels[i], labels[c]; {
			case li == data.Unlabelled || lj == data.Unlabelled:
				o = append(o, e)
			case li != lj:
				b = append(b, e)
			}
		}
	}
	if between, err = sparse.FromTriplets(g.Rows, g.Cols, b); err != nil {
		return nil, nil, err
	}
	open, err = sparse.FromTriplets(g.Rows, g.Cols, o)
	return between, open, err
}

// SameClass returns zᵀWz = Σ_c s_c·s_cᵀ − Σ z_i·z_iᵀ for the graph W that links all samples of the
// same class with weight 1. s_c is the sum of the samples of class c. degrees holds the degree of
// each sample in W: n_c − 1 in a class of n_c samples, 0 without a label.
func SameClass(z *mat.Dense, labels, classes []int) (links *mat.SymDense, degrees []float64) {
	n, r := z.Dims()
	index, count := make(map[int]int, len(classes)), make([]float64, len(classes))
	for k, c := range classes {
		index[c] = k
	}
	sums, own := mat.NewDense(len(classes), r, nil), mat.NewDense(n, r, nil)
	for i, l := range labels {
		if k, ok := index[l]; ok {
			count[k]++
			own.SetRow(i, z.RawRowView(i))
			row := sums.RawRowView(k)
			for c, v := range z.RawRowView(i) {
				row[c] += v
			}
		}
	}
	degrees = make([]float64, n)
	for i, l := range labels {
		if k, ok := index[l]; ok {
			degrees[i] = count[k] - 1
		}
	}
	links, diagonal := mat.NewSymDense(r, nil), mat.NewSymDense(r, nil)
	links.SymOuterK(1, sums.T())
	diagonal.SymOuterK(1, own.T())
	return dense.Plus(links, -1, diagonal), degrees
}

// Coded returns the l labelled samples (l×r) and the dummy codes of their classes (l×(c−1), without
// a column for the last of the c classes), both centred.
func Coded(z *mat.Dense, labels, classes []int) (x, y *mat.Dense) {
	index := map[int]int{}
	for k, class := range classes {
		index[class] = k
	}
	rows := order.Where(labels, func(l int) bool { return l != data.Unlabelled })
	y = mat.NewDense(len(rows), len(classes)-1, nil)
	for a, i := range rows {
		if k := index[labels[i]]; k < len(classes)-1 {
			y.Set(a, k, 1)
		}
	}
	_, x = dense.Center(samples.Pick(z, rows))
	_, y = dense.Center(y)
	return x, y
}
