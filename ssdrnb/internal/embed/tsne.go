package embed

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed/internal/attraction"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// TSNEOptions are the settings of [TSNE]; the zero value selects the usual ones.
type TSNEOptions struct {
	// Exaggeration is the factor of the affinities in the first EarlyEpochs steps, and
	// LateExaggeration is the factor in later steps. 0 means 12 for Exaggeration, 1 for
	// LateExaggeration and 250 for EarlyEpochs. −1 for EarlyEpochs means no early steps.
	Exaggeration, LateExaggeration float64
	EarlyEpochs                    int
	// Epochs is the number of steps after the early ones; 0 means 500.
	Epochs int
	// LearningRate multiplies a quarter of the gradient; 0 means n/exaggeration, but at least 200
	// (Belkina et al. 2019).
	LearningRate float64
	// DegreesOfFreedom is α of the similarities (1 + distance²/α)^−α, between LeastDegrees and
	// MostDegrees; 0 means 1. It is rounded to a multiple of 2⁻²⁰.
	DegreesOfFreedom float64
	// Momentum is the share of the previous step that is added to the next; 0 means 0.8.
	Momentum float64
	// Pins are samples with known positions; the zero value contains none. If there are pins, the
	// positions are not centred.
	Pins Pins
	// Density, unless it is the zero value, preserves local densities (den-SNE).
	Density Density
	// Unmeasured limits History to the divergence at the start and at the end, which saves up to a
	// third of the time.
	Unmeasured bool
	// Progress, unless nil, is called after every step with the positions and the latest computed
	// divergence. Steps count from 1 to the sum of EarlyEpochs and Epochs. The positions are valid
	// until Progress returns and must not be changed.
	Progress func(epoch, epochs int, y *mat.Dense, divergence float64)
}

// TSNEResult is the result of t-SNE.
type TSNEResult struct {
	// Y are the positions, n×d.
	Y *mat.Dense
	// Divergence is the Kullback–Leibler divergence at Y, except that the similarities are divided
	// by their sum at the positions before the last step.
	Divergence float64
	// Epochs is the number of completed steps. It is smaller than requested if the context ended.
	Epochs int
	// History holds the divergence without exaggeration, at the start and at about fifty later
	// steps. It is estimated from at most 5,000 samples, except the last entry, which is
	// Divergence. The density term is not included.
	History []float64
	// Density is the correlation between the logarithms of the local radii in the layout and in the
	// data. It is 0 without the density term.
	Density float64
}

func (o TSNEOptions) withDefaults() (TSNEOptions, error) {
	if o.Exaggeration == 0 {
		o.Exaggeration = 12
	}
	if o.LateExaggeration == 0 {
		o.LateExaggeration = 1
	}
	switch o.EarlyEpochs {
	case 0:
		o.EarlyEpochs = 250
	case -1:
		o.EarlyEpochs = 0
	}
	if o.Epochs == 0 {
		o.Epochs = 500
	}
	if o.Momentum == 0 {
		o.Momentum = 0.8
	}
	if o.DegreesOfFreedom == 0 {
		o.DegreesOfFreedom = 1
	}
	if err := CheckDegrees(o.DegreesOfFreedom); err != nil {
		return o, err
	}
	if !(o.Exaggeration >= 1) || !(o.LateExaggeration >= 1) || o.EarlyEpochs < 0 || o.Epochs < 0 || !(o.LearningRate >= 0) || !(o.Momentum > 0 && o.Momentum < 1) || math.IsInf(o.LearningRate+o.Exaggeration+o.LateExaggeration, 0) {
		return o, fmt.Errorf("%w: Exaggeration %v and EarlyEpochs %d, LateExaggeration %v and Epochs %d, learning rate %v, momentum %v; all must be finite, exaggerations at least 1, the momentum between 0 and 1, and the others not negative", ErrOption, o.Exaggeration, o.EarlyEpochs, o.LateExaggeration, o.Epochs, o.LearningRate, o.Momentum)
	}
	return o, nil
}

// exactBelow and exactPowers are the numbers of samples up to which summing over all pairs is
// faster than the grid: exactBelow for one degree of freedom, exactPowers for any other number.
const exactBelow, exactPowers = 2000, 300

