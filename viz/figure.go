package viz

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/js"
)

// Figure is a figure of models or data. Its methods return changed copies. The figure is drawn when
// it is shown or saved. The zero Figure contains no drawing, and its Err returns an error.
type Figure struct {
	kind    string // kind of figure, such as "embedding" or "mesh"; selects formatters in the page's script
	title   string
	drawing drawing // content of the figure; nil if samples is set
	samples *styled // samples with a style; nil for figures that do not support styles

	width, height       int     // set by Size, in pixels; 0 if the drawing decides
	millimeters, points float64 // set by Width and FontSize; 0 for the defaults
	dark                bool    // true if files have a dark background
	err                 error
}

// drawing is the content of a figure: checked data and their arrangement. A drawing may also
// implement [charter], [narrower], [fitter] and [linker].
type drawing interface {
	// arrangement returns the layout and the text of the drawing.
	arrangement() *plan
	// footnotes returns the lines of text below the figure.
	footnotes() []string
	// static draws the static picture.
	static(on sheet) *canvas
}

// charter is implemented by drawings with an interactive chart. Other drawings are static pictures.
type charter interface {
	// option returns the ECharts option, and additional data for the page's script.
	option(on sheet) (option chart.Option, extra any)
}

// narrower is implemented by static pictures with a separate arrangement for narrow pages. Other
// static pictures are scaled down.
type narrower interface{ narrow() drawing }

// fitter is implemented by drawings that arrange themselves for a file of a given width in pixels.
// Files of other drawings use the layout of the page.
type fitter interface{ fitted(width int) drawing }

// linker is implemented by static pictures whose samples are linked to other figures.
type linker interface {
	// links returns the data for the page's script, and the script. The data are nil if the picture
	// has too many samples or panels for links.
	links(on sheet) (content any, script string)
}

// dresser contains samples and prepares them for drawing in a style.
type dresser interface {
	dressed(s style) (drawing, error)
}

// plan is the arrangement of a drawing and its description as text.
type plan struct {
	layout        *layout // nil for a picture without panels
	width, height int     // pixels
	gl            bool    // the chart needs echarts-gl
	text          string  // text/plain form of the figure
	notes         []string
}

func (p *plan) arrangement() *plan { return p }

func (p *plan) footnotes() []string { return p.notes }

// arrange sets the layout and the width in pixels, and computes the height.
func (p *plan) arrange(l layout, width int) {
	p.layout, p.width, p.height = &l, width, l.height(width)
}

// styled contains samples and their style. The samples are prepared once, when any copy of the
// figure first needs them.
type styled struct {
	source  dresser
	style   style
	once    sync.Once
	drawing drawing
	err     error
}

func (s *styled) drawn() (drawing, error) {
	s.once.Do(func() { s.drawing, s.err = s.source.dressed(s.style) })
	return s.drawing, s.err
}

var errEmpty = errors.New("viz: the figure is empty; make one with a function of viz, such as Embedding")

func (f Figure) drawn() (drawing, error) {
	switch {
	case f.err != nil:
		return nil, f.err
	case f.samples != nil:
		return f.samples.drawn()
	case f.drawing == nil:
		return nil, errEmpty
	}
	return f.drawing, nil
}

// failed returns a figure that cannot be drawn because of err.
func failed(kind string, err error) Figure {
	return Figure{kind: kind, title: kind, err: err}
}

// Title returns a copy with another title.
func (f Figure) Title(s string) Figure {
	f.title = s
	return f
}

// Size returns a copy of width×height pixels, each clamped to [200, 2000]. On a narrower page, the
// figure has the width of the page. Without Size, a figure is as wide as the page and wraps its
// panels.
func (f Figure) Size(width, height int) Figure {
	f.width, f.height = min(max(width, 200), 2000), min(max(height, 200), 2000)
	return f
}

func (f Figure) sized() bool { return f.width > 0 }

// Width returns a copy whose SVG and PDF files have the given width in millimetres, from 30 to
// 1,000. The default is 170. Panels are arranged for this width. The font size is 9 points. Figures
// narrower than 127 mm have smaller text, for example 6 points at 85 mm. Figures with Size and
// figures drawn by [Multiples] are scaled as a whole instead.
func (f Figure) Width(millimeters float64) Figure {
	if f.err == nil && !(millimeters >= 30 && millimeters <= 1000) {
		return failed(f.kind, fmt.Errorf("viz: Width(%v): the width is out of range; give 30 to 1000 millimetres", millimeters))
	}
	f.millimeters = millimeters
	return f
}

// FontSize returns a copy whose SVG and PDF files use the given font size in points, from 4 to 24,
// for tick labels and the legend. The title is a sixth larger. The default is 9 points, or less for
// figures narrower than 127 mm, see Width. The larger the text, the smaller the panels. Figures
// with Size and figures drawn by [Multiples] do not support FontSize: saving them returns an error.
func (f Figure) FontSize(points float64) Figure {
	if f.err == nil && !(points >= 4 && points <= 24) {
		return failed(f.kind, fmt.Errorf("viz: FontSize(%v): the size is out of range; give 4 to 24 points", points))
	}
	f.points = points
	return f
}

// Dark returns a copy whose files have a dark background, for slides. Charts in a notebook
// follow the theme of JupyterLab.
func (f Figure) Dark() Figure {
	f.dark = true
	return f
}

// Err returns an error if the figure cannot be drawn. Show prints this error.
func (f Figure) Err() error {
	_, err := f.drawn()
	return err
}

// sheet holds the title, size and format of the picture of a drawing.
type sheet struct {
	title         string
	width, height int     // pixels
	layout        *layout // nil for a picture without panels
	format        string  // "" for pixels, ".svg", ".pdf", or the constant words
	millimeters   float64 // width of a vector format
	dark          bool    // dark background
}

