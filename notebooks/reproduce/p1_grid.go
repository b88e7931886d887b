package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// block is the part of Table 2 for one data set and one number of labels per class. It consists of
// two columns, for unlabelled samples and for test samples.
type block struct {
	set       string
	data      func() *data.Data
	labels    int
	published [][2]percent // unlabelled and test, by method; nil if the paper reports none
}

func (b block) title() string {
	return fmt.Sprintf("Table 2, %s, %s per class", b.set, nouns.Count(b.labels, "label"))
}

// gridMethod is a method of Table 2 with the names of the two options that are searched.
type gridMethod struct {
	name    string
	builder ssdrnb.Estimator
	a, b    string
}

// gridMethods returns the six methods of Table 2 in the order of the table. The last, LMRAG, has
// two readings (interpretations of the paper). The discriminant methods have as many dimensions as
// there are classes. All graphs have 5 neighbours.
func gridMethods(classes int) []gridMethod {
	return []gridMethod{
		{"SDA", ssdrnb.SDA().Dims(classes).Neighbors(5).Affinity(ssdrnb.SelfTuning).Within(ssdrnb.TotalScatter).Balance(ssdrnb.Absolute).Norm(ssdrnb.EuclideanNorm), "manifold", "ridge"},
		{"TR-FSDA", ssdrnb.TRFSDA().Dims(classes).Ridge(1e-3).PCA(1), "alpha", "beta"},
		{"SSDL", ssdrnb.SSDL().Dims(classes).Affinity(ssdrnb.SelfTuning).Norm(ssdrnb.EuclideanNorm), "alpha", "beta"},
		{"FME", ssdrnb.FME().LabelWeight(1e6), "mu", "gamma"},
		{"LapRLS/L", ssdrnb.LapRLS(), "ambient", "intrinsic"},
		{"LMRAG, local", ssdrnb.LMRAG(), "alpha", "beta"},
		{"LMRAG, projected", ssdrnb.LMRAG().Candidates(ssdrnb.ProjectedCandidates), "alpha", "beta"},
	}
}

// Indices into gridMethods. The two readings of LMRAG have the indices lmragRow and lmragRow + 1;
// lmragRow is also the number of methods other than LMRAG.
const (
	sdaRow    = 0
	trfsdaRow = 1
	ssdlRow   = 2
	fmeRow    = 3
	lapRLSRow = 4
	lmragRow  = 5
)

// swept contains the scores of all methods on a block. Rows is empty if the data are missing.
type swept struct {
	Splits int
	// Scored contains the numbers of unlabelled and of test samples in a split.
	Scored  [2]int
	Seconds float64
	Rows    []sweptMethod
}

type sweptMethod struct {
	Unlabelled, Test side
	Seconds          float64
}

// side returns the scores on the unlabelled samples if k is 0, and on the test samples if k is 1.
func (m sweptMethod) side(k int) side { return []side{m.Unlabelled, m.Test}[k] }

// side contains the scores of a method by setting and split, in percent. A failed fit has score 0.
// Settings are ordered by [powers]; the second option varies fastest.
type side [][]float64

// powers lists the exponents of the powers of ten that both options take.
var powers = []int{-6, -4, -2, 0, 2, 4, 6}

// trainShare is the share of each class used for training.
const trainShare = 0.4

// measure scores all settings of all methods on the same splits. The training samples of each split
// determine how the data are scaled and reduced.
func (b block) measure(ctx context.Context, with budget) (swept, error) {
	return b.prepared(ctx, with.Splits, nil)
}

// prepared is like measure. If whole is not nil, it scales and reduces the whole set before the
// split. Otherwise, the training samples of each split determine how the data are scaled and
// reduced.
func (b block) prepared(ctx context.Context, splits int, whole func(*data.Data) *data.Data) (swept, error) {
	d := b.data()
	if d.Err() != nil {
		return swept{}, errMissing
	}
	if whole != nil {
		d = whole(d)
	}
	began := time.Now()
	out := swept{Splits: splits}
	train, test := d.KeepLabels(b.labels).Split(trainShare)
	out.Scored = [2]int{train.Len() - train.NumLabelled(), test.Len()}
	for _, m := range gridMethods(len(d.Classes())) {
		since := time.Now()
		sweep := m.sweep(d.KeepLabels(b.labels), splits)
		if whole == nil {
			sweep = byTraining(sweep)
		}
		r, err := sweep.Run(ctx)
		if err != nil {
			return out, err
		}
		out.Rows = append(out.Rows, sweptMethod{newSide(r.Unlabelled), newSide(r.Test), time.Since(since).Seconds()})
		fmt.Fprintf(os.Stderr, "  %s: %s\n", m.name, time.Since(since).Round(time.Second))
	}
	out.Seconds = time.Since(began).Seconds()
	return out, nil
}

