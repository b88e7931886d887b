package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// The table of S2NE's layouts: without unfolding, unfolded as by default, with more caution, and
// UMAP, which reads no label. There is no peer.

var layoutsOfS2NE = []struct {
	name string
	ours ssdrnb.Estimator
}{
	{"`Unfold(0)`", ssdrnb.S2NE().Unfold(0)},
	{"UMAP here", ssdrnb.UMAP()},
	{"S2NE", ssdrnb.S2NE()},
	{"`Caution(1)`", ssdrnb.S2NE().Caution(1)},
}

// unfolded writes the table for the cells whose name matches: the share of hidden labels that the
// nearest labelled sample has, with the standard error of the difference to the first column,
// trustworthiness with 5 neighbours, and the share of 15 neighbours that are kept.
func unfolded(match *regexp.Regexp, draws int) (string, error) {
	var table strings.Builder
	for _, set := range scoredSets {
		for _, labels := range scoredLabels {
			name := fmt.Sprintf("unfolded, %s, %d per class", set.name, labels)
			if labels > set.most || !match.MatchString(name) {
				continue
			}
			d := set.data()
			if d.Err() != nil || d.Len() >= large {
				break
			}
			results, kept := make([][]score, len(layoutsOfS2NE)), make([]float64, len(layoutsOfS2NE))
			for draw := range draws {
				x := d.KeepLabels(labels).Seed(uint64(draw + 1))
				for k, e := range layoutsOfS2NE {
					m, err := e.ours.Spec().With("seed", draw+1).FitContext(context.Background(), x)
					if err != nil {
						return "", fmt.Errorf("%s, %s: %w", name, e.name, err)
					}
					s, err := picture(x, m.Embedding())
					if err != nil {
						return "", err
					}
					share, err := metrics.Kept(context.Background(), x.X, m.Embedding())
					if err != nil {
						return "", err
					}
					results[k] = append(results[k], s)
					kept[k] += share.Share / float64(draws)
				}
			}
			if table.Len() == 0 {
				heading, line := "\n| set, labels per class |", "\n|---|"
				for _, e := range layoutsOfS2NE {
					heading, line = heading+" "+e.name+" |", line+"---|"
				}
				table.WriteString(heading + line + "\n")
				fmt.Print(table.String())
			}
			row := fmt.Sprintf("| %s, %d |", set.name, labels)
			for k, r := range results {
				mean, _ := meanOf(r)
				more := ""
				if k > 0 {
					gain := make([]score, draws)
					for i := range gain {
						gain[i].Hidden = r[i].Hidden - results[0][i].Hidden
					}
					_, deviation := meanOf(gain)
					more = fmt.Sprintf(" ± %.3f", deviation)
				}
				row += fmt.Sprintf(" %.3f%s / %.3f / %.3f |", mean.Hidden, more, mean.Trust, kept[k])
			}
			fmt.Println(row)
			table.WriteString(row + "\n")
		}
	}
	return table.String(), nil
}
