package gp

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// parallel calls f for each row, concurrently and in any order.
func parallel(rows int, f func(i int)) {
	par.Blocks(rows, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f(i)
		}
	})
}

// sumRows returns the sum of f over the rows. Terms are computed in parallel and added in order.
func sumRows(rows int, f func(i int) float64) float64 {
	parts := make([]float64, rows)
	parallel(rows, func(i int) { parts[i] = f(i) })
	sum := 0.0
	for _, p := range parts {
		sum += p
	}
	return sum
}

// spread returns tr(XᵀHX), the sum of the squared distances of the rows from their mean.
func spread(x *mat.Dense) float64 {
	mean, sum := samples.Means(x), 0.0
	n, _ := x.Dims()
	for i := range n {
		sum += samples.SquaredDistance(x.RawRowView(i), mean)
	}
	return sum
}

// lower returns a view of the lower triangle of a square matrix.
func lower(a *mat.Dense) blas64.Triangular {
	raw := a.RawMatrix()
	return blas64.Triangular{Uplo: 'L', Diag: 'N', N: raw.Rows, Data: raw.Data, Stride: raw.Stride}
}

// symmetric returns a symmetric view of a square matrix whose lower triangle is set.
func symmetric(a *mat.Dense) blas64.Symmetric {
	raw := a.RawMatrix()
	return blas64.Symmetric{Uplo: 'L', N: raw.Rows, Data: raw.Data, Stride: raw.Stride}
}
