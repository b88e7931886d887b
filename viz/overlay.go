package viz

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// An overlay is drawn below or above the points of an embedding in two dimensions.

// Labels returns a copy with the name of each class, or of each category of [Figure.Color], at its
// densest place. If names overlap, only the name of the larger class is drawn. Labels requires two
// dimensions.
func (f Figure) Labels() Figure {
	return f.restyled("Labels", func(s *style) { s.labels = true })
}

// Thumbnails returns a copy that draws samples as images, with a frame in the colour of the sample.
// It draws as many images as possible without overlap, and more after zooming in. The other samples
// remain points. The data must be images, at most 5,000 of them. Thumbnails requires two
// dimensions.
func (f Figure) Thumbnails() Figure {
	return f.restyled("Thumbnails", func(s *style) { s.thumbnails = true })
}

// Density returns a copy with the density of the samples in grey below the points. It requires two
// dimensions.
func (f Figure) Density() Figure {
	return f.restyled("Density", func(s *style) { s.density = true })
}

// overlaid returns an error if the overlays of the style cannot be drawn.
func (p *panel) overlaid() error {
	s := p.style
	for _, one := range []struct {
		method string
		wanted bool
	}{{"Labels", s.labels}, {"Named", s.named != nil}, {"Thumbnails", s.thumbnails}, {"Density", s.density}, {"Arrows", s.arrows != nil}} {
		if one.wanted && p.d < 2 {
			return errOneDimension(one.method, p)
		}
	}
	if s.named != nil {
		names, err := ssdrnb.Names(p.data, s.named)
		if err != nil {
			return fmt.Errorf("viz: Named: %w", err)
		}
		if p.clusters, err = clustersOf(s.named, names, p.data); err != nil {
			return err
		}
	}
	switch {
	case !s.thumbnails:
	case p.data.Len() > look.MaxThumbnails:
		return fmt.Errorf("viz: Thumbnails: %s has %d samples, but at most %d can have thumbnails; select fewer samples with Data.Subset", p.name, p.data.Len(), look.MaxThumbnails)
	case p.data.Len() != p.n || p.data.X == nil || p.data.Image.IsZero():
		return fmt.Errorf("viz: Thumbnails: the samples of %s are not images; describe the layout of images with Data.WithImage", p.name)
	case look.Thumbnails(p.data) == nil:
		if im := p.data.Image; im.Height < 1 || im.Width < 1 || im.Height > p.data.Dim() || im.Height*im.Width != p.data.Dim() {
			return fmt.Errorf("viz: Thumbnails: %s has %s, which are not images of %d × %d pixels; describe the layout of images with Data.WithImage", p.name, nouns.Count(p.data.Dim(), "feature"), im.Width, im.Height)
		}
		return fmt.Errorf("viz: Thumbnails: the pixels of %s range from %v to %v, which cannot be shown on a grey scale; draw the figure without Thumbnails", p.name, mat.Min(p.data.X), mat.Max(p.data.X))
	}
	return nil
}

// errOneDimension is the error for a part of a figure that requires two dimensions. Some methods
// return one dimension if two are requested, for example LDA for two classes.
func errOneDimension(method string, p *panel) error {
	return fmt.Errorf("viz: %s: the embedding of %s has one dimension; fit with Dims(2), or with a method that allows two dimensions", method, p.name)
}

// underlays returns the series below the points of panel k.
func (p *panel) underlays(k int) []chart.Series {
	if !p.style.density || p.painted() {
		return nil
	}
	picture, at := p.cloud([2]int{hazeReach, hazeReach}) // the chart clips the picture to its axes
	return []chart.Series{pictureSeries(k, [2]float64{at.Min.X, at.Max.X}, [2]float64{at.Min.Y, at.Max.Y}, picture)}
}

