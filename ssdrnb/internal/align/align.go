// Package align computes the alignment matrices of LLE, LTSA and HLLE, which are sums of local
// matrices over all neighbourhoods. The embedding consists of the eigenvectors with the smallest
// eigenvalues, without the constant eigenvector. The package also computes neighbours by
// class-dependent dissimilarities ([GroupedKNN]) and the double-centred distance matrix of Isomap
// ([DoubleCenter]).
package align

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Patches returns the n×n alignment matrix Σ S_iᵀP_iS_i. The function `local` computes the matrix
// P_i for the members of the neighbourhood of sample i, and S_i selects the rows of these members.
// Members are ascending, and include i if self is true.
func Patches(ctx context.Context, nb *graph.Neighbors, self bool, local func(members []int32, p *mat.Dense) error) (*sparse.CSR, error) {
	n, k := nb.Len(), nb.K
	if self {
		k++
	}
	// Row i·k + a of `terms` is row a of P_i, with its entries in the columns of the members of i.
	// Row i·k + a of `places` has a single entry, 1, in the column of the a-th member.
	terms := &sparse.CSR{Rows: n * k, Cols: n, RowPtr: make([]int, n*k+1), ColInd: make([]int32, n*k*k), Val: make([]float64, n*k*k)}
	places := &sparse.CSR{Rows: n * k, Cols: n, RowPtr: make([]int, n*k+1), ColInd: make([]int32, n*k), Val: make([]float64, n*k)}
	failed := make([]error, n)
	directed := nb.Directed()
	par.Blocks(n, 64, func(lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			members, _ := directed.Row(i)
			if self {
				members = Insert(members, int32(i))
			}
			p := mat.NewDense(k, k, terms.Val[i*k*k:(i+1)*k*k])
			failed[i] = local(members, p)
			for a, m := range members {
				row := i*k + a
				copy(terms.ColInd[row*k:], members)
				places.ColInd[row], places.Val[row] = m, 1
				terms.RowPtr[row+1], places.RowPtr[row+1] = (row+1)*k, row+1
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return sparse.Mul(places.T(), terms)
}

// Insert returns a copy of the ascending list with v inserted in order.
func Insert(list []int32, v int32) []int32 {
	out := make([]int32, 0, len(list)+1)
	for k, x := range list {
		if x > v {
			return append(append(out, v), list[k:]...)
		}
		out = append(out, x)
	}
	return append(out, v)
}

// Residual returns I − Δ for reconstruction weights Δ: ‖(I − Δ)Y‖² = Σ‖y_i − Σ_j Δ_ij y_j‖².
func Residual(delta *sparse.CSR) (*sparse.CSR, error) {
	return sparse.Add(1, sparse.Identity(delta.Rows), -1, delta)
}

// Follow sets the rows of y for the given samples. Each row becomes a weighted sum of the rows of
// the sample's neighbours in nb. The rows of these neighbours must already be set. `weights`
// returns the weights that reconstruct each sample from the neighbours listed in its row of links.
func Follow(y *mat.Dense, nb *graph.Neighbors, samples []int, weights func(links *sparse.CSR) (*sparse.CSR, error)) error {
	all := nb.Directed()
	var links []sparse.Triplet
	for _, i := range samples {
		cols, _ := all.Row(i)
		for _, c := range cols {
			links = append(links, sparse.Triplet{Row: i, Col: int(c), Value: 1})
		}
	}
	own, err := sparse.FromTriplets(all.Rows, all.Cols, links)
	if err != nil {
		return err
	}
	w, err := weights(own)
	if err != nil {
		return err
	}
	placed := mat.DenseCopyOf(y)
	w.MulTo(placed, y)
	for _, i := range samples {
		y.SetRow(i, placed.RawRowView(i))
	}
	return nil
}

// Separated returns a dissimilarity function for [GroupedKNN]: d + extra between samples of
// different known classes, otherwise the distance d.
func Separated(extra float64) func(d float64, a, b int) float64 {
	return func(d float64, a, b int) float64 {
		if a != b && a != data.Unlabelled && b != data.Unlabelled {
			d += extra
		}
		return d
	}
}
