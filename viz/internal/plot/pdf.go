package plot

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf16"
)

// PDF is a canvas for a PDF file with one page. Text is stored as text, in embedded fonts.
type PDF struct {
	width, height float64
	scale         float64
	page          bytes.Buffer
	used          [2]map[int]rune // for the regular and the bold font: character of each used glyph
	drawn         []letter        // glyphs from other fonts, and boxes; WriteTo divides them into Type 3 fonts of 256 glyphs each
	codes         map[string]int  // index of each glyph in drawn
	opacities     []float64
	images        []image.Image
	Lacking
}

// NewPDF returns an empty page of the given width and height in points. The page in the file is
// larger by the factor scale.
func NewPDF(width, height, scale float64) *PDF {
	return &PDF{width: width, height: height, scale: scale, used: [2]map[int]rune{{}, {}}}
}

// ink sets the opacity, and the colour of fills (operator "rg") or of strokes (operator "RG").
func (p *PDF) ink(c color.Color, operator string) {
	shade, opacity := opaque(c)
	k := slices.Index(p.opacities, opacity)
	if k < 0 {
		k = len(p.opacities)
		p.opacities = append(p.opacities, opacity)
	}
	part := func(v uint8) string { return number(float64(v) / 255) }
	fmt.Fprintf(&p.page, "/G%d gs %s %s %s %s ", k, part(shade.R), part(shade.G), part(shade.B), operator)
}

func (p *PDF) shape(path Path) {
	place := func(x, y float64) string { return number(x) + " " + number(y) + " " }
	if path.Radius > 0 {
		const bow = 0.5523 // distance of a control point from the nearer end of a Bézier curve that approximates a quarter of a unit circle
		at, r := path.Points[0], path.Radius
		p.page.WriteString(place(at.X+r, at.Y) + "m ")
		u, v := Point{r, 0}, Point{0, r}
		for range 4 {
			p.page.WriteString(place(at.X+u.X+bow*v.X, at.Y+u.Y+bow*v.Y) + place(at.X+v.X+bow*u.X, at.Y+v.Y+bow*u.Y) + place(at.X+v.X, at.Y+v.Y) + "c ")
			u, v = v, Point{-u.X, -u.Y}
		}
		p.page.WriteString("h ")
		return
	}
	for k, at := range path.Points {
		p.page.WriteString(place(at.X, at.Y) + []string{"m ", "l "}[min(k, 1)])
	}
	if path.Closed {
		p.page.WriteString("h ")
	}
}

// Fill implements [Canvas].
func (p *PDF) Fill(path Path, c color.Color) {
	p.ink(c, "rg")
	p.shape(path)
	p.page.WriteString("f\n")
}

// Stroke implements [Canvas].
func (p *PDF) Stroke(path Path, style Line) {
	p.ink(style.Color, "RG")
	p.page.WriteString(number(style.Width) + " w [")
	for _, d := range style.Dashes {
		p.page.WriteString(number(d) + " ")
	}
	p.page.WriteString("] 0 d ")
	p.shape(path)
	p.page.WriteString("S\n")
}

// Text implements [Canvas].
func (p *PDF) Text(at Point, style Text, text string) {
	letters := style.letters(text)
	p.note(letters)
	p.letters(at, style, letters)
}

// letters writes glyphs. Characters that the program's font lacks are written in a Type 3 font,
// whose glyphs the file defines as paths. If no font contains a character, its glyph is a box.
func (p *PDF) letters(at Point, style Text, letters []letter) {
	font := 0
	if style.Bold {
		font = 1
	}
	sin, cos := math.Sincos(style.Rotation)
	if edge := style.Edge; edge.Width > 0 {
		// The edges are drawn before the text, which covers their inner half. The rendering mode
		// that strokes letters does not apply to Type 3 fonts, so the edges of their glyphs are
		// drawn as paths.
		x := 0.0
		for _, l := range letters {
			if l.glyph == 0 {
				for _, s := range l.shapes(func(v Point) Point {
					u, w := style.Size*(v.X+x), style.Size*v.Y
					return at.Add(Point{cos*u - sin*w, sin*u + cos*w})
				}) {
					p.Stroke(Path{Points: s, Closed: true}, edge)
				}
			}
			x += l.advance()
		}
		if slices.ContainsFunc(letters, func(l letter) bool { return l.glyph != 0 }) {
			p.ink(edge.Color, "RG")
			fmt.Fprintf(&p.page, "%s w [] 0 d 1 Tr ", number(edge.Width))
			p.run(at, style, letters, font, true)
			p.page.WriteString("0 Tr ")
		}
	}
	p.run(at, style, letters, font, false)
}

