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
	"unicode/utf8"
)

// PDF is a canvas of a PDF file of one page. Text stays text, in fonts that the file holds.
type PDF struct {
	width, height float64
	scale         float64
	page          bytes.Buffer
	used          [2]map[int]rune // characters by glyph, of the regular and the bold font
	opacities     []float64
	images        []image.Image
}

// NewPDF returns an empty page of a width and height in points, which the file shows in
// another scale.
func NewPDF(width, height, scale float64) *PDF {
	return &PDF{width: width, height: height, scale: scale, used: [2]map[int]rune{{}, {}}}
}

// ink sets the colour and opacity of fills ("rg", "ca") or strokes ("RG", "CA").
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

// shape writes a path.
func (p *PDF) shape(path Path) {
	place := func(x, y float64) string { return number(x) + " " + number(y) + " " }
	if path.Radius > 0 {
		const bow = 0.5523 // a quarter of a circle as a Bézier curve
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
	font := 0
	if style.Bold {
		font = 1
	}
	if edge := style.Edge; edge.Width > 0 {
		// The same text once more, below, by its outline alone.
		p.ink(edge.Color, "RG")
		fmt.Fprintf(&p.page, "%s w [] 0 d 1 Tr ", number(edge.Width))
		style.Edge = Line{}
		p.Text(at, style, text)
		p.page.WriteString("0 Tr ")
	}
	p.ink(style.Color, "rg")
	sin, cos := math.Sincos(style.Rotation)
	fmt.Fprintf(&p.page, "BT /F%d %s Tf %s %s %s %s %s %s Tm <", font, number(style.Size), number(cos), number(sin), number(-sin), number(cos), number(at.X), number(at.Y))
	for _, r := range text {
		if r >= ' ' {
			g := style.face().glyph(r)
			if g == 0 {
				r = utf8.RuneError // the font has no such character
			}
			if _, known := p.used[font][g]; !known {
				p.used[font][g] = r
			}
			fmt.Fprintf(&p.page, "%04x", g)
		}
	}
	p.page.WriteString("> Tj ET\n")
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

// file is a PDF file under construction. Objects count from 1.
type file struct {
	bytes.Buffer
	places []int
}

// add writes an object, with a compressed stream unless that is nil, and returns its number.
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

// font writes a font with the glyphs that are used, and what characters they are.
func (f *file) font(face *face, used map[int]rune, name string) int {
	kept := map[int]bool{}
	var widths, characters strings.Builder
	glyphs := slices.Sorted(maps.Keys(used))
	for k, g := range glyphs {
		kept[g] = true
		fmt.Fprintf(&widths, "%d [%s] ", g, number(1000*face.advance(g)))
		if k%100 == 0 { // a block has at most 100
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
	name = "SSDRNB+" + name // the prefix says that glyphs are missing
	head, line := face.tables["head"], face.tables["hhea"]
	unit := func(v int) string { return number(1000 * float64(v) / face.unit) }
	program := face.subset(kept)
	data := f.add(fmt.Sprintf("<< /Length1 %d >>", len(program)), program)
	descriptor := f.add(fmt.Sprintf("<< /Type /FontDescriptor /FontName /%s /Flags 4 /FontBBox [%s %s %s %s] /ItalicAngle 0 /Ascent %s /Descent %s /CapHeight 729 /StemV 80 /FontFile2 %d 0 R >>", name,
		unit(i16(head, 36)), unit(i16(head, 38)), unit(i16(head, 40)), unit(i16(head, 42)), unit(i16(line, 4)), unit(i16(line, 6)), data), nil)
	descendant := f.add(fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /%s /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor %d 0 R /CIDToGIDMap /Identity /W [%s] >>", name, descriptor, widths.String()), nil)
	unicode := f.add("<< >>", []byte("/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"+
		"/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def\n"+
		"1 begincodespacerange <0000> <ffff> endcodespacerange\n"+characters.String()+"endbfchar\nendcmap CMapName currentdict /CMap defineresource pop end end\n"))
	return f.add(fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /%s /Encoding /Identity-H /DescendantFonts [%d 0 R] /ToUnicode %d 0 R >>", name, descendant, unicode), nil)
}

// image writes a picture, with its opacity if it is not opaque.
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
