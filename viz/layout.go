package viz

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// box is a rectangle of the page in pixels, from its top left corner.
type box struct{ x, y, w, h float64 }

// tiling divides count panels into rows of at most most, as evenly as possible.
func tiling(count, most int) (across, down int) {
	down = (count + most - 1) / most
	return (count + down - 1) / down, down
}

// layout says how the panels of a figure share its width, in pixels. The script places
// them anew in every width that the page gives, by the rules of place.
type layout struct {
	Count  int     `json:"count"`
	Most   int     `json:"most"`   // panels in a row at most
	Least  float64 `json:"least"`  // a row takes fewer panels before they are narrower
	High   float64 `json:"high"`   // height of a panel at most
	Head   float64 `json:"head"`   // above all panels: the title
	Above  float64 `json:"above"`  // above each row: captions
	Below  float64 `json:"below"`  // below each row: labels of the axis
	Left   float64 `json:"left"`   // left of all panels
	Gap    float64 `json:"gap"`    // between two columns
	Right  float64 `json:"right"`  // right of all panels, before the legend
	Legend float64 `json:"legend"` // width of the legend
	Foot   float64 `json:"foot"`   // below all rows: sizes and opacities
	// Ratio is the height over the width of each panel. Where Kept is false, it only
	// bounds the height of a row, and panels fill their place.
	Ratio []float64 `json:"ratio"`
	Kept  bool      `json:"kept"`
	// Spans are the ranges of panels with equal scales, from the lowest to the highest
	// x and y; the script widens one of the two.
	Spans [][]float64 `json:"spans,omitempty"`
}

// Heights in pixels of a figure's title, and of the captions of a row.
const (
	titleHeight   = 34
	captionHeight = 24
)

// captioned is the space above a row of panels: for their captions if there are any.
func captioned(captions ...string) float64 {
	if strings.Join(captions, "") == "" {
		return 4
	}
	return captionHeight
}

// place returns the panels' places in a figure of this width, and the figure's height.
// A height other than 0 is given, and the panels fill it.
func (l layout) place(width, height float64) ([]box, float64) {
	inner := width - l.Left - l.Right - l.Legend + l.Gap
	across := max(min(int(inner/(l.Least+l.Gap)), l.Most, l.Count), 1)
	across, down := tiling(l.Count, across)
	w := max(inner/float64(across)-l.Gap, 20)
	h := min(w*slices.Max(l.Ratio), l.High)
	if height > 0 {
		h = (height-l.Head-l.Foot)/float64(down) - l.Above - l.Below
	}
	h = max(h, 20)
	row := l.Above + h + l.Below
	out := make([]box, l.Count)
	for k := range out {
		b := box{l.Left + float64(k%across)*(w+l.Gap), l.Head + float64(k/across)*row + l.Above, w, h}
		if l.Kept {
			b.w = min(w, h/l.Ratio[k])
			b.h = b.w * l.Ratio[k]
			b.x += (w - b.w) / 2
		}
		out[k] = b
	}
	return out, l.Head + float64(down)*row + l.Foot
}

// sized returns the figure with this layout, and with the size that the layout has in a
// width.
func (f Figure) sized(l layout, width int) Figure {
	_, height := l.place(float64(width), 0)
	f.layout, f.width, f.height = &l, width, int(math.Ceil(height))
	return f
}

// boxes are the panels' places in the static picture.
func (f Figure) boxes() []box {
	out, _ := f.layout.place(float64(f.width), float64(f.height))
	return out
}

// caption is a line of text that the script centres above a panel.
func caption(panel int, text string) map[string]any {
	return map[string]any{"panel": panel, "text": text, "textStyle": map[string]any{"fontSize": 12, "fontWeight": "normal"}}
}

// ink is replaced by the script with black in a light and white in a dark theme.
const ink = "@ink"

// page is replaced by the colour of the page.
const page = "@page"

// faint is replaced by a grey close to the colour of the page.
const faint = "@faint"

// flat is the option that 2-D figures start from: title, captions of the panels
// (empty ones are left out), tooltips of items, series.
func flat(f Figure, captions []string, series []any) map[string]any {
	option := f.chart()
	option["title"], option["series"] = f.titles(option, captions), series
	option["legend"], option["animation"] = map[string]any{"show": false}, false
	return option
}

