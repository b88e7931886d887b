package viz

import (
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Classes is how the samples of a model are coloured, for pictures that are drawn
// elsewhere, such as live widgets.
type Classes struct {
	// Names, Colors (CSS) and Symbols (circle, triangle, rect, diamond) have one
	// entry per class that occurs; the classes beyond the first 200 share some.
	Names, Colors, Symbols []string
	// Of is each sample's position in Names; Labelled says whether a method sees its
	// label.
	Of       []int
	Labelled []bool
}

// ClassesOf returns the classes of m as [Embedding] shows them.
func ClassesOf(m Embedded) Classes {
	p := newPanel(m)
	c := Classes{Of: make([]int, p.n), Labelled: p.labelled}
	for k, g := range p.groups {
		c.Names, c.Colors, c.Symbols = append(c.Names, g.name), append(c.Colors, css(p.tone(g.class))), append(c.Symbols, p.symbol(g.class))
		for _, i := range slices.Concat(g.rows[:]...) {
			c.Of[i] = k
		}
	}
	return c
}

// ClassColor returns the CSS colour of the k-th class, k ≥ 0.
func ClassColor(k int) string { return css(classColor(k)) }

// Name cuts a name to the 200 characters that figures show.
func Name(s string) string { return cut(s) }

// RampColor returns the CSS colour of t in [0, 1] on the scale of heat maps.
func RampColor(t float64) string { return css(ramp(t)) }

// PackedThumbnails packs the samples' pictures, at most 16×16 pixels of 4 bits: keys w,
// h, count and data (base64, two pixels per byte, samples one after another). It
// returns nil if the rows are not pictures or are more than 5,000.
func PackedThumbnails(d *data.Data) map[string]any { return thumbnails(d) }
