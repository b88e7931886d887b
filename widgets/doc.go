// Package widgets provides interactive controls for notebooks. The reader moves a slider, links two
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
// Package lesson checks the exercises of lessons.
//
// The parts of a lesson have these names:
//
//   - beat: a step of a lesson, with a text, a [Stage] and often a question, see [Lesson].
//   - dial: a slider, menu or switch of a stage.
//   - meter: a number that a stage shows, such as "spread kept".
//   - move: an action of the reader on a stage, such as a turn of a dial.
//   - hand: an action on a plot, such as dragging a mark or linking two samples.
//   - group: the class of a sample.
//   - ringed sample: a sample drawn with a ring, because its label is visible to the methods.
//   - shadow: the projection of a point cloud along the line of sight, see [Projector].
//   - twin: a null data set, a copy of the data with independently shuffled features, see [Lineup].
//   - stranger: a new picture of a class that the model was not fitted to, see [Map].
//   - ruler: the classification of samples by the nearest labelled sample in the data, see [Ruler].
//   - rumour: label propagation along the links of a neighbourhood graph, see [Rumour].
//
// # In the page
//
// Show draws the widget, and the cell ends. The page then fits models itself. Its engine is this
// library, which install.sh builds as a WebAssembly program that runs in a Web Worker. The controls
// need no kernel, so they work after the kernel is shut down. They also work without a server or a
// network, in the HTML file that the command "./install.sh page" makes from a notebook. While the
// engine starts, and during fits that take more than 0.3 s, a line below the widget shows the
// progress with a button to stop the work. Widgets are as wide as their page, also on phones, and
// support touch: a tap selects a sample, a long press shows its card, and two fingers zoom.
//
// A page computes with up to 5,000 samples and 2,000,000 values (samples times features). For
// smooth controls a fit should take less than a tenth of a second in Go. The static picture remains
// where scripts do not run (GitHub, nbviewer, VS Code). If the engine does not start, a line below
// the static picture explains why.
//
// Each change is stored at once in the browser's storage and, if there is a Jupyter server, in the
// folder ssdrnb-constraints beside the notebook. If the two copies differ, the one with the higher
// revision is used. [Constraints], [Labels] and [Painted] read the stored content in a later cell,
// and Show returns it when the cell runs again. The buttons Export and Import move the content to
// another browser. Only one widget of a page can store drawings under a name. If the notebook is
// open in two pages, the first page to store a change continues, and the other reports that its
// changes are not saved.
//
// The engine has no network access and does not read the page. If a page has a strict content
// security policy, this policy must contain script-src 'wasm-unsafe-eval' with either
// 'unsafe-inline' or the hashes of the page's scripts, worker-src blob:, style-src 'unsafe-inline'
// and img-src data:. In Jupyter it must also contain connect-src 'self' and script-src 'self'.
//
// # In the cell
//
// With Live(), the cell rather than the page does the computing, which allows larger data and
// longer fits. The cell runs until the reader presses Stop, interrupts the notebook or reaches the
// idle limit. Later cells wait until then. The first line of the widget explains this, and the Stop
// button always stays visible. After %env SSDRNB_WAIT=off, widgets with Live() show the static
// picture and their cells end at once. This is useful for "Run all" and for headless execution. If
// no page answers, as in a headless execution, the cell ends after fifteen seconds and leaves the
// static picture. If the cell or the kernel dies, the page shows the static picture again within
// three seconds.
//
// Live widgets communicate with the page through GoNB's comm. GoNB's own front-end connects to
// ws:// at the root path. The front-end of this package uses the page's protocol and base URL, so
// that it also works behind https, JupyterHub and Binder. Importing the package replaces
// gonbui.OnCommValueUpdate by a handler that passes the values of other widgets on to the previous
// handler.
package widgets
