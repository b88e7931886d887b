package ssdrnb

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"
)

// latentTarget is a numeric target that serves as an output of a latent variable model.
type latentTarget struct {
	output     *gp.Output
	mean, unit float64 // a target value is mean + unit·output
}

// outputOf centres the known values of the target and scales them so that their mean square equals
// that of the scaled features. It returns nil if there is no target or no known value, if all known
// values are equal, or if the option "target copies" is 0.
func outputOf(j *job, p *prepared) (*latentTarget, error) {
	known, ok, err := knownTarget(j)
	if err != nil || !ok {
		return nil, err
	}
	j.fact("target known", float64(len(known.Rows)))
	copies := targetCopiesOption.of(j)
	if copies == 0 {
		return nil, nil
	}
	t := &latentTarget{mean: targetMean(j.data)}
	square := 0.0
	for _, v := range known.Values {
		square += (v - t.mean) * (v - t.mean) / float64(len(known.Values))
	}
	n, features := p.y.Dims()
	if t.unit = math.Sqrt(square) / (mat.Norm(p.y, 2) / math.Sqrt(float64(n*features))); !(t.unit > 0) {
		j.warn("the known values of the target %q are all equal: the embedding does not use them", j.data.Target().Name)
		return nil, nil
	}
	if t.unit > mostMeasurable || t.unit < leastMeasurable {
		return nil, j.fault("target", nil, fmt.Errorf("%w: the known values of %q are %.3g times as large as the features, and the square of this ratio overflows or underflows", ErrData, j.data.Target().Name, t.unit),
			"set Scaling(GlobalScale), or give the values in a unit closer to that of the features with Data.WithTarget")
	}
	t.output = &gp.Output{Rows: known.Rows, Copies: copies}
	for _, v := range known.Values {
		t.output.Values = append(t.output.Values, (v-t.mean)/t.unit)
	}
	return t, nil
}

// carried returns the mean and the variance of the predicted target for all samples.
func (t *latentTarget) carried(f *gp.Fitted, s gp.Settings) (*carried, error) {
	mean, variance, err := t.output.Foretell(f, s)
	if err != nil {
		return nil, err
	}
	c := &carried{values: mean, variances: variance, reached: make([]bool, len(mean))}
	for i := range mean {
		c.values[i] = t.mean + t.unit*mean[i]
		c.variances[i] = t.unit * t.unit * variance[i]
		c.reached[i] = true
	}
	return c, nil
}
