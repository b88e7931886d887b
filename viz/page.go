package viz

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/js"
	"github.com/ssdrnb/ssdrnb/viz/store"
)

// widest is the maximum width in pixels to which figures grow with the page.
const widest = 1600

// noteLine is the HTML format of a line below a figure. Its arguments are the part of the CSS class
// name after "ssdrnb-", and the text.
const noteLine = `<p class="ssdrnb-%s" style="font-size:12px;opacity:.75;margin:2px 0">%s</p>`

// staticNote explains why a picture is static and how to get the chart. The page's script removes
// this note.
const staticNote = "Static picture, because scripts do not run here. To see the interactive chart in JupyterLab, trust the notebook: press Ctrl+Shift+C and choose Trust Notebook."

const savedNote = "Static picture, because scripts do not run here. Allow the scripts of this page to see the interactive chart."

// darkStyle inverts the brightness of a static figure in the dark themes of JupyterLab and VS Code,
// and on pages without a theme if the reader's system is set to a dark theme. Hues do not change.
// Samples keep their colours, because the script draws them on top.
const (
	turned    = `.ssdrnb-figure:is([data-kind="multiples"],[data-kind="tree"])>img{filter:invert(.93) hue-rotate(180deg)}`
	darkStyle = `<style>body:is([data-jp-theme-light="false"],[data-vscode-theme-kind="vscode-dark"],[data-vscode-theme-kind="vscode-high-contrast"]) ` + turned +
		`@media screen and (prefers-color-scheme:dark){body:not([data-jp-theme-light],[data-vscode-theme-kind]) ` + turned + `}</style>`
)

// narrowStyle selects the picture for narrow pages. Viewers that remove styles show the wide
// picture.
const narrowStyle = `<style>.ssdrnb-figure[data-kind="multiples"]{container-type:inline-size}` +
	`@container (max-width:720px){.ssdrnb-figure>.ssdrnb-wide{display:none}.ssdrnb-figure>.ssdrnb-narrow{display:inline!important}}</style>`

// alternative returns a description of a drawing for screen readers, in one line: its title and its
// text form. It omits the lines below the figure, which screen readers can read themselves.
func (s sheet) alternative(d drawing) string {
	const most = 1000
	parts := []string{}
	for line := range strings.Lines(s.title + "\n" + d.arrangement().text) {
		if line = strings.TrimSpace(line); line != "" {
			parts = append(parts, line)
		}
	}
	out := []rune(strings.Join(parts, ". "))
	if len(out) > most {
		out = append(out[:most], '…')
	}
	return string(out)
}