// TSNE moves samples from the positions y0 (n×d, see [Shrunk]) to lower the Kullback–Leibler
// divergence between the affinities p, scaled to sum to 1, and the similarities (1 +
// distance²/α)^−α. It uses gradient descent with momentum, a gain for each coordinate (Jacobs
// 1988), and early exaggeration of the affinities.
//
// In one or two dimensions, the repulsion is interpolated on a grid (Linderman et al. 2019). This
// takes O(nnz(p) + n + g·log g) operations per step for a grid of g points; g depends on the extent
// of the layout. In more dimensions, and for few samples, the repulsion is summed over all pairs in
// O(n²).
//
// The loops round every product before a sum, because fused operations on some processors would
// lead to another embedding.
//
// When ctx ends, the result holds the positions so far, and err is the error of ctx.
func TSNE(ctx context.Context, p *sparse.CSR, y0 *mat.Dense, opt TSNEOptions) (*TSNEResult, error) {
	if err := checkGraph(p); err != nil {
		return nil, err
	}
	if err := checkPositions(y0, p.Rows); err != nil {
		return nil, err
	}
	opt, err := opt.withDefaults()
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, v := range p.Val {
		sum += v
	}
	if !(sum > 0) {
		return nil, fmt.Errorf("%w: the affinities sum to %v, but the sum must be positive", ErrOption, sum)
	}
	n, d := y0.Dims()
	if err := opt.Pins.check(n, d); err != nil {
		return nil, err
	}
	if err := opt.Density.check(n); err != nil {
		return nil, err
	}
	if n <= exactBelow {
		return descend(ctx, evened(p.Scale(1/sum)), y0, opt)
	}
	order, scale := arranged(y0), 1/sum
	p = order.graph(p)
	for k := range p.Val {
		p.Val[k] *= scale
	}
	r, err := descend(ctx, evened(p), samples.Pick(y0, order.sample), order.options(opt, n, d))
	if r != nil {
		y := mat.NewDense(n, d, nil)
		order.restore(y, r.Y)
		r.Y = y
	}
	return r, err
}

// descend is [TSNE] for affinities that sum to 1 and options that have been checked.
func descend(ctx context.Context, p *sparse.CSR, y0 *mat.Dense, opt TSNEOptions) (*TSNEResult, error) {
	n, d := y0.Dims()
	t := newTail(opt.DegreesOfFreedom)
	unit := math.Sqrt(t.value())
	var radii *densities
	if opt.Density.enabled() {
		radii = newDensities(opt.Density, t.similar)
	}
	var y mat.Dense // positions divided by √α, see [tail]
	y.Scale(1/unit, y0)
	at := y.RawMatrix().Data
	// pull moves the pinned samples towards their known positions by a share of the distance.
	pull := func(share float64) {
		for k, i := range opt.Pins.Rows {
			for c, v := range opt.Pins.Y.RawRowView(k) {
				here := &at[i*d+c]
				if *here += float64(share * (v/unit - *here)); share == 1 {
					*here = v / unit
				}
			}
		}
	}
	if opt.Pins.Pull == 1 {
		pull(1)
	}
	var repel func(force, y []float64) float64
	if d > 2 || n <= exactPowers || n <= exactBelow && t.plain() {
		repel = func(force, y []float64) float64 { return repelExactly(force, y, n, d, t) }
	} else {
		repel = newGrid(n, d, t).repel
	}
	force, last, gain := make([]float64, n*d), make([]float64, n*d), make([]float64, n*d)
	for k := range gain {
		gain[k] = 1
	}
	z, epoch, total := 1.0, 0, opt.EarlyEpochs+opt.Epochs
	var history []float64
	for ; epoch < total && ctx.Err() == nil; epoch++ {
		exaggeration := opt.LateExaggeration
		if epoch < opt.EarlyEpochs {
			exaggeration = opt.Exaggeration
		} else if epoch == opt.EarlyEpochs {
			// The objective changes here, so reset momentum and gains.
			clear(last)
			for k := range gain {
				gain[k] = 1
			}
		}
		rate := opt.LearningRate
		if rate == 0 {
			rate = max(200, float64(n)/exaggeration)
		}
		z = repel(force, at)
		if epoch == 0 || !opt.Unmeasured && epoch%max(1, total/measured) == 0 {
			history = append(history, divergence(p, at, d, z, asked, t))
		}
		spread := opt.Density.begins(epoch+1, total)
		if spread {
			radii.measure(at, d)
		}
		par.Blocks(n, 64, func(lo, hi int) {
			pull, apart := make([]float64, d), make([]float64, d)
			for i := lo; i < hi; i++ {
				pulled(pull, p, at, d, i)
				if spread { // divided by 4α, like the gradient of the divergence below
					radii.ascent(apart, at, d, i, opt.Density.Lambda/(4*t.value()), math.Inf(1))
				}
				for c, v := range pull {
					k := i*d + c
					g := float64(exaggeration*v) - force[k]/z - apart[c]
					if (g > 0) == (last[k] > 0) {
						gain[k] = max(0.8*gain[k], 0.01)
					} else {
						gain[k] += 0.2
					}
					last[k] = float64(opt.Momentum*last[k]) - float64(rate*gain[k]*g)
				}
				clip(last[i*d:(i+1)*d], 5/unit)
			}
		})
		for k, v := range last {
			at[k] += v
		}
		switch {
		case len(opt.Pins.Rows) == 0:
			centre(at, n, d)
		case opt.Pins.Pull == 1:
			pull(1)
		default:
			pull(opt.Pins.Pull * (1 - float64(epoch)/float64(total)))
		}
		if !finite(at) {
			return nil, advice.Errorf("lower the learning rate", "%w: a position after %s", ErrNotFinite, nouns.Count(epoch+1, "step"))
		}
		if opt.Progress != nil {
			opt.Progress(epoch+1, total, inUnits(&y, unit), history[len(history)-1])
		}
	}
	kl := divergence(p, at, d, z, n, t)
	r := &TSNEResult{Y: inUnits(&y, unit), Divergence: kl, Epochs: epoch, History: append(history, kl)}
	if radii != nil {
		radii.measure(at, d)
		r.Density = radii.pearson()
	}
	return r, ctx.Err()
}