// titles are the option's title and the captions of the panels; empty ones are left out.
func (f Figure) titles(option map[string]any, captions []string) []any {
	out := []any{option["title"]}
	for k, text := range captions {
		if text != "" {
			out = append(out, caption(k, text))
		}
	}
	return out
}

// valueAxis is an axis of numbers with its name, from lo to hi.
func valueAxis(grid int, name string, lo, hi float64, nameGap int) map[string]any {
	// Without a number of steps ECharts divides by 3 too, and so misses the ends.
	steps := 5
	if span := hi - lo; span > 0 && !math.IsInf(span, 0) {
		steps = min(max(int(math.Round(span/niceStep(span))), 2), 8)
	}
	return shifted(map[string]any{"gridIndex": grid, "type": "value", "name": name, "nameLocation": "middle", "nameGap": nameGap,
		"min": round(lo, hi-lo), "max": round(hi, hi-lo), "splitNumber": steps,
		"axisLine": axisEdge(), "axisTick": map[string]any{"show": true, "length": 4}, "axisLabel": map[string]any{"hideOverlap": true},
		"splitLine": map[string]any{"lineStyle": map[string]any{"opacity": 0.5}}}, lo, hi)
}

// inside is the share of an axis that lies beyond the outermost points of curves, so that
// none is on the frame. The ends of such an axis have no number.
const inside = 0.03

// widened widens [lo, hi] of a logarithmic axis by the share inside to both sides, as far as
// numbers go.
func widened(lo, hi float64) (float64, float64) {
	a, b := padded(math.Log10(lo), math.Log10(hi), inside)
	return math.Pow(10, max(a, -307)), math.Pow(10, min(b, 308))
}

// endless is how an axis writes numbers that does so at no end.
func endless() map[string]any {
	return map[string]any{"showMinLabel": false, "showMaxLabel": false, "hideOverlap": true}
}

// axisEdge is the line of an axis: at the edge of the panel, wherever zero is.
func axisEdge() map[string]any { return map[string]any{"show": true, "onZero": false} }

// shifted completes a chart's axis of numbers from lo to hi. ECharts writes numbers in
// full; if that is long, the script writes them with an exponent and relative to an
// offset, which the axis's name states.
func shifted(axis map[string]any, lo, hi float64) map[string]any {
	from := offset(lo, hi)
	if from != 0 || hi-lo < 1e-4 || hi-lo > 1e6 {
		axis["from"], axis["span"] = from, hi-lo
	}
	axis["name"] = relative(axis["name"].(string), from)
	return axis
}

// offset is the number to which the labels of an axis from lo to hi are relative: 0
// unless labels would have more than three digits in common.
func offset(lo, hi float64) float64 {
	unit := math.Pow(10, math.Ceil(math.Log10(hi-lo)))
	if unit == 0 || !(max(math.Abs(lo), math.Abs(hi)) >= 1000*unit) {
		return 0
	}
	return math.Round(lo/unit) * unit
}

// relative is the name of an axis whose labels are relative to an offset.
func relative(name string, from float64) string {
	if from == 0 {
		return name
	}
	return strings.TrimSpace(fmt.Sprintf("%s (offset %.15g)", name, from))
}

// numbers makes an axis of a static plot one of numbers from lo to hi.
func numbers(a *plot.Axis, name string, lo, hi float64, ticks valueTicks) {
	a.Name, a.Min, a.Max, a.Ticks = relative(name, offset(lo, hi)), lo, hi, ticks
}

// cut shortens a name.
func cut(name string) string { return look.Name(name) }

// dimensions writes a number of dimensions.
func dimensions(d int) string { return counted(d, "dimension") }

// counted writes a number of things.
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// maxNumber bounds the numbers of a figure: differences and sums of larger ones can
// overflow.
const maxNumber = 1e300

// moderate returns an error if one of the values cannot be drawn.
func moderate(what string, values ...float64) error {
	for _, v := range values {
		if !(math.Abs(v) <= maxNumber) {
			return fmt.Errorf("viz: %s has the number %v; give finite numbers up to %g, and rescale larger ones", what, v, maxNumber)
		}
	}
	return nil
}

// maxPanels bounds the panels of a figure.
const maxPanels = bounds.Panels

// crowded returns an error for more panels than most.
func crowded(panels, most int) error {
	if panels > most {
		return fmt.Errorf("viz: %d panels are more than the %d that a figure holds; draw fewer", panels, most)
	}
	return nil
}

