package graph

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph/internal/distance"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Metric is the distance between samples.
type Metric int

// The metrics. The metrics up to Haversine are increasing functions of the Euclidean distance
// between transformed samples, called images. Every search method therefore supports them. For the
// other metrics, a search either compares all pairs, which is exact, or is approximate.
const (
	// Euclidean is √Σ(xⱼ − yⱼ)².
	Euclidean Metric = iota
	// Cosine is 1 − xᵀy/(‖x‖‖y‖), between 0 and 2; for text embeddings.
	Cosine
	// Correlation is 1 − Pearson's r. This is the cosine distance after subtraction of the mean of
	// each sample's values; for gene expression profiles.
	Correlation
	// Spearman is 1 − ρ. This is the correlation distance of the ranks of the values within each
	// sample. Equal values get their mean rank.
	Spearman
	// Hellinger is √(1 − Σ√(pⱼqⱼ)), between 0 and 1, where p and q are samples scaled to sum to 1.
	// Use it for counts and shares. Values must not be negative.
	Hellinger
	// Mahalanobis is √((x − y)ᵀS⁻¹(x − y)), where S is the covariance matrix of the samples with
	// divisor n − 1.
	Mahalanobis
	// Haversine is the great-circle distance in kilometres between two points on a sphere of radius
	// [EarthRadius]. A sample is a latitude and a longitude in degrees.
	Haversine
	// Manhattan is Σ|xⱼ − yⱼ|.
	Manhattan
	// Chebyshev is max|xⱼ − yⱼ|.
	Chebyshev
	// Hamming is the share of features that differ between two samples.
	Hamming
	// Jaccard is 1 − |A∩B|/|A∪B|, where A and B are the sets of features that are not 0. It is 0
	// between two empty sets.
	Jaccard
	// Gower is the mean of |xⱼ − yⱼ|/rⱼ, where rⱼ is the range of feature j among the samples.
	// Features with range 0 count as equal. Use it for columns with different units.
	Gower
)

// metrics lists the names in order.
var metrics = []string{"euclidean", "cosine", "correlation", "spearman", "hellinger", "mahalanobis", "haversine", "manhattan", "chebyshev", "hamming", "jaccard", "gower"}

// LastMetric is the greatest value of [Metric].
const LastMetric = Gower

// EarthRadius is the mean radius of the Earth in kilometres.
const EarthRadius = 6371.0088

// String returns the name in lower case.
func (m Metric) String() string {
	if m < 0 || int(m) >= len(metrics) {
		return fmt.Sprintf("Metric(%d)", int(m))
	}
	return metrics[m]
}

// norm returns the norm that compares the images of two samples.
func (m Metric) norm() distance.Norm {
	switch m {
	case Manhattan, Gower:
		return distance.Sum
	case Chebyshev:
		return distance.Most
	case Hamming:
		return distance.Differ
	case Jaccard:
		return distance.Overlap
	}
	return distance.Square
}

// measure holds samples prepared for comparison by a metric. Row i of x is sample i, or its image
// if the metric transforms samples. The vectors to compare are (row − shift)·scale; shift and scale
// are nil if they change nothing. Vectors are compared by the squared Euclidean distance, or by
// another norm for Manhattan and the metrics after it.
type measure struct {
	metric       Metric
	norm         distance.Norm
	x            *mat.Dense
	shift, scale []float64 // per sample
	image        imageMap
}

// newMeasure returns the measure of x. It fails unless the squared distances of the samples are
// finite.
func newMeasure(x *mat.Dense, metric Metric) (*measure, error) {
	if err := checkSize(x, samplesSide); err != nil {
		return nil, err
	}
	to, err := learnMap(x, metric)
	if err != nil {
		return nil, err
	}
	return to.measure(x, metric, samplesSide)
}

// queryMeasure returns the measure of the queries q, with the parameters estimated from the samples
// of m.
func (m *measure) queryMeasure(q *mat.Dense) (*measure, error) {
	if err := checkSize(q, queriesSide); err != nil {
		return nil, err
	}
	return m.image.measure(q, m.metric, queriesSide)
}

