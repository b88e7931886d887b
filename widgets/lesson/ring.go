package lesson

import (
	"context"
	"fmt"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

const (
	ringDraws, ringLabels = 20, 5
	ringSeed              = 4000 // first seed of the label draws
	ringMost              = 2000 // maximum number of samples
)

// checkRing tests whether the two classes of a painting can be separated by a curved boundary, but
// not by a straight line.
func checkRing(t *trial, d *ssdrnb.Data) {
	sound := false
	t.test("a painting that can be read", func() string {
		switch {
		case d.Err() != nil:
			return clipped(d.Err().Error()) + "."
		case d.X == nil || d.Len() == 0:
			return "It has no samples."
		case d.Dim() < 2:
			return fmt.Sprintf("It has %s. A painting has two.", nouns.Count(d.Dim(), "feature"))
		case d.Len() > ringMost:
			return fmt.Sprintf("It has %d samples. Paint at most %d.", d.Len(), ringMost)
		case len(d.Truth) != d.Len():
			return "It does not say which colour each spot was painted in."
		}
		sound = true
		return ""
	})
	if !sound {
		return
	}
	var count [2]int
	others := 0
	for _, c := range d.Truth {
		if c == 0 || c == 1 {
			count[c]++
		} else {
			others++
		}
	}
	few, many := min(count[0], count[1]), max(count[0], count[1])
	t.test("the first two colours only", func() string {
		if others > 0 {
			return fmt.Sprintf("%s another colour or none.", nouns.Number(others, "spot has", "spots have"))
		}
		return ""
	})
	t.test("at least 40 spots in each colour", func() string {
		if few < 40 {
			return fmt.Sprintf("One colour has %s.", nouns.Count(few, "spot"))
		}
		return ""
	})
	t.test("no colour has more than three times as many spots as the other", func() string {
		if many > 3*few {
			return fmt.Sprintf("The colours have %d and %d spots.", few, many)
		}
		return ""
	})
	if few < ringLabels || others > 0 {
		return
	}
	t.test("LDA finds at most 80 % of the hidden colours, on average over 20 draws", func() string {
		mean, wrong := hiddenRight(ssdrnb.LDA().Dims(1), d)
		if wrong == "" && mean > 0.80 {
			wrong = fmt.Sprintf("LDA finds %.1f %%: some straight line separates the colours too well.", 100*mean)
		}
		return wrong
	})
	t.test("KSDA of width 0.2 finds at least 95 %", func() string {
		mean, wrong := hiddenRight(ssdrnb.KSDA().Dims(1).Scale(0.2), d)
		if wrong == "" && mean < 0.95 {
			wrong = fmt.Sprintf("KSDA finds %.1f %%: the colours touch, or the five named spots of a colour do not reach all its parts.", 100*mean)
		}
		return wrong
	})
}

// hiddenRight returns the share of hidden labels that the nearest labelled sample in the embedding
// predicts correctly, averaged over ringDraws draws of labels. If a fit fails, it returns a
// sentence about the error.
func hiddenRight(e ssdrnb.Estimator, d *ssdrnb.Data) (float64, string) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	mean := 0.0
	for s := range uint64(ringDraws) {
		m, err := e.Spec().FitContext(ctx, d.KeepLabels(ringLabels).Seed(ringSeed+s))
		var share float64
		if err == nil {
			share, err = m.Score(ssdrnb.NearestNeighbor, nil)
		}
		if err != nil {
			return 0, clipped(err.Error()) + "."
		}
		mean += share / ringDraws
	}
	return mean, ""
}
