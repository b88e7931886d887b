package ssdrnb

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// latent is the mapping of a latent variable model. It uses back constraints if the model has any.
// Otherwise it searches for the position of greatest predictive density, starting at the position
// of the training sample nearest in the data.
type latent struct {
	*prepared
	x, a, u       *mat.Dense // latent positions, weights of the back constraints, inducing points; a and u may be nil
	theta         gp.Theta
	jitter, gamma float64
	kernel        gp.Kernel
	approximation gp.Approximation
	posterior     func() (*gp.Posterior, error) // computed on first use, once
}

func (l *latent) open() {
	l.posterior = sync.OnceValues(func() (*gp.Posterior, error) {
		return gp.Condition(l.y, l.x, l.u, l.theta, gp.Settings{Kernel: l.kernel, Approximation: l.approximation}, l.jitter)
	})
}

func (l *latent) Kind() string { return "latent" }

func (l *latent) Features() int { return l.prepared.features }

func (l *latent) Apply(x *mat.Dense) (*mat.Dense, error) {
	y := l.prepared.apply(x)
	n, _ := y.Dims()
	_, d := l.x.Dims()
	if l.a != nil {
		// Rows are multiplied one by one, so that the position of a sample does not depend on the
		// other rows.
		out := mat.NewDense(n, d, nil)
		par.Blocks(n, 16, func(lo, hi int) {
			k := mat.NewDense(1, l.y.RawMatrix().Rows, nil)
			for i := lo; i < hi; i++ {
				gaussianRow(k.RawRowView(0), y.RawRowView(i), l.y, l.gamma)
				out.Slice(i, i+1, 0, d).(*mat.Dense).Mul(k, l.a)
			}
		})
		return out, nil
	}
	p, err := l.posterior()
	if err != nil {
		return nil, err
	}
	nearest, err := graph.Query(context.Background(), l.y, y, 1, graph.Euclidean)
	if err != nil {
		return nil, err
	}
	start := mat.NewDense(n, d, nil)
	for i := range n {
		start.SetRow(i, l.x.RawRowView(int(nearest.Index[i])))
	}
	out, _, err := p.Locate(context.Background(), y, start, gp.SCG)
	return out, err
}

func (l *latent) Arrays() map[string]*mat.Dense {
	used := make([]float64, len(l.used))
	for a, k := range l.used {
		used[a] = float64(k)
	}
	row := func(v []float64) *mat.Dense { return mat.NewDense(1, len(v), v) }
	out := map[string]*mat.Dense{
		"mean": row(l.mean), "used": row(used), "shift": row(l.shift), "scale": row(l.scale), "samples": l.y,
		"latent": row([]float64{float64(slices.Index(gp.Kernels, l.kernel)), float64(slices.Index(approximations, l.approximation)),
			l.theta[0], l.theta[1], l.theta[2], l.jitter, l.gamma}),
	}
	if l.a != nil {
		out["a"] = l.a
	}
	if l.u != nil {
		out["inducing"] = l.u
	}
	return out
}

// approximations lists the approximations in the order of their numbers in model files; "" is the
// exact likelihood.
var approximations = []gp.Approximation{"", gp.FITC, gp.VFE}

