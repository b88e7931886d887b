package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// The paper leaves some details open, and a reading is an interpretation of one of them. The tables
// of this file show how the results of LMRAG and of the compared methods depend on the reading.

// otherReading is a reading of a method with which the paper compares LMRAG.
type otherReading struct {
	row  int // index of the method's row in the published figures
	name string
	gridMethod
}

// otherReadings lists the readings of those compared methods whose descriptions are ambiguous. The
// last reading of a method is the one used in the other tables.
func otherReadings(classes int) []otherReading {
	tables := gridMethods(classes)
	sda, trfsda, ssdl, fme := tables[sdaRow], tables[trfsdaRow], tables[ssdlRow], tables[fmeRow]
	with := func(m gridMethod, name string, value any) gridMethod {
		m.builder = m.builder.Spec().With(name, value)
		return m
	}
	return []otherReading{
		{sdaRow, "SDA, wᵀBw = 1", with(sda, "norm", ssdrnb.DenominatorNorm)},
		{sdaRow, "SDA, ‖w‖ = 1, as above", sda},
		{trfsdaRow, "TR-FSDA, F in all terms", with(trfsda, "relaxed", ssdrnb.RelaxedAll)},
		{trfsdaRow, "TR-FSDA, F in the manifold term, as above", trfsda},
		{ssdlRow, "SSDL, diversity exp(−1/q), wᵀBw = 1", with(with(ssdl, "norm", ssdrnb.DenominatorNorm), "diversity", ssdrnb.ReciprocalDiversity)},
		{ssdlRow, "SSDL, diversity exp(−1/q), ‖w‖ = 1", with(ssdl, "diversity", ssdrnb.ReciprocalDiversity)},
		{ssdlRow, "SSDL, diversity 1 − exp(−q), wᵀBw = 1", with(ssdl, "norm", ssdrnb.DenominatorNorm)},
		{ssdlRow, "SSDL, diversity 1 − exp(−q), ‖w‖ = 1, as above", ssdl},
		{fmeRow, "FME, labels of weight 1", with(fme, "label weight", 1.0)},
		{fmeRow, "FME, labels of weight 10⁶, as above", fme},
	}
}

// distances contains, by reading and block, the difference from the paper on unlabelled and on test
// samples: the score of the best setting in the grid minus the published score.
type distances struct {
	Splits int
	Of     [][][2]float64
}

func measureOthers(ctx context.Context, with budget) (distances, error) {
	out := distances{Splits: min(with.Splits, 10)}
	for i := range otherReadings(2) {
		var row [][2]float64
		for _, b := range blocks() {
			d := b.data()
			if d.Err() != nil {
				return distances{}, errMissing
			}
			reading := otherReadings(len(d.Classes()))[i]
			r, err := byTraining(reading.sweep(d.KeepLabels(b.labels), out.Splits)).Run(ctx)
			if err != nil {
				return out, err
			}
			var apart [2]float64
			for k, cells := range [][]ssdrnb.Cell{r.Unlabelled, r.Test} {
				apart[k] = newSide(cells).ofGrid().Mean - b.published[reading.row][k].Mean
			}
			row = append(row, apart)
		}
		fmt.Fprintf(os.Stderr, "  %s\n", otherReadings(2)[i].name)
		out.Of = append(out.Of, row)
	}
	return out, nil
}

func writeOthers(p *page, of distances) {
	if of.Of == nil {
		p.line("%s\n", lacking)
		return
	}
	sets := setNames()
	p.line("| reading | %s | all |\n|---%s|---|", strings.Join(sets, " | "), strings.Repeat("|---", len(sets)))
	for i, reading := range otherReadings(2) {
		line := "| " + reading.name
		for _, set := range append(sets, "") {
			var apart []float64
			for k, b := range blocks() {
				if set == "" || b.set == set {
					apart = append(apart, of.Of[i][k][:]...)
				}
			}
			line += " | " + signed(apart)
		}
		p.line("%s |", line)
	}
	p.line("\nBest of grid minus published, in percentage points: the mean over the cells, and in parentheses the mean of the absolute values; %s.\n", nouns.Count(of.Splits, "split"))
}

// openChoice is a reading of a detail of LMRAG or of the preparation of the data.
type openChoice struct {
	name    string
	builder *ssdrnb.LMRAGBuilder
	// transform changes the whole set; nil means no change. The functions in prepare then learn
	// scalings from the training samples of each split.
	transform func(*data.Data) *data.Data
	prepare   []func(*data.Data) data.Scaling
}

