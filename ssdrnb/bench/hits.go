package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// hits writes the table that rates embeddings by the neighbourhood hit: the mean share of a
// sample's 10 nearest neighbours that have the same class as the sample. The embeddings use no
// labels, but S2NE also has a column with 100 must-links and cannot-links drawn from the true
// classes.
func hits(p *peer, match *regexp.Regexp, draws int) (string, error) {
	drawing := &scoring{peer: p, drawn: map[string]*mat.Dense{}}
	var unlabelled []entrant
	heading, line := "\n| neighbourhood hit |", "\n|---|"
	for _, e := range entrants {
		if !e.labels {
			unlabelled = append(unlabelled, e)
			heading, line = heading+" "+e.name+" |", line+"---|"
		}
	}
	heading += line + "\n"
	var table strings.Builder
	for _, set := range scoredSets {
		if !match.MatchString("hit, " + set.name) {
			continue
		}
		d := set.data()
		if err := d.Err(); err != nil {
			fmt.Fprintf(os.Stderr, "bench: the hit of %s is left out: %v\n", set.name, err)
			continue
		}
		row := "| " + set.name + " |"
		for _, e := range unlabelled {
			all := make([]score, draws)
			for draw := range draws {
				y, err := drawing.image(e, set.name, draw+1, d.HideLabels().Seed(uint64(draw+1)))
				if err != nil {
					return "", fmt.Errorf("hit, %s, %s: %w", set.name, e.name, err)
				}
				if all[draw].Hidden, err = hit(y, d.Truth, 10); err != nil {
					return "", err
				}
			}
			mean, deviation := meanOf(all)
			row += fmt.Sprintf(" %.3f ± %.3f |", mean.Hidden, deviation)
		}
		fmt.Println(heading + row)
		table.WriteString(heading + row + "\n")
		heading = ""
	}
	return table.String(), nil
}

// hit returns the mean share of a sample's k nearest neighbours in y that have the same class as
// the sample.
func hit(y *mat.Dense, classes []int, k int) (float64, error) {
	near, err := graph.Search(context.Background(), y, k, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		return 0, err
	}
	same := 0
	for i, c := range classes {
		index, _ := near.Of(i)
		for _, j := range index {
			if classes[j] == c {
				same++
			}
		}
	}
	return float64(same) / float64(k*len(classes)), nil
}
