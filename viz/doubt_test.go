package viz_test

import (
	"math"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// A figure of a guided model draws samples pale by their share of cut ties, unless the user sets an
// opacity or highlights samples, or another panel has no such share.
func TestDoubtShows(t *testing.T) {
	d := datasets.Digits().Subset(first(300)).KeepLabels(3).Seed(1)
	guided := ssdrnb.S2NE().Iterations(5).Unfold(5).MustFit(d)
	cut, err := guided.TiesCut()
	if err != nil {
		t.Fatal(err)
	}
	p := payload(t, viz.Embedding(guided))
	bars := scales(p)
	if len(bars) != 1 || bars[0]["min"] != 0.1 || bars[0]["max"] != 1.0 {
		t.Fatalf("scales %v", bars)
	}
	seen := 0
	for _, s := range series(p) {
		for _, at := range s["data"].([]any) {
			point := at.([]any)
			i := int(point[len(point)-1].(float64))
			if kept := point[len(point)-2].(float64); math.Abs(kept-(1-cut[i])) > 1e-4 {
				t.Errorf("sample %d keeps %v of its ties, not %v", i, kept, 1-cut[i])
			}
			seen++
		}
	}
	if seen != 300 {
		t.Errorf("%d samples", seen)
	}
	alone := ssdrnb.PCA().MustFit(d)
	for name, f := range map[string]viz.Figure{
		"a number":        viz.Embedding(guided).Opacity(0.5),
		"guidance 0":      viz.Embedding(ssdrnb.S2NE().Iterations(5).Unfold(5).Guidance(0).MustFit(d)),
		"PCA beside it":   viz.Compare(guided, alone),
		"highlighted":     viz.Embedding(guided).Highlight(3),
		"another opacity": viz.Embedding(guided).Opacity(viz.Confidence),
	} {
		for _, bar := range scales(payload(t, f)) {
			if bar["min"] == 0.1 && name != "another opacity" {
				t.Errorf("%s: scale %v", name, bar)
			}
		}
	}
}

func first(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
