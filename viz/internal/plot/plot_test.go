package plot

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"image"
	"image/color"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Glyphs, widths and outlines agree with another font parser.
func TestFontAgainstSFNT(t *testing.T) {
	for _, raw := range [][]byte{liberationsansregular.TTF, liberationsansbold.TTF} {
		f := newFace(raw)
		other, err := sfnt.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		var b sfnt.Buffer
		em := fixed.I(int(f.unit))
		for _, r := range "AÅgjéµßλ≥–…“ǼЖ½ 漢�\U0001F600" {
			want, err := other.GlyphIndex(&b, r)
			if err != nil {
				t.Fatal(err)
			}
			g := f.glyph(r)
			if g != int(want) {
				t.Errorf("%c is glyph %d, want %d", r, g, want)
				continue
			}
			width, err := other.GlyphAdvance(&b, want, em, font.HintingNone)
			if err != nil || math.Abs(f.advance(g)*f.unit-float64(width)/64) > 0.5 {
				t.Errorf("%c is %g wide, want %v, %v", r, f.advance(g)*f.unit, width, err)
			}
			segments, err := other.LoadGlyph(&b, want, em, nil)
			if err != nil {
				t.Fatal(err)
			}
			lo, hi := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
			contours, moves := f.contours(g), 0
			for _, contour := range contours {
				for _, v := range contour {
					lo, hi = Point{min(lo.X, v.X), min(lo.Y, v.Y)}, Point{max(hi.X, v.X), max(hi.Y, v.Y)}
				}
			}
			for _, s := range segments {
				if s.Op == sfnt.SegmentOpMoveTo {
					moves++
				}
				for _, p := range s.Args[:map[sfnt.SegmentOp]int{sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2}[s.Op]] {
					if x, y := float64(p.X)/64, -float64(p.Y)/64; x < lo.X-1 || x > hi.X+1 || y < lo.Y-1 || y > hi.Y+1 {
						t.Fatalf("%c has a point at (%g, %g), outside of %v to %v", r, x, y, lo, hi)
					}
				}
			}
			if moves != len(contours) {
				t.Errorf("%c has %d contours, want %d", r, len(contours), moves)
			}
		}
	}
}

// Positions on a logarithmic axis ascend from 0 to 1, also if the ratio of its ends overflows.
func TestLogarithmicPositions(t *testing.T) {
	for _, axis := range [][]float64{{1, 3, 10}, {1e-307, 1e-300, 1, 1e301}, {1e-160, 1, 1e160}, {1e300, 1e301}} {
		first, last := axis[0], axis[len(axis)-1]
		a := Axis{Min: first, Max: last, Log: true}
		if a.position(first) != 0 || a.position(last) != 1 {
			t.Errorf("the ends of %v are at %g and %g", axis, a.position(first), a.position(last))
		}
		for k, v := range axis[1:] {
			if !(a.position(v) > a.position(axis[k])) {
				t.Errorf("%g is at %g and %g at %g", axis[k], a.position(axis[k]), v, a.position(v))
			}
		}
	}
}

// ink is the total darkness of all pixels, in units of a black pixel.
func ink(p *Pixels) float64 {
	sum := 0.0
	for k := 0; k < len(p.Pix); k += 4 {
		sum += 1 - float64(p.Pix[k])/255
	}
	return sum
}

// Shapes have the right area in any position and at any size.
func TestPixelsHaveTheArea(t *testing.T) {
	black := color.Black
	for name, c := range map[string]struct {
		draw func(*Pixels)
		want float64
	}{
		"square":         {func(p *Pixels) { p.Fill(Path{Points: []Point{{10, 10}, {20, 10}, {20, 30}, {10, 30}}}, black) }, 200},
		"circle":         {func(p *Pixels) { p.Fill(Path{Points: []Point{{50, 50}}, Radius: 20}, black) }, math.Pi * 400},
		"ring":           {func(p *Pixels) { p.Stroke(Path{Points: []Point{{50, 50}}, Radius: 20}, Line{Color: black, Width: 2}) }, 80 * math.Pi},
		"large triangle": {func(p *Pixels) { p.Fill(Path{Points: []Point{{5, 5}, {195, 5}, {5, 195}}}, black) }, 190 * 190 / 2},
		"long line":      {func(p *Pixels) { p.Stroke(Path{Points: []Point{{10, 10}, {190, 145}}}, Line{Color: black, Width: 1}) }, 225},
		"dashed line": {func(p *Pixels) {
			p.Stroke(Path{Points: []Point{{10, 10}, {190, 145}}}, Line{Color: black, Width: 1, Dashes: []float64{9, 6}})
		}, 135},
		"corner": {func(p *Pixels) {
			p.Stroke(Path{Points: []Point{{10, 10}, {50, 10}, {50, 60}}}, Line{Color: black, Width: 4})
		}, 4*90 - 4 + 2}, // the square is in both lines, and a triangle fills the corner
		"frame": {func(p *Pixels) {
			p.Stroke(Path{Points: []Point{{10, 10}, {50, 10}, {50, 60}, {10, 60}}, Closed: true}, Line{Color: black, Width: 4})
		}, 4*180 - 4*4 + 4*2},
		"outside": {func(p *Pixels) { p.Fill(Path{Points: []Point{{300, 10}, {400, 10}, {300, 90}}}, black) }, 0},
		"half":    {func(p *Pixels) { p.Fill(Path{Points: []Point{{-50, 10}, {10, 10}, {10, 20}, {-50, 20}}}, black) }, 100},
	} {
		p := NewPixels(200, 200, Inch)
		c.draw(p)
		if got := ink(p); math.Abs(got-c.want) > 0.02*c.want+1e-9 {
			t.Errorf("%s covers %.2f pixels, want %.2f", name, got, c.want)
		}
	}
}

