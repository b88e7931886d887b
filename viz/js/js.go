// Package js contains the scripts of figures and widgets. It also writes the HTML elements that
// contain the scripts and the data in notebook outputs. The sources are JavaScript modules, which
// npm run build bundles into the folder bundle; see .github/CONTRIBUTING.md.
//
// An output contains the packed script of its figure or widget. The page unpacks and runs each
// script once. The JupyterLab extension that install.sh installs ignores these scripts.
//
// The package is exported only because packages of several top-level folders share it.
package js

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strings"
	"sync"
)

// The packed scripts. Figures draws all kinds of figures, with selections and links between
// figures. It is part of exported files, of pages made by install.sh, and of the extension. The
// other scripts are smaller and are used in notebook outputs. Plain draws charts without samples.
// Samples, Many and Deep draw samples without selections: Many is for large numbers of samples, and
// Deep for three dimensions. Multiples draws small embeddings, and Tree draws trees of clusters.
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

// The loaders that run a script. bringing is the loader in an output that contains the script of
// its figure. waiting is the loader in an output that uses the script in another output of the same
// cell. loader starts a widget.
var (
	//go:embed bundle/inline.js
	bringing string
	//go:embed bundle/waiting.js
	waiting string
	//go:embed bundle/widget.js
	loader string
)

// Widget returns the script element that starts the widget whose data element has the given id. The
// exported page or the Jupyter server provides the script of widgets and the engine, which is this
// library as WebAssembly (see widgets/page).
func Widget(id string) string {
	return "<script>" + strings.ReplaceAll(strings.TrimSpace(loader), "@id", id) + "</script>"
}

// Inline returns the script element that runs a packed script for the data element with the given
// id.
func Inline(script, id string) string { return element(bringing, script, id) }

var (
	mu      sync.Mutex
	brought = map[string]bool{} // scripts that this cell has already output
)

// InCell is [Inline] for an output of the running cell. If an earlier output of the cell contains
// the script, InCell uses that script, because all outputs of a cell are run together and deleted
// together.
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
