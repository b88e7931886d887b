package graph

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Metric is what "near" means.
type Metric int

// The metrics. Cosine and Correlation are as near as the Euclidean distance of
// samples brought to length 1: half its square.
const (
	// Euclidean is √Σ(xⱼ − yⱼ)².
	Euclidean Metric = iota
	// Cosine is 1 − xᵀy/(‖x‖‖y‖), between 0 and 2; for embeddings of texts.
	Cosine
	// Correlation is the cosine distance after the mean of each sample is taken from
	// its values, 1 − Pearson's r; for profiles of genes.
	Correlation
)

// String returns the name in lower case.
func (m Metric) String() string {
	switch m {
	case Euclidean:
		return "euclidean"
	case Cosine:
		return "cosine"
	case Correlation:
		return "correlation"
	}
	return fmt.Sprintf("Metric(%d)", int(m))
}

// measure turns a metric into the Euclidean distance of (x − shift)·scale, without a
// copy of the samples. For the Euclidean metric shift and scale are nil.
type measure struct {
	metric       Metric
	x            *mat.Dense
	shift, scale []float64 // per sample
}

// newMeasure checks the samples as well: their squared distances are finite.
func newMeasure(x *mat.Dense, metric Metric) (*measure, error) {
	m := &measure{metric: metric, x: x}
	if err := checkSize(x); err != nil || metric == Euclidean {
		return m, err
	}
	n, _ := x.Dims()
	m.shift, m.scale = make([]float64, n), make([]float64, n)
	return m, inBlocks(n, 1024, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			row := x.RawRowView(i)
			if metric == Correlation {
				for _, v := range row {
					m.shift[i] += v / float64(len(row))
				}
			}
			most, norm := 0.0, 0.0
			for _, v := range row {
				most = max(most, math.Abs(v))
				norm += (v - m.shift[i]) * (v - m.shift[i])
			}
			// What rounding leaves of a constant sample has no direction.
			if norm <= 0x1p-96*most*most*float64(len(row)) {
				what := "a row of zeros"
				if metric == Correlation {
					what = "a constant row"
				}
				return fmt.Errorf("%w: row %d of x is %s, for which the %v distance is undefined; remove the row or use the Euclidean distance", ErrNotFinite, i, what, metric)
			}
			m.scale[i] = 1 / math.Sqrt(norm)
		}
		return nil
	})
}

// of returns shift and scale of sample i.
func (m *measure) of(i int32) (shift, scale float64) {
	if m.shift == nil {
		return 0, 1
	}
	return m.shift[i], m.scale[i]
}

// read writes sample i as the metric sees it.
func (m *measure) read(i int32, out []float64) {
	shift, scale := m.of(i)
	for j, v := range m.x.RawRowView(int(i)) {
		out[j] = (v - shift) * scale
	}
}

// squares sets out[a] to the squared distance between sample i of m and sample
// index[a] of o, in double precision. Every sum runs in the order of the features, as
// that of [squared] does, four of them at a time.
func (m *measure) squares(i int32, o *measure, index []int32, out []float64) {
	q := make([]float64, len(m.x.RawRowView(int(i))))
	m.read(i, q)
	for a := 0; a < len(index); a += 4 {
		var rows [4][]float64
		var shift, scale, sum [4]float64
		for r := range rows {
			j := index[min(a+r, len(index)-1)]
			rows[r] = o.x.RawRowView(int(j))[:len(q)]
			shift[r], scale[r] = o.of(j)
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

// distance turns a squared distance into the metric.
func (m Metric) distance(square float64) float64 {
	if m == Euclidean {
		return math.Sqrt(square)
	}
	return square / 2
}

// convert turns Euclidean distances of what the metric compares into the metric.
func (m Metric) convert(dist []float64) {
	for a, d := range dist {
		dist[a] = m.distance(d * d)
	}
}

// dense returns all samples as the metric sees them: x itself for the Euclidean one.
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
