package main

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// probe is a linear classifier: ridge regression of class indicators on features that are scaled
// to unit variance over the labelled samples, with penalty 1.
type probe struct {
	classes       []int
	center, scale []float64
	w             *mat.Dense // features × classes
	bias          []float64
}

func fitProbe(y *mat.Dense, labels []int) (*probe, error) {
	n, d := y.Dims()
	p := &probe{center: make([]float64, d), scale: make([]float64, d)}
	p.classes = slices.Compact(slices.Sorted(slices.Values(labels)))
	c := len(p.classes)
	z, t := mat.NewDense(n, d, nil), mat.NewDense(n, c, nil)
	column := make([]float64, n)
	for j := range d {
		mat.Col(column, j, y)
		mean, square := 0.0, 0.0
		for _, v := range column {
			mean += v / float64(n)
		}
		for _, v := range column {
			square += (v - mean) * (v - mean) / float64(n)
		}
		p.center[j], p.scale[j] = mean, math.Sqrt(square)
		if p.scale[j] == 0 {
			p.scale[j] = 1
		}
		for i, v := range column {
			z.Set(i, j, (v-mean)/p.scale[j])
		}
	}
	p.bias = make([]float64, c)
	for i, l := range labels {
		k, _ := slices.BinarySearch(p.classes, l)
		t.Set(i, k, 1)
		p.bias[k] += 1 / float64(n)
	}
	for i := range n {
		for k := range c {
			t.Set(i, k, t.At(i, k)-p.bias[k])
		}
	}
	// W = (ZᵀZ + I)⁻¹ZᵀT = Zᵀ(ZZᵀ + I)⁻¹T: whichever system is smaller.
	p.w = mat.NewDense(d, c, nil)
	var gram mat.SymDense
	var factor mat.Cholesky
	if d <= n {
		gram.SymOuterK(1, z.T())
		addIdentity(&gram)
		if !factor.Factorize(&gram) {
			return nil, errors.New("the probe's matrix is not positive definite")
		}
		var right mat.Dense
		right.Mul(z.T(), t)
		return p, factor.SolveTo(p.w, &right)
	}
	gram.SymOuterK(1, z)
	addIdentity(&gram)
	if !factor.Factorize(&gram) {
		return nil, errors.New("the probe's matrix is not positive definite")
	}
	var a mat.Dense
	if err := factor.SolveTo(&a, t); err != nil {
		return nil, err
	}
	p.w.Mul(z.T(), &a)
	return p, nil
}

func addIdentity(s *mat.SymDense) {
	for i := range s.SymmetricDim() {
		s.SetSym(i, i, s.At(i, i)+1)
	}
}

// predict returns the class of the largest score of each row, the first of equal ones.
func (p *probe) predict(y *mat.Dense) []int {
	n, d := y.Dims()
	z := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			z.Set(i, j, (y.At(i, j)-p.center[j])/p.scale[j])
		}
	}
	var scores mat.Dense
	scores.Mul(z, p.w)
	out := make([]int, n)
	for i := range n {
		best := 0
		for k := range p.classes {
			if scores.At(i, k)+p.bias[k] > scores.At(i, best)+p.bias[best] {
				best = k
			}
		}
		out[i] = p.classes[best]
	}
	return out
}
