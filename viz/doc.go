// Package viz draws models and data in notebooks. A figure is an interactive chart, or a static
// picture where scripts do not run.
//
//	viz.Embedding(model).Color("age").Labels().Show()
//
// # Figures
//
// Most functions return a [Figure]. Show displays it, Save writes a file, and Err reports why it
// cannot be drawn.
//
//   - Embeddings: [Embedding] of one model, [Compare] of several side by side, [Multiples] of many.
//     [Samples] makes an embedding of data without a model. [Recommended] draws the best methods of
//     a ranking.
//   - Embeddings with edges: [GraphLinks] of a graph, [PairLinks] of constraints, [Distortion] of
//     lost neighbourhoods.
//   - Meaning of the dimensions: [Loadings]. Differences between a group and the other samples:
//     [Contrast]. Density clusters: [Tree].
//   - Predictions: [Field] of functions over planes, which [Around] or [Uncertainty] returns;
//     [Boundaries] of linear models with two features; [Calibration] of probabilities.
//   - Experiments: [Mesh] of a sweep over two options, [Curves] and [CurvePanels] over one,
//     [Bars] of methods on several data sets, [TargetCurve] of predictions by the share of known
//     values.
//   - Solvers and graphs: [Convergence], [Adjacency].
//   - Images: [Pictures] of [Thumbnails], [Regions], [Scribbles], or images [Decoded] along a path.
//   - Metrics: [Cone].
//
// In a notebook that imports viz, long fits show progress bars, see [ShowProgress].
//
// # Styles
//
// All figures support [Figure.Title] and [Figure.Size], and for files [Figure.Width],
// [Figure.FontSize] and [Figure.Dark]. Embeddings with or without edges, except those drawn by
// [Multiples] and [Recommended], also support the following:
//
//   - Values of features, attributes, slices or a [Fact] of the model: [Figure.Color] with
//     [Figure.Palette], [Figure.PointSize], [Figure.Opacity], and [Figure.Hover] for the hover
//     card.
//   - Samples: [Figure.Only] and [Figure.Highlight] of some rows, [Figure.Symbols] for readers
//     without colours.
//   - Overlays: [Figure.Labels], [Figure.Named], [Figure.Thumbnails], [Figure.Density],
//     [Figure.Arrows], and [Figure.Axes] to hide the axes.
//
// # Selection
//
// An embedding in two dimensions has buttons for selecting samples with a lasso or a box. Shift
// adds to a selection, and Escape clears it. A table below the figure lists the selected samples.
// [Selection] reads a stored selection in a later cell. After [Figure.Contrast], a list below the
// figure also shows the features in which the selection differs.
//
// Hover, selection and hidden classes are shared by all figures of the same samples in a page,
// including [Multiples]. Embeddings in three dimensions send hover events but do not receive them.
// Another button moves the samples from one panel of [Compare] to the next.
//
// # Page
//
// A figure is as wide as the page and wraps its panels. The wheel scrolls the page; with Ctrl, or
// after a click into the figure, it zooms. Buttons zoom, pan, and reset the view. Warnings
// of the models are listed below their figure.
//
// # Keyboard
//
// Tab focuses a figure, which then shows a line that lists its keys. An arrow key moves to the next
// sample in its direction or, with Shift, to a more distant one. The figure shows the hover card of
// the sample, screen readers read it, and other panels and figures mark the sample. Page Up and
// Page Down move to another panel, Enter or Space toggles the selection of the sample, + and −
// zoom, and 0 resets the zoom. In three dimensions, arrow keys rotate the view. Tab moves on to the
// legend, where Space toggles an entry, and then to the buttons. Escape leaves the sample, then the
// selection, then the figure.
package viz
