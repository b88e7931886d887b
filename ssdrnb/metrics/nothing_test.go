package metrics

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A nil matrix gives ErrOption, never a panic.
func TestNil(t *testing.T) {
	ctx, x := context.Background(), mat.NewDense(4, 1, []float64{0, 1, 3, 7})
	classes := []int{0, 0, 1, 1}
	for name, run := range map[string]func() error{
		"Assign":                 func() error { _, _, err := Assign(nil); return err },
		"KMeans":                 func() error { _, err := KMeans(ctx, nil, 2, KMeansOptions{}); return err },
		"LeaveOneOut":            func() error { _, err := LeaveOneOut(nil, classes); return err },
		"NearestNeighbor train":  func() error { _, err := NearestNeighbor(nil, classes, x); return err },
		"NearestNeighbor query":  func() error { _, err := NearestNeighbor(x, classes, nil); return err },
		"NearestNeighborPath":    func() error { _, err := NearestNeighborPath(nil, classes, x, classes); return err },
		"NearestNeighborPath q":  func() error { _, err := NearestNeighborPath(x, classes, nil, classes); return err },
		"ScoreClusters":          func() error { _, err := ScoreClusters(ctx, nil, classes, 2, KMeansOptions{}); return err },
		"Silhouette":             func() error { _, _, err := Silhouette(ctx, nil, classes); return err },
		"LabelTrustworthiness x": func() error { _, err := LabelTrustworthiness(nil, x, classes); return err },
		"LabelTrustworthiness y": func() error { _, err := LabelTrustworthiness(x, nil, classes); return err },
		"LabelContinuity":        func() error { _, err := LabelContinuity(x, nil, classes); return err },
		"RNX x":                  func() error { _, _, err := RNX(ctx, nil, x); return err },
		"RNX y":                  func() error { _, _, err := RNX(ctx, x, nil); return err },
		"TripletAccuracy x":      func() error { _, err := TripletAccuracy(ctx, nil, x, 1, 1); return err },
		"TripletAccuracy y":      func() error { _, err := TripletAccuracy(ctx, x, nil, 1, 1); return err },
		"ShepardCorrelation x":   func() error { _, err := ShepardCorrelation(ctx, nil, x, 1); return err },
		"ShepardCorrelation y":   func() error { _, err := ShepardCorrelation(ctx, x, nil, 1); return err },
		"Reliability x":          func() error { _, err := Reliability(ctx, nil, x, 1); return err },
		"Reliability y":          func() error { _, err := Reliability(ctx, x, nil, 1); return err },
		"Kept x":                 func() error { _, err := Kept(ctx, nil, x); return err },
		"Kept y":                 func() error { _, err := Kept(ctx, x, nil); return err },
		"Trustworthiness x":      func() error { _, err := Trustworthiness(ctx, nil, x, 1); return err },
		"Trustworthiness y":      func() error { _, err := Trustworthiness(ctx, x, nil, 1); return err },
		"Continuity":             func() error { _, err := Continuity(ctx, x, nil, 1); return err },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if e := recover(); e != nil {
					t.Errorf("panic: %v", e)
				}
			}()
			if err := run(); !errors.Is(err, ErrOption) {
				t.Errorf("got %v", err)
			}
		})
	}
}