// run writes glyphs. If own is true, it replaces glyphs that are not in the program's font with
// empty space of the same width. At least one glyph must then be in this font, because the file
// defines only fonts with used glyphs.
func (p *PDF) run(at Point, style Text, letters []letter, font int, own bool) {
	p.ink(style.Color, "rg")
	sin, cos := math.Sincos(style.Rotation)
	fmt.Fprintf(&p.page, "BT %s %s %s %s %s %s Tm ", number(cos), number(sin), number(-sin), number(cos), number(at.X), number(at.Y))
	last := ""
	for k, l := range letters {
		name, code := fmt.Sprintf("F%d", font), fmt.Sprintf("%04x", l.glyph)
		switch {
		case l.glyph != 0:
			if _, known := p.used[font][l.glyph]; !known {
				p.used[font][l.glyph] = l.char
			}
		case own:
			name, code = "", number(-1000*l.advance())
		default:
			at := p.code(l)
			name, code = fmt.Sprintf("D%d", at/256), fmt.Sprintf("%02x", at%256)
		}
		if name != last || name == "" {
			if k > 0 {
				p.page.WriteString(map[bool]string{true: "] TJ ", false: "> Tj "}[last == ""])
			}
			if name == "" {
				fmt.Fprintf(&p.page, "/F%d %s Tf [", font, number(style.Size))
			} else {
				fmt.Fprintf(&p.page, "/%s %s Tf <", name, number(style.Size))
			}
		}
		p.page.WriteString(code)
		last = name
	}
	if len(letters) > 0 {
		p.page.WriteString(map[bool]string{true: "] TJ ", false: "> Tj "}[last == ""])
	}
	p.page.WriteString("ET\n")
}

// code returns the index of a letter in p.drawn. If the letter is new, code appends it.
func (p *PDF) code(l letter) int {
	id := fmt.Sprintf("%p %d %d %p", l.fallback.font, l.fallback.glyph, l.char, l.font)
	at, known := p.codes[id]
	if !known {
		if at = len(p.drawn); p.codes == nil {
			p.codes = map[string]int{}
		}
		p.codes[id] = at
		p.drawn = append(p.drawn, l)
	}
	return at
}

// Image implements [Canvas].
func (p *PDF) Image(r Rectangle, img image.Image) {
	if img.Bounds().Empty() {
		return
	}
	size := r.Size()
	fmt.Fprintf(&p.page, "q %s 0 0 %s %s %s cm /I%d Do Q\n", number(size.X), number(size.Y), number(r.Min.X), number(r.Min.Y), len(p.images))
	p.images = append(p.images, img)
}

// file is a PDF file under construction. Objects are numbered from 1.
type file struct {
	bytes.Buffer
	places []int
}

// add writes an object and returns its number. If stream is not nil, the object contains the
// compressed stream.
func (f *file) add(dictionary string, stream []byte) int {
	f.places = append(f.places, f.Len())
	fmt.Fprintf(f, "%d 0 obj\n", len(f.places))
	if stream == nil {
		f.WriteString(dictionary)
	} else {
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		z.Write(stream)
		z.Close()
		fmt.Fprintf(f, "%s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", strings.TrimSuffix(dictionary, ">>"), packed.Len(), packed.Bytes())
	}
	f.WriteString("\nendobj\n")
	return len(f.places)
}

