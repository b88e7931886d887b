package datasets_test

import (
	"errors"
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
	if b := p.Image().Bounds(); b.Dx() != 96 || b.Dy() != 64 {
		t.Errorf("an image of %v", b)
	}
	if rows := p.Rows(d.Truth); len(rows) != 64 || len(rows[0]) != 96 || rows[1][3] != d.Truth[96+3] {
		t.Error("the classes do not have the rows of the image")
	}
	if bad := datasets.Scene(4, 64, 0.1, 1, 1); !errors.Is(bad.Pixels.Err(), data.ErrOption) {
		t.Errorf("4 pixels wide gives %v", bad.Pixels.Err())
	}
}
