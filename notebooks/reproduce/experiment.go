package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// paper contains the results that one paper reports, and the way in which they were measured.
type paper struct {
	key, title  string
	protocol    []string // paragraphs
	experiments []comparison
	missing     []string // tables that are not measured, with the reasons
	// brief is the text about the paper on the short page.
	brief brief
	// subject is the method that the paper introduces. ranking is the order of methods that the
	// paper claims, best method first.
	subject string
	ranking []string
	// findings are paragraphs that interpret the results.
	findings []string
	// tables lists the results that are not comparisons, see [table].
	tables []table
	// summary writes the conclusions from the tables after they are filled; nil for none.
	summary func(p *page)
}

// table is a paper's result that is not a comparison. Each table has its own functions that
// measure, store and write it. Tables are created with [newTable].
type table struct {
	title string
	// fill measures the table or reads it from file. It returns the text of the table. If data are
	// missing, it returns the text and errMissing.
	fill func(ctx context.Context, file string, b budget) (string, error)
}

// errMissing is the error of measurements that lack data. They return it together with the result
// for the available data.
var errMissing = errors.New("data are missing")

// newTable returns a table. The result of measure is stored as JSON, and write adds the text of the
// result below the title.
func newTable[T any](title string, measure func(ctx context.Context, b budget) (T, error), write func(p *page, of T)) table {
	return table{title, func(ctx context.Context, file string, b budget) (string, error) {
		of, err := kept(file, b, func() (T, error) { return measure(ctx, b) })
		if err != nil && !errors.Is(err, errMissing) {
			return "", err
		}
		p := page{}
		p.line("## %s\n", title)
		write(&p, of)
		return p.String(), err
	}}
}

// comparison is a table with methods as rows and labelled sets as columns.
type comparison struct {
	title string
	note  string
	// dims are the numbers of dimensions from which the best is chosen. coarse are the numbers of
	// dimensions that are tried while settings are chosen.
	dims, coarse []int
	columns      []column
	rows         []row
}

// column is one labelled set.
type column struct {
	name string
	data func() *data.Data
	// divide returns random training and test samples.
	divide func(*data.Data) (train, test *data.Data)
	// hide is the share of the training labels that is held out for validation while settings are
	// chosen.
	hide float64
	// published contains one figure per row, in the order of rows; nil if the paper reports none.
	published []figure
}

// figure is a published accuracy in percent: the mean, the "variance" printed beside it, and the
// number of dimensions.
type figure struct {
	mean, spread float64
	dims         int
}

// row is a method with the setting that the paper states (literal), and with the settings from
// which the best one is chosen.
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

// settings returns e with every combination of the options' values.
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

// budget contains the numbers of random splits: Splits for the results, and Draws for the choice of
// settings.
type budget struct{ Splits, Draws int }

// measured is a finished experiment.
type measured struct {
	comparison
	results
}

// results contains the scores of an experiment as plain values that can be stored in a file.
type results struct {
	Budget  budget
	Cells   [][]cell // by column and row; nil if the data are missing
	Seconds float64
}

// cell is the accuracy of a method on a labelled set, with the setting that the paper states
// (Literal) and with the setting chosen by validation (Tuned), each in its best dimension.
type cell struct {
	Literal, Tuned score
	// Blind is the score of the tuned setting in the dimension that validation chose.
	Blind score
	// Validation contains the mean validation score of each setting.
	Validation []float64
}

// score contains the mean and the standard deviation of an accuracy over the splits, in percent.
type score struct {
	Mean, Std float64
	Dims      int
	Error     string // reason why there is no score, or ""
}

func (e comparison) run(ctx context.Context, b budget) (results, error) {
	began := time.Now()
	m := results{Budget: b, Cells: make([][]cell, len(e.columns))}
	var missing error
	for k, c := range e.columns {
		d := c.data()
		if d.Err() != nil {
			missing = errMissing
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
	return m, missing
}

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
			cells[r].Blind = scoreAt(tuned, result.Dims, k)
		}
	}
	return cells, nil
}

// choice is the setting and the dimension with the best validation score.
type choice struct {
	spec       ssdrnb.Spec
	dims       int
	validation []float64 // score of each setting, in percent
}

// choose returns the choice for each row. Each setting is fitted to a part of the training labels
// and scored on the other training labels. A setting that fails on any draw is excluded. If all
// settings of a method fail, the choice is its literal setting.
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

// best returns the score in the dimension that is best on the test samples. The papers choose the
// dimension in this way too.
func best(c ssdrnb.Curve, dims []int) score {
	if c.Err != nil {
		return score{Error: c.Err.Error()}
	}
	return scoreAt(c, dims, c.Best(c.Test))
}

func scoreAt(c ssdrnb.Curve, dims []int, k int) score {
	return score{Mean: 100 * c.Test[k].Mean(), Std: 100 * c.Test[k].Std(), Dims: dims[k]}
}

// stored is the content of a file with a finished table.
type stored[T any] struct {
	Budget budget
	Of     T
}

// kept returns the result that an earlier run stored in the file. If that run had another budget,
// kept returns an error, unless b.Splits is 0. If the file does not exist, kept returns and stores
// the result of measure. If file is "" or if measure returns an error, nothing is stored.
func kept[T any](file string, b budget, measure func() (T, error)) (T, error) {
	if raw, err := os.ReadFile(file); err == nil {
		var s stored[T]
		strict := json.NewDecoder(bytes.NewReader(raw))
		strict.DisallowUnknownFields()
		if err := strict.Decode(&s); err != nil {
			return s.Of, fmt.Errorf("%s is damaged or from another version: %w; delete the file to measure the table again", file, err)
		}
		if b.Splits > 0 && s.Budget != b {
			return s.Of, fmt.Errorf("%s was measured with -splits %d -draws %d, not -splits %d -draws %d; give the former, or another folder with -keep", file, s.Budget.Splits, s.Budget.Draws, b.Splits, b.Draws)
		}
		return s.Of, nil
	}
	of, err := measure()
	if err != nil || file == "" {
		return of, err
	}
	return of, files.Write(file, func(w io.Writer) error {
		text := json.NewEncoder(w)
		text.SetIndent("", "\t")
		return text.Encode(stored[T]{b, of})
	})
}