// WriteTo writes the file.
func (p *PDF) WriteTo(w io.Writer) (int64, error) {
	f := &file{}
	f.WriteString("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
	var resources strings.Builder
	resources.WriteString("<< /Font <<")
	for k, face := range []*face{regular(), bold()} {
		if len(p.used[k]) > 0 {
			fmt.Fprintf(&resources, " /F%d %d 0 R", k, f.font(face, p.used[k], []string{"LiberationSans", "LiberationSans-Bold"}[k]))
		}
	}
	for k, part := range slices.Collect(slices.Chunk(p.drawn, 256)) {
		fmt.Fprintf(&resources, " /D%d %d 0 R", k, f.drawings(part))
	}
	resources.WriteString(" >> /ExtGState <<")
	for k, v := range p.opacities {
		fmt.Fprintf(&resources, " /G%d << /ca %s /CA %s >>", k, number(v), number(v))
	}
	resources.WriteString(" >> /XObject <<")
	for k, img := range p.images {
		fmt.Fprintf(&resources, " /I%d %d 0 R", k, f.image(img))
	}
	resources.WriteString(" >> >>")
	page := append([]byte(number(p.scale)+" 0 0 "+number(p.scale)+" 0 0 cm 1 j\n"), p.page.Bytes()...)
	content := f.add("<< >>", page)
	pages := len(f.places) + 2
	leaf := f.add(fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %s %s] /Resources %s /Contents %d 0 R >>", pages, number(p.width*p.scale), number(p.height*p.scale), resources.String(), content), nil)
	f.add(fmt.Sprintf("<< /Type /Pages /Kids [%d 0 R] /Count 1 >>", leaf), nil)
	root := f.add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R >>", pages), nil)
	begin := f.Len()
	fmt.Fprintf(f, "xref\n0 %d\n0000000000 65535 f \n", len(f.places)+1)
	for _, at := range f.places {
		fmt.Fprintf(f, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(f, "trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(f.places)+1, root, begin)
	n, err := w.Write(f.Bytes())
	return int64(n), err
}

// drawings writes a Type 3 font of up to 256 glyphs, and the table that maps its codes to
// characters. It returns the object number of the font.
func (f *file) drawings(letters []letter) int {
	const em = 1000
	var procedures, names, widths, characters strings.Builder
	lo, hi := Point{0, 0}, Point{em, em}
	for k, l := range letters {
		var body strings.Builder
		place := func(v Point) string { return number(em*v.X) + " " + number(em*v.Y) + " " }
		low, high := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
		write := func(at Point) string {
			low, high = Point{min(low.X, em*at.X), min(low.Y, em*at.Y)}, Point{max(high.X, em*at.X), max(high.Y, em*at.Y)}
			return place(at)
		}
		if l.fallback.font == nil {
			for _, s := range l.shapes(func(v Point) Point { return v }) {
				for i, at := range s {
					body.WriteString(write(at) + []string{"m ", "l "}[min(i, 1)])
				}
				body.WriteString("h ")
			}
		} else {
			for _, contour := range l.fallback.font.contours(l.fallback.glyph) {
				var from Point
				for i, s := range contour {
					switch end := s[len(s)-1]; {
					case i == 0:
						body.WriteString(write(end) + "m ")
					case len(s) == 1:
						body.WriteString(write(end) + "l ")
					case len(s) == 2: // a parabola, written as a cubic curve
						c := s[0]
						body.WriteString(write(Point{(from.X + 2*c.X) / 3, (from.Y + 2*c.Y) / 3}) + write(Point{(end.X + 2*c.X) / 3, (end.Y + 2*c.Y) / 3}) + write(end) + "c ")
					default:
						body.WriteString(write(s[0]) + write(s[1]) + write(end) + "c ")
					}
					from = s[len(s)-1]
				}
				body.WriteString("h ")
			}
		}
		if low.X > high.X {
			low, high = Point{}, Point{} // the glyph is a space
		}
		lo, hi = Point{min(lo.X, low.X), min(lo.Y, low.Y)}, Point{max(hi.X, high.X), max(hi.Y, high.Y)}
		wide := number(em * l.advance())
		glyph := fmt.Sprintf("%s 0 %s %s %s %s d1 %sf", wide, number(low.X), number(low.Y), number(high.X), number(high.Y), body.String())
		fmt.Fprintf(&procedures, " /g%d %d 0 R", k, f.add("<< >>", []byte(glyph)))
		fmt.Fprintf(&names, " /g%d", k)
		widths.WriteString(wide + " ")
		if k%100 == 0 { // a block contains at most 100 entries
			if k > 0 {
				characters.WriteString("endbfchar\n")
			}
			fmt.Fprintf(&characters, "%d beginbfchar\n", min(len(letters)-k, 100))
		}
		fmt.Fprintf(&characters, "<%02x> <", k)
		for _, u := range utf16.Encode(readAs(l.char)) {
			fmt.Fprintf(&characters, "%04x", u)
		}
		characters.WriteString(">\n")
	}
	unicode := f.add("<< >>", toUnicode("00", "ff", characters.String()))
	return f.add(fmt.Sprintf("<< /Type /Font /Subtype /Type3 /FontBBox [%s %s %s %s] /FontMatrix [%s 0 0 %s 0 0] /CharProcs <<%s >> /Encoding << /Type /Encoding /Differences [0%s] >> /FirstChar 0 /LastChar %d /Widths [%s] /Resources << >> /ToUnicode %d 0 R >>",
		number(lo.X), number(lo.Y), number(hi.X), number(hi.Y), number(1.0/em), number(1.0/em), procedures.String(), names.String(), len(letters)-1, widths.String(), unicode), nil)
}

// readAs returns the text that a PDF reader copies for a character. This is the character itself,
// or the plain letters of an Arabic presentation form.
func readAs(r rune) []rune {
	for alef, first := range ligatures {
		if r == first || r == first+1 {
			return []rune{lam, alef}
		}
	}
	if base := unshaped(r); base != 0 {
		r = base
	}
	return []rune{r}
}

// toUnicode returns the table that maps the codes of a font to characters. The arguments first and
// last are the ends of the range of codes, and characters contains the entries.
func toUnicode(first, last, characters string) []byte {
	return []byte("/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n" +
		"/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def\n" +
		"1 begincodespacerange <" + first + "> <" + last + "> endcodespacerange\n" + characters + "endbfchar\nendcmap CMapName currentdict /CMap defineresource pop end end\n")
}

// font writes a font with the used glyphs, and the table that maps its codes to characters. It
// returns the object number of the font.
func (f *file) font(face *face, used map[int]rune, name string) int {
	kept := map[int]bool{}
	var widths, characters strings.Builder
	glyphs := slices.Sorted(maps.Keys(used))
	for k, g := range glyphs {
		kept[g] = true
		fmt.Fprintf(&widths, "%d [%s] ", g, number(1000*face.advance(g)))
		if k%100 == 0 { // a block contains at most 100 entries
			if k > 0 {
				characters.WriteString("endbfchar\n")
			}
			fmt.Fprintf(&characters, "%d beginbfchar\n", min(len(glyphs)-k, 100))
		}
		fmt.Fprintf(&characters, "<%04x> <", g)
		for _, u := range utf16.Encode([]rune{used[g]}) {
			fmt.Fprintf(&characters, "%04x", u)
		}
		characters.WriteString(">\n")
	}
	name = "SSDRNB+" + name // the prefix marks a subset
	head, line := face.tables["head"], face.tables["hhea"]
	unit := func(v int) string { return number(1000 * float64(v) / face.unit) }
	program := face.subset(kept)
	data := f.add(fmt.Sprintf("<< /Length1 %d >>", len(program)), program)
	descriptor := f.add(fmt.Sprintf("<< /Type /FontDescriptor /FontName /%s /Flags 4 /FontBBox [%s %s %s %s] /ItalicAngle 0 /Ascent %s /Descent %s /CapHeight 729 /StemV 80 /FontFile2 %d 0 R >>", name,
		unit(i16(head, 36)), unit(i16(head, 38)), unit(i16(head, 40)), unit(i16(head, 42)), unit(i16(line, 4)), unit(i16(line, 6)), data), nil)
	descendant := f.add(fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /%s /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor %d 0 R /CIDToGIDMap /Identity /W [%s] >>", name, descriptor, widths.String()), nil)
	unicode := f.add("<< >>", toUnicode("0000", "ffff", characters.String()))
	return f.add(fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /%s /Encoding /Identity-H /DescendantFonts [%d 0 R] /ToUnicode %d 0 R >>", name, descendant, unicode), nil)
}

// image writes a picture, and its opacity if the picture is not opaque. It returns the object
// number of the picture.
func (f *file) image(img image.Image) int {
	r := img.Bounds()
	flat := image.NewNRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
	draw.Draw(flat, flat.Rect, img, r.Min, draw.Src)
	colors, opacity := make([]byte, 0, 3*r.Dx()*r.Dy()), make([]byte, 0, r.Dx()*r.Dy())
	for k := 0; k < len(flat.Pix); k += 4 {
		colors, opacity = append(colors, flat.Pix[k:k+3]...), append(opacity, flat.Pix[k+3])
	}
	dictionary := func(space string) string {
		return fmt.Sprintf("<< /Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8 /ColorSpace /%s", r.Dx(), r.Dy(), space)
	}
	mask := ""
	if !flat.Opaque() {
		mask = fmt.Sprintf(" /SMask %d 0 R", f.add(dictionary("DeviceGray")+" >>", opacity))
	}
	return f.add(dictionary("DeviceRGB")+mask+" >>", colors)
}
