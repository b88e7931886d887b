// Package viz draws models. Every function returns a [Figure], and its Show puts it
// into the notebook: an interactive chart, and a static picture for places where
// scripts do not run.
//
//   - Embeddings: [Embedding] of one model, [Compare] for several side by side and
//     [Multiples] for many; [GraphLinks] and [PairLinks] add a graph or pairs.
//   - What they mean: [Loadings] of the features, [Distortion] of the neighbourhoods.
//   - Solvers and graphs: [Convergence], [Adjacency].
//   - Predictions for new points: [Field] over the plane, with [Around] and
//     [Uncertainty]; [Boundaries] of linear models of two features.
//   - Experiments: [Mesh] of a sweep over two options, [Curves] and [CurvePanels] over
//     one, [Bars] of methods on several data sets.
//   - Images: [Pictures] of [Thumbnails], [Decoded] paths, [Regions] and [Scribbles].
//   - Metrics: [Cone].
//
// [Samples] lets data be drawn without a model. Title and Size change a figure before it is
// shown, and Save writes it as a picture or a page, for papers with [Figure.Width] and
// [Figure.FontSize], for slides with [Figure.Dark]. A figure that cannot be drawn shows the
// reason instead.
//
// Embeddings, also with a graph or pairs, show what is asked for instead of classes:
// [Figure.Color], [Figure.PointSize] and [Figure.Opacity] by features, attributes, slices
// or a [Fact] of the model, [Figure.Hover] in the hover card, [Figure.Only] and
// [Figure.Highlight] of some samples, [Figure.Symbols] for readers without colours,
// [Figure.Labels], [Figure.Thumbnails],
// [Figure.Density] and [Figure.Arrows] on the map, without [Figure.Axes].
//
// # Selecting
//
// Two buttons of a figure of samples in two dimensions select by lasso and box; Shift adds
// to a selection and Escape clears it. A table below shows the selected samples. Stored
// under a name, they are read by [Selection] in a later cell. Figures of the same samples
// are linked: what the pointer is on, what is selected and which classes are switched off
// is so in all panels and figures of the page, also in the small ones of [Multiples]; an
// embedding in three dimensions tells the pointer's sample and shows no other. Another button moves the samples from one
// panel of [Compare] to the next.
//
// # In the page
//
// A figure is as wide as the page and wraps its panels. The wheel scrolls the page; with
// Ctrl, or after a click into the figure, it zooms. Buttons zoom, let the mouse move the
// picture, and show all again. What a model warns of stands below its figure.
//
// # Without a mouse
//
// The Tab key gives a figure the focus, and a line in it says what keys do. Arrow keys go
// to the next sample that way, with Shift to one farther away; its card is shown and read
// out, and other panels and figures mark it. Page Up and Page Down go to another panel, Enter
// or Space adds the sample to the selection or takes it out, + and − zoom about it, and 0
// shows all again. In three dimensions arrow keys turn the picture. Tab goes on to the
// legend, whose entries Space switches off and on, and to the buttons. Escape ends the
// sample, then the selection, and leaves.
package viz

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/js"
)

// Figure is a finished picture. Title and Size return a changed copy.
type Figure struct {
	kind          string // "embedding", "mesh", …: chooses the script's formatters
	title         string
	width, height int
	layout        *layout // nil for a figure that has only a static picture
	given         bool    // Size has set the size
	gl            bool    // needs echarts-gl
	err           error
	vector        string  // ".svg" or ".pdf" while it is drawn as such
	millimeters   float64 // its width there
	points        float64 // the size of its text there, 0 for what the width gives
	dark          bool    // its files have a dark ground
	read          bool    // notes say which characters no font has

	// again draws the same embeddings in another style; nil for figures without samples.
	style style
	again func(s style) Figure

	// option builds the ECharts option for the figure's title and size; extra is what
	// the script needs besides, such as thumbnails. It is nil for a figure that has
	// only a static picture.
	option func(f Figure) (option map[string]any, extra map[string]any)
	// static draws the static picture.
	static func(f Figure) *canvas
	// linked is what the script needs to link the samples of a picture to those of other
	// figures; nil for charts, and for pictures without samples or with too many.
	linked func(f Figure) map[string]any
	// narrow arranges a static picture anew for a narrow page. It is nil for a figure
	// that is drawn smaller there.
	narrow func(f Figure) Figure
	// fitted arranges a figure for a width in pixels in which it is saved. It is nil for one
	// whose layout is the same in any.
	fitted func(f Figure, width int) Figure
	text   string
	notes  []string // lines below the figure: what it does not show, what its models warn of
	// kept is the line of how much of the neighbourhoods embeddings keep, "" for none. It
	// is made when the figure is shown; nil for figures without.
	kept func() string
}

// below are the lines below the figure.
func (f Figure) below() []string {
	if f.kept == nil {
		return f.notes
	}
	return append(present(f.kept()), f.notes...)
}

// Title returns a copy with another title.
func (f Figure) Title(s string) Figure {
	f.title = s
	return f
}

// Size returns a copy of width×height pixels, each between 200 and 2,000; a narrower
// page shows it at its own width. Without Size a figure is as wide as the page and wraps
// its panels.
func (f Figure) Size(width, height int) Figure {
	f.given = true
	f.width, f.height = min(max(width, 200), 2000), min(max(height, 200), 2000)
	return f
}

// Width returns a copy that is so many millimetres wide, from 30 to 1,000, where it is saved
// as SVG or PDF; without, it is 170 there. Its panels are arranged for this width, unless
// Size has set another, and text is not much smaller than 6 points.
func (f Figure) Width(millimeters float64) Figure {
	if f.err == nil && !(millimeters >= 30 && millimeters <= 1000) {
		return failed(f.kind, fmt.Errorf("viz: Width(%v): give millimetres from 30 to 1000", millimeters))
	}
	f.millimeters = millimeters
	return f
}

