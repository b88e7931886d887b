package viz

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
)

// Group is embeddings under a heading, drawn by [Multiples].
type Group struct {
	Title  string
	Models []Embedded
	// Notes are a second line below the name of each model. There may be fewer than
	// models, or none.
	Notes []string
}

// Multiples draws many small embeddings by groups, six in a row, in the colours of
// the classes: the first two dimensions at equal scales, without axes, because their
// units differ between methods. A few samples far away from all others are left out.
// The figure is a static picture as wide as the page; a narrow page shows three in a
// row. [Embedding] and [Compare] draw charts to explore.
func Multiples(groups ...Group) Figure {
	s := multiples{}
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
			p := newCropped(m)
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
	f := Figure{kind: "multiples", title: "Embeddings", text: text.String(),
		notes: present(manyClasses(slices.Concat(s.panels...)...), partOf(2, slices.Concat(s.panels...)...))}
	wide := s.arranged(f, 6)
	wide.narrow = func(f Figure) Figure { return s.arranged(f, 3) }
	return wide
}

// Layout in pixels, whatever the size of the figure.
const (
	tileWidth     = 176
	tileHeight    = 208
	headingHeight = 26
	maxTiles      = 1000 // models and headings
)

type multiples struct {
	groups []Group
	panels [][]*panel
	across int       // panels in a row
	heads  []point   // where each heading is
	tiles  [][]point // where each panel is
}

// point is a place in pixels from the top left corner.
type point struct{ x, y float64 }

// arranged returns the figure with rows of so many panels. A group begins beside the one
// before if it fits there.
func (s multiples) arranged(f Figure, across int) Figure {
	s.across, s.heads, s.tiles = across, nil, nil
	column, top, headed := 0, 0, false // of the next tile; whether the row has a heading
	next := func() { column, top, headed = 0, top+tileHeight, false }
	for g, list := range s.panels {
		words := (7*len([]rune(s.groups[g].Title)) + tileWidth - 1) / tileWidth // columns of the heading
		need := min(max(len(list), words), across)
		if column > 0 && (column+need > across || !headed) {
			next()
		}
		if !headed {
			top += headingHeight
			headed = true
		}
		s.heads = append(s.heads, point{float64(8 + column*tileWidth), float64(36 + top - headingHeight)})
		begin, tiles := column, make([]point, 0, len(list))
		for range list {
			if column == across {
				next()
			}
			tiles = append(tiles, point{float64(8 + column*tileWidth), float64(36 + top)})
			column++
		}
		if headed { // a long heading keeps its place
			column = max(column, min(begin+words, across))
		}
		s.tiles = append(s.tiles, tiles)
	}
	f.width, f.height, f.static = across*tileWidth+16, 36+top+tileHeight+34, s.static
	return f
}

func (s multiples) static(f Figure) *canvas {
	c := newCanvas(f)
	for g, list := range s.panels {
		c.write(s.heads[g].x+5, s.heads[g].y+4, 13, titleInk, plot.Left, s.groups[g].Title)
		for k, p := range list {
			note := ""
			if k < len(s.groups[g].Notes) {
				note = cut(s.groups[g].Notes[k])
			}
			p.small(c, s.tiles[g][k].x, s.tiles[g][k].y, note)
		}
	}
	s.legend(c, float64(f.height)-28)
	return c
}

// write puts text of a size in pixels with its upper edge at y.
func (c *canvas) write(x, y, size float64, shade color.Color, align plot.XAlign, text string) {
	c.dc.FillText(texts(size, shade, align, plot.Below), c.at(x, y), text)
}

// small draws a panel into a tile at (x, y): name, note, and the samples in a frame.
func (p *panel) small(c *canvas, x, y float64, note string) {
	const side, head = tileWidth - 10, tileHeight - tileWidth
	middle := x + tileWidth/2
	c.write(middle, y, 12, titleInk, plot.Middle, p.name)
	c.write(middle, y+15, 10.5, axisInk, plot.Middle, note)
	left, top := x+5, y+head
	frame := c.rectangle(box{left, top, side, side})
	lower, upper := frame.Min, frame.Max
	c.dc.StrokeLines(plot.Line{Color: frameInk, Width: pixels(1)},
		append(frame.Corners(), lower)...)
	lo, hi := p.bounds(side, side)
	at := func(i int) plot.Point {
		u, v := (p.at(i, 0)-lo[0])/(hi[0]-lo[0]), (p.at(i, 1)-lo[1])/(hi[1]-lo[1])
		return plot.Point{X: lower.X + u*(upper.X-lower.X), Y: lower.Y + v*(upper.Y-lower.Y)}
	}
	for i := range p.n {
		if !p.shows(i) {
			continue // far away from the others
		}
		shade := p.tone(p.of[i])
		shade.A = 0xb0
		c.dc.DrawGlyph(plot.Glyph{Color: shade, Radius: 1.6, Shape: staticGlyphs[p.symbol(p.of[i])]}, at(i))
	}
}

// legend names the classes of all panels in a row, as many as it holds.
func (s multiples) legend(c *canvas, y float64) {
	var all legend
	all.classes(slices.Concat(s.panels...)...)
	x := 14.0
	for k, name := range all.names {
		name = short(name, 150)
		wide := 26 + 7*float64(len([]rune(name)))
		if left := len(all.names) - k; x+wide > float64(s.across*tileWidth-80) && left > 1 {
			c.write(x, y, 12, titleInk, plot.Left, andMore)
			return
		}
		key := all.keys[k].(plot.Scatter)
		c.dc.DrawGlyph(key.Glyph, c.at(x, y+7))
		c.write(x+9, y, 12, titleInk, plot.Left, name)
		x += wide
	}
}
