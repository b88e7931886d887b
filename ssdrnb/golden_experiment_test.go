package ssdrnb_test

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/experiment"
)

func init() {
	ssdrnb.ComparedDirections = func(e ssdrnb.Estimator, ideal []float64, draws ...*ssdrnb.Data) (correlation, median float64, angles, accuracy []float64, err error) {
		r, err := experiment.CompareDirections(e, ideal, draws...)
		if err != nil {
			return 0, 0, nil, nil, err
		}
		return r.MinCorrelation, r.MedianAngle(), r.Angles, r.Accuracy, nil
	}
}
