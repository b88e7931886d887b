package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// preparation is an interpretation of the paper's “scaled to [0,1] by feature”, followed by the
// reduction to 98 % of the variance.
type preparation struct {
	name string
	// whole prepares the whole set. It is nil if training samples determine the parameters.
	whole func(*data.Data) *data.Data
}

var preparations = []preparation{
	{"each feature to [0, 1], both by the training samples, as above", nil},
	{"each feature to [0, 1], both by all samples", byAll},
	{"each picture to [0, 1], reduced by all samples", func(d *data.Data) *data.Data {
		d = pictures01(d)
		return d.Scaled(variance98(d))
	}},
}

// byAll scales and reduces the whole set.
func byAll(d *data.Data) *data.Data {
	d = d.Scaled(d.LearnScale01())
	return d.Scaled(variance98(d))
}

// pictures01 returns the data with every sample scaled to [0, 1] by its own range.
func pictures01(d *data.Data) *data.Data {
	x := mat.DenseCopyOf(d.X)
	for i := range d.Len() {
		row := x.RawRowView(i)
		low, high := slices.Min(row), slices.Max(row)
		for k := range row {
			row[k] = (row[k] - low) / max(high-low, math.SmallestNonzeroFloat64)
		}
	}
	out := data.New(x, d.Labels)
	out.Name, out.Truth = d.Name, d.Truth
	return out
}

// preparedTables contains scores by preparation and block. Of is empty if data are missing.
type preparedTables struct {
	Splits int
	Of     [][]swept
}

func measurePreparations(ctx context.Context, with budget) (preparedTables, error) {
	out := preparedTables{Splits: min(with.Splits, 5)}
	for _, p := range preparations {
		var row []swept
		for _, b := range blocks() {
			s, err := b.prepared(ctx, out.Splits, p.whole)
			if err != nil {
				return preparedTables{}, err
			}
			row = append(row, s)
		}
		out.Of = append(out.Of, row)
	}
	return out, nil
}

func writePreparations(p *page, of preparedTables) {
	if of.Of == nil {
		p.line("%s\n", lacking)
		return
	}
	head, rule := "| preparation", "|---"
	for _, set := range setNames() {
		head, rule = head+" | "+set+": others | LMRAG | rank", rule+"|---|---|---"
	}
	p.line("%s |\n%s|", head, rule)
	for i, preparation := range preparations {
		columns := map[string][]contest{}
		for k, b := range blocks() {
			columns[b.set] = append(columns[b.set], b.contests(of.Of[i][k])...)
		}
		line := "| " + preparation.name
		for _, set := range setNames() {
			line += " | " + paperDifferences(columns[set])
		}
		p.line("%s |", line)
	}
	p.line("\nBest of grid minus published, in percentage points, for the five other methods and for LMRAG, projected: the mean over the cells, and in parentheses the mean of the absolute values. Rank: in how many cells LMRAG, projected, is first or second; %s.\n", nouns.Count(of.Splits, "split"))
}

// paperDifferences formats two differences from the paper, one for the methods other than LMRAG and
// one for LMRAG with projected candidates. It appends the number of columns in which the latter is
// first or second.
func paperDifferences(columns []contest) string {
	var rest, own []float64
	front := 0
	for _, c := range columns {
		best := c.bests()
		for m, v := range best[:lmragRow] {
			rest = append(rest, v-c.published[m].Mean)
		}
		projected := best[len(best)-1]
		own = append(own, projected-c.published[lmragRow].Mean)
		if place(projected, best) <= 2 {
			front++
		}
	}
	return fmt.Sprintf("%s | %s | %d of %d", signed(rest), signed(own), front, len(columns))
}

// signed formats the mean of differences and the mean of their absolute values.
func signed(values []float64) string {
	sum, size := 0.0, 0.0
	for _, v := range values {
		sum, size = sum+v, size+math.Abs(v)
	}
	n := float64(len(values))
	return fmt.Sprintf("%+.1f (%.1f)", sum/n, size/n)
}
