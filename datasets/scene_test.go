package datasets_test

import (
	"errors"
	"image/color"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

func TestScene(t *testing.T) {
	p := datasets.Scene(96, 64, 0.08, 0.5, 1)
	d := p.Pixels
	if d.Err() != nil || d.Len() != 96*64 || d.Dim() != 5 || len(d.Classes()) != 5 {
		t.Fatalf("%v: %d pixels of %d features, %d scribbled regions", d.Err(), d.Len(), d.Dim(), len(d.Classes()))
	}
	count := make([]int, 5)
	for i, c := range d.Truth {
		count[c]++
		if l := d.Labels[i]; l != data.Unlabelled && l != c {
			t.Fatalf("pixel %d is scribbled %d but is %d", i, l, c)
		}
	}
	for c, n := range count {
		if n < 60 {
			t.Errorf("region %d has only %d pixels", c, n)
		}
	}
	if labelled := d.NumLabelled(); labelled < 50 || labelled > d.Len()/10 {
		t.Errorf("%d pixels are scribbled", labelled)
	}
	colors := []color.Color{color.White, color.Black, color.White, color.Black, color.White}
	if b := p.Segments(d.Truth, colors).Bounds(); b.Dx() != 96 || b.Dy() != 64 || p.Scribbles(colors).Bounds() != b || p.Image().Bounds() != b {
		t.Errorf("pictures of %v", b)
	}
	if bad := datasets.Scene(4, 64, 0.1, 1, 1); !errors.Is(bad.Pixels.Err(), data.ErrOption) {
		t.Errorf("4 pixels wide gives %v", bad.Pixels.Err())
	}
}
