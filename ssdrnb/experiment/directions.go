package experiment

import (
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Directions describes how much a one-dimensional linear map varies between draws of the data, as
// in the toy experiment of the semi-Riemannian paper (Fig. 4).
type Directions struct {
	// W holds the unit direction of each draw. Figures show the class boundary perpendicular to
	// this direction.
	W [][]float64
	// Angles holds the angle between each direction and the ideal direction, in degrees from 0 to
	// 90. It is nil if no ideal direction was given.
	Angles []float64
	// MinCorrelation is the smallest |cosine| between the directions of two draws. It is 1 if there
	// is only one draw.
	MinCorrelation float64
	// Accuracy holds, for each draw, the share of hidden labels that 1-NN predicts correctly in one
	// dimension.
	Accuracy []float64
}

// MedianAngle returns the median of the angles, or NaN if there are none.
func (r *Directions) MedianAngle() float64 {
	n := len(r.Angles)
	if n == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(r.Angles))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// CompareDirections fits the linear method e to every draw, with one dimension. It compares the
// directions with each other and, unless `ideal` is nil, with `ideal`, a direction with one number
// per feature. Every draw needs hidden labels.
func CompareDirections(e ssdrnb.Estimator, ideal []float64, draws ...*data.Data) (*Directions, error) {
	e = ssdrnb.SpecOf(e)
	fault := func(param string, value any, err error, remedy string) error {
		return &ssdrnb.Error{Method: e.Spec().Method().Name, Param: param, Value: value, Err: err, Remedy: remedy}
	}
	if len(draws) == 0 {
		return nil, fault("draws", nil, fmt.Errorf("%w: no data", ssdrnb.ErrData), "give at least one draw")
	}
	unit := func(v []float64) []float64 {
		most, sum := 0.0, 0.0
		for _, x := range v {
			most = max(most, math.Abs(x))
		}
		out := make([]float64, len(v))
		for i, x := range v {
			out[i] = x * samples.Unit(most)
			sum += out[i] * out[i]
		}
		for i := range out {
			out[i] /= math.Sqrt(sum)
		}
		return out
	}
	cosine := func(a, b []float64) float64 {
		dot := 0.0
		for i, v := range a {
			dot += v * b[i]
		}
		return min(math.Abs(dot), 1)
	}
	r := &Directions{MinCorrelation: 1}
	for k, d := range draws {
		m, err := e.Spec().With("dims", 1).Fit(d)
		if err != nil {
			return nil, err
		}
		w, _, err := m.Projection()
		if err != nil {
			return nil, err
		}
		direction := unit(w.RawMatrix().Data)
		if k > 0 && len(direction) != len(r.W[0]) || ideal != nil && len(direction) != len(ideal) {
			return nil, fault("draws", fmt.Sprintf("draw %d", k), fmt.Errorf("%w: the draw has %s, unlike the other draws or the ideal direction", ssdrnb.ErrData, nouns.Count(len(direction), "feature")), "give draws and an ideal direction of the same features")
		}
		for _, other := range r.W {
			r.MinCorrelation = min(r.MinCorrelation, cosine(direction, other))
		}
		r.W = append(r.W, direction)
		if ideal != nil {
			c := cosine(direction, unit(ideal))
			if math.IsNaN(c) {
				return nil, fault("ideal", ideal, fmt.Errorf("%w: the ideal direction is 0 or not finite", ssdrnb.ErrOption), "give a vector that is finite and not 0")
			}
			r.Angles = append(r.Angles, math.Acos(c)*180/math.Pi)
		}
		accuracy, err := m.Score(ssdrnb.NearestNeighbor, nil)
		if err != nil {
			return nil, err
		}
		r.Accuracy = append(r.Accuracy, accuracy)
	}
	return r, nil
}
