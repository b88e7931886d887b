package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// errorSet is a labelled set of Tables 2 and 3 of the paper [p2].
type errorSet struct {
	title, note                string
	data                       func() *data.Data
	labels, train              int     // per class; all other samples are test samples
	hide                       float64 // share of the labels hidden while settings are tuned
	homogeneous, heterogeneous int     // numbers of neighbours of the same and of other classes, K̂ and Ǩ in the paper
	dims                       []int
	subject                    string       // method of the paper, whose options are varied
	splits                     int          // maximum number of splits
	budget                     int          // maximum number of settings per method
	published                  [][2]percent // unlabelled and test errors, by row
	// rows returns the methods of a table that is not in the paper but is our own check. It is nil
	// for tables of the paper.
	rows func(errorSet) []contender
}

// with returns the same experiment on other data.
func (s errorSet) with(title, note string, set func() *data.Data) errorSet {
	s.title, s.note, s.data = title, note, set
	return s
}

// contender is a row of a table: a method with its settings. The paper states the first setting. A
// contender without settings is the baseline, see [errorSet.baseline].
type contender struct {
	name string
	// labelledOnly means that the method is fitted to the labelled samples only.
	labelledOnly bool
	settings     []ssdrnb.Spec
}

// drawn returns up to n settings: e itself, and others drawn from all combinations of the options'
// values. The draw is the same in every run.
func drawn(n int, e ssdrnb.Estimator, options ...option) []ssdrnb.Spec {
	out := []ssdrnb.Spec{e.Spec()}
	all := 1
	for _, o := range options {
		all *= len(o.values)
	}
	rng := rand.New(rand.NewPCG(2011, uint64(all)))
	for _, code := range rng.Perm(all) {
		if len(out) == n {
			break
		}
		spec := e.Spec()
		for _, o := range options {
			spec = spec.With(o.name, o.values[code%len(o.values)])
			code /= len(o.values)
		}
		if spec.String() != out[0].String() {
			out = append(out, spec)
		}
	}
	return out
}

// candidate is a method that a trial fits, or the baseline.
type candidate struct {
	spec                   ssdrnb.Spec
	labelledOnly, baseline bool
}

// erred contains the errors of a candidate on a draw, in percent, one per dimension. hidden is
// measured on the hidden labels. test is measured on the test samples, and is nil if there are
// none.
type erred struct {
	hidden, test []float64
	err          error
}

