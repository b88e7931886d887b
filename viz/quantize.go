package viz

import (
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"
)

// A static picture consists of few colours and of their blends along edges. With a colour table, a
// PNG file looks the same and has a quarter of the size.

// tally assigns numbers to colours in order of appearance, and counts the pixels of each colour.
type tally struct {
	tints []tint
	slots []int32 // hash table with linear probing: colour numbers, counted from 1; 0 marks an empty slot
}

// tint is a colour and the number of its pixels.
type tint struct {
	c     uint32 // red, green, blue and opacity, 8 bits each, from the highest bits to the lowest
	count int
}

func newTally() *tally { return &tally{slots: make([]int32, 1024)} }

// number returns the number of a packed colour. A new colour gets the next number.
func (t *tally) number(c uint32) int32 {
	mask := uint32(len(t.slots) - 1)
	at := c * 0x9e3779b1 >> 7 & mask
	for ; t.slots[at] != 0; at = (at + 1) & mask {
		if k := t.slots[at] - 1; t.tints[k].c == c {
			return k
		}
	}
	t.tints = append(t.tints, tint{c: c})
	t.slots[at] = int32(len(t.tints))
	if 2*len(t.tints) > len(t.slots) {
		known := t.tints
		*t = tally{slots: make([]int32, 4*len(t.slots))}
		for _, k := range known {
			t.tints[t.number(k.c)].count = k.count
		}
	}
	return int32(len(t.tints) - 1)
}

// indexed returns the picture with a colour table, or nil if it has more than 256 colours.
func indexed(img image.Image) *image.Paletted {
	if p, ok := img.(*image.Paletted); ok && len(p.Palette) <= 256 { // a PNG colour table has at most 256 entries
		return p
	}
	flat := pixelsOf(img)
	t, numbers := flat.tallied(256)
	if len(t.tints) > 256 {
		return nil
	}
	return t.table(flat.Rect, numbers)
}

// A picture with more than 256 colours is reduced to at most tableSize colours. More colours are
// hardly visible and enlarge the file. The most frequent colours, such as those of grid lines and
// labels, do not change.
const (
	tableSize = 96
	exact     = 16 // number of colours that do not change
)

// reduced returns the picture with a table of at most 256 colours. In a picture with more colours,
// the most frequent colours do not change. The other colours are divided into boxes of similar
// colours, and each is replaced by the mean of its box. The method is a variant of median cut
// (Heckbert 1982) that divides boxes at the middle, not at the median.
func reduced(img image.Image) *image.Paletted {
	flat := pixelsOf(img)
	t, numbers := flat.tallied(math.MaxInt)
	if len(t.tints) <= 256 {
		return t.table(flat.Rect, numbers)
	}
	tints := slices.Clone(t.tints)
	slices.SortStableFunc(tints, func(a, b tint) int { return b.count - a.count })
	boxes, widths := [][]tint{tints[exact:]}, []int{1}
	for len(boxes) < tableSize-exact {
		at := 0
		for i, w := range widths {
			if w > widths[at] {
				at = i
			}
		}
		if widths[at] == 0 {
			break // no box has more than one colour
		}
		_, longest := width(boxes[at])
		low, high := halved(boxes[at], longest)
		boxes[at] = low
		boxes = append(boxes, high)
		widths[at], _ = width(low)
		w, _ := width(high)
		widths = append(widths, w)
	}
	for _, one := range tints[:exact] {
		boxes = append(boxes, []tint{one})
	}
	out := image.NewPaletted(flat.Rect, nil)
	place := make([]uint8, len(t.tints))
	for i, b := range boxes {
		out.Palette = append(out.Palette, average(b))
		for _, k := range b {
			place[t.number(k.c)] = uint8(i)
		}
	}
	for k, n := range numbers {
		out.Pix[k] = place[n]
	}
	return out
}

// table returns the picture whose pixels are the given colour numbers, all below 256.
func (t *tally) table(rect image.Rectangle, numbers []int32) *image.Paletted {
	out := image.NewPaletted(rect, nil)
	for _, k := range t.tints {
		out.Palette = append(out.Palette, unpacked(k.c))
	}
	for k, n := range numbers {
		out.Pix[k] = uint8(n)
	}
	return out
}

// pixelRows is a picture with direct access to its pixels.
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

// tallied counts the colours. It also returns the colour number of each pixel, row by row. If the
// number of colours exceeds the argument most, it stops early, and both results are incomplete.
func (p pixelRows) tallied(most int) (t *tally, numbers []int32) {
	t, numbers = newTally(), make([]int32, 0, p.Rect.Dx()*p.Rect.Dy())
	for y := range p.Rect.Dy() {
		row := p.Pix[y*p.Stride:][:4*p.Rect.Dx()]
		for from := 0; from < len(row); { // each step counts a run of pixels of one colour
			c, to := binary.BigEndian.Uint32(row[from:]), from+4
			n := t.number(c)
			numbers = append(numbers, n)
			for ; to < len(row) && binary.BigEndian.Uint32(row[to:]) == c; to += 4 {
				numbers = append(numbers, n)
			}
			t.tints[n].count += (to - from) / 4
			from = to
		}
		if len(t.tints) > most {
			break
		}
	}
	return t, numbers
}

func unpacked(c uint32) color.NRGBA {
	return color.NRGBA{uint8(c >> 24), uint8(c >> 16), uint8(c >> 8), uint8(c)}
}

// level returns channel k of a packed colour: red, green, blue, or opacity.
func level(c uint32, k int) int { return int(c >> (24 - 8*k) & 0xff) }

// width returns the length of the longest side of a box of colours, from 0 to 255, and the channel
// of this side.
func width(box []tint) (width, channel int) {
	for k := range 4 {
		lo, hi := 255, 0
		for _, t := range box {
			v := level(t.c, k)
			lo, hi = min(lo, v), max(hi, v)
		}
		if hi-lo > width {
			width, channel = hi-lo, k
		}
	}
	return width, channel
}

// halved divides a box at the middle of the range of channel k, so that distant colours are
// separated even if they are rare.
func halved(box []tint, k int) (low, high []tint) {
	first, last := 255, 0
	for _, t := range box {
		v := level(t.c, k)
		first, last = min(first, v), max(last, v)
	}
	for _, t := range box {
		if level(t.c, k) <= (first+last)/2 {
			low = append(low, t)
		} else {
			high = append(high, t)
		}
	}
	return low, high
}

// average returns the mean colour of the pixels in a box.
func average(box []tint) color.NRGBA {
	var sum [4]int
	total := 0
	for _, t := range box {
		for k := range sum {
			sum[k] += level(t.c, k) * t.count
		}
		total += t.count
	}
	at := func(k int) uint8 { return uint8((sum[k] + total/2) / total) }
	return color.NRGBA{at(0), at(1), at(2), at(3)}
}
