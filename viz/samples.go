package viz

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Samples returns data as an embedding, so that figures can draw data without a model. The first
// two or three features are the coordinates.
func Samples(d *data.Data) Embedded { return samples{d} }

type samples struct{ d *data.Data }

func (s samples) Method() string   { return s.d.Name }
func (s samples) Data() *data.Data { return s.d }

func (s samples) Embedding() *mat.Dense {
	if s.d.Err() != nil {
		return nil // drawable reports the error
	}
	return s.d.X
}

// features returns the names of the first two features, or "feature 1" and "feature 2" if d has no
// names.
func features(d *data.Data) [2]string {
	if names := d.FeatureNames; len(names) > 1 {
		return [2]string{cut(names[0]), cut(names[1])}
	}
	return [2]string{"feature 1", "feature 2"}
}