// A scaled image keeps its mean colour and its position.
func TestScaled(t *testing.T) {
	img := image.NewGray(image.Rect(3, 4, 13, 14))
	for k := range img.Pix {
		img.Pix[k] = uint8(k)
	}
	for _, size := range []int{1, 3, 10, 25, 100} {
		out := Scaled(img, size, size)
		sum, want := 0.0, 49.5
		for k := 0; k < len(out.Pix); k += 4 {
			sum += float64(out.Pix[k])
		}
		if got := sum / float64(size*size); math.Abs(got-want) > 1 {
			t.Errorf("%d pixels: mean %.2f, want %.2f", size, got, want)
		}
		if size > 1 && out.Pix[0] >= out.Pix[len(out.Pix)-4] {
			t.Errorf("%d pixels: the corners are %d and %d", size, out.Pix[0], out.Pix[len(out.Pix)-4])
		}
	}
	same := Scaled(img, 10, 10)
	for k, v := range img.Pix {
		if same.Pix[4*k] != v {
			t.Fatalf("pixel %d became %d in the same size", k, same.Pix[4*k])
		}
	}
}

func TestClips(t *testing.T) {
	r := Rectangle{Point{0, 0}, Point{10, 10}}
	parts := clipLine(r, []Point{{-5, 5}, {5, 5}, {5, 20}, {8, 20}, {8, -1}})
	if len(parts) != 2 || parts[0][0] != (Point{0, 5}) || parts[0][2] != (Point{5, 10}) || parts[1][0] != (Point{8, 10}) || parts[1][1] != (Point{8, 0}) {
		t.Errorf("the line has the parts %v", parts)
	}
	area := 0.0
	cut := clipPolygon(r, []Point{{5, -5}, {15, 5}, {5, 15}, {-5, 5}})
	for k, a := range cut {
		b := cut[(k+1)%len(cut)]
		area += (a.X*b.Y - b.X*a.Y) / 2
	}
	if area != 100 {
		t.Errorf("the clipped polygon %v has the area %g, want the whole square", cut, area)
	}
	if out := clipPolygon(r, []Point{{20, 20}, {30, 20}, {20, 30}}); out != nil {
		t.Errorf("a polygon outside leaves %v", out)
	}
}

// drawing draws an instance of everything.
func drawing(c Canvas) {
	a := Area{c, Rectangle{Point{40, 40}, Point{180, 140}}}
	text := Text{Color: color.Black, Size: 10}
	p := Plot{X: Axis{Max: 2, Name: "λ ≥ 3 & <x> \x01", NameText: text, TickText: text, Ticks: Ticks{{0, "0"}, {1, ""}, {2, "\xff"}}},
		Y: Axis{Min: 1, Max: 100, Log: true, Name: "漢", NameText: text, TickText: text, Ticks: Ticks{{10, "ten"}}}}
	half := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	half.SetNRGBA(0, 0, color.NRGBA{255, 0, 0, 128})
	points := []Point{{0, 1}, {1, 200}, {2, 10}}
	p.Add(Image{half, Rectangle{Point{0, 1}, Point{2, 100}}}, Grid{Line{Color: color.Black, Width: 1}}, Polyline{points, Line{Color: color.Black, Width: 1, Dashes: []float64{2, 1}}},
		Polygon{points, color.NRGBA{0, 0, 255, 80}}, Scatter{Points: points, Glyph: Glyph{Color: color.Black, Radius: 3, Ring: 1}},
		Whiskers{points, []float64{0.5, 1, 1}, 4, Line{Color: color.Black, Width: 1}}, Label{Point{1, 10}, Text{Color: color.White, Size: 8, Bold: true, Rotation: 1}, "bold"})
	p.Draw(a)
}

