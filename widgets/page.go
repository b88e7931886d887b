package widgets

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/js"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// staticNote is the text shown with the picture of a live widget where scripts do not run.
const staticNote = "Static picture. The controls work in JupyterLab and Notebook 7 while this cell runs."

type output struct {
	id string // id of the display
}

func newOutput() output { return output{"ssdrnb-widget-" + gonbui.UniqueId()} }

// open sends the static picture, and the script that replaces the picture by the live widget.
func (o output) open(kind, address string, figure viz.Figure) error {
	picture, err := figure.PNG()
	if err != nil {
		return err
	}
	return o.draw(payload{Kind: kind, Address: address}, staticNote, figure, picture)
}

// page shows a widget that computes in the page. It returns without waiting for the widget.
func (o output) page(p pageTask, figure viz.Figure) error {
	picture, err := figure.PNG()
	if err != nil {
		return err
	}
	if err := o.draw(payload{Kind: p.Task.Kind, Page: &p}, pageNote, figure, picture); err != nil {
		return err
	}
	flush()
	return nil
}

// draw sends the static picture, and the script that replaces the picture by the widget.
func (o output) draw(p payload, note string, figure viz.Figure, picture []byte) error {
	fragment, err := p.fragment(note, figure.Text(), picture)
	if err != nil {
		return err
	}
	bundle := map[string]any{"text/html": fragment, "image/png": picture, "text/plain": figure.Text() + note}
	if p.Page != nil {
		bundle[pageMIME] = map[string]string{"data": "text/html"}
	}
	o.put(bundle)
	return nil
}

// pageMIME is the MIME type by which the notebook extension of install.sh recognises a widget that
// the page computes. An output with such a widget contains the widget as text/html. Its value for
// pageMIME contains only this type: {"data": "text/html"}.
const pageMIME = "application/vnd.ssdrnb.widget.v1+json"

// pageNote is shown with the picture of a widget that the page computes, where scripts do not run.
const pageNote = "Static picture. The controls work where scripts run: in JupyterLab, Notebook 7 and exported pages."

// payload contains the data that the script of a widget reads.
type payload struct {
	Kind    string    `json:"kind"`
	Address string    `json:"address,omitempty"` // address of the cell that serves the widget
	Kernel  string    `json:"kernel"`
	Page    *pageTask `json:"page,omitempty"` // set if the page computes the widget
}

type pageTask struct {
	Task interact.Task `json:"task"`
	// Name is the name under which the page stores changes, "" for none. Notebook identifies the
	// notebook. Stored is the content that the cell found, or nil.
	Name     string  `json:"name"`
	Notebook string  `json:"notebook"`
	Stored   *string `json:"stored"`
}

// longestWords bounds the number of characters in the description of the static picture.
const longestWords = 1000

// kernelID returns the identifier of the kernel, which is part of URLs of the Jupyter server.
func kernelID() string { return os.Getenv(protocol.GONB_JUPYTER_KERNEL_ID_ENV) }

// fragment returns the HTML of a widget that has not started yet. note is HTML, text is the
// alternative text of the picture, and picture is a PNG, or nil.
func (p payload) fragment(note, text string, picture []byte) (string, error) {
	p.Kernel = kernelID()
	payload, err := json.Marshal(p)
	if err == nil {
		err = bounds.Fits(payload)
	}
	if err != nil {
		return "", err
	}
	if r := []rune(text); len(r) > longestWords {
		text = string(r[:longestWords]) + "…"
	}
	var raw [6]byte
	_, _ = rand.Read(raw[:])
	id := "ssdrnb-" + hex.EncodeToString(raw[:])
	computes := ""
	if p.Page != nil {
		computes = ` data-page="yes"`
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="ssdrnb-widget" data-kind="%s"%s data-state="static"><p>%s</p>`, p.Kind, computes, note)
	if picture != nil {
		fmt.Fprintf(&b, `<img alt="%s" src="data:image/png;base64,%s">`, html.EscapeString(text), base64.StdEncoding.EncodeToString(picture))
	}
	b.WriteString("</div>")
	fmt.Fprintf(&b, `<script type="application/json" id="%s">%s</script>%s`, id, js.Data(payload), js.Widget(id))
	return b.String(), nil
}

// close replaces the controls by an ordinary figure with a note.
func (o output) close(figure viz.Figure, note string) {
	bundle, err := noted(figure, note)
	if err != nil {
		_ = complain(err)
		return
	}
	o.put(bundle)
	flush()
}

// noted returns the bundle of a figure with a note below it.
func noted(figure viz.Figure, note string) (map[string]any, error) {
	bundle, err := figure.Bundle()
	if err != nil {
		return nil, err
	}
	bundle["text/html"] = fmt.Sprint(bundle["text/html"]) + "<p>" + html.EscapeString(note) + "</p>"
	bundle["text/plain"] = fmt.Sprint(bundle["text/plain"]) + note
	return bundle, nil
}

// notWaited is the note of a widget that was not served because of SSDRNB_WAIT.
const notWaited = "No live controls, because SSDRNB_WAIT=off. %env SSDRNB_WAIT=on turns them on."

func (o output) put(bundle map[string]any) {
	msg := &protocol.DisplayData{Data: map[protocol.MIMEType]any{}, DisplayID: o.id}
	for mime, content := range bundle {
		msg.Data[protocol.MIMEType(mime)] = content
	}
	gonbui.SendData(msg)
}