// overlays returns the series above the points of panel k.
func (p *panel) overlays(k int) []chart.Series {
	var out []chart.Series
	scale := [2]float64{p.hi[0] - p.lo[0], p.hi[1] - p.lo[1]}
	if p.style.thumbnails {
		out = append(out, p.thumbnails(k, scale))
	}
	var points []chart.NamedPoint
	if p.style.labels || p.style.named != nil {
		for _, l := range p.labels() {
			points = append(points, chart.NamedPoint{Name: l.name, Value: [2]float64{round(l.x, scale[0]), round(l.y, scale[1])}, SymbolSize: 2 + 10*l.share, Text: l.given, Legend: l.entry})
		}
	}
	out = append(out, namesSeries(k, labelSize, "bold", points)...)
	out, points = append(out, p.arrowSeries(k)...), nil
	for i, a := range p.arrows() {
		side := "right"
		if a.to[0] < a.from[0] {
			side = "left"
		}
		points = append(points, chart.NamedPoint{Name: a.name, Value: [2]float64{round(a.to[0], scale[0]), round(a.to[1], scale[1])}, SymbolSize: 2 + 4/float64(i+1), Label: &chart.Beside{Position: side}})
	}
	return append(out, namesSeries(k, 12, "normal", points)...)
}

// thumbnails returns the series of samples drawn as images. Coordinates are rounded relative to the
// scale of each dimension.
func (p *panel) thumbnails(k int, scale [2]float64) *chart.Thumbnails {
	names, tones := make([]string, len(p.groups)), make([]string, len(p.groups))
	points := [][4]float64{}
	for g, one := range p.groups {
		names[g], tones[g] = one.name, css(one.tone)
		for _, i := range slices.Concat(one.rows[0], one.rows[1]) {
			if p.shows(i) && !one.faded {
				if one.scaled {
					tones[g] = ink
				}
				points = append(points, [4]float64{round(p.at(i, 0), scale[0]), round(p.at(i, 1), scale[1]), float64(g), float64(i)})
			}
		}
	}
	slices.SortFunc(points, func(a, b [4]float64) int { return int(a[3] - b[3]) })
	return &chart.Thumbnails{Type: "custom", Draw: "thumbnails", Panel: k, Names: names, Tones: tones, Side: thumbnailSide, XAxisIndex: k, YAxisIndex: k,
		Data: points, Encode: opts.Encode{X: 0, Y: 1}, Clip: true, Silent: true, Z: 5}
}

// namesSeries returns labels in panel k, or nil if there are no points.
func namesSeries(k, size int, weight string, points []chart.NamedPoint) []chart.Series {
	if points == nil {
		return nil
	}
	return []chart.Series{&chart.Names{Type: "scatter", XAxisIndex: k, YAxisIndex: k, Data: points, Silent: true, Z: 6,
		ItemStyle: &opts.ItemStyle{Opacity: opts.Float(0), Color: ink}, LabelLayout: chart.HideOverlap{HideOverlap: true},
		Label: chart.PointLabel{Show: true, Opacity: 1, Position: "inside", FontSize: size, FontWeight: weight, Color: ink, TextBorderColor: page, TextBorderWidth: 3}}}
}

// Sizes in pixels: the longer side of a thumbnail, and the height of a label's text.
const (
	thumbnailSide = 28
	labelSize     = 15
)

// mapLabel is a class name on the embedding.
type mapLabel struct {
	name  string
	given string  // name of a cluster before readers changed it; "" for a class
	entry *string // legend entry of all samples of the class or cluster; nil if they have several
	x, y  float64
	share float64 // square root of the number of samples, relative to the largest class
}

// part contains the samples that share a name on the embedding.
type part struct {
	name  string
	rows  []int
	given string // name of a cluster before readers changed it; "" for a class or category
}

