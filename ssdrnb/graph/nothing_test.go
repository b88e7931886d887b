package graph

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// A nil matrix or graph gives ErrOption, never a panic.
func TestNil(t *testing.T) {
	ctx, x := context.Background(), mat.NewDense(4, 1, []float64{0, 1, 3, 7})
	if l := Laplacian(nil); l != nil {
		t.Errorf("the Laplacian of nil is %v", l)
	}
	for _, w := range [][]*sparse.CSR{nil, {nil}, {nil, nil}} {
		if count, of := Components(w...); count != 0 || of != nil {
			t.Errorf("nil has %d components, %v", count, of)
		}
	}
	if count, _ := ComponentsAbove(nil, 0); count != 0 {
		t.Errorf("nil has %d components", count)
	}
	if count, of := Components(nil, sparse.Identity(2)); count != 2 || len(of) != 2 {
		t.Errorf("nil beside two samples: %d components, %v", count, of)
	}
	for name, run := range map[string]func() error{
		"Search exactly":             func() error { _, err := Search(ctx, nil, 1, SearchOptions{Method: Exact}); return err },
		"Search":                     func() error { _, err := Search(ctx, nil, 1, SearchOptions{}); return err },
		"Query samples":              func() error { _, err := Query(ctx, nil, x, 1, Euclidean); return err },
		"Query queries":              func() error { _, err := Query(ctx, x, nil, 1, Euclidean); return err },
		"Query by a metric, samples": func() error { _, err := Query(ctx, nil, x, 1, Cosine); return err },
		"Query by a metric, queries": func() error { _, err := Query(ctx, x, nil, 1, Cosine); return err },
		"Ball":                       func() error { _, err := Ball(ctx, nil, 1); return err },
		"Weigh":                      func() error { _, err := Weigh(nil, Weights{}, nil); return err },
		"Lone":                       func() error { _, err := Lone(nil, Weights{}, nil); return err },
		"Connect samples":            func() error { _, _, err := Connect(ctx, nil, nil); return err },
		"Connect graph":              func() error { _, _, err := Connect(ctx, x, nil); return err },
		"ConnectNearly":              func() error { _, _, err := ConnectNearly(ctx, x, nil); return err },
		"ConnectBy samples":          func() error { _, _, err := ConnectBy(ctx, nil, sparse.Identity(2)); return err },
		"ConnectBy graph":            func() error { _, _, err := ConnectBy(ctx, mat.NewSymDense(2, nil), nil); return err },
		"NearestOf":                  func() error { _, err := NearestOf(ctx, nil, 1); return err },
		"QueryOf":                    func() error { _, err := QueryOf(ctx, nil, 1); return err },
		"SearchSparse":               func() error { _, err := SearchSparse(ctx, nil, nil, 1, Euclidean); return err },
		"HalfMedianOf":               func() error { _, err := HalfMedianOf(nil); return err },
		"HalfMedianSparse":           func() error { _, err := HalfMedianSparse(ctx, nil, Euclidean); return err },
		"MeanDistance":               func() error { _, err := MeanDistance(ctx, nil); return err },
		"Diameter":                   func() error { _, err := Diameter(ctx, nil); return err },
		"Diffuse":                    func() error { _, err := Diffuse(ctx, nil, nil, 1); return err },
		"Geodesics":                  func() error { _, _, err := Geodesics(ctx, nil); return err },
		"LandmarkGeodesics":          func() error { _, _, err := LandmarkGeodesics(ctx, nil, []int{0}); return err },
		"HalfMedian":                 func() error { _, err := HalfMedian(ctx, nil, Euclidean); return err },
		"HalfMedian by a metric":     func() error { _, err := HalfMedian(ctx, nil, Cosine); return err },
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
