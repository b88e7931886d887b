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

// carried is a target that a method has propagated to all samples.
type carried struct {
	values, variances []float64 // n
	reached           []bool    // n
}

// Carried returns the target ([data.Data.WithTarget]) at all n samples, in its units, as [S2NE]
// propagated it from the known ones or as the process of [SSGPLVM] predicts it. Known samples
// have the propagated value too, not their own. All results are nil for data without a target and
// for other methods.
//
// With S2NE, the variance of a sample is the weighted variance of the known values around its
// propagated one, in squared units; it is a weak guide to the error. reached is false for samples
// without a known sample in their component of the graph; their value is the mean of the known
// values or the prediction of the regression. The report has the cross-validated accuracy of the
// propagation: the fact "target q2", the best of "target q2 walks", "target q2 line" and "target q2
// both", and "target strength", from 0, where the embedding does not use the target, to 1.
//
// With SSGPLVM, they are the variances of an observation under the model. The features determine
// them more than the target does, and they are too small (64 % of the petal widths of iris are
// within two standard deviations). Every sample is reached.
func (m *Model) Carried() (values, variances []float64, reached []bool) {
	if m.carried == nil {
		return nil, nil, nil
	}
	return slices.Clone(m.carried.values), slices.Clone(m.carried.variances), slices.Clone(m.carried.reached)
}

// save adds the arrays of a file.
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

// readCarried reads the arrays of save, nil if there are none.
func readCarried(arrays map[string]*mat.Dense, n int) (*carried, error) {
	a := arrays["carried"]
	if a == nil {
		return nil, nil
	}
	if rows, cols := a.Dims(); rows != 3 || cols != n {
		return nil, fmt.Errorf("the carried target is %d×%d for %d samples", rows, cols, n)
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

// isTarget reports whether the array of this name holds a target, whose unknown values are NaN.
func isTarget(name string) bool { return strings.HasPrefix(name, targetArray) }

// saveTargets adds targets to the arrays of a file, the visible and the true values as two
// rows, and returns their names.
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

// readTargets reads the arrays of saveTargets for n samples.
func readTargets(names []string, arrays map[string]*mat.Dense, n int) ([]data.Target, error) {
	var out []data.Target
	for k, name := range names {
		a := arrays[targetArray+strconv.Itoa(k)]
		if a == nil {
			return nil, fmt.Errorf("the target %q is missing", name)
		}
		if rows, cols := a.Dims(); rows != 2 || cols != n {
			return nil, fmt.Errorf("the target %q is %d×%d for %d samples", name, rows, cols, n)
		}
		for _, v := range a.RawMatrix().Data {
			if math.IsInf(v, 0) {
				return nil, fmt.Errorf("a value of the target %q is %v", name, v)
			}
		}
		out = append(out, data.Target{Name: name, Values: a.RawRowView(0), Truth: a.RawRowView(1)})
	}
	return out, nil
}