// zoom lets wheel and drag zoom into each panel. No points are dropped, so that lines
// continue to the panel's border.
func zoom(panels int) []any {
	all := make([]int, panels)
	for k := range all {
		all[k] = k
	}
	return []any{map[string]any{"type": "inside", "xAxisIndex": all, "filterMode": "none"},
		map[string]any{"type": "inside", "yAxisIndex": all, "filterMode": "none"}}
}

// methodLegend lists the series' names in a column of the given width at the
// right.
func methodLegend(width int) map[string]any {
	return map[string]any{"type": "scroll", "orient": "vertical", "right": 4, "top": "middle", "align": "left", "itemWidth": 30, "itemGap": 6,
		"textStyle": map[string]any{"width": width - 56, "overflow": "truncate"}, "tooltip": map[string]any{"show": true}}
}

// legendWidth is the width in pixels of a column that holds these names.
func legendWidth(names []string) int {
	longest := 0.0
	style := texts(12, titleInk, plot.Left, plot.Halfway)
	for _, n := range names {
		longest = max(longest, 8*float64(utf8.RuneCountInString(n)), wide(style, n))
	}
	return int(min(max(70+longest, 100), 260))
}

// shorter cuts names that stand side by side to what is no wider than width in pixels.
// Different names stay different, see [look.Shorten].
func shorter(names []string, style plot.Text, width float64) []string {
	return look.Shorten(names, func(s string) bool { return wide(style, s) <= width })
}

// inColumn cuts names to what fits the legend in a column of the given width.
func inColumn(names []string, width float64) []string {
	return shorter(names, texts(12, titleInk, plot.Left, plot.Halfway), max(width-46, 20))
}

// abridged are the names that a chart's legend cuts to a width in pixels, each with its cut.
// ECharts would cut them at the end, where names that begin alike become the same.
func abridged(names []string, width int) [][2]string {
	var out [][2]string
	for k, text := range shorter(names, texts(12, titleInk, plot.Left, plot.Halfway), 0.95*float64(width)) {
		if text != names[k] && !slices.Contains(out, [2]string{names[k], text}) {
			out = append(out, [2]string{names[k], text})
		}
	}
	return out
}

// upTo cuts names that stand side by side to so many characters.
func upTo(characters int, names []string) []string {
	return look.Shorten(names, func(s string) bool { return len(s) <= characters || utf8.RuneCountInString(s) <= characters })
}

// short cuts a name to so many characters.
func short(name string, characters int) string { return upTo(characters, []string{name})[0] }

// legend is the entries of a static legend.
type legend struct {
	names []string
	keys  []plot.Key
}

func (l *legend) add(name string, key plot.Key) {
	l.names, l.keys = append(l.names, name), append(l.keys, key)
}

// andMore stands for the entries of a static legend that do not fit.
func andMore(count int) string { return fmt.Sprintf("… and %d more", count) }

