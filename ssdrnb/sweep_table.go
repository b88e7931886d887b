package ssdrnb

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// SweepResult is the table of a sweep. Cells are in row-major order of the axes: the last axis
// varies fastest.
type SweepResult struct {
	Spec Spec
	Axes []Axis
	// Splits is the number of draws.
	Splits int
	// Unlabelled and Test have one cell per combination of axis values. Unlabelled has the scores
	// on the training samples with hidden labels. Test has the scores on the test samples, and is
	// nil without [SweepBuilder.Train].
	Unlabelled, Test []Cell
}

// Cell holds the scores of one combination of option values over the draws.
type Cell struct {
	// Scores has one entry per draw. An entry is NaN if the score has not been computed, if the fit
	// failed, or if there is nothing to score.
	Scores []float64
	// Err is the error of the first draw that failed, or nil if no draw failed.
	Err error
}

// Count returns the number of draws with a score.
func (c Cell) Count() int {
	count := 0
	for _, s := range c.Scores {
		if !math.IsNaN(s) {
			count++
		}
	}
	return count
}

// Mean returns the mean of the scores, or NaN if there are no scores.
func (c Cell) Mean() float64 {
	sum := 0.0
	for _, s := range c.Scores {
		if !math.IsNaN(s) {
			sum += s
		}
	}
	return sum / float64(c.Count())
}

// Std returns the standard deviation of the scores over the draws (divisor n − 1), or 0 for fewer
// than two scores.
func (c Cell) Std() float64 {
	n := c.Count()
	if n < 2 {
		return 0
	}
	mean, sum := c.Mean(), 0.0
	for _, s := range c.Scores {
		if !math.IsNaN(s) {
			sum += (s - mean) * (s - mean)
		}
	}
	return math.Sqrt(sum / float64(n-1))
}

// String formats the mean and the standard deviation, such as "0.714 ± 0.032".
func (c Cell) String() string { return fmt.Sprintf("%.3f ± %.3f", c.Mean(), c.Std()) }

// maxScores is the maximum number of scores in the table of a sweep or comparison.
const maxScores = 10_000_000

// tableSide is one side of a table of scores: its length, and the option that determines the
// length. Errors show this option and its value.
type tableSide struct {
	option string
	value  any
	length int
}

// tableSize returns the number of scores in a table with the given sides, or an error if it exceeds
// maxScores. Lengths must be positive.
func tableSize(method string, sides ...tableSide) (int, error) {
	size := 1
	for _, s := range sides {
		most := maxScores / size
		if s.length > most {
			return 0, &Error{Method: method, Param: s.option, Value: s.value, Err: fmt.Errorf("%w: the table would have more than %d scores", ErrOption, maxScores), Remedy: fmt.Sprintf("give at most %d", most)}
		}
		size *= s.length
	}
	return size, nil
}

// cells returns the number of cells, or an error if the table would be too large.
func (b SweepBuilder) cells() (int, error) {
	var sides []tableSide
	for _, a := range b.axes {
		sides = append(sides, tableSide{a.Name, nouns.Count(len(a.Values), "value"), len(a.Values)})
	}
	size, err := tableSize("Sweep", append(sides, tableSide{"splits", b.splits, b.splits})...)
	return size / b.splits, err
}

// empty returns the table without scores.
func (b SweepBuilder) empty(cells int) *SweepResult {
	blank := func() []Cell {
		table := make([]Cell, cells)
		for i := range table {
			table[i].Scores = make([]float64, b.splits)
			for k := range table[i].Scores {
				table[i].Scores[k] = math.NaN()
			}
		}
		return table
	}
	axes := slices.Clone(b.axes) // callers may change the result
	for k := range axes {
		axes[k].Values = slices.Clone(axes[k].Values)
	}
	r := &SweepResult{Spec: b.spec, Axes: axes, Splits: b.splits, Unlabelled: blank()}
	if b.train > 0 {
		r.Test = blank()
	}
	return r
}

// AxisValues maps option names to the values of the axes at one cell.
type AxisValues map[string]any

// String lists the values ordered by name, such as "alpha = 1, beta = 0.0001".
func (v AxisValues) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(v)) {
		parts = append(parts, fmt.Sprintf("%s = %v", name, v[name]))
	}
	return strings.Join(parts, ", ")
}

