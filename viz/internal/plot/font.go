package plot

import (
	"encoding/binary"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
)

// face is a TrueType font.
type face struct {
	tables  map[string][]byte
	unit    float64 // number of units per em
	ascent  float64 // in em
	metrics int     // number of glyphs that have a separate width entry
	long    bool    // offsets of glyphs have 32 bits
}

var regular, bold = sync.OnceValue(func() *face { return newFace(liberationsansregular.TTF) }), sync.OnceValue(func() *face { return newFace(liberationsansbold.TTF) })

func u16(b []byte, at int) int { return int(binary.BigEndian.Uint16(b[at:])) }
func i16(b []byte, at int) int { return int(int16(binary.BigEndian.Uint16(b[at:]))) }
func u32(b []byte, at int) int { return int(binary.BigEndian.Uint32(b[at:])) }

// newFace parses a font without validation, because the fonts are embedded in the program.
func newFace(ttf []byte) *face {
	f := &face{tables: map[string][]byte{}}
	for k := range u16(ttf, 4) {
		entry := ttf[12+16*k:]
		f.tables[string(entry[:4])] = ttf[u32(entry, 8) : u32(entry, 8)+u32(entry, 12)]
	}
	f.unit = float64(u16(f.tables["head"], 18))
	f.long = u16(f.tables["head"], 50) == 1
	f.ascent = float64(i16(f.tables["hhea"], 4)) / f.unit
	f.metrics = u16(f.tables["hhea"], 34)
	return f
}

// glyph returns the glyph index of a character, or 0 if the font lacks the character.
func (f *face) glyph(r rune) int {
	cmap := f.tables["cmap"]
	for k := range u16(cmap, 2) {
		entry := cmap[4+8*k:]
		sub := cmap[u32(entry, 4):]
		if u16(entry, 0) != 3 || u16(entry, 2) != 1 || u16(sub, 0) != 4 { // not the table for the basic multilingual plane of Unicode
			continue
		}
		segments := u16(sub, 6) / 2
		for s := range segments {
			end := u16(sub, 14+2*s)
			if int(r) > end {
				continue
			}
			begin, delta, at := u16(sub, 16+2*(segments+s)), u16(sub, 16+2*(2*segments+s)), 16+2*(3*segments+s)
			offset := u16(sub, at)
			switch {
			case int(r) < begin:
				return 0
			case offset == 0:
				return (int(r) + delta) & 0xffff
			}
			if g := u16(sub, at+offset+2*(int(r)-begin)); g != 0 {
				return (g + delta) & 0xffff
			}
			return 0
		}
	}
	return 0
}

// advance returns the advance width of a glyph in em.
func (f *face) advance(glyph int) float64 {
	return float64(u16(f.tables["hmtx"], 4*min(glyph, f.metrics-1))) / f.unit
}

// outline returns the outline data of a glyph. It returns an empty slice for a glyph without an
// outline, such as a space.
func (f *face) outline(glyph int) []byte {
	at := func(k int) int {
		if f.long {
			return u32(f.tables["loca"], 4*k)
		}
		return 2 * u16(f.tables["loca"], 2*k)
	}
	return f.tables["glyf"][at(glyph):at(glyph+1)]
}

// component is a part of a composite glyph: another glyph, transformed by a 2×2 matrix and then
// shifted by (x, y) in font units.
type component struct {
	glyph  int
	x, y   float64
	matrix [4]float64
}

// components returns the parts of a composite glyph, or nil for any other glyph.
func (f *face) components(glyph int) []component {
	raw := f.outline(glyph)
	if len(raw) == 0 || i16(raw, 0) >= 0 {
		return nil
	}
	const words, scaled, more, scaledXY, turned = 0x1, 0x8, 0x20, 0x40, 0x80
	var out []component
	for at, flags := 10, more; flags&more != 0; {
		flags = u16(raw, at)
		c := component{glyph: u16(raw, at+2), matrix: [4]float64{1, 0, 0, 1}}
		if at += 4; flags&words != 0 {
			c.x, c.y = float64(i16(raw, at)), float64(i16(raw, at+2))
			at += 4
		} else {
			c.x, c.y = float64(int8(raw[at])), float64(int8(raw[at+1]))
			at += 2
		}
		part := func() float64 {
			at += 2
			return float64(i16(raw, at-2)) / (1 << 14)
		}
		switch {
		case flags&scaled != 0:
			c.matrix[0] = part()
			c.matrix[3] = c.matrix[0]
		case flags&scaledXY != 0:
			c.matrix[0] = part()
			c.matrix[3] = part()
		case flags&turned != 0:
			for k := range c.matrix {
				c.matrix[k] = part()
			}
		}
		out = append(out, c)
	}
	return out
}

