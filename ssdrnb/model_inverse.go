package ssdrnb

import (
	"context"
	"fmt"
	"os"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// Inversion are samples of the data space at positions of an embedding.
type Inversion struct {
	// X is q×D, in the units of the data that the model was fitted to: scaled, where these were.
	X *mat.Dense
	// Outside are the positions, ascending, in white space: further from every sample than four
	// times the median distance of samples to their fifth nearest. What X has there is no more
	// than a mean of the nearest samples.
	Outside []int
}

// Numbers of samples that a position is inverted by, and that decide what white space is.
const invertedBy, usualNeighbor, whiteSpace = 64, 5, 4.0

// Inverse returns samples of the data space at positions z, q×d, of the embedding: those that
// Gaussian process latent variable models predict, see [Model.Decode], and elsewhere the mean of
// the 64 samples nearest in the embedding, each with the weight ((R − r)/(R·r))², r its
// distance and R that of the 65th. The result is that of a sample at its position, and continuous
// between samples. In a notebook a warning tells of positions in white space.
//
// Source: Franke, Nielson, "Smooth interpolation of large sets of scattered data", International
// Journal for Numerical Methods in Engineering 15, 1980, who modify Shepard's weights so.
// The number of samples was chosen by the error of held-out samples; bench/RESULTS.md has it beside
// that of the nearest sample and of umap-learn's inverse_transform.
//
// Fails: an embedding that tears data apart or folds them has unlike samples side by side, and
// their means are like none of the data. It need not lead back: Transform of the result may lie
// elsewhere.
//
// Errors: positions of another number of dimensions, or not finite, wrap [ErrData], and so does a
// model whose samples are not dense, or were not saved with it.
func (m *Model) Inverse(z *mat.Dense) (*Inversion, error) {
	fault := func(err error, remedy string) error {
		return &Error{Method: m.Method(), Param: "Inverse", Err: err, Remedy: remedy}
	}
	if z == nil || z.IsEmpty() {
		return nil, fault(fmt.Errorf("%w: no rows", ErrData), "give at least one position")
	}
	if _, d := z.Dims(); d != m.Dims() {
		return nil, fault(fmt.Errorf("%w: the positions have %s, the embedding %d", ErrData, plural(d, "coordinate"), m.Dims()), fmt.Sprintf("give positions of %s", plural(m.Dims(), "coordinate")))
	}
	if err := data.CheckFinite(z); err != nil {
		return nil, fault(fmt.Errorf("%w: a position is not finite", ErrData), "give finite positions")
	}
	n, _ := m.y.Dims()
	out := &Inversion{}
	near, err := graph.Query(context.Background(), m.y, z, min(invertedBy+1, n), graph.Euclidean)
	if err != nil {
		return nil, err
	}
	if out.Outside, err = whiteSpaceOf(m.y, near); err != nil {
		return nil, err
	}
	if _, ok := m.mapping.(*latent); ok {
		var d *Decoding
		if d, err = m.Decode(z); err != nil {
			return nil, err
		}
		out.X = d.Mean
	} else {
		x := m.denseSamples()
		if x == nil {
			return nil, fault(fmt.Errorf("%w: the model has no dense samples", ErrData), "fit the model again, to dense data")
		}
		out.X = shepard(x, near, min(invertedBy, n))
	}
	m.warnWhiteSpace(out.Outside, z)
	return out, nil
}

// denseSamples returns the training samples, nil where the model does not know them.
func (m *Model) denseSamples() *mat.Dense {
	n, _ := m.y.Dims()
	if x := m.data.X; x != nil {
		if rows, _ := x.Dims(); rows == n {
			return x
		}
	}
	if s, ok := m.mapping.(interface{ Dense() *mat.Dense }); ok {
		if x := s.Dense(); x != nil {
			if rows, _ := x.Dims(); rows == n {
				return x
			}
		}
	}
	return nil
}

// shepard returns for each position the mean of the k rows of x that are nearest in the embedding;
// near lists one more where there are more.
func shepard(x *mat.Dense, near *graph.Neighbors, k int) *mat.Dense {
	_, features := x.Dims()
	out := mat.NewDense(near.Len(), features, nil)
	for i := range near.Len() {
		index, dist := near.Of(i)
		radius := dist[len(dist)-1]
		if len(dist) <= k { // all samples: the last counts too
			radius *= 2
		} else {
			index, dist = index[:k], dist[:k]
		}
		weight, sum := make([]float64, len(dist)), 0.0
		for a, r := range dist {
			// In units of the nearest, whose distance may be 0 or tiny.
			switch {
			case dist[0] == 0 || radius == dist[0]:
				if r == dist[0] {
					weight[a] = 1
				}
			default:
				w := (radius - r) / (radius - dist[0]) * (dist[0] / r)
				weight[a] = w * w
			}
			sum += weight[a]
		}
		row := out.RawRowView(i)
		for a, j := range index {
			for c, v := range x.RawRowView(int(j)) {
				row[c] += weight[a] / sum * v
			}
		}
	}
	return out
}

// whiteSpaceOf returns the positions, of which near lists the nearest samples, that lie in the white
// space of an embedding y.
func whiteSpaceOf(y *mat.Dense, near *graph.Neighbors) ([]int, error) {
	n, _ := y.Dims()
	if n < 3 {
		return nil, nil
	}
	k := min(usualNeighbor, n-1)
	around, err := graph.Search(context.Background(), y, k, graph.SearchOptions{})
	if err != nil {
		return nil, err
	}
	usual := make([]float64, n)
	for i := range usual {
		_, dist := around.Of(i)
		usual[i] = dist[k-1]
	}
	slices.Sort(usual)
	var out []int
	for i := range near.Len() {
		if _, dist := near.Of(i); dist[0] > whiteSpace*usual[n/2] {
			out = append(out, i)
		}
	}
	return out, nil
}

// warnWhiteSpace tells the reader of a notebook of positions in white space.
func (m *Model) warnWhiteSpace(outside []int, z *mat.Dense) {
	if len(outside) == 0 || !inNotebook() {
		return
	}
	q, _ := z.Dims()
	fmt.Fprintf(os.Stderr, "ssdrnb: Inverse of %s: %d of %d positions, the first of them %d, are in white space, where the embedding has no samples: what is there is a guess\n", m.Method(), len(outside), q, outside[0])
}
