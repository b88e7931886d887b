package embed

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed/internal/moves"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Density makes a layout preserve local densities. To the objective, it adds −λ·corr(r, R)
// multiplied by the sum of the edge weights. Here r and R are the log local radii of the samples in
// the layout and in the data. The zero value adds nothing.
//
// The log local radius of a sample is the logarithm of the weighted mean squared length of its
// edges. For the data, the weights are the edge weights; for the layout, they are the similarities
// of the ends.
//
// Source: Narayan, Berger, Cho, "Assessing single-cell transcriptomic variability through
// density-preserving data visualization", Nature Biotechnology 39, 2021 (densMAP, den-SNE). As in
// densMAP, the term acts in the last 30 % of the epochs, and 0.1 is added to the variance of r.
type Density struct {
	// Lambda ≥ 0 is the weight of the correlation.
	Lambda float64
	// Graph holds the edges along which radii are measured.
	Graph *sparse.CSR
	// Radius holds R of each sample, see [Radii].
	Radius []float64
}

const (
	densityShare  = 0.3             // the term acts in this last share of the epochs
	varianceShift = 0.1             // added to the variance of the radii in a layout
	leastSquare   = 1e-8            // added to a mean square, to keep its logarithm finite
	leastVariance = 1e-12           // variance of R below which all radii count as equal
	radiusUnit    = 1.0 / (1 << 30) // rounding unit of R, whose last digits vary between processors
)

func (d Density) enabled() bool { return d.Lambda > 0 }

func (d Density) check(n int) error {
	switch {
	case !(d.Lambda >= 0) || math.IsInf(d.Lambda, 1):
		return fmt.Errorf("%w: λ of the density = %v; it must be finite and at least 0", ErrOption, d.Lambda)
	case !d.enabled():
		return nil
	case d.Graph == nil || d.Graph.Rows != n || d.Graph.Cols != n || len(d.Radius) != n:
		return fmt.Errorf("%w: the density term needs a graph of the %d samples and a radius of each", ErrShape, n)
	}
	for i, v := range d.Radius {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: the log local radius of sample %d is %v", ErrNotFinite, i, v)
		}
	}
	return nil
}

// begins reports whether the density term acts in the given epoch, counted from 1.
func (d Density) begins(epoch, epochs int) bool {
	return d.enabled() && float64(epoch) > (1-densityShare)*float64(epochs)
}

// Radii returns the log local radius of each sample in the data: log(10⁻⁸ + q/q̄) with q = Σ w·d²/Σ
// w and the mean q̄ of q over all samples with edges. The sums run over the sample's edges in the
// graph w; d is the length of an edge, and edges that nb lists in neither direction are left out. A
// sample without edges gets the mean radius of the others.
func Radii(w *sparse.CSR, nb *graph.Neighbors) ([]float64, error) {
	n := nb.Len()
	if w.Rows != n || w.Cols != n {
		return nil, fmt.Errorf("%w: there are neighbours of %d samples, but the graph is %d×%d", ErrShape, n, w.Rows, w.Cols)
	}
	lengths, err := nb.Directed().Symmetrize(sparse.Max)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrShape, err)
	}
	square, weight := make([]float64, n), make([]float64, n)
	par.Blocks(n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, vals := w.Row(i)
			near, dist := lengths.Row(i)
			at := 0
			for k, j := range cols {
				for at < len(near) && near[at] < j {
					at++
				}
				if at < len(near) && near[at] == j {
					square[i] += float64(vals[k] * float64(dist[at]*dist[at]))
					weight[i] += vals[k]
				}
			}
		}
	})
	mean, count := 0.0, 0.0
	for i, v := range weight {
		if v > 0 {
			square[i] /= v
			mean += square[i]
			count++
		}
	}
	mean /= max(1, count)
	if mean == 0 {
		mean = 1 // all listed neighbours are duplicates
	}
	out, usual := make([]float64, n), 0.0
	for i, v := range weight {
		if v > 0 {
			out[i] = Rounded(math.Log(leastSquare+square[i]/mean), radiusUnit)
			usual += out[i]
		}
	}
	for i, v := range weight {
		if !(v > 0) {
			out[i] = usual / max(1, count)
		}
	}
	return out, nil
}

