package plot

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// SVG is a canvas for an SVG file. Text is stored as text.
type SVG struct {
	body          bytes.Buffer
	width, height float64
	scale         float64
}

// NewSVG returns an empty canvas of the given width and height in points. The picture in the file
// is larger by the factor scale.
func NewSVG(width, height, scale float64) *SVG {
	return &SVG{width: width, height: height, scale: scale}
}

// WriteTo writes the file.
func (s *SVG) WriteTo(w io.Writer) (int64, error) {
	n, err := fmt.Fprintf(w, "<?xml version=\"1.0\"?>\n"+
		`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="%spt" height="%spt" viewBox="0 0 %s %s" font-family="Liberation Sans, Arial, Helvetica, sans-serif">`+"\n%s</svg>\n",
		number(s.width*s.scale), number(s.height*s.scale), number(s.width), number(s.height), s.body.Bytes())
	return int64(n), err
}

// number formats a number with up to three decimals.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*1000)/1000+0, 'f', -1, 64)
}

// opaque splits a colour into its opaque form and its opacity.
func opaque(c color.Color) (color.NRGBA, float64) {
	out := color.NRGBAModel.Convert(c).(color.NRGBA)
	opacity := float64(out.A) / 255
	out.A = 0xff
	return out, opacity
}

// paint returns the SVG attributes of a colour. attribute is "fill" or "stroke".
func paint(attribute string, c color.Color) string {
	shade, opacity := opaque(c)
	out := fmt.Sprintf(` %s="#%02x%02x%02x"`, attribute, shade.R, shade.G, shade.B)
	if opacity < 1 {
		out += fmt.Sprintf(` %s-opacity="%s"`, attribute, number(opacity))
	}
	return out
}

func (s *SVG) shape(p Path, attributes string) {
	if p.Radius > 0 {
		fmt.Fprintf(&s.body, `<circle cx="%s" cy="%s" r="%s"%s/>`+"\n", number(p.Points[0].X), number(s.height-p.Points[0].Y), number(p.Radius), attributes)
		return
	}
	s.body.WriteString(`<path d="`)
	for k, at := range p.Points {
		s.body.WriteByte("ML"[min(k, 1)])
		s.body.WriteString(number(at.X) + " " + number(s.height-at.Y))
	}
	if p.Closed {
		s.body.WriteByte('Z')
	}
	s.body.WriteString(`"` + attributes + "/>\n")
}

// Fill implements [Canvas].
func (s *SVG) Fill(p Path, c color.Color) { s.shape(p, paint("fill", c)) }

// Stroke implements [Canvas].
func (s *SVG) Stroke(p Path, style Line) {
	attributes := ` fill="none"` + paint("stroke", style.Color) + ` stroke-width="` + number(style.Width) + `" stroke-linejoin="round"`
	if style.Dashes != nil {
		dashes := make([]string, len(style.Dashes))
		for k, d := range style.Dashes {
			dashes[k] = number(d)
		}
		attributes += ` stroke-dasharray="` + strings.Join(dashes, " ") + `"`
	}
	s.shape(p, attributes)
}

var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// Text implements [Canvas].
func (s *SVG) Text(at Point, style Text, text string) {
	// XML does not allow most control characters, not even in escaped form.
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
	// The reader's font may be wider or narrower than ours. With text-anchor, the text is still
	// aligned.
	along := style.Width(text) * float64(style.X) / 2
	sin, cos := math.Sincos(style.Rotation)
	x, y := number(at.X+cos*along), number(s.height-at.Y-sin*along)
	attributes := paint("fill", style.Color)
	if style.X != Left {
		attributes += ` text-anchor="` + [...]string{"start", "middle", "end"}[style.X] + `"`
	}
	if style.Bold {
		attributes += ` font-weight="bold"`
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r >= firstRightToLeft }) {
		attributes += ` unicode-bidi="plaintext"` // the first letter determines the direction, as in visual
	}
	if style.Edge.Width > 0 {
		attributes += paint("stroke", style.Edge.Color) + ` stroke-width="` + number(style.Edge.Width) + `" stroke-linejoin="round" paint-order="stroke"`
	}
	if style.Rotation != 0 {
		attributes += fmt.Sprintf(` transform="rotate(%s %s %s)"`, number(-style.Rotation*180/math.Pi), x, y)
	}
	fmt.Fprintf(&s.body, `<text x="%s" y="%s" font-size="%s"%s>%s</text>`+"\n", x, y, number(style.Size), attributes, escaped.Replace(text))
}

// Image implements [Canvas].
func (s *SVG) Image(r Rectangle, img image.Image) {
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		return // the picture has no pixels
	}
	size := r.Size()
	fmt.Fprintf(&s.body, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" xlink:href="data:image/png;base64,%s"/>`+"\n",
		number(r.Min.X), number(s.height-r.Max.Y), number(size.X), number(size.Y), base64.StdEncoding.EncodeToString(file.Bytes()))
}
