package viz

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// cut shortens a name to the maximum length in figures.
func cut(name string) string { return look.Name(name) }

func legendText() plot.Text { return texts(12, titleInk, plot.Left, plot.Halfway) }

// wide returns the width in pixels of a text in the given style.
func wide(style plot.Text, text string) float64 { return style.Width(text) / plot.Inch * dpi }

// legendWidth returns the width in pixels of a legend column for the given names.
func legendWidth(names []string) int {
	longest := 0.0
	style := legendText()
	for _, n := range names {
		longest = max(longest, 8*float64(utf8.RuneCountInString(n)), wide(style, n))
	}
	return int(min(max(70+longest, 100), 260))
}

// shorter cuts names to a width in pixels in the given text style. Different names remain
// different, see [look.Shorten].
func shorter(names []string, style plot.Text, width float64) []string {
	return look.Shorten(names, func(s string) bool { return wide(style, s) <= width })
}

// inColumn cuts names to the space beside the symbols of a legend with the given width in pixels.
func inColumn(names []string, width float64) []string {
	return shorter(names, legendText(), max(width-46, 20))
}

// abridged returns the names that are wider than width in pixels, each paired with an abbreviation.
// ECharts would cut names only at the end, so names with the same beginning could become identical.
func abridged(names []string, width int) chart.Short {
	var out chart.Short
	for k, text := range shorter(names, legendText(), 0.95*float64(width)) {
		if text != names[k] && !slices.Contains(out, [2]string{names[k], text}) {
			out = append(out, [2]string{names[k], text})
		}
	}
	return out
}

// upTo cuts names to a number of characters. Different names remain different.
func upTo(characters int, names []string) []string {
	return look.Shorten(names, func(s string) bool { return len(s) <= characters || utf8.RuneCountInString(s) <= characters })
}

// short cuts a name to a number of characters.
func short(name string, characters int) string { return upTo(characters, []string{name})[0] }

type legend struct {
	names []string
	keys  []plot.Key
}

func (l *legend) add(name string, key plot.Key) {
	l.names, l.keys = append(l.names, name), append(l.keys, key)
}

// andMore returns the last entry of a static legend, which counts the entries that do not fit.
func andMore(count int) string { return fmt.Sprintf("… and %d more", count) }

// column draws a legend in the column to the right of the panels. The legend is centred vertically
// unless c.high is set. If some entries do not fit, the last line shows their number.
func (c *canvas) column(entries legend) {
	style := legendText()
	line := pixels(16)
	left, top, bottom := c.point(c.right+8, 0).X, c.point(0, titleHeight).Y, c.dc.Min.Y+pixels(c.foot)
	shown := len(entries.names)
	if most := int((top - bottom) / line); shown > most {
		shown = max(most-1, 0)
	}
	if spare := top - bottom - line*float64(shown+1); spare > 0 && !c.high {
		top -= spare / 2
	}
	names := inColumn(entries.names, float64(c.dc.Size().X/plot.Inch*dpi)-c.right)
	key := plot.Area{Canvas: c.dc.Canvas, Rectangle: plot.Rectangle{Min: plot.Point{X: left, Y: top - line + pixels(4)}, Max: plot.Point{X: left + pixels(26), Y: top}}}
	beside := func() plot.Point { return plot.Point{X: key.Max.X + pixels(4), Y: key.Center().Y} }
	for k, name := range names[:shown] {
		entries.keys[k].Thumbnail(key)
		c.dc.FillText(style, beside(), name)
		key.Rectangle = key.Rectangle.Add(plot.Point{Y: -line})
	}
	if shown < len(entries.names) {
		c.dc.FillText(style, plot.Point{X: key.Min.X + pixels(4), Y: key.Center().Y}, andMore(len(names)-shown))
	}
}

// narrowest is the minimum width in pixels of a figure with the legend beside the panels. In
// narrower figures, the page puts the legend below the panels.
const narrowest = 560

// keyHeight is the height in pixels of a legend row.
const keyHeight = 18

// keyWidth returns the width in pixels of an entry in a legend that is arranged in rows.
func keyWidth(name string) float64 { return 26 + 4 + 14 + wide(legendText(), name) }

// rowsOf divides legend entries into rows of the given width in pixels. Entries longer than a row
// are cut.
func rowsOf(names []string, width float64) [][]string {
	var out [][]string
	names = shorter(names, legendText(), width-60)
	x := width
	for _, name := range names {
		if x += keyWidth(name); x > width-8 {
			out = append(out, nil)
			x = 8 + keyWidth(name)
		}
		out[len(out)-1] = append(out[len(out)-1], name)
	}
	return out
}

// rows draws a legend in centred rows. The first row begins y pixels below the top of the figure.
func (c *canvas) rows(entries legend, width, y float64) {
	style, k := legendText(), 0
	for _, row := range rowsOf(entries.names, width) {
		x := width + 14
		for _, name := range row {
			x -= keyWidth(name)
		}
		x /= 2
		for _, name := range row {
			entries.keys[k].Thumbnail(plot.Area{Canvas: c.dc.Canvas, Rectangle: c.rectangle(box{x, y + 3, 26, 12})})
			c.dc.FillText(style, c.point(x+30, y+9), name)
			x += keyWidth(name)
			k++
		}
		y += keyHeight
	}
}
