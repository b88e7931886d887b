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
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/js"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// Group contains embeddings under a common heading, for [Multiples].
type Group struct {
	Title  string
	Models []Embedded
	// Notes are written below the model names. There may be fewer notes than models.
	Notes []string
}

// Multiples draws many small embeddings in groups, six in a row, or three on a narrow page. It
// draws the first two dimensions, with equal scales, in the colours of the classes. There are no
// axes, because units differ between methods. Outliers are omitted. The figure is a static picture.
//
// Multiples shares hover, selection and hidden classes with other figures of the same samples, for
// up to 200 embeddings and 100,000 samples in total. The notebook must be trusted or opened with
// the extension of install.sh. For interactive charts and other colours use [Embedding] and
// [Compare].
func Multiples(groups ...Group) Figure {
	s, err := newMultiples(groups)
	if err != nil {
		return failed("multiples", err)
	}
	return Figure{kind: "multiples", title: "Embeddings", drawing: s}
}

func newMultiples(groups []Group) (*multiples, error) {
	s := &multiples{}
	var text strings.Builder
	tiles := len(groups)
	for _, g := range groups {
		if tiles += len(g.Models); tiles > maxTiles {
			return nil, fmt.Errorf("viz: Multiples: there are at least %d models and headings, but at most %d are allowed; draw fewer", tiles, maxTiles)
		}
		g.Title, g.Notes = cut(g.Title), slices.Clone(g.Notes)
		s.groups = append(s.groups, g)
		var list []*panel
		var names []string
		for _, m := range g.Models {
			if err := drawable(m); err != nil {
				return nil, err
			}
			p := newCropped(m)
			if s.total += p.n; p.n > maxPoints || s.total > 10*maxTotal {
				return nil, fmt.Errorf("viz: Multiples: the panel of %s has %d samples, and all panels so far have %d, but at most %d are allowed in a panel and %d in all; draw a subset with Data.Subset", p.name, p.n, s.total, maxPoints, 10*maxTotal)
			}
			list, names = append(list, p), append(names, p.name)
		}
		if list == nil {
			return nil, fmt.Errorf("viz: Multiples: the group %q has no model; give it one or leave it out", g.Title)
		}
		s.panels = append(s.panels, list)
		if g.Title != "" {
			text.WriteString(g.Title + ": ")
		}
		text.WriteString(strings.Join(names, ", ") + "\n")
	}
	if s.panels == nil {
		return nil, errAbsent
	}
	all := s.all()
	shareRanks(all)
	s.text, s.notes = text.String(), present(manyClasses(all...), partOf(2, all...))
	return s.arranged(6), nil
}

// Limits, and lengths in pixels. These lengths do not depend on the size of the figure.
const (
	tileWidth     = 176
	tileHeight    = 208
	headingHeight = 26
	maxTiles      = 1000 // maximum number of models plus headings

	maxLinkedTiles = bounds.Tiles // maximum number of models in a figure that is linked to other figures
)

type multiples struct {
	plan
	groups  []Group
	panels  [][]*panel
	total   int       // number of samples in all panels
	columns int       // number of panels in a row
	heads   []point   // positions of the headings, one per group
	tiles   [][]point // positions of the panels, by group
}

// point is a position in pixels from the upper left corner.
type point struct{ x, y float64 }

func (s *multiples) all() []*panel { return slices.Concat(s.panels...) }

// narrow implements [narrower].
func (s *multiples) narrow() drawing { return s.arranged(3) }

// arranged returns a copy with the given number of panels in a row. A group begins in the same row
// as the previous group if the row has enough space for it.
func (s *multiples) arranged(columns int) *multiples {
	out := *s
	out.columns, out.heads, out.tiles = columns, nil, nil
	// Column and upper edge of the next tile. headed is true if the row contains a heading.
	column, top, headed := 0, 0, false
	next := func() { column, top, headed = 0, top+tileHeight, false }
	for g, list := range s.panels {
		// Number of columns that the heading covers.
		words := (7*len([]rune(s.groups[g].Title)) + tileWidth - 1) / tileWidth
		need := min(max(len(list), words), columns)
		if column > 0 && (column+need > columns || !headed) {
			next()
		}
		if !headed {
			top += headingHeight
			headed = true
		}
		out.heads = append(out.heads, point{float64(8 + column*tileWidth), float64(36 + top - headingHeight)})
		begin, tiles := column, make([]point, 0, len(list))
		for range list {
			if column == columns {
				next()
			}
			tiles = append(tiles, point{float64(8 + column*tileWidth), float64(36 + top)})
			column++
		}
		if headed { // a long heading keeps the space that it covers
			column = max(column, min(begin+words, columns))
		}
		out.tiles = append(out.tiles, tiles)
	}
	out.width, out.height = columns*tileWidth+16, 36+top+tileHeight+34
	return &out
}