func (d Density) linked(i int) bool { return d.Graph.RowPtr[i+1] > d.Graph.RowPtr[i] }

// moments returns the mean and the variance of the radii in the data, over samples with edges.
func (d Density) moments() (mean, variance float64) {
	count := 0.0
	for i, v := range d.Radius {
		if d.linked(i) {
			mean += v
			count++
		}
	}
	mean /= max(1, count)
	for i, v := range d.Radius {
		if d.linked(i) {
			variance += float64((v-mean)*(v-mean)) / count
		}
	}
	return mean, variance
}

// Varies reports whether the radii in the data differ by more than rounding error.
func (d Density) Varies() bool {
	_, variance := d.moments()
	return variance >= leastVariance
}

// densities compares the local radii of a layout with those in the data.
type densities struct {
	graph *sparse.CSR
	want  []float64 // standardised R, 0 for samples without edges; nil if all R are equal
	// similar returns the similarity of two positions at a squared distance, and its derivative.
	similar func(square float64) (value, slope float64)
	// For each sample, radius holds r, spread holds ε + Σ vs/Σ v, and mass holds Σ v. The sums run
	// over the edges, with similarity v and squared length s, and ε is leastSquare. The method
	// `measure` sets these fields. A sample without edges has mass 0.
	radius, spread, mass []float64
	// corr is the correlation of r and R with varianceShift added to the variance of r. slope[i] is
	// the derivative of corr with respect to radius[i].
	corr  float64
	slope []float64
}

func newDensities(d Density, similar func(square float64) (value, slope float64)) *densities {
	n := d.Graph.Rows
	c := &densities{graph: d.Graph, similar: similar, radius: make([]float64, n), spread: make([]float64, n), mass: make([]float64, n), slope: make([]float64, n)}
	mean, variance := d.moments()
	if variance < leastVariance {
		return c
	}
	c.want = make([]float64, n)
	for i, v := range d.Radius {
		if d.linked(i) {
			c.want[i] = (v - mean) / math.Sqrt(variance)
		}
	}
	return c
}

// measure computes the radii at the positions `at` (n×d), the correlation, and its derivatives with
// respect to the radii.
func (c *densities) measure(at []float64, d int) {
	if c.want == nil {
		return
	}
	n := len(c.want)
	par.Blocks(n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, _ := c.graph.Row(i)
			yi, mass, sum := at[i*d:][:d], 0.0, 0.0
			for _, j := range cols {
				s := samples.SquaredDistance(yi, at[int(j)*d:][:d])
				v, _ := c.similar(s)
				mass += v
				sum += float64(v * s)
			}
			c.mass[i] = mass
			if mass > 0 {
				c.spread[i] = leastSquare + sum/mass
				c.radius[i] = logarithm(c.spread[i])
			}
		}
	})
	mean, count := c.meanRadius()
	variance, cov := varianceShift, 0.0
	for i, m := range c.mass {
		if m > 0 {
			v := c.radius[i] - mean
			variance += float64(v*v) / count
			cov += float64(v*c.want[i]) / count
		}
	}
	std := math.Sqrt(variance)
	c.corr = cov / std
	for i, m := range c.mass {
		if c.slope[i] = 0; m > 0 {
			c.slope[i] = (c.want[i] - float64(cov*(c.radius[i]-mean))/variance) / (std * count)
		}
	}
}

// derivative returns the derivative of the correlation with respect to the squared distance s of
// samples i and j, which share an edge. For r = log(ε + S/P) with P = Σ v and S = Σ vs, dr/ds =
// (d(vs)/ds − dv/ds·S/P)/(P·(ε + S/P)).
func (c *densities) derivative(i, j int, s float64) float64 {
	v, slope := c.similar(s)
	grown := v + float64(s*slope)
	sum := 0.0
	for _, k := range [2]int{i, j} {
		if c.mass[k] > 0 {
			sum += c.slope[k] * ((grown - float64(slope*(c.spread[k]-leastSquare))) / (c.mass[k] * c.spread[k]))
		}
	}
	return sum
}

