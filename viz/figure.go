// Package viz draws models: every function returns a [Figure], whose Show puts
// it into the notebook as an interactive chart with a static twin, so that it
// also shows where scripts do not run.
//
//   - What a model makes of the samples: [Embedding], several beside each other with
//     [Compare], many with [Multiples]; on top of it graphs ([GraphLinks]) and pairs
//     ([PairLinks]).
//   - How it came about: [Convergence], [Adjacency] of the graphs behind it.
//   - What it says of new points: [Field] over the plane, with [Around] and
//     [Uncertainty]; [Boundaries] of linear models of two features.
//   - Experiments: [Mesh] of a sweep over two options, [Curves] and [CurvePanels] over
//     one, [Bars] of methods on several sets.
//   - Images: [Pictures] of [Thumbnails], [Decoded] paths, [Regions] and [Scribbles].
//
// [Samples] draws data without a model. A figure is changed before it is shown, by
// Title and Size; what cannot be drawn says why in its place.
package viz

import (
	"bytes"
	"fmt"
	"os"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Figure is a finished picture. It is a value: Title, Size and the like return a
// changed copy.
type Figure struct {
	kind          string // "embedding", "mesh", …: chooses the script's formatters
	title         string
	width, height int
	gl            bool // needs echarts-gl
	err           error

	// option builds the ECharts option for the figure's title and size; extra is
	// what the script needs besides, such as thumbnails. It is nil for a figure that
	// is only its picture.
	option func(f Figure) (option map[string]any, extra map[string]any)
	// static draws the twin.
	static func(f Figure) (*canvas, error)
	text   string
	note   string // a sentence below the figure, on what it does not show
}

// Title returns a copy with another title.
func (f Figure) Title(s string) Figure {
	f.title = s
	return f
}

// Size returns a copy of width×height pixels, each between 200 and 2,000.
func (f Figure) Size(width, height int) Figure {
	f.width, f.height = min(max(width, 200), 2000), min(max(height, 200), 2000)
	return f
}

// Err returns what kept the figure from being drawn; Show prints it.
func (f Figure) Err() error { return f.err }

// Text returns the figure in words, its text/plain form.
func (f Figure) Text() string {
	if f.err != nil {
		return "figure not drawn: " + f.err.Error()
	}
	if f.note != "" {
		return cut(f.title) + "\n" + f.text + f.note + "\n"
	}
	return cut(f.title) + "\n" + f.text
}

// PNG draws the static twin.
func (f Figure) PNG() ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	f.title = cut(f.title)
	c, err := f.static(f)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = c.encode(&b)
	return b.Bytes(), err
}

// Bundle returns the figure as one bundle of MIME types: text/html (the chart
// over its static twin), image/png and text/plain.
func (f Figure) Bundle() (map[string]any, error) {
	picture, err := f.PNG()
	if err != nil {
		return nil, err
	}
	html, err := f.html(picture)
	if err != nil {
		return nil, err
	}
	return map[string]any{"text/html": html, "image/png": picture, "text/plain": f.Text()}, nil
}

// Show puts the figure into the notebook. In a program without one it prints the
// figure's text form.
func (f Figure) Show() {
	if !gonbui.IsNotebook {
		fmt.Println(f.Text())
		return
	}
	bundle, err := f.Bundle()
	if err != nil {
		fmt.Fprintln(os.Stderr, "viz: "+err.Error())
		return
	}
	msg := &protocol.DisplayData{Data: map[protocol.MIMEType]any{}}
	for mime, content := range bundle {
		msg.Data[protocol.MIMEType(mime)] = content
	}
	gonbui.SendData(msg)
	// Without it the last figures of a cell can be lost when its process ends.
	gonbui.Sync()
}

// failed is a figure that only says why it could not be drawn.
func failed(kind string, err error) Figure {
	return Figure{kind: kind, title: kind, err: err}
}
