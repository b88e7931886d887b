package viz

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Samples lets data be drawn as they are: viz.Embedding(viz.Samples(d)) shows
// the first two or three features. It is nil, which no figure draws, where d has
// an error.
func Samples(d *data.Data) Embedded {
	if d.Err() != nil || d.X == nil {
		return nil
	}
	return samples{d}
}

type samples struct{ d *data.Data }

func (s samples) Method() string        { return "samples" }
func (s samples) Embedding() *mat.Dense { return s.d.X }
func (s samples) Data() *data.Data      { return s.d }
