package viz

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// Picture is an image with a caption, for [Pictures]. [Regions], [Scribbles], [Thumbnails],
// [Decoded] and [Inverted] return a Picture.
type Picture struct {
	Image   image.Image
	Caption string

	names   []string // names of classes 0, 1, …, set by the user
	classes []int    // painted classes, ascending
	painted func(look.Ranks) image.Image
	err     error
}

// Captioned returns a copy with another caption.
func (p Picture) Captioned(s string) Picture {
	p.Caption = s
	return p
}

// Regions paints a segmentation. classes[r][c] is the class of the pixel in row r from the top and
// column c; −1 means no class. names contains the names of classes 0, 1, … for the legend.
func Regions(classes [][]int, names ...string) Picture {
	if len(classes) == 0 {
		return Picture{err: fmt.Errorf("the segmentation has no pixels; give at least one")}
	}
	return painted(image.NewNRGBA(image.Rect(0, 0, len(classes[0]), len(classes))), classes, names, "segmentation")
}

// Scribbles paints classes over an image of the same size, see [Regions].
func Scribbles(base image.Image, classes [][]int, names ...string) Picture {
	if absent(base) {
		return Picture{err: fmt.Errorf("there is no image below the scribbles; give one")}
	}
	r := base.Bounds()
	if len(classes) != r.Dy() {
		return Picture{err: errRows(len(classes), r.Size())}
	}
	if err := unusable(base); err != nil {
		return Picture{err: err}
	}
	img := image.NewNRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
	for y := range r.Dy() {
		for x := range r.Dx() {
			img.Set(x, y, base.At(r.Min.X+x, r.Min.Y+y))
		}
	}
	return painted(img, classes, names, "scribbles")
}

// painted returns a picture of img in which pixels with a class have the colour of the class.
func painted(img *image.NRGBA, classes [][]int, names []string, caption string) Picture {
	p := Picture{Caption: caption, names: slices.Clone(names)}
	seen := map[int]bool{}
	size := img.Bounds().Size()
	if len(classes) != size.Y {
		return Picture{err: errRows(len(classes), size)}
	}
	for y, row := range classes {
		if len(row) != size.X {
			return Picture{err: fmt.Errorf("row %d has %s for an image of %d × %d pixels; give one per pixel", y, nouns.Count(len(row), "class"), size.X, size.Y)}
		}
		for x, k := range row {
			switch {
			case k >= 0:
				seen[k] = true
			case k != data.Unlabelled:
				return Picture{err: fmt.Errorf("the class in row %d, column %d is %d; give classes from 0, or -1 for no class", y, x, k)}
			}
		}
	}
	p.classes = slices.Sorted(maps.Keys(seen))
	classes = mapped(classes, slices.Clone[[]int])
	p.painted = func(ranks look.Ranks) image.Image {
		out := *img
		out.Pix = slices.Clone(img.Pix)
		for y, row := range classes {
			for x, k := range row {
				if k >= 0 {
					out.SetNRGBA(x, y, ranks.Color(k))
				}
			}
		}
		return &out
	}
	p.Image = p.painted(ranksOf(p)[0])
	return p
}

// ranksOf returns the ranks of the classes in each picture. If the largest class is below
// look.Looks, all classes from 0 to the largest get a rank, including those that no picture contains.
func ranksOf(pictures ...Picture) []look.Ranks {
	most := slices.Max(append(slices.Concat(mapped(pictures, func(p Picture) []int { return p.classes })...), 0))
	if most >= look.Looks {
		most = 0
	}
	sets := make([]look.Set, len(pictures))
	for k, p := range pictures {
		sets[k] = look.Set{Data: p.named(), There: p.classes}
		if p.classes == nil {
			continue // not painted
		}
		for class := range max(len(p.names), most) {
			sets[k].Whole = append(sets[k].Whole, class)
		}
	}
	return look.SharedRanks(sets)
}

// named returns data with the names of the classes.
func (p Picture) named() *data.Data { return &data.Data{ClassNames: p.names} }

// errRows is the error for a segmentation whose number of rows differs from the height of its
// image.
func errRows(rows int, size image.Point) error {
	return fmt.Errorf("%s of classes for an image of %d × %d pixels; give one class per pixel", thereAre(rows, "row"), size.X, size.Y)
}

const (
	maxPixels = 4 << 20   // maximum number of pixels of a sheet of thumbnails
	maxImage  = 100 << 20 // maximum number of pixels of an image
)