// static implements [drawing].
func (s *multiples) static(on sheet) *canvas {
	c := newCanvas(on)
	drawn := *s
	drawn.panels = nil
	for _, list := range s.panels {
		drawn.panels = append(drawn.panels, on.inFile(list))
	}
	for g, list := range drawn.panels {
		c.write(s.heads[g].x+5, s.heads[g].y+4, 13, titleInk, plot.Left, s.groups[g].Title)
		for k, p := range list {
			note := ""
			if k < len(s.groups[g].Notes) {
				note = cut(s.groups[g].Notes[k])
			}
			p.small(c, s.tiles[g][k].x, s.tiles[g][k].y, note)
		}
	}
	all := drawn.legend()
	for k, key := range s.keys(all) {
		x, y := key.x, float64(on.height)-keyAbove
		if key.name != "" {
			c.dc.DrawGlyph(all.keys[k].(plot.Scatter).Glyph, c.point(x, y+7))
			x += 9
		}
		c.write(x, y, 12, titleInk, plot.Left, key.text)
	}
	return c
}

// write draws text of the given size in pixels. The upper edge of the text is at y.
func (c *canvas) write(x, y, size float64, shade color.Color, align plot.XAlign, text string) {
	c.dc.FillText(texts(size, shade, align, plot.Below), c.point(x, y), text)
}

// The square frame around the samples of a tile, in pixels: the distances of its left and upper
// edges from those of the tile, and the length of its sides.
const (
	insideLeft = 5
	insideTop  = tileHeight - tileWidth
	insideSide = tileWidth - 10
)

// keyAbove is the distance in pixels from the bottom of the figure to the upper edge of the legend.
const keyAbove = 28

// small draws a panel in a tile at (x, y): its name, its note, and the samples in a frame.
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
			continue // an outlier
		}
		shade := p.tone(p.classIndex[i])
		shade.A = 0xb0
		c.dc.DrawGlyph(plot.Glyph{Color: shade, Radius: 1.6, Shape: staticGlyphs[p.symbol(p.classIndex[i])]}, at(i))
	}
}

// shares returns a function that computes the position of a sample in its frame. u runs from 0 at
// the left edge to 1 at the right edge, and v from 0 at the lower edge to 1 at the upper edge.
func (p *panel) shares() func(i int) (u, v float64) {
	lo, hi := p.bounds(insideSide, insideSide)
	return func(i int) (u, v float64) {
		return (p.at(i, 0) - lo[0]) / (hi[0] - lo[0]), (p.at(i, 1) - lo[1]) / (hi[1] - lo[1])
	}
}

func (s *multiples) legend() legend {
	var all legend
	all.classes(s.all()...)
	return all
}

// legendKey is a legend entry: the name of its class, the text that is drawn, the position x and
// the width in pixels. The last entry has no name if it counts the entries that do not fit.
type legendKey struct {
	name, text string
	x, wide    float64
}

// keys returns the legend entries that fit into one row. If some do not fit, the last entry counts
// them.
func (s *multiples) keys(all legend) []legendKey {
	x := 14.0
	var out []legendKey
	texts := upTo(15, all.names)
	for k, name := range all.names {
		text := texts[k]
		wide := 26 + 7*float64(len([]rune(text)))
		if left := len(all.names) - k; x+wide > float64(s.columns*tileWidth-80) && left > 1 {
			return append(out, legendKey{text: andMore(left), x: x})
		}
		out = append(out, legendKey{name, text, x, wide})
		x += wide
	}
	return out
}

// links implements [linker].
func (s *multiples) links(on sheet) (any, string) {
	all := s.all()
	if len(all) > maxLinkedTiles || s.total > maxPoints {
		return nil, ""
	}
	out := &chart.Multiples{Kind: "multiples", Side: insideSide, Wide: s.tilesOf(on, 6), Narrow: s.tilesOf(on, 3), Extra: samplesOf(all)}
	known := map[*data.Data]int{}
	for _, p := range all {
		k, found := known[p.data]
		if !found {
			k = len(out.Looks)
			known[p.data] = k
			l := look.ClassesIn(p.ranks, p.data, p.n).Legend()
			out.Looks = append(out.Looks, chart.TileLook{Names: l.Names, Colors: l.Colors, Symbols: l.Symbols, Of: l.Of})
		}
		out.Look = append(out.Look, k)
		out.Points = append(out.Points, p.framed())
	}
	return out, js.Multiples
}

// tilesOf returns the positions of frames and legend entries. across is the number of panels in a
// row.
func (s *multiples) tilesOf(on sheet, across int) chart.Tiles {
	t := s.arranged(across)
	out := chart.Tiles{Width: t.width, Height: t.height, Tiles: [][2]float64{}, Keys: []chart.TileKey{}}
	if on.width != s.width || on.height != s.height { // Size has set the size
		out.Width, out.Height = on.width, on.height
	}
	for _, list := range t.tiles {
		for _, tile := range list {
			out.Tiles = append(out.Tiles, [2]float64{tile.x + insideLeft, tile.y + insideTop})
		}
	}
	for _, k := range t.keys(t.legend()) {
		if k.name != "" {
			out.Keys = append(out.Keys, chart.TileKey{X: k.x - 6, Y: float64(out.Height - keyAbove - 2), Width: k.wide - 8, Name: k.name})
		}
	}
	return out
}

// framed returns the positions of the samples in the frame, measured from its upper left corner and
// encoded as in Points of [chart.Multiples].
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