// labels returns the names of the largest classes or clusters, at most maxClasses, in descending
// order of size.
func (p *panel) labels() []mapLabel {
	var parts []part
	longest := 24
	if p.style.named != nil {
		parts, longest = p.visible(p.clusters), 40
	} else if p.scaled() {
		parts = make([]part, len(p.classes))
		for _, i := range p.rows {
			parts[p.classIndex[i]].rows = append(parts[p.classIndex[i]].rows, i)
		}
		for c := range parts {
			if parts[c].name = p.names[c]; p.classes[c] < 0 {
				parts[c].rows = nil
			}
		}
	} else {
		for _, g := range p.groups {
			if g.tone != look.NoClass {
				parts = append(parts, part{name: g.name, rows: slices.Concat(g.rows[0], g.rows[1])})
			}
		}
	}
	parts = slices.DeleteFunc(parts, func(a part) bool { return len(a.rows) == 0 })
	slices.SortStableFunc(parts, func(a, b part) int { return len(b.rows) - len(a.rows) })
	var out []mapLabel
	parts = parts[:min(len(parts), maxClasses)]
	names := upTo(longest, mapped(parts, func(a part) string { return a.name }))
	for k, a := range parts {
		i := p.densest(a.rows)
		out = append(out, mapLabel{names[k], cut(a.given), p.entryOf(a.rows), p.at(i, 0), p.at(i, 1), math.Sqrt(float64(len(a.rows)) / float64(len(parts[0].rows)))})
	}
	return out
}

// entryOf returns the legend entry that the given samples share. It returns nil if they have
// several entries or the figure has no legend.
func (p *panel) entryOf(rows []int) *string {
	if p.scaled() {
		return nil
	}
	in := map[int]bool{}
	for _, i := range rows {
		in[i] = true
	}
	var entry *string
	for _, g := range p.groups {
		if slices.ContainsFunc(slices.Concat(g.rows[0], g.rows[1]), func(i int) bool { return in[i] }) {
			if entry != nil {
				return nil
			}
			entry = new(g.name)
		}
	}
	return entry
}

// densest returns the given sample that is nearest to the densest place of all given samples. A
// grid divides the panel into cells, and the densest place is the mean of the samples in the block
// of 3×3 cells with the most samples.
func (p *panel) densest(rows []int) int {
	const cells = 24
	cell := func(i int) (c [2]int) {
		for k := range c {
			c[k] = 1 + min(max(int(cells*(p.at(i, k)-p.lo[k])/max(p.hi[k]-p.lo[k], 1e-300)), 0), cells-1)
		}
		return c
	}
	var count [cells + 2][cells + 2]int
	for _, i := range rows {
		if !p.shows(i) {
			continue
		}
		c := cell(i)
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				count[c[0]+dx][c[1]+dy]++
			}
		}
	}
	best := [2]int{}
	for x := range count {
		for y, n := range count[x] {
			if n > count[best[0]][best[1]] {
				best = [2]int{x, y}
			}
		}
	}
	var mean [2]float64
	var near []int
	for _, i := range rows {
		if c := cell(i); p.shows(i) && max(c[0]-best[0], best[0]-c[0], c[1]-best[1], best[1]-c[1]) <= 1 {
			near = append(near, i)
			mean[0], mean[1] = mean[0]+p.at(i, 0), mean[1]+p.at(i, 1)
		}
	}
	if near == nil {
		return rows[0] // all samples are outside of the panel
	}
	far := func(i int) float64 {
		return math.Hypot((p.at(i, 0)-mean[0]/float64(len(near)))/max(p.hi[0]-p.lo[0], 1e-300), (p.at(i, 1)-mean[1]/float64(len(near)))/max(p.hi[1]-p.lo[1], 1e-300))
	}
	return slices.MinFunc(near, func(a, b int) int {
		switch x, y := far(a), far(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return a - b
	})
}

// The density is computed on a grid over the axis ranges, with a Gaussian kernel.
const (
	hazeCells = 120           // number of cells along each range
	hazeWidth = 4             // standard deviation in cells
	hazeReach = 3 * hazeWidth // radius of the kernel in cells
)

