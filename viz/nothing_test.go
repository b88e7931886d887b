package viz

import (
	"image"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// A nil model, nil data, a nil matrix or a nil image gives the figure an error, never a panic,
// whether it is a nil interface or a nil pointer.
func TestNil(t *testing.T) {
	var model *ssdrnb.Model
	var matrix *mat.Dense
	var grey *image.Gray
	iris := datasets.Iris()
	shape := data.Image{Width: 2, Height: 2}
	gplvm, path := Decoder(nil), mat.NewDense(2, 2, nil)
	for name, figure := range map[string]func() Figure{
		"Boundaries":          func() Figure { return Boundaries(nil) },
		"Convergence":         func() Figure { return Convergence(model) },
		"Convergence any":     func() Figure { return Convergence[Traced](nil) },
		"Distortion":          func() Figure { return Distortion(nil) },
		"Distortion pointer":  func() Figure { return Distortion(model) },
		"Embedding":           func() Figure { return Embedding(nil) },
		"Embedding pointer":   func() Figure { return Embedding(model) },
		"Embedding samples":   func() Figure { return Embedding(Samples(nil)) },
		"Embedding options":   func() Figure { return Embedding(model).Color("x") },
		"Compare":             func() Figure { return Compare[Embedded](nil, nil) },
		"Compare pointers":    func() Figure { return Compare(model, model) },
		"Uncertainty":         func() Figure { return Field(Uncertainty(nil)) },
		"Around":              func() Figure { return Field(Around(nil)) },
		"Around pointer":      func() Figure { return Field(Around(model)) },
		"Adjacency":           func() Figure { return Adjacency(nil, Graph{}) },
		"Adjacency graph":     func() Figure { return Adjacency(iris, Graph{}) },
		"GraphLinks":          func() Figure { return GraphLinks(nil, Graph{}) },
		"GraphLinks pointer":  func() Figure { return GraphLinks(model, Graph{}) },
		"GraphLinks graph":    func() Figure { return GraphLinks(Samples(iris), Graph{}) },
		"PairLinks":           func() Figure { return PairLinks(nil) },
		"PairLinks pointer":   func() Figure { return PairLinks(model) },
		"Loadings":            func() Figure { return Loadings(nil) },
		"Loadings pointer":    func() Figure { return Loadings(model) },
		"Mesh":                func() Figure { return Mesh(nil) },
		"Multiples":           func() Figure { return Multiples(Group{}) },
		"Recommended":         func() Figure { return Recommended(nil) },
		"Inverted":            func() Figure { return Pictures(Inverted(nil, path, 1)) },
		"Inverted pointer":    func() Figure { return Pictures(Inverted(model, path, 1)) },
		"Decoded":             func() Figure { return Pictures(Decoded(gplvm, path, 1)) },
		"Thumbnails":          func() Figure { return Pictures(Thumbnails(nil, shape, 1)) },
		"Thumbnails pointer":  func() Figure { return Pictures(Thumbnails(matrix, shape, 1)) },
		"Picture pointer":     func() Figure { return Pictures(Picture{Image: grey}) },
		"Regions":             func() Figure { return Pictures(Regions(nil)) },
		"Scribbles":           func() Figure { return Pictures(Scribbles(nil, nil)) },
		"Scribbles pointer":   func() Figure { return Pictures(Scribbles(grey, nil)) },
		"no picture":          func() Figure { return Pictures(Picture{}) },
		"no plane":            func() Figure { return Field(Plane{}) },
		"a path through none": func() Figure { return Pictures(Decoded(gplvm, PathThrough(model, 5, 0, 1), 1)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if e := recover(); e != nil {
					t.Errorf("panic: %v", e)
				}
			}()
			if figure().Err() == nil {
				t.Error("no error")
			}
		})
	}
}
