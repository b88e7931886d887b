package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// paper is what one paper reports and how it was measured.
type paper struct {
	key, title  string
	protocol    []string // paragraphs
	experiments []experiment
	missing     []string // tables that cannot be measured, and why
	// subject is the method that the paper is about, and ranking the order that it
	// claims, best first.
	subject string
	ranking []string
	// findings are paragraphs that interpret the figures.
	findings []string
}

// experiment is a table: methods as rows, labelled sets as columns.
type experiment struct {
	title string
	note  string
	// dims are the dimensions among which the best is taken, and coarse those that
	// are tried while settings are chosen.
	dims, coarse []int
	columns      []column
	rows         []row
}

// column is one labelled set.
type column struct {
	name string
	data func() *data.Data
	// divide draws the training and the test side.
	divide func(*data.Data) (train, test *data.Data)
	// hide is the share of the labels on which settings are validated.
	hide float64
	// published has a figure per row, in the order of rows; nil where the paper has
	// none.
	published []figure
}

// figure is a published accuracy in percent: mean, the "variance" printed beside
// it, and the number of dimensions.
type figure struct {
	mean, spread float64
	dims         int
}

// row is a method: as the paper says literally, and the settings among which its
// best is looked for.
type row struct {
	literal  ssdrnb.Spec
	settings []ssdrnb.Spec
}

func (r row) name() string { return r.literal.Method().Name }

// option is an option with the values that are tried.
type option struct {
	name   string
	values []any
}

// settings returns every combination of the options' values.
func settings(e ssdrnb.Estimator, options ...option) []ssdrnb.Spec {
	specs := []ssdrnb.Spec{e.Spec()}
	for _, o := range options {
		var next []ssdrnb.Spec
		for _, s := range specs {
			for _, v := range o.values {
				next = append(next, s.With(o.name, v))
			}
		}
		specs = next
	}
	return specs
}

// budget is the number of random splits: for the figures, and for the choice of
// settings.
type budget struct{ splits, draws int }

// measured is a finished experiment: cells by column and row.
type measured struct {
	experiment
	cells   [][]cell
	missing []error // by column; nil where it was measured
	took    time.Duration
}

// cell is the accuracy of a method on a labelled set.
type cell struct {
	literal, tuned score
	// chosen is the tuned setting, and blind its score in the dimension that
	// validation chose too, where tuned takes the best one as the paper does.
	chosen ssdrnb.Spec
	blind  score
	// validation is the mean score of each setting while it was chosen.
	validation []float64
}

// score is an accuracy in percent over splits.
type score struct {
	mean, std float64
	dims      int
	err       error
}

// run measures an experiment.
func (e experiment) run(ctx context.Context, b budget) (measured, error) {
	began := time.Now()
	m := measured{experiment: e, cells: make([][]cell, len(e.columns)), missing: make([]error, len(e.columns))}
	for k, c := range e.columns {
		d := c.data()
		if err := d.Err(); err != nil {
			m.missing[k] = err
			continue
		}
		cells, err := e.measure(ctx, c, d, b)
		if err != nil {
			return m, err
		}
		m.cells[k] = cells
		fmt.Fprintf(os.Stderr, "  %s %.0f s\n", c.name, time.Since(began).Seconds())
	}
	m.took = time.Since(began)
	return m, nil
}

// measure fills a column.
func (e experiment) measure(ctx context.Context, c column, d *data.Data, b budget) ([]cell, error) {
	chosen, cells, err := e.choose(ctx, c, d, b.draws)
	if err != nil {
		return nil, err
	}
	specs := make([]ssdrnb.Estimator, 0, 2*len(e.rows))
	for r := range e.rows {
		specs = append(specs, e.rows[r].literal, cells[r].chosen)
	}
	result, err := ssdrnb.Compare(d, specs...).Divide(c.divide).Splits(b.splits).Dims(e.dims...).Run(ctx)
	if err != nil {
		return nil, err
	}
	for r := range cells {
		literal, tuned := result.Curves[2*r], result.Curves[2*r+1]
		cells[r].literal, cells[r].tuned = best(literal, result.Dims), best(tuned, result.Dims)
		if k := slices.Index(result.Dims, chosen[r]); k >= 0 && tuned.Err == nil {
			cells[r].blind = at(tuned, result.Dims, k)
		}
	}
	return cells, nil
}

// choose finds the setting and the dimension of each row that validate best: fitted
// to part of the labels of the training side, and scored on the rest of them. A
// setting that fails on any draw is out; a method whose settings all fail stays at
// its literal one.
func (e experiment) choose(ctx context.Context, c column, d *data.Data, draws int) (dims []int, cells []cell, err error) {
	var specs []ssdrnb.Estimator
	for _, r := range e.rows {
		for _, s := range r.settings {
			specs = append(specs, s)
		}
	}
	result, err := ssdrnb.Compare(d, specs...).Divide(c.divide).Splits(draws).Dims(e.coarse...).Validate(c.hide).Run(ctx)
	if err != nil {
		return nil, nil, err
	}
	dims, cells = make([]int, len(e.rows)), make([]cell, len(e.rows))
	at := 0
	for r, row := range e.rows {
		cells[r].chosen = row.literal
		top := 0.0
		for _, curve := range result.Curves[at : at+len(row.settings)] {
			mean := 0.0
			if curve.Err == nil {
				k := curve.Best(curve.Unlabelled)
				if mean = curve.Unlabelled[k].Mean(); mean > top {
					top, cells[r].chosen, dims[r] = mean, curve.Spec, result.Dims[k]
				}
			}
			cells[r].validation = append(cells[r].validation, 100*mean)
		}
		at += len(row.settings)
	}
	return dims, cells, nil
}

// best returns the score of the best dimension, as the papers report.
func best(c ssdrnb.Curve, dims []int) score {
	if c.Err != nil {
		return score{err: c.Err}
	}
	return at(c, dims, c.Best(c.Test))
}

func at(c ssdrnb.Curve, dims []int, k int) score {
	return score{mean: 100 * c.Test[k].Mean(), std: 100 * c.Test[k].Std(), dims: dims[k]}
}
