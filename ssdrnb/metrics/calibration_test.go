package metrics_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

func TestCalibration(t *testing.T) {
	// Two bins by hand: 0.2 and 0.4 with none right; 0.6, 0.8 and 1 with two right.
	diagram, expected, err := metrics.Calibration([]float64{0.8, 0.2, 1, 0.4, 0.6}, []bool{false, false, true, false, true}, 2)
	if err != nil || len(diagram) != 2 {
		t.Fatal(diagram, err)
	}
	for k, want := range []metrics.CalibrationBin{{Predicted: 0.3, Count: 2}, {Predicted: 0.8, Observed: 2.0 / 3, Count: 3}} {
		got := diagram[k]
		if math.Abs(got.Predicted-want.Predicted) > 1e-12 || math.Abs(got.Observed-want.Observed) > 1e-12 || got.Count != want.Count {
			t.Errorf("bin %d is %+v, want %+v", k, got, want)
		}
	}
	if want := (2*0.3 + 3*(0.8-2.0/3)) / 5; math.Abs(expected-want) > 1e-12 {
		t.Errorf("expected calibration error %v, want %v", expected, want)
	}
	// Calibrated probabilities have a small error, overconfident ones a large one.
	rng := rand.New(rand.NewPCG(1, 2))
	p, right, sure := make([]float64, 20000), make([]bool, 20000), make([]float64, 20000)
	for i := range p {
		p[i] = rng.Float64()
		right[i], sure[i] = rng.Float64() < p[i], 1
	}
	_, small, err := metrics.Calibration(p, right, 10)
	_, large, err2 := metrics.Calibration(sure, right, 10)
	if err != nil || err2 != nil || small > 0.03 || math.Abs(large-0.5) > 0.03 {
		t.Errorf("errors of %v and %v (%v, %v)", small, large, err, err2)
	}
	for name, call := range map[string]func() error{
		"sizes":       func() error { _, _, err := metrics.Calibration(p, right[:3], 2); return err },
		"no bin":      func() error { _, _, err := metrics.Calibration(p, right, 0); return err },
		"too many":    func() error { _, _, err := metrics.Calibration(p[:3], right[:3], 4); return err },
		"nothing":     func() error { _, _, err := metrics.Calibration(nil, nil, 1); return err },
		"beyond 1":    func() error { _, _, err := metrics.Calibration([]float64{1.5}, right[:1], 1); return err },
		"not defined": func() error { _, _, err := metrics.Calibration([]float64{math.NaN()}, right[:1], 1); return err },
	} {
		if err := call(); !errors.Is(err, metrics.ErrShape) && !errors.Is(err, metrics.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
