package viz

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/jpeg"
	"image/png"

	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// inlined is a picture that is encoded as a data URL. The format is PNG with a colour table for at
// most 256 colours. Pictures with more colours are JPEG if they are opaque, and PNG otherwise.
type inlined struct{ image.Image }

// MarshalJSON writes the picture as a data URL.
func (p inlined) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	kind := "image/png"
	var err error
	if few := indexed(p.Image); few != nil {
		err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, few)
	} else if opaque(p.Image) {
		kind = "image/jpeg"
		err = jpeg.Encode(&b, p.Image, &jpeg.Options{Quality: 88})
	} else {
		err = png.Encode(&b, p.Image)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(b.Bytes()))
}

func opaque(img image.Image) bool {
	o, ok := img.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

// resized returns img in a resolution that fits a space in the page. side is the length in pixels
// of the longer side of this space. The proportions do not change. A larger picture is averaged
// down. A browser would blur a smaller picture. If such a picture has at most 256 colours or at
// most half the size of the space, each pixel is therefore replaced by a square of pixels.
func resized(img image.Image, side int) image.Image {
	r := img.Bounds()
	longer := max(r.Dx(), r.Dy())
	if longer > side {
		return plot.Scaled(img, r.Dx()*side/longer, r.Dy()*side/longer)
	}
	few := indexed(img)
	if few == nil && 2*longer > side {
		return img
	}
	k := (3*side/2 + longer - 1) / longer // screens may have several physical pixels per page pixel
	if few != nil {
		return enlarged(few, k)
	}
	out := image.NewNRGBA(image.Rect(0, 0, r.Dx()*k, r.Dy()*k))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, img.At(r.Min.X+x/k, r.Min.Y+y/k))
		}
	}
	return out
}

func enlarged(p *image.Paletted, k int) *image.Paletted {
	r := p.Bounds()
	out := image.NewPaletted(image.Rect(0, 0, r.Dx()*k, r.Dy()*k), p.Palette)
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Pix[y*out.Stride+x] = p.ColorIndexAt(r.Min.X+x/k, r.Min.Y+y/k)
		}
	}
	return out
}