// column draws a legend into the column at the right of the panels, in the middle of its
// height unless it is to be high. Entries that do not fit are left out, and a last entry says so.
func (c *canvas) column(entries legend) {
	style := texts(12, titleInk, plot.Left, plot.Halfway)
	line := pixels(16)
	left, top, bottom := c.at(c.right+8, 0).X, c.at(0, titleHeight).Y, c.dc.Min.Y+pixels(c.foot)
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

// narrowest is the width in pixels of a figure from which on its legend is beside the panels;
// below that the script has it below them.
const narrowest = 560

// keyHeight is the height in pixels of a row of a legend.
const keyHeight = 18

// keyWidth is the width in pixels of an entry of a legend in a row.
func keyWidth(name string) float64 {
	return 26 + 4 + 14 + wide(texts(12, titleInk, plot.Left, plot.Halfway), name)
}

// rowsOf divides the entries of a legend into rows of a width, and cuts longer ones.
func rowsOf(names []string, width float64) [][]string {
	var out [][]string
	names = shorter(names, texts(12, titleInk, plot.Left, plot.Halfway), width-60)
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

// rows draws a legend into rows from y on, each in the middle of the figure's width.
func (c *canvas) rows(entries legend, width, y float64) {
	style, k := texts(12, titleInk, plot.Left, plot.Halfway), 0
	for _, row := range rowsOf(entries.names, width) {
		x := width + 14
		for _, name := range row {
			x -= keyWidth(name)
		}
		x /= 2
		for _, name := range row {
			entries.keys[k].Thumbnail(plot.Area{Canvas: c.dc.Canvas, Rectangle: c.rectangle(box{x, y + 3, 26, 12})})
			c.dc.FillText(style, c.at(x+30, y+9), name)
			x += keyWidth(name)
			k++
		}
		y += keyHeight
	}
}

// extent widens [lo, hi] to whole steps of a readable size; a share stays within
// [0, 1].
func extent(lo, hi float64) (float64, float64) {
	if same(lo, hi) {
		pad := max(math.Abs(lo)*0.05, 1e-3)
		return lo - pad, hi + pad
	}
	step := niceStep(hi - lo)
	a, b := math.Floor(lo/step)*step, math.Ceil(hi/step)*step
	if lo >= 0 && hi <= 1 {
		a, b = max(a, 0), min(b, 1)
	}
	return a, b
}

// same reports whether lo and hi differ by no more than rounding, or by less than an
// axis can show.
func same(lo, hi float64) bool {
	return !(hi-lo > 4e-15*max(math.Abs(lo), math.Abs(hi))) || hi-lo < 1e-290
}

// padded widens [lo, hi] by a share of its length to both sides. If the two are the
// same, they are in the middle of the result.
func padded(lo, hi, share float64) (float64, float64) {
	margin := share * (hi - lo)
	if same(lo, hi) {
		margin = max(1, 1e-6*math.Abs(lo))
	}
	return lo - margin, hi + margin
}

// valueTicks labels round numbers, so that the static picture has the chart's grid. If
// the labels do not fit side by side, only every second or third tick has one; if that
// leaves a single label, the first and the last tick have one.
type valueTicks struct {
	whole  bool
	length float64 // of a horizontal axis; 0 is unlimited
}

func (t valueTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return nil // an empty or infinite range
	}
	step, from := niceStep(hi-lo), offset(lo, hi)
	if t.whole {
		step = max(math.Ceil(step), 1)
	}
	// Ticks are counted from the first: adding a step to a much larger number would not
	// change it.
	first := math.Ceil((lo-from)/step - 1e-9)
	count := int((hi-from)/step+1e-9-first) + 1
	var out []plot.Tick
	for k := range min(max(count, 0), 50) {
		at := (first + float64(k)) * step
		out = append(out, plot.Tick{Value: min(max(from+at, lo), hi), Label: fmt.Sprintf("%.6g", round(at, step))})
	}
	if t.length > 0 {
		style := newAxis("").TickText
		widest := float64(0)
		for _, tick := range out {
			widest = max(widest, style.Width(tick.Label)+style.Size/2)
		}
		apart := float64(t.length) * step / (hi - lo)
		every := math.Ceil(float64(widest) / apart)
		named := func(i int) bool { return math.Mod(first+float64(i), every) == 0 }
		last, count := len(out)-1, 0
		for i := range out {
			if named(i) {
				count++
			}
		}
		if count < 2 && float64(last)*apart >= float64(widest) {
			named = func(i int) bool { return i == 0 || i == last }
		}
		for i := range out {
			if !named(i) {
				out[i].Label = ""
			}
		}
	}
	return out
}

// factorTicks labels the powers of ten of a logarithmic axis.
type factorTicks struct{}

func (factorTicks) Ticks(lo, hi float64) []plot.Tick {
	var out []plot.Tick
	first, last := math.Floor(math.Log10(lo)), math.Ceil(math.Log10(hi))
	every := max(int(last-first+5)/6, 1) // more than seven labels would overlap
	for e := first; e <= last; e++ {
		for m := 1.0; m < 10; m++ {
			t := plot.Tick{Value: m * math.Pow(10, e)}
			if m == 1 && int(e-first)%every == 0 {
				t.Label = fmt.Sprintf("%g", t.Value)
			}
			if t.Value >= lo*(1-1e-9) && t.Value <= hi*(1+1e-9) {
				out = append(out, t)
			}
		}
	}
	return out
}

// staticGlyphs are the symbols of static points, in the order of symbols.
var staticGlyphs = []plot.Shape{plot.Circle, plot.Triangle, plot.Box, plot.Diamond}

// present returns the texts that there are, without empty ones.
func present(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// lines joins the parts of a figure's text form.
func lines(parts []string) string { return strings.Join(parts, "\n") + "\n" }
