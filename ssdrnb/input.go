package ssdrnb

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Support for data without dense features: distances, given neighbours, and sparse rows. For such
// data, job.x and the points of steps are nil, and the distances, neighbours or sparse rows are
// used instead.

// input is the set of kinds of data that a method accepts.
type input int

const (
	denseRows     input = iota // dense features only
	allDistances               // dense features, or distances between all samples
	neighborhoods              // any: dense features, distances, given neighbours or sparse rows
	sparseRows                 // dense features or sparse rows
)

// accepts reports whether the method accepts the kind of j.data.
func (j *job) accepts() bool {
	takes, d := j.spec.method.takes, j.data
	switch {
	case d.Distances != nil:
		return takes == allDistances || takes == neighborhoods
	case d.Nearest != nil:
		return takes == neighborhoods
	case d.Rows != nil:
		return takes == neighborhoods || takes == sparseRows
	}
	return true
}

// acceptable returns an error if the method does not accept the kind of j.data, or if the metric
// does not suit these data.
func (j *job) acceptable() error {
	d := j.data
	if j.accepts() {
		return j.metricFits()
	}
	if d.Rows != nil {
		return j.fault("data", nil, fmt.Errorf("%w: the method needs dense features, but the features of the data are sparse", ErrData),
			fmt.Sprintf("reduce them first with Data.PCA(%d), or, for a nonlinear method, with Then(PCA().Dims(%d), …)", j.components(), j.components()))
	}
	var able []string
	for _, m := range Methods() {
		if m.takes == neighborhoods || m.takes == allDistances && d.Distances != nil {
			able = append(able, m.Name)
		}
	}
	what := "neighbours"
	if d.Distances != nil {
		what = "distances"
	}
	return j.fault("data", nil, fmt.Errorf("%w: the method does not accept data that have only %s", ErrData, what), "use one of "+strings.Join(able, ", "))
}

// components returns the number of principal components that error messages suggest for sparse
// rows.
func (j *job) components() int { return max(1, min(50, j.data.Rows.Cols, j.data.Len()-1)) }

// metricFits returns an error if the option "metric" is set for data given by distances or
// neighbours, or if sparse rows do not support the metric.
func (j *job) metricFits() error {
	if !j.spec.method.has(metricOption.Name) {
		return nil
	}
	metric := metricOption.of(j)
	switch d := j.data; {
	case d.Related() && metric != Euclidean:
		return j.fault(metricOption.Name, metric, fmt.Errorf("%w: the data already contain distances", ErrOption), "leave Metric at its default")
	case d.Rows != nil && metric != Euclidean && metric != Cosine && metric != Jaccard:
		return j.fault(metricOption.Name, metric, fmt.Errorf("%w: sparse rows need the Euclidean, cosine or Jaccard metric", ErrOption), fmt.Sprintf("set Metric(Cosine), or reduce the features first with Data.PCA(%d)", j.components()))
	}
	return nil
}

// varied checks data that consist of distances, of given neighbours or of sparse rows. It returns
// an error if all distances are 0 or their squares underflow, if all values of sparse rows are 0,
// or if the square of a value overflows.
func (j *job) varied() error {
	d, n := j.data, j.data.Len()
	differ := true
	switch {
	case d.Distances != nil:
		raw := d.Distances.RawSymmetric()
		differ = false
		for i := range n {
			for k := i + 1; k < n; k++ {
				v := raw.Data[i*raw.Stride+k]
				if v > mostMeasurable {
					return j.fault("data", nil, fmt.Errorf("%w: the squares of distances up to %.3g overflow", ErrData, v), "give the distances in a larger unit")
				}
				differ = differ || v > leastMeasurable
			}
		}
	case d.Nearest != nil:
		if v := slices.Max(d.Nearest.Distance); v > mostMeasurable {
			return j.fault("data", nil, fmt.Errorf("%w: the squares of distances up to %.3g overflow", ErrData, v), "give the distances in a larger unit")
		}
		differ = slices.Max(d.Nearest.Distance) > leastMeasurable
	case d.Rows != nil:
		differ = slices.ContainsFunc(d.Rows.Val, func(v float64) bool { return v != 0 })
		for _, v := range d.Rows.Val {
			if math.Abs(v) > mostMeasurable {
				return j.fault("data", nil, fmt.Errorf("%w: the squares of values up to %.3g overflow", ErrData, math.Abs(v)), "give the features in a larger unit")
			}
		}
	}
	if !differ {
		return j.fault("data", nil, fmt.Errorf("%w: all %d samples are equal", ErrData, n), "give samples that differ")
	}
	return nil
}

