package ssdrnb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The sentences of tables agree with 0 and 1, and state no range of a single number.
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

// Without cannot-links the warning states what the method then computes.
func TestWarningsWithoutCannotLinks(t *testing.T) {
	d := NewData(mat.NewDense(6, 3, []float64{0, 1, 5, 2, 0, 5, 1, 4, 5, 7, 1, 5, 3, 8, 5, 4, 4, 5}), nil).WithPairs(Pairs{Must: []Pair{{I: 0, J: 1}, {I: 2, J: 3}}})
	both := d.WithPairs(Pairs{Must: []Pair{{I: 0, J: 1}}, Cannot: []Pair{{I: 2, J: 5}}})
	for _, c := range []struct {
		e    Estimator
		d    *Data
		want string
	}{
		{CS1(), d, "there are no cannot-link pairs: the score of every feature is +Inf, and they were chosen in their order, constant ones last"},
		{CS1().Dims(3), d, "there are no cannot-link pairs: the score of every feature is +Inf, and they were chosen in their order, constant ones last"},
		{CS1().Dims(3), both, "2 of 3 chosen features have the score +Inf, because they are constant or equal at both ends of every cannot-link"},
		{CS1(), both, "1 of 2 chosen features has the score +Inf, because it is constant or equal at both ends of every cannot-link"},
	} {
		m, err := c.e.Spec().Fit(c.d)
		if err != nil {
			t.Fatalf("%v: %v", c.e.Spec(), err)
		}
		if !slices.Contains(m.Report().Warnings, c.want) {
			t.Errorf("%v: %q, want %q", c.e.Spec(), m.Report().Warnings, c.want)
		}
	}
}

// A constant feature is chosen after those that vary, also if all scores are +Inf.
func TestConstantFeatureLast(t *testing.T) {
	d := NewData(mat.NewDense(4, 3, []float64{5, 0, 1, 5, 2, 0, 5, 1, 4, 5, 7, 1}), nil).WithPairs(Pairs{Must: []Pair{{I: 0, J: 1}}})
	m, err := CS1().Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []float64{1, 2} {
		if got, _ := m.Report().Fact(fmt.Sprintf("feature %d", k+1)); got != want {
			t.Errorf("choice %d is feature %g, want %g", k+1, got, want)
		}
	}
}
