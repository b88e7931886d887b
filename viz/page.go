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
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/js"
	"github.com/ssdrnb/ssdrnb/viz/store"
)

// widest is the width in pixels at which figures stop growing with the page.
const widest = 1600

// noteLine is a line below a figure.
const noteLine = `<p class="ssdrnb-%s" style="font-size:12px;opacity:.75;margin:2px 0">%s</p>`

// staticNote says why a picture is static, and what to do. The script takes it away.
const staticNote = "Static picture: this page runs no scripts. In JupyterLab, trust the notebook for the chart: Ctrl+Shift+C, Trust Notebook."

// darkStyle turns a static figure's brightness around in the dark themes of JupyterLab and VS
// Code, and where the reader's system is dark in pages without a theme. Hues stay, and a script
// draws the samples over it in their own colours.
const (
	turned    = `.ssdrnb-figure[data-kind="multiples"]>img{filter:invert(.93) hue-rotate(180deg)}`
	darkStyle = `<style>body:is([data-jp-theme-light="false"],[data-vscode-theme-kind="vscode-dark"],[data-vscode-theme-kind="vscode-high-contrast"]) ` + turned +
		`@media screen and (prefers-color-scheme:dark){body:not([data-jp-theme-light],[data-vscode-theme-kind]) ` + turned + `}</style>`
)

// narrowStyle chooses the picture for a narrow page. Where styles are not allowed, the
// wide one is seen.
const narrowStyle = `<style>.ssdrnb-figure[data-kind="multiples"]{container-type:inline-size}` +
	`@container (max-width:720px){.ssdrnb-figure>.ssdrnb-wide{display:none}.ssdrnb-figure>.ssdrnb-narrow{display:inline!important}}</style>`

