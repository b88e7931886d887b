package spectral_test

import (
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/spectral"
)

func BenchmarkTmpRoll(b *testing.B) {
	w := load(b, "roll10000")
	for b.Loop() {
		if _, err := spectral.LaplacianBottom(ctx, w, 10, spectral.Normalized, spectral.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