// cloud returns a picture of the density of the samples in 16 levels of grey, and the area that it
// covers. This area consists of the axis ranges, extended at both ends by beyond[k] grid cells in
// dimension k.
func (p *panel) cloud(beyond [2]int) (*image.Paletted, plot.Rectangle) {
	const steps = 16
	lo, hi := p.ranges()
	var cell [2]float64
	var size [2]int
	for k := range 2 {
		cell[k], size[k] = (hi[k]-lo[k])/hazeCells, hazeCells+2*beyond[k]
		lo[k], hi[k] = lo[k]-float64(beyond[k])*cell[k], hi[k]+float64(beyond[k])*cell[k]
	}
	w, h := size[0], size[1]
	count := make([]float64, w*h)
	for _, i := range p.rows {
		if p.shows(i) {
			x, y := int((p.at(i, 0)-lo[0])/cell[0]), int((p.at(i, 1)-lo[1])/cell[1])
			count[(h-1-min(max(y, 0), h-1))*w+min(max(x, 0), w-1)]++
		}
	}
	var weights [2*hazeReach + 1]float64
	for k := range weights {
		z := float64(k-hazeReach) / hazeWidth
		weights[k] = math.Exp(-z * z / 2)
	}
	// blur convolves parallel lines of cells with the Gaussian kernel. step is the distance in
	// memory between two neighbouring cells of a line, and line is the distance between two
	// neighbouring lines.
	blur := func(in []float64, step, cells, line, lines int) []float64 {
		out := make([]float64, len(in))
		for a := range lines {
			for b := range cells {
				for k, w := range weights {
					if at := b + k - hazeReach; at >= 0 && at < cells {
						out[a*line+b*step] += w * in[a*line+at*step]
					}
				}
			}
		}
		return out
	}
	count = blur(blur(count, 1, w, w, h), w, h, 1, w)
	shades := make(color.Palette, steps)
	for k := range shades {
		shades[k] = color.NRGBA{0x80, 0x80, 0x80, uint8(0x78 * k / (steps - 1))}
	}
	out := image.NewPaletted(image.Rect(0, 0, w, h), shades)
	most := slices.Max(count)
	for k, v := range count {
		out.Pix[k] = uint8(v / most * (steps - 1))
	}
	return out, plot.Rectangle{Min: plot.Point{X: lo[0], Y: lo[1]}, Max: plot.Point{X: hi[0], Y: hi[1]}}
}

// haze draws the density below the points of a static picture, up to the ends of the axes.
type haze struct{ *panel }

// Draw implements [plot.Layer].
func (h haze) Draw(c plot.Area, to *plot.Plot) {
	lo, hi := h.ranges()
	var beyond [2]int
	for k, axis := range [2]plot.Axis{to.X, to.Y} {
		beyond[k] = min(max(int((lo[k]-axis.Min)/(hi[k]-lo[k])*hazeCells), 0), hazeReach)
	}
	picture, at := h.cloud(beyond)
	c.Image(plot.Rectangle{Min: to.Place(c, at.Min), Max: to.Place(c, at.Max)}, picture)
}

// overlay draws labels, thumbnails and arrows above the points of a static picture.
type overlay struct{ *panel }