// An SVG is valid XML for any texts and contains them as text.
func TestSVG(t *testing.T) {
	s := NewSVG(200, 160, 2)
	drawing(s)
	var b bytes.Buffer
	if _, err := s.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := token.(xml.CharData); ok && strings.TrimSpace(string(s)) != "" {
			texts = append(texts, string(s))
		}
	}
	if got := strings.Join(texts, "|"); !strings.Contains(got, "λ ≥ 3 & <x> �") || !strings.Contains(got, "ten|漢|bold") {
		t.Errorf("texts %s", got)
	}
}

// The objects of a PDF are at the offsets in its table, streams are complete, and its fonts hold
// the used glyphs.
func TestPDF(t *testing.T) {
	p := NewPDF(200, 160, 2)
	drawing(p)
	var b bytes.Buffer
	if _, err := p.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	raw := b.String()
	_, at, _ := strings.Cut(raw, "startxref\n")
	at, _, _ = strings.Cut(at, "\n")
	begin, err := strconv.Atoi(at)
	if err != nil || !strings.HasPrefix(raw[begin:], "xref\n") {
		t.Fatalf("no table at %q", at)
	}
	for k, line := range strings.Split(raw[begin:], "\n")[3:] {
		if !strings.HasSuffix(line, " n ") {
			break
		}
		place, err := strconv.Atoi(line[:10])
		if err != nil || !strings.HasPrefix(raw[place:], strconv.Itoa(k+1)+" 0 obj\n") {
			t.Errorf("object %d is not at %q", k+1, line)
		}
	}
	fonts := 0
	streams := regexp.MustCompile(`/Length (\d+) >>\nstream\n`)
	for _, found := range streams.FindAllStringSubmatchIndex(raw, -1) {
		size, _ := strconv.Atoi(raw[found[2]:found[3]])
		end := found[1] + size
		if !strings.HasPrefix(raw[end:], "\nendstream") {
			t.Fatalf("a stream of %d bytes does not end there", size)
		}
		z, err := zlib.NewReader(strings.NewReader(raw[found[1]:end]))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(body, []byte{0, 1, 0, 0}) {
			continue
		}
		fonts++
		part, whole, word := newFace(body), regular(), "λ0ten≥"
		if fonts == 2 {
			whole, word = bold(), "bold"
		}
		for _, r := range word {
			if g := whole.glyph(r); !bytes.Equal(part.outline(g)[:len(whole.outline(g))], whole.outline(g)) {
				t.Errorf("the font %d lacks %c", fonts, r)
			}
		}
		if len(part.outline(whole.glyph('Q'))) > 0 {
			t.Error("the font holds a letter that is not used")
		}
	}
	if fonts != 2 {
		t.Errorf("%d fonts", fonts)
	}
}

// A PDF defines each font that its text uses, also if the program's font has no letter of a text.
func TestPDFDefinesItsFonts(t *testing.T) {
	for _, text := range []string{"", "\u200b", "text", "数据", "數 text", "text 數"} {
		for _, style := range []Text{{}, {Bold: true}, {Edge: Line{Width: 1, Color: color.White}}, {Bold: true, Edge: Line{Width: 1, Color: color.White}}} {
			p := NewPDF(100, 50, 1)
			style.Size, style.Color = 10, color.Black
			p.Text(Point{10, 10}, style, text)
			var b bytes.Buffer
			if _, err := p.WriteTo(&b); err != nil {
				t.Fatal(err)
			}
			for _, font := range regexp.MustCompile(`/[FD]\d+ `).FindAll(p.page.Bytes(), -1) {
				if !regexp.MustCompile(`/Font <<[^>]*` + string(font)).Match(b.Bytes()) {
					t.Errorf("%q in the style %+v uses the font %s, which the file does not define", text, style, font)
				}
			}
		}
	}
}

// Each canvas returns the number of bytes that it wrote.
func TestWriteToCountsBytes(t *testing.T) {
	for name, c := range map[string]Canvas{"pixels": NewPixels(200, 160, 72), "SVG": NewSVG(200, 160, 1), "PDF": NewPDF(200, 160, 1), "words": &Words{}} {
		drawing(c)
		var b bytes.Buffer
		if n, err := c.WriteTo(&b); err != nil || n != int64(b.Len()) {
			t.Errorf("%s: %d bytes instead of %d, %v", name, n, b.Len(), err)
		}
	}
}
