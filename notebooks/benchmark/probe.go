package main

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// probe is a linear classifier on a map: ridge regression of class indicators, with penalty 1. The
// coordinates are centred and scaled to unit variance over the labelled samples.
type probe struct {
	classes       []int
	center, scale []float64
	w             *mat.Dense // features × classes
	bias          []float64
}

func fitProbe(y *mat.Dense, labels []int) (*probe, error) {
	classes := slices.Compact(slices.Sorted(slices.Values(labels)))
	t := mat.NewDense(len(labels), len(classes), nil)
	for i, l := range labels {
		k, _ := slices.BinarySearch(classes, l)
		t.Set(i, k, 1)
	}
	return fitRidge(y, t, classes)
}

// fitLine fits the same ridge regression to numeric values instead of class indicators.
func fitLine(y *mat.Dense, values []float64) (*probe, error) {
	return fitRidge(y, mat.NewDense(len(values), 1, slices.Clone(values)), []int{0})
}

// fitRidge fits a ridge regression from y to the columns of t. It overwrites t.
func fitRidge(y, t *mat.Dense, classes []int) (*probe, error) {
	n, d := y.Dims()
	p := &probe{classes: classes, center: make([]float64, d), scale: make([]float64, d)}
	c := len(p.classes)
	z := mat.NewDense(n, d, nil)
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
	for i := range n {
		for k := range c {
			p.bias[k] += t.At(i, k) / float64(n)
		}
	}
	for i := range n {
		for k := range c {
			t.Set(i, k, t.At(i, k)-p.bias[k])
		}
	}
	// W = (ZᵀZ + I)⁻¹ZᵀT = Zᵀ(ZZᵀ + I)⁻¹T. The smaller of the two systems is solved.
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

// predict returns the class with the largest score for each row, the first class in a tie.
func (p *probe) predict(y *mat.Dense) []int {
	n, _ := y.Dims()
	out, top := make([]int, n), make([]float64, n)
	for k, class := range p.classes {
		for i, v := range p.scores(y, k) {
			if k == 0 || v > top[i] {
				out[i], top[i] = class, v
			}
		}
	}
	return out
}

// scores returns, for each row of y, the predicted score of the class p.classes[column]. After
// [fitLine], the score for column 0 is the predicted value.
func (p *probe) scores(y *mat.Dense, column int) []float64 {
	n, d := y.Dims()
	out := make([]float64, n)
	for i := range n {
		out[i] = p.bias[column]
		for j := range d {
			out[i] += (y.At(i, j) - p.center[j]) / p.scale[j] * p.w.At(j, column)
		}
	}
	return out
}
