// Package widgets puts live controls into a notebook: the reader moves a slider,
// links two samples or labels a group, and the model answers.
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
// A cell that shows a widget runs until its Stop button, the notebook's interrupt
// or the idle limit ends it; later cells wait. Where no page answers, as in an
// export or a headless execution, it ends after five seconds and leaves the
// static picture. The picture with one sentence is also what remains wherever
// scripts do not run, and what a page falls back to within three seconds when
// the cell or the kernel dies.
//
// Widgets talk to the page through GoNB's comm. GoNB's own front-end asks for
// ws:// and the root path; the one of this package follows the page's protocol
// and base URL, so that it works behind https, JupyterHub and Binder too.
package widgets