// availableNeighbors returns the number of neighbours available for each sample.
func (w *work) availableNeighbors() int {
	if w.data.Nearest != nil {
		return w.data.Nearest.K
	}
	return w.data.Len() - 1
}

// related returns the k nearest neighbours for data without dense features.
func (s neighborsStep) related(w *work) (*graph.Neighbors, error) {
	switch d := w.data; {
	case d.Distances != nil:
		return graph.NearestOf(w.ctx, d.Distances, s.k)
	case d.Nearest != nil:
		if s.k > d.Nearest.K {
			return nil, advice.Errorf(fmt.Sprintf("ask for at most %d", d.Nearest.K), "%w: %d neighbours of each sample are needed, but only %d are given", ErrOption, s.k, d.Nearest.K)
		}
		nb := &graph.Neighbors{K: d.Nearest.K, Index: d.Nearest.Index, Dist: d.Nearest.Distance, Method: graph.Exact, Recall: 1}
		return nb.Head(s.k), nil
	default:
		return graph.SearchSparse(w.ctx, d.Rows, d.Rows, s.k, s.search.Metric)
	}
}

// relatedWidth returns the width σ of the heat affinity for data without dense features. It is half
// the median of all distances or, for given neighbours, the median distance to a neighbour.
func (s halfMedianStep) relatedWidth(w *work) (float64, error) {
	switch d := w.data; {
	case d.Distances != nil:
		return graph.HalfMedianOf(d.Distances)
	case d.Nearest != nil:
		return (&graph.Neighbors{K: d.Nearest.K, Dist: d.Nearest.Distance}).Median()
	default:
		return graph.HalfMedianSparse(w.ctx, d.Rows, s.metric)
	}
}

// known returns the samples in which a rule for new points searches for neighbours.
func known(j *job) outofsample.Samples {
	return outofsample.Samples{X: j.x(), Rows: j.data.Rows, N: j.data.Len(), Metric: metricOf(j)}
}

// relatedBridges returns the edges that join the components of a graph of data without dense
// features, as the function `joined` does for dense features. lengths holds the edge lengths of the
// graph. For sparse rows and given neighbours it returns an error.
func relatedBridges(j *job, lengths *sparse.CSR) ([]graph.Bridge, error) {
	switch d := j.data; {
	case d.Distances != nil:
		_, bridges, err := graph.ConnectBy(j.ctx, d.Distances, lengths)
		return bridges, err
	case d.Rows != nil:
		return nil, j.fault(disconnectedOption.Name, Join, fmt.Errorf("%w: the components of a graph of sparse rows cannot be joined", ErrOption), fmt.Sprintf("raise Neighbors, or reduce the features first with Data.PCA(%d)", j.components()))
	}
	return nil, j.fault(disconnectedOption.Name, Join, fmt.Errorf("%w: the distances between components are not known, as only neighbours are given", ErrOption), "give more neighbours, or all distances with FromDistances")
}

// distanceKernel is the kernel −½ d², whose feature-space distances equal the given distances. It
// needs no centring, because only differences of its entries are used.
type distanceKernel struct{ *mat.SymDense }

// At returns −½ d_ij².
func (k distanceKernel) At(i, j int) float64 {
	d := k.SymDense.At(i, j)
	return -d * d / 2
}

// pick returns the features of the samples in rows, nil if the data have no dense features.
func (w *work) pick(rows []int) *mat.Dense {
	if w.x() == nil {
		return nil
	}
	return samples.Pick(w.x(), rows)
}

// tangent returns the k×d tangent coordinates of the k samples listed in members, see
// [align.Tangent]. They are computed from the features, or from the distances if the data have no
// features.
func (w *work) tangent(members []int32, d int) (*mat.Dense, error) {
	if w.data.Distances != nil {
		return align.TangentKernel(distanceKernel{w.data.Distances}, members, d)
	}
	return align.Tangent(w.x(), members, d)
}

