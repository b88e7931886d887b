package interact

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Errors have the singular for one thing.
func TestSingularErrors(t *testing.T) {
	_, start := spotsOf(data.New(mat.NewDense(2, 1, nil), nil))
	_, pair := ParseConstraints([]byte(`{"format":1,"samples":2,"must":[[0]],"cannot":[],"labels":{}}`), "")
	for says, err := range map[string]error{
		"has 1 option; give":                    Ask{Kind: AskChoice, Options: []string{"a"}}.Check(),
		"has 1 place and heights":               Ask{Kind: AskDrawing, At: []float64{1}}.Check(),
		"was drawn on other data (d, 1 sample)": ConstraintSet{data: "d", n: 1}.errOther(""),
		"pair 0 has 1 sample instead of two":    pair,
		"cannot have 1 feature; give":           start,
		"but only 1 class is named":             inRange(2, 1, 5),
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v lacks %q", err, says)
		}
	}
}
