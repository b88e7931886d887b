package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// paper has the results that one paper reports and the way they were measured.
type paper struct {
	key, title  string
	protocol    []string // paragraphs
	experiments []comparison
	missing     []string // tables that cannot be measured, and why
	// brief is the text of the short page.
	brief brief
	// subject is the method that the paper is about, and ranking the order that it
	// claims, best first.
	subject string
	ranking []string
	// findings are paragraphs that interpret the figures.
	findings []string
	// tables are what is not an experiment of accuracies.
	tables []table
	// summary writes what follows from the tables, once they are filled; nil for
	// nothing.
	summary func(p *page)
}

// table is anything else that a paper reports: it is measured, kept and written by
// functions of its own. Make it by [newTable].
type table struct {
	title string
	// fill measures the table, or reads it from the file, and returns its text.
	fill func(ctx context.Context, file string, b budget) (string, error)
}

// newTable returns a table. What measure returns is kept as JSON; write adds its
// text below the title.
func newTable[T any](title string, measure func(ctx context.Context, b budget) (T, error), write func(p *page, of T)) table {
	return table{title, func(ctx context.Context, file string, b budget) (string, error) {
		of, err := kept(file, func() (T, error) { return measure(ctx, b) })
		if err != nil {
			return "", err
		}
		p := page{}
		p.line("## %s\n", title)
		write(&p, of)
		return p.String(), nil
	}}
}

// comparison is a table: methods as rows, labelled sets as columns.
type comparison struct {
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
type budget struct{ Splits, Draws int }

// measured is a finished experiment.
type measured struct {
	comparison
	results
}

// results are the figures of an experiment: plain values, which can be kept in a
// file.
type results struct {
	Budget  budget
	Cells   [][]cell // by column and row; nil where the data are missing
	Seconds float64
}

// cell is the accuracy of a method on a labelled set.
type cell struct {
	Literal, Tuned score
	// Blind is the tuned score in the dimension that validation chose too, where
	// Tuned takes the best one as the paper does.
	Blind score
	// Validation is the mean score of each setting while it was chosen.
	Validation []float64
}

// score is an accuracy in percent over splits.
type score struct {
	Mean, Std float64
	Dims      int
	Error     string // why there is none
}

// run measures an experiment.
func (e comparison) run(ctx context.Context, b budget) (results, error) {
	began := time.Now()
	m := results{Budget: b, Cells: make([][]cell, len(e.columns))}
	for k, c := range e.columns {
		d := c.data()
		if d.Err() != nil {
			continue
		}
		cells, err := e.measure(ctx, c, d, b)
		if err != nil {
			return m, err
		}
		m.Cells[k] = cells
		fmt.Fprintf(os.Stderr, "  %s: %s\n", c.name, time.Since(began).Round(time.Second))
	}
	m.Seconds = time.Since(began).Seconds()
	return m, nil
}

// measure fills a column.
func (e comparison) measure(ctx context.Context, c column, d *data.Data, b budget) ([]cell, error) {
	chosen, err := e.choose(ctx, c, d, b.Draws)
	if err != nil {
		return nil, err
	}
	specs := make([]ssdrnb.Estimator, 0, 2*len(e.rows))
	for r := range e.rows {
		specs = append(specs, e.rows[r].literal, chosen[r].spec)
	}
	result, err := ssdrnb.Compare(d, specs...).Divide(c.divide).Splits(b.Splits).Dims(e.dims...).Run(ctx)
	if err != nil {
		return nil, err
	}
	cells := make([]cell, len(e.rows))
	for r := range cells {
		literal, tuned := result.Curves[2*r], result.Curves[2*r+1]
		cells[r] = cell{Literal: best(literal, result.Dims), Tuned: best(tuned, result.Dims), Validation: chosen[r].validation}
		if k := slices.Index(result.Dims, chosen[r].dims); k >= 0 && tuned.Err == nil {
			cells[r].Blind = at(tuned, result.Dims, k)
		}
	}
	return cells, nil
}

// choice is a setting and a dimension that validated best.
type choice struct {
	spec       ssdrnb.Spec
	dims       int
	validation []float64 // of each setting, in percent
}

// choose finds the choice of each row: settings are fitted to part of the labels of
// the training side, and scored on the rest of them. A setting that fails on any
// draw is out; a method whose settings all fail stays at its literal one.
func (e comparison) choose(ctx context.Context, c column, d *data.Data, draws int) ([]choice, error) {
	var specs []ssdrnb.Estimator
	for _, r := range e.rows {
		for _, s := range r.settings {
			specs = append(specs, s)
		}
	}
	result, err := ssdrnb.Compare(d, specs...).Divide(c.divide).Splits(draws).Dims(e.coarse...).Validate(c.hide).Run(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]choice, len(e.rows))
	first := 0
	for r, row := range e.rows {
		out[r].spec = row.literal
		top := 0.0
		for _, curve := range result.Curves[first : first+len(row.settings)] {
			mean := 0.0
			if curve.Err == nil {
				k := curve.Best(curve.Unlabelled)
				if mean = curve.Unlabelled[k].Mean(); mean > top {
					top, out[r].spec, out[r].dims = mean, curve.Spec, result.Dims[k]
				}
			}
			out[r].validation = append(out[r].validation, 100*mean)
		}
		first += len(row.settings)
	}
	return out, nil
}

// best returns the score of the best dimension, as the papers report.
func best(c ssdrnb.Curve, dims []int) score {
	if c.Err != nil {
		return score{Error: c.Err.Error()}
	}
	return at(c, dims, c.Best(c.Test))
}

func at(c ssdrnb.Curve, dims []int, k int) score {
	return score{Mean: 100 * c.Test[k].Mean(), Std: 100 * c.Test[k].Std(), Dims: dims[k]}
}

// kept returns what an earlier run left in the file, and measures where there is
// none. An empty name keeps nothing.
func kept[T any](file string, measure func() (T, error)) (T, error) {
	var of T
	if raw, err := os.ReadFile(file); err == nil {
		return of, json.Unmarshal(raw, &of)
	}
	of, err := measure()
	if err != nil || file == "" {
		return of, err
	}
	raw, err := json.MarshalIndent(of, "", "\t")
	if err != nil {
		return of, err
	}
	return of, os.WriteFile(file, raw, 0o644)
}