// sweep returns the grid search of the paper. It does not prepare the data.
func (s gridMethod) sweep(d *data.Data, splits int) ssdrnb.SweepBuilder {
	first, last := float64(powers[0]), float64(powers[len(powers)-1])
	return ssdrnb.Sweep(s.builder, d).Log10(s.a, first, last, 2).Log10(s.b, first, last, 2).
		Splits(splits).Train(trainShare)
}

// byTraining scales and reduces the samples of each split, with parameters from the training
// samples.
func byTraining(s ssdrnb.SweepBuilder) ssdrnb.SweepBuilder {
	return s.Prepare((*data.Data).LearnScale01).Prepare(variance98)
}

func variance98(d *data.Data) data.Scaling { return d.LearnPCA(0.98) }

func newSide(cells []ssdrnb.Cell) side {
	out := make(side, len(cells))
	for i, c := range cells {
		out[i] = make([]float64, len(c.Scores))
		for k, v := range c.Scores {
			if !math.IsNaN(v) {
				out[i][k] = math.Round(1e6*v) / 1e4
			}
		}
	}
	return out
}

// best returns the setting with the highest mean over the given splits, the first in a tie.
func (s side) best(splits []int) int {
	best := 0
	for i := range s {
		if s.score(i, splits).Mean > s.score(best, splits).Mean {
			best = i
		}
	}
	return best
}

// score returns the mean score of a setting over the given splits, with the standard deviation.
func (s side) score(setting int, splits []int) percent {
	var scores []float64
	for _, k := range splits {
		scores = append(scores, s[setting][k])
	}
	return percentOf(scores)
}

// splits returns the indices of all splits.
func (s side) splits() []int { return span(0, len(s[0])) }

// ofGrid returns the score of the setting that is best over all splits. This is the score that the
// paper reports.
func (s side) ofGrid() percent { return s.score(s.best(s.splits()), s.splits()) }

// fives returns, for each group of five splits, the mean score of the setting that is best in it.
func (s side) fives() []float64 {
	var bests []float64
	for at := 0; at+5 <= len(s[0]); at += 5 {
		group := span(at, at+5)
		bests = append(bests, s.score(s.best(group), group).Mean)
	}
	return bests
}

// crossed returns the mean score if settings are chosen on other splits: the even splits use the
// setting that is best on the odd splits, and vice versa.
func (s side) crossed() percent {
	halves := [2][]int{}
	for k := range s[0] {
		halves[k%2] = append(halves[k%2], k)
	}
	scores := make([]float64, len(s[0]))
	for k := range scores {
		scores[k] = s[s.best(halves[1-k%2])][k]
	}
	return percentOf(scores)
}

// leads reports whether the best setting of s has a higher mean score than the best setting of t,
// by more than two standard errors of the paired difference.
func (s side) leads(t side) bool {
	mine, theirs := s[s.best(s.splits())], t[t.best(t.splits())]
	differences := make([]float64, len(mine))
	for k := range mine {
		differences[k] = mine[k] - theirs[k]
	}
	d := percentOf(differences)
	return d.Mean > 2*d.Std/math.Sqrt(float64(len(mine)))
}

// setting formats the options at an index of the grid.
func (s gridMethod) setting(at int) string {
	return fmt.Sprintf("%s 1e%d, %s 1e%d", s.a, powers[at/len(powers)], s.b, powers[at%len(powers)])
}

func (b block) write(p *page, of swept) {
	if of.Rows == nil {
		p.line("%s\n", lacking)
		return
	}
	p.line("| method | unlabelled: published | best of grid | crossed | setting | test: published | best of grid | crossed | setting |\n|---|---|---|---|---|---|---|---|---|")
	for m, method := range gridMethods(2) {
		line := "| " + method.name
		for k := range 2 {
			s := of.Rows[m].side(k)
			published := "–"
			if b.published != nil {
				published = b.published[min(m, lmragRow)][k].String()
			}
			line += fmt.Sprintf(" | %s | %v | %v | %s", published, s.ofGrid(), s.crossed(), method.setting(s.best(s.splits())))
		}
		p.line("%s |", line)
	}
	p.line("\n%s.\n", nouns.Count(of.Splits, "split"))
}
