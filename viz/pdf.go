package viz

import (
	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// pdf writes text that vgpdf does not: bold text, for which it looks up a font under
// another name than it has registered, and characters beyond the code page 1252.
type pdf struct{ *vgpdf.Canvas }

// FillString writes text at a place: as text where the code page has all of its
// characters, and otherwise as outlines.
func (c pdf) FillString(f font.Face, at vg.Point, text string) {
	if f.Font.Weight == stdfont.WeightBold {
		f.Font.Weight, f.Font.Variant = stdfont.WeightNormal, f.Font.Variant+"Bold"
	}
	if coded, ok := westernEuropean(text); ok {
		c.Canvas.FillString(f, at, coded)
		return
	}
	c.Fill(outline(f, at, text))
}

// westernEuropean encodes a text in the code page 1252, or reports that it cannot.
func westernEuropean(text string) (string, bool) {
	var out []byte
	for _, r := range text {
		switch {
		case r < 0x80 || r >= 0xa0 && r <= 0xff:
			out = append(out, byte(r))
		case r == '…':
			out = append(out, 0x85)
		case r == '–':
			out = append(out, 0x96)
		default:
			return "", false
		}
	}
	return string(out), true
}

// outline is the shape of a text whose baseline begins at a place.
func outline(f font.Face, at vg.Point, text string) vg.Path {
	const em = 1000
	scale := f.Font.Size / em / 64 // of 1/64 units, in which glyphs are given
	var buffer sfnt.Buffer
	var out vg.Path
	for _, r := range text {
		index, err := f.Face.GlyphIndex(&buffer, r)
		if err != nil {
			continue
		}
		segments, err := f.Face.LoadGlyph(&buffer, index, fixed.I(em), nil)
		if err != nil {
			continue
		}
		point := func(p fixed.Point26_6) vg.Point {
			return vg.Point{X: at.X + vg.Length(p.X)*scale, Y: at.Y - vg.Length(p.Y)*scale}
		}
		for k, s := range segments {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				if k > 0 {
					out.Close()
				}
				out.Move(point(s.Args[0]))
			case sfnt.SegmentOpLineTo:
				out.Line(point(s.Args[0]))
			case sfnt.SegmentOpQuadTo:
				out.QuadTo(point(s.Args[0]), point(s.Args[1]))
			case sfnt.SegmentOpCubeTo:
				out.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
			}
		}
		if len(segments) > 0 {
			out.Close()
		}
		if advance, err := f.Face.GlyphAdvance(&buffer, index, fixed.I(em), stdfont.HintingNone); err == nil {
			at.X += vg.Length(advance) * scale
		}
	}
	return out
}
