package look

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

const (
	// MaxThumbnails is the largest number of samples with thumbnails: more thumbnails would need
	// more space than the figure itself.
	MaxThumbnails = 5000
	maxSide       = 16 // pixels; larger images are averaged down
)

// A pixel has one of 8 shades. Each character in the constant pairs encodes two pixels: the upper
// three bits of its index are the first pixel, and the lower three bits the second. Such text
// compresses well.
const (
	shades = 8
	pairs  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
)

// Sheet contains the thumbnails of samples, at most 16×16 pixels each.
type Sheet struct {
	W     int `json:"w"` // width and height of a thumbnail, in pixels
	H     int `json:"h"`
	Count int `json:"count"` // number of samples
	// Two pixels per character, encoded by the constant pairs. The first characters of all samples
	// come first, then their second characters, and so on.
	Data string `json:"data"`
}

// Thumbnails returns the thumbnails of samples for hover cards, averaged down to 16×16 pixels. It
// returns nil if the samples are not images, if there are more than [MaxThumbnails], if all pixels
// have the same value, or if a value is not finite.
func Thumbnails(d *data.Data) *Sheet {
	if d.X == nil || d.Image.IsZero() || d.Len() > MaxThumbnails {
		return nil
	}
	if d.Image.Height < 1 || d.Image.Width < 1 || d.Image.Height > d.Dim() || d.Image.Height*d.Image.Width != d.Dim() {
		return nil // the rows are not images
	}
	h, w := min(d.Image.Height, maxSide), min(d.Image.Width, maxSide)
	lo, hi := d.X.At(0, 0), d.X.At(0, 0)
	for i := range d.Len() {
		for _, v := range d.X.RawRowView(i) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return nil
	}
	packed := make([]byte, d.Len()*((h*w+1)/2))
	for i := range d.Len() {
		row := d.X.RawRowView(i)
		for r := range h {
			for c := range w {
				// The mean of the source pixels that this thumbnail pixel covers.
				r0, r1 := r*d.Image.Height/h, (r+1)*d.Image.Height/h
				c0, c1 := c*d.Image.Width/w, (c+1)*d.Image.Width/w
				sum := 0.0
				for y := r0; y < r1; y++ {
					for x := c0; x < c1; x++ {
						sum += row[d.Image.At(y, x)]
					}
				}
				mean := sum / float64((r1-r0)*(c1-c0))
				v := byte((mean-lo)/(hi-lo)*(shades-1) + 0.5)
				p := r*w + c
				packed[p/2*d.Len()+i] |= v << (3 * (1 - p%2))
			}
		}
	}
	for k, two := range packed {
		packed[k] = pairs[two]
	}
	return &Sheet{W: w, H: h, Count: d.Len(), Data: string(packed)}
}