// Draw implements [plot.Layer].
func (o overlay) Draw(c plot.Area, to *plot.Plot) {
	at := func(u, v float64) plot.Point { return to.Place(c, plot.Point{X: u, Y: v}) }
	if o.style.thumbnails {
		o.pictures(c, at)
	}
	var taken []plot.Rectangle
	// name shifts text horizontally into the panel and writes it unless it would cover earlier
	// text.
	name := func(style plot.Text, to plot.Point, text string) {
		place := style.Rectangle(text).Add(to)
		shift := max(c.Min.X-place.Min.X, 0) + min(c.Max.X-place.Max.X, 0)
		place, to.X = place.Add(plot.Point{X: shift}), to.X+shift
		if !slices.ContainsFunc(taken, func(r plot.Rectangle) bool { return overlap(r, place) }) {
			taken = append(taken, place)
			haloed(c, style, to, text)
		}
	}
	if o.style.labels || o.style.named != nil {
		style := texts(labelSize, plotInk, plot.Middle, plot.Halfway)
		style.Bold = true
		for _, l := range o.labels() {
			name(style, at(l.x, l.y), l.name)
		}
	}
	for _, a := range o.arrows() {
		from, to := at(a.from[0], a.from[1]), at(a.to[0], a.to[1])
		c.StrokeLines(plot.Line{Color: plotInk, Width: pixels(1.5)}, from, to)
		sin, cos := math.Sincos(math.Atan2(to.Y-from.Y, to.X-from.X))
		tip := func(along, aside float64) plot.Point {
			return to.Add(plot.Point{X: along*cos - aside*sin, Y: along*sin + aside*cos})
		}
		c.FillPolygon(plotInk, to, tip(-6, 2.5), tip(-6, -2.5))
		align := plot.Left
		if cos < 0 {
			align = plot.Right
		}
		name(texts(12, plotInk, align, plot.Halfway), tip(4, 0), a.name)
	}
}

// haloed writes text with a white outline.
func haloed(c plot.Area, style plot.Text, at plot.Point, text string) {
	style.Edge = plot.Line{Color: color.White, Width: 2.6}
	c.FillText(style, at, text)
}

func overlap(a, b plot.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// pictures draws thumbnails in the order of the samples, and skips thumbnails that would cover
// earlier ones. The function at maps coordinates to the picture.
func (p *panel) pictures(c plot.Area, at func(u, v float64) plot.Point) {
	shape := p.data.Image
	w, h := pixels(thumbnailSide), pixels(thumbnailSide)
	if shape.Width > shape.Height {
		h *= float64(shape.Height) / float64(shape.Width)
	} else {
		w *= float64(shape.Width) / float64(shape.Height)
	}
	frame := map[int]color.Color{}
	for _, g := range p.groups {
		for _, i := range slices.Concat(g.rows[0], g.rows[1]) {
			if !g.faded && p.shows(i) {
				s := p.glyph(g, i, 1)
				frame[i] = s.Color
			}
		}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range p.n {
		lo, hi = min(lo, slices.Min(p.data.X.RawRowView(i))), max(hi, slices.Max(p.data.X.RawRowView(i)))
	}
	type cell [2]int
	taken := map[cell][]plot.Rectangle{}
	for _, i := range p.rows {
		tone, ok := frame[i]
		if !ok {
			continue
		}
		middle := at(p.at(i, 0), p.at(i, 1))
		r := plot.Rectangle{Min: plot.Point{X: middle.X - w/2, Y: middle.Y - h/2}, Max: plot.Point{X: middle.X + w/2, Y: middle.Y + h/2}}
		in, covered := cell{int(middle.X / w), int(middle.Y / h)}, false
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				covered = covered || slices.ContainsFunc(taken[cell{in[0] + dx, in[1] + dy}], func(o plot.Rectangle) bool { return overlap(o, r) })
			}
		}
		if covered {
			continue
		}
		taken[in] = append(taken[in], r)
		picture := image.NewGray(image.Rect(0, 0, shape.Width, shape.Height))
		row := p.data.X.RawRowView(i)
		for y := range shape.Height {
			for x := range shape.Width {
				picture.SetGray(x, y, color.Gray{uint8(255*(row[shape.At(y, x)]-lo)/(hi-lo) + 0.5)})
			}
		}
		c.Image(r, resized(picture, thumbnailSide))
		c.StrokeLines(plot.Line{Color: tone, Width: pixels(1.5)}, append(r.Corners(), r.Min)...)
	}
}
