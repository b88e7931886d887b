package guide

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// pack moves the components of w (edges above least) in positions y, each as a whole,
// towards their common centre, until their centres lie as close together as in first, or
// the circles around two components touch. Guidance cuts edges, and nothing but pushes is
// then between two components: few samples would fly far apart.
func pack(y, first *mat.Dense, w *sparse.CSR, least float64) {
	count, of := graph.ComponentsAbove(w, least)
	if count == 1 {
		return
	}
	n, d := y.Dims()
	size := make([]float64, count)
	for _, c := range of {
		size[c]++
	}
	centres := func(p *mat.Dense) *mat.Dense {
		out := mat.NewDense(count, d, nil)
		for i, c := range of {
			for k, v := range p.RawRowView(i) {
				out.Set(c, k, out.At(c, k)+v/size[c])
			}
		}
		return out
	}
	// The root of the mean squared distance of the samples' centres from the middle.
	extent := func(centres *mat.Dense, middle []float64) float64 {
		s := 0.0
		for c := range count {
			s += size[c] / float64(n) * samples.SquaredDistance(centres.RawRowView(c), middle)
		}
		return math.Sqrt(s)
	}
	now, before := centres(y), centres(first)
	middle, _ := centre(y)
	was, _ := centre(first)
	reach := extent(now, middle)
	if reach == 0 {
		return
	}
	share := min(1, extent(before, was)/reach)
	radius := make([]float64, count)
	for i, c := range of {
		radius[c] = max(radius[c], math.Sqrt(samples.SquaredDistance(y.RawRowView(i), now.RawRowView(c))))
	}
	for a := range count {
		for b := range a {
			if apart := math.Sqrt(samples.SquaredDistance(now.RawRowView(a), now.RawRowView(b))); radius[a]+radius[b] > share*apart {
				share = min(1, (radius[a]+radius[b])/apart)
			}
		}
	}
	if !(share < 1) {
		return
	}
	for i, c := range of {
		row := y.RawRowView(i)
		for k := range row {
			row[k] -= (1 - share) * (now.At(c, k) - middle[k])
		}
	}
}
