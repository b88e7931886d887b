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
// # In the page
//
// Show draws the picture and ends its cell; the page fits by itself, with an engine that
// install.sh has built: this library as a WebAssembly program in a Web Worker. The
// controls need no kernel. They go on after it was shut down, and in the page that
// "./install.sh page" makes of a notebook: a file that needs no server and no network.
// A line below the picture tells how far the start of the engine is, or a fit that takes more
// than 0.3 s, and has a button that stops it. Widgets are as wide as their page, from phones on,
// and take fingers: a tap chooses a sample, a long press shows its card, two fingers zoom.
//
// A page computes with up to 5,000 samples and 2,000,000 numbers; for comfort a fit
// should take less than a tenth of a second in Go. The static picture remains where
// scripts do not run (GitHub, nbviewer, VS Code), and with one sentence where there is
// no engine.
//
// Each change is stored at once in the browser's storage and, where there is a Jupyter
// server, in the folder ssdrnb-constraints beside the notebook; whichever has seen more
// changes counts. [Constraints], [Labels] and [Painted] read it in a later cell, and Show of a cell that runs
// again returns it. Export and Import move it to another browser.
//
// The engine has no network and reads nothing of the page. A strict content security
// policy has to allow it by script-src 'wasm-unsafe-eval' with 'unsafe-inline' or the
// hashes of the page's scripts, worker-src blob:, style-src 'unsafe-inline' and img-src
// data:, and in Jupyter connect-src and script-src 'self'.
//
// # In the cell
//
// With Live() the cell computes, for larger data and longer fits. It runs until its Stop
// button, the notebook's interrupt or the idle limit ends it; later cells wait, as the
// widget's first line says, and a Stop button stays in view. The line
// %env SSDRNB_WAIT=off makes the cells that follow show the picture and go on at once,
// for "Run all" and for executions without a reader. If no page answers, as in a headless
// execution, the cell ends after fifteen seconds and leaves the static picture. A page
// returns to that within three seconds if the cell or the kernel dies.
//
// Such widgets talk to the page through GoNB's comm. GoNB's own front-end connects to
// ws:// at the root path. The one of this package uses the page's protocol and base URL,
// so that it also works behind https, JupyterHub and Binder. Importing the package puts a
// handler in front of gonbui.OnCommValueUpdate, which passes on the values of other widgets.
package widgets
