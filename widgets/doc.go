// Package widgets puts controls into a notebook: the reader moves a slider, links two
// samples or labels a group, and the model is fitted again.
//
//	widgets.Explorer(ssdrnb.TRSDA(), usps).Show()
//
//	%%
//	widgets.ConstraintEditor(ssdrnb.SSDR(), usps).Name("first").Show()
//
//	%%
//	c := widgets.Constraints("first")            // in any later cell or kernel
//	model := ssdrnb.SSDR().MustFit(c.Apply(usps))
//
//	%%
//	widgets.Labeler(digits).Name("ten").Show()   // and widgets.Labels("ten") later
//
//	%%
//	widgets.Paint("moons").Show()                // and widgets.Painted("moons") later
//
// Package lesson checks the exercises of the lessons.
//
// # In the page
//
// Show draws the widget and ends its cell. The page then fits models by itself, with an engine
// built by install.sh: this library as a WebAssembly program in a Web Worker. The controls need no
// kernel. They still work after the kernel is shut down, and in the HTML file that the command
// "./install.sh page" makes of a notebook, without a server or a network. A line below the widget
// shows the progress while the engine starts and during fits that take more than 0.3 s, with a
// button that stops them. Widgets are as wide as their page, also on phones, and support touch: a
// tap selects a sample, a long press shows its card, two fingers zoom.
//
// A page computes with up to 5,000 samples and 2,000,000 numbers; for smooth controls a fit should
// take less than a tenth of a second in Go. The static picture remains where scripts do not run
// (GitHub, nbviewer, VS Code). If there is no engine, a sentence below the static picture explains
// why.
//
// Each change is stored at once in the browser's storage and, if there is a Jupyter server,
// in the folder ssdrnb-constraints beside the notebook; the highest revision wins.
// [Constraints], [Labels] and [Painted] read it in a later cell, and Show of a cell that runs
// again returns it. Export and Import move it to another browser.
//
// The engine has no network access and does not read the page. A strict content security
// policy must allow it by script-src 'wasm-unsafe-eval' with 'unsafe-inline' or the hashes
// of the page's scripts, worker-src blob:, style-src 'unsafe-inline' and img-src data:, and
// in Jupyter connect-src and script-src 'self'.
//
// # In the cell
//
// With Live() the cell computes, for larger data and longer fits. It runs until its Stop button,
// the notebook's interrupt or the idle limit ends it. Later cells wait until then; the first line
// of the widget explains this, and a Stop button stays in view. After %env SSDRNB_WAIT=off, the
// following cells show the static picture and end at once, for "Run all" and for headless
// executions. If no page answers, as in a headless execution, the cell ends after fifteen seconds
// and leaves the static picture. If the cell or the kernel dies, the page shows the static picture
// again within three seconds.
//
// Live widgets communicate with the page through GoNB's comm. GoNB's own front-end connects to
// ws:// at the root path. The front-end of this package uses the page's protocol and base URL, so
// that it also works behind https, JupyterHub and Binder. Importing the package installs a handler
// in front of gonbui.OnCommValueUpdate, which passes on the values of other widgets.
package widgets
