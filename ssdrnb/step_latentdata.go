package ssdrnb

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// prepared holds the scaled, non-constant features for a latent variable model.
type prepared struct {
	features int        // number of features of the data
	used     []int      // columns that vary
	mean     []float64  // mean of each column, also of constant ones
	shift    []float64  // subtracted from the used columns
	scale    []float64  // divisors of the used columns
	y        *mat.Dense // n×len(used)
	target   *latentTarget
}

// prepareLatent scales the samples according to the option "scaling". Constant features are left
// out: they do not distinguish samples, but each would add −½ln|K| to the log-likelihood, which
// favours small covariances.
func prepareLatent(j *job) (*prepared, error) {
	n, features := j.x().Dims()
	mean, c := dense.Center(j.x())
	p := &prepared{features: features, mean: mean}
	constant := samples.Constants(j.x())
	for k := range features {
		if _, found := slices.BinarySearch(constant, k); !found {
			p.used = append(p.used, k)
		}
	}
	if len(constant) > 0 {
		j.fact("constant features", float64(len(constant)))
	}
	how := scalingOption.of(j)
	total := 0.0
	for _, k := range p.used {
		sum := 0.0
		for i := range n {
			sum += c.At(i, k) * c.At(i, k)
		}
		total += sum
		p.scale = append(p.scale, math.Sqrt(sum/float64(n)))
	}
	for a, k := range p.used {
		switch how {
		case Unscaled:
			p.shift, p.scale[a] = append(p.shift, 0), 1
			continue
		case MeanRemoved:
			p.scale[a] = 1
		case GlobalScale:
			p.scale[a] = math.Sqrt(total / float64(n*len(p.used)))
		}
		p.shift = append(p.shift, mean[k])
		if !(p.scale[a] > 0) {
			return nil, j.fault("data", nil, fmt.Errorf("%w: the variance of feature %d underflows", ErrData, k), "scale the features first, for example with Data.Standardize")
		}
	}
	p.y = p.apply(j.x())
	return p, nil
}

// apply returns the used columns of x, scaled like the training samples.
func (p *prepared) apply(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	y := mat.NewDense(n, len(p.used), nil)
	for i := range n {
		row, src := y.RawRowView(i), x.RawRowView(i)
		for a, k := range p.used {
			row[a] = (src[k] - p.shift[a]) / p.scale[a]
		}
	}
	return y
}

// startPositions returns the first d principal components of y as an n×d matrix, scaled according
// to the option "start". Columns beyond the rank of y contain small noise instead of zeros, because
// the gradient vanishes at zero.
func startPositions(j *job, y *mat.Dense, d int, rng func() *rand.Rand) (*mat.Dense, error) {
	n, _ := y.Dims()
	_, c := dense.Center(y)
	values, basis, err := dense.Principal(c)
	if err != nil {
		return nil, err
	}
	rank := 0
	for rank < min(d, len(values)) && values[rank] > 1e-12*values[0] {
		rank++
	}
	x := mat.NewDense(n, d, nil)
	if rank > 0 {
		sign := dense.Signs(basis)
		var scores mat.Dense
		scores.Mul(c, basis.Slice(0, len(basis.RawMatrix().Data)/basis.RawMatrix().Stride, 0, rank))
		for k := range rank {
			scale := sign[k]
			switch startOption.of(j) {
			case Whitened:
				scale /= math.Sqrt(values[k] / float64(n))
			case FirstWhitened:
				scale /= math.Sqrt(values[0] / float64(n))
			}
			for i := range n {
				x.Set(i, k, scale*scores.At(i, k))
			}
		}
	}
	for k := rank; k < d; k++ {
		for i := range n {
			x.Set(i, k, 1e-3*rng().NormFloat64())
		}
	}
	return x, nil
}

// medianRows is the largest number of samples for which backKernel compares all pairs.
const medianRows = 10000

// backKernel returns K_b with the entries exp(−γ_b/2·‖y_i − y_j‖²), and records γ_b as a fact.
func backKernel(j *job, p *prepared) (*mat.Dense, error) {
	n, _ := p.y.Dims()
	if err := affordable(n, 0, "back constraints"); err != nil {
		return nil, j.faultAmong([]string{backOption.Name}, "samples", err, fmt.Sprintf("keep at most %d samples with Data.Subset", mostExact))
	}
	scale := backScaleOption.of(j)
	gamma := min(2/scale/scale, huge)
	if backScaleOption.auto(j) {
		y := p.y
		if n > medianRows {
			y = samples.Pick(y, rand.New(rand.NewPCG(1, 0x6d65)).Perm(n)[:medianRows])
		}
		gamma = 1 / medianSquare(y)
	}
	j.fact("γ_b", gamma)
	return gaussianKernel(p.y, gamma), nil
}

// medianSquare returns the median of the squared distances between the rows of y, or the largest if
// the median is 0.
func medianSquare(y *mat.Dense) float64 {
	n, _ := y.Dims()
	squares := make([]float64, 0, n*(n-1)/2)
	for i := range n {
		for k := range i {
			squares = append(squares, samples.SquaredDistance(y.RawRowView(i), y.RawRowView(k)))
		}
	}
	slices.Sort(squares)
	m := len(squares) / 2
	median := squares[m]
	if len(squares)%2 == 0 {
		median = (squares[m-1] + squares[m]) / 2
	}
	if median == 0 { // most samples coincide
		median = squares[len(squares)-1]
	}
	return median
}

// gaussianKernel returns the symmetric matrix with entries exp(−γ/2·‖y_i − y_j‖²).
func gaussianKernel(y *mat.Dense, gamma float64) *mat.Dense {
	n, _ := y.Dims()
	k := mat.NewDense(n, n, nil)
	par.Blocks(n, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			gaussianRow(k.RawRowView(i), y.RawRowView(i), y, gamma)
		}
	})
	return k
}

// gaussianRow sets row to exp(−γ/2·‖x − b_j‖²).
func gaussianRow(row, x []float64, b *mat.Dense, gamma float64) {
	for c := range row {
		row[c] = math.Exp(-gamma / 2 * samples.SquaredDistance(x, b.RawRowView(c)))
	}
}
