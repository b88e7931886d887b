package main

import (
	"math"
	"testing"
)

// Of four labels, the first and the third in the ranking are wrong. The third has the same score as
// the second, which is right. Of the four pairs of a wrong and a right label, three are in order,
// and one is a tie that counts one half.
func TestFound(t *testing.T) {
	ranked := []rank{{5, 0.9}, {6, 0.5}, {7, 0.5}, {8, 0}}
	area, precision := found(ranked, map[int]bool{5: true, 7: true, 99: true})
	if math.Abs(area-3.5/4) > 1e-15 || precision != 0.5 {
		t.Errorf("area %v, precision %v", area, precision)
	}
	if area, _ := found(ranked, nil); !math.IsNaN(area) {
		t.Errorf("area %v without wrong labels", area)
	}
}
