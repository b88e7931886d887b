package walks

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// carryTolerance is the default tolerance of the linear systems of a [Carrier]. It is smaller than
// the default tolerance for labels, because a propagated number is a quotient of two solutions,
// both of which are small far from the known samples.
const carryTolerance = 1e-9

// Carrier propagates numbers known at some samples along a graph. Random walks begin at the known
// samples and continue with probability 1 − m/(n+1) at each step, where m of n samples are known.
// The value of a sample is the mean of the known numbers, weighted by how often the walks from each
// known sample visit it.
type Carrier struct {
	// Carry is the probability that a walk continues, 1 − m/(n+1).
	Carry float64
	// Converged is false if a linear system was not solved to its tolerance.
	Converged bool

	solver    *Solver
	component []int // component of each sample
	count     int   // number of components
	tol       float64
}

// NewCarrier returns a Carrier for the graph w. `known` is the number m of known samples. tolerance
// is the tolerance of the linear systems; 0 means 1e-9.
func NewCarrier(ctx context.Context, w *sparse.CSR, known int, tolerance float64) (*Carrier, error) {
	if tolerance == 0 {
		tolerance = carryTolerance
	}
	if !(tolerance > 0 && tolerance < 1) || known < 1 || known > w.Rows {
		return nil, fmt.Errorf("%w: tolerance = %v, and %d of %d samples are known; the tolerance must lie between 0 and 1, and the number of known samples between 1 and %d", ErrOption, tolerance, known, w.Rows, w.Rows)
	}
	if err := check(w, make([]int, w.Rows), 1); err != nil {
		return nil, err
	}
	c := &Carrier{Carry: 1 - float64(known)/float64(w.Rows+1), Converged: true, tol: tolerance}
	c.count, c.component = graph.ComponentsAbove(w, 0)
	var err error
	c.solver, err = NewSolver(ctx, w, Degrees(w), c.Carry)
	return c, err
}

// Known lists samples and the numbers known at these samples.
type Known struct {
	// Rows lists the samples without repetition.
	Rows []int
	// Values holds quantities to propagate, each with one number per row.
	Values [][]float64
	// Spread requests Carried.Variance for the first quantity.
	Spread bool
}

// Carried holds the propagated values of the n samples.
type Carried struct {
	// Values holds n numbers for each quantity, within the range of its known numbers. Samples that
	// no walk reaches have the mean of the known numbers.
	Values [][]float64
	// Variance holds, for each sample, the variance of the known numbers of the first quantity
	// around the propagated value, weighted in the same way as this value. It is nil unless
	// Known.Spread is true.
	Variance []float64
	// Mass holds, for each sample i, the sum of G_il over the known samples l. G is (D − αW)⁻¹ and
	// α is Carry. Mass is 0 for samples that are not reached.
	Mass []float64
	// Reached is true for samples in a component with a known sample.
	Reached []bool
}

// Apply propagates the numbers of each list, and returns one result per list. It solves a single
// block of linear systems for all lists.
func (c *Carrier) Apply(ctx context.Context, lists ...Known) ([]Carried, error) {
	n, width := len(c.component), 0
	for _, k := range lists {
		width += 1 + len(k.Values)
		if k.Spread {
			width++
		}
		if err := k.check(n); err != nil {
			return nil, err
		}
	}
	b := mat.NewDense(n, width, nil)
	at := 0
	means := make([][]float64, len(lists))
	for l, k := range lists {
		means[l] = make([]float64, len(k.Values))
		for _, i := range k.Rows {
			b.Set(i, at, 1)
		}
		for q, v := range k.Values {
			means[l][q] = mean(v)
			for a, i := range k.Rows {
				b.Set(i, at+1+q, v[a]-means[l][q])
			}
		}
		at += 1 + len(k.Values)
		if k.Spread {
			for _, i := range k.Rows {
				d := b.At(i, at-len(k.Values))
				b.Set(i, at, d*d)
			}
			at++
		}
	}
	z, err := c.solver.Solve(ctx, b, c.tol)
	switch {
	case z != nil && errors.Is(err, ErrNotConverged):
		c.Converged = false
	case err != nil:
		return nil, err
	}
	out := make([]Carried, len(lists))
	at = 0
	for l, k := range lists {
		out[l] = c.quotients(z, at, k, means[l])
		at += 1 + len(k.Values)
		if k.Spread {
			at++
		}
	}
	return out, nil
}

// check returns an error unless the rows are valid samples and each quantity has one number per
// row.
func (k Known) check(n int) error {
	if len(k.Rows) == 0 {
		return fmt.Errorf("%w: none of %d samples is known, but at least one must be", ErrOption, n)
	}
	for _, i := range k.Rows {
		if i < 0 || i >= n {
			return fmt.Errorf("%w: row %d of the known values is out of range for %d samples", ErrOption, i, n)
		}
	}
	for _, v := range k.Values {
		if len(v) != len(k.Rows) {
			return fmt.Errorf("%w: a quantity has %d numbers for %d known rows, but must have one per row", ErrShape, len(v), len(k.Rows))
		}
	}
	if k.Spread && len(k.Values) == 0 {
		return fmt.Errorf("%w: Spread is set, but there is no quantity in Values", ErrOption)
	}
	return nil
}

// quotients returns the result for the list k. From column `at` on, z holds the solutions of the
// linear systems: Mass, then one column per quantity for its deviations from the mean and, if the
// variance is requested, one column for the squared deviations of the first quantity.
func (c *Carrier) quotients(z *mat.Dense, at int, k Known, means []float64) Carried {
	n := len(c.component)
	reached := make([]bool, c.count)
	for _, i := range k.Rows {
		reached[c.component[i]] = true
	}
	out := Carried{Mass: make([]float64, n), Reached: make([]bool, n), Values: make([][]float64, len(k.Values))}
	for i := range n {
		if out.Reached[i] = reached[c.component[i]]; out.Reached[i] {
			out.Mass[i] = max(z.At(i, at), 0)
		}
	}
	for q, v := range k.Values {
		low, high := rangeOf(v)
		value := make([]float64, n)
		for i, mass := range out.Mass {
			value[i] = means[q]
			if mass > 0 {
				value[i] = min(max(means[q]+z.At(i, at+1+q)/mass, low), high)
			}
		}
		out.Values[q] = value
	}
	if k.Spread {
		all := 0.0
		for _, v := range k.Values[0] {
			d := v - means[0]
			all += d * d / float64(len(k.Rows))
		}
		low, high := rangeOf(k.Values[0])
		most := (high - low) * (high - low) / 4
		out.Variance = make([]float64, n)
		for i, mass := range out.Mass {
			out.Variance[i] = all
			if mass > 0 {
				d := out.Values[0][i] - means[0]
				out.Variance[i] = min(max(z.At(i, at+1+len(k.Values))/mass-d*d, 0), most)
			}
		}
	}
	return out
}

func mean(v []float64) float64 {
	m := 0.0
	for k, x := range v {
		m += (x - m) / float64(k+1) // a plain sum may overflow
	}
	return m
}

func rangeOf(v []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, x := range v {
		low, high = min(low, x), max(high, x)
	}
	return low, high
}
