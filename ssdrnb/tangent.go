package ssdrnb

import (
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
)

// Local coordinates on the tangent space of a neighbourhood, for LTSA and HLLE.

// tangent returns the first d left singular vectors of the centred samples of a
// neighbourhood: k×d, orthonormal, by falling singular value. A direction in which
// the neighbourhood has no extent is 0.
func tangent(x *mat.Dense, members []int32, d int) (*mat.Dense, error) {
	k := len(members)
	_, features := x.Dims()
	z := mat.NewDense(k, features, nil)
	mean := make([]float64, features)
	for _, m := range members {
		for c, v := range x.RawRowView(int(m)) {
			mean[c] += v
		}
	}
	for a, m := range members {
		row := z.RawRowView(a)
		for c, v := range x.RawRowView(int(m)) {
			row[c] = v - mean[c]/float64(k)
		}
	}
	gram := mat.NewSymDense(k, nil)
	gram.SymOuterK(1, z)
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

// checkTangent says whether neighbourhoods of k samples have room for d directions.
func checkTangent(j *job, k int) error {
	d, features := dimsOption.of(j), j.data.Dim()
	switch {
	case d > features:
		return j.fault("dims", d, fmt.Errorf("%w: a neighbourhood among %s has no more tangent directions", ErrOption, plural(features, "feature")), fmt.Sprintf("ask for at most %d", features))
	case d >= k:
		return j.faultAmong([]string{"neighbors", "dims"}, "dims", fmt.Errorf("%w: a neighbourhood of %s has %s at most, where %d are asked for", ErrOption, plural(k, "sample"), plural(k-1, "direction"), d), "raise Neighbors, or ask for fewer dimensions")
	}
	return nil
}

// orthogonalise makes the columns of m orthonormal from left to right (Gram–Schmidt,
// twice); a column that depends on those before it becomes 0.
func orthogonalise(m *mat.Dense) {
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
