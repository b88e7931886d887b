package viz

import (
	"image"
	"image/color"
	"testing"
)

// No colour may move far, however rare it is.
func TestReducedKeepsColours(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			img.SetNRGBA(x, y, color.NRGBA{uint8(4 * x), uint8(4 * y), 0, 255})
		}
	}
	img.SetNRGBA(3, 3, color.NRGBA{10, 20, 250, 255})
	out := reduced(img)
	if len(out.Palette) > 256 {
		t.Fatalf("%d colours", len(out.Palette))
	}
	for y := range 64 {
		for x := range 64 {
			a, b := channels(img.NRGBAAt(x, y)), channels(color.NRGBAModel.Convert(out.At(x, y)).(color.NRGBA))
			for k := range 4 {
				if d := int(a[k]) - int(b[k]); d > 16 || d < -16 {
					t.Fatalf("pixel (%d, %d): %v became %v", x, y, a, b)
				}
			}
		}
	}
}
