package stage

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Errors have the singular for one thing.
func TestSingularErrors(t *testing.T) {
	one := data.New(mat.NewDense(1, 1, nil), nil)
	source := Source{}
	_, lineup := openLineup(LineupSpec{Source: source, Rounds: []BenchMethod{{}}}, "", one)
	_, _, cloud := cloudOf(one)
	for says, err := range map[string]error{
		`the dial "k" has 1 value, 0 words`:     BenchDial{Name: "k", Values: []float64{1}}.check(),
		"cannot have 1 sample of 1 feature":     lineup,
		"1 sample with 1 feature cannot be":     cloud,
		"cannot have 1 known picture among 1 ":  MapSpec{Known: 1}.check(one),
		"the cards have 1 number of points won": (&CardsSpec{Won: []float64{1}, Lost: []float64{1}}).check(),
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v lacks %q", err, says)
		}
	}
	_, err := ssdrnb.LDA().Fit(one)
	for name, says := range map[string]string{"LDA": "LDA: samples", "rival": "rival: LDA: samples"} {
		if text := failureText(name, err); !strings.HasPrefix(text, says) || !strings.HasSuffix(text, ".") {
			t.Errorf("the failure of %s is %q", name, text)
		}
	}
}