func openChoices() []openChoice {
	scale, near := (*data.Data).LearnScale01, ssdrnb.LMRAG().Candidates(ssdrnb.ProjectedCandidates)
	usual := []func(*data.Data) data.Scaling{scale, variance98}
	less := []func(*data.Data) data.Scaling{scale, func(d *data.Data) data.Scaling { return d.LearnPCA(0.9) }}
	return []openChoice{
		{"local candidates, k = 5, as above", ssdrnb.LMRAG(), nil, usual},
		{"local, k = 10", ssdrnb.LMRAG().Neighbors(10), nil, usual},
		{"all others as candidates, k = 5", ssdrnb.LMRAG().Candidates(ssdrnb.AllCandidates), nil, usual},
		{"candidates of least cost, k = 5", ssdrnb.LMRAG().Candidates(ssdrnb.NearestCandidates), nil, usual},
		{"projected candidates, k = 5, as above", near, nil, usual},
		{"projected, k = 3", near.Neighbors(3), nil, usual},
		{"projected, k = 10", near.Neighbors(10), nil, usual},
		{"projected, λ by bracketing", near.Adjust(ssdrnb.Bracket), nil, usual},
		{"projected, 5 iterations at most", near.Iterations(5), nil, usual},
		{"projected, W from the last graph", near.Refit(true), nil, usual},
		{"projected, all of the variance", near, nil, usual[:1]},
		{"projected, 90 % of the variance", near, nil, less},
		{"projected, features as they are", near, nil, []func(*data.Data) data.Scaling{variance98}},
		{"projected, scaled and reduced by all samples", near, byAll, nil},
		{"projected, each picture scaled to [0, 1] first", near, pictures01, usual},
	}
}

// open contains the scores of the readings of LMRAG, each with the best of nine settings, on
// unlabelled and test samples.
type open struct {
	Splits int
	Scores [][][2]percent // by choice and set; empty if the data are missing
}

// openSets returns the face sets with one or two labels, on which LMRAG is far ahead in the paper.
func openSets() []block {
	return slices.DeleteFunc(blocks(), func(b block) bool { return b.labels > 2 || b.set == "COIL-20" })
}

func measureOpen(ctx context.Context, with budget) (open, error) {
	out := open{Splits: min(with.Splits, 5)}
	for _, c := range openChoices() {
		var row [][2]percent
		for _, b := range openSets() {
			d := b.data()
			if d.Err() != nil {
				return open{}, errMissing
			}
			if c.transform != nil {
				d = c.transform(d)
			}
			sweep := ssdrnb.Sweep(c.builder, d.KeepLabels(b.labels)).Log10("alpha", 0, 4, 2).Log10("beta", -2, 2, 2).Splits(out.Splits).Train(trainShare)
			for _, learn := range c.prepare {
				sweep = sweep.Prepare(learn)
			}
			r, err := sweep.Run(ctx)
			if err != nil {
				return open{}, err
			}
			row = append(row, [2]percent{newSide(r.Unlabelled).ofGrid(), newSide(r.Test).ofGrid()})
		}
		fmt.Fprintf(os.Stderr, "  %s: %v\n", c.name, row)
		out.Scores = append(out.Scores, row)
	}
	return out, nil
}

func writeOpen(p *page, of open) {
	if of.Scores == nil {
		p.line("%s\n", lacking)
		return
	}
	head, rule, published := "| LMRAG, unlabelled, test", "|---", "| published"
	for _, b := range openSets() {
		head += fmt.Sprintf(" | %s, %d", b.set, b.labels)
		rule += "|---"
		published += fmt.Sprintf(" | %.1f, %.1f", b.published[lmragRow][0].Mean, b.published[lmragRow][1].Mean)
	}
	p.line("%s |\n%s|\n%s |", head, rule, published)
	for i, c := range openChoices() {
		line := "| " + c.name
		for _, v := range of.Scores[i] {
			line += fmt.Sprintf(" | %.1f, %.1f", v[0].Mean, v[1].Mean)
		}
		p.line("%s |", line)
	}
	p.line("\nThe number after each set is the number of labels per class. The accuracies are those of the best of nine settings (α 1, 10², 10⁴; β 0.01, 1, 100), %s.\n", nouns.Count(of.Splits, "split"))
}