// vertex is a point of a contour, in font units. The curve passes through the vertex if onCurve is
// true; otherwise the vertex is a control point.
type vertex struct {
	Point
	onCurve bool
}

// contours returns the closed curves of a glyph. A curve consists of lines and parabolas. The
// control points of the parabolas are the vertices with onCurve = false.
func (f *face) contours(glyph int) [][]vertex {
	raw := f.outline(glyph)
	if len(raw) == 0 {
		return nil
	}
	var out [][]vertex
	for _, c := range f.components(glyph) {
		for _, contour := range f.contours(c.glyph) {
			for k, v := range contour {
				contour[k].Point = Point{c.x + c.matrix[0]*v.X + c.matrix[2]*v.Y, c.y + c.matrix[1]*v.X + c.matrix[3]*v.Y}
			}
			out = append(out, contour)
		}
	}
	count := i16(raw, 0)
	if count <= 0 {
		return out
	}
	points := u16(raw, 8+2*count) + 1
	at := 10 + 2*count
	at += 2 + u16(raw, at) // skip the hinting instructions
	const on, shortX, repeat = 0x1, 0x2, 0x8
	flags := make([]byte, 0, points)
	for len(flags) < points {
		flag := raw[at]
		at++
		times := 1
		if flag&repeat != 0 {
			times += int(raw[at])
			at++
		}
		for range times {
			flags = append(flags, flag)
		}
	}
	vertices := make([]vertex, points)
	for axis := range 2 {
		short, same := byte(shortX)<<axis, byte(0x10)<<axis
		v := 0
		for k, flag := range flags {
			switch {
			case flag&short != 0 && flag&same != 0:
				v += int(raw[at])
				at++
			case flag&short != 0:
				v -= int(raw[at])
				at++
			case flag&same == 0:
				v += i16(raw, at)
				at += 2
			}
			if axis == 0 {
				vertices[k] = vertex{Point{X: float64(v)}, flag&on != 0}
			} else {
				vertices[k].Y = float64(v)
			}
		}
	}
	begin := 0
	for k := range count {
		end := u16(raw, 10+2*k) + 1
		out = append(out, vertices[begin:end])
		begin = end
	}
	return out
}

// subset returns a font file for a PDF. The file contains only the outlines of the given glyphs, of
// their components, and of glyph 0.
func (f *face) subset(glyphs map[int]bool) []byte {
	kept := map[int]bool{}
	var keep func(g int)
	keep = func(g int) {
		kept[g] = true
		for _, c := range f.components(g) {
			keep(c.glyph)
		}
	}
	keep(0)
	for g := range glyphs {
		keep(g)
	}
	count := u16(f.tables["maxp"], 4)
	var glyf, loca []byte
	for g := range count {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		if kept[g] {
			glyf = append(glyf, f.outline(g)...)
			glyf = append(glyf, make([]byte, -len(glyf)&3)...)
		}
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	head := append([]byte(nil), f.tables["head"]...)
	binary.BigEndian.PutUint16(head[50:], 1)
	names := []string{"cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep"}
	file := []byte{0, 1, 0, 0, 0, byte(len(names)), 0, 128, 0, 3, 0, 16} // header of a file with 9 tables
	var body []byte
	for _, name := range names {
		table := f.tables[name]
		switch name {
		case "glyf":
			table = glyf
		case "head":
			table = head
		case "loca":
			table = loca
		}
		padded := append(append([]byte(nil), table...), make([]byte, -len(table)&3)...)
		sum := uint32(0)
		for k := 0; k < len(padded); k += 4 {
			sum += binary.BigEndian.Uint32(padded[k:])
		}
		file = append(file, name...)
		file = binary.BigEndian.AppendUint32(file, sum)
		file = binary.BigEndian.AppendUint32(file, uint32(12+16*len(names)+len(body)))
		file = binary.BigEndian.AppendUint32(file, uint32(len(table)))
		body = append(body, padded...)
	}
	return append(file, body...)
}