// evened rounds the entries of p in place to about 2⁻³⁰ of the largest, because the last digits of
// exponentials differ between processors; see [Spread]. It returns p.
func evened(p *sparse.CSR) *sparse.CSR {
	_, exponent := math.Frexp(slices.Max(p.Val))
	unit := math.Ldexp(1, exponent-30)
	for k, v := range p.Val {
		p.Val[k] = Rounded(v, unit)
	}
	return p
}

// inUnits returns `unit` times y. It returns y itself if `unit` is 1.
func inUnits(y *mat.Dense, unit float64) *mat.Dense {
	if unit == 1 {
		return y
	}
	var out mat.Dense
	out.Scale(unit, y)
	return &out
}

// divergence returns Σ p·log(p/q), estimated from at most `most` evenly spaced samples. q are the
// similarities at the positions `at` divided by their sum z.
func divergence(p *sparse.CSR, at []float64, d int, z float64, most int, t tail) float64 {
	parts := make([][2]float64, min(p.Rows, most)) // sum of p, and the divergence
	par.Blocks(len(parts), rowBlock, func(lo, hi int) {
		pull := make([]float64, d)
		for a := lo; a < hi; a++ {
			i := a * p.Rows / len(parts)
			_, vals := p.Row(i)
			for _, v := range vals {
				parts[a][0] += v
			}
			parts[a][1] = attract(pull, p, at, d, i, math.Log(z), t)
		}
	})
	weight, kl := 0.0, 0.0
	for _, v := range parts {
		weight += v[0]
		kl += v[1]
	}
	return kl / weight
}

// pulled sets force to Σ_j p_ij·(y_i − y_j)/(1 + |y_i − y_j|²).
func pulled(force []float64, p *sparse.CSR, y []float64, d, i int) {
	cols, vals := p.Row(i)
	if d == 2 {
		force[0], force[1] = attraction.InPlane(y[2*i], y[2*i+1], cols, vals, y)
		return
	}
	clear(force)
	yi := y[i*d : (i+1)*d]
	for k, j := range cols {
		yj := y[int(j)*d:][:d]
		f := vals[k] / (1 + samples.SquaredDistance(yi, yj))
		for c, v := range yi {
			force[c] += float64(f * (v - yj[c]))
		}
	}
}

// clip shortens a step to length `longest` if it is longer.
func clip(step []float64, longest float64) {
	s := 0.0
	for _, v := range step {
		s += float64(v * v)
	}
	if s > longest*longest {
		f := longest / math.Sqrt(s)
		for c := range step {
			step[c] *= f
		}
	}
}

// centre subtracts the mean of each coordinate.
func centre(y []float64, n, d int) {
	for c := range d {
		mean := 0.0
		for i := range n {
			mean += y[i*d+c]
		}
		mean /= float64(n)
		for i := range n {
			y[i*d+c] -= mean
		}
	}
}

func finite(y []float64) bool {
	for _, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