// weightsOf returns the weights that reconstruct each sample from its neighbours in links. `share`
// is the strength of the regularisation, see [align.Reconstruct]. The weights are computed from the
// features, or from the distances if the data have no features.
func (w *work) weightsOf(links *sparse.CSR, share float64) (*sparse.CSR, error) {
	if w.data.Distances != nil {
		return align.ReconstructKernel(w.ctx, distanceKernel{w.data.Distances}, links, share)
	}
	return align.Reconstruct(w.ctx, w.x(), links, share)
}

// coordinatesStep computes principal coordinates of the samples, n×dims. It uses [scoresStep] for
// dense features, a randomised projection for sparse rows, and classical scaling for distances. For
// given neighbours the result is nil.
type coordinatesStep struct{ dims int }

func (s coordinatesStep) run(w *work) (*mat.Dense, error) {
	switch d := w.data; {
	case d.X != nil:
		return shared(w, scoresStep(s))
	case d.Rows != nil:
		c, err := sparse.Principal(w.ctx, d.Rows, min(s.dims, d.Rows.Cols), 0)
		if err != nil {
			return nil, err
		}
		y, err := c.Project(d.Rows)
		if err != nil {
			return nil, err
		}
		return padded(y, s.dims), nil
	case d.Distances != nil:
		return scaledClassically(d.Distances, s.dims)
	}
	return nil, nil
}

// padded returns the first d columns of y, with zero columns appended if there are fewer. The signs
// of the columns are normalised, see [dense.Signs].
func padded(y *mat.Dense, d int) *mat.Dense {
	n, has := y.Dims()
	out := mat.NewDense(n, d, nil)
	out.Slice(0, n, 0, min(d, has)).(*mat.Dense).Copy(y)
	dense.Flip(dense.Signs(out), out)
	return out
}

// scaledClassically returns the n×d coordinates of Torgerson's classical scaling.
func scaledClassically(distances *mat.SymDense, d int) (*mat.Dense, error) {
	n := distances.SymmetricDim()
	b := mat.NewSymDense(n, nil)
	b.CopySym(distances)
	align.DoubleCenter(b)
	pairs, err := spectral.Top(b, min(d, n-1))
	if err != nil {
		return nil, err
	}
	for i := range n {
		row := pairs.Vectors.RawRowView(i)
		for c, v := range pairs.Values {
			row[c] *= math.Sqrt(max(v, 0))
		}
	}
	return padded(pairs.Vectors, d), nil
}

// componentsOf computes the PCA of sparse rows.
func componentsOf(j *job) (*solution, error) {
	if err := j.begin("components"); err != nil {
		return nil, err
	}
	n := float64(j.data.Len())
	rows := j.data.Rows
	c, err := sparse.Principal(j.ctx, rows, min(dimsOption.of(j)+1, rows.Cols, rows.Rows), 0)
	if errors.Is(err, sparse.ErrOption) {
		return nil, j.fault("data", nil, fmt.Errorf("%w: all %d samples are equal", ErrData, j.data.Len()), "give samples that differ")
	}
	if err != nil {
		return nil, err
	}
	d := j.limit(len(c.Variance), "the samples span no more dimensions")
	values, kept := make([]float64, d), 0.0
	for k := range values {
		values[k] = c.Variance[k] * n / (n - 1)
		kept += c.Variance[k]
	}
	j.fact(varianceShare, kept/c.Total)
	if d < len(c.Variance) {
		j.gap(values[d-1] - c.Variance[d]*n/(n-1))
	}
	c.Keep(d)
	y, err := c.Project(rows)
	if err != nil {
		return nil, err
	}
	return &solution{y: y, values: values, mapping: &outofsample.Linear{W: c.Basis, Mean: c.Mean}}, nil
}

// startKind returns the value of the option "start". For given neighbours, which have no principal
// components, it returns SpectralStart instead of PrincipalStart, with a warning if the option was
// set.
func startKind(j *job) Start {
	kind := initialOption.of(j)
	if kind != PrincipalStart || j.data.Nearest == nil {
		return kind
	}
	if slices.Contains(j.spec.Changed(), initialOption.Name) {
		j.warn("samples given by neighbours have no principal components: the layout starts from the eigenvectors of the graph")
	}
	return SpectralStart
}
