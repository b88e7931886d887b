package guide

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// Line is a linear function of the features, (x − Mean)·Weights + Bias.
type Line struct {
	Mean, Weights []float64 // of length D
	Bias          float64
	// G is the ridge penalty, relative to the largest squared singular value of the centred
	// samples.
	G float64
}

// At returns the value of the function at each row of x (n×D).
func (l *Line) At(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	out := make([]float64, n)
	for i := range out {
		out[i] = l.value(x.RawRowView(i))
	}
	return out
}

func (l *Line) value(row []float64) float64 {
	sum := l.Bias
	for k, v := range row {
		sum += float64((v - l.Mean[k]) * l.Weights[k])
	}
	return sum
}

// penalties returns the candidates for G: half powers of ten from 1e-3 to 1e3.
func penalties() []float64 {
	out := make([]float64, 13)
	for k := range out {
		out[k] = math.Pow(10, float64(k-6)/2)
	}
	return out
}

// leastFree is the smallest divisor in a leave-one-out error, which is a residual divided by 1 −
// h_ii for the hat matrix h. If h_ii is close to 1, sample i determines its own fitted value, and
// its leave-one-out error is meaningless.
const leastFree = 1e-3

// fitLine fits a linear function to values at the rows of x (m×D) by ridge regression. It selects
// the penalty with the smallest sum of squared leave-one-out errors; among equal errors the smaller
// penalty wins. It takes O(mD·min(m, D) + min(m, D)³) operations.
func fitLine(x *mat.Dense, values []float64) (*Line, error) {
	m, features := x.Dims()
	mean := samples.Means(x)
	z := samples.Minus(x, mean)
	bias := mat.Sum(mat.NewVecDense(m, values)) / float64(m)
	t := mat.NewDense(m, 1, nil)
	for i, v := range values {
		t.Set(i, 0, v-bias)
	}
	// The eigenvalues of the smaller Gram matrix, zzᵀ or zᵀz, are the squared singular values of z.
	// Their rounding errors are far below the smallest penalty.
	dual := m <= features
	gram := new(mat.SymDense)
	if dual {
		gram.SymOuterK(1, z)
	} else {
		gram.SymOuterK(1, z.T())
	}
	s, err := spectral.Decompose(gram)
	if err != nil {
		return nil, err
	}
	s = s.Clip()
	largest := s.Values[len(s.Values)-1]
	l := &Line{Mean: mean, Weights: make([]float64, features), Bias: bias}
	if largest == 0 { // all samples are equal
		return l, nil
	}
	// Column j of squares holds the m squared entries of z·v_j, where v_j is eigenvector j of zᵀz.
	// Eigenvector j of zzᵀ is z·v_j divided by its norm.
	var squares mat.Dense
	if dual {
		squares.CloneFrom(s.Vectors)
		for i := range m {
			for j, v := range s.Values {
				squares.Set(i, j, squares.At(i, j)*squares.At(i, j)*v)
			}
		}
	} else {
		squares.Mul(z, s.Vectors)
		squares.MulElem(&squares, &squares)
	}
	least := math.Inf(1)
	hat := make([]float64, m)
	for _, g := range penalties() {
		inverse := func(v float64) float64 { return 1 / (v + g*largest) }
		var fitted, w *mat.Dense
		if dual {
			a := s.Apply(inverse, t)
			fitted, w = new(mat.Dense), new(mat.Dense)
			w.Mul(z.T(), a)
			fitted.Mul(z, w)
		} else {
			var zt mat.Dense
			zt.Mul(z.T(), t)
			w = s.Apply(inverse, &zt)
			fitted = new(mat.Dense)
			fitted.Mul(z, w)
		}
		scale := make([]float64, len(s.Values))
		for j, v := range s.Values {
			scale[j] = inverse(v)
		}
		mat.NewVecDense(m, hat).MulVec(&squares, mat.NewVecDense(len(scale), scale))
		sum := 0.0
		for i := range m {
			e := (t.At(i, 0) - fitted.At(i, 0)) / max(1-hat[i]-1/float64(m), leastFree)
			sum += e * e
		}
		if sum < least {
			least, l.G = sum, g
			copy(l.Weights, w.RawMatrix().Data)
		}
	}
	return l, nil
}