// html returns the HTML of a notebook output. live is true if the page's script draws in the
// output. The HTML contains the static picture, which the chart replaces. If scripts do not run,
// the picture remains, followed by the text in static. The function run returns the element that
// runs a script for the data with the given id.
func (f Figure) html(d drawing, on sheet, picture []byte, below []string, static string, run func(script, id string) string) (fragment string, live bool, err error) {
	drawn, isChart := d.(charter)
	var b strings.Builder
	width, most, fill := "100%", fmt.Sprintf("%dpx", widest), "max-width" // as wide as the page, up to widest
	switch {
	case f.sized():
		width, most = fmt.Sprintf("%dpx", on.width), "100%"
	case !isChart: // a picture grows by at most a quarter
		most, fill = fmt.Sprintf("%dpx", on.width*5/4), "width"
	}
	if !isChart { // a bright picture would glare in a dark page
		b.WriteString(darkStyle)
	}
	fmt.Fprintf(&b, `<div class="ssdrnb-figure" data-kind="%s" style="position:relative;width:%s;max-width:%s">`, f.kind, width, most)
	image := func(d drawing, on sheet, picture []byte, class, style string) {
		fmt.Fprintf(&b, `<img%s alt="%s" width="%d" style="%s" src="data:image/png;base64,%s">`, class, html.EscapeString(on.alternative(d)), on.width, style, base64.StdEncoding.EncodeToString(picture))
	}
	class, style := "", fill+":100%;height:auto"
	if n, ok := d.(narrower); ok && !f.sized() {
		small := n.narrow()
		narrow := f.sheet(small)
		narrow.dark = on.dark
		picture, _, err := render(small, narrow)
		if err != nil {
			return "", false, err
		}
		b.WriteString(narrowStyle)
		class = ` class="ssdrnb-wide"`
		image(small, narrow, picture, ` class="ssdrnb-narrow"`, "display:none;"+style)
	}
	image(d, on, picture, class, style)
	var notes strings.Builder
	for _, n := range below {
		fmt.Fprintf(&notes, noteLine, "note", html.EscapeString(n))
	}
	var content any
	script, deep := js.Plain, ""
	if isChart {
		fmt.Fprintf(&b, noteLine, "static", static)
		c, err := f.chart(drawn, d.arrangement().gl, on)
		if err != nil {
			return "", false, err
		}
		samples, ok := c.Extra.(*chart.Samples)
		switch {
		case c.GL:
			script, deep = js.Deep, ` data-gl="yes"` // exports need this mark to add echarts-gl
		case ok && samples.Many:
			script = js.Many
		case ok:
			script = js.Samples
		}
		content = c
	} else if l, ok := d.(linker); ok {
		content, script = l.links(on)
	}
	b.WriteString("</div>")
	if content == nil {
		return b.String() + notes.String(), false, nil
	}
	payload, err := json.Marshal(content)
	if err != nil {
		return "", false, fmt.Errorf("viz: %s: %w", f.kind, err)
	}
	if err := bounds.Fits(payload); err != nil {
		return "", false, fmt.Errorf("viz: %s: %w; draw fewer panels or samples, or list fewer names in Hover", f.kind, err)
	}
	// json.Marshal writes < > & as \u00XX, so text in the data cannot end the script element.
	sum := sha256.Sum256(payload)
	id := "ssdrnb-" + hex.EncodeToString(sum[:6])
	fmt.Fprintf(&b, "<script type=\"application/json\" class=\"ssdrnb-data\" id=\"%s\"%s%s>%s</script>", id, deep, home(), js.Data(payload))
	b.WriteString(run(script, id))
	return b.String() + notes.String(), true, nil
}

func (f Figure) chart(d charter, gl bool, on sheet) (*chart.Figure, error) {
	option, extra := d.option(on)
	if _, ok := extra.(*chart.Samples); ok {
		if n := len(chart.SeriesOf(option)); n > bounds.Series {
			return nil, fmt.Errorf("viz: %s: there are %d classes and groups in %d panels, but at most %d are allowed; draw fewer panels, or viz.Multiples", f.kind, n, on.layout.Count, bounds.Series)
		}
	}
	return &chart.Figure{Kind: f.kind, GL: gl, Option: option, Extra: extra, Layout: (*chart.Layout)(on.layout), Height: f.height}, nil
}

// home returns HTML attributes with the identifiers of the notebook and the kernel, or "" without a
// Jupyter kernel. The page needs them to store selections.
func home() string {
	kernel := os.Getenv(protocol.GONB_JUPYTER_KERNEL_ID_ENV)
	if kernel == "" {
		return ""
	}
	return fmt.Sprintf(` data-kernel="%s" data-notebook="%s"`, html.EscapeString(kernel), html.EscapeString(store.Notebook()))
}

// Page returns the figure as an HTML page. scripts is the JavaScript source of ECharts, followed by
// that of echarts-gl for figures in three dimensions. With scripts, the page needs no network. If
// scripts is "", the page loads the libraries from the network. The page is dark after
// [Figure.Dark]. Otherwise it is dark if the reader's system is set to a dark theme, but light when
// printed.
func (f Figure) Page(scripts string) (string, error) {
	d, err := f.drawn()
	if err != nil {
		return "", err
	}
	on := f.sheet(d)
	_, isChart := d.(charter)
	tone := `content="light dark"`
	theme := ` style="font-family:sans-serif"`
	if f.dark {
		tone, theme = `content="dark"`, ` data-jp-theme-light="false" style="font-family:sans-serif;background:#111;color:#ddd"`
		on.dark = isChart // without a chart, the style of the page darkens the picture
	}
	picture, lacks, err := render(d, on)
	if err != nil {
		return "", err
	}
	body, _, err := f.html(d, on, picture, linesBelow(d, lacks), savedNote, func(_, id string) string { return js.Inline(js.Figures, id) })
	if err != nil {
		return "", err
	}
	head := ""
	if scripts != "" {
		head = "<script>" + strings.ReplaceAll(scripts, "</script", `<\/script`) + "</script>"
		if d.arrangement().gl {
			// Tell the page's script that echarts-gl is already in the page.
			head += "<script>window.__ssdrnbInlineGL = true;</script>"
		}
	}
	return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" " + tone + "><title>" + html.EscapeString(on.title) +
		"</title>" + head + "</head><body" + theme + ">" + body + "</body></html>\n", nil
}