// loadLatent returns the mapping stored in a model file.
func loadLatent(a map[string]*mat.Dense) (outofsample.Map, error) {
	for _, name := range []string{"mean", "used", "shift", "scale", "samples", "latent", "embedding"} {
		if a[name] == nil {
			return nil, fmt.Errorf("the array %s is missing", name)
		}
	}
	numbers := a["latent"].RawMatrix().Data
	if len(numbers) != 7 || !(numbers[0] >= 0 && numbers[0] < float64(len(gp.Kernels))) || !(numbers[1] >= 0 && numbers[1] < float64(len(approximations))) {
		return nil, fmt.Errorf("the array latent has the invalid values %v", numbers)
	}
	mean := a["mean"].RawRowView(0)
	used, err := outofsample.Wholes(a["used"], 0, len(mean)-1)
	if err != nil {
		return nil, fmt.Errorf("the used features: %w", err)
	}
	p := &prepared{mean: mean, used: used, shift: a["shift"].RawRowView(0), scale: a["scale"].RawRowView(0), y: a["samples"]}
	p.features = len(p.mean)
	l := &latent{prepared: p, x: a["embedding"], a: a["a"], u: a["inducing"], kernel: gp.Kernels[int(numbers[0])], approximation: approximations[int(numbers[1])],
		theta: gp.Theta(numbers[2:5]), jitter: numbers[5], gamma: numbers[6]}
	n, d := l.x.Dims()
	rows, k := p.y.Dims()
	if rows != n || k != len(p.used) || k != len(p.shift) || k != len(p.scale) {
		return nil, fmt.Errorf("the samples are %d×%d, but there are %d positions, and %d used features with %d shifts and %d scales", rows, k, n, len(p.used), len(p.shift), len(p.scale))
	}
	if (l.u == nil) != (l.approximation == "") {
		return nil, fmt.Errorf("the array inducing must exist if and only if the likelihood is approximate, but the approximation is %q", l.approximation)
	}
	for name, want := range map[string]int{"a": n, "inducing": 0} {
		if m := a[name]; m != nil {
			if r, c := m.Dims(); c != d || want > 0 && r != want {
				return nil, fmt.Errorf("the array %s is %d×%d, but there are %d positions in %d dimensions", name, r, c, n, d)
			}
		}
	}
	m := 0
	if l.u != nil {
		m, _ = l.u.Dims()
	}
	l.open()
	posterior := l.posterior
	l.posterior = func() (*gp.Posterior, error) {
		// A small file can declare many samples, and the memory for the posterior grows with the
		// square of their number.
		if bytes := 8 * gp.Numbers(n, m); bytes > float64(data.ReadLimit()) {
			return nil, advice.Errorf(files.RaiseLimit, "%w: the covariance of %d samples takes %.3g bytes", data.ErrTooLarge, n, bytes)
		}
		return posterior()
	}
	return l, nil
}

// Positions returns the latent positions of the training samples. It implements
// outofsample.Positioned.
func (l *latent) Positions() *mat.Dense { return l.x }

// Decoding is the predictive distribution of the data at latent positions.
type Decoding struct {
	// Mean is q×D, in the units of the data.
	Mean *mat.Dense
	// Function and Observation are the variances, per position, of the latent function and of an
	// observed sample, in squared units of the scaled features. They differ by the noise, which
	// includes the jitter of an exact likelihood. Multiply them by Scale[k]² for the variances of
	// feature k in squared units of the data.
	Function, Observation []float64
	// Scale holds the divisor of each of the D features, 0 for a constant feature.
	Scale []float64
}

// Decode returns the distribution of the data at the latent positions z (q×d) of a Gaussian process
// latent variable model. For other models the error wraps [ErrNoPrediction]. It wraps [ErrData] if
// z is empty, not finite or has the wrong number of columns, and [ErrNumerical] if the distribution
// is not finite.
func (m *Model) Decode(z *mat.Dense) (*Decoding, error) {
	l, ok := m.mapping.(*latent)
	if !ok {
		return nil, &Error{Method: m.Method(), Param: "Decode", Err: ErrNoPrediction, Remedy: "fit GPLVM, BCGPLVM or SSGPLVM"}
	}
	if z == nil || z.IsEmpty() {
		return nil, &Error{Method: m.Method(), Param: "Decode", Err: fmt.Errorf("%w: there are no positions", ErrData), Remedy: "give at least one latent position"}
	}
	if err := data.CheckFinite(z); err != nil {
		return nil, &Error{Method: m.Method(), Param: "Decode", Err: fmt.Errorf("%w: a latent position is not finite", ErrData), Remedy: "give finite positions"}
	}
	p, err := l.posterior()
	var mean *mat.Dense
	var variance []float64
	if err == nil {
		mean, variance, err = p.Predict(z)
	}
	if err != nil {
		remedy := cmp.Or(advice.Of(err), fmt.Sprintf("give positions in %s", nouns.Count(m.Dims(), "dimension")))
		return nil, &Error{Method: m.Method(), Param: "Decode", Err: fmt.Errorf("%w: %w", ErrData, err), Remedy: remedy}
	}
	q, _ := z.Dims()
	out := &Decoding{Mean: mat.NewDense(q, l.Features(), nil), Function: variance, Observation: slices.Clone(variance), Scale: make([]float64, l.Features())}
	for a, k := range l.used {
		out.Scale[k] = l.scale[a]
	}
	for i := range q {
		out.Observation[i] += p.Noise()
		out.Mean.SetRow(i, l.mean)
		for a, k := range l.used {
			out.Mean.Set(i, k, l.shift[a]+l.scale[a]*mean.At(i, a))
		}
	}
	if data.CheckFinite(out.Mean) != nil || data.CheckFinite(mat.NewDense(1, q, out.Observation)) != nil {
		return nil, &Error{Method: m.Method(), Param: "Decode", Err: fmt.Errorf("%w: the distribution is not finite", ErrNumerical), Remedy: "give positions near those of the samples"}
	}
	return out, nil
}
