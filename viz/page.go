package viz

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"strings"
)

// source is the script of a page: a loader of ECharts that runs once per page, the
// formatters of the figures, and what ECharts cannot draw by itself.
//
//go:embed figure.js
var source string

// script is the source without indentation and comment lines, because every figure of a
// notebook contains it.
var script = func() string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			b.WriteString(line + "\n")
		}
	}
	return strings.TrimSpace(b.String())
}()

// html returns the fragment of a notebook's output. The static picture comes first and
// is replaced when the chart is drawn; without scripts it stays.
func (f Figure) html(picture []byte) (string, error) {
	f.title = cut(f.title)
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="ssdrnb-figure" data-kind="%s" style="width:%dpx;height:%dpx;max-width:none">`, f.kind, f.width, f.height)
	fmt.Fprintf(&b, `<img alt="%s" width="%d" height="%d" src="data:image/png;base64,%s"></div>`,
		html.EscapeString(f.title), f.width, f.height, base64.StdEncoding.EncodeToString(picture))
	note := ""
	if f.note != "" {
		note = `<p style="font-size:12px;opacity:.7">` + html.EscapeString(f.note) + "</p>"
	}
	if f.option == nil {
		return b.String() + note, nil
	}
	option, extra := f.option(f)
	payload, err := json.Marshal(map[string]any{"kind": f.kind, "gl": f.gl, "option": option, "extra": extra})
	if err != nil {
		return "", fmt.Errorf("viz: %s: %w", f.kind, err)
	}
	// json.Marshal writes < > & as \u00XX: no text of the data can end the script.
	sum := sha256.Sum256(payload)
	id := "ssdrnb-" + hex.EncodeToString(sum[:6])
	fmt.Fprintf(&b, "<script type=\"application/json\" class=\"ssdrnb-data\" id=\"%s\">%s</script>", id, payload)
	fmt.Fprintf(&b, "<script>%s\n(%q);</script>", script, id)
	return b.String() + note, nil
}

// Page returns the figure as an HTML page. scripts is the source of ECharts, followed
// by that of echarts-gl for 3-D figures: the page then needs no network. With "" the
// page loads them.
func (f Figure) Page(scripts string) (string, error) {
	picture, err := f.PNG()
	if err != nil {
		return "", err
	}
	body, err := f.html(picture)
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
	return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + html.EscapeString(cut(f.title)) +
		"</title>" + head + "</head><body>" + body + "</body></html>\n", nil
}
