// Package ssdrnb draws maps of data with a few labelled samples. Similar samples lie close
// together, and the labels shape the map. It has semi-supervised methods, which use labelled and
// unlabelled samples, the supervised and unsupervised methods that papers compare them with, and
// tools for experiments.
//
// A method is a builder with its options, and Fit makes a [Model]:
//
//	digits := datasets.Digits().KeepLabels(5).Seed(1) // 5 labels per class, the rest are hidden
//	model, err := ssdrnb.S2NE().Fit(digits)
//	y := model.Embedding()          // n×2, the position of each sample on the map, one per row
//	z, err := model.Transform(more) // new samples, as many features
//
// [S2NE] draws islands and needs no labels at all. [SDA] has axes that can be explained.
// [Recommend] tries methods on your data and ranks them on labels that it hides.
//
// # Words
//
//   - Embedding: the map, one row of coordinates for each sample.
//   - Linear map: each coordinate is a weighted sum of the features. [Model.Projection] has the
//     weights.
//   - Neighbourhood graph: each sample is linked to its most similar ones.
//   - Manifold weight, option Manifold: how much neighbours count against labels. At 0 only labels
//     count. A large weight hurts where neighbours differ in class.
//   - Between and within: the gap between classes along a direction, and their width. LDA adds up
//     the ratio of both over directions; methods with TR in their name (trace ratio) divide the sums.
//   - Ridge, options Ridge and RidgeScale: a small width added to all directions, so that
//     directions without variation do not win.
//   - Kernel map: samples are compared by a function of their distance, of width Scale, which gives
//     curved boundaries.
//
// # Methods by the knowledge they use
//
//   - unsupervised: [GPLVM], [HLLE], [Isomap], [LAE], [LLE], [LPP], [LTSA], [PCA],
//     [ULMRAG] and [TSNE], and with kernel maps [BCGPLVM];
//   - unsupervised, from labels, if any: [UMAP];
//   - supervised, from labels: [ANMM], [CCA], [DLA], [MFA], [MMC], [NLDA], [SIsomap],
//     [SLLE], [SRDA] and [TRLDA], and with kernel maps [KLDA] and [TRKLDA];
//   - supervised, from labels or a numeric target: [LDA], [PLS] and [SPCA];
//   - semi-supervised, from labels or pairs: [KS2LAE], [KS2LLE], [S2LAE], [S2LLE], [SSDR]
//     and [SSML], and with kernel maps [KS3RMM], and choosing features [CS1] and [CS2];
//   - semi-supervised, from labels or a numeric target: [FME], [LapRLS], [SDA] and
//     [TRSDA];
//   - semi-supervised, from labels: [LMRAG], [LapLDA], [MMP], [SDLA], [SSDA], [SSDL],
//     [SSLDA], [SSMMC] and [TRFSDA], and with kernel maps [KSDA] and [TRKSDA];
//   - semi-supervised, from anything known, if any: [S2NE];
//   - semi-supervised, from labels, pairs or a numeric target: [S3RMM];
//   - semi-supervised, from labels or known coordinates: [SSLLE] and [SSLTSA];
//   - semi-supervised, from labels, pairs or target, if any: [SSGPLVM].
//
// Each has an example of its use. [Methods] lists all with their options and sources, [New]
// returns the builder with a given name, and [Then] combines two methods: a linear or
// kernel map, and a layout of its result.
//
// # Options
//
// An option has a setter, and a name for [Sweep] and reports: the words of the setter,
// "ridge scale" for RidgeScale. Options that methods share mean the same in all of them:
// Dims, Neighbors, Search, Recall, Metric, Affinity, Width, Kernel, Scale, PCA, Ridge,
// RidgeScale, Manifold, Solver, Seed. Greek letters are the weights of a method's own
// paper. A value that is a word has a type with constants, such as [Affinity]; [Auto]
// selects the documented choice from the data. With sets any option by name, including
// options without a setter, which only reproduce papers. The comment of each constructor
// has the source of the method, its objective and solution, its cost, defaults and
// failures; go doc ssdrnb.SDABuilder lists the options of SDA.
//
// # Data
//
// A matrix has one sample per row. Labels are integers from 0, -1 if unknown. [NewData]
// takes your own matrix, package datasets reads files, and methods of [Data] prepare them:
// KeepLabels, Split, Standardize, WithPairs and more. Inputs are never changed.
//
// # Large data
//
// Methods with a neighbourhood graph search for neighbours exactly, in O(n²D), if that takes at
// most about two seconds, otherwise approximately; see [AutoSearch]. The neighbours of a long
// search are remembered for the next method on the same samples, see [Remember]. Isomap and the
// GP methods need O(n²) memory. LPP, SDA, LAE, LLE, LTSA, S2LAE, UMAP, t-SNE in two dimensions
// and S2NE do not.
//
// A sample of D features takes 8D bytes of memory. Methods that embed a graph do not copy the
// samples; linear methods hold three copies. Per sample, an approximate search for k neighbours
// takes another 4D + 60k bytes while it runs, the graph 60k bytes, and ten of its eigenvectors 1
// kB or the memory of a sparse factorisation; S2LAE and S2NE take 2 kB. Set GOMEMLIMIT to get
// close to these numbers, because Go's collector lets garbage grow otherwise. A float32 file is
// read into float64 without another copy; see [data.SetReadLimit] for files above 2 GiB.
//
// # Models
//
// A [Model] has the embedding, embeds new samples (Transform) and predicts their class
// (Predict). A linear model has its projection, and Reduce lowers its dimension. Save
// writes an .npz file, which [Load] and NumPy read. The [Report] of a model has options,
// times, the history of iterations, warnings, and the share of neighbours that the
// embedding preserves. [Observe] registers a progress callback.
//
// # Experiments
//
// [Sweep] fits a method over a grid of options. [Compare] compares methods over dimensions and
// random draws. [Survey] fits each method once and makes a table. Package experiment has the
// other experiments of the papers. [NewSeries] caches work between successive fits, for controls.
// A [Score] rates a model; [NearestNeighbor] is the papers' score.
//
// # Guarantees
//
// The same seed gives the same result on any number of processors. Every error is an [*Error]
// that names method, option, value and remedy, and wraps a sentinel such as [ErrOption]. An
// option out of range is an error of Fit. In a notebook fits are remembered on disk, see
// [Remember].
//
// # Side effects
//
// Importing the package registers the fastest available matrix engine with gonum, see package
// blas. In a notebook a failing Must function prints the error and ends the cell's process; in a
// program it panics.
//
// # How a fit runs
//
// For readers of the code: TRSDA().Fit(data) takes these steps.
//
//  1. common.Fit (builder.go) passes the Spec, the method with its options, to Spec.FitContext
//     (fit.go), which checks data and options and looks for a remembered model;
//  2. job.fit (fit.go) opens the report and calls the method: Method.run (registry.go);
//  3. ratioTRSDA (trsda.go) reads as the paper's steps: spanOf (step_span.go),
//     neighborGraph and smoothness (step_neighbors.go), scatterOf and ridgeOf
//     (step_scatter.go);
//  4. each of these looks up its result in the cache of the data (step.go) or computes it with
//     plain functions of the internal packages;
//  5. traceRatio (step_traceratio.go) prepares the problem, ratio.solve calls
//     spectral.TraceRatio, whose steps are eigenproblems of package blas;
//  6. span.solution (step_span.go) turns directions into embedding and map, and job.fit makes the
//     Model.
//
// Methods differ only in the third step. Each has a file of its name.
package ssdrnb
