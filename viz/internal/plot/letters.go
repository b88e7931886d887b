package plot

import (
	"image"
	"image/color"
	"io"
	"maps"
	"slices"
)

// letter is a glyph in a line of text.
type letter struct {
	char     rune
	glyph    int // 0 if no font has the character
	font     *face
	fallback found // glyph from a font installed on the computer, if the program's font lacks the character
}

// letters returns the glyphs of a line of text from left to right.
func (t Text) letters(text string) []letter {
	own := t.face()
	var out []letter
	for _, r := range visual(text) {
		if r < ' ' || hidden(r) {
			continue
		}
		l := letter{char: r, font: own, glyph: own.glyph(r)}
		if base := unshaped(r); l.glyph == 0 {
			l.fallback = system.find(wanted{r, t.Bold, language(text)})
			if l.fallback.font == nil && base != 0 {
				l.fallback = system.find(wanted{base, t.Bold, language(text)})
			}
		}
		out = append(out, l)
	}
	return out
}

// hidden reports whether a character is an invisible control character, which only changes how
// other characters are written.
func hidden(r rune) bool {
	return r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r >= 0xfe00 && r <= 0xfe0f || r == 0xfeff || r >= 0xe0000 && r < 0xe1000
}

// missing reports whether no font has the character.
func (l letter) missing() bool { return l.glyph == 0 && l.fallback.font == nil }

// advance returns the advance width of a letter in em.
func (l letter) advance() float64 {
	if l.fallback.font != nil {
		return l.fallback.font.advance(l.fallback.glyph)
	}
	return l.font.advance(l.glyph)
}

// shapes returns the closed curves of a letter as polygons. The function place converts points in
// em to the coordinates of the result.
func (l letter) shapes(place func(Point) Point) [][]Point {
	var out [][]Point
	if l.fallback.font != nil {
		for _, c := range l.fallback.font.contours(l.fallback.glyph) {
			if s := flat(c, place); len(s) > 2 {
				out = append(out, s)
			}
		}
		return out
	}
	for _, c := range l.font.contours(l.glyph) {
		out = append(out, curve(c, func(v Point) Point { return place(Point{v.X / l.font.unit, v.Y / l.font.unit}) }))
	}
	return out
}

// Lacking records the characters that are drawn as boxes because no font has a glyph for them. It
// also records whether text contains letters that should be joined but are drawn one by one, such
// as those of Indic scripts.
type Lacking struct {
	chars    map[rune]bool
	unjoined bool
}

func (m *Lacking) note(letters []letter) {
	for _, l := range letters {
		m.unjoined = m.unjoined || l.char >= 0x900 && l.char < 0xe00 || l.char >= 0xf00 && l.char < 0x10a0 || l.char >= 0x1780 && l.char < 0x1800
		if l.missing() {
			if m.chars == nil {
				m.chars = map[rune]bool{}
			}
			m.chars[l.char] = true
		}
	}
}

// Lacks returns the characters without a glyph, sorted.
func (m *Lacking) Lacks() []rune { return slices.Sorted(maps.Keys(m.chars)) }

// Apart reports whether text contained letters of an Indic script, Tibetan, Burmese or Khmer, which
// are drawn one by one.
func (m *Lacking) Apart() bool { return m.unjoined }

// Words is a canvas that draws nothing and only records the characters without a glyph.
type Words struct{ Lacking }

// Fill implements [Canvas].
func (*Words) Fill(Path, color.Color) {}

// Stroke implements [Canvas].
func (*Words) Stroke(Path, Line) {}

// Text implements [Canvas].
func (w *Words) Text(_ Point, style Text, text string) { w.note(style.letters(text)) }

// Image implements [Canvas].
func (*Words) Image(Rectangle, image.Image) {}

// WriteTo writes nothing.
func (*Words) WriteTo(io.Writer) (int64, error) { return 0, nil }
