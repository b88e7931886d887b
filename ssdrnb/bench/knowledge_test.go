package main

import (
	"math"
	"testing"
)

// Wrong labels at the places 0 and 2 of four, the latter as suspicious as the right one before:
// of the four pairs two, one half and one are in order.
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
