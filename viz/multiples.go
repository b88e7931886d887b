package viz

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
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
// The figure is a picture as wide as the page; a narrow page shows three in a row. Up to
// 200 embeddings of up to 100,000 samples in all are linked to other figures of the same
// samples, where the notebook is trusted or opened with the extension of install.sh: what
// the pointer is on, what is selected and which classes are switched off is so in all.
// [Embedding] and [Compare] draw charts to explore, and in the colours of other values.
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
		if g.Title != "" {
			text.WriteString(g.Title + ": ")
		}
		text.WriteString(strings.Join(names, ", ") + "\n")
	}
	if s.panels == nil {
		return failed("multiples", errAbsent)
	}
	shareRanks(slices.Concat(s.panels...))
	f := Figure{kind: "multiples", title: "Embeddings", text: text.String(),
		notes: present(manyClasses(slices.Concat(s.panels...)...), partOf(2, slices.Concat(s.panels...)...))}
	wide := s.arranged(f, 6)
	wide.narrow = func(f Figure) Figure { return s.arranged(f, 3) }
	if all := slices.Concat(s.panels...); len(all) <= maxLinkedTiles && total <= maxPoints {
		wide.linked = func(f Figure) map[string]any { return s.linked(f, all) }
	}
	return wide
}

// Layout in pixels, whatever the size of the figure.
const (
	tileWidth     = 176
	tileHeight    = 208
	headingHeight = 26
	maxTiles      = 1000 // models and headings

	maxLinkedTiles = bounds.Tiles // of which samples are linked to other figures
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

// arranged returns the figure with rows of so many panels.
func (s multiples) arranged(f Figure, across int) Figure {
	s, f.width, f.height = s.placed(across)
	f.static = s.static
	return f
}

// placed finds the places of panels in rows of so many, and the picture's size. A group
// begins beside the one before if it fits there.
func (s multiples) placed(across int) (out multiples, width, height int) {
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
	return s, across*tileWidth + 16, 36 + top + tileHeight + 34
}

func (s multiples) static(f Figure) *canvas {
	c := newCanvas(f)
	panels := make([][]*panel, len(s.panels))
	for g, list := range s.panels {
		panels[g] = f.inFile(list)
	}
	s.panels = panels
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
	all := s.legend()
	for k, key := range s.keys(all) {
		x, y := key.x, float64(f.height)-keyAbove
		if key.name != "" {
			c.dc.DrawGlyph(all.keys[k].(plot.Scatter).Glyph, c.at(x, y+7))
			x += 9
		}
		c.write(x, y, 12, titleInk, plot.Left, key.text)
	}
	return c
}

// write puts text of a size in pixels with its upper edge at y.
func (c *canvas) write(x, y, size float64, shade color.Color, align plot.XAlign, text string) {
	c.dc.FillText(texts(size, shade, align, plot.Below), c.at(x, y), text)
}

// inside is the frame of a tile's samples: its place in the tile, and its side.
const (
	insideLeft = 5
	insideTop  = tileHeight - tileWidth
	insideSide = tileWidth - 10
)

// keyAbove is how far the legend is above the lower edge.
const keyAbove = 28

// small draws a panel into a tile at (x, y): name, note, and the samples in a frame.
func (p *panel) small(c *canvas, x, y float64, note string) {
	middle := x + tileWidth/2
	c.write(middle, y, 12, titleInk, plot.Middle, p.name)
	c.write(middle, y+15, 10.5, axisInk, plot.Middle, note)
	frame := c.rectangle(box{x + insideLeft, y + insideTop, insideSide, insideSide})
	lower, upper := frame.Min, frame.Max
	c.dc.StrokeLines(plot.Line{Color: frameInk, Width: pixels(1)},
		append(frame.Corners(), lower)...)
	share := p.shares()
	at := func(i int) plot.Point {
		u, v := share(i)
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

// shares returns where a sample is in the frame: from 0 at the left and the lower edge to 1.
func (p *panel) shares() func(i int) (u, v float64) {
	lo, hi := p.bounds(insideSide, insideSide)
	return func(i int) (u, v float64) {
		return (p.at(i, 0) - lo[0]) / (hi[0] - lo[0]), (p.at(i, 1) - lo[1]) / (hi[1] - lo[1])
	}
}

// legend names the classes of all panels.
func (s multiples) legend() legend {
	var all legend
	all.classes(slices.Concat(s.panels...)...)
	return all
}

// legendKey is an entry of the legend, from x on. One without a name stands for others.
type legendKey struct {
	name, text string
	x, wide    float64
}

// keys are the entries of the legend that a row holds; the last may stand for the others.
func (s multiples) keys(all legend) []legendKey {
	x := 14.0
	var out []legendKey
	texts := upTo(15, all.names)
	for k, name := range all.names {
		text := texts[k]
		wide := 26 + 7*float64(len([]rune(text)))
		if left := len(all.names) - k; x+wide > float64(s.across*tileWidth-80) && left > 1 {
			return append(out, legendKey{text: andMore(left), x: x})
		}
		out = append(out, legendKey{name, text, x, wide})
		x += wide
	}
	return out
}

// linked is what the script draws over the picture: where panels and keys are in both
// arrangements, the samples' places in two bytes each, and how classes look.
func (s multiples) linked(f Figure, panels []*panel) map[string]any {
	at := func(across int) map[string]any {
		s, width, height := s.placed(across)
		if f.given {
			width, height = f.width, f.height
		}
		tiles, keys := [][2]float64{}, [][]any{}
		for _, list := range s.tiles {
			for _, t := range list {
				tiles = append(tiles, [2]float64{t.x + insideLeft, t.y + insideTop})
			}
		}
		for _, k := range s.keys(s.legend()) {
			if k.name != "" {
				keys = append(keys, []any{k.x - 6, height - keyAbove - 2, k.wide - 8, k.name})
			}
		}
		return map[string]any{"width": width, "height": height, "tiles": tiles, "keys": keys}
	}
	var looks []map[string]any
	known := map[*data.Data]int{}
	var of []int
	var points []string
	for _, p := range panels {
		k, found := known[p.data]
		if !found {
			k = len(looks)
			known[p.data] = k
			l := look.ClassesIn(p.ranks, p.data, p.n).Legend()
			looks = append(looks, map[string]any{"names": l.Names, "colors": l.Colors, "symbols": l.Symbols, "of": l.Of})
		}
		of = append(of, k)
		points = append(points, p.framed())
	}
	return map[string]any{"kind": "multiples", "side": insideSide, "wide": at(6), "narrow": at(3), "points": points, "look": of, "looks": looks, "extra": extras(panels)}
}

// framed writes where the samples are in the frame, from the upper left corner: two bytes
// each way, the low one first, 65,535 for one that is not drawn.
func (p *panel) framed() string {
	const whole, outside = math.MaxUint16 - 1, math.MaxUint16
	out := make([]byte, 0, 4*p.n)
	share := p.shares()
	for i := range p.n {
		x, y := uint16(outside), uint16(outside)
		if p.shows(i) {
			u, v := share(i)
			x, y = uint16(math.Round(whole*u)), uint16(math.Round(whole*(1-v)))
		}
		out = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(out, x), y)
	}
	return base64.StdEncoding.EncodeToString(out)
}
