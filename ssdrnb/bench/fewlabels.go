package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Table of S2LAE and its relatives with few labels, compared with LAE and LLE, which are
// unsupervised. All use their defaults in two dimensions. No Python package is compared.

// unseeing lists the unsupervised methods of the table, and pairing lists the methods that use
// labels.
var unseeing = []ssdrnb.Estimator{ssdrnb.LAE(), ssdrnb.LLE()}

var pairing = []ssdrnb.Estimator{ssdrnb.S2LAE(), ssdrnb.S2LLE(), ssdrnb.KS2LAE(), ssdrnb.KS2LLE()}

// fewLabels writes the table for the cells whose name matches. A cell is a data set with a number
// of labels per class. Sets of 20,000 samples or more are skipped.
func fewLabels(match *regexp.Regexp, draws int) (string, error) {
	methods := slices.Concat(unseeing, pairing)
	var table strings.Builder
	entries, behind := 0, 0
	for _, set := range scoredSets {
		drawn := map[int]*mat.Dense{} // embeddings of the unsupervised methods by index, shared by all draws
		for _, labels := range scoredLabels {
			name := fmt.Sprintf("few labels, %s, %d per class", set.name, labels)
			if labels > set.most || !match.MatchString(name) {
				continue
			}
			d := set.data()
			if d.Err() != nil || d.Len() >= large {
				break
			}
			results := make([][]score, len(methods))
			for draw := range draws {
				x := d.KeepLabels(labels).Seed(uint64(draw + 1))
				for k, e := range methods {
					y := drawn[k]
					if y == nil {
						m, err := e.FitContext(context.Background(), x)
						if err != nil {
							return "", fmt.Errorf("%s: %w", name, err)
						}
						if y = m.Embedding(); k < len(unseeing) {
							drawn[k] = y
						}
					}
					found, err := hiddenFound(x, y)
					if err != nil {
						return "", fmt.Errorf("%s: %w", name, err)
					}
					results[k] = append(results[k], score{Hidden: found})
				}
			}
			if table.Len() == 0 {
				table.WriteString("\n| set, labels per class |")
				for _, e := range methods {
					table.WriteString(" " + e.Spec().Method().Name + " |")
				}
				table.WriteString("\n|---|" + strings.Repeat("---|", len(methods)) + "\n")
				fmt.Print(table.String())
			}
			row := fmt.Sprintf("| %s, %d |", set.name, labels)
			for _, r := range results {
				mean, deviation := meanOf(r)
				row += fmt.Sprintf(" %.3f ± %.3f |", mean.Hidden, deviation)
			}
			fmt.Println(row)
			table.WriteString(row + "\n")
			for _, ours := range results[len(unseeing):] {
				entries++
				if slices.ContainsFunc(results[:len(unseeing)], func(theirs []score) bool { return clearlyBehind(ours, theirs) }) {
					behind++
				}
			}
		}
	}
	if entries == 0 {
		return "", nil
	}
	sum := fmt.Sprintf("\nOf %d results of S2LAE and its relatives %d are behind LAE or LLE by more than a standard error of the differences. Cells have the share of hidden labels that equal the label of the nearest labelled sample ± its standard error.\n", entries, behind)
	fmt.Print(sum)
	return table.String() + sum, nil
}