// unusable returns an error for an image that is too large to draw, or whose palette lacks the
// colour of a pixel.
func unusable(img image.Image) error {
	r := img.Bounds()
	if r.Dx() > 0 && r.Dy() > maxImage/r.Dx() {
		return fmt.Errorf("the image has %d × %d pixels, more than the maximum of %d; crop it or scale it down", r.Dx(), r.Dy(), maxImage)
	}
	p, ok := img.(*image.Paletted)
	if !ok {
		return nil
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if k := p.ColorIndexAt(x, y); int(k) >= len(p.Palette) {
				return fmt.Errorf("the pixel in row %d, column %d has the colour number %d, but the palette has %s; add the missing colours to Palette", y-r.Min.Y, x-r.Min.X, k, nouns.Count(len(p.Palette), "colour"))
			}
		}
	}
	return nil
}

// Thumbnails arranges the rows of x as small grey images of the given shape. The sheet has the
// given number of columns; 0 means an almost square sheet. The smallest value of x is black, and
// the largest is white.
func Thumbnails(x mat.Matrix, shape data.Image, columns int) Picture {
	fail := func(format string, args ...any) Picture { return Picture{err: fmt.Errorf(format, args...)} }
	if absent(x) || shape.IsZero() {
		return fail("the matrix or the shape of the thumbnails is missing; give both, such as the fields X and Image of data")
	}
	n, d := x.Dims()
	if n == 0 || shape.Height < 1 || shape.Width < 1 || shape.Height > d || d != shape.Height*shape.Width {
		return fail("%s of %s cannot be images of %d × %d pixels; give the width and height of the images", nouns.Count(n, "row"), nouns.Count(d, "value"), shape.Width, shape.Height)
	}
	if columns < 0 {
		return fail("the sheet of thumbnails has %d columns; give at least 1, or 0 for a square sheet", columns)
	}
	if columns == 0 {
		columns = int(math.Ceil(math.Sqrt(float64(n) * float64(shape.Height) / float64(shape.Width))))
	}
	columns = min(columns, n)
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range n {
		for j := range d {
			v := x.At(i, j)
			if !(math.Abs(v) <= maxNumber) {
				return fail("pixel %d of image %d is %v; give finite values up to %g", j, i, v, maxNumber)
			}
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	// One empty pixel separates neighbouring images.
	rows := (n + columns - 1) / columns
	w, h := columns*(shape.Width+1)-1, rows*(shape.Height+1)-1
	if w*h > maxPixels {
		return fail("%d images of %d × %d pixels are more than a sheet can hold; draw fewer", n, shape.Width, shape.Height)
	}
	shades := levels(greys)
	shades[0] = color.NRGBA{}
	sheet := image.NewPaletted(image.Rect(0, 0, w, h), shades)
	for i := range n {
		x0, y0 := i%columns*(shape.Width+1), i/columns*(shape.Height+1)
		for r := range shape.Height {
			for c := range shape.Width {
				t := 0.5
				if hi > lo {
					t = (x.At(i, shape.At(r, c)) - lo) / (hi - lo)
				}
				sheet.SetColorIndex(x0+c, y0+r, uint8(1+254*t+0.5))
			}
		}
	}
	return Picture{Image: sheet, Caption: nouns.Count(n, "image")}
}

// Pictures draws images with their captions side by side, at most four in a row. Zooming and
// dragging affect all images together. An image larger than its panel is stored at the size of the
// panel.
func Pictures(pictures ...Picture) Figure {
	g, err := newGallery(pictures)
	if err != nil {
		return failed("pictures", err)
	}
	title := "Pictures"
	if len(pictures) == 1 {
		title = cmp.Or(g.pictures[0].Caption, title)
	}
	return Figure{kind: "pictures", title: title, drawing: g}
}

func newGallery(pictures []Picture) (*gallery, error) {
	if len(pictures) == 0 {
		return nil, fmt.Errorf("viz: Pictures: there is no picture to draw; give at least one")
	}
	if err := crowded(len(pictures), maxPanels); err != nil {
		return nil, err
	}
	s := &gallery{pictures: slices.Clone(pictures)}
	l := layout{Count: len(pictures), Most: 4, Least: 200, High: 420, Head: titleHeight, Below: 10, Left: 14, Gap: 16, Right: 14, Kept: true}
	var text, captions []string
	for k, p := range pictures {
		if p.err == nil && (absent(p.Image) || p.Image.Bounds().Empty()) {
			p.err = fmt.Errorf("the image has no pixels; give at least one")
		}
		if p.err == nil {
			p.err = unusable(p.Image)
		}
		if p.err != nil {
			return nil, errorAt(fmt.Sprintf("Pictures: picture %d of %d: ", k+1, len(pictures)), p.err)
		}
		p.Caption = cut(p.Caption)
		s.pictures[k].Caption = p.Caption
		captions = append(captions, p.Caption)
		size := p.Image.Bounds().Size()
		text = append(text, fmt.Sprintf("%s, %d × %d pixels", cmp.Or(p.Caption, "picture"), size.X, size.Y))
		l.Ratio = append(l.Ratio, float64(size.Y)/float64(size.X))
	}
	named := map[int]string{} // names of the painted classes by rank
	for k, ranks := range ranksOf(pictures...) {
		p := pictures[k]
		if p.painted != nil && !maps.Equal(ranks, ranksOf(p)[0]) {
			s.pictures[k].Image = p.painted(ranks)
		}
		for _, class := range p.classes {
			// A class name from another picture replaces a mere number.
			if name, met := named[ranks[class]]; !met || name == strconv.Itoa(class) {
				named[ranks[class]] = p.named().ClassName(class)
			}
		}
	}
	known := slices.Sorted(maps.Keys(named))
	s.classes, s.colors = look.Names(mapped(known, func(rank int) string { return named[rank] })), mapped(known, look.Color)
	l.Above, l.Legend = captioned(captions...), s.right()
	width := 960
	if len(pictures) == 1 {
		width, l.High = 700, 520
	}
	s.text, s.notes = lines(text), present(cutLegend(len(s.classes)))
	s.arrange(l, width)
	return s, nil
}

// captionOf returns the caption of a picture, or "" if the title of the figure equals the caption.
func (s sheet) captionOf(p Picture) string {
	if p.Caption == s.title {
		return ""
	}
	return p.Caption
}

// gallery contains images that have been checked.
type gallery struct {
	plan
	pictures []Picture
	classes  []string      // names of the painted classes, by rank
	colors   []color.NRGBA // colours of the painted classes
}

// right returns the width in pixels of the legend, or 0 without a legend.
func (s *gallery) right() float64 {
	if len(s.classes) == 0 {
		return 0
	}
	return float64(legendWidth(s.classes))
}

// known returns the classes in the legend.
func (s *gallery) known() []string { return s.classes[:min(len(s.classes), maxClasses)] }

// option implements [charter].
func (s *gallery) option(on sheet) (chart.Option, any) {
	boxes := on.boxes()
	captions := make([]string, len(boxes))
	option := &chart.Panels{DataZoom: zoom(len(boxes))}
	var series []chart.Series
	for k, p := range s.pictures {
		captions[k] = on.captionOf(p)
		size := p.Image.Bounds().Size()
		w, h := float64(size.X), float64(size.Y)
		// The first row of pixels is at the top.
		series = append(series, pictureSeries(k, [2]float64{0, w}, [2]float64{0, h}, resized(p.Image, int(max(boxes[k].w, boxes[k].h)))))
		axis := func(most float64, inverse bool) *chart.Axis {
			return &chart.Axis{GridIndex: k, Type: "value", Min: 0, Max: most, Show: opts.Bool(false), Inverse: inverse}
		}
		option.XAxis, option.YAxis = append(option.XAxis, axis(w, false)), append(option.YAxis, axis(h, true))
	}
	for k, name := range s.known() {
		series = append(series, swatch(name, "rect", s.colors[k]))
	}
	option.Common = common(on.title, captions, series)
	if len(s.classes) > 0 {
		option.Legend = scrolling()
		option.Legend.SelectedMode = opts.Bool(false)
	}
	return option, nil
}

// static implements [drawing].
func (s *gallery) static(on sheet) *canvas {
	c := newCanvas(on)
	for k, b := range c.boxes {
		p := s.pictures[k]
		c.dc.Image(c.rectangle(b), resized(p.Image, int(max(b.w, b.h))))
		c.caption(k, on.captionOf(p))
	}
	if len(s.classes) > 0 {
		var legend legend
		for k, name := range s.known() {
			legend.add(name, plot.Scatter{Glyph: plot.Glyph{Radius: 4, Color: s.colors[k], Shape: plot.Box}})
		}
		c.column(legend)
	}
	return c
}
