package viz

import (
	"image"
	"image/color"
	"strings"
	"testing"
)

// No colour may change much, however rare it is.
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
			a, b := img.NRGBAAt(x, y), color.NRGBAModel.Convert(out.At(x, y)).(color.NRGBA)
			for _, d := range []int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B), int(a.A) - int(b.A)} {
				if d > 16 || d < -16 {
					t.Fatalf("pixel (%d, %d): %v became %v", x, y, a, b)
				}
			}
		}
	}
}

// Up to 256 colours are unchanged, in any order.
func TestReducedIsExactForFewColours(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 300, 7))
	for y := range 7 {
		for x := range 300 {
			k := (x*7919 + y*31) % 256
			img.SetNRGBA(x, y, color.NRGBA{uint8(k), uint8(255 - k), uint8(k * k), uint8(k ^ 0x55)})
		}
	}
	for name, out := range map[string]*image.Paletted{"reduced": reduced(img), "indexed": indexed(img)} {
		if out == nil || len(out.Palette) != 256 {
			t.Fatalf("%s: no table of 256 colours", name)
		}
		for y := range 7 {
			for x := range 300 {
				if a, b := img.NRGBAAt(x, y), out.At(x, y); a != b {
					t.Fatalf("%s: pixel (%d, %d): %v became %v", name, x, y, a, b)
				}
			}
		}
	}
	img.SetNRGBA(299, 6, color.NRGBA{1, 2, 3, 4})
	if indexed(img) != nil {
		t.Error("257 colours got a table")
	}
}

// Grid lines are pale and thin, and keep their colour among many colours.
func TestReducedKeepsLines(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 200, 200))
	for y := range 200 {
		for x := range 200 {
			shade := color.NRGBA{255, 255, 255, 255}
			if x > 100 {
				shade = color.NRGBA{uint8(x), uint8(y), uint8(x ^ y), 255}
			}
			img.SetNRGBA(x, y, shade)
		}
		img.SetNRGBA(50, y, color.NRGBA{0xe8, 0xec, 0xf4, 255})
	}
	out := reduced(img)
	if got := color.NRGBAModel.Convert(out.At(50, 7)); got != img.NRGBAAt(50, 7) || out.At(49, 7) == out.At(50, 7) {
		t.Errorf("the line became %v", got)
	}
}

// Images with a colour table of any length are drawn, or the error names the pixel without a colour.
func TestColourTables(t *testing.T) {
	for _, colors := range []int{0, 1, 2, 255, 256, 300} {
		var table color.Palette
		for k := range colors {
			table = append(table, color.NRGBA{uint8(k), uint8(k / 2), 90, 255})
		}
		for last := range 256 {
			img := image.NewPaletted(image.Rect(3, 3, 5, 5), table)
			img.Pix[3] = uint8(last)
			f, over := Pictures(Picture{Image: img}), Pictures(Scribbles(img, [][]int{{0, -1}, {-1, -1}}))
			if last >= colors {
				want := "row 1, column 1 has the colour number"
				if colors == 0 {
					want = "row 0, column 0 has the colour number"
				}
				for _, f := range []Figure{f, over} {
					if err := f.Err(); err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("colour %d of %d: %v", last, colors, err)
					}
				}
			} else if last%100 == 0 {
				if _, err := f.Bundle(); err != nil || over.Err() != nil {
					t.Errorf("colour %d of %d: %v, %v", last, colors, err, over.Err())
				}
			}
		}
	}
}
