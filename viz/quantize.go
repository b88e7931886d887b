package viz

import (
	"cmp"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
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
	flat := pixelsOf(img)
	counts := map[uint32]int{}
	var last uint32
	run := 0 // pixels of the last colour that are not counted yet
	flat.each(func(c uint32) {
		if c != last {
			counts[last] += run
			last, run = c, 0
		}
		run++
	})
	counts[last] += run
	all := make([]tint, 0, len(counts))
	for c, n := range counts {
		if n > 0 {
			all = append(all, tint{unpacked(c), n})
		}
	}
	// Maps have no order, and the table must not depend on one.
	slices.SortFunc(all, func(a, b tint) int { return cmp.Compare(packed(a.c), packed(b.c)) })
	boxes, widths := [][]tint{all}, []int{1}
	for len(boxes) < 256 {
		at := 0
		for i, w := range widths {
			if w > widths[at] {
				at = i
			}
		}
		if widths[at] == 0 {
			break // all boxes have one colour
		}
		_, channel := width(boxes[at])
		low, high := halved(boxes[at], channel)
		boxes[at] = low
		boxes = append(boxes, high)
		widths[at], _ = width(low)
		w, _ := width(high)
		widths = append(widths, w)
	}
	var colors color.Palette
	place := map[uint32]uint8{}
	for i, b := range boxes {
		colors = append(colors, average(b))
		for _, t := range b {
			place[packed(t.c)] = uint8(i)
		}
	}
	return flat.indexed(colors, place)
}

// pixelRows is a picture whose pixels are read without a conversion for each.
type pixelRows struct{ *image.NRGBA }

func pixelsOf(img image.Image) pixelRows {
	switch p := img.(type) {
	case *image.NRGBA:
		return pixelRows{p}
	case *image.RGBA:
		if p.Opaque() {
			return pixelRows{&image.NRGBA{Pix: p.Pix, Stride: p.Stride, Rect: p.Rect}}
		}
	}
	out := image.NewNRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, out.Rect.Min, draw.Src)
	return pixelRows{out}
}

// each calls f with the packed colour of each pixel.
func (p pixelRows) each(f func(c uint32)) {
	for y := range p.Rect.Dy() {
		row := p.Pix[y*p.Stride : y*p.Stride+4*p.Rect.Dx()]
		for x := 0; x < len(row); x += 4 {
			f(binary.BigEndian.Uint32(row[x:]))
		}
	}
}

// indexed returns the picture in the colours of a table, in which each packed colour has its
// place.
func (p pixelRows) indexed(colors color.Palette, place map[uint32]uint8) *image.Paletted {
	out := image.NewPaletted(p.Rect, colors)
	k, last, at := 0, uint32(0), place[0]
	p.each(func(c uint32) {
		if c != last {
			last, at = c, place[c]
		}
		out.Pix[k] = at
		k++
	})
	return out
}

func packed(c color.NRGBA) uint32 {
	return uint32(c.R)<<24 | uint32(c.G)<<16 | uint32(c.B)<<8 | uint32(c.A)
}

func unpacked(c uint32) color.NRGBA {
	return color.NRGBA{uint8(c >> 24), uint8(c >> 16), uint8(c >> 8), uint8(c)}
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
	first, last := 255, 0
	for _, t := range box {
		v := int(channels(t.c)[channel])
		first, last = min(first, v), max(last, v)
	}
	for _, t := range box {
		if int(channels(t.c)[channel]) <= (first+last)/2 {
			low = append(low, t)
		} else {
			high = append(high, t)
		}
	}
	return low, high
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
