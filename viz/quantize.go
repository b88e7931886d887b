package viz

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// A static picture has few colours and their blends along edges. With a table of 256
// colours it looks the same and takes a quarter of the bytes. A notebook stores these
// twice: as a picture and within the page.

// tint is a colour with the number of its pixels.
type tint struct {
	c     color.NRGBA
	count int
}

// reduced returns the picture with a table of at most 256 colours: all of them
// where there are no more, and otherwise those that median cut finds (Heckbert
// 1982) among the colours with their frequencies.
func reduced(img image.Image) *image.Paletted {
	if few := indexed(img); few != nil {
		return few
	}
	r := img.Bounds()
	counts := map[color.NRGBA]int{}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			counts[color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)]++
		}
	}
	all := make([]tint, 0, len(counts))
	for c, n := range counts {
		all = append(all, tint{c, n})
	}
	// Maps have no order, and the table must not depend on one.
	slices.SortFunc(all, func(a, b tint) int { return cmp.Compare(packed(a.c), packed(b.c)) })
	boxes := [][]tint{all}
	for len(boxes) < 256 {
		widest, at := 0, -1
		for i, b := range boxes {
			if w, _ := width(b); w > widest && len(b) > 1 {
				widest, at = w, i
			}
		}
		if at < 0 {
			break
		}
		_, channel := width(boxes[at])
		low, high := halved(boxes[at], channel)
		boxes[at] = low
		boxes = append(boxes, high)
	}
	out := image.NewPaletted(r, nil)
	place := map[color.NRGBA]uint8{}
	for i, b := range boxes {
		out.Palette = append(out.Palette, average(b))
		for _, t := range b {
			place[t.c] = uint8(i)
		}
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			out.SetColorIndex(x, y, place[color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)])
		}
	}
	return out
}

func packed(c color.NRGBA) uint32 {
	return uint32(c.R)<<24 | uint32(c.G)<<16 | uint32(c.B)<<8 | uint32(c.A)
}

func channels(c color.NRGBA) [4]uint8 { return [4]uint8{c.R, c.G, c.B, c.A} }

// width returns the longest side of a box of colours and its channel.
func width(box []tint) (width, channel int) {
	for k := range 4 {
		lo, hi := 255, 0
		for _, t := range box {
			v := int(channels(t.c)[k])
			lo, hi = min(lo, v), max(hi, v)
		}
		if hi-lo > width {
			width, channel = hi-lo, k
		}
	}
	return width, channel
}

// halved cuts a box at the middle of a channel, so that colours far apart are
// separated, however rare they are.
func halved(box []tint, channel int) (low, high []tint) {
	slices.SortStableFunc(box, func(a, b tint) int { return cmp.Compare(channels(a.c)[channel], channels(b.c)[channel]) })
	first, last := int(channels(box[0].c)[channel]), int(channels(box[len(box)-1].c)[channel])
	at := 1
	for at < len(box)-1 && int(channels(box[at].c)[channel]) <= (first+last)/2 {
		at++
	}
	return box[:at:at], box[at:]
}

// average is the mean colour of the pixels of a box.
func average(box []tint) color.NRGBA {
	var sum [4]int
	total := 0
	for _, t := range box {
		for k, v := range channels(t.c) {
			sum[k] += int(v) * t.count
		}
		total += t.count
	}
	at := func(k int) uint8 { return uint8((sum[k] + total/2) / total) }
	return color.NRGBA{at(0), at(1), at(2), at(3)}
}