// trial returns the errors of the candidates on a draw. The errors are measured on the samples of
// train with hidden labels, and on test, which may be nil.
func (s errorSet) trial(ctx context.Context, train, test *data.Data, all []candidate) ([]erred, error) {
	known, hidden := sides(train)
	out := make([]erred, len(all))
	// compare fits the candidates whose labelledOnly has the given value to the samples in `fit`,
	// and calls `put` with the curve of each candidate. Curve.Unlabelled is measured on the hidden
	// labels in `fit`, and Curve.Test on the samples in `on`. If `on` is nil, there are no test
	// samples.
	compare := func(labelledOnly bool, fit, on *data.Data, put func(*erred, ssdrnb.Curve)) error {
		var specs []ssdrnb.Estimator
		var at []int
		for i, c := range all {
			if !c.baseline && c.labelledOnly == labelledOnly {
				specs, at = append(specs, c.spec), append(at, i)
			}
		}
		if specs == nil {
			return nil
		}
		dims := slices.DeleteFunc(slices.Clone(s.dims), func(d int) bool { return d >= fit.Len() || d > fit.Dim() })
		b := ssdrnb.Compare(fit, specs...).Dims(dims...)
		if on != nil {
			b = b.Divide(func(*data.Data) (*data.Data, *data.Data) { return fit, on })
		}
		result, err := b.Run(ctx)
		if err != nil {
			return err
		}
		for k, i := range at {
			if out[i].err = result.Curves[k].Err; out[i].err == nil {
				put(&out[i], result.Curves[k])
			}
		}
		return nil
	}
	err := compare(false, train, test, func(e *erred, c ssdrnb.Curve) { e.hidden, e.test = s.percent(c.Unlabelled), s.percent(c.Test) })
	if err == nil {
		err = compare(true, known, hidden, func(e *erred, c ssdrnb.Curve) { e.hidden = s.percent(c.Test) })
	}
	if err == nil && test != nil {
		err = compare(true, known, test, func(e *erred, c ssdrnb.Curve) { e.test = s.percent(c.Test) })
	}
	if err != nil {
		return nil, err
	}
	for i, c := range all {
		if !c.baseline {
			continue
		}
		if out[i].hidden, err = s.baseline(known, hidden); err == nil && test != nil {
			out[i].test, err = s.baseline(known, test)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// sides returns the labelled samples, and the samples with a hidden class.
func sides(d *data.Data) (known, hidden *data.Data) {
	var labelled, scored []int
	for i, l := range d.Labels {
		switch {
		case l != data.Unlabelled:
			labelled = append(labelled, i)
		case d.Truth[i] != data.Unlabelled:
			scored = append(scored, i)
		}
	}
	return d.Subset(labelled), d.Subset(scored)
}

// baseline returns the error of the nearest neighbour in the original features, repeated for each
// dimension.
func (s errorSet) baseline(known, on *data.Data) ([]float64, error) {
	predicted, err := metrics.NearestNeighbor(known.X, known.Labels, on.X)
	wrong := 0
	for i, p := range predicted {
		if p != on.Truth[i] {
			wrong++
		}
	}
	return slices.Repeat([]float64{100 * float64(wrong) / float64(on.Len())}, len(s.dims)), err
}

// percent returns the errors of the cells in percent, one per dimension, or nil if there are no
// cells. Dimensions that are too large for the data have no cell, and get the error of the last
// cell.
func (s errorSet) percent(cells []ssdrnb.Cell) []float64 {
	var out []float64
	for _, c := range cells {
		out = append(out, 100-100*c.Mean())
	}
	for out != nil && len(out) < len(s.dims) {
		out = append(out, out[len(out)-1])
	}
	return out
}

// errorTable is the measurement of an [errorSet]. Splits is 0 if the data are missing.
type errorTable struct {
	Data   string
	Splits int
	// Draws contains the number of draws for choosing settings by hidden labels, and the number of
	// draws for choosing them by the true classes.
	Draws  [2]int
	Rows   []errorRow
	Varied []variation
}

// errorRow contains the errors of a method with the setting that the paper states (Literal), with
// the setting chosen by hidden labels (Tuned), and with the setting chosen by the true classes
// (Known).
type errorRow struct {
	Method                string
	Settings              int
	Literal, Tuned, Known outcome
}

// outcome contains the errors of a method in percent, one per split. Choice is the mean error of
// the chosen setting and dimension on the draws by which they were chosen.
type outcome struct {
	Chosen           string
	Dims             int
	Choice           float64
	Unlabelled, Test []float64
	Failure          string
}

// variation is the tuned method of the paper with one option changed.
type variation struct {
	Option, Value string
	Outcome       outcome
}

// firstDraw is the seed of the first draw for choosing settings. variedSplits is the number of
// splits for variations.
const (
	firstDraw    = 1001
	variedSplits = 10
)

func (s errorSet) methods() []contender {
	if s.rows != nil {
		return s.rows(s)
	}
	return s.contenders()
}

func (s errorSet) measure(ctx context.Context, b budget) (errorTable, error) {
	base := s.data()
	if base.Err() != nil {
		return errorTable{}, errMissing
	}
	base = base.KeepLabels(s.labels)
	rows := s.methods()
	out := errorTable{Data: base.Name, Splits: min(b.Splits, s.splits), Draws: [2]int{4 * b.Draws, 2 * b.Draws}, Rows: make([]errorRow, len(rows))}
	byLabels, err := s.search(ctx, base, rows, out.Draws[0], func(d *data.Data) *data.Data { return d.Validation(s.hide) })
	if err != nil {
		return out, err
	}
	byTruth, err := s.search(ctx, base, rows, out.Draws[1], func(d *data.Data) *data.Data { return d })
	if err != nil {
		return out, err
	}
	var fits []fitting
	for r, row := range rows {
		to := &out.Rows[r]
		to.Method, to.Settings = row.name, len(row.settings)
		fits = append(fits, s.pick(row, byLabels[r][:1], &to.Literal), s.pick(row, byLabels[r], &to.Tuned), s.pick(row, byTruth[r], &to.Known))
	}
	if err := s.score(ctx, base, out.Splits, fits); err != nil {
		return out, err
	}
	r := slices.IndexFunc(rows, func(c contender) bool { return c.name == s.subject })
	tuned, changed := fits[3*r+1], []fitting(nil)
	for _, o := range s.variations() {
		for _, v := range o.values {
			out.Varied = append(out.Varied, variation{Option: o.name, Value: fmt.Sprint(v), Outcome: outcome{Dims: tuned.outcome.Dims}})
			changed = append(changed, fitting{candidate{spec: tuned.spec.With(o.name, v)}, tuned.dimIndex, nil})
		}
	}
	for i := range changed {
		changed[i].outcome = &out.Varied[i].Outcome
	}
	return out, s.score(ctx, base, min(out.Splits, variedSplits), changed)
}

// search returns mean errors by row, setting and dimension, over draws that are not reported.
// prepare may hide further labels of a draw, and errors are measured on the hidden labels. A
// setting that fails on a draw gets the error math.MaxFloat64.
func (s errorSet) search(ctx context.Context, base *data.Data, rows []contender, draws int, prepare func(*data.Data) *data.Data) ([][][]float64, error) {
	began := time.Now()
	var all []candidate
	sums := make([][][]float64, len(rows))
	for r, row := range rows {
		settings := row.settings
		if settings == nil {
			settings = []ssdrnb.Spec{{}}
		}
		for _, spec := range settings {
			all = append(all, candidate{spec, row.labelledOnly, row.settings == nil})
			sums[r] = append(sums[r], make([]float64, len(s.dims)))
		}
	}
	for i := range draws {
		train, _ := base.Seed(uint64(firstDraw+i)).SplitPerClass(s.train, 0)
		scores, err := s.trial(ctx, prepare(train), nil, all)
		if err != nil {
			return nil, err
		}
		next := 0
		for r := range sums {
			for _, sum := range sums[r] {
				e := scores[next]
				next++
				for k := range sum {
					if e.err != nil {
						sum[k] = math.MaxFloat64 // JSON has no infinity
						continue
					}
					sum[k] += e.hidden[k] / float64(draws)
				}
			}
		}
		fmt.Fprintf(os.Stderr, "  chosen on draw %d of %d: %s\n", i+1, draws, time.Since(began).Round(time.Second))
	}
	return sums, nil
}

// fitting is a candidate. Its scores in dimension dims[dimIndex] are stored in *outcome.
type fitting struct {
	candidate
	dimIndex int
	outcome  *outcome
}

// pick finds the setting and the dimension with the smallest mean error, the first in a tie. It
// stores them in *to and returns them as a fitting. The argument `means` contains the mean errors
// by setting and dimension.
func (s errorSet) pick(row contender, means [][]float64, to *outcome) fitting {
	setting, at := 0, 0
	for i := range means {
		for k, m := range means[i] {
			if m < means[setting][at] {
				setting, at = i, k
			}
		}
	}
	f := fitting{candidate{labelledOnly: row.labelledOnly, baseline: row.settings == nil}, at, to}
	to.Choice, to.Dims = means[setting][at], s.dims[at]
	if row.settings != nil {
		f.spec = row.settings[setting]
		to.Chosen = options(f.spec)
	}
	return f
}

// score computes the outcomes on the reported splits.
func (s errorSet) score(ctx context.Context, base *data.Data, splits int, fits []fitting) error {
	began := time.Now()
	all := make([]candidate, len(fits))
	for i, f := range fits {
		all[i] = f.candidate
	}
	for i := range splits {
		train, test := base.Seed(uint64(i+1)).SplitPerClass(s.train, 0)
		scores, err := s.trial(ctx, train, test, all)
		if err != nil {
			return err
		}
		for k, e := range scores {
			to := fits[k].outcome
			if e.err != nil {
				to.Failure = cmp.Or(to.Failure, e.err.Error())
				continue
			}
			to.Unlabelled, to.Test = append(to.Unlabelled, e.hidden[fits[k].dimIndex]), append(to.Test, e.test[fits[k].dimIndex])
		}
		if (i+1)%5 == 0 {
			fmt.Fprintf(os.Stderr, "  split %d of %d: %s\n", i+1, splits, time.Since(began).Round(time.Second))
		}
	}
	return nil
}

func (s errorSet) write(p *page, of errorTable) {
	p.line("%s\n", s.note)
	if of.Splits == 0 {
		p.line("%s\n", lacking)
		return
	}
	p.line("%s: each class has %d labelled and %d unlabelled training samples; all others are test samples. %s; settings were chosen on other draws: %d scored by hidden labels and %d by the true classes. Errors are given as unlabelled / test, with the dimension in parentheses.\n",
		of.Data, s.labels, s.train-s.labels, nouns.Count(of.Splits, "split"), of.Draws[0], of.Draws[1])
	p.line("| method | published | literal | tuned | known | settings tried | tuned to | known best |\n|---|---|---|---|---|---|---|---|")
	for r, row := range of.Rows {
		published := "–"
		if r < len(s.published) {
			published = s.published[r][0].String() + " / " + s.published[r][1].String()
		}
		p.line("| %s | %s | %s | %s | %s | %d | %s | %s |", row.Method, published, row.Literal, row.Tuned, row.Known, row.Settings, row.Tuned.Chosen, row.Known.Chosen)
	}
	p.line("")
	for _, c := range []struct {
		name string
		of   func(errorRow) outcome
	}{{"Literal", func(r errorRow) outcome { return r.Literal }}, {"Tuned", func(r errorRow) outcome { return r.Tuned }}, {"Known", func(r errorRow) outcome { return r.Known }}} {
		if s.published != nil {
			p.line("%s: %s\n", c.name, s.place(of, c.of))
		}
	}
	p.line("What the error of %s depends on: the tuned setting with one option changed. %s; errors are given as unlabelled / test.\n", s.subject, nouns.Count(min(of.Splits, variedSplits), "split"))
	p.line("| option | values |\n|---|---|")
	for _, o := range s.variations() {
		text := ""
		for _, v := range of.Varied {
			if v.Option != o.name {
				continue
			}
			if text += " · **" + v.Value + "** "; v.Outcome.Failure != "" {
				text += "fails"
				continue
			}
			text += fmt.Sprintf("%.1f / %.1f", middle(v.Outcome.Unlabelled), middle(v.Outcome.Test))
		}
		p.line("| %s | %s |", o.name, strings.TrimPrefix(text, " · "))
	}
	p.line("")
}

// place returns text about the rank of the paper's method among the methods of the paper, and about
// whether it reaches the published errors.
func (s errorSet) place(of errorTable, column func(errorRow) outcome) string {
	best, own := -1, -1
	place := 1
	for r, row := range of.Rows {
		if row.Method == s.subject {
			own = r
		}
	}
	mine := column(of.Rows[own])
	if mine.Failure != "" {
		return s.subject + " fails."
	}
	for r, row := range of.Rows {
		other := column(row)
		if r == own || r >= len(s.published) || other.Failure != "" {
			continue
		}
		if middle(other.Test) < middle(mine.Test) {
			place++
		}
		if best < 0 || middle(other.Test) < middle(column(of.Rows[best]).Test) {
			best = r
		}
	}
	difference := make([]float64, len(mine.Test))
	for i, v := range column(of.Rows[best]).Test {
		difference[i] = mine.Test[i] - v
	}
	behind := percentOf(difference)
	limit := [2]float64{}
	reached := true
	for i, mean := range []float64{middle(mine.Unlabelled), middle(mine.Test)} {
		limit[i] = s.published[own][i].Mean + 2*s.published[own][i].Std
		reached = reached && mean <= limit[i]
	}
	return fmt.Sprintf("%s is number %d of the paper's %d rows by the test error. Its test error minus that of the best other row, %s, is %+.2f ± %.2f (standard error of the difference over the same splits). Within two published deviations (%.2f / %.2f): %s.",
		s.subject, place, len(s.published), of.Rows[best].Method, behind.Mean, behind.Std/math.Sqrt(float64(len(difference))), limit[0], limit[1], yes(reached))
}

func (o outcome) String() string {
	if o.Failure != "" {
		return "fails: " + o.Failure
	}
	text := fmt.Sprintf("%s / %s", percentOf(o.Unlabelled), percentOf(o.Test))
	if o.Chosen == "" {
		return text // the baseline does not depend on the dimension
	}
	return fmt.Sprintf("%s (%d)", text, o.Dims)
}

// options formats the options of a setting that differ from the defaults.
func options(s ssdrnb.Spec) string {
	text := s.String()
	text = strings.TrimSuffix(text[strings.Index(text, "(")+1:], ")")
	if text == "" {
		return "defaults"
	}
	return text
}
