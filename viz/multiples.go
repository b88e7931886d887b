package viz

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Group is embeddings under a heading, drawn by [Multiples].
type Group struct {
	Title  string
	Models []Embedded
	// Notes are a second line below the name of each model. There may be fewer than
	// models, or none.
	Notes []string
}

// Multiples draws many small embeddings by groups, eight in a row, in the colours of
// the classes: the first two dimensions at equal scales, without axes, because their
// units differ between methods. The figure is a static picture with panels of a fixed
// size. [Embedding] and [Compare] draw charts to explore.
func Multiples(groups ...Group) Figure {
	s := &multiples{}
	var text strings.Builder
	tiles, total := len(groups), 0
	for _, g := range groups {
		if tiles += len(g.Models); tiles > maxTiles {
			return failed("multiples", crowded(tiles, maxTiles))
		}
		g.Title = cut(g.Title)
		s.groups = append(s.groups, g)
		var list []*panel
		var names []string
		for _, m := range g.Models {
			if err := drawable(m); err != nil {
				return failed("multiples", err)
			}
			p := newPanel(m)
			if total += p.n; p.n > maxPoints || total > 10*maxTotal {
				return failed("multiples", fmt.Errorf("viz: %d samples are more than a picture can hold, %d in a panel and %d in all; draw a subset", total, maxPoints, 10*maxTotal))
			}
			list, names = append(list, p), append(names, p.name)
		}
		if list == nil {
			return failed("multiples", fmt.Errorf("viz: the group %q has no model to draw; give it one or leave it out", g.Title))
		}
		s.panels = append(s.panels, list)
		fmt.Fprintf(&text, "%s: %s\n", g.Title, strings.Join(names, ", "))
	}
	if s.panels == nil {
		return failed("multiples", errAbsent)
	}
	height := 44 + 34 // title and legend
	for _, list := range s.panels {
		height += headingHeight + (len(list)+multiplesAcross-1)/multiplesAcross*tileHeight
	}
	return Figure{kind: "multiples", title: "Embeddings", width: multiplesAcross*tileWidth + 16, height: height, text: text.String(),
		note: sentences(manyClasses(slices.Concat(s.panels...)...), partOf(2, slices.Concat(s.panels...)...)), static: s.static}
}

// Layout in pixels, whatever the size of the figure.
const (
	multiplesAcross = 8
	tileWidth       = 118
	tileHeight      = 148
	headingHeight   = 30
	maxTiles        = 1000 // models and headings
)

type multiples struct {
	groups []Group
	panels [][]*panel
}

func (s *multiples) static(f Figure) (*canvas, error) {
	c := newCanvas(f)
	whole := draw.New(c.img)
	y := float64(40) // from the top
	for g, list := range s.panels {
		write(whole, 10, y+8, 12, ink3, draw.XLeft, s.groups[g].Title)
		y += headingHeight
		for k, p := range list {
			note := ""
			if k < len(s.groups[g].Notes) {
				note = cut(s.groups[g].Notes[k])
			}
			p.small(whole, 8+float64(k%multiplesAcross*tileWidth), y+float64(k/multiplesAcross*tileHeight), note)
		}
		y += float64((len(list) + multiplesAcross - 1) / multiplesAcross * tileHeight)
	}
	s.legend(whole, y+10)
	return c, nil
}

var ink3, ink6 = color.Gray{0x33}, color.Gray{0x66}

// place turns pixels from the top left corner into a place of the canvas.
func place(c draw.Canvas, x, y float64) vg.Point {
	return vg.Point{X: c.Min.X + vg.Length(x)*vg.Inch/dpi, Y: c.Max.Y - vg.Length(y)*vg.Inch/dpi}
}

// write puts text with its upper edge at y.
func write(c draw.Canvas, x, y float64, size font.Length, shade color.Color, align draw.XAlignment, text string) {
	style := draw.TextStyle{Color: shade, Font: font.From(plot.DefaultFont, size), XAlign: align, YAlign: draw.YTop, Handler: plot.DefaultTextHandler}
	c.FillText(style, place(c, x, y), text)
}

// small draws a panel into a tile at (x, y): name, note, and the samples in a frame.
func (p *panel) small(c draw.Canvas, x, y float64, note string) {
	const side, head = tileWidth - 10, tileHeight - tileWidth
	middle := x + tileWidth/2
	write(c, middle, y, 9, ink3, draw.XCenter, p.name)
	write(c, middle, y+13, 7.5, ink6, draw.XCenter, note)
	left, top := x+5, y+head
	lower, upper := place(c, left, top+side), place(c, left+side, top)
	c.StrokeLines(draw.LineStyle{Color: color.Gray{0xcc}, Width: 0.5},
		[]vg.Point{lower, {X: upper.X, Y: lower.Y}, upper, {X: lower.X, Y: upper.Y}, lower})
	lo, hi := p.bounds(side, side)
	at := func(i int) vg.Point {
		u, v := (p.at(i, 0)-lo[0])/(hi[0]-lo[0]), (p.at(i, 1)-lo[1])/(hi[1]-lo[1])
		return vg.Point{X: lower.X + vg.Length(u)*(upper.X-lower.X), Y: lower.Y + vg.Length(v)*(upper.Y-lower.Y)}
	}
	for i := range p.n {
		shade := p.tone(p.of[i])
		shade.A = 0xb0
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: shade, Radius: 1.1, Shape: p.glyph(p.of[i])}, at(i))
	}
}

// legend names the classes of all panels in a row, as many as it holds.
func (s *multiples) legend(c draw.Canvas, y float64) {
	var all legend
	all.classes(slices.Concat(s.panels...)...)
	x := 14.0
	for k, name := range all.names {
		name = short(name, 150)
		wide := 26 + 7*float64(len([]rune(name)))
		if left := len(all.names) - k; x+wide > multiplesAcross*tileWidth-80 && left > 1 {
			write(c, x, y, 9, ink3, draw.XLeft, andMore)
			return
		}
		key := all.keys[k].(*plotter.Scatter)
		c.DrawGlyphNoClip(key.GlyphStyle, place(c, x, y+5))
		write(c, x+9, y, 9, ink3, draw.XLeft, name)
		x += wide
	}
}