// alternative is the figure in one line, for readers who hear it: its title and its numbers.
// What stands below the figure is text already.
func (f Figure) alternative() string {
	const most = 1000
	parts := []string{}
	for line := range strings.Lines(f.title + "\n" + f.text) {
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

// html returns the fragment of a notebook's output. The static picture comes first and
// is replaced when the chart is drawn; without scripts it stays. run is what runs a script.
func (f Figure) html(picture []byte, run func(script, id string) string) (string, error) {
	f.title = cut(f.title)
	var b strings.Builder
	width, most, fill := "100%", fmt.Sprintf("%dpx", widest), "max-width" // as wide as the page, up to what an eye takes in
	switch {
	case f.given:
		width, most = fmt.Sprintf("%dpx", f.width), "100%"
	case f.option == nil: // the picture itself is as wide, and not much enlarged
		most, fill = fmt.Sprintf("%dpx", f.width*5/4), "width"
	}
	if f.option == nil { // a picture without a chart: black on white, which would glare in a dark page
		b.WriteString(darkStyle)
	}
	fmt.Fprintf(&b, `<div class="ssdrnb-figure" data-kind="%s" style="position:relative;width:%s;max-width:%s">`, f.kind, width, most)
	image := func(f Figure, picture []byte, class, style string) {
		fmt.Fprintf(&b, `<img%s alt="%s" width="%d" style="%s" src="data:image/png;base64,%s">`, class, html.EscapeString(f.alternative()), f.width, style, base64.StdEncoding.EncodeToString(picture))
	}
	class, style := "", fill+":100%;height:auto"
	if f.narrow != nil && !f.given {
		again := f.narrow(f)
		small, err := again.PNG()
		if err != nil {
			return "", err
		}
		b.WriteString(narrowStyle)
		class = ` class="ssdrnb-wide"`
		image(again, small, ` class="ssdrnb-narrow"`, "display:none;"+style)
	}
	image(f, picture, class, style)
	var notes strings.Builder
	for _, n := range f.below() {
		fmt.Fprintf(&notes, noteLine, "note", html.EscapeString(n))
	}
	var content map[string]any
	script := js.Plain
	switch {
	case f.option != nil:
		fmt.Fprintf(&b, noteLine, "static", staticNote)
		option, extra := f.option(f)
		if n := reflect.ValueOf(option["series"]).Len(); extra["panels"] != nil && n > bounds.Series {
			return "", fmt.Errorf("viz: %s: %d classes and groups in %d panels are more than the %d that a figure holds; draw fewer panels, or viz.Multiples", f.kind, n, f.layout.Count, bounds.Series)
		}
		height := 0 // the page chooses
		if f.given {
			height = f.height
		}
		switch {
		case extra["many"] == true:
			script = js.Many
		case f.gl:
			script = js.Deep
		case extra["panels"] != nil:
			script = js.Samples
		}
		content = map[string]any{"kind": f.kind, "gl": f.gl, "option": option, "extra": extra, "layout": f.layout, "height": height}
	case f.linked != nil:
		content, script = f.linked(f), js.Multiples
	default:
		return b.String() + "</div>" + notes.String(), nil
	}
	b.WriteString("</div>")
	payload, err := json.Marshal(content)
	if err != nil {
		return "", fmt.Errorf("viz: %s: %w", f.kind, err)
	}
	if err := bounds.Fits(payload); err != nil {
		return "", fmt.Errorf("viz: %s: %w; draw fewer panels or samples, or show fewer values by Hover", f.kind, err)
	}
	// json.Marshal writes < > & as \u00XX: no text of the data can end the script.
	sum := sha256.Sum256(payload)
	id := "ssdrnb-" + hex.EncodeToString(sum[:6])
	deep := ""
	if f.gl {
		deep = ` data-gl="yes"` // for exports, which carry echarts-gl where it is needed
	}
	fmt.Fprintf(&b, "<script type=\"application/json\" class=\"ssdrnb-data\" id=\"%s\"%s%s>%s</script>", id, deep, home(), js.Data(payload))
	b.WriteString(run(script, id))
	return b.String() + notes.String(), nil
}

// home says for which notebook and kernel a figure is drawn, so that what a reader selects
// is stored there.
func home() string {
	kernel := os.Getenv(protocol.GONB_JUPYTER_KERNEL_ID_ENV)
	if kernel == "" {
		return ""
	}
	return fmt.Sprintf(` data-kernel="%s" data-notebook="%s"`, html.EscapeString(kernel), html.EscapeString(store.Notebook()))
}

// Page returns the figure as an HTML page. scripts is the source of ECharts, followed
// by that of echarts-gl for 3-D figures: the page then needs no network. With "" the
// page loads them. The page is dark where the reader's system is, or after [Figure.Dark], and
// otherwise light, as it is on paper.
func (f Figure) Page(scripts string) (string, error) {
	tone := `content="light dark"`
	theme := ""
	if f.dark {
		tone, theme = `content="dark"`, ` data-jp-theme-light="false" style="background:#111;color:#ddd"`
		f.dark = f.option != nil // the page turns the brightness of a mere picture around
	}
	picture, lacks, err := f.still()
	if err != nil {
		return "", err
	}
	f = f.noted(lacks)
	body, err := f.html(picture, func(_, id string) string { return js.Inline(js.Figures, id) })
	if err != nil {
		return "", err
	}
	head := ""
	if scripts != "" {
		head = "<script>" + strings.ReplaceAll(scripts, "</script", `<\/script`) + "</script>"
		if f.gl {
			head += "<script>window.__ssdrnbInlineGL = true;</script>" // the loader does not need to fetch it
		}
	}
	return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"color-scheme\" " + tone + "><title>" + html.EscapeString(cut(f.title)) +
		"</title>" + head + "</head><body" + theme + ">" + body + "</body></html>\n", nil
}

// Save writes the figure into a file: its static picture where path ends in ".png", ".svg"
// or ".pdf", whose text stays text and whose size [Figure.Width] sets, and the chart as a
// page where it ends in ".html". In a notebook the page contains ECharts
// and needs no network; where SSDRNB_HOME does not name the folder of install.sh, the
// page loads ECharts. [Figure.Page] says when it is dark. In a notebook Save tells what became of the file. PNG and PDF files show characters
// that the library's font lacks, such as Chinese ones and emoji, by a font of the computer;
// if none has them, a line on the standard error says so, as one below the figure does.
// SSDRNB_FONTS names further folders of fonts. Arabic letters are joined without the
// ligatures of a font, and Indic scripts are drawn letter by letter, which a line tells too.
func (f Figure) Save(path string) error {
	size, err := f.save(path)
	return files.Tell("viz", path, size, err)
}

// MustSave is Save for notebook cells: a failure ends the cell there; in a program it panics
// with the error.
func (f Figure) MustSave(path string) {
	if err := f.Save(path); err != nil {
		if files.InNotebook() {
			os.Exit(1) // Save has told why
		}
		panic(err)
	}
}

// save writes the figure into a file and returns its size in words.
func (f Figure) save(path string) (size string, err error) {
	var content []byte
	var lacks string
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".png":
		content, lacks, err = f.still()
		if at, _, e := image.DecodeConfig(bytes.NewReader(content)); e == nil {
			size = fmt.Sprintf("%d × %d pixels", at.Width, at.Height)
		}
	case ".svg", ".pdf":
		content, lacks, err = f.drawnAs(ext)
		size = fmt.Sprintf("%.4g mm wide", cmp.Or(f.millimeters, paperWidth))
	case ".html":
		var page string
		page, err = f.Page(f.scripts())
		content = []byte(page)
	default:
		err = fmt.Errorf("viz: cannot save a figure as %q; end the name in .png, .svg, .pdf or .html", filepath.Base(path))
	}
	if err != nil {
		return "", err
	}
	if lacks != "" {
		fmt.Fprintf(os.Stderr, "viz: %s: %s\n", filepath.Base(path), lacks)
	}
	return size, files.Failure("viz: Save", path, files.Write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}))
}

// scripts is the source of what draws the figure, "" where it was not set up.
func (f Figure) scripts() string {
	home := os.Getenv("SSDRNB_HOME")
	if home == "" || f.option == nil {
		return ""
	}
	names := []string{"echarts.min.js"}
	if f.gl {
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
