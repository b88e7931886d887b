// Package js has the scripts of figures and widgets, and writes the HTML elements for scripts and
// data in the outputs of a notebook. Its sources are modules of JavaScript, which npm run build
// bundles into the folder bundle; see .github/CONTRIBUTING.md.
//
// An output contains the packed script of its figure or widget; the page unpacks and runs each
// script once. JupyterLab with the extension of install.sh ignores these scripts.
//
// It is exported only because packages of several top-level folders share it.
package js

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strings"
	"sync"
)

// The packed scripts of notebook outputs: for charts, for charts of samples, of many samples and in
// three dimensions, for small embeddings, and for trees. They only draw. Figures also has
// selections and links between figures; exported files, pages of install.sh and the extension
// contain it.
var (
	//go:embed bundle/figures.packed
	Figures string
	//go:embed bundle/plain.packed
	Plain string
	//go:embed bundle/samples.packed
	Samples string
	//go:embed bundle/many.packed
	Many string
	//go:embed bundle/deep.packed
	Deep string
	//go:embed bundle/multiples.packed
	Multiples string
	//go:embed bundle/tree.packed
	Tree string
)

// The programs that run a script. bringing contains the script; waiting waits for the script of
// another output of the same cell.
var (
	//go:embed bundle/inline.js
	bringing string
	//go:embed bundle/waiting.js
	waiting string
	//go:embed bundle/widget.js
	loader string
)

// Widget is the script element that starts the widget whose data element has an id. The script of
// widgets comes from where their engine is: an exported page or the Jupyter server.
func Widget(id string) string {
	return "<script>" + strings.ReplaceAll(strings.TrimSpace(loader), "@id", id) + "</script>"
}

// Inline is the script element that runs a packed script for the data element with an id.
func Inline(script, id string) string { return element(bringing, script, id) }

var (
	mu      sync.Mutex
	brought = map[string]bool{} // by this cell
)

// InCell is Inline for outputs of a cell, which run and are deleted together: only the first
// output with a script contains it.
func InCell(script, id string) string {
	mu.Lock()
	defer mu.Unlock()
	if brought[script] {
		return element(waiting, script, id)
	}
	brought[script] = true
	return Inline(script, id)
}

func element(program, script, id string) string {
	sum := sha256.Sum256([]byte(script))
	return "<script>" + strings.NewReplacer("@name", hex.EncodeToString(sum[:4]), "@id", id, "@code", script).Replace(strings.TrimSpace(program)) + "</script>"
}
