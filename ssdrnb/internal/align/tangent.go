package align

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
)

// Tangent returns the first d left singular vectors of the k centred samples of a neighbourhood.
// The result is k×d and orthonormal, with columns in descending order of singular values. If the
// samples vary in fewer than d directions, the remaining columns are 0.
func Tangent(x *mat.Dense, members []int32, d int) (*mat.Dense, error) {
	k := len(members)
	_, features := x.Dims()
	z := mat.NewDense(k, features, nil)
	// The first sample is subtracted, so that copies of it become exactly 0, and rounding depends
	// on the spread of the neighbourhood, not on its distance from the origin.
	first, mean := x.RawRowView(int(members[0])), make([]float64, features)
	for a, m := range members {
		row := z.RawRowView(a)
		for c, v := range x.RawRowView(int(m)) {
			row[c] = v - first[c]
			mean[c] += row[c]
		}
	}
	for a := range members {
		row := z.RawRowView(a)
		for c := range row {
			row[c] -= mean[c] / float64(k)
		}
	}
	gram := mat.NewSymDense(k, nil)
	gram.SymOuterK(1, z)
	return leading(gram, d)
}

// TangentKernel is [Tangent] in the feature space of a kernel matrix.
func TangentKernel(kernel mat.Symmetric, members []int32, d int) (*mat.Dense, error) {
	k := len(members)
	gram, mean, all := mat.NewSymDense(k, nil), make([]float64, k), 0.0
	for a, i := range members {
		for _, j := range members {
			mean[a] += kernel.At(int(i), int(j)) / float64(k)
		}
		all += mean[a] / float64(k)
	}
	for a, i := range members {
		for b := a; b < k; b++ {
			gram.SetSym(a, b, kernel.At(int(i), int(members[b]))-mean[a]-mean[b]+all)
		}
	}
	return leading(gram, d)
}

// leading returns the eigenvectors of a Gram matrix for its d largest eigenvalues, in descending
// order. Eigenvectors whose eigenvalue is rounding error become 0.
func leading(gram *mat.SymDense, d int) (*mat.Dense, error) {
	k := gram.SymmetricDim()
	values, vectors, err := blas.EigenSymRange(gram, k-d, k)
	if err != nil {
		return nil, err
	}
	u := dense.ReversedColumns(vectors)
	for c := range d {
		if !(values[d-1-c] > 1e-14*values[d-1]) {
			for a := range k {
				u.Set(a, c, 0)
			}
		}
	}
	return u, nil
}

// Orthonormalize orthonormalises the columns of m from left to right by two passes of Gram–Schmidt.
// A column that depends linearly on earlier columns becomes 0.
func Orthonormalize(m *mat.Dense) {
	rows, cols := m.Dims()
	norm := func(c int) float64 {
		sum := 0.0
		for a := range rows {
			sum += m.At(a, c) * m.At(a, c)
		}
		return math.Sqrt(sum)
	}
	for c := range cols {
		before := norm(c)
		for range 2 {
			for b := range c {
				dot := 0.0
				for a := range rows {
					dot += m.At(a, b) * m.At(a, c)
				}
				for a := range rows {
					m.Set(a, c, m.At(a, c)-dot*m.At(a, b))
				}
			}
		}
		after := norm(c)
		for a := range rows {
			if after > 1e-10*before {
				m.Set(a, c, m.At(a, c)/after)
			} else {
				m.Set(a, c, 0)
			}
		}
	}
}