// ascent sets `out` to `scale` times the gradient of the correlation with respect to the position
// of sample i, at the positions `at`. The contribution of an edge to each coordinate is clamped to
// `most` times its weight.
func (c *densities) ascent(out, at []float64, d, i int, scale, most float64) {
	clear(out)
	if c.want == nil {
		return
	}
	cols, vals := c.graph.Row(i)
	yi := at[i*d:][:d]
	for e, j := range cols {
		yj := at[int(j)*d:][:d]
		s := samples.SquaredDistance(yi, yj)
		if s == 0 {
			continue
		}
		f, bound := 2*scale*c.derivative(i, int(j), s), most*vals[e]
		for k, v := range yi {
			out[k] += min(max(float64(f*(v-yj[k])), -bound), bound)
		}
	}
}

// meanRadius returns the mean of the measured radii and the number of samples with a radius.
func (c *densities) meanRadius() (mean, count float64) {
	for i, m := range c.mass {
		if m > 0 {
			mean += c.radius[i]
			count++
		}
	}
	return mean / max(1, count), count
}

// pearson returns the correlation of the measured radii with the radii in the data, without the
// variance shift. It is 0 if the measured radii are all equal, or if the radii in the data are.
func (c *densities) pearson() float64 {
	if c.want == nil {
		return 0
	}
	mean, count := c.meanRadius()
	variance, cov := 0.0, 0.0
	for i, m := range c.mass {
		if m > 0 {
			v := c.radius[i] - mean
			variance += v * v / count
			cov += v * c.want[i] / count
		}
	}
	if !(variance > 0) {
		return 0
	}
	return min(max(cov/math.Sqrt(variance), -1), 1)
}

// logarithm returns log(x) for x > 0. Unlike math.Log, it is bitwise identical on every processor.
func logarithm(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	t := (m - 1) / (m + 1) // log m = 2·artanh t, |t| < 0.172
	square, power, sum := float64(t*t), t, t
	for k := 3; k < 24; k += 2 {
		power *= square
		sum += power / float64(k)
	}
	return float64(2*sum) + float64(float64(e)*math.Ln2)
}

// spreading computes the moves of [Layout] due to the density term. In an epoch, an edge of weight
// w attracts its ends 2w/W times on average, where W is the largest weight. An epoch is thus a
// descent step on 2/W times the cross entropy, and the correlation is scaled by the same factor.
type spreading struct {
	densities *densities
	scale     float64 // factor of the gradient of the correlation
	moveLimit float64 // limit of the move of a coordinate by an edge of weight 1, before the learning rate
	moves     []float64
}

func newSpreading(w *sparse.CSR, opt Options) *spreading {
	sum, most := 0.0, 0.0 // sum and maximum of the entries of w, in which each edge occurs twice
	for _, v := range w.Val {
		sum += v
		most = max(most, v)
	}
	dense := 0.0
	for _, v := range opt.Density.Graph.Val {
		dense = max(dense, v)
	}
	value, slope := moves.NewTable(opt.Curve.similarity), moves.NewTable(opt.Curve.slope)
	s := &spreading{densities: newDensities(opt.Density, func(square float64) (float64, float64) { return value.At(square), slope.At(square) })}
	if most > 0 && dense > 0 {
		s.scale, s.moveLimit = opt.Density.Lambda*Rounded(sum/most, weightUnit), 2*moves.Longest/dense
	}
	return s
}

// advance moves the samples that are not fixed, in y and in p. alpha is the learning rate.
func (s *spreading) advance(y *mat.Dense, p *positions, alpha float64) {
	n, d := y.Dims()
	at := y.RawMatrix().Data
	if s.moves == nil {
		s.moves = make([]float64, n*d)
	}
	s.densities.measure(at, d)
	par.Blocks(n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.densities.ascent(s.moves[i*d:][:d], at, d, i, s.scale, s.moveLimit)
		}
	})
	for i, held := range p.held {
		if held {
			continue
		}
		row := y.RawRowView(i)
		for k, v := range s.moves[i*d:][:d] {
			row[k] += float64(alpha * v)
		}
		p.read(i, row)
	}
}

// reached returns the correlation of the radii at the positions y.
func (s *spreading) reached(y *mat.Dense) float64 {
	_, d := y.Dims()
	s.densities.measure(y.RawMatrix().Data, d)
	return s.densities.pearson()
}
