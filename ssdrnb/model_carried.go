package ssdrnb

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// carried is a target that a method has propagated to all n samples, see [Model.Carried].
type carried struct {
	values, variances []float64 // length n
	reached           []bool    // length n
}

// Carried returns the target ([data.Data.WithTarget]) at all n samples, in its units. [S2NE]
// propagates the known values, and the Gaussian process of [SSGPLVM] predicts the values. Samples
// with a known value also get the propagated value, not their own. All results are nil for data
// without a target and for other methods.
//
// With S2NE, the variance at a sample is the weighted variance of the known values around its
// propagated value, in squared units; it is a weak guide to the error. reached is false for samples
// without a known value in their component of the graph. Their value is the mean of the known
// values or, if ridge regression is used, the prediction of the regression. The report has q², the
// cross-validated share of explained variance, for propagation by random walks on the graph
// ("target q2 walks"), by ridge regression ("target q2 line") and by both ("target q2 both");
// "target q2" is the best of these. "target strength" lies between 0, if the embedding does not use
// the target, and 1.
//
// With SSGPLVM, variances are those of an observation under the model. They depend more on the
// features than on the target, and they are too small: only 64 % of the petal widths of iris are
// within two standard deviations. Every sample is reached.
func (m *Model) Carried() (values, variances []float64, reached []bool) {
	if m.carried == nil {
		return nil, nil, nil
	}
	return slices.Clone(m.carried.values), slices.Clone(m.carried.variances), slices.Clone(m.carried.reached)
}

// save adds the array "carried" to the arrays of a model file. The rows of this 3×n array are the
// values, the variances, and 1 for reached and 0 for other samples.
func (c *carried) save(arrays map[string]any) {
	if c == nil {
		return
	}
	n := len(c.values)
	out := mat.NewDense(3, n, nil)
	out.SetRow(0, c.values)
	out.SetRow(1, c.variances)
	for i, yes := range c.reached {
		if yes {
			out.Set(2, i, 1)
		}
	}
	arrays["carried"] = out
}

// readCarried reads the array written by save, and returns nil if there is none.
func readCarried(arrays map[string]*mat.Dense, n int) (*carried, error) {
	a := arrays["carried"]
	if a == nil {
		return nil, nil
	}
	if rows, cols := a.Dims(); rows != 3 || cols != n {
		return nil, fmt.Errorf("the carried target is %d×%d, but must be 3×%d", rows, cols, n)
	}
	c := &carried{values: a.RawRowView(0), variances: a.RawRowView(1), reached: make([]bool, n)}
	for i, v := range a.RawRowView(2) {
		if v != 0 && v != 1 || c.variances[i] < 0 {
			return nil, fmt.Errorf("the carried target of sample %d has the invalid variance %v or reached flag %v", i, c.variances[i], v)
		}
		c.reached[i] = v == 1
	}
	return c, nil
}

// targetArray is the prefix of the names of target arrays in files.
const targetArray = "target values "

// isTarget reports whether the array with this name holds a target, whose unknown values are NaN.
func isTarget(name string) bool { return strings.HasPrefix(name, targetArray) }

// saveTargets adds one 2×n array per target to the arrays of a file. The first row has the values
// that methods may use, and the second the true values. It returns the names of the targets.
func saveTargets(targets []data.Target, arrays map[string]any) []string {
	var names []string
	for k, t := range targets {
		names = append(names, t.Name)
		both := mat.NewDense(2, len(t.Values), nil)
		both.SetRow(0, t.Values)
		both.SetRow(1, t.Values)
		if t.Truth != nil {
			both.SetRow(1, t.Truth)
		}
		arrays[targetArray+strconv.Itoa(k)] = both
	}
	return names
}

// readTargets reads the arrays written by saveTargets, for n samples.
func readTargets(names []string, arrays map[string]*mat.Dense, n int) ([]data.Target, error) {
	var out []data.Target
	for k, name := range names {
		a := arrays[targetArray+strconv.Itoa(k)]
		if a == nil {
			return nil, fmt.Errorf("the target %q is missing", name)
		}
		if rows, cols := a.Dims(); rows != 2 || cols != n {
			return nil, fmt.Errorf("the target %q is %d×%d, but must be 2×%d", name, rows, cols, n)
		}
		for _, v := range a.RawMatrix().Data {
			if math.IsInf(v, 0) {
				return nil, fmt.Errorf("a value of the target %q is %v, but must be finite, or NaN if unknown", name, v)
			}
		}
		out = append(out, data.Target{Name: name, Values: a.RawRowView(0), Truth: a.RawRowView(1)})
	}
	return out, nil
}
