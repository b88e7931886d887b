// Package bounds has the largest figures and widgets that packages viz and widgets make, so that
// the description of package viz/schema, by which the extension of JupyterLab refuses data, is
// theirs. It is apart from the description because every cell that draws imports it.
package bounds

const (
	Data   = 64 << 20   // UTF-16 units in the data of a figure or widget; what is longer is not parsed
	Panels = 100        // of a figure
	Tiles  = 200        // small embeddings of a figure whose samples are linked to those of others
	Series = 2_500      // of a figure of samples
	Drawn  = 1_000_000  // values of all series that ECharts draws: samples, links, thumbnails
	Many   = 1_000_000  // samples of a panel that the page paints
	Points = 100_000    // of all curves, of the samples of a panel that ECharts draws
	Traced = 4 * Points // steps of solvers
	Curves = 600        // of a figure
	Bars   = 2_000      // of a figure
	Cells  = 100_000    // of a mesh
	Links  = 10_000     // lines between samples
)
