package main

import (
	"math"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Wrong labels at the places 0 and 2 of four, the latter as suspicious as the right one before:
// of the four pairs two, one half and one are in order.
func TestFound(t *testing.T) {
	ranked := []ssdrnb.Suspicion{{Row: 5, Suspicion: 0.9}, {Row: 6, Suspicion: 0.5}, {Row: 7, Suspicion: 0.5}, {Row: 8}}
	area, precision := found(ranked, map[int]bool{5: true, 7: true, 99: true})
	if math.Abs(area-3.5/4) > 1e-15 || precision != 0.5 {
		t.Errorf("area %v, precision %v", area, precision)
	}
	if area, _ := found(ranked, nil); !math.IsNaN(area) {
		t.Errorf("area %v without wrong labels", area)
	}
}