// FontSize returns a copy whose text has so many points, from 4 to 24, where it is saved as
// SVG or PDF: the numbers of axes and the legend; a title is a sixth larger. Without, a
// figure narrower than 127 mm has smaller text than the 9 points of others. Panels become
// smaller as text grows. A figure with Size, or of pictures, has no FontSize.
func (f Figure) FontSize(points float64) Figure {
	if f.err == nil && !(points >= 4 && points <= 24) {
		return failed(f.kind, fmt.Errorf("viz: FontSize(%v): give points from 4 to 24", points))
	}
	f.points = points
	return f
}

// Dark returns a copy whose files have a dark ground, for slides. In a notebook a chart
// follows the theme of JupyterLab.
func (f Figure) Dark() Figure {
	f.dark = true
	return f
}

// paperWidth is the width in millimetres of a figure without Width, in a vector format.
const paperWidth = 170.0

// drawnAs returns the figure in a vector format.
func (f Figure) drawnAs(format string) (picture []byte, lacks string, err error) {
	if f.vector = format; f.millimeters == 0 {
		f.millimeters = paperWidth
	}
	if f.points > 0 && f.err == nil {
		const text, least = 12, 360 // pixels: of text, and of a figure whose legend leaves a place for its panel
		if f.layout == nil || f.given {
			return nil, "", fmt.Errorf("viz: FontSize(%v): a figure of pictures or with Size keeps its text; leave FontSize out, and set Width", f.points)
		}
		width := text * f.millimeters / 25.4 * plot.Inch / f.points
		if width < least {
			return nil, "", fmt.Errorf("viz: FontSize(%v): a figure %.4g mm wide has no place for such text; give at most %.2g points, or a larger Width", f.points, f.millimeters, f.points*width/least-0.05)
		}
		return f.arranged(int(width)).still()
	}
	if f.layout != nil && !f.given { // smaller ones shrink, so that names fit beside the panels
		f = f.arranged(max(int(f.millimeters/25.4*dpi), 480))
	}
	return f.still()
}

// arranged is the figure in a width in pixels.
func (f Figure) arranged(width int) Figure {
	if f.fitted != nil {
		return f.fitted(f, width)
	}
	return f.sized(*f.layout, width)
}

// Err returns why the figure cannot be drawn, or nil. Show prints it.
func (f Figure) Err() error { return f.err }

// Text returns the figure in words, its text/plain form.
func (f Figure) Text() string {
	if f.err != nil {
		return "figure not drawn: " + f.err.Error()
	}
	out := cut(f.title) + "\n" + f.text
	for _, n := range f.below() {
		out += n + "\n"
	}
	if !f.read {
		f.title, f.vector = cut(f.title), words
		if note := f.static(f).lacks(); note != "" {
			out += note + "\n"
		}
	}
	return out
}

// PNG returns the static picture as a PNG file.
func (f Figure) PNG() ([]byte, error) {
	picture, _, err := f.still()
	return picture, err
}

// still draws the static picture, and returns a line about characters that no font has.
func (f Figure) still() (picture []byte, lacks string, err error) {
	if f.err != nil {
		return nil, "", f.err
	}
	f.title = cut(f.title)
	var b bytes.Buffer
	c := f.static(f)
	err = c.encode(&b)
	return b.Bytes(), c.lacks(), err
}

// noted is the figure with a line about characters that no font has below its others.
func (f Figure) noted(lacks string) Figure {
	f.notes, f.read = append(slices.Clone(f.notes), present(lacks)...), true
	return f
}

// mime is the type by which the notebook extension of install.sh knows a chart. The data
// are in the bundle's text/html, once: the extension takes them from there and leaves the
// scripts, so that charts show in notebooks that are not trusted.
const mime = "application/vnd.ssdrnb.figure.v1+json"

// Bundle returns the figure by MIME type: text/html (the chart, which replaces the
// static picture), image/png and text/plain, and a type of its own that tells the notebook
// extension of install.sh to draw the chart.
func (f Figure) Bundle() (map[string]any, error) { return f.bundle(js.Inline) }

// bundle is Bundle with what runs a script.
func (f Figure) bundle(run func(script, id string) string) (map[string]any, error) {
	f.dark = false // the page has its own theme
	go f.below()   // what the lines below say is found out while the picture is drawn
	picture, lacks, err := f.still()
	if err != nil {
		return nil, err
	}
	f = f.noted(lacks)
	html, err := f.html(picture, run)
	if err != nil {
		return nil, err
	}
	bundle := map[string]any{"text/html": html, "image/png": picture, "text/plain": f.Text()}
	if f.option != nil || f.linked != nil {
		bundle[mime] = map[string]string{"data": "text/html"}
	}
	return bundle, nil
}

// Show puts the figure into the notebook: its Bundle without image/png, which the HTML has already.
// Of the figures of a cell that need the same script, the first carries it. Outside a notebook it prints [Figure.Text].
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
	delete(bundle, "image/png") // the picture is in the HTML already
	for kind, content := range bundle {
		msg.Data[protocol.MIMEType(kind)] = content
	}
	gonbui.SendData(msg)
	// Without Sync the last figures of a cell can be lost when its process ends.
	gonbui.Sync()
}

// failed is a figure that cannot be drawn, and why.
func failed(kind string, err error) Figure {
	return Figure{kind: kind, title: kind, err: err}
}