// At returns the values of the axes at cell i.
func (r *SweepResult) At(i int) AxisValues {
	out := AxisValues{}
	for k := len(r.Axes) - 1; k >= 0; k-- {
		a := r.Axes[k]
		out[a.Name] = a.Values[i%len(a.Values)]
		i /= len(a.Values)
	}
	return out
}

// Best returns the index of the cell with the highest mean. If several cells have this mean, it
// returns the first. The argument cells is Unlabelled or Test. Best considers only cells with a
// score for every draw. If there are none, it considers all cells.
func (r *SweepResult) Best(cells []Cell) int {
	best, mean, whole := 0, math.NaN(), false
	for i, c := range cells {
		m, all := c.Mean(), c.Count() == len(c.Scores)
		if all && !whole || all == whole && (m > mean || math.IsNaN(mean)) {
			best, mean, whole = i, m, all
		}
	}
	return best
}

// SpecAt returns the method with the options of cell i.
func (r *SweepResult) SpecAt(i int) Spec {
	s := r.Spec
	for name, v := range r.At(i) {
		s = s.With(name, v)
	}
	return s
}

// String returns the best cell for the unlabelled samples and the best cell for the test samples,
// each with mean ± standard deviation over the draws, and the number of cells that failed. Samples
// without scores, such as unlabelled samples if no label is hidden, are left out.
func (r *SweepResult) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v over", r.Spec)
	for i, a := range r.Axes {
		if i > 0 {
			b.WriteString(" ×")
		}
		fmt.Fprintf(&b, " %d %s", len(a.Values), a.Name)
	}
	fmt.Fprintf(&b, ", %s", nouns.Count(r.Splits, "draw"))
	for _, part := range []struct {
		name  string
		cells []Cell
	}{{"unlabelled", r.Unlabelled}, {"test", r.Test}} {
		if !slices.ContainsFunc(part.cells, func(c Cell) bool { return c.Count() > 0 }) {
			continue
		}
		best := r.Best(part.cells)
		fmt.Fprintf(&b, "\n%-10s %v at %v", part.name, part.cells[best], r.SpecAt(best))
	}
	failed := 0
	for _, c := range r.Unlabelled {
		if c.Err != nil {
			failed++
		}
	}
	if failed > 0 {
		fmt.Fprintf(&b, "\n%d of %d cells failed", failed, len(r.Unlabelled))
	}
	return b.String()
}

// WriteCSV writes the table with a header and one line per cell. A line has the values of the axes,
// then the mean score, the standard deviation and the number of scores, first for the unlabelled
// and then for the test samples, and finally the error if the cell failed.
func (r *SweepResult) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	var head []string
	for _, a := range r.Axes {
		head = append(head, a.Name)
	}
	head = append(head, "unlabelled_mean", "unlabelled_std", "unlabelled_draws")
	if r.Test != nil {
		head = append(head, "test_mean", "test_std", "test_draws")
	}
	if err := out.Write(append(head, "error")); err != nil {
		return err
	}
	number := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	score := func(line []string, c Cell) []string {
		return append(line, number(c.Mean()), number(c.Std()), strconv.Itoa(c.Count()))
	}
	for i, c := range r.Unlabelled {
		var line []string
		at := r.At(i)
		for _, a := range r.Axes {
			text := fmt.Sprint(at[a.Name])
			if r.Spec.method.param(a.Name).isAuto(at[a.Name]) {
				text = "auto"
			}
			line = append(line, text)
		}
		line = score(line, c)
		if r.Test != nil {
			line = score(line, r.Test[i])
		}
		failure := ""
		if c.Err != nil {
			failure = c.Err.Error()
		}
		if err := out.Write(append(line, failure)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// SaveCSV writes the table of [SweepResult.WriteCSV] to a file, either completely or not at all.
func (r *SweepResult) SaveCSV(path string) error {
	return files.Tell("ssdrnb", path, "", saveWhole("Sweep", path, r.WriteCSV))
}

// saveWhole writes a file either completely or not at all.
func saveWhole(method, path string, write func(io.Writer) error) error {
	return writeWhole(method, "Save", path, write)
}

// writeWhole does the same as saveWhole, but its errors name the given call instead of Save.
func writeWhole(method, call, path string, write func(io.Writer) error) error {
	err := files.Write(path, write)
	if err == nil {
		return nil
	}
	remedy := files.Remedy(err)
	if remedy == "" {
		remedy = "report this fault of the library with the method and its options"
	}
	return &Error{Method: method, Param: call, Value: path, Err: err, Remedy: remedy}
}
