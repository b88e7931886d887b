package ssdrnb_test

import (
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// BenchmarkS2LAE embeds all of MNIST with half of its labels. It needs the set in
// SSDRNB_DATA.
func BenchmarkS2LAE(b *testing.B) {
	d := datasets.MNIST()
	if d.Err() != nil {
		b.Skip(d.Err())
	}
	d = d.KeepShare(0.5)
	for b.Loop() {
		if _, err := ssdrnb.S2LAE().Neighbors(20).Fresh().FitContext(b.Context(), d); err != nil {
			b.Fatal(err)
		}
	}
}