// linesBelow returns the lines below a drawing, including a line about characters without a glyph.
func linesBelow(d drawing, lacks string) []string {
	return append(slices.Clone(d.footnotes()), present(lacks)...)
}

// Save writes the figure to a file. The extension of path selects the format: ".png", ".svg" or
// ".pdf" for the static picture, and ".html" for a page with the interactive chart. SVG and PDF
// files store text as text, not as outlines. [Figure.Width] sets the width of SVG and PDF files,
// and [Figure.Size] sets the size of PNG files and pages in pixels.
//
// If the environment variable SSDRNB_HOME names the folder of install.sh, as it does in notebooks,
// an HTML page contains ECharts and needs no network. Otherwise it loads ECharts from the network.
// Pages with a static picture, such as those of [Multiples], never need the network. [Figure.Page]
// describes the theme of the page.
//
// If the library's font lacks a glyph, for example that of a Chinese character or an emoji, PNG and
// PDF files use the fonts of the computer and of the folders in SSDRNB_FONTS. On standard error,
// Save reports the characters for which no font has a glyph; HTML pages report them below the
// figure. Text in Indic scripts is reported in the same way, because PNG and PDF files draw it
// letter by letter. Arabic letters are joined without ligatures.
//
// Save replaces an existing file as a whole: a symbolic link is replaced rather than followed, and
// the new file has the default permissions.
//
// In a notebook, Save prints the path and the size of the file, or the error.
func (f Figure) Save(path string) error {
	size, err := f.save(path)
	return files.Tell("viz", path, size, err)
}

// MustSave is Save for notebook cells: an error ends the cell. In a program it panics.
func (f Figure) MustSave(path string) {
	if err := f.Save(path); err != nil {
		if files.InNotebook() {
			os.Exit(1) // Save has printed the error
		}
		panic(err)
	}
}

// save writes the figure to a file and returns its size as text: pixels for PNG, millimetres for
// SVG and PDF, "" for HTML.
func (f Figure) save(path string) (size string, err error) {
	d, err := f.drawn()
	var content []byte
	var lacks string
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case path == "":
		err = fmt.Errorf("viz: Save: the file name is empty; give a name that ends in .png, .svg, .pdf or .html")
	case !slices.Contains([]string{".png", ".svg", ".pdf", ".html"}, ext):
		err = fmt.Errorf("viz: Save: %q does not end in the extension of a supported format; end the name in .png, .svg, .pdf or .html", filepath.Base(path))
	case err != nil:
	case ext == ".png":
		content, lacks, err = render(d, f.sheet(d))
		if at, _, e := image.DecodeConfig(bytes.NewReader(content)); e == nil {
			size = fmt.Sprintf("%d × %d pixels", at.Width, at.Height)
		}
	case ext == ".html":
		var page string
		page, err = f.Page(scripts(d))
		content = []byte(page)
	default:
		var on sheet
		if d, on, err = f.printed(d, ext); err == nil {
			content, lacks, err = render(d, on)
		}
		size = fmt.Sprintf("%.4g mm wide", cmp.Or(f.millimeters, paperWidth))
	}
	if err != nil {
		return "", err
	}
	if lacks != "" {
		fmt.Fprintf(os.Stderr, "viz: %s: %s\n", filepath.Base(path), lacks)
	}
	return size, files.Failure("viz: Save", path, files.WriteBytes(path, content))
}

// scripts returns the source of the libraries that a drawing needs. It returns "" if the drawing is
// not a chart, or if install.sh has not installed the libraries.
func scripts(d drawing) string {
	home := os.Getenv("SSDRNB_HOME")
	if _, isChart := d.(charter); home == "" || !isChart {
		return ""
	}
	names := []string{"echarts.min.js"}
	if d.arrangement().gl {
		names = append(names, "echarts-gl.min.js")
	}
	var all strings.Builder
	for _, name := range names {
		source, err := files.ReadFile(filepath.Join(home, "web", name), 64<<20)
		if err != nil {
			return ""
		}
		all.Write(source)
		all.WriteString(";\n")
	}
	return all.String()
}
