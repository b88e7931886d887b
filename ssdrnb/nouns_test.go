package ssdrnb

import (
	"strings"
	"testing"
)

// Tables have the singular for one thing, and one number for a range without length.
func TestTablesOfOne(t *testing.T) {
	one := &StabilityTable{Share: []float64{1}, Runs: []float64{0.5}, K: 1, Chance: 0.25}
	two := &StabilityTable{Share: []float64{1}, Runs: []float64{0.5, 1}, K: 3, Chance: 0.25}
	r := &Report{}
	r.warnMissing(1, 2, describe(2))
	for want, got := range map[string]string{
		"no islands; noise of this size gives 2":                                                                  (&NullTable{NoiseIslands: 2}).Sentence(),
		"1 island, the same in a second run; noise of this size gives 0":                                          (&NullTable{Islands: 1, Same: 1}).Sentence(),
		"1 island, not the same in a second run; noise of this size gives 0":                                      (&NullTable{Islands: 1}).Sentence(),
		"3 islands; in a second run 1 of them is the same; noise of this size gives 1":                            (&NullTable{Islands: 3, Same: 1, NoiseIslands: 1}).Sentence(),
		"50 % of the nearest neighbours in the embedding stay in 1 repetition, by chance 25.0 %":                  firstLine(one.String()),
		"75 % of the 3 nearest neighbours in the embedding stay in 2 repetitions (50 to 100 %), by chance 25.0 %": firstLine(two.String()),
		"1 of the 2 requested dimensions was returned: 2 classes have 1 discriminant direction":                   r.Warnings[0],
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