func (s sheet) boxes() []box {
	out, _ := s.layout.place(float64(s.width), float64(s.height))
	return out
}

// sheet returns the sheet of a drawing for the page.
func (f Figure) sheet(d drawing) sheet {
	p := d.arrangement()
	s := sheet{title: cut(f.title), width: p.width, height: p.height, layout: p.layout, dark: f.dark}
	if f.sized() {
		s.width, s.height = f.width, f.height
	}
	return s
}

// paperWidth is the default width of SVG and PDF files in millimetres.
const paperWidth = 170.0

// printed arranges a drawing for a file in a vector format. It returns the arranged drawing and its
// sheet.
func (f Figure) printed(d drawing, format string) (drawing, sheet, error) {
	if f.millimeters == 0 {
		f.millimeters = paperWidth
	}
	flexible := d.arrangement().layout != nil && !f.sized()
	width := max(int(f.millimeters/25.4*dpi), 480) // names need 480 pixels; narrower files are scaled down
	if f.points > 0 {
		const text, least = 12, 360 // in pixels: font size, and width below which the legend leaves no space for a panel
		if !flexible {
			return nil, sheet{}, fmt.Errorf("viz: FontSize(%v): text has a fixed size in figures drawn by Multiples and in figures with Size; leave FontSize out, and set Width", f.points)
		}
		exact := text * f.millimeters / 25.4 * plot.Inch / f.points
		if exact < least {
			remedy := "give a larger Width"
			if most := math.Floor(10*f.points*exact/least) / 10; most >= 4 {
				remedy = fmt.Sprintf("give at most %g points, or a larger Width", most)
			}
			return nil, sheet{}, fmt.Errorf("viz: FontSize(%v): a figure %.4g mm wide has no space for this text; %s", f.points, f.millimeters, remedy)
		}
		width = int(exact)
	}
	on := f.sheet(d)
	if flexible {
		if own, ok := d.(fitter); ok {
			d = own.fitted(width)
			on = f.sheet(d)
		} else {
			on.width, on.height = width, on.layout.height(width)
		}
	}
	on.format, on.millimeters = format, f.millimeters
	return d, on, nil
}

// render draws the static picture as a PNG, and also returns the result of [canvas.lacks].
func render(d drawing, on sheet) (picture []byte, lacks string, err error) {
	var b bytes.Buffer
	c := d.static(on)
	err = c.encode(&b)
	return b.Bytes(), c.lacks(), err
}

// Text returns the text/plain form of the figure, which describes it in words.
func (f Figure) Text() string {
	d, err := f.drawn()
	if err != nil {
		return "figure not drawn: " + err.Error()
	}
	on := f.sheet(d)
	on.format = words
	return on.words(d, linesBelow(d, d.static(on).lacks()))
}

// words returns the text form of a drawing, followed by the lines below the figure.
func (s sheet) words(d drawing, below []string) string {
	out := s.title + "\n" + d.arrangement().text
	for _, line := range below {
		out += line + "\n"
	}
	return out
}

// PNG returns the static picture as a PNG file.
func (f Figure) PNG() ([]byte, error) {
	d, err := f.drawn()
	if err != nil {
		return nil, err
	}
	picture, _, err := render(d, f.sheet(d))
	return picture, err
}

// mime is the MIME type by which the notebook extension recognises a chart. The extension reads the
// data in the bundle's text/html and ignores its scripts, so that charts also appear in untrusted
// notebooks.
const mime = "application/vnd.ssdrnb.figure.v1+json"

// Bundle returns the figure by MIME type: text/html (the static picture and the chart that replaces
// it), image/png, text/plain, and the type by which the notebook extension recognises a chart. A
// figure without a chart has the last type only if a script draws on its picture.
func (f Figure) Bundle() (map[string]any, error) { return f.bundle(js.Inline) }

// bundle implements [Figure.Bundle]. The function run returns the HTML element that runs a script
// on the data in the element with the given id.
func (f Figure) bundle(run func(script, id string) string) (map[string]any, error) {
	d, err := f.drawn()
	if err != nil {
		return nil, err
	}
	on := f.sheet(d)
	on.dark = false // Dark is only for files; the chart follows the theme of the page
	picture, lacks, err := render(d, on)
	if err != nil {
		return nil, err
	}
	below := linesBelow(d, lacks)
	html, live, err := f.html(d, on, picture, below, staticNote, run)
	if err != nil {
		return nil, err
	}
	bundle := map[string]any{"text/html": html, "image/png": picture, "text/plain": on.words(d, below)}
	if live {
		bundle[mime] = map[string]string{"data": "text/html"}
	}
	return bundle, nil
}

// Show displays the figure in the notebook. The output is the Bundle without image/png, because the
// HTML contains the picture. Figures in one cell that need the same script include it once. Outside
// a notebook, Show prints [Figure.Text].
func (f Figure) Show() {
	if !gonbui.IsNotebook {
		fmt.Println(f.Text())
		return
	}
	bundle, err := f.bundle(js.InCell)
	if err != nil {
		fmt.Fprintln(os.Stderr, "viz: "+strings.TrimPrefix(err.Error(), "viz: "))
		return
	}
	msg := &protocol.DisplayData{Data: map[protocol.MIMEType]any{}}
	delete(bundle, "image/png") // text/html contains the picture
	for kind, content := range bundle {
		msg.Data[protocol.MIMEType(kind)] = content
	}
	gonbui.SendData(msg)
	// Without Sync, the last figures of a cell can be lost when its process ends.
	gonbui.Sync()
}
