// Package widgets puts live controls into a notebook: the reader moves a slider, links
// two samples or labels a group, and the model is fitted again.
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
// A cell that shows a widget runs until its Stop button, the notebook's interrupt or
// the idle limit ends it; later cells wait, as the widget's first line says, and a Stop
// button stays in view. The line %env SSDRNB_WAIT=off makes the cells that follow show
// the picture and go on at once, for "Run all" and for executions without a reader. If no page answers, as in a headless
// execution, it ends after five seconds and leaves the static picture. The static
// picture with one sentence also remains where scripts do not run, and a page returns
// to it within three seconds if the cell or the kernel dies.
//
// Widgets talk to the page through GoNB's comm. GoNB's own front-end connects to ws://
// at the root path. The one of this package uses the page's protocol and base URL, so
// that it also works behind https, JupyterHub and Binder.
package widgets
