package ssdrnb

import (
	"context"
	"fmt"
	"os"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// Inversion holds samples in the data space for given positions in an embedding.
type Inversion struct {
	// X is q×D, in the units of the data to which the model was fitted (scaled units if these data
	// were scaled).
	X *mat.Dense
	// Outside lists the rows of the positions in white space, ascending. A position is in white
	// space if its distance to the nearest sample exceeds a limit: four times the median distance
	// of a sample to its fifth neighbour. The rows of X for such positions are guesses.
	Outside []int
}

// invertedBy is the number of samples whose weighted mean is the inverse of a position. A position
// is in white space if its distance to the nearest sample exceeds whiteSpace times the median
// distance of a sample to its neighbour number usualNeighbor.
const invertedBy, usualNeighbor, whiteSpace = 64, 5, 4.0

// Inverse returns samples in the data space for the positions z (q×d) of the embedding. For
// Gaussian process latent variable models they are the predictions of [Model.Decode]. For other
// models each is a weighted mean of the 64 samples nearest in the embedding. The weights are ((R −
// r)/(R·r))², where r is the distance of the sample and R the distance of the 65th nearest sample.
// With at most 64 samples, R is twice the distance of the farthest sample. The result is continuous,
// and at the position of a sample it equals the sample. In a notebook, Inverse prints a warning
// about positions in white space, see [Inversion].
//
// Source: Franke, Nielson, "Smooth interpolation of large sets of scattered data", International
// Journal for Numerical Methods in Engineering 15, 1980, for the modified Shepard weights. The
// number 64 was selected by the error on held-out samples; bench/RESULTS.md compares the method
// with the nearest sample and with umap-learn's inverse_transform.
//
// Fails: where the embedding tears or folds the data, neighbours in the embedding differ in the
// data, and their mean resembles no sample. Transform need not map the result back to the position.
//
// The error wraps [ErrData] if z is empty, has the wrong number of columns or values that are not
// finite, or if the model has no dense samples. Model files of layouts hold the samples, but those
// of projections and of [Then] do not.
func (m *Model) Inverse(z *mat.Dense) (*Inversion, error) {
	fault := func(err error, remedy string) error {
		return &Error{Method: m.Method(), Param: "Inverse", Err: err, Remedy: remedy}
	}
	if z == nil || z.IsEmpty() {
		return nil, fault(fmt.Errorf("%w: there are no positions", ErrData), "give at least one position")
	}
	if _, d := z.Dims(); d != m.Dims() {
		return nil, fault(fmt.Errorf("%w: the positions have %s, but the embedding has %d", ErrData, nouns.Count(d, "coordinate"), m.Dims()), fmt.Sprintf("give positions of %s", nouns.Count(m.Dims(), "coordinate")))
	}
	if err := data.CheckFinite(z); err != nil {
		return nil, fault(fmt.Errorf("%w: a position is not finite", ErrData), "give finite positions")
	}
	n, _ := m.y.Dims()
	out := &Inversion{}
	near, err := graph.Query(context.Background(), m.y, z, min(invertedBy+1, n), graph.Euclidean)
	if err != nil {
		return nil, fault(fmt.Errorf("%w: %w", ErrData, err), remedyOf(err))
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

// denseSamples returns the training samples, or nil if they are not available.
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

// shepard returns, for each position, the weighted mean of the k rows of x nearest in the
// embedding. `near` lists k + 1 neighbours of each position, or all samples if there are fewer.
func shepard(x *mat.Dense, near *graph.Neighbors, k int) *mat.Dense {
	_, features := x.Dims()
	out := mat.NewDense(near.Len(), features, nil)
	for i := range near.Len() {
		index, dist := near.Of(i)
		radius := dist[len(dist)-1]
		if len(dist) <= k { // near lists all samples; a larger radius gives the last one a weight
			radius *= 2
		} else {
			index, dist = index[:k], dist[:k]
		}
		weight, sum := make([]float64, len(dist)), 0.0
		for a, r := range dist {
			// Distances are relative to the nearest distance, which may be 0 or tiny.
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

// whiteSpaceOf returns the indices of the positions in the white space of the embedding y, or none
// if y has fewer than three samples. `near` lists the nearest samples of each position.
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

func (m *Model) warnWhiteSpace(outside []int, z *mat.Dense) {
	if len(outside) == 0 || !inNotebook() {
		return
	}
	q, _ := z.Dims()
	fmt.Fprintf(os.Stderr, "ssdrnb: Inverse of %s: %d of %s %s in white space, the first in row %d: the embedding has no samples there, and the results are guesses\n", m.Method(), len(outside), nouns.Count(q, "position"), nouns.Form(len(outside), "lies", "lie"), outside[0])
}