// normalize sets shift and scale so that the vectors have length 1. Correlation and Spearman
// subtract the mean of the row first. `of` is the name of m.x in error messages.
func (m *measure) normalize(of side) error {
	n, _ := m.x.Dims()
	m.shift, m.scale = make([]float64, n), make([]float64, n)
	return inBlocks(n, 1024, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			row := m.x.RawRowView(i)
			if m.metric != Cosine {
				m.shift[i] = samples.Mean(row)
			}
			most, norm := 0.0, 0.0
			for _, v := range row {
				most = max(most, math.Abs(v))
			}
			unit := samples.Unit(most)
			for _, v := range row {
				u := (v - m.shift[i]) * unit
				norm += float64(u * u)
			}
			m.scale[i] = unit / math.Sqrt(norm)
			// The differences from the mean have an error of about 2⁻⁵³ times the largest value.
			top, what := most*unit, "a constant row"
			directed := norm > 0x1p-96*top*top*float64(len(row))
			switch {
			case directed && !math.IsInf(m.scale[i], 1):
				continue
			case directed:
				what = "almost a row of zeros"
			case m.metric == Cosine:
				what = "a row of zeros"
			}
			return advice.Errorf("remove the row, or use the Euclidean metric", "%w: %s %d is %s, for which the %v distance is undefined", ErrNotFinite, of.row(), i, what, m.metric)
		}
		return nil
	})
}

func (m *measure) normalization(i int32) (shift, scale float64) {
	if m.shift == nil {
		return 0, 1
	}
	return m.shift[i], m.scale[i]
}

// read writes the vector of sample i to out.
func (m *measure) read(i int32, out []float64) {
	shift, scale := m.normalization(i)
	for j, v := range m.x.RawRowView(int(i)) {
		out[j] = (v - shift) * scale
	}
}

// squares sets out[a] to the squared distance, or the value of another norm, between sample i of m
// and sample index[a] of o. It computes four squared distances at a time in double precision. Each
// sum runs in the order of the features, so that the result is bitwise equal to
// [samples.SquaredDistance].
func (m *measure) squares(i int32, o *measure, index []int32, out []float64) {
	if m.norm != distance.Square {
		q := m.x.RawRowView(int(i))
		for a, j := range index {
			out[a] = compare(m.norm, q, o.x.RawRowView(int(j)))
		}
		return
	}
	q := make([]float64, len(m.x.RawRowView(int(i))))
	m.read(i, q)
	for a := 0; a < len(index); a += 4 {
		var rows [4][]float64
		var shift, scale, sum [4]float64
		for r := range rows {
			j := index[min(a+r, len(index)-1)]
			rows[r] = o.x.RawRowView(int(j))[:len(q)]
			shift[r], scale[r] = o.normalization(j)
		}
		r0, r1, r2, r3 := rows[0], rows[1], rows[2], rows[3]
		if o.shift == nil {
			for j, v := range q {
				d0, d1, d2, d3 := v-r0[j], v-r1[j], v-r2[j], v-r3[j]
				sum[0] += d0 * d0
				sum[1] += d1 * d1
				sum[2] += d2 * d2
				sum[3] += d3 * d3
			}
			copy(out[a:len(index)], sum[:])
			continue
		}
		for j, v := range q {
			d0, d1 := v-(r0[j]-shift[0])*scale[0], v-(r1[j]-shift[1])*scale[1]
			d2, d3 := v-(r2[j]-shift[2])*scale[2], v-(r3[j]-shift[3])*scale[3]
			sum[0] += d0 * d0
			sum[1] += d1 * d1
			sum[2] += d2 * d2
			sum[3] += d3 * d3
		}
		copy(out[a:len(index)], sum[:])
	}
}

// distance converts key, the value of the norm for two samples, to their distance under the metric.
// For most metrics, key is a squared distance.
func (m *measure) distance(key float64) float64 {
	switch m.metric {
	case Cosine, Correlation, Spearman:
		return key / 2
	case Hellinger:
		return math.Sqrt(key / 2)
	case Haversine:
		return 2 * EarthRadius * math.Asin(min(1, math.Sqrt(key)/2))
	case Hamming, Gower:
		_, features := m.x.Dims()
		return key / float64(features)
	case Manhattan, Chebyshev, Jaccard:
		return key
	}
	return math.Sqrt(key)
}

// convert converts Euclidean distances between images to distances under the metric.
func (m *measure) convert(dist []float64) {
	for a, d := range dist {
		dist[a] = m.distance(d * d)
	}
}

// dense returns the vectors of all samples, one per row. If shift and scale are nil, it returns x
// itself.
func (m *measure) dense() *mat.Dense {
	if m.shift == nil {
		return m.x
	}
	n, d := m.x.Dims()
	out := mat.NewDense(n, d, nil)
	par.Blocks(n, 256, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			m.read(int32(i), out.RawRowView(i))
		}
	})
	return out
}
