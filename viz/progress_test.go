package viz

import (
	"encoding/base64"
	"image/png"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The plot of an unfinished layout has the samples at their positions, with y upwards as in
// figures.
func TestOnTheWay(t *testing.T) {
	html := onTheWay(mat.NewDense(3, 3, []float64{0, 0, 9, 10, 0, 9, 0, 5, 9}))
	_, data, _ := strings.Cut(html, "base64,")
	data, _, _ = strings.Cut(data, "\"")
	img, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
	if err != nil {
		t.Fatal(err)
	}
	drawn := func(x, y int) bool {
		_, _, _, a := img.At(x, y).RGBA()
		return a > 0
	}
	for name, at := range map[string][2]int{"first": {0, 179}, "right": {238, 179}, "above": {0, 60}} {
		if !drawn(at[0], at[1]) {
			t.Errorf("no %s sample at %v", name, at)
		}
	}
	if drawn(0, 120) || drawn(120, 120) {
		t.Error("samples where there are none")
	}
	for name, y := range map[string]*mat.Dense{"nothing": nil, "a line": mat.NewDense(2, 1, []float64{0, 1}), "one place": mat.NewDense(2, 2, nil),
		"NaN": mat.NewDense(2, 2, []float64{math.NaN(), 1, 2, 3}), "Inf": mat.NewDense(2, 2, []float64{math.Inf(1), 1, 2, 3})} {
		if html := onTheWay(y); html != "" {
			t.Errorf("%s: %s", name, html)
		}
	}
}
